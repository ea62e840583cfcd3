"""Straight-line programs:  no loop, no branch, each line one operation on earlier lines."""

from __future__ import annotations

import keyword
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robotdyn.codegen import differentiation
from robotdyn.codegen.tracer import ARITHMETIC, FUNCTIONS, Graph, Node, operands
from robotdyn.maths.namespace import map_entries, object_array, scalar_function
from robotdyn.maths.validate import Array, Entries, Floats, Result

_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "neg": operator.neg,
    "inverse": lambda x: 1 / x,
    **{name: scalar_function(name) for name in FUNCTIONS},
}


@dataclass(frozen=True, eq=False)
class Input:
    """An argument of a program: its name and shape, and for a parameter that stayed free the value it has in the arm.

    A symbol of the arm has no value of its own: it must be given at every call.
    """

    name: str
    shape: tuple[int, ...]
    free: bool = False
    value: Floats | None = None

    @property
    def size(self) -> int:
        """The number of entries."""
        return int(np.prod(self.shape, dtype=int))

    @property
    def labels(self) -> list[str]:
        """The names of the entries: q1, q2; com1_1, com1_2; l_1."""
        return [self.name + entry_label(self.shape, k) for k in range(self.size)]


def entry_label(shape: Sequence[int], k: int) -> str:
    """Return "2" for entry 1 of a vector, "2_3" for entry (1, 2) of a matrix, nothing for a scalar."""
    label: list[str] = []
    for size in reversed(shape):
        k, index = divmod(k, size)
        label.insert(0, str(index + 1))
    return "_".join(label)


@dataclass(frozen=True, eq=False, repr=False)
class Program:
    """A straight-line program: no loop, no branch, each line one operation on earlier lines.

    name: of the algorithm; inputs: its arguments; nodes: the lines, ("+", i, j) the sum of lines i and j;
    results: arrays of indices into `nodes`, one for each array that the algorithm returns; several: it returns a tuple.
    """

    name: str
    inputs: tuple[Input, ...]
    nodes: tuple[Node, ...]
    results: tuple[NDArray[np.int_], ...]
    several: bool = False

    @property
    def state(self) -> list[Input]:
        """The inputs that every call takes."""
        return [i for i in self.inputs if not i.free]

    @property
    def free(self) -> list[Input]:
        """The parameters of the arm that stayed free."""
        return [i for i in self.inputs if i.free]

    @property
    def operations(self) -> int:
        """The number of operations: additions, products, changes of sign, reciprocals, sines and so on."""
        return sum(self.counts.values())

    @property
    def counts(self) -> dict[str, int]:
        """The number of operations of each kind."""
        found = Counter(node[0] for node in self.nodes)
        return {kind: found[kind] for kind in (*ARITHMETIC, *FUNCTIONS) if found[kind]}

    def __repr__(self) -> str:
        return f"<Program {self.call}, {self.operations} operations>"

    def _repr_html_(self) -> str:
        counts = self.counts
        rows = []
        for kind, count in counts.items():
            bar = f"width: {200 * count / max(counts.values()):.0f}px; height: 0.7em; background: #4a90d9"
            rows.append(f'<tr><td>{escape(kind)}</td><td>{count}</td><td><div style="{bar}"></div></td></tr>')
        shapes = ", ".join(str(indices.shape) for indices in self.results)
        caption = f"<code>{escape(self.call)}</code>: {self.operations} operations, results of shape {shapes}"
        return f"<table><caption>{caption}</caption>{''.join(rows)}</table>"

    @property
    def call(self) -> str:
        """How it is called: forward_dynamics(q, qd, tau, mass=)."""
        return f"{self.name}({', '.join(f'{i.name}=' if i.free else i.name for i in self.inputs)})"

    def __call__(self, *arrays: Any, **parameters: Any) -> Result:
        """Return what the program gives for one state of any scalars: numbers, symbols, or tracers."""
        given = self._bound(arrays, parameters)
        if all(isinstance(x, (int, float)) for array in given.values() for x in array.flat):
            # SymPy keeps whole numbers as they are
            given = {name: map_entries(array, float) for name, array in given.items()}
        lines = self.lines(lambda name, k: given[name].flat[k])
        return self.shaped([object_array([lines[k] for k in indices.flat], indices.shape) for indices in self.results])

    def _bound(self, arrays: Sequence[Any], parameters: dict[str, Any]) -> dict[str, Array]:
        """Return {input: its entries} of a call; TypeError where an argument is missing or is none of the program's."""
        state = self.state
        free = {i.name: i for i in self.free}
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
        return {i.name: _entries(values[i.name], i) for i in self.inputs}

    def jacobian(self, by: str) -> Program:
        """Return the Program of d result / d input, of shape result.shape + input.shape; by: the name of the input."""
        graph, arrays = differentiation.jacobian(self, self.input(by))
        return self.with_results(f"{self.name}_by_{by}", graph, arrays)

    def gradient(self, by: str) -> Program:
        """Return the Program of the gradient of a scalar result, of the shape of the input, at the cost of a few results."""
        if self.several or self.results[0].shape != ():
            shapes = ", ".join(str(indices.shape) for indices in self.results)
            raise ValueError(
                f"a gradient belongs to one scalar result, got results of shape {shapes}: ask for the jacobian"
            )
        return self.jacobian(by)

    def along(self, by: str, direction: str = "direction") -> Program:
        """Return the Program of the derivative along a direction, J v: a further input of that name."""
        given = self.input(by)
        if any(i.name == direction for i in self.inputs):
            raise ValueError(f"direction must be a new name, got {direction!r}, which is an input")
        graph, arrays = differentiation.along(self, given, direction)
        extended = replace(self, inputs=(*self.state, Input(direction, given.shape), *self.free))
        return extended.with_results(f"{self.name}_along_{by}", graph, arrays)

    def hessian_product(self, by: str, direction: str = "direction") -> Program:
        """Return the Program of H v, the Hessian of a scalar result times a direction: a further input of that name."""
        return replace(self.gradient(by).along(by, direction), name=f"{self.name}_hessian_product")

    def input(self, name: str) -> Input:
        """Return the input by which to differentiate."""
        given = {i.name: i for i in self.inputs}
        if name not in given:
            raise ValueError(f"by must name an input ({', '.join(given)}), got {name!r}")
        return given[name]

    def lines(self, read: Callable[[str, int], Any]) -> list[Any]:
        """Return the value of every line; read(name, k): the scalar that stands for entry k of an input."""
        values: list[Any] = []
        for kind, *parts in self.nodes:
            if kind == "number":
                values.append(parts[0])
            elif kind == "input":
                values.append(read(*parts))
            else:
                values.append(_OPERATIONS[kind](*(values[k] for k in parts)))
        return values

    def shaped(self, arrays: Iterable[Array]) -> Result:
        """Return the arrays as the algorithm does: a tuple, one array, or a scalar."""
        values = [array[()] for array in arrays]
        return tuple(values) if self.several else values[0]

    def with_results(self, name: str, graph: Graph, results: Sequence[Array]) -> Program:
        """Return the Program of other results, arrays of tracers of its inputs in a graph."""
        return program(name, self.inputs, graph, results, self.several)


