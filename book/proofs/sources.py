"""Proofs of "Sources and errata": each correction against the library, a law of mechanics or plain differentiation.

Each misprint runs through the same checker, with the bindings of its correction, and is refused; what it prints and
nobody defines gets the reading that could save it.  One function for each arm of the sources.
"""

from functools import cache

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, abbreviation, abbreviations, field, letters

chapter = Chapter(__file__)


def real(names):
    """Return symbols of either sign."""
    return sp.symbols(names, real=True)


def positive(names):
    """Return positive symbols."""
    return sp.symbols(names, positive=True)


(m_1, m_2), g = positive("m_1 m_2"), positive("g")
angles, rates, accelerations = (sp.Matrix(real(f"theta{dots}_1:3")) for dots in ("", "dot", "ddot"))  # of the 2R arms


def section(prove):
    """Run the proofs of a source with an empty table: the letters of one arm are not those of the next."""
    chapter.fresh()
    prove()


def corrections(proofs, by, reading=None, dead=None):
    """Prove corrections, in words by what, and refuse each misprint by the same quantity, under a reading of letters."""
    for name, how in proofs.items():
        chapter.prove(f"eq-errata-{name}", by=how, dead=dead)
        chapter.refuse(f"eq-misprint-{name}", reading, by=by, instead=f"eq-errata-{name}")


# ---- source 000: the planar arm of N links, absolute angles ----------------------------------------------------------


@cache
def absolute_mass(n):
    """Return the angles, the arm and its mass matrix: that of relative angles, turned into absolute ones."""
    q, arm, to_relative = sp.Matrix(real(f"q_1:{n + 1}")), rd.robots.planar(n, symbolic=True), rd.planar.L(n)
    to_relative = sp.Matrix(to_relative).inv()
    return q, arm, to_relative.T * rd.mass_matrix(arm, to_relative * q) * to_relative


@cache
def slope(h, k, p, n):
    """Return the derivative of an entry of the mass matrix by an absolute angle."""
    q, _, M = absolute_mass(n)
    return M[h - 1, k - 1].diff(q[p - 1])


def links(n):
    """Return what stands in the formulas of source 000 for n links."""
    q, arm, M = absolute_mass(n)
    table = {
        "N": n,
        r"\boldsymbol q": q,
        "l_*": positive(f"l_1:{n + 1}"),
        "m_*": [link.mass for link in arm.links],
        r"\tilde{\boldsymbol M}": M,
        r"\tilde M'": lambda h, k, p: slope(h, k, p, n),
        r"\mathbf 1": lambda i: 0 if i < 0 else 1,
        r"\delta_{**}": lambda i, j: int(i == j),
    }
    return Bindings(table | abbreviations(q))


def case_p_is_h(n):
    """Return the indices of the case p = h, h and k not equal."""
    return [{"h": h, "k": k, "p": h} for h in range(1, n + 1) for k in range(1, n + 1) if h != k]


@section
def planar_arm():
    """Prove the corrections of source 000."""
    chapter.units({r"\tilde M'": "kg m^2", r"\mathbf 1": "1", r"\delta_{**}": "1"})
    chapter.prove("eq-errata-s0-e13", links, each="h k", n=[2, 3], by="the cosine of the difference of two angles")
    chapter.refuse("eq-misprint-s0-e13", by="the same cosine", instead="eq-errata-s0-e13")
    by = "the library's mass matrix, made for relative angles, differentiated by absolute ones"
    same = dict.fromkeys(("h", "p", "l_h", "s_{h-k}"), "this is the case p = h")
    chapter.prove("eq-errata-s0-e33", links, each=case_p_is_h, n=[2, 3, 4], by=by, dead=same)
    chapter.refuse("eq-misprint-s0-e33", by="the same derivative", instead="eq-errata-s0-e33")
    chapter.prove("eq-errata-s0-e33-both", links, each="h k p", n=[1, 2, 3], by=by)


