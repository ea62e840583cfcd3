"""The arms of the benchmarks: planar chains of rods, the PUMA 560 and the Panda with bodies of any shape, and any hinges."""

import numpy as np

import robotdyn as rd


def planar(n):
    """n uniform rods of 1 kg; lengths fall from 1 m, so that no two are equal."""
    lengths = np.linspace(1.0, 0.6, n)
    return rd.robots.planar(lengths, [1.0] * n, lengths / 2, lengths**2 / 12)


def puma():
    """The frames of the PUMA 560, all six bodies with a mass and a full inertia matrix."""
    quarter = np.pi / 2
    rows = [(0, quarter, 0, 0), (0.4318, 0, 0, 0), (0.0203, -quarter, 0.15005, 0)]
    rows += [(0, quarter, 0.4318, 0), (0, -quarter, 0, 0), (0, 0, 0, 0)]
    return _with_bodies(rows, "standard")


def panda():
    """The frames of the Franka Panda (modified Denavit-Hartenberg, from its manual), all seven bodies full."""
    quarter = np.pi / 2
    rows = [(0, 0, 0.333, 0), (0, -quarter, 0, 0), (0, quarter, 0.316, 0), (0.0825, quarter, 0, 0)]
    rows += [(-0.0825, -quarter, 0.384, 0), (0, quarter, 0, 0), (0.088, quarter, 0, 0)]
    return _with_bodies(rows, "modified")


ARMS = {
    "planar 2": lambda: planar(2),
    "planar 6": lambda: planar(6),
    "planar 10": lambda: planar(10),
    "PUMA 6": puma,
    "Panda 7": panda,
    "random 7": lambda: rd.robots.random_arm(np.random.default_rng(0), 7, ["revolute"] * 7),
}


def _with_bodies(rows, convention):
    bodies = rd.robots.random_arm(np.random.default_rng(0), len(rows)).links
    parts = ([x.mass for x in bodies], [x.com for x in bodies], [x.inertia for x in bodies])
    return rd.Arm.from_dh(rows, convention, *parts)


def states(arm, B, seed=1):
    """Random q, qd, tau, (3, B, n)."""
    return np.random.default_rng(seed).normal(size=(3, B, arm.n))
