"""Letters that must mean something of which nothing is said, if a step that is no identity is true: what is asked of an author."""

from collections.abc import Iterable

from eqproof import notations, rescues, tree
from eqproof.comparison import name_of
from eqproof.declared_letters import ROOTS


def unexplained_letters(one: frozenset[tree.Node], other: frozenset[tree.Node], alone: bool) -> frozenset[tree.Node]:
    """Return the letters that must mean something else if a step that is no identity is true.

    alone: it is the first one, or one side has no letter: a law or a definition, unless both sides have the same letters.
    A rate that one side alone has is what an equation of motion tells.
    """
    if one == other:
        return frozenset()
    rates = any(isinstance(x, tree.Symbol) and (x.dots or x.style == notations.BRACKET) for x in one ^ other)
    if not alone and not rates and not has_values_of_one_function(one, other) and (one <= other or other <= one):
        return frozenset()
    return one ^ other


def has_values_of_one_function(one: frozenset[tree.Node], other: frozenset[tree.Node]) -> bool:
    """Tell whether a value of a function stands on one side alone, and another of its values in the step: erf(-x) is -erf(x)."""
    heads = [x.base.partition(" of ")[0] for x in one | other if isinstance(x, tree.Symbol) and " of " in x.base]
    alone = {x.base.partition(" of ")[0] for x in one ^ other if isinstance(x, tree.Symbol) and " of " in x.base}
    return any(heads.count(x) > 1 for x in alone)


def ask_for_numbers(left: tree.Node, right: tree.Node, text: str) -> str:
    """Return the sentence that asks for the numbers that were put in for letters, "" where that does not make the right side."""
    numbers = rescues.numbers_put_in(left, right)
    listed = ", ".join(f"{name_of(x, text)} = {number.text}" for x, number in numbers.items())
    return f"holds with numbers put in, {listed}: declare them" if listed else ""


def ask_for_meaning(letters: Iterable[tree.Node], text: str) -> str:
    """Return the sentence that asks for what letters stand for."""
    names = ", ".join(sorted({name_of(x, text) for x in letters if isinstance(x, tree.Symbol)}))
    root = f"; nor is it seen to hold with {names} the root of -1" if {*letters} <= {*ROOTS} else ""
    return f"this is no identity of free letters: declare what {names} stands for{root}"
