"""One rigid body, about any of its points O:  (p, L) = M (v, omega),  and Newton's and Euler's equations

    f = m (a + alpha x c + omega x (omega x c)),    n_O = I_O alpha + omega x I_O omega + m c x a.

v, a: velocity and acceleration of the material point O; c: from O to the center of mass; all vectors in body axes.
Linear part first, as in the wrench at an arm's tip.
"""

from __future__ import annotations

from typing import Any

from robotdyn.dynamics.kinematics import cross
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.namespace import generic_for_body, is_negligible, namespace
from robotdyn.maths.spatial import skew
from robotdyn.maths.validate import Array, Entries, Result
from robotdyn.model.body import ORIGIN, Body

__all__ = [
    "acceleration",
    "gyroscopic_torque",
    "kinetic_energy",
    "momentum",
    "wrench",
]
offer_public_names(__name__)


@generic_for_body
def momentum(body: Body, omega: Entries, velocity: Entries = ORIGIN, point: Entries = ORIGIN) -> Result:
    """Return the momentum p in kg m/s and the angular momentum L about the point in kg m^2/s, as one vector (6,).

    omega: (3,) rad/s;
    velocity: (3,) m/s, of the point;
    point: (3,) m.  All in body axes, also (..., 3).
    """
    xp = namespace(body, omega, velocity, point)
    m = xp.array(body.mass)
    c = xp.array(body.com) - point
    p = m * (velocity + cross(omega, c))
    return xp.concatenate([p, xp.array(body.inertia) @ omega + cross(c, p)])


@generic_for_body
def kinetic_energy(body: Body, omega: Entries, velocity: Entries = ORIGIN, point: Entries = ORIGIN) -> Result:
    """Return the kinetic energy in J:  1/2 m v_c . v_c + 1/2 omega . I omega  (König); arguments as for `momentum`."""
    xp = namespace(body, omega, velocity, point)
    v_c = velocity + cross(omega, xp.array(body.com) - point)
    return (xp.array(body.mass) * (v_c @ v_c) + omega @ xp.array(body.inertia) @ omega) / 2


@generic_for_body
def gyroscopic_torque(body: Body, omega: Entries, point: Entries = ORIGIN) -> Result:
    """Return omega x I omega (3,) N m, I about the point: what it takes to turn L along with the body at a steady rate.

    omega: (3,) rad/s and point: (3,) m, in body axes, also (..., 3).
    """
    xp = namespace(body, omega, point)
    return cross(omega, _inertia_about(xp, body, point) @ omega)


@generic_for_body
def wrench(
    body: Body, omega: Entries, alpha: Entries, acceleration: Entries = ORIGIN, point: Entries = ORIGIN
) -> Result:
    """Return the force f in N and the moment n about the point in N m that a motion takes, as one vector (6,).

    omega: (3,) rad/s;
    alpha: (3,) rad/s^2, the rate of omega;
    acceleration: (3,) m/s^2, of the point, in a frame that does not accelerate;
    point: (3,) m.  All in body axes, also (..., 3).  Weight is part of f.
    """
    xp = namespace(body, omega, alpha, acceleration, point)
    m = xp.array(body.mass)
    c = xp.array(body.com) - point
    f = m * (acceleration + cross(alpha, c) + cross(omega, cross(omega, c)))
    I = _inertia_about(xp, body, point)
    return xp.concatenate([f, I @ alpha + cross(omega, I @ omega) + m * cross(c, acceleration)])


@generic_for_body
def acceleration(body: Body, omega: Entries, force: Entries, moment: Entries, point: Entries = ORIGIN) -> Result:
    """Return the acceleration of the point in m/s^2 and that of the turning in rad/s^2, as one vector (6,).

    omega: (3,) rad/s;
    force: (3,) N;
    moment: (3,) N m about the point;
    point: (3,) m.  All in body axes, also (..., 3).
    Raises ValueError where the body has no mass, or no inertia about some axis.
    """
    if body.mass == 0:
        raise ValueError("a free body must have mass > 0 kg, got 0: a force would accelerate it without bound")
    xp = namespace(body, omega, force, moment, point)
    m = xp.array(body.mass)
    c = xp.array(body.com) - point
    I = xp.array(body.inertia)
    alpha = _solve(I, moment - cross(c, force) - cross(omega, I @ omega))
    return xp.concatenate([force / m - cross(alpha, c) - cross(omega, cross(omega, c)), alpha])


def _inertia_about(xp: Any, body: Body, point: Entries) -> Array:
    c = xp.array(body.com) - point
    return xp.array(body.inertia) + xp.array(body.mass) * (skew(c).T @ skew(c))


def _solve(I: Array, n: Array) -> Array:
    """Return I^-1 n of a symmetric I (3, 3), by Cramer's rule, so that no entry is branched on."""
    xp = namespace(I, n)
    cofactors = xp.stack([cross(I[1], I[2]), cross(I[2], I[0]), cross(I[0], I[1])])
    det = I[0] @ cofactors[0]
    if is_negligible(det, (I * cofactors)):
        raise ValueError(
            "a free body must have inertia about every axis, got a singular inertia: a thin rod or a point turns about "
            "some axis without effort; give it a thickness"
        )
    return cofactors @ n / det
