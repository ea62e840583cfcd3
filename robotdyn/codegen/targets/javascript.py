"""A program as a JavaScript function, for a page without a kernel."""

from __future__ import annotations

import json

from robotdyn.codegen.expressions import Dialect, SourceBuilder
from robotdyn.codegen.program import Program
from robotdyn.codegen.targets.target import Target
from robotdyn.codegen.tracer import FUNCTIONS

DIALECT = Dialect("const {} = {};", {name: f"Math.{name}" for name in FUNCTIONS})
RESERVED_WORDS = """Math arguments await break case catch class const continue debugger default delete do else enum eval export
extends false finally for function if implements import in instanceof interface let new null package private protected
public return static super switch this throw true try typeof undefined var void while with yield"""


def javascript(program: Program) -> str:
    """Return the source of a JavaScript function; free parameters come last, in an object with the arm's values."""
    body = SourceBuilder(program, DIALECT)
    state = [i.name for i in program.state]
    free = program.free
    defaults = ", ".join(i.name if i.value is None else f"{i.name} = {json.dumps(i.value.tolist())}" for i in free)
    arguments = ", ".join([*state, *([f"{{{defaults}}} = {{}}"] if free else [])])
    results = [_nested_literal(row, a.shape) for row, a in zip(body.results, program.results)]
    lines = [
        f"// {program.name}: {program.operations} operations; written by robotdyn.",
        f"function {program.name}({arguments}) {{",
        *(f"  const {_nested_literal(i.labels, i.shape)} = {i.name};" for i in program.inputs if i.shape and i.size),
        *(f"  {line}" for line in body.lines),
        f"  return {_array_literal(results) if program.several else results[0]};",
        "}",
        "",
    ]
    return "\n".join(lines)


def _nested_literal(row: list[str], shape: tuple[int, ...]) -> str:
    """Return the source of a nested array of a shape."""
    if shape == ():
        return row[0]
    step = len(row) // shape[0]
    return _array_literal([_nested_literal(row[k * step : (k + 1) * step], shape[1:]) for k in range(shape[0])])


def _array_literal(row: list[str]) -> str:
    return f"[{', '.join(row)}]"


TARGET = Target(
    "javascript",
    javascript,
    reserved=frozenset(RESERVED_WORDS.split()),
    files=lambda program: {f"{program.name}.js": javascript(program)},
)
