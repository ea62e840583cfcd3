"""Each slip that a check knows: made by its definition, taken back by the change that has its words, and told in them."""

import itertools
import math
import operator
from functools import partial

import numpy as np
import pytest

from coursework.check import changed_back, formula_changes, formula_slips, input_changes, laws, mistakes, plain, slips
from coursework.check.agreement import random_points, sampled
from coursework.check.data import as_data
from coursework.check.diagnosis import Phrase, Said
from coursework.check.parameters import Parameters
from coursework.check.plain import Values
from coursework.check.question import Question
from coursework.check.reading import evaluate, read
from coursework.lazy_numpy import quiet

NUMBERS = Parameters()


def law_of(right, tolerance=1e-6):
    """A law that an answer should be this, or, of a function of the arguments, be what it gives."""

    def law(p, at, value):
        return laws.differs("Another one is right.", at, value, right(p, at) if callable(right) else right, tolerance)

    return law


def told(wrong, right, p=NUMBERS, tolerance=1e-6, **more):
    """What is told of an answer that is one value, where another is right."""
    spec = Question("", laws=(law_of(right, tolerance),), tolerance=tolerance, **more)
    return slips.find_mistake(spec, p, [((), wrong)])


# ---- a number ---------------------------------------------------------------------------------------------------------

FACTORS = [
    (-1, "It has the opposite sign."), (2, "It is twice as large."), (0.5, "It is half as large."), (4, "It is four times as large."), (0.25, "It is a quarter."),
    (1000, "It is 1000 times as large: look at the units."), (1e-3, "It is 1000 times too small: look at the units."), (1e6, "It is 10^6 times as large: look at the units."),
    (math.tau, "It is 2 pi times as large: turns or radians?"), (1 / math.tau, "It is 2 pi times too small: turns or radians?"), (math.tau**2, "It is (2 pi)^2 times as large: turns or radians?"), (math.tau**-2, "It is (2 pi)^2 times too small: turns or radians?"),
    (math.pi, "It is pi times as large: turns or radians?"), (1 / math.pi, "It is pi times too small: turns or radians?"), (180 / math.pi, "It is 180 / pi times as large: degrees or radians?"), (math.pi / 180, "It is 180 / pi times too small: degrees or radians?"),
    (30 / math.pi, "It is 60 / (2 pi) times as large: turns a minute, or rad/s?"), (9.81, "It is g times as large."), (1 / 9.81, "It is g times too small: is g missing?"), (10 / 9.81, "It is that of g = 10, and g is 9.81 m/s^2 here."), (9.8 / 9.81, "It is that of g = 9.8, and g is 9.81 m/s^2 here."),
    (2**0.5, "It is as large as with a factor 2 too many under a root."), (0.5**0.5, "It is as large as with a factor 2 too few under a root."), (9.81**0.5, "It is larger by the root of g."), (9.81**-0.5, "It is smaller by the root of g: is g missing under a root?"),
]  # fmt: skip
OF_ONE = [  # what is made of the right number
    (lambda x: 1 / x, "It is the inverse."),
    (lambda x: x * x, "It is the square."),
    (math.sqrt, "It is the root."),
    (lambda x: x**-0.5, "It is the root of the inverse."),
    (lambda x: x**-2, "It is the square of the inverse."),
    (lambda x: math.tau / x, "A period stands for a rate in rad/s, or the other way around."),
    (lambda x: math.pi / x, "Half a period stands for a rate in rad/s, or the other way around."),
    (lambda x: x - 1, "It is one too few."),
    (lambda x: x + 1, "It is one too many."),
    (lambda x: x + math.pi / 2, "It is off by a quarter of a turn: from which axis does it count?"),
    (lambda x: x - math.pi / 2, "It is off by a quarter of a turn, backward: from which axis does it count?"),
    (lambda x: math.pi / 2 - x, "It is the other acute angle of a right triangle: sine or cosine?"),
    (lambda x: math.pi - x, "It is what is left to half a turn."),
]
WAVES = [  # of an angle
    (math.tan, "It is the tangent of what is asked for: is an arctangent missing?"), (math.sin, "It is the sine of what is asked for: is an arcsine missing?"), (math.cos, "It is the cosine of what is asked for: is an arccosine missing?"),
]  # fmt: skip


@pytest.mark.parametrize(("slip", "words"), [*((partial(operator.mul, f), words) for f, words in FACTORS), *OF_ONE])
def test_a_slip_of_a_number_has_its_words(slip, words):
    """By the law alone, to a millionth; one that differs by a ten thousandth is no slip."""
    right = 3.71828
    assert told(slip(right), right) == words
    assert told(slip(right) * 1.0001, right) is None


@pytest.mark.parametrize(("wave", "words"), WAVES)
def test_a_wave_of_an_angle_in_its_place_has_its_words(wave, words):
    """Of an angle within a quarter of a turn, which the wave gives back."""
    assert told(wave(0.71828), 0.71828) == words
    assert told(wave(0.71828) * 1.0001, 0.71828) is None


def test_one_entry_of_a_dict_is_told_by_its_name():
    """Numbers and lists in it alike."""
    right = {"a": 3.71828, "b": np.array([1.2, -0.7, 2.6])}

    def law(p, at, value):
        return None if all(np.max(np.abs(value[name] - one)) < 1e-6 for name, one in right.items()) else "No."

    spec = Question("", laws=(law,), shape=None)
    for name, slip, words in (
        ("a", lambda x: 2 * x, "The entry a is twice as large."), ("b", lambda x: -x, "The entry b has the opposite sign."), ("a", lambda x: math.pi - x, "The entry a is what is left to half a turn."),
        ("b", lambda x: x[::-1], "The entries are in the other order."), ("b", lambda x: 1000 * x, "The entry b is 1000 times as large: look at the units."),
    ):  # fmt: skip
        assert slips.find_mistake(spec, NUMBERS, [((), {**right, name: slip(right[name])})]) == words


# ---- several numbers --------------------------------------------------------------------------------------------------

