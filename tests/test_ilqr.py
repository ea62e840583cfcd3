"""The optimizer: three ways to one optimum, gains, limits, named ends, boxes, via-points; numbers by SciPy and NumPy."""

from functools import partial

import numpy as np
import pytest
from arms import derivative

import robotdyn as rd
from robotdyn import laws as relations
from robotdyn.optimal import costs
from robotdyn.optimal.ilqr import batch_direction
from robotdyn.optimal.riccati import backward, minimum_in_box

DT = 0.02
ARM = rd.robots.planar([1.0, 0.8], [1.0, 0.7])
REACH = {"q0": [-0.8, 1.0], "qd0": [0.3, -0.2], "target": [1.2, 0.5], "T": 26, "dt": DT, "effort": 1e-2}
STEPS = 25


def linear_problem(seed=0, steps=12, D=3, d=2):
    """Random linear dynamics and a random convex quadratic cost, with a mixed term: k, K and du are exact."""
    rng = np.random.default_rng(seed)
    A = np.eye(D) + 0.3 * rng.normal(size=(steps, D, D))
    B = rng.normal(size=(steps, D, d))
    H = rng.normal(size=(steps + 1, D + d, D + d))
    H = H @ np.swapaxes(H, 1, 2) + 0.1 * np.eye(D + d)
    l = rng.normal(size=(steps + 1, D + d))
    return A, B, l[:, :D], l[:-1, D:], H[:, :D, :D], H[:-1, D:, :D], H[:-1, D:, D:]


def follow(A, B, k, K):
    """Return dx, du of the rule du = k + K dx from dx = 0."""
    dx, du = [np.zeros(A.shape[1])], []
    for t in range(len(A)):
        du.append(k[t] + K[t] @ dx[t])
        dx.append(A[t] @ dx[t] + B[t] @ du[t])
    return np.array(dx), np.array(du)


def change(model, dx, du):
    """The change of the quadratic cost, written out."""
    _, _, l_x, l_u, l_xx, l_ux, l_uu = model
    total = np.einsum("ti,ti->", l_x, dx) + np.einsum("ti,ti->", l_u, du)
    total += np.einsum("ti,tij,tj->", dx, l_xx, dx) / 2 + np.einsum("ti,tij,tj->", du, l_uu, du) / 2
    return total + np.einsum("ti,tij,tj->", du, l_ux, dx[:-1])


# ---- one quadratic problem ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_riccati_and_least_squares_find_the_same_step(seed):
    """Riccati and the stacked normal equations are two roads to one minimum, the mixed term l_ux included."""
    model = linear_problem(seed)
    k, K, slope, curvature = backward(*model)
    dx, du = follow(*model[:2], k, K)
    k_batch, zero, slope_batch, curvature_batch = batch_direction(*model)
    assert np.allclose(du, k_batch, atol=1e-9) and not zero.any()
    least = change(model, dx, du)
    assert np.isclose(slope + curvature, least) and np.isclose(slope_batch + curvature_batch, least)
    rng = np.random.default_rng(seed)
    for _ in range(20):  # any other inputs cost more
        other = du + 1e-3 * rng.normal(size=du.shape)
        assert change(model, follow(*model[:2], other, 0 * K)[0], other) > least


def test_doubled_mixed_term_is_no_minimum():
    """RCFS 7.1 prints 2 S^T H_ux^T for S^T H_ux^T + H_ux S: that step is not stationary."""
    model = linear_problem()
    A, B, l_x, l_u, l_xx, l_ux, l_uu = model
    steps, D, d = B.shape
    S = rd.rollout_matrix(A, B)
    block = lambda blocks: np.block(
        [[blocks[t] if s == t else 0 * blocks[t] for s in range(len(blocks))] for t in range(len(blocks))]
    )
    H_ux = np.hstack([block(l_ux), np.zeros((steps * d, D))])
    H = lambda mixed: S.T @ block(l_xx) @ S + mixed + block(l_uu)
    g = S.T @ l_x.ravel() + l_u.ravel()
    right = -np.linalg.solve(H(S.T @ H_ux.T + H_ux @ S), g)
    wrong = -np.linalg.solve(H(2 * S.T @ H_ux.T), g)
    assert np.allclose(right, batch_direction(*model)[0].ravel())
    gradient = lambda du: abs(H(S.T @ H_ux.T + H_ux @ S) @ du + g).max()
    assert gradient(right) < 1e-9 and gradient(wrong) > 1e-2


