"""Where an equation is tried: random points that its whole text chooses; what lies behind kinks, `crossings` finds."""

import hashlib
from typing import Any

import sympy

from eqproof import tree
from eqproof.errors import ProofError

NO_VALUE = (ProofError, ArithmeticError, ValueError, TypeError, AttributeError, NotImplementedError)


def salt_of(text: str) -> str:
    """Return what makes the random points of a text its own: no name of a letter has luck in two texts."""
    return hashlib.sha256("".join(text.split()).encode()).hexdigest()[:12]


def may_be(letter: sympy.Symbol, value: Any) -> bool:
    """Tell whether a letter may have a value by the signs that are assumed of it: no length is negative."""
    if value == 0:
        return letter.is_zero is not False
    return not (letter.is_nonpositive if value > 0 else letter.is_nonnegative)


def has_kinked_power(claims: tree.Claims) -> bool:
    r"""Tell whether a root or a power such as x^{1/2} or x^{1.5} stands in claims, of which one of two values is printed."""
    return any(
        isinstance(x, tree.Root) or (isinstance(x, tree.Power) and any(map(is_broken, tree.walk(x.exponent))))
        for x in tree.walk(claims)
    )


def is_broken(part: tree.Node) -> bool:
    """Tell whether a part of an exponent makes it no whole number: a fraction, or a number with decimals."""
    return isinstance(part, tree.Fraction | tree.Binary) or (isinstance(part, tree.Number) and "." in part.text)
