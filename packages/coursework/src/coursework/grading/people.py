"""Who is behind each student of an assignment, as far as paths and notebooks tell."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from coursework.grading.identity import Roster, plain
from coursework.grading.layouts import Named

ASK = "Write a roster, and take them in with it"


class People:
    """Who uploads were from so far: asks before two people become one student."""

    def __init__(self, roster: Roster | None = None) -> None:
        self.roster = roster
        self.persons: dict[str, set[str]] = {}
        self.words: dict[str, set[str]] = {}  # the same, of what no platform named
        self.begun: dict[str, set[str]] = {}

    def note(self, student: str, platform: str, person: str, begun: Iterable[str]) -> None:
        """Note what an upload tells of its student."""
        if platform:
            self.persons.setdefault(student, set()).update({person} - {""})
        else:
            self.words.setdefault(student, set()).add(person)
        self.begun.setdefault(student, set()).update(begun)

    def doubt(self, student: str, named: Named, begun: list[str], loose: bool) -> str:
        """Return why an upload may be another person's than those before of this student, or "".

        loose: whether a file stands alone, in no folder that somebody has named by its student.
        """
        if loose and not named.platform and self.roster is None and plain(student) not in begun:
            words = self.words.get(student, set())
            if words and named.person not in words:
                says = f"behind {student} its name says {named.person or 'nothing'}"
                return (
                    f"{says}, and that of another file {min(words) or 'nothing'}: one student or two? "
                    f"If one, put them into a folder {student}, or else write a roster, and take them in with it"
                )
        return (
            self._doubt_of_name(student, named)
            or self._doubt_of_person(student, named)
            or self._doubt_of_begun(student, begun)
        )

    def _doubt_of_name(self, student: str, named: Named) -> str:
        """Return what to say where a platform calls one person by two names."""
        told = named.platform and named.person and self.roster is None
        others = [one for one, known in self.persons.items() if told and named.person in known and one != student]
        if not others:
            return ""
        return (
            f"{named.platform} calls {student} whom it called {others[0]} before, by what it writes of both ({named.person}): "
            "write a roster in which the line of one has the other under `other name`, and take them in with it"
        )

    def _doubt_of_person(self, student: str, named: Named) -> str:
        """Return what to say where a platform has two people of one name."""
        persons = self.persons.get(student, set())
        group = self.roster is not None and student in self.roster.groups
        if named.platform and named.person and persons and named.person not in persons and not group:
            ids = " or ".join(key[0] for key in named.keys if len(key) == 1)
            known = f", perhaps with {ids} as its name" if ids else ""
            return (
                f"{named.platform} has two people called {named.student or student}: write a roster with an id for each{known}, "
                "and take them in with it"
            )
        return ""

    def _doubt_of_begun(self, student: str, begun: list[str]) -> str:
        """Return what to say where notebooks of one student were begun for two ids."""
        own = self._own(student)
        others = self.begun.get(student, set())
        if others and begun and not others & {*begun} and not own & {*begun}:
            doubt = f"it was begun for {', '.join(begun)}, an earlier notebook of {student} for {', '.join(sorted(others))}: "
            if self.roster is None:
                return f"{doubt}one student or two? {ASK}"
            return f"{doubt}if it is {student}'s, write {begun[0]} into a further column of that line of the roster, and take it in again"
        return ""

    def _own(self, student: str) -> set[str]:
        """Return what the roster's line of a student holds, with the id."""
        return set() if self.roster is None else {plain(student), *self.roster.lines.get(student, ())}


def waits(line: dict[str, Any] | None) -> bool:
    """Return whether there is an upload, and nobody knows yet whose it is."""
    return line is not None and line["student"].startswith("unknown-")


def begun_for_others(lines: Sequence[dict[str, Any]]) -> list[str]:
    """Return what to say where a class was given other ids than its platform writes: numbers are drawn from an id."""
    begun = [line for line in lines if line.get("begun") and not waits(line)]
    others = [line for line in begun if plain(line["student"]) not in line["begun"]]
    if len(others) <= max(1, len(begun) // 2):
        return []
    one = others[0]
    return [
        f"{len(others)} of {len(begun)} notebooks were begun for another id than they are graded with, as that of {one['student']} "
        f"for {', '.join(one['begun'])}: numbers are drawn from the id, so write a roster whose ids are those that the class was "
        "given, and take them in with it"
    ]


def came_together(groups: Iterable[Sequence[dict[str, Any]]], counting: Collection[str]) -> list[str]:
    """Return what to say where several notebooks were handed in as one upload: one counts, and the student may have meant another.

    counting: the uploads that count.
    """
    found = []
    for lines in groups:
        read = [line for line in lines if line["readable"] and (line["platform"] or "/" in line["name"])]
        counts = [line["name"] for line in read if line["upload"] in counting]
        others = [line["name"] for line in read if line["upload"] not in counting]
        if counts and others:
            found.append(f"{len(read)} notebooks came together, and {counts[0]} counts, not {', '.join(others[:5])}: "
                         "if another is meant, copy it there under another name, and take in again")  # fmt: skip
    return found


def taken_for_one(new: Sequence[dict[str, Any]], before: Sequence[dict[str, Any]]) -> list[str]:
    """Return what to say where the names of several files begin with one id, and no notebook tells whether they are of one student."""
    names: dict[str, dict[str, None]] = {}
    later: set[str] = set()
    for number, line in enumerate((*before, *new)):
        tells = line.get("platform") or "/" in line["name"] or plain(line["student"]) in line.get("begun", ())
        if line["readable"] and not tells:
            names.setdefault(line["student"], {})[line["name"]] = None
            later |= {line["student"]} if number >= len(before) else set()
    found = [student for student in names if student in later and len(names[student]) > 1]
    more = f", and so do those of {len(found) - 1} more" if len(found) > 1 else ""
    return [
        f"{', '.join([*names[student]][-5:])} count as uploads of one student, {student}{more}, and the newest is graded: "
        "if they are of several, write a roster with their ids, and take them in with it"
        for student in found[:1]
    ]


def came_two_ways(new: Sequence[dict[str, Any]], before: Sequence[dict[str, Any]]) -> list[str]:
    """Return what to say where one id stands in the names of two platforms, or of one and of a file: it need not be one student's."""
    found: dict[str, tuple[str, str]] = {}
    ways: dict[str, dict[str, str]] = {}  # {student: {platform: the first name of an upload}}
    for number, line in enumerate((*before, *new)):
        if not waits(line):
            names = ways.setdefault(line["student"], {})
            names.setdefault(line.get("platform", ""), line["name"])
            if len(names) > 1 and number >= len(before):
                found.setdefault(line["student"], (next(iter(names.values())), line["name"]))
    more = f", and so do {len(found) - 1} more" if len(found) > 1 else ""
    return [
        f"{first} and {name} count as uploads of one student, {student}, though they came by two ways{more}: if they are of two, write "
        "a roster with their ids, and take them in with it"
        for student, (first, name) in [*found.items()][:1]
    ]
