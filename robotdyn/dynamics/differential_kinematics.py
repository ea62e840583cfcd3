"""Rates of joints for a motion of the hand:  qd = z + J^# (v - J z),  J^# = W^-1 J^T (J W^-1 J^T + mu^2 1)^-1.

v: the velocity that is wanted; z: what the joints would rather do; W: the weights of their rates; mu: the damping.  These rates
make |J qd - v|^2 + mu^2 (qd - z)^T W (qd - z) least; without damping they are the nearest to z of all that do v.
Whitney (1969), Liegeois (1977), Nakamura and Hanafusa (1986); chapter "how-fast-must-each-joint-turn".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.dynamics.kinematics import point_acceleration, point_jacobian
from robotdyn.dynamics.recursive import solve
from robotdyn.dynamics.task_space import SINGULAR_RATIO, as_directions
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.namespace import as_type_of, namespace
from robotdyn.maths.validate import Array, Entries, Floats, Result, as_array, as_numbers, in_short, joint_count
from robotdyn.model.arm import Arm
from robotdyn.model.link import LinkFrame

__all__ = ["by_priority", "resolved_accelerations", "resolved_rates"]
offer_public_names(__name__)

# of the singular values of a task, beside its largest: what the tasks before it have left of it is rounding
LOST = 1e-9


def resolved_rates(
    arm: Arm,
    q: Entries,
    twist: Entries,
    damping: Any = 0.0,
    weights: Entries | None = None,
    null: Entries | None = None,
    link: int | LinkFrame = -1,
    point: Entries | None = None,
    directions: ArrayLike | None = None,
) -> Result:
    """Return the rates qd (n,) rad/s (m/s) that give a point of a link a velocity.

    q: (n,) rad or m, or (..., n);
    twist: (k,) m/s and rad/s along the directions, or (..., k);
    damping: mu >= 0, in the unit of J over the root of that of the weights; 0: exactly the twist, where the pose allows it;
    weights: (n,) or (..., n), > 0: what the square of each rate costs, default 1;
    null: z (n,) or (..., n), the rates from which as little as possible is departed, default 0: without damping this is
    motion in the null space;
    link and point: as in `rd.point_position`, default the tip, or the origin of a frame on a link;
    directions: (k, 3) of motion of the point, base axes, or (k, 6) of its motion and of the link's turning; default x, y
    and z, which an arm in a plane cannot have: take np.eye(2, 3) there.
    Numbers, symbols or batches of numbers.  Raises ValueError where the pose is singular and nothing is damped.
    """
    q, _, J = _task(arm, q, link, point, directions)
    v = as_array(twist, "twist", (...,))
    if v.shape[-1:] == (6,) and J.shape[-2] == 3 and directions is None:
        raise ValueError(
            "twist must have shape (3,), the velocity of the point, got (6,): directions=np.eye(6) takes the turning of the link, too"
        )
    v = as_array(twist, "twist", (..., J.shape[-2]))
    return as_type_of(twist, _resolve(J, v, damping, weights, null))


def resolved_accelerations(
    arm: Arm,
    q: Entries,
    qd: Entries,
    acceleration: Entries,
    damping: Any = 0.0,
    weights: Entries | None = None,
    null: Entries | None = None,
    link: int | LinkFrame = -1,
    point: Entries | None = None,
    directions: ArrayLike | None = None,
) -> Result:
    """Return qdd (n,) rad/s^2 (m/s^2) that give a point of a link an acceleration:  J qdd + Jdot qd = a.

    qd: (n,) rad/s (m/s), or (..., n); acceleration: (k,) m/s^2 and rad/s^2 along the directions, or (..., k); null: z
    (n,) rad/s^2 (m/s^2); link and point: as in `rd.point_position`, default the tip, or the origin of a frame on a link;
    the rest, and the errors, as in `resolved_rates`.  Luh, Walker and Paul (1980).
    """
    q, D, J = _task(arm, q, link, point, directions)
    qd = as_array(qd, "qd", (..., arm.n))
    a = as_array(acceleration, "acceleration", (..., J.shape[-2]))
    bias = point_acceleration(arm, q, qd, 0 * qd, link, point)
    return as_type_of(acceleration, _resolve(J, a - _times(namespace(bias).array(D), bias), damping, weights, null))


def by_priority(
    tasks: Iterable[tuple[ArrayLike, ArrayLike]], damping: float = 0.0, null: ArrayLike | None = None
) -> Floats:
    """Return the rates qd (n,) of tasks (J, v), the first the most important: each does what those before it have left.

    J (k, n) and v (k,), with J qd = v where the task is done, or batches (..., k, n) and (..., k);
    damping: mu >= 0, in the unit of J, of every task; it never lets a task touch those before it;
    null: z (n,) rad/s (m/s), what the joints would rather do where all tasks are done, default 0.
    Where tasks are in conflict, the error of the later one is made least by what is left.  Numbers alone: what is left
    is found by singular values.  Nakamura, Hanafusa and Yoshikawa (1987), Siciliano and Slotine (1991).
    """
    mu = _checked_damping(damping)
    tasks = _checked_tasks(tasks)
    given = [as_numbers(J, f"the Jacobian of task {i + 1}", (...,)) for i, (J, _) in enumerate(tasks)]
    if not given or any(J.ndim < 2 or J.shape[-1] != given[0].shape[-1] for J in given):
        shapes = ", ".join(str(J.shape) for J in given) or "none"
        raise ValueError(f"tasks must be pairs (J, v) with J (k, n) of one arm, got {shapes}")
    n = given[0].shape[-1]
    qd = np.zeros(n)
    N = np.eye(n)
    for i, (J, (_, v)) in enumerate(zip(given, tasks)):
        v = as_numbers(v, f"the velocity of task {i + 1}", (..., J.shape[-2]))
        U, s, Vt = np.linalg.svd(J @ N, full_matrices=False)
        left = s > LOST * np.linalg.norm(J, ord=2, axis=(-2, -1))[..., None]
        gain = np.where(left, s, 0) / np.where(left, s**2 + mu**2, 1)
        V = N @ np.swapaxes(Vt, -1, -2) * left[..., None, :]
        qd = qd + _times(V, gain * _times(np.swapaxes(U, -1, -2), v - _times(J, qd)))
        N = N - V @ np.swapaxes(V, -1, -2)
    return qd if null is None else qd + _times(N, as_numbers(null, "null", (..., n)) - qd)


def _checked_tasks(tasks: Any) -> list[tuple[Any, Any]]:
    """Return pairs (J, v), or say that these are none."""
    pairs = list(tasks) if isinstance(tasks, Iterable) else [tasks]
    for task in pairs:
        if not isinstance(task, (tuple, list)) or len(task) != 2:
            raise TypeError(f"tasks must be a list of pairs, [(J, v), ..], got {in_short(task)} as one of them")
    return pairs


# ---- shared pieces --------------------------------------------------------------------------------------------------


def _task(arm: Arm, q: Entries, link: Any, point: Any, directions: Any) -> tuple[Array, Floats, Array]:
    """Return q (..., n), the directions (k, 6) and the Jacobian (..., k, n) along them."""
    q = as_array(q, "q", (..., joint_count(arm)))
    D = as_directions(directions)
    J = point_jacobian(arm, q, link, point)
    return q, D, namespace(J).array(D) @ J


def _resolve(J: Array, v: Array, damping: Any, weights: Entries | None, null: Entries | None) -> Array:
    """Return z + W^-1 J^T (J W^-1 J^T + mu^2 1)^-1 (v - J z)."""
    k, n = J.shape[-2:]
    mu = _checked_damping(damping)
    W = np.ones(n, dtype=J.dtype) if weights is None else as_array(weights, "weights", (..., n))
    if W.ndim > max(J.ndim - 1, v.ndim):
        raise ValueError(f"weights must have shape ({n},), what each joint costs, got {W.shape}: the diagonal of W")
    if W.dtype != object and not (W > 0).all():
        raise ValueError(f"weights must be > 0, got {W.min():g}: a joint that may move freely has a small one")
    z = None if null is None else as_array(null, "null", (..., n))
    rest = v if z is None else v - _times(J, z)
    if J.dtype == W.dtype == float and isinstance(mu, float):
        half = np.sqrt(W)
        if mu == 0 or mu < SINGULAR_RATIO * np.linalg.norm(J):  # also where J = 0, as of a branch with no joint
            _check_regular(J / half[..., None, :])
        U, s, Vt = np.linalg.svd(J / half[..., None, :], full_matrices=False)  # J W^-1 J^T would square what is lost
        step = _times(np.swapaxes(Vt, -1, -2), s / (s**2 + mu**2) * _times(np.swapaxes(U, -1, -2), rest)) / half
    else:
        J_W = J / W[..., None, :]
        try:
            step = J_W.T @ solve((J_W @ J.T + mu**2 * np.eye(k, dtype=int)).astype(object), rest)
        except ValueError:
            raise ValueError(_singular("")) from None
    return step if z is None else z + step


def _times(A: Array, x: Array) -> Array:
    """Return A x for matrices (..., k, n) and vectors (..., n)."""
    return A @ x if x.ndim == 1 else (A @ x[..., None])[..., 0]


def _checked_damping(damping: Any) -> Any:
    """Return the damping as a scalar; ValueError where it is negative."""
    mu: Any = as_array(np.asarray(damping), "damping", ())[()]
    if isinstance(mu, float) and mu < 0:
        raise ValueError(f"damping must be >= 0, got {mu:g}")
    return mu


def _check_regular(J: Floats) -> None:
    """Refuse a Jacobian (..., k, n) whose rows depend on each other, and say along which direction nothing can move."""
    lengths = np.linalg.norm(J, axis=-1)[..., None]
    U, s, _ = np.linalg.svd(J / np.where(lengths > 0, lengths, 1))
    k, n = J.shape[-2:]
    lost = s[..., -1] <= SINGULAR_RATIO * s[..., 0] if k <= n else np.ones(J.shape[:-2], dtype=bool)
    if np.any(lost):
        row = (U[..., :, -1] / np.where(lengths > 0, lengths, 1)[..., 0])[lost][0]
        row = np.round(row / np.linalg.norm(row) * np.sign(row[np.argmax(abs(row))]), 6) + 0.0  # no -0
        raise ValueError(_singular(f" along the combination ({', '.join(f'{x:.3g}' for x in row)}) of them"))


def _singular(where: str) -> str:
    return (
        f"the pose must let the point move along all directions where damping is 0, got one in which it cannot{where}: "
        "leave a direction out, or give damping > 0"
    )
