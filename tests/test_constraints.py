"""An arm that is held: forces of constraint do no work, Gauss' measure is least, four bars are one pendulum."""

from dataclasses import replace

import numpy as np
import pytest
from arms import arm_and_state
from scipy.optimize import brentq, minimize

import robotdyn as rd
from robotdyn import constraints, forces
from robotdyn.laws import slope

RNG = np.random.default_rng(5)
PLANE = np.eye(3)[:2]
BARS, BASE = (0.4, 1.0, 0.8), (0.9, 0.0, 0.0)  # crank, coupler, rocker, and where the rocker's other end is held
FOUR_BAR = constraints.hold_point(
    rd.robots.planar(BARS, (1.0, 2.0, 1.5), np.array(BARS) / 2, (0.02, 0.2, 0.1)), BASE, axes=PLANE
)


def held_state(mix="rrrrr"):
    """A spatial arm whose tip is held, at a state that fits, and a torque."""
    arm, q, qd, tau, _ = arm_and_state(mix)
    held = constraints.hold_point(arm, rd.point_position(arm, q))
    return held, *constraints.project(held, q, qd), tau


def on_the_loop(crank):
    """The angles of the four-bar for an angle of the crank, by the law of cosines: no Newton's method, no Jacobian."""
    a, b, c = BARS
    across = np.array(BASE[:2]) - a * np.array([np.cos(crank), np.sin(crank)])
    d = np.hypot(*across)
    coupler = np.arctan2(across[1], across[0]) + np.arccos((b * b + d * d - c * c) / (2 * b * d))
    elbow = a * np.array([np.cos(crank), np.sin(crank)]) + b * np.array([np.cos(coupler), np.sin(coupler)])
    rocker = np.arctan2(BASE[1] - elbow[1], BASE[0] - elbow[0])
    return np.array([crank, coupler - crank, rocker - coupler])


@pytest.mark.parametrize("mix", ["rrrr", "rprprp", "psrs"])
def test_the_accelerations_keep_the_constraint_and_the_balance(mix):
    """M qdd + h = tau + J^T lambda, and the held point has no acceleration: the derivative of its velocity along the motion."""
    held, q, qd, tau = held_state(mix)
    qdd, multipliers = constraints.forward_dynamics(held, q, qd, tau)
    wrench = np.concatenate([multipliers, np.zeros(3)])  # at the tip, in base axes
    assert np.allclose(rd.inverse_dynamics(held.arm, q, qd, qdd, wrench), tau, atol=1e-9 * abs(qdd).max())
    velocity = lambda s: rd.tip_jacobian(held.arm, q + s * qd + s * s / 2 * qdd)[:3] @ (qd + s * qdd)
    assert np.allclose(slope(velocity, 0.0), 0, atol=1e-6 * abs(qdd).max())


def test_forces_of_constraint_do_no_work():
    """(J^T lambda) . qd = 0 at a state that fits, and the energy of a held arm without motors is kept."""
    held, q, qd, tau = held_state()
    _, multipliers = constraints.forward_dynamics(held, q, qd, tau)
    assert abs(multipliers @ held.jacobian(q) @ qd) < 1e-10 * np.linalg.norm(multipliers) * np.linalg.norm(qd)
    q = on_the_loop(1.0)
    motion = rd.simulate(FOUR_BAR.arm, q, [0, 0, 0], constraints.law(FOUR_BAR), np.linspace(0, 1, 401))
    assert np.ptp(sum(motion.energy(FOUR_BAR.arm))) < 1e-6


