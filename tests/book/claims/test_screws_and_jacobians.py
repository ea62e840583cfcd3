"""Sentences of the page "Screws and Jacobians": Newton's method for inverse kinematics, over many poses."""

from collections.abc import Iterator

import numpy as np

import robotdyn as rd

PUMA = rd.robots.puma560()


def hand(q: np.ndarray) -> np.ndarray:
    """Return the frame of the hand."""
    return rd.motions.homogeneous(rd.link_poses(PUMA, q)[0][-1], rd.point_position(PUMA, q))


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
        assert longest.max() > 100 if damping == 0 else longest.max() < 2.5


def test_the_wrist_is_singular_at_zero_and_newton_has_no_step():
    """Where all angles are zero the wrist is singular; near such a pose steps are large, and damped ones are not."""
    assert np.linalg.svd(rd.tip_jacobian(PUMA, np.zeros(6)))[1][-1] < 1e-12
    start, goal = np.array([0.4, 0.6, -0.9, 0.5, 0.01, -0.3]), hand(np.array([0.5, 0.7, -0.8, 0.6, 0.3, -0.2]))
    error = rd.motions.log(rd.motions.inverse(hand(start)) @ goal)
    J = rd.tip_jacobian(PUMA, start, axes="link")
    assert np.linalg.norm(np.linalg.solve(J, error)) > 1.9
    mu = 0.3 * np.linalg.norm(error)
    assert np.linalg.norm(J.T @ np.linalg.solve(J @ J.T + mu**2 * np.eye(6), error)) < 1


def test_the_number_of_correct_digits_doubles():
    """Near a solution at which J is regular the number of correct digits doubles in every step."""
    rng = np.random.default_rng(3)
    tried = 0
    while tried < 30:
        pose = rng.uniform(-np.pi, np.pi, 6)
        if np.linalg.svd(rd.tip_jacobian(PUMA, pose))[1][-1] < 0.1:
            continue
        tried += 1
        q, errors = pose + 1e-3 * rng.normal(size=6), []
        for _ in range(3):
            error = rd.motions.log(rd.motions.inverse(hand(q)) @ hand(pose))
            errors.append(np.linalg.norm(error))
            q = q + np.linalg.solve(rd.tip_jacobian(PUMA, q, axes="link"), error)
        assert errors[1] < 30 * errors[0] ** 2
        assert errors[2] < 30 * errors[1] ** 2 + 1e-14


def test_manipulability_is_the_product_of_the_singular_values():
    """The manipulability is the product of the singular values of J, and it depends on units."""
    rng = np.random.default_rng(8)
    for n in (6, 7, 9):
        arm = rd.robots.random_arm(rng, n, ["revolute"] * n)
        for q in rng.normal(size=(20, n)):
            J = rd.tip_jacobian(arm, q)
            measure = np.sqrt(np.linalg.det(J @ J.T))
            assert np.isclose(measure, np.prod(np.linalg.svd(J, compute_uv=False)), rtol=1e-6)
            in_mm = np.diag([1e3] * 3 + [1] * 3) @ J
            assert np.isclose(np.sqrt(np.linalg.det(in_mm @ in_mm.T)), 1e9 * measure, rtol=1e-5)


def test_rates_in_the_null_space_leave_the_hand_where_it_is():
    """Rates in the null space of a redundant arm move the arm and leave the hand where it is."""
    panda, rng = rd.robots.panda(), np.random.default_rng(9)
    for q in rng.normal(size=(20, 7)):
        rates = np.linalg.svd(rd.tip_jacobian(panda, q))[2][-1]
        here, there = (rd.motions.homogeneous(*rd.tip_pose(panda, q + h * rates)) for h in (-1e-5, 1e-5))
        links = [np.array(rd.link_poses(panda, q + h * rates)[0]) for h in (-1e-5, 1e-5)]
        assert abs(there - here).max() < 1e-8
        assert abs(links[1] - links[0]).max() > 1e-6
