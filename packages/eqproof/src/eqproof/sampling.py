"""Where an equation is tried: random points that its whole text chooses; what lies behind kinks, `crossings` finds."""

import hashlib
import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any

import mpmath
import sympy

from eqproof import tree
from eqproof.errors import ProofError
from eqproof.points import AGREE, DIGITS, Point, sizes
from eqproof.relations import is_space
from eqproof.statement import Statement
from eqproof.subscripts import Indices

WIDE = 6  # the powers of ten up to which an inequality is tried
KINKED = 2  # the powers of ten up to which an equation with a kink is tried
SIGNS = 12  # points at which an equation with a root is tried: \sqrt{x^2} is x at every second one
KINKS = {
    "max",
    "min",
    "sign",
    "arcosh",
    "arccosh",
    "acosh",
    *(f"{arc}{name}" for arc in ("a", "arc") for name in ("sin", "cos", "tan", "tan2")),
}
NO_VALUE = (ProofError, ArithmeticError, ValueError, TypeError, AttributeError, NotImplementedError)


def salt_of(text: str) -> str:
    """Return what makes the random points of a text its own: no name of a letter has luck in two texts."""
    return hashlib.sha256("".join(text.split()).encode()).hexdigest()[:12]


def may_be(letter: sympy.Symbol, value: Any) -> bool:
    """Tell whether a letter may have a value by the signs that are assumed of it: no length is negative."""
    if value == 0:
        return letter.is_zero is not False
    return not (letter.is_nonpositive if value > 0 else letter.is_nonnegative)


def has_kinked_power(claims: tree.Claims) -> bool:
    r"""Tell whether a root or a power such as x^{1/2} or x^{1.5} stands in claims, of which one of two values is printed."""
    return any(
        isinstance(x, tree.Root) or (isinstance(x, tree.Power) and any(map(is_broken, tree.walk(x.exponent))))
        for x in tree.walk(claims)
    )


def is_broken(part: tree.Node) -> bool:
    """Tell whether a part of an exponent makes it no whole number: a fraction, or a number with decimals."""
    return isinstance(part, tree.Fraction | tree.Binary) or (isinstance(part, tree.Number) and "." in part.text)


def has_kinks(claims: tree.Claims) -> bool:
    """Tell whether what stands in claims may be one expression here and another one there: |x|, max(x, y), cases."""
    nodes = list(tree.walk(claims))
    return any(isinstance(x, tree.Bars | tree.Cases) or (isinstance(x, tree.Call) and x.name in KINKS) for x in nodes)


def points_for(statement: Statement) -> list[Point]:
    """Return the random points for a claim: more of them, and of more sizes, where it holds a root, a kink or an order."""
    claims = statement.claims
    salt = salt_of(statement.text)
    exact = statement.tolerance is None  # of values that are known to few digits, no kink is looked for
    computed = exact and not statement.ordered and computes_kinks(statement, salt)
    wide = WIDE if statement.ordered else KINKED if exact and (has_kinks(claims) or computed) else 0
    rooted = exact and (computed or has_kinked_power(claims))
    seeds = [(seed, 0) for seed in range(max(statement.points, SIGNS) if rooted else statement.points)]
    seeds += [(seed, wide) for seed in range(sizes(wide) if wide else 0)]
    return [Point(seed, wide=width, salt=salt) for seed, width in seeds]


def computes_kinks(statement: Statement, salt: str) -> bool:
    """Tell whether |x|, a root or the like is computed where claims are evaluated: it may stand in what letters are bound to."""
    point = Point(salt=salt)
    sides = [side for chain in statement.claims.chains for side in chain.sides if not is_space(side)]
    with mpmath.workdps(AGREE):
        for at in statement.every:
            evaluation = statement.evaluation(at, point)
            for side in sides:
                with suppress(ProofError, ArithmeticError):
                    evaluation(side)
    return point.kinked


def points_at_zero(point: Point) -> list[Point]:
    """Return points at which letters that were drawn at this one are 0, if they may be, or of size 1: all, or some by lot."""
    rng = random.Random(point.seed)
    letters = sorted(point.drawn, key=str)
    zero = [x for x in letters if x.is_zero is None]
    some = [rng.sample(zero, rng.randint(0, len(zero))) for _ in range(2)]
    one = {x: -1 if x.is_negative else 1 for x in letters}
    every = [*(dict.fromkeys(x, 0) for x in (zero, *some)), one, *(one | dict.fromkeys(x, 0) for x in some)]
    ways = [({x: mpmath.mpf(k) for x, k in given.items()}, point.wide * (i % 2)) for i, given in enumerate(every)]
    return [Point(point.seed, given, wide, point.salt) for given, wide in ways if given]


def points_on_edges(statement: Statement, indices: Indices, point: Point) -> Iterator[Point]:
    """Yield the points where a letter in a condition of cases is what it is compared with: one case alone must hold there."""
    symbolic = statement.evaluation(indices)
    cases = [node for node in tree.walk(statement.claims) if isinstance(node, tree.Cases)]
    conditions = [x for node in cases for _, x in node.rows if isinstance(x, tree.Chain)]
    for sides in dict.fromkeys(pair for chain in conditions for pair in pairwise(chain.sides)):
        for letter, limit in (map(symbolic, sides), map(symbolic, sides[::-1])):
            if isinstance(letter, sympy.Symbol):
                with mpmath.workdps(DIGITS):
                    value = point.anew().number(limit)
                if may_be(letter, value):
                    yield Point(point.seed, {letter: value}, point.wide, point.salt)
