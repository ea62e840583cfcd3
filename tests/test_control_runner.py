"""A law as a computer runs it: sampled, held, late, coarse, noisy and limited, each against its definition."""

import numpy as np
import pytest

import robotdyn as rd
from robotdyn import control

ARM = rd.robots.two_link()
CART = rd.Arm([rd.Link(2.0, joint="prismatic", axis=(1, 0, 0))])  # 2 kg on a rail: qdd = tau / 2
START = np.array([0.3, 0.4]), np.array([1.0, -1])
LAW = control.computed_torque(ARM, control.sine([0, 0], 0.5, [1, 2]), 25, 10)


def test_sampled_torques_are_held():
    """Without delay and noise each period is a motion of `rd.simulate` under the torque that the sample asked for."""
    load = rd.forces.viscous(0.3)
    run = control.run(ARM, LAW, *START, 0.05, period=0.01, load=load)
    q, qd = START
    for k in range(6):
        assert np.allclose([run.q[k], run.qd[k]], [q, qd], atol=1e-13) and np.allclose(run.tau[k], LAW(0.01 * k, q, qd))
        held = rd.forces.total(run.tau[k], load)
        q, qd = (part[-1] for part in (lambda m: (m.q, m.qd))(rd.simulate(ARM, q, qd, held, [0, 0.01])))
    assert isinstance(run, rd.Trajectory) and (run.measured == np.stack([run.q, run.qd], axis=1)).all()


def test_short_periods_tend_to_no_periods():
    """The error of sampling falls with the period, at least as fast; `continuous` is `rd.simulate`."""
    t = np.arange(0, 0.5001, 1e-3)
    exact = rd.simulate(ARM, *START, LAW, t)
    assert np.allclose(control.continuous(ARM, LAW, *START, t).q, exact.q, atol=1e-14)
    off = [abs(control.run(ARM, LAW, *START, 0.5, period=h).q[-1] - exact.q[-1]).max() for h in (0.02, 0.005)]
    assert 0 < off[1] < 0.3 * off[0]


@pytest.mark.parametrize("delay", [0.0, 0.01, 0.025, 0.04])
def test_delay(delay):
    """A ramp tau = t, sampled: what the cart gains until T is the sum of (t_k) (time that it acts) / 2."""
    run = control.run(CART, lambda t, q, qd: np.array([t]), [0], [0], 0.1, period=0.01, delay=delay)
    acts = lambda k: max(0.0, min(0.1, 0.01 * (k + 1) + delay) - min(0.1, 0.01 * k + delay))
    assert np.isclose(run.qd[-1, 0], sum(0.01 * k * acts(k) for k in range(11)) / 2, rtol=1e-12, atol=1e-15)
    assert np.allclose(run.asked[:, 0], run.t)
    assert np.allclose(run.tau[:, 0], np.maximum(0, 0.01 * np.floor((run.t - delay) / 0.01 + 1e-6)), atol=1e-12)


@pytest.mark.parametrize("delay", [0.0, 0.01, 0.025, 0.04])
def test_a_load_is_never_late(delay):
    """A push F = t beside motors that are off gives m qd = t^2 / 2 at every sample, whatever the delay of the motors."""
    off, push = lambda t, q, qd: np.zeros(1), lambda t, q, qd: np.array([t])
    run = control.run(CART, off, [0], [0], 0.1, period=0.01, delay=delay, load=push)
    assert np.allclose(run.qd[:, 0], run.t**2 / 4, rtol=1e-12, atol=1e-15)


def test_encoders():
    """Coordinates are told in whole steps, wrong by half a step at most; rates then are their differences."""
    run = control.run(ARM, LAW, *START, 0.2, period=0.01, resolution=[0.01, 0.002], differences=True)
    q, qd = run.measured[:, 0], run.measured[:, 1]
    assert np.allclose(q / [0.01, 0.002], np.round(q / [0.01, 0.002])) and (abs(q - run.q) <= [0.00501, 0.00101]).all()
    assert abs(q - run.q).max() > 0.003
    assert np.allclose(qd[1:], np.diff(q, axis=0) / 0.01) and (qd[0] == START[1]).all()
    assert np.allclose(run.asked[7], LAW(run.t[7], q[7], qd[7]))


def test_noise():
    """Measured less true is normal with the given deviations, the same for the same seed; the arm itself is not noisy."""
    idle = lambda t, q, qd: np.zeros(1)
    run, again = (
        control.run(CART, idle, [0], [1], 2, period=2e-3, noise=(0.1, 0.3), rng=np.random.default_rng(3)) for _ in "ab"
    )
    off = (run.measured - np.stack([run.q, run.qd], axis=1))[..., 0]
    assert np.allclose(off.std(axis=0), [0.1, 0.3], rtol=0.07) and np.allclose(off.mean(axis=0), 0, atol=0.02)
    assert (run.measured == again.measured).all() and np.allclose(run.q[:, 0], run.t)


def test_limits():
    """The arm gets what the limits leave; the run tells what was asked for."""
    run = control.run(ARM, LAW, *START, 0.1, period=0.01, limits=(-4, [3, 2]))
    assert (run.tau == np.clip(run.asked, -4, [3, 2])).all() and (run.tau != run.asked).any()


def test_a_law_with_a_state():
    """An integrator, dz/dt = -q: sampled it adds up period by period; without a clock it is the integral."""
    law = control.Learning(lambda t, q, qd, z: (z - 3 * q - 2 * qd, -q), np.array([0.5]))
    run = control.run(CART, law, [1], [0], 1, period=0.01)
    assert np.allclose(run.state[1:, 0], 0.5 - 0.01 * np.cumsum(run.q[:-1, 0]))
    run = control.continuous(CART, law, [1], [0], np.linspace(0, 1, 101))
    # x = (q, qd, z): d/dt x = A x
    import scipy.linalg

    A = np.array([[0, 1, 0], [-1.5, -1, 0.5], [-1, 0, 0]])
    assert np.allclose([run.q[-1, 0], run.qd[-1, 0], run.state[-1, 0]], scipy.linalg.expm(A) @ [1, 0, 0.5], atol=1e-9)
