"""iLQR: the torques that make a cost small, by solving one linear-quadratic problem after another.

Each round: linearize the motion, expand the cost, find the best change of the inputs, go as far along it as the cost
falls.  "recursive" finds the change by a sweep back in time, "batch" as least squares in all inputs at once.
Calinon, RCFS, sections 7.1, 7.2 and 7.4; Li and Todorov (2004).  This file knows no arm.

One round of an optimization:  a model of the cost about a motion, the best change of the inputs, and how far to go.

The model is quadratic in (dx, du).  Gauss-Newton's leaves out how dynamics and residuals bend: it always has a minimum
if every input costs something.  Newton's has it all, and near the optimum its steps are far better.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from robotdyn.maths.validate import as_numbers
from robotdyn.optimal.dynamics import Dynamics
from robotdyn.optimal.riccati import backward, costates
from robotdyn.optimal.rollout_matrix import rollout_matrix
from robotdyn.optimal.solution import Solution
from robotdyn.progress import Progress


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
        from robotdyn.optimal.compiled_riccati import compiled

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


LENGTHS = 0.5 ** np.arange(13)  # of a step, the longest first
MU_FIRST, MU_LAST = 1e-6, 1e10  # how much steps are shortened, beside the bend of the cost by the inputs
ON = "iteration limit"  # what has not ended goes on, as far as it may


@dataclass(frozen=True, eq=False)
class Descent:
    """What stays the same from round to round.

    direction: `riccati.backward`, `batch_direction` or a fast twin; costates: `riccati.costates` or a fast twin, or
    None for Gauss-Newton; lower, upper: (d,) or None; tolerance: the promise, beside the cost, that counts as none.
    """

    dynamics: Dynamics
    cost: object
    direction: Callable
    costates: Callable | None
    lower: np.ndarray | None
    upper: np.ndarray | None
    tolerance: float

    def round(self, x, u, c, mu):
        """Return (result, x, u, c, mu, K) after one step that lowers the cost; result tells whether it is the last.

        Newton's step is taken where its model has a minimum; else the better of Gauss-Newton's and a shortened Newton.
        """
        model = self._gauss_newton(x, u)
        if self.costates is None:
            return self._search(model, x, u, c, mu)
        newton = self._newton(model, x, u)
        if mu == 0 and (found := self._try(newton, x, u, c, 0.0, LENGTHS[:4])):
            return *found[:4], mu, found[4]
        second, first = self._search(newton, x, u, c, mu), self._try(model, x, u, c, 0.0, LENGTHS)
        if first is None or second[0] == "converged" or second[3] <= first[3]:
            return second
        return *first[:4], second[4], first[4]

    def _search(self, model, x, u, c, mu):
        """Return what `round` does, by one model alone.

        Where no length of the step lowers the cost, or the model has no minimum, mu grows and the direction turns
        toward the steepest descent; it shrinks again with every success.
        """
        size, asked = _size(model) if mu else 0.0, False
        while mu <= MU_LAST:
            found = self._try(model, x, u, c, mu * size, LENGTHS)
            if found and (found[0] == ON or mu == 0):
                return *found[:4], mu / 10 if mu > MU_FIRST else 0.0, found[4]
            if found and not asked:  # a short step promises little: ask again without mu, once
                mu, asked = 0.0, True
            else:
                mu, size = max(10 * mu, MU_FIRST), size or _size(model)
        return "no descent", x, u, c, 0.0, None

    def gains(self, x, u):
        """Return the gains K (T - 1, d, D) about a motion; zeros where the model has no minimum."""
        try:
            return backward(*self._gauss_newton(x, u), 0.0, *self._room(u))[1]
        except np.linalg.LinAlgError:
            return np.zeros((*u.shape, x.shape[1]))

    def _try(self, model, x, u, c, mu, lengths):
        """Return (result, x, u, c, K) after a step along one model; None if it has no minimum, or no step helps."""
        try:
            k, K, slope, bend = self.direction(*model, mu, *self._room(u))
        except np.linalg.LinAlgError:
            return None
        if -(slope + bend) <= self.tolerance * abs(c):
            return "converged", x, u, c, K
        for a in lengths:
            x_new, u_new = self.dynamics.rollout(x[0], u, a * k, K, x, self.lower, self.upper)
            c_new = self.cost.value(x_new, u_new)
            if c_new <= c + 1e-4 * a * slope:  # false for NaN and infinity, too
                return ON, x_new, u_new, c_new, None
        return None

    def _gauss_newton(self, x, u):
        return (*self.dynamics.jacobians(x[:-1], u), *self.cost.expand(x, u))

    def _newton(self, model, x, u):
        """Return the model with what Gauss-Newton leaves out: v . f'' of the dynamics, f . r'' of the cost."""
        A, B, l_x, l_u, l_xx, l_ux, l_uu = model
        D = len(x[0])
        v = self.costates(A, l_x)
        C = self.dynamics.curvature(x, u, A, B, v[1:])
        l_xx = l_xx + self.cost.curvature(x)
        l_xx[:-1] += C[:, :D, :D]
        return A, B, l_x, l_u, l_xx, l_ux + C[:, D:, :D], l_uu + C[:, D:, D:]

    def _room(self, u):
        return () if self.lower is None else (self.lower - u, self.upper - u)


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
