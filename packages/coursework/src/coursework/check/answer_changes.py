"""What an answer should have been, if a slip had changed it: pairs of phrase and the change that takes the slip back.

Of all of an answer, of its entries, rows and columns, of what it adds to an argument, and of factors that it has or lacks.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Container, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from coursework.check.agreement import entry_name
from coursework.check.data import flat, nested
from coursework.check.diagnosis import Mistake, Phrase
from coursework.check.messages import joined, text
from coursework.check.mistakes import (
    COLUMNS_REVERSED,
    COUNTS,
    EXCHANGED,
    FACTOR_MISSING,
    FACTOR_OR_POWER,
    FACTOR_OR_ROOT,
    FACTOR_TOO_MANY,
    FACTORS,
    GRAVITY_MISSING,
    KNOWN_FACTORS,
    MOST_ENTRIES,
    NOT_SYMMETRIC,
    NUMBER_FACTOR,
    NUMBER_OR_ROOT,
    OF_LIST,
    OF_ONE,
    OF_PLOT,
    OF_TWO,
    ROWS_REVERSED,
    TRANSPOSED,
)
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import At, Change, Data, Entries, Shape, Slip, Tried, Value
    from coursework.check.parameters import Parameters
    from coursework.check.question import Question

T = TypeVar("T")
EntriesChange: TypeAlias = "Callable[[Entries], Entries]"  # of the entries of an answer, row by row
Rows: TypeAlias = "list[Entries]"


def rebuilt(value: Value, change: EntriesChange) -> Value:
    """Return a value of the same shape and kind, its entries changed."""
    shape, entries = flat(value)
    changed = change([float(x) for x in entries])
    return np.array(changed).reshape(shape) if hasattr(value, "reshape") else nested(changed, shape)


def scaled(value: Value, factor: float) -> Value:
    """Return a value times a factor."""
    return rebuilt(value, lambda entries: [factor * x for x in entries])


def exchanged(x: Iterable[T], i: int, j: int) -> list[T]:
    """Return a list with two of its entries in each other's place."""
    x = list(x)
    x[i], x[j] = x[j], x[i]
    return x


def leaves(label: str, value: object) -> Iterator[tuple[str, float]]:
    """Yield pairs of label and number, for a number or nested tuples of them."""
    if isinstance(value, (tuple, list)):
        for k, part in enumerate(value):
            yield from leaves(f"{label}[{k}]", part)
    elif isinstance(value, float) or (type(value) is int and value >= COUNTS):
        yield label, value


def slips_of_value(value: Value) -> Iterator[Slip]:
    """Yield phrase, no name, and change, for slips that change all of an answer, or entries of it."""
    if isinstance(value, dict):
        yield from _slips_of_curves(value) if "curves" in value else _slips_of_items(value)
        return
    shape, entries = flat(value)
    for phrase, change in slips_of_entries(tuple(shape), len(entries)):
        yield phrase, "", _slips_of_answer(change)


def _slips_of_answer(change: EntriesChange) -> Change:
    return lambda p, at, value: (p, at, rebuilt(value, change))


def about(mistake: Mistake, what: str) -> Phrase:
    """Return the phrase of a mistake of something, which has a name."""
    return Phrase(mistake, (("what", what),))


# The entries of an answer


def slips_of_entries(shape: Shape, n: int, whole: str = "") -> Iterator[tuple[Phrase, EntriesChange]]:
    """Yield a phrase and what turns the n entries, row by row, into what they should have been; whole: a name for all."""
    whole = whole or text("name.whole")
    for mistake in KNOWN_FACTORS:
        yield about(mistake, whole), divided(mistake)
    if n == 1:
        for mistake in OF_ONE:
            yield about(mistake, whole), _change_of_single(mistake.changes[0])
        return
    if len(shape) == 1:
        for mistake in OF_LIST:
            yield about(mistake, whole), mistake.changes[0]
    if len(shape) == 2:
        yield from _slips_of_matrix(*shape, whole)
    if n <= MOST_ENTRIES:
        yield from _slips_of_few(shape, n)


def divided(mistake: Mistake, places: Container[int] | None = None) -> EntriesChange:
    """Return the change that divides entries by the factor of a mistake: those with these numbers, or all."""
    factor = mistake.factor or math.nan
    return lambda x: [a / factor if places is None or k in places else a for k, a in enumerate(x)]


def _change_of_single(change: Callable[[float], float]) -> EntriesChange:
    return lambda x: [change(x[0])]


