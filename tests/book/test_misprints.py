"""The 38 wrong formulas of the five sources stay wrong, their corrections right, and the page's tables say so.

The page "Sources and errata" types every printed formula, its correction and an independent route to the true value.
Here its cells are run once; the numbers of the counterexamples below come from an earlier, separate verification.
"""

import json
import random
import re
from pathlib import Path

import matplotlib
import pytest
import sympy as sp

PAGE = Path(__file__).resolve().parents[2] / "book" / "sources.ipynb"
CELLS = json.loads(PAGE.read_text(encoding="utf-8"))["cells"]
PROSE = "\n".join("".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "markdown")

# entry: what the printed formula gives at the counterexample, and what is true there, entry by entry of a matrix
COUNTEREXAMPLES = {
    "S0-E13": ("-1", "1"),  # cos of a difference printed as cos of a sum
    "S0-E33": ("-2", "-1"),  # lower bound of the sum in the derivative of M~
    "S1-E4": ("0 0", "1 0"),  # velocity of the sliding link
    "S1-E5": ("0 1", "1 0"),
    "S1-E8": ("0", "1"),  # its kinetic energy
    "S1-E9": ("4", "2"),
    "S1-E15": ("20", "30"),  # the weight of link 1
    "S1-E16": ("20 0", "30 0"),
    "S1-E17": ("20", "30"),
    "S1-E21": ("20 0", "30 0"),
    "S1-E32": ("2", "1/2"),  # Newton-Euler is not the articulated-body algorithm
    "S2-E1": ("0", "-20"),  # arguments of the Lagrangian
    "S2-E7": ("1 1", "0 3/2"),  # center of mass of link 2
    "S2-E8": ("-2 2", "-1 1"),
    "S2-E12": ("5/2", "1"),
    "S2-E15": ("-5", "5"),  # potential energy
    "S2-E16": ("0", "5"),
    "S2-E17": ("10", "15"),
    "S2-E21": ("25 10", "0 0"),  # Lagrange's equation and its terms
    "S2-E23": ("5/2 1/4", "7/4 1/2"),
    "S2-E24": ("3/2 1/2", "1/4 0"),
    "S2-E25": ("0 -1/2", "0 -1"),
    "S2-E26": ("0 5", "0 0"),
    "S2-E30": ("-1/2 1/2", "-3/2 1/2"),  # velocity terms and gravity
    "S2-E31": ("10 5", "0 0"),
    "S2-E37": ("-1/2 1/2", "-3/2 1/2"),
    "S2-E38": (None, "-3/2 1/2"),  # a column times a column
    "S2-E39": ("0 1/2", "-3/2 1/2"),
    "S2-E42": ("36", "41"),  # the RP arm and its regressor
    "S2-E43": ("0", "-2"),
    "S2-E44": ("34 0", "41 -2"),
    "S2-E45": ("11 22 1 0 0 0 0 0", "11 28 1 1 0 -2 0 0"),
    "S3-E6": ("15", "30"),
    "S3-E7": ("1", "2"),  # virtual work of joint 1 under the name of joint 2
    "S3-E14": ("0 pi", "0 0"),
    "S4-E8": ("0", "2"),  # mass times velocity
    "S4-E9": ("0", "2"),
    "S4-E17": ("0 -2 0 2 0 0 0 0 0", "0 0 1"),  # a skew matrix for a Jacobian
}
entries = pytest.mark.parametrize("entry", COUNTEREXAMPLES)


@pytest.fixture(scope="module")
def proofs():
    """Run the code of the page, figures left out, and return what it proved."""
    page = {}
    with matplotlib.rc_context():
        for cell in CELLS:
            if cell["cell_type"] == "code" and "mystnb" not in cell["metadata"]:
                exec(compile("".join(cell["source"]), f"{PAGE.name}, cell {cell['id']}", "exec"), page)
    return page["proofs"]


