"""What a teacher asks for after grading: whose it is put right, more time, another look, a platform's own gradebook."""

import csv
import io
import json
import sys
from datetime import datetime, timedelta

import nbformat
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")

from nbgrader.api import Gradebook

from coursework.__main__ import COMMANDS, main
from coursework.grading import audit_log, export, late, merge, platforms, report, tables
from coursework.grading.course import Course, write
from coursework.grading.identity import Roster, student_of
from coursework.grading.key import Key
from coursework.grading.release import api

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # of nbgrader, as it adds a submission


def grade_cell(name, kind):
    """A graded cell as nbgrader's source has it."""
    made = nbformat.v4.new_markdown_cell("words") if kind == "person" else nbformat.v4.new_code_cell("answer")
    made.metadata["nbgrader"] = {"grade_id": name, "grade": True, "solution": kind == "person", "locked": kind != "person",
                                 "schema_version": 3, "points": 3, "cell_type": made.cell_type, "checksum": "of no cell"}  # fmt: skip
    return made


@pytest.fixture
def course(tmp_path):
    """Two questions, one for the machine; an assignment that the gradebook knows."""
    made = Course(tmp_path / "course", new=True)
    api(made)  # so that nbgrader finds alembic
    key = Key("two-link", (), {"gravity": 3.0}, {"explain": 3.0}, "{}", "seed")
    (made.folder / "keys/two-link.json").write_text(key.to_json(), encoding="utf-8")
    with Gradebook(made.db) as book:
        book.add_assignment("two-link", duedate=datetime(2026, 11, 30, 12))
        book.add_notebook("two-link", "two-link")
        for name, kind in (("gravity", "code"), ("explain", "markdown")):
            book.add_grade_cell(name, "two-link", "two-link", max_score=3, cell_type=kind)
        book.add_solution_cell("explain", "two-link", "two-link")
    return made


def upload(course, number, student, sha, time="2026-11-30T11:00:00+00:00"):
    """Enter an upload, or correct whose it is."""
    line = {"upload": f"{number:06d}", "assignment": "two-link", "student": student, "name": f"{sha}.ipynb", "sha": sha,
            "time": time, "readable": True, "why": ""}  # fmt: skip
    course.enter(line)
    return line


def judged(course, line, points):
    """Write what the judge said of an upload."""
    cells = [grade_cell("gravity", "code"), grade_cell("explain", "person")]
    result = {name: line[name] for name in ("upload", "assignment", "student", "sha")}
    verdict = {"points": points, "most": 3.0, "sentences": []}
    text = nbformat.writes(nbformat.v4.new_notebook(cells=cells))
    course.enter_result(
        line, result | {"state": "graded", "notes": [], "verdicts": {"gravity": verdict}, "notebook": text}
    )


def scored(course, student, name, points, comment=None):
    """A person gives points and a comment in Formgrader."""
    with Gradebook(course.db) as book:
        (notebook,) = book.find_submission("two-link", student).notebooks
        for grade in notebook.grades:
            if grade.name == name:
                grade.manual_score, grade.needs_manual_grade = points, False
        for said in notebook.comments:
            if said.name == name:
                said.manual_comment = comment
        book.db.commit()


def table(course, roster=None):
    """The rows of the export by student."""
    return {row["student"]: row for row in export.rows(course, "two-link", roster)}