def _slips_of_matrix(rows: int, columns: int, whole: str) -> Iterator[tuple[Phrase, EntriesChange]]:
    """Yield slips of a matrix: of a square one, the order of its rows and columns, factors of them, two exchanged."""
    if rows == columns:
        yield from _slips_of_square_matrix(rows, whole)
    turned = partial(_by_rows, columns)
    yield Phrase(ROWS_REVERSED), turned(lambda grid: grid[::-1])
    yield Phrase(COLUMNS_REVERSED), turned(lambda grid: [row[::-1] for row in grid])
    few_rows = range(min(rows, MOST_ENTRIES))
    few_columns = range(min(columns, MOST_ENTRIES))
    for i, mistake in itertools.product(few_rows, FACTORS):
        yield about(mistake, text("name.row", number=i + 1)), divided(mistake, range(i * columns, (i + 1) * columns))
    for i, mistake in itertools.product(few_columns, FACTORS):
        yield about(mistake, text("name.column", number=i + 1)), divided(mistake, range(i, rows * columns, columns))
    for i, j in itertools.combinations(few_rows, 2):
        yield about(EXCHANGED, text("name.rows", one=i + 1, other=j + 1)), turned(partial(exchanged, i=i, j=j))
    for i, j in itertools.combinations(few_columns, 2):
        yield about(EXCHANGED, text("name.columns", one=i + 1, other=j + 1)), turned(partial(_columns_exchanged, i, j))


def _slips_of_square_matrix(n: int, whole: str) -> Iterator[tuple[Phrase, EntriesChange]]:
    """Yield slips of a square matrix: transposed, what stands off its diagonal, one entry of two that should be equal."""
    turned = partial(_by_rows, n)
    yield about(TRANSPOSED, whole), turned(lambda grid: [list(column) for column in zip(*grid)])
    off_diagonal = [k for k in range(n * n) if k % (n + 1)]
    for mistake in (*FACTORS, GRAVITY_MISSING):
        yield about(mistake, text("name.off-diagonal")), divided(mistake, off_diagonal)
    for mistake, first, last in zip(NOT_SYMMETRIC, (min, max), (max, min)):
        yield Phrase(mistake), turned(partial(_mirrored, first, last))


def _by_rows(columns: int, change: Callable[[Rows], Rows]) -> EntriesChange:
    """Return the change of entries that a change of the rows of their matrix is."""

    def changed(x: Entries) -> Entries:
        rows = [x[k : k + columns] for k in range(0, len(x), columns)]
        return [a for row in change(rows) for a in row]

    return changed


def _columns_exchanged(i: int, j: int, grid: Rows) -> Rows:
    return [exchanged(row, i, j) for row in grid]


def _mirrored(first: Callable[[int, int], int], last: Callable[[int, int], int], grid: Rows) -> Rows:
    """Return a symmetric matrix, each entry that of the two at (first(i, j), last(i, j))."""
    n = range(len(grid))
    return [[grid[first(i, j)][last(i, j)] for j in n] for i in n]


def _slips_of_few(shape: Shape, n: int) -> Iterator[tuple[Phrase, EntriesChange]]:
    """Yield slips of one entry, and of two, where there are few of them."""
    named = [entry_name(shape, k) for k in range(n)]
    for k, mistake in itertools.product(range(n), KNOWN_FACTORS):
        yield about(mistake, at_the_beginning(named[k])), divided(mistake, (k,))
    for i, j in itertools.combinations(range(n), 2):
        both = at_the_beginning(text("name.two", one=named[i], other=named[j]))
        yield about(EXCHANGED, both), partial(exchanged, i=i, j=j)
        for mistake in OF_TWO if n > 2 else ():
            yield about(mistake, both), divided(mistake, (i, j))


def at_the_beginning(name: str) -> str:
    """Return a name as it begins a sentence."""
    return name[:1].upper() + name[1:]


# Items, and plots


def _slips_of_items(value: dict[str, Value]) -> Iterator[Slip]:
    for name, part in value.items():
        for phrase, change in slips_of_entries(np.shape(part), np.size(part), text("name.item", name=name)):
            yield phrase, "", _change_of_item(name, change)


def _change_of_item(name: str, change: EntriesChange) -> Change:
    return lambda p, at, value: (p, at, {**value, name: rebuilt(value[name], change)})


def _slips_of_curves(plot: Data) -> Iterator[Slip]:
    """Yield slips of a plot: of the height of its line, and of what stands at its x axis."""
    for mistake in OF_PLOT:
        yield Phrase(mistake), "", partial(_drawn, "y", partial(_each, mistake.changes[0]))
    for mistake in KNOWN_FACTORS:
        for axis, name in (("y", "name.height"), ("x", "name.x-axis")):
            yield about(mistake, text(name)), "", partial(_drawn, axis, divided(mistake))


def _each(change: Callable[[float], float], x: Entries) -> Entries:
    return [*map(change, x)]


def _drawn(axis: str, change: EntriesChange, p: Parameters, at: At, plot: Data) -> Tried:
    """Return the plot with what stands at one of its axes changed."""
    lines = [
        {**line, axis: {**line[axis], "numbers": change([*map(float, line[axis]["numbers"])])}}
        for line in plot["curves"]
    ]
    return p, at, {**plot, "curves": lines}


# What an answer adds to an argument, and factors that it has or lacks


