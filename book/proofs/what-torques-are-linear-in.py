"""Proofs of "What the torques are linear in": regressors against Newton, Euler and energies of bodies, not against their code.

The witness differentiates torques, forces and energies by masses, first moments and inertias, or moves a body's mass
center; the library's regressor takes no part in what it is to be compared with.
"""

import sympy as sp

import robotdyn as rd
from eqproof import Chapter, abbreviation, family

chapter = Chapter(__file__)
TEN = ["kg", *["kg m"] * 3, *["kg m^2"] * 6]
g = sp.Symbol("g", positive=True)
chapter.units(
    {
        "I": "kg m^2",
        "I_O": "kg m^2",
        "l_c": "m",
        **dict.fromkeys(("c_x", "c_y", "c_z"), "m"),
        r"\boldsymbol\phi": TEN,
        r"\boldsymbol a_O": "m/s^2",
        r"\boldsymbol n": "N m",
        r"\boldsymbol I_O": "kg m^2",
        r"I_{**}": "kg m^2",
    }
)

# ---- one link ---------------------------------------------------------------------------------------------------------

m, l_c, I = sp.symbols("m l_c I", positive=True)
q, qd, qdd = ([sp.Symbol(f"{x}_1", real=True)] for x in ("q", "v", "a"))
link = rd.robots.planar([l_c], [m], [l_c], [I], g)
one = {
    "m": m,
    "l_c": l_c,
    "I": I,
    "I_O": 2 * rd.kinetic_energy(link, q, [1]),
    "g": g,
    "q": q[0],
    r"\ddot q": qdd[0],
    r"\tau": rd.inverse_dynamics(link, q, qd, qdd)[0],
}
by = "the recursive Newton-Euler algorithm, and twice the energy at unit rate"
chapter.prove("eq-lin-pendulum", one, by=by)
chapter.prove("eq-lin-pendulum-row", one, by=by)
few = sp.Max(0, sp.Symbol("i", real=True))  # none where the link is a particle
bounded = {k: x.subs(I, few) for k, x in one.items() if k in ("m", "l_c", "I", "I_O")}
chapter.prove(
    "eq-lin-bound", bounded, by="the energies of links with an inertia about the center of mass, or with none"
)

# ---- RP: columns are derivatives of the torque -------------------------------------------------------------------------

q, qd, qdd = (sp.symbols(names, real=True) for names in ("theta r", "theta_d r_d", "theta_dd r_dd"))
m_1, m_2, I_1, I_2, c = sp.symbols("m_1 m_2 I_1 I_2 c_1x", positive=True)
rp = rd.robots.rp((m_1, m_2), (c, 0), (0, 0), (I_1, I_2), g)
tau = rd.inverse_dynamics(rp, q, qd, qdd)
first, hinge = sp.symbols("first hinge", positive=True)
moments = tau.subs({I_1: hinge - m_1 * c**2}).applyfunc(sp.expand).subs(c, first / m_1).applyfunc(sp.expand)
torque, thrust = ([f"{effort}/{unit}" for unit in ("kg m", "kg m^2", "kg", "kg m^2")] for effort in ("N m", "N"))
chapter.units({r"\boldsymbol\tau": ["N m", "N"], r"\boldsymbol Y": [torque, thrust]})
of_rp = {
    "m_*": [m_1, m_2],
    "I_2": I_2,
    "I_{O1}": I_1 + m_1 * c**2,
    "c_{1x}": c,
    "g": g,
    r"\theta": q[0],
    "r": q[1],
    r"\dot\theta": qd[0],
    r"\dot r": qd[1],
    r"\ddot\theta": qdd[0],
    r"\ddot r": qdd[1],
    r"\boldsymbol\tau": tau,
    r"\boldsymbol Y": moments.jacobian([first, hinge, m_2, I_2]),
}
by = "Newton-Euler, with the moments for unknowns, and its derivatives by them"
chapter.prove("eq-lin-rp", of_rp, by=by)
chapter.prove("eq-lin-rp-regressor", of_rp, by=by)

# ---- one body: rates of its momenta, in axes that move along -----------------------------------------------------------

vector = lambda name: sp.Matrix(sp.symbols(f"{name}_x {name}_y {name}_z", real=True))
omega, v, omega_dot, v_dot, c, fall = map(vector, ("w", "v", "wd", "vd", "c", "a"))
names = ("xx", "xy", "xz", "yy", "yz", "zz")
entries = dict(zip(names, sp.symbols([f"I_{name}" for name in names], real=True)))
I_O = sp.Matrix(3, 3, lambda i, j: entries["".join(sorted("xyz"[i] + "xyz"[j]))])


