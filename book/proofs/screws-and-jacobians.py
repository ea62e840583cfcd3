"""Proofs of "Screws and Jacobians": against points carried about a line, textbook tables, and the library's arms."""

import numpy as np
import sympy as sp
from scipy.linalg import expm

import robotdyn as rd
from eqproof import Bindings, Chapter, abbreviations, family, field
from eqproof.errors import WrongShape
from eqproof.tree import Symbol

chapter = Chapter(__file__)
block = lambda i, j: ("1", "m", "1/m")[(j == 4 and i < 4) + 2 * (i == 4 and j < 4)]
chapter.units("joints")
chapter.units(
    {
        r"\boldsymbol s": "m",
        r"\boldsymbol a": "1",
        r"\boldsymbol a_*": "1",
        "h": "m/rad",
        "d": "m",
        "d_*": "m",
        "a": "m",
        "a_*": "m",
        "q": "rad",
        "q_*": "rad",
        **dict.fromkeys((r"\theta", r"\alpha", r"\theta_*", r"\alpha_*"), "rad"),
        **dict.fromkeys(
            (r"\boldsymbol E", r"\boldsymbol T", r"\boldsymbol T_{12}", r"\boldsymbol Z", r"\boldsymbol X"), block
        ),
    }
)


def symbols(names):
    """Return a column of real symbols."""
    return sp.Matrix(sp.symbols(names, real=True))


whole = lambda R, p: sp.Matrix.vstack(sp.Matrix.hstack(sp.Matrix(R), sp.Matrix(p)), sp.Matrix([[0, 0, 0, 1]]))
column = lambda x: sp.Matrix(x).reshape(3, 1)

# ---- one screw --------------------------------------------------------------------------------------------------------

u, v, h, q = sp.symbols("u v h q", real=True)
a = sp.Matrix([2 * u, 2 * v, 1 - u**2 - v**2]) / (1 + u**2 + v**2)  # any unit vector
s = symbols("s_1:4")
R = rd.rotations.from_quaternion(sp.Matrix([sp.cos(q / 2), *(sp.sin(q / 2) * a)]))
carried = lambda x: s + R * (x - s) + h * q * a  # a point, about the line and along it
origin = carried(sp.zeros(3, 1))
screw = whole(sp.Matrix.hstack(*(carried(sp.eye(3)[:, k]) - origin for k in range(3))), origin)
line = {"h": h, "q": q, r"\boldsymbol a": a, r"\boldsymbol s": s, r"\boldsymbol R": R, r"\boldsymbol E": screw}
by_points = "four points, carried about the line and along it"
chapter.prove("eq-screws-line", line, by=by_points)
pushed = screw.diff(q).subs(q, 0)  # of the points that are at the origin and one meter from it, at a rate of 1
twist = sp.Matrix([*pushed[:3, 3], *a])
chapter.units({r"\boldsymbol\xi": lambda i, j: "m/rad" if i <= 3 else "1"})
chapter.prove("eq-screws-twist", line | {r"\boldsymbol\xi": twist}, by="the rates of points about the line")
bracket = lambda xi: rd.motions.wedge(sp.Matrix(xi))


def exponential_of_numbers(A):
    """Return the exponential of any matrix of numbers."""
    return sp.Matrix(expm(np.array(sp.Matrix(A), dtype=float)).tolist())


def screwed(n):
    """Return the bindings of a motion along a random screw."""
    place = dict(zip([u, v, h, q, *s], np.random.default_rng(n).uniform(-1.5, 1.5, 7)))
    bound = line | {r"\boldsymbol\xi": twist, r"\boldsymbol v": twist[:3, :]}
    numbers = {letter: sp.sympify(value).subs(place).evalf() for letter, value in bound.items()}
    return numbers | {Symbol("exp"): exponential_of_numbers, r"[\cdot]": bracket}


chapter.units({r"\boldsymbol v": "m/rad"})
by = "the matrix exponential of random screws, by SciPy; the rotation from quaternions"
chapter.prove("eq-screws-exp", screwed, n=[1, 2, 3], tolerance=1e-12, by=by)

