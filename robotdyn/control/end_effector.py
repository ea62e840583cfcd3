"""Control laws of an end effector:  a spring and a damper at a point (impedance), or the acceleration of a point (operational space).

    impedance:          tau = J^T (K (x_ref - x) + D (v_ref - v)) + g
    operational space:  tau = J^T f + tau_0,  f = Lambda (a_ref + kd (v_ref - v) + kp (x_ref - x) - a_0)

with a_0 the acceleration that the point would have under tau_0 alone.
Hogan (1985), "Impedance control"; Khatib (1987), "A unified approach for motion and force control of robot manipulators:
the operational space formulation"; chapters "task-space" and "soft-hands".
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.control.checks import Motion, as_motion, gain_matrix
from robotdyn.control.joint_space import gravity_compensation
from robotdyn.dynamics.forces import Law
from robotdyn.dynamics.kinematics import point_acceleration, point_jacobian, point_position
from robotdyn.dynamics.recursive import forward_dynamics
from robotdyn.dynamics.task_space import effective_inertia, mobility, singular_pose_error
from robotdyn.maths.validate import Entries, Floats, as_numbers, check_numeric, in_short
from robotdyn.model.arm import Arm
from robotdyn.model.link import LinkFrame

MAX_CONDITION = 1e12  # condition of J M^-1 J^T from which on fewer than four digits of a force are left


def impedance(
    arm: Arm,
    goal: ArrayLike | Motion,
    stiffness: ArrayLike,
    damping: ArrayLike,
    joint_damping: ArrayLike = 0.0,
    link: int | str | LinkFrame = -1,
    point: ArrayLike | None = None,
) -> Law:
    """Return the law tau = J^T (stiffness (x_ref - x) + damping (v_ref - v)) + g - joint_damping qd of a point.

    goal: (3,) m, base axes, or a motion t -> (x, v, a) of such;
    stiffness: N/m, damping: N s/m: numbers, (3,) or (3, 3), symmetric, without a negative eigenvalue;
    joint_damping: N m s/rad (N s/m), a number, (n,) or (n, n), for what the point does not show.  link and point as in
    `rd.point_position`, default the tip, or the origin of a frame on a link.
    A steady force f on the point moves it by stiffness^-1 f, where the pose lets it.  Hogan (1985).
    """
    check_numeric(arm, "impedance")
    K = gain_matrix(stiffness, "stiffness", 3)
    D = gain_matrix(damping, "damping", 3)
    joints = gain_matrix(joint_damping, "joint_damping", arm.n)
    if callable(goal):
        reference = as_motion(goal, 3, "rd.control.minimum_jerk(x_start, x_end, ..)")
    else:
        fixed = as_numbers(goal, "goal", (3,)), np.zeros(3), np.zeros(3)
        reference = lambda t: fixed
    point = None if point is None else as_numbers(point, "point", (3,))
    position, jacobian = (
        specialize(functools.partial(algorithm, link=link, point=point), arm, target="python", inputs="q")
        for algorithm in (point_position, point_jacobian)
    )
    weight = gravity_compensation(arm)

    def law(t: float, q: Any, qd: Any) -> Floats:
        x_ref, v_ref, _ = reference(t)
        J = jacobian(q)[:3]
        return J.T @ (K @ (x_ref - position(q)) + D @ (v_ref - J @ qd)) + weight(t, q, qd) - joints @ qd

    return law


def operational_space(
    arm: Arm,
    motion: Motion,
    kp: ArrayLike,
    kd: ArrayLike,
    posture: Law | None = None,
    link: int | str | LinkFrame = -1,
    point: ArrayLike | None = None,
    directions: ArrayLike | None = None,
) -> Law:
    """Return the law that gives a point the acceleration a = a_ref + kd (v_ref - v) + kp (x_ref - x), by rd.task_space.

    motion: t -> (x, v, a) (k,) each, m, m/s, m/s^2, along the directions (k, 3), base axes, default x, y and z;
    kp: 1/s^2, kd: 1/s: numbers, (k,) or (k, k), symmetric, without a negative eigenvalue; link and point as in
    `rd.point_position`, default the tip, or the origin of a frame on a link.
    posture: the law tau_0 of what the point leaves free, default gravity compensation; an arm with more joints than
    directions needs one that damps, such as `rd.control.pd`.  The point does not feel it.
    Raises ValueError where the pose does not let the point move along all directions.  Khatib (1987).
    """
    check_numeric(arm, "operational_space")
    D = direction_rows(directions)
    k = len(D)
    Kp = gain_matrix(kp, "kp", k)
    Kd = gain_matrix(kd, "kd", k)
    motion = as_motion(motion, k)
    point_dynamics = dynamics_along(arm, D, posture, link, point)

    def law(t: float, q: Any, qd: Any) -> Floats:
        x_ref, v_ref, a_ref = motion(t)
        x, J, A, a_0, tau_0 = point_dynamics(t, q, qd)
        a_wanted = a_ref + Kd @ (v_ref - J @ qd) + Kp @ (x_ref - x)
        return tau_0 + J.T @ np.linalg.solve(A, a_wanted - a_0)

    return law


def direction_rows(directions: ArrayLike | None) -> Floats:
    """Return directions (k, 3) of a point, base axes, default x, y and z; ValueError for another shape."""
    D = np.eye(3) if directions is None else as_numbers(directions, "directions", (...,))
    if D.ndim != 2 or not len(D) or D.shape[1] != 3:
        raise ValueError(f"directions must have shape (k, 3), got {D.shape}: a row for each direction")
    return D


def dynamics_along(
    arm: Arm, D: Floats, posture: Law | None, link: int | str | LinkFrame = -1, point: ArrayLike | None = None
) -> Callable[[float, Any, Any], tuple[Floats, ...]]:
    """Return the function (t, q, qd) -> x (k,), J (k, n), A = J M^-1 J^T (k, k), a_0 (k,), tau_0 (n,) of a point along D (k, 3).

    posture: the law tau_0, default gravity compensation; a_0: the acceleration under it.  The function raises ValueError
    where the pose does not let the point move along all directions.
    """
    if posture is not None and not callable(posture):
        raise TypeError(f"posture must be a law (t, q, qd) -> tau, got {in_short(posture)}")
    free_law = gravity_compensation(arm) if posture is None else posture
    point = None if point is None else as_numbers(point, "point", (3,))
    program = specialize(
        functools.partial(_point_dynamics, link=link, point=point, D=D), arm, "python", inputs=("q", "qd", "tau")
    )

    def evaluate(t: float, q: Any, qd: Any) -> tuple[Floats, ...]:
        tau_0 = as_numbers(free_law(t, q, qd), "the torque of posture", (arm.n,))
        x, J, A, a_0 = program(q, qd, tau_0)
        if not np.linalg.cond(A) < MAX_CONDITION:
            effective_inertia(arm, q, link, point, D)  # which says what cannot move at all
            raise singular_pose_error(np.pad(np.linalg.eigh(A)[1][:, 0] @ D, (0, 3)))
        return x, J, A, a_0, tau_0

    return evaluate


def _point_dynamics(
    arm: Arm, q: Entries, qd: Entries, tau: Entries, link: int | str | LinkFrame, point: Any, D: Floats
) -> tuple[Any, ...]:
    """Return x (k,), J (k, n), J M^-1 J^T (k, k) and the acceleration under tau (k,) of a point, along directions."""
    a = point_acceleration(arm, q, qd, forward_dynamics(arm, q, qd, tau), link, point)[:3]
    J = point_jacobian(arm, q, link, point)[:3]
    return D @ point_position(arm, q, link, point), D @ J, mobility(arm, q, link, point, D), D @ a
