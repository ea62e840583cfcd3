"""Equations that are false only where two kinks meet, or where several letters are on one side of theirs at once."""

from itertools import product

import mpmath
import pytest
import sympy as sp

from eqproof import check
from eqproof.branches import Gate
from eqproof.crossed_kinks import at_two_kinks, solve_linear
from eqproof.points import Point

x, y, z, w = sp.symbols("x y z w", real=True)
m = sp.Symbol("m", positive=True)
TABLE = {
    **{"x": x, "y": y, "z": z, "w": w, "m": m},
    "D": lambda a: sp.Piecewise((1, sp.Eq(a, 0)), (0, True)),  # 1 where a is 0, alone
}
FALSE = [  # at the crossing of two curves, of two conditions, of a condition and a kink
    r"\max(0, 0.01 - |x y - 100|) \max(0, 0.01 - |x + y - 25|) = 0",
    r"\max(0, 0.00001 - |x - y|) \max(0, 0.00001 - |x + y - 8|) = 0",
    r"\max(0, 0.0001 - |x - 3|) \max(0, 0.0001 - |y + 7|) = 0",
    r"D(x) D(y) = 0",
    r"D(x - 3) D(y - 7) = 0",
    r"D(x - y) D(z - w) = 0",
    r"D(x + y - 7) D(x - y - 1) = 0",
    r"D(x^2 + y^2 - 25) D(x - 3) = 0",
    r"D(x - 3) \max(0, y - 400) = 0",
    r"D(x - 3) \max(0, -400 - y) = 0",
]
TRUE = [
    r"|x| + |y| = \sqrt{x^2} + \sqrt{y^2}",
    r"\max(x, y) + \min(x, y) = x + y",
    r"|x y| = |x| |y|",
    r"D(x) x + D(y) y = 0",
    r"D(x - 3) D(y - 7) (x + y - 10) = 0",
]


@pytest.mark.parametrize("latex", FALSE)
def test_what_is_false_where_two_kinks_meet_is_seen(latex):
    """At its crossing, with the letters that it is told at."""
    verdict = check(latex, TABLE)
    assert not verdict and " where " in verdict.how


@pytest.mark.parametrize("latex", TRUE)
def test_what_holds_there_is_not_refused(latex):
    """Rounding at a crossing is no exception."""
    assert check(latex, TABLE)


@pytest.mark.parametrize("signs", list(product((1, -1), repeat=4)))
def test_each_pattern_of_signs_of_four_letters_is_met(signs):
    """An equation that is false for one pattern of the signs of four letters alone."""
    factors = [rf"\max(0, {'-' * (sign < 0)}{letter})" for sign, letter in zip(signs, "xyzw")]
    verdict = check(" ".join(factors) + " = 0", TABLE)
    assert not verdict


def test_points_lie_where_both_are_zero_or_on_all_sides_of_it():
    """Of two conditions the point is exact; of two kinks there are four beside it; no length is negative there."""
    exact = list(at_two_kinks([Gate(x - y, point=True), Gate(z - 3, point=True)], [Point(0)]))
    assert exact and all(p.number(x - y) == 0 and p.number(z - 3) == 0 for p in exact)
    beside = list(at_two_kinks([Gate(x - 3), Gate(y - 4)], [Point(0)]))
    assert {(int(mpmath.sign(p.number(x - 3))), int(mpmath.sign(p.number(y - 4)))) for p in beside} == {
        *product((1, -1), repeat=2)
    }
    assert not list(at_two_kinks([Gate(m + 3), Gate(x - 4)], [Point(0)]))


def test_what_is_linear_in_a_letter_is_solved_for_it():
    """Of what is not, nothing is."""
    assert sp.simplify(solve_linear(x * y - 100, x) - 100 / y) == 0
    assert solve_linear(x**2 - y, x) is None and solve_linear(sp.sin(x) - y, x) is None
    assert solve_linear(sp.sin(x) - y, y) == sp.sin(x)
