"""The same arm in coordinates that cost less:  frames on common normals, masses moved to where they vanish.

A torque does not depend on where the frame of a link stands on the axis of its joint, nor on how it is turned about it.
So z is the axis and x the common normal with the next one:  from frame to frame there is one turn about x and a step
(a, 0, d), as in the modified frames of Khalil and Kleinfinger (1986); where a link carries several, x is that of the first.  Nor can a torque tell a body on the axis of a
hinge from the same body on the link before.  So m, m c_z and the sum of m z^2 go there, from the tip to the base (Gautier
and Khalil 1990), and seven numbers a link are left.  They may be those of no body; the torques are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np

from robotdyn.maths.namespace import namespace
from robotdyn.maths.spatial import compose, rotation
from robotdyn.maths.validate import Array, Floats
from robotdyn.model.arm import Arm
from robotdyn.model.joints import JOINTS
from robotdyn.model.link import Link

ROUNDOFF = 1e-13  # what rounding leaves of a zero, beside the largest number of its kind
MIN_SINE = 0.1  # sine of the angle between two axes; below it their common normal may be far away, and origins stay
Z = np.eye(3)[2]


@dataclass(frozen=True, eq=False)
class ReducedLink:
    """A link as `robotdyn.dynamics.minimal_operations` uses it.

    rotation (3, 3), position (3,) m: where the joint stands in the frame of the link before; joint: a Link that is a
    joint and nothing else, and moves from there by q + offset.  mass: kg, moment: (3,) = m c, second: (3, 3) = the sum of
    m c c^T, about the origin of the link's frame and in its axes: its inertia is tr(second) - second.
    """

    rotation: Array
    position: Array
    joint: Link
    offset: float
    mass: Any
    moment: Array
    second: Array


def reduced_links(arm: Arm) -> tuple[list[ReducedLink], Array]:
    """Return the reduced links of an arm with the same torques, and its tip in the axes of the last one.

    Where entries of the arm are symbols, or tracers, or a joint may move otherwise than about and along its axis, frames
    and masses stay as they are; each joint keeps its q.
    """
    fields = ("mass", "com", "inertia", "axis", "position", "rotation")
    numbers = [np.ravel(getattr(link, name)) for link in arm.links for name in fields]
    links = [_unreduced(arm, link) for link in arm.links]
    if not all(isinstance(x, Real) for array in numbers for x in array) or not all(
        map(_moves_about_own_axis, arm.links)
    ):
        return links, namespace(arm).array(arm.tip)
    links, tip = _with_common_normal_frames(links, arm)
    return _regroup_inertias(links, arm.parents), tip


def _unreduced(arm: Arm, link: Link) -> ReducedLink:
    """Return a link in its own frame, with nothing reduced."""
    xp = namespace(arm)
    mass, com, I = (xp.array(x) for x in (link.mass, link.com, link.inertia))
    second = (I[0, 0] + I[1, 1] + I[2, 2]) / 2 * xp.eye(3) - I + mass * com[:, None] * com[None, :]
    joint = link._replace_unchecked(
        mass=0, com=np.zeros(3), inertia=np.zeros((3, 3)), position=np.zeros(3), rotation=np.eye(3)
    )
    return ReducedLink(xp.array(link.rotation), xp.array(link.position), joint, 0, mass, mass * com, second)


def _unit_motion(link: Link) -> tuple[Floats, Floats]:
    """Return how a joint turns and how it slides at a rate of 1, (3,) and (3,), link axes, its parameters being 1."""
    joint = JOINTS[link.joint]
    turn, slide = np.split(
        np.array(joint.motion(link._replace_unchecked(**dict.fromkeys(joint.parameters, 1.0))), float), 2
    )
    return turn, slide


def _moves_about_own_axis(link: Link) -> bool:
    """Return whether a joint turns and slides about and along its own axis alone, as all but a motion S of one's own do."""
    axis = np.asarray(link.axis, dtype=float)  # that of a traced arm is an array of objects
    return all(abs(np.cross(part, axis)).max() <= ROUNDOFF * abs(part).max() for part in _unit_motion(link))


# ---- frames ---------------------------------------------------------------------------------------------------------


