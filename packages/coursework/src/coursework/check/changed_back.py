"""Which mistake, taken back, makes all laws hold of a wrong answer: the changes that are tried, kind by kind, and their sentence."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from coursework.check.answer_changes import slips_of_factors, slips_of_increment, slips_of_value
from coursework.check.data import flat
from coursework.check.diagnosis import Chance, Mistake, Phrase, Said, Sort
from coursework.check.input_changes import slips_of_inputs, slips_of_numbers
from coursework.check.messages import joined
from coursework.check.mistakes import Group
from coursework.check.parameters import Parameters, Watched
from coursework.check.search import MOST_CANDIDATES, Answer, hold, right

if TYPE_CHECKING:
    from coursework.check.aliases import At, Slip, Value
    from coursework.check.question import Question

MOST_NAMED = 4  # names that cannot be told apart and are all said


def changed_back(
    question: Question, p: Parameters, samples: list[tuple[At, Value]], is_formula: bool = False
) -> Said | None:
    """Return words for the first change, of the answer, its place or the student's numbers, after which all laws hold."""
    number = not is_formula and samples[0][0] == () and not isinstance(samples[0][1], dict)
    wrong = Answer(question, p, samples, number)
    candidates = itertools.islice(itertools.chain(*_kinds(wrong, is_formula)), MOST_CANDIDATES)

    def tells(slip: Slip) -> bool:
        return not _is_idle(wrong, slip[0].mistake)

    def puts_right(slip: Slip) -> bool:
        return wrong.is_right_after(slip[2], slip[0].mistake)

    for _, alike in itertools.groupby(candidates, key=lambda slip: slip[0].kind):
        found = [(phrase, name) for phrase, name, _ in right(alike, tells, puts_right)]
        if found:
            return sentence(found)
    return None


def _kinds(wrong: Answer, is_formula: bool) -> list[Iterator[Slip]]:
    """Return the changes that are tried, kind by kind."""
    question, p, (at, value) = wrong.question, wrong.p, wrong.samples[0]
    used: set[str] = set()
    hold(question, [(Watched(p, used), at, value)])
    kinds = [slips_of_value(value), slips_of_increment(question, at, value)]
    if not question.unseen:
        kinds.append(slips_of_inputs(question, at, value))
    # a design has bounds of which a number may be anything; what one call alone gives comes out so by chance
    if question.judged == "reference" and not (isinstance(at, tuple) and at and len(wrong.samples) == 1):
        kinds.append(slips_of_numbers(p, sorted(used), wrong.number))
        if not is_formula and not isinstance(value, dict):
            kinds.append(slips_of_factors(p, sorted(used), value, wrong.number))
    return kinds


def _is_idle(wrong: Answer, mistake: Mistake) -> bool:
    """Return whether a mistake says nothing here: it is none, or comes out by chance."""
    at, value = wrong.samples[0]
    if mistake.sort is Sort.EXCHANGED and wrong.question.judged == "laws" and at == ():
        return True  # many designs are right
    # a number that was rounded comes out so by chance, where numbers have a decimal or two
    return wrong.number and mistake.chance is Chance.OFTEN and all(x == round(x) for x in flat(value)[1])


def sentence(found: list[tuple[Phrase, str]]) -> Said:
    """Return one sentence for slips of the same words that cannot be told apart: pairs of phrase and name."""
    names = [*dict.fromkeys(name for _, name in found)]
    names = [name for name in names if not isinstance(name, Group)] or names[:1]
    words = found[0][0].text(joined("name.or", names[:MOST_NAMED]))
    return Said(words, mistakes=tuple(dict.fromkeys(phrase.mistake for phrase, _ in found)))
