"""Whose an upload is: no layout of a platform, accent or careless roster gives a student another one's work."""

import os
import unicodedata
import zipfile

import grading_kit
import nbformat
import pytest

from coursework.check.session import parameters_of
from coursework.grading import identity
from coursework.grading.course import Course
from coursework.grading.identity import Reading, Roster, safe, student_of
from coursework.grading.intake import intake
from coursework.grading.key import Key

ROSTER = Roster({"al1": "al1", "zm2": "zm2", "88001": "al1", "Zoë Müller": "zm2", "Ann Lee": "al5", "Mary Ann Lee": "ml4",
                 "ada.l": "ada.l", "ada": "ada"})  # fmt: skip


@pytest.mark.parametrize(
    ("path", "student"),
    [
        ("Zoë Müller_1234568_assignsubmission_file_/two-link (1).ipynb", "zm2"),
        (unicodedata.normalize("NFD", "Zoë Müller_1_assignsubmission_file_/work.zip"), "zm2"),
        ("lovelaceada_LATE_88001_990001_two-link.ipynb", "al1"),
        ("lovelaceada_188001_990001_two-link.ipynb", None),
        ("Mary Ann Lee_12_assignsubmission_file_/x.ipynb", "ml4"),
        ("Ann Lee_13_assignsubmission_file_/x.ipynb", "al5"),
        ("ada.l_two-link.ipynb", "ada.l"),
        ("ada_two-link.ipynb", "ada"),
        ("group 1/AL1/two-link.ipynb", "al1"),
        ("al1/the work of ada.ipynb", "al1"),
        ("al1_ada.ipynb", None),
        ("unknown/two-link.ipynb", None),
    ],
)
def test_a_roster_finds_the_student_in_a_path(path, student):
    """By id or name, whole words only, the longer text first; what a platform named before what a student did."""
    assert student_of(path, ROSTER) == student


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("Ann Lee_two-link.ipynb", "Ann Lee"),
        ("Ann Kim_two-link.ipynb", "Ann Kim"),
        ("ann.lee_two-link.ipynb", "ann.lee"),
        ("ann@uni.edu_two-link.ipynb", "ann@uni.edu"),
        ("ann two-link.ipynb", "ann"),
        ("ann--two-link.ipynb", "ann"),
        ("ann.ipynb", "ann"),
        ("Ann Lee/two-link.ipynb", "Ann Lee"),
        ("_two-link.ipynb", None),
    ],
)
def test_without_a_roster_the_name_up_to_the_first_underscore_is_the_id(name, student):
    """All of it, so that two students with one first name stay two; a platform's blanks count where there is none."""
    assert student_of(name) == student


def test_an_accent_stays_and_has_one_form():
    """An id with accents is itself, however its letters are written: a student's numbers are drawn from it."""
    composed, apart = (unicodedata.normalize(form, "Zoë Müller") for form in ("NFC", "NFD"))
    assert student_of(f"{apart}/x.ipynb") == safe(composed) == composed
    assert repr(parameters_of("two-link", apart)) == repr(parameters_of("two-link", composed))


@pytest.mark.parametrize("name", ["../x", ".hidden", "a/b", "a$b", "-x", "x\n", " x", "a  b", "x" * 90, "", "_x"])
def test_an_odd_id_gets_another_name(name):
    """No id is a path or an option, and none becomes another one's."""
    found = safe(name)
    assert found != name and found[-7] == "-" and not set(found) & set("/\n$") and found[0] not in ".-"


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"login,name\na,b\n", "must have a column id, got login, name: call the one that holds the ids so"),
        ("id\tname\na\tb\n".encode("utf-16-le"), "UTF-8: save it as CSV UTF-8"),
        ("id\nzoë\n".encode("latin1"), "UTF-8"),
        (b"", "a line for each student"),
        (b"id\na\na\n", "each id once, got a twice"),
        (b"id\nAda1\nada1\n", "each id once, got Ada1, ada1 twice"),
        (b"id\n2.026E+14\n", "ids as they are, got 2.026E.14, as a spreadsheet writes numbers: export it anew"),
        (b"id;name\n2,02612E+10;Ann Lee\n", "got 2,02612E.10, as a spreadsheet writes numbers"),
        (b"id\n123.0\n", "got 123.0, as a spreadsheet writes numbers"),
        (b'id,name\na,"Ann Lee\nb,Bob Oz\n', "a quote that nothing ends"),
        (b"id,name\na," + b"x" * 200_000, "a table .CSV."),
    ],
)
def test_a_roster_that_cannot_be_one_says_why(tmp_path, raw, words):
    """In a sentence with the rule and what was there."""
    (tmp_path / "r.csv").write_bytes(raw)
    with pytest.raises(ValueError, match=words):
        Roster.read(tmp_path / "r.csv")


