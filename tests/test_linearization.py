"""A and B: three routes, one judge; friction, integrators, absolute and relative angles, stacked motions."""

from functools import partial

import numpy as np
import pytest
import sympy as sp
from arms import derivative

import robotdyn as rd
from robotdyn import laws as relations
from robotdyn.dynamics import planar
from robotdyn.optimal import linearization
from robotdyn.optimal import rollout_matrix as stacking
from robotdyn.simulation import INTEGRATORS

DT = 0.01
PLANAR_ROUTES = list(linearization.ROUTES)
METHODS = list(INTEGRATORS)


def planar_arm(n, seed=0):
    """A planar arm with centers of mass off the links and inertias, and a state."""
    rng = np.random.default_rng(100 * n + seed)
    arm = rd.robots.planar(
        rng.uniform(0.5, 1.5, n), rng.uniform(0.5, 2, n), rng.uniform(-0.5, 1, (n, 2)), rng.uniform(0.01, 0.5, n)
    )
    return arm, *rng.normal(size=(3, n)), rng.uniform(0, 1, n)


def step_of(arm, method, damping=0.0):
    """One step of an integrator, written down from its definition, on z = (q, qd, tau)."""
    n = arm.n

    def rate(q, qd, tau):
        return np.concatenate([qd, rd.forward_dynamics(arm, q, qd, tau - damping * qd)])

    def step(z):
        q, qd, tau = z[:n], z[n : 2 * n], z[2 * n :]
        x = z[: 2 * n]
        f = lambda x: rate(x[:n], x[n:], tau)
        if method == "euler":
            return x + DT * f(x)
        if method == "semi-implicit":
            qd = qd + DT * f(x)[n:]
            return np.concatenate([q + DT * qd, qd])
        k1 = f(x)
        k2 = f(x + DT / 2 * k1)
        k3 = f(x + DT / 2 * k2)
        return x + DT / 6 * (k1 + 2 * k2 + 2 * k3 + f(x + DT * k3))

    return step


@pytest.mark.parametrize("route", PLANAR_ROUTES)
@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_jacobian_of_the_euler_step(n, route):
    """Each route gives the derivatives of q + qd dt, qd + qdd dt, with and without friction."""
    arm, q, qd, tau, b = planar_arm(n)
    for damping in (0.0, b):
        found = partial(rd.linearize, damping=damping, route=route)
        assert relations.linearization_is_jacobian(found, rd.forward_dynamics, arm, q, qd, tau, DT, damping) < 1e-9


@pytest.mark.parametrize("mix", ["r", "rp", "rrp", "rrrr", "rs"])
@pytest.mark.parametrize("route", [None, *(r for r in linearization.ROUTES if r != "closed form")])
def test_arms_in_space(mix, route):
    """The routes that need no plane serve spatial arms, with sliding joints, too."""
    from arms import arm_and_state

    arm, q, qd, tau, _ = arm_and_state(mix)
    found = partial(rd.linearize, damping=0.3, route=route)
    assert relations.linearization_is_jacobian(found, rd.forward_dynamics, arm, q, qd, tau, DT, 0.3) < 1e-8


def test_the_judge_sees_the_misprint():
    """With the lower bound of M~' as printed in RCFS 8.1, A is wrong from two links on, and right for one."""
    for n, wrong in ((1, False), (2, True), (3, True), (5, True)):
        rng = np.random.default_rng(n)
        l, m = rng.uniform(0.5, 1.5, (2, n))
        arm = rd.robots.planar(l, m)
        q, qd, tau = rng.normal(size=(3, n))
        found = partial(printed, lengths=l, masses=m)
        off = relations.linearization_is_jacobian(found, rd.forward_dynamics, arm, q, qd, tau, DT)
        assert (off > 1e-2) == wrong


def printed(arm, q, qd, tau, dt, lengths, masses):
    """A, B with M~'(h, k, h) summed from j = k on, as printed (relative angles)."""
    n = arm.n
    L = planar.L(n)
    x, v, u = L @ q, L @ qd, planar.generalized_forces(tau)
    M, C, g = planar.absolute(arm, x)
    dM, dC, dg = planar.derivatives(arm, x)
    for h in range(n):
        for k in range(h):
            missing = masses[k:h].sum()  # the masses between k and h, which the printed sum takes as well
            dM[h, k, h] -= lengths[h] * lengths[k] * np.sin(x[h] - x[k]) * missing
    a = np.linalg.solve(M, u - g - C @ v**2)
    F = -np.linalg.solve(M, np.einsum("hkp,k->hp", dM, a) + dg + np.einsum("hkp,k->hp", dC, v**2))
    H = np.linalg.inv(M)
    D, one = np.linalg.inv(L), np.eye(n)
    A = np.block([[one, dt * one], [dt * D @ F @ L, one - 2 * dt * D @ H @ C @ np.diag(v) @ L]])
    return A, np.concatenate([0 * H, dt * D @ H @ D.T])


