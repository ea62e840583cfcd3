"""Types of joints, one record each:  a pose R(q), p(q) and the motion  S = (omega, v) / qd  that goes with it.

A joint has one coordinate q, and S is constant in the axes of its link.  Every algorithm, reader and picture asks the
record that `JOINTS` holds under the word in `link.joint`: a new type is a new record, and nothing else.  For `rd.derive` a pose is a polynomial
in q, sin k q and cos k q with whole k, and divides by no parameter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from typing import Any

from robotdyn.maths.namespace import namespace
from robotdyn.maths.spatial import Frame, rotation
from robotdyn.maths.validate import Array


@dataclass(frozen=True)
class Joint:
    """One type of joint; `link` is a Link, or the same with scalars of another type in it.

    transform: (link, q) -> R (3, 3), p (3,) m, the link frame in its parent's frame.
    motion: link -> S (6,), the velocity of the link frame at a rate of 1, in link axes, angular part first.
    unit: of q, "rad" or "m"; what tau is follows from it, since tau qd is a power.
    range: (low, high), where pictures look for q if nobody says more; periodic: whether q + 2 pi is the same pose.
    drawing: "hinge", "sleeve" (with a rod in it) or "thread" (a sleeve with a threaded rod), known to `rd.show` and to `picture`.
    parameters: fields of Link that this type uses; at others they are 0.  urdf: its names in URDF files.
    """

    transform: Callable
    motion: Callable
    unit: str
    range: tuple[float, float]
    periodic: bool
    drawing: str
    parameters: tuple[str, ...] = ()
    urdf: tuple[str, ...] = ()

    @property
    def effort(self) -> str:
        """What tau is called: "torque" or "force"."""
        return {"rad": "torque", "m": "force"}[self.unit]

    @property
    def units(self) -> dict[str, str]:
        """The units of q, qd, tau and of a coefficient b of viscous friction."""
        effort = {"rad": "N m", "m": "N"}[self.unit]
        return {"q": self.unit, "qd": f"{self.unit}/s", "tau": effort, "b": f"{effort} s/{self.unit}"}

    @property
    def has_rod(self) -> bool:
        """Whether a picture shows a rod from where the joint is carried to the link's origin."""
        return self.drawing != "hinge"


def _joint_frame(link: Any, q: Any) -> tuple[Array, Array, Array]:
    """Return rotation, position and axis of a link, in the scalar type of q."""
    xp = namespace(link, q)
    return xp.array(link.rotation), xp.array(link.position), xp.array(link.axis)


def _revolute_pose(link: Any, q: Any) -> Frame:
    R, p, axis = _joint_frame(link, q)
    return R @ rotation(axis, q), p


def _prismatic_pose(link: Any, q: Any) -> Frame:
    R, p, axis = _joint_frame(link, q)
    return R, p + R @ axis * q


def _screw_pose(link: Any, q: Any) -> Frame:
    """Turn by q, and slide by the pitch times q."""
    R, p, axis = _joint_frame(link, q)
    return R @ rotation(axis, q), p + R @ axis * (namespace(link, q).array(link.pitch) * q)


def _revolute_motion(link: Any) -> Array:
    xp = namespace(link)
    return xp.concatenate([xp.array(link.axis), xp.zeros(3)])


def _prismatic_motion(link: Any) -> Array:
    xp = namespace(link)
    return xp.concatenate([xp.zeros(3), xp.array(link.axis)])


def _screw_motion(link: Any) -> Array:
    xp = namespace(link)
    axis = xp.array(link.axis)
    return xp.concatenate([axis, axis * xp.array(link.pitch)])


# where: add a joint type
# a record, which names one of the drawings that there are; one that moves about and along its axis alone is reduced
# by `robotdyn/model/reduced_links.py`, without being named there
JOINTS = {
    "revolute": Joint(
        _revolute_pose, _revolute_motion, "rad", (-pi, pi), True, "hinge", urdf=("revolute", "continuous")
    ),
    "prismatic": Joint(_prismatic_pose, _prismatic_motion, "m", (-1.0, 1.0), False, "sleeve", urdf=("prismatic",)),
    "screw": Joint(_screw_pose, _screw_motion, "rad", (-2 * pi, 2 * pi), False, "thread", parameters=("pitch",)),
}

# Joints one after another that let a body move freely, as far from a pitch of 90 degrees as it stays: what they turn is
# Rz(yaw) Ry(pitch) Rx(roll).  The last three are a ball joint.
FREE_MOTION = {
    "x": ("prismatic", (1, 0, 0)),
    "y": ("prismatic", (0, 1, 0)),
    "z": ("prismatic", (0, 0, 1)),
    "yaw": ("revolute", (0, 0, 1)),
    "pitch": ("revolute", (0, 1, 0)),
    "roll": ("revolute", (1, 0, 0)),
}