def wrench(omega, v, omega_dot, v_dot, fall, m, first, I_O):
    """Return the force and the moment about O that the rates of the momenta take, beside weight; axes of the body."""
    momentum, angular = m * v + omega.cross(first), I_O * omega + first.cross(v)
    rate = lambda x: x.subs(list(zip([*omega, *v], [*omega_dot, *v_dot])), simultaneous=True)  # both are linear in them
    force = rate(momentum) + omega.cross(momentum) - m * fall
    return force, rate(angular) + omega.cross(angular) + v.cross(momentum) - first.cross(fall)


force, moment = wrench(omega, v, omega_dot, v_dot, fall, m, m * c, I_O)
chapter.motion(omega, omega_dot)
body = {
    "m": m,
    r"\boldsymbol c": c,
    r"\boldsymbol\omega": omega,
    r"\boldsymbol a_O": v_dot + omega.cross(v) - fall,
    r"\boldsymbol I_O": I_O,
    r"\boldsymbol f": force,
    r"\boldsymbol n": moment,
    **{f"I_{{{name}}}": x for name, x in entries.items()},
    **{rf"\omega_{axis}": x for axis, x in zip("xyz", omega)},
    **{f"c_{axis}": x for axis, x in zip("xyz", c)},
}
by = "the rates of momentum and angular momentum, in axes that turn and move with the body"
chapter.prove("eq-lin-force", body, by=by)
chapter.prove("eq-lin-moment", body, by=by)
chapter.prove("eq-lin-products", body, by="the product with the matrix")
about_center = sp.diag(*sp.symbols("A_x A_y A_z", positive=True)) + sp.ones(3, 3)
about = about_center + m * (c.dot(c) * sp.eye(3) - c * c.T)
own = {f"I_{{{name}}}": about["xyz".index(name[0]), "xyz".index(name[1])] for name in names}
alone = rd.parameters(rd.Arm([rd.Link(m, c, about_center)]))
chapter.prove(
    "eq-lin-ten", {**body, **own, r"\boldsymbol\phi": alone}, by="the library, and Steiner's theorem written out"
)

# ---- arms: the same forces, link by link, against the library's Newton-Euler algorithm ---------------------------------

