"""What a motion should reach, and what it may spend:  c = sum over terms of w |r(x_t)|^2, and of u_t^T R u_t.

Each function returns a `Cost`, and costs add up with `+`.  No factor 1/2.  A term has a residual r and its Jacobian J;
the optimizer takes 2 w J^T r and 2 w J^T J for its derivatives (Gauss and Newton: the curvature of r itself is left
out, unless it is asked for).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.dynamics.derivatives import tip_second_derivatives
from robotdyn.dynamics.kinematics import joint_motion, point_position, tip_jacobian, tip_pose
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.validate import Floats, as_numbers
from robotdyn.model.arm import Arm
from robotdyn.optimal.dynamics import central_differences

__all__ = [
    *("Cost", "Term", "effort", "joint_limits", "joint_position", "joint_velocity"),
    *("residual", "tip_orientation", "tip_position"),
]
offer_public_names(__name__)

At = int | Sequence[int] | None
NO_BOX = np.ones(1)


@dataclass(frozen=True, eq=False)
class Term:
    """w |r|^2, summed over the chosen states.

    residual: x (K, D) -> r (K, m); jacobian: x (K, D) -> J (K, m, D); weight: number or (m,), >= 0;
    at: index of a state or a list of indices, 0 to T - 1 or from -1 backward, None for all of them;
    box: None, or half-widths (m,): inside the box the term is zero, outside it counts the way to the box.
    curvature: (x (K, D), f (K, m)) -> the second derivatives (K, D, D) of f . r; None where r is linear or unknown.
    """

    residual: Callable[[Floats], Floats]
    jacobian: Callable[[Floats], Floats]
    weight: Any = 1.0  # always an array afterward, as is a box
    at: At = None
    box: Any = None
    curvature: Callable[[Floats, Floats], Floats] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", _weight(self.weight))
        if self.box is not None:
            box = np.atleast_1d(np.asarray(self.box, dtype=float))
            if not (box >= 0).all():
                raise ValueError(f"box must hold half-widths >= 0, got {box.tolist()}")
            object.__setattr__(self, "box", box)

    def outside(self, x: Floats) -> Floats:
        """Return r (K, m), where a box is given only what sticks out of it."""
        r = self.residual(x)
        return r if self.box is None else r - np.clip(r, -self.box, self.box)

    def where(self, T: int) -> Floats | slice:
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

    def in_coordinates(self, P: Floats) -> Term:
        """Return the same term of states in other coordinates: x = P x_new."""
        second = self.curvature
        return replace(
            self,
            residual=lambda x: self.residual(x @ P.T),
            jacobian=lambda x: self.jacobian(x @ P.T) @ P,
            curvature=second and (lambda x, f: P.T @ second(x @ P.T, f) @ P),
        )


@dataclass(frozen=True, eq=False)
class Cost:
    """A sum of terms on states, and u^T R u on every input: what `rd.ilqr` makes small.

    terms: tuple of Term; effort: number, (d,) or (d, d), the weight R.
    """

    terms: tuple[Term, ...] = ()
    effort: ArrayLike = 0.0

    def __add__(self, other: Cost) -> Cost:
        if not isinstance(other, Cost):
            return NotImplemented
        one = np.asarray(self.effort, dtype=float)
        more = np.asarray(other.effort, dtype=float)
        if one.ndim != more.ndim and 2 in (one.ndim, more.ndim):  # a number or (d,) is the diagonal of a matrix
            one, more = (R if R.ndim == 2 else R * np.eye(max(one.shape + more.shape)) for R in (one, more))
        return Cost(self.terms + other.terms, one + more)

    def value(self, x: Floats, u: Floats) -> float:
        """Return the cost of a motion, x (T, D), u (T - 1, d); infinite where the motion is not finite."""
        if not np.isfinite(x[-1]).all():  # what is not finite stays so
            return np.inf
        R = self._effort_matrix
        total = np.vdot(u, u @ R if R.ndim == 2 else R * u)
        for term in self.terms:
            r = term.outside(x[term.where(len(x))])
            total += np.vdot(r, term.weight * r)
        return float(total)

    def expand(self, x: Floats, u: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Return l_x (T, D), l_u (T-1, d), l_xx (T, D, D), l_ux (T-1, d, D), l_uu (T-1, d, d): the derivatives of the
        cost along a motion, those of second order by Gauss and Newton.
        """
        T, D = x.shape
        _, d = u.shape
        R, l_ux, l_uu = self._input_terms(T, D, d)
        l_x = np.zeros((T, D))
        l_xx = np.zeros((T, D, D))
        for term in self.terms:
            at = term.where(T)
            r = term.outside(x[at])
            J = term.jacobian(x[at])
            w = 2 * term.weight * (NO_BOX if term.box is None else r != 0)
            wJ = w[..., None] * J
            l_x[at] += (r[:, None, :] @ wJ)[:, 0]
            l_xx[at] += J.swapaxes(1, 2) @ wJ
        return l_x, 2 * u @ R, l_xx, l_ux, l_uu

    def curvature(self, x: Floats) -> Floats:
        """Return (T, D, D), what `expand` leaves out of the second derivatives by x: the curvature of the residuals."""
        C = np.zeros((*x.shape, x.shape[1]))
        for term in self.terms:
            if term.curvature is not None:
                at = term.where(len(x))
                C[at] += term.curvature(x[at], 2 * term.weight * term.outside(x[at]))
        return C

    def in_coordinates(self, P: ArrayLike, R: ArrayLike) -> Cost:
        """Return the same cost in other coordinates: x = P x_new, u = R u_new."""
        P = np.asarray(P, dtype=float)
        R = np.asarray(R, dtype=float)
        terms = tuple(term.in_coordinates(P) for term in self.terms)
        return Cost(
            terms,
            R.T @ (self._effort_matrix if self._effort_matrix.ndim == 2 else self._effort_matrix * np.eye(len(R))) @ R,
        )

    @functools.cached_property
    def _effort_matrix(self) -> Floats:
        """R as an array of floats; of a matrix the symmetric half, which alone counts."""
        R = np.asarray(self.effort, dtype=float)
        return (R + R.T) / 2 if R.ndim == 2 else R

    @functools.cached_property
    def _cached_inputs(self) -> dict:
        return {}

    def _input_terms(self, T: int, D: int, d: int) -> tuple[Floats, Floats, Floats]:
        """Return R (d, d), l_ux and l_uu, which are the same for every motion of one shape, and are kept."""
        if (T, D, d) not in self._cached_inputs:
            R = self._effort_matrix if self._effort_matrix.ndim == 2 else self._effort_matrix * np.eye(d)
            self._cached_inputs[T, D, d] = R, np.zeros((T - 1, d, D)), np.tile(2 * R, (T - 1, 1, 1))
        return self._cached_inputs[T, D, d]


