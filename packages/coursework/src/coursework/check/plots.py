"""The law of a plot: some line of it runs along the curve that is asked for, and the words at its axes name the units."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from coursework.check.diagnosis import Mistake, Said, is_wordless
from coursework.check.units import factor_to
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, Data

Curve: TypeAlias = "Callable[[Array], Array]"

WIDEST = 0.15  # of the range: a line with points in a few places that anybody knows is no answer
MOST_LONG = 3  # lines of a plot that run over the whole range: a guess of many is no answer
FEWEST = 20  # points of a line
OF_RANGE = "The line should run from"


def is_no_plot(
    sentence: str,
    plot: Data,
    low: float,
    high: float,
    curve: Curve,
    tolerance: float,
    wrong: Mapping[str, Curve] | None = None,
    units: tuple[str, str] = ("", ""),
) -> str | None:
    """Return None where some line of a plot runs from low to high within `tolerance` of curve(x), with words at the axes.

    Else the sentence, and why; wrong: {words: curve} of typical mistakes; units: of the two axes, which their words must
    name; other lines, as a grid or a mark, do no harm.
    """
    lines = [(_numbers(line, "x"), _numbers(line, "y")) for line in plot["curves"]]
    if not lines:
        return "The plot has no line: draw it with ax.plot."
    asked = _Asked(sentence, low, high, curve, tolerance, wrong or {})
    scales = [_scale(str(plot[f"{axis}label"]), unit) for axis, unit in zip("xy", units)]
    in_units = [(x * (scales[0] or 1.0), y * (scales[1] or 1.0)) for x, y in lines]  # drawn in kN m, where it says so
    long = sum(asked.is_covered_by(x) for x, _ in in_units)
    if long > MOST_LONG:
        return f"{long} lines run over the whole range: draw the one that is asked for, and at most two others."
    refused = asked.refusal_of_all(in_units)
    if refused is None:
        return _missing_words(plot, units, scales)
    if {*scales} - {None, 1.0} and asked.refusal_of_all(lines) is None:
        words = f"The numbers are those in {' and '.join(filter(None, units))}: the words at an axis name another unit."
        return Said(words, done=True, mistake=Mistake.UNIT)
    return refused


def _numbers(line: Data, axis: str) -> Array:
    return np.array(line[axis]["numbers"], dtype=float)


def _rank(refusal: Said) -> int:
    """Return which of several lines is spoken of: the one in another unit first, then the one that covers the range."""
    return 0 if not refusal.done else -1 if refusal.mistake is Mistake.UNIT else 1


def _scale(words: str, unit: str) -> float | None:
    """Return what turns the numbers at an axis into the unit that is asked for; None where its words name no such unit."""
    return factor_to(words, unit) if unit else 1.0


def _missing_words(plot: Data, units: tuple[str, str], scales: list[float | None]) -> str | None:
    """Return a sentence if words or the unit are missing at an axis, else None."""
    if not (str(plot["xlabel"]).strip() and str(plot["ylabel"]).strip()):
        return "Words are missing at an axis: say the quantity and its unit."
    for axis, unit, scale in zip("xy", units, scales):
        if scale is None:
            return f"The words at the {axis} axis do not name its unit, {unit}: are they those of the other axis?"
    return None


@dataclass(frozen=True)
class _Asked:
    """The line that is asked for."""

    sentence: str
    low: float
    high: float
    curve: Curve
    tolerance: float
    wrong: Mapping[str, Curve]

    def is_covered_by(self, x: Array) -> bool:
        """Return whether a line runs over nearly the whole range."""
        reach = 0.1 * (self.high - self.low)
        return len(x) >= FEWEST and x.min() <= self.low + reach and x.max() >= self.high - reach

    def refusal_of_all(self, lines: list[tuple[Array, Array]]) -> Said | None:
        """Return why none of several lines is the one, or None where one is."""
        found = []
        for x, y in lines:
            refused = self.refusal(x, y)
            if refused is None:
                return None
            found.append(refused)
        return min(found, key=_rank)

    def refusal(self, x: Array, y: Array) -> Said | None:
        """Return why a line is not the one, or None."""
        refused = self._of_range(x, y)
        if refused:
            return refused
        order = np.argsort(x, kind="stable")
        x, y = x[order], y[order]
        inside = (x >= self.low) & (x <= self.high)
        return self._of_gaps(x[inside]) or self._of_height(x[inside], y[inside])

    def _of_range(self, x: Array, y: Array) -> Said | None:
        """Return why the range of a line is another: exchanged axes, another unit, too few points."""
        low, high = self.low, self.high
        reach = 0.02 * (high - low)
        if abs(y.min() - low) <= reach and abs(y.max() - high) <= reach and not abs(x.min() - low) <= reach:
            words = f"{OF_RANGE} {low:.3g} to {high:.3g} along the x axis, and does so along y: are the axes exchanged?"
            return Said(words, done=True, mistake=Mistake.EXCHANGED)
        for factor in (math.tau, math.degrees(1), 1000.0):
            for scale in (factor, 1 / factor):
                if abs(x.min() * scale - low) <= reach and abs(x.max() * scale - high) <= reach:
                    return self._in_other_unit(x)
        if len(x) < FEWEST or x.min() > low + reach or x.max() < high - reach:
            found = f"{len(x)} points" if len(x) < FEWEST else f"it runs from {x.min():.3g} to {x.max():.3g}"
            return Said(f"{OF_RANGE} {low:.3g} to {high:.3g}, with at least 20 points: {found}.", done=True)
        return self._in_other_unit(x) if max(abs(x)) > 20 * max(abs(low), high) else None

    def _in_other_unit(self, x: Array) -> Said:
        """Return words for a line that runs over a range in other units."""
        words = f"{OF_RANGE} {self.low:.3g} to {self.high:.3g}, not to {x.max():.3g}: look at the unit of the x axis."
        return Said(words, done=True, mistake=Mistake.UNIT)

    def _of_gaps(self, x: Array) -> Said | None:
        """Return where a line has no points, or None."""
        gaps = np.diff([self.low, *x, self.high])
        if not max(gaps) > WIDEST * (self.high - self.low):
            return None
        start = [self.low, *x][int(np.argmax(gaps))]
        where = f"from {start:.3g} to {start + max(gaps):.3g} it has none"
        return Said(f"The line should have points all along from {self.low:.3g} to {self.high:.3g}: {where}.")

    def _of_height(self, x: Array, y: Array) -> Said | None:
        """Return what is wrong with the heights of a line, or None where they are right."""
        expected = self.curve(x)
        if abs(y - expected).max() <= self.tolerance:
            return None
        if is_wordless():
            return Said(self.sentence)

        def near(other: Curve) -> bool:
            size = max(1.0, abs(other(x)).max() / abs(expected).max())
            return bool(abs(y - other(x)).max() <= self.tolerance / 4 * size)

        named = [words for words, other in self.wrong.items() if near(other)]
        if named:  # two that give the same with a student's numbers are both said
            return Said(self.sentence, " Or: ".join(named[:2]))
        until = x[(abs(y - expected) > self.tolerance).argmax()]
        if until - self.low > 0.3 * (self.high - self.low):
            slip = f"It is right up to x = {until:.3g}, and leaves slowly: a step too long, or another number in it?"
            return Said(self.sentence, slip)
        slip, where = _line_words(x, y, expected, self.tolerance)
        return Said(self.sentence, slip, where)


def _line_words(x: Array, y: Array, expected: Array, tolerance: float) -> tuple[str, str]:
    """Return what is the matter with a whole line, and where: its height, its place, how fast it runs; else where it is farthest."""
    size, near = abs(expected).max(), max(tolerance, 1e-3 * np.ptp(expected))
    shape = _stretched(x, y, expected, near)
    if shape:
        return shape, ""
    if abs(expected[::-1] - y).max() <= near:
        return "It runs the wrong way along the x axis.", ""
    for rate in np.geomspace(1.02, 4.0, 140):
        for words, one, other in (("slowly", y, expected), ("fast", expected, y)):
            inside = x[0] + (x - x[0]) / rate
            if abs(one - np.interp(inside, x, other)).max() <= 3 * near and np.ptp(other) > 20 * near:
                return f"It has the right shape, but runs too {words} along the x axis: what sets its rate?", ""
    worst = abs(y - expected).argmax()
    above = "high" if y[worst] > expected[worst] else "low"
    if abs(y[0] - expected[0]) > max(near, 0.02 * size):
        where = "" if worst == 0 else f" It is farthest away at x = {x[worst]:.3g}, where it is too {above}."
        return "", f"It begins too {'high' if y[0] > expected[0] else 'low'}, at x = {x[0]:.3g}.{where}"
    return "", f"It begins at the right height, and is farthest away at x = {x[worst]:.3g}, where it is too {above}."


def _stretched(x: Array, y: Array, expected: Array, near: float) -> str:
    """Return words for a line of the right shape, but another height or shifted; none for any other line."""
    straight = np.column_stack([expected, np.ones_like(x)])
    (factor, shift), *_ = np.linalg.lstsq(straight, y, rcond=None)
    if not (abs(straight @ [factor, shift] - y).max() <= near * max(1.0, abs(factor)) and abs(factor) > 0.01):
        return ""
    if abs(shift) <= near * max(1.0, abs(factor)):
        sign = ", and the opposite sign" if factor < 0 else ""
        return f"It has the right shape, but another height{sign}: a factor is wrong everywhere alike."
    if abs(factor - 1) <= 0.01:
        return "It has the right shape, but is shifted up or down: by a term that is the same everywhere."
    return "It has the right shape, but another height, and is shifted up or down: a factor and a term are wrong."
