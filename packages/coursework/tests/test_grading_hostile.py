"""Hostile and broken notebooks: each is scored as fair, none harms another, none leaves anything behind."""

import json
import os
from pathlib import Path

import grading_kit
import hostile_submissions
import pytest

pytestmark = pytest.mark.slow
CASES = hostile_submissions.cases()


@pytest.fixture(scope="module")
def graded():
    """All of them, handed in by students of one class, between two honest ones, graded in one run on two workers."""
    course = grading_kit.class_or_skip()
    names = [*list(CASES)[: len(CASES) // 2], "honest", *list(CASES)[len(CASES) // 2 :], "zoe"]
    uploads = {f"{name}/two-link.ipynb": CASES[name][0] if name in CASES else grading_kit.solved() for name in names}
    course.take(uploads)
    course.said = course("run", "two-link", "--workers", "4", "--cell", "6", "--submission", "60")
    yield course
    course.remove()


def test_there_are_enough_of_every_kind():
    """At least forty; of the fifteen kinds those that a notebook can have (13 and 14 are kinds of uploads)."""
    assert len(CASES) >= 40
    assert {name[:2] for name in CASES} >= {f"{kind:02d}" for kind in (*range(1, 13), 15)}


def test_nothing_is_lost(graded):
    """Each line of the ledger has exactly one result, and its state is final."""
    lines, results = graded.ledger(), graded.results()
    assert {line["upload"] for line in lines} == set(results)
    assert {result["state"] for result in results.values()} <= {"graded", "needs a person", "wall limit"}


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_notebook_is_scored_as_fair(graded, name):
    """It loses the questions that it breaks, and no other."""
    result = graded.by_student()[name]
    assert grading_kit.lost(result) == CASES[name][1], result["notes"]


@pytest.mark.parametrize("name", ["honest", "zoe"])
def test_neighbors_are_not_harmed(graded, name):
    """Those who answered right have all points."""
    assert grading_kit.lost(graded.by_student()[name]) == ""


def test_quit_ends_nothing(graded):
    """The kernel of IPython would end a moment later, within whatever cell runs then."""
    notes = graded.by_student()["05-quit"]["notes"]
    assert all(note.startswith("the notebook was begun without an id") for note in notes)


def test_nothing_is_left_behind(graded):
    """No process of the sandboxes, no folder, no file outside the course; and nobody followed a planted link."""
    folder = str(graded.folder)
    alive = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                words = (entry / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if folder in words:
                alive.append(words[:200])
    assert alive == []
    left = [path.name for path in graded.folder.glob("rdg-*/*")]
    assert [name for name in left if name not in ("matplotlib", "dask")] == []
    assert {path.name for path in graded.folder.iterdir()} <= {"course", "uploads"} | {
        path.name for path in graded.folder.glob("rdg-*")
    } | {".cache", ".config", ".local", ".ipython", ".jupyter", ".dask"}


def test_a_search_finds_nothing(graded):
    """Neither keys, gradebook, other submissions nor the course's folder are visible; no secret stands anywhere."""
    text = grading_kit.shown(graded.by_student()["10-searches-the-disk"])
    seen = text[text.index("SEEN") : text.index("ENVIRON")]
    for word in ("keys", "gradebook", "ledger", "course.json", "results", "solutions", "planted"):
        assert word not in seen
    seed = json.loads((graded.folder / "course" / "course.json").read_text(encoding="utf-8"))["seed"]
    assert seed not in text
    assert "GRADER False" in text


def test_the_network_is_closed(graded):
    """No address answers, not even one of this machine."""
    text = grading_kit.shown(graded.by_student()["10-asks-the-network"])
    assert "REACHED" not in text and text.count("CLOSED") == 3


def test_the_sandbox_is_shut(graded):
    """No new namespace, no mount, no look into another process, nothing written to the system."""
    text = grading_kit.shown(graded.by_student()["10-leaves-the-sandbox"])
    assert "UNSHARE -1 MOUNT -1" in text and "PTRACE -1" in text
    assert "WRITTEN" not in text


def test_no_solution_stands_in_a_notebook_that_is_given_back(graded):
    """Feedback is made of the executed notebook: the hidden seed and the handed-in data are not in it."""
    for result in graded.results().values():
        cells = json.loads(result["notebook"])["cells"]
        kinds = {kind for cell in cells for output in cell.get("outputs", []) for kind in output.get("data", {})}
        assert not [kind for kind in kinds if "robotdyn" in kind]
        assert "seed='" not in cells[1]["source"] and "seed=" not in "".join(cells[1]["source"])
