r"""Two sides compared with every letter free: which letters these are, whether the sides are equal, and where they are not.

What needs a declaration raises Unreadable: rates, vectors, \nabla, sums to n. A counterexample is one of small whole numbers;
the term of the right side where it parts from the left is the one of which another multiple would do.
"""

import itertools
import random
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import mpmath
import sympy

from eqproof import conventions, tree
from eqproof.bindings import Bindings
from eqproof.conditions import all_hold, holds
from eqproof.conventions import FAILURES
from eqproof.errors import NoNumber, Unreadable
from eqproof.evaluate import Evaluation, Numbers
from eqproof.in_digits import in_digits
from eqproof.in_fractions import in_fractions
from eqproof.points import AGREE, DIGITS, Point
from eqproof.statement import Statement
from eqproof.subscripts import fill_indices
from eqproof.verdict import Grade, Verdict, false_verdict

WHOLE = (0, 1, -1, 2, -2, 3, -3)  # in the order in which a counterexample is looked for
TRIALS = 2000
WHOLE_TRIALS = 24  # with whole numbers
REAL_POINTS, REAL_TRIALS = 4, 200  # where both sides are real, and how often such a point is looked for
LARGEST_COUNT = 50  # terms of a sum of which each has letters of its own


def printed_side(node: tree.Node, text: str) -> str:
    """Return a side as it is printed, on one line."""
    text = re.sub(r"\\\\(\[[^\]]*\])?|&|\\q?quad(?![a-zA-Z])", " ", text[slice(*node.span)])
    text = text if re.search(r"\\right\s*(\||\\r?vert)", text) else re.sub(r"\\(left|right)\s*\.", " ", text)
    return " ".join(text.split()).removeprefix("^")


def name_of(letter: tree.Symbol, text: str) -> str:
    """Return a letter as it is printed; one of a sum that is written out has no place in the text."""
    return printed_side(letter, text) if letter.span != (0, 0) else f"{letter.base}_{{{''.join(letter.sub)}}}"


def varies(node: tree.Derivative, variable: tree.Node) -> bool:
    """Tell whether what a derivative acts on is printed with its variable; by the time everything may vary."""
    by_time = variable == tree.Symbol("t") and node.kind == "d"
    return not by_time and variable in conventions.symbols(node.body)


def refuse_what_is_no_letter(*sides: tree.Node) -> None:
    r"""Raise Unreadable at rates of what is composed, and at \nabla and the like."""
    nodes = [x for side in sides for x in tree.walk(side)]
    limits = [x.value for x in nodes if isinstance(x, tree.Limit)]
    for node in nodes:
        if isinstance(node, tree.Dotted):
            raise Unreadable("needs a declaration of what varies, such as q function of t", of=node)
        if isinstance(node, tree.Symbol) and node.base in conventions.NO_LETTERS and node not in limits:
            raise Unreadable(f"is {conventions.NO_LETTERS[node.base]}", of=node)
        if isinstance(node, tree.Derivative) and not all(varies(node, x) for x, _ in node.variables):
            raise Unreadable("needs a declaration of what varies, such as q function of t", of=node)
        if isinstance(node, tree.Integral) and node.variable not in conventions.symbols(node.body):
            raise Unreadable(f"needs a declaration of what varies with {node.variable.base}", of=node)


def free_letters(*sides: tree.Node) -> dict[tree.Symbol, Any]:
    """Return a real letter for each symbol of sides; raise ProofError at what needs a declaration."""
    refuse_what_is_no_letter(*sides)
    letters: dict[tree.Symbol, Any] = {}
    for node in (x for side in sides for x in entries(side, {})):
        letter = sympy.oo if node.base == r"\infty" else sympy.Symbol(f"letter {len(letters)}", real=True)
        if node.base != r"\pi":
            letters.setdefault(node, letter)
    return letters


def entries(node: tree.Node, indices: dict[str, int]) -> Iterator[tree.Symbol]:
    """Yield the letters of a node, where its sums are written out: a_1, a_2, a_3 for a_i; indices: their numbers."""
    if isinstance(node, tree.Symbol):
        if node.base in indices and not node.sub:
            return
        if indices.keys() & {*node.sub} and {"+", "-"} & {*node.sub}:
            raise Unreadable("needs a declaration of its entries", of=node)
        sub = fill_indices(node.sub, indices.get)
        yield node if sub == node.sub else replace(node, sub=sub, span=(0, 0))
    elif isinstance(node, tree.Big):
        yield from entries_of_sum(node, indices)
    else:
        for child in tree.children(node):
            yield from entries(child, indices)


