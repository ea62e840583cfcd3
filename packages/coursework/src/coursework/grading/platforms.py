"""Fills one column of a table that a learning platform has exported; the platform imports what comes out.

No format is guessed: each platform is a record of what its importer reads, and a table that fits none is refused.  Header, separator,
encoding, ids and the rows of others are as the platform wrote them.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coursework.grading.course import Course, write
from coursework.grading.export import rows
from coursework.grading.identity import Roster, plain, safe

EXCUSED = "EX"  # what Canvas writes for a student whom a teacher has excused
POINTS = r"(?P<points>\d+(?:[.,]\d+)?)"


@dataclass(frozen=True)
class Platform:
    """What a platform exports and reads again.

    marks: columns by which its table is known, any of these sets; who: columns that are kept beside that of the assignment, "*": all;
    ids: those that say who a student is; title: how the header of a column that can be filled reads, with its points where it has them;
    column: the one that is filled, where it has one name alone; points: the column in which those of the assignment stand;
    changed: a column that says which rows are new; refused: why nothing can be filled, in words.
    """

    name: str
    marks: tuple[tuple[str, ...], ...]
    who: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    title: str = r".+"
    column: str = ""
    points: str = ""
    changed: str = ""
    refused: str = ""


# where: fill the table of another platform
# a record, with the rules of its importer as a reader in `packages/coursework/tests/test_grading_platforms.py`
PLATFORMS = (
    Platform("Brightspace", (("OrgDefinedId", "End-of-Line Indicator"), ("Username", "End-of-Line Indicator")),
        ("OrgDefinedId", "Username", "End-of-Line Indicator"), ("OrgDefinedId", "Username"),
        title=rf".+ Points Grade(?: <.*MaxPoints:{POINTS}.*>)?"),
    Platform("Moodle's worksheet of a scale", (("Identifier", "Grade", "Scale"),),
        refused="its assignment is marked by a scale, which takes no points: give it a maximum grade on the platform, and export again"),
    Platform("Moodle's grading worksheet", (("Identifier", "Grade", "Last modified (grade)"),),
        ("Identifier", "Full name", "Username", "ID number", "Email address", "Maximum Grade", "Maximum grade", "Last modified (grade)"),
        ("Identifier", "Username", "ID number", "Email address"), column="Grade", points="Maximum Grade"),
    Platform("ILIAS", (("update", "usr_id", "login", "lastname", "firstname", "status", "mark", "notice", "comment", "plagiarism", "plag_comment"),),
        ("*",), ("usr_id", "login"), column="mark", changed="update"),
    Platform("Canvas", (("Student", "ID", "Section"), ("LastName", "FirstName", "ID", "Section")),
        ("Student", "LastName", "FirstName", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Root Account", "Section"),
        ("ID", "SIS User ID", "SIS Login ID", "Integration ID"),
        title=r"(?!.*\b(?:Current|Final|Override) (?:Score|Points|Grade|Status)\b).+"),
    Platform("Blackboard", (("Last Name", "First Name", "Username"),), ("Last Name", "First Name", "Username", "Student ID"),
        ("Username", "Student ID"), title=rf".+ \[Total Pts: (?:up to )?{POINTS}.*\] ?\|\d+"),
    Platform("Gradescope", (("SID", "Email", "Total Score", "Max Points"),),
        refused="it reads no table of grades: write its results by `export --format gradescope`"),
    Platform("Sakai", (("Student ID", "Name"), ("Student ID", "Student Name")), ("Student ID", "Name", "Student Name"), ("Student ID",),
        title=rf"(?![*#]).+ \[{POINTS}\] *"),
    Platform("Moodle's gradebook", (("First name", "Email address"), ("First name", "ID number"), ("First name", "Username")),
        ("First name", "Last name", "Surname", "Username", "ID number", "Institution", "Department", "Email address"),
        ("Username", "ID number", "Email address"), title=r"(?!.*\((?:Feedback|Percentage|Letter)\)$).+"),
)  # fmt: skip


@dataclass
class Table:
    """A table as a platform wrote it: its rows, the first of which is the header, and how it is written."""

    rows: list[list[str]]
    between: str
    encoding: str
    ends: str
    quoted: bool

    @property
    def header(self) -> list[str]:
        """The names of the columns, without blanks around them."""
        return [name.strip() for name in self.rows[0]] if self.rows else []

    @classmethod
    def read(cls, path: Path) -> "Table":
        """Read a table.  Raises ValueError for one that is none, in words."""
        raw = path.read_bytes()
        if raw[:2] == b"PK" or raw[:4] == b"\xd0\xcf\x11\xe0":
            raise ValueError(
                f"--into must be a table as text (CSV), and {path} is a workbook of Excel: export it as CSV"
            )
        wide = raw[:2] in (b"\xff\xfe", b"\xfe\xff")
        try:
            text = raw.decode("utf-16" if wide else "utf-8-sig")
        except UnicodeDecodeError:
            raise ValueError(
                f"--into must be a gradebook as the platform exported it, in UTF-8 or UTF-16: {path}"
            ) from None
        head = text.split("\n", 1)[0]
        between = max("\t;,", key=head.count)
        encoding = "utf-16" if wide else "utf-8-sig" if raw.startswith(b"\xef\xbb\xbf") else "utf-8"
        parsed = list(csv.reader(io.StringIO(text, newline=""), delimiter=between))
        return cls(parsed, between, encoding, "\r\n" if "\r\n" in text else "\n", head.startswith('"'))

    def write(self, path: Path, kept: Sequence[int]) -> None:
        """Write some of the columns as they came."""
        out = io.StringIO(newline="")
        quoting: Any = csv.QUOTE_ALL if self.quoted else csv.QUOTE_MINIMAL
        writer = csv.writer(out, delimiter=self.between, quoting=quoting, lineterminator=self.ends)
        writer.writerows([line[i] if i < len(line) else "" for i in kept] for line in self.rows)
        write(path, out.getvalue().encode(self.encoding))


def fill(
    course: Course,
    assignment: str,
    exported: Path,
    to: Path,
    column: str | None = None,
    roster: Roster | None = None,
) -> tuple[int, list[str], list[str]]:
    """Write the column of an assignment into a copy of an exported table that holds nothing else of the class.

    Return (how many were filled, students that the table does not have, students whose grade is not final, or who are excused).
    A student belongs to a row by an id that stands in it, or, with a roster, by any entry of the student's line there.
    What is not final, ungraded or with an answer that waits for a person, stays as the platform has it.
    """
    table = Table.read(exported)
    header = table.header
    platform = platform_of(header)
    grades = rows(course, assignment, roster)
    place = header.index(_column(header, platform, assignment, column))
    _agree(table, place, platform, grades[0]["max_score"] if grades else 0)
    known = _known(course, assignment, platform, grades, roster)
    ids = [header.index(name) for name in platform.ids if name in header]
    changed = header.index(platform.changed) if platform.changed else None
    filled = 0
    missing = {row["student"] for row in grades}
    waiting = {row["student"] for row in grades if not _is_final(row)}
    for line in table.rows[1:]:
        found = _rows_of(line, ids, known)
        if len(found) > 1 or found.keys() - missing:
            raise ValueError(
                f"a row of {exported} must belong to one student, and each to one row: look at {', '.join(sorted(found))}"
            )
        missing -= found.keys()
        line += [""] * (place + 1 - len(line))
        if line[place].strip() == EXCUSED:
            waiting |= found.keys()
            found = {}
        filled += _fill_line(line, next(iter(found.values()), None), place, changed)
    table.write(to, _kept_columns(header, platform, place))
    return filled, sorted(missing), sorted(waiting - missing)


def _rows_of(line: Sequence[str], ids: Iterable[int], known: Mapping[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Return {student: row of the grades} of all whom the entries in some columns of a line name."""
    entries = [line[i] for i in ids if i < len(line) and line[i].strip()]
    return {row["student"]: row for entry in entries for row in known.get(same(entry), ())}


