"""What acts on the joints besides the motors:  tau(t, q, qd) of friction, springs and a tip wrench, added up.

Each function returns a law (t, q, qd) -> tau (n,), N m (N at a prismatic joint), to give to `rd.simulate`.
A law carries its own sign: it stands on the right-hand side, M qdd + C qd + g = sum of the laws.
"""

import functools
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.dynamics.kinematics import tip_jacobian
from robotdyn.maths.validate import Floats, as_numbers, as_positive
from robotdyn.model.arm import Arm

Law: TypeAlias = Callable[[float, Any, Any], Floats]  # (t, q, qd) -> tau (n,)


def viscous(b: ArrayLike) -> Law:
    """Return the law -b qd; b: number or (n,), N m s/rad (N s/m), >= 0."""
    b = _not_negative(b, "b")
    return lambda t, q, qd: -_fits(b, "b", qd) * np.asarray(qd)


def coulomb(c: ArrayLike, width: float = 1e-3) -> Law:
    """Return the law -c tanh(qd / width): dry friction c (number or (n,), N m or N, >= 0), smooth over `width` rad/s.

    The book's formulas call it d_i, since c_i is a cosine there.
    The sign function, which is not defined at rest, is replaced by a steep slope; take steps below c^-1 M width.
    """
    d = _not_negative(c, "c")
    width = as_positive(width, "width", "rad/s (or m/s)")
    return lambda t, q, qd: -_fits(d, "c", qd) * np.tanh(np.asarray(qd) / width)


def spring(k: ArrayLike, rest: ArrayLike = 0.0) -> Law:
    """Return the law -k (q - rest); k: number or (n,), N m/rad (N/m), >= 0; rest: number or (n,), rad (m)."""
    k, rest = _not_negative(k, "k"), _coefficient(rest, "rest")
    return lambda t, q, qd: -_fits(k, "k", q) * (np.asarray(q) - _fits(rest, "rest", q))


def tip_wrench(arm: Arm, wrench: Any) -> Law:
    """Return the law J(q)^T w of a wrench on the robot at its tip: force N, moment N m, base axes, (6,) or t -> (6,)."""
    jacobian = specialize(tip_jacobian, arm, target="python")
    if callable(wrench):
        return lambda t, q, qd: jacobian(q).T @ as_numbers(wrench(t), "wrench", (6,))
    fixed = as_numbers(wrench, "wrench", (6,))
    return lambda t, q, qd: jacobian(q).T @ fixed


def total(*laws: Law | ArrayLike) -> Law:
    """Return the sum of laws (t, q, qd) -> tau; an array (n,) counts as a constant law."""
    if not laws:
        raise ValueError("total needs at least one law (t, q, qd) -> tau, got none")
    parts = [law if callable(law) else _constant(law, f"law {number}") for number, law in enumerate(laws, start=1)]
    return lambda t, q, qd: functools.reduce(np.add, (law(t, q, qd) for law in parts))


def _not_negative(x: ArrayLike, name: str) -> Floats:
    x = _coefficient(x, name)
    if (x < 0).any():
        raise ValueError(f"{name} must be finite and >= 0, got {x.tolist()}: a negative one would feed energy in")
    return x


def _coefficient(x: ArrayLike, name: str) -> Floats:
    """Return one number for all joints, or one for each: () or (n,)."""
    x = as_numbers(x, name, (...,))
    if x.ndim > 1:
        raise ValueError(f"{name} must be a number or have shape (n,), got {x.shape}")
    return x


def _fits(x: Floats, name: str, q: Any) -> Floats:
    if x.ndim and x.shape != np.shape(q)[-1:]:
        raise ValueError(
            f"{name} must be a number or have one entry for each of the {np.shape(q)[-1]} joints, got {len(x)}"
        )
    return x


def _constant(law: ArrayLike, name: str) -> Law:
    law = _coefficient(law, name)
    return lambda t, q, qd: _fits(law, name, q)
