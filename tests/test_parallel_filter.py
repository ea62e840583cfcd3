"""Torques that were smoothed are compared with rows that were smoothed in the same way: F tau = (F Y) beta."""

import dataclasses

import numpy as np
import pytest
from scipy.signal import butter, sosfiltfilt

import robotdyn as rd
from robotdyn import identification as ident
from robotdyn.identification.recording import Samples

ROD = rd.Arm([rd.Link(1, (0.5, 0, 0), np.diag([0.01, 0.05, 0.05]))], gravity=(0, -9.81, 0))
VISCOUS, COULOMB, INERTIA, MOMENT = 0.8, 0.5, 0.3, 0.5  # N m s, N m, kg m^2 about the joint, kg m


def swing(t, noise=0.0, angle_noise=0.0, seed=0):
    """A recording of two sines of the rod with friction, 0.32 and 0.9 Hz, torques by the equation of motion."""
    rng = np.random.default_rng(seed)
    phase = rng.uniform(0, 2 * np.pi, 2) if seed else np.zeros(2)
    rates = np.array([2.0, 2 * np.pi * 0.9])
    sizes = np.array([1.0, 0.05])
    angle = np.multiply.outer(t, rates) + phase
    q = np.sin(angle) @ sizes
    qd = np.cos(angle) @ (sizes * rates)
    qdd = -np.sin(angle) @ (sizes * rates**2)
    tau = INERTIA * qdd + VISCOUS * qd + COULOMB * np.sign(qd) + MOMENT * 9.81 * np.cos(q)
    measured = q + angle_noise * rng.normal(size=len(t)), tau + noise * rng.normal(size=len(t))
    return ident.Recording(t, *(x[:, None] for x in measured))


def friction(recording, **options):
    """The estimate of viscous and Coulomb friction, with their standard errors."""
    found = ident.identify(ROD, recording, joints=("viscous", "coulomb"), **options)
    return found, np.array([found["b_1"], found["d_1"]]), found.errors[-2:]


@pytest.mark.parametrize("cutoff", [1, 2, 5, 10])
@pytest.mark.parametrize("method", ["ordinary", "weighted", "robust"])
def test_a_filter_does_not_change_friction(cutoff, method):
    """Without noise: to a thousandth at each cutoff, where rows of filtered rates are wrong by up to a third."""
    recording = swing(np.arange(0, 20, 0.01)).filtered(cutoff)
    found, values, _ = friction(recording, method=method)
    assert np.allclose(values, [VISCOUS, COULOMB], rtol=3e-3)
    assert found["I_1zz"] == pytest.approx(INERTIA, rel=1e-2)  # it swings too slowly to show more of it
    forgets = dataclasses.replace(recording, lowpass=None)
    assert abs(friction(forgets)[1] / [VISCOUS, COULOMB] - 1).max() > 0.02


@pytest.mark.parametrize("count", [100, pytest.param(400, marks=pytest.mark.slow)])
def test_errors_that_are_told_are_those_that_are_made(count):
    """Of so many recordings with noise of angles and torques, at three cutoffs, 95 % of the intervals hold the friction."""
    t = np.arange(0, 12, 0.01)
    misses = []
    for seed in range(1, count + 1):
        recording = swing(t, noise=0.05, angle_noise=1e-4, seed=seed).filtered((2, 4, 8)[seed % 3])
        _, values, errors = friction(recording)
        misses.append((values - [VISCOUS, COULOMB]) / errors)
    share = (abs(np.array(misses)) < 1.96).mean(axis=0)
    assert (share > 0.95 - 3 * np.sqrt(0.95 * 0.05 / count)).all(), share  # less three standard deviations of a share
    assert (abs(np.mean(misses, axis=0)) < 3 / np.sqrt(count)).all()  # and of a mean


@pytest.mark.parametrize(
    "ratio", [2.55, 5.0, 13.9, *(pytest.param(x, marks=pytest.mark.slow) for x in (3.0, 3.99, 4.5, 5.9, 9.9))]
)
def test_errors_hold_at_any_number_of_samples_a_period(ratio):
    """Of 120 recordings with `ratio` samples a period of the cutoff: as large as they are told, also where two do not divide it."""
    cutoff = 4
    t = np.arange(0, 12, 1 / (ratio * cutoff))
    base = rd.base_parameters(ROD, ("viscous", "coulomb"))
    misses = []
    for seed in range(1, 121):
        found, values, errors = friction(swing(t, 0.02, 1e-4, seed).filtered(cutoff), base=base)
        misses.append((values - [VISCOUS, COULOMB]) / errors)
    rms = np.sqrt(np.mean(np.square(misses), axis=0))
    assert (abs(rms - 1) < 0.2).all(), (
        rms
    )  # 1 up to three standard deviations of 240 draws, 0.14, and 0.06 that the filter adds


