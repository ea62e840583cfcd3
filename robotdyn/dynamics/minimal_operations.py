"""The dynamics of an arm in few operations:  what `inverse_dynamics` and `mass_matrix` give, written for a compiler.

Three things make these algorithms shorter to run and longer to read than those of `recursive`:

1. Frames and masses are those of `robotdyn.model.reduced_links`, full of zeros.
2. All points of a body move by one matrix, U = [omega_dot] + [omega]^2: with the acceleration a of the origin, and the
   second moment, the sum of m c c^T, it needs  f = m a + U m c,  n = m c x a + the axial vector of U second.
3. How a joint stands, and how it has turned, are two turns about coordinate axes, four products for a vector each.

Luh, Walker and Paul (1980); Khalil and Kleinfinger (1987), "Minimum operations and minimum parameters of the dynamic
models of tree structure robots".  `rd.specialize` takes them where they are shorter.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from robotdyn.dynamics.kinematics import joint_motion, joint_transform
from robotdyn.maths.coupling import for_coupled_joints
from robotdyn.maths.namespace import generic, namespace
from robotdyn.maths.spatial import Array, skew, symmetric
from robotdyn.maths.validate import Entries, Result
from robotdyn.model.arm import Arm
from robotdyn.model.reduced_links import reduced_links


@generic
@for_coupled_joints(rows=True)
def inverse_dynamics_minimal(
    arm: Arm, q: Entries, qd: Entries, qdd: Entries, tip_wrench: Entries | None = None
) -> Result:
    """Return the joint torques tau (n,): what `inverse_dynamics` returns; arguments and units as there."""
    xp = namespace(arm, q, qd, qdd, *(() if tip_wrench is None else (tip_wrench,)))
    joints, tip = _joint_states(xp, arm, q)
    parent = arm.parents
    # a, alpha, omega and U of each link, and the tip wrench in its axes
    motions = {-1: (-xp.array(arm.gravity), xp.zeros(3), xp.zeros(3), xp.zeros((3, 3)))}
    wrenches = {-1: [xp.zeros(3), xp.zeros(3)] if tip_wrench is None else [-tip_wrench[:3], -tip_wrench[3:]]}
    forces = []
    # outward: how each link moves, and the force, and moment about its origin, that it needs
    for i, joint in enumerate(joints):
        a, alpha, omega, U = motions[parent[i]]
        a, alpha, omega_parent, *wrenches[i] = map(
            joint.to_link, (a + U @ joint.position, alpha, omega, *wrenches[parent[i]])
        )
        spin = joint.spin * qd[i]
        slide = joint.slide * qd[i]
        omega = omega_parent + spin
        alpha = alpha + joint.spin * qdd[i] + skew(omega_parent) @ spin
        a = a + joint.slide * qdd[i] + skew(omega_parent + omega) @ slide
        U = skew(alpha) + skew(omega) @ skew(omega)
        motions[i] = (a, alpha, omega, U)
        of_turning = _axial((U - U[2, 2] * xp.eye(3)) @ joint.second)  # the unit matrix takes no part, and U[2, 2] goes
        forces.append((joint.mass * a + U @ joint.moment, skew(joint.moment) @ a + of_turning))
    force, moment = wrenches[arm.n - 1]
    forces[-1] = (force + forces[-1][0], moment + skew(tip) @ force + forces[-1][1])
    tau = [None] * arm.n
    # inward: each joint carries all that hangs on it, and turns its rotor
    for i, joint in reversed(list(enumerate(joints))):
        force, moment = forces[i]
        tau[i] = joint.spin @ moment + joint.slide @ force + joint.rotor * qdd[i]
        if parent[i] >= 0:
            force, moment = joint.to_parent(force, moment)
            forces[parent[i]] = (force + forces[parent[i]][0], moment + forces[parent[i]][1])
    return xp.stack(tau)


@generic
def bias_torque_minimal(arm: Arm, q: Entries, qd: Entries) -> Result:
    """Return C(q, qd) qd + g(q) (n,): what `bias_torque` returns."""
    return inverse_dynamics_minimal(arm, q, qd, 0 * qd)


@generic
def gravity_torque_minimal(arm: Arm, q: Entries) -> Result:
    """Return g(q) (n,): what `gravity_torque` returns."""
    return inverse_dynamics_minimal(arm, q, 0 * q, 0 * q)


@generic
@for_coupled_joints(rows=True, columns=True)
def mass_matrix_minimal(arm: Arm, q: Entries) -> Result:
    """Return the mass matrix M (n, n): what `mass_matrix` returns."""
    xp = namespace(arm, q)
    joints, _ = _joint_states(xp, arm, q)
    parent = arm.parents
    M: list[list[Any]] = [[0] * arm.n for _ in joints]
    inertia_of = lambda second: np.trace(second) * xp.eye(3) - second  # an inertia from a second moment
    # mass, first moment and inertia of each link, then of all that hangs on it, too, as one body
    bodies = [(joint.mass, joint.moment, inertia_of(joint.second)) for joint in joints]
    for i, joint in reversed(list(enumerate(joints))):
        mass, h, I = bodies[i]
        force = mass * joint.slide + skew(joint.spin) @ h
        moment = I @ joint.spin + skew(h) @ joint.slide
        M[i][i] = joint.spin @ moment + joint.slide @ force + joint.rotor
        k = i
        while parent[k] >= 0:
            force, moment = joints[k].to_parent(force, moment)
            k = parent[k]
            M[i][k] = M[k][i] = joints[k].spin @ moment + joints[k].slide @ force
        if parent[i] < 0:
            continue
        p = joint.position
        h = joint.rotation @ (joint.turn @ h)
        I = _rotated_tensor(joint.rotation, _rotated_tensor(joint.turn, I)) + inertia_of(
            p[:, None] * (h + mass * p) + h[:, None] * p
        )
        others = bodies[parent[i]]
        bodies[parent[i]] = (mass + others[0], h + mass * p + others[1], I + others[2])
    return xp.stack([xp.stack(row) for row in M])


# ---- joints and links -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Joint:
    """A link and its joint at q: its frame in the one before is at `position`, turned by `rotation`, then by `turn`.

    spin, slide: (3,) angular and linear velocity at a rate of 1, link axes; mass, moment, second: as in `ReducedLink`.
    """

    position: Array
    rotation: Array
    turn: Array
    spin: Array
    slide: Array
    rotor: Any
    mass: Any
    moment: Array
    second: Array

    def to_link(self, v: Array) -> Array:
        """Return a vector (3,) of the frame before in the axes of the link."""
        return self.turn.T @ (self.rotation.T @ v)

    def to_parent(self, force: Array, moment: Array) -> tuple[Array, Array]:
        """Return a force and its moment about the origin of the link, in the frame before and about its origin."""
        force, moment = (self.rotation @ (self.turn @ v) for v in (force, moment))
        return force, moment + skew(self.position) @ force


def _joint_states(xp: Any, arm: Arm, q: Any) -> tuple[list[_Joint], Array]:
    """Return the joints of an arm at q, and the tip in the axes of its last link."""
    links, tip = reduced_links(arm)
    joints = []
    for link, q_i in zip(links, q):
        E, p, mass, moment, second = map(xp.array, (link.rotation, link.position, link.mass, link.moment, link.second))
        turn, step = joint_transform(link.joint, q_i + link.offset)
        S = joint_motion(link.joint)
        rotor = xp.array(link.joint.motor_inertia)
        joints.append(_Joint(p + E @ step, E, turn, S[:3], S[3:], rotor, mass, moment, second))
    return joints, xp.array(tip)


def _axial(A: Array) -> Array:
    """Return the vector (3,) of A - A^T: twice a where A = [a]."""
    return namespace(A).stack([A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]])


def _rotated_tensor(R: Array, A: Array) -> Array:
    """Return R A R^T of a symmetric A; where R turns about a coordinate axis, in 16 operations for 27.

    With c^2 + s^2 = 1 and w = s (A_ii - A_jj) + 2 c A_ij, the block of i and j becomes A_ii - s w, A_jj + s w, c w - A_ij.
    """
    stays = [k for k in range(3) if all(isinstance(x, Real) and x == (m == k) for m, x in enumerate(R[k]))]
    if not stays:
        return symmetric(R @ symmetric(A) @ R.T)
    k = stays[0]
    i = (k + 1) % 3
    j = (k + 2) % 3
    c = R[i, i]
    s = R[j, i]
    w = s * (A[i, i] - A[j, j]) + c * (A[i, j] + A[i, j])
    block = {(i, i): A[i, i] - s * w, (j, j): A[j, j] + s * w, (k, k): A[k, k], (i, j): c * w - A[i, j]}
    block |= {(i, k): c * A[i, k] - s * A[j, k], (j, k): s * A[i, k] + c * A[j, k]}
    xp = namespace(R, A)
    return xp.stack([xp.stack([block.get((m, n), block.get((n, m))) for n in range(3)]) for m in range(3)])
