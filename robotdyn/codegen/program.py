"""Straight-line programs:  no loop, no branch, each line one operation on earlier lines."""

import keyword
import operator
import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from robotdyn.codegen.recording import ARITHMETIC, FUNCTIONS
from robotdyn.maths.namespace import each, scalar_function

_OPERATIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "neg": operator.neg, "inverse": lambda x: 1 / x}
_OPERATIONS |= {name: scalar_function(name) for name in FUNCTIONS}

# What the texts of programs use themselves, and words of JavaScript.
RESERVED = {*FUNCTIONS, "floor", "abs", "max", "min", "range", "np", "njit", "sincos", "sincos_of_any", "state", "one", "many",
            "P", "STATES", "FIRST", "LANE", "WIDTH", "DONE", "COLUMNS", "FAR", "REGISTERS", "HALF", "ONE",
            "add", "array", "copyto", "divide", "multiply", "negative", "subtract", "Math",
            "self", "parameters", "others", "empty", "kernel", "RESULT", "PARAMETERS",
            "arguments", "await", "eval", "implements", "interface", "package", "private", "protected", "public",
            "case", "catch", "const", "default", "delete", "do", "enum", "export", "extends", "function", "instanceof",
            "let", "new", "null", "static", "super", "switch", "this", "throw", "typeof", "var", "void", "true", "false"}  # fmt: skip
OF_RESULTS = re.compile(r"out[\d_]*|.*_ARRAY")  # arrays in the texts, too


@dataclass(frozen=True, eq=False)
class Program:
    """A straight-line program: no loop, no branch, each line one operation on earlier lines.

    name: of the algorithm; inputs: its arguments; nodes: the lines, ("+", i, j) the sum of lines i and j;
    results: arrays of places in `nodes`, one for each array that the algorithm returns; several: it returns a tuple.
    """

    name: str
    inputs: tuple
    nodes: tuple
    results: tuple
    several: bool = False

    @property
    def operations(self):
        """The number of operations: additions, products, changes of sign, reciprocals, sines and so on."""
        return sum(self.counts.values())

    @property
    def counts(self):
        """The number of operations of each kind."""
        found = Counter(node[0] for node in self.nodes)
        return {kind: found[kind] for kind in (*ARITHMETIC, *FUNCTIONS) if found[kind]}

    def __call__(self, *arrays, **parameters):
        """Return what the program gives for one state of any scalars: numbers, symbols, or scalars that record."""
        state, free = [i for i in self.inputs if not i.free], {i.name: i for i in self.inputs if i.free}
        if len(arrays) != len(state):
            raise TypeError(f"{self.name} takes {', '.join(i.name for i in state)}, got {len(arrays)} arrays")
        for name in parameters:
            if name not in free:
                raise TypeError(f"{name} must be one of the parameters that stayed free ({', '.join(free) or 'none'})")
        values = {name: i.value for name, i in free.items() if i.value is not None} | parameters
        for name in free:
            if name not in values:
                raise TypeError(f"{name} must be given, {name}=..., for it is a symbol of the arm, without a value")
        values |= {i.name: array for i, array in zip(state, arrays)}
        given = {i.name: _entries(values[i.name], i) for i in self.inputs}
        if all(isinstance(x, (int, float)) for array in given.values() for x in array.flat):
            given = {name: each(array, float) for name, array in given.items()}  # SymPy keeps whole numbers as they are
        lines = self.lines(lambda name, k: given[name].flat[k])
        return self.shaped([array_of([lines[k] for k in places.flat], places.shape) for places in self.results])

    def jacobian(self, by):
        """Return the Program of d result / d input, of shape result.shape + input.shape; by: the name of the input."""
        from robotdyn.codegen import differentiation

        return differentiation.jacobian(self, by)

    def gradient(self, by):
        """Return the Program of the gradient of a scalar result, of the shape of the input."""
        from robotdyn.codegen import differentiation

        return differentiation.gradient(self, by)

    def along(self, by, direction="direction"):
        """Return the Program of the derivative along a direction, J v: a further input of that name."""
        from robotdyn.codegen import differentiation

        return differentiation.along(self, by, direction)

    def hessian_product(self, by, direction="direction"):
        """Return the Program of H v, the Hessian of a scalar result times a direction: a further input of that name."""
        from robotdyn.codegen import differentiation

        return differentiation.hessian_product(self, by, direction)

    def lines(self, read):
        """Return the value of every line; read(name, k): the scalar that stands for entry k of an input."""
        values = []
        for kind, *operands in self.nodes:
            if kind == "number":
                values.append(operands[0])
            elif kind == "input":
                values.append(read(*operands))
            else:
                values.append(_OPERATIONS[kind](*(values[k] for k in operands)))
        return values

    def shaped(self, arrays):
        """Return the arrays as the algorithm does: a tuple, one array, or a scalar."""
        arrays = [array[()] for array in arrays]
        return tuple(arrays) if self.several else arrays[0]


