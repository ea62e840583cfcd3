"""Matrix texts for the machine:  run once on blocks that record, every product becomes a loop of fixed size.

For small matrices a call of a library costs more than the product itself.  Here V @ A writes three nested loops with
their bounds as numbers, and all matrices lie in one scratch array W at fixed places: the compiler unrolls and
vectorizes them, and nothing is allocated.  The text that is run is the readable one, such as `riccati.backward_step`.
"""

TERMS = 16  # of a sum in one line: about as many as there are registers


class Loops:
    """A program of loops in the making: `lines` of source, and the `size` of the scratch array W that they work in.

    The variables are I, J and a0, a1, ..: no array that a program reads may have these names.
    """

    def __init__(self):
        self.lines, self.size = [], 0

    def new(self, *shape):
        """Return a new Block at a place of its own."""
        first, width = self.size, shape[-1] if len(shape) == 2 else 1
        self.size += (shape[0] if shape else 1) * width
        return Block(self, shape, lambda i="0", j="0": f"W[{first} + {i} * {width} + {j}]")

    def read(self, name, *shape):
        """Return a Block filled from an array; name: its text, such as "A[t]"."""
        block = self.new(*shape)
        self.each(shape, lambda *at: f"{block.at(*at)} = {name}[{', '.join(at)}]")
        return block

    def write(self, name, block):
        """Write a Block into an array."""
        self.each(block.shape, lambda *at: f"{name}[{', '.join(at) or '()'}] = {block.at(*at)}")

    def keep(self, target, block):
        """Copy a Block over another one."""
        self.each(block.shape, lambda *at: f"{target.at(*at)} = {block.at(*at)}")

    def each(self, shape, line):
        """Write a line once for every entry (I, J)."""
        for depth, (name, length) in enumerate(zip("IJ", shape)):
            self.lines.append(f"{'    ' * depth}for {name} in range({length}):")
        self.lines.append("    " * len(shape) + line(*"IJ"[: len(shape)]))


class Block:
    """A matrix (m, p), a vector (m,) or a scalar () in a program of loops; at(i, j) is the text of an entry."""

    def __init__(self, loops, shape, at):
        self.loops, self.shape, self.at = loops, shape, at

    @property
    def T(self):
        """The transpose: the same entries, read the other way."""
        return Block(self.loops, self.shape[::-1], lambda i, j: self.at(j, i))

    def __matmul__(self, other):
        """Row by row, with the sum written out: the loop along the rows of the other matrix then runs in vectors."""
        (*rows, inner), columns = self.shape, other.shape[1:]
        result = self.loops.new(*rows, *columns)
        i, j = ["I"] * len(rows), ["J"] * len(columns)
        along = f"for J in range({columns[0]}): " if columns else ""
        body = [f"for I in range({rows[0]}):"] if rows else []
        for first in range(0, inner, TERMS):
            terms = range(first, min(first + TERMS, inner))
            factors = "; ".join(f"a{s - first} = {self.at(*i, s)}" for s in terms)
            total = " + ".join(f"a{s - first} * {other.at(s, *j)}" for s in terms)
            line = f"{along}{result.at(*i, *j)} {'+=' if first else '='} {total}"
            body += ["    " * len(rows) + text for text in (factors, line)]
        self.loops.lines += body
        return result

    def __add__(self, other):
        return self._each(lambda *at: f"{self.at(*at)} + {other.at(*at)}")

    def __sub__(self, other):
        return self._each(lambda *at: f"{self.at(*at)} - {other.at(*at)}")

    def __mul__(self, number):
        return self._each(lambda *at: f"{self.at(*at)} * {number}")

    def _each(self, line):
        result = self.loops.new(*self.shape)
        self.loops.each(self.shape, lambda *at: f"{result.at(*at)} = {line(*at)}")
        return result
