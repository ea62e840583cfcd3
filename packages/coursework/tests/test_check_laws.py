"""Laws that questions share, each at its edge: what is near enough holds, what is not does not, and a mistake has its words."""

import cmath
import math

import numpy as np
import pytest

import robotdyn as rd
from coursework.check import bodies, laws, vectors

INSIDE, OUTSIDE = 0.97, 1.03  # of a tolerance: what rounding does beside them is below 1e-9 of it
NO = "No."


# ---- bodies and vectors -----------------------------------------------------------------------------------------------

LENGTHS, MASSES, COMS, INERTIAS = (0.7, 0.5), (2.0, 1.3), (0.3, 0.2), (0.11, 0.05)
Q, QD, G = [0.4, -1.1], [0.8, 1.7], 9.81


def two_bodies():
    """The links of a planar arm, as a check writes them."""

    def first(q):
        return COMS[0] * cmath.cos(q[0]), COMS[0] * cmath.sin(q[0]), q[0]

    def second(q):
        turn = q[0] + q[1]
        x = LENGTHS[0] * cmath.cos(q[0]) + COMS[1] * cmath.cos(turn)
        return x, LENGTHS[0] * cmath.sin(q[0]) + COMS[1] * cmath.sin(turn), turn

    return list(zip(MASSES, INERTIAS, (first, second)))


ARM = rd.robots.two_link(LENGTHS, MASSES, COMS, INERTIAS)


def test_a_rate_is_the_derivative_of_a_place():
    """d(x, y, angle)/dt of a point on a circle, by hand."""
    found = bodies.rate(lambda q: (2 * cmath.cos(q[0]), 2 * cmath.sin(q[0]), q[0] ** 2 + q[1]), [0.3, 5.0], [1.5, 0.25])
    expected = [-2 * math.sin(0.3) * 1.5, 2 * math.cos(0.3) * 1.5, 2 * 0.3 * 1.5 + 0.25]
    assert found == pytest.approx(expected, rel=1e-14)


def test_bodies_in_a_plane_are_those_of_the_library():
    """T, dU/dq, C qd and M qd from places alone, by d'Alembert, are those that the library's algorithms give."""
    arm, q, qd = two_bodies(), np.array(Q), np.array(QD)
    assert bodies.kinetic_energy(arm, Q, QD) == pytest.approx(rd.kinetic_energy(ARM, q, qd), rel=1e-12)
    assert bodies.weight(arm, Q, G) == pytest.approx(rd.gravity_torque(ARM, q), rel=1e-12)
    assert bodies.momentum(arm, Q, QD) == pytest.approx(rd.mass_matrix(ARM, q) @ qd, rel=1e-12)
    for size in (1e-3, 1.0, 1e3):
        rates = [size * rate for rate in QD]
        expected = rd.bias_torque(ARM, q, size * qd) - rd.gravity_torque(ARM, q)
        assert bodies.inertial_force(arm, Q, rates) == pytest.approx(
            size**2 * (rd.bias_torque(ARM, q, qd) - rd.gravity_torque(ARM, q)), rel=3e-9
        )
        assert bodies.inertial_force(arm, Q, rates) == pytest.approx(expected, rel=1e-6)
    assert bodies.inertial_force(arm, Q, [0.0, 0.0]) == pytest.approx([0.0, 0.0], abs=1e-9)
    assert bodies.axes(2) == [[1.0, 0.0], [0.0, 1.0]]


def test_the_quickest_joint_sets_the_time_of_a_difference():
    """A slow first joint beside a fast one: the force is as exact as with equal rates."""
    q, qd = np.array(Q), np.array([0.01, 500.0])
    expected = rd.bias_torque(ARM, q, qd) - rd.gravity_torque(ARM, q)
    found = bodies.inertial_force(two_bodies(), Q, [*qd])
    assert found == pytest.approx(expected, abs=1e-8 * np.max(np.abs(expected)))


def test_vectors_turn_as_rotations_do():
    """Products by their coordinates; Rodrigues' formula against the library's rotation, and along a complex step."""
    a, b = [0.3, -1.2, 2.0], [1.1, 0.4, -0.7]
    assert vectors.dot(a, b) == pytest.approx(np.dot(a, b), rel=1e-14)
    assert vectors.cross(a, b) == pytest.approx(np.cross(a, b), rel=1e-14)
    axis = np.array(a) / np.linalg.norm(a)
    cross = np.cross(np.eye(3), axis)  # of rows: e_i x axis, so its transpose turns b into axis x b
    rotation = np.eye(3) + math.sin(0.9) * cross.T + (1 - math.cos(0.9)) * cross.T @ cross.T
    if not np.allclose(cross.T @ b, np.cross(axis, b)):
        rotation = np.eye(3) + math.sin(0.9) * cross + (1 - math.cos(0.9)) * cross @ cross
    turned = vectors.turned([*axis], 0.9, b)
    assert vectors.real(turned) == pytest.approx(rotation @ b, rel=1e-13)
    (slope,) = {
        round(
            abs(
                sum(
                    (x.imag / 1e-30 - y) ** 2
                    for x, y in zip(vectors.turned([*axis], 0.9 + 1e-30j, b), np.cross(axis, rotation @ b))
                )
            ),
            12,
        )
    }
    assert slope == 0.0
    assert vectors.real([1, 2 + 3j, 0.5]) == [1.0, 2.0, 0.5]


