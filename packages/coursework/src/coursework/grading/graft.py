"""Grafts a student's answers into the released notebook, so that no pasted, deleted, retyped or renamed cell does harm.

What the student wrote runs in the student's order.  The cells that hand in and the first cell are the released ones:
each hand-in runs where the student's own stands, after all that precedes it there, and never before its answer,
wherever that has gone; one that hands in something else, as another name, runs before it.  Cells are known by their
nbgrader id, else by their cell id, else by what they say.  A text that is none of the released cells, also one in a cell
of code, is kept, and answers a question of text that was left open.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from coursework.check.source import defines
from coursework.grading.begun import describe_other_id, same_id
from coursework.grading.new_cells import name_asked, with_questions
from coursework.grading.prose import is_prose
from coursework.grading.reading import table
from coursework.grading.sanitize import harmless

if TYPE_CHECKING:
    from nbformat import NotebookNode

    from coursework.grading.aliases import Cell

QUOTED = r"""[^()"']|"[^"\n]{0,60}"|'[^'\n]{0,60}'"""  # bounds keep every search short
INSIDE = rf"(?:{QUOTED}|\((?:{QUOTED}){{0,30}}\)){{0,80}}?"
BEGIN = re.compile(r"""check\.begin\(\s{0,99}(["'][^"'\n]{0,80}["'])""" + INSIDE + r"\)")
TYPED = re.compile(
    r"""(?:student\s{0,9}=\s{0,9}|begin\(\s{0,99}["'][^"'\n]{0,80}["']\s{0,9},\s{0,9})["']([^"'\n]{0,80})["']"""
)
# what a cell that hands in has beside the answer itself
HANDS_IN = ("#", "from robotdyn import", "import robotdyn", "from coursework import", "check.")
ANSWER = re.compile(r"^[^#\n]{0,200}?check\.answer\(\s{0,99}[\"']([\w-]+)[\"']", re.M)

Place: TypeAlias = tuple[float, float]  # among the student's cells, a sort key
Run: TypeAlias = tuple[Place, str, str | None]  # where a cell runs, its source, the question that it answers

STEP = 1e-6  # between two cells that stand at one place


@dataclass
class Part:
    """A released cell: its role, its question, and where it stands among the student's cells, a sort key."""

    cell: NotebookNode
    role: str
    question: str | None
    place: Place | None = None


def role_of(cell: NotebookNode) -> tuple[str, str | None]:
    """Return the role of a released cell, and its question: begin, answer, work, person, or text."""
    info = cell.metadata.get("nbgrader", {})
    if cell.cell_type == "code" and BEGIN.search(cell.source):
        return "begin", None
    if info.get("grade") and info.get("solution"):
        return "person", info["grade_id"]
    if info.get("grade"):
        return "answer", info["grade_id"]
    if info.get("solution"):
        return "work", info["grade_id"].removesuffix("-work")
    return ("given" if cell.cell_type == "code" else "text"), None


def with_identity(source: str, student: str, seed: str) -> str:
    """Return the source of a cell that begins with this student's id and the seed of the grader."""
    return BEGIN.sub(lambda found: f"check.begin({found[1]}, student={student!r}, seed={seed!r})", source)


@dataclass
class Submission:
    """A student's cells, sorted by what they are: [(place, source, question)] of what runs, [(place, cell)] of words.

    prose: cells of code that hold words alone; written: {question: cell} of answers that a person reads; typed: the id with
    which the notebook begins, "" where none is written, None where the call does not say it.
    """

    runs: list[Run]
    texts: list[tuple[Place, Cell]]
    prose: list[tuple[Place, Cell]]
    written: dict[str | None, Cell]
    typed: str | None = ""


# where: see what becomes of a cell that a student deletes, copies, moves or retypes
# what runs in its place, and where; `packages/coursework/tests/test_grading_walls.py` and `messy_submissions.py` beside it try it
def graft(released: NotebookNode, submitted: list[Cell], student: str, seed: str) -> NotebookNode:
    """Return the notebook to execute: the released one with the student's answers, each cell with its role.

    Its metadata.robotdyn.notes say, in sentences, what a teacher and the student should know of it.
    """
    parts = [Part(cell, *role_of(cell)) for cell in released.cells]
    handed = Submission([], [], [], {})
    for number, cell in enumerate(submitted):
        handed.typed = _typed_so_far(handed.typed, cell)
        _sort_in(handed, parts, number, cell, student, seed)
    handed.runs = with_questions(parts, handed.runs)
    _put_answers(parts, handed.runs)
    notes = [] if same_id(handed.typed, student) else [describe_other_id(handed.typed, student)]
    return _assemble(released, parts, handed, student, seed, notes)


def _sort_in(handed: Submission, parts: list[Part], number: int, cell: Cell, student: str, seed: str) -> None:
    """Take one more cell of the student's: place the released part that it is, and keep what of it is the student's own."""
    part = _released(cell, parts)
    role, question = (part.role, part.question) if part else (None, None)
    source = with_identity(_source(cell), student, seed)
    if part is not None and role in ("begin", "answer", "text", "given"):
        again = _place_again(part, number)
        if not again and not _own_code(part, source, student, seed):
            return
    if part is not None and role == "person":
        handed.written[question], part.place = cell, (number, 0)
    elif _is_code(cell, role):
        handed.runs.append(((number, 1), source, question if role == "work" else None))
        if part is None and is_prose(source):
            handed.prose.append(((number, 0), cell))
    elif _source(cell).strip() or cell.get("attachments"):
        handed.texts.append(((number, 0), cell))


def _place_again(part: Part, number: int) -> bool:
    """Place a released part at a cell of the student's; return whether it was pasted once more, to have its names back."""
    again = part.role in ("begin", "given") and part.place is not None
    if part.role == "answer":  # of several hand-ins the last counts
        part.place = (number, 2)
    elif part.place is None:
        part.place = (number, 0)
    return again


def why_not_this_assignment(released: NotebookNode, submitted: list[Cell], questions: Iterable[str]) -> str | None:
    """Return words for a notebook that is not of this assignment, or empty; else None.  questions: names of this one's.

    It is another's where it begins that one, never this one, and hands in nothing or what is not asked here: questions
    of the same name stand in several.
    """
    sources = [_source(cell) for cell in submitted]
    if not any(source.strip() for source in sources) and not any(cell.get("attachments") for cell in submitted):
        return "it is a notebook without a word or a line of code"
    own = _begun(cell.source for cell in released.cells)
    begun = _begun(sources)
    if not (own and begun) or own[0] in begun:
        return None
    handed = {name for source in sources for name in ANSWER.findall(source)}
    if handed and handed <= set(questions):  # a slip in its first cell
        return None
    return f"it is a notebook of {begun[0][:40]!r}, not of {own[0]!r}"


def _begun(sources: Iterable[str]) -> list[str]:
    """Return the names of the assignments that cells begin."""
    return [found[1][1:-1].strip() for source in sources for found in BEGIN.finditer(source)]


def _typed_so_far(typed: str | None, cell: Cell) -> str | None:
    """Return the id with which a notebook begins, after one more cell; typed: that before it."""
    source = _source(cell)
    if BEGIN.search(source):
        return typed or _typed(source)
    if cell.get("cell_type") == "code" and "check.begin(" in source:
        return typed or None
    return typed


def _typed(source: str) -> str | None:
    """Return the id that a cell begins with; None where it is not written there, as a name for it."""
    begun = next(BEGIN.finditer(source))[0]
    found = TYPED.search(begun)
    return found[1] if found else None if "," in begun else ""


def _assemble(
    released: NotebookNode, parts: list[Part], handed: Submission, student: str, seed: str, notes: list[str]
) -> NotebookNode:
    """Return the notebook: released cells where the student's stand, the student's cells in the student's order."""
    nb = copy.deepcopy(released)
    twice = _place_the_rest(parts, handed.runs)
    words = [cell for _, cell in sorted([*handed.texts, *handed.prose], key=lambda pair: pair[0])]
    placed = [*((part.place, part) for part in parts if part.role != "work"), *twice]
    cells = [(place, _cell_of_part(part, handed.written, words, student, seed)) for place, part in placed]
    seen = set()
    for place, source, question in handed.runs:
        node = _new_code_cell(source, question if question not in seen else None, parts)
        seen.add(question)
        cells.append((place, _marked(node, "work", question)))
    if not any(_is_open(part, handed.written) for part in parts if part.role == "person"):
        cells += [(place, _marked(_text(cell), "text", None)) for place, cell in handed.texts]
    nb.cells = [cell for _, cell in sorted(cells, key=lambda pair: pair[0] or (-1, 0))]
    nb.cells += _lost(parts, nb.cells)
    nb.metadata["robotdyn"] = {"notes": notes}
    return _with_ids(nb)


def _lost(parts: list[Part], cells: list[NotebookNode]) -> list[NotebookNode]:
    """Return an empty cell for each solution cell that is not among some: nbgrader wants to see every one, also a deleted one."""
    present = {cell.metadata.nbgrader.grade_id for cell in cells if "nbgrader" in cell.metadata}
    lost = []
    for part in parts:
        if part.role == "work" and part.cell.metadata.nbgrader.grade_id not in present:
            empty = copy.deepcopy(part.cell)
            empty.source = "# This cell is not in the submission; what was written elsewhere stands above."
            lost.append(_marked(empty, "lost", part.question))
    return lost


def _place_the_rest(parts: list[Part], runs: list[Run]) -> list[tuple[Place, Part]]:
    """Place what the student's notebook lacks; return [(place, part)] of what runs twice.

    The first cell runs before all others, and again where the student's own stands: `%reset` may precede it.

    What is given runs after what precedes it as handed out, so that the student's own cells have the last word, and
    before the first cell that follows it: no answer may need what it was not given.
    """
    last: Place = (-1, 0)
    twice: list[tuple[Place, Part]] = []
    for part, bound in zip(parts, _bounds(parts, runs)):
        place = (bound[0], bound[1] - 0.5)
        if part.role == "begin":
            own = part.place
            part.place = min([place, *([own] if own else []), *((run[0][0], -1) for run in runs[:1])])
            if own and part.place < own:
                twice.append((own, part))
        elif part.role == "given" and (part.place is None or part.place > bound):
            place = (last[0], last[1] + STEP) if last < bound else place
            if part.place is not None:
                twice.append((place, part))
            part.place = part.place or place
            last = place
            continue
        part.place = part.place or place
        if part.role != "text":
            last = part.place
    return twice


def _bounds(parts: list[Part], runs: list[Run]) -> list[Place]:
    """Return before which place each part must run: the first that belongs to a part behind it."""
    first: Place = (math.inf, 0)
    bounds: list[Place] = []
    for part in reversed(parts):
        bounds.insert(0, first)
        if part.role == "work":
            first = min([first, *(run[0] for run in runs if run[2] == part.question)])
        elif part.role in ("answer", "given"):
            first = min([first, *([part.place] if part.place else []), *(run[0] for run in _defining(part, runs))])
    return bounds


def _cell_of_part(
    part: Part, written: dict[str | None, Cell], texts: list[Cell], student: str, seed: str
) -> NotebookNode:
    """Return the cell of a released part, with the text that answers it."""
    cell = copy.deepcopy(part.cell)
    if part.role == "begin":
        cell.source = with_identity(cell.source, student, seed)
    if part.role == "person":
        found = texts if _is_open(part, written) else [written[part.question]]
        if found:
            pictures = {name: one for text in found for name, one in text.get("attachments", {}).items()}
            cell.source = harmless("\n\n".join(map(_source, found)), pictures)
            cell.pop("attachments", None)
            if pictures and cell.cell_type == "markdown":
                cell["attachments"] = pictures
    return _marked(cell, part.role, part.question if part.role in ("answer", "person") else None)


def _is_open(part: Part, written: dict[str | None, Cell]) -> bool:
    """Return whether a question of text is as it was handed out, or gone."""
    cell = written.get(part.question)
    return cell is None or (_source(cell).strip() in ("", part.cell.source.strip()) and not cell.get("attachments"))


def _text(cell: Cell) -> NotebookNode:
    from nbformat.v4 import new_markdown_cell

    pictures = cell.get("attachments", {})
    node = new_markdown_cell(harmless(_source(cell), pictures))
    if pictures:
        node["attachments"] = pictures
    return node


def _put_answers(parts: list[Part], runs: list[Run]) -> None:
    """Put each hand-in where the student's own stands, or after the cell that answers it where that comes later."""
    for part in parts:
        if part.role == "answer":
            part.place = _place_of_answer(part, parts, runs)


def _place_of_answer(part: Part, parts: list[Part], runs: list[Run]) -> Place | None:
    """Return the place of a hand-in, None where nothing runs that it could stand behind."""
    own = [run for run in runs if run[2] == part.question]
    found = _defining(part, runs)
    answering = [run for run in found if run in own]
    if part.place is None:
        last = answering or found or own or runs
        return (last[-1][0][0], 2) if last else None
    if not any(run[0] < part.place for run in found):  # the answer stands below
        answering = _before_the_next(part, parts, own, found)[-1:]
    return max(part.place, *((run[0][0], 2) for run in answering), (-1, 0))


def _before_the_next(part: Part, parts: list[Part], own: list[Run], found: list[Run]) -> list[Run]:
    """Return those of the runs found that are the question's own, or stand before the next hand-in; all where there are none."""
    here = part.place or (-1, 0)
    ends = [other.place for other in parts if other.role == "answer" and other.place and other.place > here]
    return [run for run in found if run in own or not ends or run[0] < min(ends)] or found


def _defining(part: Part, runs: list[Run]) -> list[Run]:
    """Return the runs that define the name that a hand-in asks for."""
    name = name_asked(part)
    return [run for run in runs if name and defines(run[1], name)]


def _released(cell: Cell, parts: list[Part]) -> Part | None:
    """Return the released Part that a submitted cell is, or None."""
    source = _source(cell)
    by_source = [part for part in parts if part.cell.source.strip() == source.strip() and source.strip()]
    if by_source:
        return by_source[0]
    called = _released_by_call(source, parts) if cell.get("cell_type") == "code" else None
    if called:
        return called
    for key in (table(table(cell, "metadata"), "nbgrader").get("grade_id"), cell.get("id")):
        for part in parts:
            known = part.cell.metadata.get("nbgrader", {}).get("grade_id"), part.cell.get("id")
            if key and key in known and part.role in ("work", "person"):
                return part
    return None


def _released_by_call(source: str, parts: list[Part]) -> Part | None:
    """Return the released Part that a short cell of code is by what it calls: to hand in, or to begin; else None."""
    handed, lines = ANSWER.findall(source), len(source.strip().splitlines())
    if handed and lines <= 6:
        for part in parts:
            if part.role == "answer" and part.question == handed[-1]:
                return part
    if BEGIN.search(source) and lines <= 12:
        return next((part for part in parts if part.role == "begin"), None)
    return None


def _own_code(part: Part, source: str, student: str, seed: str) -> bool:
    """Return whether a cell that should be a released one holds code of the student's, too."""
    cell, role = part.cell, part.role
    if role == "answer":
        given = {_without_spaces_and_quotes(line) for line in cell.source.splitlines()}
        rest = [line for line in source.splitlines() if line.strip() and _without_spaces_and_quotes(line) not in given]
        return any(ANSWER.search(line) or not line.strip().startswith(HANDS_IN) for line in rest)
    if role == "begin":
        return with_identity(cell.source, student, seed).strip() != source.strip()
    return cell.source.strip() != source.strip()


def _without_spaces_and_quotes(line: str) -> str:
    return re.sub(r"[\s\"']", "", line)


def _is_code(cell: Cell, role: str | None) -> bool:
    """Return whether a cell runs: code, or an answer that was turned into text."""
    return bool(_source(cell).strip()) and (cell.get("cell_type") == "code" or role == "work")


def _new_code_cell(source: str, question: str | None, parts: list[Part]) -> NotebookNode:
    """Return a student's cell as a clean code cell; the first of a question carries nbgrader's metadata."""
    from nbformat.v4 import new_code_cell

    node = new_code_cell(source)
    for part in parts:
        if question is not None and part.role == "work" and part.question == question:
            node.metadata["nbgrader"] = copy.deepcopy(part.cell.metadata["nbgrader"])
    return node


def _source(cell: Cell) -> str:
    source = cell.get("source", "")
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def _marked(cell: NotebookNode, role: str, question: str | None) -> NotebookNode:
    cell.metadata["robotdyn"] = {"role": role, "question": question}
    if cell.cell_type == "code":
        cell.outputs, cell.execution_count = [], None
    return cell


def _with_ids(nb: NotebookNode) -> NotebookNode:
    for number, cell in enumerate(nb.cells):
        cell["id"] = f"c{number}"
    return nb
