"""Motion in steps:  x_(t+1) = f(x_t, u_t),  with A = df/dx and B = df/du.

`Dynamics` is all that an optimizer needs to know of a system; `arm_dynamics` makes one of an arm, x = (q, qd), u = tau.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from robotdyn import planar
from robotdyn.linearization import METHODS, acceleration, damping_of
from robotdyn.numeric import as_positive, check_numeric
from robotdyn.recursive import forward_dynamics
from robotdyn.simulation import STEPS


@dataclass(frozen=True, eq=False)
class Dynamics:
    """One step of any system, and its derivatives.

    step: (x, u) -> the next x; x (D,), u (d,).
    jacobians: (x, u) -> A, B at many states at a time: x (T, D), u (T, d), A (T, D, D), B (T, D, d);
    None: central differences of `step`.
    """

    step: Callable
    jacobians: Callable | None = None

    def __post_init__(self):
        if self.jacobians is None:
            object.__setattr__(self, "jacobians", lambda x, u: jacobians_by_differences(self.step, x, u))

    def rollout(self, x0, u, k=None, K=None, x_old=None, lower=None, upper=None):
        """Return x (T, D) from x0 under the inputs, and the inputs (T - 1, d): u, or u + k + K (x - x_old) in limits.

        Stops at the first state that is not finite, and leaves the rest NaN.
        """
        x, u = np.full((len(u) + 1, len(x0)), np.nan), np.array(u)
        x[0] = x0
        for t in range(len(u)):
            if k is not None:
                u[t] += k[t] + K[t] @ (x[t] - x_old[t])
                if lower is not None:
                    u[t] = np.minimum(np.maximum(u[t], lower), upper)
            x[t + 1] = self.step(x[t], u[t])
            if not np.isfinite(x[t + 1]).all():
                break
        return x, u

    def in_coordinates(self, P, R):
        """Return the same system in other coordinates: x = P x_new, u = R u_new; P (D, D), R (d, d) invertible."""
        P, R = np.asarray(P, dtype=float), np.asarray(R, dtype=float)

        def jacobians(x, u):
            A, B = self.jacobians(x @ P.T, u @ R.T)
            return np.linalg.solve(P, A @ P), np.linalg.solve(P, B @ R)

        return Dynamics(lambda x, u: np.linalg.solve(P, self.step(P @ x, R @ u)), jacobians)


def arm_dynamics(arm, dt, damping=None, method="euler", angles="relative", route=None):
    """Return the Dynamics of an arm: x = (q, qd) (2n,), u = tau (n,), one step of dt seconds.

    damping, method, angles, route: as in `rd.linearize`; tau is held over the step.
    """
    check_numeric(arm, "arm_dynamics")
    dt = as_positive(dt, "dt", "s")
    derivatives = acceleration(arm, damping, angles, route)
    b, n = damping_of(arm, damping), arm.n
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")

    def accelerate(q, qd, u):
        if not (np.isfinite(q).all() and np.isfinite(qd).all()):
            return np.full(n, np.nan)  # inside a step that runs away: the optimizer sees it, and steps shorter
        if angles == "relative":
            return forward_dynamics(arm, q, qd, u - b * qd)
        return planar.forward_dynamics(arm, q, qd, u - planar.generalized_forces(b * planar.to_relative(qd)))

    def step(x, u):
        rates = lambda t, state: np.array([state[1], accelerate(*state, u)])
        return STEPS[method](rates, 0.0, x.reshape(2, n), dt).ravel()

    def jacobians(x, u):
        return METHODS[method](derivatives, x[..., :n], x[..., n:], u, dt)

    return Dynamics(step, jacobians)


def jacobians_by_differences(step, x, u, h=1e-5):
    """Return A (T, D, D), B (T, D, d) of a step at x (T, D), u (T, d), by central differences, error of order h^2."""
    D = x.shape[-1]
    A, B = np.empty((*x.shape, D)), np.empty((*x.shape, u.shape[-1]))
    for t, (x_t, u_t) in enumerate(zip(x, u)):
        for i, e in enumerate(h * np.eye(D)):
            A[t, :, i] = (step(x_t + e, u_t) - step(x_t - e, u_t)) / (2 * h)
        for i, e in enumerate(h * np.eye(len(u_t))):
            B[t, :, i] = (step(x_t, u_t + e) - step(x_t, u_t - e)) / (2 * h)
    return A, B
