"""The assignment "robot-file": frames, loads, mountings and motions of a robot that stands in a file, and a tree of coupled limbs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import robotdyn as rd
from coursework.check import laws
from coursework.check.diagnosis import Said
from coursework.check.question import Credit, Question
from coursework.check.session import assignment_module
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, At, Value
    from coursework.check.parameters import Parameters

given = assignment_module("robot-file", "given")
CALLED = given.CALLED
NEAR = 1e-6
OF_NUMBERS = 1e-4
OF_COUNTS = 1e-6  # whole numbers
OF_TIMES = 1e-4
MOMENTS = 1001  # of a motion, as the text has it: between them a torque rises by far less than OF_TIMES of its limit


@functools.lru_cache(maxsize=64)
def _robot(text: str, gravity: tuple[float, ...] = (0.0, 0.0, -9.81)) -> Any:
    """Return the arm of the file, with its tool."""
    return given.read(text, gravity)


@functools.lru_cache(maxsize=64)
def _whole_tree(text: str) -> Any:
    """Return the arm of the file with all its branches."""
    return rd.Arm.from_urdf(text, branches=True)


def _joints(p: Parameters) -> int:
    """Return the number of joints of a student's robot."""
    return len(p.pose)


def _numbers(values: Sequence[float]) -> tuple[float, ...]:
    """Return numbers as what is kept by them is asked for."""
    return tuple(map(float, values))


# Frames


def _seen_by_tool(p: Parameters, at: At, value: Value) -> str | None:
    """The point that the camera sees and the point that the tool sees are one place in the axes of the base."""
    arm = _robot(p.file)
    seen = np.array(p.seen)
    sentence = "Seen by the tool, that is not the place that the camera sees."

    def frame(name: str, q: Sequence[float] = p.pose) -> tuple[Array, Array]:
        return rd.frame_pose(arm, q, name)

    (C, c), (T, t) = frame("camera"), frame("tool")

    def tool(x: Array, R: Array = T, place: Array = t) -> Array:
        return R.T @ (x - place)

    right = tool(c + C @ seen)
    if laws.is_wordless():
        return laws.differs(sentence, at, value, right, OF_NUMBERS)
    wrong = {
        "That is the place in the axes of the base: the tool has axes of its own.": c + C @ seen,
        "That is the way from the tool to the place, in the axes of the base.": c + C @ seen - t,
        "The way from the tool is turned by R where R^T is asked for: from axes of the base to those of the tool.": T
        @ (c + C @ seen - t),
        "The origin of the tool is missing: only the axes are changed.": T.T @ (c + C @ seen),
        "The origin of the tool is added, not taken away.": T.T @ (c + C @ seen + t),
        "The camera's place is missing.": tool(C @ seen),
        "The camera is turned, too: that adds what it sees in its own axes to its place in those of the base.": tool(
            c + seen
        ),
        "What the camera sees is turned the other way: R leads from its axes to those of the base.": tool(
            c + C.T @ seen
        ),
        "That is where the camera itself is.": tool(c),
        "That is where the tool itself stands.": t,
        "Only the axes are changed: both origins are missing.": T.T @ C @ seen,
        "What the camera sees is in its own axes, and the tool has others.": seen,
    }
    wrong |= _of_other_frames(p, arm, tool, seen)
    return laws.differs(sentence, at, value, right, OF_NUMBERS, wrong={words: list(x) for words, x in wrong.items()})


