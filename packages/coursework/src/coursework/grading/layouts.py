"""How learning platforms name what they let a teacher download: whose a path is, and when it was handed in.

A layout is recognized by the whole class: each entry of the folder fits it, or none is read by it.  A platform writes the first part of a
path alone; what stands below it is the student's own, and names nobody.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from coursework.grading.beside import NOTE
from coursework.grading.dates import YEARS
from coursework.grading.upload_records import UploadRecord


@dataclass(frozen=True)
class Layout:
    """Names of a platform: a pattern of the first part of a path, and of files of its own, which nobody has handed in.

    own: those beside the uploads; inside: those in the folder of an upload, where what the student handed in lies deeper.
    """

    platform: str
    pattern: re.Pattern[str]
    own: str = r"(?!)"
    inside: str = r"(?!)"

    def is_own(self, name: str) -> bool:
        """Return whether an entry beside the uploads is the platform's."""
        return re.fullmatch(self.own, name) is not None


@dataclass(frozen=True)
class Named:
    """What a path says of its student.

    student: id or name, None where `doubt` says why it is none; person: what tells people of one name apart, in the name
    of a file that no platform wrote the words behind the id; time: as it is written;
    keys: texts that a roster may have for the student, the surest first, each a tuple of readings; words: where it may stand among others;
    source: where the platform writes the time; late: whether it marks the upload as late, None where it has no such mark.
    """

    platform: str = ""
    student: str | None = None
    person: str = ""
    time: str = ""
    keys: tuple[tuple[str, ...], ...] = ()
    words: str = ""
    doubt: str = ""
    source: str = "name of it"
    late: bool | None = None


BLACKBOARD = Layout(  # Assignment name_username_attempt_2026-11-18-10-00-00_file
    "Blackboard", re.compile(r"(?P<head>.+?)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:[_.]|$)")
)
ANONYMOUS = Layout(  # graded without names
    "Canvas", re.compile(r"anon_(?P<late>LATE_)?(?P<student>[A-Za-z0-9]+)_(?:\d{4,}_|(?:text|link)\.html$)")
)
CANVAS = Layout(  # lovelaceada_LATE_88001_990001_file; what was typed ends in _text.html
    "Canvas", re.compile(r"(?P<name>.+?)_(?P<late>LATE_)?(?P<student>\d+)_(?:\d{4,}_|(?:text|link)\.html$)")
)
QUIZ = Layout(  # lovelace_ada88001_question_7_990001_file: where the name ends and the number begins it does not say
    "a quiz of Canvas", re.compile(r"(?P<person>(?:(?!_\d+_).)*?\D(?P<number>\d+))_question_\d+_\d{4,}_")
)
MOODLE = Layout(  # Ada Lovelace_12_assignsubmission_file_/file
    "Moodle",
    re.compile(r"(?P<student>[^_]+)_(?P<person>\d+)_assign(?:submission|feedback)_[a-z]+(?:_|$)"),
    own=r"Grades-.*\.(?:csv|xlsx|ods)|[^_]+_\d+_assignfeedback_.*",
)
UNNAMED = {"Participant", "Teilnehmerin", "Teilnehmer in", "Teilnehmer-in", "Teilnehmer", "Participante", "Partecipante", "Deelnemer",
           "Deltager", "Deltagare", "Uczestnik"}  # what Moodle calls all, where work is graded without names  # fmt: skip
