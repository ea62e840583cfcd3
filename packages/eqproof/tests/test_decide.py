"""Where a claim stops being true, the verdict changes: each relation, each margin, each printed digit, each place."""

import re
from fractions import Fraction
from types import MappingProxyType

import mpmath
import numpy as np
import pytest
import sympy as sp

from eqproof import Bindings, Chapter, ProofError, check, tree
from eqproof.decide import decide
from eqproof.evaluate import Evaluation
from eqproof.exact import ExactPoint
from eqproof.in_digits import sides_cross
from eqproof.loose_relations import ROUNDING, refuse_never_equal
from eqproof.parser import parse
from eqproof.points import Point
from eqproof.sampling import may_be, points_at_zero, salt_of
from eqproof.statement import index_values, indices_in_words, line_of
from eqproof.verdict import power_of_ten_above

x, y = sp.symbols("x y", positive=True)
u, v = sp.symbols("u v", real=True)
TABLE = {
    "x": x,
    "y": y,
    "u": u,
    "v": v,
    r"\boldsymbol a": [x, u],
    r"\boldsymbol P": [[x, 0], [0, y]],
    r"\boldsymbol Q": [[x, u], [u, x + u**2 / x]],
    r"\boldsymbol L": [[x, u], [0, x]],
    r"\boldsymbol O": [[x, x], [x, x]],
    r"\boldsymbol W": [[1, x, y], [u, 2, v]],
    r"\boldsymbol 1": sp.eye(2),
    "A": sp.asin(u / sp.sqrt(1 + u**2)),
    "B": sp.atan(sp.sin(u) / sp.Abs(sp.cos(u))),
    "E": sp.Max(u, x),
    "C": sp.pi / 2 - sp.atan(sp.sin(u) / sp.Abs(sp.cos(u))),
}

TABLE_WITHOUT_ONE = {text: value for text, value in TABLE.items() if text != r"\boldsymbol 1"}


# ---- how many points, of which sizes ----------------------------------------------------------------------------------

HOW = {
    # relations that order are tried at all sizes and where letters are 0 or 1
    "x < x + y": "proven by the signs of its letters, and holds with a margin at 41 random points",
    "x + y > x": "proven by the signs of its letters, and holds with a margin at 41 random points",
    r"0 \le u^2": "proven by the signs of its letters, and holds with a margin at 41 random points",
    r"u^2 \ge 0": "proven by the signs of its letters, and holds with a margin at 41 random points",
    r"\boldsymbol P \succ 0": "holds with a margin at 41 random points, of sizes",
    r"\boldsymbol O \succeq 0": "holds with a margin at 41 random points, of sizes",
    r"-\boldsymbol P \prec 0": "holds with a margin at 41 random points, of sizes",
    r"-\boldsymbol O \preceq 0": "holds with a margin at 41 random points, of sizes",
    r"u^2 \ne -x": "proven by the signs of its letters, ",
    "3 > 2": "holds with a margin where no letter is left free",
    # what may be one expression here and another one there
    r"\max(u, v) = u + v - \min(u, v)": "30 digits agree at 17 random points, of sizes from 0.01 to 100",
    r"\max(u, v) + 0 = \max(v, u)": "30 digits agree at 17 random points, of sizes from 0.01 to 100",
    r"\min(u, v) + 0 = \min(v, u)": "30 digits agree at 17 random points, of sizes from 0.01 to 100",
    r"\operatorname{sign}(2 u) = \operatorname{sign}(u)": "30 digits agree at 17 random points, of sizes",
    r"\arctan u = A": "30 digits agree at 27 random points, of sizes",
    r"\arcsin(\sin u) = B": "30 digits agree at 27 random points, of sizes",
    r"\arccos(\sin u) = C": "30 digits agree at 27 random points, of sizes",
    r"\operatorname{atan2}(2 u, 2 v) = \operatorname{atan2}(u, v)": "30 digits agree at 17 random points, of sizes",
    r"\lVert \boldsymbol a \rVert^2 + |u| = x^2 + u^2 + |u|": "30 digits agree at 17 random points, of sizes",
    r"|u| |v| = |u v|": "30 digits agree at 17 random points, of sizes",
    r"\begin{cases} u & u > x \\ x & u \le x \end{cases} = E": "30 digits agree at 27 random points, of sizes",
    r"\ln(x y) + 0 = \ln x + \ln y": "30 digits agree at 2 random points",
    # within a tolerance, few points are enough
    (r"|x| = x", 1e-9): "agrees within 1e-09 of the larger side at 2 random points",
    (r"\sqrt{x^2} = x", 1e-9): "agrees within 1e-09 of the larger side at 2 random points",
    (r"x < 1.1 x", 1e-9): "holds with a margin of 1e-09 of the larger side at 41 random points",
    (r"1.000001 x \approx x", 1e-5): "agrees within 1e-05 of the larger side at 2 random points",
    (r"1.000001 \approx 1", 1e-5): "agrees within 1e-05 of the larger side where no letter is left free",
}

PROVEN = ("x < x + y", "x + y > x", r"0 \le u^2", r"u^2 \ge 0", r"u^2 \ne -x")


@pytest.mark.parametrize("line", HOW)
def test_what_was_done_is_told(line):
    """How many points, of which sizes, and within what; in full."""
    text, tolerance = line if isinstance(line, tuple) else (line, None)
    verdict = check(text, TABLE, tolerance=tolerance)
    assert verdict.holds is True and (verdict.grade == "compared") == (tolerance is not None)
    assert HOW[line] in verdict.how
    assert verdict.proven == (text in PROVEN)


