"""A Sphinx extension: what belongs together stays on one line, no title holds parentheses within parentheses, tables fit a phone.

A formula in a line scrolls where it is wider than a phone; browsers may break the line after such a thing, even before a
comma. So a formula is wrapped together with the bracket before it and the mark or unit behind it; between a number and
its unit no line ends. On a phone the cells of a table of class `labeled` stand below one another (book.css), so that each
but the first carries the heading of its column, which a wide page hides.
"""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_exercise.nodes import is_exercise_node

UNIT = r"(?:N\sm(?:\ss/rad)?|rad/s²?|rad|m²?/s²?|kg(?:\sm²)?|[kmc]?m|m?s|N/m|N|[kM]?J|W|Hz|MB|GB|px|percent)(?!\w)"
AFTER_NUMBER = re.compile(rf"(?<=\d)\s(?={UNIT})")
INSIDE = re.compile(rf"(?<!\w){UNIT}")
AFTER_FORMULA = re.compile(rf"\s{UNIT}[,.;:?!)]*|[,.;:?!)]+")
BRACKET = re.compile(r"\($")
KEPT = "\N{NO-BREAK SPACE}"


def bound(text):
    """Return a text in which no line ends between a number and its unit, or within a unit."""
    return INSIDE.sub(lambda unit: re.sub(r"\s", KEPT, unit[0]), AFTER_NUMBER.sub(KEPT, text))


class Finer(SphinxPostTransform):
    """Bind what belongs together, after all references and numbers are resolved."""

    default_priority = 900
    formats = ("html", "typst")

    def run(self, **kwargs):
        for exercise in self.document.findall(is_exercise_node):
            title = exercise[0]
            if len(title) > 2 and title[0].astext() == " (" and title[-1].astext() == ")":
                title[0], title[-1] = nodes.Text("· "), nodes.Text("")
        for table in self.document.findall(lambda x: isinstance(x, nodes.table) and "labeled" in x["classes"]):
            heads, *rows = table.findall(nodes.row)
            for head, cell in (pair for row in rows for pair in list(zip(heads, row))[1:] if pair[1].astext()):
                words = [part.deepcopy() for part in head[0]]
                cell[0].insert(0, nodes.inline("", "", *words, nodes.Text(": "), classes=["heading"]))
        for text in list(self.document.findall(nodes.Text)):
            if isinstance(text.parent, nodes.paragraph | nodes.emphasis | nodes.strong | nodes.caption):
                text.parent.replace(text, nodes.Text(bound(text)))
        for formula in list(self.document.findall(nodes.math)):
            line, place = formula.parent, formula.parent.index(formula)
            before, after = line[place - 1 : place], line[place + 1 : place + 2]
            opened = before and isinstance(before[0], nodes.Text) and BRACKET.search(before[0])
            closed = after and isinstance(after[0], nodes.Text) and AFTER_FORMULA.match(after[0])
            if not opened and not closed:
                continue
            whole = nodes.inline("", "", classes=["bound"])
            if opened:
                line[place - 1] = nodes.Text(before[0][: opened.start()])
                whole += nodes.Text(opened[0])
            if closed:
                line[place + 1] = nodes.Text(after[0][closed.end() :])
            line[place] = whole
            whole += formula
            if closed:
                whole += nodes.Text(re.sub(r"\s", KEPT, closed[0]))


def setup(app):
    """Called by Sphinx."""
    app.add_post_transform(Finer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
