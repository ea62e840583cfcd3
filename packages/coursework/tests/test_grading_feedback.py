"""The page of a student says whose it is and what counted, and goes back to the right one through the platform it came by."""

import re
import zipfile
from datetime import datetime

import nbformat
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")

from nbgrader.api import Gradebook

from coursework.__main__ import main
from coursework.grading import feedback, merge
from coursework.grading.course import Course, write
from coursework.grading.key import Key
from coursework.grading.layouts import CANVAS, MOODLE
from coursework.grading.release import api

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # of nbgrader, as it adds a submission
STUDENTS = ("ada", "bob <i>", "zoë_7")
PATHS = {
    "Moodle": ("Ada Lovelace_70_assignsubmission_file_/two-link.ipynb", "Bob <i>_71_assignsubmission_file_/x.ipynb", "Zoë 7_72_assignsubmission_file_x.ipynb"),
    "Canvas": ("lovelaceada_88001_990001_x.ipynb", "birdbob_LATE_88002_990002_two-link-1.ipynb", "oe_7_zo_88003_990003_x.ipynb"),
    "": ("ada/x.ipynb", "bob <i>/x.ipynb", "zoë_7_x.ipynb"),
    "Blackboard": ("t_ada_attempt_2026-11-18-10-00-00_x.ipynb", "t_bob_attempt_2026-11-18-10-00-00_x.ipynb", "t_zoe_attempt_2026-11-18-10-00-00_x.ipynb"),
}  # fmt: skip


def graded_cell(name, kind):
    made = nbformat.v4.new_markdown_cell("my words") if kind == "person" else nbformat.v4.new_code_cell("mycode")
    made.metadata["nbgrader"] = {"grade_id": name, "grade": True, "solution": kind == "person", "locked": kind != "person",
                                 "schema_version": 3, "points": 3, "cell_type": made.cell_type, "checksum": "of no cell"}  # fmt: skip
    return made


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Three students, one of them late; an answer in words waits for a person, but of the first, who has a comment."""
    made = Course(tmp_path_factory.mktemp("feedback") / "course", new=True)
    api(made)  # so that nbgrader finds alembic
    key = Key("two-link", (), {"gravity": 3.0}, {"explain": 3.0}, "{}", "seed")
    (made.folder / "keys/two-link.json").write_text(key.to_json(), encoding="utf-8")
    write(made.folder / "roster.csv", "ID;First Name;Surname\nada;Ada;Lovelace\nbob <i>;;\nzoë_7;Zoë;\n".encode())
    write(made.folder / "course.toml", b'zone = "Europe/Berlin"\n[late]\npercent_a_day = 10\n')
    with Gradebook(made.db) as book:
        book.add_assignment("two-link", duedate=datetime(2026, 11, 30, 12))
        book.add_notebook("two-link", "two-link")
        for name, kind in (("gravity", "code"), ("explain", "markdown")):
            book.add_grade_cell(name, "two-link", "two-link", max_score=3, cell_type=kind)
        book.add_solution_cell("explain", "two-link", "two-link")
    notebook = nbformat.writes(
        nbformat.v4.new_notebook(cells=[graded_cell("gravity", "code"), graded_cell("explain", "person")])
    )
    for number, student in enumerate(STUDENTS):
        line = {"upload": f"{number:06d}", "assignment": "two-link", "student": student, "name": "x", "sha": f"{number}{number}{number}",
                "time": f"2026-11-30T1{1 + number}:30:00+00:00", "readable": True, "why": ""}  # fmt: skip
        made.enter(line)
        result = {name: line[name] for name in ("upload", "assignment", "student", "sha")} | {
            "state": "graded",
            "notes": [],
        }
        made.enter_result(
            line,
            result | {"verdicts": {"gravity": {"points": 1.5, "most": 3.0, "sentences": []}}, "notebook": notebook},
        )
    merge.merge(made, "two-link")
    with Gradebook(made.db) as book:
        (one,) = book.find_submission("two-link", "ada").notebooks
        for grade in one.grades:
            if grade.name == "explain":
                grade.manual_score, grade.needs_manual_grade = 2.0, False
        one.comments[0].manual_comment = "Well seen."
        book.db.commit()
    made.pages = feedback.make(made, "two-link")
    return made


def test_a_page_says_whose_it_is_when_it_came_and_what_each_question_earned(course):
    """Name and id, the hour in the zone of the course, how late, what that cost; each question by its title; a file name of its own."""
    assert [page.name for page in course.pages] == [f"two-link_{student}.html" for student in STUDENTS]
    ada, bob, _ = (page.read_text(encoding="utf-8") for page in course.pages)
    assert "<title>two-link, Ada Lovelace</title>" in ada and "two-link: Ada Lovelace (ada), 3.5 of 6 points" in ada
    assert "Handed in 2026-11-30 12:30 Europe/Berlin." in ada and "late" not in re.search(r"Handed in.*", ada)[0]
    assert '<a href="#gravity">gravity torques</a> (gravity): 1.5 of 3' in ada
    assert '(explain): 2 of 3, <a href="#comment-explain">with a comment</a>' in ada and "Well seen." in ada
    assert "mycode" in ada and "my words" in ada and "Test cell" not in ada
    assert "Handed in 2026-11-30 13:30 Europe/Berlin: 30 min late, counted as 1 day, 0.15 points less." in bob.replace(
        "0 h ", ""
    )
    assert (
        "(explain): a person has not read it yet" in bob
        and "bob &lt;i&gt;" in bob
        and "<i>" not in bob.split("mycode")[0].split("<body>")[1]
    )
    assert all((course.nbgrader / "feedback" / student / "two-link/two-link.html").exists() for student in STUDENTS)


def come_by(course, platform):
    """Say that the class came by a platform."""
    for number, name in enumerate(PATHS[platform]):
        line = course.ledger()[number] | {"name": name, "platform": platform}
        course.enter(line)


def moodle(name):
    """assignfeedback_file_zip_importer: parts of a path, each broken at underscores; returns the participant's number and the file."""
    parts = name.split("/")
    while parts:
        info = parts.pop(0).split("_", 4)
        if len(info) >= 4 and info[1].isdigit() and info[2:4] == ["assignfeedback", "file"]:
            return int(info[1]), "/".join([info[4] if len(info) > 4 else "", *parts])
    return None


