"""What an identification says of itself: unbiased noise, units by their definitions, filters by their gain, tables, bounds of input."""

import io
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize, stats

import robotdyn as rd
from robotdyn.identification import (
    Recording,
    condition,
    excite,
    identify,
    normal_equations,
    payload,
    physical_parameters,
    read_csv,
)
from robotdyn.identification.estimate import HUBER, TUKEY

ARM, ONE = rd.robots.two_link(), rd.robots.planar(1)
BASE = rd.base_parameters(ARM)


def states(arm, samples, seed=0):
    """Random states, which are no motion; a fit does not ask."""
    return np.random.default_rng(seed).normal(size=(3, samples, arm.n))


def recorded(arm, q, qd, qdd, noise=0.0, rng=None):
    tau = rd.inverse_dynamics(arm, q, qd, qdd)
    return Recording(
        0.01 * np.arange(len(q)), q, tau if rng is None else tau + noise * rng.normal(size=q.shape), qd, qdd
    )


# ---- noise ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["ordinary", "weighted"])
def test_the_variance_of_the_noise_is_unbiased(method):
    """One joint, three parameters: the residuals' sum of squares is sigma^2 chi^2 of T - 3 degrees of freedom (Gauss)."""
    trials, samples, sigma, rng = 200, 6, 0.4, np.random.default_rng(5)
    base, x = rd.base_parameters(ONE), states(ONE, samples)
    assert len(base) == 3
    noise = [identify(ONE, recorded(ONE, *x, sigma, rng), method=method, base=base).noise[0] for _ in range(trials)]
    freedom = samples - 3
    lower, upper = stats.chi2.ppf(
        [1e-4, 1 - 1e-4], trials * freedom
    )  # within 21 %; with freedom off by one: 25 % and more
    assert lower < freedom * np.sum(np.square(noise)) / sigma**2 < upper


@pytest.mark.parametrize("method", ["ordinary", "weighted", "robust"])
def test_each_joint_bears_its_part_of_the_degrees_of_freedom(method):
    """Two joints alike in noise: together sigma^2 chi^2 of 2 T - 6; the standard errors are those of the trials."""
    trials, sigma, samples, rng = (40 if method == "robust" else 100), 0.4, 24, np.random.default_rng(6)
    x = states(ARM, samples)
    found = [identify(ARM, recorded(ARM, *x, sigma, rng), method=method, base=BASE) for _ in range(trials)]
    spread = np.std([estimate.values for estimate in found], axis=0)
    errors = np.sqrt(np.mean([estimate.errors**2 for estimate in found], axis=0))
    assert np.allclose(spread / errors, 1, atol=0.4 if method == "robust" else 0.28)  # four deviations of a deviation
    if method != "robust":  # whose noise is a median
        squares = sum((estimate.noise**2).sum() for estimate in found) * (samples - 3) / sigma**2
        lower, upper = stats.chi2.ppf([1e-4, 1 - 1e-4], trials * (2 * samples - 6))
        assert lower < squares < upper


@pytest.mark.parametrize(("name", "k"), [("huber", HUBER), ("tukey", TUKEY)])
def test_weights_lose_a_twentieth_where_the_noise_is_normal(name, k):
    """Efficiency (E psi')^2 / E psi^2 = 0.95 of psi = u w(u): Huber and Ronchetti (2009); to the digits published."""
    u = np.linspace(-9, 9, 200001)
    inside = abs(u) <= k
    psi = np.clip(u, -k, k) if name == "huber" else np.where(inside, u * (1 - (u / k) ** 2) ** 2, 0)
    slope = inside if name == "huber" else np.where(inside, (1 - (u / k) ** 2) * (1 - 5 * (u / k) ** 2), 0)
    mean = lambda values: np.sum(values * stats.norm.pdf(u)) * (u[1] - u[0])
    assert np.isclose(mean(slope) ** 2 / mean(psi**2), 0.95, atol=1e-4)


def test_a_robust_noise_is_a_standard_deviation():
    """1.4826 times the median of normal residuals is their standard deviation, each joint's its own."""
    rng, x = np.random.default_rng(3), states(ARM, 400)
    noise = np.array([0.5, 0.05])
    found = identify(ARM, recorded(ARM, *x, noise, rng), method="robust", base=BASE)
    assert np.allclose(found.noise / noise, 1, atol=4 * 1.17 / np.sqrt(400))  # deviation of that median: 1.17 / sqrt(T)


def tukeys(u):
    """psi(u) = u (1 - (u / k)^2)^2 up to k, and nothing beyond."""
    return u * np.maximum(0, 1 - (u / TUKEY) ** 2) ** 2


