r"""Commands that a text defines itself, by \newcommand, \def or \DeclareMathOperator, and what they stand for in its formulas."""

import re

from eqproof.errors import Unreadable
from eqproof.input_limits import DEEPEST, LARGEST_DISPLAY
from eqproof.project import expand

DEFINITION = re.compile(
    r"\\(?:(?:re|provide)?newcommand\*?\s*(?:\{\s*(\\[a-zA-Z]+)\s*\}|(\\[a-zA-Z]+))\s*(?:\[(\d)\])?"
    r"|def\s*(\\[a-zA-Z]+)((?:#\d)*)|(DeclareMathOperator)\*?\s*\{\s*(\\[a-zA-Z]+)\s*\})\s*(?=\{)"
)
COMMAND = re.compile(r"\\[a-zA-Z]+")
LONGEST = 2_000  # characters of what a command stands for
COMMON = {  # of packages that many load; what the text defines itself comes first
    r"\vb": r"\mathbf{#1}",
    r"\vectorbold": r"\mathbf{#1}",
    r"\va": r"\vec{\mathbf{#1}}",
    r"\vu": r"\hat{\mathbf{#1}}",
    **{
        rf"\{name}": rf"\operatorname{{{name}}}" for name in ("tr", "rank", "diag", "sgn", "arsinh", "arcosh", "artanh")
    },
    r"\Tr": r"\operatorname{tr}",
    r"\Re": r"\operatorname{Re}",
    r"\Im": r"\operatorname{Im}",
    r"\sign": r"\operatorname{sign}",
    r"\lcm": r"\operatorname{lcm}",
    r"\arccot": r"\operatorname{arccot}",
    r"\require": r"\relax{}",
    r"\overrightarrow": r"\vec{#1}",
    r"\arcsinh": r"\operatorname{arsinh}",
    r"\arccosh": r"\operatorname{arcosh}",
    r"\arctanh": r"\operatorname{artanh}",
    r"\qq": r"\quad\text{#1}\quad",
}


def without_definitions(text: str) -> tuple[str, dict[str, str]]:
    r"""Return (the text with spaces where it defines commands, {command: what it stands for})."""
    macros: dict[str, str] = {}
    kept = []
    last = 0
    for match in DEFINITION.finditer(text):
        end = closing_brace(text, match.end())
        name = match[1] or match[2] or match[4] or match[7]
        body = text[match.end() + 1 : end - 1]
        if name and end:
            macros[name] = rf"\operatorname{{{body}}}" if match[6] else body
            start = max(last, match.start())
            kept += [text[last:start], re.sub(r"[^\n]", " ", text[start : max(start, end)])]
            last = max(last, end)
    return "".join([*kept, text[last:]]), macros


def closing_brace(text: str, start: int) -> int:
    """Return where the brace that opens at a place is closed, behind it; 0 where it is not, too far away or too deep."""
    depth = 0
    for match in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, start, start + LONGEST):
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth == 0 and match.group() == "}":
            return match.end()
        if depth > DEEPEST:
            break
    return 0


def expand_commands(latex: str, macros: dict[str, str]) -> str:
    """Return a formula without a text's own commands; raise Unreadable where that makes it too large, or never ends."""
    used: dict[str, str] = {}
    sizes: dict[str, float] = {}
    added = sum(expanded_length(name, macros, sizes, used, ()) for name in COMMAND.findall(latex))
    if added > LARGEST_DISPLAY:
        raise Unreadable("is too large, or has no end, with what its own commands stand for: write it in parts")
    if len(latex) > LARGEST_DISPLAY:
        return latex  # which is refused as too large
    return expand(latex, {name: body for name, body in macros.items() if name in used})


def expanded_length(
    name: str, macros: dict[str, str], sizes: dict[str, float], used: dict[str, str], within: tuple[str, ...]
) -> float:
    """Return how many characters a command is at most once all commands in it are replaced; infinite where it is in itself.

    Adds what is used to `used`, and what is known to `sizes`.
    """
    if name not in macros:
        return 0
    if name in within or len(within) > 40:
        return float("inf")
    used[name] = macros[name]
    if name not in sizes:
        inner = COMMAND.findall(macros[name])
        sizes[name] = len(macros[name]) + sum(expanded_length(x, macros, sizes, used, (*within, name)) for x in inner)
    return sizes[name]
