"""A Sphinx extension: the cell of imports with which a page begins is folded, so that the page begins with its subject.

Notebooks, slides and paper keep it. Folded is the first code cell if it imports and otherwise only sets up: calls whose value is not
kept, other names for what is imported, and a generator of random numbers. A cell that makes an arm or a matrix stays open.
"""

import ast
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform


class FoldImports(SphinxPostTransform):
    """Has myst-nb fold the imports of a page."""

    default_priority = 197  # before myst-nb folds cells
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Mark the first code cell of a page of the site."""
        if self.app.builder.name != "html":
            return
        cell = next((x for x in self.document.findall(nodes.container) if x.get("nb_element") == "cell_code"), None)
        if cell is None or cell.get("hide_mode") or not cell.children or not sets_up(cell[0].astext()):
            return
        cell["hide_mode"] = "input"
        cell["prompt_show"] = "Show imports"
        cell["prompt_hide"] = "Hide imports"


def sets_up(code: str) -> bool:
    """Return whether code imports, and does nothing else that the reader of a page needs to see."""
    try:
        statements = ast.parse(code).body
    except SyntaxError:  # of a magic
        return False
    imports = [x for x in statements if isinstance(x, ast.Import | ast.ImportFrom)]
    return bool(imports) and all(x in imports or _is_setup(x) for x in statements)


def _is_setup(statement: ast.stmt) -> bool:
    """Return whether a statement is a call without a value, another name for something, or a generator of random numbers."""
    match statement:
        case ast.Expr(value=ast.Call()):
            return True
        case ast.Assign(value=ast.Attribute() | ast.Subscript() | ast.Call(func=ast.Attribute(attr="default_rng"))):
            return True
    return False


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_post_transform(FoldImports)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
