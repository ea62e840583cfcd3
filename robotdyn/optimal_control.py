"""iLQR: the torques that make a cost small, by solving one linear-quadratic problem after another.

Each round: linearize the motion, expand the cost, find the best change of the inputs, go as far along it as the cost
falls.  "recursive" finds the change by a sweep back in time, "batch" as least squares in all inputs at once.
Calinon, RCFS, sections 7.1, 7.2 and 7.4; Li and Todorov (2004).  This file knows no arm.
"""

from importlib.util import find_spec

import numpy as np

from robotdyn.discrete import Dynamics
from robotdyn.numeric import as_numbers
from robotdyn.progress import Progress
from robotdyn.riccati import backward
from robotdyn.solution import Solution
from robotdyn.stacking import rollout_matrix

LENGTHS = 0.5 ** np.arange(13)  # of a step, the longest first
MU_FIRST, MU_LAST = 1e-6, 1e10  # how much steps are shortened, beside the bend of the cost by the inputs


def ilqr(
    dynamics,
    cost,
    x0,
    u0,
    limits=None,
    method="recursive",
    tolerance=1e-12,
    max_iterations=500,
    progress=None,
    callback=None,
):
    """Return the Solution that makes cost.value(x, u) small, for x_(t+1) = f(x_t, u_t) from x0.

    dynamics: a Dynamics, or a step (x, u) -> the next x; cost: a Cost, or anything with value(x, u) and expand(x, u);
    x0: (D,) the first state, which is held; u0: (T - 1, d) the first guess of the inputs.
    limits: (lower, upper), numbers or (d,) each: the inputs never leave them (method "recursive" only).
    method: "recursive" or "batch"; tolerance: stop when a full step promises less than this part of the cost.
    progress: True or False shows or hides the bar; None: shown in terminals and notebooks when it takes long.
    callback: called as callback(x, u, cost) after every step that lowered the cost.
    Ctrl-C, or the stop button of a notebook, ends with the best so far.  A step to NaN or infinity is never taken.
    """
    dynamics = dynamics if isinstance(dynamics, Dynamics) else Dynamics(dynamics)
    x0, u = as_numbers(x0, "x0", (np.size(x0),)), as_numbers(u0, "u0", np.shape(u0))
    if u.ndim != 2 or not len(u):
        raise ValueError(f"u0 must have shape (T - 1, d) with T >= 2 states, got {u.shape}")
    if method not in DIRECTIONS:
        raise ValueError(f'method must be "recursive" or "batch", got {method!r}')
    lower, upper = _limits(limits, u.shape[1], method)
    u = u if lower is None else np.clip(u, lower, upper)
    direction = DIRECTIONS[method]
    if method == "recursive" and lower is None and find_spec("numba") is not None:
        from robotdyn.sweep import compiled

        direction = compiled(len(x0), u.shape[1])
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"), Progress(max_iterations, progress) as bar:
        x, _ = dynamics.rollout(x0, u)
        c = cost.value(x, u)
        if not np.isfinite(c):
            return Solution(x, u, np.inf, np.array([np.inf]), np.zeros((*u.shape, len(x0))), "diverged")
        history, mu, result, K = [c], 0.0, "iteration limit", None
        try:
            while len(history) <= max_iterations:
                A, B = dynamics.jacobians(x[:-1], u)
                model = cost.expand(x, u)
                found = _descend(dynamics, cost, direction, (A, B, *model), x, u, c, mu, lower, upper, tolerance)
                result, x, u, c, mu, K = found
                if result != "iteration limit":
                    break
                history.append(c)
                bar.update(len(history) - 1, f"cost {c:.6g}")
                if callback is not None:
                    callback(x, u, c)
        except KeyboardInterrupt:
            result, K = "interrupted", None
        if K is None or method == "batch":
            A, B = dynamics.jacobians(x[:-1], u)
            K = _gains((A, B, *cost.expand(x, u)), u, lower, upper)
    return Solution(x, u, c, np.array(history), K, result)


