"""An arm whose joints are held in part:  what a joint carries that does not move becomes part of the link before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from robotdyn.maths.namespace import namespace
from robotdyn.maths.spatial import compose, skew
from robotdyn.maths.validate import Array, as_array, in_short
from robotdyn.model.checks import as_link_index
from robotdyn.model.joints import JOINTS
from robotdyn.model.link import LinkFrame


def held_values(arm: Any, values: Any) -> list[Any]:
    """Return for each joint where it is held, None where it is free; values: as for `Arm.locked`."""
    if not isinstance(values, Mapping):
        raise TypeError(
            f"values must be a mapping from joints, by index or by name, to where they are held, got {in_short(values)}"
        )
    held: list[Any] = [None] * arm.n
    for joint, value in values.items():
        index = _joint_index(arm, joint)
        if held[index] is not None:
            raise ValueError(f"values must hold each joint once, got joint {joint!r} twice, by another name or index")
        held[index] = as_array(value, f"the value of joint {joint!r}", ())[()]
    if None not in held:
        raise ValueError(f"values must leave a joint free, got all {arm.n} of them: an arm has one at least")
    return held


def locked_links(arm: Any, held: list[Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the fields of the links that still move that change, and those of the arm: tip, parents and frames.

    held: one for each joint, as `held_values` returns them.
    """
    arm_fields: dict[str, Any] = {}
    if arm.coupling is not None:
        own = [i for i, value in zip(arm.independent, held) if value is None]
        held, arm_fields["coupling"] = _held_joints(arm.coupling, held)
        arm_fields["independent"] = [held[:i].count(None) for i in own]
    xp = namespace(arm, *(value for value in held if value is not None))
    unmoved = (xp.eye(3), xp.zeros(3))
    # of each link: the one that carries it and moves, by its new index, and its frame in the axes of that one
    carriers = {-1: -1}
    frames = {-1: unmoved}
    links: list[dict[str, Any]] = []
    parents: list[int] = []
    parts: list[list[tuple[Any, Array, Array]]] = []
    for i, (link, parent, value) in enumerate(zip(arm.links, arm.parents, held)):
        carrier = carriers[parent]
        if value is None:
            R, p = compose(frames[parent], (xp.array(link.rotation), xp.array(link.position)))
            carriers[i] = len(links)
            frames[i] = unmoved
            links.append({"rotation": R, "position": p})
            parents.append(carrier)
            parts.append([(link.mass, link.com, link.inertia)])
            continue
        carriers[i] = carrier
        frames[i] = R, p = compose(frames[parent], JOINTS[link.joint].transform(link, value))
        if carrier >= 0:  # what is fixed to the base does not move
            parts[carrier].append((link.mass, p + R @ xp.array(link.com), R @ xp.array(link.inertia) @ R.T))
    last = len(arm.links) - 1
    if carriers[last] != len(links) - 1:
        raise ValueError(
            "values must leave the tip on the last link that moves, got a tree whose last branch they hold: "
            "list the branch of the tip before another one, or leave a joint of it free"
        )
    for fields, bodies in zip(links, parts):
        if len(bodies) > 1:
            fields |= dict(zip(("mass", "com", "inertia"), joined_bodies(bodies)))
    R, p = frames[last]
    named = {
        name: LinkFrame(
            carriers[at.link], *compose(frames[at.link], (xp.array(at.rotation), xp.array(at.position)))[::-1]
        )
        for name, at in arm.frames
        if carriers[at.link] >= 0
    }
    tip = {"tip": p + R @ xp.array(arm.tip), "tip_rotation": R @ xp.array(arm.tip_rotation)}
    return links, arm_fields | tip | {"parents": parents, "frames": named, "held": held}


def _held_joints(coupling: Array, values: list[Any]) -> tuple[list[Any], Array]:
    """Return for each joint where it is held, None where it is free, and the coupling of those; values: of the coordinates."""
    free = [value is None for value in values]
    G = coupling[:, :-1]
    at = coupling[:, -1] + G @ np.array([0 if value is None else value for value in values])
    held = [None if row[free].any() else x for row, x in zip(G, at)]
    return held, np.column_stack([G[:, free], at])[[value is None for value in held]]


def joined_bodies(bodies: list[tuple[Any, Array, Array]]) -> tuple[Any, Array, Array]:
    """Return mass, center of mass and inertia about it of bodies that are fixed to each other."""
    mass = sum(m for m, _, _ in bodies)
    com = bodies[0][1] if mass == 0 else sum(m * c for m, c, _ in bodies) / mass
    offsets = [(m, skew(c - com), about) for m, c, about in bodies]
    return mass, com, np.sum([about + m * (d.T @ d) for m, d, about in offsets], axis=0)


def _joint_index(arm: Any, joint: Any) -> int:
    """Return the index of a joint that is given by index or by name."""
    if not isinstance(joint, str):
        try:
            return as_link_index(joint, arm.n)
        except ValueError:
            raise ValueError(
                f"a joint must be a name or an index from 0 to {arm.n - 1} (or -1 for the last), got {in_short(joint)}"
            ) from None
    places = [k for k, name in enumerate(arm.joint_names) if name == joint]
    if len(places) != 1:
        known = [name for name in arm.joint_names if name is not None]
        has = f"the joints are {', '.join(known)}" if known else "the joints of this arm have no names"
        raise ValueError(f"a joint must be named once in the arm, got {in_short(joint)}, {len(places)} times: {has}")
    return places[0]
