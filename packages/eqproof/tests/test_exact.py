"""The chance that a false equation passes is not larger than the one that is told: degrees count denominators as well."""

import itertools
import math
import random
import re
from contextlib import suppress
from fractions import Fraction

import pytest
import sympy as sp

from eqproof import check
from eqproof.exact import SIZE, Exact, ExactPoint, Inexact, chance

x, y, z = LETTERS = sp.symbols("x y z", positive=True)
u = sp.Symbol("u", real=True)


def at(expression, values):
    """The Exact of an expression where letters have these values."""
    point = ExactPoint()
    point.values |= {letter: Exact.of(value) for letter, value in values.items()}
    for number in point.values.values():
        number.above = 1
    return point.number(expression)


def rational(rng, depth=3):
    """An expression of letters and numbers, whose sums, products, quotients and powers are not expanded."""
    if depth == 0:
        return rng.choice([*LETTERS, *LETTERS, sp.Integer(rng.randint(1, 9))])
    a, b = rational(rng, depth - 1), rational(rng, depth - 1)
    kinds = (
        lambda: sp.Add(a, b, evaluate=False),
        lambda: sp.Add(a, sp.Mul(-1, b, evaluate=False), evaluate=False),
        lambda: sp.Mul(a, b, evaluate=False),
        lambda: sp.Mul(a, sp.Pow(b, -1, evaluate=False), evaluate=False),
        lambda: sp.Pow(a, rng.choice([2, 3, -1, -2]), evaluate=False),
    )
    return rng.choice(kinds)()


def degrees(expression):
    """The degrees of the polynomials above and below, once all is one fraction in lowest terms."""
    return tuple(sp.Poly(part, *LETTERS).total_degree() for part in sp.fraction(sp.cancel(expression)))


def test_degrees_are_those_of_polynomials_at_least():
    """A fraction is zero where the polynomial above is, which SymPy finds by making it one fraction."""
    rng = random.Random(0)
    seen = set()
    for _ in range(60):
        expression = rational(rng)
        if expression.has(sp.zoo, sp.nan) or sp.cancel(expression) == 0:
            continue
        with suppress(Inexact):  # a - a below
            true = degrees(expression)
            number = ExactPoint().number(expression)
            assert number.above >= true[0] and number.below >= true[1], expression
            seen.add(true[1] > 0)
    assert seen == {True, False}


# Without a common factor nothing cancels, and the degrees are these.
DEGREES = {
    x + y: (1, 0),
    x * y + z: (2, 0),
    x - y**3: (3, 0),
    (x + 1) ** 4: (4, 0),
    (x + 1) ** -4: (0, 4),
    1 / x + y: (2, 1),
    y - 1 / x: (2, 1),
    1 / x + 1 / y: (1, 2),
    1 / (x * y) + 1 / (z + 1): (2, 3),
    y**3 / (x + 1) + x: (3, 1),
    x / y * (z / (x + 1)): (2, 2),
    (x / y) / (z**2 / (x + 1)): (2, 3),
    (y / x) ** 3: (3, 3),
    (y**2 / x) ** -3: (3, 6),
}


@pytest.mark.parametrize("expression", DEGREES)
def test_degrees_are_not_larger_than_they_must_be(expression):
    """So that what is told is worth telling."""
    number = ExactPoint().number(expression)
    above, below = DEGREES[expression]
    assert above <= number.above <= above + below and number.below == below  # a sum begins with 0 / 1


@pytest.mark.parametrize("n", range(1, 5))
def test_degrees_of_angles_are_those_of_the_circle(n):
    """cos n u = 0 has 2 n roots t, and no fewer count: (1 + t^2)^n, which stands below, has none."""
    t = sp.Symbol("t", real=True)
    above = sp.expand((1 - t**2 + 2 * sp.I * t) ** n)
    for function, part in ((sp.cos, sp.re), (sp.sin, sp.im)):
        number = ExactPoint().number(function(n * u))
        assert 2 * n <= number.above <= 2 * n + 2 and number.above >= len(sp.Poly(part(above), t).nroots())


# False equations by construction: the sides are equal where a product of factors is zero, and nowhere else.
FALSE = {
    "x + 12/x = 7": (x + 12 / x, sp.Integer(7), (x - 3) * (x - 4)),
    "6/x + 11 x = x^2 + 6 ...": (6 / x + x**2, 6 * x - 11 + 12 / x, (x - 1) * (x - 2) * (x - 3)),
    "2/x = 2/y": (2 / x, 2 / y, x - y),
    "x/(y+1) = z/(y+2)": (x / (y + 1), z / (y + 2), x * (y + 2) - z * (y + 1)),
    "1/x + 1/y = 1/z": (1 / x + 1 / y, 1 / z, z * (x + y) - x * y),
    "x/y + y/x = 2": (x / y + y / x, sp.Integer(2), (x - y) ** 2),
}


