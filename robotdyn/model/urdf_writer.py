"""An arm as the text of a URDF file:  the links, each with its joint, and a fixed link for every frame that has a name."""

from __future__ import annotations

import math
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from robotdyn.maths.spatial import rotation
from robotdyn.maths.validate import Floats, check_numeric
from robotdyn.model.joints import JOINTS
from robotdyn.model.link import LinkFrame
from robotdyn.model.urdf_file import GEAR, NO_LIMIT, ROTOR

PRODUCTS = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}


def links_and_joints(arm: Any) -> tuple[list[str], list[str]]:
    """Return the names of the links and those of their joints: `link_1` and `joint_1` without one, `hand_link` beside a frame `hand`."""
    own = {link.name: LinkFrame(i) for i, link in enumerate(arm.links)}
    frames = [name for name, frame in arm.frames if own.get(name) != frame]
    taken = [*own, *frames]
    links = [
        link.name
        if link.name and link.name not in frames
        else _unused(f"{link.name}_link" if link.name else f"link_{i}", taken)
        for i, link in enumerate(arm.links, start=1)
    ]
    known = [link.joint_name for link in arm.links]
    return links, [name or _unused(f"joint_{i}", known) for i, name in enumerate(known, start=1)]


def urdf_of_arm(arm: Any, name: str) -> str:
    """Return the text of a file; arguments and errors as of `Arm.to_urdf`."""
    check_numeric(arm, "to_urdf")
    links, joints = links_and_joints(arm)
    frames = _frames(arm, links)
    for what, names in (("link", [*links, *frames]), ("joint", [*joints, *(f"{frame}_fixed" for frame in frames)])):
        if twice := [word for word in names if names.count(word) > 1]:
            raise ValueError(
                f"every {what} of a URDF file must have a name of its own, got {twice[0]!r} again: give it another"
            )
    robot = Element("robot", name=name)
    base = _unused("base", [*links, *frames])
    SubElement(robot, "link", name=base)
    for i, link in enumerate(arm.links):
        _add_link(robot, links[i], link)
        carrier = base if arm.parents[i] < 0 else links[arm.parents[i]]
        _add_moving_joint(_add_joint(robot, joints[i], (carrier, links[i]), link), arm, i, joints)
        if link.motor_inertia > 0:
            transmission = SubElement(robot, "transmission", name=f"{joints[i]}_transmission")
            SubElement(transmission, "joint", name=joints[i])
            actuator = SubElement(transmission, "actuator", name=f"{joints[i]}_motor")
            _add(actuator, ROTOR, value=link.motor_inertia)
            _add(actuator, GEAR, value=1)
        for frame, at in frames.items():
            if at.link == i:  # beside its link, as branches are read in the order of their ends
                SubElement(robot, "link", name=frame)
                _add_joint(robot, f"{frame}_fixed", (links[i], frame), at).set("type", "fixed")
    indent(robot)
    return tostring(robot, encoding="unicode") + "\n"


def _frames(arm: Any, links: list[str]) -> dict[str, LinkFrame]:
    """Return {name: frame} of what becomes a link without a mass; the last one has the tip, where the last link has it not."""
    own = {name: LinkFrame(i) for i, name in enumerate(links)}
    frames = _tables(arm, links) | {name: frame for name, frame in arm.frames if own.get(name) != frame}
    with_frames = {frame.link for frame in frames.values()}
    # where branches take turns, a fixed link keeps the place of one that carries others
    for i, name in enumerate(links[:-1]):
        if i in arm.parents and arm.parents[i + 1] != i and i not in with_frames:
            frames[f"{name}_origin"] = own[name]
    tip = LinkFrame(len(links) - 1, arm.tip, arm.tip_rotation)
    last = next((name for name, frame in arm.frames if frame == tip and name in frames), None)
    if last is None and (tip != own[links[-1]] or tip.link in with_frames):
        last = _unused("tip", [*links, *frames])
    if last is not None:
        frames.pop(last, None)
        frames[last] = tip
    return frames


