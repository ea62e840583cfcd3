"""Derivatives of a program, exact, as programs:  dy/dx = sum over the ways from x to y of the products of partials.

Forward accumulation carries derivatives along with the values, reverse accumulation carries them back from a result;
both write into the same graph as the values, so that what they share is computed once.
"""

from collections.abc import Callable, Sequence
from typing import Any

from robotdyn.codegen.recording import Graph, Node, Recorded, function, operands
from robotdyn.maths.namespace import array_of
from robotdyn.maths.validate import Array


def jacobian(of: Any, by: Any) -> tuple[Graph, list[Array]]:
    """Return d result / d input of a Program by one of its inputs: the graph, and arrays of recorded scalars in it."""
    graph = Graph()
    lines = of.lines(graph.input)
    entries = {node[2]: place for place, node in enumerate(of.nodes) if node[:2] == ("input", by.name)}
    places = [int(k) for array in of.results for k in array.flat]
    if by.size <= len(places):
        tangents = _forward(of.nodes, lines, {place: {j: 1} for j, place in entries.items()})
        rows = {k: [tangents[k].get(j, 0) for j in range(by.size)] for k in places}
    else:
        rows = {}
        for k in set(places):
            adjoints = _reverse(of.nodes, lines, k)
            rows[k] = [adjoints.get(entries.get(j, -1), 0) for j in range(by.size)]
    return graph, [
        array_of([x for k in array.flat for x in rows[int(k)]], array.shape + by.shape) for array in of.results
    ]


def along(of: Any, by: Any, direction: str) -> tuple[Graph, list[Array]]:
    """Return the derivative of a Program along a direction of one of its inputs: the graph, and arrays in it."""
    graph = Graph()
    lines = of.lines(graph.input)
    inputs = [place for place, node in enumerate(of.nodes) if node[:2] == ("input", by.name)]
    tangents = _forward(of.nodes, lines, {place: {0: graph.input(direction, of.nodes[place][2])} for place in inputs})
    return graph, [array_of([tangents[int(k)].get(0, 0) for k in array.flat], array.shape) for array in of.results]


def _forward(nodes: Sequence[Node], lines: list[Any], seeds: dict[int, dict[int, Any]]) -> list[dict[int, Any]]:
    """Return for each line {seed: derivative}; seeds: {place of an input: {seed: derivative}}."""
    tangents: list[dict[int, Any]] = []
    for place, node in enumerate(nodes):
        slopes = dict(seeds.get(place, {}))
        if any(tangents[k] for k in operands(node)):
            for k, partial in zip(operands(node), _partials(node, lines, place)):
                for seed, slope in tangents[k].items():
                    slopes[seed] = slopes.get(seed, 0) + partial * slope
        tangents.append({seed: slope for seed, slope in slopes.items() if type(slope) is Recorded or slope != 0})
    return tangents


def _reverse(nodes: Sequence[Node], lines: list[Any], result: int) -> dict[int, Any]:
    """Return {place: derivative of line `result` by that line}."""
    adjoints: dict[int, Any] = {result: 1}
    for place in range(result, -1, -1):
        if place in adjoints:
            for k, partial in zip(operands(nodes[place]), _partials(nodes[place], lines, place)):
                adjoints[k] = adjoints.get(k, 0) + adjoints[place] * partial
    return adjoints


def _partials(node: Node, lines: list[Any], place: int) -> tuple[Any, ...]:
    """Return the derivatives of a line by its operands."""
    kind, value = node[0], lines[place]
    x = [lines[k] for k in operands(node)]
    if not x:  # an input or a number
        return ()
    if kind in ("+", "-"):
        return 1, 1 if kind == "+" else -1
    if kind == "*":
        return x[1], x[0]
    return (_SLOPES[kind](*x, value),)


_SLOPES: dict[str, Callable[..., Any]] = {
    "neg": lambda x, y: -1,
    "inverse": lambda x, y: -(y * y),
    "sin": lambda x, y: function("cos", x),
    "cos": lambda x, y: -function("sin", x),
    "tan": lambda x, y: 1 + y * y,
    "sqrt": lambda x, y: 0.5 / y,
    "exp": lambda x, y: y,
    "log": lambda x, y: 1 / x,
    "tanh": lambda x, y: 1 - y * y,
}