def _of_other_frames(p: Parameters, arm: Any, tool: Callable[..., Array], seen: Array) -> dict[str, Array]:
    """Return {words: the place} with another frame in the place of one; tool(x, R, place): x from the frame (R, place)."""
    (C, c), (T, t) = (rd.frame_pose(arm, p.pose, name) for name in ("camera", "tool"))
    still = np.zeros(_joints(p))
    (C0, c0), (T0, t0) = (rd.frame_pose(arm, still, name) for name in ("camera", "tool"))
    flange, carrier = (rd.frame_pose(arm, p.pose, arm.frame(name).link) for name in ("tool", "camera"))
    degrees = [rd.frame_pose(arm, np.radians(p.pose), name) for name in ("camera", "tool")]
    return {
        "That is the pose with all angles zero: the robot stands at p.pose.": tool(c0 + C0 @ seen, T0, t0),
        "The tool's frame is that of the last link: the file has a place and turns of its own for it.": tool(
            c + C @ seen, *flange
        ),
        "The camera's frame is that of its link: the file has a place and turns of its own for it.": tool(
            carrier[1] + carrier[0] @ seen
        ),
        "Camera and tool are exchanged: that is what the camera would see.": tool(t + T @ seen, C, c),
        "p.pose is in rad already.": tool(degrees[0][1] + degrees[0][0] @ seen, *degrees[1]),
    }


# The load


@functools.lru_cache(maxsize=256)  # a search tries thousands of values for one file and pose
def _torques_per_gravity(file: str, q: tuple[float, ...], grip: tuple[float, ...]) -> tuple[Array, Array]:
    """Return A and B, (n, 3) each: A g holds the arm, and B g a load of 1 kg at a place in the axes of the tool.

    g: acceleration of gravity in the axes of the base, m/s^2.  Torques at rest are linear in it, and those of a load are J^T.
    """
    arm = _robot(file)
    place = np.asarray(arm.tip) + np.asarray(arm.tip_rotation) @ np.array(grip)
    own = [rd.gravity_torque(_robot(file, tuple(axis)), q) for axis in np.eye(3).tolist()]
    return np.transpose(own), -rd.point_jacobian(arm, q, -1, place)[:3].T


def _torques(p: Parameters, q: Sequence[float], grip: Sequence[float] | None = None) -> tuple[Array, Array]:
    """Return what the motors hold of the arm itself, and of a load of 1 kg at a place in the axes of the tool, (n,) each, N m."""
    own, load = _torques_per_gravity(p.file, _numbers(q), _numbers(p.grip if grip is None else grip))
    down = np.array([0, 0, -9.81])
    return own @ down, load @ down


def _holds_most(p: Parameters, at: At, value: Value) -> str | None:
    """With the heaviest load one motor is at its limit, and none beyond."""
    most, (own, load) = _robot(p.file).joint_values("effort"), _torques(p, p.posture)
    felt = [k for k in range(_joints(p)) if abs(load[k]) > 1e-9]

    def first(own: Array = own, load: Array = load, most: Array = most) -> tuple[int, float]:
        kg, k = min(((most[k] - np.sign(load[k]) * own[k]) / abs(load[k]), k) for k in felt)
        return k + 1, float(kg)

    number, kg = first()
    sentence = "That is not the heaviest load."
    if laws.is_wordless():
        good = abs(value[0] - number) <= OF_NUMBERS * number and abs(value[1] - kg) <= OF_NUMBERS * kg
        return None if good else sentence
    joint = round(float(value[0])) if np.isfinite(value[0]) else 0
    if joint not in range(1, _joints(p) + 1) or abs(value[0] - joint) > 0.01:
        return f"The first number is that of a joint, from 1 to {_joints(p)}."
    wrong = _of_loads(p, own, load, most, first) | {
        f"That is the limit of motor {k + 1} alone, and another motor is at its own before.": (
            k + 1,
            (most[k] - np.sign(load[k]) * own[k]) / abs(load[k]),
        )
        for k in felt
        if k + 1 != number
    }
    masses = {words: one for words, (_, one) in wrong.items()}
    found = laws.differs(sentence, at, value[1], kg, OF_NUMBERS, power_of_g=-1, wrong=masses)
    if found:
        return found
    return _of_joint(float(value[0]), joint, number)


def _of_joint(said: float, joint: int, number: int) -> str | None:
    """Return what is wrong with the number of a joint where the load is right. joint: the whole number next to it; number: the right one."""
    if abs(said - joint) > OF_NUMBERS * joint:  # as the grade compares it
        return "The load is right; a joint has a number without decimals."
    if joint == number - 1:
        return (
            "The load is right; the motor that is at its limit then is the next one: joints count from 1 at the base."
        )
    return None if joint == number else "The load is right; it is another motor that is at its limit then."


