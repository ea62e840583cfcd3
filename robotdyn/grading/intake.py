"""From a folder of uploads to the ledger: raw bytes kept by hash, one line an upload, nothing lost, nothing twice."""

import csv
import hashlib
import os
import re
from datetime import UTC, datetime
from pathlib import Path

from robotdyn.grading.reading import NoNotebook, cells_of, raw_bytes

SKIP = {".DS_Store", "Thumbs.db", "timestamp.txt", "desktop.ini", ".ipynb_checkpoints", "__MACOSX", "feedback"}


def intake(course, assignment, folder, roster=None):
    """Enter each new file below the folder; return the new lines.  Run it again: only what is new is entered.

    Whose it is: the first folder of its path, or its name up to the first _ or blank; with a roster (CSV with a column
    `id`) the id that stands in its path.  When: the file's time, or nbgrader's timestamp.txt beside it.
    """
    key, folder = course.key(assignment), Path(folder)
    if not folder.is_dir():
        raise NotADirectoryError(f"there is no folder {folder}")
    ids = _roster(roster)
    old = course.ledger()
    seen = {(line["assignment"], line["name"], line["sha"]) for line in old}
    number, new = len(old), []
    for path in sorted(_files(folder)):
        name = path.relative_to(folder).as_posix().encode("utf8", "backslashreplace").decode()
        sha, size, why = "", 0, None
        try:
            raw = raw_bytes(path)
            sha, size = course.keep(raw), len(raw)
            cells_of(raw, tuple(key.points))
        except NoNotebook as error:
            why = str(error)
        if (assignment, name, sha) in seen:
            continue
        student = _student(name, ids)
        if student is None:
            student, why = (
                f"unknown-{hashlib.sha256(name.encode()).hexdigest()[:8]}",
                "no student of the roster fits its name",
            )
        number += 1
        line = {"upload": f"{number:06d}-{sha[:8] or 'no-bytes'}", "assignment": assignment, "student": student,
                "name": name, "sha": sha, "bytes": size, "time": _time(path), "readable": why is None, "why": why or ""}  # fmt: skip
        course.enter(line)
        new.append(line)
    return new


def _files(folder):
    """Return what lies below a folder, links and pipes too; folders that are links are not entered."""
    closed = []
    for place, folders, files in os.walk(
        folder, followlinks=False, onerror=lambda error: closed.append(error.filename)
    ):
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        folders[:] = [name for name in folders if name not in SKIP and name not in links]
        for name in [*files, *links]:
            if name not in SKIP and not name.startswith("._"):
                yield Path(place, name)
    yield from map(Path, closed)


def _student(name, ids):
    if ids is not None:
        words = re.split(r"[^A-Za-z0-9]+", name.lower())
        found = [known for known in ids if known.lower() in words or known.lower() in name.lower().split("/")]
        return safe(found[0]) if len(found) == 1 else None
    first = name.split("/")[0] if "/" in name else re.split(r"[_\s]|--|\.", name.lstrip("."))[0]
    return safe(first)


def safe(student):
    """Return a student id that can be the name of a folder: others get a short hash."""
    plain = re.sub(r"[^A-Za-z0-9@.-]+", "-", student).strip(".-")[:60]
    if plain == student:
        return plain
    return f"{plain or 'student'}-{hashlib.sha256(student.encode('utf8', 'backslashreplace')).hexdigest()[:6]}"


def _roster(path):
    if path is None:
        return None
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    if rows and "id" not in rows[0]:
        raise ValueError(f"the roster {path} must have a column id, got {', '.join(rows[0])}")
    return [row["id"].strip() for row in rows if row["id"].strip()]


def _time(path):
    """Return when a file was uploaded, as ISO text in UTC."""
    stamp = path.parent / "timestamp.txt"
    if stamp.is_file() and not stamp.is_symlink():
        try:
            from dateutil.parser import parse

            when = parse(stamp.read_text(encoding="utf8").strip())
            return (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(UTC).isoformat(timespec="seconds")
        except Exception:  # what a parser of dates says of what is none
            pass
    try:
        return datetime.fromtimestamp(path.lstat().st_mtime, UTC).isoformat(timespec="seconds")
    except (OSError, ValueError, OverflowError):  # gone, or a clock that was wrong by thousands of years
        return datetime.fromtimestamp(0, UTC).isoformat(timespec="seconds")