# ---- matrices ---------------------------------------------------------------------------------------------------------


def test_a_matrix_is_symmetric_to_a_millionth_of_its_largest_entry():
    """At the edge; the pair that differs most is named, and of equals the first."""
    M = np.array([[4.0, 1.0, 2.0], [1.0, 5.0, 3.0], [2.0, 3.0, -8.0]])
    for i, j in ((0, 1), (0, 2), (1, 2)):
        off = np.zeros((3, 3))
        off[j, i] = 1.0
        for way in (1, -1):
            assert laws.symmetric(None, (), (M + way * INSIDE * 8e-6 * off).tolist()) is None
            said = laws.symmetric(None, (), (M + way * OUTSIDE * 8e-6 * off).tolist())
            assert said == f"M is not symmetric: entries ({i + 1}, {j + 1}) and ({j + 1}, {i + 1}) differ."
    skew = np.array([[0, 1, 1], [-1, 0, 1], [-1, -1, 0.0]])
    assert "(1, 2) and (2, 1)" in laws.symmetric(None, (), (M + skew).tolist())
    skew[0, 2] = 3.0
    assert "(1, 3) and (3, 1)" in laws.symmetric(None, (), (M + skew).tolist())
    assert "(1, 3) and (3, 1)" in laws.symmetric(None, (), [[1.0, 2.0, 3.0], [2.0, 1.0, 0.0], [4.0, 0.0, 1.0]])
    assert "(2, 3) and (3, 2)" in laws.symmetric(None, (), [[1.0, 2.0, 3.0], [2.5, 1.0, 0.0], [3.5, 1.0, 1.0]])
    assert "(1, 3) and (3, 1)" in laws.symmetric(None, (), [[1.0, 2.0, 3.0], [2.0, 1.0, 0.0], [3.5, 0.5, 1.0]])
    assert laws.symmetric(None, (), [[5.0]]) is None


def test_a_matrix_is_definite_where_its_eigenvalues_are_positive():
    """Those of the symmetric part, which alone has to do with the energy; a zero is not positive."""
    rng = np.random.default_rng(2)
    for n in (1, 2, 3, 4):
        for lowest in (-0.3, 0.2, 0.0):
            basis = np.linalg.qr(rng.normal(size=(n, n)))[0] if lowest else np.eye(n)
            for k in range(n):
                values = np.arange(1.0, n + 1)
                values[k] = lowest
                M = basis @ np.diag(values) @ basis.T
                skew = rng.normal(size=(n, n))
                holds = laws.definite(None, (), (M + (skew - skew.T) * (lowest != 0)).tolist()) is None
                assert holds == (lowest > 0), (n, lowest, k)
    assert laws.definite(None, (), [[1.0, 3.0], [-3.0, 1.0]]) is None
    assert "negative or no kinetic energy" in laws.definite(None, (), [[1.0, 3.0], [0.0, 1.0]])


# ---- numbers ----------------------------------------------------------------------------------------------------------


def said(found, expected, at=(), **more):
    """What is said beside the law's own sentence of numbers where others are right; None where they hold."""
    words = laws.differs(NO, at, found, expected, **more)
    assert words is None or words.startswith(NO)
    return words and words.removeprefix(NO).strip()


@pytest.mark.parametrize("tolerance", [1e-6, 1e-4, 1e-2])
def test_numbers_hold_to_the_tolerance_of_the_largest(tolerance):
    """At the edge, each entry alone and in either direction."""
    for expected in (3.0, -0.004, [2.0, -5.0, 0.1], [[1.0, 0.0], [7.0, 2.0]]):
        largest = np.max(np.abs(expected))
        for way in (1, -1):
            for place in np.ndindex(np.shape(expected)) if np.ndim(expected) else [()]:
                for size, holds in ((INSIDE, True), (OUTSIDE, False)):
                    found = np.array(expected)
                    found[place] += way * size * tolerance * largest
                    assert (said(found.tolist(), expected, tolerance=tolerance) is None) == holds
    assert (said(1.0 + INSIDE * 1e-6, 1.0), said(1.0 + OUTSIDE * 1e-6, 1.0) is None) == (None, False)
    assert said([0.0, INSIDE * 1e-15], [0.0, 0.0]) is None  # where nothing is left, a millionth of 1e-9
    assert said([0.0, OUTSIDE * 1e-15], [0.0, 0.0]) is not None
    for value in (math.nan, math.inf):
        assert said(value, value) == "" and said(1.0, value) == ""
        assert said([1.0, value], [1.0, 2.0]) is not None
        assert said([-1.0, 2.0], [1.0, value]) == ""


