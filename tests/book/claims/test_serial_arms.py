"""Sentences of the page "Serial arms", on random arms and on a balanced one."""

from dataclasses import replace

import numpy as np

import robotdyn as rd


def heavier(arm, k: int, factor: float):
    """Return the arm whose link k has `factor` times its mass and inertia."""
    links = list(arm.links)
    links[k] = replace(links[k], mass=links[k].mass * factor, inertia=links[k].inertia * factor)
    return replace(arm, links=links)


def test_what_a_link_contributes_becomes_one_percent_larger():
    """If one link is one percent heavier, what this link contributes to the torques becomes one percent larger."""
    rng = np.random.default_rng(1)
    for _ in range(60):
        n = int(rng.integers(1, 7))
        arm = rd.robots.random_arm(rng, n, list(rng.choice(["revolute", "prismatic"], n)))
        motion, k = rng.normal(size=(3, n)), int(rng.integers(n))
        tau = rd.inverse_dynamics(arm, *motion)
        contribution = tau - rd.inverse_dynamics(heavier(arm, k, 0.0), *motion)
        change = rd.inverse_dynamics(heavier(arm, k, 1.01), *motion) - tau
        assert abs(change - 0.01 * contribution).max() < 1e-9 * (1 + abs(tau).max() + abs(contribution).max())


def test_the_torque_of_a_balanced_arm_may_change_by_many_percent():
    """Of an arm that is balanced by counterweights this may be many percent of the sum."""
    arm = rd.robots.planar([0.5, 0.4], [10.0, 2.0], [-0.1, 0.0], [0.05, 0.01])  # 10 kg at -0.1 m carry 2 kg at 0.5 m
    q, qd, qdd = np.array([0.0, 0.7]), np.array([0.01, 0.02]), np.array([0.03, -0.02])
    right, off = (rd.inverse_dynamics(x, q, qd, qdd)[0] for x in (arm, heavier(arm, 1, 1.01)))
    assert abs(off - right) > abs(right)  # by more than a hundred percent


def test_the_head_is_singular_at_both_vertical_tilts_and_nowhere_else():
    """The determinant is m^2 l^2 (d^2 + l^2) c_2^2, zero at a tilt of 90 degrees, up or down, for any lengths."""
    rng = np.random.default_rng(2)
    for _ in range(40):
        m, l, d, tilt = *rng.uniform(0.1, 3, size=3), rng.uniform(-np.pi, np.pi)
        rod = rd.Link(m, (l, 0, 0), np.zeros((3, 3)), axis=(0, -1, 0), position=(0, d, 0))
        head = rd.Arm([rd.Link(0.0, (0, 0, 0), np.zeros((3, 3)), axis=(0, 0, 1)), rod])
        found = [np.linalg.det(rd.mass_matrix(head, [rng.uniform(-3, 3), a])) for a in (tilt, np.pi / 2, -np.pi / 2)]
        size = m**2 * l**2 * (d**2 + l**2)
        assert np.allclose(
            found, [size * np.cos(tilt) ** 2, 0, 0], rtol=0, atol=1e-12 * size
        )  # rounding of m, l, d below 3


def test_the_acceleration_of_one_joint_appears_in_every_row_unless_the_shape_of_the_arm_forbids_it():
    """The acceleration of joint 1 appears in every row, unless the shape of the arm forbids it: on a crane it does, and on slides at right angles."""
    rng = np.random.default_rng(5)
    mast = rd.Link(1.0, inertia=np.diag([0.5, 0.5, 1]))
    arms = [rd.Link(m, (0.5, 0, 0), axis=(0, -1, 0), position=(x, 0, 0)) for m, x in ((4.0, 0), (2.0, 1.0))]
    slides = [rd.Link(1.0, joint="prismatic", axis=axis) for axis in np.eye(3)]
    for links, coupled in (([mast, *arms], False), (slides, False), (rd.robots.random_arm(rng, 3).links, True)):
        for q in rng.normal(size=(5, 3)):
            rows = abs(rd.mass_matrix(rd.Arm(links), q)[1:, 0])
            assert (rows > 1e-9).all() if coupled else (rows < 1e-12).all()


def test_a_wrench_acts_on_joints_about_which_it_has_a_lever():
    """A wrench may act on all joints at once, and acts on none about which it has no lever: a force through the axes of a wrist."""
    rng = np.random.default_rng(6)
    puma, arm = rd.robots.puma560(), rd.robots.random_arm(rng, 6, ["revolute"] * 6)
    for q, f in zip(rng.normal(size=(10, 6)), rng.normal(size=(10, 3)), strict=True):
        felt = rd.tip_jacobian(puma, q)[:3].T @ f
        assert abs(felt[3:]).max() < 1e-12 < 1e-3 < abs(felt[:3]).max()
        assert abs(rd.tip_jacobian(arm, q)[:3].T @ f).min() > 1e-6