def test_a_large_roster_is_read_line_by_line(tmp_path, monkeypatch):
    """Each line is not held against each other line: a roster may be that of a whole university."""
    calls, plain = [], identity.plain
    (tmp_path / "r.csv").write_text("id,name\n" + "".join(f"s{n},Name {n}\n" for n in range(500)), encoding="utf-8")
    monkeypatch.setattr(identity, "plain", lambda text: calls.append(text) or plain(text))
    assert student_of("Name 7_9_file_/x.ipynb", Roster.read(tmp_path / "r.csv")) == "s7"
    assert len(calls) < 10 * 500


def test_ids_that_differ_only_in_capitals_are_a_question(tmp_path):
    """Never two students in silence, never one; a roster answers."""
    course = Course(tmp_path / "course", new=True)
    (course.folder / "keys/two-link.json").write_text(Key("two-link", (), {}, {}, "{}", "").to_json(), encoding="utf-8")
    uploads = tmp_path / "uploads"
    uploads.mkdir()
    for name in ("Ada_1.ipynb", "ada_2.ipynb"):
        (uploads / name).write_text("{}", encoding="utf-8")
    first, second = intake(course, "two-link", uploads)
    assert first["student"] == "Ada" and second["student"].startswith("unknown-") and not second["readable"]
    assert second["why"].startswith("Ada and ada differ only in capitals: one student or two?")
    assert intake(course, "two-link", uploads) == []
    (tmp_path / "r.csv").write_text("id\nADA\n", encoding="utf-8")
    assert [line["student"] for line in intake(course, "two-link", uploads, tmp_path / "r.csv")] == ["ADA", "ADA"]
    assert list(course.chosen("two-link")) == ["ADA"]


def test_a_name_that_two_students_have_decides_nothing(tmp_path):
    """Of two students of one name neither gets the work; semicolons and a byte order mark are read."""
    text = "\ufeffid;name\na1;Ann Lee\na2;Ann Lee\nb1;Bob Oz\n"
    (tmp_path / "r.csv").write_text(text, encoding="utf8")
    roster = Roster.read(tmp_path / "r.csv")
    assert [student_of(f"{name}_9_file_/x.ipynb", roster) for name in ("Ann Lee", "Bob Oz")] == [None, "b1"]


MOODLES = "{}_9_assignsubmission_file_/x.ipynb"


def in_roster(tmp_path, raw, *names):
    """Whom a roster, as it is saved, finds by what Moodle writes of students."""
    (tmp_path / "r.csv").write_bytes(raw)
    paths = [MOODLES.format(name) for name in names]
    reading = Reading(paths, Roster.read(tmp_path / "r.csv"))
    return [reading.student(path)[0] for path in paths]


@pytest.mark.parametrize(
    "raw",
    [
        "id;name\r\nada;Ada Lovelace\r\njn;José Núñez\r\n".encode("utf-16"),
        "sep=;\r\nid;name\r\nada;Ada Lovelace\r\njn;José Núñez\r\n".encode("utf-8-sig"),
        "id\tname\nada\tAda Lovelace\njn\tJosé Núñez\n".encode(),
        "ID , Name ,email\n ada , Ada  Lovelace ,x\n\n,,\njn,José Núñez,x\n".encode(),
        'id,name\nada,"Lovelace, Ada"\njn,"Núñez, José"\n'.encode(),
        "First name,Last name,ID\nAda,Lovelace,ada\nJosé,Núñez,jn\n".encode(),
        "Surname,First name,id\nLovelace,Ada,ada\nNúñez,José,jn\n".encode(),
    ],
)
def test_a_roster_is_read_as_offices_and_platforms_save_it(tmp_path, raw):
    """With tabs or sep=; from Excel, in UTF-16, with blanks about its headings, a name in two columns or turned by a comma."""
    assert in_roster(tmp_path, raw, "Ada Lovelace", "José Núñez", "Ada King") == ["ada", "jn", None]


