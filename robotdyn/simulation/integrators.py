"""One step of motion:  from the state (q, qd) at the time t to the one at t + dt, for d/dt (q, qd) = rates(t, (q, qd)).

A method is one line of the table `INTEGRATORS`.  Whoever steps, differentiates a step, estimates its error or moves a
figure reads that line, so a new one works everywhere.  The three methods of the book also stand here as a reader would
write them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from robotdyn.maths.validate import Floats, in_short

Rates = Callable[[Any, Floats], Floats]


@dataclass(frozen=True)
class Integrator:
    """An explicit Runge-Kutta method, by its Butcher tableau.

    k_i = f(t + c_i dt, x + dt (a_i1 k_1 + a_i2 k_2 + ..)) with c_i = a_i1 + a_i2 + ..,  x' = x + dt (b_1 k_1 + b_2 k_2 + ..).
    order: the error of a motion falls like dt^order; a: a row of weights for each slope, the first one empty;
    b: a weight for each slope.
    velocity_first: q moves with the new velocity, q' = q + dt qd', the splitting of semi-implicit Euler.
    """

    order: int
    a: tuple[tuple[float, ...], ...] = ((),)
    b: tuple[float, ...] = (1,)
    velocity_first: bool = False

    def __post_init__(self) -> None:
        if [len(row) for row in self.a] != list(range(len(self.b))):
            raise ValueError(
                f"a must hold rows of 0, 1, 2, .. weights, as many as b has, which makes the method explicit, got a = "
                f"{self.a} and b = {self.b}"
            )
        if not abs(sum(self.b) - 1) < 1e-12:
            raise ValueError(f"b must add up to 1, or a constant rate is not followed, got {self.b}")

    @property
    def stages(self) -> int:
        """The number of slopes, each of which takes one acceleration."""
        return len(self.b)

    def step(self, rates: Rates, t: Any, state: Floats, dt: Any) -> Floats:
        """Return the state (2, n) after one step; rates: (t, state) -> d state / dt (2, n)."""
        slopes: list[Floats] = []
        for row in self.a:
            slopes.append(rates(t + sum(row) * dt, state + weighted(row, slopes) * dt))
        q, qd = state + weighted(self.b, slopes) * dt
        return np.stack([state[0] + qd * dt if self.velocity_first else q, qd])


def weighted(weights: Iterable[float], terms: Iterable[Any]) -> Any:
    """Return the sum of terms times their weights, 0 if none counts."""
    return sum(weight * term for weight, term in zip(weights, terms) if weight)


# where: add an integrator
# any explicit Runge-Kutta method, by its tableau; other kinds have no place yet
INTEGRATORS = {
    "euler": Integrator(order=1),
    "semi-implicit": Integrator(order=1, velocity_first=True),
    "rk4": Integrator(order=4, a=((), (1 / 2,), (0, 1 / 2), (0, 0, 1)), b=(1 / 6, 1 / 3, 1 / 3, 1 / 6)),
}


def integrator_of(method: str, others: Iterable[str] = ()) -> Integrator:
    """Return the Integrator of a name; others: further names that the caller knows, for the sentence of the error."""
    if not isinstance(method, str) or method not in INTEGRATORS:
        raise ValueError(f"method must be one of {', '.join([*INTEGRATORS, *others])}, got {in_short(method)}")
    return INTEGRATORS[method]


# ---- as a reader would write them -----------------------------------------------------------------------------------


def euler_step(rates: Rates, t: Any, state: Floats, dt: Any) -> Floats:
    """Return state + f(t, state) dt: position and velocity both from the old state."""
    return state + rates(t, state) * dt


def semi_implicit_step(rates: Rates, t: Any, state: Floats, dt: Any) -> Floats:
    """Return the step that moves the velocity first and the position with the new velocity.

    For a constant mass matrix it is symplectic, and the energy error stays bounded; for an arm whose M depends on q it
    is of first order like explicit Euler, and the energy drifts, linearly in time and in dt: chapter "n-link".
    """
    q, qd = state
    qd = qd + rates(t, state)[1] * dt
    return np.array([q + qd * dt, qd])


def rk4_step(rates: Rates, t: Any, state: Floats, dt: Any) -> Floats:
    """Return the classical fourth-order Runge-Kutta step."""
    k1 = rates(t, state)
    k2 = rates(t + dt / 2, state + k1 * dt / 2)
    k3 = rates(t + dt / 2, state + k2 * dt / 2)
    k4 = rates(t + dt, state + k3 * dt)
    return state + (k1 + 2 * k2 + 2 * k3 + k4) * dt / 6
