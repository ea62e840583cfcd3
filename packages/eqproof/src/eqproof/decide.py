"""Decides a claim: both sides of each relation, at several random points, in more digits than a wrong sign could hide in."""

import itertools
import math
import random
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from types import NoneType
from typing import Any

import mpmath
import numpy as np
import sympy

from eqproof import algebra, tree
from eqproof.bindings import Bindings
from eqproof.calculus import SPELLINGS
from eqproof.errors import ProofError, WrongShape
from eqproof.evaluate import Evaluation, Fractions, Numbers
from eqproof.exact import Exact, ExactPoint, Finer, Inexact, chance
from eqproof.parser import parse
from eqproof.points import DIGITS, Point, sizes

AGREE = 30  # digits in which two sides must agree
ROUNDING = 1e-9  # of floats that are bound: sides that differ by less are equal
# where: add a grade of proofs
# from the strongest to the weakest; its sign and word in `MARKS` of `eqproof/sphinx.py`
GRADES = ("proven", "checked", "compared")  # from the strongest to the weakest
STRICT = {r"\le": "<", r"\ge": ">"}
LOOSE = {r"\le", r"\ge", r"\succeq", r"\preceq", r"\approx"}  # what equal sides fulfill as well
WIDE, KINKED = 6, 2  # the powers of ten up to which an inequality, and an equation with a kink, is tried
SIGNS = 12  # points at which an equation with a root is tried: \sqrt{x^2} is x at every second one
CLOSED = re.compile(r"\\begin\s*\{[^{}]*\}(?:(?!\\begin|\\end).)*\\end\s*\{[^{}]*\}", re.DOTALL)  # the innermost
KINKS = {"max", "min", "sign", *(f"{arc}{name}" for arc in ("a", "arc") for name in ("sin", "cos", "tan", "tan2"))}


@dataclass(frozen=True)
class Verdict:
    """What a check found: whether the claim holds, in which grade, and how; or the sentence that tells why it does not.

    grade: "proven" (equal in exact fractions at random points: the chance of a false equation to pass is told),
    "checked" (in digits, at random points), "compared" (with a tolerance, which is told), or "false".
    """

    holds: bool
    grade: str
    how: str

    def __bool__(self) -> bool:
        return self.holds

    @property
    def proven(self) -> bool:
        """Whether it is proven in exact numbers, not only checked in digits."""
        return self.grade == "proven"


def check(
    text: str,
    bindings: dict[str, Any] | Bindings,
    each: dict[str, int | range] | list[dict[str, int]] | None = None,
    points: int = 2,
    tolerance: float | None = None,
    label: str | None = None,
) -> Verdict:
    r"""Return the Verdict on a text of LaTeX, or raise the ProofError that says what cannot be read or is not bound.

    bindings: {LaTeX of a symbol: what it stands for}, see `eqproof.bindings`; each: free indices, {"k": 3} for
    k = 1..3, or a list of {"k": 1, "i": 2}: the claim must hold for all of them; tolerance: relative, for values that
    are known to few digits only (what a printed decimal behind \approx claims needs none).
    """
    every = places(each)
    verdict = decide(text, bindings, every, points, tolerance, label)
    return replace(verdict, how=verdict.how + tried(every)) if verdict else verdict


def decide(text, bindings, every, points=2, tolerance=None, label=None):
    """Return the Verdict of check for a list of values of the free indices, which it does not tell."""
    if points < 1:
        raise ProofError(f"a claim must be tried at one point at least, got points={points}", label=label)
    claims = parse(text, label)
    bindings = bindings if isinstance(bindings, Bindings) else Bindings(bindings)
    try:
        for chain in claims.chains:
            if not chain.relations:
                raise ProofError("this claims nothing: there is no relation in it", place=chain.span[0])
            vacuous(chain, bindings)
        verdict = exactly(claims, bindings, every, points) if tolerance is None else None
        if not verdict:  # false, or not decided; values in digits tell more than fractions do
            digital = in_digits(claims, text, bindings, every, points, tolerance)
            verdict = digital if verdict is None or not digital else verdict
    except ProofError as error:
        raise error.at(text, label=label) from None
    return verdict


