"""The laws of physics, over random 3-D arms, for every algorithm of the library that claims them."""

import dataclasses

import numpy as np
import pytest
from arms import MIXES, arm_and_state, nearly_singular_arm

import robotdyn as rd
from robotdyn import laws as relations
from robotdyn.dynamics.recursive import solve
from robotdyn.laws import TIGHT

pytestmark = pytest.mark.parametrize("mix", MIXES)


def test_symmetry(mix):
    """M(q) is symmetric."""
    arm, q, *_ = arm_and_state(mix)
    assert relations.symmetry(rd.mass_matrix, arm, q) < TIGHT


def test_definiteness(mix):
    """No motion has negative kinetic energy."""
    arm, q, *_ = arm_and_state(mix)
    assert relations.definiteness(rd.mass_matrix, arm, q) < TIGHT


def test_energy_of_motion(mix):
    """1/2 qd . M qd is the kinetic energy summed over the bodies."""
    arm, q, qd, *_ = arm_and_state(mix)
    assert relations.energy_of_motion(rd.mass_matrix, arm, q, qd) < TIGHT


def test_gravity_is_gradient(mix):
    """g(q) is the gradient of the potential energy."""
    arm, q, *_ = arm_and_state(mix)
    assert relations.gravity_is_gradient(rd.gravity_torque, arm, q) < TIGHT


def test_power_flow(mix):
    """d(T + U)/dt equals tau . qd."""
    arm, q, qd, qdd, _ = arm_and_state(mix)
    assert relations.power_balance(rd.inverse_dynamics, arm, q, qd, qdd) < TIGHT


def test_skew_symmetry(mix):
    """dM/dt - 2 C is skew."""
    arm, q, qd, *_ = arm_and_state(mix)
    assert relations.skew_symmetry(rd.coriolis_matrix, rd.mass_matrix, arm, q, qd) < TIGHT


def test_velocity_torque(mix):
    """The velocity terms follow from the derivatives of M."""
    arm, q, qd, *_ = arm_and_state(mix)
    assert relations.velocity_torque(rd.bias_torque, rd.mass_matrix, arm, q, qd) < TIGHT


def test_coriolis_product(mix):
    """C qd is the part of the torque that is quadratic in the speed."""
    arm, q, qd, *_ = arm_and_state(mix)
    assert relations.coriolis_product(rd.coriolis_matrix, rd.inverse_dynamics, arm, q, qd) < TIGHT


def test_inverse_of_forward(mix):
    """The torque of the acceleration of a torque is that torque."""
    arm, q, qd, tau, _ = arm_and_state(mix)
    assert relations.inverse_of_forward(rd.forward_dynamics, rd.inverse_dynamics, arm, q, qd, tau) < TIGHT


def test_forward_dynamics_solves_the_equation_of_motion(mix):
    """M qdd + C qd + g = tau, with M and the bias from other algorithms, to 1e-12."""
    arm, q, qd, tau, _ = arm_and_state(mix)
    qdd = np.linalg.solve(rd.mass_matrix(arm, q), tau - rd.bias_torque(arm, q, qd))
    found = rd.forward_dynamics(arm, q, qd, tau)
    assert abs(found - qdd).max() < 1e-12 * max(1, abs(qdd).max()) * np.linalg.cond(rd.mass_matrix(arm, q))


def test_equation_of_motion(mix):
    """tau = M qdd + C qd + g, to 1e-12."""
    arm, q, qd, qdd, _ = arm_and_state(mix)
    found = relations.equation_of_motion(rd.mass_matrix, rd.bias_torque, rd.inverse_dynamics, arm, q, qd, qdd)
    assert found < 1e-12


def test_jacobian_is_derivative(mix):
    """The linear rows of J qd are the velocity of the tip."""
    arm, q, qd, *_ = arm_and_state(mix)
    assert relations.jacobian_is_derivative(rd.tip_jacobian, arm, q, qd) < TIGHT


def test_angular_jacobian(mix):
    """The angular rows of J qd are the angular velocity: skew(omega) = dR/dt R^T."""
    arm, q, qd, *_ = arm_and_state(mix)
    rate = relations.slope(lambda s: rd.link_poses(arm, q + qd * s)[0][-1], 0.0) @ rd.link_poses(arm, q)[0][-1].T
    omega = (rd.tip_jacobian(arm, q) @ qd)[3:]
    assert abs(rate - np.cross(np.eye(3), omega)).max() < 1e-9 * (1 + abs(omega).max())


