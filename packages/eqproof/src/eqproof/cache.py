r"""A cache for `eqproof check`: a display is judged anew only where something changed on which its verdict depends.

Its key is a hash of the display with the text beside it that is looked at, of all declarations up to it, of the files of this
package, and of the versions of Python and of the libraries that compute. An entry is one small file, written as a whole under
another name first, with a sum of its own contents: two processes may write at once, and what is damaged, of another program
or cannot be read or written counts as nothing kept.
"""

import hashlib
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from eqproof.conditions import text_beside
from eqproof.declared_letters import Declared
from eqproof.findings import WORDS
from eqproof.outcome import TOO_DEEP, Judged
from eqproof.sources import Display
from eqproof.whole_files import checksum, write_whole

MOST_BESIDE = 64  # entries in each of the 256 folders: the oldest go first
LIBRARIES = ("sympy", "mpmath", "numpy", "lark", "gmpy2", "python-flint")
WORDS_OF_JUDGED = 6  # the fields of a Judged between its places
PASSING = (TOO_DEEP, "MemoryError")  # words of verdicts that another day may change


@dataclass(frozen=True)
class Cache:
    """What became of displays before; folder: where it is kept, None keeps nothing."""

    folder: Path | None = None

    def find(self, key: str) -> list[Judged] | None:
        """Return what became of the display of this key, None where that is not kept, or is damaged."""
        if self.folder is None:
            return None
        with suppress(OSError, ValueError, TypeError, RecursionError):
            total, _, body = file_of(self.folder, key).read_text("utf-8").partition("\n")
            if total == checksum(body):
                kept, rows = json.loads(body)
                if kept != key:
                    return None
                return [judged_of(*row) for row in rows]
        return None

    def keep(self, key: str, judged: Sequence[Judged]) -> None:
        """Keep what became of a display, where the folder can be written; forget the oldest entries beside it."""
        if self.folder is None or any(word in x.why for x in judged for word in PASSING):
            return
        file = file_of(self.folder, key)
        with suppress(OSError, ValueError):  # ValueError: a sign that UTF-8 does not hold
            body = json.dumps([key, [astuple(x) for x in judged]])
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, f"{checksum(body)}\n{body}")
            beside_it = sorted(file.parent.iterdir(), key=os.path.getmtime)
            for old in beside_it[:-MOST_BESIDE]:
                old.unlink(missing_ok=True)


NO_CACHE = Cache()


def judged_of(*row: Any) -> Judged:
    """Return what became of a step from its entry; raise TypeError or ValueError where it is none."""
    start, end, *words, places = row
    rests_on = tuple((cell, line) for cell, line in places)
    whole = all(type(x) is int for x in (start, end, *(line for _, line in rests_on)))
    cells = all(cell is None or type(cell) is int for cell, _ in rests_on)
    if len(words) != WORDS_OF_JUDGED or not whole or not cells or not all(isinstance(x, str) for x in words):
        raise ValueError("this is no entry of a cache")
    values: list[Any] = [start, end, *words, rests_on]
    judged = Judged(*values)
    if judged.verdict not in WORDS:
        raise ValueError(f"{judged.verdict!r} is no verdict")
    return judged


def file_of(folder: Path, key: str) -> Path:
    """Return the file of the entry with a key."""
    return folder / key[:2] / key[2:]


def folder_of_caches() -> Path | None:
    """Return the folder in which this program keeps what it may lose, None where the platform tells of none.

    XDG_CACHE_HOME, if it is an absolute path; else %LOCALAPPDATA%, ~/Library/Caches or ~/.cache.
    """
    platform: str = sys.platform
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if named.is_absolute():
        return named / "eqproof"
    if platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local) / "eqproof" / "Cache" if local else None
    with suppress(RuntimeError):  # nobody's home
        return Path.home() / ("Library/Caches" if platform == "darwin" else ".cache") / "eqproof"
    return None


def key_of(display: Display, declared: Declared, above: str = "") -> str:
    """Return a hash of all that the verdicts on a display depend on; above: a hash of the equations above it."""
    text = display.source.text
    end = display.start + len(display.found)
    around = text_beside(text, display.start, end)
    rests_on = (
        program(),
        display.text,
        display.broken,
        display.found,
        text[display.start : end],
        around,
        declared.said,
        above,
    )
    return hashlib.sha256(repr(rests_on).encode(errors="backslashreplace")).hexdigest()


@cache
def program() -> str:
    """Return a hash of the files of this package, and of the versions of what it computes with."""
    digest = hashlib.sha256(repr((sys.version, [version_of(x) for x in LIBRARIES])).encode())
    for path in sorted(Path(__file__).parent.glob("*")):
        if path.suffix in (".py", ".lark"):
            text = path.read_bytes()
            digest.update(f"{path.name} {len(text)} ".encode() + text)
    return digest.hexdigest()


def version_of(library: str) -> str:
    """Return the version of a library, "" where it is not installed."""
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
