"""Sentences of the page "Walls and wishes", tried with other weights, demands, starts and steps."""

import numpy as np
import pytest

import robotdyn as rd
from robotdyn import costs


def linear_steps(A, B):
    """Return the dynamics of steps A x + B u."""
    return rd.Dynamics(lambda x, u: A @ x + B @ u)


def test_a_straight_valley():
    """A straight valley, however steep across, does not defeat iLQR: its steps do not depend on the units of directions."""
    rng = np.random.default_rng(35)
    for _ in range(5):
        A, B = np.eye(4) + 0.05 * rng.normal(size=(4, 4)), 0.1 * rng.normal(size=(4, 2))
        linear = linear_steps(A, B)
        for weight in 10.0 ** np.arange(2, 11):
            task = costs.effort(1e-3) + costs.joint_position(rng.normal(size=2), weight) + costs.joint_velocity(weight)
            plan = rd.ilqr(linear, task, rng.normal(size=4), np.zeros((50, 2)))
            assert plan.result == "converged"
            assert plan.iterations <= 3


def on_the_floor(arm, dynamics, start, target, u):
    """Return torques near u (T - 1, n) that bring the tip to the target, at rest, and the Jacobian of this demand.

    Newton's method, with the least change of the torques each time.
    """
    for _ in range(30):
        miss, J = missed(arm, dynamics, start, target, u)
        u = u - (np.linalg.pinv(J) @ miss).reshape(u.shape)
    return u, J


def missed(arm, dynamics, start, target, u):
    """Return by how much a motion misses the target and rest (4,), and the Jacobian of it by the torques."""
    x, u = dynamics.rollout(start, u)
    by_torques = rd.rollout_matrix(*dynamics.jacobians(x[:-1], u))[-4:]
    J = np.zeros((4, 4))
    J[:2, :2], J[2:, 2:] = rd.tip_jacobian(arm, x[-1, :2])[:2], np.eye(2)
    miss = np.r_[rd.point_position(arm, x[-1, :2])[:2] - target, x[-1, 2:]]
    return miss, J @ by_torques


def penalized(arm, dynamics, start, target, weight):
    """Return the cost of torques: effort, and the penalty on what they miss."""
    return lambda u: 1e-3 * (u**2).sum() + weight * (missed(arm, dynamics, start, target, u)[0] ** 2).sum()


def test_a_curved_valley():
    """Along the motion of an arm the valley of a demand is curved. A step along its tangent climbs the wall, and the steeper
    the wall, the shorter is the share of the step that still goes downhill."""
    arm, start = rd.robots.two_link(), np.array([-np.pi / 2, 0.3, 0, 0])
    dynamics, rng = rd.arm_dynamics(arm, 0.02), np.random.default_rng(35)
    for target in ([1.2, 0.5], [1.0, 0.8], [0.8, 1.0]):
        goal = costs.effort(1e-3) + costs.tip_position(arm, np.array(target), 1e4) + costs.joint_velocity(1e4)
        best = rd.ilqr(dynamics, goal, start, np.zeros((50, 2))).u
        u, J = on_the_floor(arm, dynamics, start, target, best + 0.3 * rng.normal(size=(50, 2)))
        shares = []
        for weight in (1e2, 1e4, 1e6, 1e8):
            cost = penalized(arm, dynamics, start, target, weight)
            gradient = 2e-3 * u.ravel()  # on the floor the demand is kept, and its penalty has no slope
            step = -np.linalg.solve(2e-3 * np.eye(100) + 2 * weight * J.T @ J, gradient).reshape(u.shape)
            tried = 2.0 ** -np.arange(30)
            shares.append(next(a for a in tried if cost(u + a * step) < cost(u)))
        assert (np.diff(shares) <= 0).all(), shares
        assert shares[-1] < 0.1 * shares[0], shares


def test_from_the_floor_of_the_valley():
    """With a weight of 10^8 the descent from idle motors gets nowhere in 250 iterations; the weight alone is not to blame:
    from the motion of the weight before it three iterations are enough."""
    arm, effort = rd.robots.two_link(), costs.effort(1e-3)
    dynamics, start = rd.arm_dynamics(arm, 0.02), np.array([-np.pi / 2, 0.3, 0, 0])

    def task(w, target):
        goal = effort + costs.tip_position(arm, np.array(target), w) + costs.joint_velocity(w)
        return goal + costs.joint_position([0, 0], w, at=None, box=[1.6, 1.9])

    for target in ([1.2, 0.5], [1.25, 0.45]):
        plan = rd.ilqr(dynamics, task(1e4, target), start, np.zeros((50, 2)))
        for w in (1e6, 1e8):
            before, plan = plan, rd.ilqr(dynamics, task(w, target), start, plan.u)
            assert plan.result == "converged"
        assert plan.iterations <= 3
        assert plan.cost < 1.001 * before.cost


def blown_up(begin, u, h):
    """Return the time after which steps of h of the runaway system overflow."""
    step, x, k = rd.Dynamics(lambda x, u: x + h * (x**3 + u)).step, np.array([begin]), 0
    with np.errstate(over="ignore", invalid="ignore"):
        while np.isfinite(x).all():
            x, k = step(x, np.array([u])), k + 1
    return k * h


