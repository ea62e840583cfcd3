"""Arms of the outside world:  URDF files, read as the chain from the root link to a tip link."""

from xml.etree import ElementTree

import numpy as np

from robotdyn.arm import Arm, Link
from robotdyn.spatial import compose, rotation

MOVING = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic"}


def arm_from_urdf(path, tip, gravity):
    """Return the Arm of a URDF file: the work behind `Arm.from_urdf`, whose arguments it takes."""
    try:
        robot = ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        raise ValueError(f"{path} must be a URDF file, got text that is no XML: {error}") from None
    bodies = {link.get("name"): link for link in robot.findall("link")}
    joints = {joint.find("child").get("link"): joint for joint in robot.findall("joint")}  # by child link
    carries = {name: [] for name in bodies}
    for child, joint in joints.items():
        carries[joint.find("parent").get("link")].append(child)
    tip = tip if tip is not None else _only_leaf(carries, path)
    if tip not in bodies:
        raise ValueError(f"tip must be a link of {path}: {', '.join(sorted(bodies))}; got {tip!r}")
    chain = [tip]
    while chain[0] in joints:
        chain.insert(0, joints[chain[0]].find("parent").get("link"))

    links, frame = [], (np.eye(3), np.zeros(3))  # frame: from the last moving link to the link at hand
    for name in chain[1:]:
        joint = joints[name]
        R, p = compose(frame, _origin(joint))
        if joint.get("type") == "fixed":
            frame = (R, p)
            continue
        if joint.get("type") not in MOVING:
            raise ValueError(
                f"joint {joint.get('name')} must be fixed, revolute, continuous or prismatic to lie on the chain to {tip}, "
                f"got {joint.get('type')}"
            )
        axis = joint.find("axis")
        axis = _triple(axis.get("xyz")) if axis is not None else np.array([1.0, 0.0, 0.0])
        mass, com, inertia = _body(name, bodies, joints, carries, [link for link in chain if link != name])
        try:
            links.append(Link(mass, com, inertia, MOVING[joint.get("type")], axis / np.linalg.norm(axis), p, R))
        except ValueError as error:
            raise ValueError(f"link {name} of {path}: {error}") from None
        frame = (np.eye(3), np.zeros(3))
    if not links:
        raise ValueError(f"the chain to {tip} must have a moving joint, got none in {path}")
    return Arm(links, gravity=gravity, tip=frame[1])


def _body(name, bodies, joints, carries, chain):
    """Return mass, center of mass and inertia about it of a link with all that rides on it, in the link's axes."""
    parts, todo = [], [(name, np.eye(3), np.zeros(3))]
    while todo:
        link, R, p = todo.pop()
        inertial = bodies[link].find("inertial")
        if inertial is not None:
            R_c, c = compose((R, p), _origin(inertial))
            parts.append((float(inertial.find("mass").get("value")), c, R_c @ _moments(inertial) @ R_c.T))
        for child in carries[link]:
            if child not in chain or joints[child].get("type") == "fixed":
                todo.append((child, *compose((R, p), _origin(joints[child]))))
    mass = sum(part[0] for part in parts)
    if mass == 0:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    com = sum(m * c for m, c, _ in parts) / mass
    offsets = [(m, c - com, about) for m, c, about in parts]
    return mass, com, sum(about + m * (d @ d * np.eye(3) - np.outer(d, d)) for m, d, about in offsets)


def _moments(inertial):
    entry = inertial.find("inertia")
    xx, xy, xz, yy, yz, zz = (float(entry.get(key, 0)) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _origin(element):
    """Return R, p of an <origin>: fixed-axis roll, pitch, yaw, so R = Rz(yaw) Ry(pitch) Rx(roll)."""
    origin = element.find("origin")
    if origin is None:
        return np.eye(3), np.zeros(3)
    roll, pitch, yaw = _triple(origin.get("rpy", "0 0 0"))
    x, y, z = np.eye(3)
    return rotation(z, yaw) @ rotation(y, pitch) @ rotation(x, roll), _triple(origin.get("xyz", "0 0 0"))


def _triple(text):
    return np.array([float(word) for word in text.split()])


def _only_leaf(carries, path):
    leaves = sorted(name for name, children in carries.items() if not children)
    if len(leaves) != 1:
        raise ValueError(f"tip must be given for a URDF that branches: {path} ends in {', '.join(leaves)}")
    return leaves[0]