LIST = [1.3, -0.7, 2.6, 5.9]
GRID = [[1.3, -0.7, 2.1], [0.4, 5.9, -3.2], [2.8, 0.9, 4.6]]
ROWS = [[1.3, -0.7, 2.1], [0.4, 5.9, -3.2]]


def with_entries(value, factors):
    """A list or grid with entries, by their places, times factors."""
    changed = np.array(value, dtype=float)
    for place, factor in factors.items():
        changed[place] *= factor
    return changed.tolist()


def swapped(value, axis, i, j):
    """Two rows (axis 0) or columns (axis 1) of a grid exchanged."""
    order = [*range(np.shape(value)[axis])]
    order[i], order[j] = j, i
    return np.take(value, order, axis).tolist()


SEVERAL = [  # right, what is made of it, what is said
    *((LIST, (f * np.array(LIST)).tolist(), words) for f, words in FACTORS),
    *((GRID, (f * np.array(GRID)).tolist(), words) for f, words in FACTORS[:6]),
    (LIST, LIST[::-1], "The entries are in the other order."), (LIST, np.cumsum(LIST).tolist(), "Each entry would be right less the one before it: does that count twice?"),
    (LIST, np.diff(LIST, prepend=0).tolist(), "Each entry would be right with those before it added: are they missing, or subtracted?"),
    (LIST, np.cumsum(LIST[::-1])[::-1].tolist(), "Each entry would be right less the one after it: does that count twice?"),
    (LIST, (-np.diff(LIST, append=0)).tolist(), "Each entry would be right with those after it added: are they missing, or subtracted?"),
    (LIST, [LIST[-1], *LIST[:-1]], "It is as if each entry was in the next one's place."), (LIST, [*LIST[1:], LIST[0]], "It is as if each entry was in the place of the one before."),
    *((LIST, with_entries(LIST, {k: f}), f"Entry ({k + 1}) {words}.") for k in range(4) for f, words in ((-1, "has the opposite sign"), (2, "is twice as large"), (0.5, "is half as large"))),
    *((LIST, with_entries(LIST, {k: f}), f"Entry ({k + 1}) {words.removeprefix('It ')}") for k in (0, 3) for f, words in FACTORS[3:]),
    *((LIST, with_entries(LIST, {i: f, j: f}), f"Entry ({i + 1}) and entry ({j + 1}) {words}.") for i, j in itertools.combinations(range(4), 2) for f, words in ((-1, "have the opposite sign"), (2, "are twice as large"), (0.5, "are half as large"))),
    *((LIST, [LIST[{i: j, j: i}.get(k, k)] for k in range(4)], f"Entry ({i + 1}) and entry ({j + 1}) are exchanged.") for i, j in ((0, 1), (0, 2), (1, 3))),
    ([1.3, -0.7], [-0.7, 1.3], "The entries are in the other order."), ([1.3, -0.7], [1.3, 0.7], "Entry (2) has the opposite sign."),
    (GRID, np.transpose(GRID).tolist(), "It is transposed."), (GRID, GRID[::-1], "The rows are in the other order."), (GRID, [row[::-1] for row in GRID], "The columns are in the other order."), (ROWS, [row[::-1] for row in ROWS], "The columns are in the other order."),
    *((GRID, (np.array(GRID) * (f + (1 - f) * np.eye(3))).tolist(), f"What stands off the diagonal {words}.") for f, words in ((-1, "has the opposite sign"), (2, "is twice as large"), (0.5, "is half as large"))),
    (GRID, (np.array(GRID) * (1 / 9.81 + (1 - 1 / 9.81) * np.eye(3))).tolist(), "What stands off the diagonal is g times too small: is g missing?."),
    *((GRID, with_entries(GRID, {i: f}), f"Row {i + 1} {words}.") for i in range(3) for f, words in ((-1, "has the opposite sign"), (2, "is twice as large"), (0.5, "is half as large"))),
    *((GRID, np.transpose(with_entries(np.transpose(GRID), {i: f})).tolist(), f"Column {i + 1} {words}.") for i in range(3) for f, words in ((-1, "has the opposite sign"), (2, "is twice as large"), (0.5, "is half as large"))),
    (ROWS, np.transpose(with_entries(np.transpose(ROWS), {2: 2})).tolist(), "Column 3 is twice as large."), (ROWS, with_entries(ROWS, {1: 2}), "Row 2 is twice as large."),
    (GRID, swapped(GRID, 0, 0, 1), "Rows 1 and 2 are exchanged."), (GRID, swapped(GRID, 0, 1, 2), "Rows 2 and 3 are exchanged."), (GRID, swapped(GRID, 1, 0, 1), "Columns 1 and 2 are exchanged."), (GRID, swapped(GRID, 1, 1, 2), "Columns 2 and 3 are exchanged."), (ROWS, swapped(ROWS, 1, 0, 1), "Columns 1 and 2 are exchanged."),
    (GRID, with_entries(GRID, {(1, 2): -1}), "Entry (2, 3) has the opposite sign."), (GRID, with_entries(GRID, {(2, 0): 1000}), "Entry (3, 1) is 1000 times as large: look at the units."),
    ([[2.0, 3.0], [3.0, 7.0]], [[2.0, 3.0], [5.3, 7.0]], "One entry of two that should be equal is right, that above the diagonal."), ([[2.0, 3.0], [3.0, 7.0]], [[2.0, 5.3], [3.0, 7.0]], "One entry of two that should be equal is right, that below the diagonal."),
]  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "words"), SEVERAL)
def test_a_slip_of_several_numbers_has_its_words(right, wrong, words):
    """By the law alone; the same with an entry that is off beside it is no slip of that kind."""
    found = told(wrong, right)
    assert found == words.replace("?.", "?") or found == words
    spoiled = np.array(wrong)
    spoiled.flat[0] *= 1.0123
    assert told(spoiled.tolist(), right) != words


def test_no_entry_of_a_long_list_is_tried_alone():
    """Twelve are few."""
    for n, named in ((12, True), (13, False)):
        right = [1.0 + 0.37 * k for k in range(n)]
        words = told(with_entries(right, {n - 1: -1}), right)
        assert words == (f"Entry ({n}) has the opposite sign." if named else None)


