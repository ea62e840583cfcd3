"""Where the links are and how they move:  p(q), R(q),  v = J(q) qd,  a = J(q) qdd + Jdot qd."""

from __future__ import annotations

from typing import Any

from robotdyn.maths.coupling import for_coupled_joints
from robotdyn.maths.namespace import generic, namespace
from robotdyn.maths.spatial import Array, Frame, Transform, compose, cross_motion
from robotdyn.maths.validate import Entries, Result, as_array, in_short
from robotdyn.model.arm import Arm
from robotdyn.model.checks import as_link_index
from robotdyn.model.joints import JOINTS
from robotdyn.model.link import Link, LinkFrame

OWN_FRAME = LinkFrame(0)  # of the first link: its own
FRAME = (LinkFrame, str)  # what stands for a frame: the frame, or the name by which `arm.frame` knows it


def joint_transform(link: Link, q_i: Any) -> Frame:
    """Return R (3, 3), p (3,) m: the link frame in its parent's frame, the joint at q_i (rad, or m if prismatic)."""
    return JOINTS[link.joint].transform(link, q_i)


def joint_motion(link: Link) -> Array:
    """Return S (6,), the velocity of the link frame in link axes, angular part first, where its joint has the rate 1."""
    return JOINTS[link.joint].motion(link)


@generic
@for_coupled_joints()
def link_poses(arm: Arm, q: Entries) -> Result:
    """Return R (n, 3, 3) and p (n, 3) m: orientation and origin of every link frame in the base frame.

    Of each link, those that follow others, too: (m, 3, 3) and (m, 3) where n coordinates move m links.
    q: (n,) rad (m at a prismatic joint).  Chapter "n-link" for the planar case.
    """
    xp = namespace(arm, q)
    frames = {-1: (xp.eye(3), xp.zeros(3))}
    for i, link in enumerate(arm.links):
        frames[i] = compose(frames[arm.parents[i]], joint_transform(link, q[i]))
    R, p = zip(*(frames[i] for i in range(arm.n)))
    return xp.stack(R), xp.stack(p)


@generic
def frame_pose(arm: Arm, q: Entries, link: int | str | LinkFrame = -1) -> Result:
    """Return R (3, 3) and p (3,) m: orientation and origin of a link's frame, or of a frame on it, in the base frame.

    q: (n,) rad or m; link: index, -1 for the last, or a frame such as `arm.frame(1)`, that of the second row of a DH table, or
    its name, as `arm.frame` takes it.
    """
    xp = namespace(arm, q)
    frame = as_frame(arm, link)
    R, p = link_poses(arm, q)
    if not isinstance(link, FRAME):
        return R[frame.link], p[frame.link]
    return compose((R[frame.link], p[frame.link]), (xp.array(frame.rotation), xp.array(frame.position)))


@generic
def point_position(arm: Arm, q: Entries, link: int | str | LinkFrame = -1, point: Entries | None = None) -> Result:
    """Return the position (3,) m, base axes, of a point of a link; q: (n,) rad or m.

    link: index, -1 for the last, or a frame on a link, `arm.frame(i)`, in whose axes the point then is, or the name of a link or
    a frame: "hand" stands for `arm.frame("hand")`, here and wherever there is a `link`;
    point: (3,) m in link axes, default the tip for the last link, else the origin; for a frame always its own origin.
    """
    xp = namespace(arm, q)
    link, point = _resolved_point(arm, link, point)
    R, p = link_poses(arm, q)
    return p[link] + R[link] @ xp.array(point)


@generic
@for_coupled_joints(columns=True)
def point_jacobian(
    arm: Arm, q: Entries, link: int | str | LinkFrame = -1, point: Entries | None = None, axes: str = "base"
) -> Result:
    """Return the Jacobian J (6, n) of a point of a link:  (velocity of the point, angular velocity) = J qd.

    Linear rows first.
    q: (n,) rad or m;
    link and point: as in `point_position`, default the tip, or the origin of a frame on a link;
    axes: "base", or "link" for both velocities in the axes of the link, or of the frame on it, R^T times those in base axes.
    Column k is (v_k + omega_k x (p - o_k), omega_k), 0 where joint k does not carry the link: with the joint's axis a_k,
    omega_k = a_k and v_k = 0 for a revolute joint, omega_k = 0 and v_k = a_k for a prismatic one, a_k and pitch a_k for a
    screw.
    """
    index, point = _resolved_point(arm, link, point)
    R, p = link_poses(arm, q)
    J = jacobian_at(arm, (R, p), index, point)
    if not isinstance(axes, str) or axes not in ("base", "link"):
        raise ValueError(f'axes must be "base" or "link", got {in_short(axes)}')
    if axes == "base":
        return J
    xp = namespace(J)
    own = R[index]
    if isinstance(link, FRAME):
        own, _ = frame_pose(arm, q, link)
    return xp.concatenate([own.T @ J[:3], own.T @ J[3:]])


