"""Proofs of "Frames, rotations and motions": against hinges in a row, quaternions, and the library's arms.

An orientation is three hinges in a row; its angular velocity is the sum of their rates along their axes as they are.
"""

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, abbreviations, family, field
from robotdyn.dynamics.kinematics import joint_transform

chapter = Chapter(__file__)
block = lambda i, j: ("1", "m", "1/m")[(j == 4 and i < 4) + 2 * (i == 4 and j < 4)]
chapter.units(
    {
        r"\boldsymbol p_{12}": "m",
        r"\varphi": "rad",
        r"\boldsymbol R_{12}": "1",
        r"\boldsymbol R_z": "1",
        r"\boldsymbol e_*": "1",
        r"\boldsymbol a_*": "1",
        r"\boldsymbol\omega_b": "rad/s",
        r"\boldsymbol\omega_{12}": "rad/s",
        **dict.fromkeys((r"\boldsymbol a", r"\boldsymbol b", r"\boldsymbol c"), "1"),
        **dict.fromkeys((r"\boldsymbol T", r"\boldsymbol T_1", r"\boldsymbol T_2", r"\boldsymbol T_{12}"), block),
    }
)


def symbols(names):
    """Return a column of real symbols."""
    return sp.Matrix(sp.symbols(names, real=True))


def three_hinges(q):
    """Return the rotation of three hinges in a row, about z, y and x, and their axes where they are."""
    first, second = sp.rot_ccw_axis3(q[0]), sp.rot_ccw_axis2(q[1])
    axes = sp.Matrix.hstack(sp.eye(3)[:, 2], first[:, 1], (first * second)[:, 0])
    return first * second * sp.rot_ccw_axis1(q[2]), axes


q, qd = symbols("q_1:7"), symbols("v_1:7")
a, b, c = symbols("a_1:4"), symbols("b_1:4"), symbols("c_1:4")
(R, axes), (R_12, axes_12) = three_hinges(q[:3]), three_hinges(q[3:])
rate = lambda A: sum((A.diff(x) * v for x, v in zip(q, qd)), sp.zeros(*A.shape))

# ---- vectors ----------------------------------------------------------------------------------------------------------

far, long = sp.symbols("f l", positive=True)
angle, u, v = sp.symbols("varphi u v", real=True)
apart = {
    r"\boldsymbol a": far * R[:, 0],
    r"\boldsymbol b": long * (sp.cos(angle) * R[:, 0] + sp.sin(angle) * R[:, 1]),
    r"\varphi": angle,
}
chapter.prove("eq-frames-dot", apart, by="two arrows of any length, at the angle in a plane that is turned in space")
arrows = {r"\boldsymbol a": a, r"\boldsymbol b": b, r"\boldsymbol c": c}
chapter.prove("eq-frames-cross", arrows | {"a_*": list(a)}, by="the cross product, component by component")
chapter.prove("eq-frames-twice", arrows, by="the cross product, component by component")
axis = sp.Matrix([2 * u, 2 * v, 1 - u**2 - v**2]) / (1 + u**2 + v**2)  # any unit vector
chapter.prove("eq-frames-split", {r"\boldsymbol a": axis, r"\boldsymbol b": b}, by="any unit vector and any other one")

# ---- rotations --------------------------------------------------------------------------------------------------------

turned = {r"\boldsymbol R": R, r"\boldsymbol e_*": lambda k: R * sp.eye(3)[:, k - 1]}
chapter.prove("eq-frames-columns", turned, by="what the rotation makes of the rider's own axes")
either = {r"\boldsymbol R^\top": "the product is the identity in either order"}
chapter.prove("eq-frames-orthogonal", turned, by="three hinges in a row", dead=either)
half = lambda along, amount: [sp.cos(amount / 2), *(sp.sin(amount / 2) * along)]
about_z = rd.rotations.from_quaternion(sp.Matrix(half(sp.eye(3)[:, 2], angle)))
about_z = {"q": angle, r"\boldsymbol R_z": field(about_z, angle)}
chapter.prove("eq-frames-z", about_z, by="the rotation of the quaternion of half the angle")

