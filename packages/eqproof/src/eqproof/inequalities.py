r"""Inequalities: a search for the point where the larger side is smallest, and a proof where one is at hand.

Random points do not meet a narrow exception: x^2 + 4 \ge 4.001 x is false between 1.97 and 2.03 alone. So from the points
at which one side is least above the other, by a share of both, each letter in turn goes to the lowest point of the parabola
through its neighbors. What this does not find may still be there: the grade is "sampled", unless the difference of the
sides is proven not to be negative: by the signs of its letters, by the roots of a polynomial of one letter, or as a sum of
squares where it is of the second degree.
"""

import math
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np
import sympy

from eqproof import algebra, tree
from eqproof.calculus import SPELLINGS
from eqproof.evaluate import Evaluation, Numbers
from eqproof.points import DIGITS, LetterValues, Point
from eqproof.sampling import NO_VALUE, WIDE, may_be

STARTS = 3  # points from which the search sets out
CALLS = 600  # evaluations of one search at most
ENTRIES = 12  # of a matrix, for which a search is made
SMALLEST_STEP = mpmath.mpf(10) ** -20
# sizes of letters in a search
SMALLEST = mpmath.mpf(10) ** -(WIDE + 1)
LARGEST = mpmath.mpf(10) ** (WIDE + 1)
EXPANDED = 500  # terms of a power of a sum
MULTIPLIED_OUT = 20_000  # terms of a whole expression: a second; a product of sums soon has millions
ORDER = ("<", ">", r"\le", r"\ge")


@dataclass
class Search:
    """A search for the lowest share by which a relation holds; calls: evaluations that are left.

    scale: what a difference is measured by where one side is zero; entry: of matrices, the one of which the share is taken.
    """

    evaluation: Evaluation
    sides: tuple[tree.Node, tree.Node]
    larger_first: bool
    calls: int = CALLS
    scale: Any = None
    entry: int = 0

    def share(self, letters: LetterValues, point: Point) -> Any:
        """Return (larger - smaller) / (their sizes) where letters have these values; infinity where there is no value."""
        self.calls -= 1
        try:
            there = Point(point.seed, dict(letters), point.wide, point.salt)
            evaluate = Evaluation(self.evaluation.bindings, Numbers(there), self.evaluation.indices)
            a, b = algebra.same_size(*(evaluate(side) for side in self.sides))
            pairs = list(zip(np.ravel(np.asarray(a, dtype=object)), np.ravel(np.asarray(b, dtype=object))))
            self.scale = self.scale or max(abs(x) + abs(y) for x, y in pairs) or 1
            shares = [(x - y) / (abs(x) + abs(y) + (0 if x and y else self.scale)) for x, y in pairs]
            share = shares[self.entry] if self.larger_first else -shares[self.entry]
            return share if mpmath.isfinite(share) else mpmath.inf
        except NO_VALUE:
            return mpmath.inf

    def share_at(self, point: Point) -> Any:
        """Return the share at a random point."""
        return self.share(letter_values(point), point)

    def lowest(self, point: Point) -> LetterValues:
        """Return the values of the letters where the search from a point ends."""
        letters = {x: point.values[x] for x in point.drawn if isinstance(x, sympy.Symbol)}
        self.scale = None
        here = self.share(letters, point)
        steps = {x: abs(value) / 4 for x, value in letters.items()}
        while letters and here > 0 and self.calls > 0 and max(steps.values()) > SMALLEST_STEP:
            before = here
            for x in letters:
                here, steps[x] = self.along(x, letters, steps[x], here, point)
            if before - here < abs(before) * mpmath.mpf(10) ** -12 and max(steps.values()) < mpmath.mpf(10) ** -8:
                break
        return letters

    def along(self, x: sympy.Symbol, letters: LetterValues, step: Any, here: Any, point: Point) -> tuple[Any, Any]:
        """Move one letter to where the share is lower, if it is; return the share there and the next step."""
        value = letters[x]
        sides = [
            (k, self.share(letters | {x: k}, point)) for k in (value - step, value + step) if is_allowed_value(x, k)
        ]
        tried = [(value, here), *sides]
        if len(sides) == 2 and all(mpmath.isfinite(y) for _, y in tried):
            low, high = (y for _, y in sides)
            bend = low - 2 * here + high
            vertex = value + step * min(max((low - high) / (2 * bend), -4), 4) if bend > 0 else value
            if vertex != value and is_allowed_value(x, vertex):
                tried.append((vertex, self.share(letters | {x: vertex}, point)))
        best, share = min(tried, key=lambda pair: pair[1])
        letters[x] = best
        moved = abs(best - value)
        return share, (2 * moved if moved >= step else step / 4 if not moved else max(moved, step / 16))