def test_three_roots_ask_for_twelve_points_or_as_many_as_are_wanted():
    """Of \\sqrt{x^2} every second one shows the sign."""
    for points, told in ((2, 12), (15, 15)):
        assert f"at {told} random points" in check(r"\sqrt{x^2} = x", TABLE, points=points).how


def test_points_near_one_come_first():
    """What has no real value far away is still checked, where it has one."""
    line = r"\ln(x - 0.3) + \ln y = \ln((x - 0.3) y)"
    assert check(line, TABLE).how == "30 digits agree at 2 random points"
    assert decide(line, Bindings(TABLE), [{}]).how == "30 digits agree at 2 random points"


# ---- margins ----------------------------------------------------------------------------------------------------------

# A number e in the line: the largest and the smallest of two neighbors between which the verdict changes.
MARGINS = [
    # an equation, in digits: 1e-30 of the larger side, or of one, in 50 digits; a false one is seen in thrice as many
    (r"\sqrt{x^2} + e y = x", None, "0", "1e-80"),
    (r"e + \sqrt{x^2} = x", None, "1e-91", "1e-88"),  # 90 digits of 150: beside one, and beside x, which is below ten
    # within a tolerance
    (r"(1 + e) x = x", 1e-3, "0.0009", "0.0011"),
    (r"(1 - e) x = x", 1e-3, "0.0009", "0.0011"),
    (r"x = (1 + e) x", 1e-3, "0.0009", "0.0011"),
    (r"100 + e = 100", 1e-3, "0.09", "0.11"),
    (r"100 = 100 + e", 1e-3, "0.09", "0.11"),
    (r"-100 - e = -100", 1e-3, "0.09", "0.11"),
    (r"0.001 + e = 0.001", 1e-3, "0.0000009", "0.0000011"),  # whatever the size
    (r"e = 0", 1e-3, "0.9e-9", "1.1e-9"),  # what rounding may leave of nothing
    (r"(1 + e) x \approx x", 1e-3, "0.0009", "0.0011"),
    (r"\boldsymbol P + e \boldsymbol 1 = \boldsymbol P", 1e-3, "0.0003", "0.003"),
    # half a unit of the last printed digit, whatever the size
    (r"5 + e \approx 5.0", None, "0.049", "0.051"),
    (r"5 - e \approx 5.0", None, "0.049", "0.051"),
    (r"500 + e \approx 500", None, "0.5", "0.51"),  # half a unit is half a unit
    (r"0.002 + e \approx 0.00200", None, "0.0000049", "0.0000051"),
    (r"-2.5 - e \approx -2.50", None, "0.0049", "0.0051"),
    # an inequality: a margin of the larger side, which equal sides do not have
    (r"x < (1 + 0.001 - e) x", 1e-4, "0.0008", "0.00095"),
    (r"(1 + 0.001 - e) x > x", 1e-4, "0.0008", "0.00095"),
    (r"100 < 100.1 - e", 1e-4, "0.08", "0.095"),
    (r"-100.1 + e < -100", 1e-4, "0.08", "0.095"),
    (r"x (1 - 10^{-20}) < x (1 - e)", None, "1e-21", "1e-20"),
    (r"0 < e", None, "1.1e-90", "0.9e-90"),
    (r"x < (1 + e) x", None, "1.1e-30", "0.9e-30"),
    (r"(1 + e) x > x", None, "1.1e-30", "0.9e-30"),
    (r"x \le \max(x - e x, x - e x + u)", None, "0.9e-30", "1.1e-30"),
    (r"x \le \max(x - e x, x - e x + u)", 1e-3, "0.0009", "0.0011"),
    (r"\max(x - e x, x - e x + u) \ge x", 1e-3, "0.0009", "0.0011"),
    # an eigenvalue of nothing is none
    (r"\boldsymbol 1 e \succ 0", None, "1e-29", "1e-31"),
    (r"-\boldsymbol 1 e \prec 0", None, "1e-29", "1e-31"),
    (r"\boldsymbol O \succeq e \boldsymbol 1", None, "1e-31", "1e-29"),
    (r"-\boldsymbol O \preceq -e \boldsymbol 1", None, "1e-31", "1e-29"),
    # nor is a matrix that rounding alone keeps from being symmetric
    (r"\begin{bmatrix} 1 & e \\ 0 & 1 \end{bmatrix} \succ 0", None, "0.9e-30", "1.1e-30"),
    # the larger side is that of the larger size, whatever its sign
    (r"-2 + e = -1", 0.6, "0", "-1"),
    (r"-1 = -2 + e", 0.6, "0", "-1"),
    (r"-2 - e < -1", 0.4, "0", "-0.5"),
    (r"-1 > -2 - e", 0.4, "0", "-0.5"),
]


@pytest.mark.parametrize(("line", "tolerance", "holds", "fails"), MARGINS)
def test_a_margin_is_where_it_is_said_to_be(line, tolerance, holds, fails):
    """On one side of it the claim holds, on the other it is refused."""
    for number, wanted in ((holds, True), (fails, False)):
        table = TABLE | {"e": sp.Rational(number)}
        verdict = check(line, table, tolerance=tolerance)
        assert verdict.holds is wanted, (number, verdict.how)