def test_without_words_a_law_says_its_sentence_alone():
    """For searches; and they end with the block."""
    with laws.wordless():
        assert laws.is_wordless()
        assert laws.differs(NO, (), -3.0, 3.0) == NO
        assert laws.differs(NO, (), 3.0, 3.0) is None
        assert laws.of_parts(lambda a: a, {"a": 1.0}) == {}
    assert not laws.is_wordless()
    assert laws.differs(NO, (), -3.0, 3.0) == f"{NO} It has the opposite sign."


WHOLE = [  # what is made of the right answer, and what is said of it
    (lambda x: -x, "It has the opposite sign."),
    (lambda x: 2 * x, "It is twice as large."),
    (lambda x: x / 2, "It is half as large."),
]
ONE = [
    (lambda x: 1000 * x, "It is 1000 times as large: look at the units."),
    (lambda x: x / 1000, "It is 1000 times too small: look at the units."),
    (lambda x: math.tau * x, "It is 2 pi times as large: turns or radians?"),
    (lambda x: x / math.tau, "It is 2 pi times too small: turns or radians?"),
    (math.degrees, "It is 180 / pi times as large: degrees or radians?"),
    (math.radians, "It is 180 / pi times too small: degrees or radians?"),
    (lambda x: math.copysign(1 / x, x), "It is the inverse."),
    (lambda x: math.copysign(x * x, x), "It is the square."),
    (lambda x: math.copysign(math.sqrt(abs(x)), x), "It is the root."),
]
MANY = [
    (lambda x: 1000 * x, "It is 1000 times as large: look at the units."),
    (lambda x: 1e6 * x, "It is 10^6 times as large: look at the units."),
    (lambda x: x / 1000, "It is 1000 times too small: look at the units."),
]


def test_a_slip_of_a_whole_answer_has_its_words():
    """Made by its definition, of one number, of several, of a matrix; at an unnamed state only, since one state tells little."""
    for change, words in WHOLE + ONE:
        for right in (3.7, -0.31, 52.0):
            assert said(change(right), right) == words
            assert words not in said(change(right), right, at=(0.3,))
    for change, words in WHOLE + MANY:
        for right in ([3.7, -1.0, 0.2], [[1.0, 2.0], [3.0, 4.5]]):
            found = change(np.array(right)).tolist()
            assert said(found, right) == words
            assert said(found, right, at={"q1": 0.3}) == words
            assert words not in said(found, right, at=(0.3,))
    assert said([3.0, 2.0, 1.5], [1.5, 2.0, 3.0]) == "The entries are in the other order."
    assert said([[3.0, 2.0], [1.0, 4.0]], [[4.0, 1.0], [2.0, 3.0]]) == "The entries are right, but not in their places."
    assert said([[4.0, 2.0], [1.0, 3.0]], [[4.0, 1.0], [2.0, 3.0]]) == "It is transposed."
    assert "transposed" not in said([4.0, 2.0, 1.0, 3.0], [4.0, 1.0, 2.0, 3.0])
    three = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.5]])
    assert said(three.T.tolist(), three.tolist()) == "It is transposed."
    assert said([2.0, 3.0, 1.0], [1.0, 2.0, 3.0]) == "The entries are right, but not in their places."


@pytest.mark.parametrize(("right", "named"), [(1.26, True), (1.24, False), (0.81, False), (0.79, True)])
def test_a_power_of_a_number_near_one_is_not_told(right, named):
    """All powers of it are much the same."""
    assert ("inverse" in said(right, 1 / right)) == named
    assert math.isnan(laws.powered(right, -1)) != named
    assert math.isnan(laws.powered(-right, 0.5)) != named


def test_a_power_keeps_the_sign_and_zero_has_none():
    """A negative number has the negative root of its size."""
    assert laws.powered(-4.0, 0.5) == pytest.approx(-2.0) and laws.powered(4.0, 2) == pytest.approx(16.0)
    assert math.isnan(laws.powered(0, 2)) and math.isnan(laws.powered(0.0, -1))


def test_a_place_is_told_and_what_is_wrong_with_it():
    """The entry that is farthest off; its sign; a zero that should be none."""
    assert said([1.0, 2.5, 3.1], [1.0, 2.0, 3.0]) == "Look at entry (2)."
    assert said([1.0, 2.1, 3.5], [1.0, 2.0, 3.0]) == "Look at entry (3)."
    assert said([[1.0, 2.0], [0.7, 1.0]], [[1.0, 2.0], [3.0, 1.0]]) == "Look at entry (2, 1)."
    assert said([1.0, -2.0, 3.0], [1.0, 2.0, 3.0]) == "Look at the sign of entry (2)."
    assert said([-1.0, -2.0, 3.0], [1.0, 2.0, 3.0]) == "Look at the sign of entry (2)."
    assert said([1.0, 0.0, 3.0], [1.0, 2.0, 3.0]) == "Look at entry (2), which should not be zero."
    assert said([0.0, 5.0, 3.0], [1.0, 2.0, 3.0]) == "Look at entry (2)."
    assert said([1.0, 0.0], [1.0, 2.0], at=(0.3,)) == "Look at entry (2), which should not be zero."
    assert said([1.0, math.nan], [1.0, 2.0]) == "Look at entry (1)."  # of what is no number nothing can be said
    assert said([math.nan, 2.5, 2.0], [1.0, 2.0, 3.0]) == "Look at entry (3)."
    assert (
        said([1.0 + INSIDE * 2e-6, -2.0], [1.0, 2.0]) == "Look at the sign of entry (2)."
    )  # a millionth of the largest
    assert said([1.0 - OUTSIDE * 2e-6, -2.0], [1.0, 2.0]) == "Look at entry (2)."
    assert said(5.0, 1.3) == ""


