"""Changes of a cell that an array, a matrix or a loop may have needed: its powers, its order, its indices, its copies, where a line stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, TypeAlias

from coursework.check import mistakes
from coursework.check.diagnosis import Phrase

New: TypeAlias = tuple[Phrase, ast.expr]  # which mistake, what stands there without it
Moved: TypeAlias = tuple[
    Phrase, int, list[tuple[Any, Any, Any]]
]  # which mistake, line, (owner, key, what stands there)

STARTS = {"zeros", "zeros_like", "empty", "empty_like"}  # of nothing there is no double, no half, no square
FILLED = {"array", "asarray", "full", "ones"}
SUMMING = {"sum", "cumsum"}
NAMED = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)  # what may be a matrix, or a list


def called(call: ast.Call) -> str:
    """Return the name of what is called."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def is_whole_or_empty(node: ast.AST) -> bool:
    """Return whether an expression makes an array of zeros, or one that holds whole numbers alone: a factor puts nothing right there."""
    if not isinstance(node, ast.Call):
        return False
    return called(node) in STARTS or _is_whole(node)


def _is_whole(call: ast.Call) -> bool:
    """Return whether a call makes an array that cuts off what stands behind the point."""
    for given in call.keywords:
        if given.arg == "dtype":
            return "int" in ast.unparse(given.value)
    entries = [node for one in call.args for node in ast.walk(one) if not isinstance(node, (ast.List, ast.Tuple))]
    numbers = [node.value for node in entries if isinstance(node, ast.Constant)]
    read = all(isinstance(node, (ast.Constant, ast.UnaryOp, ast.USub, ast.expr_context)) for node in entries)
    return called(call) in FILLED and bool(numbers) and read and all(type(one) is int for one in numbers)


def rewrites_of_arrays(node: ast.expr, role: str) -> Iterator[New]:
    """Yield an array of whole numbers that should hold others, a power or an inverse of a matrix, a list the other way round."""
    if isinstance(node, ast.Call) and _is_whole(node):
        keywords = [one for one in node.keywords if one.arg != "dtype"]
        of_floats = ast.keyword("dtype", ast.Name("float", ast.Load()))
        yield Phrase(mistakes.WHOLE_NUMBERS), ast.Call(node.func, node.args, [*keywords, of_floats])
    if isinstance(node, ast.Subscript) and _is_reversal(node.slice):
        yield Phrase(mistakes.REVERSED), node.value
    elif role == "term" and isinstance(node, NAMED):
        backward = ast.Slice(step=ast.UnaryOp(ast.USub(), ast.Constant(1)))
        yield Phrase(mistakes.NOT_REVERSED), ast.Subscript(node, backward, ast.Load())
    if isinstance(node, ast.Call) and called(node) in SUMMING and len(node.args) == 1:
        for k in (0, -1):
            yield Phrase(mistakes.ONE_OF_SUM), ast.Subscript(node.args[0], ast.Constant(k), ast.Load())
    yield from _rewrites_of_powers(node, role)
    yield from _rewrites_of_chain(node)


def _is_reversal(where: ast.expr) -> bool:
    """Return whether a slice is [::-1]."""
    return isinstance(where, ast.Slice) and where.step is not None and ast.unparse(where) == "::-1"


