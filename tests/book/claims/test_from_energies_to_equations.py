"""Sentences of the page "From energies to equations", tried on hoops of any size and speed."""

import numpy as np
import pytest


def height(x, speed):
    """Return the effective energy over m g a, at the angle x from the bottom; speed: a Omega^2 / g."""
    return -np.cos(x) - speed * np.sin(x) ** 2 / 2


@pytest.mark.parametrize("speed", [0.0, 0.3, 0.9, 0.999, 1.0, 1.001, 1.1, 3.0, 50.0])
def test_the_bottom_of_the_hoop(speed):
    """The bottom is a valley while Omega^2 < g / a, and still at Omega^2 = g / a; on a faster hoop it is none."""
    x = np.geomspace(0.02, 0.5, 40) * (0.05 if 1 < speed < 1.01 else 1)
    rises = height(x, speed) > height(0.0, speed)
    assert rises.all() if speed <= 1 else not rises[0]


def test_with_the_fourth_power():
    """At Omega^2 = g / a the effective energy rises from the bottom with the fourth power of the distance."""
    x = np.array([0.01, 0.02, 0.05, 0.1])
    assert np.allclose((height(x, 1.0) - height(0.0, 1.0)) / x**4, 1 / 8, rtol=0.02)


def test_a_bead_that_stays():
    """At Omega^2 = g / a a bead that is pushed from the bottom swings about it; on a faster hoop it leaves."""
    farthest = {}
    for speed in (0.9, 1.0, 1.5):
        x, v, h, far = 0.0, 0.02, 2e-3, 0.0
        for _ in range(100_000):  # 200 times the root of a / g
            v += h * (-np.sin(x) + speed * np.sin(x) * np.cos(x))
            x += h * v
            far = max(far, abs(x))
        farthest[speed] = far
    assert farthest[1.0] == pytest.approx((4 * 0.02**2) ** 0.25, rel=0.02)  # v^2 / 2 = x^4 / 8
    assert farthest[0.9] < farthest[1.0] < 0.3 < farthest[1.5]
