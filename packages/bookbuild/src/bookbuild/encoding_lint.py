"""Finds files that are opened as text without the name of their encoding: what Python then takes depends on the machine."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

# how many arguments a call has where the last of them is the encoding
READS = {"read_text": 1, "write_text": 2}


def calls_without_encoding(source: str) -> Iterator[ast.Call]:
    """Yield each call that reads or writes text in whatever encoding the machine prefers."""
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        if any(keyword.arg in ("encoding", None) for keyword in call.keywords):
            continue
        method = isinstance(call.func, ast.Attribute) and len(call.args) < READS.get(call.func.attr, 0)
        function = isinstance(call.func, ast.Name) and call.func.id == "open" and "b" not in _mode(call)
        if method or function:
            yield call


def name_encoding(source: str) -> str:
    """Return the source with the encoding named in each such call but those in f-strings, whose places Python 3.11 mistakes."""
    lines = source.encode().split(b"\n")
    formatted = {part for part in ast.walk(ast.parse(source)) if isinstance(part, ast.JoinedStr)}
    inside = {ast.unparse(call) for part in formatted for call in ast.walk(part) if isinstance(call, ast.Call)}
    calls = [call for call in calls_without_encoding(source) if ast.unparse(call) not in inside]
    ends = {(call.end_lineno or 0, call.end_col_offset or 0): call for call in calls}
    for number, column in sorted(ends, reverse=True):  # from behind, so that no place moves before its turn
        call = ends[number, column]
        line = lines[number - 1]
        before = line[: column - 1].rstrip()
        comma = b", " if (call.args or call.keywords) and not before.endswith(b",") else b""
        lines[number - 1] = line[: column - 1] + comma + b'encoding="utf-8"' + line[column - 1 :]
    return b"\n".join(lines).decode()


def _mode(call: ast.Call) -> str:
    """Return the mode of a call of open; "b" where it is not a constant, for then it may be binary."""
    given = [keyword.value for keyword in call.keywords if keyword.arg == "mode"] or call.args[1:2]
    if not given:
        return "r"
    return str(given[0].value) if isinstance(given[0], ast.Constant) else "b"


def files_without_encoding(paths: Iterable[Path], root: Path, fix: bool = False) -> list[str]:
    """Return a sentence for each such call in these files of Python; fix: name the encoding there, first."""
    problems = []
    for path in paths:
        source = path.read_text(encoding="utf-8")
        if fix and any(calls_without_encoding(source)):
            source = name_encoding(source)
            path.write_text(source, encoding="utf-8")
        problems += [
            f'{path.relative_to(root)}:{call.lineno}: {ast.unparse(call)} takes the encoding of the machine: add encoding="utf-8"'
            for call in calls_without_encoding(source)
        ]
    return problems
