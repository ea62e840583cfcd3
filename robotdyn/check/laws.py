"""Laws that many questions share, as functions (p, at, value) -> sentence or None; made by what they need."""

import math
import random

from robotdyn.check import bodies
from robotdyn.check.agreement import entry_name
from robotdyn.check.data import flat

NEAR = 1e-6  # rounding and difference quotients stay below, mistakes above


def symmetric(p, at, value):
    """M is symmetric."""
    n, largest = len(value), max(abs(entry) for entry in flat(value)[1])
    gaps = [(abs(value[i][j] - value[j][i]), -i, -j) for i in range(n) for j in range(i)]
    gap, i, j = max(gaps, default=(0.0, 0, 0))
    if gap > NEAR * largest:
        return f"M is not symmetric: entries ({1 - j}, {1 - i}) and ({1 - i}, {1 - j}) differ."
    return None


def definite(p, at, value):
    """M is positive definite: a motion has positive kinetic energy."""
    n = len(value)
    left = [[(value[i][j] + value[j][i]) / 2 for j in range(n)] for i in range(n)]
    for k in range(n):  # elimination without exchange: each pivot is positive, and only then
        if not left[k][k] > 0:
            return "M is not positive definite: some motion would have negative or no kinetic energy."
        for i in range(k + 1, n):
            factor = left[i][k] / left[k][k]
            left[i] = [a - factor * b for a, b in zip(left[i], left[k])]
    return None


def same_as(sentence, function, tolerance=NEAR):
    """Return the law that the value is function(p, at); the sentence names the law, the entry is added."""

    def law(p, at, value):
        shape, expected = flat(function(p, at))
        found_shape, found = flat(value)
        if len(found) != len(expected):
            return f"The shape should be {shape}, it is {found_shape}."
        gaps, size = [abs(a - b) for a, b in zip(found, expected)], max(*map(abs, expected), 1e-9)
        if all(gap <= tolerance * size for gap in gaps):  # not so where something is not a number
            return None
        if all(abs(a + b) <= tolerance * size for a, b in zip(found, expected)):
            return f"{sentence} It has the opposite sign."
        where = entry_name(shape, max(range(len(gaps)), key=lambda i: gaps[i] if math.isfinite(gaps[i]) else -1.0))
        return f"{sentence} Look at {where}." if where else sentence

    return law


def choice_among(*choices):
    """Return the law that a choice is one of those that are offered."""

    def law(p, at, value):
        return None if str(value).strip().lower() in choices else f"The answer is one of: {', '.join(choices)}."

    return law


def energy_of(arm):
    """Return the law 1/2 qd . M qd = T, the sum over the bodies, at random rates; arm(p, at): (bodies, q, g)."""

    def law(p, at, value):
        moving, q, _ = arm(p, at)
        draw = random.Random(3)
        for _ in range(3):
            qd = [draw.gauss(0.0, 1.0) for _ in q]
            energy = bodies.kinetic_energy(moving, q, qd)
            power = sum(a * entry * b for a, row in zip(qd, value) for entry, b in zip(row, qd))
            if not abs(power / 2 - energy) <= NEAR * max(energy, 1e-9):
                return "1/2 qd . M qd is not the kinetic energy of the bodies."
        return None

    return law


def gradient_of_potential(arm):
    """Return the law g = dU/dq, from the heights of the bodies; arm(p, at): (bodies, q, g)."""

    def slope(p, at):
        moving, q, g = arm(p, at)
        return bodies.weight(moving, q, g)

    return same_as("At rest the torque should equal dU/dq.", slope, 1e-5)
