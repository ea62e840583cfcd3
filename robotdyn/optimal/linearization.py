"""How a step of motion changes with its start and its torque:  dx' = A dx + B dtau,  x = (q, qd).

A and B are the Jacobians of one step of an integrator.  They follow, exactly, from three derivatives of the
acceleration, F = dqdd/dq, G = dqdd/dqd, H = dqdd/dtau = M^-1, which come by three routes: in closed form (planar
arms, Calinon, RCFS, section 8.1 with its misprint put right), from the traced program, or from differences.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.dynamics import planar
from robotdyn.dynamics.derivatives import acceleration_derivatives
from robotdyn.dynamics.recursive import forward_dynamics
from robotdyn.maths.validate import Array, Floats, as_numbers, as_positive, check_numeric, in_short
from robotdyn.model.arm import Arm
from robotdyn.simulation.integrators import Integrator, integrator_of, weighted

EULER = integrator_of("euler")
ANGLES = ("relative", "absolute")
Acceleration = Callable[..., tuple[Floats, ...]]  # (q, qd, tau) -> qdd, F, G, H


def linearize(
    arm: Arm,
    q: ArrayLike,
    qd: ArrayLike,
    tau: ArrayLike,
    dt: float | None,
    damping: ArrayLike | None = None,
    angles: str = "relative",
    method: str = "euler",
    route: str | None = None,
) -> tuple[Floats, Floats]:
    """Return A (2n, 2n), B (2n, n): the exact Jacobians of one step of dt seconds at the state (q, qd), torque tau.

    dt=None gives those of the motion itself, d/dt (q, qd) = (qd, qdd): A = [0, 1; dqdd/dq, dqdd/dqd], B = [0; M^-1].

    q, qd: (n,) rad and rad/s (m, m/s);
    tau: (n,) N m (N); or (T, n) each, and A, B come as (T, 2n, 2n), (T, 2n, n).
    damping: (n,) N m s/rad >= 0, the viscous torque -b * (rate of the joint), or None.
    angles: "relative", or "absolute": then q, qd and tau are the q, qd and u of `rd.planar`, of a planar arm.
    method: "euler" (explicit, RCFS 111), "semi-implicit" or "rk4", as in `rd.simulate` with tau held over the step.
    route: "closed form" (planar arms), "traced", "differences", or None for the first of these that serves the arm.
    Raises ValueError for a wrong shape, value or name.  Chapter "linearization".
    """
    check_numeric(arm, "linearize")
    q, qd, tau = (as_numbers(x, name, (..., arm.n)) for x, name in ((q, "q"), (qd, "qd"), (tau, "tau")))
    integrator = integrator_of(method)
    q, qd, tau = np.broadcast_arrays(q, qd, tau)
    if dt is None:  # Euler's step of one second, less where it started
        A, B = step_jacobians(EULER, acceleration(arm, damping, angles, route), q, qd, tau, 1.0)
        return A - np.eye(2 * arm.n), B
    dt = as_positive(dt, "dt", "s")
    return step_jacobians(integrator, acceleration(arm, damping, angles, route), q, qd, tau, dt)


def acceleration(
    arm: Arm, damping: ArrayLike | None = None, angles: str = "relative", route: str | None = None
) -> Acceleration:
    """Return the function (q, qd, tau) -> qdd, F, G, H of an arm: its acceleration and the three derivatives.

    qdd (..., n), F = dqdd/dq, G = dqdd/dqd, H = dqdd/dtau, each (..., n, n); arguments as in `linearize`.
    """
    if angles not in ANGLES:
        raise ValueError(f'angles must be "relative" or "absolute", got {in_short(angles)}')
    if route is None:
        route = "closed form" if planar.is_planar(arm) else "traced"
    if not isinstance(route, str) or route not in ROUTES:
        raise ValueError(f"route must be one of {', '.join(ROUTES)}, got {in_short(route)}")
    b = damping_of(arm, damping)
    free = ROUTES[route](arm)
    D = np.diag(b)
    L = planar.L(arm.n)
    L_inverse = planar.to_relative(np.eye(arm.n)).T
    if angles == "absolute":
        planar.check_planar(arm)
        D = L_inverse.T @ D @ L_inverse  # of L^-T tau for tau = -diag(b) L^-1 qd
    if route == "closed form" and angles == "relative":  # q~ = L q
        free = _in_other_angles(free, L, L_inverse)
    if route != "closed form" and angles == "absolute":
        free = _in_other_angles(free, L_inverse, L)
    return damped(free, D) if b.any() else free


def damped(free: Acceleration, D: Floats) -> Acceleration:
    """Return the acceleration and its derivatives with the torque -D qd besides tau; D: (n, n) N m s/rad."""

    def derivatives(q: Floats, qd: Floats, tau: Floats) -> tuple[Floats, ...]:
        qdd, F, G, H = free(q, qd, tau - qd @ D.T)
        return qdd, F, G - H @ D, H

    return derivatives


def damping_of(arm: Arm, damping: ArrayLike | None) -> Floats:
    """Return viscous coefficients (n,) N m s/rad, checked: a number stands for all joints, None for none."""
    b = as_numbers(np.zeros(arm.n) if damping is None else damping, "damping", (...,))
    b = b * np.ones(arm.n) if b.ndim == 0 else b
    if b.shape != (arm.n,):
        raise ValueError(f"damping must have shape ({arm.n},) for an arm of {arm.n} joints, got {b.shape}")
    if (b < 0).any():
        raise ValueError(f"damping must be >= 0, got {b.tolist()}: a negative one would feed energy in")
    return b


# ---- three routes to F, G and H -------------------------------------------------------------------------------------


def closed_form(arm: Arm) -> Acceleration:
    """Return (q, qd, u) -> qdd, F, G, H of a planar arm in absolute angles, as RCFS 8.1 derives them.

    Column p of F is -M~^-1 (dM~/dq_p qdd + dg~/dq_p + dC~/dq_p qd^2), for (M~^-1)' = -M~^-1 M~' M~^-1;
    G = -2 M~^-1 C~ diag(qd), exact because C~ does not depend on qd;  H = M~^-1.
    """

    def derivatives(q: Floats, qd: Floats, u: Floats) -> tuple[Floats, ...]:
        M, C, g = planar.absolute(arm, q)
        dM, dC, dg = planar.derivatives(arm, q)
        try:
            H = np.linalg.inv(M)
        except np.linalg.LinAlgError:
            raise ValueError(
                "M~ must be invertible, got a singular one: some link moves no mass; give it one"
            ) from None
        square = qd * qd
        qdd = _matvec(H, u - g - _matvec(C, square))
        rise = np.einsum("...hkp,...k->...hp", dM, qdd) + np.einsum("...hkp,...k->...hp", dC, square) + dg
        return qdd, -H @ rise, -2 * H @ (C * qd[..., None, :]), H

    return derivatives


def differences(arm: Arm, h: float = 1e-3) -> Acceleration:
    """Return (q, qd, tau) -> qdd, F, G, H by the five-point rule with the step h: error of the order h^4.

    All shifted states go through `forward_dynamics` as one batch.
    """
    n = arm.n
    shifts = h * np.array([-2, -1, 1, 2])[:, None, None] * np.eye(3 * n)  # (4, 3n, 3n)
    weights = np.array([1, -8, 8, -1]) / (12 * h)

    def derivatives(q: Floats, qd: Floats, tau: Floats) -> tuple[Floats, ...]:
        z = np.concatenate([q, qd, tau], axis=-1)
        shifted = z[..., None, None, :] + shifts
        moved = forward_dynamics(arm, *(shifted[..., i * n : (i + 1) * n] for i in range(3)))
        slopes = np.einsum("s,...sij->...ji", weights, moved)
        return forward_dynamics(arm, q, qd, tau), *(slopes[..., i * n : (i + 1) * n] for i in range(3))

    return derivatives


def traced(arm: Arm) -> Acceleration:
    """Return (q, qd, tau) -> qdd, F, G, H by a program: see `robotdyn.dynamics.derivatives`."""
    return specialize(acceleration_derivatives(arm), arm, "numpy")


ROUTES = {"closed form": closed_form, "traced": traced, "differences": differences}


# ---- from the acceleration to a step --------------------------------------------------------------------------------


def step_jacobians(
    integrator: Integrator, acceleration: Acceleration, q: Floats, qd: Floats, tau: Floats, dt: float
) -> tuple[Floats, Floats]:
    """Return A, B of one step of an integrator, tau held, by the chain rule through the slopes of its tableau.

    A slope is k = f(x + dt (a_1 k_1 + ..)), so dk/dx = J (1 + dt (a_1 dk_1/dx + ..)), with J = df/dx = [0, 1; F, G];
    for tau likewise, and df/dtau = [0; H] beside.  Euler's step has one, A = [1, dt; F dt, 1 + G dt], B = [0; H dt].
    """
    n = q.shape[-1]
    one = np.eye(2 * n, dtype=int)
    none = np.zeros((2 * n, n), dtype=int)
    slopes: list[tuple[Floats, ...]] = []  # of q, of qd, and both by x and by tau
    for row in integrator.a:
        q_k, qd_k, by_x, by_tau = (weighted(row, terms) for terms in zip(*slopes)) if slopes else (0, 0, 0, 0)
        v = qd + dt * qd_k
        qdd, F, G, H = acceleration(q + dt * q_k, v, tau)
        J = np.block([[0 * F, one[:n, :n] + 0 * F], [F, G]])
        forced = np.concatenate([0 * H, H], axis=-2)
        slopes.append((v, qdd, J @ (one + dt * by_x), forced + J @ (none + dt * by_tau)))
    _, _, by_x, by_tau = (weighted(integrator.b, terms) for terms in zip(*slopes))
    A = one + dt * by_x
    B = dt * by_tau
    if integrator.velocity_first:  # q' = q + dt qd'
        A = np.concatenate([one[:n] + dt * A[..., n:, :], A[..., n:, :]], axis=-2)
        B = np.concatenate([dt * B[..., n:, :], B[..., n:, :]], axis=-2)
    return A, B


def _in_other_angles(transformed: Acceleration, P: Array, P_inverse: Array) -> Acceleration:
    """From q~ = P q, tau~ = P^-T tau:  F = P^-1 F~ P,  G = P^-1 G~ P,  H = P^-1 H~ P^-T."""

    def derivatives(q: Floats, qd: Floats, tau: Floats) -> tuple[Floats, ...]:
        qdd, F, G, H = transformed(q @ P.T, qd @ P.T, tau @ P_inverse)
        return qdd @ P_inverse.T, P_inverse @ F @ P, P_inverse @ G @ P, P_inverse @ H @ P_inverse.T

    return derivatives


def _matvec(matrix: Floats, vector: Floats) -> Floats:
    return (matrix @ vector[..., None])[..., 0]
