"""The second round of attacks and of odd honest notebooks: nothing is seen, nobody pays for another, nothing is lost."""

import json

import attacks
import grading_kit
import pytest

CASES = attacks.cases()
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def graded():
    """All of them in one class, graded in one run."""
    course = grading_kit.class_or_skip()
    course.take({f"{name}/two-link.ipynb": notebook for name, (notebook, _) in CASES.items()})
    course("run", "two-link", "--workers", "4", timeout=1500)
    yield course
    course.remove()


@pytest.mark.parametrize("name", CASES)
def test_it_loses_what_it_broke_and_no_more(graded, name):
    """Each question is judged by its own cells."""
    result = graded.by_student()[name]
    assert (grading_kit.lost(result), result["state"]) == (CASES[name][1], "graded"), result["notes"]


def test_what_lies_in_an_exchange_is_not_seen(graded):
    """Nor any way to the host of a virtual machine."""
    said = grading_kit.shown(graded.by_student()["looks-for-the-exchange"])
    assert "SEEN" not in said and "VSOCK" not in said and "MODULES []" in said


def test_no_law_is_in_the_kernel_that_is_graded(graded):
    """Nor can it be loaded: an answer is data there, and judged elsewhere."""
    result = graded.by_student()["asks-the-checks"]
    assert "QUESTIONS []" in grading_kit.shown(result)
    assert "there is no assignment 'two-link' in this version of robotdyn" in result["notebook"]


def test_bounds_are_said(graded):
    """In a note that names what was too much, and the cell."""
    notes = {name: " ".join(graded.by_student()[name]["notes"]) for name in CASES}
    assert "before gravity: too much memory" in notes["memory-by-short-cells"]
    assert "before gravity: too many files" in notes["empty-files"]
    assert "FULL" in grading_kit.shown(graded.by_student()["deleted-files"])


def test_a_verdict_stands_in_a_frame_that_no_notebook_draws(graded):
    """The grader alone shows HTML."""
    result = graded.by_student()["a-false-verdict"]
    outputs = [output for cell in json.loads(result["notebook"])["cells"] for output in cell.get("outputs", [])]
    framed = ["".join(output["data"]["text/html"]) for output in outputs if "text/html" in output.get("data", {})]
    assert len(framed) == 8 and all(text.startswith("<div style=") for text in framed)  # seven verdicts and a note
    assert "3 / 3" in grading_kit.shown(result)


def test_pages_show_a_photo_and_load_nothing(graded):
    """Feedback is made; pictures of other places are links."""
    graded("merge", "two-link")
    graded("feedback", "two-link")
    page = (graded.folder / "course/nbgrader/feedback/a-photo/two-link/two-link.html").read_text(encoding="utf-8")
    assert f"data:image/png;base64,{attacks.png()}" in page and 'src="http://192.0.2.1' not in page


def test_a_text_elsewhere_waits_for_a_person(graded):
    """It is shown where the question stands."""
    nb = json.loads(graded.by_student()["explained-in-a-new-cell"]["notebook"])
    (cell,) = [cell for cell in nb["cells"] if cell["metadata"].get("nbgrader", {}).get("grade_id") == "explain"]
    assert "Turned as a whole" in "".join(cell["source"])
    graded("merge", "two-link")
    graded("export", "two-link", graded.folder / "grades.csv")
    table = (graded.folder / "grades.csv").read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in table if line.startswith("explained-in")]
    assert ",explain," in line


def test_an_id_that_is_not_the_uploads_is_told_to_both(graded):
    """In the notes for the teacher, and in the notebook that goes back."""
    result = graded.by_student()["a-photo"]
    assert result["notes"] == ["the notebook was begun without an id; it is graded with the numbers of 'a-photo'"]
    assert "begun with another id, or none" in result["notebook"]  # no id: a person may grade it without names
