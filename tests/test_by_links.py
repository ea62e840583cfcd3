"""Dynamics by link Jacobians: the laws of physics, the recursions, formulas, and slips that the laws must catch."""

import inspect
import types
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from arms import MIXES, arm_and_state

import robotdyn as rd
from robotdyn import laws
from robotdyn.dynamics import by_links


def violations(arm, q, qd, qdd, w, by_links=by_links):
    """Yield the violation of each law that an energy or a position judges."""
    bias = lambda arm, q, qd: by_links.inverse_dynamics(arm, q, qd, 0 * q)
    yield laws.symmetry(by_links.mass_matrix, arm, q)
    yield laws.energy_of_motion(by_links.mass_matrix, arm, q, qd)
    yield laws.gravity_is_gradient(by_links.gravity_torque, arm, q)
    yield laws.power_balance(by_links.inverse_dynamics, arm, q, qd, qdd)
    yield laws.velocity_torque(bias, by_links.mass_matrix, arm, q, qd)
    yield laws.equation_of_motion(by_links.mass_matrix, bias, by_links.inverse_dynamics, arm, q, qd, qdd)
    yield laws.wrench_does_virtual_work(by_links.inverse_dynamics, arm, q, qd, qdd, w)
    yield laws.inverse_of_forward(rd.forward_dynamics, by_links.inverse_dynamics, arm, q, qd, qdd)


def with_rotors(mix):
    """Return an arm with motors at its joints, and a state."""
    arm, *state = arm_and_state(mix)
    links = [replace(link, motor_inertia=0.3 * (i + 1)) for i, link in enumerate(arm.links)]
    return replace(arm, links=links), *state


@pytest.mark.parametrize("mix", MIXES)
def test_laws_of_physics(mix):
    """Energies, power, virtual work, and what the articulated-body algorithm finds, with motors at the joints."""
    assert max(violations(*with_rotors(mix))) < laws.TIGHT


@pytest.mark.parametrize("mix", MIXES)
def test_the_recursions_agree(mix):
    """The sum over links is what CRBA and RNEA carry from link to link."""
    arm, q, qd, qdd, w = with_rotors(mix)
    pairs = [
        (by_links.mass_matrix(arm, q), rd.mass_matrix(arm, q)),
        (by_links.gravity_torque(arm, q), rd.gravity_torque(arm, q)),
        (by_links.inverse_dynamics(arm, q, qd, qdd, w), rd.inverse_dynamics(arm, q, qd, qdd, w)),
    ]
    for ours, theirs in pairs:
        assert abs(ours - theirs).max() < 1e-12 * abs(theirs).max()


def test_a_pan_and_tilt_head_by_hand():
    """A point mass at (l, 0, 0) of a link that tilts, carried d beside a vertical axis: differentiated by hand."""
    m, l, d, g = sp.symbols("m l d g", positive=True)
    q, qd = sp.symbols("q_1:3", real=True), sp.symbols("v_1:3", real=True)
    arm = rd.Arm([rd.Link(0), rd.Link(m, (l, 0, 0), axis=(0, -1, 0), position=(0, d, 0))], (0, 0, -g))
    s, c, (a, b) = sp.sin(q[1]), sp.cos(q[1]), qd
    M = sp.Matrix([[m * d**2 + m * l**2 * c**2, m * d * l * s], [m * d * l * s, m * l**2]])
    h = sp.Matrix([m * d * l * c * b**2 - 2 * m * l**2 * s * c * a * b, m * l**2 * s * c * a**2])
    weight = sp.Matrix([0, m * g * l * c])
    pairs = [
        (by_links.mass_matrix(arm, q), M),
        (by_links.gravity_torque(arm, q), weight),
        (by_links.inverse_dynamics(arm, q, qd, (0, 0)), h + weight),
    ]
    assert laws.largest_difference(*pairs) < 1e-12


def test_batches():
    """Row k of a batch is the result at state k."""
    arm, *_ = arm_and_state("rpr")
    q, qd, qdd = np.random.default_rng(2).normal(size=(3, 4, 3))
    together = by_links.inverse_dynamics(arm, q, qd, qdd)
    assert np.allclose(together[2], by_links.inverse_dynamics(arm, q[2], qd[2], qdd[2]), rtol=1e-13)
    assert by_links.mass_matrix(arm, q).shape == (4, 3, 3)


SLIPS = (
    ("J.T @ M @ J for", "J.T @ J for"),
    ("upward = -xp", "upward = xp"),
    ("[:3] - xp.array(arm.gravity)", "[:3] + xp.array(arm.gravity)"),
    ("-m * c]", "m * c]"),
    ("m * (c.T @ c)", "m * (c @ c)"),
    ("cross(omega, cross(omega, first_moment))", "cross(omega, first_moment)"),
    ("cross(omega, M[3:, 3:] @ omega)", "M[3:, 3:] @ omega"),
    ("R[i].T @ J[3:]", "J[3:]"),
    ("tau - tip_jacobian", "tau + tip_jacobian"),
    ("_rotor_inertias(arm, q) * qdd", "0 * qdd"),
    ("eye(arm.n) * _rotor_inertias(arm, q)", "zeros((arm.n, arm.n))"),
)


@pytest.mark.parametrize("slip", SLIPS, ids=[written for _, written in SLIPS])
def test_a_slip_breaks_a_law(slip):
    """The laws above are not blind to a sign, a lost factor or a lost transposition."""
    source = inspect.getsource(by_links)
    assert source.count(slip[0]) == 1
    slipped = types.ModuleType("slipped")
    exec(source.replace(*slip), slipped.__dict__)
    assert not max(violations(*with_rotors("rpr"), slipped)) < 1e-3
