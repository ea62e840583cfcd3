"""What acts on the joints besides the motors:  tau(t, q, qd) of friction, springs and a tip wrench, added up.

Each function returns a law (t, q, qd) -> tau (n,), N m (N at a prismatic joint), to give to `rd.simulate`.
A law carries its own sign: it stands on the right-hand side, M qdd + C qd + g = sum of the laws.
"""

import numpy as np

from robotdyn.backend import as_array
from robotdyn.kinematics import tip_jacobian


def viscous(b):
    """Return the law -b qd; b: number or (n,), N m s/rad (N s/m), >= 0."""
    b = _not_negative(b, "b")
    return lambda t, q, qd: -b * np.asarray(qd)


def coulomb(c, width=1e-3):
    """Return the law -c tanh(qd / width): dry friction c (number or (n,), N m or N, >= 0), smooth over `width` rad/s.

    The book's formulas call it d_i, since c_i is a cosine there.
    The sign function, which is not defined at rest, is replaced by a steep slope; take steps below c^-1 M width.
    """
    c = _not_negative(c, "c")
    if not width > 0:
        raise ValueError(f"width must be > 0 rad/s (or m/s), got {width}")
    return lambda t, q, qd: -c * np.tanh(np.asarray(qd) / width)


def spring(k, rest=0.0):
    """Return the law -k (q - rest); k: number or (n,), N m/rad (N/m), >= 0; rest: number or (n,), rad (m)."""
    k, rest = _not_negative(k, "k"), np.asarray(rest, dtype=float)
    return lambda t, q, qd: -k * (np.asarray(q) - rest)


def tip_wrench(arm, wrench):
    """Return the law J(q)^T w of a wrench on the robot at its tip: force N, moment N m, base axes, (6,) or t -> (6,)."""
    fixed = None if callable(wrench) else as_array(wrench, "wrench", (6,))
    return lambda t, q, qd: tip_jacobian(arm, q).T @ (wrench(t) if fixed is None else fixed)


def total(*laws):
    """Return the sum of laws (t, q, qd) -> tau; an array (n,) counts as a constant law."""
    if not laws:
        raise ValueError("total needs at least one law (t, q, qd) -> tau, got none")
    return lambda t, q, qd: sum(law(t, q, qd) if callable(law) else np.asarray(law, dtype=float) for law in laws)


def _not_negative(x, name):
    x = np.asarray(x, dtype=float)
    if not (np.isfinite(x).all() and (x >= 0).all()):
        raise ValueError(f"{name} must be finite and >= 0, got {x.tolist()}: a negative one would feed energy in")
    return x
