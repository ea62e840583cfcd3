"""Sentences of the page "Simulation" on what keeps the energy of an arm, tried for longer, from other poses and steps."""

import math

import numpy as np
import pytest

import robotdyn as rd


def drift(pose, implicit, dt, seconds):
    """Return the energy error (J) of two links of 1 m and 1 kg, by semi-implicit steps in the momenta from rest.

    implicit: take the slope of the energy by q at the new momenta, else at the old.
    """
    (a, b), p_1, p_2, qs, qds = pose, 0.0, 0.0, [], []
    for _ in range(round(seconds / dt)):
        c, s, old, at = math.cos(b), math.sin(b), p_2, (p_1, p_2)
        p_1 -= dt * 9.81 * (2 * math.cos(a) + math.cos(a + b))
        for _ in range(20 if implicit else 1):
            v, w = rates(c, *at)
            p_2 = old - dt * (9.81 * math.cos(a + b) + s * v * (v + w))
            at = p_1, p_2
        v, w = rates(c, p_1, p_2)
        a, b = a + dt * v, b + dt * w
        qs.append([a, b])
        qds.append(rates(math.cos(b), p_1, p_2))
    arm = rd.robots.planar(2)
    qs, qds = np.array(qs), np.array(qds)
    return rd.kinetic_energy(arm, qs, qds) + rd.potential_energy(arm, qs) - rd.potential_energy(arm, pose)


def rates(c, p_1, p_2):
    """Return M^-1 p, where c is the cosine of the second angle."""
    det = 2 - c * c
    return (p_1 - (1 + c) * p_2) / det, ((3 + 2 * c) * p_2 - (1 + c) * p_1) / det


def test_the_momenta_are_new():
    """What keeps the energy in its band is a semi-implicit step in the momenta, with both slopes of the energy at the new
    momenta and the old coordinates; with the slope by q at the old momenta the energy drifts."""
    rng = np.random.default_rng(35)
    poses = [np.array([-1.0, 0.5]), *([-np.pi / 2, 0] + rng.uniform(-0.8, 0.8, (4, 2)))]
    for pose in poses:
        new = drift(pose, True, 0.01, 200).reshape(10, -1)
        assert abs(new.mean(axis=1)).max() < 0.2 * abs(new).max()  # it swings about zero, in all tenths of the time
        assert abs(new[5:]).max() < 1.2 * abs(new[:5]).max()
        assert 0.4 < abs(drift(pose, True, 0.005, 40)).max() / abs(drift(pose, True, 0.01, 40)).max() < 0.6
    old = drift(poses[0], False, 0.01, 200).reshape(10, -1)
    assert abs(old[-1].mean()) > 3 * abs(drift(poses[0], True, 0.01, 40)).max()


def test_rates_let_the_energy_drift():
    """A semi-implicit step in the rates lets the energy of an arm drift: from the pose (-1, 0.5) rad in proportion to the
    time and to the step, from others less regularly."""
    arm = rd.robots.planar(2)

    def means(pose, dt):
        run = rd.simulate(arm, pose, [0, 0], None, dt * np.arange(round(40 / dt)), "semi-implicit")
        tens = run.energy_error(arm).reshape(4, -1).mean(axis=1)
        return tens[1:] - tens[0]

    regular, irregular = means([-1.0, 0.5], 0.01), means([-1.55, 0.9], 0.01)
    assert np.allclose(regular / regular[0], [1, 2, 3], atol=0.15)
    assert np.allclose(regular / means([-1.0, 0.5], 0.005), 2, atol=0.15)
    assert abs(irregular / irregular[0] - [1, 2, 3]).max() > 1
    for pose in ([-1.0, 0.5], [-1.55, 0.9]):
        kept = drift(pose, True, 0.01, 40).reshape(4, -1).mean(axis=1)
        assert abs(means(pose, 0.01)).max() > 5 * abs(kept[1:] - kept[0]).max()


def test_between_two_bounds():
    """From rest, with z = omega dt < 2, the energy of the oscillator stays between E_0 / (1 + z/2) and E_0 / (1 - z/2) in all
    steps of semi-implicit Euler, and comes near to both; for z > 2 the motion grows."""
    for z in (0.01, 0.1, 0.7, 1.3, 1.9, 1.99):
        q, v, energies = 1.0, 0.0, []
        for _ in range(20_000):
            v -= z * q
            q += z * v
            energies.append(q * q + v * v)
        low, high = 1 / (1 + z / 2), 1 / (1 - z / 2)
        assert low * (1 - 1e-9) < min(energies) < low * 1.01
        assert high * 0.99 < max(energies) < high * (1 + 1e-9)
    q, v = 1.0, 0.0
    for _ in range(200):
        v -= 2.05 * q
        q += 2.05 * v
    assert abs(q) > 1e6


