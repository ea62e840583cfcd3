r"""Numbers in running text: which of them are computed, which are given, and which have no source.

A text says that an arm falls in 3.27 s; one day the arm is another, and the text still says so. Where a project's settings
hold `numbers = true`, each number that is printed with a decimal point, a power of ten or three digits has a source, the
first of these:

- compared: a cell of its page compares it with what it computes, `quoted({"3.27": time})`;
- related: it stands in a relation that holds, or has its reason in relations.toml, see eqproof.inline, and says more
  than a letter and its number;
- given: it stands in the code of its page, shown or run, or in a displayed equation: data, a step, a tolerance;
- told: numbers.toml beside the proofs says what it is: a version, a section of another book, data of an exercise.

One that has none is told, and so is a reason for a number that the page does not print. Whole numbers of one or two
digits need no source, for they count and order things; what they are is kept, as is the order of all numbers, see eqproof.printed.
"""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eqproof.code import DECIMAL, calls_quoted, code_of, nodes_of
from eqproof.errors import ProofError
from eqproof.inline import Relation, formulas, names_number, running_text
from eqproof.notes import NUMBER_NOTES, RELATION_NOTES, noted
from eqproof.pages import DISPLAY, displays
from eqproof.parser import parse
from eqproof.project import expand, project

SOURCES = ("compared", "related", "given", "told")
NUMBER = re.compile(
    r"(?<![\w.,\\])(?<!\w-)(?<!_\{)(?!0\d)(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?P<part>\.\d+)?"
    r"(?:\s*(?:\\cdot|·|\\times)\s*10\^\{?(?P<power>-?\d+)\}?)?(?!\w|[.,]\d)"
)
NO_TEXT = re.compile(  # front matter, targets of links, addresses, labels, options, tags and comments of HTML
    r"\A---\n.*?\n---\n|(?<=\])\([^)\n]*\)|https?://\S+|^\([^)\n]*\)=|^[ \t]*:[\w-]+:[^\n]*|<!--.*?-->|<[a-z/][^>\n]*>",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class PrintedNumber:
    """A number as running text prints it, in the digits of Python, 3.1e-7, and its source, "" without one."""

    text: str
    source: str


def numbers_in(text: str) -> list[tuple[int, str]]:
    """Return [(its place, its digits)] of the numbers in a text that need a source."""
    found = []
    for match in NUMBER.finditer(text):
        if match["part"] or match["power"] or len(match["whole"].replace(",", "")) > 2:
            found.append((match.start(), digits_of(match)))
    return found


def digits_of(match: re.Match[str]) -> str:
    """Return a printed number in the digits of Python: 1,024 as 1024, 3.1 \\cdot 10^{-7} as 3.1e-7."""
    power = f"e{int(match['power'])}" if match["power"] else ""
    return f"{match['whole'].replace(',', '')}{match['part'] or ''}{power}"


def in_code(code: str) -> tuple[set[str], set[float]]:
    """Return the numbers that a cell compares with the text by `quoted`, without their signs, and those that it holds."""
    nodes = nodes_of(code)
    values = [x.value for x in nodes if isinstance(x, ast.Constant)]
    held = {float(x) for x in values if isinstance(x, int | float) and not isinstance(x, bool)}
    if not calls_quoted(nodes):
        return set(), held
    formats = {part for x in nodes if isinstance(x, ast.JoinedStr) for part in ast.walk(x)}
    words = [x.value for x in nodes if isinstance(x, ast.Constant) and isinstance(x.value, str) and x not in formats]
    return {x.removeprefix("-") for x in words if DECIMAL.fullmatch(x)}, held


def quoted_in(code: str) -> list[str]:
    """Return the numbers that are keys of a table in a call of `quoted`, as they stand there."""
    nodes = nodes_of(code)
    calls = [x for x in nodes if isinstance(x, ast.Call) and "quoted" in vars(x.func).values()]
    keys = [key for call in calls for table in call.args if isinstance(table, ast.Dict) for key in table.keys]
    return [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]


def gives_numbers(text: str) -> bool:
    """Tell whether a relation gives numbers to letters and says nothing else: a reason for it is no source of these."""
    try:
        return all(map(names_number, parse(text).chains))
    except ProofError:
        return False


def unprinted_numbers(page: Path) -> list[str]:
    """Return sentences on numbers that a cell compares with the text, which does not print them."""
    printed = {digits_of(match) for match in NUMBER.finditer(running_text(page))}
    keys = dict.fromkeys(key for code in code_of(page) for key in quoted_in(code))
    return [f"quoted {x} stands nowhere in the text of this page" for x in keys if x.removeprefix("-") not in printed]


def numbers(page: str | Path, found: Sequence[Relation] = ()) -> list[PrintedNumber]:
    """Return the numbers in the running text of a page that need a source; found: the relations in it."""
    page = Path(page)
    text = DISPLAY.sub(blank, NO_TEXT.sub(blank, running_text(page)))
    notes = noted(page, NUMBER_NOTES) or {}
    related = places_related(page, text, found)
    cells = [in_code(code) for code in code_of(page)]
    compared = set().union(*(quotes for quotes, _ in cells))
    given = {float(x) for display in displays(page) for _, x in numbers_in(display.text)}
    given = given.union(*(held for _, held in cells))

    def source(place: int, number: str) -> str:
        sources = (number in compared, place in related, float(number) in given, bool(notes.get(number, "").strip()))
        return next((kind for kind, true in zip(SOURCES, sources) if true), "")

    return [PrintedNumber(number, source(place, number)) for place, number in numbers_in(text)]


def blank(match: re.Match[str]) -> str:
    """Return spaces in place of what was found, on as many lines."""
    return re.sub(r"[^\n]", " ", match[0])


def places_related(page: Path, text: str, found: Sequence[Relation]) -> set[int]:
    """Return all places in the text of a page that lie within relations which hold, or have their reason in relations.toml."""
    settled = {x.text for x in found if x.kind == "holds"}
    settled |= {x for x in noted(page, RELATION_NOTES) or {} if not gives_numbers(x)}
    macros = project(page.parent).macros
    held = [(place + 1, formula) for place, formula in formulas(text) if expand(formula, macros) in settled]
    return {start + inside for start, formula in held for inside in range(len(formula))}


def numbers_without_source(page: Path, found: list[PrintedNumber]) -> list[str]:
    """Return sentences on numbers in running text without a source, and on reasons for none; nothing without the setting."""
    if not project(page.parent).numbers:
        return []
    notes = noted(page, NUMBER_NOTES) or {}
    rest = 'has no source: compare it in a cell, quoted({"..": value}), or say in numbers.toml what it is'
    bare = dict.fromkeys(x.text for x in found if not x.source)
    idle = [x for x in notes if x not in {x.text for x in found if x.source in ("told", "")}]
    return [f"{x} in running text {rest}" for x in bare] + [
        f"numbers.toml says what {x} is, which {page.name} does not print, or which has a source" for x in idle
    ]
