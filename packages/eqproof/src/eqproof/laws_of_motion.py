r"""Laws of motion, \dot x = A x + B u, by which rates are taken where an author declares one."""

from dataclasses import replace
from typing import Any

import numpy as np
import sympy

from eqproof import algebra, tree
from eqproof.conventions import is_capital
from eqproof.declared_letters import Declared
from eqproof.errors import ProofError, Unreadable
from eqproof.rates import is_rate

INPUTS = ("u", "w", r"\tau")


def obey(declared: Declared, rate: tree.Symbol, value: tree.Node) -> None:
    r"""Let a function of t move by a law: its rate, or its second rate, is an expression, as in \dot x = A x."""
    state = declared.look(replace(rate, dots=rate.dots - 1))
    law = declared.value_of(value, rate)
    if isinstance(law, algebra.AnySize):
        law = law.of(state.shape) if isinstance(state, np.ndarray) else law.factor
    if np.shape(state) != np.shape(law):
        raise ProofError(f"a law gives each entry its rate, got {size_of(law)} for {size_of(state)}")
    row = np.ravel(state).tolist()
    if not all(isinstance(x, sympy.Symbol) for x in row):
        raise Unreadable("is the rate of an expression: declare the law of a letter in it", of=rate)
    rates: dict[sympy.Symbol, Any] = {}
    for x, entry in zip(row, map(sympy.sympify, np.ravel(law).tolist())):
        if (rates.setdefault(x, entry) - entry).equals(0) is not True:
            raise ProofError("the letter is symmetric, and its law is not: declare it without that word")
    refuse_late_law(declared, rates)
    declared.bindings.rates.update(rates)
    declared.ruled |= {*rates}
    declared.inputs |= inputs_in(declared, value)


def inputs_in(declared: Declared, law: tree.Node) -> set[sympy.Symbol]:
    """Return the letters of a law that may vary: those that usually name an input, vectors, and those of which nothing is said; not g."""
    found: set[sympy.Symbol] = set()
    for letter in (x for x in tree.walk(law) if isinstance(x, tree.Symbol)):
        value = declared.look(letter)
        column = isinstance(value, np.ndarray) and value.ndim == 2 and value.shape[1] == 1 and len(value) > 1
        unsaid = letter in declared.implied or (column and not is_capital(letter))
        if letter.base in INPUTS or (unsaid and letter.base != "g"):
            found |= {x for x in np.ravel(value) if isinstance(x, sympy.Symbol)} - declared.moving
    return found


def refuse_late_law(declared: Declared, rates: dict[sympy.Symbol, Any]) -> None:
    """Raise ProofError at a law of what has one, or of a rate that stands in an expression before it: that would keep the old rate."""
    known = declared.bindings.rates
    free = {known[x] for x in rates}
    if declared.ruled & (rates.keys() | free):
        raise ProofError("a law is said of it before this one: declare the letter once more before another")
    others = [entry for x, entry in known.items() if x in declared.ruled]
    held = letters_in([*declared.bindings.values.values(), *others, *rates.values()])
    if free & held:
        raise ProofError("its rate stands in an expression before its law, or in the law: declare the law first")


def rates_are_bound(declared: Declared, *sides: tree.Node) -> bool:
    """Tell whether rates are no free numbers: a derivative by the time stands in sides, or a law of motion gives one."""
    nodes = [x for side in sides for x in tree.walk(side) if is_rate(x)]
    lower = [replace(x, dots=dots) for x in nodes if isinstance(x, tree.Symbol) for dots in range(x.dots)]
    return len(nodes) > sum(isinstance(x, tree.Symbol) for x in nodes) or bool(
        declared.letters_of(*lower) & declared.ruled
    )


def letters_in(values: list[Any]) -> set[sympy.Basic]:
    """Return the letters of SymPy in values, numbers and matrices."""
    return {s for value in values for x in np.ravel(value) for s in getattr(x, "free_symbols", ())}


def size_of(value: Any) -> str:
    """Return the size of a value in words."""
    return "x".join(map(str, np.shape(value))) or "a number"