@pytest.mark.parametrize("method", ["weighted", "robust"])
def test_an_estimate_solves_its_equations(method):
    """sum of Y_tj psi(r_tj / s_j) / s_j = 0 over samples and joints, psi(u) = u or Tukey's; s_j of the residuals themselves.

    Covariance: (sum_j Y_j^T Y_j / v_j)^-1 with v_j = s_j^2 (sum psi^2 / (T - p)) / (mean psi')^2, p parameters a joint;
    Huber and Ronchetti (2009), section 7.6.
    """
    rng, x, samples = np.random.default_rng(11), states(ARM, 150), 150
    record = recorded(ARM, *x, np.array([0.8, 0.04]), rng)
    record = replace(record, tau=record.tau + np.array([9.0, 0.5]) * (rng.random((samples, 2)) < 0.1))
    found = identify(ARM, record, method=method, base=BASE)
    Y = BASE.regressor(ARM, *x)
    left = record.tau - Y @ found.values
    psi = tukeys if method == "robust" else lambda u: u
    free = samples - 3
    own = 1.4826 * np.median(abs(left), axis=0) if method == "robust" else np.sqrt((left**2).sum(0) / free)
    assert np.allclose(found.noise, own, rtol=1e-6)
    u = left / found.noise
    terms = Y * (psi(u) / found.noise)[..., None]
    assert (abs(terms.sum((0, 1))) < 1e-6 * abs(terms).sum((0, 1))).all()
    slope = (psi(u + 1e-5) - psi(u - 1e-5)) / 2e-5
    spread = found.noise**2 * (psi(u) ** 2).sum(0) / free / slope.mean(0) ** 2
    expected = np.linalg.inv(np.einsum("tjr,tjs,j->rs", Y, Y, 1 / spread))
    assert np.allclose(found.covariance, expected, rtol=1e-5, atol=1e-6 * abs(expected).max())


@pytest.mark.parametrize("method", ["ordinary", "weighted", "robust"])
def test_rounds_end_when_the_estimate_stays(method, monkeypatch):
    """Exact data are solved at once: a round or two of each kind of weights see that nothing changes any more."""
    solve, asked = normal_equations.NormalEquations.solve, []
    monkeypatch.setattr(
        normal_equations.NormalEquations, "solve", lambda self, weights: asked.append(1) or solve(self, weights)
    )
    identify(ARM, recorded(ARM, *states(ARM, 60)), method=method, base=BASE)
    assert len(asked) <= 3 * (3 if method == "robust" else 1)


@pytest.mark.parametrize("unit", [1e-70, 1e70])
@pytest.mark.parametrize("method", ["ordinary", "weighted", "robust"])
def test_units_do_not_matter(method, unit):
    """Torques so many times as large: so are the parameters, their errors and the noise."""
    x = states(ARM, 60)
    record = recorded(ARM, *x, 0.3, np.random.default_rng(12))
    one, other = (identify(ARM, replace(record, tau=k * record.tau), method=method, base=BASE) for k in (1, unit))
    for name in ("values", "errors", "noise"):
        assert np.allclose(getattr(other, name) / unit, getattr(one, name), rtol=1e-6)


@pytest.mark.parametrize("method", ["ordinary", "weighted", "robust"])
def test_a_joint_without_torque_moves_nothing(method):
    """Where no torque was felt at all the parameters are zero; where one joint felt none, its own are, and the others stay."""
    x = states(ARM, 40)
    nothing = identify(ARM, replace(recorded(ARM, *x), tau=np.zeros((40, 2))), method=method, base=BASE)
    assert not nothing.values.any() and (nothing.errors < 1e-9).all() and (nothing.noise < 1e-9).all()
    rails = rd.Arm(
        [rd.Link(m, joint="prismatic", axis=axis) for m, axis in zip((1.0, 2.0), np.eye(3))], gravity=(0, 0, 0)
    )
    record = recorded(rails, *x, 0.1, np.random.default_rng(3))
    whole, half = (identify(rails, replace(record, tau=record.tau * k), method=method) for k in ([1, 1], [1, 0]))
    assert np.allclose([whole["m_1"], whole["m_2"]], [1, 2], atol=0.1) and np.isfinite(half.errors).all()
    assert np.isclose(half["m_2"], 0, atol=1e-12) and np.isclose(half["m_1"], whole["m_1"] + whole["m_2"], rtol=1e-6)
    torques = half.torques(*x)
    assert np.allclose(torques[:, 1], 0, atol=1e-12) and np.allclose(torques[:, 0], whole.torques(*x)[:, 0], rtol=1e-6)


def test_prediction_misses_are_told_beside_the_torques():
    """rms(tau - Y beta) / rms(tau), a joint each; a joint without torque has none to miss."""
    x = states(ARM, 40)
    record = recorded(ARM, *x)
    half = replace(identify(ARM, record, base=BASE), values=BASE.values() / 2)
    assert np.allclose(half.torques(*x), record.tau / 2) and np.allclose(half.unexplained(record), 0.5)
    assert half.torques(*x[:, 0]).shape == (2,)
    shifted = replace(record, tau=record.tau + np.array([3.0, -4.0]))
    exact = replace(half, values=BASE.values())
    assert np.allclose(exact.unexplained(shifted), [3, 4] / np.sqrt((shifted.tau**2).mean(0)))
    still = replace(record, tau=0 * record.tau)
    assert np.isfinite(replace(half, values=0 * half.values).unexplained(still)).all()


