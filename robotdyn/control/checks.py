"""Checks of what control laws are given:  gains that damp or pull back, motions to follow; what cannot be raises an error of one sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.dynamics.forces import as_extended_reals
from robotdyn.maths.validate import Floats, as_numbers, in_short

Motion: TypeAlias = Callable[[float], tuple[Floats, Floats, Floats]]  # t -> q, qd, qdd (n,) each


def gain_matrix(gain: ArrayLike, name: str, n: int) -> Floats:
    """Return a gain (n, n), symmetric and without a negative eigenvalue, from a number, (n,) or (n, n)."""
    K = as_numbers(gain, name, (...,))
    if K.shape not in ((), (n,), (n, n)):
        raise ValueError(f"{name} must be a number or have shape ({n},) or ({n}, {n}), got {K.shape}")
    K = K if K.ndim == 2 else np.diag(np.broadcast_to(K, n))
    size = abs(K).max()
    if not np.allclose(K, K.T, rtol=0, atol=1e-12 * size) or np.linalg.eigvalsh(K)[0] < -1e-12 * size:
        raise ValueError(
            f"{name} must be symmetric without a negative eigenvalue, got {np.asarray(gain).tolist()}: "
            "it would push away or feed energy in"
        )
    return K


def as_motion(motion: Any, sizes: int, maker: str = "rd.control.minimum_jerk") -> Motion:
    """Return a motion to follow, t -> three vectors; looked at once, at t = 0.  maker: what the hint names."""
    expected = f"motion must be a function t -> (q, qd, qdd), as {maker} makes one, got"
    if not callable(motion):
        raise TypeError(f"{expected} {in_short(motion)}")
    parts = motion(0.0)
    if not isinstance(parts, tuple) or len(parts) != 3:
        raise TypeError(f"{expected} one that returns {type(parts).__name__}")
    for part, name in zip(parts, ("position", "velocity", "acceleration")):
        as_numbers(part, f"the {name} of the motion", (sizes,))
    return motion


def as_torque_limits(limits: Any) -> tuple[Floats, Floats]:
    """Return the least and the largest torques, () or (n,) each, from (lower, upper), one bound for both, or None."""
    if limits is None:
        return np.array(-np.inf), np.array(np.inf)
    pair = limits if isinstance(limits, tuple) else (-as_numbers(limits, "limits", (...,)), limits)
    if len(pair) != 2:
        raise ValueError(f"limits must be (lower, upper), or one bound for both, got {len(pair)} entries")
    lower, upper = (as_extended_reals(end, "limits") for end in pair)
    if not np.all(lower <= upper):
        raise ValueError(f"limits must not have lower above upper, got {lower.tolist()} and {upper.tolist()}")
    return lower, upper
