"""A question as a check sees it: laws, typical mistakes, hints; and the diagnosis of an answer, which is DATA."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from coursework.check import laws, plain, repair, slips
from coursework.check.agreement import NO_FORM, agree, entry_name, programs_of, random_points, sampled
from coursework.check.data import MOST_CURVES, as_data, calls_as_data, flat, nested
from coursework.check.diagnosis import Diagnosis, Kind, Mistake, said, sentences
from coursework.check.reading import Unreadable, evaluate, read, symbols
from coursework.lazy_numpy import np, quiet

MOST_SHOWN = 20  # numbers of an argument that a sentence shows
NOT_FINITE = {"oo", "zoo", "nan"}  # as SymPy writes them
UNREAD = "The answer cannot be read"
TYPICAL = "This looks like a typical mistake"
ALIKE = 1e-6  # of the same number, computed in two ways
OR = ", or like this one: "  # between names of mistakes that give the same with a student's numbers
MOST_NAMED = 3  # of them: more tell nothing


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
    shape: tuple | Callable | None = ()
    inputs: Callable | None = None
    laws: tuple = ()
    mistakes: dict = field(default_factory=dict)
    hints: tuple = ()
    tolerance: float = 1e-6
    names: str = ""
    unseen: Callable | None = None
    wrap: Callable | None = None
    judged: str = "reference"
    arguments: str = ""
    show: Callable | None = None
    prediction: bool = False
    telling: bool = False
    lines: dict = field(default_factory=dict)
    own: str = ""
    printed: bool = False
    score: tuple | None = None
    credit: Credit | None = None

    def earns(self, default):
        """Return what its parts earn, a Credit: its own, else the default, but nothing where what is right stands in print."""
        shown = self.printed or self.lines or self.prediction or self.judged != "reference"
        return self.credit or (ALL_OR_NOTHING if shown else default)

    def shape_at(self, p, at):
        """Return the shape of the answer, or of a call with the arguments `at`; None: any."""
        return self.shape(p, at) if callable(self.shape) else self.shape

    def states(self, p, seed):
        """Return the arguments at which a function is called, or None; the same for the same seed."""
        return self.inputs(p, Draw(seed)) if self.inputs else None


class Parameters:
    """The numbers of one student by name; what is `Later` is made when it is first asked for."""

    def __init__(self, **numbers):
        self._later = {name: value for name, value in numbers.items() if isinstance(value, Later)}
        vars(self).update({name: value for name, value in numbers.items() if name not in self._later})

    def __getattr__(self, name):  # only what is not there, or not yet, is asked of this
        later = vars(self).get("_later", {})
        if name not in later:
            raise AttributeError(f"there is no {name!r} among your numbers; they are {self}")
        value = later[name].make()  # where that fails, for want of NumPy, it is asked for again
        del later[name]
        setattr(self, name, value)
        return value

    def __repr__(self):
        shown = {name: value for name, value in vars(self).items() if name != "_later"}
        shown |= vars(self).get("_later", {})  # a copy in the making has none yet
        return f"Parameters({', '.join(f'{name}={value!r}' for name, value in shown.items())})"


@dataclass(frozen=True, repr=False)
class Later:
    """A parameter that needs NumPy, as an arm: `make` makes it, of numbers that are already drawn."""

    make: Callable

    def __repr__(self):
        return "<made when it is first used>"


class Draw(random.Random):
    """Random numbers that are the same in every Python, also in a browser; strings are good seeds."""

    def numbers(self, n, low, high):
        """Return a list of n numbers between low and high."""
        return [self.uniform(low, high) for _ in range(n)]

    def vector(self, n, low, high):
        """Return an array of n numbers between low and high, (n,)."""
        return np.array(self.numbers(n, low, high))

    def until(self, make, fit):
        """Return make(), drawn again until it fits: so that no typical mistake comes within 1 % of the answer."""
        while not fit(*(found := make())):
            pass
        return found

    def rounded(self, low, high, digits=2):
        """Return a number between low and high with few digits, but never 1: nobody would be told that it is forgotten."""
        return self.until(lambda: (round(self.uniform(low, high), digits),), lambda number: number != 1.0)[0]


def tells(number, parts, others=None, least=1e-3):
    """Return whether a number, or each of some, tells generic mistakes: whether they change it by more than `least` of it.

    number(**parts); each part is lost, turned, doubled or halved, or is one of others[its name], what it may be taken for.
    What a mistake gives that cannot be computed, or leaves a part as it was, is none.
    """
    right = flat(number(**parts))[1]
    size = least * max(map(abs, right))
    for name, part in parts.items():
        for instead in (*(factor * part for factor in laws.PARTS.values()), *(others or {}).get(name, ())):
            try:
                found = flat(number(**parts | {name: instead}))[1]
            except (ArithmeticError, ValueError):
                continue
            if instead != part and max(abs(a - b) for a, b in zip(found, right)) <= size:
                return False
    return True


def slipped(parts, names, value):
    """Return parts of an answer with those named replaced: what a typical mistake makes of it."""
    if not set(names.split()) <= set(parts) or not names:
        raise ValueError(f"a mistake must name some of {', '.join(parts)}, got {names!r}")
    return parts | dict.fromkeys(names.split(), value)


def diagnose(question, p, data, inputs=None, seed=7, cell=None):
    """Return sentences that say which law or which mistake, and where, as `find` finds them; none if all checks hold."""
    return sentences(find(question, p, data, inputs, seed, cell))


def find(question, p, data, inputs=None, seed=7, cell=None):
    """Return the list of `Diagnosis` of an answer, which say which law or which mistake, and where; none if all checks hold.

    data: the answer, DATA; inputs: where a function was called; seed: of the points at which formulas are evaluated;
    cell: the student's `repair.Cell` that made it, where there is one.
    The expected value is in no sentence.  A mistake is named only where a law fails: it may coincide with the answer.
    """
    try:
        with quiet():
            return _find(question, p, data, inputs, seed, cell)
    except Unreadable as error:
        return [Diagnosis(Kind.UNREAD, f"{UNREAD}: {error}.")]
    except NO_FORM:
        wanted = _wanted(question, None if callable(question.shape) else question.shape)
        return [Diagnosis(Kind.UNREAD, f"{UNREAD}: it should be {wanted}.")]


def _find(question, p, data, inputs, seed, cell):
    form = _form(question, p, data, inputs)
    if form:
        return [form]
    samples = list(_samples(question, p, data, inputs, seed)) if question.laws else []
    found, vague = _broken(question, p, samples)
    if not found:
        return []
    named = _mistakes(question, p, data, inputs, seed)
    if (
        named
    ):  # what else would explain the answer was not made as well; where a program is printed, it says what is wrong
        found = [named, *(one if question.printed else replace(one, text=said(one.text).law) for one in found)]
    told = cell is None or found[0].done  # all is said then
    search = None if told else lambda: _repaired(question, p, data, inputs, seed, cell)
    if question.wrap and not question.score and search and not named:
        found[1:] = [one for one in [search()] if one]
    elif vague and not named:
        formula = _formula(question, p, data, seed) if question.names and inputs is None else None
        slip = formula and question.lines and _of_line(question, *formula)
        slip = slip or slips.told(question, p, samples, formula, search) or (formula and _strange(question, *formula))
        if slip:
            found.insert(1, slip if isinstance(slip, Diagnosis) else Diagnosis(Kind.SLIP, slip, _sort_of(slip)))
    return found[:2]


def _broken(question, p, samples):
    """Return a Diagnosis for each law that does not hold, and whether none of them names a mistake."""
    found, vague = [], not question.wrap  # there the values are none of the student's
    for law in question.laws:
        for at, value in samples:
            sound = isinstance(value, dict) or all(map(math.isfinite, flat(value)[1]))
            words = _said(question, law, p, at, value) if sound else "It is not a finite real number everywhere."
            if words:
                words = said(words)
                vague = vague and sound and slips.is_vague(question, p, law, at, value, words)
                kind = Kind.LAW if sound else Kind.INFINITE
                found.append(Diagnosis(kind, words, _sort_of(words), _place(at), words.done))
                break
    return found, vague


def _sort_of(words):
    """Return the sort of the mistake that words name, a tuple; none where they name none."""
    mistake = getattr(words, "mistake", Mistake.OTHER)
    return () if mistake is Mistake.OTHER else (str(mistake),)


def _mistakes(question, p, data, inputs, seed):
    """Return a Diagnosis of the typical mistakes that give this answer, or None: too many tell nothing."""
    named = [
        (str(number), name)
        for number, (name, mistake) in enumerate(question.mistakes.items())
        if _is_mistake(question, p, mistake, data, inputs, seed)
    ]
    if not 0 < len(named) <= MOST_NAMED:
        return None
    numbers, names = zip(*named)
    end = "" if names[-1].endswith("?") else "."
    return Diagnosis(Kind.MISTAKE, f"{TYPICAL}: {OR.join(names)}{end}", numbers)


def _of_line(question, shape, programs, points):
    """Words for an answer that belongs to a line of a derivation which is right as it is printed, but for one part perhaps."""
    if not set().union(*map(symbols, programs)):
        return "There is no letter in it: not a number is asked for, but what the line should say."
    for name, text in question.lines.items():
        if slips.is_near(programs[0], read(text), question.names.split(), points):
            return f"It looks like {name}, which is right as it is printed: find the line that is not."
    return None


def _strange(question, shape, programs, points):
    """Words for letters that the line which is asked for should not have."""
    strange = sorted(set().union(*map(symbols, programs)) - set(question.own.split())) if question.own else []
    return f"{' and '.join(strange)} should not stand in the line that is to be put right." if strange else None


def _repaired(question, p, data, inputs, seed, cell):
    """Return a Diagnosis of the one part of the student's cell that is wrong, or None."""
    if question.printed or all(float(x).is_integer() for x in data.get("numbers", [0.5])):
        return None  # the place is asked for, or one of a few answers

    calls = zip(inputs or (), data.get("calls", ()))
    order = sorted(calls, key=lambda one: _holds(question, p, {"calls": [one[1]]}, [one[0]], seed))  # what fails, first

    def judge(value, other):
        if inputs is None:
            return _holds(question, other or p, as_data(value), None, seed)
        called = question.wrap(p, value) if question.wrap else value
        return all(_holds(question, p, calls_as_data(called, [at]), [at], seed) for at, _ in order)

    cell = cell if inputs is None else replace(cell, others=())  # many calls leave nothing to chance
    words = repair.told(cell, judge)
    return Diagnosis(Kind.LINE, words) if words else None


