"""Sentences of the page "Absolute or relative?", tried in space."""

import numpy as np
import pytest

import robotdyn as rd


def test_unit_vectors_along_the_links():
    """For a chain of rods that do not spin about themselves, on ball joints, the kinetic energy has constant coefficients in
    the rates of the unit vectors along the rods."""
    rng = np.random.default_rng(35)
    for n in (1, 2, 5, 9):
        l, m = rng.uniform(0.2, 1, n), rng.uniform(0.2, 2, n)
        beyond = np.cumsum(m[::-1])[::-1] - m
        larger = np.maximum.outer(range(n), range(n))
        A = np.outer(l, l) * (m / 2 + beyond)[larger]  # rods, of which the later carries half its mass at its middle
        A[np.diag_indices(n)] = l**2 * (m / 3 + beyond)
        for _ in range(5):
            e = rng.normal(size=(n, 3))
            e /= np.linalg.norm(e, axis=1)[:, None]
            rate = np.cross(rng.normal(size=(n, 3)), e)  # of a unit vector: across it
            start = np.cumsum(l[:, None] * rate, axis=0) - l[:, None] * rate  # velocities of the rods' first ends
            s, w = np.polynomial.legendre.leggauss(4)  # along a rod, exact for its square
            points = start[:, None] + (s[:, None] + 1) / 2 * (l[:, None] * rate)[:, None]
            energy = (m[:, None] * w / 2 * (points**2).sum(axis=2)).sum() / 2
            assert energy == pytest.approx((A * (rate @ rate.T)).sum() / 2, rel=1e-12)


def test_what_a_condition_number_costs():
    """A condition number of thirteen, for ten links, costs about one digit: that much larger is the relative error of a solve
    than that of its right side, at worst."""
    L = np.tril(np.ones((10, 10)))
    left, factors, _ = np.linalg.svd(L)
    assert factors[0] / factors[-1] == pytest.approx(12.9, abs=0.5)
    y, error = left[:, 0], 1e-6 * left[:, -1]
    solved, off = np.linalg.solve(L, y), np.linalg.solve(L, y + error)
    lost = np.log10(np.linalg.norm(off - solved) / np.linalg.norm(solved) / 1e-6)
    assert 1.0 < lost < 1.2
    rng = np.random.default_rng(36)
    for _ in range(200):
        y, error = rng.normal(size=(2, 10))
        share = np.linalg.norm(np.linalg.solve(L, error)) / np.linalg.norm(np.linalg.solve(L, y))
        assert np.log10(share * np.linalg.norm(y) / np.linalg.norm(error)) < lost + 1e-9


def test_in_space_only_where_axes_are_parallel():
    """In space the angles of successive joints add up to an orientation only where their axes are parallel."""
    rng = np.random.default_rng(37)
    tilted = np.array([0, 1.0, 0])
    for axis, adds in (((0, 0, 1), True), (tilted, False)):
        arm = rd.Arm([rd.Link(1.0, (0.2, 0, 0)), rd.Link(1.0, (0.2, 0, 0), axis=axis, position=(0.5, 0, 0))])
        for q in rng.normal(size=(10, 2)):
            moved = q + [0.3, -0.3]  # the same sum
            one, other = (rd.link_poses(arm, x)[0][-1] for x in (q, moved))
            assert np.allclose(one, other) == adds


def test_no_link_beyond_the_neighbors():
    """A generalized force on one of three equal links with their masses at their ends, stretched, turns that link one way, its
    neighbors the other way, and no link beyond them; of uniform rods it turns all."""
    for coms, beyond in (([1, 1, 1], 0), ([0.5] * 3, 1)):
        inertias = [0, 0, 0] if beyond == 0 else [1 / 12] * 3
        arm = rd.robots.planar([1, 1, 1], [1, 1, 1], coms, inertias, gravity=0)
        follows = np.sign(np.linalg.inv(rd.planar.absolute(arm, np.zeros(3))[0]).round(9))
        assert (follows == [[1, -1, beyond], [-1, 1, -1], [beyond, -1, 1]]).all()


def test_conditions_of_mass_matrices_of_twenty_links():
    """For twenty links the median condition number over random poses is about 10 thousand in relative angles, 29 times as large as in
    absolute ones."""
    for seed in range(3):
        poses = np.random.default_rng(seed).uniform(-np.pi, np.pi, (4000, 20))
        M_abs = rd.planar.absolute(rd.robots.planar(20), poses)[0]
        L = rd.planar.L(20)
        relative, absolute = (np.median(np.linalg.cond(M)) for M in (L.T @ M_abs @ L, M_abs))
        assert relative == pytest.approx(10_000, rel=0.03)
        assert relative / absolute == pytest.approx(29, abs=1)
