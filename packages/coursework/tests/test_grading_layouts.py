"""Whose a file of a platform's download is, and when it was handed in: nobody becomes somebody else without a word."""

import json
import os
import zipfile
from datetime import UTC, datetime

import nbformat
import pytest

from coursework.grading import judge
from coursework.grading.course import Course
from coursework.grading.dates import DUTCH, GERMAN, MONTHS, ROMANCE, SHORT, read_platform_time
from coursework.grading.identity import Reading, Roster, student_of
from coursework.grading.intake import intake
from coursework.grading.key import Key
from coursework.grading.layouts import Download

DOWNLOADS = {  # of each platform: a class, [path, student, time]
    "Blackboard": [
        ("Homework 3_ two links_bb1_attempt_2024-11-18-10-00-00_two-link.ipynb", "bb1", "2024-11-18T10:00:00"),
        ("Homework 3_ two links_b_b2_attempt_2024-11-18-23-59-59_my_attempt_2024-11-01-00-00-00_.ipynb", "b_b2", "2024-11-18T23:59:59"),
        ("Homework 3_ two links_bb3_attempt_2024-11-18-10-00-00/two-link.ipynb", "bb3", "2024-11-18T10:00:00"),
        ("Homework 3_ two links_bb4@uni.edu_attempt_2024-11-18-10-00-00.txt", "bb4@uni.edu", "2024-11-18T10:00:00"),
    ],
    "Canvas": [
        ("smithjohn_88001_990001_two-link.ipynb", "88001", None),
        ("smithjohn_LATE_88002_990002_two-link-1.ipynb", "88002", None),
        ("o_neilann_12_990003_7_8888_.ipynb", "12", None),
        ("ozbob_88004_text.html", "88004", None),
    ],
    "Canvas without names": [
        ("anon_Xy12z_990001_two-link.ipynb", "Xy12z", None),
        ("anon_LATE_Qq7Z_990002_two-link.ipynb", "Qq7Z", None),
    ],
    "Moodle": [
        ("Ada Lovelace_12_assignsubmission_file_/two-link.ipynb", "Ada Lovelace", None),
        ("Zoë O'Neil-Müller_1234567_assignsubmission_file_two-link.ipynb", "Zoë O'Neil-Müller", None),
        ("Bob Oz_14_assignsubmission_file/bob_99_assignsubmission_file_x.ipynb", "Bob Oz", None),
    ],
    "Moodle without names": [
        ("Participant_12_assignsubmission_file_/x.ipynb", "Participant_12", None),
        ("Participant_13_assignsubmission_file_/x.ipynb", "Participant_13", None),
    ],
    "Moodle without names, in German": [
        ("Teilnehmerin_12_assignsubmission_file_/x.ipynb", "Teilnehmerin_12", None),
        ("Gruppe A-Teilnehmerin_13_assignsubmission_file_/x.ipynb", "Gruppe A-Teilnehmerin_13", None),
    ],
    "Moodle without names, in other languages": [
        ("Participante_12_assignsubmission_file_/x.ipynb", "Participante_12", None),
        ("Participante_13_assignsubmission_file_/x.ipynb", "Participante_13", None),
        ("Deelnemer_14_assignsubmission_file_/x.ipynb", "Deelnemer_14", None),
    ],
    "Gradescope": [
        ("submission_301/two-link.ipynb", "submission_301", None),
        ("submission_302/submission_301/two-link.ipynb", "submission_302", None),
    ],
    "ILIAS": [
        ("Lovelace_Ada_alovelace_1234/two-link.ipynb", "alovelace", None),
        ("de la Cruz_Ann Lea_a_cruz.2_1235/Late Submission - two-link.ipynb", "a_cruz.2", None),
    ],
    "Brightspace": [
        ("12345-67890 - Ada Lovelace - Nov 30, 2024 1159 PM/two-link.ipynb", "Ada Lovelace", "2024-11-30T23:59:00"),
        ("12346-67890 - Bob Oz - December 1, 2024 9:59 AM/two-link.ipynb", "Bob Oz", "2024-12-01T09:59:00"),
        ("12347-67890 - Anna-Lena Mai - 1. März 2024 2359/two-link.ipynb", "Anna-Lena Mai", "2024-03-01T23:59:00"),
        ("12348-67890 - Cy Ort - September 3, 2024 1200 PM - Dec 1, 2020 1200 AM.ipynb", "Cy Ort", "2024-09-03T12:00:00"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("platform", DOWNLOADS)
@pytest.mark.parametrize("wrap", ["", "submissions/"])
def test_each_platform_names_its_students(platform, wrap):
    """Blackboard, Canvas, Moodle, Gradescope, Brightspace, in a folder of their own or not: student, and time where it stands."""
    rows = DOWNLOADS[platform]
    paths = [wrap + path for path, _, _ in rows]
    reading = Reading(paths)
    for path, (_, student, time) in zip(paths, rows):
        named = reading.download.named(path)
        assert (named.student, named.doubt) == (student, "")
        when = f"{read_platform_time(named.time, UTC)[0]:%Y-%m-%dT%H:%M:%S}" if named.time else None
        assert when == time
        assert reading.student(path)[0].startswith(student.replace("'", "-"))


@pytest.mark.parametrize(
    "path",
    ["ada_two-link.ipynb", "ada/two-link.ipynb", "ada_2_two-link.ipynb", "Ann Lee/x_attempt_2.ipynb", "x_attempt_2026_y.ipynb",
     "group_12/two-link.ipynb", "two-link.ipynb", "12 - x/two-link.ipynb", "ada_12_34_x.ipynb", "ada_2026_11_30.ipynb"],
)  # fmt: skip
def test_other_paths_are_no_platforms(path):
    """They follow the rule for names of one's own."""
    assert Download([path]).named(path).platform == "" == Download([path]).named(path).doubt


PACKED = [
    "x_bo_attempt_2099-01-01-00-00-00_y.ipynb",
    "x_88001_990001_y.ipynb",
    "bo_7_assignsubmission_file_/y.ipynb",
    "submission_7/y.ipynb",
    "1-2 - bo - Nov 30, 2001 1159 PM/y.ipynb",
]


@pytest.mark.parametrize("packed", PACKED)
def test_what_a_student_packs_names_nobody(packed):
    """Below the folder of a student, whatever platform it looks like, alone in the class or not; in a platform's download, too."""
    for paths in ([f"ada/{packed}"], [f"ada/{packed}", "cy/x.ipynb"]):
        named = Download(paths).named(paths[0])
        assert Reading(paths).student(paths[0]) == ("ada", "") and (named.platform, named.time) == ("", "")
    for rows in DOWNLOADS.values():
        paths = [path for path, _, _ in rows]
        place = next((path.split("/")[0] for path in paths if "/" in path), None)
        if place is not None:
            mine = Download([*paths, f"{place}/{packed}"])
            assert mine.named(f"{place}/{packed}") == mine.named(f"{place}/x.ipynb")


@pytest.mark.parametrize("packed", PACKED)
def test_one_name_among_others_is_no_platforms(packed):
    """A class is a download of a platform or not: the one that looks so is asked about, also in a download of another platform."""
    for others in (
        ["ada_two-link.ipynb", "cy/x.ipynb"],
        [path for path, _, _ in DOWNLOADS["Moodle"] if packed[3:4] != "7"],
    ):
        if others:
            student, why = Reading([packed, *others]).student(packed)
            assert student is None and "keep a download of a platform in a folder of its own" in why
            assert Download([packed, *others]).named(packed).time == ""


@pytest.mark.parametrize("platform", DOWNLOADS)
@pytest.mark.parametrize("other", DOWNLOADS)
def test_a_class_that_hands_in_what_another_platform_named_is_still_a_class(platform, other):
    """Each with a file as another platform had called it for the same student: the platform's own beginning counts."""
    files = [path.replace("/", "-") for path, _, _ in DOWNLOADS[other]]
    rows = [(path, student) for path, student, _ in DOWNLOADS[platform] if not path.endswith(".html")]
    paths = []
    for number, (path, _) in enumerate(rows):
        folder, _, name = path.rpartition("/")
        file = files[number % len(files)]
        stem = name.removesuffix(".ipynb").removesuffix(".txt")
        paths.append(
            f"{folder}/{file}"
            if folder
            else f"{stem}_{file}"
            if "Canvas" in platform or "Black" in platform
            else f"{stem} {file}"
        )
    reading = Reading(paths)
    found = [reading.download.named(path).student for path in paths]
    assert all(one in (student, None) for one, (_, student) in zip(found, rows))


def test_a_year_is_no_number_of_a_user():
    """A teacher's own names with dates: the same number for two names, or the only student's."""
    for paths in (["ada_2024_1130_x.ipynb", "bob_2024_1130_x.ipynb"], ["ada_2024_1130_x.ipynb"]):
        assert all(Reading(paths).student(path)[0] is None for path in paths)


def test_a_folder_that_wraps_is_no_student():
    """One that wraps a class is stepped into; one beside others, or one that a student is called, is asked about."""
    inside = [path for path, _, _ in DOWNLOADS["Canvas"]]
    paths = [f"monday/{path}" for path in inside]
    assert Reading(paths).student(paths[0]) == ("88001", "")
    for reading in (Reading([*paths, "ada/x.ipynb"]), Reading(paths, download=Download(paths, students=["Monday"]))):
        student, why = reading.student(paths[0])
        assert student is None and "the folder monday looks like a download of Canvas" in why
    lone = "assignment_7_export/submission_301/x.ipynb"
    assert Reading([lone]).student(lone)[0] is None


@pytest.mark.parametrize(
    ("heads", "students"),
    [
        (["two-link_j_doe", "two-link_s_doe"], ["j_doe", "s_doe"]),  # as the assignment is called
        (["Two Link_a_b"], ["a_b"]),
        (["Week 3_j_doe", "Week 3_s_doe"], ["j_doe", "s_doe"]),  # the one text that all begin with
        (["HW_1_j_doe", "HW_1_s_doe"], [None, None]),  # 1_j_doe of HW, or j_doe of HW_1
        (["HW_stud_1", "HW_stud_2"], [None, None]),
        (["HW_j_doe"], [None]),
        (["HW_doe"], ["doe"]),
    ],
)
def test_a_user_of_blackboard_may_have_an_underscore(heads, students):
    """The name of the assignment ends where the whole class says it does; else a roster does."""
    paths = [f"{head}_attempt_2024-11-18-10-00-00_x.ipynb" for head in heads]
    reading = Reading(paths, download=Download(paths, "two-link"))
    assert [reading.student(path)[0] for path in paths] == students
    users = [f"s{number}" for number, _ in enumerate(heads)]
    known = Reading(
        paths, Roster({head.partition("_")[2]: user for head, user in zip(heads, users)}), Download(paths, "two-link")
    )
    assert [known.student(path)[0] for path in paths] == users


ROSTER = Roster({"ada": "ada", "bo": "bo", "2024": "y1", "x": "x1", "12": "n1", "990001": "n2", "Ann Lee": "a1", "Ann Lee_13": "a2", "j_doe": "j_doe", "two": "t1"})  # fmt: skip


@pytest.mark.parametrize(
    ("path", "student"),
    [
        ("two_ada_attempt_2024-11-18-10-00-00_bo.ipynb", "ada"),  # neither assignment nor date nor file
        ("two_eve_attempt_2024-11-18-10-00-00_bo.ipynb", None),
        ("two_ada.l_attempt_2024-11-18-10-00-00_x.ipynb", None),  # another user
        ("two_ada@uni.edu_attempt_2024-11-18-10-00-00_x.ipynb", "ada"),
        ("eve_88001_990001_bo.ipynb", None),  # the number of a file
        ("eve_12_990001_bo.ipynb", "n1"),
        ("ada_88001_990001_bo.ipynb", "ada"),
        ("Mary Ann Lee_12_assignsubmission_file_/x.ipynb", None),
        ("Ann Lee_12_assignsubmission_file_/bo.ipynb", "a1"),
        ("Lee, Ann_12_assignsubmission_file_/bo.ipynb", "a1"),
        ("Ann Lee_13_assignsubmission_file_/bo.ipynb", "a2"),
        ("1-12 - Ann Lee - Nov 30, 2024 1159 PM/bo.ipynb", "a1"),
        ("1-12 - Eve - Nov 30, 2024 1159 PM/bo.ipynb", None),
        ("lovelace_eve12_question_990001_990001_bo.ipynb", "n1"),
        ("ada/bo.ipynb", "ada"),
        ("eve/bo.ipynb", None),
    ],
)
def test_a_roster_is_sought_in_what_a_platform_writes_of_a_student(path, student):
    """All of it, not a word of it; and in no date, number of a file, name of an assignment or of a file."""
    assert student_of(path, ROSTER) == student


def test_a_roster_is_sought_where_a_class_has_its_students():
    """Where one folder or name of the class is known, what stands elsewhere in another is a student's own word."""
    paths = ["ada/y.ipynb", "eve/bo/y.ipynb", "ada_y.ipynb", "eve_bo.ipynb", "Mary Ann Lee/y.ipynb", "s_bo/y.ipynb"]
    found = [Reading(paths, ROSTER).student(path) for path in paths]
    assert [student for student, _ in found] == ["ada", None, "ada", None, None, None]
    assert found[1][1].startswith("no id and no name of the roster stands in its path where those of others do: ")
    assert (
        found[3][1]
        == "bo stands in its name, but not as the names of others are: if it is the same, put it into a folder bo"
    )
    assert found[4][1].startswith("a1 stands in its name, but not as the names of others are")


@pytest.mark.parametrize(
    ("paths", "students"),
    [
        (["group 1/ada/y.ipynb", "group 1/bo/y.ipynb", "group 2/j_doe/y.ipynb"], ["ada", "bo", "j_doe"]),
        (["group 1/ada/y.ipynb"], ["ada"]),
        (["eve/bo/y.ipynb", "gus/ada/y.ipynb"], [None, None]),  # a folder of one student is the student's
        (["homework/ada_y.ipynb", "homework/bo_y.ipynb"], ["ada", "bo"]),
        (["homework/ada_y.ipynb", "homework/eve_y.ipynb"], [None, None]),  # eve's may say what she likes
        (["eve/bo.ipynb", "gus/ada.ipynb"], [None, None]),  # the roster knows no folder, and students name files
        (["eve/bo.ipynb"], [None]),
    ],
)
def test_a_folder_around_a_class_is_stepped_over(paths, students):
    """Into folders that are all known, or the files of one folder that all are; else nobody is found."""
    reading = Reading(paths, ROSTER)
    assert [reading.student(path)[0] for path in paths] == students


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


@pytest.mark.parametrize("platform", DOWNLOADS)
def test_a_download_of_a_class_is_a_class(platform, course, tmp_path):
    """Of each platform: as many students as there are, by the platform's own time in the zone of the course."""
    rows = DOWNLOADS[platform]
    lines = intake(course, "two-link", hand_in(tmp_path / "uploads", *(path for path, _, _ in rows)))
    assert len({line["student"] for line in lines}) == len(rows) and all(line["readable"] for line in lines)
    by_name = {line["name"]: line for line in lines}
    for path, _, time in rows:
        source = f"{by_name[path]['platform']}'s name of it" if time else "the file"
        source += "; Gradescope's submission_metadata.yml says nothing of it" * (platform == "Gradescope")
        assert by_name[path]["time_from"] == source
        if time:
            winter = (
                datetime.fromisoformat(by_name[path]["time"]).replace(tzinfo=None) - datetime.fromisoformat(time)
            ).total_seconds()
            assert winter == (-7200 if "09-03" in time else -3600)


def test_the_newer_attempt_counts(course, tmp_path):
    """By the stamp in its name, whatever the time of unpacking is."""
    stamps = ("2024-11-18-10-00-00", "2024-11-19-10-00-00", "2024-11-17-10-00-00")
    hand_in(tmp_path / "uploads", *(f"two-link_bb1_attempt_{stamp}_x.ipynb" for stamp in stamps))
    intake(course, "two-link", tmp_path / "uploads")
    assert "2024-11-19" in course.chosen("two-link")["bb1"]["name"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("{}-67 - {} - Jan 30, 2099 1159 PM/x.ipynb", "Jan 30, 2099 1159 PM is later than now, which is not believed"),
        ("{}-67 - {} - Smarch 30, 2024 1159 PM/x.ipynb", "Smarch is no month in the languages that are read: Dutch, English, French"),
        ("{}-67 - {} - Feb 30, 2024 1159 PM/x.ipynb", "cannot be read, day"),
        ("{}-67 - {} - 30.11.2024 2359/x.ipynb", "it needs a day, a month in letters"),
        ("{}-67 - {} - 11-12-2024 2359/x.ipynb", "11-12-2024 2359 cannot be read, it needs a day, a month in letters"),
        ("{}-67 - {} - 11-Dec-2024 1159 PM/x.ipynb", "11-Dec-2024 1159 PM cannot be read"),
        ("HW_{}_attempt_2024-02-30-10-00-00_x.ipynb", "2024-02-30-10-00-00 cannot be read"),
        ("HW_{}_attempt_2099-02-20-10-00-00_x.ipynb", "is the zone in course.toml right"),
        ("HW_{}_attempt_2024-10-27-02-30-00_x.ipynb", "02:30 comes twice in Europe/Berlin on that day, the first is taken"),
        ("HW_{}_attempt_2024-03-31-02-30-00_x.ipynb", "02:30 is left out in Europe/Berlin on that day, 03:30 is taken"),
    ],
)  # fmt: skip
def test_a_time_that_cannot_be_is_said(path, said, course, tmp_path):
    """And replaced by that of the file, or taken in one way, which the ledger tells; the student is who it is."""
    told = []
    number = ["12", "13"] if path.startswith("{}-67") else []  # of a user: two have two
    paths = [path.format(*number[k : k + 1], name) for k, name in enumerate(("ann", "bob"))]
    uploads = hand_in(tmp_path / "uploads", *paths)
    for file in uploads.rglob("*.ipynb"):
        os.utime(file, (1.5e9, 1.5e9))
    lines = intake(course, "two-link", uploads, say=told.append)
    assert [line["student"] for line in lines] == (["ann", "bob"])
    assert len(told) == 2 and all(said in words for words in told) and all(said in line["time_from"] for line in lines)
    assert {line["time"] for line in lines} <= {
        "2017-07-14T02:40:00+00:00",
        "2024-10-27T00:30:00+00:00",
        "2024-03-31T01:30:00+00:00",
    }


@pytest.mark.parametrize(
    "path",
    ["Ann Lee_{}_assignsubmission_file_/{}.ipynb", "{}-67 - Ann Lee - Nov 30, 2024 1159 PM/{}.ipynb"],
)
def test_namesakes_wait_for_a_roster(path, course, tmp_path):
    """Two numbers for one name: two people, of whom one may not take the other's place; a roster may name the number."""
    platform = "Moodle" if "assign" in path else "Brightspace"
    first, second = intake(
        course, "two-link", hand_in(tmp_path / "uploads", path.format(12, "x"), path.format(13, "x"))
    )
    assert first["student"] == "Ann Lee" and first["readable"]
    assert not second["readable"] and second["student"].startswith("unknown-")
    assert second["why"].startswith(f"{platform} has two people called Ann Lee: write a roster")
    again = intake(course, "two-link", hand_in(tmp_path / "more", path.format(13, "later")))
    assert not again[0]["readable"]
    own = intake(course, "two-link", hand_in(tmp_path / "third", path.format(12, "later")))
    assert own[0]["student"] == "Ann Lee" and own[0]["readable"]
    (tmp_path / "r.csv").write_text("id,name\na1,Ann Lee\n", encoding="utf-8")
    assert [line["student"] for line in intake(course, "two-link", tmp_path / "uploads", tmp_path / "r.csv")] == ["a1"]
    assert second["why"].endswith("perhaps with Ann Lee_13 or Ann Lee as its name, and take them in with it")
    (tmp_path / "r.csv").write_text("id,name\na1,Ann Lee_13\na2,Ann Lee_12\n", encoding="utf-8")
    intake(course, "two-link", tmp_path / "uploads", tmp_path / "r.csv")
    found = {line["name"]: line["student"] for line in course.ledger() if line["name"].endswith("x.ipynb")}
    assert found == {path.format(12, "x"): "a2", path.format(13, "x"): "a1"}


def test_files_of_a_quiz_wait_for_a_roster(course, tmp_path):
    """Canvas writes the number of the user behind the name: those of one family name were one student."""
    paths = [f"lee_{name}_question_7_99000{k}_x.ipynb" for k, name in enumerate(("ann88001", "bob88002"))]
    uploads = hand_in(tmp_path / "uploads", *paths)
    assert [line["readable"] for line in intake(course, "two-link", uploads)] == [False, False]
    assert intake(course, "two-link", uploads) == []
    (tmp_path / "r.csv").write_text("id,name\n88001,\nb2,lee_bob88002\n", encoding="utf-8")
    assert [line["student"] for line in intake(course, "two-link", uploads, tmp_path / "r.csv")] == ["88001", "b2"]


def test_what_was_asked_about_is_read_once_it_is_clear(course, tmp_path):
    """As where the archive lay beside the files of a download: it is named, and taken out it asks no more."""
    uploads = hand_in(tmp_path / "uploads", "leeann_88001_990001_x.ipynb", "ozbob_88002_990002_x.ipynb")
    with zipfile.ZipFile(uploads / "submissions.zip", "w") as archive:
        archive.writestr("x.txt", "")
    lines = intake(course, "two-link", uploads)
    assert not any(line["readable"] for line in lines) and "submissions.zip beside it is none" in lines[0]["why"]
    (uploads / "submissions.zip").unlink()
    assert [line["student"] for line in intake(course, "two-link", uploads)] == ["88001", "88002"]
    lone = intake(course, "two-link", hand_in(tmp_path / "later", "ozbob_88002_990003_x.ipynb"))
    assert lone[0]["student"] == "88002"


def test_what_is_read_later_has_the_time_of_its_platform(course, tmp_path):
    """While it waited it had that of its file."""
    uploads = hand_in(
        tmp_path / "uploads",
        *(f"HW_{one}_attempt_2024-11-18-10-00-00_x.ipynb" for one in ("ann", "bob")),
        "read me.ipynb",
    )
    assert {line["time_from"] for line in intake(course, "two-link", uploads)} == {"the file"}
    (uploads / "read me.ipynb").unlink()
    line, _ = intake(course, "two-link", uploads)
    assert line["upload"].startswith("000001-")
    assert (line["student"], line["time"]) == ("ann", "2024-11-18T09:00:00+00:00")


def test_a_namesakes_work_waits_also_where_it_cannot_be_read(course, tmp_path):
    """The one who sent it would be told by nobody, and the other of what she never sent."""
    uploads = hand_in(
        tmp_path / "up", "Ann Lee_12_assignsubmission_file_/x.ipynb", "Ann Lee_13_assignsubmission_file_/x.ipynb"
    )
    (uploads / "Ann Lee_13_assignsubmission_file_/x.ipynb").write_text("no notebook", encoding="utf-8")
    first, second = intake(course, "two-link", uploads)
    assert first["student"] == "Ann Lee" and second["student"].startswith("unknown-") and "two people" in second["why"]


def test_a_lone_name_in_a_class_without_a_platform_is_no_platforms(course, tmp_path):
    """What came before tells, where one upload comes later."""
    intake(course, "two-link", hand_in(tmp_path / "first", "ada_x.ipynb", "bo_x.ipynb"))
    (line,) = intake(course, "two-link", hand_in(tmp_path / "later", "ada_bo_attempt_2024-11-18-10-00-00_x.ipynb"))
    assert not line["readable"] and line["time_from"] == "the file" and "what came before" in line["why"]


def test_notebooks_that_were_begun_for_two_students_wait(course, tmp_path):
    """As where a folder is not a student; the same id twice, or none, is one."""
    paths = ["homework/a.ipynb", "homework/b.ipynb", "homework/c.ipynb", "homework/d.ipynb"]
    lines = intake(course, "two-link", hand_in(tmp_path / "uploads", *paths, begun=["ada", "bob", "", "Ada"]))
    assert [line["readable"] for line in lines] == [True, False, True, True]
    assert lines[1]["why"].startswith(
        "it was begun for bob, an earlier notebook of homework for ada: one student or two?"
    )


def test_with_a_roster_other_ids_wait_too(course, tmp_path):
    """What the line of the student holds is hers, in each of its columns; the sentence says how to go on."""
    roster = tmp_path / "r.csv"
    roster.write_text("id,name,mail\na1,ada,ada@x.edu\nb1,bob,bob@x.edu\n", encoding="utf-8")
    uploads = hand_in(tmp_path / "up", *(f"ada_{k}.ipynb" for k in range(4)), begun=["ada", "a1", "Ada@x.edu", "bob"])
    lines = intake(course, "two-link", uploads, roster)
    assert [line["student"] for line in lines[:3]] == 3 * ["a1"] and not lines[3]["readable"]
    assert lines[3]["why"] == (
        "it was begun for bob, an earlier notebook of a1 for a1, ada, ada@x.edu: if it is a1's, write bob into a further column "
        "of that line of the roster, and take it in again"
    )
    roster.write_text("id,name,mail,also\na1,ada,ada@x.edu,bob\nb1,bob,bob@x.edu,\n", encoding="utf-8")
    assert [line["student"] for line in intake(course, "two-link", uploads, roster)] == ["a1"]


def test_members_of_a_group_are_one(course, tmp_path):
    """Whoever of them hands in, and for whichever id of theirs it was begun."""
    roster = tmp_path / "r.csv"
    roster.write_text("id,group\n88001,team\n88002,team\n88003,\n", encoding="utf-8")
    paths = [f"name{k}_8800{k}_99000{k}_x.ipynb" for k in (1, 2, 3)]
    lines = intake(course, "two-link", hand_in(tmp_path / "up", *paths, begun=["88001", "88002", "88003"]), roster)
    assert [(line["student"], line["readable"]) for line in lines] == [("team", True), ("team", True), ("88003", True)]


BEGUN = [
    ("check.begin(\"two-link\", 'ada')", ["ada"]),
    ('p = rd.check.begin(student="a\\u0064a", assignment="two-link")', ["ada"]),
    ('%time p = check.begin("two-link", student=4711)', ["4711"]),
    ('%%time\ncheck.begin("two-link", "ada")', ["ada"]),
    ('!ls\nfiles = !ls\nbegin("two-link", f"Ada")', ["ada"]),
    ('name = "ada"\ncheck.begin("two-link", name)', ["ada"]),
    ('check.begin("two-link", "a" "d" + "a")', ["ada"]),
    ('check.begin("two-link",\n   # mine\n   """ada""",\n)', ["ada"]),
    ('# check.begin("two-link", "bob")', []),
    ("text = \"begin('two-link', 'bob')\"", []),
    ('check.begin("two-link", input())', []),
    ("begin(" * 5000, []),
    ("begin = begin\ncheck.begin('x', begin)", []),
]


@pytest.mark.parametrize("packed", [False, True])
def test_for_whom_a_notebook_was_begun_is_read_as_python_reads_it(packed, course, tmp_path):
    """Whatever its quotes, order of arguments, commands of IPython; in a zip, too; never in a comment."""
    key = course.key("two-link").to_json()
    for number, (source, ids) in enumerate(BEGUN):
        cell = {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None}
        raw = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()
        if packed:
            with zipfile.ZipFile(tmp_path / f"{number}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("home/x.ipynb", raw)
            raw = (tmp_path / f"{number}.zip").read_bytes()
        assert judge.begun(key, raw) == ids, source


def test_a_roster_is_remembered(course, tmp_path):
    """A later intake without one finds the same students, and says by which roster; a newer one takes its place."""
    (tmp_path / "r.csv").write_text("id,name\na1,Ada Lovelace\n", encoding="utf-8")
    first = hand_in(tmp_path / "first", "Ada Lovelace_12_assignsubmission_file_/x.ipynb")
    intake(course, "two-link", first, tmp_path / "r.csv")
    (tmp_path / "r.csv").unlink()
    told = []
    (later,) = intake(
        course,
        "two-link",
        hand_in(tmp_path / "later", "Ada Lovelace_12_assignsubmission_file_/y.ipynb"),
        say=told.append,
    )
    assert later["student"] == "a1" and told[0].startswith("the roster is the one of an earlier intake")
    assert set(course.chosen("two-link")) == {"a1"}
    (tmp_path / "r.csv").write_text("id,name\na7,Ada Lovelace\n", encoding="utf-8")
    assert [line["student"] for line in intake(course, "two-link", first, tmp_path / "r.csv")] == ["a7"]


def test_what_is_left_out_is_said(course, tmp_path):
    """Folders that a platform or a system adds may hide work; a name that begins with ._ is work unless macOS wrote it."""
    other = course.folder / "keys/n-link.json"
    other.write_bytes((course.folder / "keys/two-link.json").read_bytes())
    uploads = hand_in(
        tmp_path / "up", "feedback/x.ipynb", "ada/feedback/x.ipynb", "ada/x.ipynb", "bo/n-link/x.ipynb", "cy/._x.ipynb"
    )
    (uploads / "cy/._y.ipynb").write_bytes(b"\x00\x05\x16\x07 and more")
    told = []
    lines = intake(course, "two-link", uploads, say=told.append)
    assert [line["name"] for line in lines] == ["ada/x.ipynb", "cy/._x.ipynb"]
    assert told == [
        "left out: 2 files in folders called feedback",
        "left alone: 1 file in folders called n-link, another assignment",
    ]


def test_a_roster_that_comes_later_moves_whom_it_names_and_asks_about_others(course, tmp_path):
    """In the same words, whichever came first; once asked about, nobody is entered again."""
    uploads = hand_in(tmp_path / "uploads", "bb1_two-link.ipynb", "eve_two-link.ipynb")
    assert [line["student"] for line in intake(course, "two-link", uploads)] == ["bb1", "eve"]
    (tmp_path / "r.csv").write_text("id,name\nada,bb1\n", encoding="utf-8")
    moved = {line["name"]: line for line in intake(course, "two-link", uploads, tmp_path / "r.csv")}
    assert moved["bb1_two-link.ipynb"]["student"] == "ada"
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
    (tmp_path / "r.csv").write_text("id\nal1\nada\n", encoding="utf-8")
    (several,) = intake(course, "two-link", hand_in(tmp_path / "a", "al1_ada_two-link.ipynb"), tmp_path / "r.csv")
    assert several["why"] == "2 students of the roster fit its path: ada, al1"
    (none,) = intake(course, "two-link", hand_in(tmp_path / "b", "x_88001_990001_y.ipynb"), tmp_path / "r.csv")
    assert none["why"] == "no id and no name of the roster is what Canvas calls the student: 88001, x"


def zip_of(path, files):
    """A zip of notebooks: {path in it: the id that it was begun for}."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, begun in files.items():
            archive.writestr(name, notebook_begun_for(begun))


def notebook_begun_for(student):
    cell = {"cell_type": "code", "id": "c", "metadata": {}, "outputs": [], "execution_count": None}
    source = f'check.begin("two-link", student="{student}")'
    return json.dumps({"cells": [cell | {"source": source}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.mark.parametrize("platform", ["Canvas", "Moodle", "Gradescope", "Brightspace"])
@pytest.mark.parametrize("wrap", ["", "submissions/"])
def test_the_zip_of_a_class_is_nobodys_upload(platform, wrap, course, tmp_path):
    """It waits, and the sentence says to unpack it, also where no notebook was begun for anybody."""
    rows = [path for path, _, _ in DOWNLOADS[platform] if path.endswith(".ipynb")]
    zip_of(tmp_path / "up/monday.zip", dict.fromkeys((wrap + path for path in rows), ""))
    (line,) = intake(course, "two-link", tmp_path / "up")
    assert not line["readable"] and "unpack it, and name the folder" in line["why"]
    assert f"named as {platform} names them" in line["why"]


def test_a_zip_with_the_work_of_two_waits(course, tmp_path):
    """By the ids that its notebooks were begun for; a student's zip with other copies, whatever they are called, is a student's."""
    zip_of(tmp_path / "up/monday.zip", {"ada/x.ipynb": "ada", "bo/x.ipynb": "bo", "cy/x.ipynb": ""})
    zip_of(tmp_path / "up/dee.zip", {"x.ipynb": "dee", "old/x.ipynb": "Dee", "old/y.ipynb": ""})
    zip_of(tmp_path / "up/eve.zip", {"submission_1/x.ipynb": "eve", "submission_2/x.ipynb": "eve"})
    dee, eve, monday = intake(course, "two-link", tmp_path / "up")
    assert dee["readable"] and eve["readable"] and not monday["readable"]
    assert "begun for ada, bo: if it is the zip of a class" in monday["why"]


def test_a_folder_around_a_class_is_asked_about(course, tmp_path):
    """As that of Teams: its students are not one, and named as the folder it holds them; attempts of one student are one's."""
    names = [f"Submitted files/{one}/two-link/Version {n}/x.ipynb" for one in ("Ada Lovelace", "Bo Ek") for n in (1, 2)]
    lines = intake(course, "two-link", hand_in(tmp_path / "up", *names))
    assert len(lines) == 4 and not any(line["readable"] for line in lines)
    assert "all lies in the folder Submitted files, in Ada Lovelace, Bo Ek: if these are students" in lines[0]["why"]
    students = {line["student"] for line in intake(course, "two-link", tmp_path / "up/Submitted files")}
    assert students == {"Ada Lovelace", "Bo Ek"}
    for inside in (("1", "2"), ("Version 1", "Version 2"), ("v1", "old")):
        paths = [f"ada/{one}/x.ipynb" for one in inside]
        assert {Reading(paths).student(path)[0] for path in paths} == {"ada"}
    paths = ["ada/x.ipynb", "ada/data/y.csv", "ada/pictures/z.png"]
    assert Reading(paths).student(paths[1])[0] == "ada"
    known = Roster({"ada": "ada"})
    paths = ["ada/left/x.ipynb", "ada/right/x.ipynb"]
    assert [Reading(paths, known).student(path)[0] for path in paths] == ["ada", "ada"]


def test_the_name_of_the_assignment_is_no_student(course, tmp_path):
    """Files called two-link_ada are not all of a student two-link; a roster finds whose they are."""
    names = ["two-link_ada.ipynb", "Two-Link_bo.ipynb", "two_link_cy.ipynb", "two-link.ipynb"]
    uploads = hand_in(tmp_path / "up", *names)
    lines = intake(course, "two-link", uploads)
    assert not any(line["readable"] for line in lines) and len({line["student"] for line in lines}) == len(names)
    assert all("begins with that of the assignment" in line["why"] for line in lines)
    (tmp_path / "r.csv").write_text("id\nada\nbo\ncy\n", encoding="utf-8")
    found = intake(course, "two-link", uploads, tmp_path / "r.csv")
    assert {line["student"] for line in found if line["readable"]} == {"ada", "bo", "cy"}
    hand_in(tmp_path / "other", "twoadams_two-link.ipynb", "lin_two_link.ipynb")
    others = Reading([path.name for path in (tmp_path / "other").iterdir()], download=Download(["x"], "two-link"))
    assert others.student("twoadams_two-link.ipynb") == ("twoadams", "") and others.student("lin_two_link.ipynb") == (
        "lin",
        "",
    )


def test_files_that_begin_with_one_name_are_told(course, tmp_path):
    """Of one name and its copies nothing says that they are two; what was begun for bo is bo's."""
    told = []
    uploads = hand_in(
        tmp_path / "up", "ada.ipynb", "ada_two_link v2.ipynb", "bo_1.ipynb", "bo_x.ipynb", begun=["", "", "bo", "bo"]
    )
    assert Download(["x"]).named("cy_smith.ipynb").person == Download(["x"]).named("cy_smith.zip").person == "smith"
    lines = intake(course, "two-link", uploads, say=told.append)
    assert len(told) == 1 and all(line["readable"] for line in lines)
    assert told[0].startswith(
        "ada.ipynb, ada_two_link v2.ipynb count as uploads of one student, ada, and the newest is"
    )
    later = hand_in(tmp_path / "later", "ada_two-link (1).ipynb", "bo_2.ipynb", begun=["", "bo"])
    assert all(line["readable"] for line in intake(course, "two-link", later, say=told.append))
    assert len(told) == 2 and told[1].startswith("ada.ipynb, ada_two_link v2.ipynb, ada_two-link (1).ipynb count as")


def test_a_user_of_ilias_has_one_folder(tmp_path):
    """Where two folders end alike they are no download of it, and each is a student's; a roster finds login, name or number."""
    paths = ["Lovelace_Ada_hw_1/x.ipynb", "Oz_Bob_hw_2/x.ipynb"]
    assert [Reading(paths).student(one)[0] for one in paths] == ["Lovelace_Ada_hw_1", "Oz_Bob_hw_2"]
    paths = ["Byron_Ada_byron_1/x.ipynb", "King_Byron_king_2/x.ipynb", "Oz_Bob_boz_3/x.ipynb"]
    (tmp_path / "r.csv").write_text("id,name,usr_id\nbyron,,\nb2,Byron King,\nb3,,3\n", encoding="utf-8")
    roster = Roster.read(tmp_path / "r.csv")
    assert [Reading(paths, roster).student(one)[0] for one in paths] == ["byron", "b2", "b3"]


def test_canvas_marks_what_is_late(course, tmp_path):
    """Its files have the time of the download; what it does not mark LATE, though it marks such work, is known to be in time."""
    uploads = hand_in(tmp_path / "up", "ada_88001_990001_x.ipynb", "bo_LATE_88002_990002_x.ipynb", "anon/x.ipynb")
    (uploads / "anon/x.ipynb").unlink()
    (uploads / "anon").rmdir()
    assert {line["student"]: line.get("late") for line in intake(course, "two-link", uploads)} == {
        "88001": False,
        "88002": True,
    }
    blind = hand_in(tmp_path / "blind", "anon_Xy12z_990001_x.ipynb", "anon_LATE_Qq7Z_990002_x.ipynb")
    assert {line["student"]: line["late"] for line in intake(course, "two-link", blind)} == {
        "Xy12z": False,
        "Qq7Z": True,
    }
    (moodle,) = intake(course, "two-link", hand_in(tmp_path / "m", "Ada Lovelace_12_assignsubmission_file_/x.ipynb"))
    assert "late" not in moodle


WORKSHEET = (
    '\ufeffIdentifier,"Full name",Status,Grade,"Maximum Grade","Last modified (submission)","Last modified (grade)"\n'
    '"Participant 12","Ann Lee","Submitted",,3.00,"Wednesday, 20 November 2024, 10:00 AM",-\n'
    '"Participant 13","Bo Oz","No submission",,3.00,-,-\n'
)


@pytest.mark.parametrize("flat", ["", "/"])
@pytest.mark.parametrize("later", [False, True])
def test_moodles_worksheet_beside_a_download_says_when(flat, later, course, tmp_path):
    """Its zip has the time of the download; the worksheet has the student's, at once or when it is laid there later."""
    names = [f"{name}_assignsubmission_file_{flat}x.ipynb" for name in ("Ann Lee_12", "Bo Oz_13")]
    uploads = hand_in(tmp_path / "up", *names)
    if later:
        assert {line["time_from"] for line in intake(course, "two-link", uploads)} == {"the file"}
    (uploads / "Grades-Robots-two-link-7.csv").write_text(WORKSHEET, encoding="utf-8")
    intake(course, "two-link", uploads)
    first, second = course.ledger("two-link")
    assert (first["time"], first["time_from"]) == ("2024-11-20T09:00:00+00:00", "Moodle's grading worksheet")
    assert second["time_from"] == "the file" and first["upload"].startswith("000001-")
    assert intake(course, "two-link", uploads) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [("ada.ipynb", "ada_lovelace.ipynb"), ("ada_two-link.ipynb", "ada_lovelace_two-link.ipynb"), ("Lovelace_47110_x.ipynb", "Lovelace_47111_x.ipynb")],
)  # fmt: skip
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("together", [False, True])
def test_a_name_alone_and_with_more_behind_it_may_be_two(first, second, turned, together, course, tmp_path):
    """Whichever came first: one waits, and says so; what the teacher puts into the student's folder is hers."""
    names = [second, first] if turned else [first, second]
    lines = intake(course, "two-link", hand_in(tmp_path / "up", *names[: 1 + together]))
    if not together:
        lines += intake(course, "two-link", hand_in(tmp_path / "later", names[1]))
    (waiting,) = [line for line in lines if not line["readable"]]
    student = first.split("_")[0].split(".")[0]
    assert "one student or two? If one, put them into a folder" in waiting["why"]
    (line,) = intake(course, "two-link", hand_in(tmp_path / "folder", f"{student}/{waiting['name']}"))
    assert (line["student"], line["readable"]) == (student, True)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ada Lovelace_12_assignsubmission_file_/x.ipynb", "Ada King_12_assignsubmission_file_/x.ipynb"),
        ("12-67 - Ada Lovelace - Nov 1, 2024 1159 PM/x.ipynb", "12-67 - Ada King - Nov 9, 2024 1159 PM/x.ipynb"),
    ],
)
def test_one_person_whom_a_platform_calls_by_two_names_is_asked_about(first, second, course, tmp_path):
    """Whose name has changed is one student with one grade; a roster with both names tells."""
    intake(course, "two-link", hand_in(tmp_path / "up", first))
    (line,) = intake(course, "two-link", hand_in(tmp_path / "later", second))
    assert not line["readable"] and "calls Ada King whom it called Ada Lovelace before" in line["why"]
    (tmp_path / "r.csv").write_text("id,name,other name\na1,Ada Lovelace,Ada King\n", encoding="utf-8")
    (line,) = intake(course, "two-link", tmp_path / "later", tmp_path / "r.csv")
    assert line["student"] == "a1"


