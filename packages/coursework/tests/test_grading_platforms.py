"""What `export --into` writes is what the importer of each platform reads, by its documented rules or its own source."""

import csv
import io
import re
from datetime import datetime

import nbformat
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")

from nbgrader.api import Gradebook

from coursework.grading import platforms
from coursework.grading.course import Course
from coursework.grading.identity import Roster
from coursework.grading.key import Key
from coursework.grading.merge import merge
from coursework.grading.release import api

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # of nbgrader, as it adds a submission


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Ada has 2.5 of 3 points; Bob's answer waits for a person; Eve is on no platform."""
    made = Course(tmp_path_factory.mktemp("platforms") / "course", new=True)
    api(made)  # so that nbgrader finds alembic
    key = Key("two-link", (), {"gravity": 3.0}, {}, "{}", "seed")
    (made.folder / "keys/two-link.json").write_text(key.to_json(), encoding="utf-8")
    with Gradebook(made.db) as book:
        book.add_assignment("two-link", duedate=datetime(2026, 11, 30, 12))
        book.add_notebook("two-link", "two-link")
        book.add_grade_cell("gravity", "two-link", "two-link", max_score=3, cell_type="code")
    cell = nbformat.v4.new_code_cell("answer")
    cell.metadata["nbgrader"] = {"grade_id": "gravity", "grade": True, "solution": False, "locked": True,
                                 "schema_version": 3, "points": 3, "cell_type": "code", "checksum": "of no cell"}  # fmt: skip
    for number, (student, points) in enumerate((("ada", 2.5), ("bob", None), ("eve", 1.0))):
        line = {"upload": f"{number:06d}", "assignment": "two-link", "student": student, "name": f"{student}.ipynb", "sha": student,
                "time": "2026-11-30T11:00:00+00:00", "readable": True, "why": "", "platform": "Moodle", "person": f"{70 + number}"}  # fmt: skip
        made.enter(line)
        verdict = {"points": points, "most": 3.0, "sentences": []}
        result = {name: line[name] for name in ("upload", "assignment", "student", "sha")}
        notebook = nbformat.writes(nbformat.v4.new_notebook(cells=[cell]))
        result |= {"state": "graded", "notes": [], "verdicts": {"gravity": verdict}, "notebook": notebook}
        made.enter_result(line, result)
    merge(made, "two-link")
    return made


def table(raw, delimiter=","):
    return list(csv.reader(io.StringIO(raw, newline=""), delimiter=delimiter))


def canvas(raw):
    """GradebookImporter of Canvas: where the columns of a student stand, and that points possible are taken from the table."""
    head, *lines = table(raw)
    assert ("Student" in head[0] and "ID" in head[1]) or head[:2] == ["LastName", "FirstName"]
    n = 4 if head[0] == "LastName" else 3
    if re.search(r"SIS\s+Login\s+ID", head[n - 1]):
        n += 1
    elif re.search(r"SIS\s+User\s+ID", head[n - 1]) and re.search(r"SIS\s+Login\s+ID", head[n]):
        n += 2 + bool(re.search(r"Integration\s+ID", head[n + 1]))
    assert "Section" in head[n - 1]
    (points,) = [line for line in lines if line[0].strip() == "Points Possible"]
    assert points[n] == "3"
    titles = [re.fullmatch(r"(.*) \((\d+)\)", title)[2] for title in head[n:]]
    at = head.index("ID")
    return {line[at]: dict(zip(titles, line[n:])) for line in lines if line[at]}


def moodle_worksheet(raw):
    """assignfeedback_offline_grade_importer: three columns by their names, a number at the end of the participant's."""
    head, *lines = table(raw.removeprefix("\ufeff"))
    at = [head.index(name) for name in ("Identifier", "Grade", "Last modified (grade)")]
    feedback = {name for name in head if name.startswith("Feedback")}
    assert not feedback  # an enabled column would be taken, and an empty one empties what stands there
    return {line[at[0]].removeprefix("Participant "): {"grade": line[at[1]], "modified": line[at[2]]} for line in lines}


def moodle_gradebook(raw):
    """The teacher says which column is which: one for the student, one for the grade."""
    head, *lines = table(raw.removeprefix("\ufeff"))
    return {line[head.index("Email address")]: {head[-1]: line[-1]} for line in lines}


def brightspace(raw):
    """By its documentation: a key field, items that end in Points Grade, and an indicator that ends each line."""
    head, *lines = table(raw)
    assert head[-1] == "End-of-Line Indicator" and all(line[-1] == "#" and len(line) == len(head) for line in lines)
    keys = [name for name in head if name in ("OrgDefinedId", "Username")]
    assert keys == head[: len(keys)] and all(
        re.search(r" Points Grade( <.*>)?$", name) for name in head[len(keys) : -1]
    )
    return {line[0].removeprefix("#"): dict(zip(head[len(keys) : -1], line[len(keys) : -1])) for line in lines}


