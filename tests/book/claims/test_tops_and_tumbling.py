"""Sentences of the page "Tops and tumbling", on random tops and bars."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import robotdyn as rd


def test_a_top_that_hangs_precesses_at_any_spin():
    """At a tilt of less than 90 degrees there are no real roots if the spin is too slow; a hanging top has two at any spin."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        I1, I3, moment = np.exp(rng.uniform(-3, 2, 3))
        tilt, spin = rng.uniform(0.01, np.pi - 0.01), np.exp(rng.uniform(-4, 4))
        roots = np.roots([I1 * np.cos(tilt), -I3 * spin, moment])
        real = np.abs(roots.imag).max() < 1e-9 * np.abs(roots).max()
        slow = (I3 * spin) ** 2 < 4 * I1 * np.cos(tilt) * moment
        assert real != slow
        assert real or tilt < np.pi / 2


def test_a_hanging_top_without_much_spin_does_precess_steadily():
    """A top that hangs below its support has two roots at any spin: the slower motion, simulated, keeps its tilt."""
    top, tip = rd.bodies.cone(0.1, 0.03, 0.04), np.zeros(3)
    I1, _, I3 = np.diag(top.about(tip))
    tilt, spin = np.radians(140), 2 * np.pi * 0.5  # upright it would need 21 revolutions a second
    rates = np.roots([I1 * np.cos(tilt), -I3 * spin, 9.81 * top.mass * top.com[2]])
    R = rd.rotations.exp((0, tilt, 0))
    weight = np.array([0, 0, -9.81 * top.mass])
    omega = R.T @ [0, 0, rates[np.argmin(abs(rates))]]
    omega[2] = spin
    run = rd.tumble(top, omega, np.linspace(0, 1, 401), R, lambda t, R, w: np.cross(R @ top.com, weight), point=tip)
    assert np.ptp(run.rotation[:, 2, 2]) < 1e-5


def growth(sides) -> float:
    """Return how fast a deviation from the middle axis grows, compared with the spin."""
    I1, I2, I3 = np.sort(np.diag(rd.bodies.box(1.0, sides).inertia))
    return np.sqrt((I2 - I1) * (I3 - I2) / (I1 * I3))


def test_a_long_bar_leaves_its_middle_axis_fast_only_if_it_is_flat():
    """For a long bar of width b and thickness c the ratio tends to sqrt((b^2 - c^2) / (b^2 + c^2)), zero for a square section."""
    rng = np.random.default_rng(3)
    for _ in range(100):
        b = rng.uniform(0.01, 0.1)
        c = b * rng.uniform(0.02, 1)
        assert growth((100 * b, b, c)) == pytest.approx(np.sqrt((b**2 - c**2) / (b**2 + c**2)), abs=1e-3)
    assert growth((2.0, 0.02, 0.02)) < 1e-6
    assert growth((2.0, 0.02, 0.001)) > 0.99


def test_polhodes_are_closed_apart_from_those_through_the_middle_axis():
    """The polhodes are closed, apart from those through the middle axis, which a rotation never completes."""
    rng = np.random.default_rng(4)
    brick = rd.bodies.box(2.0, (0.20, 0.14, 0.06))
    for _ in range(3):
        omega = 6 * rng.normal(size=3)
        run = rd.tumble(brick, omega, np.linspace(0, 8, 1001))
        away = np.linalg.norm(run.omega - omega, axis=1) / np.linalg.norm(omega)
        first = np.argmax(away > 0.5 * away.max())
        assert away[first:].min() < 0.02  # it comes back to where it began
    I1, I2, I3 = np.diag(brick.inertia)  # on the separatrix, from its middle: at the end it stands near the middle axis
    start = 6 * np.array([np.sqrt((I3 - I2) / I1), 0, np.sqrt((I2 - I1) / I3)])
    away = rd.tumble(brick, start, np.linspace(0, 2.5, 501)).omega
    assert abs(away[-1, 1]) > 0.99 * abs(away).max(axis=0)[1]