def test_entries_that_are_exchanged_tell_nothing_of_a_design():
    """Many designs are right."""
    right = [[1.0, 2.0], [3.0, 4.0]]
    wrong = [[1.0, 3.0], [2.0, 4.0]]
    assert told(wrong, right) == "It is transposed."
    wrong = [[4.0, 2.0], [3.0, 1.0]]
    assert "exchanged" in told(wrong, right) and told(wrong, right, judged="laws") is None
    assert told([2.0, 6.0], [1.0, 3.0], judged="laws") == "It is twice as large."


# ---- a plot -----------------------------------------------------------------------------------------------------------

X = np.linspace(0.0, 2.0, 21)


def height(x):
    """A curve that is like no other of its kind."""
    return 1.7 + np.sin(2.3 * x) + 0.4 * x


def drawn(x, y):
    """A plot of one line as DATA."""
    return {"curves": [{"x": as_data(x), "y": as_data(y)}], "xlabel": "t", "ylabel": "q"}


def plot_law(p, at, value):
    """The line is the curve."""
    x, y = (np.array(value["curves"][0][axis]["numbers"]) for axis in "xy")
    right = abs(y - height(x)).max() < 1e-6 and abs(x[-1] - 2.0) < 1e-6
    return None if right else "No."


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        *((X, f * height(X), words.replace("It", "The height of the line", 1)) for f, words in FACTORS), *((f * X, height(X), words.replace("It", "What stands at the x axis", 1)) for f, words in FACTORS[1:]),
        (X, height(X) + math.pi / 2, "The height of the line is off by a quarter of a turn: from where does it count?"), (X, height(X) - math.pi / 2, "The height of the line is off by a quarter of a turn, backward: from where does it count?"),
        (X, height(X) + math.pi, "The height of the line is off by half a turn: from where does it count?"),
    ],
)  # fmt: skip
def test_a_slip_of_a_plot_has_its_words(x, y, words):
    """Of its height, or of what stands at the x axis."""
    assert slips.find_mistake(Question("", laws=(plot_law,), shape=None), NUMBERS, [((), drawn(x, y))]) == words
    assert (
        slips.find_mistake(Question("", laws=(plot_law,), shape=None), NUMBERS, [((), drawn(x, y * (1 + 0.01 * X)))])
        is None
    )


# ---- at other symbols and numbers -------------------------------------------------------------------------------------

MADE = {  # words: what may stand for x
    "without {0}: is a term with it missing?": [lambda x: 0.0],
    "with the opposite sign of {0}": [lambda x: -x],
    "with a factor 2 or 1/2, or a root of it, too many or too few at {0}": [lambda x: 2 * x, lambda x: 0.5 * x, lambda x: x * 2**-0.5, lambda x: x * 2**0.5],
    "without the factor {0}, as if it was 1": [lambda x: 1.0],
    "with another power of {0}: squared, under a root, above or below the line?": [lambda x: x**2, lambda x: x**0.5, lambda x: x**-1],
    "with {0} off by a quarter of a turn: sine or cosine, or from which axis does it count?": [lambda x: x - math.tau / 4, lambda x: x + math.tau / 4],
    "with sine and cosine of {0} exchanged: from which axis does it count?": [lambda x: math.tau / 4 - x],
    "with 1 for the sine of {0}, or 0 for its cosine: is a factor missing, or a term?": [lambda x: math.tau / 4],
    "with {0} off by half a turn, as with the opposite sign of a weight": [lambda x: x + math.tau / 2],
    "with {0} turned from degrees into radians once too often": [lambda x: x * math.tau / 360],
    "with the number of degrees of {0} where radians belong": [lambda x: x * 360 / math.tau],
}  # fmt: skip


def words_of(phrase, name):
    """What comes out so, in words, with a name in them."""
    words, begin = phrase.text(name), "It is what comes out "
    return words.removeprefix(begin).removesuffix(".") if words.startswith(begin) else words


def made(found, at):
    """{words with names in them: [what they make of numbers by name]}."""
    every = {}
    for phrase, name, change in found:
        every.setdefault(words_of(phrase, name), []).append(change(at))
    return every


def close(one, other):
    """Whether numbers by name are the same."""
    return set(one) == set(other) and all(
        abs(one[name] - other[name]) <= 1e-12 * (1 + abs(other[name])) for name in one
    )


AT = {"q1": 0.7, "q2": 1.1, "m1": 1.4, "m2": 2.3, "I1": 0.9, "I2": 0.8, "lc1": 0.35, "lc2": 0.45, "g": 9.0}


def expected_of_names():
    """What must be tried at symbols: words, and what stands there then."""
    for words, several in MADE.items():
        for some in (["q1"], ["g"], ["q1", "q2"], ["m1", "m2"], ["lc1", "lc2"]):
            for change in several:
                yield words.format(" and ".join(some)), AT | {name: change(AT[name]) for name in some}
    for a, b in (("q1", "q2"), ("m1", "g"), ("lc1", "lc2")):
        yield f"with {a} and {b} exchanged", AT | {a: AT[b], b: AT[a]}
        yield f"with {b} in place of {a}", AT | {a: AT[b]}
        yield f"with {a} in place of {b}", AT | {b: AT[a]}
    yield "with lc1 and lc2 in place of q1 and q2", AT | {"q1": AT["lc1"], "q2": AT["lc2"]}
    for a, b in (("q1", "q2"), ("q2", "q1")):
        yield f"with {a} + {b} in place of {b}: relative or absolute?", AT | {b: AT[a] + AT[b]}
        yield f"with {b} less {a} in place of {b}: relative or absolute?", AT | {b: AT[b] - AT[a]}
    yield "with m1 + m2 in place of m2", AT | {"m2": AT["m1"] + AT["m2"]}
    yield "It is as if m2 stood alone where m2 + m1 belongs.", AT | {"m2": AT["m2"] - AT["m1"]}
    for words, sign in (("about the joints", 1), ("less m c^2 too often", -1)):
        yield (
            f"with moments of inertia {words}",
            AT | {f"I{k}": AT[f"I{k}"] + sign * AT[f"m{k}"] * AT[f"lc{k}"] ** 2 for k in (1, 2)},
        )


