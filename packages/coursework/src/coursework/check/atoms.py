"""What a cell computes with: the quantities of which one may stand in the place of another, or be missing beside one."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

MOST_ATOMS = 24  # names, entries and calls of a cell that are tried for each other
WAVES = {"sin": "cos", "cos": "sin", "sinh": "cosh", "cosh": "sinh"}
Names: TypeAlias = Mapping[str, Any]  # what the names of a notebook stand for


def atoms_of(places: Iterable[tuple[ast.expr, str]], names: Names) -> dict[str, ast.expr]:
    """Return {dump: expression} of what a cell computes with: names, entries and waves of them, and further numbers of the student's.

    places: pairs of an expression and its role.
    """
    found: dict[str, ast.expr] = {}
    for node, role in places:
        if _is_atom(node, role, names):
            found.setdefault(ast.dump(node), node)
    for node in [*found.values()]:
        for kin in _kin_of(node, names):
            found.setdefault(ast.dump(kin), kin)
    return dict([*found.items()][:MOST_ATOMS])


def _is_atom(node: ast.expr, role: str, names: Names) -> bool:
    """Return whether an expression is a quantity with a name: a name, an entry, an attribute, or the sine or cosine of something."""
    if isinstance(node, ast.Call):
        return getattr(node.func, "attr", "") in WAVES
    if role == "function":
        return False
    if isinstance(node, ast.Name):
        return not _is_tool(names.get(node.id))
    if isinstance(node, ast.Attribute):
        return not (isinstance(node.value, ast.Name) and _is_tool(names.get(node.value.id)))
    return isinstance(node, ast.Subscript) and not isinstance(node.slice, (ast.Slice, ast.Tuple))


def _kin_of(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """Yield another entry of the same, and other numbers of the same object, as of the student's."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value in (0, 1):
        yield ast.Subscript(node.value, ast.Constant(1 - node.slice.value), ast.Load())
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
        owner = names[node.value.id]
        for name, one in vars(owner).items() if hasattr(owner, "__dict__") else ():
            if isinstance(one, (int, float)) and not name.startswith("_"):
                yield ast.Attribute(node.value, name, ast.Load())


def _is_tool(value: Any) -> bool:
    """Return whether a name stands for something to compute with, as a module or a function, and not for a quantity."""
    return isinstance(value, (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type))
