"""What laws say of bodies in a plane, from where they are: energy, weight, force of inertia; d'Alembert, nothing more.

A body is (mass, moment of inertia about its center of mass, place); place(q) = (x, y, angle), y up, written with the
functions of cmath; q, qd: lists of n numbers, in SI units and rad.  A rate of change is a complex step,
Im f(q + i h v) / h: exact to rounding.  No library, no NumPy: a check judges alike in every kernel, and apart from the
algorithms it asks about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

Place: TypeAlias = Callable[[Sequence[Any]], Sequence[Any]]  # (x, y, angle) of a body, of real or complex q
Body: TypeAlias = tuple[float, float, Place]  # mass, moment of inertia, place

STEP = 1e-30  # of a complex step: nothing is subtracted, so it may be as small as one likes
TIME = 3e-6  # s, of a central difference: rounding 1e-10, truncation 1e-9, below laws.NEAR


def rate(place: Place, q: Sequence[float], qd: Sequence[float]) -> list[float]:
    """Return how fast place(q) changes along qd: a list."""
    return [complex(part).imag / STEP for part in place([a + 1j * STEP * b for a, b in zip(q, qd)])]


def kinetic_energy(bodies: Sequence[Body], q: Sequence[float], qd: Sequence[float]) -> float:
    """Return T = sum of m v^2 / 2 + I omega^2 / 2, in J."""
    total = 0.0
    for mass, inertia, place in bodies:
        vx, vy, omega = rate(place, q, qd)
        total += (mass * (vx**2 + vy**2) + inertia * omega**2) / 2
    return total


def weight(bodies: Sequence[Body], q: Sequence[float], g: float) -> list[float]:
    """Return dU/dq, the generalized forces that hold the bodies: a list, N m (N where something slides); g: m/s^2."""
    return [sum(mass * g * rate(place, q, e)[1] for mass, _, place in bodies) for e in axes(len(q))]


def inertial_force(bodies: Sequence[Body], q: Sequence[float], qd: Sequence[float]) -> list[float]:
    """Return C qd, the generalized forces that keep the rates constant without gravity: mass times acceleration, a list.

    They grow with the square of the rates, so they are computed at rates of 1: a time that is short for those may be long
    for others.
    """
    size = max(map(abs, qd)) or 1.0
    qd = [b / size for b in qd]
    ahead, behind = ([a + s * TIME * b for a, b in zip(q, qd)] for s in (1, -1))

    def change(place: Place) -> list[float]:
        return [(a - b) / (2 * TIME) for a, b in zip(rate(place, ahead, qd), rate(place, behind, qd))]

    return [force * size * size for force in _along(bodies, q, change)]


def momentum(bodies: Sequence[Body], q: Sequence[float], qd: Sequence[float]) -> list[float]:
    """Return M qd, the generalized momenta: a list.  With accelerations for rates: the forces that give them at rest."""
    return _along(bodies, q, lambda place: rate(place, q, qd))


def _along(bodies: Sequence[Body], q: Sequence[float], change: Callable[[Place], list[float]]) -> list[float]:
    """Return the sums over the bodies of mass times change(place), along the motion of each joint: a list."""
    total = [0.0] * len(q)
    for mass, inertia, place in bodies:
        vx, vy, omega = change(place)
        for k, e in enumerate(axes(len(q))):
            x, y, angle = rate(place, q, e)
            total[k] += mass * (x * vx + y * vy) + inertia * angle * omega
    return total


def axes(n: int) -> list[list[float]]:
    """Return the n unit vectors."""
    return [[float(i == k) for i in range(n)] for k in range(n)]
