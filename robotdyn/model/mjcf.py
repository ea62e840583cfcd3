"""Arms from MuJoCo's models:  joints, the bodies that they carry, the rotors of their motors, through `mujoco` itself."""

from __future__ import annotations

import warnings
from os import PathLike
from typing import Any

import numpy as np

from robotdyn.maths.rotations import from_quaternion
from robotdyn.maths.spatial import compose, rotation
from robotdyn.maths.validate import Floats
from robotdyn.model.arm import Arm
from robotdyn.model.joints import FREE_MOTION
from robotdyn.model.link import JointProperties, Link, LinkFrame
from robotdyn.model.locked import joined_bodies
from robotdyn.model.urdf_text import is_text, listed, title_of

FREE, BALL, SLIDE = range(3)  # types of joints as MuJoCo numbers them; a hinge is the fourth
EQUAL_JOINTS = 2  # the type of equality constraints of joints
JOINT_IN_PARENT = 1  # the type of transmissions to a joint, its forces in the axes of the parent; 0: in its own
UNIT = (np.eye(3), np.zeros(3))
NOTHING = (0.0, np.zeros(3), np.zeros((3, 3)))  # the body of a link without mass


# where: read robots of another format
# a function that returns an `Arm`, as `from_mjcf` does, and a warning of what an arm has no place for; `located` in
# `robotdyn/model/urdf_places.py` says where URDF files come from, `robotdyn/model/urdf_writer.py` writes them
def from_mjcf(path: str | PathLike[str], tip: str | None = None) -> Arm:
    """Return the arm, or the tree, of all joints of a MuJoCo model, in its order; needs `mujoco`.

    path: of an MJCF file; or its text, which begins with <, or a `mujoco.MjModel`.
    tip: the body or site whose frame is the tip frame, on the last link; default the frame of the last body that moves.

    q is MuJoCo's qpos of hinges and slides, with its reference.  A free joint `trunk` is six joints, `trunk_x`, `_y` and `_z`,
    its qpos in m, and `trunk_yaw`, `_pitch` and `_roll`, rad, whose Rz Ry Rx is the rotation of its quaternion; a ball joint is
    three such angles.  So qd is not MuJoCo's qvel there, and the pitch must stay away from 90 degrees; `arm.locked` holds them.
    Masses, inertias, armatures of joints and of the actuators that drive them (as `motor_inertia`) and gravity are its own,
    limits, damping and friction are kept as of a URDF file.  `arm.frame` knows the names of bodies and sites that move.  Of several joints of one body, all but the last carry
    links without mass.
    A joint that an equality constraint binds to another one by a straight line follows it exactly, as a gear makes it, and is
    no coordinate: `arm.coupling`; `arm.uncoupled` frees it.
    One warning says what the arm is without: what else actuators do, springs, tendons, other equality constraints, contacts and fluids do
    nothing, neither do armature, damping and limits of free and ball joints.
    Raises ImportError without `mujoco`, ValueError for what it cannot read, a model without a joint, and a tip elsewhere.
    """
    mujoco, model = _model(path)
    title = title_of(path) if isinstance(path, (str, PathLike)) else "the model"
    links: list[dict[str, Any]] = []
    parents: list[int] = []
    bodies: list[list[tuple[float, Floats, Floats]]] = []
    placed = {0: (-1, *UNIT)}  # by body: the index of the link that carries it, and R, p there
    own: dict[int, int] = {}  # by joint: the index of its first link
    for b in range(1, model.nbody):
        carrier, *frame = placed[model.body_parentid[b]]
        R, p = compose((frame[0], frame[1]), (from_quaternion(model.body_quat[b]), model.body_pos[b]))
        for j in range(model.body_jntadr[b], model.body_jntadr[b] + model.body_jntnum[b]):
            if model.jnt_type[j] == FREE:  # its qpos is a pose in the world
                carrier, R, p = -1, *UNIT
            own[j] = len(links)
            for link in _joints(model, j, R, p):
                links.append(link)
                parents.append(carrier)
                bodies.append([NOTHING])
                carrier = len(links) - 1
            R = np.eye(3)
            p = -model.jnt_pos[j]
        placed[b] = carrier, R, p
        if carrier >= 0:
            axes = R @ from_quaternion(model.body_iquat[b])
            about_com = axes * model.body_inertia[b] @ axes.T
            bodies[carrier].append(
                (float(model.body_mass[b]), p + R @ model.body_ipos[b], (about_com + about_com.T) / 2)
            )
    if not links:
        raise ValueError(f"{title} must have a joint, got a model without any")
    frames = _frames(model, placed)
    fields = [link | dict(zip(("mass", "com", "inertia"), joined_bodies(parts))) for link, parts in zip(links, bodies)]
    at = _tip_frame(frames, links, tip, title)
    disabled = model.opt.disableflags
    binds = not disabled & mujoco.mjtDisableBit.mjDSBL_EQUALITY
    followers = _followers(model) if binds else {}
    if left := _left_out(model, (model.neq - len(followers)) * binds):
        warnings.warn(f"{title}: the arm is without {', '.join(left)}", stacklevel=2)
    falls = not disabled & mujoco.mjtDisableBit.mjDSBL_GRAVITY
    fall = model.opt.gravity * falls
    coupled = _coupling(model, followers, own, len(links))
    return Arm([Link(**link) for link in fields], fall, at.position, at.rotation, parents, frames, *coupled)


