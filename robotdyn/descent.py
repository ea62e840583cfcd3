"""One round of an optimization:  a model of the cost about a motion, the best change of the inputs, and how far to go.

The model is quadratic in (dx, du).  Gauss-Newton's leaves out how dynamics and residuals bend: it always has a minimum
if every input costs something.  Newton's has it all, and near the optimum its steps are far better.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from robotdyn.discrete import Dynamics
from robotdyn.riccati import backward
from robotdyn.stacking import rollout_matrix

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
