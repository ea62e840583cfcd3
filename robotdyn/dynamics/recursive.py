"""Recursive dynamics of an arm:  M(q) qdd + C(q, qd) qd + g(q) = tau + J^T wrench.

RNEA gives tau, CRBA gives M, ABA gives qdd: each a sweep out to the tip and back to the base, in spatial vectors.
Link i hangs on link parent[i], of a serial arm link i - 1; what the base, -1, has is the start of the sweep out.
Featherstone (2008), tables 5.1, 6.2 and 7.1; chapter "equation-of-motion".
For qdd there is an alternative, M qdd = tau - C qd - g solved by factors of M.  For arms in space with
fewer than about 13 joints it takes fewer operations than ABA ("articulated-bodies" counts).  `minimal_operations` has all
but ABA once more, shorter to run and longer to read: `rd.specialize` counts the operations of all alternatives.
"""

from __future__ import annotations

from typing import Any, cast

from robotdyn.dynamics.kinematics import joint_motion, joint_transform, link_poses
from robotdyn.dynamics.minimal_operations import (
    bias_torque_minimal,
    gravity_torque_minimal,
    inverse_dynamics_minimal,
    mass_matrix_minimal,
)
from robotdyn.maths.coupling import for_coupled_joints
from robotdyn.maths.namespace import generic, is_negligible, namespace, with_alternatives
from robotdyn.maths.spatial import Array, Inertia, Transform, cross_force, cross_motion, skew, symmetric
from robotdyn.maths.validate import Entries, Result
from robotdyn.model.arm import Arm


# where: see where gravity enters
# as a pseudo-acceleration of the base, here and wherever else `arm.gravity` stands (`minimal_operations.py`, sensors,
# derivatives, the regressor); the base accelerates by `-arm.gravity`
@with_alternatives(inverse_dynamics_minimal)
@generic
@for_coupled_joints(rows=True)
def inverse_dynamics(arm: Arm, q: Entries, qd: Entries, qdd: Entries, tip_wrench: Entries | None = None) -> Result:
    """Return the joint torques tau (n,) N m (N at a prismatic joint), by the recursive Newton-Euler algorithm.

    q, qd, qdd: (n,) rad, rad/s, rad/s^2 (m, m/s, m/s^2 at a prismatic joint), or (..., n) for a batch.
    tip_wrench: (6,) force N and moment N m on the robot at its tip, (fx fy fz mx my mz) in base axes.
    Raises ValueError or TypeError for a wrong shape or value.  Featherstone (2008), table 5.1.
    """
    xp = namespace(arm, q, qd, qdd, *optional(tip_wrench))
    X, S, I = chain(arm, q)
    parent = arm.parents
    v = {-1: xp.zeros(6)}
    a = {-1: xp.concatenate([xp.zeros(3), -xp.array(arm.gravity)])}
    f = []
    # outward: velocities, accelerations, and the force that each link needs
    for i in range(arm.n):
        v[i] = X[i] @ v[parent[i]] + S[i] * qd[i]
        c = cross_motion(v[i]) @ S[i] * qd[i]
        a[i] = X[i] @ a[parent[i]] + S[i] * qdd[i] + c
        f.append(I[i] @ a[i] + cross_force(v[i]) @ (I[i] @ v[i]))
    f[-1] = f[-1] - force_at_tip(arm, q, tip_wrench)
    tau = [None] * arm.n
    rotors = _rotor_inertias(arm, q)
    # inward: each joint carries all that hangs on it, and turns its rotor
    for i in reversed(range(arm.n)):
        tau[i] = S[i] @ f[i] + rotors[i] * qdd[i]
        if parent[i] >= 0:
            f[parent[i]] = f[parent[i]] + X[i].T @ f[i]
    return xp.stack(tau)