@pytest.mark.parametrize(
    ("in_path", "name"),
    [
        ("\u200fمحمد علي\u200f", "محمد علي"),
        ("王\u3000伟", "王 伟"),
        ("Ada\u00a0Lovelace", "Ada Lovelace"),
        ("Sinéad O'Brien", "Sinéad O\u2019Brien"),
        ("Jean\u2011Luc Roi", "Jean-Luc Roi"),
        ("Ada  Lovelace", "Ada Lovelace"),
        (unicodedata.normalize("NFD", "José Núñez"), "José Núñez"),
    ],
)
def test_a_name_is_found_however_it_is_typed(tmp_path, in_path, name):
    """Marks that nobody sees, blanks, apostrophes, hyphens and accents have several codes; another name is still another."""
    raw = f"id,name\nx1,{name}\nx2,{name} King\n".encode()
    assert in_roster(tmp_path, raw, in_path, f"{in_path} Kong") == ["x1", None]


def test_a_member_of_a_group_is_found_behind_its_name(tmp_path):
    """As Moodle writes it where groups hand in; only in the group that the roster gives, and never by a part of a double name."""
    raw = b"id,name,group\nada,Ada Lovelace,Group A\nbo,Bo Ek,Group B\nmd,Marie Dupont,Group B\n"
    names = ["Group A-Ada Lovelace", "Group B-Ada Lovelace", "Group B-Bo Ek", "Anne-Marie Dupont"]
    assert in_roster(tmp_path, raw, *names) == ["Group A", None, "Group B", None]


@pytest.mark.parametrize("code", ["cp437", "cp850", "cp1252", "latin-1"])
def test_a_name_that_was_unpacked_in_an_old_code_page_is_found(tmp_path, code):
    """Where the bytes are those of the name in UTF-8; of two names that differ in the accent each has its own."""
    name = "Zoë Müller"
    mangled = name.encode("utf-8").decode(code)
    raw = "id,name\nzm,Zoë Müller\nzo,Zoe Muller\n".encode()
    assert in_roster(tmp_path, raw, mangled, "Zoe Muller", mangled[:4]) == ["zm", "zo", None]


def test_a_group_of_blackboard_is_found_behind_the_assignment(tmp_path):
    """Its name has a blank, as no user's has; the roster says where it begins."""
    (tmp_path / "r.csv").write_bytes(b"id,group\nada,Group 1\nbo,Group 1\ncy,Group 2\n")
    paths = [f"Homework_3 arms_Group {n}_attempt_2024-11-18-10-00-00_x.ipynb" for n in (1, 2, 3)]
    reading = Reading(paths, Roster.read(tmp_path / "r.csv"))
    assert [reading.student(path)[0] for path in paths] == ["Group 1", "Group 2", None]
    assert Reading(paths).student(paths[0])[0] is None


def test_a_roster_is_the_platforms_own_list_with_one_column_called_id(tmp_path):
    """Canvas's own ID stays beside the id that the class was given; what a platform writes is found in any column."""
    path = tmp_path / "r.csv"
    path.write_text(
        'Student,ID,SIS User ID,id,Section\n    Points Possible,,,,\n"Lovelace, Ada",88001,s1,ada,A\n"Oz, Bob",88002,s2,bob,A\n',
        encoding="utf-8",
    )
    roster = Roster.read(path)
    paths = ["lovelaceada_88001_990001_x.ipynb", "ozbob_88002_990002_x.ipynb"]
    assert [Reading(paths, roster).student(one)[0] for one in paths] == ["ada", "bob"]
    moodle = ["Ada Lovelace_12_assignsubmission_file_/x.ipynb", "Bob Oz_13_assignsubmission_file_/x.ipynb"]
    assert [Reading(moodle, roster).student(one)[0] for one in moodle] == ["ada", "bob"]
    loose = ["88001_x.ipynb", "bob_x.ipynb"]  # no platform wrote these: a number in another column may be any
    assert [Reading(loose, roster).student(one)[0] for one in loose] == [None, "bob"]
    path.write_text(
        "id,canvas,partner,seat\nada,88001,88002,88003\n", encoding="utf-8"
    )  # columns that name others, or a chair
    others = [f"ozbob_{number}_990002_x.ipynb" for number in (88002, 88003)]
    assert [Reading([*paths[:1], *others], Roster.read(path)).student(one)[0] for one in others] == [None, None]


