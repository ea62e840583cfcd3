"""The teacher's folder: keys, raw uploads by hash, a ledger with one line an upload, results; nbgrader's course in it.

    course.json  keys/  raw/  ledger.jsonl  trail.jsonl  results/<assignment>/<upload>.json  solutions/  nbgrader/
Nothing of it is ever visible in a sandbox.  Every file is written beside its place and then moved there, so it is whole
or not there at all.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coursework.grading.beside import used
from coursework.grading.key import Key

if TYPE_CHECKING:
    from coursework.grading.aliases import Line, Result

FINAL = ("graded", "needs a person", "unreadable", "wall limit", "superseded")
FAULT = "infrastructure fault"


class Course:
    """A course in a folder; only `new=True`, which a release has, makes one that is not there.

    db: the URL of another gradebook; it is remembered when it can be opened.
    """

    def __init__(self, folder: str | Path, db: str | None = None, new: bool = False) -> None:
        self.folder = Path(folder).resolve()
        self.nbgrader = self.folder / "nbgrader"
        settings = self.folder / "course.json"
        _open_to_this_user(self.folder, settings)
        if not (new or settings.exists()):
            raise FileNotFoundError(f"there is no course in {self.folder}: name it by --course, or `release` first")
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if new:
            _close_to_others(self.folder, settings)
        for name in ("keys", "raw", "results", "solutions", "nbgrader/source"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        known: dict[str, Any] = {"seed": secrets.token_hex(16), "db": None}
        if settings.exists():
            known = json.loads(settings.read_text(encoding="utf-8"))
        if db:
            can_open(db)
        if not settings.exists() or (db and db != known["db"]):
            known["db"] = db or known["db"]
            self.settings = known
            self._write_settings()
        self.seed = known["seed"]
        self.settings = known
        self.db = known["db"] or f"sqlite:///{self.nbgrader / 'gradebook.db'}"

    @property
    def hidden(self) -> list[str]:
        """What no sandbox may see, a list of paths: the course, nbgrader's exchange, the uploads, what the site named."""
        from coursework.grading.site import exchange

        return sorted({str(self.folder), exchange(self), *self.settings.get("hidden", [])})

    def hide(self, folder: Path) -> None:
        """Remember one more folder that no sandbox may see."""
        known = self.settings.setdefault("hidden", [])
        if str(Path(folder).resolve()) not in known:
            known.append(str(Path(folder).resolve()))
            self._write_settings()

    def _write_settings(self) -> None:
        path = self.folder / "course.json"
        write(path, json.dumps(self.settings).encode())
        path.chmod(0o600)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the course for oneself: two runs at a time would do work twice."""
        with open(self.folder / ".lock", "w", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise RuntimeError(f"another command is at work in {self.folder}: wait for its end") from None
            yield

    def key(self, assignment: str) -> Key:
        """Return the Key of a released assignment."""
        path = self.folder / "keys" / f"{assignment}.json"
        if not path.exists():
            raise FileNotFoundError(f"{assignment!r} is not released in {self.folder}: run `release` first")
        return Key.from_json(path.read_text(encoding="utf8"))

    # ---- uploads ----

    def keep(self, raw: bytes) -> str:
        """Keep raw bytes; return their hash."""
        digest = hashlib.sha256(raw).hexdigest()
        path = self.raw_path(digest)
        if not path.exists():
            write(path, raw)
        return digest

    def raw_path(self, digest: str) -> Path:
        """Return where the bytes of a hash lie."""
        return self.folder / "raw" / digest[:2] / digest

    def ledger(self, assignment: str | None = None) -> list[Line]:
        """Return the lines of the ledger, dicts, oldest first; a line that a crash cut short is none.

        A later line of the same upload corrects an earlier one.
        """
        path = self.folder / "ledger.jsonl"
        lines = []
        for text in path.read_bytes().split(b"\n") if path.exists() else []:  # other ends of lines may stand in names
            try:
                lines.append(json.loads(text))
            except ValueError:
                continue
        newest = {line["upload"]: line for line in lines}
        return [line for line in newest.values() if assignment in (None, line["assignment"])]

    def enter(self, line: Line, name: str = "ledger.jsonl") -> None:
        """Append one line to the ledger, or another file of lines, and be sure that it is on the disk."""
        path = self.folder / name
        whole = not path.exists() or path.stat().st_size == 0 or path.read_bytes()[-1:] == b"\n"
        with open(path, "ab") as file:
            file.write((b"" if whole else b"\n") + json.dumps(line, ensure_ascii=False).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    # ---- results ----

    def result_path(self, line: Line) -> Path:
        """Return where the result of an upload lies."""
        return self.folder / "results" / line["assignment"] / f"{line['upload']}.json"

    def result(self, line: Line) -> Result | None:
        """Return the result of an upload, or None; one made for another student, or without a file that came later, is none."""
        try:
            result = json.loads(self.result_path(line).read_text(encoding="utf8"))
        except (FileNotFoundError, json.JSONDecodeError):
            return None
        same = result["student"] == line["student"] and result.get("files", []) == used(line)
        return result if same else None

    def enter_result(self, line: Line, result: Result) -> None:
        """Write the result of an upload, at once and whole."""
        write(self.result_path(line), json.dumps(result, ensure_ascii=False).encode())

    def chosen(self, assignment: str) -> dict[str, Line]:
        """Return {student: line} of the uploads that count: the newest readable one, else the newest."""
        best: dict[str, Line] = {}
        for line in self.ledger(assignment):
            old = best.get(line["student"])
            rank = (line["readable"], line["time"], line["upload"])
            if old is None or rank > (old["readable"], old["time"], old["upload"]):
                best[line["student"]] = line
        return best


def _open_to_this_user(folder: Path, settings: Path) -> None:
    """Raise PermissionError, in a sentence, if a course, or a folder above it, is closed to the user who works with it."""
    needed = dict.fromkeys(reversed(folder.parents), os.X_OK) | {folder: os.R_OK | os.X_OK, settings: os.R_OK}
    closed = [path for path, use in needed.items() if os.path.exists(path) and not os.access(path, use)]
    if closed:
        user = os.geteuid()
        raise PermissionError(
            f"a course must be open to the user who works with it: {closed[0]} is closed to user {user}. "
            f"Give all commands, `release` too, as one user; as root `chown -R {user} {folder}` hands a course over."
        )


def _close_to_others(folder: Path, settings: Path) -> None:
    """Let nobody else into the folder of a new course: keys and grades are nobody else's.  Raises PermissionError where it is not mine."""
    whose = folder.stat().st_uid
    if os.geteuid() not in (0, whose):
        raise PermissionError(
            f"a course must lie in a folder of your own, and {folder} belongs to user {whose}: name another by --course"
        )
    if not settings.exists():
        folder.chmod(0o700)


def can_open(db: str) -> None:
    """Raise ValueError, with the reason, if there is no database at a URL."""
    from sqlalchemy import create_engine
    from sqlalchemy.exc import ArgumentError, SQLAlchemyError

    hint = "--db must be the URL of a database that is there, such as postgresql+psycopg://teacher@/grades"
    try:
        create_engine(db).connect().close()
    except (ArgumentError, ModuleNotFoundError):
        raise ValueError(f"{hint}, got {db}") from None
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).split("\n")[0]
        raise ValueError(f"{hint}; it answers: {reason}") from None


def write(path: Path, raw: bytes) -> None:
    """Write bytes beside their place, then move them there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".part-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
