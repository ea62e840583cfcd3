"""What a teacher sets for a course, in course.toml of its folder: its clocks, its pages, what parts of answers earn, late days."""

import tomllib
from pathlib import Path
from typing import Any

SETTINGS = "course.toml"
KNOWN = ("zone", "site", "partial", "late")


def settings(folder: Path) -> dict[str, Any]:
    """Return what course.toml says, {} where there is none.  Raises ValueError, in words, for what cannot be read or is not known."""
    file = folder / SETTINGS
    if not file.exists() and not file.is_symlink():
        return {}
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{SETTINGS} must be a table as TOML writes it: {error}") from None
    if strange := sorted({*found} - {*KNOWN}):
        raise ValueError(f"{SETTINGS} may hold {', '.join(KNOWN)}, got {', '.join(strange)}")
    return found


def subtable(parent: dict[str, Any], name: str, where: str) -> dict[str, Any]:
    """Return the table of this name in another, {} where there is none; where: both names, for the sentence.  Raises ValueError where something else stands there."""
    found = parent.get(name, {})
    if not isinstance(found, dict):
        raise ValueError(f"[{where}] in {SETTINGS} must be a table, got {found!r}")
    return found
