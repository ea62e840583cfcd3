"""Sentences of the page "Which matrix is C?", tried on other arms."""

import numpy as np
import pytest

import robotdyn as rd


def three_readings(arm, q, qd, h=1e-5):
    """Return the Christoffel matrix, the bracket and half of dM/dt, from difference quotients of M."""
    ways = h * np.eye(arm.n)
    dM = np.stack([(rd.mass_matrix(arm, q + w) - rd.mass_matrix(arm, q - w)) / (2 * h) for w in ways], axis=-1)
    M_dot, D = dM @ qd, np.einsum("ijk,i->kj", dM, qd)
    return rd.coriolis_matrix(arm, q, qd), M_dot - D / 2, M_dot / 2


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_with_two_joints_or_more_they_differ_in_general(n):
    """For a single joint the three readings are the same number; with two joints or more they differ in general."""
    rng = np.random.default_rng(35)
    for _ in range(5):
        arm = rd.robots.random_arm(rng, n)
        q, qd = rng.normal(size=(2, n))
        C, E, half = three_readings(arm, q, qd)
        assert E @ qd == pytest.approx(C @ qd, abs=1e-6)
        gaps = [abs(C - E).max(), abs(C - half).max(), abs(E - half).max()]
        if n == 1:
            assert max(gaps) < 1e-7
    arm = rd.robots.planar(max(n, 2), gravity=0)  # the chain of the field
    assert min(abs(x - y).max() for x, y in pairs(three_readings(arm, *rng.normal(size=(2, arm.n))))) > 1e-3


def pairs(readings):
    """Return the three pairs of three."""
    a, b, c = readings
    return (a, b), (a, c), (b, c)


def test_where_the_inertia_is_the_same_in_all_poses_they_do_not():
    """A balanced arm has a constant mass matrix, and all three readings are zero."""
    balanced = rd.robots.two_link((1, 1), (2, 1), (-0.5, 0), (0.1, 0.1))
    rng = np.random.default_rng(36)
    for _ in range(5):
        for reading in three_readings(balanced, *rng.normal(size=(2, 2))):
            assert abs(reading).max() < 1e-9


def test_no_joint_feels_the_square_of_its_own_rate():
    """No joint of a serial arm ever feels the square of its own rate."""
    rng = np.random.default_rng(37)
    for _ in range(20):
        arm = rd.robots.random_arm(rng, 5)
        q = rng.uniform(-3, 3, 5)
        for k, unit in enumerate(np.eye(5)):
            alone = rd.bias_torque(arm, q, 7 * unit) - rd.gravity_torque(arm, q)
            assert abs(alone[k]) < 1e-9 * (1 + abs(alone).max())


def skewness(matrix):
    """Return by how much a matrix is not skew."""
    return abs(matrix + matrix.T).max()


def test_the_bracket_in_general_does_not():
    """The Christoffel matrix makes dM/dt - 2 C skew, the bracket in general does not: with one joint, at rest and with a constant M it does."""
    rng, balanced = np.random.default_rng(38), rd.robots.two_link((1, 1), (2, 1), (-0.5, 0), (0.1, 0.1))
    bent = rd.robots.two_link()
    for arm, speed, skew in ((bent, 1, False), (bent, 0, True), (balanced, 1, True), (rd.robots.planar(1), 1, True)):
        q, qd = rng.normal(size=arm.n), speed * rng.normal(size=arm.n)
        C, E, half = three_readings(arm, q, qd)
        assert skewness(2 * half - 2 * C) < 1e-6
        assert (skewness(2 * half - 2 * E) < 1e-6) == skew


def test_another_matrix_for_two_joints_only_at_rest():
    """A skew S with S qd = 0 is zero for two joints, or at rest, where any S would do and continuity alone makes it zero."""
    S = np.array([[0, 1.0], [-1, 0]])
    rng = np.random.default_rng(39)
    for qd in rng.normal(size=(20, 2)):
        assert np.linalg.norm(S @ qd) == pytest.approx(np.linalg.norm(qd))  # times sigma: zero for sigma = 0 alone
    assert not (S @ np.zeros(2)).any()