def test_a_new_submission_in_gradescope_is_of_the_same_student(course, tmp_path):
    """Each export numbers submissions anew: by its notes one who comes again is not two students."""
    notes = "submission_{}:\n  :submitters:\n  - :name: Ada Lovelace\n    :email: a@x.edu\n  :created_at: 2024-11-0{} 10:00:00.000 Z\n"
    for day, (place, number) in enumerate((("up", 301), ("later", 399)), 1):
        folder = hand_in(tmp_path / place, f"submission_{number}/x.ipynb")
        (folder / "submission_metadata.yml").write_text(notes.format(number, day), encoding="utf-8")
    (first,) = intake(course, "two-link", tmp_path / "up")
    (second,) = intake(course, "two-link", tmp_path / "later")
    assert first["readable"] and not second["readable"] and "(Ada Lovelace, a@x.edu)" in second["why"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a@x.edu_2_handin.ipynb", "a@x.edu_10_handin.ipynb"),
        ("Ada/Version 2/x.ipynb", "Ada/Version 10/x.ipynb"),
        ("ada_8_999999_x.ipynb", "ada_8_1000001_x-1.ipynb"),
    ],
)
def test_of_two_files_of_one_time_the_higher_number_is_newer(old, new, course, tmp_path):
    """As where all of a class is unpacked in one second: attempt 10 comes behind attempt 2, and Canvas counts its files up."""
    uploads = hand_in(tmp_path / "up", old, new, *(["bo_9_990001_x.ipynb"] * ("_8_" in old)))
    for file in uploads.rglob("*.ipynb"):
        os.utime(file, (1.7e9, 1.7e9))
    intake(course, "two-link", uploads)
    assert new in {line["name"] for line in course.chosen("two-link").values()}


