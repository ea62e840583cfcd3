"""Proofs of "The equation of motion": energies, M, C and g of arms in space and of bodies, against Newton-Euler torques."""

from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, abbreviations, field, measure

chapter = Chapter(__file__)
chapter.units(
    {r"\beta": "kg m^2", "M": "kg m^2", "b_*": "J s/u_i u_i", "d_*": "J/u_i", "J_*": "kg m^2", "N_*": "rad/u_i"}
)
chapter.units({r"\boldsymbol s": "m"})
half = sp.Rational(1, 2)


def symbols(names, **kind):
    """Return a column of real symbols."""
    return sp.Matrix(sp.symbols(names, real=True, **kind))


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


def slider_crank():
    """Return the bindings of a mechanism of one degree of freedom: a 2R arm whose tip is guided on the x axis."""
    x, v, a = sp.symbols("q qdot qddot", real=True)
    arm = rd.robots.two_link((1, 2), sp.symbols("m_1:3", positive=True), sp.symbols("l_c1:3", positive=True),
                             sp.symbols("I_1:3", positive=True), sp.Symbol("g", positive=True))  # fmt: skip
    angles = sp.Matrix([x, -x - sp.asin(sp.sin(x) / 2)])
    table = Bindings().motion([x], [v], [a])
    rates = angles.applyfunc(table.rate)
    torques = rd.inverse_dynamics(arm, angles, rates, rates.applyfunc(table.rate))
    return table.bind(
        {
            "q": x,
            "M": 2 * rd.kinetic_energy(arm, angles, angles.diff(x)),
            "U": rd.potential_energy(arm, angles),
            r"\tau": (angles.diff(x).T * torques)[0],
        }
    )


by = "the Newton-Euler torques of a slider-crank, a 2R arm with a guided tip, and their virtual work"
chapter.prove("eq-eom-one-joint", slider_crank(), by=by)

# ---- friction -------------------------------------------------------------------------------------------------------

chapter.units("joints")
viscous, dry, rates = (0.5, 0.25, 0.75), (1.5, 0.5, 2.0), (1.5, -0.75, -2.5)
friction = rd.forces.total(rd.forces.viscous(viscous), rd.forces.coulomb(dry))
friction = {r"\boldsymbol\tau_f": friction(0, None, rates), "b_*": viscous, "d_*": dry, r"\dot{\boldsymbol q}": rates}
chapter.prove(
    "eq-eom-friction", friction, each={"i": 3}, by="the library's friction at rates where its tanh is 1 or -1"
)

# ---- one body, as four particles that float: six massless joints, then the particles on joints that are locked -------

m_k = sp.symbols("m_1:5", positive=True)
s_k = [symbols(f"s_{k}x s_{k}y s_{k}z") for k in range(1, 5)]
omega, v_O, r_P = symbols("omega_x omega_y omega_z"), symbols("v_x v_y v_z"), symbols("r_x r_y r_z")
still = [0] * 10


def floating(origin=(0, 0, 0), gravity=(0, 0, 0)):
    """Return the body as an arm that turns about a point and slides with it; at q = 0 its rates are (omega, v)."""
    joints = [rd.Link(0, joint=joint, axis=axis) for joint in ("revolute", "prismatic") for axis in sp.eye(3).tolist()]
    return rd.Arm([*joints, *(rd.Link(m, list(s - sp.Matrix(origin))) for m, s in zip(m_k, s_k))], gravity)


def about(point):
    """Return the mass matrix of the six joints, when the body turns about a point."""
    return rd.mass_matrix(floating(point), still)[:6, :6]


