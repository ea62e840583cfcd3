"""Trajectory tracking about an optimal motion:  u = u_t + K_t (x - x_t).

The gains of an optimal motion answer a disturbance best, to first order.  The sign is that of du = K dx: K is applied
to what is, less what was planned.  (RCFS 7.2 prints the difference the other way round: that drives the arm away.)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.maths.validate import Floats, as_numbers, as_positive, in_short
from robotdyn.optimal.dynamics import Dynamics
from robotdyn.optimal.solution import Solution


def tracking(
    solution: Solution, dt: float, limits: tuple[ArrayLike, ArrayLike] | None = None
) -> Callable[[float, Floats, Floats], Floats]:
    """Return the law (t, q, qd) -> tau (n,) that holds an arm to a Solution, for `rd.simulate`.

    dt: s, the step of the plan; u_t and K_t serve from t dt on for one step, the last ones from then on.
    limits: (lower, upper) torques N m, numbers or (n,), which the law keeps.
    """
    solution = _check_solution(solution)
    dt = as_positive(dt, "dt", "s")
    lower, upper = (-np.inf, np.inf) if limits is None else limits
    last = len(solution.u) - 1

    def law(t: float, q: Floats, qd: Floats) -> Floats:
        s = min(int(t / dt + 1e-9), last)
        deviation = np.concatenate([q, qd]) - solution.x[s]
        return np.clip(solution.u[s] + solution.gains[s] @ deviation, lower, upper)

    return law


def closed_loop(
    dynamics: Dynamics,
    solution: Solution,
    x0: ArrayLike | None = None,
    disturbance: ArrayLike | None = None,
    feedback: bool = True,
    limits: tuple[ArrayLike, ArrayLike] | None = None,
) -> tuple[Floats, Floats]:
    """Return x (T, D), u (T - 1, d): what happens to a plan that starts elsewhere, or is pushed on its way.

    dynamics: a Dynamics, also of another arm than the planned one;
    x0: (D,) the true start, default the planned one;
    disturbance: (T - 1, D), added to the state after each step; feedback=False replays the inputs blindly.
    limits: (lower, upper) of the inputs.
    """
    if not isinstance(dynamics, Dynamics):
        raise TypeError(f"dynamics must be a Dynamics, as rd.arm_dynamics(arm, dt) makes one, got {in_short(dynamics)}")
    steps = len(_check_solution(solution).u)
    D = solution.x.shape[1]
    x0 = solution.x[0] if x0 is None else as_numbers(x0, "x0", (D,))
    push = np.zeros((steps, D)) if disturbance is None else as_numbers(disturbance, "disturbance", (steps, D))
    lower, upper = (-np.inf, np.inf) if limits is None else limits
    x = [x0]
    u = []
    for t in range(steps):
        deviation = x[t] - solution.x[t]
        u.append(np.clip(solution.u[t] + feedback * (solution.gains[t] @ deviation), lower, upper))
        x.append(dynamics.step(x[t], u[t]) + push[t])
    return np.array(x), np.array(u)


def _check_solution(solution: Solution) -> Solution:
    if not isinstance(solution, Solution):
        raise TypeError(f"solution must be a Solution, as rd.reach or rd.ilqr returns one, got {in_short(solution)}")
    return solution
