"""A program as source code:  each line that is used more than once gets a name, every other one stands where it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from robotdyn.codegen.program import Program
from robotdyn.codegen.tracer import ARITHMETIC, FUNCTIONS, operands

MAX_EXPRESSION = 100  # characters of an expression, from which on it gets a name and a line of its own


@dataclass(frozen=True)
class Dialect:
    """The syntax of a language: an assignment, the names of functions, and a number."""

    assign: str = "{} = {}"
    functions: dict[str, str] = field(default_factory=dict)
    number: Callable[[float], str] = repr


PYTHON = Dialect()
Fragment: TypeAlias = tuple[str, int]  # source of an expression, and the precedence of its operator
_SUM_PRECEDENCE, _NEGATION_PRECEDENCE, _PRODUCT_PRECEDENCE, _ATOM_PRECEDENCE = range(4)


class SourceBuilder:
    """The source of a program: `lines`, the assignments in order, and `results`, one list of expressions an array."""

    program: Program
    dialect: Dialect
    lines: list[str]
    results: list[list[str]]

    def __init__(self, program: Program, dialect: Dialect = PYTHON) -> None:
        self.program = program
        self.dialect = dialect
        self.lines = []
        self._used_names = all_input_names(program)
        self._fragments: dict[int, Fragment] = {
            index: (name, _ATOM_PRECEDENCE) for index, name in input_names_by_node(program).items()
        }
        self._uses = Counter(k for node in program.nodes for k in operands(node))
        self._uses.update(int(k) for indices in program.results for k in indices.flat)
        for index, node in enumerate(program.nodes):
            if index not in self._fragments:
                self._fragments[index] = self._fragment(index, *node)
        self.results = [[self._fragments[int(k)][0] for k in indices.flat] for indices in program.results]

    def _fragment(self, index: int, kind: str, *parts: Any) -> Fragment:
        """Return the expression that later lines use for a node; write an assignment if it needs one."""
        if kind == "number":
            return self.dialect.number(parts[0]), _ATOM_PRECEDENCE if parts[0] >= 0 else _NEGATION_PRECEDENCE
        text, precedence = self._expression(kind, *parts)
        if kind in ARITHMETIC and self._uses[index] == 1 and len(text) < MAX_EXPRESSION:
            return text, precedence
        name = self._unused_name(self._name(kind, *parts))
        self.lines.append(self.dialect.assign.format(name, text))
        return name, _ATOM_PRECEDENCE

    def _expression(self, kind: str, *parts: int) -> Fragment:
        fragments = [self._fragments[k] for k in parts]
        if kind in FUNCTIONS:
            return f"{self.dialect.functions.get(kind, kind)}({fragments[0][0]})", _ATOM_PRECEDENCE
        if kind == "neg":
            return f"-{_parenthesized(fragments[0], _PRODUCT_PRECEDENCE)}", _NEGATION_PRECEDENCE
        if kind == "inverse":
            return f"{self.dialect.number(1.0)} / {_parenthesized(fragments[0], _ATOM_PRECEDENCE)}", _PRODUCT_PRECEDENCE
        if kind == "*":
            first, second = sorted(
                fragments, key=lambda fragment: fragment[1] != _NEGATION_PRECEDENCE
            )  # a minus sign stands first
            if first[1] == _NEGATION_PRECEDENCE:
                return f"{first[0]} * {_parenthesized(second, _ATOM_PRECEDENCE)}", _NEGATION_PRECEDENCE
            return (
                f"{_parenthesized(first, _PRODUCT_PRECEDENCE)} * {_parenthesized(second, _ATOM_PRECEDENCE)}",
                _PRODUCT_PRECEDENCE,
            )
        first, second = fragments
        if kind == "+" and (second[1] == _SUM_PRECEDENCE or first[0].startswith("-")) and not second[0].startswith("-"):
            first, second = second, first  # a + (b - c) reads better as b - c + a
        if kind == "+" and second[0].startswith("-") and second[1] != _SUM_PRECEDENCE:
            return f"{first[0]} - {second[0][1:]}", _SUM_PRECEDENCE
        sign = "+" if kind == "+" else "-"
        return f"{first[0]} {sign} {_parenthesized(second, _PRODUCT_PRECEDENCE)}", _SUM_PRECEDENCE

    def _name(self, kind: str, *parts: int) -> str:
        source = self._fragments[parts[0]][0]
        if kind in ("sin", "cos") and source.startswith("q") and source[1:].isdigit():
            return kind[0] + source[1:]
        return f"t{len(self.lines) + 1}"

    def _unused_name(self, name: str) -> str:
        while name in self._used_names:
            name += "_"
        self._used_names.add(name)
        return name


def all_input_names(program: Program) -> set[str]:
    """Return the names of all inputs and of all their entries, read or not: no line may take one of them."""
    return {name for i in program.inputs for name in (i.name, *i.labels)}


def input_names_by_node(program: Program) -> dict[int, str]:
    """Return {node: name} of the inputs that a program reads: q1, com2_3, l_1."""
    labels = {i.name: i.labels for i in program.inputs}
    return {index: labels[node[1]][node[2]] for index, node in enumerate(program.nodes) if node[0] == "input"}


def _parenthesized(fragment: Fragment, min_precedence: int) -> str:
    text, precedence = fragment
    return text if precedence >= min_precedence else f"({text})"