def test_a_name_that_two_have_is_said(tmp_path):
    """With both ids, and what to write."""
    (tmp_path / "r.csv").write_bytes(b"id,name\na1,Ann Lee\na2,Ann Lee\n")
    path = MOODLES.format("Ann Lee")
    assert Reading([path], Roster.read(tmp_path / "r.csv")).student(path)[1] == (
        "2 students of the roster have the name that Moodle writes, a1, a2: write Ann Lee_9 as the name of the one whose it is"
    )


@pytest.fixture
def course(tmp_path):
    """A course with two released assignments; what a key holds does not matter here."""
    course = Course(tmp_path / "course", new=True)
    for name in ("two-link", "n-link"):
        key = Key(name, (), {"gravity": 3}, {}, nbformat.writes(nbformat.v4.new_notebook()), "s")
        (course.folder / "keys" / f"{name}.json").write_text(key.to_json(), encoding="utf-8")
    return course


def put(folder, *names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text('{"cells": [{"source": "mine"}]}', encoding="utf-8")


def test_a_roster_corrects_an_intake_without_one(course, tmp_path):
    """The same uploads and times, other students; what no roster knows waits, and a better roster finds it."""
    put(tmp_path / "up", "Ann Lee_13_file_/x.ipynb", "Bob Oz_14_file_/x.ipynb")
    for path in (tmp_path / "up").glob("*/*"):
        os.utime(path, (1e9, 1e9))
    before = intake(course, "two-link", tmp_path / "up")
    for path in (tmp_path / "up").glob("*/*"):  # unpacked once more
        os.utime(path, (1.5e9, 1.5e9))
    (tmp_path / "r.csv").write_text("id,name\na1,Ann Lee\n", encoding="utf-8")
    ann, bob = intake(course, "two-link", tmp_path / "up", tmp_path / "r.csv")
    assert ann["student"] == "a1" and bob["student"].startswith("unknown-") and not bob["readable"]
    (tmp_path / "r.csv").write_text("id,name\na1,Ann Lee\nb1,Bob Oz\n", encoding="utf-8")
    intake(course, "two-link", tmp_path / "up", tmp_path / "r.csv")
    assert intake(course, "two-link", tmp_path / "up", tmp_path / "r.csv") == []
    assert intake(course, "two-link", tmp_path / "up") == []
    after = course.ledger("two-link")
    assert [line["student"] for line in after] == ["a1", "b1"]
    kept = ("upload", "time", "time_from", "sha")
    assert [[line[part] for part in kept] for line in after] == [[line[part] for part in kept] for line in before]


def test_an_upload_that_no_roster_knew_is_entered_when_one_does(course, tmp_path):
    """It is unreadable until then, and has no student's name."""
    put(tmp_path / "up", "Ann Lee_13_file_/x.ipynb")
    (tmp_path / "r.csv").write_text("id\nb1\n", encoding="utf-8")
    (line,) = intake(course, "two-link", tmp_path / "up", tmp_path / "r.csv")
    assert not line["readable"] and line["student"].startswith("unknown-")
    (tmp_path / "r.csv").write_text("id,name\na1,Ann Lee\n", encoding="utf-8")
    intake(course, "two-link", tmp_path / "up", tmp_path / "r.csv")
    (line,) = course.ledger("two-link")
    assert line["readable"] and line["student"] == "a1"


def test_an_id_that_a_spreadsheet_shortened_is_recognized_as_that(tmp_path):
    """The zeros at its beginning are gone from the roster, not from what the platform or the student wrote."""
    (tmp_path / "r.csv").write_text("id\n4711\n4712\n", encoding="utf-8")
    roster = Roster.read(tmp_path / "r.csv")
    names = ["004711_two-link.ipynb", "005000_two-link.ipynb"]
    found = [Reading(names, roster).student(name) for name in names]
    assert [student for student, _ in found] == [None, None]
    assert "4711 is it but for zeros at its beginning" in found[0][1] and "zeros" not in found[1][1]


def test_of_notebooks_that_came_together_it_is_said_which_counts(course, tmp_path):
    """It is the one that counts; what is alone, or came at another time, is no choice."""
    put(tmp_path / "up", "ada/old.ipynb", "ada/new.ipynb", "bob/x.ipynb")
    (tmp_path / "up/ada/new.ipynb").write_text('{"cells": [{"source": "newer"}]}', encoding="utf-8")
    os.utime(tmp_path / "up/ada/old.ipynb", (1e9, 1e9))
    os.utime(tmp_path / "up/ada/new.ipynb", (1.1e9, 1.1e9))
    said = []
    intake(course, "two-link", tmp_path / "up", say=said.append)
    assert course.chosen("two-link")["ada"]["name"] == "ada/new.ipynb"
    (told,) = [sentence for sentence in said if "came together" in sentence]
    assert (
        told.startswith("2 notebooks came together, and ada/new.ipynb counts, not ada/old.ipynb: ")
        and "bob" not in told
    )
    (tmp_path / "up/ada/again.ipynb").write_bytes((tmp_path / "up/ada/old.ipynb").read_bytes())  # the way on
    intake(course, "two-link", tmp_path / "up", say=said.append)
    assert course.chosen("two-link")["ada"]["name"] == "ada/again.ipynb"


def test_another_assignment_in_submitted_is_left_alone(course, tmp_path):
    """nbgrader collects into submitted/<student>/<assignment>: the newer n-link is no newer two-link."""
    put(tmp_path / "submitted", "ada/two-link/two-link.ipynb", "ada/n-link/n-link.ipynb")
    os.utime(tmp_path / "submitted/ada/two-link/two-link.ipynb", (1e9, 1e9))
    intake(course, "two-link", tmp_path / "submitted")
    assert [line["name"] for line in course.ledger("two-link")] == ["ada/two-link/two-link.ipynb"]


def test_what_a_platform_adds_is_no_upload(course, tmp_path):
    """Gradescope's list of submissions, nbgrader's secrets and times: nobody handed them in."""
    names = ("submission_metadata.yml", "ada/two-link/submission_secret.txt", "ada/two-link/timestamp.txt")
    put(tmp_path / "up", *names, "ada/two-link/two-link.ipynb")
    assert [line["name"] for line in intake(course, "two-link", tmp_path / "up")] == ["ada/two-link/two-link.ipynb"]


def test_the_zip_of_a_class_is_no_folder(course, tmp_path):
    """Taken for one upload, it would lose all students but one: the sentence says what to do."""
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr("ada/x.ipynb", "{}")
    with pytest.raises(NotADirectoryError, match="is a file: unpack it into a folder"):
        intake(course, "two-link", tmp_path / "class.zip")


@pytest.mark.slow
def test_whose_work_it_is_decides_the_grade():
    """A right answer of one student is graded with that student's numbers, also under an id with accents."""
    trouble = grading_kit.sandbox_trouble()
    if trouble:
        pytest.skip(trouble)
    p = parameters_of("two-link", "Zoë Müller")
    worst = 9.81 * (p.masses[0] * p.coms[0] + p.masses[1] * (p.lengths[0] + p.coms[1]))
    notebook = grading_kit.with_answer("holding-torque", f"largest = {worst!r}")
    course = grading_kit.Class()
    try:
        course.take({"Zoë Müller/x.ipynb": notebook, "bob/x.ipynb": notebook})
        course("run", "two-link", "--workers", "2")
        found = course.by_student()
        assert grading_kit.lost(found["Zoë Müller"]) == "" and "holding-torque" in grading_kit.lost(found["bob"])
        assert course("merge", "two-link").stdout.startswith("2 ")
        course("feedback", "two-link")
        assert (course.folder / "course/nbgrader/feedback/Zoë Müller/two-link/two-link.html").is_file()
    finally:
        course.remove()
