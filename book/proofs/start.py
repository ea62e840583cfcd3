"""Proofs of "Start here": each displayed equation against the library, whose recursion balances forces and moments."""

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, field

chapter = Chapter(__file__)


# ---- any arm: here one in space, askew, with a joint that slides ----------------------------------------------------


def link(joint, mass, com, axis, position, rotation):
    """Return a link of rational numbers, thirds of those given: askew, but exact."""
    third = lambda x: sp.Matrix(x) / 3
    inertia = third([[5, 1, -1], [1, 4, 2], [-1, 2, 6]]) * mass
    return rd.Link(mass, third(com), inertia, joint, third(axis), third(position), third(rotation))


turn = sp.Matrix([[2, -1, 2], [2, 2, -1], [-1, 2, 2]])
arm = rd.Arm(
    [
        link("revolute", 2, (1, -2, 3), (0, 0, 3), (0, 0, 0), 3 * sp.eye(3)),
        link("prismatic", 3, (2, 1, -1), (2, -1, 2), (1, 3, -1), turn),
        link("revolute", 5, (-1, 3, 2), (1, 2, 2), (-3, 1, 6), turn.T),
    ],
    gravity=(1, 2, -sp.Rational(19, 2)),
)
q, qd, qdd = (sp.Matrix(sp.symbols(f"{x}_1:4", real=True)) for x in ("q", "v", "a"))
chapter.prove(
    "eq-start-motion",
    Bindings()
    .motion(q, qd, qdd)
    .bind(
        {
            r"\boldsymbol q": q,
            r"\boldsymbol M": field(rd.mass_matrix(arm, q), q),
            r"\boldsymbol C": field(rd.coriolis_matrix(arm, q, qd), q, qd),
            r"\boldsymbol g": field(rd.gravity_torque(arm, q), q),
            r"\boldsymbol\tau": rd.inverse_dynamics(arm, q, qd, qdd),
        }
    ),
    by="the recursive Newton-Euler algorithm, for an arm in space",
)

pair = rd.Arm(arm.links[:2], arm.gravity)
free = rd.forward_dynamics(pair, q[:2], qd[:2], sp.zeros(2, 1))
chapter.prove(
    "eq-start-energy",
    Bindings()
    .motion(q[:2], qd[:2], free)
    .bind({"T": rd.kinetic_energy(pair, q[:2], qd[:2]), "U": rd.potential_energy(pair, q[:2])}),
    by="the library's energies, while the arm falls as the articulated-body algorithm says",
)

# ---- one joint ------------------------------------------------------------------------------------------------------

m, l, g = sp.symbols("m l g", positive=True)
angle, rate, acceleration = one = [sp.Matrix([sp.Symbol(x, real=True)]) for x in ("q", "v", "a")]
chapter.motion(*one)
chapter.bind({"q": angle[0], "m": m, "l": l, "g": g})


def torque(com, inertia):
    """Return the torque of one link, by the recursive Newton-Euler algorithm."""
    return rd.inverse_dynamics(rd.robots.planar([l], [m], [com], [inertia], gravity=g), *one)[0]


newton_euler = "the recursive Newton-Euler algorithm"
chapter.postulate("eq-start-newton", {r"\tau": torque(l, 0)}, by=newton_euler)
chapter.prove("eq-start-pendulum", {r"\tau": torque(l, 0)}, by=newton_euler)
s = sp.Symbol("s", positive=True)
rod = sp.integrate((s - l / 2) ** 2 * m / l, (s, 0, l))
chapter.prove(
    "eq-start-rod", {r"\tau": torque(l / 2, rod)}, by=f"{newton_euler}; an integral along the rod for inertia"
)
