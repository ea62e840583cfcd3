"""A Sphinx extension: the terms of book/subject-index.toml are found by the search at the section that explains them.

A section that is not there is a warning, which fails the strict build.  The entries of the glossary come after those sections:
it says what a term means in one sentence, the section explains it.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.index_entries import split_index_msg

from bookbuild import ROOT

TABLE = ROOT / "book" / "subject-index.toml"


@cache
def terms() -> dict[str, dict[str, str]]:
    """Return {page: {term: section}}."""
    return tomllib.loads(TABLE.read_text(encoding="utf8"))


def is_glossary_entry(at: str) -> bool:
    """Whether an entry leads to a term of the glossary."""
    return at.startswith("term-")


def add_index_entries(app: Sphinx, document: nodes.document) -> None:
    """Put the terms of a page into its tree, as main entries; those of the glossary are no main entries."""
    for node in document.findall(addnodes.index):
        node["entries"] = [
            (kind, value, at, "" if is_glossary_entry(at) else main, key)
            for kind, value, at, main, key in node["entries"]
        ]
    found = terms().get(Path(app.env.docname).name, {})
    for term, section in found.items():
        if section not in document.ids:
            logging.getLogger(__name__).warning("%s: no section %r for the term %r", app.env.docname, section, term)
    entries = [("single", term, section, "main", None) for term, section in found.items()]
    if entries:
        document.insert(0, addnodes.index(entries=entries))


def restore_index_entries(app: Any) -> list[Any]:
    """Sphinx forgets the entries of pages that it does not write again: they are put back."""
    kept = app.builder.indexer._index_entries if app.builder.search else {}
    read = app.env.get_domain("index").entries
    for page in app.env.all_docs:
        own = [(term, section, "main") for term, section in terms().get(Path(page).name, {}).items()]
        others = [
            (x, at, "" if is_glossary_entry(at) else main)
            for kind, value, at, main, _ in read.get(page, ())
            for x in split_index_msg(kind, value)
        ]
        kept.setdefault(page, own + others)
    return []


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("doctree-read", add_index_entries)
    app.connect("html-collect-pages", restore_index_entries)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
