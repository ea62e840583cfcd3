"""A check in a chapter: a sentence that is asserted, and one line in the page that unfolds into its cell."""

import math
import re

import numpy as np
import pytest
import sympy as sp
from sphinx.application import Sphinx

from eqproof import ProofError, checked


def test_a_check_prints_its_line(capsys):
    """The sentence, and the bound of its error, which is the same on every processor; a condition has no number."""
    checked("the torques of a motion give back its accelerations", 3.2e-14, below=1e-12)
    checked("M is symmetric", np.array([[0.0, -2e-16], [1e-16, 0.0]]), below=1e-12)
    checked("nothing is left", 0, below=1)
    checked("det M is positive", np.array([1.0, 2.0]) > 0)
    checked("both formulas are one", sp.Symbol("x", positive=True) > 0)
    assert capsys.readouterr().out.splitlines() == [
        "✓ checked: the torques of a motion give back its accelerations (below 1e-12)",
        "✓ checked: M is symmetric (below 1e-12)",
        "✓ checked: nothing is left (below 1)",
        "✓ checked: det M is positive",
        "✓ checked: both formulas are one",
    ]


@pytest.mark.parametrize("error", [1e-12, 1.0, -1.0, math.nan, math.inf, [0.0, math.nan]])
def test_a_check_that_fails_says_so(error, capsys):
    """At the bound or beyond it, or not a number: no line, and a sentence that says by how much."""
    with pytest.raises(ProofError, match=r"does not hold: energy is kept; the error is .+, allowed is less than 1e-12"):
        checked("energy is kept", error, below=1e-12)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("condition", [False, np.bool_(False), np.array([True, False]), sp.false, sp.Symbol("x") > 0])
def test_a_condition_that_is_not_true(condition):
    """False, one false entry, or undecided."""
    with pytest.raises(ProofError, match="does not hold: x is positive"):
        checked("x is positive", condition)


def test_a_number_needs_a_bound():
    """A difference is never taken for a condition."""
    for number in (0.0, 1, np.array([1e-16])):
        with pytest.raises(TypeError, match=r'a number needs a bound: checked\("M is symmetric", error, below=1e-12\)'):
            checked("M is symmetric", number)


def cell(source, printed="", tags=("check",), more=()):
    """A code cell of a notebook, as it stands after it ran."""
    outputs = [{"output_type": "stream", "name": "stdout", "text": printed}] if printed else []
    return {
        "cell_type": "code",
        "id": f"c{abs(hash(source))}",
        "metadata": {"tags": list(tags)},
        "source": source,
        "execution_count": 1,
        "outputs": [*outputs, *more],
    }


@pytest.fixture
def built(tmp_path):
    """Return a function that builds a page of cells and returns its HTML and the warnings."""
    import io
    import json

    def build(*cells):
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        title = {"cell_type": "markdown", "id": "t", "metadata": {}, "source": "# Page"}
        page = {"cells": [title, *cells], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
        (tmp_path / "index.ipynb").write_text(json.dumps(page), encoding="utf-8")
        settings = {
            "extensions": ["myst_nb", "bookbuild.check_cells"],
            "nb_execution_mode": "off",
            "nb_merge_streams": True,
        }
        said = io.StringIO()
        app = Sphinx(tmp_path, None, tmp_path / "out", tmp_path / "tree", "html", settings, status=None, warning=said)
        app.build()
        return (tmp_path / "out" / "index.html").read_text(encoding="utf-8"), said.getvalue()

    return build


def test_a_check_is_one_line_that_unfolds(built):
    """What stands is what `checked` printed; what unfolds is the code; nothing is said twice."""
    page, warnings = built(cell("gap = 3e-14\nchecked('a < b', gap, below=1)", "✓ checked: a < b (below 1)\n"))
    fold = re.search(r'<details class="check"><summary>(.*?)</summary>(.*?)</details>', page, re.S)
    assert re.sub("<[^>]*>", "", fold[1]) == "✓ checked: a &lt; b (below 1)"
    assert "gap" in fold[2] and "✓" not in re.sub("<[^>]*>", "", fold[2])
    assert page.count("a &lt; b (below 1)") == 1
    assert "check" not in warnings


def test_several_checks_in_a_cell_are_several_lines(built):
    """Each keeps its line; a cell that compares quoted numbers alone has a line, too; other cells stay as they are."""
    page, _ = built(
        cell("a()", "✓ checked: one\n✓ checked: two\n"),
        cell('quoted({"3.1": x})'),
        cell("b()", "✓ checked: three\n", tags=()),
    )
    lines = [re.sub("<[^>]*>", "", x.replace("<br>", "|")) for x in re.findall("<summary>(.*?)</summary>", page)]
    assert lines == ["✓ checked: one|✓ checked: two", "✓ checked: the numbers in the text are the computed ones"]


def test_a_check_that_would_lose_an_output_is_refused(built):
    """A print beside the line, a result, or no line at all is a warning, and the cell stays whole."""
    result = {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "42"}}
    for lost in (
        cell("a()", "✓ checked: one\nand more\n"),
        cell("a()", "✓ checked: one\n", more=[result]),
        cell("a()"),
    ):
        page, warnings = built(lost)
        assert "a cell tagged check" in warnings
        assert "<details" not in page
