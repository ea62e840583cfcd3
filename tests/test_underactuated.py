"""Joints without a motor, torques that are given, the linear system itself, and its regulator without an end."""

import re
from functools import partial

import numpy as np
import pytest
from scipy.linalg import expm

import robotdyn as rd
from robotdyn.codegen.targets import TARGETS

ARM = rd.robots.two_link()
COMPILED = [False, None] if TARGETS["llvm"].missing() else [False, None, True]
TASK = (ARM, [0.3, -0.2], [0, 0], [1.2, 0.5], 31, 0.02, 1e-2)


@pytest.mark.parametrize("compile", COMPILED)
@pytest.mark.parametrize("second_order", [False, True])
def test_a_joint_without_a_motor_is_one_whose_torque_is_given_as_zero(compile, second_order):
    """Two statements of one problem, which two ways through the optimizer solve: one cost, one motion."""
    motors = rd.reach(*TASK, motors=[0], second_order=second_order, compile=compile)
    given = rd.reach(*TASK, limits=([-1e3, 0], [1e3, 0]), second_order=second_order, compile=compile)
    assert motors.u.shape == (30, 1) and (given.u[:, 1] == 0).all()
    assert motors.cost == pytest.approx(given.cost, rel=1e-8)
    assert np.allclose(motors.x, given.x, atol=1e-4) and motors.result == given.result == "converged"


