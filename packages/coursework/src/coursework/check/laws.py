"""Laws that many questions share, functions (p, at, value) -> sentence or None, and what laws of one question are made of.

A law gives a verdict on the answer that it is given: it returns what it expects to nobody. Its sentence is a plain text, or
one of `Said`, which holds the law, the mistake that it names and the place apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coursework.check import bodies, mistakes
from coursework.check.agreement import entry_name
from coursework.check.data import flat
from coursework.check.diagnosis import Mistake, Phrase, Said, said
from coursework.check.diagnosis import is_wordless as is_wordless  # laws are asked for words, or not, by this name
from coursework.check.diagnosis import wordless as wordless
from coursework.check.messages import joined, text
from coursework.check.mistakes import powered as powered  # what a power is to a law of an exercise
from coursework.check.plots import is_no_plot as is_no_plot  # a law as those here

if TYPE_CHECKING:
    from coursework.check.aliases import At, Entries, Law, Shape, Value
    from coursework.check.parameters import Parameters

    Arm = Callable[[Parameters, At], tuple[list[bodies.Body], list[float], float]]  # its bodies, q, and g (m/s^2)

MISSED = 6e-3  # of a number: by less, it may have been rounded on the way
OTHER_G = 1e-4  # of a number: by less, what another g gives is off; g = 9.8 itself is off by ten times that
NEAR = 1e-6  # rounding and difference quotients stay below, mistakes above


def symmetric(p: Parameters, at: At, value: Value, name: str = "M") -> str | None:
    """M is symmetric, or a matrix of another name."""
    n = len(value)
    largest = max(abs(entry) for entry in flat(value)[1])
    gaps = [(abs(value[i][j] - value[j][i]), -i, -j) for i in range(n) for j in range(i)]
    gap, i, j = max(gaps, default=(0.0, 0, 0))
    if gap > NEAR * largest:
        one = f"{1 - j}, {1 - i}"
        other = f"{1 - i}, {1 - j}"
        return text("law.not-symmetric", name=name, one=one, other=other)
    return None


def definite(p: Parameters, at: At, value: Value) -> str | None:
    """M is positive definite: a motion has positive kinetic energy."""
    n = len(value)
    left = [[(value[i][j] + value[j][i]) / 2 for j in range(n)] for i in range(n)]
    for k in range(n):  # elimination without exchange: each pivot is positive, and only then
        if not left[k][k] > 0:
            return text("law.not-definite")
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
    power_of_g: float | None = None,
    wrong: Mapping[str, Value] | None = None,
) -> Said | None:
    """Return None where a value is the expected one; else the sentence, which names the law, and which entry or slip it is.

    Called inside a law, which computes what it expects and keeps it: no function that anybody can call returns it.
    power_of_g: the power of g that the value is proportional to, where a near miss may come from another g;
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
        return Said(sentence, joined("name.other-way", named[:2]))
    slip, close = compared.slip(at, power_of_g)
    if slip:
        return Said(sentence, of_whole(slip), mistakes=(slip,))
    where, entry = compared.place()
    return Said(sentence, close=close) if close or not where else Said(sentence, where=where, entry=entry)


def of_whole(mistake: Mistake) -> str:
    """Return the sentence of a mistake that all of an answer has."""
    return Phrase(mistake, (("what", text("name.whole")),)).text()


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

    def near_times(self, factor: float, tolerance: float) -> bool:
        """Return whether the entries, times a factor, are the expected ones, within a tolerance."""
        return _are_near([factor * a for a in self.found], self.expected, tolerance)

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

    def slip(self, at: At, power_of_g: float | None) -> tuple[Mistake | None, str]:
        """Return the generic mistake that gives the value, or None, and words for a near miss, or none."""
        called = (
            isinstance(at, tuple) and len(at) > 0
        )  # what is so at one state may be another elsewhere: `slips` tells
        slip = None if called else self._first(_undone_slips(self.found, self.shape))
        if slip:
            return slip, ""
        close = ""
        rounded = _is_rounded(self.found, self.expected, 11 * self.tolerance if called else MISSED)
        if not isinstance(at, dict) and (rounded or (power_of_g and _is_rounded(self.found, self.expected, 0.02))):
            close = _close(self.near_times, self.tolerance, power_of_g, rounded)
        elif not called:
            slip = self._first(
                _undone_slips_of_number(*self.found)
                if len(self.found) == 1
                else _undone_slips_of_numbers(self.found, self.shape)
            )
        if not slip and not close and _are_near(sorted(self.found), sorted(self.expected), self.tolerance):
            slip = mistakes.OTHER_PLACES
        return slip, close

    def _first(self, slips: Mapping[Mistake, Entries]) -> Mistake | None:
        return next((slip for slip, other in slips.items() if self.near(other)), None)

    def place(self) -> tuple[str, int | None]:
        """Return words for the entry that is farthest off, none where there is one entry alone, and its number.

        No number where its sign is wrong, or it is zero: then more is said of it than the place.
        """
        found = self.found
        expected = self.expected
        gaps = [abs(a - b) if math.isfinite(a) else -1.0 for a, b in zip(found, expected)]
        entry = gaps.index(max(gaps))
        where = entry_name(self.shape, entry)
        if not where:
            return "", entry
        far = self.tolerance * max(*map(abs, expected), 1e-9)
        sign = self.near([-a if gap > far else a for a, gap in zip(found, gaps)])
        zero = not sign and len(expected) > 1 and found[entry] == 0.0
        key = "law.look-sign" if sign else "law.look-zero" if zero else "law.look"
        return text(key, place=where), None if sign or zero else entry