def test_what_a_teacher_gave_back_is_no_upload(course, tmp_path):
    """Moodle packs the files of feedback beside those of the student; what was typed into Canvas has a name."""
    names = ["Ada Lovelace_12_assignsubmission_file_/x.ipynb", "Ada Lovelace_12_assignfeedback_file_/corrected.ipynb"]
    assert [line["name"] for line in intake(course, "two-link", hand_in(tmp_path / "up", *names))] == names[:1]
    typed = Download(["ada_8_990001_x.ipynb", "ada_8_text.html", "bo_9_990002_x.ipynb"])
    assert typed.split("ada_8_text.html") == (typed.split("ada_8_990001_x.ipynb")[0], "text.html")


@pytest.mark.parametrize("turned", [False, True])
def test_one_id_that_came_by_two_ways_is_told(turned, course, tmp_path):
    """What a platform calls ada, and a file whose name begins so, a week apart: nothing says that they are one student."""
    moodle = ["ada_12_assignsubmission_file_/x.ipynb", "bo_13_assignsubmission_file_/x.ipynb"]
    files = ["ada_lovelace.ipynb", "cy_ort.ipynb"]
    first, second = (files, moodle) if turned else (moodle, files)
    told = []
    intake(course, "two-link", hand_in(tmp_path / "first", *first), say=told.append)
    assert told == []
    intake(course, "two-link", hand_in(tmp_path / "second", *second), say=told.append)
    assert len(told) == 1 and told[0].startswith(
        f"{first[0]} and {second[0]} count as uploads of one student, ada, though they came by two ways: if"
    )
    (tmp_path / "r.csv").write_text("id,name\nada,Ada\nbo,Bo\ncy,Cy\n", encoding="utf-8")
    intake(course, "two-link", hand_in(tmp_path / "third", files[0]), tmp_path / "r.csv", say=told.append)
    assert not any("two ways" in one for one in told[1:])


