r"""Relations that are true and say less than could be said: a \le whose sides are equal at all points, or at none."""

from collections.abc import Iterable, Sequence
from contextlib import suppress

import mpmath

from eqproof import algebra, tree
from eqproof.bindings import Bindings
from eqproof.calculus import SPELLINGS
from eqproof.errors import ProofError
from eqproof.evaluate import Evaluation, Numbers
from eqproof.points import DIGITS, Point
from eqproof.relations import compare
from eqproof.sampling import SIGNS, WIDE, points_at_zero
from eqproof.statement import Ground, Statement
from eqproof.subscripts import Indices

ROUNDING = 1e-9  # of floats that are bound: sides that differ by less are equal
STRICT = {r"\le": "<", r"\ge": ">"}
LOOSE = {r"\le", r"\ge", r"\succeq", r"\preceq", r"\approx"}  # what equal sides fulfill as well


def first_loose(statement: Statement, drawn: bool) -> str | None:
    r"""Return the first relation such as \le of which the sides are equal wherever they were tried, None without one.

    It is true, and it is a misprint all the same: who reads a \le b takes it that a may be less. Sides that are known to
    few digits are equal within the tolerance; an \approx is for these, if they differ by more than rounding. drawn: whether
    a letter was; where none was, 1 / 2 \approx 0.5 is no slip.
    """
    tolerance = statement.tolerance
    with mpmath.workdps(DIGITS):
        for chain in statement.claims.chains:
            for i, relation in enumerate(chain.relations):
                sides = chain.sides[i : i + 2]
                if SPELLINGS.get(relation, relation) not in LOOSE:
                    continue
                if relation == r"\approx" and not drawn and not all(map(lacks_number, sides)):
                    continue
                points = [Point(seed) for seed in range(statement.points)]
                near = min(tolerance, ROUNDING) if tolerance and relation == r"\approx" else tolerance
                if all(
                    sides_equal(statement.evaluation(at, point), sides, near)
                    for point in points
                    for at in statement.every
                ):
                    return relation
    return None


def lacks_number(side: tree.Node) -> bool:
    """Tell whether a side is no printed number."""
    return tree.printed_number(side) is None


def refuse_never_equal(claims: tree.Claims, grounds: Iterable[Ground]) -> None:
    r"""Raise ProofError at a \le or \ge of which the sides are never equal: < or > holds as well; grounds: pairs (table, indices)."""
    grounds = list(grounds)
    with mpmath.workdps(DIGITS):
        for chain in claims.chains:
            for i, relation in enumerate(chain.relations):
                strict = STRICT.get(SPELLINGS.get(relation, relation))
                if strict is None:
                    continue
                points = [Point(seed, wide=wide) for wide in (0, WIDE) for seed in range(SIGNS)]
                sides = chain.sides[i : i + 2]
                if not any(sides_equal_at(sides, table, point, at) for point in points for table, at in grounds):
                    raise ProofError(
                        f"is nowhere equal to the side before it: write {strict}, or try it where it is", of=sides[1]
                    )


def sides_equal_at(sides: Sequence[tree.Node], table: Bindings, point: Point, indices: Indices) -> bool:
    """Tell whether two sides are equal at a point, or where letters are 0 or 1 instead."""
    if sides_equal(Evaluation(table, Numbers(point), indices), sides, None):
        return True
    with suppress(ProofError, ZeroDivisionError):  # where there is no value, there is nothing equal
        return any(
            sides_equal(Evaluation(table, Numbers(special), indices), sides, None) for special in points_at_zero(point)
        )
    return False


def sides_equal(evaluation: Evaluation, sides: Sequence[tree.Node], tolerance: float | None) -> bool:
    """Tell whether two sides are equal in all entries."""
    a, b = map(evaluation, sides)
    b = algebra.AnySize(0) if not algebra.is_matrix(b) and b == 0 else b
    return compare(evaluation, "=", sides, (a, b), tolerance) is None
