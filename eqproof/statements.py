"""Where in a file of proofs a label is dealt with, so that a reader of the page can open the proof."""

import ast
import sys
from functools import lru_cache


def lines_of_callers(name):
    """Return the lines at which functions of a file are right now, the innermost first."""
    lines, frame = [], sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename.endswith(name):
            lines.append(frame.f_lineno)
        frame = frame.f_back
    return lines


def first_line(source, lines, label):
    """Return the first line of the statement, among those around the lines, that names a label or its end.

    A proof may be written in a loop over names, or in a helper to which a dictionary of names is given.
    """
    statements = [
        x for x in ast.walk(ast.parse(source)) if isinstance(x, ast.stmt) and not isinstance(x, ast.FunctionDef)
    ]
    for line in lines:
        around = [x for x in statements if x.lineno <= line <= x.end_lineno]
        for statement in sorted(around, key=lambda x: -x.lineno):
            if any(names(x, label) for x in ast.walk(statement)):
                return statement.lineno
    return lines[-2:][0] if lines else 1


@lru_cache
def statements(source):
    """Return all statements of a source but the definitions of functions."""
    return [x for x in ast.walk(ast.parse(source)) if isinstance(x, ast.stmt) and not isinstance(x, ast.FunctionDef)]


def names(node, label):
    """Tell whether a node of the source is a text that a label is or ends in."""
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and len(node.value) > 1
        and label.endswith(node.value)
    )
