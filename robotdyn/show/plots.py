"""A motion over time: its energy, its phase portrait, its joint coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robotdyn.dynamics.energy import kinetic_energy, potential_energy
from robotdyn.maths.validate import check_numeric
from robotdyn.model.arm import Arm
from robotdyn.model.joints import JOINTS
from robotdyn.show.style import DASHES, INK, TERMS, Motion, axes_for, check_trajectory

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Symbol and words.
QUANTITIES: dict[str, tuple[str, str]] = {
    "q": ("q", "joint coordinate"),
    "qd": (r"\dot{q}", "joint rate"),
    "tau": (r"\tau", "joint torque"),
}

MARKERS: tuple[str, ...] = ("", "o", "s", "^")  # of joints 1 to 4, 5 to 8, ...: their dashes repeat


def plot_energy(arm: Arm, trajectory: Motion, ax: Axes | None = None) -> Axes:
    """Plot kinetic energy T, potential energy U and their sum, in J, over time in s; return ax.

    trajectory: t (T,) s, q and qd (T, n), as `rd.simulate` returns it.  U is zero where `rd.potential_energy` puts it.
    """
    check_numeric(arm, "a picture")
    check_trajectory(trajectory, arm)
    ax = axes_for(ax)
    T = kinetic_energy(arm, trajectory.q, trajectory.qd)
    U = potential_energy(arm, trajectory.q)
    ax.plot(trajectory.t, T, color=TERMS["inertia"], linestyle=DASHES[1], label="kinetic $T$")
    ax.plot(trajectory.t, U, color=TERMS["gravity"], linestyle=DASHES[2], label="potential $U$")
    ax.plot(trajectory.t, T + U, color=INK, linewidth=2.5, label="total $T + U$")
    ax.set(xlabel="time (s)", ylabel="energy (J)")
    ax.legend()
    return ax


def plot_phase(trajectory: Motion, joint: int = 0, ax: Axes | None = None, arm: Arm | None = None) -> Axes:
    """Plot the rate of one joint over its coordinate, from a dot at the start; return ax.

    joint: index, 0 for the first.
    arm: tells which joints are prismatic (m and m/s); without it rad and rad/s.
    """
    check_trajectory(trajectory, arm)
    n = np.shape(trajectory.q)[-1]
    if not isinstance(joint, (int, np.integer)) or not -n <= joint < n:
        raise ValueError(f"joint must be an index from 0 to {n - 1}, got {joint!r}: the first joint has index 0")
    joint = joint % n
    ax = axes_for(ax)
    q = np.asarray(trajectory.q)[:, joint]
    qd = np.asarray(trajectory.qd)[:, joint]
    ax.plot(q, qd, color=INK, linestyle=DASHES[joint % len(DASHES)])
    ax.plot(q[:1], qd[:1], "o", color=INK, markersize=8)
    ax.set(xlabel=_label("q", joint, arm), ylabel=_label("qd", joint, arm))
    return ax


def plot_joints(trajectory: Motion, ax: Axes | None = None, arm: Arm | None = None, quantity: str = "q") -> Axes:
    """Plot a quantity of every joint over time in s; joints differ by their dashes, torques have their color; return ax.

    quantity: "q" (rad), "qd" (rad/s) or "tau" (N m).
    arm: tells which joints are prismatic (m, m/s, N).
    """
    check_trajectory(trajectory, arm)
    if not isinstance(quantity, str) or quantity not in QUANTITIES:
        raise ValueError(f'quantity must be "q", "qd" or "tau", got {quantity!r}')
    ax = axes_for(ax)
    values = np.asarray(getattr(trajectory, quantity))
    n = values.shape[1]
    color = TERMS["torque"] if quantity == "tau" else INK
    for i in range(n):
        dashes = DASHES[i % len(DASHES)]
        marker = MARKERS[i // len(DASHES) % len(MARKERS)]
        line, *_ = ax.plot(trajectory.t, values[:, i], label=_label(quantity, i, arm), color=color, linestyle=dashes)
        line.set(marker=marker, markevery=max(1, len(values) // 12))
    units = dict.fromkeys(_unit(quantity, i, arm) for i in range(n))
    ax.set(xlabel="time (s)", ylabel=f"{QUANTITIES[quantity][1]} ({', '.join(units)})")
    ax.legend()
    return ax


def _label(quantity: str, joint: int, arm: Arm | None) -> str:
    return f"${QUANTITIES[quantity][0]}_{{{joint + 1}}}$ ({_unit(quantity, joint, arm)})"


def _unit(quantity: str, joint: int, arm: Arm | None) -> str:
    return JOINTS["revolute" if arm is None else arm.links[arm.independent[joint]].joint].units[quantity]
