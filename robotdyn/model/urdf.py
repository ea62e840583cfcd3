"""Arms from URDF files, read as the chain from the root link to a tip link."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import IO, Any
from xml.etree import ElementTree

import numpy as np

from robotdyn.maths.spatial import compose, rotation
from robotdyn.maths.validate import Floats
from robotdyn.model.checks import check_body
from robotdyn.model.joints import JOINTS
from robotdyn.model.possible_inertia import inertia_within, nearest_inertia
from robotdyn.model.urdf_text import (
    MAX_NUMBER,
    coupling,
    frame_of,
    half_unit,
    listed,
    number_of,
    parse_robot,
    required_child,
    shortened,
    title_of,
    triple_of,
)

JOINT_TYPES: dict[str, str] = {
    name: joint for joint, record in JOINTS.items() for name in record.urdf
}  # the name in URDF: ours
MAX_ROUNDING = 0.02  # of the largest moment: an inertia that is printed more coarsely is a guess
IDENTITY = (np.eye(3), np.zeros(3))  # the frame (R, p) that does nothing


@dataclass(frozen=True)
class _Inertial:
    """What a file says of a link's mass: kg, the center of mass (3,) and the inertia (3, 3) about it in link axes.

    rounding: (3, 3) half a unit of the last digit that is printed of each entry; rotation: of the axes in which it is printed.
    """

    mass: float
    com: Floats
    inertia: Floats
    rounding: Floats
    rotation: Floats


@dataclass(frozen=True)
class _Joint:
    name: str
    kind: str
    parent: str
    child: str
    frame: tuple[Floats, Floats]  # (R, p), in the parent link frame at zero
    element: ElementTree.Element


@dataclass(frozen=True)
class Chain:
    """The links from the root to the tip, and what a file says of all its links."""

    path: Any
    names: list[str]  # root first
    robot: Any
    bodies: dict[str, _Inertial]
    joints: dict[str, _Joint]  # by child link
    children: dict[str, list[_Joint]]  # by parent link

    @property
    def moving(self) -> list[str]:
        """The links of the arm: those of the chain that a moving joint carries."""
        return [name for name in self.names[1:] if self.joints[name].kind != "fixed"]

    def fixed_subtree(self, name: str) -> Iterator[tuple[str, Floats, Floats]]:
        """Yield a link and all that is fixed to it, branches locked, each with its frame R, p in the link's axes."""
        pending = [(name, *IDENTITY)]
        while pending:
            link, R, p = pending.pop()
            yield link, R, p
            for joint in self.children[link]:
                if joint.child not in self.links or joint.kind == "fixed":
                    locked = _moved(joint, self.locked_value(joint), self.path)
                    pending.append((joint.child, *compose(compose((R, p), joint.frame), locked)))

    def locked_value(self, joint: _Joint) -> float:
        """Return where the joint of a branch is held: at zero, or where it stands if the joint that it mimics is held there."""
        known = self._locked_values
        followers: dict[str, _Joint] = {}  # by child link, the last one mimics the joint at hand
        leader: _Joint | None = joint
        while leader is not None and leader.child not in known:
            if leader.child in followers:
                raise self._ring_error(joint)
            followers[leader.child] = leader
            leader = self._leader(leader)
            if leader is not None and leader.child in self.links:  # one of the chain stands at zero
                leader = None
        value = 0.0 if leader is None else known[leader.child]
        for follower in reversed(followers.values()):
            mimic = follower.element.find("mimic")
            if mimic is not None:
                where = f"mimic of joint {follower.name} of {self.path}"
                value = number_of(mimic, "offset", where, "0") + self._multiplier(follower) * value
                if not abs(value) < MAX_NUMBER:
                    raise ValueError(f"{where} must hold it below {MAX_NUMBER:g}, got {value:g}")
            known[follower.child] = value
        return known[joint.child]

    def followers(self) -> list[str]:
        """Return a phrase for each joint of a branch that would move with a joint of the chain, by mimicking it."""
        found = []
        leads: dict[str, _Joint | None] = {}  # by child link: the joint of the chain that it follows in the end
        moving = set(self.moving)
        for joint in self.joints.values():
            leader: _Joint | None = joint
            seen: dict[str, None] = {}
            while leader is not None and leader.child not in self.links and leader.child not in leads:
                if leader.child in seen:
                    raise self._ring_error(joint)
                seen[leader.child] = None
                leader = self._leader(leader)
            first = None if leader is None else leads.get(leader.child, leader)
            leads.update(dict.fromkeys(seen, first))
            if joint.child not in self.links and first is not None and first.child in moving:
                found.append(f"{joint.name} (with {first.name})")
        return found

    @cached_property
    def links(self) -> frozenset[str]:
        """The names of the chain, to look one up."""
        return frozenset(self.names)

    @cached_property
    def _locked_values(self) -> dict[str, float]:
        """Where joints of branches are held, by child link, as far as that was asked."""
        return {}

    @cached_property
    def _by_name(self) -> dict[str | None, _Joint]:
        """The joints by name; of several the first one counts."""
        return {joint.name: joint for joint in reversed(self.joints.values())}

    def _leader(self, joint: _Joint) -> _Joint | None:
        """Return the joint that one mimics.

        None where it mimics none, none that moves, none of the file (real files have such), or by a factor of zero.
        """
        mimic = joint.element.find("mimic")
        if mimic is None or not self._multiplier(joint):
            return None
        named = self._by_name.get(mimic.get("joint"))
        return named if named is not None and named.kind != "fixed" else None

    def _multiplier(self, joint: _Joint) -> float:
        where = f"mimic of joint {joint.name} of {self.path}"
        return number_of(joint.element.find("mimic"), "multiplier", where, "1")

    def _ring_error(self, joint: _Joint) -> ValueError:
        return ValueError(f"joint {joint.name} of {self.path} must not mimic itself, got a ring of mimic joints")


