"""Each assignment: its solution earns all points, an untouched notebook none, each planted wrong answer exactly its own."""

import contextlib
import functools
import importlib.util
import io
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

from coursework.check import session
from coursework.check.agreement import agree
from coursework.check.data import as_data, calls_as_data
from coursework.check.question import diagnose
from coursework.check.session import assignment_module, parameters_of

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")

from coursework.grading.compare import MARGIN
from coursework.grading.graft import role_of, with_identity
from coursework.grading.judge import judged
from coursework.grading.key import make_key, references

FOLDER = Path(__file__).resolve().parents[3] / "exercises"
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/planted.py"))
SOURCES = {name: nbformat.read(FOLDER / name / f"{name}.ipynb", as_version=4) for name in NAMES}
KEYS = {name: make_key(name, SOURCES[name], SOURCES[name], "the secret of the tests") for name in NAMES}


def planted(name):
    spec = importlib.util.spec_from_file_location(f"planted_{name.replace('-', '_')}", FOLDER / name / "planted.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.WRONG


WRONG = [(name, q, i) for name in NAMES for q, answers in planted(name).items() for i in range(len(answers))]


@functools.cache  # most questions have the same answer in most notebooks
def verdict(key, student, question, data):
    return SimpleNamespace(**judged(key, student, question, json.loads(data)))


def judge_all(key, student, found):
    """{question: Verdict} of all questions that a machine judges."""
    text = key.to_json()
    return {question: verdict(text, student, question, json.dumps(found.get(question))) for question in key.points}


def answers(name, student, changed=()):
    """What a notebook hands in, {question: DATA}; changed: {question: code}.  A cell that fails costs itself."""
    found, space, changed = {}, {"__name__": "student"}, dict(changed)
    session.catch(found.__setitem__)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for cell in SOURCES[name].cells:
                role, question = role_of(cell)
                if cell.cell_type == "code":
                    code = changed.get(question, cell.source) if role == "work" else cell.source
                    with contextlib.suppress(Exception):
                        exec(with_identity(code, student, KEYS[name].seed_of(student)), space)
    finally:
        session.catch(None)
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")
    return found


@pytest.mark.parametrize("student", ["ada", "", "Änne-Sophie", "12345"])
@pytest.mark.parametrize("name", NAMES)
def test_a_solution_earns_all_points(name, student):
    """With the numbers of any student."""
    verdicts = judge_all(KEYS[name], student, answers(name, student))
    assert {q: v.points for q, v in verdicts.items()} == KEYS[name].points


@pytest.mark.parametrize("name", NAMES)
def test_a_solution_passes_each_visible_check(name):
    """At the states that a student sees, with the numbers of a student."""
    p, found = parameters_of(name, "ada"), answers(name, "ada")
    for question, data in found.items():
        spec = assignment_module(name).QUESTIONS[question]
        assert diagnose(spec, p, data, spec.states(p, f"{KEYS[name].seed_of('ada')}|{question}")) == [], question


@pytest.mark.parametrize("name", NAMES)
def test_an_untouched_notebook_earns_nothing(name):
    """nbgrader leaves `raise NotImplementedError()` where the solution was."""
    stub = re.compile(r"^([ \t]*)### BEGIN SOLUTION.*?### END SOLUTION", re.M | re.S)
    empty = {}
    for cell in SOURCES[name].cells:
        role, question = role_of(cell)
        if role == "work":
            empty[question] = stub.sub(r"\1raise NotImplementedError()", cell.source)
            assert empty[question] != cell.source, f"{question} has no solution between BEGIN and END"
    verdicts = judge_all(KEYS[name], "ada", answers(name, "ada", empty))
    assert {v.points for v in verdicts.values()} == {0.0}


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # a kernel says it and goes on
@pytest.mark.parametrize(("name", "question", "number"), WRONG, ids=[f"{n}-{q}-{i}" for n, q, i in WRONG])
def test_a_wrong_answer_loses_its_points_and_is_told_why(name, question, number):
    """Exactly the points of its question, and the diagnosis names the law or the mistake, never the value."""
    code, words = planted(name)[question][number]
    found = answers(name, "bob", {question: code})  # what is hard-coded are the numbers of ada
    verdicts = judge_all(KEYS[name], "bob", found)
    lost = {q: v.sentences for q, v in verdicts.items() if v.points != v.most}
    assert list(lost) == [question]
    assert verdicts[question].points == 0.0
    assert words in " ".join(lost[question]), lost[question]


@pytest.mark.parametrize("name", NAMES)
def test_each_question_is_whole(name):
    """Three hints, three wrong answers at least; objective, points and minutes in its text; checks exist."""
    questions, asked = assignment_module(name).QUESTIONS, {}
    for cell in SOURCES[name].cells:
        role, question = role_of(cell)
        if role in ("answer", "person"):
            asked[question] = cell
    assert list(asked) == list(questions)
    texts = {cell["id"]: cell.source for cell in SOURCES[name].cells if cell.cell_type == "markdown"}
    for question, spec in questions.items():
        assert len(spec.hints) == 3, question
        points = asked[question].metadata.nbgrader.points
        assert re.search(rf"\*Objective: .*\. {points:g} points?, about \d+ minutes", texts[f"{question}-text"]), (
            question
        )
        if spec.judged != "person":
            assert len(planted(name).get(question, ())) >= 3, question


@pytest.mark.parametrize("student", ["ada", "bob", ""])
@pytest.mark.parametrize("name", NAMES)
def test_no_typical_mistake_is_the_answer(name, student):
    """Neither does a right answer look like one, nor does the installed package hold it under that name."""
    p, expected = parameters_of(name, student), references(KEYS[name], student)
    for question, spec in assignment_module(name).QUESTIONS.items():
        inputs = spec.states(p, f"{KEYS[name].seed_of(student)}|{question}")
        for sentence, mistake in spec.mistakes.items():
            wrong = spec.wrap(p, mistake(p)) if spec.wrap else mistake(p)
            wrong = calls_as_data(wrong, inputs) if inputs is not None else as_data(wrong)
            near = spec.tolerance * (MARGIN if inputs else 1)
            assert not agree(expected[question], wrong, near).holds, (question, sentence)


def test_the_book_of_exercises_is_large_enough():
    """At least forty questions in at least six assignments."""
    assert len(NAMES) >= 6
    assert sum(len(assignment_module(name).QUESTIONS) for name in NAMES) >= 40


@pytest.mark.parametrize("name", NAMES)
def test_parameters_differ_by_student(name):
    """Two students have different numbers, one student always the same."""
    shown = [repr(vars(parameters_of(name, student))) for student in ("ada", "bob", "ada", " Ada ")]
    assert shown[0] != shown[1]
    assert shown[0] == shown[2] == shown[3]
