"""From an answer to what a student reads: form, laws, mistakes, slips, in this order; a session of tries, hints and predictions."""

import contextlib
import copy
import json
import math
import sys
import types
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import sympy as sp

from coursework import check
from coursework.check import laws, question, repair, session, slips
from coursework.check.data import as_data, calls_as_data
from coursework.check.diagnosis import Said
from coursework.check.parameters import Draw, Later, Parameters
from coursework.check.question import Question, diagnose, scored, told_score, with_parts_replaced
from coursework.check.record import Record
from coursework.check.repair import Cell
from coursework.check.source import defines

INSIDE, OUTSIDE = 0.97, 1.03  # of a tolerance
P = Parameters()


def law_of(right, tolerance=1e-6, words="Another one is right."):
    """A law that an answer should be this."""
    return lambda p, at, value: laws.differs(words, at, value, right(p, at) if callable(right) else right, tolerance)


def refused(words="No."):
    """A law that nothing obeys."""
    return lambda p, at, value: words


# ---- numbers of a student ----------------------------------------------------------------------------------------------


def test_numbers_are_drawn_between_their_bounds():
    """The same for the same seed; with few digits, never 1; again until they fit."""
    numbers = Draw("a").numbers(200, 2.0, 3.0)
    assert (
        len(numbers) == 200
        and 2.0 <= min(numbers) < 2.1
        and 2.9 < max(numbers) <= 3.0
        and numbers == Draw("a").numbers(200, 2.0, 3.0) != Draw("b").numbers(200, 2.0, 3.0)
    )
    vector = Draw("a").vector(200, 2.0, 3.0)
    assert isinstance(vector, np.ndarray) and vector.tolist() == numbers
    rounded = {Draw(str(k)).rounded(0.96, 1.04) for k in range(99)}
    assert rounded == {0.96, 0.97, 0.98, 0.99, 1.01, 1.02, 1.03, 1.04}
    assert {Draw(str(k)).rounded(0.6, 1.4, 1) for k in range(99)} == {0.6, 0.7, 0.8, 0.9, 1.1, 1.2, 1.3, 1.4}
    tried = iter([(1,), (2,), (3,), (4,)])
    assert Draw("a").until(lambda: next(tried), lambda x: x > 2) == (3,) and next(tried) == (4,)


def test_a_number_that_is_made_later_is_made_once():
    """When it is first asked for; where that fails, again; what is not there is told by name."""
    made = []

    def make():
        made.append(1)
        if len(made) == 1:
            raise ModuleNotFoundError("numpy")
        return "arm"

    p = Parameters(mass=2.0, arm=Later(make))
    assert repr(p) == "Parameters(mass=2.0, arm=<made when it is first used>)" and made == []
    with pytest.raises(ModuleNotFoundError):
        p.arm  # noqa: B018
    assert (p.arm, p.arm, made) == ("arm", "arm", [1, 1]) and repr(p) == "Parameters(mass=2.0, arm='arm')"
    with pytest.raises(
        AttributeError, match=r"there is no 'length' among your numbers; they are Parameters\(mass=2.0, arm='arm'\)"
    ):
        p.length  # noqa: B018
    twin = copy.deepcopy(Parameters(mass=[2.0]))
    assert repr(twin) == "Parameters(mass=[2.0])"


def test_parts_of_an_answer_slip_by_name():
    """Those named, which must be some of them."""
    parts = {"a": 1, "b": 2, "c": 3}
    assert with_parts_replaced(parts, "a c", 0) == {"a": 0, "b": 2, "c": 0} and parts["a"] == 1
    for names in ("", "d", "a d"):
        with pytest.raises(ValueError, match=f"a mistake must name some of a, b, c, got '{names}'"):
            with_parts_replaced(parts, names, 0)


def test_a_question_has_a_shape_and_states():
    """Given, or computed; drawn by a seed."""
    assert Question("", shape=(2,)).shape_at(P, ()) == (2,) and Question("", shape=lambda p, at: at[0]).shape_at(
        P, [(3,)]
    ) == (3,)
    drawing = Question("", inputs=lambda p, draw: [(draw.uniform(0, 1),)])
    assert Question("").states(P, "a") is None and drawing.states(P, "a") == drawing.states(P, "a") != drawing.states(
        P, "b"
    )
    plain = Question("")
    assert (
        plain.shape,
        plain.laws,
        plain.names,
        plain.judged,
        plain.prediction,
        plain.telling,
        plain.printed,
        plain.tolerance,
        plain.score,
    ) == ((), (), "", "reference", False, False, False, 1e-6, None)


def test_what_is_known_of_a_question_is_not_changed():
    """Nor what is made later."""
    for one, name in ((Question(""), "title"), (Later(dict), "make")):
        with pytest.raises(AttributeError):
            setattr(one, name, "")


def test_where_no_law_asks_no_state_is_drawn():
    """A question without laws takes any answer of the right form."""

    def unseen(p, draw):
        raise AssertionError("this is not asked for")

    assert diagnose(Question("", unseen=unseen), P, as_data(1.5)) == []


# ---- the form of an answer ---------------------------------------------------------------------------------------------


def said(data, inputs=None, **more):
    """What is said of DATA by a question without laws."""
    return diagnose(Question("", **more), P, data, inputs)


@pytest.mark.parametrize(
    ("value", "more", "words"),
    [
        (3.0, {}, None), ([3.0], {}, None), ([1.0, 2.0], {}, "The answer should be one number; it has the shape (2,)."), ("m", {"names": "m q"}, None), (["m", "q"], {"names": "m q"}, "The answer should be one formula; it has the shape (2,)."),
        (3.0, {"shape": (2,)}, "The answer should be a list of 2 numbers; it is a single one."), ("m", {"shape": (2,), "names": "m"}, "The answer should be a list of 2 formulas; it is a single one."), (np.ones((3, 2)), {"shape": (2, 3)}, "The answer should be 2 by 3 numbers; it has the shape (3, 2). Is it transposed?"),
        (np.ones((3, 3)), {"shape": (2, 3)}, "The answer should be 2 by 3 numbers; it has the shape (3, 3)."), (np.ones(6), {"shape": (2, 3)}, "The answer should be 2 by 3 numbers; it has the shape (6,)."), (np.ones((1, 2, 3)), {"shape": (2, 3)}, None), (np.ones(5), {"shape": None}, None),
        ({"a": 1}, {}, "The answer is a dict: it should be one number."), ({"a": 1}, {"shape": None}, None), ("m", {}, "Numbers are asked for, and the symbol m is left in the answer: put your numbers in."), ("b*a", {}, "Numbers are asked for, and the symbol a is left in the answer: put your numbers in."),
        ("m*x", {"names": "m q"}, "The symbol x is not one of this question: m, q."), (["y*m", "x"], {"names": "m q", "shape": (2,)}, "The symbol x is not one of this question: m, q."), ("2*3", {}, None), (sp.oo, {}, "It is not a finite number."), (sp.nan, {}, "It is not a finite number."), (sp.zoo, {"names": "m"}, "It is not a finite number."),
        (math.nan, {}, "It is not a finite number."), ([1.0, math.inf], {"shape": (2,)}, "It is not a finite number. Look at entry (2)."), ([[1.0, 2.0], [math.inf, math.nan]], {"shape": (2, 2)}, "It is not a finite number. Look at entry (2, 1)."), (None, {}, "The answer is None: what it was set to gave nothing back, as print, append and sort do."), ([1.0, None], {"shape": (2,)}, "The answer is a list: None stands in it: was that never set, or is a `return` missing?"), (2j, {}, "The answer is complex, where real numbers are asked for."),
        ("m+", {"names": "m"}, "The answer cannot be read: the formula ends too early."), ("(", {}, "The answer cannot be read: the formula is empty."),
    ],
)  # fmt: skip
def test_the_form_of_an_answer_is_told_first(value, more, words):
    """What is asked for, and what it is."""
    assert said(as_data(value), **more) == ([words] if words else [])


