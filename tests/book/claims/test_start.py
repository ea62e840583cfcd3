"""Sentences of the page "Start here", tried with any masses, lengths and times."""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

import robotdyn as rd


def worst_inside(D, l=1.0):
    """Return the greatest torque of the lift in D seconds, in units of m g l, before its end."""
    curve = lambda x: x**3 * (10 - 15 * x + 6 * x**2)
    torque = lambda x: np.pi / 2 * 60 * x * (1 - x) * (1 - 2 * x) / D**2 * l / 9.81 + np.sin(np.pi / 2 * curve(x))
    x = np.linspace(0, 0.8, 8001)
    at = x[torque(x).argmax()]
    return -minimize_scalar(lambda x: -torque(x), bounds=(at - 1e-3, at + 1e-3), method="bounded").fun


def test_the_price_of_haste():
    """The greatest torque of the lift is twice m g l for D = 0.70 s, and the end is the worst moment from D = 1.042 s on."""
    assert brentq(lambda D: worst_inside(D) - 2, 0.5, 0.9) == pytest.approx(0.70, abs=0.005)
    assert brentq(lambda D: worst_inside(D) - 1, 0.9, 1.2) == pytest.approx(1.042, abs=5e-4)
    slower = [worst_inside(D) for D in np.geomspace(1.043, 30, 60)]
    assert max(slower) < 1
    assert worst_inside(1.04) > 1


def test_no_choice_of_masses():
    """Two level rods at rest: the outer one begins by turning counterclockwise, and no choice of masses reverses this."""
    rng = np.random.default_rng(35)
    for masses in 10 ** rng.uniform(-3, 3, (200, 2)):
        length = rng.uniform(0.3, 2)
        arm = rd.robots.planar([length] * 2, masses, [length / 2] * 2, masses * length**2 / 12)
        inner, bend = rd.forward_dynamics(arm, [0, 0], [0, 0], [0, 0])
        assert inner < 0 < inner + bend


def test_the_limit_of_an_inner_rod_without_mass():
    """Nor does an inner rod without mass reverse it, with rods of any two lengths: then the outer one falls without turning."""
    rng = np.random.default_rng(36)
    for lengths in rng.uniform(0.2, 2, (50, 2)):
        for inner_mass, turns in ((0.0, False), (0.4, True)):
            masses = np.array([inner_mass, 1.3])
            arm = rd.robots.planar(lengths, masses, lengths / 2, masses * lengths**2 / 12)
            inner, bend = rd.forward_dynamics(arm, [0, 0], [0, 0], [0, 0])
            assert inner < 0
            assert inner + bend > -1e-9
            assert (inner + bend > 1e-6) == turns
