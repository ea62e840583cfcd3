"""Whose a file of a platform's download is, and when it was handed in: nobody becomes somebody else without a word."""

import json
from datetime import UTC

import nbformat
import pytest

from coursework.grading.course import Course
from coursework.grading.dates import zone_named
from coursework.grading.identity import student_of
from coursework.grading.intake import intake
from coursework.grading.key import Key
from coursework.grading.layouts import named_by_platform

PATHS = [
    ("two-link_bb1_attempt_2026-11-18-10-00-00_two-link.ipynb", "bb1", "2026-11-18T10:00:00"),
    ("Homework 3_ two links_bb2_attempt_2026-11-18-23-59-59_my work.ipynb", "bb2", "2026-11-18T23:59:59"),
    ("two-link_bb3_attempt_2026-11-18-10-00-00/two-link.ipynb", "bb3", "2026-11-18T10:00:00"),
    ("two-link_bb4_attempt_2026-11-18-10-00-00.txt", "bb4", "2026-11-18T10:00:00"),
    ("smithjohn_88001_990001_two-link.ipynb", "88001", None),
    ("smithjohn_LATE_88002_990002_two-link-1.ipynb", "88002", None),
    ("anon_Xy12z_990001_two-link.ipynb", "Xy12z", None),
    ("anon_LATE_Qq7Z_990002_two-link.ipynb", "Qq7Z", None),
    ("Ada Lovelace_12_assignsubmission_file_/two-link.ipynb", "Ada Lovelace", None),
    ("Zoë O'Neil-Müller_1234567_assignsubmission_file_two-link.ipynb", "Zoë O'Neil-Müller", None),
    ("assignment_7_export/submission_301/two-link.ipynb", "submission_301", None),
    ("submission_302/two-link.ipynb", "submission_302", None),
    ("12345-67890 - Ada Lovelace - Nov 30, 2026 1159 PM/two-link.ipynb", "Ada Lovelace", "2026-11-30T23:59:00"),
    ("12346-67890 - Bob Oz - Dec 1, 2026 959 AM/two-link.ipynb", "Bob Oz", "2026-12-01T09:59:00"),
]


@pytest.mark.parametrize(("path", "student", "time"), PATHS)
def test_each_platform_names_its_students(path, student, time):
    """Blackboard, Canvas with and without names, Moodle, Gradescope, Brightspace: the student, and the time where it stands."""
    found = named_by_platform(path)
    assert found.student == student
    assert (found.when(UTC) and f"{found.when(UTC):%Y-%m-%dT%H:%M:%S}") == time
    assert student_of(path).startswith(student.replace("'", "-"))


@pytest.mark.parametrize(
    "path",
    ["ada_two-link.ipynb", "ada/two-link.ipynb", "ada_2_two-link.ipynb", "Ann Lee/x_attempt_2.ipynb", "x_attempt_2026_y.ipynb",
     "group_12/two-link.ipynb", "two-link.ipynb", "12 - x/two-link.ipynb"],
)  # fmt: skip
def test_other_paths_are_no_platforms(path):
    """They follow the rule for names of one's own."""
    assert named_by_platform(path) is None


@pytest.fixture
def course(tmp_path):
    """A course with one assignment, in Berlin."""
    found = Course(tmp_path / "course", new=True)
    (found.folder / "keys/two-link.json").write_text(
        Key("two-link", (), {"gravity": 3}, {}, nbformat.writes(nbformat.v4.new_notebook()), "s").to_json(),
        encoding="utf-8",
    )
    (found.folder / "course.toml").write_text('zone = "Europe/Berlin"', encoding="utf-8")
    return found


def hand_in(folder, *paths, begun=()):
    """Write notebooks at these paths; begun: the id that each was begun for."""
    for number, path in enumerate(paths):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        said = f'check.begin("two-link", student="{begun[number]}")' if begun else f"x = {number}"
        cell = {
            "cell_type": "code",
            "id": f"c{number}",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": said,
        }
        notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        file.write_text(json.dumps(notebook), encoding="utf-8")
    return folder


def test_a_download_of_a_class_is_a_class(course, tmp_path):
    """Of each platform: as many students as there are, by the platform's own time in the zone of the course."""
    lines = intake(
        course, "two-link", hand_in(tmp_path / "uploads", *(path for path, _, _ in PATHS if path.endswith(".ipynb")))
    )
    assert len({line["student"] for line in lines if line["student"] != "Ada-Lovelace"}) == len(lines) - 1
    by_name = {line["name"]: line for line in lines}
    attempt = by_name["two-link_bb1_attempt_2026-11-18-10-00-00_two-link.ipynb"]
    assert (attempt["time"], attempt["time_from"]) == ("2026-11-18T09:00:00+00:00", "Blackboard's name of it")
    assert zone_named("Europe/Berlin").key == "Europe/Berlin"
    assert by_name["smithjohn_88001_990001_two-link.ipynb"]["time_from"] == "the file"


