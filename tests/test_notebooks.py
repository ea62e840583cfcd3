"""Every notebook of the book and the exercises runs, and after its cells the code of its solutions, where the reader stands."""

import re

import lint
import nbformat
import pytest
from nbclient import NotebookClient

NAMES = [path.relative_to(lint.ROOT).as_posix() for path in lint.project_files("*.ipynb")]
SOLUTION = re.compile(r"^:::+\{solution\}.*?^:::+$", re.M | re.S)
CODE = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
SLOWEST_CELL = 600  # s until a cell is taken for one that never ends, on the busiest machine


def solutions(notebook):
    """The pieces of code in the solutions of exercises."""
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    return [piece for text in texts for solution in SOLUTION.findall(text) for piece in CODE.findall(solution)]


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs(name):
    """Cell after cell in one kernel, then each piece of code of a solution; what it asserts holds."""
    path = lint.ROOT / name
    notebook = nbformat.read(path, as_version=4)
    notebook.cells += map(nbformat.v4.new_code_cell, solutions(notebook))
    place = {"metadata": {"path": path.parent}}
    NotebookClient(notebook, timeout=SLOWEST_CELL, kernel_name="python3", resources=place).execute()


def test_the_code_of_solutions_is_found():
    """At least the chapters on simulation, on Riccati's recursion and on iLQR have some."""
    for slug in ("simulation", "lqr", "ilqr"):
        assert solutions(nbformat.read(lint.ROOT / "book" / f"{slug}.ipynb", as_version=4)), slug
