r"""Lines of a derivation that an array or cases hold: \begin{array}{rcl} a & = & b, and systems behind a brace.

Each becomes an environment of aligned lines, in as many characters; an array behind a brace that closes with nothing,
\left\{ .. \right., with a value and a condition in each row, becomes one of cases.
"""

import re

TABLE = re.compile(r"\\begin\{(?:array\}\{[lcr]+\s*|cases)\}")
RELATION = r"(?:=|<|>|\\(?:leq?|geq?|approx|equiv|triangleq|neq?)(?![a-zA-Z]))"
IN_A_COLUMN = re.compile(rf"&\s*(?:\{{\s*\}})?\s*{RELATION}\s*(?:\{{\s*\}})?\s*&|&\s*=")
IN_A_ROW = re.compile(RELATION)
ROW_END = re.compile(r"\\\\(?:\[[^\[\]]*\])?")
BRACE = re.compile(r"(?:\\left|\\[bB]igg?l?)\s*\\\{\s*\Z")
CLOSED_WITH_NOTHING = re.compile(r"\s*\\right\s*\.")
BEGIN_OF_ROW = re.compile(r"(?:\A|\\\\|\\begin\s*\{[a-z*]+\}|\\q?quad|&)\s*\Z")


def with_lines(latex: str) -> str:
    """Return a formula with aligned lines where tables hold these, each character that is read at its place."""
    at = 0
    while match := TABLE.search(latex, at):
        at = match.end()
        closing = r"\end{cases}" if match.group().endswith("cases}") else r"\end{array}"
        end = latex.find(closing, at)
        if end < 0 or r"\begin" in latex[at:end]:
            continue
        brace = BRACE.search(latex[: match.start()])
        behind = CLOSED_WITH_NOTHING.match(latex, end + len(closing))
        if holds_lines(latex[at:end], latex[: brace.start() if brace else match.start()]):
            latex = renamed(latex, match, end, closing, "split")
        elif brace and behind and closing == r"\end{array}":
            latex = renamed(latex, match, end, closing, "cases")
            latex = blank(blank(latex, brace.start(), match.start()), end + len(closing), behind.end())
    return latex


def holds_lines(body: str, before: str) -> bool:
    """Tell whether the rows of a table are equations: a relation has its column, or each row of a table that stands alone has one."""
    rows = [x for x in ROW_END.split(body) if x.strip()]
    begun = [x for x in rows if not x.lstrip().startswith("&")]
    if begun and all(map(IN_A_COLUMN.search, begun)):
        return True
    return BEGIN_OF_ROW.search(before) is not None and all(IN_A_ROW.search(x.partition("&")[0]) for x in rows)


def renamed(latex: str, match: re.Match[str], end: int, closing: str, name: str) -> str:
    """Return a formula in which a table has another name; it is not longer."""
    opened = rf"\begin{{{name}}}".ljust(len(match.group()))
    closed = rf"\end{{{name}}}".ljust(len(closing))
    return latex[: match.start()] + opened + latex[match.end() : end] + closed + latex[end + len(closing) :]


def blank(latex: str, start: int, end: int) -> str:
    """Return a formula with spaces between two places."""
    return latex[:start] + " " * (end - start) + latex[end:]
