"""Sentences of the page "What an accelerometer feels", on random bodies that swing."""

import numpy as np
import pytest

import robotdyn as rd


def across(body: rd.Body, r: float, angle: float, speed: float) -> float:
    """Return what a sensor at the distance r from the hinge reads across the body."""
    arm = rd.Arm([rd.Link(*body)], gravity=(0, -9.81, 0))
    speedup = rd.forward_dynamics(arm, [angle], [speed], [0.0])
    return float(rd.sensors.accelerometer(arm, [angle], [speed], speedup, 0, (r, 0, 0))[1])


def test_the_center_of_oscillation_feels_nothing_across_and_may_lie_beyond_the_arm():
    """It lies beyond the center of mass, at l_c + I_c / (m l_c), and need not lie on the arm."""
    rng = np.random.default_rng(26)
    outside = 0
    for _ in range(200):
        length, mass, share = rng.uniform(0.2, 2), rng.uniform(0.1, 5), rng.uniform(0.01, 0.5)
        l_c = length * share  # hung by a point of the rod between an end and the middle
        spread = mass * length**2 / 12
        rod = rd.Body(mass, (l_c, 0, 0), np.diag([0, spread, spread]))
        r0 = l_c + spread / (mass * l_c)
        assert r0 > l_c
        assert abs(across(rod, r0, *rng.normal(size=2) * 3)) < 1e-8 * (1 + r0)
        outside += r0 > l_c + length / 2
    assert 20 < outside < 180  # on some rods and not on others
    hung = rd.Body(2.0, (0.05, 0, 0), np.diag([0, 0.06, 0.06]))
    assert hung.about((0, 0, 0))[2, 2] / hung.first_moment()[0] == pytest.approx(0.65)


def test_on_a_rod_that_hangs_from_its_end_it_is_at_two_thirds():
    """On an arm that swings freely from its end there is a place where it will insist that the arm is hanging straight down."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        length, mass = rng.uniform(0.1, 3), rng.uniform(0.1, 5)
        spread = mass * length**2 / 12
        rod = rd.Body(mass, (length / 2, 0, 0), np.diag([0, spread, spread]))
        assert abs(across(rod, 2 * length / 3, *rng.normal(size=2) * 4)) < 1e-9