# ---- a body that moves in any way -------------------------------------------------------------------------------------

x, rates = symbols("x_1:7"), symbols("v_1:7")
turned = sp.rot_ccw_axis3(x[0]) * sp.rot_ccw_axis2(x[1]) * sp.rot_ccw_axis1(x[2])
T = whole(turned, x[3:, :])
T_dot = sum((T.diff(y) * rate for y, rate in zip(x, rates)), sp.zeros(4, 4))
axes = sp.Matrix.hstack(sp.eye(3)[:, 2], sp.rot_ccw_axis3(x[0])[:, 1], turned.subs(x[2], 0)[:, 0])
omega = axes * rates[:3, :]  # three hinges
v_O = rates[3:, :] - omega.cross(x[3:, :])


def velocities(xi):
    """Return the matrix that takes places (x, 1) to velocities, from those of the origin and of three points."""
    xi = sp.Matrix(xi)
    turns = [xi[3:, :].cross(sp.eye(3)[:, k]) for k in range(3)]
    return sp.Matrix.vstack(sp.Matrix.hstack(*turns, xi[:3, :]), sp.zeros(1, 4))


moving = {r"\boldsymbol\xi": sp.Matrix([*v_O, *omega]), r"\boldsymbol\omega": omega, r"\boldsymbol v": v_O}
chapter.units({r"\boldsymbol v": "m/s", r"\boldsymbol\xi": lambda i, j: "m/s" if i <= 3 else "rad/s"})
known = moving | {r"[\cdot]": velocities}
chapter.prove("eq-screws-matrix", known, by="the velocities of four points of a body that moves in any way")
flying = Bindings(moving | {r"[\cdot]": bracket, r"\boldsymbol T": T}).motion(x, rates)
chapter.prove("eq-screws-rate", flying, by="the derivative of a pose of three hinges and three slides")
back = whole(turned.T, -turned.T * x[3:, :])
unit_twists = [sp.eye(6)[:, k] for k in range(6)]
carried_twists = [T * bracket(xi) * back for xi in unit_twists]  # points go back, get a velocity, and it is turned
as_twist = lambda A: sp.Matrix([*A[:3, 3], A[2, 1], A[0, 2], A[1, 0]])
taken_along = {
    r"\boldsymbol A": sp.Matrix.hstack(*map(as_twist, carried_twists)),
    r"\boldsymbol R": turned,
    r"\boldsymbol p": x[3:, :],
}
chapter.units({r"\boldsymbol A": lambda i, j: ("1", "m", "1/m")[(i <= 3 < j) + 2 * (j <= 3 < i)]})
chapter.prove("eq-screws-adjoint", taken_along, by="six unit twists, seen by points that are carried back and forth")
some_twist = symbols("xi_1:7")


def of_a_column(xi):
    """Return the matrix of a twist; a matrix, which is left if a letter is taken out of the brackets, has none."""
    if sp.Matrix(xi).shape != (6, 1):
        raise WrongShape("a twist is a column of six")
    return bracket(xi)


carried_along = {
    r"\boldsymbol A": sp.Matrix(rd.motions.adjoint(T)),
    r"\boldsymbol\xi": some_twist,
    r"[\cdot]": of_a_column,
    r"\boldsymbol T": T,
}
chapter.prove(
    "eq-screws-carried", carried_along, by="the library's adjoint matrix of a pose of three hinges and three slides"
)

# ---- an arm, by lines and by rows -------------------------------------------------------------------------------------

l_1, l_2, l_3 = sp.symbols("l_1 l_2 l_3", positive=True)
angles, qd = symbols("q_1:4"), symbols("v_1:4")
rows = [(0, sp.pi / 2, l_1, 0), (l_2, 0, 0, 0), (l_3, 0, 0, 0)]
crane = rd.Arm.from_dh(rows, "standard")
tool = sp.rot_ccw_axis1(-sp.pi / 2)  # the last frame of the rows, turned to the axes of the text


def pose(at):
    """Return the frame of the tip."""
    return whole(sp.Matrix(rd.link_poses(crane, at)[0][-1]) * tool, rd.point_position(crane, at))