# ---- sums -----------------------------------------------------------------------------------------------------------


def test_the_same_estimate_in_blocks_of_any_length(monkeypatch):
    """Kept or made anew, of all samples or of some for the whitening, with a program or without: one least squares."""
    rng, x = np.random.default_rng(2), states(ARM, 83)
    record = recorded(ARM, *x, 0.3, rng)
    W = BASE.regressor(ARM, *x).reshape(-1, 6)
    expected = np.linalg.lstsq(W, record.tau.ravel(), rcond=None)[0]
    left = (record.tau.ravel() - W @ expected).reshape(-1, 2)
    for block, cached, subset in ((1000, 2**25, 3000), (10, 2**25, 20), (7, 0, 50), (83, 0, 83), (1, 10, 5)):
        for name, value in (("BLOCK_SAMPLES", block), ("MAX_CACHED_ENTRIES", cached), ("QR_SAMPLES", subset)):
            monkeypatch.setattr(normal_equations, name, value)
        for samples in (1, 10**6):  # from which on a program is made
            monkeypatch.setattr("robotdyn.identification.estimate.SPECIALIZED_SAMPLES", samples)
            found = identify(ARM, record, method="ordinary", base=BASE)
            assert np.allclose(found.values, expected, rtol=1e-9, atol=1e-11) and found.samples == 83
        assert np.allclose(found.unexplained(record) * np.sqrt((record.tau**2).mean(0)), np.sqrt((left**2).mean(0)))


def test_what_is_not_excited_is_named():
    """Seven and more in a row end in dots; a combination counts as silent below 1e-7 of the loudest."""
    arm = rd.robots.panda()
    q, qd, qdd = states(arm, 60)
    with pytest.raises(ValueError) as error:
        identify(arm, recorded(arm, 0 * q, qd, 0 * qdd))
    named = re.search(r"do not tell (.*) \(and what is grouped", str(error.value))[1]
    assert named.endswith(", ..") and named.count(", ") == 6
    q, qd, qdd = states(ONE, 20)
    level = replace(ONE, gravity=(0, 0, 0))
    base = rd.base_parameters(level, ["viscous"])
    for ratio, told in ((1e-6, False), (1e-8, True)):  # acceleration beside rates
        record = Recording(np.arange(20.0), q, qd, qd, ratio * qdd)
        if told:
            with pytest.raises(
                ValueError, match="the motion excites 1 of 2 base parameters: its torques do not tell I_1zz "
            ):
                identify(level, record, base=base)
        else:
            assert len(identify(level, record, base=base)) == 2
    few = recorded(ARM, *states(ARM, 2))  # four equations for six parameters
    with pytest.raises(ValueError, match="of 6 base parameters"):
        identify(ARM, few, base=BASE)


# ---- recordings -----------------------------------------------------------------------------------------------------


UNITS = {  # SI, by definition
    "t": {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9},
    "q": {"rad": 1, "deg": np.pi / 180, "m": 1, "mm": 1e-3},
    "qd": {"rad/s": 1, "deg/s": np.pi / 180, "rpm": 2 * np.pi / 60, "m/s": 1, "mm/s": 1e-3},
    "qdd": {"rad/s^2": 1, "deg/s^2": np.pi / 180, "m/s^2": 1, "mm/s^2": 1e-3},
    "tau": {"N m": 1, "Nm": 1, "mN m": 1e-3, "kN m": 1e3, "N": 1, "kN": 1e3, "A": 20, "mA": 20e-3},
}


@pytest.mark.parametrize(("name", "unit"), [(name, unit) for name, units in UNITS.items() for unit in units])
def test_a_unit_of_a_file_is_what_it_is(name, unit):
    """Each unit that the header may name, alone among SI units; a current times 20 N m/A."""
    header = {"t": "t [s]", "q": "q1 [rad]", "qd": "qd1 [rad/s]", "qdd": "qdd1 [rad/s^2]", "tau": "tau1 [N m]"}
    header[name] = f"{name}{'1' * (name != 't')} [ {unit.replace(' ', '  ')} ]"  # spaces do not matter
    numbers = np.random.default_rng(1).normal(size=(3, 5))
    numbers[:, 0] = 1, 2, 4
    text = "\n".join([";".join(header.values()), *(";".join(map(str, row)) for row in numbers)])
    read = read_csv(io.StringIO(text), torque_constants=20)
    for word, column in zip(header, numbers.T):
        factor = UNITS[name][unit] if word == name else 1
        assert np.allclose(np.ravel(getattr(read, word)), factor * column)


