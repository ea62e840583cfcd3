"""Derivatives of a program, exact, as programs:  dy/dx = sum over the ways from x to y of the products of partials.

Forward accumulation carries derivatives along with the values, reverse accumulation carries them back from a result;
both write into the same graph as the values, so that what they share is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from robotdyn.codegen.tracer import Graph, Node, Tracer, apply_function, operands
from robotdyn.maths.namespace import object_array
from robotdyn.maths.validate import Array


def jacobian(of: Any, by: Any) -> tuple[Graph, list[Array]]:
    """Return d result / d input of a Program by one of its inputs: the graph, and arrays of tracers in it."""
    graph = Graph()
    lines = of.lines(graph.input)
    input_entries = {node[2]: index for index, node in enumerate(of.nodes) if node[:2] == ("input", by.name)}
    result_indices = [int(k) for array in of.results for k in array.flat]
    if by.size <= len(result_indices):
        tangents = _forward(of.nodes, lines, {index: {j: 1} for j, index in input_entries.items()})
        rows = {k: [tangents[k].get(j, 0) for j in range(by.size)] for k in result_indices}
    else:
        rows = {}
        for k in set(result_indices):
            adjoints = _reverse(of.nodes, lines, k)
            rows[k] = [adjoints.get(input_entries.get(j, -1), 0) for j in range(by.size)]
    return graph, [
        object_array([x for k in array.flat for x in rows[int(k)]], array.shape + by.shape) for array in of.results
    ]


def along(of: Any, by: Any, direction: str) -> tuple[Graph, list[Array]]:
    """Return the derivative of a Program along a direction of one of its inputs: the graph, and arrays in it."""
    graph = Graph()
    lines = of.lines(graph.input)
    indices = [index for index, node in enumerate(of.nodes) if node[:2] == ("input", by.name)]
    tangents = _forward(of.nodes, lines, {index: {0: graph.input(direction, of.nodes[index][2])} for index in indices})
    return graph, [object_array([tangents[int(k)].get(0, 0) for k in array.flat], array.shape) for array in of.results]


def _forward(nodes: Sequence[Node], lines: list[Any], seeds: dict[int, dict[int, Any]]) -> list[dict[int, Any]]:
    """Return for each node {seed: derivative}; seeds: {index of an input: {seed: derivative}}."""
    tangents: list[dict[int, Any]] = []
    for index, node in enumerate(nodes):
        derivatives = dict(seeds.get(index, {}))
        if any(tangents[k] for k in operands(node)):
            for k, partial in zip(operands(node), _partials(node, lines, index)):
                for seed, derivative in tangents[k].items():
                    derivatives[seed] = derivatives.get(seed, 0) + partial * derivative
        tangents.append(
            {
                seed: derivative
                for seed, derivative in derivatives.items()
                if type(derivative) is Tracer or derivative != 0
            }
        )
    return tangents


def _reverse(nodes: Sequence[Node], lines: list[Any], result: int) -> dict[int, Any]:
    """Return {index: derivative of node `result` by that node}."""
    adjoints: dict[int, Any] = {result: 1}
    for index in range(result, -1, -1):
        if index in adjoints:
            for k, partial in zip(operands(nodes[index]), _partials(nodes[index], lines, index)):
                adjoints[k] = adjoints.get(k, 0) + adjoints[index] * partial
    return adjoints


def _partials(node: Node, lines: list[Any], index: int) -> tuple[Any, ...]:
    """Return the derivatives of a node by its operands."""
    kind = node[0]
    value = lines[index]
    x = [lines[k] for k in operands(node)]
    if not x:  # an input or a number
        return ()
    if kind in ("+", "-"):
        return 1, 1 if kind == "+" else -1
    if kind == "*":
        return x[1], x[0]
    return (_DERIVATIVES[kind](*x, value),)


_DERIVATIVES: dict[str, Callable[..., Any]] = {
    "neg": lambda x, y: -1,
    "inverse": lambda x, y: -(y * y),
    "sin": lambda x, y: apply_function("cos", x),
    "cos": lambda x, y: -apply_function("sin", x),
    "tan": lambda x, y: 1 + y * y,
    "sqrt": lambda x, y: 0.5 / y,
    "exp": lambda x, y: y,
    "log": lambda x, y: 1 / x,
    "tanh": lambda x, y: 1 - y * y,
}
