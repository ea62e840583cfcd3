"""Fills one column of a gradebook that Canvas, Moodle or Blackboard has exported; the platform imports what comes out.

No format is guessed: header, separator, encoding, ids and the rows of others are as the platform wrote them.
"""

import csv
import io
import re
from dataclasses import dataclass
from typing import Any

from coursework.grading.course import write
from coursework.grading.export import rows
from coursework.grading.identity import plain, safe


@dataclass(frozen=True)
class Platform:
    """Columns of a gradebook: those that say who a student is, of them those that are ids."""

    name: str
    who: tuple
    ids: tuple


CANVAS = Platform("Canvas",
    ("Student", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Root Account", "Section"),
    ("ID", "SIS User ID", "SIS Login ID", "Integration ID"))  # fmt: skip
BLACKBOARD = Platform("Blackboard", ("Last Name", "First Name", "Username", "Student ID"), ("Username", "Student ID"))
MOODLE = Platform("Moodle",
    ("First name", "Last name", "Surname", "Username", "ID number", "Institution", "Department", "Email address"),
    ("Username", "ID number", "Email address"))  # fmt: skip
MARKS = ((CANVAS, {"Student", "ID", "Section"}), (BLACKBOARD, {"Last Name", "Username"}),
         (MOODLE, {"Email address"}), (MOODLE, {"ID number"}))  # fmt: skip


def fill(course, assignment, exported, to, column=None, roster=None):
    """Write the column of an assignment into a copy of an exported gradebook that holds nothing else of the class.

    Return (how many were filled, students that the gradebook does not have, students whose grade is not final).
    A student belongs to a row by an id that stands in it, or, with a roster, by any entry of the student's line there.
    What is not final, ungraded or with an answer that waits for a person, stays as the platform has it.
    """
    raw = exported.read_bytes()
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        raise ValueError(
            f"--into must be a gradebook as the platform exported it, in UTF-8 or UTF-16: {exported}"
        ) from None
    head = text.split("\n", 1)[0]
    between = max("\t;,", key=head.count)
    lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=between))
    header = [name.strip() for name in lines[0]] if lines else []
    platform = next((one for one, marks in MARKS if marks <= set(header)), None)
    if platform is None:
        raise ValueError(
            f"--into must be a gradebook that Canvas, Moodle or Blackboard exported (in English), got the columns {', '.join(header[:8])}"
        )
    table = rows(course, assignment, roster)
    most = table[0]["max_score"] if table else 0
    place = header.index(_column(header, platform, assignment, column))
    _agree(header[place], lines, header, place, most)
    known: dict[str, list] = {}
    for row in table:
        for name in {row["student"], *(roster.of(row["student"]) if roster else ())}:
            known.setdefault(same(name), []).append(row)
    ids, filled, missing = (
        [header.index(name) for name in platform.ids if name in header],
        0,
        {row["student"] for row in table},
    )
    for line in lines[1:]:
        found = {
            row["student"]: row
            for i in ids
            if i < len(line) and line[i].strip()
            for row in known.get(same(line[i]), ())
        }
        if len(found) > 1 or found.keys() - missing:
            raise ValueError(
                f"a row of {exported} must belong to one student, and each to one row: look at {', '.join(sorted(found))}"
            )
        for student, row in found.items():
            missing.remove(student)
            if row["score"] != "" and not row["waits_for_person"]:
                line[place], filled = f"{row['score']:g}", filled + 1
    kept = [i for i, name in enumerate(header) if name in platform.who or i == place]
    out = io.StringIO(newline="")
    quoting: Any = csv.QUOTE_ALL if head.startswith(('"', '\ufeff"')) else csv.QUOTE_MINIMAL
    ends = "\r\n" if "\r\n" in text else "\n"
    writer = csv.writer(out, delimiter=between, quoting=quoting, lineterminator=ends)
    writer.writerows([line[i] if i < len(line) else "" for i in kept] for line in lines)
    marked = encoding == "utf-16" or raw.startswith(b"\xef\xbb\xbf")
    write(to, out.getvalue().encode(encoding if marked else "utf-8"))
    waiting = {row["student"] for row in table if row["score"] == "" or row["waits_for_person"]} - missing
    return filled, sorted(missing), sorted(waiting)


def _column(header, platform, assignment, column):
    """Return the header of the column to fill: the one named, or the only one that names the assignment."""
    others = [name for name in header if name not in platform.who]
    if column is not None:
        if others.count(column) != 1:
            raise ValueError(
                f"--column must be the header of one column, got {column!r}; there are {', '.join(others[:20])}"
            )
        return column
    asked = re.sub(r"\W+", "", assignment).lower()
    fits = [
        name
        for name in others
        if asked in re.sub(r"\W+", "", name).lower() and not re.search(r"\((Feedback|Percentage|Letter)\)$", name)
    ]
    if len(fits) != 1:
        raise ValueError(
            f"one column must name {assignment}, and {len(fits)} do: make it on the platform, or name it by --column; there are {', '.join(others[:20])}"
        )
    return fits[0]


def _agree(name, lines, header, place, most):
    """Raise ValueError where the platform counts the column in other points than the assignment."""
    told = re.search(r"\[Total Pts: (?:up to )?([\d.,]+)", name)
    words = (
        told[1]
        if told
        else next((line[place] for line in lines[1:] if line and line[0].strip() == "Points Possible"), "")
    )
    try:
        points = float(words.replace(",", "."))
    except (ValueError, AttributeError):
        return  # Moodle does not say, Canvas writes (read only) into what it computes itself
    if points and points != most:
        raise ValueError(
            f"the column {name!r} counts {points:g} points, the assignment {most:g}: give the column {most:g} on the platform, and export again"
        )


def same(text):
    """Return a name as it is compared: ada@x.edu and " Ada@x.edu" are one."""
    return plain(safe(text.strip()))
