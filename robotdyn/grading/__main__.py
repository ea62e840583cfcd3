"""The commands of grading:  python -m robotdyn.grading COMMAND --course FOLDER ..."""

import argparse
import os
import sys
import warnings
from pathlib import Path


def parser():
    """Return the parser of the command line."""
    main = argparse.ArgumentParser(prog="python -m robotdyn.grading", description=__doc__)
    commands = main.add_subparsers(dest="command", required=True)

    def command(name, words, *needs):
        one = commands.add_parser(name, help=words, description=words)
        one.add_argument("--course", type=Path, default=Path("course"), help="the teacher's folder (default: course)")
        one.add_argument("--db", help="URL of the gradebook, such as postgresql+psycopg://...; remembered")
        one.add_argument("--user", help="started as root: change to this ordinary user")
        for need in needs:
            one.add_argument(need)
        return one

    one = command("release", "make student's notebook, solution and key from source notebooks")
    one.add_argument("sources", nargs="+", type=Path)
    one.add_argument("--due", help="when it is due, such as '2026-11-30 23:59 UTC'")
    one = command("intake", "enter a folder of uploads into the ledger", "assignment")
    one.add_argument("folder", type=Path)
    one.add_argument("--roster", type=Path, help="CSV of students with a column id")
    one = command("run", "grade what is not graded yet", "assignment")
    one.add_argument("--workers", type=int, help="processes on this machine (default: one a core)")
    one.add_argument("--scheduler", help="address of a Dask scheduler, such as tcp://10.0.0.1:8786")
    one.add_argument("--again", action="store_true", help="also what was graded with another key")
    one.add_argument("--cell", type=float, help="seconds that a cell may take (default: 30)")
    one.add_argument("--submission", type=float, help="seconds that a submission may take (default: 240)")
    one.add_argument("--without-sandbox", default="", metavar="WORDS", help="grade trusted code without a sandbox")
    command("merge", "bring results into the gradebook; scores by persons stay", "assignment")
    command("feedback", "make a feedback page for each student", "assignment")
    one = command("export", "write grades to a file", "assignment")
    one.add_argument("to", type=Path)
    one.add_argument("--format", choices=["csv", "gradescope"], default="csv")
    command("status", "say how many uploads are in which state", "assignment")
    return main


def main(argv=None):
    """Run one command; return the exit code."""
    options = parser().parse_args(argv)
    try:
        if options.user:
            drop(options.user)
        from robotdyn.grading import sandbox
        from robotdyn.grading.course import Course

        warnings.filterwarnings("ignore", module="nbgrader")
        if options.command == "run":
            sandbox.check(options.without_sandbox)
        return COMMANDS[options.command](Course(options.course, options.db), options) or 0
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] in ("nbgrader", "distributed", "dask", "nbformat", "jupyter_client"):
            print(f"Grading needs {error.name}: pip install '.[grade]' in a clone of robotdyn", file=sys.stderr)
            return 1
        raise
    except (RuntimeError, ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 1


def drop(user):
    """Change from root to an ordinary user, for good."""
    import pwd

    if os.geteuid() != 0:
        raise RuntimeError("--user is for root: you are an ordinary user already")
    entry = pwd.getpwnam(user)
    if entry.pw_uid == 0:
        raise RuntimeError(f"--user must name an ordinary user, got {user}")
    os.setgroups([])
    os.setresgid(entry.pw_gid, entry.pw_gid, entry.pw_gid)
    os.setresuid(entry.pw_uid, entry.pw_uid, entry.pw_uid)
    os.environ["HOME"] = entry.pw_dir


def _release(course, options):
    from robotdyn.grading.release import due, release

    for source in options.sources:
        for path in release(course, source):
            print(path)
        if options.due:
            due(course, source.stem, options.due)


def _intake(course, options):
    from robotdyn.grading.intake import intake

    new = intake(course, options.assignment, options.folder, options.roster)
    for line in new:
        if not line["readable"]:
            print(printable(f"{line['name']}: {line['why']}"))
    readable = sum(line["readable"] for line in new)
    print(f"{len(new)} new uploads of {len({line['student'] for line in new})} students, {readable} can be read")


def printable(text):
    """Return the text with what moves a cursor written out: the name of a file may hold anything."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def _run(course, options):
    from robotdyn.grading.course import FAULT
    from robotdyn.grading.limits import Limits
    from robotdyn.grading.run import run

    given = {name: getattr(options, name) for name in ("cell", "submission") if getattr(options, name)}
    states = run(course, options.assignment, options.workers, options.scheduler, Limits(**given),
                 options.without_sandbox, again=options.again)  # fmt: skip
    _tell(states)
    if states.get(FAULT):
        print("Some could not be graded by a fault of the grader, not of the student: run again.", file=sys.stderr)
    return 1 if states.get(FAULT) else 0


def _merge(course, options):
    from robotdyn.grading.merge import merge

    print(f"{len(merge(course, options.assignment))} submissions entered into the gradebook")


def _feedback(course, options):
    from robotdyn.grading.release import api

    done = api(course).generate_feedback(options.assignment, force=True)
    if not done["success"]:
        raise RuntimeError(f"nbgrader could not make the pages: {done.get('log', '')[-2000:]}")
    print(f"pages in {course.nbgrader / 'feedback'}")


def _export(course, options):
    from robotdyn.grading import export

    count = (export.to_csv if options.format == "csv" else export.to_gradescope)(course, options.assignment, options.to)
    print(f"{count} students in {options.to}")


def _status(course, options):
    from robotdyn.grading.run import states

    _tell(states(course, options.assignment))
    for line in course.ledger(options.assignment):
        result = course.result(line) or {"state": "waiting", "notes": []}
        if result["state"] not in ("graded", "superseded"):
            print(f"{line['upload']} {line['student']}: {result['state']}: {'; '.join(result['notes'])}")


def _tell(states):
    print(", ".join(f"{count} {state}" for state, count in sorted(states.items())) or "no uploads yet")


COMMANDS = {"release": _release, "intake": _intake, "run": _run, "merge": _merge, "feedback": _feedback,
            "export": _export, "status": _status}  # fmt: skip

if __name__ == "__main__":
    sys.exit(main())