@pytest.mark.parametrize("wrong", ["half of A_22", "no damping in A_22", "no step length in B", "velocity row"])
def test_the_judge_sees_mistakes(wrong):
    """Usual slips, planted: each is seen."""

    def slipped(arm, q, qd, tau, dt):
        A, B = rd.linearize(arm, q, qd, tau, dt, 0.0 if wrong == "no damping in A_22" else 0.4)
        n = arm.n
        if wrong == "half of A_22":
            A[n:, n:] = (A[n:, n:] + np.eye(n)) / 2
        if wrong == "no step length in B":
            B = B / dt
        if wrong == "velocity row":
            A[:n, n:] = dt * A[n:, n:]
        return A, B

    arm, q, qd, tau, _ = planar_arm(2)
    assert relations.linearization_is_jacobian(slipped, rd.forward_dynamics, arm, q, qd, tau, DT, 0.4) > 1e-4


@pytest.mark.parametrize("row", [0, 2])
@pytest.mark.parametrize("column", [0, 2, 4])
def test_the_judge_sees_each_block(row, column):
    """One entry that is off by a hundredth of the step, in the rows of q or qd, in the columns of q, qd or tau."""

    def slipped(arm, q, qd, tau, dt):
        both = np.concatenate(rd.linearize(arm, q, qd, tau, dt, 0.4), axis=1)
        both[row + 1, column] += dt / 100
        return both[:, :4], both[:, 4:]

    arm, q, qd, tau, _ = planar_arm(2)
    assert relations.linearization_is_jacobian(slipped, rd.forward_dynamics, arm, q, qd, tau, DT, 0.4) > 1e-4


def test_against_an_independent_symbolic_derivation():
    """Two point masses: T - U, Euler-Lagrange and the derivatives of the step all by SymPy, nothing of the library."""
    q1, q2, w1, w2, t1, t2 = z = sp.symbols("q1 q2 w1 w2 t1 t2")
    l, m, g, dt = (
        (sp.Rational(7, 5), sp.Rational(4, 5)),
        (sp.Rational(3, 2), 2),
        sp.Rational(981, 100),
        sp.Rational(1, 100),
    )
    p1 = sp.Matrix([l[0] * sp.cos(q1), l[0] * sp.sin(q1)])
    p2 = p1 + sp.Matrix([l[1] * sp.cos(q1 + q2), l[1] * sp.sin(q1 + q2)])
    q, w = sp.Matrix([q1, q2]), sp.Matrix([w1, w2])
    speed = [p.jacobian(q) * w for p in (p1, p2)]
    T = sum(m_i * v.dot(v) / 2 for m_i, v in zip(m, speed))
    U = sum(m_i * g * p[1] for m_i, p in zip(m, (p1, p2)))
    momentum = sp.Matrix([T]).jacobian(w).T
    M = momentum.jacobian(w)
    rest = momentum.jacobian(q) * w - sp.Matrix([T - U]).jacobian(q).T
    step = sp.Matrix([*(q + dt * w), *(w + dt * M.LUsolve(sp.Matrix([t1, t2]) - rest))])
    values = dict(zip(z, np.random.default_rng(3).normal(size=6)))
    expected = np.array(step.jacobian(z).subs(values).evalf(30), dtype=float)
    arm = rd.robots.planar([float(x) for x in l], [float(x) for x in m])
    state = np.array(list(values.values())).reshape(3, 2)
    for route in PLANAR_ROUTES:
        assert abs(np.hstack(rd.linearize(arm, *state, 0.01, route=route)) - expected).max() < 1e-11


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [1, 3])
def test_jacobian_of_every_integrator(n, method):
    """A, B of Euler, semi-implicit and RK4 steps are the derivatives of those steps, with friction."""
    arm, q, qd, tau, b = planar_arm(n)
    z, step = np.concatenate([q, qd, tau]), step_of(arm, method, b)
    expected = derivative(step, z)
    assert abs(np.hstack(rd.linearize(arm, q, qd, tau, DT, b, method=method)) - expected).max() < 1e-10


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("route", PLANAR_ROUTES)
def test_absolute_angles(method, route):
    """dx = L_x^-1 dx~ and du = L_u dtau take A, B of absolute angles into those of relative ones."""
    n = 3
    arm, q, qd, tau, b = planar_arm(n)
    x, v, u = planar.to_absolute(q), planar.to_absolute(qd), planar.generalized_forces(tau)
    A, B = rd.linearize(arm, q, qd, tau, DT, b, method=method, route=route)
    A_abs, B_abs = rd.linearize(arm, x, v, u, DT, b, angles="absolute", method=method, route=route)
    L = stacking.L_x(n, 1)
    assert np.allclose(L @ A, A_abs @ L, atol=1e-10)
    assert np.allclose(L @ B, B_abs @ stacking.L_u(n, 2), atol=1e-10)


