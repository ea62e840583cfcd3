"""The momentum of a whole arm:  (p, L) = A(q) qd,  p of all links together, L about their common center of mass.

Without forces from outside both stay as they are, whatever the motors do.  Chapter "floating-arm".
"""

from __future__ import annotations

from numbers import Real
from typing import Any

from robotdyn.dynamics.kinematics import cross, jacobian_at, link_poses
from robotdyn.maths.coupling import for_coupled_joints
from robotdyn.maths.namespace import generic, namespace
from robotdyn.maths.validate import Array, Entries, Result
from robotdyn.model.arm import Arm


@generic
@for_coupled_joints()
def center_of_mass(arm: Arm, q: Entries) -> Result:
    """Return the center of mass (3,) m of all links together, base axes; q: (n,) rad or m, or (..., n).

    What does not move, such as the root of a URDF file, counts no mass; of a robot that floats all of it does.
    """
    centers, mass = _centers(arm, link_poses(arm, q))
    return sum(m * c for m, c in centers) / mass


@generic
@for_coupled_joints(columns=True)
def momentum_matrix(arm: Arm, q: Entries) -> Result:
    """Return A (6, n):  A qd is the momentum in kg m/s and the angular momentum about the center of mass in kg m^2/s.

    Linear rows first, base axes.  q: (n,) rad or m, or (..., n).
    Orin, Goswami and Lee (2013), "Centroidal dynamics of a humanoid robot".
    """
    xp = namespace(arm, q)
    poses = link_poses(arm, q)
    centers, mass = _centers(arm, poses)
    middle = sum(m * c for m, c in centers) / mass
    total = xp.zeros((6, arm.n))
    for i, (link, (m, c)) in enumerate(zip(arm.links, centers)):
        J = jacobian_at(arm, poses, i, xp.array(link.com))
        p = m * J[:3]
        R = poses[0][i]
        turning = R @ xp.array(link.inertia) @ R.T @ J[3:]
        total = total + xp.concatenate([p, turning + xp.stack([cross(c - middle, column) for column in p.T]).T])
    return total


def _centers(arm: Arm, poses: tuple[Array, Array]) -> tuple[list[tuple[Any, Array]], Any]:
    """Return the mass and the center of mass of each link, in base axes, and the mass of all."""
    xp = namespace(arm, *poses)
    R, o = poses
    centers = [(xp.array(link.mass), o[i] + R[i] @ xp.array(link.com)) for i, link in enumerate(arm.links)]
    mass = sum(m for m, _ in centers)
    if isinstance(mass, Real) and mass == 0:  # a mass that stays free is known only when the program runs
        raise ValueError("an arm must have some mass > 0 kg: without it there is no center of mass")
    return centers, mass