@with_alternatives(mass_matrix_minimal)
@generic
@for_coupled_joints(rows=True, columns=True)
def mass_matrix(arm: Arm, q: Entries) -> Result:
    """Return the mass matrix M (n, n), by the composite-rigid-body algorithm; q: (n,) rad or m, or (..., n).

    M[i, k] in kg m^2 between revolute joints, kg m between a revolute and a prismatic one, kg between prismatic ones.
    Featherstone (2008), table 6.2.
    """
    xp = namespace(arm, q)
    X, S, I = chain(arm, q)
    parent = arm.parents
    M = [[0] * arm.n for _ in range(arm.n)]
    rotors = _rotor_inertias(arm, q)
    # I[i] has become the inertia of link i and all that hangs on it, as one body
    for i in reversed(range(arm.n)):
        f = I[i] @ S[i]
        M[i][i] = S[i] @ f + rotors[i]
        k = i
        while parent[k] >= 0:  # the force goes on to the base
            f = X[k].T @ f
            k = parent[k]
            M[i][k] = M[k][i] = S[k] @ f
        if parent[i] >= 0:
            I[parent[i]] = I[parent[i]] + I[i].carried_back(X[i])
    return xp.stack([xp.stack(row) for row in M])


@generic
def solved_forward_dynamics(
    arm: Arm, q: Entries, qd: Entries, tau: Entries, tip_wrench: Entries | None = None
) -> Result:
    """Return the joint accelerations qdd (n,): what `forward_dynamics` returns, from the mass matrix and the bias.

    Arguments, units and errors as in `forward_dynamics`.  Featherstone (2008), section 6.2.
    """
    return solve(mass_matrix(arm, q), tau - inverse_dynamics(arm, q, qd, 0 * qd, tip_wrench))


@generic
def forward_dynamics_minimal(
    arm: Arm, q: Entries, qd: Entries, tau: Entries, tip_wrench: Entries | None = None
) -> Result:
    """Return the joint accelerations qdd (n,): what `forward_dynamics` returns, from the matrix and bias of fewest operations."""
    return solve(mass_matrix_minimal(arm, q), tau - inverse_dynamics_minimal(arm, q, qd, 0 * qd, tip_wrench))


@with_alternatives(solved_forward_dynamics, forward_dynamics_minimal)
@generic
def forward_dynamics(arm: Arm, q: Entries, qd: Entries, tau: Entries, tip_wrench: Entries | None = None) -> Result:
    """Return the joint accelerations qdd (n,), by the articulated-body algorithm.

    q, qd: (n,) rad and rad/s (m and m/s at a prismatic joint);
    tau: (n,) N m (N); or (..., n) for a batch.
    tip_wrench: (6,) force N and moment N m on the robot at its tip, (fx fy fz mx my mz) in base axes.
    Raises ValueError where a joint moves no mass.  Featherstone (2008), table 7.1; where joints are coupled, which no sweep
    inward knows, `solved_forward_dynamics`.
    """
    if arm.coupling is not None:
        return solved_forward_dynamics(arm, q, qd, tau, tip_wrench)
    xp = namespace(arm, q, qd, tau, *optional(tip_wrench))
    X, S, I = chain(arm, q)
    # an articulated body is no rigid body: its inertia is any matrix
    I = [body.matrix for body in I]
    n = arm.n
    parent = arm.parents
    v = {-1: xp.zeros(6)}
    c = []
    p = []
    # outward: velocities, and the forces of a link that moves steadily
    for i in range(n):
        v[i] = X[i] @ v[parent[i]] + S[i] * qd[i]
        c.append(cross_motion(v[i]) @ S[i] * qd[i])
        p.append(cross_force(v[i]) @ (I[i] @ v[i]))
    p[-1] = p[-1] - force_at_tip(arm, q, tip_wrench)
    rotors = _rotor_inertias(arm, q)
    U, D, u = cast(list[list[Any]], [[None] * n for _ in range(3)])
    # inward: I[i], p[i] become those of the articulated body that begins at link i
    for i in reversed(range(n)):
        U[i] = I[i] @ S[i]
        D[i] = S[i] @ U[i] + rotors[i]
        if is_negligible(D[i], I[i]):
            raise massless_joint_error(i, mass_matrix(arm, q))
        u[i] = tau[i] - S[i] @ p[i]
        if parent[i] >= 0:
            I_a = I[i] - U[i][:, None] * U[i][None, :] / D[i]
            p_a = p[i] + I_a @ c[i] + U[i] * (u[i] / D[i])
            I[parent[i]] = I[parent[i]] + symmetric(X[i].T @ I_a @ X[i])
            p[parent[i]] = p[parent[i]] + X[i].T @ p_a
    a = {-1: xp.concatenate([xp.zeros(3), -xp.array(arm.gravity)])}
    qdd = []
    for i in range(n):  # outward: the accelerations
        a[i] = X[i] @ a[parent[i]] + c[i]
        qdd.append((u[i] - U[i] @ a[i]) / D[i])
        a[i] = a[i] + S[i] * qdd[i]
    return xp.stack(qdd)


