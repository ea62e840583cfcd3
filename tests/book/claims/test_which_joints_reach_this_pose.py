"""Sentences of the page "Which joints reach this pose?", beyond its two arms, its poses and its starts."""

from collections.abc import Iterator

import numpy as np
import pytest

import robotdyn as rd
from robotdyn import inverse_kinematics as ik
from robotdyn.laws import slope

PUMA = rd.robots.puma560()


def hand(q: np.ndarray) -> np.ndarray:
    """Return the frame of the PUMA's hand."""
    return rd.motions.homogeneous(*rd.tip_pose(PUMA, q))


# ---- how many ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_two_links_reach_a_ring_twice_its_edge_once_and_nothing_else(seed):
    """Two links, a place in the plane: 2 solutions, 1 on the edge, 0 beyond; the nearest place is on the same ray."""
    rng = np.random.default_rng(seed)
    lengths = rng.uniform(0.2, 1, 2)
    arm = rd.robots.planar(lengths)
    inner, outer = abs(lengths[0] - lengths[1]), sum(lengths)
    for r, count in ((0.98 * inner, 0), (inner, 1), (inner + 0.01, 2), (outer - 0.01, 2), (outer, 1), (1.3 * outer, 0)):
        angle = rng.uniform(-np.pi, np.pi)
        way = np.array([np.cos(angle), np.sin(angle), 0])
        found = ik.all_solutions(arm, r * way)
        assert len(found.q) == count
        if count == 0:
            edge = inner if r < inner else outer
            assert np.allclose(rd.point_position(arm, found.nearest.q), edge * way, atol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_the_ring_of_a_hand_with_a_direction_lies_about_the_third_joint(seed):
    """It is a ring between circles with the radii l_1 + l_2 and |l_1 - l_2|, and its center lies l_3 from the shoulder."""
    rng = np.random.default_rng(seed)
    l1, l2, l3 = rng.uniform(0.2, 1, 3)
    arm, phi = rd.robots.planar([l1, l2, l3]), rng.uniform(-3, 3)
    for radius, count in ((abs(l1 - l2) * 0.97, 0), (0.5 * (l1 + l2 + abs(l1 - l2)), 2), (1.02 * (l1 + l2), 0)):
        around = rng.uniform(-np.pi, np.pi)
        place = l3 * np.array([np.cos(phi), np.sin(phi)]) + radius * np.array([np.cos(around), np.sin(around)])
        T = rd.motions.homogeneous(rd.rotations.exp((0, 0, phi)), (*place, 0))
        assert len(ik.all_solutions(arm, T).q) == count


def test_with_limits_the_hand_can_be_in_the_middle_of_its_workspace_and_be_stuck():
    """Limits leave holes in the ring: on one circle inside it there are places with two solutions, with one and with none."""
    arm = rd.robots.planar([0.5, 0.4, 0.15])
    R = rd.rotations.exp((0, 0, 0.4))
    center = 0.15 * R[:2, 0]
    counts = []
    for angle in np.linspace(0, 6.2, 32):
        place = center + 0.5 * np.array([np.cos(angle), np.sin(angle)])
        T = rd.motions.homogeneous(R, (*place, 0))
        counts.append(len(ik.all_solutions(arm, T, dict.fromkeys(range(3), (-2.5, 2.5))).q))
    assert set(counts) == {0, 1, 2}


def test_at_most_four_and_at_most_eight():
    """Joint 1 before two parallel ones: at most 4 of a place; six hinges with a spherical wrist as the PUMA's: at most 8."""
    rng = np.random.default_rng(11)
    first_three = rd.Arm(PUMA.links[:3], PUMA.gravity, (0.02, 0.43, 0.1))
    for place in rng.uniform(-0.8, 0.8, (60, 3)):
        assert len(ik.all_solutions(first_three, place).q) <= 4
    for place, turn in rng.uniform(-0.7, 0.7, (60, 2, 3)):
        T = rd.motions.homogeneous(rd.rotations.exp(4 * turn), place)
        found = ik.all_solutions(PUMA, T)
        assert len(found.q) in (0, 4, 8)
        for q in found.q:
            flipped = q + [0, 0, 0, np.pi, 0, np.pi]
            flipped[4] = -q[4]
            assert np.allclose(hand(flipped), T, atol=1e-9)  # the wrist flip


def test_nearer_to_the_vertical_axis_than_the_offset_there_is_none():
    """The arm stands to either side, unless the wrist is nearer to the vertical axis than d_3, where there is none."""
    rng = np.random.default_rng(4)
    offset = 0.15005
    for angle, z in rng.uniform(-0.4, 0.4, (10, 2)):
        for r, there in ((0.98 * offset, False), (1.2 * offset, True)):
            T = rd.motions.homogeneous(np.eye(3), (r * np.cos(8 * angle), r * np.sin(8 * angle), z))
            assert bool(len(ik.all_solutions(PUMA, T).q)) == there


# ---- orientations -----------------------------------------------------------------------------------------------------


def test_the_error_of_an_orientation():
    """exp(phi) R = R_g, |phi| <= pi, and its rate is -J_r^-1 omega, which is -omega along the axis alone."""
    rng = np.random.default_rng(2)
    for turns in rng.normal(size=(20, 2, 3)):
        R, goal = rd.rotations.exp(2 * turns)
        phi = ik.pose_error((R, np.zeros(3)), (goal, np.zeros(3)))[3:]
        assert np.allclose(rd.rotations.exp(phi) @ R, goal) and np.linalg.norm(phi) <= np.pi + 1e-12
        axis = phi / np.linalg.norm(phi)
        inverse = rd.rotations.right_jacobian_inverse(phi)
        assert np.allclose(inverse @ axis, axis) and np.allclose(inverse.T @ axis, axis)
        across = np.cross(axis, [1.0, 0, 0])
        assert not np.allclose(inverse @ across, across, atol=1e-3)


def test_a_quaternion_and_its_negative_are_one_orientation():
    """Two whole turns bring a quaternion home, one does not; of two signs one makes the product of entries positive."""
    rng = np.random.default_rng(3)
    around = lambda axis, angle: np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis)])
    for phi in rng.normal(size=(20, 3)):
        one = rd.rotations.to_quaternion(rd.rotations.exp(phi))
        assert np.allclose(rd.rotations.from_quaternion(-one), rd.rotations.from_quaternion(one))
        axis = phi / np.linalg.norm(phi)
        assert np.allclose(around(axis, 2 * np.pi), [-1, 0, 0, 0]) and np.allclose(
            around(axis, 4 * np.pi), [1, 0, 0, 0]
        )