@pytest.mark.parametrize("share", [0.9, 0.97, 1.03, 1.2])
def test_an_upright_top_sleeps_above_the_spin_of_the_quadratic(share):
    """The top sleeps as long as steady precessions of a small tilt exist: I_3 omega_3 at least 2 sqrt(I_1 m g l)."""
    top, tip = rd.bodies.cone(*np.random.default_rng(7).uniform([0.05, 0.02, 0.03], [0.3, 0.05, 0.06])), np.zeros(3)
    I1, _, I3 = np.diag(top.about(tip))
    moment = 9.81 * top.mass * top.com[2]
    weight = np.array([0, 0, -9.81 * top.mass])
    omega = np.array([0, 0, share * 2 * np.sqrt(I1 * moment) / I3])
    R = rd.rotations.exp((0, np.radians(0.2), 0))
    run = rd.tumble(top, omega, np.linspace(0, 1, 101), R, lambda t, R, w: np.cross(R @ top.com, weight), point=tip)
    lean = np.degrees(np.arccos(run.rotation[:, 2, 2])).max()
    assert (lean < 3) == (share > 1)


def euler_rates(t, w, I):
    """Rates of the angular velocity of a free body in its principal axes, I its principal moments: Euler's equations."""
    return np.cross(I * w, w) / I


def test_a_deviation_from_an_outer_axis_stays_below_its_bound_for_all_times():
    """The deviation never exceeds sqrt(k) times its first value; for the middle axis no bound of this kind exists."""
    rng = np.random.default_rng(8)
    for _ in range(6):
        sides = np.sort(rng.uniform(0.05, 0.4, 3)) * [1, 1.3, 1.7]
        I = np.diag(rd.bodies.box(1.0, sides[::-1]).inertia)
        for axis, others in ((0, (1, 2)), (2, (0, 1)), (1, (0, 2))):
            aside = rng.normal(size=2)
            omega = np.zeros(3)
            omega[axis], omega[list(others)] = 20, aside
            run = solve_ivp(euler_rates, (0, 8), omega, method="DOP853", rtol=1e-10, args=(I,))
            grown = np.linalg.norm(run.y[list(others)], axis=0).max() / np.linalg.norm(aside)
            factors = [I[i] * abs(I[i] - I[axis]) for i in others]
            bound = np.sqrt(max(factors) / min(factors))
            assert (grown <= bound * (1 + 1e-6)) == (axis != 1)


def splitting_band(share: float, revolutions: int) -> list[float]:
    """Return the widths of the band of the energy, early and late, of the step of five turns; share of a revolution a step."""
    I = np.diag(rd.bodies.box(1.0, (0.20, 0.14, 0.06)).inertia)
    R, L = np.eye(3), I * [1.0, 6.0, 0.5]
    dt = share * 2 * np.pi / 6
    energy = []
    for _ in range(int(revolutions / share)):
        for axis, part in ((0, 0.5), (1, 0.5), (2, 1), (1, 0.5), (0, 0.5)):
            phi = np.zeros(3)
            phi[axis] = (R.T @ L)[axis] / I[axis] * part * dt
            R = R @ rd.rotations.exp(phi)
        energy.append((R.T @ L) @ ((R.T @ L) / I) / 2)
    found = np.array(energy) / energy[0] - 1
    half = len(found) // 2
    return [np.ptp(found[:half]), np.ptp(found[half:])]


def test_the_energy_of_the_splitting_does_not_drift_and_its_band_widens_with_the_step():
    """It swings within a narrow band and does not drift; a step of a third of a revolution widens the band to more than a tenth."""
    early, late = splitting_band(0.02, 60)
    assert late == pytest.approx(early, rel=0.02)
    assert late < 1e-3
    assert splitting_band(1 / 3, 300)[1] > 0.1


@pytest.mark.parametrize("moments", [(1, 1, 1.6), (1, 1.6, 1.6)])
def test_where_two_moments_are_equal_a_deviation_grows_evenly(moments):
    """Where two moments are equal, lambda is zero for both of their axes, and a deviation from them grows evenly at first."""
    I = np.array(moments, dtype=float)
    for k in np.flatnonzero([list(moments).count(x) == 2 for x in moments]):
        a, b = (k + 1) % 3, (k + 2) % 3
        assert (I[k] - I[a]) * (I[b] - I[k]) == 0
        twin, lone = (a, b) if I[a] == I[k] else (b, a)
        start = 5.0 * np.eye(3)[k] + 1e-3 * np.eye(3)[lone]
        run = rd.tumble(rd.Body(1.0, inertia=np.diag(I)), start, np.linspace(0, 20, 41))
        grown = abs(run.omega[:, twin])
        assert grown[1:] == pytest.approx(grown[1] * np.arange(1, 41), rel=1e-3)
        assert grown[-1] > 30e-3
