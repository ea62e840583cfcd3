"""From the tree to a value under a table of bindings: in symbols of SymPy, or in numbers at a random point."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, Self

import mpmath
import numpy as np
import sympy
from sympy.external.gmpy import MPQ

from eqproof import algebra, calculus, products, tree
from eqproof.algebra import Value, each
from eqproof.bindings import Bindings
from eqproof.errors import NoNumber, ProofError, Unbound, WrongShape
from eqproof.exact import Exact, ExactPoint
from eqproof.points import Point, rounding
from eqproof.quantities import Field, Quantity
from eqproof.subscripts import Indices


class Symbols:
    """The domain in which a value stays an expression of SymPy."""

    functions = sympy
    biggest: Callable[..., Value] = sympy.Max
    smallest: Callable[..., Value] = sympy.Min
    whole_cases = False

    def convert(self, value: Quantity) -> Value:
        """Return a bound value as it is."""
        return value

    def comparable(self, a: Value, b: Value) -> tuple[Value, Value]:
        """Return two values, in a condition."""
        return a, b

    def number(self, text: str) -> sympy.Rational:
        """Return a number as printed."""
        return sympy.Rational(text)

    def root(self, value: Value, degree: int) -> Value:
        """Return a root of a scalar."""
        return value ** sympy.Rational(1, degree)

    def larger(self, x: Value) -> int:
        """Return a number by which pivots are ranked."""
        return int(x != 0)

    def rank(self, value: np.ndarray) -> int:
        """Return the rank of a matrix."""
        return int(sympy.Matrix(value).rank())


class Branches(Symbols):
    """The domain of symbols in which cases are all of their rows at once, each with its condition."""

    whole_cases = True


class Numbers:
    """The domain in which each bound value becomes its number at a point, in many digits."""

    functions: Any = mpmath
    whole_cases = False
    biggest: Callable[..., Value] = max
    smallest: Callable[..., Value] = min

    def __init__(self, point: Point | ExactPoint) -> None:
        self.point = point

    def convert(self, value: Quantity) -> Value:
        """Return a bound value at the point."""
        if isinstance(value, np.ndarray):
            return each(self.point.number, value)
        return self.point.number(value) if isinstance(value, sympy.Basic) else value

    def number(self, text: str) -> Value:
        """Return a number as printed."""
        return self.point.number(sympy.Rational(text))

    def comparable(self, a: Value, b: Value) -> tuple[Value, Value]:
        """Return two values, in a condition, as the same where they differ by rounding: a condition such as x + y = 7 is drawn."""
        return (b, b) if abs(a - b) <= rounding() * max(abs(a), abs(b)) else (a, b)

    def larger(self, x: Value) -> Value:
        """Return a number by which pivots are ranked."""
        return abs(x)

    def root(self, value: Value, degree: int) -> Value:
        """Return a root of a scalar."""
        return value ** (mpmath.mpf(1) / degree)

    def rank(self, value: np.ndarray) -> int:
        """Return the rank of a matrix."""
        return sum(x > mpmath.mpf(10) ** -20 for x in mpmath.svd_r(mpmath.matrix(value.tolist()), compute_uv=False))


class Fractions(Numbers):
    """The domain in which each bound value becomes an exact fraction at a point."""

    point: ExactPoint

    def __init__(self, point: ExactPoint) -> None:
        super().__init__(point)
        self.functions = Letters(point)  # one for any function of a value that is known already

    def larger(self, x: Value) -> int:
        """Return a number by which pivots are ranked."""
        return int(x != 0)

    def comparable(self, a: Value, b: Value) -> tuple[Value, Value]:
        """Return two numbers that nothing random is in: where a letter is compared, a random one decides nothing."""
        return Exact.of(a).constant(), Exact.of(b).constant()

    def root(self, value: Value, degree: int) -> Exact:
        """Return the letter that stands for a root."""
        return self.point.opaque(f"root {degree}", Exact.of(value))

    def rank(self, value: np.ndarray) -> int:
        """Return the rank of a matrix."""

        def rational(x: MPQ) -> sympy.Rational:
            return sympy.Rational(int(x.numerator), int(x.denominator))

        return int(sympy.Matrix([[rational(Exact.of(x).value) for x in row] for row in value]).rank())


@dataclass(frozen=True)
class Letters:
    """Stands where a module of functions would: a letter for each function and argument."""

    point: ExactPoint

    def __getattr__(self, name: str) -> Callable[..., Exact]:
        return lambda *values: self.point.opaque("root 2" if name == "sqrt" else name, *map(Exact.of, values))


Domain = Symbols | Numbers


@dataclass(frozen=True)
class Evaluation:
    """Evaluates nodes: the bindings, the domain, and what the indices are at the moment."""

    bindings: Bindings
    domain: Domain = field(default_factory=Symbols)
    indices: Indices = field(default_factory=dict)
    # values of nodes: equal ones, and those of a changed text
    known: dict[Any, Value] = field(default_factory=dict, repr=False)

    def __call__(self, node: tree.Node) -> Value:
        """Return the value of a node; an error learns the place of the innermost node that it came from."""
        key = (node, type(self.domain), *sorted(self.indices.items()))
        if key not in self.known:
            try:
                value = RULES.get(type(node), no_value)(self, node)
                if isinstance(value, mpmath.mpc):
                    raise NoNumber("is complex: only real numbers are checked", of=node)
                self.known[key] = value
            except ProofError as error:
                raise error.at(place=node.span[0]) from None
        return self.known[key]

    def scalar(self, node: tree.Node, what: str) -> Value:
        """Return the value of a node that must be a scalar."""
        value = algebra.scalar(self(node))
        if algebra.is_matrix(value) or isinstance(value, algebra.AnySize):
            raise WrongShape(f"{what} must be a scalar, here stands {algebra.size(value)}", place=node.span[0])
        return value

    def integer(self, node: tree.Node, what: str) -> int:
        """Return the value of a node that must be an integer."""
        value = self.scalar(node, what)
        try:
            number = int(value)
        except TypeError:
            number = None
        if number is None or number != value:
            raise WrongShape(f"{what} must be a whole number, got {value}", place=node.span[0])
        return number

    def symbolic(self) -> Self:
        """Return the same evaluation in symbols."""
        return self if isinstance(self.domain, Symbols) else replace(self, domain=Symbols())

    def bound(self, node: tree.Symbol) -> Quantity:
        """Return what a symbol is bound to, a rate by the chain rule, or raise Unbound."""
        value = self.look(node)
        if value is None:
            if node.style == "bold" and node.sub and self.look(replace(node, sub=())) is not None:
                raise Unbound(f"is bound without an index: write an entry as (..)_{{{''.join(node.sub)}}}", of=node)
            near = self.bindings.like(node)
            raise Unbound("is not bound" + (f"; bound are {', '.join(near)}" if near else ""), of=node)
        return value

    def look(self, node: tree.Symbol) -> Quantity | None:
        """Return what a symbol is bound to or what follows from that, else None."""
        if node in (tree.Symbol("0", "bold"), tree.Symbol("1", "bold")) and node not in self.bindings.values:
            return algebra.AnySize(self.domain.number(node.base))
        if node.dots and replace(node, dots=0) in (tree.Symbol("0", "bold"), tree.Symbol("1", "bold")):
            return None  # what never changes has no rate
        if not node.dots and node.base in self.indices and node == tree.Symbol(node.base):
            return sympy.Integer(self.indices[node.base])
        value = self.bindings.find(node, self.indices)
        if value is None and node.dots:
            value = self.look(replace(node, dots=node.dots - 1))
            value = value.value if isinstance(value, Field) else value
            return None if value is None or products.is_function(value) else each(self.bindings.rate, value)
        if value is None and node.base == r"\pi" and node == tree.Symbol(r"\pi"):
            return sympy.pi
        return value


def no_value(evaluate: Evaluation, node: tree.Node) -> NoReturn:
    """Refuse dots and words where a value is needed."""
    raise WrongShape(products.NO_DOTS, of=node)


def number(evaluate: Evaluation, node: tree.Number) -> Value:
    """Return a number."""
    return evaluate.domain.number(node.text)


def symbol(evaluate: Evaluation, node: tree.Symbol) -> Value:
    """Return what a symbol is bound to; \\delta q is a product where \\delta alone is bound."""
    delta = tree.Symbol(node.prefix, span=node.span)
    if node.prefix and evaluate.look(node) is None and evaluate.look(delta) is not None:
        return algebra.multiply(evaluate(delta), evaluate(replace(node, prefix="")))
    value = evaluate.bound(node)
    if isinstance(value, Field):
        value = value.value
    if callable(value) and not isinstance(value, sympy.Basic):
        raise WrongShape("is bound to a function: brackets with its arguments must follow", of=node)
    return value if isinstance(value, algebra.AnySize) else evaluate.domain.convert(value)


def moved(evaluate: Evaluation, node: tree.Moved) -> Value:
    """Return another value than that of a node: in symbols, one that other letters of the state change, too."""
    value = evaluate(node.body)
    chance = random.Random(f"{node.span}")

    def number() -> Value:
        return evaluate.domain.number(str(node.direction * chance.randint(2, 9)))

    state = []
    if isinstance(evaluate.domain, Symbols):
        entries = value.flat if isinstance(value, np.ndarray) else [value]
        free = {s for x in entries for s in getattr(x, "free_symbols", ())}
        rates = {*evaluate.bindings.rates, *evaluate.bindings.rates.values()}
        state = sorted(free | {s for s in rates if isinstance(s, sympy.Symbol)}, key=str)

    def other(x: Value) -> Value:
        return x * number() + number() + sum(number() * s for s in state)

    return algebra.AnySize(other(value.factor)) if isinstance(value, algebra.AnySize) else each(other, value)


RULES: dict[type[tree.Node], products.Rule] = {
    tree.Number: number,
    tree.Symbol: symbol,
    tree.Moved: moved,
    **products.RULES,
    **calculus.RULES,
}  # what to do with each kind of node