@section
def batch_and_controller():
    """Prove the corrections of sections 7.1 and 7.2 of source 000: minimization of any quadratic cost."""
    chapter.units(
        {r"\boldsymbol x_*": "x_j", r"\boldsymbol u_*": "u_j", r"\boldsymbol K_*": "u_j/x_k", r"\boldsymbol u": "u_i"}
    )
    chapter.symmetric(r"\boldsymbol H_{xx}", r"\boldsymbol H_{uu}")
    chapter.units({r"\boldsymbol S_u": "x_i/u_j", r"\boldsymbol g_x": "J/x_i", r"\boldsymbol g_u": "J/u_i"})
    curvatures = {"xx": "x_i x_j", "ux": "u_i x_j", "uu": "u_i u_j"}
    chapter.units({rf"\boldsymbol H_{{{name}}}": f"J/{by}" for name, by in curvatures.items()})
    change, state = sp.Matrix(real("du_1:3")), sp.Matrix(real("dx_1:4"))
    both = sp.Matrix([*state, *change])
    slopes, curvature = sp.Matrix(real("g_1:6")), sp.Matrix(5, 5, lambda i, j: real(f"h_{min(i, j)}{max(i, j)}"))
    S_u = sp.Matrix(3, 2, real("s_1:7"))
    cost = (slopes.T * both + both.T * curvature * both / 2)[0]
    along = cost.subs(dict(zip(state, S_u * change)), simultaneous=True)

    def lowest(function):  # where the gradient of a quadratic function of the inputs vanishes
        slope = sp.Matrix([function]).jacobian(change).T
        return -slope.jacobian(change).adjugate() * slope.subs(dict.fromkeys(change, 0)) / slope.jacobian(change).det()

    chapter.prove(
        "eq-errata-rcfs-batch",
        {
            r"\Delta\boldsymbol u": lowest(along),
            r"\boldsymbol S_u": S_u,
            r"\boldsymbol H_{xx}": sp.hessian(cost, state),
            r"\boldsymbol H_{ux}": sp.Matrix([cost]).jacobian(change).T.jacobian(state),
            r"\boldsymbol H_{uu}": sp.hessian(cost, change),
            r"\boldsymbol g_x": slopes[:3, :],
            r"\boldsymbol g_u": slopes[3:, :],
        },
        by="minimization of a cost in which inputs and states mix, over all inputs at once",
    )
    chapter.refuse("eq-misprint-rcfs-batch", by="the same minimum", instead="eq-errata-rcfs-batch")

    inputs, plan = lowest(cost), sp.Matrix(real("p_1:4"))  # the best input from any state
    chapter.prove(
        "eq-errata-rcfs-tracking",
        lambda t: {
            r"\boldsymbol u_*": {t: inputs}.get,
            r"\hat{\boldsymbol u}_*": {t: inputs.subs(dict(zip(state, plan)), simultaneous=True)}.get,
            r"\boldsymbol x_*": {t: state}.get,
            r"\hat{\boldsymbol x}_*": {t: plan}.get,
            r"\boldsymbol K_*": {t: inputs.jacobian(state)}.get,
        },
        each=lambda t: [{"t": t}],
        n=[1, 3],
        by="minimization of what the rest of the motion costs, from a state beside the plan",
    )
    chapter.refuse("eq-misprint-rcfs-tracking", by="the same input", instead="eq-errata-rcfs-tracking")


# ---- source 001: the RP arm ------------------------------------------------------------------------------------------


@section
def rp_arm():
    """Prove the corrections of source 001."""
    q, qd, qdd = (sp.Matrix(real(names)) for names in ("theta r", "thetadot rdot", "thetaddot rddot"))
    chapter.units(dict.fromkeys(("H_*", r"\bar H"), "kg m^2") | {r"\boldsymbol c_*": "m", "K_*": "J", "P": "J"})
    chapter.units({r"\boldsymbol q": ["rad", "m"], r"\boldsymbol u": ["N m", "N"], r"\boldsymbol G": ["N m", "N"]})
    (H_1, H_2), com = positive("H_1 H_2"), real("c_1x c_1y")

    def special(masses=(m_1, m_2), inertias=(H_1, H_2)):
        return rd.robots.rp(masses, com, (0, 0), inertias, g)

    arm, guide = special(), rd.mass_matrix(special((m_1, 0)), q)[0, 0]
    chapter.motion(q, qd, qdd)
    chapter.bind(letters(arm, q))
    chapter.bind(
        {
            r"\boldsymbol q": q,
            r"\boldsymbol c_*": lambda i: rd.point_position(arm, q, i - 1, arm.links[i - 1].com)[:2, :],
            r"\boldsymbol v_*": lambda i: (rd.com_jacobian(arm, q, i - 1) * qd)[:2, :],
            r"\omega_*": lambda i: (rd.com_jacobian(arm, q, i - 1) * qd)[5],
            "K_2": rd.kinetic_energy(special((0, m_2), (0, H_2)), q, qd),
            "P": rd.potential_energy(arm, q),
            r"\boldsymbol u": rd.inverse_dynamics(arm, q, qd, qdd),
            r"\boldsymbol G": rd.inverse_dynamics(arm, q, 0 * qd, 0 * qdd),
            r"\bar H": guide,  # the inertia that stays when the slider has no mass
        }
    )
    by = "the library's Jacobian of the center of mass, times the rates"
    corrections({"s1-e4": by, "s1-e5": by}, by="the same velocity")
    by = "the library's kinetic energy of the arm with link 2 alone"
    corrections({"s1-e8": by}, by="the same energy", dead={r"\omega_2": "the slider does not turn in its guide"})
    corrections({"s1-e9": by}, by="the same energy")
    corrections(
        {
            "s1-e15": "the library's potential energy",
            "s1-e16": "differentiation of the library's potential energy",
            "s1-e17": "the recursive Newton-Euler algorithm",
            "s1-e21": "the recursive Newton-Euler algorithm at rest",
        },
        by="the undefined mass read as that of link 2, the undefined constant as that of the line above it",
        reading={"m": m_2, r"\bar h": guide},
    )


