"""Turns an answer into data: numbers, formulas as text, calls of a function, curves of a plot; never a live object.

DATA is one of  {shape, numbers} | {shape, text} | {items} | {curves, xlabel, ylabel} | {calls} | {unreadable}.
Only such data leaves a student's notebook; whoever judges it never runs the student's code.
"""

from __future__ import annotations

import copy
import functools
import math
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coursework.check.aliases import Data, Shape

MOST_ENTRIES = 200_000  # numbers in one answer
MOST_TEXT = 2_000_000  # characters of formulas in one answer
MOST_CURVES = 50  # lines in one plot
NOTHING = "None: what it was set to gave nothing back, as print, append and sort do"
NOTHING_RETURNED = "a NoneType: is a `return` missing?"
OF_TRAJECTORY = ("t", "q", "qd", "tau")  # what one has


class OtherForm(ValueError):
    """What a function returned has not the form asked for: raised by a question's `wrap`, and no error of the function's."""


def as_data(value: Any) -> Data:
    """Return an answer as DATA: a number, list, array, SymPy expression or matrix, text, dict, trajectory or plot."""
    if isinstance(value, dict):
        return {"items": {str(key): as_data(entry) for key, entry in value.items()}}
    if isinstance(value, str):
        return {"shape": [], "text": [value[:MOST_TEXT]]}
    if hasattr(value, "get_lines") or hasattr(value, "get_axes"):
        return _curves(value)
    if all(hasattr(value, name) for name in OF_TRAJECTORY):
        return {"items": {name: as_data(getattr(value, name)) for name in OF_TRAJECTORY}}
    return _array(value)


def _array(value: Any) -> Data:
    """Return a number, a nested sequence, an array or a matrix, of numbers, formulas or texts, as DATA."""
    if value is None:
        return {"unreadable": NOTHING}
    try:
        shape, entries = flat(value)
    except RecursionError:
        return {"unreadable": f"a {type(value).__name__} that is nested too deeply, or holds itself"}
    except (TypeError, ValueError) as error:
        return {"unreadable": f"a {type(value).__name__}: {error}"}
    if len(entries) > MOST_ENTRIES:
        return {"unreadable": f"{len(entries)} entries; at most {MOST_ENTRIES} can be handed in"}
    kinds = {*map(type, entries)}
    sympy = sys.modules.get("sympy")
    if sympy is not None and any(issubclass(kind, sympy.Basic) for kind in kinds):
        return _formulas(shape, entries, sympy)
    if entries and all(issubclass(kind, str) for kind in kinds):
        return {"shape": list(shape), "text": entries}
    return _numbers(shape, entries, kinds)


def _formulas(shape: Shape, entries: list[Any], sympy: Any) -> Data:
    """Return entries of which some are formulas as DATA."""
    text = [str(_functions_as_symbols(sympy.sympify(entry), sympy)) for entry in entries]
    if sum(map(len, text)) > MOST_TEXT:
        return {"unreadable": f"formulas of {sum(map(len, text))} characters: derive a shorter form"}
    return {"shape": list(shape), "text": text}


def _numbers(shape: Shape, entries: list[Any], kinds: set[type]) -> Data:
    """Return entries that should be numbers as DATA; kinds: their types."""
    try:
        return {"shape": list(shape), "numbers": [_number(entry) for entry in entries]}
    except OverflowError:
        return {"unreadable": "a number that is larger than a machine computes with"}
    except (TypeError, ValueError):
        if any(issubclass(kind, complex) for kind in kinds):
            return {"unreadable": "complex, where real numbers are asked for"}
        names = sorted({kind.__name__ for kind in kinds})
        if all(kind.__module__.startswith("matplotlib") for kind in kinds):
            return {"unreadable": f"parts of a plot, of type {', '.join(names)}: a plot is handed in as its axes, ax"}
        return {"unreadable": f"entries of type {', '.join(names)}, where numbers or formulas are asked for"}


def calls_as_data(function: Callable[..., Any], inputs: Iterable[Sequence[Any]]) -> Data:
    """Return what a function gives at each tuple of arguments, as DATA; a call that stops is told, the others count.

    It is called with copies; "changed" says that it changed them.
    """
    calls: list[Data] = []
    changed = False
    for arguments in inputs:
        given = copy.deepcopy(arguments)
        try:
            found = function(*given)
            calls.append({"unreadable": NOTHING_RETURNED} if found is None else as_data(found))
        except Exception as error:
            calls.append({"error": f"{type(error).__name__}: {error}"[:500]})
        changed = changed or list(map(as_data, given)) != list(map(as_data, arguments))
    return {"calls": calls, **({"changed": True} if changed else {})}