def test_gains_are_the_slope_of_the_optimum():
    """K_t is the derivative of the best u_t by the state x_t: solve the rest of the problem from a moved state."""
    model = linear_problem(4)
    _, K, _, _ = backward(*model)
    for t in (0, 5, 11):
        rest = tuple(part[t:] for part in model)
        for i, e in enumerate(1e-3 * np.eye(3)):

            def best(start, rest=rest):
                A, B, l_x, l_u, l_xx, l_ux, l_uu = rest
                moved, l_x, l_u = [start], l_x.copy(), l_u.copy()  # the motion without inputs, as a shift of the cost
                for A_s in A:
                    moved.append(A_s @ moved[-1])
                l_x += np.einsum("tij,tj->ti", l_xx, np.array(moved))
                l_u += np.einsum("tij,tj->ti", l_ux, np.array(moved[:-1]))
                return batch_direction(A, B, l_x, l_u, l_xx, l_ux, l_uu)[0][0]

            assert np.allclose((best(e) - best(-e)) / 2e-3, K[t, :, i], atol=1e-8)


@pytest.mark.parametrize("seed", range(30))
def test_step_in_a_box(seed):
    """The step in a box obeys the conditions of a minimum: free inputs have no gradient, resting ones push outward."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 7))
    Q = rng.normal(size=(d, d))
    Q, p, Q_ux = Q @ Q.T + 0.01 * np.eye(d), 3 * rng.normal(size=d), rng.normal(size=(d, 4))
    lower, upper = -rng.uniform(0, 1, d), rng.uniform(0, 1, d)
    du, K = minimum_in_box(Q, p, Q_ux, lower, upper)
    gradient = Q @ du + p
    assert (du >= lower).all() and (du <= upper).all()
    at_lower, at_upper = du <= lower, du >= upper
    free = ~(at_lower | at_upper)
    assert np.allclose(gradient[free], 0, atol=1e-9 * abs(p).max())
    assert (gradient[at_lower] >= -1e-9).all() and (gradient[at_upper] <= 1e-9).all()
    assert not K[~free].any()
    assert np.allclose((Q @ K + Q_ux)[free], 0, atol=1e-9 * abs(K).max() + 1e-12)


# ---- reaching -------------------------------------------------------------------------------------------------------


ACCELERATION = rd.specialize(rd.forward_dynamics, ARM, "python")  # SciPy asks for it a hundred thousand times


def reaching_residual(tau, q0=REACH["q0"], qd0=REACH["qd0"], target=REACH["target"], effort=1e-2):
    """The cost of `reach` as a sum of squares, from its definition: explicit Euler, position 1e3, velocity 1e2."""
    q, qd = np.array(q0), np.array(qd0)
    tau = tau.reshape(-1, ARM.n)
    for tau_t in tau:
        q, qd = q + qd * DT, qd + DT * ACCELERATION(q, qd, tau_t)
    tip = rd.point_position(ARM, q)[:2]
    return np.concatenate([np.sqrt(effort) * tau.ravel(), np.sqrt(1e3) * (tip - target), np.sqrt(1e2) * qd])


def test_three_solvers_one_optimum():
    """Recursive, batch and SciPy's least squares find the same torques; the cost is the one that was promised."""
    from scipy.optimize import least_squares

    recursive = rd.reach(ARM, **REACH)
    batch = rd.reach(ARM, **REACH, method="batch")
    scipy = least_squares(reaching_residual, np.zeros(2 * STEPS), method="lm", xtol=1e-14, ftol=1e-14, gtol=1e-14)
    assert recursive.result == batch.result == "converged"
    assert np.isclose(recursive.cost, (reaching_residual(recursive.tau.ravel()) ** 2).sum(), rtol=1e-12)
    assert np.isclose(recursive.cost, 2 * scipy.cost, rtol=1e-9) and np.isclose(batch.cost, 2 * scipy.cost, rtol=1e-9)
    assert np.allclose(recursive.tau.ravel(), scipy.x, atol=1e-4 * abs(scipy.x).max())
    assert np.allclose(recursive.tau, batch.tau, atol=1e-5 * abs(scipy.x).max())
    assert np.allclose(recursive.gains, batch.gains, atol=1e-4 * abs(batch.gains).max())
    assert recursive.q.shape == recursive.qd.shape == (26, 2) and recursive.tau.shape == (STEPS, 2)
    assert recursive.gains.shape == (STEPS, 2, 4) and recursive.cost == recursive.cost_history[-1]
    assert (np.diff(recursive.cost_history) < 0).all()