# ---- steps ------------------------------------------------------------------------------------------------------------


def test_no_damped_step_is_longer_than_the_error_over_twice_the_damping():
    """|dq| <= |e| / 2 mu, in singular poses too, for any number of rows and columns, and attained where sigma_k = mu."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        m, n = rng.integers(1, 8, 2)
        J = rng.normal(size=(m, n)) * 10.0 ** rng.uniform(-6, 3)
        J[:, rng.integers(n)] *= rng.choice([0, 1e-9, 1])
        e, mu = rng.normal(size=m), 10.0 ** rng.uniform(-3, 1)
        step = np.linalg.solve(J.T @ J + mu**2 * np.eye(n), J.T @ e)
        assert np.linalg.norm(step) <= np.linalg.norm(e) / (2 * mu) * (1 + 1e-6)


def test_newton_asks_for_steps_in_proportion_to_one_over_the_sine_of_the_elbow():
    """Near a stretched or folded arm an error along the arm asks for a step in proportion to 1 / s_2, damped ones do not."""
    arm = rd.robots.planar([0.5, 0.4])
    for center in (0.0, np.pi):
        sizes = []
        for bend in (1e-2, 1e-3, 1e-4):
            q = np.array([0.7, center + bend])
            place = rd.point_position(arm, q)[:2]
            e = 0.01 * place / np.linalg.norm(place)
            J = rd.point_jacobian(arm, q)[:2]
            sizes.append(np.linalg.norm(np.linalg.solve(J, e)) * abs(np.sin(q[1])))
            mu = 0.3 * 0.01
            damped = np.linalg.solve(J.T @ J + mu**2 * np.eye(2), J.T @ e)
            assert np.linalg.norm(damped) <= 1 / 0.6
        assert np.ptp(sizes) < 0.01 * sizes[0] and sizes[0] > 0


def test_damped_steps_arrive_from_every_start_of_the_picture_for_other_goals():
    """With damped steps all starts arrive; with Newton's some do not, and its longest step is far longer than a turn."""
    rng = np.random.default_rng(6)
    arm = rd.robots.planar([0.5, 0.4])
    longest = 0.0
    for angle in rng.uniform(-3, 3, 4):
        goal = rd.point_position(arm, [angle, rng.choice([-1, 1]) * rng.uniform(0.6, 2.4)])
        for start in rng.uniform(-np.pi, np.pi, (25, 2)):
            assert ik.solve(arm, goal, start, restarts=0).solved
            e = goal[:2] - rd.point_position(arm, start)[:2]
            step = np.linalg.solve(rd.point_jacobian(arm, start)[:2], e)
            longest = max(longest, float(np.linalg.norm(step)))
    assert longest > 2 * np.pi


