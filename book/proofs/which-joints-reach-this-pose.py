"""Proofs of "Which joints reach this pose?": against poses by the library, SymPy's quaternions, and least squares."""

from functools import cache

import numpy as np
import sympy as sp
from scipy.linalg import expm

import robotdyn as rd
from eqproof import Bindings, Chapter, abbreviations, field
from eqproof.tree import Symbol

chapter = Chapter(__file__)
chapter.units("joints")
chapter.units(
    {
        **dict.fromkeys(("x", "y", "x_w", "y_w", "z_w", "a_*", "d_*", r"\boldsymbol d", r"\boldsymbol w"), "m"),
        **dict.fromkeys((r"\boldsymbol p_w", r"\boldsymbol p"), "m"),
        **dict.fromkeys(("q_*", r"\varphi", r"\boldsymbol\varphi"), "rad"),
        **dict.fromkeys((r"\eta", r"\boldsymbol\epsilon", r"\eta_*", r"\boldsymbol\epsilon_*"), "1"),
        **dict.fromkeys((r"\boldsymbol R_g", r"\boldsymbol R_{03}", r"\boldsymbol R_{36}", r"\boldsymbol a"), "1"),
        r"\boldsymbol J_r": "1",
        **dict.fromkeys((r"\boldsymbol R_y", r"\boldsymbol R_z"), "1"),
        r"\boldsymbol\omega_b": "rad/s",
        r"\boldsymbol e_*": "1",
    }
)


def symbols(names):
    """Return a column of real symbols."""
    return sp.Matrix(sp.symbols(names, real=True))


column = lambda x: sp.Matrix(x).reshape(3, 1)

# ---- two links, and a third -------------------------------------------------------------------------------------------

l_1, l_2, l_3 = sp.symbols("l_1 l_2 l_3", positive=True)
q = symbols("q_1:7")
two = rd.robots.planar([l_1, l_2], [1, 1])
place = sp.Matrix(rd.point_position(two, q[:2, :]))[:2, :]
flat = {**abbreviations(q[:2]), "l_*": [l_1, l_2], r"\boldsymbol p": place, "x": place[0], "y": place[1]}
by_arm = "the place of the hand, by the library"
for name in ("place", "cosine", "shoulder"):
    chapter.prove(f"eq-pose-{name}", flat, by=by_arm)
three = rd.robots.planar([l_1, l_2, l_3], [1, 1, 1])
joint, hand = (
    sp.Matrix(x)[:2, :] for x in (rd.link_poses(three, q[:3, :])[1][-1, :].T, rd.point_position(three, q[:3, :]))
)
whole = {r"\boldsymbol w": joint, r"\boldsymbol p": hand, r"\varphi": sum(q[:3]), "l_3": l_3}
chapter.prove("eq-pose-third", whole, by="the origin of the third link, by the library")

# ---- a spherical wrist ------------------------------------------------------------------------------------------------

a_2, a_3, d_3, d_4 = sp.symbols("a_2 a_3 d_3 d_4", positive=True)
half = sp.pi / 2
rows = [(0, half, 0, 0), (a_2, 0, 0, 0), (a_3, -half, d_3, 0), (0, half, d_4, 0), (0, -half, 0, 0), (0, 0, 0, 0)]
puma = rd.Arm.from_dh(rows, "standard")
R_03 = sp.Matrix(rd.frame_pose(puma, q, puma.frame(2))[0])
R, center = (sp.Matrix(x) for x in rd.tip_pose(puma, q))
center = column(center)
tool = symbols("d_x d_y d_z")
carrying = {
    r"\boldsymbol p_w": center,
    r"\boldsymbol R": R,
    r"\boldsymbol d": tool,
    r"\boldsymbol p": center + R * tool,
}
chapter.prove("eq-pose-center", carrying, by="the pose of a tool on the last link, by the library")
wrist = {
    **abbreviations(q[:3]),
    "a_*": lambda k: {2: a_2, 3: a_3}[k],
    "d_*": lambda k: {3: d_3, 4: d_4}[k],
    **dict(zip(("x_w", "y_w", "z_w"), center)),
}
for name in ("plane", "distance"):
    chapter.prove(
        f"eq-pose-{name}", wrist, by="the pose of the PUMA from rows of Denavit and Hartenberg, by the library"
    )
lone = rd.Arm.from_dh(rows[3:], "standard")  # the wrist alone
R_36 = sp.Matrix(rd.tip_pose(lone, q[3:, :])[0])
parts = {r"\boldsymbol R_{36}": field(R_36, *q[3:]), r"\boldsymbol R_{03}": R_03, r"\boldsymbol R": R}
parts |= {**abbreviations(list(q)), "q_*": list(q), r"\boldsymbol e_*": lambda k: sp.eye(3)[:, k - 1]}
for name in ("rest", "tilt", "fourth", "sixth"):
    chapter.prove(f"eq-pose-{name}", parts, by="the wrist as an arm of its own, by the library")
