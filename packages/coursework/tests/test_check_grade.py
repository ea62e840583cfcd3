"""A check and a grade say the same of every answer: planted, in another form, almost right, of the wrong kind."""

import contextlib
import copy
import functools
import io
from functools import partial
from unittest import mock

import numpy as np
import pytest
import sympy as sp
from test_check_assignments import KEYS, NAMES, SOURCES, planted

from coursework import check
from coursework.check import session, slips
from coursework.check.session import assignment_module, parameters_of
from coursework.grading.compare import judge
from coursework.grading.graft import role_of, with_identity
from coursework.grading.key import references

STUDENT = "bob"  # what is hard-coded in planted answers are the numbers of ada
QUESTIONS = [(name, question) for name in NAMES for question in KEYS[name].points]
LONG = {  # whose laws move arms
    ("simulation", "controller"),
    ("hands", "hand-torque"),
    ("control", "find-the-bug"),
    ("control", "error-equation"),
}


def kind(name, question):
    """The kind of an answer: a value, a formula, a plot, a function; its form; who judges it, and how."""
    spec = assignment_module(name).QUESTIONS[question]
    form = "computed" if callable(spec.shape) else spec.shape and len(spec.shape)
    parts = (spec.inputs, spec.wrap, spec.names, spec.prediction, spec.telling, spec.unseen, spec.score)
    return form, spec.judged, question.startswith("plot"), *map(bool, parts)


FIRST = {kind(*one): one for one in reversed(QUESTIONS) if one not in LONG}  # of each kind; the others take minutes
GAPS = (1e-2, 1e-3, 3e-4, 1.5e-4, 0.7e-4, 1e-5, 1e-7, 1e-9)
NUMBERS = [
    "matrix",
    "float32",
    "complex",
    "nan",
    *(f"{n} decimals" for n in range(7)),
    *(f"{gap} larger" for gap in GAPS),
]
FORMS = ["None", "text", "symbol", "dict", "tuple of lstsq", "ravel", "column", "row", "transposed", "reversed", "one more axis",
         "list", "tuple", "first", "list of texts", "negative", "SymPy matrix", *NUMBERS]  # fmt: skip


@functools.cache
def solved(name):
    """The names of a solved notebook, and {question: the live answer}."""
    space = {"__name__": "student"}
    return space, handed_in(
        [with_identity(cell.source, STUDENT, None) for cell in SOURCES[name].cells if cell.cell_type == "code"], space
    )


def handed_in(cells, space):
    """What cells hand in, {question: the live answer}; one that fails hands in nothing."""
    live, real = {}, check.answer
    check.answer = live.__setitem__
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for source in cells:
                with contextlib.suppress(Exception):
                    exec(source, space)
    finally:
        check.answer = real
    return live