def test_the_motion_is_that_of_the_torques():
    """q, qd of the solution are those of `simulate` with its torques, damped as asked for."""
    b = np.array([0.5, 0.2])
    solution = rd.reach(ARM, **REACH, damping=b)
    law = lambda t, q, qd: solution.tau[min(round(t / DT), STEPS - 1)] - b * qd
    motion = rd.simulate(ARM, REACH["q0"], REACH["qd0"], law, DT * np.arange(26), method="euler")
    assert np.allclose(motion.q, solution.q, atol=1e-9) and np.allclose(motion.qd, solution.qd, atol=1e-9)


@pytest.mark.parametrize("integrator", ["euler", "semi-implicit", "rk4"])
def test_angles_do_not_matter(integrator):
    """The same problem in absolute angles and forces has the same optimum, gains included."""
    relative = rd.reach(ARM, **REACH, integrator=integrator)
    absolute = rd.reach(ARM, **REACH, integrator=integrator, angles="absolute")
    assert np.isclose(relative.cost, absolute.cost, rtol=1e-10)
    assert np.allclose(relative.tau, absolute.tau, atol=1e-6) and np.allclose(relative.q, absolute.q, atol=1e-7)
    assert np.allclose(relative.gains, absolute.gains, atol=1e-5 * abs(relative.gains).max())


def test_gains_against_the_optimum_of_a_linear_arm():
    """An arm that slides has linear dynamics: the first gain is the change of the best torque with the start."""
    arm = rd.robots.random_arm(np.random.default_rng(1), 2, ["prismatic", "prismatic"])
    cost = costs.effort(0.1) + costs.joint_position([0.5, -0.3], 10.0) + costs.joint_velocity(5.0)
    dynamics, x0 = rd.arm_dynamics(arm, DT), np.array([0.1, 0.2, -0.3, 0.4])
    solve = lambda x0: rd.ilqr(dynamics, cost, x0, np.zeros((12, 2)))
    K = solve(x0).gains[0]
    for i, e in enumerate(1e-2 * np.eye(4)):
        assert np.allclose((solve(x0 + e).u[0] - solve(x0 - e).u[0]) / 2e-2, K[:, i], rtol=1e-6, atol=1e-6)


def test_torque_limits_hold_exactly():
    """No torque passes its limit, not by a rounding; and SciPy finds nothing better inside."""
    from scipy.optimize import least_squares

    free = rd.reach(ARM, **REACH)
    bound = 0.6 * abs(free.tau).max(axis=0)
    solution = rd.reach(ARM, **REACH, limits=(-bound, bound))
    assert solution.result == "converged" and (abs(solution.tau) <= bound).all()
    assert (abs(solution.tau) == bound).any() and solution.cost > free.cost
    scipy = least_squares(
        reaching_residual,
        0 * solution.tau.ravel(),
        bounds=(np.tile(-bound, STEPS), np.tile(bound, STEPS)),
        xtol=1e-12,
        ftol=1e-12,
    )
    assert solution.cost <= 2 * scipy.cost * (1 + 1e-8)
    assert not solution.gains[abs(solution.tau) == bound].any()


# ---- costs ----------------------------------------------------------------------------------------------------------