# ---- source 002: the 2R arm ------------------------------------------------------------------------------------------

(l_1, l_2), (l_c1, l_c2), (I_1, I_2) = positive("l_1 l_2"), positive("l_c1 l_c2"), positive("I_1 I_2")


def two_link(masses=(m_1, m_2), inertias=(I_1, I_2), gravity=g):
    """Return the 2R arm of source 002."""
    return rd.robots.two_link((l_1, l_2), masses, (l_c1, l_c2), inertias, gravity)


def two_particles(i):
    """Return the Lagrangian of link i made of two particles that have its mass, center of mass and inertia together."""
    mass, com, inertia = ((m_1, m_2)[i - 1], (l_c1, l_c2)[i - 1], (I_1, I_2)[i - 1])
    arm, total = two_link(), 0
    for distance in (com + sp.sqrt(inertia / mass), com - sp.sqrt(inertia / mass)):
        x, y = rd.point_position(arm, angles, i - 1, (distance, 0, 0))[:2, 0]
        total += mass / 2 * ((chapter.rate(x) ** 2 + chapter.rate(y) ** 2) / 2 - g * y)
    return total


@section
def two_link_arm():
    """Prove the corrections of source 002 on the 2R arm."""
    chapter.units({r"\boldsymbol P_{c*}": "m", r"{}^0\boldsymbol g": "m/s^2", "K": "J", r"\boldsymbol\theta": "rad"})
    chapter.units({r"\boldsymbol V": "N m", r"\boldsymbol G": "N m"})
    q, qd, qdd, arm = angles, rates, accelerations, two_link()
    bodies = two_link((m_1, 0), (I_1, 0)), two_link((0, m_2), (0, I_2))  # each link alone
    T, U = rd.kinetic_energy(arm, q, qd), rd.potential_energy(arm, q)
    lying, upright = (rd.potential_energy(bodies[0], [angle, 0]) for angle in (0, sp.pi / 2))
    fall = sp.Matrix([-lying, -upright]) / (m_1 * l_c1)  # from U_1 = -m_1 g . p_1 in two postures

    chapter.motion(q, qd, qdd)
    chapter.bind(letters(arm, q))
    chapter.bind(abbreviations(q) | {"C": abbreviation(sp.cos, q), "S": abbreviation(sp.sin, q)})
    chapter.bind(
        {
            r"\boldsymbol\theta": q,
            r"\boldsymbol P_{c*}": lambda i: rd.point_position(arm, q, i - 1, arm.links[i - 1].com)[:2, :],
            r"\boldsymbol v_{c*}": lambda i: (rd.com_jacobian(arm, q, i - 1) * qd)[:2, :],
            "T_*": lambda i: rd.kinetic_energy(bodies[i - 1], q, qd),
            "U_*": lambda i: rd.potential_energy(bodies[i - 1], q),
            r"{}^0\boldsymbol g": fall,
            "K": T,
            "U": U,
            r"\boldsymbol V": rd.inverse_dynamics(two_link(gravity=0), q, qd, 0 * qdd),
            r"\boldsymbol G": rd.inverse_dynamics(arm, q, 0 * qd, 0 * qdd),
        }
    )

    lagrangian, posture = two_particles(1) + two_particles(2), dict(zip(q, real("a b")))
    chapter.prove(
        "eq-errata-s2-e1",
        {r"\mathcal L": field(lagrangian, q, qd), "K": field(T, q, qd), "U": field(U, q)},
        by="the library's energies, against those of two particles for each link",
    )
    still = {r"\theta": q, "T": field(T.subs(posture), qd, qdd), "U": field(U.subs(posture), qd, qdd)}
    chapter.refuse(
        "eq-misprint-s2-e1",
        {r"\mathcal L": field(lagrangian, qd, qdd), **still},
        by="energies that do not depend on the angles: those of one posture, whichever it is",
        instead="eq-errata-s2-e1",
    )
    corrections(
        {
            "s2-e7": "the library's position of the center of mass",
            "s2-e8": "the library's Jacobian of the center of mass, times the rates",
            "s2-e12": "the library's kinetic energy of the arm with link 2 alone",
        },
        by="the length of link 2 read as the distance of its center of mass: wrong still",
        reading={"l_2": l_c2},
    )
    corrections(
        {
            "s2-e16": "the library's potential energy of the arm with link 1 alone",
            "s2-e17": "the library's potential energy of the arm with link 2 alone",
        },
        by="the same quantity",
    )
    chapter.prove("eq-errata-s2-e15", by="the library's potential energy of link 1 in two postures")
    chapter.refuse(
        "eq-misprint-s2-e15",
        {r"{}^0\boldsymbol g": fall.T},
        by="with a row, so that its transpose is a column: the sign is wrong still",
        instead="eq-errata-s2-e15",
    )

    # A charge e on the tip, in a magnetic field B across the plane, has a potential that depends on the rates, too.
    e, B = real("e B")
    x, y = rd.point_position(arm, q)[:2, 0]
    v_x, v_y = chapter.rate(x), chapter.rate(y)
    wrench = [e * B * v_y, -e * B * v_x, 0, 0, 0, 0]
    charged = {"U": U - e * B * (x * v_y - y * v_x) / 2}
    charged |= {r"\boldsymbol\tau": rd.inverse_dynamics(arm, q, qd, qdd, wrench)}
    by = "the recursive Newton-Euler algorithm, of an arm with a charge in a magnetic field: a potential with rates"
    chapter.prove("eq-errata-s2-e21", charged, by=by)
    chapter.refuse("eq-misprint-s2-e21", by="the same torques", instead="eq-errata-s2-e21")

    by = "differentiation of the library's kinetic energy"
    proofs = dict.fromkeys(("s2-e23", "s2-e24", "s2-e24-row2", "s2-e25"), by)
    corrections(proofs | {"s2-e26": "differentiation of the library's potential energy"}, by="the same derivative")
    by = "the recursive Newton-Euler algorithm without gravity and acceleration"
    proofs = {"s2-e30": by, "s2-e31": "the recursive Newton-Euler algorithm at rest", "s2-e38": by, "s2-e39": by}
    corrections(proofs, by="the same torques")
    chapter.prove("eq-errata-s2-e38-christoffel", by=by)


