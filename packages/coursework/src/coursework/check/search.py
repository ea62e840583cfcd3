"""The loop of all searches for a mistake: which of many candidates makes all laws hold, counted and not by chance.

A candidate is a change: of an answer, of its place, of a student's numbers, of a formula, of a student's cell.  What the laws
say once it is made decides, the cheap question first.  How many are tried is counted, never timed: on every machine
a student is told the same.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from coursework.check.answer_changes import rebuilt, scaled
from coursework.check.data import flat
from coursework.check.diagnosis import Chance, Mistake, wordless
from coursework.check.mistakes import MOST_ENTRIES
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import At, Change, Entries, Tried, Value
    from coursework.check.parameters import Parameters
    from coursework.check.question import Question

Candidate = TypeVar("Candidate")

NO_LAW = (ArithmeticError, AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError)
MOST_CANDIDATES = 50_000  # of one search
SHARP = 0.99  # of its tolerance: a number that is right by chance is seldom right in the middle
COARSE = (
    5e-3  # a law that lets a number be off by so much on both sides tells mistakes alone that seldom come by chance
)


def right(
    candidates: Iterable[Candidate], *tests: Callable[[Candidate], bool], most: int = MOST_CANDIDATES
) -> Iterator[Candidate]:
    """Yield those of the first `most` candidates that pass all tests, in their order; a cheap test comes first."""
    for one in itertools.islice(candidates, most):
        if all(test(one) for test in tests):
            yield one


def hold(question: Question, tried: Iterable[Tried]) -> bool:
    """Return whether all laws hold of (numbers, place, value), each of them finite."""
    try:
        with wordless():
            return all(
                (isinstance(value, dict) or all(map(math.isfinite, flat(value)[1])))
                and all(law(p, at, value) is None for law in question.laws)
                for p, at, value in tried
            )
    except NO_LAW:
        return False


@dataclass(frozen=True)
class Answer:
    """A wrong answer at its samples; number: whether it is a number, or several, which may be right by chance."""

    question: Question
    p: Parameters
    samples: list[tuple[At, Value]]
    number: bool

    def is_right_after(self, change: Change, mistake: Mistake) -> bool:
        """Return whether all laws hold after the change, at all samples and not by chance."""
        try:
            return self._holds_at_first(change, mistake) and self._holds_everywhere(change)
        except NO_LAW:
            return False

    def _holds_at_first(self, change: Change, mistake: Mistake) -> bool:
        p, at, value = change(self.p, *self.samples[0])
        if not hold(self.question, [(p, at, value)]):
            return False
        if not (self.number and any(flat(value)[1])) or mistake.chance is Chance.SELDOM:
            return True
        # a law that allows so much holds of many numbers by chance
        return not hold(self.question, [(p, at, scaled(value, 1 + s * COARSE)) for s in (1, -1)])

    def _holds_everywhere(self, change: Change) -> bool:
        changed = [change(self.p, at, value) for at, value in self.samples]
        if not all(_has_numbers(at) for _, at, _ in changed):  # a law may let pass what it cannot compute with
            return False
        if self.number:  # not only by chance, within the tolerance
            off = SHARP * self.question.tolerance
            changed += [(p, at, scaled(value, 1 + s * off)) for p, at, value in changed for s in (1, -1)]
        return (
            hold(self.question, changed)
            and _judges(self.question, changed[0])
            and not (self.number and _by_chance(self.question, changed[0]))
        )


def _judges(question: Question, changed: Tried) -> bool:
    """Return whether the laws still refuse something there: with a negative length a law may let anything pass."""
    p, at, value = changed
    if isinstance(value, dict):
        if "curves" in value:
            return True
        return not hold(question, [(p, at, {name: rebuilt(one, _spoiled) for name, one in value.items()})])
    return not hold(question, [(p, at, rebuilt(value, _spoiled))])


def _spoiled(x: Entries) -> Entries:
    return [1.37 * a + 0.37 for a in x]


def _by_chance(question: Question, changed: Tried) -> bool:
    """Return whether a number of several is off the middle of what is allowed, which is wide for one that is small beside others."""
    p, at, value = changed
    entries = flat(value)[1]
    n = len(entries)
    off = SHARP * question.tolerance * max(map(abs, entries))

    def holds_moved(k: int, by: float) -> bool:
        return hold(question, [(p, at, rebuilt(value, lambda x: [a + by * (i == k) for i, a in enumerate(x)]))])

    return 1 < n <= MOST_ENTRIES and any(holds_moved(k, off) != holds_moved(k, -off) for k in range(n))


def _has_numbers(at: At) -> bool:
    """Return whether the numbers among arguments are finite."""
    return isinstance(at, dict) or all(callable(x) or isinstance(x, str) or np.isfinite(x).all() for x in at)
