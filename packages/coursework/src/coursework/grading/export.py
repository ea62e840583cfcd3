"""Grades as tables: CSV for a spreadsheet or a campus system, results.json for Gradescope; every student, every state."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from nbgrader.api import Gradebook, MissingEntry

from coursework.grading.course import write
from coursework.grading.late import late_policy, lateness
from coursework.grading.tables import write_table

if TYPE_CHECKING:
    from coursework.grading.aliases import Row
    from coursework.grading.course import Course
    from coursework.grading.identity import Roster


# where: add a column of the grades
# its meaning stands in `book/grading.md`
def rows(course: Course, assignment: str, roster: Roster | None = None) -> list[Row]:
    """Return one dict a student: score, what it is made of, state, lateness; what is not graded has no score.

    roster: a Roster; each member of a group in it has the row of the group.
    """
    found = _rows(course, assignment)
    groups = roster.groups if roster else {}
    return [{**row, "student": one} for row in found for one in groups.get(row["student"], [row["student"]])]


def _rows(course: Course, assignment: str) -> list[Row]:
    rule = late_policy(course.folder)
    key = course.key(assignment)
    found = []
    late = lateness(course)
    with Gradebook(course.db) as book:
        for student, line in sorted(course.chosen(assignment).items()):
            result = course.result(line) or {"state": "waiting", "notes": []}
            row = {"student": student, "assignment": assignment, "state": result["state"], "score": "", "late": 0}
            most = sum(key.points.values()) + sum(key.people.values())
            row |= {"late_days": 0, "free_days": 0} if rule else {}
            row |= {"penalty": 0.0, "max_score": most, "waits_for_person": ""}
            row |= dict.fromkeys((*key.points, *key.people), "")
            row["notes"] = "; ".join(result.get("notes", []))
            try:
                submission = book.find_submission(assignment, student)
            except MissingEntry:
                found.append(row)
                continue
            if "verdicts" in result:
                penalty = submission.late_submission_penalty or 0.0
                row |= {"score": round(max(0.0, submission.score - penalty), 4), "penalty": round(penalty, 4)}
                row["late"] = int(submission.total_seconds_late or 0)
                if (assignment, student) in late:
                    row |= {"late_days": late[assignment, student].days, "free_days": late[assignment, student].free}
                open_questions = []
                for notebook in submission.notebooks:
                    for grade in notebook.grades:
                        row[grade.name] = round(grade.score, 4)
                        if grade.needs_manual_grade:
                            open_questions.append(grade.name)
                row["waits_for_person"] = " ".join(sorted(open_questions))
            found.append(row)
    return found


def to_csv(course: Course, assignment: str, path: Path, roster: Roster | None = None) -> int:
    """Write the table; return its number of rows."""
    table = rows(course, assignment, roster)
    write_table(path, table)
    return len(table)


def to_gradescope(course: Course, assignment: str, folder: Path) -> int:
    """Write <student>/results.json, in the form that Gradescope's autograder reads; return how many.

    None for what is not graded: Gradescope would add up its tests to a zero.
    """
    key = course.key(assignment)
    table = [row for row in rows(course, assignment) if row["score"] != ""]
    if folder.is_file():
        raise NotADirectoryError(f"results for Gradescope need a folder, and {folder} is a file")
    chosen = course.chosen(assignment)
    for row in table:
        result = course.result(chosen[row["student"]]) or {}
        tests = []
        for name, most in {**key.points, **key.people}.items():
            verdict = result.get("verdicts", {}).get(name, {"sentences": []})
            score = row[name] if row[name] != "" else 0
            output = "\n".join(verdict["sentences"]) or ("A person grades this." if name in key.people else "")
            tests.append({"name": name, "score": score, "max_score": most, "output": output})
        content = {"score": row["score"], "output": row["notes"] or row["state"], "tests": tests}
        write(folder / row["student"] / "results.json", json.dumps(content, indent=1, ensure_ascii=False).encode())
    return len(table)
