"""Do two pieces of DATA say the same?  Formulas: at random points, no simplifier.  Numbers: within a stated tolerance."""

from __future__ import annotations

import math
import random
from cmath import isfinite
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from coursework.check import plain
from coursework.check.data import MOST_CURVES, MOST_TEXT, nested, squeezed
from coursework.check.messages import text
from coursework.check.reading import MOST_TOKENS, Unreadable, evaluate, plain_name, read, symbols
from coursework.lazy_numpy import np, quiet

if TYPE_CHECKING:
    from coursework.check.aliases import Array, Data, Points, Program, Shape

POINTS = 8
MOST_EXACT = 50_000  # operations that are worth a look with 50 digits
FORMULA_TOLERANCE = 1e-8  # equal formulas differ by rounding, about 1e-14; different ones by 1e-3 and more
NO_FORM = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError, RecursionError, MemoryError)
SIGNED = ("q", "th", "ph", "ps", "x", "y", "tau", "u", "v")  # names that take both signs; all others are positive


@dataclass(frozen=True)
class Agreement:
    """Whether two answers say the same (None: it cannot be decided by machine), why not, and where."""

    holds: bool | None
    sentence: str = ""
    where: str = ""


def agree(reference: Data, answer: Data | None, tolerance: float = 1e-6, seed: object = 7) -> Agreement:
    """Return the Agreement of an answer with the reference, both DATA; the form is the reference's.

    seed: of the random points; whoever grades keeps it, else a formula could be fitted to the points alone.
    """
    try:
        with quiet():
            return _agree(reference, answer, tolerance, seed)
    except Unreadable as error:
        return Agreement(None, f"the answer cannot be read by machine: {error}")
    except NO_FORM:
        return Agreement(None, "the answer is not in a form that can be judged by machine")


def random_points(names: Iterable[str], seed: object = 7, count: int = POINTS) -> Points:
    """Return {name: Values, count of them}, the same for the same seed: coordinates of both signs, parameters positive."""
    return {name: _values_of(name, seed, count) for name in sorted(names)}


@lru_cache(maxsize=100)  # the laws, each mistake and the solution ask for the same
def _values_of(name: str, seed: object, count: int) -> plain.Values:
    draw = random.Random(f"{seed} {name}")
    low, high = (-2.9, 2.9) if name.startswith(SIGNED) else (0.5, 2.0)
    return plain.Values([complex(draw.uniform(low, high)) for _ in range(count)])


def programs_of(data: Data) -> tuple[Shape, list[Program]]:
    """Return the shape and the programs of formulas, or of numbers, in DATA."""
    if "unreadable" in data:
        raise Unreadable(str(data["unreadable"])[:200])
    shape = tuple(int(size) for size in data["shape"])
    if "text" in data:
        programs = _programs(tuple(data["text"]))
    else:
        programs = [[("number", float(number))] for number in data["numbers"]]
    if math.prod(shape) != len(programs) or len(shape) > 4:
        raise Unreadable("its shape and its entries do not fit")
    return shape, programs


@lru_cache(maxsize=2)  # an answer and what it is compared with
def _programs(texts: tuple[str, ...]) -> list[Program]:
    if sum(map(len, texts)) > MOST_TEXT:
        raise Unreadable(f"formulas of more than {MOST_TEXT} characters")
    programs = [read(text) for text in texts]
    if sum(map(len, programs)) > MOST_TOKENS:
        raise Unreadable(f"formulas of more than {MOST_TOKENS} parts")
    return programs


def values_at(programs: Iterable[Program], points: Points, count: int = POINTS) -> list[plain.Values]:
    """Return a list with the Values of each program at random points."""
    values = [evaluate(program, points, plain) for program in programs]
    return [found if len(found) == count else plain.Values(tuple(found) * count) for found in values]


def sampled(
    shape: Shape, programs: Iterable[Program], points: Points, count: int
) -> Iterator[tuple[dict[str, float], Any]]:
    """Yield pairs of a random point, {name: number}, and the value of formulas there, real or not a number, in their shape."""
    values = values_at(programs, points, len(next(iter(points.values()))))
    for column in range(count):
        value = [entry[column] for entry in values]
        size = max([1e-9, *map(abs, value)])
        real = [z.real if abs(z.imag) <= 1e-8 * size else math.nan for z in value]
        yield named(points, column), nested(real, shape)


