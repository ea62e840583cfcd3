"""The student's side of an assignment: begin, answer, hint, progress; answers leave as a MIME output of their own."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from coursework.check import messages
from coursework.check.data import as_data, calls_as_data, on_copies
from coursework.check.parameters import Draw, Parameters
from coursework.check.question import Question, diagnose, scored, told_score
from coursework.check.record import Record
from coursework.check.repair import LONGEST, Cell
from coursework.check.source import defines
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import At, Data

STATES = {"open": "not answered yet", False: "does not hold yet", None: "needs NumPy"}
SLOW = 10.0  # seconds of one answer that are worth a word
MIME = "application/vnd.robotdyn.answer+json"


@dataclass
class Session:
    """What a notebook has begun: the assignment, whose, and how far it is.

    seed: of the states at which functions are called, left to whoever grades: then answers become data and nothing is
    judged; drawn_states: {question: states} that only the grader may draw; holds: {question: whether its checks hold, None where
    NumPy is missing}; hints: {question: the last level}; receive: who takes what is handed in;
    record: the counts of tries and hints in a student's notebook; locked: {question: DATA} of predictions.
    """

    assignment: str | None = None
    student: str = ""
    seed: str | None = None
    drawn_states: dict[str, list[list[Any]]] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    p: Parameters | None = None
    holds: dict[str, bool | None] = field(default_factory=dict)
    hints: dict[str, int] = field(default_factory=dict)
    receive: Callable[[str, Data], object] | None = None
    record: Record | None = None
    locked: dict[str, Data] = field(default_factory=dict)


_now = Session()  # the one of this kernel
# names before the cell that runs; source and error of one that failed
_cell = SimpleNamespace(followed=False, before={}, failed=None)


def assignment_module(assignment: str, part: str = "questions") -> ModuleType:
    """Return a module of an assignment: `given`, its parameters and states, or `questions`, what the checks know of it.

    A kernel in which a notebook is graded holds what is given alone: it makes answers data and judges none.
    """
    if not re.fullmatch(r"[a-z][a-z0-9-]*", str(assignment)):
        raise ValueError(f"assignment must be a name like two-link, got {assignment!r}")
    name = f"coursework.{part}.{assignment.replace('-', '_')}"
    if name not in sys.modules:
        path = assignment_files(part).get(assignment)
        if path is None:
            raise ValueError(f"there is no assignment {assignment!r} in this version of robotdyn")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None  # of a file of Python
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[name] = module
    return sys.modules[name]


def assignment_folders() -> list[Path]:
    """Return the folders in which assignments may lie: a wheel carries them in the package, a clone has them in exercises/."""
    package = Path(__file__).resolve().parents[1]
    clone = package.parents[3] if package.parent.name == "src" else package
    return [folder for folder in dict.fromkeys((package / "exercises", clone / "exercises")) if folder.is_dir()]


def assignment_files(part: str) -> dict[str, Path]:
    """Return {assignment: its file of that name, such as given.py}."""
    found = [path for folder in assignment_folders() for path in sorted(folder.glob(f"*/{part}.py"))]
    return {path.parent.name: path for path in reversed(found)}


def drawn_elsewhere(assignment: str, name: str) -> Callable[[Parameters, Draw], Any]:
    """Return what draws states that tell the answers: a function beside the laws, which no notebook that is graded sees."""
    return lambda p, draw: getattr(assignment_module(assignment), name)(p, draw)


def with_drawn_states(assignment: str, student: object, seed: str) -> str:
    """Return the seed with the states, as text, of questions that tell their answers to whoever draws them."""
    module = assignment_module(assignment)
    p = parameters_of(assignment, student)
    drawn_states = {name: [[np.asarray(one).tolist() for one in at] for at in spec.states(p, f"{seed}|{name}")]
            for name, spec in module.QUESTIONS.items() if spec.telling}  # fmt: skip
    return f"{seed} {json.dumps(drawn_states)}" if drawn_states else seed


def seeds(text: str | None) -> tuple[str | None, dict[str, list[list[Any]]]]:
    """Return the seed, and the states {question: ..}, of what `with_drawn_states` returns."""
    seed, _, drawn_states = (text or "").partition(" ")
    return (seed if text is not None else None), json.loads(drawn_states or "{}")


def _given_states(question: str) -> list[At] | None:
    """Return the states of a question that came with the seed, or None."""
    return [tuple(map(np.array, at)) for at in _now.drawn_states[question]] if question in _now.drawn_states else None


def parameters_of(assignment: str, student: object) -> Parameters:
    """Return the numbers of one student: drawn from a hash of assignment and student id, so always the same."""
    student = unicodedata.normalize("NFC", str(student)).strip().lower()  # two ways to write one letter are one id
    digest = hashlib.sha256(f"{assignment}|{student}".encode()).hexdigest()
    return Parameters(**assignment_module(assignment, "given").parameters(Draw(digest)))


def begin(assignment: str, student: object = "", seed: str | None = None, count: bool = True) -> Parameters:
    """Begin an assignment (its name) as a student (an id); return the numbers that are yours, by name.

    seed: where functions are called; left to whoever grades: there, a call without it begins nothing anew and returns
    the numbers of the student who is graded; count: whether a notebook counts tries and hints for the report on the class.
    Raises ValueError for an unknown assignment.
    """
    student = str(student)  # 4711 is one as well
    if seed is None and _now.seed is not None and assignment not in assignment_files("questions"):
        return parameters_of(assignment, _now.student)
    questions = assignment_module(assignment).QUESTIONS if seed is None else {}
    p, (seed, drawn_states) = parameters_of(assignment, student), seeds(seed)
    vars(_now).update(vars(Session(assignment, student, seed, drawn_states, questions, p, receive=_now.receive)))
    _follow_cells()
    if seed is None:
        messages.use_beside(Path())
    if not student.strip():
        print("Write your student id in this cell: until then the numbers are those of an example.")
    elif count and seed is None and _shell() is not None:
        _now.record = Record(assignment, student)
        _now.locked = _now.record.predictions()
        print(_now.record.said())
    return parameters_of(assignment, student)  # the student's own: the checks keep theirs


def export(question: str, value: object) -> Data:
    """Hand in a value for a question: it becomes data in the notebook.  Returns that data."""
    return _emit(question, as_data(value))


def export_calls(question: str, function: Callable[..., Any], inputs: Iterable[tuple[Any, ...]]) -> Data:
    """Hand in what a function gives at each tuple of arguments in `inputs`.  Returns that data."""
    return _emit(question, calls_as_data(function, inputs))


def answer(question: str, value: object) -> None:
    """Hand in the answer to a question and say at once what the checks find: which law or mistake, and where.

    value: a number, list, array, SymPy expression or matrix, text, plot; or a function, where one is asked for.
    A question that needs NumPy says so in a kernel that has none.
    """
    spec = _question(question)
    if value is Ellipsis:
        if _now.seed is None:
            print(f"{question}: not answered yet: in the cell above, write your answer and run the cell.")
        return
    try:
        _answer(question, spec, value)
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        print(f"{question}: {missing}.")
        _now.holds[question] = None


def _answer(question: str, spec: Question, value: Any) -> None:
    """Hand in an answer, and print what the checks find where it is not graded."""
    seed = f"{_now.seed or f'visible|{_now.assignment}|{_now.student}'}|{question}"
    inputs = _given_states(question) or spec.states(_numbers(), seed)
    started = time.monotonic()
    data = _handed_in(question, spec, value, inputs)
    seconds = time.monotonic() - started  # what the checks take beside it is not in the grade's cell
    if _now.seed is None:
        _print_checks(question, spec, value, data, inputs)
        if data.get("changed"):
            print(
                "  Your function changes what it is given: it was called with copies. Better work on copies yourself."
            )
        if seconds > SLOW:
            print(f"  This took {seconds:.0f} s: when it is graded, a cell has 30 s.")


def _handed_in(question: str, spec: Question, value: Any, inputs: Sequence[tuple[Any, ...]] | None) -> Data:
    """Hand in what an answer is, and return it: its data, an error where it is an old one, the prediction that is locked."""
    stale = _stale(value)
    if stale:
        return _emit(question, {"error": stale})
    if spec.prediction and question in _now.locked:
        data = _emit(question, _now.locked[question])
        if as_data(value) != data:
            print(f"{question}: your first prediction{_number_in(data)} stays; this other one is not handed in here.")
        return data
    if inputs is None:
        return export(question, value)
    if not callable(value):
        return _emit(question, {"unreadable": f"of type {type(value).__name__}, where a function is asked for"})
    return export_calls(question, spec.wrap(_numbers(), on_copies(value)) if spec.wrap else value, inputs)


def _print_checks(
    question: str, spec: Question, value: Any, data: Data, inputs: Sequence[tuple[Any, ...]] | None
) -> None:
    """Print what the checks find of an answer, and remember whether it holds."""
    found = diagnose(spec, _numbers(), data, inputs, cell=_cell_of(value))
    _now.holds[question] = not found
    if _now.record is not None and not found:
        _now.record.held(question)
    for sentence in found:
        print(fill(f"{question}: {sentence}", 104, subsequent_indent="  "))
    if found:
        print(f'  For a hint: check.hint("{question}")')
    elif spec.prediction:
        print(f'{question}: your prediction is locked; check.show("{question}") shows what happens.')
        _lock(question, data)
    else:
        print(f"{question}: every check holds.")
        score = scored(spec, _numbers(), data, inputs)
        if score is not None:
            print(f"  {told_score(spec, score)}")


def _numbers() -> Parameters:
    """Return the numbers that the checks keep of the student who has begun."""
    assert _now.p is not None  # `begin` sets it with the assignment, which `_question` asks for
    return _now.p


def _lock(question: str, data: Data) -> None:
    _now.locked[question] = data
    if _now.record is not None:
        _now.record.predicted(question, data)


def _number_in(data: Data) -> str:
    """Return words for the number that a prediction is."""
    numbers = data.get("numbers", [])
    return f", {numbers[0]:g}," if len(numbers) == 1 and isinstance(numbers[0], float) else ""


def show(question: str) -> object:
    """Return what belongs to a question, to be seen: a figure to answer in, or the run, once a prediction of it is in.

    Nothing where it is graded, so no answer may be built on it.
    """
    if _now.seed is not None:
        return None
    spec = _question(question)
    if spec.show is None:
        raise ValueError(f"{question} has nothing to show")
    if spec.prediction and question not in _now.locked:
        print(f"{question}: predict first: this cell shows what happens once a prediction is handed in above.")
        return None
    try:
        return spec.show(_numbers())
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        print(f"{question}: {missing}.")
        return None


def hint(question: str, level: int | None = None) -> None:
    """Print the next hint for a question, or the one of a level from 1 to 3; each tells more.  Nothing where it is graded."""
    if _now.seed is not None:
        return
    hints = _question(question).hints
    level = _now.hints.get(question, 0) + 1 if level is None else level
    if not 1 <= level <= len(hints):
        seen = ", and you have seen them all" if _now.hints.get(question, 0) == len(hints) else ""
        print(f"{question}: there are {len(hints)} hints{seen}." if hints else "There is no hint.")
        return
    _now.hints[question] = level
    if _now.record is not None:
        _now.record.hinted(question, level)
    print(f"{question}, hint {level} of {len(hints)}: {hints[level - 1]}")


def progress() -> None:
    """Print how many parts hold, and which do not yet."""
    if _now.seed is not None:
        return
    _begun()
    parts = [name for name, spec in _now.questions.items() if spec.judged != "person"]
    holding = [name for name in parts if _now.holds.get(name)]
    print(f"{len(holding)} of {len(parts)} parts hold.")
    for name in parts:
        if name not in holding:
            print(f"  {name}: {STATES[_now.holds.get(name, 'open')]}")


def _begun() -> str:
    """Return the assignment that is begun.  Raises RuntimeError where none is."""
    if _now.assignment is None:
        raise RuntimeError("run the cell that calls check.begin first, near the top of the notebook")
    return _now.assignment


def _shell() -> Any:
    """Return IPython's shell, or None outside a notebook."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def _follow_cells() -> None:
    """Remember, for each cell that fails, what its names stood for before: an old answer is not handed in for a new one."""
    shell = _shell()
    if shell is None or _cell.followed:
        return

    def before() -> None:
        _cell.before = dict(shell.user_ns)

    def after(result: Any) -> None:
        error = result.error_before_exec or result.error_in_exec
        _cell.failed = (str(result.info.raw_cell), type(error).__name__, _cell.before) if error else None

    _cell.followed = True
    shell.events.register("pre_execute", before)
    shell.events.register("post_run_cell", after)


