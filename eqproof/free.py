"""Whether two equations say the same whatever their letters stand for: each letter becomes an unknown function of the state."""

from dataclasses import replace
from itertools import pairwise

import mpmath
import numpy as np
import sympy
from sympy.core.function import AppliedUndef

from eqproof import algebra, tree
from eqproof.bindings import Bindings
from eqproof.check import AGREE, is_space, places
from eqproof.errors import ProofError
from eqproof.evaluate import Evaluation, Numbers
from eqproof.parser import parse
from eqproof.points import DIGITS, Point
from eqproof.quantities import Abbreviation, Field
from eqproof.subscripts import filled


class Free(Bindings):
    """A table in which every composite value is an unknown function of the state, as large and as symmetric as it was.

    Numbers are unknown, too, a zero among them; only what counts (bounds of sums, exponents, sizes) remains a number.
    """

    @classmethod
    def of(cls, bindings, counting=()):
        """Return the free version of a table; counting: the symbols that count."""
        free = cls()
        free.merge(bindings)
        free.made, free.counting = {}, counting
        free.state = sorted({*free.rates, *free.rates.values(), *filter(None, [free.time])}, key=str)
        return free

    def find(self, symbol, at):
        """Return what a symbol is bound to, made free."""
        value = super().find(symbol, at)
        if value is None or any(isinstance(self.families.get(key), Abbreviation) for key in (symbol, bare(symbol))):
            return value
        if symbol in self.counting:
            return value
        name = replace(symbol, sub=filled(symbol.sub, lambda piece: self.integer(piece, at)))
        if isinstance(value, Field):
            return Field(self.freed(value.value, name), value.arguments)
        return self.freed(value, name)

    def freed(self, value, symbol):
        """Return a value with unknown functions in the place of its composite entries."""
        if not isinstance(value, np.ndarray):
            return self.unknown(value, symbol, ())
        square = value.shape[0] == value.shape[1]
        symmetric, skew = (square and (value == sign * value.T).all() for sign in (1, -1))

        def entry(i, j):
            if skew and i >= j:
                return sympy.S.Zero if i == j else -entry(j, i)
            return self.unknown(value[i, j], symbol, (*sorted((i, j)),) if symmetric else (i, j))

        return np.array([[entry(i, j) for j in range(value.shape[1])] for i in range(value.shape[0])], dtype=object)

    def unknown(self, value, symbol, place):
        """Return the unknown function for a value; letters remain what they are."""
        if not isinstance(value, sympy.Basic) or isinstance(value, sympy.Symbol) or value.has(AppliedUndef):
            return value
        key = (value, symbol.base, symbol.style, symbol.accents, place, symbol.sub if value.is_number else ())
        if key not in self.made:
            self.made[key] = sympy.Function(f"unknown{len(self.made)}", real=True)(*self.state)
        return self.made[key]


def bare(symbol):
    """Return a symbol without its subscript."""
    return tree.Symbol(symbol.base)


def counting(node):
    r"""Return the symbols of a text that count: those in bounds, exponents, conditions and sizes."""
    places = []
    for x in tree.walk(node):
        if isinstance(x, tree.Big):
            places += [x.low, x.high]
        elif isinstance(x, tree.Power):
            places.append(x.exponent)
        elif isinstance(x, tree.Cases):
            places += [condition for _, condition in x.rows]
    return {x for place in places if place is not None for x in tree.walk(place) if isinstance(x, tree.Symbol)}


def same_meaning(entry, text, other):
    """Tell whether two texts say the same whatever their letters stand for."""
    pairs = list(zip(parse(text).chains, parse(other).chains))
    if len(parse(text).chains) != len(parse(other).chains) or any(a.relations != b.relations for a, b in pairs):
        return False
    try:
        return all(agree(entry, n, at, *pair) for pair in pairs for n in entry.sizes for at in places(entry.each, n))
    except (ProofError, ArithmeticError, TypeError):
        return False


def agree(entry, n, at, one, other):
    """Tell whether two chains have the same differences of sides, up to a common sign, where every letter is free."""
    with mpmath.workdps(DIGITS):
        numbers = counting(one) | counting(other)
        evaluation = Evaluation(Free.of(entry.layers.table(n), numbers), Numbers(Point(7)), at)
        for pair, changed in zip(pairwise(one.sides), pairwise(other.sides)):
            if any(is_space(side) for side in (*pair, *changed)):
                return False
            a, b = (np.array(difference(*map(evaluation, sides))).reshape(-1) for sides in (pair, changed))
            small = mpmath.mpf(10) ** -AGREE * max(1, *(abs(x) for x in a))
            if a.shape != b.shape or not any(all(abs(x - s * y) < small for x, y in zip(a, b)) for s in (1, -1)):
                return False
    return True


def difference(a, b):
    """Return a - b."""
    a, b = algebra.same_size(a, b)
    return a - b
