"""The dynamics of a hand:  Lambda a + mu + gamma = f,  Lambda = (J M^-1 J^T)^-1,  and the impulse where it strikes.

a: acceleration of a point of a link along k directions; f: force there, besides that of the motors; mu: from the
rates of the joints; gamma: weight.  J (k, n): velocities along the directions = J qd.  Khatib (1987); chapter "task-space".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.dynamics.kinematics import as_frame, link_poses, point_acceleration, point_jacobian, point_position
from robotdyn.dynamics.recursive import forward_dynamics, mass_matrix, solve
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.namespace import generic, namespace
from robotdyn.maths.spatial import symmetric
from robotdyn.maths.validate import Entries, Floats, Result, as_numbers, check_numeric
from robotdyn.model.arm import Arm
from robotdyn.model.link import LinkFrame

__all__ = ["Impact", "bias_force", "effective_inertia", "effective_mass", "force", "impact", "mobility"]
offer_public_names(__name__)

ROUNDOFF = 1e-14  # an entry of J as small as this beside the size of the arm is rounding
SINGULAR_RATIO = 1e-12  # a ratio of singular values of which less than four digits are left


@generic
def mobility(
    arm: Arm,
    q: Entries,
    link: int | str | LinkFrame = -1,
    point: Entries | None = None,
    directions: Entries | None = None,
) -> Result:
    """Return J M^-1 J^T (k, k), 1/kg: how a push of 1 N along one direction accelerates the point along each of them.

    q: (n,) rad or m, or (..., n);
    link and point: as in `rd.point_position`, default the tip, or the origin of a frame on a link;
    directions: (k, 3) of motion of the point, base axes, or (k, 6) of its motion and of the link's turning; default x,
    y and z.  It exists in every pose.
    """
    xp = namespace(arm, q)
    J = xp.array(as_directions(directions)) @ point_jacobian(arm, q, link, point)
    M = mass_matrix(arm, q)
    return symmetric(J @ xp.stack([solve(M, row) for row in J]).T)


def effective_inertia(
    arm: Arm,
    q: ArrayLike,
    link: int | str | LinkFrame = -1,
    point: ArrayLike | None = None,
    directions: ArrayLike | None = None,
) -> Floats:
    """Return Lambda = (J M^-1 J^T)^-1 (k, k), kg: the force that a unit of acceleration takes, at rest without weight.

    q: (n,) rad or m, or (..., n) for (..., k, k);
    link and point: as in `rd.point_position`, default the tip, or the origin of a frame on a link;
    directions: (k, 3) of motion of the point, base axes, or (k, 6) of its motion and of the link's turning (then also
    kg m, kg m^2); default x, y, z.
    Rows are taken as they are: (2, 0, 0) measures motion along x in halves of a meter.
    Raises ValueError, and says which, where a direction depends on others, where too few joints carry the point, and
    where the pose lets it not move along some combination of them.
    """
    J, M, D = _jacobian_mass_directions(arm, q, "effective_inertia", link, point, directions)
    _check_directions(arm, D, link)
    A = _mass_normalized(M, J)
    lengths = np.linalg.norm(A, axis=-2)
    scaled = A / np.where(lengths > 0, lengths, 1)[..., None, :]  # so that no unit weighs more than another
    _, s, Vt = np.linalg.svd(scaled, full_matrices=False)
    singular = s[..., -1] <= SINGULAR_RATIO * s[..., 0]
    if singular.any():
        raise singular_pose_error((Vt[..., -1, :] / np.where(lengths > 0, lengths, 1))[singular][0] @ D)
    half = Vt / s[..., None] / lengths[..., None, :]
    return np.swapaxes(half, -1, -2) @ half


def effective_mass(
    arm: Arm, q: ArrayLike, direction: ArrayLike, link: int | str | LinkFrame = -1, point: ArrayLike | None = None
) -> Any:
    """Return 1 / (d . J M^-1 J^T d) in kg: the mass that a push along d feels; `inf` where nothing can move along d.

    q: (n,) rad or m, or (..., n) for (...) masses;
    link and point: as in `rd.point_position`, default the tip, or the origin of a frame on a link.
    direction: (3,), base axes, of any length; or (6,) with a turning of the link: (0, 0, 0, 0, 0, 1) gives the moment
    of inertia in kg m^2 that a torque about z feels; d is it divided by the length of its first three entries, or where
    these are 0 of its last three.  Motion in other directions is free; to hold it, ask for `effective_inertia` in those
    directions too: d . Lambda d.
    """
    d = _unit_direction(direction, "direction")
    J, M, _ = _jacobian_mass_directions(arm, q, "effective_mass", link, point, d[None])
    mobility_along = (_mass_normalized(M, J) ** 2).sum(axis=(-2, -1))
    with np.errstate(divide="ignore"):
        return (1 / mobility_along)[()]


def force(
    arm: Arm,
    q: ArrayLike,
    qd: ArrayLike,
    acceleration: ArrayLike,
    tau: ArrayLike | None = None,
    link: int | str | LinkFrame = -1,
    point: ArrayLike | None = None,
    directions: ArrayLike | None = None,
) -> Floats:
    """Return f = Lambda (a - a_0) (k,) N: the force at the point that gives it the acceleration a, on top of the motors.

    q, qd: (n,) rad and rad/s (m and m/s);
    acceleration: (k,) m/s^2 along the directions;
    tau: (n,) N m (N) of the motors, default none; a_0: the acceleration without f.  Motors that do without a hand's
    push apply J^T f besides tau.
    link and point: as in `rd.point_position`, default the tip, or the origin of a frame on a link;
    the rest, and the errors, as in `effective_inertia`.
    """
    inertia = effective_inertia(arm, q, link, point, directions)
    q = as_numbers(q, "q", (arm.n,))
    qd = as_numbers(qd, "qd", (arm.n,))
    tau = 0 * q if tau is None else as_numbers(tau, "tau", (arm.n,))
    free = point_acceleration(arm, q, qd, forward_dynamics(arm, q, qd, tau), link, point)
    return inertia @ (as_numbers(acceleration, "acceleration", (len(inertia),)) - as_directions(directions) @ free)


def bias_force(
    arm: Arm,
    q: ArrayLike,
    qd: ArrayLike,
    link: int | str | LinkFrame = -1,
    point: ArrayLike | None = None,
    directions: ArrayLike | None = None,
) -> Floats:
    """Return mu + gamma (k,) N: the force at the point that keeps its velocity steady while the motors are off.

    mu = Lambda (J M^-1 C qd - Jdot qd),  gamma = Lambda J M^-1 g.  Arguments and errors as in `force`,
    so of link and point, default the tip, or the origin of a frame on a link.
    """
    rest = np.zeros(len(as_directions(directions)))
    return force(arm, q, qd, rest, link=link, point=point, directions=directions)


@dataclass(frozen=True)
class Impact:
    """What a blow leaves.

    effective_mass: kg, of the arm along the normal; impulse: N s, on the arm, along the normal; qd: (n,) rad/s (m/s)
    after the blow; energy_lost: J; speed: m/s, of the struck body after it, away from the arm.
    """

    effective_mass: float
    impulse: float
    qd: Floats
    energy_lost: float
    speed: float


def impact(
    arm: Arm,
    q: ArrayLike,
    qd: ArrayLike,
    normal: ArrayLike,
    restitution: float = 0.0,
    struck: float = math.inf,
    link: int | str | LinkFrame = -1,
    point: ArrayLike | None = None,
) -> Impact:
    """Return the Impact of a point of a link on a smooth body at rest: qd jumps by M^-1 J^T n (impulse), q stays.

    The impulse is (1 + e) v / (1/m + 1/struck), with v the speed of approach and m the effective mass along the normal.
    q, qd: (n,) before the blow;
    normal: (3,), base axes, from the body toward the arm, any length;
    restitution: e, from 0 (stays) to 1 (bounces);
    struck: kg, of the free body that is struck, default a wall;
    link and point: as in `rd.point_position`, default the tip, or the origin of a frame on a link.
    A point that does not approach strikes nothing: the impulse is 0.
    Motors and weight are too weak to count in so short a time.  Chapter "task-space".
    """
    n = _unit_direction(as_numbers(normal, "normal", (3,)), "normal")
    e = float(as_numbers(restitution, "restitution", ()))
    if not 0 <= e <= 1:
        raise ValueError(f"restitution must be from 0 (stays) to 1 (bounces), got {restitution}")
    if not (isinstance(struck, float) and struck == math.inf):
        struck = float(as_numbers(struck, "struck", ()))
    if not struck > 0:
        raise ValueError(f"struck must be > 0 kg (math.inf for a wall), got {struck}")
    check_numeric(arm, "impact")
    q = as_numbers(q, "q", (arm.n,))
    qd = as_numbers(qd, "qd", (arm.n,))
    mass = float(effective_mass(arm, q, n, link, point))
    row = n @ point_jacobian(arm, q, link, point)
    approach = max(0.0, -float(row @ qd)) if mass < math.inf else 0.0
    reduced_mass = 1 / (1 / mass + 1 / struck) if approach else 0.0
    impulse = (1 + e) * reduced_mass * approach
    after = qd + solve(mass_matrix(arm, q), row) * impulse
    return Impact(mass, impulse, after, (1 - e**2) * reduced_mass * approach**2 / 2, impulse / struck)


# ---- shared pieces --------------------------------------------------------------------------------------------------


def as_directions(directions: Any) -> Floats:
    """Return directions as rows (k, 6), linear part first; None: x, y and z of the point."""
    if directions is None:
        return np.eye(3, 6)
    D = as_numbers(directions, "directions", (...,))
    if D.ndim != 2 or not len(D) or D.shape[1] not in (3, 6):
        raise ValueError(f"directions must have shape (k, 3) or (k, 6), got {D.shape}: a row for each direction")
    return D if D.shape[1] == 6 else np.hstack([D, np.zeros_like(D)])


def _unit_direction(direction: Any, name: str) -> Floats:
    """Return a direction (6,) whose linear part, or where there is none its angular part, is a unit vector."""
    d = as_numbers(direction, name, (...,))
    if d.shape not in ((3,), (6,)):
        raise ValueError(f"{name} must have shape (3,), or (6,) with a turning, got {d.shape}")
    d = np.concatenate([d, np.zeros(6 - len(d))])
    length = np.linalg.norm(d[:3]) or np.linalg.norm(d[3:])
    if length == 0:
        raise ValueError(f"{name} must not be zero, got {d.tolist()}")
    return d / length


def _jacobian_mass_directions(
    arm: Arm, q: Any, caller: str, link: Any, point: Any, directions: Any
) -> tuple[Floats, Floats, Floats]:
    """Return J (..., k, n) along the directions, where rounding is made zero, M (..., n, n), and the directions (k, 6)."""
    check_numeric(arm, caller)
    q = as_numbers(q, "q", (..., arm.n))
    D = as_directions(directions)
    point = None if point is None else as_numbers(point, "point", (3,))
    forward_dynamics(arm, q, 0 * q, 0 * q)  # says where a joint moves no mass, so that M has no inverse
    J = point_jacobian(arm, q, link, point)
    places = np.concatenate([link_poses(arm, q)[1], point_position(arm, q, link, point)[..., None, :]], axis=-2)
    reach = np.maximum(abs(places).max(axis=(-2, -1)), abs(J[..., :3, :]).max(axis=(-2, -1)))
    size = np.concatenate([np.repeat(reach[..., None], 3, axis=-1), np.ones((*reach.shape, 3))], axis=-1) @ abs(D).T
    J = D @ J
    return np.where(abs(J) <= ROUNDOFF * size[..., None], 0, J), mass_matrix(arm, q), D


def _mass_normalized(M: Floats, J: Floats) -> Floats:
    """Return A (..., n, k) with A^T A = J M^-1 J^T: the directions in rates in which the kinetic energy is |rate|^2 / 2.

    M = L^T L from the last row up, as in `solve`; A = L^-T J^T.
    """
    L = np.linalg.cholesky(M[..., ::-1, ::-1])
    return np.linalg.solve(L, np.swapaxes(J, -1, -2)[..., ::-1, :])


def _check_directions(arm: Arm, D: Floats, link: int | str | LinkFrame) -> None:
    """Refuse directions that depend on each other, and more of them than joints that carry the point."""
    k = len(D)
    lengths = np.linalg.norm(D, axis=1)
    rank = np.linalg.matrix_rank(D / np.where(lengths > 0, lengths, 1)[:, None], SINGULAR_RATIO)
    if rank < k:
        raise ValueError(
            f"directions must be independent, got {k} of rank {rank}: leave out what is a combination of the others"
        )
    index = as_frame(arm, link).link
    path = list(arm.path(index))
    joints = len(path) if arm.coupling is None else int(arm.coupling[path, :-1].any(axis=0).sum())
    if joints < k:
        raise ValueError(
            f"a point must be carried by as many joints as there are directions, got {joints} joint{'s' * (joints > 1)} "
            f"before link {index} and {k} directions: give at most {joints} of them, or ask rd.effective_mass "
            "for one direction"
        )


def singular_pose_error(direction: Floats) -> ValueError:
    """Return the error that the pose does not let the point move along `way` (6,), a combination of the directions."""
    direction = direction / (np.linalg.norm(direction[:3]) or np.linalg.norm(direction[3:]))
    direction = np.round(direction * np.sign(direction[np.argmax(abs(direction))]), 6) + 0.0  # no -0
    shown = ", ".join(f"{x:.3g}" for x in (direction if direction[3:].any() else direction[:3]))
    return ValueError(
        f"the pose must let the point move along all directions, got one in which it cannot along ({shown}): the arm is "
        "singular there and its inertia infinite; leave that direction out, or ask rd.effective_mass for another"
    )
