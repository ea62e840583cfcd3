"""Whose an upload is: from its path alone, or by a roster; an id becomes the name of a folder, and keeps its letters."""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from coursework.grading.layouts import NOBODY, Download, Named, without_copy
from coursework.grading.roster_table import WRITTEN, column, names_in, rows_of, squeezed, turned

SPREADSHEETS = re.compile(r"\d+(?:[.,]\d+)?E\+\d+|\d+[.,]0+", re.I)  # 2.026E+14, 123.0
_ONE_WAY = dict.fromkeys("\u2018\u2019\u02bc\u00b4\uff07", "'") | dict.fromkeys("\u2010\u2011", "-")


class Roster:
    """The students of a class: {a text that may stand in a path: the id}, all in lower case.

    groups: {id of a group: ids of its members}, who hand in together; known: {id: whatever else stands in its line, and in no other};
    lines: {id of a student or group: all that stands in its lines}.
    """

    def __init__(
        self,
        texts: Mapping[str, str],
        groups: Mapping[str, list[str]] | None = None,
        known: Mapping[str, set[str]] | None = None,
        lines: Mapping[str, set[str]] | None = None,
    ) -> None:
        self.texts = {plain(text): student for text, student in texts.items()}
        self.groups = groups or {}
        self.known = known or {}
        self.lines = lines or {}
        self.written: dict[
            str, str
        ] = {}  # {what a platform may write, from a column of its own list, in one line alone: the id}
        self.shared: dict[str, list[str]] = {}  # {a name that several students have: their ids}

    def of(self, student: str) -> Iterable[str]:
        """Return what else names a student: entries of the line in the roster that no other line has."""
        return self.known.get(student, ())

    @classmethod
    def read(cls, path: str | Path) -> "Roster":
        """Read a CSV with a column id; where platforms put names into paths, a column name; for group work, group."""
        rows = rows_of(path)
        ids = column(rows, "id")
        if twice := _repeated(ids):
            raise ValueError(f"the roster {path} must have each id once, got {', '.join(twice[:10])} twice")
        if changed := [one for one in ids if SPREADSHEETS.fullmatch(one)]:
            raise ValueError(
                f"the roster {path} must have ids as they are, got {changed[0]}, as a spreadsheet writes numbers: export it anew, "
                "without opening it there"
            )
        teams = {one: team for one, team in zip(ids, column(rows, "group")) if one and team}
        if unclear := _unclear_teams(ids, teams):
            raise ValueError(f"the roster {path} must call a group as no student and in one way, got {unclear[0]}")
        names = names_in(rows)
        texts = _sole_names(ids, names) | {one: one for one in [*ids, *teams.values()] if one}
        groups = {safe(team): [safe(one) for one in teams if teams[one] == team] for team in teams.values()}
        known, lines = _entries(rows, ids, teams)
        found = cls({text: teams.get(one, one) for text, one in texts.items()}, groups, known, lines)
        found.shared = _shared(ids, names)
        found.written = _written(rows, ids, teams, known)
        return found

    def within(self, part: str) -> list[str]:
        """Return the ids that stand in one part of a path, as whole words, in order; of two that overlap the longer counts."""
        part = plain(part)
        spans = [(*hit.span(), student) for text, student in self.texts.items() for hit in _found(text, part)]
        return sorted({s for a, b, s in spans if not any(c <= a and b <= d and d - c > b - a for c, d, _ in spans)})

    def called(self, named: Named) -> list[str]:
        """Return the ids of what a platform calls a student, by the surest of its texts that stands in a line alone: all of it, or before its @."""
        for key in named.keys:
            texts = {text for one in key for text in (plain(one), plain(one).partition("@")[0], plain(turned(one)))}
            for known in (self.texts, self.written):
                if found := sorted({known[text] for text in texts if text in known}):
                    return found
        return self._group_named_with_member(named) or self._ids_from_old_zip(named)

    def but_for_zeros(self, texts: Iterable[str]) -> str:
        """Return what to say where ids of the roster are one of these texts but for zeros before it, "" where none is."""
        sought = {text.lstrip("0") for text in texts if text.isdigit()}
        near = [text for text in self.texts if text.isdigit() and text.lstrip("0") in sought]
        return (
            f"; {near[0]} is it but for zeros at its beginning, which a spreadsheet drops: correct the roster"
            if near
            else ""
        )

    def _ids_from_old_zip(self, named: Named) -> list[str]:
        """Return the ids of what a platform wrote in UTF-8, and a program that unpacked its zip took for a code page of old."""
        texts = {plain(text) for key in named.keys for one in key for text in _taken_for_utf8(one)}
        return sorted({self.texts[text] for text in texts if text in self.texts})

    def _group_named_with_member(self, named: Named) -> list[str]:
        """Return the group of whom a platform calls `Group A-Ada Lovelace`, where the roster has Ada Lovelace in group A."""
        for text in (plain(one) for key in named.keys for one in key):
            for dash in (place for place, sign in enumerate(text) if sign == "-"):
                group = self.texts.get(text[:dash])
                if group is not None and safe(group) in self.groups and self.texts.get(text[dash + 1 :]) == group:
                    return [group]
        return []


