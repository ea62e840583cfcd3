r"""Quotations: an equation that a page refuses is another text's, and stays as it stands there.

A misprint is refused because it is false, and so would any other false text be. So `python -m eqproof --labels` keeps the
text of each equation that is refused in quotations.toml beside the proofs, where the author compares it with its source
once; every run compares the page with what is kept. Spaces and colors are not compared, nor are braces around one sign:
\frac12 m may be \frac{1}{2} m, and is not \frac{1}{2 m}.
"""

import re
from pathlib import Path

from eqproof.chapter import Chapter
from eqproof.ledger_files import file_of_proofs, proofs_of
from eqproof.notes import QUOTATION_NOTES, note, noted

TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\S", re.DOTALL)
COLOR = re.compile(r"\\textcolor\s*\{\w+\}")
SPACES = (r"\,", r"\;", r"\:", r"\!", "\\ ", "\\\n", "~")


def as_printed(text: str) -> str:
    """Return LaTeX without colors and spaces, and without braces around one sign."""
    kept: list[str] = []
    for token in TOKEN.findall(COLOR.sub("", text)):
        kept += [token] if token not in SPACES else []
        if token == "}" and kept[-3:-2] == ["{"] and kept[-2] != "{":
            kept[-3:] = [kept[-2]]
    named = [before[1:].isalpha() and token.isalpha() for before, token in zip(["", *kept], kept)]
    return "".join(" " * apart + token for token, apart in zip(kept, named))


def quotations(chapter: Chapter) -> dict[str, str]:
    """Return {label: text} of the equations that a chapter refuses."""
    refused = [entry.label for entry in chapter.entries.values() if entry.verb == "refuse"]
    return {label: as_printed(chapter.texts[label]) for label in refused if label in chapter.texts}


def misquoted(page: Path, chapter: Chapter) -> list[str]:
    """Return sentences on quotations of a page that are not those that are kept; nothing where no file keeps any."""
    kept = noted(page, QUOTATION_NOTES)
    if kept is None:
        return []
    now = quotations(chapter)
    rest = "compare it with its source, and python -m eqproof --labels"
    changed = [
        f"{x} is not the quotation that is kept, {kept[x]}: {rest}" for x in now if x in kept and kept[x] != now[x]
    ]
    new = [f"{x} is a quotation that is not kept: {rest}" for x in now if x not in kept]
    return [
        *changed,
        *new,
        *(f"quotations.toml keeps {x}, which {page.name} does not refuse" for x in kept if x not in now),
    ]


def write(pages: list[Path]) -> None:
    """Keep the quotations of these pages; of a page whose proofs refuse nothing there are none."""
    head = (
        "Equations that pages quote and refuse, as they stand in their sources, kept by `python -m eqproof --labels`."
    )
    quoting = [
        x for x in pages if file_of_proofs(x).exists() and "refuse(" in file_of_proofs(x).read_text(encoding="utf8")
    ]
    chapters = {page: proofs_of(page) for page in quoting}
    note(QUOTATION_NOTES, head, {page: quotations(x) for page, x in chapters.items() if x is not None})
