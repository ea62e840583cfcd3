"""A Sphinx extension: the three editions of the book. EDITION=student leaves out the solutions and the teacher's pages, teacher adds exams and solved projects.

Numbers are the same in all editions, so a class and its teacher can quote them: the whole book is read and numbered, then
the solutions are taken out of what was read, before anything is written, indexed or packed. With a solution goes what
would tell it again: the checks of its numbers, the rows of its equations in the ledger and the proofs of such pages.
"""

import json
import os
import posixpath
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx_exercise.nodes import is_solution_node

from bookbuild.check_cells import is_check

TITLES = {"reader": "", "student": "Edition for students", "teacher": "Edition for teachers"}
EDITIONS = tuple(TITLES)
TEACHER_PAGES = ("book/teachers", "book/grading")
EXAM_PAGES = [f"exercises/exams/{name}" for name in ("midterm", "midterm_solutions", "final", "final_solutions")]
PROJECT_PAGES = [f"exercises/projects/{name}" for name in ("lab", "load", "write", "throw")]  # their solutions
ADDED_PAGES = {"Exams": EXAM_PAGES, "Solutions of the projects": PROJECT_PAGES}  # to the teacher's edition, by part
PAGES_FOR_TEACHERS = (*TEACHER_PAGES, *EXAM_PAGES, *PROJECT_PAGES)  # none of them is in the students' edition
CARD = re.compile(r"^:::\{grid-item-card\}[^\n]*\n:link: ([\w-]+)\n.*?^:::\n", re.M | re.S)
LINK = re.compile(r"\[([^\[\]]*)\]\(([\w-]+)\.md(?:#[\w-]*)?\)")

# where: leave something out of the students' edition
# phrases here, pages and cells in the functions below; what `bookbuild.solution_leaks` then still finds fails the
# build
READER_PHRASES = {  # of the reader's edition alone
    ", with a solution to unfold below each": "",
    "; try first, then compare": "",
    ", each with a full solution": "",
}


def edition() -> str:
    """Return the edition that is asked for; raises ValueError with a sentence for any other word."""
    name = os.environ.get("EDITION") or "reader"
    if name not in EDITIONS:
        raise ValueError(f"EDITION is {', '.join(EDITIONS[:-1])} or {EDITIONS[-1]}, got {name}")
    return name


def html_folder(build: Path) -> Path:
    """Return the folder below a build in which the pages of the edition lie that is asked for."""
    name = os.environ.get("EDITION") or "reader"
    return build / "html" if name == "reader" else build / name / "html"


def edition_toc(toc: str, name: str) -> str:
    """Return the text of _toc.yml for an edition."""
    if name == "student":
        return "".join(line for line in toc.splitlines(True) if not line.strip().endswith(TEACHER_PAGES))
    if name == "teacher":
        for caption, pages in ADDED_PAGES.items():
            toc += f"  - caption: {caption}\n    numbered: false\n    chapters:\n"
            toc += "".join(f"      - file: {page}\n" for page in pages)
    return toc


def edit_text(text: str, name: str) -> str:
    """Return a text of MyST for an edition: to a page that is left out leads neither a link nor a card."""
    if name != "student":
        return text
    for words, others in READER_PHRASES.items():
        text = text.replace(words, others)
    out = {posixpath.basename(page) for page in TEACHER_PAGES}
    text = CARD.sub(lambda card: "" if card[1] in out else card[0], text)
    return LINK.sub(lambda link: link[1] if link[2] in out else link[0], text)


def edit_notebook_text(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a notebook for an edition, its text as `told`, its code as it is."""
    cells = [
        cell | {"source": edit_text("".join(cell["source"]), name)} if cell["cell_type"] == "markdown" else cell
        for cell in notebook["cells"]
    ]
    return notebook | {"cells": cells}


def drop_solution_checks(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook without the checks that compare the numbers of its solutions: those that stand among its exercises."""
    cells = []
    exercises = False
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            for heading in re.findall(r"^## +(.*)$", "".join(cell["source"]), re.M):
                exercises = heading == "Exercises"
        elif exercises and "check" in cell["metadata"].get("tags", []):
            continue
        cells.append(cell)
    return notebook | {"cells": cells}


def remove_solutions(tree: nodes.document) -> set[str]:
    """Take solutions and the checks of their numbers out of a document; return the labels of the equations that went."""
    removed = [node for node in tree.findall() if is_solution_node(node) or (is_check(node) and _of_exercises(node))]
    labels = {math["label"] for node in removed for math in node.findall(nodes.math_block) if math.get("label")}
    for node in removed:
        node.parent.remove(node)
    return labels


def _of_exercises(node: Any) -> bool:
    while node is not None and not isinstance(node, nodes.section):
        node = node.parent
    return node is not None and node[node.first_child_matching_class(nodes.title)].astext() == "Exercises"


def remove_ledger_rows(ledger: nodes.document, rows: set[str], slugs: set[str]) -> None:
    """Take rows out of the ledger by their ids, and links to the proofs of some pages."""
    for row in [row for row in ledger.findall(nodes.row) if rows & set(row["ids"])]:
        row.parent.remove(row)
    for link in list(ledger.findall(nodes.reference)):
        if link.get("refuri", "").partition(".html")[0].removeprefix("proofs/") in slugs:
            link.replace_self(link.children)


def edit_source(app: Any, docname: str, source: list[str]) -> None:
    """Leave out what leads to a page that is left out."""
    text = source[0]
    if Path(app.env.doc2path(docname)).suffix == ".ipynb":
        source[0] = json.dumps(edit_notebook_text(json.loads(text), app.edition))
    else:
        source[0] = edit_text(text, app.edition)


def remove_from_environment(app: Any, env: Any) -> None:
    """Take the solutions out of what was read, after everything has its number."""
    if app.edition != "student":
        return
    trees = {name: env.get_doctree(name) for name in sorted(env.found_docs)}
    labels = {name: remove_solutions(tree) for name, tree in trees.items()}
    rows = {f"proof-{label}" for found in labels.values() for label in found}
    app.proofs_of_solutions = {Path(name).name for name, found in labels.items() if found}
    remove_ledger_rows(trees[app.config.eqproof_ledger], rows, app.proofs_of_solutions)
    for name, tree in trees.items():
        app.builder.write_doctree(name, tree)


def remove_proof_pages(app: Any, exception: Exception | None) -> None:
    """Take away the pages of those proofs."""
    for slug in getattr(app, "proofs_of_solutions", ()):
        (Path(app.outdir) / "book" / "proofs" / f"{slug}.html").unlink(missing_ok=True)


def configure_edition(app: Any, config: Config) -> None:
    """Let the teacher's edition read exams and solutions, whose formulas are proven by no file; a mark may lack its place in a student's."""
    app.edition = edition()
    if app.edition != "reader":
        config.suppress_warnings.append("proof")
    if app.edition == "teacher":
        config.exclude_patterns.remove("exercises/**")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("config-inited", configure_edition, priority=100)
    app.connect("source-read", edit_source)
    app.connect("env-updated", remove_from_environment)
    app.connect("build-finished", remove_proof_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
