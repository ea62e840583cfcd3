"""Decides a claim: both sides of each relation, at several random points, in more digits than a wrong sign could hide in."""

import itertools
import random
import re
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import sympy

from eqproof import algebra, tree
from eqproof.bindings import Bindings
from eqproof.calculus import SPELLINGS
from eqproof.crossings import beyond_kinks
from eqproof.errors import NoCase, NotDecided, ProofError, WrongShape
from eqproof.evaluate import Evaluation, Fractions, Numbers
from eqproof.exact import Exact, ExactPoint, Finer, Inexact, chance
from eqproof.inequalities import WIDE, lowest_points, proof_of
from eqproof.parser import parse
from eqproof.points import DIGITS, Point, sizes
from eqproof.rates import refuse_still_rates
from eqproof.relations import AGREE, compare, digits, in_space, is_space, same_size
from eqproof.sampling import has_kinked_power, may_be, salt_of
from eqproof.vacuity import refuse_vacuous, trivial_side
from eqproof.verdict import Grade, Verdict, false

ROUNDING = 1e-9  # of floats that are bound: sides that differ by less are equal
STRICT = {r"\le": "<", r"\ge": ">"}
LOOSE = {r"\le", r"\ge", r"\succeq", r"\preceq", r"\approx"}  # what equal sides fulfill as well
KINKED = 2  # the powers of ten up to which an equation with a kink is tried
SIGNS = 12  # points at which an equation with a root is tried: \sqrt{x^2} is x at every second one
ORDERED = {"<", ">", r"\le", r"\ge", r"\succ", r"\prec", r"\succeq", r"\preceq", r"\ne"}
CLOSED = re.compile(r"\\begin\s*\{[^{}]*\}(?:(?!\\begin|\\end).)*\\end\s*\{[^{}]*\}", re.DOTALL)  # the innermost
KINKS = {
    "max",
    "min",
    "sign",
    "arcosh",
    "arccosh",
    "acosh",
    *(f"{arc}{name}" for arc in ("a", "arc") for name in ("sin", "cos", "tan", "tan2")),
}


def check(
    text: str,
    bindings: dict[str, Any] | Bindings,
    each: dict[str, int | range] | list[dict[str, int]] | None = None,
    points: int = 2,
    tolerance: float | None = None,
    label: str | None = None,
    trivial: bool = False,
) -> Verdict:
    r"""Return the Verdict on a text of LaTeX, or raise the ProofError that says what cannot be read or is not bound.

    bindings: {LaTeX of a symbol: what it stands for}, see `eqproof.bindings`; each: free indices, {"k": 3} for
    k = 1..3, or a list of {"k": 1, "i": 2}: the claim must hold for all of them; tolerance: relative, for values that
    are known to few digits only (what a printed decimal behind \approx claims needs none); trivial: a claim that is
    true by its form alone, such as a = a + 0, is asked for, and is refused without this.
    """
    every = places(each)
    table = bindings if isinstance(bindings, Bindings) else Bindings(bindings)
    try:
        refuse_still_rates(parse(text, label), [(table, at) for at in every])
        verdict = decide(text, table, every, points, tolerance, label, trivial)
    except ProofError as error:
        raise error.at(text, label=label) from None
    return replace(verdict, tried=verdict.tried + tried(every)) if verdict else verdict


def decide(
    text: str,
    bindings: Bindings,
    every: list[dict],
    points: int = 2,
    tolerance: float | None = None,
    label: str | None = None,
    trivial: bool | None = False,
) -> Verdict:
    """Return the Verdict of check for a list of values of the free indices, which it does not tell.

    What fails inside is a ProofError that says so: nothing is decided then. trivial: None lets a trivial claim pass.
    """
    if points < 1:
        raise ProofError(f"a claim must be tried at one point at least, got points={points}", label=label)
    claims = parse(text, label)
    bindings = bindings if isinstance(bindings, Bindings) else Bindings(bindings)
    try:
        for chain in claims.chains:
            if not chain.relations:
                raise ProofError("this claims nothing: there is no relation in it", place=chain.span[0])
            if not trivial:
                refuse_vacuous(chain, bindings)
        verdict = exactly(claims, text, bindings, every, points) if tolerance is None else None
        if not verdict:  # false, or not decided; values in digits tell more than fractions do
            digital = in_digits(claims, text, bindings, every, points, tolerance)
            verdict = digital if verdict is None or not digital else verdict
        if not verdict:
            refuse_conditions(claims, text, bindings, every, points)
        return judged_form(verdict, claims, trivial)
    except ProofError as error:
        raise error.at(text, label=label) from None
    except Exception as error:  # whatever it is: neither true nor false
        raise NotDecided(f"is not decided: {type(error).__name__}: {error}", text, 0, label) from error