def _with_common_normal_frames(links: Sequence[ReducedLink], arm: Arm) -> tuple[list[ReducedLink], Array]:
    """Return links of numbers in frames by common normals, and the tip in the last of them."""
    R, o, z = _zero_pose(links, arm.parents)
    origins = _frame_origins(o, z, arm.parents)
    before, after = _frame_x_axes(z, origins, arm, R)
    frames = {-1: (np.eye(3), np.zeros(3))}
    reach = max(abs(origin - origins[parent] * (parent >= 0)).max() for origin, parent in zip(origins, arm.parents))
    reframed = []
    for k, link in enumerate(links):
        previous = frames[arm.parents[k]]
        E = _snap_roundoff(previous[0].T @ _frame_of_axes(z[k], before[k]), 1)
        position = _snap_roundoff(previous[0].T @ (origins[k] - previous[1]), reach)
        offset = np.arctan2(np.cross(before[k], after[k]) @ z[k], before[k] @ after[k])
        quarters = round(offset / (np.pi / 2))
        absorbed = abs(offset - quarters * np.pi / 2) < ROUNDOFF and (quarters == 0 or set(abs(E).flat) == {0, 1})
        if (
            absorbed or _unit_motion(link.joint)[1].any()
        ):  # changes of names and signs cost nothing; what slides has another q
            E = _snap_roundoff(E @ rotation(Z, offset), 1)
            offset = 0
        frames[k] = _frame_of_axes(z[k], after[k]), origins[k]
        N = R[k].T @ frames[k][0]
        step = R[k].T @ (origins[k] - o[k])
        mass, moment, second = (np.array(part, float) for part in (link.mass, link.moment, link.second))
        h = moment - mass * step
        size = abs(second).max() + mass * step @ step
        second = second - np.outer(step, h) - np.outer(moment, step)
        moment = _snap_roundoff(N.T @ h, abs(moment).max() + mass * np.linalg.norm(step))
        reframed.append(
            ReducedLink(
                E,
                position,
                link.joint._replace_unchecked(axis=Z),
                offset,
                mass[()],
                moment,
                _snap_roundoff(N.T @ second @ N, size),
            )
        )
    R_tip, origin = frames[len(links) - 1]
    return reframed, R_tip.T @ (R[-1] @ arm.tip + o[-1] - origin)


def _zero_pose(links: Sequence[ReducedLink], parents: Sequence[int]) -> tuple[Floats, Floats, Floats]:
    """Return orientations (n, 3, 3), origins and axes (n, 3) of the links at q = 0, base axes."""
    frames = {-1: (np.eye(3), np.zeros(3))}
    for k, link in enumerate(links):
        frames[k] = compose(frames[parents[k]], (np.array(link.rotation, float), np.array(link.position, float)))
    R, o = (np.array(part) for part in zip(*(frames[k] for k in range(len(links)))))
    return R, o, np.array([R_k @ np.array(link.joint.axis, float) for R_k, link in zip(R, links)])


def _frame_origins(o: Floats, z: Floats, parents: Sequence[int]) -> Floats:
    """Return a point of each axis: the foot of its common normal with the axis before, or the point closest to the one before."""
    sine = lambda k: np.linalg.norm(np.cross(z[parents[k]], z[k]))
    points: list[Floats] = []
    for k, parent in enumerate(parents):
        axis = o[k], z[k]
        if parent < 0:
            chain = _first_chain(k, parents)
            slanted = next((j for j in chain[1:] if sine(j) >= MIN_SINE), None)
            foot = (
                o[k]
                if slanted is None
                else _common_normal_foot(o[slanted], z[slanted], o[parents[slanted]], z[parents[slanted]])
            )
            points.append(_closest_point_on_axis(foot, *axis))
        elif sine(k) >= MIN_SINE:
            points.append(_common_normal_foot(o[parent], z[parent], *axis))
        else:
            points.append(o[k] if sine(k) > ROUNDOFF else _closest_point_on_axis(points[parent], *axis))
    return np.array(points)


def _first_chain(k: int, parents: Sequence[int]) -> list[int]:
    """Return the indices of a link, of the first one that it carries, and so on to the end of the branch."""
    chain = [k]
    while chain[-1] in parents:
        chain.append(parents.index(chain[-1]))
    return chain


def _closest_point_on_axis(point: Floats, o: Floats, z: Floats) -> Floats:
    """Return the point of the line through o along z that is nearest to a point."""
    return o + (point - o) @ z * z


def _common_normal_foot(other: Floats, direction: Floats, o: Floats, z: Floats) -> Floats:
    """Return the point of the line through o along z that is nearest to another line."""
    cosine = direction @ z
    step = other - o
    return o + (step @ z - cosine * (step @ direction)) / (1 - cosine**2) * z


