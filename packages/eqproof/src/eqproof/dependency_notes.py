"""Which files a page was found to depend on, so that imports need not be followed again while none of these has changed.

What imports lead to follows from the files that they reached, and from which files lie beside these: both are noted.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from eqproof.import_graph import version
from eqproof.whole_files import checksum, write_whole

Reached = tuple[list[Path], list[tuple[str, str]]]  # files, and (third party, its version)
INSTALLED = ("site-packages", "dist-packages")


def known_or_found(note: Path, find: Callable[[], Reached], read: Callable[[Path], bytes]) -> Reached:
    """Return what find returned when a note was written if that is so still, else what it returns now, and note that."""
    with suppress(OSError, ValueError, TypeError, AttributeError):
        total, body = json.loads(note.read_text("utf-8"))
        if total == checksum(body):
            names, third_parties, state = json.loads(body)
            files = [Path(x) for x in names]
            if state == state_of(files, read):
                return files, [(x, version(x)) for x in third_parties]
    files, versions = find()
    with suppress(OSError, ValueError):
        body = json.dumps([[*map(str, files)], [x for x, _ in versions], state_of(files, read)])
        note.parent.mkdir(parents=True, exist_ok=True)
        write_whole(note, json.dumps([checksum(body), body]))
    return files, versions


def state_of(files: list[Path], read: Callable[[Path], bytes]) -> str:
    """Return a hash of files, of what lies beside them, and of where modules are looked for."""
    looked_for = [Path(x or ".") for x in sys.path if not {*INSTALLED} & {*Path(x).parts}]
    folders = sorted({*(file.parent for file in files), *(x for x in looked_for if x.is_dir())})
    digest = hashlib.sha256(repr((sys.version, sys.path)).encode(errors="backslashreplace"))
    for folder in folders:
        digest.update(repr((str(folder), names_in(folder))).encode(errors="backslashreplace"))
    for file in files:
        text = read(file)
        digest.update(f"{len(text)} ".encode() + text)
    return digest.hexdigest()


def names_in(folder: Path) -> list[str]:
    """Return the names of what lies in a folder, without what Python keeps there."""
    return sorted(x for x in os.listdir(folder) if x != "__pycache__")
