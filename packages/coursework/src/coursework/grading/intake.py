"""From a folder of uploads to the ledger: raw bytes kept by hash, one line an upload, nothing lost, nothing twice."""

import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from coursework.check.record import TRIES
from coursework.grading import beside, judge
from coursework.grading.course import Course, write
from coursework.grading.dates import course_zone
from coursework.grading.identity import Reading, Roster, plain
from coursework.grading.layouts import Download, Named
from coursework.grading.people import ASK, People, begun_for_others, came_together, came_two_ways, taken_for_one, waits
from coursework.grading.reading import ZIPS, NoNotebook, raw_bytes
from coursework.grading.upload_records import records_of
from coursework.grading.upload_times import STAMP, upload_time

NO_UPLOADS = {".DS_Store", "Thumbs.db", "desktop.ini", "timestamp.txt", "submission_secret.txt",
              "submission_metadata.yml"}  # files that platforms and systems add  # fmt: skip
NO_FOLDERS = {".ipynb_checkpoints", "__MACOSX", "feedback"}
Line = dict[str, Any]  # of the ledger
NOTHING_SAID = re.compile(
    rb"There (?:is|are) no student "
)  # submission text, comments: what Blackboard writes of an attempt
APPLES = b"\x00\x05\x16\x07"  # how what macOS puts beside a file, ._name, begins


def intake(
    course: Course,
    assignment: str,
    folder: str | Path,
    roster: str | Path | None = None,
    say: Callable[[str], object] = lambda words: None,
) -> list[Line]:
    """Enter each new file below the folder; return the new lines.  Run it again: only what is new is entered.

    Whose it is: whom a platform names in the first part of the path, where all of the folder is its download (`layouts`), or the first
    folder of its path, or its name up to the first _ (if there is none, to the first blank); with a roster (CSV with a column `id`,
    perhaps `name`) the student of it that these name.  A roster is remembered, and corrects the student of what was entered before;
    whom it does not know waits.  Two people of one name, and notebooks of one student that were begun under different ids, wait, too.
    When: what the platform wrote into the path, or the file's time, or the timestamp.txt beside it in <student>/<assignment>/
    of nbgrader's own folder, course/nbgrader/submitted, where no student writes; `time_from` in the ledger says which.
    Of nbgrader's folders <student>/<assignment> those of other assignments are left alone.
    say: what is called with each sentence that a teacher should read, on files left out and times not believed.
    """
    with course.locked():
        return _Intake(course, assignment, Path(folder), roster, say).lines()


