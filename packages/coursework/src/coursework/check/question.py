"""A question as a check sees it: laws, typical mistakes, hints; and the diagnosis of an answer, which is DATA."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from coursework.check import laws, plain, repair, slips
from coursework.check.agreement import NO_FORM, agree, programs_of, random_points, sampled
from coursework.check.data import MOST_CURVES, as_data, calls_as_data, flat, nested
from coursework.check.diagnosis import Diagnosis, Kind, Said, ids_of, said, sentences
from coursework.check.form import is_drawn, other_form, state_in_words, wanted
from coursework.check.formula_slips import is_near
from coursework.check.messages import joined, text
from coursework.check.parameters import Draw, Parameters
from coursework.check.reading import Unreadable, evaluate, read, symbols
from coursework.lazy_numpy import np, quiet

if TYPE_CHECKING:
    from coursework.check.aliases import Array, At, Data, Law, Points, Program, Shape, Value

    Inputs = Sequence[tuple[Any, ...]] | None  # at which a function is called
    Formula = tuple[Any, list[Program], Points]  # the shape that is asked for, programs, points

ALIKE = 1e-6  # of the same number, computed in two ways
MOST_NAMED = 3  # mistakes that give the same with a student's numbers: more tell nothing


@dataclass(frozen=True)
class Credit:
    """What part of an answer earns what: by its entries, its rows or columns (one a joint, a link, a body), or the whole alone.

    sign, factor: the share of a part that is right but for its sign, or for one of the factors that the checks know.
    """

    by: str = "entries"
    sign: float = 0.5
    factor: float = 0.5

    ENTRIES: ClassVar[str] = "entries"
    ROWS: ClassVar[str] = "rows"
    COLUMNS: ClassVar[str] = "columns"
    WHOLE: ClassVar[str] = "whole"
    WAYS: ClassVar[tuple[str, ...]] = (ENTRIES, ROWS, COLUMNS, WHOLE)


ALL_OR_NOTHING = Credit(Credit.WHOLE, 0.0, 0.0)


@dataclass(frozen=True)
class Question:
    """What is known of a question without its answer.

    title: what it asks for; shape: of the answer (of one call, for functions), a tuple or a function (p, at) -> tuple;
    axes of length 1 do not count; None: whatever the laws say.
    inputs(p, draw): tuples of arguments at which a function is called; None: the answer is a value.
    laws: functions (p, at, value) -> sentence or None; `at`: the arguments, or {symbol: number} for a formula;
    value: a number or nested lists of them, in plain Python; an array where a function was called.
    mistakes: {sentence: function p -> the wrong answer}; hints: three, each tells more.
    tolerance: for numbers, relative to the largest; names: symbols that a formula may use.
    unseen(p, draw): where numbers are tried, as a model on a new motion: what laws get as `at`; the grade's is secret.
    wrap(p, function): what is called in place of the function that is handed in, as a simulation around a controller.
    arguments: names of what a function is called with, for words.
    telling: whether who draws the states knows the answers: then they are drawn where it is judged, and given as data.
    judged: "reference" (by the solution) or "laws" (a design: whatever obeys them is right) or "person".
    show: what `check.show` shows of it, a function of p: a figure to answer in, or the run that is to be predicted;
    prediction: the first answer whose form is right is locked, and only then is it shown.
    lines: {what it is called: formula} of a printed derivation, those that are right as they are printed, and `own`, the
    letters of the one that is asked for; an answer that belongs to another line is told so.
    printed: whether a program is given, and where it is wrong is asked: then no search may say so.
    score: of an open task, what counts beyond the points, the less the better: (words, function p, at, value -> number).
    credit: what part of the answer earns what; None: what is usual in the course, and nothing for what stands in print.
    """

    title: str
    shape: Shape | Callable[[Parameters, At], Shape] | None = ()
    inputs: Callable[[Parameters, Draw], Sequence[tuple[Any, ...]]] | None = None
    laws: tuple[Law, ...] = ()
    mistakes: Mapping[str, Callable[[Parameters], Any]] = field(default_factory=dict)
    hints: tuple[str, ...] = ()
    tolerance: float = 1e-6
    names: str = ""
    unseen: Callable[[Parameters, Draw], At] | None = None
    wrap: Callable[[Parameters, Any], Any] | None = None
    judged: str = "reference"
    arguments: str = ""
    show: Callable[[Parameters], object] | None = None
    prediction: bool = False
    telling: bool = False
    lines: Mapping[str, str] = field(default_factory=dict)
    own: str = ""
    printed: bool = False
    score: tuple[str, Callable[[Parameters, At, Value], float]] | None = None
    credit: Credit | None = None

    def earns(self, default: Credit) -> Credit:
        """Return what its parts earn, a Credit: its own, else the default, but nothing where what is right stands in print."""
        shown = self.printed or self.lines or self.prediction or self.judged != "reference"
        return self.credit or (ALL_OR_NOTHING if shown else default)

    def shape_at(self, p: Parameters, at: At) -> Shape | None:
        """Return the shape of the answer, or of a call with the arguments `at`; None: any."""
        return self.shape(p, at) if callable(self.shape) else self.shape

    def states(self, p: Parameters, seed: str) -> Inputs:
        """Return the arguments at which a function is called, or None; the same for the same seed."""
        return self.inputs(p, Draw(seed)) if self.inputs else None


def tells(
    number: Callable[..., Value],
    parts: Mapping[str, Any],
    others: Mapping[str, Sequence[Any]] | None = None,
    least: float = 1e-3,
) -> bool:
    """Return whether a number, or each of some, tells generic mistakes: whether they change it by more than `least` of it.

    number(**parts); each part is lost, turned, doubled or halved, or is one of others[its name], what it may be taken for.
    What a mistake gives that cannot be computed, or leaves a part as it was, is none.
    """
    right = flat(number(**parts))[1]
    size = least * max(map(abs, right))
    for name, part in parts.items():
        for instead in (*(factor * part for factor in laws.PARTS.values()), *(others or {}).get(name, ())):
            try:
                found = flat(number(**{**parts, name: instead}))[1]
            except (ArithmeticError, ValueError):
                continue
            if instead != part and max(abs(a - b) for a, b in zip(found, right)) <= size:
                return False
    return True


def with_parts_replaced(parts: Mapping[str, Any], names: str, value: Any) -> dict[str, Any]:
    """Return {part of an answer: value} with the same value for all that are named: what a typical mistake makes of it.

    names: one or more, with blanks between them.
    """
    if not set(names.split()) <= set(parts) or not names:
        raise ValueError(f"a mistake must name some of {', '.join(parts)}, got {names!r}")
    return {**parts, **dict.fromkeys(names.split(), value)}


def diagnose(
    question: Question,
    p: Parameters,
    data: Data,
    inputs: Inputs = None,
    seed: object = 7,
    cell: repair.Cell | None = None,
) -> list[str]:
    """Return sentences that say which law or which mistake, and where, as `find` finds them; none if all checks hold."""
    return sentences(find(question, p, data, inputs, seed, cell))


def find(
    question: Question,
    p: Parameters,
    data: Data,
    inputs: Inputs = None,
    seed: object = 7,
    cell: repair.Cell | None = None,
) -> list[Diagnosis]:
    """Return the list of `Diagnosis` of an answer, which say which law or which mistake, and where; none if all checks hold.

    data: the answer, DATA; inputs: where a function was called; seed: of the points at which formulas are evaluated;
    cell: the student's `repair.Cell` that made it, where there is one.
    The expected value is in no sentence.  A mistake is named only where a law fails: it may coincide with the answer.
    """
    try:
        with quiet():
            return _find(question, p, data, inputs, seed, cell)
    except Unreadable as error:
        return [Diagnosis(Kind.UNREAD, text("form.unread", why=error))]
    except NO_FORM:
        form = wanted(question, None if callable(question.shape) else question.shape)
        return [Diagnosis(Kind.UNREAD, text("form.unread-form", wanted=form))]


def _find(
    question: Question, p: Parameters, data: Data, inputs: Inputs, seed: object, cell: repair.Cell | None
) -> list[Diagnosis]:
    form = other_form(question, p, data, inputs)
    if form:
        return [form]
    samples = list(_samples(question, p, data, inputs, seed)) if question.laws else []
    found, vague = _broken(question, p, samples)
    if not found:
        return []
    named = _mistakes(question, p, data, inputs, seed)
    if named:  # what else would explain the answer was not made as well
        # where a program is printed, the law says what is wrong
        return [named, found[0] if question.printed else replace(found[0], text=said(found[0].text).law)]
    search = None  # where there is no cell, or all is said
    if cell is not None and not found[0].done:
        search = partial(_repaired, question, p, data, inputs, seed, cell)
    if question.wrap and not question.score and search:
        return [found[0], *filter(None, [search()])]
    slip = _slip(question, p, data, inputs, seed, samples, search) if vague else None
    return [found[0], *([slip] if slip else found[1:2])]


def _slip(
    question: Question,
    p: Parameters,
    data: Data,
    inputs: Inputs,
    seed: object,
    samples: list[tuple[At, Value]],
    search: Callable[[], Diagnosis | None] | None,
) -> Diagnosis | None:
    """Return a Diagnosis of a generic mistake; search(): what one change of the student's cell would put right."""
    formula = _formula(question, p, data, seed) if question.names and inputs is None else None
    slip: Said | Diagnosis | None = _words_on_another_line(question, *formula) if formula and question.lines else None
    slip = slip or slips.find_mistake(question, p, samples, formula, search)
    if formula and not slip:
        slip = _strange(question, *formula)
    return Diagnosis(Kind.SLIP, slip, ids_of(slip)) if isinstance(slip, Said) else slip


