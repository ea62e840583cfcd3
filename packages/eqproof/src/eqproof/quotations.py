"""Quotations: an equation that a page refuses is another text's, and stays as it stands there.

A misprint is refused because it is false, and so would any other false text be. So `python -m eqproof --labels` keeps the
text of each equation that is refused in quotations.toml beside the proofs, where the author compares it with its source
once; every run compares the page with what is kept. Spaces, braces and colors are not compared.
"""

from pathlib import Path

from eqproof.chapter import Chapter
from eqproof.labels import normalized_latex
from eqproof.ledger_files import file_of_proofs, proofs_of
from eqproof.notes import QUOTATION_NOTES, note, noted


def quotations(chapter: Chapter) -> dict[str, str]:
    """Return {label: text} of the equations that a chapter refuses."""
    refused = [entry.label for entry in chapter.entries.values() if entry.verb == "refuse"]
    return {label: normalized_latex(chapter.texts[label]) for label in refused if label in chapter.texts}


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
