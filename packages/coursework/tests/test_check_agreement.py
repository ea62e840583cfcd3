"""What makes two answers the same, at each edge: formulas by their values, numbers by a tolerance, plots by their lines."""

import array
import cmath
import math
import sys
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
import sympy as sp

from coursework.check import agreement, data, plain, reading
from coursework.check.agreement import agree, entry_name, random_points, sampled
from coursework.check.data import as_data, calls_as_data, flat, nested, one_number
from coursework.check.reading import Unreadable, evaluate, plain_name, read, symbols

INSIDE, OUTSIDE = 0.97, 1.03  # of a tolerance: what rounding does beside them is far below
BOTH_SIDES = [(INSIDE, True), (-INSIDE, True), (OUTSIDE, False), (-OUTSIDE, False)]


def formulas(*texts):
    """DATA of a list of formulas; one alone has no axis."""
    return {"shape": [len(texts)] if len(texts) > 1 else [], "text": list(texts)}


def numbers(*values):
    """DATA of a list of numbers; one alone has no axis."""
    return {"shape": [len(values)] if len(values) > 1 else [], "numbers": list(values)}


# ---- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tolerance", [None, 1e-6, 1e-3])
@pytest.mark.parametrize(("size", "holds"), BOTH_SIDES)
def test_numbers_agree_to_the_tolerance_of_the_largest(tolerance, size, holds):
    """Each entry alone; beside nothing, of a thousandth; a millionth where nothing is said."""
    more = {} if tolerance is None else {"tolerance": tolerance}
    allowed = size * (tolerance or 1e-6)
    for reference in ((3.0,), (2.0, -7.0, 0.0), (0.012,), (2e-3, -4e-4)):
        largest = max(map(abs, reference))
        for k in range(len(reference)):
            found = [x + allowed * largest * (i == k) for i, x in enumerate(reference)]
            result = agree(numbers(*reference), numbers(*found), **more)
            assert result.holds is holds
            if not holds:
                assert result.sentence == "the number is another"
                assert result.where == (f"entry ({k + 1})" if len(reference) > 1 else "")
    assert agree(numbers(0.0), numbers(allowed * 1e-3), **more).holds is holds
    assert agree(numbers(0.0, 0.0), numbers(0.0, allowed * 1e-3), **more).holds is holds


def test_the_number_that_is_farthest_off_is_named():
    """Of two that are wrong; what is no number before any; a list of nothing agrees with one."""
    assert agree(numbers(1.0, 2.0, 3.0), numbers(1.1, 2.0, 3.5)).where == "entry (3)"
    nowhere = agree(numbers(1.0, 2.0, 3.0), numbers(9.0, "nan", 3.0))
    assert (nowhere.holds, nowhere.sentence, nowhere.where) == (False, "it is not a finite number", "entry (2)")
    assert agree(numbers(1.0, 2.0), numbers(1.0, "-inf")).holds is False
    assert agree({"shape": [0], "numbers": []}, {"shape": [0], "numbers": []}).holds is True
    assert agree(numbers(2.0), formulas("1+1")).holds is True and agree(numbers(2.0), formulas("1")).holds is False
    assert agree(numbers(2.0), formulas("2*m")).holds is False
    assert agree(numbers(2.0), formulas("2*m/m")).holds is True


def test_a_number_that_needs_more_digits_goes_to_a_person():
    """It overflows, and 50 digits give it a value; one that has none in any digits is wrong."""
    result = agree(numbers(1.0), formulas("exp(1000)/exp(1000)"))
    assert (result.holds, result.sentence) == (None, "its value needs more digits than a machine computes with")
    for text in ("1/0", "log(0)"):
        assert agree(numbers(1.0), formulas(text)).holds is False


def test_equal_numbers_agree_whatever_the_tolerance():
    """None at all included; beside a number of digits that overflow another is told by its own kind."""
    for values in ((2.0,), (0.0,), (1.0, -3.0, 0.0)):
        assert agree(numbers(*values), numbers(*values), tolerance=0.0).holds is True
    assert agree(numbers(2.0), numbers(2.0 + 1e-9), tolerance=0.0).holds is False
    assert agree(numbers(1.0, 1.0), formulas("1", "exp(1000)/exp(1000)")).holds is None
    assert agree(numbers(1.0, 2.0), formulas("1", "2*m")).holds is False  # a letter in one entry is one in all
    assert agree(numbers(1.0, 2.0), formulas("1", "2*m/m")).holds is True


def test_what_was_found_is_not_changed():
    """Once it is made."""
    with pytest.raises(AttributeError):
        agree(numbers(1.0), numbers(1.0)).holds = False


@pytest.mark.parametrize(
    ("shape", "place", "name"),
    [([], 0, ""), ([1, 1], 0, ""), ([3], 0, "entry (1)"), ([3], 2, "entry (3)"), ([2, 3], 3, "entry (2, 1)"), ([2, 3], 2, "entry (1, 3)"),
     ([2, 3, 4], 23, "entry (2, 3, 4)"), ([2, 3, 4], 5, "entry (1, 2, 2)"), ([1, 2], 1, "entry (1, 2)")],
)  # fmt: skip
def test_an_entry_is_named_by_row_and_column(shape, place, name):
    """Counted from 1, the last axis quickest."""
    assert entry_name(shape, place) == name


