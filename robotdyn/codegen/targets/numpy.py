"""Programs over columns of states, in NumPy alone:  each line is one array operation on as many states as the cache holds.

Intermediate columns live in registers, rows of one small array that are used again as soon as their value is not needed
any more.  Sine and cosine come from the tangent of the half angle, t = tan(x / 2):  sin = 2 t / (1 + t^2),
cos = (1 - t^2) / (1 + t^2), good to a few units of 1e-16 and several times faster than np.sin and np.cos.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from robotdyn.codegen.expressions import all_input_names, input_names_by_node
from robotdyn.codegen.program import Input, Program, entry_label
from robotdyn.codegen.targets import python
from robotdyn.codegen.targets.target import Kernels, Target
from robotdyn.codegen.tracer import FUNCTIONS, operands
from robotdyn.maths.validate import Floats

CACHE_BYTES = 1 << 21  # bytes for the columns of one chunk of states: about what the second-level cache of a core holds
SERIAL_STATES = 16  # for fewer states plain floats are quicker
UFUNCS = {"+": "add", "-": "subtract", "*": "multiply", "neg": "negative"} | {name: name for name in FUNCTIONS}

SINCOS = """def sincos(x, s, c, spare):
    multiply(x, HALF, s)
    tan(s, s)  # t
    multiply(s, s, c)
    add(c, ONE, spare)  # 1 + t^2
    subtract(ONE, c, c)
    divide(c, spare, c)
    add(s, s, s)
    divide(s, spare, s)