def test_acceleration_is_derivative(mix):
    """The acceleration of any point of any link is the rate of J qd, along a motion with these qd and qdd."""
    arm, q, qd, qdd, w = arm_and_state(mix)
    assert relations.acceleration_is_derivative(rd.point_acceleration, arm, q, qd, qdd) < TIGHT
    velocity = lambda t: rd.point_jacobian(arm, q + qd * t + qdd * t**2 / 2, link, w[:3]) @ (qd + qdd * t)
    for link in range(arm.n):
        found = rd.point_acceleration(arm, q, qd, qdd, link, w[:3])
        assert abs(found - relations.slope(velocity, 0.0)).max() < 1e-8 * (1 + abs(found).max())


def test_tip_wrench_in_inverse_dynamics(mix):
    """A tip wrench w on the robot takes J^T w off the joints."""
    arm, q, qd, qdd, w = arm_and_state(mix)
    assert relations.wrench_does_virtual_work(rd.inverse_dynamics, arm, q, qd, qdd, w) < TIGHT


def test_tip_wrench_in_forward_dynamics(mix):
    """A tip wrench acts as the joint torque J^T w."""
    arm, q, qd, tau, w = arm_and_state(mix)
    pushed = rd.forward_dynamics(arm, q, qd, tau, w)
    torqued = rd.forward_dynamics(arm, q, qd, tau + rd.tip_jacobian(arm, q).T @ w)
    assert abs(pushed - torqued).max() < 1e-11 * (1 + abs(torqued).max())


def test_galilei(mix):
    """Gravity acts like a base that accelerates the other way: with g = 0 and no motion no torque is left."""
    arm, q, *_ = arm_and_state(mix)
    floating = rd.Arm(arm.links, gravity=(0, 0, 0))
    assert abs(rd.gravity_torque(floating, q)).max() == 0
    doubled = rd.Arm(arm.links, gravity=2 * arm.gravity)
    assert np.allclose(rd.gravity_torque(doubled, q), 2 * rd.gravity_torque(arm, q), rtol=1e-12, atol=1e-12)


def test_turned_world(mix):
    """Turning the whole world, gravity and base together, changes no torque."""
    arm, q, qd, qdd, _ = arm_and_state(mix)
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    turn = turn * np.sign(np.linalg.det(turn))
    first = arm.links[0]
    turned = dataclasses.replace(first, position=turn @ first.position, rotation=turn @ first.rotation)
    world = rd.Arm((turned, *arm.links[1:]), gravity=turn @ arm.gravity)
    expected = rd.inverse_dynamics(arm, q, qd, qdd)
    assert np.allclose(rd.inverse_dynamics(world, q, qd, qdd), expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("unit", [1e-20, 1e20])
def test_units_of_mass(mix, unit):
    """Masses and torques of any size, a grain's or a planet's: one acceleration, of a state, of a batch, and from M."""
    arm, q, qd, tau, w = arm_and_state(mix)
    links = [dataclasses.replace(x, mass=unit * x.mass, inertia=unit * x.inertia) for x in arm.links]
    same = rd.Arm(links, arm.gravity, arm.tip)
    expected = rd.forward_dynamics(arm, q, qd, tau, w)
    rounding = 1e-12 * max(1, abs(expected).max()) * np.linalg.cond(rd.mass_matrix(arm, q))
    assert abs(rd.forward_dynamics(same, q, qd, unit * tau, unit * w) - expected).max() < rounding
    batch = rd.forward_dynamics(same, np.stack([q, q]), qd, unit * tau, unit * w)
    assert abs(batch - expected).max() < rounding
    left = unit * (tau + rd.tip_jacobian(arm, q).T @ w) - rd.bias_torque(same, q, qd)
    assert abs(solve(rd.mass_matrix(same, q), left) - expected).max() < rounding


def test_nearly_singular(mix):
    """The laws also hold where M is close to singular (the state is that of `mix`, cut to three joints)."""
    arm = nearly_singular_arm()
    q, qd, tau = np.resize(arm_and_state(mix)[1], 3), np.resize(arm_and_state(mix)[2], 3), np.ones(3) * 1e-6
    assert relations.power_balance(rd.inverse_dynamics, arm, q, qd, tau) < TIGHT
    assert relations.inverse_of_forward(rd.forward_dynamics, rd.inverse_dynamics, arm, q, qd, tau) < 1e-6
    assert relations.skew_symmetry(rd.coriolis_matrix, rd.mass_matrix, arm, q, qd) < TIGHT
