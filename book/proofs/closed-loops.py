"""Proofs of "Held hands and closed loops": arms whose tip is held, against Newton-Euler torques with the force at the tip."""

import sympy as sp

import robotdyn as rd
from eqproof import Chapter, field

chapter = Chapter(__file__)
chapter.units({r"\boldsymbol\varphi": "m", r"\boldsymbol\lambda": "N", r"\boldsymbol a": "rad/s^2", r"\alpha": "1/s"})
chapter.units({r"\boldsymbol J": "m/rad", "a": "m", "m_*": "kg", "x": "rad", "A": "kg m^2", "U": "J", "Z": "J rad/s^2"})
arm = rd.robots.planar(3, inertias=sp.symbols("I_1:4", positive=True), symbolic=True)
eqs = rd.derive(arm)
q, qd = (sp.Matrix(list(x)) for x in (eqs.q, eqs.qd))
qdd = sp.Matrix(sp.symbols("a_1:4", real=True))
chapter.motion(q, qd, qdd)

# ---- a tip that is pinned to a point: two equations, three joints -----------------------------------------------------

point = sp.Matrix(sp.symbols("p_x p_y", real=True))
phi = sp.Matrix(rd.point_position(arm, q)[:2]) - point
phi_dot = phi.jacobian(q) * qd
phi_ddot = phi_dot.jacobian(q) * qd + phi_dot.jacobian(qd) * qdd
forces = sp.Matrix(sp.symbols("lambda_1:3", real=True))
wrench = [*forces, 0, 0, 0, 0]
held = {
    r"\boldsymbol\varphi": phi,
    r"\boldsymbol q": q,
    r"\boldsymbol J": rd.tip_jacobian(arm, q)[:2, :],
    r"\boldsymbol\lambda": forces,
    r"\boldsymbol M": eqs.M,
    r"\boldsymbol C": eqs.C,
    r"\boldsymbol g": eqs.g,
    r"\boldsymbol\tau": rd.inverse_dynamics(arm, q, qd, qdd, wrench),
}
chapter.prove("eq-loops-rate", held, by="the derivative of the place of the tip, and the library's Jacobian")
chapter.prove("eq-loops-acceleration", held, by="the second derivative of the place of the tip")
chapter.prove("eq-loops-motion", held, by="the Newton-Euler torques with a force at the tip")


def obeying(asked):
    """Return accelerations whose last two obey two linear equations, asked = 0."""
    A, rest = asked.jacobian(qdd[1:]), asked.subs({qdd[1]: 0, qdd[2]: 0})
    return sp.Matrix([qdd[0], *(-A.adjugate() * rest / A.det())])


along = obeying(phi_ddot)
tau = rd.inverse_dynamics(arm, q, qd, along, wrench)
permitted = held | {
    r"\ddot{\boldsymbol q}": along,
    r"\boldsymbol\tau": tau,
    r"\boldsymbol 0": sp.zeros(2, 2),
    r"\boldsymbol a": rd.forward_dynamics(arm, q, qd, tau),
}
by = "an acceleration that the pin permits, and the Newton-Euler torques with a force at the tip"
chapter.prove("eq-loops-kkt", permitted, by=by)
chapter.prove("eq-loops-multipliers", permitted, by=by)
free = sp.Matrix(sp.symbols("b_1:4", real=True))
deviation = lambda x: {"Z": rd.kinetic_energy(arm, q, x[r"\ddot{\boldsymbol q}"] - x[r"\boldsymbol a"])}
measured = held | {r"\ddot{\boldsymbol q}": qdd, r"\boldsymbol a": free}
chapter.prove(
    "eq-loops-gauss", measured | deviation(measured), by="the library's kinetic energy at rates like the deviation"
)
chapter.prove("eq-loops-least", permitted | deviation(permitted), by=by)

# ---- a lamp, and any loop with one coordinate -------------------------------------------------------------------------

a, b, rod, coupler, g = sp.symbols("a b m_a m_b g", positive=True)
x, rate, acceleration = sp.symbols("x v w", real=True)
moments = [rod * a**2 / 12, coupler * b**2 / 12, rod * a**2 / 12]
lamp = rd.robots.planar([a, b, a], [rod, coupler, rod], [a / 2, b / 2, a / 2], moments, g)
way = sp.Matrix([1, -1, 1])  # the rates of the joints for a rate of one; forces of constraint do no work along it
efforts = rd.inverse_dynamics(lamp, [x, -x, x - sp.pi], list(way * rate), list(way * acceleration))
turning = {"a": a, "m_a": rod, "m_b": coupler, "g": g, "x": x, r"\ddot x": acceleration, r"\tau": way.dot(efforts)}
chapter.prove("eq-loops-parallelogram", turning, by="the work of the Newton-Euler torques along the motion of the loop")

guided = rd.robots.planar([a, a], [rod, coupler], gravity=g)  # equal links, the tip held on a line through the shoulder
way = sp.Matrix([1, -2])
efforts = rd.inverse_dynamics(guided, [x, -2 * x], list(way * rate), list(way * acceleration))
one = {
    "x": x,
    r"\dot x": rate,
    r"\ddot x": acceleration,
    "A": field(2 * rd.kinetic_energy(guided, [x, -2 * x], list(way)), x),
    "U": field(rd.potential_energy(guided, [x, -2 * x]), x),
    r"\tau": way.dot(efforts),
}
chapter.prove("eq-loops-one", one, by="the work of the Newton-Euler torques of two links with a guided tip")

# ---- drift ------------------------------------------------------------------------------------------------------------

rate_back, (t, *begin) = sp.Symbol("alpha", positive=True), sp.symbols("t e_1:5", real=True)
faded = sp.Function("e")


def fade(start, speed):
    """Return the solution of the equation of a damped oscillator."""
    equation = faded(t).diff(t, 2) + 2 * rate_back * faded(t).diff(t) + rate_back**2 * faded(t)
    return sp.dsolve(equation, faded(t), ics={faded(0): start, faded(t).diff(t).subs(t, 0): speed}).rhs


error = sp.Matrix([fade(*begin[:2]), fade(*begin[2:])])
back = obeying(phi_ddot + 2 * rate_back * phi_dot + rate_back**2 * phi)
corrected = held | {r"\ddot{\boldsymbol q}": back, r"\alpha": rate_back}
by = "an acceleration under which the place obeys the equation of a damped oscillator"
chapter.prove("eq-loops-baumgarte", corrected, by=by)
fading = {
    "e": sp.E,
    "t": t,
    r"\alpha": rate_back,
    r"\boldsymbol\varphi": field(error, t),
    r"\dot{\boldsymbol\varphi}": field(error.diff(t), t),
}
chapter.prove("eq-loops-fade", fading, by="the solution of the equation of a damped oscillator, by SymPy")