def test_a_corrected_roster_moves_rows_with_what_persons_gave(course):
    """Ada's and Bob's uploads were exchanged, and Cleo's was Dan's: rows, scores and comments go to whom they belong."""
    lines = [
        upload(course, n, student, sha) for n, (student, sha) in enumerate([("ada", "B"), ("bob", "A"), ("cleo", "D")])
    ]
    for line, points in zip(lines, (1.0, 2.0, 3.0)):
        judged(course, line, points)
    assert merge.merge(course, "two-link") == ["ada", "bob", "cleo"]
    for student, points in (("ada", 0.5), ("bob", 1.5), ("cleo", 2.5)):
        scored(course, student, "explain", points, f"said to {points}")
    pages = [course.nbgrader / "feedback" / name / "two-link/two-link.html" for name in ("ada", "cleo")]
    for page in pages:
        page.parent.mkdir(parents=True)
        page.write_text("Bob's answers", encoding="utf-8")
    for n, (student, sha) in enumerate([("bob", "B"), ("ada", "A"), ("dan", "D")]):
        lines[n] = upload(course, n, student, sha)
    merge.merge(course, "two-link")  # before anything is graded again: nobody keeps what is another's
    assert not any(page.exists() for page in pages) and not any(row["score"] for row in table(course).values())
    with Gradebook(course.db) as book:
        assert [student.id for student in book.students] == []
    for line, points in zip(lines, (1.0, 2.0, 3.0)):
        judged(course, line, points)
    merge.merge(course, "two-link")
    assert {name: (row["gravity"], row["explain"], row["waits_for_person"]) for name, row in table(course).items()} == {
        "bob": (1, 0.5, ""), "ada": (2, 1.5, ""), "dan": (3, 2.5, "")}  # fmt: skip
    with Gradebook(course.db) as book:
        comments = [c.manual_comment for c in book.find_submission("two-link", "dan").notebooks[0].comments]
    assert comments == ["said to 2.5"]
    assert [(line["student"], line["to"]) for line in audit_log.read(course, "moved", "two-link")] == [
        ("ada", "bob"), ("bob", "ada"), ("cleo", "dan")]  # fmt: skip
    assert merge.merge(course, "two-link") == []


