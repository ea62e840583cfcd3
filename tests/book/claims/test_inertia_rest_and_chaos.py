"""Sentences of the page "Inertia, rest and chaos": arms that move against no resistance, shoulders at ease, quiet elbows."""

import numpy as np
import pytest

import robotdyn as rd

RODS = rd.robots.uniform_two_link()


def test_an_idealized_arm_fails_in_two_ways():
    """Link 2 has no inertia about the elbow, in any pose; or link 1 none about the shoulder and link 2 is a point mass."""
    rng = np.random.default_rng(1)
    for _ in range(30):
        lengths, (heavy, light) = rng.uniform(0.3, 1, 2), rng.uniform(0.5, 2, 2)
        at = [[0, angle] for angle in np.linspace(-3, 3, 41)]
        elbow = rd.robots.planar(lengths, [heavy, light], coms=[lengths[0], 0])  # a point mass at the elbow
        assert abs(np.linalg.det(rd.mass_matrix(elbow, at))).max() < 1e-12
        point = rd.robots.planar(lengths, [0, light])
        expected = (light * lengths[0] * lengths[1] * np.sin([q[1] for q in at])) ** 2
        assert np.linalg.det(rd.mass_matrix(point, at)) == pytest.approx(expected, abs=1e-12)
        rod = rd.robots.planar(lengths, [0, light], inertias=[0, 0.01])  # link 1 weighs nothing, but link 2 is no point
        assert np.linalg.det(rd.mass_matrix(rod, at)).min() > 0
        short = rd.robots.planar([0, lengths[1]], [0, light], inertias=[0, 0.01])  # link 1 has no length: a third way
        assert abs(np.linalg.det(rd.mass_matrix(short, at))).max() < 1e-12


def test_a_shoulder_is_at_ease_with_any_upper_arm_that_is_steep_enough():
    """The shoulder is at ease when c_12 = -3 c_1, with a c_1 between -1/3 and 1/3; the forearm is vertical only if the upper arm is."""
    for lean in np.linspace(-1 / 3, 1 / 3, 20):  # no zero among them
        for side in (1, -1):
            q_1 = np.arccos(lean)
            both = side * np.arccos(-3 * lean)
            assert abs(rd.gravity_torque(RODS, [q_1, both - q_1])[0]) < 1e-12
            assert abs(np.cos(both)) > 1e-3
    flat = [rd.gravity_torque(RODS, [q_1, q_2])[0] for q_1 in (0.0, 1.2) for q_2 in np.linspace(-3, 3, 61)]
    assert min(np.abs(flat)) > 0.1  # a less steep upper arm has none


@pytest.mark.parametrize("side", [1, -1])
def test_the_quiet_elbow_opens_on_either_side(side):
    """The elbow does not react at 131.8 degrees, bent to either side, and opens a moment later."""
    table = rd.robots.uniform_two_link(gravity=0)
    quiet = [0, side * np.arccos(-2 / 3)]
    assert abs(rd.forward_dynamics(table, quiet, [0, 0], [1, 0])[1]) < 1e-12
    run = rd.simulate(table, quiet, [0, 0], [1.0, 0.0], np.arange(0, 0.5, 0.01))
    assert (np.diff(side * run.q[:, 1])[1:] < 0).all()


def equilibria(arm):
    """Return how many poses of a grid of 10 degrees need no torque."""
    side = np.radians(np.arange(-180, 180, 10))
    poses = np.stack(np.meshgrid(side, side, indexing="ij"), axis=-1).reshape(-1, 2)
    return int((abs(rd.gravity_torque(arm, poses)).max(axis=1) < 1e-9).sum())


