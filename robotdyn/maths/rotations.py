"""Rotations:  R^T R = 1,  Rdot = [omega_base] R = R [omega_body],  R = exp[phi],  and quaternions (w, x, y, z).

R takes coordinates in the turned frame to coordinates in the frame before the turn; `rd.spatial.rotation` turns about
one axis.  A quaternion is the cosine of half the angle, then the axis times its sine; q and -q are one rotation.
"""

from __future__ import annotations

import numpy as np

from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.namespace import as_type_of, is_negligible
from robotdyn.maths.validate import Array, Entries, Floats, Result, as_array, as_numbers

__all__ = [
    "exp",
    "from_quaternion",
    "log",
    "quaternion_product",
    "quaternion_rate",
    "rate_in_base",
    "rate_in_body",
    "right_jacobian_inverse",
    "to_quaternion",
]
offer_public_names(__name__)

SMALL = 1e-4  # rad; below it the series of a coefficient is exact to rounding with its first term


def exp(phi: Entries) -> Floats:
    """Return the rotation about the direction of phi by the angle |phi|; phi: (..., 3) rad, the result (..., 3, 3)."""
    from scipy.spatial.transform import Rotation

    phi = as_numbers(phi, "phi", (..., 3))
    return Rotation.from_rotvec(phi.reshape(-1, 3)).as_matrix().reshape(*phi.shape, 3)


def log(R: Entries) -> Floats:
    """Return the rotation vector phi (..., 3) rad of R (..., 3, 3):  exp(phi) = R and |phi| <= pi.

    At a half turn phi and -phi are both right, and one of them is returned.
    """
    from scipy.spatial.transform import Rotation

    R = as_numbers(R, "R", (..., 3, 3))
    check_rotation(R, "R")
    return Rotation.from_matrix(R.reshape(-1, 3, 3)).as_rotvec().reshape(R.shape[:-1])


def to_quaternion(R: Entries) -> Floats:
    """Return the unit quaternion (w, x, y, z) with w >= 0 of a rotation matrix; R: (..., 3, 3), the result (..., 4)."""
    phi = log(R)
    half = np.linalg.norm(phi, axis=-1, keepdims=True) / 2
    return np.concatenate([np.cos(half), np.sinc(half / np.pi) * phi / 2], axis=-1)


def from_quaternion(quaternion: Entries) -> Result:
    """Return the rotation matrix of a quaternion (w, x, y, z) of any length but 0; numbers (..., 4), or symbols (4,)."""
    array = as_array(quaternion, "quaternion", (..., 4))
    w, x, y, z = np.moveaxis(array, -1, 0)
    square = w * w + x * x + y * y + z * z
    squares = np.asarray(square)
    if any(is_negligible(x, array) for x in squares.flat) if squares.dtype == object else np.any(squares == 0):
        raise ValueError("quaternion must not be zero: no rotation turns by it; (1, 0, 0, 0) turns nothing")
    rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    return as_type_of(quaternion, np.moveaxis(np.array(rows, dtype=array.dtype) / square, (0, 1), (-2, -1)))


def quaternion_product(a: Entries, b: Entries) -> Result:
    """Return the quaternion of the rotation b followed, in the axes before both, by a; numbers (..., 4), or symbols (4,).

    from_quaternion(a b) = from_quaternion(a) from_quaternion(b).
    """
    left = as_array(a, "a", (..., 4))
    right = as_array(b, "b", (..., 4))
    w, x, y, z = np.moveaxis(left, -1, 0)
    s, i, j, k = np.moveaxis(right, -1, 0)
    entries = [
        w * s - x * i - y * j - z * k,
        w * i + x * s + y * k - z * j,
        w * j - x * k + y * s + z * i,
        w * k + x * j - y * i + z * s,
    ]
    return as_type_of(a, np.stack(entries, axis=-1))


def quaternion_rate(quaternion: Entries, omega: Entries) -> Result:
    """Return the rate of a quaternion, (..., 4) 1/s, from the angular velocity in body axes:  1/2 q (0, omega).

    quaternion: numbers (..., 4), or symbols (4,); omega: (..., 3) rad/s.
    """
    omega = as_array(omega, "omega", (..., 3))
    pure = np.concatenate([0 * omega[..., :1], omega], axis=-1)
    return quaternion_product(quaternion, pure) / 2


def rate_in_body(R: Entries, R_dot: Entries) -> Result:
    """Return the angular velocity in the axes that turn, (..., 3) rad/s:  [omega] = R^T Rdot.

    R, R_dot: numbers (..., 3, 3), or symbols (3, 3).
    """
    turned = as_array(R, "R", (..., 3, 3))
    rate = as_array(R_dot, "R_dot", (..., 3, 3))
    return as_type_of(R, _vector_of(np.swapaxes(turned, -1, -2) @ rate))


def rate_in_base(R: Entries, R_dot: Entries) -> Result:
    """Return the angular velocity in the axes that stand still, (..., 3) rad/s:  [omega] = Rdot R^T.

    R, R_dot: numbers (..., 3, 3), or symbols (3, 3).
    """
    turned = as_array(R, "R", (..., 3, 3))
    rate = as_array(R_dot, "R_dot", (..., 3, 3))
    return as_type_of(R, _vector_of(rate @ np.swapaxes(turned, -1, -2)))


def right_jacobian_inverse(phi: Entries) -> Floats:
    """Return J_r^-1 (..., 3, 3):  log(exp(phi) exp(omega dt)) = phi + J_r^-1 omega dt  for a short time dt.

    phi: (..., 3) rad, |phi| < 2 pi.  It is 1 + [phi] / 2 + c [phi]^2, so that J_r^-1 phi = phi.
    """
    phi = as_numbers(phi, "phi", (..., 3))
    angle = np.linalg.norm(phi, axis=-1)[..., None, None]
    half = angle / 2
    small = angle < SMALL
    c = np.where(small, 1 / 12, (1 - np.cos(half) / np.sinc(half / np.pi)) / np.where(small, 1, angle**2))
    S = np.cross(np.eye(3), phi[..., None, :])
    return np.eye(3) + S / 2 + c * (S @ S)


def check_rotation(R: Floats, name: str) -> None:
    """Refuse what is no rotation matrix, (..., 3, 3) numbers."""
    deviation = abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max(axis=(-1, -2))
    det = np.linalg.det(R)
    if np.any(deviation > 1e-9) or np.any(det < 0):
        worst = np.argmax(np.where(det < 0, np.inf, deviation))
        raise ValueError(
            f"{name} must be a rotation matrix (R^T R = 1, det R = +1), got one with "
            f"|R^T R - 1| = {deviation.flat[worst]:.2g} and det R = {det.flat[worst]:.6g}"
        )


def _vector_of(S: Array) -> Array:
    """Return the vector of a skew-symmetric matrix; of another one, that of its skew part."""
    entries = [S[..., 2, 1] - S[..., 1, 2], S[..., 0, 2] - S[..., 2, 0], S[..., 1, 0] - S[..., 0, 1]]
    return np.stack(entries, axis=-1) / 2
