"""Proofs of "The task space and impact": two masses on rods by Newton's law, and the arm that they form by its energies."""

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter

chapter = Chapter(__file__)
arm = rd.robots.planar(2, symbolic=True)
q, qd, qdd = (sp.Matrix(sp.symbols(f"{x}_1:3", real=True)) for x in ("q", "v", "a"))
(m_1, m_2), (l_1, l_2) = ([link.mass for link in arm.links], [arm.links[1].position[0], arm.tip[0]])
g = -arm.gravity[1]
along = lambda angle: sp.Matrix([sp.cos(angle), sp.sin(angle)])
across = lambda angle: sp.Matrix([-sp.sin(angle), sp.cos(angle)])
e, up = along(sum(q)), sp.Matrix([0, 1])


def inverse(A):
    """Return the inverse of a matrix (2, 2), by Cramer's rule: nothing is simplified."""
    return A.adjugate() / (A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0])


# ---- the arm, by its energies -----------------------------------------------------------------------------------------

elbow = l_1 * along(q[0])
hand = elbow + l_2 * e
J = hand.jacobian(q)
velocities = [elbow.jacobian(q) * qd, J * qd]
T = sum(m * v.dot(v) / 2 for m, v in zip((m_1, m_2), velocities))
M = sp.hessian(T, qd)
weight = sp.Matrix([g * (m_1 * elbow[1] + m_2 * hand[1])]).jacobian(q).T
rate = lambda A: A.jacobian(q) * qd + A.jacobian(qd) * qdd
lost = sp.Matrix([T]).jacobian(qd).T
inertial = rate(lost) - sp.Matrix([T]).jacobian(q).T  # Lagrange, without weight
C_qd = inertial.subs(dict.fromkeys(qdd, 0))
a = rate(J * qd)
mobility = J * inverse(M) * J.T
still = inverse(J) * -a.subs(dict.fromkeys(qdd, 0))  # the joints' accelerations while the hand has none
at_rest = inverse(J.T)  # what two torques are as a force at the hand
mu = at_rest * (M * still + C_qd)
gamma = at_rest * weight
f, tau = sp.Matrix(sp.symbols("f_x f_y", real=True)), sp.Matrix(sp.symbols("tau_1:3", real=True))
moved = inverse(M) * (tau + J.T * f - C_qd - weight)
chapter.units(
    {
        r"\boldsymbol\Lambda": "kg",
        r"\boldsymbol\mu": "N",
        r"\boldsymbol\gamma": "N",
        r"\boldsymbol a": "m/s^2",
        r"\boldsymbol J": "m/rad",
        r"\bar{\boldsymbol J}": "rad/m",
        r"\boldsymbol e": "1",
        r"\boldsymbol e_y": "1",
        r"\boldsymbol n": "1",
        r"\Delta\dot{\boldsymbol q}": "rad/s",
        "P": "N s",
        "e": "1",
        "v": "m/s",
        "m_d": "kg",
        "m_b": "kg",
        "F": "N",
        "k": "N/m",
    }
)
letters = {
    "m_*": [m_1, m_2],
    "l_*": [l_1, l_2],
    "q_*": list(q),
    "g": g,
    r"\omega": sum(qd),
    r"\boldsymbol q": q,
    r"\boldsymbol M": M,
    r"\boldsymbol J": J,
    r"\boldsymbol g": weight,
    r"\boldsymbol e": e,
    r"\boldsymbol e_y": up,
    r"\boldsymbol f": f,
    r"\boldsymbol\mu": mu,
    r"\boldsymbol\gamma": gamma,
    r"\boldsymbol\Lambda": inverse(mobility),
    r"\bar{\boldsymbol J}": inverse(J),
}
free = Bindings({**letters, r"\boldsymbol a": a, r"\boldsymbol\tau": inertial + weight}).motion(q, qd, qdd)
held = Bindings({**letters, r"\boldsymbol a": a.subs(dict(zip(qdd, moved))), r"\boldsymbol\tau": tau}).motion(
    q, qd, qdd
)
by = "the energies of two masses, Lagrange's equation, and the torques as a force at the hand"
chapter.prove("eq-task-acceleration", free, by="two time derivatives of the place of the hand")
chapter.prove("eq-task-motion", held, by=by)
spun = free.copy().bind({r"\boldsymbol C": rd.coriolis_matrix(arm, q, qd)})
chapter.prove("eq-task-mu", spun, by=by)
chapter.prove("eq-task-gamma", free, by=by)
chapter.prove("eq-task-through", free, by="the inverse of a square Jacobian")
chapter.prove("eq-task-torque", free, by="Lagrange's equation")
chapter.prove("eq-task-two-masses", free, by=by)

# ---- a blow, by Newton's law ------------------------------------------------------------------------------------------

t, P, e_n, v, m_b = sp.symbols("t P e v m_b", positive=True)
n = sp.Matrix([1 - t**2, 2 * t]) / (1 + t**2)


def struck(f):
    """Return the jump of the velocity of the hand under an impulse f: the forearm passes on what points along it."""
    bend = e.dot(across(q[0]))  # of the forearm's pull S, the part across the upper arm; that way the elbow moves
    law = sp.Matrix([[-bend, m_1], [1 / m_2, bend]])
    S, _ = inverse(law) * sp.Matrix([0, f.dot(e) / m_2])
    return (f - S * e) / m_2


jump = inverse(J) * struck(n * P)
gain = struck(n).dot(n)  # of the hand's speed along the normal, for an impulse of 1 N s
given = (1 + e_n) * v / (gain + 1 / m_b)  # makes up for the speeds of approach and of parting
rates = inverse(J) * (-v * n)
after = rates + inverse(J) * struck(n * given)
energy = lambda rates: (rates.T * M * rates)[0] / 2
spent = energy(rates) - energy(after) - (given / m_b) ** 2 * m_b / 2
blow = {
    r"\boldsymbol M": M,
    r"\boldsymbol J": J,
    r"\boldsymbol n": n,
    "e": e_n,
    "v": v,
    "m_d": 1 / gain,
    "m_b": m_b,
}
by = "Newton's law for two masses on rods, under an impulse"
chapter.prove("eq-task-jump", {**blow, "P": P, r"\Delta\dot{\boldsymbol q}": jump}, by=by)
chapter.prove("eq-task-impulse", {**blow, "P": given}, by=by + ", and speeds that part as e has it")
chapter.prove("eq-task-loss", {**blow, "W": spent}, by="the energies of the masses and the body before and after")
k, m, time = sp.symbols("k m t", positive=True)
swing = sp.dsolve(
    m * sp.Function("x")(time).diff(time, 2) + k * sp.Function("x")(time),
    ics={sp.Function("x")(0): 0, sp.Function("x")(time).diff(time).subs(time, 0): v},
).rhs
peak = k * swing.subs(time, sp.pi / 2 * sp.sqrt(m / k))
chapter.prove("eq-task-peak", {"v": v, "k": k, "m_d": m, "F": peak}, by="a ball on a spring, a quarter of a period on")
