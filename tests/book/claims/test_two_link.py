"""Sentences of the page on the two-link arm, tried on masses that move in any way."""

import numpy as np


def test_about_which_points():
    """Torque equals the rate of change of angular momentum about a point that stands still, about the center of mass, and
    about a point whose velocity is parallel to that of the center of mass, but not about others."""
    rng = np.random.default_rng(35)
    for _ in range(50):
        m = rng.uniform(0.1, 3, 5)
        p, v, a = rng.normal(size=(3, 5, 3))  # places, velocities and accelerations of five masses
        point = rng.normal(size=3)
        center, mean = m @ p / m.sum(), m @ v / m.sum()

        def missing(point, velocity, m=m, p=p, v=v, a=a):
            """Return dL/dt - torque about a moving point, L with the velocities in space, by differences in time."""
            h = 1e-5
            L = lambda t: (m[:, None] * np.cross(p + t * v + t * t * a / 2 - point - t * velocity, v + t * a)).sum(
                axis=0
            )
            return (L(h) - L(-h)) / (2 * h) - (m[:, None] * np.cross(p - point, a)).sum(axis=0)

        assert np.allclose(missing(point, np.zeros(3)), 0, atol=1e-7)
        assert np.allclose(missing(center, mean), 0, atol=1e-7)
        assert np.allclose(missing(point, rng.normal() * mean), 0, atol=1e-7)
        standing = missing(
            point, rng.normal(size=3), v=v - mean
        )  # a center of mass at rest is parallel to every velocity
        assert np.allclose(standing, 0, atol=1e-7)
        other = rng.normal(size=3)
        expected = -np.cross(other, m.sum() * mean)
        assert np.linalg.norm(expected) > 1e-3  # not parallel
        assert np.allclose(missing(point, other), expected, atol=1e-7)
