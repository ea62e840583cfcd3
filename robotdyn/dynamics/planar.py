"""The N-link planar arm in absolute angles:  M~(q) qdd + C~(q) qd^2 + g~(q) = u,  q = L x,  u = L^-T tau.

Absolute angles q are measured from the x axis, relative (joint) angles x from the link before; L sums them up.
Calinon, RCFS, section 8, equations 105 to 111, here for centers of mass anywhere in the plane of the links.
In this file alone q, qd, qdd are absolute; the rest of the library means relative angles.  Chapter "n-link".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotdyn.dynamics.kinematics import joint_motion
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.namespace import as_type_of, generic, namespace
from robotdyn.maths.validate import Entries, Floats, Result, as_array, as_numbers, check_numeric, in_short
from robotdyn.model.arm import Arm
from robotdyn.model.link import Link

__all__ = [
    "L",
    "absolute",
    "check_planar",
    "derivatives",
    "euler_step",
    "forward_dynamics",
    "generalized_forces",
    "inverse_dynamics",
    "is_planar",
    "joint_torques",
    "relative",
    "to_absolute",
    "to_relative",
]
offer_public_names(__name__)


def L(n: int) -> NDArray[np.int_]:
    """Return the (n, n) matrix that sums relative angles up to absolute ones: ones on and below the diagonal."""
    if not isinstance(n, (int, np.integer)) or isinstance(n, bool) or n < 1:
        raise ValueError(f"n must be a whole number >= 1, got {in_short(n)}")
    return np.tril(np.ones((n, n), dtype=int))


def to_absolute(q: Entries) -> Result:
    """Return L q: absolute angles (or rates, or accelerations) from relative ones; (n,), or (..., n) numbers."""
    return _matrix_product(L, q, "q")


def to_relative(q: Entries) -> Result:
    """Return L^-1 q: relative angles (or rates, or accelerations) from absolute ones; (n,), or (..., n) numbers."""
    return _matrix_product(_difference, q, "q")


def generalized_forces(tau: Entries) -> Result:
    """Return u = L^-T tau (n,) N m: what joint torques do to absolute angles.  RCFS 107: u_z = tau_z - tau_(z+1)."""
    return _matrix_product(lambda n: _difference(n).T, tau, "tau")


def joint_torques(u: Entries) -> Result:
    """Return tau = L^T u (n,) N m: the joint torques of generalized forces in absolute angles."""
    return _matrix_product(lambda n: L(n).T, u, "u")


def is_planar(arm: Arm) -> bool:
    """Tell whether the arm is serial, every joint turns about (0, 0, 1) and no joint frame is rotated: what this file needs."""
    return arm.is_serial and arm.coupling is None and all(_is_planar_link(link) for link in arm.links)


def check_planar(arm: Arm) -> None:
    """Raise ValueError, with the first link that is at fault, where `is_planar` is false."""
    if not arm.is_serial:
        raise ValueError(
            f"a planar arm must be a serial chain, got a tree with {len(arm.leaves)} ends: absolute angles are sums along one chain; "
            "use the functions of the 3-D library, such as rd.mass_matrix"
        )
    if arm.coupling is not None:
        raise ValueError(
            "a planar arm must have joints that are free, got coupled ones: use the functions of the 3-D library, such as "
            "rd.mass_matrix, or arm.uncoupled"
        )
    for number, link in enumerate(arm.links, start=1):
        if not _is_planar_link(link):
            raise ValueError(
                "a planar arm must have revolute joints about (0, 0, 1), unrotated joint frames and no motor_inertia, "
                f"got another at link {number}: use the functions of the 3-D library, such as rd.mass_matrix"
            )


@generic
def absolute(arm: Arm, q: Entries) -> tuple[Result, Result, Result]:
    """Return M~ (n, n), C~ (n, n), g~ (n,) in absolute angles q (n,) rad:  M~ qdd + C~ qd^2 + g~ = u.

    M~(z, k) = A_zk cos(q_z - q_k) + B_zk sin(q_z - q_k), kg m^2;  C~ multiplies the squares of the absolute rates;
    C~ diag(qd) is the Christoffel matrix of M~.  For point masses at the link ends A_zk = l_z l_k sum of m_j over
    j >= max(z, k) and B = 0: RCFS 109.  Raises ValueError for an arm that is not planar.
    """
    xp = namespace(arm, q)
    A, B, spin, weight = _couplings(arm)
    turn = q[:, None] - q[None, :]
    cos = xp.cos(turn)
    sin = xp.sin(turn)
    M = A * cos + B * sin + spin
    C = A * sin - B * cos
    c = xp.cos(q)
    s = xp.sin(q)
    gx, gy = xp.array(arm.gravity)[:2]
    g = gx * (weight[0] * s + weight[1] * c) - gy * (weight[0] * c - weight[1] * s)
    return M, C, g


@generic
def relative(arm: Arm, q: Entries) -> tuple[Result, Result, Result]:
    """Return M = L^T M~ L, C = L^T C~, g = L^T g~ at relative angles q (n,) rad:  M qdd + C (L qd)^2 + g = tau.

    RCFS 110.  This C multiplies the squares of the absolute rates; L^T C~ diag(L qd) L is the Christoffel matrix of M.
    """
    M, C, g = absolute(arm, L(arm.n) @ q)
    return L(arm.n).T @ M @ L(arm.n), L(arm.n).T @ C, L(arm.n).T @ g


@generic
def inverse_dynamics(arm: Arm, q: Entries, qd: Entries, qdd: Entries) -> Result:
    """Return the generalized forces u (n,) N m of absolute angles, rates and accelerations; (n,) or (..., n)."""
    M, C, g = absolute(arm, q)
    return M @ qdd + C @ (qd * qd) + g


def forward_dynamics(arm: Arm, q: ArrayLike, qd: ArrayLike, u: ArrayLike) -> Floats:
    """Return the absolute accelerations qdd (n,) rad/s^2 from absolute angles, rates and generalized forces; numbers.

    Raises ValueError where M~ is singular.
    """
    check_numeric(arm, "forward_dynamics")
    q, qd, u = _numbers(arm, q=q, qd=qd, u=u)
    M, C, g = absolute(arm, q)
    force = u - g - np.einsum("...ij,...j->...i", C, qd * qd)
    try:
        return np.linalg.solve(M, force[..., None])[..., 0]
    except np.linalg.LinAlgError:
        raise ValueError("M~ must be invertible, got a singular one: some link moves no mass; give it one") from None


def euler_step(arm: Arm, q: ArrayLike, qd: ArrayLike, u: ArrayLike, dt: float) -> tuple[Floats, Floats]:
    """Return q + qd dt, qd + qdd dt: one explicit Euler step in absolute angles (RCFS 111); dt in s.

    First order in dt, and it feeds energy into the arm: compare with `rd.simulate`.
    """
    check_numeric(arm, "euler_step")
    q, qd, u = _numbers(arm, q=q, qd=qd, u=u)
    h = as_numbers(dt, "dt", ())
    return q + qd * h, qd + forward_dynamics(arm, q, qd, u) * h


@generic
def derivatives(arm: Arm, q: Entries) -> tuple[Result, Result, Result]:
    """Return dM~ (n, n, n), dC~ (n, n, n), dg~ (n, n) in absolute angles q (n,): the last index is that of dq.

    dM~(h, k, p) = (delta_pk - delta_ph) C~(h, k): RCFS section 8.1 with the lower bound of its M~' corrected.
    """
    xp = namespace(arm, q)
    n = arm.n
    M, C, _ = absolute(arm, q)
    turns = xp.array([[[(p == k) - (p == h) for p in range(n)] for k in range(n)] for h in range(n)])
    gx, gy = xp.array(arm.gravity)[:2]
    weight = _couplings(arm)[3]
    c = xp.cos(q)
    s = xp.sin(q)
    slope = gx * (weight[0] * c - weight[1] * s) + gy * (weight[0] * s + weight[1] * c)
    return turns * C[:, :, None], -turns * M[:, :, None], xp.eye(n) * slope[:, None]


# ---- constants of the arm -------------------------------------------------------------------------------------------


def _numbers(arm: Arm, **state: ArrayLike) -> list[Floats]:
    return [as_numbers(x, name, (..., arm.n)) for name, x in state.items()]


def _matrix_product(matrix: Callable[[int], Any], x: Any, name: str) -> Result:
    size = x.shape[-1:] if isinstance(x, np.ndarray) else (len(x),) if hasattr(x, "__len__") else ()
    values = as_array(x, name, (..., *(size or (1,))))
    return as_type_of(x, values @ matrix(values.shape[-1]).T)


def _difference(n: int) -> NDArray[np.int_]:
    """Return L^-1: ones on the diagonal, minus ones below it."""
    return np.eye(n, dtype=int) - np.eye(n, k=-1, dtype=int)


def _couplings(arm: Arm) -> Any:
    """Return A, B (n, n), the diagonal matrix of the moments I_k, and the first moments (2, n), summed over bodies.

    Body j lies at sum_k R(q_k) r_jk, where r_jk is the link vector d_k for k < j and the center of mass c_j for k = j:
    A = sum_j m_j r_jz . r_jk,  B = sum_j m_j r_jz x r_jk,  first moment = sum_j m_j r_jk.
    """
    check_planar(arm)
    n = arm.n
    xp = namespace(arm)
    d = [xp.array(link.position)[:2] for link in arm.links[1:]]
    r = xp.stack(
        [
            xp.stack([*d[:j], xp.array(link.com)[:2], *(xp.zeros(2) for _ in range(j + 1, n))])
            for j, link in enumerate(arm.links)
        ]
    )
    m = xp.stack([xp.array(link.mass) for link in arm.links])
    x = r[:, :, 0]
    y = r[:, :, 1]
    A = x.T @ (m[:, None] * x) + y.T @ (m[:, None] * y)
    B = x.T @ (m[:, None] * y) - y.T @ (m[:, None] * x)
    spin = xp.eye(n) * xp.stack([xp.array(link.inertia)[2, 2] for link in arm.links])[:, None]
    return A, B, spin, xp.stack([m @ x, m @ y])


def _is_planar_link(link: Link) -> bool:
    about_z = tuple(joint_motion(link)) == (0, 0, 1, 0, 0, 0)
    return about_z and not (link.rotation != np.eye(3)).any() and link.motor_inertia == 0
