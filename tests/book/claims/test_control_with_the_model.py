"""Sentences of the page "Control with the model", tried with gains at and near the boundary."""

import numpy as np
import pytest
from scipy.optimize import brentq

import robotdyn as rd

WEIGHT = 4.905  # N m, of the forearm when it is level


def rests(k_p):
    """Return all x, from 0 up, with k_p x = m g l_c sin x: the poses of rest above the upright one, in rad."""
    f = lambda x: k_p * x - WEIGHT * np.sin(x)
    grid = np.linspace(1e-3, 40, 400_001)
    signs = np.sign(f(grid))
    return [brentq(f, grid[i], grid[i + 1]) for i in np.flatnonzero(signs[:-1] * signs[1:] < 0)]


def test_the_only_pose_of_rest():
    """For k_p >= m g l_c the goal is the only pose of rest, for k_p = m g l_c, too."""
    for factor in (1.0, 1.0 + 1e-9, 1.2, 3.0, 100.0):
        assert rests(factor * WEIGHT) == []
    for factor in (0.9999, 0.9, 3 / 4.905, 0.3):
        assert rests(factor * WEIGHT)
    assert rests(3.0) == [pytest.approx(1.63, abs=0.005)]


def test_the_goal_attracts_at_the_boundary():
    """At k_p = m g l_c, at which the goal is still the only pose of rest, the rod comes to it, if slowly."""
    forearm = rd.robots.planar([0.5], [2.0], coms=[0.25], inertias=[2 * 0.5**2 / 12])
    for start in (0.3, 1.0, 3.0):
        law = rd.control.pd(forearm, 9.81 * 2 * 0.25, 1.0, [np.pi / 2], gravity="goal")
        run = rd.simulate(forearm, [start], [0], law, np.arange(0, 40, 0.02))
        off = abs(run.q[:, 0] - np.pi / 2)
        assert off[-1] < 0.4 < off[0]
        assert np.all(np.diff(off[::500]) < 0)


def test_a_mass_matrix_without_inverse():
    """M has an inverse on every arm on which each motion of the joints moves some mass; on others it has none."""
    rng = np.random.default_rng(35)
    for _ in range(20):
        n = rng.integers(1, 5)
        arm = rd.robots.planar(rng.uniform(0.2, 1, n), 10 ** rng.uniform(-1, 1, n))
        assert np.linalg.eigvalsh(rd.mass_matrix(arm, rng.uniform(-3, 3, n))).min() > 0
    rods = rd.robots.planar([1.0, 1.0], [1.0, 1.0], coms=[1.0, 0.0])  # the mass of the second stands in its joint
    assert np.linalg.eigvalsh(rd.mass_matrix(rods, [0.3, 0.7])).min() == pytest.approx(0, abs=1e-12)