# ---- source 002: the RP arm and its regressor ------------------------------------------------------------------------


@section
def slider_arm():
    """Prove the corrections of source 002 on the RP arm."""
    chapter.units({"T_1": "N m", "T_2": "N", "d_2": "m"})
    chapter.units({r"\boldsymbol Y": [["m^2/s^2", "m^2/s^2", "1/s^2", "1/s^2"], ["m/s^2"] * 2 + ["N/kg m^2"] * 2]})
    state = [real(names) for names in ("theta_1 d_2", "thetadot_1 ddot_2", "thetaddot_1 dddot_2")]
    parameters, d_2 = sp.Matrix(positive("m_1 m_2 I_331 I_332")), state[0][1]
    arm = rd.robots.rp(parameters[:2], (l_1, 0), (0, 0), parameters[2:], g)
    tau = rd.inverse_dynamics(arm, *state)

    chapter.motion(*state)
    chapter.bind(letters(arm, state[0]) | abbreviations(state[0][:1]))
    chapter.bind({"T_*": tau, r"\boldsymbol Y": tau.jacobian(parameters)})
    proofs = dict.fromkeys(("s2-e42", "s2-e43", "s2-e44"), "the recursive Newton-Euler algorithm")
    corrections(
        proofs | {"s2-e45": "derivatives of the Newton-Euler torques by the parameters"},
        by="the angle that the arm does not have read as the place of its slider",
        reading={r"\theta_2": d_2},
    )


# ---- source 003: two uniform links -----------------------------------------------------------------------------------


