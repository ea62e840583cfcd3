"""Points behind the gates of `branches`: on both sides of each place where an equation changes its form.

Random points of size one do not meet |x - 500|. The gates are computed in floats, on a grid of one letter at a time from
1e-7 to 1e7, coarsely from 1e-100 to 1e100, in a cloud of all sizes, and, where a gate shows one sign alone, where a search that moves
one letter after the other leads it to the other sign. One point is drawn in each pattern of signs that was not met.
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial, reduce
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import sympy
from sympy.core.relational import Relational

from eqproof.branches import Gate
from eqproof.points import DIGITS, LetterValues, Point

LEAPS = 48  # points beyond kinks that are tried for one equation at most
BASES = 2  # random points from which the lines of one letter set out
TURNS = 4  # zeros of a gate that turns, on one line, behind which a point is drawn
CLOUD = 4096  # points of all sizes
ROUNDS = 8  # of a search over all letters, one after the other
WINDOWS = 6  # lowest places of a gate on a line between which it is looked for more finely
HALVINGS = 45
SMALL, LARGE = 1e-4, 1e7  # between these a letter is of a usual size
SAME = 1e-12  # two zeros that are nearer, as a share of their size, are one
INSIDE = 0.4321  # where between two zeros a point is drawn: not in the middle, where another kink may be
SHIFT = 1.0123456789  # keeps the grid off round numbers, at which kinks stand
NEAR = SHIFT * np.logspace(-7, 7, 1401)
FAR = SHIFT * np.logspace(7.2, 100, 465)
TINY = SHIFT * np.logspace(-100, -7.2, 465)
EXACT = 6 * DIGITS  # digits of a point that must lie on a zero
Floats = np.ndarray
Step = Callable[..., Any]  # makes a value, at many points at once, of those of the parts of an expression
Pattern = tuple[int, ...]  # the signs of all gates at a point
FUNCTIONS: dict[Any, Step] = {
    sympy.Add: lambda *x: reduce(np.add, x),
    sympy.Mul: lambda *x: reduce(np.multiply, x),
    sympy.Pow: np.power,
    sympy.sin: np.sin,
    sympy.cos: np.cos,
    sympy.tan: np.tan,
    sympy.exp: np.exp,
    sympy.log: np.log,
    sympy.Abs: np.abs,
    sympy.sign: np.sign,
    sympy.asin: np.arcsin,
    sympy.acos: np.arccos,
    sympy.atan: np.arctan,
    sympy.atan2: np.arctan2,
    sympy.sinh: np.sinh,
    sympy.cosh: np.cosh,
    sympy.tanh: np.tanh,
    sympy.asinh: np.arcsinh,
    sympy.acosh: np.arccosh,
    sympy.atanh: np.arctanh,
    sympy.Max: lambda *x: reduce(np.maximum, x),
    sympy.Min: lambda *x: reduce(np.minimum, x),
    sympy.And: lambda *x: reduce(np.logical_and, x),
    sympy.Or: lambda *x: reduce(np.logical_or, x),
    sympy.Not: np.logical_not,
}
COMPARED = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}


class Program:
    """Expressions of SymPy as steps in floats, at many points at once; each part that occurs in several is one step."""

    def __init__(self, expressions: Iterable[sympy.Basic], letters: Iterable[sympy.Basic]) -> None:
        """Raise NotImplementedError at a function that is not known."""
        self.letters = list(letters)
        self.places: dict[sympy.Basic, int] = {x: i for i, x in enumerate(self.letters)}
        self.steps: list[tuple[Step, tuple[int, ...]]] = []
        self.results = [self.slot_of(x) for x in expressions]

    def __call__(self, values: LetterValues) -> Floats:
        """Return the values of all expressions, (expressions, points); NaN where they have none."""
        size = max((np.size(x) for x in values.values()), default=1)
        with np.errstate(all="ignore"):
            row = [np.asarray(values[x], dtype=float) for x in self.letters]
            for function, arguments in self.steps:
                row.append(function(*(row[i] for i in arguments)))
        return np.array([np.broadcast_to(row[i], size) for i in self.results], dtype=float)

    def slot_of(self, x: Any) -> int:
        """Return the place of an expression's value in the row of values, with a step for it if there is none."""
        if x not in self.places:
            step = self.step(x)
            self.steps.append(step)
            self.places[x] = len(self.letters) + len(self.steps) - 1
        return self.places[x]

    def step(self, x: Any) -> tuple[Step, tuple[int, ...]]:
        """Return the function that makes an expression's value, and the places of what it is made of."""
        if x.is_number or (x.is_Boolean and x.is_Atom):
            value = bool(x) if x.is_Boolean else float(x)
            return partial(np.asarray, value), ()
        if isinstance(x, sympy.Piecewise):
            return chosen, tuple(self.slot_of(part) for row in x.args for part in row.args)
        if isinstance(x, Relational):
            return COMPARED[x.rel_op], (self.slot_of(x.lhs), self.slot_of(x.rhs))
        if x.func not in FUNCTIONS:
            raise NotImplementedError(f"{x.func.__name__} in floats")
        return FUNCTIONS[x.func], tuple(map(self.slot_of, x.args))