def changed_inputs(change, at):
    """Return what stands for the inputs where a change acts on them."""
    return change(None, at, 1.0)[1]


def test_each_slip_at_a_symbol_is_tried():
    """Alone and for letters of one kind together, exchanged, in place of each other, relative or absolute, about the joints."""
    question = Question("", names=" ".join([*AT, "unused"]))
    found = made(
        (
            (phrase, name, partial(changed_inputs, change))
            for phrase, name, change in input_changes.slips_of_inputs(question, AT, 1.0)
        ),
        AT,
    )
    for words, at in expected_of_names():
        assert any(close(at, one) for one in found[words]), words
    assert all(set(at) == set(AT) for some in found.values() for at in some) and not any(
        "unused" in words for words in found
    )
    assert {
        at["g"] for number in ("9.81", "10") for at in found[f"with the number {number} in place of the symbol g"]
    } == {9.81, 10.0}
    assert not any(
        "the symbol g" in phrase.text("9.81")
        for phrase, _, _ in input_changes.slips_of_inputs(Question("", names="q1"), {"q1": 0.7}, 1.0)
    )
    assert "with I1 and I2 in place of q1 and q2" in found and "with q1 and q2 in place of q1 and q2" not in found
    short = made(
        input_changes.slips_of_names(["q1", "q2", "m1", "m2", "m3"]),
        {"q1": 1.0, "q2": 2.0, "m1": 3.0, "m2": 4.0, "m3": 5.0},
    )
    assert not any("m1 and m2 and m3 in place" in words or "in place of m1 and m2 and m3" in words for words in short)


def test_no_slip_is_tried_at_an_argument_that_is_no_number():
    """A function has another function, or a word, among its arguments: neither is a number that may be mistaken."""
    question = Question("", arguments="law time word")
    found = [*input_changes.slips_of_inputs(question, (math.sin, 0.7, "left"), 1.0)]
    assert found
    assert {name for _, name, _ in found} == {"time"}


def test_each_slip_at_a_number_of_a_student_is_tried():
    """Those that a law asks for, by their places in tuples; a name for all of one; floats that it does not ask for in their place."""
    p = Parameters(
        masses=(1.4, 2.3), coms=(0.35, 0.45), inertias=(0.9, 0.8), angle=0.6, count=3, many=40, name="x", spare=1.9
    )
    found = {}
    for phrase, name, change in input_changes.slips_of_numbers(
        p, ["masses", "coms", "inertias", "angle", "count", "many", "name"], False
    ):
        q, at, value = change(p, "at", "value")
        assert (at, value) == ("at", "value")
        found.setdefault(words_of(phrase, name), []).append(
            [*q.masses, *q.coms, *q.inertias, q.angle, q.count, q.many, q.name, q.spare]
        )
    rest = [3, 40, "x", 1.9]
    for words, values in {
        "with the opposite sign of p.masses[1]": [1.4, -2.3, 0.35, 0.45, 0.9, 0.8, 0.6, *rest],
        "with the opposite sign of all of p.masses": [-1.4, -2.3, 0.35, 0.45, 0.9, 0.8, 0.6, *rest],
        "with p.masses[0] and p.masses[1] exchanged": [2.3, 1.4, 0.35, 0.45, 0.9, 0.8, 0.6, *rest],
        "with all of p.coms in place of all of p.masses": [0.35, 0.45, 0.35, 0.45, 0.9, 0.8, 0.6, *rest],
        "with p.angle in place of p.coms[0]": [1.4, 2.3, 0.6, 0.45, 0.9, 0.8, 0.6, *rest],
        "with moments of inertia about the joints": [
            1.4,
            2.3,
            0.35,
            0.45,
            0.9 + 1.4 * 0.35**2,
            0.8 + 2.3 * 0.45**2,
            0.6,
            *rest,
        ],
        "without the factor p.many, as if it was 1": [1.4, 2.3, 0.35, 0.45, 0.9, 0.8, 0.6, 3, 1.0, "x", 1.9],
        "with p.spare in place of p.angle": [1.4, 2.3, 0.35, 0.45, 0.9, 0.8, 1.9, *rest],
    }.items():
        assert any(
            all(a == pytest.approx(b) if isinstance(a, float) else a == b for a, b in zip(one, values))
            for one in found[words]
        ), words
    assert not any("p.count" in words or "p.name" in words for words in found)  # a few: nobody takes their half
    assert vars(p)["masses"] == (1.4, 2.3)
    numbers = [words_of(phrase, name) for phrase, name, _ in input_changes.slips_of_numbers(p, ["angle"], True)]
    assert not any("p.spare" in words for words in numbers)
    assert [*input_changes.slips_of_numbers(p, ["name", "count"], False)] == []
    nineteen, twenty = Parameters(n=19), Parameters(n=20)
    assert (
        [*input_changes.slips_of_numbers(nineteen, ["n"], True)]
        == []
        != [*input_changes.slips_of_numbers(twenty, ["n"], True)]
    )


def test_an_answer_with_another_number_is_told_which():
    """By the law, which asks for the numbers of a student; at symbols of a formula in the same words."""
    p = Parameters(masses=(1.4, 2.3), length=0.37, angle=0.6)
    right = lambda p, at: p.masses[0] * 9.81 * p.length * math.cos(p.angle) + p.masses[1] ** 2

    def of(m1=1.4, m2=2.3, l=0.37, a=0.6):
        return m1 * 9.81 * l * math.cos(a) + m2**2

    for wrong, words in (
        (of(m1=0), "without p.length or p.masses[0]: is a term with it missing?"), (of(m1=2.3, m2=1.4), "with p.masses[0] and p.masses[1] exchanged."), (of(a=math.radians(0.6)), "with p.angle turned from degrees into radians once too often."),
        (of(a=math.degrees(0.6)), "with the number of degrees of p.angle where radians belong."), (of(m2=2.8), None),
    ):  # fmt: skip
        assert told(wrong, right, p) == (words and f"It is what comes out {words}")