def on_copies(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, called with copies of what it is given."""
    return functools.wraps(function)(lambda *given: function(*copy.deepcopy(given)))


def flat(value: Any) -> tuple[Shape, list[Any]]:
    """Return the shape and the entries, row by row, of a number, a nested sequence, an array or a matrix."""
    if type(value) in (float, int):  # by far most often
        return (), [value]
    if hasattr(value, "as_explicit") and not hasattr(value, "tolist"):  # a product that is not carried out
        value = value.as_explicit()
    if hasattr(value, "shape") and hasattr(value, "tolist"):
        return _entries_of_array(value)
    sympy = sys.modules.get("sympy")
    if isinstance(value, (list, tuple, sympy.Tuple) if sympy else (list, tuple)):
        return _entries_of_sequence(value)
    if value is None:
        raise TypeError("None stands in it: was that never set, or is a `return` missing?")
    return (), [value]


def _entries_of_array(value: Any) -> tuple[Shape, list[Any]]:
    shape = tuple(int(size) for size in value.shape)
    entries = [value.tolist()]
    for _ in shape:
        entries = [entry for row in entries for entry in row]
    return shape, entries


def _entries_of_sequence(value: Sequence[Any]) -> tuple[Shape, list[Any]]:
    """Return the shape and the entries of a sequence.  Raises ValueError where its parts have different shapes.

    A number and a list or column of one, a list and a column, are the same where they stand beside each other.
    """
    parts = [flat(entry) for entry in value]
    shapes = {shape for shape, _ in parts}
    if len(shapes) > 1 and len({squeezed(shape) for shape in shapes}) == 1:
        shapes = {squeezed(shape) for shape in shapes}
    if len(shapes) > 1 and isinstance(value, tuple):
        raise ValueError(
            f"it has {len(value)} parts of different shapes: hand in what is asked for, as one list, one matrix or one dict"
        )
    if len(shapes) > 1:
        raise ValueError("rows of different lengths")
    inner = shapes.pop() if shapes else ()
    return (len(value), *inner), [entry for _, entries in parts for entry in entries]


def nested(entries: list[Any], shape: Sequence[int]) -> Any:
    """Return entries, row by row, as nested lists of that shape; a number for the shape ()."""
    if math.prod(shape) != len(entries):
        raise ValueError("the shape and the entries do not fit")
    if not shape:
        return entries[0]
    step = math.prod(shape[1:])
    return [nested(entries[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]


def one_number(value: Any) -> float:
    """Return the float that a number, or an array or list of one, is.  Raises TypeError or OtherForm that say what else."""
    if value is None:
        raise OtherForm(
            "it returned None: is a `return` missing, or does one path through the function end without any"
        )
    entries = flat(value)[1]
    if len(entries) != 1:
        raise OtherForm(f"it returned {len(entries)} numbers, where one is asked for")
    return float(entries[0])


def _number(entry: Any) -> float | str:
    """Return a float that JSON can hold; what is not finite becomes its name."""
    if isinstance(entry, complex):
        if abs(entry.imag) > 1e-12 * max(1.0, abs(entry.real)):
            raise ValueError("a complex number")
        entry = entry.real
    number = float(entry)
    return number if math.isfinite(number) else str(number)


def squeezed(shape: Sequence[int]) -> tuple[int, ...]:
    """Return a shape without its ones: a row, a column and a list have the same."""
    return tuple(size for size in shape if size != 1)


def _functions_as_symbols(expression: Any, sympy: Any) -> Any:
    """Return the expression with functions of time, q_1(t), and their derivatives as symbols q_1, qd_1, qdd_1."""
    if expression.has(sympy.Integral, sympy.Limit, sympy.Sum, sympy.Subs):
        expression = expression.doit()
    names = {}
    for node in expression.atoms(sympy.Derivative):
        if isinstance(node.expr, sympy.core.function.AppliedUndef):
            ((stem, rest),) = re.findall(r"^([^_\d]*)_?(.*)$", node.expr.func.__name__)  # q1(t) and q_1(t)
            names[node] = sympy.Symbol(stem + "d" * int(node.derivative_count) + "_" + rest)
    expression = expression.xreplace(names)
    if expression.has(sympy.Derivative):
        expression = expression.doit()
    functions = expression.atoms(sympy.core.function.AppliedUndef)
    return expression.xreplace({node: sympy.Symbol(node.func.__name__) for node in functions})


def _curves(plot: Any) -> Data:
    """Return the lines of Axes, of a list of Axes' figure, and the words at its axes."""
    every = plot.axes if isinstance(getattr(plot, "axes", None), list) else [plot]
    curves = []
    lines = sum(len(ax.get_lines()) for ax in every)
    if lines > MOST_CURVES:
        return {"unreadable": f"a plot of {lines} lines; at most {MOST_CURVES} can be handed in"}
    for ax in every:
        for line in ax.get_lines():
            curves.append({name: as_data([float(v) for v in data]) for name, data in zip("xy", line.get_data())})
        for points in getattr(ax, "collections", ()):  # of a scatter plot
            if len(points.get_offsets()) > 1:
                curves.append(
                    {name: as_data([float(v) for v in data]) for name, data in zip("xy", zip(*points.get_offsets()))}
                )
    return {"curves": curves, "xlabel": every[-1].get_xlabel(), "ylabel": every[0].get_ylabel()}