def of_file(text, **more):
    """The sentence that a file ends in."""
    with pytest.raises(ValueError) as error:
        read_csv(io.StringIO(text), **more)
    return str(error.value)


def test_a_header_is_told_what_it_lacks():
    """Up to five names, and dots for more; currents need their constants, one or one a joint; cells are cut at 40 letters."""
    assert "must name q1, q2, q3, q4, q5, too: 6 joints" in of_file("t [s],q6 [m]\n0,1\n1,2\n")
    assert "must name q1, q2, q3, q4, q5, .., too: 7 joints" in of_file("t [s],q7 [m]\n0,1\n1,2\n")
    head = "t [s],q1 [rad],q2 [rad],qd1 [rad/s],tau1 [A],tau2 [N m]\n"
    assert "must name qd2, too" in of_file(head + "0,0,0,0,0,0\n1,0,0,0,0,0\n")
    currents = head.replace("qd1 [rad/s],", "") + "0,0,0,3,4\n1,0,0,5,6\n"
    assert read_csv(io.StringIO(currents), [10, 100]).tau.tolist() == [[30, 4], [50, 6]]
    assert "torque_constants must have shape (2,), got (3,)" in of_file(currents, torque_constants=[1, 2, 3])
    for length in (40, 41):
        shown = "x" * 40 + ("" if length == 40 else "...")
        assert f"got '{shown}'" in of_file("x" * length + "\n1\n2\n")
    for name in ("q01 [rad]", "q1000 [rad]", "t1 [s]", "q [rad]"):
        assert "the header must hold names with units" in of_file(f"{name},tau1 [N m]\n0,1\n1,2\n")
    assert "999 joints have columns here" in of_file("t [s],q999 [rad]\n0,1\n1,2\n")
    assert "the unit of q1 must be one of rad, deg, m, mm, got 'km'" in of_file("t [s],q1 [km]\n0,1\n1,2\n")
    assert "the unit of t must be one of s, ms, us, ns, got 'h'" in of_file("t [h],q1 [m]\n0,1\n1,2\n")


def test_two_samples_are_a_recording():
    """In a file and in arrays; empty lines count for the numbers of lines alone."""
    text = "t [s],q1 [rad],tau1 [N m]\n\n0,1,2\n1,2,3\n"
    assert len(read_csv(io.StringIO(text))) == 2
    assert "line 4 must hold numbers, got 'x' below q1 [rad]" in of_file(text.replace("1,2,3", "1,x,3"))
    assert len(Recording([0, 1], [[1], [2]], [[3], [4]])) == 2
    with pytest.raises(ValueError, match="at least two times"):
        Recording([0], [[1]], [[3]])
    for wrong in ([[1], [2], [3]], [1, 2]):
        with pytest.raises(ValueError, match="q must have shape"):
            Recording([0, 1], wrong, wrong)


def gain_of(record, frequency):
    """The ratio of amplitudes of a sine after the filter and before."""
    wave = np.exp(-2j * np.pi * frequency * record.t)
    return 2 * abs(np.mean((record.q[:, 0] - record.q[:, 0].mean()) * wave))


@pytest.mark.parametrize("part", [0.5, 0.8, 1.0, 1.25, 2.0])
def test_a_filter_is_butterworths_of_order_4_twice(part):
    """Gain 1 / (1 + (w / w_c)^8), w = tan(pi f / samples a second), no shift of phase, for angles and torques alike."""
    cutoff, every = 8.0, 1e-3
    t = np.arange(0, 16, every)
    wave = np.sin(2 * np.pi * part * cutoff * t)[:, None]
    record = Recording(t, wave, 3 * wave).filtered(cutoff, thin=False)
    w, w_c = np.tan(np.pi * part * cutoff * every), np.tan(np.pi * cutoff * every)
    expected = 1 / (1 + (w / w_c) ** 8)
    whole = (
        record.t < record.t[0] + np.floor((record.t[-1] - record.t[0]) * part * cutoff) / (part * cutoff) - every / 2
    )
    assert np.allclose(
        record.q[whole], expected * np.sin(2 * np.pi * part * cutoff * record.t[whole])[:, None], atol=2e-3
    )
    assert np.allclose(record.tau, 3 * record.q, atol=1e-9)
    q = record.q
    assert np.allclose(record.qd[1:-1], (q[2:] - q[:-2]) / (2 * every), atol=1e-9)
    assert np.allclose(record.qdd[1:-1], (q[2:] - 2 * q[1:-1] + q[:-2]) / every**2, atol=1e-6)
    assert abs(record.t[[0, -1]] - [3 / cutoff, t[-1] - 3 / cutoff]).max() < 1.5 * every


