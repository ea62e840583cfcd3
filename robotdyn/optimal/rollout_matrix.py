"""A whole motion as one vector, linear in its torques:  dx = S_x dx_1 + S_u du,  x = (x_1, ..., x_T).

dx_(t+1) = A_t dx_t + B_t du_t, written out for all times.  Calinon, RCFS, sections 7.1 and 8.1, equation 112.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.dynamics import planar
from robotdyn.maths.validate import Array, Floats, as_numbers


def rollout_matrix(A: ArrayLike, B: ArrayLike) -> Floats:
    """Return S_u (D T, d (T - 1)): how the stacked states follow from the stacked inputs, the first state held.

    A: (T - 1, D, D), B: (T - 1, D, d), the Jacobians of each step, as of `rd.linearize` (D = 2 n, d = n).
    Block (t, s) is A_(t-1) ... A_(s+1) B_s for s < t, else 0: a torque acts on what comes after it.
    """
    A, B = _as_jacobians(A, B)
    steps, D, d = B.shape
    S = np.zeros((steps + 1, D, steps, d))
    for t in range(steps):
        S[t + 1] = np.tensordot(A[t], S[t], axes=1)  # what earlier inputs did, carried on by one step
        S[t + 1, :, t] = B[t]
    return S.reshape((steps + 1) * D, steps * d)


def start_matrix(A: ArrayLike) -> Floats:
    """Return S_x (D T, D): how the stacked states follow from the first one; A: (T - 1, D, D).

    Block t is A_(t-1) ... A_1, and block 1 is the identity.
    """
    A = as_numbers(A, "A", (..., *np.shape(A)[-1:] * 2))
    blocks = [np.eye(A.shape[-1])]
    for A_t in A:
        blocks.append(A_t @ blocks[-1])
    return np.concatenate(blocks)


def L_x(n: int, T: int) -> Array:
    """Return L_x (2 n T, 2 n T), 2 T blocks L: stacked absolute states from stacked relative ones, T states."""
    return np.kron(np.eye(2 * T, dtype=int), planar.L(n))


def L_u(n: int, T: int) -> Array:
    """Return L_u (n (T - 1), n (T - 1)), T - 1 blocks L^-T: stacked generalized forces from joint torques."""
    return np.kron(np.eye(T - 1, dtype=int), planar.generalized_forces(np.eye(n, dtype=int)).astype(int).T)


def relative_rollout_matrix(S_u: ArrayLike, n: int) -> Floats:
    """Return S_tau = L_x^-1 S_u L_u (2 n T, n (T - 1)): S_u of absolute angles, in joint angles and torques.

    S_u: (2 n T, n (T - 1)), from A and B with angles="absolute"; n: number of joints.  RCFS 112.
    """
    S_u = np.asarray(S_u, dtype=float)
    T = S_u.shape[0] // (2 * n) if S_u.ndim == 2 else 0
    if S_u.shape != (2 * n * T, n * (T - 1)):
        raise ValueError(f"S_u must have shape (2 n T, n (T - 1)) with n = {n}, got {S_u.shape}")
    return np.linalg.solve(L_x(n, T), S_u) @ L_u(n, T)


def _as_jacobians(A: ArrayLike, B: ArrayLike) -> tuple[Floats, Floats]:
    A, B = (np.asarray(x, dtype=float) for x in (A, B))
    if A.ndim != 3 or B.ndim != 3 or A.shape[0] != B.shape[0] or A.shape[1:] != B.shape[1:2] * 2:
        raise ValueError(f"A and B must have shapes (T - 1, D, D) and (T - 1, D, d), got {A.shape} and {B.shape}")
    return A, B
