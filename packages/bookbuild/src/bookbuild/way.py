"""A Sphinx extension: below its title, each page of book/the-way.toml shows at which step of the way it stands.

The row of steps leads to the page that explains them. A page that stands at two steps, or that is not there, is a warning, which
fails the strict build.
"""

import html
import tomllib
from functools import cache
from typing import Any, TypedDict

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from bookbuild import ROOT

# where: say at which step of the way a page stands
TABLE = ROOT / "book" / "the-way.toml"
PAGE = "book/the-way"
TITLE_ENDS = "</h1>"


class Step(TypedDict):
    """One step: the words for it, the name of its section on the page of the way, and the pages that stand at it."""

    name: str
    anchor: str
    pages: list[str]


@cache
def steps() -> list[Step]:
    """Return the steps of the way, in their order."""
    found: list[Step] = tomllib.loads(TABLE.read_text(encoding="utf8"))["step"]
    return found


def check_pages(app: Sphinx, env: Any) -> None:
    """Warn of pages that the table names twice, and of those that the book does not have."""
    pages = [page for step in steps() for page in step["pages"]]
    for page in sorted({page for page in pages if pages.count(page) > 1 or f"book/{page}" not in env.found_docs}):
        logging.getLogger(__name__).warning("book/the-way.toml must name each page of the book once, got %s", page)


def add_row(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document) -> None:
    """Write the row below the title of a page of the site."""
    slug = pagename.rpartition("/")[2]
    if app.builder.name == "html" and context.get("body") and any(slug in step["pages"] for step in steps()):
        context["body"] = context["body"].replace(
            TITLE_ENDS, TITLE_ENDS + row(slug, app.builder.get_relative_uri(pagename, PAGE)), 1
        )


def row(slug: str, way: str) -> str:
    """Return the row of steps as HTML, that of a page marked; way: the address of the page of the way."""
    parts = []
    for step in steps():
        here = ' aria-current="step"' if slug in step["pages"] else ""
        parts.append(f'<li><a href="{way}#{step["anchor"]}"{here}>{html.escape(step["name"])}</a></li>')
    return f'<nav class="way" aria-label="Where this page stands on the way"><ol>{"".join(parts)}</ol></nav>'


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("env-updated", check_pages)
    app.connect("html-page-context", add_row)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