def program(name: str, inputs: Sequence[Input], graph: Graph, results: Sequence[Any], several: bool = False) -> Program:
    """Return the Program that ends in `results`, arrays of tracers; lines that they do not need are dropped."""
    _check_names(inputs)
    if not len(results):
        raise ValueError(f"an algorithm must return at least one array or scalar, got none from {name}")
    arrays = [np.asarray(result, dtype=object) for result in results]
    indices = [np.array([graph.index(x) for x in array.flat], dtype=int).reshape(array.shape) for array in arrays]
    return pruned(
        name if name.isidentifier() else "program", inputs, graph.nodes, indices, several
    )  # a lambda has none


def pruned(
    name: str,
    inputs: Sequence[Input],
    nodes: Sequence[Node],
    results: Sequence[NDArray[np.int_]],
    several: bool = False,
) -> Program:
    """Return the Program of those `nodes` that `results`, arrays of indices, need."""
    live: set[int] = set()
    pending = [int(k) for indices in results for k in indices.flat]
    while pending:
        k = pending.pop()
        if k not in live:
            live.add(k)
            pending += operands(nodes[k])
    new = {k: number for number, k in enumerate(sorted(live))}
    lines = tuple(
        node if node[0] in ("number", "input") else (node[0], *(new[k] for k in node[1:]))
        for node in (nodes[k] for k in new)
    )
    indices = tuple(np.array([new[int(k)] for k in row.flat], dtype=int).reshape(row.shape) for row in results)
    return Program(name, tuple(inputs), lines, indices, several)


def _entries(value: Entries, given: Input) -> Array:
    """Return the entries of an input in an array of objects, its shape checked."""
    array = np.array(value.tolist() if hasattr(value, "tolist") else value, dtype=object)
    if getattr(value, "cols", 0) == 1 and array.shape == (*given.shape, 1):
        array = array[..., 0]  # a column Matrix is a vector
    if array.shape != given.shape:
        raise ValueError(
            f"{given.name} must have shape {given.shape}, got {array.shape}: a batch of states is for rd.specialize"
        )
    return array


def _check_names(inputs: Sequence[Input]) -> None:
    """Refuse what can be no name of an argument; words of its own a target refuses when it prints."""
    for i in inputs:
        if not i.name.isidentifier() or keyword.iskeyword(i.name) or i.name == "out":
            raise ValueError(f"an input must have a name that is free in Python, got {i.name!r}: rename it")
    labels = Counter(label for i in inputs for label in {i.name, *i.labels})
    if repeated := [label for label, count in labels.items() if count > 1]:
        raise ValueError(
            f"the entries of all inputs must have different names, got {repeated[0]} twice: rename an input"
        )
