"""From a motion to masses: limits kept, exact data told exactly, noise within its standard errors, bodies that can exist."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import robotdyn as rd
from robotdyn.identification import Recording, condition, excite, identify, payload, physical_parameters
from robotdyn.identification.physical import inertial_parameters_of, pseudo_inertia

ARM = rd.robots.two_link((1.2, 0.9), (2.0, 1.5), (0.5, 0.4), (0.2, 0.12))
BASE = rd.base_parameters(ARM)
LIMITS = ((-2, -1), (2, 2)), (3, 4), (90, 30)


@cache
def motion(seed=0, rounds=60):
    return excite(ARM, *LIMITS, period=5, base=BASE, rounds=rounds, seed=seed)


def recorded(arm=ARM, samples=120, seed=0, noise=(0, 0), rng=None):
    """Return what sensors of torque would tell of an arm on a planned motion; rates are known."""
    t = np.linspace(0, 5, samples)
    q, qd, qdd = motion(seed)(t)
    tau = rd.inverse_dynamics(arm, q, qd, qdd)
    if rng is not None:
        tau = tau + np.array(noise) * rng.normal(size=tau.shape)
    return Recording(t, q, tau, qd, qdd)


def z_scores(estimates, truth):
    """Return how many standard errors each estimate is off, a row each."""
    return np.array([(e.values - truth) / e.errors for e in estimates])


def honest(z, trials):
    """Tell whether 95 of 100 trials lie within three standard errors throughout, and these are not larger than need be."""
    assert len(z) == trials
    return (abs(z) < 3).all(axis=1).mean() >= 0.95 and 0.8 < (z**2).mean() < 1.25


def test_a_planned_motion_keeps_its_limits():
    """Between the samples of the search, too; it begins at rest, and its rates are the derivatives of its angles."""
    plan, t, h = motion(), np.linspace(0, 5, 3001), 1e-4
    q, qd, qdd = plan(t)
    (lower, upper), rate, torque = LIMITS
    assert (q >= lower).all() and (q <= upper).all()
    assert (abs(qd) <= rate).all() and (abs(rd.inverse_dynamics(ARM, q, qd, qdd)) <= torque).all()
    assert abs(qd[0]).max() < 1e-12 and abs(qdd[0]).max() < 1e-11 and np.allclose(q[0], [0, 0.5])
    before, after = plan(t - h), plan(t + h)
    assert np.allclose((after[0] - before[0]) / (2 * h), qd, atol=1e-5)
    assert np.allclose((after[1] - before[1]) / (2 * h), qdd, atol=1e-4)


def test_torques_below_zero_have_limits_too():
    """A pendulum that leans to the left is held by negative torques: the limit is of their size."""
    arm, limits = rd.robots.planar(1), ([2.2], [3.0])
    t = np.linspace(0, 5, 500)
    free = excite(arm, limits, [4.0], period=5.0, harmonics=3, rounds=20, progress=False)
    torque = rd.inverse_dynamics(arm, *free(t))[:, 0]
    assert torque.max() < -torque.min()
    bound = 0.9 * abs(torque).max()
    held = excite(arm, limits, [4.0], bound, 5.0, 3, rounds=20, progress=False)
    assert abs(rd.inverse_dynamics(arm, *held(t))).max() <= bound


def test_the_search_lowers_the_condition_number():
    """A planned motion is better than the first draw, a motion of joint 2 alone tells nothing of the rest."""
    t = np.linspace(0, 5, 200)
    first, best = (condition(BASE, *motion(rounds=rounds)(t)) for rounds in (1, 60))
    assert best < 0.7 * first
    held = [x * [0, 1] for x in motion()(t)]  # joint 1 stands, its inertia does not show
    assert condition(BASE, *held) == np.inf


def test_exact_data_give_exact_base_parameters():
    """Two links, and four joints in space with rotors and friction: every method, to rounding."""
    for method in ("ordinary", "weighted", "robust"):
        found = identify(ARM, recorded(), method=method, base=BASE)
        assert abs(found.values - BASE.values()).max() < 1e-9
    found = identify(ARM, recorded(), method="instrumental", base=BASE, instruments=motion())
    assert abs(found.values - BASE.values()).max() < 1e-9
    arm = rd.Arm([replace(link, motor_inertia=0.2) for link in rd.robots.puma560().links[:4]])
    joints = {"motor_inertia": None, "viscous": 0.7, "coulomb": 0.4, "offset": -0.2}
    q, qd, qdd = np.random.default_rng(3).normal(size=(3, 1200, 4))
    rows = rd.specialize(lambda arm, q, qd, qdd: rd.regressor(arm, q, qd, qdd, joints, width=0.5), arm)
    tau = rows(q, qd, qdd) @ rd.parameters(arm, joints)
    times = 1e-3 * np.arange(1200)
    halves = [
        Recording(times[part], q[part], tau[part], qd[part], qdd[part]) for part in (slice(600), slice(600, None))
    ]
    found = identify(arm, halves, joints, width=0.5)  # random states are no motion, which a fit does not ask
    truth = found.base.values(rd.parameters(arm, joints))
    assert abs(found.values - truth).max() < 1e-9 * abs(truth).max()
    assert found["b_2"] == pytest.approx(0.7) and found.unexplained(halves[0]).max() < 1e-9


@pytest.mark.parametrize("method", ["ordinary", "weighted", "robust"])
def test_the_truth_lies_within_three_standard_errors(method):
    """In 95 of 100 seeded trials, with joints whose noise differs tenfold."""
    rng = np.random.default_rng(7)
    found = [
        identify(ARM, recorded(noise=(1.0, 0.1), rng=rng), method=method, base=BASE)
        for _ in range(60 if method == "robust" else 150)
    ]
    z = z_scores(found, BASE.values())
    assert honest(z, len(found))
    noise = np.mean([e.noise for e in found], axis=0)
    assert np.allclose(noise, [1.0, 0.1], rtol=0.05)


def test_weights_make_the_errors_smaller():
    """Ordinary least squares lets the noisy joint speak as loudly as the quiet one."""
    rng = np.random.default_rng(1)
    record = recorded(noise=(1.0, 0.1), rng=rng)
    plain, weighted = (identify(ARM, record, method=method, base=BASE) for method in ("ordinary", "weighted"))
    assert (weighted.errors <= plain.errors * 1.001).all() and (weighted.errors < plain.errors / 2).any()


def test_outliers_do_not_move_the_robust_estimate():
    """One sample of ten off by 40 times the noise: the robust estimate stays honest, least squares does not."""
    rng, found = np.random.default_rng(2), {"weighted": [], "robust": []}
    for _ in range(40):
        record = recorded(noise=(0.5, 0.1), rng=rng)
        struck = rng.random(len(record)) < 0.1
        record = replace(record, tau=record.tau + struck[:, None] * np.array([20, 4.0]))
        for method, estimates in found.items():
            estimates.append(identify(ARM, record, method=method, base=BASE))
    truth = BASE.values()
    assert (abs(z_scores(found["robust"], truth)) < 3).all(axis=1).mean() >= 0.95
    off = {method: np.mean([abs(e.values - truth) for e in estimates], 0) for method, estimates in found.items()}
    assert (off["robust"] < off["weighted"] / 4).all()


def test_noisy_rates_bias_least_squares_and_not_the_instruments():
    """Over many trials the mean error of least squares stays, that of the instrumental variables averages out."""
    rng, trials, off = np.random.default_rng(4), 80, {"weighted": [], "instrumental": []}
    for _ in range(trials):
        clean = recorded(noise=(0.3, 0.1), rng=rng)
        noisy = replace(clean, qdd=clean.qdd + 2.0 * rng.normal(size=clean.q.shape))
        for method, errors in off.items():
            plan = {"instruments": motion()} if method == "instrumental" else {}
            errors.append(identify(ARM, noisy, method=method, base=BASE, **plan).values - BASE.values())
    bias = {method: abs(np.mean(e, 0)) / (np.std(e, 0) / np.sqrt(trials)) for method, e in off.items()}
    assert bias["weighted"].max() > 20 and bias["instrumental"].max() < 4


def test_the_instruments_of_a_simulation():
    """A recording of another run, with the same samples, serves as well as a function of time."""
    rng = np.random.default_rng(9)
    noisy = recorded(noise=(0.3, 0.1), rng=rng)
    one, other = (identify(ARM, noisy, method="instrumental", instruments=z) for z in (motion(), recorded()))
    assert np.allclose(one.values, other.values, rtol=1e-9, atol=1e-12)


def test_a_fresh_motion_is_predicted_up_to_its_noise():
    """Cross-validation: what is missed of a motion that the fit has not seen is its noise; without friction it is more."""
    rng, joints = np.random.default_rng(5), ["viscous"]
    rub = lambda record: replace(record, tau=record.tau + 1.5 * record.qd)
    seen, fresh = (rub(recorded(samples=600, seed=seed, noise=(0.4, 0.2), rng=rng)) for seed in (0, 1))
    whole, poor = identify(ARM, seen, joints), identify(ARM, seen)
    noise = np.array([0.4, 0.2]) / np.sqrt((fresh.tau**2).mean(0))
    assert np.allclose(whole.unexplained(fresh), noise, rtol=0.15)
    assert (poor.unexplained(fresh) > 2 * whole.unexplained(fresh)).all()


def test_pseudo_inertia_is_the_second_moment_of_mass():
    """P is the sum of m (r, 1) (r, 1)^T over points, and ten numbers come back from it."""
    m, r = np.array([0.3, 0.5, 0.9, 0.4, 0.2]), np.random.default_rng(3).normal(size=(5, 3))
    about = sum(mass * ((x @ x) * np.eye(3) - np.outer(x, x)) for mass, x in zip(m, r))
    ten = np.array([m.sum(), *(m @ r), *about[np.triu_indices(3)]])
    points = np.column_stack([r, np.ones(5)])
    assert np.allclose(pseudo_inertia(ten), points.T @ (m[:, None] * points))
    assert np.allclose(inertial_parameters_of(pseudo_inertia(ten)), ten)


def test_physical_parameters_are_those_of_rigid_bodies():
    """Whatever the noise; where the prior alone, completed, often makes no body.  Friction never pushes."""
    rng, impossible, joints = np.random.default_rng(6), 0, ["viscous", "coulomb"]
    arm = rd.Arm(rd.robots.panda().links[:4])
    base = rd.base_parameters(arm, joints)
    q, qd, qdd = rng.normal(size=(3, 80, 4))
    phi = rd.parameters(arm, {"viscous": 0.05, "coulomb": 0.02})
    clean = rd.regressor(arm, q, qd, qdd, joints) @ phi
    prior = rd.with_parameters(arm, 1.3 * rd.parameters(arm))
    for size in (0.3, 3, 30, 300):
        record = Recording(0.01 * np.arange(80), q, clean + size * rng.normal(size=q.shape), qd, qdd)
        estimate = identify(arm, record, base=base)
        try:
            rd.with_parameters(
                prior, base.completed(estimate.values, np.append(rd.parameters(prior), np.zeros(8)))[:40]
            )
        except ValueError:
            impossible += 1
        found = physical_parameters(estimate, prior)
        assert all(np.linalg.eigvalsh(pseudo_inertia(ten))[0] > 0 for ten in found[:40].reshape(4, 10))
        assert (found[40:] > 0).all()
        assert rd.with_parameters(arm, found[:40]).n == 4
        assert ((base.values(found) - estimate.values) / estimate.errors).std() < 3
    assert impossible >= 3


def test_physical_parameters_of_exact_data():
    """The torques' parameters are kept whatever the prior; with the true prior all parameters are the true ones."""
    arm = rd.Arm(rd.robots.panda().links[:3])
    q, qd, qdd = np.random.default_rng(8).normal(size=(3, 100, 3))
    record = Recording(0.01 * np.arange(100), q, rd.inverse_dynamics(arm, q, qd, qdd), qd, qdd)
    estimate, phi = identify(arm, record), rd.parameters(arm)
    wide = rd.with_parameters(arm, phi + np.tile([0, 0, 0, 0, 1, 0, 0, 1, 0, 1], 3))  # no link as thin as a rod
    tau = rd.inverse_dynamics(wide, q, qd, qdd)
    estimate = identify(wide, replace(record, tau=tau))
    truth = rd.parameters(wide)
    assert np.allclose(physical_parameters(estimate), truth, atol=1e-6)
    other = physical_parameters(estimate, rd.with_parameters(wide, 0.7 * truth))
    assert np.allclose(estimate.base.values(other), estimate.values, atol=1e-5) and abs(other - truth).max() > 0.1


