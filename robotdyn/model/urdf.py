"""Arms from URDF files, read as the chain from the root link to a tip link, or as the tree of the chains to several."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import IO, Any

import numpy as np

from robotdyn.maths.spatial import compose, rotation
from robotdyn.maths.validate import Floats
from robotdyn.model.joints import JOINTS
from robotdyn.model.link import LinkFrame
from robotdyn.model.possible_inertia import possible_inertia
from robotdyn.model.urdf_file import (
    FileJoint,
    Inertial,
    axis_of,
    bodies_of,
    check_tree,
    joints_of,
    properties_of,
    rotor_inertias,
)
from robotdyn.model.urdf_root import set_root
from robotdyn.model.urdf_slips import refuse_unexpanded, slips
from robotdyn.model.urdf_text import MAX_NUMBER, listed, number_of, parse_robot, shortened, title_of

JOINT_TYPES: dict[str, str] = {
    name: joint for joint, record in JOINTS.items() for name in record.urdf
}  # the name in URDF: ours
IDENTITY = (np.eye(3), np.zeros(3))  # the frame (R, p) that does nothing


@dataclass(frozen=True)
class Chain:
    """The links from the root to the tip, or to several tips, and what a file says of all its links."""

    path: Any
    names: list[str]  # each after the one that carries it, root first
    tips: list[str]  # the last one is the arm's
    robot: Any
    bodies: dict[str, Inertial]
    joints: dict[str, FileJoint]  # by child link
    children: dict[str, list[FileJoint]]  # by parent link

    @property
    def moving(self) -> list[str]:
        """The links of the arm: those of the chain that a moving joint carries."""
        return [name for name in self.names[1:] if self.joints[name].kind != "fixed"]

    def carrier(self, name: str) -> str | None:
        """Return the link of the arm that a link is, or is fixed to; None where that is the root."""
        while name in self.joints and self.joints[name].kind == "fixed":
            name = self.joints[name].parent
        return name if name in self.joints else None

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

    def locked_value(self, joint: FileJoint) -> float:
        """Return where the joint of a branch is held: at zero, or where it stands if the joint that it mimics is held there."""
        known = self._locked_values
        followers: dict[str, FileJoint] = {}  # by child link, the last one mimics the joint at hand
        leader: FileJoint | None = joint
        while leader is not None and leader.child not in known:
            if leader.child in followers:
                raise self._ring_error(joint)
            followers[leader.child] = leader
            leader = self._leader(leader)
            if leader is not None and leader.child in self.links:  # one of the chain stands where q = 0 puts it
                known[leader.child] = float(self._positions[leader.child][-1])
        value = 0.0 if leader is None else known[leader.child]
        for follower in reversed(followers.values()):
            if follower.element.find("mimic") is not None:
                value = self._offset(follower) + self._multiplier(follower) * value
                self._check_mimic_number(value, follower)
            known[follower.child] = value
        return known[joint.child]

    def coupling(self) -> Floats | None:
        """Return the positions of the moving joints by those of the independent ones, as for `Arm`; None if all are that."""
        rows = np.array([self._positions[name] for name in self.moving])
        return None if rows.shape[1] == len(rows) + 1 else rows

    @cached_property
    def _positions(self) -> dict[str, Floats]:
        """The positions of joints by child link, as factors of the coordinates and an offset: all of the chain, and their leaders."""
        moving = set(self.moving)
        free = [name for name in self.moving if self.joints[name].element.find("mimic") is None]
        if not free:
            raise ValueError(
                f"the chain to {listed(self.tips)} must have a joint that moves by itself, got followers alone in {self.path}: "
                "branches=True reads the joint that leads them"
            )
        held = np.zeros(len(free) + 1)
        rows = {name: np.eye(1, len(held), k)[0] for k, name in enumerate(free)}
        for name in self.moving:
            followers: dict[str, FileJoint] = {}
            joint: FileJoint | None = self.joints[name]
            while joint is not None and joint.child not in rows:
                if joint.child in followers:
                    raise self._ring_error(joint)
                followers[joint.child] = joint
                leader = self._leader(joint)
                if leader is None and joint.child in moving and self._multiplier(joint):
                    raise ValueError(
                        f"joint {joint.name} of {self.path} must mimic a joint of the file that moves, got "
                        f"{joint.mimics}: take its <mimic> away, and it is a joint of its own"
                    )
                joint = leader
            row = held if joint is None else rows[joint.child]
            for follower in reversed(followers.values()):
                if follower.element.find("mimic") is not None:
                    row = (
                        self._multiplier(follower) * row + self._offset(follower) * np.eye(1, len(row), len(row) - 1)[0]
                    )
                    self._check_mimic_number(abs(row).max(), follower)
                rows[follower.child] = row
        return rows

    def _check_mimic_number(self, value: float, follower: FileJoint) -> None:
        if not abs(value) < MAX_NUMBER:
            raise ValueError(
                f"mimic of joint {follower.name} of {self.path} must hold it below {MAX_NUMBER:g}, got {value:g}"
            )

    def followers(self) -> list[str]:
        """Return a phrase for each joint of a branch that would move with a joint of the chain, by mimicking it."""
        found = []
        leads: dict[str, FileJoint | None] = {}  # by child link: the joint of the chain that it follows in the end
        moving = set(self.moving)
        for joint in self.joints.values():
            leader: FileJoint | None = joint
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
    def _by_name(self) -> dict[str | None, FileJoint]:
        """The joints by name; of several the first one counts."""
        return {joint.name: joint for joint in reversed(self.joints.values())}

    def _leader(self, joint: FileJoint) -> FileJoint | None:
        """Return the joint that one mimics.

        None where it mimics none, none that moves, none of the file (real files have such), or by a factor of zero.
        """
        mimic = joint.element.find("mimic")
        if mimic is None or not self._multiplier(joint):
            return None
        named = self._by_name.get(mimic.get("joint"))
        return named if named is not None and named.kind != "fixed" else None

    def _multiplier(self, joint: FileJoint) -> float:
        return number_of(joint.element.find("mimic"), "multiplier", f"mimic of joint {joint.name} of {self.path}", "1")

    def _offset(self, joint: FileJoint) -> float:
        return number_of(joint.element.find("mimic"), "offset", f"mimic of joint {joint.name} of {self.path}", "0")

    def _ring_error(self, joint: FileJoint) -> ValueError:
        return ValueError(f"joint {joint.name} of {self.path} must not mimic itself, got a ring of mimic joints")


def chain_of_urdf(
    path: str | PathLike[str] | IO[str] | IO[bytes],
    tip: str | Sequence[str] | None,
    branches: bool = False,
    root: str | None = None,
    floating: bool = False,
) -> Chain:
    """Return the chain to a tip, or the tree of the chains to several, checked; arguments as in `Arm.from_urdf`."""
    given = _tip_names(tip)
    robot = parse_robot(path)
    path = title_of(path)
    refuse_unexpanded(robot, path)
    set_root(robot, path, root, floating)
    bodies = bodies_of(robot, path)
    joints = joints_of(robot, bodies, path)
    children: dict[str, list[FileJoint]] = {name: [] for name in bodies}
    for joint in joints.values():
        children[joint.parent].append(joint)
    check_tree(bodies, joints, children, path)
    for name in given:
        if name not in bodies:
            carried = [
                f": the joint of this name carries {joint.child}" for joint in joints.values() if joint.name == name
            ]
            raise ValueError(
                f"tip must be a link of {path}, got {name!r}{''.join(carried)}; there are {listed(sorted(bodies))}"
            )
    leaves = [name for name, below in children.items() if not below]
    if branches:
        tips = [*(name for name in leaves if name not in given), *given]
    else:
        tips = given or [_only_leaf(leaves, path)]
    chain = Chain(path, _on_the_way(tips, joints), tips, robot, bodies, joints, children)
    for name in chain.moving:
        _check_moving(joints[name], chain)
    _put_tip_last(chain, bool(given))
    return chain


def _tip_names(tip: str | Sequence[str] | None) -> list[str]:
    """Return the names of the tips that were given, none where None was."""
    names = [] if tip is None else [tip] if isinstance(tip, str) else tip
    if (
        not isinstance(names, (list, tuple))
        or not all(isinstance(name, str) for name in names)
        or not (names or tip is None)
    ):
        raise TypeError(f"tip must be the name of one link, or a list of names, got {shortened(repr(tip))}")
    return list(names)


def _on_the_way(tips: list[str], joints: dict[str, FileJoint]) -> list[str]:
    """Return the links from the root to all tips, each once, after the link that carries it."""
    names: dict[str, None] = {}
    for name in tips:
        way = [name]
        while way[-1] in joints:
            way.append(joints[way[-1]].parent)
        names |= dict.fromkeys(reversed(way))
    return list(names)


def _put_tip_last(chain: Chain, given: bool) -> None:
    """Let the last of the tips be on the last link that moves, where nobody gave it; refuse another one."""
    if not chain.moving:
        raise ValueError(f"the chain to {listed(chain.tips)} must have a moving joint, got none in {chain.path}")
    if not given:
        chain.tips.sort(key=lambda name: chain.carrier(name) == chain.moving[-1])
    tip = chain.tips[-1]
    carrier = chain.carrier(tip)
    if carrier != chain.moving[-1]:
        raise ValueError(
            f"the last tip must be at the end of a branch of its own, got {tip} on {carrier or 'the root'}, "
            f'which carries more: name another one last, and "{tip}" wherever a function takes link; '
            f'or read the chain to it alone, tip="{tip}" without branches'
        )


def links_of_urdf(
    path: str | PathLike[str] | IO[str] | IO[bytes],
    tip: str | Sequence[str] | None,
    branches: bool = False,
    inertias: str = "given",
    root: str | None = None,
    floating: bool = False,
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the fields of every moving link, and those of the arm: its tip, its parents, and the frames of its file.

    Arguments as in `Arm.from_urdf`.
    """
    if not isinstance(inertias, str) or inertias not in ("given", "nearest"):
        raise ValueError(f'inertias must be "given" or "nearest", got {shortened(repr(inertias))}')
    chain = chain_of_urdf(path, tip, branches, root, floating)
    changes: list[str] = []
    rotors = rotor_inertias(chain.robot, chain.path)
    if found := slips(chain.robot, rotors):
        warnings.warn(f"{chain.path}: {'; '.join(found)}", stacklevel=3)
    if followers := chain.followers():
        warnings.warn(
            f"{chain.path}: {listed(followers)} mimic a joint of the chain; the arm has no branch there, so each is held where it "
            "stands at q = 0, and what it would carry along or turn is missing from the mass matrix: branches=True reads the whole robot",
            stacklevel=3,
        )
    links: list[dict[str, Any]] = []
    parents: list[int] = []
    frames: dict[str, LinkFrame] = {}
    placed = {chain.names[0]: (-1, *IDENTITY)}  # by link: the index of the moving link that carries it, and R, p there
    for name in chain.names[1:]:
        joint = chain.joints[name]
        carrier, *frame = placed[joint.parent]
        R, p = compose((frame[0], frame[1]), joint.frame)
        placed[name] = (carrier, R, p)
        if joint.kind == "fixed":
            continue
        placed[name] = (len(links), *IDENTITY)
        frames |= {link: LinkFrame(len(links), p, R) for link, R, p in chain.fixed_subtree(name)}
        mass, com, inertia = _lumped_body(name, chain, inertias == "nearest", changes)
        body = {"mass": mass, "com": com, "inertia": inertia, "name": name, "joint_name": joint.name}
        moves = {"joint": JOINT_TYPES[joint.kind], "axis": axis_of(joint, chain.path), "position": p, "rotation": R}
        kept = {"motor_inertia": rotors.get(joint.name, 0.0), "properties": properties_of(joint, chain.path)}
        links.append(body | moves | kept)
        parents.append(carrier)
    if changes:
        warnings.warn(
            f"{chain.path}: the inertias of {len(changes)} link{'s' * (len(changes) > 1)} are those of no body, and the nearest "
            f"that a body can have, in its second moments, are taken: {'; '.join(changes)}",
            stacklevel=3,
        )
    _, R, p = placed[chain.tips[-1]]
    tip_frame = {"tip": p, "tip_rotation": R}
    independent = [k for k, name in enumerate(chain.moving) if chain.joints[name].element.find("mimic") is None]
    return links, tip_frame | {
        "parents": parents,
        "frames": frames,
        "coupling": chain.coupling(),
        "independent": independent,
    }