@pytest.mark.parametrize(
    ("first", "second", "student"),
    [
        ("ada_byron.ipynb", "ada_lovelace.ipynb", "ada"),
        ("Ada Byron - two-link.ipynb", "Ada Lovelace - two-link.ipynb", "Ada"),
        ("j_jones_two-link_final.ipynb", "j_smith_Two_Link (1).ipynb", "j"),
        ("secA_ada.ipynb", "secA_bo_v2.ipynb", "secA"),
    ],
)
@pytest.mark.parametrize("together", [True, False])
def test_two_names_that_begin_alike_are_not_merged(first, second, student, together, course, tmp_path):
    """In one folder or a week later: the second waits until a roster or a folder tells."""
    up = hand_in(tmp_path / "up", *[first, second][: 1 + together])
    lines = intake(course, "two-link", up)
    if not together:
        lines += intake(course, "two-link", hand_in(tmp_path / "later", second))
    assert [(line["student"], line["readable"]) for line in lines] == [(student, True), (lines[1]["student"], False)]
    assert lines[1]["student"].startswith("unknown-") and f"behind {student} its name says" in lines[1]["why"]
    assert intake(course, "two-link", up) == []
    name = second.split(".")[0]
    (tmp_path / "r.csv").write_text(f"id,name\n{student},\n007,{name}\n", encoding="utf-8")
    hand_in(tmp_path / "up", second)
    found = intake(course, "two-link", tmp_path / "up", tmp_path / "r.csv")
    assert [line["student"] for line in found if line["readable"]] == ["007"]


