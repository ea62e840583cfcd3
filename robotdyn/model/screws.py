"""Product of exponentials:  T(q) = e^(xi_1^ q_1) ... e^(xi_n^ q_n) T(0):  an arm given by the lines of its joints.

Everything is measured once, in base axes, with the arm at q = 0: no frame has to be attached to any link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sized
from typing import Any

import numpy as np

from robotdyn.maths.motions import check_motion, slides
from robotdyn.maths.namespace import namespace
from robotdyn.maths.spatial import skew
from robotdyn.maths.validate import Array, Entries, as_array
from robotdyn.model.checks import per_joint_values


def links_of_screws(screws: Entries, home: Entries, columns: Mapping[str, Any]) -> tuple[list[dict[str, Any]], Array]:
    """Return the fields of every link, and the tip in the axes of the last one; arguments as in `Arm.from_screws`."""
    n = len(screws) if isinstance(screws, Sized) and len(screws) else 1
    rows = as_array(screws, "screws", (n, 6))
    T = as_array(home, "home", (4, 4))
    if T.dtype != object:
        check_motion(T, "home")
    defaults = {"masses": 0, "coms": None, "inertias": np.zeros((3, 3))}
    given = per_joint_values(columns, defaults, n, "screws")
    xp = namespace(rows, T)
    links = []
    origin = xp.zeros(3)
    for number, (row, mass, com, about_com) in enumerate(zip(rows, *given), start=1):
        joint, axis, pitch, point = _joint_of(row, number, origin)
        R = T[:3, :3] if number == n else xp.eye(3)  # base axes at q = 0, but for the last link: those of the tip
        c = xp.zeros(3) if com is None else as_array(com, "com", (3,)) - point
        body = {"mass": mass, "com": R.T @ c, "inertia": R.T @ as_array(about_com, "inertia", (3, 3)) @ R}
        frame = {"position": point - origin, "rotation": R}
        links.append({**body, **frame, "joint": joint, "axis": R.T @ axis, "pitch": pitch})
        origin = point
    return links, R.T @ (T[:3, 3] - origin)


def _joint_of(row: Array, number: int, before: Array) -> tuple[str, Array, Any, Array]:
    """Return the type, the axis, the pitch and a point of a unit screw; a slide keeps the point `before` it."""
    v = row[:3]
    omega = row[3:]
    if slides(row, f"row {number} of screws"):
        return "prismatic", v, 0, before
    pitch = omega @ v
    pitch = pitch.expand() if hasattr(pitch, "expand") else pitch
    turns = pitch == 0 if row.dtype == object else abs(pitch) <= 1e-12 * (1 + np.linalg.norm(v))
    return ("revolute" if turns else "screw"), omega, (0 if turns else pitch), skew(omega) @ v