@pytest.mark.parametrize(("part", "equal"), [("1e-10", True), ("1e-8", False), ("1e-6", False)])
def test_an_approx_is_for_what_differs_by_more_than_rounding(part, equal):
    r"""Floats that are bound round in the 16th digit; whoever writes \approx says that more is different."""
    verdict = check(r"(1 + e) x \approx x", TABLE | {"e": sp.Rational(part)}, tolerance=1e-5)
    assert verdict.holds is not equal and ("write =" in verdict.how) is equal
    assert Fraction("1e-10") < Fraction(str(ROUNDING)) < Fraction("1e-8")


@pytest.mark.parametrize(
    ("line", "relation"),
    [
        (r"x + y \le y + x", r"\le"),
        (r"x + y \ge y + x", r"\ge"),
        (r"\boldsymbol P \boldsymbol 1 \succeq \boldsymbol P", r"\succeq"),
        (r"\boldsymbol P \boldsymbol 1 \preceq \boldsymbol P", r"\preceq"),
        (r"x < 2 x \le x + x", r"\le"),
        (r"x + x \le 2 x < 3 x", r"\le"),
        (r"x - x \le 0", r"\le"),
        (r"1 / 2 \le 0.5", r"\le"),  # a printed number is one for \approx alone
        (r"x - x + 0.5 \approx 0.5", r"\approx"),  # where letters stand, it is no number that is printed
        (r"\boldsymbol P - \boldsymbol P \preceq 0", r"\preceq"),
    ],
)
def test_equal_sides_are_not_ordered(line, relation):
    """True, and a misprint all the same."""
    assert check(line, TABLE).how == f"the sides of {relation} are equal at all points: write ="


def test_equal_within_a_tolerance_is_equal():
    """Where sides are known to few digits, and are the same in these, no other relation is claimed of them."""
    for line, relation in {r"x \le (1 + e) x": r"\le", r"2 / 4 \approx 1 / 2": r"\approx"}.items():
        verdict = check(line, TABLE | {"e": sp.Rational("1e-5")}, tolerance=1e-3)
        assert verdict.how == f"the sides of {relation} are equal at all points: write ="


@pytest.mark.parametrize(
    "line", [r"1 / 2 \approx 0.5", r"0.5 \approx 1 / 2", r"x \le 2 x \le 3 x", r"u \le |u|", r"0 \le \max(0, u)"]
)
def test_sides_that_differ_somewhere_are_ordered(line):
    """Equal at some points is what such a relation says; a number without a letter may be printed as it is."""
    assert check(line, TABLE)


# ---- exact fractions --------------------------------------------------------------------------------------------------


def test_what_differs_as_fractions_is_false():
    """However small the difference is: digits would not see it."""
    verdict = check("x + 10^{-100} y = x", TABLE)
    assert (verdict.holds, verdict.grade, verdict.how) == (False, "false", "the sides differ as fractions")
    assert "the sides differ: " in check("x + y = x", TABLE).how, "where digits tell more, they are told"


def test_as_many_points_are_tried_as_are_asked_for():
    """A false equation that two points do not see, made of these very points, is seen by the third."""
    line = "F = x y - y x"
    first, second = (int(ExactPoint(seed, salt=salt_of(line)).number(x).value) for seed in (0, 1))
    table = TABLE | {"F": (x - first) * (x - second)}
    assert check(line, table, points=2).proven
    assert not check(line, table, points=3)
    assert not check("F  = x y - y x", TABLE | {"F": x - first}, points=1)
    assert not check("x y - y x = F", table, points=2), "another text, other points"


def test_each_relation_of_a_chain_is_proven():
    """From the first to the last, sizes among them."""
    for line in (
        "x + y = y + x = x + y + x - x y / y",
        r"\boldsymbol a = 2 \boldsymbol a - \boldsymbol a \in \mathbb R^2",
        r"\boldsymbol a \in \mathbb R^2, \quad x + y = y + x",
    ):
        assert check(line, TABLE).proven, line
    for line in (r"\boldsymbol W \in \mathbb R^{2 \times 3}", r"x \in \mathbb R"):
        assert (check(line, TABLE).grade, check(line, TABLE).proven) == ("computed", False), "a size alone"
    for line, words in {
        "x + y = y + x = x + y + 1": "side 3 does not follow from side 2: the sides differ: ",
        "x + y = y + 2 x = x + y": "side 2 does not follow from side 1: the sides differ: ",
        r"\boldsymbol a \in \mathbb R^3": "the size is 2 x 1, not 3 x 1",
        r"\boldsymbol a = 1 \boldsymbol a \in \mathbb R^3": "side 3 does not follow from side 2: the size is 2 x 1",
        r"\boldsymbol W \in \mathbb R^{3 \times 2}": "the size is 2 x 3, not 3 x 2",
        r"\boldsymbol a \in \mathbb R": "the size is 2 x 1, not 1 x 1",
        r"x \in \mathbb R^2": "the size is 1 x 1, not 2 x 1",
        r"2 x = x + x, \quad \boldsymbol a \in \mathbb R^1": "the size is 2 x 1, not 1 x 1",
    }.items():
        assert check(line, TABLE).how.startswith(words), line


