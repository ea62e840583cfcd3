"""Tracking: the sign of the gains, disturbances, another arm than the planned one, limits."""

import numpy as np
import pytest

import robotdyn as rd
from robotdyn import control

DT, T = 0.02, 31
ARM = rd.robots.two_link()


@pytest.fixture(scope="module")
def plan():
    """A planned reach of the 2R arm with friction."""
    return rd.reach(ARM, [-0.8, 1.0], [0, 0], [1.2, 0.5], T, DT, effort=1e-2, damping=0.1)


@pytest.fixture(scope="module")
def dynamics():
    return rd.arm_dynamics(ARM, DT, damping=0.1)


def cost_of(x, u, target=(1.2, 0.5)):
    """The cost of `reach`, from its definition."""
    tip = rd.point_position(ARM, x[-1, :2])[:2] - target
    return 1e-2 * (u**2).sum() + 1e3 * tip @ tip + 1e2 * x[-1, 2:] @ x[-1, 2:]


def test_undisturbed_is_the_plan(plan, dynamics):
    """Without disturbance the loop is silent: the plan happens."""
    x, u = control.closed_loop(dynamics, plan)
    assert np.allclose(x, plan.x, atol=1e-12) and np.allclose(u, plan.tau, atol=1e-12)


def test_sign_of_the_gains(plan, dynamics):
    """u = u_t + K (x - x_t) costs less than the torques alone; with the sign turned, as RCFS 7.2 prints it, far more."""
    x0 = plan.x[0] + [0.05, -0.05, 0.2, 0.1]
    costs = {}
    for sign in (1, 0, -1):
        x, u = [x0], []
        for t in range(T - 1):
            u.append(plan.tau[t] + sign * plan.gains[t] @ (x[t] - plan.x[t]))
            x.append(dynamics.step(x[t], u[t]))
        costs[sign] = cost_of(np.array(x), np.array(u))
    assert costs[1] < 0.5 * costs[0] < 0.5 * costs[-1]
    closed, blind = (cost_of(*control.closed_loop(dynamics, plan, x0, feedback=on)) for on in (True, False))
    assert np.isclose(closed, costs[1]) and np.isclose(blind, costs[0])


def test_feedback_is_nearly_the_new_optimum(plan, dynamics):
    """For a small disturbance the loop costs what a new plan costs, up to second order: a tenth, a hundredth."""
    gaps = []
    for size in (0.1, 0.01):
        x0 = plan.x[0] + size * np.array([0.5, -0.5, 1.0, 0.5])
        new = rd.reach(ARM, x0[:2], x0[2:], [1.2, 0.5], T, DT, effort=1e-2, damping=0.1, tau0=plan.tau)
        gaps.append(cost_of(*control.closed_loop(dynamics, plan, x0)) - new.cost)
    assert 0 <= gaps[1] < 0.03 * gaps[0]


def test_pushes_and_another_arm(plan):
    """Pushed on its way, or with a heavier forearm than planned, the arm ends nearer its target with feedback."""
    heavy = rd.robots.two_link(masses=(1.0, 1.1))
    push = np.zeros((T - 1, 4))
    push[10, 2:] = 0.5, -0.5
    for true, disturbance in ((ARM, push), (heavy, None)):
        real = rd.arm_dynamics(true, DT, damping=0.1)
        ends = [control.closed_loop(real, plan, disturbance=disturbance, feedback=on)[0][-1] for on in (True, False)]
        off = [np.linalg.norm(rd.point_position(ARM, end[:2])[:2] - [1.2, 0.5]) for end in ends]
        assert off[0] < 0.5 * off[1]


def test_law_for_simulate(plan, dynamics):
    """As a law (t, q, qd) -> tau, with explicit Euler at the step of the plan, the loop is the same."""
    x0 = plan.x[0] + [0.02, 0.02, 0, 0]
    law = rd.forces.total(control.tracking(plan, DT), rd.forces.viscous(0.1))
    motion = rd.simulate(ARM, x0[:2], x0[2:], law, DT * np.arange(T), method="euler")
    x, _ = control.closed_loop(dynamics, plan, x0)
    assert np.allclose(np.hstack([motion.q, motion.qd]), x, atol=1e-9)


def test_limits(plan, dynamics):
    """The loop keeps the limits of the motors, as a law and in steps."""
    x0 = plan.x[0] + [0.5, 0.5, 0, 0]
    _, u = control.closed_loop(dynamics, plan, x0, limits=(-5, [5, 2]))
    assert u.min() >= -5 and u[:, 0].max() == 5 and u[:, 1].max() == 2
    law = control.tracking(plan, DT, limits=(-5, [5, 2]))
    assert np.allclose(law(0.0, x0[:2], x0[2:]), u[0], rtol=1e-12)  # the same gain times the same error, in two places


@pytest.mark.parametrize("dt", [DT, 0.1, 0.3, 1 / 3, 1e-3])
def test_a_step_begins_at_its_time(plan, dt):
    """At t = s dt, as floats have it, step s of the plan serves; a thousandth of a step before, step s - 1 does."""
    law, steps = control.tracking(plan, dt), np.arange(T - 1)
    assert np.allclose([law(s * dt, plan.q[s], plan.qd[s]) for s in steps], plan.tau, rtol=1e-12, atol=1e-12)
    late = [law((s - 1e-3) * dt, plan.q[s - 1], plan.qd[s - 1]) for s in steps[1:]]
    assert np.allclose(late, plan.tau[:-1], rtol=1e-12, atol=1e-12)


def test_the_last_torque_serves_on(plan):
    """Beyond its end the plan holds its last torque and gain."""
    law = control.tracking(plan, DT)
    state = plan.q[-2], plan.qd[-2]
    assert (law(100.0, *state) == law((T - 2) * DT, *state)).all()
    assert np.allclose(law(100.0, *state), plan.tau[-1])


def test_bad_input(plan, dynamics):
    """Wrong shapes are told."""
    with pytest.raises(ValueError, match=r"x0 must have shape \(4,\), got \(2,\)"):
        control.closed_loop(dynamics, plan, [0, 0])
    with pytest.raises(ValueError, match=r"disturbance must have shape \(30, 4\), got \(4,\)"):
        control.closed_loop(dynamics, plan, disturbance=[0, 0, 0, 0])
    with pytest.raises(TypeError, match=r"solution must be a Solution, as rd.reach or rd.ilqr returns one, got 1"):
        control.tracking(1, 2)
    with pytest.raises(ValueError, match=r"dt must be > 0 s, got 0"):
        control.tracking(plan, 0)
    with pytest.raises(TypeError, match=r"dynamics must be a Dynamics, as rd.arm_dynamics\(arm, dt\) makes one, got"):
        control.closed_loop(ARM, plan)
    with pytest.raises(TypeError, match=r"solution must be a Solution"):
        control.closed_loop(dynamics, None)
