"""Reads an upload, whatever it is: a notebook, a zip with one, an old format, or nothing that can be read, in words."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import re
import stat
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from coursework.check.session import MIME
from coursework.grading.beside import BEGINS, TEXT_NOTEBOOKS, relative
from coursework.grading.no_json import named, text_notebook

if TYPE_CHECKING:
    from coursework.grading.aliases import Cell

MOST_RAW = 100 << 20  # bytes of an upload, and of all that a zip unpacks to
MOST_BYTES = 20 << 20  # of a notebook without its outputs
MOST_CELLS = 2000
MOST_ENTRIES, MOST_DEPTH = 1000, 2  # of a zip with all zips in it; zips in zips
NOTEBOOKS = (".ipynb", ".zip", ".ipynb.txt", ".ipynb.json")  # how names of what may hold one end, in a zip
ZIPS = (b"PK\x03\x04", b"PK\x05\x06")  # with entries, and without
PICTURES = {"image/png": re.compile(rb"\x89PNG"), "image/jpeg": re.compile(rb"\xff\xd8"),
            "image/gif": re.compile(rb"GIF8"), "image/webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
            "image/svg+xml": re.compile(rb"\s*(?:<\?xml[^>]{0,200}>\s*)?<svg\b")}  # fmt: skip
WRITTEN_IN = re.compile(  # a picture in the text itself, as Colab pastes it: in Markdown, or in a tag
    r"(?:!\[[^\]\n]{0,200}\]\(|<img\b[^>\n]{0,200}?\bsrc\s{0,9}=\s{0,9}[\"'])"
    r"data:(image/[\w+.-]{1,20});base64,([A-Za-z0-9+/=]*+)(?:[^)\n]{0,200}+\)|[^>\n]{0,200}+>)"
)
ATTACHED = (
    re.compile(  # a picture that the cell holds: in Markdown, its name in <> or not, or in a tag, as to change its size
        r"!\[[^\]\n]{0,200}\]\((?:<attachment:([^<>\n]{1,200})>|attachment:([^()<>\s]{1,200}))[^()\n]{0,200}\)"
        r"|<img\b[^<>\n]{0,200}?\bsrc\s{0,9}=\s{0,9}[\"']attachment:([^\"'<>\n]{1,200})[\"'][^<>\n]{0,200}>"
    )
)
NO_DRAWING = re.compile(
    rb"<\s*(?:script|foreignObject|iframe|image|style|!)|\bon\w+\s*=|href\s*=\s*[\"'](?!#)|url\s*\(|&", re.I
)


HELD = re.compile(r"^([\w-]{1,80}): (?:every check holds|your prediction is locked)", re.M)  # as check.answer prints it
MOST_SAID = 100_000  # characters of what a cell has printed


class NoNotebook(ValueError):
    """The upload holds no notebook that can be read; the sentence says why."""


def raw_bytes(path: Path) -> bytes:
    """Return the bytes of a regular file; follow no link, wait for no pipe."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise NoNotebook(
            "it is a link, not a file" if Path(path).is_symlink() else f"it cannot be opened: {error.strerror}"
        ) from None
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise NoNotebook("it is no regular file")
        if status.st_size > MOST_RAW:
            raise NoNotebook(f"it has {status.st_size >> 20} MB; at most {MOST_RAW >> 20} MB are read")
        return file.read(MOST_RAW)


def cells_of(raw: bytes, known: Sequence[str] = ()) -> list[Cell]:
    """Return the cells, plain dicts, of the notebook in raw bytes.  known: names of the questions, to choose by."""
    if not raw.strip():
        raise NoNotebook("the file is empty")
    if raw[:4] in ZIPS:
        return _from_zip(raw, known)[0]
    try:
        return _cells(_parsed(raw), len(raw) > MOST_BYTES)
    except RecursionError:
        raise NoNotebook("it is nested too deeply") from None


