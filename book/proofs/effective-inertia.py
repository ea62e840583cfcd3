"""Proofs of "How heavy is a hand?": masses on rods by Newton's law, and the library's mobility of the same arms.

Newton's law knows no Jacobian and no mass matrix: forces in rods, and accelerations of two masses.
"""

import sympy as sp

import robotdyn as rd
from eqproof import Chapter

chapter = Chapter(__file__)
arm = rd.robots.planar(2, symbolic=True, gravity=0)
q, qd = (sp.Matrix(sp.symbols(f"{x}_1:3", real=True)) for x in ("q", "v"))
(m_1, m_2), (l_1, l_2) = ([link.mass for link in arm.links], [arm.links[1].position[0], arm.tip[0]])
along = lambda angle: sp.Matrix([sp.cos(angle), sp.sin(angle)])
across = lambda angle: sp.Matrix([-sp.sin(angle), sp.cos(angle)])
e = along(sum(q))

# ---- two masses on two rods, by Newton's law -----------------------------------------------------------------------


def inverse(A):
    """Return the inverse of a matrix (2, 2), by Cramer's rule: nothing is simplified."""
    return A.adjugate() / (A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0])


def pushed(f):
    """Return the acceleration of the hand, at rest, under a force f: the forearm pulls both masses along itself."""
    bend = e.dot(across(q[0]))  # of the forearm's pull S, the part across the upper arm; that way the elbow moves
    law = sp.Matrix([[-bend, m_1], [1 / m_2, bend]])  # of S and the elbow's acceleration: the rod keeps its length
    S, _ = inverse(law) * sp.Matrix([0, f.dot(e) / m_2])
    return (f - S * e) / m_2


f = sp.Matrix(sp.symbols("f_x f_y", real=True))
a_0 = sp.Matrix(sp.symbols("a_x a_y", real=True))  # of any motion: it stays what it is
felt = pushed(f).jacobian(f)
newton = inverse(felt)

# ---- the same arm, by its energies --------------------------------------------------------------------------------

places = [l_1 * along(q[0])]
places.append(places[0] + l_2 * e)
speeds = [place.jacobian(q) * qd for place in places]
T = sum(m * v.dot(v) / 2 for m, v in zip((m_1, m_2), speeds))
M, J = sp.hessian(T, qd), places[1].jacobian(q)
t = sp.Symbol("t", real=True)
d = sp.Matrix([1 - t**2, 2 * t]) / (1 + t**2)
held = newton * d  # the force, that of the walls included, that accelerates along d alone
chapter.units(
    {
        r"\boldsymbol\Lambda": "kg",
        "m_s": "kg",
        "m_d": "kg",
        r"m_\rho": "kg",
        r"\boldsymbol a": "m/s^2",
        r"\boldsymbol a_0": "m/s^2",
        r"\boldsymbol J": "m/rad",
        r"\boldsymbol e": "1",
        r"\boldsymbol d": "1",
        r"\rho": "m",
        "H": "kg m^2",
    }
)
chapter.bind(
    {
        "m_*": [m_1, m_2],
        "q_*": list(q),
        r"\boldsymbol M": M,
        r"\boldsymbol J": J,
        r"\boldsymbol e": e,
        r"\boldsymbol d": d,
        r"\boldsymbol f": f,
        r"\boldsymbol a_0": a_0,
        r"\boldsymbol a": a_0 + pushed(f),
        r"\boldsymbol v": speeds[1],
        "T": T,
        r"\boldsymbol\Lambda": newton,
        "m_d": 1 / pushed(d).dot(d),
    }
)
by = "Newton's law for two masses on rods"
chapter.prove("eq-hand-push", by=by)
chapter.prove("eq-hand-inertia", by=by)
chapter.prove("eq-hand-energy", by="the energy of the masses, and their inertia by Newton's law")
chapter.prove("eq-hand-slot", {"m_s": held.dot(d)}, by=by + ", accelerated along d alone")
chapter.prove("eq-hand-direction", by=by + ", pushed along d")
by_energies = "the masses' energies and places, J M^-1 J^T inverted"
chapter.prove("eq-hand-two-masses", {r"\boldsymbol\Lambda": inverse(J * inverse(M) * J.T)}, by=by_energies)

# ---- the arm that slides --------------------------------------------------------------------------------------------

rp = rd.robots.rp(com2=(0, 0), symbolic=True)
(theta, r), rho = sp.symbols("theta r", positive=True), sp.Symbol("rho", positive=True)
I_1, I_2 = (link.inertia[2, 2] for link in rp.links)
c_1x, c_1y = rp.links[0].com[:2]
H = 2 * rd.kinetic_energy(rp.subs({rp.links[1].mass: 0}), (theta, r), (1, 0))
mobility = rd.task_space.mobility(rp, (theta, r), directions=[(1, 0, 0), (0, 1, 0)])
of_link = rd.task_space.mobility(rp, (0, r), 0, (rho, 0, 0), [(0, 1, 0)])[0]
sliding = {
    "m_*": [link.mass for link in rp.links],
    "I_*": [I_1, I_2],
    "c_{1x}": c_1x,
    "c_{1y}": c_1y,
    "r": r,
    r"\rho": rho,
    "H": H,
    r"\boldsymbol R": sp.rot_ccw_axis3(theta)[:2, :2],
    r"\boldsymbol\Lambda": inverse(mobility),
    r"m_\rho": 1 / of_link,
}
chapter.prove("eq-hand-rp-h", sliding, by="twice the library's energy at unit rate, the slider without mass")
chapter.prove("eq-hand-rp", sliding, by="the library's mobility, inverted")
chapter.prove("eq-hand-rp-link", sliding, by="the library's mobility of a point of the first link")
