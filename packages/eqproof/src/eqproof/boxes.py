r"""Boxes, braces above, lines below and what is set beside its place: \colorbox{yellow}{$x$}, \overbrace, \underline, \mathclap.

Each is replaced by what is read, in as many characters. What is printed over its neighbors stays, and is refused.
"""

import re
from collections.abc import Callable

from eqproof.own_commands import closing_brace

COLORS = "red|green|blue|cyan|magenta|orange|purple|violet|teal|olive|brown|gray"  # seen on light and dark pages
NAMED_COLORS = (
    rf"{COLORS}|black|darkgray|darkgreen|darkblue|darkred|Red|Green|Blue|Cyan|Magenta|Orange|Purple|Violet|Brown|Gray|Black"
    "|RoyalBlue|NavyBlue|MidnightBlue|ForestGreen|OliveGreen|BrickRed|Maroon|BurntOrange|Plum"
)
COLOR = rf"(?:{NAMED_COLORS})(?:\s*!\s*(?:[5-9]\d|100)(?:\s*!\s*(?:{NAMED_COLORS}))?)?"  # half of it or more is seen
PALE = rf"(?:{NAMED_COLORS}|white|yellow|pink|lightgray|lime)(?:\s*!\s*\d+(?:\s*!\s*\w+)?)?"  # behind what is printed
BOX = re.compile(
    rf"(?<!\\)\\(?:fbox|framebox(?:\s*\[[^\[\]]*\])*|boxed|colorbox\s*\{{\s*{PALE}\s*\}}|fcolorbox\s*\{{[^{{}}]*\}}\s*\{{\s*{PALE}\s*\}}"
    r"|bbox(?:\s*\[[^\[\]]*\])?|Aboxed|tcboxmath(?:\s*\[[^\[\]]*\])?|tcbhighmath(?:\s*\[[^\[\]]*\])?|highlight)(?![a-zA-Z])\s*(?=\{)"
)
MATHEMATICS = re.compile(r"\s*(?:\$([^$]*)\$|\\\(((?:(?!\\\)).)*)\\\))\s*", re.DOTALL)
OF_WORDS = re.compile(
    r"\\(?:fbox|framebox|f?colorbox)(?![a-zA-Z])"
)  # whose contents are words, if no dollars stand there
WHOLE_LINE = re.compile(
    r"[=<>&]|\\\\|\\(?:leq?|geq?|neq?|approx|equiv|sim|propto|begin|to|in|implies|iff|Rightarrow)(?![a-zA-Z])"
)
OVERBRACE = re.compile(r"(?<!\\)\\over(?:brace|bracket)(?![a-zA-Z])\s*(?=\{)")
UNDERLINE = re.compile(r"(?<!\\)\\underline(?![a-zA-Z])\s*(?=\{)")
BESIDE = re.compile(r"(?<!\\)\\(?:math)?(?P<side>[rl]lap|clap)(?![a-zA-Z])\s*(?=\{)")
NOTHING_BEHIND = re.compile(
    r"\s*(?:\Z|&|\\\\|\\end(?![a-zA-Z])|\\q?quad(?![a-zA-Z])|\\[hv]?phantom(?![a-zA-Z])|\\hspace\s*\{\s*[\d.]|[.,]?\s*\Z)"
)
NOTHING_BEFORE = re.compile(
    r"(?:\A|&|\\\\(?:\[[^\[\]]*\])?|\\begin\s*\{[a-z*]+\}|\\q?quad|\\phantom\s*\{[^{}]*\}|\\hspace\s*\{\s*[\d.][^{}]*\})\s*\Z"
)
SCRIPT_BEFORE = re.compile(r"[_^]\s*\{\s*\Z")


def with_boxes_open(latex: str) -> str:
    """Return a formula without boxes around what it says, each character that is read at its place."""
    if "\\" not in latex:
        return latex
    latex = replaced(BOX, latex, opened_box)
    latex = replaced(OVERBRACE, latex, braced_above)
    latex = replaced(UNDERLINE, latex, underlined)
    return replaced(BESIDE, latex, beside)


def replaced(opening: re.Pattern[str], latex: str, change: Callable[[str, re.Match[str], int], str | None]) -> str:
    """Return a formula in which each command that takes one group is changed: None leaves it as it is."""
    at = 0
    while match := opening.search(latex, at):
        at = match.end()
        end = closing_brace(latex, match.end())
        if not end:
            continue
        changed = change(latex, match, end)
        if changed is not None:
            assert len(changed) == len(latex)  # so that a place stays that place
            latex = changed
            at = match.start()
    return latex


def with_inside(latex: str, start: int, end: int, inside: str, at: int) -> str:
    """Return a formula in which all between two places is blank but for what stands inside, at its place."""
    return latex[:start] + " " * (at - start) + inside + " " * (end - at - len(inside)) + latex[end:]


def opened_box(latex: str, match: re.Match[str], end: int) -> str | None:
    """Return a formula without a box; of one that holds words, the mathematics between dollars.

    A box around a term leaves its braces, which refuse a neighbor: a boxed sum times c is that sum times c for whoever looks.
    """
    start = match.end()
    inside = latex[start + 1 : end - 1]
    found = MATHEMATICS.fullmatch(inside)
    if not found and OF_WORDS.match(match.group()):
        return None
    at = start + 1
    if found:
        k = 1 if found[1] is not None else 2
        inside, at = found[k], at + found.start(k)
    if not WHOLE_LINE.search(inside):
        inside, at = "{" + inside + "}", at - 1
    return with_inside(latex, match.start(), end, inside, at)


def braced_above(latex: str, match: re.Match[str], end: int) -> str | None:
    r"""Return a formula in which what is said above a brace stands below it: \overbrace{a + b}^{2} would be a power else."""
    said = re.compile(r"\s*\^").match(latex, end)
    if not said:
        return None
    return latex[: said.end() - 1] + "_" + latex[said.end() :] if latex[said.end() - 1] == "^" else None


def underlined(latex: str, match: re.Match[str], end: int) -> str | None:
    """Return a formula without a line below an equation, or below what is underlined twice, as a result is."""
    inside = latex[match.end() + 1 : end - 1]
    if re.search(r"[=<>]", inside) or (re.match(r"\s*\\underline", inside) and re.search(r"[-+=\d]", inside)):
        return with_inside(latex, match.start(), end, inside, match.end() + 1)
    return None


def beside(latex: str, match: re.Match[str], end: int) -> str | None:
    """Return a formula in which what is set beside its place stands there, where it covers nothing."""
    inside = latex[match.end() + 1 : end - 1]
    before = latex[: match.start()]
    covers = {
        "rlap": not NOTHING_BEHIND.match(latex, end),
        "llap": not NOTHING_BEFORE.search(before),
        "clap": not (SCRIPT_BEFORE.search(before) and re.compile(r"\s*\}").match(latex, end)),
    }[match["side"]]
    if covers:
        return None
    words = not match.group().startswith(r"\math")
    found = MATHEMATICS.fullmatch(inside) if words else None
    if words and not found:
        return None
    inner, at = (found[1], found.start(1)) if found and found[1] is not None else (inside, 0)
    return with_inside(latex, match.start(), end, inner, match.end() + 1 + at)