def test_axes_of_length_one_do_not_count():
    """All others do, and more than four are none of an answer."""
    assert agree(numbers(1.0, 2.0), {"shape": [1, 2, 1], "numbers": [1.0, 2.0]}).holds is True
    result = agree(numbers(1.0, 2.0), numbers(1.0, 2.0, 3.0))
    assert (result.holds, result.sentence) == (False, "the shape should be (2,), it is (3,)")
    assert agree({"shape": [2, 2], "numbers": [1.0] * 4}, numbers(*[1.0] * 4)).holds is False
    assert agree(numbers(1.0), {"shape": [1] * 4, "numbers": [1.0]}).holds is True
    assert agree(numbers(1.0), {"shape": [1] * 5, "numbers": [1.0]}).holds is None
    assert agree(numbers(1.0, 2.0), {"shape": [2], "numbers": [1.0]}).sentence.endswith(
        "its shape and its entries do not fit"
    )


def test_what_is_no_answer_is_told():
    """None, a text of an error, what could not become data."""
    assert agree(numbers(1.0), None).sentence == "there is no answer"
    stopped = agree(formulas("m"), {"error": "NameError: x"})
    assert (stopped.holds, stopped.sentence) == (False, "stopped with NameError: x")
    unread = agree(numbers(1.0), {"unreadable": "complex"})
    assert (unread.holds, unread.sentence) == (None, "it is complex")
    unread = agree(formulas("m"), {"unreadable": "y" * 300})
    assert (unread.holds, unread.sentence) == (None, f"the answer cannot be read by machine: {'y' * 200}")
    assert agree(numbers(1.0), {"shape": []}).sentence == "the answer is not in a form that can be judged by machine"


# ---- formulas ---------------------------------------------------------------------------------------------------------


def test_points_are_drawn_by_seed_and_name():
    """Coordinates, rates and torques take both signs, below 2.9; parameters are positive, from 0.5 to 2."""
    for name in ("q1", "qd_2", "th", "phi", "psi", "x", "y", "tau1", "u", "v"):
        values = random_points([name], count=300)[name]
        assert -2.9 <= min(z.real for z in values) < -2.5 and 2.5 < max(z.real for z in values) <= 2.9
    for name in ("m1", "l_2", "I1", "g", "lc1", "k", "t"):
        values = random_points([name], count=300)[name]
        assert 0.5 <= min(z.real for z in values) < 0.6 and 1.9 < max(z.real for z in values) <= 2.0
    points = random_points(["m", "q"])
    assert len(points["m"]) == len(points["q"]) == agreement.POINTS == 8 and all(z.imag == 0 for z in points["q"])
    assert points == random_points(["q", "m"]) == random_points(["q", "m"], 7)
    assert points["m"] != random_points(["m"], 8)["m"] and points["m"] != random_points(["n"])["n"]
    assert list(random_points("ba")) == ["a", "b"]


@pytest.mark.parametrize(("size", "holds"), BOTH_SIDES)
def test_formulas_agree_to_rounding(size, holds):
    """A hundred millionth of each entry; of an entry that is small beside others a millionth of theirs counts."""
    for text in ("m", "q*1000", "m*1e-3"):
        assert agree(formulas(text), formulas(f"({text})*(1+({size})*1e-8)")).holds is holds
    result = agree(formulas("m", "q", "1"), formulas("m", f"q*(1+({size})*1e-8)", "1"))
    assert result.holds is holds and result.where == ("" if holds else "entry (2)")
    assert agree(formulas("0", "1000"), formulas(f"({size})*1e-11", "1000")).holds is holds
    assert agree(formulas("0", "0"), formulas("0", f"({size})*1e-20")).holds is holds


@pytest.mark.parametrize(("size", "holds"), BOTH_SIDES)
def test_formulas_too_long_for_many_digits_agree_to_rounding(size, holds, monkeypatch):
    """The same bounds: of the largest value that an entry takes, of a millionth of other entries, of 1e-12 beside nothing."""
    monkeypatch.setattr(agreement, "MOST_EXACT", 0)
    for text in ("m", "q*1000", "m*1e-3", "-m"):
        (values,) = (evaluate(read(text), random_points(["m", "q"]), plain),)
        top = max(abs(z) for z in values)
        for moved in (f"({text})*(1+({size})*1e-8)", f"({text})+({size})*1e-8*{top!r}"):
            assert agree(formulas(text), formulas(moved)).holds is holds
    assert agree(formulas("0", "1000"), formulas(f"({size})*1e-11", "1000")).holds is holds
    assert agree(formulas("0", "0"), formulas("0", f"({size})*1e-20")).holds is holds


@pytest.mark.parametrize(("size", "holds"), BOTH_SIDES)
@pytest.mark.parametrize("scale", ["1", "-1", "1000", "-1000", "1/1000", "1/10**9"])
def test_many_digits_tell_to_the_same_tolerance(scale, size, holds):
    """A difference that machine numbers lose is settled to 1e-8 of the value, whatever its size and sign."""
    long = "((1000000*x+1)**3-1000000000000000000*x**3-3000000000000*x**2-3000000*x)"
    assert agree(formulas(scale), formulas(f"({scale})*{long}*(1+({size})/10**8)")).holds is holds
    assert agree(formulas(f"({scale})*m"), formulas(f"({scale})*m*{long}*(1+({size})/10**8)")).holds is holds


def test_points_are_those_of_the_seed():
    """A formula that is fitted to the points which everybody knows agrees at these alone."""
    known = [z.real for z in random_points(["q"])["q"]]
    fitted = "q+" + "*".join(f"(q-({x!r}))" for x in known)
    assert agree(formulas("q"), formulas(fitted)).holds is agree(formulas("q"), formulas(fitted), seed=7).holds is True
    assert agree(formulas("q"), formulas(fitted), seed=8).holds is False