def chain_of_urdf(path: str | PathLike[str] | IO[str] | IO[bytes], tip: str | None) -> Chain:
    """Return the chain to a tip, checked; arguments as in `Arm.from_urdf`."""
    if tip is not None and not isinstance(tip, str):
        raise TypeError(f"tip must be the name of one link, got {shortened(repr(tip))}")
    robot = parse_robot(path)
    path = title_of(path)
    bodies = _bodies(robot, path)
    joints = _joints(robot, bodies, path)
    children: dict[str, list[_Joint]] = {name: [] for name in bodies}
    for joint in joints.values():
        children[joint.parent].append(joint)
    _check_tree(bodies, joints, children, path)
    tip = tip if tip is not None else _only_leaf(children, path)
    if tip not in bodies:
        raise ValueError(f"tip must be a link of {path}, got {tip!r}; there are {listed(sorted(bodies))}")
    names = [tip]
    while names[-1] in joints:
        names.append(joints[names[-1]].parent)
    chain = Chain(path, names[::-1], robot, bodies, joints, children)
    for name in chain.moving:
        _check_moving(joints[name], tip, chain)
    if not chain.moving:
        raise ValueError(f"the chain to {tip} must have a moving joint, got none in {path}")
    return chain


def links_of_urdf(
    path: str | PathLike[str] | IO[str] | IO[bytes], tip: str | None, inertias: str = "given"
) -> tuple[list[dict[str, Any]], Floats, Floats]:
    """Return the fields of every moving link, and in the axes of the last one the origin and the axes of the tip link's frame.

    Arguments as in `Arm.from_urdf`.
    """
    if not isinstance(inertias, str) or inertias not in ("given", "nearest"):
        raise ValueError(f'inertias must be "given" or "nearest", got {shortened(repr(inertias))}')
    chain = chain_of_urdf(path, tip)
    changes: list[str] = []
    if followers := chain.followers():
        warnings.warn(
            f"{chain.path}: {listed(followers)} mimic a joint of the chain; an arm is a chain without branches that move, so each is "
            "held where it stands at q = 0, and what it would carry along or turn is missing from the mass matrix",
            stacklevel=3,
        )
    links = []
    frame = IDENTITY  # frame: from the last moving link to the link at hand
    for name in chain.names[1:]:
        joint = chain.joints[name]
        R, p = compose(frame, joint.frame)
        if joint.kind == "fixed":
            frame = (R, p)
            continue
        mass, com, inertia = _lumped_body(name, chain, inertias == "nearest", changes)
        body = {"mass": mass, "com": com, "inertia": inertia, "name": name, "joint_name": joint.name}
        links.append(
            {**body, "joint": JOINT_TYPES[joint.kind], "axis": _axis(joint, chain.path), "position": p, "rotation": R}
        )
        frame = IDENTITY
    if changes:
        warnings.warn(
            f"{chain.path}: the inertias of {len(changes)} link{'s' * (len(changes) > 1)} are those of no body, and the nearest "
            f"that a body can have, in its second moments, are taken: {'; '.join(changes)}",
            stacklevel=3,
        )
    return links, frame[1], frame[0]