def slips_of_increment(question: Question, at: At, value: Value) -> Iterator[Slip]:
    """Yield slips of what an answer adds to an argument, as a step to a state, and of factors that stand among the arguments."""
    called = question.arguments.split()
    if not called or isinstance(at, dict) or isinstance(value, dict):
        return
    numbers = [k for k, x in enumerate(at) if _is_number(x)]
    stepped = [*range(np.size(value))]  # the first arguments, where each is a coordinate of a state that is stepped on
    steps = numbers[: len(stepped)] == stepped
    factors = _factors_of(called, numbers)
    for name in _whole_and_entries(value) if not steps else ():
        for mistake, argument, factor in factors:
            yield about(mistake, name), argument, partial(_less_a_factor, name, factor)
    for name, places in _bases(called, at, value, stepped if steps else []).items():
        for mistake, argument, factor in factors:
            phrase = about(mistake, text("name.added", name=name))
            yield phrase, argument, partial(_increment_less_a_factor, places, factor)


def _factors_of(called: list[str], numbers: list[int]) -> list[tuple[Mistake, str, Callable[[At], float]]]:
    """Return (mistake, name, factor at given arguments): those of FACTORS, and the arguments that are numbers."""
    factors: list[tuple[Mistake, str, Callable[[At], float]]] = [
        (one, "", partial(_constant, one.factor or math.nan)) for one in FACTORS
    ]
    for k in numbers:
        factors.append((FACTOR_MISSING, called[k], partial(_power_of_argument, k, -1)))
        factors.append((FACTOR_TOO_MANY, called[k], partial(_power_of_argument, k, 1)))
    return factors


def _is_number(argument: Any) -> bool:
    return not callable(argument) and np.ndim(argument) == 0 and not isinstance(argument, (str, int))


def _is_like(argument: Any, value: Value) -> bool:
    """Return whether an argument is an array of the shape of the value, which may add to it."""
    return bool(not callable(argument) and np.ndim(argument) and np.shape(argument) == np.shape(value))


def _bases(called: list[str], at: At, value: Value, stepped: list[int]) -> dict[str, list[int]]:
    """Return {name: arguments} of what an answer may add to: arguments of its shape; stepped: its coordinates, where they are some."""
    bases = {called[k]: [k] for k, x in enumerate(at) if _is_like(x, value)}
    if np.ndim(value) == 1 and stepped:  # of what adds nothing, nothing is said
        moved = [called[k] for k in stepped if value[k] != at[k]]
        bases[joined("name.and", moved) if moved else ""] = stepped
    return bases


def _constant(factor: float, at: At) -> float:
    return factor


def _power_of_argument(k: int, power: int, at: At) -> float:
    return at[k] ** power


def _less_a_factor(name: str, factor: Callable[[At], float], p: Parameters, at: At, value: Value) -> Tried:
    return _scaling(name, value, 1 / factor(at))(p, at, value)


def _increment_less_a_factor(
    places: list[int], factor: Callable[[At], float], p: Parameters, at: At, value: Value
) -> Tried:
    """Return the answer with what it adds to arguments divided by a factor: base + (value - base) / factor."""
    base = at[places[0]] if len(places) == 1 else np.array([at[k] for k in places])
    return p, at, base + (value - base) / factor(at)


def slips_of_factors(p: Parameters, used: Iterable[str], value: Value, number: bool) -> Iterator[Slip]:
    """Yield slips of factors that an answer, or an entry, has or lacks: numbers of the student's, fractions, and their roots.

    used: names of the numbers that a law asks for; number: whether the answer is a number, which may lack any, or a root.
    """
    powers = (1, -1, 0.5, -0.5) if number else (1, -1)
    missing, off = (FACTOR_OR_ROOT, NUMBER_OR_ROOT) if number else (FACTOR_OR_POWER, NUMBER_FACTOR)
    fields = [name for name in (sorted(vars(p)) if number else used) if name[0] != "_"]
    for label, size in itertools.chain.from_iterable(leaves(f"p.{name}", getattr(p, name)) for name in fields):
        for name, power in itertools.product(_whole_and_entries(value), powers) if size > 0 else ():
            yield about(missing, name), label, _scaling(name, value, size**power)
    for size in (3.0, 1.5, 12.0, 4 / 3):
        for name, power in itertools.product(_whole_and_entries(value), powers):
            yield about(off, name), f"{size:.3g}", _scaling(name, value, size**power)


def _whole_and_entries(value: Value) -> list[str]:
    """Return names of an answer and of its entries, as they begin a sentence."""
    shape, entries = flat(value)
    n = len(entries) if 1 < len(entries) <= MOST_ENTRIES else 0
    return [text("name.whole"), *(at_the_beginning(entry_name(shape, k)) for k in range(n))]


def _scaling(name: str, value: Value, factor: float) -> Change:
    """Return what multiplies the answer by a factor, or the entry of that name."""
    names = _whole_and_entries(value)

    def scale_entry(p: Parameters, at: At, value: Value) -> Tried:
        one = names.index(name) - 1
        if one < 0:
            return p, at, scaled(value, factor)
        return p, at, rebuilt(value, lambda x: [factor * a if k == one else a for k, a in enumerate(x)])

    return scale_entry