def entries_of_sum(node: tree.Big, indices: dict[str, int]) -> Iterator[tree.Symbol]:
    """Yield the letters of the terms of a sum or product."""
    low, high = (whole(bound) for bound in (node.low, node.high))
    alone = not {x.base for x in conventions.symbols(node.body)} - {node.index, r"\pi"}
    if low is None or high is None or (high - low > LARGEST_COUNT and not alone):
        raise Unreadable("needs a declaration of the number to which it counts", of=node)
    for k in () if alone else range(low, high + 1):
        yield from entries(node.body, {**indices, node.index: k})


def unbound_letters(node: tree.Node, bound: frozenset[tree.Node]) -> set[tree.Symbol]:
    """Return the letters of a node of which its value can depend: without the variables of integrals, limits and bars.

    bound: letters that stand for a number.
    """
    if isinstance(node, tree.Big):
        return {*entries(node, {})} - bound
    if isinstance(node, tree.Symbol):
        return set() if node in bound or node.base in (r"\pi", r"\infty") else {node}
    inner = bound
    if isinstance(node, tree.Integral | tree.Limit):
        inner = bound | {node.variable}
    elif isinstance(node, tree.Evaluated):
        inner = bound | {letter for letter, _ in node.places}
    body = getattr(node, "body", None)
    parts = {
        x
        for child in tree.children(node)
        if child is not body and child not in inner - bound
        for x in unbound_letters(child, bound)
    }
    return parts | (unbound_letters(body, inner) if isinstance(body, tree.Node) else set())


def whole(bound: tree.Node | None) -> int | None:
    """Return the number that a bound of a sum is, None where letters stand in it."""
    if bound is None or conventions.symbols(bound):
        return None
    return Evaluation(Bindings()).integer(bound, "a bound")


def compare_sides(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], text: str) -> Verdict:
    """Return the Verdict on left = right under a table of letters."""
    claims = tree.Claims((tree.Chain((left, right), ("=",)),))
    statement = Statement(text, claims, Bindings(letters))
    verdict = in_fractions(statement)
    try:
        return verdict if verdict else in_digits(statement)
    except NoNumber:
        return compare_where_real(left, right, letters, text)


def compare_where_real(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], text: str) -> Verdict:
    """Return the Verdict on two sides that are not real everywhere, from points where they are; raise NoNumber where none is found."""
    rng = random.Random(text)
    agreed = 0
    names = [x for x, value in letters.items() if isinstance(value, sympy.Symbol)]
    for trial in range(REAL_TRIALS):
        if trial < WHOLE_TRIALS:  # a power of a negative number is real where its exponent is whole
            point = {x: sympy.Integer(rng.randint(1, 4)) for x in names}
        else:
            point = {x: sympy.Rational(rng.randint(1, 10**9), rng.choice((10**9, 10**8))) for x in names}
        signs = {x: sign_for(letters[x], rng) for x in names}
        signed = {x: signs[x] * value for x, value in point.items()}
        try:
            with mpmath.workdps(DIGITS):
                a, b = (value_at(side, letters, signed) for side in (left, right))
        except FAILURES:
            continue
        if abs(a - b) > mpmath.mpf(10) ** -AGREE * max(1, abs(a)):
            return false_verdict(f"{mpmath.nstr(a, 6)} is not {mpmath.nstr(b, 6)} where both sides are real")
        agreed += trial >= WHOLE_TRIALS
        if agreed == REAL_POINTS:
            words = "; they are not real everywhere"
            return Verdict(Grade.CHECKED, points=agreed, letters=len(names), digits=AGREE, tried=words)
    raise NoNumber("is real nowhere, as far as was tried: only real numbers are compared", of=left)


def sign_for(letter: sympy.Symbol, rng: random.Random) -> int:
    """Return the sign of a letter, a random one where it may have both."""
    if letter.is_positive or letter.is_negative:
        return 1 if letter.is_positive else -1
    return rng.choice((1, 1, -1))


def is_real_where(
    left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], text: str, said: Sequence[tree.Chain]
) -> bool:
    """Tell whether a point is found where both sides are real, and no condition is known to fail."""
    rng = random.Random(text)
    names = [x for x, value in letters.items() if isinstance(value, sympy.Symbol)]
    for _ in range(2 * REAL_TRIALS):
        size = rng.choice((10**9, 10**8))
        given = {x: sympy.Rational(rng.randint(-(10**9), 10**9), size) for x in names}
        if any(holds(chain, letters, given) is False for chain in said):
            continue
        try:
            with mpmath.workdps(DIGITS):
                for side in (left, right):
                    value_at(side, letters, given)
        except FAILURES:
            continue
        return True
    return False


