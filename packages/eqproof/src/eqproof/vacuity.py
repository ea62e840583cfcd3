"""Claims that say nothing: two sides that are one text, one bound object, or the same by their form alone.

a = a + 0, a + c - c = a, -(-a) = a and (A^T)^T = A are true whatever the letters are, and without a law of algebra: brackets,
what is added and taken away, zeros and ones, a sum of one term, a number or a whole that divides itself are left out of both
sides, and the same text remains. So is a + 0 < a + 1, of which 0 < 1 remains. (a + b)^2 = a^2 + 2 a b + b^2, a b / b = a,
sin^2 + cos^2 = 1 and a + b = b + a are no claims of this kind; nor is a derivation of which one step alone takes terms away.
"""

from collections.abc import Callable
from dataclasses import fields, replace
from itertools import pairwise
from types import NoneType
from typing import Any

import sympy

from eqproof import tree
from eqproof.bindings import Bindings
from eqproof.calculus import SPELLINGS
from eqproof.errors import ProofError

ZERO = tree.Number("0")
ONE = tree.Number("1")
ZEROS = (ZERO, tree.Symbol("0", "bold"))
UNDONE = ("T", "inv")  # marks that undo themselves
OTHER = {"+": "-", "-": "+"}
ORDERED = ("<", ">", r"\le", r"\ge", r"\ne")


def refuse_vacuous(chain: tree.Chain, bindings: Bindings) -> None:
    """Refuse two neighbors that are one text, or two names for one bound object: such an equation says nothing."""
    for a, b in pairwise(map(without_brackets, chain.sides)):
        if a == b:
            raise ProofError("stands on both sides: this says nothing", of=b)
        one = bindings.given.get(a)
        other = bindings.given.get(b)
        if one is other and not isinstance(one, NoneType | int | sympy.Atom):
            raise ProofError("both sides are bound to the same object: this proves nothing", place=b.span[0])


def trivial_side(claims: tree.Claims) -> tree.Node | None:
    """Return a side of a chain of which each side is the one before it by its form alone, None without such a chain."""
    for chain in claims.chains:
        pairs = list(zip(pairwise(chain.sides), chain.relations))
        if pairs and all(is_trivial(a, b, SPELLINGS.get(relation, relation)) for (a, b), relation in pairs):
            return chain.sides[1]
    return None


def is_trivial(a: tree.Node, b: tree.Node, relation: str) -> bool:
    """Tell whether two sides are the same by their form alone, or, in an inequality, but for numbers."""
    one = canonical_form(a)
    other = canonical_form(b)
    if one == other:
        return True
    if relation not in ORDERED:
        return False
    rest = terms_of(one)
    for term in terms_of(other):
        swapped = (OTHER[term[0]], term[1])
        if term in rest:
            rest.remove(term)
        else:
            rest.append(swapped)
    letters = [*tree.walk(one), *tree.walk(other)]
    return any(isinstance(x, tree.Symbol) for x in letters) and all(isinstance(x, tree.Number) for _, x in rest)


def without_brackets(side: tree.Node) -> tree.Node:
    """Return a side without brackets around all of it, or the brackets of a matrix of one entry."""
    while isinstance(side, tree.Group | tree.Matrix) and len(inside := bracket_contents(side)) == 1:
        side = inside[0]
    return side


def bracket_contents(side: tree.Group | tree.Matrix) -> Any:
    """Return what stands in round brackets, or the entries of a matrix."""
    if isinstance(side, tree.Matrix):
        return [entry for row in side.rows for entry in row]
    return side.items if side.bracket == "(" else ()


def canonical_form(node: tree.Node) -> tree.Node:
    """Return a node without brackets, zeros, ones and terms that cancel."""
    node = without_brackets(node)
    if isinstance(node, tree.Symbol):
        return node
    node = replace(node, **{x.name: canonical_field(getattr(node, x.name)) for x in fields(node) if x.name != "span"})
    rule = PLAIN.get(BINARY.get(node.operator, tree.Binary) if isinstance(node, tree.Binary) else type(node))
    return rule(node) if rule else node