def _stale(value: object) -> str | None:
    """Return the error of the last cell if it should have made this value and did not; else None."""
    shell = _shell()
    if shell is None or _cell.failed is None:
        return None
    source, error, before = _cell.failed
    names = [name for name, one in shell.user_ns.items() if one is value and not name.startswith("_")]
    made = [name for name in names if not (name in before and before[name] is value)]
    return error if not made and any(defines(source, name) for name in names) else None


def _cell_of(value: object) -> Cell | None:
    """Return the last cell that made this value, where there is a notebook; else None."""
    shell = _shell()
    if shell is None:
        return None
    names = shell.user_ns
    called = [name for name, one in names.items() if one is value and not name.startswith("_")]
    own = tuple(name for name, one in names.items() if isinstance(one, Parameters))
    others = tuple(parameters_of(_begun(), f"{_now.student}, {k}") for k in "12")
    for source in reversed(names.get("In", [])[:-1]):
        for name in called:
            if len(source) <= LONGEST and defines(source, name):
                return Cell(source, name, names, own, others)
    return None


def _question(question: str) -> Question:
    """Return a Question by name; where notebooks are graded nothing is known of it but the calls that it asks for."""
    assignment = _begun()
    if _now.seed is not None:
        return Question("", **assignment_module(assignment, "given").CALLED.get(question, {}))
    if question not in _now.questions:
        raise ValueError(f"question must be one of {', '.join(_now.questions)}, got {question!r}")
    return _now.questions[question]


def catch(receive: Callable[[str, Data], object] | None) -> None:
    """Give what is handed in from now on to receive(question, data), silently; None: publish it again."""
    _now.receive = receive


def _emit(question: str, data: Data) -> Data:
    """Publish the data as an output of the cell, where there is a notebook."""
    if _now.receive is not None:
        _now.receive(question, data)
        return data
    shell = _shell()
    if shell is not None:  # the empty text is for editors that know no such kind of output
        record = {} if _now.record is None else {"record": _now.record.tried(question, data)}
        shell.display_pub.publish(
            {MIME: {"robotdyn": 1, "question": question, "data": data, **record}, "text/plain": ""}
        )
    return data