@pytest.mark.parametrize(
    "names",
    [("Untitled.ipynb", "Untitled1.ipynb"), ("hw3_ada.ipynb", "HW 3 bo.ipynb"), ("submission_301.ipynb", "submission_302.ipynb"),
     ("2026-11-20_ada.ipynb", "two-link-ada.ipynb"), ("Übung 4_ada.ipynb", "notebook (2).ipynb")],
)  # fmt: skip
def test_no_student_is_called_as_programs_name_files(names, course, tmp_path):
    """All who did not rename their file would be one; a folder says whose it is, and an id may begin so."""
    lines = intake(course, "two-link", hand_in(tmp_path / "up", *names))
    assert all(line["student"].startswith("unknown-") and "put it into a folder" in line["why"] for line in lines)
    own = intake(course, "two-link", hand_in(tmp_path / "own", "hw3/x.ipynb", "hwang_x.ipynb", "12_x.ipynb"))
    assert {line["student"] for line in own} == {"hw3", "hwang", "12"}


GRADESCOPES = """---
submission_301:
  :submitters:
  - :name: Ada Lovelace
    :sid: '0012345'
    :email: ada@uni.edu
  :created_at: 2024-11-18 10:00:00.483216000 Z
  :score: 3.0
  :results:
    :output: "x"
    :created_at: 2001-01-01 00:00:00 Z
  :history:
  - :created_at: 2001-01-01 00:00:00 Z
submission_302:
  :submitters:
  - :name: Li Wei
    :sid:
    :email: lw@uni.edu
  - :name: Bo Ek
    :sid: 'b7'
    :email: bo@uni.edu
  :created_at: 2024-11-19 11:00:00.000000000 +01:00
"""


