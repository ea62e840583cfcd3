"""Claims that say nothing: two sides that are one text, one bound object, or the same by their form alone.

a = a + 0, a + c - c = a and (A^T)^T = A are true whatever the letters are, and without a law of algebra: brackets, what is
added and taken away, zeros and ones are left out of both sides, and the same text remains. (a + b)^2 = a^2 + 2 a b + b^2,
sin^2 + cos^2 = 1 and a + b = b + a are no claims of this kind.
"""

from dataclasses import fields, replace
from itertools import pairwise
from types import NoneType
from typing import Any

import sympy

from eqproof import tree
from eqproof.bindings import Bindings
from eqproof.errors import ProofError

ZERO, ONE = tree.Number("0"), tree.Number("1")
ZEROS = (ZERO, tree.Symbol("0", "bold"))
UNDONE = ("T", "inv")  # marks that undo themselves


def refuse_vacuous(chain: tree.Chain, bindings: Bindings) -> None:
    """Refuse two neighbors that are one text, or two names for one bound object: such an equation says nothing."""
    for a, b in pairwise(map(bare, chain.sides)):
        if a == b:
            raise ProofError("stands on both sides: this says nothing", of=b)
        one, other = bindings.given.get(a), bindings.given.get(b)
        if one is other and not isinstance(one, NoneType | int | sympy.Atom):
            raise ProofError("both sides are bound to the same object: this proves nothing", place=b.span[0])


def trivial_side(claims: tree.Claims) -> tree.Node | None:
    """Return the first side that is the one before it by its form alone, None without one."""
    for chain in claims.chains:
        for a, b in pairwise(chain.sides):
            if plain_form(a) == plain_form(b):
                return b
    return None


def bare(side: tree.Node) -> tree.Node:
    """Return a side without brackets around all of it, or the brackets of a matrix of one entry."""
    while isinstance(side, tree.Group | tree.Matrix) and len(inside := contents(side)) == 1:
        side = inside[0]
    return side


def contents(side: tree.Group | tree.Matrix) -> Any:
    """Return what stands in round brackets, or the entries of a matrix."""
    if isinstance(side, tree.Matrix):
        return [entry for row in side.rows for entry in row]
    return side.items if side.bracket == "(" else ()


def plain_form(node: tree.Node) -> tree.Node:
    """Return a node without brackets, zeros, ones and terms that cancel."""
    node = bare(node)
    if isinstance(node, tree.Symbol):
        return node
    node = replace(node, **{x.name: inner(getattr(node, x.name)) for x in fields(node) if x.name != "span"})
    if isinstance(node, tree.Add):
        return plain_sum(node)
    if isinstance(node, tree.Product) or (isinstance(node, tree.Binary) and node.operator == "cdot"):
        return plain_product(node)
    if isinstance(node, tree.Fraction) and node.below == ONE:
        return node.above
    if isinstance(node, tree.Power) and node.exponent == ONE:
        return node.base
    if isinstance(node, tree.Mark) and isinstance(node.body, tree.Mark) and node.kind == node.body.kind in UNDONE:
        return node.body.body
    return node


def inner(value: Any) -> Any:
    """Return the plain form of what stands in a field of a node."""
    if isinstance(value, tree.Sign):
        return value
    if isinstance(value, tree.Node):
        return plain_form(value)
    return tuple(map(inner, value)) if isinstance(value, tuple) else value


def plain_sum(node: tree.Add) -> tree.Node:
    """Return a sum of plain terms without zeros and without what is added and taken away."""
    terms: list[tuple[str, tree.Node]] = []
    for sign, term in zip(node.signs, node.terms):
        other = ("-" if sign.text == "+" else "+", term)
        if other in terms:
            terms.remove(other)
        elif term not in ZEROS:
            terms.append((sign.text, term))
    if not terms:
        return ZERO
    if len(terms) == 1 and terms[0][0] == "+":
        return terms[0][1]
    return tree.Add(tuple(tree.Sign(sign) for sign, _ in terms), tuple(term for _, term in terms))


def plain_product(node: tree.Product | tree.Binary) -> tree.Node:
    """Return a product of plain factors without ones; of a zero it is zero."""
    parts = node.factors if isinstance(node, tree.Product) else (node.left, node.right)
    factors = [x for part in parts for x in (part.factors if isinstance(part, tree.Product) else (part,))]
    if ZERO in factors:
        return ZERO
    bold = [x for x in factors if isinstance(x, tree.Symbol) and x.style == "bold" and x.base != "1"]
    ones = (ONE, tree.Symbol("1", "bold")) if bold else (ONE,)
    factors = [x for x in factors if x not in ones]
    if len(factors) < 2:
        return factors[0] if factors else ONE
    return tree.Product(tuple(factors)) if isinstance(node, tree.Product) else replace(node)
