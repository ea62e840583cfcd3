"""Arms that float: momentum is that of the links, changes by outer forces alone, and the base moves as it must."""

import numpy as np
import pytest
import sympy as sp
from arms import MIXES, arm_and_state

import robotdyn as rd
from robotdyn.laws import slope

rng = np.random.default_rng(8)
BODY = rd.bodies.box(5.0, (0.4, 0.3, 0.5)).at((0.1, -0.05, 0.2))
ARM = rd.robots.two_link((0.5, 0.4), (1.5, 1.0), (0.3, (0.2, 0.05)), (0.04, 0.02))


@pytest.mark.parametrize("mix", MIXES[::3])
def test_momentum_is_that_of_the_links(mix):
    """p = sum m v of the links, L = sum (R I omega + (c - middle) x m v): each link as one body, by `rd.rigid_body`."""
    arm, q, qd, *_ = arm_and_state(mix)
    R, o = rd.link_poses(arm, q)
    middle = rd.center_of_mass(arm, q)
    total = np.zeros(6)
    for i, link in enumerate(arm.links):
        v, omega = (rd.point_jacobian(arm, q, i, (0, 0, 0)) @ qd).reshape(2, 3)
        point = R[i].T @ (middle - o[i])
        at_middle = R[i].T @ (v + np.cross(omega, middle - o[i]))
        p, L = rd.rigid_body.momentum(
            rd.Body(link.mass, link.com, link.inertia), R[i].T @ omega, at_middle, point
        ).reshape(2, 3)
        total += [*(R[i] @ p), *(R[i] @ L)]
    assert np.allclose(rd.momentum_matrix(arm, q) @ qd, total, atol=1e-12)


@pytest.mark.parametrize("mix", ["rr", "prp", "rprprp"])
def test_the_center_of_mass_moves_with_the_momentum(mix):
    """p is the mass of all times the velocity of their center of mass."""
    arm, q, qd, *_ = arm_and_state(mix)
    velocity = slope(lambda t: rd.center_of_mass(arm, q + t * qd), 0)
    mass = sum(link.mass for link in arm.links)
    assert np.allclose((rd.momentum_matrix(arm, q) @ qd)[:3], mass * velocity, atol=1e-9)


@pytest.mark.parametrize("plane", [True, False])
def test_motors_do_not_change_the_momentum(plane):
    """Torques between the links change nothing, gravity adds its force; what holds a motion in the plane turns it out of z."""
    arm = rd.floating(ARM, BODY, plane, gravity=(0, -2, 0))
    free = arm.n - 2
    motors = lambda t, q, qd: [*np.zeros(free), np.sin(3 * t), 0.5 * np.cos(5 * t)]
    q, qd = 0.3 * rng.normal(size=(2, arm.n))
    t = np.linspace(0, 2, 21)
    motion = rd.simulate(arm, q, qd, motors, t, method="solve_ivp")
    momentum = np.einsum("tij,tj->ti", rd.momentum_matrix(arm, motion.q), motion.qd)
    mass = sum(link.mass for link in arm.links)
    momentum[:, 1] += 2 * mass * t
    momentum = momentum[:, [0, 1, 5]] if plane else momentum
    assert np.ptp(motion.q[:, -2:], axis=0).min() > 0.1  # the joints do move
    assert abs(momentum - momentum[0]).max() < 1e-7 * abs(momentum).max()


def test_the_mass_matrix_of_the_base_is_the_momentum():
    """The first rows of M qd are p, and L about the origin of the body: what a free body's coordinates are dual to."""
    arm = rd.floating(ARM, BODY, plane=True)
    q, qd = rng.normal(size=(2, 5))
    p, L = (rd.momentum_matrix(arm, q) @ qd).reshape(2, 3)
    about_origin = L + np.cross(rd.center_of_mass(arm, q) - [q[0], q[1], 0], p)
    assert np.allclose((rd.mass_matrix(arm, q) @ qd)[:3], [p[0], p[1], about_origin[2]], atol=1e-12)


def test_a_body_without_an_arm_moves_as_a_free_body():
    """In space, with hardly any mass on the arm: the acceleration is that of Newton and Euler."""
    light = rd.Arm([rd.Link(1e-9, inertia=1e-9 * np.eye(3))])
    arm = rd.floating(light, BODY)
    q, qd = 0.4 * rng.normal(size=(2, 7))
    qdd = rd.forward_dynamics(arm, q, qd, np.zeros(7))
    found = rd.point_acceleration(arm, q, qd, qdd, 5, BODY.com)
    R = rd.link_poses(arm, q)[0][5]
    omega = R.T @ (rd.point_jacobian(arm, q, 5) @ qd)[3:]
    alpha = rd.rigid_body.acceleration(BODY, omega, (0, 0, 0), (0, 0, 0), BODY.com)[3:]
    assert np.allclose(found, [0, 0, 0, *(R @ alpha)], atol=1e-6)


def test_symbols_and_batches():
    """A formula of one text, and states in a batch."""
    arm, q = rd.floating(ARM, BODY, plane=True), rng.normal(size=(4, 5))
    letters = sp.symbols("q1:6", real=True)
    formula = rd.momentum_matrix(arm, letters)
    for k in range(4):
        assert np.allclose(rd.momentum_matrix(arm, q)[k], rd.momentum_matrix(arm, q[k]))
        assert np.allclose(rd.center_of_mass(arm, q)[k], rd.center_of_mass(arm, q[k]))
    values = dict(zip(letters, q[0]))
    assert np.allclose(np.array(formula.subs(values), dtype=float), rd.momentum_matrix(arm, q[0]))


@pytest.mark.parametrize("mix", ["rrpr", "rrrrrr"])
def test_pinocchio(mix):
    """The centroidal momentum matrix of Pinocchio."""
    from peer_models import pinocchio_model

    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    arm, q, qd, *_ = arm_and_state(mix)
    model = pinocchio_model(pin, arm)
    data = model.createData()
    assert np.allclose(rd.momentum_matrix(arm, q), pin.ccrba(model, data, q, qd), atol=1e-10)
    assert np.allclose(rd.center_of_mass(arm, q), pin.centerOfMass(model, data, q), atol=1e-12)


@pytest.mark.parametrize("algorithm", [rd.center_of_mass, rd.momentum_matrix])
def test_masses_may_stay_free(algorithm):
    """A program whose masses are told later is that of the arm with these masses."""
    arm, q = rd.robots.two_link(), [0.3, 0.8]
    fast = rd.specialize(algorithm, arm, free="mass")
    assert np.allclose(
        fast(q, mass=[2.0, 3.0]), algorithm(rd.robots.two_link(masses=(2.0, 3.0), inertias=(1 / 12, 1 / 12)), q)
    )