def test_the_form_of_what_is_no_data_of_any_kind_is_told():
    """In words for what is asked for; an older answer for a cell that stopped."""
    assert said({"shape": [2], "numbers": [1.0]}, shape=(2,), laws=(refused(),)) == [
        "The answer cannot be read: it should be a list of 2 numbers."
    ]
    assert said({"shape": "x"}, shape=lambda p, at: (2,), laws=(refused(),)) and said({}, laws=(refused(),)) == [
        "The answer cannot be read: it should be one number."
    ]
    assert diagnose(Question("a plot of it", shape=None, laws=(refused(),)), P, {}) == [
        "The answer cannot be read: it should be a plot of it."
    ]
    assert said({"error": "NameError"}) == [
        "The cell that should make this answer stopped with NameError: an older one was handed in."
    ]
    assert said({"unreadable": "complex"}) == ["The answer is complex."] and said({"unreadable": "set?"}) == [
        "The answer is set?"
    ]
    assert diagnose(
        Question("", shape=lambda p, at: (2,), laws=(lambda p, at, value: value["x"],)), P, as_data([1.0, 2.0])
    ) == ["The answer cannot be read: it should be ."]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (as_data(3.0), "The answer should be a list of 2 numbers; it is a single one. (at [1.], 2.)"), ({"error": "ValueError: no"}, "Your function stopped with ValueError: no (at [1.], 2.)"), ({"error": "NotImplementedError: "}, "Your function is not written yet: put its lines in place of `raise NotImplementedError()`."),
        (calls_as_data(lambda: None, [()])["calls"][0], "The answer is a NoneType: is a `return` missing? (at [1.], 2.)"), (as_data([1.0, math.nan]), "It is not a finite number. Look at entry (2). (at [1.], 2.)"),
    ],
)  # fmt: skip
def test_the_form_of_each_call_is_told_with_its_arguments(call, words):
    """The first that is wrong."""
    inputs = [(np.array([5.0]), 6.0), (np.array([1.0]), 2.0)]
    right = as_data([1.0, 2.0])
    spec = Question("", inputs=lambda p, draw: inputs, shape=(2,))
    of = lambda data: diagnose(spec, P, data, inputs)
    assert of({"calls": [right, call]}) == [words] and of({"calls": [right, right]}) == []
    assert of({"calls": [right]}) == ["The function was not called at every state."]
    assert of({"unreadable": "of type float, where a function is asked for"}) == [
        "The answer is of type float, where a function is asked for."
    ]


def test_a_place_is_shown_as_far_as_it_is_short():
    """Symbols of motion of a formula; of arguments those that are lists of twenty numbers at most."""
    law = refused()
    found = diagnose(Question("", names="q1 q2 qd1 qd2 m", laws=(law,)), P, as_data("m*q1"))[0]
    assert (
        found.startswith("No. (at q1 = ")
        and ", q2 = " in found
        and ", qd1 = " in found
        and ", qd2 = " in found
        and found.endswith(")")
        and "m = " not in found
    )
    assert len(found.split("q1 = ")[1].split(",")[0].split(".")[1]) == 3
    assert diagnose(Question("", names="m", laws=(law,)), P, as_data("m"))[0] == "No."
    for argument, shown in (
        (0.123456, "0.123"),
        (np.arange(3.0), "[0., 1., 2.]"),
        (np.zeros(20), "[" + ", ".join(["0."] * 20) + "]"),
        (np.zeros(21), None),
        (np.eye(2), None),
        (abs, None),
        ([1.0, 2.0], "[1., 2.]"),
    ):
        spec = Question("", laws=(law,), inputs=lambda p, draw: [], arguments="a b")
        words = (
            diagnose(spec, P, {"calls": [as_data(1.0)]}, [(argument, 2)])[0].replace("\n", "").replace("       ", " ")
        )
        assert words == f"No. (at {shown + ', ' if shown else ''}2)"
        words = diagnose(spec, P, {"calls": [as_data(1.0)]}, [(argument,)])[0].replace("\n", "")
        assert words.replace("       ", " ") == (f"No. (at {shown})" if shown else "No.")


def test_a_plot_is_somewhere():
    """Lines without a finite point are left out, and if there is no other that is told; one that is finite in parts is not read."""
    line = lambda x, y: {"x": as_data(x), "y": as_data(y)}
    plot = lambda *lines: {"curves": [*lines], "xlabel": "", "ylabel": ""}
    seen = []
    spec = Question(
        "", shape=None, laws=(lambda p, at, value: seen.append((at, len(value["curves"]), value["xlabel"])),)
    )
    right, nowhere = line([0.0, 1.0], [1.0, 2.0]), line([0.0, 1.0], [math.nan, math.nan])
    assert diagnose(spec, P, plot(nowhere)) == ["The points of the plot's line are not finite numbers."]
    assert diagnose(spec, P, plot(nowhere, right)) == [] and diagnose(spec, P, plot()) == []
    assert seen == [((), 1, ""), ((), 0, "")]
    assert diagnose(spec, P, plot(line([0.0, 1.0], [1.0, math.inf]))) == [
        "The answer cannot be read: a line of the plot is not finite everywhere."
    ]
    assert (
        diagnose(spec, P, plot(*[right] * 51)) == ["The answer cannot be read: more than 50 lines."]
        and diagnose(spec, P, plot(*[right] * 50)) == []
    )


# ---- laws, mistakes and slips ------------------------------------------------------------------------------------------