def test_the_first_entry_with_another_value_is_named():
    """Of several; and the formulas are told to differ, not to be unreadable."""
    result = agree(formulas("m", "q", "g"), formulas("m", "2*q", "3*g"))
    assert (result.holds, result.sentence, result.where) == (False, "the formula has another value", "entry (2)")
    assert agree(formulas("sqrt(q**2)"), formulas("q")).holds is False
    assert agree(formulas("m"), numbers(1.0)).holds is False
    assert agree(formulas("q"), formulas("2*q+exp(-10**40*m)")).holds is False  # not to be computed with 50 digits


def test_many_digits_are_for_formulas_of_a_bounded_size(monkeypatch):
    """What differs by rounding alone is settled with 50 digits, where that is no long work."""
    long = "(1000000*x+1)**3-1000000000000000000*x**3-3000000000000*x**2-3000000*x"
    size = len(read(long))
    for bound, holds in ((size + 1, True), (size, False)):
        monkeypatch.setattr(agreement, "MOST_EXACT", bound)
        assert agree(formulas("1"), formulas(long)).holds is holds


def test_what_overflows_goes_to_a_person_if_more_digits_give_it_a_value():
    """Else it has none, at any point."""
    result = agree(formulas("m"), formulas("m*exp(1000*m)/exp(1000*m)"))
    assert (result.holds, result.sentence) == (
        None,
        "the formula has a value only with more digits than a machine computes with",
    )
    for text in ("m/0", "m+log(m-m)", "m*exp(exp(exp(exp(1000*m))))"):
        result = agree(formulas("m"), formulas(text))
        assert result.holds is not True
    result = agree(formulas("m", "m"), formulas("m", "m/(m-m)"))
    assert (result.holds, result.sentence) == (False, "the formula has no finite value")


@pytest.mark.parametrize(("count", "words"), [(3, "has no value at too many points"), (4, "has no value at some points"), (7, "has no value at some points"), (8, "")])  # fmt: skip
def test_half_of_the_points_must_have_a_value(count, words):
    """Where fewer have one nothing is said; where the solution has one and the answer none, a person decides."""
    middle = sorted((z.real for z in random_points(["q"])["q"]), reverse=True)
    above = (middle[count - 1] + (middle[count] if count < 8 else middle[-1] - 1)) / 2
    part = f"q/(1+sign(q-({above})))"
    result = agree(formulas("q/2"), formulas(part))
    assert result.holds is (None if words else True) and result.sentence.endswith(words)
    if count >= 4:
        assert agree(formulas(part), formulas(part)).holds is True
        assert agree(formulas("q/3"), formulas(part)).holds is False
        assert agree(formulas(part), formulas("q/2")).holds is True


def test_each_entry_counts_where_it_has_a_value():
    """Of two entries one without a value at some points: equal to itself, doubtful beside one that has a value there."""
    low, middle, *_ = sorted(z.real for z in random_points(["q"])["q"])
    above = f"q/(1+sign(q-({(low + middle) / 2})))"  # no value at the lowest point
    for other in ("q", "m"):
        assert agree(formulas(above, other), formulas(above, other)).holds is True
        assert agree(formulas(other, above), formulas(other, above)).holds is True
        assert agree(formulas("q/2", other), formulas(above, other)).holds is None
        assert agree(formulas(other, "q/2"), formulas(other, above)).holds is None
    values = sorted(z.real for z in random_points(["q"])["q"])
    higher = f"q/(1+sign(q-({(values[1] + values[2]) / 2})))"  # none at the two lowest
    assert agree(formulas(above), formulas(higher)).holds is None  # at the second lowest only one has a value
    assert agree(formulas(higher), formulas(above)).holds is True


def test_samples_are_real_or_no_number():
    """An imaginary part of rounding is none: below 1e-8 of the largest entry."""
    points = random_points(["m"], count=3)
    for size, real in BOTH_SIDES:
        for texts, scale in ((["2", f"1+I*({size})*2e-8"], 1), ([f"I*({size})*1e-17", "0"], 0)):
            found = list(sampled((2,), [read(text) for text in texts], points, 2))
            assert len(found) == 2 and [at["m"] for at, _ in found] == [z.real for z in points["m"][:2]]
            assert (not any(map(math.isnan, found[0][1]))) == real and scale in (0, 1)
    ((at, value), *_) = sampled((1, 2), [read("m"), read("3")], {"m_1": points["m"]} | points, 1)
    assert value == [[points["m"][0].real, 3.0]] and set(at) == {"m", "m1"}


def test_what_an_answer_may_weigh_is_bounded(monkeypatch):
    """Characters and parts of all its formulas together."""
    monkeypatch.setattr(agreement, "MOST_TEXT", 9)
    monkeypatch.setattr(agreement, "MOST_TOKENS", 6)
    for texts, holds in (
        (["m   ", "q    "], True),
        (["m   ", "q     "], None),
        (["m+m", "q+q"], True),
        (["m+m+m", "q+q"], None),
    ):
        assert (
            agree(
                formulas("m+m" if "+" in texts[0] else "m", "q+q" if "+" in texts[0] else "q"), formulas(*texts)
            ).holds
            is holds
        )


# ---- dicts, calls, plots ----------------------------------------------------------------------------------------------


