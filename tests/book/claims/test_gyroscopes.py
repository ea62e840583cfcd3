"""Sentences of the page "Gyroscopes": what disturbs the tilt of an accelerometer, over long runs."""

import numpy as np
import pytest
from scipy.linalg import solve_continuous_are

import robotdyn as rd


def test_an_acceleration_that_lasts_disturbs_the_tilt_for_as_long_as_it_lasts():
    """An acceleration that lasts disturbs the tilt all the time, by 26° in a car that rounds a curve of 40 m radius at 50 km/h."""
    rng = np.random.default_rng(1)
    curve = (50 / 3.6) ** 2 / 40
    readings = np.array([0.0, curve, 9.81]) + 0.05 * rng.normal(size=(60_000, 3))
    tilts = np.degrees(np.arctan2(readings[:, 1], readings[:, 2]))
    assert tilts.mean() == pytest.approx(26, abs=0.5)
    times = np.arange(len(readings)) * 0.01
    up = rd.sensors.complementary_filter(times, readings, np.zeros_like(readings), 10.0, (0, 0, 1))[-1]
    assert np.degrees(np.arctan2(up[1], up[2])) == pytest.approx(26, abs=0.5)  # the filter believes it, too


@pytest.mark.parametrize("release", [10, 30, 60])
def test_most_of_the_error_of_a_swing_averages_out(release):
    """In a swing the error changes its sign, and most of it averages out."""
    rod = rd.robots.planar([0.6], [2.0], [0.3], [0.06])
    t = np.arange(0, 60, 0.01)
    swing = rd.simulate(rod, [np.radians(release) - np.pi / 2], [0], t=t, method="solve_ivp")
    speedup = rd.forward_dynamics(rod, swing.q, swing.qd, swing.tau)
    felt = rd.sensors.accelerometer(rod, swing.q, swing.qd, speedup, point=(0.2, 0, 0))
    error = np.arctan2(felt[:, 1], -felt[:, 0]) - (swing.q[:, 0] + np.pi / 2)
    assert abs(error.mean()) < 0.05 * abs(error).max()


@pytest.mark.parametrize("seed", range(20))
def test_a_kalman_filter_settles_at_the_best_time_constant(seed):
    """For white noise alone no filter does better: a Kalman filter for the tilt settles at just this time constant."""
    gyroscope, accelerometer = np.exp(np.random.default_rng(seed).normal((-18, -13), 2))  # S_omega, S_a
    noise = np.array([[accelerometer / 9.81**2]])
    variance = solve_continuous_are(np.zeros((1, 1)), np.eye(1), np.array([[gyroscope]]), noise)[0, 0]
    best = np.sqrt(accelerometer / gyroscope) / 9.81
    assert noise[0, 0] / variance == pytest.approx(best, rel=1e-6)  # one over the gain
    for factor in (0.5, 1, 2):
        constant = factor * best
        left = gyroscope * constant / 2 + accelerometer / (2 * 9.81**2 * constant)
        assert left >= variance * (1 - 1e-6)
        assert factor != 1 or left == pytest.approx(variance, rel=1e-6)


def test_a_filter_whose_gain_is_right_for_two_errors_has_them_alike():
    """The best time constant is where the line of the bias and that of the swing cross, whatever the two errors are."""
    rng = np.random.default_rng(5)
    for bias, swing, rate in 10 ** rng.uniform([-3, -1, 0], [-1, 0, 1], (30, 3)):
        constants = np.geomspace(1e-2, 1e4, 40_001)
        passed = swing / np.hypot(1, rate * constants)
        best = constants[np.argmin(np.hypot(bias * constants, passed))]
        if rate * best > 10:  # else the swing is hardly held back at all
            assert bias * best == pytest.approx(swing / np.hypot(1, rate * best), rel=0.02)