def _broken(question: Question, p: Parameters, samples: list[tuple[At, Value]]) -> tuple[list[Diagnosis], bool]:
    """Return a Diagnosis for each law that does not hold, and whether none of them names a mistake."""
    # there the values are none of the student's
    found = []
    vague = not question.wrap
    for law in question.laws:
        for at, value in samples:
            sound = isinstance(value, dict) or all(map(math.isfinite, flat(value)[1]))
            words = _said(question, law, p, at, value) if sound else text("law.infinite")
            if words:
                words = said(words)
                vague = vague and sound and slips.is_vague(question, p, law, at, value, words)
                kind = Kind.LAW if sound else Kind.INFINITE
                found.append(Diagnosis(kind, words, ids_of(words), state_in_words(at), words.done))
                break
    return found, vague


def _mistakes(question: Question, p: Parameters, data: Data, inputs: Inputs, seed: object) -> Diagnosis | None:
    """Return a Diagnosis of the typical mistakes that give this answer, or None: too many tell nothing."""
    named = [
        (str(number), name)
        for number, (name, mistake) in enumerate(question.mistakes.items())
        if _is_mistake(question, p, mistake, data, inputs, seed)
    ]
    if not 0 < len(named) <= MOST_NAMED:
        return None
    numbers, names = zip(*named)
    words = text("question.typical", names=joined("name.mistake-or", names))
    return Diagnosis(Kind.MISTAKE, words, numbers)