def test_a_dict_has_each_entry():
    """One that is missing, one that is wrong, one that cannot be read; more do no harm."""
    reference = as_data({"a": 1.0, "b": [1.0, 2.0]})
    assert agree(reference, as_data({"b": [1.0, 2.0], "a": 1.0, "c": 3})).holds is True
    assert agree(reference, as_data({"a": 1.0})).sentence == "the entry 'b' is missing"
    result = agree(reference, as_data({"a": 1.0, "b": [1.0, 3.0]}))
    assert (result.holds, result.sentence, result.where) == (False, "entry 'b': the number is another", "entry (2)")
    result = agree(reference, as_data({"a": 1j, "b": [1.0, 2.0]}))
    assert result.holds is None and result.sentence.startswith("entry 'a': it is complex")
    assert agree(as_data({"a": 1.0}), as_data({"a": 1.0 + OUTSIDE * 1e-3}), 1e-3).holds is False
    assert agree(as_data({"a": 1.0}), as_data({"a": 1.0 + INSIDE * 1e-3}), 1e-3).holds is True


def test_a_function_agrees_at_every_state():
    """A wrong value wins over one that cannot be read, wherever it stands; the call is named."""
    reference = calls_as_data(lambda x: [x, 2 * x], [(1.0,), (2.0,), (3.0,)])
    assert agree(reference, reference).holds is True
    for k in range(3):
        wrong = {"calls": [*reference["calls"]]}
        wrong["calls"][k] = numbers(7.0, 7.0)
        result = agree(reference, wrong)
        assert (result.holds, result.sentence, result.where) == (
            False,
            "the number is another",
            f"call {k + 1}, entry (1)",
        )
        unread = {"calls": [*reference["calls"]]}
        unread["calls"][k] = {"unreadable": "complex"}
        assert agree(reference, unread).holds is None
        unread["calls"][(k + 1) % 3] = numbers(7.0, 7.0)
        assert agree(reference, unread).holds is False
    two = {"calls": [{"unreadable": "one"}, {"unreadable": "two"}, reference["calls"][2]]}
    assert agree(reference, two).sentence == "it is one"
    assert agree(reference, {"calls": reference["calls"][:2]}).sentence == "the function was not called at every state"
    single = calls_as_data(lambda x: x, [(1.0,)])
    assert agree(single, {"calls": [numbers(2.0)]}).where == "call 1"


X = np.linspace(0.0, 2.0, 41)


def plot(*lines, xlabel="t", ylabel="q"):
    """A plot as DATA."""
    return {"curves": [{"x": as_data(x), "y": as_data(y)} for x, y in lines], "xlabel": xlabel, "ylabel": ylabel}


@pytest.mark.parametrize("tolerance", [1e-6, 0.02])
@pytest.mark.parametrize(("size", "holds"), BOTH_SIDES)
def test_a_line_agrees_to_the_tolerance_of_its_height(tolerance, size, holds):
    """From its lowest to its highest point; at each point alone, also where all are small."""
    for y in (3 + np.sin(2 * X), 1e-3 * np.sin(2 * X)):
        for k in (0, 17, 40):
            moved = y + size * tolerance * np.ptp(y) * (np.arange(41) == k)
            assert agree(plot((X, y)), plot((X, moved)), tolerance).holds is holds


def test_a_line_runs_over_the_whole_range():
    """Two parts in a hundred may be missing at an end; any order, any number of lines, more of it beside."""
    y, more = np.cos(X), np.linspace(-1, 3, 81)
    right = (X, y)
    assert agree(plot(right), plot((X, 0 * X), (more, np.cos(more))), 1e-3).holds is True
    assert agree(plot(right), plot((X[::-1], y[::-1]))).holds is True
    for low, high, holds in ((0.019, 0, True), (0.021, 0, False), (0, 0.019, True), (0, 0.021, False)):
        x = np.linspace(2 * low, 2 - 2 * high, 41)
        assert agree(plot((X, 0.5 * X)), plot((x, 0.5 * x)), 0.1).holds is holds
    for x, values in (
        (X[:1], y[:1]),
        ([], []),
        (X, y * np.nan),
        ([*X[:-1], np.inf], y),
        ([*X, np.inf], [*y, 0.0]),
        ([*X, 9.0], [*y, np.nan]),
    ):
        result = agree(plot(right), plot((x, values)))
        assert (result.holds, result.sentence, result.where) == (
            False,
            "no line of the plot is the one asked for",
            "line 1",
        )
    assert agree(plot(([0.0, 2.0], [1.0, 5.0])), plot(([0.0, 2.0], [1.0, 5.0]))).holds is True
    level = (X, 0 * X + 3)  # without height: each point of it counts
    assert agree(plot(level), plot(level)).holds is True and agree(plot(level), plot((X, 0 * X + 3.01))).holds is False
    assert agree(plot(right, (X, 2 * y)), plot(right)).where == "line 2"
    assert agree(plot(right), plot(right, xlabel=" ")).sentence == "there are no words at the x axis"
    assert agree(plot(right), plot(right, ylabel="")).sentence == "there are no words at the y axis"
    assert agree(plot(right), plot(right, xlabel="", ylabel="")).sentence == "there are no words at the x axis"


def test_a_plot_has_fifty_lines_at_most():
    """More are not looked at."""
    right = (X, np.cos(X))
    assert agree(plot(right), plot(*[right] * 50)).holds is True
    assert agree(plot(right), plot(*[right] * 51)).sentence.endswith("more than 50 lines")


# ---- answers as data --------------------------------------------------------------------------------------------------