def test_a_filter_needs_enough_samples_and_no_gaps():
    """Cutoff below 0.4 of the samples a second, nine periods of it at least, steps up to 1.5 usual ones."""
    t = np.arange(0, 4, 0.01)
    wave = np.sin(t)[:, None]
    whole = Recording(t, wave, wave)
    with pytest.raises(ValueError, match=r"cutoff must be < 40 Hz, 0.8 of half the 100 samples a second, got 41"):
        whole.filtered(41)
    exactly = Recording(t[:360], wave[:360], wave[:360])  # three times ceil(3 / (2.51 * 0.01))
    assert len(exactly.filtered(2.51, thin=False)) == 120
    with pytest.raises(ValueError, match=r"a cutoff of 2\.51 Hz needs at least 360 samples here, got 359"):
        Recording(t[:359], wave[:359], wave[:359]).filtered(2.51)
    for late, told in ((0.004, False), (0.006, True)):
        moved = Recording(np.r_[t[:200], t[200:] + late], wave, wave)
        if told:
            with pytest.raises(
                ValueError, match=r"t has a gap, the first of 0.016 s after 1.99 s, where samples are 0.01 s"
            ):
                moved.filtered(5)
        else:
            moved.filtered(5)
    fourths = np.arange(400) / 4  # exact in binary, and so is one step of 1.5 of them
    Recording(np.r_[fourths[:200], fourths[200:] + 1 / 8], wave, wave).filtered(0.2)
    twice = Recording(np.r_[t[:100], t[100:200] + 1, t[200:] + 2], wave, wave)
    with pytest.raises(ValueError, match=r"t has 2 gaps, the first of 1\.01 s after 0\.99 s"):
        twice.filtered(5)


@pytest.mark.parametrize("cutoff", [1.0, 4.9, 5.0, 8.1, 12.0, 17.0, 25.0, 26.0, 39.0])
def test_two_samples_a_period_stay(cutoff):
    """And no more, of 100 a second: steps of half a period, up or down to whole samples, and of two samples at least."""
    t = np.arange(0, 12, 0.01)
    wave = np.sin(t)[:, None]
    kept = Recording(t, wave, wave).filtered(cutoff).t
    half = max(50 / cutoff, 2)  # samples
    half = np.floor(half) if half < 1.05 * np.floor(half) else half  # even steps where two samples are 2.1 at most
    steps = np.round(np.diff(kept) / 0.01)
    assert set(steps) <= {np.floor(half), np.ceil(half)}
    assert abs(steps.mean() - half) < 1 / len(steps)
    begin = np.ceil(300 / cutoff)
    assert kept[0] == pytest.approx(0.01 * begin) and 0 <= 1199 - begin - kept[-1] / 0.01 < np.ceil(half)


@pytest.mark.parametrize("factor", [np.pi / 180, 180 / np.pi, 30 / np.pi])
def test_rates_in_other_units_are_seen(factor):
    """From 20 samples on, off by less than a tenth, and alike to nine tenths; other factors are a gear's own business."""
    t = np.linspace(0, 1, 20)
    q, qd = np.sin(3 * t)[:, None], 3 * np.cos(3 * t)[:, None]
    slope = np.gradient(q[:, 0], t)[:, None]
    make = lambda rates: Recording(t[: len(rates)], q[: len(rates)], q[: len(rates)], rates)
    for scale in (1.0, 0.92, 1.08):
        with pytest.raises(ValueError, match=r"qd of joint 1 is .* times the slope of q"):
            make(scale * factor * slope)
    for rates in (0.88 * factor * slope, 1.12 * factor * slope, slope, qd, -factor * slope, 0 * slope):
        make(rates)
    make(factor * slope[:19])
    other = np.random.default_rng(1).normal(size=(20, 1))
    other -= slope * (slope * other).sum() / (slope**2).sum()  # says nothing of the slope
    other *= np.linalg.norm(slope) / np.linalg.norm(other)
    for size, told in ((0.3, True), (0.36, False)):  # 1 / (1 + size^2) of the squares are alike: 0.917 and 0.885
        if told:
            with pytest.raises(ValueError, match="times the slope of q"):
                make(factor * (slope + size * other))
        else:
            make(factor * (slope + size * other))


def test_what_is_missing_is_told_with_its_place():
    """Joint, time and number of values; of times their own number."""
    t, q = np.arange(5.0), np.ones((5, 2))
    for name, place in (("q", (3, 1)), ("tau", (0, 0)), ("qdd", (4, 1))):
        parts = {"q": q, "tau": q, "qd": q, "qdd": q}
        holed = q.copy()
        holed[place] = np.inf
        words = f"{name} of joint {place[1] + 1} must be finite, got inf at t = {place[0]} s (1 of 10 values are not)"
        with pytest.raises(ValueError, match=re.escape(words)):
            Recording(t, **{**parts, name: holed})
    with pytest.raises(ValueError, match="q of joint 1 must be finite, got nan at sample 6"):
        Recording(t, np.vstack([q, q[:1], np.full((1, 2), np.nan)]), q)
    with pytest.raises(ValueError, match="t must increase, but it stands still after sample 1, from 1 to 1 s"):
        Recording([0, 1, 1, 2, 3], q, q)


