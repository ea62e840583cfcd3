"""Laws that many questions share, functions (p, at, value) -> sentence or None, and what laws of one question are made of.

A law gives a verdict on the answer that it is given: it returns what it expects to nobody. Its sentence is a plain text, or
one of `Said`, which holds the law, the mistake that it names and the place apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coursework.check import bodies
from coursework.check.agreement import entry_name
from coursework.check.data import flat
from coursework.check.diagnosis import Mistake, Said, said
from coursework.check.diagnosis import is_wordless as is_wordless  # laws are asked for words, or not, by this name
from coursework.check.diagnosis import wordless as wordless
from coursework.check.plots import is_no_plot as is_no_plot  # a law as those here

if TYPE_CHECKING:
    from coursework.check.aliases import At, Entries, Law, Shape, Value
    from coursework.check.parameters import Parameters

    Arm = Callable[[Parameters, At], tuple[list[bodies.Body], list[float], float]]  # its bodies, q, and g (m/s^2)

MISSED = 6e-3  # of a number: by less, it may have been rounded on the way
NEAR = 1e-6  # rounding and difference quotients stay below, mistakes above


OPPOSITE = Said("It has the opposite sign.", mistake=Mistake.SIGN)
TWICE, HALF = (Said(words, mistake=Mistake.FACTOR) for words in ("It is twice as large.", "It is half as large."))
OTHER_ORDER = Said("The entries are in the other order.", mistake=Mistake.ORDER)
OTHER_PLACES = Said("The entries are right, but not in their places.", mistake=Mistake.PLACE)
LARGER = Said("It is 1000 times as large: look at the units.", mistake=Mistake.UNIT)
SMALLER = Said("It is 1000 times too small: look at the units.", mistake=Mistake.UNIT)


def symmetric(p: Parameters, at: At, value: Value, name: str = "M") -> str | None:
    """M is symmetric, or a matrix of another name."""
    n, largest = len(value), max(abs(entry) for entry in flat(value)[1])
    gaps = [(abs(value[i][j] - value[j][i]), -i, -j) for i in range(n) for j in range(i)]
    gap, i, j = max(gaps, default=(0.0, 0, 0))
    if gap > NEAR * largest:
        return f"{name} is not symmetric: entries ({1 - j}, {1 - i}) and ({1 - i}, {1 - j}) differ."
    return None


def definite(p: Parameters, at: At, value: Value) -> str | None:
    """M is positive definite: a motion has positive kinetic energy."""
    n = len(value)
    left = [[(value[i][j] + value[j][i]) / 2 for j in range(n)] for i in range(n)]
    for k in range(n):  # elimination without exchange: each pivot is positive, and only then
        if not left[k][k] > 0:
            return "M is not positive definite: some motion would have negative or no kinetic energy."
        for i in range(k + 1, n):
            factor = left[i][k] / left[k][k]
            left[i] = [a - factor * b for a, b in zip(left[i], left[k])]
    return None


def differs(
    sentence: str,
    at: At,
    value: Value,
    expected: Value,
    tolerance: float = NEAR,
    of_g: float | None = None,
    wrong: Mapping[str, Value] | None = None,
) -> Said | None:
    """Return None where a value is the expected one; else the sentence, which names the law, and which entry or slip it is.

    Called inside a law, which computes what it expects and keeps it: no function that anybody can call returns it.
    of_g: the power of g that the value is proportional to, where a near miss may come from another g;
    wrong: {words: what a typical mistake gives}, looked for first.
    """
    (shape, meant), found = flat(expected), flat(value)[1]
    comparable = all(map(math.isfinite, meant))
    if comparable and _are_near(found, meant, tolerance):
        return None
    if is_wordless() or not comparable:  # no words where nothing can be compared
        return said(sentence)
    compared = _Compared(shape, found, meant, tolerance)
    named = compared.typical_mistakes(wrong or {})
    if named:  # two that give the same with a student's numbers are both said
        return Said(sentence, " Or: ".join(named[:2]))
    slip, close = compared.slip(at, of_g)
    if slip:
        return Said(sentence, slip, mistake=slip.mistake)
    where, entry = compared.place()
    return Said(sentence, close=close) if close or not where else Said(sentence, where=where, entry=entry)


def _are_near(found: Sequence[float], meant: Sequence[float], tolerance: float) -> bool:
    """Return whether entries are those that are meant, within a part of the largest; not so where something is not a number."""
    far = tolerance * max(*map(abs, meant), 1e-9)
    return all(abs(a - b) <= far for a, b in zip(found, meant))


@dataclass(frozen=True)
class _Compared:
    """The entries of a value, and what they should be, of which nothing is told but how they differ."""

    shape: Shape
    found: Entries
    expected: Entries
    tolerance: float

    def near(self, other: Sequence[float]) -> bool:
        """Return whether other entries are the expected ones."""
        return _are_near(other, self.expected, self.tolerance)

    def typical_mistakes(self, wrong: Mapping[str, Value]) -> list[str]:
        """Return the words of those mistakes that give the value, and not nearly what is expected."""
        far = 0.01 * max(*map(abs, self.expected), 1e-9)
        few_digits = all(a == round(a, 4) for a in self.found)
        tolerance = self.tolerance if few_digits else max(NEAR, self.tolerance / 20)  # seldom right by chance
        named = []
        for words, mistaken in ((words, flat(mistaken)[1]) for words, mistaken in wrong.items()):
            apart = any(abs(a - b) > far for a, b in zip(mistaken, self.expected))
            if _are_near(self.found, mistaken, tolerance) and apart:
                named.append(words)
        return named

    def slip(self, at: At, of_g: float | None) -> tuple[Said | None, str]:
        """Return the generic mistake that gives the value, or None, and words for a near miss, or none."""
        called = (
            isinstance(at, tuple) and len(at) > 0
        )  # what is so at one state may be another elsewhere: `slips` tells
        slip = None if called else self._first(_of_any(self.found, self.shape))
        if slip:
            return slip, ""
        close = ""
        rounded = _is_rounded(self.found, self.expected, 11 * self.tolerance if called else MISSED)
        if not isinstance(at, dict) and (rounded or (of_g and _is_rounded(self.found, self.expected, 0.02))):
            near = lambda factor: self.near([factor * a for a in self.found])
            close = _close(near, self.tolerance, of_g, rounded)
        elif not called:
            slip = self._first(_of_one(*self.found) if len(self.found) == 1 else _of_many(self.found, self.shape))
        if not slip and not close and _are_near(sorted(self.found), sorted(self.expected), self.tolerance):
            slip = OTHER_PLACES
        return slip, close

    def _first(self, slips: Mapping[Said, Entries]) -> Said | None:
        return next((slip for slip, other in slips.items() if self.near(other)), None)

    def place(self) -> tuple[str, int | None]:
        """Return words for the entry that is farthest off, none where there is one entry alone, and its number.

        No number where its sign is wrong, or it is zero: then more is said of it than the place.
        """
        found, expected = self.found, self.expected
        gaps = [abs(a - b) if math.isfinite(a) else -1.0 for a, b in zip(found, expected)]
        entry = gaps.index(max(gaps))
        where = entry_name(self.shape, entry)
        if not where:
            return "", entry
        far = self.tolerance * max(*map(abs, expected), 1e-9)
        sign = self.near([-a if gap > far else a for a, gap in zip(found, gaps)])
        zero = not sign and len(expected) > 1 and found[entry] == 0.0
        words = f"Look at {'the sign of ' if sign else ''}{where}{', which should not be zero' if zero else ''}."
        return words, None if sign or zero else entry


def _of_any(found: Entries, shape: Shape) -> dict[Said, Entries]:
    """Return what a value should have been, by slips of its sign, a factor 2, and the order of its entries."""
    return {
        OPPOSITE: [-a for a in found],
        TWICE: [a / 2 for a in found],
        HALF: [a * 2 for a in found],
        OTHER_ORDER: found[::-1] if len(shape) == 1 else [math.nan] * len(found),
    }


PARTS = {"is missing": 0.0, "has the opposite sign": -1.0, "counts twice": 2.0, "counts half": 0.5}


def of_parts(whole: Callable[..., Value], parts: Mapping[str, Any]) -> dict[str, Value]:
    """Return {words: what a typical mistake gives}, for `differs`: each part of what a law expects lost, turned, doubled, halved.

    parts: {its name: number or array}; whole(*parts): the value.
    """
    wrong: dict[str, Value] = {}
    for k, name in enumerate(() if is_wordless() else parts):
        for words, factor in PARTS.items():
            try:
                wrong[f"{name} {words}."] = whole(*(factor * part if i == k else part for i, part in enumerate(parts.values())))  # fmt: skip
            except (ArithmeticError, ValueError):
                continue
    return wrong


def _is_rounded(found: Entries, expected: Entries, within: float) -> bool:
    """Return whether numbers, each of them, differ by so little that rounding may be why, or are the others rounded."""
    largest = max(map(abs, expected), default=0.0)
    return all(abs(a - b) <= within * abs(b) for a, b in zip(found, expected)) or any(
        all(a == round(a, k) and abs(a - b) <= min(0.51 * 10**-k, 0.05 * largest) for a, b in zip(found, expected))
        for k in range(1, 9)
    )


def powered(x: float, exponent: float) -> float:
    """Return a power of a number, with its sign; none of 0, and none near 1, where all powers are much the same."""
    return math.nan if x == 0 or 0.8 < abs(x) < 1.25 else math.copysign(abs(x) ** exponent, x)


def _of_one(number: float) -> dict[Said, Entries]:
    """Return what a number should have been, by slips of units and of algebra."""
    return {
        LARGER: [number / 1000],
        SMALLER: [number * 1000],
        Said("It is 2 pi times as large: turns or radians?"): [number / math.tau],
        Said("It is 2 pi times too small: turns or radians?"): [number * math.tau],
        Said("It is 180 / pi times as large: degrees or radians?", mistake=Mistake.DEGREES): [math.radians(number)],
        Said("It is 180 / pi times too small: degrees or radians?", mistake=Mistake.DEGREES): [math.degrees(number)],
        Said("It is the inverse."): [powered(number, -1)],
        Said("It is the square."): [powered(number, 0.5)],
        Said("It is the root."): [powered(number, 2)],
    }


def _of_many(found: Entries, shape: Shape) -> dict[Said, Entries]:
    """Return what several numbers should have been, by slips of units, or in other places."""
    millions = Said("It is 10^6 times as large: look at the units.", mistake=Mistake.UNIT)
    slips = {LARGER: [a / 1000 for a in found], millions: [a / 1e6 for a in found], SMALLER: [a * 1000 for a in found]}
    if len(shape) == 2 and shape[0] == shape[1]:
        turned = Said("It is transposed.", mistake=Mistake.TRANSPOSED)
        slips[turned] = [found[j * shape[0] + i] for i in range(shape[0]) for j in range(shape[0])]
    return slips


def is_no_root(
    sentence: str,
    value: Value,
    residual: Callable[[float], float],
    tolerance: float,
    slips: Mapping[str, Callable[[float], float]] | None = None,
) -> str | None:
    """Return None where a positive number is a root of residual(x), within `tolerance` of it: there it changes sign.

    Else the sentence; slips: {words: what it should have been, a function of the number}; the root is proportional to
    the root of g.
    """
    (x,) = flat(value)[1]

    def near(x: float, within: float = tolerance) -> bool:
        below, above = residual(x * (1 - within)), residual(x * (1 + within))
        return min(below, above) < 0 < max(below, above)  # no product, which may be too small for a number

    if x > 0 and near(x):
        return None
    if x <= 0:
        return f"{sentence} A positive one is asked for."
    words = [slip for slip, meant in (slips or {}).items() if near(meant(x))]
    if not words and near(x, 0.02):
        rounded = near(x, MISSED) or x == round(x, 3)
        return Said(sentence, close=_close(lambda factor: near(factor * x), tolerance, 0.5, rounded))
    return Said(sentence, "".join(words[:1]))


def _close(near: Callable[[float], bool], tolerance: float, of_g: float | None, rounded: bool) -> str:
    """Return words for numbers that are almost right: another g, or rounding, or none; near(factor): would they be right so."""
    for g in (9.8, 9.80665, 10.0):
        if of_g and near((9.81 / g) ** of_g):
            return f"It is close: g = {g:g} gives it, and g is 9.81 m/s^2 here; if not that, round later, or something small is wrong."
    allowed = f"an error of {100 * tolerance:g} % is allowed"
    return f"It is close: round later, {allowed}; if nothing was rounded, something small is wrong." if rounded else ""


def chosen(most: int) -> Law:
    """Return the law of a prediction: a whole number from 1 to `most`, whichever; nobody is told here what comes."""

    def law(p: Parameters, at: At, value: Value) -> str | None:
        return None if value in range(1, most + 1) else f"Choose one of the numbers from 1 to {most}."

    return law


def energy_of(arm: Arm) -> Law:
    """Return the law 1/2 qd . M qd = T, the sum over the bodies, at random rates; arm(p, at): (bodies, q, g)."""

    def law(p: Parameters, at: At, value: Value) -> str | None:
        moving, q, _ = arm(p, at)
        alone = {f", already where joint {i + 1} moves alone": qd for i, qd in enumerate(bodies.axes(len(q)))}
        for where, qd in {**alone, ", where the joints move together": [1.0] * len(q)}.items():
            energy = bodies.kinetic_energy(moving, q, qd)
            power = sum(a * entry * b for a, row in zip(qd, value) for entry, b in zip(row, qd))
            if not abs(power / 2 - energy) <= NEAR * max(energy, 1e-9):
                return f"1/2 qd . M qd is not the kinetic energy of the bodies{where}."
        return None

    return law


def gradient_of_potential(arm: Arm) -> Law:
    """Return the law g = dU/dq, from the heights of the bodies; arm(p, at): (bodies, q, g)."""

    def law(p: Parameters, at: At, value: Value) -> str | None:
        moving, q, g = arm(p, at)
        return differs("At rest the torque should equal dU/dq.", at, value, bodies.weight(moving, q, g), 1e-5)

    return law
