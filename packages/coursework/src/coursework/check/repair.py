"""What one change of the student's own cell would put right: in which line, and of which kind; never what it should be.

The cell is run again, in a copy of its names, with one part of it changed; the laws say whether the answer holds then.
Nothing of the notebook changes, and nothing is shown.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import io
import itertools
import math
import re
import sys
import time
import types
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any

from coursework.check.diagnosis import Said
from coursework.check.messages import joined, text
from coursework.check.mistakes import LETTER_IS_NUMBER
from coursework.check.reading import plain_name
from coursework.check.rerun import hold_still, is_repeatable
from coursework.check.rewrites import called, changed
from coursework.check.search import right
from coursework.lazy_numpy import no_invalid, quiet

if TYPE_CHECKING:
    from coursework.check.parameters import Parameters
    from coursework.check.rewrites import Words

LONGEST = 4000  # characters of a cell that is searched
MOST_TRIED = 3000  # changes of a cell
MOST_CALLS = 2_000_000  # calls of functions in a search: about 2 s; on every machine the same changes are tried
LONG = 400_000  # calls: a cell that takes more is not run again and again
SECONDS = 20.0  # of a search in which few functions take long: only so that it ends
PATIENCE = 30  # times as many steps as the cell itself takes: then a changed one is stopped
MOST_FOUND = 2  # changes that are told, where each of them would do
NAMED = "<one change>"  # the file that a changed cell seems to be
SHOWN = 90  # characters of a line that a sentence shows
SILENT = {
    "print",
    "display",
    "show",
    "pprint",
    "answer",
    "hint",
    "progress",
}  # calls that only show, hand in, or set how things look
SILENT |= {"set_printoptions", "init_printing", "simplefilter", "filterwarnings", "seterr", "rc", "use"}


@dataclass(frozen=True)
class Cell:
    """The cell that made an answer: its text, the name of the answer, what the names of the notebook stand for; numbers of others.

    others: numbers of other students, which a change must put right as well; parameters: the names of the student's own.
    """

    source: str
    name: str
    names: dict[str, Any]
    parameters: tuple[str, ...] = ()
    others: tuple[Parameters, ...] = ()


def find_wrong_part(cell: Cell, judge: Callable[[Any, Parameters | None], bool]) -> Said | None:
    """Return a sentence on the one part of a cell that is wrong, or None where no one change puts the answer right.

    judge(value, p): whether all laws hold of an answer; p: numbers of another student, None for the student's own.
    """
    tree = _tree(cell)
    if tree is None:
        return None
    names = _needed(tree, cell.names)
    if not hold_still(names.values()):
        return None
    kin = [names | dict.fromkeys(cell.parameters, p) for p in cell.others]
    loops = any(isinstance(node, (ast.For, ast.comprehension)) for node in ast.walk(tree))
    lines = cell.source.split("\n")
    ends = time.process_time() + SECONDS
    found: dict[int, list[Words]] = {}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), quiet():
        with _calls() as calls, _counted(math.inf, loops) as steps:
            judge(_run(tree, cell.name, names), None)
        if calls[0] > LONG:
            return None

        def is_new(one: tuple[Words, int]) -> bool:
            return one[0].once() not in found.get(one[1], ())

        def puts_right(one: tuple[Words, int]) -> bool:  # the tree is changed while it is asked
            with _counted(PATIENCE * (steps[0] + 100), loops):
                return all(judge(_run(tree, cell.name, own), p) for own, p in zip([names, *kin], [None, *cell.others]))

        in_time = itertools.takewhile(lambda one: time.process_time() <= ends, changed(tree, names, cell.name))
        most = min(MOST_TRIED, MOST_CALLS // calls[0])
        for words, line in itertools.islice(right(in_time, is_new, puts_right, most=most), MOST_FOUND):
            found.setdefault(line, []).append(words)
    return _sentence(lines, found) if found else None


def find_number_for_letter(
    cell: Cell, letters: Container[str], judge: Callable[[Any, Parameters | None], bool]
) -> Said | None:
    """Return a sentence on letters of a question that other cells have given numbers, or None where that is not all that is wrong."""
    tree = _tree(cell)
    sympy = sys.modules.get("sympy")
    if tree is None or sympy is None:
        return None
    names = _needed(tree, cell.names)
    lost = [name for name, one in names.items() if isinstance(one, (int, float)) and plain_name(name) in letters]
    if not lost or not judge(_run(tree, cell.name, names | {name: sympy.Symbol(name) for name in lost}), None):
        return None
    return Said(text("code.letter-is-number", names=joined("name.and", lost)), mistakes=(LETTER_IS_NUMBER,))


def _sentence(lines: list[str], found: dict[int, list[Words]]) -> Said:
    """Return the sentence on what was found, {line: [words]}."""
    places = []
    for line, every in found.items():
        words = joined("name.line-or", [one.text() for one in every])
        places.append(text("name.line", line=_shown(lines[line - 1]), words=words))
    named = tuple(one.phrase.mistake for every in found.values() for one in every)
    return Said(text("code.one-change", changes=joined("name.line-and", places)), mistakes=named)


def _needed(tree: ast.Module, names: dict[str, Any]) -> dict[str, Any]:
    """Return those of the names of a notebook, and what they stand for, that a cell takes from other cells."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | {"__name__"}
    return {name: one for name, one in names.items() if name in used - _made(tree)}


