"""A program as a function of plain numbers:  Python without any array."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from robotdyn.codegen.expressions import SourceBuilder
from robotdyn.codegen.program import Program
from robotdyn.codegen.targets.target import Kernels, Target
from robotdyn.codegen.tracer import FUNCTIONS
from robotdyn.maths.validate import Floats


def compile_python(program: Program) -> tuple[str, Callable[..., Any]]:
    """Return the source, and a function of flat lists, one an input, that returns flat lists, one a result."""
    body = SourceBuilder(program)
    rows = [f"[{', '.join(row)}]" for row in body.results]
    lines = [
        f'"""{program.name}: {program.operations} operations; written by robotdyn."""',
        "",
        f"from math import {', '.join(sorted(FUNCTIONS))}",
        "",
        "",
        f"def {program.name}({', '.join(i.name for i in program.inputs)}):",
        *(f"    {', '.join(i.labels)}, = {i.name}" for i in program.inputs if i.size),
        *(f"    {line}" for line in body.lines),
        f"    return {', '.join(rows)},",
        "",
    ]
    source = "\n".join(lines)
    scope = dict[str, Any]()
    exec(compile(source, f"<{program.name}>", "exec"), scope)
    return source, scope[program.name]


def kernels(program: Program) -> Kernels:
    """Return the program in plain floats."""
    source, function = compile_python(program)
    state = program.state
    free = program.free
    sizes = np.cumsum([i.size for i in free])
    inputs = len(state) + bool(free)
    shapes = [i.shape or (1,) for i in state]

    def one(*given: Floats) -> bool:
        if len(given) != inputs + len(program.results) or any(a.shape != shape for a, shape in zip(given, shapes)):
            return False
        lists = [array.ravel().tolist() for array in given[: len(state)]]
        if free:
            lists += [part.tolist() for part in np.split(given[inputs - 1], sizes[:-1])]
        _fill(given[inputs:], function, lists)
        return True

    def many(*given: Floats) -> bool:
        for k in range(len(given[-1])):
            one(*(a if free and j == inputs - 1 else a[k] for j, a in enumerate(given)))
        return True

    return Kernels(source, one, many)


def _fill(results: Sequence[Floats], function: Callable[..., Any], lists: list[list[float]]) -> None:
    """Write what a function of flat lists returns into arrays; NaN where it cannot be computed."""
    try:
        values = function(*lists)
    except (ArithmeticError, ValueError):  # a division by zero, the sine of infinity
        values = [[math.nan] * array.size for array in results]
    for array, row in zip(results, values):
        array.flat[:] = row


TARGET = Target("python", kernels, reserved=frozenset(FUNCTIONS))