def test_more_time_for_one_student_and_another_look_at_one_question(course, capsys):
    """nbgrader counts the lateness from the later date; a request waits until a person saves, and both are on the trail."""
    for n, student in enumerate(("ada", "bob")):
        judged(course, upload(course, n, student, student, "2026-11-30T14:00:00+00:00"), 0.0)
    folder = ["--course", str(course.folder)]
    assert main(["extend", "two-link", "ada", "--until", "2026-11-30 13:00 UTC", "--why", "ill", *folder]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    assert main(["extend", "two-link", "aba", "--until", "2026-11-30 12:00 UTC", "--why", "ill", *folder]) == 0
    told = capsys.readouterr().out
    assert "nothing of aba has been taken in so far" in told and "no later than the due date, which holds" in told
    merge.merge(course, "two-link")
    assert [row["late"] for row in table(course).values()] == [3600, 7200]
    assert main(["extend", "two-link", "Ada", "--until", "2026-12-07 12:00 UTC", "--why", "ill", *folder]) == 1
    assert "differ only in capitals" in capsys.readouterr().err
    with Gradebook(course.db) as book:  # later for all than it was for her: nobody is late earlier than the class
        book.update_or_create_assignment("two-link", duedate=datetime(2026, 11, 30, 13, 30))
    merge.merge(course, "two-link")
    assert [row["late"] for row in table(course).values()] == [1800, 1800]
    with Gradebook(course.db) as book:
        book.update_or_create_assignment("two-link", duedate=None)
    merge.merge(course, "two-link")  # nbgrader cannot add to a date that is not there
    assert [row["late"] for row in table(course).values()] == [0, 0]
    for name in ("ada", "bob"):
        scored(course, name, "explain", 1.0)
    assert main(["regrade", "two-link", "ada", "gravity", "--why", "same by a trick", *folder]) == 0
    merge.merge(course, "two-link")
    assert table(course)["ada"]["waits_for_person"] == "gravity" and table(course)["bob"]["waits_for_person"] == ""
    scored(course, "ada", "gravity", 2.0)
    assert main(["status", "two-link", *folder]) == 0
    assert "regrade ada gravity: looked at: 0 -> 2 (same by a trick)" in capsys.readouterr().out
    assert main(["regrade", "two-link", "ada", "nothing", "--why", "x", *folder]) == 1
    assert "must be one of explain, gravity" in capsys.readouterr().err


@pytest.mark.parametrize("named", [[], ["ada", "bob"]])
def test_pages_are_made_where_nobody_waits(course, capsys, named):
    """With --ready: none on the first evening, then of those alone whose answers are read; without it, of all who are named."""
    for n, student in enumerate(("ada", "bob", "cleo")):
        judged(course, upload(course, n, student, student), 3.0)
    merge.merge(course, "two-link")
    folder, who = ["--course", str(course.folder)], [word for one in named for word in ("--student", one)]
    made = lambda: {path.parent.parent.name for path in (course.nbgrader / "feedback").glob("*/two-link/two-link.html")}
    assert main(["feedback", "two-link", "--ready", *who, *folder]) == 0
    assert made() == set() and capsys.readouterr().out.startswith("0 pages")
    for student in ("bob", "cleo"):
        scored(course, student, "explain", 2.0)
    assert main(["feedback", "two-link", "--ready", *who, *folder]) == 0
    assert made() == {"bob", "cleo"} & set(named or ("bob", "cleo"))
    assert main(["feedback", "two-link", *who, *folder]) == 0
    assert made() == {"bob", "cleo"} & set(named or ("bob", "cleo")) | set(named or ("ada", "bob", "cleo"))


def filled(path, points):
    """Fill in a grader's table; points: a function of the number of the submission."""
    rows = list(csv.DictReader(path.open(encoding="utf8")))
    for row in rows:
        row.update(points=points(int(row["submission"])), comment=f"{path.stem} read this")
    tables.write_table(path, rows)
    return rows


STUDENTS = ("uma", "bob", "cleo", "dan", "eve")


@pytest.fixture
def sheets(course, tmp_path, capsys):
    """The folder of the tables of two graders, ann and bo, who share five answers, one of them read by both."""
    for n, student in enumerate(STUDENTS):
        judged(course, upload(course, n, student, f"{n}f8e9"), 1.0)
    merge.merge(course, "two-link")
    assert run(course, "share", tmp_path / "sheets", *SHARE) == 0
    assert "ann: 3 answers, bo: 3 answers" in capsys.readouterr().out
    return tmp_path / "sheets"


SHARE = ("--graders", "ann", "bo", "--twice", "1")  # who reads, and how many answers both of them read


def run(course, command, *words):
    """Run a command on the assignment; return its exit code."""
    return main([command, "two-link", *map(str, words), "--course", str(course.folder)])


def test_two_graders_read_without_names(course, sheets):
    """No table names a student, and the shares stay when they are written again."""
    written = [path.read_text(encoding="utf-8") for path in (sheets / "ann.csv", sheets / "bo.csv")]
    assert not any(student in text for student in STUDENTS for text in written)
    assert run(course, "share", sheets, *SHARE) == 0
    assert [path.read_text(encoding="utf-8") for path in (sheets / "ann.csv", sheets / "bo.csv")] == written


def test_a_bad_table_of_a_grader_enters_nothing(course, sheets, capsys):
    """More points than there are, and the table of somebody who was given none: a sentence, and all still wait."""
    filled(sheets / "bo.csv", lambda number: 4)
    assert run(course, "marks", sheets / "bo.csv") == 1
    assert "points must be a number from 0 to 3, got '4'; nothing" in capsys.readouterr().err
    filled(sheets / "ann.csv", lambda number: 1)
    (sheets / "ann.csv").rename(sheets / "eve.csv")
    assert run(course, "marks", sheets / "eve.csv") == 1
    assert "was not given to eve" in capsys.readouterr().err
    assert all(row["waits_for_person"] == "explain" for row in table(course).values())


def test_two_graders_who_agree_give_points_and_two_who_do_not_are_named(course, sheets, capsys):
    """What each gave is known; once they have talked, nothing waits."""
    once, again = filled(sheets / "ann.csv", lambda number: 1), filled(sheets / "bo.csv", lambda number: 2)
    assert len({row["submission"] for row in once} & {row["submission"] for row in again}) == 1
    assert run(course, "marks", sheets / "ann.csv", sheets / "bo.csv") == 0
    said = capsys.readouterr().out
    assert "ann: 2 answers have their points, 1 wait" in said and "ann 1, bo 2: waits in Formgrader" in said
    assert sorted(row["explain"] for row in table(course).values() if not row["waits_for_person"]) == [1, 1, 2, 2]
    filled(sheets / "ann.csv", lambda number: 2)  # after they have talked
    assert run(course, "marks", sheets / "ann.csv") == 0
    assert {row["waits_for_person"] for row in table(course).values()} == {""}
    with Gradebook(course.db) as book:
        comments = [c.manual_comment for c in book.notebook_submissions("two-link", "two-link") for c in c.comments]
    assert "ann read this\nbo read this" in comments
    assert {line["grader"] for line in audit_log.read(course, "mark", "two-link")} == {"ann", "bo"}


def test_what_a_grader_read_before_a_new_upload_does_not_count(course, sheets, capsys):
    """The table of whoever read it is refused, with the reason."""
    judged(course, upload(course, 9, "uma", "9f8e7", "2026-11-30T11:30:00+00:00"), 1.0)
    merge.merge(course, "two-link")
    for name in ("ann", "bo"):
        filled(sheets / f"{name}.csv", lambda number: 3)
    codes = [run(course, "marks", sheets / f"{name}.csv") for name in ("ann", "bo")]
    assert 1 in codes and "handed in anew" in capsys.readouterr().err


def test_members_of_a_group_have_its_grade(course, tmp_path):
    """Whoever hands in, the upload is the group's; in the table each member has a row."""
    path = tmp_path / "students.csv"
    path.write_text("id,name,group\nada,Ada Lovelace,team-1\nbob,,team-1\ncleo,,\n", encoding="utf-8")
    roster = Roster.read(path)
    assert [student_of(f"{name}_x.ipynb", roster) for name in ("ada", "Ada Lovelace", "bob", "team-1", "cleo")] == [
        "team-1"
    ] * 4 + ["cleo"]
    judged(course, upload(course, 0, "team-1", "A"), 3.0)
    merge.merge(course, "two-link")
    assert {name: row["gravity"] for name, row in table(course, roster).items()} == {"ada": 3, "bob": 3}
    path.write_text("id,group\nada,Bob\nbob,\n", encoding="utf-8")
    with pytest.raises(ValueError, match="must call a group as no student"):
        Roster.read(path)


CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Quiz (7),Two-Link (12),Current Score\n"
    ",,,,,,Manual Posting,\n    Points Possible,,,,,5,6,(read only)\n"
    '"Lovelace, Ada",1,s1,ADA,A,4,,80\n"Bird, =Bob",2,s2,bob@x.edu,A,3,1,60\n"Student, Test",9,,t,A,,,\n'
)
MOODLE = (
    '\ufeff"First name",Surname,"ID number",Institution,"Email address","Assignment: Two link (Real)","Feedback: Two link (Feedback)",'
    '"Last downloaded from this course"\nAda,Lovelace,ada,,a@x.edu,-,,1\nBob,Bird,,,bob@x.edu,-,,1\n'
)
BLACKBOARD = (
    '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"two-link [Total Pts: 6 Score] |88"\t"Quiz [Total Pts: 5 Score] |89"\r\n'
    '"Lovelace"\t"Ada"\t"ada"\t"1"\t""\t"4"\r\n"Bird"\t"Bob"\t"bob@x.edu"\t"2"\t""\t"3"\r\n'
)