def _holds(question, p, data, inputs, seed):
    """Whether an answer has the form asked for, and all laws hold."""
    try:
        with laws.wordless():
            return _form(question, p, data, inputs) is None and all(
                (isinstance(value, dict) or all(map(math.isfinite, flat(value)[1])))
                and all(law(p, at, value) is None for law in question.laws)
                for at, value in _samples(question, p, data, inputs, seed)
            )
    except (Unreadable, *NO_FORM):
        return False


def scored(question, p, data, inputs=None, seed=7):
    """Return the score of an answer that holds, the worst of all inputs; None where the question has none."""
    if question.score is None:
        return None
    with quiet():
        return max(float(question.score[1](p, at, value)) for at, value in _samples(question, p, data, inputs, seed))


def told_score(question, score):
    """Return the sentence that tells a student a score."""
    return f"Your score: {score:.3g} {question.score[0]}; less is better."


def _said(question, law, p, at, value):
    """Return the sentence of a law, also of finite numbers with which no law can compute."""
    try:
        return law(p, at, value)
    except (ArithmeticError, ValueError) as error:
        if question.shape is None or isinstance(error, Unreadable):  # the form may be wrong
            raise
        return "The checks cannot compute with such numbers: is one far too large?"


def _is_mistake(question, p, mistake, data, inputs, seed):
    wrong = mistake(p)
    wrong = question.wrap(p, wrong) if question.wrap else wrong
    rounded = len(data.get("numbers", ())) != 1 or all(x == round(x, 4) for x in map(float, data["numbers"]))
    tolerance = question.tolerance if rounded else max(ALIKE, question.tolerance / 20)  # seldom the same by chance
    if inputs is None:
        return agree(as_data(wrong), data, tolerance, seed).holds
    return all(  # call by call: most mistakes give another value at once
        agree(calls_as_data(wrong, [at]), {"calls": [call]}, tolerance, seed).holds
        for at, call in zip(inputs, data["calls"])
    )


