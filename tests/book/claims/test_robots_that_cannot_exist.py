"""Sentences of the page "Robots that cannot exist", on a motion that the page does not have."""

import numpy as np
import pytest

import robotdyn as rd

ident = rd.identification
LENGTHS, WIDTH, STEP = (0.4, 0.35), 0.05, 2 * np.pi / 2**14
ROBOT = rd.robots.two_link(LENGTHS, (3.2, 1.7), coms=(0.18, 0.15), inertias=(0.06, 0.022))
DRAWING = rd.robots.two_link(LENGTHS, (3.0, 1.5))
FRICTION = {"viscous": (0.9, 0.4), "coulomb": (1.2, 0.5)}
BASE = rd.base_parameters(DRAWING, FRICTION, nonzero=True)
TRUTH = BASE.values(rd.parameters(ROBOT, FRICTION))
NOISE = (0.4, 0.15)  # N m
PERIOD = 6.0  # s


def runs():
    """Return the run of the robot and that of the model which supplies the instruments, along a motion by chance."""
    rng = np.random.default_rng(4)
    turns = np.arange(1, 6)
    sines, cosines = rng.normal(0, [[0.25], [0.4]], (2, 2, 5)) / turns**0.5
    cosines[:, 0] -= cosines.sum(axis=1)
    sines[:, 0] -= sines @ turns
    plan = ident.Fourier(np.array([-1.4, 0.0]), sines, cosines, PERIOD)
    rub = rd.forces.total(rd.forces.viscous((0.9, 0.4)), rd.forces.coulomb((1.2, 0.5), width=WIDTH))
    law = rd.control.computed_torque(DRAWING, plan, 400, 40)
    start = plan(0.0)[:2]
    real = rd.control.run(ROBOT, law, *start, PERIOD, 1e-3, resolution=STEP, load=rub)
    biased = rd.control.run(DRAWING, law, *start, PERIOD, 1e-3, load=rub)
    return real, ident.Recording(biased.t, biased.q, biased.tau).filtered(30)


@pytest.fixture(scope="module")
def repeats():
    """Return z by least squares, z with instruments, and the correlations of neighboring residuals, over 24 recordings."""
    run, instruments = runs()
    rng, plain, better, neighbors = np.random.default_rng(5), [], [], []
    for _ in range(24):
        zero = rng.uniform(0, STEP, 2)
        angles = np.round((run.q + zero) / STEP) * STEP - zero
        record = ident.Recording(run.t, angles, run.tau + rng.normal(0, NOISE, run.tau.shape)).filtered(30)
        found = ident.identify(DRAWING, record, FRICTION, base=BASE, width=WIDTH)
        plain.append((found.values - TRUTH) / found.errors)
        found = ident.identify(DRAWING, record, FRICTION, "instrumental", BASE, instruments, WIDTH)
        better.append((found.values - TRUTH) / found.errors)
        left = record.tau - BASE.regressor(DRAWING, record.q, record.qd, record.qdd, WIDTH) @ found.values
        neighbors.append([np.corrcoef(x[1:], x[:-1])[0, 1] for x in left.T])
    return np.array(plain), np.array(better), np.mean(neighbors, axis=0)


def test_least_squares_is_biased_and_instruments_are_not(repeats):
    """Noise in the motion makes inertias too small; with instruments no bias is left."""
    plain, better, _ = repeats
    last = list(BASE.groups).index("I_2zz")
    bias = plain[:, last].mean()
    assert bias < -3 / np.sqrt(len(plain))  # chance alone stays above
    assert abs(better.mean(axis=0)).max() < 0.5 * abs(bias)


def test_the_standard_errors_with_instruments_are_too_large(repeats):
    """The root mean square of z is about 0.4 where it should be 1, because neighboring errors are of opposite signs."""
    _, better, neighbors = repeats
    by_recording = np.sqrt((better**2).mean(axis=1))
    half_width = 3 * by_recording.std() / np.sqrt(len(by_recording))
    assert np.sqrt((better**2).mean()) + half_width < 0.7
    assert (neighbors < -0.3).all()


def test_they_are_right_where_neighboring_errors_are_independent():
    """Standard errors take the errors of neighboring samples for independent; where they are, the root mean square of z is 1."""
    rng = np.random.default_rng(6)
    t = np.arange(0, 8, 0.02)
    motion = rd.control.sine([-1.4, 0.3], [0.7, 1.5], 2.1)
    states = [np.array(x) for x in zip(*map(motion, t), strict=True)]
    states[0][:, 1] += 0.5 * np.sin(3.7 * t)
    states[1][:, 1] += 0.5 * 3.7 * np.cos(3.7 * t)
    states[2][:, 1] -= 0.5 * 3.7**2 * np.sin(3.7 * t)
    exact = BASE.regressor(DRAWING, *states, WIDTH) @ TRUTH
    z = []
    for _ in range(60):
        noisy = states[2] + rng.normal(
            0, (2.0, 4.0), states[2].shape
        )  # as large as the accelerations at 30 Hz are wrong
        record = ident.Recording(t, states[0], exact + rng.normal(0, NOISE, exact.shape), states[1], noisy)
        true = ident.Recording(t, states[0], exact, states[1], states[2])
        found = ident.identify(DRAWING, record, FRICTION, "instrumental", BASE, true, WIDTH)
        z.append((found.values - TRUTH) / found.errors)
    assert np.sqrt(np.mean(np.square(z))) == pytest.approx(1, abs=0.15)