class Reading:
    """Whose the uploads of one folder are: by the platform it was downloaded from, or by one rule for all, perhaps with a roster."""

    def __init__(
        self,
        paths: Sequence[str],
        roster: Roster | None = None,
        download: Download | None = None,
        before: Iterable[str] = (),
    ) -> None:
        """paths: below the folder; before: those of earlier uploads that no platform named."""
        self.roster = roster
        self.download = Download(paths) if download is None else download
        self.depth = 0
        self.by_prefix = False
        if roster is not None:
            names = [unicodedata.normalize("NFC", path) for path in paths]
            self.depth = self._depth(roster, [name.split("/") for name in names])
            self.by_prefix = any(plain(_prefix(name)) in roster.texts for name in [*names, *before])

    def _depth(self, roster: Roster, paths: Sequence[Sequence[str]]) -> int:
        """Return which part of the paths names students: the first, unless none is known there and each is known below.

        That counts where folders hold several students, for a folder of one is the student's, who named what lies in it; names of
        files count where one folder holds them all.
        """
        if not paths or any(roster.within(path[0]) for path in paths):
            return 0
        for deeper in range(1, min(map(len, paths))):
            found = [roster.within(path[deeper]) for path in paths]
            if all(found) and _name_students(paths, deeper, found):
                return deeper
            if any(found):
                break
        return 0

    def place(self, path: str) -> tuple[tuple[str, ...], str]:
        """Return (which upload a file belongs to, its name there): what lies together was handed in together."""
        path = unicodedata.normalize("NFC", path)
        group, own = self.download.split(path)
        if group:
            return group, own
        parts = path.split("/")
        if len(parts) - 1 > self.depth:
            return tuple(parts[: self.depth + 1]), "/".join(parts[self.depth + 1 :])
        prefix, under, rest = parts[-1].partition("_")
        return ((*parts[:-1], prefix + under), rest) if under else ((*parts,), parts[-1])

    def student(self, path: str) -> tuple[str | None, str]:
        """Return (the id of the student whose upload has this path, ""), or (None, why none is named or known)."""
        path = unicodedata.normalize("NFC", path)
        named = self.download.named(path)
        if self.roster is not None:
            return self._in_roster(self.roster, path, named)
        if named.doubt:
            return None, named.doubt
        found = named.student or _prefix(path)
        of = "that of the assignment" if self.download.begins_with_assignment(path) else ""
        of = of or ("a word that is nobody's" if NOBODY.fullmatch(found) else "")
        if of and not named.student and "/" not in path:
            return (
                None,
                f"its name begins with {of}, and not with an id: put it into a folder named so, or write a roster",
            )
        return (safe(found), "") if found.strip() else (None, "its name does not say whose it is")

    def _in_roster(self, roster: Roster, path: str, named: Named) -> tuple[str | None, str]:
        """Return what `student` does, by a roster."""
        if named.doubt and not (named.keys or named.words):
            return None, named.doubt
        found, where, none = self._by_platform(roster, named) if named.keys else self._by_path(roster, path, named)
        if len(found) > 1:
            doubt = f"{len(found)} students of the roster fit {where}: {', '.join(found[:5])}"
            return None, f"{doubt}: give them one group in the roster if they hand in together" if named.keys else doubt
        if not found:
            return None, none
        if not named.keys and (why := self._not_at_its_place(roster, path, found, named)):
            return None, why
        return safe(found[0]), ""

    def _by_platform(self, roster: Roster, named: Named) -> tuple[list[str], str, str]:
        """Return the ids of what a platform calls a student, where that is, and what to say if there is none."""
        sought = ", ".join(dict.fromkeys(text for key in named.keys for text in key))
        where = f"what {named.platform} calls the student"
        none = f"no id and no name of the roster is {where}: {sought}"
        if same := [one for key in named.keys for text in key for one in roster.shared.get(plain(text), ())]:
            none = f"{len(same)} students of the roster have the name that {named.platform} writes, {', '.join(same[:5])}: "
            none += f"write {named.keys[0][0]} as the name of the one whose it is"
        return roster.called(named), where, none + roster.but_for_zeros(sought.split(", "))

    def _by_path(self, roster: Roster, path: str, named: Named) -> tuple[list[str], str, str]:
        """Return the same, of the part of a path that names students in this folder."""
        parts = path.split("/")
        none = "no id and no name of the roster stands in its path"
        place = parts[min(self.depth, len(parts) - 1)]
        if elsewhere := [part for part in parts if roster.within(part)]:
            none += (
                f" where those of others do: {place} has none, and {elsewhere[0]} may be the student's own word; if it is not, "
                f"write {place} as a name or group of the roster, or name the folder that {elsewhere[0]} lies in as that of `intake`"
            )
        none += roster.but_for_zeros([place, _prefix(path)])
        if named.doubt:
            none += f"; {named.doubt}"
        return roster.within(parts[min(self.depth, len(parts) - 1)]), "its path", none

    def _not_at_its_place(self, roster: Roster, path: str, found: list[str], named: Named) -> str:
        """Return why an id in a path may be that of another, "" where it stands where those of all do."""
        prefix = _prefix(path)
        if self.by_prefix:
            begins = plain(prefix) in roster.texts
            where = "as the names of others are"
        else:
            begins = self.depth > 0 or "/" in path or roster.within(prefix) == found or not named.doubt
            where = "at its beginning"
        if begins:
            return ""
        return f"{found[0]} stands in its name, but not {where}: if it is the same, put it into a folder {found[0]}"