def _of_loads(
    p: Parameters, own: Array, load: Array, most: Array, first: Callable[..., tuple[int, float]]
) -> dict[str, tuple[int, float]]:
    """Return {words: joint and load, kg} of mistakes; first(own, load, most): the first motor at its limit."""
    at_tool = _torques(p, p.posture, (0.0, 0.0, 0.0))[1]
    at_zero = _torques(p, [0.0] * _joints(p))
    flange = _turned_grip(p)
    by_value = [((most[k] - own[k]) / load[k], k + 1) for k in range(len(own)) if load[k] > 1e-9]
    wrong = {
        "The arm has to hold itself, too.": first(0 * own),
        "What the arm itself takes is taken away from the limit only where it has the sign of what the load takes.": first(
            -own
        ),
        "A limit holds in either direction: where what the load takes is negative, it is reached at -effort.": min(
            by_value, default=(np.nan, 0)
        )[::-1],
        "The load hangs where p.grip says, in the axes of the tool, not at its origin.": first(load=at_tool),
        "p.grip is in the axes of the tool, and counts from its origin, not in those of the last link.": first(
            load=flange
        ),
        "That is in the pose with all angles zero: p.posture is asked for.": first(*at_zero),
        "That is in p.pose: p.posture is asked for.": first(*_torques(p, p.pose)),
        "That is a weight, in N: a mass, in kg, is asked for.": (0, 9.81 * first()[1]),
        "That is all that the first motor holds, the arm included.": (
            0,
            float((most / np.maximum(abs(load), 1e-9))[first()[0] - 1]),
        ),
        "The size of what the arm takes counts, with the sign that the load has: they may be opposed.": first(
            np.sign(load) * abs(own)
        ),
        "The loads of all motors do not add up: the first one at its limit decides.": (
            0,
            float(sum((most - abs(own)) / np.maximum(abs(load), 1e-2))),
        ),
    }
    return {words: (int(k), float(kg)) for words, (k, kg) in wrong.items()}


def _turned_grip(p: Parameters) -> Array:
    """Return what a load of 1 kg takes, (n,) N m, if p.grip were in the axes of the last link."""
    arm = _robot(p.file)
    own = rd.gravity_torque(arm, p.posture)
    return rd.gravity_torque(arm.carrying(rd.Body(1.0, np.array(p.grip), np.zeros((3, 3)))), p.posture) - own


# Another mounting


def _turns(roll: float, pitch: float) -> tuple[Array, Array]:
    """Return the rotations about x and about y."""
    (a, b), (c, d) = (np.cos([roll, pitch]), np.sin([roll, pitch]))
    return np.array([[1, 0, 0], [0, a, -c], [0, c, a]]), np.array([[b, 0, d], [0, 1, 0], [-d, 0, b]])