m = about((0, 0, 0))[3, 3]
hold_y, hold_z = (rd.gravity_torque(floating(gravity=a), still) for a in ((0, -1, 0), (0, 0, -1)))
c = sp.Matrix([hold_y[2], hold_z[0], -hold_y[0]]) / m
J_P = rd.point_jacobian(floating(), still, 5, list(r_P))[:, :6]
part = lambda i: int(i > 3)  # spatial vectors: the angular part first
chapter.units(
    {
        r"\boldsymbol I": lambda i, j: ("kg m^2", "kg m", "kg")[part(i) + part(j)],
        r"\boldsymbol I_{(O)}": lambda i, j: ("kg m^2", "kg m", "kg")[part(i) + part(j)],
        r"\boldsymbol I_{(P)}": lambda i, j: ("kg m^2", "kg m", "kg")[part(i) + part(j)],
        r"\boldsymbol X": lambda i, j: ("1/m", "1", "m")[1 + part(i) - part(j)],
    }
)
body = {
    "m": m,
    r"\boldsymbol c": c,
    "dm": measure([(mass, {r"\boldsymbol s": place}) for mass, place in zip(m_k, s_k)]),
    r"\boldsymbol\omega": omega,
    r"\boldsymbol v_O": v_O,
    r"\boldsymbol r": r_P,
    r"\boldsymbol I_O": about((0, 0, 0))[:3, :3],
    r"\boldsymbol I_c": about(c)[:3, :3],
    r"\boldsymbol I": about((0, 0, 0)),
    r"\boldsymbol I_{(O)}": about((0, 0, 0)),
    r"\boldsymbol I_{(P)}": about(r_P),
    r"\boldsymbol X": sp.Matrix.vstack(J_P[3:, :], J_P[:3, :]),
    "T": rd.kinetic_energy(floating(), still, [*omega, *v_O, 0, 0, 0, 0]),
}
by = "four particles on a ball joint: the torques that hold them in gravity, and the mass that a slider feels"
chapter.prove("eq-eom-first-moment", body, by=by)
by = "the library's mass matrices of four particles on ball joints in O and in the center of mass"
chapter.prove("eq-eom-inertia-about-point", body, by=by)
chapter.prove("eq-eom-moment-energy", body, by="the kinetic energy of four particles, one by one")
by = "the library's mass matrix of four particles on three revolute and three prismatic joints"
chapter.prove("eq-eom-spatial-inertia", body, by=by)
by = "mass matrices of four particles that turn and slide with O and with P; the library's Jacobian of P"
chapter.prove("eq-eom-shift-inertia", body, by=by)

# ---- arms in space --------------------------------------------------------------------------------------------------

SIZES = [1, 2, 3]
fall, wrench = symbols("a_x a_y a_z"), symbols("f_x f_y f_z n_x n_y n_z")
share, m_p = sp.Symbol("lambda", real=True), sp.Symbol("m_p", positive=True)


def ratios(numbers, over):
    """Return exact fractions."""
    return [sp.Rational(x, over) for x in numbers]


