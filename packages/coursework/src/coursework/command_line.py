"""The words of the command line: python -m coursework COMMAND --course FOLDER ..."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

Command: TypeAlias = Callable[..., argparse.ArgumentParser]  # (name, what it does, whether of one assignment)


# where: add a command for teachers
# its options here and its function in `coursework/__main__.py`, what it does in a file of `coursework/grading/`, its use in
# `book/grading.md`
def parser(description: str | None) -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    main = argparse.ArgumentParser(prog="python -m coursework", description=description)
    commands = main.add_subparsers(dest="command", required=True)

    def command(name: str, words: str, assignment: bool = True) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=words, description=words)
        one.add_argument("--course", type=Path, default=Path("course"), help="the teacher's folder (default: course)")
        one.add_argument("--user", help="started as root: change to this ordinary user")
        if assignment:
            one.add_argument("assignment", help="its name, such as two-link")
        return one

    _add_grading(command)
    _add_handing_back(command)
    _add_decisions(command)
    _add_views(command)
    return main


def _add_grading(command: Command) -> None:
    """Add what goes from a notebook to results."""
    one = command("release", "make student's notebook, solution and key from source notebooks", assignment=False)
    one.add_argument("sources", nargs="+", type=Path, help="such as exercises/two-link/two-link.ipynb")
    one.add_argument(
        "--due",
        help="when it is due, such as '2026-11-30 23:59 Europe/Berlin' (without a zone: that of course.toml, else UTC)",
    )
    one.add_argument("--hide", action="append", default=[], type=Path, metavar="FOLDER",
                     help="a folder that no notebook may see, such as another course; remembered")  # fmt: skip
    one.add_argument("--db", help="URL of the gradebook, such as postgresql+psycopg://teacher@/grades; remembered")
    one = command("intake", "enter a folder of uploads into the ledger")
    one.add_argument("folder", type=Path, help="where the uploads are")
    one.add_argument("--roster", type=Path, help="CSV of students with a column id, perhaps one name")
    one = command("run", "grade what is not graded yet")
    one.add_argument("--workers", type=count, help="processes on this machine (default: one a core)")
    one.add_argument("--scheduler", help="address of a Dask scheduler, such as tls://10.0.0.1:8786")
    one.add_argument("--tls", type=Path, help="a folder with cert.pem and key.pem of the scheduler")
    one.add_argument("--again", action="store_true", help="also what was graded with another key, or lacked a module")
    one.add_argument("--cell", type=seconds, help="seconds that a cell may take (default: 30)")
    one.add_argument("--submission", type=seconds, help="seconds that a submission may take (default: 240)")
    one.add_argument("--container", metavar="IMAGE", help="grade in a container of this image, by podman or docker")
    one.add_argument("--without-sandbox", default="", metavar="WORDS", help="grade trusted code without a sandbox")
    command("merge", "bring results into the gradebook; scores by persons stay")


def _add_handing_back(command: Command) -> None:
    """Add what goes from results to students and platforms."""
    one = command("feedback", "make a feedback page for each student")
    one.add_argument(
        "--student", action="append", default=[], metavar="ID", help="for this student alone; may be repeated"
    )
    one.add_argument("--ready", action="store_true", help="only where no answer waits for a person")
    one.add_argument("--zip", type=Path, metavar="FILE", help="also pack them as Moodle or Canvas takes them back")
    one = command("export", "write grades to a file")
    one.add_argument("to", type=Path, help="a file; for Gradescope a folder")
    one.add_argument("--format", choices=["csv", "gradescope"], default="csv", help="default: csv")
    one.add_argument("--into", type=Path, metavar="GRADEBOOK",
                     help="a table that the platform exported, as the guide says: its column is filled")  # fmt: skip
    one.add_argument(
        "--column", help="with --into: the header of the column (default: the one that names the assignment)"
    )
    one.add_argument(
        "--roster", type=Path, help="the roster: a row for each member of a group, and ids of the platform"
    )
    one = command("send", "send final scores to a platform by LTI 1.3")
    one.add_argument("platform", type=Path, help="a JSON file of addresses and key, as the guide says")
    one.add_argument("--roster", type=Path, help="the roster, with ids of the platform")


def _add_decisions(command: Command) -> None:
    """Add what persons decide."""
    one = command("extend", "give one student more time; `merge` counts with it")
    one.add_argument("student", help="the id of a student or group")
    one.add_argument("--until", required=True, help="such as '2026-12-07 23:59 Europe/Berlin'")
    one.add_argument("--why", required=True, help="the reason, for the trail")
    one = command("regrade", "have a person look at a question again, as a student asked")
    one.add_argument("student", help="the id of a student or group")
    one.add_argument("question", help="such as mass-matrix")
    one.add_argument("--why", required=True, help="the reason, for the trail")
    one = command(
        "share", "write a table for each of several graders: the answers that wait for a person, without names"
    )
    one.add_argument("to", type=Path, help="a folder for the tables, one a grader")
    one.add_argument("--graders", nargs="+", required=True, metavar="NAME")
    one.add_argument("--twice", type=count, default=0, metavar="N", help="give the first N answers to two graders each")
    one = command("marks", "enter tables that graders have filled in; each is named by its grader")
    one.add_argument("tables", nargs="+", type=Path, help="such as sheets/ann.csv")


def _add_views(command: Command) -> None:
    """Add what is looked at."""
    one = command("report", "make a page on what the class got wrong, without names, and a table of it")
    one.add_argument("to", type=Path, help="the page, such as report.html; the table is written beside it (.csv)")
    one = command("board", "make a page of the scores of open tasks, best first and without names, and a table of it")
    one.add_argument("to", type=Path, help="the page, such as board.html; the table is written beside it (.csv)")
    command("status", "say how many uploads are in which state")


def count(text: str) -> int:
    """Return a whole number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, got {text}")
    return int(text)


def seconds(text: str) -> float:
    """Return a number of seconds above 0."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, got {text}")
    return found