def single_term(node: tree.Big) -> tree.Node:
    """Return the one term of a sum or product from a number to the same one; else the node."""
    if isinstance(node.low, tree.Number) and node.low == node.high and node.skip is None:
        return canonical_form(with_index(node.body, node.index, node.low))
    return node


def plain_mark(node: tree.Mark) -> tree.Node:
    """Return what is transposed or inverted twice; else the node."""
    if isinstance(node.body, tree.Mark) and node.kind == node.body.kind in UNDONE:
        return node.body.body
    return node


def with_index(value: Any, index: str, number: tree.Number) -> Any:
    """Return a node, or what stands in a field of one, with a number for an index."""
    if isinstance(value, tree.Symbol):
        if value == tree.Symbol(index):
            return number
        return replace(value, sub=tuple(number.text if piece == index else piece for piece in value.sub))
    if isinstance(value, tree.Node):
        names = [x.name for x in fields(value) if x.name != "span"]
        return replace(value, **{name: with_index(getattr(value, name), index, number) for name in names})
    return tuple(with_index(x, index, number) for x in value) if isinstance(value, tuple) else value


def canonical_field(value: Any) -> Any:
    """Return the canonical form of what stands in a field of a node."""
    if isinstance(value, tree.Sign):
        return value
    if isinstance(value, tree.Node):
        return canonical_form(value)
    return tuple(map(canonical_field, value)) if isinstance(value, tuple) else value


def terms_of(node: tree.Node) -> list[tuple[str, tree.Node]]:
    """Return the terms of a plain sum, each with its sign; any other node is one term."""
    if not isinstance(node, tree.Add):
        return [] if node in ZEROS else [("+", node)]
    return [(sign.text, term) for sign, term in zip(node.signs, node.terms)]


def plain_sum(node: tree.Add) -> tree.Node:
    """Return a sum of plain terms without zeros and without what is added and taken away; a minus undoes a minus."""
    terms: list[tuple[str, tree.Node]] = []
    for sign, term in terms_of(node):
        while isinstance(term, tree.Add) and len(term.terms) == 1:
            sign = OTHER[sign] if term.signs[0].text == "-" else sign
            term = term.terms[0]
        other = (OTHER[sign], term)
        if other in terms:
            terms.remove(other)
        elif term not in ZEROS:
            terms.append((sign, term))
    if not terms:
        return ZERO
    if len(terms) == 1 and terms[0][0] == "+":
        return terms[0][1]
    return tree.Add(tuple(tree.Sign(sign) for sign, _ in terms), tuple(term for _, term in terms))


def plain_quotient(node: tree.Fraction | tree.Binary) -> tree.Node:
    """Return a quotient of plain parts: of a whole by itself it is one, by one it is the whole, a number below cancels one above."""
    above, below = (node.above, node.below) if isinstance(node, tree.Fraction) else (node.left, node.right)
    node = tree.Fraction(above, below)  # a / b is the same, otherwise printed
    if below == ONE or (above in ZEROS and below not in ZEROS):
        return above
    if above == below and above not in ZEROS:
        return ONE
    if isinstance(above, tree.Binary) and above.operator == "cdot" and isinstance(below, tree.Number):
        above = tree.Product((above.left, above.right)) if below in (above.left, above.right) else above
    if isinstance(below, tree.Number) and isinstance(above, tree.Product) and below in above.factors:
        place = above.factors.index(below)
        return plain_product(tree.Product((*above.factors[:place], *above.factors[place + 1 :])))
    return node


def plain_power(node: tree.Power) -> tree.Node:
    """Return a power of plain parts: a first power is its base, of one and with the exponent zero it is one."""
    if node.exponent == ONE:
        return node.base
    if node.base == ONE or (node.exponent == ZERO and node.base not in ZEROS):
        return ONE
    return node


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


BINARY = {"cdot": tree.Product, "slash": tree.Fraction}  # signs that say what side by side and a fraction say
PLAIN: dict[type[tree.Node], Callable[[Any], tree.Node]] = {  # what is left of a node whose parts are plain
    tree.Add: plain_sum,
    tree.Product: plain_product,
    tree.Fraction: plain_quotient,
    tree.Power: plain_power,
    tree.Big: single_term,
    tree.Mark: plain_mark,
}