def test_a_recording_says_what_it_holds():
    """Joints, samples, times, and which rates were measured; between both ends, the first one kept of so many."""
    t, q = np.arange(5.0), np.outer(np.arange(5.0), [1, 2])
    assert repr(Recording(t, q, q)) == "<Recording of 2 joints, 5 samples from 0 to 4 s, no rates>"
    assert repr(Recording(t, q, q, q, q)).endswith(", qd and qdd>") and repr(Recording(t, q, q, None, q)).endswith(
        " s, qdd>"
    )
    assert Recording(t, q, q).between(1, 3).t.tolist() == [1, 2, 3] and Recording(t, q, q).thinned(2).t.tolist() == [
        0,
        2,
        4,
    ]


# ---- the report -----------------------------------------------------------------------------------------------------


def test_the_report_rounds_to_two_digits_of_the_error():
    """The value to the place of the error's second digit, the error to two, percent, a mark from 30 % on; in text and HTML."""
    estimate = identify(ARM, recorded(ARM, *states(ARM, 30)), base=BASE)
    values = np.array([12.3456789, -0.5, 3.0, 1.0, 0.0, 1.0])
    errors = np.array([0.0234, 0.149, 0.91, 12.0, 0.1, 1e-12])
    given = replace(estimate, values=values, covariance=np.diag(errors**2), noise=np.array([0.123, 4.56]), samples=30)
    expected = [["12.346", "0.023", "0.19"], ["-0.50", "0.15", "30"], ["3.00", "0.91", "30 ?"], ["1", "12", "> 1000 ?"],
                ["0.00", "0.1", "> 1000 ?"], ["1.000000000", "1e-12", "1e-10"]]  # fmt: skip
    lines = str(given).splitlines()
    for line, cells, name in zip(lines[3:], expected, BASE.groups):
        assert line.startswith(name) and re.split(r"  +", line[len(name) :].strip()) == cells
    assert lines[0] == "6 base parameters, weighted estimate from 30 samples"
    assert lines[1] == "left of the torques of each joint, rms: 0.12, 4.6"
    assert len({len(line) for line in lines[2:]}) == 1  # columns stand in line
    html = given._repr_html_()
    assert html.count("<td>") == 24 and html.count("<th>") == 4 and "<td>&gt; 1000 ?</td>" in html
    assert repr(given) == "<Estimate of 6 base parameters, weighted, from 30 samples>"
    exact = replace(given, covariance=np.zeros((6, 6)))
    assert str(exact).splitlines()[3].split()[-3:] == ["12.345679", "0", "0"]
    assert rd.identification.report.table_rows(replace(given, covariance=np.diag((0.299 * values) ** 2)))[0][3] == "30"


def test_what_is_never_known_is_told():
    """A parameter that no joint feels, and one that shows within sums: a sentence each; nothing where all is known."""
    hinge = str(rd.base_parameters(rd.Arm([rd.Link(1, (1, 0, 0))])))  # a vertical axis: its inertia alone
    first, _, told, unseen = hinge.splitlines()[0], *hinge.splitlines()[1:]
    assert first == "1 of 10 parameters, or sums of them, show in the torques:" and told == "never known:"
    names = ", ".join(["m_1", "m_1 c_1x", "m_1 c_1y", "m_1 c_1z", "I_1xx", "I_1xy", "I_1xz", "I_1yy", "I_1yz"])
    assert unseen == f"  {names}: no motion of this arm makes a joint feel it"
    two = str(rd.base_parameters(rd.robots.two_link(), nonzero=True)).splitlines()
    assert two[two.index("never known:") + 1 :] == [  # link 1 turns about its origin, both about z
        "  m_1, I_1xx, I_1yy, I_2xx, I_2yy: no motion of this arm makes a joint feel it",
        "  m_2: shows only together with m_1 c_1x, I_1zz",
    ]


def test_an_estimate_is_asked_by_name():
    """By the parameter that leads, or the whole sum."""
    estimate = identify(ARM, recorded(ARM, *states(ARM, 30)), base=BASE)
    leads = [BASE.names[place] for place in BASE.columns]
    for k, (lead, group) in enumerate(zip(leads, BASE.groups)):
        assert estimate[lead] == estimate[group] == estimate.values[k]
    with pytest.raises(KeyError, match="m_1 c_1z"):
        estimate["m_1 c_1z"]


# ---- excitation, payload, bodies ------------------------------------------------------------------------------------


