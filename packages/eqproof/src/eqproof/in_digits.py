"""The second way to decide a claim: each relation in many digits, at random points, behind kinks and where letters are 0 or 1."""

from collections.abc import Sequence

import mpmath
import sympy

from eqproof import algebra, tree
from eqproof.bindings import Bindings
from eqproof.branches import gates
from eqproof.calculus import SPELLINGS
from eqproof.errors import NoCase, ProofError
from eqproof.evaluate import Evaluation, Numbers
from eqproof.inequalities import lowest_points, proof_of
from eqproof.kinks import beyond_kinks
from eqproof.loose_relations import first_loose
from eqproof.points import AGREE, DIGITS, LetterValues, Point
from eqproof.relations import compare, digits, is_space
from eqproof.sampling import has_kinked_power, has_kinks, points_at_zero, points_for, points_on_edges
from eqproof.statement import ORDERED, Statement, step_in_words
from eqproof.subscripts import Indices
from eqproof.verdict import Grade, Verdict, false_verdict


def in_digits(statement: Statement) -> Verdict:
    """Return the Verdict of a comparison in many digits at random points."""
    points = points_for(statement)
    drawn: list[sympy.Basic] = []
    for point in points:
        if refusal := refusal_at(statement, point):
            return false_verdict(refusal)
        drawn = drawn or point.drawn
    if refusal := refusal_between(statement, points):
        return false_verdict(refusal)
    refusal, missed = refusal_beyond_kinks(statement, points) if statement.tolerance is None else ("", [])
    if refusal:
        return false_verdict(refusal)
    if loose := first_loose(statement, bool(drawn)):
        return false_verdict(f"the sides of {loose} are equal at all points: write =")
    grade, proof = grade_of(statement, bool(drawn), bool(missed))
    return Verdict(
        grade,
        points=len(points),
        letters=len(drawn),
        relation=kind_of(statement),
        log10_range=points[-1].wide,
        special=statement.ordered,
        tolerance=statement.tolerance,
        digits=AGREE,
        proof=proof,
        missed="; ".join(missed) if not proof else "",
    )


def grade_of(statement: Statement, drawn: bool, missed: bool) -> tuple[Grade, str]:
    """Return (the grade of what holds wherever it was tried, the proof of an inequality in words, if one was found).

    drawn: whether a letter was; missed: whether of a kink one side alone was met.
    """
    if statement.tolerance is not None or r"\approx" in statement.relations:
        return Grade.COMPARED, ""
    if not drawn:
        return Grade.COMPUTED, ""
    if statement.ordered:
        proof = proof_of(statement.claims, [statement.evaluation(at) for at in statement.every])
        return Grade.PROVEN if proof else Grade.SAMPLED, proof
    return Grade.SAMPLED if missed else Grade.CHECKED, ""


def kind_of(statement: Statement) -> str:
    """Return of which kind the relations of a claim are, as the record of a verdict names it."""
    if r"\approx" in statement.relations:
        return "rounded"
    if statement.relations == {r"\ne"}:
        return "different"
    return "ordered" if statement.relations & ORDERED else "equal"


def refusal_at(statement: Statement, point: Point) -> str | None:
    """Return the sentence on what is false at a random point, where cases meet, or where letters are 0 or 1; None without one."""
    for at in statement.every:
        refusal = first_refusal(statement, at, point)
        if refusal:
            return refusal
        for edge in points_on_edges(statement, at, point):
            refusal = refusal_in(DIGITS, statement, at, edge)
            if refusal:
                return f"{refusal}, where one case meets the next"
        refusal = refusal_at_zero(statement, at, point) if statement.ordered else None
        if refusal:
            return refusal
    return None


def first_refusal(statement: Statement, indices: Indices, point: Point) -> str | None:
    """Return the sentence on the first relation that fails at a point, None if all hold.

    Without a tolerance so many digits are taken that no rounding, where large terms cancel, is as large as what is refused.
    """
    return refusal_in(DIGITS if statement.tolerance is not None else 3 * DIGITS, statement, indices, point)


