"""Decides a claim: both sides of each relation, at several random points, in more digits than a wrong sign could hide in."""

import itertools
from dataclasses import dataclass
from types import NoneType
from typing import Any

import mpmath
import numpy as np
import sympy

from eqproof import algebra, tree
from eqproof.bindings import Bindings
from eqproof.calculus import RELATIONS, SPELLINGS
from eqproof.errors import ProofError, WrongShape
from eqproof.evaluate import Evaluation, Numbers
from eqproof.parser import parse
from eqproof.points import DIGITS, Point

AGREE = 30  # digits in which two sides must agree


@dataclass(frozen=True)
class Verdict:
    """What a check found: proven, and how; or refused, and the sentence that tells why."""

    proven: bool
    how: str

    def __bool__(self) -> bool:
        return self.proven


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
    claims = parse(text, label)
    bindings = bindings if isinstance(bindings, Bindings) else Bindings(bindings)
    every = places(each)
    try:
        for chain in claims.chains:
            if not chain.relations:
                raise ProofError("this claims nothing: there is no relation in it", place=chain.span[0])
            vacuous(chain, bindings)
        for at in every:
            for seed in range(points):
                refusal = first_refusal(claims, text, bindings, at, seed, tolerance)
                if refusal:
                    return Verdict(False, refusal)
    except ProofError as error:
        raise error.at(text, label=label) from None
    letters = f", for every {', '.join(every[0])}" if every[0] else ""
    return Verdict(True, f"{AGREE} digits agree at {points} random points{letters}")


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
    for a, b in zip(chain.sides, chain.sides[1:]):
        if a == b:
            raise ProofError("stands on both sides: this says nothing", of=b)
        if isinstance(a, tree.Symbol) and isinstance(b, tree.Symbol):
            one, other = bindings.given.get(a), bindings.given.get(b)
            if one is other and not isinstance(one, NoneType | int | sympy.Atom):
                raise ProofError("both sides are bound to the same object: this proves nothing", place=b.span[0])


def first_refusal(claims, text, bindings, at, seed, tolerance):
    """Return the sentence on the first relation that fails at a point, None if all hold."""
    with mpmath.workdps(DIGITS):
        evaluation = Evaluation(bindings, Numbers(Point(seed)), at)
        for chain in claims.chains:
            values = [None if is_space(side) else evaluation(side) for side in chain.sides]
            for i, relation in enumerate(chain.relations):
                relation = SPELLINGS.get(relation, relation)
                why = compare(evaluation, relation, chain.sides[i : i + 2], values[i : i + 2], tolerance)
                if why:
                    index = "".join(f", {letter} = {k}" for letter, k in at.items())
                    which = f" in relation {i + 1} of {len(chain.relations)}" if len(chain.relations) > 1 else ""
                    return f"{why}{which}{index}"
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
    for place in np.ndindex(a.shape):
        x, y = a[place], b[place]
        where = f" in entry ({place[0] + 1}, {place[1] + 1})" if a.size > 1 else ""
        if not all(mpmath.isfinite(v) for v in (x, y)):
            return f"a side is not finite{where}"
        if relation in ("=", r"\approx", r"\ne"):
            allowed = mpmath.mpf(10) ** -AGREE if tolerance is None else mpmath.mpf(tolerance)
            allowed *= max(1, abs(x), abs(y))
            if relation == r"\approx" and tolerance is None:
                allowed = last_digit(sides[1]) / 2
            agree = abs(x - y) <= allowed
            if agree and relation == r"\ne":
                return f"the sides agree{where}: {digits(x)}"
            if not agree and relation != r"\ne":
                return f"the sides differ{where}: {digits(x)} on the left, {digits(y)} on the right"
        elif not RELATIONS[relation](x, y):
            return f"{digits(x)} {relation} {digits(y)} is false{where}"
    return None


def digits(x):
    """Return a number in few digits; what is rounding noise is 0."""
    return mpmath.nstr(mpmath.chop(mpmath.mpf(x), mpmath.mpf(10) ** -AGREE), 6)


def last_digit(side):
    r"""Return the unit of the last digit of a printed number, of which an \approx may be half a unit wrong."""
    numbers = [x for x in tree.walk(side) if isinstance(x, tree.Number)]
    if len(numbers) != 1 or not isinstance(side, tree.Number | tree.Add):
        raise ProofError(r"\approx needs a number on its right, or a stated tolerance", place=side.span[0])
    return mpmath.mpf(10) ** -len(numbers[0].text.partition(".")[2])


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
    difference = algebra.add(a, b, -1)
    difference = algebra.negative(difference) if "prec" in relation else difference
    matrix = mpmath.matrix(difference.tolist() if isinstance(difference, np.ndarray) else [[difference]])
    if mpmath.mnorm(matrix - matrix.T) > mpmath.mpf(10) ** -AGREE:
        return "the matrix is not symmetric"
    lowest = min(mpmath.eigsy(matrix, eigvals_only=True))
    small = mpmath.mpf(10) ** -AGREE
    good = lowest >= -small if "eq" in relation else lowest > small
    return None if good else f"an eigenvalue is {digits(lowest)}"
