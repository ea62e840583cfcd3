"""A formula at several points at once, in complex numbers of plain Python: the same values in every kernel.

`Values` holds one number a point; what has no value there (1/0, log 0) is not a number, and nothing ever stops.
The module stands where mpmath stands for more digits: plain.sin(Values), plain.pi.
"""

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable
from typing import TypeAlias

Operand: TypeAlias = "Values | complex"

NO_VALUE = complex(math.nan, math.nan)


class Values(tuple[complex, ...]):
    """Complex numbers, one a point; arithmetic is entry by entry, with another one or with a number."""

    __slots__ = ()

    def __add__(self, other: Operand) -> Values:  # type: ignore[override]  # entry by entry, not end to end
        return _paired(operator.add, self, other)

    def __radd__(self, other: Operand) -> Values:
        return _paired(operator.add, other, self)

    def __sub__(self, other: Operand) -> Values:
        return _paired(operator.sub, self, other)

    def __rsub__(self, other: Operand) -> Values:
        return _paired(operator.sub, other, self)

    def __mul__(self, other: Operand) -> Values:  # type: ignore[override]
        return _paired(operator.mul, self, other)

    __rmul__ = __mul__  # type: ignore[assignment]  # a product has no order

    def __truediv__(self, other: Operand) -> Values:
        return _paired(operator.truediv, self, other)

    def __rtruediv__(self, other: Operand) -> Values:
        return _paired(operator.truediv, other, self)

    def __pow__(self, other: Operand) -> Values:
        return _paired(operator.pow, self, other)

    def __rpow__(self, other: Operand) -> Values:
        return _paired(operator.pow, other, self)

    def __neg__(self) -> Values:
        return Values([0 - x for x in self])

    def __abs__(self) -> Values:
        return _each(lambda x: complex(abs(x)), self)

    @property
    def real(self) -> Values:
        """The real parts."""
        return Values([complex(x.real) for x in self])


def mpf(number: complex) -> Values:
    """Return a number as it stands in a formula."""
    return Values([complex(number)])


pi = mpf(math.pi)
e = mpf(math.e)
j = mpf(1j)


def atan2(y: Operand, x: Operand) -> Values:
    """Return the angle of (x, y), of the real parts."""
    return _paired(lambda b, a: complex(math.atan2(b.real, a.real)), y, x)


def sign(x: Values) -> Values:
    """Return x / |x|, and 0 at 0."""
    return _each(lambda z: z / abs(z) if z else 0j, x)


def _function(name: str) -> Callable[[Values], Values]:
    function = getattr(cmath, name)
    return lambda x: _each(function, x)


sin, cos, tan, asin, acos, atan = map(_function, ("sin", "cos", "tan", "asin", "acos", "atan"))
sinh, cosh, tanh, asinh, acosh, atanh = map(_function, ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"))
exp, log, sqrt = map(_function, ("exp", "log", "sqrt"))


def _each(function: Callable[[complex], complex], x: Values) -> Values:
    try:
        return Values([function(z) for z in x])
    except (ArithmeticError, ValueError):
        return Values([_or_none(function, z) for z in x])


def _paired(function: Callable[[complex, complex], complex], x: Operand, y: Operand) -> Values:
    """Return function(x, y) of each pair; a number, or a single value, stands for as many as the other has."""
    one: tuple[complex, ...] = x if isinstance(x, Values) else (complex(x),)
    other: tuple[complex, ...] = y if isinstance(y, Values) else (complex(y),)
    if len(one) == 1:
        one = tuple(one) * len(other)
    elif len(other) == 1:
        other = tuple(other) * len(one)
    try:
        return Values(map(function, one, other))
    except (ArithmeticError, ValueError):
        return Values([_or_none(function, *pair) for pair in zip(one, other)])


def _or_none(function: Callable[..., complex], *arguments: complex) -> complex:
    try:
        return function(*arguments)
    except OverflowError:
        return complex(math.inf, 0.0)
    except (ArithmeticError, ValueError):
        return NO_VALUE
