"""Whether a student's cell may be run again and again: it ends, it draws nothing by chance, and nothing that it reaches remembers.

What an earlier cell made may be used again where it is known to hold still: numbers, texts, arrays, formulas, records of the
libraries, containers of those, and functions that use such alone. Anything else, as an open file, an iterator, a generator
of random numbers, a connection, a picture or an object of a class of the student's, would be written or read on: no cell
that uses it is run again.
"""

from __future__ import annotations

import ast
import dis
import functools
import types
from collections.abc import Iterable, Iterator
from typing import Any

KNOWN = {"math", "cmath", "numpy", "sympy", "scipy", "matplotlib", "robotdyn", "coursework", "itertools", "functools"}
VALUES = {
    "numpy",
    "sympy",
    "mpmath",
    "scipy",
    "robotdyn",
    "coursework",
    "fractions",
    "decimal",
}  # their objects hold still
PLAIN = (int, float, complex, str, bytes, range, slice, types.NoneType, types.EllipsisType)
RANDOM = {"random", "rng", "default_rng"}  # never twice the same
UNSAFE = RANDOM | {
    "open",
    "input",
    "exec",
    "eval",
    "compile",
    "__import__",
    "globals",
    "getattr",
    "setattr",
    "begin",
    "rcParams",
    "preview",
}
UNSAFE |= {"savetxt", "save", "savez", "savez_compressed", "tofile", "dump", "memmap", "open_memmap"}
UNSAFE |= {"savefig", "imsave", "savemat", "print_figure"}
UNSAFE |= {"write", "writelines", "write_text", "write_bytes", "writerow", "writerows", "to_csv"}  # files, in all
CHANGES = {"append", "extend", "insert", "pop", "popitem", "remove", "clear", "update", "setdefault"}
CHANGES |= {"add", "discard", "sort", "reverse", "fill", "put", "itemset", "resize"}  # what they belong to, in place
STORES = {
    "STORE_ATTR",
    "DELETE_ATTR",
    "STORE_GLOBAL",
    "DELETE_GLOBAL",
}  # instructions that change what is no local name
ENTRIES = {"STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE"}


def is_repeatable(tree: ast.Module) -> bool:
    """Return whether what stands in a cell may be run again, if what it takes from other cells holds still."""
    return not any(map(_is_unsafe_to_rerun, ast.walk(tree)))


def hold_still(values: Iterable[object]) -> bool:
    """Return whether values of other cells are the same after they were used."""
    return all(holds_still(value, set()) for value in values)


def _is_unsafe_to_rerun(node: ast.AST) -> bool:
    """Return whether a part of a cell may not end, draws numbers, changes what is no copy, or touches files."""
    if isinstance(node, (ast.While, ast.With, ast.Global, ast.Nonlocal, ast.ClassDef, ast.Delete)):
        return True
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return True
    given = [one.name for one in getattr(node, "names", ()) if isinstance(one, ast.alias)]
    imported = [node.module or ""] if isinstance(node, ast.ImportFrom) else given
    if any(_top_package(name) not in KNOWN for name in imported):
        return True
    return bool({getattr(node, "id", ""), getattr(node, "attr", ""), *given} & UNSAFE)


def _top_package(name: object) -> str:
    return str(name).partition(".")[0]


def holds_still(value: object, seen: set[int]) -> bool:
    """Return whether a value is the same after it was used; seen: the ids of those on the way, which are judged already."""
    if id(value) in seen or type(value) in (*PLAIN, bool):
        return True
    seen.add(id(value))
    if getattr(value, "__name__", "") in UNSAFE or type(value).__name__ in UNSAFE:
        return False
    if isinstance(value, types.ModuleType):
        return _top_package(value.__name__) in KNOWN
    if isinstance(value, type):
        return _top_package(value.__module__) in KNOWN | VALUES | {"builtins"}
    if hasattr(type(value), "__next__"):
        return False
    inner = _parts(value)
    if inner is not None:
        return all(holds_still(part, seen) for part in inner)
    if isinstance(value, (types.BuiltinFunctionType, types.FunctionType, types.MethodType)):
        return _function_holds_still(value, seen)
    kind = type(value).__module__
    return _top_package(kind) in VALUES and not kind.startswith("numpy.random")


def _parts(value: Any) -> list[Any] | None:
    """Return what a value consists of, or None where that is not known."""
    if isinstance(value, dict) and type(value) is dict:
        return [*value, *value.values()]
    if type(value) in (list, set, frozenset) or isinstance(value, tuple):
        return list(value)
    if type(value) is types.SimpleNamespace:
        return list(vars(value).values())
    if isinstance(value, functools.partial):
        return [value.func, *value.args, *value.keywords.values()]
    wrapped = getattr(value, "__wrapped__", None) or getattr(value, "pyfunc", None)  # lru_cache, np.vectorize
    return None if wrapped is None or isinstance(value, types.FunctionType) else [wrapped]


def _function_holds_still(
    function: types.BuiltinFunctionType | types.FunctionType | types.MethodType, seen: set[int]
) -> bool:
    """Return whether a function, or a method of an object, changes nothing that is not its own."""
    if isinstance(function, types.BuiltinFunctionType):
        owner = function.__self__
        if isinstance(owner, types.ModuleType):
            return _top_package(owner.__name__) in KNOWN | {"builtins"}
        return owner is None or isinstance(owner, (*PLAIN, tuple, frozenset))
    if isinstance(function, types.MethodType):
        return holds_still(function.__self__, seen) and holds_still(function.__func__, seen)
    if _top_package(function.__module__) in KNOWN:
        return True
    codes = [*_codes(function.__code__)]
    used = set().union(*(code.co_names for code in codes))
    instructions = [step for code in codes for step in dis.get_instructions(code)]
    if used & UNSAFE or _reaches_out(instructions):
        return False
    given = [*_given(function, used)]
    return not (_changes_in_place(used, instructions) and any(map(_is_mutable, given))) and all(
        holds_still(x, seen) for x in given
    )


def _reaches_out(instructions: Iterable[dis.Instruction]) -> bool:
    """Return whether code sets what is no local name, or imports what is not known."""
    return any(
        step.opname in STORES or (step.opname == "IMPORT_NAME" and _top_package(step.argval) not in KNOWN)
        for step in instructions
    )


def _changes_in_place(used: set[str], instructions: Iterable[dis.Instruction]) -> bool:
    """Return whether code changes something in place, which may be its own."""
    return bool(used & CHANGES) or any(step.opname in ENTRIES for step in instructions)


def _is_mutable(value: object) -> bool:
    """Return whether a value can be changed in place, so that a call leaves something to the next."""
    return isinstance(value, (list, dict, set)) or type(value).__module__ in ("numpy", "sympy")


def _given(function: types.FunctionType, used: Iterable[str]) -> Iterator[object]:
    """Yield what a function has beside its arguments: defaults, names of the functions around it, and global names."""
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    yield from (cell.cell_contents for cell in function.__closure__ or () if cell != types.CellType())
    yield from (function.__globals__[name] for name in used if name in function.__globals__)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield the code of a function and of those within it."""
    yield code
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from _codes(part)