about = {
    r"\boldsymbol R_z": lambda x: sp.rot_ccw_axis3(x),
    r"\boldsymbol R_y": lambda x: sp.rot_ccw_axis2(x),
    "q_5": q[4],
}
chapter.prove("eq-pose-flip", about, by="the rotations about two axes, by SymPy")

# ---- errors of orientation --------------------------------------------------------------------------------------------


def numbers(A):
    """Return an array of numbers as a SymPy matrix."""
    return sp.Matrix(np.atleast_2d(np.asarray(A, dtype=float)).tolist())


def exponential(A):
    """Return the exponential of a matrix of numbers."""
    return numbers(expm(np.array(sp.Matrix(A), dtype=float)))


@cache
def apart(n):
    """Return the bindings of two random orientations, and of what turns the one: numbers alone."""
    rng = np.random.default_rng(n)
    phi, turn, omega = rng.uniform(-1.5, 1.5, (3, 3))
    angle = np.linalg.norm(phi)
    R_g = expm(rd.spatial.skew(turn))
    R = expm(-rd.spatial.skew(phi)) @ R_g
    h = 1e-3
    moved = [rd.rotations.log(R_g @ (expm(s * h * rd.spatial.skew(omega)) @ R).T) for s in (-2, -1, 1, 2)]
    rate = np.array([1, -8, 8, -1]) @ moved / (12 * h)
    right = sum(np.linalg.matrix_power(-rd.spatial.skew(phi), k) / float(sp.factorial(k + 1)) for k in range(40))
    return {
        r"\boldsymbol\varphi": numbers(phi).T,
        r"\varphi": sp.Float(angle),
        r"\boldsymbol a": numbers(phi / angle).T,
        r"\boldsymbol R": numbers(R),
        r"\boldsymbol R_g": numbers(R_g),
        r"\dot{\boldsymbol\varphi}": numbers(rate).T,
        r"\boldsymbol\omega": numbers(omega).T,
        r"\boldsymbol J_r": numbers(right),
        Symbol("exp"): exponential,
    }


by = "the logarithm of R_g R^T for random orientations, by SciPy"
chapter.prove("eq-pose-error", apart, n=[1, 2, 3], tolerance=1e-12, by=by)
by = "differences of the logarithm while the hand turns, and the series of J_r"
chapter.prove("eq-pose-error-rate", apart, n=[1, 2, 3], tolerance=1e-9, by=by)
by = "the inverse of the series of J_r, the sum of (-1)^k [phi]^k / (k + 1)!"
chapter.prove("eq-pose-right", apart, n=[1, 2, 3], tolerance=1e-12, by=by)

# ---- quaternions ------------------------------------------------------------------------------------------------------

angle, u, v = sp.symbols("varphi u v", real=True)
axis = sp.Matrix([2 * u, 2 * v, 1 - u**2 - v**2]) / (1 + u**2 + v**2)  # any unit vector
skew = lambda a: sp.Matrix(rd.spatial.skew(a))
rodrigues = axis * axis.T + (sp.eye(3) - axis * axis.T) * sp.cos(angle) + skew(axis) * sp.sin(angle)
turned = {
    r"\varphi": angle,
    r"\boldsymbol a": axis,
    r"\eta": sp.cos(angle / 2),
    r"\boldsymbol\epsilon": sp.sin(angle / 2) * axis,
}
quaternion = sp.Quaternion.from_axis_angle(axis, angle)
quaternion = {r"\eta": quaternion.a, r"\boldsymbol\epsilon": sp.Matrix([quaternion.b, quaternion.c, quaternion.d])}
chapter.prove("eq-pose-quaternion", turned | quaternion, by="the quaternion of an axis and an angle, by SymPy")
chapter.prove("eq-pose-quat-matrix", turned | {r"\boldsymbol R": rodrigues}, by="Rodrigues' formula")
first, second = (sp.Quaternion(*sp.symbols(f"{letter}_0:4", real=True)) for letter in "gh")
product = first * second
vector = lambda x: sp.Matrix([x.b, x.c, x.d])
pairs = {
    r"\eta": product.a,
    r"\boldsymbol\epsilon": vector(product),
    r"\eta_*": [first.a, second.a],
    r"\boldsymbol\epsilon_*": lambda k: vector((first, second)[k - 1]),
}
chapter.prove("eq-pose-quat-product", pairs, by="the product of quaternions, by SymPy")

