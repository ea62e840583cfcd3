"""Sentences of the page "How a computer sees the equations", on random arms and on named ones."""

from functools import partial

import nbformat
import numpy as np
import pytest

import robotdyn as rd
from bookbuild import lint


def ratio(arm) -> float:
    """Return the operations of the gradient of the kinetic energy, backward, beside those of the energy."""
    energy = rd.trace(rd.kinetic_energy, arm)
    return energy.gradient("q").operations / energy.operations


def test_a_gradient_costs_about_two_energies_of_a_planar_chain():
    """Backward, the gradient takes about twice the operations of the energy itself, however many angles there are."""
    rng = np.random.default_rng(1)
    for n in (2, 3, 5, 9, 16, 24):
        chain = rd.robots.planar(*rng.uniform(0.2, 1, (4, n)))
        assert ratio(chain) == pytest.approx(1.9, abs=0.3)


def test_a_gradient_costs_a_little_more_in_space():
    """For arms in space the ratio is a little larger, and does not grow with the number of joints."""
    rng = np.random.default_rng(2)
    for n in (3, 6, 9, 12):
        assert 2 < ratio(rd.robots.random_arm(rng, n, ["revolute"] * n)) < 2.8
    for name in ("gen3", "iiwa14", "panda", "puma560", "ur5e"):
        assert 2 < ratio(getattr(rd.robots, name)()) < 2.8


def random_program(rng, inputs: int, lines: int):
    """Return a function of q whose lines are sums, differences, products, changes of sign, sines and cosines of recent ones."""
    plan = [(int(rng.integers(6)), *(int(x) for x in rng.integers(1, 6, 2))) for _ in range(lines)]

    def program(q):
        y = list(q)
        for kind, i, j in plan:
            a, b = y[-min(i, len(y))], y[-min(j, len(y))]
            y.append((a + b, a - b, a * b, -a, np.sin(a), np.cos(a))[kind])
        return y[-1]

    return rd.trace(program, inputs={"q": inputs})


def together(value, gradient, q) -> np.ndarray:
    """Return a value and its gradient in one array."""
    return np.array([value(q), *gradient(q)])


def test_a_value_and_its_gradient_take_at_most_four_times_the_lines():
    """At most 4 K operations together, however many inputs there are; a chain of products takes 3.8 K."""
    rng, most = np.random.default_rng(4), 0.0
    for _ in range(60):
        inputs = int(rng.integers(1, 12))
        value = random_program(rng, inputs, int(rng.integers(2, 60)))
        gradient = value.gradient("q")
        both = rd.trace(partial(together, value, gradient), inputs={"q": inputs})
        assert both.operations <= 4 * value.operations
        most = max(most, both.operations / max(value.operations, 1))
    assert most > 2


def test_one_angle_has_no_gradient_to_pay():
    """Backward, the gradient takes about twice the operations, however many angles there are, from two on: with one joint the kinetic
    energy does not depend on its angle, nor with counterweights on any."""
    rng = np.random.default_rng(5)
    for one in (rd.robots.planar(*rng.uniform(0.2, 1, (4, 1))), rd.robots.planar(1)):
        assert rd.trace(rd.kinetic_energy, one).gradient("q").operations == 0
    balanced = rd.robots.two_link((1, 1), (2, 1), (-0.5, 0), (0.1, 0.1))
    slopes = rd.trace(rd.kinetic_energy, balanced).gradient("q")
    assert abs(np.array(slopes(*rng.normal(size=(2, 2))), dtype=float)).max() < 1e-15


def test_without_rules_the_kinds_of_joints_decide():
    """Without rules the cost depends only on how many joints turn and how many slide."""
    nb = nbformat.read(lint.ROOT / "book" / "computer.ipynb", as_version=4)
    names = {"np": np, "rd": rd}
    for cell in nb.cells:
        if cell.cell_type == "code" and "class Tape" in cell.source:
            begin = nb.cells.index(cell)
    for cell in nb.cells[begin : begin + 7]:
        if cell.cell_type == "code":
            exec(cell.source, names)
    rng, found = np.random.default_rng(6), {}
    for kinds in ("rrr", "rrr", "rrp", "prr", "rpr", "ppr", "pp", "rr"):
        arm = rd.robots.random_arm(rng, len(kinds), [{"r": "revolute", "p": "prismatic"}[x] for x in kinds])
        found.setdefault("".join(sorted(kinds)), set()).add(names["tape_length"](arm, set()))
    assert all(len(counts) == 1 for counts in found.values())
    assert found["rrr"] != found["prr"] != found["ppr"]
    assert found["rr"] != found["pp"]
