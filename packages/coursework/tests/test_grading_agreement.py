"""What a student's own notebook says of an answer is what its grade says: both run, cell by cell, and are compared."""

import contextlib
import copy
import io
import json
from functools import partial

import attacks
import grading_kit
import hostile_combinations
import hostile_submissions
import messy_submissions
import nbformat
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")

from coursework.check import session
from coursework.grading.graft import graft
from coursework.grading.judge import judged
from coursework.grading.key import make_key
from coursework.grading.reading import cells_of
from coursework.grading.task import better

SOURCE = nbformat.read(grading_kit.SOURCE, as_version=4)
KEY = make_key("two-link", SOURCE, SOURCE, "the secret of the tests")
MESSY = {**attacks.honest(), **hostile_submissions.moved()}
ODD = {**MESSY, **hostile_submissions.unusual(), "odd-and-right": (hostile_combinations.odd(), "")}


def run(cells, space=None):
    """What each cell prints, run one after another in one space; a cell that fails costs itself."""
    space, said = {} if space is None else space, []
    space |= {"__name__": "student", "display": lambda *given, **more: None}
    for source in cells:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.suppress(Exception):
            exec(source, space)
        said.append(printed.getvalue())
    return "".join(said)


def graded(notebook):
    """The verdicts on a notebook: grafted, its cells run here, its answers judged."""
    nb = graft(SOURCE, cells_of(json.dumps(notebook).encode()), "ada", KEY.seed_of("ada"))
    answers, space = {question: {} for question in KEY.points}, {}

    def note(released, question, data):
        answers[question][released] = data

    try:
        for cell in nb.cells:
            released = cell.metadata["robotdyn"]["role"] == "answer"
            session.catch(partial(note, released))
            if cell.cell_type == "code":
                run([cell.source], space)
    finally:
        session.catch(None)
    return {
        question: better([judged(KEY.to_json(), "ada", question, data) for data in handed.values() or [None]])
        for question, handed in answers.items()
    }


@pytest.mark.parametrize(
    "notebook",
    [*(ODD[name][0] for name in ODD), *map(messy_submissions.messy_notebook, range(60))],
    ids=[*ODD, *map(str, range(60))],
)
def test_what_holds_in_the_notebook_earns_its_points(notebook):
    """Wherever the answer stands: what the student last read of a question is what the grade is."""
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    told = run([source.replace('student=""', 'student="ada"').replace('str("Ada (2)")', '"ada"') for source in code])
    verdicts = graded(notebook)
    for question, verdict in verdicts.items():
        lines = [line for line in told.splitlines() if line.startswith(f"{question}: ")]
        if lines and lines[-1] == f"{question}: every check holds.":
            assert verdict["points"] == verdict["most"], (question, verdict)


@pytest.mark.parametrize("name", MESSY)
def test_a_moved_cell_costs_nothing(name):
    """Deleted, pasted, retyped or upside down: what is right in its cells is right."""
    notebook, lost = MESSY[name]
    verdicts = graded(notebook)
    assert [question for question, verdict in verdicts.items() if verdict["points"] == 0] == lost.split()


@pytest.mark.parametrize(
    ("call", "note"),
    [
        ("check.begin('two-link', student='ada')", None),
        ("check.begin('two-link', ' Ada')", None),
        ("check.begin('two-link', student='eve')", "the notebook was begun as 'eve'"),
        ("check.begin('two-link', student='')", "the notebook was begun without an id"),
        ("check.begin('two-link')", "the notebook was begun without an id"),
        *(
            (call, "the id with which the notebook was begun is not written in its call, or is too long")
            for call in (
                "check.begin('two-link', student=me)",
                "check.begin(name, student=me)",
                f"check.begin('two-link', student='{'x' * 200}')",
            )
        ),
    ],
)
def test_a_note_says_what_is_known_of_the_id(call, note):
    """Of one that a variable holds nothing is."""
    notebook = grading_kit.solved()
    begin = next(cell for cell in notebook["cells"] if cell["id"] == "begin")
    begin["source"] = f"from robotdyn import check\nme = 'ada'\np = {call}"
    nb = graft(SOURCE, cells_of(json.dumps(notebook).encode()), "ada", "seed")
    said = f"{note}; it is graded with the numbers of 'ada'"
    assert nb.metadata["robotdyn"]["notes"] == ([said] if note else [])