def test_a_factor_of_the_students_own_is_told():
    """One that is too many or too few, or its root; and of a list that of one entry; a third, a twelfth."""
    p = Parameters(length=0.37, mass=2.6)
    right = 4.321
    for power in (1, -1, 0.5, -0.5):
        assert (
            told(right * 2.6**power, right, p)
            == "It is as if there was a factor p.mass, or a root of it, too many or too few."
        )
        for factor, said in ((3.0, "3"), (1.5, "1.5"), (12.0, "12"), (4 / 3, "1.33")):
            assert told(right * factor**power, right, p) == f"It is off by a factor {said}, or its root."
    listed = lambda p, at: [p.mass * 1.1, 0.7, 2.9]
    for power in (1, -1, 0.5, -0.5):
        assert (
            told([2.86, 0.7, 2.9 * 2.6**power], listed, p)
            == "Entry (3) is as if there was a factor p.mass, or a root of it, too many or too few."
        )
        assert told([2.86, 0.7 * 3.0**power, 2.9], listed, p) == "Entry (2) is off by a factor 3, or its root."
    assert told([2.86, 0.7, 2.9 * 1.001], listed, p) is None
    assert told(right * 0.5**0.25, right, Parameters(gap=-0.37)) is None


# ---- formulas ---------------------------------------------------------------------------------------------------------

EDITS = [  # a formula, the same with one part put right, what is said of the part
    ("m+q1", "m-q1", "a sign is wrong"), ("m-q1", "m+q1", "a sign is wrong"), ("m*q1", "-m*q1", "a sign is wrong"), ("sin(q1)", "cos(q1)", "a sine is the wrong one of the two"), ("cos(q1)", "sin(q1)", "a cosine is the wrong one of the two"),
    ("m*q1", "l*q1", "one m should be something else"), ("m*q1", "q1", "there is one m too many"), ("m+q1", "q1", "a term with m is too many"), ("3.5*m", "m", "a number, or a power, is wrong"), ("m**4", "m**2", "a number, or a power, is wrong"), ("m**4", "m**3", "a number, or a power, is wrong"),
    ("m**4", "m**0.5", "a number, or a power, is wrong"), ("m+4", "m", "a number, or a power, is wrong"), ("m+q1", "2*m+q1", "a factor 2 is missing at a term"), ("m+q1", "m+q1/2", "a factor 2 is too many at a term, or a factor 1/2 is missing"),
    ("m+q1", "m**2+q1", "something should be squared"), ("m+q1", "m*l+q1", "a factor is missing at a term"), ("m+q1", "m*sin(q1)+q1", "a sine is missing at a term"), ("m+q1", "m+cos(q1)*q1", "a cosine is missing at a term"),
    ("m*q1", "(m+l)*q1", "something is missing in a sum"), ("m*q1", "(m-l)*q1", "something is missing in a sum"), ("sin(q1)", "sin(q1-l)", "something is missing in a sum"), ("m+q1*l", "2*(m+q1*l)", "a factor 2 is missing at a term"),
]  # fmt: skip


def worth(program):
    """The values of a formula at three points."""
    point = {"m": Values([1.3, 0.7, 2.1]), "l": Values([0.4, 1.9, 0.8]), "q1": Values([0.3, 1.2, 0.9])}
    return evaluate(program, point, plain)


@pytest.mark.parametrize(("wrong", "right", "words"), EDITS)
def test_each_part_of_a_formula_may_be_wrong(wrong, right, words):
    """It is put right by one change that has these words."""
    meant = worth(read(right))
    said = {
        phrase.text()
        for phrase, program in formula_changes.edits(read(wrong), ["m", "l", "q1"])
        if np.allclose(worth(program), meant, rtol=1e-12)
    }
    assert words in said


def test_no_part_is_changed_into_itself():
    """Each change makes another formula, but for what is 0 or 1 already."""
    for text in ("m*q1+2*l", "sin(q1)**3", "m"):
        for phrase, program in formula_changes.edits(read(text), ["m", "l", "q1"]):
            assert program != read(text), phrase.text()
    said = [phrase.text() for phrase, _ in formula_changes.edits(read("m"), ["m", "l"])]
    assert "one m should be something else" in said and not any("sine" in words for words in said)
    assert [phrase.text() for phrase, _ in formula_changes.edits(read("2"), ["m"])] == [
        "a number, or a power, is wrong"
    ] * 4


NAMES = "m l q1 q2 qd1 g"


def formula_told(wrong, right, **more):
    """What is told of formulas, where others are right."""
    wrong, right = ([texts] if isinstance(texts, str) else texts for texts in (wrong, right))
    shape = () if len(wrong) == 1 else (len(wrong),)
    programs, points = [read(text) for text in wrong], random_points(NAMES.split())
    meant = [read(text) for text in right]

    def value(p, at):
        found = [
            evaluate(program, {name: Values([complex(x)]) for name, x in at.items()}, plain)[0].real
            for program in meant
        ]
        return found if shape else found[0]

    spec = Question("", laws=(law_of(value),), names=NAMES, shape=shape, **more)
    return slips.find_mistake(spec, NUMBERS, [*sampled(shape, programs, points, 4)], (shape, programs, points))


