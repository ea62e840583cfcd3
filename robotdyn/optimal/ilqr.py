"""iLQR: the torques that make a cost small, by solving one linear-quadratic problem after another.

Each round: linearize the motion, expand the cost, find the best change of the inputs, go as far along it as the cost
falls.  "recursive" finds the change by a pass back in time, "batch" as least squares in all inputs at once.
The model of the cost is quadratic in (dx, du).  Gauss-Newton's leaves out the curvature of dynamics and residuals: it
always has a minimum if every input costs something.  Newton's has it all, and near the optimum its steps are far better.
Calinon, RCFS, sections 7.1, 7.2 and 7.4; Li and Todorov (2004).  This file knows no arm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.maths.validate import Array, Floats, as_numbers, in_short
from robotdyn.optimal.dynamics import Dynamics
from robotdyn.optimal.riccati import backward, compiled_backward, costates
from robotdyn.optimal.rollout_matrix import rollout_matrix
from robotdyn.optimal.solution import Solution
from robotdyn.simulation.progress import progress_bar

STEP_LENGTHS = 0.5 ** np.arange(13)  # of a step, the longest first
# The least and the largest mu: how much steps are shortened, beside the curvature of the cost by the inputs.
MIN_MU = 1e-6
MAX_MU = 1e10
MAX_COMPILED_SIZE = 32  # states and inputs up to which a pass back compiles in some tenths of a second
CONTINUE = "iteration limit"  # the result while rounds go on: what a Solution says if they never end otherwise

Limits = tuple[ArrayLike, ArrayLike]
Callback = Callable[[Floats, Floats, float], object] | None
Model = tuple[Floats, Floats, Floats, Floats, Floats, Floats, Floats]  # A, B, l_x, l_u, l_xx, l_ux, l_uu


class AnyCost(Protocol):
    """What `ilqr` asks of a cost, which a `Cost` answers: its value, and its derivatives along a motion."""

    def value(self, x: Floats, u: Floats) -> float:
        """Return the cost of the motion x (T, D), u (T - 1, d)."""

    def expand(self, x: Floats, u: Floats) -> tuple[Floats, ...]:
        """Return l_x, l_u, l_xx, l_ux, l_uu."""


def ilqr(
    dynamics: Dynamics | Callable[[Floats, Floats], ArrayLike],
    cost: AnyCost,
    x0: ArrayLike,
    u0: ArrayLike,
    limits: Limits | None = None,
    method: str = "recursive",
    second_order: bool = False,
    tolerance: float = 1e-12,
    max_iterations: int = 500,
    progress: bool | None = None,
    callback: Callback = None,
) -> Solution:
    """Return the Solution that makes cost.value(x, u) small, for x_(t+1) = f(x_t, u_t) from x0.

    dynamics: a Dynamics, or a step (x, u) -> the next x;
    cost: a Cost, or anything with value(x, u) and expand(x, u);
    x0: (D,) the first state, which is held;
    u0: (T - 1, d) the first guess of the inputs.
    limits: (lower, upper), numbers or (d,) each: the inputs never leave them (method "recursive" only); where both are
    equal, the input is given.
    method: "recursive" or "batch";
    tolerance: stop when a full step promises less than this part of the cost.
    second_order: True takes the curvature of dynamics and residuals into account, too (Newton's method; DDP is close to
    it): far fewer rounds where effort dominates the cost, and exact gains at the end.
    progress: True or False shows or hides the bar; None: shown in terminals and notebooks when it takes long.
    callback: called as callback(x, u, cost) after every step that lowered the cost.
    Ctrl-C, or the stop button of a notebook, ends with the best so far.  A step to NaN or infinity is never taken.
    """
    dynamics = as_dynamics(dynamics, cost)
    x0 = as_numbers(x0, "x0", (np.size(x0),))
    u = as_numbers(u0, "u0", np.shape(u0))
    if u.ndim != 2 or not len(u):
        raise ValueError(f"u0 must have shape (T - 1, d) with T >= 2 states, got {u.shape}")
    bounds = as_bounds(limits, u.shape[1], method)
    u = u if bounds is None else np.clip(u, *bounds)
    descent = Descent.of(dynamics, cost, method, second_order, bounds, tolerance, (len(x0), u.shape[1]))
    with (
        np.errstate(over="ignore", invalid="ignore", divide="ignore"),
        progress_bar(max_iterations, progress) as advance,
    ):
        x, _ = dynamics.rollout(x0, u)
        c = cost.value(x, u)
        if not np.isfinite(c):
            return Solution(x, u, np.inf, np.array([np.inf]), np.zeros((*u.shape, len(x0))), "diverged")
        solution = _descend(descent, x, u, c, max_iterations, advance, callback)
        if solution.gains is None or method == "batch":
            solution = replace(solution, gains=descent.gains(solution.x, solution.u))
    return solution


def _descend(
    descent: Descent,
    x: Floats,
    u: Floats,
    c: float,
    max_iterations: int,
    advance: Callable[[int, str], None],
    callback: Callback,
) -> Solution:
    """Return the Solution that rounds of a Descent lead to from a motion of cost c; its gains are None where it stops early.

    advance: moves the progress bar; the rest as in `ilqr`.
    """
    history = [c]
    mu = 0.0
    result = CONTINUE
    K: Any = None
    try:
        while len(history) <= max_iterations:
            result, x, u, c, mu, K = descent.round(x, u, c, mu)
            if result != CONTINUE:
                break
            history.append(c)
            advance(1, f"cost {c:.6g}")
            if callback is not None:
                callback(x, u, c)
            descent = descent.compiled(len(u) * len(history), x, u)
    except KeyboardInterrupt:
        result = "interrupted"
        K = None
    return Solution(x, u, c, np.array(history), K, result)


def _curvature_of(dynamics: Dynamics) -> Callable[..., Floats]:
    if dynamics.curvature is None:
        raise ValueError("second_order must be False for dynamics without a curvature: give the Dynamics one")
    return dynamics.curvature


def as_dynamics(dynamics: Any, cost: Any) -> Dynamics:
    """Return what steps, as a Dynamics; refuse what cannot step, and what is no cost."""
    if not isinstance(dynamics, Dynamics):
        if not callable(dynamics):
            raise TypeError(
                "dynamics must be a Dynamics, as rd.arm_dynamics(arm, dt) makes one, or a function (x, u) -> the next "
                f"x, got {in_short(dynamics)}"
            )
        dynamics = Dynamics(dynamics)
    if not hasattr(cost, "value") or not hasattr(cost, "expand"):
        raise TypeError(
            "cost must be a Cost, as rd.costs.effort(1e-3) + rd.costs.tip_position(arm, target, 1e3) makes one, or have "
            f"value(x, u) and expand(x, u), got {in_short(cost)}"
        )
    return dynamics


def _direction(method: str, D: int, d: int, compiled: bool) -> Callable[..., Any]:
    """Return the function that finds the best change of the inputs."""
    if method not in ("recursive", "batch"):
        raise ValueError(f'method must be "recursive" or "batch", got {in_short(method)}')
    if method == "batch":
        return batch_direction
    return compiled_backward(D, d) if compiled and D + d <= MAX_COMPILED_SIZE else backward


def as_bounds(limits: Limits | None, d: int, method: str) -> tuple[Floats, ...] | None:
    """Return limits as lower and upper (d,), or None."""
    if limits is None:
        return None
    if method == "batch":
        raise ValueError('limits must be None for the method "batch": take "recursive", which keeps them exactly')
    lower, upper = (np.full(d, bound, dtype=float) for bound in limits)
    if not (lower <= upper).all():
        raise ValueError(f"limits must be (lower, upper) with lower <= upper, got {lower.tolist()}, {upper.tolist()}")
    return lower, upper


@dataclass(frozen=True, eq=False)
class Descent:
    """What stays the same from round to round.

    direction: `riccati.backward` or its compiled twin, or `batch_direction`; curvature: of the dynamics, for Newton's
    method, else None; bounds: lower and upper (d,), or None; tolerance: the promise, beside the cost, that counts as none.
    """

    dynamics: Dynamics
    cost: Any
    direction: Callable[..., Any]
    curvature: Callable[..., Floats] | None
    bounds: tuple[Floats, ...] | None
    tolerance: float

    @classmethod
    def of(
        cls,
        dynamics: Dynamics,
        cost: Any,
        method: str,
        second_order: bool,
        bounds: tuple[Floats, ...] | None,
        tolerance: float,
        sizes: tuple[int, int],
    ) -> Descent:
        """Return the Descent by a method, of so many states and inputs."""
        direction = _direction(method, *sizes, dynamics.compiled and bounds is None)
        curvature = _curvature_of(dynamics) if second_order else None
        return cls(dynamics, cost, direction, curvature, bounds, tolerance)

    def compiled(self, steps: int, x: Floats, u: Floats) -> Descent:
        """Return the same Descent by compiled code, where that pays after so many steps."""
        dynamics = self.dynamics.faster(steps) if self.dynamics.faster is not None else None
        if dynamics is None:
            return self
        direction = self.direction
        if direction is backward and self.bounds is None:
            direction = _direction("recursive", x.shape[1], u.shape[1], True)
        curvature = dynamics.curvature if self.curvature is not None else None
        return replace(self, dynamics=dynamics, direction=direction, curvature=curvature)

    def round(self, x: Floats, u: Floats, c: float, mu: float) -> tuple[Any, ...]:
        """Return (result, x, u, c, mu, K) after one step that lowers the cost; result says whether it is the last.

        Newton's step is taken where its model has a minimum; else the better of Gauss-Newton's and a shortened Newton.
        """
        model = self._gauss_newton(x, u)
        if self.curvature is None:
            return self._regularized_step(model, x, u, c, mu)
        newton = self._newton(model, x, u, self.curvature)
        if mu == 0 and (found := self._line_search(newton, x, u, c, 0.0, STEP_LENGTHS[:4])):
            return *found[:4], mu, found[4]
        second = self._regularized_step(newton, x, u, c, mu)
        first = self._line_search(model, x, u, c, 0.0, STEP_LENGTHS)
        if first is None or second[0] == "converged" or second[3] <= first[3]:
            return second
        return *first[:4], second[4], first[4]

    def _regularized_step(self, model: Model, x: Floats, u: Floats, c: float, mu: float) -> tuple[Any, ...]:
        """Return what `round` does, by one model alone.

        Where no length of the step lowers the cost, or the model has no minimum, mu grows and the direction turns
        toward the steepest descent; it shrinks again with every success.
        """
        scale = hessian_scale(model) if mu else 0.0
        retried = False
        while mu <= MAX_MU:
            found = self._line_search(model, x, u, c, mu * scale, STEP_LENGTHS)
            if found and (found[0] == CONTINUE or mu == 0):
                return *found[:4], mu / 10 if mu > MIN_MU else 0.0, found[4]
            if found and not retried:  # a short step promises little: ask again without mu, once
                mu = 0.0
                retried = True
            else:
                mu = max(10 * mu, MIN_MU)
                scale = scale or hessian_scale(model)
        return "no descent", x, u, c, 0.0, None

    def gains(self, x: Floats, u: Floats) -> Floats:
        """Return the gains K (T - 1, d, D) about a motion; zeros where the model has no minimum."""
        try:
            return backward(*self._gauss_newton(x, u), 0.0, *self._control_bounds(u))[1]
        except np.linalg.LinAlgError:
            return np.zeros((*u.shape, x.shape[1]))

    def _line_search(self, model: Model, x: Floats, u: Floats, c: float, mu: float, lengths: Array) -> tuple | None:
        """Return (result, x, u, c, K) after a step along one model; None if it has no minimum, or no step helps."""
        try:
            k, K, slope, curvature = self.direction(*model, mu, *self._control_bounds(u))
        except np.linalg.LinAlgError:
            return None
        if -(slope + curvature) <= self.tolerance * abs(c):
            return "converged", x, u, c, K
        for a in lengths:
            x_new, u_new = self.dynamics.rollout(x[0], u, (a * k, K, x), self.bounds)
            c_new = self.cost.value(x_new, u_new)
            if c_new <= c + 1e-4 * a * slope:  # false for NaN and infinity, too
                return CONTINUE, x_new, u_new, c_new, None
        return None

    def _gauss_newton(self, x: Floats, u: Floats) -> Model:
        A, B = self.dynamics.jacobians(x[:-1], u)
        return A, B, *self.cost.expand(x, u)

    def _newton(self, model: Model, x: Floats, u: Floats, curvature: Callable[..., Floats]) -> Model:
        """Return the model with what Gauss-Newton leaves out: v . f'' of the dynamics, f . r'' of the cost."""
        A, B, l_x, l_u, l_xx, l_ux, l_uu = model
        D = len(x[0])
        C = curvature(x, u, A, B, costates(A, l_x)[1:])
        l_xx = l_xx + self.cost.curvature(x)
        l_xx[:-1] += C[:, :D, :D]
        return A, B, l_x, l_u, l_xx, l_ux + C[:, D:, :D], l_uu + C[:, D:, D:]

    def _control_bounds(self, u: Floats) -> tuple[Floats, ...]:
        return () if self.bounds is None else tuple(bound - u for bound in self.bounds)


def hessian_scale(model: Model) -> float:
    """Return about how large Q_uu is, the scale of mu."""
    _, B, _, _, l_xx, _, l_uu = model
    return abs(l_uu).max() + abs(B).max() ** 2 * abs(l_xx).max()


def batch_direction(
    A: Floats, B: Floats, l_x: Floats, l_u: Floats, l_xx: Floats, l_ux: Floats, l_uu: Floats, mu: float = 0.0
) -> tuple[Array, Array, Any, Any]:
    """Return du as k (T-1, d), K = 0, slope and curvature, as `backward` does, from least squares in the stacked inputs.

    With x = S_u u:  (S^T l_xx S + S^T l_ux^T + l_ux S + l_uu) du = -(S^T l_x + l_u);  RCFS 7.1 has the two middle terms
    as one, doubled.
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
