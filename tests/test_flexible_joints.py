"""Joints that bend: Spong's two sets of equations, the same as one longer arm; a stiff spring is a rigid joint."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from arms import arm_and_state

import robotdyn as rd
from robotdyn import flexible, forces

RNG = np.random.default_rng(3)


def with_motors(arm, rotors):
    """The arm with a rotor at each joint."""
    return replace(arm, links=[replace(link, motor_inertia=rotor) for link, rotor in zip(arm.links, rotors)])


@pytest.mark.parametrize("mix", ["r", "rp", "srr", "rrpr"])
def test_a_doubled_arm_has_the_equations_of_links_and_motors(mix):
    """Two parts of each joint, one after another, accelerate as links and motors do on the two sides of a spring."""
    arm, q, qd, tau, _ = arm_and_state(mix)
    arm = with_motors(arm, RNG.uniform(0.1, 2, arm.n))
    theta, theta_d = RNG.normal(size=(2, arm.n))
    k, b = RNG.uniform(1, 5, (2, arm.n))
    links, motors = flexible.accelerations(arm, k, q, qd, theta, theta_d, tau, b)
    x, xd = flexible.coordinates(q, theta), flexible.coordinates(qd, theta_d)
    efforts = flexible.joint_springs(k, b)(0.0, x, xd) + flexible.coordinates(tau, tau)
    longer = flexible.split(rd.forward_dynamics(flexible.doubled(arm), x, xd, efforts))
    assert np.allclose(longer, [links, motors], rtol=1e-9, atol=1e-9 * abs(links).max())
    assert np.allclose(flexible.split(x), [q, theta])
    assert rd.kinetic_energy(flexible.doubled(arm), x, xd) == pytest.approx(
        sum(link.motor_inertia * rate**2 for link, rate in zip(arm.links, theta_d)) / 2
        + rd.kinetic_energy(with_motors(arm, [0] * arm.n), q, qd)
    )


def test_energy_of_a_flexible_arm_is_kept():
    """T + U + 1/2 k (theta - q)^2 stays, without damper and motor torque."""
    arm, k = with_motors(rd.robots.two_link(), [0.3, 0.2]), np.array([80.0, 60.0])
    longer, t = flexible.doubled(arm), np.linspace(0, 1, 1001)
    motion = rd.simulate(
        longer, flexible.coordinates([0.3, 0.2], [0.5, 0.1]), np.zeros(4), flexible.joint_springs(k), t
    )
    total = sum(motion.energy(longer)) + (k * motion.q[:, 1::2] ** 2).sum(axis=1) / 2
    assert np.ptp(total) < 1e-6 * np.ptp(motion.energy(longer)[0])


def test_stiff_springs_make_a_rigid_arm():
    """A flexible arm let go without strain of its own moves as the rigid one, rotors included; the gap falls as 1/k."""
    arm = with_motors(rd.robots.two_link(), [0.3, 0.2])
    t, start = np.linspace(0, 0.5, 51), np.array([0.3, -0.2])
    rigid = rd.simulate(arm, start, [0, 0], t=t).q
    gaps = []
    for k in (1e3, 1e4):
        qdd = rd.forward_dynamics(arm, start, [0, 0], [0, 0])
        strain = -qdd * [0.3, 0.2] / k  # J theta_dd = -k (theta - q) from the start: little vibration
        x = flexible.coordinates(start, start + strain)
        law = flexible.joint_springs([k, k])
        motion = rd.simulate(flexible.doubled(arm), x, np.zeros(4), law, t, "solve_ivp", rtol=1e-9, atol=1e-11)
        gaps.append(abs(flexible.split(motion.q)[0] - rigid).max())
    assert gaps[0] < 0.02 and 5 < gaps[0] / gaps[1] < 20


def test_frequencies_of_one_flexible_joint():
    """Motor and link on one spring swing at sqrt(k (1/I + 1/J)); with the motor held, the link at sqrt(k / I)."""
    I, J, k = 0.5, 0.2, 30.0
    arm = rd.Arm([rd.Link(1.0, inertia=I * np.eye(3), motor_inertia=J)], gravity=(0, 0, 0))
    t = np.linspace(0, 1, 1001)
    motion = rd.simulate(flexible.doubled(arm), [0.0, 0.1], [0, 0], flexible.joint_springs([k]), t)
    assert np.allclose(motion.q[:, 1], 0.1 * np.cos(np.sqrt(k * (1 / I + 1 / J)) * t), atol=1e-7)
    hold = forces.total(flexible.joint_springs([k]), lambda t, x, v: np.array([-k * x[1], 0.0]))
    motion = rd.simulate(flexible.doubled(arm), [0.0, 0.1], [0, 0], hold, t)
    assert np.allclose(motion.q[:, 1], 0.1 * np.cos(np.sqrt(k / I) * t), atol=1e-7)


def test_symbols():
    """One text for numbers and symbols: the pendulum on a flexible joint."""
    m, l, g, J, k, q, theta, tau = sp.symbols("m l g J k q theta tau", positive=True)
    arm = rd.robots.planar([l], [m], gravity=g)
    links, motors = flexible.accelerations(with_motors(arm, [J]), k, [q], [0], [theta], [0], [tau])
    assert sp.simplify(links[0] - (k * (theta - q) - m * g * l * sp.cos(q)) / (m * l**2)) == 0
    assert sp.simplify(motors[0] - (tau - k * (theta - q)) / J) == 0
