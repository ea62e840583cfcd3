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
        q[1] = rng.choice([q[1], 0, np.pi, np.pi / 2])  # the first elbow straight, folded, square
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
    straight = np.arctan2(0.4318, 0.0203) + np.pi  # where the wrist is in line with the upper arm
    poses = rng.uniform(-np.pi, np.pi, (300, 6))
    poses[:60, 2] = -straight + rng.choice([1e-3, np.pi - 1e-3], 60)  # nearly stretched and nearly folded
    poses[60:90, 1] = rng.choice([0, np.pi / 2, -np.pi / 2], 30)  # level and upright
    poses[90:120, 4] = 0  # two axes of the wrist in line
    lightest = 1 / np.linalg.eigvalsh(rd.task_space.mobility(puma, poses))[:, -1]
    assert abs(lightest - 1.9).max() < 0.05


def test_two_links_follow_the_law_of_the_bend_if_each_motion_moves_some_mass():
    """A tenth of the angle means a hundred times the mass for any two links whose M is positive definite when straight;
    without the mass at the elbow the hand weighs m2 at every bend."""
    rng = np.random.default_rng(36)
    for _ in range(50):
        lengths = rng.uniform(0.2, 1.5, 2)
        coms, inertias = lengths * rng.uniform(0.1, 1, 2), rng.uniform(0.001, 0.1, 2)
        arm = rd.robots.planar(lengths, rng.uniform(0.3, 5, 2), coms, inertias)
        poses = np.array([[0.3, 1e-3], [0.3, 1e-4]])
        near, nearer = np.linalg.eigvalsh(rd.effective_inertia(arm, poses, directions=PLANE))[:, -1]
        assert nearer / near == pytest.approx(100, rel=0.02)
        bare = rd.robots.planar(lengths, masses=[0.0, 1.7])
        found = rd.effective_inertia(bare, np.array([[0.3, 0.1], [0.3, 1e-3]]), directions=PLANE)
        assert found == pytest.approx(np.broadcast_to(1.7 * np.eye(2), (2, 2, 2)), abs=1e-6)


def test_a_force_along_a_nearly_straight_arm_has_hardly_a_lever():
    """Close to this pose a force along the arm has hardly a lever about any joint: a tenth of the bends, a tenth of the torques."""
    rng = np.random.default_rng(37)
    for n in (2, 3, 5):
        arm, bends = rd.robots.planar(rng.uniform(0.2, 1, n)), rng.uniform(0.5, 1, n - 1)
        torques = []
        for size in (1e-2, 1e-3):
            q = np.array([0.0, *(size * bends)])
            place = rd.point_position(arm, q)
            torques.append(abs(rd.tip_jacobian(arm, q)[:3].T @ place / np.linalg.norm(place)).max())
        assert torques[0] / torques[1] == pytest.approx(10, rel=0.02)


def test_a_locked_elbow_makes_the_wrist_infinitely_heavy_toward_the_shoulder():
    """With the elbow locked the wrist keeps its distance from the point in which the first two axes meet, in every pose."""
    rng, puma, free = np.random.default_rng(38), rd.robots.puma560(), [0, 1, 3, 4, 5]
    for q in rng.uniform(-3, 3, (50, 6)):
        M, J = rd.mass_matrix(puma, q), rd.tip_jacobian(puma, q)[:3]
        locked = J[:, free] @ np.linalg.solve(M[np.ix_(free, free)], J[:, free].T)
        away = rd.point_position(puma, q)
        assert abs(locked @ away).max() < 1e-12
        assert away @ rd.task_space.mobility(puma, q) @ away > 1e-6 * (away @ away)


def test_four_shapes_are_lightest():
    """The lightest shapes, four of them, let the last link hang straight down or stand straight up, with the first elbow on either side."""
    arm, goal = rd.robots.planar([0.4, 0.4, 0.2], masses=[3, 2, 1]), np.array([0.5, 0.3])
    light = []
    for degrees in np.arange(0, 360, 5):
        phi = np.radians(degrees)
        wrist = goal - 0.2 * np.array([np.cos(phi), np.sin(phi)])
        if (far := np.hypot(*wrist)) >= 0.8:
            continue
        half, way = np.arccos(far / 0.8), np.arctan2(wrist[1], wrist[0])
        for side in (1, -1):
            q = [way + side * half, -2 * side * half, phi - way + side * half]
            assert np.allclose(rd.point_position(arm, q)[:2], goal)
            mass = rd.effective_mass(arm, q, (1, 0, 0))
            assert mass > 1 - 1e-9
            if mass < 1 + 1e-6:
                light.append((int(degrees), side))
    assert sorted(light) == [(90, -1), (90, 1), (270, -1), (270, 1)]


@pytest.mark.parametrize(("moment", "grows"), [(0.3, True), (0.0, False)])
def test_the_mass_grows_near_a_joint_if_each_motion_moves_some_mass(moment, grows):
    """If each motion of the joints moves some mass, the effective mass across a link grows like one over the square of the distance."""
    arm = rd.robots.rp(masses=(moment, 2), com1=(0, 0), inertias=(moment, 0))
    near, far = (rd.effective_mass(arm, (0.4, r), (-np.sin(0.4), np.cos(0.4), 0)) for r in (1e-4, 1e-3))
    assert near / far == pytest.approx(100 if grows else 1, rel=1e-3)


def test_the_mass_of_a_free_hand_is_never_larger_than_in_a_slot_and_may_be_equal():
    """The mass of a free hand along x is never larger than Lambda_11, and the same where x is a principal direction."""
    arm, rng = rd.robots.planar([0.4, 0.4], masses=[3, 1]), np.random.default_rng(15)
    turned = np.radians([(-90, 90), (0, 90), (-30, 30), (60, 30)])  # forearm along x, or along y
    for k, q in enumerate((*turned, *rng.uniform(0.3, 2.8, (20, 2)))):
        slot = rd.effective_inertia(arm, q, directions=np.eye(2, 3))[0, 0]
        free = rd.effective_mass(arm, q, (1, 0, 0))
        assert free <= slot * (1 + 1e-9)
        assert (abs(free / slot - 1) < 1e-9) == (k < len(turned))


def test_a_hand_can_be_less_than_a_tenth_of_the_machine_and_infinite():
    """In every pose some direction of the PUMA's wrist meets less than a tenth of its moving mass; a stretched arm is infinitely heavy along itself."""
    puma, rng = rd.robots.puma560(), np.random.default_rng(41)
    moving = sum(float(link.mass) for link in puma.links)
    for q in rng.uniform(-3, 3, (50, 6)):
        assert 1 / np.linalg.eigvalsh(rd.task_space.mobility(puma, q))[-1] < moving / 10
    straight = rd.task_space.mobility(rd.robots.planar(2), [0.4, 0.0], directions=PLANE)
    along = np.array([np.cos(0.4), np.sin(0.4)])
    assert abs(along @ straight @ along) < 1e-12