def _holds_tilted(p: Parameters, at: At, value: Value) -> str | None:
    """The torques at rest are the slope of the potential energy, with heights along the room's vertical."""
    about_x, about_y = _turns(*p.tilt)
    sentence = "Those torques do not hold the arm with its load in this mounting."

    def held(gravity: Array, load: float = p.load, grip: Sequence[float] = p.grip) -> Array:
        own, hung = _torques_per_gravity(p.file, _numbers(p.pose), _numbers(grip))
        return own @ gravity + load * (hung @ gravity)

    down = np.array([0, 0, -9.81])
    right = held((about_y @ about_x).T @ down)
    if laws.is_wordless():
        return laws.differs(sentence, at, value, right, OF_NUMBERS)
    own = held((about_y @ about_x).T @ down, 0.0)
    base = (about_y @ about_x).T @ down
    wrong = {
        "That is for a base that stands upright.": held(down),
        "Gravity is turned into axes of the base by R^T, not by R.": held(about_y @ about_x @ down),
        "The two turns are in the other order: first about x, then about the room's y axis, which stays.": held(
            (about_x @ about_y).T @ down
        ),
        "The two turns are in the other order, and R stands in the place of R^T.": held(about_x @ about_y @ down),
        "The two angles are exchanged.": held(np.linalg.multi_dot(_turns(*p.tilt[::-1])[::-1]).T @ down),
        "The load hangs in the turned base, too: its weight is that of a base that stands upright.": own
        + held(down)
        - held(down, 0.0),
        "The arm itself stands in the turned base, too: its weight is that of a base that stands upright.": held(
            down, 0.0
        )
        + held(base)
        - own,
        "The turn about x is missing.": held(about_y.T @ down),
        "The turn about y is missing.": held(about_x.T @ down),
        "The turn about x goes the other way.": held((about_y @ about_x.T).T @ down),
        "The turn about y goes the other way.": held((about_y.T @ about_x).T @ down),
        "The load is missing.": own,
        "That is the load alone, without the arm.": held(base) - own,
        "The load counts twice.": held(base, 2 * p.load),
        "That is a load of 1 kg.": held(base, 1.0),
        "The load hangs where p.grip says, in the axes of the tool, not at its origin.": held(base, grip=(0, 0, 0)),
        "Gravity points up: the torques have the opposite sign.": held(-base),
        "That is for a base that stands upright, and without the load.": held(down, 0.0),
        "The weight of the load has the opposite sign.": 2 * own - held(base),
    }
    return laws.differs(
        sentence, at, value, right, OF_NUMBERS, power_of_g=1, wrong={w: list(x) for w, x in wrong.items()}
    )


# How long a motion lasts


@functools.lru_cache(maxsize=64)  # a search tries thousands of values for one motion
def _motion(file: str, start: tuple[float, ...], end: tuple[float, ...]) -> tuple[Array, Array, Array, Array]:
    """Return joints, accelerations, what swings the arm and what holds its weight, in a motion of 1 s: (MOMENTS, n) each."""
    way = np.subtract(end, start)
    s = np.linspace(0, 1, MOMENTS)[:, None]
    rate = 30 * s**2 * (1 - s) ** 2 * way
    bend = 60 * s * (1 - s) * (1 - 2 * s) * way
    q = np.array(start) + s**3 * (10 - 15 * s + 6 * s**2) * way
    weight = rd.gravity_torque(_robot(file), q)
    return q, bend, rd.inverse_dynamics(_robot(file), q, rate, bend) - weight, weight


def _fits_the_file(p: Parameters, at: At, value: Value) -> str | None:
    """In these times a joint turns, and a motor pulls, as much as the file allows, and none more."""
    arm = _robot(p.file)
    way = np.subtract(p.end, p.start)
    most = arm.joint_values("effort")
    speeds = arm.joint_values("velocity")
    by_speed = float(max(15 / 8 * abs(way) / speeds))
    both = "The first time is not that in which the first joint is at its limit of speed."
    if laws.is_wordless() and not abs(value[0] - by_speed) <= OF_TIMES * by_speed:
        return both  # a search need not move the arm to know
    q, bend, swung, weight = _motion(p.file, _numbers(p.start), _numbers(p.end))

    def lasts(swung: Array = swung, weight: Array = weight) -> float:
        return float(np.sqrt((abs(swung) / (most - np.sign(swung) * weight)).max()))

    by_torque = lasts()
    right = [by_speed, by_torque]
    if laws.is_wordless():
        return None if abs(value[1] - by_torque) <= OF_TIMES * by_torque else both
    if laws.differs(both, at, value[::-1], right, OF_TIMES) is None:
        return "Both times are right, and in the other order: that of the speeds first."
    found = laws.differs(both, at, value[0], by_speed, OF_TIMES, wrong=_of_speeds(way, speeds, by_torque))
    if found:
        return found
    still = np.zeros_like(q)
    slow = rd.inverse_dynamics(arm, q, still, bend) - weight
    wrong = _of_torques(swung, weight, most, lasts) | {
        "The velocity torques are missing.": lasts(slow),
        "The coupling in M is missing: a joint feels the accelerations of the others.": lasts(
            swung - slow + np.einsum("tii->ti", rd.mass_matrix(arm, q)) * bend
        ),
        "That is the time of the speeds.": by_speed,
        "That is the larger of both: the second number is that of the torques alone.": max(right),
    }
    sentence = "The time of the speeds is right; in the second time no motor is just at its limit of torque."
    return laws.differs(sentence, at, value[1], by_torque, OF_TIMES, wrong=wrong)