def tried(every):
    """Return in words the values of the indices that were tried."""
    if not every[0]:
        return ""
    if len(every) > 1 and len(every[0]) > 1 and len(every) < 7:
        return "; for " + ", ".join(f"({', '.join(f'{x} = {k}' for x, k in at.items())})" for at in every)
    values = {letter: sorted({at[letter] for at in every}) for letter in every[0]}
    return "; for " + ", ".join(f"{letter} = {', '.join(map(str, found))}" for letter, found in values.items())


def exactly(claims, bindings, every, points):
    """Return the Verdict on exact fractions, None where they cannot decide."""
    relations = {SPELLINGS.get(x, x) for chain in claims.chains for x in chain.relations}
    if not relations <= {"=", r"\in"}:
        return None
    parts = 1
    while True:
        try:
            degree = drawn = 0
            for point in (ExactPoint(seed, parts) for seed in range(max(2, points))):
                largest = 0
                for at in every:
                    found = largest_degree(claims, Evaluation(bindings, Fractions(point), at))
                    if found is None:
                        return None if point.blind else Verdict(False, "false", "the sides differ as fractions")
                    largest = max(largest, found)
                degree, drawn = max(degree, largest + point.collisions), drawn + point.drawn
            break
        except Finer as finer:
            parts = finer.part
        except (Inexact, TypeError, AttributeError, ZeroDivisionError, sympy.SympifyError):
            return None
    if not drawn:
        return Verdict(True, "proven", "equal as fractions; no letter is left free")
    risk = f"a false one of degree {degree} passes with a chance below {above(chance(degree, max(2, points)))}"
    return Verdict(True, "proven", f"equal as fractions at {max(2, points)} random points; {risk}")


def above(number):
    """Return a power of ten that is larger than a small number."""
    return f"1e{math.floor(math.log10(number)) + 1}" if number else "1e-30"


def largest_degree(claims, evaluation):
    """Return the largest degree of a difference of two sides, None as soon as one is not as claimed."""
    largest = 0
    for chain in claims.chains:
        values = [None if is_space(side) else evaluation(side) for side in chain.sides]
        for i, relation in enumerate(chain.relations):
            if relation == r"\in":
                if in_space(evaluation, chain.sides[i + 1], values[i]):
                    return None
                continue
            try:
                sides = algebra.same_size(*values[i : i + 2])
            except WrongShape:
                return None
            for x, y in zip(*(np.atleast_2d(np.asarray(side, dtype=object)).flat for side in sides)):
                difference = Exact.of(x) - y
                if difference.value != 0:
                    return None
                largest = max(largest, difference.above)
    return largest


def in_digits(claims, text, bindings, every, points, tolerance):
    """Return the Verdict of a comparison in many digits at random points."""
    order = {"<", ">", r"\le", r"\ge", r"\succ", r"\prec", r"\succeq", r"\preceq", r"\ne"}
    relations = {SPELLINGS.get(x, x) for chain in claims.chains for x in chain.relations}
    wide = WIDE if relations & order else KINKED if tolerance is None and kinked(claims) else 0
    near = (
        max(points, SIGNS) if tolerance is None and any(isinstance(x, tree.Root) for x in tree.walk(claims)) else points
    )
    seeds = [(seed, 0) for seed in range(near)] + [(seed, wide) for seed in range(sizes(wide) if wide else 0)]
    points, drawn, tried_at = len(seeds), False, [Point(seed, wide=width) for seed, width in seeds]
    for point in tried_at:
        for at in every:
            refusal = first_refusal(claims, text, bindings, at, point, tolerance)
            if refusal:
                return Verdict(False, "false", refusal)
            for edge in edges(claims, bindings, at, point):
                refusal = refusal_in(DIGITS, claims, text, bindings, at, edge, tolerance)
                if refusal:
                    return Verdict(False, "false", f"{refusal}, where one case meets the next")
            refusal = at_zero(claims, text, bindings, at, point, tolerance) if relations & order else None
            if refusal:
                return Verdict(False, "false", refusal)
        drawn |= bool(point.drawn)
    if refusal := between(claims, text, bindings, every, tried_at):
        return Verdict(False, "false", refusal)
    where = f"at {points} random points" if drawn else "where no letter is left free"
    if loose := equal_at_all(claims, bindings, every, points, drawn, tolerance):
        return Verdict(False, "false", f"the sides of {loose} are equal at all points: write =")
    if r"\approx" in relations and tolerance is None:
        return Verdict(True, "compared", f"agrees to the last printed digit {where}")
    if tolerance is not None:
        agrees = "agrees within" if relations & {"=", r"\approx"} else "holds with a margin of"
        return Verdict(True, "compared", f"{agrees} {tolerance:g} of the larger side {where}")
    where += f", of sizes from {10.0**-wide:g} to {10**wide:g}" if wide and drawn else ""
    where += ", and where letters are 0 or 1" if relations & order and drawn else ""
    if relations == {r"\ne"}:
        return Verdict(True, "checked", f"the sides differ {where}")
    if relations & order:
        return Verdict(True, "checked", f"holds with a margin {where}")
    return Verdict(True, "checked", f"{AGREE} digits agree {where}")


