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


def by_chance(seed):
    """Return a motion by chance that begins at rest."""
    rng = np.random.default_rng(seed)
    turns = np.arange(1, 6)
    sines, cosines = rng.normal(0, [[0.25], [0.4]], (2, 2, 5)) / turns**0.5
    cosines[:, 0] -= cosines.sum(axis=1)
    sines[:, 0] -= sines @ turns
    return ident.Fourier(np.array([-1.4, 0.0]), sines, cosines, PERIOD)


def followed(arm, plan, resolution=STEP, duration=PERIOD):
    """Return the run of an arm whose controller has the model of the drawing."""
    rub = rd.forces.total(rd.forces.viscous((0.9, 0.4)), rd.forces.coulomb((1.2, 0.5), width=WIDTH))
    law = rd.control.computed_torque(DRAWING, plan, 400, 40)
    return rd.control.run(arm, law, *plan(0.0)[:2], duration, 1e-3, resolution=resolution, load=rub)


def recorded(run, rng):
    """Return a recording of a run: encoders whose steps begin somewhere, and noisy torques."""
    zero = rng.uniform(0, STEP, 2)
    angles = np.round((run.q + zero) / STEP) * STEP - zero
    return ident.Recording(run.t, angles, run.tau + rng.normal(0, NOISE, run.tau.shape))


def identified(record, method="weighted"):
    """Return the estimate from a filtered recording."""
    return ident.identify(DRAWING, record, FRICTION, method, BASE, width=WIDTH)


@pytest.fixture(scope="module")
def fast():
    """Return the run of the robot along a motion by chance."""
    return followed(ROBOT, by_chance(4))


@pytest.fixture(scope="module")
def plan():
    """Return a planned motion that is not the page's."""
    reach = (-2.2, -2.0), (-0.6, 2.0)
    return ident.excite(DRAWING, reach, (4, 6), (40, 12), 8.0, base=BASE, width=WIDTH, seed=2, rounds=200)


@pytest.fixture(scope="module")
def repeats(fast):
    """Return z by least squares, z with instruments, and the correlations of neighboring residuals, over 24 recordings."""
    biased = followed(DRAWING, by_chance(4), 0.0)
    instruments = ident.Recording(biased.t, biased.q, biased.tau).filtered(30)
    rng, plain, better, neighbors = np.random.default_rng(5), [], [], []
    for _ in range(24):
        record = recorded(fast, rng).filtered(30)
        found = identified(record)
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


def test_a_slow_motion_leaves_little_of_the_inertia_and_the_rest_is_chance(fast, plan):
    """Little of the inertia is left, and what remains is noise; what the fit misses on the fast motion is a matter of chance.

    The possible robot misses less, in nearly all recordings.
    """
    timid = ident.Fourier(plan.center, plan.sines / 3, plan.cosines / 3, 24.0)
    slow, rng = followed(ROBOT, timid, duration=8.0), np.random.default_rng(8)
    fresh = recorded(fast, rng).filtered(10)
    last, missed, inertias = list(BASE.groups).index("I_2zz"), [], []
    rows = BASE.regressor(DRAWING, fresh.q, fresh.qd, fresh.qdd, WIDTH)
    for _ in range(12):
        fit = identified(recorded(slow, rng).filtered(10))
        real = BASE.values(ident.physical_parameters(fit, spread=0.3))
        inertias.append(fit.values[last])
        squares = [((fresh.tau - rows @ beta) ** 2).mean(axis=0) for beta in (fit.values, real)]
        missed.append(np.sqrt(squares / (fresh.tau**2).mean(axis=0)))
    missed = np.array(missed)
    assert np.mean(inertias) < 0.5 * TRUTH[last]
    assert np.ptp(inertias) > 0.5 * TRUTH[last]
    assert (np.ptp(missed[:, 0], axis=0) > missed[:, 0].mean(axis=0) / 2).all()
    assert (missed[:, 1] < missed[:, 0]).mean() > 0.75


def test_a_loose_cable_spoils_the_inertias_most(plan):
    """The inertias suffer more than the first moments; robust regression is off no more than without a loose cable."""
    run, rng, plain, robust, clean = followed(ROBOT, plan, duration=8.0), np.random.default_rng(9), [], [], []
    for _ in range(12):
        record = recorded(run, rng).filtered(10)
        torn = record.tau.copy()
        torn[::20] += [15, 5]
        shaken = ident.Recording(record.t, record.q, torn, record.qd, record.qdd)
        whole = ident.Recording(record.t, record.q, record.tau, record.qd, record.qdd)
        for found, asked, method in (
            (plain, shaken, "weighted"),
            (robust, shaken, "robust"),
            (clean, whole, "weighted"),
        ):
            found.append(identified(asked, method).values / TRUTH - 1)
    sizes = np.mean(plain, axis=0)
    names = list(BASE.groups)
    assert sizes[names.index("I_2zz")] > sizes[names.index("m_2 c_2x")] > 0.05
    off, usual = (abs(np.array(x)).max(axis=1) for x in (robust, clean))
    assert off.mean() < 1.5 * usual.mean()
    assert off.max() < 0.5 * abs(np.array(plain)).max(axis=1).min()


