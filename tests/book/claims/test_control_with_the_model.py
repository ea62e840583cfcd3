"""Sentences of the page "Control with the model": the error that a wrong model leaves, under the worst torque."""

import numpy as np
import pytest

import robotdyn as rd

ARM = rd.robots.two_link((0.5, 0.5), (2.0, 2.0))
RATE = 10.0  # 1/s


def worst_torque(M: np.ndarray, damper: float, lag: np.ndarray) -> np.ndarray:
    """Return the directions of the torque of size 1, by the time that is left, that drive s farthest where M stays."""
    sizes, axes = np.linalg.eigh(M)
    decay = np.exp(-damper * lag[:, None] / sizes) / sizes
    ways = np.radians(np.arange(180))
    seen = np.array([np.cos(ways), np.sin(ways)]).T @ axes
    answers = seen[:, None] * decay
    best = np.argmax(np.linalg.norm(answers, axis=2).sum(axis=1))
    pushes = answers[best] @ axes.T
    return pushes / np.linalg.norm(pushes, axis=1, keepdims=True)


def largest_s(q: np.ndarray, size: float, damper: float) -> float:
    """Return the largest s of the passivity-based law about a pose under a missed torque of this size, times damper/size."""
    times = np.linspace(0, 2, 2001)
    pushes = worst_torque(rd.mass_matrix(ARM, q), damper, times[-1] - times)

    def hold(t):
        return q, 0 * q, 0 * q

    law = rd.control.passivity(ARM, hold, rate=RATE, damping=np.full(2, damper))

    def disturbed(t, x, v):
        return law(t, x, v) + size * pushes[min(round(t / 1e-3), len(pushes) - 1)]

    run = rd.simulate(ARM, q, [0, 0], disturbed, times)
    s = run.qd + RATE * (run.q - q)
    return float(np.linalg.norm(s, axis=1).max() * damper / size)


def test_s_may_rise_above_the_torque_over_the_damping():
    """What has arrived below this quotient may rise above it again: dampers of 8 N m s/rad reach 1.35 times the quotient."""
    found = [largest_s(np.array([-np.pi / 2, bend]), 0.05, 8.0) for bend in np.radians([30, 60, 90, 120])]
    assert max(found) == pytest.approx(1.35, abs=0.05)


def test_s_never_rises_above_the_bound_of_the_storage_function():
    """At most by the square root of the ratio of the largest to the smallest eigenvalue of M over all poses, 6.7."""
    sizes = np.linalg.eigvalsh([rd.mass_matrix(ARM, [0, x]) for x in np.linspace(-np.pi, np.pi, 721)])
    bound = np.sqrt(sizes.max() / sizes.min())
    assert bound == pytest.approx(6.7, abs=0.05)
    rng = np.random.default_rng(24)
    for _ in range(5):
        assert largest_s(rng.uniform(-np.pi, np.pi, 2), rng.uniform(0.1, 20), rng.uniform(3, 30)) < bound
