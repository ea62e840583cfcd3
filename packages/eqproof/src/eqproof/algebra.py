"""Arithmetic of scalars and matrices as equations use it, on numbers or symbols alike; sizes that do not fit are named.

A matrix is a NumPy array (rows, columns) of objects, a vector one with a single column; what is 1 x 1 counts as a scalar.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np
import sympy

from eqproof.errors import Misfit, WrongShape

# What an expression is worth: a scalar of SymPy, of mpmath or of eqproof.exact, a matrix of these, or an AnySize; in a
# condition, its truth. SymPy and mpmath have no types, so a checker of types takes it for anything.
Value = Any


@dataclass(frozen=True)
class AnySize:
    """factor times the identity of whatever size the neighbors have; factor 0 is the zero matrix of any shape."""

    factor: Value

    def of(self, shape: tuple[int, ...]) -> np.ndarray:
        """Return the matrix of this shape."""
        rows, columns = shape
        if rows != columns and self.factor != 0:
            raise WrongShape(f"an identity must be square, here it would be {rows} x {columns}")
        return np.array([[self.factor if i == j else 0 for j in range(columns)] for i in range(rows)], dtype=object)


def each(function: Callable[[Value], Value], value: Value) -> Value:
    """Return a function, zero at zero, of every entry of a value."""
    if isinstance(value, np.ndarray):
        return np.array([[function(x) for x in row] for row in value], dtype=object).reshape(value.shape)
    return AnySize(sympy.S.Zero) if isinstance(value, AnySize) else function(value)


def is_matrix(x: Value) -> TypeGuard[np.ndarray]:
    """Tell whether x is a matrix with more than one entry."""
    return isinstance(x, np.ndarray) and x.size != 1


def is_vector(x: Value) -> bool:
    """Tell whether x is a column of more than one entry."""
    return is_matrix(x) and x.shape[1] == 1


def scalar(x: Value) -> Value:
    """Return a 1 x 1 matrix as its entry, everything else as it is."""
    return x[0, 0] if isinstance(x, np.ndarray) and x.size == 1 else x


def size(x: Value) -> str:
    """Return the size of x in words."""
    return f"{x.shape[0]} x {x.shape[1]}" if is_matrix(x) else "a scalar"


def same_size(a: Value, b: Value) -> tuple[Value, Value]:
    """Return both with AnySize made definite, or raise if the sizes differ."""
    a = scalar(a)
    b = scalar(b)
    if isinstance(a, AnySize) and isinstance(b, AnySize):
        return a.factor, b.factor
    if isinstance(a, AnySize):
        return (a.of(b.shape) if is_matrix(b) else a.factor), b
    if isinstance(b, AnySize):
        return a, (b.of(a.shape) if is_matrix(a) else b.factor)
    if is_matrix(a) != is_matrix(b) or (is_matrix(a) and a.shape != b.shape):
        raise Misfit(f"the sizes differ: {size(a)} and {size(b)}")
    return a, b


def add(a: Value, b: Value, sign: int = 1) -> Value:
    """Return a + sign * b."""
    if isinstance(a, AnySize) and isinstance(b, AnySize):
        return AnySize(a.factor + sign * b.factor)
    a, b = same_size(a, b)
    return a + b if sign > 0 else a - b


def negative(a: Value) -> Value:
    """Return -a."""
    return AnySize(-a.factor) if isinstance(a, AnySize) else -a


def multiply(a: Value, b: Value) -> Value:
    """Return the product, of matrices as matrices."""
    a = scalar(a)
    b = scalar(b)
    if isinstance(a, AnySize) or isinstance(b, AnySize):
        one, other = (a, b) if isinstance(a, AnySize) else (b, a)
        if isinstance(other, AnySize):
            return AnySize(one.factor * other.factor)
        return other * one.factor if is_matrix(other) else AnySize(one.factor * other)
    if not (is_matrix(a) and is_matrix(b)):
        return a * b
    if a.shape[1] != b.shape[0]:
        raise Misfit(f"a matrix {size(a)} cannot multiply one of {size(b)}")
    return scalar(a @ b)


def divide(a: Value, b: Value) -> Value:
    """Return a / b for a scalar b."""
    b = scalar(b)
    if is_matrix(b) or isinstance(b, AnySize):
        raise WrongShape(f"only a scalar can divide, here stands {size(b)}")
    if b == 0:
        raise WrongShape("the denominator is zero")
    return AnySize(a.factor / b) if isinstance(a, AnySize) else scalar(a) / b


def dot(a: Value, b: Value) -> Value:
    """Return the inner product of two vectors, or the product if one of them is a scalar."""
    a = scalar(a)
    b = scalar(b)
    if is_vector(a) and is_vector(b):
        if a.shape != b.shape:
            raise WrongShape(f"\\cdot needs vectors of one length, here stand {size(a)} and {size(b)}")
        return scalar(a.T @ b)
    if is_matrix(a) and is_matrix(b):
        raise WrongShape(f"\\cdot needs vectors, here stand {size(a)} and {size(b)}")
    return multiply(a, b)


def cross(a: Value, b: Value) -> Value:
    """Return the cross product in space, its third component in the plane, or the product of two scalars."""
    a = scalar(a)
    b = scalar(b)
    if not is_matrix(a) and not is_matrix(b):
        return a * b
    if is_vector(a) and is_vector(b) and a.shape == b.shape == (2, 1):
        return a[0, 0] * b[1, 0] - a[1, 0] * b[0, 0]
    if is_vector(a) and is_vector(b) and a.shape == b.shape == (3, 1):
        return skew(a) @ b
    raise WrongShape(f"\\times needs two vectors of the plane or of space, here stand {size(a)} and {size(b)}")


def skew(a: np.ndarray) -> np.ndarray:
    """Return the matrix with skew(a) b = a x b."""
    if not (is_vector(a) and a.shape == (3, 1)):
        raise WrongShape(f"[..]_\\times needs a vector of space, here stands {size(a)}")
    x, y, z = a[:, 0]
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=object)


def vee(a: np.ndarray) -> np.ndarray:
    """Return the vector whose cross matrix is a."""
    if not (is_matrix(a) and a.shape == (3, 3)):
        raise WrongShape(f"^\\vee needs a 3 x 3 matrix, here stands {size(a)}")
    return np.array([[a[2, 1] - a[1, 2]], [a[0, 2] - a[2, 0]], [a[1, 0] - a[0, 1]]], dtype=object) / 2


def transpose(a: Value) -> Value:
    """Return the transpose; a scalar is its own."""
    return a.T if is_matrix(a) else a


def square(a: Value, what: str) -> np.ndarray:
    """Return a square matrix, or raise."""
    if not is_matrix(a) or a.shape[0] != a.shape[1]:
        raise WrongShape(f"{what} needs a square matrix, here stands {size(a)}")
    return a


def solve_steps(a: np.ndarray, larger: Callable[[Value], Value]) -> tuple[np.ndarray | None, Value]:
    """Return (inverse, determinant) by elimination with pivots; larger(x) ranks pivots."""
    n = a.shape[0]
    rows = [[*a[i], *(1 if i == j else 0 for j in range(n))] for i in range(n)]
    determinant = 1
    for k in range(n):
        best = max(range(k, n), key=lambda i: larger(rows[i][k]))
        if larger(rows[best][k]) == 0:
            return None, 0
        if best != k:
            rows[k], rows[best], determinant = rows[best], rows[k], -determinant
        pivot = rows[k][k]
        determinant = determinant * pivot
        rows[k] = [x / pivot for x in rows[k]]
        for i in range(n):
            if i != k and larger(rows[i][k]) != 0:
                factor = rows[i][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    return np.array([row[n:] for row in rows], dtype=object), determinant


def blocks(rows: Sequence[Sequence[Value]]) -> np.ndarray:
    """Return the matrix made of rows of scalars and matrices; zeros and identities of any size take what is left."""
    rows = [[scalar(x) for x in row] for row in rows]
    heights, widths = block_sizes(rows)
    stacked = [
        np.hstack([block_of_shape(x, (height, width)) for x, width in zip(row, widths)])
        for row, height in zip(rows, heights)
    ]
    return np.vstack(stacked)


def block_sizes(rows: Sequence[Sequence[Value]]) -> tuple[list[int], list[int]]:
    """Return the heights of the rows and the widths of the columns of a block matrix; raise WrongShape if they do not fit."""
    heights = [{block_shape(x)[0] for x in row if not isinstance(x, AnySize)} for row in rows]
    widths = [{block_shape(x)[1] for x in column if not isinstance(x, AnySize)} for column in zip(*rows)]
    for i, height in enumerate(heights):  # an identity is square: it tells a width where nothing else does
        for j, width in enumerate(widths):
            if isinstance(rows[i][j], AnySize) and rows[i][j].factor != 0:
                heights[i], widths[j] = height | width or height, width | heights[i]
    if any(len(x) != 1 for x in [*heights, *widths]):
        raise WrongShape("the blocks of this matrix do not fit together, or their sizes cannot be told")
    return [height for (height,) in heights], [width for (width,) in widths]


def block_shape(block: Value) -> tuple[int, ...]:
    """Return (rows, columns) of a block: a scalar is 1 x 1."""
    return block.shape if is_matrix(block) else (1, 1)


def block_of_shape(block: Value, shape: tuple[int, int]) -> np.ndarray:
    """Return a block as a matrix; shape: that of a zero or an identity of any size."""
    if isinstance(block, AnySize):
        return block.of(shape)
    return block if isinstance(block, np.ndarray) else np.array([[block]], dtype=object)