def entries_of(x, at):
    """The entries of an expression or matrix at a point, as one list."""
    return list(sp.Matrix([x]).subs(at))


def largest_difference(x, y, at):
    """The largest entry of x - y in size, infinite where the shapes differ or x does not exist."""
    if isinstance(x, Exception) or sp.Matrix([x]).shape != sp.Matrix([y]).shape:
        return float("inf")
    return max(abs(float(entry)) for entry in (sp.Matrix([x]) - sp.Matrix([y])).subs(at))


def random_points(expressions, count=3):
    """Points of (0.3, 2) for all symbols of the expressions: no angle, length or mass is special there."""
    draw = random.Random(2024)
    known = [sp.Matrix([x]) for x in expressions if not isinstance(x, Exception)]
    symbols = sorted(set().union(*(x.free_symbols for x in known)), key=str)
    return [{symbol: draw.uniform(0.3, 2.0) for symbol in symbols} for _ in range(count)]


def test_the_page_proves_every_entry(proofs):
    """The page proves all 38 entries, no other ones, and counts them as 2, 9, 21, 3 and 3."""
    assert set(proofs) == set(COUNTEREXAMPLES)
    assert [sum(entry.startswith(f"S{source}-") for entry in proofs) for source in range(5)] == [2, 9, 21, 3, 3]


@entries
def test_the_printed_formula_fails_at_the_counterexample(proofs, entry):
    """The printed formula gives one number and the independent route another, both as pinned above."""
    proof, (printed, true) = proofs[entry], COUNTEREXAMPLES[entry]
    assert entries_of(proof["true"], proof["at"]) == sp.sympify(true.split())
    if printed is None:
        assert isinstance(proof["printed"], sp.matrices.exceptions.ShapeError)
    else:
        assert entries_of(proof["printed"], proof["at"]) == sp.sympify(printed.split())
    assert printed != true


@entries
def test_the_correction_is_the_independent_route(proofs, entry):
    """At random points the correction agrees with the independent route, and the printed formula does not."""
    printed, right, true = (proofs[entry][key] for key in ("printed", "right", "true"))
    for point in random_points([printed, right, true]):
        assert largest_difference(right, true, point) < 1e-12
        assert largest_difference(printed, true, point) > 1e-3


@entries
def test_the_table_says_the_numbers(entry):
    """The row of an entry ends in what the printed formula gives at the counterexample, and in what is true."""
    (row,) = re.findall(rf"^\| \[{entry[3:]}\]\(#errata-{entry.lower()}\) \|.*\|$", PROSE, re.M)
    said = re.search(r": ([^:]*), true ([^:]*) \|$", row).groups()
    numbers = [re.sub(r"[(),;]", "", text).replace("−", "-").replace("π", "pi") for text in said]
    printed, true = COUNTEREXAMPLES[entry]
    assert numbers == ["no product" if printed is None else printed, true]


def test_the_page_counts_what_it_lists():
    """The table of the sources gives the number of misprints of each, and sums up to 174 statements."""
    rows = re.findall(r"^\| 00(\d) \|.*\| (\d+) \| \[(\d+)\]\(#errata-00\d\) \|$", PROSE, re.M)
    listed = [sum(entry.startswith(f"S{source}-") for entry in COUNTEREXAMPLES) for source in range(5)]
    assert [int(wrong) for _, _, wrong in rows] == listed
    assert sum(int(examined) for _, examined, _ in rows) == 174


@entries
def test_other_pages_can_link_to_the_entry(entry):
    """Every entry has an anchor, and an equation that is its correction (its own, or that of the line it repeats)."""
    anchor = f"(errata-{entry.lower()})="
    assert PROSE.count(anchor) == 1
    paragraphs = re.split(r"\(errata-[\w-]+\)=", PROSE[PROSE.index(anchor) + len(anchor) :])[0]
    assert "eq-errata-" in paragraphs or entry == "S1-E32"  # a name and no equation
