"""From a folder of uploads to the ledger: raw bytes kept by hash, one line an upload, nothing lost, nothing twice."""

import hashlib
import os
import re
from datetime import UTC, datetime
from pathlib import Path

from coursework.check.record import TRIES
from coursework.grading import judge
from coursework.grading.dates import course_zone, read_stamp
from coursework.grading.identity import Roster, plain, student_of
from coursework.grading.layouts import named_by_platform
from coursework.grading.reading import NoNotebook, raw_bytes

SKIP = {
    ".DS_Store",
    "Thumbs.db",
    "timestamp.txt",
    "submission_secret.txt",
    "submission_metadata.yml",
    "desktop.ini",
    ".ipynb_checkpoints",
    "__MACOSX",
    "feedback",
}


BEGIN = re.compile(r"""\bbegin\(\s*(["'])[\w-]+\1\s*,\s*(?:student\s*=\s*)?\1([^"'\\]*)\1""")


def intake(course, assignment, folder, roster=None):
    """Enter each new file below the folder; return the new lines.  Run it again: only what is new is entered.

    Whose it is: whom a platform names in the path (`layouts`), or the first folder of its path, or its name up to the first _ (if there is
    none, to the first blank); with a roster (CSV with a column `id`, perhaps `name`) the id that stands in its path, or the id of
    the name that does.  A roster also corrects the student of what was entered before; whom it does not know waits.  Two people of
    one name, and notebooks of one student that were begun under different ids, wait for a roster, too.
    When: what the platform wrote into the path, or the file's time, or the timestamp.txt beside it in <student>/<assignment>/
    of nbgrader's own folder, course/nbgrader/submitted, where no student writes; `time_from` in the ledger says which.
    Of nbgrader's folders <student>/<assignment> those of other assignments are left alone.
    """
    with course.locked():
        return _intake(course, assignment, Path(folder), roster)


def _intake(course, assignment, folder, roster):
    text, judging = course.key(assignment).to_json(), judge.here()
    if not folder.is_dir():
        what = "is a file: unpack it into a folder, and name that" if folder.exists() else "does not exist"
        raise NotADirectoryError(f"intake must have a folder of uploads, and {folder} {what}")
    known = None if roster is None else Roster.read(roster)
    course.hide(folder)
    collected = folder.resolve() == (course.nbgrader / "submitted").resolve()  # elsewhere a student may have packed one
    others = {path.stem for path in (course.folder / "keys").glob("*.json")} - {assignment}
    old = course.ledger()
    seen = {(line["assignment"], line["name"], line["sha"]): line for line in old}
    called = {plain(line["student"]): line["student"] for line in old}
    people = People(course, [line for line in old if line["assignment"] == assignment])
    zone = course_zone(course.folder)
    number, new = max((int(line["upload"].partition("-")[0]) for line in old), default=0), []
    for path in sorted(_files(folder)):
        parts = path.relative_to(folder).parts
        if len(parts) > 2 and parts[1] in others:
            continue
        name = "/".join(parts).encode("utf8", "backslashreplace").decode()
        sha, size, why = "", 0, None
        try:
            raw = raw_bytes(path)
            sha, size = course.keep(raw), len(raw)
            why = judging.trouble(text, raw)
        except NoNotebook as error:
            why = str(error)
        student, before = student_of(name, known), seen.get((assignment, name, sha))
        asked = before is not None and before["student"].startswith("unknown-")
        if before is not None and (known is None or student == before["student"] or (student is None and asked)):
            continue
        other = None if student is None or known else called.setdefault(plain(student), student)
        if other not in (None, student):
            why = f"{other} and {student} differ only in capitals: one student or two? Write a roster, and take them in with it"
            student = f"unknown-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
        elif student is None:
            student = f"unknown-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
            why = known.why_none(name) if known else "its name does not say whose it is"
        elif known is None and why is None and (doubt := people.doubt(student, name, raw)):
            why = doubt
            student = f"unknown-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
        number += before is None
        when, source = _time(path, name, zone, nbgraders=collected and len(parts) == 3 and parts[1] == assignment)
        line = {"upload": f"{number:06d}-{sha[:8] or 'no-bytes'}", "assignment": assignment, "student": student,
                "name": name, "sha": sha, "bytes": size, "time": when, "time_from": source, "readable": why is None, "why": why or ""}  # fmt: skip
        if before is not None:
            line |= {part: before[part] for part in ("upload", "time", "time_from") if part in before}
        course.enter(line)
        new.append(line)
    return new


