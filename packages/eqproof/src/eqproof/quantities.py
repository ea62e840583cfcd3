"""What a letter may stand for beside a number or an expression: a field, a family, an abbreviation, particles."""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import sympy

from eqproof.errors import NoNumber, ProofError

# What a letter is bound to: a value (see eqproof.algebra), a kind of this file, or a function of what stands in brackets.
Quantity = Any


@dataclass(frozen=True)
class Field:
    """A quantity and the symbols that are its arguments."""

    value: Quantity
    arguments: tuple[sympy.Basic, ...]


@dataclass(frozen=True)
class Family:
    """A quantity for each index (or each rank-tuple of indices)."""

    rank: int
    member: Callable[..., Any]


@dataclass(frozen=True)
class Members:
    """A function of indices that has no value where one of them is outside of first..last."""

    member: Callable[..., Any]
    last: int
    first: int

    def __call__(self, *at: int) -> Any:
        if not all(self.first <= i <= self.last for i in at):
            limits = f"{self.first} and up" if self.last == sys.maxsize else f"{self.first} to {self.last}"
            raise ProofError(f"the index {', '.join(map(str, at))} is outside of the family that is bound, {limits}")
        return self.member(*at)


@dataclass(frozen=True)
class Abbreviation:
    """A function of a sum of angles, written with the numbers of the angles as its subscript."""

    function: Callable[[sympy.Expr], sympy.Expr]
    angles: tuple[sympy.Expr, ...]


@dataclass(frozen=True)
class Measure:
    """Weights, each with what the symbols in the integrand are there."""

    particles: tuple[tuple[Quantity, dict[str, Any]], ...]


def call_of_author(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what an author's function gives, or raise NoNumber: it does not take these arguments."""
    try:
        return function(*arguments)
    except ProofError:
        raise
    except (TypeError, ValueError, IndexError, KeyError) as error:
        shown = ", ".join(map(str, arguments))
        raise NoNumber(f"what is bound here takes no ({shown}): {type(error).__name__}: {error}") from error


def family(last: int, member: Callable[..., Any], first: int = 1) -> Members:
    r"""Bind r"T_*" to a function of the index that answers from first to last only; a sum beyond that is refused."""
    return Members(member, last, first)


def field(value: Any, *arguments: Any) -> Field:
    """Bind a quantity that may be printed with its arguments, M(q); arguments: symbols of SymPy, or vectors of them."""
    flat = [x for a in arguments for x in (a if isinstance(a, list | tuple | sympy.MatrixBase) else [a])]
    return Field(value_of(value), tuple(flat))


def abbreviation(function: Callable[[sympy.Expr], sympy.Expr], angles: Iterable[sympy.Expr]) -> Abbreviation:
    """Bind c or s to a function (sympy.cos, sympy.sin) of sums of these angles."""
    return Abbreviation(function, tuple(angles))


def abbreviations(angles: Sequence[sympy.Expr]) -> dict[str, Abbreviation]:
    r"""Return the bindings of c_1, c_{12}, s_{z-k} for these angles (relative or absolute ones, as the page says)."""
    return {"c": abbreviation(sympy.cos, angles), "s": abbreviation(sympy.sin, angles)}


def letters(*things: Any) -> dict[str, sympy.Symbol]:
    r"""Return the bindings of symbols to their own names, l_c1 to l_{c1}.

    things: symbols, expressions, matrices, lists, and dataclasses in whose fields such stand.
    """
    found = set()
    for thing in things:
        if is_dataclass(thing):
            found |= set(letters(*(getattr(thing, x.name) for x in fields(thing))).values())
        elif isinstance(thing, list | tuple):
            found |= set(letters(*thing).values())
        else:
            array = np.array(thing, dtype=object).reshape(-1)
            found |= {s for x in array for s in getattr(x, "free_symbols", ())}
    return {sympy.latex(symbol): symbol for symbol in sorted(found, key=str)}


def measure(particles: Iterable[tuple[Any, dict[str, Any]]]) -> Measure:
    r"""Bind dm to particles: pairs of a mass and a dictionary of what stands under the integral, {r"\boldsymbol s": ..}."""
    return Measure(tuple((value_of(mass), dict(place)) for mass, place in particles))


@lru_cache(maxsize=2**15)
def slope(x: sympy.Expr, variable: sympy.Symbol) -> sympy.Expr:
    """Return dx/d(variable), part by part: equal parts of expressions are taken once, and none is asked whether it is zero."""
    if x.is_Atom:
        return sympy.S.One if x == variable else sympy.S.Zero
    if isinstance(x, sympy.Add):
        return sympy.Add(*(slope(term, variable) for term in x.args))
    if isinstance(x, sympy.Mul):
        slopes = [(i, slope(factor, variable)) for i, factor in enumerate(x.args)]
        return sympy.Add(*(sympy.Mul(*x.args[:i], other, *x.args[i + 1 :]) for i, other in slopes if other != 0))
    if isinstance(x, sympy.Pow) and x.exp.is_Rational:
        inner = slope(x.base, variable)
        return sympy.Mul(x.exp, x.base ** (x.exp - 1), inner) if inner != 0 else inner
    if isinstance(x, sympy.sin | sympy.cos):
        inner = slope(x.args[0], variable)
        return sympy.Mul(x.fdiff(), inner) if inner != 0 else inner
    return x.diff(variable)


def value_of(value: Any) -> Quantity:
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