sliding = sp.Matrix([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
LINKS = [
    rd.Link(2, (1, 2, -1), sp.diag(7, 8, 9), axis=(0, 0, 1), position=(1, 0, 2)),
    rd.Link(3, (2, -1, 1), sp.diag(9, 8, 6), "prismatic", (1, 0, 0), (0, 1, 1), sliding),
    rd.Link(1, (-1, 1, 2), sp.diag(4, 5, 6), axis=(0, 1, 0), position=(2, 1, 0), rotation=sliding),
]
weight = sp.Matrix([1, -2, -9])
chapter.units("joints")
part = lambda i: int(i > 3)
chapter.units(
    {
        r"\boldsymbol\phi_*": lambda i, row, _: TEN[row - 1],
        r"\boldsymbol\phi": lambda i, _: TEN[(i - 1) % 10],
        r"\boldsymbol e": lambda i, _: f"J/{TEN[(i - 1) % 10]}",
        r"\boldsymbol J_*": lambda k, i, j: ("m/u_k", "rad/u_k")[part(i)],
        r"\boldsymbol W_*": lambda k, i, j: f"{('N', 'N m')[part(i)]}/{TEN[j - 1]}",
    }
)


def parameters(link):
    """Return the ten numbers of a link, from Steiner's theorem written out."""
    c = sp.Matrix(link.com)
    about = sp.Matrix(link.inertia) + link.mass * (c.dot(c) * sp.eye(3) - c * c.T)
    return sp.Matrix([link.mass, *(link.mass * c), *(about[i, j] for i in range(3) for j in range(i, 3))])


def arm_of(k):
    """Return the bindings of an arm of k links: each link's motion by the library's kinematics, W by differentiation."""
    arm = rd.Arm(LINKS[:k], weight)
    q, qd, qdd = (sp.Matrix(sp.symbols(f"{x}_1:{k + 1}", real=True)) for x in ("q", "qdot", "qddot"))
    unknown = sp.Matrix(sp.symbols("phi_0:10", real=True))
    about = sp.Matrix(3, 3, lambda i, j: unknown[4 + names.index("".join(sorted("xyz"[i] + "xyz"[j])))])
    general = wrench(omega, v, omega_dot, v_dot, fall, unknown[0], unknown[1:4, :], about)
    general = sp.Matrix([*general[0], *general[1]]).jacobian(unknown)
    R, _ = rd.link_poses(arm, list(q))
    J, W = [], []
    for i in range(k):
        turned = sp.Matrix(R[i, :, :]).T
        J.append(rd.point_jacobian(arm, list(q), i, (0, 0, 0), "link"))
        speed = J[i] * qd
        a = rd.point_acceleration(arm, list(q), list(qd), list(qdd), i, (0, 0, 0))
        spin, linear = speed[3:, :], speed[:3, :]
        rates = turned * a[3:, :], turned * a[:3, :] - spin.cross(linear)
        values = zip(
            [*omega, *v, *omega_dot, *v_dot, *fall], [*spin, *linear, *rates[0], *rates[1], *(turned * weight)]
        )
        W.append(general.subs(list(values), simultaneous=True))
    return {
        "n": k,
        r"\boldsymbol J_*": family(k, lambda i: J[i - 1]),
        r"\boldsymbol W_*": family(k, lambda i: W[i - 1]),
        r"\boldsymbol\phi_*": family(k, lambda i: parameters(LINKS[i - 1])),
        r"\boldsymbol\tau": rd.inverse_dynamics(arm, list(q), list(qd), list(qdd)),
    }


chapter.prove("eq-lin-regressor", arm_of, n=[1, 2], by="the recursive Newton-Euler algorithm of the library")
arm = rd.Arm(LINKS, weight)
state = [list(sp.symbols(f"{x}_1:4", real=True)) for x in ("q", "qdot")]
chapter.prove(
    "eq-lin-energy",
    {
        "T": rd.kinetic_energy(arm, *state),
        "U": rd.potential_energy(arm, state[0]),
        r"\boldsymbol e": rd.energy_regressor(arm, *state),
        r"\boldsymbol\phi": sp.Matrix.vstack(*map(parameters, LINKS)),
    },
    by="the energies of the bodies, from the motion of their centers of mass",
)

# ---- the two-link arm --------------------------------------------------------------------------------------------------

two = rd.robots.two_link(symbolic=True)
q, qd, qdd = (sp.symbols(f"{x}_1:3", real=True) for x in ("q", "v", "a"))
(m_1, m_2), l_1, g = [link.mass for link in two.links], two.links[1].position[0], -two.gravity[1]
l_c1, l_c2 = (link.com[0] for link in two.links)
I_1, I_2 = (link.inertia[2, 2] for link in two.links)
tau = rd.inverse_dynamics(two, q, qd, qdd)
A, B, C, D = sp.symbols("A:D", positive=True)
led = tau.subs({I_1: B - m_2 * l_1**2 - m_1 * l_c1**2, I_2: D - m_2 * l_c2**2}).applyfunc(sp.expand)
led = led.subs({l_c1: (A - m_2 * l_1) / m_1, l_c2: C / m_2}).applyfunc(sp.expand)
led_by = ("kg m", "kg m^2", "kg m", "kg m^2")
chapter.units({r"\boldsymbol\tau": "N m", r"\boldsymbol Y_b": lambda i, j: f"N m/{led_by[j - 1]}"})
planar = {
    "m_*": [m_1, m_2],
    "l_1": l_1,
    "l_{c1}": l_c1,
    "l_{c2}": l_c2,
    "I_{O1}": I_1 + m_1 * l_c1**2,
    "I_{O2}": I_2 + m_2 * l_c2**2,
    "g": g,
    "c": abbreviation(sp.cos, q),
    "s": abbreviation(sp.sin, q),
    "q_*": list(q),
    r"\dot q_*": list(qd),
    r"\ddot q_*": list(qdd),
    r"\boldsymbol\tau": tau,
    r"\boldsymbol Y_b": led.jacobian([A, B, C, D]),
}
by = "Newton-Euler, with the four combinations for unknowns, and its derivatives by them"
chapter.prove("eq-lin-two-link", planar, by=by)
chapter.prove("eq-lin-two-link-regressor", planar, by=by)

# ---- all links at once -------------------------------------------------------------------------------------------------

chapter.units("joints")
chapter.units({r"\boldsymbol Y": lambda i, j: f"J/u_i {TEN[(j - 1) % 10]}", r"\boldsymbol\tau": "J/u_i"})
of_arm = arm_of(3)
blocks = [of_arm[r"\boldsymbol J_*"](i).T * of_arm[r"\boldsymbol W_*"](i) for i in (1, 2, 3)]
chapter.prove(
    "eq-lin-summary",
    {
        r"\boldsymbol Y": sp.Matrix.hstack(*blocks),
        r"\boldsymbol\phi": sp.Matrix.vstack(*map(parameters, LINKS)),
        r"\boldsymbol\tau": of_arm[r"\boldsymbol\tau"],
    },
    by="the recursive Newton-Euler algorithm of the library",
)