def _lumped_body(name: str, chain: Chain, nearest: bool, changes: list[str]) -> Any:
    """Return mass, center of mass and inertia about it of a link with all that is fixed to it, in the link's axes.

    changes: gets a phrase for each inertia that is no body's and was replaced.
    """
    parts = []
    for link, R, p in chain.fixed_subtree(name):
        body = chain.bodies[link]
        inertia = _possible_inertia(link, body, chain.path, nearest, changes)
        parts.append((body.mass, p + R @ body.com, R @ inertia @ R.T))
    mass = sum(m for m, _, _ in parts)
    com = sum(m * c for m, c, _ in parts) / mass if mass > 0 else np.zeros(3)
    offsets = [(m, c - com, about) for m, c, about in parts]
    return mass, com, sum(about + m * (d @ d * np.eye(3) - np.outer(d, d)) for m, d, about in offsets)


def _moved(joint: _Joint, value: float, path: Any) -> Any:
    """Return R, p of a joint that is held at a value, rad or m."""
    if value == 0:
        return IDENTITY
    if joint.kind not in JOINT_TYPES:
        raise ValueError(
            f"joint {joint.name} of {path} must be {' or '.join(JOINT_TYPES)} to mimic another, got {joint.kind}"
        )
    axis = _axis(joint, path)
    return (np.eye(3), value * axis) if JOINT_TYPES[joint.kind] == "prismatic" else (rotation(axis, value), np.zeros(3))


def _possible_inertia(link: str, body: _Inertial, path: Any, take_nearest: bool, changes: list[str]) -> Floats:
    """Return the inertia of a link, or of a body that prints the same digits, or where that is asked for the nearest of a body.

    Link by link: beside a heavy one nobody would see what is wrong.
    """
    try:
        check_body(body.mass, body.inertia)
        return body.inertia
    except ValueError as error:
        nearest = nearest_inertia(body.inertia)
        size = abs(body.inertia).max()
        share = abs(nearest - body.inertia).max() / (size or 1.0)
        R = body.rotation
        rounded = inertia_within(R.T @ body.inertia @ R, np.minimum(body.rounding, MAX_ROUNDING * size))
        if body.mass < 0 or (rounded is None and not take_nearest):
            hint = (
                ""
                if body.mass < 0
                else f" (no body prints these digits; the nearest that a body can have, in its second moments, is {100 * share:.2g} % away: "
                'inertias="nearest" takes it)'
            )
            raise ValueError(f"link {link} of {path}: {error}{hint}") from None
        possible = nearest if rounded is None else R @ rounded @ R.T
        moments = [", ".join(f"{x:.4g}" for x in np.linalg.eigvalsh(I)) for I in (body.inertia, possible)]
        reason = "moments" if rounded is None else "rounding of its digits"
        changes.append(f"{link} ({reason} {moments[0]} -> {moments[1]})")
        return possible


def _check_moving(joint: _Joint, tip: str, chain: Chain) -> None:
    if joint.kind not in JOINT_TYPES:
        known = ["fixed", *JOINT_TYPES]
        hint = f': URDF has no such joint; build that link yourself, rd.Link(.., joint="{joint.kind}")'
        raise ValueError(
            f"joint {joint.name} must be {', '.join(known[:-1])} or {known[-1]} to lie on the chain to {tip}, "
            f"got {joint.kind}{hint if joint.kind in JOINTS else ''}"
        )
    if (mimic := joint.element.find("mimic")) is not None:
        names = [chain.joints[name].name for name in chain.moving]
        equation = coupling(mimic, joint.name, names, f"mimic of joint {joint.name} of {chain.path}")
        raise ValueError(
            f"joint {joint.name} must move by itself to lie on the chain to {tip}, got one that mimics "
            f"{mimic.get('joint')}: an arm has one coordinate a joint; name a tip before it{equation}"
        )


