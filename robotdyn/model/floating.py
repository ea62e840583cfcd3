"""An arm on a body that floats:  joints without mass in front of it, which no motor drives, let the body move freely."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from robotdyn.maths.validate import Entries, Floats, check_is_body, in_short, joint_count
from robotdyn.model.arm import Arm
from robotdyn.model.body import Body
from robotdyn.model.joints import FREE_MOTION
from robotdyn.model.link import Link


def floating(arm: Arm, body: Body, plane: bool = False, gravity: Entries = (0, 0, 0)) -> Arm:
    """Return the arm with its base fixed to a body that floats, in space or in the plane of x and y.

    The first coordinates are those of the body: x, y, z in m, then its angles about z, y and x in rad, in this order,
    each about the axis that the one before has turned; in the plane x, y and the angle about z.  Those of the arm
    follow.
    body: in the base axes of the arm;
    gravity: (3,) m/s^2, in base axes that stand still.
    In space the angle about y must stay away from 90 degrees, where the other two turn about one axis.
    """
    joint_count(arm)
    check_is_body(body)
    if not isinstance(plane, bool):
        raise TypeError(
            f"plane must be True or False, got {in_short(plane)}: give gravity by its name, gravity=(0, 0, -9.81)"
        )
    joints = [FREE_MOTION[word] for word in (("x", "y", "yaw") if plane else FREE_MOTION)]
    free = [Link(0, joint=joint, axis=axis) for joint, axis in joints[:-1]]
    free.append(Link(body.mass, body.com, body.inertia, *joints[-1]))
    k = len(free)
    parents = [*range(-1, k - 1), *(parent + k for parent in arm.parents)]
    frames = {name: replace(frame, link=frame.link + k) for name, frame in arm.frames}
    coupling = None if arm.coupling is None else _below_identity(k, arm.coupling)
    independent = [*range(k), *(i + k for i in arm.independent)]
    return Arm([*free, *arm.links], gravity, arm.tip, arm.tip_rotation, parents, frames, coupling, independent)


def _below_identity(k: int, coupling: Floats) -> Floats:
    """Return the coupling of an arm behind k free joints."""
    m, columns = coupling.shape
    return np.block([[np.eye(k), np.zeros((k, columns))], [np.zeros((m, k)), coupling]])