def test_what_may_have_been_rounded_is_told_so():
    """Within 6 parts in a thousand of each, or the others with fewer digits; by less than a twentieth of the largest."""
    for right, tolerance in ((2.71828, 1e-6), (-40.0, 3e-5)):
        for way in (1, -1):
            close = said(right * (1 + way * INSIDE * 6e-3), right, tolerance=tolerance)
            assert (
                close
                == f"It is close: round later, an error of {100 * tolerance:g} % is allowed; if nothing was rounded, something small is wrong."
            )
            assert said(right * (1 + way * OUTSIDE * 6e-3), right, tolerance=tolerance) == ""
    for digits in range(1, 9):
        right = 1.26 * 10.0 ** (1 - digits)
        assert "It is close" in said(round(right, digits), right), digits
    assert said(round(1.26e-8, 9), 1.26e-8) == ""
    assert said(1.3, 1.24) == "" and said(0.1, 0.14) == ""
    assert "It is close" in said([10.0, 0.05], [10.0, 0.0543])
    assert "It is close" not in said([10.0, 0.06], [10.0, 0.0543])
    assert "It is close" not in said([10.0, 0.0], [10.0, 0.4])
    assert "It is close" not in said(1.3, 1.26, at={"q1": 0.2})
    for size, close in ((INSIDE, True), (OUTSIDE, False)):  # at one state of many, by eleven tolerances
        assert (
            "It is close" in said([3.0, 2.71828 * (1 + size * 11e-4)], [3.0, 2.71828], at=(0.3,), tolerance=1e-4)
        ) == close


@pytest.mark.parametrize("power", [1, 0.5, -0.5, 2])
def test_another_g_is_told(power):
    """Which one, where what is asked for is proportional to a power of it; and where it is not nothing is said of g."""
    for g in (9.8, 9.80665, 10.0):
        found = 4.2 * (g / 9.81) ** power
        if abs(found / 4.2 - 1) <= 0.02:
            assert f"g = {g:g} gives it, and g is 9.81 m/s^2 here" in said(found, 4.2, power_of_g=power)
        assert "g = " not in said(found, 4.2)
    assert "g = " not in said(4.2 * (10.2 / 9.81) ** power, 4.2, power_of_g=power)
    assert said(4.25, 4.2 + 1e-4, power_of_g=power, tolerance=1e-6) == ""
    assert said(1 / 1.26, 1.26, power_of_g=power) == "It is the inverse."
    assert said(1.0197, 1.0, power_of_g=1, at=(0.3,)) == ""
    apart = (9.8 / 9.81) ** power - 1  # by 0.3 of this is no such g, also where a law lets it be off by more
    assert "g = " not in said(4.2 * (1 + 1.3 * apart), 4.2, power_of_g=power, tolerance=0.9 * abs(apart))


def test_typical_mistakes_come_first_and_only_where_they_tell():
    """A mistake that is within 1 % of what is right tells nothing; two that give the same are both said, of more the first two."""
    wrong = {"One.": 3.0, "Two.": 3.0, "Three.": 3.0, "Four.": 5.0}
    assert said(3.0, 1.7, wrong=wrong) == "One. Or: Two."
    assert said(5.0, 1.7, wrong=wrong) == "Four."
    assert said(-1.7, 1.7, wrong={"Turned.": -1.7}) == "Turned."
    assert said([2.0, 1.0103], [2.0, 1.0], wrong={"Slip.": [2.0, 1.0103]}) != "Slip."
    assert said([2.0, 1.0206], [2.0, 1.0], wrong={"Slip.": [2.0, 1.0206]}) == "Slip."
    assert said([2.0, 1.0194], [2.0, 1.0], wrong={"Slip.": [2.0, 1.0194]}) != "Slip."
    assert said([3.0, 0.25], [2.0, 0.25], wrong={"Slip.": [3.0, 0.25]}) == "Slip."


@pytest.mark.parametrize(
    ("found", "tolerance", "named"),
    [
        (2.0194, 1e-2, True),  # few digits: by the tolerance
        (2.0206, 1e-2, False),
        (2.00095001, 1e-2, True),  # many: by a twentieth of it
        (2.00105001, 1e-2, False),
        (2.00000195, 1e-6, True),  # at least a millionth
        (2.00000205, 1e-6, False),
        (1.9805, 1e-2, True),
    ],
)
def test_a_number_in_full_is_that_of_a_mistake_or_is_not(found, tolerance, named):
    """One with four digits may have been rounded; one with more is seldom near by chance."""
    assert (said(found, 7.1, tolerance=tolerance, wrong={"Slip.": 2.0}) == "Slip.") == named


