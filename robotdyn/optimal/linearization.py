"""How a step of motion changes with its start and its torque:  dx' = A dx + B dtau,  x = (q, qd).

A and B are the Jacobians of one step of an integrator.  They follow, exactly, from three derivatives of the
acceleration, F = dqdd/dq, G = dqdd/dqd, H = dqdd/dtau = M^-1, which come by three routes: in closed form (planar
arms, Calinon, RCFS, section 8.1 with its misprint put right), from the traced program, or from differences.
"""

import numpy as np

from robotdyn.codegen.specialize import specialize
from robotdyn.dynamics import planar
from robotdyn.dynamics.recursive import forward_dynamics
from robotdyn.maths.validate import as_numbers, as_positive, check_numeric
from robotdyn.simulation.arm_programs import derivatives_text

ANGLES = ("relative", "absolute")


def linearize(arm, q, qd, tau, dt, damping=None, angles="relative", method="euler", route=None):
    """Return A (2n, 2n), B (2n, n): the exact Jacobians of one step of dt seconds at the state (q, qd), torque tau.

    q, qd: (n,) rad and rad/s (m, m/s); tau: (n,) N m (N); or (T, n) each, and A, B come as (T, 2n, 2n), (T, 2n, n).
    damping: (n,) N m s/rad >= 0, the viscous torque -b * (rate of the joint), or None.
    angles: "relative", or "absolute": then q, qd and tau are the q, qd and u of `rd.planar`, of a planar arm.
    method: "euler" (explicit, RCFS 111), "semi-implicit" or "rk4", as in `rd.simulate` with tau held over the step.
    route: "closed form" (planar arms), "traced", "differences", or None for the first of these that serves the arm.
    Raises ValueError for a wrong shape, value or name.  Chapter "linearization".
    """
    check_numeric(arm, "linearize")
    q, qd, tau = (as_numbers(x, name, (..., arm.n)) for x, name in ((q, "q"), (qd, "qd"), (tau, "tau")))
    dt = as_positive(dt, "dt", "s")
    try:
        jacobians = METHODS[method]
    except (KeyError, TypeError):
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}") from None
    q, qd, tau = np.broadcast_arrays(q, qd, tau)
    return jacobians(acceleration(arm, damping, angles, route), q, qd, tau, dt)


def acceleration(arm, damping=None, angles="relative", route=None):
    """Return the function (q, qd, tau) -> qdd, F, G, H of an arm: its acceleration and the three derivatives.

    qdd (..., n), F = dqdd/dq, G = dqdd/dqd, H = dqdd/dtau, each (..., n, n); arguments as in `linearize`.
    """
    if angles not in ANGLES:
        raise ValueError(f'angles must be "relative" or "absolute", got {angles!r}')
    if route is None:
        route = "closed form" if planar.is_planar(arm) else "traced"
    if route not in ROUTES:
        raise ValueError(f"route must be one of {', '.join(ROUTES)}, got {route!r}")
    b = damping_of(arm, damping)
    if angles == "absolute":
        planar.check_planar(arm)
        free = ROUTES[route](arm) if route == "closed form" else _absolute(ROUTES[route](arm))
        D = _differences(arm.n).T @ np.diag(b) @ _differences(arm.n)  # of L^-T tau for tau = -diag(b) L^-1 qd
    else:
        free = _relative(ROUTES[route](arm)) if route == "closed form" else ROUTES[route](arm)
        D = np.diag(b)
    return damped(free, D) if b.any() else free


def damped(free, D):
    """Return the acceleration and its derivatives with the torque -D qd besides tau; D: (n, n) N m s/rad."""

    def derivatives(q, qd, tau):
        qdd, F, G, H = free(q, qd, tau - qd @ D.T)
        return qdd, F, G - H @ D, H

    return derivatives


def damping_of(arm, damping):
    """Return viscous coefficients (n,) N m s/rad, checked: a number stands for all joints, None for none."""
    b = as_numbers(np.zeros(arm.n) if damping is None else damping, "damping", (...,))
    b = b * np.ones(arm.n) if b.ndim == 0 else b
    if b.shape != (arm.n,):
        raise ValueError(f"damping must have shape ({arm.n},) for an arm of {arm.n} joints, got {b.shape}")
    if (b < 0).any():
        raise ValueError(f"damping must be >= 0, got {b.tolist()}: a negative one would feed energy in")
    return b


# ---- three routes to F, G and H -------------------------------------------------------------------------------------


def closed_form(arm):
    """Return (q, qd, u) -> qdd, F, G, H of a planar arm in absolute angles, as RCFS 8.1 derives them.

    Column p of F is -M~^-1 (dM~/dq_p qdd + dg~/dq_p + dC~/dq_p qd^2), for (M~^-1)' = -M~^-1 M~' M~^-1;
    G = -2 M~^-1 C~ diag(qd), exact because C~ does not depend on qd;  H = M~^-1.
    """

    def derivatives(q, qd, u):
        M, C, g = planar.absolute(arm, q)
        dM, dC, dg = planar.derivatives(arm, q)
        try:
            H = np.linalg.inv(M)
        except np.linalg.LinAlgError:
            raise ValueError(
                "M~ must be invertible, got a singular one: some link moves no mass; give it one"
            ) from None
        square = qd * qd
        qdd = _times(H, u - g - _times(C, square))
        bend = np.einsum("...hkp,...k->...hp", dM, qdd) + np.einsum("...hkp,...k->...hp", dC, square) + dg
        return qdd, -H @ bend, -2 * H @ (C * qd[..., None, :]), H

    return derivatives


