r"""Numbers in running text as the author has kept them: each in its order, so that none changes unseen.

A source (eqproof.numbers) tells that a number may stand on a page, and not that it stands in its place: another one that
the code of the page holds by chance passes, so do two that are exchanged, small whole numbers, and expressions without a
relation, `$13 N^2 + 17 N - 51$`, which nothing computes. So where a project's settings hold `numbers = true`,
`python -m eqproof --numbers` keeps all numbers in the running text of each page, with their signs and section by section,
in printed.toml beside the proofs; a formula of more than one sign is kept as a whole, with or without a digit: `$k > w$`
turned around may be true of another place of its page, `$m g l \sin q$` is no relation, and pages without proofs try none.
Every run compares: what is changed, new, gone or exchanged is told until the author has looked at it and keeps it anew.
Kept is not proven: that a number had a false digit when it was kept is seen by its source alone.

Not kept are displayed equations, which have their proofs, code, addresses, labels, options, and the numbers of lists.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path

from eqproof.inline import INLINE, running_text
from eqproof.notes import PRINTED_NOTES, note, noted
from eqproof.numbers import NO_TEXT, blank
from eqproof.pages import DISPLAY
from eqproof.project import project

HEADING = re.compile(r"^#+[ \t]+(.+?)[ \t]*$", re.MULTILINE)
ITEM = re.compile(r"^[ \t>]*\d+[.)](?=[ \t])", re.MULTILINE)
PRINTED = re.compile(rf"{INLINE.pattern}|(?:(?<![\w)\]}}$])[-−+±])?\d+(?:[.,]\d+)*")
STYLE = re.compile(r"\\(?:boldsymbol|bm|math[a-z]+|textcolor\s*\{\w+\}|displaystyle|[,;:!>])(?![a-zA-Z])|\\ ")
SIGN = re.compile(r"\\[a-zA-Z]+|[^\s{}_^&~$]")
BETWEEN = "  "  # two numbers that are kept; within a formula are single spaces alone


def sections(page: Path) -> Iterator[tuple[str, str]]:
    """Yield (heading, text with the heading) of each section of a page, without what no reader reads as text."""
    text = ITEM.sub(blank, DISPLAY.sub(blank, NO_TEXT.sub(blank, running_text(page))))
    starts = [(0, ""), *((match.start(), match[1]) for match in HEADING.finditer(text)), (len(text), "")]
    for (start, heading), (end, _) in pairwise(starts):
        yield heading, text[start:end]


def printed(page: Path) -> dict[str, list[str]]:
    """Return {heading: numbers and formulas} of a page, in their order; a heading that comes again has its count."""
    found: dict[str, list[str]] = {}
    for heading, text in sections(page):
        matches = [f"${' '.join(match[1].split())}$" if match[1] else match[0] for match in PRINTED.finditer(text)]
        if numbers := [x for x in matches if re.search(r"\d", x) or len(SIGN.findall(STYLE.sub("", x))) > 1]:
            again = sum(key == heading or key.startswith(f"{heading} (") for key in found)
            found[f"{heading} ({again + 1})" if again else heading] = numbers
    return found


def reprinted(page: Path) -> list[str]:
    """Return sentences on numbers in running text that are not those that are kept; nothing without the setting."""
    told = news(page) if project(page.parent).numbers else []
    return [f"{x}: if the page is right, python -m eqproof --numbers keeps the numbers of all pages" for x in told]


def news(page: Path) -> list[str]:
    """Return in words how the numbers in the running text of a page differ from those that are kept."""
    now = [(number, heading) for heading, numbers in printed(page).items() for number in numbers]
    kept = noted(page, PRINTED_NOTES) or {}
    if now and not kept:
        return [f"{page.name}: the numbers in its text are not kept in {PRINTED_NOTES}"]
    before = [(number, heading) for heading, row in kept.items() for number in row.split(BETWEEN)]
    return [f"{page.name}: {x}" for x in changes(before, now)]


def changes(before: list[tuple[str, str]], now: list[tuple[str, str]]) -> Iterator[str]:
    """Yield in words each change between two lists of (number, heading)."""
    texts = [[number for number, _ in row] for row in (before, now)]
    for kind, i, j, k, end in SequenceMatcher(None, texts[0], texts[1], autojunk=False).get_opcodes():
        old = ", ".join(texts[0][i:j])
        new = ", ".join(texts[1][k:end])
        heading = next((heading for _, heading in now[k:end] or before[i:j]), "")
        where = "in running text" + f' below "{heading}"' * bool(heading)
        if kind == "replace":
            yield f"{new} {where} stands where {old} is kept"
        elif kind != "equal":
            yield f"{new} {where} is not kept" if new else f"{old} {where} is kept and stands there no more"


def write(pages: list[Path]) -> None:
    """Keep the numbers in the running text of these pages."""
    head = "Numbers in running text, in their order, kept by `python -m eqproof --numbers`; see eqproof.printed."
    rows = {page: {heading: BETWEEN.join(row) for heading, row in printed(page).items()} for page in pages}
    note(PRINTED_NOTES, head, rows)