def test_each_part_of_what_is_expected_may_be_lost_turned_doubled_or_halved():
    """By definition of the words; what cannot be computed with is left out."""
    wrong = laws.of_parts(lambda a, b: 10 * a + b, {"a": 2.0, "b": 3.0})
    for name, values in (("a", (3.0, -17.0, 43.0, 13.0)), ("b", (20.0, 17.0, 26.0, 21.5))):
        for words, value in zip(("is missing", "has the opposite sign", "counts twice", "counts half"), values):
            assert wrong[f"{name} {words}."] == pytest.approx(value)
    assert len(wrong) == 8
    divided = laws.of_parts(lambda a, b: math.sqrt(b) / a, {"a": 1.0, "b": 1.0})
    assert set(divided) == {
        "a has the opposite sign.", "a counts twice.", "a counts half.", "b is missing.", "b counts twice.", "b counts half.",
    }  # fmt: skip


# ---- roots ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("residual", [lambda x: x * x - 2, lambda x: 2 - x * x, lambda x: 1e-200 * (x * x - 2)])
def test_a_root_is_where_a_residual_changes_its_sign(residual):
    """Within the tolerance on both sides; a size that underflows in a product does no harm."""
    root, tolerance = math.sqrt(2), 1e-4
    of = lambda x, **more: laws.is_no_root(NO, x, residual, tolerance, **more)
    for way in (1, -1):
        assert of(root * (1 + way * INSIDE * tolerance)) is None
        assert of(root * (1 + way * OUTSIDE * tolerance)) is not None
        close = f"{NO} It is close: round later, an error of 0.01 % is allowed; if nothing was rounded, something small is wrong."
        assert of(root * (1 + way * INSIDE * 6e-3)) == close
        assert of(root * (1 + way * OUTSIDE * 6e-3)) == NO
    for x in (0.0, -root):
        assert of(x) == f"{NO} A positive one is asked for."
    assert "It is close" in of(1.42) and "It is close" in of(1.427) and of(1.4271) == NO and of(1.45) == NO
    for g in (9.8, 9.80665, 10.0):
        assert f"g = {g:g} gives it" in of(root * math.sqrt(g / 9.81))
    slips = {"Twice.": lambda x: x / 2, "Once more.": lambda x: x / 2, "Degrees.": math.radians}
    assert of(2 * root, slips=slips) == f"{NO} Twice."
    assert of(math.degrees(root), slips=slips) == f"{NO} Degrees."
    assert of(root * 1.004, slips={"Near.": lambda x: x / 1.004}) == f"{NO} Near."


# ---- plots ------------------------------------------------------------------------------------------------------------

LOW, HIGH, TOLERANCE = 0.5, 2.5, 0.01
CURVE = lambda x: 2 + np.exp(x / 2) * np.sin(3 * x)  # neither even nor odd, no zero at an end
ALONG = np.linspace(LOW, HIGH, 101)


def line(x, y):
    """A line of a plot, as DATA."""
    return {name: {"shape": [len(one)], "numbers": [float(a) for a in one]} for name, one in (("x", x), ("y", y))}


def plot(*lines, xlabel="time (s)", ylabel="angle (rad)"):
    """A plot of lines (x, y), as DATA."""
    return {"curves": [line(*one) for one in lines], "xlabel": xlabel, "ylabel": ylabel}


def of_plot(*lines, low=LOW, high=HIGH, curve=CURVE, tolerance=TOLERANCE, wrong=None, units=("", ""), **labels):
    """What is said of a plot; None where it holds."""
    return laws.is_no_plot(NO, plot(*lines, **labels), low, high, curve, tolerance, wrong, units)


def of_line(x, y, **more):
    """What is said of a plot of one line beside the law's own sentence."""
    words = of_plot((x, y), **more)
    return words and words.removeprefix(NO).strip()


def test_a_line_holds_to_its_tolerance():
    """At the edge, at any one point, to either side."""
    for k in (0, 37, 100):
        for way in (1, -1):
            for size, holds in ((INSIDE, True), (OUTSIDE, False)):
                y = CURVE(ALONG)
                y[k] += way * size * TOLERANCE
                assert (of_line(ALONG, y) is None) == holds
    assert of_line(ALONG[::-1], CURVE(ALONG)[::-1]) is None  # drawn from the right to the left
    assert of_line([*ALONG, 2.9, 0.1], [*CURVE(ALONG), 99.0, -99.0]) is None  # what lies beyond is not asked for
    with laws.wordless():
        assert of_plot((ALONG, 2 * CURVE(ALONG))) == NO


