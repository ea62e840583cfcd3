"""Sentences of the page "Inertia, rest and chaos": arms that move against no resistance, shoulders at ease, quiet elbows."""

import numpy as np
import pytest

import robotdyn as rd

RODS = rd.robots.uniform_two_link()


def test_an_idealized_arm_fails_in_two_ways():
    """Link 2 has no inertia about the elbow, in any pose; or link 1 none about the shoulder and link 2 is a point mass."""
    rng = np.random.default_rng(1)
    for _ in range(30):
        lengths, (heavy, light) = rng.uniform(0.3, 1, 2), rng.uniform(0.5, 2, 2)
        at = [[0, angle] for angle in np.linspace(-3, 3, 41)]
        elbow = rd.robots.planar(lengths, [heavy, light], coms=[lengths[0], 0])  # a point mass at the elbow
        assert abs(np.linalg.det(rd.mass_matrix(elbow, at))).max() < 1e-12
        point = rd.robots.planar(lengths, [0, light])
        expected = (light * lengths[0] * lengths[1] * np.sin([q[1] for q in at])) ** 2
        assert np.linalg.det(rd.mass_matrix(point, at)) == pytest.approx(expected, abs=1e-12)
        rod = rd.robots.planar(lengths, [0, light], inertias=[0, 0.01])  # link 1 weighs nothing, but link 2 is no point
        assert np.linalg.det(rd.mass_matrix(rod, at)).min() > 0
        short = rd.robots.planar([0, lengths[1]], [0, light], inertias=[0, 0.01])  # link 1 has no length: a third way
        assert abs(np.linalg.det(rd.mass_matrix(short, at))).max() < 1e-12


def test_a_shoulder_is_at_ease_with_any_upper_arm_that_is_steep_enough():
    """The shoulder is at ease when c_12 = -3 c_1, with a c_1 between -1/3 and 1/3; the forearm is vertical only if the upper arm is."""
    for lean in np.linspace(-1 / 3, 1 / 3, 20):  # no zero among them
        for side in (1, -1):
            q_1 = np.arccos(lean)
            both = side * np.arccos(-3 * lean)
            assert abs(rd.gravity_torque(RODS, [q_1, both - q_1])[0]) < 1e-12
            assert abs(np.cos(both)) > 1e-3
    flat = [rd.gravity_torque(RODS, [q_1, q_2])[0] for q_1 in (0.0, 1.2) for q_2 in np.linspace(-3, 3, 61)]
    assert min(np.abs(flat)) > 0.1  # a less steep upper arm has none


@pytest.mark.parametrize("side", [1, -1])
def test_the_quiet_elbow_opens_on_either_side(side):
    """The elbow does not react at 131.8 degrees, bent to either side, and opens a moment later."""
    table = rd.robots.uniform_two_link(gravity=0)
    quiet = [0, side * np.arccos(-2 / 3)]
    assert abs(rd.forward_dynamics(table, quiet, [0, 0], [1, 0])[1]) < 1e-12
    run = rd.simulate(table, quiet, [0, 0], [1.0, 0.0], np.arange(0, 0.5, 0.01))
    assert (np.diff(side * run.q[:, 1])[1:] < 0).all()


def equilibria(arm):
    """Return how many poses of a grid of 10 degrees need no torque."""
    side = np.radians(np.arange(-180, 180, 10))
    poses = np.stack(np.meshgrid(side, side, indexing="ij"), axis=-1).reshape(-1, 2)
    return int((abs(rd.gravity_torque(arm, poses)).max(axis=1) < 1e-9).sum())


def test_four_equilibria_without_counterweights():
    """If neither first moment is zero each link points up or down: four equilibria; with a balanced or massless link there are more."""
    rng = np.random.default_rng(38)
    for _ in range(5):
        l, m = rng.uniform(0.3, 1, 2), rng.uniform(0.3, 2, 2)
        assert equilibria(rd.robots.planar(l, m, rng.uniform(0.1, 1, 2) * l)) == 4
    assert equilibria(rd.robots.planar([1, 1], [1, 0])) == 2 * 36  # a massless forearm
    assert equilibria(rd.robots.two_link((1, 1), (2, 1), (-0.9, -0.3), (0.1, 0.1))) == 4  # counterweights, but heavier
    assert equilibria(rd.robots.two_link((1, 1), (2, 1), (0.5, 0), (0.1, 0.1))) == 2 * 36  # a balanced forearm
    assert equilibria(rd.robots.two_link((1, 1), (2, 1), (-0.5, 0.3), (0.1, 0.1))) == 36 * 2  # a balanced upper arm
    assert equilibria(rd.robots.two_link((1, 1), (2, 1), (-0.5, 0), (0.1, 0.1))) == 36**2
