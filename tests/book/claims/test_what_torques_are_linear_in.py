"""Sentences of the page "What the torques are linear in", on random arms."""

from functools import partial

import numpy as np
import pytest

import robotdyn as rd


def rank(A) -> int:
    """Return the rank, by singular values above a millionth of a thousandth of the largest."""
    values = np.linalg.svd(A, compute_uv=False)
    return int((values > 1e-9 * values[0]).sum())


@pytest.mark.parametrize("kinds", [["revolute"] * 3, ["revolute", "prismatic", "revolute"], ["prismatic", "revolute"]])
def test_energy_and_torque_hide_the_same_parameters(kinds):
    """A change shows in no torque if and only if its energy is the same number in all states."""
    rng = np.random.default_rng(1)
    arm = rd.robots.random_arm(rng, len(kinds), kinds)
    q, qd, qdd = rng.normal(size=(3, 300, arm.n))
    Y, e = rd.regressor(arm, q, qd, qdd).reshape(-1, 10 * arm.n), rd.energy_regressor(arm, q, qd)
    work = e[1:] - e[0]
    assert rank(Y) == rank(work) == len(rd.base_parameters(arm))
    hidden = np.linalg.svd(Y)[2][rank(Y) :].T
    assert abs(work @ hidden).max() < 1e-9
    assert rank(e) <= rank(work) + 1  # the zero of the energy


def test_the_regressor_is_the_rate_of_the_momenta_and_slopes_of_energies():
    """Y is the rate of P plus R, both of angles and rates alone, for each parameter and along any motion."""
    rng, h = np.random.default_rng(2), 1e-4
    arm = rd.robots.random_arm(rng, 3, ["revolute", "revolute", "prismatic"])

    def momenta(q, qd):
        return rd.regressor(arm, q, 0 * q, qd) - rd.regressor(arm, q, 0 * q, 0 * q)

    def less(q, qd):
        return 2 * rd.energy_regressor(arm, q, 0 * q) - rd.energy_regressor(arm, q, qd)

    for q, qd, qdd in rng.normal(size=(5, 3, 3)):
        later, before = ((q + s * h * qd + h * h * qdd / 2, qd + s * h * qdd) for s in (1, -1))
        rate = (momenta(*later) - momenta(*before)) / (2 * h)
        slopes = np.array([(less(q + h * e, qd) - less(q - h * e, qd)) / (2 * h) for e in np.eye(3)])
        Y = rd.regressor(arm, q, qd, qdd)
        assert abs(rate + slopes - Y).max() < 1e-5 * (1 + abs(Y).max())


def test_a_bearing_tells_what_a_table_hides():
    """Shaken as one rigid body with the elbow at a right angle, the force across the upper arm is, at rest, m1 lc1 + m2 l1 times the acceleration; the rate adds a part with m2 lc2."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        lengths, masses = rng.uniform(0.3, 1.5, (2, 2))
        coms, turn = lengths * rng.uniform(0.1, 0.9, 2), rng.uniform(-3, 3)
        arm = rd.robots.planar(lengths, masses, coms, rng.uniform(0.01, 0.1, 2), gravity=0)
        q, still, qdd = np.array([turn, np.pi / 2]), np.zeros(2), np.array([1.3, 0.0])
        rates = {"still": still, "moving": np.array([0.9, 0.0])}
        across, bent, moving = (
            sum(
                m * rd.point_acceleration(arm, pose, rates[name], qdd, k, (c, 0, 0))[:3]
                for k, (m, c) in enumerate(zip(masses, coms, strict=True))
            )
            @ [-np.sin(turn), np.cos(turn), 0]
            for pose, name in ((q, "still"), (q - [0, 1.2], "still"), (q, "moving"))
        )
        assert across == pytest.approx(1.3 * (masses[0] * coms[0] + masses[1] * lengths[0]))
        assert abs(bent - across) > 1e-3  # at another angle the forearm's first moment is felt, too
        assert moving - across == pytest.approx(-(0.9**2) * masses[1] * coms[1])


def smoothed(x: np.ndarray, rate: float, dt: float) -> np.ndarray:
    """Return what the filter dy/dt = x - rate y makes of samples, by trapezoids."""
    y, fade = np.zeros(x.shape), np.exp(-rate * dt)
    for k in range(1, len(x)):
        y[k] = fade * y[k - 1] + dt / 2 * (fade * x[k - 1] + x[k])
    return y


def shaking(strong, weak, t, q=None, qd=None):
    """Return torques that swing with these amplitudes at a time, whatever the arm does."""
    return np.array([strong * np.cos(2 * t), weak * np.sin(3 * t)])


def test_filtered_rows_find_the_numbers_better_than_energies():
    """Each instant gives as many equations as there are joints, where the energy gives one: noisy torques leave smaller errors."""
    arm = rd.robots.two_link((1, 1), (2, 1))
    four, dt, rate = rd.base_parameters(arm, nonzero=True), 0.01, 5.0
    t, rng = np.arange(0, 6, dt), np.random.default_rng(4)
    for strong, weak in ((12, 5), (6, 3)):
        law = partial(shaking, strong, weak)
        drive = np.array([law(now) for now in t])
        run = rd.simulate(arm, [0.0, 0.0], [0.0, 0.0], law, t, method="rk4")
        qdd = rd.forward_dynamics(arm, run.q, run.qd, drive)
        rows = smoothed(rd.regressor(arm, run.q, run.qd, qdd)[..., four.columns], rate, dt).reshape(-1, 4)
        energy = rd.energy_regressor(arm, run.q, run.qd)[:, four.columns]
        off = {"rows": [], "energies": []}
        for _ in range(60):
            tau = drive + rng.normal(0, 0.5, drive.shape)
            power = (tau * run.qd).sum(axis=1)
            work = np.concatenate([[0], np.cumsum((power[1:] + power[:-1]) / 2 * dt)])
            off["rows"].append(np.linalg.lstsq(rows, smoothed(tau, rate, dt).ravel(), rcond=None)[0])
            off["energies"].append(np.linalg.lstsq(energy[50:] - energy[:-50], work[50:] - work[:-50], rcond=None)[0])
        rms = {name: np.sqrt(((np.array(x) - four.values()) ** 2).mean(axis=0)) for name, x in off.items()}
        assert (rms["rows"] < 0.8 * rms["energies"]).all()


def test_twice_the_length_makes_the_term_four_times_as_large():
    """Twice l_c makes m l_c^2 four times as large: so the torque is not linear in l_c, although at rest, and for I = 2 m l_c^2, it is twice."""
    rng = np.random.default_rng(16)
    for mass, center, inertia in rng.uniform(0.1, 1, (20, 3)):
        for spread, speedup, twice in ((inertia, 1.3, False), (inertia, 0.0, True), (2 * mass * center**2, 1.3, True)):
            one, far = (rd.robots.planar([3.0], [mass], [c], [spread]) for c in (center, 2 * center))
            small, large = (rd.inverse_dynamics(x, [0.4], [0.7], [speedup])[0] for x in (one, far))
            weight = mass * 9.81 * center * np.cos(0.4)
            assert np.isclose(large - small, 3 * mass * center**2 * speedup + weight)
            assert twice == np.isclose(large, 2 * small, rtol=1e-9)