# ---- terms ------------------------------------------------------------------------------------------------------------


# where: add a cost
# a function that returns a `Cost`; outside the library, `rd.costs.residual` makes one of any residual


def effort(weight: ArrayLike) -> Cost:
    """Return weight * sum of |tau_t|^2; weight: number, (n,) or (n, n), > 0 keeps the optimum unique."""
    return Cost((), _weight(weight))


def tip_position(
    arm: Arm,
    target: ArrayLike,
    weight: ArrayLike,
    at: At = -1,
    box: ArrayLike | None = None,
    frame: ArrayLike | None = None,
) -> Cost:
    """Return weight * |tip - target|^2 at the states `at`: a goal (-1, the last state) or via-points (an index).

    target: (3,) m in base axes, or (2,) for x and y only;
    weight: number or one for each coordinate;
    box: half-widths m of a precision box about the target, inside of which the tip is free;
    frame: (k, k) axes of the target in its columns, in which box and weights are given: r = frame^T (tip - target).
    """
    target = as_numbers(target, "target", (3,) if np.shape(target) != (2,) else (2,))
    m = len(target)
    turn = np.eye(m) if frame is None else as_numbers(frame, "frame", (m, m))
    position = _evaluator(point_position, arm)
    slopes = _evaluator(tip_jacobian, arm)

    residual = lambda x: (position(x[:, : arm.n])[:, :m] - target) @ turn
    jacobian = lambda x: _by_state(turn.T @ slopes(x[:, : arm.n])[:, :m], arm.n)

    def curvature(x: Floats, f: Floats) -> Floats:
        second = specialize(tip_second_derivatives(arm), target="numpy")
        pull = np.zeros((len(x), 3))
        pull[:, :m] = f @ turn.T
        C = np.zeros((*x.shape, x.shape[1]))
        C[:, : arm.n, : arm.n] = second(x[:, : arm.n], pull)
        return C

    return _cost_of_term(residual, jacobian, weight, at, box, curvature)


