"""Where an answer would have been right: other symbols of a formula, arguments of a function, numbers of a student.

Each is a phrase, a name to put into its words, and the change of (numbers, place, value) that makes the laws hold where the slip is made.
"""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from coursework.check.answer_changes import exchanged, leaves
from coursework.check.diagnosis import Mistake, Phrase
from coursework.check.messages import joined, text
from coursework.check.mistakes import (
    ADDED_BEFORE,
    ANGLES,
    ARE_EXCHANGED,
    ARGUMENT_ADDED,
    CHANGED,
    GRAVITY_NUMBER,
    IN_PLACE,
    MOMENTS,
    MOST_ENTRIES,
    OF_ARGUMENTS,
    OF_MATRICES,
    RELATIVE,
    SUMMED,
    Group,
)
from coursework.check.parameters import with_number
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import At, Change, Slip, Tried, Value
    from coursework.check.parameters import Parameters
    from coursework.check.question import Question

ByName: TypeAlias = dict[str, Any]  # symbols of a formula, or numbers of a student
ByNameChange: TypeAlias = Callable[[ByName], ByName]
NamedChange: TypeAlias = tuple[Phrase, str, ByNameChange]  # which mistake, a name to put into its words, the change
COUNTED = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
# how the symbols of one body are called, and the numbers of one in a student's tuples
MOMENT_MASS_REACH = (("I{}", "m{}", "lc{}"), ("p.inertias[{}]", "p.masses[{}]", "p.coms[{}]"))
MOST_BODIES = 4


def slips_of_inputs(question: Question, at: At, value: Value) -> Iterator[Slip]:
    """Yield slips of what stands for symbols of a formula, or for arguments of a function."""
    yield from _slips_of_symbols(question, at) if isinstance(at, dict) else _slips_of_arguments(question, at, value)


def _slips_of_symbols(question: Question, at: ByName) -> Iterator[Slip]:
    for g in (9.81, 10.0) if "g" in at else ():
        yield Phrase(GRAVITY_NUMBER), f"{g:g}", _at_others(partial(_with_g, g))
    for phrase, name, change in slips_of_names([name for name in question.names.split() if name in at]):
        yield phrase, name, _at_others(change)


def _with_g(g: float, at: ByName) -> ByName:
    return {**at, "g": g}


def _at_others(change: ByNameChange) -> Change:
    return lambda p, at, value: (p, change(at), value)


# Arguments of a function


def argument_names(question: Question, at: tuple[Any, ...]) -> list[str]:
    """Return what the arguments of a function are called in sentences."""
    return question.arguments.split() or [argument_name(k) for k in range(len(COUNTED))]


def argument_name(k: int) -> str:
    """Return what an argument without a name is called, counted from 0."""
    return text("name.argument", number=text(f"name.{COUNTED[k]}"))


def _slips_of_arguments(question: Question, at: tuple[Any, ...], value: Value) -> Iterator[Slip]:
    called = argument_names(question, at)
    plain = [k for k, argument in enumerate(at) if not callable(argument) and not isinstance(argument, str)]
    for mistake in (*CHANGED, *ANGLES, *OF_ARGUMENTS):
        for k in plain:
            for name, change in _changes_of_argument(called[k], at[k], mistake):
                yield Phrase(mistake), name, partial(_argument_changed, k, change)
    for mistake, sign in ARGUMENT_ADDED:
        for k in plain:
            if not isinstance(value, dict) and np.shape(at[k]) == np.shape(value):
                yield Phrase(mistake), called[k], partial(_argument_added, k, sign)
    alike = [(i, j) for i, j in itertools.permutations(plain, 2) if np.shape(at[i]) == np.shape(at[j])]
    for i, j in alike:
        if i < j:
            both = Group(text("name.and", one=called[i], other=called[j]))
            yield Phrase(ARE_EXCHANGED), both, partial(_arguments_exchanged, i, j)
    for i, j in alike:
        instead = text("name.in-place", one=called[j], other=called[i])
        yield Phrase(IN_PLACE), instead, partial(_argument_replaced, i, j)