zero = pose([0, 0, 0])
where = {1: (0, 0, 0), 2: (0, 0, l_1), 3: (l_2, 0, l_1)}
along = {1: (0, 0, 1), 2: (0, -1, 0), 3: (0, -1, 0)}
lines = {k: sp.Matrix([*column(where[k]).cross(column(along[k])), *along[k]]) for k in where}


def exponential_of(A):
    """Return the exponential of a unit twist times an angle, by the rotation about its line."""
    A = sp.Matrix(A)
    (amount,) = A.free_symbols & set(angles)
    turn = (A[:3, :3] / amount).applyfunc(sp.cancel)
    about, to = sp.Matrix([turn[2, 1], turn[0, 2], turn[1, 0]]), (A[:3, 3] / amount).applyfunc(sp.cancel)
    return sp.Matrix(rd.motions.along(sp.Matrix([*to, *about]), amount))


arm = {
    r"\boldsymbol T": field(pose(angles), *angles),
    r"\boldsymbol T(\boldsymbol 0)": zero,
    r"\boldsymbol q": angles,
    "q_*": list(angles),
    r"\boldsymbol\xi_*": lambda k: lines[k],
    r"[\cdot]": bracket,
    Symbol("exp"): exponential_of,
}
chapter.prove("eq-screws-product", arm, by="the pose of the crane from rows of Denavit and Hartenberg, by the library")

angle, twisted, offset, length = sp.symbols("theta alpha d a", real=True)
plain = {r"\theta": angle, r"\alpha": twisted, "d": offset, "a": length}
slide = lambda axis, by: whole(sp.eye(3), axis * by)
Z = lambda theta, d: whole(sp.rot_ccw_axis3(theta), [0, 0, 0]) * slide(sp.eye(3)[:, 2], d)
X = lambda alpha, a: whole(sp.rot_ccw_axis1(alpha), [0, 0, 0]) * slide(sp.eye(3)[:, 0], a)
chapter.prove(
    "eq-screws-z", plain | {r"\boldsymbol Z": field(Z(angle, offset), angle, offset)}, by="a turn and a shift"
)
chapter.prove(
    "eq-screws-x", plain | {r"\boldsymbol X": field(X(twisted, length), twisted, length)}, by="a turn and a shift"
)
numbers = {name: sp.symbols(f"{name}_1:3", real=True) for name in ("theta", "alpha", "d", "a")}
c, n = sp.cos, sp.sin
(_, t), (w, f), (_, d), (b, e) = numbers.values()
printed = {
    "standard": [
        [c(t), -n(t) * c(f), n(t) * n(f), e * c(t)],
        [n(t), c(t) * c(f), -c(t) * n(f), e * n(t)],
        [0, n(f), c(f), d],
        [0, 0, 0, 1],
    ],
    "modified": [
        [c(t), -n(t), 0, b],
        [n(t) * c(w), c(t) * c(w), -n(w), -n(w) * d],
        [n(t) * n(w), c(t) * n(w), c(w), c(w) * d],
        [0, 0, 0, 1],
    ],
}
for name, entries in printed.items():
    table = {rf"\{word}_*" if len(word) > 1 else f"{word}_*": values for word, values in numbers.items()}
    table |= {r"\boldsymbol Z": Z, r"\boldsymbol X": X, r"\boldsymbol T_{12}": sp.Matrix(entries)}
    chapter.prove(f"eq-screws-{name}", table, by="the sixteen entries, as textbooks print them")

# ---- the Jacobian -----------------------------------------------------------------------------------------------------

