"""The first way to decide a claim: both sides of each equation are equal as exact fractions, at random points."""

import numpy as np
import sympy

from eqproof.errors import WrongShape
from eqproof.evaluate import Evaluation, Fractions
from eqproof.exact import Exact, ExactPoint, FinerAngleNeeded, Inexact, chance
from eqproof.relations import is_space, same_size, why_not_in_space
from eqproof.sampling import salt_of
from eqproof.statement import Statement
from eqproof.verdict import Grade, Verdict, false_verdict


def in_fractions(statement: Statement) -> Verdict | None:
    """Return the Verdict on exact fractions, None where they cannot decide."""
    if not statement.relations <= {"=", r"\in"}:
        return None
    points = max(2, statement.points)
    parts = 1
    while True:
        try:
            degree, letters = 0, 0
            for point in (ExactPoint(seed, parts, salt_of(statement.text)) for seed in range(points)):
                largest = 0
                for at in statement.every:
                    found = largest_degree(statement, Evaluation(statement.bindings, Fractions(point), at))
                    if found is None:
                        return None if point.blind else false_verdict("the sides differ as fractions")
                    largest = max(largest, found)
                degree = max(degree, largest + point.collisions)
                letters = max(letters, point.drawn)
            break
        except FinerAngleNeeded as finer:
            parts = finer.part
        except (Inexact, TypeError, AttributeError, ZeroDivisionError, sympy.SympifyError):
            return None
    relation = "member" if statement.relations == {r"\in"} else "equal"
    grade = Grade.PROVEN if letters and relation == "equal" else Grade.COMPUTED
    return Verdict(
        grade,
        relation=relation,
        exact=True,
        points=points,
        letters=letters,
        degree=degree,
        chance=chance(degree, points),
    )


def largest_degree(statement: Statement, evaluation: Evaluation) -> int | None:
    """Return the largest degree of a difference of two sides, None as soon as one is not as claimed."""
    largest = 0
    for chain in statement.claims.chains:
        values = [None if is_space(side) else evaluation(side) for side in chain.sides]
        for i, relation in enumerate(chain.relations):
            if relation == r"\in":
                if why_not_in_space(evaluation, chain.sides[i + 1], values[i]):
                    return None
                continue
            try:
                sides = same_size(values[i : i + 2], chain.sides[i : i + 2])
            except WrongShape:
                return None
            for x, y in zip(*(np.atleast_2d(np.asarray(side, dtype=object)).flat for side in sides)):
                difference = Exact.of(x) - y
                if difference.value != 0:
                    return None
                largest = max(largest, difference.above)
    return largest
