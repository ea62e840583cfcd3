"""Right answers to the questions of "robot-file", from the text of the file by another route than the library's own reader.

Poses are products of the file's origins, torques are virtual work of the weights and of what accelerates the bodies.
"""

import itertools
import xml.etree.ElementTree as ET
from functools import partial

import numpy as np
from scipy.spatial.transform import Rotation

UP, G = np.array([0.0, 0.0, 1.0]), 9.81


def origin(element):
    """The (rotation, position) of an element's origin."""
    found = element.find("origin")
    if found is None:
        return np.eye(3), np.zeros(3)
    xyz, rpy = (np.array(found.get(name, "0 0 0").split(), dtype=float) for name in ("xyz", "rpy"))
    return Rotation.from_euler("xyz", rpy).as_matrix(), xyz


def bodies_of(text):
    """{link: (mass, center of mass, inertia about it)}, each in the axes of its link."""
    found = {}
    for link in ET.fromstring(text).iter("link"):
        inertial = link.find("inertial")
        if inertial is not None:
            R, c = origin(inertial)
            (xx, xy, xz, yy, yz, zz) = (
                float(inertial.find("inertia").get(f"i{x}")) for x in ("xx", "xy", "xz", "yy", "yz", "zz")
            )
            inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            found[link.get("name")] = float(inertial.find("mass").get("value")), c, R @ inertia @ R.T
    return found


def joints_of(text):
    """The joints in the order of the file."""
    return list(ET.fromstring(text).iter("joint"))


def turning(text):
    """The joints that turn."""
    return [joint for joint in joints_of(text) if joint.get("type") != "fixed"]


def limits(text, name):
    """What the file says of each joint that turns."""
    return np.array([float(joint.find("limit").get(name)) for joint in turning(text)])


def frames(text, q):
    """{link: (R, p)} in the axes of the base for q (B, n), and [(axis, point)] of the joints that turn."""
    q = np.atleast_2d(q)
    placed, axes = {"base": (np.eye(3) + np.zeros((len(q), 1, 1)), np.zeros((len(q), 3)))}, []
    for joint in joints_of(text):
        R, p = placed[joint.find("parent").get("link")]
        own, place = origin(joint)
        R, p = R @ own, p + R @ place
        if joint.get("type") != "fixed":
            axis = np.array(joint.find("axis").get("xyz").split(), dtype=float)
            angle = q[:, len(axes)]
            axes.append((R @ axis, p))
            R = R @ Rotation.from_rotvec(axis * angle[:, None]).as_matrix()
        placed[joint.find("child").get("link")] = R, p
    return placed, axes


def carried(axes, above, point):
    """The velocity of a point (B, 3) by the rate of each joint: (B, 3, n); above: how many joints of a chain carry it."""
    columns = [np.cross(z, point - o) if k < above else 0 * point for k, (z, o) in enumerate(axes)]
    return np.stack(columns, axis=-1)


def turned_by(axes, above):
    """The angular velocity of a body by the rate of each joint: (B, 3, n)."""
    return np.stack([z if k < above else 0 * z for k, (z, _) in enumerate(axes)], axis=-1)


def held(text, q, up=UP):
    """What the motors of a chain hold of the arm itself, N m: (B, n)."""
    placed, axes = frames(text, q)
    rows = enumerate(bodies_of(text).items(), start=1)  # a chain: its links in order
    return sum(m * G * up @ carried(axes, k, placed[name][0] @ c + placed[name][1]) for k, (name, (m, c, _)) in rows)


def held_load(text, q, grip, up=UP):
    """What they hold of a load of 1 kg at a place of the tool, N m: (B, n)."""
    placed, axes = frames(text, q)
    R, p = placed["tool"]
    return G * up @ carried(axes, len(axes), p + R @ np.array(grip))