@pytest.mark.parametrize(
    ("text", "encoding", "between", "expected"),
    [
        (CANVAS, "utf-8", ",", [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Two-Link (12)"], ["", "", "", "", "", "Manual Posting"],
                                ["    Points Possible", "", "", "", "", "6"], ["Lovelace, Ada", "1", "s1", "ADA", "A", "5.5"],
                                ["Bird, =Bob", "2", "s2", "bob@x.edu", "A", "1"], ["Student, Test", "9", "", "t", "A", ""]]),
        (MOODLE, "utf-8", ",", [["First name", "Surname", "ID number", "Institution", "Email address", "Assignment: Two link (Real)"],
                                ["Ada", "Lovelace", "ada", "", "a@x.edu", "5.5"], ["Bob", "Bird", "", "", "bob@x.edu", "-"]]),
        (BLACKBOARD, "utf-16", "\t", [["Last Name", "First Name", "Username", "Student ID", "two-link [Total Pts: 6 Score] |88"],
                                      ["Lovelace", "Ada", "ada", "1", "5.5"], ["Bird", "Bob", "bob@x.edu", "2", ""]]),
    ],
)  # fmt: skip
def test_a_platform_gets_its_own_gradebook_back(course, tmp_path, text, encoding, between, expected):
    """The column of the assignment is filled, others are left out; a grade that is not final stays as it was."""
    for n, student in enumerate(("ada", "bob", "eve")):
        judged(course, upload(course, n, student, student), 3.0)
    merge.merge(course, "two-link")
    scored(course, "ada", "explain", 2.5)
    (tmp_path / "students.csv").write_text("id,email\nada,\nbob,bob@x.edu\neve,\n", encoding="utf-8")
    exported, to = tmp_path / "exported", tmp_path / "to"
    exported.write_bytes(text.encode(encoding))
    found = platforms.fill(course, "two-link", exported, to, roster=Roster.read(tmp_path / "students.csv"))
    assert found == (1, ["eve"], ["bob"])
    raw = to.read_bytes()
    assert raw[:2] == exported.read_bytes()[:2] and (b"\r" in raw) == ("\r" in text)
    said = raw.decode("utf-16" if encoding == "utf-16" else "utf-8-sig")
    assert list(csv.reader(io.StringIO(said, newline=""), delimiter=between)) == expected
    with pytest.raises(ValueError, match=r"--column must be the header of one column, got 'nine'"):
        platforms.fill(course, "two-link", exported, to, "nine")


