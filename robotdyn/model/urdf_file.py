"""What stands in a URDF file: its links with their masses, its joints, and that they make one tree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import numpy as np

from robotdyn.maths.validate import Floats
from robotdyn.model.link import MAGNITUDES, JointProperties
from robotdyn.model.urdf_text import frame_of, half_unit, listed, number_of, required_child, shortened, triple_of

NO_LIMIT = 1e30  # what a file cannot print as infinite is written and read so
ROTOR = "drake:rotor_inertia"  # tags of an actuator that Drake reads
GEAR = "drake:gear_ratio"


@dataclass(frozen=True)
class Inertial:
    """What a file says of a link's mass: kg, the center of mass (3,) and the inertia (3, 3) about it in link axes, None without one.

    rounding: (3, 3) half a unit of the last digit that is printed of each entry; rotation: of the axes in which it is printed.
    """

    mass: float
    com: Floats
    inertia: Floats | None
    rounding: Floats
    rotation: Floats


@dataclass(frozen=True)
class FileJoint:
    name: str
    kind: str
    parent: str
    child: str
    frame: tuple[Floats, Floats]  # (R, p), in the parent link frame at zero
    element: ElementTree.Element

    @property
    def mimics(self) -> str | None:
        """The name of the joint that it mimics, None where it mimics none."""
        mimic = self.element.find("mimic")
        return None if mimic is None else mimic.get("joint")


def bodies_of(robot: Any, path: Any) -> dict[str, Inertial]:
    """Return {name: what the file says of its mass}; no mass where it says nothing."""
    bodies = {}
    for link in robot.findall("link"):
        name = link.get("name")
        inertial = link.find("inertial")
        where = f"link {name} of {path}"
        if name is None or name in bodies:
            raise ValueError(
                f"every link of {path} must have a name of its own, got {'none' if name is None else f'{name} again'}"
            )
        bodies[name] = Inertial(0.0, np.zeros(3), np.zeros((3, 3)), np.zeros((3, 3)), np.eye(3))
        if inertial is None:
            continue
        mass = required_child(inertial, "mass", where)
        kg = number_of(mass, "value", where)
        R, com = frame_of(inertial, where)
        moments = inertial.find("inertia")
        if moments is None:  # told where the link moves
            bodies[name] = Inertial(kg, com, None, np.zeros((3, 3)), R)
            continue
        xx, yy, zz = (number_of(moments, key, where) for key in ("ixx", "iyy", "izz"))
        default = (
            None if {"ixy", "ixz", "iyz"} & moments.attrib.keys() else "0"
        )  # all three, or a body without products
        xy, xz, yz = (number_of(moments, key, where, default) for key in ("ixy", "ixz", "iyz"))
        inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        rounding = _rounding(moments)
        bodies[name] = Inertial(kg, com, inertia, rounding, R)
    return bodies


def _rounding(moments: Any) -> Floats:
    """Return half a unit of the last digit that is printed of each entry (3, 3) of an inertia.

    A zero may be printed with fewer digits than there are: it is no coarser than the coarsest of the others.
    """
    texts = {f"i{a}{b}": moments.get(f"i{a}{b}", "0") for a, b in ("xx", "xy", "xz", "yy", "yz", "zz")}
    units = {key: half_unit(text) for key, text in texts.items()}
    coarsest = max((unit for key, unit in units.items() if float(texts[key])), default=0.0)
    xx, xy, xz, yy, yz, zz = (unit if float(texts[key]) else min(unit, coarsest) for key, unit in units.items())
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def joints_of(robot: Any, bodies: dict[str, Any], path: Any) -> dict[str, FileJoint]:
    """Return {child link: FileJoint}."""
    joints: dict[str, FileJoint] = {}
    names: set[str] = set()
    for joint in robot.findall("joint"):
        name = joint.get("name")
        if name in names:
            raise ValueError(f"every joint of {path} must have a name of its own, got {name} again")
        names |= set() if name is None else {name}
        kind = joint.get("type")
        where = f"joint {name} of {path}"
        parent, child = (required_child(joint, end, where).get("link") for end in ("parent", "child"))
        for link in (parent, child):
            if link is None:
                raise ValueError(f'{where} must name its links, <parent link=".."/> and <child link=".."/>, got none')
            if link not in bodies:
                raise ValueError(
                    f"{where} must join links of the file, got {link!r}; there are {listed(sorted(bodies))}"
                )
        if child in joints:
            raise ValueError(
                f"{where} must carry a link of its own, got {child}, which {joints[child].name} carries too"
            )
        joints[child] = FileJoint(name, kind, parent, child, frame_of(joint, where), joint)
    return joints


def check_tree(bodies: Any, joints: dict[str, FileJoint], children: Any, path: Any) -> None:
    """Refuse joints that do not make one tree."""
    if not bodies:
        raise ValueError(f"{path} must have links, got a robot without any: of a xacro file, expand it first")
    roots = sorted(set(bodies) - set(joints))
    if len(roots) != 1:
        raise ValueError(f"{path} must have one root link, which no joint carries, got {listed(roots) or 'none'}")
    reached = roots
    for link in reached:
        reached += [joint.child for joint in children[link]]
    if len(reached) < len(bodies):
        cycle = sorted(set(bodies) - set(reached))
        raise ValueError(f"the joints of {path} must make a tree, got a ring among {listed(cycle)}")


def axis_of(joint: FileJoint, path: Any) -> Floats:
    """Return the unit axis of a joint; (1, 0, 0) where the file has none."""
    element = joint.element.find("axis")
    axis = triple_of(element, "xyz", f"axis of joint {joint.name} of {path}", "1 0 0")
    if not axis.any():
        raise ValueError(f"axis of joint {joint.name} of {path} must have a direction, got 0 0 0")
    axis = axis / abs(axis).max()  # whose square may be too small for a number
    return axis / np.linalg.norm(axis)


def properties_of(joint: FileJoint, path: Any) -> JointProperties:
    """Return the limits of a joint, its damping and friction; what is not in the file is infinite, or none."""
    where = f"joint {joint.name} of {path}"
    limit, dynamics = (joint.element.find(tag) for tag in ("limit", "dynamics"))
    given = {key: _value(limit, key, where) for key in ("lower", "upper", "velocity", "effort")}
    given |= {key: _value(dynamics, key, where) for key in ("damping", "friction")}
    if joint.kind == "continuous" or (given["lower"] is None and given["upper"] is None):
        given["lower"] = given["upper"] = None
    else:  # URDF's own default of the other one
        given["lower"], given["upper"] = given["lower"] or 0.0, given["upper"] or 0.0
    # what no joint can have is told by `slips`, and not kept
    kept = {key: x for key, x in given.items() if x is not None and not (key in MAGNITUDES and x < 0)}
    if kept.get("lower", -math.inf) > kept.get("upper", math.inf):
        del kept["lower"], kept["upper"]
    return JointProperties(**kept)


def rotor_inertias(robot: Any, path: Any) -> dict[str | None, float]:
    """Return {joint: J N^2}, what the rotor of its motor adds to its inertia, of the transmissions that have Drake's tags."""
    found: dict[str | None, float] = {}
    for transmission in robot.findall("transmission"):
        parts = {part.tag: part for actuator in transmission.findall("actuator") for part in actuator}
        joint = transmission.find("joint")
        if joint is not None and ROTOR in parts:
            where = f"the transmission to joint {joint.get('name')} of {path}"
            ratio = number_of(parts[GEAR], "value", where) if GEAR in parts else 1.0
            found[joint.get("name")] = number_of(parts[ROTOR], "value", where) * ratio**2
    return found


def _value(element: Any, key: str, where: str) -> float | None:
    """Return the number of an attribute, infinite where it is very large; None where it is missing."""
    text = None if element is None else element.get(key)
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise ValueError(f"{key} of <{element.tag}> of {where} must be a number, got {shortened(text)!r}")
    return math.copysign(math.inf, value) if abs(value) >= NO_LIMIT else value