def _of_speeds(way: Array, speeds: Array, by_torque: float) -> dict[str, float]:
    """Return {words: the time by the speeds} of mistakes; way: what each joint turns, rad."""
    means = abs(way) / speeds
    return {
        "That is with the mean speed: on the way it is larger.": float(means.max()),
        "The largest rate is 15/8 of the mean one, not 3/2, which a cubic has.": float(1.5 * means.max()),
        "The largest rate is 15/8 of the mean one: that of the start of a parabola is 2.": float(2 * means.max()),
        "That is the joint that turns farthest: its speed may be larger.": float((15 / 8 * means)[abs(way).argmax()]),
        "That is the slowest joint of the file: it may have less to turn.": float((15 / 8 * means)[speeds.argmin()]),
        "That is the joint that is done first: all others must follow.": float(15 / 8 * means.min()),
        "That is the farthest way by the least speed of the file: each joint has its own of both.": float(
            15 / 8 * abs(way).max() / speeds.min()
        ),
        "That is a mean of the joints' times: the slowest decides.": float(15 / 8 * means.mean()),
        "Way and speed are exchanged: a time is a way by a speed.": float(15 / 8 / means.max()),
        "A joint that turns back counts, too: the size of its way.": float(15 / 8 * ((way / speeds).max())),
        "That is the rate for 1 s, not the time.": float((speeds / (15 / 8 * abs(way))).min()),
        "That is the time of the torques.": by_torque,
    }


def _of_torques(swung: Array, weight: Array, most: Array, lasts: Callable[..., float]) -> dict[str, float]:
    """Return {words: the time by the torques} of mistakes; swung: torques of a motion in 1 s, less the weight."""
    squares = abs(swung) / (most - np.sign(swung) * weight)
    fixed = (abs(swung + weight) / most).max()  # of the whole torque in 1 s
    return {
        "The weight is missing.": lasts(weight=0 * weight),
        "The weight has the opposite sign.": lasts(weight=-weight),
        "The weight takes its part of a limit with its sign: it may help.": lasts(weight=np.sign(swung) * abs(weight)),
        "Torques of a motion fall with the square of its time: a root is missing.": float(squares.max()),
        "The weight does not fall with the time as the rest does.": float(np.sqrt(fixed)),
        "The weight does not fall with the time as the rest does, nor the rest in proportion.": float(fixed),
        "That is the motor with the largest torque: its limit may be larger.": float(
            np.sqrt(squares[:, abs(swung).max(axis=0).argmax()].max())
        ),
        "The motion goes on: that is at its start alone, or at its end.": float(
            np.sqrt(squares[[0, 1, -2, -1]].max()) if squares[[0, 1, -2, -1]].any() else np.nan
        ),
    }


# The tree