def _frame_x_axes(z: Floats, o: Floats, arm: Arm, R: Floats) -> tuple[list[Floats], list[Floats]]:
    """Return directions x (n, 3), base axes, of the frames in which the joints turn, and of the links.

    That of a link is the common normal with the first joint that it carries, as is that of this joint.  Those of joints on
    the base, and of links at the end of a branch, leave one component of gravity, and of the center of mass, at zero; where
    there is none, and between axes in one line, nothing is turned.
    """
    noise = ROUNDOFF * (1 + abs(o).max())
    gravity = np.array([x if isinstance(x, Real) else 0 for x in arm.gravity], float)
    before: list[Floats] = []
    after: list[Floats] = []

    def common_normal(k: int, child: int, near: Floats) -> Floats:
        normal = np.cross(z[k], z[child])
        step = o[child] - o[k]
        normal = _unit_perpendicular(normal if np.linalg.norm(normal) > ROUNDOFF else step, z[k], near, noise)
        return normal if normal @ near > -ROUNDOFF else -normal

    for k, parent in enumerate(arm.parents):
        if parent < 0:
            link_axis = R[k][:, np.argmin(abs(R[k].T @ z[k]))]
            before.append(_unit_perpendicular(link_axis, z[k], link_axis, 0))
        else:
            first = arm.parents.index(parent) == k
            before.append(after[parent] if first else common_normal(parent, k, after[parent]))
        if k in arm.parents:
            after.append(common_normal(k, arm.parents.index(k), before[k]))
        else:
            after.append(_nearest_quarter_turn(R[k] @ np.array(arm.links[k].com, float), z[k], before[k]))
        if parent < 0:
            before[k] = _nearest_quarter_turn(gravity, z[k], after[k])
    return before, after


def _nearest_quarter_turn(direction: Floats, z: Floats, near: Floats) -> Floats:
    """Return the unit vector next to `near` of the four that a direction across z gives in quarter turns."""
    along = _unit_perpendicular(direction, z, near, ROUNDOFF * float(np.linalg.norm(direction)))
    return max((along, -along, np.cross(z, along), -np.cross(z, along)), key=lambda x: float(x @ near))


def _unit_perpendicular(direction: Floats, z: Floats, otherwise: Floats, noise: float) -> Floats:
    """Return the unit vector of the part of a direction that is across z, or another where this is noise."""
    across = direction - direction @ z * z
    size = np.linalg.norm(across)
    return across / size if size > noise else otherwise


def _frame_of_axes(z: Floats, x: Floats) -> Floats:
    """Return the rotation whose columns are x, z x x, z."""
    return np.column_stack([x, np.cross(z, x), z])


def _snap_roundoff(x: Floats, size: float) -> Floats:
    """Return an array with whole numbers where they are as near as rounding, beside a size."""
    return np.where(abs(x) <= ROUNDOFF * size, 0, np.where(abs(abs(x) - 1) <= ROUNDOFF, np.sign(x), x))


# ---- masses ---------------------------------------------------------------------------------------------------------


def _regroup_inertias(links: Sequence[ReducedLink], parents: Sequence[int]) -> list[ReducedLink]:
    """Return links whose inertias are regrouped: what no torque can distinguish from inertia of the link before has gone there.

    At a hinge this is the mass, the first and the second moment along the axis; at a slide, where nothing turns, the
    second moment.  What arrives at the base does not move.
    """
    links = list(links)
    for k in reversed(range(len(links))):
        link = links[k]
        moved = (0.0, np.zeros(3), np.zeros((3, 3)))
        turn, slide = _unit_motion(link.joint)
        if not slide.any():
            moved = link.mass, link.moment * Z, link.second * np.outer(Z, Z)
        elif not turn.any():
            moved = 0.0, np.zeros(3), link.second
        mass, moment, second = moved
        links[k] = replace(link, mass=link.mass - mass, moment=link.moment - moment, second=link.second - second)
        if (parent := parents[k]) >= 0:
            E = link.rotation
            p = link.position
            last = links[parent]
            h = E @ moment
            second = E @ second @ E.T + np.outer(p, h) + np.outer(h, p) + mass * np.outer(p, p)
            links[parent] = replace(
                last, mass=last.mass + mass, moment=last.moment + h + mass * p, second=last.second + second
            )
    return links