@pytest.mark.parametrize("what", FALSE)
def test_a_false_equation_passes_no_more_often_than_its_degree_says(what):
    """Counted over all points of a small set: it passes in at most degree / (numbers in the set) of them (Schwartz, Zippel)."""
    left, right, zero = FALSE[what]
    letters = sorted(left.free_symbols | right.free_symbols, key=str)
    numbers = range(1, 7)
    passed = above = 0
    for values in itertools.product(numbers, repeat=len(letters)):
        point = dict(zip(letters, values))
        difference = at(left, point) - at(right, point)
        true = Fraction(str(left.subs(point))) == Fraction(str(right.subs(point)))
        assert (difference.value == 0) == true == (zero.subs(point) == 0)
        passed += true
        above = difference.above
    assert passed > 0
    assert Fraction(passed, len(numbers) ** len(letters)) <= Fraction(above, len(numbers))


# A true equation, and the degree of the polynomial above in the difference of two sides of this form whose numbers are free.
TOLD = {
    r"\frac{1}{x} + \frac{1}{y} = \frac{x + y}{x y}": 3,
    r"\frac{x}{y} = \frac{1}{y} x": 2,
    r"\frac{1}{x} - \frac{1}{x + 1} = \frac{1}{x (x + 1)}": 3,
    r"x + y = y + x": 1,
    r"\frac{x^2 - y^2}{x - y} = x + y": 2,
    r"\frac{x^3}{y^2} \frac{y}{x} = \frac{x^2}{y}": 5,
    r"\begin{bmatrix} x \\ \frac{1}{y} \end{bmatrix} = \begin{bmatrix} x \\ \frac{x}{x y} \end{bmatrix}": 2,
    r"2 x = x + x, \quad \frac{x}{y} + 1 = \frac{x + y}{y}": 2,
    r"\frac{x}{y} + 1 = \frac{x + y}{y}, \quad 2 x = x + x": 2,
    r"x \cos u = \frac{x}{y} y \cos u": 4,
}


@pytest.mark.parametrize("points", [2, 3])
@pytest.mark.parametrize("line", TOLD)
def test_the_chance_that_is_told_is_the_true_one_at_least(line, points):
    """(degree / size)^points, and it is told as the next power of ten above: neither less, nor more than ten times as much."""
    how = check(line, {"x": x, "y": y, "u": u}, points=points).how
    ((degree, exponent),) = (
        map(int, x) for x in re.findall(r"degree (\d+) in these passes with a chance below 1e-(\d+)$", how)
    )
    assert f"equal as fractions at {points} random points" in how
    assert degree >= TOLD[line]
    risk = (Fraction(degree, 2**48)) ** points
    assert risk < Fraction(1, 10**exponent) <= 10 * risk
    assert SIZE == 2**48


def test_one_point_is_no_proof():
    """Two are taken then."""
    assert "at 2 random points" in check("x y = y x + 0", {"x": x, "y": y}, points=1).how


def test_a_chance_is_no_more_than_one():
    """Where the degree is larger than the set of numbers, nothing is known."""
    assert math.isclose(chance(2 * SIZE, 3), 1.0)
    assert math.isclose(chance(SIZE // 4, 3), 1 / 64)


def test_names_of_the_same_value_may_collide():
    """Functions of arguments are told apart by their values: the more are known, the more may be equal by chance."""
    point = ExactPoint()
    for function in (sp.log(x / y), sp.log(x + 1), sp.exp(y)):
        point.number(function)
    # x / y beside x, y; x + 1 beside these and the first; y beside all five: at least one pair each
    assert point.blind and point.collisions >= 2 * 2 + 3 + 4
    assert not ExactPoint().collisions


def test_what_has_no_value_is_no_zero():
    """Over a zero nothing is decided, and of what a letter is large or small decides nothing."""
    with pytest.raises(Inexact, match="a denominator is zero"):
        Exact.of(1) / Exact.of(0)
    letter = ExactPoint().number(x)
    for action in (lambda: letter < 3, lambda: abs(letter), lambda: int(letter), lambda: 2 ** Exact.of(3) ** letter):
        with pytest.raises(Inexact, match="what depends on the size of a letter"):
            action()
