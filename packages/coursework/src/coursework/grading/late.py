"""What late work costs: grace, percent a day, a budget of free days for the term; `[late]` in course.toml."""

import math
import sys
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry

from coursework.grading.course import Course
from coursework.grading.dates import as_nbgrader_keeps
from coursework.grading.settings import SETTINGS, settings, subtable
from coursework.grading.site import own

DAY = 86_400  # s


# where: change what late work costs
# what a course takes of it stands in `[late]` of its `course.toml`
@dataclass(frozen=True)
class LatePolicy:
    """What a teacher writes: minutes that nobody counts, percent of the earned points for each begun day, free days a student."""

    grace_minutes: float = 0.0
    percent_a_day: float = 0.0
    budget_days: int = 0

    def days(self, seconds: float) -> int:
        """Return the begun days of lateness, the grace left out."""
        return max(0, math.ceil((seconds - 60 * self.grace_minutes) / DAY))


@dataclass(frozen=True)
class Lateness:
    """Of one submission: begun days, how many of them the budget pays, and the share of the points that the others cost."""

    days: int
    free: int
    share: float


def late_policy(folder: Path) -> LatePolicy | None:
    """Return the rule of a course, None where it has none.  Raises ValueError, in words."""
    given = subtable(settings(folder), "late", "late")
    names = [field.name for field in fields(LatePolicy)]
    for name, value in given.items():
        kinds = (int,) if name == "budget_days" else (int, float)
        most = 100 if name == "percent_a_day" else sys.float_info.max
        if name not in names or type(value) not in kinds or not 0 <= value <= most:
            raise ValueError(
                f"[late] in {SETTINGS} must have {', '.join(names)}, numbers of at least 0, percent of at most 100, got {name} = {value!r}"
            )
    return LatePolicy(**given) if given else None


def lateness(course: Course) -> dict[tuple[str, str], Lateness]:
    """Return {(assignment, student): its Lateness} of all that is in the gradebook, where the course has a rule.

    The budget pays for the assignments in the order in which they were due.
    """
    rule = late_policy(course.folder)
    found: dict[tuple[str, str], Lateness] = {}
    if rule is None:
        return found
    with Gradebook(course.db) as book:
        spent: dict[str, int] = {}
        for assignment in sorted(
            (one for one in book.assignments if one.duedate), key=lambda one: (one.duedate, one.name)
        ):
            for submission in assignment.submissions:
                student = submission.student.id
                days = rule.days(submission.total_seconds_late)
                free = min(days, rule.budget_days - spent.get(student, 0))
                spent[student] = spent.get(student, 0) + free
                share = min(1.0, (days - free) * rule.percent_a_day / 100)
                found[assignment.name, student] = Lateness(days, free, share)
    return found


def apply(course: Course) -> bool:
    """Enter what late work costs, for all assignments anew: more days of one leave fewer for the next.  Return whether there is a rule.

    Raises ValueError where nbgrader has a rule of its own, too.
    """
    if late_policy(course.folder) is None:
        return False
    config = own(course)
    if "plugin_class" in config.AssignLatePenalties or "penalty_method" in config.LateSubmissionPlugin:
        raise ValueError(
            f"late work has two rules, [late] in {SETTINGS} and nbgrader's in own_config.py: take one of them out"
        )
    late = lateness(course)
    with Gradebook(course.db) as book:
        for (assignment, student), one in late.items():
            for notebook in book.find_submission(assignment, student).notebooks:
                notebook.late_submission_penalty = one.share * notebook.score or None
        book.db.commit()
    return True


def enter_times(course: Course, assignment: str) -> None:
    """Enter when each upload that counts was handed in: what its platform does not mark as late, though it marks others, is in time.

    So it is where the file has the time of the download.  To the minute, as due dates are written: of 23:59 all of that minute is in time.
    """
    with Gradebook(course.db) as book:
        due = book.find_assignment(assignment).duedate
        for student, line in course.chosen(assignment).items():
            try:
                submission = book.find_submission(assignment, student)
            except MissingEntry:
                continue
            when = as_nbgrader_keeps(datetime.fromisoformat(line["time"])).replace(second=0, microsecond=0)
            submission.timestamp = min(when, due) if due and line.get("late") is False else when
        book.db.commit()


def late_by_files(course: Course, assignment: str) -> list[str]:
    """Return what to say of those who are late by the time of a file, where their platform writes none: it may be that of the download."""
    found: dict[str, list[str]] = {}
    with Gradebook(course.db) as book:
        for student, line in course.chosen(assignment).items():
            if line.get("platform") and line.get("time_from", "").startswith("the file"):
                try:
                    late = book.find_submission(assignment, student).total_seconds_late
                except MissingEntry:
                    continue
                found.setdefault(line["platform"], []).extend([student] if late else [])
    beside = {"Moodle": "lay its grading worksheet (Grades-*.csv) beside the download and take in again, or "}
    return [
        f"late by the time of the file, which may be that of the download, since {platform} writes none there: "
        f"{', '.join(students[:5])}{f' and {len(students) - 5} more' if len(students) > 5 else ''}: {beside.get(platform, '')}"
        "give more time by `extend` to whom it takes too much"
        for platform, students in found.items()
        if students
    ]


def said(row: dict[str, Any]) -> str:
    """Return what a student is told of the lateness in a row of the table, "" in time."""
    if not row["late"]:
        return ""
    hours, minutes = divmod(math.ceil(row["late"] / 60), 60)
    words = [f"{hours // 24} d {hours % 24} h {minutes} min late".removeprefix("0 d ")]
    if "late_days" in row:
        days = f"{row['late_days']} day{'s' * (row['late_days'] != 1)}"
        words += [f"counted as {days}" if row["late_days"] else "within the grace period"]
        words += [f"{row['free_days']} of them free"] if row["free_days"] else []
    if row["penalty"]:
        words.append(f"{row['penalty']:g} points less")
    return ", ".join(words)