# ---- what stands in the file ----------------------------------------------------------------------------------------


def _bodies(robot: Any, path: Any) -> dict[str, _Inertial]:
    """Return {name: what the file says of its mass}; no mass where it says nothing."""
    bodies = {}
    for link in robot.findall("link"):
        name = link.get("name")
        inertial = link.find("inertial")
        where = f"link {name} of {path}"
        if name is None or name in bodies:
            raise ValueError(f"every link of {path} must have a name of its own, got {name} again or none")
        bodies[name] = _Inertial(0.0, np.zeros(3), np.zeros((3, 3)), np.zeros((3, 3)), np.eye(3))
        if inertial is None:
            continue
        mass = required_child(inertial, "mass", where)
        moments = required_child(inertial, "inertia", where)
        xx, yy, zz = (number_of(moments, key, where) for key in ("ixx", "iyy", "izz"))
        default = (
            None if {"ixy", "ixz", "iyz"} & moments.attrib.keys() else "0"
        )  # all three, or a body without products
        xy, xz, yz = (number_of(moments, key, where, default) for key in ("ixy", "ixz", "iyz"))
        R, com = frame_of(inertial, where)
        inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        rounding = _rounding(moments)
        bodies[name] = _Inertial(number_of(mass, "value", where), com, inertia, rounding, R)
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


def _joints(robot: Any, bodies: dict[str, Any], path: Any) -> dict[str, _Joint]:
    """Return {child link: _Joint}."""
    joints: dict[str, _Joint] = {}
    for joint in robot.findall("joint"):
        name = joint.get("name")
        kind = joint.get("type")
        where = f"joint {name} of {path}"
        parent, child = (required_child(joint, end, where).get("link") for end in ("parent", "child"))
        for link in (parent, child):
            if link not in bodies:
                raise ValueError(f"{where} must join links of the file, got {link}; there are {listed(sorted(bodies))}")
        if child in joints:
            raise ValueError(
                f"{where} must carry a link of its own, got {child}, which {joints[child].name} carries too"
            )
        joints[child] = _Joint(name, kind, parent, child, frame_of(joint, where), joint)
    return joints


def _check_tree(bodies: Any, joints: dict[str, _Joint], children: Any, path: Any) -> None:
    """Refuse joints that do not make one tree."""
    if not bodies:
        raise ValueError(f"{path} must have links, got a robot without any")
    roots = sorted(set(bodies) - set(joints))
    if len(roots) != 1:
        raise ValueError(f"{path} must have one root link, which no joint carries, got {listed(roots) or 'none'}")
    reached = roots
    for link in reached:
        reached += [joint.child for joint in children[link]]
    if len(reached) < len(bodies):
        cycle = sorted(set(bodies) - set(reached))
        raise ValueError(f"the joints of {path} must make a tree, got a ring among {listed(cycle)}")


def _only_leaf(children: dict[str, list[_Joint]], path: Any) -> str:
    leaves = sorted(name for name, joints in children.items() if not joints)
    if len(leaves) != 1:
        raise ValueError(f"tip must be given for a URDF that branches: {path} ends in {listed(leaves)}")
    return leaves[0]


def _axis(joint: _Joint, path: Any) -> Floats:
    """Return the unit axis of a joint; (1, 0, 0) where the file has none."""
    element = joint.element.find("axis")
    axis = triple_of(element, "xyz", f"axis of joint {joint.name} of {path}", "1 0 0")
    if not axis.any():
        raise ValueError(f"axis of joint {joint.name} of {path} must have a direction, got 0 0 0")
    axis = axis / abs(axis).max()  # whose square may be too small for a number
    return axis / np.linalg.norm(axis)
