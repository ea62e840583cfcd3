"""Units of recordings:  value in SI units = factor * value in the file,  and the ways in which files spell these units."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

import numpy as np

DEGREE = np.pi / 180
TURN = 2 * np.pi
# where: read another kind of CSV file
# a unit here and in `SPELLINGS`; a name of columns in `csv_names.py`, with a file in `KINDS` of
# `tests/test_robot_recordings.py`
SI_FACTORS = {
    "t": {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9},
    "q": {"rad": 1, "deg": DEGREE, "m": 1, "mm": 1e-3},
    "qd": {"rad/s": 1, "deg/s": DEGREE, "rpm": TURN / 60, "m/s": 1, "mm/s": 1e-3},
    "qdd": {"rad/s^2": 1, "deg/s^2": DEGREE, "m/s^2": 1, "mm/s^2": 1e-3},
    "tau": {"N m": 1, "Nm": 1, "mN m": 1e-3, "kN m": 1e3, "N": 1, "kN": 1e3, "A": 1, "mA": 1e-3},
}
CURRENTS = ("A", "mA")
ANGLES: dict[str, tuple[str, ...]] = {
    "rad": ("rad", "radian", "radians"),
    "deg": ("deg", "degs", "degree", "degrees", "°"),
}
LENGTHS: dict[str, tuple[str, ...]] = {"m": ("m",), "mm": ("mm",)}
SECONDS = ("s", "sec", "second", "seconds")
# spellings without blanks, dots, stars and hats, in small letters but for torques, where m and M differ
SPELLINGS: dict[str, Mapping[str, Iterable[str]]] = {
    "t": {
        "s": SECONDS,
        "ms": ("ms", "msec", "millis", "milliseconds"),
        "us": ("us", "μs", "usec", "micros", "microseconds"),
        "ns": ("ns", "nsec", "nanos", "nanoseconds"),
    },
    "q": ANGLES | LENGTHS,
    "qd": {
        **{f"{unit}/s": [f"{x}/{s}" for x in words for s in SECONDS[:2]] for unit, words in (ANGLES | LENGTHS).items()},
        "rpm": ("rpm", "rev/min"),
    },
    "qdd": {
        f"{unit}/s^2": [f"{x}/{s}" for x in words for s in ("s2", "sec2", "s/s")]
        for unit, words in (ANGLES | LENGTHS).items()
    },
    "tau": {"N m": ("Nm",), "mN m": ("mNm",), "kN m": ("kNm",), "N": ("N",), "kN": ("kN",), "A": ("A",), "mA": ("mA",)},
}
PER_SECOND = {"qd": {"1/s": "rad/s"}, "qdd": {"1/s2": "rad/s^2"}}
UNIT_OF_SPELLING = {
    quantity: {word: unit for unit, words in spellings.items() for word in words} | PER_SECOND.get(quantity, {})
    for quantity, spellings in SPELLINGS.items()
}
MAX_UNIT = 20  # characters


def unit_of(text: str, quantity: str) -> str | None:
    """Return the unit of SI_FACTORS that a text spells, None for none of this quantity."""
    word = " ".join(text.split())
    if word in SI_FACTORS[quantity]:
        return word
    if not word or len(word) > MAX_UNIT:
        return None
    word = re.sub(r"[ ·⋅∙•*^]", "", unicodedata.normalize("NFKC", word))
    word = re.sub(r"[-._]", "", word) if quantity == "tau" else word.lower().replace("_per_", "/").replace("_", "/")
    return UNIT_OF_SPELLING[quantity].get(word)


def without_brackets(text: str) -> str:
    """Return what stands in the brackets of a cell of a line of units, or the cell."""
    text = text.strip()
    return text[1:-1].strip() if text[:1] + text[-1:] in ("[]", "()") else text


def is_units_line(cells: list[str]) -> bool:
    """Tell whether there is a unit among the cells, and no number."""
    words = [without_brackets(cell) for cell in cells]
    return any(unit_of(word, quantity) for word in words for quantity in SI_FACTORS) and not any(map(is_number, words))


def is_number(text: str) -> bool:
    """Tell whether Python reads a number there."""
    try:
        float(text)
    except ValueError:
        return False
    return True