def test_an_answer_becomes_data_by_its_kind():
    """Numbers, texts, formulas, dicts, trajectories, and the shape row by row."""
    assert as_data(3) == as_data(np.array(3)) == {"shape": [], "numbers": [3.0]}
    assert (
        as_data([[1, 2, 3], [4, 5, 6]])
        == as_data(np.arange(1, 7).reshape(2, 3))
        == {"shape": [2, 3], "numbers": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}
    )
    assert as_data("m*q") == {"shape": [], "text": ["m*q"]} and as_data(["m", "q"]) == {
        "shape": [2],
        "text": ["m", "q"],
    }
    assert as_data([]) == {"shape": [0], "numbers": []}
    assert as_data([sp.Symbol("m"), 2]) == {"shape": [2], "text": ["m", "2"]}
    assert as_data(sp.Tuple(sp.Symbol("m"), 2)) == {"shape": [2], "text": ["m", "2"]}
    assert as_data({1: "m", "b": {"c": 2}}) == {"items": {"1": as_data("m"), "b": {"items": {"c": as_data(2)}}}}
    motion = SimpleNamespace(t=[0.0], q=[1.0], qd=[2.0], tau=[3.0])
    assert as_data(motion) == {"items": {name: as_data([k * 1.0]) for k, name in enumerate(("t", "q", "qd", "tau"))}}
    assert as_data([1.0, math.nan, math.inf, -math.inf])["numbers"] == [1.0, "nan", "inf", "-inf"]
    assert as_data(sp.MatMul(sp.eye(2), sp.Matrix([1, 2]), evaluate=False)) == {"shape": [2, 1], "text": ["1", "2"]}


def test_a_kernel_without_sympy_reads_numbers_and_texts(monkeypatch):
    """It may have none: lists, arrays, dicts and texts are the same data."""
    values = (3.0, [1.0, 2.0], (1, 2), np.eye(2), "m*q", ["m", "q"], {"a": [1.0]}, [], None, 1j)
    expected = [as_data(value) for value in values]
    monkeypatch.delitem(sys.modules, "sympy")
    assert [as_data(value) for value in values] == expected


@pytest.mark.parametrize(
    ("value", "shape"),
    [([np.array([1.0]), 2.0], [2]), ([np.array(1.0), [2.0], (3.0,)], [3]), ([[1.0, 2.0], np.array([[3.0], [4.0]])], [2, 2]), (([1.0], 2.0), [2])],
)  # fmt: skip
def test_a_number_and_a_column_of_one_stand_beside_each_other(value, shape):
    """So do a list and a column; lists of different lengths do not."""
    entries = np.concatenate([np.ravel(one) for one in value]).tolist()
    assert as_data(value) == {"shape": shape, "numbers": entries}
    assert "rows of different lengths" in as_data([[1.0, 2.0], [3.0]])["unreadable"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "None: what it was set to gave nothing back, as print, append and sort do"),
        ([[1], [1, 2]], "a list: rows of different lengths"),
        (([1], [1, 2], 3), "a tuple: it has 3 parts of different shapes: hand in what is asked for, as one list, one matrix or one dict"),
        (10**400, "a number that is larger than a machine computes with"),
        ([1.0, 2j], "complex, where real numbers are asked for"),
        (["m", 2], "entries of type int, str, where numbers or formulas are asked for"),
        ([object()], "entries of type object, where numbers or formulas are asked for"),
        ([1.0, "m", ...], "entries of type ellipsis, float, str, where numbers or formulas are asked for"),
        ([1.0, "m", ..., 2, b"", {}, set()], "entries of type bytes, dict, ellipsis, float, int, set, str, where numbers or formulas are asked for"),
        (SimpleNamespace(t=[0.0], q=[1.0], qd=[2.0]), "entries of type SimpleNamespace, where numbers or formulas are asked for"),
        (SimpleNamespace(q=[1.0]), "entries of type SimpleNamespace, where numbers or formulas are asked for"),
        (SimpleNamespace(shape=(2,)), "entries of type SimpleNamespace, where numbers or formulas are asked for"),
        (array.array("d", [1.0, 2.0]), "entries of type array, where numbers or formulas are asked for"),
    ],
)  # fmt: skip
def test_what_cannot_be_handed_in_is_told_by_its_kind(value, words):
    """In words that a sentence goes on with."""
    assert as_data(value) == {"unreadable": words}


def test_what_is_too_large_is_told_so(monkeypatch):
    """Entries, characters, lines of a plot, and what holds itself."""
    assert len(as_data(np.zeros(200_000))["numbers"]) == 200_000
    assert as_data(np.zeros(200_001)) == {"unreadable": "200001 entries; at most 200000 can be handed in"}
    assert as_data("x" * 2_000_001)["text"] == ["x" * 2_000_000]
    round_and_round = []
    round_and_round.append(round_and_round)
    assert as_data(round_and_round) == {"unreadable": "a list that is nested too deeply, or holds itself"}
    monkeypatch.setattr(data, "MOST_TEXT", 4)
    assert as_data([sp.Symbol("ab"), sp.Symbol("cd")])["text"] == ["ab", "cd"]
    assert as_data([sp.Symbol("ab"), sp.Symbol("cde")]) == {
        "unreadable": "formulas of 5 characters: derive a shorter form"
    }
    assert as_data("abcdef") == {"shape": [], "text": ["abcd"]}


def test_a_complex_number_without_an_imaginary_part_is_real():
    """To 1e-12 of its size, or of 1."""
    for scale in (1e-3, 1.0, 1e5, -1e5):
        for size, real in BOTH_SIDES:
            found = as_data(complex(scale, size * 1e-12 * max(1.0, abs(scale))))
            assert found == (
                {"shape": [], "numbers": [scale]}
                if real
                else {"unreadable": "complex, where real numbers are asked for"}
            )


