"""Where one gate of `branches` is zero, in so many digits that no rounding tells it from zero."""

from collections.abc import Iterator
from typing import Any

import mpmath
import numpy as np
import sympy

from eqproof.branches import Gate, letters_of
from eqproof.crossings import BASES, EXACT, TURNS, Program, grid_of
from eqproof.points import LetterValues, Point
from eqproof.sampling import NO_VALUE, may_be


def on_zero(gate: Gate, points: list[Point]) -> Iterator[Point]:
    """Yield points at which a gate is zero, in so many digits that no rounding tells it from zero; one letter moves."""
    letters = sorted(gate.letters, key=str)
    with mpmath.workdps(EXACT):
        for point in points[:BASES]:
            base = Point(point.seed, salt=point.salt)
            given = {x: base.number(x) for x in letters}
            found = [
                Point(point.seed, {**given, letter: value}, point.wide, point.salt)
                for letter in letters
                for value in zeros_of(gate.expression, letter, given)
                if may_be(letter, value)
            ]
            if found:
                yield from found
                return


def zeros_of(expression: sympy.Expr, letter: sympy.Basic, given: LetterValues) -> list[Any]:
    """Return values of a letter at which an expression is zero where the other letters are given."""
    others = Point(given={x: value for x, value in given.items() if x != letter})
    free = sympy.Dummy()
    expression = expression.xreplace({letter: free})
    if expression.is_polynomial(free):
        factors = [x for x, _ in sympy.sqf_list(sympy.expand(expression), free)[1]]
        rows = [sympy.Poly(x, free).all_coeffs() for x in factors]
        lines = [row for row in rows if len(row) == 2]
        found = [-others.number(constant) / slope for a, constant in lines if (slope := others.number(a))]
        if found:
            return found
    line = grid_of(letter, far=False)
    known = {x: float(value) for x, value in others.values.items() if x in letters_of(expression)}
    values = Program([expression], [free, *known])({free: line, **known})[0]
    places = np.flatnonzero(np.sign(values[:-1]) * np.sign(values[1:]) < 0)[:TURNS]
    return [root for k in places if (root := polish_zero(expression, free, others, line[k], line[k + 1])) is not None]


def polish_zero(expression: sympy.Expr, free: sympy.Dummy, others: Point, low: float, high: float) -> Any:
    """Return the zero of an expression between two values of a letter, in all digits; None where that fails."""

    def gap(x: Any) -> Any:
        return Point(given={**others.values, free: x}).number(expression)

    try:
        root = mpmath.findroot(gap, (mpmath.mpf(low), mpmath.mpf(high)), solver="anderson", maxsteps=60, verify=False)
        return root if abs(gap(root)) < mpmath.mpf(10) ** (-EXACT // 2) else None
    except (*NO_VALUE, ZeroDivisionError):
        return None
