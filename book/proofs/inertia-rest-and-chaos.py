"""Proofs of "Inertia, rest and chaos": the determinant of the 2R arm against that of the library's mass matrix."""

import sympy as sp

import robotdyn as rd
from eqproof import Chapter, abbreviations, letters

arm = rd.robots.two_link(coms=sp.symbols("l_c1:3", real=True), symbolic=True)  # of either sign: a counterweight
q, qd, qdd = (sp.Matrix(sp.symbols(names, real=True)) for names in ("q_1 q_2", "qdot_1 qdot_2", "qddot_1 qddot_2"))
straight, bent = (2 * rd.kinetic_energy(arm, [q[0], angle], [1, 0]) for angle in (0, sp.pi / 2))  # turned by joint 1

chapter = Chapter(__file__)
chapter.motion(q, qd, qdd)
chapter.bind(letters(arm, q))
chapter.bind(abbreviations(q))
chapter.bind(
    {
        r"\boldsymbol q": q,
        r"\boldsymbol\tau": rd.inverse_dynamics(arm, q, qd, qdd),
        r"U": rd.potential_energy(arm, q),
        r"\boldsymbol M": rd.mass_matrix(arm, q),
        r"\boldsymbol g": rd.gravity_torque(arm, q),
        r"\alpha": bent,
        r"\beta": (straight - bent) / 2,
        r"\delta": 2 * rd.kinetic_energy(arm, q, [0, 1]),
    }
)

chapter.units(dict.fromkeys((r"\alpha", r"\beta", r"\delta"), "kg m^2"))

chapter.prove("eq-two-link-det-short", by="the determinant of the library's mass matrix")
chapter.prove("eq-two-link-det", by="the determinant of the library's mass matrix")
