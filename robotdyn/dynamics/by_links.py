"""Dynamics as a sum over the links:  M = sum J_i^T M_i J_i,  g = - sum J_i^T M_i (R_i^T a_g, 0),  tau = sum J_i^T w_i.

M_i is the 6 x 6 mass matrix of link i and J_i the Jacobian of its material point at the origin of its frame, both in
link axes and linear part first: there M_i is constant.  Costs grow like n^3, where those of `recursive` grow like n
and n^2; nothing is carried from link to link, so it is an independent check of the recursions.
The rotor of a joint's motor, `motor_inertia`, adds to the diagonal of M.  Chapter "serial-arms".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from robotdyn.dynamics.kinematics import cross, jacobian_at, link_poses, point_acceleration, tip_jacobian
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.coupling import for_coupled_joints
from robotdyn.maths.namespace import generic, namespace
from robotdyn.maths.spatial import skew
from robotdyn.maths.validate import Array, Entries, Result
from robotdyn.model.arm import Arm
from robotdyn.model.body import ORIGIN

__all__ = [
    "gravity_torque",
    "inverse_dynamics",
    "mass_matrix",
]
offer_public_names(__name__)


@generic
@for_coupled_joints(rows=True, columns=True)
def mass_matrix(arm: Arm, q: Entries) -> Result:
    """Return M (n, n) as the sum of J_i^T M_i J_i; q: (n,) rad or m, or (..., n); units as of `rd.mass_matrix`."""
    return namespace(arm, q).eye(arm.n) * _rotor_inertias(arm, q) + sum(J.T @ M @ J for _, J, M in _links(arm, q))


@generic
@for_coupled_joints(rows=True)
def gravity_torque(arm: Arm, q: Entries) -> Result:
    """Return g(q) (n,) N m (N): what holds each link as if its frame accelerated by -a_g; q: (n,) or (..., n)."""
    xp = namespace(arm, q)
    upward = -xp.array(arm.gravity)
    return sum(J.T @ M @ xp.concatenate([R.T @ upward, xp.zeros(3)]) for R, J, M in _links(arm, q))


@generic
@for_coupled_joints(rows=True)
def inverse_dynamics(arm: Arm, q: Entries, qd: Entries, qdd: Entries, tip_wrench: Entries | None = None) -> Result:
    """Return tau (n,) N m (N): the virtual work, joint by joint, of the wrench w_i that the motion of each link takes.

    w_i = M_i (a_i - a_g, alpha_i) + (m omega x (omega x c), omega x I_O omega), Newton's and Euler's equations.
    Arguments and errors as for `rd.inverse_dynamics`.
    """
    xp = namespace(arm, q, qd, qdd, *(() if tip_wrench is None else (tip_wrench,)))
    tau = _rotor_inertias(arm, q) * qdd
    if tip_wrench is not None:
        tau = tau - tip_jacobian(arm, q).T @ tip_wrench
    for i, (R, J, M) in enumerate(_links(arm, q)):
        acceleration = point_acceleration(arm, q, qd, qdd, i, ORIGIN)
        omega = (J @ qd)[3:]
        specific_force = R.T @ (acceleration[:3] - xp.array(arm.gravity))
        first_moment = xp.array(arm.links[i].mass) * xp.array(arm.links[i].com)
        bias = [cross(omega, cross(omega, first_moment)), cross(omega, M[3:, 3:] @ omega)]
        tau = tau + J.T @ (M @ xp.concatenate([specific_force, R.T @ acceleration[3:]]) + xp.concatenate(bias))
    return tau


def _links(arm: Arm, q: Any) -> Iterator[tuple[Array, Array, Array]]:
    """Yield R_i (3, 3), J_i (6, n) and M_i (6, 6) of every link."""
    xp = namespace(arm, q)
    R, p = link_poses(arm, q)
    for i, link in enumerate(arm.links):
        J = jacobian_at(arm, (R, p), i, ORIGIN)
        m = xp.array(link.mass)
        c = skew(xp.array(link.com))
        upper_rows = xp.concatenate([m * xp.eye(3), -m * c], axis=1)
        lower_rows = xp.concatenate([m * c, xp.array(link.inertia) + m * (c.T @ c)], axis=1)
        yield R[i], xp.concatenate([R[i].T @ J[:3], R[i].T @ J[3:]]), xp.concatenate([upper_rows, lower_rows])


def _rotor_inertias(arm: Arm, q: Any) -> Array:
    """Return what the rotor of each joint's motor adds to the inertia of that joint, (n,)."""
    xp = namespace(arm, q)
    return xp.stack([xp.array(link.motor_inertia) for link in arm.links])