@pytest.mark.parametrize("wrap", ["", "assignment_7_export/"])
def test_gradescopes_notes_say_who_and_when(wrap, course, tmp_path):
    """By the id, email address or name of a roster, a group too; a student's own file of that name says nothing."""
    uploads = hand_in(tmp_path / "up", *(f"{wrap}submission_{n}/x.ipynb" for n in (301, 302, 303)))
    (uploads / wrap / "submission_metadata.yml").write_text(GRADESCOPES, encoding="utf-8")
    (uploads / wrap / "submission_303/submission_metadata.yml").write_text(
        GRADESCOPES.replace("301", "303"), encoding="utf-8"
    )
    lines = {line["name"].split("/")[-2]: line for line in intake(course, "two-link", uploads)}
    assert [line["student"] for line in lines.values()] == [f"submission_{n}" for n in (301, 302, 303)]
    assert [line["time"][:16] for line in lines.values()][:2] == ["2024-11-18T10:00", "2024-11-19T10:00"]
    assert lines["submission_301"]["time_from"] == "Gradescope's submission_metadata.yml"
    assert lines["submission_303"]["time_from"].startswith("the file")
    rows = "id,name,group\n0012345,,\nlw,Li Wei,team\nbo,Bo Ek,team\n"
    (tmp_path / "r.csv").write_text(rows, encoding="utf-8")
    found = {line["name"].split("/")[-2]: line for line in intake(course, "two-link", uploads, tmp_path / "r.csv")}
    assert found["submission_301"]["student"] == "0012345" and found["submission_302"]["student"] == "team"
    assert not found["submission_303"]["readable"]


