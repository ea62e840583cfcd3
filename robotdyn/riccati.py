"""One sweep back in time:  the best change of each input, du = k + K dx, for a motion near a given one.

The cost still to come is v.dx + 1/2 dx.V dx; a step back adds what the step costs and carries it through A and B.
Calinon, RCFS, section 7.2; Tassa, Mansard and Todorov (2014), "Control-limited differential dynamic programming".
"""

import numpy as np

from robotdyn.boxed import boxed_step


def backward(A, B, l_x, l_u, l_xx, l_ux, l_uu, mu=0.0, lower=None, upper=None):
    """Return k (T-1, d), K (T-1, d, D), and the slope and bend of the cost along k:  dc(a) = a slope + a^2 bend.

    A (T-1, D, D), B (T-1, D, d): Jacobians of each step; l_...: those of the cost, as `Cost.expand` gives them;
    mu >= 0 shortens the steps: mu |du|^2 / 2 is added to each;  lower, upper: (T-1, d), the room that each du has.
    Raises numpy.linalg.LinAlgError where a step has no minimum; a larger mu mends that.
    """
    steps, D, d = B.shape
    k, K = np.zeros((steps, d)), np.zeros((steps, d, D))
    v, V, slope, bend = l_x[steps], l_xx[steps], 0.0, 0.0
    for t in range(steps - 1, -1, -1):
        VA, VB = V @ A[t], V @ B[t]
        Q_x = l_x[t] + A[t].T @ v
        Q_u = l_u[t] + B[t].T @ v
        Q_xx = l_xx[t] + A[t].T @ VA
        Q_ux = l_ux[t] + B[t].T @ VA
        Q_uu = l_uu[t] + B[t].T @ VB
        if lower is None:
            step = -_solve_positive(Q_uu + mu * np.eye(d), np.column_stack((Q_u, Q_ux)))
            k[t], K[t] = step[:, 0], step[:, 1:]
        else:
            k[t], K[t] = boxed_step(Q_uu + mu * np.eye(d), Q_u, Q_ux, lower[t], upper[t])
        W = Q_uu @ K[t] + Q_ux
        slope += Q_u @ k[t]
        bend += k[t] @ Q_uu @ k[t] / 2
        v = Q_x + W.T @ k[t] + K[t].T @ Q_u
        V = Q_xx + K[t].T @ W + Q_ux.T @ K[t]
        V = (V + V.T) / 2
    return k, K, slope, bend


def _solve_positive(Q, right):
    """Solve Q x = right; LinAlgError where Q is not positive definite, for then the step would climb."""
    np.linalg.cholesky(Q)
    return np.linalg.solve(Q, right)