def test_an_excitation_keeps_a_hundredth_of_its_limits_spare():
    """For peaks between samples; each limit alone can be the one that binds; the same seed, the same motion."""
    t = np.linspace(0, 10, 4001)
    free = {"rounds": 40, "base": BASE}
    for named in ({"q_limits": (-0.2, [0.2, 0.3]), "qd_limits": 9}, {"q_limits": (-2, 2), "qd_limits": [0.5, 0.4]}):
        plan = excite(ARM, **named, **free)
        q, qd, _ = plan(t)
        used = max((abs(q) / named["q_limits"][1]).max(), (abs(qd) / named["qd_limits"]).max())
        assert 0.97 < used <= 1 and np.isclose(plan.period, 10) and plan.sines.shape == (2, 5)
    torque = np.array([45.0, 16.0])
    plan = excite(ARM, (-2, 2), 3, torque, **free)
    assert (abs(rd.inverse_dynamics(ARM, *plan(t))) <= torque).all()
    again, other = excite(ARM, (-2, 2), 3, torque, **free), excite(ARM, (-2, 2), 3, torque, seed=1, **free)
    assert np.array_equal(plan.sines, again.sines) and not np.allclose(plan.sines, other.sines)


def test_an_excitation_is_periodic_and_begins_at_rest_in_its_center():
    """q(t + period) = q(t), q(0) = center, qd(0) = qdd(0) = 0, for limits that are not alike on both sides."""
    plan = excite(ARM, ([-1, 0], [2, 1]), 3, period=4.0, harmonics=3, rounds=3, base=BASE)
    assert plan.sines.shape == plan.cosines.shape == (2, 3)
    for one, other in zip(plan(np.array([0.3, 1.7])), plan(np.array([4.3, 5.7]))):
        assert np.allclose(one, other)
    q, qd, qdd = plan(0.0)
    assert np.allclose(q, [0.5, 0.5]) and np.allclose(qd, 0, atol=1e-12) and np.allclose(qdd, 0, atol=1e-11)


def test_a_condition_number_is_that_of_the_stacked_regressor():
    """The ratio of the singular values of Y_base, its rows one under the other; friction with a width."""
    x = states(ARM, 20)
    W = BASE.regressor(ARM, *x).reshape(-1, 6)
    assert np.isclose(condition(BASE, *x), np.linalg.cond(W))
    rough = rd.base_parameters(ARM, ["coulomb"])
    for width in (1e-3, 0.5):
        W = rough.regressor(ARM, *x, width).reshape(-1, len(rough))
        assert np.isclose(condition(rough, *x, width), np.linalg.cond(W), rtol=1e-9)
    assert np.isclose(condition(rough, *x), condition(rough, *x, 1e-3), rtol=1e-12)


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ({"harmonics": 2}, "harmonics must be a whole number >= 3, got 2"),
        ({"harmonics": 3.0}, "harmonics must be a whole number >= 3, got 3.0"),
        ({"rounds": 0}, "rounds must be a whole number >= 1, got 0"),
        ({"qd_limits": 0}, "qd_limits must be > 0"),
        ({"qd_limits": [1, np.inf]}, "qd_limits must be finite"),
        ({"tau_limits": [9, 0]}, "tau_limits must be > 0"),
        ({"q_limits": (0, 0)}, "q_limits must be (lower, upper) with lower < upper"),
        ({"q_limits": ([0, 1], [1, 1])}, "q_limits must be (lower, upper) with lower < upper"),
        ({"q_limits": 1}, "q_limits must be (lower, upper), got 1"),
        ({"period": -1}, "period must be > 0 s"),
    ],
)
def test_limits_of_an_excitation(named, words):
    """What leaves no motion is told; three harmonics and one round do."""
    given = {"q_limits": (-1, 1), "qd_limits": 2, "rounds": 1, "harmonics": 3, "base": BASE}
    excite(ARM, **given)
    with pytest.raises(ValueError, match=re.escape(words)):
        excite(ARM, **{**given, **named})


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("excite", lambda arm: excite(arm, (-1, 1), 1)),
        ("identify", lambda arm: identify(arm, recorded(ARM, *states(ARM, 30)))),
        (
            "physical_parameters",
            lambda arm: physical_parameters(identify(ARM, recorded(ARM, *states(ARM, 30)), base=BASE), arm),
        ),
    ],
)
def test_an_arm_of_symbols_is_refused_by_the_function_that_was_called(name, call):
    """It says its own name, and the way on."""
    with pytest.raises(TypeError, match=f"{name} needs numbers, got an arm with symbols: put values in with arm.subs"):
        call(rd.robots.two_link(symbolic=True))


