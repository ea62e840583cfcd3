"""The regulator without an end:  u = -K x  makes the integral, or the sum, of x.Q x + u.R u least.

P solves the algebraic Riccati equation, and x.P x is the cost from x on.  SciPy solves it; what is added here says in words
why there may be no solution.  Anderson and Moore (1990), "Optimal control: linear quadratic methods".
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.maths.validate import Floats, as_numbers

# how near to the edge of stability a motion is told apart from one that never dies out: there the equation has double roots,
# which are as exact as the root of rounding
MARGIN = 1e-7
NO_SOLUTION = (
    "A and B must be such that some input brings every state to rest, and Q such that what does not come to rest by itself "
    "costs something (stabilizable, detectable): look at motions that no motor reaches, and at zeros of Q"
)


def lqr(A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike) -> tuple[Floats, Floats]:
    """Return K (d, D), P (D, D) of the infinite-horizon regulator u = -K x of x' = A x + B u: the integral of x.Q x + u.R u is least.

    A: (D, D), B: (D, d), such as those of rd.linearize(.., dt=None);
    Q: (D, D) symmetric, positive semidefinite, R: (d, d) symmetric, positive definite, or numbers and vectors, which stand
    for diagonal matrices.
    Raises ValueError where A, B cannot be stabilized, or a motion that does not die out costs nothing; one that dies out
    1e7 times as slowly as the fastest one is taken for such.
    """
    from scipy.linalg import solve_continuous_are

    A, B, Q, R = _system(A, B, Q, R)
    try:
        P = solve_continuous_are(A, B, Q, R)
    except (np.linalg.LinAlgError, ValueError):  # SciPy's own words, of matrices that are finite
        raise ValueError(NO_SOLUTION) from None
    K = np.linalg.solve(R, B.T @ P)
    roots = np.linalg.eigvals(A - B @ K)
    if not roots.real.max() < -MARGIN * abs(roots).max():
        raise ValueError(NO_SOLUTION)
    return K, P


def dlqr(A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike) -> tuple[Floats, Floats]:
    """Return K (d, D), P (D, D) of the regulator u = -K x of x_(t+1) = A x_t + B u_t: the sum of x.Q x + u.R u is least.

    A, B: of one step, as `rd.linearize` returns them; the rest as in `lqr`, but that a motion which keeps 1 - 1e-7 of its size
    in a step is taken for one that never dies out.
    """
    from scipy.linalg import solve_discrete_are

    A, B, Q, R = _system(A, B, Q, R)
    try:
        P = solve_discrete_are(A, B, Q, R)
    except (np.linalg.LinAlgError, ValueError):
        raise ValueError(NO_SOLUTION) from None
    K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    if not abs(np.linalg.eigvals(A - B @ K)).max() < 1 - MARGIN:
        raise ValueError(NO_SOLUTION)
    return K, P


def _system(A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the four matrices, checked."""
    D = np.shape(A)[0] if np.ndim(A) == 2 else 0
    if D < 1 or np.shape(A) != (D, D):
        raise ValueError(f"A must be a square matrix, got shape {np.shape(A)}")
    A = as_numbers(A, "A", (D, D))
    B = as_numbers(B, "B", (D, np.shape(B)[1]) if np.ndim(B) == 2 else (D, 1))
    Q = _weight(Q, D, "Q")
    R = _weight(R, B.shape[1], "R")
    if np.linalg.eigvalsh(R)[0] <= 0:
        raise ValueError("R must be positive definite, for an input that costs nothing would be infinite")
    if np.linalg.eigvalsh(Q)[0] < -1e-12 * abs(Q).max():
        raise ValueError("Q must be positive semidefinite, or the cost could fall without end")
    return A, B, Q, R


def _weight(W: ArrayLike, n: int, name: str) -> Floats:
    """Return a weight as a symmetric matrix (n, n)."""
    W = as_numbers(W, name, np.shape(W))
    if W.ndim < 2 and W.shape in ((), (n,)):
        W = np.diag(W * np.ones(n))
    if W.shape != (n, n) or not np.allclose(W, W.T, rtol=1e-12, atol=1e-12 * abs(W).max()):
        raise ValueError(f"{name} must be a number, or have shape ({n},), or be a symmetric ({n}, {n}), got {W.shape}")
    return (W + W.T) / 2