def _kept_columns(header: Sequence[str], platform: Platform, place: int) -> list[int]:
    """Return the columns that the platform needs back: who it is, and the one of the assignment."""
    return [i for i, name in enumerate(header) if platform.who == ("*",) or name in platform.who or i == place]


def _is_final(row: Mapping[str, Any]) -> bool:
    return row["score"] != "" and not row["waits_for_person"]


def _fill_line(line: list[str], row: Mapping[str, Any] | None, place: int, changed: int | None) -> bool:
    """Put the score of a student, None for nobody's line, into a line, and whether it changed; return whether it did.

    place: of the score; changed: of the mark by which the platform knows what to read, None where it has none.
    """
    if changed is not None and changed < len(line):
        line[changed] = "0"
    if row is None or not _is_final(row):
        return False
    line[place] = f"{row['score']:g}"
    if changed is not None:
        line[changed] = "1"
    return True


def platform_of(header: Sequence[str]) -> Platform:
    """Return the platform whose table has these columns.  Raises ValueError where there is none, or where it reads no table."""
    fits = [one for one in PLATFORMS if any({*marks} <= {*header} for marks in one.marks)]
    if not fits:
        names = ", ".join(one.name for one in PLATFORMS if not one.refused)
        raise ValueError(f"--into must be a table, in English, of {names}, got the columns {', '.join(header[:8])}")
    if fits[0].refused:
        raise ValueError(f"--into cannot fill a table of {fits[0].name}: {fits[0].refused}")
    return fits[0]


