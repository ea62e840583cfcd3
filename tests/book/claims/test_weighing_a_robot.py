"""Sentences of the page "Weighing a robot by moving it", on a motion that the page does not have."""

import dataclasses

import numpy as np
import pytest

import robotdyn as rd

ident = rd.identification
LENGTHS, WIDTH = (0.4, 0.35), 0.05
ROBOT = rd.robots.two_link(LENGTHS, (3.2, 1.7), coms=(0.18, 0.15), inertias=(0.06, 0.022))
DRAWING = rd.robots.two_link(LENGTHS, (3.0, 1.5))
FRICTION = {"viscous": (0.9, 0.4), "coulomb": (1.2, 0.5)}
BASE = rd.base_parameters(DRAWING, FRICTION, nonzero=True)
TRUTH = BASE.values(rd.parameters(ROBOT, FRICTION))
NOISE = np.array([0.4, 0.15])  # N m


@pytest.fixture(scope="module")
def run():
    """Return a run of the robot along Fourier series with coefficients by chance, from rest."""
    rng = np.random.default_rng(11)
    turns = np.arange(1, 6)
    sines, cosines = rng.normal(0, [[0.25], [0.4]], (2, 2, 5)) / turns**0.5
    cosines[:, 0] -= cosines.sum(axis=1)
    sines[:, 0] -= sines @ turns
    plan = ident.Fourier(np.array([-1.4, 0.0]), sines, cosines, 6.0)
    rub = rd.forces.total(rd.forces.viscous((0.9, 0.4)), rd.forces.coulomb((1.2, 0.5), width=WIDTH))
    law = rd.control.computed_torque(DRAWING, plan, 400, 40)
    return rd.control.run(ROBOT, law, *plan(0.0)[:2], 6.0, 1e-3, resolution=2 * np.pi / 2**14, load=rub)


def identified(t, angles, tau, cutoff, filtered_rows=True, thin=True):
    """Return the estimate from a filtered recording, with the rows of the model filtered or not."""
    record = ident.Recording(t, angles, tau).filtered(cutoff, thin)
    record = record if filtered_rows else dataclasses.replace(record, lowpass=None)
    return ident.identify(DRAWING, record, FRICTION, base=BASE, width=WIDTH)


def test_rows_that_are_not_filtered_bias_friction_without_any_noise(run):
    """Such rows make viscous friction too large and dry friction too small; filtered rows are nearly right.

    Of all samples: with a hundred it is chance how many lie beside one of the jumps.
    """
    names = list(BASE.groups)
    off = {
        rows: 100 * (identified(run.t, run.q, run.tau, 10, rows, False).values / TRUTH - 1) for rows in (True, False)
    }
    for viscous, dry in (("b_1", "d_1"), ("b_2", "d_2")):
        assert off[False][names.index(viscous)] > 0.3  # percent
        assert off[False][names.index(dry)] < -0.2
    assert abs(off[True][4:]).max() < 0.3 * abs(off[False][4:]).max()


def test_more_recordings_do_not_remove_the_bias(run):
    """The mean of z stays away from zero with rows that are not filtered, and is chance with rows that are."""
    rng = np.random.default_rng(1)
    z: dict[bool, list] = {True: [], False: []}
    for _ in range(40):
        tau = run.tau + rng.normal(0, NOISE, run.tau.shape)
        for rows, scores in z.items():
            found = identified(run.t, run.measured[:, 0], tau, 10, rows)
            scores.append((found.values - TRUTH) / found.errors)
    means = {rows: abs(np.mean(scores, axis=0)[4:]).max() for rows, scores in z.items()}
    assert means[True] < 3 / np.sqrt(40) < means[False]
    assert np.std(z[True], axis=0) == pytest.approx(np.ones(8), abs=0.5)  # the spread is what the standard errors say


def test_the_condition_number_depends_on_units_and_the_determinant_does_not():
    """Other units change the order of the condition numbers; they add the same number to each log determinant."""
    rng = np.random.default_rng(2)
    matrices = [rng.normal(size=(400, 8)) * np.exp(rng.normal(0, 1.5, 8)) for _ in range(2)]
    orders, gaps = set(), []
    for _ in range(200):
        scale = np.exp(rng.normal(0, 2, 8))
        orders.add(np.linalg.cond(matrices[0] * scale) < np.linalg.cond(matrices[1] * scale))
        gaps.append(np.subtract(*(np.linalg.slogdet((W * scale).T @ (W * scale))[1] for W in matrices)))
    assert orders == {True, False}
    assert np.ptp(gaps) < 1e-6