def test_a_line_has_its_range_and_twenty_points():
    """Two parts in a hundred of the range may be missing at an end; no gap is wider than 15."""
    width = HIGH - LOW
    for left, right, holds in ((0.019, 0, True), (0.021, 0, False), (0, 0.019, True), (0, 0.021, False)):
        x = np.linspace(LOW + left * width, HIGH - right * width, 90)
        words = of_line(x, CURVE(x))
        assert (
            words is None
            if holds
            else words.endswith(f"with at least 20 points: it runs from {x[0]:.3g} to {x[-1]:.3g}.")
        )
    for count, holds in ((20, True), (19, False)):
        x = np.linspace(LOW, HIGH, count)
        words = of_line(x, CURVE(x))
        assert (
            words is None
            if holds
            else words == "The line should run from 0.5 to 2.5, with at least 20 points: 19 points."
        )
    for gap, holds in ((0.149, True), (0.151, False)):
        for x in (
            [*np.linspace(0, 0.4, 30), *np.linspace(0.4 + gap, 1, 30)],
            [-0.2, *np.linspace(gap, 1, 30)],  # what lies beyond the range makes it long enough
            [*np.linspace(0, 1 - gap, 30), 1.2],
        ):
            x = LOW + width * np.array(x)
            words = of_line(x, CURVE(x))
            assert (words is None) == holds, (gap, words)
    words = of_line(x := LOW + width * np.array([*np.linspace(0, 0.4, 30), *np.linspace(0.6, 1, 30)]), CURVE(x))
    assert words == "The line should have points all along from 0.5 to 2.5: from 1.3 to 1.7 it has none."
    assert "all along from 0.5 to 2.5: from 0.5 to 2.5" in of_line([0.0] * 10 + [3.0] * 10, [0.0] * 20)


def test_axes_that_are_exchanged_and_units_of_the_x_axis_are_told():
    """A line that runs along y; seconds in milliseconds, angles in degrees or turns."""
    assert (
        of_line(CURVE(ALONG), ALONG)
        == "The line should run from 0.5 to 2.5 along the x axis, and does so along y: are the axes exchanged?"
    )
    flat = LOW + 0.1 * (CURVE(ALONG) - CURVE(ALONG).min())  # that begins where the range does, as many curves do at 0
    assert "are the axes exchanged?" in of_line(flat, ALONG)
    for factor in (math.tau, math.degrees(1), 1000.0):
        for scale in (factor, 1 / factor):
            words = of_line(scale * ALONG, CURVE(ALONG))
            assert (
                words
                == f"The line should run from 0.5 to 2.5, not to {scale * HIGH:.3g}: look at the unit of the x axis."
            )
    for factor, told in ((20.2, True), (19.8, False)):
        x = np.linspace(LOW, factor * HIGH, 99)
        assert ("look at the unit of the x axis" in (of_line(x, CURVE(x)) or "")) == told
    x = np.linspace(-3.0, 1.0, 99)
    assert of_line(x, np.cos(x), low=-3.0, high=1.0, curve=np.cos) is None
    assert "unit of the x axis" in of_line([-61.0, *x], [0.0, *np.cos(x)], low=-3.0, high=1.0, curve=np.cos)
    assert of_line([-59.0, *x], [0.0, *np.cos(x)], low=-3.0, high=1.0, curve=np.cos) is None


def test_any_line_may_be_the_right_one_and_three_may_be_long():
    """A fourth that runs over the whole range is a guess; short ones, and ones of a few points, are marks."""
    right, other = (ALONG, CURVE(ALONG)), (ALONG, 0 * ALONG)
    assert of_plot(other, right, other) is None
    assert (
        of_plot(other, right, other, other)
        == "4 lines run over the whole range: draw the one that is asked for, and at most two others."
    )
    few = np.linspace(LOW, HIGH, 19)
    assert of_plot(other, right, other, (few, few)) is None
    width = HIGH - LOW
    for left, right_end in ((0.11, 0.0), (0.0, 0.11)):
        x = np.linspace(LOW + left * width, HIGH - right_end * width, 50)
        assert of_plot(other, right, other, (x, x)) is None
    x = np.linspace(LOW + 0.09 * width, HIGH - 0.09 * width, 20)
    assert "4 lines" in of_plot(other, right, other, (x, x))
    assert of_plot() == "The plot has no line: draw it with ax.plot."


def test_of_several_wrong_lines_the_one_that_was_meant_is_spoken_of():
    """One along the whole range before a mark; one whose x axis has another unit before any."""
    mark, high, degrees = ([1.0, 1.0], [0.0, 1.0]), (ALONG, CURVE(ALONG) + 1), (np.degrees(ALONG), CURVE(ALONG))
    for lines in ((mark, high), (high, mark)):
        assert "shifted up or down" in of_plot(*lines)
    for lines in ((mark, high, degrees), (degrees, high, mark)):
        assert "look at the unit of the x axis" in of_plot(*lines)