def _tables(arm: Any, links: list[str]) -> dict[str, LinkFrame]:
    """Return {name: frame} of the frames of a DH table that are not those of their links."""
    frames = (LinkFrame(i, link.frame_position, link.frame_rotation) for i, link in enumerate(arm.links))
    return {f"{name}_table": frame for name, frame in zip(links, frames) if frame != LinkFrame(frame.link)}


def _unused(word: str, names: list[str]) -> str:
    """Return a word, with a number behind it where others are called so."""
    return next(name for name in (word, *(f"{word}_{i}" for i in range(len(names)))) if name not in names)


def _add_link(robot: Element, name: str, link: Any) -> None:
    element = SubElement(robot, "link", name=name)
    if link.mass != 0 or link.inertia.any():
        inertial = SubElement(element, "inertial")
        _add(inertial, "origin", xyz=link.com)
        _add(inertial, "mass", value=link.mass)
        _add(inertial, "inertia", **{key: link.inertia[place] for key, place in PRODUCTS.items()})


def _add_joint(robot: Element, name: str, ends: tuple[str, str], at: Any) -> Element:
    """Return the joint between two links, the second of which stands in the first as `at` says, a Link or a LinkFrame."""
    joint = SubElement(robot, "joint", name=name)
    _add(joint, "origin", xyz=at.position, rpy=roll_pitch_yaw(at.rotation))
    for end, link in zip(("parent", "child"), ends):
        SubElement(joint, end, link=link)
    return joint


def _add_moving_joint(joint: Element, arm: Any, i: int, joints: list[str]) -> None:
    """Say of a joint its type, its axis, its limits, damping and friction, and which one it mimics."""
    link = arm.links[i]
    kind = JOINTS[link.joint]
    if not kind.urdf:
        raise ValueError(
            f"joint {joints[i]} must be revolute or prismatic to be written, got {link.joint}: URDF has no such joint"
        )
    x = link.properties
    endless = kind.unit == "rad" and arm.coupling is None and math.isinf(x.lower) and math.isinf(x.upper)
    joint.set("type", kind.urdf[-1] if endless else kind.urdf[0])
    _add(joint, "axis", xyz=link.axis)
    _add(
        joint,
        "limit",
        **({} if endless else {"lower": x.lower, "upper": x.upper}),
        effort=x.effort,
        velocity=x.velocity,
    )
    if x.damping or x.friction:
        _add(joint, "dynamics", damping=x.damping, friction=x.friction)
    if i not in arm.independent:
        *factors, offset = arm.coupling[i]
        leaders = np.flatnonzero(factors)
        if len(leaders) > 1:
            raise ValueError(
                f"joint {joints[i]} must follow one joint to be written, got {len(leaders)}: URDF names one"
            )
        k = int(leaders[0]) if len(leaders) else 0
        _add(joint, "mimic", multiplier=factors[k], offset=offset).set("joint", joints[arm.independent[k]])


def _add(parent: Element, tag: str, **values: Any) -> Element:
    """Return a new element with numbers in its attributes, in all their digits."""
    rows = {
        key: np.clip(np.ravel(value), -NO_LIMIT, NO_LIMIT) + 0.0 for key, value in values.items()
    }  # 0.0 for -0.0, too
    return SubElement(parent, tag, {key: " ".join(map(repr, row.tolist())) for key, row in rows.items()})


def roll_pitch_yaw(R: Floats) -> Floats:
    """Return (roll, pitch, yaw) rad of R = Rz(yaw) Ry(pitch) Rx(roll), as exact beside a pitch of 90 degrees as elsewhere."""
    yaw = math.atan2(R[1, 0], R[0, 0])
    pitch = math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))
    x, y, z = np.eye(3)
    rest = rotation(y, pitch).T @ rotation(z, yaw).T @ R
    return np.array([math.atan2(rest[2, 1], rest[2, 2]), pitch, yaw])
