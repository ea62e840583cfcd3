"""What a motion should reach, and what it may spend: each function returns a `Cost`, and costs add up with `+`.

Squares with a weight, without a factor 1/2:  c = weight |r|^2, summed over the states that count.
"""

import numpy as np

from robotdyn.cost import Cost, Term
from robotdyn.kinematics import point_position, tip_jacobian
from robotdyn.numeric import as_numbers
from robotdyn.orientation import rotation_error, tip_rotation
from robotdyn.programs import tip_curvature_program
from robotdyn.specialization import specialize

__all__ = [
    *("Cost", "Term", "effort", "joint_limits", "joint_position", "joint_velocity"),
    *("residual", "tip_orientation", "tip_position"),
]


def effort(weight):
    """Return weight * sum of |tau_t|^2; weight: number, (n,) or (n, n), > 0 keeps the optimum unique."""
    return Cost((), _weight(weight))


def tip_position(arm, target, weight, at=-1, box=None, frame=None):
    """Return weight * |tip - target|^2 at the states `at`: a goal (-1, the last state) or via-points (an index).

    target: (3,) m in base axes, or (2,) for x and y only; weight: number or one for each coordinate;
    box: half-widths m of a precision box about the target, inside of which the tip is free;
    frame: (k, k) axes of the target in its columns, in which box and weights are told: r = frame^T (tip - target).
    """
    target = as_numbers(target, "target", (3,) if np.shape(target) != (2,) else (2,))
    m = len(target)
    turn = np.eye(m) if frame is None else as_numbers(frame, "frame", (m, m))

    position, slopes = _at_states(point_position, arm), _at_states(tip_jacobian, arm)

    def residual(x):
        return (position(x[:, : arm.n])[:, :m] - target) @ turn

    def jacobian(x):
        return _on_positions(turn.T @ slopes(x[:, : arm.n])[:, :m], arm.n)

    def curvature(x, f):
        second, pull = specialize(tip_curvature_program(arm), target="numpy"), np.zeros((len(x), 3))
        pull[:, :m] = f @ turn.T
        C = np.zeros((*x.shape, x.shape[1]))
        C[:, : arm.n, : arm.n] = second(x[:, : arm.n], pull)
        return C

    return _one(residual, jacobian, weight, at, box, curvature)


def tip_orientation(arm, target, weight, at=-1, box=None):
    """Return weight * |phi|^2, phi the turn that is left from the last link to the target, rad.

    target: an angle in rad, for an arm in the x-y plane: phi is the difference, brought between -pi and pi;
    or a rotation matrix (3, 3): phi (3,) is the logarithm of target^T R, in the axes of the target.
    box: half-width(s) in rad, inside of which the tip is free.
    """
    n = arm.n
    if np.ndim(target) == 0:
        turns = _turns(arm)
        wrap = lambda angle: (angle + np.pi) % (2 * np.pi) - np.pi
        residual = lambda x: wrap(x[:, :n] @ turns[:, None] - float(target))
        jacobian = lambda x: _on_positions(np.tile(turns, (len(x), 1, 1)), n)
        return _one(residual, jacobian, weight, at, box)
    target = as_numbers(target, "target", (3, 3))
    rotation, slopes = _at_states(tip_rotation, arm), _at_states(tip_jacobian, arm)
    error = lambda x: rotation_error(rotation(x[:, :n]), target)
    jacobian = lambda x: _on_positions(error(x)[1] @ slopes(x[:, :n])[:, 3:], n)
    return _one(lambda x: error(x)[0], jacobian, weight, at, box)


def joint_position(target, weight, at=-1, box=None):
    """Return weight * |q - target|^2; target: (n,) rad (m); weight: number or (n,)."""
    target = as_numbers(target, "target", (np.size(target),))
    n = len(target)
    return _one(lambda x: x[:, :n] - target, lambda x: np.tile(np.eye(n, 2 * n), (len(x), 1, 1)), weight, at, box)


def joint_velocity(weight, at=-1, target=None):
    """Return weight * |qd - target|^2; weight: number or (n,); target: (n,) rad/s (m/s), default rest."""

    def residual(x):
        qd = x[:, x.shape[1] // 2 :]
        return qd if target is None else qd - np.asarray(target, dtype=float)

    def jacobian(x):
        n = x.shape[1] // 2
        return np.tile(np.eye(n, 2 * n, k=n), (len(x), 1, 1))

    return _one(residual, jacobian, weight, at, None)


def joint_limits(lower, upper, weight, at=None):
    """Return weight * |what q exceeds its limits by|^2: a soft wall; lower, upper: (n,) rad (m), infinity for none."""
    lower, upper = np.atleast_1d(np.asarray(lower, dtype=float)), np.atleast_1d(np.asarray(upper, dtype=float))
    if lower.shape != upper.shape or not (lower <= upper).all():
        raise ValueError(f"lower must be <= upper at every joint, got {lower.tolist()} and {upper.tolist()}")
    n = len(lower)
    beyond = lambda x: x[:, :n] - np.clip(x[:, :n], lower, upper)
    return _one(beyond, lambda x: (beyond(x) != 0)[:, :, None] * np.eye(n, 2 * n), weight, at, None)


def residual(function, weight, at=-1, box=None, h=1e-6):
    """Return weight * |r(x)|^2 for any function r of one state: x (D,) -> (m,); its Jacobian by differences of step h."""
    each = lambda x: np.array([np.atleast_1d(function(x_t)) for x_t in x], dtype=float)

    def jacobian(x):
        columns = [(each(x + e) - each(x - e)) / (2 * h) for e in h * np.eye(x.shape[1])]
        return np.stack(columns, axis=-1)

    return _one(each, jacobian, weight, at, box)


def _one(residual, jacobian, weight, at, box, curvature=None):
    if box is not None:
        box = np.atleast_1d(np.asarray(box, dtype=float))
        if not (box >= 0).all():
            raise ValueError(f"box must hold half-widths >= 0, got {box.tolist()}")
    return Cost((Term(residual, jacobian, _weight(weight), at, box, curvature),))


def _turns(arm):
    """Return (n,) ones for the joints that turn and zeros for those that slide; ValueError where the plane is left."""
    for link in arm.links:
        if (link.rotation != np.eye(3)).any() or (link.joint == "revolute" and tuple(link.axis) != (0, 0, 1)):
            raise ValueError("target must be a rotation matrix (3, 3) for an arm that leaves the plane, got an angle")
    return np.array([float(link.joint == "revolute") for link in arm.links])


def _weight(weight):
    weight = np.asarray(weight, dtype=float)
    if not np.isfinite(weight).all() or not ((weight if weight.ndim < 2 else np.linalg.eigvalsh(weight)) >= 0).all():
        raise ValueError(f"weight must be finite and >= 0, got {weight.tolist()}: a negative one has no optimum")
    return weight


def _at_states(algorithm, arm):
    """Return an algorithm (arm, q) as a fast function of q (K, n): in plain Python for few states, in columns for many."""
    one, many = (specialize(algorithm, arm, target, inputs=("q",)) for target in ("python", "numpy"))
    return lambda q: np.array([one(q_t) for q_t in q]) if len(q) < 8 else many(q)


def _on_positions(J, n):
    """J (K, m, n) as a Jacobian by the whole state (q, qd)."""
    return np.concatenate([J, np.zeros_like(J[:, :, :n])], axis=2)
