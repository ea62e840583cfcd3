"""Which slip, taken back, makes all laws hold of a wrong answer: one loop over all changes, and one rule against chance."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from coursework.check.answer_changes import of_factors, of_increment, of_value, rebuilt, scaled
from coursework.check.data import flat
from coursework.check.diagnosis import Chance, Mistake, Phrase, Said, Sort, wordless
from coursework.check.input_changes import of_numbers, of_place
from coursework.check.messages import joined
from coursework.check.mistakes import MOST_ENTRIES, Group
from coursework.check.parameters import Parameters, Watched
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import At, Change, Entries, Slip, Tried, Value
    from coursework.check.question import Question

NO_LAW = (ArithmeticError, AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError)
SHARP = 0.99  # of its tolerance: a number that is right by chance is seldom right in the middle
COARSE = 5e-3  # a law that lets a number be off by so much on both sides tells slips of sign, order and unit alone
MOST_NAMED = 4  # names that cannot be told apart and are all said


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


def changed_back(
    question: Question, p: Parameters, samples: list[tuple[At, Value]], is_formula: bool = False
) -> Said | None:
    """Return words for the first change, of the answer, its place or the student's numbers, after which all laws hold."""
    number = not is_formula and samples[0][0] == () and not isinstance(samples[0][1], dict)
    search = _Search(question, p, samples, number)
    for kind in search.kinds(is_formula):
        for _, alike in itertools.groupby(kind, key=lambda slip: slip[0].kind):
            found = [(phrase, name) for phrase, name, change in alike if search.is_right_after(change, phrase.mistake)]
            if found:
                return sentence(found)
    return None


@dataclass(frozen=True)
class _Search:
    """A wrong answer at its samples; number: whether it is a number, or several, which may be right by chance."""

    question: Question
    p: Parameters
    samples: list[tuple[At, Value]]
    number: bool

    def kinds(self, is_formula: bool) -> list[Iterator[Slip]]:
        """Return the changes that are tried, kind by kind."""
        question, (at, value) = self.question, self.samples[0]
        used: set[str] = set()
        hold(question, [(Watched(self.p, used), at, value)])
        kinds = [of_value(value), of_increment(question, at, value)]
        if not question.unseen:
            kinds.append(of_place(question, at, value))
        # a design has bounds of which a number may be anything; what one call alone gives comes out so by chance
        if question.judged == "reference" and not (isinstance(at, tuple) and at and len(self.samples) == 1):
            kinds.append(of_numbers(self.p, sorted(used), self.number))
            if not is_formula and not isinstance(value, dict):
                kinds.append(of_factors(self.p, sorted(used), value, self.number))
        return kinds

    def is_idle(self, mistake: Mistake) -> bool:
        """Return whether a mistake says nothing here: it is none, or comes out by chance."""
        at, value = self.samples[0]
        if mistake.sort is Sort.EXCHANGED and self.question.judged == "laws" and at == ():
            return True  # many designs are right
        # a number that was rounded comes out so by chance, where numbers have a decimal or two
        return self.number and mistake.chance is Chance.OFTEN and all(x == round(x) for x in flat(value)[1])

    def is_right_after(self, change: Change, mistake: Mistake) -> bool:
        """Return whether all laws hold after the change, at all samples and not by chance."""
        try:
            return (
                not self.is_idle(mistake) and self._holds_at_first(change, mistake) and self._holds_everywhere(change)
            )
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
    n, off = len(entries), SHARP * question.tolerance * max(map(abs, entries))

    def holds_moved(k: int, by: float) -> bool:
        return hold(question, [(p, at, rebuilt(value, lambda x: [a + by * (i == k) for i, a in enumerate(x)]))])

    return 1 < n <= MOST_ENTRIES and any(holds_moved(k, off) != holds_moved(k, -off) for k in range(n))


def _has_numbers(at: At) -> bool:
    """Return whether the numbers among arguments are finite."""
    return isinstance(at, dict) or all(callable(x) or isinstance(x, str) or np.isfinite(x).all() for x in at)


def sentence(found: list[tuple[Phrase, str]]) -> Said:
    """Return one sentence for slips of the same words that cannot be told apart: pairs of phrase and name."""
    names = [*dict.fromkeys(name for _, name in found)]
    names = [name for name in names if not isinstance(name, Group)] or names[:1]
    words = found[0][0].text(joined("name.or", names[:MOST_NAMED]))
    return Said(words, mistakes=tuple(dict.fromkeys(phrase.mistake for phrase, _ in found)))