class _Intake:
    """One intake: what the course knows, what the folder holds."""

    def __init__(
        self,
        course: Course,
        assignment: str,
        folder: Path,
        roster: str | Path | None,
        say: Callable[[str], object],
    ) -> None:
        self.course, self.assignment, self.folder, self.say = course, assignment, folder, say
        self.key, self.judging = course.key(assignment).to_json(), judge.here()
        if not folder.is_dir():
            what = "is a file: unpack it into a folder, and name that" if folder.exists() else "does not exist"
            raise NotADirectoryError(f"intake must have a folder of uploads, and {folder} {what}")
        self.known = self._roster(roster)
        course.hide(folder)
        collected = course.nbgrader / "submitted"  # elsewhere a student may have packed a timestamp.txt
        self.collected = folder.resolve() == collected.resolve()
        self.zone = course_zone(course.folder)
        self.old = course.ledger()
        self.called = {plain(line["student"]): line["student"] for line in self.old}
        self.people = People(self.known)
        self.odd: dict[str, list[str]] = {}  # {where a time comes from: names of uploads}

    def _roster(self, path: str | Path | None) -> Roster | None:
        """Return the roster of a file, or the one that an earlier intake was given; None where there never was one."""
        kept = self.course.folder / "roster.csv"
        if path is None and kept.exists():
            self.say(f"the roster is the one of an earlier intake, {kept}: give a newer one by --roster")
            return Roster.read(kept)
        if path is None:
            return None
        found = Roster.read(path)
        if Path(path).resolve() != kept.resolve():
            write(kept, Path(path).read_bytes())
        return found

    def lines(self) -> list[Line]:
        """Enter what is new or corrected; return the new lines."""
        before = {(line["name"], line["sha"]): line for line in self.old if line["assignment"] == self.assignment}
        files = self._files()
        self.reading = self._reading(files)
        files = self._uploads(files)
        here = {name for _, name in files}
        for line in before.values():
            stays = (
                self.known is None
                or line["name"] not in here
                or self.reading.student(line["name"])[0] == line["student"]
            )
            if stays and not waits(line):
                self.people.note(line["student"], line.get("platform", ""), line.get("person", ""), self._begun(line))
        number, new = max((int(line["upload"].partition("-")[0]) for line in self.old), default=0), []
        for path, name in files:
            found = self._line(path, name, before)
            if found is None:
                continue
            number += "upload" not in found
            line = {"upload": f"{number:06d}-{found['sha'][:8] or 'no-bytes'}"} | found
            self.course.enter(line)
            new.append(line)
        self._tell_empty()
        self._tell_files(new)
        self._tell_times_and_people(new)
        return new

    def _tell_times_and_people(self, new: list[Line]) -> None:
        """Say which times are odd, and where one notebook counts of several, or one student may be another."""
        for source, names in self.odd.items():
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            self.say(f"{names[0]}{more}: the time is that of {source}")
        together: dict[tuple[str, ...], list[Line]] = {}
        for line in new:
            together.setdefault((line["student"], *self.reading.place(line["name"])[0]), []).append(line)
        counting = {line["upload"] for line in self.course.chosen(self.assignment).values()}
        for sentence in [
            *came_together(together.values(), counting),
            *begun_for_others(new),
            *(
                ()
                if self.known
                else taken_for_one(new, [line for line in self.old if line["assignment"] == self.assignment])
            ),
            *(() if self.known else came_two_ways(new, self.old)),
        ]:
            self.say(sentence)

    def _uploads(self, files: list[tuple[Path, str]]) -> list[tuple[Path, str]]:
        """Return the files that are uploads; keep which others lie beside them: in a group with a notebook all else belongs to it."""
        groups: dict[tuple[str, ...], list[tuple[Path, str, int]]] = {}
        for path, name in files:
            if not self.reading.download.own(name):
                group, own = self.reading.place(name)
                groups.setdefault(group, []).append((path, name, _kind(path, own)))
        self.loose: dict[str, list[tuple[Path, str]]] = {}  # {name of an upload: files beside it}
        self.pairs: dict[str, list[str]] = {}  # {name of an upload: notebooks as text beside it}
        found = []
        for members in groups.values():
            best = max(kind for _, _, kind in members)
            uploads = [(path, name) for path, name, kind in members if kind == best]
            others = [(path, name) for path, name, kind in members if kind != best]
            self.loose |= {name: others for _, name in uploads}
            self.pairs |= {name: [other for _, other, kind in members if kind == 1 != best] for _, name in uploads}
            found += uploads
        return sorted(found, key=lambda one: _in_order(one[1]))

    def _beside(self, name: str, raw: bytes, old: Line | None) -> list[beside.File]:
        """Return the files beside the notebook of an upload, as the ledger holds them: loose ones, and those in its zip."""
        found = {one["name"]: (one["bytes"], one["sha"]) for one in (old or {}).get("files", ())}
        inner = self.judging.beside(self.key, raw) if old is None and raw[:4] in ZIPS else {}
        for file, (size, sha, content) in inner.items():
            found[file] = size, sha
            if content is not None:
                self.course.keep(content)
        notebook = self.reading.place(name)[1]
        for path, other in self.loose.get(name, ()):
            try:
                content = raw_bytes(path)
            except NoNotebook:
                continue
            own = self.reading.place(other)[1]
            if not (own == beside.NOTE and len(NOTHING_SAID.findall(content)) > 1):
                found[beside.relative(own, notebook)] = len(content), self.course.keep(content)
        return beside.described(found)

    def _tell_empty(self) -> None:
        """Say which folders of students hold no file: whoever handed nothing in is in no list."""
        depth = self.reading.download.depth
        places = [self.folder] if depth == 0 else [path for path in self.folder.iterdir() if path.is_dir()]
        inside = [path for place in places for path in place.iterdir() if path.is_dir() and path.name not in NO_FOLDERS]
        empty = sorted(path.name for path in inside if not any(one.is_file() for one in path.rglob("*")))
        if empty:
            more = f" and {len(empty) - 5} more" if len(empty) > 5 else ""
            self.say(f"nothing lies in the folders of {', '.join(empty[:5])}{more}")

    def _tell_files(self, lines: list[Line]) -> None:
        """Say which files beside notebooks are there when these are graded, and which are not, and why."""
        there: Counter[str] = Counter()
        for line in lines:
            others: dict[str, list[str]] = {}
            for pair in self.pairs.get(line["name"], ()):
                self.say(
                    f"{line['name']} counts, not {pair} beside it, a notebook as text: if that is newer, move the other away"
                )
            for one in line.get("files", ()) if line["readable"] else ():
                there[one["name"]] += not one["why"]
                if one["why"]:
                    others.setdefault(one["why"], []).append(f"{one['name'][: beside.MOST_NAME]}, {one['bytes']} bytes")
            for why, names in others.items():
                more = f", and {len(names) - beside.MOST_NAMED} more" if len(names) > beside.MOST_NAMED else ""
                self.say(f"{line['name']}: beside it lies {', '.join(names[: beside.MOST_NAMED])}{more}: {why}")
        listed = ", ".join(f"{name} ({count})" for name, count in (+there).most_common(20))
        if listed:
            self.say(f"handed in beside notebooks, and there when they are graded: {listed}")

    def _files(self) -> list[tuple[Path, str]]:
        """Return [(file, its path below the folder as text)], in order, without those of other assignments."""
        others = {path.stem for path in (self.course.folder / "keys").glob("*.json")} - {self.assignment}
        other: Counter[str] = Counter()
        left_out: Counter[str] = Counter()
        found = []
        for path in sorted(_files(self.folder, left_out)):
            parts = path.relative_to(self.folder).parts
            if len(parts) > 2 and parts[1] in others:
                other[parts[1]] += 1
            else:
                found.append((path, "/".join(parts).encode("utf8", "backslashreplace").decode()))
        for name, count in sorted((+left_out).items()):
            self.say(f"left out: {count} file{'s' * (count != 1)} in folders called {name}")
        for name, count in sorted(other.items()) if not self.collected else ():
            self.say(f"left alone: {count} file{'s' * (count != 1)} in folders called {name}, another assignment")
        return found

    def _reading(self, files: list[tuple[Path, str]]) -> Reading:
        """Return whose the files of the folder are, read together and with what came before."""
        names = [name for _, name in files]
        old = [
            line
            for line in self.old
            if line["assignment"] == self.assignment and "platform" in line and not waits(line)
        ]
        if self.collected:
            return Reading(names, self.known, Download(names, layouts=()))
        students = {*self.called.values(), *(self.known.texts if self.known else ())}
        download = Download(names, self.assignment, [(line["platform"], line["name"]) for line in old], students)
        if download.layout is not None:
            up = [(path, name.count("/") - download.depth) for path, name in files]
            entries = {path if steps < 1 else path.parents[steps - 1] for path, steps in up}
            download.records = records_of(download.layout.platform, entries, download.layout.pattern)
        return Reading(names, self.known, download, [line["name"] for line in old if not line["platform"]])

    def _line(self, path: Path, name: str, before: dict[tuple[str, str], Line]) -> Line | None:
        """Return the line of an upload for the ledger, None where what stands there holds."""
        sha, raw, why = self._kept(path)
        old = before.get((name, sha))
        files = {"files": found} if why is None and (found := self._beside(name, raw, old)) else {}
        same = old is not None and files.get("files", []) == old.get("files", [])
        named = self.reading.download.named(name)
        told = _tells_time(named, old)
        if same and not told and self.known is None and not waits(old):
            return None
        read = self.reading.student(name)
        if old is not None and read[0] == old["student"] and not told:
            return None if same else old | files
        line = self._read_line(path, name, named, read, (sha, raw, why)) | files
        if old is None:
            return line
        return None if same and _agree(line, old, told and named.platform) else _corrected(line, old, named)

    def _read_line(
        self, path: Path, name: str, named: Named, read: tuple[str | None, str], kept: tuple[str, bytes, str | None]
    ) -> Line:
        """Return what the ledger says of an upload, but for its number and the files beside it.

        read: (student, doubt) by its path; kept: its hash, its bytes, and why it cannot be read.
        """
        sha, raw, why = kept
        student, why, begun = self._whose(name, raw, named, read, why)
        when, source = self._time(path, name, named)
        line = {"assignment": self.assignment, "student": student, "name": name, "sha": sha, "bytes": len(raw), "time": when,
                "time_from": source, "readable": why is None, "why": why or "", "platform": named.platform, "person": named.person, "begun": begun}  # fmt: skip
        return line if named.late is None else line | {"late": named.late}

    def _kept(self, path: Path) -> tuple[str, bytes, str | None]:
        """Keep what a file holds; return its hash, its bytes, and why it cannot be read, None if it can."""
        sha, raw = "", b""
        try:
            raw = raw_bytes(path)
            sha = self.course.keep(raw)
        except NoNotebook as error:
            return sha, raw, str(error)
        return sha, raw, None

    def _whose(
        self, name: str, raw: bytes, named: Named, read: tuple[str | None, str], why: str | None
    ) -> tuple[str, str | None, list[str]]:
        """Return the student, why the upload is not graded, None if it is, and for whom its notebooks were begun.

        read: (student, doubt) by its path; why: it cannot be read, None if it can.
        """
        student, doubt = read
        begun: list[str] = []
        if why is None:
            why = self.judging.trouble(self.key, raw)
            begun = self.judging.begun(self.key, raw) if why is None else []
        if student is not None:
            doubt = self._capitals(student) or self.people.doubt(student, named, begun, "/" not in name)
        if student is None or doubt:
            return f"unknown-{hashlib.sha256(name.encode()).hexdigest()[:8]}", doubt, begun
        self.people.note(student, named.platform, named.person, begun)
        return student, why, begun

    def _begun(self, line: Line) -> list[str]:
        """Return for whom an earlier upload was begun; older ledgers do not say."""
        if "begun" in line or not line["readable"]:
            return line.get("begun", [])
        return self.judging.begun(self.key, self.course.raw_path(line["sha"]).read_bytes())

    def _capitals(self, student: str) -> str:
        """Return why an id may be another's that differs in capitals, "" where it is not; a roster has told."""
        other = student if self.known else self.called.setdefault(plain(student), student)
        return "" if other == student else f"{other} and {student} differ only in capitals: one student or two? {ASK}"

    def _time(self, path: Path, name: str, named: Named) -> tuple[str, str]:
        """Return when an upload was handed in, and where that time comes from; say what is odd about it."""
        parts = name.split("/")
        nbgraders = self.collected and len(parts) == 3 and parts[1] == self.assignment
        when, source = upload_time(path, named, self.zone, nbgraders)
        if named.time and source != f"{named.platform}'s {named.source}":
            self.say(f"{name}: its time is that of {source}")
        elif not named.time and source not in ("the file", STAMP):
            self.odd.setdefault(source, []).append(name)
        return when, source