def test_gauss_principle():
    """Of all accelerations that the constraint allows, the true ones make Gauss' measure least, found by least squares alone."""
    held, q, qd, tau = held_state()
    found, _ = constraints.forward_dynamics(held, q, qd, tau)
    J, right = held.jacobian(q), -held.bias(q, qd)
    _, _, rows = np.linalg.svd(J)
    free = rows[len(J) :].T  # directions that the constraint leaves
    start = np.linalg.pinv(J) @ right
    L = np.linalg.cholesky(rd.mass_matrix(held.arm, q)).T
    a = rd.forward_dynamics(held.arm, q, qd, tau)
    best = start + free @ np.linalg.lstsq(L @ free, L @ (a - start), rcond=None)[0]
    assert np.allclose(best, found, atol=1e-8 * abs(found).max())
    least = constraints.compulsion(held.arm, q, qd, tau, found)
    assert least == pytest.approx((L @ (found - a)) @ (L @ (found - a)) / 2)
    for step in RNG.normal(size=(20, free.shape[1])):
        assert constraints.compulsion(held.arm, q, qd, tau, found + free @ step) > least
    searched = minimize(
        lambda s: constraints.compulsion(held.arm, q, qd, tau, start + free @ s), np.zeros(free.shape[1])
    )
    assert searched.fun == pytest.approx(least, rel=1e-5)


def test_a_four_bar_is_a_pendulum_of_its_own():
    """One coordinate x, the crank: m(x) xdd + m'(x) xd^2 / 2 + U'(x) = tau, with m and U from energies along the loop."""
    arm, x, rate, torque = FOUR_BAR.arm, 0.9, 1.7, 0.6
    tangent = lambda x: slope(on_the_loop, x)
    heavy = lambda x: 2 * rd.kinetic_energy(arm, on_the_loop(x), tangent(x))
    height = lambda x: rd.potential_energy(arm, on_the_loop(x))
    xdd = (torque - slope(heavy, x) * rate**2 / 2 - slope(height, x)) / heavy(x)
    q = on_the_loop(x)
    assert abs(FOUR_BAR.equations(q)).max() < 1e-14
    qdd, _ = constraints.forward_dynamics(FOUR_BAR, q, tangent(x) * rate, [torque, 0, 0])
    assert qdd[0] == pytest.approx(xdd, rel=1e-7)


def test_a_parallelogram_by_hand():
    """Rods a, b, a: (2/3 m_a + m_b) a^2 xdd + (m_a + m_b) g a cos x = tau, for the coupler never turns."""
    a, b, m_a, m_b, x = 0.5, 1.2, 1.5, 2.0, 0.8
    arm = rd.robots.planar(
        (a, b, a), (m_a, m_b, m_a), (a / 2, b / 2, a / 2), (m_a * a * a / 12, m_b * b * b / 12, m_a * a * a / 12)
    )
    held = constraints.hold_point(arm, (b, 0, 0), axes=PLANE)
    q, rate = np.array([x, -x, x - np.pi]), 1.3
    qdd, _ = constraints.forward_dynamics(held, q, [rate, -rate, rate], [2.0, 0, 0])
    by_hand = (2.0 - (m_a + m_b) * 9.81 * a * np.cos(x)) / ((2 * m_a / 3 + m_b) * a * a)
    assert np.allclose(qdd, [by_hand, -by_hand, by_hand])
    message = (
        r"the 2 equations of a constraint must be independent, got 1 that are, at q = \[ ?-?0. *, *-?0. *, -3.1416\]"
    )
    with pytest.raises(ValueError, match=message):
        constraints.forward_dynamics(held, [0, 0, -np.pi], [0, 0, 0], [0, 0, 0])


def test_the_torque_of_a_crank():
    """A parallelogram on one motor by hand, at a given acceleration; forward dynamics gives the motion back, and the forces."""
    a, b, m_a, m_b, x, xdd = 0.5, 1.2, 1.5, 2.0, 0.8, 3.1
    rods = (m_a * a * a / 12, m_b * b * b / 12, m_a * a * a / 12)
    arm = rd.robots.planar((a, b, a), (m_a, m_b, m_a), (a / 2, b / 2, a / 2), rods)
    held = constraints.hold_point(arm, (b, 0, 0), axes=PLANE)
    q, qd = np.array([x, -x, x - np.pi]), 1.3 * np.array([1, -1, 1])
    tau, forces = constraints.inverse_dynamics(held, q, qd, {0: xdd}, motors=[0])
    by_hand = (2 * m_a / 3 + m_b) * a * a * xdd + (m_a + m_b) * 9.81 * a * np.cos(x)
    assert tau == pytest.approx([by_hand, 0, 0])
    qdd, multipliers = constraints.forward_dynamics(held, q, qd, tau)
    assert np.allclose(qdd, xdd * np.array([1, -1, 1])) and np.allclose(forces, multipliers)
    again, _ = constraints.inverse_dynamics(held, q, qd, qdd, [0])
    assert np.allclose(again, tau)


