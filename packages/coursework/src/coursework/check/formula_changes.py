"""What in a formula should have been otherwise: its program with one part changed, and the mistake of that part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from coursework.check.diagnosis import Phrase
from coursework.check.messages import text
from coursework.check.mistakes import (
    FORMULA_FACTOR,
    FORMULA_HALF,
    FORMULA_NUMBER,
    FORMULA_SIGN,
    FORMULA_SQUARE,
    FORMULA_TERM_TOO_MANY,
    FORMULA_TWICE,
    OTHER_SYMBOL,
    OTHER_WAVE,
    SUM_MISSING,
    SYMBOL_TOO_MANY,
    WAVE_MISSING,
)

if TYPE_CHECKING:
    from coursework.check.aliases import Program

SIGNS = {"+": "-", "-": "+"}
WAVES = {"sin": "cos", "cos": "sin"}
OTHER_NUMBERS = (1.0, 2.0, 3.0, 0.5, 0.0)


def edits(program: Program, names: Iterable[str]) -> Iterator[tuple[Phrase, Program]]:
    """Yield pairs of phrase and program: each part of a formula changed, and no other; names: its symbols may be these."""
    for k, (operation, value) in enumerate(program):
        before = program[:k]
        after = program[k + 1 :]
        for phrase, parts in _instead_of(operation, value, names):
            yield phrase, [*before, *parts, *after]
        if operation != "number":
            for phrase, parts in _beside(names):
                yield phrase, [*before, program[k], *parts, *after]


def wave_name(wave: str) -> str:
    """Return the name of a function of an angle."""
    return text(f"name.{wave}")


def _instead_of(operation: str, value: Any, names: Iterable[str]) -> Iterator[tuple[Phrase, Program]]:
    """Yield the mistake and what may stand in the place of one part of a formula."""
    if operation in SIGNS:
        yield Phrase(FORMULA_SIGN), [(SIGNS[operation], value)]
    elif operation in WAVES:
        yield Phrase(OTHER_WAVE, (("wave", wave_name(operation)),)), [(WAVES[operation], value)]
    elif operation == "symbol":
        here = (("name", str(value)),)
        for name in names:
            if name != value:
                yield Phrase(OTHER_SYMBOL, here), [("symbol", name)]
        yield Phrase(SYMBOL_TOO_MANY, here), [("number", 1.0)]
        yield Phrase(FORMULA_TERM_TOO_MANY, here), [("number", 0.0)]
    elif operation == "number":
        for number in OTHER_NUMBERS:
            if number != value:
                yield Phrase(FORMULA_NUMBER), [("number", number)]


def _beside(names: Iterable[str]) -> Iterator[tuple[Phrase, Program]]:
    """Yield the mistake and what may be missing after one part of a formula: a factor, a sign, a power, a term."""
    yield Phrase(FORMULA_HALF), [("number", 2.0), ("*", 2)]
    yield Phrase(FORMULA_TWICE), [("number", 0.5), ("*", 2)]
    yield Phrase(FORMULA_SIGN), [("neg", 1)]
    yield Phrase(FORMULA_SQUARE), [("number", 2.0), ("**", 2)]
    for name in names:
        yield Phrase(FORMULA_FACTOR), [("symbol", name), ("*", 2)]
        for wave in WAVES if re.fullmatch(r"q\d*", name) else ():
            phrase = Phrase(WAVE_MISSING, (("wave", wave_name(wave)),))
            yield phrase, [("symbol", name), (wave, 1), ("*", 2)]
        for sign in "+-":
            yield Phrase(SUM_MISSING), [("symbol", name), (sign, 2)]