def test_the_largest_degree_of_all_is_told():
    """Of all values of the indices, all equations of a text, all entries; and names that may collide are counted."""
    powers = TABLE | {"b_*": lambda k: x**k}
    for each in ([{"k": 1}, {"k": 4}, {"k": 2}], [{"k": 4}], [{"k": 4}, {"k": 1}]):
        assert "of degree 4 " in check("b_k = x^k", powers, each).how
    assert "of degree 3 " in check("x + y = y + x, x x^2 = x^3, x x = x^2", TABLE).how
    plain = check(r"x y + x = x + x y", TABLE).how
    named = check(r"x \ln(x y) + \ln(x + y) = \ln(x + y) + x \ln(x y)", TABLE).how
    assert "of degree 2 " in plain
    # two letters are known when x y, of degree 2, gets its logarithm; one name more when x + y does: 2 + 2 * 2 + 3
    assert max(map(int, re.findall(r"of degree (\d+) ", named))) >= 2 + 2 * 2 + 3


@pytest.mark.parametrize(("number", "told"), [(2e-29, "1e-28"), (9.9e-5, "1e-4"), (1.5e-3, "1e-2"), (0, "1e-30")])
def test_a_chance_is_told_as_the_power_of_ten_above(number, told):
    """Never less than it is."""
    assert power_of_ten_above(number) == told


# ---- matrices and places ----------------------------------------------------------------------------------------------

PLACES = {
    r"\boldsymbol W = \begin{bmatrix} 1 & x & y \\ u & 3 & v \end{bmatrix}": "the sides differ in entry (2, 2): 2.0 on the left, 3.0 on the right",
    r"\boldsymbol W = \begin{bmatrix} 1 & x & 2 \\ u & 2 & v \end{bmatrix}": "the sides differ in entry (1, 3): ",
    r"\boldsymbol W = \boldsymbol P": "",
    r"\boldsymbol W < \boldsymbol W + \begin{bmatrix} 1 & 1 & 1 \\ 1 & -1 & 1 \end{bmatrix}": "2.0 < 1.0 is false in entry (2, 2)",
    "3 < 2": "3.0 < 2.0 is false",
    r"3 \ne 2 + 1": "the sides agree: 3.0",
    r"\boldsymbol W \ne 1 \boldsymbol W": "the sides agree",
    r"\boldsymbol L \succ 0": "the matrix is not symmetric",
    r"-\boldsymbol 1 \succ 0": "an eigenvalue is -1.0",
    r"\boldsymbol 1 \prec 0": "an eigenvalue is -1.0",
    r"3 \boldsymbol 1 \succ 5 \boldsymbol 1": "an eigenvalue is -2.0",
    r"\begin{bmatrix} 2 & 0 \\ 0 & -1 \end{bmatrix} \succeq 0": "an eigenvalue is -1.0",
    r"\begin{bmatrix} 1 & 2 \\ 2 & 1 \end{bmatrix} \succ 0": "an eigenvalue is -1.0",
    r"-3 \succ 0": "an eigenvalue is -3.0",
    r"3 \succ 5": "an eigenvalue is -2.0",
    r"5 \prec 3": "an eigenvalue is -2.0",
    r"\boldsymbol a = \begin{bmatrix} x \\ 2 \end{bmatrix}": "the sides differ in entry (2, 1): ",
    r"\frac{1}{3} = 0.333": "the sides differ: 0.333333 on the left, 0.333 on the right",
    "b_k = k^2 x": "the sides differ: ",
}


@pytest.mark.parametrize("line", PLACES)
def test_a_refusal_names_the_place_and_the_numbers(line):
    """The entry, six digits of each side, the smallest eigenvalue."""
    verdict = check(line, TABLE | {"b_*": lambda k: k * x}, {"k": 3} if line.startswith("b_k") else None)
    assert not verdict and verdict.grade == "false"
    assert verdict.how.startswith(PLACES[line])
    if line.startswith("b_k"):
        assert verdict.how.endswith(", k = 2")


@pytest.mark.parametrize(
    "line",
    [
        r"\boldsymbol Q \succ 0",
        r"2 \boldsymbol Q \succ \boldsymbol Q",
        r"\boldsymbol Q \prec 2 \boldsymbol Q",
        r"\boldsymbol a \boldsymbol a^\top \succeq 0",
        r"-\boldsymbol a \boldsymbol a^\top \preceq 0",
        r"3 \succ 0",
        r"x^{20} > 0",  # however small x is
        r"\ln(u^2) < u^2",  # where u is 0 there is no value, and no claim
        r"\operatorname{sign}^2(u) = 1",  # an equation is one of letters in general: where u is 0 it is not tried
        r"\boldsymbol W < \boldsymbol W + \begin{bmatrix} 1 & 1 & 1 \\ 1 & 2 & 1 \end{bmatrix}",
        r"\boldsymbol a \ne \boldsymbol a + \begin{bmatrix} 0 \\ 1 \end{bmatrix}",
        r"\boldsymbol a \ne \boldsymbol a + \begin{bmatrix} 1 \\ 0 \end{bmatrix}",
    ],
)
def test_what_is_so_by_construction_holds(line):
    """Q has the positive minors x and x^2; a a^T is a square."""
    grade = "computed" if line == r"3 \succ 0" else "checked" if "=" in line else "sampled"
    assert check(line, TABLE).grade in (grade, "proven")


