"""Motion in steps:  x_(t+1) = f(x_t, u_t),  with A = df/dx and B = df/du: all that an optimizer knows of a system."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.maths.validate import Floats
from robotdyn.optimal.riccati import feedback


@dataclass(frozen=True, eq=False)
class Dynamics:
    """One step of any system, and its derivatives.

    step: (x, u) -> the next x; x (D,), u (d,).
    jacobians: (x, u) -> A, B at many states at a time: x (T, D), u (T, d), A (T, D, D), B (T, D, d);
    None: central differences of `step`.
    roll: a faster twin of the loop in `rollout`, or None.
    curvature: (x, u, A, B, v) -> the second derivatives (T - 1, D + d, D + d) of v_t . f(x_t, u_t) by (x_t, u_t), for
    a whole motion x (T, D), u (T - 1, d), its A and B, and weights v (T - 1, D); None: unknown.
    compiled: whether `rd.ilqr` shall compile its own part, too.
    faster: (steps taken) -> the same Dynamics compiled, once that pays, else None; `rd.ilqr` asks after each round.
    """

    step: Callable[[Floats, Floats], ArrayLike]
    jacobians: Any = None  # always a function afterward
    roll: Callable[..., tuple[Floats, Floats]] | None = None
    curvature: Callable[..., Floats] | None = None
    compiled: bool = False
    faster: Callable[[int], Dynamics | None] | None = None

    def __post_init__(self) -> None:
        if self.jacobians is None:
            object.__setattr__(self, "jacobians", lambda x, u: jacobians_by_differences(self.step, x, u))

    def rollout(
        self, x0: Floats, u: Floats, answer: tuple[Floats, ...] | None = None, limits: tuple[Floats, ...] | None = None
    ) -> tuple[Floats, Floats]:
        """Return x (T, D) from x0 under the inputs, and the inputs (T - 1, d): u, or u + k + K (x - x_old) in limits.

        answer: k (T - 1, d), K (T - 1, d, D), x_old (T, D), or None;
        limits: lower and upper (d,), or None.
        Stops at the first state that is not finite, and leaves the rest NaN.
        """
        if self.roll is not None:
            return self.roll(x0, u, answer, limits)
        x = np.full((len(u) + 1, len(x0)), np.nan)
        u = np.array(u)
        x[0] = x0
        for t in range(len(u)):
            if answer is not None:
                k, K, x_old = answer
                u[t] = feedback(u[t], k[t], K[t], x[t], x_old[t])
                if limits is not None:
                    u[t] = np.minimum(np.maximum(u[t], limits[0]), limits[1])
            x[t + 1] = self.step(x[t], u[t])
            if not np.isfinite(x[t + 1]).all():
                break
        return x, u


def jacobians_by_differences(step: Callable, x: Floats, u: Floats, h: float = 1e-5) -> tuple[Floats, Floats]:
    """Return A (T, D, D), B (T, D, d) of a step at x (T, D), u (T, d), by central differences."""
    of_state = lambda u_t: lambda x_t: step(x_t, u_t)
    of_input = lambda x_t: lambda u_t: step(x_t, u_t)
    A = [central_differences(of_state(u_t), x_t, h) for x_t, u_t in zip(x, u)]
    B = [central_differences(of_input(x_t), u_t, h) for x_t, u_t in zip(x, u)]
    return np.array(A), np.array(B)


def central_differences(function: Callable[[Floats], ArrayLike], x: Floats, h: float) -> Floats:
    """Return d function / dx (m, D) at x (D,), error of order h^2."""
    f = lambda z: np.asarray(function(z), dtype=float)
    return np.stack([(f(x + e) - f(x - e)) / (2 * h) for e in h * np.eye(len(x))], axis=-1)
