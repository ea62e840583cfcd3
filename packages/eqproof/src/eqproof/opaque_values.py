"""Functions with their arguments of which nothing says how they vary, V(x): no derivative, integral or rate of them is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from eqproof import conventions, notations, tree
from eqproof.errors import Unreadable
from eqproof.rates import is_rate

if TYPE_CHECKING:
    from eqproof.declared_letters import Declared

TIME = tree.Symbol("t")


def refuse_opaque_values(declared: Declared, *sides: tree.Node) -> None:
    r"""Raise Unreadable where V(x) is differentiated or integrated by x, or by the time if x varies, also in what is defined by it."""
    opaque = list(opaque_letters(declared, *sides))
    for node in (x for side in sides for x in tree.walk(side)):
        variables = [*notations.letters_of_calculus(node), *([TIME] if is_rate(node) else [])]
        if not opaque or not variables:
            continue
        if TIME in variables:
            variables += [x for x in declared.bindings.values if isinstance(x, tree.Symbol) and declared.varies(x)]
        below = range(node.dots) if isinstance(node, tree.Symbol) else range(3)  # \dot x itself is what a law says
        orders = {replace(x, dots=k) for x in conventions.symbols(node) for k in below if k <= x.dots}
        held = declared.letters_of(*orders)
        for letter in opaque:
            if declared.letters_of(letter) & held and any(stands_in(x, letter) for x in variables):
                raise Unreadable(
                    "holds a function of which nothing says how it varies: declare its expression", of=node
                )


def opaque_letters(declared: Declared, *sides: tree.Node) -> Iterator[tree.Symbol]:
    """Yield the functions with their arguments that have no expression and are no functions of t."""
    letters = (x for x in {*conventions.symbols(*sides), *declared.bindings.values} if isinstance(x, tree.Symbol))
    for letter in letters:
        if " of " in letter.base and letter not in declared.defined and not declared.varies(letter):
            yield letter


def stands_in(variable: tree.Node, letter: tree.Symbol) -> bool:
    """Tell whether a letter or a rate of it stands in the arguments of a function."""
    dotted = [replace(variable, dots=k) for k in range(3)] if isinstance(variable, tree.Symbol) else [variable]
    return any(notations.is_value_at(letter, x) for x in dotted)