@pytest.mark.parametrize(
    ("wrong", "right", "words"),
    [
        ("m*l*qd1", "-m*l*qd1", "It has the opposite sign."), ("m*9.81*l", "m*g*l", "It is what comes out with the number 9.81 in place of the symbol g."), ("m*g*cos(q2)*q2", "m*g*cos(q1)*q2", "It is what comes out with q2 in place of q1."),
        ("m*g*l*sin(q1)+q1*qd1", "m*g*l*cos(q1)+q1*qd1", "One part is wrong, the rest is right: a sine is the wrong one of the two."), (["m*q1", "m*g*sin(q1)+q1*l"], ["m*q1", "m*g*cos(q1)+q1*l"], "One part of entry (2) is wrong, the rest is right: a sine is the wrong one of the two."),
        (["m*g*sin(q1)+q1*l", "m*g*sin(q1)+q1*l", "2"], ["m*g*cos(q1)+q1*l", "m*g*cos(q1)+q1*l", "2"], "One part of entry (1) and entry (2) is wrong, the rest is right: a sine is the wrong one of the two."), ("m*l**3+q1", "m*l**2+q1", "One part is wrong, the rest is right: a number, or a power, is wrong."),
        ("m*l**2", "m*l**2+3*g*q2**2*m", "It is what comes out without q2 or g: is a term with it missing?"), ("0", "m", "It is zero, and should not be: what has a part in it?"), ("m*q1+sin(q2)*qd1*g*0.3", "m*q1+cos(q2)**3*qd1*g", "It is right where qd1 or g is zero: look at the terms with qd1 and g."),
        ("l*m*qd1+q1*g*q2", "l*m*qd1+q1*g*q2+2*m*g*qd1**2*sin(q2)", "It is right but for one term, with m and qd1 squared and g and a sine: it is missing, or has a wrong sign or factor."),
        ("l*m*qd1+q1*g*q2", "l*m*qd1+q1*g*q2-m*g*l**2*cos(q1+q2)", "It is right but for one term, with m and l squared and g and a cosine: it is missing, or has a wrong sign or factor."),
        ("q1**5", "m*l+7*sin(g)", None),
    ],
)  # fmt: skip
def test_a_formula_is_told_what_is_wrong_with_it(wrong, right, words):
    """All of it, one symbol, one part, one term, or where it is right."""
    found = formula_told(wrong, right)
    assert found == words


def test_a_formula_is_near_another_one_that_is_right_but_for_one_part():
    """As it is, or with one change; two changes are too many."""
    points = random_points(NAMES.split())
    line = read("m*g*l*cos(q1)+q2")
    for text, near in (
        ("l*g*m*cos(q1)+q2", True),
        ("m*g*l*sin(q1)+q2", True),
        ("m*g*cos(q1)+q2", True),
        ("m*l*sin(q1)+q2", False),
        ("7", False),
        ("m/(l-l)", False),
    ):
        assert formula_slips.is_near(read(text), line, NAMES.split(), points) == near, text


# ---- functions --------------------------------------------------------------------------------------------------------


def called(wrong, right, inputs, arguments, p=NUMBERS, **more):
    """What is told of a function, where another one is right."""
    spec = Question(
        "", laws=(law_of(lambda p, at: right(*at)),), inputs=lambda p, draw: inputs, arguments=arguments, **more
    )
    with quiet():
        return slips.find_mistake(spec, p, [(at, wrong(*at)) for at in inputs])


RNG = np.random.default_rng(3)
STATES = [tuple(RNG.uniform(0.3, 2.0, 2) * RNG.choice([-1, 1], 2) for _ in range(2)) for _ in range(4)]
ZEROS = [(a * [i, 1], b * [1, j]) for a, b in STATES[:2] for i in (0, 1) for j in (0, 1)]
TWO = [(*pair, float(h)) for pair, h in zip(STATES, (0.1, 0.23, 0.37, 0.05))]


@pytest.mark.parametrize(
    ("wrong", "right", "words"),
    [
        (lambda a, b: -a * b, lambda a, b: a * b, "It has the opposite sign."), (lambda a, b: np.sin(a) * b, lambda a, b: np.sin(b) * a, "It is what comes out with a and b exchanged."), (lambda a, b: b**4, lambda a, b: a**3 * b, "It is what comes out with b in place of a."),
        (lambda a, b: a * np.cos(b), lambda a, b: a * np.sin(b), "It is what comes out with b off by a quarter of a turn: sine or cosine, or from which axis does it count?"), (lambda a, b: (a * b)[::-1], lambda a, b: a * b, "The entries are in the other order."),
        (lambda a, b: a[::-1] * b**2, lambda a, b: a * b**2, "It is what comes out with a in the other order."), (lambda a, b: np.cumsum(a) * b**2, lambda a, b: a * b**2, "It is what comes out with sums for a: relative or absolute?"), (lambda a, b: np.diff(a, prepend=0.0) * b**2, lambda a, b: a * b**2, "It is what comes out with differences for a: relative or absolute?"),
        (lambda a, b: np.sin(a) * b - b, lambda a, b: np.sin(a) * b, "It is as if b was subtracted, or not added."), (lambda a, b: np.sin(a) * b**2 + a, lambda a, b: np.sin(a) * b**2, "It is as if a was added."), (lambda a, b: np.sin([a[0], -a[1]]) * b, lambda a, b: np.cosh([a[0], a[1]]) * 0 + np.sin(a) * b, "Entry (2) has the opposite sign."),
        (lambda a, b: np.exp(np.array([a[0], 0.0])) * b**2, lambda a, b: np.exp(a) * b**2, "It is what comes out without a[1]: is a term with it missing?"), (lambda a, b: np.exp(b) + a**2 + 0.1, lambda a, b: np.exp(b) + a, None),
    ],
)  # fmt: skip
def test_a_slip_at_an_argument_has_its_words(wrong, right, words):
    """At all states: in another order, exchanged, with sums for it, added or subtracted."""
    found = called(wrong, right, STATES, "a b")
    assert found == words


def test_matrices_among_the_arguments_may_be_transposed_or_missing():
    """As if it was the identity; a list is neither."""
    inputs = [(RNG.normal(size=(2, 2)), RNG.normal(size=2)) for _ in range(3)]
    for wrong, words in (
        (lambda A, x: A.T @ x, "with A transposed."),
        (lambda A, x: x + 0.0, "without A, as if it was the identity."),
    ):
        assert called(wrong, lambda A, x: A @ x, inputs, "A x") == f"It is what comes out {words}"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda a, b, h: a - h * b, "What it adds to a has the opposite sign"), (lambda a, b, h: a + 2 * h * b, "What it adds to a is twice as large"), (lambda a, b, h: a + h * b / 2, "What it adds to a is half as large"),
        (lambda a, b, h: a + b, "What it adds to a lacks a factor h."), (lambda a, b, h: a + h**2 * b, "What it adds to a has, too many, a factor h."),
    ],
)  # fmt: skip
def test_a_slip_in_a_step_has_its_words(wrong, words):
    """What is added to a state, as a whole."""
    assert called(wrong, lambda a, b, h: a + h * b, TWO, "a b h").startswith(words)


