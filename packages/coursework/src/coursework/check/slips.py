"""Typical mistakes, generated: what would have to be otherwise for the laws to hold of a wrong answer?

No right answer is needed, nor made: the laws are asked of the answer, changed as a slip would have changed it back, or of
the answer as it is at other numbers, symbols or arguments.  What makes all laws hold, at all samples, is a true sentence: it
says of which kind the mistake is and where, never what is right.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from coursework.check.answer_changes import rebuilt, scaled
from coursework.check.argument_slips import right_where_zero, wrong_where_zero, wrong_with_argument
from coursework.check.changed_back import changed_back
from coursework.check.data import flat
from coursework.check.diagnosis import Phrase, Said, ids_of, said
from coursework.check.formula_slips import wrong_part, wrong_terms
from coursework.check.mistakes import CODE_TERM_MISSING, MOST_ENTRIES, ZERO
from coursework.check.search import NO_LAW
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import At, Data, Law, Points, Program, Value
    from coursework.check.diagnosis import Diagnosis
    from coursework.check.parameters import Parameters
    from coursework.check.question import Question

    Formula = tuple[Any, list[Program], Points]  # the shape that is asked for, programs, points

MOST_PARTS = 20_000  # of formulas, or points of a plot: what is larger is not tried
SPOILING = (1.37, 0.61, -0.73)  # factors that nobody makes by mistake


def find_mistake(
    question: Question,
    p: Parameters,
    samples: list[tuple[At, Value]],
    formula: Formula | None = None,
    search: Callable[[], Diagnosis | None] | None = None,
) -> Said | Diagnosis | None:
    """Return a sentence that is true of a wrong answer at all samples, or None.

    samples: pairs of where and the value there; formula: (shape, programs, points) of an answer that is one;
    search(): what one change of the student's own cell would put right.
    """
    search = search or (lambda: None)
    if _is_large(samples[0][1], formula):
        return search()
    is_function = not formula and samples[0][0] != ()
    if is_function and _is_yes_or_no(samples):
        return None  # much would give it by chance
    if not is_function and _is_zero(samples):
        return Phrase(ZERO).said()
    found = changed_back(question, p, samples, bool(formula)) or search()
    if formula and (not found or _is_vague_change(found)):
        return wrong_part(question, p, *formula) or found or wrong_terms(question, p, *formula)
    return found or _where(question, p, samples)


def _where(question: Question, p: Parameters, samples: list[tuple[At, Value]]) -> Said | Diagnosis | None:
    """Return at which arguments a wrong answer is right or wrong, or None."""
    return (
        wrong_with_argument(question, p, samples)
        or right_where_zero(question, p, samples)
        or wrong_where_zero(question, p, samples)
    )


def _is_zero(samples: Iterable[tuple[At, Value]]) -> bool:
    """Return whether every number of an answer is 0."""
    return not any(x for _, value in samples for x in _numbers_of(value))


def _is_vague_change(found: Said | Diagnosis) -> bool:
    """Return whether all that would put the cell right is something more in a sum, which may be what takes a term back."""
    return {*(ids_of(found) if isinstance(found, Said) else found.mistakes)} == {CODE_TERM_MISSING.id}


def _is_yes_or_no(samples: Iterable[tuple[At, Value]]) -> bool:
    """Return whether all that a function returns is 0 or 1."""
    return all(not isinstance(value, dict) and x in (0, 1) for _, value in samples for x in _numbers_of(value))


def _numbers_of(value: Value) -> list[Any]:
    return [x for one in value.values() for x in np.ravel(one)] if isinstance(value, dict) else flat(value)[1]


def _is_large(value: Value, formula: Formula | None = None) -> bool:
    """Return whether a plot has more points, or a formula more parts, than are tried."""
    curves = value.get("curves", ()) if isinstance(value, dict) else ()
    points = sum(len(curve["x"]["numbers"]) for curve in curves)
    parts = sum(map(len, formula[1])) if formula else 0
    return max(points, parts) > MOST_PARTS


def is_vague(question: Question, p: Parameters, law: Law, at: At, value: Value, sentence: str) -> bool:
    """Return whether a law says the same of other wrong answers, beside places and rounding: then its words name no mistake."""
    if _is_large(value):
        return False
    said = set()
    for change in _spoiled(value):
        with contextlib.suppress(*NO_LAW):
            said.add(_law_and_slip(law(p, at, change(value)) or ""))
    words, slip = _law_and_slip(sentence)
    # what says more than others of a law names a mistake
    return (words, slip) in said and not (slip and (words, "") in said)


def _law_and_slip(sentence: str) -> tuple[str, str]:
    """Return the law that a sentence says, and the mistake, without the place."""
    words = said(sentence)
    return words.law, words.slip


def _spoiled(value: Value) -> Iterator[Callable[[Value], Value]]:
    """Yield changes that nobody makes by mistake."""
    if isinstance(value, dict) and "curves" in value:
        yield from (partial(_spoiled_plot, factor) for factor in SPOILING)
    elif isinstance(value, dict):
        yield from (partial(_spoiled_item, factor, name) for factor in SPOILING for name in value)
    else:
        yield from (partial(_spoiled_whole, factor) for factor in SPOILING)
        n = min(len(flat(value)[1]), MOST_ENTRIES)
        yield from (partial(_spoiled_entry, factor, k) for factor in SPOILING for k in range(n))


def _spoiled_plot(factor: float, plot: Data) -> Data:
    off = lambda line: {**line, "y": {**line["y"], "numbers": [factor * float(a) for a in line["y"]["numbers"]]}}
    return {**plot, "curves": [*map(off, plot["curves"])]}


def _spoiled_item(factor: float, name: str, value: dict[str, Value]) -> dict[str, Value]:
    return {**value, name: factor * value[name]}


def _spoiled_whole(factor: float, value: Value) -> Value:
    return scaled(value, factor)


def _spoiled_entry(factor: float, k: int, value: Value) -> Value:
    return rebuilt(value, lambda x: [factor * a + 0.37 if i == k else a for i, a in enumerate(x)])