def program(name, inputs, graph, results, several=False):
    """Return the Program that ends in `results`, arrays of recorded scalars; lines that they do not need are dropped."""
    _check_names(inputs)
    if not len(results):
        raise ValueError(f"an algorithm must return at least one array or scalar, got none from {name}")
    arrays = [np.asarray(result, dtype=object) for result in results]
    wanted = [np.array([graph.place(x) for x in array.flat], dtype=int).reshape(array.shape) for array in arrays]
    if not name.isidentifier():  # a lambda
        name = "program"
    return pruned(name if _is_free(name) else f"{name}_", inputs, graph.nodes, wanted, several)


def pruned(name, inputs, nodes, results, several=False):
    """Return the Program of those `nodes` that `results`, arrays of places, need."""
    live, todo = set(), [int(k) for places in results for k in places.flat]
    while todo:
        k = todo.pop()
        if k not in live:
            live.add(k)
            todo += operands(nodes[k])
    new = {k: number for number, k in enumerate(sorted(live))}
    lines = tuple(
        node if node[0] in ("number", "input") else (node[0], *(new[k] for k in node[1:]))
        for node in (nodes[k] for k in new)
    )
    places = tuple(np.array([new[int(k)] for k in row.flat], dtype=int).reshape(row.shape) for row in results)
    return Program(name, tuple(inputs), lines, places, several)


def operands(node):
    """Return the places of the lines that a line needs."""
    return () if node[0] in ("number", "input") else node[1:]


def _entries(value, given):
    """Return the entries of an input in an array of objects, its shape checked."""
    array = np.array(value.tolist() if hasattr(value, "tolist") else value, dtype=object)
    if getattr(value, "cols", 0) == 1 and array.shape == (*given.shape, 1):
        array = array[..., 0]  # a column Matrix is a vector
    if array.shape != given.shape:
        raise ValueError(
            f"{given.name} must have shape {given.shape}, got {array.shape}: a batch of states is for rd.specialize"
        )
    return array


def _is_free(name):
    """Tell whether a name means nothing yet in the texts of programs."""
    return not (keyword.iskeyword(name) or name in RESERVED or OF_RESULTS.fullmatch(name))


def _check_names(inputs):
    """Refuse names that would not be names in the text of a program, in one of its languages."""
    for i in inputs:
        if not i.name.isidentifier() or not _is_free(i.name):
            raise ValueError(
                f"an input must have a name that is free in Python and JavaScript, got {i.name!r}: rename it"
            )
    labels = Counter(label for i in inputs for label in {i.name, *i.labels})
    if twice := [label for label, count in labels.items() if count > 1]:
        raise ValueError(f"the entries of all inputs must have different names, got {twice[0]} twice: rename an input")


def array_of(items, shape):
    """Return scalars of any kind in an array of objects."""
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array.reshape(shape)
