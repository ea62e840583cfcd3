"""The pages of students: made by nbgrader from the gradebook, with whose they are and what counted, and packed as a platform reads them."""

import io
import shutil
import zipfile
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import GetGrades, NbGraderPreprocessor
from traitlets import Dict, List
from traitlets.config import Config

from coursework.check.session import assignment_module
from coursework.grading.course import Course, write
from coursework.grading.dates import course_zone
from coursework.grading.export import rows
from coursework.grading.identity import names_of
from coursework.grading.late import said
from coursework.grading.layouts import CANVAS, MOODLE
from coursework.grading.release import api, reason_of
from coursework.mathml import from_output, from_tex

TEMPLATE = "robotdyn_feedback"  # a folder beside this file
FLAT = "the pages, a file a student"


class StudentPage(NbGraderPreprocessor):
    """Gives a page what it says of its student; `facts` is {student: {name, title, handed_in, late, questions, waits}}."""

    facts: Any = Dict().tag(config=True)
    display_data_priority: Any = List().tag(config=True)  # nbconvert sets it for each of its steps

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Put it among the resources of the template."""
        resources["page"] = self.facts[resources["nbgrader"]["student"]]
        return nb, resources


class FormulaRenderer(IPythonRenderer):
    """nbconvert's Markdown, with formulas as MathML: a page needs no script for them, and no network."""

    def inline_math(self, body: str) -> str:
        """Return a formula within a line; what cannot be turned stays as it is written."""
        return from_tex(body) or super().inline_math(body)

    def block_math(self, body: str) -> str:
        """Return a formula in a line of its own."""
        return from_tex(body, block=True) or super().block_math(body)

    def latex_environment(self, name: str, body: str) -> str:
        """Return a formula that is an environment of LaTeX, as align."""
        made = from_tex(rf"\begin{{{name}}}{body}\end{{{name}}}", block=True)
        return made or super().latex_environment(name, body)


class PageExporter(HTMLExporter):
    """nbconvert's, with formulas as MathML; it has a name of its own, since nbgrader sets the template of every other."""

    @pass_context
    def markdown2html(self, context: Context, source: str) -> str:
        """Return Markdown of a cell as HTML."""
        attachments = context.get("cell", {}).get("attachments", {})
        renderer = FormulaRenderer(escape=False, attachments=attachments, exclude_anchor_links=True)
        return str(MarkdownWithMath(renderer=renderer).render(source))

    def default_filters(self) -> Iterable[tuple[str, Callable[..., str]]]:
        """Yield the filters of the template, one for LaTeX that a cell shows among them."""
        yield from super().default_filters()
        yield "formula", from_output


def make(course: Course, assignment: str, students: Iterable[str] = (), ready: bool = False) -> list[Path]:
    """Make the pages of some students, all where none is named; ready: only where no answer waits for a person.

    Return the files that can be handed out, named by assignment and student, in feedback/<assignment> of the course.
    """
    if not any((course.nbgrader / "autograded").glob(f"*/{assignment}")):
        raise RuntimeError(f"no submission of {assignment} is in the gradebook: `merge` first")
    table = {row["student"]: row for row in rows(course, assignment) if row["score"] != ""}
    chosen = _chosen(assignment, table, {*students}, ready)
    app = api(course, _config({one: _facts(course, assignment, table[one]) for one in table}))
    for student in chosen if students or ready else [None]:
        done = app.generate_feedback(assignment, student, force=True)
        if not done["success"]:
            raise RuntimeError(f"nbgrader could not make the pages: {reason_of(done)}")
    place = course.folder / "feedback" / assignment
    if not (students or ready):
        shutil.rmtree(place, ignore_errors=True)
    made = []
    for student in chosen:
        page = course.nbgrader / "feedback" / student / assignment / f"{assignment}.html"
        made.append(place / f"{assignment}_{student}.html")
        write(made[-1], page.read_bytes())
    return made


def _chosen(assignment: str, table: Mapping[str, dict[str, Any]], students: set[str], ready: bool) -> list[str]:
    """Return whose pages are made, of all with a row in the table.  Raises ValueError where one of the students has none."""
    if unknown := sorted(students - {*table}):
        raise ValueError(
            f"no submission of {', '.join(unknown)} for {assignment} is in the gradebook: look at the id, or `merge` first"
        )
    named = [one for one in table if not students or one in students]
    return [one for one in named if not (ready and table[one]["waits_for_person"])]


