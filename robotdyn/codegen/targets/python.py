"""Programs as functions of plain numbers:  Python without any array, and JavaScript for a page."""

import math

import numpy as np

from robotdyn.codegen.expressions import Text
from robotdyn.codegen.recording import FUNCTIONS


def python(program):
    """Return the source, and a function of flat lists, one an input, that returns flat lists, one a result."""
    body = Text(program)
    lines = [
        f'"""{program.name}: {program.operations} operations; written by robotdyn."""',
        "",
        f"from math import {', '.join(sorted(FUNCTIONS))}",
        "",
        "",
        f"def {program.name}({', '.join(i.name for i in program.inputs)}):",
        *(f"    {', '.join(i.labels)}, = {i.name}" for i in program.inputs if i.size),
        *(f"    {line}" for line in body.lines),
        f"    return {', '.join(_listed(row) for row in body.results)},",
        "",
    ]
    source, scope = "\n".join(lines), {}
    exec(compile(source, f"<{program.name}>", "exec"), scope)
    return source, scope[program.name]


def python_kernels(program):
    """Return the source, and the functions one and many of the Python target, which tell whether shapes fit.

    They take the inputs, the free parameters in one vector if there are any, and arrays for the results; many has one
    more axis in front of all but the parameters; a scalar is an array (1,).
    """
    source, function = python(program)
    state, free = [i for i in program.inputs if not i.free], [i for i in program.inputs if i.free]
    sizes = np.cumsum([i.size for i in free])
    inputs = len(state) + bool(free)
    shapes = [i.shape or (1,) for i in state]

    def one(*given):
        if any(array.shape != shape for array, shape in zip(given, shapes)):
            return False
        lists = [array.ravel().tolist() for array in given[: len(state)]]
        if free:
            lists += [part.tolist() for part in np.split(given[inputs - 1], sizes[:-1])]
        try:
            values = function(*lists)
        except (ArithmeticError, ValueError):  # a division by zero, the sine of infinity
            values = [[math.nan] * array.size for array in given[inputs:]]
        for array, row in zip(given[inputs:], values):
            array.flat = row
        return True

    def many(*given):
        for k in range(len(given[-1])):
            one(*(a if free and j == inputs - 1 else a[k] for j, a in enumerate(given)))
        return True

    return source, one, many


def _listed(row):
    return f"[{', '.join(row)}]"