def test_the_laws_are_asked_in_their_order_and_two_are_told():
    """Each at the first place where it fails; what is not finite obeys none."""
    assert diagnose(Question("", laws=(refused("One."), refused("Two."), refused("Three."))), P, as_data(1.5)) == [
        "One.",
        "Two.",
    ]
    asked = []

    def law(p, at, value):
        asked.append(at)
        return "No." if at[0] > 1 else None

    inputs = [(0,), (2,), (3,)]
    spec = Question("", laws=(law, law_of(1.0)), inputs=lambda p, draw: inputs, arguments="a", shape=())
    with contextlib.suppress(Exception):
        found = diagnose(spec, P, {"calls": [as_data(1.0)] * 3}, inputs)
    assert found[0] == "No. (at 2)" and asked[:2] == [(0,), (2,)]
    spec = Question("", names="m", laws=(law_of(1.0),))
    assert diagnose(spec, P, as_data("m*0+sqrt(-1)"))[0] == "It is not a finite real number everywhere."
    pair = Question("", names="m", shape=(2,), laws=(law_of([1.0, 1.0]),))
    assert diagnose(pair, P, as_data(["m", "m*sqrt(-1)"]))[0] == "It is not a finite real number everywhere."
    assert diagnose(Question("", laws=()), P, as_data(1.5)) == []
    unseen = Question(
        "", laws=(lambda p, at, value: f"{at[0]:.3f}",), unseen=lambda p, draw: (draw.uniform(0, 1),), judged="laws"
    )
    assert (
        diagnose(unseen, P, as_data(1.5), None, 7)[0]
        == diagnose(unseen, P, as_data(1.5))[0]
        != diagnose(unseen, P, as_data(1.5), None, 8)[0]
    )


def test_numbers_with_which_no_law_can_compute_are_told_so():
    """A law that overflows has found no mistake of the form; where any form is allowed it may have."""
    words = "The checks cannot compute with such numbers: is one far too large?"
    assert diagnose(Question("", laws=(lambda p, at, value: math.exp(value),)), P, as_data(1e9))[0] == words
    assert diagnose(Question("", laws=(lambda p, at, value: math.sqrt(value),)), P, as_data(-1.0))[0] == words
    loose = Question("such a thing", laws=(lambda p, at, value: math.sqrt(value["a"]),), shape=None)
    assert diagnose(loose, P, as_data({"a": -1.0})) == ["The answer cannot be read: it should be such a thing."]


def always(number):
    """The function of the numbers of a student that is one number."""
    return lambda p: number


def mistaken(wrong, mistakes, right=1.7, tolerance=1e-6, **more):
    """What is said of a wrong number by a question with typical mistakes."""
    spec = Question(
        "",
        laws=(law_of(right, tolerance),),
        tolerance=tolerance,
        mistakes={words: always(x) for words, x in mistakes.items()},
        **more,
    )
    return diagnose(spec, P, as_data(wrong))


def test_a_typical_mistake_is_named_before_the_law():
    """Two or three that give the same are all said, more are not; nothing is said of the mistakes of a right answer."""
    of = lambda n: {f"slip {k}": 3.3 for k in range(n)}
    assert (
        mistaken(3.3, of(1))[0] == "This looks like a typical mistake: slip 0."
        and mistaken(3.3, {"why?": 3.3})[0] == "This looks like a typical mistake: why?"
    )
    assert (
        mistaken(3.3, of(3))[0]
        == "This looks like a typical mistake: slip 0, or like this one: slip 1, or like this one: slip 2."
    )
    assert (
        "typical" not in " ".join(mistaken(3.3, of(4)))
        and mistaken(1.7, {"slip": 1.7}) == []
        and "typical" not in mistaken(3.4, of(1))[0]
    )
    assert mistaken(3.3, of(1))[1] == "Another one is right." and len(mistaken(-1.7, {"slip": -1.7})) == 2


@pytest.mark.parametrize(
    ("found", "tolerance", "named"),
    [(2.0194, 1e-2, True), (2.0206, 1e-2, False), (2.00099501, 1e-2, True), (2.00100501, 1e-2, False), (2.01941, 1e-2, False), (2.00000195, 1e-6, True), (2.00000205, 1e-6, False), ([2.0194001, 1.0], 1e-2, True), ([2.0206001, 1.0], 1e-2, False)],
)  # fmt: skip
def test_a_number_in_full_is_that_of_a_mistake_or_is_not(found, tolerance, named):
    """With more than four digits it is not within the tolerance by rounding; a list may be."""
    many = isinstance(found, list)
    words = mistaken(
        found, {"slip": [2.0, 1.0] if many else 2.0}, [7.1, 7.3] if many else 7.1, tolerance, shape=(2,) if many else ()
    )
    assert words[0].startswith("This looks like a typical mistake: slip.") == named


def test_a_mistake_of_a_function_is_that_at_every_call():
    """Wrapped as the function is."""
    inputs = [(1.0,), (2.0,), (-1.5,)]
    spec = Question(
        "",
        laws=(law_of(lambda p, at: at[0] ** 2),),
        inputs=lambda p, draw: inputs,
        arguments="x",
        mistakes={"slip": lambda p: lambda x: x**3},
        wrap=lambda p, f: lambda x: f(x) + 0.0,
    )
    called = lambda f: diagnose(spec, P, calls_as_data(f, inputs), inputs)[0]
    assert called(lambda x: x**3).startswith("This looks like a typical mistake: slip.")
    assert (
        not called(lambda x: x**3 + (x == -1.5)).startswith("This looks")
        and diagnose(spec, P, calls_as_data(lambda x: x * x, inputs), inputs) == []
    )
    doubled = replace(spec, wrap=lambda p, f: lambda x: 2 * f(x))
    assert diagnose(doubled, P, calls_as_data(lambda x: 2 * x**3, inputs), inputs)[0].startswith("This looks")


def test_a_slip_is_told_where_the_laws_are_vague():
    """After the law; not beside a typical mistake, not where the law has said it, not where the function was wrapped."""
    vague = law_of(lambda p, at: 3.7, words="No.")
    assert diagnose(Question("", laws=(refused("No."),)), P, as_data(-3.7)) == ["No."]
    plain = lambda p, at, value: None if abs(value - 3.7) < 1e-5 else "No."
    assert diagnose(Question("", laws=(plain,)), P, as_data(-3.7)) == ["No.", "It has the opposite sign."]
    assert diagnose(Question("", laws=(plain,), mistakes={"slip": lambda p: -3.7}), P, as_data(-3.7)) == [
        "This looks like a typical mistake: slip.",
        "No.",
    ]
    assert diagnose(Question("", laws=(vague,)), P, as_data(-3.7)) == ["No. It has the opposite sign."]
    telling = lambda p, at, value: None if abs(value - 3.7) < 1e-5 else "Less." if value == -3.7 else "More."
    assert diagnose(Question("", laws=(telling,)), P, as_data(-3.7)) == ["Less."]
    inputs = [(1.0,), (2.0,)]
    called = Question(
        "",
        laws=(lambda p, at, value: None if abs(value - at[0]) < 1e-5 else "No.",),
        inputs=lambda p, draw: inputs,
        arguments="a",
    )
    assert diagnose(called, P, {"calls": [as_data(-1.0), as_data(-2.0)]}, inputs)[1] == "It has the opposite sign."
    assert (
        diagnose(replace(called, names="m"), P, {"calls": [as_data(-1.0), as_data(-2.0)]}, inputs)[1]
        == "It has the opposite sign."
    )  # letters of a formula, where a function is asked for
    assert (
        len(diagnose(replace(called, wrap=lambda p, f: f), P, {"calls": [as_data(-1.0), as_data(-2.0)]}, inputs)) == 1
    )