def _parsed(raw: bytes) -> Any:
    """Return what an upload holds, as JSON or as text."""
    try:
        return json.loads(raw)
    except ValueError as error:
        try:
            found = text_notebook(raw)
        except ValueError as other:
            raise NoNotebook(str(other)[:200]) from None
        if found is None:
            raise NoNotebook(named(raw, error)) from None
        return found


def files_beside(raw: bytes, known: Sequence[str] = ()) -> dict[str, bytes]:
    """Return {name: bytes} of the files that a zip holds beside its notebook or below; {} for an upload that is no zip."""
    return _from_zip(raw, known, with_files=True)[1] if raw[:4] in ZIPS else {}


def notebooks_in(raw: bytes) -> list[tuple[str, bytes]]:
    """Return [(path, bytes)] of the files that may be notebooks, or zips with some, in a zip itself; [] for an upload that is no zip."""
    if raw[:4] not in ZIPS:
        return []
    room = Room()
    found = []
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        for entry in archive.infolist()[:MOST_ENTRIES]:
            path = Path(entry.filename)
            hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
            if not entry.is_dir() and not hidden and not entry.flag_bits & 1 and _may_be_notebook(path):
                found.append((entry.filename, room.read(archive, entry)))
    return found


def _cells(notebook: Any, large: bool = False) -> list[Cell]:
    """Return the cells of a notebook of any version, cleaned: a type, a source, metadata, an id.  large: whether to weigh them."""
    if not isinstance(notebook, dict):
        raise NoNotebook("it is JSON, but no notebook")
    cells = notebook.get("cells")
    if cells is None and isinstance(notebook.get("worksheets"), list):
        cells = _cells_of_worksheets(notebook["worksheets"])
    if not isinstance(cells, list):
        raise NoNotebook("it is JSON, but no notebook: it has no cells")
    if len(cells) > MOST_CELLS:
        raise NoNotebook(f"it has {len(cells)} cells; at most {MOST_CELLS} are read")
    found = [_cell(cell) for cell in cells if isinstance(cell, dict)]
    size = sum(len(cell["source"]) + _weight(cell.get("attachments", {})) for cell in found) if large else 0
    if size > MOST_BYTES:
        raise NoNotebook(f"it has {size >> 20} MB without its outputs; at most {MOST_BYTES >> 20} MB are read")
    return found


def _cells_of_worksheets(worksheets: list[Any]) -> list[Any] | None:
    """Return the cells of a notebook of version 3, None where it has no such list."""
    sheets = [sheet for sheet in worksheets if isinstance(sheet, dict)]
    parts = [sheet["cells"] for sheet in sheets if isinstance(sheet.get("cells"), list)]
    return [cell for part in parts for cell in part] if parts else None


def _weight(attachments: Mapping[str, Mapping[str, str]]) -> int:
    """Return the characters of the pictures that a cell holds."""
    return sum(len(part) for kinds in attachments.values() for part in kinds.values())