def test_a_clock_that_rounds_or_jitters():
    """Times in whole milliseconds at 120 a second, or steps that differ by 4 %, pass; 22 % do when resampled: errors hold."""
    base = rd.base_parameters(ROD, ("viscous", "coulomb"))
    even = np.arange(0, 12, 1 / 120)
    kinds = {
        "rounded": lambda rng, seed: dataclasses.replace(swing(even, 0.05, 1e-4, seed), t=np.round(even, 3)),
        "jitter": lambda rng, seed: swing(even + rng.uniform(-0.05, 0.05, len(even)) / 120, 0.05, 1e-4, seed),
        "more": lambda rng, seed: swing(even + rng.uniform(-0.22, 0.22, len(even)) / 120, 0.05, 1e-4, seed).resampled(),
    }
    for kind, make in kinds.items():
        misses = []
        for seed in range(1, 61):
            recording = make(np.random.default_rng(seed), seed)
            _, values, errors = friction(recording.filtered(4), base=base)
            misses.append((values - [VISCOUS, COULOMB]) / errors)
        assert np.sqrt(np.mean(np.square(misses))) < 1.3, kind  # 1 and three standard deviations of 120 draws
    with pytest.raises(ValueError, match=r"steps that differ by 18 % .* filter recording\.resampled\(\)"):
        swing(even + np.random.default_rng(0).uniform(-0.22, 0.22, len(even)) / 120).filtered(4)
    swing(np.arange(0, 12, 0.01)).resampled()  # an even one may be, too


def test_rows_of_a_long_recording_take_little_memory():
    """Never more samples at once than the filter settles in and 20 periods: the model sees pieces, and all of them."""
    recording = swing(np.arange(0, 200, 0.002)).filtered(5)
    seen = []

    def model(q, qd, qdd):
        seen.append(len(q))
        return np.stack([qdd, np.tanh(qd / 1e-3)], axis=-1)

    rows = recording.rows(model)
    assert rows.shape == (len(recording), 1, 2) and max(seen) <= 40 * 100
    assert sum(seen) < 2.2 * 100_000


def test_rows_are_filtered_whole_though_they_are_made_in_pieces():
    """Pieces of a long recording, a part of it and every third sample have the rows of the whole."""
    t = np.arange(0, 60, 0.002)
    recording = swing(t, angle_noise=1e-4).filtered(5, thin=False)
    model = lambda q, qd, qdd: np.stack([qdd, np.tanh(qd / 1e-3)], axis=-1)
    whole = recording.rows(model)
    pieces = [recording.rows(model, slice(k, k + 1000)) for k in range(0, len(recording), 1000)]
    assert np.allclose(np.concatenate(pieces), whole, atol=1e-7 * abs(whole).max())
    part = recording.between(20, 30).thinned(3)
    chosen = np.flatnonzero((recording.t >= 20) & (recording.t <= 30))[::3]
    assert np.allclose(part.rows(model), whole[chosen], atol=1e-7 * abs(whole).max())
    two = Samples([part, recording], 1)
    assert np.allclose(two.rows(model), np.concatenate([whole[chosen], whole]), atol=1e-7 * abs(whole).max())
    assert np.allclose(
        two.rows(model, slice(3, None, 2000)), np.concatenate([whole[chosen], whole])[3::2000], atol=1e-7
    )


def test_rows_are_what_the_torques_passed():
    """By SciPy, beside the library: forward and backward, of the rows at every sample."""
    t = np.arange(0, 20, 0.01)
    raw = swing(t)
    recording = raw.filtered(3)
    low, wide = (butter(4, cutoff, fs=100, output="sos") for cutoff in (3, 6))
    rate = np.gradient(sosfiltfilt(wide, raw.q, axis=0), 0.01, axis=0)
    expected = sosfiltfilt(low, np.tanh(rate / 0.5), axis=0)
    kept = np.round(recording.t / 0.01).astype(int)
    assert np.allclose(recording.rows(lambda q, qd, qdd: np.tanh(qd / 0.5)), expected[kept], atol=2e-3)
    assert np.allclose(recording.tau, sosfiltfilt(low, raw.tau, axis=0)[kept])


def test_what_the_model_misses_is_judged_by_the_same_rows():
    """Exact data leave nothing unexplained, filtered as they are; a load is found through the filter, too."""
    recording = swing(np.arange(0, 20, 0.01)).filtered(3)
    found, _, _ = friction(recording)
    assert found.unexplained(recording)[0] < 1e-3
    loaded = ROD.carrying(rd.bodies.sphere(0.4, 0.05).at((0.8, 0, 0)))
    full = swing(np.arange(0, 20, 0.01))
    qd, qdd = np.gradient(full.q, 0.01, axis=0), np.gradient(np.gradient(full.q, 0.01, axis=0), 0.01, axis=0)
    heavier = rd.inverse_dynamics(loaded, full.q, qd, qdd) - rd.inverse_dynamics(ROD, full.q, qd, qdd)
    load = ident.payload(found, dataclasses.replace(full, tau=full.tau + heavier).filtered(3))
    assert load["m_1 c_1x"] == pytest.approx(0.4 * 0.8, rel=2e-3)
