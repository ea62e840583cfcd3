"""Sentences of the page "How heavy is a hand?", beyond its own poses and masses."""

import numpy as np
import pytest

import robotdyn as rd

PLANE = [(1, 0, 0), (0, 1, 0)]


def aside(q: np.ndarray, miss: float) -> tuple[float, float, float]:
    """Return the direction in the plane that misses the last link's by `miss` rad."""
    way = q.sum() + miss
    return np.cos(way), np.sin(way), 0.0


def test_half_of_the_mass_is_lost_later_the_less_the_principal_masses_differ():
    """A push that misses the forearm meets half of the mass along it where the sine is sqrt(L / (H - L))."""
    rng = np.random.default_rng(18)
    for _ in range(200):
        m1, m2 = rng.uniform(0.3, 10, 2)
        arm = rd.robots.planar(rng.uniform(0.1, 2, 2), masses=[m1, m2])
        q = np.array([rng.uniform(-np.pi, np.pi), rng.choice([-1, 1]) * np.radians(rng.uniform(3, 90))])
        light, heavy = np.linalg.eigvalsh(rd.effective_inertia(arm, q, directions=PLANE))
        if heavy <= 2 * light:
            across = rd.effective_mass(arm, q, aside(q, np.pi / 2))
            assert across > 0.5 * heavy * (1 - 1e-9)  # half is lost nowhere
            continue
        half = np.arcsin(np.sqrt(light / (heavy - light)))
        assert rd.effective_mass(arm, q, aside(q, half)) == pytest.approx(heavy / 2, rel=1e-6)


def test_the_ellipse_is_roundest_with_a_right_angle_at_the_last_elbow():
    """The hand weighs at least m2 + m3 along its link and m3 across it; the least is met at a right angle, whatever q1 and q2."""
    rng = np.random.default_rng(3)
    for _ in range(300):
        masses = rng.uniform(0.2, 5, 3)
        arm = rd.robots.planar(rng.uniform(0.3, 1.5, 3), masses=masses)
        q = rng.uniform(-3, 3, 3)
        small, large = np.linalg.eigvalsh(rd.task_space.mobility(arm, q, directions=PLANE))
        assert 1 / small >= (masses[1] + masses[2]) * (1 - 1e-9)
        assert 1 / large == pytest.approx(masses[2], rel=1e-9)
        q[2] = rng.choice([-1, 1]) * np.pi / 2
        small, large = np.linalg.eigvalsh(rd.task_space.mobility(arm, q, directions=PLANE))
        assert large / small == pytest.approx(1 + masses[1] / masses[2], rel=1e-9)


def test_the_hand_is_infinitely_heavy_only_where_all_three_links_are_in_line():
    """One straight elbow is not enough, because the other one gives way."""
    rng = np.random.default_rng(5)
    arm = rd.robots.planar(3)
    for _ in range(200):
        q = np.array([rng.uniform(-3, 3), *rng.choice([0, np.pi], 2)])
        assert np.linalg.eigvalsh(rd.task_space.mobility(arm, q, directions=PLANE))[0] < 1e-12
        q[rng.integers(1, 3)] += rng.choice([-1, 1]) * rng.uniform(0.2, 2.9)
        assert np.linalg.eigvalsh(rd.task_space.mobility(arm, q, directions=PLANE))[0] > 1e-3


def test_the_effective_mass_exists_where_each_motion_moves_some_mass():
    """It exists for every pose and every point as long as M is positive definite; a joint that moves no mass is refused."""
    rng = np.random.default_rng(7)
    for _ in range(100):
        arm = rd.robots.planar(rng.uniform(0.3, 1, 3), masses=rng.uniform(0.2, 3, 3))
        q, d = rng.uniform(-np.pi, np.pi, 3) * rng.integers(0, 2, 3), rng.normal(size=3)
        assert rd.effective_mass(arm, q, d / np.linalg.norm(d), link=int(rng.integers(3))) > 0
    with pytest.raises(ValueError, match="mass"):
        rd.effective_mass(rd.robots.planar(2, [3, 0]), (0.3, 0.5), (1, 0, 0))


def test_the_wrist_of_the_puma_weighs_the_same_across_its_forearm_in_every_pose():
    """The lightest direction is square to the forearm: there the wrist weighs 1.9 kg in every pose."""
    rng = np.random.default_rng(560)
    puma = rd.robots.puma560()
    lightest = np.linalg.eigvalsh(rd.effective_inertia(puma, rng.uniform(-np.pi, np.pi, (300, 6))))[:, 0]
    assert abs(lightest - 1.9).max() < 0.05