def some_costs():
    """Each term on a spatial arm or a planar one, with the state it is looked at."""
    rng = np.random.default_rng(2)
    space, plane = rd.robots.puma560(), rd.robots.planar(3)
    turn = rd.link_poses(space, rng.normal(size=6))[0][-1]
    frame = np.array([[0.6, -0.8], [0.8, 0.6]])
    return {
        "position": (space, costs.tip_position(space, [0.1, 0.2, 0.3], [1.0, 2.0, 3.0], at=[0, -1])),
        "position in the plane": (plane, costs.tip_position(plane, [0.5, 0.2], 2.0, at=1)),
        "precision box": (plane, costs.tip_position(plane, [0.5, 0.2], 2.0, at=1, box=[0.1, 0.4], frame=frame)),
        "orientation": (space, costs.tip_orientation(space, turn, 2.0, at=[0, 1])),
        "small turn": (
            space,
            costs.tip_orientation(space, rd.link_poses(space, STATE[0, :6])[0][-1] @ TINY, 2.0, at=0),
        ),
        "angle": (plane, costs.tip_orientation(plane, 2.0, 3.0, at=None)),
        "joints": (plane, costs.joint_position([0.1, 0.2, 0.3], [1.0, 2.0, 3.0])),
        "velocity": (plane, costs.joint_velocity([1.0, 2.0, 3.0], at=None, target=[0.1, 0.2, 0.3])),
        "joint limits": (plane, costs.joint_limits([-0.1, -np.inf, -5], [0.1, 0.2, 5], 10.0)),
        "any residual": (plane, costs.residual(lambda x: np.array([np.sin(x[0]) * x[3], x[1] ** 2]), 2.0, at=[0, 2])),
        "effort": (plane, costs.effort(np.diag([1.0, 2.0, 3.0]) + 0.5)),
    }


