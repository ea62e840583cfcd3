"""From one source an assignment (nbgrader's format, solutions in it) to the student's notebook, the solution, the key."""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat

from coursework.check import messages
from coursework.check.session import assignment_files, assignment_module
from coursework.grading.course import write
from coursework.grading.dates import as_nbgrader_keeps
from coursework.grading.first_cell import add_installation, course_site
from coursework.grading.graft import role_of
from coursework.grading.key import make_key
from coursework.grading.site import OWN, own

if TYPE_CHECKING:
    from nbformat import NotebookNode

    from coursework.grading.course import Course

OF_CHECKS = ("given.py", "questions.py", "planted.py")


def release(course: Course, source: Path) -> list[Path]:
    """Make everything from a source notebook; return the paths of student's notebook, solution, key, and what the notebook reads.

    nbgrader's own generate_assignment makes the student's notebook and enters the questions in the gradebook; where the
    course has a site, the notebook begins with a cell that installs what it needs from there.  Where it has words of its
    own for the checks, they go into the key, and beside the notebook.
    Raises ValueError where the source and the checks of the library do not fit.
    """
    source = Path(source)
    site = course_site(course.folder)
    assignment = source.stem
    if not source.is_file():
        raise FileNotFoundError(f"release must have a source notebook, and {source} does not exist")
    notebook = nbformat.read(source, as_version=4)
    fit(assignment, notebook)
    checks = hash_of_checks(assignment, source.parent)
    place = course.nbgrader / "source" / assignment
    files = files_of(source, notebook)
    own = course.folder / messages.FILE
    words = messages.read(own)
    beside = {**files, messages.FILE: own} if words else files
    if not words and messages.FILE not in files:
        (place / messages.FILE).unlink(missing_ok=True)
    for name, path in {source.name: source, **beside}.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place / name)
    done = api(course).generate_assignment(assignment, force=True)
    if not done["success"]:
        raise RuntimeError(f"nbgrader could not release {assignment}: {reason_of(done)}")
    student = course.nbgrader / "release" / assignment / source.name
    solution = course.folder / "solutions" / source.name
    write(solution, source.read_bytes())
    released = nbformat.read(student, as_version=4)
    read = {name: path.read_bytes() for name, path in files.items()}
    key = replace(make_key(assignment, notebook, released, course.seed, read, words), checks=checks)
    if site:
        add_installation(released, site)
        nbformat.write(released, student)
    path = course.folder / "keys" / f"{assignment}.json"
    write(path, key.to_json().encode())
    path.chmod(0o600)
    return [student, solution, path, *(student.parent / name for name in beside)]


def files_of(source: Path, notebook: NotebookNode) -> dict[str, Path]:
    """Return {name: path} of the files beside a source, or below, that a cell of its notebook names, as data or as a module.

    Those in which the checks of an assignment stand are none of them.
    """
    text = "\n".join(cell.source for cell in notebook.cells)
    found = {}
    for path in sorted(source.parent.rglob("*")):
        name = path.relative_to(source.parent).as_posix()
        if not path.is_file() or path.name in OF_CHECKS or path.suffix in (".ipynb", ".pyc"):
            continue
        module = name.removesuffix(".py").replace("/", ".")
        imported = path.suffix == ".py" and re.search(rf"\b(?:import|from)\s+{re.escape(module)}\b", text)
        if imported or re.search(rf"[\"'/]{re.escape(name)}[\"']", text):
            found[name] = path
    return found


def reason_of(done: Mapping[str, Any]) -> str:
    """Return why a command of nbgrader failed: the end of what it logged, and of its error where that says more."""
    said = [text for part in ("log", "error") if (text := str(done.get(part) or "").strip())]
    if len(said) == 2 and "above traceback" in said[1]:  # it only points at what was logged
        said.pop()
    return ("\n".join(said) or "it does not say why")[-2000:]


def fit(assignment: str, notebook: NotebookNode) -> None:
    """Raise ValueError if the questions of the notebook are not those that coursework.check knows."""
    known = assignment_module(assignment).QUESTIONS
    asked = {question or "" for role, question in map(role_of, notebook.cells) if role in ("answer", "person")}
    if asked != set(known):
        raise ValueError(
            f"{assignment}: questions of the notebook and of the checks differ: {sorted(asked ^ set(known))}"
        )


def hash_of_checks(assignment: str, folder: Path) -> str:
    """Return a hash of the files in which the checks of an assignment stand: what was graded by others may run again.

    Raises ValueError where others lie in the folder of the source: they would not be those that grade.
    """
    found = hashlib.sha256()
    for path in (assignment_files(part)[assignment] for part in ("given", "questions")):
        raw = path.read_bytes()
        beside = folder / path.name
        if beside.is_file() and beside.read_bytes() != raw:
            raise ValueError(
                f"the checks beside the source must be those that grade, and {beside} is another file than {path}: change that one, "
                "or release in a clone of your own that holds both"
            )
        found.update(raw)
    return found.hexdigest()[:16]


def api(course: Course, more: Any = None) -> Any:
    """Return nbgrader's API for the course.  more: settings beside those of the course."""
    import os

    from nbgrader.apps.api import NbGraderAPI

    here = str(Path(sys.executable).parent)
    if here not in os.environ.get("PATH", "").split(os.pathsep):  # nbgrader calls alembic by name
        os.environ["PATH"] = here + os.pathsep + os.environ.get("PATH", "")
    settings = config(course)
    settings.merge(more or {})
    return NbGraderAPI(config=settings)


def config(course: Course) -> Any:
    """Return nbgrader's configuration for the course, the same that formgrader reads from nbgrader_config.py."""
    from traitlets.config import Config

    settings = Config()
    settings.CourseDirectory.root = str(course.nbgrader)
    settings.CourseDirectory.db_url = course.db
    settings.CourseDirectory.course_id = "default_course"  # PostgreSQL wants a course that exists
    settings.Application.log_level = "WARNING"
    write(
        course.nbgrader / "nbgrader_config.py",
        f'"""Written by coursework.grading: lets nbgrader and its formgrader open this course."""\n\n'
        f"c = get_config()\nc.CourseDirectory.root = {str(course.nbgrader)!r}\n"
        f"c.CourseDirectory.db_url = {course.db!r}\nc.CourseDirectory.course_id = 'default_course'\n"
        f"load_subconfig({OWN!r})  # the teacher's own settings, if there are any\n".encode(),
    )
    settings.merge(own(course))
    return settings


def due(course: Course, assignment: str, when: datetime) -> None:
    """Set when an assignment is due, a datetime with its zone: nbgrader counts the seconds that a submission is late."""
    from nbgrader.api import Gradebook

    with Gradebook(course.db) as book:
        book.update_or_create_assignment(assignment, duedate=as_nbgrader_keeps(when))