@pytest.mark.parametrize(
    "line", [r"\ln z = x", r"x = \ln z", r"x > \ln z", r"\boldsymbol a = \begin{bmatrix} x \\ \ln z \end{bmatrix}"]
)
def test_what_is_not_finite_is_no_value(line):
    """Whichever side, and whatever is claimed: ln 0 is less than every number, and is none."""
    verdict = check(line, TABLE | {"z": 0}, tolerance=1e-3)
    assert not verdict and verdict.how.startswith("a side is not finite")


def test_identities_of_any_size_are_compared_by_their_factors():
    """2 I is larger than I whatever the size is, x I is 5 I where x is 5; a matrix is not larger than a scalar."""
    assert check(r"2 \boldsymbol 1 \succ \boldsymbol 1", {}) and check(r"\boldsymbol 1 \prec 2 \boldsymbol 1", {})
    assert check(r"\boldsymbol 1 \prec \frac{1}{2} \boldsymbol 1", {}).how == "an eigenvalue is -0.5"
    assert check(r"\boldsymbol 1 \ne \boldsymbol 0", {})
    assert "agree somewhere" in check(r"u \boldsymbol 1 \ne 5 \boldsymbol 1", TABLE_WITHOUT_ONE).how
    with pytest.raises(ProofError, match="the sizes differ: 2 x 2 and a scalar"):
        check(r"\boldsymbol P \succ 5", TABLE)


def test_what_differs_by_rounding_alone_where_letters_are_special_is_equal():
    """Where u is 0, what is left of large terms is noise: in more digits, there is less of it."""
    assert check(r"u^2 + 10^{70} ((\sqrt{x + 1})^2 - x - 1) \ge 0", TABLE).holds


# ---- where letters are 0 or 1, and on the way between -----------------------------------------------------------------


def test_special_points_are_zero_or_one():
    """All letters that may be, some of them by lot, or all of size one in their own sign; no letter that may not vanish."""
    n = sp.Symbol("n", negative=True)
    for seed in range(20):
        point = Point(seed, wide=6)
        for letter in (v, x, u, n):
            point.number(letter)
        special = points_at_zero(point)
        assert [p.seed for p in special] == [seed] * len(special)
        assert special[0].values == {u: 0, v: 0}
        ones = [p.values for p in special if {x, n} <= p.values.keys()]
        assert ones[0] == {x: 1, n: -1, u: 1, v: 1}
        for values in ones:
            assert values[x] == 1 and values[n] == -1 and set(map(int, values.values())) <= {-1, 0, 1}
        for values in (p.values for p in special if x not in p.values):
            assert set(values) <= {u, v} and set(map(int, values.values())) == {0}
        assert {p.wide for p in special} == {0, 6}
    some = [p.values for seed in range(20) for p in points_at_zero(points_of(seed)) if 1 in map(int, p.values.values())]
    assert {0, 1} in [set(map(int, values.values())) for values in some], "one is 1, and another one 0"
    drawn = [frozenset(p.values.items()) for seed in range(20) for p in points_at_zero(points_of(seed))]
    assert {frozenset({(u, 0)}), frozenset({(v, 0)})} <= set(drawn), "by lot, one alone"
    assert points_at_zero(Point()) == []


def points_of(seed):
    """A point at which two letters were drawn."""
    point = Point(seed)
    point.number(u)
    point.number(v)
    return point


def test_special_points_do_not_depend_on_the_order_in_which_letters_are_met():
    """So that a verdict is the same however its text is written."""
    for seed in range(10):
        one, other = Point(seed), Point(seed)
        for letter in (u, v):
            one.number(letter)
        for letter in (v, u):
            other.number(letter)
        assert [p.values for p in points_at_zero(one)] == [p.values for p in points_at_zero(other)]


NOWHERE = {  # a \ne of which the sides are equal somewhere: on the way from a smaller to a larger one
    r"u \ne 5": True,
    r"5 \ne u": True,
    r"u^3 \ne u + 1": True,
    r"u^2 \ne -1": False,
    r"\frac{1}{u} \ne 0": False,
    r"\frac{u}{|u|} \ne \frac{1}{2}": False,
    r"\boldsymbol a \ne \boldsymbol a + \boldsymbol a \boldsymbol a^\top \boldsymbol a": False,
    r"x < 2 x \ne x + 5": True,
    r"u \ne v + 10^{-20}": True,
    r"-1 \ne u^2": False,
    r"u^3 \ne 2": True,
    r"u^5 \ne u + 3": True,
    r"u^3 \ne v^2 + 7": True,
    r"\frac{1}{2} \ne \frac{u}{|u|}": False,
    r"\frac{v}{|v|} \ne \frac{1}{3}": False,
    r"\frac{u - 1}{|u - 1|} \ne \frac{v}{2 |v|}": False,
}


@pytest.mark.parametrize("line", NOWHERE)
def test_a_difference_is_one_everywhere(line):
    """By continuity: what is less here and more there is equal somewhere between, unless it jumps."""
    verdict = check(line, TABLE)
    assert verdict.holds is not NOWHERE[line]
    assert ("the sides agree somewhere: now one is larger, now the other" in verdict.how) is NOWHERE[line]


def test_the_way_between_two_points_is_straight():
    """Two scalars cross where their difference changes its sign without a jump."""
    points = [Point(seed) for seed in range(6)]
    bindings = Bindings(TABLE)
    for line, wanted in {"u = v": True, "u^2 + 1 = 0": False, "u = 1 u + 0 v": False, "1 / u = 0": False}.items():
        (chain,) = parse(line).chains
        for point in points:
            for letter in (u, v):
                point.number(letter)
        assert bool(sides_cross(chain.sides, bindings, {}, points)) is wanted, line


