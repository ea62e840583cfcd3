"""The regulator without an end:  u = -K x  makes the integral, or the sum, of x.Q x + u.R u least, for x' = A x + B u.

P solves the algebraic Riccati equation, and x.P x is the cost from x on.  SciPy solves it; what is added here says in words
why there may be no solution.  Anderson and Moore (1990), "Optimal control: linear quadratic methods".
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.maths.validate import Floats, as_numbers


def lqr(A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike, dt: float | None = None) -> tuple[Floats, Floats]:
    """Return K (d, D) and P (D, D) of the infinite-horizon linear-quadratic regulator u = -K x.

    A: (D, D), B: (D, d), as `rd.linearize` returns them;
    Q: (D, D) symmetric, positive semidefinite, R: (d, d) symmetric, positive definite, or numbers and vectors, which stand
    for diagonal matrices.
    dt: None for x' = A x + B u, as from rd.linearize(.., dt=None); else A and B are those of one step of dt seconds,
    and the sum of x.Q x + u.R u over the steps is least (whatever dt).
    Raises ValueError where A, B cannot be stabilized, or a motion that does not die out costs nothing.
    """
    from scipy import linalg

    A = as_numbers(A, "A", (np.shape(A)[0], np.shape(A)[0]) if np.ndim(A) == 2 else (1, 1))
    D = len(A)
    B = as_numbers(B, "B", (D, np.shape(B)[1]) if np.ndim(B) == 2 else (D, 1))
    Q = _weight(Q, D, "Q")
    R = _weight(R, B.shape[1], "R")
    if np.linalg.eigvalsh(R)[0] <= 0:
        raise ValueError("R must be positive definite, for an input that costs nothing would be infinite")
    if np.linalg.eigvalsh(Q)[0] < -1e-12 * abs(Q).max():
        raise ValueError("Q must be positive semidefinite, or the cost could fall without end")
    solve = linalg.solve_continuous_are if dt is None else linalg.solve_discrete_are
    try:
        P = solve(A, B, Q, R)
    except np.linalg.LinAlgError:
        raise ValueError(NO_SOLUTION) from None
    K = np.linalg.solve(R, B.T @ P) if dt is None else np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    poles = np.linalg.eigvals(A - B @ K)
    if not (poles.real.max() < 0 if dt is None else abs(poles).max() < 1):
        raise ValueError(NO_SOLUTION)
    return K, P


NO_SOLUTION = (
    "A and B must be such that some input brings every state to rest, and Q such that what does not come to rest by itself "
    "costs something (stabilizable, detectable): look at motions that no motor reaches, and at zeros of Q"
)


def _weight(W: ArrayLike, n: int, name: str) -> Floats:
    """Return a weight as a symmetric matrix (n, n)."""
    W = as_numbers(W, name, np.shape(W))
    if W.ndim < 2 and W.shape in ((), (n,)):
        W = np.diag(W * np.ones(n))
    if W.shape != (n, n) or not np.allclose(W, W.T, rtol=1e-12, atol=1e-12 * abs(W).max()):
        raise ValueError(f"{name} must be a number, or have shape ({n},), or be a symmetric ({n}, {n}), got {W.shape}")
    return (W + W.T) / 2
