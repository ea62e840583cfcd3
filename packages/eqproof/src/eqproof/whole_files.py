"""Files that are written as a whole or not at all, with a sum that tells whether their contents are damaged."""

import hashlib
import os
import tempfile
from pathlib import Path


def checksum(body: str) -> str:
    """Return a sum that tells whether a text is damaged."""
    return hashlib.sha256(body.encode()).hexdigest()


def write_whole(file: Path, text: str) -> None:
    """Write a file, all of it or nothing; raise OSError where it cannot be written."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, delete=False) as made:
        made.write(text)
    try:
        os.replace(made.name, file)
    except OSError:
        os.unlink(made.name)
        raise
