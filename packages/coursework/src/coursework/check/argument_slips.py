"""What is wrong with a function that is right at some states: which arguments are zero there, and what goes with them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from coursework.check.agreement import entry_name
from coursework.check.answer_changes import EntriesChange, rebuilt, slips_of_entries
from coursework.check.changed_back import changed_back
from coursework.check.diagnosis import Phrase, Said
from coursework.check.input_changes import argument_name, argument_names
from coursework.check.messages import joined, text
from coursework.check.mistakes import (
    FACTORS,
    MOST_ENTRIES,
    NOTHING_LEFT,
    TERM_MISSING,
    TERM_TOO_MANY,
    TERM_TOO_MANY_IN,
)
from coursework.check.search import hold, right
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, At, Value
    from coursework.check.parameters import Parameters
    from coursework.check.question import Question

Arguments: TypeAlias = tuple[Any, ...]
Samples: TypeAlias = "list[tuple[At, Value]]"


# What goes with an argument


def wrong_with_argument(question: Question, p: Parameters, samples: Samples) -> Said | None:
    """Return words for what goes with an argument, or with two entries of one: all is right without, and what is wrong with it."""
    for name, parts in _parts(question, p, samples).items():
        if all(np.max(np.abs(part)) <= 1e-9 * (np.max(np.abs(less)) + 1) for _, less, part in parts):
            return Phrase(TERM_MISSING).said(name)
        for phrase, _ in right(_changes_of_part(parts[0][2]), partial(_holds_with_change, question, p, parts)):
            return Said(text("term.wrong", name=name, slip=phrase.text()), mistakes=(phrase.mistake,))
    return None


def _holds_with_change(
    question: Question,
    p: Parameters,
    parts: list[tuple[Arguments, Array, Array]],
    candidate: tuple[Phrase, EntriesChange],
) -> bool:
    """Return whether all laws hold where what goes with an argument is changed."""
    return all(hold(question, [(p, at, less + rebuilt(part, candidate[1]))]) for at, less, part in parts)


def _changes_of_part(part: Array) -> Iterator[tuple[Phrase, EntriesChange]]:
    """Yield pairs of phrase and change of the list of entries, for a part of an answer."""
    shape = np.shape(part)
    n = np.size(part)
    yield Phrase(TERM_TOO_MANY), lambda x: [0.0] * n
    for k in range(n if 1 < n <= MOST_ENTRIES else 0):
        yield Phrase(TERM_TOO_MANY_IN, (("place", entry_name(shape, k)),)), _without_entry(k)
    yield from itertools.islice(slips_of_entries(shape, n), None if n > 1 else len(FACTORS))


def _without_entry(k: int) -> EntriesChange:
    return lambda x: [a * (i != k) for i, a in enumerate(x)]


class _Part(NamedTuple):
    """What goes with entries of argument k: its name, the value without it; each: whether all the entries must be there."""

    name: str
    k: int
    entries: tuple[int, ...]
    each: bool
    less: Array

    def is_there(self, at: Arguments) -> bool:
        """Return whether the entries of the argument are not zero: one of them, or each; where they are, they are not what is wrong."""
        value = np.ravel(at[self.k])
        there = [bool(value[i]) for i in self.entries if i < value.size]
        return not there or (all(there) if self.each else any(there))


def _parts(question: Question, p: Parameters, samples: Samples) -> dict[str, list[tuple[Arguments, Array, Array]]]:
    """Return {name: [(arguments, value without, what they add)]}, where a function is right without and wrong with them."""
    found: dict[str, list[tuple[Arguments, Array, Array]]] = {}
    if samples[0][0] == () or isinstance(samples[0][0], dict) or isinstance(samples[0][1], dict):
        return found
    right = [one for one in samples if hold(question, [(p, *one)])]
    wrong = [one for one in samples if not hold(question, [(p, *one)])]
    last: dict[str, _Part] = {}
    for at, value in wrong:
        for k, argument in enumerate(at):
            without = {} if callable(argument) or isinstance(argument, str) else _right_without(at, k, right)
            if without:
                part = _part_of(question, k, argument, without)
                found.setdefault(part.name, []).append((at, part.less, value - part.less))
                last[part.name] = part
    return {name: parts for name, parts in found.items() if all(last[name].is_there(at) for at, _ in wrong)}


def _right_without(at: Arguments, k: int, right: Samples) -> dict[tuple[int, ...], Array]:
    """Return {entries of argument k: the value}, of states that differ in this alone: the entries are zero there."""
    without = {}
    for other, less in right:
        alike = [*map(np.shape, other)] == [*map(np.shape, at)]
        if alike and all(i == k or np.array_equal(a, b) for i, (a, b) in enumerate(zip(at, other))):
            zeros = np.flatnonzero(np.ravel(other[k]) != np.ravel(at[k]))
            if zeros.size and not np.ravel(other[k])[zeros].any():
                without[tuple(zeros)] = less
    return without


def _part_of(question: Question, k: int, argument: Any, without: dict[tuple[int, ...], Array]) -> _Part:
    """Return what goes with as few entries of an argument as may be, or with two of them together."""
    single = [entries for entries in without if len(entries) == 1]
    both = (*itertools.chain(*sorted(single)),)
    few = min(without, key=len)
    called = question.arguments.split()[k] if question.arguments else argument_name(k)
    named = [f"{called}[{i}]" for i in (both if both in without else few)]
    if len(both) == 2 and both in without:
        less = without[single[0]] + without[single[1]] - without[both]
        return _Part(text("name.both", one=named[0], other=named[1]), k, both, True, less)
    return _Part(named[0] if len(few) == 1 < np.size(argument) else called, k, few, False, without[few])


# Where a function is right, and where it is wrong


def right_where_zero(question: Question, p: Parameters, samples: Samples) -> Said | None:
    """Return words for the arguments that are zero wherever a function is right."""
    if samples[0][0] == () or len(samples) < 2:
        return None
    right = [hold(question, [(p, *one)]) for one in samples]
    zeros = _zeros(question, samples)
    if not any(right):
        return None
    tells = partial(_is_where, right, [[*map(np.shape, at)] for at, _ in samples])
    for name, where in zeros.items():
        if tells(where):
            return Said(text("term.right-without", name=name))
    return _right_where_two_are_zero(zeros, tells)


def _right_where_two_are_zero(zeros: dict[str, list[bool]], tells: Callable[[list[bool]], bool]) -> Said | None:
    """Return words for two entries of one argument, or two arguments; zeros: {name: where it is zero}."""
    for (a, one), (b, other) in itertools.combinations(zeros.items(), 2):
        entries = a.partition("[")[0] == b.partition("[")[0]
        if entries and "[" in a and tells([x or y for x, y in zip(one, other)]):
            return Said(text("term.right-without-either", one=a, other=b))
        if not entries and tells([x and y for x, y in zip(one, other)]):
            return Said(text("term.right-without-both", one=a, other=b))
    return None


def _is_where(right: list[bool], shapes: list[list[Any]], where: list[bool]) -> bool:
    """Return whether a function is right there and nowhere else, among arguments of the same shapes."""
    alike = [k for k, shape in enumerate(shapes) if any(shape == one for one, so in zip(shapes, where) if so)]
    return bool(alike) and all(where[k] == right[k] for k in alike) and not all(where[k] for k in alike)


def _zeros(question: Question, samples: Samples) -> dict[str, list[bool]]:
    """Return {name of an argument, or of an entry of one: whether it is zero at each sample}."""
    called = argument_names(question, samples[0][0])
    zeros = {}
    for k, argument in enumerate(samples[0][0]):
        if not callable(argument):
            zeros[called[k]] = [not np.any(at[k]) for at, _ in samples]
            for i in range(len(argument) if np.ndim(argument) == 1 else 0):
                zeros[f"{called[k]}[{i}]"] = [len(at[k]) > i and not at[k][i] for at, _ in samples]
    return zeros


def wrong_where_zero(question: Question, p: Parameters, samples: Samples) -> Said | None:
    """Return words for the arguments that are zero where a function is wrong, and for what is wrong with it there."""
    where = _wrong_already(question, p, samples)
    if not where:
        return None
    there = [sample for sample in samples if _is_zero(question, sample[0], where)]
    inside = _nothing_left(question, samples, where) or changed_back(question, p, there)
    names = joined("name.and", where)
    many = len(where) > 1
    if inside:
        key = "term.wrong-without-many-told" if many else "term.wrong-without-told"
        return Said(text(key, name=names, slip=inside), mistakes=inside.mistakes)
    return Said(text("term.wrong-without-many" if many else "term.wrong-without", name=names))


def _wrong_already(question: Question, p: Parameters, samples: Samples) -> list[str]:
    """Return the names of the arguments, as many as may be, that are zero where a function is wrong."""
    if samples[0][0] == () or isinstance(samples[0][0], dict):
        return []
    wrong = [at for at, value in samples if not hold(question, [(p, at, value)])]
    still = [[name for name in _called(question, at) if _is_zero(question, at, [name])] for at in wrong]
    return max(still, key=len, default=[])


def _nothing_left(question: Question, samples: Samples, where: list[str]) -> Said | None:
    """Return words for an answer that is zero where something should be left."""
    found = [value for at, value in samples if _is_zero(question, at, where) and not isinstance(value, dict)]
    if found and not np.any([np.any(value) for value in found]) and np.size(found[0]) > 1:
        return Phrase(NOTHING_LEFT).said()
    return None


def _called(question: Question, at: Arguments) -> dict[str, Any]:
    """Return {name: argument} of all that are no functions."""
    called = argument_names(question, at)
    return {called[k]: argument for k, argument in enumerate(at) if not callable(argument)}


def _is_zero(question: Question, at: Arguments, names: list[str]) -> bool:
    """Return whether arguments are zero."""
    arguments = _called(question, at)
    return not any(np.any(arguments[name]) for name in names)