STATE = np.random.default_rng(7).normal(size=(3, 12))
TINY = np.array([[1, -1e-5, 0], [1e-5, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize("name", some_costs())
def test_derivatives_of_costs(name):
    """l_x and l_u are the derivatives of the value; l_xx and l_uu are twice the weighted squares of the Jacobian."""
    arm, cost = some_costs()[name]
    x, u = STATE[:, : 2 * arm.n], STATE[:2, : arm.n] * 2
    l_x, l_u, l_xx, l_ux, l_uu = cost.expand(x, u)
    along = lambda f, at, e: relations.slope(lambda s: f(at + e.reshape(at.shape) * s), 0.0)
    by = lambda f, at: np.array([along(f, at, e) for e in np.eye(at.size)]).reshape(at.shape)
    assert np.allclose(by(lambda z: cost.value(z, u), x), l_x, atol=1e-7)
    assert np.allclose(by(lambda z: cost.value(x, z), u), l_u, atol=1e-7)
    square = np.zeros_like(l_xx)  # the square form, from the residuals themselves
    for term in cost.terms:
        for t in np.arange(3)[term.where(3)]:
            J = np.stack([along(term.outside, x[t][None], e)[0] for e in np.eye(2 * arm.n)], axis=1)
            square[t] += 2 * J.T @ (np.broadcast_to(term.weight, len(J))[:, None] * J)
    assert np.allclose(l_xx, square, atol=1e-5)
    assert cost.value(np.full_like(x, np.nan), u) != cost.value(x, u) or not cost.terms


def test_inside_the_box_is_free():
    """A precision box costs nothing inside, and the square of what sticks out of it, in its own axes."""
    arm = rd.robots.planar(1)
    box = costs.tip_position(arm, [1.0, 0.0], 4.0, at=0, box=[0.1, 0.2], frame=[[0, -1], [1, 0]])
    at = lambda x, y: rd.robots.planar([np.hypot(x, y)])  # an arm whose tip is at (x, y)
    assert box.value(np.array([[0.05, 0.0]]), np.zeros((0, 1))) == 0
    longer = costs.tip_position(at(1.5, 0.0), [1.0, 0.0], 4.0, at=0, box=[0.1, 0.2], frame=[[0, -1], [1, 0]])
    assert np.isclose(longer.value(np.zeros((1, 2)), np.zeros((0, 1))), 4 * (0.5 - 0.2) ** 2)


def test_via_points_of_the_source():
    """RCFS: three links (2, 2, 1), masses (2, 3, 4), two via-points with boxes and an orientation, T = 50."""
    arm = rd.robots.planar([2.0, 2.0, 1.0], [2.0, 3.0, 4.0])
    q0 = np.array([3 * np.pi / 4, -np.pi / 2, -np.pi / 4])
    cost, half = costs.effort(1e-6), [0.2, 0.3]
    for at, point in ((24, [2.0, 1.0]), (49, [3.0, 2.0])):
        cost += costs.tip_position(arm, point, 1e5, at, box=half) + costs.tip_orientation(arm, -np.pi / 3, 1e5, at)
    solution = rd.ilqr(rd.arm_dynamics(arm, 0.01, damping=1.0), cost, [*q0, 0, 0, 0], np.zeros((49, 3)))
    assert solution.result == "converged"
    for at, point in ((24, [2.0, 1.0]), (49, [3.0, 2.0])):
        off = rd.point_position(arm, solution.q[at])[:2] - point
        assert (abs(off) <= np.array(half) + 0.01).all()
        assert abs(solution.q[at].sum() + np.pi / 3) < 0.01


def test_soft_limits_keep_the_joints():
    """With a soft wall the elbow stays within its limits, up to a small part of what it would pass them by."""
    free = rd.reach(ARM, **REACH)
    wall = free.q[:, 1].max() - 0.3 * np.ptp(free.q[:, 1])
    cost = costs.effort(1e-2) + costs.tip_position(ARM, REACH["target"], 1e3) + costs.joint_velocity(1e2)
    cost += costs.joint_limits([-np.inf, -np.inf], [np.inf, wall], 1e5)
    x0 = [*REACH["q0"], *REACH["qd0"]]
    held = rd.ilqr(rd.arm_dynamics(ARM, DT), cost, x0, np.zeros((STEPS, 2)))
    assert held.result == "converged" and held.q[:, 1].max() < wall + 0.02 < free.q[:, 1].max()


def test_any_system():
    """ilqr knows no arm: a cart and a nonlinear spring, as a plain step function."""
    step = lambda x, u: np.array([x[0] + 0.1 * x[1], x[1] + 0.1 * (u[0] - x[0] ** 3)])
    cost = costs.effort(0.01) + costs.residual(lambda x: x - [1.0, 0.0], [100.0, 10.0])
    solution = rd.ilqr(step, cost, [0.0, 0.0], np.zeros((30, 1)))
    assert solution.result == "converged" and np.allclose(solution.x[-1], [1, 0], atol=0.02)


# ---- how it ends ----------------------------------------------------------------------------------------------------


def test_a_divergent_start_is_named():
    """First torques that blow the motion up end as "diverged", with an infinite cost and no NaN in it."""
    solution = rd.reach(ARM, **REACH, tau0=[1e155, -1e155])
    assert solution.result == "diverged" and solution.cost == np.inf
    assert "shorter time steps" in solution.advice and not np.isnan(solution.cost_history).any()


def test_steps_to_infinity_are_not_taken():
    """Where a full step blows the motion up, the line search shortens it; the cost only falls."""
    step = lambda x, u: x + 0.1 * (x**3 + u)  # runs away in finite time
    cost = costs.effort(1e-6) + costs.residual(lambda x: x - 3.0, 1e3)
    seen = []

    def watched(x, u):
        new = step(x, u)
        seen.append(new)
        return new

    solution = rd.ilqr(watched, cost, [0.0], np.zeros((40, 1)))
    assert not np.isfinite(np.array(seen)).all(), "the example must meet infinity to show anything"
    assert np.isfinite(solution.x).all() and (np.diff(solution.cost_history) < 0).all()
    assert solution.result == "converged" and abs(solution.x[-1, 0] - 3) < 0.05


def test_wrong_derivatives_end_as_no_descent():
    """With the sign of B turned, no step lowers the cost: that is said, and the start is kept."""
    right = rd.arm_dynamics(ARM, DT)
    wrong = rd.Dynamics(right.step, lambda x, u: [right.jacobians(x, u)[0], -right.jacobians(x, u)[1]])
    cost = costs.effort(1e-9) + costs.tip_position(ARM, REACH["target"], 1e3)
    solution = rd.ilqr(wrong, cost, [*REACH["q0"], 0, 0], np.zeros((STEPS, 2)))
    assert solution.result == "no descent" and "check the derivatives" in solution.advice
    assert np.isfinite(solution.cost) and solution.cost <= solution.cost_history[0]


def test_iteration_limit():
    """Too few rounds: named, with the best so far, from where one can go on to the same optimum."""
    first = rd.reach(ARM, **REACH, max_iterations=2)
    assert first.result == "iteration limit" and first.iterations == 2
    assert "raise max_iterations" in first.advice
    onward = rd.reach(ARM, **REACH, tau0=first.tau)
    assert np.isclose(onward.cost, rd.reach(ARM, **REACH).cost, rtol=1e-9)


def test_interrupt_keeps_the_best():
    """Ctrl-C in the middle of a rollout: the last accepted motion comes back, whole, with its gains."""
    calls, costs_seen = [], []
    dynamics = rd.arm_dynamics(ARM, DT)

    def step(x, u):
        calls.append(1)
        if len(calls) == 110:
            raise KeyboardInterrupt
        return dynamics.step(x, u)

    cost = costs.effort(1e-2) + costs.tip_position(ARM, REACH["target"], 1e3) + costs.joint_velocity(1e2)
    x0 = np.array([*REACH["q0"], *REACH["qd0"]])
    solution = rd.ilqr(
        rd.Dynamics(step, dynamics.jacobians),
        cost,
        x0,
        np.zeros((STEPS, 2)),
        callback=lambda x, u, c: costs_seen.append(c),
    )
    assert solution.result == "interrupted" and 0 < solution.iterations == len(costs_seen)
    assert solution.cost == min(costs_seen)
    # computed once more, one step at a time and not beside other candidates: up to rounding
    assert np.isclose(cost.value(solution.x, solution.u), solution.cost, rtol=1e-12)
    assert np.allclose(dynamics.rollout(x0, solution.u)[0], solution.x, rtol=1e-12, atol=1e-12)
    assert solution.gains.any() and "Start again from its torques" in solution.advice


def test_local_minima_are_real():
    """Elbow up and elbow down are two optima of one problem: which one is found depends on the first torques."""
    found = [rd.reach(ARM, [-0.8, 0.0], [0, 0], [1.2, 0.5], 51, DT, tau0=[0, s]) for s in (4.0, -4.0)]
    assert all(solution.result == "converged" for solution in found)
    assert found[0].q[-1, 1] * found[1].q[-1, 1] < 0


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rd.reach(ARM, [0, 0], [0, 0], [1, 0], 1, DT), "T must be a whole number of states >= 2, got 1"),
        (lambda: rd.reach(ARM, [0], [0, 0], [1, 0], 5, DT), "q0 must have shape (2,), got (1,)"),
        (lambda: rd.reach(ARM, [0, 0], [0, 0], [1], 5, DT), "target must have shape (3,), got (1,)"),
        (lambda: rd.reach(ARM, [0, 0], [0, 0], [1, 0], 5, DT, method="magic"), 'method must be "recursive" or "batch", got'),
        (lambda: rd.reach(ARM, [0, 0], [0, 0], [1, 0], 5, DT, integrator="rk5"), "must be one of euler, semi-implicit, rk4"),
        (lambda: rd.reach(ARM, [0, 0], [0, 0], [1, 0], 5, DT, effort=-1), "weight must be finite and >= 0, got -1"),
        (lambda: rd.reach(ARM, [0, 0], [0, 0], [1, 0], 5, DT, limits=(1, -1)), "limits must be (lower, upper) with lower <= upper"),
        (lambda: rd.reach(ARM, [0, 0], [0, 0], [1, 0], 5, DT, limits=(-1, 1), method="batch"), 'limits must be None for the method "batch"'),
        (lambda: rd.reach(ARM, [0, 0], [0, 0], [1, 0], 5, DT, limits=(-1, 1), angles="absolute"), "a box of torques is no box of forces"),
        (lambda: rd.ilqr(rd.arm_dynamics(ARM, DT), costs.effort(1), [0] * 4, [0, 0]), "u0 must have shape (T - 1, d)"),
        (lambda: rd.ilqr(rd.arm_dynamics(ARM, DT), costs.joint_velocity(1, at=9), [0] * 4, [[0, 0]]), "at must hold indices of states from 0 to 1"),
        (lambda: costs.joint_limits([1], [0], 1), "lower must be <= upper"),
        (lambda: costs.tip_position(ARM, [1, 0], 1, box=-1), "box must hold half-widths >= 0"),
        (lambda: costs.tip_orientation(rd.robots.puma560(), 1.0, 1), "target must be a rotation matrix (3, 3) for an arm that leaves"),
    ],
    ids=range(14),
)  # fmt: skip
def test_bad_input(call, sentence):
    """What cannot be optimized is refused with a sentence."""
    with pytest.raises(ValueError) as error:
        call()
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rd.ilqr(rd.arm_dynamics(ARM, DT), None, [0] * 4, [[0, 0]]), r"cost must be a Cost, as rd.costs.effort.* makes one"),
        (lambda: rd.ilqr(ARM, costs.effort(1), [0] * 4, [[0, 0]]), r"dynamics must be a Dynamics, as rd.arm_dynamics\(arm, dt\) makes"),
        (lambda: rd.ilqr(cost=None), r"ilqr\(\) missing 3 required positional arguments: 'dynamics', 'x0', and 'u0'"),
        (lambda: rd.reach(ARM, [0, 0], [0, 0], [1, 0], 5, DT, foo=3), r"reach\(\) got an unexpected keyword argument 'foo'"),
        (lambda: rd.simulate(ARM, [0, 0], [0, 0], t=[0, 1], foo=3), r"simulate\(\) got an unexpected keyword argument 'foo'"),
    ],
    ids=range(5),
)  # fmt: skip
def test_the_function_that_was_called_says_what_it_needs(call, sentence):
    """Not a deeper one, and not with an attribute that None lacks."""
    with pytest.raises(TypeError, match=sentence):
        call()


