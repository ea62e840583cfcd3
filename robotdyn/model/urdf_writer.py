"""An arm as the text of a URDF file:  the links, each with its joint, and a fixed link for every frame that has a name."""

from __future__ import annotations

import math
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from robotdyn.maths.spatial import rotation
from robotdyn.maths.validate import Floats, check_numeric
from robotdyn.model.joints import JOINTS
from robotdyn.model.link import LinkFrame
from robotdyn.model.urdf_file import GEAR, NO_LIMIT, ROTOR

PRODUCTS = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}


def links_and_joints(arm: Any) -> tuple[list[str], list[str]]:
    """Return the names of the links and those of their joints, `link_1` and `joint_1` where there is none."""
    links = [link.name or f"link_{i}" for i, link in enumerate(arm.links, start=1)]
    return links, [link.joint_name or f"joint_{i}" for i, link in enumerate(arm.links, start=1)]


def urdf_of_arm(arm: Any, name: str) -> str:
    """Return the text of a file; arguments and errors as of `Arm.to_urdf`."""
    check_numeric(arm, "to_urdf")
    links, joints = links_and_joints(arm)
    frames = _frames(arm, links)
    base = next(
        word for word in ("base", *(f"base_{i}" for i in range(len(arm.links) + 2))) if word not in links + [*frames]
    )
    for what, names in (("link", [*links, *frames]), ("joint", [*joints, *(f"{frame}_fixed" for frame in frames)])):
        if twice := [word for word in names if names.count(word) > 1]:
            raise ValueError(
                f"every {what} of a URDF file must have a name of its own, got {twice[0]!r} again: give it another"
            )
    lines = [f"<robot name={quoteattr(name)}>", f"  <link name={quoteattr(base)}/>"]
    for i, link in enumerate(arm.links):
        lines += _link(link, links[i])
        carrier = base if arm.parents[i] < 0 else links[arm.parents[i]]
        said = _limits(arm, i) + _mimic(arm, i, joints)
        kind = _joint_type(link, joints[i], said)
        lines += _joint(
            (joints[i], kind), (carrier, links[i]), (link.rotation, link.position), [_tag("axis", xyz=link.axis), *said]
        )
        if link.motor_inertia > 0:
            lines += _transmission(joints[i], link.motor_inertia)
        for frame, at in frames.items():
            if at.link == i:  # beside its link, as branches are read in the order of their ends
                lines += [f"  <link name={quoteattr(frame)}/>"]
                lines += _joint((f"{frame}_fixed", "fixed"), (links[i], frame), (at.rotation, at.position), [])
    return "\n".join([*lines, "</robot>", ""])


def _frames(arm: Any, links: list[str]) -> dict[str, LinkFrame]:
    """Return {name: frame} of what becomes a link without a mass; the last one has the tip, where the last link has it not."""
    still = LinkFrame(0)
    tables = {
        f"{name}_table": LinkFrame(i, link.frame_position, link.frame_rotation)
        for i, (name, link) in enumerate(zip(links, arm.links))
        if LinkFrame(0, link.frame_position, link.frame_rotation) != still
    }
    own = {name: LinkFrame(i) for i, name in enumerate(links)}
    given = {name: frame for name, frame in arm.frames if own.get(name) != frame}
    tip = LinkFrame(len(links) - 1, arm.tip, arm.tip_rotation)
    last = next((name for name, frame in given.items() if frame == tip), None)
    frames = given | {name: frame for name, frame in tables.items() if name not in given}
    for i, name in enumerate(
        links[:-1]
    ):  # branches that take turns: a fixed link keeps the place of one that carries others
        if i in arm.parents and arm.parents[i + 1] != i and all(frame.link != i for frame in frames.values()):
            frames[f"{name}_origin"] = own[name]
    if last is None and (tip != own[links[-1]] or any(frame.link == tip.link for frame in frames.values())):
        last = next(
            word
            for word in ("tip", *(f"tip_{i}" for i in range(len(links) + len(frames) + 1)))
            if word not in links + [*frames]
        )
    if last is not None:
        frames.pop(last, None)
        frames[last] = tip
    return frames


