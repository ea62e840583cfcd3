"""What an author takes back, `forget x` and `forget all`, where a letter means another thing from there on."""

from collections.abc import Iterable

import sympy

from eqproof import tree
from eqproof.bindings import Bindings
from eqproof.declared_letters import Declared


def forget_all(declared: Declared) -> None:
    """Take back all that is said; what was written stays, for the cache."""
    for kept in (declared.numbers, declared.defined, declared.units):
        kept.clear()
    for names in (
        declared.moving,
        declared.ruled,
        declared.implied,
        declared.functions,
        declared.inputs,
        declared.constants,
    ):
        names.clear()
    declared.bindings = Bindings()


def forget(declared: Declared, keys: Iterable[tree.Symbol]) -> None:
    """Take back what is said of letters, what is defined by them, and what moves by a law that holds them."""
    gone: set[tree.Symbol] = {*keys}
    for head in gone & declared.functions:
        gone |= values_of(declared, head)
    while more := resting_on(declared, gone) - gone:
        gone |= more
    for key in gone:
        declared.bindings.values.pop(key, None)
        declared.defined.pop(key, None)
        declared.units.pop(key, None)
        if key == tree.Symbol(key.base):
            declared.numbers.pop(key.base, None)
    declared.implied -= gone
    declared.functions = {head for head in declared.functions if values_of(declared, head)}


def values_of(declared: Declared, head: tree.Node) -> set[tree.Symbol]:
    """Return the letters that stand for a function with its arguments, G(s) and G(0) of G; as `conventions.with_atoms` names them."""
    begins = (f"{head!r} of ", f"{head.base} of " if isinstance(head, tree.Symbol) else "?")
    return {x for x in declared.bindings.values if isinstance(x, tree.Symbol) and x.base.startswith(begins)}


def resting_on(declared: Declared, gone: set[tree.Symbol]) -> set[tree.Symbol]:
    """Return the letters that are defined by some letters, or move by a law that holds one of them."""
    rates = declared.bindings.rates
    held: set[sympy.Basic] = {*declared.letters_of(*(x for x in gone if x not in declared.defined))}
    for _ in range(2):  # their rates, and the rates of these
        held |= {rates[x] for x in held & rates.keys() - declared.ruled}
    held |= {x for x in declared.ruled if rates[x].free_symbols & held}
    known = [x for x in declared.bindings.values if isinstance(x, tree.Symbol)]
    names = {x for x in known if declared.defined.get(x, frozenset()) & gone}
    return names | {x for x in known if declared.letters_of(x) & held}
