"""A cost as a sum of squares along a motion:  c = sum over terms of w |r(x_t)|^2, and of u_t^T R u_t.

No factor 1/2.  A term has a residual r and its Jacobian J; the optimizer takes 2 w J^T r and 2 w J^T J for its
derivatives (Gauss and Newton: the bending of r itself is left out, unless it is asked for).  Costs add up with `+`.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

ONES = np.ones(1)


@dataclass(frozen=True, eq=False)
class Term:
    """w |r|^2, summed over the chosen states.

    residual: x (K, D) -> r (K, m); jacobian: x (K, D) -> J (K, m, D); weight: number or (m,), >= 0;
    at: index of a state or a list of indices, 0 to T - 1 or from -1 backward, None for all of them;
    box: None, or half-widths (m,): inside the box the term is zero, outside it counts the way to the box.
    curvature: (x (K, D), f (K, m)) -> the second derivatives (K, D, D) of f . r; None where r is straight or unknown.
    """

    residual: Callable
    jacobian: Callable
    weight: object = 1.0
    at: object = None
    box: object = None
    curvature: Callable | None = None

    def outside(self, x):
        """Return r (K, m), where a box is given only what sticks out of it."""
        r = self.residual(x)
        return r if self.box is None else r - np.clip(r, -np.asarray(self.box), self.box)

    def where(self, T):
        """Return the indices of the states that count, for a motion of T states, or a slice of all."""
        if self.at is None:
            return slice(T)
        if type(self.at) is int and -T <= self.at < T:
            return slice(self.at % T, self.at % T + 1)
        at = np.atleast_1d(self.at)
        if at.dtype.kind != "i" or at.ndim != 1 or not all(-T <= t < T for t in at.tolist()):
            raise ValueError(f"at must hold indices of states from 0 to {T - 1} (or from -1 backward), got {self.at}")
        if len(set((at % T).tolist())) < len(at):
            raise ValueError(f"at must name each state once, got {self.at}: add up two terms instead")
        return at % T


@dataclass(frozen=True, eq=False)
class Cost:
    """A sum of terms on states, and u^T R u on every input: what `rd.ilqr` makes small.

    terms: tuple of Term; effort: number, (d,) or (d, d), the weight R.
    """

    terms: tuple = ()
    effort: object = 0.0

    def __add__(self, other):
        if not isinstance(other, Cost):
            return NotImplemented
        return Cost(self.terms + other.terms, np.asarray(self.effort) + other.effort)

    def value(self, x, u):
        """Return the cost of a motion, x (T, D), u (T - 1, d); infinite where the motion is not finite."""
        if not np.isfinite(x[-1]).all():  # what is not finite stays so
            return np.inf
        R = self._effort
        total = np.vdot(u, u @ R if R.ndim == 2 else R * u)
        for term in self.terms:
            r = term.outside(x[term.where(len(x))])
            total += np.vdot(r, term.weight * r)
        return float(total)

    def expand(self, x, u):
        """Return l_x (T, D), l_u (T-1, d), l_xx (T, D, D), l_ux (T-1, d, D), l_uu (T-1, d, d): the derivatives of the
        cost along a motion, those of second order by Gauss and Newton.
        """
        (T, D), (_, d) = x.shape, u.shape
        R, l_ux, l_uu = self._of_inputs(T, D, d)
        l_x, l_xx = np.zeros((T, D)), np.zeros((T, D, D))
        for term in self.terms:
            at = term.where(T)
            r, J = term.outside(x[at]), term.jacobian(x[at])
            w = 2 * term.weight * (ONES if term.box is None else r != 0)
            wJ = w[..., None] * J
            l_x[at] += (r[:, None, :] @ wJ)[:, 0]
            l_xx[at] += J.swapaxes(1, 2) @ wJ
        return l_x, 2 * u @ R, l_xx, l_ux, l_uu

    def curvature(self, x):
        """Return (T, D, D), what `expand` leaves out of the second derivatives by x: the bending of the residuals."""
        C = np.zeros((*x.shape, x.shape[1]))
        for term in self.terms:
            if term.curvature is not None:
                at = term.where(len(x))
                C[at] += term.curvature(x[at], 2 * term.weight * term.outside(x[at]))
        return C

    def in_coordinates(self, P, R):
        """Return the same cost in other coordinates: x = P x_new, u = R u_new."""
        P, R = np.asarray(P, dtype=float), np.asarray(R, dtype=float)
        terms = [
            Term(
                lambda x, term=term: term.residual(x @ P.T),
                lambda x, term=term: term.jacobian(x @ P.T) @ P,
                term.weight,
                term.at,
                term.box,
                term.curvature and (lambda x, f, term=term: P.T @ term.curvature(x @ P.T, f) @ P),
            )
            for term in self.terms
        ]
        return Cost(tuple(terms), R.T @ (self._effort if self._effort.ndim == 2 else self._effort * np.eye(len(R))) @ R)

    @functools.cached_property
    def _effort(self):
        """R as an array of floats; of a matrix the symmetric half, which alone counts."""
        R = np.asarray(self.effort, dtype=float)
        return (R + R.T) / 2 if R.ndim == 2 else R

    @functools.cached_property
    def _kept(self):
        return {}

    def _of_inputs(self, T, D, d):
        """Return R (d, d), l_ux and l_uu, which are the same for every motion of one shape, and are kept."""
        if (T, D, d) not in self._kept:
            R = self._effort if self._effort.ndim == 2 else self._effort * np.eye(d)
            self._kept[T, D, d] = R, np.zeros((T - 1, d, D)), np.tile(2 * R, (T - 1, 1, 1))
        return self._kept[T, D, d]
