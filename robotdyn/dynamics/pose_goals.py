"""What inverse kinematics is given: goals, limits, and from where random starts are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.dynamics.forces import as_extended_reals
from robotdyn.maths.motions import check_motion, homogeneous
from robotdyn.maths.validate import Floats, as_numbers, in_short
from robotdyn.model.arm import Arm
from robotdyn.model.joints import JOINTS
from robotdyn.model.urdf_text import listed

ROTATIONS = ": rd.rotations.from_quaternion makes R of a quaternion"
Limits: TypeAlias = Mapping[Any, tuple[float, float]]  # by index or by name
Pose: TypeAlias = ArrayLike | tuple[ArrayLike, ArrayLike]  # T (4, 4), a place (3,), or (R, p)


def goal_of(pose: Any) -> tuple[Floats | None, Floats]:
    """Return R (3, 3), or None for a place alone, and p (3,)."""
    if isinstance(pose, (tuple, list)) and len(pose) == 2 and any(map(np.ndim, pose)):
        sizes = [np.shape(part) for part in pose]
        if sizes != [(3, 3), (3,)]:
            raise ValueError(f"pose must be (R, p) of shapes (3, 3) and (3,), got {sizes[0]} and {sizes[1]}{ROTATIONS}")
        pose = homogeneous(*pose)
    T = as_numbers(pose, "pose", (...,))
    if T.shape == (3,):
        return None, T
    if T.shape != (4, 4):
        raise ValueError(
            f"pose must have shape (4, 4), or (3,) for the place of the tip alone, or be (R, p), got {T.shape}{ROTATIONS}"
        )
    check_motion(T, "pose")
    return T[:3, :3], T[:3, 3]


def ranges_of_starts(arm: Arm, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return between which angles (n,) random starts are drawn: in the range of the kind of joint, as far as its limits let it.

    Where the limits leave nothing of that range, as those of a slide from 2 to 3 m, a range as wide begins at the nearer one.
    """
    first, last = np.array([JOINTS[arm.links[i].joint].range for i in arm.independent]).T
    wide = last - first
    begin = np.maximum(low, np.where(first < high, first, high - wide))
    return begin, np.minimum(high, np.where(last > low, last, low + wide))


def bounds_of(arm: Arm, limits: Limits | None) -> tuple[Floats, Floats]:
    """Return the lowest and highest (n,) of every joint, infinite where there is no limit."""
    low = np.full(arm.n, -np.inf)
    high = np.full(arm.n, np.inf)
    if not isinstance(limits, (Mapping, type(None))):
        raise TypeError(
            f"limits must be a mapping from joints to (low, high), such as {{0: (-1, 1)}}, got {in_short(limits)}"
        )
    names = arm.joint_names
    for joint, pair in (limits or {}).items():
        i: Any = names.index(joint) if isinstance(joint, str) and names.count(joint) == 1 else joint
        if not isinstance(i, (int, np.integer)) or isinstance(i, bool) or not 0 <= i < arm.n:
            known = f", or of a name in arm.joint_names: {listed([str(name) for name in names])}" * any(names)
            raise ValueError(f"limits must be of joints from 0 to {arm.n - 1}{known}, got {in_short(joint)}")
        ends = as_extended_reals(pair, f"limits[{joint!r}]")
        if ends.shape != (2,):
            raise ValueError(f"limits[{joint!r}] must have shape (2,), infinite where there is none, got {ends.shape}")
        low[i], high[i] = ends
        if not low[i] < high[i]:
            held = ": arm.locked holds a joint" * bool(low[i] == high[i])
            raise ValueError(f"limits[{joint!r}] must rise, got ({low[i]:g}, {high[i]:g}){held}")
    return low, high
