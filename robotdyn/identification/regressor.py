"""What the torques are linear in:  tau = Y(q, qd, qdd) phi,  M qd = P(q, qd) phi,  T + U = e(q, qd) . phi.

phi has ten entries a link, m, m c, and the inertia about the origin of the link's frame: the force that a body's motion
takes, I a + v x* I v, is linear in them, and each joint feels what works along its motion.  Neither Y nor P nor e asks
for a mass.  Atkeson, An and Hollerbach (1986); chapter "what-torques-are-linear-in".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from robotdyn.dynamics.kinematics import joint_motion, joint_transform, link_poses
from robotdyn.maths.coupling import for_coupled_joints
from robotdyn.maths.namespace import generic, namespace
from robotdyn.maths.spatial import Array, Transform, cross_motion, skew
from robotdyn.maths.validate import Entries, Result, as_positive, in_short, is_symbolic
from robotdyn.model.arm import Arm

# where: add a term of the joints that torques are linear in
# its word here, its column in `regressor`, its letter in `base_parameter_format.py`; in `JOINT_PARAMETERS` of
# `inertia_transfer.py` if the mass of a link may be mistaken for it
JOINT_TERMS = ("motor_inertia", "viscous", "coulomb", "offset")  # what a joint adds to its own torque alone


@generic
@for_coupled_joints(rows=True)
def regressor(
    arm: Arm, q: Entries, qd: Entries, qdd: Entries, joints: Iterable[str] = (), width: float = 1e-3
) -> Result:
    """Return Y (n, 10 n) with Y @ rd.parameters(arm) the torque of `rd.inverse_dynamics` at an arm without rotors.

    Ten columns a link, also of those that follow others: (n, 10 m) where n coordinates move m links.
    q, qd, qdd: (n,) rad, rad/s, rad/s^2 (m, m/s, m/s^2 at a prismatic joint), or (..., n) for a batch.
    joints: words, each of which appends n columns, one a joint: "motor_inertia" (times qdd), "viscous" (times qd),
    "coulomb" (times tanh(qd / width), as in `rd.forces.coulomb`), "offset" (times 1).
    width: > 0, rad/s (m/s).
    `rd.parameters(arm, joints)` has the same order.  The masses of the arm are not asked for, its gravity is.
    Raises ValueError for another word and a width that is not above 0.  Atkeson, An and Hollerbach (1986).
    """
    xp = namespace(arm, q, qd, qdd)
    a = {-1: xp.concatenate([xp.zeros(3), -xp.array(arm.gravity)])}
    blocks = []
    for i, (X, S, v, J) in enumerate(_link_motions(arm, q, qd)):
        a[i] = X @ a[arm.parents[i]] + S * qdd[i] + cross_motion(v) @ S * qd[i]
        blocks.append(J.T @ force_regressor(v, a[i]))
    dry = xp.tanh(qd / _as_width(width))
    columns = {"motor_inertia": qdd, "viscous": qd, "coulomb": dry, "offset": 1}
    blocks += [xp.eye(arm.n) * columns[term] for term in joint_terms(joints)]
    return xp.concatenate(blocks, axis=1)


@generic
@for_coupled_joints(rows=True)
def momentum_regressor(arm: Arm, q: Entries, qd: Entries, joints: Iterable[str] = ()) -> Result:
    """Return P (n, 10 n) with P @ rd.parameters(arm) the momentum M(q) qd, kg m^2/s (kg m/s at a prismatic joint).

    q, qd: as in `regressor`;
    joints: "motor_inertia" alone has a momentum.  No acceleration is asked for: integrated over time, the torque is the
    change of M qd and the integral of what qdd = 0 leaves of it.
    Gautier and Khalil (1988) use the energy in the same way.
    """
    xp = namespace(arm, q, qd)
    blocks = [J.T @ momentum_of_body(v) for _, _, v, J in _link_motions(arm, q, qd)]
    return xp.concatenate([*blocks, *(xp.eye(arm.n) * qd for _ in _motor_terms(joints))], axis=1)


@generic
@for_coupled_joints()
def energy_regressor(arm: Arm, q: Entries, qd: Entries, joints: Iterable[str] = ()) -> Result:
    """Return e (10 n,) with e @ rd.parameters(arm) the energy T + U in J, whose rate is the power tau . qd.

    q, qd: as in `regressor`;
    joints: "motor_inertia" alone has an energy.  Neither accelerations nor torques in between are asked for, only the
    work that the motors did.  Gautier and Khalil (1988).
    """
    xp = namespace(arm, q, qd)
    R, p = link_poses(arm, q)
    g = xp.array(arm.gravity)
    parts = []
    for i, (_, _, v, _) in enumerate(_link_motions(arm, q, qd)):
        potential = xp.concatenate([xp.stack([g @ p[i]]), R[i].T @ g, xp.zeros(6)])
        parts.append(v @ momentum_of_body(v) / 2 - potential)
    return xp.concatenate([*parts, *(qd * qd / 2 for _ in _motor_terms(joints))])


def force_regressor(v: Array, a: Array) -> Array:
    """Return the matrix (6, 10) of the force on one body, I a + v x* I v = matrix @ (m, m c, inertia), all about its origin.

    v, a: (6,) spatial velocity and acceleration, angular part first, in the axes of the body.
    With the acceleration a_O = a + omega x v of the origin: the moment is m c x a_O + I alpha + omega x I omega, the
    force m a_O + alpha x m c + omega x (omega x m c).
    """
    xp = namespace(v, a)
    omega = skew(v[:3])
    alpha = skew(a[:3])
    of_origin = a[3:] + omega @ v[3:]
    turning = products_with(a[:3]) + omega @ products_with(v[:3])
    moment = xp.concatenate([xp.zeros((3, 1)), -skew(of_origin), turning], axis=1)
    force = xp.concatenate([of_origin[:, None], alpha + omega @ omega, xp.zeros((3, 6))], axis=1)
    return xp.concatenate([moment, force])


def momentum_of_body(v: Array) -> Array:
    """Return the matrix (6, 10) of the momentum of one body, I v = matrix @ (m, m c, inertia), about its origin."""
    xp = namespace(v)
    moment = xp.concatenate([xp.zeros((3, 1)), -skew(v[3:]), products_with(v[:3])], axis=1)
    return xp.concatenate([moment, xp.concatenate([v[3:, None], skew(v[:3]), xp.zeros((3, 6))], axis=1)])


def products_with(omega: Array) -> Array:
    """Return the matrix (3, 6) with I @ omega = matrix @ (I_xx, I_xy, I_xz, I_yy, I_yz, I_zz)."""
    xp = namespace(omega)
    x, y, z = omega
    return xp.stack(
        [xp.stack([x, y, z, 0, 0, 0]), xp.stack([0, x, 0, y, z, 0]), xp.stack([0, 0, x, 0, y, z])],
    )


def joint_terms(joints: Iterable[str], allowed: Sequence[str] = JOINT_TERMS) -> tuple[str, ...]:
    """Return the words of `joints` in a tuple, or say which one is none of those that are allowed."""
    terms = (joints,) if isinstance(joints, str) else tuple(joints)
    for term in terms:
        if term not in allowed:
            raise ValueError(f"joints must name some of {', '.join(allowed)}, got {in_short(term)}")
    if len(set(terms)) < len(terms):
        raise ValueError(f"joints must name each term once, got {', '.join(terms)}")
    return terms


def _as_width(width: Any) -> Any:
    """Return a width of friction, > 0; an expression, or a number that is yet to come, as it is."""
    return width if hasattr(width, "sin") or is_symbolic(width) else as_positive(width, "width", "rad/s (or m/s)")


def _motor_terms(joints: Iterable[str]) -> tuple[str, ...]:
    return joint_terms(joints, JOINT_TERMS[:1])


def _link_motions(arm: Arm, q: Any, qd: Any) -> Iterator[tuple[Transform, Array, Array, Array]]:
    """Yield X, S, the velocity v (6,) and the Jacobian J (6, n), v = J qd, of each link, in its axes."""
    xp = namespace(arm, q, qd)
    parent = arm.parents
    v = {-1: xp.zeros(6)}
    J = {-1: xp.zeros((6, arm.n))}
    for i, link in enumerate(arm.links):
        X = Transform(*joint_transform(link, q[i]))
        S = xp.array(joint_motion(link))
        v[i] = X @ v[parent[i]] + S * qd[i]
        J[i] = X @ J[parent[i]] + S[:, None] * xp.eye(arm.n)[i]
        yield X, S, v[i], J[i]
