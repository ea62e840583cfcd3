"""Sentences of the page on the two-link arm, tried on masses that move in any way."""

import numpy as np

import robotdyn as rd


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


def test_five_numbers_are_enough():
    """Two arms that share alpha, beta, delta and the two first moments move alike under the same torques."""
    rng, compared = np.random.default_rng(35), 0
    for _ in range(20):
        l, m, I = rng.uniform(0.4, 1.5, 2), rng.uniform(0.5, 3, 2), rng.uniform(0.5, 1, 2)
        coms = l * rng.uniform(0.2, 1, 2)
        first = m[0] * coms[0] + m[1] * l[0]
        mass = m[1] * rng.uniform(0.8, 1.25)  # another forearm of the same first moment, beta and delta
        com = m[1] * coms[1] / mass
        elbow = I[1] + m[1] * coms[1] ** 2 - mass * com**2
        upper = rng.uniform(1, 2) * m[0]
        at = (first - mass * l[0]) / upper
        alpha = I[0] + m[0] * coms[0] ** 2 + m[1] * l[0] ** 2
        shoulder = alpha - mass * l[0] ** 2 - upper * at**2
        if min(elbow, shoulder) <= 0:
            continue
        one = rd.robots.two_link(l, m, coms, I)
        other = rd.robots.two_link(l, (upper, mass), (at, com), (shoulder, elbow))
        states = rng.normal(size=(3, 30, 2))
        assert np.allclose(rd.forward_dynamics(one, *states), rd.forward_dynamics(other, *states), rtol=1e-9)
        compared += 1
    assert compared > 5


def test_a_swing_from_rest_to_rest_leaves_no_impulse_at_the_shoulder():
    """With no gravity the torque that holds link 1 has no net impulse, for any arm and any swing of the elbow from rest to rest."""
    rng = np.random.default_rng(36)
    t = np.linspace(0, 1, 4001)
    for _ in range(10):
        l, m = rng.uniform(0.4, 1.5, 2), rng.uniform(0.5, 3, 2)
        arm = rd.robots.two_link(l, m, l * rng.uniform(0.2, 1, 2), rng.uniform(0.05, 0.2, 2), gravity=0)
        start, way = rng.uniform(-3, 3, 2)
        wave = rng.uniform(-1, 1)  # a polynomial of the fifth degree, and a detour that begins and ends at rest
        elbow = start + way * t**3 * (10 - 15 * t + 6 * t**2) + wave * np.sin(np.pi * t) ** 4
        rate = way * 30 * t**2 * (1 - t) ** 2 + 4 * np.pi * wave * np.sin(np.pi * t) ** 3 * np.cos(np.pi * t)
        accel = way * 60 * t * (1 - t) * (1 - 2 * t)
        accel = accel + 4 * np.pi**2 * wave * (
            3 * np.sin(np.pi * t) ** 2 * np.cos(np.pi * t) ** 2 - np.sin(np.pi * t) ** 4
        )
        still = 0 * t
        state = (np.stack([still, x], axis=-1) for x in (elbow, rate, accel))
        shoulder = rd.inverse_dynamics(arm, *state)[:, 0]
        assert abs(np.trapezoid(shoulder, t)) < 1e-6 * abs(shoulder).max()
        assert abs(shoulder).max() > 0.01
