"""Sentences of the page "An arm that floats": what the generalized Jacobian depends on, and where it is singular."""

import itertools
from functools import partial

import numpy as np
import pytest
from scipy.optimize import brentq

import robotdyn as rd

LENGTHS, MASSES = (0.6, 0.6), (2.5, 2.5)
BENCH = rd.robots.two_link(LENGTHS, MASSES, (0.3, 0.3), (2.5 * 0.6**2 / 12,) * 2)


def generalized_jacobian(base_mass: float, q: np.ndarray, offset: float = 0.3) -> np.ndarray:
    """Return the matrix (2, 2) that takes the rates of the two joints to the velocity of the tip, without momentum.

    offset: from the center of the body to the shoulder, in m.
    """
    hub = rd.bodies.cylinder(base_mass, 0.3, 0.4).at((-offset, 0, 0))
    arm = rd.floating(BENCH, hub, plane=True)
    pose = np.concatenate([np.zeros(3), q])
    A = rd.momentum_matrix(arm, pose)[[0, 1, 5]]
    base = -np.linalg.solve(A[:, :3], A[:, 3:])  # what the conservation of momentum demands of the base
    J = rd.tip_jacobian(arm, pose)[:2]
    return J[:, 3:] + J[:, :3] @ base


@pytest.mark.parametrize("seed", range(10))
def test_it_is_the_velocity_of_the_tip_without_momentum(seed):
    """Its velocity in space is what the joints give it, plus what the moving base adds; the sum is a matrix times the rates."""
    q, rates = np.random.default_rng(seed).normal(size=(2, 2))
    arm = rd.floating(BENCH, rd.bodies.cylinder(20.0, 0.3, 0.4).at((-0.3, 0, 0)), plane=True)
    torques = np.concatenate([np.zeros(3), rates])  # from rest, for a moment: no force on the base, so no momentum
    pose = np.concatenate([np.zeros(3), q])
    qdd = rd.forward_dynamics(arm, pose, np.zeros(5), torques)
    tip = rd.point_acceleration(arm, pose, np.zeros(5), qdd)[:2]
    assert generalized_jacobian(20.0, q) @ qdd[3:] == pytest.approx(tip, abs=1e-10)


def test_it_depends_on_the_masses_and_tends_to_that_of_the_bench():
    """Unlike the Jacobian of an arm on a bench it depends on the masses."""
    q = np.array([0.4, 0.9])
    on_bench = rd.tip_jacobian(BENCH, q)[:2]
    gaps = [abs(generalized_jacobian(mass, q) - on_bench).max() for mass in (20, 200, 2e7)]
    assert gaps[0] > 0.1
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 1e-5


def test_it_is_singular_where_that_of_the_bench_is_not():
    """It may be singular where that one is not."""
    determinant = lambda first, second: np.linalg.det(generalized_jacobian(2.0, np.array([first, second])))
    bends = np.linspace(0.05, np.pi - 0.05, 100)
    poses = []
    for first in np.linspace(-np.pi, np.pi, 25):
        values = np.array([determinant(first, bend) for bend in bends])
        for k in np.flatnonzero(values[1:] * values[:-1] < 0):
            poses.append((first, brentq(partial(determinant, first), bends[k], bends[k + 1])))
    assert poses
    for pose in poses:
        assert abs(determinant(*pose)) < 1e-10
        assert abs(np.linalg.det(rd.tip_jacobian(BENCH, np.array(pose))[:2])) > 0.01