def test_a_gradebook_that_does_not_fit_is_refused(course, tmp_path):
    """Other points, two columns that fit, two rows of one student, no gradebook at all: in words, and nothing is written."""
    judged(course, upload(course, 0, "ada", "ada"), 3.0)
    merge.merge(course, "two-link")
    exported, to = tmp_path / "exported.csv", tmp_path / "to.csv"
    for text, words in [(CANVAS.replace(",5,6,", ",5,100,"), "counts 100 points, the assignment 6"),
                        (CANVAS.replace("Quiz (7)", "two link again"), "one column must name two-link, and 2 do"),
                        (CANVAS.replace("bob@x.edu", "ada"), "must belong to one student, and each to one row"),
                        ("a,b\n1,2\n", "must be a table, in English, of Brightspace")]:  # fmt: skip
        exported.write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=words):
            platforms.fill(course, "two-link", exported, to)
    assert not to.exists()


def saved(path, delimiter=",", encoding="utf8", columns=None, **changed):
    """Save a grader's table as a spreadsheet does."""
    rows = [row | changed for row in csv.DictReader(path.open(encoding="utf-8-sig"))]
    with open(path, "w", newline="", encoding=encoding) as file:
        writer = csv.DictWriter(file, columns or list(rows[0]), delimiter=delimiter, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def test_a_graders_table_as_spreadsheets_save_it_and_one_that_comes_twice(course, tmp_path, capsys):
    """Semicolons and a BOM are read; what cannot be read says so; a table that comes again leaves a teacher's points."""
    judged(course, upload(course, 0, "ada", "ada"), 1.0)
    merge.merge(course, "two-link")
    folder, sheet = ["--course", str(course.folder)], tmp_path / "ann.csv"
    assert main(["share", "two-link", str(tmp_path), "--graders", "ann", *folder]) == 0
    empty, marks = sheet.read_bytes(), ["marks", "two-link", str(sheet), *folder]
    for wrong, said in (({"columns": ["submission", "question"]}, "points"),
                        ({"encoding": "cp1252", "comment": "schön"}, "save it as CSV UTF-8")):  # fmt: skip
        sheet.write_bytes(empty)
        saved(sheet, points="2", **({"comment": ""} | wrong))
        assert main(marks) == 1 and said in capsys.readouterr().err
    sheet.write_bytes(empty + empty.splitlines(True)[1])
    saved(sheet, points="2")
    assert main(marks) == 1 and "stands in two lines" in capsys.readouterr().err
    assert audit_log.read(course, "mark", "two-link") == [] and table(course)["ada"]["waits_for_person"] == "explain"
    sheet.write_bytes(empty)
    saved(sheet, ";", "utf-8-sig", points="1,5", comment="schön")
    assert main(marks) == 0 and table(course)["ada"]["explain"] == 1.5
    scored(course, "ada", "explain", 3.0, "no, it is right")  # the teacher, in Formgrader
    assert main(marks) == 0 and table(course)["ada"]["explain"] == 3
    assert len(audit_log.read(course, "mark", "two-link")) == 1
    sheet.write_bytes(empty)
    saved(sheet, "\t", "utf-16", points="2")  # another opinion is new; Excel's Unicode text is a table, too
    assert main(marks) == 0 and table(course)["ada"]["explain"] == 2


def test_a_name_reaches_an_output_that_is_not_utf8(course, monkeypatch):
    """The command goes on: what the output cannot hold is written out."""
    output = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
    monkeypatch.setattr(sys, "stdout", output)
    monkeypatch.setitem(COMMANDS, "status", lambda course, options: print("zoë: graded"))
    assert main(["status", "two-link", "--course", str(course.folder)]) == 0
    assert output.buffer.getvalue().splitlines() == [rb"zo\xeb: graded"]


def due_and_late(course, student, hours, number=0):
    """A submission that comes so many hours after it was due."""
    when = datetime(2026, 11, 30, 12) + timedelta(hours=hours)
    write(course.raw_path(student), b"{}")
    judged(course, upload(course, number, student, student, when.isoformat() + "+00:00"), 3.0)


@pytest.mark.parametrize(
    ("rule", "lost"),
    [
        ("percent_a_day = 10", [0.0, 0.3, 0.3, 0.6, 3.0]),
        ("percent_a_day = 10\ngrace_minutes = 30", [0.0, 0.0, 0.3, 0.3, 3.0]),
        ("percent_a_day = 10\nbudget_days = 1", [0.0, 0.0, 0.0, 0.3, 3.0]),
        ("percent_a_day = 50.5\nbudget_days = 2\ngrace_minutes = 30", [0.0, 0.0, 0.0, 0.0, 3.0]),
    ],
)
def test_late_work_costs_what_the_course_says(course, tmp_path, rule, lost):
    """Half an hour, a day, a day and half an hour, weeks: grace, percent for each begun day, free days; in the table and the report."""
    for n, hours in enumerate((-1, 0.5, 24, 24.5, 24 * 20)):
        due_and_late(course, f"s{n}", hours, n)
    (course.folder / "course.toml").write_text(f"[late]\n{rule}\n", encoding="utf-8")
    merge.merge(course, "two-link")
    rows = table(course)
    assert [row["penalty"] for row in rows.values()] == lost
    assert [row["score"] for row in rows.values()] == [3.0 - one for one in lost]
    assert rows["s0"]["late_days"] == 0 and rows["s4"]["late_days"] == 20
    page, _ = report.to_page(course, "two-link", tmp_path / "report.html")
    assert "Late work" in page.read_text(encoding="utf-8") and "20 d" in page.read_text(encoding="utf-8")
    (course.folder / "course.toml").write_text("", encoding="utf-8")
    merge.merge(course, "two-link")  # the rule is gone, and so is what it cost
    assert {row["penalty"] for row in table(course).values()} == {0.0}


def test_all_of_the_minute_in_which_work_is_due_is_in_time(course):
    """Platforms close a day at 23:59:59, and teachers write 23:59."""
    for number, (student, seconds) in enumerate((("ada", 59), ("bob", 60), ("cyd", 119))):
        due_and_late(course, student, seconds / 3600, number)
    (course.folder / "course.toml").write_text("[late]\npercent_a_day = 10\n", encoding="utf-8")
    merge.merge(course, "two-link")
    assert [(row["late"], row["penalty"]) for row in table(course).values()] == [(0, 0.0), (60, 0.3), (60, 0.3)]


def test_the_time_of_a_download_makes_nobody_late_without_a_word(course):
    """Canvas marks late work, so that what has no mark is in time; of others it is said by whose clock they are late."""
    for number, (student, hours) in enumerate((("ada", 50), ("bob", 50), ("cyd", -1), ("dan", 50))):
        due_and_late(course, student, hours, number)
    said = {"ada": ("Canvas", False), "bob": ("Canvas", True), "cyd": ("Canvas", False), "dan": ("Moodle", None)}
    for line in course.ledger("two-link"):
        platform, late_mark = said[line["student"]]
        line |= {"platform": platform, "time_from": "the file"} | ({} if late_mark is None else {"late": late_mark})
        course.enter(line)
    merge.merge(course, "two-link")
    assert [(one, row["late"] > 0) for one, row in table(course).items()] == [
        ("ada", False),
        ("bob", True),
        ("cyd", False),
        ("dan", True),
    ]
    canvas, moodle = late.late_by_files(course, "two-link")
    assert canvas.startswith(
        "late by the time of the file, which may be that of the download, since Canvas writes none there: bob: give"
    )
    assert "Moodle writes none there: dan: lay its grading worksheet (Grades-*.csv) beside the download" in moodle
    with Gradebook(course.db) as book:
        book.find_assignment("two-link").duedate = datetime(2026, 11, 1, 12)
        book.db.commit()
    merge.merge(course, "two-link")
    assert table(course)["ada"]["late"] == 0


@pytest.mark.parametrize("earlier", ["n-link", "upkeep"])
def test_a_budget_is_spent_in_the_order_of_due_dates(course, earlier):
    """What an earlier assignment takes is not there for a later one, whichever was merged first; an extension takes none.

    Whatever their names: n-link stands before two-link in the alphabet, upkeep behind it.
    """
    with Gradebook(course.db) as book:
        book.add_assignment(earlier, duedate=datetime(2026, 11, 1, 12))
        book.update_or_create_student("ada")
        book.add_submission(earlier, "ada", timestamp=datetime(2026, 11, 2, 13))
    due_and_late(course, "ada", 47)
    (course.folder / "course.toml").write_text("[late]\npercent_a_day = 10\nbudget_days = 3\n", encoding="utf-8")
    merge.merge(course, "two-link")
    assert (table(course)["ada"]["free_days"], table(course)["ada"]["penalty"]) == (1, 0.3)
    with Gradebook(course.db) as book:
        book.find_submission(earlier, "ada").extension = timedelta(days=3)
        book.db.commit()
    merge.merge(course, "two-link")
    assert (table(course)["ada"]["free_days"], table(course)["ada"]["penalty"]) == (2, 0.0)


def test_no_points_are_points_in_gradescope(course):
    """Who earned nothing has a file with a zero; who is not graded has none, so that nothing adds up to one."""
    for number, (student, points) in enumerate((("ada", 3.0), ("bob", 0.0))):
        judged(course, upload(course, number, student, student), points)
    upload(course, 2, "cy", "cy")
    merge.merge(course, "two-link")
    folder = course.folder / "gradescope"
    assert export.to_gradescope(course, "two-link", folder) == 2
    found = {path.parent.name: json.loads(path.read_text("utf8")) for path in folder.glob("*/results.json")}
    assert {student: one["score"] for student, one in found.items()} == {"ada": 3.0, "bob": 0.0}
    for student, points in (("ada", 3.0), ("bob", 0.0)):
        tests = {one["name"]: (one["score"], one["max_score"]) for one in found[student]["tests"]}
        assert tests == {"gravity": (points, 3.0), "explain": (0, 3.0)}


def test_a_rule_for_late_work_is_one_rule(course):
    """Beside one of nbgrader's own it is refused, and so is what it does not know."""
    due_and_late(course, "ada", 3)
    own, file = course.nbgrader / "own_config.py", course.folder / "course.toml"
    own.write_text('c = get_config()\nc.LateSubmissionPlugin.penalty_method = "zero"\n', encoding="utf-8")
    file.write_text("[late]\npercent_a_day = 10\n", encoding="utf-8")
    with pytest.raises(ValueError, match="late work has two rules"):
        merge.merge(course, "two-link")
    for wrong in (
        "percent = 10",
        "percent_a_day = -1",
        "percent_a_day = 100.5",
        'grace_minutes = "5"',
        "budget_days = 1.5",
        "percent_a_day = nan",
    ):
        file.write_text(f"[late]\n{wrong}\n", encoding="utf-8")
        with pytest.raises(ValueError, match="must have grace_minutes, percent_a_day, budget_days"):
            merge.merge(course, "two-link")


def test_parts_of_an_answer_earn_points_by_the_table_of_the_course(course):
    """One of two entries is half the points, as the page says; with another rule `merge` alone enters others."""
    line = upload(course, 0, "ada", "ada")
    judged(course, line, 0.0)
    result = course.result(line)
    result["verdicts"]["gravity"] |= {"parts": {"shape": [2], "marks": "1-"}, "sentences": ["A law."]}
    notebook = nbformat.reads(result["notebook"], as_version=4)
    notebook.cells[0].metadata["robotdyn"] = {"role": "answer", "question": "gravity"}
    notebook.cells[0].outputs = [
        nbformat.v4.new_output("stream", text="mine"),
        nbformat.v4.new_output("stream", text="[grader] 0 / 3"),
    ]
    course.enter_result(line, result | {"notebook": nbformat.writes(notebook)})
    path = course.nbgrader / "autograded/ada/two-link/two-link.ipynb"
    for rule, points, told in (
        ("", 1.5, "1.5 / 3\nA law.\nOf 2 parts 1 right."),
        ('[partial.two-link]\ngravity = { by = "whole" }', 0.0, "0 / 3\nA law."),
    ):
        (course.folder / "course.toml").write_text(rule, encoding="utf-8")
        assert merge.merge(course, "two-link") == ["ada"]
        assert table(course)["ada"]["gravity"] == points and merge.merge(course, "two-link") == []
        outputs = nbformat.read(path, as_version=4).cells[0].outputs
        assert [outputs[0].text, outputs[1].data["text/plain"]] == ["mine", f"[grader] {told}"]
