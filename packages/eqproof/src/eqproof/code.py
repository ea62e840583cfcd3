"""The code of a page, its cells and its blocks of Python, and the numbers that stand in it."""

import ast
import json
import math
import re
from pathlib import Path

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def code_of(page: Path) -> list[str]:
    """Return the code of a page: cells without magic lines, and blocks of Python in the text."""
    raw, cells = page.read_text(encoding="utf8"), []
    if page.suffix == ".ipynb":
        cells = json.loads(raw)["cells"]
        raw = "\n\n".join("".join(x["source"]) for x in cells if x["cell_type"] == "markdown")
    code = ["".join(x["source"]) for x in cells if x["cell_type"] == "code"]
    return [re.sub(r"^[%!].*$", "", x, flags=re.M) for x in code] + BLOCK.findall(raw)


def numbers_with_signs(code: str) -> set[float]:
    """Return the numbers that code holds, 1 / 3, -2 and np.pi / 2 among them, and those that a cell with `quoted` compares."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:  # not Python
        return set()
    found, inside = set(), set()
    for node in nodes:  # what is outside comes first
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inside.add(node.operand)
        if isinstance(node, ast.Constant | ast.Attribute | ast.BinOp | ast.UnaryOp) and node not in inside:
            found |= {float(x) for x in [number(node)] if x is not None}
    if any(isinstance(x, ast.Name | ast.Attribute) and "quoted" in vars(x).values() for x in nodes):
        words = [x.value for x in nodes if isinstance(x, ast.Constant) and isinstance(x.value, str)]
        found |= {float(x) for x in words if re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", x)}
    return found


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
        above, below = number(node.left), number(node.right)
        return above / below if above is not None and below else None
    return None
