"""A Sphinx extension: beside the pages lie their notebooks, which read well and run in any program, without the repository.

For each notebook `notebooks/NAME.ipynb` with the numbers and references of the built page, in plain Markdown; for each
page of text `notebooks/NAME.md`. With them lie the wheels of what they import, and everything in one zip. The first cells
say what the notebook needs and install it where it is missing. A page's button for downloads leads here.
"""

import functools
import json
import posixpath
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pybtex.plugin
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging
from sphinx_exercise.nodes import exercise_enumerable_node

from bookbuild import PUBLISHED, ROOT
from bookbuild.edition import drop_solution_checks, edit_notebook_text, edit_text
from bookbuild.myst_to_commonmark import to_commonmark
from bookbuild.project_urls import ProjectUrls, read_project_urls

FOLDER = "notebooks"
GENERATED_PAGES = {"book/api", "book/bibliography", "book/proof-ledger"}  # made by the build: there is no text of them
FOLDED_TAGS = {"check", "hide-input", "remove-input", "remove-cell"}  # tags of cells whose code the page does not show


class Page:
    """What a page of the book is told about its labels: numbers, words and links, as the build resolves them."""

    def __init__(self, app: Sphinx, docname: str, urls: ProjectUrls) -> None:
        self.app = app
        self.env = app.env
        self.docname = docname
        self.urls = urls
        self.cited: list[str] = []
        self.headings = heading_numbers(app.env, docname)

    def heading(self, words: str) -> str:
        """Return the next heading of the page, with its number."""
        number = next(self.headings)
        return f"{'.'.join(map(str, number))}. {words}" if number else words

    def equation(self, label: str) -> str:
        """Return the number of an equation, without parentheses."""
        return self._resolve("eq", label).astext().strip("()")

    def named(self, kind: str, label: str) -> str:
        """Return the name and number of an exercise or a figure: Exercise 2.5."""
        return self._resolve("numref", label).astext()

    def term_anchor(self, term: str) -> str:
        """Return the anchor of a term of the glossary."""
        found = self._resolve("term", term)
        return found.get("refid") or found["refuri"].partition("#")[2]

    def reference(self, role: str, label: str, words: str) -> str:
        """Return the words of a reference, with a link where there is one to follow."""
        found = self._resolve(role, label, words)
        if role.startswith("cite"):
            self.cited += [key.strip() for key in label.split(",")]
            return f"[{found.astext()}](#{self.cited[-1]})"
        name, _, anchor = found.get("refuri", "").partition("#")
        docname = self._sibling_page(name.removesuffix(".html")) if name else self.docname
        return self._page_link(words or found.astext(), docname, anchor or found.get("refid", ""))

    def link(self, words: str, to: str) -> str:
        """Return a link of the source: to another host, to a page of the book, or to a label."""
        if to.startswith("https:"):
            return f"[{words}]({to})"
        name, _, anchor = to.partition("#")
        if not name.endswith((".ipynb", ".md")):
            return self.reference("ref", name or anchor, words)
        docname = self._sibling_page(posixpath.splitext(name)[0])
        return self._page_link(words or self.env.titles[docname].astext(), docname, anchor)

    def _sibling_page(self, name: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.docname), name))

    def _page_link(self, words: str, docname: str, anchor: str) -> str:
        """Return a link to a page: within the notebook, to the site, or to the file beside this one."""
        anchor = f"#{anchor}" if anchor else ""
        if docname == self.docname:
            return f"[{words}]({anchor})" if anchor else words
        if self.urls.site:
            return f"[{words}]({self.urls.site}/{docname}.html{anchor})"
        return words if docname in GENERATED_PAGES else f"[{words}]({notebook_name(self.env, docname)}{anchor})"

    def _resolve(self, role: str, label: str, words: str = "") -> nodes.Element:
        """Return the node that Sphinx makes of a reference; a label without a title has one with words alone."""
        explicit = role == "ref" and bool(words)
        known = getattr(self.env, "sphinx_exercise_registry", {}).get(label, {}).get("node")
        if role == "ref" and not words and isinstance(known, exercise_enumerable_node):
            role = "numref"
        domain = "cite" if role.startswith("cite") else "math" if role == "eq" else "std"
        role = role.removeprefix("cite:")
        node = addnodes.pending_xref("", refdomain=domain, reftype=role, reftarget=label, refexplicit=explicit)
        node["refdoc"] = self.docname
        resolve = self.env.get_domain(domain).resolve_xref
        found = resolve(self.env, self.docname, self.app.builder, role, label, node, nodes.inline("", words or label))
        if found is None:
            raise ValueError(f"{self.docname}: no {role} is called {label}")
        return found

    def cited_works(self) -> list[str]:
        """Return the list of works that the page cites, as one Markdown cell, or nothing."""
        backend = pybtex.plugin.find_plugin("pybtex.backends", "markdown")()
        citations: Any = self.env.get_domain("cite")
        known = {x.key: x for x in citations.citations}
        works = sorted((known[key].formatted_entry.text.render(backend), key) for key in set(self.cited))
        lines = [f'- <a id="{key}"></a>{work}' for work, key in works]
        return ["\n".join(["**Works cited**", "", *lines])] if lines else []