def _wanted(question, shape):
    """Return words for the form that is asked for."""
    kind = "formula" if question.names else "number"
    if shape is None:
        return question.title
    if not shape:
        return f"one {kind}"
    if len(shape) == 1:
        return f"a list of {shape[0]} {kind}s"
    return f"{' by '.join(map(str, shape))} {kind}s"


def _form(question, p, data, inputs, at=()):
    """Return a Diagnosis if the answer has not the form asked for, else None."""
    if inputs is not None and "unreadable" not in data:
        if len(data["calls"]) != len(inputs):
            return Diagnosis(Kind.FORM, "The function was not called at every state.")
        for arguments, call in zip(inputs, data["calls"]):
            if call.get("error", "").startswith("NotImplementedError"):
                return Diagnosis(Kind.UNWRITTEN, "Your function is not written yet: put its lines in place of `raise NotImplementedError()`.")  # fmt: skip
            if "error" in call:
                words = f"Your function stopped with {call['error']}"
                return Diagnosis(Kind.STOPPED, words, where=_place(arguments), error=call["error"])
            found = _form(question, p, call, None, arguments)
            if found:
                return replace(found, where=_place(arguments))
        return None
    if "error" in data:
        words = f"The cell that should make this answer stopped with {data['error']}: an older one was handed in."
        return Diagnosis(Kind.STALE, words, error=data["error"])
    if "unreadable" in data:
        end = "" if data["unreadable"].endswith("?") else "."
        return Diagnosis(Kind.NO_DATA, f"The answer is {data['unreadable']}{end}")
    if data.get("curves") and not any(map(_is_drawn, data["curves"])):
        return Diagnosis(Kind.INFINITE, "The points of the plot's line are not finite numbers.")
    if "items" in data and question.shape is not None:
        wanted = _wanted(question, question.shape_at(p, at))
        return Diagnosis(Kind.NO_DATA, f"The answer is a dict: it should be {wanted}.")
    if "shape" in data:
        used = set().union(*map(symbols, programs_of(data)[1])) if "text" in data else set()
        if used & NOT_FINITE:
            return Diagnosis(Kind.INFINITE, "It is not a finite number.")
        if used and not question.names:
            words = f"Numbers are asked for, and the symbol {min(used)} is left in the answer: put your numbers in."
            return Diagnosis(Kind.SYMBOL, words)
        wanted = question.shape_at(p, at)
        if wanted is not None and _bare(wanted) != _bare(data["shape"]):
            found = f"it has the shape {tuple(data['shape'])}" if data["shape"] else "it is a single one"
            turned = " Is it transposed?" if _bare(wanted) == _bare(data["shape"])[::-1] else ""
            return Diagnosis(Kind.FORM, f"The answer should be {_wanted(question, wanted)}; {found}.{turned}")
        strange = used - set(question.names.split())
        if strange:
            words = f"The symbol {min(strange)} is not one of this question: {', '.join(question.names.split())}."
            return Diagnosis(Kind.SYMBOL, words)
        if "numbers" in data:
            bad = [i for i, x in enumerate(data["numbers"]) if isinstance(x, str)]
            if bad:
                where = entry_name(data["shape"], bad[0])
                look = f" Look at {where}." if where else ""
                return Diagnosis(Kind.INFINITE, f"It is not a finite number.{look}")
    return None