def refusal_in(places: int, statement: Statement, indices: Indices, point: Point) -> str | None:
    """Return the sentence on the first relation that fails at a point, in so many digits, None if all hold."""
    with mpmath.workdps(places):
        evaluation = statement.evaluation(indices, point)
        for chain in statement.claims.chains:
            values = [None if is_space(side) else evaluation(side) for side in chain.sides]
            for i, relation in enumerate(chain.relations):
                relation = SPELLINGS.get(relation, relation)
                sides = chain.sides[i : i + 2]
                why = compare(evaluation, relation, sides, values[i : i + 2], statement.tolerance)
                if why:
                    index = "".join(f", {letter} = {k}" for letter, k in indices.items())
                    return f"{step_in_words(statement.text, chain, i)}{why}{index}"
    return None


def refusal_beyond_kinks(statement: Statement, points: list[Point]) -> tuple[str, list[str]]:
    """Return (the sentence on what is false behind a kink, or where an inequality is nearest to be false; the kinks that were missed)."""
    claims = statement.claims
    around = any(x.kinked for x in points) or has_kinks(claims) or has_kinked_power(claims)
    missed: list[str] = []
    for at in statement.every:
        evaluation = statement.evaluation(at)
        there, whole = gates(claims, evaluation) if around else ([], True)
        found, left = beyond_kinks(there, whole, points)
        missed += left
        found += lowest_points(claims, evaluation, points) if statement.ordered else []
        for point in found:
            given = {x: value for x, value in point.values.items() if isinstance(x, sympy.Basic)}
            if refusal := confirmed_refusal(statement, at, point, given):
                where = ", ".join(f"{x} = {digits(value)}" for x, value in given.items())
                return f"{refusal}, where {where}", []
    return "", list(dict.fromkeys(missed))


def confirmed_refusal(statement: Statement, indices: Indices, point: Point, given: LetterValues) -> str | None:
    """Return the sentence on what is false at a special point in so many digits and in more; None where it is rounding.

    Where nothing has a value, nothing is false, but for cases, of which one must hold.
    """
    finer = Point(point.seed, dict(given), point.wide, point.salt)
    try:
        refusal = refusal_in(3 * DIGITS, statement, indices, point)
        again = refusal and refusal_in(4 * DIGITS, statement, indices, finer)
    except NoCase:
        raise
    except (ProofError, ZeroDivisionError):  # nothing has a value there
        return None
    return refusal if refusal and refusal == again and "not finite" not in refusal else None


def refusal_at_zero(statement: Statement, indices: Indices, point: Point) -> str | None:
    """Return the sentence on an inequality that is false where letters are 0 or 1; None without one.

    Sides that are equal in special places only, at rest or along one line, are so at no random point.
    """
    for special in points_at_zero(point):
        where = ", ".join(f"{x} = {int(k)}" for x, k in special.values.items())
        if refusal := confirmed_refusal(statement, indices, special, special.values):
            return f"{refusal}, where {where}"
    return None


def refusal_between(statement: Statement, points: list[Point]) -> str | None:
    r"""Return the sentence on a \ne whose sides are equal on the way from where one is larger to where the other is."""
    for chain in statement.claims.chains:
        for i, relation in enumerate(chain.relations):
            for at in statement.every if SPELLINGS.get(relation, relation) == r"\ne" else ():
                if sides_cross(chain.sides[i : i + 2], statement.bindings, at, points):
                    words = "the sides agree somewhere: now one is larger, now the other"
                    return f"{step_in_words(statement.text, chain, i)}{words}"
    return None


def sides_cross(sides: Sequence[tree.Node], bindings: Bindings, indices: Indices, points: list[Point]) -> bool:
    """Tell whether two sides that are scalars change their order without a jump: by bisection between two points."""

    def gap(point: Point) -> mpmath.mpf:
        try:
            a, b = algebra.same_size(*(Evaluation(bindings, Numbers(point), indices)(side) for side in sides))
            return a - b
        except (ProofError, ZeroDivisionError):
            return mpmath.nan

    with mpmath.workdps(2 * DIGITS):
        every = (
            ()
            if algebra.is_matrix(gap(points[0]))
            else [*points, *(x for point in points for x in points_at_zero(point))]
        )
        ends = {mpmath.sign(gap(x)): x.values for x in every}
        if not {-1, 1} <= ends.keys():
            return False
        less = ends[-1]
        more = ends[1]
        share = mpmath.mpf(0)
        for k in range(1, 5 * DIGITS):
            further = share + mpmath.mpf(2) ** -k
            middle = gap(Point(given={x: (1 - further) * less[x] + further * more[x] for x in points[0].drawn}))
            share = further if middle < 0 else share
        return bool(abs(middle) < mpmath.mpf(10) ** -AGREE)