def _in_order(name: str) -> tuple[list[tuple[int, str]], str]:
    """Return what names are sorted by: numbers in them by their size, for of two files of one time attempt 10 is newer than 2."""
    return [(int(part or 0), rest) for part, rest in re.findall(r"(\d*)(\D*)", name)], name


def _kind(path: Path, own: str) -> int:
    """Return what a file is: 2 a notebook, or a zip that may hold one, 1 a notebook as text, 0 anything else."""
    try:
        raw = raw_bytes(path)
    except NoNotebook:
        return 2  # a line of its own says why it cannot be read
    return 2 if beside.is_notebook(own, raw) else int(beside.is_text_notebook(own, raw))


def _tells_time(named: Named, old: Line | None) -> bool:
    """Return whether a platform tells now when an upload came of which the ledger has the time from elsewhere."""
    return old is not None and named.time != "" and not old.get("time_from", "").startswith(named.platform)


def _agree(line: Line, old: Line, platform: Any) -> bool:
    """Return whether two lines say the same of a student, and the new one has no time from a platform that tells it now."""
    tells = bool(platform) and line["time_from"].startswith(platform)
    return not tells and (line["student"], line["why"]) == (old["student"], old["why"])


def _corrected(line: Line, old: Line, named: Named) -> Line:
    """Return the line of an upload that was entered before, with its id, and its time unless its platform tells it now."""
    platform_tells = named.time and line["time_from"].startswith(named.platform)
    kept = ("upload",) if platform_tells else ("upload", "time", "time_from")
    return line | {part: old[part] for part in kept if part in old}


def _files(folder: Path, left_out: Counter[str]) -> Iterator[Path]:
    """Yield what lies below a folder, links and pipes too; folders that are links are not entered.

    left_out: a Counter of the files in each kind of folder that is left out.
    """
    closed = []
    for place, folders, files in os.walk(
        folder, followlinks=False, onerror=lambda error: closed.append(error.filename)
    ):
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        for name in {*folders} & NO_FOLDERS - {*links}:
            left_out[name] += sum(len(inside) for _, _, inside in os.walk(os.path.join(place, name)))
        folders[:] = [name for name in folders if name not in NO_FOLDERS and name not in links]
        for name in [*files, *links]:
            path = Path(place, name)
            if name not in NO_UPLOADS and not name.endswith(TRIES) and not (name.startswith("._") and _is_apples(path)):
                yield path
    yield from map(Path, closed)


def _is_apples(path: Path) -> bool:
    """Return whether a file is what macOS puts beside another."""
    try:
        return raw_bytes(path)[:4] == APPLES
    except NoNotebook:
        return False