def judged_form(verdict, claims, trivial):
    """Return the Verdict, of the grade "trivial" where that was asked for; raise ProofError where one is and the other not."""
    side = trivial_side(claims) if verdict else None
    if side is not None and trivial is False:
        raise ProofError(
            "is the side before it by its form alone: this says nothing, or ask for it, trivial=True", of=side
        )
    if trivial and verdict and side is None:
        raise ProofError("this is not true by its form alone: leave out trivial=True", place=claims.span[0])
    return replace(verdict, grade=Grade.TRIVIAL) if side is not None else verdict


def refuse_conditions(claims, text, bindings, every, points):
    r"""Raise ProofError where a display of several claims is false for a condition in it: \ldots, \qquad x > 0."""
    for chain in claims.chains if len(claims.chains) > 1 else ():
        if len(chain.sides) != 2 or tree.printed_number(chain.sides[1]) is None:
            continue
        bound = [Evaluation(bindings, at=at).look(x) for at in every if isinstance(x := chain.sides[0], tree.Symbol)]
        alone, free = replace(claims, chains=(chain,)), all(isinstance(x, sympy.Symbol) for x in bound)
        if bound and free and not in_digits(alone, text, bindings, every, points, None):
            rest = "and no claim: bind it to a letter of this sign, or say it in the text"
            raise ProofError(f"is a condition on a letter that is free, {rest}", of=chain)


def tried(every):
    """Return in words the values of the indices that were tried."""
    if not every[0]:
        return ""
    if len(every) > 1 and len(every[0]) > 1 and len(every) < 7:
        return "; for " + ", ".join(f"({', '.join(f'{x} = {k}' for x, k in at.items())})" for at in every)
    values = {letter: sorted({at[letter] for at in every}) for letter in every[0]}
    return "; for " + ", ".join(f"{letter} = {', '.join(map(str, found))}" for letter, found in values.items())


def exactly(claims, text, bindings, every, points):
    """Return the Verdict on exact fractions, None where they cannot decide."""
    relations = {SPELLINGS.get(x, x) for chain in claims.chains for x in chain.relations}
    if not relations <= {"=", r"\in"}:
        return None
    parts, points = 1, max(2, points)
    while True:
        try:
            degree, letters = 0, 0
            for point in (ExactPoint(seed, parts, salt_of(text)) for seed in range(points)):
                largest = 0
                for at in every:
                    found = largest_degree(claims, Evaluation(bindings, Fractions(point), at))
                    if found is None:
                        return None if point.blind else false("the sides differ as fractions")
                    largest = max(largest, found)
                degree, letters = max(degree, largest + point.collisions), max(letters, point.drawn)
            break
        except Finer as finer:
            parts = finer.part
        except (Inexact, TypeError, AttributeError, ZeroDivisionError, sympy.SympifyError):
            return None
    relation = "member" if relations == {r"\in"} else "equal"
    grade = Grade.PROVEN if letters and relation == "equal" else Grade.COMPUTED
    return Verdict(
        grade,
        relation=relation,
        exact=True,
        points=points,
        letters=letters,
        degree=degree,
        chance=chance(degree, points),
    )


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
                sides = same_size(values[i : i + 2], chain.sides[i : i + 2])
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
    relations = {SPELLINGS.get(x, x) for chain in claims.chains for x in chain.relations}
    ordered = bool(relations & ORDERED)
    tried_at = sample(claims, text, bindings, every, points, tolerance, ordered)
    drawn: list[sympy.Basic] = []
    for point in tried_at:
        if refusal := refusal_at(point, claims, text, bindings, every, tolerance, ordered):
            return false(refusal)
        drawn = drawn or point.drawn
    if refusal := between(claims, text, bindings, every, tried_at):
        return false(refusal)
    refusal, missed = beyond(claims, text, bindings, every, tried_at, ordered) if tolerance is None else ("", [])
    if refusal:
        return false(refusal)
    if loose := equal_at_all(claims, bindings, every, points, bool(drawn), tolerance):
        return false(f"the sides of {loose} are equal at all points: write =")
    proof = ""
    if tolerance is not None or r"\approx" in relations:
        grade = Grade.COMPARED
    elif not drawn:
        grade = Grade.COMPUTED
    elif ordered:
        proof = proof_of(claims, [Evaluation(bindings, at=at) for at in every])
        grade = Grade.PROVEN if proof else Grade.SAMPLED
    else:
        grade = Grade.SAMPLED if missed else Grade.CHECKED
    return Verdict(
        grade,
        points=len(tried_at),
        letters=len(drawn),
        relation=kind_of(relations),
        log10_range=tried_at[-1].wide,
        special=ordered,
        tolerance=tolerance,
        digits=AGREE,
        proof=proof,
        missed="; ".join(missed) if not proof else "",
    )


def kind_of(relations):
    """Return of which kind the relations of a claim are, as the record of a verdict names it."""
    if r"\approx" in relations:
        return "rounded"
    return "different" if relations == {r"\ne"} else "ordered" if relations & ORDERED else "equal"


