"""Matrices of letters with the structure that an author names: symmetric, skew, diagonal, positive definite, a rotation."""

from collections.abc import Callable

import sympy

from eqproof.errors import ProofError

Draw = Callable[[bool], sympy.Symbol]  # a new letter, positive if True, else real
LARGEST = 6  # rows and columns


def general(rows: int, columns: int, draw: Draw) -> sympy.Matrix:
    """Return a matrix of which all entries are free: one that is square has an inverse but in places of chance 0."""
    return sympy.Matrix(rows, columns, lambda i, j: draw(False))


def symmetric(rows: int, draw: Draw) -> sympy.Matrix:
    """Return a matrix that is equal to its transpose."""
    entry = general(rows, rows, draw)
    return sympy.Matrix(rows, rows, lambda i, j: entry[max(i, j), min(i, j)])


def skew(rows: int, draw: Draw) -> sympy.Matrix:
    """Return a matrix that is equal to its transpose with the other sign."""
    entry = general(rows, rows, draw)
    lower = sympy.Matrix(rows, rows, lambda i, j: entry[i, j] if i > j else 0)
    return lower - lower.T


def diagonal(rows: int, draw: Draw) -> sympy.Matrix:
    """Return a diagonal matrix."""
    return sympy.diag(*(draw(False) for _ in range(rows)))


def positive_diagonal(rows: int, draw: Draw) -> sympy.Matrix:
    """Return a diagonal matrix with positive entries."""
    return sympy.diag(*(draw(True) for _ in range(rows)))


def positive_definite(rows: int, draw: Draw) -> sympy.Matrix:
    """Return a symmetric positive definite matrix, as the product of a lower triangle with its transpose."""
    entry = sympy.Matrix(rows, rows, lambda i, j: draw(i == j) if i >= j else 0)
    return entry * entry.T


def rotation(rows: int, draw: Draw) -> sympy.Matrix:
    """Return a rotation, by Cayley's transform of a skew matrix: all but half turns."""
    if rows not in (2, 3):
        raise ProofError(f"a rotation is 2x2 or 3x3, got {rows}x{rows}")
    turn = skew(rows, draw)
    one = sympy.eye(rows)
    return (one - turn).inv() * (one + turn)


# where: add a structure of matrices to the declarations of eqproof check
# its words and a function above, a row in `packages/eqproof/docs/reference.md`
STRUCTURES: dict[frozenset[str], Callable[[int, Draw], sympy.Matrix]] = {
    frozenset({"symmetric"}): symmetric,
    frozenset({"skew"}): skew,
    frozenset({"skew", "symmetric"}): skew,  # as it is often said
    frozenset({"diagonal"}): diagonal,
    frozenset({"diagonal", "positive definite"}): positive_diagonal,
    frozenset({"positive definite"}): positive_definite,
    frozenset({"symmetric", "positive definite"}): positive_definite,
    frozenset({"rotation"}): rotation,
    frozenset({"invertible"}): lambda rows, draw: general(rows, rows, draw),
    frozenset({"symmetric", "invertible"}): symmetric,
    frozenset({"identity"}): lambda rows, draw: sympy.eye(rows),
    frozenset({"zero"}): lambda rows, draw: sympy.zeros(rows),
}
LINEAR = frozenset({"symmetric", "skew", "diagonal"})  # rates of such matrices are such matrices
WORDS = sorted({word for words in STRUCTURES for word in words})


def matrix_of(rows: int, columns: int, words: frozenset[str], draw: Draw) -> sympy.Matrix:
    """Return a matrix of letters with a structure; raise ProofError where there is none of this size or of these words."""
    if not (0 < rows <= LARGEST and 0 < columns <= LARGEST):
        raise ProofError(f"a matrix has 1 to {LARGEST} rows and columns, got {rows}x{columns}")
    if not words:
        return general(rows, columns, draw)
    if rows != columns:
        raise ProofError(f"a matrix that is {' '.join(sorted(words))} is square, got {rows}x{columns}")
    if words not in STRUCTURES:
        known = "; ".join(" ".join(sorted(x)) for x in STRUCTURES)
        raise ProofError(f"a matrix is one of: {known}; got {' '.join(sorted(words))}")
    return STRUCTURES[words](rows, draw)
