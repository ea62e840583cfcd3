r"""Where displays begin and end in a text of LaTeX or markdown, in one pass: $$, \[, environments, math directives.

One that is never closed is told as such, so that nothing behind it is left out in silence.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

OPENING = re.compile(
    r"(?P<dollars>(?<![\\$])\$\$)|(?P<bracket>(?<!\\)\\\[)"
    r"|(?P<begin>\\begin\{(?P<name>(?:align|alignat|flalign|xalignat|equation|gather|multline|eqnarray|IEEEeqnarray|dmath|displaymath)\*?)\})"
    r"|^[ \t]*(?P<fence>`{3,}|:{3,})\{math\}",
    re.MULTILINE,
)
EMPTY_LINE = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True)
class Piece:
    """A display in a text: where it begins and ends; broken: why it has no end, "" where it has one."""

    start: int
    end: int
    broken: str = ""


def pieces(text: str, original: str, paragraphs: bool) -> Iterator[Piece]:
    """Yield the displays of a text in their order.

    original: the text with its comments; paragraphs: an empty line ends a formula between dollars, as in LaTeX.
    """
    missing: set[str] = set()  # ends that do not stand in the rest of the text
    at = 0
    while match := OPENING.search(text, at):
        opening = match.group().strip()
        closing = end_of(match)
        if match["dollars"] and text.count("$", text.rfind("\n", 0, match.start()) + 1, match.start()) % 2:
            at = match.end() - 1  # $a$$b$: the end of one inline formula and the begin of the next
            continue
        end = -1 if closing in missing else find_end(text, match.end(), closing, fence=bool(match["fence"]))
        if end < 0:
            missing.add(closing)
        if end < 0 or ends_a_later_display(text, original, match, end, paragraphs):
            yield Piece(match.start(), match.end(), f"{opening} is not closed: {closing} is missing behind it")
            at = match.end()
        else:
            yield Piece(match.start(), end)
            at = end


def end_of(match: re.Match[str]) -> str:
    """Return what must close an opening."""
    if match["name"]:
        return rf"\end{{{match['name']}}}"
    return match["fence"] or {"$$": "$$", r"\[": r"\]"}[match.group()]


def find_end(text: str, start: int, closing: str, fence: bool) -> int:
    """Return the place behind the next end of a display, -1 where there is none; that of a directive has a line of its own."""
    if not fence:
        place = text.find(closing, start)
        return place + len(closing) if place >= 0 else -1
    match = re.compile(rf"^[ \t]*{closing}[ \t]*$", re.MULTILINE).search(text, start)
    return match.end() if match else -1


def ends_a_later_display(text: str, original: str, match: re.Match[str], end: int, paragraphs: bool) -> bool:
    """Tell whether what seems to be the end of a display is that of a later one, as another opening in it tells."""
    if match["dollars"]:
        return paragraphs and bool(EMPTY_LINE.search(original, match.start(), end))
    again = {"bracket": r"(?<!\\)\\\[", "begin": re.escape(match.group())}
    kind = match.lastgroup if match.lastgroup in again else "begin" if match["begin"] else ""
    return bool(kind) and re.compile(again[kind]).search(text, match.end(), end) is not None
