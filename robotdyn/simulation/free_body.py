"""A rigid body that turns freely, or about a point that is held:  Rdot = R [omega],  Ldot = n,  omega = I^-1 R^T L.

The state is the rotation R and the angular momentum L in axes that stand still.  Without torque L never changes, so
that it is kept to rounding; R stays a rotation, because each piece of the motion is a turn exp[phi] of the last R:

    phidot = omega + 1/2 phi x omega + (1 - |phi|/2 cot(|phi|/2)) / |phi|^2  phi x (phi x omega).

Munthe-Kaas (1999), "High order Runge-Kutta methods on manifolds"; chapter "tops-and-tumbling".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.maths.rotations import check_rotation
from robotdyn.maths.validate import Array, Entries, Floats, as_numbers, as_times, check_is_body, in_short
from robotdyn.model.body import Body

Torque: TypeAlias = Callable[[float, Floats, Floats], ArrayLike]
IDENTITY = np.eye(3)
PIECE_ANGLE = 1.0  # rad: about how far a piece turns; the formula for phidot holds up to 2 pi
MAX_ANGLE = 1e6  # rad: between two samples; more takes minutes and leaves few digits of the angle


@dataclass(frozen=True, eq=False)
class Tumbling:
    """The turning of a body in samples: t (T,) s; rotation (T, 3, 3), body to base; omega (T, 3) rad/s in body axes.

    inertia: (3, 3) kg m^2 in body axes, about the point that the turning is about.
    """

    t: Floats
    rotation: Floats
    omega: Floats
    inertia: Floats

    def __len__(self) -> int:
        return len(self.t)

    def momentum(self) -> Floats:
        """Return the angular momentum in base axes, (T, 3) kg m^2/s, from the samples:  R I omega."""
        return np.einsum("tij,jk,tk->ti", self.rotation, self.inertia, self.omega)

    def energy(self) -> Floats:
        """Return the kinetic energy, (T,) J:  1/2 omega . I omega."""
        return np.einsum("ti,ij,tj->t", self.omega, self.inertia, self.omega) / 2


def tumble(
    body: Body,
    omega: Entries,
    t: ArrayLike,
    rotation: Entries = ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    torque: Torque | None = None,
    point: Entries | None = None,
) -> Tumbling:
    """Return how a body turns about its center of mass, or about a point of it that is held; numbers only.

    omega: (3,) rad/s at the first of the times t (T,) s, in body axes;
    rotation: (3, 3), body to base, at that time.
    torque: t, R, omega -> (3,) N m in base axes, about the center of mass or the point; default none.
    point: (3,) m in body axes; default the center of mass.
    Raises ValueError where the body has no inertia about some axis.
    The samples are as exact as double precision lets them be in practice: relative tolerance 1e-12 for every radian.
    """
    check_is_body(body)
    omega = as_numbers(omega, "omega", (3,))
    R = as_numbers(rotation, "rotation", (3, 3))
    check_rotation(R, "rotation")
    t = as_times(t)
    if torque is not None and not callable(torque):
        raise TypeError(
            f"torque must be a function (t, R, omega) -> (3,) N m, got {in_short(torque)}: lambda t, R, omega: that"
        )
    I = as_numbers(body.about(body.com if point is None else point), "inertia", (3, 3))
    if not np.linalg.cond(I) < 1e12:
        raise ValueError(
            "a body that turns freely must have inertia about every axis, got a singular inertia: give a thin rod a "
            "thickness"
        )
    L = R @ I @ omega
    samples = [(R, omega)]
    rate = lambda R, L: np.linalg.solve(I, R.T @ L)
    for start, end in pairwise(t):
        R, L = _advance(R, L, float(start), float(end), rate, torque)
        samples.append((R, rate(R, L)))
    rotations, omegas = (np.array(column) for column in zip(*samples))
    return Tumbling(t, rotations, omegas, I)


def _advance(
    R: Floats, L: Floats, t: float, end: float, rate: Callable[[Floats, Floats], Floats], torque: Torque | None
) -> tuple[Floats, Floats]:
    """Return R and L at the time `end`, in pieces of about a radian."""
    from scipy.integrate import solve_ivp

    def rates(s: float, state: Floats) -> Floats:
        phi = state[:3]
        L = state[3:]
        turn, to_chart = _exponential_chart(phi)
        turned = R @ turn
        omega = rate(turned, L)
        return np.concatenate([to_chart @ omega, _torque(torque, s, turned, omega)])

    while t < end:
        omega = rate(R, L)
        n = _torque(torque, t, R, rate(R, L))
        pace = np.linalg.norm(omega) + np.sqrt(np.linalg.norm(rate(R, n))) + 1e-9
        if not (end - t) * pace <= MAX_ANGLE:
            raise ValueError(
                f"from one time to the next a body must turn by less than {MAX_ANGLE:g} rad, got {(end - t) * pace:.3g} rad "
                f"up to t = {end:g} s: take times or rates that are closer together or smaller"
            )
        after = end if (end - t) * pace <= PIECE_ANGLE else t + PIECE_ANGLE / pace
        state = np.concatenate([np.zeros(3), L])
        size = np.linalg.norm(L) + np.linalg.norm(n) / pace  # of L, for the absolute tolerance
        atol = 1e-13 * np.repeat([1, size or 1], 3)
        solution = solve_ivp(rates, (t, after), state, "DOP853", rtol=1e-12, atol=atol)
        if not solution.success:
            raise ValueError(f"the turning cannot be followed beyond {solution.t[-1]:g} s: {solution.message}")
        phi = solution.y[:3, -1]
        L = solution.y[3:, -1]
        R = R @ _exponential_chart(phi)[0]
        t = after
    return R, L


def _exponential_chart(phi: Floats) -> tuple[Floats, Floats]:
    """Return exp[phi], by Rodrigues' formula, and the matrix that takes omega to phidot."""
    square = float(phi @ phi)
    angle = math.sqrt(square)
    if angle < 1e-2:  # the first terms of the series: the next are below rounding
        first = 1 - square / 6 * (1 - square / 20)
        second = 1 / 2 - square / 24 * (1 - square / 30)
        third = 1 / 12 + square / 720
    else:
        first = math.sin(angle) / angle
        second = (1 - math.cos(angle)) / square
        third = (1 - angle / 2 / math.tan(angle / 2)) / square
    x, y, z = phi
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    square_of_K = K @ K
    return IDENTITY + first * K + second * square_of_K, IDENTITY + K / 2 + third * square_of_K


def _torque(torque: Torque | None, t: Any, R: Floats, omega: Floats) -> Array:
    return np.zeros(3) if torque is None else as_numbers(torque(t, R, omega), "torque", (3,))
