"""A table of units: the words for them, the number that stands for each, and how that of a letter is found."""

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

import mpmath
import sympy

from eqproof import tree
from eqproof.bindings import key_of
from eqproof.errors import ProofError
from eqproof.points import DIGITS
from eqproof.subscripts import IndexOf, fill_indices, index_numbers

BASE = {"kg": 2, "m": 3, "s": 5, "A": 7, "K": 11}
DERIVED = {"1": "", "rad": "", "N": "kg m / s^2", "J": "N m", "W": "J / s", "Hz": "1 / s", "Pa": "N / m^2"}
DERIVED |= {"C": "A s", "V": "W / A", "T": "V s / m^2"}
PRINTED = str.maketrans({"²": "^2", "³": "^3", "·": " "})
SMALL = mpmath.mpf(10) ** -30
FREE: dict[str, int] = {}  # the numbers that stand for units such as u_1, which mean nothing but themselves


def exponents(unit: str) -> dict[str, int]:
    """Return the powers of the base units in a unit such as "N m / s" or "kg m^2/s^2"; all behind a slash is below it."""
    found: dict[str, int] = {}
    above, *below = unit.translate(PRINTED).split("/")
    for sign, part in [(1, above), *((-1, part) for part in below)]:
        for word in part.replace("*", " ").split():
            match = re.fullmatch(r"([A-Za-z]+(?:_\d+)?|1)(?:\^(-?\d+))?", word)
            if not match or not ("_" in match[1] or match[1] in BASE or match[1] in DERIVED):
                raise ProofError(
                    f"{word!r} is no unit; there are {', '.join([*BASE, *DERIVED])}, with powers such as m^2, and u_1"
                )
            inner = exponents(DERIVED[match[1]]) if match[1] in DERIVED else {match[1]: 1}
            for name, power in inner.items():
                found[name] = found.get(name, 0) + sign * power * int(match[2] or 1)
    return {name: power for name, power in found.items() if power}


def number_of(name: str) -> int:
    """Return the prime that stands for a base unit."""
    return BASE.get(name) or FREE.setdefault(name, sympy.prime(30 + len(FREE)))


@cache
def factor(unit: str) -> mpmath.mpf:
    """Return the number that stands for a unit."""
    with mpmath.workdps(DIGITS):
        return mpmath.fprod(mpmath.mpf(number_of(x)) ** power for x, power in exponents(unit).items())


def at_place(unit: Any, *place: int) -> str:
    """Return the unit of the entry at a place, a number for each index: of a text, of a list of lists or of a function."""
    rest = place
    while isinstance(unit, list | tuple):
        if not rest or not 1 <= rest[0] <= len(unit):
            raise ProofError(
                f"the units {unit} are of {len(unit)} entries, and none is at the place {place} of the letter"
            )
        unit = unit[rest[0] - 1]
        rest = rest[1:]
    unit = unit(*place) if callable(unit) else unit
    wanted = dict(zip("ijkl", place))
    try:
        return re.sub(r"(?<=_)[ijkl]", lambda match: str(wanted[match[0]]), unit)
    except KeyError as error:
        raise ProofError(f"the unit {unit} needs the index {error}, which the letter has not") from None


def unit_in_words(ratio: mpmath.mpf) -> str:
    """Return the unit that a factor stands for, in words."""
    names = {number: name for name, number in (BASE | FREE).items()}
    for root in (1, 2):  # a unit may hold roots of the base units, but the square of a long one is too long to tell
        with mpmath.workdps(DIGITS):
            whole = Fraction(mpmath.nstr(ratio**root, DIGITS)).limit_denominator(10**20)
            if abs(mpmath.mpf(whole.numerator) / whole.denominator / ratio**root - 1) > SMALL:
                continue
        powers = sympy.factorrat(sympy.Rational(whole.numerator, whole.denominator), limit=2000)
        if set(powers) <= set(names):
            return format_unit({names[x]: Fraction(powers[x], root) for x in sorted(powers)})
    return "no single unit"


def format_unit(powers: Mapping[str, Fraction]) -> str:
    """Return a unit as it is written: kg m^2/s^2."""

    def name(unit: str, power: Fraction) -> str:
        return unit if power == 1 else f"{unit}^{power}"

    above = " ".join(name(unit, power) for unit, power in powers.items() if power > 0)
    below = " ".join(name(unit, -power) for unit, power in powers.items() if power < 0)
    return (above or "1") + (f"/({below})" if " " in below else f"/{below}" if below else "")


class Units:
    """A table of units, found for a symbol as a binding is."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.single: dict[Any, Any] = {}
        self.families: dict[Any, Any] = {}
        for text, unit in table.items():
            key = key_of(text)
            if isinstance(key, tree.Symbol) and "*" in key.sub:
                self.families[replace(key, sub=tuple(x for x in key.sub if x not in ("*", ",")))] = unit
            else:
                self.single[key] = unit

    def of(
        self, symbol: tree.Node, number: IndexOf, families: Container[tree.Symbol] = ()
    ) -> Callable[..., str] | None:
        """Return the function that tells the unit of a symbol at a place; None if it is not declared.

        number: of an index; families: those that are bound, whose members are no entries of what is bold.
        """
        if symbol in self.single:
            return partial(at_place, self.single[symbol])
        if not isinstance(symbol, tree.Symbol):
            return None
        literal = replace(symbol, sub=fill_indices(symbol.sub, number))
        if literal in self.single:
            return partial(at_place, self.single[literal])
        for k in range(len(symbol.sub) - 1, -1, -1):
            name = replace(symbol, sub=symbol.sub[:k])
            at = index_numbers(symbol.sub[k:], number) or ()
            whole = self.single.get(replace(name, style="bold"))
            if at and whole is not None and not symbol.style and not (name in families and name in self.families):
                return partial(at_place, whole, *at)
            if name in self.families:
                return partial(at_place, self.families[name], *at)
        lesser: tuple[tuple[str, Any], ...] = (
            ("dots", symbol.dots - 1),
            ("prefix", ""),
            ("accents", symbol.accents[1:]),
        )
        for less, by in lesser:
            found = self.of(replace(symbol, **{less: by}), number, families) if getattr(symbol, less) else None
            if found is not None:
                return partial(per_second, found) if less == "dots" else found
        return None


def per_second(unit: Callable[..., str], *place: int) -> str:
    """Return the unit of a rate at a place; unit: tells that of what moves."""
    return f"{unit(*place)} / s"
