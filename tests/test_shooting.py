"""Multiple shooting: linear motion in one step, a system that runs away under first inputs, a better optimum, limits."""

import numpy as np
import pytest

import robotdyn as rd
from robotdyn import costs

ARM, T = rd.robots.two_link(), 41
START, GOAL = np.array([-1.0, 0.5, 0, 0]), np.array([0.6, -0.4, 0, 0])
COST = costs.effort(1e-2) + costs.joint_position(GOAL[:2], 1e3) + costs.joint_velocity(1e2)


def straight(start, goal, states):
    """A wish: the straight line from start to goal, which no motion need follow."""
    return np.linspace(start, goal, states)


def test_linear_motion_in_one_step():
    """Where the dynamics are linear and the cost is quadratic, one step closes all gaps, at the least cost."""
    A, B = np.array([[1, 0.1], [0, 1]]), np.array([[0.005], [0.1]])
    cart = rd.Dynamics(lambda x, u: A @ x + B @ u)
    cost = costs.effort(0.1) + costs.residual(lambda x: x - [1, 0], 10.0)
    wish = np.random.default_rng(1).normal(size=(16, 2))
    found = rd.multiple_shooting(cart, cost, wish, np.ones((15, 1)))
    best = rd.ilqr(cart, cost, wish[0], np.zeros((15, 1)))
    assert found.result == "converged" and np.isclose(found.cost_history[0], best.cost)
    assert np.allclose(found.x, best.x, atol=1e-6) and np.allclose(found.u, best.u, atol=1e-6)


def test_what_runs_away_under_the_first_inputs():
    """dx/dt = x^3 + u without inputs is infinite after half a second: plain iLQR ends before it begins."""
    runaway = rd.Dynamics(lambda x, u: x + 0.02 * (x**3 + u))
    cost = costs.effort(0.02) + costs.residual(lambda x: x, 100.0)
    idle = np.zeros((75, 1))
    with np.errstate(over="ignore", invalid="ignore"):
        assert rd.ilqr(runaway, cost, [1.0], idle).result == "diverged"
    found = rd.multiple_shooting(runaway, cost, straight([1.0], [0.0], 76), idle)
    assert found.result == "converged" and abs(found.x[-1]).max() < 0.05
    assert np.allclose(found.x[1:], [runaway.step(x, u) for x, u in zip(found.x, found.u)], rtol=0, atol=1e-15)
    # who knows inputs that tame it finds the same optimum from there
    tamed = rd.ilqr(runaway, cost, [1.0], np.full((75, 1), -1.0))
    assert np.isclose(found.cost, tamed.cost, rtol=1e-8)


def test_a_wish_finds_a_better_optimum():
    """With its motors off the arm falls at first, and plain iLQR ends in a worse optimum than from a straight line."""
    dynamics = rd.arm_dynamics(ARM, 0.025)
    wish, u = straight(START, GOAL, T), np.zeros((T - 1, 2))
    free, plain = rd.multiple_shooting(dynamics, COST, wish, u), rd.ilqr(dynamics, COST, START, u)
    assert free.result == plain.result == "converged" and free.cost < 0.95 * plain.cost
    assert rd.ilqr(dynamics, COST, START, free.u).iterations <= 1  # an optimum indeed
    bound = 0.8 * abs(free.u).max(axis=0)
    held = rd.multiple_shooting(dynamics, COST, wish, u, limits=(-bound, bound))
    assert held.result == "converged" and (abs(held.u) <= bound).all() and held.cost > free.cost


def test_bad_input():
    """Sentences."""
    dynamics = rd.arm_dynamics(ARM, 0.025)
    with pytest.raises(ValueError, match=r"x must have shape \(T, D\) with T >= 2 states, got \(4,\)"):
        rd.multiple_shooting(dynamics, COST, START, np.zeros((3, 2)))
    with pytest.raises(
        ValueError, match=r"u must have shape \(40, d\), one input less than there are states, got \(3, 2\)"
    ):
        rd.multiple_shooting(dynamics, COST, straight(START, GOAL, T), np.zeros((3, 2)))
    with pytest.raises(TypeError, match="dynamics must be a Dynamics"):
        rd.multiple_shooting(3, COST, straight(START, GOAL, T), np.zeros((40, 2)))