def lowest_points(claims: tree.Claims, evaluation: Evaluation, points: list[Point]) -> list[Point]:
    """Return the points where the inequalities of claims are nearest to be false, found from some of these points."""
    found = []
    with mpmath.workdps(DIGITS):
        for sides, relation in ordered_pairs(claims):
            for entry in range(entry_count(evaluation, sides, points[0])):
                search = Search(evaluation, sides, relation in (">", r"\ge"), entry=entry)
                ranked = sorted(points, key=search.share_at)
                search.calls = CALLS
                for point in ranked[:STARTS]:
                    letters = search.lowest(point)
                    if letters:
                        found.append(Point(point.seed, letters, WIDE, point.salt))
    return found


def entry_count(evaluation: Evaluation, sides: tuple[tree.Node, tree.Node], point: Point) -> int:
    """Return how many entries the sides of an inequality have, ENTRIES at most."""
    try:
        evaluate = Evaluation(evaluation.bindings, Numbers(Point(point.seed, salt=point.salt)), evaluation.indices)
        a, _ = algebra.same_size(*(evaluate(side) for side in sides))
        return min(np.asarray(a, dtype=object).size, ENTRIES)
    except NO_VALUE:
        return 1


def is_allowed_value(letter: sympy.Symbol, value: Any) -> bool:
    """Tell whether a search may give a letter a value: one of its sign, and not so small or large that digits get lost."""
    return may_be(letter, value) and SMALLEST <= abs(value) <= LARGEST


def letter_values(point: Point) -> LetterValues:
    """Return the values of the letters that were drawn at a point."""
    return {x: point.values[x] for x in point.drawn if isinstance(x, sympy.Symbol)}


def ordered_pairs(claims: tree.Claims) -> list[tuple[tuple[tree.Node, tree.Node], str]]:
    """Return ((left, right), relation) of the inequalities in claims."""
    pairs = []
    for chain in claims.chains:
        for i, relation in enumerate(chain.relations):
            if (spelled := SPELLINGS.get(relation, relation)) in (*ORDER, r"\ne"):
                pairs.append(((chain.sides[i], chain.sides[i + 1]), spelled))
    return pairs


# ---- proofs -----------------------------------------------------------------------------------------------------------


def proof_of(claims: tree.Claims, evaluations: list[Evaluation]) -> str:
    """Return in words how all inequalities of claims are proven; "" where one is not, or where another relation stands."""
    pairs = ordered_pairs(claims)
    ways = []
    if len(pairs) != sum(len(chain.relations) for chain in claims.chains):
        return ""
    for evaluation in evaluations:
        for (left, right), relation in pairs:
            try:
                a, b = algebra.same_size(*(evaluation.symbolic()(side) for side in (left, right)))
                gaps = [sympy.expand(x) if expandable(x) else x for x in np.ravel(np.asarray(a - b, dtype=object))]
            except NO_VALUE:
                return ""
            for gap in gaps:
                way = way_to_prove(gap if relation in (">", r"\ge", r"\ne") else -gap, relation not in (r"\le", r"\ge"))
                if not way and relation == r"\ne":
                    way = way_to_prove(-gap, True)
                if not way:
                    return ""
                ways.append(way)
    return " and ".join(dict.fromkeys(ways))


