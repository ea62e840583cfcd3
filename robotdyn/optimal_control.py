"""iLQR: the torques that make a cost small, by solving one linear-quadratic problem after another.

Each round: linearize the motion, expand the cost, find the best change of the inputs, go as far along it as the cost
falls.  "recursive" finds the change by a sweep back in time, "batch" as least squares in all inputs at once.
Calinon, RCFS, sections 7.1, 7.2 and 7.4; Li and Todorov (2004).  This file knows no arm.
"""

from importlib.util import find_spec

import numpy as np

from robotdyn.descent import ON, Descent, batch_direction
from robotdyn.discrete import Dynamics
from robotdyn.numeric import as_numbers
from robotdyn.progress import Progress
from robotdyn.riccati import backward, costates
from robotdyn.solution import Solution


def ilqr(
    dynamics,
    cost,
    x0,
    u0,
    limits=None,
    method="recursive",
    second_order=False,
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
    second_order: True takes the bending of dynamics and residuals into account, too (Newton's method; DDP is close to
    it): far fewer rounds where effort dominates the cost, and exact gains at the end.
    progress: True or False shows or hides the bar; None: shown in terminals and notebooks when it takes long.
    callback: called as callback(x, u, cost) after every step that lowered the cost.
    Ctrl-C, or the stop button of a notebook, ends with the best so far.  A step to NaN or infinity is never taken.
    """
    dynamics = dynamics if isinstance(dynamics, Dynamics) else Dynamics(dynamics)
    x0, u = as_numbers(x0, "x0", (np.size(x0),)), as_numbers(u0, "u0", np.shape(u0))
    if u.ndim != 2 or not len(u):
        raise ValueError(f"u0 must have shape (T - 1, d) with T >= 2 states, got {u.shape}")
    lower, upper = _limits(limits, u.shape[1], method)
    u = u if lower is None else np.clip(u, lower, upper)
    direction, adjoint = _methods(method, len(x0), u.shape[1], lower)
    if second_order and dynamics.curvature is None:
        raise ValueError("second_order must be False for dynamics without a curvature: give the Dynamics one")
    descent = Descent(dynamics, cost, direction, adjoint if second_order else None, lower, upper, tolerance)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"), Progress(max_iterations, progress) as bar:
        x, _ = dynamics.rollout(x0, u)
        c = cost.value(x, u)
        if not np.isfinite(c):
            return Solution(x, u, np.inf, np.array([np.inf]), np.zeros((*u.shape, len(x0))), "diverged")
        history, mu, result, K = [c], 0.0, ON, None
        try:
            while len(history) <= max_iterations:
                result, x, u, c, mu, K = descent.round(x, u, c, mu)
                if result != ON:
                    break
                history.append(c)
                bar.update(len(history) - 1, f"cost {c:.6g}")
                if callback is not None:
                    callback(x, u, c)
        except KeyboardInterrupt:
            result, K = "interrupted", None
        if K is None or method == "batch":
            K = descent.gains(x, u)
    return Solution(x, u, c, np.array(history), K, result)


def _methods(method, D, d, lower):
    """Return the functions that find the direction and the costates."""
    if method not in ("recursive", "batch"):
        raise ValueError(f'method must be "recursive" or "batch", got {method!r}')
    if method == "batch":
        return batch_direction, costates
    if lower is None and find_spec("numba") is not None:
        from robotdyn.sweep import compiled

        return compiled(D, d)
    return backward, costates


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