@pytest.mark.parametrize("size", [1.0, 1e-3])
def test_what_a_small_mechanism_cannot_do_is_told_as_of_a_large_one(size):
    """Torques of 1e-9 N m are no roundoff in a crank of a millimeter: tolerances are shares of the terms."""
    a, b, m = 0.5 * size, 1.2 * size, 2 * size**3
    arm = rd.robots.planar(
        (a, b, a), (m, m, m), (a / 2, b / 2, a / 2), (m * a * a / 12, m * b * b / 12, m * a * a / 12)
    )
    held = constraints.hold_point(arm, (b, 0, 0), axes=PLANE)
    q, qd = np.array([0.8, -0.8, 0.8 - np.pi]), np.array([1, -1, 1])
    with pytest.raises(ValueError, match=r"the motors \[\] must be able to move the arm so"):
        constraints.inverse_dynamics(held, q, qd, {0: 1.0}, motors=[])
    with pytest.raises(ValueError, match="qdd must keep the constraint"):
        constraints.inverse_dynamics(held, q, qd, [1 + 1e-5, -1, 1])
    for xdd in (1.0, 0.0):  # an even turn has accelerations of roundoff alone
        for qdd in ({0: xdd}, {0: xdd, 1: -xdd}, [xdd, -xdd, xdd]):
            tau, _ = constraints.inverse_dynamics(held, q, qd, qdd, motors=[0])
            assert tau[0] == pytest.approx((2 * m / 3 + m) * a * a * xdd + 2 * m * 9.81 * a * np.cos(0.8))
    coasting = constraints.hold_point(replace(arm, gravity=(0, 0, 0)), (b, 0, 0), axes=PLANE)
    assert not constraints.inverse_dynamics(coasting, q, qd, {0: 0.0}, motors=[])[0].any()
    with pytest.raises(ValueError, match="must be independent, got 1 that are"):  # folded flat
        constraints.inverse_dynamics(held, [0, 0, -np.pi], [0, 0, 0], {0: 1.0})


@pytest.mark.parametrize("mix", ["rrrrr", "rprprp", "psrs"])
def test_torques_of_a_held_arm(mix):
    """With all motors: the motion that forward dynamics makes of them, and no torque of less squares makes it, too."""
    held, q, qd, tau = held_state(mix)
    qdd, _ = constraints.forward_dynamics(held, q, qd, tau)
    least, forces = constraints.inverse_dynamics(held, q, qd, qdd)
    back, multipliers = constraints.forward_dynamics(held, q, qd, least)
    assert np.allclose(back, qdd, atol=1e-8 * abs(qdd).max()) and np.allclose(forces, multipliers)
    squeeze = held.jacobian(q).T  # what the constraint takes up
    assert np.allclose(squeeze.T @ least, 0, atol=1e-8 * abs(least).max())
    for step in 1e-3 * RNG.normal(size=(20, len(squeeze.T))):
        assert least @ least < (least + squeeze @ step) @ (least + squeeze @ step)


