"""Proofs of "The equation of motion": energies, M, C and g of arms in space, friction, pushes, against Newton-Euler torques."""

from functools import cache
from types import SimpleNamespace

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, field

chapter = Chapter(__file__)
chapter.units({"M": "kg m^2", "b_*": "J s/u_i u_i", "d_*": "J/u_i"})


def symbols(names, **kind):
    """Return a column of real symbols."""
    return sp.Matrix(sp.symbols(names, real=True, **kind))


# ---- a mechanism of one degree of freedom ---------------------------------------------------------------------------


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

# ---- arms in space --------------------------------------------------------------------------------------------------

SIZES = [1, 2, 3]
fall, wrench = symbols("a_x a_y a_z"), symbols("f_x f_y f_z n_x n_y n_z")
m_p = sp.Symbol("m_p", positive=True)


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
        g=rd.gravity_torque(arm, q),
        T=rd.kinetic_energy(arm, q, qd),
        U=rd.potential_energy(arm, q),
        torque=rd.inverse_dynamics(arm, q, qd, qdd),
    )


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


def pushed(n):
    """Return what acts on an arm with friction and a tip wrench: the motors give what Newton-Euler leaves to them."""
    s, friction = spatial(n), symbols(f"tau_f1:{n + 1}")
    return {
        r"\boldsymbol\tau": rd.inverse_dynamics(s.arm, s.q, s.qd, s.qdd, tip_wrench=wrench) - friction,
        r"\boldsymbol\tau_f": friction,
        r"\boldsymbol w": wrench,
        r"\boldsymbol J": rd.tip_jacobian(s.arm, s.q),
    }


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


chapter.bind(any_arm)
by = "the library's kinetic energy, of the bodies one by one, and its mass matrix"
chapter.prove("eq-eom-kinetic", with_arguments, n=SIZES, by=by)
by = "differentiation of the library's kinetic energy, and its mass matrix, in sums of the joint coordinates"
for name in ("momentum", "momentum-rate", "slope"):
    chapter.prove(f"eq-eom-{name}", in_sums, each="k", n=SIZES, by=by)
chapter.prove("eq-eom-index", each="k", n=SIZES, by="the recursive Newton-Euler algorithm")
chapter.prove("eq-eom-matrix", with_arguments, n=SIZES, by="the recursive Newton-Euler algorithm")
chapter.prove("eq-eom-gravity", each="k", n=SIZES, by="the recursive Newton-Euler algorithm at rest")
chapter.prove("eq-eom-gravity-sum", n=SIZES, by="the recursive Newton-Euler algorithm at rest")
by = "the recursive Newton-Euler algorithm with a tip wrench"
chapter.prove("eq-eom-complete", pushed, n=SIZES, by=by)
by = "the forces that Newton-Euler needs at three sliders at the tip that carry the payload and do not move"
chapter.prove("eq-eom-payload", loaded, n=SIZES, by=by)
