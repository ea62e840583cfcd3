"""Functions with their arguments of which nothing says how they vary, V(x): no derivative, integral or rate of them is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy

from eqproof import conventions, notations, tree
from eqproof.errors import Unreadable
from eqproof.rates import is_rate

if TYPE_CHECKING:
    from eqproof.declared_letters import Declared

TIME = tree.Symbol("t")
CALCULUS = (tree.Derivative, tree.Integral, tree.Dotted)


def refuse_opaque_values(declared: Declared, *sides: tree.Node) -> None:
    r"""Raise Unreadable where V(x) is differentiated or integrated by x, or by the time if x varies, also in what is defined by it."""
    opaque = list(opaque_letters(declared, *sides))
    for node in (x for side in sides for x in tree.walk(side) if opaque):
        variables = variables_of(declared, node)
        held = held_below(declared, node) if variables else frozenset()
        for letter in opaque:
            if declared.letters_of(letter) & held and any(notations.is_value_at(letter, x) for x in variables):
                raise Unreadable(
                    "holds a function of which nothing says how it varies: declare its expression", of=node
                )


def variables_of(declared: Declared, node: tree.Node) -> set[tree.Node]:
    """Return the letters by which a node differentiates or integrates; with the time all that vary, and their rates."""
    variables: set[tree.Node] = {*notations.letters_of_calculus(node), *([TIME] if is_rate(node) else [])}
    if TIME in variables:
        moving = [x for x in declared.bindings.values if isinstance(x, tree.Symbol) and declared.varies(x)]
        variables |= {replace(x, dots=dots) for x in moving for dots in range(3)}
    return variables


def held_below(declared: Declared, node: tree.Node) -> frozenset[sympy.Symbol]:
    """Return the letters of SymPy in what a node is a derivative, an integral or a rate of."""
    if isinstance(node, tree.Symbol):
        return declared.letters_of(*(replace(node, dots=dots) for dots in range(node.dots)))
    return declared.depends_on(node.body, {}) if isinstance(node, CALCULUS) else frozenset()


def opaque_letters(declared: Declared, *sides: tree.Node) -> Iterator[tree.Symbol]:
    """Yield the functions with their arguments that have no expression and are no functions of t."""
    letters = (x for x in {*conventions.symbols(*sides), *declared.bindings.values} if isinstance(x, tree.Symbol))
    for letter in letters:
        if " of " in letter.base and letter not in declared.defined and not declared.varies(letter):
            yield letter