def test_a_hand_on_a_table():
    """At rest the table carries J^T lambda = g: held by its normal alone, the tip can slide along."""
    arm = rd.robots.planar(2)
    q = np.array([np.pi / 3, -2 * np.pi / 3])  # the tip at (1, 0)
    table = constraints.hold_point(arm, (0, 0, 0), axes=[(0, 1, 0)])
    qdd, normal = constraints.forward_dynamics(table, q, [0, 0], rd.gravity_torque(arm, q) + [0, 1.0])
    J, M = rd.tip_jacobian(arm, q)[:2], rd.mass_matrix(arm, q)
    assert abs(J[1] @ qdd) < 1e-12 and abs(J[0] @ qdd) > 0.1
    along = np.array([-J[1, 1], J[1, 0]])  # the only motion that is left
    assert along @ (M @ qdd - [0, 1.0]) == pytest.approx(0, abs=1e-12)
    both = constraints.hold_point(arm, (1, 0, 0), axes=PLANE)
    _, lam = constraints.forward_dynamics(both, q, [0, 0], [0, 0])
    assert np.allclose(J.T @ lam, rd.gravity_torque(arm, q)) and lam[1] > 0 and normal.shape == (1,)


def test_baumgarte_lets_errors_fade():
    """phi'' + 2 a phi' + a^2 phi = 0: from phi = e and phi' = 0 it goes as e (1 + a t) exp(-a t)."""
    a, t = 10.0, np.linspace(0, 0.5, 201)
    q = on_the_loop(1.0) + [0, 1e-3, 0]
    first = FOUR_BAR.equations(q)
    motion = rd.simulate(FOUR_BAR.arm, q, [0, 0, 0], constraints.law(FOUR_BAR, baumgarte=a), t)
    left = np.array([FOUR_BAR.equations(row) for row in motion.q])
    assert np.allclose(left, np.outer((1 + a * t) * np.exp(-a * t), first), atol=1e-6)


def test_projection_is_the_nearest_state():
    """phi = 0 and J qd = 0; the change of the rates has no part that the constraint would allow, as in an impact."""
    q0, qd0 = on_the_loop(1.0) + [0.02, -0.01, 0.03], np.array([1.0, 2.0, -1.0])
    q, qd = constraints.project(FOUR_BAR, q0, qd0)
    J = FOUR_BAR.jacobian(q)
    assert abs(FOUR_BAR.equations(q)).max() < 1e-12 and abs(J @ qd).max() < 1e-12
    tangent = np.linalg.svd(J)[2][2]
    assert tangent @ rd.mass_matrix(FOUR_BAR.arm, q) @ (qd - qd0) == pytest.approx(0, abs=1e-12)
    again = constraints.project(FOUR_BAR, q, qd)
    assert np.allclose(again, [q, qd], atol=1e-12)
    crank = brentq(lambda x: on_the_loop(x)[0] - q[0], 0, 2)
    assert np.allclose(np.cos(on_the_loop(crank)), np.cos(q), atol=1e-10)


def test_any_equations_may_hold():
    """A gear 1 : 3 between two joints is a constraint, too: its multiplier is a torque, and the arm has one coordinate."""
    arm = rd.robots.two_link()
    geared = constraints.hold(arm, lambda arm, q: np.stack([3 * q[0] - q[1]]))
    q, rate = np.array([0.4, 1.2]), 0.8
    qdd, _ = constraints.forward_dynamics(geared, q, [rate, 3 * rate], [1.0, 0])
    way = np.array([1.0, 3.0])
    M, h = rd.mass_matrix(arm, q), rd.bias_torque(arm, q, rate * way)
    assert np.allclose(qdd, way * (way @ ([1.0, 0] - h)) / (way @ M @ way))


def test_a_law_takes_other_laws():
    """Friction and a constant torque act on a held arm as on any; the energy never rises by friction."""
    q, t = on_the_loop(1.0), np.linspace(0, 1, 201)
    law = constraints.law(FOUR_BAR, forces.viscous(0.5))
    motion = rd.simulate(FOUR_BAR.arm, q, [0, 0, 0], law, t)
    assert np.diff(sum(motion.energy(FOUR_BAR.arm))).max() < 1e-8
    fixed = constraints.law(FOUR_BAR, [1.0, 0, 0])(0.0, q, np.zeros(3))
    assert np.allclose(fixed, constraints.law(FOUR_BAR, lambda t, q, qd: [1.0, 0, 0])(0.0, q, np.zeros(3)))
