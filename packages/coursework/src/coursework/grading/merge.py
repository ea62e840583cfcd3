"""One writer brings results into nbgrader's gradebook; what a person has scored there stays as it is."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades

from coursework.grading import audit_log, late
from coursework.grading.beside import unread
from coursework.grading.course import write
from coursework.grading.credit import points_of, rules
from coursework.grading.reading import NoNotebook, raw_bytes
from coursework.grading.site import own
from coursework.grading.task import verdict_box

if TYPE_CHECKING:
    from coursework.check.question import Credit
    from coursework.grading.aliases import Line, Result
    from coursework.grading.course import Course

SECRET = "submission_secret.txt"
SCORED = ("graded", "needs a person", "wall limit")


class SaveScores(SaveAutoGrades):
    """nbgrader's SaveAutoGrades, with the verdicts of the judge in place of what the notebook says of itself."""

    def _add_score(self, cell: NotebookNode, resources: Mapping[str, Any]) -> None:
        name = cell.metadata.nbgrader.grade_id
        grade = self.gradebook.find_grade(name, self.notebook_id, self.assignment_id, self.student_id)
        verdict = resources["robotdyn"].get(name)
        score = None if verdict is None else points_of(verdict, resources["robotdyn_credit"][name])
        if verdict is None and _no_response(cell) and not resources["robotdyn_files"]:
            score = 0.0  # a text that was never written needs nobody to read it, unless it may lie beside the notebook
        changed = score != grade.auto_score or resources["robotdyn_new"]
        asked = grade.needs_manual_grade and grade.auto_score is not None and not resources["robotdyn_new"]
        grade.auto_score = score
        if score is None:
            grade.needs_manual_grade = grade.manual_score is None or changed
        else:
            grade.needs_manual_grade = bool(asked or (grade.manual_score is not None and changed))
        self.gradebook.db.commit()


def _no_response(cell: NotebookNode) -> bool:
    from nbgrader import utils

    info = cell.metadata.nbgrader
    return bool(info.get("solution")) and info.get("checksum") == utils.compute_checksum(cell)


def merge(course: Course, assignment: str) -> list[str]:
    """Enter each new or changed result of an assignment; return the students that were entered.

    What a corrected roster has given to another student leaves the gradebook and the feedback of the first.  Late penalties are reckoned anew for all: a person may have given points since, a teacher another due date.
    """
    course.key(assignment)
    _check_known(course, assignment)
    penalties = AssignLatePenalties(config=own(course))
    credit = rules(course.folder, assignment)
    journal = course.folder / "merged.json"
    known = json.loads(journal.read_text(encoding="utf-8")) if journal.exists() else {}
    entered = []
    with course.locked():
        _remove_moved(course, assignment, known)
        write(journal, json.dumps(known, indent=1).encode())
        for student, line in sorted(course.chosen(assignment).items()):
            result = course.result(line)
            if result is None or result["state"] not in SCORED:
                continue
            kept: dict[str, Any] = {
                name: result[name] for name in ("sha", "verdicts", "state", "files") if name in result
            }
            kept |= {"parts": earned} if (earned := _parts_earned(result, credit)) else {}
            mark = hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()
            old = known.get(f"{assignment}/{student}", {})
            if old.get("mark") == mark and _is_in(course, assignment, student):
                continue
            another = old.get("sha", line["sha"]) != line["sha"]  # what a person has read was another upload
            _enter(course, line, result, another, credit)
            if old.get("moved") == line["upload"]:
                _enter_given(course, assignment, student, old["given"])
            known[f"{assignment}/{student}"] = {"mark": mark, "sha": line["sha"], "upload": line["upload"]}
            write(journal, json.dumps(known, indent=1).encode())
            entered.append(student)
        late.enter_times(course, assignment)
        audit_log.apply(course, assignment)
        for student in course.chosen(assignment) if not late.apply(course) else ():
            if _is_in(course, assignment, student):
                penalties.preprocess(NotebookNode(cells=[]), _resources(course, assignment, student))
    return entered


def _remove_moved(course: Course, assignment: str, known: Any) -> None:
    """Take out of gradebook and feedback what the ledger says is another student's; keep for that one what persons gave."""
    lines = course.ledger(assignment)
    moved = []
    for name, old in list(known.items()):
        student = name.removeprefix(f"{assignment}/")
        now = [
            line
            for line in lines
            if old.get("upload", line["upload"]) == line["upload"] and old.get("sha") == line["sha"]
        ]
        if student == name or not now or student in {line["student"] for line in now}:
            continue
        del known[name]
        moved.append((student, now[0], _remove_submission(course, assignment, student)))
        for folder in ("autograded", "feedback"):
            shutil.rmtree(course.nbgrader / folder / student / assignment, ignore_errors=True)
    for student, line, given in moved:  # when all are out: two may have changed places
        known.setdefault(f"{assignment}/{line['student']}", {}).update(given=given, moved=line["upload"])
        audit_log.note(course, "moved", assignment, student, to=line["student"], upload=line["upload"], given=given)


