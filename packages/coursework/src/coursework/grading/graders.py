"""Several graders: each gets a table of answers to read, without names; what they give is entered, with who gave it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbgrader.api import Gradebook

from coursework.grading import audit_log
from coursework.grading.identity import safe
from coursework.grading.release import api
from coursework.grading.tables import read_table, write_table

if TYPE_CHECKING:
    from coursework.grading.aliases import Line, Row
    from coursework.grading.course import Course


def share(course: Course, assignment: str, names: Sequence[str], folder: Path, twice: int = 0) -> dict[str, int]:
    """Write FOLDER/NAME.csv for each grader: the answers that wait for a person; return {name: how many}.

    An answer stays with whom it was given to; of the new ones the first `twice` go to two graders, the others to one.
    """
    if len({name.lower() for name in names}) < len(names) or any(safe(name) != name for name in names):
        raise ValueError(f"graders must have different names that files can have, got {', '.join(names)}")
    if twice and len(names) < 2:
        raise ValueError(f"--twice needs two graders, got {', '.join(names)}")
    numbers = api(course).get_notebook_submission_indices(assignment, assignment)
    sheets: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for answer, question, most, graders in _shared(course, assignment, names, twice):
        for name in graders:
            row = {"submission": numbers.get(answer.split("#")[0], -1) + 1, "question": question, "most": most}
            sheets[name].append(row | {"points": "", "comment": "", "page": f"formgrader/submissions/{answer}"})
    folder.mkdir(parents=True, exist_ok=True)
    for name, sheet in sheets.items():
        if sheet:
            write_table(folder / f"{name}.csv", sorted(sheet, key=lambda row: (row["question"], row["submission"])))
    return {name: len(sheet) for name, sheet in sheets.items()}


def _shared(
    course: Course, assignment: str, names: Sequence[str], twice: int
) -> Iterator[tuple[str, str, float, list[str]]]:
    """Yield (answer, question, its most, its graders): those who have it already, else who has least to do; note who gets it.

    twice: how many of the answers that nobody has yet get two graders.
    """
    given = {
        (line["answer"], line["question"]): line["graders"] for line in audit_log.read(course, "share", assignment)
    }
    load = Counter(dict.fromkeys(names, 0))
    load.update(name for graders in given.values() for name in graders if name in load)
    for answer, student, question, most in _waiting(course, assignment):
        graders = [name for name in given.get((answer, question), ()) if name in load]
        if not graders:
            graders = sorted(names, key=lambda name: (load[name], names.index(name)))[: 2 if twice else 1]
            load.update(graders)
            twice = max(twice - 1, 0)
            audit_log.note(course, "share", assignment, student, answer=answer, question=question, graders=graders)
        yield answer, question, most, graders


def enter(course: Course, assignment: str, path: Path) -> tuple[int, int, list[tuple[str, str, dict[str, float]]]]:
    """Enter the table of a grader; return (how many answers have points now, how many wait for a second grader, differences).

    differences: [(submission's page, question, {grader: points})] of answers that two graders read and value differently:
    they go on waiting in Formgrader.  A table with a mistake enters nothing.
    """
    grader = path.stem
    shares = {(line["answer"], line["question"]): line for line in audit_log.read(course, "share", assignment)}
    most = {(answer, question): most for answer, _, question, most in _waiting(course, assignment, all_of_them=True)}
    last = {
        (line["answer"], line["question"], line["grader"]): line for line in audit_log.read(course, "mark", assignment)
    }
    waits = {(answer, question) for answer, _, question, _ in _waiting(course, assignment)}
    marks = []
    for (answer, question), mark in _marks(path, grader, shares, most).items():
        before = last.get((answer, question, grader))  # what comes a second time leaves what a teacher gave since
        if (answer, question) in waits or not before or [before["points"], before["comment"]] != mark:
            marks.append((answer, question, *mark))
    for answer, question, points, comment in marks:
        audit_log.note(course, "mark", assignment, shares[answer, question]["student"], answer=answer, question=question,
                   grader=grader, points=points, comment=comment)  # fmt: skip
    said = _said(course, assignment)
    entered = 0
    alone = 0
    apart = []
    with Gradebook(course.db) as book:
        for answer, question, points, _ in marks:
            read = said[answer, question]
            given = {name: line["points"] for name, line in read.items()}
            if len(given) < len(shares[answer, question]["graders"]):
                alone += 1
            elif max(given.values()) - min(given.values()) > 1e-9:
                apart.append((f"formgrader/submissions/{answer}", question, given))
            else:
                _enter_points(
                    book,
                    answer,
                    question,
                    points,
                    "\n".join(line["comment"] for line in read.values() if line["comment"]),
                )
                entered += 1
        book.db.commit()
    return entered, alone, apart


def _said(course: Course, assignment: str) -> dict[tuple[str, str], dict[str, Any]]:
    """Return {(answer, question): {grader: the last line of the trail}}, what each grader said of an answer."""
    said: dict[tuple[str, str], dict[str, Any]] = {}
    for line in audit_log.read(course, "mark", assignment):
        said.setdefault((line["answer"], line["question"]), {})[line["grader"]] = line
    return said


def _marks(
    path: Path, grader: str, shares: Mapping[tuple[str, str], Line], most: Mapping[tuple[str, str], float]
) -> dict[tuple[str, str], list[Any]]:
    """Return {(answer, question): [points, comment]} of a grader's table.  Raises ValueError where a line cannot be entered."""
    found: dict[tuple[str, str], list[Any]] = {}
    for number, row in _filled(path):
        answer, question, *mark = _mark(row, grader, shares, most, f"{path}, line {number}")
        if (answer, question) in found:
            raise ValueError(f"{path}, line {number}: this answer stands in two lines; nothing of the file was entered")
        found[answer, question] = mark
    return found


def _enter_points(book: Gradebook, answer: str, question: str, points: float, comment: str) -> None:
    """Enter the points of an answer, and what graders say of it, into the gradebook."""
    notebook = book.find_submission_notebook_by_id(answer.split("#")[0])
    (grade,) = (one for one in notebook.grades if one.name == question)
    grade.manual_score = points
    grade.needs_manual_grade = False
    for one in notebook.comments:
        if one.name == question:
            one.manual_comment = comment or None


def _filled(path: Path) -> list[tuple[int, Row]]:
    """Return [(number of the line, row)] of the rows with points."""
    columns, rows = read_table(path)
    missing = {"question", "points", "page"}.difference(columns)
    if missing:
        raise ValueError(f"{path} must have the columns that `share` wrote, and lacks {', '.join(sorted(missing))}")
    return [(number, row) for number, row in rows if (row["points"] or "").strip()]


def _mark(
    row: Row, grader: str, shares: Mapping[tuple[str, str], Line], most: Mapping[tuple[str, str], float], where: str
) -> tuple[str, str, float, str]:
    """Return (answer, question, points, comment) of a row; raise ValueError where it says nothing that can be entered."""
    answer = str(row.get("page") or "").rsplit("/", 1)[-1]
    question = row.get("question") or ""
    if grader not in shares.get((answer, question), {"graders": ()})["graders"]:
        raise ValueError(
            f"{where}: this answer was not given to {grader}: the file must have the name of the grader, and the columns page and question as `share` wrote them"
        )
    if (answer, question) not in most:
        raise ValueError(f"{where}: this answer is not in the gradebook any more, or was handed in anew: `share` again")
    try:
        points = float(row["points"].replace(",", "."))
    except ValueError:
        points = math.nan
    if not 0 <= points <= most[answer, question]:
        raise ValueError(
            f"{where}: points must be a number from 0 to {most[answer, question]:g}, got {row['points']!r}; nothing of the file was entered"
        )
    return answer, question, points, str(row.get("comment") or "").strip()


def _waiting(course: Course, assignment: str, all_of_them: bool = False) -> list[tuple[str, str, str, float]]:
    """Return [(answer, student, question, its most)] of the answers that wait for a person.

    answer: the id of a notebook in the gradebook, # and the beginning of the upload's hash: what is handed in anew is another.
    """
    chosen = course.chosen(assignment)
    with Gradebook(course.db) as book:
        notebooks = sorted(book.notebook_submissions(assignment, assignment), key=lambda one: one.id)
        return [(f"{one.id}#{chosen[one.student.id]['sha'][:8]}", one.student.id, grade.name, grade.max_score)
                for one in notebooks if one.student.id in chosen
                for grade in sorted(one.grades, key=lambda grade: grade.name) if all_of_them or grade.needs_manual_grade]  # fmt: skip
