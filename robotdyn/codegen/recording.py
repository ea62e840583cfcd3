"""Scalars that record:  t = q_1 * q_2  writes the line "t = q_1 * q_2" into a graph, so that a text run once is a program.

A node is written once however often it is computed, numbers are folded at once, zeros and ones vanish.  What is left
after a run is a list of nodes, each made of earlier ones: ("+", i, j), ("sin", i), ("number", 2.5), ("input", "q", 0).
"""

import math
from collections.abc import Callable
from numbers import Real
from typing import Any, ClassVar, TypeAlias

import numpy as np

Node: TypeAlias = tuple[Any, ...]

FUNCTIONS = ("sin", "cos", "tan", "sqrt", "exp", "log", "tanh")
ARITHMETIC = ("+", "-", "*", "neg", "inverse")  # a / b is a * inverse(b): quotients with one divisor share it
NO_NUMBER = (
    "a recorded value is no number yet: an algorithm that is traced takes its functions from "
    "xp = namespace(q), such as xp.sin, and never calls float(), math or numpy.linalg"
)


class Graph:
    """The nodes of one recording, in the order in which they were first computed."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._places: dict[Node, int] = {}

    def node(self, *key: Any) -> int:
        """Return the place of a node, which is recorded now if it is new; key: its name and the places it is made of."""
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self.nodes)
            self.nodes.append(key)
        return place

    def input(self, *label: Any) -> "Recorded":
        """Return the scalar that stands for an input."""
        return Recorded(self, self.node("input", *label))

    def place(self, x: Any) -> int:
        """Return the place of a recorded scalar, or of a number."""
        if not isinstance(x, Recorded):
            if not isinstance(x, Real) or not math.isfinite(x):
                raise ValueError(f"a program is made of finite numbers, got {x!r}: look for what the algorithm returns")
            return self.node("number", float(x))
        if x.graph is not self:
            raise ValueError("a recorded value must stay in its own recording, got one of another: trace both at once")
        return x.place


class Recorded:
    """A scalar that is yet to come: every operation on it is recorded, and the result is recorded, too."""

    __slots__ = ("graph", "place")
    graph: Graph
    place: int
    is_finite: bool = True  # nobody knows yet: the program gives infinity or NaN where it is not
    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __init__(self, graph: Graph, place: int) -> None:
        self.graph = graph
        self.place = place

    def vanishes(self, among: Any) -> bool:
        """A value that is yet to come is not taken for zero: the program gives infinity or NaN where it is."""
        return False

    def __add__(self, other: Any) -> Any:
        return _sum(self, other) if _fits(other) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _difference(self, other) if _fits(other) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return _difference(other, self) if _fits(other) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        return _product(self, other) if _fits(other) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return _product(self, _inverse(other)) if _fits(other) else NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        return _product(other, _inverse(self)) if _fits(other) else NotImplemented

    def __neg__(self) -> Any:
        return _negative(self)

    def __pos__(self) -> "Recorded":
        return self

    def __pow__(self, exponent: Any) -> Any:
        if not isinstance(exponent, Real) or not (2 * float(exponent)).is_integer():
            raise TypeError(f"a recorded value takes whole and half exponents, got {exponent!r}: write exp and log")
        exponent = float(exponent)
        if exponent < 0:
            return _inverse(self**-exponent)
        if exponent != int(exponent):
            return function("sqrt", self) * self ** int(exponent)
        power, square = 1, self
        for digit in reversed(f"{int(exponent):b}"):  # squares of squares
            power = power * square if digit == "1" else power
            square = square * square
        return power

    def __rpow__(self, base: Any) -> Any:
        raise TypeError(f"a recorded value is no exponent, got {base!r} to its power: write exp and log")

    def __repr__(self) -> str:
        return f"<recorded {self.graph.nodes[self.place]}>"


def function(name: str, x: Any) -> Any:
    """Return sin, cos, tan, sqrt, exp, log or tanh of a scalar; the sine of -x is minus the sine of x."""
    if type(x) is not Recorded:
        return getattr(math, name)(x)
    kind, *operands = x.graph.nodes[x.place]
    if kind == "neg" and name in ("sin", "cos", "tan", "tanh"):
        value = function(name, Recorded(x.graph, operands[0]))
        return value if name == "cos" else -value
    return Recorded(x.graph, x.graph.node(name, x.place))


def _method(name: str) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return function(name, self)

    method.__doc__ = f"Return {name} of this scalar."
    return method


for _name in FUNCTIONS:  # NumPy asks objects for these methods
    setattr(Recorded, _name, _method(_name))


def _decide(self: Any, *_: Any) -> Any:
    """Say that nobody knows the value yet."""
    raise TypeError(
        "an algorithm that is traced must not branch on a recorded value (if, while, <, ==, abs, max): the program "
        "would hold one way only; compute both ways, or branch on the arm"
    )


for _name in ("bool", "eq", "ne", "lt", "le", "gt", "ge", "abs", "mod", "rmod", "floordiv", "rfloordiv", "round", "floor",
              "ceil", "trunc"):  # fmt: skip
    setattr(Recorded, f"__{_name}__", _decide)


def _number(self: Any) -> Any:
    """Say that this is no number."""
    raise TypeError(NO_NUMBER)


for _name in ("float", "int", "index", "complex"):
    setattr(Recorded, f"__{_name}__", _number)


def _unknown(name: str) -> Callable[..., Any]:
    def method(self: Any, *_: Any) -> Any:
        raise TypeError(f"a recorded value has the functions {', '.join(FUNCTIONS)}, got {name}: write it with these")

    method.__doc__ = f"Say that {name} is none of the functions."
    return method


for _name in ("arcsin", "arccos", "arctan", "arctan2", "hypot", "sinh", "cosh", "arcsinh", "arccosh", "arctanh", "cbrt",
              "exp2", "expm1", "log2", "log10", "log1p"):  # fmt: skip
    setattr(Recorded, _name, _unknown(_name))


def operands(node: Node) -> Node:
    """Return the places of the lines that a line needs."""
    return () if node[0] in ("number", "input") else node[1:]


# ---- the operations, on recorded scalars and numbers ----------------------------------------------------------------


def _sum(a, b):
    a, b = (b, a) if type(a) is not Recorded else (a, b)
    if type(a) is not Recorded:
        return a + b
    if type(b) is not Recorded and b == 0:
        return a
    for x, y in ((a, b), (b, a)):
        if _is(y, "neg"):
            return _difference(x, _part(y, 0))
    graph = a.graph
    return Recorded(graph, graph.node("+", *sorted((a.place, graph.place(b)))))


def _difference(a, b):
    if type(b) is not Recorded:
        return _sum(a, -b)
    if type(a) is Recorded and a.graph is b.graph and a.place == b.place:
        return 0.0  # a recorded value stands for a float, so does what is folded
    if type(a) is not Recorded and a == 0:
        return _negative(b)
    if _is(b, "neg"):
        return _sum(a, _part(b, 0))
    if _is(a, "neg"):
        return _negative(_sum(_part(a, 0), b))
    return Recorded(b.graph, b.graph.node("-", b.graph.place(a), b.place))


def _product(a, b):
    a, b = (a, b) if type(a) is not Recorded else (b, a)  # a number stands first
    if type(b) is not Recorded:
        return a * b
    graph = b.graph
    if type(a) is not Recorded:
        if a == 0 or a == 1:
            return b if a else 0.0
        if a < 0:
            return _negative(_product(-a, b))  # so that c x and -c x are one product
        if _is(b, "neg"):
            return _product(-a, _part(b, 0))
        kind, *operands = graph.nodes[b.place]
        if kind == "*" and graph.nodes[operands[0]][0] == "number":
            return _product(a * graph.nodes[operands[0]][1], Recorded(graph, operands[1]))
        return Recorded(graph, graph.node("*", graph.place(a), b.place))
    for x, y in ((a, b), (b, a)):
        if _is(x, "neg"):
            return _negative(_product(_part(x, 0), y))
    return Recorded(graph, graph.node("*", *sorted((graph.place(a), b.place))))


def _negative(a):
    if type(a) is not Recorded:
        return -a
    if _is(a, "neg"):
        return _part(a, 0)
    if _is(a, "-"):
        return _difference(_part(a, 1), _part(a, 0))
    return Recorded(a.graph, a.graph.node("neg", a.place))


def _inverse(a):
    if type(a) is not Recorded:
        if a == 0:
            raise ZeroDivisionError("an algorithm that is traced must not divide by a number that is always 0")
        return 1 / a
    if _is(a, "neg"):
        return _negative(_inverse(_part(a, 0)))
    return Recorded(a.graph, a.graph.node("inverse", a.place))


def _is(x, kind):
    return type(x) is Recorded and x.graph.nodes[x.place][0] == kind


def _part(x, k):
    """Return an operand of a node, as a scalar, or as the number that it is."""
    place = x.graph.nodes[x.place][1 + k]
    kind, *value = x.graph.nodes[place]
    return value[0] if kind == "number" else Recorded(x.graph, place)


def _fits(other):
    """Arrays ask entry by entry; anything but a real number is refused."""
    return type(other) is Recorded or (isinstance(other, Real) and not isinstance(other, np.ndarray))
