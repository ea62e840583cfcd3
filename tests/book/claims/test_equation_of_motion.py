"""Sentences of the page "The equation of motion", tried on other arms, in the plane and in space."""

from functools import partial

import numpy as np
import pytest

import robotdyn as rd


def energy_of_momenta(arm, q, p):
    """Return the kinetic energy (J) as a function of positions and momenta."""
    return p @ np.linalg.solve(rd.mass_matrix(arm, q), p) / 2


def slopes(function, x, h=1e-5):
    """Return the difference quotients of a function of x (n,)."""
    ways = h * np.eye(len(x))
    return np.array([(function(x + way) - function(x - way)) / (2 * h) for way in ways])


@pytest.mark.parametrize("n", [1, 2, 4])
def test_momenta_instead_of_rates(n):
    """The slope of T* by p is the rate, and that by q, with the momenta held fixed, minus that of T with the rates held fixed."""
    rng = np.random.default_rng(35)
    for _ in range(5):
        arm = rd.robots.random_arm(rng, n)
        q, qd = rng.normal(size=(2, n))
        p = rd.mass_matrix(arm, q) @ qd
        assert slopes(partial(energy_of_momenta, arm, q), p) == pytest.approx(qd, abs=1e-6)
        star = slopes(partial(energy_of_momenta, arm, p=p), q)
        plain = slopes(partial(rd.kinetic_energy, arm, qd=qd), q)
        assert star == pytest.approx(-plain, abs=1e-5)


def test_hamiltons_equations():
    """The rate of a momentum is minus the slope of H by its coordinate, plus the generalized force."""
    rng = np.random.default_rng(36)
    for _ in range(5):
        arm = rd.robots.random_arm(rng, 3)
        q, qd, tau = rng.normal(size=(3, 3))
        ends = rd.simulate(arm, q, qd, tau, np.array([0, 1e-4]))
        before, after = (rd.mass_matrix(arm, ends.q[k]) @ ends.qd[k] for k in (0, 1))
        slope = slopes(partial(energy_of_momenta, arm, p=before), q) + slopes(partial(rd.potential_energy, arm), q)
        assert (after - before) / 1e-4 == pytest.approx(tau - slope, abs=2e-2 * (1 + abs(tau).max()))


def driven(drive, t, q, qd):
    """Return torques that swing and brake, of those motors that drive."""
    return drive * np.sin(5 * t) - 0.2 * drive * qd


def test_the_first_momentum_of_an_arm_on_a_table():
    """Without the first motor the angular momentum about the first joint is conserved, whatever the others do."""
    rng = np.random.default_rng(37)
    for n in (2, 3, 5):
        table = rd.robots.planar(rng.uniform(0.3, 1, n), rng.uniform(0.5, 2, n), gravity=0)
        drive = np.r_[0, rng.uniform(-1, 1, n - 1)]
        law = partial(driven, drive)
        run = rd.simulate(table, rng.normal(size=n), rng.normal(size=n), law, np.linspace(0, 1, 1001))
        p = np.einsum("tij,tj->ti", rd.mass_matrix(table, run.q), run.qd)
        assert np.ptp(p[:, 0]) < 1e-6
        assert np.ptp(p[:, 1]) > 1e-3


def test_the_swing_of_the_page_keeps_two_signs():
    """Weight and velocity torque keep their sign in the swing; the inertia torque pushes in its first half and brakes in the second."""
    arm = rd.robots.uniform_two_link(length=0.5, masses=(3.0, 2.0))
    s = np.linspace(0, 1, 2001)[1:-1, None]
    start, h = np.array([-np.pi / 2, 0.0]), np.array([0.2 + np.pi / 2, 0.8])
    q, qd = start + h * (10 * s**3 - 15 * s**4 + 6 * s**5), h * (30 * s**2 - 60 * s**3 + 30 * s**4)
    qdd = h * (60 * s - 180 * s**2 + 120 * s**3)
    weight = rd.gravity_torque(arm, q)
    velocity = rd.inverse_dynamics(arm, q, qd, 0 * qdd) - weight
    inertia = rd.inverse_dynamics(arm, q, 0 * qd, qdd) - weight
    assert (weight > 0).all()
    assert (velocity[:, 0] < 0).all()
    assert (velocity[:, 1] > 0).all()
    assert (inertia[:999] > 0).all()
    assert (inertia[1001:] < 0).all()


def test_the_sign_of_a_stretched_arm():
    """Stretched to the right, with mass beyond each joint and none behind it, every gravity torque is positive; else it may be zero or less."""
    rng = np.random.default_rng(38)
    for n in (1, 2, 5):
        lengths, masses = rng.uniform(0.3, 1, n), rng.uniform(0.5, 2, n)
        assert (
            rd.gravity_torque(rd.robots.planar(lengths, masses, rng.uniform(0.1, 1, n) * lengths), np.zeros(n)) > 0
        ).all()
    for com, sign in ((0.0, 0), (-0.3, -1)):
        arm = rd.robots.planar([1, 1], [1, 1], [2.0, com], [0.1, 0.1])
        assert np.sign(rd.gravity_torque(arm, [0, 0])[1]) == sign
    assert rd.gravity_torque(rd.robots.planar([1, 1], [1, 0]), [0, 0])[1] == 0  # a massless link


@pytest.mark.parametrize("above", [0.2, 0.5, 1.2])
def test_a_pendulum_that_runs_away_from_rest(above):
    """Above the horizontal the deviation grows like a hyperbolic cosine: slowly at first, then by e in each time constant."""
    pendulum = rd.robots.planar([1.0], [1.0])
    constant = 1 / np.sqrt(9.81 * np.sin(above))
    hold, times = rd.gravity_torque(pendulum, [above]), constant * np.linspace(0, 5, 501)
    run = rd.simulate(pendulum, [above + 1e-5], [0], hold, times).q[::100, 0] - above
    assert run == pytest.approx(1e-5 * np.cosh(np.arange(6)), rel=1e-2)
    factors = run[1:] / run[:-1]
    assert factors[0] < 1.6
    assert factors[3:] == pytest.approx(np.e, rel=0.02)


@pytest.mark.parametrize(("friction", "returns"), [(0.8, True), (3.0, True), (0.0, False)])
def test_a_falling_arm_returns_if_there_is_friction(friction, returns):
    """If there is friction, the arm with its motors off returns to the one pose where its potential energy has a minimum."""
    rods, times = rd.robots.uniform_two_link(), np.arange(0, 60, 0.005)
    fall = rd.simulate(rods, [-0.6, 1.2], [0, 0], rd.forces.viscous(friction), times)
    off = np.angle(np.exp(1j * (fall.q[-2000:] - [-np.pi / 2, 0])))  # up to full turns
    assert (abs(off).max() < 0.02) == returns
