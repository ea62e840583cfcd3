"""Proofs of "The RP arm": each displayed equation against the library's kinematics, energies and equation of motion."""

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, letters

arm = rd.robots.rp(symbolic=True)
eqs = rd.derive(arm, q="theta r")
q, qd, qdd = eqs.q, eqs.qd, eqs.qdd
theta, r = q
(m_1, m_2), (I_1, I_2) = zip(*((link.mass, link.inertia[2, 2]) for link in arm.links))
g = -arm.gravity[1]
tau = rd.inverse_dynamics(arm, q, qd, qdd)  # from forces and moments, not from energies
R, _ = rd.link_poses(arm, q)

chapter = Chapter(__file__)
chapter.motion(q, qd, qdd)


def special(masses=(m_1, m_2), inertias=(I_1, I_2), com1=arm.links[0].com[:2], com2=(0, 0), gravity=g):
    """Return an RP arm of fewer letters."""
    return rd.robots.rp(masses, com1, com2, inertias, gravity)


def torque(arm):
    """Return the efforts of a motion, from forces and moments."""
    return rd.inverse_dynamics(arm, q, qd, qdd)


def energy(i):
    """Return the kinetic energy of link i: that of the arm without the other link's mass and inertia."""
    one = lambda pair: [x if i == k else 0 for k, x in enumerate(pair, 1)]
    return rd.kinetic_energy(special(one((m_1, m_2)), one((I_1, I_2)), com2=arm.links[1].com[:2]), q, qd)


def position(i):
    """Return the center of mass of link i."""
    return rd.point_position(arm, q, i - 1, arm.links[i - 1].com)[:2, :]


def velocity(i):
    """Return the velocity of the center of mass of link i."""
    return (rd.com_jacobian(arm, q, i - 1) * qd)[:2, :]


chapter.bind(letters(arm, q))
chapter.bind(
    {
        r"\boldsymbol q": q,
        r"\boldsymbol\tau": tau,
        r"\boldsymbol R": R[0, :2, :2],
        r"\boldsymbol Z": sp.Matrix([[0, -1], [1, 0]]),
        r"\boldsymbol e": R[0, :2, 0],
        r"\boldsymbol p_*": position,
        r"\boldsymbol v_*": velocity,
        r"\boldsymbol a_*": lambda i: chapter.rate(chapter.rate(position(i))),
        r"T_*": energy,
        r"T": rd.kinetic_energy(arm, q, qd),
        r"U": rd.potential_energy(arm, q),
        r"\boldsymbol g": rd.gravity_torque(arm, q),
        r"I_O": 2 * rd.kinetic_energy(arm, q, [1, 0]),
        r"\bar H": 2 * rd.kinetic_energy(special(masses=(m_1, 0)), q, [1, 0]),  # what stays when the slider has no mass
    }
)

chapter.units(
    {
        **dict.fromkeys((r"\boldsymbol Z", r"\boldsymbol e"), "1"),
        r"\boldsymbol\tau": ["N m", "N"],
        r"\boldsymbol g": ["N m", "N"],
        r"\boldsymbol q": ["rad", "m"],
        r"\boldsymbol a_*": "m/s^2",
        r"\bar H": "kg m^2",
    }
)

chapter.prove("eq-rp-rotation", by="the link frames of the library")
chapter.prove("eq-rp-p1", by="the library's position of the center of mass")
chapter.prove("eq-rp-p2", by="the library's position of the center of mass")
either = {r"\boldsymbol Z": "rotations of the plane commute"}
chapter.prove("eq-rp-rotation-rate", by="the time derivative of the library's rotation", dead=either)
chapter.prove("eq-rp-v2", by="the library's Jacobian of the center of mass, times the rates")
chapter.prove("eq-rp-v2-guide", by="the library's rotation and Jacobian")
chapter.prove("eq-rp-t1", by="the library's kinetic energy of the arm with link 1 alone")
chapter.prove("eq-rp-t2", by="the library's kinetic energy of the arm with link 2 alone")
chapter.prove("eq-rp-h", by="twice the energy at unit rate of the arm whose slider has no mass")
chapter.prove("eq-rp-inertia", by="twice the library's energy while the arm turns at unit rate and does not slide")
chapter.prove("eq-rp-kinetic", by="the library's kinetic energy")
chapter.prove("eq-rp-potential", by="the library's potential energy")
chapter.prove("eq-rp-euler-lagrange", each={"i": 2}, by="energies against the recursive Newton-Euler algorithm")
for name in ("momentum-theta", "momentum-r", "momentum-rate-theta", "momentum-rate-r", "dtdr"):
    chapter.prove(f"eq-rp-{name}", by="differentiation of the library's kinetic energy")
falling = Bindings().motion(q, qd, rd.forward_dynamics(arm, q, qd, sp.zeros(2, 1)))  # the rate of T has the angle in it
chapter.prove("eq-rp-dtdtheta", falling, by="differentiation of the library's kinetic energy")
chapter.prove("eq-rp-gravity", by="the recursive Newton-Euler algorithm at rest")
chapter.prove("eq-rp-motion-theta", by="the recursive Newton-Euler algorithm")
chapter.prove("eq-rp-motion-r", by="the recursive Newton-Euler algorithm")
chapter.prove("eq-rp-acceleration", by="two time derivatives of the library's position")
chapter.define("eq-rp-fall", "names the acceleration of free fall", let=True)
chapter.postulate("eq-rp-newton", by="the recursive Newton-Euler algorithm")
chapter.postulate("eq-rp-euler", by="the recursive Newton-Euler algorithm")
