"""Programs as functions of plain numbers:  Python without any array, and JavaScript for a page."""

import json
import math

import numpy as np

from robotdyn.printing import JAVASCRIPT, Text
from robotdyn.recording import FUNCTIONS


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


def javascript(program):
    """Return the source of a JavaScript function; free parameters come last, in an object with the arm's values."""
    body = Text(program, JAVASCRIPT)
    state, free = [i.name for i in program.inputs if not i.free], [i for i in program.inputs if i.free]
    defaults = ", ".join(i.name if i.value is None else f"{i.name} = {json.dumps(i.value.tolist())}" for i in free)
    arguments = ", ".join([*state, *([f"{{{defaults}}} = {{}}"] if free else [])])
    results = [_nested(row, a.shape) for row, a in zip(body.results, program.results)]
    lines = [
        f"// {program.name}: {program.operations} operations; written by robotdyn.",
        f"function {program.name}({arguments}) {{",
        *(f"  const {_nested(i.labels, i.shape)} = {i.name};" for i in program.inputs if i.shape and i.size),
        *(f"  {line}" for line in body.lines),
        f"  return {_listed(results) if program.several else results[0]};",
        "}",
        "",
    ]
    return "\n".join(lines)


def _listed(row):
    return f"[{', '.join(row)}]"


def _nested(row, shape):
    """Return the text of a nested list of a shape."""
    if shape == ():
        return row[0]
    step = len(row) // shape[0]
    return _listed([_nested(row[k * step : (k + 1) * step], shape[1:]) for k in range(shape[0])])