def at_zero(claims, text, bindings, at, point, tolerance):
    """Return the sentence on an inequality that is false where letters are 0 or 1; None without one.

    Sides that are equal in special places only, at rest or along one line, are so at no random point.
    """
    for special in zeros(point):
        where = ", ".join(f"{x} = {int(k)}" for x, k in special.values.items())
        finer = Point(special.seed, dict(special.values), special.wide)
        try:
            refusal = refusal_in(3 * DIGITS, claims, text, bindings, at, special, tolerance)
            again = refusal and refusal_in(4 * DIGITS, claims, text, bindings, at, finer, tolerance)
        except (ProofError, ZeroDivisionError):  # nothing has a value there
            continue
        if refusal and refusal == again and "not finite" not in refusal:  # what differs is rounding, and no value
            return f"{refusal}, where {where}"
    return None


def zeros(point):
    """Return points at which letters that were drawn at this one are 0, if they may be, or of size 1: all, or some by lot."""
    rng, letters = random.Random(point.seed), sorted(point.drawn, key=str)
    zero = [x for x in letters if x.is_zero is None]
    some = [rng.sample(zero, rng.randint(0, len(zero))) for _ in range(2)]
    one = {x: -1 if x.is_negative else 1 for x in letters}
    every = [*(dict.fromkeys(x, 0) for x in (zero, *some)), one, *(one | dict.fromkeys(x, 0) for x in some)]
    ways = [({x: mpmath.mpf(k) for x, k in given.items()}, point.wide * (i % 2)) for i, given in enumerate(every)]
    return [Point(point.seed, given, wide) for given, wide in ways if given]


def between(claims, text, bindings, every, points):
    r"""Return the sentence on a \ne whose sides are equal on the way from where one is larger to where the other is."""
    for chain in claims.chains:
        for i, relation in enumerate(chain.relations):
            for at in every if SPELLINGS.get(relation, relation) == r"\ne" else ():
                if cross(chain.sides[i : i + 2], bindings, at, points):
                    return f"{step(text, chain, i)}the sides agree somewhere: now one is larger, now the other"
    return None


def cross(sides, bindings, at, points):
    """Tell whether two sides that are scalars change their order without a jump: by bisection between two points."""

    def gap(point):
        with suppress(ProofError, ZeroDivisionError):
            a, b = algebra.same_size(*(Evaluation(bindings, Numbers(point), at)(side) for side in sides))
            return a - b
        return mpmath.nan

    with mpmath.workdps(2 * DIGITS):
        every = () if algebra.is_matrix(gap(points[0])) else [*points, *(x for point in points for x in zeros(point))]
        ends = {mpmath.sign(gap(x)): x.values for x in every}
        if not {-1, 1} <= ends.keys():
            return False
        less, more, share = ends[-1], ends[1], mpmath.mpf(0)
        for k in range(1, 5 * DIGITS):
            further = share + mpmath.mpf(2) ** -k
            middle = gap(Point(given={x: (1 - further) * less[x] + further * more[x] for x in points[0].drawn}))
            share = further if middle < 0 else share
        return abs(middle) < mpmath.mpf(10) ** -AGREE