@section
def uniform_arm():
    """Prove the corrections of source 003."""
    chapter.units({r"\delta W_*": "J", "V_2": "J", "c_2": "kg m"})
    l, tau, shift = sp.Symbol("l", positive=True), real("tau_1 tau_2"), sp.Matrix(real("delta_1 delta_2"))
    arm, light = (rd.robots.uniform_two_link(l, (m_1, m_2), gravity) for gravity in (g, 0))
    turns = [0, *((rd.com_jacobian(arm, angles, i) * shift)[5] for i in (0, 1))]  # of the base and both links
    chapter.motion(angles, rates)
    chapter.bind(letters(arm, angles))
    chapter.bind(
        {
            r"\boldsymbol\tau": tau,
            r"\delta\theta_*": shift,
            r"\delta W_*": lambda i: tau[i - 1] * (turns[i] - turns[i - 1]),  # it turns link i, and the one before back
            "V_2": rd.potential_energy(rd.robots.uniform_two_link(l, (0, m_2), g), angles),
            "c_2": m_2 * arm.links[1].com[0],
            r"\boldsymbol h": rd.inverse_dynamics(light, angles, rates, 0 * rates),
        }
    )
    corrections({"s3-e6": "the library's potential energy of the arm with link 2 alone"}, by="the same energy")
    by = "the work of a motor on the two bodies between which it acts, turned as the library's Jacobian says"
    corrections({"s3-e7": by}, by="the work of motor 2")
    chapter.prove("eq-errata-s3-e7-joint2", by=by)
    by = "the recursive Newton-Euler algorithm without gravity and acceleration"
    corrections({"s3-e14": by}, by="the same torques")


# ---- source 004: any serial arm, here a spatial one with a sliding joint ---------------------------------------------


def fractions(*row, by):
    """Return a row of fractions."""
    return [sp.Rational(x, by) for x in row]


def turned(a, b, c, d):
    """Return the rotation matrix of a quaternion of whole numbers, in fractions."""
    v, square = sp.Matrix([b, c, d]), a * a + b * b + c * c + d * d
    cross = sp.Matrix([[0, -d, c], [d, 0, -b], [-c, b, 0]])
    return (sp.eye(3) * (a * a - b * b - c * c - d * d) + 2 * v * v.T + 2 * a * cross) / sp.Integer(square)


def body(mass, com, moments, axis, position, quaternion, joint="revolute"):
    """Return a link in fractions, its bodies and joints in no special direction."""
    R = turned(*quaternion)
    inertia = R.T * sp.diag(*moments) * R / 7
    return rd.Link(sp.Rational(mass, 3), fractions(*com, by=5), inertia, joint, axis, fractions(*position, by=5), R)


@section
def spatial_arm():
    """Prove the corrections of source 004."""
    chapter.units("joints")
    chapter.units({r"\boldsymbol G": "J/u_i"})
    first = body(4, (1, -2, 3), (3, 4, 5), fractions(1, 2, 2, by=3), (1, 1, 2), (1, 1, 2, 3))
    second = body(5, (2, 1, -1), (2, 3, 4), fractions(2, 3, 6, by=7), (2, -1, 1), (2, -1, 1, 1), "prismatic")
    third = body(2, (-1, 3, 2), (4, 5, 6), fractions(2, -2, 1, by=3), (1, 3, -2), (1, 2, -1, 1))
    arm = rd.Arm([first, second, third], gravity=fractions(1, -3, -9, by=1))
    q, qd, qdd = (sp.Matrix(real(f"{x}_1:4")) for x in ("q", "qdot", "qddot"))
    R = [sp.Matrix(frame) for frame in rd.link_poses(arm, q)[0]]
    J = [R[i].T * rd.com_jacobian(arm, q, i)[3:, :] for i in range(3)]

    chapter.motion(q, qd, qdd)
    chapter.bind(
        {
            r"\boldsymbol q": q,
            r"\boldsymbol M": field(rd.mass_matrix(arm, q), q),
            r"\boldsymbol C": field(rd.coriolis_matrix(arm, q, qd), q, qd),
            r"\boldsymbol G": field(sp.Matrix([rd.potential_energy(arm, q)]).jacobian(q).T, q),
            r"\boldsymbol Q^{nc}": rd.inverse_dynamics(arm, q, qd, qdd),
            r"\boldsymbol R_*": lambda i: R[i - 1],
            r"\boldsymbol\omega_*": lambda i: J[i - 1] * qd,
            r"\boldsymbol J_{\omega*}": lambda i: J[i - 1],
        }
    )
    corrections({"s4-e8": "the recursive Newton-Euler algorithm, of a spatial arm"}, by="the same forces")
    by = "the directions of the joint axes of a spatial arm"
    chapter.prove("eq-errata-s4-e17-skew", each={"i": 3}, by=by)
    chapter.prove("eq-errata-s4-e17", each={"i": 3, "k": 3}, by=by)
    by = "the same Jacobian, of three joints, so that the sizes agree"
    chapter.refuse("eq-misprint-s4-e17", by=by, instead="eq-errata-s4-e17")
