"""Matrices that write machine code:  a text of matrix algebra, run once on them, becomes loops over rows, vectors within.

They have @, +, -, a number times a matrix, and .T, of sizes that are known when they write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from robotdyn.codegen.machine.ir import Writer


class MatrixWriter(Writer):
    """A Writer of straight lines and loops over rows; `storage` holds the lines that stand at the entry of the function."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.registers = width
        self.storage: list[str] = []
        self.block: str = "entry"

    def begin(self, label: str) -> None:
        """Begin a block, from which loops may follow."""
        self.label(label)
        self.block = label

    def new(self, rows: int, columns: int, axes: int = 2) -> Matrix:
        """Return a matrix of its own, whose entries are yet to be written."""
        array = f"%m{len(self.storage)}"
        self.storage.append(f"  {array} = alloca double, i64 {rows * columns}, align 64")
        return Matrix(self, array, rows, columns, axes)

    def for_rows(self, rows: int, body: Callable[[str], None]) -> None:
        """Write a loop over rows; body(i) writes what is done with row i, in straight lines."""
        if rows == 1:
            body("0")
            return
        name = f"rows{len(self.lines)}"
        self.do(f"br label %{name}")
        self.label(name)
        self.do(f"%{name}.i = phi i64 [0, %{self.block}], [%{name}.next, %{name}]")
        body(f"%{name}.i")
        self.do(f"%{name}.next = add i64 %{name}.i, 1")
        self.do(f"%{name}.more = icmp slt i64 %{name}.next, {rows}")
        self.do(f"br i1 %{name}.more, label %{name}, label %{name}.end")
        self.begin(f"{name}.end")

    def parts(self, columns: int, first: int = 0) -> Iterator[tuple[int, Writer]]:
        """Yield the columns from the first one in registers: the first column of each, and what writes into these lines for its width."""
        width = self.registers
        while first < columns:
            while width > columns - first:
                width //= 2
            writer = Writer(width)
            writer.lines = self.lines
            yield first, writer
            first += width