def sample(claims, text, bindings, every, points, tolerance, ordered):
    """Return the random points for a claim: more of them, and of more sizes, where it holds a root, a kink or an order."""
    salt = salt_of(text)
    kinked_value = tolerance is None and not ordered and computes_kinks(claims, bindings, every, salt)
    wide = WIDE if ordered else KINKED if tolerance is None and (kinked(claims) or kinked_value) else 0
    rooted = tolerance is None and (kinked_value or has_kinked_power(claims))
    seeds = [(seed, 0) for seed in range(max(points, SIGNS) if rooted else points)]
    seeds += [(seed, wide) for seed in range(sizes(wide) if wide else 0)]
    return [Point(seed, wide=width, salt=salt) for seed, width in seeds]


def computes_kinks(claims, bindings, every, salt):
    """Tell whether |x|, a root or the like is computed where claims are evaluated: it may stand in what letters are bound to."""
    point = Point(salt=salt)
    with mpmath.workdps(AGREE):
        for at in every:
            evaluation = Evaluation(bindings, Numbers(point), at)
            for side in (side for chain in claims.chains for side in chain.sides if not is_space(side)):
                with suppress(ProofError, ArithmeticError):
                    evaluation(side)
    return point.kinked


def refusal_at(point, claims, text, bindings, every, tolerance, ordered):
    """Return the sentence on what is false at a random point, where cases meet, or where letters are 0 or 1; None without one."""
    for at in every:
        refusal = first_refusal(claims, text, bindings, at, point, tolerance)
        if refusal:
            return refusal
        for edge in edges(claims, bindings, at, point):
            refusal = refusal_in(DIGITS, claims, text, bindings, at, edge, tolerance)
            if refusal:
                return f"{refusal}, where one case meets the next"
        refusal = at_zero(claims, text, bindings, at, point, tolerance) if ordered else None
        if refusal:
            return refusal
    return None


def beyond(claims, text, bindings, every, points, ordered):
    """Return (the sentence on what is false behind a kink, or where an inequality is nearest to be false; the kinks that were missed)."""
    around = any(x.kinked for x in points) or kinked(claims) or has_kinked_power(claims)
    missed: list[str] = []
    for at in every:
        evaluation = Evaluation(bindings, at=at)
        found, left = beyond_kinks(claims, evaluation, points) if around else ([], [])
        missed += left
        found += lowest_points(claims, evaluation, points) if ordered else []
        for point in found:
            given = {x: value for x, value in point.values.items() if isinstance(x, sympy.Basic)}
            if refusal := refused_twice(claims, text, bindings, at, point, given, None):
                where = ", ".join(f"{x} = {digits(value)}" for x, value in given.items())
                return f"{refusal}, where {where}", []
    return "", list(dict.fromkeys(missed))


def refused_twice(claims, text, bindings, at, point, given, tolerance):
    """Return the sentence on what is false at a special point in so many digits and in more; None where it is rounding.

    Where nothing has a value, nothing is false, but for cases, of which one must hold.
    """
    finer = Point(point.seed, dict(given), point.wide, point.salt)
    try:
        refusal = refusal_in(3 * DIGITS, claims, text, bindings, at, point, tolerance)
        again = refusal and refusal_in(4 * DIGITS, claims, text, bindings, at, finer, tolerance)
    except NoCase:
        raise
    except (ProofError, ZeroDivisionError):  # nothing has a value there
        return None
    return refusal if refusal and refusal == again and "not finite" not in refusal else None


def at_zero(claims, text, bindings, at, point, tolerance):
    """Return the sentence on an inequality that is false where letters are 0 or 1; None without one.

    Sides that are equal in special places only, at rest or along one line, are so at no random point.
    """
    for special in zeros(point):
        where = ", ".join(f"{x} = {int(k)}" for x, k in special.values.items())
        if refusal := refused_twice(claims, text, bindings, at, special, special.values, tolerance):
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
    return [Point(point.seed, given, wide, point.salt) for given, wide in ways if given]


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
                    yield Point(point.seed, {letter: value}, point.wide, point.salt)


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
        if SPELLINGS.get(x, x) in LOOSE and (drawn or x != r"\approx" or all(map(lacks_number, chain.sides[i : i + 2])))
    ]
    with mpmath.workdps(DIGITS):
        for chain, i in loose:
            evaluations = (Evaluation(bindings, Numbers(Point(seed)), at) for seed in range(points) for at in every)
            near = min(tolerance, ROUNDING) if tolerance and chain.relations[i] == r"\approx" else tolerance
            if all(alike(evaluation, chain.sides[i : i + 2], near) for evaluation in evaluations):
                return chain.relations[i]
    return None


def lacks_number(side):
    """Tell whether a side is no printed number."""
    return tree.printed_number(side) is None


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