def test_four_equilibria_without_counterweights():
    """If neither first moment is zero each link points up or down: four equilibria; with a balanced or massless link there are more."""
    rng = np.random.default_rng(38)
    for _ in range(5):
        l, m = rng.uniform(0.3, 1, 2), rng.uniform(0.3, 2, 2)
        assert equilibria(rd.robots.planar(l, m, rng.uniform(0.1, 1, 2) * l)) == 4
    assert equilibria(rd.robots.planar([1, 1], [1, 0])) == 2 * 36  # a massless forearm
    assert equilibria(rd.robots.two_link((1, 1), (2, 1), (-0.9, -0.3), (0.1, 0.1))) == 4  # counterweights, but heavier
    assert equilibria(rd.robots.two_link((1, 1), (2, 1), (0.5, 0), (0.1, 0.1))) == 2 * 36  # a balanced forearm
    assert equilibria(rd.robots.two_link((1, 1), (2, 1), (-0.5, 0.3), (0.1, 0.1))) == 36 * 2  # a balanced upper arm
    assert equilibria(rd.robots.two_link((1, 1), (2, 1), (-0.5, 0), (0.1, 0.1))) == 36**2


def parting(starts, digit, end, dt=0.01):
    """Return when each fall from rest and its neighbor are 0.1 rad apart, s; infinity where they are not until the end."""
    accelerations = rd.specialize(rd.forward_dynamics, RODS)

    def slopes(x):
        return np.hstack([x[:, 2:], accelerations(x[:, :2], x[:, 2:], 0 * x[:, :2])])

    beside = starts + [10.0**-digit, 0.0]
    x, when = np.pad(np.vstack([starts, beside]), ((0, 0), (0, 2))), np.full(len(starts), np.inf)
    for time in np.arange(0, end, dt):
        gap = np.linalg.norm(x[: len(starts), :2] - x[len(starts) :, :2], axis=1)
        when = np.where(np.isinf(when) & (gap > 0.1), time, when)
        a = slopes(x)
        b = slopes(x + dt / 2 * a)
        c = slopes(x + dt / 2 * b)
        x = x + dt / 6 * (a + 2 * b + 2 * c + slopes(x + dt * c))
    return when


def at_rest(energy, number, rng):
    """Return poses of the two rods at rest that have one energy, drawn as on the page."""
    level = 2 * energy / 9.81
    q_1 = rng.uniform(-np.pi, np.pi, 60 * number)
    q_1 = q_1[np.abs(level - 3 * np.sin(q_1)) < 1][:number]
    up = np.arcsin(level - 3 * np.sin(q_1))
    return np.stack([q_1, np.where(rng.random(number) < 0.5, up, np.pi - up) - q_1], axis=-1)


def test_what_a_digit_buys_at_three_energies():
    """At 0, 7.5 and 15 J a digit buys about 1.9, 1.7 and 1.5 s, give or take 0.4 s from one draw of twenty starts to the next:
    the more energy, the less."""
    energies, draws = (0, 7.5, 15), 10
    starts = np.vstack([at_rest(e, 20, np.random.default_rng(seed)) for seed in range(draws) for e in energies])
    times = [parting(starts, digit, 25).reshape(draws, 3, 20) for digit in (4, 7)]
    gains = (np.median(times[1], axis=2) - np.median(times[0], axis=2)) / 3
    means = gains.mean(axis=0)
    assert means == pytest.approx([1.9, 1.7, 1.5], abs=0.15)  # of ten draws: within three standard errors
    assert means[0] > means[1] > means[2]
    assert abs(gains - [1.9, 1.7, 1.5]).max() < 0.6
    assert np.mean(abs(gains - [1.9, 1.7, 1.5]) < 0.4) > 0.85


def test_a_slow_chaos_looks_regular_for_a_while():
    """At -16 and -10 J no pair that starts 1e-7 rad apart parts within 25 s; within 100 s half of those at -10 J do, none at -16 J."""
    rng = np.random.default_rng(35)
    times = parting(np.vstack([at_rest(energy, 40, rng) for energy in (-16, -10)]), 7, 100).reshape(2, 40)
    assert times.min() > 25
    assert np.isinf(times[0]).all()
    assert 0.25 < np.isfinite(times[1]).mean() < 0.75
