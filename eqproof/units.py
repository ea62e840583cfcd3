r"""Units: the terms of a sum, and the two sides of an equation, are measured in the same unit, entry by entry.

Each letter of the page is declared with its unit. At a random point, an equation is evaluated twice, the second time with
each letter multiplied by a number that stands for its unit: 2 for kg, 3 for m, 5 for s, 7 for A, 11 for K. Two terms whose
values grow by different factors have different units; the factor tells which. So a row of torques in which one joint turns
and another slides needs no rule of its own: each entry has its own factor.

    chapter.units({"m_*": "kg", r"\tau": "N m", r"\boldsymbol\tau": ["N m", "N"], "q_*": "rad"})

An entry of a vector or a matrix has the unit of the whole, or its own in a list; \dot x that of x, by s; \tilde x that of x.
"""

import itertools
import re
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from math import log
from typing import Any

import mpmath
import numpy as np

from eqproof import algebra, calculus, products, tree
from eqproof.bindings import key_of
from eqproof.check import is_space
from eqproof.errors import ProofError
from eqproof.evaluate import RULES, Evaluation, Numbers
from eqproof.points import DIGITS, Point
from eqproof.quantities import Abbreviation
from eqproof.subscripts import filled, indices

BASE = {"kg": 2, "m": 3, "s": 5, "A": 7, "K": 11}
DERIVED = {"1": "", "rad": "", "N": "kg m / s^2", "J": "N m", "W": "J / s", "Hz": "1 / s", "Pa": "N / m^2"}
DERIVED |= {"C": "A s", "V": "W / A", "T": "V s / m^2"}
SMALL = mpmath.mpf(10) ** -30


class Undeclared(Exception):
    """A letter has no unit, or something stands in the equation whose unit is not known."""


def exponents(unit: str) -> dict[str, Fraction]:
    """Return the powers of the base units in a unit such as "N m / s" or "kg m^2/s^2"; all behind a slash is below it."""
    found: dict[str, Fraction] = {}
    above, *below = unit.split("/")
    for sign, part in [(1, above), *((-1, part) for part in below)]:
        for word in part.replace("*", " ").split():
            match = re.fullmatch(r"([A-Za-z]+|1)(?:\^(-?\d+))?", word)
            if not match or (match[1] not in BASE and match[1] not in DERIVED):
                raise ProofError(
                    f"{word!r} is no unit; there are {', '.join([*BASE, *DERIVED])}, with powers such as m^2"
                )
            inner = {match[1]: Fraction(1)} if match[1] in BASE else exponents(DERIVED[match[1]])
            for name, power in inner.items():
                found[name] = found.get(name, Fraction(0)) + sign * power * int(match[2] or 1)
    return found


def factor(unit: Any) -> Any:
    """Return the factor of a unit, or an array of those of a list."""
    if isinstance(unit, list | tuple):
        rows = [row if isinstance(row, list | tuple) else [row] for row in unit]
        return np.array([[factor(x) for x in row] for row in rows], dtype=object)
    with mpmath.workdps(DIGITS):
        return mpmath.mpf(1) * mpmath.fprod(
            mpmath.mpf(BASE[x]) ** (mpmath.mpf(p.numerator) / p.denominator) for x, p in exponents(unit).items()
        )


def named(ratio):
    """Return the unit that a factor stands for, in words."""
    for step in (1, 2):
        ranges = [range(-n * step, n * step + 1) for n in (3, 6, 6, 2, 1)]
        for powers in itertools.product(*ranges):
            if (
                abs(sum(k * log(p) for k, p in zip(powers, BASE.values())) / step - float(mpmath.log(abs(ratio))))
                < 1e-9
            ):
                return written(dict(zip(BASE, (Fraction(k, step) for k in powers))))
    return "no single unit"


def written(powers):
    """Return a unit as it is written: kg m^2/s^2."""
    name = lambda unit, power: unit if power == 1 else f"{unit}^{power}"
    above = " ".join(name(unit, power) for unit, power in powers.items() if power > 0)
    below = " ".join(name(unit, -power) for unit, power in powers.items() if power < 0)
    return (above or "1") + (f"/({below})" if " " in below else f"/{below}" if below else "")