def _followers(model: Any) -> dict[int, tuple[int, float, float]]:
    """Return {joint: (leader or -1, factor, offset)} of the joints that equality constraints bind by a straight line.

    A second constraint on a joint, one that would close a ring, and one that would leave no joint free are not among them.
    """
    found: dict[int, tuple[int, float, float]] = {}
    for e in np.flatnonzero((model.eq_type == EQUAL_JOINTS) & model.eq_active0):
        joint = int(model.eq_obj1id[e])
        leader = int(model.eq_obj2id[e])
        offset, factor, *curve = model.eq_data[e, :5]
        end = leader
        while end in found:
            end = found[end][0]
        if any(curve) or joint in found or end == joint or len(found) + 1 == model.njnt:
            continue
        starts = model.qpos0[model.jnt_qposadr[[joint, leader]]]
        found[joint] = leader, float(factor), float(starts[0] + offset - factor * starts[1])
        if leader < 0:
            found[joint] = -1, 0.0, float(starts[0] + offset)
    return found


def _coupling(
    model: Any, followers: dict[int, tuple[int, float, float]], own: dict[int, int], m: int
) -> tuple[Floats | None, list[int] | None]:
    """Return the coupling of an arm of m links and the links of its coordinates, None where all joints are free."""
    if not followers:
        return None, None
    bound = {own[j] for j in followers}
    free = [i for i in range(m) if i not in bound]
    rows = np.zeros((m, len(free) + 1))
    rows[free, range(len(free))] = 1
    for joint in followers:
        way = [joint]
        while way[-1] in followers:
            way.append(followers[way[-1]][0])
        row = rows[own[way.pop()]] if way[-1] >= 0 else np.zeros(len(free) + 1)
        for follower in reversed([j for j in way if j >= 0]):
            _, factor, offset = followers[follower]
            row = factor * row + offset * np.eye(1, len(row), len(free))[0]
        rows[own[joint]] = row
    return rows, free


def _model(path: Any) -> tuple[Any, Any]:
    """Return the module mujoco, and the MjModel of a path, a text, or itself."""
    try:
        import mujoco
    except ImportError:
        raise ImportError("from_mjcf needs MuJoCo, which is not installed: pip install mujoco") from None
    if isinstance(path, mujoco.MjModel):
        return mujoco, path
    if not isinstance(path, (str, PathLike)):
        raise TypeError(f"path must be the path of an MJCF file, its text, or a MjModel, got {type(path).__name__}")
    read = mujoco.MjModel.from_xml_string if is_text(str(path)) else mujoco.MjModel.from_xml_path
    try:
        return mujoco, read(str(path))
    except ValueError as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"{title_of(path)} must be a model that MuJoCo reads, got its error: {reason}") from None


def _joints(model: Any, j: int, R: Floats, p: Floats) -> list[dict[str, Any]]:
    """Return fields of the links of a joint: one of a hinge or slide, three of a ball joint, six of a free one."""
    if model.jnt_type[j] > BALL:
        return [_joint(model, j, R, p)]
    words = list(FREE_MOTION) if model.jnt_type[j] == FREE else ["yaw", "pitch", "roll"]
    body = model.body(model.jnt_bodyid[j]).name
    name = model.joint(j).name or body
    links: list[dict[str, Any]] = [dict(zip(("joint", "axis"), FREE_MOTION[word])) for word in words]
    others = {model.joint(k).name for k in range(model.njnt)}
    for word, link in zip(words, links):
        link["joint_name"] = _free_name(f"{name}_{word}", others) if name else None
    links[0] |= {"position": p + R @ model.jnt_pos[j], "rotation": R}
    links[-1]["name"] = (body or None) if _is_last(model, j) else None
    return links


def _free_name(name: str, others: set[str]) -> str:
    """Return a name that no other joint of a model has."""
    while name in others:
        name += "_"
    return name


def _is_last(model: Any, j: int) -> bool:
    """Return whether a joint is the last one of its body, which it then carries."""
    body = model.jnt_bodyid[j]
    return bool(j == model.body_jntadr[body] + model.body_jntnum[body] - 1)


