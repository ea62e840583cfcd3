"""Sentences of the page "Linearization", tried at rest, at equilibria and on arms whose inertia is constant."""

import numpy as np
import pytest

import robotdyn as rd

BALANCED = rd.robots.two_link((1, 1), (2, 1), (-0.5, 0), (0.1, 0.1))


def remainders(arm, q, qd, tau, way, sizes, wrong=0.0):
    """Return the remainders R (len(sizes),) of the Taylor test of an Euler step; wrong: what is added to A."""
    dt, n, x = 0.01, arm.n, np.r_[q, qd]
    A = rd.linearize(arm, q, qd, tau, dt)[0] + wrong

    def step(x):
        return x + dt * np.r_[x[n:], rd.forward_dynamics(arm, x[:n], x[n:], tau)]

    return np.array([np.linalg.norm(step(x + e * way) - step(x) - e * A @ way) for e in sizes])


def test_halving_divides_the_remainder_by_four_or_more():
    """Halving divides the remainder by four, by more where the curvature along d vanishes, as at the equilibria of a pendulum;
    a wrong matrix shows there, too, by a factor of two."""
    rng, sizes = np.random.default_rng(35), 0.02 * 0.5 ** np.arange(3)
    pendulum = rd.robots.planar(1)
    for arm, q, factor in ((pendulum, [0.7], 4), (pendulum, [np.pi / 2], 8), (pendulum, [-np.pi / 2], 8)):
        way, state = rng.normal(size=2), (q, [1.3], rd.gravity_torque(arm, q))
        R = remainders(arm, *state, way, sizes)
        assert R[:-1] / R[1:] == pytest.approx(factor, rel=0.05)
        R = remainders(arm, *state, way, sizes, wrong=0.01)
        assert R[:-1] / R[1:] == pytest.approx(2, rel=0.1)
    two = rd.robots.planar(2)
    q, qd, tau, way = rng.normal(size=2), rng.normal(size=2), rng.normal(size=2), rng.normal(size=4)
    R = remainders(two, q, qd, tau, way, sizes / 10)
    assert R[:-1] / R[1:] == pytest.approx(4, rel=0.1)
    assert remainders(BALANCED, q, qd, tau, way, sizes).max() < 1e-15  # a linear step


def test_the_volume_of_a_semi_implicit_step():
    """The semi-implicit step of an arm in motion in general has no determinant of one; at rest, for a single link and for a constant
    mass matrix it has."""
    rng = np.random.default_rng(36)
    for arm, speed, keeps in (
        (rd.robots.planar(2), 1.0, False),
        (rd.robots.planar(4), 1.0, False),
        (rd.robots.planar(2), 0.0, True),
        (BALANCED, 1.0, True),
        (rd.robots.planar(1), 1.0, True),
    ):
        q, qd, tau = rng.normal(size=(3, arm.n))
        A, _ = rd.linearize(arm, q, speed * qd, tau, 0.01, method="semi-implicit")
        assert (abs(np.linalg.det(A) - 1) < 1e-12) == keeps


def test_another_matrix_gives_the_wrong_velocity_block():
    """G = -2 M^-1 C holds for the Christoffel matrix at any speed, and for no other with the same product."""
    rng = np.random.default_rng(37)
    arm = rd.robots.planar(3)
    for speed in (0.0, 1.0, 30.0):
        q, qd = rng.normal(size=3), speed * rng.normal(size=3)
        M, C = rd.mass_matrix(arm, q), rd.coriolis_matrix(arm, q, qd)
        G = (rd.linearize(arm, q, qd, np.zeros(3), 0.01)[0][3:, 3:] - np.eye(3)) / 0.01
        assert pytest.approx(-2 * np.linalg.solve(M, C), abs=1e-9 * (1 + speed)) == G
        other = C + rd.spatial.skew(qd)  # times qd the same
        assert np.allclose(-2 * np.linalg.solve(M, other), G, atol=1e-6) == (speed == 0)