def heading_numbers(env: Any, docname: str) -> Iterator[tuple[int, ...]]:
    """Return the numbers of the headings of a page, in their order; () for one without."""
    numbers = env.toc_secnumbers.get(docname, {})
    return iter([numbers.get(x["anchorname"], ()) for x in env.tocs[docname].findall(nodes.reference)])


def notebook_name(env: Any, docname: str) -> str:
    """Return the name that a page has in the folder of notebooks."""
    return posixpath.basename(docname) + Path(env.doc2path(docname)).suffix


def markdown_cell(key: str, text: str) -> dict[str, Any]:
    """Return a Markdown cell."""
    return {"cell_type": "markdown", "id": key, "metadata": {}, "source": text.splitlines(keepends=True)}


def code_cell(key: str, text: str, metadata: dict[str, Any]) -> dict[str, Any]:
    """Return a code cell; where the page folds its code, so does the notebook in JupyterLab and Colab; VS Code folds none."""
    tags = metadata.get("tags", [])
    kept = {"tags": tags} if tags else {}
    if FOLDED_TAGS & set(tags):
        kept |= {"jupyter": {"source_hidden": True}, "cellView": "form"}
    source = text.splitlines(keepends=True)
    return {"cell_type": "code", "execution_count": None, "id": key, "metadata": kept, "outputs": [], "source": source}


def listed(names: Sequence[str]) -> str:
    """Return names as code, with commas between them and a word before the last."""
    *first, last = [f"`{name}`" for name in names]
    return f"{', '.join(first)} and {last}" if first else last


def first_cells(project: str, urls: ProjectUrls, wheels: list[str]) -> list[dict[str, Any]]:
    """Return the first two cells of a notebook: what it is and needs, and the installation of that."""
    names = [wheel.split("-")[0] for wheel in wheels]
    book = f"[*{project}*]({urls.site})" if urls.site else f"*{project}*"
    introduction = (
        f"This notebook is a page of {book}. It needs Python 3.11 or newer, and the packages {listed(names)}: "
        "the next cell installs them where they are missing."
    )
    if not urls.package and not urls.site:
        introduction += f" It takes them from the files {listed(wheels)}, which the zip of all notebooks holds: leave them beside this one."
    there = " and ".join(f'find_spec("{name}")' for name in names)
    install = (
        f"# Installs what this notebook needs, where it is missing.\nfrom importlib.util import find_spec\n\n"
        f"if not ({there}):\n    %pip install --quiet {' '.join(urls.pip_requirements(wheels))} ipywidgets anywidget"
    )
    return [markdown_cell("what-it-is", introduction), code_cell("what-it-needs", install, {"tags": ["hide-input"]})]


