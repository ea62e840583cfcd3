"""What honest students do to a notebook, at random: cells moved, pasted, split, joined, renamed, tried twice."""

import copy
import random
import re

from grading_kit import code_cell, solved

NAMES = {"mass-matrix": "M", "gravity": "G", "velocity-terms": "h", "tip-velocity": "v", "find-the-error": "right"}
SCRATCH = (
    "1/0",
    "print(1)",
    "import math",
    "x = 3",
    "check.progress()",
    "check.hint('gravity')",
    "%timeit 1",
    "M = 'first'",
    "q = np.array([1.0, 2.0])\nprint(q)",
    "v = None",
    "sp.init_printing()",
)


def messy_notebook(seed):
    """A right notebook after some such changes."""
    draw = random.Random(seed)
    notebook = solved()
    for _ in range(draw.choice((1, 2, 3, 5, 8))):
        cells = notebook["cells"]
        draw.choice(CHANGES)(cells, draw.randrange(len(cells)), draw)
    return notebook


def source(cell):
    """The text of a cell."""
    return "".join(cell["source"])


def _move(cells, i, draw):
    cells.insert(draw.randrange(len(cells)), cells.pop(i))


def _paste(cells, i, draw):
    place = draw.randrange(len(cells))
    cells[place:place] = copy.deepcopy(cells[i : i + draw.randint(1, 3)])


def _delete(cells, i, draw):
    if not cells[i].get("id", "").endswith("-work"):
        cells.pop(i)


def _split(cells, i, draw):
    lines = source(cells[i]).split("\n")
    cuts = [k for k in range(1, len(lines)) if lines[k] and lines[k][0] not in " )]"]
    if cells[i]["cell_type"] == "code" and cuts:
        k = draw.choice(cuts)
        cells[i]["source"] = "\n".join(lines[:k])
        cells.insert(i + 1, code_cell("\n".join(lines[k:])))


def _join(cells, i, draw):
    if i + 1 < len(cells) and cells[i]["cell_type"] == cells[i + 1]["cell_type"] == "code":
        cells[i]["source"] = source(cells[i]) + "\n" + source(cells.pop(i + 1))


def _strip(cells, i, draw):
    cells[i]["metadata"] = {}
    cells[i]["id"] = f"n{draw.random()}"


def _scratch(cells, i, draw):
    cells.insert(i, code_cell(draw.choice(SCRATCH)))


def _annotate(cells, i, draw):
    if cells[i]["cell_type"] == "code" and not cells[i].get("id", "").endswith("-work"):
        cells[i]["source"] = "# mine\n" + source(cells[i]) + draw.choice(("", "\nprint('done')", "\ny = 3"))


def _retype(cells, i, draw):
    if cells[i]["cell_type"] == "markdown":
        cells[i]["cell_type"] = "raw"


def _rename(cells, i, draw):
    question, name = draw.choice(list(NAMES.items()))
    for cell in cells:
        if cell.get("id") in (question, f"{question}-work"):
            cell["source"] = re.sub(rf"\b{name}\b(?!\")", f"my_{name}", source(cell))


def _try_twice(cells, i, draw):
    question, name = draw.choice(list(NAMES.items()))
    places = [k for k, cell in enumerate(cells) if cell.get("id") == f"{question}-work"]
    if places:
        tried = [code_cell(f"{name} = 0"), code_cell(f"check.answer({question!r}, {name})")]
        cells[places[0] : places[0]] = tried[: draw.randint(1, 2)]


def _answer_below(cells, i, draw):
    question = draw.choice(list(NAMES))
    works, hands = (
        [k for k, cell in enumerate(cells) if cell.get("id") == one] for one in (f"{question}-work", question)
    )
    if works and hands and works[0] < hands[0]:
        own = [code_cell(source(cells[works[0]])), code_cell(source(cells[hands[0]]))]
        cells[works[0]]["source"] = draw.choice(("# see below", "...", "raise NotImplementedError()"))
        cells[hands[0] + 1 : hands[0] + 1] = own


CHANGES = (
    _move,
    _move,
    _paste,
    _delete,
    _split,
    _join,
    _strip,
    _scratch,
    _annotate,
    _retype,
    _rename,
    _try_twice,
    _answer_below,
)