def way_to_prove(gap: sympy.Expr, strict: bool) -> str:
    """Return in words how an expression is known to be positive (strict), or not negative; "" where that is not known."""
    if gap.is_number:
        return ""
    if gap.is_positive if strict else gap.is_nonnegative:
        return "by the signs of its letters"
    letters = sorted(gap.free_symbols, key=str)
    if not expandable(gap):
        return ""
    if not (gap.is_polynomial(*letters) and all(x.is_Rational for x in sympy.Poly(gap, *letters).coeffs())):
        return ""
    if len(letters) == 1 and no_sign_change(sympy.Poly(gap, *letters), letters[0], strict):
        return "by the roots of a polynomial"
    if sympy.Poly(gap, *letters).total_degree() == 2 and is_sum_of_squares(gap, letters, strict):
        return "as a sum of squares"
    return ""


def expandable(x: Any) -> bool:
    """Tell whether an expression has neither a power of a sum nor as a whole too many terms when it is multiplied out."""
    x = sympy.sympify(x)
    powers = [part for part in x.atoms(sympy.Pow) if part.base.is_Add and part.exp.is_Integer]
    sizes = [power_terms(len(part.base.args), part.exp) for part in powers]
    return all(size <= EXPANDED for size in sizes) and most_terms(x) <= MULTIPLIED_OUT


def most_terms(x: sympy.Basic) -> int:
    """Return how many terms an expression has at most when it is multiplied out."""
    if x.is_Add:
        return sum(map(most_terms, x.args))
    if x.is_Mul:
        return math.prod(map(most_terms, x.args))
    if x.is_Pow and x.base.is_Add and x.exp.is_Integer:
        return power_terms(most_terms(x.base), x.exp)
    return 1


def power_terms(terms: int, exponent: sympy.Integer) -> int:
    """Return how many terms a whole power of a sum has at most."""
    return math.comb(abs(int(exponent)) + terms - 1, terms - 1)


def no_sign_change(polynomial: sympy.Poly, letter: sympy.Symbol, strict: bool) -> bool:
    """Tell whether a polynomial is positive, or not negative, wherever its letter may be."""
    low = 0 if letter.is_nonnegative else None
    high = 0 if letter.is_nonpositive else None
    if low is None and high is None and letter.is_real is not True:
        return False
    if strict and (polynomial.count_roots(low, high) - (letter.is_zero is False and polynomial.eval(0) == 0)):
        return False
    if any(has_root_between(factor, low, high) for factor, power in polynomial.sqf_list()[1] if power % 2):
        return False
    start = 1 if high is None else -1
    values = (polynomial.eval(start * k) for k in range(1, 99))
    return bool(next((value for value in values if value != 0), 0) > 0)


def has_root_between(factor: sympy.Poly, low: int | None, high: int | None) -> bool:
    """Tell whether a polynomial without double roots has one between two bounds, of which each is 0 or none."""
    at_ends = (low, high).count(0) if factor.eval(0) == 0 else 0
    return bool(factor.count_roots(low, high) - at_ends)


def is_sum_of_squares(gap: sympy.Expr, letters: list[sympy.Symbol], strict: bool) -> bool:
    """Tell whether a polynomial of the second degree in real letters is a sum of squares, of which one is a number if strict."""
    if not all(x.is_real for x in letters):
        return False
    row = [sympy.S.One, *letters]
    polynomial = sympy.Poly(gap, *letters)
    form = sympy.zeros(len(row))
    for powers, coefficient in polynomial.terms():
        at = [i + 1 for i, power in enumerate(powers) for _ in range(power)]
        i, j = ([0, 0] + at)[-2:]
        form[i, j] += coefficient / 2
        form[j, i] += coefficient / 2
    return bool(form.is_positive_definite if strict else form.is_positive_semidefinite)
