"""The backward pass of `riccati` once more, as loops for Numba:  compiled for one number of states and of inputs.

For matrices this small a call of a library costs more than the product, so the loops are written out.  All matrices
are rows of one array Z, at places that the compiler knows: it sees that they do not overlap, and vectorizes.  The sum
within a product is one line: short loops within loops would be unrolled first, into numbers one by one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import llvmlite
import numba
import numpy as np

from robotdyn.codegen.cache import load
from robotdyn.maths.validate import Floats

SOURCE = '''"""The backward pass for {D} states and {d} inputs; written and compiled by robotdyn."""

import numpy as np
from numba import njit

D, d = {D}, {d}
N = D + d + 1  # columns of a row: what belongs to x, to u, and the linear part
F, W, Q, V, S, G, ROWS = 0, D, 2 * D, 3 * D + d, 4 * D + d, 4 * D + 2 * d, 4 * D + 3 * d


@njit("{backward}", fastmath={{"contract", "reassoc", "arcp", "nsz"}}, error_model="numpy", nogil=True, cache=True)
def backward(A, B, l_x, l_u, l_xx, l_ux, l_uu, mu, k, K):
    """Fill k and K; return whether every step has a minimum, and the slope and the curvature of the cost along k."""
    Z = np.zeros((ROWS, N))
    slope, curvature = 0.0, 0.0
    for i in range(D):
        for j in range(D):
            Z[V + i, j] = l_xx[len(A), i, j]
        Z[V + i, N - 1] = l_x[len(A), i]
    for t in range(len(A) - 1, -1, -1):
        # F = [A B], and Q = the cost of this step, by x, u and 1
        for i in range(D):
            for j in range(D):
                Z[F + i, j] = A[t, i, j]
                Z[Q + i, j] = l_xx[t, i, j]
            for j in range(d):
                Z[F + i, D + j] = B[t, i, j]
                Z[Q + i, D + j] = l_ux[t, j, i]
            Z[Q + i, N - 1] = l_x[t, i]
        for i in range(d):
            for j in range(D):
                Z[Q + D + i, j] = l_ux[t, i, j]
            for j in range(d):
                Z[Q + D + i, D + j] = l_uu[t, i, j]
            Z[Q + D + i, N - 1] = l_u[t, i]
        # Q += F^T W  with  W = [V F, v]
        for i in range(D):
            for j in range(N - 1):
                Z[W + i, j] = 0.0
            Z[W + i, N - 1] = Z[V + i, N - 1]
{V_times_F}
        for i in range(D + d):
{F_times_W}
        # G = [K, -, k] = -(Q_uu + mu)^-1 Q_u, by elimination; its pivots tell whether there is a minimum
        for i in range(d):
            for j in range(N):
                Z[G + i, j] = -Z[Q + D + i, j]
            for j in range(d):
                Z[S + i, j] = Z[Q + D + i, D + j]
            Z[S + i, i] += mu
        for p in range(d):
            if not Z[S + p, p] > 0.0:
                return False, slope, curvature
            Z[S + p, p] = 1.0 / Z[S + p, p]
            for i in range(p + 1, d):
                factor = Z[S + i, p] * Z[S + p, p]
                for j in range(p + 1, d):
                    Z[S + i, j] -= factor * Z[S + p, j]
                for j in range(N):
                    Z[G + i, j] -= factor * Z[G + p, j]
        for p in range(d - 1, -1, -1):
            for i in range(p + 1, d):
                for j in range(N):
                    Z[G + p, j] -= Z[S + p, i] * Z[G + i, j]
            for j in range(N):
                Z[G + p, j] *= Z[S + p, p]
        for i in range(d):
            k[t, i] = Z[G + i, N - 1]
            slope += Z[Q + D + i, N - 1] * k[t, i]
            for j in range(d):
                curvature += k[t, i] * Z[Q + D + i, D + j] * Z[G + j, N - 1] / 2
        # V = Q_x + (Q_ux - mu K)^T G, its symmetric half
        for i in range(d):
            for j in range(D):
                K[t, i, j] = Z[G + i, j]
                Z[Q + D + i, j] -= mu * Z[G + i, j]
        for i in range(D):
{Q_times_G}
        for i in range(D):
            for j in range(D):
                Z[V + i, j] = (Z[Q + i, j] + Z[Q + j, i]) / 2
            Z[V + i, N - 1] = Z[Q + i, N - 1]
    return True, slope, curvature


@njit("{costates}", fastmath={{"contract", "reassoc", "arcp", "nsz"}}, error_model="numpy", nogil=True, cache=True)
def costates(A, v):
    """Fill v, which holds l_x at first."""
    for t in range(len(A) - 1, -1, -1):
        for s in range(D):
            for i in range(D):
                v[t, i] += A[t, s, i] * v[t + 1, s]
'''
MATRIX = "float64[:, ::1]"
STACK = "float64[:, :, ::1]"
MAX_TERMS = 16  # of a sum in one line: about as many as there are registers
BACKWARD = f"({STACK}, {STACK}, {MATRIX}, {MATRIX}, {STACK}, {STACK}, {STACK}, float64, {MATRIX}, {STACK})"


@functools.cache
def compiled(D: int, d: int) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the functions of `riccati`, backward (without limits) and costates, for D states and d inputs."""
    products = {
        "V_times_F": _product_lines("Z[W + i, j]", "Z[V + i, {s}]", "Z[F + {s}, j]", "N - 1", D),
        "F_times_W": _product_lines("Z[Q + i, j]", "Z[F + {s}, i]", "Z[W + {s}, j]", "N", D),
        "Q_times_G": _product_lines("Z[Q + i, j]", "Z[Q + D + {s}, i]", "Z[G + {s}, j]", "N", d),
    }
    source = SOURCE.format(D=D, d=d, backward=BACKWARD, costates=f"({STACK}, {MATRIX})", **products)
    module = load(source, f"riccati_of_{D}_states", [numba.__version__, llvmlite.__version__, np.__version__])

    def backward(
        A: Floats, B: Floats, l_x: Floats, l_u: Floats, l_xx: Floats, l_ux: Floats, l_uu: Floats, mu: float = 0.0
    ) -> tuple[Floats, Floats, float, float]:
        k = np.empty(l_u.shape)
        K = np.empty((*l_u.shape, D))
        arrays = [np.ascontiguousarray(x, dtype=float) for x in (A, B, l_x, l_u, l_xx, l_ux, l_uu)]
        found, slope, curvature = module.backward(*arrays, float(mu), k, K)
        if not found:
            raise np.linalg.LinAlgError("a step has no minimum")
        return k, K, slope, curvature

    def costates(A: Floats, l_x: Floats) -> Floats:
        v = np.array(l_x, dtype=float, order="C")
        module.costates(np.ascontiguousarray(A), v)
        return v

    return backward, costates


def _product_lines(target: str, factor: str, row: str, columns: str, count: int) -> str:
    """Return lines that add the sum over s < count of factor times row to the row `target`, for j < columns."""
    lines = []
    for first in range(0, count, MAX_TERMS):
        terms = range(first, min(first + MAX_TERMS, count))
        lines += [f"a{s} = {factor.format(s=s)}" for s in terms]
        lines += [
            f"for j in range({columns}):",
            f"    {target} += " + " + ".join(f"a{s} * {row.format(s=s)}" for s in terms),
        ]
    return "\n".join(f"            {line}" for line in lines)
