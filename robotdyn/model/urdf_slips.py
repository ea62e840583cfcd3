"""Slips in a URDF file:  what no reader of the format looks at, and what no joint can have, is told rather than passed over."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from robotdyn.model.link import MAGNITUDES
from robotdyn.model.urdf_text import listed, shortened

XACRO = "xacro:"
DEFINITIONS = ("xacro:property", "xacro:macro", "xacro:arg")  # what is left of these after expansion changes nothing
# by element: the attributes that the format gives it
ATTRIBUTES = {
    "origin": {"xyz", "rpy"},
    "axis": {"xyz", "rpy"},
    "parent": {"link"},
    "child": {"link"},
    "mimic": {"joint", "multiplier", "offset"},
    "mass": {"value"},
    "inertia": {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"},
}
READ = {*ATTRIBUTES, "limit", "dynamics"}  # makers of robots put attributes of their own into the last two
PARTS = {
    "joint": {"origin", "axis", "parent", "child", "limit", "dynamics", "mimic", "calibration", "safety_controller"},
    "inertial": {"origin", "mass", "inertia"},
}
TURN = 2 * math.pi
MOST_TURNS = 4.0  # of the limit of a joint that has some: 30 rad would be more, so that 30 degrees are told


def refuse_unexpanded(robot: Any, path: Any) -> None:
    """Refuse a file that xacro has not expanded, and joints that stand in another element than <robot>, where nobody looks."""
    for element in robot.iter():
        if element.tag.startswith(XACRO) and element.tag not in DEFINITIONS:
            raise ValueError(
                f"{path} must be expanded by xacro, got <{shortened(element.tag)}> in it: "
                "give the file with its ending .xacro, or what the program xacro makes of it"
            )
        for joint in element.findall("joint"):
            if element is not robot and joint.find("child") is not None:
                raise ValueError(
                    f"every joint of {path} must stand in <robot> itself, got joint {joint.get('name')} in a <{element.tag}>"
                )


def slips(robot: Any, rotors: Iterable[str | None]) -> list[str]:
    """Return a phrase for each kind of slip: what is not read, read once of several, or in degrees by its size.

    rotors: the names of joints that `rotor_inertias` found.
    """
    found: dict[str, list[str]] = {}
    for owner in [*robot.findall("link"), *robot.findall("joint")]:
        inertials = owner.findall("inertial")
        _add_doubles(found, owner, owner.get("name"))
        for part in [owner, *inertials] if owner.tag == "joint" or inertials else []:
            for phrase in _of_part(part):
                found.setdefault(phrase, []).append(str(owner.get("name")))
    phrases = [f"{phrase} (of {listed(list(dict.fromkeys(names)), 4)})" for phrase, names in found.items()]
    joints = {joint.get("name") for joint in robot.findall("joint")}
    for name in rotors:
        if name not in joints:
            phrases.append(f"the rotor inertia of {name}, which is no joint, is not read")
    return phrases


def _add_doubles(found: dict[str, list[str]], owner: Any, name: Any) -> None:
    """Note elements that stand there twice, of which the first counts."""
    for part, tags in [(owner, READ | {"inertial"}), *((inertial, READ) for inertial in owner.findall("inertial"))]:
        for tag in sorted(tags):
            if len(part.findall(tag)) > 1:
                found.setdefault(f"of several <{tag}> the first counts", []).append(str(name))


def _of_part(part: Any) -> list[str]:
    """Return phrases of a joint, or of the <inertial> of a link; of a link itself there is nothing to say: makers add to it."""
    phrases = []
    for element in part:
        if part.tag in PARTS and element.tag not in PARTS[part.tag] and not element.tag.startswith("gazebo"):
            phrases.append(f"<{shortened(element.tag)}> in <{part.tag}> is not read")
        if part.tag not in PARTS or element.tag not in READ:
            continue
        unknown = [key for key in element.attrib if key not in ATTRIBUTES.get(element.tag, element.attrib)]
        phrases += [f"{shortened(key)} in <{element.tag}> is not read" for key in unknown]
        phrases += [f"<{shortened(inner.tag)}> in <{element.tag}> is not read, attributes are" for inner in element]
    return phrases + _in_degrees(part) + _impossible(part)


def _in_degrees(part: Any) -> list[str]:
    """Return phrases of angles that are so large that they must be degrees."""
    origin = part.find("origin")
    limit = part.find("limit")
    phrases = []
    if origin is not None and max(_sizes(origin, "rpy"), default=0.0) > TURN * 1.01:
        phrases.append("rpy is more than a turn, in rad: are these degrees?")
    if part.get("type") == "revolute" and limit is not None:
        sizes = _sizes(limit, "lower") + _sizes(limit, "upper")
        if TURN * MOST_TURNS < max(sizes, default=0.0) < 1000:
            phrases.append("a limit is more than four turns, in rad: are these degrees?")
    return phrases


def _impossible(part: Any) -> list[str]:
    """Return phrases of limits and friction that no joint can have, as -1 that some programs write for none."""
    given = {key: value for tag in ("limit", "dynamics") for x in part.findall(tag)[:1] for key, value in x.items()}
    numbers = {key: _numbers(value) for key, value in given.items()}
    phrases = [f"{key} is negative and not kept" for key in MAGNITUDES if any(x < 0 for x in numbers.get(key, []))]
    ends = [numbers.get("lower", [0.0]), numbers.get("upper", [0.0])]
    if part.get("type") != "continuous" and ends[0] > ends[1]:
        phrases.append("lower is above upper, neither is kept")
    return phrases


def _sizes(element: Any, key: str) -> list[float]:
    """Return the sizes of the numbers of an attribute."""
    return [abs(x) for x in _numbers(element.get(key, ""))]


def _numbers(text: str) -> list[float]:
    """Return the numbers of an attribute, none where there are no numbers: that is told elsewhere."""
    try:
        return [float(word) for word in text.split()]
    except ValueError:
        return []
