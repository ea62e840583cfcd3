"""Sentences of the page "The N-link planar arm", tried with other lengths, masses, motors and numbers of links."""

import numpy as np
import pytest
from scipy.linalg import solveh_banded

import robotdyn as rd


def chain(rng, n, gravity=9.81):
    """Return lengths, masses and the chain of point masses."""
    lengths, masses = rng.uniform(0.3, 1, n), rng.uniform(0.5, 2, n)
    return lengths, masses, rd.robots.planar(lengths, masses, gravity=gravity)


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_the_sum_of_all_rows(n):
    """The sum of all rows is the angular momentum about the first joint; only the first motor and the weight change it."""
    rng = np.random.default_rng(35)
    _, masses, arm = chain(rng, n)
    q, qd, tau = rng.normal(size=(3, n))
    M_abs, C_abs, g_abs = rd.planar.absolute(arm, np.cumsum(q))
    rates = np.cumsum(qd)
    places = [rd.point_position(arm, q, i, link.com)[:2] for i, link in enumerate(arm.links)]
    speeds = [(rd.com_jacobian(arm, q, i)[:2] @ qd) for i in range(n)]
    about = sum(m * (p[0] * v[1] - p[1] * v[0]) for m, p, v in zip(masses, places, speeds))
    assert (M_abs @ rates).sum() == pytest.approx(about, abs=1e-12)
    qdd = np.cumsum(rd.forward_dynamics(arm, q, qd, tau))
    left = (M_abs @ qdd + C_abs @ rates**2 + g_abs).sum()
    assert left == pytest.approx(tau[0], abs=1e-9)  # the other motors cancel
    weight = sum(m * 9.81 * p[0] for m, p in zip(masses, places))
    assert g_abs.sum() == pytest.approx(weight, abs=1e-12)


def by_forces(lengths, masses, q_abs, qd_abs):
    """Return the absolute accelerations of a chain without motors and the forces with which its rods pull."""
    light, bend = 1 / masses, np.diff(q_abs)
    beside, diagonal = np.r_[0, -np.cos(bend) * light[:-1]], light + np.r_[0, light[:-1]]
    right = lengths * qd_abs**2
    right[0] -= 9.81 * np.sin(q_abs[0])
    pull = solveh_banded([beside, diagonal], right)
    share = np.sin(bend) * light[:-1]
    across = np.r_[share * pull[1:], 0] - np.r_[0, share * pull[:-1]]
    across[0] -= 9.81 * np.cos(q_abs[0])
    return across / lengths, pull


@pytest.mark.parametrize("n", [2, 3, 5, 60])
def test_forces_instead_of_angles(n):
    """The forces in the rods solve a symmetric, tridiagonal, positive definite system, and the accelerations follow from them."""
    rng = np.random.default_rng(36)
    lengths, masses, arm = chain(rng, n)
    poses = [*rng.uniform(-3, 3, (3, n)), np.full(n, 0.4), 0.4 + np.pi * np.arange(n), 0.5 * np.pi * np.arange(n)]
    for q in poses:  # any, stretched, folded, and a stair of right angles
        qd = rng.normal(size=n)
        qdd, pull = by_forces(lengths, masses, q, qd)  # refuses what is not positive definite
        expected = rd.planar.forward_dynamics(arm, q, qd, np.zeros(n))
        assert np.allclose(qdd, expected, rtol=0, atol=1e-9 * abs(expected).max())

        a = np.cumsum(lengths * (qdd * [-np.sin(q), np.cos(q)] - qd**2 * [np.cos(q), np.sin(q)]), axis=1)
        beyond = np.cumsum((masses * (a + [[0], [9.81]]))[:, ::-1], axis=1)[
            :, ::-1
        ]  # what lies beyond each rod asks for
        assert pull == pytest.approx(-(beyond * [np.cos(q), np.sin(q)]).sum(axis=0), abs=1e-8 * abs(pull).max())


def test_at_rest_a_hanging_chain_is_pulled_by_what_hangs_below():
    """Hanging at rest each rod pulls with the weight of all masses beyond it; turned upside down it pushes with as much."""
    lengths, masses, _ = chain(np.random.default_rng(37), 5)
    weight = 9.81 * np.cumsum(masses[::-1])[::-1]
    for angle, sign in ((-np.pi / 2, 1), (np.pi / 2, -1)):
        _, pull = by_forces(lengths, masses, np.full(5, angle), np.zeros(5))
        assert pull == pytest.approx(sign * weight, rel=1e-12)
