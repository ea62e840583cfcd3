"""What is too large to be computed: a power, and the terms that dots stand for."""

import mpmath

from eqproof import algebra
from eqproof.algebra import Value
from eqproof.errors import NotDecided, WrongShape
from eqproof.exact import Exact
from eqproof.tree import Node

LARGEST_POWER = 10_000  # and as many terms


def refuse_huge(base: Value, exponent: Value) -> None:
    """Raise ProofError at 0^0, and at a power that no one can compute: a matrix, a fraction or a symbol to the power 10^21."""
    power, value = (x.value if isinstance(x, Exact) else x for x in (exponent, base))
    if has_random_part(exponent):
        return
    if not has_random_part(base) and not algebra.is_matrix(value) and value == 0 and power == 0:
        raise WrongShape("0^0 has no value that all agree on")
    if isinstance(value, mpmath.mpf) or not getattr(power, "is_number", True) or abs(power) <= LARGEST_POWER:
        return
    if algebra.is_matrix(value) or value not in (0, 1, -1):
        raise NotDecided(f"is not decided: a power of more than {LARGEST_POWER} is not computed")


def has_random_part(x: Value) -> bool:
    """Tell whether something random is in an exact number."""
    return bool(getattr(x, "above", 0) or getattr(x, "below", 0))


def refuse_long(length: int, dots: Node) -> None:
    """Raise NotDecided where dots stand for more than can be spelled out."""
    if length > LARGEST_POWER:
        raise NotDecided(f"is not decided: dots for more than {LARGEST_POWER} terms are not spelled out", of=dots)