def _config(facts: dict[str, dict[str, Any]]) -> Config:
    """Return what nbgrader is told of the pages: the template, which extends its own, and what they say."""
    import nbgrader.server_extensions.formgrader as formgrader

    found = Config()
    found.PageExporter.template_name = TEMPLATE
    found.GenerateFeedback.exporter_class = PageExporter
    theirs = Path(next(iter(formgrader.__path__)))
    found.HTMLExporter.extra_template_basedirs = [str(Path(__file__).parent), str(theirs / "templates")]
    styles = theirs / "static/node_modules/bootstrap/dist/css"
    found.PageExporter.extra_template_paths = [str(styles), str(theirs / "templates")]
    found.GenerateFeedback.preprocessors = [GetGrades, StudentPage, CSSHTMLHeaderPreprocessor]
    found.StudentPage.facts = facts
    return found


def _facts(course: Course, assignment: str, row: dict[str, Any]) -> dict[str, Any]:
    """Return what a page says beside the notebook."""
    line = course.chosen(assignment)[row["student"]]
    zone = course_zone(course.folder)
    roster = course.folder / "roster.csv"
    names = names_of(roster) if roster.exists() else {}
    when = datetime.fromisoformat(line["time"]).astimezone(zone)
    questions = assignment_module(assignment).QUESTIONS
    return {
        "student": row["student"], "name": names.get(row["student"], ""), "title": assignment,
        "handed_in": f"{when:%Y-%m-%d %H:%M} {zone}", "late": said(row),
        "questions": {name: question.title for name, question in questions.items()}, "waits": row["waits_for_person"].split(),
    }  # fmt: skip


def pack(course: Course, assignment: str, pages: Iterable[Path], to: Path) -> tuple[str, list[str]]:
    """Write pages into a zip as the platform reads it from which the class came; return how, and the students whom it has no way for.

    Moodle takes them by *Upload multiple feedback files in a zip*, Canvas by *Upload Submissions* (as comments); elsewhere they lie
    side by side, to be handed out.
    """
    chosen = course.chosen(assignment)
    found = {page.stem.removeprefix(f"{assignment}_"): page for page in pages}
    platforms = {chosen[student].get("platform", "") for student in found}
    if len(platforms & {MOODLE.platform, CANVAS.platform}) > 1 or (len(platforms) > 1 and "" not in platforms):
        raise ValueError(
            f"the class came from {', '.join(sorted(platforms - {''}))}: make a zip for each, with --student"
        )
    platform = next(iter(platforms - {""}), "")
    names = {"Moodle": _in_moodle, "Canvas": _in_canvas}.get(platform, lambda line, page: page.name)
    stream = io.BytesIO()
    left = []
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for student, page in sorted(found.items()):
            name = names(chosen[student], page)
            if name is None:
                left.append(student)
            else:
                archive.writestr(name, page.read_bytes())
    write(to, stream.getvalue())
    return (platform if platform in ("Moodle", "Canvas") else FLAT), left


def _in_moodle(line: dict[str, Any], page: Path) -> str | None:
    """Return the name by which Moodle finds the participant: full name, number, plugin, then the file's own."""
    match = _match_upload_path(MOODLE.pattern, line)
    return f"{match['student']}_{match['person']}_assignfeedback_file_{page.name}" if match else None


def _in_canvas(line: dict[str, Any], page: Path) -> str | None:
    """Return the name by which Canvas finds user and attachment: that of the download, up to the student's own part."""
    match = _match_upload_path(CANVAS.pattern, line)
    numbers = [part for part in match[0].split("_") if part.isdigit()] if match else []
    if (
        match is None or numbers[:1] != [match["student"]] or len(numbers) < 2
    ):  # a name with a number, or a text that was typed in
        return None
    return f"{match[0]}{page.name.split('_')[0]}.html"


def _match_upload_path(pattern: Any, line: dict[str, Any]) -> Any:
    """Return the match of a platform's pattern in the name of an upload, or of the one folder around it; None where there is none."""
    return next((match for part in line["name"].split("/")[:2] if (match := pattern.match(part))), None)