def test_a_way_that_is_not_straight_would_meet_a_jump():
    """From (1, 3) to (4, 0), x + y is always 4; wherever it is not, the difference jumps over zero."""
    points = [Point(0, {x: mpmath.mpf(1), y: mpmath.mpf(3)}), Point(1, {x: mpmath.mpf(4), y: mpmath.mpf(0)})]
    for point in points:
        point.drawn += [x, y]
    for line, wanted in {
        r"x - y + (x + y - 4) \frac{x - y}{|x - y|} = 0": True,
        r"x - y + (x + y - 3) \frac{x - y}{|x - y|} = 0": False,
    }.items():
        (chain,) = parse(line).chains
        for way in (points, points[::-1]):
            assert bool(sides_cross(chain.sides, Bindings(TABLE), {}, way)) is wanted
            assert bool(sides_cross(chain.sides[::-1], Bindings(TABLE), {}, way)) is wanted


@pytest.mark.parametrize(
    "line",
    [
        r"|u| > 0",
        r"u^2 + v^2 > 0",
        r"(u - 1)^2 > 0",
        r"(x - 1)^2 + u^2 > 0",
        r"u^2 (v - 1)^2 + (v - 1)^4 > 0",
        r"\boldsymbol a \boldsymbol a^\top + u^2 \boldsymbol 1 \succ 0",
        r"(u - 1)^2 \ge 0.001",
        r"(u - 1)^2 \ge 10^{-40}",
    ],
)
def test_what_vanishes_at_rest_is_not_positive(line):
    """No random point shows that; the letters and where they are 0 or 1 are told."""
    assert re.search(r", where (\w = -?[01](, )?)+$", check(line, TABLE).how)


# ---- \le that is never equal ------------------------------------------------------------------------------------------

NEVER = {
    r"x \le x + y": "x + y is nowhere equal to the side before it: write <, or try it where it is",
    r"x + y \ge x": "x is nowhere equal to the side before it: write >, or try it where it is",
    r"x < x + y \le x + 2 y": "x + 2 y is nowhere equal to the side before it: write <",
    r"u^2 \le u^2 + v^2": "",
    r"0 \le u^2 \le u^2 + v^2": "",
    r"0 \le u^2 \le u^2 + x": "u^2 + x is nowhere equal to the side before it: write <",
    r"0 \le u^2": "",
    r"u^2 \ge 0": "",
    r"|u| \ge u": "",
    r"x y \le \frac{1}{2} (x^2 + y^2)": "",  # where both are 1
    r"x < x + y": "",
    r"\boldsymbol a^\top \boldsymbol a \ge x^2": "",
    r"\boldsymbol O - \boldsymbol O \le 0": "",
    r"\frac{1}{u^2} \le \frac{1}{u^2} + u^2 + 1": r"\frac{1}{u^2} + u^2 + 1 is nowhere equal",
}


@pytest.mark.parametrize("line", NEVER)
def test_what_is_never_equal_is_strictly_less(line):
    """And the side is named."""
    grounds: list = [(Bindings(TABLE), {})]
    if not NEVER[line]:
        refuse_never_equal(parse(line), grounds)
        return
    with pytest.raises(ProofError) as caught:
        refuse_never_equal(parse(line), grounds)
    assert caught.value.at(line).sentence.startswith(NEVER[line])


def test_equal_for_one_value_of_an_index_is_equal_somewhere():
    """Or for one size."""
    table = Bindings(TABLE | {"b_*": lambda k: (k - 1) * x})
    refuse_never_equal(parse(r"b_k \ge 0"), [(table, {"k": 2}), (table, {"k": 1})])
    with pytest.raises(ProofError, match="is nowhere equal"):
        refuse_never_equal(parse(r"b_k \ge 0"), [(table, {"k": 2}), (table, {"k": 3})])


# ---- what is said, and what says nothing ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("each", "n", "found"),
    [
        (None, None, [{}]),
        ({}, None, [{}]),
        ("", 3, [{}]),
        ("k", 2, [{"k": 1}, {"k": 2}]),
        ("i k", 2, [{"i": 1, "k": 1}, {"i": 1, "k": 2}, {"i": 2, "k": 1}, {"i": 2, "k": 2}]),
        ({"k": 3}, None, [{"k": 1}, {"k": 2}, {"k": 3}]),
        ({"k": range(2, 4)}, None, [{"k": 2}, {"k": 3}]),
        (MappingProxyType({"k": 2}), None, [{"k": 1}, {"k": 2}]),
        ({"k": 1, "i": range(5, 6)}, None, [{"k": 1, "i": 5}]),
        ([{"k": 7}], None, [{"k": 7}]),
        (lambda n: [{"k": n}, {"k": n + 1}], 4, [{"k": 4}, {"k": 5}]),
        (lambda n: "k", 1, [{"k": 1}]),
    ],
)
def test_the_values_of_free_indices(each, n, found):
    """A name, a number, a range, a list, or a function of the size."""
    assert index_values(each, n) == found


