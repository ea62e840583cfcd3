"""Sentences of the page "Any arm, step by step", on random arms and poses."""

import numpy as np
import pytest

import robotdyn as rd


def parts(arm, q, qd, qdd) -> tuple[np.ndarray, np.ndarray]:
    """Return the inertia torque and the velocity torque."""
    weight = rd.gravity_torque(arm, q)
    return rd.inverse_dynamics(arm, q, 0 * qd, qdd) - weight, rd.bias_torque(arm, q, qd) - weight


def test_the_ratio_of_inertia_and_velocity_torque_does_not_depend_on_the_speed():
    """The ratio of the two does not depend on the speed at which a path is run."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        n = int(rng.integers(2, 8))
        arm = rd.robots.random_arm(rng, n, list(rng.choice(["revolute", "prismatic"], n)))
        q, qd, qdd = rng.normal(size=(3, n))
        slower = rng.uniform(2, 50)
        inertia, velocity = parts(arm, q, qd, qdd)
        slow_inertia, slow_velocity = parts(arm, q, qd / slower, qdd / slower**2)
        size = abs(inertia).max() + abs(velocity).max() + abs(rd.gravity_torque(arm, q)).max()
        assert abs(slow_inertia * slower**2 - inertia).max() < 1e-9 * slower**2 * size
        assert abs(slow_velocity * slower**2 - velocity).max() < 1e-9 * slower**2 * size


def vibration(arm, about, ways, amplitude) -> tuple[float, float]:
    """Return the largest inertia and velocity torques while the joints vibrate at 5 Hz with this amplitude."""
    phase, rate = np.linspace(0, 2 * np.pi, 121)[:, None], 10 * np.pi
    q = about + amplitude * ways * np.sin(phase)
    qd = rate * amplitude * ways * np.cos(phase)
    inertia, velocity = parts(arm, q, qd, -(rate**2) * amplitude * ways * np.sin(phase))
    return abs(inertia).max(), abs(velocity).max()


def test_in_a_vibration_the_velocity_torque_goes_with_the_square_of_the_amplitude():
    """In a vibration the inertia torque is proportional to the amplitude and the velocity torque to its square."""
    rng, panda = np.random.default_rng(2), rd.robots.panda()
    for _ in range(25):
        about, ways = rng.uniform(-np.pi, np.pi, 7), rng.uniform(-1, 1, 7)
        wide, narrow = (vibration(panda, about, ways, a) for a in (0.01, 0.001))
        assert wide[0] / narrow[0] == pytest.approx(10, rel=0.1)
        assert wide[1] / narrow[1] == pytest.approx(100, rel=0.1)
        assert wide[1] < 0.1 * wide[0]  # who neglects the velocity torque of a small vibration may keep the inertia
