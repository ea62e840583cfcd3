"""One pass back in time:  the best change of each input, du = k + K dx, for a motion near a given one.

The cost still to come is v.dx + 1/2 dx.V dx; a step back adds what the step costs and carries it through A and B.
Where inputs have limits, each step back is a quadratic program in a box, solved by projected Newton steps.
Calinon, RCFS, section 7.2; Tassa, Mansard and Todorov (2014), "Control-limited differential dynamic programming".
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from robotdyn.codegen.machine import loops
from robotdyn.maths.validate import Array, Floats


def backward(
    A: Floats,
    B: Floats,
    l_x: Floats,
    l_u: Floats,
    l_xx: Floats,
    l_ux: Floats,
    l_uu: Floats,
    mu: float = 0.0,
    lower: Floats | None = None,
    upper: Floats | None = None,
) -> tuple[Array, Array, Any, Any]:
    """Return k (T-1, d), K (T-1, d, D), and the slope and curvature of the cost along k:  dc(a) = a slope + a^2 curvature.

    With mu > 0 that holds for the whole step, a = 1.

    A (T-1, D, D), B (T-1, D, d): Jacobians of each step; l_...: those of the cost, as `Cost.expand` gives them;
    mu >= 0 shortens the steps: mu |du|^2 / 2 is added to each;
    lower, upper: (T-1, d), the bounds of each du.
    Raises numpy.linalg.LinAlgError where a step has no minimum; with a larger mu it has one.
    """
    steps, D, d = B.shape
    k = np.zeros((steps, d))
    K = np.zeros((steps, d, D))
    v = l_x[steps]
    V = l_xx[steps]
    slope = 0.0
    curvature = 0.0
    for t in range(steps - 1, -1, -1):
        minimize: Callable[..., Any] = minimum
        if lower is not None and upper is not None:
            minimize = functools.partial(minimum_in_box, lower=lower[t], upper=upper[t])
        model = [x[t] for x in (A, B, l_x, l_u, l_xx, l_ux, l_uu)]
        k[t], K[t], v, V, slope_t, curvature_t = backward_step(model, v, V, mu, minimize)
        slope = slope + slope_t
        curvature = curvature + curvature_t
    return k, K, slope, curvature


# where: see Riccati's recursion
# the step that the book prints, run on arrays, symbols and machine code alike
def backward_step(
    model: Sequence[Floats],
    v: Floats,
    V: Floats,
    mu: float = 0.0,
    minimize: Callable[..., tuple[Any, Any]] | None = None,
) -> tuple[Array, Array, Array, Array, Any, Any]:
    """Return k, K, v, V, and the slope and curvature of the cost along k, of one step back; model: A, B, l_x, .., l_uu.

    Q is the cost from here on, as a function of du and dx.  With k and K put in for du, and (Q_uu + mu) K = -Q_ux, what
    is left is v = Q_x + (Q_ux - mu K)^T k,  V = Q_xx + (Q_ux - mu K)^T K.
    minimize: (Q, p, Q_ux) -> k, K, which finds the best du: `minimum` if not given.
    """
    A, B, l_x, l_u, l_xx, l_ux, l_uu = model
    VA = V @ A
    VB = V @ B
    Q_x = l_x + A.T @ v
    Q_u = l_u + B.T @ v
    Q_xx = l_xx + A.T @ VA
    Q_ux = l_ux + B.T @ VA
    Q_uu = l_uu + B.T @ VB
    k, K = (minimize or minimum)(Q_uu + mu * np.eye(len(Q_u)), Q_u, Q_ux)
    W = Q_ux - mu * K
    V = Q_xx + W.T @ K
    return k, K, Q_x + W.T @ k, (V + V.T) / 2, Q_u @ k, k @ Q_uu @ k / 2


def minimum(Q: Array, p: Array, Q_ux: Array) -> tuple[Array, Array]:
    """Return k (d,), K (d, D) for which du = k + K dx makes 1/2 du.Q du + du.(p + Q_ux dx) least.

    Raises numpy.linalg.LinAlgError where Q is not positive definite, for then the step would climb.
    """
    np.linalg.cholesky(Q)
    step = -np.linalg.solve(Q, np.column_stack((p, Q_ux)))
    return step[:, 0], step[:, 1:]


@functools.cache
def compiled_backward(D: int, d: int) -> Callable[..., tuple[Floats, Floats, float, float]]:
    """Return `backward` without limits, for D states and d inputs, as machine code, which `backward_step` writes."""
    run = loops.backward(backward_step, D, d)

    def backward(
        A: Floats, B: Floats, l_x: Floats, l_u: Floats, l_xx: Floats, l_ux: Floats, l_uu: Floats, mu: float = 0.0
    ) -> tuple[Floats, Floats, float, float]:
        k = np.empty(l_u.shape)
        K = np.empty((*l_u.shape, D))
        model = (np.ascontiguousarray(x, dtype=float) for x in (A, B, l_x, l_u, l_xx, l_ux, l_uu))
        found, slope, curvature = run(*model, mu, k, K)
        if not found:
            raise np.linalg.LinAlgError("a step has no minimum")
        return k, K, slope, curvature

    return backward


def minimum_in_box(
    Q: Floats, p: Floats, Q_ux: Floats, lower: Floats, upper: Floats, max_iterations: int = 100
) -> tuple[Floats, Floats]:
    """Return du (d,), the least 1/2 du.Q du + p.du with lower <= du <= upper, and the gains K (d, D) of the free inputs.

    Projected Newton: inputs that push against a wall rest, the others take a Newton step.  A resting input has a row of
    zeros in K.
    Q: (d, d) positive definite, else numpy.linalg.LinAlgError;
    p: (d,);
    Q_ux: (d, D);
    lower <= 0 <= upper: (d,).  Tassa, Mansard and Todorov (2014), section III.
    """
    np.linalg.cholesky(Q)
    du = np.clip(-np.linalg.solve(Q, p), lower, upper)
    for _ in range(max_iterations):
        gradient = Q @ du + p
        free = _free(du, gradient, lower, upper)
        if not len(free) or abs(gradient[free]).max() <= 1e-12 * (abs(p).max() + 1e-300):
            break
        newton = np.zeros(len(p))
        newton[free] = -np.linalg.solve(Q[np.ix_(free, free)], gradient[free])
        value = du @ Q @ du / 2 + p @ du
        step = 1.0
        while step > 1e-10:
            trial = np.clip(du + step * newton, lower, upper)
            if trial @ Q @ trial / 2 + p @ trial <= value + 0.1 * gradient @ (trial - du):
                break
            step /= 2
        else:
            break
        du = trial
    K = np.zeros_like(Q_ux)
    free = _free(du, Q @ du + p, lower, upper)
    if len(free):
        K[free] = -np.linalg.solve(Q[np.ix_(free, free)], Q_ux[free])
    return du, K


def _free(du: Floats, gradient: Floats, lower: Floats, upper: Floats) -> Array:
    """Return the indices of the inputs that do not push against a wall, and have room between theirs."""
    pushes = ((du <= lower) & (gradient > 0)) | ((du >= upper) & (gradient < 0))
    return np.flatnonzero(~pushes & (lower < upper))


def costates(A: Floats, l_x: Floats) -> Floats:
    """Return v (T, D), how the cost changes with each state where the inputs stay: v_t = l_x_t + A_t^T v_(t+1)."""
    v = np.array(l_x)
    for t in range(len(A) - 1, -1, -1):
        v[t] += A[t].T @ v[t + 1]
    return v


def feedback(u: Floats, k: Floats, K: Floats, x: Floats, x_old: Floats) -> Floats:
    """Return the input that the backward pass asks for where the motion has come to x instead of x_old."""
    return u + k + K @ (x - x_old)