@pytest.mark.parametrize(("low", "high", "side"), [(None, 2, "lower"), (1, None, "upper"), (None, None, "upper")])
def test_a_sum_without_a_bound_is_told(low, high, side):
    """No text is read as a sum without its lower bound; a tree may be made otherwise."""
    ends = [None if end is None else tree.Number(str(end)) for end in (low, high)]
    with pytest.raises(ProofError, match=f"this sum or product has no {side} bound"):
        Evaluation(Bindings())(tree.Big("sum", "i", *ends, tree.Symbol("i")))


@pytest.mark.parametrize("each", ["k", {"k": None}, {"k": 2, "i": None}, {"i": "3", "k": 2}])
def test_an_index_without_a_number_is_told(each):
    """One is enough."""
    with pytest.raises(ProofError, match="free indices need their numbers"):
        index_values(each)


@pytest.mark.parametrize(
    ("every", "told"),
    [
        ([{}], ""),
        ([{"k": 2}], "; for k = 2"),
        ([{"k": 10}, {"k": 9}, {"k": 10}], "; for k = 9, 10"),
        ([{"k": 8}, {"k": 1}], "; for k = 1, 8"),
        ([{"i": 1, "k": 2}], "; for i = 1, k = 2"),
        ([{"i": 1, "k": 2}, {"i": 3, "k": 1}], "; for (i = 1, k = 2), (i = 3, k = 1)"),
        (
            [{"i": 1, "k": k} for k in range(1, 7)],
            "; for " + ", ".join(f"(i = 1, k = {k})" for k in range(1, 7)),
        ),
        ([{"i": 1, "k": k} for k in range(7, 0, -1)], "; for i = 1, k = 1, 2, 3, 4, 5, 6, 7"),
    ],
)
def test_the_values_that_were_tried_are_told(every, told):
    """In pairs where they are few, else letter by letter, each once and in their order."""
    assert indices_in_words(every) == told


def test_a_false_claim_tells_no_more_than_what_is_false():
    """Not what would have been tried."""
    how = check("b_k = k^2 x", TABLE | {"b_*": lambda k: k * x}, {"k": 3}).how
    assert how.startswith("the sides differ") and "; for" not in how


SAYS_NOTHING = {
    r"x = x": "x stands on both sides: this says nothing",
    r"(x + y) = x + y": "x + y stands on both sides: this says nothing",
    r"x + y = ((x + y))": "x + y stands on both sides: this says nothing",
    r"x + y = \begin{bmatrix} x + y \end{bmatrix}": "x + y stands on both sides: this says nothing",
    r"y = 2 x = 2 x": "2 x stands on both sides: this says nothing",
    r"\boldsymbol c = \boldsymbol d": "both sides are bound to the same object: this proves nothing",
    "x + y": "this claims nothing: there is no relation in it",
    "x = x + 0, y": "this claims nothing: there is no relation in it",
}


# Where it is said: what stands from there on.
SAID_AT = {
    r"x = x": "x",
    r"(x + y) = x + y": "x + y",
    r"x + y = ((x + y))": "x + y))",
    r"x + y = \begin{bmatrix} x + y \end{bmatrix}": r"x + y \end{bmatrix}",
    r"y = 2 x = 2 x": "2 x",
    r"\boldsymbol c = \boldsymbol d": r"\boldsymbol d",
    "x + y": "x + y",
    "x = x + 0, y": "y",
}


@pytest.mark.parametrize("line", SAYS_NOTHING)
def test_a_claim_that_says_nothing_is_refused(line):
    """Whatever stands around it; the place is that of the side."""
    same = sp.Matrix([x, y])
    with pytest.raises(ProofError) as caught:
        check(line, Bindings({"x": x, "y": y, r"\boldsymbol c": same, r"\boldsymbol d": same}), label="eq-x")
    assert caught.value.sentence == SAYS_NOTHING[line] and caught.value.label == "eq-x"
    assert line[caught.value.place :].strip() == SAID_AT[line]


@pytest.mark.parametrize("line", ["m = l", "m = 2", "k = l", r"|x| = x", r"f = h", "x = y", "[x] = x"])
def test_two_names_of_one_number_say_something(line):
    """A letter, a number or what is not bound by itself may have two names; so may two objects that are equal."""
    table = Bindings({"x": x, "y": x, "m": 2, "l": 2, "k": sp.Integer(2), "f": x * y, "h": y * x + 0})
    if line in ("f = h",):
        table = Bindings({"f": sp.Matrix([x]), "h": sp.Matrix([x])})
    assert check(line, table)


def test_two_names_of_one_letter_say_something():
    """That they stand for the same is a claim of the table, and no object that was copied."""
    assert check("p = q", {"p": x, "q": x}).proven
    with pytest.raises(ProofError, match="bound to the same object"):
        check("p = q", dict.fromkeys("pq", x * y))


STEPS = {
    r"x + y = y + x = 2 x": "side 3 does not follow from side 2: ",
    r"x = 2 x = 3 x": "side 2 does not follow from side 1: ",
    r"\begin{aligned} x &= 2 x \\ &= 3 x \end{aligned}": "side 2 does not follow from side 1: ",
    r"\begin{aligned} x &= x + 0 \\ &= 3 x \end{aligned}": "line 2 does not follow from line 1: ",
    r"\begin{aligned} x &= x + 0 = 3 x \\ &= 1 \end{aligned}": "side 3 does not follow from side 2: ",
    r"\begin{aligned} x &= x + 0 \\ &= x + 0 + 0 \\ &= 4 x \end{aligned}": "line 3 does not follow from line 2: ",
    r"\begin{aligned} x &= \begin{cases} x & x > 0 \\ u & x \le 0 \end{cases} \\ &= 4 x \end{aligned}": "line 2 does not follow from line 1: ",
    r"x = \begin{cases} x & x > 0 \\ u & x \le 0 \end{cases} = 4 x": "side 3 does not follow from side 2: ",
    r"x = 2 x": "the sides differ",
}


