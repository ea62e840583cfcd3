"""Which units the words at an axis of a plot name, in any usual spelling: N m, Nm, N·m, N-m, newton-metres, kN m, s^-1.

A unit is its powers of kg, m, s, A, K, rad and °, and a factor to them: of rad/s {"rad": 1, "s": -1} and 1, of kN m 1000.
The units are those of `eqproof`, with the names and the prefixes of the SI; no library, so that a check judges alike in
every kernel.
"""

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

BASE = ("kg", "m", "s", "A", "K", "rad", "°")
DERIVED = {"N": "kg m s^-2", "J": "N m", "W": "N m s^-1", "Hz": "s^-1", "Pa": "N m^-2", "C": "A s", "V": "N m A^-1 s^-1", "T": "N A^-1 m^-1"}  # fmt: skip
# where: add a unit word at the axis of a plot
# a name here, a spelling of TeX in `TEX`; a unit that is new, also in `DERIVED` and in `packages/eqproof/src/eqproof/unit_tables.py`,
# which `packages/coursework/tests/test_check_units.py` holds equal
NAMES = {
    "newton": "N", "meter": "m", "metre": "m", "second": "s", "sec": "s", "radian": "rad", "rad": "rad", "degree": "°",
    "deg": "°", "kilogram": "kg", "kilogramme": "kg", "kg": "kg", "joule": "J", "watt": "W", "hertz": "Hz", "pascal": "Pa",
    "ampere": "A", "amp": "A", "kelvin": "K", "coulomb": "C", "volt": "V", "tesla": "T",
}  # fmt: skip
PREFIXES = {"G": 1e9, "M": 1e6, "k": 1e3, "c": 1e-2, "m": 1e-3, "u": 1e-6, "μ": 1e-6, "n": 1e-9}
PREFIX_NAMES = {"giga": 1e9, "mega": 1e6, "kilo": 1e3, "centi": 1e-2, "milli": 1e-3, "micro": 1e-6, "nano": 1e-9}
TEX = (
    (re.compile(r"\\(?:d|t)?frac\s*\{([^{}]{0,40})\}\s*\{([^{}]{0,40})\}"), r"(\1)/(\2)"),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\degree|\\circ"), "°"),
    (re.compile(r"\\(?:cdot|times)(?![A-Za-z])"), "*"),
    (re.compile(r"\\(?:mathrm|text|rm|mathsf|operatorname|,|;|:|!|quad| )"), " "),
    (re.compile(r"[${}~]"), ""),
)  # what stands for a unit in a formula, and what it says
SIGNS = str.maketrans({"·": "*", "⋅": "*", "∙": "*", "•": "*", "×": "*", "−": "-", "‐": "-", "‑": "-", "–": "-", "⁄": "/", "∕": "/"})  # fmt: skip
QUANTITY = re.compile(r"\s*[A-Za-z]\s+/\s+")  # a letter over its unit: of "m / kg" m may be a mass
TOKEN = re.compile(r"\s*(?:([^\W\d_]+|°)|(?:\^|\*\*)?\(?(-?\d+)\)?|(\*|\.|-|/))")


@dataclass(frozen=True)
class Unit:
    """Powers of the base units, sorted pairs, and the factor to them; turns: the power in which it counts turns, as Hz does."""

    powers: tuple[tuple[str, int], ...]
    factor: float = 1.0
    turns: int = field(default=0, compare=False)  # of the same kind as 1/s, and no rate in rad/s


def unit(text: str) -> Unit:
    """Return the unit that a text is; raise ValueError if it is none."""
    found = named_units(text)
    if len(found) != 1:
        raise ValueError(f"{text!r} is no unit")
    return found[0]


def named_units(words: str) -> list[Unit]:
    """Return the units that words name, each as long as it can be: of "rate in rad/s" only rad/s, not rad."""
    text = words
    for pattern, instead in TEX:
        text = pattern.sub(instead, text)
    text = unicodedata.normalize("NFKC", text).translate(SIGNS)
    text = re.sub(r"\bper\b", "/", re.sub(r"(?<=[^\W\d_])-(?=\d)", "^-", text))
    found: list[Unit] = []
    if QUANTITY.match(text):
        found += _units_in_part(QUANTITY.sub("", text))
    for part in re.split(r"[,;:\[\]=]|(?<![\^*/])\((?!-?\d)|\)(?!\s*/)", text.replace(")/(", "/")):
        found += _units_in_part(part)
    return found