def _vanish(p: Parameters, at: At, value: Value) -> str | None:
    """Of two joints neither of which carries the other no link is carried by both; coupled, a coordinate is at two joints."""
    joints = given.counts(p.tree)
    trunk = joints["trunk"]
    limb = joints["left"]
    tail = joints["tail"]
    free = 2 * (limb * limb + 2 * limb * tail)
    n = trunk + 2 * limb + tail
    value = [round(x) if abs(x - round(x)) <= OF_COUNTS * abs(x) else x for x in map(float, value)]  # as the grade does
    if value[0] == free and value[1] == 2 * limb * tail:
        return None
    if any(one != round(one) for one in value):
        return "Two whole numbers are asked for, without decimals."
    if value[1] == free and value[0] == 2 * limb * tail:
        return "Both numbers are right, and in the other order: that before the limbs are coupled first."
    slips = {
        "M is symmetric: each of them is there twice.": free // 2,
        "Those are the entries that do not vanish.": n**2 - free,
        "Each limb meets two others.": 2 * limb * (limb + tail),
        "Left and right limb meet, too, not the tail alone.": 4 * limb * tail,
        "The tail is a limb, too.": 2 * limb * limb,
        "A trunk carries all limbs: with it no entry vanishes.": free + 2 * trunk * (2 * limb + tail),
        "The entries within a limb stay: one of two of its joints carries the other.": n**2 - n,
    }
    if value[0] != free:
        words = next((words for words, other in slips.items() if value[0] == other), "")
        return Said("Before the limbs are coupled another number of entries vanishes.", words)
    words = {
        free: "The coupled limbs are one: what stood between them is now on the diagonal.",
        limb * tail: "G^T M G is symmetric, too: each of them is there twice.",
        0: "The tail still hangs on the trunk alone: what stood between it and both limbs was zero, and so is their sum.",
        4 * limb * tail: "Left and right limb are one coordinate each now: the tail does not meet them twice.",
        2 * limb * limb: "Left and right limb have one set of coordinates now; the tail has its own.",
        (trunk + limb + tail) ** 2 - 2 * limb * tail: "Those are the entries that do not vanish.",
    }.get(value[1], "")
    return Said("Before that it is right; with the coupling another number vanishes.", words)


def _couples(p: Parameters) -> tuple[Array, Array]:
    """Return G (m, n) and c (m,) of the tree whose right limb follows the left one: joints at G q + c."""
    joints = given.counts(p.tree)
    trunk = joints["trunk"]
    limb = joints["left"]
    tail = joints["tail"]
    G = np.zeros((trunk + 2 * limb + tail, trunk + limb + tail))
    G[: trunk + limb, : trunk + limb] = np.eye(trunk + limb)
    G[trunk + limb : trunk + 2 * limb, trunk : trunk + limb] = p.gear * np.eye(limb)
    G[trunk + 2 * limb :, trunk + limb :] = np.eye(tail)
    c = np.zeros(len(G))
    c[trunk + limb : trunk + 2 * limb] = p.shift
    return G, c


def _size(p: Parameters, at: At) -> tuple[int, int]:
    joints = given.counts(p.tree)
    n = sum(joints.values()) - joints["right"]
    return n, n


def _has_the_energy(p: Parameters, at: At, value: Value) -> str | None:
    """1/2 qd . M qd is the kinetic energy of all bodies, whichever coordinates move; a pair of them shows their entry."""
    (q,) = at
    (G, c), arm, n = _couples(p), _whole_tree(p.tree), len(value)
    axes = np.eye(n)
    pairs = [(i, j) for i in range(n) for j in range(i + 1)]
    rates = np.array([axes[i] + (i != j) * axes[j] for i, j in pairs])
    energy = rd.kinetic_energy(arm, np.array([G @ q + c] * len(pairs)), rates @ G.T)
    found = np.einsum("ti,ij,tj->t", rates, np.asarray(value), rates) / 2
    gaps = abs(found - energy) / energy.max()
    if gaps.max() <= NEAR:
        return None
    sentence = "1/2 qd . M qd is not the kinetic energy of the tree"
    if laws.is_wordless():
        return sentence
    i, j = pairs[int(np.argmax(gaps > NEAR))]
    which = (
        f", already where coordinate {i + 1} moves alone" if i == j else f" where coordinates {j + 1} and {i + 1} move"
    )
    return Said(f"{sentence}{which}.", close="It is close: functions should not round." if gaps.max() < 1e-3 else "")


