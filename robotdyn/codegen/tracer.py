"""Tracing scalars:  t = q_1 * q_2  appends the node "t = q_1 * q_2" to a graph, so that an algorithm run once is a program.

A node is stored once however often it is computed (common subexpressions), numbers are folded at once, zeros and ones
vanish.  What is left after a run is a list of nodes, each made of earlier ones: ("+", i, j), ("sin", i), ("number", 2.5), ("input", "q", 0).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real
from typing import Any, ClassVar, TypeAlias

import numpy as np

Node: TypeAlias = tuple[Any, ...]

FUNCTIONS = ("sin", "cos", "tan", "sqrt", "exp", "log", "tanh")
ARITHMETIC = ("+", "-", "*", "neg", "inverse")  # a / b is a * inverse(b): quotients with one divisor share it
NOT_A_NUMBER = (
    "a traced value is no number yet: an algorithm that is traced takes its functions from "
    "xp = namespace(q), such as xp.sin, and never calls float(), math or numpy.linalg"
)


class Graph:
    """The nodes of one trace, in the order in which they were first computed."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._indices: dict[Node, int] = {}

    def node(self, *key: Any) -> int:
        """Return the index of a node, which is appended if it is new; key: its operation and the indices of its operands."""
        index = self._indices.get(key)
        if index is None:
            index = self._indices[key] = len(self.nodes)
            self.nodes.append(key)
        return index

    def input(self, *label: Any) -> Tracer:
        """Return the scalar that stands for an input."""
        return Tracer(self, self.node("input", *label))

    def index(self, x: Any) -> int:
        """Return the index of the node of a tracer, or of a number."""
        if not isinstance(x, Tracer):
            if not isinstance(x, Real) or not math.isfinite(x):
                raise ValueError(f"a program is made of finite numbers, got {x!r}: look for what the algorithm returns")
            return self.node("number", float(x))
        if x.graph is not self:
            raise ValueError("a traced value must stay in its own graph, got one of another: trace both at once")
        return x.index


class Tracer:
    """A scalar whose value is not known yet: every operation on it becomes a node of its graph, and gives another tracer."""

    __slots__ = ("graph", "index")
    graph: Graph
    index: int
    is_finite: bool = True  # nobody knows yet: the program gives infinity or NaN where it is not
    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __init__(self, graph: Graph, index: int) -> None:
        self.graph = graph
        self.index = index

    def is_negligible(self, among: Any) -> bool:
        """A value that is yet to come is not taken for zero: the program gives infinity or NaN where it is."""
        return False

    def __add__(self, other: Any) -> Any:
        return _sum(self, other) if _is_scalar(other) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _difference(self, other) if _is_scalar(other) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return _difference(other, self) if _is_scalar(other) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        return _product(self, other) if _is_scalar(other) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return _product(self, _inverse(other)) if _is_scalar(other) else NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        return _product(other, _inverse(self)) if _is_scalar(other) else NotImplemented

    def __neg__(self) -> Any:
        return _negative(self)

    def __pos__(self) -> Tracer:
        return self

    def __pow__(self, exponent: Any) -> Any:
        if not isinstance(exponent, Real) or not (2 * float(exponent)).is_integer():
            raise TypeError(f"a traced value takes whole and half exponents, got {exponent!r}: write exp and log")
        exponent = float(exponent)
        if exponent < 0:
            return _inverse(self**-exponent)
        if exponent != int(exponent):
            return apply_function("sqrt", self) * self ** int(exponent)
        power = 1
        square = self
        for digit in reversed(f"{int(exponent):b}"):  # squares of squares
            power = power * square if digit == "1" else power
            square = square * square
        return power

    def __rpow__(self, base: Any) -> Any:
        raise TypeError(f"a traced value is no exponent, got {base!r} to its power: write exp and log")

    def __repr__(self) -> str:
        return f"<traced {self.graph.nodes[self.index]}>"


def apply_function(name: str, x: Any) -> Any:
    """Return sin, cos, tan, sqrt, exp, log or tanh of a scalar; the sine of -x is minus the sine of x."""
    if type(x) is not Tracer:
        return getattr(math, name)(x)
    kind, *operands = x.graph.nodes[x.index]
    if kind == "neg" and name in ("sin", "cos", "tan", "tanh"):
        value = apply_function(name, Tracer(x.graph, operands[0]))
        return value if name == "cos" else -value
    return Tracer(x.graph, x.graph.node(name, x.index))


def _function_method(name: str) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return apply_function(name, self)

    method.__doc__ = f"Return {name} of this scalar."
    return method


for _name in FUNCTIONS:  # NumPy asks objects for these methods
    setattr(Tracer, _name, _function_method(_name))


def _refuse_branch(self: Any, *_: Any) -> Any:
    """Say that nobody knows the value yet."""
    raise TypeError(
        "an algorithm that is traced must not branch on a traced value (if, while, <, ==, abs, max): the program "
        "would hold one way only; compute both ways, or branch on the arm"
    )