def test_a_payload_is_weighed():
    """What the hand holds, in the axes of the last link: exactly from exact data, honestly from noisy ones."""
    load = rd.Link(0.6, (0.3, 0.1, 0.0), np.diag([0.01, 0.02, 0.03]))
    last = rd.parameters(ARM)[10:] + rd.parameters(rd.Arm([load]))
    loaded = rd.with_parameters(ARM, np.concatenate([rd.parameters(ARM)[:10], last]))
    truth = rd.parameters(rd.Arm([load]))[[0, 1, 2, 9]]
    exact = payload(identify(ARM, recorded(), base=BASE), recorded(loaded))
    assert exact.base.groups == ("m_2", "m_2 c_2x", "m_2 c_2y", "I_2zz")
    assert abs(exact.values - truth).max() < 1e-9
    rng = np.random.default_rng(10)
    noisy = lambda arm, seed: recorded(arm, seed=seed, noise=(0.5, 0.1), rng=rng)
    found = [payload(identify(ARM, noisy(ARM, 0), base=BASE), noisy(loaded, 1)) for _ in range(60)]
    assert honest(z_scores(found, truth), 60)


def test_filtered_angles_have_their_rates():
    """Below the cutoff a sine keeps its amplitude and phase, and so do its derivatives; what is above it goes."""
    t = np.arange(0, 6, 1e-3)
    slow, hum = 2 * np.pi * 0.8, 2 * np.pi * 90
    q = np.stack([np.sin(slow * t), np.cos(slow * t)], 1)
    record = Recording(t, q + 1e-3 * np.sin(hum * t)[:, None], 5 * q + np.cos(hum * t)[:, None]).filtered(12)
    at = slow * record.t
    assert np.allclose(record.q[:, 0], np.sin(at), atol=2e-4)
    assert np.allclose(record.qd[:, 1], -slow * np.sin(at), atol=1e-3 * slow)
    assert np.allclose(record.qdd[:, 0], -(slow**2) * np.sin(at), atol=3e-3 * slow**2)
    assert np.allclose(record.tau, 5 * record.q, atol=2e-3)
    assert np.allclose(np.diff(record.t), 0.041) and record.t[0] >= 3 / 12 and record.t[-1] <= 6 - 3 / 12
    assert len(Recording(t, q, q).filtered(12, thin=False)) > 5000


def test_the_report_is_a_table():
    """A line each parameter, the truth within it; hardly known values are marked, in text and in HTML."""
    estimate = identify(ARM, recorded(noise=(1, 0.5), rng=np.random.default_rng(11)), base=BASE)
    title, _, head, *lines = str(estimate).splitlines()
    assert len(lines) == len(estimate) == 6 and title.startswith(
        "6 base parameters, weighted estimate from 120 samples"
    )
    assert head.split() == ["base", "parameter", "estimate", "standard", "error", "%"]
    assert [line.endswith("?") for line in lines] == [
        bool(e > 0.3 * abs(v)) for v, e in zip(estimate.values, estimate.errors)
    ]
    html = estimate._repr_html_()
    assert html.count("<tr>") == 7 and "m_2 c_2x" in html
    assert estimate["m_2 c_2x"] == estimate.values[3] == estimate[estimate.base.groups[3]]
