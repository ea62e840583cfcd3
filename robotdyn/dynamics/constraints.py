"""An arm that is held:  phi(q) = 0,  so that  J qdd = -Jdot qd,  J = dphi/dq,  by forces of constraint J^T lambda:

    [ M  -J^T ] [  qdd   ]   [ tau - C qd - g ]
    [ J    0  ] [ lambda ] = [    -Jdot qd    ]

The rows of phi are m equations: a loop that closes, a hand on a table.  J and Jdot qd are derivatives of phi, by program.
Of all accelerations that the constraint allows, the arm takes the one nearest to the free one, with M as the measure
(Gauss 1829; Udwadia and Kalaba 1992).  Baumgarte (1972) for the cure of drift; chapter "closed-loops".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from robotdyn.codegen.specialize import specialize
from robotdyn.codegen.trace import trace
from robotdyn.dynamics import recursive
from robotdyn.dynamics.forces import Law
from robotdyn.dynamics.kinematics import point_position
from robotdyn.dynamics.recursive import bias_torque, mass_matrix
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.namespace import namespace
from robotdyn.maths.validate import Entries, Floats, as_motors, as_numbers, check_numeric
from robotdyn.model.arm import Arm
from robotdyn.model.link import LinkFrame

__all__ = ["Held", "compulsion", "forward_dynamics", "hold", "hold_point", "inverse_dynamics", "law", "project"]
offer_public_names(__name__)

BASE_AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
RANK_TOLERANCE = 1e-9  # singular value of M^-1/2 J^T, beside the largest, below which a row adds nothing
MAX_ITERATIONS = 50  # of Newton's method
FIT = 1e-8  # of accelerations to the constraint, and of torques to what is needed, beside the largest of their terms
STEP_TOLERANCE = 1e-12  # of Newton's method, beside the size of q


@dataclass(frozen=True, eq=False)
class Held:
    """An arm and the equations that hold it, which `hold` and `hold_point` make.

    rows: how many; equations: q -> phi (m,); jacobian: q -> J (m, n); bias: (q, qd) -> Jdot qd (m,).
    """

    arm: Arm
    rows: int
    equations: Callable[..., Floats]
    jacobian: Callable[..., Floats]
    bias: Callable[..., Floats]


def hold(arm: Arm, phi: Callable[[Arm, Any], Any]) -> Held:
    """Return the arm held by phi(arm, q) = 0; phi: a function like those of this library, with a result (m,).

    It is traced, so it may compute, and not branch.
    """
    check_numeric(arm, "hold")
    program = trace(phi, arm, inputs={"q": arm.n})
    shape = program.results[0].shape
    if program.several or len(shape) != 1:
        raise ValueError(f"phi must return one vector (m,), got shape {shape}: stack what shall be zero")
    if shape[0] == 0:
        raise ValueError("phi must have at least one row, got none: an arm that nothing holds needs no constraint")
    slope = program.jacobian("q")
    rate = trace(lambda q, qd: slope(q) @ qd, inputs={"q": arm.n, "qd": arm.n}).jacobian("q")
    bias = trace(lambda q, qd: rate(q, qd) @ qd, inputs={"q": arm.n, "qd": arm.n})
    return Held(arm, shape[0], *(specialize(part, target="python") for part in (program, slope, bias)))


def hold_point(
    arm: Arm, at: Entries, link: int | str | LinkFrame = -1, point: Any = None, axes: Entries = BASE_AXES
) -> Held:
    """Return the arm with a point of a link held at a place; at: (3,) m, base axes.

    link, point: as in `rd.point_position`, default the tip, or the origin of a frame on a link.
    axes: (m, 3), the directions, in base axes, in which the point is held; in others it is free: two for a pivot of a
    planar arm, the normal alone for a smooth table.
    """
    at = as_numbers(at, "at", (3,))
    axes = as_numbers(axes, "axes", (..., 3))
    if axes.ndim != 2:
        raise ValueError(f"axes must have shape (m, 3), one row for each direction that is held, got {axes.shape}")

    def phi(arm: Arm, q: Any) -> Any:
        xp = namespace(arm, q)
        return xp.array(axes) @ (point_position(arm, q, link, point) - xp.array(at))

    return hold(arm, phi)


def forward_dynamics(
    held: Held, q: Entries, qd: Entries, tau: Entries, baumgarte: float = 0.0
) -> tuple[Floats, Floats]:
    """Return the accelerations qdd (n,) of a held arm and the multipliers (m,): the forces of the constraint on the arm.

    Multiplier k does the power lambda_k d/dt phi_k, so it is a force in N where phi_k is a length;
    q, qd, tau: (n,).
    baumgarte: a rate a in 1/s >= 0; then  phi'' + 2 a phi' + a^2 phi = 0  in place of phi'' = 0, and errors fade.
    Raises ValueError where the equations depend on each other, so that nothing tells their forces apart.
    """
    _check_held(held)
    q, qd, tau = (as_numbers(x, name, (held.arm.n,)) for x, name in ((q, "q"), (qd, "qd"), (tau, "tau")))
    a = _baumgarte_rate(baumgarte)
    M = _mass(held.arm)(q)
    J = held.jacobian(q)
    h = _bias(held.arm)(q, qd)
    constraint_acceleration = -held.bias(q, qd) - 2 * a * (J @ qd) - a * a * held.equations(q)
    by_force, inverse = _mobility(M, J, q)
    free = np.linalg.solve(M, tau - h)
    multipliers = inverse @ (constraint_acceleration - J @ free)
    return free + by_force @ multipliers, multipliers


def inverse_dynamics(
    held: Held, q: Entries, qd: Entries, qdd: Entries | Mapping[int, float], motors: Sequence[int] | None = None
) -> tuple[Floats, Floats]:
    """Return the torques tau (n,) that let a held arm move so, and the multipliers (m,): the forces of the constraint on it.

    Where more motors than coordinates only squeeze, the torques with the least sum of squares.
    q, qd: (n,), on the constraint as `project` puts them; qdd: (n,), or {joint: value} of so many joints that the others
    follow: {0: 0} for a crank that turns evenly.
    motors: indices of the joints that have one, default all; the torques of the others are zero.
    Raises ValueError for accelerations that the constraint does not allow, and where the motors cannot bring them about.
    """
    _check_held(held)
    n = held.arm.n
    q = as_numbers(q, "q", (n,))
    qd = as_numbers(qd, "qd", (n,))
    driven = as_motors(motors, n)
    J = held.jacobian(q)
    target = -held.bias(q, qd)
    M = _mass(held.arm)(q)
    bias = _bias(held.arm)(q, qd)
    _mobility(M, J, q)  # or a sentence that nothing tells the forces apart
    qdd = _accelerations(J, target, qd, qdd)
    needed = M @ qdd + bias
    tau = np.zeros(n)
    free = np.linalg.svd(J)[2][len(J) :]  # rows span the motions that the constraint allows: it does no work in them
    tau[driven] = np.linalg.lstsq(free[:, driven], free @ needed, rcond=RANK_TOLERANCE)[0]
    missing = abs(free @ (needed - tau)).max(initial=0.0)
    if missing > FIT * (abs(M) @ (abs(qdd) + qd**2) + abs(bias)).max():
        raise ValueError(
            f"the motors {driven} must be able to move the arm so, got {missing:.3g} N m (N) of a torque of others missing: "
            "leave more accelerations open, or give more motors"
        )
    multipliers: Floats = np.linalg.lstsq(J.T, needed - tau, rcond=RANK_TOLERANCE)[0].astype(float)
    return tau, multipliers


def _accelerations(J: Floats, target: Floats, qd: Floats, given: Any) -> Floats:
    """Return qdd (n,) with J qdd = target: the one that is given, or the only one with the values {joint: value}."""
    n = J.shape[1]
    known = dict(given) if isinstance(given, Mapping) else dict(enumerate(as_numbers(given, "qdd", (n,))))
    rows = np.eye(n)[as_motors(list(known), n, "joints of qdd")]
    A = np.vstack([J, rows])
    b = np.append(target, as_numbers(list(known.values()), "qdd", (len(known),)))
    qdd, _, rank, _ = np.linalg.lstsq(A, b, rcond=RANK_TOLERANCE)
    if rank < n:
        raise ValueError(
            f"qdd must tell the accelerations of all joints, got {len(known)} of them, and {n - rank} are open: "
            "give as many as the arm has joints more than independent rows of phi"
        )
    gap = abs(A @ qdd - b)
    terms = abs(A) @ (abs(qdd) + qd**2) + abs(b)
    # their units may differ
    held = slice(len(J))
    told = slice(len(J), None)
    if any(gap[rows].max(initial=0.0) > FIT * terms[rows].max(initial=0.0) for rows in (held, told)):
        raise ValueError(
            f"qdd must keep the constraint, J qdd = -Jdot qd, got {gap.max():.3g} beside it: give {{joint: value}} of the joints "
            "that others follow"
        )
    return np.asarray(qdd, dtype=np.float64)


def law(held: Held, tau: Law | Entries | None = None, baumgarte: float = 0.0) -> Law:
    """Return the law (t, q, qd) -> tau + J^T lambda, to give to `rd.simulate`: what moves the arm moves it as a held one.

    tau: what else acts, a law, (n,), or None; baumgarte: 1/s, as in `forward_dynamics`.
    Nothing corrects the start: `project` gives one that fits.
    """
    _check_held(held)
    _baumgarte_rate(baumgarte)
    applied_law = tau if callable(tau) else lambda t, q, qd: np.zeros(held.arm.n) if tau is None else tau

    def constrained_law(t: float, q: Any, qd: Any) -> Floats:
        applied = as_numbers(applied_law(t, q, qd), "tau", (held.arm.n,))
        return applied + held.jacobian(q).T @ forward_dynamics(held, q, qd, applied, baumgarte)[1]

    return constrained_law


def project(held: Held, q: Entries, qd: Entries | None = None) -> tuple[Floats, Floats]:
    """Return the state (n,) each on the constraint that is nearest, with M as the measure: phi(q) = 0 and J qd = 0.

    qd: default zero; its change is what an impact does to the arm.  Newton's method: q must be close enough.
    Raises ValueError where it finds no such pose.
    """
    _check_held(held)
    q = as_numbers(q, "q", (held.arm.n,))
    qd = 0 * q if qd is None else as_numbers(qd, "qd", (held.arm.n,))
    for _ in range(MAX_ITERATIONS):
        by_force, inverse = _mobility(_mass(held.arm)(q), held.jacobian(q), q)
        step = by_force @ (inverse @ held.equations(q))
        q = q - step
        if abs(step).max() <= STEP_TOLERANCE * (1 + abs(q).max()):
            break
    else:
        raise ValueError(
            f"the constraint must be met near q, got |phi| = {abs(held.equations(q)).max():.3g} after {MAX_ITERATIONS} steps: "
            "start closer, or let it be within reach"
        )
    by_force, inverse = _mobility(_mass(held.arm)(q), held.jacobian(q), q)
    return q, qd - by_force @ (inverse @ (held.jacobian(q) @ qd))


def compulsion(arm: Arm, q: Entries, qd: Entries, tau: Entries, qdd: Entries) -> float:
    """Return Gauss' measure of how far accelerations qdd (n,) are from the free ones,  1/2 (qdd - a) . M (qdd - a).

    a: the acceleration without the constraint.  Of all qdd that a constraint allows, the true one makes it least.
    """
    check_numeric(arm, "compulsion")
    q, qd, tau, qdd = (as_numbers(x, n, (arm.n,)) for x, n in ((q, "q"), (qd, "qd"), (tau, "tau"), (qdd, "qdd")))
    change = qdd - recursive.forward_dynamics(arm, q, qd, tau)
    return float(change @ mass_matrix(arm, q) @ change / 2)


def _check_held(held: Any) -> None:
    if not isinstance(held, Held):
        raise TypeError(
            f"the first argument must be a Held arm, got {type(held).__name__}: make one with hold or hold_point"
        )


def _mobility(M: Floats, J: Floats, q: Floats) -> tuple[Floats, Floats]:
    """Return M^-1 J^T (n, m) and (J M^-1 J^T)^-1 (m, m), or say that rows of J depend on each other."""
    try:
        L = np.linalg.cholesky(M)
    except np.linalg.LinAlgError:
        raise ValueError("every joint must move some mass or inertia, got a mass matrix that is singular") from None
    root = np.linalg.solve(L, J.T)
    _, sizes, axes = np.linalg.svd(root, full_matrices=False)
    rank = int((sizes > RANK_TOLERANCE * sizes[0]).sum())
    if rank < len(J):
        pose = np.array2string(q, precision=4, separator=", ")
        raise ValueError(
            f"the {len(J)} equations of a constraint must be independent, got {rank} that are, at q = {pose}: "
            "nothing tells their forces apart; leave out a row that follows from the others, or avoid this pose"
        )
    return np.linalg.solve(L.T, root), axes.T / sizes**2 @ axes


def _mass(arm: Arm) -> Callable[..., Floats]:
    return specialize(mass_matrix, arm, target="python")


def _bias(arm: Arm) -> Callable[..., Floats]:
    return specialize(bias_torque, arm, target="python")


def _baumgarte_rate(baumgarte: float) -> float:
    a = float(as_numbers(baumgarte, "baumgarte", ()))
    if a < 0:
        raise ValueError(f"baumgarte must be >= 0 1/s, got {a:g}: a negative rate makes errors grow")
    return a