@with_alternatives(bias_torque_minimal)
@generic
def bias_torque(arm: Arm, q: Entries, qd: Entries) -> Result:
    """Return C(q, qd) qd + g(q), (n,) N m (N): the torque that keeps qdd = 0; q, qd: (n,) or (..., n)."""
    return inverse_dynamics(arm, q, qd, 0 * qd)


@with_alternatives(gravity_torque_minimal)
@generic
def gravity_torque(arm: Arm, q: Entries) -> Result:
    """Return g(q) = +dU/dq, (n,) N m (N): the torque that holds the arm at rest; q: (n,) or (..., n)."""
    return inverse_dynamics(arm, q, 0 * q, 0 * q)


@generic
@for_coupled_joints(rows=True, columns=True)
def coriolis_matrix(arm: Arm, q: Entries, qd: Entries) -> Result:
    """Return C(q, qd) (n, n), the Christoffel choice: C qd are the velocity terms and dM/dt - 2 C is skew.

    q, qd: (n,) rad and rad/s (m and m/s), or (..., n).  One sweep, no derivative of M:
    Echeandia and Wensing (2021), "Numerical methods to compute the Coriolis matrix and Christoffel symbols".
    """
    xp = namespace(arm, q, qd)
    X, S, I = chain(arm, q)
    parent = arm.parents
    v = {-1: xp.zeros(6)}
    S_dot = []
    B = []
    for i in range(arm.n):
        v[i] = X[i] @ v[parent[i]] + S[i] * qd[i]
        S_dot.append(cross_motion(v[i]) @ S[i])
        B.append(velocity_inertia(I[i], v[i]))
    C = [[0] * arm.n for _ in range(arm.n)]
    for i in reversed(range(arm.n)):  # I[i], B[i] have become those of link i and all that hangs on it
        f = I[i] @ S[i]
        f_dot = B[i] @ S[i] + I[i] @ S_dot[i]
        f_back = B[i].T @ S[i]
        C[i][i] = S[i] @ f_dot
        k = i
        while parent[k] >= 0:
            f = X[k].T @ f
            f_dot = X[k].T @ f_dot
            f_back = X[k].T @ f_back
            k = parent[k]
            C[k][i] = S[k] @ f_dot
            C[i][k] = S_dot[k] @ f + S[k] @ f_back
        if parent[i] >= 0:
            I[parent[i]] = I[parent[i]] + I[i].carried_back(X[i])
            B[parent[i]] = B[parent[i]] + X[i].T @ B[i] @ X[i]
    return xp.stack([xp.stack(row) for row in C])


# ---- shared pieces --------------------------------------------------------------------------------------------------


