"""Finds files that are opened as text without the name of their encoding: what Python then takes depends on the machine."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

# how many arguments a call has where the last of them is the encoding
READS = {"read_text": 1, "write_text": 2}


def guessed(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and words of each call that reads or writes text in whatever encoding the machine prefers."""
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        if any(keyword.arg in ("encoding", None) for keyword in call.keywords):
            continue
        if (isinstance(call.func, ast.Attribute) and len(call.args) < READS.get(call.func.attr, 0)) or (
            isinstance(call.func, ast.Name) and call.func.id == "open" and "b" not in _mode(call)
        ):
            yield call.lineno, ast.unparse(call)


def _mode(call: ast.Call) -> str:
    """Return the mode of a call of open; "b" where it is not a constant, for then it may be binary."""
    given = [keyword.value for keyword in call.keywords if keyword.arg == "mode"] or call.args[1:2]
    if not given:
        return "r"
    return str(given[0].value) if isinstance(given[0], ast.Constant) else "b"


def guessing_files(paths: Iterable[Path], root: Path) -> list[str]:
    """Return a sentence for each such call in these files of Python."""
    return [
        f'{path.relative_to(root)}:{line}: {call} takes the encoding of the machine: add encoding="utf-8"'
        for path in paths
        for line, call in guessed(path.read_text(encoding="utf-8"))
    ]
