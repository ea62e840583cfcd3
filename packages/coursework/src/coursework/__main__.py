"""The teacher's commands:  python -m coursework COMMAND --course FOLDER ..."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__" and sys.path[0] == os.getcwd():  # where anybody may have laid a module
    del sys.path[0]
    os.environ["PYTHONSAFEPATH"] = "1"  # of the processes that are begun from here

import argparse
import errno
import io
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from coursework import command_line

if TYPE_CHECKING:
    from coursework.grading.course import Course


KEPT = "What is done is kept: the same command goes on."
NEEDED = ("nbgrader", "distributed", "dask", "nbformat", "jupyter_client", "cryptography", "pylti1p3")  # to grade


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    return command_line.parser(__doc__)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # not UTF-8: what it cannot hold is written out
        sys.stdout.reconfigure(errors="backslashreplace")
    options = parser().parse_args(argv)
    try:
        return _command(options)
    except KeyboardInterrupt:
        print(f"\nStopped. {KEPT}", file=sys.stderr)
        return 130
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if missing.split(".")[0] not in NEEDED:
            raise
        extra = "lti" if missing.startswith("pylti1p3") else "grade"
        print(
            f"Grading needs {missing}: pip install './packages/coursework[{extra}]' in a clone of robotdyn",
            file=sys.stderr,
        )
        return 1
    except (RuntimeError, ValueError, OSError) as error:
        print("\n".join(map(printable, _said(error).split("\n"))), file=sys.stderr)
        return 1
    except Exception as error:
        if not type(error).__module__.startswith("sqlalchemy."):
            raise
        reason = str(getattr(error, "orig", None) or error).split("\n")[0]
        print(f"The gradebook does not answer: {printable(reason)}\n{KEPT}", file=sys.stderr)
        return 1


def _said(error: Exception) -> str:
    """Return what a command stops with, for a teacher."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    said = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return f"{said}\n{KEPT}" if error.errno in (errno.ENOSPC, errno.EDQUOT) else said


def _command(options: argparse.Namespace) -> int:
    """Run one command; return the exit code.  Raises what it stops with."""
    from coursework.grading import container, sandbox

    if options.command == "run" and options.container is not None:
        return container.run(options.course, options.container, _inside(options), options.user)
    if options.user:
        drop(options.user)
    from coursework.grading.course import Course

    warnings.filterwarnings("ignore", module="nbgrader")
    if options.command == "run":
        sandbox.check(options.without_sandbox)
    new = options.command == "release"
    course = Course(options.course, options.db if new else None, new)
    if not new:
        course.key(options.assignment)
    return COMMANDS[options.command](course, options) or 0


def _inside(options: argparse.Namespace) -> list[str]:
    """Return the words of a run that goes on in a container."""
    if options.scheduler or options.without_sandbox:
        raise ValueError("--container must stand without --scheduler and --without-sandbox: they mean another place")
    given = {name: getattr(options, name) for name in ("workers", "cell", "submission") if getattr(options, name)}
    words = [word for name, number in given.items() for word in (f"--{name}", str(number))]
    return [options.assignment, *words, *(["--again"] if options.again else [])]


def drop(user: str, needed: Sequence[str] = (sys.executable, os.__file__, __file__)) -> None:
    """Change from root to an ordinary user, for good.  needed: files that this user must be able to read."""
    from coursework.grading.sandbox import user_entry

    if os.geteuid() != 0:
        raise RuntimeError("--user is for root: you are an ordinary user already")
    entry = user_entry(user)
    if entry.pw_uid == 0:
        raise RuntimeError(f"--user must name an ordinary user, got {user}")
    os.setgroups([])
    os.setresgid(entry.pw_gid, entry.pw_gid, entry.pw_gid)
    os.setresuid(entry.pw_uid, entry.pw_uid, entry.pw_uid)
    os.environ["HOME"] = entry.pw_dir
    closed = [path for path in needed if not os.access(path, os.R_OK)]
    if closed:
        raise RuntimeError(
            f"--user must name a user who can read Python and this package: {user} cannot read {closed[0]}. "
            "Make the environment with a Python that lies in no closed folder, such as /root: that of the system "
            "(make setup PYTHON=/usr/bin/python3), in a clone below /opt or /srv."
        )


def _release(course: Course, options: argparse.Namespace) -> None:
    from coursework.grading.dates import course_zone, describe, read_time
    from coursework.grading.release import due, release

    when = read_time(options.due, course_zone(course.folder), "--due") if options.due else None
    for folder in options.hide:
        course.hide(folder)
    for source in options.sources:
        for path in release(course, source):
            print(path)
        if when:
            due(course, source.stem, when)
            print(f"{source.stem}: due {describe(when)}")