@generic
def tip_pose(arm: Arm, q: Entries) -> Result:
    """Return R (3, 3) and p (3,) m: orientation and origin of the tip frame in the base frame; q: (n,) rad or m.

    Of a URDF file: the frame of the tip link; of a DH table: its last frame, so the product of its matrices.
    """
    xp = namespace(arm, q)
    R, p = link_poses(arm, q)
    tip = p[-1] + R[-1] @ xp.array(arm.tip)
    return (R[-1] if arm.tip_is_straight else R[-1] @ xp.array(arm.tip_rotation)), tip


@generic
def tip_jacobian(arm: Arm, q: Entries, axes: str = "base") -> Result:
    """Return the Jacobian J (6, n) of the tip, linear rows first; q: (n,) rad or m.

    axes: "base", or "link" for both velocities in the axes of the tip frame, which are those of the last link where the
    arm was given no other.
    """
    xp = namespace(arm, q)
    J = point_jacobian(arm, q, axes=axes)
    if axes == "base" or arm.tip_is_straight:
        return J
    R = xp.array(arm.tip_rotation)
    return xp.concatenate([R.T @ J[:3], R.T @ J[3:]])


@generic
def com_jacobian(arm: Arm, q: Entries, link: int | str | LinkFrame = -1, axes: str = "base") -> Result:
    """Return the Jacobian J (6, n) of a link's center of mass, linear rows first.

    q: (n,) rad or m;
    link: index, -1 for the last, or a frame on a link;
    axes: as in `point_jacobian`.
    """
    xp = namespace(arm, q)
    frame = as_frame(arm, link)
    if not isinstance(link, FRAME):
        return point_jacobian(arm, q, link, arm.links[frame.link].com, axes)
    com = xp.array(frame.rotation).T @ (xp.array(arm.links[frame.link].com) - xp.array(frame.position))
    return point_jacobian(arm, q, frame, com, axes)


@generic
@for_coupled_joints()
def point_acceleration(
    arm: Arm, q: Entries, qd: Entries, qdd: Entries, link: int | str | LinkFrame = -1, point: Entries | None = None
) -> Result:
    """Return (a, alpha) (6,): the acceleration of a point of a link in m/s^2 and that of its turning in rad/s^2.

    J qdd + Jdot qd, linear part first, base axes; with qdd = 0 it is Jdot qd.  Gravity takes no part: an arm at rest
    has none.
    q, qd, qdd: (n,) rad, rad/s, rad/s^2 (m, m/s, m/s^2), or (..., n);
    link and point: as in `point_position`, default the tip, or the origin of a frame on a link.
    Featherstone (2008), section 2.11: the acceleration of a point is the spatial one and omega x v.
    """
    xp = namespace(arm, q, qd, qdd)
    link, point = _resolved_point(arm, link, point)
    R, _ = link_poses(arm, q)
    v = xp.zeros(6)
    a = xp.zeros(6)
    r = xp.array(point)
    for i in arm.path(link):  # outward, in link axes, angular part first: as in `inverse_dynamics`
        X = Transform(*joint_transform(arm.links[i], q[i]))
        S = xp.array(joint_motion(arm.links[i]))
        v = X @ v + S * qd[i]
        a = X @ a + S * qdd[i] + cross_motion(v) @ S * qd[i]
    omega = v[:3]
    alpha = a[:3]
    a_point = a[3:] + cross(alpha, r) + cross(omega, v[3:] + cross(omega, r))
    return xp.concatenate([R[link] @ a_point, R[link] @ alpha])


def jacobian_at(arm: Arm, poses: tuple[Array, Array], link: int, point: Any) -> Array:
    """Return the Jacobian J (6, n) of a point of a link as `point_jacobian` does, from poses that are known."""
    R, o = poses
    xp = namespace(arm, R)
    p = o[link] + R[link] @ xp.array(point)
    columns = []
    path = arm.path(link)
    for k in range(arm.n):
        if k not in path:
            columns.append(xp.zeros(6))
            continue
        S = xp.array(joint_motion(arm.links[k]))
        omega = R[k] @ S[:3]
        v = R[k] @ S[3:]
        columns.append(xp.concatenate([v + cross(omega, p - o[k]), omega]))
    return xp.stack(columns).T


def cross(a: Array, b: Array) -> Array:
    """Return a x b of two vectors (3,)."""
    xp = namespace(a, b)
    return xp.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def as_frame(arm: Arm, link: Any) -> LinkFrame:
    """Return the frame of a link, which has the axes of the link where an index is given; its index is not negative."""
    if isinstance(link, str):
        link = arm.frame(link)
    frame = link if isinstance(link, LinkFrame) else OWN_FRAME._replace_unchecked(link=link)
    return frame._replace_unchecked(link=as_link_index(frame.link, len(arm.links)))


def _resolved_point(arm: Arm, link: Any, point: Any) -> tuple[int, Any]:
    """Return a non-negative link index and a point (3,) in the axes of that link."""
    frame = as_frame(arm, link)
    if not isinstance(link, FRAME):
        if point is None:
            return frame.link, arm.tip if frame.link == len(arm.links) - 1 else (0, 0, 0)
        return frame.link, as_array(point, "point", (3,))
    if point is None:
        return frame.link, frame.position
    return frame.link, frame.position + frame.rotation @ as_array(point, "point", (3,))