def test_a_prior_counts_as_far_as_its_spread_says():
    """A narrow spread keeps the guess, a wide one follows the data; a rod in the prior is taken a centimeter thick."""
    x = states(ARM, 200)
    record = recorded(ARM, *x, 0.5, np.random.default_rng(1))
    estimate = identify(ARM, record, base=BASE)
    guess = rd.with_parameters(ARM, 1.4 * rd.parameters(ARM))
    near, far = (physical_parameters(estimate, guess, spread) for spread in (1e-3, 10.0))
    first = physical_parameters(estimate, guess)
    assert np.allclose(first, physical_parameters(estimate, guess, 1.0, 0.01), rtol=1e-9, atol=1e-12)
    score = lambda phi: (
        np.linalg.solve(estimate.covariance, BASE.values(phi) - estimate.values) @ (BASE.values(phi) - estimate.values)
    )
    assert score(far) < 1e-3 < 10 < score(near) and score(far) < score(first) < score(near)
    rod = rd.robots.planar([1.0], [2.0], [0.5])  # a point mass on a line: no size across
    q, qd, qdd = states(rod, 30)
    alone = identify(rod, recorded(rod, q, qd, qdd))
    alone = replace(alone, covariance=1e6 * np.eye(len(alone)))  # data that say nothing
    for thickness in (0.01, 0.1):
        ten = physical_parameters(alone, rod, 1.0, thickness)[:10]
        m, c = ten[0], ten[1:4] / ten[0]
        about = ten[4] - m * (c[1] ** 2 + c[2] ** 2)  # I_xx about the center of mass: two directions of m d^2 / 12
        assert np.isclose(m, 2, rtol=1e-3) and np.isclose(about, m * thickness**2 / 6, rtol=1e-3)


def test_offsets_and_friction_are_fitted_with_the_bodies():
    """With a wide spread the data decide: offsets of either sign, friction and rotors, beside a prior that is off by far."""
    words = {"motor_inertia": None, "viscous": 0.8, "offset": [-2.0, 1.5]}
    arm = replace(ARM, links=[replace(link, motor_inertia=0.3) for link in ARM.links])
    x = states(arm, 200)
    tau = rd.regressor(arm, *x, words) @ rd.parameters(arm, words)
    tau = tau + 0.5 * np.random.default_rng(1).normal(size=tau.shape)
    estimate = identify(arm, Recording(0.01 * np.arange(200), x[0], tau, x[1], x[2]), words)
    guess = rd.with_parameters(arm, 1.6 * rd.parameters(arm))
    found = physical_parameters(estimate, guess, spread=10.0)
    off = estimate.base.values(found) - estimate.values
    assert off @ np.linalg.solve(estimate.covariance, off) < 1e-2  # of the 11 that chance alone would bring
    own = found[20:]
    assert (own[:4] > 0).all() and np.allclose(own[4:], [-2.0, 1.5], atol=0.5)


def test_the_fit_of_bodies_goes_by_the_slopes_of_its_residuals(monkeypatch):
    """The Jacobian given to the solver is the derivative of the residuals, wherever it is asked; the end is where |r|^2 is least."""
    x = states(ARM, 60)
    words = {"viscous": 0.8, "offset": [-2.0, 1.5]}
    tau = rd.regressor(ARM, *x, words) @ rd.parameters(ARM, words)
    estimate = identify(
        ARM,
        Recording(0.01 * np.arange(60), x[0], tau + 0.3 * np.random.default_rng(7).normal(size=tau.shape), *x[1:]),
        words,
    )
    solve, seen = optimize.least_squares, []

    def watched(residuals, begin, slopes, **options):
        seen.append((residuals, slopes, begin))
        return solve(residuals, begin, slopes, **options)

    monkeypatch.setattr(optimize, "least_squares", watched)
    found = physical_parameters(estimate, spread=0.5)
    [(residuals, slopes, begin)] = seen
    assert len(begin) == len(found) == 24 and len(residuals(begin)) == len(estimate) + 24
    for at in (begin, *np.random.default_rng(8).normal(scale=0.3, size=(3, 24))):
        expected = [(residuals(at + h) - residuals(at - h)) / 2e-5 for h in 1e-5 * np.eye(24)]
        scale = abs(np.array(expected)).max()
        assert np.allclose(slopes(at), np.transpose(expected), rtol=1e-6, atol=1e-8 * scale)


def test_a_load_is_told_with_the_doubt_of_the_empty_arm():
    """The covariance of a load is that of its own fit and what the empty arm's errors move it by; friction's width goes with it."""
    x, rng = states(ARM, 60), np.random.default_rng(4)
    empty = identify(ARM, recorded(ARM, *x, 0.2, rng), base=BASE, width=0.5)
    record = recorded(ARM, *states(ARM, 60, 1), 0.2, rng)
    found, sure = payload(empty, record), payload(replace(empty, covariance=0 * empty.covariance), record)
    assert found.method == "payload" and found.width == 0.5 and np.allclose(found.values, sure.values)
    move = 1e-4
    shifts = np.array([payload(replace(empty, values=empty.values + move * e), record).values for e in np.eye(6)])
    by = (shifts - found.values).T / move  # of the load by each base parameter
    expected = sure.covariance + by @ empty.covariance @ by.T
    assert np.allclose(found.covariance, expected, rtol=0.02, atol=1e-2 * abs(expected).max())
    assert (found.errors > sure.errors).all()