def table(of: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the dict of that name in a dict of the student's, an empty one where something else stands there."""
    return found if isinstance(found := of.get(name), dict) else {}


def _cell(cell: dict[str, Any]) -> Cell:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    source = (source if isinstance(source, str) else "").encode("utf-8", "replace").decode("utf-8")
    name = table(table(cell, "metadata"), "nbgrader").get("grade_id")
    kind = cell.get("cell_type")
    attached = table(cell, "attachments")
    if kind != "code":
        source, attached = _attach(source, attached)
    return {
        "cell_type": kind if kind in ("code", "markdown", "raw") else "markdown",
        "source": source,
        "id": cell["id"] if isinstance(cell.get("id"), str) else "",
        "metadata": {"nbgrader": {"grade_id": name}} if isinstance(name, str) else {},
        "tried": list(_tried(cell.get("outputs"))),
        "held": sorted({*HELD.findall(_said(cell.get("outputs")))}),
        **({"attachments": pictures} if (pictures := _pictures(attached)) else {}),
    }


def _tried(outputs: object) -> Iterator[tuple[str, list[Any]]]:
    """Yield (question, [tries, hints]) that outputs of a cell have recorded."""
    for output in outputs if isinstance(outputs, list) else ():
        answer = table(table(output if isinstance(output, dict) else {}, "data"), MIME)
        record = answer.get("record")
        if isinstance(record, dict) and isinstance(answer.get("question"), str):
            yield answer["question"], [record.get("tries"), record.get("hints")]


def _said(outputs: object) -> str:
    """Return what a cell has printed."""
    parts = [output.get("text") for output in outputs if isinstance(output, dict)] if isinstance(outputs, list) else []
    lines = [line for part in parts for line in (part if isinstance(part, list) else [part])]
    return "".join(line for line in lines if isinstance(line, str))[:MOST_SAID]


def _attach(source: str, held: dict[str, dict[str, str]]) -> tuple[str, dict[str, dict[str, str]]]:
    """Return a text, and its pictures as attachments: those that it holds or are written in it, by names that a page takes."""
    named = {}
    shown = {}

    def attach(picture: dict[str, str]) -> str:
        name = f"picture-{hashlib.sha256(repr(picture).encode()).hexdigest()[:12]}"
        named[name] = picture
        return f"![picture](attachment:{name})"

    def rename(found: re.Match[str]) -> str:
        written = found[1] or found[2] or found[3]
        name = written if written in held else unquote(written)
        if name in held and name not in shown:
            shown[name] = attach(held[name])
        return shown.get(name, found[0])

    source = WRITTEN_IN.sub(lambda found: attach({found[1]: found[2]}), ATTACHED.sub(rename, source))
    return source, {name: one for name, one in held.items() if name not in shown} | named


def _pictures(attachments: Any) -> dict[str, dict[str, str]]:
    """Return the pictures {name: {kind: base64}} that a cell holds, those that no browser takes for anything else."""
    found = {}
    for name, data in attachments.items():
        for kind, part in data.items() if isinstance(data, dict) else ():
            part = "".join(part) if isinstance(part, list) and all(isinstance(line, str) for line in part) else part
            if isinstance(part, str) and kind in PICTURES and _is_picture(kind, part):
                found[name] = {kind: part}
    return found


def _is_picture(kind: str, text: str) -> bool:
    """Return whether base64 is what its kind says; a drawing (SVG) may hold nothing that runs or loads."""
    try:
        raw = base64.b64decode("".join(text.split()), validate=True)
    except ValueError:
        return False
    return not (kind == "image/svg+xml" and NO_DRAWING.search(raw)) and bool(PICTURES[kind].match(raw))


def _answered(cells: list[Cell], known: Sequence[str]) -> tuple[int, int, int]:
    """Return how much of an assignment cells answer: questions that they name, and how few were left as handed out."""
    text = "\n".join(cell["source"] for cell in cells)
    return sum(name in text for name in known), -text.count("raise NotImplementedError"), len(text)


class Room:
    """What a zip may still unpack, with all the zips in it together."""

    def __init__(self) -> None:
        self.bytes = MOST_RAW
        self.entries = MOST_ENTRIES

    def read(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
        """Return the content of an entry.  Raises NoNotebook where there is no room for it."""
        with archive.open(entry) as file:
            content = file.read(self.bytes + 1)
        self.bytes -= len(content)
        if self.bytes < 0:
            raise NoNotebook(f"the zip unpacks to more than {MOST_RAW >> 20} MB")
        return content


class Unpacked:
    """What is found in a zip, and in the zips in it.

    found: [(cells, where the notebook stood or, of a zip in it, what lies with it, its day and time, its bytes)];
    trouble: why others are none; others: {name: bytes} of what is no notebook.
    """

    def __init__(self, known: Sequence[str], room: Room, depth: int, with_files: bool) -> None:
        self.known = known
        self.room = room
        self.depth = depth
        self.with_files = with_files
        self.found: list[tuple[list[Cell], str | dict[str, bytes], tuple[int, ...], bytes]] = []
        self.trouble: list[str] = []
        self.others: dict[str, bytes] = {}

    def take_all(self, archive: zipfile.ZipFile) -> None:
        """Take the entries of an archive, as many as there is room for."""
        entries = archive.infolist()
        if len(entries) > self.room.entries:
            what = f"the zip has {len(entries)} entries, and among the first {self.room.entries} is no notebook"
            self.trouble.append(what)
        for entry in entries[: self.room.entries]:
            self.room.entries -= 1
            if not self._is_left(entry):
                self.take(archive, entry)

    def _is_left(self, entry: zipfile.ZipInfo) -> bool:
        """Return whether an entry is hidden, a folder, or nothing that is looked for."""
        path = Path(entry.filename)
        hidden = any(part.startswith((".", "__MACOSX")) and part != ".." for part in path.parts)
        wanted = self.with_files or path.suffix.lower() in TEXT_NOTEBOOKS or _may_be_notebook(path)
        return hidden or entry.is_dir() or not wanted

    def take(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
        """Take one entry: a notebook, a zip, or what lies beside."""
        if entry.flag_bits & 1:
            self.trouble.append("it is locked with a password")
            return
        content = self.room.read(archive, entry)
        if not _may_be_notebook(Path(entry.filename)):
            self.others[entry.filename] = content
            return
        try:
            if content[:4] not in ZIPS:
                self.found.append((cells_of(content), entry.filename, entry.date_time, content))
            elif self.depth < MOST_DEPTH:
                inner = _from_zip(content, self.known, self.room, self.depth + 1, self.with_files)
                self.found.append((*inner, entry.date_time, b""))
            else:
                self.trouble.append("its zips are nested too deeply")
        except NoNotebook as error:
            if self.room.bytes < 0:
                raise
            self.trouble.append(str(error))

    def take_texts(self) -> None:
        """Where there is no notebook, take the texts that begin as one."""
        texts = {} if self.found else {name: part for name, part in self.others.items() if _begins(name, part)}
        for name, content in texts.items():
            self.found.append((cells_of(content), name, (), content))
            del self.others[name]


def _begins(name: str, content: bytes) -> bool:
    """Return whether a file is a text that begins an assignment."""
    return Path(name).suffix.lower() in TEXT_NOTEBOOKS and BEGINS.search(content) is not None


def _may_be_notebook(path: Path) -> bool:
    return path.name.lower().endswith(NOTEBOOKS)


def _from_zip(
    raw: bytes, known: Sequence[str], room: Room | None = None, depth: int = 1, with_files: bool = False
) -> tuple[list[Cell], dict[str, bytes]]:
    """Return the cells of the notebook in a zip that answers most of the questions, and {name: bytes} of what lies with it.

    Of those that answer as many, the newest counts, then the longest.
    """
    unpacked = Unpacked(known, room or Room(), depth, with_files)
    if raw.count(b"PK\x01\x02") > 100 * MOST_ENTRIES:
        raise NoNotebook(f"the zip has more than {100 * MOST_ENTRIES} entries; at most {MOST_ENTRIES} are read")
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            unpacked.take_all(archive)
    except NoNotebook:
        raise
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, RuntimeError, ValueError) as error:
        raise NoNotebook(f"the zip is broken: {error}"[:200]) from None
    except Exception as error:  # what a decompressor says of damaged data
        raise NoNotebook(f"the zip is broken: {type(error).__name__}") from None
    unpacked.take_texts()
    if not unpacked.found:
        raise NoNotebook(unpacked.trouble[0] if unpacked.trouble else "the zip holds no notebook")
    answered = [_answered(one[0], known) for one in unpacked.found]
    worth = [(named, left, one[2], length) for (named, left, length), one in zip(answered, unpacked.found)]
    cells, at, *_ = unpacked.found[worth.index(max(worth))]
    if isinstance(at, dict):
        return cells, at
    left = {name: content for _, name, _, content in unpacked.found if isinstance(name, str) and name != at}
    return cells, {relative(name, at): content for name, content in (unpacked.others | left).items()}