def test_along_a_stretched_arm_nothing_helps_to_first_order():
    """The arm is stretched, its goal nearer on the same line: J^T e is zero; random starts off the line find their way."""
    rng = np.random.default_rng(7)
    for lengths in rng.uniform(0.3, 1, (5, 2)):
        arm, angle = rd.robots.planar(lengths), rng.uniform(-3, 3)
        reach = rng.uniform(abs(lengths[0] - lengths[1]), sum(lengths))
        goal = reach * np.array([np.cos(angle), np.sin(angle), 0])
        assert ik.solve(arm, goal, [angle, 0], restarts=0).stopped == "singular"
        for start in rng.uniform(-3, 3, (6, 2)):
            assert ik.solve(arm, goal, start, restarts=0).solved


def test_the_right_jacobian_changes_no_newton_step_and_no_slope():
    """Without J_r^-1 Newton's step is the same, and so is J^T e; damped steps differ."""
    rng = np.random.default_rng(8)
    for q, goal in rng.uniform(-2, 2, (20, 2, 6)):
        e = ik.pose_error(rd.tip_pose(PUMA, q), rd.tip_pose(PUMA, goal))
        J = rd.tip_jacobian(PUMA, q)
        exact = np.vstack([J[:3], rd.rotations.right_jacobian_inverse(e[3:]) @ J[3:]])
        newton = np.linalg.solve(J, e)
        assert np.allclose(newton, np.linalg.solve(exact, e), rtol=1e-6, atol=1e-6 * np.linalg.norm(newton))
        assert np.allclose(J.T @ e, exact.T @ e, atol=1e-9)

        def half_square(s, q=q, goal=goal):
            moved = ik.pose_error(rd.tip_pose(PUMA, q + s * np.ones(6)), rd.tip_pose(PUMA, goal))
            return moved @ moved / 2

        if np.linalg.norm(e[3:]) < 2.8:  # half a turn is an edge of the logarithm
            assert slope(half_square, 0.0, 1e-4) == pytest.approx(-np.sum(J.T @ e), abs=1e-5)
        damped = [np.linalg.solve(A.T @ A + np.eye(6), A.T @ e) for A in (J, exact)]
        assert not np.allclose(*damped, atol=1e-4)


def outcome(pose: np.ndarray, start: np.ndarray, damping: float) -> tuple[bool, float]:
    """Return whether damped least squares come back to the pose within 30 steps, and the longest step in rad."""
    q, longest, goal = start, 0.0, hand(pose)
    for _ in range(30):
        error = rd.motions.log(rd.motions.inverse(hand(q)) @ goal)
        size = np.linalg.norm(error)
        if size < 1e-9:
            return bool(np.allclose(q, pose, atol=1e-6)), longest
        J = rd.tip_jacobian(PUMA, q, axes="link")
        step = J.T @ np.linalg.solve(J @ J.T + (damping * size) ** 2 * np.eye(6), error)
        longest = max(longest, float(np.linalg.norm(step)))
        q = q + step
    return False, longest