def tip_orientation(arm: Arm, target: ArrayLike, weight: ArrayLike, at: At = -1, box: ArrayLike | None = None) -> Cost:
    """Return weight * |phi|^2, phi the turn that is left from the tip frame to the target, rad.

    target: an angle in rad, for an arm in the x-y plane: phi is the difference, brought between -pi and pi;
    or a rotation matrix (3, 3): phi (3,) is the logarithm of target^T R, in the axes of the target.
    box: half-width(s) in rad, inside of which the tip is free.
    """
    n = arm.n
    if np.ndim(target) == 0:
        turns, start = _turns_of_tip(arm)
        angle = float(as_numbers(target, "target", ()))
        wrap = lambda x: (x + np.pi) % (2 * np.pi) - np.pi
        residual = lambda x: wrap(x[:, :n] @ turns[:, None] + start - angle)
        jacobian = lambda x: _by_state(np.tile(turns, (len(x), 1, 1)), n)
        return _cost_of_term(residual, jacobian, weight, at, box)
    target = as_numbers(target, "target", (3, 3))
    rotation = _evaluator(tip_rotation, arm)
    slopes = _evaluator(tip_jacobian, arm)
    error = lambda x: rotation_error(rotation(x[:, :n]), target)
    jacobian = lambda x: _by_state(error(x)[1] @ slopes(x[:, :n])[:, 3:], n)
    return _cost_of_term(lambda x: error(x)[0], jacobian, weight, at, box)


def joint_position(target: ArrayLike, weight: ArrayLike, at: At = -1, box: ArrayLike | None = None) -> Cost:
    """Return weight * |q - target|^2; target: (n,) rad (m); weight: number or (n,)."""
    target = as_numbers(target, "target", (np.size(target),))
    n = len(target)
    return _cost_of_term(
        lambda x: x[:, :n] - target, lambda x: np.tile(np.eye(n, 2 * n), (len(x), 1, 1)), weight, at, box
    )


def joint_velocity(weight: ArrayLike, at: At = -1, target: ArrayLike | None = None) -> Cost:
    """Return weight * |qd - target|^2; weight: number or (n,); target: (n,) rad/s (m/s), default rest."""

    target = 0.0 if target is None else np.asarray(target, dtype=float)
    half = lambda x: x.shape[1] // 2
    jacobian = lambda x: np.tile(np.eye(half(x), x.shape[1], half(x)), (len(x), 1, 1))
    return _cost_of_term(lambda x: x[:, half(x) :] - target, jacobian, weight, at)


def joint_limits(lower: ArrayLike, upper: ArrayLike, weight: ArrayLike, at: At = None) -> Cost:
    """Return weight * |what q exceeds its limits by|^2: a soft wall; lower, upper: (n,) rad (m), infinity for none."""
    lower = np.atleast_1d(np.asarray(lower, dtype=float))
    upper = np.atleast_1d(np.asarray(upper, dtype=float))
    if lower.shape != upper.shape or not (lower <= upper).all():
        raise ValueError(f"lower must be <= upper at every joint, got {lower.tolist()} and {upper.tolist()}")
    n = len(lower)
    excess = lambda x: x[:, :n] - np.clip(x[:, :n], lower, upper)
    return _cost_of_term(excess, lambda x: (excess(x) != 0)[:, :, None] * np.eye(n, 2 * n), weight, at)


