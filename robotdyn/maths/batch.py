"""Batches of states: a scalar that holds one number for each state, so that an algorithm for one state computes them all."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from robotdyn.maths.validate import Array, Floats


class Batch:
    """One number for each state of a batch; zeros and ones of the arm fold away."""

    __slots__ = ("values",)
    values: Floats

    def __init__(self, values: Floats) -> None:
        self.values = values

    def is_negligible(self, among: Array) -> bool:
        """Tell whether any state has zero here, up to rounding beside the largest entry of `among` in that state."""
        size = functools.reduce(np.maximum, (abs(getattr(entry, "values", entry)) for entry in among.flat))
        return bool(np.any(abs(self.values) <= 1e-14 * size))

    def _binary(self, other: Any, operation: Callable[[Any, Any], Any]) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented  # the array then asks entry by entry
        return Batch(operation(self.values, getattr(other, "values", other)))

    def __add__(self, other: Any) -> Any:
        return self if is_number(other, 0) else self._binary(other, np.add)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self if is_number(other, 0) else self._binary(other, np.subtract)

    def __rsub__(self, other: Any) -> Any:
        return -self if is_number(other, 0) else self._binary(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        if is_number(other, 0):
            return 0
        return self if is_number(other, 1) else self._binary(other, np.multiply)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._binary(other, np.true_divide)

    def __rtruediv__(self, other: Any) -> Any:
        return 0 if is_number(other, 0) else self._binary(other, lambda a, b: b / a)

    def __neg__(self) -> Batch:
        return Batch(-self.values)

    def __pow__(self, exponent: float) -> Batch:
        return Batch(self.values**exponent)

    def sin(self) -> Batch:
        """Return the sine in every state."""
        return Batch(np.sin(self.values))

    def cos(self) -> Batch:
        """Return the cosine in every state."""
        return Batch(np.cos(self.values))

    def tanh(self) -> Batch:
        """Return the hyperbolic tangent in every state."""
        return Batch(np.tanh(self.values))


def is_number(x: object, value: float) -> bool:
    """Tell whether x is a plain number equal to `value`."""
    return isinstance(x, (int, float)) and x == value
