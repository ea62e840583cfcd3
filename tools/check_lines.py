"""A Sphinx extension: a cell tagged `check` stands in the page as one line, "✓ checked: ...", that unfolds into the cell.

The line is what `eqproof.checked` printed; a cell that only compares the numbers of the text (`eqproof.quoted`) says so.
Anything else that such a cell shows would be lost, so it is a warning, which fails the strict build.
"""

from html import escape

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from eqproof.checked import MARK

QUOTED = f"{MARK}the numbers in the text are the computed ones"


class check_lines(nodes.Element):
    """A folded cell: its attribute `lines` is what stands, its children unfold."""


class FoldChecks(SphinxPostTransform):
    """Puts the source of each cell tagged `check` under its lines."""

    default_priority = 198  # before myst-nb folds cells in its own way
    formats = ("html",)

    def run(self, **kwargs):
        """Fold each of them."""
        for cell in list(self.document.findall(is_check)):
            lines, lost = told(cell)
            if lost or not lines:
                why = f"shows more than its lines: {lost[0][:80]!r}" if lost else "prints no line: see eqproof.checked"
                logging.getLogger(__name__).warning("a cell tagged check %s", why, location=cell, type="check")
                continue
            source = [x for x in cell.children if x.get("nb_element") == "cell_code_source"]
            cell.children = []
            cell += check_lines("", *source, lines=lines)


def is_check(node):
    """Return whether a node is a code cell tagged `check`."""
    return isinstance(node, nodes.container) and "tag_check" in node["classes"]


def told(cell):
    """Return the lines that stand for a cell, and what else it shows."""
    outputs = [x for x in cell.children if x.get("nb_element") == "cell_code_output"]
    shown = [line for x in outputs for y in x.children for line in y.astext().splitlines() if line.strip()]
    pictures = ["a picture" for x in outputs if any(x.findall(nodes.image))]
    lines = [line for line in shown if line.startswith(MARK)]
    if not shown and not pictures and "quoted(" in cell.astext():
        lines = [QUOTED]
    return lines, [line for line in shown if not line.startswith(MARK)] + pictures


def visit(self, node):
    """Write what stands."""
    lines = "<br>".join(
        f'<span class="check-mark">✓ checked:</span> {escape(x.removeprefix(MARK))}' for x in node["lines"]
    )
    self.body.append(f'<details class="check"><summary>{lines}</summary>\n')


def depart(self, node):
    """End what unfolds."""
    self.body.append("</details>\n")


def setup(app):
    """Register with Sphinx."""
    app.add_node(check_lines, html=(visit, depart))
    app.add_post_transform(FoldChecks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