@pytest.mark.parametrize("line", STEPS)
def test_the_step_that_is_false_is_named(line):
    """By its line, or by its side where both stand in one line, or not at all where there is one."""
    assert check(line, TABLE).how.startswith(STEPS[line])


def test_the_line_of_a_place():
    """The rows of what is closed before it do not count, at any depth."""
    block = r"\begin{bmatrix} a \\ \begin{bmatrix} b \\ c \end{bmatrix} \\ d \end{bmatrix}"
    text = rf"\begin{{aligned}} {block} &= 1 \\ {block} {block} &= 2 \\ &= 3 \end{{aligned}}"
    assert [line_of(text, text.index(f"= {k}")) for k in (1, 2, 3)] == [1, 2, 3]
    assert line_of(text, 0) == 1


def test_cases_meet_where_a_letter_is_what_it_is_compared_with():
    """On either side of the sign, at each sign of a chain; the value there is that of one case alone."""
    bound = TABLE | {"B": sp.Max(u, x), "C": sp.Min(sp.Max(u, -x), x)}
    assert check(r"B = \begin{cases} u & u > x \\ x & u \le x \end{cases}", bound)
    assert check(r"B = \begin{cases} u & x < u \\ x & x \ge u \end{cases}", bound)
    assert check(r"C = \begin{cases} x & u > x \\ u & -x \le u \le x \\ -x & u < -x \end{cases}", bound, points=12)
    for wrong in (
        r"B = \begin{cases} u & u > x \\ 2 x & u = x \\ x & u < x \end{cases}",
        r"|u| = \begin{cases} u & 0 < u \\ 1 & 0 = u \\ -u & 0 > u \end{cases}",  # the letter stands behind the sign
        r"|u| = \begin{cases} u & u > 0 \\ 1 & u = 0 \\ -u & u < 0 \end{cases}",
    ):
        verdict = check(wrong, bound, points=12)
        assert not verdict and verdict.how.endswith(", where one case meets the next")


def test_an_edge_is_a_point_that_may_be():
    """Where a length is compared with what may be negative, they meet at no negative length."""
    n = sp.Symbol("n", negative=True)
    for letter, values in ((x, (2, -2, 0)), (u, (2, -2, 0)), (n, (-2, 2, 0))):
        assert [may_be(letter, mpmath.mpf(k)) for k in values] == [True, letter == u, letter == u]
    for letter, sign in ((sp.Symbol("a", nonnegative=True), 1), (sp.Symbol("b", nonpositive=True), -1)):
        assert [may_be(letter, mpmath.mpf(sign * k)) for k in (2, -2, 0)] == [True, False, True]


def test_a_verdict_is_true_or_false_as_it_holds():
    """It is a value: nothing changes it."""
    good, bad = check("x + y = y + x", TABLE), check("x + y = y", TABLE)
    assert good and good.proven and not bad and not bad.proven
    with pytest.raises(AttributeError):
        good.holds = False  # type: ignore[misc]


def test_sizes_of_a_number_are_one_by_one():
    """Whatever it is bound to."""
    assert check(r"1 \in \mathbb R^{1 \times 1}", {}) and not check(r"1 \in \mathbb R^{1 \times 2}", {})
    assert check(r"\boldsymbol a \in \mathbb R^{n \times 1}", {r"\boldsymbol a": np.array([1, 2, 3]), "n": 3})


def test_a_chapter_asks_for_equality_where_it_can_be(tmp_path):
    """A proof of a relation that is never equal fails, with its place."""
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "page.py").touch()
    (tmp_path / "page.md").write_text(r"$$ x \le x + y $$ (eq-x)", encoding="utf-8")
    chapter = Chapter(tmp_path / "proofs" / "page.py")
    chapter.bind({"x": x, "y": y})
    chapter.prove("eq-x", by="algebra")
    (result,) = chapter.run()
    assert result.how.startswith("eq-x, line 1, column 7: x + y is nowhere equal to the side before it: write <")


@pytest.mark.parametrize(
    "text",
    [
        r"\sin a + \sin b = 2 \sin\frac{a+b}{2} \cos\frac{a-b}{2}",
        r"\sin\frac{a}{2}\cos\frac{a}{2} = \frac{1}{2}\sin a",
        r"\frac{d}{da} \ln(1+a^2) = \frac{2a}{1+a^2}",
        r"\frac{d}{da} \sin 2 a = 2 \cos 2 a",
        r"\frac{d}{da} \sin^2 a = 2 \sin a \cos a",
    ],
)
def test_functions_behind_fractions_and_derivatives_read_as_printed(text):
    """A function ends what the one before it acts on; a derivative acts on the one function behind it."""
    a, b = sp.symbols("a b", real=True)
    assert check(text, {"a": a, "b": b}).proven
    assert not check(text.replace("= ", "= 2 + ", 1), {"a": a, "b": b})