def test_a_slip_in_a_step_of_numbers_has_its_words():
    """A step may return a list of what its first arguments become."""
    inputs = [(0.3, 1.7, 0.1), (-0.9, 0.8, 0.2), (1.4, -2.1, 0.3)]
    right = lambda q, v, h: np.array([q + h * v, v - h * q])
    assert (
        called(lambda q, v, h: np.array([q + v, v - q]), right, inputs, "q v h")
        == "What it adds to q and v lacks a factor h."
    )
    assert called(lambda q, v, h: np.array([q - h * v, v + h * q]), right, inputs, "q v h").startswith(
        "What it adds to q and v has the opposite sign"
    )


def test_a_factor_among_the_arguments_is_told():
    """One that is missing, or too many, of all or of an entry."""
    inputs = [(a, float(k)) for (a, _), k in zip(STATES, (1.7, 0.6, 2.4, 0.9))]
    right = lambda a, k: np.sin(a) * k
    assert called(lambda a, k: np.sin(a), right, inputs, "a k") == "It lacks a factor k."
    assert called(lambda a, k: np.sin(a) * k**2, right, inputs, "a k") == "It has, too many, a factor k."
    assert called(lambda a, k: np.sin(a) * [k, 1], right, inputs, "a k") == "Entry (2) lacks a factor k."


def test_states_with_zeros_tell_where_a_function_is_right():
    """Where an entry is zero, or where both are; what goes with it, and what is wrong with that."""
    right = lambda a, b: np.array([a[0] ** 2 + 3 * b[1], b[0] * a[1]])
    tried = "as far as it was tried"
    with_added = lambda added, a, b: right(a, b) + added(a, b)
    for added, words in (
        (lambda a, b: [0.9 * a[0] ** 4, 0.7 * a[0]], f"It is right where a[0] is zero, {tried}: look at what goes with a[0]."),
        (lambda a, b: [-2 * a[0] ** 2, 0], f"It is right but for what goes with a[0], {tried}: it has the opposite sign."),
        (lambda a, b: [0, 0.37 * b[1] * b[0] ** 3], f"It is right but for what goes with b[1], {tried}: entry (2) should have none of it."),
        (lambda a, b: [-(a[0] ** 2), 0], "It is what comes out without a[0]: is a term with it missing?"),
    ):  # fmt: skip
        assert called(partial(with_added, added), right, ZEROS, "a b") == words
    a = STATES[0][0]
    inputs = [(a * [i, j], STATES[k][1]) for k in (0, 1) for i in (0, 1) for j in (0, 1)]
    of_both = lambda a, b: np.array([b[0], 2.0]) + np.exp(b[1] + a[0]) * a[0] * a[1]
    words = called(of_both, lambda a, b: np.array([b[0], 2.0]) + a[0] * 0, inputs, "a b")
    assert words == f"It is right but for what goes with both a[0] and a[1], {tried}: it should not be there."
    alone = lambda a, b: np.array([b[0], 2.0]) + np.cos(a[0]) + a[1] ** 2
    words = called(alone, lambda a, b: alone(a, b) + a[0] * a[1], inputs, "a b")
    assert words == "Nothing in it goes with both a[0] and a[1]: a term is missing."
    words = called(
        lambda a, b: np.array([b[0], 2.0]) + a[0] * a[1] * np.array([0.3, a[0]]),
        lambda a, b: np.array([b[0], 2.0]) + a[0] * a[1],
        inputs,
        "a b",
    )
    assert words == f"It is right where a[0] or a[1] is zero, {tried}: look at what goes with both."
    inputs = [(a * i, b * j) for a, b in STATES[:2] for i in (0, 1) for j in (0, 1)]
    words = called(lambda a, b: a * b + np.sin(3 * a + b), lambda a, b: a * b, inputs, "a b")
    assert words == f"It is right where both a and b are zero, and nowhere else, {tried}."


def test_what_is_wrong_already_where_much_is_zero_is_told_there():
    """The slip of what is left is looked for among those states alone."""
    inputs = [(a * i, b * j) for a, b in STATES[:2] for i in (0, 1) for j in (0, 1)]
    right = lambda a, b: 2 + np.cos(a) * 0.5 + a * b
    assert (
        called(lambda a, b: right(a, b) + 3.0 * np.exp(a - b), right, inputs, "a b")
        == "It is wrong already where a and b are zero: look at what is left there."
    )
    words = called(lambda a, b: -(2 + np.cos(a) * 0.5) + 3 * a * b, right, inputs, "a b")
    assert words == "It is wrong already where a and b are zero. There: it has the opposite sign."
    words = called(lambda a, b: a * b * 0.37, right, inputs, "a b")
    assert words == "It is wrong already where a and b are zero. There: nothing is left: a whole term is missing."


# ---- what is no slip --------------------------------------------------------------------------------------------------


def test_zero_yes_and_no_tell_little():
    """A zero has lost everything; much would give a yes by chance; the search of a cell is asked where nothing else is."""
    assert told(0.0, 3.7) == "It is zero, and should not be: what has a part in it?"
    assert told([0.0, 0.0], [3.7, 1.0]) == "It is zero, and should not be: what has a part in it?"
    assert told([0.0, 1.0], [0.0, -1.0]) is not None
    truth = lambda p, at, value: None if bool(value) == (at[0] > 0) else "No."
    spec = Question("", laws=(truth,), inputs=lambda p, draw: [], arguments="a")
    assert slips.find_mistake(spec, NUMBERS, [((1.0,), 0.0), ((-1.0,), 1.0)]) is None
    spec = Question("", laws=(law_of(3.7),))
    assert slips.find_mistake(spec, NUMBERS, [((), 5.123)], None, lambda: "Found.") == "Found."
    assert slips.find_mistake(spec, NUMBERS, [((), -3.7)], None, lambda: "Found.") == "It has the opposite sign."