def to_plain_notebook(
    notebook: dict[str, Any], page: Page, first: Sequence[dict[str, Any]] = (), solutions: bool = True
) -> dict[str, Any]:
    """Return a notebook of the book as one that needs no extension: its code cells unchanged, its text in plain Markdown."""
    cells = list(first)
    notebook = notebook if solutions else drop_solution_checks(notebook)
    for number, cell in enumerate(notebook["cells"]):
        key = cell.get("id", f"cell-{number}")
        text = "".join(cell["source"])
        if cell["cell_type"] == "code":
            cells.append(code_cell(key, text, cell["metadata"]))
            figure = cell["metadata"].get("mystnb", {}).get("figure")
            if figure:
                caption = to_commonmark(figure["caption"], page)
                cells.append(markdown_cell(f"{key}-caption", f"**{page.named('figure', figure['name'])}** {caption}"))
        elif text := to_commonmark(text, page, solutions):
            cells.append(markdown_cell(key, text))
    cells += [markdown_cell("works-cited", text) for text in page.cited_works()]
    metadata = {name: notebook["metadata"][name] for name in ("kernelspec", "language_info")}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def make_wheels(folder: Path) -> list[str]:
    """Build the wheels of the library and of the packages beside it into a folder; return their names."""
    build = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    names = []
    for source in (ROOT, *(ROOT / "packages" / name for name in PUBLISHED)):
        command: list[str | Path] = [sys.executable, "-c", build, folder]
        done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=True)
        names.append(done.stdout.split()[-1])
    return names


def write_notebooks(app: Any, exception: Exception | None) -> None:
    """Write everything, after the pages are written."""
    if exception is not None or app.builder.name != "html":
        return
    # Each reference with a number reads the page it points to: every page is read once.
    app.env.get_doctree = functools.cache(app.env.get_doctree)
    folder = Path(app.outdir) / FOLDER
    urls = read_project_urls()
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    wheels = make_wheels(folder)
    solutions = app.edition != "student"
    first = first_cells(app.config.html_title, urls, wheels)
    for docname in sorted(app.env.found_docs - GENERATED_PAGES):
        page = Page(app, docname, urls)
        source = Path(app.env.doc2path(docname))
        try:
            text = source.read_text("utf8")
            if source.suffix == ".ipynb":
                notebook = edit_notebook_text(json.loads(text), app.edition)
                made = json.dumps(to_plain_notebook(notebook, page, first, solutions), indent=1, ensure_ascii=False)
            else:
                text = edit_text(re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S), app.edition)
                made = "\n\n".join([to_commonmark(text, page), *page.cited_works()])
        except (ValueError, KeyError) as error:
            logging.getLogger(__name__).warning("no plain notebook: %s", error, location=docname, type="portable")
            continue
        (folder / notebook_name(app.env, docname)).write_text(made + "\n", "utf8")
    with zipfile.ZipFile(folder / "notebooks.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(folder.iterdir()):
            if path.suffix != ".zip":
                packed.write(path, f"{FOLDER}/{path.name}")


def set_download_buttons(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Let the page's button lead to its notebook and to the zip of all, in place of the source, and to where notebooks run."""
    for group in context.get("header_buttons", []):
        if group.get("label") == "download-buttons":
            name = "" if pagename in GENERATED_PAGES else notebook_name(app.env, pagename)
            paper = [button for button in group["buttons"] if button["label"] == "download-pdf-button"]
            group["buttons"] = [*download_links(name, context["pathto"](FOLDER, 1), read_project_urls()), *paper]


def download_links(name: str, folder: str, urls: ProjectUrls) -> list[dict[str, str]]:
    """Return the entries of the menu of a page: (its file if it has one, all files, services that have the repository)."""
    kind = {"type": "link", "icon": "fas fa-file", "label": "download-source-button"}
    zipped = {"url": f"{folder}/notebooks.zip", "text": "All notebooks (.zip)", "label": "download-all-button"}
    found = [kind | zipped | {"tooltip": "The notebooks of all pages, and what they need"}]
    if name:
        words = "This page as a notebook" if name.endswith(".ipynb") else "The text of this page"
        found.insert(0, kind | {"url": f"{folder}/{name}", "text": Path(name).suffix, "tooltip": words})
    if name.endswith(".ipynb"):
        for service, url in urls.notebook_services(name).items():
            label = {"text": service, "tooltip": f"Run this page in {service}", "label": f"{service.lower()}-button"}
            found.append(kind | label | {"url": url, "icon": "fas fa-play"})
    return found


def set_urls(app: Sphinx, config: Config) -> None:
    """Give the theme the address of the repository, and the pages that of the site."""
    urls = read_project_urls()
    config.html_baseurl = f"{urls.site}/" if urls.site else ""
    if urls.repository:
        config.html_theme_options |= {"repository_url": urls.repository, "use_repository_button": True}


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("config-inited", set_urls, priority=100)
    app.connect("html-page-context", set_download_buttons, priority=502)  # after the theme has made its buttons
    app.connect("build-finished", write_notebooks, priority=300)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
