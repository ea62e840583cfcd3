"""Proofs of the assignment "simulation": both pendulums against the library's Newton-Euler torques."""

import sympy as sp

import robotdyn as rd
from eqproof import Chapter

m, l, g, I, lc, b = sp.symbols("m l g I l_c b", positive=True)
q, qd, qdd = ([symbol] for symbol in sp.symbols("q qdot qddot", real=True))
state = {"q": q[0], r"\dot q": qd[0], r"\ddot q": qdd[0]}

chapter = Chapter(__file__)
chapter.units({"J": "kg m^2", "w": "N m"})

point = rd.Arm([rd.Link(m, com=(l, 0, 0))], gravity=(0, -g, 0))
torque = rd.inverse_dynamics(point, q, qd, qdd)[0]
by = "the recursive Newton-Euler algorithm for a point mass"
chapter.prove("eq-exercise-pendulum", {**state, "m": m, "l": l, "g": g, r"\tau": torque}, by=by)

body = rd.Arm([rd.Link(m, com=(lc, 0, 0), inertia=sp.diag(0, 0, I))], gravity=(0, -g, 0))
parameters = {
    **state,
    r"\tau": rd.inverse_dynamics(body, q, qd, qdd)[0] + b * qd[0],
    "J": 2 * rd.kinetic_energy(body, q, [1]),
    "b": b,
    "w": rd.potential_energy(body, [sp.pi / 2]) - rd.potential_energy(body, [0]),
}
by = "the recursive Newton-Euler algorithm for a body with friction; its energies at unit rate, and when it is lifted"
chapter.prove("eq-exercise-parameters", parameters, by=by)
