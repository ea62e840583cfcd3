"""The board of a class: the scores of open tasks, best first and without names; students know their own by its number."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from coursework.check.session import assignment_module
from coursework.grading.export import rows
from coursework.grading.tables import write_page

if TYPE_CHECKING:
    from coursework.grading.course import Course


def tasks(course: Course, assignment: str) -> list[tuple[str, str, str, list[float]]]:
    """Return [(name, title, words of the score, scores, least first)] of the open tasks that have any in the gradebook."""
    specs = assignment_module(assignment).QUESTIONS
    chosen = course.chosen(assignment)
    taken = [row["student"] for row in rows(course, assignment) if row["score"] != ""]
    verdicts = [(course.result(chosen[student]) or {})["verdicts"] for student in taken]
    found = []
    for name, spec in specs.items():
        scores = sorted(score for one in verdicts if (score := one.get(name, {}).get("score")) is not None)
        if spec.score and scores:
            found.append((name, spec.title, spec.score[0], scores))
    if not found:
        raise RuntimeError(f"{assignment} has no open task with a score in the gradebook")
    return found


def to_page(course: Course, assignment: str, path: Path) -> tuple[Path, Path]:
    """Write the page, and beside it the table (.csv); return both paths."""
    found = tasks(course, assignment)
    lines = [{"question": name, "place": 1 + scores.index(score), "score": f"{score:.4g}"}
             for name, _, _, scores in found for score in scores]  # fmt: skip
    return write_page(path, "board.html", {"assignment": assignment, "tasks": found}, lines)
