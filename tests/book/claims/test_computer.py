"""Sentences of the page "How a computer sees the equations", on random arms and on named ones."""

import numpy as np
import pytest

import robotdyn as rd


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