def test_a_formula_that_is_another_line_of_a_derivation_is_told_so():
    """Also with one part of it changed; one without letters is no line; letters that the line should not have are told."""
    plain = lambda p, at, value: None if abs(value - at["m"] * at["q"] ** 2) < 1e-6 else "No."
    spec = Question("", names="m q g", laws=(plain,), lines={"line 1": "m+q*g", "line 2": "q/m"}, own="m q")
    of_another = lambda spec, text: diagnose(spec, P, as_data(text))
    of = partial(of_another, spec)
    assert of("m+q*g")[1] == "It looks like line 1, which is right as it is printed: find the line that is not."
    assert of("q/m")[1].startswith("It looks like line 2,") and of("m-q*g")[1].startswith("It looks like line 1,")
    assert of("2")[1] == "There is no letter in it: not a number is asked for, but what the line should say."
    assert of("g**5*m**3+q**7*g")[1] == "g should not stand in the line that is to be put right."
    many = replace(spec, names="m q a b c d e f", lines={}, own="m q")
    words = "a and b and c and d and e and f should not stand in the line that is to be put right."
    assert of_another(many, "f**5*m**3+q**7*a+d*c*e**9-b**4")[1] == words
    assert (
        of("m*q**2") == []
        and len(of_another(replace(spec, own=""), "g**5*m**3+q**7*g")) == 1
        and len(of("q**5*m**3+q**7")) == 1
    )
    assert (
        of("-m*q**2")[1] == "It has the opposite sign." and of_another(replace(spec, lines={}), "2")[1:] != of("2")[1:]
    )


# ---- the cell of an answer ---------------------------------------------------------------------------------------------


@pytest.fixture
def still(monkeypatch):
    """The clock of the processor stands still: how busy a machine is has no part in what is told."""
    monkeypatch.setattr(repair, "time", types.SimpleNamespace(process_time=lambda: 0.0))


def cell(source, name="x", others=(), **names):
    """The cell of an answer, run."""
    exec(source, names)
    return Cell(source, name, names, ("p",) * ("p" in names), others), names[name]


def test_one_change_of_the_cell_is_told_where_no_slip_is(still):
    """With the numbers of others as well; not where the place is asked for, or one of a few answers."""
    p, other = Parameters(a=1.3, b=0.8), Parameters(a=2.1, b=0.3)
    right = lambda p, at: math.sin(p.a) * p.b + p.a**2
    spec = Question("", laws=(lambda p, at, value: None if abs(value - right(p, at)) < 1e-6 else "No.",))
    made, value = cell("import math\nx = math.sin(p.a) * p.b + p.a**2 * math.tan(p.b)", p=p, others=(other,))
    found = diagnose(spec, p, as_data(value), cell=made)
    assert found == [
        "No.",
        "One change would put your cell right, or make up for a mistake elsewhere: in `x = math.sin(p.a) * p.b + p.a**2 * math.tan(p.b)` a factor is too many.",
    ]
    assert (
        len(diagnose(replace(spec, printed=True), p, as_data(value), cell=made)) == 1
        and len(diagnose(spec, p, as_data(value))) == 1
    )
    made, value = cell("x = 4.0 * k", k=1.0)
    few = Question("", laws=(lambda p, at, value: None if value == 7.0 else "No.",))
    assert len(diagnose(few, P, as_data(value), cell=made)) == 1


def test_a_function_is_tried_at_each_state(still):
    """As it is wrapped; what is said there takes the place of further laws."""
    inputs = [(1.0, 2.0), (0.7, -0.4), (2.2, 0.9)]
    right = lambda p, at: at[0] ** 3 * math.exp(at[1]) + 2
    law = lambda p, at, value: None if abs(value - right(p, at)) < 1e-6 else "No."
    for wrap in (None, lambda p, f: lambda a, b: f(a, b) + 2):
        source = f"import math\ndef x(a, b):\n    return a**3 * math.exp(b) * math.sin(a) + {0 if wrap else 2}"
        made, function = cell(source)
        spec = Question("", laws=(law, refused("Further.")), inputs=lambda p, draw: inputs, arguments="a b", wrap=wrap)
        spec = replace(spec, laws=(law,)) if wrap is None else spec
        called = wrap(P, function) if wrap else function
        found = diagnose(replace(spec, laws=(law,)), P, calls_as_data(called, inputs), inputs, cell=made)
        assert (
            found[0].startswith("No. (at ")
            and found[1].startswith(
                "One change would put your cell right, or make up for a mistake elsewhere: in `return "
            )
            and "a factor is too many" in found[1]
        )
    assert diagnose(replace(spec, score=("m", law)), P, calls_as_data(called, inputs), inputs, cell=made) == [
        f"No. (at {', '.join(map(str, inputs[0]))})".replace("1.0", "1.").replace("2.0", "2."),
        *diagnose(replace(spec, score=("m", law)), P, calls_as_data(called, inputs), inputs)[1:],
    ]


def test_no_cell_is_searched_where_all_is_said(monkeypatch):
    """Where a line should run is, and a typical mistake of what is called around a function; of the latter further laws stay."""
    asked = []
    monkeypatch.setattr(repair, "find_wrong_part", lambda one, judge: asked.append((one, judge)))
    made = Cell("x = 1.5", "x", {}, (), (P,))
    ranged = Said("The line should run from 0 to 1.", done=True)
    assert diagnose(Question("", laws=(refused(ranged),)), P, as_data(1.5), cell=made)[0] == ranged
    assert asked == []
    inputs = [(1.0,), (2.0,)]
    law = lambda p, at, value: None if abs(value - at[0]) < 1e-6 else "No."
    spec = Question("", laws=(law,), inputs=lambda p, draw: inputs, arguments="x", wrap=lambda p, f: lambda x: f(x) + 0)
    slip = replace(spec, mistakes={"slip": lambda p: lambda x: x**3 + 1})
    data = calls_as_data(lambda x: x**3 + 1, inputs)
    assert diagnose(slip, P, data, inputs, cell=made) == ["This looks like a typical mistake: slip.", "No. (at 1.)"]
    assert asked == []
    diagnose(spec, P, data, inputs, cell=made)
    ((one, judge),) = asked
    assert one.others == () and one.source == made.source  # many calls leave nothing to chance
    assert judge(lambda x: x, None) and not judge(lambda x: x**3, None)  # it holds at every state, or it does not