def _agree(reference: Data, answer: Data | None, tolerance: float, seed: object) -> Agreement:
    if isinstance(answer, dict) and "error" in answer:
        return Agreement(False, f"stopped with {answer['error']}")
    for form, compare in (("items", _items), ("calls", _calls), ("curves", _curves)):
        if form in reference:
            return compare(reference, answer, tolerance, seed)
    if not isinstance(answer, dict):
        return Agreement(False, "there is no answer")
    if "unreadable" in answer and "numbers" in reference:
        return Agreement(None, f"it is {answer['unreadable']}")
    shape, expected = programs_of(reference)
    found_shape, found = programs_of(answer)
    if squeezed(shape) != squeezed(found_shape):
        return Agreement(False, f"the shape should be {shape}, it is {found_shape}")
    if "text" in reference or any(symbols(program) for program in found):
        return _formulas(shape, expected, found, seed)
    values = [value for (value,) in values_at(found, {}, 1)] if "text" in answer else [*map(float, answer["numbers"])]
    return _numbers(shape, reference["numbers"], values, tolerance, found if "text" in answer else None)


def _formulas(shape: Shape, expected: list[Program], found: list[Program], seed: object) -> Agreement:
    names = set().union(*map(symbols, expected), *map(symbols, found))
    points = random_points(names, seed)
    a = values_at(expected, points)
    b = values_at(found, points)
    if not all(any(map(isfinite, values)) for values in b):
        return _without_value(found, points)
    sound = _sound_points(a + b)
    if len(sound) < POINTS // 2:
        return Agreement(None, "the formula has no value at too many points")
    wrong = _farthest(a, b, sound)
    if wrong and sum(len(found[i]) for i in wrong) < MOST_EXACT:  # or is it only rounding? 50 digits tell
        wrong = {i: k for i, k in wrong.items() if not _equal_at_50_digits(expected[i], found[i], points, k)}
    if wrong:
        return Agreement(False, "the formula has another value", entry_name(shape, min(wrong)))
    if _sound_points(a) != sound:
        return Agreement(None, "the formula has no value at some points")
    return Agreement(True)


def _sound_points(values: list[plain.Values]) -> list[int]:
    """Return the points at which all formulas have a value."""
    return [k for k in range(POINTS) if all(isfinite(one[k]) for one in values)]


def _farthest(expected: list[plain.Values], found: list[plain.Values], points: list[int]) -> dict[int, int]:
    """Return {entry: the point at which it is farthest off} of the entries that differ by more than rounding."""
    sizes = [max(abs(x[k]) for k in points) for x in expected]
    floor = 1e-6 * max(sizes, default=0.0) + 1e-12
    wrong = {}
    for i, (x, y) in enumerate(zip(expected, found)):
        gap, at = max((abs(x[k] - y[k]), k) for k in points)
        if gap > FORMULA_TOLERANCE * max(sizes[i], floor):
            wrong[i] = at
    return wrong


def _equal_at_50_digits(first: Program, second: Program, points: Points, column: int) -> bool:
    import mpmath

    with mpmath.workdps(50):
        point = {name: mpmath.mpc(values[column]) for name, values in points.items()}
        try:
            a = evaluate(first, point, mpmath)
            b = evaluate(second, point, mpmath)
        except (ArithmeticError, Unreadable, ValueError):
            return False
        return abs(a - b) <= FORMULA_TOLERANCE * max(abs(a), mpmath.mpf("1e-12"))


def _without_value(programs: Iterable[Program], points: Points) -> Agreement:
    """Return the Agreement of formulas that overflow: a person decides if 50 digits give a value, else they have none."""
    import mpmath

    with mpmath.workdps(50):
        point = {name: mpmath.mpc(values[0]) for name, values in points.items()}
        try:
            values = [evaluate(program, point, mpmath) for program in programs]
        except (ArithmeticError, ValueError):
            values = [mpmath.nan]
        if all(mpmath.isfinite(value) for value in values):
            return Agreement(None, "the formula has a value only with more digits than a machine computes with")
    return Agreement(False, "the formula has no finite value")