def _put(at: tuple[Any, ...], k: int, argument: Any) -> tuple[Any, ...]:
    return (*at[:k], argument, *at[k + 1 :])


def _argument_changed(k: int, change: Callable[[Any], Any], p: Parameters, at: At, value: Value) -> Tried:
    return p, _put(at, k, change(at[k])), value


def _argument_added(k: int, sign: int, p: Parameters, at: At, value: Value) -> Tried:
    return p, at, value + sign * at[k]


def _arguments_exchanged(i: int, j: int, p: Parameters, at: At, value: Value) -> Tried:
    return p, tuple(exchanged(at, i, j)), value


def _argument_replaced(i: int, j: int, p: Parameters, at: At, value: Value) -> Tried:
    return p, _put(at, i, at[j]), value


def _changes_of_argument(name: str, argument: Any, mistake: Mistake) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield pairs of name and change, for an argument and for its entries."""
    axes = np.ndim(argument)
    for change in mistake.changes:
        if mistake in OF_ARGUMENTS:
            if axes == (2 if mistake.sort in OF_MATRICES else 1) and len(set(np.shape(argument))) == 1:
                yield name, change
        elif axes < 2 or mistake in CHANGED:
            yield name, partial(_each_changed, change)
            for k in range(len(argument) if axes == 1 and 1 < len(argument) <= MOST_ENTRIES else 0):
                yield f"{name}[{k}]", partial(_one_changed, change, k)


def _each_changed(change: Callable[[float], float], x: Any) -> Any:
    return np.vectorize(change, otypes=[float])(x) if np.ndim(x) else change(x)


def _one_changed(change: Callable[[float], float], k: int, x: Any) -> Any:
    return np.array([change(a) if i == k else a for i, a in enumerate(x)])


# Symbols of a formula, or numbers of a student, by name


def slips_of_names(names: list[str]) -> Iterator[NamedChange]:
    """Yield phrases, names, and a change of a dict of numbers by name: symbols of a formula, or numbers of a student."""
    stems: dict[str, list[str]] = {}
    for name in names:
        stems.setdefault(re.sub(r"\d+\]?$", "", name), []).append(name)
    groups = [group for group in stems.values() if len(group) > 1]
    for mistake in (*CHANGED, *ANGLES):
        for some, change in itertools.product([*([name] for name in names), *groups], mistake.changes):
            yield Phrase(mistake), _group(some), partial(_all_changed, some, change)
    yield from _slips_of_exchanged_names(names, groups)
    for group in groups:
        yield from _slips_of_relative_names(group)
    yield from _slips_of_moments(names)


def _group(names: list[str]) -> str:
    """Return one name for several: q1 and q2, p.masses."""
    if len(names) == 1:
        return names[0]
    if "[" in names[0]:
        return Group(text("name.all", name=names[0].rpartition("[")[0]))
    return Group(joined("name.and", names))


def _slips_of_exchanged_names(names: list[str], groups: list[list[str]]) -> Iterator[NamedChange]:
    """Yield slips of names that stand in each other's place, or one in the place of another."""
    for a, b in itertools.combinations(names, 2):
        yield Phrase(ARE_EXCHANGED), Group(text("name.and", one=a, other=b)), partial(_replaced, {a: b, b: a})
    for a, b in itertools.permutations(names, 2):
        yield Phrase(IN_PLACE), text("name.in-place", one=b, other=a), partial(_replaced, {a: b})
    for one, other in itertools.permutations(groups, 2):
        if len(one) == len(other):
            name = Group(text("name.in-place", one=_group(other), other=_group(one)))
            yield Phrase(IN_PLACE), name, partial(_replaced, dict(zip(one, other)))


