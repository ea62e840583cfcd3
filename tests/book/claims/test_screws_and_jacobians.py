"""Sentences of the page "Screws and Jacobians": Newton's method for inverse kinematics, from many poses."""

import numpy as np

import robotdyn as rd

PUMA = rd.robots.puma560()


def hand(q: np.ndarray) -> np.ndarray:
    """Return the frame of the hand."""
    return rd.motions.homogeneous(rd.link_poses(PUMA, q)[0][-1], rd.point_position(PUMA, q))


def test_the_wrist_is_singular_at_zero_and_newton_has_no_step():
    """Where all angles are zero the wrist is singular, and `solve` has no answer."""
    assert np.linalg.svd(rd.tip_jacobian(PUMA, np.zeros(6)))[1][-1] < 1e-12


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
