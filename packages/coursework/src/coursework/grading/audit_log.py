"""What a teacher decided about a student after the fact: one line each, with its time and its reason, never changed."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from nbgrader.api import Gradebook, MissingEntry

from coursework.grading.dates import as_nbgrader_keeps
from coursework.grading.identity import alike

if TYPE_CHECKING:
    from coursework.grading.aliases import Line
    from coursework.grading.course import Course


def read(course: Course, what: str, assignment: str) -> list[Line]:
    """Return the lines of one kind about an assignment, oldest first."""
    path = course.folder / "trail.jsonl"
    lines = map(json.loads, path.read_text(encoding="utf8").splitlines()) if path.exists() else ()
    return [line for line in lines if (line["what"], line["assignment"]) == (what, assignment)]


def note(course: Course, what: str, assignment: str, student: str, **more: Any) -> None:
    """Add a line: what was decided, about whom, and what belongs to it."""
    when = datetime.now(UTC).isoformat(timespec="seconds")
    course.enter({"when": when, "what": what, "assignment": assignment, "student": student, **more}, "trail.jsonl")


def extend(course: Course, assignment: str, student: str, until: datetime, why: str) -> None:
    """Give one student, or group, more time; the next `merge` counts with it.  The last extension holds."""
    same = next((group for group in alike([student, *course.chosen(assignment)]) if student in group), None)
    if same:
        raise ValueError(f"{student!r} must be written as in the ledger: {' and '.join(same)} differ only in capitals")
    note(course, "extension", assignment, student, until=as_nbgrader_keeps(until).isoformat(), why=why)


def doubts(course: Course, assignment: str, student: str, until: datetime) -> list[str]:
    """Return what a teacher should know of an extension: that nobody of this id has handed in, that it is no more time."""
    found = []
    if student not in course.chosen(assignment):
        found.append(f"nothing of {student} has been taken in so far: it counts when that comes, if the id is right")
    with Gradebook(course.db) as book:
        due = book.find_assignment(assignment).duedate
    if due is None:
        found.append(f"{assignment} has no due date, so that nothing is late")
    elif as_nbgrader_keeps(until) <= due:
        found.append("that is no later than the due date, which holds")
    return found


def apply(course: Course, assignment: str) -> None:
    """Bring the extensions into the gradebook: nbgrader counts the seconds of lateness from them."""
    with Gradebook(course.db) as book:
        due = book.find_assignment(assignment).duedate
        for line in read(course, "extension", assignment):
            try:
                submission = book.find_submission(assignment, line["student"])
            except MissingEntry:
                continue  # it has not come yet
            until = datetime.fromisoformat(line["until"])
            submission.extension = max(until - due, timedelta(0)) if due else None  # without a due date nothing is late
        book.db.commit()


def regrade(course: Course, assignment: str, student: str, question: str, why: str) -> None:
    """Ask a person to look at a question once more: Formgrader shows it as waiting; the score stays until then."""
    with Gradebook(course.db) as book:
        grade = _find_grade(book, assignment, student, question)
        note(course, "regrade", assignment, student, question=question, score=grade.score, why=why)
        grade.needs_manual_grade = True
        book.db.commit()


def requests(course: Course, assignment: str) -> list[dict[str, Any]]:
    """Return the requests to look again, each a line of the trail with what became of it: `now`, `open`."""
    with Gradebook(course.db) as book:
        found = []
        for line in read(course, "regrade", assignment):
            try:
                grade = _find_grade(book, assignment, line["student"], line["question"])
                found.append(line | {"now": grade.score, "open": grade.needs_manual_grade})
            except ValueError:  # a roster has given the upload to somebody else since
                found.append(line | {"now": None, "open": False})
        return found


def _find_grade(book: Gradebook, assignment: str, student: str, question: str) -> Any:
    try:
        submission = book.find_submission(assignment, student)
    except MissingEntry:
        raise ValueError(
            f"no submission of {student!r} for {assignment} is in the gradebook: look at the id, or `merge` first"
        ) from None
    grades = {grade.name: grade for notebook in submission.notebooks for grade in notebook.grades}
    if question not in grades:
        raise ValueError(f"the question must be one of {', '.join(sorted(grades))}, got {question!r}")
    return grades[question]
