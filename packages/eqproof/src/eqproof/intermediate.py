r"""What the tree holds only while it is built: signs between factors, functions without their arguments, braces.

Each such node becomes one of the tree, or is refused, in `eqproof.shape`, which knows the row in which it stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn, TypeGuard

from eqproof import tree
from eqproof.errors import Unreadable

NOT_PRINTED = "braces and colors are not printed as brackets, and without these it says something else: write brackets"
ENDS_BY_ITSELF = (
    *(tree.Symbol, tree.Number, tree.Group, tree.Matrix, tree.Fraction, tree.Root, tree.Bars, tree.Dots),
    *(tree.Power, tree.Mark, tree.Indexed, tree.Dotted),
)


@dataclass(frozen=True)
class Operator(tree.Node):
    """A sign between factors: cdot, times or slash."""

    text: str


@dataclass(frozen=True)
class Head(tree.Node):
    """The name of a function, perhaps with a power, whose argument is still to come; base: that of a logarithm."""

    name: str
    power: tree.Node | None = None
    base: tree.Node | None = None


@dataclass(frozen=True)
class BigHead(tree.Node):
    """A sum, product or integral whose body is still to come; also: the indices in front of the one that low names.

    conditions: what stands below it where that is more than the range of one index.
    """

    kind: str
    low: tree.Node | None = None
    high: tree.Node | None = None
    also: tuple[str, ...] = ()
    conditions: tuple[tree.Chain, ...] = ()


@dataclass(frozen=True)
class DerivativeHead(tree.Node):
    """d/dt whose operand is still to come."""

    kind: str
    order: int
    variables: tuple[tuple[tree.Node, int], ...]


@dataclass(frozen=True)
class Braces(tree.Node):
    """What stands in braces, which are not printed: a product, a sum, or what has no end of its own, such as \\sin x."""

    inside: tree.Node


def refuse(sentence: str, item: tree.Node) -> NoReturn:
    """Raise the error that points at an item."""
    raise Unreadable(sentence, place=item.span[0])


def span(items: Sequence[tree.Node]) -> tuple[int, int]:
    """Return the place of a row of items."""
    return (items[0].span[0], items[-1].span[1])


def braces(inside: tree.Node, place: tuple[int, int]) -> tree.Node:
    """Return what stands in braces: itself where it ends by itself."""
    return inside if isinstance(inside, ENDS_BY_ITSELF) and not reaches_on(inside) else Braces(inside, span=place)


def reaches_on(node: tree.Node) -> bool:
    r"""Tell whether a node may swallow what is printed behind it: \sin x, \sin^2 x, a sum."""
    return isinstance(
        node.base if isinstance(node, tree.Power) else node, tree.Call | tree.Big | tree.Over | tree.Limit
    )


def without_braces(sign: tree.Sign, term: tree.Node) -> tree.Node:
    """Return a term without the braces around it; a sign in front of a sum in braces is not printed in front of all of it."""
    if not isinstance(term, Braces):
        return term
    if sign.text == "-" and isinstance(term.inside, tree.Add):
        refuse(NOT_PRINTED, term)
    return term.inside


def open_braces(items: Sequence[tree.Node]) -> list[tree.Node]:
    """Return a row without braces: what is printed stands there as if there were none."""
    row: list[tree.Node] = []
    for i, item in enumerate(items):
        inside = item.inside if isinstance(item, Braces) else item
        factors = inside.factors if isinstance(item, Braces) and isinstance(inside, tree.Product) else (inside,)
        goes_on = i + 1 < len(items) and reaches_on(factors[-1])
        if isinstance(item, Braces) and (isinstance(inside, tree.Add | tree.Binary) or goes_on):
            refuse(NOT_PRINTED, item)
        row += factors
    return row


def is_undecorated_symbol(item: object) -> TypeGuard[tree.Symbol]:
    """Tell whether an item is a letter without style, dots or accents."""
    return isinstance(item, tree.Symbol) and not (item.style or item.accents or item.dots or item.sup)


def is_index(item: object) -> TypeGuard[tree.Symbol]:
    """Tell whether an item is a letter alone, which may count."""
    return is_undecorated_symbol(item) and not (item.sub or item.primes or item.prefix or item.pre)


def depends_on_index(node: tree.Node, index: str) -> bool:
    """Tell whether an index stands in a node: as a letter, or in a subscript."""
    symbols = [x for x in tree.walk(node) if isinstance(x, tree.Symbol | tree.Indexed)]
    return any(x == tree.Symbol(index) or index in x.sub for x in symbols)