def solve(M: Array, b: Array) -> Array:
    """Return x (n,) with M x = b, for a symmetric positive definite M (n, n), by M = L^T D L.  Featherstone, table 6.3.

    From the last row up: the tip of an arm comes first, and where two links are on different branches a zero of M stays
    a zero: nothing fills in.
    """
    xp = namespace(M, b)
    n = len(b)
    A = [list(row[: i + 1]) for i, row in enumerate(M)]  # the lower triangle, which becomes L and D
    right = list(b)
    for k in reversed(range(n)):
        if is_negligible(A[k][k], M):
            raise massless_joint_error(k, M)
        for i in reversed(range(k)):
            if isinstance(A[k][i], (int, float)) and A[k][i] == 0:
                continue
            factor = A[k][i] / A[k][k]
            for j in range(i + 1):
                A[i][j] = A[i][j] - factor * A[k][j]
            right[i] = right[i] - factor * right[k]
            A[k][i] = factor
    x: list[Any] = []
    for k in range(n):
        x.append(right[k] / A[k][k] - sum(A[k][i] * x[i] for i in range(k)))
    return xp.stack(x)


def chain(arm: Arm, q: Any) -> Any:
    """Return lists X, S, I: the transform from the parent, the joint's motion and the spatial inertia of every link."""
    xp = namespace(arm, q)
    X = []
    S = []
    I = []
    for i, link in enumerate(arm.links):
        X.append(Transform(*joint_transform(link, q[i])))
        S.append(xp.array(joint_motion(link)))
        I.append(Inertia.of_body(xp.array(link.mass), xp.array(link.com), xp.array(link.inertia)))
    return X, S, I


def _rotor_inertias(arm: Arm, q: Any) -> list[Any]:
    """Return what the rotor of each joint's motor adds to the inertia of that joint alone."""
    xp = namespace(arm, q)
    return [xp.array(link.motor_inertia) for link in arm.links]


def force_at_tip(arm: Arm, q: Any, tip_wrench: Any) -> Array:
    """Return the tip wrench as a force vector of the last link, about its origin and in its axes."""
    xp = namespace(arm, q, *optional(tip_wrench))
    if tip_wrench is None:
        return xp.zeros(6)
    R, _ = link_poses(arm, q)
    force = R[-1].T @ tip_wrench[:3]
    moment = R[-1].T @ tip_wrench[3:]
    return xp.concatenate([moment + skew(xp.array(arm.tip)) @ force, force])


def velocity_inertia(I: Inertia, v: Array) -> Array:
    """Return B (6, 6) of a body that moves with v:  2 B m = I (m x v) + m x* I v + v x* I m.

    By so much its force I a + v x* I v changes where v changes by m and a by m x v.
    """
    xp = namespace(v, I.moment)
    h = I @ v
    n = skew(h[:3])
    f = skew(h[3:])
    crossed = xp.concatenate([xp.concatenate([n, f], axis=1), xp.concatenate([f, xp.zeros((3, 3))], axis=1)])
    return (cross_force(v) @ I - crossed - I @ cross_motion(v)) / 2  # crossed @ m = - m x* I v


def massless_joint_error(i: int, M: Array) -> ValueError:
    """Return the error that joint i (from 0) moves no mass, or none that the joints after it cannot hold still meanwhile."""
    begin = f"every joint must move some mass or inertia, got none at joint {i + 1}"
    end = "and no acceleration follows from a torque"
    if is_negligible(M[i][i], M):
        return ValueError(
            f"{begin}: M(q) is singular here {end}; give the links after it an inertia or move their mass off its axis"
        )
    return ValueError(
        f"{begin} in this pose that joints after it cannot hold still while it turns: M(q) is singular, as where two axes coincide "
        f"with no inertia between them, {end}; take a pose beside this one, or give the links between them an inertia"
    )


def optional(tip_wrench: Any) -> tuple[Any, ...]:
    """Return the wrench, if there is one, as what `namespace` has to look at."""
    return () if tip_wrench is None else (tip_wrench,)
