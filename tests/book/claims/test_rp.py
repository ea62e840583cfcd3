"""Sentences of the page on the arm of a turning guide and a slider, tried at and beyond the boundary."""

import numpy as np
import pytest

import robotdyn as rd


@pytest.mark.parametrize("begin", [0.05, 0.4, 1.0])
@pytest.mark.parametrize("speed", [np.sqrt(50), 7.2, 10.0])
def test_the_slider_flies_out(speed, begin):
    """At 7.07 rad/s the effective stiffness vanishes, no equilibrium is left, and from there on the slider flies out,
    wherever it rests at first."""
    flywheel = rd.robots.rp((1, 1), (0, 0), (0, 0), (1e12, 0), gravity=0)
    spring = lambda t, q, qd: np.array([0.0, -50 * (q[1] - 0.4)])
    run = rd.simulate(flywheel, [0, begin], [speed, 0], spring, np.linspace(0, 1, 501))
    assert np.all(np.diff(run.q[:, 1]) > 0)
    assert run.q[-1, 1] - begin > 0.999 * 20 * 1**2 / 2  # with the constant force k r_0, at least


def test_below_it_comes_back():
    """Below 7.07 rad/s the slider oscillates about k r_0 / (k - m_2 Omega^2)."""
    flywheel = rd.robots.rp((1, 1), (0, 0), (0, 0), (1e9, 0), gravity=0)
    spring = lambda t, q, qd: np.array([0.0, -50 * (q[1] - 0.4)])
    for speed in (1.0, 5.0, 6.9):
        rest = 20 / (50 - speed**2)
        seconds = np.linspace(0, 4 * np.pi / np.sqrt(50 - speed**2), 1001)
        run = rd.simulate(flywheel, [0, rest + 0.1], [speed, 0], spring, seconds)
        assert run.q[:, 1].max() == pytest.approx(rest + 0.1, abs=1e-3)
        assert run.q[:, 1].min() == pytest.approx(rest - 0.1, abs=1e-3)
