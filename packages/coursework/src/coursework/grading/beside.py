"""What belongs to a notebook: modules and data that were handed in beside it, and what of them is there when it is graded.

A file is known by its name relative to the notebook, its size and its hash.  What programs read goes into the sandbox, where it can only
be read; whatever else came along is told.  No name of an installed module is taken: the sandbox looks for those first.
"""

import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from importlib.machinery import PathFinder
from pathlib import PurePosixPath
from typing import Any

# of what is there when one notebook is graded
MOST_FILES = 50
MOST_BYTES = 8 << 20
MOST_DEPTH = 5
READ_BY_PROGRAMS = {".py", ".csv", ".tsv", ".txt", ".dat", ".json", ".npy", ".npz", ".mat", ".h5", ".pkl", ".toml",
                    ".yaml", ".yml", ".xml", ".urdf"}  # fmt: skip
MOST_NAME, MOST_NAMED = 80, 5  # characters of a name, and names, that a sentence has room for
PART = re.compile(r"(?!\.)[\w .()+,&@'-]{1,100}")  # of a path
OURS = {
    "coursework",
    "robotdyn",
    "movingfigures",
    "sitecustomize",
    "usercustomize",
}  # and what Python looks for by itself
NOTE = "Blackboard's own .txt of the attempt"
TEXT_NOTEBOOKS = (".py", ".md", ".qmd", ".rmd", ".myst")
BEGINS = re.compile(rb"check\.begin\s*\(")
File = dict[
    str, Any
]  # of a line of the ledger: name, bytes, sha, why it is not there when the notebook is graded, or ""


def is_notebook(name: str, raw: bytes) -> bool:
    """Return whether a file is handed in as a notebook, by its name or by what it holds; a zip may hold one."""
    if ".ipynb" in name.lower() or raw[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return True
    bare = raw.replace(b"\0", b"")  # of UTF-16
    return bare.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")[:1] == b"{" and any(
        key in bare for key in (b'"cells"', b'"worksheets"')
    )


def is_text_notebook(name: str, raw: bytes) -> bool:
    """Return whether a program or a text is a notebook that another format holds."""
    return name.lower().endswith(TEXT_NOTEBOOKS) and BEGINS.search(raw) is not None


def relative(own: str, notebook: str) -> str:
    """Return the name of a file as seen from the folder of a notebook; of one that lies elsewhere, its own path."""
    folder = PurePosixPath(notebook).parent
    path = PurePosixPath(own)
    found = str(path.relative_to(folder) if path.is_relative_to(folder) else path)
    return unicodedata.normalize("NFC", found)  # as import looks for it


def described(found: Mapping[str, tuple[int, str]]) -> list[File]:
    """Return the files beside a notebook as the ledger holds them.  found: {name: (bytes, hash)}."""
    files: list[File] = []
    room = MOST_BYTES
    many = MOST_FILES
    for name, (size, sha) in sorted(found.items()):
        why = why_not(name, found)
        if not why and (size > room or not many):
            why = f"at most {MOST_FILES} files and {MOST_BYTES >> 20} MB are taken along"
        if not why:
            room -= size
            many -= 1
        files.append({"name": name, "bytes": size, "sha": sha, "why": why})
    return files


def merged_files(submitted: Mapping[str, bytes], given: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a student and those of the assignment, which win: no name is a file there and a folder here."""
    fits = {name: raw for name, raw in submitted.items() if not any(_clash(name, other) for other in given)}
    return fits | dict(given)


def _clash(one: str, other: str) -> bool:
    return one.startswith(f"{other}/") or other.startswith(f"{one}/")


def why_not(name: str, names: Iterable[str]) -> str:
    """Return why a file is not there when its notebook is graded, "" where it is."""
    path = PurePosixPath(name)
    if name == NOTE:
        return "it holds words of the student: read it"
    if path.suffix.lower() not in READ_BY_PROGRAMS:
        return "no program reads it: look at it yourself"
    if (
        len(path.parts) > MOST_DEPTH
        or not all(PART.fullmatch(part) for part in path.parts)
        or any(_clash(name, one) for one in names)
    ):
        return "its name is none that a program is given"
    first = path.parts[0]
    module = first.removesuffix(".py")
    holds_modules = first.endswith(".py") or any(one.startswith(f"{first}/") and one.endswith(".py") for one in names)
    if holds_modules and is_installed(module):
        return f"{module} is the name of a module that is installed, and that one is imported"
    return ""


def is_installed(module: str) -> bool:
    """Return whether Python has a module of this name, by itself or installed; nothing is imported to know it."""
    if module in sys.stdlib_module_names | OURS:
        return True
    places = [place for place in sys.path if place and os.path.realpath(place) != os.path.realpath(os.curdir)]
    return PathFinder.find_spec(module, places) is not None


def used(line: Mapping[str, Any]) -> list[list[str]]:
    """Return [[name, hash]] of the files of a line of the ledger that are there when its notebook is graded."""
    return [[one["name"], one["sha"]] for one in line.get("files", ()) if not one["why"]]


def unread(line: Mapping[str, Any]) -> list[str]:
    """Return the names of the files of a line that no program is given, the first few."""
    return [one["name"][:MOST_NAME] for one in line.get("files", ()) if one["why"]][:MOST_NAMED]
