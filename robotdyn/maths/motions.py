"""Rigid motions:  T = [[R, p], [0, 1]],  T_ac = T_ab T_bc,  T = exp(xi^),  Tdot = xi_base^ T = T xi_body^.

T takes a point's coordinates in the moved frame to those in the frame before the motion.  A twist xi = (v, omega) has
its linear part first, as everything that a caller meets: omega is the angular velocity and v the velocity of the point
of the body that is at the origin.  Murray, Li and Sastry (1994), chapters 2 and 3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robotdyn.maths import rotations
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.namespace import as_type_of, namespace
from robotdyn.maths.spatial import rotation, skew
from robotdyn.maths.validate import Array, Entries, Floats, Result, as_array, as_numbers

__all__ = [
    "Screw",
    "adjoint",
    "along",
    "exp",
    "homogeneous",
    "inverse",
    "log",
    "rate_in_base",
    "rate_in_body",
    "screw",
    "screw_of",
    "wedge",
]
offer_public_names(__name__)

SMALL = 1e-4  # rad; below it the series of a coefficient is exact to rounding with its first term


class Screw(NamedTuple):
    """A turn by `amount` about a line and a slide along it; axis (3,) a unit vector, point (3,) m of the line.

    pitch: m/rad, slide by turn.  A pure slide has the pitch infinity, and its amount is in m; else in rad.
    """

    axis: Floats
    point: Floats
    pitch: float
    amount: float


def homogeneous(R: Entries, p: Entries) -> Result:
    """Return T (4, 4) from the orientation R (3, 3) and the origin p (3,) m of a frame."""
    turned = as_array(R, "R", (3, 3))
    origin = as_array(p, "p", (3,))
    if turned.dtype != object:
        rotations.check_rotation(turned, "R")
    return as_type_of(R, _homogeneous(turned, origin))


def inverse(T: Entries) -> Result:
    """Return the motion back (4, 4), [[R^T, -R^T p], [0, 1]]; T: (4, 4)."""
    R, p = _parts(T)
    return as_type_of(T, _homogeneous(R.T, -R.T @ p))


def wedge(twist: Entries) -> Result:
    """Return the matrix (4, 4) of a twist (v, omega), xi^ = [[ [omega], v ], [0, 0]]: it takes points to velocities."""
    xi = as_array(twist, "twist", (6,))
    xp = namespace(xi)
    upper_rows = xp.concatenate([skew(xi[3:]), xi[:3][:, None]], axis=1)
    return as_type_of(twist, xp.concatenate([upper_rows, xp.zeros((1, 4))]))


def adjoint(T: Entries) -> Result:
    """Return Ad_T (6, 6), which takes twists in the moved frame to twists in the frame before: [[R, [p] R], [0, R]].

    Linear part first.  Wrenches (force, moment) go the other way by the transpose: the power is the same.
    """
    R, p = _parts(T)
    xp = namespace(R, p)
    upper_rows = xp.concatenate([R, skew(p) @ R], axis=1)
    return as_type_of(T, xp.concatenate([upper_rows, xp.concatenate([xp.zeros((3, 3)), R], axis=1)]))


def screw(axis: Entries, point: Entries = (0, 0, 0), pitch: Entries = 0) -> Result:
    """Return the unit twist (6,) of a turn at 1 rad/s about a line: (point x axis + pitch axis, axis).

    axis: (3,) unit vector; point: (3,) m, any point of the line; pitch: m/rad.  A unit slide is (axis, 0).
    """
    a = as_array(axis, "axis", (3,))
    p = as_array(point, "point", (3,))
    if a.dtype != object and abs(np.linalg.norm(a) - 1) > 1e-9:
        raise ValueError(f"axis must be a unit vector, got length {np.linalg.norm(a):.6g}: divide it by its length")
    h = as_array(pitch, "pitch", ())[()]
    xp = namespace(a, p, h)
    return as_type_of(axis, xp.concatenate([skew(p) @ a + h * a, a]))


def along(twist: Entries, amount: Entries) -> Result:
    """Return the motion (4, 4) of a joint with a unit twist (6,), |omega| = 1 or omega = 0, by an amount in rad or m.

    e^(xi^ q):  R = rotation(omega, q),  p = (1 - R) (omega x v) + omega omega^T v q,  or p = v q without a turn.
    """
    xi = as_array(twist, "twist", (6,))
    q = as_array(amount, "amount", ())[()]
    xp = namespace(xi, q)
    v = xi[:3]
    omega = xi[3:]
    if slides(xi, "twist"):
        return as_type_of(twist, _homogeneous(xp.eye(3), v * q))
    R = rotation(omega, q)
    return as_type_of(twist, _homogeneous(R, (xp.eye(3) - R) @ (skew(omega) @ v) + omega * (omega @ v) * q))


def exp(twist: Entries) -> Floats:
    """Return the motion (..., 4, 4) after one second with a steady twist (v, omega), (..., 6) m/s and rad/s."""
    xi = as_numbers(twist, "twist", (..., 6))
    v = xi[..., :3]
    phi = xi[..., 3:]
    angle = np.linalg.norm(phi, axis=-1, keepdims=True)
    across = np.cross(phi, v)
    cube = np.where(angle < SMALL, 1, angle) ** 3
    second = np.where(angle < SMALL, 1 / 6, (angle - np.sin(angle)) / cube)
    T = np.zeros((*xi.shape[:-1], 4, 4))
    T[..., :3, :3] = rotations.exp(phi)
    T[..., :3, 3] = v + np.sinc(angle / (2 * np.pi)) ** 2 / 2 * across + second * np.cross(phi, across)
    T[..., 3, 3] = 1
    return T


def log(T: Entries) -> Floats:
    """Return the twist (v, omega), (..., 6), with exp(twist) = T and |omega| <= pi; T: (..., 4, 4).

    At a half turn two twists are right, and one of them is returned.
    """
    T = as_numbers(T, "T", (..., 4, 4))
    check_motion(T, "T")
    phi = rotations.log(T[..., :3, :3])
    p = T[..., :3, 3]
    angle = np.linalg.norm(phi, axis=-1, keepdims=True)
    square = np.where(angle < SMALL, 1, angle) ** 2
    second = np.where(angle < SMALL, 1 / 12, (1 - np.cos(angle / 2) / np.sinc(angle / (2 * np.pi))) / square)
    across = np.cross(phi, p)
    return np.concatenate([p - across / 2 + second * np.cross(phi, across), phi], axis=-1)


def screw_of(twist: Entries) -> Screw:
    """Return the line, the pitch and the amount of a twist (6,) that is not 0 (Chasles): numbers only.

    The point is that of the line which is nearest to the origin.  What turns by less than 1e-12 rad a meter slides.
    """
    xi = as_numbers(twist, "twist", (6,))
    v = xi[:3]
    omega = xi[3:]
    angle = np.linalg.norm(omega)
    distance = np.linalg.norm(v)
    if angle == distance == 0:
        raise ValueError("twist must not be zero: what does not move has no axis")
    if angle <= 1e-12 * distance:
        return Screw(v / distance, np.zeros(3), np.inf, float(distance))
    axis = omega / angle
    return Screw(axis, np.cross(axis, v) / angle, float(axis @ v / angle), float(angle))


def rate_in_base(T: Entries, T_dot: Entries) -> Result:
    """Return the twist (6,) in base axes, xi^ = Tdot T^-1: v is the velocity of the point of the body at the BASE's origin.

    T, T_dot: (4, 4).
    """
    R, p = _parts(T)
    R_dot, p_dot = _parts(T_dot, "T_dot")
    omega = rotations.rate_in_base(R, R_dot)
    return as_type_of(T, namespace(R, p).concatenate([p_dot - skew(omega) @ p, omega]))


def rate_in_body(T: Entries, T_dot: Entries) -> Result:
    """Return the twist (6,) in body axes, xi^ = T^-1 Tdot: v is the velocity of the origin of the frame that moves.

    T, T_dot: (4, 4).
    """
    R, p = _parts(T)
    R_dot, p_dot = _parts(T_dot, "T_dot")
    return as_type_of(T, namespace(R, p).concatenate([R.T @ p_dot, rotations.rate_in_body(R, R_dot)]))


def slides(xi: Array, name: str) -> bool:
    """Tell whether a unit twist (6,) is a slide; refuse one that is no unit twist."""
    v = xi[:3]
    omega = xi[3:]
    slide = all(x == 0 for x in omega)
    if xi.dtype != object and abs(np.linalg.norm(v if slide else omega) - 1) > 1e-9:
        length = np.linalg.norm(v if slide else omega)
        raise ValueError(
            f"{name} must turn by 1 rad (|omega| = 1) or slide by 1 m (omega = 0, |v| = 1), got "
            f"|{'v' if slide else 'omega'}| = {length:.6g}: {'divide it by that' if length else 'a joint needs a direction'}"
        )
    return slide


def check_motion(T: Floats, name: str) -> None:
    """Refuse what is no rigid motion, (..., 4, 4) numbers."""
    if np.any(abs(T[..., 3, :] - (0, 0, 0, 1)) > 1e-9):
        raise ValueError(f"{name} must have (0, 0, 0, 1) as its last row, got {T[..., 3, :].tolist()}")
    rotations.check_rotation(T[..., :3, :3], f"the upper left 3 x 3 of {name}")


def _parts(T: Entries, name: str = "T") -> tuple[Array, Array]:
    """Return R (3, 3) and p (3,) of T (4, 4), or their rates."""
    array = as_array(T, name, (4, 4))
    if name == "T" and array.dtype != object:
        check_motion(array, name)
    return array[:3, :3], array[:3, 3]


def _homogeneous(R: Array, p: Array) -> Array:
    xp = namespace(R, p)
    last = xp.stack([xp.stack([0, 0, 0, 1])])
    return xp.concatenate([xp.concatenate([R, p[:, None]], axis=1), last])
