"""A program as text:  each line that is used more than once gets a name, every other one stands where it is used."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from robotdyn.codegen.program import Input, Program, pruned
from robotdyn.codegen.recording import ARITHMETIC, FUNCTIONS, operands

WIDTH = 100  # characters of an expression, from which on it gets a name and a line of its own


@dataclass(frozen=True)
class Spelling:
    """How a language writes an assignment, and the functions."""

    assign: str = "{} = {}"
    functions: dict[str, str] = field(default_factory=dict)


PYTHON = Spelling()
Piece: TypeAlias = tuple[str, int]  # of text, and how tightly it holds together
_SUM, _NEGATIVE, _TERM, _ATOM = range(4)


class Text:
    """The text of a program: `lines`, the assignments in order, and `results`, one list of expressions an array."""

    program: Program
    spelling: Spelling
    lines: list[str]
    results: list[list[str]]

    def __init__(self, program: Program, spelling: Spelling = PYTHON) -> None:
        self.program, self.spelling = program, spelling
        self.lines = []
        self._taken = names_of_inputs(program)
        self._pieces: dict[int, Piece] = {place: (name, _ATOM) for place, name in input_names(program).items()}
        self._uses = Counter(k for node in program.nodes for k in operands(node))
        self._uses.update(int(k) for places in program.results for k in places.flat)
        for place, node in enumerate(program.nodes):
            if place not in self._pieces:
                self._pieces[place] = self._piece(place, *node)
        self.results = [[self._pieces[int(k)][0] for k in places.flat] for places in program.results]

    def _piece(self, place: int, kind: str, *parts: Any) -> Piece:
        """Return the text that later lines use for a line, and how tightly it holds; write an assignment if it needs one."""
        if kind == "number":
            return repr(parts[0]), _ATOM if parts[0] >= 0 else _NEGATIVE
        text, hold = self._expression(kind, *parts)
        if kind in ARITHMETIC and self._uses[place] == 1 and len(text) < WIDTH:
            return text, hold
        name = self._fresh(self._name(kind, *parts))
        self.lines.append(self.spelling.assign.format(name, text))
        return name, _ATOM

    def _expression(self, kind: str, *parts: int) -> Piece:
        pieces = [self._pieces[k] for k in parts]
        if kind in FUNCTIONS:
            return f"{self.spelling.functions.get(kind, kind)}({pieces[0][0]})", _ATOM
        if kind == "neg":
            return f"-{_held(pieces[0], _TERM)}", _NEGATIVE
        if kind == "inverse":
            return f"1.0 / {_held(pieces[0], _ATOM)}", _TERM
        if kind == "*":
            first, second = sorted(pieces, key=lambda piece: piece[1] != _NEGATIVE)  # a minus sign stands first
            if first[1] == _NEGATIVE:
                return f"{first[0]} * {_held(second, _ATOM)}", _NEGATIVE
            return f"{_held(first, _TERM)} * {_held(second, _ATOM)}", _TERM
        first, second = pieces
        if kind == "+" and (second[1] == _SUM or first[0].startswith("-")) and not second[0].startswith("-"):
            first, second = second, first  # a + (b - c) reads better as b - c + a
        if kind == "+" and second[0].startswith("-") and second[1] != _SUM:
            return f"{first[0]} - {second[0][1:]}", _SUM
        sign = "+" if kind == "+" else "-"
        return f"{first[0]} {sign} {_held(second, _TERM)}", _SUM

    def _name(self, kind: str, *parts: int) -> str:
        source = self._pieces[parts[0]][0]
        if kind in ("sin", "cos") and source.startswith("q") and source[1:].isdigit():
            return kind[0] + source[1:]
        return f"t{len(self.lines) + 1}"

    def _fresh(self, name: str) -> str:
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name


def angles_first(program: Program) -> tuple[Program, Program, list[tuple[str, ...]]]:
    """Return two programs and the names of the waves: the angles inside sines and cosines, and the rest.

    The rest has the sines and cosines as inputs in place; names: (name of the sine, of the cosine) of each angle.
    Angles that depend on other sines and cosines stay where they are.
    """
    waves: dict[int, dict[str, int]] = {}  # {place of an angle: {"sin": place, "cos": place}}
    deep: set[int] = set()
    for place, node in enumerate(program.nodes):
        if node[0] in ("sin", "cos") and node[1] not in deep:
            waves.setdefault(node[1], {})[node[0]] = place
        if node[0] in ("sin", "cos") or any(k in deep for k in operands(node)):
            deep.add(place)
    numbers = _numbered(program, waves)
    size = max(numbers.values(), default=-1) + 1
    nodes = list(program.nodes)
    taken = {name.rstrip("0123456789") for name in names_of_inputs(program)}
    letters: tuple[str, ...] = ("s", "c")
    while taken & set(letters):
        letters = ("sine", "cosine") if letters == ("s", "c") else tuple(f"{letter}_" for letter in letters)
    for angle, pair in waves.items():
        for kind, place in pair.items():
            nodes[place] = ("input", letters[kind == "cos"], numbers[angle])
    inputs = (*program.inputs, *(Input(letter, (size,)) for letter in letters))
    places = sorted(waves, key=lambda place: numbers[place])
    angles = pruned("angles", program.inputs, program.nodes, [np.array(places, dtype=int)])
    rest = pruned(program.name, inputs, nodes, program.results, program.several)
    return angles, rest, [tuple(f"{letter}{numbers[k] + 1}" for letter in letters) for k in places]


def _numbered(program: Program, angles: dict[int, Any]) -> dict[int, int]:
    """Number the angles: entry k of q is angle k, so that s3 is the sine of q3; others follow."""
    numbers: dict[int, int] = {}
    size = max((i.size for i in program.inputs if i.name == "q"), default=0)
    for place in angles:
        kind, *label = program.nodes[place]
        own = kind == "input" and label[0] == "q"
        numbers[place] = label[1] if own else size
        size += not own
    return numbers


def names_of_inputs(program: Program) -> set[str]:
    """Return the names of all inputs and of all their entries, read or not: no line may take one of them."""
    return {name for i in program.inputs for name in (i.name, *i.labels)}


def input_names(program: Program) -> dict[int, str]:
    """Return {place: name} of the inputs that a program reads: q1, com2_3, l_1."""
    labels = {i.name: i.labels for i in program.inputs}
    return {place: labels[node[1]][node[2]] for place, node in enumerate(program.nodes) if node[0] == "input"}


def _held(piece: Piece, least: int) -> str:
    text, hold = piece
    return text if hold >= least else f"({text})"
