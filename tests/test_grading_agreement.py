"""What a student's own notebook says of an answer is what its grade says: both run, cell by cell, and are compared."""

import contextlib
import io
import json

import attacks
import grading_kit
import hostile
import hostile_more
import nbformat
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install '.[grade]'")

from coursework.check import session
from coursework.grading.graft import graft
from coursework.grading.judge import judged
from coursework.grading.key import make_key
from coursework.grading.reading import cells_of

SOURCE = nbformat.read(grading_kit.SOURCE, as_version=4)
KEY = make_key("two-link", SOURCE, SOURCE, "the secret of the tests")
ODD = {**attacks.honest(), **hostile.moved(), **hostile.unusual(), "odd-and-right": (hostile_more.odd(), "")}


def run(cells):
    """What each cell prints, run one after another in one space; a cell that fails costs itself."""
    space, said = {"__name__": "student", "display": lambda *given, **more: None}, []
    for source in cells:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.suppress(Exception):
            exec(source, space)
        said.append(printed.getvalue())
    return "".join(said)


def graded(notebook):
    """The verdicts on a notebook: grafted, its cells run here, its answers judged."""
    nb = graft(SOURCE, cells_of(json.dumps(notebook).encode()), "ada", KEY.seed_of("ada"))
    answers = {}
    session.catch(answers.__setitem__)
    try:
        run([cell.source for cell in nb.cells if cell.cell_type == "code"])
    finally:
        session.catch(None)
    return {question: judged(KEY.to_json(), "ada", question, answers.get(question)) for question in KEY.points}


@pytest.mark.parametrize("name", ODD)
def test_what_holds_in_the_notebook_earns_its_points(name):
    """Wherever the answer stands: what the student last read of a question is what the grade is."""
    notebook, _ = ODD[name]
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    told = run([source.replace('student=""', 'student="ada"').replace('str("Ada (2)")', '"ada"') for source in code])
    verdicts = graded(notebook)
    for question, verdict in verdicts.items():
        lines = [line for line in told.splitlines() if line.startswith(f"{question}: ")]
        if lines and lines[-1] == f"{question}: every check holds.":
            assert verdict["points"] == verdict["most"], (question, verdict)


@pytest.mark.parametrize("name", hostile.moved())
def test_a_moved_cell_costs_nothing(name):
    """Deleted, pasted, retyped or upside down: what is right in its cells is right."""
    notebook, lost = hostile.moved()[name]
    verdicts = graded(notebook)
    assert [question for question, verdict in verdicts.items() if verdict["points"] == 0] == lost.split()


def test_there_are_many_of_them():
    """Odd, honest, and with something to compare."""
    assert len(ODD) >= 25