def _lumped_body(name: str, chain: Chain, nearest: bool, changes: list[str]) -> Any:
    """Return mass, center of mass and inertia about it of a link with all that is fixed to it, in the link's axes.

    changes: gets a phrase for each inertia that is no body's and was replaced.
    """
    parts = []
    for link, R, p in chain.fixed_subtree(name):
        body = chain.bodies[link]
        inertia = possible_inertia(link, body, chain.path, nearest, changes)
        parts.append((body.mass, p + R @ body.com, R @ inertia @ R.T))
    mass = sum(m for m, _, _ in parts)
    com = sum(m * c for m, c, _ in parts) / mass if mass > 0 else np.zeros(3)
    offsets = [(m, c - com, about) for m, c, about in parts]
    return mass, com, sum(about + m * (d @ d * np.eye(3) - np.outer(d, d)) for m, d, about in offsets)


def _moved(joint: FileJoint, value: float, path: Any) -> Any:
    """Return R, p of a joint that is held at a value, rad or m."""
    if value == 0:
        return IDENTITY
    if joint.kind not in JOINT_TYPES:
        raise ValueError(
            f"joint {joint.name} of {path} must be {' or '.join(JOINT_TYPES)} to mimic another, got {joint.kind}"
        )
    axis = axis_of(joint, path)
    return (np.eye(3), value * axis) if JOINT_TYPES[joint.kind] == "prismatic" else (rotation(axis, value), np.zeros(3))


def _check_moving(joint: FileJoint, chain: Chain) -> None:
    tips = listed(chain.tips)
    if joint.kind not in JOINT_TYPES:
        known = ["fixed", "floating", *JOINT_TYPES]
        hints = {"planar": ": make it two prismatic and one continuous with links without mass between them"}
        three = ": make it three continuous with links without mass between them"
        hints |= {"ball": three, "spherical": three, "none": ': say which, type="revolute" or another'}
        kind = joint.kind or "none"
        plain = kind.strip().lower()
        hints |= {kind: f': write type="{plain}"'} if plain in known else {}
        hints |= {
            kind: f': URDF has no such joint; build that link yourself, rd.Link(.., joint="{kind}")' for kind in JOINTS
        }
        raise ValueError(
            f"joint {joint.name} must be {', '.join(known[:-1])} or {known[-1]} to lie on the chain to {tips}, "
            f"got {kind}{hints.get(kind, '')}"
        )


def _only_leaf(leaves: list[str], path: Any) -> str:
    if len(leaves) != 1:
        raise ValueError(
            f"tip must be given for a URDF that branches: {path} ends in {listed(sorted(leaves))}; branches=True reads all of it"
        )
    return leaves[0]
