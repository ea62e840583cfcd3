"""What a notebook of "robot-file" is given: each student's own robot as the text of a URDF file, and a second one that branches."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import robotdyn as rd
from coursework.check.parameters import Draw, Later, differ
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array
    from coursework.check.parameters import Parameters

# What the motors of each robot have, about: N m, joint by joint.  They are the course's own, no manufacturer's; each student's
# file has others, by up to a third.
EFFORTS = {
    "ur5e": (60, 110, 45, 12, 10, 6),
    "gen3": (25, 45, 20, 18, 7, 6, 4),
    "iiwa14": (60, 140, 50, 50, 14, 12, 6),
    "panda": (45, 90, 45, 40, 9, 9, 5),
    "puma560": (60, 90, 40, 9, 9, 6),
}


def parameters(draw: Draw) -> dict[str, Any]:
    """Return a robot, a pose, what a camera sees, a load, how the base stands, two postures; a tree, and how two limbs go together."""
    robot = draw.choice([*EFFORTS])
    n = len(EFFORTS[robot])
    efforts = tuple(round(most * draw.uniform(0.95, 1.3), 1) for most in EFFORTS[robot])
    camera = draw.randint(1, n - 3), _place(draw, 0.04, 0.12), _place(draw, 0.3, 1.3)
    tool = _place(draw, 0.04, 0.12), _place(draw, 0.3, 1.3)
    limbs = draw.until(lambda: (draw.randint(1, 3), draw.randint(2, 3), draw.randint(2, 4)), _count_tells)
    grip = _place(draw, 0.03, 0.1)
    load = draw.rounded(1.2, 3.0)
    seeds = [str(draw.random()) for _ in range(3)]
    rested = lambda: _file(robot, efforts, (1.0,) * n, camera, tool)
    motion = functools.cache(lambda: _motion(rested(), n, Draw(seeds[1])))
    return {
        "robot": robot,
        "pose": tuple(_signed(draw, 0.3, 1.5) for _ in range(n)),
        "seen": _place(draw, 0.1, 0.4),
        "grip": grip,
        "load": load,
        "tilt": draw.until(lambda: (_signed(draw, 0.4, 1.2), _signed(draw, 0.4, 1.2)), _tilts),
        "file": Later(lambda: _file(robot, efforts, motion()[2], camera, tool)),
        "posture": Later(lambda: _posture(rested(), n, grip, Draw(seeds[0]))),
        "start": Later(lambda: motion()[0]),
        "end": Later(lambda: motion()[1]),
        "gear": draw.choice((-1, 1)) * draw.until(lambda: (draw.rounded(0.5, 1.8),), lambda gear: abs(gear - 1) > 0.1)[0],
        "shift": _signed(draw, 0.3, 0.9),
        "tree": Later(lambda: _tree(limbs, Draw(seeds[2]))),
    }  # fmt: skip


def _signed(draw: Draw, low: float, high: float) -> float:
    """Return a number of that size, of either sign."""
    return draw.choice((-1, 1)) * draw.rounded(low, high)


def _place(draw: Draw, low: float, high: float) -> tuple[float, ...]:
    """Return three numbers of either sign, each two of them different in their size, too."""
    one = lambda: _signed(draw, low, high)
    return draw.until(lambda: (one(), one(), one()), lambda *three: differ(*map(abs, three)))


def _tilts(roll: float, pitch: float) -> bool:
    """Whether two turns differ in size, so that which is which shows."""
    return differ(abs(roll), abs(pitch))


def _count_tells(trunk: int, limb: int, tail: int) -> bool:
    """Whether the limbs of a tree have no two numbers of joints alike, as many zeros are counted otherwise."""
    return limb != tail


# The file of the robot


def read(text: str, gravity: Sequence[float] = (0, 0, -9.81)) -> Any:
    """Return the arm of a file that ends in its tool."""
    return rd.Arm.from_urdf(text, "tool", gravity)


def _turn(roll: float, pitch: float, yaw: float) -> Array:
    """Return the rotation of three turns about fixed axes x, y, z, one after the other, as a file has it."""
    (a, b, c), (d, e, f) = (map(math.cos, (roll, pitch, yaw)), map(math.sin, (roll, pitch, yaw)))
    about_x = [[1, 0, 0], [0, a, -d], [0, d, a]]
    about_y = [[b, 0, e], [0, 1, 0], [-e, 0, b]]
    return np.array([[c, -f, 0], [f, c, 0], [0, 0, 1]]) @ about_y @ np.array(about_x)


def _file(robot: str, efforts: Sequence[float], speeds: Sequence[float], camera: Any, tool: Any) -> str:
    """Return the text of the file: an arm of the library with limits, a camera on one of its links, and a tool.

    camera: index of its link, place (m) and turns (rad); tool: place and turns, from the end of the arm.
    """
    arm = getattr(rd.robots, robot)()
    own = {"frame_position": (0, 0, 0), "frame_rotation": np.eye(3)}  # of a table: the file shows none of them
    links = [
        replace(
            link,
            name=f"link_{i}",
            joint_name=f"joint_{i}",
            properties=rd.JointProperties(velocity=speed, effort=effort),
            **own,
        )
        for i, (link, speed, effort) in enumerate(zip(arm.links, speeds, efforts), start=1)
    ]
    frames = {"camera": rd.LinkFrame(camera[0], camera[1], _turn(*camera[2]))}
    tip = arm.tip + arm.tip_rotation @ tool[0]
    turn = arm.tip_rotation @ _turn(*tool[1])
    frames["tool"] = rd.LinkFrame(arm.n - 1, tip, turn)
    return str(rd.Arm(links, arm.gravity, tip, turn, frames=frames).to_urdf(robot))


def _posture(text: str, n: int, grip: Sequence[float], draw: Draw) -> tuple[float, ...]:
    """Return angles in which one motor is clearly the first at its limit as a load grows, by a torque that is negative."""
    arm = read(text)
    most = arm.joint_values("effort")

    def fits(*q: float) -> bool:
        own = rd.gravity_torque(arm, q)
        by_load = 9.81 * rd.point_jacobian(arm, q, "tool", grip)[2]
        if max(abs(own) / most) > 0.85:
            return False
        lifted = abs(by_load) > 1e-3 * max(abs(by_load))
        way = np.sign(by_load[lifted])
        room = (most[lifted] - way * own[lifted]) / abs(by_load[lifted])
        bare = most[lifted] / abs(by_load[lifted])
        first, second = np.sort(room)[:2]
        apart = second > 1.15 * first and 1.0 < first < 12.0 and abs(bare.min() / first - 1) > 0.05
        return bool(apart and way[room.argmin()] < 0)

    return _drawn(draw, lambda: tuple(_signed(draw, 0.2, 1.6) for _ in range(n)), fits)


def _drawn(draw: Draw, make: Any, fits: Any, tries: int = 4000) -> tuple[Any, ...]:
    """Return what is drawn until it fits.  Raises ArithmeticError after so many tries: nobody waits forever."""
    for _ in range(tries):
        if fits(*(found := make())):
            return tuple(found)
    raise ArithmeticError("no such posture was found: the limits of this file allow none")


def _motion(text: str, n: int, draw: Draw) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    """Return both ends of a motion, and speeds with which a time of the same size is asked for as by the torques of a file.

    Neither weight nor velocity is small in the torques, and the joint that is too slow is not that which turns farthest.
    """
    arm = read(text)
    most = arm.joint_values("effort")
    s = np.linspace(0, 1, 41)[:, None]
    rate = 30 * s**2 * (1 - s) ** 2
    bend = 60 * s * (1 - s) * (1 - 2 * s)
    lasts: list[float] = []

    def fits(start: tuple[float, ...], end: tuple[float, ...]) -> bool:
        way = np.subtract(end, start)
        still = np.zeros((len(s), n))
        q = np.array(start) + s**3 * (10 - 15 * s + 6 * s**2) * way
        if not _turns_back(way) or (abs(rd.gravity_torque(arm, q[::8])) > 0.8 * most).any():
            return False
        weight = rd.gravity_torque(arm, q)
        swung = rd.inverse_dynamics(arm, q, rate * way, bend * way) - weight
        alone = rd.inverse_dynamics(arm, q, still, bend * way) - weight
        half = len(s) // 2 + 1
        lasts[:] = [_least(swung, weight, most), _least(alone, weight, most), _least(swung, 0 * weight, most)]
        first_half = swung[:half], weight[:half]
        lasts.extend(_least(*one, most) for one in (first_half, (swung, -weight)))
        if not all(abs(other / lasts[0] - 1) > 0.015 for other in lasts[1:]):
            return False
        others = _with_slips(start, way, q, rate)
        weights = rd.gravity_torque(arm, others[0])
        swings = rd.inverse_dynamics(arm, *others, np.broadcast_to(bend * way, others[0].shape)) - weights
        times = [_least(*one, most) for one in zip(swings, weights)]
        return all(abs(time / lasts[0] - 1) > 0.004 for time in times)

    ends = lambda: tuple(tuple(_signed(draw, 0.2, 1.4) for _ in range(n)) for _ in range(2))
    start, end = _drawn(draw, ends, fits)
    way = [abs(b - a) for a, b in zip(start, end)]
    slow = draw.choice(_nearer_and_back(np.subtract(end, start)))  # the size of its way counts
    longest = lasts[0] * draw.choice((draw.uniform(0.6, 0.9), draw.uniform(1.1, 1.5)))
    shares = [1.0 if k == slow else draw.uniform(0.4, 0.85) for k in range(n)]
    return start, end, tuple(round(15 / 8 * one / (share * longest), 2) for one, share in zip(way, shares))


def _nearer_and_back(way: Array) -> list[int]:
    """Return the joints that turn back, and not the farthest."""
    return [k for k in range(len(way)) if way[k] < 0 and abs(way[k]) < 0.95 * abs(way).max()]


def _turns_back(way: Array) -> bool:
    """Whether every joint turns by some angle, and one back that is not the one that turns farthest."""
    return bool(abs(way).min() >= 0.2 and _nearer_and_back(way))


def _with_slips(start: Sequence[float], way: Array, q: Array, rate: Array) -> tuple[Array, Array]:
    """Return joints and rates of motions of 1 s in which one thing is wrong, (motions, times, n) each; q: the right joints."""
    moved = q - start
    places = [
        start + 2 * moved,
        start + moved / 2,
        moved - start,
        -q,
        2 * q,
        q / 2,
        start + moved / way,
        moved,
        q,
        q,
        q,
    ]
    rates = [rate * way] * 8 + [way + 0 * rate, rate + 0 * way, 2 * rate * way]
    return np.array(places), np.array(rates)


def _least(swung: Array, weight: Array, most: Array) -> float:
    """Return the time in which swung / T^2 + weight is nowhere beyond the limits."""
    return float(np.sqrt((abs(swung) / (most - np.sign(swung) * weight)).max()))


# The file of the tree


def _tree(limbs: tuple[int, int, int], draw: Draw) -> str:
    """Return the text of a file of a trunk with a left limb, a right one with as many joints, and a tail."""
    trunk, limb, tail = limbs
    links: list[Any] = []
    parents: list[int] = []
    for name, joints in (("trunk", trunk), ("left", limb), ("right", limb), ("tail", tail)):
        for k in range(joints):
            parents.append(len(links) - 1 if k or not links else trunk - 1)
            links.append(_limb(f"{name}_{k + 1}", draw))
    return str(rd.Arm(links, parents=parents).to_urdf("tree"))


def _limb(name: str, draw: Draw) -> Any:
    """Return a link that turns about an axis of its own, in no plane with another."""
    axis = draw.vector(3, 0.3, 1.0) * [draw.choice((-1, 1)) for _ in range(3)]
    axis = np.round(axis / np.linalg.norm(axis), 3)
    com = draw.vector(3, 0.02, 0.2).round(2)
    place = draw.vector(3, 0.05, 0.3).round(2)
    mass = draw.rounded(0.5, 3.0)
    spread = draw.vector(3, 0.02, 0.03).round(4)
    return rd.Link(mass, com, np.diag(spread), axis=axis / np.linalg.norm(axis), position=place, name=name,
                   joint_name=f"{name}_joint", properties=rd.JointProperties(velocity=2.0, effort=40.0))  # fmt: skip


def counts(text: str) -> dict[str, int]:
    """Return how many joints each part of the tree has, by its name."""
    names = rd.Arm.from_urdf(text, branches=True).joint_names
    return {part: sum(str(one).startswith(part) for one in names) for part in ("trunk", "left", "right", "tail")}


def coordinates(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return coordinates of the tree whose right limb follows the left one: all zero, of one part alone, any."""
    joints = counts(p.tree)
    n = sum(joints.values()) - joints["right"]
    first = joints["trunk"]
    last = joints["trunk"] + joints["left"]
    any_of = [draw.vector(n, -1.5, 1.5) for _ in range(4)]
    left = np.where((np.arange(n) >= first) & (np.arange(n) < last), any_of[0], 0.0)
    return [(np.zeros(n),), (left,), *((q,) for q in any_of[1:])]


CALLED = {"reduced": {"inputs": coordinates, "arguments": "q"}}