# ---- second order ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("integrator", ["euler", "semi-implicit"])
@pytest.mark.parametrize("mix", ["rr", "rpr", "sr"])
def test_curvature_of_a_step(mix, integrator):
    """The curvature of the Dynamics is the second derivative of v . f, with friction, in the plane and in space."""
    from arms import arm_and_state

    arm, *_ = arm_and_state(mix)
    n = arm.n
    dynamics = rd.arm_dynamics(arm, DT, np.linspace(0.1, 0.4, n), integrator)
    x0, u = np.random.default_rng(3).normal(size=2 * n), np.random.default_rng(4).normal(size=(2, n))
    x, _ = dynamics.rollout(x0, u)
    A, B = dynamics.jacobians(x[:-1], u)
    v = np.random.default_rng(5).normal(size=(2, 2 * n))
    C = dynamics.curvature(x, u, A, B, v)

    def slopes(v, z):
        return np.hstack([v @ J[0] for J in dynamics.jacobians(*np.split(z[None], [2 * n], 1))])

    for t in range(2):
        expected = derivative(partial(slopes, v[t]), np.concatenate([x[t], u[t]]))
        assert abs(C[t] - expected).max() < 1e-8 * (1 + abs(expected).max())


@pytest.mark.parametrize("name", ["position", "position in the plane", "precision box", "joints", "effort"])
def test_curvature_of_costs(name):
    """With their curvature, the second derivatives of these costs are those of their value."""
    arm, cost = some_costs()[name]
    x, u = STATE[:, : 2 * arm.n], STATE[:2, : arm.n] * 2
    full = cost.expand(x, u)[2] + cost.curvature(x)

    def slopes(t, z):
        return cost.expand(np.concatenate([x[:t], z[None], x[t + 1 :]]), u)[0][t]

    for t in range(3):
        assert np.allclose(full[t], derivative(partial(slopes, t), x[t]), atol=1e-7)


