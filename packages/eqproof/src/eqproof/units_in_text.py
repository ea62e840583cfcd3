r"""Units that a text says of its letters, and steps whose sides are measured in other units.

m = 2\,\mathrm{kg}, [F] = \mathrm{N} and a declaration, v in m/s, tell of what dimension a letter is; a prefix, as in km, changes
none. A letter of which a text says two dimensions has none. Where all letters of a step have one, its terms and sides must
agree; what is declared is false where they do not, what the text says alone is told, for a letter may mean two things.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

import sympy

from eqproof import conventions, tree
from eqproof.bindings import Bindings, key_of
from eqproof.comparison import free_letters
from eqproof.errors import ProofError
from eqproof.outcome import Context, Outcome
from eqproof.unit_tables import BASE, DERIVED, Units, exponents
from eqproof.units import OtherUnit, without_unit

NAME = r"\\?[A-Za-z]+(?:_(?:\{[^{}]*\}|\\?\w+))?"
WORD = r"\\(?:mathrm|text|textrm|textup|operatorname|unit|si|rm)\s*\{[^{}]*\}(?:\s*\^\s*(?:\{\s*-?\s*\d+\s*\}|\d))?"
UNIT = rf"(?P<unit>{WORD}(?:(?:\s|\\[,;:! ]|~|\\cdot(?![a-zA-Z])|/)*{WORD})*)"
NUMBER = r"[-+]?\s*\d[\d.,]*(?:\s*\\(?:times|cdot)\s*10\s*\^\s*\{?\s*-?\s*\d+\s*\}?)?"
SPACES = r"(?:\s|\\[,;:! ]|~|\{\})*"
VALUE = re.compile(rf"=\s*&?\s*{NUMBER}{SPACES}{UNIT}")  # a text is searched for what is rare
BEFORE_IT = re.compile(rf"(?<![A-Za-z\\_^{{]){SPACES}(?P<name>{NAME})\s*&?\s*\Z")
BRACKET = re.compile(rf"\[\s*(?P<name>{NAME})\s*\]\s*&?=\s*&?{SPACES}{UNIT}")
LONGEST_NAME = 60
LONG = {
    "g": "kg",
    "h": "s",
    "min": "s",
    "hour": "s",
    "hours": "s",
    "sec": "s",
    "deg": "rad",
    "meter": "m",
    "meters": "m",
}
PREFIXES = "kcmMGdnpuµ"
PLAIN = ("1", "2")  # numbers that have no unit wherever they stand
Table = dict[tree.Symbol, str]


def units_said(texts: Iterable[str]) -> Table:
    """Return the unit of each letter of which texts say one dimension, in the base units."""
    found: dict[tree.Symbol, set[str]] = {}
    for text in texts:
        for letter, unit in said_in(text):
            found.setdefault(letter, set()).add(unit)
    return {letter: units.pop() for letter, units in found.items() if len(units) == 1}


def said_in(text: str) -> Iterator[tuple[tree.Symbol, str]]:
    """Yield (letter, its dimension in base units) of what a text says."""
    found = [(match["name"], match["unit"]) for match in BRACKET.finditer(text)]
    for match in VALUE.finditer(text):
        if name := BEFORE_IT.search(text[max(0, match.start() - LONGEST_NAME) : match.start()]):
            found.append((name["name"], match["unit"]))
    for letter, printed in found:
        unit = dimension_of_printed(printed)
        with suppress(ProofError):
            key = key_of(letter)
            if isinstance(key, tree.Symbol) and unit is not None:
                yield key, unit


def dimension_of_printed(latex: str) -> str | None:
    r"""Return the dimension of a unit as it is printed, \mathrm{km}/\mathrm{s}^2, in base units; None of what is none."""
    text = re.sub(r"\\(?:mathrm|text|textrm|textup|operatorname|unit|si|rm)\s*\{([^{}]*)\}", r" \1 ", latex)
    text = re.sub(r"\\[,;:! ]|~|\\cdot(?![a-zA-Z])|\{\}", " ", text)
    text = re.sub(r"\s*\^\s*\{?\s*(-?)\s*(\d+)\s*\}?", r"^\1\2", text)
    return dimension(text)


def dimension(text: str) -> str | None:
    """Return the base units, with powers, that a unit in words is made of; None where a word is no unit."""
    words = re.sub(r"[A-Za-zµ]+", lambda match: without_prefix(match.group()), text).strip()
    if words.count("/") > 1 or not words:
        return None
    try:
        powers = exponents(words)
    except ProofError:
        return None
    return " ".join(f"{name}^{power}" for name, power in sorted(powers.items())) or "1"


def without_prefix(word: str) -> str:
    """Return a unit without what makes it larger or smaller, as m for km."""
    known = {*BASE, *DERIVED}
    if word in known or word in LONG:
        return LONG.get(word, word)
    rest = word[1:]
    return LONG.get(rest, rest) if word[0] in PREFIXES and (rest in known or rest == "g") else word


def judge_units(
    left: tree.Node, right: tree.Node, declared: Table, said: Table, outcome: Outcome, context: Context
) -> Outcome:
    """Return an outcome with what the units of a step say: that they agree, or where they do not.

    declared: of letters that the author declares; said: of those of which the text says a unit.
    """
    table = said | declared
    letters = [x for x in conventions.symbols(left, right) if x not in conventions.constants(left, right)[0]]
    if not letters or any(unit_of(x, table) is None and x.base != r"\pi" for x in letters):
        return outcome
    try:
        free = free_letters(left, right) | conventions.constants(left, right)[0]
        plain = [x for x, y in free.items() if isinstance(y, sympy.Symbol) and not x.dots]
        sizes = free | {x: sympy.Symbol(free[x].name, positive=True) for x in plain}
        bindings = Bindings(sizes)  # positive: of a root of a negative number no unit is known
        units = Units({})
        units.single = dict(table)
        compared: list[tree.Node] = []
        claims = tree.Claims((tree.Chain((left, right), ("=",)),))
        if without_unit(claims, bindings, {}, units, compared=compared) is not None or not compared:
            return outcome
    except ProofError as error:
        return unlike(left, right, declared, outcome, error, context)
    except conventions.FAILURES:
        return outcome
    return replace(outcome, why=f"{outcome.why}; units agree")


def unit_of(letter: tree.Symbol, table: Table) -> str | None:
    """Return the unit of a letter, of a rate that of what it is the rate of by s; None without one."""
    return table.get(letter) or (unit_of(replace(letter, dots=letter.dots - 1), table) if letter.dots else None)


def unlike(
    left: tree.Node, right: tree.Node, declared: Table, outcome: Outcome, error: ProofError, context: Context
) -> Outcome:
    """Return the outcome of a step whose units differ: false where they are declared and no number can have one."""
    sentence = error.at(context.text).sentence
    if not isinstance(error, OtherUnit) or outcome.verdict == "false":
        return outcome
    place = next((x for side in (left, right) for x in tree.walk(side) if x.span == error.span), None)
    numbers = [x.text for side in (left, right) for x in tree.walk(side) if isinstance(x, tree.Number)]
    constants = {tree.Symbol(r"\pi"), *conventions.constants(left, right)[0]}
    known = all(unit_of(x, declared) or x in constants for x in conventions.symbols(left, right))
    if known and all(x in PLAIN for x in numbers):
        return Outcome("false", f"units: {sentence}", place)
    if (
        outcome.verdict == "proven"
    ):  # of numbers it is right, and the units that a text says may be those of other letters
        return outcome
    way_on = "its letters are measured as the text says" if not known else "its numbers have none"
    return Outcome("undecided", f"units, if {way_on}: {sentence}", place)