angles, rates = symbols("x_1:4"), symbols("v_1:4")
hinge = lambda k, x: sp.Quaternion(sp.cos(x / 2), *(sp.sin(x / 2) * sp.eye(3)[:, k]))
in_a_row = hinge(2, angles[0]) * hinge(1, angles[1]) * hinge(0, angles[2])
after_2, after_3 = sp.rot_ccw_axis2(angles[1]), sp.rot_ccw_axis1(angles[2])
axes = sp.Matrix.hstack((after_2 * after_3).T[:, 2], after_3.T[:, 1], sp.eye(3)[:, 0])  # in the axes of the body
spinning = {r"\eta": in_a_row.a, r"\boldsymbol\epsilon": vector(in_a_row), r"\boldsymbol\omega_b": axes * rates}
by = "the derivative of the quaternion of three hinges in a row"
chapter.prove("eq-pose-quat-rate", Bindings(spinning).motion(angles, rates), by=by)

# ---- steps ------------------------------------------------------------------------------------------------------------

J_2 = place.jacobian(q[:2, :])
chapter.units({r"\boldsymbol J": "m/rad", r"\boldsymbol e": "m", r"\mu": "m/rad", r"\Delta\boldsymbol q": "rad"})
chapter.units({"f": "m^2", r"\sigma_*": "m/rad", r"\sigma": "m/rad", r"\boldsymbol u_*": "1", r"\boldsymbol v_*": "1"})
chapter.prove(
    "eq-pose-det",
    {**abbreviations(q[:2]), "l_*": [l_1, l_2], r"\boldsymbol J": J_2},
    by="the derivatives of the place of the hand",
)
mu = sp.symbols("mu", positive=True)
J, e = sp.Matrix(2, 3, symbols("j_1:7")), symbols("e_1:3")
stacked = sp.Matrix.vstack(J, mu * sp.eye(3))  # rows of two wishes: J dq = e and mu dq = 0


def least_squares(A, b):
    """Return the least squares solution by Cramer's rule for the normal equations of its own columns."""
    G, c = A.T * A, A.T * b
    swapped = lambda k: sp.Matrix.hstack(*(c if i == k else G[:, i] for i in range(G.cols)))
    return sp.Matrix([swapped(k).det() for k in range(G.cols)]) / G.det()


wish = sp.Matrix([*e, 0, 0, 0])
step = {r"\boldsymbol J": J, r"\boldsymbol e": e, r"\mu": mu, r"\Delta\boldsymbol q": least_squares(stacked, wish)}
any_step = symbols("s_1:4")
rest = stacked * any_step - wish
free_step = step | {r"\Delta\boldsymbol q": any_step, "f": (rest.T * rest)[0]}
chapter.prove("eq-pose-cost", free_step, by="the squares of the rows of two wishes, J dq = e and mu dq = 0")
chapter.prove("eq-pose-normal", step, by="the least squares solution of both wishes, by Cramer's rule")
share = sp.Symbol("share")
along = place.subs(dict(zip(q[:2], q[:2, :] + share * any_step[:2, :])), simultaneous=True).diff(share).subs(share, 0)
reached = {r"\boldsymbol J": J_2, r"\Delta\boldsymbol q": any_step[:2, :], r"\boldsymbol e": along}
chapter.prove("eq-pose-newton", reached, by="the derivative of the place of the hand along a step")


@cache
def decomposed(n):
    """Return the bindings of a random Jacobian (n, n + 1), its singular values and the damped step by least squares."""
    rng = np.random.default_rng(n)
    A, b, size = rng.normal(size=(n, n + 1)), rng.normal(size=n), rng.uniform(0.2, 1)
    U, sigma, Vt = np.linalg.svd(A)
    dq = np.linalg.lstsq(np.vstack([A, size * np.eye(n + 1)]), [*b, *np.zeros(n + 1)], rcond=None)[0]
    return {
        "m": n,
        r"\Delta\boldsymbol q": numbers(dq).T,
        r"\boldsymbol e": numbers(b).T,
        r"\mu": sp.Float(size),
        r"\sigma_*": [sp.Float(x) for x in sigma],
        r"\boldsymbol u_*": lambda k: numbers(U[:, k - 1]).T,
        r"\boldsymbol v_*": lambda k: numbers(Vt[k - 1]).T,
    }


chapter.prove("eq-pose-modes", decomposed, n=[2, 3, 4], tolerance=1e-12, by="NumPy's singular values and least squares")
chapter.prove("eq-pose-bound", {r"\sigma": sp.symbols("sigma", positive=True), r"\mu": mu}, by="values at random")
