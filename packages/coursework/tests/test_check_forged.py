"""Answers that are made to mislead the judge: it never stops with an error, never works for hours, never gives a point."""

import functools
import sys
from dataclasses import replace

import nbformat
import numpy as np
import pytest
import sympy as sp
from grading_kit import ROOT

from coursework.check import session
from coursework.check.agreement import agree, random_points
from coursework.check.data import as_data
from coursework.check.session import assignment_module, parameters_of
from coursework.grading.compare import MOST_WORDS, judge
from coursework.grading.key import make_key, references


@functools.cache
def made(assignment):
    """The key of an assignment, and the right answers."""
    notebook = nbformat.read(ROOT / "exercises" / assignment / f"{assignment}.ipynb", as_version=4)
    key = make_key(assignment, notebook, notebook, "seed")
    return key, references(key, "ada")


def judged(assignment, question, change):
    """The verdict on the right answer, changed."""
    (key, rights), p = made(assignment), parameters_of(assignment, "ada")
    spec, right = assignment_module(assignment).QUESTIONS[question], rights[question]
    inputs = spec.states(p, f"{key.seed_of('ada')}|{question}")
    assert judge(spec, 1.0, p, right, right, inputs).points == 1.0
    return judge(spec, 1.0, p, right, change(right), inputs)


@pytest.mark.parametrize("calls", [[], {}, None, 7])
def test_a_design_that_was_never_called_earns_nothing(calls):
    """Where laws judge there is no reference to count the calls of."""
    assert judged("simulation", "controller", lambda right: {"calls": calls}).points != 1.0


def test_an_energy_that_knows_when_it_is_called_earns_nothing():
    """A function that counts its calls makes any rate of change, and stores nothing: the solution tells."""

    def change(right):
        calls = [{**call, "numbers": [moving - resting, slope, bottom, 0.0]}
                 for call in right["calls"] for moving, slope, bottom, resting in [call["numbers"]]]  # fmt: skip
        return {"calls": calls}

    assert judged("control", "cannot-rise", change).points != 1.0


@pytest.mark.parametrize(
    ("assignment", "question"), [("bodies", "real-body"), ("unknown", "is-a-body"), ("hands", "write-the-test")]
)
def test_what_a_test_is_tried_on_is_drawn_outside_the_sandbox(assignment, question, monkeypatch):
    """Who draws it knows which of it should pass: a notebook read that from the module that drew it."""
    key, seen, found = made(assignment)[0], [], {}
    spec, p, seed = (
        assignment_module(assignment).QUESTIONS[question],
        parameters_of(assignment, "ada"),
        key.seed_of("ada"),
    )
    expected, text = spec.states(p, f"{seed}|{question}"), session.with_drawn_states(assignment, "ada", seed)
    alone = {name: module for name, module in sys.modules.items() if not name.startswith("coursework.questions.")}
    monkeypatch.setattr(sys, "modules", alone)
    files = session.assignment_files
    monkeypatch.setattr(session, "assignment_files", lambda part: files(part) if part == "given" else {})
    monkeypatch.setattr(session, "_now", session.Session())
    session.catch(found.__setitem__)
    session.begin(assignment, "ada", text)
    session.answer(question, lambda one: seen.append(one) or True)
    assert len(found[question]["calls"]) == len(expected) == len(seen)
    if not spec.wrap:
        assert all(np.array_equal(one, other) for one, (other,) in zip(seen, expected))
    with pytest.raises(ValueError, match="no assignment"):
        spec.states(p, f"{seed}|{question}")


@pytest.mark.parametrize("worth", ["nan", "inf"])
def test_a_line_that_is_nowhere_obeys_no_law(worth):
    """What is not a number is neither above nor below a bound."""
    nowhere = {"shape": [201], "numbers": [worth] * 201}
    for axes in ("xy", "y"):

        def change(right, axes=axes):
            return {**right, "curves": [right["curves"][0] | dict.fromkeys(axes, nowhere)]}

        assert judged("simulation", "plot-fall", change).points != 1.0


@pytest.mark.parametrize(
    ("assignment", "question"),
    [
        pytest.param("rp", "floating-slider", marks=pytest.mark.slow),
        ("lagrange", "frequency"),
        ("simulation", "identify"),
    ],
)
def test_no_number_is_so_large_or_so_small_that_laws_hold(assignment, question):
    """Rounding, underflow and what is not a number said that 1e20, 1e-200 and 1e308 were right."""
    for size in [*(10.0**e for e in range(3, 309, 5)), *(10.0**-e for e in range(3, 324, 5))]:
        for number in (size, -size, 2.7 * size):

            def change(right, number=number):
                return {**right, "numbers": [number] * len(right["numbers"])}

            assert judged(assignment, question, change).points == 0.0, number


@pytest.mark.parametrize(
    ("assignment", "question", "x", "y"),
    [("simulation", "plot-fall", [-1.0] * 10 + [0.0] + [3.0] * 10, 0.0),
     ("rp", "plot-holding", [-4.0] * 10 + [-np.pi / 2, np.pi / 2] + [4.0] * 10, 0.0)],
)  # fmt: skip
def test_a_line_through_places_that_anybody_knows_is_no_answer(assignment, question, x, y):
    """Twenty points, of which all but one or two lie beyond the range that is asked for."""
    line = {"x": {"shape": [len(x)], "numbers": x}, "y": {"shape": [len(x)], "numbers": [y] * len(x)}}
    verdict = judged(assignment, question, lambda right: {**right, "curves": [line]})
    assert verdict.points == 0.0 and "all along" in " ".join(verdict.sentences)