@pytest.mark.parametrize("words", ["{}", "# {}", '"""{}"""', "Answer to 8: {} (see above)"])
@pytest.mark.parametrize("emptied", ["", None])
def test_words_in_a_cell_of_code_answer_a_question_of_text(words, emptied):
    """A new cell is one of code, and not everybody knows how to change that."""
    notebook, text = grading_kit.solved(), "Turned as a whole, the arm is the same arm."
    place, asked = next((k, cell) for k, cell in enumerate(notebook["cells"]) if cell["id"] == "explain")
    asked["source"] = asked["source"] if emptied is None else emptied  # as it was handed out, which here is solved
    others = [
        "# sanity check",
        "%timeit 1 + 1 + 1 + 1 + 1",
        "a = 1 + 2 + 3 + 4",
        "a = 1\n!ls of all that is there",
        "check.answer?",
    ]
    notebook["cells"][place:place] = map(grading_kit.code_cell, others)
    notebook["cells"].append(grading_kit.code_cell(words.format(text)))
    nb = graft(SOURCE, cells_of(json.dumps(notebook).encode()), "ada", "seed")
    (cell,) = [cell for cell in nb.cells if cell.metadata["robotdyn"]["role"] == "person"]
    assert cell.source == words.format(text)
    asked["source"] = "It is written where it should be."
    nb = graft(SOURCE, cells_of(json.dumps(notebook).encode()), "ada", "seed")
    (cell,) = [cell for cell in nb.cells if cell.metadata["robotdyn"]["role"] == "person"]
    assert cell.source == asked["source"]


def with_new_cell(own, new, after="gravity-work"):
    """A right notebook whose gravity torques are answered in a new cell; own: what its own cell holds; the roles by source."""
    notebook = grading_kit.solved()
    grading_kit.cell_of(notebook, "gravity")["source"] = own
    place = next(k for k, cell in enumerate(notebook["cells"]) if cell["id"] == after)
    notebook["cells"].insert(place + 1, grading_kit.code_cell(new))
    nb = graft(STUBS, cells_of(json.dumps(notebook).encode()), "ada", "seed")
    return [(cell.source, cell.metadata["robotdyn"]["question"]) for cell in nb.cells]


STUB = "G = ...  # a list of two formulas"
STUBS = copy.deepcopy(SOURCE)
next(cell for cell in STUBS.cells if cell["id"] == "gravity-work").source = STUB


@pytest.mark.parametrize("own", [STUB, "U = m1 * g * lc1 * sp.sin(q1)"])
def test_an_answer_in_a_new_cell_belongs_to_its_question(own):
    """So it runs where its question is judged by its own cells alone, and is handed in."""
    cells = with_new_cell(own, "G = [1, 2]")
    place = cells.index(("G = [1, 2]", "gravity"))
    handed = next(k for k, (source, _) in enumerate(cells) if 'check.answer("gravity"' in source)
    assert cells.index((own, "gravity")) < place < handed


def test_a_new_cell_below_an_answer_or_another_question_is_nobodys():
    """What plays with a right answer would spoil it."""
    assert ("G = [1, 2]", None) in with_new_cell("G = [0, 0]", "G = [1, 2]")
    assert ("G = [1, 2]", "gravity") not in with_new_cell(STUB, "G = [1, 2]", "velocity-terms-work")
    assert ("G = [1, 2]", None) in with_new_cell(STUB, "G = [1, 2]", "mass-matrix-text")
    assert ("G = [1, 2]", None) in with_new_cell(STUB, "G = [1, 2]", "gravity")


def test_there_are_many_of_them():
    """Odd, honest, and with something to compare."""
    assert len(ODD) >= 25
