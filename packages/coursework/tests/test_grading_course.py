"""A class from release to feedback: one command a step, a person's scores stay, a rerun does only what is missing."""

import csv
import json
import os
import sys

import grading_kit
import pytest

from coursework.grading.sandbox import IN_WORDS

pytestmark = pytest.mark.slow

GRADEBOOK = """
import sys
from nbgrader.api import Gradebook
book = Gradebook(sys.argv[1])
submission = book.find_submission("two-link", "ada")
grade = [g for g in submission.notebooks[0].grades if g.name == sys.argv[2]][0]
if len(sys.argv) > 3:
    grade.manual_score = float(sys.argv[3])
    grade.needs_manual_grade = False
    book.db.commit()
print(grade.auto_score, grade.manual_score, grade.needs_manual_grade, submission.score)
"""


@pytest.fixture(scope="module")
def course():
    """Ada has everything right, Bob has gravity wrong, Cyd's answer cannot be read by machine, Dan did nothing."""
    course = grading_kit.class_or_skip()
    course("release", grading_kit.SOURCE, "--due", "2020-01-01 00:00 UTC")
    released = json.loads(
        (course.folder / "course/nbgrader/release/two-link/two-link.ipynb").read_text(encoding="utf-8")
    )
    wrong = grading_kit.with_answer("gravity", "G = [g, g]")
    text = next(cell for cell in wrong["cells"] if cell["id"] == "explain")
    text["source"] = "Because.<script>alert('bob')</script><img src=x onerror=alert('bob')>"
    unread = grading_kit.with_answer("gravity", "G = sp.Piecewise((g, q1 > 0), (0, True))")
    names = {"ada": grading_kit.solved(), "bob": wrong, "cyd": unread, "dan": released}
    course.take({f"{name}/two-link.ipynb": notebook for name, notebook in names.items()})
    course("run", "two-link", "--workers", "2")
    course("merge", "two-link")
    yield course
    course.remove()