def test_numbers_are_searched_unless_all_of_them_are_whole(monkeypatch):
    """A whole number is one of a few answers; a list of which one is not, is none."""
    asked = []
    monkeypatch.setattr(repair, "find_wrong_part", lambda one, judge: asked.append(one.source))
    monkeypatch.setattr(slips, "find_mistake", lambda question, p, samples, formula, search: search())
    monkeypatch.setattr(slips, "is_vague", lambda *given: True)
    for values, searched in (([2.0, 1.0], False), ([2.0, 1.5], True), ([2.5, 1.5], True)):
        asked.clear()
        diagnose(Question("", laws=(refused(),), shape=(2,)), P, as_data(values), cell=Cell(str(values), "x", {}))
        assert asked == [str(values)] * searched


def test_a_changed_cell_is_right_if_all_of_it_is_finite(monkeypatch):
    """A formula of which an entry has no real value holds no law."""
    judges = []
    monkeypatch.setattr(repair, "find_wrong_part", lambda one, judge: judges.append(judge))
    monkeypatch.setattr(slips, "find_mistake", lambda question, p, samples, formula, search: search())
    monkeypatch.setattr(slips, "is_vague", lambda *given: True)
    law = lambda p, at, value: None if value[0] == at["m"] else "No."
    spec = Question("", names="m", shape=(2,), laws=(law,))
    diagnose(spec, P, as_data(["2*m", "m"]), cell=Cell("", "x", {}))
    (judge,) = judges
    assert judge(["m", "7"], None) and not judge(["m", "m*sqrt(-1)"], None) and not judge(["2*m", "7"], None)
    assert not judge(["m", "7+"], None)  # nor what cannot be read


def test_a_slip_is_told_where_every_law_that_fails_is_vague(monkeypatch):
    """One that names a mistake leaves nothing to add, whatever the others say, and so does what is not finite."""
    monkeypatch.setattr(slips, "find_mistake", lambda *given: Said("It is a slip."))
    monkeypatch.setattr(slips, "is_vague", lambda question, p, law, at, value, sentence: sentence == "Vague.")
    vague, clear = refused("Vague."), refused("Clear.")
    for asked, found in (
        ((vague,), ["Vague.", "It is a slip."]),
        ((vague, vague), ["Vague.", "It is a slip."]),
        ((clear, vague), ["Clear.", "Vague."]),
        ((vague, clear), ["Vague.", "Clear."]),
    ):
        assert diagnose(Question("", laws=asked), P, as_data(1.5)) == found
    inputs = [(0,), (2,)]
    everywhere = Question("", laws=(clear, refused("Not.")), inputs=lambda p, draw: inputs, arguments="a")
    called = diagnose(everywhere, P, {"calls": [as_data(1.5)] * 2}, inputs)
    assert called == ["Clear. (at 0)", "Not. (at 0)"]  # each law is told once
    monkeypatch.setattr(slips, "is_vague", lambda *given: True)
    nowhere = diagnose(Question("", names="m", laws=(vague,)), P, as_data("m*sqrt(-1)"))
    assert nowhere == ["It is not a finite real number everywhere."]


def test_a_score_is_the_worst_of_all_states():
    """None where a question has none."""
    inputs = [(1.0,), (3.0,), (2.0,)]
    spec = Question("", inputs=lambda p, draw: inputs, score=("N m", lambda p, at, value: at[0] * value))
    assert (
        scored(spec, P, {"calls": [as_data(2.0)] * 3}, inputs) == pytest.approx(6.0)
        and scored(Question(""), P, as_data(2.0)) is None
    )
    assert (
        told_score(spec, 6.0) == "Your score: 6 N m; less is better."
        and told_score(spec, 0.0123456) == "Your score: 0.0123 N m; less is better."
    )


def test_a_dict_of_a_call_is_a_dict_of_arrays():
    """In the shape asked for."""
    seen = []
    spec = Question("", shape=None, inputs=lambda p, draw: [(1.0,)], laws=(lambda p, at, value: seen.append(value),))
    assert diagnose(spec, P, {"calls": [as_data({"a": [[1, 2]], "b": 3})]}, [(1.0,)]) == []
    assert seen[0]["a"].shape == (1, 2) and seen[0]["b"].shape == ()
    spec = replace(spec, shape=(2,))
    diagnose(spec, P, {"calls": [as_data([[1.0], [2.0]])]}, [(1.0,)])
    assert seen[1].shape == (2,) and question.arrays(as_data("2*3")) == 6.0


# ---- which names a cell defines ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "known"),
    [
        ("x = 1", True), ("  x = 1", True), ("x=1", True), ("x: float = 2", True), ("def x(a):", True), ("def x (a):", True), ("y, x = 1, 2", True), ("(x, y) = f()", True), ("y = x = 3", False), ("a = 1\nx = 2", True), ("x = ...", False), ("x = ...  # yours", False), ("x = ... + 1", True), ("x == 1", False), ("xy = 1", False),
        ("print(x)", False), ("x", False), ("x += 1", False), ("y = x", False), ("for x in y:", False), ("def y(x):", False), ("# x = 1", False), ("x = ...\nx = 2", True), ("x" + " " * 1998 + "= 1", True), ("x" + " " * 1999 + "= 1", False), ("", False), ("x, y == 1", False),
    ],
)  # fmt: skip
def test_a_cell_defines_what_it_gives_a_value(source, known):
    """As a name, a function, or one of several; what is still open is not."""
    assert defines(source, "x") == known
    assert defines(source.replace("x", "a_b2"), "a_b2") == known or len(source) > 1000


