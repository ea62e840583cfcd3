r"""Other readings of a step that holds for square matrices: (X^\top X)^{-1} of a tall X, x^T A y with a matrix A that is not bold."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import sympy

from eqproof import tree
from eqproof.conventions import IDENTITIES, ONE, N, is_capital, is_vector, map_children, symbols, table_of
from eqproof.errors import Unreadable

MOST_SHAPES = 100  # tables that are tried
NUMBERS = ("Q", "I", "E", "V", "T", "N")  # capitals that stand in front of v x B and the like
Shape = tuple[int, int] | None  # rows and columns; None of a number


def sizes_of(*sides: tree.Node) -> tuple[int, ...]:
    """Return the sizes in which matrices are tried: 3 alone with a cross product."""
    crossed = any(isinstance(x, tree.Binary) and x.operator == "times" for side in sides for x in tree.walk(side))
    return (3,) if crossed else (3, 2)


def in_brackets(node: N) -> N:
    """Return a node in which a product in front of or behind a cross stands in brackets: A a x b is read as (A a) x b."""
    if isinstance(node, tree.Binary) and node.operator == "times":
        parts = (in_brackets(x) for x in (node.left, node.right))
        left, right = (tree.Group("(", (x,), span=x.span) if isinstance(x, tree.Product) else x for x in parts)
        return replace(node, left=left, right=right)
    return map_children(node, in_brackets)


def has_thin_capitals(*sides: tree.Node) -> bool:
    """Tell whether capitals that are not bold stand beside bold vectors: A in x^T A y may be a matrix, and may be a number."""
    letters = symbols(*sides)
    return any(map(is_vector, letters)) and bool(thin_capitals(letters))


def thin_capitals(letters: list[tree.Symbol]) -> set[tree.Symbol]:
    """Return the capitals that are not printed as vectors or matrices."""
    return {x for x in letters if is_capital(x) and not is_vector(x)}


def table_with_plain_matrices(letters: list[tree.Symbol], size: int, crossed: bool) -> dict[tree.Symbol, Any]:
    """Return a table in which capitals are square matrices unless an arrow stands above, small bold letters vectors.

    crossed: a cross product stands there, beside which all bold letters are vectors, and charges and currents numbers.
    """
    letters = [x for x in letters if x.base != r"\pi"]
    bold = {x for x in letters if is_vector(x)}
    small = {x for x in bold if not is_capital(x) or "vec" in x.accents}
    numbers = {*letters} - bold - {x for x in thin_capitals(letters) if not crossed or x.base not in NUMBERS}
    return table_of(letters, numbers, bold if crossed else small, [], size)


def narrow(*sides: tree.Node) -> dict[tree.Symbol, tuple[int, int]]:
    r"""Return {X: its shape} of what (X^\top X)^{-1} tells to be perhaps no square matrix, only one with more rows than columns."""
    found: dict[tree.Symbol, tuple[int, int]] = {}
    for node in (x for side in sides for x in tree.walk(side)):
        if not isinstance(node, tree.Mark) or node.kind != "inv":
            continue
        for product in (x for x in tree.walk(node.body) if isinstance(x, tree.Product)):
            for one, other in itertools.pairwise(product.factors):
                if is_transpose_of(one, other) and isinstance(other, tree.Symbol):
                    found[other] = (3, 2)
                elif is_transpose_of(other, one) and isinstance(one, tree.Symbol):
                    found[one] = (2, 3)
    return found


def is_transpose_of(node: tree.Node, other: tree.Node) -> bool:
    """Tell whether a node is printed as the transpose of another one."""
    return isinstance(node, tree.Mark) and node.kind == "T" and node.body == other


def tables_with_shapes(
    given: dict[tree.Symbol, tuple[int, int]], letters: list[tree.Symbol]
) -> Iterator[dict[tree.Symbol, Any]]:
    """Yield tables in which some letters have given shapes, the others each size that may fit, at most MOST_SHAPES tables."""
    letters = [x for x in letters if x.base != r"\pi"]
    bold = any(map(is_vector, letters))
    choices = [[given[x]] if x in given else shapes_of(x, bold) for x in letters]
    for chosen in itertools.islice(itertools.product(*choices), MOST_SHAPES):
        yield {
            x: ONE if x in IDENTITIES and x not in given else free_entries(i, shape)
            for i, (x, shape) in enumerate(zip(letters, chosen))
        }


def shapes_of(letter: tree.Symbol, bold: bool) -> list[Shape]:
    """Return the shapes that a letter may have; bold: some letters are printed as vectors."""
    if is_capital(letter) and "vec" not in letter.accents:
        return [(3, 3), (2, 2)]
    if is_vector(letter):
        return [(3, 1), (2, 1)]
    return [None] if bold else [None, (3, 1), (2, 1)]


def free_entries(i: int, shape: Shape) -> Any:
    """Return a number or an array of a shape, each entry free, for the letter with the number i."""
    if shape is None:
        return sympy.Symbol(f"letter {i}", real=True)
    entries = [[sympy.Symbol(f"letter {i} {j} {k}", real=True) for k in range(shape[1])] for j in range(shape[0])]
    return np.array(entries, dtype=object)


def refuse_what_no_entries_tell(*sides: tree.Node) -> None:
    r"""Raise Unreadable at a rank and at \boldsymbol\sigma \cdot \mathbf a: matrices of random entries are of full rank."""
    nodes = [x for side in sides for x in tree.walk(side)]
    ranks = [x for x in nodes if isinstance(x, tree.Call) and x.name == "rank"]
    if ranks:
        raise Unreadable("is another one for matrices that are not of full rank: declare its matrices", of=ranks[0])
    spins = [x for x in symbols(*sides) if is_vector(x) and x.base == r"\sigma"]
    if spins and any(isinstance(x, tree.Binary) and x.operator in ("cdot", "times") for x in nodes):
        raise Unreadable("may be the vector of the spin matrices: declare what it is", of=spins[0])