def test_the_motion_with_the_smaller_condition_number_may_know_less():
    """It has the smallest condition number, and does not make each number most certain: a sine knows the forearm better."""
    t = np.arange(0, 8, 0.02)
    sine = rd.control.sine([-1.4, 0.0], [0.7, 1.8], np.pi)
    seen = {}
    plans = [ident.excite(DRAWING, ((-2.2, -2.0), (-0.6, 2.0)), (4, 6), (40, 12), 8.0, base=BASE, width=WIDTH, seed=s, rounds=100) for s in (1, 2)]  # fmt: skip
    for name, motion in (("sine", sine), ("plan 1", plans[0]), ("plan 2", plans[1])):
        states = [np.array(x) for x in zip(*map(motion, t), strict=True)]
        rows = (BASE.regressor(DRAWING, *states, WIDTH) / NOISE[:, None]).reshape(-1, 8)
        spread = np.sqrt(np.linalg.inv(rows.T @ rows).diagonal())[list(BASE.groups).index("I_2zz")]
        seen[name] = ident.condition(BASE, *states, WIDTH), spread
    for plan in ("plan 1", "plan 2"):
        assert seen[plan][0] < seen["sine"][0]
        assert seen[plan][1] > 2 * seen["sine"][1]


def test_a_motion_that_was_not_seen_tells_of_friction_what_no_standard_error_does(run):
    """The model with friction misses hardly more than the noise of the torques; without friction far more, on other motions, too."""
    rng, ours, theirs, noise = np.random.default_rng(12), [], [], []
    simple = rd.base_parameters(DRAWING, nonzero=True)
    other = rd.control.sine([-1.4, 0.0], [0.6, 1.2], 2.3, [0, 1])
    rub = rd.forces.total(rd.forces.viscous((0.9, 0.4)), rd.forces.coulomb((1.2, 0.5), width=WIDTH))
    law = rd.control.computed_torque(DRAWING, other, 400, 40)
    unseen = rd.control.run(ROBOT, law, *other(0.0)[:2], 4.0, 1e-3, resolution=2 * np.pi / 2**14, load=rub)
    for _ in range(12):
        seen, fresh = (
            ident.Recording(x.t, x.measured[:, 0], x.tau + rng.normal(0, NOISE, x.tau.shape)).filtered(10)
            for x in (run, unseen)
        )
        ours.append(ident.identify(DRAWING, seen, FRICTION, base=BASE, width=WIDTH).unexplained(fresh))
        theirs.append(ident.identify(DRAWING, seen, base=simple).unexplained(fresh))
        hum = ident.Recording(unseen.t, unseen.q, rng.normal(0, NOISE, unseen.tau.shape)).filtered(10).tau
        noise.append(hum.std(axis=0) / np.sqrt((fresh.tau**2).mean(axis=0)))
    assert (np.mean(ours, axis=0) < 1.4 * np.mean(noise, axis=0)).all()
    assert (np.min(theirs, axis=0) > 5 * np.max(ours, axis=0)).all()


def test_the_shift_depends_on_the_motion():
    """On other motions the shift is another, and on slow ones it is small."""
    rub = rd.forces.total(rd.forces.viscous((0.9, 0.4)), rd.forces.coulomb((1.2, 0.5), width=WIDTH))
    place, shifts = [list(BASE.groups).index(name) for name in ("b_1", "d_1", "b_2", "d_2")], []
    for size, rate in (((0.6, 1.2), 2.3), ((0.3, 1.5), 0.7), ((0.7, 0.5), 1.5)):
        motion = rd.control.sine([-1.4, 0.0], size, rate, [0, 1])
        law = rd.control.computed_torque(DRAWING, motion, 400, 40)
        run = rd.control.run(ROBOT, law, *motion(0.0)[:2], 6.3, 1e-3, resolution=2 * np.pi / 2**14, load=rub)
        found = [identified(run.t, run.q, run.tau, 10, rows, False).values for rows in (False, True)]
        shifts.append(abs(np.subtract(*found) / TRUTH)[place].max())
    assert shifts[0] > 0.01
    assert max(shifts[1:]) < 0.2 * shifts[0]