def blackboard(raw):
    """By its documentation: the user name, and the number of a column at the end of its header; another makes a new column."""
    head, *lines = table(raw, "\t")
    items = [name for name in head if name not in ("Last Name", "First Name", "Username", "Student ID")]
    assert all(re.search(r"\|\d+$", name) for name in items)
    return {line[head.index("Username")]: {name: line[head.index(name)] for name in items} for line in lines}


def sakai(raw):
    """ImportGradesHelper of Sakai: the id first, then the name; items with their points in brackets; no header twice or empty."""
    head, *lines = table(raw)
    assert head[0] == "Student ID" and all(head) and len({*head}) == len(head)
    for title in head[2:]:
        assert re.fullmatch(r"([^\[]+)(\[(\d+([.,]\d+)?)\])?", title)[3] == "3"
    return {line[0]: dict(zip(head[2:], line[2:])) for line in lines}


TITLES = [
    "update",
    "usr_id",
    "login",
    "lastname",
    "firstname",
    "status",
    "mark",
    "notice",
    "comment",
    "plagiarism",
    "plag_comment",
]


def ilias(raw):
    """ilExAssignmentStatusFile: all titles at their places, a known status; lines with update = 0 are left alone."""
    head, *lines = table(raw)
    assert head == TITLES and all(line[5] in ("notgraded", "passed", "failed") for line in lines)
    return {line[1]: dict(zip(TITLES[5:], line[5:])) if line[0] not in ("", "0") else {} for line in lines}


CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Quiz (7),Two-Link (12),Homework Current Score\n,,,,,,Manual Posting,\n"
    '    Points Possible,,,,,5,3,(read only)\n"Lovelace, Ada",1,s1,ADA,A,4,,80\n"Bird, =Bob",2,s2,b@x.edu,A,3,1,60\n"Student, Test",9,,t,A,,,\n'
)
NAMES = (
    "LastName,FirstName,ID,SIS Login ID,Section,Two-Link (12)\n    Points Possible,,,,,3\nLovelace,Ada,1,ADA,A,\n"
    "Bird,Bob,2,b@x.edu,A,1\n"
)
WORKSHEET = (
    '\ufeffIdentifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed","Last modified (submission)","Last modified (grade)","Feedback comments"\n'
    '"Participant 70","Ada Lovelace",a@x.edu,"Submitted",,3.00,Yes,"Friday, 27 November 2026, 10:00 AM",-,\n'
    '"Participant 71","Bob Bird",b@x.edu,"Submitted",1.00,3.00,Yes,"Friday, 27 November 2026, 10:00 AM","Sunday, 29 November 2026, 9:00 AM","Well done"\n'
    '"Participant 99","Zoe Late",z@x.edu,"No submission",,3.00,Yes,-,-,\n'
)
GRADEBOOK = (
    '\ufeff"First name","Last name","ID number",Institution,"Email address","Assignment: Two link (Real)","Assignment: Two link (Feedback)",'
    '"Last downloaded from this course"\nAda,Lovelace,ada,,a@x.edu,-,,1\nBob,Bird,,,b@x.edu,-,,1\n'
)
BRIGHTSPACE = (
    "OrgDefinedId,Username,Last Name,First Name,Email,Quiz Points Grade <Numeric MaxPoints:5>,Two link Points Grade <Numeric MaxPoints:3 Weight:10>,"
    "Calculated Final Grade Numerator,End-of-Line Indicator\r\n#0042,#ada,Lovelace,Ada,a@x.edu,4,,7,#\r\n#0043,#bb2,Bird,Bob,b@x.edu,3,1,4,#\r\n"
)
BLACKBOARD = (
    '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"two-link [Total Pts: 3 Score] |88"\t"Quiz [Total Pts: 5 Score] |89"\r\n'
    '"Lovelace"\t"Ada"\t"ada"\t"1"\t""\t"4"\r\n"Bird"\t"Bob"\t"b@x.edu"\t"2"\t""\t"3"\r\n'
)
SAKAI = (
    '"Student ID","Name","Quiz [5]","* Quiz","Two link [3]","* Two link","# Course Grade"\n"ada","Lovelace, Ada","4","","","",""\n'
    '"b@x.edu","Bird, Bob","3","fine","1","","B"\n'
)
ILIAS = f'{",".join(TITLES)}\n0,501,ada,Lovelace,Ada,notgraded,,"for me",,,\n1,502,b@x.edu,Bird,Bob,passed,1,,"well done",,\n'
TABLES = {
    "Canvas": (CANVAS, "utf-8", canvas, "1", {"12": "2.5"}),
    "Canvas with names in two": (NAMES, "utf-8", canvas, "1", {"12": "2.5"}),
    "Moodle's worksheet": (WORKSHEET, "utf-8", moodle_worksheet, "70", {"grade": "2.5", "modified": "-"}),
    "Moodle's gradebook": (GRADEBOOK, "utf-8", moodle_gradebook, "a@x.edu", {"Assignment: Two link (Real)": "2.5"}),
    "Brightspace": (BRIGHTSPACE, "utf-8", brightspace, "0042", {"Two link Points Grade <Numeric MaxPoints:3 Weight:10>": "2.5"}),
    "Blackboard": (BLACKBOARD, "utf-16", blackboard, "ada", {"two-link [Total Pts: 3 Score] |88": "2.5"}),
    "Sakai": (SAKAI, "utf-8", sakai, "ada", {"Two link [3]": "2.5"}),
    "ILIAS": (ILIAS, "utf-8", ilias, "501", {"mark": "2.5", "status": "notgraded", "notice": "for me", "comment": ""}),
}  # fmt: skip
BEFORE = {"Canvas": {"12": "1"}, "Canvas with names in two": {"12": "1"}, "Moodle's gradebook": {"Assignment: Two link (Real)": "-"},
          "Moodle's worksheet": {"grade": "1.00", "modified": "Sunday, 29 November 2026, 9:00 AM"},
          "Brightspace": {"Two link Points Grade <Numeric MaxPoints:3 Weight:10>": "1"}, "Sakai": {"Two link [3]": "1"},
          "Blackboard": {"two-link [Total Pts: 3 Score] |88": ""}, "ILIAS": {}}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_the_importer_reads_what_is_filled_and_nothing_else(course, tmp_path, name):
    """One grade is new, the one that waits for a person is as it was, no other column of the class comes along."""
    text, encoding, importer, row, expected = TABLES[name]
    exported, to = tmp_path / "exported", tmp_path / "to"
    exported.write_bytes(text.encode(encoding))
    (tmp_path / "students.csv").write_text("id,email,login\nada,,\nbob,b@x.edu,bb2\neve,,\n", encoding="utf-8")
    found = platforms.fill(course, "two-link", exported, to, roster=Roster.read(tmp_path / "students.csv"))
    assert found == (1, ["eve"], ["bob"])
    raw = to.read_bytes()
    assert raw[:2] == exported.read_bytes()[:2] and (b"\r" in raw) == ("\r" in text)
    read = importer(raw.decode(encoding))
    assert {key: read[row][key] for key in expected} == expected and {*read[row]} <= {*expected, *TITLES}
    others = [one for key, one in read.items() if key != row]
    assert BEFORE[name] in others and len(others) == len(text.strip().split("\n")) - 2 - 2 * (importer is canvas) + (
        name[-3:] == "two"
    )