"""


def kernels(program: Program) -> Kernels:
    """Return the program for columns of states; one state, and a few, go through plain floats."""
    text, one, states, _ = python.kernels(program)
    writer = _ColumnWriter(program)
    scope: dict[str, Any] = {}
    exec(compile(writer.source, f"<{program.name}, columns>", "exec"), scope)
    run = scope[program.name]
    state = program.state
    free = program.free

    def many(*given: Floats) -> bool:
        B = len(given[-1])
        if B < SERIAL_STATES:
            return bool(states(*given))
        inputs = given[: len(state)]
        results = given[len(state) + bool(free) :]
        flat = [array.reshape(B, -1) for array in (*inputs, *results)]
        parameters = _split_parameters(given[len(state)], free) if free else []
        sizes = [array.shape[1] for array in flat]
        rows = sum(sizes) + len(writer.registers)
        width = max(64, CACHE_BYTES // (8 * rows) // 64 * 64)
        parts = np.split(np.empty((rows, min(width, B))), np.cumsum(sizes))
        with np.errstate(all="ignore"):  # an infinity or NaN stays in its own state
            for lo in range(0, B, width):
                chunk = slice(lo, min(lo + width, B))
                views = [part[:, : chunk.stop - lo] for part in parts]
                for view, array in zip(views, flat[: len(state)]):
                    view[:] = array[chunk].T
                columns = [list(view) for view in views]
                run(*columns[: len(state)], *parameters, *columns[len(state) :])
                for view, array in zip(views[len(state) : -1], flat[len(state) :]):
                    array[chunk] = view.T
        return True

    return Kernels(f"{writer.source}\n\n# ---- one state\n\n{text}", one, many)


def _split_parameters(p: Floats, free: list[Input]) -> list[list[Floats]]:
    """Return the free parameters as lists of arrays without axes, which every ufunc takes beside columns."""
    entries = iter([np.array(value) for value in p])
    return [[next(entries) for _ in range(i.size)] for i in free]


class _ColumnWriter:
    """Writes the lines of a program as calls of ufuncs on registers; `registers` are the names of those it needs."""

    def __init__(self, program: Program) -> None:
        self.nodes = program.nodes
        self.lines: list[str] = []
        self.constants: dict[float, str] = {}
        self.registers: list[str] = []
        self._free: list[str] = []  # registers that may be used again
        self._columns = input_names_by_node(program)  # node: the name of the column, or constant, that holds it
        self._used_names = {name.rstrip("0123456789") for name in (program.name, *all_input_names(program))}
        self._register_prefix, self._constant_prefix = (self._unused_prefix(letter) for letter in "rk")
        self._last_use = {k: index for index, node in enumerate(self.nodes) for k in operands(node)}
        results = [f"out{k + 1}" for k in range(len(program.results))]
        destinations = _result_entries(program, results)
        self._result_columns: dict[int, str] = {}  # node: the column of a result that it fills
        for name, index in destinations:
            self._result_columns.setdefault(index, name)
        for index, node in enumerate(self.nodes):
            self._write(index, *node)
        self.lines += [
            f"copyto({name}, {self._columns[index]})" for name, index in destinations if self._columns[index] != name
        ]
        self.source = self._source(program, results, [name for name, _ in destinations])

    def _source(self, program: Program, results: Sequence[str], entries: Sequence[str]) -> str:
        """Return the function of columns; results: the names of its arrays; entries: those of all their columns."""
        unpack = [f"{', '.join(i.labels)}, = {i.name}" for i in program.inputs if i.size]
        for name in results:
            row = [entry for entry in entries if entry.startswith(f"{name}_")]
            unpack += [f"{', '.join(row)}, = {name}"] if row else []
        unpack += [f"{', '.join(self.registers)}, = REGISTERS"] if self.registers else []
        constants = "".join(f"{name} = array({value!r})\n" for value, name in self.constants.items())
        arguments = ", ".join([*(i.name for i in program.inputs), *results, "REGISTERS"])
        body = "\n    ".join([*unpack, *self.lines])
        return f'''"""{program.name} over columns of states: {program.operations} operations; written by robotdyn."""

from numpy import add, array, copyto, divide, exp, log, multiply, negative, sqrt, subtract, tan, tanh

HALF, ONE = array(0.5), array(1.0)
{constants}

{SINCOS}

def {program.name}({arguments}):
    {body}
'''

    def _write(self, index: int, kind: str, *parts: Any) -> None:
        if kind == "input":
            return
        if index in self._columns:  # the other half of a pair of sine and cosine
            self._release(index, *parts)
        elif kind == "number":
            self._columns[index] = self.constants.setdefault(
                parts[0], f"{self._constant_prefix}{len(self.constants) + 1}"
            )
        elif kind in ("sin", "cos"):
            angle = parts[0]
            pair = {self.nodes[k][0]: k for k in range(index, len(self.nodes)) if self.nodes[k][1:] == (angle,)}
            s = self._destination(pair.get("sin"))
            c = self._destination(pair.get("cos"))
            spare = self._allocate()
            self.lines.append(f"sincos({self._columns[angle]}, {s}, {c}, {spare})")
            for wave, name in (("sin", s), ("cos", c)):
                if wave in pair:
                    self._columns[pair[wave]] = name
                else:
                    self._free.append(name)
            self._free.append(spare)
            self._release(index, *parts)
        else:
            given = [self._columns[k] for k in parts]
            self._release(index, *parts)
            destination = self._columns[index] = self._destination(index)
            call = ["divide(ONE", *given] if kind == "inverse" else [f"{UFUNCS[kind]}({given[0]}", *given[1:]]
            self.lines.append(f"{', '.join(call)}, {destination})")

    def _unused_prefix(self, letter: str) -> str:
        """Return the letter, more than once if need be, that with a number is the name of nothing else."""
        name = letter
        while name in self._used_names:
            name += letter
        return name

    def _destination(self, index: int | None) -> str:
        return self._allocate() if index is None or index not in self._result_columns else self._result_columns[index]

    def _allocate(self) -> str:
        if self._free:
            return self._free.pop()
        self.registers.append(f"{self._register_prefix}{len(self.registers) + 1}")
        return self.registers[-1]

    def _release(self, index: int, *parts: int) -> None:
        """Free the registers whose values are needed for the last time at a node."""
        for k in set(parts):
            if self._last_use[k] == index and self._columns[k] in self.registers:
                self._free.append(self._columns[k])


def _result_entries(program: Program, results: Sequence[str]) -> list[tuple[str, int]]:
    """Return (name of the column, node) of every entry of the results."""
    return [
        (f"{name}_{entry_label(a.shape, k)}", int(a.flat[k]))
        for name, a in zip(results, program.results)
        for k in range(a.size)
    ]


RESERVED_WORDS = {
    "add",
    "array",
    "copyto",
    "divide",
    "multiply",
    "negative",
    "subtract",
    "sincos",
    "HALF",
    "ONE",
    "REGISTERS",
}
TARGET = Target("numpy", kernels, reserved=python.TARGET.reserved | RESERVED_WORDS | {r"out[\d_]*"})
