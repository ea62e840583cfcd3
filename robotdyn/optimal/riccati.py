"""One sweep back in time:  the best change of each input, du = k + K dx, for a motion near a given one.

The cost still to come is v.dx + 1/2 dx.V dx; a step back adds what the step costs and carries it through A and B.
Calinon, RCFS, section 7.2; Tassa, Mansard and Todorov (2014), "Control-limited differential dynamic programming".

The best step inside a box:  minimize 1/2 du.Q du + p.du  with  lower <= du <= upper.

Projected Newton: inputs that push against a wall rest, the others take a Newton step.
Tassa, Mansard and Todorov (2014), "Control-limited differential dynamic programming", section III.
"""

from functools import partial

import numpy as np


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
        room = None if lower is None else (lower[t], upper[t])
        k[t], K[t], v, V, slope_t, bend_t = backward_step(
            A[t], B[t], l_x[t], l_u[t], l_xx[t], l_ux[t], l_uu[t], v, V, mu, partial(minimum, room=room)
        )
        slope, bend = slope + slope_t, bend + bend_t
    return k, K, slope, bend


def backward_step(A, B, l_x, l_u, l_xx, l_ux, l_uu, v, V, mu, minimum):
    """Return k, K, v, V, and the slope and bend of the cost along k, of one step back.

    Q is the cost from here on, as a function of du and dx.  With k and K put in for du, and (Q_uu + mu) K = -Q_ux,
    what is left is v = Q_x + (Q_ux - mu K)^T k,  V = Q_xx + (Q_ux - mu K)^T K.
    """
    VA, VB = V @ A, V @ B
    Q_x, Q_u = l_x + A.T @ v, l_u + B.T @ v
    Q_xx, Q_ux, Q_uu = l_xx + A.T @ VA, l_ux + B.T @ VA, l_uu + B.T @ VB
    k, K = minimum(Q_uu, Q_u, Q_ux, mu)
    W = Q_ux - K * mu
    V = Q_xx + W.T @ K
    return k, K, Q_x + W.T @ k, (V + V.T) * 0.5, Q_u @ k, k @ (Q_uu @ k) * 0.5


def costates(A, l_x):
    """Return v (T, D), how the cost changes with each state where the inputs stay: v_t = l_x_t + A_t^T v_(t+1)."""
    v = np.array(l_x)
    for t in range(len(A) - 1, -1, -1):
        v[t] = carried_back(A[t], v[t], v[t + 1])
    return v


def carried_back(A, l_x, v):
    """Return the change of the cost with a state, from that with the next one."""
    return l_x + A.T @ v


def feedback(u, k, K, x, x_old):
    """Return the input that the sweep asks for where the motion has come to x instead of x_old."""
    return u + k + K @ (x - x_old)


def minimum(Q_uu, Q_u, Q_ux, mu, room=None):
    """Return k, K for which du = k + K dx makes 1/2 du.(Q_uu + mu) du + du.(Q_u + Q_ux dx) least, in its room.

    Raises numpy.linalg.LinAlgError where Q_uu + mu is not positive definite, for then the step would climb.
    """
    Q_uu = Q_uu + mu * np.eye(len(Q_u))
    if room is not None:
        return boxed_step(Q_uu, Q_u, Q_ux, *room)
    np.linalg.cholesky(Q_uu)
    step = -np.linalg.solve(Q_uu, np.column_stack((Q_u, Q_ux)))
    return step[:, 0], step[:, 1:]


def boxed_step(Q, p, Q_ux, lower, upper, max_iterations=100):
    """Return du (d,) and the gains K (d, D) of the inputs that are free; a resting input has a row of zeros.

    Q: (d, d) positive definite, else numpy.linalg.LinAlgError; p: (d,); Q_ux: (d, D); lower <= 0 <= upper: (d,).
    """
    np.linalg.cholesky(Q)
    du = np.clip(-np.linalg.solve(Q, p), lower, upper)
    for _ in range(max_iterations):
        gradient = Q @ du + p
        resting = ((du <= lower) & (gradient > 0)) | ((du >= upper) & (gradient < 0))
        free = np.flatnonzero(~resting)
        if not len(free) or abs(gradient[free]).max() <= 1e-12 * (abs(p).max() + 1e-300):
            break
        newton = np.zeros(len(p))
        newton[free] = -np.linalg.solve(Q[np.ix_(free, free)], gradient[free])
        value, step = du @ Q @ du / 2 + p @ du, 1.0
        while step > 1e-10:
            trial = np.clip(du + step * newton, lower, upper)
            if trial @ Q @ trial / 2 + p @ trial <= value + 0.1 * gradient @ (trial - du):
                break
            step /= 2
        else:
            break
        du = trial
    K = np.zeros_like(Q_ux)
    gradient = Q @ du + p
    free = np.flatnonzero(~(((du <= lower) & (gradient > 0)) | ((du >= upper) & (gradient < 0))))
    if len(free):
        K[free] = -np.linalg.solve(Q[np.ix_(free, free)], Q_ux[free])
    return du, K