class People:
    """Who is behind each student of an assignment, as far as paths and notebooks tell: asks before two people become one."""

    def __init__(self, course, lines):
        self.persons: dict[str, set[str]] = {}
        self.begun: dict[str, set[str]] = {}
        for line in lines:
            if line["sha"] and not line["student"].startswith("unknown-"):
                self._note(line["student"], line["name"], course.raw_path(line["sha"]).read_bytes())

    def _note(self, student, name, raw):
        found = named_by_platform(name)
        self.persons.setdefault(student, set()).update({found.person} - {""} if found else ())
        self.begun.setdefault(student, set()).update(begun_by(raw))

    def doubt(self, student, name, raw):
        """Return why an upload may be another person's than those before of this student, or "" and note it."""
        found = named_by_platform(name)
        persons = self.persons.get(student, set())
        if found and found.person and persons and found.person not in persons:
            return f"{found.platform} has two people called {student}: write a roster with an id for each, and take them in with it"
        others, own = self.begun.get(student, set()), begun_by(raw)
        if others and own and not others & own:
            return (
                f"it was begun for {', '.join(sorted(own))}, an earlier notebook of {student} for {', '.join(sorted(others))}: "
                "one student or two? Write a roster, and take them in with it"
            )
        self._note(student, name, raw)
        return ""


def begun_by(raw):
    """Return the ids for which a notebook calls check.begin, as its cells write them."""
    text = raw.decode("utf8", "replace").replace('\\"', '"')
    return {one.strip().lower() for _, one in BEGIN.findall(text) if one.strip()}


def _files(folder):
    """Return what lies below a folder, links and pipes too; folders that are links are not entered."""
    closed = []
    for place, folders, files in os.walk(
        folder, followlinks=False, onerror=lambda error: closed.append(error.filename)
    ):
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        folders[:] = [name for name in folders if name not in SKIP and name not in links]
        for name in [*files, *links]:
            if name not in SKIP and not name.startswith("._") and not name.endswith(TRIES):
                yield Path(place, name)
    yield from map(Path, closed)


def _time(path, name="", zone=UTC, nbgraders=False):
    """Return when a file was uploaded, as ISO text in UTC, and where that time comes from.

    name: its path below the folder, in which a platform may write the time, in the zone of the course; nbgraders: whether it lies
    where nbgrader alone writes a timestamp.txt.
    """
    found = named_by_platform(name)
    if found and (written := found.when(zone)):
        return written.astimezone(UTC).isoformat(timespec="seconds"), f"{found.platform}'s name of it"
    stamp = path.parent / "timestamp.txt"
    if nbgraders and stamp.is_file() and not stamp.is_symlink():
        try:
            when, unknown = read_stamp(stamp.read_text(encoding="utf8")[:100])
            zone = f", {unknown} taken as UTC" if unknown else ""
            return when.astimezone(UTC).isoformat(timespec="seconds"), f"nbgrader's timestamp.txt{zone}"
        except (OSError, ValueError, OverflowError):  # it says no time, or more than one
            pass
    try:
        doubtful = stamp.is_file() and not nbgraders
        source = "the file; its timestamp.txt may be the student's own" if doubtful else "the file"
        when, now = datetime.fromtimestamp(path.lstat().st_mtime, UTC), datetime.now(UTC)
        if when > now:  # it would be newer than all that come after it
            when, source = now, "intake: the file is of a time to come"
        return when.isoformat(timespec="seconds"), source
    except (OSError, ValueError, OverflowError):  # gone, or a clock that was wrong by thousands of years
        return datetime.fromtimestamp(0, UTC).isoformat(timespec="seconds"), "nowhere: the file has none"