def test_an_error_of_the_second_difference_where_a_joint_moves_and_where_it_creeps():
    """Where the rate sweeps over several steps a sample it is delta / (sqrt(2) dt^2).

    A joint that creeps repeats its error; one at rest has no second difference.
    """
    step, dt = 2 * np.pi / 2**14, 1e-3
    t = np.arange(0, 8, dt)
    predicted = step / (np.sqrt(2) * dt**2)

    def error(q):
        return np.std(np.diff(np.round(q / step) * step, 2) - np.diff(q, 2)) / dt**2 / predicted

    rng = np.random.default_rng(4)
    for _ in range(30):
        most, rate, place = rng.uniform([3, 1.0, -1], [10, 6.0, 1]) * [step / dt, 1, 1]
        assert abs(error(place + most / rate * np.cos(rate * t)) - 1) < 0.1
    assert error(0.3 + 0.01 * t) < 0.4
    assert np.std(np.diff(np.round((0.3 + 0 * t) / step) * step, 2)) < 1e-15


def test_all_torques_stay_where_three_numbers_change_together():
    """Along the strip the sum stays what it is, and with it all torques if I_1zz gives up what 0.16 m_2 gains."""
    rng = np.random.default_rng(5)
    states = rng.normal(size=(3, 50, 2))
    phi = rd.parameters(ROBOT)
    for more, same in ((-0.16, True), (0.0, False)):
        other = phi.copy()
        other[[10, 1, 9]] += 0.3 * np.array([1, -0.4, more])
        gap = abs(rd.regressor(ROBOT, *states) @ (other - phi)).max()
        assert (gap < 1e-12) == same


def test_the_forearm_of_the_sine_accelerates_more_than_its_elbow():
    """The elbow accelerates by up to 18 rad/s^2 and the forearm, which turns with the upper arm as well, by up to 25."""
    motion = rd.control.sine([-1.4, 0.0], [0.7, 1.8], np.pi)
    qdd = np.array([motion(t)[2] for t in np.linspace(0, 2, 2001)])
    assert abs(abs(qdd[:, 1]).max() - 1.8 * np.pi**2) < 1e-3 and abs(abs(qdd.sum(axis=1)).max() - 2.5 * np.pi**2) < 1e-3


def test_four_better_readings():
    """Level, twice with 4 and twice with -4 rad/s^2: no four readings of the link leave a smaller standard error of either
    unknown, nor a larger determinant, and those of the table leave sqrt 2 times as much."""
    rng, g = np.random.default_rng(35), 9.81

    def judged(a, c):
        W = np.stack([a, g * c], axis=-1)
        information = np.swapaxes(W, -1, -2) @ W
        variance = np.linalg.solve(information, np.broadcast_to(np.eye(2), information.shape))
        return 0.25 * np.sqrt(np.diagonal(variance, axis1=-2, axis2=-1)), np.linalg.det(information)

    best, largest = judged(np.array([4.0, 4, -4, -4]), np.ones(4))
    assert best == pytest.approx([0.25 / 8, 0.25 / (2 * g)])
    table, _ = judged(np.array([4.0, -4, 0, 0]), np.array([0.0, 0, 1, 1]))
    assert table / best == pytest.approx(np.sqrt(2))
    a, c = 4 * rng.uniform(-1, 1, (50_000, 4)), rng.uniform(-1, 1, (50_000, 4))
    a[::2], c[::2] = 4 * np.sign(a[::2]), np.sign(c[::2])  # half of them with all of both
    full = abs(np.linalg.det(np.swapaxes(W := np.stack([a, c], axis=-1), 1, 2) @ W)) > 1e-6
    tried, determinants = judged(a[full], c[full])
    assert (tried >= best * (1 - 1e-12)).all()
    assert (determinants <= largest * (1 + 1e-12)).all()


def test_no_other_linear_unbiased_estimate_has_a_smaller_standard_error():
    """With the true weights, no other unbiased estimate that is linear in the readings has a smaller standard error for any parameter."""
    rng = np.random.default_rng(13)
    for _ in range(50):
        W, sigma = rng.normal(size=(30, 4)), np.repeat(np.exp(rng.normal(size=2)), 15)
        rows = W / sigma[:, None]
        best = np.linalg.solve(rows.T @ rows, rows.T) / sigma  # the estimate is best @ tau
        assert np.allclose(best @ W, np.eye(4))
        blind = np.eye(30) - W @ np.linalg.pinv(W)  # what is added to an estimate must not see W
        others = [best + rng.normal(size=(4, 30)) @ blind, np.linalg.pinv(W)]
        others += [best + 1e-4 * rng.normal(size=(4, 30)) @ blind]
        least = np.linalg.norm(best * sigma, axis=1)
        assert all((np.linalg.norm(other * sigma, axis=1) >= least * (1 - 1e-12)).all() for other in others)