GRADESCOPE = Layout("Gradescope", re.compile(r"(?P<student>submission_\d+)$"))
BRIGHTSPACE = Layout(  # 12345-67890 - Ada Lovelace - Nov 30, 2026 1159 PM/file
    "Brightspace",
    re.compile(
        r"(?P<person>\d+)-\d+ ?- ?(?P<student>.+?) ?- ?(?P<time>(?:[^-]|(?<=\d)-(?=\w)|(?<=\w)-(?=\d))*?\b\d{4}\b[^-]*?)(?: - |$)"
    ),
    own=r"index\.html",
)
SAKAI = Layout(  # Lovelace, Ada(alovelace)/Submission attachment(s)/file
    "Sakai",
    re.compile(r"(?P<last>[^,/]+), ?(?P<first>[^/]*)\((?P<student>[^()]+)\)$"),
    own=r"grades\.(?:csv|xlsx?)",
    inside=r"timestamp\.txt|comments\.txt|feedbackText\.(?:html|txt)|Feedback Attachment\(s\)",
)
ILIAS = Layout(  # Lovelace_Ada_alovelace_1234/file
    "ILIAS", re.compile(r"(?P<last>[^_]+)_(?P<first>[^_]+)_(?P<student>.+)_(?P<person>\d+)$")
)
# where: read the download of another learning platform
# how its paths read; the columns of its gradebook: `coursework/grading/platforms.py`
LAYOUTS = (  # those first whose beginning tells more: behind it the name of a student's file may look like any of the others
    BRIGHTSPACE,
    MOODLE,
    GRADESCOPE,
    SAKAI,
    BLACKBOARD,
    ANONYMOUS,
    QUIZ,
    CANVAS,
    ILIAS,
)
ATTEMPT = re.compile(  # a folder that a student, or a program that collects work, may have made
    r"(?:(?:attempt|version|versuch|try|v|rev|submission|abgabe|upload)[ _.-]*)?\d+|old|alt|new|final|backup|data|src|copy|work|[._].*|\d{4}[-_T\d:.+ Z]+",
    re.I,
)
NUMBER = re.compile(r"(?!20\d\d[01]\d[0-3]\d)\d{5,9}")  # of a student, behind a name; neither an attempt nor a date
NOBODY = re.compile(  # how programs and teachers name files: all who did not rename theirs would be one student
    r"(?:untitled|unbenannt|notebook|submission|assignment|homework|hw|exercise|solution|abgabe|aufgabe|übung|lösung|devoir|tarea|entrega)"
    r"[-\s]*\d{0,3}|\d{4}-\d\d-\d\d",
    re.I,
)
GRADESCOPES_FOLDER = re.compile(r"assignment_\d+_export")
COPY = re.compile(
    r"^(?:Copy of|Kopie von|Copie de|Copia de) |(?: ?\(\d+\)|-Copy\d*| - Copy)$", re.I
)  # of a browser, Drive, Jupyter


