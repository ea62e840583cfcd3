"""Denavit-Hartenberg tables:  standard  Rz(theta) Tz(d) Tx(a) Rx(alpha),  modified  Rx(alpha) Tx(a) Rz(theta) Tz(d)."""

from collections.abc import Sequence, Sized
from typing import Any

import numpy as np

from robotdyn.maths.namespace import namespace
from robotdyn.maths.spatial import compose, rotation
from robotdyn.maths.validate import Array, Entries, as_array


def links_of_table(
    rows: Entries,
    convention: str,
    masses: Any,
    coms: Any,
    inertias: Any,
    joints: Sequence[str] | None,
    pitches: Any,
    tip: Entries,
) -> tuple[list[dict[str, Any]], Array]:
    """Return the fields of every link, and the tip in the axes of the last one; arguments as in `Arm.from_dh`."""
    if not isinstance(convention, str) or convention not in ("standard", "modified"):
        raise ValueError(f'convention must be "standard" or "modified", got {convention!r}')
    n = len(rows) if isinstance(rows, Sized) and len(rows) else 1
    table = as_array(rows, "rows", (n, 4))
    masses = [0] * n if masses is None else masses
    coms = np.zeros((n, 3)) if coms is None else coms
    inertias = np.zeros((n, 3, 3)) if inertias is None else inertias
    joints = ["revolute"] * n if joints is None else joints
    pitches = [0] * n if pitches is None else pitches
    given = {"masses": masses, "coms": coms, "inertias": inertias, "joints": joints, "pitches": pitches}
    for name, values in given.items():
        if not hasattr(values, "__len__") or len(values) != n:
            count = len(values) if hasattr(values, "__len__") else repr(values)
            raise ValueError(f"{name} must have one entry for each of the {n} rows, got {count}")
    xp = namespace(table)
    links, R, p = [], xp.eye(3), xp.zeros(3)  # R, p: from the last link frame to the frame before the next joint
    for row, mass, com, about_com, joint, pitch in zip(table, *given.values()):
        before, after = _around_joint(row, convention)
        frame, position = compose((R, p), before)
        R, p = after
        about_com, com = as_array(about_com, "inertia", (3, 3)), as_array(com, "com", (3,))
        body = {"mass": mass, "com": R @ com + p, "inertia": R @ about_com @ R.T}
        links.append({**body, "joint": joint, "pitch": pitch, "position": position, "rotation": frame})
    return links, R @ as_array(tip, "tip", (3,)) + p


def _around_joint(row: Array, convention: str) -> Any:
    """Split one row into the fixed transforms (R, p) before and after its joint, which moves about or along z."""
    xp = namespace(row)
    x, z = xp.array([1, 0, 0]), xp.array([0, 0, 1])
    a, alpha, d, theta = row
    twist, offset = (rotation(x, alpha), a * x), (rotation(z, theta), d * z)
    return (offset, twist) if convention == "standard" else (compose(twist, offset), (xp.eye(3), 0 * z))