def kinked(claims):
    """Tell whether what stands in claims may be one expression here and another one there: |x|, max(x, y), cases."""
    nodes = list(tree.walk(claims))
    return any(isinstance(x, tree.Bars | tree.Cases) or (isinstance(x, tree.Call) and x.name in KINKS) for x in nodes)


def edges(claims, bindings, at, point):
    """Yield the points where a letter in a condition of cases is what it is compared with: one case alone must hold there."""
    symbolic = Evaluation(bindings, at=at)
    conditions = [
        x
        for node in tree.walk(claims)
        if isinstance(node, tree.Cases)
        for _, x in node.rows
        if isinstance(x, tree.Chain)
    ]
    for sides in dict.fromkeys(pair for chain in conditions for pair in pairwise(chain.sides)):
        for letter, limit in (sides, sides[::-1]):
            letter, limit = symbolic(letter), symbolic(limit)
            if isinstance(letter, sympy.Symbol):
                with mpmath.workdps(DIGITS):
                    value = point.anew().number(limit)
                if may_be(letter, value):
                    yield Point(point.seed, {letter: value}, point.wide)


def may_be(letter, value):
    """Tell whether a letter may have a value by the signs that are assumed of it: no length is negative."""
    if value == 0:
        return letter.is_zero is not False
    return not (letter.is_nonpositive if value > 0 else letter.is_nonnegative)


def equal_at_all(claims, bindings, every, points, drawn, tolerance=None):
    r"""Return the first relation such as \le of which the sides are equal wherever they were tried, None without one.

    It is true, and it is a misprint all the same: who reads a \le b takes it that a may be less. Sides that are known to
    few digits are equal within the tolerance; an \approx is for these, if they differ by more than rounding. Where no
    letter was drawn, 1 / 2 \approx 0.5 is no slip.
    """
    loose = [
        (chain, i)
        for chain in claims.chains
        for i, x in enumerate(chain.relations)
        if SPELLINGS.get(x, x) in LOOSE
        and (drawn or x != r"\approx" or tree.printed_number(chain.sides[i + 1]) is None)
    ]
    with mpmath.workdps(DIGITS):
        for chain, i in loose:
            evaluations = (Evaluation(bindings, Numbers(Point(seed)), at) for seed in range(points) for at in every)
            near = min(tolerance, ROUNDING) if tolerance and chain.relations[i] == r"\approx" else tolerance
            if all(alike(evaluation, chain.sides[i : i + 2], near) for evaluation in evaluations):
                return chain.relations[i]
    return None


def equal_somewhere(claims, grounds):
    r"""Raise ProofError at a \le or \ge of which the sides are never equal: < or > holds as well; grounds: pairs (table, indices)."""
    loose = [
        (chain, i, strict)
        for chain in claims.chains
        for i, x in enumerate(chain.relations)
        if (strict := STRICT.get(SPELLINGS.get(x, x)))
    ]
    with mpmath.workdps(DIGITS):
        for chain, i, strict in loose:
            points = [Point(seed, wide=wide) for wide in (0, WIDE) for seed in range(SIGNS)]
            tried = ((table, point, at) for point in points for table, at in grounds)
            if not any(meet(chain.sides[i : i + 2], *place) for place in tried):
                raise ProofError(
                    f"is nowhere equal to the side before it: write {strict}, or try it where it is",
                    of=chain.sides[i + 1],
                )


def meet(sides, table, point, at):
    """Tell whether two sides are equal at a point, or where letters are 0 or 1 instead."""
    if alike(Evaluation(table, Numbers(point), at), sides, None):
        return True
    with suppress(ProofError, ZeroDivisionError):  # where there is no value, there is nothing equal
        return any(alike(Evaluation(table, Numbers(special), at), sides, None) for special in zeros(point))
    return False


