"""Laws that many questions share, as functions (p, at, value) -> sentence or None; made by what they need."""

import numpy as np

from robotdyn.check.agreement import entry_name

NEAR = 1e-6  # rounding and difference quotients stay below, mistakes above


def symmetric(p, at, value):
    """M is symmetric."""
    gap = abs(value - value.T)
    if gap.max() > NEAR * abs(value).max():
        i, j = np.unravel_index(gap.argmax(), gap.shape)
        return f"M is not symmetric: entries ({i + 1}, {j + 1}) and ({j + 1}, {i + 1}) differ."
    return None


def definite(p, at, value):
    """M is positive definite: a motion has positive kinetic energy."""
    if np.linalg.eigvalsh((value + value.T) / 2).min() <= 0:
        return "M is not positive definite: some motion would have negative or no kinetic energy."
    return None


def same_as(sentence, function, tolerance=NEAR):
    """Return the law that the value is function(p, at); the sentence names the law, the entry is added."""

    def law(p, at, value):
        expected = np.asarray(function(p, at), dtype=float)
        found = np.asarray(value, dtype=float)
        if found.size != expected.size:
            return f"The shape should be {expected.shape}, it is {found.shape}."
        found = found.reshape(expected.shape)
        gap, size = abs(found - expected), max(abs(expected).max(), 1e-9)
        if not np.isfinite(found).all() or gap.max() > tolerance * size:
            where = entry_name(expected.shape, int(np.nanargmax(gap)) if np.isfinite(gap).any() else 0)
            opposite = abs(found + expected).max() <= tolerance * size
            sign = " It has the opposite sign." if opposite else f" Look at {where}." if where else ""
            return f"{sentence}{sign}"
        return None

    return law


def choice_among(*choices):
    """Return the law that a choice is one of those that are offered."""

    def law(p, at, value):
        return None if str(value).strip().lower() in choices else f"The answer is one of: {', '.join(choices)}."

    return law


def energy_of(arm):
    """Return the law 1/2 qd . M qd = T, the sum over the bodies, at random rates; arm(p, at): (arm, q)."""
    from robotdyn.energy import kinetic_energy

    def law(p, at, value):
        robot, q = arm(p, at)
        for qd in np.random.default_rng(3).normal(size=(3, robot.n)):
            energy = kinetic_energy(robot, q, qd)
            if abs(qd @ value @ qd / 2 - energy) > NEAR * max(energy, 1e-9):
                return "1/2 qd . M qd is not the kinetic energy of the bodies."
        return None

    return law


def gradient_of_potential(arm):
    """Return the law g = dU/dq, from the heights of the bodies; arm(p, at): (arm, q)."""
    from robotdyn.energy import potential_energy

    def slope(p, at):
        robot, q = arm(p, at)
        h = 1e-4
        return [
            (potential_energy(robot, q + h * e) - potential_energy(robot, q - h * e)) / (2 * h) for e in np.eye(robot.n)
        ]

    return same_as("At rest the torque should equal dU/dq.", slope, 1e-5)