def _numbers(
    shape: Shape, expected: Sequence[Any], found: Sequence[Any], tolerance: float, programs: list[Program] | None = None
) -> Agreement:
    expected = [float(number) for number in expected]
    if programs and not all(map(isfinite, found)) and _without_value(programs, {}).holds is None:
        return Agreement(None, "its value needs more digits than a machine computes with")
    if not all(map(isfinite, found)):
        return Agreement(False, "it is not a finite number", entry_name(shape, [*map(isfinite, found)].index(False)))
    gaps = [abs(a - b) for a, b in zip(found, expected)]
    if gaps and not max(gaps) <= tolerance * max(*map(abs, expected), 1e-3):
        return Agreement(False, "the number is another", entry_name(shape, gaps.index(max(gaps))))
    return Agreement(True)


def _items(reference: Data, answer: Any, tolerance: float, seed: object) -> Agreement:
    for key, expected in reference["items"].items():
        if key not in answer["items"]:
            return Agreement(False, f"the entry {key!r} is missing")
        part = _agree(expected, answer["items"][key], tolerance, seed)
        if not part.holds:
            return Agreement(part.holds, f"entry {key!r}: {part.sentence}", part.where)
    return Agreement(True)


def _calls(reference: Data, answer: Any, tolerance: float, seed: object) -> Agreement:
    if len(answer["calls"]) != len(reference["calls"]):
        return Agreement(False, "the function was not called at every state")
    doubt = None
    for number, (expected, found) in enumerate(zip(reference["calls"], answer["calls"])):
        part = _agree(expected, found, tolerance, seed)
        if part.holds is False:
            return Agreement(False, part.sentence, f"call {number + 1}" + (f", {part.where}" if part.where else ""))
        doubt = doubt or (part if part.holds is None else None)
    return doubt or Agreement(True)


def _curves(reference: Data, answer: Any, tolerance: float, seed: object) -> Agreement:
    if len(answer["curves"]) > MOST_CURVES:
        raise Unreadable(f"more than {MOST_CURVES} lines")
    curves = [tuple(np.array(curve[axis]["numbers"], dtype=float) for axis in "xy") for curve in answer["curves"]]
    for number, expected in enumerate(reference["curves"], start=1):
        x, y = (np.array(expected[axis]["numbers"], dtype=float) for axis in "xy")
        if not any(_same_curve(x, y, *curve, tolerance=tolerance) for curve in curves):
            return Agreement(False, "no line of the plot is the one asked for", f"line {number}")
    missing = [f"{axis} axis" for axis, label in (("x", "xlabel"), ("y", "ylabel")) if not str(answer[label]).strip()]
    return Agreement(False, f"there are no words at the {missing[0]}") if missing else Agreement(True)


def _same_curve(x: Array, y: Array, found_x: Array, found_y: Array, *, tolerance: float) -> bool:
    """Return whether a line runs along the reference: over at least its range, within tolerance of its height."""
    if len(found_x) < 2 or not (np.isfinite(found_x).all() and np.isfinite(found_y).all()):
        return False
    order = np.argsort(found_x, kind="stable")
    reach = 1e-9 + 0.02 * np.ptp(x)
    covers = found_x.min() <= x.min() + reach and found_x.max() >= x.max() - reach
    return bool(covers and abs(np.interp(x, found_x[order], found_y[order]) - y).max() <= tolerance * np.ptp(y))


def entry_name(shape: Sequence[int], place: int) -> str:
    """Return the name of an entry, counted from 1: entry (1, 2)."""
    if math.prod(shape) == 1:
        return ""
    counted: list[str] = []
    for size in reversed(shape):
        place, i = divmod(place, size)
        counted.insert(0, str(i + 1))
    return text("name.entry", place=", ".join(counted))


def named(points: Points, column: int) -> dict[str, float]:
    """Return {name: value} of one random point."""
    return {plain_name(name): values[column].real for name, values in points.items()}