@pytest.mark.parametrize("method", ["recursive", "batch"])
def test_newton_finds_the_same_optimum_in_fewer_rounds(method):
    """second_order reaches the optimum of Gauss-Newton, and its last rounds square the error."""
    first = rd.reach(ARM, **REACH, method=method)
    second = rd.reach(ARM, **REACH, method=method, second_order=True)
    assert second.result == "converged" and second.iterations < first.iterations
    assert np.isclose(second.cost, first.cost, rtol=1e-10)
    assert np.allclose(second.tau, first.tau, atol=1e-5 * abs(first.tau).max())


def test_newton_gains_are_the_slope_of_the_optimum():
    """On an arm that turns: K_1 is the change of the best first torque with the start, only with second_order."""
    options = {**REACH, "tau0": rd.reach(ARM, **REACH, second_order=True).tau, "tolerance": 1e-15}
    solve = lambda q, qd, **more: rd.reach(ARM, **{**options, "q0": q, "qd0": qd, "second_order": True, **more})
    q, qd = np.array(REACH["q0"]), np.array(REACH["qd0"])
    exact, gauss = solve(q, qd).gains[0], solve(q, qd, second_order=False).gains[0]
    first = lambda e: solve(q + e[:2], qd + e[2:]).tau[0]
    expected = derivative(first, np.zeros(4))
    assert np.allclose(exact, expected, atol=1e-4 * abs(expected).max())
    assert abs(gauss - expected).max() > 1e-2 * abs(expected).max()


def test_second_order_needs_a_curvature():
    """A Dynamics that does not tell its curvature is refused in words."""
    with pytest.raises(ValueError, match="second_order must be False for dynamics without a curvature"):
        rd.ilqr(lambda x, u: x + u, costs.effort(1.0), [0.0], [[0.0]], second_order=True)