def test_functions_of_time_are_letters():
    """q1(t) and q_1(t) are one, a derivative has a d for each dot; what is not carried out is."""
    t, x = sp.symbols("t x")
    for name, letters in (
        ("q_1", ("q_1", "qd_1", "qdd_1")),
        ("q1", ("q1", "qd_1", "qdd_1")),
        ("x", ("x", "xd_", "xdd_")),
    ):
        q = sp.Function(name)(t)
        for order, letter in enumerate(letters):
            (text,) = as_data(sp.diff(q, t, order) if order else q)["text"]
            assert plain_name(text) == plain_name(letter)
    q = sp.Function("q")(t)
    mixed = as_data(sp.sin(q) * q.diff(t) ** 2 + q.diff(t, 2))["text"][0]
    assert agree(formulas("sin(q)*qd**2+qdd"), formulas(mixed)).holds is True
    for undone, done in (
        (sp.Integral(sp.cos(x), (x, 0, t)), "sin(t)"), (sp.Limit(sp.sin(x) / x * t, x, 0), "t"), (sp.Sum(x * t, (x, 1, 3)), "6*t"),
        (sp.Subs(sp.cos(x), x, t), "cos(t)"), (sp.Derivative(t**3, t), "3*t**2"),
    ):  # fmt: skip
        assert agree(formulas(done), as_data(undone)).holds is True, undone


def test_a_function_is_called_with_copies():
    """What it changes is told; one that stops is told, and the others count."""
    given = [(np.array([1.0, 2.0]), 3), (np.array([4.0, 5.0]), 6)]

    def changing(x, k):
        x += k
        if k == 3:
            raise ValueError("w" * 600)
        return x

    found = calls_as_data(changing, given)
    assert found["changed"] is True and found["calls"][1] == {"shape": [2], "numbers": [10.0, 11.0]}
    assert found["calls"][0] == {"error": f"ValueError: {'w' * 488}"} and len(found["calls"][0]["error"]) == 500
    assert given[0][0].tolist() == [1.0, 2.0] and "changed" not in calls_as_data(lambda x, k: x + k, given)
    assert calls_as_data(lambda x, k: x.fill(0) if k == 3 else x, given)["changed"] is True
    assert data.on_copies(changing)(given[1][0], 6).tolist() == [10.0, 11.0] and given[1][0].tolist() == [4.0, 5.0]


def test_entries_are_laid_out_row_by_row():
    """And back; what does not fit is told; an array of one is a number."""
    for shape in ((), (3,), (2, 3), (2, 3, 2), (1, 2)):
        array = np.arange(float(np.prod(shape, dtype=int))).reshape(shape) if shape else np.array(5.0)
        found_shape, entries = flat(array)
        assert (
            tuple(found_shape) == shape == flat(array.tolist())[0]
            and entries == array.ravel().tolist() == flat(array.tolist())[1]
        )
        assert nested(entries, shape) == array.tolist()
    assert (
        flat((1, 2)) == ((2,), [1, 2]) and flat(((1, 2), [3, 4])) == ((2, 2), [1, 2, 3, 4]) and flat([]) == ((0,), [])
    )
    assert flat(True) == ((), [True]) and flat("text") == ((), ["text"])
    with pytest.raises(ValueError, match="do not fit"):
        nested([1, 2, 3], (2, 2))
    assert one_number(np.array([[2.5]])) == 2.5 and one_number([3]) == 3.0
    with pytest.raises(ValueError, match="it returned 2 numbers, where one is asked for"):
        one_number([1, 2])
    with pytest.raises(ValueError, match="it returned None: is a `return` missing"):
        one_number(None)


def test_a_plot_becomes_its_lines_and_words():
    """Of Axes, of a figure, of a scatter plot; fifty lines at most."""
    from matplotlib.figure import Figure

    figure = Figure()
    left, right = figure.subplots(1, 2)
    left.plot([0, 1, 2], [3, 4, 5])
    right.plot([6, 7], [8, 9])
    right.scatter([1.5, 2.5], [3.5, 4.5])
    right.scatter([1.5], [3.5])
    left.set(xlabel="left x", ylabel="left y")
    right.set(xlabel="right x", ylabel="right y")
    first = {"x": as_data([0.0, 1.0, 2.0]), "y": as_data([3.0, 4.0, 5.0])}
    second, third = (
        {"x": as_data([6.0, 7.0]), "y": as_data([8.0, 9.0])},
        {"x": as_data([1.5, 2.5]), "y": as_data([3.5, 4.5])},
    )
    assert as_data(left) == {"curves": [first], "xlabel": "left x", "ylabel": "left y"}
    assert as_data(right)["curves"] == [second, third]
    assert as_data(figure) == {"curves": [first, second, third], "xlabel": "right x", "ylabel": "left y"}
    for _ in range(48):
        left.plot([0, 1], [0, 1])
    assert len(as_data(figure)["curves"]) == 51
    left.plot([0, 1], [0, 1])
    assert as_data(figure) == {"unreadable": "a plot of 51 lines; at most 50 can be handed in"}
    assert len(as_data(left)["curves"]) == 50