def _joint(model: Any, j: int, R: Floats, p: Floats) -> dict[str, Any]:
    """Return fields of the link of a hinge or slide, whose frame has the axes of the body and stands at the joint's anchor."""
    axis = model.jnt_axis[j] / np.linalg.norm(model.jnt_axis[j])
    slides = model.jnt_type[j] == SLIDE
    start = model.qpos0[model.jnt_qposadr[j]]
    anchor = model.jnt_pos[j] - slides * start * axis
    dof = model.jnt_dofadr[j]
    gears = _gears(model, j)
    body = model.jnt_bodyid[j]
    limited = {"lower": model.jnt_range[j, 0], "upper": model.jnt_range[j, 1]} if model.jnt_limited[j] else {}
    if model.jnt_actfrclimited[j]:
        limited["effort"] = abs(model.jnt_actfrcrange[j]).min()  # what it has in both directions
    damping = model.dof_damping[dof] + gears**2 @ _of_actuators(model, "damping")
    dry = {"damping": damping, "friction": model.dof_frictionloss[dof]}
    return {
        "joint": "prismatic" if slides else "revolute",
        "axis": axis,
        "position": p + R @ anchor,
        "rotation": R if slides else R @ rotation(axis, -start),
        "motor_inertia": model.dof_armature[dof] + gears**2 @ _of_actuators(model, "armature"),
        "name": (model.body(body).name or None) if _is_last(model, j) else None,
        "joint_name": model.joint(j).name or None,
        "properties": JointProperties(**{key: float(value) for key, value in (limited | dry).items()}),
    }


def _gears(model: Any, j: int) -> Floats:
    """Return for each actuator how many times as far as a hinge or slide it moves, 0 where it does not drive it."""
    drives = (model.actuator_trntype <= JOINT_IN_PARENT) & (model.actuator_trnid[:, 0] == j)
    return np.asarray(model.actuator_gear[:, 0] * drives, dtype=np.float64)


def _of_actuators(model: Any, name: str) -> Floats:
    """Return the armature or the damping of each actuator; older versions of MuJoCo know none."""
    return np.asarray(getattr(model, f"actuator_{name}", np.zeros(model.nu)), dtype=np.float64)


def _frames(model: Any, placed: dict[int, tuple[int, Floats, Floats]]) -> dict[str | None, LinkFrame]:
    """Return {name: frame} of the bodies and sites that move; of a body and a site of one name, that of the body."""
    frames: dict[str | None, LinkFrame] = {}
    for s in range(model.nsite):
        link, *frame = placed[model.site_bodyid[s]]
        R, p = compose((frame[0], frame[1]), (from_quaternion(model.site_quat[s]), model.site_pos[s]))
        frames[model.site(s).name] = LinkFrame(link, p, R)
    frames |= {model.body(b).name: LinkFrame(link, p, R) for b, (link, R, p) in placed.items()}
    return {name: frame for name, frame in frames.items() if name and frame.link >= 0}


def _tip_frame(
    frames: dict[str | None, LinkFrame], links: list[dict[str, Any]], tip: str | None, title: Any
) -> LinkFrame:
    """Return the frame of a body or site on the last link, by default of the last body that moves."""
    last = LinkFrame(len(links) - 1)
    at = frames.get(links[-1].get("name") if tip is None else tip, last if tip is None else LinkFrame(-1))
    if at.link != last.link:
        there = [str(name) for name, frame in frames.items() if frame.link == last.link]
        raise ValueError(
            f"tip must be a body or a site on the last link of {title}, got {tip!r}; there are {listed(there)}; "
            "others are frames, arm.frame(name)"
        )
    return at


def _left_out(model: Any, equalities: int) -> list[str]:
    """Return phrases of what a model has and an arm has not."""
    in_fluid = model.opt.density > 0 or model.opt.viscosity > 0
    touching = int(((model.geom_contype > 0) | (model.geom_conaffinity > 0)).sum())
    turning = np.flatnonzero(model.jnt_type <= BALL)
    of_dofs = model.dof_armature + model.dof_damping + model.dof_frictionloss
    rotors = (bool(model.jnt_limited[j] or of_dofs[model.dof_jntid == j].any()) for j in turning)
    curves = [getattr(model, f"{owner}_dampingpoly", np.zeros(1)) for owner in ("dof", "actuator")]
    counts = {
        "damping that is no straight line": sum(int(np.any(curve, axis=-1).sum()) for curve in curves),
        "armature, damping, friction or limit of a free or ball joint": sum(rotors),
        "actuator": model.nu,
        "spring of a joint": int((model.jnt_stiffness > 0).sum()),
        "tendon": model.ntendon,
        "equality constraint": equalities,
        "body that gravity is taken from": int((model.body_gravcomp > 0).sum()),
        "shape that touches others": touching,
        "fluid": int(in_fluid),
    }
    return [f"its {name} ({count})" for name, count in counts.items() if count]