def differences(arm, h=1e-3):
    """Return (q, qd, tau) -> qdd, F, G, H by the five-point rule with the step h: error of the order h^4.

    All shifted states go through `forward_dynamics` as one batch.
    """
    n = arm.n
    shifts = h * np.array([-2, -1, 1, 2])[:, None, None] * np.eye(3 * n)  # (4, 3n, 3n)
    weights = np.array([1, -8, 8, -1]) / (12 * h)

    def derivatives(q, qd, tau):
        z = np.concatenate([q, qd, tau], axis=-1)
        shifted = z[..., None, None, :] + shifts
        moved = forward_dynamics(arm, *(shifted[..., i * n : (i + 1) * n] for i in range(3)))
        slopes = np.einsum("s,...sij->...ji", weights, moved)
        return forward_dynamics(arm, q, qd, tau), *(slopes[..., i * n : (i + 1) * n] for i in range(3))

    return derivatives


def traced(arm):
    """Return (q, qd, tau) -> qdd, F, G, H by a program: see `robotdyn.simulation.arm_programs`."""
    return specialize(derivatives_text(arm), arm, "numpy")


ROUTES = {"closed form": closed_form, "traced": traced, "differences": differences}


# ---- from the acceleration to a step --------------------------------------------------------------------------------


def euler_jacobians(acceleration, q, qd, tau, dt):
    """Return A, B of q' = q + qd dt, qd' = qd + qdd dt:  A = [1, dt; F dt, 1 + G dt],  B = [0; H dt]."""
    _, F, G, H = acceleration(q, qd, tau)
    one = np.broadcast_to(np.eye(q.shape[-1]), F.shape)
    return np.block([[one, dt * one], [F * dt, one + G * dt]]), np.block([[0 * H], [H * dt]])


def semi_implicit_jacobians(acceleration, q, qd, tau, dt):
    """Return A, B of qd' = qd + qdd dt, q' = q + qd' dt: the lower rows of Euler's, and the upper rows follow them."""
    A, B = euler_jacobians(acceleration, q, qd, tau, dt)
    n = q.shape[-1]
    A[..., :n, :] = np.eye(n, 2 * n) + A[..., n:, :] * dt
    B[..., :n, :] = B[..., n:, :] * dt
    return A, B


def rk4_jacobians(acceleration, q, qd, tau, dt):
    """Return A, B of the classical Runge-Kutta step, by the chain rule through its four slopes, tau held.

    A slope is k = f(x + c dt k_before), so dk/dx = J (1 + c dt dk_before/dx), with J = df/dx = [0, 1; F, G].
    """
    n = q.shape[-1]
    one = np.eye(2 * n)
    k, k_x, k_u = np.zeros((2, *q.shape)), np.zeros(q.shape[:-1] + (2 * n, 2 * n)), np.zeros(q.shape[:-1] + (2 * n, n))
    A, B = one + 0 * k_x, 0 * k_u
    for reach, weight in ((0, 1), (dt / 2, 2), (dt / 2, 2), (dt, 1)):
        v = qd + reach * k[1]
        qdd, F, G, H = acceleration(q + reach * k[0], v, tau)
        J = np.block([[0 * F, np.eye(n) + 0 * F], [F, G]])
        k, k_x, k_u = np.stack([v, qdd]), J @ (one + reach * k_x), J @ (reach * k_u) + np.block([[0 * H], [H]])
        A, B = A + k_x * (weight * dt / 6), B + k_u * (weight * dt / 6)
    return A, B


METHODS = {"euler": euler_jacobians, "semi-implicit": semi_implicit_jacobians, "rk4": rk4_jacobians}


# ---- absolute and relative angles -----------------------------------------------------------------------------------


def _relative(absolute):
    """From q~ = L q, u = L^-T tau:  F = L^-1 F~ L,  G = L^-1 G~ L,  H = L^-1 H~ L^-T."""

    def derivatives(q, qd, tau):
        L, D = planar.L(q.shape[-1]), _differences(q.shape[-1])
        qdd, F, G, H = absolute(q @ L.T, qd @ L.T, tau @ D)
        return qdd @ D.T, D @ F @ L, D @ G @ L, D @ H @ D.T

    return derivatives


def _absolute(relative):
    """The same the other way: F~ = L F L^-1 and so on."""

    def derivatives(q, qd, u):
        L, D = planar.L(q.shape[-1]), _differences(q.shape[-1])
        qdd, F, G, H = relative(q @ D.T, qd @ D.T, u @ L)
        return qdd @ L.T, L @ F @ D, L @ G @ D, L @ H @ L.T

    return derivatives


def _differences(n):
    """L^-1."""
    return planar.to_relative(np.eye(n)).T


def _times(matrix, vector):
    return (matrix @ vector[..., None])[..., 0]
