"""Proofs of "How heavy is a hand?": masses on rods by Newton's law, and the library's mobility of the same arms.

Newton's law knows no Jacobian and no mass matrix: forces in rods, and accelerations of two masses.
"""

from functools import cache

import sympy as sp

import robotdyn as rd
from eqproof import Chapter

chapter = Chapter(__file__)
along = lambda angle: sp.Matrix([sp.cos(angle), sp.sin(angle)])
SIZES = [2, 3]  # two joints, and one to spare: then the Jacobian has no inverse


def inverse(A):
    """Return the inverse of a small matrix, by Cramer's rule: nothing is simplified."""
    return A.adjugate() / A.det("berkowitz")


# ---- masses on rods, by Newton's law --------------------------------------------------------------------------------

f = sp.Matrix(sp.symbols("f_x f_y", real=True))
a_0 = sp.Matrix(sp.symbols("a_x a_y", real=True))  # of any motion: it stays what it is


def pushed(masses, rods, f):
    """Return the acceleration of the last mass, at rest, under a force f: rods keep their lengths and pull along themselves."""
    n = len(masses)
    stretch = sp.zeros(n, 2 * n)  # how fast each rod would grow, by the velocities of its two ends
    for k, e in enumerate(rods):
        stretch[k, 2 * k : 2 * k + 2] = e.T
        if k:
            stretch[k, 2 * k - 2 : 2 * k] = -e.T
    light = sp.diag(*(1 / m for mass in masses for m in (mass, mass)))
    alone = light * sp.Matrix([*([0] * (2 * n - 2)), *f])
    pulls = inverse(stretch * light * stretch.T) * stretch * alone
    return (alone - light * stretch.T * pulls)[-2:, :]


# ---- the same arms, by their energies -------------------------------------------------------------------------------

t = sp.Symbol("t", real=True)
d = sp.Matrix([1 - t**2, 2 * t]) / (1 + t**2)


@cache
def hand(n):
    """Return the bindings of the hand of n masses on rods; its energy is the least that its velocity allows."""
    q, qd = (sp.Matrix(sp.symbols(f"{x}_1:{n + 1}", real=True)) for x in ("q", "v"))
    masses, lengths = sp.symbols(f"m_1:{n + 1}", positive=True), sp.symbols(f"l_1:{n + 1}", positive=True)
    rods = [along(sum(q[: k + 1])) for k in range(n)]
    places = [sum((l * e for l, e in zip(lengths[: k + 1], rods)), sp.zeros(2, 1)) for k in range(n)]
    speeds = [place.jacobian(q) * qd for place in places]
    T = sum(m * v.dot(v) / 2 for m, v in zip(masses, speeds))
    M, J, rates = sp.hessian(T, qd), places[-1].jacobian(q), qd
    if n == 3:
        free = J[0, :].cross(J[1, :]).T  # the hand stays where it is
        rates = qd - free * (free.T * M * qd)[0] / (free.T * M * free)[0]
    newton = inverse(sp.Matrix.hstack(*(pushed(masses, rods, unit) for unit in ([1, 0], [0, 1]))))
    held = newton * d  # the force, that of the walls included, that accelerates along d alone
    return {
        "m_*": masses,
        "q_*": list(q),
        r"\boldsymbol M": M,
        r"\boldsymbol J": J,
        r"\boldsymbol e": rods[-1],
        r"\boldsymbol d": d,
        r"\boldsymbol f": f,
        r"\boldsymbol a_0": a_0,
        r"\boldsymbol a": a_0 + pushed(masses, rods, f),
        r"\boldsymbol v": speeds[-1],
        "T": (rates.T * M * rates)[0] / 2,
        r"\boldsymbol\Lambda": newton,
        "m_s": held.dot(d),
        "m_d": 1 / pushed(masses, rods, d).dot(d),
    }


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
by = "Newton's law for masses on rods"
chapter.prove("eq-hand-push", hand, n=SIZES, by=by)
chapter.prove("eq-hand-inertia", hand, n=SIZES, by=by)
by_energy = "the least energy of the masses at a velocity of the hand, and their inertia by Newton's law"
chapter.prove("eq-hand-energy", hand, n=SIZES, by=by_energy)
chapter.prove("eq-hand-slot", hand, n=SIZES, by=by + ", accelerated along d alone")
chapter.prove("eq-hand-direction", hand, n=SIZES, by=by + ", pushed along d")


def by_energies(n):
    """Return the same bindings, Lambda from the energies."""
    M, J = (hand(n)[letter] for letter in (r"\boldsymbol M", r"\boldsymbol J"))
    return hand(n) | {r"\boldsymbol\Lambda": inverse(J * inverse(M) * J.T)}


chapter.prove("eq-hand-two-masses", by_energies, n=[2], by="the masses' energies and places, J M^-1 J^T inverted")

# ---- the arm that slides --------------------------------------------------------------------------------------------

rp = rd.robots.rp(com2=(0, 0), symbolic=True)
theta, r, rho = sp.Symbol("theta", real=True), *sp.symbols("r rho", positive=True)
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