def test_errors_of_one_column_make_its_number_too_small_and_may_make_another_too_large():
    """The first one is too small in size, always; the second takes up what is lost, too large where the columns agree."""
    rng = np.random.default_rng(20)
    for _ in range(20):
        alpha, beta, mix, error = rng.uniform([0.2, 0.2, -1.5, 0.3], [3, 3, 1.5, 2])
        y = rng.normal(size=200_000)
        x = mix * y + rng.normal(size=len(y))
        seen = np.column_stack([x + rng.normal(0, error, len(y)), y])
        found = np.linalg.lstsq(seen, alpha * x + beta * y, rcond=None)[0]
        alone = (x @ x - (x @ y) ** 2 / (y @ y)) / len(y)
        shrunk = alpha * alone / (alone + error**2)
        expected = [shrunk, beta + (alpha - shrunk) * (x @ y) / (y @ y)]
        assert np.allclose(found, expected, atol=0.03)
        assert found[0] < alpha and (abs(mix) < 0.1 or (found[1] > beta) == (mix > 0))


@pytest.mark.parametrize("seed", range(3))
def test_wrong_accelerations_of_the_elbow_make_the_inertia_of_the_upper_arm_too_large(seed):
    """On a motion in step I_2zz becomes too small and I_1zz + 0.16 m_2 too large, without any noise of the torques."""
    rng = np.random.default_rng(seed)
    motion = rd.control.sine([-1.4, 0.3], rng.uniform([0.6, 1.5], [0.8, 2.0]), 2.1)
    q, qd, qdd = (np.array(x) for x in zip(*map(motion, np.arange(0, 200, 0.02)), strict=True))
    tau = BASE.regressor(DRAWING, q, qd, qdd, WIDTH) @ TRUTH
    noisy = qdd + rng.normal(0, [0, 3], qdd.shape)
    rows = BASE.regressor(DRAWING, q, qd, noisy, WIDTH).reshape(-1, len(TRUTH))
    off = np.linalg.lstsq(rows, tau.ravel(), rcond=None)[0] / TRUTH - 1
    names = list(BASE.groups)
    assert off[names.index("I_2zz")] < -0.5 and off[names.index("I_1zz + 0.16 m_2")] > 0.1


def test_the_residuals_grow_with_the_noise_of_the_motion(fast):
    """From 10 to 30 Hz the residuals of both joints grow by more than the noise of the torques, a factor of sqrt(3)."""
    run = recorded(fast, np.random.default_rng(21))
    records = [run.filtered(cutoff) for cutoff in (10, 30)]
    left = [identified(record).unexplained(record) for record in records]
    assert (left[1] > 1.3 * np.sqrt(3) * left[0]).all()


def load_rank(arm, angles, rng) -> int:
    """Return how many combinations of a load's numbers show, with the elbow at rest at some angles (None: moving)."""
    rows = []
    for angle in angles:
        q, qd, qdd = rng.normal(size=(3, 20, 2))
        if angle is not None:
            q[:, 1], qd[:, 1], qdd[:, 1] = angle, 0, 0
        rows.append(rd.regressor(arm, q, qd, qdd)[..., [10, 11, 12, 19]].reshape(-1, 4))
    return int(np.linalg.matrix_rank(np.concatenate(rows), tol=1e-9))


def test_a_load_on_a_table_shows_all_its_numbers_and_three_with_the_elbow_at_rest():
    """All four numbers of a load show; with the elbow at rest three at one angle, and a second angle tells all four."""
    rng = np.random.default_rng(22)
    for lengths in rng.uniform(0.2, 1, (10, 2)):
        flat = rd.robots.two_link(lengths, (1.0, 1.0), gravity=0)
        first, second = rng.uniform([0.2, 1.5], [1.2, 2.8])
        ranks = [load_rank(flat, angles, rng) for angles in ([None], [first], [first, second])]
        assert ranks == [4, 3, 4]


def test_alone_and_zero_are_no_exceptions_to_the_formula():
    """Unless it is zero the first one is too small, by more than alone where the columns are not orthogonal; by as much where they are."""
    rng = np.random.default_rng(21)
    for alpha, mix, error in ((0.0, 1.0, 0.7), (2.0, 0.0, 0.7), (2.0, 1.0, 0.7), (-2.0, 1.0, 0.7)):
        y, z = rng.normal(size=(2, 400_000))
        z -= y * (y @ z) / (y @ y)  # exactly orthogonal
        x = (mix * y + z) / np.hypot(mix, 1)
        seen = x + error * rng.normal(size=len(y))
        both = np.linalg.lstsq(np.column_stack([seen, y]), alpha * x + 1.5 * y, rcond=None)[0]
        alone = alpha * (seen @ x) / (seen @ seen)
        assert abs(both[0]) < abs(alpha) or alpha == 0
        assert abs(both[0]) < 0.01 if alpha == 0 else (abs(both[0]) < abs(alone) - 0.05) == (mix != 0)
