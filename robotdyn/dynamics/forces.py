"""What acts on the joints besides the motors:  tau(t, q, qd) of friction, springs, stops, wrenches and a plane, added up.

Each function returns a law (t, q, qd) -> tau (n,), N m (N at a prismatic joint), to give to `rd.simulate`.
A law carries its own sign: it stands on the right-hand side, M qdd + C qd + g = sum of the laws.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.dynamics.kinematics import point_jacobian, point_position
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.validate import Floats, as_numbers, as_positive, in_short
from robotdyn.model.arm import Arm
from robotdyn.model.link import LinkFrame

__all__ = [
    "PlaneContact",
    "coulomb",
    "dry_friction",
    "plane_contact",
    "point_wrench",
    "spring",
    "stops",
    "stribeck",
    "tip_wrench",
    "total",
    "viscous",
]
offer_public_names(__name__)

Law: TypeAlias = Callable[[float, Any, Any], Floats]  # (t, q, qd) -> tau (n,)


# where: add a law of friction, or another force
# a function that returns a law `(t, q, qd) -> tau`; what holds an arm is a function `phi(arm, q)`, given to
# `rd.constraints.hold`


def viscous(b: ArrayLike) -> Law:
    """Return the law -b qd; b: number or (n,), N m s/rad (N s/m), >= 0."""
    b = _not_negative(b, "b")
    return lambda t, q, qd: -for_joints_of(b, "b", qd) * np.asarray(qd)


def coulomb(c: ArrayLike, width: float = 1e-3) -> Law:
    """Return the law -c tanh(qd / width): dry friction c (number or (n,), N m or N, >= 0), smooth over `width` rad/s.

    The book's formulas call it d_i, since c_i is a cosine there.
    The sign function, which is not defined at rest, is replaced by a steep slope; take steps below c^-1 M width.
    """
    d = _not_negative(c, "c")
    width = as_positive(width, "width", "rad/s (or m/s)")
    return lambda t, q, qd: -for_joints_of(d, "c", qd) * np.tanh(np.asarray(qd) / width)


def stribeck(c: ArrayLike, stiction: ArrayLike, rate: float, width: float = 1e-3) -> Law:
    """Return the law -(c + (stiction - c) exp(-(qd / rate)^2)) tanh(qd / width): dry friction that falls once it slides.

    c: sliding fast, stiction: about to slide, numbers or (n,), N m (N), stiction >= c >= 0;
    rate: rad/s (m/s), where 63 percent of the fall lie behind;
    width: as for `coulomb`, far below `rate`.  Add `viscous` for the rise beyond.
    A loaded joint creeps under this law; one that sticks: `rd.stick_slip`.
    Armstrong-Helouvry, Dupont and Canudas de Wit (1994); chapter "joints".
    """
    d, s = dry_friction(c, stiction)
    rate = as_positive(rate, "rate", "rad/s (or m/s)")
    width = as_positive(width, "width", "rad/s (or m/s)")

    def law(t: float, q: Any, qd: Any) -> Floats:
        v = np.asarray(qd)
        slow = for_joints_of(s, "stiction", qd)
        fast = for_joints_of(d, "c", qd)
        return -(fast + (slow - fast) * np.exp(-((v / rate) ** 2))) * np.tanh(v / width)

    return law


def spring(k: ArrayLike, rest: ArrayLike = 0.0) -> Law:
    """Return the law -k (q - rest); k: number or (n,), N m/rad (N/m), >= 0; rest: number or (n,), rad (m)."""
    k = _not_negative(k, "k")
    rest = _coefficient(rest, "rest")
    return lambda t, q, qd: -for_joints_of(k, "k", q) * (np.asarray(q) - for_joints_of(rest, "rest", q))


def stops(lower: ArrayLike, upper: ArrayLike, k: ArrayLike, b: ArrayLike = 0.0) -> Law:
    """Return the law of joint limits: beyond each a stiff spring and a damper that push back, and never pull.

    lower, upper: numbers or (n,), rad (m), infinite where there is no stop;
    k: N m/rad (N/m), b: N m s/rad (N s/m), >= 0.
    A joint that arrives at the rate qd enters by about |qd| sqrt(M / k); take steps far below sqrt(M / k).
    """
    lower_bound, upper_bound = (as_extended_reals(x, name) for x, name in ((lower, "lower"), (upper, "upper")))
    if not np.all(lower_bound <= upper_bound):
        raise ValueError(f"lower must not lie above upper, got {lower_bound.tolist()} and {upper_bound.tolist()}")
    k = _not_negative(k, "k")
    b = _not_negative(b, "b")

    def law(t: float, q: Any, qd: Any) -> Floats:
        lower_depth = for_joints_of(lower_bound, "lower", q) - np.asarray(q)
        upper_depth = np.asarray(q) - for_joints_of(upper_bound, "upper", q)
        stiffness = for_joints_of(k, "k", q)
        damping = for_joints_of(b, "b", q)
        v = np.asarray(qd)
        push = lambda depth, speed: np.where(depth > 0, np.maximum(stiffness * depth + damping * speed, 0), 0)
        return push(lower_depth, -v) - push(upper_depth, v)

    return law


def tip_wrench(arm: Arm, wrench: Any) -> Law:
    """Return the law J(q)^T w of a wrench on the robot at its tip: force N, moment N m, base axes, (6,) or t -> (6,)."""
    return point_wrench(arm, wrench)


def point_wrench(arm: Arm, wrench: Any, link: int | str | LinkFrame = -1, point: Any = None) -> Law:
    """Return the law J(q)^T w of a wrench on the robot at any point of a link, as `tip_wrench` at the tip.

    link, point: as in `rd.point_position`, default the tip, or the origin of a frame on a link; J is the Jacobian of that point.
    """
    place = functools.partial(
        point_jacobian, link=link, point=None if point is None else as_numbers(point, "point", (3,))
    )
    jacobian = specialize(place, arm, target="python", inputs="q")
    if callable(wrench):
        return lambda t, q, qd: jacobian(q).T @ as_numbers(wrench(t), "wrench", (6,))
    fixed = as_numbers(wrench, "wrench", (6,))
    return lambda t, q, qd: jacobian(q).T @ fixed


@dataclass(frozen=True, eq=False)
class PlaneContact:
    """The law (t, q, qd) -> tau of a plane that a point of the arm touches; `plane_contact` makes one.

    force(t, q, qd): (3,) N, on the arm, base axes, what a sensor between arm and tool would measure; 0 off the plane.
    """

    force: Law
    jacobian: Callable[[Any], Floats]  # q -> (3, n)

    def __call__(self, t: float, q: Any, qd: Any) -> Floats:
        return self.jacobian(q).T @ self.force(t, q, qd)


def plane_contact(
    arm: Arm,
    place: ArrayLike,
    normal: ArrayLike,
    k: float,
    b: float = 0.0,
    friction: float = 0.0,
    width: float = 1e-2,
    link: int | str | LinkFrame = -1,
    point: ArrayLike | None = None,
) -> PlaneContact:
    """Return the law of an elastic plane that pushes and never pulls, with dry friction along it.

    place: (3,) m, a point of the plane, normal: (3,), out of the material, of any length, base axes;
    k: N/m, b: N s/m, spring and damper along the normal: at the depth d the force is f_n = max(0, k d + b dd/dt);
    friction: mu, the force along the plane is -mu f_n v_t / |v_t| tanh(|v_t| / width), so never outside of the friction
    cone; width: m/s, below which a point creeps where a real one would stick; take steps below width m / (mu f_n) and
    far below sqrt(m / k), for the effective mass m;
    link, point: as in `rd.point_position`, default the tip, or the origin of a frame on a link.
    Raises ValueError for a plane, a stiffness or a friction that cannot be.  Siciliano et al. (2009), 9.1; chapter
    "pushing-on-a-wall".
    """
    origin = as_numbers(place, "place", (3,))
    out = as_numbers(normal, "normal", (3,))
    if not out.any():
        raise ValueError("normal must not be 0, got (0, 0, 0): it points out of the plane, of any length")
    out = out / np.linalg.norm(out)
    k = as_positive(k, "k", "N/m")
    width = as_positive(width, "width", "m/s")
    b, mu = (float(_not_negative(as_numbers(x, name, ()), name)) for x, name in ((b, "b"), (friction, "friction")))
    point = None if point is None else as_numbers(point, "point", (3,))
    position, jacobian = (
        specialize(functools.partial(algorithm, link=link, point=point), arm, target="python", inputs="q")
        for algorithm in (point_position, point_jacobian)
    )

    def force(t: float, q: Any, qd: Any) -> Floats:
        depth = (origin - position(q)) @ out
        if depth <= 0:
            return np.zeros(3)
        v = jacobian(q)[:3] @ qd
        pressing = max(0.0, float(k * depth - b * (v @ out)))
        slip = v - (v @ out) * out
        speed = max(float(np.linalg.norm(slip)), 1e-9 * width)
        return pressing * (out - mu * np.tanh(speed / width) / speed * slip)

    return PlaneContact(force, lambda q: jacobian(q)[:3])


def total(*laws: Law | ArrayLike) -> Law:
    """Return the sum of laws (t, q, qd) -> tau; an array (n,) counts as a constant law."""
    if not laws:
        raise ValueError("total needs at least one law (t, q, qd) -> tau, got none")
    parts = [law if callable(law) else _constant(law, f"law {number}") for number, law in enumerate(laws, start=1)]

    def law(t: float, q: Floats, qd: Floats) -> Floats:
        torques = [part(t, q, qd) for part in parts]
        try:
            return functools.reduce(np.add, torques)
        except (TypeError, ValueError):
            shapes = ", ".join(f"law {number} {np.shape(tau)}" for number, tau in enumerate(torques, start=1))
            raise ValueError(f"the laws of total must return torques (n,) of one n, got the shapes {shapes}") from None

    return law


def dry_friction(c: ArrayLike, stiction: ArrayLike) -> tuple[Floats, Floats]:
    """Return the friction while sliding and the largest at rest as arrays, () or (n,); ValueError unless stiction >= c >= 0."""
    d = _not_negative(c, "c")
    s = _not_negative(stiction, "stiction")
    if not np.all(s >= d):
        raise ValueError(
            f"stiction must be >= c, got {s.tolist()} and {d.tolist()}: it takes no less to start a slide than to keep it up"
        )
    return d, s


def as_extended_reals(x: ArrayLike, name: str) -> Floats:
    """Return a number or (n,) real numbers of which any may be infinite, as the ends of a range may.

    Raises TypeError where something else stands there, ValueError for a NaN or another shape.
    """
    try:
        x = np.asarray(x, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} must hold real numbers, got {in_short(x)}") from None
    if x.ndim > 1 or np.isnan(x).any():
        raise ValueError(
            f"{name} must be a number or have shape (n,), without NaN, got {x.tolist()}: infinite where there is none"
        )
    return x


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


def for_joints_of(x: Floats, name: str, q: Any) -> Floats:
    """Return a coefficient, () or (n,), or say that it does not fit the joints of q."""
    if x.ndim and x.shape != np.shape(q)[-1:]:
        raise ValueError(
            f"{name} must be a number or have one entry for each of the {np.shape(q)[-1]} joints, got {len(x)}"
        )
    return x


def _constant(law: ArrayLike, name: str) -> Law:
    law = _coefficient(law, name)
    return lambda t, q, qd: for_joints_of(law, name, q)