def _wrong_tree(make: Callable[..., Array]) -> Callable[[Parameters], Any]:
    """Return the matrix of a mistake: make(M, G, c, q, first, last), M(joints) of the free tree; the left limb from first to last."""

    def of(p: Parameters) -> Callable[..., Array]:
        (G, c), arm, joints = _couples(p), _whole_tree(p.tree), given.counts(p.tree)
        ends = joints["trunk"], joints["trunk"] + joints["left"]
        return lambda q: make(lambda x: rd.mass_matrix(arm, x), G, c, q, *ends)

    return of


def _with_gear(G: Array, first: int, last: int, gear: float | Callable[[float], float]) -> Array:
    """Return G with another factor of the right limb: a number, or a function of what it is."""
    own = G[last, first]
    other = G.copy()
    rows = np.arange(last, 2 * last - first), np.arange(first, last)
    other[rows] = gear(own) if callable(gear) else gear
    return other


SLIPS_OF_TREE: Mapping[str, Callable[..., Array]] = {
    "the right limb does not stand at p.gear q + p.shift: p.shift is missing there": lambda M, G, c, q, a, b: (
        G.T @ M(G @ q) @ G
    ),
    "p.shift has the opposite sign": lambda M, G, c, q, a, b: G.T @ M(G @ q - c) @ G,
    "the right limb does not move with the left one: its rows and columns are struck out, and its rates with them": (
        lambda M, G, c, q, a, b: _struck(M(G @ q + c), a, b)
    ),
    "the right limb stands still at zero, and turns with nothing: it follows the left one": lambda M, G, c, q, a, b: (
        _struck(M(_with_gear(G, a, b, 0.0) @ q), a, b)
    ),
    "the right limb turns p.gear times as fast: that factor is missing in G": lambda M, G, c, q, a, b: (
        _with_gear(G, a, b, 1.0).T @ M(G @ q + c) @ _with_gear(G, a, b, 1.0)
    ),
    "the factor p.gear is missing, in the place of the right limb and in its rates": lambda M, G, c, q, a, b: (
        _with_gear(G, a, b, 1.0).T @ M(_with_gear(G, a, b, 1.0) @ q + c) @ _with_gear(G, a, b, 1.0)
    ),
    "the factor p.gear is missing in the place of the right limb, and is there in its rates": lambda M, G, c, q, a, b: (
        G.T @ M(_with_gear(G, a, b, 1.0) @ q + c) @ G
    ),
    "the right limb turns p.gear times as fast, not one p.gear-th: the left one leads": lambda M, G, c, q, a, b: (
        _with_gear(G, a, b, lambda x: 1 / x).T @ M(_with_gear(G, a, b, lambda x: 1 / x) @ q + c) @ _with_gear(G, a, b, lambda x: 1 / x)
    ),
    "p.gear has the opposite sign": lambda M, G, c, q, a, b: (
        _with_gear(G, a, b, lambda x: -x).T @ M(_with_gear(G, a, b, lambda x: -x) @ q + c) @ _with_gear(G, a, b, lambda x: -x)
    ),
    "G stands on one side only: M G has to be added up for the left limb": lambda M, G, c, q, a, b: (
        np.linalg.pinv(_with_gear(G, a, b, 0.0)) @ M(G @ q + c) @ G
    ),
    "p.shift is multiplied by p.gear": lambda M, G, c, q, a, b: G.T @ M(G @ q + G[b, a] * c) @ G,
    "the left limb follows the right one: the right one should follow": lambda M, G, c, q, a, b: _led_by_the_other(
        M, G, c, q, a, b
    ),
    "the inverse of M has another rule: that is (G^+ M^-1 G^+T)^-1": lambda M, G, c, q, a, b: np.linalg.inv(
        np.linalg.pinv(G) @ np.linalg.inv(M(G @ q + c)) @ np.linalg.pinv(G).T
    ),
}  # fmt: skip


def _struck(M: Array, first: int, last: int) -> Array:
    """Return a matrix without the rows and columns of the right limb."""
    kept = np.r_[0:last, 2 * last - first : len(M)]
    return M[np.ix_(kept, kept)]