def test_a_table_that_no_record_fits_is_refused(course, tmp_path):
    """A workbook, another language, a table that the platform does not read, a column that it takes no points in."""
    to = tmp_path / "to.csv"
    for raw, words, column in (
        (b"PK\x03\x04", "a workbook of Excel", None),
        (b"Nachname,Vorname,Kennung\na,b,c\n", "in English, of Brightspace, Moodle's grading worksheet, ILIAS, Canvas", None),
        (b"First Name,Last Name,SID,Email,Total Score,Max Points,Status\na,b,1,c,2,3,Graded\n", "--format gradescope", None),
        (BLACKBOARD.replace("|88", "").encode(), "one column must name two-link, and 0 do", None),
        (BLACKBOARD.replace("|88", "").encode(), "takes no points in the column", "two-link [Total Pts: 3 Score]"),
        (WORKSHEET.replace("3.00", "100.00").encode(), "counts 100 points, the assignment 3", None),
        (WORKSHEET.replace("Maximum Grade", "Maximum grade").replace("3.00", "100.00").encode(), "counts 100 points, the assignment 3", None),
        (WORKSHEET.replace("Maximum Grade", "Scale").encode(), "marked by a scale, which takes no points", None),
        (BRIGHTSPACE.replace("MaxPoints:3", "MaxPoints:4").encode(), "counts 4 points, the assignment 3", None),
        (SAKAI.replace("[3]", "[4]").encode(), "counts 4 points, the assignment 3", None),
    ):  # fmt: skip
        (tmp_path / "exported").write_bytes(raw)
        with pytest.raises(ValueError, match=re.escape(words)):
            platforms.fill(course, "two-link", tmp_path / "exported", to, column)
    assert not to.exists()


def test_students_of_moodle_are_found_without_a_roster(course, tmp_path):
    """By the number that stands in the paths of the download and in the worksheet alike."""
    (tmp_path / "exported").write_bytes(WORKSHEET.encode())
    found = platforms.fill(course, "two-link", tmp_path / "exported", tmp_path / "to")
    assert found == (1, ["eve"], ["bob"])


def test_whom_a_teacher_has_excused_stays_excused(course, tmp_path):
    """Canvas would take a score for the end of that; it is told, and a short row is filled up."""
    rows = 'Student,ID,Section,two-link (12)\n    Points Possible,,,3\n"Lovelace, Ada",ada,S1,EX\n"Late, Eve",eve,S1\n'
    (tmp_path / "exported").write_text(rows, encoding="utf-8")
    assert platforms.fill(course, "two-link", tmp_path / "exported", tmp_path / "to") == (1, ["bob"], ["ada"])
    assert (tmp_path / "to").read_text(encoding="utf-8") == rows.replace("eve,S1", "eve,S1,1")
