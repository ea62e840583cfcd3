r"""Points where two gates of `branches` are zero at once: what is false where |x y - 100| and |x + y - 25| have their kinks alone.

A gate that is linear in a letter is solved for it and put into the other one, whose zeros are looked for along another
letter. Where a gate is a condition such as x = 7, the point lies on its zero; else one is drawn on each side of it.
"""

from collections.abc import Iterator
from itertools import combinations, product

import mpmath
import sympy

from eqproof.branches import Gate, letters_of
from eqproof.crossings import BASES, EXACT
from eqproof.points import LetterValues, Point
from eqproof.sampling import NO_VALUE, may_be
from eqproof.zeros import zeros_of

PAIRS = 12  # of gates that are looked at
PLACES = 2  # common zeros of a pair
BESIDE = mpmath.mpf(10) ** -9  # how far beside a zero a point is drawn, as a share of the letter
TERMS = 40  # operations of an expression that is solved for a letter


def at_two_kinks(found: list[Gate], points: list[Point]) -> Iterator[Point]:
    """Yield points at or beside the common zeros of two gates, the letters of neither of which are one and the same letter."""
    simple = [gate for gate in found if not gate.turns and gate.expression.count_ops() < TERMS]
    pairs = [x for x in combinations(sorted(simple, key=is_no_polynomial), 2) if len(x[0].letters | x[1].letters) > 1]
    for one, other in pairs[:PAIRS]:
        for point in points[:BASES]:
            try:
                places = list(common_zeros(one, other, point))
            except (*NO_VALUE, ZeroDivisionError):
                places = []
            if places:
                yield from (x for place in places for x in points_around(place, one, other, point))
                break


def is_no_polynomial(gate: Gate) -> bool:
    """Tell whether a gate is no polynomial: such a one is looked at last."""
    return not gate.expression.is_polynomial(*gate.letters)


def common_zeros(one: Gate, other: Gate, point: Point) -> Iterator[LetterValues]:
    """Yield values of the letters of two gates at which both are zero, near a point where it is possible, PLACES at most."""
    letters = sorted(one.letters | other.letters, key=str)
    number = 0
    with mpmath.workdps(EXACT):
        base = Point(point.seed, salt=point.salt)
        given = {x: mpmath.mpf(float(base.number(x))) for x in letters}  # few digits: sums of them are exact
        for first, second in ((one, other), (other, one)):
            for letter in sorted(first.letters, key=str):
                solution = solve_linear(first.expression, letter)
                if solution is None:
                    continue
                rest = second.expression.subs(letter, solution)
                for moved in sorted(letters_of(rest) - {letter}, key=str):
                    for value in zeros_of(rest, moved, {x: y for x, y in given.items() if x != letter}):
                        there = {**given, moved: value}
                        del there[letter]
                        there[letter] = Point(given=there).number(solution)
                        if all(may_be(x, there[x]) for x in letters):
                            yield there
                            number += 1
                        if number == PLACES:
                            return


def solve_linear(expression: sympy.Expr, letter: sympy.Basic) -> sympy.Expr | None:
    """Return what a letter is where an expression is zero, None where that is not linear in it."""
    free = sympy.Dummy()
    inside = expression.xreplace({letter: free})
    if not inside.is_polynomial(free) or sympy.degree(inside, free) != 1:
        return None
    slope, constant = sympy.Poly(inside, free).all_coeffs()
    return -constant / slope


def points_around(place: LetterValues, one: Gate, other: Gate, point: Point) -> Iterator[Point]:
    """Yield the point at a common zero where both gates are conditions, else those on all sides of the gates that are none."""
    if one.point and other.point:
        yield Point(point.seed, place, point.wide, point.salt)
    held = {x for gate in (one, other) if gate.point for x in gate.letters}
    moving = [x for x in sorted(place, key=str) if x not in held][:2]
    for signs in product((1, -1), repeat=len(moving)):
        moved = {x: place[x] + sign * BESIDE * max(1, abs(place[x])) for x, sign in zip(moving, signs)}
        if moved and all(may_be(x, value) for x, value in moved.items()):
            yield Point(point.seed, {**place, **moved}, point.wide, point.salt)
