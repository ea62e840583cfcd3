"""The cells of markdown in a notebook, each with the places of its lines in the file as it is stored."""

import json
from bisect import bisect_right
from typing import Any

Cell = tuple[
    int, str, tuple[tuple[int, int], ...]
]  # its number, its text, where each line stands: (line, column), from 1


def cells_of_markdown(raw: str) -> list[Cell]:
    """Return the cells of markdown in the text of a notebook; raise ValueError with one sentence where it is none."""
    breaks = [i for i, sign in enumerate(raw) if sign == "\n"]
    found: list[Cell] = []
    at = 0
    for i, cell in enumerate(cells_in(raw)):
        if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
            raise ValueError(f"it is no notebook: cell {i} has no cell_type, such as markdown or code")
        if cell["cell_type"] == "markdown":
            lines = lines_of(cell.get("source"), i)
            stored, at = stored_lines(raw, lines, at, breaks)
            found.append((i, "".join(lines), stored))
    return found


def cells_in(raw: str) -> list[Any]:
    """Return the list of cells in the text of a notebook; raise ValueError where there is none."""
    try:
        document = json.loads(raw)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"it is no notebook: its JSON breaks off or goes wrong at line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise ValueError("it is no notebook: its JSON is nested too deeply") from None
    except ValueError:
        raise ValueError("it is no notebook: a number in its JSON is too long") from None
    if not isinstance(document, dict):
        kinds = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
        raise ValueError(
            f"it is no notebook: its JSON is {kinds.get(type(document), 'a number')}, not a table with cells"
        )
    cells = document.get("cells")
    if not isinstance(cells, list):
        raise ValueError("it is no notebook: it has no cells")
    return cells


def lines_of(source: Any, number: int) -> list[str]:
    """Return the lines of a cell, each with its end; raise ValueError where its source is neither a text nor lines of text."""
    if isinstance(source, str):
        return source.splitlines(keepends=True)
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return source
    raise ValueError(f"the source of its cell {number} is neither a text nor a list of lines")


def stored_lines(raw: str, lines: list[str], at: int, breaks: list[int]) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return (where lines of a cell stand in the text of a notebook as (line, column), from 1; where the last one ends)."""
    places = []
    for line in lines:
        written = [json.dumps(line, ensure_ascii=ascii)[1:-1] for ascii in (False, True)]
        starts = [x for x in (raw.find(text, at) for text in written) if x >= 0]
        start = min(starts, default=at)
        row = bisect_right(breaks, start - 1)
        places.append((row + 1, start - (breaks[row - 1] if row else -1)))
        at = start + len(written[0]) if starts else at
    return tuple(places), at
