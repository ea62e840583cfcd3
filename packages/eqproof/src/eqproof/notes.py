"""What is noted of each page in a file beside the proofs, such as labels.toml: a command writes it, every run compares."""

import json
import re
from pathlib import Path

from eqproof.project import project, read

LABEL_NOTES = "labels.toml"
RELATION_NOTES = "relations.toml"
NUMBER_NOTES = "numbers.toml"
QUOTATION_NOTES = "quotations.toml"
PRINTED_NOTES = "printed.toml"


def file_of_notes(page: Path, name: str) -> Path:
    """Return the path of the file of that name in the folder of a page's proofs, whether it exists or not."""
    return page.parent / project(page.parent).proofs / name


def noted(page: Path, name: str) -> dict[str, str] | None:
    """Return {key: what is noted} of a page, None where there is no such file."""
    file = file_of_notes(page, name)
    return read(file).get(page.stem, {}) if file.exists() else None


def note(name: str, head: str, pages: dict[Path, dict[str, str]]) -> None:
    """Write down {key: what is noted} of these pages and of no others, one file in each folder of proofs."""
    files: dict[Path, list[str]] = {}
    for page, notes in pages.items():
        rows = [f"{key(left)} = {json.dumps(right, ensure_ascii=False)}" for left, right in notes.items()]
        parts = files.setdefault(file_of_notes(page, name), [])
        parts += ["\n".join([f"[{key(page.stem)}]", *rows])] if rows else []
    for file, parts in files.items():
        if file.exists() or (parts and file.parent.exists()):
            file.write_text("\n\n".join([f"# {head}", *parts]) + "\n", encoding="utf8")


def key(text: str) -> str:
    """Return a key of TOML, in quotation marks where it needs them."""
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else json.dumps(text, ensure_ascii=False)