class Matrix:
    """A matrix of doubles in memory, or a vector (axes 1), or a number (axes 0), whose operations write code."""

    writer: MatrixWriter
    array: str
    axes: int
    turned: bool
    stride: int
    rows: int
    columns: int
    __array_ufunc__: ClassVar[None] = None  # an array of NumPy beside it leaves the operation to it

    def __init__(
        self, writer: MatrixWriter, array: str, rows: int, columns: int, axes: int = 2, turned: bool = False
    ) -> None:
        """array: where it begins; rows, columns: in memory; turned: whether it is the transposed one."""
        self.writer = writer
        self.array = array
        self.axes = axes
        self.turned = turned
        self.stride = columns
        self.rows = columns if turned else rows
        self.columns = rows if turned else columns

    @property
    def T(self) -> Matrix:
        """The transposed matrix, in the same place."""
        rows, columns = (self.columns, self.rows) if self.turned else (self.rows, self.columns)
        return Matrix(self.writer, self.array, rows, columns, 2, not self.turned)

    def __len__(self) -> int:
        return self.columns if self.axes == 1 else self.rows

    def index(self, i: str | int, j: int) -> str | int:
        """Return where entry (i, j) stands, which takes lines if i is the variable of a loop."""
        w = self.writer
        row, fixed = (1, j * self.stride) if self.turned else (self.stride, j)
        if isinstance(i, int) or i.isdigit():
            return int(i) * row + fixed
        product = i if row == 1 else w.put(f"mul i64 {i}, {row}")
        return w.put(f"add i64 {product}, {fixed}") if fixed else product

    def entry(self, i: str | int, j: int) -> str:
        """Write the reading of entry (i, j)."""
        return self.writer.load_one(self.array, self.index(i, j))

    def load(self, i: str | int, j: int, w: Writer) -> str:
        """Write the reading of the entries (i, j), (i, j + 1), .. that a register of w holds."""
        if w.width == 1:
            return self.entry(i, j)
        if not self.turned:
            return w.put(f"load {w.type}, ptr {w.place(self.array, self.index(i, j))}, align 8")
        value = "undef"
        for lane in range(w.width):
            value = w.put(f"insertelement {w.type} {value}, double {self.entry(i, j + lane)}, i32 {lane}")
        return value

    def store(self, value: str, i: str | int, j: int, w: Writer) -> None:
        """Write such entries."""
        w.do(f"store {w.type} {value}, ptr {w.place(self.array, self.index(i, j))}, align 8")

    def each(self, rule: Callable[[Writer, str | int, int], str], axes: int | None = None) -> Matrix:
        """Write a matrix of this size; rule(w, i, j): the value of its entries from (i, j) on."""
        result = self.writer.new(self.rows, self.columns, self.axes if axes is None else axes)

        def row(i: str) -> None:
            for j, w in self.writer.parts(self.columns):
                result.store(rule(w, i, j), i, j, w)

        self.writer.for_rows(self.rows, row)
        return result

    def copy_to(self, place: Matrix) -> None:
        """Write its entries into another matrix."""

        def row(i: str) -> None:
            for j, w in self.writer.parts(self.columns):
                place.store(self.load(i, j, w), i, j, w)

        self.writer.for_rows(self.rows, row)

    def _combined(self, other: Matrix, name: str) -> Matrix:
        if (self.rows, self.columns) != (other.rows, other.columns):
            raise ValueError(f"a sum needs two matrices of one size, got {self!r} and {other!r}")
        return self.each(lambda w, i, j: w.op(name, self.load(i, j, w), other.load(i, j, w)))

    def __add__(self, other: Matrix) -> Matrix:
        return self._combined(other, "fadd")

    def __sub__(self, other: Matrix) -> Matrix:
        return self._combined(other, "fsub")

    def __neg__(self) -> Matrix:
        return self.each(lambda w, i, j: w.negative(self.load(i, j, w)))

    def __truediv__(self, number: float) -> Matrix:
        return self.each(lambda w, i, j: w.op("fmul", w.number(1 / number), self.load(i, j, w)))

    def __mul__(self, other: Any) -> Matrix:
        """A number, which this is, times a matrix, or times an array of numbers that are known."""
        if self.axes:
            raise TypeError(f"only a number may stand before *, got {self!r}: write @ for a product of matrices")
        if isinstance(other, Matrix):
            return other.each(lambda w, i, j: w.op("fmul", w.load_same(self.array, 0), other.load(i, j, w)))
        values = np.asarray(other, dtype=float)
        result = self.writer.new(*values.shape)
        w = self.writer
        factor = self.entry(0, 0)
        for (i, j), value in np.ndenumerate(values):
            w.store_one(w.op("fmul", w.number(value), factor), result.array, result.index(i, j))
        return result

    def __matmul__(self, other: Matrix) -> Matrix:
        if other.axes == 1 and self.axes == 2 and self.turned:
            return other @ self.T  # A^T v is v^T A, whose rows lie in order
        rows, columns = (1, self.columns) if self.axes == 1 else (self.rows, self.columns)
        right = Matrix(other.writer, other.array, other.columns, 1) if other.axes == 1 else other
        if right.rows != columns or right.turned:
            raise ValueError(f"a product needs matching sizes, rows in order on its right, got {self!r} and {other!r}")
        w = self.writer
        result = w.new(rows, right.columns, self.axes + other.axes - 2)
        parts = list(w.parts(right.columns))

        def row(i: str) -> None:
            sums: list[str] = []
            for s in range(columns):
                factor = self.entry(i, s)
                for k, (j, part) in enumerate(parts):
                    term = part.op("fmul", part.spread(factor), right.load(s, j, part))
                    if s:
                        sums[k] = part.op("fadd", sums[k], term)
                    else:
                        sums.append(term)
            for (j, part), value in zip(parts, sums):
                result.store(value, i, j, part)

        w.for_rows(rows, row)
        if result.axes == 1 and self.axes == 2:  # a column becomes a row: the same numbers
            return Matrix(w, result.array, 1, rows, 1)
        return result

    def __repr__(self) -> str:
        return f"<{self.rows} x {self.columns} of {self.array}>"


def solve(Q: Matrix, *right: Matrix) -> tuple[str, list[Matrix]]:
    """Write the solutions of Q X = -R by elimination; return whether all pivots are positive, and X for each R.

    Q: symmetric; a vector stands for a column.
    """
    w = Q.writer
    d = Q.rows
    S = Q.each(lambda part, i, j: Q.load(i, j, part))
    X = []
    for R in right:
        X.append(-R if R.axes == 2 else Matrix(w, (-R).array, d, 1))
    positive = "true"
    inverse = []

    def subtract(target: int, factor: str, source: int, first: int) -> None:
        for M, start in ((S, first), *((x, 0) for x in X)):
            for j, part in w.parts(M.columns, start):
                term = part.op("fmul", part.spread(factor), M.load(source, j, part))
                M.store(part.op("fsub", M.load(target, j, part), term), target, j, part)

    for i in range(d):
        pivot = S.entry(i, i)
        positive = w.put(f"and i1 {positive}, {w.compare('ogt', pivot, w.number(0.0))}")
        inverse.append(w.op("fdiv", w.number(1.0), pivot))
        for below in range(i + 1, d):
            subtract(below, w.op("fmul", S.entry(below, i), inverse[i]), i, i + 1)
    for i in reversed(range(d)):
        for x in X:
            for j, part in w.parts(x.columns):
                x.store(part.op("fmul", part.spread(inverse[i]), x.load(i, j, part)), i, j, part)
        for above in range(i):
            subtract(above, S.entry(above, i), i, d)
    return positive, [Matrix(w, x.array, 1, d, 1) if R.axes == 1 else x for x, R in zip(X, right)]