def test_the_newer_attempt_counts(course, tmp_path):
    """By the stamp in its name, whatever the time of unpacking is."""
    stamps = ("2026-11-18-10-00-00", "2026-11-19-10-00-00", "2026-11-17-10-00-00")
    hand_in(tmp_path / "uploads", *(f"two-link_bb1_attempt_{stamp}_x.ipynb" for stamp in stamps))
    intake(course, "two-link", tmp_path / "uploads")
    assert "2026-11-19" in course.chosen("two-link")["bb1"]["name"]


def test_namesakes_wait_for_a_roster(course, tmp_path):
    """Two numbers of Moodle for one name: two people, of whom one may not take the other's place."""
    paths = [f"Ann Lee_{number}_assignsubmission_file_/two-link.ipynb" for number in (12, 13)]
    first, second = intake(course, "two-link", hand_in(tmp_path / "uploads", *paths))
    assert first["student"] == "Ann Lee" and first["readable"]
    assert not second["readable"] and second["student"].startswith("unknown-")
    assert second["why"].startswith("Moodle has two people called Ann Lee: write a roster")
    again = intake(course, "two-link", hand_in(tmp_path / "more", "Ann Lee_13_assignsubmission_file_/later.ipynb"))
    assert not again[0]["readable"]
    own = intake(course, "two-link", hand_in(tmp_path / "third", "Ann Lee_12_assignsubmission_file_/later.ipynb"))
    assert own[0]["student"] == "Ann Lee" and own[0]["readable"]


def test_a_user_of_blackboard_with_an_underscore_is_asked_about(course, tmp_path):
    """j_doe and s_doe would both be doe."""
    paths = [f"two-link_{user}_attempt_2026-11-18-10-00-00_x.ipynb" for user in ("j_doe", "s_doe")]
    first, second = intake(course, "two-link", hand_in(tmp_path / "uploads", *paths))
    assert first["readable"] and not second["readable"] and "two people called doe" in second["why"]


def test_notebooks_that_were_begun_for_two_students_wait(course, tmp_path):
    """As where a folder is not a student; the same id twice, or none, is one."""
    paths = ["homework/a.ipynb", "homework/b.ipynb", "homework/c.ipynb", "homework/d.ipynb"]
    lines = intake(course, "two-link", hand_in(tmp_path / "uploads", *paths, begun=["ada", "bob", "", "Ada"]))
    assert [line["readable"] for line in lines] == [True, False, True, True]
    assert lines[1]["why"].startswith(
        "it was begun for bob, an earlier notebook of homework for ada: one student or two?"
    )


def test_a_roster_that_comes_later_moves_whom_it_names_and_asks_about_others(course, tmp_path):
    """In the same words, whichever came first; once asked about, nobody is entered again."""
    uploads = hand_in(tmp_path / "uploads", "two-link_bb1_attempt_2026-11-18-10-00-00_x.ipynb", "eve_two-link.ipynb")
    assert [line["student"] for line in intake(course, "two-link", uploads)] == ["eve", "bb1"]
    (tmp_path / "r.csv").write_text("id,name\nada,bb1\n", encoding="utf-8")
    moved = {line["name"]: line for line in intake(course, "two-link", uploads, tmp_path / "r.csv")}
    assert moved["two-link_bb1_attempt_2026-11-18-10-00-00_x.ipynb"]["student"] == "ada"
    eve = moved["eve_two-link.ipynb"]
    assert not eve["readable"] and eve["why"] == "no id and no name of the roster stands in its path"
    assert set(course.chosen("two-link")) == {"ada", eve["student"]}
    assert intake(course, "two-link", uploads, tmp_path / "r.csv") == []
    fresh = Course(tmp_path / "fresh", new=True)
    (fresh.folder / "keys/two-link.json").write_bytes((course.folder / "keys/two-link.json").read_bytes())
    other = {line["name"]: line for line in intake(fresh, "two-link", uploads, tmp_path / "r.csv")}
    assert other["eve_two-link.ipynb"]["why"] == eve["why"]


def test_why_nobody_fits_is_told(course, tmp_path):
    """None, and whom the platform names; several, and who."""
    uploads = hand_in(tmp_path / "uploads", "x_88001_990001_y.ipynb", "al1_ada_two-link.ipynb")
    (tmp_path / "r.csv").write_text("id\nal1\nada\n", encoding="utf-8")
    several, none = (line["why"] for line in intake(course, "two-link", uploads, tmp_path / "r.csv"))
    assert several == "2 students of the roster fit its path: ada, al1"
    assert none == "no id and no name of the roster stands in its path; Canvas calls the student 88001"