l_1, l_2, l_3 = sp.symbols("l_1 l_2 l_3", positive=True)
right = (0, -1, 0)
spots = ((0, 0, 0), (0, 0, l_1), (l_2, 0, 0))
links = [rd.Link(0, axis=along, position=spot) for along, spot in zip(((0, 0, 1), right, right), spots)]
crane = rd.Arm(links, tip=(l_3, 0, 0))
angles = q[:3, :]
poses, origins = rd.link_poses(crane, angles)
orientation = lambda i: sp.Matrix(poses[i - 1])
origin = lambda i: sp.Matrix(origins[i - 1, :]).reshape(3, 1)
hinge, step = (sp.Matrix(part) for part in joint_transform(crane.links[2], angles[2]))
last = {  # boom and jib of the crane, as links 1 and 2 of the text
    r"\boldsymbol R_{12}": hinge,
    r"\boldsymbol p_{12}": step,
    r"\boldsymbol R_1": orientation(2),
    r"\boldsymbol p_1": origin(2),
    r"\boldsymbol R_2": orientation(3),
}
whole = lambda R, p: sp.Matrix.vstack(sp.Matrix.hstack(R, p), sp.Matrix([[0, 0, 0, 1]]))
chapter.prove("eq-frames-compose", last, by="the poses of the links of the crane, by the library")
chapter.prove("eq-frames-quarters", {}, by="the product of the two matrices")

quaternion = rd.rotations.from_quaternion(sp.Matrix(half(axis, angle)))
single = {r"\boldsymbol a": axis, r"\varphi": angle, r"\boldsymbol R": quaternion}
for name in ("rodrigues", "angle", "axis"):
    chapter.prove(f"eq-frames-{name}", single, by="the rotation of the quaternion of half the angle")

# ---- angular velocity -------------------------------------------------------------------------------------------------

omega = axes * qd[:3, :]
spinning = Bindings({r"\boldsymbol R": R, r"\boldsymbol\omega": omega, r"\boldsymbol\omega_b": R.T * omega}).motion(
    q, qd
)
chapter.prove("eq-frames-rate", spinning, by="the sum of the rates of three hinges along their axes")
both = {
    r"\boldsymbol R_1": R,
    r"\boldsymbol\omega_1": omega,
    r"\boldsymbol\omega_{12}": axes_12 * qd[3:, :],
    r"\boldsymbol\omega_2": rd.rotations.rate_in_base(R * R_12, rate(R * R_12)),
}
chapter.prove("eq-frames-add", both, by="the derivative of the product of six hinges")
speed = lambda i: rd.rotations.rate_in_base(orientation(i), rate(orientation(i))) if i else sp.zeros(3, 1)
chain = {
    r"\boldsymbol\omega_*": family(3, speed, first=0),
    r"\boldsymbol a_*": lambda i: orientation(i) * sp.Matrix(crane.links[i - 1].axis),
}
chain = Bindings(chain | {"q_*": list(angles)}).motion(angles, qd[:3])
chapter.prove("eq-frames-chain", chain, each="i", n=[3], by="the derivatives of the rotations of the crane's links")

# ---- motions ----------------------------------------------------------------------------------------------------------

turn = lambda R: whole(R, sp.zeros(3, 1))
shift = lambda *p: whole(sp.eye(3), sp.Matrix(p))
lift = lambda x: turn(sp.rot_ccw_axis2(-x))
T_2 = turn(sp.rot_ccw_axis3(angles[0])) * shift(0, 0, l_1) * lift(angles[1]) * shift(l_2, 0, 0) * lift(angles[2])
T = T_2 * shift(l_3, 0, 0)
p = rd.point_position(crane, angles)
moved = {r"\boldsymbol T": T, r"\boldsymbol R": orientation(3), r"\boldsymbol p": p}
by_arm = "the pose of the crane, by the library"
for name in ("homogeneous", "inverse"):
    chapter.prove(f"eq-frames-{name}", moved, by=by_arm)
chapter.prove("eq-frames-product", last | {r"\boldsymbol T_2": T_2}, by="the product of turns and shifts")
short = abbreviations(angles)
chapter.prove("eq-frames-crane", {**short, r"\boldsymbol p": p, "l_*": [l_1, l_2, l_3]}, by="the tip, by the library")

planar = rd.robots.two_link((l_1, l_2), (1, 1))
flat, tip = rd.link_poses(planar, q[:2, :])[0][1], rd.point_position(planar, q[:2, :])
flat = sp.Matrix.vstack(sp.Matrix.hstack(sp.Matrix(flat)[:2, :2], tip[:2, :]), sp.Matrix([[0, 0, 1]]))
chapter.units({r"\boldsymbol T_2": lambda i, j: ("1", "m", "1/m")[(j == 3 and i < 3) + 2 * (i == 3 and j < 3)]})
chapter.prove(
    "eq-frames-planar",
    {**abbreviations(q[:2]), r"\boldsymbol T_2": flat, "l_*": [l_1, l_2]},
    by="the pose of the planar arm, by the library",
)