# ---- reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the formula is empty"), ("  ", "the formula is empty"), ("(", "the formula is empty"), ("m+", "the formula ends too early"),
        ("m q", "an operator is missing before ' q'"), ("m(q)", "the function 'm' is not known here"), ("2(m)", "an operator is missing before '(m)'"),
        ("(m)(q)", "an operator is missing before '(q)'"), ("m+*q", "something is missing before '*q'"), ("()", "something is missing before ')'"),
        ("sin()", "something is missing before ')'"), ("m)", "a parenthesis is closed that was never opened"), ("(m", "a parenthesis is not closed"),
        ("1,5", "a comma stands outside of a function: decimals need a point"), ("(1,5)", "a parenthesis with 2 arguments"),
        ("sin(m,q)", "sin with 2 arguments"), ("atan2(m)", "atan2 with 1 arguments"), ("atan2(m,q,m)", "atan2 with 3 arguments"), ("atan2(,m)", "something is missing before ',m)'"),
        ("m§q", "'§q' is no part of a formula"), ("m+" + "§" * 30, f"'{'§' * 20}' is no part of a formula"), ("m.q", "'.q' is no part of a formula"),
        (3, "a formula must be text, got a int"), ("pi(m)", "the function 'pi' is not known here"), ("m " + "q" * 30, f"an operator is missing before ' {'q' * 19}'"),
        ("/m", "something is missing before '/m'"), ("((m)", "a parenthesis is not closed"), ("m**", "the formula ends too early"),
    ],
)  # fmt: skip
def test_what_is_no_formula_is_told_where(text, words):
    """A sentence for each rule of the grammar."""
    with pytest.raises(Unreadable) as error:
        read(text)
    assert str(error.value) == words


def test_a_formula_has_a_bounded_number_of_parts(monkeypatch):
    """As many as are allowed, and no more."""
    monkeypatch.setattr(reading, "MOST_TOKENS", 3)
    assert symbols(read("m+q")) == {"m", "q"}
    with pytest.raises(Unreadable, match=r"^more than 3 parts$"):
        read("m+q-")


def test_a_formula_has_half_a_million_parts_at_most():
    """A sign is one."""
    with pytest.raises(Unreadable, match=r"^the formula is empty$"):
        read("-" * 500_000)
    with pytest.raises(Unreadable, match=r"^more than 500000 parts$"):
        read("-" * 500_001)


def test_a_program_is_in_reverse_polish_order():
    """Operands before their operation, which has the count of them."""
    assert read("-m*q_1 + atan2(2, sin(pi))**3") == [
        ("symbol", "m"), ("neg", 1), ("symbol", "q1"), ("*", 2), ("number", 2.0), ("constant", "pi"), ("sin", 1),
        ("atan2", 2), ("number", 3.0), ("**", 2), ("+", 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2-3-4", -5), ("2-3+4", 3), ("24/4/3", 2), ("24/4*3", 18), ("2+3*4", 14), ("2*3+4", 10), ("2^3^2", 512), ("-2^2", -4), ("2*-3", -6), ("2**-1", 0.5),
        ("-3-4", -7), ("--3", 3), ("+3", 3), ("-+-3", 3), ("2-(3-4)", 3), ("(2+3)*4", 20), ("2*(3+4)*5", 70), ("sin(0)+1", 1), ("atan2(1,0)", math.pi / 2),
        ("atan2(0,-1)", math.pi), ("atan2(-1,0)*2", -math.pi), ("Abs(-3)+1", 4), (".5+1.", 1.5), ("1e2", 100), ("1E-2", 0.01), ("1.5e+2", 150), (".5e1", 5), ("2e0*3", 6),
        ("E", math.e), ("pi", math.pi), ("I*I", -1), ("sqrt(-4)/I", 2), ("sec(0.3)", 1 / math.cos(0.3)), ("csc(0.3)", 1 / math.sin(0.3)), ("cot(0.3)", 1 / math.tan(0.3)),
        ("sign(-3)", -1), ("sign(0)", 0), ("sign(2.5)", 1), ("-2**-2", -0.25), ("2**(1+2)", 8), ("-(2+3)", -5), ("(-2)**2", 4), ("2**3*4", 32), ("4*2**3", 32), ("sin(0)**2", 0),
        ("2/-4", -0.5), ("7-2*3", 1), ("7-6/3", 5), ("exp(log(3))", 3), ("atan2(1+1,(2))", math.pi / 4), ("sin(-(0))", 0), ("2**64", 2**64), ("2**65", 2**65), ("2**-64", 2**-64), ("4**0.5", 2),
    ],
)  # fmt: skip
def test_the_grammar_is_that_of_arithmetic(text, value):
    """Order, signs, powers to the right, functions; the same with many digits."""
    (found,) = evaluate(read(text), {}, plain)
    assert found == pytest.approx(value, rel=1e-12)
    with mpmath.workdps(30):
        assert complex(evaluate(read(text), {}, mpmath)) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("name", ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp", "log", "sqrt"])  # fmt: skip
def test_functions_are_those_of_their_names(name):
    """By the standard library."""
    for x in (0.3, -0.7, 0.2 + 0.4j):
        text = f"{name}({x.real}+({x.imag})*I)" if isinstance(x, complex) else f"{name}({x})"
        (found,) = evaluate(read(text), {}, plain)
        assert found == pytest.approx(getattr(cmath, name)(x), rel=1e-12)


def test_names_are_one_however_dots_are_written():
    """Underscores do not count, a dot is a d."""
    assert {plain_name(name) for name in ("q_1", "q1", "q__1")} == {"q1"}
    assert {plain_name(name) for name in ("qdot_1", "qd_1", "qd1")} == {"qd1"}
    assert {plain_name(name) for name in ("qddot_1", "qdd_1", "qdd1")} == {"qdd1"}
    assert symbols(read("q_1*qdot_1+pi*E*I+sin(m)")) == {"q1", "qd1", "m"}


def test_with_many_digits_nothing_grows_without_bound():
    """A power or an argument whose result had more than a hundred bits of exponent is not computed."""
    for text in ("2**2**99", "2**2**110", "exp(2.0**101)", "sin(1e40)", "(2**2**90)**2**20", "(1/2**90)**(2**99)"):
        with mpmath.workdps(50), pytest.raises(Unreadable, match="too large"):
            evaluate(read(text), {}, mpmath)
    for text, value in (
        ("2**2**6", 2**64),
        ("exp(2**5)", math.exp(32)),
        ("2**80/2**79", 2),
        ("sin(1e20)*0+1", 1),
        ("(-8)**(1/3)", 1 + 3**0.5 * 1j),
        ("2**-70", 2**-70),
        ("2**70", 2**70),
    ):
        with mpmath.workdps(50):
            assert complex(evaluate(read(text), {}, mpmath)) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("a", "b", "bits"),
    [(60.0, 0.99 * 2**97, 100), (1 / 60, 0.99 * 2**97, 100), (60.0, 0.99 * 2**98, 101), (1 / 60, 0.99 * 2**98, 101), (362.0, 0.99 * 2**97, 101),
     (1 / 362, 0.99 * 2**97, 101), (1.9, 1.98 * 2**100, 101), (0.51, 1.98 * 2**100, 101), (0.9, 2.0**200, 198)],
)  # fmt: skip
def test_the_exponent_of_a_power_has_a_hundred_bits_at_most(a, b, bits):
    """a^b is 2^(b log2 a): a hundred bits of b log2 a are computed with, one more is not, for large, small and negative ones."""
    assert math.frexp(abs(b * math.log2(a)))[1] == bits
    for sign in ("", "-"):
        program = read(f"({a!r})**({sign}{b!r})")
        with mpmath.workdps(50):
            if bits > 100:
                with pytest.raises(Unreadable, match=r"^a power is too large$"):
                    evaluate(program, {}, mpmath)
            else:
                assert mpmath.isfinite(evaluate(program, {}, mpmath))


