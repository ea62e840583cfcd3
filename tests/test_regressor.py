"""What the torques are linear in: regressors against the dynamics they multiply out, and parameters back to an arm."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from arms import MIXES, arm_and_state

import robotdyn as rd

FRICTION = {"viscous": 0.7, "coulomb": 0.4, "offset": -0.2}


def with_rotors(mix):
    """Return an arm with motors at its joints, and a state."""
    arm, q, qd, qdd, _ = arm_and_state(mix)
    links = [replace(link, motor_inertia=0.3 * (i + 1)) for i, link in enumerate(arm.links)]
    return replace(arm, links=links), q, qd, qdd


def close(found, expected, below=1e-12):
    return abs(found - expected).max() < below * (1 + abs(expected).max())


@pytest.mark.parametrize("mix", MIXES)
def test_torque_momentum_and_energy_are_linear(mix):
    """Y phi is what the Newton-Euler recursion and the laws of friction give, P phi is M qd, e . phi is T + U."""
    arm, q, qd, qdd = with_rotors(mix)
    joints = {"motor_inertia": None, **FRICTION}
    friction = rd.forces.total(
        rd.forces.viscous(0.7), rd.forces.coulomb(0.4, width=0.5), np.full(arm.n, 0.2)
    )  # a law stands on the other side: it pushes, the motors push against it
    tau = rd.inverse_dynamics(arm, q, qd, qdd) - friction(0, q, qd)
    assert close(rd.regressor(arm, q, qd, qdd, joints, width=0.5) @ rd.parameters(arm, joints), tau)
    phi, rotors = rd.parameters(arm, "motor_inertia"), ["motor_inertia"]
    assert close(rd.momentum_regressor(arm, q, qd, rotors) @ phi, rd.mass_matrix(arm, q) @ qd)
    energy = rd.kinetic_energy(arm, q, qd) + rd.potential_energy(arm, q)
    assert abs(rd.energy_regressor(arm, q, qd, rotors) @ phi - energy) < 1e-12 * (1 + abs(energy))


@pytest.mark.parametrize("mix", ["r", "rp", "srp", "rrrr"])
def test_regressors_belong_together(mix):
    """Column by column: the rate of e is qd . Y, and the rate of P less what the energies lose with q is Y."""
    arm, q, qd, qdd, _ = arm_and_state(mix)
    n = arm.n
    Y = rd.regressor(arm, q, qd, qdd)
    e = rd.trace(rd.energy_regressor, arm)
    by_q, by_qd = (np.array(e.jacobian(name)(q, qd), float) for name in ("q", "qd"))
    assert close(by_q @ qd + by_qd @ qdd, qd @ Y, 1e-11)
    P = rd.trace(rd.momentum_regressor, arm)
    P_q, P_qd = (np.array(P.jacobian(name)(q, qd), float).reshape(n, 10 * n, n) for name in ("q", "qd"))
    at_rest = np.array(e.jacobian("q")(q, 0 * qd), float)
    assert close(P_q @ qd + P_qd @ qdd - (by_q - 2 * at_rest).T, Y, 1e-11)  # dL/dq = dT/dq - dU/dq


def test_no_mass_is_asked_for():
    """A regressor knows joints and frames alone: another mass, center or inertia leaves it as it is."""
    arm, q, qd, qdd, _ = arm_and_state("rps")
    other = rd.with_parameters(arm, 3 * rd.parameters(arm))
    assert (rd.regressor(other, q, qd, qdd) == rd.regressor(arm, q, qd, qdd)).all()
    assert close(rd.inverse_dynamics(other, q, qd, qdd), 3 * rd.inverse_dynamics(arm, q, qd, qdd))


@pytest.mark.parametrize("mix", ["r", "psr", "rrrrr"])
def test_parameters_make_the_arm_again(mix):
    """From an arm to its parameters and back: the same masses, centers, inertias and rotors."""
    arm, *_ = with_rotors(mix)
    joints = {"viscous": 0.3, "motor_inertia": None}
    empty = replace(arm, links=[rd.Link(0, (0, 0, 0), joint=link.joint, pitch=link.pitch) for link in arm.links])
    again = rd.with_parameters(empty, rd.parameters(arm, joints), joints)
    for one, other in zip(arm.links, again.links):
        for field in ("mass", "com", "inertia", "motor_inertia"):
            assert np.allclose(getattr(one, field), getattr(other, field), rtol=1e-12, atol=1e-13)


def test_parameters_are_moments_about_the_origin():
    """phi of a body is what its mass elements add up to: of points with masses m_k at r_k."""
    masses, r = np.array([0.3, 0.5, 0.9, 0.4]), np.random.default_rng(3).normal(size=(4, 3))
    c = masses @ r / masses.sum()
    about = lambda p: sum(m * ((x @ x) * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, r - p))
    arm = rd.Arm([rd.Link(masses.sum(), c, about(c))])
    expected = [masses.sum(), *(masses @ r), *about(np.zeros(3))[np.triu_indices(3)]]
    assert close(rd.parameters(arm), np.array(expected))


def test_formulas_of_the_two_link_arm():
    """With symbols, Y phi is the formula of the torque; both come back as SymPy matrices."""
    arm = rd.robots.two_link(symbolic=True)
    q, qd, qdd = (sp.symbols(f"{name}1:3", real=True) for name in ("q", "v", "a"))
    difference = rd.regressor(arm, q, qd, qdd) * rd.parameters(arm) - rd.inverse_dynamics(arm, q, qd, qdd)
    assert sp.expand(difference, trig=True).applyfunc(sp.trigsimp) == sp.zeros(2, 1)


def test_a_seven_joint_regressor_as_a_program():
    """Traced for one arm, with friction: the same numbers, for one state and for many."""
    arm = rd.robots.panda()
    q, qd, qdd = np.random.default_rng(1).normal(size=(3, 5, 7))

    def with_friction(arm, q, qd, qdd):
        return rd.regressor(arm, q, qd, qdd, ["viscous", "coulomb"], width=0.1)

    fast = rd.specialize(with_friction, arm)
    assert close(fast(q, qd, qdd), with_friction(arm, q, qd, qdd))
    assert close(fast(q[2], qd[2], qdd[2]), with_friction(arm, q[2], qd[2], qdd[2]))