def residual(
    function: Callable[[Floats], ArrayLike],
    weight: ArrayLike,
    at: At = -1,
    box: ArrayLike | None = None,
    h: float = 1e-6,
) -> Cost:
    """Return weight * |r(x)|^2 for any function r of one state: x (D,) -> (m,); its Jacobian by differences of step h."""
    r = lambda x_t: np.atleast_1d(function(x_t))
    each = lambda x: np.array([r(x_t) for x_t in x], dtype=float)
    return _cost_of_term(each, lambda x: np.array([central_differences(r, x_t, h) for x_t in x]), weight, at, box)


# ---- orientations -----------------------------------------------------------------------------------------------------


def tip_rotation(arm: Arm, q: Floats) -> Floats:
    """Return R (..., 3, 3), the axes of the tip frame in base axes; q: (n,), or (..., n)."""
    R, _ = tip_pose(arm, q)
    return R


def rotation_error(R: Floats, target: Floats) -> tuple[Floats, Floats]:
    """Return phi (..., 3) rad = log(target^T R), and the matrix (..., 3, 3) that takes omega (base axes) to dphi/dt.

    phi lies in the axes of the target, |phi| <= pi; at |phi| = pi the direction jumps.
    dphi/dt = (1 - 1/2 [phi] + (1 - t/2 cot t/2) / t^2 [phi]^2) target^T omega,  t = |phi|: the inverse of the left
    Jacobian; Sola, Deray and Atchuthan (2018), "A micro Lie theory for state estimation", equation 146.
    """
    from scipy.spatial.transform import Rotation

    E = np.swapaxes(target, -1, -2) @ R
    phi = Rotation.from_matrix(E.reshape(-1, 3, 3)).as_rotvec().reshape(E.shape[:-1])
    x, y, z = np.moveaxis(phi, -1, 0)
    cross = np.moveaxis(np.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]]), (0, 1), (-2, -1))
    t = np.linalg.norm(phi, axis=-1)
    safe = np.where(t < 1e-3, 1.0, t)
    factor = np.where(t < 1e-3, 1 / 12 + t**2 / 720, (1 - safe / 2 / np.tan(safe / 2)) / safe**2)
    return phi, (np.eye(3) - cross / 2 + factor[..., None, None] * (cross @ cross)) @ np.swapaxes(target, -1, -2)


# ---- what the terms share ---------------------------------------------------------------------------------------------


def _cost_of_term(*term: Any) -> Cost:
    return Cost((Term(*term),))


def _weight(weight: ArrayLike) -> Floats:
    weight = np.asarray(weight, dtype=float)
    if not np.isfinite(weight).all() or not ((weight if weight.ndim < 2 else np.linalg.eigvalsh(weight)) >= 0).all():
        raise ValueError(f"weight must be finite and >= 0, got {weight.tolist()}: a negative one has no optimum")
    return weight


def _evaluator(algorithm: Callable, arm: Arm) -> Callable[[Floats], Floats]:
    """Return an algorithm (arm, q) as a fast function of q (K, n): in Python for few states, in columns for many."""
    one, many = (specialize(algorithm, arm, target, inputs=("q",)) for target in ("python", "numpy"))
    return lambda q: np.array([one(q_t) for q_t in q]) if len(q) < 8 else many(q)


def _by_state(J: Floats, n: int) -> Floats:
    """J (K, m, n) as a Jacobian by the whole state (q, qd)."""
    return np.concatenate([J, np.zeros_like(J[:, :, :n])], axis=2)


def _turns_of_tip(arm: Arm) -> tuple[Floats, float]:
    """Return (n,), how far each joint turns the tip about z, rad per unit of q, and its angle at q = 0; ValueError for another axis."""
    path = arm.path(-1)
    spins = np.array([joint_motion(link)[:3] * (i in path) for i, link in enumerate(arm.links)])
    if spins[:, :2].any() or any((np.eye(3) != R).any() for R in (*(x.rotation for x in arm.links), arm.tip_rotation)):
        raise ValueError("target must be a rotation matrix (3, 3) for an arm that leaves the plane, got an angle")
    if arm.coupling is None:
        return spins[:, 2], 0.0
    *turns, start = spins[:, 2] @ arm.coupling
    return np.array(turns), float(start)