# ---- counts of tries and hints ------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_tries_are_counted_until_an_answer_holds(folder):
    """Another answer is one, the same again is none, what was not written yet is none; hints count the highest."""
    record = Record("tiny", "ada")
    assert record.said().startswith("Beside this notebook, tiny-tries.json counts")
    assert record.tried("a", as_data(1.0)) == {"tries": 1, "hints": 0} == record.tried("a", as_data(1.0))
    assert record.tried("a", {"calls": [{"error": "NotImplementedError: "}]}) == {"tries": 1, "hints": 0}
    record.hinted("a", 2)
    record.hinted("a", 1)
    assert record.tried("a", as_data(2.0)) == {"tries": 2, "hints": 2} and record.tried("b", as_data(2.0)) == {
        "tries": 1,
        "hints": 0,
    }
    assert record.tried("a", as_data(1.0)) == {"tries": 3, "hints": 2}
    record.held("a")
    record.hinted("a", 3)
    assert record.tried("a", as_data(9.0)) == {"tries": 3, "hints": 2} == Record("tiny", "ada").tried("a", as_data(8.0))
    record.predicted("c", as_data(4.0))
    assert Record("tiny", "ada").predictions() == {"c": as_data(4.0)} and Record("tiny", "eve").predictions() == {}
    eve = Record("tiny", "eve")
    assert eve.tried("a", as_data(1.0)) == {"tries": 1, "hints": 0}
    kept = json.loads((folder / "tiny-tries.json").read_text("utf8"))
    assert set(kept) == {"ada", "eve"} and set(kept["ada"]) == {"a", "b", "c"}
    assert set(kept["ada"]["a"]) == {"tries", "hints", "last", "holds", "first"} and len(kept["ada"]["a"]["last"]) == 8


@pytest.mark.parametrize(
    "kept",
    ["", "[]", "7", "{", '{"ada": 3}', '{"ada": {"a": 3}}', '{"ada": {"a": {"tries": 5}}}', '{"ada": {"a": {"tries": "5", "hints": 0, "last": "", "holds": false}}}', '{"ada": {"a": {"tries": 5, "hints": 0.5, "last": "", "holds": false}}}', '{"ada": {"a": {"tries": 5, "hints": 0, "last": "", "holds": false, "more": 1}}}', '{"ada": {"a": {"tries": true, "hints": true, "last": "", "holds": false}}}'],
)  # fmt: skip
def test_a_record_that_somebody_wrote_into_begins_anew(folder, kept):
    """What is not as it was written counts for nothing, and stops nothing."""
    (folder / "tiny-tries.json").write_text(kept, "utf8")
    record = Record("tiny", "ada")
    assert record.predictions() == {} and record.tried("a", as_data(1.0)) == {"tries": 1, "hints": 0}
    record.hinted("a", 2)
    assert Record("tiny", "ada").tried("a", as_data(1.0)) == {"tries": 1, "hints": 2}


def test_a_record_of_an_older_form_goes_on(folder):
    """One without predictions."""
    (folder / "tiny-tries.json").write_text(
        '{"ada": {"a": {"tries": 5, "hints": 1, "last": "", "holds": false}}}', "utf8"
    )
    assert Record("tiny", "ada").tried("a", as_data(1.0)) == {"tries": 6, "hints": 1}


def test_where_no_file_can_be_written_the_kernel_counts(folder):
    """A folder stands in its place."""
    (folder / "tiny-tries.json").mkdir()
    record = Record("tiny", "ada")
    assert [record.tried("a", as_data(float(k)))["tries"] for k in range(3)] == [1, 2, 3]


# ---- a session ----------------------------------------------------------------------------------------------------------


QUESTIONS = {
    "number": Question("", laws=(law_of(lambda p, at: p.a),), hints=("One.", "Two.", "Three.")),
    "function": Question("", laws=(law_of(lambda p, at: p.a * at[0]),), inputs=lambda p, draw: [(np.array(draw.uniform(1, 2)),) for _ in range(2)], arguments="x"),
    "told": Question("", laws=(law_of(lambda p, at: at[0]),), inputs=lambda p, draw: [(np.array(draw.uniform(1, 2)),)], arguments="x", telling=True),
    "choice": Question("", laws=(laws.chosen(3),), prediction=True, show=lambda p: f"shown {p.a}"),
    "scored": Question("", laws=(), score=("kg", lambda p, at, value: value)),
    "read": Question("", judged="person"),
    "wrapped": Question("", laws=(law_of(lambda p, at: 2 * at[0]),), inputs=lambda p, draw: [(1.0,)], arguments="x", wrap=lambda p, f: lambda x: 2 * f(x)),
    "numpy": Question("", laws=(lambda p, at, value: missing("numpy"),), show=lambda p: missing("numpy")),
    "other": Question("", laws=(lambda p, at, value: missing("scipy"),), show=lambda p: missing("scipy")),
}  # fmt: skip


def missing(name):
    """What happens where a package is not there."""
    raise ModuleNotFoundError(f"this needs {name}", name=name)


@pytest.fixture
def tiny(monkeypatch, folder):
    """An assignment of a few questions."""
    given = types.SimpleNamespace(
        parameters=lambda draw: {"a": round(draw.uniform(2, 9), 3)},
        CALLED={"function": {"inputs": QUESTIONS["function"].inputs, "arguments": "x"}},
    )
    monkeypatch.setitem(sys.modules, "coursework.given.tiny", given)
    monkeypatch.setitem(sys.modules, "coursework.questions.tiny", types.SimpleNamespace(QUESTIONS=QUESTIONS))
    monkeypatch.setattr(session, "_now", session.Session())
    monkeypatch.setattr(session, "_cell", types.SimpleNamespace(followed=False, before={}, failed=None))

    def begin(student="ada", seed=None):
        return check.begin("tiny", student, seed)

    return begin


def printed(capsys):
    """What was printed, in one line."""
    return " ".join(capsys.readouterr().out.split())


def test_a_student_has_numbers_of_his_own(tiny, capsys):
    """Whatever the case of the id, its spaces, and how its letters are written; without an id those of an example."""
    numbers = {name: tiny(name).a for name in ("ada", " Ada ", "bob", "Änne", "A\u0308nne", 4711, "4711")}
    assert (
        numbers["ada"] == numbers[" Ada "] != numbers["bob"]
        and numbers["Änne"] == numbers["A\u0308nne"]
        and numbers[4711] == numbers["4711"]
    )
    assert printed(capsys) == ""
    tiny(" ")
    assert printed(capsys) == "Write your student id in this cell: until then the numbers are those of an example."
    p = tiny()
    p.a = 0.0
    check.answer("number", tiny().a)
    assert printed(capsys) == "number: every check holds."


def test_an_answer_is_told_what_the_checks_find(tiny, capsys):
    """Every kind of sentence; what it is called with; a score; what takes long."""
    a = tiny().a
    check.answer("number", -a)
    assert printed(capsys) == 'number: Another one is right. It has the opposite sign. For a hint: check.hint("number")'
    check.answer("number", ...)
    assert printed(capsys) == "number: not answered yet: in the cell above, write your answer and run the cell."
    check.answer("function", lambda x: a * x)
    assert printed(capsys) == "function: every check holds."
    check.answer("function", a)
    assert printed(capsys).startswith(
        "function: The answer is of type float, where a function is asked for. For a hint"
    )
    check.answer("wrapped", lambda x: x)
    check.answer("wrapped", lambda x: 2 * x)
    assert printed(capsys).startswith("wrapped: every check holds. wrapped: Another one is right.")
    check.answer("scored", 2.5)
    assert printed(capsys) == "scored: every check holds. Your score: 2.5 kg; less is better."

    def changing(x):
        x *= a
        return x

    check.answer("function", changing)
    assert (
        printed(capsys)
        == "function: every check holds. Your function changes what it is given: it was called with copies. Better work on copies yourself."
    )
    with pytest.raises(ValueError, match=r"question must be one of number, function, .*, got 'none'"):
        check.answer("none", 1)


