"""Multiple shooting:  begin with a motion that is wished for, x_(t+1) = f(x_t, u_t) - gap_t, and close the gaps on the way.

`ilqr` knows a first guess of the inputs alone, and where that leads nobody may want to go.  Here the states are guessed,
too.  A step of length a leaves (1 - a) of each gap; how far to go is decided by the merit function c + penalty * sum of |gap|, which counts both.
A whole step closes all gaps; what follows is `ilqr`.
Giftthaler and others (2018), "A family of iterative Gauss-Newton shooting methods"; Mastalli and others (2020), "Crocoddyl".
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.maths.validate import Floats, as_numbers
from robotdyn.optimal.dynamics import Dynamics
from robotdyn.optimal.ilqr import (
    MAX_MU,
    MIN_MU,
    STEP_LENGTHS,
    AnyCost,
    Limits,
    as_bounds,
    as_dynamics,
    hessian_scale,
    ilqr,
)
from robotdyn.optimal.riccati import backward_step, feedback, minimum, minimum_in_box
from robotdyn.optimal.solution import Solution

GAP_DECREASE = 0.1  # the part of the gaps' penalty that a step has to gain


def multiple_shooting(
    dynamics: Dynamics | Callable[[Floats, Floats], ArrayLike],
    cost: AnyCost,
    x: ArrayLike,
    u: ArrayLike,
    limits: Limits | None = None,
    second_order: bool = False,
    tolerance: float = 1e-12,
    max_iterations: int = 500,
    progress: bool | None = None,
) -> Solution:
    """Return the Solution that `rd.ilqr` returns, found from a first guess of the states, too.

    x: (T, D), a motion that is wished for, such as a straight line; x[0] is the start, which is held, the others need
    not follow from each other;
    u: (T - 1, d).  The rest as in `rd.ilqr`; cost_history: from the motion without gaps on.
    result "no descent": the gaps could not be closed.
    """
    dynamics = as_dynamics(dynamics, cost)
    x = as_numbers(x, "x", np.shape(x))
    if x.ndim != 2 or len(x) < 2:
        raise ValueError(f"x must have shape (T, D) with T >= 2 states, got {x.shape}")
    u = as_numbers(u, "u", np.shape(u))
    if u.ndim != 2 or len(u) != len(x) - 1:
        raise ValueError(f"u must have shape ({len(x) - 1}, d), one input less than there are states, got {u.shape}")
    bounds = as_bounds(limits, u.shape[1], "recursive")
    u = u if bounds is None else np.clip(u, *bounds)
    mu = 0.0
    penalty = 0.0
    rounds = 0
    gaps = np.array([dynamics.step(x_t, u_t) for x_t, u_t in zip(x, u)]) - x[1:]
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        while gaps.any() and rounds < max_iterations and mu <= MAX_MU:
            rounds += 1
            found = _step(dynamics, cost, x, u, gaps, mu, penalty, bounds)
            if found is None:
                mu = max(10 * mu, MIN_MU)
            else:
                x, u, gaps, penalty = found
                mu = mu / 10 if mu > MIN_MU else 0.0
    if gaps.any():
        c = cost.value(x, u)
        return Solution(
            x,
            u,
            c,
            np.array([c]),
            np.zeros((*u.shape, x.shape[1])),
            "no descent" if mu > MAX_MU else "iteration limit",
        )
    return ilqr(
        dynamics, cost, x[0], u, limits, "recursive", second_order, tolerance, max_iterations - rounds, progress
    )


def _step(
    dynamics: Dynamics,
    cost: AnyCost,
    x: Floats,
    u: Floats,
    gaps: Floats,
    mu: float,
    penalty: float,
    bounds: tuple[Floats, ...] | None,
) -> tuple[Floats, Floats, Floats, float] | None:
    """Return x, u, the gaps that are left and their penalty after one step; None where the model has no minimum, or none helps."""
    model = *dynamics.jacobians(x[:-1], u), *cost.expand(x, u)
    try:
        k, K = _backward(model, u, gaps, mu and mu * hessian_scale(model), bounds)
    except np.linalg.LinAlgError:
        return None
    slope, curvature = _predicted_change(model, k, K, gaps)
    total_gap = abs(gaps).sum()
    c = cost.value(x, u)
    penalty = max(penalty, (slope + max(curvature, 0.0)) / ((1 - GAP_DECREASE) * total_gap))
    for a in STEP_LENGTHS:
        x_new = x.copy()
        u_new = u.copy()
        for t in range(len(u)):
            u_new[t] = feedback(u[t], a * k[t], K[t], x_new[t], x[t])
            if bounds is not None:
                u_new[t] = np.clip(u_new[t], *bounds)
            x_new[t + 1] = dynamics.step(x_new[t], u_new[t]) - (1 - a) * gaps[t]
        merit = cost.value(x_new, u_new) + penalty * (1 - a) * total_gap
        if merit <= c + penalty * total_gap + 1e-4 * a * (
            slope - penalty * total_gap
        ):  # false for NaN and infinity, too
            return x_new, u_new, (1 - a) * gaps, penalty
    return None


def _backward(
    model: tuple[Floats, ...], u: Floats, gaps: Floats, mu: float, bounds: tuple[Floats, ...] | None
) -> tuple[Floats, Floats]:
    """Return k (T - 1, d), K (T - 1, d, D) of the pass back in time, which sees the gap behind each step."""
    l_x = model[2]
    l_xx = model[4]
    k = np.empty(u.shape)
    K = np.empty((*u.shape, len(l_x[0])))
    v = l_x[-1]
    V = l_xx[-1]
    for t in reversed(range(len(u))):
        minimize: Callable = minimum
        if bounds is not None:
            minimize = functools.partial(minimum_in_box, lower=bounds[0] - u[t], upper=bounds[1] - u[t])
        step_model = [part[t] for part in model]
        k[t], K[t], v, V, _, _ = backward_step(step_model, v + V @ gaps[t], V, mu, minimize)
    return k, K


def _predicted_change(model: tuple[Floats, ...], k: Floats, K: Floats, gaps: Floats) -> tuple[float, float]:
    """Return slope and curvature of the cost along the step, by the linear motion that closes the gaps."""
    A, B, l_x, l_u, l_xx, l_ux, l_uu = model
    dx = np.zeros(len(l_x[0]))
    slope = 0.0
    curvature = 0.0
    for t in range(len(k)):
        du = k[t] + K[t] @ dx
        slope += l_x[t] @ dx + l_u[t] @ du
        curvature += dx @ l_xx[t] @ dx / 2 + du @ l_uu[t] @ du / 2 + du @ l_ux[t] @ dx
        dx = A[t] @ dx + B[t] @ du + gaps[t]
    return slope + l_x[-1] @ dx, curvature + dx @ l_xx[-1] @ dx / 2