def _undone_factors(found: Entries, *every: Mistake) -> dict[Mistake, Entries]:
    """Return what a value should have been, by mistakes that give it a factor."""
    return {one: [a / (one.factor or math.nan) for a in found] for one in every}


def _undone_slips(found: Entries, shape: Shape) -> dict[Mistake, Entries]:
    """Return what a value should have been, by slips of its sign, a factor 2, and the order of its entries."""
    turned = found[::-1] if len(shape) == 1 else [math.nan] * len(found)
    return {**_undone_factors(found, *mistakes.FACTORS), mistakes.OTHER_ORDER: turned}


PARTS = {"missing": 0.0, "sign": -1.0, "twice": 2.0, "half": 0.5}  # what a mistake makes of a part


def of_parts(whole: Callable[..., Value], parts: Mapping[str, Any]) -> dict[str, Value]:
    """Return {words: what a typical mistake gives}, for `differs`: each part of what a law expects lost, turned, doubled, halved.

    parts: {its name: number or array}; whole(*parts): the value.
    """
    wrong: dict[str, Value] = {}
    for k, name in enumerate(() if is_wordless() else parts):
        for way, factor in PARTS.items():
            try:
                mistaken = whole(*(factor * part if i == k else part for i, part in enumerate(parts.values())))
                wrong[text(f"law.part-{way}", name=name)] = mistaken
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


def _undone_slips_of_number(number: float) -> dict[Mistake, Entries]:
    """Return what a number should have been, by slips of units and of algebra."""
    units = (
        mistakes.THOUSAND,
        mistakes.THOUSANDTH,
        mistakes.TURNS,
        mistakes.PER_TURN,
        mistakes.DEGREES,
        mistakes.RADIANS_TWICE,
    )
    powers = (mistakes.INVERSE, mistakes.SQUARE, mistakes.ROOT)
    return {**_undone_factors([number], *units), **{one: [one.changes[0](number)] for one in powers}}


def _undone_slips_of_numbers(found: Entries, shape: Shape) -> dict[Mistake, Entries]:
    """Return what several numbers should have been, by slips of units, or in other places."""
    slips = _undone_factors(found, mistakes.THOUSAND, mistakes.MILLION, mistakes.THOUSANDTH)
    if len(shape) == 2 and shape[0] == shape[1]:
        slips[mistakes.TRANSPOSED] = [found[j * shape[0] + i] for i in range(shape[0]) for j in range(shape[0])]
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
        below = residual(x * (1 - within))
        above = residual(x * (1 + within))
        return min(below, above) < 0 < max(below, above)  # no product, which may be too small for a number

    if x > 0 and near(x):
        return None
    if x <= 0:
        return text("law.positive", law=sentence)
    words = [slip for slip, meant in (slips or {}).items() if near(meant(x))]
    if not words and near(x, 0.02):
        rounded = near(x, MISSED) or x == round(x, 3)
        return Said(sentence, close=_close(lambda factor, within: near(factor * x, within), tolerance, 0.5, rounded))
    return Said(sentence, "".join(words[:1]))


def _close(near: Callable[[float, float], bool], tolerance: float, power_of_g: float | None, rounded: bool) -> str:
    """Return words for numbers that are almost right: another g, or rounding, or none.

    near(factor, tolerance): would they be right so.  Another g is told where it gives the numbers far better than chance.
    """
    for g in (9.8, 9.80665, 10.0):
        if power_of_g and near((9.81 / g) ** power_of_g, min(tolerance, OTHER_G)):
            return text("law.other-g", g=f"{g:g}")
    return text("law.close", percent=f"{100 * tolerance:g}") if rounded else ""


def chosen(most: int) -> Law:
    """Return the law of a prediction: a whole number from 1 to `most`, whichever; nobody is told here what comes."""

    def law(p: Parameters, at: At, value: Value) -> str | None:
        return None if value in range(1, most + 1) else text("law.choose", most=most)

    return law


def energy_of(arm: Arm) -> Law:
    """Return the law 1/2 qd . M qd = T, the sum over the bodies, at random rates; arm(p, at): (bodies, q, g)."""

    def law(p: Parameters, at: At, value: Value) -> str | None:
        moving, q, _ = arm(p, at)
        n = len(q)
        for joint, qd in enumerate([*bodies.axes(n), [1.0] * n], start=1):
            energy = bodies.kinetic_energy(moving, q, qd)
            power = sum(a * entry * b for a, row in zip(qd, value) for entry, b in zip(row, qd))
            if not abs(power / 2 - energy) <= NEAR * max(energy, 1e-9):
                if joint <= n:
                    return text("law.energy-alone", joint=joint)
                coupled = any(entry for i, row in enumerate(value) for j, entry in enumerate(row) if i != j)
                return Said(text("law.energy-together"), "" if coupled else text("law.no-coupling"))
        return None

    return law


def gradient_of_potential(arm: Arm) -> Law:
    """Return the law g = dU/dq, from the heights of the bodies; arm(p, at): (bodies, q, g)."""

    def law(p: Parameters, at: At, value: Value) -> str | None:
        moving, q, g = arm(p, at)
        return differs(text("law.gradient"), at, value, bodies.weight(moving, q, g), 1e-5)

    return law
