"""Holding to a planned motion:  u = u_t + K_t (x - x_t).

The gains of an optimal motion answer a disturbance best, to first order.  The sign is that of du = K dx: K is applied
to what is, less what was planned.  (RCFS 7.2 prints the difference the other way round: that drives the arm away.)
"""

import numpy as np

from robotdyn.maths.validate import as_numbers


def tracking(solution, dt, limits=None):
    """Return the law (t, q, qd) -> tau (n,) that holds an arm to a Solution, for `rd.simulate`.

    dt: s, the step of the plan; u_t and K_t serve from t dt on for one step, the last ones for ever after.
    limits: (lower, upper) torques N m, numbers or (n,), which the law keeps.
    """
    lower, upper = (-np.inf, np.inf) if limits is None else limits
    last = len(solution.u) - 1

    def law(t, q, qd):
        s = min(int(t / dt + 1e-9), last)
        off = np.concatenate([q, qd]) - solution.x[s]
        return np.clip(solution.u[s] + solution.gains[s] @ off, lower, upper)

    return law


def closed_loop(dynamics, solution, x0=None, disturbance=None, feedback=True, limits=None):
    """Return x (T, D), u (T - 1, d): what happens to a plan that starts elsewhere, or is pushed on its way.

    dynamics: a Dynamics, also of another arm than the planned one; x0: (D,) the true start, default the planned one;
    disturbance: (T - 1, D), added to the state after each step; feedback=False replays the inputs blindly.
    limits: (lower, upper) of the inputs.
    """
    steps, D = len(solution.u), solution.x.shape[1]
    x0 = solution.x[0] if x0 is None else as_numbers(x0, "x0", (D,))
    push = np.zeros((steps, D)) if disturbance is None else as_numbers(disturbance, "disturbance", (steps, D))
    lower, upper = (-np.inf, np.inf) if limits is None else limits
    x, u = [x0], []
    for t in range(steps):
        off = x[t] - solution.x[t]
        u.append(np.clip(solution.u[t] + feedback * (solution.gains[t] @ off), lower, upper))
        x.append(dynamics.step(x[t], u[t]) + push[t])
    return np.array(x), np.array(u)
