"""Whether a cell of code holds words alone: an answer that a person reads, in the wrong kind of cell."""

import ast
import re

SHOWS = ("print", "display", "Markdown")
FEWEST_WORDS, MOST_PROSE = 5, 20_000  # words of an answer, characters of one: less is a label, more a program


def is_prose(source: str) -> bool:
    """Return whether a cell of code holds words alone: comments, texts, shown or not, or what is no Python, as a sentence."""
    if len(source) > MOST_PROSE or len(source.split()) < FEWEST_WORDS:
        return False
    if re.search(r"^[ \t]*[%!]", source, re.M):  # a command of the notebook
        return False
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    rest = [one for one in statements if not isinstance(one, (ast.Import, ast.ImportFrom))]
    return all(map(_speaks, rest or statements))


def _speaks(statement: ast.stmt) -> bool:
    """Return whether a statement is a constant alone, or shows or names a text of several words."""
    value = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
    if isinstance(statement, ast.Expr) and isinstance(value, ast.Constant):
        return True
    while isinstance(value, ast.Call) and getattr(value.func, "id", None) in SHOWS and value.args:
        value = value.args[0]
    text = getattr(value, "value", None)
    return isinstance(text, str) and len(text.split()) >= FEWEST_WORDS
