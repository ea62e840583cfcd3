"""Proofs of "What each term does": each equation of the RP arm against Newton and Euler, forward dynamics and energy."""

import sympy as sp

import robotdyn as rd
from eqproof import Chapter, letters

arm = rd.robots.rp(symbolic=True)
eqs = rd.derive(arm, q="theta r")
q, qd, qdd = eqs.q, eqs.qd, eqs.qdd
theta, r = q
(m_1, m_2), (I_1, I_2) = zip(*((link.mass, link.inertia[2, 2]) for link in arm.links))

chapter = Chapter(__file__)
chapter.motion(q, qd, qdd)


def special(masses=(m_1, m_2), com1=arm.links[0].com[:2], com2=(0, 0), gravity=-arm.gravity[1]):
    """Return an RP arm of fewer letters."""
    return rd.robots.rp(masses, com1, com2, (I_1, I_2), gravity)


def torque(arm):
    """Return the efforts of a motion, from forces and moments."""
    return rd.inverse_dynamics(arm, q, qd, qdd)


chapter.bind(letters(arm, q))
chapter.bind(
    {
        r"\boldsymbol q": q,
        r"\boldsymbol\tau": torque(arm),
        r"\boldsymbol M": rd.mass_matrix(arm, q),
        r"\boldsymbol C": rd.coriolis_matrix(arm, q, qd),
        r"\boldsymbol g": rd.gravity_torque(arm, q),
        r"I_O": 2 * rd.kinetic_energy(arm, q, [1, 0]),
        r"\bar H": 2 * rd.kinetic_energy(special(masses=(m_1, 0)), q, [1, 0]),  # what stays when the slider has no mass
    }
)

chapter.units(
    {
        r"\boldsymbol\tau": ["N m", "N"],
        r"\boldsymbol g": ["N m", "N"],
        r"\boldsymbol q": ["rad", "m"],
        r"\bar H": "kg m^2",
        r"\boldsymbol M": [["kg m^2", "kg m"], ["kg m", "kg"]],
        r"\boldsymbol C": [["kg m^2/s", "kg m/s"], ["kg m/s", "kg/s"]],
        r"\Gamma_{***}": lambda k, i, j: ("kg m^2", "kg m", "kg", "kg/m")[[k, i, j].count(2)],
        r"\boldsymbol Y": [["m^2/s^2", "m^2/s^2", "1/s^2", "1/s^2"], ["m/s^2", "m/s^2", "1/m s^2", "1/m s^2"]],
    }
)

# ---- one term at a time ---------------------------------------------------------------------------------------------

table = special(com2=arm.links[1].com[:2], gravity=0)
push = rd.forward_dynamics(table, q, 0 * qd, [0, sp.Symbol("f", real=True)])
chapter.prove(
    "eq-rp-coupling",
    {r"\ddot\theta": push[0], r"\ddot r": push[1]},
    by="forward dynamics of the library without gravity, from rest, with a force on the slider alone",
)
table = special(gravity=0)
kinetic = rd.kinetic_energy(table, q, qd)
table = {r"\boldsymbol\tau": torque(table), "T": kinetic}
for name in ("table-theta", "table-r", "conserved"):
    chapter.prove(f"eq-rp-{name}", table, by="the recursive Newton-Euler algorithm with c_2 = 0 and g = 0")

# the flight: the slider starts at rest at r_0 and is now farther out, by a positive distance
r_0, way = sp.symbols("r_0 way", positive=True)
start = {r: r_0, qd[1]: 0}
turning = kinetic.diff(qd[0]).subs(start) / kinetic.diff(qd[0], 2)  # the momentum of the start, by the inertia now
sliding = kinetic.subs(start) - kinetic.subs({qd[1]: 0, qd[0]: turning})
speed = sp.sqrt(2 * sliding / kinetic.diff(qd[1], 2)).subs(r, r_0 + way)
chapter.prove(
    "eq-rp-flight",
    {"r_0": r_0, "r": r_0 + way, r"\dot r": speed, "T": kinetic.subs(start)},
    by="the library's energy and its derivative by the rate, both as at the start; c_2 = 0 and g = 0",
)

# ---- the matrix form ------------------------------------------------------------------------------------------------

chapter.prove("eq-rp-mass", by="the library's mass matrix")
chapter.define("eq-rp-christoffel", "names the Christoffel symbols", each="i j k", n=[2], let=True)
chapter.prove("eq-rp-coriolis-sum", each={"k": 2, "j": 2}, by="the library's Coriolis matrix, built link by link")
chapter.prove("eq-rp-dm", by="differentiation of the library's mass matrix")
chapter.prove("eq-rp-christoffel-values", by="the Christoffel symbols of the library's mass matrix")
chapter.prove("eq-rp-coriolis", by="the library's Coriolis matrix, built link by link")
chapter.prove("eq-rp-det", by="the determinant of the library's mass matrix")
chapter.prove("eq-rp-det-square", by="the determinant of the library's mass matrix")

# ---- what the motors can tell ---------------------------------------------------------------------------------------

c_1x = arm.links[0].com[0]
in_line = torque(special(com1=(c_1x, 0)))  # both centers of mass on the line through the joint
regressor = in_line.jacobian([m_1, m_2, I_1, I_2])
in_line = {r"\boldsymbol\tau": in_line, r"\boldsymbol Y": regressor}
chapter.prove("eq-rp-linear", in_line, by="Newton-Euler, and its derivatives by the parameters")
chapter.prove("eq-rp-regressor", in_line, by="Newton-Euler, differentiated by the parameters")