def _samples(question, p, data, inputs, seed):
    """Yield pairs: where, and the value there as real numbers, in the shape asked for."""
    if inputs is not None:
        for arguments, call in zip(inputs, data["calls"]):
            yield arguments, arrays(call, question.shape_at(p, arguments))
    elif "curves" in data:
        if len(data["curves"]) > MOST_CURVES:
            raise Unreadable(f"more than {MOST_CURVES} lines")
        yield (), {**data, "curves": [curve for curve in data["curves"] if _is_drawn(curve)]}
    elif "items" in data:
        yield (), data
    elif not question.names:
        wanted = question.shape_at(p, ())
        at = question.unseen(p, Draw(f"{seed}")) if question.unseen else ()
        yield at, nested(_numbers(data), data["shape"] if wanted is None else wanted)
    else:
        shape, programs, points = _formula(question, p, data, seed)
        yield from sampled(shape, programs, points, 4)


def _formula(question, p, data, seed):
    """Return shape and programs of an answer that is a formula, and the points at which it is evaluated."""
    return question.shape_at(p, ()), programs_of(data)[1], random_points(question.names.split(), seed)


def arrays(data, shape=None):
    """Return the array of numbers in DATA, in a shape, or the dict of its items."""
    if "items" in data:
        return {key: arrays(part) for key, part in data["items"].items()}
    return np.array(_numbers(data)).reshape(data["shape"] if shape is None else shape)


def _numbers(data):
    """Return the numbers in DATA, or those that its formulas without symbols stand for."""
    if "numbers" in data:
        return [float(x) for x in data["numbers"]]
    return [evaluate(read(text), {}, plain)[0].real for text in data["text"]]


def _bare(shape):
    return [size for size in shape if size != 1]


def _is_drawn(curve):
    """Return whether a line has points; raise ValueError if some of them are nowhere."""
    points = np.array([curve[axis]["numbers"] for axis in "xy"], dtype=float)
    finite = np.isfinite(points).all(axis=0)
    if finite.any() and not finite.all():
        raise Unreadable("a line of the plot is not finite everywhere")
    return bool(finite.any())


def _place(at):
    """Return words for the state at which something fails."""
    if isinstance(at, dict):
        shown = {name: value for name, value in at.items() if name in ("q1", "q2", "qd1", "qd2")}
        return "(at " + ", ".join(f"{name} = {value:.3f}" for name, value in shown.items()) + ")" if shown else ""
    small = [entry for entry in at if not callable(entry) and np.ndim(entry) <= 1 and np.size(entry) <= MOST_SHOWN]
    parts = [np.array2string(np.asarray(entry), precision=3, separator=", ") for entry in small]
    return f"(at {', '.join(parts)})" if parts else ""
