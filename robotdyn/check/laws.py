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
            near = {
                " It has the opposite sign.": -found,
                " It is twice as large.": found / 2,
                " It is half as large.": found * 2,
                " The entries are in the other order.": found[::-1] if found.ndim else np.nan,
            }
            words = [word for word, other in near.items() if abs(other - expected).max() <= tolerance * size]
            return sentence + (words[0] if words else f" Look at {where}." if where else "")
        return None

    return law


def plot_of(sentence, low, high, curve, tolerance, wrong=None):
    """Return the law that some line of a plot runs from low to high within `tolerance` of curve(p, x), with words at the axes.

    wrong: {sentence: curve} of typical mistakes; other lines, as a grid or a mark, do no harm.
    """

    def judged(p, x, y):
        reach = 0.02 * (high - low)
        if len(x) < 20 or x.min() > low + reach or x.max() < high - reach:
            return f"The line should run from {low:.3g} to {high:.3g}, with at least 20 points."
        if max(abs(x)) > 20 * max(abs(low), high):
            return f"The line should run from {low:.3g} to {high:.3g}, not to {x.max():.3g}: look at the unit of the x axis."
        order = np.argsort(x, kind="stable")
        x, y = x[order], y[order]
        inside = (x >= low) & (x <= high)
        x, y = x[inside], y[inside]
        if abs(y - curve(p, x)).max() <= tolerance(p):
            return None
        for name, other in (wrong or {}).items():
            if abs(y - other(p, x)).max() <= 2 * tolerance(p) * max(
                1.0, abs(other(p, x)).max() / abs(curve(p, x)).max()
            ):
                return f"{sentence} {name}"
        worst = x[abs(y - curve(p, x)).argmax()]
        return f"{sentence} It is farthest away at x = {worst:.3g}."

    def law(p, at, value):
        lines = [[np.array(line[axis]["numbers"], dtype=float) for axis in "xy"] for line in value["curves"]]
        if not lines:
            return "The plot has no line: draw it with ax.plot."
        found = [judged(p, *line) for line in lines]
        if None not in found:
            return min(found, key=lambda words: words.startswith("The line should run"))
        if not (str(value["xlabel"]).strip() and str(value["ylabel"]).strip()):
            return "Words are missing at an axis: say the quantity and its unit."
        return None

    return law


def energy_of(arm):
    """Return the law 1/2 qd . M qd = T, the sum over the bodies, at random rates; arm(p, at): (arm, q)."""
    from robotdyn.energy import kinetic_energy

    def law(p, at, value):
        robot, q = arm(p, at)
        alone = {f", already where joint {i + 1} moves alone": qd for i, qd in enumerate(np.eye(robot.n))}
        for where, qd in {**alone, ", where the joints move together": np.ones(robot.n)}.items():
            energy = kinetic_energy(robot, q, qd)
            if abs(qd @ value @ qd / 2 - energy) > NEAR * max(energy, 1e-9):
                return f"1/2 qd . M qd is not the kinetic energy of the bodies{where}."
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
