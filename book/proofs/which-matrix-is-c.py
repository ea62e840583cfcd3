"""Proofs of "Which matrix is C?": Christoffel symbols, C and its rivals, power, on the arms of `equation-of-motion.py`."""

import runpy
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, abbreviations, field

first = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("equation-of-motion.py"))))  # the page before
symbols, spatial, SIZES = first.symbols, first.spatial, first.SIZES

chapter = Chapter(__file__)
chapter.units({r"\beta": "kg m^2"})
half = sp.Rational(1, 2)

# ---- arms of the plane ----------------------------------------------------------------------------------------------

q, qd, qdd = symbols("q_1:3"), symbols("qdot_1:3"), symbols("qddot_1:3")
two_link = rd.robots.two_link(symbolic=True)
straight, bent = (rd.mass_matrix(two_link, [q[0], angle])[0, 0] for angle in (0, sp.pi / 2))
plane = Bindings().motion(q, qd, qdd).bind(abbreviations(q))
plane.bind(
    {
        r"\boldsymbol q": q,
        r"\beta": (straight - bent) / 2,
        r"\boldsymbol C": rd.coriolis_matrix(two_link, q, qd),
        r"\boldsymbol h": rd.bias_torque(two_link, q, qd) - rd.gravity_torque(two_link, q),
    }
)
by = "the library's Coriolis matrix, built link by link, and half of what its M_11 loses from straight to bent"
chapter.prove("eq-eom-coriolis-2r", plane, by=by)
by = "Newton-Euler torques without acceleration, and half of what the library's M_11 loses from straight to bent"
chapter.prove("eq-eom-squares-2r", plane, by=by)

# ---- arms in space --------------------------------------------------------------------------------------------------

chapter.units("joints")


def velocity_torque(n, *joints):
    """Return the Newton-Euler torque of unit rates at some joints (twice the rate where one is named twice)."""
    s = spatial(n)
    rates = sp.Matrix([joints.count(i) for i in range(1, n + 1)])
    return rd.bias_torque(replace(s.arm, gravity=(0, 0, 0)), s.q, rates)


@cache
def product_torque(n, i, j):
    """Return by how much the torque of two rates exceeds those of each alone: what belongs to their product."""
    return velocity_torque(n, i, j) - velocity_torque(n, i) - velocity_torque(n, j)


def pairs(n):
    """Return the pairs of different joints, in the order of the products of rates."""
    return [(i, j) for i in range(1, n + 1) for j in range(i + 1, n + 1)]


@cache
def any_arm(n):
    """Return the bindings of the arm of n links in space, with the matrices that are called C."""
    s = spatial(n)
    table = {
        r"\boldsymbol D": sp.Matrix([s.T]).jacobian(s.qd).jacobian(s.q).T,
        r"\boldsymbol E": bracket(n),
        r"\Gamma_{***}": lambda k, i, j: half * product_torque(n, i, j)[k - 1],
    }
    return first.any_arm(n).copy().bind(table)


def bracket(n):
    """Return the library's bracket E."""
    s = spatial(n)
    return rd.lagrange.bracket(s.M, s.q, s.qd)


def any_factor(n):
    """Return a matrix with the right product with the rates: some share of C, the rest of the bracket E."""
    s, share = spatial(n), sp.Symbol("lambda", real=True)
    return share * s.C + (1 - share) * bracket(n)


def any_matrix(n):
    """Return the generalized forces that follow if any matrix at all stands in the place of C."""
    s, K = spatial(n), sp.Matrix(n, n, sp.symbols(f"K_1:{n * n + 1}", real=True))
    return {r"\boldsymbol C": K, r"\boldsymbol Q": s.M * s.qdd + K * s.qd + s.g}


