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


def test_on_the_other_side_of_the_joint():
    """On a guide faster than 7.07 rad/s there is an equilibrium again, beyond the joint, and it is unstable; from the slider's
    own side, the joint included, it flies out."""
    flywheel = rd.robots.rp((1, 1), (0, 0), (0, 0), (1e12, 0), gravity=0)
    spring = lambda t, q, qd: np.array([0.0, -50 * (q[1] - 0.4)])
    for speed in (7.2, 10.0):
        rest, seconds = 20 / (50 - speed**2), np.linspace(0, 1, 501)
        assert rest < 0
        assert abs(rd.forward_dynamics(flywheel, [0, rest], [speed, 0], [0, -50 * (rest - 0.4)])[1]) < 1e-9
        ends = [
            rd.simulate(flywheel, [0, rest + off], [speed, 0], spring, seconds).q[-1, 1] - rest for off in (-0.1, 0.1)
        ]
        assert ends[0] < -0.11
        assert ends[1] > 0.11
        run = rd.simulate(flywheel, [0, 0.0], [speed, 0], spring, seconds)
        assert (np.diff(run.q[:, 1]) > 0).all()


@pytest.mark.parametrize("inertia", [0.0, 0.24])
def test_lines_close_to_the_joint(inertia):
    """Only the inertia of the guide makes lines close to the joint expensive: the greatest torque is 0.65 H v^2 / h^2."""
    arm = rd.robots.rp((0, 1.0), (0, 0), (0, 0), (inertia, 0), gravity=0)
    for h in (0.2, 0.01):
        x = h * np.linspace(-4, 4, 4001)
        square = x**2 + h**2
        q = np.stack([np.arctan2(h, x), np.sqrt(square)], axis=-1)
        qd = np.stack([-h / square, x / np.sqrt(square)], axis=-1)
        qdd = np.stack([2 * h * x / square**2, h**2 / square**1.5], axis=-1)
        tau = rd.inverse_dynamics(arm, q, qd, qdd)
        assert abs(tau[:, 1]).max() < 1e-8
        assert tau[:, 0].max() == pytest.approx(3 * np.sqrt(3) / 8 * inertia / h**2, rel=1e-4, abs=1e-8)


def test_a_line_close_to_the_joint_at_a_speed_that_shrinks_with_its_distance():
    """At a given speed no motor follows lines arbitrarily close to the joint; to keep the torque, the speed must shrink with h."""
    arm = rd.robots.rp((0, 1.0), (0, 0), (0, 0), (0.24, 0), gravity=0)

    def greatest(h, v):
        x = h * np.linspace(-4, 4, 4001)
        square = x**2 + h**2
        q = np.stack([np.arctan2(h, x), np.sqrt(square)], axis=-1)
        qd = v * np.stack([-h / square, x / np.sqrt(square)], axis=-1)
        qdd = v**2 * np.stack([2 * h * x / square**2, h**2 / square**1.5], axis=-1)
        return rd.inverse_dynamics(arm, q, qd, qdd)[:, 0].max()

    at_one_speed = [greatest(h, 1.0) for h in (0.2, 0.1, 0.05)]
    assert np.divide(at_one_speed[1:], at_one_speed[:-1]) == pytest.approx([4, 4])
    assert [greatest(h, 5 * h) for h in (0.2, 0.01, 1e-4)] == pytest.approx([greatest(0.2, 1.0)] * 3)