@pytest.mark.parametrize("method", ["euler", "semi-implicit", "rk4"])
@pytest.mark.parametrize("compile", COMPILED)
def test_the_dynamics_of_some_motors_are_those_of_all_with_zeros(method, compile):
    """The step, its derivatives, a rollout with feedback in limits, and the curvature."""
    arm = rd.robots.planar((1.0, 0.7, 0.5))
    whole = rd.arm_dynamics(arm, 0.03, 0.1, method)
    some = rd.arm_dynamics(arm, 0.03, 0.1, method, compile=compile, motors=[2, 0])
    rng = np.random.default_rng(0)
    x, u = rng.normal(size=(5, 6)), rng.normal(size=(4, 2))
    torques = np.stack([u[:, 1], 0 * u[:, 0], u[:, 0]], axis=1)
    assert np.allclose(some.step(x[0], u[0]), whole.step(x[0], torques[0]), rtol=1e-12)
    A, B = some.jacobians(x[:-1], u)
    A_whole, B_whole = whole.jacobians(x[:-1], torques)
    assert np.allclose(A, A_whole, rtol=1e-10) and np.allclose(B, B_whole[..., [2, 0]], rtol=1e-10, atol=1e-12)
    k, K, old, limits = (
        rng.normal(size=(4, 2)),
        rng.normal(size=(4, 2, 6)),
        rng.normal(size=(5, 6)),
        (np.array([-1, -2.0]), np.ones(2)),
    )
    found = some.rollout(x[0], u, (k, K, old), limits)
    expected = rd.Dynamics(some.step).rollout(x[0], u, (k, K, old), limits)
    for one, other in zip(found, expected):
        assert np.allclose(one, other, rtol=1e-9, atol=1e-9)
    if some.curvature is not None:
        v = rng.normal(size=(4, 6))
        C = some.curvature(x, u, A, B, v)
        expected = whole.curvature(x, torques, A_whole, B_whole, v)
        rows = [*range(6), 8, 6]
        assert np.allclose(C, expected[:, rows][:, :, rows], rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize(
    ("motors", "sentence"),
    [([], "motors must hold one joint at least, got []"), ([5], "motors must be indices of joints from 0 to 1, each once, got [5]"), ([2], "got [2]"), ([0, 0], "got [0, 0]"),
     ([-1], "got [-1]"), ([0.0], "got [0.0]"), ([True], "got [True]")],
)  # fmt: skip
def test_what_is_no_joint(motors, sentence):
    """Is refused in words."""
    with pytest.raises(ValueError, match=re.escape(sentence)):
        rd.arm_dynamics(ARM, 0.1, motors=motors)


def test_forces_of_absolute_angles_have_no_motors():
    """Each of them is a torque of several joints."""
    with pytest.raises(ValueError, match="motors must be None with absolute angles"):
        rd.arm_dynamics(ARM, 0.1, angles="absolute", motors=[0])


# ---- the linear system ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("route", ["closed form", "traced", "differences"])
def test_the_linear_system_itself(route):
    """A and B of d/dt (q, qd), by central differences of the acceleration; a small step is the identity and A dt."""
    rng = np.random.default_rng(1)
    q, qd, tau = rng.normal(size=(3, 4, 2))
    A, B = rd.linearize(ARM, q, qd, tau, None, damping=0.2, route=route)

    def rates(s, z, e):
        q, qd, tau = (z + s * e).reshape(3, 2)
        return np.concatenate([qd, rd.forward_dynamics(ARM, q, qd, tau - 0.2 * qd)])

    for k in range(4):
        z = np.concatenate([q[k], qd[k], tau[k]])
        slopes = np.stack([rd.laws.slope(partial(rates, z=z, e=e), 0.0) for e in np.eye(6)], axis=1)
        assert np.allclose(np.hstack([A[k], B[k]]), slopes, atol=1e-7)
    stepped, pushed = rd.linearize(ARM, q, qd, tau, 1e-3, damping=0.2, route=route)
    assert np.allclose(stepped, np.eye(4) + 1e-3 * A, atol=1e-9) and np.allclose(pushed, 1e-3 * B, atol=1e-12)


def test_the_regulator_of_a_mass():
    """A unit mass with unit weights: K = (1, sqrt 3), known in closed form."""
    K, P = rd.lqr([[0, 1], [0, 0]], [[0], [1]], 1, 1)
    assert np.allclose(K, [[1, 3**0.5]]) and np.allclose(P, [[3**0.5, 1], [1, 3**0.5]])


@pytest.mark.parametrize("dt", [None, 0.02])
def test_the_cost_is_that_of_the_motion(dt):
    """x.P x is what the regulated motion costs, added up, and a changed gain costs more."""
    A, B = rd.linearize(ARM, [np.pi / 2, 0], [0, 0], rd.gravity_torque(ARM, [np.pi / 2, 0]), dt)
    K, P = (rd.lqr if dt is None else rd.dlqr)(A, B, [1, 2, 0.1, 0.2], 0.01)
    x0 = np.array([0.1, -0.2, 0.3, 0.1])

    def cost(K):
        if dt is not None:
            x, total = x0, 0.0
            for _ in range(4000):
                total += x @ np.diag([1, 2, 0.1, 0.2]) @ x + 0.01 * (K @ x) @ (K @ x)
                x = (A - B @ K) @ x
            return total
        from scipy.linalg import solve_continuous_lyapunov

        S = solve_continuous_lyapunov((A - B @ K).T, -(np.diag([1, 2, 0.1, 0.2]) + 0.01 * K.T @ K))
        return x0 @ S @ x0

    assert cost(K) == pytest.approx(x0 @ P @ x0, rel=1e-8)
    rng = np.random.default_rng(2)
    for _ in range(20):
        assert cost(K * (1 + 0.1 * rng.normal(size=K.shape))) > cost(K)


def with_a_swing(rng, decay, dt, lost):
    """Return A, B, Q of a random system with a swing that dies out by itself at a rate, 1/s, and that no input reaches, or no cost sees."""
    turn = rng.uniform(0.1, 3.0)
    swing = np.array([[-decay, turn], [-turn, -decay]])
    rest = np.diag(rng.uniform(-3, -0.5, rng.integers(0, 4)))
    A = np.block([[swing, np.zeros((2, len(rest)))], [np.zeros((len(rest), 2)), rest]])
    A = A if dt is None else expm(dt * A)
    B, C = rng.normal(size=(len(A), 1)), rng.normal(size=(len(A), len(A)))
    if lost == "input":
        B[:2] = 0
    else:
        C[:, :2] = 0
    T = np.linalg.qr(rng.normal(size=A.shape))[0] * rng.uniform(0.5, 2, len(A))  # other coordinates
    C = C @ np.linalg.inv(T)
    return T @ A @ np.linalg.inv(T), T @ B, C.T @ C


@pytest.mark.parametrize("lost", ["input", "cost"])
@pytest.mark.parametrize("dt", [None, 1.0])
def test_a_swing_that_never_dies_out_is_told(dt, lost):
    """Where rounding lets it look as if it did, too; one that dies out in some hundred seconds is no obstacle."""
    regulator = rd.lqr if dt is None else rd.dlqr
    for seed in range(15):
        with pytest.raises(ValueError, match="stabilizable, detectable"):
            regulator(*with_a_swing(np.random.default_rng(seed), 0.0, dt, lost), 1)
        A, B, Q = with_a_swing(np.random.default_rng(seed), 1e-2, dt, lost)
        K, P = regulator(A, B, Q, 1)
        roots = np.linalg.eigvals(A - B @ K)
        assert (roots.real.max() < 0) if dt is None else (abs(roots).max() < 1)
        left = A - B @ K  # x.P x is the cost from x on
        rate = P @ left + left.T @ P if dt is None else left.T @ P @ left - P
        assert np.allclose(rate, -Q - K.T @ K, atol=1e-6 * max(1, abs(Q).max()))


def test_how_slowly_a_motion_may_die_out():
    """1e6 times as slowly as the fastest, or 1e-6 of it in a step; not 1e8 times: no rounding tells that from standing still."""
    for slow, ends in ((1e-6, True), (1e-8, False)):
        for regulator, A in ((rd.lqr, np.diag([-1.0, -slow])), (rd.dlqr, np.diag([0.5, 1 - slow]))):
            if ends:
                assert regulator(A, [[1.0], [0.0]], [1, 0], 1)[0][0, 1] == pytest.approx(0, abs=1e-9)
            else:
                with pytest.raises(ValueError, match="stabilizable, detectable"):
                    regulator(A, [[1.0], [0.0]], [1, 0], 1)


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_a_weight_may_price_one_direction_alone(size):
    """Its other eigenvalues are zero, up to rounding of any size of weights; K is that of weights of the size 1, P as many times that."""
    rng = np.random.default_rng(5)
    for _ in range(10):
        A, B, v = rng.normal(size=(4, 4)), rng.normal(size=(4, 2)), rng.normal(size=4)
        K, P = rd.lqr(A, B, size * np.outer(v, v), size)
        K_one, P_one = rd.lqr(A, B, np.outer(v, v), 1)
        assert np.allclose(K, K_one, rtol=1e-4, atol=1e-6) and np.allclose(P, size * P_one, rtol=1e-4, atol=1e-6 * size)


def test_a_weight_is_symmetric_up_to_rounding_of_its_largest_entry():
    """What products of matrices leave beside 1000 is no mistake; beside 1 it is one."""
    for large, fits in ((1e3, True), (1.0, False)):
        Q = [[large, 1e-10], [0, 1.0]]
        if fits:
            assert np.allclose(rd.lqr(-np.eye(2), np.eye(2), Q, 1)[0], rd.lqr(-np.eye(2), np.eye(2), [large, 1], 1)[0])
        else:
            with pytest.raises(ValueError, match="Q must be a number, or have shape"):
                rd.lqr(-np.eye(2), np.eye(2), Q, 1)


@pytest.mark.parametrize(
    ("given", "dt", "sentence"),
    [
        (([[1.0]], [[0.0]], 1, 1), None, "stabilizable, detectable"),  # an unstable state that no input reaches
        (([[1.1]], [[0.0]], 1, 1), 0.1, "stabilizable, detectable"),
        (([[0, 1], [0, 0]], [[0], [1]], [0, 1], 1), None, "stabilizable, detectable"),  # standing anywhere costs nothing
        (([[1, 0.1], [0, 1]], [[0], [0.1]], [0, 1], 1), 0.1, "stabilizable, detectable"),
        (([[0, 1], [0, 0]], [[0], [1]], 1, 0), None, "R must be positive definite"),
        (([[0, 1], [0, 0]], [[0], [1]], -1, 1), None, "Q must be positive semidefinite"),
        (([[0, 1], [0, 0]], [[0], [1]], [[1, 2], [3, 4]], 1), None, "Q must be a number, or have shape (2,), or be a symmetric (2, 2)"),
        (([[0, 1]], [[0], [1]], 1, 1), None, "A must be a square matrix, got shape (1, 2)"),
        ((1.0, [[1]], 1, 1), None, "A must be a square matrix, got shape ()"),
        (([1.0, 2.0], [[1]], 1, 1), 0.1, "A must be a square matrix, got shape (2,)"),
        (([[0, 1], [0, 0]], [[0], [1]], [1e-13, -1e-13], 1), None, "Q must be positive semidefinite"),
        (([[0, 1], [0, 0]], [0, 1], 1, 1), None, "B must have shape (2, 1)"),
    ],
)  # fmt: skip
def test_a_regulator_that_cannot_be(given, dt, sentence):
    """Is refused with what is missing."""
    with pytest.raises(ValueError, match=re.escape(sentence)):
        (rd.lqr if dt is None else rd.dlqr)(*given)
