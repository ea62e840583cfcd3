"""What is wrong with a formula whose laws do not hold: one part of it, or one term, in words."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from coursework.check.agreement import entry_name, sampled, values_at
from coursework.check.data import flat
from coursework.check.diagnosis import Phrase, Said
from coursework.check.formula_changes import edits, wave_name
from coursework.check.messages import joined, text
from coursework.check.mistakes import ONE_TERM
from coursework.check.plain import Values
from coursework.check.search import NO_LAW, hold, right

if TYPE_CHECKING:
    from coursework.check.aliases import Points, Program, Shape
    from coursework.check.parameters import Parameters
    from coursework.check.question import Question

_Edit: TypeAlias = "tuple[Phrase, list[Program]]"  # the formulas with one part changed
_Added: TypeAlias = (
    "tuple[list[str], tuple[int, int], list[Program]]"  # factors of a term, its places, the formulas with it
)

MOST_TOKENS = 150  # of a formula that is changed token by token
MISSING_FACTORS = (1.0, -1.0, 2.0, -2.0, 0.5, -0.5)  # that a term which is missing may have for a factor
POINTS = 4  # at which the laws are asked
MOST_NAMED = 4  # symbols that are said


def is_near(program: Program, line: Program, names: Iterable[str], points: Points) -> bool:
    """Return whether a formula is another one, or would be with one part of it changed."""
    names = list(names)
    expected = values_at([line], points)[0]
    few = _one_point(points)
    same = lambda found: all(abs(a - b) <= 1e-9 * (1 + abs(b)) for a, b in zip(found, expected))
    for edited in [program, *(edited for _, edited in edits(program, names))]:
        with contextlib.suppress(*NO_LAW):
            if same(values_at([edited], few, 1)[0][:1]) and same(values_at([edited], points)[0]):
                return True
    return False


def _one_point(points: Points) -> Points:
    """Return the first of the points alone: most formulas fail there already."""
    return {name: Values(values[:1]) for name, values in points.items()}


def _hold_of_formulas(
    question: Question, p: Parameters, shape: Shape, programs: list[Program], points: Points, count: int
) -> bool:
    return hold(question, [(p, *one) for one in sampled(shape, programs, points, count)])


def wrong_part(question: Question, p: Parameters, shape: Shape, programs: list[Program], points: Points) -> Said | None:
    """Return words for the one part of the formulas that is wrong, if there is one such part."""
    if sum(map(len, programs)) > MOST_TOKENS:
        return None
    found = [*itertools.islice(_wrong_parts(question, p, shape, programs, points), 2)]
    if not found:
        return None
    words = joined("formula.words-or", [phrase.text() for phrase, _ in found])
    place = found[0][1]
    sentence = text("formula.one-part-of", place=place, words=words) if place else text("formula.one-part", words=words)
    return Said(sentence, mistakes=tuple(phrase.mistake for phrase, _ in found))


def _wrong_parts(
    question: Question, p: Parameters, shape: Shape, programs: list[Program], points: Points
) -> Iterator[tuple[Phrase, str]]:
    """Yield what may be wrong with one part of the formulas, and in which entries, each phrase once."""
    names = question.names.split()
    seen = set()
    few = _one_point(points)

    def is_new(one: _Edit) -> bool:
        return one[0] not in seen

    def holds_at_one(one: _Edit) -> bool:
        return _hold_of_formulas(question, p, shape, one[1], few, 1)

    def holds(one: _Edit) -> bool:
        return _hold_of_formulas(question, p, shape, one[1], points, POINTS)

    for places in _places_alike(programs):
        candidates = (
            (phrase, [edited if k in places else one for k, one in enumerate(programs)])
            for phrase, edited in edits(programs[places[0]], names)
        )
        for phrase, _ in right(candidates, is_new, holds_at_one, holds):
            seen.add(phrase)
            yield phrase, _names_of(shape, places)


def _names_of(shape: Shape, places: Iterable[int]) -> str:
    """Return the names of entries, each once; "" for an answer that has one alone."""
    named = [*filter(None, dict.fromkeys(entry_name(shape, k) for k in places))]
    return joined("name.and", named) if named else ""


def _places_alike(programs: list[Program]) -> Iterator[list[int]]:
    """Yield the places of one formula, and of all that are the same as it: they may be wrong alike."""
    for i, program in enumerate(programs):
        yield [i]
        alike = [k for k, other in enumerate(programs) if other == program]
        if len(alike) > 1 and alike[0] == i:
            yield alike


def wrong_terms(
    question: Question, p: Parameters, shape: Shape, programs: list[Program], points: Points
) -> Said | None:
    """Return words for the symbols without which the answer would be right: its mistake is in terms that hold all of them."""
    found = []
    for name in (name for name in question.names.split() if name in points):
        nothing = points | {name: Values([0j] * len(points[name]))}
        changed = [*sampled(shape, programs, nothing, POINTS)]
        if any(abs(x) > 1e-9 for x in flat(changed[0][1])[1]) and hold(question, [(p, *one) for one in changed]):
            found.append(name)
    if not found:
        return None
    either, every = (joined(key, found[:MOST_NAMED]) for key in ("name.or", "name.and"))
    words = text("formula.right-without", names=either, all=every)
    return _wrong_term(question, p, shape, programs, points, found) or Said(words)


def _wrong_term(
    question: Question, p: Parameters, shape: Shape, programs: list[Program], points: Points, names: list[str]
) -> Said | None:
    """Return words for the one term that an answer lacks or has too much of: a product of all these symbols.

    Perhaps of a sine or cosine, too; in a square matrix it may stand at both places of a pair.
    """
    angles = [name for name in question.names.split() if re.fullmatch(r"q\d*", name)]
    few = _one_point(points)
    candidates = (
        (
            factors,
            places,
            [[*program, *term, ("+", 2)] if k in places else program for k, program in enumerate(programs)],
        )
        for term, factors in _terms([name for name in names if name not in angles], angles)
        for places in [_with_mirrored(shape, i) for i in range(len(programs))]
    )

    def holds_at_one(one: _Added) -> bool:
        return _hold_of_formulas(question, p, shape, one[2], few, 1)

    def holds(one: _Added) -> bool:
        return _hold_of_formulas(question, p, shape, one[2], points, POINTS)

    for factors, places, _ in right(candidates, holds_at_one, holds):
        where = _names_of(shape, places)
        what = joined("name.and", factors)
        words = (
            text("formula.one-term-of", place=where, factors=what) if where else text("formula.one-term", factors=what)
        )
        return Said(words, mistakes=(ONE_TERM,))
    return None


def _with_mirrored(shape: Shape, i: int) -> tuple[int, int]:
    """Return the places of an entry and of the one across the diagonal, in a square matrix; of the entry twice in any other."""
    rows, columns = (*shape, 1, 1)[:2]
    return (i, (i % columns) * rows + i // columns) if rows == columns > 1 else (i, i)


def _terms(names: list[str], angles: list[str]) -> Iterator[tuple[Program, list[str]]]:
    """Yield products of powers of symbols, a number, and perhaps a sine or cosine, and words for their factors."""
    for powers, wave, number in itertools.product(
        itertools.product((1.0, 2.0), repeat=len(names)), _waves(angles), MISSING_FACTORS
    ):
        term: Program = [("number", number)]
        for name, power in zip(names, powers):
            term += [("symbol", name), ("number", power), ("**", 2), ("*", 2)]
        squared = [text("name.squared", name=name) if power > 1 else name for name, power in zip(names, powers)]
        yield [*term, *wave], [*squared, *(text("name.wave", wave=wave_name(wave[-2][0])) for _ in wave[:1])]


def _waves(angles: list[str]) -> list[Program]:
    """Return programs that multiply by nothing, by the sine or cosine of an angle, or of the sum of two."""
    waves: list[Program] = [[]]
    for name, wave in itertools.product(angles, ("sin", "cos")):
        waves.append([("symbol", name), (wave, 1), ("*", 2)])
    for (a, b), wave in itertools.product(itertools.combinations(angles, 2), ("sin", "cos")):
        waves.append([("symbol", a), ("symbol", b), ("+", 2), (wave, 1), ("*", 2)])
    return waves
