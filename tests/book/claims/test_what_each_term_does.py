"""Sentences of the page "What each term does", tried without inertia, without mass and from the joint itself."""

import numpy as np
import pytest
from scipy.special import ellipk

import robotdyn as rd


def determinant(mass, inertia, com2, r):
    """Return det M of an RP arm whose guide has its center of mass on the joint."""
    return np.linalg.det(rd.mass_matrix(rd.robots.rp((1, mass), (0, 0), com2, (inertia, 0)), [0.4, r]))


def test_when_the_mass_matrix_is_singular():
    """If the slider has mass M is positive definite, except where nothing that turns has inertia and the slider's center of mass
    is abreast of the joint; without mass it never is."""
    for y in (0.0, 0.3):
        for r in (-0.5, 0.0, 0.7):
            assert determinant(1.5, 0.2, (0.1, y), r) > 0
            assert abs(determinant(0.0, 0.2, (0.1, y), r)) < 1e-15
            assert determinant(1.5, 0.0, (0.1, y), r) > 0
        assert determinant(1.5, 0.0, (0.1, y), -0.1) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("offset", [0.0, 0.2, -0.2])
def test_a_push_without_a_moment(offset):
    """It turns the arm unless the slider's center of mass lies on the line through the joint, at any place along it."""
    for along in (-0.3, 0.0, 0.4):
        arm = rd.robots.rp((2, 1), (0.3, 0), (along, offset), (0.1, 0.02), gravity=0)
        assert np.sign(rd.forward_dynamics(arm, [0, 0.5], [0, 0], [0, 1.0])[0]) == np.sign(offset)


def test_how_far_the_guide_turns():
    """From a distance r_0 it turns through K(H / I_0) in all; on the joint itself the slider stays."""
    for H in (0.25, 4.0):
        arm = rd.robots.rp((1, 1), (0, 0), (0, 0), (H, 0), gravity=0)
        for start in (0.5, 0.05):
            far = rd.simulate(arm, [0, start], [2.0, 0], None, np.arange(0, 60, 0.01))
            rest = (H + start**2) * 2 / (far.qd[-1, 1] * far.q[-1, 1])  # of the angle, far out
            assert far.q[-1, 0] + rest == pytest.approx(ellipk(H / (H + start**2)), abs=5e-3)
        still = rd.simulate(arm, [0, 0.0], [2.0, 0], None, np.arange(0, 3, 0.01))
        assert not still.q[:, 1].any()


@pytest.mark.parametrize(("gravity", "rank"), [(9.81, 6), (0.0, 4)])
def test_how_many_combinations_efforts_reveal(gravity, rank):
    """Of the eight numbers of the two bodies efforts reveal six combinations, on a table four."""
    rng, names = np.random.default_rng(35), ("m1", "x1", "y1", "I1", "m2", "x2", "y2", "I2")
    states, middle = rng.normal(size=(3, 60, 2)), np.array([2.0, 0.3, 0.1, 0.4, 1.5, 0.05, -0.08, 0.2])

    def efforts(numbers):
        m1, x1, y1, I1, m2, x2, y2, I2 = numbers
        return rd.inverse_dynamics(
            rd.robots.rp((m1, m2), (x1, y1), (x2, y2), (I1, I2), gravity=gravity), *states
        ).ravel()

    ways = 1e-5 * np.eye(len(names))
    slopes = [(efforts(middle + way) - efforts(middle - way)) / 2e-5 for way in ways]
    assert np.linalg.matrix_rank(np.array(slopes), tol=1e-6) == rank
