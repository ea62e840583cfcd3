"""A Sphinx extension: what belongs together stays on one line, no title holds parentheses within parentheses, tables fit a phone.

A formula in a line scrolls where it is wider than a phone; browsers may break the line after such a thing, even before a
comma. So a formula is wrapped together with the bracket before it and the mark or unit behind it; between a number and
its unit no line ends. On a phone the cells of a table of class `labeled` stand below one another (book.css), so that each
but the first carries the heading of its column, which a wide page hides.
"""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_exercise.nodes import is_exercise_node

UNIT = r"(?:N\sm(?:\ss/rad)?|rad/s²?|rad|m²?/s²?|kg(?:\sm²)?|[kmc]?m|m?s|N/m|N|[kM]?J|W|Hz|MB|GB|px|percent)(?!\w)"
AFTER_NUMBER = re.compile(rf"(?<=\d)\s(?={UNIT})")
INSIDE = re.compile(rf"(?<!\w){UNIT}")
AFTER_FORMULA = re.compile(rf"\s{UNIT}[,.;:?!)]*|[,.;:?!)]+")
BRACKET = re.compile(r"\($")
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"


def bind_units(text: str) -> str:
    """Return a text in which no line ends between a number and its unit, or within a unit."""
    return INSIDE.sub(lambda unit: re.sub(r"\s", NO_BREAK_SPACE, unit[0]), AFTER_NUMBER.sub(NO_BREAK_SPACE, text))


class KeepTogether(SphinxPostTransform):
    """Bind what belongs together, after all references and numbers are resolved."""

    default_priority = 900
    formats = ("html", "typst")

    def run(self, **kwargs: object) -> None:
        """Rewrite the titles of exercises, labeled tables, units in the text, and formulas with the signs beside them."""
        shorten_exercise_titles(self.document)
        repeat_column_headings(self.document)
        for text in list(self.document.findall(nodes.Text)):
            if isinstance(text.parent, nodes.paragraph | nodes.emphasis | nodes.strong | nodes.caption):
                text.parent.replace(text, nodes.Text(bind_units(text)))
        for formula in list(self.document.findall(nodes.math)):
            bind_formula(formula)


def shorten_exercise_titles(document: nodes.document) -> None:
    """Write a dot in the place of the brackets around the name of an exercise."""
    for exercise in document.findall(is_exercise_node):
        title = exercise[0]
        if len(title) > 2 and title[0].astext() == " (" and title[-1].astext() == ")":
            title[0] = nodes.Text("· ")
            title[-1] = nodes.Text("")


def repeat_column_headings(document: nodes.document) -> None:
    """Put the heading of its column into each cell of a labeled table but the first: a phone shows cells one below the other."""
    for table in document.findall(is_labeled_table):
        headings, *rows = table.findall(nodes.row)
        for row in rows:
            for heading, cell in list(zip(headings, row))[1:]:
                if cell.astext():
                    words = [part.deepcopy() for part in heading[0]]
                    cell[0].insert(0, nodes.inline("", "", *words, nodes.Text(": "), classes=["heading"]))


def is_labeled_table(node: nodes.Node) -> bool:
    """Return whether a node is a table of the class labeled."""
    return isinstance(node, nodes.table) and "labeled" in node["classes"]


def bind_formula(formula: nodes.math) -> None:
    """Bind a formula to a bracket before it, and to a unit, a comma or a bracket after it, if there is one."""
    line = formula.parent
    place = formula.parent.index(formula)
    before = line[place - 1 : place]
    after = line[place + 1 : place + 2]
    opened = BRACKET.search(before[0]) if before and isinstance(before[0], nodes.Text) else None
    closed = AFTER_FORMULA.match(after[0]) if after and isinstance(after[0], nodes.Text) else None
    if not opened and not closed:
        return
    bound = nodes.inline("", "", classes=["bound"])
    if opened:
        line[place - 1] = nodes.Text(before[0][: opened.start()])
        bound += nodes.Text(opened[0])
    if closed:
        line[place + 1] = nodes.Text(after[0][closed.end() :])
    line[place] = bound
    bound += formula
    if closed:
        bound += nodes.Text(re.sub(r"\s", NO_BREAK_SPACE, closed[0]))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_post_transform(KeepTogether)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
