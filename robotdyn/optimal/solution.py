"""How an optimization ends:  the best motion found, what it costs, and a named result with advice."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from robotdyn.maths.validate import Array, Floats

# How a Solution may end, and what to do next.
RESULTS = {
    "converged": (
        "A further step promises no gain. The optimum may be a local one: other first torques may lead to a better one."
    ),
    "iteration limit": "The cost was still falling. Start again from these torques, or raise max_iterations.",
    "no descent": (
        "No step along the direction lowers the cost, however short. If the cost is still high, check the derivatives "
        "against differences, bring the weights closer together, or take shorter time steps."
    ),
    "diverged": (
        "The motion of the first torques is not finite, so there is nothing to improve. Take shorter time steps, "
        "gentler first torques or more damping."
    ),
    "infeasible": (
        "The constraints are not kept: perhaps no motion can, within its time and limits. Ask for less, give it longer, "
        "begin with other torques, or with larger weights of the constraints."
    ),
    "interrupted": "Stopped by hand; this is the best motion so far. Start again from its torques to go on.",
}


@dataclass(frozen=True, eq=False)
class Solution:
    """The best motion of an optimization: T states, T - 1 inputs.

    x: (T, D) states; u: (T - 1, d) inputs; cost: number, infinite where even the first motion diverged;
    cost_history: (k,) the cost before the first step and after each; gains: K (T - 1, d, D), the best answer to a
    small disturbance, u = u_t + K_t (x - x_t); result: how it ended: "converged",
    "iteration limit", "no descent", "diverged", "infeasible" or "interrupted"; `advice` says what to do next.
    """

    x: Floats
    u: Floats
    cost: float
    cost_history: Floats
    gains: Floats
    result: str

    @property
    def q(self) -> Floats:
        """Positions (T, n): the first half of every state."""
        return self.x[:, : self.x.shape[1] // 2]

    @property
    def qd(self) -> Floats:
        """Velocities (T, n): the second half of every state."""
        return self.x[:, self.x.shape[1] // 2 :]

    @property
    def tau(self) -> Floats:
        """Torques (T - 1, n): the inputs."""
        return self.u

    @property
    def advice(self) -> str:
        """What the result means, and the way on, in a sentence or two."""
        return RESULTS[self.result]

    @property
    def iterations(self) -> int:
        """The number of steps that lowered the cost."""
        return len(self.cost_history) - 1

    def in_coordinates(self, P: Array, R: Array) -> Solution:
        """Return the same motion as x = P x_here, u = R u_here; P (D, D), R (d, d)."""
        gains = R @ self.gains @ np.linalg.inv(P)
        return replace(self, x=self.x @ P.T, u=self.u @ R.T, gains=gains)

    def __repr__(self) -> str:
        return f"Solution({self.result} after {self.iterations} iterations, cost {self.cost:.6g}; {self.advice})"