class Units:
    """A table of units, found for a symbol as a binding is."""

    def __init__(self, table: dict[str, Any]):
        self.single: dict[Any, Any] = {}
        self.families: dict[Any, Any] = {}
        for text, unit in table.items():
            key = key_of(text)
            if isinstance(key, tree.Symbol) and "*" in key.sub:
                self.families[replace(key, sub=tuple(x for x in key.sub if x not in ("*", ",")))] = factor(unit)
            else:
                self.single[key] = factor(unit)

    def of(self, symbol, number):
        """Return the factor of a symbol, or an array of factors; None if it is not declared; number: of an index."""
        for spelled in (symbol, replace(symbol, sub=filled(symbol.sub, number))):
            if spelled in self.single:
                return self.single[spelled]
        for k in range(len(symbol.sub) - 1, -1, -1):
            prefix = symbol.sub[:k][:-1] if symbol.sub[:k][-1:] == (",",) else symbol.sub[:k]
            whole = self.single.get(replace(symbol, sub=prefix, style="bold"))
            at = indices(symbol.sub[k:], number) if whole is not None else None
            if at:
                return whole if not isinstance(whole, np.ndarray) else whole[(*(i - 1 for i in at), 0)[:2]]
            if replace(symbol, sub=prefix) in self.families:
                return self.families[replace(symbol, sub=prefix)]
        for less, by in (("dots", symbol.dots - 1), ("prefix", ""), ("accents", symbol.accents[1:])):
            if getattr(symbol, less):
                found = self.of(replace(symbol, **{less: by}), number)
                return found / mpmath.mpf(BASE["s"]) if less == "dots" and found is not None else found
        return None


@dataclass(frozen=True)
class Scaled(Evaluation):
    """Evaluates a tree with each letter multiplied by the factor of its unit."""

    units: Any = None
    numbers: dict = field(default_factory=dict, repr=False)

    def __call__(self, node):
        """Return the scaled value of a node."""
        key = (node, *sorted(self.at.items()))
        if key not in self.known:
            self.known[key] = SCALED.get(type(node), RULES[type(node)])(self, node)
        return self.known[key]

    @property
    def plain(self):
        """Return the evaluation without units."""
        return Evaluation(self.bindings, self.world, self.at, self.numbers)

    def integer(self, node, what):
        """Return the value of a node that counts."""
        return self.plain.integer(node, what)

    def scaled(self, node, value):
        """Return a value multiplied by the factor of the symbol that it belongs to."""
        if isinstance(value, algebra.AnySize) or (node.base in self.at and node == tree.Symbol(node.base)):
            return value
        if isinstance(self.bindings.families.get(tree.Symbol(node.base)), Abbreviation) or node.base == r"\pi":
            return value
        by = self.units.of(node, lambda piece: self.bindings.integer(piece, self.at))
        if by is None:
            raise Undeclared(node)
        return value * by


def symbol(at, node):
    """Return a symbol in its unit; \\delta q is a product where \\delta alone is bound."""
    delta = tree.Symbol(node.prefix, span=node.span)
    if node.prefix and at.plain.look(node) is None and at.plain.look(delta) is not None:
        return algebra.multiply(at(delta), at(replace(node, prefix="")))
    return at.scaled(node, at.plain(node))


def power(at, node):
    """Return a power; its exponent is a number."""
    name = products.label_of(node)
    if name is not None and at.plain.look(name) is not None:
        return at.scaled(name, at.plain(node))
    if not isinstance(node.exponent, tree.Number):
        pure(at, node.exponent, "an exponent")
    return products.power(at, node)


def product(at, node):
    """Return a product; a function of its arguments has the unit of its name."""
    return reduce(algebra.multiply, products.factors(at, node, called, at.plain))


def called(at, head, brackets):
    """Return what stands with its arguments."""
    if not isinstance(head, tree.Symbol):
        raise Undeclared(head)
    return at.scaled(head, products.apply(at.plain, head, brackets))


def add(at, node):
    """Return a sum, the terms of which have one unit."""
    alike(at, node.terms)
    return products.add(at, node)


def derivative(at, node):
    """Return a derivative: its unit is that of the body by those of the variables."""
    value, body = at.plain(node), ratios(at, node.body)
    for variable, order in node.variables:
        time = variable == tree.Symbol("t")
        below = mpmath.mpf(BASE["s"]) if time else ratios(at, variable)
        for _ in range(order):
            body = by(body, below)
    return value * body