def squares_and_products(n):
    """Return the matrices of squares and products, from torques of unit rates; the Christoffel symbols from M."""
    s = spatial(n)
    squares = sp.Matrix.hstack(*(velocity_torque(n, i) for i in range(1, n + 1)))
    products = sp.Matrix.hstack(*(product_torque(n, i, j) for i, j in pairs(n)))
    return {
        r"\boldsymbol h": rd.bias_torque(s.arm, s.q, s.qd) - s.g,
        r"\bar{\boldsymbol C}": field(squares, s.q),
        r"\bar{\boldsymbol B}": field(products, s.q),
        r"\bar B_{***}": lambda k, i, j: product_torque(n, i, j)[k - 1],
        r"[\dot{\boldsymbol q}^2]": rd.lagrange.squares(s.qd),
        r"[\dot{\boldsymbol q}\dot{\boldsymbol q}]": rd.lagrange.products(s.qd),
        r"\Gamma_{***}": lambda k, i, j: rd.lagrange.christoffel_symbols(s.M, s.q)[k - 1, i - 1, j - 1],
    }


def on_a_path(n):
    """Return energies, rates and torques as functions of the time, on a given motion."""
    s, t = spatial(n), sp.Symbol("t", real=True)
    path = sp.Matrix([t**2 / 3 - t, 1 + t**3 / 5][:n])
    there = lambda value: value.subs(dict(zip([*s.q, *s.qd, *s.qdd], [*path, *path.diff(t), *path.diff(t, 2)])))
    times = dict(zip(("t", "t_0", "t_1"), (t, *sp.symbols("t_0 t_1", real=True))))
    energies = {"T": field(there(s.T), t), "U": field(there(s.U), t)}
    return {**times, **energies, r"\dot{\boldsymbol q}": path.diff(t), r"\boldsymbol\tau": there(s.torque)}


chapter.units(
    {
        r"\boldsymbol E": "J s/u_i u_j",
        r"\bar{\boldsymbol C}": "J s^2/u_i u_j u_j",
        r"\bar{\boldsymbol B}": lambda k, column: f"J s^2/u_{k} " + "u_{} u_{}".format(*pairs(3)[column - 1]),
        r"\bar B_{***}": "J s^2/u_i u_j u_k",
        r"[\dot{\boldsymbol q}^2]": "u_i u_i/s^2",
        r"[\dot{\boldsymbol q}\dot{\boldsymbol q}]": lambda row, _: "u_{} u_{}/s^2".format(*pairs(3)[row - 1]),
    }
)
chapter.bind(any_arm)
by = "Newton-Euler torques of unit rates: half of what belongs to the product of two"
chapter.prove("eq-eom-christoffel", each="k i j", n=SIZES, by=by)
by = "the library's Coriolis matrix, built link by link, and Newton-Euler torques of unit rates"
chapter.prove("eq-eom-coriolis", each="k j", n=SIZES, by=by)
chapter.prove("eq-eom-slope-matrix", each="k j", n=SIZES, by="mixed second derivatives of the library's kinetic energy")
chapter.prove("eq-eom-bracket", n=SIZES, by="the library's bracket, and second derivatives of its kinetic energy")
by = "the library's bracket of derivatives of M, and its Coriolis matrix, built link by link without any"
chapter.prove("eq-eom-same-product", n=SIZES, by=by)
by = "the library's mass matrix, and its Coriolis matrix, built link by link"
chapter.prove("eq-eom-skew", each="k j", n=SIZES, by=by)
by = "the rate of the library's energies, with any matrix at all in the place of C, and the Q that belongs to it"
chapter.prove("eq-eom-power-raw", any_matrix, n=SIZES, by=by)
by = "the library's matrices, for any share of C and of the bracket E"
chapter.prove("eq-eom-power-zero", lambda n: {r"\boldsymbol C": any_factor(n)}, n=SIZES, by=by)
by = "the library's energies and Newton-Euler torques on a given motion"
chapter.prove("eq-eom-passive", on_a_path, n=[1, 2], by=by)
by = "Newton-Euler torques of any rates, against those of unit rates at one joint and at two"
chapter.prove("eq-eom-form-squares", squares_and_products, n=[2, 3], by=by)
by = "Newton-Euler torques of unit rates at one joint, and the Christoffel symbols of the library's mass matrix"
chapter.prove("eq-eom-squares", squares_and_products, each="k j", n=[2, 3], by=by)
by = "Newton-Euler torques of unit rates at two joints, and the Christoffel symbols of the library's mass matrix"
every = lambda n: [{"k": k, "i": i, "j": j} for k in range(1, n + 1) for i, j in pairs(n)]
chapter.prove("eq-eom-products", squares_and_products, each=every, n=[2, 3], by=by)
