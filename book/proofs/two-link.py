"""Proofs of "The 2R arm": each displayed equation against the library's kinematics, energies and Newton-Euler torques."""

import sympy as sp

import robotdyn as rd
from eqproof import Chapter, abbreviations, letters

arm = rd.robots.two_link(coms=sp.symbols("l_c1:3", real=True), symbolic=True)  # of either sign: a counterweight
q, qd, qdd = (sp.Matrix(sp.symbols(names, real=True)) for names in ("q_1 q_2", "qdot_1 qdot_2", "qddot_1 qddot_2"))
(m_1, m_2), (I_1, I_2) = zip(*((link.mass, link.inertia[2, 2]) for link in arm.links))
(l_1, l_2), (l_c1, l_c2) = (arm.links[1].position[0], arm.tip[0]), (link.com[0] for link in arm.links)
g = -arm.gravity[1]
right_angle = sp.Matrix([q[0], sp.pi / 2])

chapter = Chapter(__file__)
chapter.motion(q, qd, qdd)


def alone(i):
    """Return the arm in which only link i has mass and inertia."""
    one = lambda pair: [x if i == k else 0 for k, x in enumerate(pair, 1)]
    return rd.robots.planar((l_1, l_2), one((m_1, m_2)), (l_c1, l_c2), one((I_1, I_2)), g)


def position(i):
    """Return the center of mass of link i."""
    return rd.point_position(arm, q, i - 1, arm.links[i - 1].com)[:2, :]


def energy(i):
    """Return the kinetic energy of link i, from the mass matrix of the arm in which it alone has mass."""
    return (qd.T * rd.mass_matrix(alone(i), q) * qd)[0] / 2


def velocity_terms(arm):
    """Return the part of the Newton-Euler torque that depends on the rates."""
    return rd.bias_torque(arm, q, qd) - rd.gravity_torque(arm, q)


def force_in_elbow():
    """Return the force in the elbow in base axes, measured: what two sliders in the elbow need that do not move."""
    first, second = arm.links
    slider = {"joint": "prismatic", "axis": (1, 0, 0), "position": second.position}
    other = {"joint": "prismatic", "axis": (0, 1, 0)}
    cut = rd.Arm(
        [first, rd.Link(0, **slider), rd.Link(0, **other), rd.Link(m_2, second.com, second.inertia)], arm.gravity
    )
    x, v, a = ([pair[0], 0, 0, pair[1]] for pair in (q, qd, qdd))
    return rd.link_poses(arm, q)[0][0, :2, :2].tomatrix() * rd.inverse_dynamics(cut, x, v, a)[1:3, :]


M = rd.mass_matrix(arm, q)
straight, bent = (2 * rd.kinetic_energy(arm, [q[0], angle], [1, 0]) for angle in (0, sp.pi / 2))  # turned by joint 1
h = velocity_terms(arm)

chapter.bind(letters(arm, q))
chapter.bind(abbreviations(q))
chapter.bind(
    {
        r"\boldsymbol q": q,
        r"\boldsymbol\tau": rd.inverse_dynamics(arm, q, qd, qdd),  # from forces and moments, not from energies
        r"\boldsymbol p_{c*}": position,
        r"\boldsymbol J_{c*}": lambda i: position(i).jacobian(q),
        r"\omega_*": lambda i: (rd.com_jacobian(arm, q, i - 1) * qd)[5],
        r"T_*": energy,
        r"T": rd.kinetic_energy(arm, q, qd),
        r"U_*": lambda i: rd.potential_energy(alone(i), q),
        r"U": rd.potential_energy(arm, q),
        r"\boldsymbol M": M,
        r"\boldsymbol C": rd.coriolis_matrix(arm, q, qd),
        r"\boldsymbol h": h,
        r"\boldsymbol g": rd.gravity_torque(arm, q),
        r"\boldsymbol a_g": arm.gravity[:2],
        r"\boldsymbol v_{c*}": lambda i: (rd.com_jacobian(arm, q, i - 1) * qd)[:2, :],
        r"\boldsymbol a_{c*}": lambda i: chapter.rate(chapter.rate(position(i))),
        r"\boldsymbol p_2": rd.point_position(arm, q, 1, (0, 0, 0))[:2, :],
        r"\boldsymbol f_2": force_in_elbow(),
        r"\alpha": bent,
        r"\beta": (straight - bent) / 2,
        r"\delta": 2 * rd.kinetic_energy(arm, q, [0, 1]),
    }
)

chapter.units(
    {
        **dict.fromkeys((r"\alpha", r"\beta", r"\delta"), "kg m^2"),
        **dict.fromkeys((r"\boldsymbol J_{c*}", "x_*", "y_*"), "m"),
        r"\boldsymbol a_{c*}": "m/s^2",
        r"\boldsymbol f_*": "N",
    }
)

chapter.prove("eq-two-link-positions", by="the library's positions of the centers of mass")
chapter.prove("eq-two-link-jacobians", by="the library's positions, differentiated by the angles")
chapter.prove(
    "eq-two-link-koenig", each={"i": 2}, by="the library's mass matrix of the arm in which this link alone has mass"
)
chapter.prove("eq-two-link-speed", by="the library's Jacobian of the center of mass, times the rates")
chapter.prove(
    "eq-two-link-constants",
    by="twice the library's energy at unit rate: of the bent arm, half of what the straight one has more, of link 2 alone",
)
chapter.prove("eq-two-link-kinetic", by="the library's kinetic energy")
chapter.prove("eq-two-link-potential", by="the library's potential energy of the arm in which this link alone has mass")
chapter.prove("eq-two-link-euler-lagrange", each={"i": 2}, by="energies against the recursive Newton-Euler algorithm")
for name in ("momenta", "rates", "dtdq2"):
    chapter.prove(f"eq-two-link-{name}", by="differentiation of the library's kinetic energy")
chapter.prove("eq-two-link-motion1", by="the recursive Newton-Euler algorithm")
chapter.prove("eq-two-link-motion2", by="the recursive Newton-Euler algorithm")
chapter.prove(
    "eq-two-link-terms", by="the library's mass matrix; Newton-Euler torques without acceleration, and at rest"
)
chapter.postulate(
    "eq-two-link-newton", by="the force that Newton-Euler needs at two sliders in the elbow that do not move"
)
chapter.prove("eq-two-link-acceleration", by="two time derivatives of the library's position")
chapter.postulate(
    "eq-two-link-euler2", by="the recursive Newton-Euler algorithm, for the torque and for the force in the elbow"
)
chapter.postulate(
    "eq-two-link-euler1", by="the recursive Newton-Euler algorithm, for the torque and for the force in the elbow"
)
chapter.prove("eq-two-link-christoffel", by="the library's Coriolis matrix, built link by link")
chapter.prove("eq-two-link-summary", by="the recursive Newton-Euler algorithm")