def _known(
    course: Course, assignment: str, platform: Platform, grades: Iterable[dict[str, Any]], roster: Roster | None
) -> dict[str, list[dict[str, Any]]]:
    """Return {an entry of a table: rows of the students that it may name}."""
    numbers = {}  # of participants, from the paths of Moodle's download
    if platform.name.startswith("Moodle"):
        chosen = course.chosen(assignment).values()
        numbers = {line["student"]: line["person"] for line in chosen if line.get("platform") == "Moodle"}
    found: dict[str, list[dict[str, Any]]] = {}
    for row in grades:
        names = {row["student"], *(roster.of(row["student"]) if roster else ())}
        if number := numbers.get(row["student"]):
            names.add(f"Participant {number}")
        for name in names:
            found.setdefault(same(name), []).append(row)
    return found


def _column(header: Sequence[str], platform: Platform, assignment: str, column: str | None) -> str:
    """Return the header of the column to fill: the platform's, the one named, or the only one that names the assignment."""
    if platform.column:
        return platform.column
    others = [name for name in header if name not in platform.who]
    fits = [name for name in others if re.fullmatch(platform.title, name)]
    if column is not None:
        if others.count(column) != 1:
            raise ValueError(
                f"--column must be the header of one column, got {column!r}; there are {', '.join(others[:20])}"
            )
        if column not in fits:
            raise ValueError(
                f"{platform.name} takes no points in the column {column!r}; it does in {', '.join(fits[:20])}"
            )
        return column
    asked = re.sub(r"\W+", "", assignment).lower()
    fits = [name for name in fits if asked in re.sub(r"\W+", "", name).lower()]
    if len(fits) != 1:
        raise ValueError(
            f"one column must name {assignment}, and {len(fits)} do: make it on the platform, or name it by --column; there are {', '.join(others[:20])}"
        )
    return fits[0]


def _agree(table: Table, place: int, platform: Platform, most: float) -> None:
    """Raise ValueError where the platform counts the column in other points than the assignment."""
    header = table.header
    lines = table.rows[1:]
    title = re.fullmatch(platform.title, header[place])
    texts = [title.groupdict().get("points")] if title else []
    lower = [name.lower() for name in header]  # Moodle has written it in both ways
    if (wanted := platform.points.lower()) in lower:
        texts = [line[lower.index(wanted)] for line in lines if len(line) > lower.index(wanted)]
    elif platform.name == "Canvas":
        texts = [line[place] for line in lines if line and line[0].strip() == "Points Possible" and len(line) > place]
    for text in filter(None, texts):
        try:
            points = float(text.replace(",", "."))
        except ValueError:
            continue  # Canvas writes (read only) into what it computes itself
        if points and points != most:
            raise ValueError(
                f"the column {header[place]!r} counts {points:g} points, the assignment {most:g}: "
                f"give the column {most:g} on the platform, and export again"
            )


def same(text: str) -> str:
    """Return a name as it is compared: ada@x.edu and " Ada@x.edu" are one, and so are #123 and 123."""
    return plain(safe(text.strip().removeprefix("#")))