def seen(p):
    """Where the bolt is for the tool."""
    placed, _ = frames(p.file, p.pose)
    (C, c), (T, t) = ((R[0], p[0]) for R, p in (placed["camera"], placed["tool"]))
    return T.T @ (c + C @ np.array(p.seen) - t)


def heaviest(p):
    """The first motor at its limit, and the load in kg."""
    most, own, load = limits(p.file, "effort"), held(p.file, p.posture)[0], held_load(p.file, p.posture, p.grip)[0]
    pairs = [
        ((side * most[k] - own[k]) / load[k], k + 1) for k in range(len(own)) for side in (1, -1) if abs(load[k]) > 1e-9
    ]
    kg, joint = min(pair for pair in pairs if pair[0] > 0)
    return np.array([joint, kg])


def mounting(p):
    """What holds the arm and its load on a base that is turned, first about x, then about y."""
    up = Rotation.from_euler("xyz", (*p.tilt, 0)).as_matrix().T @ UP
    return (held(p.file, p.pose, up) + p.load * held_load(p.file, p.pose, p.grip, up))[0]


def accelerated(text, q, way):
    """Torques (B, n) of the joints q (B, n) that go along a way: of its acceleration 1, and of its rate 1."""

    def at(q):
        placed, axes = frames(text, q)
        rows = list(enumerate(bodies_of(text).items(), start=1))
        moved = [carried(axes, k, placed[name][0] @ c + placed[name][1]) for k, (name, (_, c, _)) in rows]
        return placed, np.array(moved), np.array([turned_by(axes, k) for k, _ in rows])

    h = 1e-5
    (placed, moved, turned), (_, *after), (_, *before) = at(q), at(q + h * way), at(q - h * way)
    bent = [(a @ way - b @ way) / (2 * h) for a, b in zip(after, before)]  # accelerations of centers, and of turning
    pulled, steady = 0.0, 0.0
    apply = lambda columns, force: np.einsum("bik,bi->bk", columns, force)
    for k, (name, (m, _, inertia)) in enumerate(bodies_of(text).items()):
        R = placed[name][0]
        world = partial(np.einsum, "bij,jk,blk,bl->bi", R, inertia, R)
        omega = turned[k] @ way
        pulled = pulled + m * apply(moved[k], moved[k] @ way) + apply(turned[k], world(omega))
        spun = world(bent[1][k]) + np.cross(omega, world(omega))
        steady = steady + m * apply(moved[k], bent[0][k]) + apply(turned[k], spun)
    return pulled, steady


def durations(p):
    """The least times by the speeds and by the motors of the file, at 1001 moments."""
    way, most = np.subtract(p.end, p.start), limits(p.file, "effort")
    s = np.linspace(0, 1, 1001)[:, None]
    q = np.array(p.start) + s**3 * (10 - 15 * s + 6 * s**2) * way
    pulled, steady = accelerated(p.file, q, way)
    swung = 60 * s * (1 - s) * (1 - 2 * s) * pulled + (30 * s**2 * (1 - s) ** 2) ** 2 * steady
    weight = held(p.file, q)
    squares = max((swung / (most - weight)).max(), (-swung / (most + weight)).max())  # T^2, of either direction
    return np.array([(15 / 8 * abs(way) / limits(p.file, "velocity")).max(), np.sqrt(squares)])


def zeros(p):
    """How many entries vanish: of joints of which neither carries the other; of coordinates of which no two joints do."""
    above = {}
    for joint in joints_of(p.tree):
        parent, child = (joint.find(x).get("link") for x in ("parent", "child"))
        above[child] = {child, *above.get(parent, ())}
    coupled = {}
    for link in above:
        coupled.setdefault(link.replace("right", "left"), []).append(link)
    apart = lambda a, b: a not in above[b] and b not in above[a]
    free = sum(apart(a, b) for a, b in itertools.product(above, repeat=2))
    left = sum(
        all(apart(a, b) for a, b in itertools.product(one, other))
        for one, other in itertools.product(coupled.values(), repeat=2)
    )
    return np.array([free, left])
