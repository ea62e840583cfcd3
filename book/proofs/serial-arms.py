"""Proofs of "Serial arms": link by link, against poses that are differentiated, energies of bodies, and recursions."""

import runpy
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, abbreviations, field

first = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("equation-of-motion.py"))))
symbols, spatial, SIZES = first.symbols, first.spatial, first.SIZES

chapter = Chapter(__file__)
ORIGIN = [sp.S.Zero] * 3
linear = lambda i: i <= 3
of_body = lambda i, j: ("kg", "kg m", "kg m^2")[(not linear(i)) + (not linear(j))]
by_rates = lambda i, j: f"{'m' if linear(i) else 'rad'}/u_{j}"
chapter.units(
    {
        r"\boldsymbol M_*": lambda link, i, j: of_body(i, j),
        r"\boldsymbol J_*": lambda link, i, j: by_rates(i, j),
        r"\boldsymbol c_*": "m",
        r"\boldsymbol I_{O*}": "kg m^2",
        r"\boldsymbol T_*": lambda link, i, j: (
            "1" if i == 4 and j == 4 else "m" if j == 4 else "1/m" if i == 4 else "1"
        ),
    }
)

# ---- links, as four particles -----------------------------------------------------------------------------------------

v, omega = symbols("v_x v_y v_z"), symbols("omega_x omega_y omega_z")


@cache
def cloud(i):
    """Return a link of four particles: the body, its kinetic energy, and the second derivatives of this."""
    masses = sp.symbols(f"m_{i}1:{i}5", positive=True)
    spots = [symbols(f"s_{i}{k}x s_{i}{k}y s_{i}{k}z") for k in range(1, 5)]
    speeds = [v + omega.cross(spot) for spot in spots]
    T = sum(mass * u.dot(u) / 2 for mass, u in zip(masses, speeds))
    return rd.bodies.points(masses, [list(spot) for spot in spots]), T, sp.hessian(T, [*v, *omega])


links_of_particles = {
    "T_*": lambda i: cloud(i)[1],
    "m_*": lambda i: cloud(i)[0].mass,
    r"\boldsymbol c_*": lambda i: cloud(i)[0].com,
    r"\boldsymbol v_*": lambda i: i * v,
    r"\boldsymbol\omega_*": lambda i: i * omega,
    r"\boldsymbol I_{O*}": lambda i: cloud(i)[2][3:, 3:],
    r"\boldsymbol M_*": lambda i: cloud(i)[2],
}
scaled = {**links_of_particles, "T_*": lambda i: cloud(i)[1] * i**2}
by = "the kinetic energy of four particles, one by one"
chapter.prove("eq-serial-link-energy", scaled, each={"i": 2}, by=by)
by = "second derivatives of the kinetic energy of four particles"
chapter.prove("eq-serial-link-matrix", links_of_particles, each={"i": 2}, by=by)

# ---- the camera on its head -----------------------------------------------------------------------------------------

m, l, d = *sp.symbols("m l", positive=True), sp.Symbol("d", real=True)
q, qd = symbols("q_1:3"), symbols("qdot_1:3")
place = rd.Arm([rd.Link(0), rd.Link(0, axis=(0, -1, 0), position=(0, d, 0))], tip=(l, 0, 0))


def moved(arm, q, qd, link):
    """Return the velocities of a link in its axes, of its origin and of its turning, from its pose differentiated."""
    R = rotation_of(arm, q, link)
    turn = R.T * rate(R, q, qd)
    velocity = R.T * rate(origin_of(arm, q, link), q, qd)
    return sp.Matrix([*velocity, turn[2, 1], turn[0, 2], turn[1, 0]])


def rotation_of(arm, q, link):
    """Return the rotation matrix of a link."""
    return sp.Matrix(rd.link_poses(arm, q)[0].tolist()[link])


def origin_of(arm, q, link):
    """Return the origin of the frame of a link."""
    return sp.Matrix(rd.link_poses(arm, q)[1].tolist()[link])


def rate(X, q, qd):
    """Return the derivative by time of a matrix that depends on q."""
    return sum((X.diff(x) * xd for x, xd in zip(q, qd)), sp.zeros(*X.shape))


def slopes(f, x):
    """Return the gradient of a scalar as a column."""
    return sp.Matrix([f.diff(entry) for entry in x])


camera = sp.Matrix(rd.point_position(place, q))
flight, on_rod = camera.jacobian(q) * qd, v + omega.cross(sp.Matrix([l, 0, 0]))
T_head = m * flight.dot(flight) / 2
head = Bindings(abbreviations(q)).motion(q, qd)
head.bind(
    {
        "m": m,
        "l": l,
        "d": d,
        r"\boldsymbol q": q,
        r"\boldsymbol M_2": sp.hessian(m * on_rod.dot(on_rod) / 2, [*v, *omega]),
        r"\boldsymbol J_2": moved(place, q, qd, 1).jacobian(qd),
        r"\boldsymbol M": sp.hessian(T_head, list(qd)),
        r"\boldsymbol h": slopes(T_head, qd).jacobian(q) * qd - slopes(T_head, q),
    }
)
chapter.units({"d": "m", r"\boldsymbol J_2": lambda i, j: "m" if linear(i) else "rad"})
by = "second derivatives of the kinetic energy of the point mass"
chapter.prove("eq-serial-head-link", head, by=by)
chapter.prove("eq-serial-head-jacobian", head, by="the pose of the tilting link, differentiated")
chapter.prove("eq-serial-head-mass", head, by="the kinetic energy of the camera, from its place differentiated")
chapter.prove("eq-serial-head-bias", head, by="Lagrange's equation of the camera, by differentiation")

