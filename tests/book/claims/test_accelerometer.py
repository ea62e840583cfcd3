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
    """On a slender arm that swings freely from its end there is a place where it will insist that it hangs straight down."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        length, mass = rng.uniform(0.1, 3), rng.uniform(0.1, 5)
        spread = mass * length**2 / 12
        rod = rd.Body(mass, (length / 2, 0, 0), np.diag([0, spread, spread]))
        assert abs(across(rod, 2 * length / 3, *rng.normal(size=2) * 4)) < 1e-9


@pytest.mark.parametrize("wide", [0.1, 0.5, 1.0, 2.0])
def test_on_a_wide_plate_the_place_may_lie_beyond_the_end(wide):
    """On a slender arm that swings freely from its end there is such a place on the arm; on a wide one it may lie beyond its end."""
    length, mass = 0.5, 2.0
    spread = mass * (length**2 + wide**2) / 12
    plate = rd.Body(mass, (length / 2, 0, 0), np.diag([mass * wide**2 / 12, mass * length**2 / 12, spread]))
    r0 = length / 2 + spread / (mass * length / 2)
    assert abs(across(plate, r0, 0.7, 2.0)) < 1e-9
    assert (r0 > length) == (wide**2 > 2 * length**2)


@pytest.mark.parametrize("degrees", [1, 2, 4])
def test_a_phone_spins_steadily_like_a_plate_and_not_end_over_end(degrees):
    """End over end it departs from its middle axis within a revolution or two if the toss is off by a degree, and the reading changes."""
    phone, rate, spot = rd.bodies.box(0.18, (0.147, 0.071, 0.008)), 6 * np.pi, np.array([0.05, 0, 0])
    I, off = np.diag(phone.inertia), np.radians(degrees)

    def reading(first: np.ndarray, t_end: float) -> np.ndarray:
        run = rd.tumble(phone, first, np.linspace(0, t_end, 101))
        speedup = np.cross(I * run.omega, run.omega) / I
        return np.linalg.norm(rd.sensors.lever_arm(run.omega, speedup, spot), axis=1)

    steady = rate**2 * 0.05
    assert abs(reading(rate * np.array([off, 0, 1]), 1.0) / steady - 1).max() < 0.02
    assert abs(reading(rate * np.array([off, 1, 0]), 2 / 3) / steady - 1).max() > 0.2  # two revolutions
