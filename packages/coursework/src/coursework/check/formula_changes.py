"""What in a formula should have been otherwise: its program with one part changed, and words for that part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coursework.check.aliases import Program

SIGNS = {"+": "-", "-": "+"}
WAVES = {"sin": "cos", "cos": "sin"}
WAVE_NAMES = {"sin": "sine", "cos": "cosine"}
OTHER_NUMBERS = (1.0, 2.0, 3.0, 0.5, 0.0)


def edits(program: Program, names: Iterable[str]) -> Iterator[tuple[str, Program]]:
    """Yield pairs of words and program: each part of a formula changed, and no other; names: its symbols may be these."""
    for k, (operation, value) in enumerate(program):
        before, after = program[:k], program[k + 1 :]
        for words, parts in _instead_of(operation, value, names):
            yield words, [*before, *parts, *after]
        if operation != "number":
            for words, parts in _beside(names):
                yield words, [*before, program[k], *parts, *after]


def _instead_of(operation: str, value: Any, names: Iterable[str]) -> Iterator[tuple[str, Program]]:
    """Yield words and what may stand in the place of one part of a formula."""
    if operation in SIGNS:
        yield "a sign is wrong", [(SIGNS[operation], value)]
    elif operation in WAVES:
        yield f"a {WAVE_NAMES[operation]} is the wrong one of the two", [(WAVES[operation], value)]
    elif operation == "symbol":
        for name in names:
            if name != value:
                yield f"one {value} should be something else", [("symbol", name)]
        yield f"there is one {value} too many", [("number", 1.0)]
        yield f"a term with {value} is too many", [("number", 0.0)]
    elif operation == "number":
        for number in OTHER_NUMBERS:
            if number != value:
                yield "a number, or a power, is wrong", [("number", number)]


def _beside(names: Iterable[str]) -> Iterator[tuple[str, Program]]:
    """Yield words and what may be missing after one part of a formula: a factor, a sign, a power, a term."""
    yield "a factor 2 is missing at a term", [("number", 2.0), ("*", 2)]
    yield "a factor 2 is too many at a term, or a factor 1/2 is missing", [("number", 0.5), ("*", 2)]
    yield "a sign is wrong", [("neg", 1)]
    yield "something should be squared", [("number", 2.0), ("**", 2)]
    for name in names:
        yield "a factor is missing at a term", [("symbol", name), ("*", 2)]
        for wave in WAVES if re.fullmatch(r"q\d*", name) else ():
            yield f"a {WAVE_NAMES[wave]} is missing at a term", [("symbol", name), (wave, 1), ("*", 2)]
        for sign in "+-":
            yield "something is missing in a sum", [("symbol", name), (sign, 2)]
