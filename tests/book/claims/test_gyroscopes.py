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


@pytest.mark.parametrize("seed", range(8))
def test_no_gain_that_changes_with_time_does_better_than_the_kalman_gain(seed):
    """No other gain, constant or not, has a smaller variance at any time, and every start leads to the same variance."""
    rng = np.random.default_rng(seed)
    gyroscope, accelerometer = np.exp(rng.normal((-3, -2), 1))  # S_omega and S_a / g^2
    limit, dt, count = np.sqrt(gyroscope * accelerometer), 0.002, 10_000
    start = limit * np.exp(rng.normal())
    best = others = start
    speed = np.sqrt(gyroscope / accelerometer)
    wave = rng.uniform(0.2, 3, 2)
    for k in range(count):
        gain = best / accelerometer
        best += dt * (-2 * gain * best + gyroscope + gain**2 * accelerometer)
        gain = speed * wave[0] * (1 + 0.9 * np.sin(wave[1] * speed * k * dt))
        others += dt * (-2 * gain * others + gyroscope + gain**2 * accelerometer)
        assert best <= others * (1 + 1e-9)
    assert dt * count * speed < 3 or best == pytest.approx(limit, rel=0.01)


def settled(time_constant: float, bias: float, start: float, t_end: float) -> np.ndarray:
    """Return the angle between estimate and truth, in rad and unwrapped, of a filter in space whose sensors tumble."""
    t = np.arange(0, t_end, 0.005)
    axis = np.array([1.0, 0, 0])  # of the motion, of the bias and of the error
    angle = np.sin(t) + 0.3 * t
    up = np.stack([0 * t, np.sin(angle), np.cos(angle)], axis=1)  # in the axes of a sensor that turns about x
    rate = np.gradient(angle, t)[:, None] * axis
    first = (0, np.sin(angle[0] + start), np.cos(angle[0] + start))
    found = rd.sensors.complementary_filter(t, 9.81 * up, rate + bias * axis, time_constant, first)
    return np.unwrap(np.arctan2(found[:, 1], found[:, 2]) - angle)


@pytest.mark.parametrize("start", [0.3, 1.5, 3.0, -3.1])
def test_in_space_the_half_angles_tangent_decays_like_the_exponential(start):
    """tan(e / 2) decays like exp(-t / T_c), from every start but the opposite direction, whatever the motion."""
    e = settled(2.0, 0.0, start, 20)
    t = np.arange(len(e)) * 0.005
    assert e == pytest.approx(2 * np.arctan(np.tan(start / 2) * np.exp(-t / 2)), abs=0.01)


@pytest.mark.parametrize(("share", "lost"), [(0.5, False), (0.95, False), (1.1, True), (2.0, True)])
def test_a_bias_beyond_the_greatest_pull_turns_the_estimate_round_and_round(share, lost):
    """In the long run sin(e) is b T_c; for b T_c > 1 the bias is stronger than the greatest pull, and the estimate goes round and round."""
    e = settled(4.0, share / 4.0, 0.0, 150)
    if lost:
        assert abs(e[-1]) > 2 * np.pi
    else:
        assert np.sin(abs(e[-1])) == pytest.approx(share, abs=0.01)


def test_for_an_arm_that_rests_now_and_then_the_rule_beats_every_constant():
    """The rule is a good one for an arm that rests now and then."""
    arm = rd.robots.two_link((0.35, 0.30), (2.0, 1.2), (0.175, 0.15), (2.0 * 0.35**2 / 12, 1.2 * 0.30**2 / 12))
    for seed in range(3):
        rng = np.random.default_rng(seed)
        t, goals = np.arange(0, 30, 0.01), np.radians(rng.uniform(-90, 90, (11, 2)))
        k = (t / 3 + 1e-9).astype(int)  # a second of motion, then two of rest
        s, way = np.clip(t - 3 * k, 0, 1)[:, None], (goals[1:] - goals[:-1])[k]
        q = goals[k] + way * (10 * s**3 - 15 * s**4 + 6 * s**5)
        qd, qdd = way * (30 * s**2 - 60 * s**3 + 30 * s**4), way * (60 * s - 180 * s**2 + 120 * s**3)
        felt = rd.sensors.accelerometer(arm, q, qd, qdd, point=(0.2, 0, 0))
        felt = rd.sensors.with_errors(felt, t, rng=seed, bias=0.02, white=0.0015)
        turning = rd.sensors.gyroscope(arm, q, qd)
        turning = rd.sensors.with_errors(turning, t, rng=seed + 9, bias=(0, 0, 0.01), white=1e-4)
        truth = q.sum(axis=1)

        def size(constant, t=t, felt=felt, turning=turning, truth=truth):
            up = rd.sensors.complementary_filter(t, felt, turning, constant, (np.sin(truth[0]), np.cos(truth[0]), 0))
            e = np.arctan2(up[:, 0], up[:, 1]) - truth
            return np.degrees(np.sqrt(np.mean(((e + np.pi) % (2 * np.pi) - np.pi) ** 2)))

        rule = size(np.where(abs(np.linalg.norm(felt, axis=1) - 9.81) < 0.3, 0.5, np.inf))
        assert rule < 0.9 * min(size(constant) for constant in (0.1, 0.3, 0.5, 1, 1.5, 2, 3, 5, 10))


@pytest.mark.parametrize("upward", [-8.0, -2.0, 0.0, 3.0, 20.0])
def test_a_vertical_acceleration_does_not_disturb_the_tilt(upward):
    """Every acceleration that is not vertical disturbs the tilt; a vertical one changes the length of the reading alone."""
    rng = np.random.default_rng(7)
    for tilt, aside in rng.uniform([-3, 0.2], [3, 5], (20, 2)):
        axes = np.array([[np.cos(tilt), np.sin(tilt)], [-np.sin(tilt), np.cos(tilt)]])
        for level in (0.0, aside, -aside):
            seen = axes @ [level, upward + 9.81]  # the specific force, in the axes of the sensor
            off = np.angle(np.exp(1j * (np.arctan2(seen[0], seen[1]) - tilt)))
            assert (abs(off) > 1e-3) == (level != 0)