def told(name, question, value):
    """Whether the check of a student's own notebook holds, and what it says."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        check.begin(name, STUDENT)
        check.answer(question, value)
    return session._now.holds.get(question, False), " ".join(said.getvalue().split())  # wherever a line ends


SEEDS = {
    "as in the notebook": lambda name: f"visible|{name}|{STUDENT}",
    "secret": lambda name: KEYS[name].seed_of(STUDENT),
}


@functools.cache
def expected(name, seed):
    """The solution at the states of a seed."""
    key = KEYS[name]
    return references(type("Seeded", (type(key),), {"seed_of": lambda self, student: seed})(**vars(key)), STUDENT)


@mock.patch.object(slips, "find_mistake", lambda *anything: None)  # words beside the laws': `told` has asked for them
def points(name, question, value, seed):
    """The points that an answer earns at the states of a seed, and what is said."""
    found = {}
    session.catch(found.__setitem__)
    try:
        check.begin(name, STUDENT, seed)
        check.answer(question, value)
    finally:
        session.catch(None)
    spec, p, most = (
        assignment_module(name).QUESTIONS[question],
        parameters_of(name, STUDENT),
        KEYS[name].points[question],
    )
    inputs, hidden = spec.states(p, f"{seed}|{question}"), f"{KEYS[name].points_seed_of(STUDENT)}|{question}"
    verdict = judge(spec, most, p, expected(name, seed)[question], found.get(question), inputs, hidden)
    return verdict.points, verdict.sentences


def differs(name, question, value):
    """In words: where check and grade say different things of an answer; else nothing.

    A person reads what the check could not; what the check calls close may have its points, as a margin for rounding.
    """
    holds, said = told(name, question, value)
    for kind, seed in SEEDS.items():
        earned, sentences = points(name, question, value, seed(name))
        right = earned == KEYS[name].points[question]
        unread = earned is None and any(
            words in said for words in ("cannot be read", "The answer is", "not answered yet")
        )
        if not (right if holds else unread or earned == 0.0 or (right and "It is close" in said)):
            return f"{kind}: the check says {said!r}, the grade is {earned}: {sentences}"
    return ""


@pytest.mark.parametrize(
    ("name", "question"),
    [pytest.param(*one, marks=[pytest.mark.slow] * (one not in FIRST.values())) for one in QUESTIONS],
)
def test_check_and_grade_agree(name, question):
    """On the solution in every form, near misses, answers of the wrong kind, and all planted wrong ones."""
    space, live = solved(name)
    tried = dict(forms(live[question]))
    if assignment_module(name).QUESTIONS[question].wrap:  # from another start another motion, which may reach a limit
        tried = {words: value for words, value in tried.items() if words not in NUMBERS}
    cells = {
        role: with_identity(cell.source, STUDENT, None)
        for cell in SOURCES[name].cells
        for role, asked in [role_of(cell)]
        if asked == question
    }
    for number, (code, _) in enumerate(planted(name)[question]):
        tried[f"planted {number}"] = handed_in([code, cells["answer"]], dict(space)).get(question, ...)
    assert len(tried) > 15
    found = {words: said for words, value in tried.items() if (said := differs(name, question, value))}
    assert found == {}


def forms(value):
    """An answer in other forms, almost right, and of the wrong kind: words and answer, those that take long last."""
    if callable(value):
        yield from functions(value)
        return
    if hasattr(value, "get_lines"):
        yield from plots(value)
        return
    yield from ((words, made()) for words, made in others(value))


def others(value):
    """The same of an answer that is no function and no plot: words, and what makes the answer."""
    yield "same", lambda: value
    yield "None", lambda: None
    yield "tuple of lstsq", lambda: (value, np.array([1.0]), 2, np.array([1.0, 2.0]))
    yield "dict", lambda: {"answer": value}
    yield "text", lambda: str(value)
    array = np.array(value, dtype=object)
    yield "array", lambda: array
    yield "ravel", lambda: array.ravel()
    yield "column", lambda: array.reshape(-1, 1)
    yield "row", lambda: array.reshape(1, -1)
    yield "transposed", lambda: array.T
    yield "reversed", lambda: array.ravel()[::-1]
    yield "one more axis", lambda: array[None]
    yield "list", lambda: array.tolist()
    yield "tuple", lambda: tuple(array.tolist()) if array.ndim else (value,)
    yield "first", lambda: array.ravel()[0]
    yield "list of texts", lambda: [str(entry) for entry in array.ravel()]
    yield "negative", lambda: -array
    if not any(isinstance(entry, sp.Basic) for entry in array.ravel()):
        numbers = np.array(value, dtype=float)
        yield "matrix", lambda: np.matrix(numbers) if numbers.ndim <= 2 else numbers
        yield "float32", lambda: numbers.astype(np.float32)
        yield "complex", lambda: numbers + 0j
        yield "nan", lambda: numbers * np.nan
        for digits in range(7):
            yield f"{digits} decimals", partial(numbers.round, digits)
        for gap in GAPS:
            yield f"{gap} larger", partial(np.multiply, numbers, 1 + gap)
    else:
        yield "expanded", lambda: [sp.expand(entry) for entry in array.ravel()] if array.ndim else sp.expand(value)
        yield "rounded numbers", lambda: [sp.N(entry, 4) for entry in array.ravel()]
        yield "times 1.0001", lambda: array * 1.0001
        yield "text of it", lambda: [str(entry) for entry in array.ravel()] if array.ndim else str(value)
    yield "symbol", lambda: array * sp.Symbol("q_1")
    if array.ndim <= 2:
        yield "SymPy matrix", lambda: sp.Matrix(array.tolist() if array.ndim else [value])


def in_form(words, value):
    """An answer in the form of these words; no other form is made."""
    return next(made() for name, made in others(value) if name == words)


def functions(function):
    """Functions that give the same in another form, or change their arguments."""

    def with_result(change):
        return functools.wraps(function)(lambda *given: change(function(*given)))

    def changing(*given):
        found = function(*given)
        for one in given:
            if isinstance(one, np.ndarray):
                one += 1
        return found

    def changing_first(*given):
        for one in given:
            if isinstance(one, np.ndarray):
                one += 1
                one -= 1
        return function(*given)

    yield "itself", function
    yield "changes", changing
    yield "changes back", changing_first
    yield "stops", lambda *given: 1 / 0
    yield "without return", lambda *given: None
    yield "partial", functools.partial(function)
    yield "no function", 3.0
    yield "no argument", lambda: 1

    def form(words):
        def change(found):
            if isinstance(found, dict):
                return {key: in_form(words, np.array(part)) for key, part in found.items()}
            return in_form(words, found)

        return change

    for words in FORMS:
        yield words, with_result(form(words))


def plots(ax):
    """Plots with other words, of other parts."""

    def changed(change):
        other = copy.deepcopy(ax.figure).axes[0]
        change(other)
        return other

    line = ax.get_lines()[0]
    x, y = line.get_data()
    yield "itself", ax
    yield "figure", ax.figure
    yield "line", line
    yield "None", None
    yield "swapped", changed(lambda a: a.set(xlabel=ax.get_ylabel(), ylabel=ax.get_xlabel()))
    yield "no words", changed(lambda a: a.set(xlabel="", ylabel=""))
    yield "no units", changed(lambda a: a.set(xlabel="time", ylabel="angle"))
    yield "degrees", changed(lambda a: a.get_lines()[0].set_data(np.degrees(x), y))
    yield "half", changed(lambda a: a.get_lines()[0].set_data(x[: len(x) // 2], y[: len(y) // 2]))
    yield "few points", changed(lambda a: a.get_lines()[0].set_data(x[::12], y[::12]))
    yield "reversed", changed(lambda a: a.get_lines()[0].set_data(x[::-1], y[::-1]))
    yield "rounded", changed(lambda a: a.get_lines()[0].set_data(x, np.round(y, 2)))
    yield "negative", changed(lambda a: a.get_lines()[0].set_data(x, -y))
    yield "two axes", [ax, ax]
    yield "array", y