def by(body, below):
    """Return the factors of the derivative of something of these factors by a variable of those."""
    if not isinstance(below, np.ndarray):
        return body / below
    column = 1 / below.reshape(-1)
    return column.reshape(-1, 1) * body if not isinstance(body, np.ndarray) else body.reshape(-1, 1) * column


def dotted(at, node):
    """Return the derivative by time of what stands below the dots."""
    return at.plain(node) * ratios(at, node.body) / mpmath.mpf(BASE["s"]) ** node.dots


def unknown(at, node):
    """An integral has a unit that is not told here."""
    raise Undeclared(node)


def cases(at, node):
    """Return the value of the case that holds; the sides of a condition have one unit."""
    for _, condition in node.rows:
        if condition is not None:
            alike(at, condition.sides)
    alike(at, [value for value, _ in node.rows])
    (value,) = [value for value, condition in node.rows if condition is not None and at.plain(condition)] or [
        value for value, condition in node.rows if condition is None
    ]
    return at(value)


def call(at, node):
    """Return a function: of a number, or of terms in one unit; one of the chapter's own has a unit of its name."""
    if tree.Symbol(node.name) in at.bindings.values:
        return at.scaled(tree.Symbol(node.name), at.plain(node))
    if node.name in ("max", "min", "atan2", "arctan2"):
        alike(at, node.arguments)
        value = at.plain(node)
        return value if "atan" in node.name else value * ratios(at, node.arguments[0])
    if node.name in calculus.SPECIAL:
        return calculus.call(at, node) if node.name != "rank" else at.plain(node)
    if node.name == "sign":
        return at.plain(node)
    for argument in node.arguments:
        pure(at, argument, f"the argument of {node.name}")
    return at.plain(node)


def pure(at, node, what):
    """Raise ProofError unless a node is a number without a unit."""
    ratio = ratios(at, node)
    if abs(ratio - 1) > SMALL:
        raise ProofError(f"is {what}, and measured in {named(ratio)}", of=node)


def ratios(at, node):
    """Return by what a node grows: a factor, or an array of them; 1 where nothing stands."""
    a, b = (algebra.scalar(x) for x in (at.plain(node), at(node)))
    if isinstance(a, algebra.AnySize):
        raise Undeclared(node)
    return algebra.each(lambda x: x, grown(b, a)) if isinstance(a, np.ndarray) else grown(b, a)


def grown(b, a):
    """Return b / a, 1 where a is zero, entry by entry."""
    one = lambda x, y: x / y if abs(y) > SMALL else mpmath.mpf(1)
    if not isinstance(a, np.ndarray):
        return one(b, a)
    return np.array([[one(x, y) for x, y in zip(*rows)] for rows in zip(b, a)], dtype=object)


def alike(at, terms):
    """Raise ProofError unless all terms have one unit, entry by entry; a zero has any."""
    known: dict = {}
    for term in terms:
        a, b = (algebra.scalar(x) for x in (at.plain(term), at(term)))
        if isinstance(a, algebra.AnySize):
            continue
        many = isinstance(a, np.ndarray)
        for place in np.ndindex(a.shape) if many else [()]:
            x, y = (a[place], b[place]) if many else (a, b)
            if abs(x) <= SMALL:
                continue
            first, ratio = known.setdefault(place, (term, y / x))
            if abs(y / x / ratio - 1) > SMALL:
                where = f", in entry ({place[0] + 1}, {place[1] + 1})" if many else ""
                raise ProofError(
                    f"is measured in {named(y / x)}, what stands before it in {named(ratio)}{where}", of=term
                )


SCALED = {
    tree.Symbol: symbol,
    tree.Power: power,
    tree.Product: product,
    tree.Add: add,
    tree.Derivative: derivative,
    tree.Dotted: dotted,
    tree.Integral: unknown,
    tree.Cases: cases,
    tree.Call: call,
}


def units_agree(claims: tree.Claims, bindings: Any, at: dict, units: Units) -> bool:
    """Tell whether all letters have units, which agree; raise ProofError where they do not."""
    with mpmath.workdps(DIGITS):
        evaluation = Scaled(bindings, Numbers(Point()), at, units=units)
        try:
            for chain in claims.chains:
                alike(evaluation, [side for side in chain.sides if not is_space(side)])
        except Undeclared:
            return False
    return True
