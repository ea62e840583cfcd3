"""Whose an upload is: from its path alone, or by a roster; an id becomes the name of a folder, and keeps its letters."""

import hashlib
import re
import unicodedata
from collections import Counter

from coursework.grading.layouts import named_by_platform
from coursework.grading.tables import read_table


class Roster:
    """The students of a class: {a text that may stand in a path: the id}, all in lower case.

    groups: {id of a group: ids of its members}, who hand in together; known: {id: whatever else stands in its line}.
    """

    def __init__(self, texts, groups=None, known=None):
        self.texts = {plain(text): student for text, student in texts.items()}
        self.groups, self.known = groups or {}, known or {}

    def of(self, student):
        """Return what else names a student: entries of the line in the roster that no other line has."""
        return self.known.get(student, ())

    @classmethod
    def read(cls, path):
        """Read a CSV with a column id; where platforms put names into paths, a column name; for group work, group."""
        rows = [row for _, row in read_table(path)[1]]
        if not rows:
            raise ValueError(f"the roster {path} must have a line for each student, got none")
        if "id" not in rows[0]:
            raise ValueError(f"the roster {path} must have a column id, got {', '.join(map(str, rows[0]))}")
        ids = [(row["id"] or "").strip() for row in rows]
        counted = Counter(map(plain, ids))  # as they are looked for: Ada1 and ada1 are one
        twice = sorted({one for one in ids if one and counted[plain(one)] > 1})
        if twice:
            raise ValueError(f"the roster {path} must have each id once, got {', '.join(twice[:10])} twice")
        names = [(row.get("name") or "").strip() for row in rows]
        shared = Counter(map(plain, names))
        named = {name: one for name, one in zip(names, ids) if name and one and shared[plain(name)] == 1}
        teams = {one: team for one, row in zip(ids, rows) if one and (team := (row.get("group") or "").strip())}
        single = [one for one in ids if one not in teams] if teams else []
        unclear = alike([*teams.values(), *single]) or {*map(plain, teams)} & {*map(plain, teams.values())}
        if unclear:
            raise ValueError(
                f"the roster {path} must call a group as no student and in one way, got {sorted(unclear)[0]}"
            )
        groups = {safe(team): [safe(one) for one in teams if teams[one] == team] for team in teams.values()}
        entries = [{plain(cell.strip()) for cell in row.values() if isinstance(cell, str)} - {""} for row in rows]
        often = Counter(entry for line in entries for entry in line)
        known = {safe(one): {entry for entry in line if often[entry] == 1} for one, line in zip(ids, entries) if one}
        texts = named | {one: one for one in [*ids, *teams.values()] if one}
        return cls({text: teams.get(one, one) for text, one in texts.items()}, groups, known)

    def student(self, name):
        """Return the id that fits a path: its first part that holds one decides, what a platform named before a file.

        None where no text of the roster fits, or texts of several students do; of two that overlap the longer counts.
        """
        fitting = self.fitting(name)
        return fitting[0] if len(fitting) == 1 else None

    def fitting(self, name):
        """Return the ids that fit the first part of a path that any fits, in order."""
        for part in plain(name).split("/"):
            spans = [(*hit.span(), student) for text, student in self.texts.items() for hit in _found(text, part)]
            longest = {s for a, b, s in spans if not any(c <= a and b <= d and d - c > b - a for c, d, _ in spans)}
            if longest:
                return sorted(longest)
        return []

    def why_none(self, name):
        """Return why a path belongs to no student, in a sentence: none fits, or several do, and who."""
        fitting = self.fitting(unicodedata.normalize("NFC", name))
        if fitting:
            return f"{len(fitting)} students of the roster fit its path: {', '.join(fitting[:5])}"
        platforms = named_by_platform(name)
        sought = f"; {platforms.platform} calls the student {platforms.student}" if platforms else ""
        return f"no id and no name of the roster stands in its path{sought}"


def student_of(name, roster=None):
    """Return the id of the student whose upload has this path, or None where none is named or known."""
    name = unicodedata.normalize("NFC", name)
    if roster is not None:
        found = roster.student(name)
        return None if found is None else safe(found)
    if platforms := named_by_platform(name):
        return safe(platforms.student)
    student, under, _ = re.sub(r"\.ipynb$", "", name, flags=re.I).lstrip(".").partition("_")
    if "/" in name:
        student = name.split("/")[0]
    elif not under:  # as in "ada two-link", "ada--two-link"
        student = re.split(r"\s|--|\.", student)[0]
    return safe(student) if student.strip() else None


def safe(student):
    """Return a student id that can be the name of a folder: others get a short hash."""
    student = unicodedata.normalize("NFC", student)
    plain = " ".join(re.sub(r"[^\w@. -]+", "-", student).split()).strip(".-_ ")[:60].strip()
    if plain and plain == student:
        return plain
    return f"{plain or 'student'}-{hashlib.sha256(student.encode('utf8', 'backslashreplace')).hexdigest()[:6]}"


def alike(ids):
    """Return the ids that differ only in capitals, in lists: one student or several?  Only a teacher knows."""
    found: dict[str, list[str]] = {}
    for one in sorted(set(ids)):
        found.setdefault(plain(one), []).append(one)
    return [same for same in found.values() if len(same) > 1]


def plain(text):
    """Return a text as it is looked for: letters in lower case, and accents written in one way."""
    return unicodedata.normalize("NFC", text).lower()


def _found(text, part):
    """Return where a text stands in a part of a path, no letter or digit beside it."""
    if text not in part:  # most of a class: no search is made ready for them
        return ()
    return re.finditer(rf"(?<![^\W_]){re.escape(text)}(?![^\W_])", part)
