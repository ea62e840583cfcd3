"""Sentences of the page "Absolute or relative?", tried in space."""

import numpy as np
import pytest


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