def _descend(dynamics, cost, direction, model, x, u, c, mu, lower, upper, tolerance):
    """Return (result, x, u, c, mu, K) after one step that lowers the cost; result tells whether and why it is the last.

    Where no length of the step lowers the cost, or the model has no minimum, mu grows and the direction turns toward
    the steepest descent; it shrinks again with every success.
    """
    room = () if lower is None else (lower - u, upper - u)
    size, asked = _size(model) if mu else 0.0, False
    while mu <= MU_LAST:
        try:
            k, K, slope, bend = direction(*model, mu * size, *room)
        except np.linalg.LinAlgError:
            mu, size = max(10 * mu, MU_FIRST), size or _size(model)
            continue
        if -(slope + bend) <= tolerance * abs(c):
            if mu == 0:
                return "converged", x, u, c, mu, K
            if not asked:  # a short step promises little: ask again without mu, once
                mu, asked = 0.0, True
                continue
        for a in LENGTHS:
            x_new, u_new = dynamics.rollout(x[0], u, a * k, K, x, lower, upper)
            c_new = cost.value(x_new, u_new)
            if c_new <= c + 1e-4 * a * slope:  # false for NaN and infinity, too
                return "iteration limit", x_new, u_new, c_new, mu / 10 if mu > MU_FIRST else 0.0, None
        mu, size = max(10 * mu, MU_FIRST), size or _size(model)
    return "no descent", x, u, c, 0.0, None


def _size(model):
    """Return about how large Q_uu is: mu is told beside it."""
    _, B, _, _, l_xx, _, l_uu = model
    return abs(l_uu).max() + abs(B).max() ** 2 * abs(l_xx).max()


def batch_direction(A, B, l_x, l_u, l_xx, l_ux, l_uu, mu=0.0):
    """Return du as k (T-1, d), K = 0, slope and bend, as `backward` does, from least squares in the stacked inputs.

    With x = S_u u:  (S^T l_xx S + S^T l_ux^T + l_ux S + l_uu) du = -(S^T l_x + l_u);  RCFS 7.1 has the two middle
    terms as one, doubled.
    """
    steps, D, d = B.shape
    S = rollout_matrix(A, B).reshape(steps + 1, D, steps * d)
    g = np.tensordot(l_x, S, axes=2) + l_u.ravel()
    H = S.reshape(-1, steps * d).T @ (l_xx @ S).reshape(-1, steps * d)
    mixed = (l_ux @ S[:-1]).reshape(steps * d, steps * d)
    H = H + mixed + mixed.T
    for t in range(steps):
        H[t * d : (t + 1) * d, t * d : (t + 1) * d] += l_uu[t]
    np.linalg.cholesky(H + mu * np.eye(len(g)))
    du = -np.linalg.solve(H + mu * np.eye(len(g)), g)
    return du.reshape(steps, d), np.zeros((steps, d, D)), g @ du, du @ H @ du / 2


DIRECTIONS = {"recursive": backward, "batch": batch_direction}


def _gains(model, u, lower, upper):
    """Return the gains at the end, by one sweep; zeros where the sweep finds no minimum."""
    room = () if lower is None else (lower - u, upper - u)
    try:
        return backward(*model, 0.0, *room)[1]
    except np.linalg.LinAlgError:
        return np.zeros((*u.shape, model[0].shape[1]))


def _limits(limits, d, method):
    """Return lower and upper (d,), or None and None."""
    if limits is None:
        return None, None
    if method == "batch":
        raise ValueError('limits must be None for the method "batch": take "recursive", which keeps them exactly')
    lower, upper = (np.broadcast_to(np.asarray(bound, dtype=float), (d,)) for bound in limits)
    if not (lower < upper).all():
        raise ValueError(f"limits must be (lower, upper) with lower < upper, got {lower.tolist()}, {upper.tolist()}")
    return lower, upper