def test_steps_lag_behind():
    """From 1.1 with u = -1 the motion is infinite after 0.68 s, the rollout in steps of 20 ms after 0.88 s; from 1 without
    inputs after half a second, and 0.70 s."""
    for begin, u, true, stepped in ((1.1, -1.0, 0.68, 0.88), (1.0, 0.0, 0.5, 0.70)):
        assert blown_up(begin, u, 0.02) == pytest.approx(stepped, abs=1e-9)
        lags = [blown_up(begin, u, h) - true for h in (0.02, 0.002, 2e-4, 2e-5)]
        assert np.all(np.diff(lags) < 0)  # the finer the steps, the closer
        assert lags[-1] == pytest.approx(0, abs=0.005)


def test_the_point_of_no_return():
    """With |u| <= 1 the runaway system can be brought back from |x_0| < 1, and from no other state."""
    rng = np.random.default_rng(35)
    h = 1e-3
    for begin in rng.uniform(0.3, 0.99, 20):
        x = begin
        for _ in range(40_000):
            x += h * (x**3 - 1)
            if x <= 0:
                break
        assert x <= 0
    for begin in rng.uniform(1.0, 2, 20):
        x = begin
        for u in np.r_[-np.ones(100), rng.uniform(-1, 1, 2000)]:
            x += h * (x**3 + u)
            assert x >= begin - 1e-12
            if x > 10:
                break


def test_a_motion_far_from_the_drawing():
    """Multiple shooting need not lead to the optimum that is nearest to the drawing: a first step may be a long one."""
    arm, first, last = rd.robots.two_link(), np.array([-1, 0.5, 0, 0]), np.array([0.6, -0.4, 0, 0])
    reach = costs.effort(1e-2) + costs.joint_position(last[:2], 1e3) + costs.joint_velocity(1e2)
    line = np.linspace(first, last, 41)
    drawn = rd.multiple_shooting(rd.arm_dynamics(arm, 0.025), reach, line, np.zeros((40, 2)))
    near = rd.ilqr(rd.arm_dynamics(arm, 0.025), reach, first, np.zeros((40, 2)))
    far = [abs(plan.q - line[:, :2]).max() for plan in (drawn, near)]
    assert drawn.result == near.result == "converged"
    assert abs(line[:, 1]).max() < 0.6
    assert abs(drawn.q[:, 1]).max() > np.pi
    assert far[0] > far[1]  # there is an optimum nearer to the drawing than the one that is found


def test_in_inverse_proportion_to_a_large_weight():
    """A penalty with a large weight misses its mark in inverse proportion to it, one with a small weight does not; of the page's
    limits a hundred times the weight leaves a 38th, and from there on a hundredth."""
    arm, ends = rd.robots.two_link(), np.array([1.6, 1.9])
    dynamics, start = rd.arm_dynamics(arm, 0.02), np.array([-np.pi / 2, 0.3, 0, 0])
    missed, u = [], np.zeros((50, 2))
    for w in (1e2, 1e4, 1e6):
        task = costs.effort(1e-3) + costs.tip_position(arm, np.array([1.2, 0.5]), w) + costs.joint_velocity(w)
        task += costs.joint_position([0, 0], w, at=None, box=ends)
        plan = rd.ilqr(dynamics, task, start, u, max_iterations=500)
        assert plan.result == "converged"
        missed.append(np.maximum(abs(plan.q).max(axis=0) - ends, 0).max())
        u = plan.u
    assert missed[0] / missed[1] == pytest.approx(38, abs=1)
    assert missed[1] / missed[2] == pytest.approx(98, abs=1)
    small = [1 / (1 + w) for w in (1e-3, 1e-1)]  # the misses of the small problem
    assert small[0] / small[1] < 1.2  # for a weight a hundred times as large


def test_multipliers_that_grow_while_the_misses_shrink():
    """Multipliers that grow without a bound while the misses stay are the sign of demands that cannot be met together; they grow also
    where a demand is met only at a place where it has no slope, like a goal at full stretch, and there the misses vanish."""
    y, w, seen = 0.0, 9.0, []
    for _ in range(3000):  # the cost (u - 1)^2, the demand u^2 = 0
        roots = np.roots([4 * w, 0, 2 + 2 * y, -2])
        u = roots[abs(roots.imag) < 1e-9].real[0]
        y += 2 * w * u**2
        seen.append([y, u**2])
    multipliers, misses = np.transpose(seen)
    assert multipliers[-1] > 2 * multipliers[299] > 4 * multipliers[29]
    assert misses[-1] < 0.25 * misses[299] < 0.0625 * misses[29]
    up = down = 0.0
    for _ in range(100):  # the demands u = 0 and u = 1
        u = (1 - (up + down) / (2 * w)) / 2
        up, down = up + 2 * w * u, down + 2 * w * (u - 1)
    assert u == pytest.approx(0.5)
    assert up == pytest.approx(-down)
    assert up > 100
