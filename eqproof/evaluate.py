"""From the tree to a value under a table of bindings: in symbols of SymPy, or in numbers at a random point."""

from dataclasses import dataclass, field, replace
from typing import Any

import mpmath
import numpy as np
import sympy

from eqproof import algebra, calculus, products, tree
from eqproof.algebra import each
from eqproof.bindings import Bindings
from eqproof.errors import ProofError, Unbound, WrongShape
from eqproof.quantities import Field


class Symbols:
    """The world in which a value stays an expression of SymPy."""

    functions = sympy
    exact = True

    def take(self, value):
        """Return a bound value as it is."""
        return value

    def number(self, text):
        """Return a number as printed."""
        return sympy.Rational(text)


class Numbers:
    """The world in which each bound value becomes its number at a point."""

    functions = mpmath
    exact = False

    def __init__(self, point):
        self.point = point

    def take(self, value):
        """Return a bound value at the point."""
        if isinstance(value, np.ndarray):
            return self.point.array(value)
        return self.point.number(value) if isinstance(value, sympy.Basic) else value

    def number(self, text):
        """Return a number as printed."""
        return self.point.number(sympy.Rational(text))


@dataclass(frozen=True)
class Evaluation:
    """Evaluates nodes: the bindings, the world, and what the indices are at the moment."""

    bindings: Bindings
    world: Any = field(default_factory=Symbols)
    at: dict = field(default_factory=dict)

    def __call__(self, node):
        """Return the value of a node; an error learns the place of the innermost node that it came from."""
        try:
            return RULES[type(node)](self, node)
        except ProofError as error:
            raise error.at(place=node.span[0]) from None

    def scalar(self, node, what):
        """Return the value of a node that must be a scalar."""
        value = algebra.scalar(self(node))
        if algebra.is_matrix(value) or isinstance(value, algebra.AnySize):
            raise WrongShape(f"{what} must be a scalar, here stands {algebra.size(value)}", place=node.span[0])
        return value

    def integer(self, node, what):
        """Return the value of a node that must be an integer."""
        value = self.scalar(node, what)
        try:
            number = int(value)
        except TypeError:
            number = None
        if number is None or number != value:
            raise WrongShape(f"{what} must be a whole number, got {value}", place=node.span[0])
        return number

    def symbolic(self):
        """Return the same evaluation in symbols."""
        return replace(self, world=Symbols())

    def bound(self, node):
        """Return what a symbol is bound to, a rate by the chain rule, or raise Unbound."""
        value = self.look(node)
        if value is None:
            near = self.bindings.like(node)
            raise Unbound("is not bound" + (f"; bound are {', '.join(near)}" if near else ""), of=node)
        return value

    def look(self, node):
        """Return what a symbol is bound to or what follows from that, else None."""
        if node in (tree.Symbol("0", "bold"), tree.Symbol("1", "bold")) and node not in self.bindings.values:
            return algebra.AnySize(self.world.number(node.base))
        if not node.dots and node.base in self.at and node == tree.Symbol(node.base):
            return sympy.Integer(self.at[node.base])
        value = self.bindings.find(node, self.at)
        if value is None and node.dots:
            value = self.look(replace(node, dots=node.dots - 1))
            value = value.value if isinstance(value, Field) else value
            return None if value is None else each(self.bindings.rate, value)
        if value is None and node.base == r"\pi" and node == tree.Symbol(r"\pi"):
            return sympy.pi
        return value


def number(at, node):
    """Return a number."""
    return at.world.number(node.text)


def symbol(at, node):
    """Return what a symbol is bound to; \\delta q is a product where \\delta alone is bound."""
    delta = tree.Symbol(node.prefix, span=node.span)
    if node.prefix and at.look(node) is None and at.look(delta) is not None:
        return algebra.multiply(at(delta), at(replace(node, prefix="")))
    value = at.bound(node)
    if isinstance(value, Field):
        value = value.value
    if callable(value) and not isinstance(value, sympy.Basic):
        raise WrongShape("is bound to a function: brackets with its arguments must follow", of=node)
    return value if isinstance(value, algebra.AnySize) else at.world.take(value)


RULES = {
    tree.Number: number,
    tree.Symbol: symbol,
    **products.RULES,
    **calculus.RULES,
}  # what to do with each kind of node