def chosen(*rows: Any) -> Any:
    """Return the first value whose condition is true, (value, condition, value, condition, ..); NaN without one."""
    value: Any = np.nan
    for row, condition in reversed(list(zip(rows[::2], rows[1::2]))):
        value = np.where(condition, row, value)
    return value


@dataclass
class Survey:
    """The gates of claims, and where they were met; seen: patterns of their signs at points that were tried; far: at
    points alone at which a letter is very small or large.

    signs: those of each gate; found: points to try; moves: values of each letter beside zeros of gates.
    """

    gates: list[Gate]
    letters: list[sympy.Basic]
    seen: set[Pattern] = field(default_factory=set)
    far: set[Pattern] = field(default_factory=set)
    signs: dict[int, set[int]] = field(default_factory=dict)
    found: list[LetterValues] = field(default_factory=list)
    moves: dict[sympy.Basic, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the programs: of all gates, and of each."""
        self.values = Program([gate.expression for gate in self.gates], self.letters)
        self.single = [Program([gate.expression], self.letters) for gate in self.gates]

    def pattern(self, column: Floats) -> Pattern:
        """Return the signs of all gates at a point."""
        return tuple(0 if np.isnan(x) else int(np.sign(x)) for x in column)

    def note_points(self, columns: Floats) -> None:
        """Note points that are tried anyhow."""
        for column in columns.T:
            self.note_pattern(self.pattern(column))

    def note_pattern(self, pattern: Pattern, far: bool = False) -> None:
        """Note the signs of a point that is tried; far: letters are so small or large there that a difference may not be seen."""
        (self.far if far else self.seen).add(pattern)
        for i, sign in enumerate(pattern):
            self.signs.setdefault(i, set()).add(sign)

    def offer(self, letters: LetterValues, column: Floats, again: bool = False) -> None:
        """Keep a point whose pattern of signs is a new one; again: any."""
        pattern = self.pattern(column)
        far = is_far(letters)
        new = pattern not in self.seen and not (far and pattern in self.far)
        if (again or new) and len(self.found) < LEAPS:
            self.note_pattern(pattern, far)
            self.found.append(letters)

    def move(self, letter: sympy.Basic, base: LetterValues, value: float, again: bool = False) -> None:
        """Offer a point at which one letter has another value, and keep the value for points at which several have."""
        there = {**base, letter: value}
        self.moves.setdefault(letter, []).append(value)
        self.offer(there, self.values(there)[:, 0], again)

    def one_sided(self, i: int) -> bool:
        """Tell whether a gate was met with less than two signs."""
        return not {-1, 1} <= self.signs.get(i, set())


def is_far(letters: LetterValues) -> bool:
    """Tell whether letters are so small or large at a point that a product of them may be lost in what is no difference."""
    return any(not SMALL <= abs(x) <= LARGE for x in letters.values())


def grid_of(letter: sympy.Basic, far: bool = True) -> Floats:
    """Return the values of one letter that are looked at, in rising order."""
    positive = np.concatenate([TINY, NEAR, FAR]) if far else NEAR
    none = np.empty(0)
    return np.concatenate(
        [none if letter.is_nonnegative else -positive[::-1], none if letter.is_nonpositive else positive]
    )


def offer_along_lines(survey: Survey, base: dict[sympy.Basic, float]) -> None:
    """Offer the points on both sides of each zero of a gate where one letter moves and the others stay, and between two zeros."""
    for letter in survey.letters:
        line = grid_of(letter)
        values = survey.values({**base, letter: line})
        zeros: list[float] = []
        for i, gate in enumerate(survey.gates):
            if letter not in gate.letters:
                continue
            signs = np.sign(values[i])
            places = np.flatnonzero(signs[:-1] * signs[1:] < 0)
            distances = np.abs(np.log(np.abs(line[places]) / abs(base[letter])))
            places = places[np.argsort(distances, kind="stable")][:TURNS]
            for at in (at for k in places for at in (k, k + 1)):
                survey.move(letter, base, line[at], gate.turns)
            zeros += bisect_zeros(survey.single[i], base, letter, line[places], line[places + 1])
            if survey.one_sided(i):
                for x in sign_change_windows(survey, i, base, letter, line, values[i]):
                    survey.move(letter, base, x)
        for low, high in pairwise(sorted(zeros)):
            if high - low > SAME * abs(high):
                survey.move(letter, base, low + INSIDE * (high - low))


def bisect_zeros(program: Program, base: LetterValues, letter: sympy.Basic, low: Floats, high: Floats) -> list[float]:
    """Return the zeros of a gate between pairs of values of a letter."""
    if not len(low):
        return []
    first = np.sign(program({**base, letter: low})[0])
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        same = np.sign(program({**base, letter: middle})[0]) == first
        low = np.where(same, middle, low)
        high = np.where(same, high, middle)
    return [float(x) for x in (low + high) / 2]


def sign_change_windows(
    survey: Survey, i: int, base: LetterValues, letter: sympy.Basic, line: Floats, values: Floats
) -> list[float]:
    """Return where a gate has the other sign between two neighbors on a line, of one sign: it is nearest to zero there."""
    inner = np.abs(values[1:-1])
    with np.errstate(invalid="ignore"):
        places = 1 + np.flatnonzero((inner < np.abs(values[:-2])) & (inner < np.abs(values[2:])))
    share = np.abs(values[places]) / (np.abs(values[places - 1]) + np.abs(values[places + 1]))
    places = places[np.argsort(share, kind="stable")][:WINDOWS]
    signs = [(np.sign(values[k]), k) for k in places]
    found = []
    for sign in {sign for sign, _ in signs}:
        gap = gap_of(survey.single[i], base, letter, sign)
        found += refine_minima(gap, line, np.array([k for other, k in signs if other == sign]))
    return [x for x, distance in found if distance < 0]


def refine_minima(gap: Callable[[Floats], Floats], line: Floats, places: Floats) -> list[tuple[float, float]]:
    """Return (value of the letter, gap there) where a gap is smallest beside each of these places of a line, if it has one dip."""
    low = line[np.maximum(places - 1, 0)]
    high = line[np.minimum(places + 1, len(line) - 1)]
    for _ in range(HALVINGS if len(places) else 0):
        a = low + (high - low) / 3
        b = high - (high - low) / 3
        both = gap(np.concatenate([a, b]))
        left = both[: len(a)] < both[len(a) :]
        low = np.where(left, low, a)
        high = np.where(left, b, high)
    middle = (low + high) / 2
    return list(zip(middle.tolist(), gap(middle).tolist())) if len(places) else []


def gap_of(program: Program, base: LetterValues, letter: sympy.Basic, sign: float) -> Callable[[Floats], Floats]:
    """Return the function of one letter's values that is below zero where a gate has another sign than this one."""

    def gap(x: Floats) -> Floats:
        distance = sign * program({**base, letter: x})[0]
        return np.where(np.isnan(distance), np.inf, distance)

    return gap


def offer_from_cloud(survey: Survey, base: dict[sympy.Basic, float], seed: int) -> None:
    """Offer points of all sizes at which the gates have a pattern of signs that no other point has."""
    rng = np.random.default_rng(seed)
    letters = {x: 10 ** rng.uniform(-5, 7, CLOUD) for x in survey.letters}
    for x, values in letters.items():
        values *= -1 if x.is_nonpositive else 1 if x.is_nonnegative else rng.choice([-1, 1], CLOUD)
        if x in survey.moves:  # kinks of several letters at a time
            values[: CLOUD // 2] = rng.choice(survey.moves[x], CLOUD // 2)
        values[rng.random(CLOUD) < 0.3] = base[x]
    columns = survey.values(letters)
    for k, column in enumerate(columns.T):
        if not np.isnan(column).any():
            survey.offer({**base, **{x: values[k] for x, values in letters.items()}}, column)


def offer_by_search(survey: Survey, i: int, base: dict[sympy.Basic, float]) -> None:
    """Offer a point where a gate has the sign that it has nowhere yet: one letter after the other goes to the best value."""
    letters = [x for x in survey.letters if x in survey.gates[i].letters]
    here = dict(base)
    sign = np.sign(survey.values(here)[i, 0])
    for _ in range(ROUNDS if sign else 0):
        before = dict(here)
        for letter in letters:
            line = grid_of(letter, far=False)
            gap = gap_of(survey.single[i], here, letter, sign)
            distances = gap(line)
            ties = np.flatnonzero(distances == np.min(distances))  # on a plateau, away from its edges
            best = ties[len(ties) // 2]
            near = refine_minima(gap, line, np.array([best]))
            here[letter] = min([*near, (line[best], distances[best])], key=second)[0]
            there = survey.values(here)[:, 0]
            if sign * there[i] < 0:
                survey.offer(here, there)
                return
        if here == before:
            return


def second(pair: tuple[float, float]) -> float:
    """Return the second of two."""
    return pair[1]


def survey_gates(found: list[Gate], points: list[Point]) -> Survey:
    """Return the Survey of gates from random points that are tried anyhow."""
    letters = sorted({x for gate in found for x in gate.letters}, key=str)
    survey = Survey(found, letters)
    with mpmath.workdps(DIGITS):
        bases = [{x: float(point.number(x)) for x in letters} for point in points]
    survey.note_points(survey.values({x: np.array([base[x] for base in bases]) for x in letters}))
    for base in bases[:BASES]:
        offer_along_lines(survey, base)
    salt = hashlib.sha256(points[0].salt.encode()).digest()
    offer_from_cloud(survey, bases[0], int.from_bytes(salt[:4], "big"))
    for i, gate in enumerate(found):
        for base in bases[:BASES]:
            if survey.one_sided(i) and gate.sided and not gate.settled():
                offer_by_search(survey, i, base)
    return survey
