"""The law of a plot: some line of it runs along the curve that is asked for, and the words at its axes name the units."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from coursework.check.diagnosis import Said, Sort, is_wordless
from coursework.check.messages import joined, text
from coursework.check.mistakes import AXES_EXCHANGED, LABEL_UNIT, X_UNIT
from coursework.check.units import factor_to
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, Data

Curve: TypeAlias = "Callable[[Array], Array]"

WIDEST = 0.15  # of the range: a line with points in a few places that anybody knows is no answer
MOST_LONG = 3  # lines of a plot that run over the whole range: a guess of many is no answer
FEWEST = 20  # points of a line


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
        return text("plot.no-line")
    asked = _Asked(sentence, low, high, curve, tolerance, wrong or {})
    scales = [_scale(str(plot[f"{axis}label"]), unit) for axis, unit in zip("xy", units)]
    in_units = [(x * (scales[0] or 1.0), y * (scales[1] or 1.0)) for x, y in lines]  # drawn in kN m, where it says so
    long = sum(asked.is_covered_by(x) for x, _ in in_units)
    if long > MOST_LONG:
        return text("plot.many-lines", count=long)
    refused = asked.refusal_of_all(in_units)
    if refused is None:
        return _missing_words(plot, units, scales)
    if {*scales} - {None, 1.0} and asked.refusal_of_all(lines) is None:
        words = text("plot.other-unit", units=joined("name.and", filter(None, units)))
        return Said(words, done=True, mistakes=(LABEL_UNIT,))
    return refused


def _numbers(line: Data, axis: str) -> Array:
    return np.array(line[axis]["numbers"], dtype=float)


def _rank(refusal: Said) -> int:
    """Return which of several lines is spoken of: the one in another unit first, then the one that covers the range."""
    return 0 if not refusal.done else -1 if any(one.sort is Sort.UNIT for one in refusal.mistakes) else 1


def _scale(words: str, unit: str) -> float | None:
    """Return what turns the numbers at an axis into the unit that is asked for; None where its words name no such unit."""
    return factor_to(words, unit) if unit else 1.0


def _missing_words(plot: Data, units: tuple[str, str], scales: list[float | None]) -> str | None:
    """Return a sentence if words or the unit are missing at an axis, else None."""
    if not (str(plot["xlabel"]).strip() and str(plot["ylabel"]).strip()):
        return text("plot.no-words")
    for axis, other, unit, scale in zip("xy", "yx", units, scales):
        if scale is None:
            exchanged = factor_to(str(plot[f"{other}label"]), unit) is not None
            return text("plot.units-exchanged" if exchanged else "plot.no-unit", axis=axis, unit=unit)
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
        refused = self._refusal_of_range(x, y)
        if refused:
            return refused
        order = np.argsort(x, kind="stable")
        x = x[order]
        y = y[order]
        inside = (x >= self.low) & (x <= self.high)
        return self._refusal_of_gaps(x[inside]) or self._refusal_of_height(x[inside], y[inside])

    def _refusal_of_range(self, x: Array, y: Array) -> Said | None:
        """Return why the range of a line is another: exchanged axes, another unit, too few points."""
        low = self.low
        high = self.high
        reach = 0.02 * (high - low)
        runs = lambda a: abs(a.min() - low) <= reach and abs(a.max() - high) <= reach
        if runs(y) and not runs(x):
            return Said(self._range_in_words("plot.axes-exchanged"), done=True, mistakes=(AXES_EXCHANGED,))
        for factor in (math.tau, math.degrees(1), 1000.0):
            for scale in (factor, 1 / factor):
                if abs(x.min() * scale - low) <= reach and abs(x.max() * scale - high) <= reach:
                    return self._in_other_unit(x)
        if len(x) < FEWEST:
            return Said(self._range_in_words("plot.few-points", count=f"{len(x)}"), done=True)
        if x.min() > low + reach or x.max() < high - reach:
            return Said(
                self._range_in_words("plot.other-range", first=f"{x.min():.3g}", last=f"{x.max():.3g}"), done=True
            )
        return self._in_other_unit(x) if max(abs(x)) > 20 * max(abs(low), high) else None

    def _range_in_words(self, key: str, **given: str) -> str:
        """Return a sentence that says the range."""
        return text(key, low=f"{self.low:.3g}", high=f"{self.high:.3g}", **given)

    def _in_other_unit(self, x: Array) -> Said:
        """Return words for a line that runs over a range in other units."""
        return Said(self._range_in_words("plot.x-unit", last=f"{x.max():.3g}"), done=True, mistakes=(X_UNIT,))

    def _refusal_of_gaps(self, x: Array) -> Said | None:
        """Return where a line has no points, or None."""
        gaps = np.diff([self.low, *x, self.high])
        if not max(gaps) > WIDEST * (self.high - self.low):
            return None
        start = [self.low, *x][int(np.argmax(gaps))]
        return Said(self._range_in_words("plot.gap", first=f"{start:.3g}", last=f"{start + max(gaps):.3g}"))

    def _refusal_of_height(self, x: Array, y: Array) -> Said | None:
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
            return Said(self.sentence, joined("name.other-way", named[:2]))
        until = x[(abs(y - expected) > self.tolerance).argmax()]
        if until - self.low > 0.3 * (self.high - self.low):
            return Said(self.sentence, text("plot.leaves", x=f"{until:.3g}"))
        slip, where = _line_words(x, y, expected, self.tolerance)
        return Said(self.sentence, slip, where)


def _line_words(x: Array, y: Array, expected: Array, tolerance: float) -> tuple[str, str]:
    """Return what is the matter with a whole line, and where: its height, its place, how fast it runs; else where it is farthest."""
    size = abs(expected).max()
    near = max(tolerance, 1e-3 * np.ptp(expected))
    shape = _stretched(x, y, expected, near)
    if shape:
        return shape, ""
    if abs(expected[::-1] - y).max() <= near:
        return text("plot.backward"), ""
    for rate in np.geomspace(1.02, 4.0, 140):
        for way, one, other in (("slow", y, expected), ("fast", expected, y)):
            inside = x[0] + (x - x[0]) / rate
            if abs(one - np.interp(inside, x, other)).max() <= 3 * near and np.ptp(other) > 20 * near:
                return text(f"plot.{way}"), ""
    worst = abs(y - expected).argmax()
    above = "high" if y[worst] > expected[worst] else "low"
    if abs(y[0] - expected[0]) > max(near, 0.02 * size):
        first = text(f"plot.begins-{'high' if y[0] > expected[0] else 'low'}", x=f"{x[0]:.3g}")
        return "", first if worst == 0 else f"{first} {text(f'plot.far-{above}', x=f'{x[worst]:.3g}')}"
    return "", text(f"plot.begins-right-{above}", x=f"{x[worst]:.3g}")


def _stretched(x: Array, y: Array, expected: Array, near: float) -> str:
    """Return words for a line of the right shape, but another height or shifted; none for any other line."""
    straight = np.column_stack([expected, np.ones_like(x)])
    (factor, shift), *_ = np.linalg.lstsq(straight, y, rcond=None)
    if not (abs(straight @ [factor, shift] - y).max() <= near * max(1.0, abs(factor)) and abs(factor) > 0.01):
        return ""
    if abs(shift) <= near * max(1.0, abs(factor)):
        return text("plot.other-height-sign" if factor < 0 else "plot.other-height")
    if abs(factor - 1) <= 0.01:
        return text("plot.shifted")
    return text("plot.other-height-shifted")