def test_what_is_said_is_no_wider_than_a_page(tiny, capsys, monkeypatch):
    """Lines of at most 104 characters, and filled."""
    monkeypatch.setitem(QUESTIONS, "wordy", Question("", laws=(refused("a " * 300),)))
    tiny()
    check.answer("wordy", 1.5)
    widths = [len(line) for line in capsys.readouterr().out.splitlines()]
    assert max(widths) in (103, 104) and len(widths) > 5


def test_assignments_lie_in_a_clone_or_in_the_package(tmp_path, monkeypatch):
    """What stands in the package wins; a folder that is not there is none."""
    monkeypatch.setattr(session, "__file__", str(tmp_path / "packages/coursework/src/coursework/check/session.py"))
    package = tmp_path / "packages" / "coursework" / "src" / "coursework"
    clone, wheel = tmp_path / "exercises", package / "exercises"
    assert session.assignment_folders() == []
    for folder, name in ((clone, "one"), (clone, "two"), (wheel, "two"), (wheel, "three"), (tmp_path, "none")):
        (folder / name).mkdir(parents=True)
        (folder / name / "given.py").write_text("", "utf8")
    (package / "check").mkdir()
    (package / "check" / "given.py").write_text("", "utf8")
    assert session.assignment_folders() == [wheel, clone]
    monkeypatch.setattr(session, "__file__", str(tmp_path / "lib/site-packages/coursework/check/session.py"))
    assert session.assignment_folders() == []  # nothing beside an installed package is taken for a clone
    monkeypatch.setattr(session, "__file__", str(package / "check" / "session.py"))
    found = session.assignment_files("given")
    assert found == {name: (clone if name == "one" else wheel) / name / "given.py" for name in ("one", "two", "three")}


@pytest.mark.parametrize(
    ("seconds", "words"), [(9.9, ""), (10.0, ""), (10.4, " This took 10 s: when it is graded, a cell has 30 s.")]
)
def test_an_answer_that_takes_long_is_told_so(tiny, capsys, monkeypatch, seconds, words):
    """Longer than ten seconds, without the checks."""
    clock = [0.0]
    monkeypatch.setattr(session, "time", types.SimpleNamespace(monotonic=lambda: clock[0]))
    a = tiny().a

    def slow(x):
        clock[0] += seconds / 2
        return a * x

    check.answer("function", slow)
    assert printed(capsys) == f"function: every check holds.{words}"


def test_what_needs_numpy_says_so(tiny, capsys):
    """In an answer, in what is shown, in the progress; what else is missing is an error."""
    tiny()
    check.answer("numpy", 1.0)
    assert check.show("numpy") is None
    assert printed(capsys) == "numpy: this needs numpy. numpy: this needs numpy."
    check.progress()
    assert "numpy: needs NumPy" in capsys.readouterr().out
    for call in (lambda: check.answer("other", 1.0), lambda: check.show("other")):
        with pytest.raises(ModuleNotFoundError, match="scipy"):
            call()


def test_progress_and_hints_are_those_of_the_session(tiny, capsys):
    """Parts that a machine judges; hints one after another, or the one asked for."""
    a = tiny().a
    check.answer("number", a)
    check.answer("choice", 7)
    capsys.readouterr()
    check.progress()
    said_of = capsys.readouterr().out.splitlines()
    assert (
        said_of[0] == "1 of 8 parts hold."
        and "  choice: does not hold yet" in said_of
        and "  function: not answered yet" in said_of
        and not any("read" in line or "number" in line for line in said_of)
    )
    for level in (None, None, 1, None, None, None, 3, 4, 0):
        check.hint("number", level)
    assert capsys.readouterr().out.splitlines() == [
        "number, hint 1 of 3: One.", "number, hint 2 of 3: Two.", "number, hint 1 of 3: One.", "number, hint 2 of 3: Two.", "number, hint 3 of 3: Three.", "number: there are 3 hints, and you have seen them all.",
        "number, hint 3 of 3: Three.", "number: there are 3 hints, and you have seen them all.", "number: there are 3 hints, and you have seen them all.",
    ]  # fmt: skip
    check.hint("scored")
    assert printed(capsys) == "There is no hint."
    tiny()
    check.hint("number", 9)
    assert printed(capsys) == "number: there are 3 hints."


def test_a_prediction_is_locked_and_opens_what_is_shown(tiny, capsys):
    """The first of the right form; another is told, and the first is what is handed in."""
    a = tiny().a
    assert check.show("choice") is None
    check.answer("choice", 9)
    check.answer("choice", 2)
    assert check.show("choice") == f"shown {a}"
    said_of = printed(capsys)
    assert said_of.startswith(
        "choice: predict first: this cell shows what happens once a prediction is handed in above. choice: Choose one of the numbers from 1 to 3."
    ) and said_of.endswith('choice: your prediction is locked; check.show("choice") shows what happens.')
    check.answer("choice", 2)
    assert "stays" not in printed(capsys)
    check.answer("choice", 3)
    assert printed(capsys).startswith(
        "choice: your first prediction, 2, stays; this other one is not handed in here. choice: your prediction is locked"
    )
    handed = []
    session.catch(lambda question, data: handed.append((question, data)))
    check.answer("choice", 1)
    session.catch(None)
    assert handed == [("choice", as_data(2))]
    with pytest.raises(ValueError, match="number has nothing to show"):
        check.show("number")
    assert (
        session._number_in(as_data([1.0, 2.0])) == ""
        and session._number_in(as_data("m")) == ""
        and session._number_in(as_data(math.nan)) == ""
        and session._number_in(as_data(0.25)) == ", 0.25,"
    )


def test_where_it_is_graded_nothing_is_said(tiny, capsys):
    """Answers become data at the states of the seed; states that tell come with it; no hint, no progress, no placeholder."""
    text = session.with_drawn_states("tiny", "ada", "secret")
    assert (
        text.startswith("secret {")
        and session.seeds(text)[0] == "secret"
        and session.seeds(None) == (None, {})
        and session.seeds("secret") == ("secret", {})
        and session.seeds("") == ("", {})
    )
    expected = QUESTIONS["told"].states(P, "secret|told")
    handed = {}
    session.catch(handed.__setitem__)
    tiny("ada", text)
    seen = []
    check.answer("told", lambda x: seen.append(float(x)) or 1.0)
    check.answer("function", lambda x: x)
    check.answer("number", ...)
    check.answer("number", 5.0)
    check.hint("number")
    check.progress()
    assert check.show("choice") is None
    session.catch(None)
    assert seen == [float(expected[0][0])] and set(handed) == {"told", "function", "number"} and printed(capsys) == ""
    inputs = QUESTIONS["function"].states(P, "secret|function")
    assert handed["function"] == calls_as_data(lambda x: x, inputs) and handed["number"] == as_data(5.0)
    assert session.with_drawn_states("tiny", "ada", "secret") == text