def _words_on_another_line(
    question: Question, shape: Shape | None, programs: list[Program], points: Points
) -> Said | None:
    """Return words for an answer that belongs to a line of a derivation which is right as it is printed, but for one part perhaps."""
    if not set().union(*map(symbols, programs)):
        return Said(text("formula.no-letter"))
    for name, line in question.lines.items():
        if is_near(programs[0], read(line), question.names.split(), points):
            return Said(text("formula.other-line", name=name))
    return None


def _strange(question: Question, shape: Shape | None, programs: list[Program], points: Points) -> Said | None:
    """Return words for letters that the line which is asked for should not have."""
    strange = sorted(set().union(*map(symbols, programs)) - set(question.own.split())) if question.own else []
    return Said(text("formula.strange", names=joined("name.and", strange))) if strange else None


def _repaired(
    question: Question, p: Parameters, data: Data, inputs: Inputs, seed: object, cell: repair.Cell
) -> Diagnosis | None:
    """Return a Diagnosis of the one part of the student's cell that is wrong, or None."""
    if question.printed or all(float(x).is_integer() for x in data.get("numbers", [0.5])):
        return None  # the place is asked for, or one of a few answers

    calls = zip(inputs or (), data.get("calls", ()))
    order = sorted(calls, key=lambda one: _holds(question, p, {"calls": [one[1]]}, [one[0]], seed))  # what fails, first

    def judge(value: Any, other: Parameters | None) -> bool:
        if inputs is None:
            return _holds(question, other or p, as_data(value), None, seed)
        called = question.wrap(p, value) if question.wrap else value
        return all(_holds(question, p, calls_as_data(called, [at]), [at], seed) for at, _ in order)

    cell = cell if inputs is None else replace(cell, others=())  # many calls leave nothing to chance
    words = repair.find_number_for_letter(cell, question.names.split(), judge) or repair.find_wrong_part(cell, judge)
    return Diagnosis(Kind.LINE, words, ids_of(words)) if words else None


