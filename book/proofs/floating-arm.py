"""Proofs of "An arm that floats": the library's momentum of a body with an arm, solved for how the body turns."""

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter

chapter = Chapter(__file__)
chapter.units({"m_0": "kg", "d": "m", "J": "kg m^2", "J_*": "kg m^2", "L": "kg m^2/s", r"\psi": "rad"})
chapter.units({r"\Delta\psi": "rad", r"\Delta q": "rad", r"\Delta q_*": "rad", "b_1": "1", r"\mu": "kg"})

m_0, m, d, I_0, I_c, J_s, J_f = sp.symbols("m_0 m d I_0 I_c J_s J_f", positive=True)
psi, q, psi_dot, q_dot = sp.symbols("psi q psi_dot q_dot", real=True)


def spin(I_0, I_c):
    """Return the angular momentum of a body with an arm of one link."""
    links = rd.Arm([rd.Link(m, (d, 0, 0), sp.diag(0, 0, I_c))])
    arm = rd.floating(links, rd.Body(m_0, (0, 0, 0), sp.diag(0, 0, I_0)), plane=True)
    return sp.simplify((rd.momentum_matrix(arm, [0, 0, psi, q])[5, :] * sp.Matrix([0, 0, psi_dot, q_dot]))[0])


L = spin(I_0, I_c)
letters = {"m_0": m_0, "m": m, "d": d, "I_0": I_0, "I_c": I_c, "L": L, "J": L.diff(q_dot)}
letters |= {r"\psi": psi, "q": q, r"\mu": spin(0, 0).diff(q_dot) / d**2}
body_and_arm = Bindings(letters).motion([psi, q], [psi_dot, q_dot])
chapter.prove("eq-float-reduced", body_and_arm, by="two points that go around their common center of mass")
chapter.prove("eq-float-inertia", body_and_arm, by="the library's angular momentum for a unit of the joint's rate")
chapter.prove("eq-float-momentum", body_and_arm, by="the library's matrix of momentum for a body and one link")
resting = sp.solve(L, psi_dot)[0]
by = "that angular momentum, put to zero and solved"
chapter.prove("eq-float-turn", Bindings(letters).motion([psi, q], [resting, q_dot]), by=by)

# ---- loops -----------------------------------------------------------------------------------------------------------------

swing = sp.Symbol("swing", real=True)
turn = sp.Symbol("turn")
answer = lambda J: sp.solve(I_0 * turn + J * (turn + swing), turn)[0]  # of the body to a swing of the shoulder
loop = {
    "I_0": I_0,
    "J_s": J_s,
    "J_f": J_f,
    r"\Delta q": swing,
    r"\Delta\psi": answer(J_s) + answer(J_f).subs(swing, -swing),
}
chapter.prove("eq-float-loop", loop, by="two swings, there and back, each of them without angular momentum")

q_2, s_1, s_2, eps = sp.symbols("q_2 s_1 s_2 eps", real=True)
bench = rd.robots.two_link((0.6, 0.6), (2.5, 2.5), (0.3, 0.3), (0.075, 0.075))
arm = rd.floating(bench, rd.bodies.cylinder(20.0, 0.3, 0.4), plane=True)
A = rd.momentum_matrix(arm, [0, 0, 0, 0, q_2])[5, :]
b_1 = -A[3] / A[2]
rectangle = (b_1 - b_1.subs(q_2, q_2 + eps * s_2)) * s_1
small = {
    "b_1": b_1,
    "q_2": q_2,
    r"\Delta q_1": s_1,
    r"\Delta q_2": s_2,
    r"\Delta\psi": rectangle.diff(eps).subs(eps, 0),
}
chapter.prove("eq-float-small", small, by="the first order of what a rectangle gains, for the arm of the page")