def differ_by_constant(
    left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any], variable: tree.Symbol, text: str
) -> bool:
    """Tell whether the difference of two sides does not change with a variable, the other letters fixed at random points."""
    rng = random.Random(text)
    gaps = []
    names = [x for x, value in letters.items() if isinstance(value, sympy.Symbol)]
    fixed = {x: sympy.Rational(rng.randint(1, 10**6), 10**6) for x in names}
    try:
        with mpmath.workdps(DIGITS):
            for _ in range(REAL_POINTS):
                at = {variable: sympy.Rational(rng.randint(1, 10**6), 10**6)} if variable in fixed else {}
                gaps.append(value_at(left, letters, fixed | at) - value_at(right, letters, fixed | at))
    except FAILURES:
        return False
    return bool(max(gaps) - min(gaps) < mpmath.mpf(10) ** -20)


def value_at(node: tree.Node, letters: dict[tree.Symbol, Any], given: dict[tree.Symbol, Any]) -> mpmath.mpf:
    """Return the number that a side is where some letters have given values."""
    point = Point(given={letters[x]: mpmath.mpf(value.p) / value.q for x, value in given.items()})
    return mpmath.mpf(Evaluation(Bindings(letters), Numbers(point))(node))


def counterexample(
    left: tree.Node,
    right: tree.Node,
    letters: dict[tree.Symbol, Any],
    text: str,
    conditions: Sequence[tree.Chain] = (),
) -> str:
    """Return in words the smallest whole numbers at which two sides differ and all conditions hold; "" where none was found."""
    free = unbound_letters(left, frozenset()) | unbound_letters(right, frozenset())
    names = [x for x, value in letters.items() if isinstance(value, sympy.Symbol) and x in free]
    tries = sorted(itertools.islice(itertools.product(WHOLE, repeat=len(names)), 7**5), key=size_of)
    for numbers in tries[:TRIALS]:
        given = {x: sympy.Integer(k) for x, k in zip(names, numbers)}
        if not all(may_be(letters[x], k) for x, k in zip(names, numbers)):
            continue
        if not all_hold(conditions, letters, given):
            continue
        try:
            with mpmath.workdps(DIGITS):
                a, b = (value_at(side, letters, given) for side in (left, right))
        except FAILURES:
            continue
        if abs(a - b) > mpmath.mpf(10) ** -20 * max(1, abs(a)):
            at = ", ".join(f"{name_of(x, text)} = {k}" for x, k in zip(names, numbers))
            return f"{mpmath.nstr(a, 6)} is not {mpmath.nstr(b, 6)}, where {at}" if at else f"{a} is not {b}"
    return ""


def may_be(letter: sympy.Symbol, number: int) -> bool:
    """Tell whether a letter may be a number, as its sign is said."""
    signs = (letter.is_positive, number > 0), (letter.is_negative, number < 0), (letter.is_nonnegative, number >= 0)
    return all(fits for said, fits in (*signs, (letter.is_nonzero, number != 0)) if said)


def size_of(numbers: tuple[int, ...]) -> tuple[int, int, tuple[bool, ...]]:
    """Return by what counterexamples are ordered: small numbers first, positive ones before negative ones."""
    return max(map(abs, numbers), default=0), sum(map(abs, numbers)), tuple(k < 0 for k in numbers)


def parting_term(left: tree.Node, right: tree.Node, letters: dict[tree.Symbol, Any]) -> tree.Node | None:
    """Return the term of the right side with another factor of which the step would hold; None where there is none alone."""
    terms = right.terms if isinstance(right, tree.Add) else ()
    shares: list[list[mpmath.mpf]] = [[] for _ in terms]
    with mpmath.workdps(DIGITS), suppress(*FAILURES):
        for seed in range(3):
            point = Point(seed, salt="parting")
            values = [mpmath.mpf(Evaluation(Bindings(letters), Numbers(point))(x)) for x in (left, right, *terms)]
            gap = values[0] - values[1]
            for share, value in zip(shares, values[2:]):
                share.append(gap / value)
    near = mpmath.mpf(10) ** -30
    blamed = [x for x, share in zip(terms, shares) if share and max(share) - min(share) < near * abs(share[0])]
    return blamed[0] if len(blamed) == 1 else None
