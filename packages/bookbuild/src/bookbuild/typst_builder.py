"""A Sphinx extension: the book on paper. A builder `typst` writes what Sphinx has numbered and resolved as one document.

`make pdf` sets it: pandoc turns the formulas from TeX into Typst, all at once, Typst makes the pages; how they look stands
in bookbuild/paper.typ. What a screen can fold or run is left out (checks, code that only draws), solutions stand at the back,
and a link whose words hold no number gets a page. The book for reading devices is made by bookbuild.epub_builder.
"""

import shutil
from collections.abc import Set
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.transforms.post_transforms import SphinxPostTransform

from bookbuild import ROOT
from bookbuild.check_cells import is_check
from bookbuild.typst_writer import TypstWriter

HERE = Path(__file__).parent


class RemoveScreenOnly(SphinxPostTransform):
    """Leaves out what paper cannot unfold: checks, and code that only draws."""

    default_priority = 3  # before outputs are chosen and cells are folded

    def run(self, **kwargs: object) -> None:
        """Do so for paper alone."""
        if self.app.builder.name not in ("typst", "epub"):
            return
        for cell in list(self.document.findall(nodes.container)):
            if is_check(cell) or (cell.get("nb_element") == "cell_code_source" and cell.parent.get("hide_mode")):
                cell.parent.remove(cell)


class TypstBuilder(Builder):
    """Writes _build/typst/book.typ, with all that it needs beside it."""

    name = format = "typst"
    epilog = "The document is in %(outdir)s."
    allow_parallel = False
    supported_image_types = StandaloneHTMLBuilder.supported_image_types

    def init(self) -> None:
        """Nothing is written yet."""
        self.trees: dict[str, nodes.document] = {}

    def get_outdated_docs(self) -> set[str]:
        """Return all pages: they make one document."""
        return self.env.found_docs

    def get_target_uri(self, docname: str, typ: str | None = None) -> str:
        """Return what a reference to a page begins with."""
        return docname

    def get_relative_uri(self, from_: str, to: str, typ: str | None = None) -> str:
        """Return the same from everywhere: all pages are one."""
        return to

    def prepare_writing(self, docnames: Set[str]) -> None:
        """Nothing is needed."""

    def write_doc(self, docname: str, doctree: nodes.document) -> None:
        """Keep the tree of a page."""
        self.trees[docname] = doctree

    def finish(self) -> None:
        """Write the document."""
        out = Path(self.outdir)
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        writer = TypstWriter(self)
        (out / "book.typ").write_text(writer.write_book(), encoding="utf8")
        shutil.copy(HERE / "paper.typ", out)
        shutil.copy(ROOT / "book" / "_static" / "cover.svg", out)
        for name, source in writer.pictures.items():
            shutil.copy(source, out / name)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_builder(TypstBuilder)
    app.add_post_transform(RemoveScreenOnly)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
