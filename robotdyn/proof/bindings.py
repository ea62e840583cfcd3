r"""What the symbols of an equation stand for: a table from LaTeX to quantities, and how a written symbol is found in it.

A key is LaTeX, in any spelling: r"\boldsymbol{M}" and r"\boldsymbol M" are one. A value is an expression or matrix of
SymPy, a number, or one of

- r"l_*": [l1, l2] or a function of the index; r"\tilde M_{**}": a function of two: a family, for m_i and \tilde M_{zk};
- r"\boldsymbol 1": a function (of what stands in brackets behind it);
- field(M, *q): a quantity that may be printed with its arguments, M(q): without this, brackets mean a product;
- abbreviation(sympy.sin, q), as r"s": s_2, s_{12} and s_{z-k} are the sine of q_2, q_1 + q_2 and q_z - q_k;
- measure([...]), as r"dm": the particles over which an integral without bounds runs.

Entries need no binding: M_{kj} is looked for in \boldsymbol M, q_i in \boldsymbol q, \tau_{f,i} in \boldsymbol\tau_f.
Rates need none either: \dot X is d/dt of X by the chain rule, after motion(q, qd, qdd) said what the state is.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import sympy

from robotdyn.proof.errors import ProofError, Unreadable
from robotdyn.proof.parser import parse_expression
from robotdyn.proof.subscripts import filled, indices, signed
from robotdyn.proof.tree import Node, Power, Product, Symbol


@dataclass(frozen=True)
class Field:
    """A quantity and the symbols that are its arguments."""

    value: Any
    arguments: tuple


@dataclass(frozen=True)
class Family:
    """A quantity for each index (or each rank-tuple of indices)."""

    rank: int
    member: Callable


@dataclass(frozen=True)
class Abbreviation:
    """A function of a sum of angles, written with the numbers of the angles as its subscript."""

    function: Callable
    angles: tuple


@dataclass(frozen=True)
class Measure:
    """Weights, each with what the symbols in the integrand are there."""

    particles: tuple


def field(value, *arguments):
    """Bind a quantity that may be printed with its arguments, M(q); arguments: symbols of SymPy, or vectors of them."""
    flat = [x for a in arguments for x in (a if isinstance(a, list | tuple | sympy.MatrixBase) else [a])]
    return Field(value_of(value), tuple(flat))


def abbreviation(function, angles):
    """Bind c or s to a function (sympy.cos, sympy.sin) of sums of these angles."""
    return Abbreviation(function, tuple(angles))


def abbreviations(angles):
    r"""Return the bindings of c_1, c_{12}, s_{z-k} for these angles (relative or absolute ones, as the page says)."""
    return {"c": abbreviation(sympy.cos, angles), "s": abbreviation(sympy.sin, angles)}


def letters(*things):
    r"""Return the bindings of symbols to their own names: l_c1 to l_{c1}; things: symbols, expressions, matrices, arms."""
    found = set()
    for thing in things:
        if hasattr(thing, "links"):
            parts = [x for link in thing.links for x in (link.mass, link.com, link.inertia, link.position)]
            found |= set(letters(*parts, thing.gravity, thing.tip).values())
        else:
            array = np.array(thing, dtype=object).reshape(-1)
            found |= {s for x in array for s in getattr(x, "free_symbols", ())}
    return {sympy.latex(symbol): symbol for symbol in sorted(found, key=str)}


def measure(particles):
    r"""Bind dm to particles: pairs of a mass and a dictionary of what stands under the integral, {r"\boldsymbol s": ..}."""
    return Measure(tuple((value_of(mass), dict(place)) for mass, place in particles))


def value_of(value):
    """Return a value as the evaluation wants it: SymPy scalars, arrays (rows, columns) of them, the kinds above, functions."""
    if isinstance(value, Field | Family | Abbreviation | Measure | sympy.Basic) and not isinstance(
        value, sympy.MatrixBase | sympy.NDimArray
    ):
        return value
    if isinstance(value, sympy.NDimArray):
        value = value.tolist()
    if isinstance(value, sympy.MatrixBase):
        return np.array(value.tolist(), dtype=object).reshape(value.shape)
    if isinstance(value, np.ndarray | list | tuple):
        array = np.array(value, dtype=object)
        array = array.reshape(-1, 1) if array.ndim == 1 else array
        if array.ndim != 2:
            raise ProofError(f"a binding must be a scalar, a vector or a matrix, got an array of shape {array.shape}")
        return np.vectorize(value_of, otypes=[object])(array) if array.size else array
    if isinstance(value, float | np.floating):
        return sympy.Rational(repr(float(value)))
    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    return value if callable(value) else sympy.sympify(value)


def key_of(text):
    """Return the node that a key of a table names; Q^{nc} is a name, too."""
    node = parse_expression(text)
    named = label_of(node)
    if isinstance(node, Product) and node.factors[0] == Symbol("d") and len(node.factors) == 2:
        return Symbol("d" + node.factors[1].base)  # dm, the measure of an integral
    return named if named is not None else node


def label_of(node):
    """Return the symbol whose name includes its superscript letters, None if a node is nothing of that kind."""
    if not (isinstance(node, Power) and isinstance(node.base, Symbol)):
        return None
    letters = node.exponent.factors if isinstance(node.exponent, Product) else (node.exponent,)
    if not all(isinstance(x, Symbol) and not x.sub for x in letters):
        return None
    return replace(node.base, sup="".join(x.base for x in letters), span=node.span)


class Bindings:
    """A table of what symbols stand for, and the rates of the state."""

    def __init__(self, table=None):
        self.values, self.families, self.rates, self.time = {}, {}, {}, None
        self.bind(table or {})

    def copy(self):
        """Return a table that can be added to without changing this one."""
        other = Bindings()
        other.values, other.families = dict(self.values), dict(self.families)
        other.rates, other.time = dict(self.rates), self.time
        return other

    def bind(self, table):
        """Add bindings; a later one for the same symbol replaces the earlier."""
        for text, value in table.items():
            key = text if isinstance(text, Node) else key_of(text)
            if isinstance(key, Symbol) and "*" in key.sub:
                self.add_family(key, value)
            elif isinstance(key, Symbol) and isinstance(value, Abbreviation | Family):
                self.families[key] = value
            else:
                self.values[key] = value_of(value)
        return self

    def merge(self, other):
        """Add all that another table holds."""
        self.values.update(other.values)
        self.families.update(other.families)
        self.rates.update(other.rates)
        self.time = other.time if other.time is not None else self.time
        return self

    def add_family(self, key, value):
        """Add a family; its key has a star for each index, at the end."""
        names = tuple(piece for piece in key.sub if piece not in ("*", ","))
        rank = key.sub.count("*")
        if key.sub[: len(names)] != names:
            raise Unreadable("the stars of a family must come last in its key")
        if not callable(value):
            items = value_of(value)
            value = lambda *at: items[tuple(i - 1 for i in at)] if rank > 1 else items[at[0] - 1, 0]
            value = in_range(value, items.shape)
        self.families[replace(key, sub=names)] = Family(rank, value)

    def motion(self, q, qd=None, qdd=None, t=None):
        """Declare the state: dq/dt = qd and dqd/dt = qdd, each a list of symbols (the last may hold expressions)."""
        rows = [list(row) for row in (q, qd, qdd) if row is not None]
        for low, high in pairwise(rows):
            self.rates.update(zip(low, high))
        self.time = t if t is not None else self.time
        return self

    def rate(self, x):
        """Return dx/dt of a SymPy expression."""
        total = x.diff(self.time) if self.time is not None else sympy.S.Zero
        for symbol in sorted(x.free_symbols, key=str):
            if symbol in self.rates:
                total += x.diff(symbol) * self.rates[symbol]
            elif symbol in self.rates.values():
                total += x.diff(symbol) * sympy.Symbol(f"d/dt {symbol}", real=True)
        return total

    def integer(self, piece, at):
        """Return the number that a letter of a subscript stands for, None if it is no index."""
        if piece in at:
            return at[piece]
        value = self.values.get(Symbol(piece))
        return int(value) if isinstance(value, sympy.Integer) else None

    def find(self, symbol, at):
        """Return what a symbol is bound to, given the indices at = {letter: number}; None if it is not bound."""
        number = lambda piece: self.integer(piece, at)
        if symbol in self.values:
            return self.values[symbol]
        if symbol.sub:
            literal = replace(symbol, sub=filled(symbol.sub, number))
            if literal in self.values:
                return self.values[literal]
            for k in range(len(symbol.sub) - 1, -1, -1):
                prefix, suffix = self.without_comma(symbol.sub[:k]), symbol.sub[k:]
                value = self.member(replace(symbol, sub=filled(prefix, number)), suffix, number)
                if value is None and not symbol.style:
                    value = self.entry(replace(symbol, sub=prefix, style="bold"), suffix, at, number)
                if value is not None:
                    return value
        return None

    @staticmethod
    def without_comma(prefix):
        """Return the pieces of a name that a comma parts from the index."""
        return prefix[:-1] if prefix[-1:] == (",",) else prefix

    def member(self, key, suffix, number):
        """Return a member of a family, or None."""
        family = self.families.get(key)
        if isinstance(family, Abbreviation):
            rows = signed(suffix, number)
            if not rows:
                return None
            inside = [pair for row in rows for pair in row]
            if any(not 0 < index <= len(family.angles) for _, index in inside):
                return None
            return family.function(sum(sign * family.angles[index - 1] for sign, index in inside))
        if isinstance(family, Family):
            numbers = indices(suffix, number, family.rank)
            return None if numbers is None else value_of(family.member(*numbers))
        return None

    def entry(self, bold, suffix, at, number):
        """Return the entry of the vector or matrix that is bound in bold, or None."""
        numbers = indices(suffix, number)
        if not numbers:
            return None
        whole = self.find(bold, at)
        if isinstance(whole, Field):
            part = self.part(whole.value, numbers)
            return None if part is None else Field(part, whole.arguments)
        return self.part(whole, numbers)

    @staticmethod
    def part(whole, numbers):
        """Return the entry of a vector or matrix, None if it is neither."""
        if not isinstance(whole, np.ndarray):
            return None
        place = (numbers[0], 1) if len(numbers) == 1 and whole.shape[1] == 1 else tuple(numbers)
        if len(place) != 2 or not all(0 < i <= size for i, size in zip(place, whole.shape)):
            raise ProofError(f"{numbers} is no place in a matrix of {whole.shape[0]} x {whole.shape[1]}")
        return whole[place[0] - 1, place[1] - 1]

    def known(self):
        """Return the symbols of the table."""
        return [key for key in [*self.values, *self.families] if isinstance(key, Symbol)]


def in_range(member, shape):
    """Return a member function that names an index which the list has not."""

    def checked(*at):
        if not all(0 < i <= size for i, size in zip(at, shape)):
            raise ProofError(f"the index {', '.join(map(str, at))} is outside of the list that is bound, of {shape[0]}")
        return member(*at)

    return checked
