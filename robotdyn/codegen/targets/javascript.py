"""A program as a JavaScript function, for a page without a kernel."""

import json

from robotdyn.codegen.expressions import JAVASCRIPT, Text
from robotdyn.codegen.targets.python import _listed


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


def _nested(row, shape):
    """Return the text of a nested list of a shape."""
    if shape == ():
        return row[0]
    step = len(row) // shape[0]
    return _listed([_nested(row[k * step : (k + 1) * step], shape[1:]) for k in range(shape[0])])