def _intake(course: Course, options: argparse.Namespace) -> None:
    from coursework.grading.intake import intake

    known = {line["upload"] for line in course.ledger()}
    entered = intake(
        course, options.assignment, options.folder, options.roster, say=lambda words: print(printable(words))
    )
    for line in entered:
        if not line["readable"]:
            print(printable(f"{line['name']}: {line['why']}"))
    new = [line for line in entered if line["upload"] not in known]
    readable = sum(line["readable"] for line in new)
    print(f"{len(new)} new uploads of {len({line['student'] for line in new})} students, {readable} can be read")
    if corrected := [line for line in entered if line["upload"] in known]:
        readable = sum(line["readable"] for line in corrected)
        print(f"{len(corrected)} earlier ones corrected, {readable} of them can be read")


def printable(text: str) -> str:
    """Return the text with what moves a cursor written out: the name of a file may hold anything."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def _run(course: Course, options: argparse.Namespace) -> int:
    from coursework.grading.course import FAULT
    from coursework.grading.limits import Limits
    from coursework.grading.run import run

    given = {name: getattr(options, name) for name in ("cell", "submission") if getattr(options, name)}
    states = run(course, options.assignment, options.workers, options.scheduler, Limits(**given),
                 options.without_sandbox, again=options.again, tls=options.tls)  # fmt: skip
    _tell(states)
    _tell_wanted(course, options.assignment)
    _tell_replaced_key(course, options.assignment)
    if states.get(FAULT):
        results = [course.result(line) or {} for line in course.ledger(options.assignment)]
        reason = next(result["notes"][0] for result in results if result.get("state") == FAULT)
        print(f"Some could not be graded by a fault of the grader, not of the student: fix it and run again. "
              f"The first says: {reason}", file=sys.stderr)  # fmt: skip
    return 1 if states.get(FAULT) else 0


def _merge(course: Course, options: argparse.Namespace) -> None:
    from coursework.grading.late import late_by_files
    from coursework.grading.merge import merge

    print(f"{len(merge(course, options.assignment))} submissions entered into the gradebook")
    for sentence in late_by_files(course, options.assignment):
        print(printable(sentence))


def _feedback(course: Course, options: argparse.Namespace) -> None:
    from coursework.grading import feedback

    with course.locked():
        pages = feedback.make(course, options.assignment, options.student, options.ready)
    print(
        f"{len(pages)} pages in {course.folder / 'feedback' / options.assignment}, and for nbgrader in {course.nbgrader / 'feedback'}"
    )
    if options.zip:
        how, left = feedback.pack(course, options.assignment, pages, options.zip)
        print(f"{options.zip}: {len(pages) - len(left)} of them, {'for ' if how != feedback.FLAT else ''}{how}")
        if left:
            print(printable(f"not in it, for their paths do not say enough: {', '.join(left)}"), file=sys.stderr)


def _export(course: Course, options: argparse.Namespace) -> None:
    from coursework.grading import export, platforms
    from coursework.grading.identity import Roster

    roster = Roster.read(options.roster) if options.roster else None
    if options.into:
        count, missing, waiting = platforms.fill(
            course, options.assignment, options.into, options.to, options.column, roster
        )
        for words, students in (
            ("not in the gradebook of the platform", missing),
            ("not final, or excused there, left as it was", waiting),
        ):
            if students:
                print(printable(f"{words}: {', '.join(students)}"), file=sys.stderr)
    elif options.format == "csv":
        count = export.to_csv(course, options.assignment, options.to, roster)
    else:
        count = export.to_gradescope(course, options.assignment, options.to)
    print(f"{count} students in {options.to}")


def _send(course: Course, options: argparse.Namespace) -> None:
    from coursework.grading import lti
    from coursework.grading.identity import Roster

    roster = Roster.read(options.roster) if options.roster else None
    with course.locked():
        sent, there, missing, waiting = lti.send(course, options.assignment, options.platform, roster)
    for words, students in (("not a member on the platform", missing), ("not final, not sent", waiting)):
        if students:
            print(printable(f"{words}: {', '.join(students)}"), file=sys.stderr)
    print(f"{sent} scores sent, {there} stood there already")


def _extend(course: Course, options: argparse.Namespace) -> None:
    from coursework.grading.audit_log import doubts, extend
    from coursework.grading.dates import course_zone, describe, read_time

    until = read_time(options.until, course_zone(course.folder), "--until")
    extend(course, options.assignment, options.student, until, options.why)
    print(f"{options.student}: until {describe(until)}; `merge` counts with it")
    for sentence in doubts(course, options.assignment, options.student, until):
        print(sentence)


def _regrade(course: Course, options: argparse.Namespace) -> None:
    from coursework.grading.audit_log import regrade

    with course.locked():
        regrade(course, options.assignment, options.student, options.question, options.why)
    print(f"{options.student}, {options.question}: waits in Formgrader; `status` says what became of it")


def _share(course: Course, options: argparse.Namespace) -> None:
    from coursework.grading.graders import share

    with course.locked():
        given = share(course, options.assignment, options.graders, options.to, options.twice)
    print(", ".join(f"{name}: {many} answers" for name, many in given.items()))


def _marks(course: Course, options: argparse.Namespace) -> None:
    from coursework.grading.graders import enter

    with course.locked():
        for path in options.tables:
            entered, alone, apart = enter(course, options.assignment, path)
            print(f"{path.stem}: {entered} answers have their points, {alone} wait for the second grader")
            for page, question, given in apart:
                listed = ", ".join(f"{name} {points:g}" for name, points in sorted(given.items()))
                print(printable(f"  {question}, {page}: {listed}: waits in Formgrader for you"))


def _report(course: Course, options: argparse.Namespace) -> None:
    from coursework.grading.report import to_page

    print(*to_page(course, options.assignment, options.to), sep="\n")


def _board(course: Course, options: argparse.Namespace) -> None:
    from coursework.grading.board import to_page

    print(*to_page(course, options.assignment, options.to), sep="\n")


def _status(course: Course, options: argparse.Namespace) -> None:
    from coursework.grading import audit_log, sandbox
    from coursework.grading.identity import alike
    from coursework.grading.run import states

    how = "by systemd" if sandbox.has_scopes() else "by a look five times a second: systemd gives no scopes here"
    print(f"The memory of a notebook is bounded {how}.")
    _tell(states(course, options.assignment))
    for line in course.ledger(options.assignment):
        result = course.result(line) or {"state": "waiting", "notes": ["run grades it"]}
        if result["state"] not in ("graded", "superseded"):
            waits = {name: one for name, one in result.get("verdicts", {}).items() if one["points"] is None}
            notes = [*result["notes"], *(" ".join([f"{name}:", *one["sentences"]]) for name, one in waits.items())]
            print(
                printable(f"{line['upload']} {line['student']}: {result['state']}: {'; '.join(notes)} ({line['name']})")
            )
    for one in audit_log.requests(course, options.assignment):
        became = (
            "waits for a person"
            if one["open"]
            else f"looked at: {one['score']:g} -> {one['now'] if one['now'] is None else format(one['now'], 'g')}"
        )
        print(printable(f"{one['when']} regrade {one['student']} {one['question']}: {became} ({one['why']})"))
    for same in alike(line["student"] for line in course.ledger()):
        print(
            printable(
                f"{' and '.join(same)} differ only in capitals: one student or two? Write a roster, and take them in with it"
            )
        )
    _tell_wanted(course, options.assignment)
    _tell_replaced_key(course, options.assignment)


def _tell(states: Mapping[str, int]) -> None:
    print(", ".join(f"{count} {state}" for state, count in sorted(states.items())) or "no uploads yet")


def _tell_wanted(course: Course, assignment: str) -> None:
    """Say once for the class which modules notebooks import that are not there."""
    results = [course.result(line) or {} for line in course.chosen(assignment).values()]
    wanted = Counter(name for result in results for name in result.get("wanted", ()))
    if wanted:
        listed = ", ".join(f"{name} (in {count})" for name, count in sorted(wanted.items()))
        print(printable(f"modules that notebooks import and that are not there: {listed}. Install them here and run with --again, "
                        "or ask for the file; one that comes beside its notebook is graded at the next intake and run."))  # fmt: skip


def _tell_replaced_key(course: Course, assignment: str) -> None:
    """Say how many of the uploads that count were graded with a key that a release has replaced since."""
    key = course.key(assignment).fingerprint
    results = [course.result(line) or {} for line in course.chosen(assignment).values()]
    old = sum(result.get("key", key) != key for result in results)
    if old:
        print(f"{old} were graded with another key: run {assignment} --again")


COMMANDS = {"release": _release, "intake": _intake, "run": _run, "merge": _merge, "feedback": _feedback,
            "export": _export, "send": _send, "share": _share, "marks": _marks, "report": _report, "board": _board, "extend": _extend, "regrade": _regrade, "status": _status}  # fmt: skip

if __name__ == "__main__":
    sys.exit(main())