# ---- arms in space --------------------------------------------------------------------------------------------------

chapter.units("joints")
chapter.units({r"\boldsymbol J_2": by_rates})


@cache
def any_arm(n):
    """Return the bindings of an arm of n links in space, with what each link is and does."""
    s = spatial(n)
    moving = [moved(s.arm, s.q, s.qd, i) for i in range(n)]
    bodies = [rd.Body(link.mass, link.com, link.inertia) for link in s.arm.links]
    turns = [rotation_of(s.arm, s.q, i) for i in range(n)]
    origins = [origin_of(s.arm, s.q, i) for i in range(n)]
    poses = [R.row_join(p).col_join(sp.Matrix([[0, 0, 0, 1]])) for R, p in zip(turns, origins)]
    Gamma = rd.lagrange.christoffel_symbols(s.M, s.q)
    table = {
        r"\boldsymbol M_*": lambda i: sp.Matrix(bodies[i - 1].mass_matrix(ORIGIN)),
        r"\boldsymbol J_*": lambda i: moving[i - 1].jacobian(s.qd),
        r"\boldsymbol R_*": lambda i: turns[i - 1],
        r"\boldsymbol T_*": lambda i: poses[i - 1],
        r"\boldsymbol c_*": lambda i: sp.Matrix(bodies[i - 1].com),
        r"\boldsymbol h": rd.bias_torque(s.arm, s.q, s.qd) - s.g,
        r"\Gamma_{***}": lambda k, i, j: Gamma[k - 1, i - 1, j - 1],
    }
    return first.any_arm(n).copy().bind(table)


def at_rates(n):
    """Return the velocities of each link in its axes, from its pose differentiated, and its Jacobian by columns."""
    s = spatial(n)
    moving = [moved(s.arm, s.q, s.qd, i) for i in range(n)]
    return {
        r"\boldsymbol v_*": lambda i: moving[i - 1][:3, :],
        r"\boldsymbol\omega_*": lambda i: moving[i - 1][3:, :],
        r"\boldsymbol J_*": lambda i: rd.point_jacobian(s.arm, s.q, i - 1, ORIGIN, axes="link"),
    }


def with_arguments(n):
    """Return the terms of the equation as functions of the state that is printed behind them, and what acts."""
    s = spatial(n)
    h = rd.bias_torque(s.arm, s.q, s.qd) - s.g
    return {
        **first.pushed(n),
        r"\boldsymbol M": field(s.M, s.q),
        r"\boldsymbol h": field(h, s.q, s.qd),
        r"\boldsymbol g": field(s.g, s.q),
    }


def work(n):
    """Return the work of motors, friction and a wrench in a small displacement: angle by angle, and force times way."""
    s, push = spatial(n), symbols("f_x f_y f_z")
    small, motors, friction = (symbols(f"{x}_1:{n + 1}") for x in ("e", "tau", "phi"))
    tip = sp.Matrix(rd.point_position(s.arm, s.q))
    R = rotation_of(s.arm, s.q, n - 1)
    turned = rate(R, s.q, small) * R.T
    turn, twist = sp.Matrix([turned[2, 1], turned[0, 2], turned[1, 0]]), symbols("n_x n_y n_z")
    done = push.dot(rate(tip, s.q, small)) + twist.dot(turn)
    return {
        r"\delta W": done + sum((a + b) * e for a, b, e in zip(motors, friction, small)),
        r"\delta \boldsymbol q": small,
        r"\boldsymbol\tau": motors,
        r"\boldsymbol\tau_f": friction,
        r"\boldsymbol w": sp.Matrix([*push, *twist]),
        r"\boldsymbol J": rd.tip_jacobian(s.arm, s.q),
    }


def links(n):
    """Return the numbers of all links."""
    return [{"i": i} for i in range(1, n + 1)]


chapter.bind(any_arm)
by = "the pose of each link, differentiated, and the library's Jacobian in link axes"
chapter.prove("eq-serial-link-jacobian", at_rates, each=links, n=SIZES, by=by)
by = "the composite-rigid-body algorithm, and poses that are differentiated"
chapter.prove("eq-serial-mass-matrix", with_arguments, n=SIZES, by=by)
by = "the library's potential energy, of the centers of mass one by one"
chapter.prove("eq-serial-potential", n=SIZES, by=by)
by = "the recursive Newton-Euler algorithm at rest, and poses that are differentiated"
chapter.prove("eq-serial-gravity", {r"\boldsymbol 0": sp.zeros(3, 1)}, n=SIZES, by=by)
by = "the recursive Newton-Euler algorithm without acceleration and weight"
chapter.prove("eq-serial-index", each="k", n=SIZES, by=by)
chapter.prove("eq-serial-christoffel", each="k", n=SIZES, by=by)
by = "the library's mass matrix, in sums of the joint coordinates"
chapter.prove("eq-serial-share", first.in_sums, each="k", n=[2, 3], by=by)
by = "the work of each force, from the places of joints and tip differentiated"
chapter.prove("eq-serial-work", work, n=SIZES, by=by)
by = "the recursive Newton-Euler algorithm with a tip wrench"
chapter.prove("eq-serial-motion", with_arguments, n=SIZES, by=by)
