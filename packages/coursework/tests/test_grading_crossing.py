"""What one question's cells do to another's: each is judged in a process that has seen no other question's code."""

import crossing
import grading_kit
import pytest

pytestmark = pytest.mark.slow
CASES = crossing.cases()


@pytest.fixture(scope="module")
def graded():
    """All of them in one class, graded in one run."""
    course = grading_kit.class_or_skip()
    course.take({f"{name}/two-link.ipynb": notebook for name, (notebook, _) in CASES.items()})
    course("run", "two-link", "--workers", "3", "--cell", "6", "--submission", "60", timeout=2500)
    yield course
    course.remove()


@pytest.mark.parametrize("name", CASES)
def test_no_question_pays_for_another_or_earns_by_it(graded, name):
    """Each loses what its own cells have wrong."""
    result = graded.by_student()[name]
    assert grading_kit.lost(result) == CASES[name][1], (result["state"], result["notes"])


def test_the_first_process_shows_nothing(graded):
    """Neither its memory, its descriptors nor its surroundings; no call reads or takes them."""
    said = grading_kit.shown(graded.by_student()["looks-into-the-first"])
    assert "OPEN" not in said and "CALLS [False, False, False, False]" in said