class Download:
    """What the paths below one folder say together, with those of the same assignment that came before."""

    def __init__(
        self,
        paths: Iterable[str],
        assignment: str = "",
        before: Iterable[tuple[str, str]] = (),
        students: Iterable[str] = (),
        layouts: Sequence[Layout] = LAYOUTS,
    ) -> None:
        """paths: below the folder; before: (platform, path) of earlier uploads; students: whom a folder may be named after."""
        parts = [unicodedata.normalize("NFC", path).split("/") for path in paths]
        self.layouts = layouts
        self.assignment = _letters(assignment)
        self.before = [*before]
        self.wrapped: dict[str, str] = {}  # {folder: why what lies in it is nobody's}
        self.depth = 0
        self.around: set[str] = set()  # folders that may be ones around a class
        self.entries = sorted({one[0] for one in parts})
        self.layout = self._layout(self.entries)
        if self.layout is None:
            self._look_for_wraps(parts, {one.casefold() for one in students})
        found = [match["head"] for one in self.entries if (match := BLACKBOARD.pattern.match(one))]
        old = [match["head"] for platform, path in self.before if platform == "Blackboard" for match in _heads(path)]
        self.prefixes = _prefixes([*found, *old], assignment)
        self.records: dict[str, UploadRecord] = {}  # {entry: what the platform notes of it in a file of its own}

    def begins_with_assignment(self, name: str) -> bool:
        """Return whether the name of a file is that of the assignment up to a _, -, blank, dot or its end, however it is written."""
        parts = re.split(r"[-_\s.]", without_copy(name))
        return bool(self.assignment) and any(
            _letters("".join(parts[:end])) == self.assignment for end in range(1, len(parts) + 1)
        )

    def own(self, path: str) -> bool:
        """Return whether a path is the platform's own file, which nobody handed in."""
        parts = path.split("/")[self.depth :]
        if self.layout is None or self.layout.is_own(parts[0]) or len(parts) < 2:
            return self.layout is not None and self.layout.is_own(parts[0])
        return re.fullmatch(self.layout.inside, parts[1]) is not None

    def split(self, path: str) -> tuple[tuple[str, ...], str]:
        """Return (what a platform wrote of one upload, the same for its files, and the student's own name of this file)."""
        first, *below = unicodedata.normalize("NFC", path).split("/")[self.depth :]
        match = self.layout.pattern.match(first) if self.layout is not None else None
        if self.layout is None or match is None:
            return (), ""
        parts = [match[name] or "" for name in self.layout.pattern.groupindex]
        own = first[match.end() :] or first.rpartition("_")[2] * (not below)  # what was typed into Canvas: text.html
        if self.layout is BLACKBOARD and own == "txt":  # what it writes of an attempt itself
            own = NOTE
        if self.layout in (CANVAS, ANONYMOUS):  # it numbers the files of a later upload: helpers-1.py
            own = re.sub(r"-\d+(?=\.\w+$)", "", own)
        return (self.layout.platform, *parts), "/".join([own] * bool(own) + below)

    def named(self, path: str) -> Named:
        """Return what a path says of its student."""
        first, *below = unicodedata.normalize("NFC", path).split("/")
        if self.layout is not None:
            entry = [first, *below][self.depth]
            return self._with_record(entry, self._read(self.layout, entry))
        if first in self.wrapped:
            return (
                Named(words=first, doubt=self.wrapped[first])
                if first in self.around
                else Named(doubt=self.wrapped[first])
            )
        fits = [
            one for one in self.layouts if one.pattern.match(first) and one is not ILIAS
        ]  # four words with _ are no sign
        if fits:
            return Named(words=first, doubt=self._why_not(fits[0]))
        return Named(person="" if below else self._other_words(first))

    def _other_words(self, name: str) -> str:
        """Return the words of a file's name behind the id that are neither of the assignment nor of an attempt: a family's name?"""
        name = re.sub(r"(?:\.(?:zip|py|md|txt|json|html?|pdf))+$", "", name, flags=re.I)
        rest = re.split(r"[_\s.]|--", without_copy(name).lstrip("."), maxsplit=1)[1:]
        if self.assignment:
            rest = [re.sub(r"[\W_]*".join(self.assignment), " ", one, flags=re.I) for one in rest]
        words = re.split(r"[\W_]+", "".join(rest).casefold())
        numbers = re.compile(r"(?!)") if re.search(r"[\d@]", name.split("_")[0]) else NUMBER
        return " ".join(
            word for word in words if len(word) > 1 and (numbers.fullmatch(word) or not ATTEMPT.fullmatch(word))
        )

    def _with_record(self, entry: str, named: Named) -> Named:
        """Return what a path says of its student, with what the platform notes of the upload."""
        record = self.records.get(entry)
        if record is None:
            return named
        return replace(
            named,
            time=record.time,
            source=record.source,
            person=named.person or ", ".join(record.people),
            keys=(*named.keys, record.people) if record.people else named.keys,
        )

    def _layout(self, entries: Sequence[str]) -> Layout | None:
        """Return the layout of all entries, None where there is none, or where what came before has another."""
        for layout in self.layouts:
            found = [layout.pattern.match(one) for one in entries if not layout.is_own(one)]
            matches = [one for one in found if one is not None]
            if matches and len(matches) == len(found) and self._is_a_class(layout, matches):
                return layout
        return None

    def _is_a_class(self, layout: Layout, matches: Sequence[re.Match[str]]) -> bool:
        """Return whether matches are of one class: a number is one person's; a lone student's own name is no platform's."""
        if layout is CANVAS:
            people = {(one["student"], one["name"]) for one in matches}
            if len(people) > len({number for number, _ in people}):  # ada_2026_1130_x, bob_2026_1130_x
                return False
            if len(people) == 1 and int(matches[0]["student"][:9]) in YEARS:
                return False
        if layout is ILIAS and (
            len(matches) == 1
            or any(len({one[name] for one in matches}) < len(matches) for name in ("student", "person"))
        ):
            return False  # it has one folder a user: Lovelace_Ada_hw_1, Oz_Bob_hw_2 are none of its
        platforms = {platform for platform, _ in self.before}
        return len(_students(layout, matches)) > 1 or not platforms or layout.platform in platforms

    def _look_for_wraps(self, parts: Sequence[Sequence[str]], students: set[str]) -> None:
        """Step into the one folder that wraps a download; of several, or where it may be a student's, tell that one looks so."""
        for first in self.entries:
            inside = sorted({one[1] for one in parts if one[0] == first and len(one) > 1})
            layout = self._layout(inside)
            if layout is not None:
                self._look_into(first, inside, layout, students)
        if self.layout is None and not self.wrapped:
            for first in self.entries:
                if first.casefold() not in students:
                    self._look_around([one for one in parts if one[0] == first], first)

    def _look_into(self, first: str, inside: list[str], layout: Layout, students: set[str]) -> None:
        """Step into a folder whose content has a layout, or tell what it looks like."""
        matches = [match for one in inside if (match := layout.pattern.match(one))]
        several = len(_students(layout, matches)) > 1
        if several and len(self.entries) == 1 and first.casefold() not in students:
            self.layout = layout
            self.depth = 1
            self.entries = inside
        elif several or GRADESCOPES_FOLDER.fullmatch(first) or self._is_alone(first, layout, students):
            self.wrapped[first] = (
                f"the folder {first} looks like a download of {layout.platform}, and the one of a student beside others may, too: "
                f"name {first} itself as the folder of `intake`, or rename what lies in it"
            )

    def _is_alone(self, first: str, layout: Layout, students: set[str]) -> bool:
        """Return whether all that lies here is one upload in a folder that is named as the assignment is."""
        unlike = layout in (BRIGHTSPACE, MOODLE, SAKAI, BLACKBOARD) and self.assignment
        return (
            bool(unlike)
            and self.assignment in _letters(first)
            and len(self.entries) == 1
            and first.casefold() not in students
        )

    def _look_around(self, parts: Sequence[Sequence[str]], first: str) -> None:
        """Ask about a folder where it holds several with notebooks: a class, as of Teams, a section, or one student's attempts?"""
        at = 1
        while len({tuple(one[:at]) for one in parts}) == 1 and min(map(len, parts)) > at:
            at += 1
        several = sorted(
            {one[at - 1] for one in parts if len(one) > at and one[-1].lower().endswith((".ipynb", ".zip"))}
        )
        if len(several) > 1 and not any(ATTEMPT.fullmatch(one) for one in several):
            self.around.add(first)
            around = "/".join(parts[0][: at - 1])
            self.wrapped[first] = (
                f"{'all lies' if len(self.entries) == 1 else 'notebooks lie'} in the folder {around}, in {several[0]}, {several[1]}{' and others' * (len(several) > 2)}: if these are students, "
                f"name {around} as the folder of `intake`; if all is one student's, write a roster with the id {first}"
            )

    def _why_not(self, layout: Layout) -> str:
        """Return why an entry that a layout fits is not read by it."""
        others = [one for one in self.entries if not layout.pattern.match(one) and not layout.is_own(one)]
        reason = f"{others[0]} beside it is none" if others else "what came before, or its numbers, do not fit that"
        return (
            f"its name looks like one of {layout.platform}, and {reason}: keep a download of a platform in a folder of its own, "
            "and other work in folders named by the student, and take in both"
        )

    def _read(self, layout: Layout, part: str) -> Named:
        """Return what the first part of a path says in a layout."""
        match = layout.pattern.match(part)
        if match is None:  # the platform's own file
            return Named(layout.platform, doubt=f"{part} is a file of {layout.platform}")
        found = match.groupdict()
        if layout is BLACKBOARD:
            return self._read_blackboard(found["head"], found["time"])
        if layout is QUIZ:
            why = f"{layout.platform} does not say where the name {found['person']} ends and the number of the user begins"
            keys = ((found["person"],), (found["number"],))
            return Named(layout.platform, None, found["person"], keys=keys, doubt=f"{why}: write a roster with a name {found['person']}")  # fmt: skip
        student = found["student"].strip()
        person = found.get("person") or ""
        if layout in (SAKAI, ILIAS):
            texts = (student, f"{found['first']} {found['last']}".strip(), *filter(None, [person]))
            return Named(layout.platform, student, person or student, keys=tuple((one,) for one in texts))
        late = found["late"] is not None if "late" in found else None
        named = Named(layout.platform, student, person, found.get("time") or "", ((student,),), late=late)
        if layout is CANVAS:
            return replace(named, person=student, keys=((student,), (found["name"],)))
        if person:
            both_names = f"{student}_{person}"
            unnamed = student.rpartition("-")[2] in UNNAMED
            return replace(named, student=both_names if unnamed else student, keys=((both_names,), (student,)))
        return named

    def _read_blackboard(self, head: str, time: str) -> Named:
        """Return the user that ends a head: after the name of the assignment, as far as the class tells where that ends."""
        users = tuple(head[len(prefix) :] for prefix in self.prefixes)
        ends = tuple(
            head[place + 1 :] for place, sign in enumerate(head) if sign == "_"
        )  # of groups, whose names have blanks
        named = Named("Blackboard", None, head, time, keys=(users or (head, *ends),))
        if len(users) == 1:
            return replace(named, student=users[0])
        candidates = " or ".join(users[:4]) or head
        return replace(
            named,
            doubt=f"Blackboard's user may be {candidates}, by where the name of the assignment ends: write a roster with the id",
        )