@pytest.mark.parametrize("seed", range(5))
def test_with_one_joint_the_momentum_can_be_integrated_and_with_two_it_cannot(seed):
    """Here b_1 depends on q_2 and b_2 does not depend on q_1, and a loop leaves a turn; with one joint none is left."""
    rng = np.random.default_rng(seed)
    hub = rd.bodies.cylinder(rng.uniform(5, 40), rng.uniform(0.2, 0.5), 0.4)
    arm = rd.floating(rd.robots.two_link(rng.uniform(0.3, 1, 2), rng.uniform(1, 5, 2)), hub, plane=True)
    s = np.linspace(0, 2 * np.pi, 401)
    joints = rng.uniform(-1, 1, 2) + np.stack([np.cos(s), np.sin(s)], axis=1)

    def left(joints):
        turned = 0.0
        for before, after in itertools.pairwise(joints):
            A = rd.momentum_matrix(arm, [0, 0, 0, *(before + after) / 2])[[0, 1, 5]]
            turned -= np.linalg.solve(A[:, :3], A[:, 3:])[2] @ (after - before)
        return turned

    assert abs(left(joints)) > 0.05
    alone = joints.copy()
    alone[:, 1] = 0.7  # the elbow is held
    assert abs(left(alone)) < 1e-9


def planar_arm(lengths, masses, centers, body_mass, body_inertia) -> rd.Arm:
    """Return a floating two-link arm whose shoulder sits at the center of its body."""
    inertias = [mass * length**2 / 12 for mass, length in zip(masses, lengths)]
    body = rd.Body(body_mass, (0, 0, 0), np.diag([body_inertia / 2, body_inertia / 2, body_inertia]))
    return rd.floating(rd.robots.two_link(lengths, masses, centers, inertias), body, plane=True)


def shares(arm: rd.Arm, elbow: float) -> np.ndarray:
    """Return b_1 and b_2, by how much the body turns for a unit of each joint."""
    A = rd.momentum_matrix(arm, [0, 0, 0, 0.4, elbow])[[0, 1, 5]]
    return -np.linalg.solve(A[:, :3], A[:, 3:])[2]


@pytest.mark.parametrize("seed", range(20))
def test_no_loop_turns_the_body_in_two_families_of_arms_and_in_no_other(seed):
    """It vanishes in two cases: c_2 is zero, or the elbow is at the center of mass of body and upper arm together."""
    rng = np.random.default_rng(seed)
    lengths, masses, body_mass, body_inertia = *rng.uniform(0.3, 2, (2, 2)), *rng.uniform(0.5, 20, 2)
    centers = rng.uniform(0.1, 0.9, 2) * lengths
    families = {
        "balanced on the elbow": (centers[0], 0.0),
        "turns about the rest's center": (lengths[0] * (body_mass + masses[0]) / masses[0], centers[1]),
    }
    for choice in families.values():
        arm = planar_arm(lengths, masses, choice, body_mass, body_inertia)
        assert np.ptp([shares(arm, elbow)[0] for elbow in np.linspace(0, 3, 7)]) < 1e-10
    arm = planar_arm(lengths, masses, centers, body_mass, body_inertia)
    assert np.ptp([shares(arm, elbow)[0] for elbow in np.linspace(0, 3, 7)]) > 1e-4


@pytest.mark.parametrize("seed", range(20))
def test_with_the_shoulder_at_the_center_it_is_singular_where_the_bench_is(seed):
    """The determinant is alpha_1 alpha_2 sin(q_2) I_0 / (I_0 + J): singular stretched and folded, as on the bench, but nowhere else."""
    rng = np.random.default_rng(seed)
    lengths, masses, body_mass, body_inertia = *rng.uniform(0.3, 2, (2, 2)), *rng.uniform(0.5, 20, 2)
    centers = rng.uniform(0.1, 0.9, 2) * lengths
    arm = planar_arm(lengths, masses, centers, body_mass, body_inertia)
    total = body_mass + masses.sum()
    upper = lengths[0] - (masses[0] * centers[0] + masses[1] * lengths[0]) / total
    fore = lengths[1] - masses[1] * centers[1] / total
    for elbow in (0.0, *rng.uniform(-3, 3, 5), np.pi):
        pose = [0, 0, 0, rng.normal(), elbow]
        A, J = rd.momentum_matrix(arm, pose)[[0, 1, 5]], rd.tip_jacobian(arm, pose)[:2]
        jacobian = J[:, 3:] - J[:, :3] @ np.linalg.solve(A[:, :3], A[:, 3:])
        by_hand = upper * fore * np.sin(elbow) * (1 + shares(arm, elbow)[0])
        assert np.linalg.det(jacobian) == pytest.approx(by_hand, abs=1e-12)
        assert 1 + shares(arm, elbow)[0] > 0