def alike(evaluation, sides, tolerance):
    """Tell whether two sides are equal in all entries."""
    a, b = map(evaluation, sides)
    b = algebra.AnySize(0) if not algebra.is_matrix(b) and b == 0 else b
    return compare(evaluation, "=", sides, (a, b), tolerance) is None


def places(each, n=None):
    """Return a list of {letter: number} of the free indices: "z k" is 1..n for each, {"k": 3} is 1..3; or the list itself."""
    if callable(each):
        each = each(n)
    if isinstance(each, str):
        each = dict.fromkeys(each.split(), n)
    if isinstance(each, dict):
        if not all(isinstance(k, int | range) for k in each.values()):
            raise ProofError(f"free indices need their numbers, such as {{'k': 3}}, or the sizes n; got {each!r}")
        ranges = [range(1, k + 1) if isinstance(k, int) else k for k in each.values()]
        each = [dict(zip(each, numbers)) for numbers in itertools.product(*ranges)]
    return list(each or [{}])


def vacuous(chain, bindings):
    """Refuse two neighbors that are one text, or two names for one bound object: such an equation says nothing."""
    for a, b in pairwise(map(bare, chain.sides)):
        if a == b:
            raise ProofError("stands on both sides: this says nothing", of=b)
        one, other = bindings.given.get(a), bindings.given.get(b)
        if one is other and not isinstance(one, NoneType | int | sympy.Atom):
            raise ProofError("both sides are bound to the same object: this proves nothing", place=b.span[0])


def bare(side):
    """Return a side without brackets around all of it, or the brackets of a matrix of one entry."""
    while isinstance(side, tree.Group | tree.Matrix) and len(inside := contents(side)) == 1:
        side = inside[0]
    return side


def contents(side):
    """Return what stands in round brackets, or the entries of a matrix."""
    if isinstance(side, tree.Matrix):
        return [entry for row in side.rows for entry in row]
    return side.items if side.bracket == "(" else ()


def step(text, chain, i):
    """Return in words which step of a chain is meant, nothing if it has one step only."""
    if len(chain.relations) == 1:
        return ""
    rows = [line_of(text, side.span[0]) for side in chain.sides]
    if rows[i] == rows[i + 1]:
        return f"side {i + 2} does not follow from side {i + 1}: "
    return f"line {rows[i + 1]} does not follow from line {rows[i]}: "


def line_of(text, place):
    """Return in which line of a display a place is, from one; the rows of a matrix or of cases before it are no lines."""
    before = text[:place]
    while (outside := CLOSED.sub("", before)) != before:
        before = outside
    return before.count(r"\\") + 1


def first_refusal(claims, text, bindings, at, point, tolerance):
    """Return the sentence on the first relation that fails at a point, None if all hold.

    Without a tolerance so many digits are taken that no rounding, where large terms cancel, is as large as what is refused.
    """
    places = DIGITS if tolerance is not None else 3 * DIGITS
    return refusal_in(places, claims, text, bindings, at, point, tolerance)


def refusal_in(places, claims, text, bindings, at, point, tolerance):
    """Return the sentence on the first relation that fails at a point, in so many digits, None if all hold."""
    with mpmath.workdps(places):
        evaluation = Evaluation(bindings, Numbers(point), at)
        for chain in claims.chains:
            values = [None if is_space(side) else evaluation(side) for side in chain.sides]
            for i, relation in enumerate(chain.relations):
                relation = SPELLINGS.get(relation, relation)
                why = compare(evaluation, relation, chain.sides[i : i + 2], values[i : i + 2], tolerance)
                if why:
                    index = "".join(f", {letter} = {k}" for letter, k in at.items())
                    return f"{step(text, chain, i)}{why}{index}"
    return None


