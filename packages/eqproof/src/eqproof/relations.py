"""One relation between two values: how equal, how much larger, of which size, and why it fails."""

from collections.abc import Sequence
from typing import Any

import mpmath
import numpy as np

from eqproof import algebra, tree
from eqproof.errors import ProofError, WrongShape
from eqproof.points import AGREE, rounding

PI = tree.Symbol(r"\pi")
NOISE = mpmath.mpf(10) ** -9  # what a computation in floating point may leave of what is zero, beside numbers about 1


def compare(
    evaluation: Any, relation: str, sides: Sequence[tree.Node], values: Sequence[Any], tolerance: float | None
) -> str | None:
    """Return why a relation fails, None if it holds."""
    if relation == r"\in":
        return why_not_in_space(evaluation, sides[1], values[0])
    if relation in (r"\succ", r"\succeq", r"\prec", r"\preceq"):
        return why_not_definite(relation, *values)
    try:
        a, b = same_size(values, sides)
    except WrongShape as error:
        return error.sentence
    a = as_array(a)
    b = as_array(b)
    same = True
    largest = max(map(abs, (*a.flat, *b.flat)), default=0)
    for place in np.ndindex(a.shape):
        x = a[place]
        y = b[place]
        where = f" in entry ({place[0] + 1}, {place[1] + 1})" if a.size > 1 else ""
        if not all(mpmath.isfinite(v) for v in (x, y)):
            return f"a side is not finite{where}"
        if relation in ("=", r"\approx", r"\ne"):
            agree = abs(x - y) <= allowed_gap(relation, sides, (x, y), tolerance, largest)
            same &= agree
            if not agree and relation != r"\ne":
                return f"the sides differ{where}: {digits(x)} on the left, {digits(y)} on the right"
        elif not holds_order(relation, x, y, tolerance, 0 if evaluation.domain.point.wide else rounding()):
            return f"{digits(x)} {relation} {digits(y)} is false{where}"
    return f"the sides agree{f': {digits(x)}' if a.size == 1 else ''}" if same and relation == r"\ne" else None


def as_array(value: Any) -> np.ndarray:
    """Return a matrix as it is, a scalar as a matrix of one entry."""
    return value if isinstance(value, np.ndarray) else np.array([[value]], dtype=object)


def allowed_gap(
    relation: str, sides: Sequence[tree.Node], pair: tuple[Any, Any], tolerance: float | None, largest: Any
) -> mpmath.mpf:
    r"""Return by how much two numbers that are equal may differ: by rounding, a share, or at \approx half of the last digit.

    largest: of the entries of both sides, of which a tolerance is a share; sides of 1e-5 that differ by a half are not equal
    within 3 %.
    """
    if relation == r"\approx" and tolerance is None:
        return last_digit(sides) / 2
    size = max(1, *map(abs, pair))
    if tolerance is None:
        return rounding() * size
    return max(mpmath.mpf(tolerance) * largest, min(mpmath.mpf(tolerance), NOISE) * size)


def same_size(values: Sequence[Any], sides: Sequence[tree.Node]) -> Any:
    """Return two values of one size; an identity of any size is no number, unless a letter is 1 x 1 at this size."""
    identity = [isinstance(x, algebra.AnySize) and x.factor != 0 for x in values]
    letters = [any(isinstance(x, tree.Symbol) and x != PI for x in tree.walk(side)) for side in sides]
    if (identity[0] and not identity[1] and not letters[1]) or (identity[1] and not identity[0] and not letters[0]):
        raise WrongShape("a multiple of the identity is no number")
    return algebra.same_size(*values)


def holds_order(relation: str, x: Any, y: Any, tolerance: float | None, least: Any) -> bool:
    """Tell whether x < y and the like holds with a margin, which equal sides do not have, of at least so much."""
    margin = mpmath.mpf(tolerance or mpmath.mpf(10) ** -AGREE) * max(abs(x), abs(y))
    gap = x - y if relation in (">", r"\ge") else y - x
    return bool(gap > max(margin, least) if relation in ("<", ">") else gap >= -max(margin, rounding()))


def digits(x: Any) -> str:
    """Return a number in few digits; what is rounding noise is 0."""
    return str(mpmath.nstr(mpmath.chop(mpmath.mpf(x), rounding()), 6))


def last_digit(sides: Sequence[tree.Node]) -> mpmath.mpf:
    r"""Return the unit of the last digit of the printed number beside an \approx, of which it may be half a unit wrong.

    Of two numbers, it is the unit of the one with fewer decimal places.
    """
    numbers = [number for side in sides if (number := tree.printed_number(side)) is not None]
    if not numbers:
        raise ProofError(r"\approx needs a number beside it, or a stated tolerance", place=sides[1].span[0])
    return mpmath.mpf(10) ** -min(len(number.text.partition(".")[2]) for number in numbers)


def is_space(side: tree.Node) -> bool:
    r"""Tell whether a side is \mathbb R^n."""
    base = side.base if isinstance(side, tree.Power) else side
    return base == tree.Symbol("R", "mathbb")


def why_not_in_space(evaluation: Any, side: tree.Node, value: Any) -> str | None:
    r"""Return why a value is not in \mathbb R^{n \times m}, None if it is."""
    if not is_space(side):
        raise ProofError(r"\in is read with \mathbb R^n or \mathbb R^{n \times m} only", place=side.span[0])
    exponent = side.exponent if isinstance(side, tree.Power) else tree.Number("1")
    sizes = (exponent.left, exponent.right) if isinstance(exponent, tree.Binary) else (exponent,)
    claimed = (*(evaluation.integer(x, "a size") for x in sizes), 1)[:2]
    shape = value.shape if isinstance(value, np.ndarray) else (1, 1)
    return None if shape == claimed else f"the size is {shape[0]} x {shape[1]}, not {claimed[0]} x {claimed[1]}"


def why_not_definite(relation: str, a: Any, b: Any) -> str | None:
    """Return why a - b is not definite as claimed, None if it is."""
    b = algebra.AnySize(0) if not algebra.is_matrix(b) and b == 0 else b
    a, b = algebra.same_size(a, b)  # two identities are as their factors
    difference = b - a if "prec" in relation else a - b
    matrix = mpmath.matrix(difference.tolist() if isinstance(difference, np.ndarray) else [[difference]])
    if mpmath.mnorm(matrix - matrix.T) > mpmath.mpf(10) ** -AGREE:
        return "the matrix is not symmetric"
    lowest = min(mpmath.eigsy(matrix, eigvals_only=True))
    small = mpmath.mpf(10) ** -AGREE
    good = lowest >= -small if "eq" in relation else lowest > small
    return None if good else f"an eigenvalue is {digits(lowest)}"