@pytest.mark.parametrize("wrap", ["", "two-link/"])
@pytest.mark.parametrize("stamp", ["20241118100000000", "2024-11-18T10:00:00Z", "2024-11-18T10:00:00.123Z"])
def test_sakais_folders_say_who_and_when(wrap, stamp, course, tmp_path):
    """By what stands where no student writes; what lies among the attachments, and Sakai's own files, say nothing."""
    names = ("Lovelace, Ada(alovelace)", "Ek, Bo(0007)", "Oz, Cy (Cyan)(coz)")
    uploads = hand_in(tmp_path / "up", *(f"{wrap}{name}/Submission attachment(s)/x.ipynb" for name in names))
    (uploads / wrap / "grades.csv").write_text('"two-link","Points"\n', encoding="utf-8")
    for name in names:
        (uploads / wrap / name / "timestamp.txt").write_text(stamp, encoding="utf-8")
        (uploads / wrap / name / "comments.txt").write_text("fine", encoding="utf-8")
        (uploads / wrap / name / "Submission attachment(s)/timestamp.txt").write_text(
            "20010101000000000", encoding="utf-8"
        )
    lines = intake(course, "two-link", uploads)
    assert [line["student"] for line in lines] == ["0007", "alovelace", "coz"]
    assert all(
        line["time"] == "2024-11-18T10:00:00+00:00" and line["time_from"] == "Sakai's timestamp.txt" for line in lines
    )
    assert not any(line.get("files") for line in lines)
    (tmp_path / "r.csv").write_text('id,name\nada,Ada Lovelace\nbo,"Ek, Bo"\ncoz,x\n', encoding="utf-8")
    assert [line["student"] for line in intake(course, "two-link", uploads, tmp_path / "r.csv")] == ["bo", "ada"]


