"""A verdict is a record: what it rests on stands in its fields, and the words are made of these alone."""

import dataclasses

import pytest
import sympy as sp

from eqproof import check
from eqproof.verdict import GRADES, Grade, Verdict, describe, false_verdict

x, y, u = sp.symbols("x y u", real=True)
TABLE = {"x": x, "y": y, "u": u, "p": 3, r"\boldsymbol K": [[2, 1], [1, 3]]}


def test_the_fields_of_a_comparison_of_fractions():
    """Points, letters, degree and chance; the words tell of what the chance speaks."""
    verdict = check("(x + y)^2 = x^2 + 2 x y + y^2", TABLE)
    assert (verdict.grade, verdict.exact, verdict.points, verdict.letters, verdict.degree) == (
        Grade.PROVEN,
        True,
        2,
        2,
        2,
    )
    assert verdict.chance == pytest.approx((2 / 2**48) ** 2)
    assert "points of 2 letters; a false one of degree 2 in these passes with a chance below 1e-28" in verdict.how


@pytest.mark.parametrize("line", ["p = 2 + 1", r"\det \boldsymbol K = 5", r"\sqrt{4} = 2", "3 > 2", r"p \ne 4"])
def test_without_a_free_letter_one_problem_is_computed(line):
    """Which is no proof of anything more, and no chance is told."""
    verdict = check(line, TABLE)
    assert verdict.holds and verdict.grade == "computed" and not verdict.proven and "chance" not in verdict.how


def test_the_words_follow_from_the_record():
    """Another record, other words; a verdict that is false says why."""
    verdict = check(r"|x + y| \le |x| + |y|", TABLE)
    assert describe(verdict) == verdict.how
    assert "999 random points" in describe(dataclasses.replace(verdict, points=999))
    assert false_verdict("no").how == "no" and not false_verdict("no")
    assert Verdict(Grade.TRIVIAL) and Grade.FALSE not in GRADES and GRADES[0] is Grade.PROVEN


def test_a_grade_is_a_word():
    """So that a table, a file and a page may hold it as it is."""
    assert f"{Grade.SAMPLED}" == "sampled" == Grade.SAMPLED