def test_an_argument_has_a_hundred_bits_at_most():
    """Beyond 2^100 no function is asked; sums, products and quotients have no such bound."""
    with mpmath.workdps(50):
        assert abs(evaluate(read(f"sin({0.99 * 2**100!r})"), {}, mpmath)) <= 1
        with pytest.raises(Unreadable, match=r"^an argument is too large$"):
            evaluate(read(f"sin({1.01 * 2**100!r})"), {}, mpmath)
        assert evaluate(read("1e40/1e40"), {}, mpmath) == evaluate(read("1e40-1e40+1"), {}, mpmath) == 1


# ---- values at several points -----------------------------------------------------------------------------------------


def test_values_compute_point_by_point():
    """With each other, with a number on either side, and with a single value, as complex numbers do."""
    a, b = [1.5 + 1j, -2.0 + 0j, 0.25j], [2.0 + 0j, 3.0 - 1j, 1.5 + 0j]
    x, y = plain.Values(a), plain.Values(b)
    for operation in (
        lambda u, v: u + v,
        lambda u, v: u - v,
        lambda u, v: u * v,
        lambda u, v: u / v,
        lambda u, v: u**v,
    ):
        assert operation(x, y) == pytest.approx([operation(u, v) for u, v in zip(a, b)])
        assert operation(x, 3) == pytest.approx([operation(u, 3) for u in a])
        assert operation(3, y) == pytest.approx([operation(3, v) for v in b])
        assert operation(x, plain.mpf(0.5)) == pytest.approx([operation(u, 0.5) for u in a])
        assert operation(plain.mpf(0.5), y) == pytest.approx([operation(0.5, v) for v in b])
    assert -x == pytest.approx([-u for u in a]) and abs(x) == pytest.approx([abs(u) for u in a])
    assert (
        x.real == plain.Values([1.5, -2.0, 0.0]) and isinstance(x.real, plain.Values) and isinstance(-x, plain.Values)
    )
    assert plain.sqrt(-plain.Values([4 + 0j]))[0] == pytest.approx(2j)  # above the cut, as -4 is
    for power in (64, 65, -64, -65, 63.5):
        assert (plain.Values([1.01 + 0j, -1.01 + 0j]) ** power)[0] == pytest.approx(1.01**power)
    assert (plain.Values([-2 + 0j]) ** 3)[0] == -8 and (plain.Values([-2 + 0j]) ** 64)[0] == 2**64


def test_what_has_no_value_harms_no_other_point():
    """No value, or infinity where it is too large; the others are as they were."""
    x = plain.Values([0j, 1 + 0j, 800 + 0j])
    for function, values in (
        (plain.log, [None, 0, math.log(800)]),
        (lambda z: 1 / z, [None, 1, 1 / 800]),
        (lambda z: z**-1, [None, 1, 1 / 800]),
    ):
        for z, value in zip(function(x), values):
            assert cmath.isnan(z) if value is None else z == pytest.approx(value)
    large = plain.exp(x)
    assert large[2] == complex(math.inf, 0.0) and large[1] == pytest.approx(math.e) and large[0] == 1
    assert plain.Values([1e200 + 0j, 2 + 0j]) ** 2 == plain.Values([complex(math.inf, 0.0), 4 + 0j])