@pytest.mark.parametrize(
    ("word", "month"),
    [("févr.", 2), ("février", 2), ("août", 8), ("déc.", 12), ("ene.", 1), ("agosto", 8), ("dic", 12), ("gennaio", 1), ("lug", 7), ("fev.", 2), ("outubro", 10),
     ("de novembro de", 11), ("de enero del", 1), ("maart,", 3), ("augustus", 8), ("mei", 5)],
)  # fmt: skip
def test_months_of_other_languages_are_read(word, month):
    """In the names that a platform writes: French, Spanish, Italian, Portuguese, Dutch."""
    assert read_platform_time(f"18 {word} 2024 2359", UTC)[0] == datetime(2024, month, 18, 23, 59, tzinfo=UTC)


def test_no_word_is_two_months():
    """Of all languages that are read together."""
    words = [*MONTHS, *GERMAN, *DUTCH, *(word for line in ROMANCE for word in line.split())]
    assert all(SHORT[word] == number for number, line in enumerate(ROMANCE, 1) for word in line.split())
    assert all(SHORT[word] == number for word, number in (GERMAN | DUTCH).items()) and set(words) <= set(SHORT)
    assert all(SHORT[month] == SHORT[month[:3]] == number for number, month in enumerate(MONTHS, 1))


def test_a_worksheet_beside_a_download_is_no_upload(course, tmp_path):
    """Moodle offers both on one page; another file beside is still asked about."""
    paths = [path for path, _, _ in DOWNLOADS["Moodle"]]
    uploads = hand_in(tmp_path / "up", *paths)
    (uploads / "Grades-CS101-two-link-1234.csv").write_text("Identifier,Full name\n", encoding="utf-8")
    assert [line["readable"] for line in intake(course, "two-link", uploads)] == [True] * len(paths)
    assert Reading([*paths, "Grades.ipynb"]).student(paths[0])[0] is None


@pytest.mark.parametrize("wrap", ["", "submissions/"])
def test_whoever_handed_in_nothing_is_told(wrap, course, tmp_path):
    """A folder without a file is that of a student who may believe to have handed in."""
    rows = [f"{wrap}{name}_assignsubmission_file_/x.ipynb" for name in ("Ada Lovelace_12", "Bo Ek_13")]
    uploads = hand_in(tmp_path / "up", *rows)
    (uploads / wrap / "Cy Oz_14_assignsubmission_file_/deeper").mkdir(parents=True)
    (uploads / wrap / "__MACOSX").mkdir()
    told = []
    intake(course, "two-link", uploads, say=told.append)
    assert told == ["nothing lies in the folders of Cy Oz_14_assignsubmission_file_"]


@pytest.mark.parametrize(
    "paths",
    [
        ["two-link.ipynb", "two-link (1).ipynb"],
        ["Copy of two-link.ipynb", "two-link-Copy1.ipynb"],
        ["two-link - Ada Lovelace.ipynb", "two-link - Bob Brown.ipynb"],
        ["secA/ada/x.ipynb", "secA/cy/x.ipynb"],
        ["CS1-two-link-12/Ada Lovelace_12_assignsubmission_file/x.ipynb"],
    ],
)
def test_names_of_files_and_folders_that_are_nobodys_are_asked_about(paths):
    """Copies, files named by the assignment first, a section beside another, the only upload of a download: no student's id."""
    beside = ["secB/bob/x.ipynb"] if paths[0].startswith("secA") else []
    reading = Reading([*paths, *beside], None, Download([*paths, *beside], "two-link"))
    assert [reading.student(path)[0] for path in paths] == [None] * len(paths)
    assert all(reading.student(path)[1] for path in paths)


def test_a_time_that_is_not_told_by_the_platform_is_said(course, tmp_path):
    """Files as old as a computer's clock, of a time to come, without a word in Gradescope's list, with a stamp that may be the student's."""
    told = []
    up = hand_in(tmp_path / "up", "ann/x.ipynb", "bo/x.ipynb", "cy/x.ipynb", "di/x.ipynb")
    for name, when in (("ann", 315532800), ("bo", 315532800), ("cy", 4e9), ("di", 1.5e9)):
        os.utime(up / name / "x.ipynb", (when, when))
    intake(course, "two-link", up, say=told.append)
    assert told == [
        "ann/x.ipynb and 1 more: the time is that of the file; nobody handed in anything in 1980",
        "cy/x.ipynb: the time is that of intake: the file is of a time to come",
    ]
    told.clear()
    up = hand_in(tmp_path / "gs", "submission_901/x.ipynb", "submission_902/x.ipynb")
    (up / "submission_metadata.yml").write_text(GRADESCOPES, encoding="utf-8")
    intake(course, "two-link", up, say=told.append)
    said = "the time is that of the file; Gradescope's submission_metadata.yml says nothing of it"
    assert told == [f"submission_901/x.ipynb and 1 more: {said}"]


@pytest.mark.parametrize(
    ("stamp", "time", "said"),
    [
        ("2024-11-18 10:00:00 CET", "2024-11-18T09:00:00+00:00", ""),
        ("2024-07-18 10:00:00 CEST", "2024-07-18T08:00:00+00:00", ""),
        ("2024-10-27 02:30:00 CET", "2024-10-27T01:30:00+00:00", ""),
        ("2024-10-27 02:30:00 CEST", "2024-10-27T00:30:00+00:00", ""),
        ("2024-11-18 10:00:00 EST", "2024-11-18T10:00:00+00:00", "EST taken as UTC: is the zone in course.toml right?"),
        ("11/12/2024 10:00", "2017-07-14T02:40:00+00:00", "'11/12/2024 10:00': 11/12/2024 may be 11 December 2024 or 12 November 2024"),
    ],
)  # fmt: skip
def test_a_stamp_of_nbgraders_is_read_in_one_way_or_said(stamp, time, said, course, tmp_path):
    """A short name of a zone is that of the course, in the hour that comes twice, too; what is not read is told."""
    told = []
    submitted = course.nbgrader / "submitted"
    (file,) = hand_in(submitted, "ada/two-link/two-link.ipynb").rglob("*.ipynb")
    (file.parent / "timestamp.txt").write_text(stamp, encoding="utf-8")
    os.utime(file, (1.5e9, 1.5e9))
    (line,) = intake(course, "two-link", submitted, say=told.append)
    assert line["time"] == time and len(told) == bool(said) and said in "".join(told)