def compare(evaluation, relation, sides, values, tolerance):
    """Return why a relation fails, None if it holds."""
    if relation == r"\in":
        return in_space(evaluation, sides[1], values[0])
    if relation in (r"\succ", r"\succeq", r"\prec", r"\preceq"):
        return definite(relation, *values)
    try:
        a, b = algebra.same_size(*values)
    except WrongShape as error:
        return error.sentence
    a, b = (x if isinstance(x, np.ndarray) else np.array([[x]], dtype=object) for x in (a, b))
    same = True
    for place in np.ndindex(a.shape):
        x, y = a[place], b[place]
        where = f" in entry ({place[0] + 1}, {place[1] + 1})" if a.size > 1 else ""
        if not all(mpmath.isfinite(v) for v in (x, y)):
            return f"a side is not finite{where}"
        if relation in ("=", r"\approx", r"\ne"):
            allowed = rounding() if tolerance is None else mpmath.mpf(tolerance)
            allowed *= max(1, abs(x), abs(y))
            if relation == r"\approx" and tolerance is None:
                allowed = last_digit(sides[1]) / 2
            agree = abs(x - y) <= allowed
            same &= agree
            if not agree and relation != r"\ne":
                return f"the sides differ{where}: {digits(x)} on the left, {digits(y)} on the right"
        elif not ordered(relation, x, y, tolerance, 0 if evaluation.world.point.wide else rounding()):
            return f"{digits(x)} {relation} {digits(y)} is false{where}"
    return f"the sides agree{f': {digits(x)}' if a.size == 1 else ''}" if same and relation == r"\ne" else None


def ordered(relation, x, y, tolerance, least):
    """Tell whether x < y and the like holds with a margin, which equal sides do not have, of at least so much."""
    margin = mpmath.mpf(tolerance or mpmath.mpf(10) ** -AGREE) * max(abs(x), abs(y))
    gap = x - y if relation in (">", r"\ge") else y - x
    return gap > max(margin, least) if relation in ("<", ">") else gap >= -max(margin, rounding())


def rounding():
    """Return what is rounding in as many digits as are used now: the same share of them, for large terms may cancel."""
    return mpmath.mpf(10) ** (-AGREE * mpmath.mp.dps / DIGITS)


def digits(x):
    """Return a number in few digits; what is rounding noise is 0."""
    return mpmath.nstr(mpmath.chop(mpmath.mpf(x), rounding()), 6)


def last_digit(side):
    r"""Return the unit of the last digit of a printed number, of which an \approx may be half a unit wrong."""
    number = tree.printed_number(side)
    if number is None:
        raise ProofError(r"\approx needs a number on its right, or a stated tolerance", place=side.span[0])
    return mpmath.mpf(10) ** -len(number.text.partition(".")[2])


def is_space(side):
    r"""Tell whether a side is \mathbb R^n."""
    base = side.base if isinstance(side, tree.Power) else side
    return base == tree.Symbol("R", "mathbb")


def in_space(evaluation, side, value):
    r"""Return why a value is not in \mathbb R^{n \times m}, None if it is."""
    if not is_space(side):
        raise ProofError(r"\in is read with \mathbb R^n or \mathbb R^{n \times m} only", place=side.span[0])
    exponent = side.exponent if isinstance(side, tree.Power) else tree.Number("1")
    sizes = (exponent.left, exponent.right) if isinstance(exponent, tree.Binary) else (exponent,)
    claimed = (*(evaluation.integer(x, "a size") for x in sizes), 1)[:2]
    shape = value.shape if isinstance(value, np.ndarray) else (1, 1)
    return None if shape == claimed else f"the size is {shape[0]} x {shape[1]}, not {claimed[0]} x {claimed[1]}"


def definite(relation, a, b):
    """Return why a - b is not definite as claimed, None if it is."""
    b = algebra.AnySize(0) if not algebra.is_matrix(b) and b == 0 else b
    a, b = algebra.same_size(a, b)  # two identities are as their factors
    difference = b - a if "prec" in relation else a - b
    matrix = mpmath.matrix(difference.tolist() if isinstance(difference, np.ndarray) else [[difference]])
    if mpmath.mnorm(matrix - matrix.T) > mpmath.mpf(10) ** -AGREE:
        return "the matrix is not symmetric"
    lowest = min(mpmath.eigsy(matrix, eigvals_only=True))
    small = mpmath.mpf(10) ** -AGREE
    good = lowest >= -small if "eq" in relation else lowest > small
    return None if good else f"an eigenvalue is {digits(lowest)}"