def test_half_a_change_at_the_start():
    """Semi-implicit Euler with half the first change of the rate has order two in the angles, without it order one."""
    rng, arm = np.random.default_rng(36), rd.robots.planar(1)
    for _ in range(3):
        start, rate, end = rng.uniform(-2, 1), rng.uniform(-2, 2), rng.uniform(0.6, 2)
        tenths = np.linspace(0, end, 11)
        true = rd.simulate(arm, [start], [rate], None, tenths, method="solve_ivp", rtol=1e-13, atol=1e-14).q[:, 0]
        for first, order in ((1.0, 1), (0.5, 2)):
            worst = []
            for steps in (400, 800):
                q, v, h, seen = start, rate, end / steps, []
                for i in range(steps):
                    v -= (first if i == 0 else 1) * h * 9.81 * math.cos(q)
                    q += h * v
                    seen.append(q)
                worst.append(abs(np.array(seen[steps // 10 - 1 :: steps // 10]) - true[1:]).max())
            assert abs(math.log2(worst[0] / worst[1]) - order) < 0.1


def spring_energies(arm, method, dt, seconds):
    """Return the energy error (J) of an arm on a table with springs in its joints, let go at rest, in four parts of the time."""
    spring = lambda t, q, qd: -3.0 * q
    run = rd.simulate(arm, [0.4, -0.9], [0, 0], spring, dt * np.arange(round(seconds / dt)), method)
    energy = rd.kinetic_energy(arm, run.q, run.qd) + 1.5 * (run.q**2).sum(axis=1)
    return (energy - energy[0]).reshape(4, -1)


def test_an_arm_whose_inertia_is_constant_does_not_drift():
    """A semi-implicit step in the rates lets the energy drift of an arm whose inertia depends on the pose; where it is constant,
    as with counterweights, rates serve as well as momenta."""
    balanced = rd.robots.two_link((1, 1), (2, 1), (-0.5, 0), (0.1, 0.1))
    kept = spring_energies(balanced, "semi-implicit", 0.01, 200)
    assert np.ptp(abs(kept).max(axis=1)) < 0.05 * abs(kept).max()
    assert abs(kept.mean(axis=1)).max() < 0.1 * abs(kept).max()
    bent = spring_energies(rd.robots.two_link(gravity=0), "semi-implicit", 0.01, 200)
    assert np.ptp(bent.mean(axis=1)) > 5 * np.ptp(kept.mean(axis=1))


def test_the_balance_closes_at_best_to_second_order():
    """With motors the energy balance closes at best to second order in the step: with Runge-Kutta, and to first with either Euler."""
    arm = rd.robots.planar(2)
    for method, order in (("euler", 1), ("semi-implicit", 1), ("rk4", 2)):
        off = [
            rd.simulate(arm, [0, 0], [0, 0], [3.0, 1.0], np.linspace(0, 1, n + 1), method).energy_error(arm)[-1]
            for n in (400, 800)
        ]
        assert abs(math.log2(off[0] / off[1]) - order) < 0.1


def test_without_the_half_change_where_the_acceleration_is_zero():
    """Without half a change at the start the order is one, unless the motion starts where the acceleration is zero: there it is two."""
    arm = rd.robots.planar(1)
    for start, rate, order in ((-np.pi / 2, 2.0, 2), (np.pi / 2, 1.0, 2), (0.0, 2.0, 1)):
        true = rd.simulate(arm, [start], [rate], None, np.array([0, 1.0]), method="solve_ivp", rtol=1e-13, atol=1e-14)
        worst = []
        for steps in (400, 800):
            q, v, h = start, rate, 1 / steps
            for _ in range(steps):
                v -= h * 9.81 * math.cos(q)
                q += h * v
            worst.append(abs(q - true.q[-1, 0]))
        assert abs(math.log2(worst[0] / worst[1]) - order) < 0.1


def test_a_drift_in_proportion_to_the_time_is_that_of_the_first_forty_seconds():
    """From the pose (-1, 0.5) rad a step in the rates lets the energy drift for 40 s in proportion to the time, and later faster; an
    explicit step in the momenta is 4 J off after two minutes, where the implicit one stays within 0.104 J."""
    arm = rd.robots.planar(2)
    run = rd.simulate(arm, [-1.0, 0.5], [0, 0], None, 0.01 * np.arange(16_000), "semi-implicit")
    means = run.energy_error(arm).reshape(8, -1).mean(axis=1)
    gains = np.diff(means)  # in 20 s each
    assert gains[0] == pytest.approx(means[0] * 2, rel=0.15)
    assert (np.diff(gains) > 0).all()
    assert gains[-1] > 2 * gains[0]
    old = drift([-1.0, 0.5], False, 0.01, 200)
    assert old[12_000:].mean() == pytest.approx(4, abs=0.15)
    assert abs(drift([-1.0, 0.5], True, 0.01, 200)).max() == pytest.approx(0.104, abs=5e-4)