def canvas(name):
    """infer_comment_context_from_filename: the first two numbers between underscores are user and attachment."""
    split = name.split("_")
    numbers = [part for part in split if re.fullmatch(r"\d+", part)][:2]
    return tuple(map(int, numbers)) if len(numbers) == 2 and not split[-1].startswith("link") else None


def test_pages_go_back_to_the_right_students_through_moodle(course, tmp_path, capsys):
    """Each file is the one of the participant whose number its name has."""
    come_by(course, "Moodle")
    assert main(["feedback", "two-link", "--zip", str(tmp_path / "x.zip"), "--course", str(course.folder)]) == 0
    assert "3 of them, for Moodle" in capsys.readouterr().out
    with zipfile.ZipFile(tmp_path / "x.zip") as archive:
        found = {moodle(name): archive.read(name).decode() for name in archive.namelist()}
    assert {key[0]: re.search(r"<title>two-link, (.*)</title>", page)[1] for key, page in found.items()} == {
        70: "Ada Lovelace", 71: "bob &lt;i&gt;", 72: "Zoë"}  # fmt: skip
    assert all("/" not in key[1] and key[1].startswith("two-link_") for key in found)


def test_pages_go_back_through_canvas(course, tmp_path):
    """By user and attachment as they were downloaded; a name with a number in it, which Canvas would take for one, is left out and told."""
    come_by(course, "Canvas")
    assert feedback.pack(course, "two-link", course.pages, tmp_path / "x.zip") == ("Canvas", ["zoë_7"])
    with zipfile.ZipFile(tmp_path / "x.zip") as archive:
        found = {canvas(name): archive.read(name).decode() for name in archive.namelist()}
    assert {key: re.search(r"<title>two-link, (.*)</title>", page)[1] for key, page in found.items()} == {
        (88001, 990001): "Ada Lovelace", (88002, 990002): "bob &lt;i&gt;"}  # fmt: skip


@pytest.mark.parametrize("platform", ["", "Blackboard"])
def test_where_no_platform_takes_them_the_pages_lie_side_by_side(course, tmp_path, platform):
    """Under names that say whose they are."""
    come_by(course, platform)
    assert feedback.pack(course, "two-link", course.pages, tmp_path / "x.zip") == (feedback.FLAT, [])
    with zipfile.ZipFile(tmp_path / "x.zip") as archive:
        assert archive.namelist() == sorted(f"two-link_{student}.html" for student in STUDENTS)


def test_pages_of_two_platforms_are_no_one_zip(course, tmp_path):
    """They are asked for one by one."""
    for number, platform in enumerate(("Moodle", "Canvas", "Canvas")):
        course.enter(course.ledger()[number] | {"name": PATHS[platform][number], "platform": platform})
    with pytest.raises(ValueError, match="came from Canvas, Moodle: make a zip for each, with --student"):
        feedback.pack(course, "two-link", course.pages, tmp_path / "x.zip")
    assert MOODLE.platform == "Moodle" and CANVAS.platform == "Canvas" and not (tmp_path / "x.zip").exists()


def test_no_page_is_made_for_nobody(course):
    """A student who is not in the gradebook is named."""
    with pytest.raises(ValueError, match="no submission of eve for two-link"):
        feedback.make(course, "two-link", ["eve"])