def _slips_of_relative_names(group: list[str]) -> Iterator[NamedChange]:
    """Yield slips of quantities of one kind of which one counts from another: relative or absolute angles, sums of masses."""
    angle = re.match(r"(p\.)?q", group[0])
    summed, less = (Phrase(RELATIVE), Phrase(RELATIVE)) if angle else (Phrase(SUMMED), Phrase(ADDED_BEFORE))
    for a, b in itertools.permutations(group, 2):
        yield summed, text("name.sum", one=a, other=b), partial(_combined, operator.add, a, b)
        name = text("name.less" if angle else "name.alone", one=b, other=a)
        yield less, name, partial(_combined, operator.sub, a, b)


def _slips_of_moments(names: Iterable[str]) -> Iterator[NamedChange]:
    """Yield slips of moments of inertia that are taken about the joint, or less m c^2 once too often."""
    for parts in MOMENT_MASS_REACH:
        bodies = [tuple(part.format(i) for part in parts) for i in range(MOST_BODIES)]
        bodies = [body for body in bodies if set(body) <= set(names)]
        for combine, about in ((operator.add, "name.about-joints"), (operator.sub, "name.less-too-often")):
            if bodies:
                yield Phrase(MOMENTS), text(about), partial(_moments_moved, combine, bodies)


def _all_changed(names: list[str], change: Callable[[Any], Any], x: ByName) -> ByName:
    return {**x, **{name: change(x[name]) for name in names}}


def _replaced(instead: Mapping[str, str], x: ByName) -> ByName:
    """Return numbers by name, some of them in the place of others: instead[name] in that of name."""
    return {**x, **{name: x[other] for name, other in instead.items()}}


def _combined(combine: Callable[[Any, Any], Any], a: str, b: str, x: ByName) -> ByName:
    return {**x, b: combine(x[b], x[a])}


def _moments_moved(combine: Callable[[Any, Any], Any], bodies: list[tuple[str, ...]], x: ByName) -> ByName:
    """Return numbers by name, with the moments of inertia I + m c^2, or I - m c^2."""
    return {**x, **{I: combine(x[I], x[m] * x[c] ** 2) for I, m, c in bodies}}


# Numbers of a student


def slips_of_numbers(p: Parameters, used: Iterable[str], number: bool) -> Iterator[Slip]:
    """Yield slips of what stands for a number of the student's: those alone that a law asks for, by their names.

    number: whether the answer is a number: then none of the numbers that no law asks for is tried in the place of another.
    """
    fields = {}
    for name in used:
        found = dict(leaves(f"p.{name}", getattr(p, name)))
        if found:
            fields[name] = found
    numbers = {label: size for found in fields.values() for label, size in found.items()}
    if not numbers:
        return
    for phrase, name, change in slips_of_names([*numbers]):
        yield phrase, name, _with_numbers(fields, numbers, change)
    if number:  # numbers meet by chance
        return
    unasked = {f"p.{name}": size for name, size in vars(p).items() if type(size) is float and name not in fields}
    for label, (name, size) in itertools.product(numbers, unasked.items()):
        other = _with_numbers(fields, numbers, partial(_all_changed, [label], partial(_instead, size)))
        yield Phrase(IN_PLACE), text("name.in-place", one=name, other=label), other


def _instead(size: float, x: float) -> float:
    return size


def _with_numbers(fields: dict[str, dict[str, float]], numbers: ByName, change: ByNameChange) -> Change:
    """Return the change of a student's numbers; fields: {name: {label: number}} of those that may be changed."""

    def other(p: Parameters, at: At, value: Value) -> Tried:
        changed = change(numbers)
        copy = p
        for name, found in fields.items():
            if any(changed[label] != numbers[label] for label in found):
                copy = with_number(copy, name, _with_replaced_numbers(f"p.{name}", getattr(p, name), changed))
        return copy, at, value

    return other


def _with_replaced_numbers(label: str, value: Any, changed: ByName) -> Any:
    """Return the number of a label, or nested tuples of numbers, with those in their places that `changed` has another value of."""
    if isinstance(value, (tuple, list)):
        return type(value)(_with_replaced_numbers(f"{label}[{k}]", part, changed) for k, part in enumerate(value))
    return changed.get(label, value)