def _taken_for_utf8(text: str) -> list[str]:
    """Return how a text reads whose bytes were UTF-8 and were read in a code page: Jos├⌐ and JosÃ© are José."""
    found = []
    for code in ("cp437", "cp850", "cp1252", "latin-1"):
        try:
            found.append(text.encode(code).decode("utf-8"))
        except UnicodeError:
            continue
    return [one for one in found if one != text]


def _name_students(paths: Sequence[Sequence[str]], deeper: int, found: Sequence[Sequence[str]]) -> bool:
    """Return whether a part of the paths names students: folders that hold several, or files of one folder."""
    around = len({tuple(path[:deeper]) for path in paths})
    several = len({one for ids in found for one in ids}) > around
    if all(len(path) > deeper + 1 for path in paths):
        return several or around == 1
    return several and around == 1


def _entries(
    rows: Sequence[Mapping[str, object]], ids: Sequence[str], teams: Mapping[str, str]
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return {student: entries of the line that no other line has} and {student or group: all entries of the lines}."""
    entries = [{plain(cell.strip()) for cell in row.values() if isinstance(cell, str)} - {""} for row in rows]
    often = Counter(entry for line in entries for entry in line)
    known: dict[str, set[str]] = {}
    lines: dict[str, set[str]] = {}
    for one, line in zip(ids, entries):
        if one:
            known[safe(one)] = {entry for entry in line if often[entry] == 1}
            lines.setdefault(safe(teams.get(one, one)), set()).update(line)
    return known, lines


def _written(
    rows: Sequence[Mapping[str, Any]], ids: Sequence[str], teams: Mapping[str, str], known: Mapping[str, set[str]]
) -> dict[str, str]:
    """Return {what a platform may write, from a column of its own list, in one line alone: the id of the student or group}."""
    found: dict[str, str] = {}
    for row, one in zip(rows, ids):
        columns = [name for name in row if name != "id" and squeezed(name) in WRITTEN]
        cells = {plain((row[name] or "").strip()) for name in columns}
        found |= {cell: teams.get(one, one) for cell in cells & known.get(safe(one), set())}
    return found


def _repeated(ids: Sequence[str]) -> list[str]:
    """Return the ids that stand in several lines: as they are looked for, Ada1 and ada1 are one."""
    counted = Counter(map(plain, ids))
    return sorted({one for one in ids if one and counted[plain(one)] > 1})


def names_of(path: str | Path) -> dict[str, str]:
    """Return {id: name} of a roster."""
    rows = rows_of(path)
    return {safe(one): name for one, name in zip(column(rows, "id"), names_in(rows)) if one}


def _shared(ids: Sequence[str], names: Sequence[str]) -> dict[str, list[str]]:
    """Return {a name that several students have: their ids}."""
    found: dict[str, list[str]] = {}
    for one, name in zip(ids, names):
        if one and name:
            found.setdefault(plain(name), []).append(one)
    return {name: several for name, several in found.items() if len(several) > 1}


def _sole_names(ids: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Return {name: id} of the names that one student alone has."""
    shared = Counter(map(plain, names))
    return {name: one for name, one in zip(names, ids) if name and one and shared[plain(name)] == 1}


def _unclear_teams(ids: Sequence[str], teams: Mapping[str, str]) -> list[Any]:
    """Return the names of groups that differ in capitals alone, or are those of students."""
    single = [one for one in ids if one not in teams] if teams else []
    return sorted(alike([*teams.values(), *single]) or {*map(plain, teams)} & {*map(plain, teams.values())})


def student_of(name: str, roster: Roster | None = None) -> str | None:
    """Return the id of the student whose upload has this path, by itself, or None where none is named or known."""
    return Reading([name], roster).student(name)[0]


def _prefix(path: str) -> str:
    """Return whom a path names that no platform wrote: its first folder, or its name up to the first _ or else the first blank."""
    if "/" in path:
        return path.split("/")[0]
    student, under, _ = without_copy(path).lstrip(".").partition("_")
    return student if under else re.split(r"\s|--|\.", student)[0]  # as in "ada two-link", "ada--two-link"


def safe(student: str) -> str:
    """Return a student id that can be the name of a folder: others get a short hash."""
    student = unicodedata.normalize("NFC", student)
    plain = " ".join(re.sub(r"[^\w@. -]+", "-", student).split()).strip(".-_ ")[:60].strip()
    if plain and plain == student:
        return plain
    return f"{plain or 'student'}-{hashlib.sha256(student.encode('utf8', 'backslashreplace')).hexdigest()[:6]}"


def alike(ids: Iterable[str]) -> list[list[str]]:
    """Return the ids that differ only in capitals, in lists: one student or several?  Only a teacher knows."""
    found: dict[str, list[str]] = {}
    for one in sorted(set(ids)):
        found.setdefault(plain(one), []).append(one)
    return [same for same in found.values() if len(same) > 1]


def plain(text: str) -> str:
    """Return a text as it is looked for: in lower case, accents, blanks and apostrophes written in one way, no signs that nobody sees."""
    text = unicodedata.normalize("NFC", text).lower()
    if "  " in text:
        text = re.sub(" {2,}", " ", text)
    if text.isascii():
        return text
    shown = (sign for sign in text if unicodedata.category(sign) != "Cf")  # such as marks of the direction of writing
    return "".join(_ONE_WAY.get(sign, " " if unicodedata.category(sign) == "Zs" else sign) for sign in shown)


def _found(text: str, part: str) -> Iterable[re.Match[str]]:
    """Return where a text stands in a part of a path, no letter or digit beside it."""
    if text not in part:  # most of a class: no search is made ready for them
        return ()
    return re.finditer(rf"(?<![^\W_]){re.escape(text)}(?![^\W_])", part)