def link(mass, com, moments, joint, axis, position, rotation):
    """Return a link with exact numbers; moments: xx, yy, zz, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = ratios(moments, 60)
    inertia = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    rotation = [ratios(row, 65) for row in rotation]
    return rd.Link(sp.Rational(mass, 12), ratios(com, 12), inertia, joint, axis, ratios(position, 12), rotation)


LINKS = (
    link(18, (4, -3, 2), (40, 45, 48, 6, -7, 5), "revolute", (0, 0, 1), (0, 3, 1), (65 * sp.eye(3)).tolist()),
    link(
        10,
        (-4, 2, 5),
        (20, 15, 24, -6, 7, 5),
        "prismatic",
        (1, 0, 0),
        (3, -6, 4),
        ((65, 0, 0), (0, 39, -52), (0, 52, 39)),
    ),
    link(
        14,
        (2, -1, 7),
        (30, 20, 36, 5, 8, -4),
        "revolute",
        (0, 1, 0),
        (6, 1, 4),
        ((25, 0, 60), (0, 65, 0), (-60, 0, 25)),
    ),
)


@cache
def spatial(n):
    """Return an arm of n links in space, its state, its energies, its torques, and the terms of its equation."""
    arm = rd.Arm(LINKS[:n], fall, tip=ratios((6, 4, -3), 12))
    q, qd, qdd = (symbols(f"{x}_1:{n + 1}") for x in ("q", "qdot", "qddot"))
    M = rd.mass_matrix(arm, q)
    return SimpleNamespace(
        arm=arm,
        q=q,
        qd=qd,
        qdd=qdd,
        M=M,
        C=rd.coriolis_matrix(arm, q, qd),
        E=rd.lagrange.matrix_form(M, q, qd, choice="bracket"),
        g=rd.gravity_torque(arm, q),
        h=rd.bias_torque(arm, q, qd) - rd.gravity_torque(arm, q),
        T=rd.kinetic_energy(arm, q, qd),
        U=rd.potential_energy(arm, q),
        torque=rd.inverse_dynamics(arm, q, qd, qdd),
    )


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
    """Return the bindings of an arm of n links in space."""
    s = spatial(n)
    jacobian = lambda i: rd.com_jacobian(s.arm, s.q, i - 1)
    table = {
        "n": n,
        r"\boldsymbol q": s.q,
        "T": s.T,
        "U": s.U,
        r"\boldsymbol M": s.M,
        r"\boldsymbol C": s.C,
        r"\boldsymbol g": s.g,
        r"\boldsymbol Q": s.torque,
        r"\boldsymbol D": sp.Matrix(n, n, lambda k, j: s.T.diff(s.q[k], s.qd[j])),
        r"\boldsymbol E": s.E,
        r"\Gamma_{***}": lambda k, i, j: half * product_torque(n, i, j)[k - 1],
        "m_*": [link.mass for link in s.arm.links],
        r"\boldsymbol J_{v*}": lambda i: jacobian(i)[:3, :],
        r"\boldsymbol a_g": fall,
    }
    return Bindings().motion(s.q, s.qd, s.qdd).bind(table)


def in_sums(n):
    """Return energy and mass matrix of the same arm where q_1 + .. + q_i stands at joint i: then M depends on q_1, too."""
    s, L = spatial(n), sp.Matrix(rd.planar.L(n))
    M = L.T * rd.mass_matrix(s.arm, L * s.q) * L
    return {"T": rd.kinetic_energy(s.arm, L * s.q, L * s.qd), r"\boldsymbol M": M}


def with_arguments(n):
    """Return the terms of the equation as functions of the state that is printed behind them."""
    s = spatial(n)
    return {
        r"\boldsymbol M": field(s.M, s.q),
        r"\boldsymbol C": field(s.C, s.q, s.qd),
        r"\boldsymbol g": field(s.g, s.q),
    }


def any_factor(n):
    """Return a matrix with the right product with the rates: some share of C, the rest of the bracket E."""
    s = spatial(n)
    return share * s.C + (1 - share) * s.E


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
        r"\boldsymbol h": s.h,
        r"\bar{\boldsymbol C}": field(squares, s.q),
        r"\bar{\boldsymbol B}": field(products, s.q),
        r"\bar B_{***}": lambda k, i, j: product_torque(n, i, j)[k - 1],
        r"[\dot{\boldsymbol q}^2]": rd.lagrange.squares(s.qd),
        r"[\dot{\boldsymbol q}\dot{\boldsymbol q}]": rd.lagrange.products(s.qd),
        r"\Gamma_{***}": lambda k, i, j: rd.lagrange.christoffel_symbols(s.M, s.q)[k - 1, i - 1, j - 1],
    }


def pushed(n):
    """Return what acts on an arm with friction and a tip wrench: the motors give what Newton-Euler leaves to them."""
    s, friction = spatial(n), symbols(f"tau_f1:{n + 1}")
    return {
        r"\boldsymbol\tau": rd.inverse_dynamics(s.arm, s.q, s.qd, s.qdd, tip_wrench=wrench) - friction,
        r"\boldsymbol\tau_f": friction,
        r"\boldsymbol w": wrench,
        r"\boldsymbol J": rd.tip_jacobian(s.arm, s.q),
    }


def on_a_path(n):
    """Return energies, rates and torques as functions of the time, on a given motion."""
    s, t = spatial(n), sp.Symbol("t", real=True)
    path = sp.Matrix([t**2 / 3 - t, 1 + t**3 / 5][:n])
    there = lambda value: value.subs(dict(zip([*s.q, *s.qd, *s.qdd], [*path, *path.diff(t), *path.diff(t, 2)])))
    times = dict(zip(("t", "t_0", "t_1"), (t, *sp.symbols("t_0 t_1", positive=True))))
    energies = {"T": field(there(s.T), t), "U": field(there(s.U), t)}
    return {**times, **energies, r"\dot{\boldsymbol q}": path.diff(t), r"\boldsymbol\tau": there(s.torque)}


def pulled(n):
    """Return the accelerations that the articulated-body algorithm finds for given torques."""
    s, torque = spatial(n), symbols(f"tau_1:{n + 1}")
    return {r"\boldsymbol\tau": torque, r"\ddot{\boldsymbol q}": rd.forward_dynamics(s.arm, s.q, s.qd, torque)}


def geared(n):
    """Return the mass matrix with rotors: from the energy of the links and of rotors that turn N_i times as fast."""
    s, ratio, moment = spatial(n), symbols(f"N_1:{n + 1}", positive=True), symbols(f"J_1:{n + 1}", positive=True)
    rotor = lambda J: rd.Arm(rd.Link(0, inertia=((J / 2, 0, 0), (0, J / 2, 0), (0, 0, J))))
    energy = s.T + sum(rd.kinetic_energy(rotor(J), [N * x], [N * v]) for J, N, x, v in zip(moment, ratio, s.q, s.qd))
    return {r"\bar{\boldsymbol M}": sp.hessian(energy, list(s.qd)), "N_*": ratio, "J_*": moment}


def loaded(n):
    """Return the force of a payload on the tip: three sliders at the tip carry it, do not move, and tell the force."""
    s = spatial(n)
    x, y, z = sp.eye(3).tolist()
    first = rd.Link(0, joint="prismatic", axis=x, position=s.arm.tip)
    sliders = [first, rd.Link(0, joint="prismatic", axis=y), rd.Link(m_p, joint="prismatic", axis=z)]
    state = ([*x, 0, 0, 0] for x in (s.q, s.qd, s.qdd))
    efforts = rd.inverse_dynamics(rd.Arm([*s.arm.links, *sliders], fall), *state)[n:, :]
    R = sp.Matrix(rd.link_poses(s.arm, s.q)[0].tolist()[-1])
    return {"m_p": m_p, r"\boldsymbol f": -R * efforts, r"\boldsymbol p": rd.point_position(s.arm, s.q)}


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
by = "the library's kinetic energy, of the bodies one by one, and its mass matrix"
chapter.prove("eq-eom-kinetic", with_arguments, n=SIZES, by=by)
by = "differentiation of the library's kinetic energy, and its mass matrix, in sums of the joint coordinates"
for name in ("momentum", "momentum-rate", "slope"):
    chapter.prove(f"eq-eom-{name}", in_sums, each="k", n=SIZES, by=by)
chapter.prove("eq-eom-index", each="k", n=SIZES, by="the recursive Newton-Euler algorithm")
chapter.prove("eq-eom-matrix", with_arguments, n=SIZES, by="the recursive Newton-Euler algorithm")
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
chapter.prove("eq-eom-gravity", each="k", n=SIZES, by="the recursive Newton-Euler algorithm at rest")
chapter.prove("eq-eom-gravity-sum", n=SIZES, by="the recursive Newton-Euler algorithm at rest")
by = "the recursive Newton-Euler algorithm with a tip wrench"
chapter.prove("eq-eom-complete", pushed, n=SIZES, by=by)
by = "Newton-Euler torques of any rates, against those of unit rates at one joint and at two"
chapter.prove("eq-eom-form-squares", squares_and_products, n=[2, 3], by=by)
by = "Newton-Euler torques of unit rates at one joint, and the Christoffel symbols of the library's mass matrix"
chapter.prove("eq-eom-squares", squares_and_products, each="k j", n=[2, 3], by=by)
by = "Newton-Euler torques of unit rates at two joints, and the Christoffel symbols of the library's mass matrix"
every = lambda n: [{"k": k, "i": i, "j": j} for k in range(1, n + 1) for i, j in pairs(n)]
chapter.prove("eq-eom-products", squares_and_products, each=every, n=[2, 3], by=by)
chapter.prove("eq-eom-forward", pulled, n=SIZES, by="the articulated-body algorithm")
by = "second derivatives of the kinetic energy of the links and of rotors that turn N_i times as fast"
chapter.prove("eq-eom-motors", geared, each="i", n=SIZES, by=by)
by = "the forces that Newton-Euler needs at three sliders at the tip that carry the payload and do not move"
chapter.prove("eq-eom-payload", loaded, n=SIZES, by=by)
