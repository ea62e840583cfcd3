"""What each label is about: the left side of its equation and the letters in it, kept in labels.toml beside the proofs.

Two labels that change places are not seen by proofs, for both equations hold. So `python -m eqproof --labels` notes what
each label stands for, in a file that is part of the project, and every run compares: an equation may be rewritten, but
one that now stands under a label where another label stood is told. Of labels that are about the same, the whole equation is
kept. A label that is not in the file is not compared.
"""

import json
import re
import tomllib
from collections import Counter
from pathlib import Path

from eqproof.errors import ProofError
from eqproof.pages import displays
from eqproof.parser import parse
from eqproof.project import project
from eqproof.tree import Symbol, walk


def about(text: str) -> str:
    """Return in one line what an equation is about: its left side, and all letters in it, without what they wear."""
    try:
        claims = parse(text)
    except ProofError:  # its own entry has failed for that
        return ""
    left = claims.chains[0].sides[0]
    letters = sorted({x.base for x in walk(claims) if isinstance(x, Symbol)})
    return plain(text[slice(*left.span)]) + " | " + " ".join(letters)


def plain(text):
    """Return LaTeX without colors, spaces and braces."""
    return re.sub(r"\\textcolor\{\w+\}|[\s{}]", "", text)


def told_apart(page):
    """Return {label: what it is about} of a page, the whole equation where two labels are about the same."""
    texts = {display.label: display.text for display in displays(page) if display.label}
    found = {label: about(text) for label, text in texts.items()}
    alone = [what for what, count in Counter(found.values()).items() if count == 1]
    return {label: what if what in alone else plain(texts[label]) for label, what in found.items()}


def file_of_labels(page: Path) -> Path:
    """Return the path of the file that keeps what the labels of a page are about."""
    return page.parent / project(page.parent).proofs / "labels.toml"


def moved(page: Path) -> list[str]:
    """Return sentences on labels of a page that stand now where another one stood."""
    file = file_of_labels(page)
    if not file.exists():
        return []
    before = tomllib.loads(file.read_text(encoding="utf8")).get(page.stem, {})
    now = [(x.label, what) for x in displays(page) if x.label for what in (about(x.text), plain(x.text))]
    others = {what: label for label, what in before.items()}
    return [
        f"{label} was about {before[label]}, and stands now where {others[what]} stood: have two labels changed places? "
        "If not, python -m eqproof --labels"
        for label, what in now
        if what in others and before.get(label, what) != what
    ]


def write(pages: list[Path]) -> None:
    """Write down what each label of these pages is about, one file in each folder of proofs."""
    files: dict[Path, list[str]] = {}
    for page in pages:
        rows = [f"{label} = {json.dumps(what)}" for label, what in told_apart(page).items()]
        if rows and file_of_labels(page).parent.exists():
            files.setdefault(file_of_labels(page), []).append("\n".join([f"[{page.stem}]", *rows]))
    for file, parts in files.items():
        head = "# What each label is about, written by `python -m eqproof --labels`; see eqproof/labels.py.\n\n"
        file.write_text(head + "\n\n".join(parts) + "\n", encoding="utf8")
