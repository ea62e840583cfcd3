"""Laws of a hand in contact:  a force along some directions and a motion along the others, or a motion that yields to a force.

    hybrid:      tau = tau_0 + J^T (Lambda (a - a_0) + f_c),   J (k, n): along perpendicular unit directions
                 motion:  a = a_ref + kd (v_ref - v) + kp (x_ref - x),   f_c = 0
                 force:   a = -kd v,   f_c = f_ref + ki z,   dz/dt = f_ref - f
    admittance:  mass (dv/dt - a_ref) + damping (v - v_ref) + stiffness (x - x_ref) = f,   and the hand follows x, v, dv/dt

f is what a sensor measures.  Raibert and Craig (1981); Khatib (1987); Siciliano et al. (2009), 9.3, 9.4 and 9.7; chapter
"pushing-on-a-wall".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.control.adaptive_control import Learning
from robotdyn.control.checks import Motion, as_motion, gain_matrix
from robotdyn.control.end_effector import direction_rows, dynamics_along
from robotdyn.dynamics.forces import Law
from robotdyn.maths.validate import Floats, as_numbers, check_numeric, in_short
from robotdyn.model.arm import Arm
from robotdyn.model.link import LinkFrame


def hybrid_force_motion(
    arm: Arm,
    motion: Motion,
    force: ArrayLike | Callable[[float], ArrayLike],
    sensor: Law,
    selection: ArrayLike,
    kp: ArrayLike,
    kd: ArrayLike,
    ki: ArrayLike = 0.0,
    directions: ArrayLike | None = None,
    posture: Law | None = None,
    link: int | str | LinkFrame = -1,
    point: ArrayLike | None = None,
) -> Learning:
    """Return the law that controls a force along the selected directions of a task frame, and the motion along the others.

    motion: t -> (x, v, a) (k,) each, m, m/s, m/s^2, along the directions (k, 3), perpendicular unit vectors, base axes,
    default x, y and z; what it says along a selected direction is not looked at;
    force: (k,) N, or t -> (k,), that the hand is to exert, 0 where the motion is controlled;
    sensor: (t, q, qd) -> (3,) N, the force on the hand, base axes, as `rd.forces.PlaneContact.force`;
    selection: (k,) of True and False, True where the force is controlled;
    kp: 1/s^2, kd: 1/s, ki: 1/s, of the integral of the error of the force: numbers, (k,) or (k, k), none negative.
    With a right model, no joints to spare and one elastic contact without friction, its normal along a selected direction, the
    force settles in continuous time if 0 < ki < kd, whatever the stiffness; friction moves that limit, as do periods of the
    clock that are not short against the ringing on the contact.
    posture, link, point and their errors as in `rd.control.operational_space`: the tip, or the origin of a frame on a link.
    The state z (k,) N s is that integral; it grows without bound where nothing is touched.
    Raises ValueError for a force wanted along a direction whose motion is controlled, and for a frame that is none.
    """
    check_numeric(arm, "hybrid_force_motion")
    D = _task_frame(directions)
    k = len(D)
    selected = _selection(selection, k)
    f_ref = _wanted_force(force, selected)
    motion = as_motion(motion, k)
    Kp, Kd, Ki = (gain_matrix(gain, name, k) for gain, name in ((kp, "kp"), (kd, "kd"), (ki, "ki")))
    measure = _as_sensor(sensor)
    point_dynamics = dynamics_along(arm, D, posture, link, point)

    def step(t: float, q: Any, qd: Any, z: Floats) -> tuple[Floats, Floats]:
        x, J, A, a_0, tau_0 = point_dynamics(t, q, qd)
        x_ref, v_ref, a_ref = motion(t)
        v = J @ qd
        servo = a_ref + Kd @ (v_ref - v) + Kp @ (x_ref - x)
        a = np.where(selected, -Kd @ v, servo)
        f = f_ref(t)
        f_c = np.where(selected, f + Ki @ z, 0)
        zd = np.where(selected, f + D @ measure(t, q, qd), 0)  # the hand exerts the opposite of what acts on it
        return tau_0 + J.T @ (np.linalg.solve(A, a - a_0) + f_c), zd

    return Learning(step, np.zeros(k))


def admittance(
    arm: Arm,
    goal: ArrayLike | Motion,
    sensor: Law,
    mass: ArrayLike,
    damping: ArrayLike,
    stiffness: ArrayLike,
    kp: ArrayLike,
    kd: ArrayLike,
    q: ArrayLike,
    directions: ArrayLike | None = None,
    posture: Law | None = None,
    link: int | str | LinkFrame = -1,
    point: ArrayLike | None = None,
) -> Learning:
    """Return the law that moves a hand as the measured force would move a mass, a damper and a spring at the goal.

    goal: (k,) m along the directions (k, 3), base axes, default x, y and z, or a motion t -> (x, v, a) of such;
    sensor: (t, q, qd) -> (3,) N, the force on the hand, base axes, as `rd.forces.PlaneContact.force`;
    mass: kg, damping: N s/m, stiffness: N/m, of what the hand pretends to be: numbers, (k,) or (k, k), none negative,
    the mass above zero;
    kp: 1/s^2, kd: 1/s, of the loop inside, which follows the pretended motion and cancels the measured force;
    q: (n,) rad (m), the pose in which the pretended motion begins, at rest.
    posture, link, point and their errors as in `rd.control.operational_space`: the tip, or the origin of a frame on a link.
    The state is x and v (2 k,) of the pretended motion, which `rd.control.run` moves on by its rates at each sample: take
    a mass above damping times half a period.  Siciliano et al. (2009), 9.3.
    """
    check_numeric(arm, "admittance")
    D = direction_rows(directions)
    k = len(D)
    M, B, K = (gain_matrix(x, name, k) for x, name in ((mass, "mass"), (damping, "damping"), (stiffness, "stiffness")))
    if not np.linalg.eigvalsh(M)[0] > 0:
        raise ValueError(
            f"mass must be positive, got {np.asarray(mass).tolist()}: a force would move it infinitely fast"
        )
    Kp = gain_matrix(kp, "kp", k)
    Kd = gain_matrix(kd, "kd", k)
    if callable(goal):
        reference = as_motion(goal, k)
    else:
        fixed = as_numbers(goal, "goal", (k,)), np.zeros(k), np.zeros(k)
        reference = lambda t: fixed
    measure = _as_sensor(sensor)
    point_dynamics = dynamics_along(arm, D, posture, link, point)

    def step(t: float, q: Any, qd: Any, z: Floats) -> tuple[Floats, Floats]:
        x_ref, v_ref, a_ref = reference(t)
        f = D @ measure(t, q, qd)
        x_c = z[:k]
        v_c = z[k:]
        a_c = a_ref + np.linalg.solve(M, f + B @ (v_ref - v_c) + K @ (x_ref - x_c))
        x, J, A, a_0, tau_0 = point_dynamics(t, q, qd)
        a = a_c + Kd @ (v_c - J @ qd) + Kp @ (x_c - x)
        return tau_0 + J.T @ (np.linalg.solve(A, a - a_0) - f), np.concatenate([v_c, a_c])

    at = as_numbers(q, "q", (arm.n,))
    x = point_dynamics(0.0, at, np.zeros(arm.n))[0]
    return Learning(step, np.concatenate([x, np.zeros(k)]))


def _task_frame(directions: ArrayLike | None) -> Floats:
    """Return the axes (k, 3) of a task frame; ValueError unless they are perpendicular unit vectors."""
    D = direction_rows(directions)
    if not np.allclose(D @ D.T, np.eye(len(D)), rtol=0, atol=1e-9):
        raise ValueError(
            f"directions must be perpendicular unit vectors, got {D.tolist()}: "
            "a force along one of them would move the hand along another"
        )
    return D


def _selection(selection: ArrayLike, k: int) -> Floats:
    entries = list(selection) if np.iterable(selection) else []
    if len(entries) != k or not all(isinstance(x, (bool, np.bool)) for x in entries):
        raise ValueError(
            f"selection must hold True or False for each of the {k} directions, got {in_short(selection)}: "
            "True where the force is controlled"
        )
    return np.array(entries)


def _wanted_force(force: Any, selected: Floats) -> Callable[[float], Floats]:
    """Return t -> force (k,) N, checked at t = 0: 0 along the directions that are not selected."""
    constant = None if callable(force) else as_numbers(force, "force", selected.shape)
    wanted = (lambda t: as_numbers(force(t), "force", selected.shape)) if constant is None else (lambda t: constant)
    for i in np.flatnonzero((wanted(0.0) != 0) & np.logical_not(selected)):
        raise ValueError(
            f"force must be 0 along direction {i}, whose motion is controlled, got {wanted(0.0)[i]:g} N: "
            "select this direction, or want no force there"
        )
    return wanted


def _as_sensor(sensor: Any) -> Callable[[float, Any, Any], Floats]:
    if not callable(sensor):
        raise TypeError(
            f"sensor must be a function (t, q, qd) -> force (3,) N on the hand, as the force of rd.forces.plane_contact, "
            f"got {in_short(sensor)}"
        )
    return lambda t, q, qd: as_numbers(sensor(t, q, qd), "the force of sensor", (3,))