def test_absolute_step_is_that_of_the_source():
    """With angles="absolute", A and B are the derivatives of `planar.euler_step`, RCFS 111."""
    n = 3
    arm, q, qd, u, _ = planar_arm(n)
    z = np.concatenate([q, qd, u])
    step = lambda z: np.concatenate(planar.euler_step(arm, *np.split(z, 3), DT))
    expected = derivative(step, z)
    assert abs(np.hstack(rd.linearize(arm, q, qd, u, DT, angles="absolute")) - expected).max() < 1e-10


def test_many_states_at_a_time():
    """A stack of states gives the stack of Jacobians."""
    arm, *_ = planar_arm(2)
    q, qd, tau = np.random.default_rng(5).normal(size=(3, 4, 2))
    A, B = rd.linearize(arm, q, qd, tau, DT, [0.1, 0.2], method="rk4")
    one = [rd.linearize(arm, *state, DT, [0.1, 0.2], method="rk4") for state in zip(q, qd, tau)]
    assert np.allclose(A, [a for a, _ in one], atol=1e-14) and np.allclose(B, [b for _, b in one], atol=1e-14)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_stacked_motion(n):
    """S_u and S_tau are the derivatives of a whole motion by its inputs, S_x by its start; block counts are right."""
    T = 5
    arm, q, qd, *_ = planar_arm(n)
    u = np.random.default_rng(8).normal(size=(T - 1, n))

    def motion(start, inputs):
        x, v = start[:n], start[n:]
        states = [x, v]
        for u_t in inputs.reshape(T - 1, n):
            x, v = planar.euler_step(arm, x, v, u_t, DT)
            states += [x, v]
        return np.concatenate(states)

    start, flat = np.concatenate([q, qd]), u.ravel()
    states = motion(start, flat).reshape(T, 2, n)
    A, B = rd.linearize(arm, states[:-1, 0], states[:-1, 1], u, DT, angles="absolute")
    S_u, S_x = rd.rollout_matrix(A, B), stacking.start_matrix(A)
    assert S_u.shape == (2 * n * T, n * (T - 1)) and S_x.shape == (2 * n * T, 2 * n)
    assert abs(S_u - derivative(lambda z: motion(start, z), flat)).max() < 1e-9
    assert abs(S_x - derivative(lambda z: motion(z, flat), start)).max() < 1e-9
    assert (S_u[: 2 * n] == 0).all()

    def relative_motion(tau):
        absolute = motion(start, planar.generalized_forces(tau.reshape(T - 1, n)).ravel())
        return planar.to_relative(absolute.reshape(2 * T, n)).ravel()

    tau = planar.joint_torques(u).ravel()
    assert abs(stacking.relative_rollout_matrix(S_u, n) - derivative(relative_motion, tau)).max() < 1e-9


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda arm: rd.linearize(arm, [0, 0], [0, 0], [0], DT), "tau must have shape (2,) for an arm of 2 joints, got (1,)"),
        (lambda arm: rd.linearize(arm, [0, 0], [0, 0], [0, 0], 0), "dt must be > 0 s, got 0"),
        (lambda arm: rd.linearize(arm, [0, 0], [0, 0], [0, 0], DT, -1), "damping must be >= 0, got [-1.0, -1.0]"),
        (lambda arm: rd.linearize(arm, [0, 0], [0, 0], [0, 0], DT, [1]), "damping must have shape (2,)"),
        (lambda arm: rd.linearize(arm, [0, 0], [0, 0], [0, 0], DT, angles="rel"), 'angles must be "relative" or "absolute"'),
        (lambda arm: rd.linearize(arm, [0, 0], [0, 0], [0, 0], DT, method="rk5"), "method must be one of euler, semi-implicit, rk4"),
        (lambda arm: rd.linearize(arm, [0, 0], [0, 0], [0, 0], DT, route="magic"), "route must be one of closed form, "),
        (lambda arm: rd.linearize(rd.robots.puma560(), *np.zeros((3, 6)), DT, route="closed form"), "a planar arm must have"),
        (lambda arm: rd.linearize(rd.robots.puma560(), *np.zeros((3, 6)), DT, angles="absolute"), "a planar arm must have"),
        (lambda arm: rd.rollout_matrix(np.eye(2), np.eye(2)), "A and B must have shapes (T - 1, D, D) and (T - 1, D, d)"),
        (lambda arm: stacking.relative_rollout_matrix(np.zeros((9, 4)), 2), "S_u must have shape (2 n T, n (T - 1))"),
    ],
    ids=range(11),
)  # fmt: skip
def test_bad_input(call, sentence):
    """What cannot be linearized is refused with a sentence."""
    with pytest.raises(ValueError) as error:
        call(rd.robots.two_link())
    assert sentence in str(error.value)


def test_symbols_are_refused():
    """Symbols are for `derive`: the sentence says so."""
    with pytest.raises(TypeError, match="q must hold numbers, got symbols"):
        rd.linearize(rd.robots.two_link(), sp.symbols("a b"), [0, 0], [0, 0], DT)
