"""The code in the solutions of exercises runs where its reader stands, after the cells of its chapter; nbval runs those alone."""

import re

import nbformat
import pytest
from ipython_process import run_in_ipython

from bookbuild import lint

SOLUTION = re.compile(r"^:::+\{solution\}.*?^:::+$", re.M | re.S)
CODE = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def solutions(name):
    """The pieces of code in the solutions of exercises."""
    notebook = nbformat.read(lint.ROOT / name, as_version=4)
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    return [piece for text in texts for solution in SOLUTION.findall(text) for piece in CODE.findall(solution)]


WITH_CODE = [
    name for path in lint.project_files("*.ipynb") if solutions(name := path.relative_to(lint.ROOT).as_posix())
]


def test_the_code_of_solutions_is_found():
    """At least the chapters on simulation, on Riccati's recursion and on iLQR have some."""
    assert {"book/simulation.ipynb", "book/regulator.ipynb", "book/tasks-limits-loopholes.ipynb"} <= set(WITH_CODE)


def test_no_text_refers_to_an_equation_of_a_solution():
    """The student's edition has no solutions, so such a link would lead nowhere; a solution itself may."""
    texts = {}
    for path in sorted((lint.ROOT / "book").glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        texts[path.name] = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    solved = "\n".join(solution for text in texts.values() for solution in SOLUTION.findall(text))
    hidden = set(re.findall(r"^\$\$ \(([\w-]+)\)", solved, re.M))
    assert len(hidden) > 20
    referred = {
        (name, label)
        for name, text in texts.items()
        for label in re.findall(r"\{eq\}`([\w-]+)`", SOLUTION.sub("", text))
    }
    assert {(name, label) for name, label in referred if label in hidden} == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_CODE)
def test_the_code_of_a_solution_runs(name):
    """After the cells of its chapter, but figures that move and folded checks, which a reader may not have seen; it asserts truly."""
    path = lint.ROOT / name
    cells = nbformat.read(path, as_version=4).cells
    aside = {"check", "moving-figure"}
    run = [
        cell.source for cell in cells if cell.cell_type == "code" and aside.isdisjoint(cell.metadata.get("tags", ()))
    ]
    run_in_ipython(path.parent, [*run, *solutions(name)])