def test_axes_have_words_and_their_units():
    """Some, at both; and those of each unit in the ways that it is written."""
    right = (ALONG, CURVE(ALONG))
    for labels in ({"xlabel": ""}, {"ylabel": " "}, {"xlabel": "", "ylabel": ""}):
        assert of_plot(right, **labels) == "Words are missing at an axis: say the quantity and its unit."
    written = {
        "rad": ("rad", "angle in radians", "one radian", "q / rad", "Radians", "RAD"),
        "s": ("t / s", "sec", "seconds", "one second", "time (s)", "Seconds", "time t/s", "Sec."),
        "rad/s": ("rad/s", "rad per s", "radians per second", r"rad s$^{-1}$", "1/s", "1 / s", "rad/sec", "Rad/s", "s^-1", "s⁻¹", "rad s-1", r"\frac{rad}{s}", "rad·s⁻¹"),
        "°": ("°", "deg", "degrees", "one degree", r"$^\circ$"),
        "kg": ("m / kg", "kilogram", "kilograms", "Kg"),
        "N m": ("N m", "Nm", "N·m", "N⋅m", "N*m", r"N\,m", "newton meters", "newton-metre", "Newton meter".lower(), "N.m",
                r"N\cdot m", "Newton-metres", "N-m", "N∙m", r"\mathrm{N}\cdot\mathrm{m}", r"\tau_1 [Nm]"),
    }  # fmt: skip
    for unit, ways in written.items():
        for words in ways:
            assert of_plot(right, xlabel=words, units=(unit, "")) is None, (unit, words)
            assert of_plot(right, ylabel=f"${words}$", units=("", unit)) is None, (unit, words)
    for unit, words in (("rad", "grade"), ("s", "time"), ("rad/s", "rad"), ("rad/s", "s"), ("°", "angle"), ("kg", "mass"), ("N m", "N"), ("N m", "Nmm")):  # fmt: skip
        for axis, units in (("x", (unit, "")), ("y", ("", unit))):
            other = {"x": "ylabel", "y": "xlabel"}[axis]
            words_of = of_plot(right, units=units, **{f"{axis}label": words, other: "no unit"})
            assert words_of == f"The words at the {axis} axis do not name its unit, {unit}."
    exchanged = of_plot(right, xlabel="torque (N m)", ylabel="angle (rad)", units=("rad", "N m"))
    assert exchanged == "The words at the x axis do not name its unit, rad: are they those of the other axis?"
    assert of_plot(right, ylabel=r"$\mathrm{N\,m}$", units=("", "N m")) is None


def test_a_plot_may_be_in_a_multiple_of_a_unit_if_its_words_say_so():
    """Numbers in kN m, at an axis with kN m or kNm, are those in N m; numbers in N m are not."""
    small, right = (ALONG, CURVE(ALONG) / 1000), (ALONG, CURVE(ALONG))
    for words in ("torque (kN m)", "kNm", r"$\tau$ / kN$\,$m"):
        assert of_plot(small, ylabel=words, units=("", "N m")) is None, words
        assert of_plot(right, ylabel=words, units=("", "N m")) is not None, words
    assert of_plot((ALONG * 1000, CURVE(ALONG)), xlabel="t [ms]", units=("s", "")) is None


def test_a_line_of_a_typical_mistake_is_named():
    """Within a quarter of the tolerance, more where it is higher than the right one; two alike are both said."""
    wrong = {
        "One.": lambda x: 0 * x + 1,
        "Two.": lambda x: 0 * x + 1,
        "Three.": lambda x: 0 * x + 1,
        "High.": lambda x: 10 * CURVE(x),
    }
    level = 0 * ALONG + 1
    assert of_line(ALONG, level, wrong=wrong) == "One. Or: Two."
    for size, named in ((INSIDE, True), (OUTSIDE, False)):
        assert ("One." in of_line(ALONG, level + size * TOLERANCE / 4 * (ALONG == 2.5), wrong=wrong)) == named
        high = 10 * CURVE(ALONG) + size * 10 * TOLERANCE / 4 * (ALONG == 0.5)
        assert (of_line(ALONG, high, wrong=wrong) == "High.") == named


def test_a_line_that_leaves_late_is_right_until_there():
    """From three tenths of the range on: where it begins to be off is told."""
    width = HIGH - LOW
    for share, told in ((0.27, False), (0.33, True)):
        x = ALONG[LOW + share * width < ALONG][0]
        words = of_line(ALONG, CURVE(ALONG) + 5 * (x <= ALONG) * (ALONG - x + 0.1))
        assert words.startswith(f"It is right up to x = {x:.3g}, and leaves slowly") == told
        assert words.startswith("It is right up to x") == told


