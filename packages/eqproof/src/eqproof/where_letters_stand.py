"""Where letters stand in the sides of a step: in front of arguments, transposed, given values by a sum or an integral."""

from collections.abc import Iterator

from eqproof import conventions, tree
from eqproof.errors import Unreadable


def marked_letters(*sides: tree.Node) -> set[tree.Symbol]:
    """Return the letters that are transposed, or stand in a determinant, a trace or a cross product."""
    found: set[tree.Symbol] = set()
    for node in (x for side in sides for x in tree.walk(side)):
        transposed = isinstance(node, tree.Mark) and node.kind in ("T", "-T")
        crossed = isinstance(node, tree.Binary) and node.operator == "times"
        if transposed or crossed or conventions.is_of_matrices(node):
            found |= {*conventions.symbols(node)}
    return found


def heads_in(*sides: tree.Node) -> Iterator[tree.Node]:
    """Yield what stands in front of arguments, or may: the letters, and the names of functions as letters."""
    yield from conventions.symbols(*sides)
    yield from (tree.Symbol(x.name) for side in sides for x in tree.walk(side) if isinstance(x, tree.Call))


def refuse_no_letters(*sides: tree.Node) -> None:
    """Raise Unreadable where a sign stands that is no letter and has no value, as infinity has none outside of a limit."""
    nodes = [x for side in sides for x in tree.walk(side)]
    limits = [x.value for x in nodes if isinstance(x, tree.Limit)]
    for node in nodes:
        if isinstance(node, tree.Symbol) and node.base in conventions.NO_LETTERS and node not in limits:
            raise Unreadable(f"is {conventions.NO_LETTERS[node.base]}", of=node)


def is_one_number(bracket: tree.Group) -> bool:
    """Tell whether a number alone stands in brackets, as a moment of a function of t does."""
    return len(bracket.items) == 1 and not conventions.symbols(bracket.items[0]) and bracket.bracket == "("


def bound_letters(*sides: tree.Node) -> Iterator[tuple[tree.Node, tree.Node]]:
    """Yield (node, letter to which it gives values) for sums, products, limits, bars and integrals."""
    for node in (x for side in sides for x in tree.walk(side)):
        if isinstance(node, tree.Big):
            yield node, tree.Symbol(node.index)
        elif isinstance(node, tree.Limit | tree.Integral):
            yield node, node.variable
        elif isinstance(node, tree.Evaluated):
            for letter, _ in node.places:
                yield node, letter
