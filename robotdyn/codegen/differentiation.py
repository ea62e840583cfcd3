"""Derivatives of a program, exact, as programs:  dy/dx = sum over the ways from x to y of the products of partials.

Forward accumulation carries derivatives along with the values, reverse accumulation carries them back from a result;
both write into the same graph as the values, so that what they share is computed once.
"""

from dataclasses import replace

import numpy as np

from robotdyn.codegen.parameters import Input
from robotdyn.codegen.program import operands, program
from robotdyn.codegen.recording import Graph, Recorded, function


def jacobian(of, by):
    """Return the Program of d result / d input, each of shape result.shape + input.shape; by: name of the input."""
    graph, lines, given = _replayed(of, by)
    size = max(1, int(np.prod(given.shape, dtype=int)))
    results = sum(places.size for places in of.results)
    if size <= results:
        seeds = {place: {node[2]: 1} for place, node in enumerate(of.nodes) if node[:2] == ("input", by)}
        tangents = _forward(of, lines, seeds)
        rows = {int(k): [tangents[k].get(j, 0) for j in range(size)] for places in of.results for k in places.flat}
    else:
        inputs = {node[2]: place for place, node in enumerate(of.nodes) if node[:2] == ("input", by)}
        rows = {}
        for k in {int(k) for places in of.results for k in places.flat}:
            adjoints = _reverse(of, lines, k)
            rows[k] = [adjoints.get(inputs.get(j), 0) for j in range(size)]
    arrays = [_shaped([rows[int(k)] for k in places.flat], places.shape + given.shape) for places in of.results]
    return program(f"{of.name}_by_{by}", of.inputs, graph, arrays, of.several)


def gradient(of, by):
    """Return the Program of the gradient of a scalar result, of the shape of the input, at the cost of a few results."""
    if of.several or of.results[0].shape != ():
        shapes = ", ".join(str(places.shape) for places in of.results)
        raise ValueError(
            f"a gradient belongs to one scalar result, got results of shape {shapes}: ask for the jacobian"
        )
    return jacobian(of, by)


def along(of, by, direction="direction"):
    """Return the Program of the derivative along a direction, J v; the direction v is a further input of that name."""
    graph, lines, given = _replayed(of, by)
    if any(i.name == direction for i in of.inputs):
        raise ValueError(f"direction must be a new name, got {direction!r}, which is an input")
    seeds = {
        place: {0: graph.input(direction, node[2])} for place, node in enumerate(of.nodes) if node[:2] == ("input", by)
    }
    tangents = _forward(of, lines, seeds)
    arrays = [_shaped([[tangents[k].get(0, 0)] for k in a.flat], a.shape) for a in of.results]
    state, free = [i for i in of.inputs if not i.free], [i for i in of.inputs if i.free]
    inputs = [*state, Input(direction, given.shape), *free]
    return program(f"{of.name}_along_{by}", inputs, graph, arrays, of.several)


def hessian_product(of, by, direction="direction"):
    """Return the Program of H v, the Hessian of a scalar result times a direction, which is a further input."""
    made = along(gradient(of, by), by, direction)
    return replace(made, name=f"{of.name}_hessian_product")


def _replayed(of, by):
    """Return a new graph, the value of every line in it, and the input by which to differentiate."""
    given = {i.name: i for i in of.inputs}
    if by not in given:
        raise ValueError(f"by must name an input ({', '.join(given)}), got {by!r}")
    graph = Graph()
    return graph, of.lines(graph.input), given[by]


def _forward(of, lines, seeds):
    """Return for each line {seed: derivative}; seeds: {place of an input: {seed: derivative}}."""
    tangents = []
    for place, node in enumerate(of.nodes):
        slopes = dict(seeds.get(place, {}))
        if any(tangents[k] for k in operands(node)):
            for k, partial in zip(operands(node), _partials(node, lines, place)):
                for seed, slope in tangents[k].items():
                    slopes[seed] = slopes.get(seed, 0) + partial * slope
        tangents.append({seed: slope for seed, slope in slopes.items() if type(slope) is Recorded or slope != 0})
    return tangents


def _reverse(of, lines, result):
    """Return {place: derivative of line `result` by that line}."""
    adjoints = {result: 1}
    for place in range(result, -1, -1):
        if place in adjoints:
            node = of.nodes[place]
            for k, partial in zip(operands(node), _partials(node, lines, place)):
                adjoints[k] = adjoints.get(k, 0) + adjoints[place] * partial
    return adjoints


def _partials(node, lines, place):
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


_SLOPES = {
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


def _shaped(rows, shape):
    flat = [x for row in rows for x in row]
    array = np.empty(len(flat), dtype=object)
    array[:] = flat
    return array.reshape(shape)
