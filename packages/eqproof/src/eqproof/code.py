"""The code of a page, its cells and its blocks of Python, and the numbers that stand in it."""

import ast
import json
import math
import re
from pathlib import Path

DECIMAL = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def code_of(page: Path) -> list[str]:
    """Return the code of a page: cells without magic lines, and blocks of Python in the text."""
    raw = page.read_text(encoding="utf8")
    cells = []
    if page.suffix == ".ipynb":
        cells = json.loads(raw)["cells"]
        raw = "\n\n".join("".join(x["source"]) for x in cells if x["cell_type"] == "markdown")
    code = ["".join(x["source"]) for x in cells if x["cell_type"] == "code"]
    return [re.sub(r"^[%!].*$", "", x, flags=re.M) for x in code] + BLOCK.findall(raw)


def nodes_of(code: str) -> list[ast.AST]:
    """Return all nodes of the syntax tree of code; none where it is not Python."""
    try:
        return list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return []


def numbers_with_signs(code: str) -> set[float]:
    """Return the numbers that code holds, 1 / 3, -2 and np.pi / 2 among them, and those that a cell with `quoted` compares."""
    nodes = nodes_of(code)
    with_minus = {x.operand for x in nodes if isinstance(x, ast.UnaryOp) and isinstance(x.op, ast.USub)}
    values = [number(x) for x in nodes if x not in with_minus]
    found = {float(x) for x in values if x is not None}
    if calls_quoted(nodes):
        words = [x.value for x in nodes if isinstance(x, ast.Constant) and isinstance(x.value, str)]
        found |= {float(x) for x in words if DECIMAL.fullmatch(x)}
    return found


def calls_quoted(nodes: list[ast.AST]) -> bool:
    """Tell whether `quoted` is named in code, which compares numbers with the text."""
    return any(isinstance(x, ast.Name | ast.Attribute) and "quoted" in vars(x).values() for x in nodes)


def number(node: ast.AST) -> int | float | None:
    """Return the number that a node of code is: a constant, pi, its negative or a quotient of two; None for all else."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, int | float) and not isinstance(node.value, bool) else None
    if isinstance(node, ast.Attribute) and node.attr == "pi":
        return math.pi
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = number(node.operand)
        return None if value is None else -value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        above = number(node.left)
        below = number(node.right)
        return above / below if above is not None and below else None
    return None
