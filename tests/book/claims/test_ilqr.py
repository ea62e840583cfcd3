"""Sentences of the page "iLQR", tried on other costs, motions and poses."""

import numpy as np
import pytest

import robotdyn as rd
from robotdyn import costs


def recursion(A, B, Q, R):
    """Return the gains of the recursion of Riccati: no slopes."""
    steps, D, d = B.shape
    K, P = np.zeros((steps, d, D)), np.array(Q)
    for t in reversed(range(steps)):
        K[t] = -np.linalg.solve(R[t] + B[t].T @ P[t + 1] @ B[t], B[t].T @ P[t + 1] @ A[t])
        P[t] = Q[t] + A[t].T @ P[t + 1] @ (A[t] + B[t] @ K[t])
    return K


@pytest.mark.parametrize("n", [1, 2, 3])
def test_one_state_more(n):
    """With a state more that is always 1, and the inputs themselves as unknowns, the recursion without slopes returns k and K."""
    rng = np.random.default_rng(35)
    arm = rd.robots.planar(rng.uniform(0.4, 1, n), rng.uniform(0.5, 2, n))
    dynamics = rd.arm_dynamics(arm, 0.02, damping=0.2)
    cost = costs.effort(np.diag(rng.uniform(0.01, 1, n))) + costs.joint_position(rng.normal(size=n), 30.0)
    cost += costs.tip_position(arm, [0.3, 0.4], 50.0, at=7) + costs.joint_velocity(5.0)
    u = rng.normal(size=(20, n))
    x, _ = dynamics.rollout(rng.normal(size=2 * n), u)
    A, B = dynamics.jacobians(x[:-1], u)
    l_x, l_u, l_xx, l_ux, l_uu = cost.expand(x, u)
    D = 2 * n
    longer, B_1, Q = np.zeros((20, D + 1, D + 1)), np.zeros((20, D + 1, n)), np.zeros((21, D + 1, D + 1))
    longer[:, :D, :D], longer[:, :D, D], longer[:, D, D] = A, -np.einsum("tij,tj->ti", B, u), 1
    B_1[:, :D] = B
    Q[:, :D, :D], Q[:, :D, D], Q[:, D, :D] = l_xx / 2, l_x / 2, l_x / 2
    found = recursion(longer, B_1, Q, l_uu / 2)
    k, K, *_ = rd.optimal.riccati.backward(A, B, l_x, l_u, l_xx, l_ux, l_uu)
    assert found[:, :, :D] == pytest.approx(K, rel=1e-7, abs=1e-7)
    assert found[:, :, D] - u == pytest.approx(k, rel=1e-7, abs=1e-7)


def test_where_the_full_derivative_is_negative():
    """That of the height of the tip, 2 w (1 - sin q)(1 + 2 sin q), is negative wherever the link points more than 30° below the
    level."""
    q, h = np.radians(np.arange(-180, 180, 1.0)), 1e-4
    term = lambda q: (np.sin(q) - 1) ** 2
    second = (term(q + h) - 2 * term(q) + term(q - h)) / h**2
    assert second == pytest.approx(2 * (1 - np.sin(q)) * (1 + 2 * np.sin(q)), abs=1e-6)
    below = np.sin(q) < -0.5 - 1e-3
    assert (second[below] < 0).all()
    assert (second[np.sin(q) > -0.5 + 1e-3] > -1e-6).all()  # zero upright


def test_the_sums_of_the_pass():
    """Along the rule of the pass the forecast has s_1, the sum of Q_u k, and s_2, half the sum of k Q_uu k: those of batch, for any
    cost and motion."""
    rng = np.random.default_rng(36)
    for _ in range(10):
        T, D, d = 8, 3, 2
        A, B = np.eye(D) + 0.2 * rng.normal(size=(T, D, D)), rng.normal(size=(T, D, d))
        root = rng.normal(size=(T + 1, D + d, D + d))
        full = root @ np.swapaxes(root, 1, 2) + 0.1 * np.eye(D + d)
        l_xx, l_ux, l_uu = full[:, :D, :D], full[:-1, D:, :D], full[:-1, D:, D:]
        l_x, l_u = rng.normal(size=(T + 1, D)), rng.normal(size=(T, d))
        k, K, s_1, s_2 = rd.optimal.riccati.backward(A, B, l_x, l_u, l_xx, l_ux, l_uu)
        S = rd.rollout_matrix(A, B)
        du, dx = np.zeros((T, d)), np.zeros(D)
        for t in range(T):
            du[t] = k[t] + K[t] @ dx
            dx = A[t] @ dx + B[t] @ du[t]
        slope = (S.T @ l_x.ravel() + l_u.ravel()) @ du.ravel()
        assert s_1 == pytest.approx(slope, rel=1e-8)
        assert s_2 == pytest.approx(-slope / 2, rel=1e-8)


@pytest.mark.parametrize(("first", "slope"), [(0.0, False), (0.1, True), (-0.1, True)])
def test_some_step_goes_down_wherever_the_cost_has_a_slope(first, slope):
    """Along the direction of steepest descent some step goes down wherever the cost has a slope; from the hanging link, a saddle, none does."""
    dynamics = rd.arm_dynamics(rd.robots.planar([1.0], [1.0]), 0.05, damping=0.1, method="rk4")
    cost = costs.effort(1e-2) + costs.joint_velocity(10.0)
    cost += costs.tip_position(rd.robots.planar([1.0], [1.0]), [0.0, 1.0], 100.0)
    start, u = np.array([-np.pi / 2, 0.0]), np.full((40, 1), first)
    x, _ = dynamics.rollout(start, u)
    k = rd.optimal.riccati.backward(*dynamics.jacobians(x[:-1], u), *cost.expand(x, u), 1e9)[0]
    tried = [cost.value(*dynamics.rollout(start, u + a * k)) for a in 10.0 ** np.arange(2, 10)]
    assert (min(tried) < cost.value(x, u)) == slope
    assert (abs(k).max() > 1e-12) == slope


def test_two_conventions():
    """With all slopes from the one convention and all second derivatives from the other every step is half or twice as long; with
    one second derivative alone it is neither."""
    rng = np.random.default_rng(37)
    T, D, d = 6, 2, 1
    A, B = np.eye(D) + 0.1 * rng.normal(size=(T, D, D)), rng.normal(size=(T, D, d))
    l_x, l_u = rng.normal(size=(T + 1, D)), rng.normal(size=(T, d))
    l_xx, l_uu, l_ux = (
        np.tile(np.diag([3.0, 1.0]), (T + 1, 1, 1)),
        np.tile(0.2 * np.eye(d), (T, 1, 1)),
        np.zeros((T, d, D)),
    )

    def step(of_states, of_inputs):
        k, K, *_ = rd.optimal.riccati.backward(A, B, l_x, l_u, of_states * l_xx, l_ux, of_inputs * l_uu)
        dx, du = np.zeros(D), []
        for t in range(T):
            du.append(k[t] + K[t] @ dx)
            dx = A[t] @ dx + B[t] @ du[t]
        return np.ravel(du)

    for factor in (0.5, 2.0):
        assert step(factor, factor) == pytest.approx(step(1, 1) / factor, rel=1e-8)
        ratios = step(1, factor) / step(1, 1)
        assert abs(ratios - 1).max() > 0.01
        assert abs(ratios * factor - 1).max() > 0.01
