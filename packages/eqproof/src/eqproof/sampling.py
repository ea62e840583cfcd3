r"""Where an equation is tried: random points that its whole text chooses, and a point on each side of each kink.

|x|, \max(x, y), \operatorname{sign} x, a case and \sqrt{x^2} are one expression on this side of a kink and another one
on that side; so is what a letter is bound to. From a random point, Newton's step leads to the kink, twice the step beyond.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import mpmath
import numpy as np
import sympy

from eqproof import algebra, tree
from eqproof.errors import ProofError
from eqproof.evaluate import Evaluation
from eqproof.points import DIGITS, Point

LEAPS = 48  # points beyond kinks that are tried for one equation at most
NO_VALUE = (ProofError, ArithmeticError, ValueError, TypeError, AttributeError, NotImplementedError)
PARTING = (sympy.Abs, sympy.sign, sympy.Max, sympy.Min, sympy.Piecewise, sympy.Heaviside)


def salt_of(text: str) -> str:
    """Return what makes the random points of a text its own: no name of a letter has luck in two texts."""
    return hashlib.sha256("".join(text.split()).encode()).hexdigest()[:12]


def may_be(letter: sympy.Symbol, value: Any) -> bool:
    """Tell whether a letter may have a value by the signs that are assumed of it: no length is negative."""
    if value == 0:
        return letter.is_zero is not False
    return not (letter.is_nonpositive if value > 0 else letter.is_nonnegative)


def has_kinked_power(claims: tree.Claims) -> bool:
    r"""Tell whether a root or a power such as x^{1/2} stands in claims, of which one of two values is printed."""
    return any(
        isinstance(x, tree.Root) or (isinstance(x, tree.Power) and isinstance(x.exponent, tree.Fraction | tree.Binary))
        for x in tree.walk(claims)
    )


def kinks(claims: tree.Claims, evaluation: Evaluation) -> list[sympy.Expr]:
    """Return the expressions of SymPy at whose zeros what stands on the sides of claims changes from one form to another."""
    found: dict[sympy.Expr, None] = {}
    for side in (side for chain in claims.chains for side in chain.sides):
        try:
            value = algebra.scalar(evaluation.symbolic()(side))
        except NO_VALUE:  # a space of numbers, or nothing that has a value in symbols
            continue
        for x in np.ravel(value.factor if isinstance(value, algebra.AnySize) else value):
            for part in sorted(sympy.sympify(x).atoms(*PARTING, sympy.Pow), key=str):
                found |= dict.fromkeys(zeros_of(part))
    return [x for x in found if x.free_symbols]


def zeros_of(part: sympy.Basic) -> Iterator[sympy.Expr]:
    """Yield the expressions at whose zeros a part changes its form."""
    if isinstance(part, sympy.Abs | sympy.sign | sympy.Heaviside):
        yield part.args[0]
    elif isinstance(part, sympy.Max | sympy.Min):
        yield from (x - part.args[0] for x in part.args[1:])
    elif isinstance(part, sympy.Piecewise):
        conditions = (x for _, condition in part.args for x in condition.atoms(sympy.core.relational.Relational))
        yield from (x.lhs - x.rhs for x in conditions)
    elif isinstance(part, sympy.Pow) and part.exp.is_Rational and not part.exp.is_Integer and part.base.is_Add:
        yield part.base**part.exp


def beyond_kinks(claims: tree.Claims, evaluation: Evaluation, points: Iterable[Point]) -> Iterator[Point]:
    """Yield points on the other side of each kink, seen from these points, one letter moved in each."""
    parts, leaps = kinks(claims, evaluation), 0
    for point in points if parts else ():
        letters = {x: point.values[x] for x in point.drawn if isinstance(x, sympy.Symbol)}
        for part in parts:
            for letter in sorted(part.free_symbols & letters.keys(), key=str):
                value = leap(part, letter, letters)
                if value is not None and may_be(letter, value) and leaps < LEAPS:
                    leaps += 1
                    yield Point(point.seed, {**letters, letter: value}, point.wide, point.salt)


def leap(part: sympy.Expr, letter: sympy.Symbol, letters: dict) -> Any:
    """Return the value of a letter twice as far as Newton's step leads to a zero, None where that leads nowhere."""
    try:
        with mpmath.workdps(DIGITS):
            at = Point(given=letters)
            slope = at.number(part.diff(letter))
            return letters[letter] - 2 * at.number(part) / slope if slope else None
    except NO_VALUE:
        return None