def _link(link: Any, name: str) -> list[str]:
    if link.mass == 0 and not link.inertia.any():
        return [f"  <link name={quoteattr(name)}/>"]
    inertia = {key: float(link.inertia[place]) for key, place in PRODUCTS.items()}
    parts = [_tag("origin", xyz=link.com), _tag("mass", value=link.mass), _tag("inertia", **inertia)]
    return [f"  <link name={quoteattr(name)}>", f"    <inertial>{''.join(parts)}</inertial>", "  </link>"]


def _joint(
    name_and_type: tuple[str, str], ends: tuple[str, str], frame: tuple[Floats, Floats], said: list[str]
) -> list[str]:
    name, kind = name_and_type
    parts = [_tag("origin", xyz=frame[1], rpy=roll_pitch_yaw(frame[0]))]
    parts += [f"<{end} link={quoteattr(link)}/>" for end, link in zip(("parent", "child"), ends)]
    return [f'  <joint name={quoteattr(name)} type="{kind}">', *(f"    {part}" for part in parts + said), "  </joint>"]


def _joint_type(link: Any, name: str, said: list[str]) -> str:
    """Return the word of URDF for a joint; what turns without end and leads or follows nobody is "continuous"."""
    words = JOINTS[link.joint].urdf
    if not words:
        raise ValueError(
            f"joint {name} must be revolute or prismatic to be written, got {link.joint}: URDF has no such joint"
        )
    endless = not any("lower=" in part or "mimic" in part for part in said)
    return words[-1] if endless else words[0]


def _limits(arm: Any, i: int) -> list[str]:
    """Return the tags of a joint's limits, damping and friction, none where nobody says anything."""
    x = arm.links[i].properties
    ends = {"lower": x.lower, "upper": x.upper}
    most = {"effort": x.effort, "velocity": x.velocity}
    coupled = arm.coupling is not None
    has_ends = coupled or JOINTS[arm.links[i].joint].unit == "m" or any(map(math.isfinite, ends.values()))
    found = [_tag("limit", **(ends if has_ends else {}), **most)]
    return found + ([_tag("dynamics", damping=x.damping, friction=x.friction)] if x.damping or x.friction else [])


def _mimic(arm: Any, i: int, joints: list[str]) -> list[str]:
    """Return the tag of a joint that follows another one."""
    if arm.coupling is None or i in arm.independent:
        return []
    *factors, offset = arm.coupling[i]
    leaders = np.flatnonzero(factors)
    if len(leaders) > 1:
        raise ValueError(
            f"joint {joints[i]} must follow one joint to be written, got {len(leaders)}: <mimic> of URDF names one"
        )
    k = int(leaders[0]) if len(leaders) else 0
    leader = quoteattr(joints[arm.independent[k]])
    return [f'<mimic joint={leader} multiplier="{float(factors[k])!r}" offset="{float(offset)!r}"/>']


def _transmission(joint: str, inertia: Any) -> list[str]:
    actuator = quoteattr(f"{joint}_motor")
    parts = _tag(ROTOR, value=inertia) + _tag(GEAR, value=1.0)
    inner = f"<joint name={quoteattr(joint)}/><actuator name={actuator}>{parts}</actuator>"
    return [f"  <transmission name={quoteattr(joint + '_transmission')}>{inner}</transmission>"]


def _tag(tag: str, **values: Any) -> str:
    """Return <tag key="numbers" ../>, each number in all its digits."""
    row = lambda value: " ".join(repr(_finite(float(x))) for x in np.ravel(value))
    return f"<{tag} {' '.join(f'{key}={quoteattr(row(value))}' for key, value in values.items())}/>"


def _finite(x: float) -> float:
    return math.copysign(min(abs(x), NO_LIMIT), x) + 0.0  # which is 0.0 for -0.0, too


def roll_pitch_yaw(R: Floats) -> Floats:
    """Return (roll, pitch, yaw) rad of R = Rz(yaw) Ry(pitch) Rx(roll), as exact beside a pitch of 90 degrees as elsewhere."""
    yaw = math.atan2(R[1, 0], R[0, 0])
    pitch = math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))
    x, y, z = np.eye(3)
    rest = rotation(y, pitch).T @ rotation(z, yaw).T @ R
    return np.array([math.atan2(rest[2, 1], rest[2, 2]), pitch, yaw])