def _remove_submission(course: Course, assignment: str, student: str) -> dict[str, list[Any]]:
    """Take a submission out of the gradebook; return what persons gave: {question: [score, extra credit, comment]}."""
    with Gradebook(course.db) as book:
        try:
            submission = book.find_submission(assignment, student)
        except MissingEntry:
            return {}
        said = {c.name: c.manual_comment for notebook in submission.notebooks for c in notebook.comments}
        grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
        found = {grade.name: [grade.manual_score, grade.extra_credit, said.get(grade.name)] for grade in grades}
        book.remove_submission(assignment, student)
        if not book.student_submissions(student):
            book.remove_student(student)
        return {name: given for name, given in found.items() if any(part is not None for part in given)}


def _enter_given(course: Course, assignment: str, student: str, given: Mapping[str, Sequence[Any]]) -> None:
    """Enter what persons gave; of a question that the machine judges by other numbers now, a person looks again."""
    with Gradebook(course.db) as book:
        (notebook,) = book.find_submission(assignment, student).notebooks
        for grade in notebook.grades:
            if grade.name in given:
                grade.manual_score, grade.extra_credit, _ = given[grade.name]
                grade.needs_manual_grade = grade.auto_score is not None or grade.manual_score is None
        for comment in notebook.comments:
            if comment.name in given:
                comment.manual_comment = given[comment.name][2]
        book.db.commit()


def _check_known(course: Course, assignment: str) -> None:
    """Raise ValueError if the gradebook does not know the assignment: it may be another one than at its release."""
    with Gradebook(course.db) as book:
        try:
            book.find_assignment(assignment)
        except MissingEntry:
            raise ValueError(f"the gradebook does not know {assignment!r}: run `release` for it again first") from None


def _resources(course: Course, assignment: str, student: str) -> dict[str, Any]:
    return {"nbgrader": {"notebook": assignment, "assignment": assignment, "student": student, "db_url": course.db}}


def _is_in(course: Course, assignment: str, student: str) -> bool:
    with Gradebook(course.db) as book:
        try:
            book.find_submission(assignment, student)
        except MissingEntry:
            return False
    return True


def _parts_earned(result: Result, credit: Mapping[str, Credit]) -> dict[str, float]:
    """Return {question: points} of what parts of answers earn that are wrong as a whole."""
    earned = {name: points_of(one, credit[name]) for name, one in result["verdicts"].items() if one.get("parts")}
    return {name: points for name, points in earned.items() if points}


def _enter(course: Course, line: Line, result: Result, another: Any, credit: Mapping[str, Credit]) -> None:
    """Write one submission: its row, its executed notebook for formgrader, its scores."""
    student = line["student"]
    assignment = line["assignment"]
    when = datetime.fromisoformat(line["time"]).replace(tzinfo=None)
    with Gradebook(course.db) as book:
        book.update_or_create_student(student)
        book.update_or_create_submission(assignment, student, timestamp=when)
    nb = nbformat.reads(result["notebook"], as_version=4)
    place = course.nbgrader / "autograded" / student / assignment / f"{assignment}.ipynb"
    resources = _resources(course, assignment, student)
    resources |= {"robotdyn": result["verdicts"], "robotdyn_new": another, "robotdyn_files": unread(line)}
    resources |= {"robotdyn_credit": credit}
    for cell in nb.cells:
        about = cell.metadata.get("robotdyn", {})
        if about.get("role") == "answer" and about["question"] in result["verdicts"] and cell.outputs:
            verdict = result["verdicts"][about["question"]]
            cell.outputs[-1] = verdict_box(verdict, points_of(verdict, credit[about["question"]]))
    nb, _ = SaveScores().preprocess(nb, resources)
    write(place, nbformat.writes(nb).encode())
    write(place.with_name("timestamp.txt"), when.isoformat(sep=" ").encode() + b" UTC\n")
    with suppress(NoNotebook):  # nbgrader's exchange hands feedback only to those who have this secret
        write(place.with_name(SECRET), raw_bytes(course.nbgrader / "submitted" / student / assignment / SECRET))
