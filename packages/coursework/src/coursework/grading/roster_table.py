"""The list of a class as a teacher or a platform has it: which column is the id, which the name, which a platform may write."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from coursework.grading.tables import read_table

HEADINGS = {one.replace(" ", ""): one for one in ("id", "name", "group", "first name", "last name")}
HEADINGS |= {
    "surname": "last name",
    "student": "name",
    "fullname": "name",
    "studentname": "name",
}  # as platforms call them
WRITTEN = {"id", "sisuserid", "sisloginid", "integrationid", "username", "studentid", "email", "emailaddress", "orgdefinedid", "sid",
           "idnumber", "identifier", "login", "usr_id", "othername"}  # columns of lists of platforms, and one for a name of before  # fmt: skip


def rows_of(path: str | Path) -> list[dict[str, Any]]:
    """Return the rows of a roster.  Raises ValueError where it has none, or no column id."""
    columns, found = read_table(path)
    if not found:
        raise ValueError(f"the roster {path} must have a line for each student, got none")
    headings = _headings([name or "" for name in columns])
    rows = [{headings.get(name or "", ""): cell for name, cell in row.items()} for _, row in found]
    if "id" not in rows[0]:
        raise ValueError(
            f"the roster {path} must have a column id, got {', '.join(map(str, columns))}: call the one that holds the ids so"
        )
    return rows


def squeezed(column: str) -> str:
    """Return the name of a column in lower case, without blanks."""
    return "".join(column.split()).lower()


def _headings(columns: Sequence[str]) -> dict[str, str]:
    """Return {a column: its name here}: those that are looked for may be written in capitals, or with blanks around them.

    Of two that would be one, that which is written as it is here is it, or else the first.
    """
    found: dict[str, str] = {}
    for column in sorted(columns, key=lambda one: one not in HEADINGS.values()):
        name = HEADINGS.get(squeezed(column), column)
        found[column] = column if name in found.values() else name
    return found


def names_in(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of a roster, `Lovelace, Ada` as platforms write it, Ada Lovelace; a last and a first name are a name, too."""
    found = []
    parts = zip(column(rows, "name"), column(rows, "first name"), column(rows, "last name"))
    for name, first, last in parts:
        found.append(turned(name) or f"{first} {last}".strip())
    return [" ".join(name.split()) for name in found]


def turned(name: str) -> str:
    """Return a name with the given one first: `Lovelace, Ada` is Ada Lovelace."""
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma and given.strip() and "," not in given else name


def column(rows: Sequence[Mapping[str, Any]], name: str) -> list[str]:
    """Return the entries of a column of a roster, blanks around them gone, "" where there are none."""
    return [(row.get(name) or "").strip() for row in rows]
