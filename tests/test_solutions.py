"""The code in the solutions of exercises runs, where its reader stands: after the cells of the chapter."""

import re

import matplotlib.pyplot as plt
import pytest
from test_house_notebooks import NAMES, code_cells, read

SOLUTION = re.compile(r"^:::+\{solution\}.*?^:::+$", re.M | re.S)
CODE = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def pieces(name):
    """The pieces of code in the solutions of a chapter."""
    texts = ["".join(cell["source"]) for cell in read(name)["cells"] if cell["cell_type"] == "markdown"]
    return [piece for text in texts for solution in SOLUTION.findall(text) for piece in CODE.findall(solution)]


WITH_CODE = [name for name in NAMES if name.startswith("book/") and pieces(name)]


def test_solutions_with_code_are_found():
    """At least the chapters on simulation, on Riccati's recursion and on iLQR have some."""
    assert {"book/simulation.ipynb", "book/lqr.ipynb", "book/ilqr.ipynb"} <= set(WITH_CODE)


@pytest.mark.parametrize("name", WITH_CODE)
def test_the_code_of_a_solution_runs(name, monkeypatch):
    """Cell after cell in one namespace, then each piece; what it asserts holds."""
    monkeypatch.setattr(plt, "show", lambda: plt.close("all"))
    space = {"__name__": "__main__"}
    for _, text in code_cells(name):
        exec(compile(text, name, "exec"), space)
    for piece in pieces(name):
        exec(compile(piece, f"solution in {name}", "exec"), space)