def table(course):
    course("export", "two-link", course.folder / "grades.csv")
    with open(course.folder / "grades.csv", newline="", encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def gradebook(course, *words):
    """What the gradebook says of a grade of Ada; with a number, a person sets it."""
    url = f"sqlite:///{course.folder}/course/nbgrader/gradebook.db"
    return grading_kit.run_as_user(
        [sys.executable, "-c", GRADEBOOK, url, *words], course.folder, check=True
    ).stdout.split()


def test_scores_are_those_of_the_judge(course):
    """In the table of grades, with what waits for a person."""
    rows = table(course)
    assert {name: float(row["score"]) for name, row in rows.items()} == {"ada": 18, "bob": 15, "cyd": 15, "dan": 0}
    assert rows["ada"]["waits_for_person"] == "explain"
    assert rows["cyd"]["waits_for_person"] == "explain gravity" and rows["cyd"]["state"] == "needs a person"
    assert rows["dan"]["waits_for_person"] == ""
    assert rows["ada"]["max_score"] == "20.0"
    assert int(rows["ada"]["late"]) > 1e8


def test_a_persons_scores_stay(course):
    """Merging again, or grading again, changes no score that a person gave, and asks nobody twice."""
    assert gradebook(course, "explain", "1.5")[1] == "1.5"
    assert course("merge", "two-link").stdout.startswith("0 ")
    (course.folder / "course" / "merged.json").unlink()
    course("merge", "two-link")
    assert gradebook(course, "explain")[1:] == ["1.5", "False", "19.5"]
    assert float(table(course)["ada"]["score"]) == 19.5


def test_a_new_upload_is_read_again(course):
    """A person's score stays, but the question waits for a person once more: the text may be another."""
    again = grading_kit.solved()
    next(cell for cell in again["cells"] if cell["id"] == "explain")["source"] = "Another text."
    course.take({"ada/second.ipynb": again})
    course("run", "two-link", "--workers", "1")
    course("merge", "two-link")
    assert gradebook(course, "explain")[1:3] == ["1.5", "True"]
    states = sorted(result["state"] for result in course.results().values() if result["student"] == "ada")
    assert states == ["graded", "superseded"]


def test_a_rerun_does_only_what_is_missing(course):
    """Results that are there are not made anew; one that is gone is, and is the same."""
    folder = course.folder / "course" / "results" / "two-link"
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    one = next(path for path in before if json.loads(path.read_text(encoding="utf-8"))["student"] == "bob")
    old = json.loads(one.read_text(encoding="utf-8"))
    one.unlink()
    course("run", "two-link", "--workers", "1")
    new = json.loads(one.read_text(encoding="utf-8"))
    assert {name: new[name] for name in ("state", "verdicts", "sha", "key")} == {
        name: old[name] for name in ("state", "verdicts", "sha", "key")
    }
    assert all(path.stat().st_mtime_ns == when for path, when in before.items() if path != one)


def test_feedback_pages_say_what_the_judge_found(course):
    """A page for each student, with the diagnosis, without the solution."""
    course("feedback", "two-link")
    page = (course.folder / "course/nbgrader/feedback/bob/two-link/two-link.html").read_text(encoding="utf-8")
    assert "At rest the torque should equal dU/dq" in page
    assert "Because." in page and "<script>alert(" not in page and "<img src=x" not in page
    assert "BEGIN SOLUTION" not in (course.folder / "course/nbgrader/feedback/dan/two-link/two-link.html").read_text(
        encoding="utf-8"
    )


def test_gradescope_reads_the_results(course):
    """One results.json a student: score, and each question with its points and what was found."""
    course("export", "two-link", course.folder / "gradescope", "--format", "gradescope")
    result = json.loads((course.folder / "gradescope/bob/results.json").read_text(encoding="utf-8"))
    assert result["score"] == 15.0
    gravity = next(test for test in result["tests"] if test["name"] == "gravity")
    assert (gravity["score"], gravity["max_score"]) == (0.0, 3.0) and "dU/dq" in gravity["output"]


def test_the_student_gets_no_solution(course):
    """The released notebook holds neither solutions nor hidden tests; the source lies where no sandbox looks."""
    text = (course.folder / "course/nbgrader/release/two-link/two-link.ipynb").read_text(encoding="utf-8")
    assert "SOLUTION" not in text and "NotImplementedError" in text and "turned about joint 1: only" not in text


def test_formgrader_opens_the_course(course):
    """nbgrader itself lists the assignment and its submissions from the configuration that was written."""
    code = (
        "from nbgrader.apps.api import NbGraderAPI\nfrom traitlets.config import PyFileConfigLoader\n"
        "api = NbGraderAPI(config=PyFileConfigLoader('nbgrader_config.py', path='.').load_config())\n"
        "print(len(api.get_submissions('two-link')), api.get_assignment('two-link')['needs_manual_grade'] if 'needs_manual_grade' in api.get_assignment('two-link') else api.get_assignment('two-link')['num_submissions'])"
    )
    done = grading_kit.run_as_user(
        [sys.executable, "-W", "ignore", "-c", code], course.folder / "course/nbgrader", check=True
    )
    assert done.stdout.split()[0] == "4"


def test_status_names_what_is_not_graded(course):
    """States and the uploads that are in need."""
    said = course("status", "two-link").stdout
    assert "3 graded, 1 needs a person, 1 superseded" in said and "cyd: needs a person" in said


def test_other_words_do_not_open_the_sandbox(course):
    """Grading without one needs the whole sentence."""
    done = course("run", "two-link", "--without-sandbox", "yes", check=False)
    assert done.returncode == 1 and IN_WORDS in done.stderr


def test_without_bubblewrap_grading_is_refused(course):
    """With the way to go on, in words."""
    done = grading_kit.run_as_user(["env", f"PATH={course.folder}", *course.argv("run", "two-link")], course.folder)
    assert done.returncode == 1
    assert "needs the sandbox bubblewrap" in done.stderr and "apt install bubblewrap" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="root is a notion of Unix")
def test_root_is_refused(monkeypatch):
    """Limits on processes do not hold for root: the sentence says how to go on."""
    from coursework.grading import sandbox

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    for words in ("", IN_WORDS):
        with pytest.raises(sandbox.NoSandbox, match=r"as root is refused.*--user NAME"):
            sandbox.check(words)


def test_an_unknown_assignment_is_named(course):
    """In one sentence, without a traceback."""
    done = course("intake", "three-link", course.folder / "uploads", check=False)
    assert (
        done.returncode == 1
        and done.stderr == f"'three-link' is not released in {course.folder / 'course'}: run `release` first\n"
    )