def test_a_law_of_rates_is_one_of_angles_if_the_mixed_derivatives_agree():
    """Were b_1 and b_2 the derivatives of one function, the derivative of b_1 by q_2 would equal that of b_2 by q_1."""
    rng = np.random.default_rng(4)
    s = np.linspace(0, 2 * np.pi, 4001)
    for _ in range(20):
        center, radius, (a, b) = rng.normal(size=2), rng.uniform(0.1, 2), rng.normal(size=2)
        q1, q2 = center[:, None] + radius * np.array([np.cos(s), np.sin(s)])
        for slope in (a, b):  # b_1 = a q_2 and b_2 = slope q_1: each depends on the other joint
            gain = np.trapezoid(a * q2, q1) + np.trapezoid(slope * q1, q2)
            assert gain == pytest.approx((slope - a) * np.pi * radius**2, abs=1e-4)


def test_massless_parts_are_families_of_their_own():
    """With masses other than zero and a body that has an inertia there are two families; b_1 is constant without either, too."""
    rng = np.random.default_rng(9)
    for _ in range(10):
        lengths, masses, body_mass, body_inertia = *rng.uniform(0.3, 2, (2, 2)), *rng.uniform(0.5, 20, 2)
        centers = rng.uniform(0.1, 0.9, 2) * lengths
        for changed, constant in (
            ((masses, body_inertia), False),
            ((masses * [1, 0], body_inertia), True),
            ((masses, 0.0), True),  # the body is a point, and b_1 is -1 though J varies
        ):
            arm = planar_arm(lengths, changed[0], centers, body_mass, changed[1])
            spread = np.ptp([shares(arm, elbow)[0] for elbow in np.linspace(0, 3, 7)])
            assert (spread < 1e-10) == constant


def test_a_closed_loop_in_general_leaves_a_turn_and_a_balanced_forearm_leaves_none():
    """With two joints a closed loop in general leaves a turn; one that goes back on its way, or with a balanced forearm, leaves none."""
    side = np.linspace(0, 1, 101)[:, None]
    corners = np.array([(0, 0), (1.5, 0), (1.5, 3), (0, 3), (0, 0)])
    square = np.vstack([a + side * (b - a) for a, b in itertools.pairwise(corners)])
    back = np.vstack([square[:150], square[149::-1]])
    for center, path, turns in ((0.3, square, True), (0.3, back, False), (0.0, square, False)):
        arm = planar_arm(np.array([0.6, 0.6]), np.array([2.5, 2.5]), np.array([0.3, center]), 20.0, 0.9)
        left = sum(shares(arm, (a + b)[1] / 2) @ (b - a) for a, b in itertools.pairwise(path))
        assert (abs(left) > 0.1) == turns


def test_the_body_turns_against_the_shoulder_and_along_with_a_nearly_folded_elbow():
    """The body turns against a swing of the shoulder, whatever the elbow; a nearly folded elbow may turn it along, a straight one never does."""
    rng = np.random.default_rng(10)
    along = 0
    for _ in range(30):
        lengths, masses, body_mass, body_inertia = *rng.uniform(0.3, 2, (2, 2)), *rng.uniform(0.5, 20, 2)
        arm = planar_arm(lengths, masses, lengths / 2, body_mass, body_inertia)
        turns = np.array([shares(arm, elbow) for elbow in (0.0, 1.0, 2.0, 3.0, np.pi)])
        assert (turns[:, 0] < 0).all()
        assert turns[0, 1] < 0
        along += turns[-1, 1] > 0
    assert 5 < along <= 30