def _holds(question: Question, p: Parameters, data: Data, inputs: Inputs, seed: object) -> bool:
    """Return whether an answer has the form asked for, and all laws hold."""
    try:
        with laws.wordless():
            return other_form(question, p, data, inputs) is None and all(
                (isinstance(value, dict) or all(map(math.isfinite, flat(value)[1])))
                and all(law(p, at, value) is None for law in question.laws)
                for at, value in _samples(question, p, data, inputs, seed)
            )
    except (Unreadable, *NO_FORM):
        return False


def scored(question: Question, p: Parameters, data: Data, inputs: Inputs = None, seed: object = 7) -> float | None:
    """Return the score of an answer that holds, the worst of all inputs; None where the question has none."""
    if question.score is None:
        return None
    with quiet():
        return max(float(question.score[1](p, at, value)) for at, value in _samples(question, p, data, inputs, seed))


def told_score(question: Question, score: float) -> str:
    """Return the sentence that tells a student a score."""
    of_what = question.score[0] if question.score else ""
    return text("question.score", score=f"{score:.3g}", words=of_what)


def _said(question: Question, law: Law, p: Parameters, at: At, value: Value) -> str | None:
    """Return the sentence of a law, also of finite numbers with which no law can compute."""
    try:
        return law(p, at, value)
    except (ArithmeticError, ValueError) as error:
        if question.shape is None or isinstance(error, Unreadable):  # the form may be wrong
            raise
        return text("law.too-large")


def _is_mistake(
    question: Question,
    p: Parameters,
    mistake: Callable[[Parameters], Any],
    data: Data,
    inputs: Inputs,
    seed: object,
) -> bool:
    wrong = mistake(p)
    wrong = question.wrap(p, wrong) if question.wrap else wrong
    rounded = len(data.get("numbers", ())) != 1 or all(x == round(x, 4) for x in map(float, data["numbers"]))
    tolerance = question.tolerance if rounded else max(ALIKE, question.tolerance / 20)  # seldom the same by chance
    if inputs is None:
        return bool(agree(as_data(wrong), data, tolerance, seed).holds)
    return all(  # call by call: most mistakes give another value at once
        agree(calls_as_data(wrong, [at]), {"calls": [call]}, tolerance, seed).holds
        for at, call in zip(inputs, data["calls"])
    )


def _samples(question: Question, p: Parameters, data: Data, inputs: Inputs, seed: object) -> Iterator[tuple[At, Value]]:
    """Yield pairs: where, and the value there as real numbers, in the shape asked for."""
    if inputs is not None:
        for arguments, call in zip(inputs, data["calls"]):
            yield arguments, arrays(call, question.shape_at(p, arguments))
    elif "curves" in data:
        if len(data["curves"]) > MOST_CURVES:
            raise Unreadable(f"more than {MOST_CURVES} lines")
        yield (), {**data, "curves": [curve for curve in data["curves"] if is_drawn(curve)]}
    elif "items" in data:
        yield (), data
    elif not question.names:
        shape = question.shape_at(p, ())
        at = question.unseen(p, Draw(f"{seed}")) if question.unseen else ()
        yield at, nested(_numbers(data), data["shape"] if shape is None else shape)
    else:
        yield from sampled(*_formula(question, p, data, seed), 4)


def _formula(question: Question, p: Parameters, data: Data, seed: object) -> Formula:
    """Return shape and programs of an answer that is a formula, and the points at which it is evaluated."""
    return question.shape_at(p, ()), programs_of(data)[1], random_points(question.names.split(), seed)


def arrays(data: Data, shape: Shape | None = None) -> Array | dict[str, Any]:
    """Return the array of numbers in DATA, in a shape, or the dict of its items."""
    if "items" in data:
        return {key: arrays(part) for key, part in data["items"].items()}
    return np.array(_numbers(data)).reshape(data["shape"] if shape is None else shape)


def _numbers(data: Data) -> list[float]:
    """Return the numbers in DATA, or those that its formulas without symbols stand for."""
    if "numbers" in data:
        return [float(x) for x in data["numbers"]]
    return [evaluate(read(text), {}, plain)[0].real for text in data["text"]]