def _students(layout: Layout, matches: Sequence[re.Match[str]]) -> set[tuple[str | None, ...]]:
    """Return what tells the students of a class apart."""
    names = [name for name in ("head", "student", "person") if name in layout.pattern.groupindex]
    return {tuple(one[name] for name in names) for one in matches}


def _heads(path: str) -> list[re.Match[str]]:
    """Return where a path, or what one folder wraps, is Blackboard's."""
    return [match for part in path.split("/")[:2] if (match := BLACKBOARD.pattern.match(part))][:1]


def _prefixes(heads: Sequence[str], assignment: str) -> list[str]:
    """Return how the name of an assignment may begin all heads, Assignment name_username: as it is known, or each that is common."""
    if not heads:
        return []
    ends = [place + 1 for place, sign in enumerate(heads[0]) if sign == "_" and place]
    common = [heads[0][:end] for end in ends if all(one.startswith(heads[0][:end]) for one in heads)]
    fits = [prefix for prefix in common if all(_is_user(one[len(prefix) :]) for one in heads)]
    known = [prefix for prefix in fits if assignment and _letters(prefix) == _letters(assignment)]
    return known[-1:] or fits


def without_copy(name: str) -> str:
    """Return the name of a file without its ending, and without what programs add to that of a copy."""
    return COPY.sub("", COPY.sub("", re.sub(r"\.ipynb$", "", name, flags=re.I)))


def _is_user(text: str) -> bool:
    """Return whether a text may be the name of a user."""
    return bool(text) and not text.startswith("_") and not re.search(r"\s", text)


def _letters(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    return re.sub(r"[\W_]", "", text).casefold()
