"""What each label is about: the left side of its equation and the letters in it, kept in labels.toml beside the proofs.

Two labels that change places are not seen by proofs, for both equations hold. So `python -m eqproof --labels` notes what
each label stands for, in a file that is part of the project, and every run compares: an equation may be rewritten, but
one that now stands under a label where another label stood is told. Of labels that are about the same, the whole
equation is kept. A label that is not in the file is not compared.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from eqproof.errors import ProofError
from eqproof.notes import LABEL_NOTES, note, noted
from eqproof.pages import displays
from eqproof.parser import parse
from eqproof.tree import Symbol, walk


def equation_summary(text: str) -> str:
    """Return in one line what an equation is about: its left side, and all letters in it, without what they wear."""
    try:
        claims = parse(text)
    except ProofError:  # its own entry has failed for that
        return ""
    left = claims.chains[0].sides[0]
    letters = sorted({x.base for x in walk(claims) if isinstance(x, Symbol)})
    return normalized_latex(text[slice(*left.span)]) + " | " + " ".join(letters)


def normalized_latex(text: str) -> str:
    """Return LaTeX without colors, spaces and braces."""
    return re.sub(r"\\textcolor\{\w+\}|[\s{}]", "", text)


def distinct_summaries(page: Path) -> dict[str, str]:
    """Return {label: what it is about} of a page, the whole equation where two labels are about the same."""
    texts = {display.label: display.text for display in displays(page) if display.label}
    found = {label: equation_summary(text) for label, text in texts.items()}
    alone = [what for what, count in Counter(found.values()).items() if count == 1]
    return {label: what if what in alone else normalized_latex(texts[label]) for label, what in found.items()}


def moved_labels(page: Path) -> list[str]:
    """Return sentences on labels of a page that stand now where another one stood."""
    before = noted(page, LABEL_NOTES) or {}
    now = [
        (x.label, what)
        for x in displays(page)
        if x.label
        for what in (equation_summary(x.text), normalized_latex(x.text))
    ]
    others = {what: label for label, what in before.items()}
    swapped = [
        f"{label} was about {before[label]}, and stands now where {others[what]} stood: have two labels changed places? "
        "If not, python -m eqproof --labels"
        for label, what in now
        if what in others and before.get(label, what) != what
    ]
    return swapped + [
        x for x in became_another(page, before) if not any(y.startswith(x.split(" | ")[0]) for y in swapped)
    ]


def became_another(page: Path, before: dict[str, str]) -> Iterator[str]:
    """Yield sentences on labels whose equation has another left side and other letters than what is noted of them."""
    for label, text in {x.label: x.text for x in displays(page) if x.label}.items():
        was = before.get(label, "").split(" | ")
        now = equation_summary(text).split(" | ")
        if len(was) == len(now) == 2 and was[0] != now[0] and set(was[1].split()) != set(now[1].split()):
            yield (
                f"{label} was about {before[label]}, and is now about {equation_summary(text)}: is it the equation that others name? "
                "If so, python -m eqproof --labels"
            )


def write(pages: list[Path]) -> None:
    """Write down what each label of these pages is about."""
    head = "What each label is about, written by `python -m eqproof --labels`; see eqproof.labels."
    note(LABEL_NOTES, head, {page: distinct_summaries(page) for page in pages})