def _units_in_part(text: str) -> list[Unit]:
    """Return the units in words without brackets and commas: runs of names of units, joined by dots, strokes, blanks, powers."""
    return [_product(run) for run in _runs(text) if run]


def _runs(text: str) -> Iterator[list[tuple[Unit, int]]]:
    """Yield the runs of units with their powers; what ends one is no part of any."""
    run: list[tuple[Unit, int]] = []
    # one: whether a 1 stands there, over which a stroke may be drawn
    sign = 1
    place = 0
    one = False
    while place < len(text):
        token = TOKEN.match(text, place)
        word, power, joint = token.groups("") if token else ("", "", "")
        known = _units_in_word(word)
        if known:
            run += [(inner, sign) for inner in known]
        elif power and run and text[place] not in " \t":
            run[-1] = (run[-1][0], run[-1][1] * int(power))
        elif power == "1" and not run:
            one = not re.search(r"\w1$", text[: place + 1])  # the 1 of q1 is none
        elif joint and (run or (one and joint == "/")):
            sign = -1 if joint == "/" else sign
        else:
            yield run
            run = []
            sign = 1
            one = False
        place = token.end() if token else place + 1
    yield run


def _product(run: list[tuple[Unit, int]]) -> Unit:
    powers: dict[str, int] = {}
    factor = 1.0
    turns = 0
    for inner, power in run:
        factor *= inner.factor**power
        turns += inner.turns * power
        for name, one in inner.powers:
            powers[name] = powers.get(name, 0) + one * power
    return Unit(tuple(sorted((name, power) for name, power in powers.items() if power)), factor, turns)


def _units_in_word(word: str) -> list[Unit] | None:
    """The units that a word is, as N and m of Nm; None for none."""
    if not word:
        return None
    if symbol := _unit_of_symbol(word):
        return [symbol]
    if name := _unit_of_name(word.lower()):
        return [name]
    if re.fullmatch(r"[kmM]?Nm", word) and (first := _unit_of_symbol(word[:-1])):
        return [first, Unit((("m", 1),))]
    return None


def _unit_of_symbol(word: str) -> Unit | None:
    if word in BASE:
        return Unit(((word, 1),))
    if word == "Hz":
        return Unit((("s", -1),), turns=1)
    if word in DERIVED:
        return _product([(Unit(((name, 1),)) if name in BASE else _derived(name), int(power or 1))
                         for name, _, power in (part.partition("^") for part in DERIVED[word].split())])  # fmt: skip
    if word == "g":
        return None  # rather the acceleration of gravity
    prefix = PREFIXES.get(word[:1])
    inner = word[1:]
    if prefix and inner in ("m", "s", "A", "rad", *DERIVED):
        found = _derived(inner)
        return replace(found, factor=prefix * found.factor)
    return None


def _derived(word: str) -> Unit:
    found = _unit_of_symbol(word)
    assert found is not None  # a unit of the tables
    return found


def _unit_of_name(word: str) -> Unit | None:
    """The unit of that name, in small letters, one or several, perhaps with a prefix."""
    for prefix, factor in {"": 1.0, **PREFIX_NAMES}.items():
        for end in ("", "s", "es"):
            name = word[len(prefix) : len(word) - len(end)]
            if word.startswith(prefix) and word.endswith(end) and NAMES.get(name):
                found = _derived(NAMES[name])
                return replace(found, factor=factor * found.factor)
    return None


def factor_to(words: str, wanted: str) -> float | None:
    """Return by how much numbers are to be multiplied to be in the wanted unit; None if the words do not name one of its kind.

    Of a rate rad may be left out, but Hz are turns; an angle in degrees is none in rad.
    """
    meant = unit(wanted)
    without = tuple(pair for pair in meant.powers if pair[0] != "rad")
    kinds = {meant.powers, *([without] if without else [])}
    turn = math.tau if without != meant.powers else 1.0
    found = [one.factor * turn**one.turns / meant.factor for one in named_units(words) if one.powers in kinds]
    return min(found, key=lambda factor: abs(factor - 1), default=None)