def _made(tree: ast.Module) -> set[str]:
    """Return the names that a cell sets before it needs them: what they stood for before has no part in it."""
    needed: set[str] = set()
    made: set[str] = set()
    for statement in tree.body:
        found = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
        added = {getattr(node.target, "id", "") for node in ast.walk(statement) if isinstance(node, ast.AugAssign)}
        needed |= (added | {node.id for node in found if isinstance(node.ctx, ast.Load)}) - made
        made |= {node.id for node in found if isinstance(node.ctx, ast.Store)} - needed
    return made


def _shown(line: str) -> str:
    """Return a line as a sentence shows it."""
    line = re.sub(r"\s+", " ", line.partition("  #")[0]).strip()
    return line if len(line) <= SHOWN else f"{line[:SHOWN]} ..."


class _Failed:
    """The answer of a cell that stops."""


class _Endless(Exception):
    """A cell takes far more steps than it did unchanged."""


@contextlib.contextmanager
def _calls() -> Iterator[list[int]]:
    """Count the calls of functions, of Python and of C, that something takes: the same on every machine.  Gives [count]."""
    calls = [1]
    before = sys.getprofile()

    def called(frame: FrameType, event: str, argument: object) -> None:
        calls[0] += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        yield calls
    finally:
        sys.setprofile(before)


@contextlib.contextmanager
def _counted(most: float, loops: bool) -> Iterator[list[int]]:
    """Count the lines that a cell with loops runs, also in its functions; beyond `most` of them it is stopped.  Gives [count]."""
    steps = [0]
    before = sys.gettrace()

    def within(frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code.co_filename != NAMED:
            return None
        steps[0] += 1
        if steps[0] > most:
            raise _Endless
        return within

    try:
        if loops:  # without any it ends
            sys.settrace(within)
        yield steps
    finally:
        sys.settrace(before)


def _run(tree: ast.Module, name: str, names: dict[str, Any]) -> Any:
    """Return the answer of that name that a changed cell makes; `_Failed` where it stops, or computes what is no number.

    A change that works only because something is no longer a number puts nothing right.
    """
    names = {key: _own(one) for key, one in names.items()}
    pictures = sys.modules.get("matplotlib.pyplot")
    drawn = set(pictures.get_fignums()) if pictures else set()
    try:
        with no_invalid():
            exec(compile(tree, NAMED, "exec"), names)
        found = names.get(name, _Failed)
        return _numbers_alone(found) if isinstance(found, types.FunctionType) else found
    except Exception:
        return _Failed
    finally:
        if pictures:
            for number in set(pictures.get_fignums()) - drawn:
                pictures.close(number)


def _numbers_alone(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that stops where the given one computes what is no number."""

    def called(*given: Any) -> Any:
        with no_invalid():
            return function(*given)

    return called


def _own(value: Any) -> Any:
    """Return a copy of what a cell could change in place."""
    if isinstance(value, (list, dict, set)) or type(value).__module__ in ("numpy", "sympy.matrices.dense"):
        try:
            return copy.deepcopy(value)
        except Exception:
            return value
    return value


def _tree(cell: Cell) -> ast.Module | None:
    """Return the cell as a tree, without what only shows; None where it is no Python, or may not be run again."""
    try:
        tree = ast.parse(cell.source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not is_repeatable(tree):
        return None
    for node in ast.walk(tree):
        for body in (getattr(node, field, None) for field in ("body", "orelse")):
            if isinstance(body, list):
                body[:] = [one for one in body if not _shows(one)] or [ast.copy_location(ast.Pass(), node)]
    return tree


def _shows(statement: ast.stmt) -> bool:
    """Return whether a statement only shows something, or hands it in."""
    if not isinstance(statement, ast.Expr):
        return False
    if not isinstance(statement.value, ast.Call):
        return True
    return called(statement.value) in SILENT
