"""Denavit-Hartenberg tables:  standard  Rz(theta) Tz(d) Tx(a) Rx(alpha),  modified  Rx(alpha) Tx(a) Rz(theta) Tz(d)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from robotdyn.maths.namespace import namespace
from robotdyn.maths.spatial import compose, rotation
from robotdyn.maths.validate import Array, Entries, as_array, in_short
from robotdyn.model.checks import per_joint_values

MOST = 1.01 * 2 * math.pi  # rad, of an angle of a table


def links_of_table(
    rows: Entries, convention: str, tip: Entries, per_joint: Mapping[str, Any]
) -> tuple[list[dict[str, Any]], Array, Array]:
    """Return the fields of every link, and in the axes of the last one the tip and the axes of the table's last frame.

    per_joint: masses, coms, inertias, joints and pitches, a value for each row, None where they are not given;
    the other arguments as in `Arm.from_dh`.
    """
    if not isinstance(convention, str) or convention not in ("standard", "modified"):
        raise ValueError(f'convention must be "standard" or "modified", got {in_short(convention)}')
    table = as_array(rows, "rows", (...,))
    n = len(table) if table.ndim else 0
    if table.shape != (n, 4) or not n:
        raise ValueError(f"rows must have shape (n, 4), a row (a, alpha, d, theta) for each joint, got {table.shape}")
    if table.dtype != object and abs(table[:, [1, 3]]).max() > MOST:
        warnings.warn(
            f"alpha and theta of rows are in rad, got {abs(table[:, [1, 3]]).max():g}, more than a turn: are these degrees?",
            stacklevel=3,
        )
    defaults = {"masses": 0, "coms": np.zeros(3), "inertias": np.zeros((3, 3)), "joints": "revolute", "pitches": 0}
    given = per_joint_values(per_joint, defaults, n, "rows")
    xp = namespace(table)
    links = []
    # R, p lead from the last link frame to the frame before the next joint.
    R = xp.eye(3)
    p = xp.zeros(3)
    for row, mass, com, about_com, joint, pitch in zip(table, *given):
        before_joint, after_joint = _around_joint(row, convention)
        frame, position = compose((R, p), before_joint)
        R, p = after_joint
        about_com = as_array(about_com, "inertia", (3, 3))
        com = as_array(com, "com", (3,))
        body = {"mass": mass, "com": R @ com + p, "inertia": R @ about_com @ R.T}
        placed = {"position": position, "rotation": frame, "frame_position": p, "frame_rotation": R}
        links.append({**body, **placed, "joint": joint, "pitch": pitch})
    return links, R @ as_array(tip, "tip", (3,)) + p, R


def _around_joint(row: Array, convention: str) -> Any:
    """Split one row into the fixed transforms (R, p) before and after its joint, which moves about or along z."""
    xp = namespace(row)
    x = xp.array([1, 0, 0])
    z = xp.array([0, 0, 1])
    a, alpha, d, theta = row
    twist = (rotation(x, alpha), a * x)
    offset = (rotation(z, theta), d * z)
    return (offset, twist) if convention == "standard" else (compose(twist, offset), (xp.eye(3), 0 * z))