def poses_and_starts(count: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield random poses, each with a start 0.5 rad away."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        pose, away = rng.uniform(-np.pi, np.pi, 6), rng.normal(size=6)
        yield pose, pose + 0.5 * away / np.linalg.norm(away)


def test_about_one_pose_in_seven_does_not_come_back_and_damping_helps():
    """Of random poses about one in seven does not come back from 0.5 rad away; with damping about one in thirty does not."""
    for damping, share, count in ((0.0, 1 / 7, 450), (0.3, 1 / 30, 300)):
        back, longest = np.array([outcome(*case, damping) for case in poses_and_starts(count, 7)]).T
        spread = 3 * np.sqrt(share * (1 - share) / count)  # three standard deviations
        assert abs(1 - back.mean() - share) < spread
        assert longest.max() > 100 if damping == 0 else longest.max() <= 1 / 0.6


def test_links_of_equal_length_reach_the_shoulder_with_every_first_angle():
    """Links of equal length can bring the hand to the shoulder itself: the folded arm does it with every q_1; others cannot."""
    equal = rd.robots.planar([0.5, 0.5])
    for q_1 in np.linspace(-3, 3, 7):
        assert abs(rd.point_position(equal, [q_1, np.pi])).max() < 1e-15
    found = rd.inverse_kinematics.all_solutions(equal, (0, 0, 0))
    assert found.free
    assert len(rd.inverse_kinematics.all_solutions(rd.robots.planar([0.5, 0.4]), (0, 0, 0)).q) == 0


@pytest.mark.parametrize("seed", range(3))
def test_three_links_reach_a_place_in_two_poses_for_each_direction(seed):
    """Infinitely many: 2 for each direction of the hand that leaves its third joint within reach."""
    rng = np.random.default_rng(seed)
    lengths = rng.uniform(0.2, 0.6, 3)
    arm = rd.robots.planar(lengths)
    place = rd.point_position(arm, rng.uniform(-np.pi, np.pi, 3))
    counts = set()
    for direction in rng.uniform(-np.pi, np.pi, 12):
        third = np.linalg.norm(place[:2] - lengths[2] * np.array([np.cos(direction), np.sin(direction)]))
        T = rd.motions.homogeneous(rd.rotations.exp((0, 0, direction)), place)
        within = abs(lengths[0] - lengths[1]) < third < lengths[0] + lengths[1]
        counts.add((within, len(rd.inverse_kinematics.all_solutions(arm, T).q)))
    assert (True, 2) in counts
    assert counts <= {(True, 2), (False, 0)}


def test_one_pose_of_the_crane_reaches_over_the_driver_and_one_hangs():
    """With the boom at 143.1 degrees the crane reaches backward above its mast, at -126.9 degrees the boom ends below the top."""
    rows = [(0, np.pi / 2, 0.5, 0), (0.5, 0, 0, 0), (0.5, 0, 0, 0)]
    crane = rd.Arm.from_dh(rows)
    for q in rd.inverse_kinematics.all_solutions(crane, (0, 0.7, 0.4)).q:
        end_of_boom = rd.link_poses(crane, q)[1][2]
        behind = abs(q[1]) > np.pi / 2
        assert (end_of_boom[1] * np.sin(q[0]) < 0) == behind  # the turntable then points away from the load
        assert (end_of_boom[2] > 0.5) == (q[1] > 0)


def closed_form(R, p, branch):
    """Return the six angles of the PUMA for a pose of its hand, by the page's formulas, of one shoulder, elbow and wrist."""
    a_2, a_3, d_3, d_4 = 0.4318, 0.0203, 0.15005, 0.4318  # m
    shoulder, elbow, flip = branch
    size, beta = np.hypot(a_3, d_4), np.arctan2(d_4, a_3)
    turn = np.arcsin(d_3 / np.hypot(p[0], p[1]))
    q_1 = np.arctan2(p[1], p[0]) + (turn if shoulder > 0 else np.pi - turn)
    beyond = elbow * np.arccos((p @ p - a_2**2 - size**2 - d_3**2) / (2 * a_2 * size))
    q_2 = np.arctan2(p[2], p[0] * np.cos(q_1) + p[1] * np.sin(q_1))
    q_2 -= np.arctan2(size * np.sin(beyond), a_2 + size * np.cos(beyond))
    rest = rd.frame_pose(PUMA, [q_1, q_2, beyond - beta, 0, 0, 0], PUMA.frame(2))[0].T @ R
    q_4 = np.arctan2(-flip * rest[1, 2], -flip * rest[0, 2])
    q_6 = np.arctan2(-flip * rest[2, 1], flip * rest[2, 0])
    return np.array([q_1, q_2, beyond - beta, q_4, flip * np.arccos(rest[2, 2]), q_6])


def test_the_formulas_give_eight_poses_and_one_of_them_is_that_of_before():
    """All eight have the hand where it should be, they differ, and the arm that made the pose is among them."""
    rng = np.random.default_rng(17)
    for q in rng.uniform(-np.pi, np.pi, (40, 6)):
        R, p = rd.tip_pose(PUMA, q)
        found = np.array([closed_form(R, p, 1 - 2 * np.array(k)) for k in np.ndindex(2, 2, 2)])
        for angles in found:
            reached = rd.tip_pose(PUMA, angles)
            assert max(abs(reached[0] - R).max(), abs(reached[1] - p).max()) < 1e-7
        apart = abs(np.angle(np.exp(1j * (found[:, None] - found)))).max(axis=2)
        assert apart[~np.eye(8, dtype=bool)].min() > 1e-6
        assert abs(np.angle(np.exp(1j * (found - q)))).max(axis=1).min() < 1e-6


def test_an_arm_like_yours_has_its_elbow_on_a_circle_and_eight_sets_of_angles_at_each_place():
    """Self-motion keeps the elbow on a circle about the line from shoulder to wrist; each flip keeps hand and elbow."""
    up, side = np.array([0, 0, 1.0]), np.array([0, 1.0, 0])
    heights = [0, 0, 0, 0.42, 0.42, 0.82, 0.82]
    lines = [rd.motions.screw(side if k % 2 else up, (0, 0, x)) for k, x in enumerate(heights)]
    seven = rd.Arm.from_screws(lines, rd.motions.homogeneous(np.eye(3), (0, 0, 0.82)))
    elbow = lambda q: rd.motions.exp(q[0] * lines[0]) @ rd.motions.exp(q[1] * lines[1]) @ [0, 0, 0.42, 1]
    rng = np.random.default_rng(6)
    for q in rng.uniform(-2, 2, (10, 7)):
        wrist = rd.tip_pose(seven, q)[1]
        far = np.linalg.norm(wrist)
        center = (far**2 + 0.42**2 - 0.40**2) / (2 * far)
        assert abs(elbow(q)[:3] @ wrist / far - center) < 1e-12
        still = np.linalg.svd(rd.tip_jacobian(seven, q))[2][-1]  # self-motion
        moved = (elbow(q + 1e-6 * still) - elbow(q - 1e-6 * still))[:3] / 2e-6
        assert abs(moved @ wrist) < 1e-6 < np.linalg.norm(moved)
        sets = set()
        for flips in np.ndindex(2, 2, 2):
            other = q.copy()
            for flip, k in zip(flips, (0, 2, 4)):
                if flip:
                    other[[k, k + 2]] += np.pi
                    other[k + 1] *= -1
            assert abs(rd.tip_pose(seven, other)[0] - rd.tip_pose(seven, q)[0]).max() < 1e-12
            assert abs(rd.tip_pose(seven, other)[1] - wrist).max() < 1e-12
            assert abs(elbow(other) - elbow(q)).max() < 1e-12
            sets.add(tuple(np.exp(1j * other).round(6)))
        assert len(sets) == 8


def test_who_forgets_the_matrix_may_come_to_rest_elsewhere():
    """Without J_r damped steps rest at the same poses, but from one start they may end at another one of them."""
    rng = np.random.default_rng(4)
    arm = rd.robots.random_arm(rng, 2, ["revolute"] * 2)
    goal = rd.rotations.exp(rng.normal(size=3)), rng.normal(size=3)
    left = []
    for exact in (False, True):
        q = np.array([0.91561626, -0.01666508])  # near the border of two regions, found by halving
        for _ in range(800):
            e, J = ik.pose_error(rd.tip_pose(arm, q), goal), rd.tip_jacobian(arm, q)
            if exact:
                J[3:] = rd.rotations.right_jacobian_inverse(e[3:]) @ J[3:]
            q = q + np.linalg.solve(J.T @ J + e @ e * np.eye(2), J.T @ e)
        assert abs(rd.tip_jacobian(arm, q).T @ ik.pose_error(rd.tip_pose(arm, q), goal)).max() < 1e-5
        left.append(np.linalg.norm(ik.pose_error(rd.tip_pose(arm, q), goal)))
    assert abs(left[0] - left[1]) > 0.5


def test_a_place_on_the_axis_of_a_first_hinge_leaves_it_free():
    """A place on the axis of a first hinge leaves this hinge free on any arm that reaches it, as two equal links reach their shoulder."""
    crane = rd.Arm.from_dh([(0, np.pi / 2, 0.5, 0), (0.5, 0, 0, 0), (0.5, 0, 0, 0)])
    for height in (0.6, 0.9, 1.2):
        found = ik.all_solutions(crane, (0, 0, height))
        assert found.free
        for q in found.q:
            for first in (-2.0, 0.3, 1.1):
                assert abs(rd.point_position(crane, [first, *q[1:]]) - [0, 0, height]).max() < 1e-9
    assert not ik.all_solutions(crane, (0.1, 0, 0.9)).free
    for l_2, free in ((0.5, True), (0.4, False)):
        hand = rd.motions.homogeneous(np.eye(3), (0.15, 0, 0))  # its third joint is at the shoulder
        assert bool(ik.all_solutions(rd.robots.planar([0.5, l_2, 0.15]), hand).free) == free


def test_where_two_axes_fall_into_one_line_there_are_more_than_eight():
    """At each place of the elbow there are eight sets of angles, unless two axes fall into one line there: then a whole family."""
    side = np.array([0, 1.0, 0])
    lines = [
        rd.motions.screw(side if k % 2 else np.array([0, 0, 1.0]), (0, 0, x))
        for k, x in enumerate([0, 0, 0, 0.42, 0.42, 0.82, 0.82])
    ]
    arm = rd.Arm.from_screws(lines, rd.motions.homogeneous(np.eye(3), (0, 0, 0.82)))
    for bend, free in ((0.5, False), (0.0, True), (np.pi, True)):
        q = np.array([0.3, bend, -0.4, 1.5, 0.2, 0.9, 0.1])
        elbow = rd.point_position(arm, q, 3, (0, 0, 0))
        same = q + 0.7 * np.eye(7)[0] - 0.7 * np.eye(7)[2] * np.cos(bend)
        kept = [abs(a - b).max() < 1e-9 for a, b in zip(rd.tip_pose(arm, q), rd.tip_pose(arm, same), strict=True)]
        assert all(kept) == free
        assert not free or abs(rd.point_position(arm, same, 3, (0, 0, 0)) - elbow).max() < 1e-9


def missed(arm: rd.Arm, q: np.ndarray) -> float:
    """Return how far in m the farthest of the last three axes passes the point that is nearest to the three."""
    J, tip = rd.tip_jacobian(arm, q), rd.tip_pose(arm, q)[1]
    turning = J[3:, -3:].T
    on_axis = tip + np.cross(turning, J[:3, -3:].T)
    across = [np.eye(3) - np.outer(w, w) for w in turning]
    wanted = np.concatenate([A @ p for A, p in zip(across, on_axis)])
    point = np.linalg.lstsq(np.vstack(across), wanted, rcond=None)[0]
    return max(np.linalg.norm(A @ (point - p)) for A, p in zip(across, on_axis))


@pytest.mark.parametrize(("name", "meet"), [("puma560", True), ("stanford", True), ("ur5e", False), ("panda", False)])
def test_the_last_three_axes_of_a_puma_meet_and_those_of_a_ur5e_or_of_a_panda_do_not(name, meet):
    """The axes of the last three joints meet in one point in every pose, or miss it by centimeters in every pose."""
    arm, rng = getattr(rd.robots, name)(), np.random.default_rng(30)
    found = [missed(arm, q) for q in rng.uniform(0.3, 1.3, (20, arm.n))]
    assert max(found) < 1e-9 if meet else min(found) > 0.02


def test_seven_joints_or_a_wish_besides_leave_a_choice():
    """Seven leave a choice: beside each regular pose there are others with the same frame of the hand."""
    arm, rng = rd.robots.panda(), np.random.default_rng(31)
    for q in rng.uniform(0.3, 1.3, (5, 7)):
        still = np.linalg.svd(rd.tip_jacobian(arm, q))[2][-1]
        goal = rd.motions.homogeneous(*rd.tip_pose(arm, q))
        found = ik.solve(arm, goal, q + 0.1 * still, restarts=0)
        assert found.solved and np.linalg.norm(found.q - q) > 0.05