def test_what_is_the_matter_with_a_whole_line_is_told():
    """Height, sign, shift, direction and rate, each made by its definition."""
    height = "It has the right shape, but another height"
    for factor in (1.7, 0.3, 1.05):
        assert of_line(ALONG, factor * CURVE(ALONG)) == f"{height}: a factor is wrong everywhere alike."
        assert (
            of_line(ALONG, -factor * CURVE(ALONG))
            == f"{height}, and the opposite sign: a factor is wrong everywhere alike."
        )
    for shift in (0.5, -0.5):
        assert (
            of_line(ALONG, CURVE(ALONG) + shift)
            == "It has the right shape, but is shifted up or down: by a term that is the same everywhere."
        )
        assert of_line(ALONG, 1.007 * CURVE(ALONG) + shift).endswith("by a term that is the same everywhere.")
        assert of_line(ALONG, 1.013 * CURVE(ALONG) + shift).endswith("a factor and a term are wrong.")
        assert (
            of_line(ALONG, 1.7 * CURVE(ALONG) + shift)
            == f"{height}, and is shifted up or down: a factor and a term are wrong."
        )
    assert of_line(ALONG, CURVE(ALONG)[::-1]) == "It runs the wrong way along the x axis."
    for rate in (1.3, 2.2, 3.5):
        slowly, fast = CURVE(LOW + (ALONG - LOW) / rate), CURVE(LOW + (ALONG - LOW) * rate)
        assert (
            of_line(ALONG, slowly, tolerance=0.05)
            == "It has the right shape, but runs too slowly along the x axis: what sets its rate?"
        )
        if rate < 2:
            assert (
                of_line(ALONG, fast, tolerance=0.05)
                == "It has the right shape, but runs too fast along the x axis: what sets its rate?"
            )
    assert "its rate" not in of_line(ALONG, CURVE(LOW + (ALONG - LOW) / 6), tolerance=0.05)
    level = of_line(ALONG, 0 * ALONG + 1.0)
    assert "right shape" not in level and "its rate" not in level


def test_a_line_of_no_known_kind_is_told_where_it_is_farthest_off():
    """Where it begins, too high or too low, and where it is farthest away."""
    bump = lambda at, size: size * np.exp(-(((ALONG - at) / 0.3) ** 2))
    for size, word in ((1.0, "high"), (-1.0, "low")):
        early = of_line(ALONG, CURVE(ALONG) + bump(0.5, size))
        assert early == f"It begins too {word}, at x = 0.5."
        words = of_line(ALONG, CURVE(ALONG) + size * (0.3 * (ALONG == 0.5) + 3 * (abs(ALONG - 2.0) < 1e-9)))
        assert words == f"It begins too {word}, at x = 0.5. It is farthest away at x = 2, where it is too {word}."
        middle = of_line(ALONG, CURVE(ALONG) + bump(0.9, size) * (ALONG > LOW))
        assert middle == f"It begins at the right height, and is farthest away at x = 0.9, where it is too {word}."
    words = of_line(ALONG, CURVE(ALONG) + 0.3 * (ALONG == 0.5) - 3 * (abs(ALONG - 2.0) < 1e-9))
    assert words == "It begins too high, at x = 0.5. It is farthest away at x = 2, where it is too low."
    largest = np.max(np.abs(CURVE(ALONG)))
    for size, begins in ((0.019, False), (0.021, True)):
        words = of_line(ALONG, CURVE(ALONG) + largest * (size * (ALONG == 0.5) + 0.5 * (abs(ALONG - 0.8) < 1e-9)))
        assert words.startswith("It begins too high") == begins


# ---- laws made for a question ------------------------------------------------------------------------------------------


def test_a_prediction_is_one_of_the_numbers():
    """Whichever; nothing else is."""
    law = laws.chosen(3)
    assert [law(None, (), k) for k in (1, 2, 3, 2.0)] == [None] * 4
    for wrong in (0, 4, 1.5, -1):
        assert law(None, (), wrong) == "Choose one of the numbers from 1 to 3."


def test_a_mass_matrix_gives_the_energy_of_the_bodies():
    """1/2 qd . M qd, to a millionth; which joint is wrong already where it moves alone."""
    law = laws.energy_of(lambda p, at: (two_bodies(), Q, G))
    M = rd.mass_matrix(ARM, np.array(Q))
    for size, holds in ((INSIDE, True), (-INSIDE, True), (OUTSIDE, False), (-OUTSIDE, False)):
        assert (law(None, {}, (M * (1 + size * 1e-6)).tolist()) is None) == holds
    for (i, j), words in {(0, 0): "already where joint 1 moves alone", (1, 1): "already where joint 2 moves alone", (0, 1): "where the joints move together", (1, 0): "where the joints move together"}.items():  # fmt: skip
        wrong = M.copy()
        wrong[i, j] *= 2
        assert words in law(None, {}, wrong.tolist())
    alone = law(None, {}, np.diag(np.diag(M)).tolist())
    assert alone.slip == "What stands off the diagonal is zero: do the joints not feel each other?"
    still = laws.energy_of(lambda p, at: ([(0.0, 0.0, lambda q: (0.0, 0.0, q[0]))], [0.3], G))
    assert still(None, {}, [[0.0]]) is None and still(None, {}, [[INSIDE * 2e-15]]) is None
    assert still(None, {}, [[OUTSIDE * 2e-15]]) is not None


def test_a_weight_is_the_gradient_of_the_potential_energy():
    """To a hundred thousandth of the largest."""
    law = laws.gradient_of_potential(lambda p, at: (two_bodies(), Q, G))
    weight = rd.gravity_torque(ARM, np.array(Q))
    for size, holds in ((INSIDE, True), (-INSIDE, True), (OUTSIDE, False), (-OUTSIDE, False)):
        assert (law(None, {}, (weight * (1 + size * 1e-5)).tolist()) is None) == holds
    assert law(None, {}, (-weight).tolist()) == "At rest the torque should equal dU/dq. It has the opposite sign."
