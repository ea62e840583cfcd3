"""Derivatives of the equation of motion, exact:  dqdd = F dq + G dqd + H dtau, as recursions and as programs.

tau = M qdd + C qd + g, differentiated where the torque is held:  0 = M dqdd + dtau/dq dq + dtau/dqd dqd.  So the
derivatives of the acceleration come from those of the inverse dynamics, which are far shorter, and one solution with M.
Carpentier and Mansard (2018), "Analytical derivatives of rigid body dynamics algorithms".
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from robotdyn.codegen.program import Program
from robotdyn.codegen.trace import trace
from robotdyn.dynamics.kinematics import link_poses, point_position
from robotdyn.dynamics.minimal_operations import inverse_dynamics_minimal, mass_matrix_minimal
from robotdyn.dynamics.recursive import (
    chain,
    coriolis_matrix,
    force_at_tip,
    mass_matrix,
    optional,
    solve,
    solved_forward_dynamics,
    velocity_inertia,
)
from robotdyn.maths.coupling import for_coupled_joints
from robotdyn.maths.namespace import generic, namespace
from robotdyn.maths.spatial import Array, cross_force, cross_motion, skew
from robotdyn.maths.validate import Entries, Floats, Result
from robotdyn.model.arm import Arm

# ---- recursions -----------------------------------------------------------------------------------------------------


@generic
@for_coupled_joints(rows=True, columns=True)
def inverse_dynamics_derivatives(
    arm: Arm, q: Entries, qd: Entries, qdd: Entries, tip_wrench: Entries | None = None
) -> Result:
    """Return dtau/dq and dtau/dqd, (n, n) each, of `inverse_dynamics`; dtau/dqdd is the mass matrix.

    q, qd, qdd: (n,) rad, rad/s, rad/s^2 (m, m/s, m/s^2 at a prismatic joint), or (..., n) for a batch.
    tip_wrench: (6,) force N and moment N m on the robot at its tip, (fx fy fz mx my mz) in base axes, held there.
    Seen from the links that joint j carries, which turn as one body where q_j grows, their velocity changes by S', the rate of
    the joint's motion S, and their acceleration by S'' + S' x v: each force changes by I S'' + 2 B S'.  dtau/dqd is
    twice the Christoffel matrix C.  Singh, Russell and Wensing (2021), "Efficient analytical derivatives of rigid-body
    dynamics using spatial vector algebra"; chapter "recursive-algorithms".
    """
    xp = namespace(arm, q, qd, qdd, *optional(tip_wrench))
    X, S, I = chain(arm, q)
    parent = arm.parents
    v = {-1: xp.zeros(6)}
    a = {-1: xp.concatenate([xp.zeros(3), -xp.array(arm.gravity)])}
    n = arm.n
    S1: list[Any] = []
    S2: list[Any] = []
    B: list[Any] = []
    f: list[Any] = []
    for i in range(n):  # outward: S' and S'', and what inverse dynamics collects
        v[i] = X[i] @ v[parent[i]] + S[i] * qd[i]
        S1.append(cross_motion(v[i]) @ S[i])
        a[i] = X[i] @ a[parent[i]] + S[i] * qdd[i] + S1[i] * qd[i]
        S2.append(cross_motion(a[i]) @ S[i] + cross_motion(v[i]) @ S1[i])
        B.append(velocity_inertia(I[i], v[i]))
        f.append(I[i] @ a[i] + cross_force(v[i]) @ (I[i] @ v[i]))
    f[-1] = f[-1] - force_at_tip(arm, q, tip_wrench)
    E: list[Any] = [xp.zeros((6, 6))] * (n - 1) + [_fixed_wrench_rate(arm, q, tip_wrench)]
    D: list[list[Any]] = [[0] * n for _ in range(n)]
    for i in reversed(range(n)):  # inward: I[i], B[i], f[i], E[i] have become those of link i and all that hangs on it
        by_S_q = I[i] @ S2[i] + B[i] @ S1[i] * 2 + E[i] @ S[i]
        D[i][i] = S[i] @ by_S_q
        by_S_q = by_S_q + cross_force(S[i]) @ f[i]  # in the axes before the joint, the force turns as well
        by_S2 = I[i] @ S[i]
        by_S1 = B[i].T @ S[i] * 2
        by_S = E[i].T @ S[i]
        k = i
        while parent[k] >= 0:
            by_S_q, by_S2, by_S1, by_S = (X[k].T @ force for force in (by_S_q, by_S2, by_S1, by_S))
            k = parent[k]
            D[k][i] = S[k] @ by_S_q
            D[i][k] = S2[k] @ by_S2 + S1[k] @ by_S1 + S[k] @ by_S
        if parent[i] >= 0:
            I[parent[i]] = I[parent[i]] + I[i].carried_back(X[i])
            B[parent[i]] = B[parent[i]] + X[i].T @ B[i] @ X[i]
            f[parent[i]] = f[parent[i]] + X[i].T @ f[i]
            E[parent[i]] = E[parent[i]] + X[i].T @ E[i] @ X[i]
    return xp.stack([xp.stack(row) for row in D]), 2 * coriolis_matrix(arm, q, qd)


@generic
def forward_dynamics_derivatives(
    arm: Arm, q: Entries, qd: Entries, tau: Entries, tip_wrench: Entries | None = None
) -> Result:
    """Return dqdd/dq, dqdd/dqd and dqdd/dtau, (n, n) each, of `forward_dynamics`.

    Arguments, units and errors as in `forward_dynamics`.  dqdd/dtau = M^-1, and the others are -M^-1 times those of the
    torque at the acceleration that tau gives.
    """
    xp = namespace(arm, q, qd, tau, *optional(tip_wrench))
    qdd = solved_forward_dynamics(arm, q, qd, tau, tip_wrench)
    by_q, by_qd = inverse_dynamics_derivatives(arm, q, qd, qdd, tip_wrench)
    M = mass_matrix(arm, q)
    return tuple(xp.stack([solve(M, b) for b in right.T]).T for right in (-by_q, -by_qd, xp.eye(arm.n)))


def _fixed_wrench_rate(arm: Arm, q: Any, tip_wrench: Any) -> Array:
    """Return E (6, 6): where the last link turns with S, a wrench that does not turn along changes by -E S for it."""
    xp = namespace(arm, q, *optional(tip_wrench))
    if tip_wrench is None:
        return xp.zeros((6, 6))
    R, _ = link_poses(arm, q)
    F = skew(R[-1].T @ tip_wrench[:3])
    N = skew(R[-1].T @ tip_wrench[3:])
    zero = xp.zeros((3, 3))
    by_turning = -xp.concatenate([N + skew(xp.array(arm.tip)) @ F, F])
    return xp.concatenate([by_turning, xp.concatenate([zero, zero])], axis=1)


# ---- programs -------------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def acceleration_derivatives(arm: Arm) -> Callable[..., tuple[Any, ...]]:
    """Return the function (arm, q, qd, tau) -> qdd, F = dqdd/dq, G = dqdd/dqd, H = dqdd/dtau, to be traced for this arm."""
    torque = trace(inverse_dynamics_minimal, arm, inputs=("q", "qd", "qdd"))
    by_q = torque.jacobian("q")
    by_qd = torque.jacobian("qd")

    def derivatives(arm: Arm, q: Floats, qd: Floats, tau: Floats) -> tuple[Floats, ...]:
        M = mass_matrix_minimal(arm, q)
        n = arm.n
        qdd = solve(M, tau - inverse_dynamics_minimal(arm, q, qd, 0 * qd))
        right = np.concatenate([-by_q(q, qd, qdd), -by_qd(q, qd, qdd), np.eye(n, dtype=int).astype(object)], axis=1)
        FGH = np.stack([solve(M, column) for column in right.T], axis=1)
        return qdd, FGH[:, :n], FGH[:, n : 2 * n], FGH[:, 2 * n :]

    return derivatives


@functools.lru_cache(maxsize=64)
def torque_second_derivatives(arm: Arm) -> Program:
    """Return the Program (y, w) -> the second derivatives (3n, 3n) of w . tau(y), y = (q, qd, qdd)."""
    n = arm.n
    torque = trace(inverse_dynamics_minimal, arm, inputs=("q", "qd", "qdd"))

    def weighted_torque(y: Floats, w: Floats) -> Floats:
        return w @ torque(y[:n], y[n : 2 * n], y[2 * n :])

    return trace(weighted_torque, inputs={"y": 3 * n, "w": n}).jacobian("y").jacobian("y")


@functools.lru_cache(maxsize=64)
def tip_second_derivatives(arm: Arm) -> Program:
    """Return the Program (q, f) -> the second derivatives (n, n) of f . tip(q), f: (3,)."""

    def weighted_tip(q: Floats, f: Floats) -> Floats:
        return f @ point_position(arm, q)

    return trace(weighted_tip, inputs={"q": arm.n, "f": 3}).jacobian("q").jacobian("q")