for _name in [
    "bool",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "abs",
    "mod",
    "rmod",
    "floordiv",
    "rfloordiv",
    "round",
    "floor",
    "ceil",
    "trunc",
]:
    setattr(Tracer, f"__{_name}__", _refuse_branch)


def _refuse_conversion(self: Any) -> Any:
    """Say that this is no number."""
    raise TypeError(NOT_A_NUMBER)


for _name in ("float", "int", "index", "complex"):
    setattr(Tracer, f"__{_name}__", _refuse_conversion)


def _unsupported_function(name: str) -> Callable[..., Any]:
    def method(self: Any, *_: Any) -> Any:
        raise TypeError(f"a traced value has the functions {', '.join(FUNCTIONS)}, got {name}: write it with these")

    method.__doc__ = f"Say that {name} is none of the functions."
    return method


UNSUPPORTED = "arcsin arccos arctan arctan2 hypot sinh cosh arcsinh arccosh arctanh cbrt exp2 expm1 log2 log10 log1p"
for _name in UNSUPPORTED.split():
    setattr(Tracer, _name, _unsupported_function(_name))


def operands(node: Node) -> Node:
    """Return the indices of the nodes that a node needs."""
    return () if node[0] in ("number", "input") else node[1:]


# ---- the operations, on tracers and numbers ----------------------------------------------------------------


def _sum(a: Any, b: Any) -> Any:
    a, b = (b, a) if type(a) is not Tracer else (a, b)
    if type(a) is not Tracer:
        return a + b
    if type(b) is not Tracer and b == 0:
        return a
    for x, y in ((a, b), (b, a)):
        if _is_operation(y, "neg"):
            return _difference(x, _operand(y, 0))
    graph = a.graph
    return Tracer(graph, graph.node("+", *sorted((a.index, graph.index(b)))))


def _difference(a: Any, b: Any) -> Any:
    if type(b) is not Tracer:
        return _sum(a, -b)
    if type(a) is Tracer and a.graph is b.graph and a.index == b.index:
        return 0.0  # a traced value stands for a float, so does what is folded
    if type(a) is not Tracer and a == 0:
        return _negative(b)
    if _is_operation(b, "neg"):
        return _sum(a, _operand(b, 0))
    if _is_operation(a, "neg"):
        return _negative(_sum(_operand(a, 0), b))
    return Tracer(b.graph, b.graph.node("-", b.graph.index(a), b.index))


def _product(a: Any, b: Any) -> Any:
    a, b = (a, b) if type(a) is not Tracer else (b, a)  # a number stands first
    if type(b) is not Tracer:
        return a * b
    graph = b.graph
    if type(a) is not Tracer:
        if a == 0 or a == 1:
            return b if a else 0.0
        if a < 0:
            return _negative(_product(-a, b))  # so that c x and -c x are one product
        if _is_operation(b, "neg"):
            return _product(-a, _operand(b, 0))
        kind, *operands = graph.nodes[b.index]
        if kind == "*" and graph.nodes[operands[0]][0] == "number":
            return _product(a * graph.nodes[operands[0]][1], Tracer(graph, operands[1]))
        return Tracer(graph, graph.node("*", graph.index(a), b.index))
    for x, y in ((a, b), (b, a)):
        if _is_operation(x, "neg"):
            return _negative(_product(_operand(x, 0), y))
    return Tracer(graph, graph.node("*", *sorted((graph.index(a), b.index))))


def _negative(a: Any) -> Any:
    if type(a) is not Tracer:
        return -a
    if _is_operation(a, "neg"):
        return _operand(a, 0)
    if _is_operation(a, "-"):
        return _difference(_operand(a, 1), _operand(a, 0))
    return Tracer(a.graph, a.graph.node("neg", a.index))


def _inverse(a: Any) -> Any:
    if type(a) is not Tracer:
        if a == 0:
            raise ZeroDivisionError("an algorithm that is traced must not divide by a number that is always 0")
        return 1 / a
    if _is_operation(a, "neg"):
        return _negative(_inverse(_operand(a, 0)))
    return Tracer(a.graph, a.graph.node("inverse", a.index))


def _is_operation(x: Any, kind: str) -> bool:
    return type(x) is Tracer and x.graph.nodes[x.index][0] == kind


def _operand(x: Tracer, k: int) -> Any:
    """Return an operand of a node, as a scalar, or as the number that it is."""
    index = x.graph.nodes[x.index][1 + k]
    kind, *value = x.graph.nodes[index]
    return value[0] if kind == "number" else Tracer(x.graph, index)


def _is_scalar(other: Any) -> bool:
    """Arrays ask entry by entry; anything but a real number is refused."""
    return type(other) is Tracer or (isinstance(other, Real) and not isinstance(other, np.ndarray))
