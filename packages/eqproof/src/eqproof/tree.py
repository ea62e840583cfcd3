"""The tree of a displayed equation: frozen nodes, each with its place in the text, so that an error can point at it."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar


@dataclass(frozen=True)
class Node:
    """A piece of an equation; span: where it stands in the text (start, end), which equality ignores."""

    span: tuple[int, int] = field(default=(0, 0), compare=False, kw_only=True, repr=False)


@dataclass(frozen=True)
class Number(Node):
    """A number as printed, such as 2 or 9.81."""

    text: str


@dataclass(frozen=True)
class Symbol(Node):
    r"""A letter with all that it wears: \ddot{\tilde{\boldsymbol q}}_k' is base q, style bold, accents tilde, dots 2.

    sub: the pieces of the subscript in their order, ("c", "1") for l_{c1}; sup: a superscript that is a name, as nc.
    prefix: the \delta of \delta q or the \Delta of \Delta t; pre: a superscript in front, as in {}^0 g.
    """

    base: str
    style: str = ""
    accents: tuple[str, ...] = ()
    dots: int = 0
    sub: tuple[str, ...] = ()
    primes: int = 0
    sup: str = ""
    prefix: str = ""
    pre: str = ""


@dataclass(frozen=True)
class Sign(Node):
    """A plus or a minus in front of a term."""

    text: str


@dataclass(frozen=True)
class Add(Node):
    """A sum of signed terms; a term alone with its minus, too."""

    signs: tuple[Sign, ...]
    terms: tuple[Node, ...]


@dataclass(frozen=True)
class Product(Node):
    """Factors side by side."""

    factors: tuple[Node, ...]


@dataclass(frozen=True)
class Binary(Node):
    r"""Two products with a sign between them: \cdot, \times or a slash."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Fraction(Node):
    r"""\frac{above}{below}."""

    above: Node
    below: Node


@dataclass(frozen=True)
class Power(Node):
    """base^exponent; the evaluation decides whether a letter up there is an exponent or a name."""

    base: Node
    exponent: Node


@dataclass(frozen=True)
class Mark(Node):
    r"""A superscript that acts: transpose, inverse, inverse transpose, vee or hat."""

    kind: str
    body: Node


@dataclass(frozen=True)
class Root(Node):
    r"""\sqrt{body}, or the root of another degree."""

    body: Node
    degree: int = 2


@dataclass(frozen=True)
class Group(Node):
    """What stands between brackets, ( or [: one item, or several between commas."""

    bracket: str
    items: tuple[Node, ...]


@dataclass(frozen=True)
class Indexed(Node):
    """A subscript on something that is no letter: the entry or the column of (..)_k, the cross matrix [a]_x."""

    body: Node
    sub: tuple[str, ...]


@dataclass(frozen=True)
class Bars(Node):
    """|body| or ||body||."""

    kind: str
    body: Node


@dataclass(frozen=True)
class Call(Node):
    """A function of the usual ones, with its arguments."""

    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True)
class Dotted(Node):
    """The derivative by time of something in braces, as dots above it."""

    body: Node
    dots: int


@dataclass(frozen=True)
class Big(Node):
    """A sum or product over an index, from low to high, without skip; no high: to a number that is not printed; no low: of a set."""

    kind: str
    index: str
    low: Node | None
    high: Node | None
    body: Node
    skip: Node | None = None


@dataclass(frozen=True)
class Over(Node):
    r"""A sum or product over what conditions say of its indices, \sum_{i < j}, with the bound above it, as it is built.

    `eqproof.ranges` makes one over each index of it when the whole display is known.
    """

    kind: str
    conditions: tuple["Chain", ...]
    high: Node | None
    body: Node


@dataclass(frozen=True)
class Limit(Node):
    """The limit of body as a variable goes to a value."""

    variable: Node
    value: Node
    body: Node


@dataclass(frozen=True)
class Evaluated(Node):
    """The value of body where letters have these values: what a bar behind it says, pairs (letter, value)."""

    body: Node
    places: tuple[tuple[Node, Node], ...]


@dataclass(frozen=True)
class Integral(Node):
    """The integral of body by variable; no bounds: over a body, as declared by a measure."""

    low: Node | None
    high: Node | None
    body: Node
    variable: Symbol


@dataclass(frozen=True)
class Derivative(Node):
    r"""d/dt or \partial/\partial q of body; variables: each with its order.

    called: a symbol with brackets stands behind it, which must be its arguments: d/dt f(x), but not d/dt a (b + c).
    """

    kind: str
    body: Node
    variables: tuple[tuple[Node, int], ...]
    called: bool = False


@dataclass(frozen=True)
class Matrix(Node):
    """Rows of entries, which may be matrices themselves."""

    rows: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True)
class Cases(Node):
    """Rows of a value and its condition; no condition: otherwise."""

    rows: tuple[tuple[Node, "Chain | None"], ...]


@dataclass(frozen=True)
class Text(Node):
    r"""Words, \text{...}."""

    text: str


@dataclass(frozen=True)
class Dots(Node):
    r"""\dots between two items of a list."""


@dataclass(frozen=True)
class Moved(Node):
    """A node with another value, up or down by what its place tells: no text has it, it tries whether the value matters."""

    body: Node
    direction: int = 1


@dataclass(frozen=True)
class Chain(Node):
    """Sides with a relation between each two neighbors: a = b = c."""

    sides: tuple[Node, ...]
    relations: tuple[str, ...]


@dataclass(frozen=True)
class Claims(Node):
    """All that one display says: several chains between commas or wide spaces."""

    chains: tuple[Chain, ...]


N = TypeVar("N", bound=Node)


def children(node: Node) -> list[Node]:
    """Return the nodes right below a node, in the order of the text."""
    found: list[Node] = []

    def collect(value: object) -> None:
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple):
            for item in value:
                collect(item)

    for name in node.__dataclass_fields__:
        if name != "span":
            collect(getattr(node, name))
    return found


def map_children(node: N, change: Any) -> N:
    """Return a node of which each child is what change makes of it."""

    def made(value: Any) -> Any:
        if isinstance(value, Node):
            return change(value)
        return tuple(map(made, value)) if isinstance(value, tuple) else value

    parts = {x.name: getattr(node, x.name) for x in fields(node) if x.name != "span"}
    return replace(node, **{name: made(value) for name, value in parts.items()})


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes below it."""
    yield node
    for child in children(node):
        yield from walk(child)


def printed_number(node: Node) -> Number | None:
    """Return the printed number that a node is, with a sign perhaps, else None."""
    if isinstance(node, Add) and len(node.terms) == 1:
        node = node.terms[0]
    return node if isinstance(node, Number) else None