def test_a_law_that_allows_much_tells_slips_of_sign_order_and_unit_alone():
    """Within half a percent on both sides many numbers hold by chance."""
    for slip, coarse in (
        (-1, True),
        (1000, True),
        (180 / math.pi, True),
        (4.0, False),
        (9.81, False),
        (math.pi, False),
    ):
        assert (told(3.7 * slip, 3.7, tolerance=1e-2) is not None) == coarse
        assert told(3.7 * slip, 3.7, tolerance=4e-3) is not None


def test_what_is_right_by_chance_is_seldom_in_the_middle():
    """A number must be right with its tolerance to spare on both sides."""
    for off, found in ((0.0, True), (0.005, True), (0.02, False), (0.5, False)):
        assert (told(4 * 3.7 * (1 + off * 1e-3), 3.7, tolerance=1e-3) is not None) == found


def test_a_law_that_lets_anything_pass_finds_no_slip():
    """It must still refuse something there: one that is silent of negative numbers would call any sign right."""
    silent = lambda p, at, value: None if value < 0 or abs(value - 3.7) < 3.7e-6 else "No."
    assert slips.find_mistake(Question("", laws=(silent,)), NUMBERS, [((), 5.1)]) is None
    assert slips.find_mistake(Question("", laws=(silent,)), NUMBERS, [((), 7.4)]) == "It is twice as large."


def test_words_that_are_said_of_any_wrong_answer_are_vague():
    """Beside places and rounding; what says more than others do, and what is said of this answer alone, is not."""
    spec, p = Question(""), NUMBERS
    vague = lambda law, value, words: slips.is_vague(spec, p, law, (), value, words)
    plain = lambda p, at, value: None if abs(np.sum(value) - 3) < 1e-6 else Said("No.", where="Look at entry (1).")
    assert vague(plain, 5.0, Said("No.", where="Look at entry (2)."))
    assert vague(plain, [5.0, 1.0], Said("No.", close="It is close: round later."))
    assert not vague(plain, 5.0, Said("No.", "It is half.")) and not vague(plain, 5.0, "Another.")
    telling = lambda p, at, value: Said("No.", "It is large." if value == 5.0 else "")
    assert not vague(telling, 5.0, Said("No.", "It is large."))
    split = lambda p, at, value: Said("No.", "It is large." if value > 3.0 else "")  # also of others, but not of all
    assert not vague(split, 5.0, Said("No.", "It is large.")) and vague(split, 5.0, Said("No."))
    by_name = lambda p, at, value: f"No, {'a' if value['a'] != 1 else 'b'}."
    assert vague(by_name, {"a": 1, "b": 2}, "No, b.") and vague(by_name, {"a": 1, "b": 2}, "No, a.")
    curve = lambda p, at, value: "No, high." if value["curves"][0]["y"]["numbers"][0] > 2 else "No, low."
    assert vague(curve, drawn(X, height(X)), "No, high.") and vague(curve, drawn(X, height(X)), "No, low.")
    big = drawn(np.zeros(20_001), np.zeros(20_001))
    assert not vague(curve, big, "No, low.")
    failing = lambda p, at, value: 1 / 0
    assert not vague(failing, 5.0, "No.")


def test_at_most_four_names_are_said_and_no_group_beside_its_members():
    """Those that cannot be told apart."""
    for names, said in (
        (["a"], "a"),
        (["a", "b"], "a or b"),
        (["a", "a", "b", "c", "d", "e"], "a or b or c or d"),
        ([mistakes.Group("a and b"), "c"], "c"),
        ([mistakes.Group("a and b"), mistakes.Group("all of p.c")], "a and b"),
        ([mistakes.Group("all of p.c"), "d"], "d"),
    ):
        for mistake, words in (
            (mistakes.IN_PLACE, f"It is what comes out with {said}."),
            (mistakes.RELATIVE, f"It is what comes out with {said}: relative or absolute?"),
            (mistakes.ADDED_BEFORE, f"It is as if {said}."),
        ):
            found = changed_back.sentence([(Phrase(mistake), name) for name in names])
            assert found == words and found.mistakes == (mistake,)
    found = changed_back.sentence([(Phrase(mistakes.IN_PLACE), "a"), (Phrase(mistakes.SUMMED), "b")])
    assert found == "It is what comes out with a or b." and [one.id for one in found.mistakes] == ["in-place", "summed"]


def test_what_is_too_large_is_not_tried(monkeypatch):
    """Formulas and plots of many parts; the search of the cell is asked alone."""
    monkeypatch.setattr(slips, "MOST_PARTS", 21)
    spec = Question("", laws=(plot_law,), shape=None)
    assert (
        slips.find_mistake(spec, NUMBERS, [((), drawn(X, -height(X)))])
        == "The height of the line has the opposite sign."
    )
    more = np.linspace(0.0, 2.0, 22)
    assert slips.find_mistake(spec, NUMBERS, [((), drawn(more, -height(more)))], None, lambda: "Found.") == "Found."
    size = len(read("-m*l*qd1"))
    for bound, words in ((size, "It has the opposite sign."), (size - 1, None)):
        monkeypatch.setattr(slips, "MOST_PARTS", bound)
        assert formula_told("-m*l*qd1", "m*l*qd1") == words
    monkeypatch.setattr(slips, "MOST_PARTS", 1000)
    size = len(read("m*l**3+q1"))
    for bound, begins in ((size, "One part is wrong"), (size - 1, None)):
        monkeypatch.setattr(formula_slips, "MOST_TOKENS", bound)
        words = formula_told("m*l**3+q1", "m*l**2+q1")
        assert (words or "").startswith("One part") == (begins is not None)