def test_a_grade_begins_where_the_questions_are_not_there(tiny, monkeypatch):
    """What is known of the answers is not beside the student's code."""
    expected = tiny("ada").a
    monkeypatch.delitem(sys.modules, "coursework.questions.tiny")
    assert tiny("ada", "secret").a == expected


def test_a_notebook_is_begun_before_it_is_answered(tiny):
    """Else that is told."""
    for call in (
        lambda: check.answer("number", 1),
        check.progress,
        lambda: check.hint("number"),
        lambda: check.show("number"),
    ):
        with pytest.raises(RuntimeError, match=r"run the cell that calls check.begin first"):
            call()


@pytest.mark.parametrize("name", ["Tiny", "1x", "../x", "a_b", "", "a b", None])
def test_an_assignment_has_a_name_of_small_letters(name):
    """Digits and hyphens; nothing that leads elsewhere; and there must be one."""
    with pytest.raises(ValueError, match="assignment must be a name like two-link"):
        session.assignment_module(name)
    with pytest.raises(ValueError, match="there is no assignment 'no-such2' in this version of robotdyn"):
        session.assignment_module("no-such2")


# ---- in a notebook ------------------------------------------------------------------------------------------------------


@pytest.fixture
def shell(tiny, monkeypatch):
    """A notebook's shell in which the assignment was begun, and what its cells publish."""
    from IPython.core.interactiveshell import InteractiveShell

    InteractiveShell.clear_instance()
    one, published = InteractiveShell.instance(), []
    monkeypatch.setattr(one.display_pub, "publish", lambda data, **more: published.append(data))
    one.published = published
    one.run = lambda source: one.run_cell(source, store_history=True)
    yield one
    InteractiveShell.clear_instance()


def test_what_a_cell_hands_in_is_published_with_its_counts(shell, capsys):
    """As data of a kind of its own, with an empty text; the record is told when it begins, and is kept for the next kernel."""
    shell.run("from robotdyn import check\np = check.begin('tiny', 'ada')")
    assert printed(capsys).startswith("Beside this notebook, tiny-tries.json counts how often you try")
    shell.run("check.answer('number', 1.5)")
    shell.run("check.hint('number')\ncheck.answer('number', 2.5)")
    shell.run("check.answer('number', p.a)")
    shell.run("check.answer('number', 7.5)")
    shell.run("check.answer('choice', 2)")
    records = [one[session.MIME] for one in shell.published]
    assert [one["text/plain"] for one in shell.published] == [""] * 5 and {one["robotdyn"] for one in records} == {1}
    assert [one["record"] for one in records] == [
        {"tries": 1, "hints": 0},
        {"tries": 2, "hints": 1},
        {"tries": 3, "hints": 1},
        {"tries": 3, "hints": 1},
        {"tries": 1, "hints": 0},
    ]
    assert records[0]["question"] == "number" and records[0]["data"] == as_data(1.5)
    shell.run("p = check.begin('tiny', 'ada')\ncheck.answer('choice', 3)")
    assert shell.published[-1][session.MIME]["data"] == as_data(2)
    capsys.readouterr()
    shell.run("p = check.begin('tiny', 'ada', count=False)\ncheck.answer('number', 3.5)")
    assert "record" not in shell.published[-1][session.MIME] and "Beside" not in printed(capsys)
    shell.run("p = check.begin('tiny', '')")
    assert "Beside" not in printed(capsys)
    followed = {name: len(calls) for name, calls in shell.events.callbacks.items()}
    shell.run("p = check.begin('tiny', 'ada', count=False)")  # cells are followed once, however often it begins
    assert {name: len(calls) for name, calls in shell.events.callbacks.items()} == followed


def test_an_old_answer_is_not_handed_in_for_one_whose_cell_failed(shell, capsys):
    """Only where the cell that failed should have made it, and did not."""
    for code in ("from robotdyn import check; p = check.begin('tiny', 'ada', count=False)", "x = 1.5", "check.answer('number', x)", "1 / 0\nx = 2.5", "check.answer('number', x)", "x = 3.5\n1 / 0", "check.answer('number', x)",
                 "1 / 0", "check.answer('number', x)", "x = = 2", "check.answer('number', x)", "y = 1\nx = 4.5", "check.answer('number', x)", "1 / 0\nx = ...", "check.answer('number', x)", "raise KeyError\nx = 9", "check.answer('number', x)"):  # fmt: skip
        shell.run(code)
    error = lambda name: {"error": name}
    data = [one[session.MIME]["data"] for one in shell.published]
    assert data == [
        as_data(1.5),
        error("ZeroDivisionError"),
        as_data(3.5),
        as_data(3.5),
        error("SyntaxError"),
        as_data(4.5),
        as_data(4.5),
        error("KeyError"),
    ]
    assert (
        "The cell that should make this answer stopped with ZeroDivisionError: an older one was handed in."
        in printed(capsys)
    )


def test_the_cell_of_an_answer_is_the_last_that_made_it(shell, capsys, monkeypatch):
    """Not a longer one than is searched, not the one that hands it in; with the student's numbers, and those of two others."""
    seen = []
    monkeypatch.setattr(slips, "find_mistake", lambda *given: seen.append(given[4]))
    monkeypatch.setattr(repair, "find_wrong_part", lambda one, judge: seen.append(one))
    monkeypatch.setattr(slips, "is_vague", lambda *given: True)
    for code in (
        "from robotdyn import check; p = check.begin('tiny', 'ada', count=False)",
        "x = 11.5",
        "x = 12.5 + 1",
        "y = x + 1",
        "_z = x",
        "check.answer('number', x)",
    ):
        shell.run(code)
    seen[0]()
    (search, one) = seen
    assert one.source == "x = 12.5 + 1" and one.name == "x" and one.parameters == ("p",) and len(one.others) == 2
    assert len({other.a for other in one.others} | {shell.user_ns["p"].a}) == 3 and one.names is shell.user_ns
    for name, length, found in (("long", 4000, True), ("longer", 4001, False)):
        seen.clear()
        source = f"{name} = 17.{length}"
        shell.run(source + " " * (length - len(source) - 1) + "#")
        shell.run(f"check.answer('number', {name})")
        assert (seen[0] is not None) == found
    seen.clear()
    shell.run("check.answer('number', 99.5)")
    assert seen == [None]