def _led_by_the_other(M: Callable[..., Array], G: Array, c: Array, q: Array, first: int, last: int) -> Array:
    """Return the matrix with the rows of both limbs of G and c exchanged."""
    order = np.r_[0:first, last : 2 * last - first, first:last, 2 * last - first : len(G)]
    return G[order].T @ M(G[order] @ q + c[order]) @ G[order]


QUESTIONS = {
    "seen": Question(
        "where the tool sees what the camera sees",
        shape=(3,),
        tolerance=OF_NUMBERS,
        laws=(_seen_by_tool,),
        hints=(
            "Two frames of the file, on two links: where is each in the axes of the base, at p.pose?",
            'The place in axes of the base is the camera\'s origin plus its R times p.seen. rd.frame_pose(arm, q, "camera") gives both.',
            "From the tool: what leads from its origin to that place, turned by R^T into its axes.",
        ),
    ),
    "heaviest": Question(
        "the first motor at its limit, and the load then",
        shape=(2,),
        tolerance=OF_NUMBERS,
        laws=(_holds_most,),
        credit=Credit(Credit.WHOLE),
        hints=(
            "Two torques at each joint: of the arm itself, and of 1 kg at p.grip. Does the second depend on how heavy the load is?",
            "own + m one = effort or -effort: which of the two, says the sign of what the load takes. A joint that feels nothing of the load has no say.",
            "m_i = (effort_i - sign(one_i) own_i) / |one_i|, and the least of them is the answer. One kg takes J^T (0, 0, 9.81), with J of the point p.grip of the tool.",
        ),
    ),
    "mounting": Question(
        "torques that hold the arm with its load in another mounting",
        shape=lambda p, at: (_joints(p),),
        tolerance=OF_NUMBERS,
        laws=(_holds_tilted,),
        hints=(
            "A file has no gravity. rd.Arm.from_urdf takes one, in axes of the base: where does the room's down point there?",
            "R = Ry Rx has the axes of the base, in those of the room. A vector of the room is R^T times itself in axes of the base.",
            "With roll r and pitch s: 9.81 (sin s, -cos s sin r, -cos s cos r). The load is a body on the last link, or J^T times its weight.",
        ),
    ),
    "durations": Question(
        "the least times that speeds, and torques, allow",
        shape=(2,),
        tolerance=OF_TIMES,
        laws=(_fits_the_file,),
        hints=(
            "Give the motion the duration 1 s first. What do rates, accelerations and torques of T s have to do with those of 1 s?",
            "Rates by 1/T, accelerations and all that is quadratic in rates by 1/T^2, the weight not at all. The largest slope of the profile is 15/8.",
            "At each moment and joint |swung| / T^2 may fill what the weight leaves of the limit: (effort - sign(swung) weight). The largest quotient is T^2.",
        ),
    ),
    "zeros": Question(
        "how many entries vanish, before and after coupling",
        shape=(2,),
        tolerance=OF_COUNTS,
        laws=(_vanish,),
        credit=Credit(Credit.WHOLE),
        hints=(
            "M_ij vanishes in every pose where neither joint carries the other. Which pairs are that here?",
            "Count pairs of joints in different limbs, each twice, for M is symmetric. The trunk carries all of them.",
            "Coupled, left and right limb have one set of coordinates; G^T M G adds up entries of M. Which sums have only zeros in them?",
        ),
    ),
    "reduced": Question(
        "the mass matrix of the coupled tree",
        **CALLED["reduced"],
        shape=_size,
        laws=(laws.symmetric, laws.definite, _has_the_energy),
        mistakes={words: _wrong_tree(make) for words, make in SLIPS_OF_TREE.items()},
        hints=(
            "Where are all joints of the tree, if its coordinates are q? And how fast does each turn?",
            "The rates of all joints are G qd: a 1 where a joint is its own coordinate, p.gear where it follows one.",
            "2 T = (G qd) . M (G qd), so G^T M G, with M of the free tree where its joints are at G q + c. In c the right limb has p.shift.",
        ),
    ),
}
