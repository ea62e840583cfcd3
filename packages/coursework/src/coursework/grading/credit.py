"""What part of an answer earns what: each entry is marked by the judge, and a rule turns the marks into points.

The marks travel with the verdict, the rule is the question's own or the teacher's (`[partial]` in course.toml): to change it takes no run.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from coursework.check.agreement import NO_FORM, POINTS, agree, programs_of, random_points, values_at
from coursework.check.data import squeezed
from coursework.check.mistakes import COUNTS, KNOWN_FACTORS
from coursework.check.mistakes import SIGN as OPPOSITE
from coursework.check.question import Credit
from coursework.check.reading import Unreadable, symbols
from coursework.check.session import assignment_files, assignment_module
from coursework.grading.settings import settings, subtable

MOST_PARTS = 64  # of an answer: of more, a part says nothing
RIGHT, NOTHING, SIGN, FACTOR, WRONG, NOT_ZERO = (
    "10sf-x"  # a mark: right; right, and zero; but for its sign; for a factor; wrong; where zero is right
)
KNOWN = [one.factor for one in KNOWN_FACTORS if one.factor is not None and one is not OPPOSITE]
Data = Any  # of check.data


def marks(reference: Data, answer: Data, tolerance: float, seed: Any) -> dict[str, Any] | None:
    """Return {shape, marks} of an answer that is not right, a mark for each entry; None where it has no parts."""
    try:
        found = _marks(reference, answer, tolerance, seed)
    except (Unreadable, *NO_FORM):
        return None
    return {"shape": found[0], "marks": found[1]} if found and {*found[1]} - {WRONG, NOTHING, NOT_ZERO} else None


def _marks(reference: Data, answer: Data, tolerance: float, seed: Any) -> tuple[list[int], str] | None:
    if "calls" in reference:
        pairs = list(zip(reference["calls"], answer["calls"], strict=True))
        ratios = [_compared(one, other, tolerance, seed) for one, other in pairs]
        shapes = {tuple(shape) for shape, _ in ratios}
        if len(shapes) != 1:
            return None
        (shape,) = shapes
        return list(shape), "".join(map(_over_all, zip(*(found for _, found in ratios), strict=True)))
    size, marked = _compared(reference, answer, tolerance, seed)
    return size, "".join(map(_over_all, zip(marked)))


def _over_all(found: tuple[float | str, ...]) -> str:
    """Return the mark of one entry from what it is in each call: NOTHING, NOT_ZERO, WRONG, or the factor by which it is off."""
    left = {*found} - {NOTHING}
    if len(left) > 1:
        return WRONG
    one = next(iter(left), NOTHING)
    return one if isinstance(one, str) else {1.0: RIGHT, -1.0: SIGN}.get(one, FACTOR)


def _compared(reference: Data, answer: Data, tolerance: float, seed: Any) -> tuple[list[int], list[float | str]]:
    """Return the shape of what an answer is compared with, and of each entry a mark or the factor by which it is off."""
    if "items" in reference:
        rights = [
            agree(part, answer["items"].get(name), tolerance, seed).holds for name, part in reference["items"].items()
        ]
        return [len(rights)], [1.0 if right else WRONG for right in rights]
    shape, expected = programs_of(reference)
    other, found = programs_of(answer)
    if squeezed(shape) != squeezed(other) or not 0 < len(expected) <= MOST_PARTS:
        raise Unreadable("it has no parts")
    names = set().union(*map(symbols, expected), *map(symbols, found))
    count = POINTS if names else 1
    values = [values_at(programs, random_points(names, seed, count), count) for programs in (expected, found)]
    if "text" in reference or names:
        tolerance = 1e-8
        largest = [max(map(abs, entry)) for entry in values[0]]
    else:
        largest = [max(1e-3, *(abs(entry[0]) for entry in values[0]))] * len(expected)
    factors = _known_factors(reference)
    return list(shape), [
        _mark(x, y, tolerance, size, max(largest), factors) for x, y, size in zip(*values, largest, strict=True)
    ]


def _known_factors(reference: Data) -> list[float]:
    """Return the factors that a part may be off by: none of what only counts."""
    numbers = reference.get("numbers", [0.5])
    return [] if all(float(x).is_integer() and abs(float(x)) < COUNTS for x in numbers) else [-1.0, *KNOWN]


def _mark(x: Any, y: Any, tolerance: float, size: float, whole: float, factors: list[float]) -> float | str:
    """Return the mark of one entry, or the factor by which it is off.  x, y: its values in the solution and in the answer."""
    if not all(map(_is_finite, [*x, *y])):
        return WRONG
    gap = tolerance * max(size, 1e-6 * whole)
    if max(map(abs, x)) <= tolerance * whole:
        return NOTHING if max(map(abs, y)) <= tolerance * whole else NOT_ZERO
    if max(abs(a - b) for a, b in zip(x, y)) <= gap:
        return 1.0
    fits = (factor for factor in factors if max(abs(factor * a - b) for a, b in zip(x, y)) <= abs(factor) * gap)
    return next(fits, WRONG)


def _is_finite(z: complex) -> bool:
    return math.isfinite(z.real) and math.isfinite(z.imag)


# where: change what a part of an answer earns
# what each question says of it stands in its record, what a course changes in its `course.toml`
def share(parts: Mapping[str, Any], credit: Credit) -> float:
    """Return the share of the points, from 0 to 1, that the marks of an answer earn by a rule."""
    worth = {RIGHT: 1.0, SIGN: credit.sign, FACTOR: credit.factor, WRONG: 0.0, NOT_ZERO: 0.0}
    signs = parts["marks"]
    long = len(signs) // max(1, parts["shape"][0] if len(parts["shape"]) > 1 else 1)
    if credit.by == Credit.WHOLE:
        groups = [signs]
    elif credit.by == Credit.ROWS and len(parts["shape"]) > 1:
        groups = [signs[i : i + long] for i in range(0, len(signs), long)]
    elif credit.by == Credit.COLUMNS and len(parts["shape"]) > 1:
        groups = [signs[i::long] for i in range(long)]
    else:
        groups = list(signs)
    earned = [
        min(worth[sign] for sign in group if sign != NOTHING) for group in groups if {*group} - {NOTHING, NOT_ZERO}
    ]
    lost = sum(
        NOT_ZERO in group for group in groups if not {*group} - {NOTHING, NOT_ZERO}
    )  # nobody earns by filling all with zeros
    return max(0.0, (sum(earned) - lost) / len(earned)) if earned else 0.0


def points_of(verdict: Mapping[str, Any], credit: Credit) -> float | None:
    """Return the points of a verdict by a rule; None where a person decides."""
    if verdict["points"] is None or verdict["points"] > 0 or not verdict.get("parts"):
        return verdict["points"]
    return round(verdict["most"] * share(verdict["parts"], credit), 2)


def describe_parts(verdict: Mapping[str, Any]) -> str:
    """Return a sentence on the parts of an answer, "" where it has none."""
    if not verdict.get("parts"):
        return ""
    counted = [sign for sign in verdict["parts"]["marks"] if sign not in (NOTHING, NOT_ZERO)]
    many = {sign: counted.count(sign) for sign in (RIGHT, SIGN, FACTOR)}
    words = {RIGHT: "right", SIGN: "right but for the sign", FACTOR: "right but for a known factor"}
    return (
        f"Of {len(counted)} parts " + ", ".join(f"{count} {words[sign]}" for sign, count in many.items() if count) + "."
    )


def rules(folder: Path, assignment: str) -> dict[str, Credit]:
    """Return {question: its rule} of an assignment: the teacher's for it, else the question's own, else the teacher's for all."""
    partial = subtable(settings(folder), "partial", "partial")
    general = {name: value for name, value in partial.items() if not isinstance(value, dict)}
    assignments = assignment_files("questions")
    if strange := sorted({*partial} - {*general} - {*assignments}):
        raise ValueError(
            f"[partial] in course.toml must have tables of assignments ({', '.join(sorted(assignments))}), got {', '.join(strange)}"
        )
    own = subtable(partial, assignment, f"partial.{assignment}")
    questions = assignment_module(assignment).QUESTIONS
    if strange := sorted({*own} - {*questions}):
        raise ValueError(
            f"[partial.{assignment}] in course.toml must name questions of {assignment}, got {', '.join(strange)}"
        )
    found = {}
    for name, question in questions.items():
        where = f"partial.{assignment}.{name}"
        found[name] = _changed(
            question.earns(_changed(Credit(), general, "partial")), subtable(own, name, where), where
        )
    return found


def _changed(credit: Credit, given: Mapping[str, Any], where: str) -> Credit:
    """Return a rule with what a table gives in place of its own.  Raises ValueError, in words."""
    known = asdict(credit)
    for name, value in given.items():
        fits = value in Credit.WAYS if name == "by" else type(value) in (int, float) and 0 <= value <= 1
        if name not in known or not fits:
            raise ValueError(
                f"[{where}] in course.toml must have by = {' or '.join(map(repr, Credit.WAYS))}, sign and factor from 0 to 1, got {name} = {value!r}"
            )
    return replace(credit, **given)
