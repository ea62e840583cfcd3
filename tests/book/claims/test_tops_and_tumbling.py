"""Sentences of the page "Tops and tumbling", on random tops and bars."""

import numpy as np
import pytest

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