def _rewrites_of_powers(node: ast.expr, role: str) -> Iterator[New]:
    """Yield a power of a matrix, its inverse, and the sum of squares for the square of a sum."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        yield Phrase(mistakes.MATRIX_POWER), _of_numpy("matrix_power", node.left, node.right)
        inside = node.left
        if isinstance(inside, ast.Call) and called(inside) in SUMMING and len(inside.args) == 1:
            squared = ast.BinOp(inside.args[0], ast.Pow(), node.right)
            yield Phrase(mistakes.SQUARE_OF_SUM), ast.Call(inside.func, [squared], inside.keywords)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and isinstance(node.left, ast.Constant):
        yield Phrase(mistakes.MATRIX_INVERSE), _of_numpy("inv", node.right)
    elif role == "term" and isinstance(node, (*NAMED, ast.BinOp)):
        yield Phrase(mistakes.INVERSE_MISSING), _of_numpy("inv", node)


def _of_numpy(name: str, *given: ast.expr) -> ast.expr:
    """Return the call of a function of numpy.linalg, by which name ever a cell knows NumPy."""
    module = ast.Call(ast.Name("__import__", ast.Load()), [ast.Constant("numpy")], [])
    return ast.Call(ast.Attribute(ast.Attribute(module, "linalg", ast.Load()), name, ast.Load()), [*given], [])


def _rewrites_of_chain(node: ast.expr) -> Iterator[New]:
    """Yield the product of matrices whose ends are a matrix and its transpose, with the transpose at the other end."""
    factors = [*_chain(node)]
    if len(factors) < 2 or ast.dump(_transposed(factors[0])) != ast.dump(factors[-1]):
        return
    found: ast.expr = factors[-1]
    for factor in [*factors[1:-1], factors[0]]:
        found = ast.BinOp(found, ast.MatMult(), factor)
    yield Phrase(mistakes.OTHER_END_TRANSPOSED), found


def _chain(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the factors of a product of matrices, from left to right."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield from _chain(node.left)
        yield node.right
    else:
        yield node


def _transposed(node: ast.expr) -> ast.expr:
    """Return what X.T stands for where X.T is given, and X.T of X."""
    if isinstance(node, ast.Attribute) and node.attr == "T":
        return node.value
    return ast.Attribute(node, "T", ast.Load())


# Several places of a cell, and where its lines stand


def moves(tree: ast.Module) -> Iterator[Moved]:
    """Yield indices of one array that are exchanged everywhere, and what is wrong with a line in or behind a loop, or lacks a copy."""
    yield from _indices_exchanged(tree)
    for parent in ast.walk(tree):
        body: Any = getattr(parent, "body", None)
        for k, one in enumerate(body) if isinstance(body, list) else ():
            if isinstance(one, (ast.For, ast.While)):
                yield from _moves_of_loop(parent, body, k, one)
                yield from _started_anew(one)
            elif isinstance(one, ast.Assign) and isinstance(one.value, (ast.Name, ast.Subscript, ast.Attribute)):
                copied = ast.Call(_copier(), [one.value], [])
                yield Phrase(mistakes.COPY_MISSING), one.lineno, [(one, "value", _placed(copied, one.value))]


def _copier() -> ast.expr:
    module = ast.Call(ast.Name("__import__", ast.Load()), [ast.Constant("copy")], [])
    return ast.Attribute(module, "deepcopy", ast.Load())


def _placed(new: ast.expr, node: ast.AST) -> ast.expr:
    return ast.fix_missing_locations(ast.copy_location(new, node))


def _moves_of_loop(parent: ast.AST, body: list[ast.stmt], k: int, loop: ast.For | ast.While) -> Iterator[Moved]:
    """Yield the last line of a loop behind it, and the line behind it as its last; no return goes into a loop."""
    behind = loop.body[-1]
    if len(loop.body) > 1 and isinstance(behind, (ast.Return, ast.Assign, ast.AugAssign)):
        mistake = mistakes.RETURN_IN_LOOP if isinstance(behind, ast.Return) else mistakes.BEHIND_LOOP
        moved = [*body[: k + 1], behind, *body[k + 1 :]]
        yield Phrase(mistake), behind.lineno, [(loop, "body", loop.body[:-1]), (parent, "body", moved)]
    after = body[k + 1] if k + 1 < len(body) else None
    if isinstance(after, (ast.Assign, ast.AugAssign)):
        left = [*body[: k + 1], *body[k + 2 :]]
        yield Phrase(mistakes.INTO_LOOP), after.lineno, [(loop, "body", [*loop.body, after]), (parent, "body", left)]


def _started_anew(loop: ast.For | ast.While) -> Iterator[Moved]:
    """Yield what a loop sets, and should add to."""
    for k, one in enumerate(loop.body):
        if isinstance(one, ast.Assign) and len(one.targets) == 1:
            target = one.targets[0]
            if isinstance(target, (ast.Name, ast.Subscript)):
                added = ast.copy_location(ast.AugAssign(target, ast.Add(), one.value), one)
                yield Phrase(mistakes.STARTED_ANEW), one.lineno, [(loop.body, k, added)]


def _indices_exchanged(tree: ast.Module) -> Iterator[Moved]:
    """Yield the two indices of one array exchanged, wherever an entry of it is read."""
    found: dict[str, list[ast.Subscript]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and len(_indices(node)) == 2:
            found.setdefault(ast.dump(node.value), []).append(node)
    for alike in found.values():
        puts = [(one.slice, "elts", _indices(one)[::-1]) for one in alike]
        yield Phrase(mistakes.INDICES_EXCHANGED), alike[0].lineno, puts


def _indices(node: ast.Subscript) -> list[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else []