def nested(levels):
    data = {"shape": [], "numbers": [1]}
    for _ in range(levels):
        data = {"items": {"a": data}}
    return data


@pytest.mark.parametrize(
    "forged",
    [nested(900), {"shape": [], "text": ["I/(I-I)"]}, {"shape": [], "text": ["(I-I)**-1"]}, {"shape": [], "text": ["I**(1/(I-I))"]},
     {"shape": [2], "text": ["0**I", "(I*10**308)**2"]}],
)  # fmt: skip
def test_no_answer_stops_the_judge(forged):
    """An error of the judge would be a fault of the grader, for ever."""
    for assignment, question in (("two-link", "gravity"), ("simulation", "controller"), ("rp", "plot-holding")):
        for change in (lambda right: forged, lambda right: {**right, **dict.fromkeys(right, forged)},
                       lambda right: {"calls": [forged, forged]}):  # fmt: skip
            assert judged(assignment, question, change).points != 1.0


def test_a_formula_fitted_to_the_points_is_wrong_elsewhere():
    """The points of the checks are known to all; those of the judge are drawn from a seed that is not."""
    q, known = sp.Symbol("q_1"), [z.real for z in random_points(["q1"])["q1"]]
    fitted = sp.interpolate([(sp.Float(repr(x), 40), sp.Float(repr(float(np.cos(x))), 40)) for x in known], q)
    assert agree(as_data(sp.cos(q)), as_data(fitted)).holds is True
    assert agree(as_data(sp.cos(q)), as_data(fitted), seed="secret").holds is False


@pytest.mark.parametrize(("factor", "points"), [(1 + 1e-3, 1.0), (1.5, None), (-1.0, None), (1e12, None)])
def test_a_number_that_laws_accept_far_from_the_solution_waits_for_a_person(factor, points):
    """A law may have a hole that nobody saw: here it has nothing but holes."""
    (_, rights), p = made("lagrange"), parameters_of("lagrange", "ada")
    blind = replace(assignment_module("lagrange").QUESTIONS["frequency"], laws=())
    answer = {"shape": [], "numbers": [factor * rights["frequency"]["numbers"][0]]}
    assert judge(blind, 1.0, p, rights["frequency"], answer).points == points


def test_half_a_formula_goes_to_a_person():
    """Right where it has a value, but it has none at some points where the solution has one."""
    q = sp.Symbol("q_1")
    half = {"shape": [], "text": ["2*sin(q_1)/(1+sign(q_1+2))"]}
    assert any(z.real < -2 for z in random_points(["q1"])["q1"])
    assert agree(as_data(sp.sin(q)), half).holds is None


def test_the_work_of_the_judge_has_a_bound():
    """For all entries of an answer together: a person looks at more."""
    parts = "+".join(["q_1"] * 200_000)

    def points(text):
        return judged("two-link", "gravity", lambda right: {"shape": [2], "text": text}).points

    assert points([parts] * 2) is None and points(["q_1" + " " * 1_500_000] * 2) is None


def test_a_sentence_is_short_and_plain():
    """Also where it quotes what a student wrote."""
    name = "a" * 100_000
    (sentence,) = judged("two-link", "gravity", lambda right: {"shape": [2], "text": [name, "1"]}).as_dict()[
        "sentences"
    ]
    assert len(sentence) <= MOST_WORDS
    calls = [{"error": "\x1b[2J\r\n\x00" + name}] * 6
    for sentence in judged("two-link", "forward-dynamics", lambda right: {"calls": calls}).as_dict()["sentences"]:
        assert sentence.isprintable() and len(sentence) <= MOST_WORDS


def test_what_is_not_carried_out_is_the_same_answer():
    """Products, derivatives, blocks; functions of time with and without an underscore in their names."""
    t, x = sp.symbols("t x")
    a, b = sp.Function("q1")(t), sp.Function("q_1")(t)
    for one, other in (
        (sp.MatMul(sp.eye(2), sp.Matrix([[x, 1], [1, x]]), evaluate=False), [[x, 1], [1, x]]),
        (sp.BlockMatrix([[sp.Matrix([[x]]), sp.Matrix([[1]])]]), [x, 1]),
        (sp.Derivative(sp.sin(x), x), sp.cos(x)),
        (sp.Subs(sp.sin(t), t, x), sp.sin(x)),
        (sp.Tuple(x, 1), [x, 1]),
        ([sp.Tuple(x, 1), sp.Tuple(1, x)], [[x, 1], [1, x]]),
        (a.diff(t) * a.diff(t, 2), sp.Symbol("qd_1") * sp.Symbol("qdd_1")),
        (b.diff(t) * b.diff(t, 2), sp.Symbol("qd_1") * sp.Symbol("qdd_1")),
    ):
        assert agree(as_data(other), as_data(one)).holds is True, one
