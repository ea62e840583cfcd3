"""Sentences of the page "Joints that rub and bend", at random gains, inertias and stiffnesses."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import robotdyn as rd


def growth(inertia, rotor, spring, damper, k_p, k_d) -> float:
    """Return the largest real part of the roots with the sensor at the link, by the matrix of the first-order system."""
    M = np.diag([rotor, inertia])
    K = spring * np.array([[1, -1], [-1, 1]]) + k_p * np.array([[0, 1], [0, 0]])
    D = damper * np.array([[1, -1], [-1, 1]]) + k_d * np.array([[0, 1], [0, 0]])
    rates = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
    return np.linalg.eigvals(rates).real.max()


def test_without_damping_no_gains_help_and_a_damper_at_the_spring_does():
    """While the spring has no damping, no choice of k_p and k_d will help; with a damper beside it the gains become stable."""
    rng = np.random.default_rng(20)
    for _ in range(300):
        inertia, rotor, spring, k_p, k_d = np.exp(rng.uniform(-2, 3, 5))
        assert growth(inertia, rotor, spring, 0.0, k_p, k_d) > 0
    assert growth(0.5, 0.3, 60, 0.5, 4, 2) < 0 < growth(0.5, 0.3, 60, 0.4, 4, 2)


def test_larger_gains_take_more_damping():
    """Our gains are stable with 0.5 N m s/rad, and twice these gains take 0.92 N m s/rad."""
    dampers = np.linspace(0.05, 6, 1191)
    least = [dampers[[growth(0.5, 0.3, 60, c, 4 * s, 2 * s) < 0 for c in dampers]][0] for s in (1, 2, 3)]
    assert least[0] < least[1] < least[2]
    assert abs(least[1] - 0.92) < 0.01


def test_a_simulated_joint_with_a_damper_arrives():
    """The sensor at the link, a damper of 0.5 N m s/rad at the spring: the link comes to 1 rad and stays there."""
    joint = rd.Link(1.0, inertia=0.5 * np.eye(3), motor_inertia=0.3)
    soft = rd.flexible.doubled(rd.Arm([joint], gravity=(0, 0, 0)))

    def law(damper, t, x, v):
        return np.array([4.0 * (1 - x.sum()) - 2.0 * v.sum(), -60.0 * x[1] - damper * v[1]])

    t = np.linspace(0, 40, 401)
    quiet, loud = (
        rd.simulate(soft, [0, 0], [0, 0], partial(law, damper), t, "solve_ivp").q.sum(axis=1) for damper in (0.5, 0.4)
    )
    assert abs(quiet[-40:] - 1).max() < 0.2 * abs(quiet[:80] - 1).max()
    assert abs(loud[-40:] - 1).max() > 10 * abs(loud[:80] - 1).max()


def steady_sliding(inertia, stiffness, direct, state, distance, speed, memory) -> float:
    """Return the largest real part about steady sliding at `speed`.

    Friction d + direct log(v/v0) + state log(v0 theta/distance), dtheta/dt = 1 - v theta/distance, the law of rate and state;
    without memory theta is always distance/v.
    """
    slope = (direct - state) / speed  # of the steady curve, falling where state > direct
    if not memory:
        return np.linalg.eigvals([[0.0, -1.0], [stiffness / inertia, -slope / inertia]]).real.max()
    theta = distance / speed
    rates = [
        [0.0, -1.0, 0.0],  # winding of the shaft
        [stiffness / inertia, -direct / speed / inertia, -state / theta / inertia],
        [0.0, -theta / distance, -speed / distance],
    ]
    return np.linalg.eigvals(rates).real.max()


def test_stiffness_ends_stick_slip_where_friction_has_a_memory():
    """With the present rate alone, no stiffness ends it; with a state variable a stiffness above a critical value does."""
    rng = np.random.default_rng(94)
    for _ in range(100):
        inertia, distance, speed = np.exp(rng.uniform([-2, -7, -5], [2, -3, -1]))
        direct = rng.uniform(0.05, 0.3)
        state = direct + rng.uniform(0.05, 0.3)  # friction falls with the rate
        critical = (state - direct) * (1 / distance) * (1 + inertia * speed**2 / (direct * distance))
        for factor in (0.01, 0.5, 0.97, 1.03, 2, 100):
            laws = inertia, factor * critical, direct, state, distance, speed
            assert steady_sliding(*laws, memory=False) > 0
            assert (steady_sliding(*laws, memory=True) < 0) == (factor > 1)


def test_the_dip_and_the_peak_tell_ratios_and_the_height_tells_the_rest():
    """A joint with twice of everything has them at the same frequencies; the height of the curve tells k, I and J themselves."""

    def response(inertia, rotor, spring, w):
        stiff = np.array([[spring - rotor * w**2, -spring], [-spring, spring - inertia * w**2]])
        return np.linalg.solve(stiff, [1.0, 0.0])

    rng = np.random.default_rng(21)
    for inertia, rotor, spring in np.exp(rng.uniform([-2, -2, 2], [1, 1, 6], (30, 3))):
        dip, peak = np.sqrt(spring / inertia), np.sqrt(spring / inertia + spring / rotor)
        for factor in (1, 2):
            parts = factor * inertia, factor * rotor, factor * spring
            assert abs(response(*parts, dip)[0]) < 1e-9 * abs(response(*parts, 0.5 * dip)[0])
            assert abs(response(*parts, peak * (1 + 1e-9))[0]) > 1e6 * abs(response(*parts, 0.5 * dip)[0])
        w = rng.uniform(0.2, 0.9) * dip
        assert np.allclose(response(inertia, rotor, spring, w), 2 * response(2 * inertia, 2 * rotor, 2 * spring, w))


def test_a_link_on_its_head_stands_if_the_springs_in_series_are_stiffer_than_its_weight():
    """It stands if k k_p / (k + k_p) > w, and not if it is less, whatever the damper; a spring with k < w carries it with no k_p."""
    rng, seen = np.random.default_rng(22), set()
    for inertia, rotor, k, k_p, k_d, w in np.exp(rng.uniform(-2, 2, (500, 6))):
        stiffness = np.array([[k - w, -k], [-k, k + k_p]])
        mass, damping = np.diag([inertia, rotor]), np.diag([0.0, k_d])
        rates = np.block(
            [[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(mass, stiffness), -np.linalg.solve(mass, damping)]]
        )
        stands = bool(np.linalg.eigvals(rates).real.max() < 0)
        assert stands == (k * k_p / (k + k_p) > w)
        assert k > w or not stands
        seen.add(stands)
    assert seen == {True, False}


def test_at_equality_a_link_on_its_head_stands():
    """At equality the link stands as well; a spring as stiff as w carries it on a locked motor alone."""
    rng = np.random.default_rng(23)
    link, motor = np.meshgrid(np.linspace(-0.5, 0.5, 201), np.linspace(-0.5, 0.5, 201))  # rad, from the upright pose

    def gained(w, k, k_p, link, motor):
        return w * (np.cos(link) - 1) + 0.5 * k * (motor - link) ** 2 + 0.5 * k_p * motor**2

    for w, ratio in rng.uniform([1, 1.1], [50, 5], (20, 2)):
        k = ratio * w
        least = k * w / (k - w)
        valley = link * k / (k + least)  # where the motor follows the link
        for way in (motor, valley):
            assert (gained(w, k, least, link, way)[abs(link) + abs(way) > 1e-9] > 0).all()
        assert gained(w, k, 0.97 * least, link, valley).min() < 0
        assert (gained(w, w, 0, link, 0 * motor)[abs(link) > 1e-9] > 0).all()  # locked
        for k_p in (1, 1e2, 1e4):
            follows = np.linspace(1e-4, 0.5, 5000)
            assert gained(w, w, k_p * w, follows, follows / (1 + k_p)).min() < 0


def test_friction_with_a_state_may_give_energy_back():
    """The power of friction that depends on the rate alone is never positive; a LuGre model may give energy back for a moment."""
    bristles, damper, direct, state, width = 1e3, 1.0, 2.0, 3.0, 0.03
    dt, bend, powers = 1e-5, 0.0, {"rate": [], "state": []}
    curve = rd.forces.stribeck(direct, state, rate=width, width=0.006)
    for rate in 0.02 * np.cos(4 * np.pi * np.arange(0, 1, dt)):
        level = direct + (state - direct) * np.exp(-((rate / width) ** 2))
        bending = rate - bristles * abs(rate) / level * bend
        powers["state"].append(-(bristles * bend + damper * bending) * rate)
        bend += bending * dt
    for rate in np.linspace(-1, 1, 1001):
        powers["rate"].append(float(curve(0, np.zeros(1), np.array([rate]))[0]) * rate)
    assert max(powers["rate"]) <= 0
    assert max(powers["state"]) > 0.005  # W, where the rate has just been reversed


@pytest.mark.parametrize("seed", range(4))
def test_a_motor_at_a_constant_voltage_is_a_torque_and_a_damper(seed):
    """The rate tends to u / (N k) like an exponential, whatever ratio; the power is largest at half of it, u^2 / (4 R), and half is heat."""
    rng = np.random.default_rng(seed)
    ratio, k, R, u, inertia = rng.uniform([5, 0.01, 0.2, 5, 0.05], [150, 0.2, 8, 50, 2])
    joint = rd.Arm([rd.Link(1.0, inertia=inertia * np.eye(3))], gravity=(0, 0, 0))
    constant, end = inertia * R / (ratio * k) ** 2, u / (ratio * k)
    times = np.linspace(0, 3 * constant, 1501)
    run = rd.simulate(joint, [0], [0], lambda t, q, qd: ratio * k / R * (u - k * ratio * qd), times)
    assert np.allclose(run.qd[:, 0], end * (1 - np.exp(-times / constant)), atol=1e-6 * end)
    power = run.tau[:, 0] * run.qd[: len(run.tau), 0]
    best = np.argmax(power)
    current = run.tau[best, 0] / (ratio * k)
    assert power[best] == pytest.approx(u**2 / (4 * R), rel=1e-4)
    assert run.qd[best, 0] == pytest.approx(end / 2, rel=1e-2)
    assert R * current**2 == pytest.approx(u * current / 2, rel=1e-2)


@pytest.mark.parametrize(("pull", "best"), [(0.0, 59.6), (9.81, 82.4)])
def test_without_weight_the_best_ratio_makes_the_inertias_equal_and_lifting_takes_a_larger_one(pull, best):
    """The best of 1000 ratios, by forward dynamics of a level rod: 60 weight aside, and 82 where it is lifted."""
    ratios = np.linspace(10, 200, 1000)
    found = []
    for ratio in ratios:
        (bar,) = rd.robots.planar([0.4], [2.0], coms=[0.2], inertias=[2 * 0.4**2 / 12]).links
        arm = rd.Arm([replace(bar, motor_inertia=ratio**2 * 3e-5)], gravity=(0, -pull, 0))
        found.append(rd.forward_dynamics(arm, [0], [0], [0.2 * ratio])[0])
    assert ratios[np.argmax(found)] == pytest.approx(best, abs=0.5)
