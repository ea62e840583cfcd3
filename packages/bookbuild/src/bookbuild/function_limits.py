"""What no function and no file may exceed, so that one can be read at a sitting: part of `make lint`.

A function has at most 60 lines, its decorators counted, and 15 branches, those of the functions within it counted: conditions,
loops, comprehensions, cases and their guards, handlers of exceptions, and each `and` and `or`. A file has at most 400 lines.
What is in LIMITED_FOLDERS is held to it. What is excepted stands below by name.
"""

import ast
import tokenize
from collections.abc import Iterator
from pathlib import Path

from bookbuild import ROOT

MOST_LINES = 60
MOST_BRANCHES = 15
MOST_LINES_OF_A_FILE = 400
LIMITED_FOLDERS = (
    "robotdyn",
    "packages/movingfigures/src",
    "packages/coursework/src",
    "packages/bookbuild/src",
    "packages/eqproof/src",
    "exercises",
    "benchmarks",
)
LISTS = ("exercises",)  # a file of questions is as long as there are questions: its functions alone are held
EXCEPTED = {  # "path" or "path:function" -> the reason; at most five
    "packages/movingfigures/src/movingfigures/adaptive_control_figure.py:learn": "a public function of many arguments, a line of its docstring each",
    "packages/movingfigures/src/movingfigures/explore.py:explore": "a public function of many arguments, a line of its docstring each",
    "packages/movingfigures/src/movingfigures/optimal_reach_figure.py:reach": "a public function of many arguments, a line of its docstring each",
    "benchmarks/peers/models.py:jax": "a whole model in another library's words, to be read beside that library",
    "benchmarks/peers/student.py:reach": "what a student writes without the library: one program",
}

BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case, ast.comprehension)


def branches(function: ast.AST) -> int:
    """Return how many branches a function has, with those of the functions within it."""
    count = 0
    for node in ast.walk(function):
        count += isinstance(node, BRANCHES)
        count += isinstance(node, ast.match_case) and node.guard is not None
        if isinstance(node, ast.comprehension):
            count += len(node.ifs)
        if isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
    return count


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield the functions and methods of a file with their names, such as Arm.from_dh, but none within another."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + node.name, node
        else:
            yield from functions(node, f"{prefix}{node.name}." if isinstance(node, ast.ClassDef) else prefix)


def too_large(root: Path) -> list[str]:
    """Return a sentence for each function and each file below a folder that exceeds a limit, and for each idle exception."""
    found: dict[str, str] = {}
    for package in LIMITED_FOLDERS:
        for path in sorted((root / package).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            with tokenize.open(path) as file:  # in the encoding that its first lines say
                text = file.read()
            length = len(text.split("\n")) - text.endswith("\n")
            if length > MOST_LINES_OF_A_FILE and package not in LISTS:
                found[name] = f"{name}: {length} lines, at most {MOST_LINES_OF_A_FILE}: split the file"
            for function, node in functions(ast.parse(text)):
                first = min([node.lineno, *(x.lineno for x in node.decorator_list)])
                lines = (node.end_lineno or node.lineno) - first + 1
                ways = branches(node)
                if lines > MOST_LINES or ways > MOST_BRANCHES:
                    key = f"{name}:{function}"
                    found[key] = (
                        f"{name}:{node.lineno}: {function} has {lines} lines and {ways} branches, "
                        f"at most {MOST_LINES} and {MOST_BRANCHES}: split it, or except {key} with a reason"
                    )
    idle = [f"bookbuild/function_limits.py: {key} exceeds nothing: take it out" for key in EXCEPTED if key not in found]
    return [sentence for key, sentence in found.items() if key not in EXCEPTED] + idle


if __name__ == "__main__":
    sentences = too_large(ROOT)
    print(*sentences, sep="\n")
    raise SystemExit(bool(sentences))