drawn = [
    rd.Link(0, axis=axis, position=position, rotation=sp.rot_ccw_axis1(k * sp.pi / 2))
    for k, (axis, position) in enumerate([((0, 0, 1), (0, 0, 0)), ((0, 1, 0), (0, l_1, l_2)), ((1, 0, 0), (l_3, 0, 0))])
]
bent = rd.Arm(drawn, tip=(l_1, l_2, l_3))  # three hinges whose axes have three directions
R, o = rd.link_poses(bent, angles)
place, turn = rd.point_position(bent, angles), lambda i: sp.Matrix(R[i - 1])
by_q = lambda A, k: A.diff(angles[k - 1])
columns = lambda k: sp.Matrix([*by_q(place, k), *rd.rotations.rate_in_base(turn(3), by_q(turn(3), k))])
hinges = {
    r"\boldsymbol a_*": lambda k: turn(k) * column(bent.links[k - 1].axis),
    r"\boldsymbol p": place,
    r"\boldsymbol p_*": lambda k: column(o[k - 1, :]),
    r"\boldsymbol j_*": columns,
}
by_derivative = "the derivatives of place and rotation by each angle"
chapter.units({r"\boldsymbol j_*": lambda k, i, j: "m/rad" if i <= 3 else "1"})
chapter.prove("eq-screws-column", hinges, each="k", n=[3], by=by_derivative)
rate = lambda A: sum((A.diff(y) * w for y, w in zip(angles, qd)), sp.zeros(*A.shape))
speed = lambda i: rd.rotations.rate_in_base(turn(i), rate(turn(i))) if i else sp.zeros(3, 1)
chain = hinges | {
    r"\boldsymbol\omega_*": family(3, speed, first=0),
    r"\boldsymbol v_*": family(3, lambda i: rate(column(o[i - 1, :])) if i else sp.zeros(3, 1), first=0),
    r"\boldsymbol p_*": family(3, lambda i: column(o[i - 1, :]) if i else sp.zeros(3, 1), first=0),
}
chapter.prove(
    "eq-screws-propagation", chain, each="i", n=[3], by="the derivatives of places and rotations of the links"
)
tip = whole(turn(3), place)
J = sp.Matrix.hstack(*(columns(k) for k in (1, 2, 3)))
chapter.units(
    {
        r"\boldsymbol v_b": "m/s",
        r"\boldsymbol\omega_b": "rad/s",
        r"\boldsymbol J": lambda i, j: "m/rad" if i <= 3 else "1",
        r"\boldsymbol q": "rad",
    }
)
seen = rd.motions.rate_in_body(tip, rate(tip))
link = {
    r"\boldsymbol v_b": seen[:3, :],
    r"\boldsymbol\omega_b": seen[3:, :],
    r"\boldsymbol R": turn(3),
    r"\boldsymbol J": J,
    r"\boldsymbol q": angles,
}
chapter.prove("eq-screws-link", Bindings(link).motion(angles, qd), by="the rate of the pose in the axes of the link")

example = {l_1: sp.Rational(1, 2), l_2: sp.Rational(1, 2), l_3: sp.Rational(1, 2)}
example |= dict(zip(angles, (sp.pi / 2, sp.asin(sp.Rational(3, 5)), -sp.pi / 2)))
T = pose(angles)
moves = [sp.Matrix([*by_q(T[:3, 3], k), *rd.rotations.rate_in_base(T[:3, :3], by_q(T[:3, :3], k))]) for k in (1, 2, 3)]
J = sp.Matrix.hstack(*moves)
chapter.units({r"\boldsymbol J": "1"})  # numbers, in m/rad and 1
chapter.prove("eq-screws-numbers", {r"\boldsymbol J": J.subs(example)}, by=by_derivative)
chapter.units({r"\boldsymbol J_v": "m/rad", r"\boldsymbol f": "N"})
lever = {**abbreviations(angles), "l_*": [l_1, l_2, l_3], r"\boldsymbol J_v": J[:3, :]}
chapter.prove("eq-screws-det", lever, by=by_derivative)
force = symbols("f_1:4")
held = rd.inverse_dynamics(crane, angles, [0, 0, 0], [0, 0, 0], sp.Matrix([*-force, 0, 0, 0]))
statics = {r"\boldsymbol f": force, r"\boldsymbol J_v": J[:3, :], r"\boldsymbol\tau": held}
chapter.units({r"\boldsymbol\tau": "N m/rad"})
chapter.prove("eq-screws-static", statics, by="the forces passed from link to link by the library")
