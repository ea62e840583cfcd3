"""A Sphinx extension: a cell tagged `check` stands in the page as one line, "✓ checked: ...", that unfolds into the cell.

The line is what `eqproof.checked` printed; a cell that only compares the numbers of the text (`eqproof.quoted`) says so.
Anything else that such a cell shows would be lost, so it is a warning, which fails the strict build.
"""

from html import escape
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from eqproof.checked import MARK

if TYPE_CHECKING:
    from sphinx.writers.html5 import HTML5Translator

QUOTED_NUMBERS_LINE = f"{MARK}the numbers in the text are the computed ones"


class check_summary(nodes.Element):
    """A folded cell: its attribute `lines` is what stands, its children unfold."""


class FoldChecks(SphinxPostTransform):
    """Puts the source of each cell tagged `check` under its lines."""

    default_priority = 198  # before myst-nb folds cells in its own way
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Fold each of them."""
        for cell in list(self.document.findall(is_check)):
            lines, unshown = summary_and_rest(cell)
            if unshown or not lines:
                why = (
                    f"shows more than its lines: {unshown[0][:80]!r}"
                    if unshown
                    else "prints no line: see eqproof.checked"
                )
                logging.getLogger(__name__).warning("a cell tagged check %s", why, location=cell, type="check")
                continue
            source = [x for x in cell.children if x.get("nb_element") == "cell_code_source"]
            cell.children = []
            cell += check_summary("", *source, lines=lines)


def is_check(node: nodes.Node) -> bool:
    """Return whether a node is a code cell tagged `check`."""
    return isinstance(node, nodes.container) and "tag_check" in node["classes"]


def summary_and_rest(cell: nodes.Element) -> tuple[list[str], list[str]]:
    """Return the lines that stand for a cell, and what else it shows."""
    outputs = [x for x in cell.children if x.get("nb_element") == "cell_code_output"]
    printed = [line for x in outputs for y in x.children for line in y.astext().splitlines() if line.strip()]
    pictures = ["a picture" for x in outputs if any(x.findall(nodes.image))]
    lines = [line for line in printed if line.startswith(MARK)]
    if not printed and not pictures and "quoted(" in cell.astext():
        lines = [QUOTED_NUMBERS_LINE]
    return lines, [line for line in printed if not line.startswith(MARK)] + pictures


def visit_check_summary(self: "HTML5Translator", node: nodes.Element) -> None:
    """Write what stands."""
    lines = "<br>".join(
        f'<span class="check-mark">✓ checked:</span> {escape(x.removeprefix(MARK))}' for x in node["lines"]
    )
    self.body.append(f'<details class="check"><summary>{lines}</summary>\n')


def depart_check_summary(self: "HTML5Translator", node: nodes.Element) -> None:
    """End what unfolds."""
    self.body.append("</details>\n")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_node(check_summary, html=(visit_check_summary, depart_check_summary))
    app.add_post_transform(FoldChecks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
