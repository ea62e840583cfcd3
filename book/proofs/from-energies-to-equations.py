"""Proofs of "From energies to equations": bodies, schedules, a cart with a pole, on the arms of `lagrange.py`.

Energies are those of the library's rigid links, forces and motions those of Newton and Euler, joint by joint.
"""

import runpy
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, abbreviations, field

first = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("lagrange.py"))))  # the page before this one
state, chain, particles = first.state, first.chain, first.particles

chapter = Chapter(__file__)
t, q, qdot, r, rdot = first.t, first.q, first.qdot, first.r, first.rdot
m, l, g, Omega = first.m, first.l, first.g, first.Omega
a, d = sp.Symbol("a", positive=True), sp.Symbol("d", real=True)
chapter.bind({"t": t, "m": m, "l": l, "g": g, "a": a, "d": d, r"\Omega": Omega})
chapter.units({"a": "m", "d": "m", "k": "N/m", "e": "A s", "B": "T", "x": "m", "y": "m", "V": "J", "h": "J"})
chapter.units({r"\boldsymbol s_*": "m/s", r"\boldsymbol r_*": "m", r"\boldsymbol a": "m"})
chapter.units("joints")
chapter.units({r"\boldsymbol J_*": "m/u_k", r"\boldsymbol b": "J s/u_i", r"\boldsymbol j_*": "rad/u_i"})

# ---- an arm whose carrier turns as it is told, and an arm on a fixed base --------------------------------------------


@cache
def system(n):
    """Return the table of the driven arm, with the parts of its kinetic energy."""
    s, Qd = first.driven(n), state(n)[1]
    mass = rd.mass_matrix(s.arm, s.x)
    still = rd.kinetic_energy(s.arm, s.x, sp.Matrix([s.xd[0], *[0] * n]))
    table = {
        r"\boldsymbol J_*": lambda i: first.jacobian(n, i)[:, 1:],
        r"\boldsymbol s_*": lambda i: first.jacobian(n, i)[:, 0] * s.xd[0],
        r"\boldsymbol M": mass[1:, 1:],
        r"\boldsymbol b": mass[1:, 0] * s.xd[0],
        "T_0": still,
        "h": (Qd.T * mass[1:, 1:] * Qd)[0] / 2 - still + rd.potential_energy(s.arm, s.x),
    }
    return first.system(n).copy().bind(table)


UP, STRENGTH = sp.Matrix([-1, 2, 2]) / 3, 9  # the acceleration of free fall, taken apart


def fixed(n):
    """Return the table of the arm on a fixed base, with its bodies and its energies."""
    (Q, Qd), arm = state(n)[:2], first.standing(n)
    R = [rd.link_poses(arm, Q)[0][i].tomatrix() for i in range(n)]
    J = [rd.com_jacobian(arm, Q, i) for i in range(n)]
    heights = [(mass, UP.dot(rd.point_position(arm, Q, i, p))) for i in range(n) for mass, p in particles(i + 1)]
    table = {
        r"\boldsymbol M": field(rd.mass_matrix(arm, Q), Q),
        "T": rd.kinetic_energy(arm, Q, Qd),
        "U": STRENGTH * sum(mass * height for mass, height in heights),
        "m_*": [link.mass for link in arm.links],
        r"\boldsymbol p_{c*}": lambda i: rd.point_position(arm, Q, i - 1, arm.links[i - 1].com),
        r"\boldsymbol J_{v*}": lambda i: J[i - 1][:3, :],
        r"\boldsymbol J_{\omega*}": lambda i: R[i - 1].T * J[i - 1][3:, :],
        r"\boldsymbol I_{c*}": lambda i: arm.links[i - 1].inertia,
        r"\boldsymbol a_g": first.FALL,
        r"\boldsymbol R": R[-1],
        r"\boldsymbol\omega": R[-1].T * J[-1][3:, :] * Qd,
        r"\boldsymbol j_*": lambda k: R[-1].T * J[-1][3:, k - 1],
    }
    return first.fixed(n).copy().bind(table)


def law(name, table, by, each=None, n=(1, 2)):
    """Prove a law on a table of n joints."""
    chapter.prove(f"eq-lagrange-{name}", table, by=by, each=each, n=n)


# ---- which energies are allowed --------------------------------------------------------------------------------------

(x, y), (xd, yd), (e, B) = sp.symbols("x y"), sp.symbols("xdot ydot"), sp.symbols("e B")
potential = sp.Matrix([0, 0, B]).cross(sp.Matrix([x, y, 0])) / 2  # its curl is B, across the plane
charge = Bindings({"e": e, "B": B, "x": x, "y": y, "V": -e * potential.dot(sp.Matrix([xd, yd, 0]))})
by = "minus the charge times the velocity and the vector potential of the field"
chapter.prove("eq-lagrange-magnetic", charge.motion([x, y], [xd, yd]), by=by)
law("three-parts", system, "kinetic energy and mass matrix of the library, the carrier's row and all")
law("mass-points", system, "the library's mass matrix of rigid links")
law("linear-part", system, "the column of the carrier in the library's mass matrix")
law("constant-part", system, "the library's kinetic energy where only the carrier moves")
chapter.prove("eq-lagrange-rod-energy", first.bead, by="the library's kinetic energy of an RP arm")

# ---- rigid bodies ----------------------------------------------------------------------------------------------------

Q, Qd = state(3)[:2]
*links, last = chain(3, number=4)
last = replace(last, mass=m * last.mass, inertia=m * last.inertia)  # m times as heavy: any mass
arm, cloud = rd.Arm([*links, last]), [(m * mass, place) for mass, place in particles(3, 4)]
turned, J = rd.link_poses(arm, Q)[0][2].tomatrix(), rd.com_jacobian(arm, Q, 2)
velocities = ((mass, rd.point_position(arm, Q, 2, place).jacobian(Q) * Qd) for mass, place in cloud)
flying = {
    "T": sum(mass * v.dot(v) / 2 for mass, v in velocities),
    "m": arm.links[2].mass,
    r"\boldsymbol v_c": J[:3, :] * Qd,
    r"\boldsymbol\omega": turned.T * J[3:, :] * Qd,
    r"\boldsymbol I_c": arm.links[2].inertia,
}
chapter.prove("eq-lagrange-koenig", flying, by="the kinetic energies of four particles of a link that flies and turns")

spin = sp.Matrix(sp.symbols("omega_1:4", real=True))
masses = sp.symbols("m_1:4", positive=True)
arrows = [sp.Matrix(sp.symbols(f"r_{j}x r_{j}y r_{j}z", real=True)) for j in (1, 2, 3)]
energies = [mass * spin.cross(arrow).dot(spin.cross(arrow)) / 2 for mass, arrow in zip(masses, arrows)]


def turning(N):
    """Return N particles that turn as one, and the second derivatives of their energy."""
    return {
        "N": N,
        "m_*": masses[:N],
        r"\boldsymbol r_*": {j: arrows[j - 1] for j in range(1, N + 1)}.get,
        r"\boldsymbol I_c": sp.hessian(sum(energies[:N]), spin),
    }


by = "the second derivatives of the energy of two particles, and of three, by the spin"
chapter.prove("eq-lagrange-inertia", turning, n=[2, 3], by=by)
axes = {r"\boldsymbol a": sp.Matrix(sp.symbols("a_1:4", real=True))}
chapter.prove("eq-lagrange-skew", axes, by="the matrix of the checker's cross product")
law("body-rate", fixed, "the angular rows of the library's Jacobian, and its rotations", n=[1, 2, 3])
by = "the angular rows of the library's Jacobian, and its rotations"
law("angular-jacobian", fixed, by, lambda n: [{"k": k} for k in range(1, n + 1)], n=[1, 2, 3])
gimbal, Q = rd.Arm([rd.Link(1), rd.Link(1, axis=(1, 0, 0))]), state(2)[0]
example = rd.link_poses(gimbal, Q)[0][1].tomatrix().T * rd.point_jacobian(gimbal, Q)[3:, :]
example = {r"\boldsymbol J_\omega": example, r"\boldsymbol q": Q}
chapter.units({r"\boldsymbol q": "rad", r"\boldsymbol J_\omega": "1"})
chapter.prove("eq-lagrange-angular-example", example, by="the angular rows of the library's Jacobian, in link axes")
chapter.units("joints")
law("mass-matrix", fixed, "the library's composite bodies", n=[1, 2, 3])
law("weight", fixed, "the weights of the particles, times their heights", n=[1, 2, 3])

# ---- the cart with a pole --------------------------------------------------------------------------------------------

Q, Qd, Qdd = state(2)[:3]
m_1, m_2 = sp.symbols("m_1 m_2", positive=True)
push = dict(zip(("F", "b", "f_x", "f_y"), sp.symbols("F b f_x f_y", real=True)))
cart = [rd.Link(m_1, joint="prismatic", axis=(1, 0, 0)), rd.Link(m_2, com=(l, 0, 0))]
cart = rd.Arm(cart, gravity=(0, -g, 0), tip=(l, 0, 0))
effort = sp.Matrix([push["F"], -push["b"] * Qd[1]])
going = rd.forward_dynamics(cart, Q, Qd, effort, sp.Matrix([push["f_x"], push["f_y"], 0, 0, 0, 0]))
pole = {
    **push,
    **abbreviations(Q),
    "m_1": m_1,
    "m_2": m_2,
    r"\boldsymbol q": Q,
    r"\boldsymbol p": rd.point_position(cart, Q)[:2, :],
    "T": rd.kinetic_energy(cart, Q, Qd),
    "U": rd.potential_energy(cart, Q),
    r"\boldsymbol Q^{nc}": rd.inverse_dynamics(cart, Q, Qd, going),
}
pole = Bindings(pole).motion(Q, Qd, going)
chapter.units({r"\boldsymbol q": ["m", "rad"], r"\boldsymbol Q^{nc}": ["N", "N m"], "F": "N", "f_x": "N", "f_y": "N"})
chapter.prove("eq-lagrange-cartpole-position", pole, by="the library's position of the tip")
chapter.prove("eq-lagrange-cartpole-kinetic", pole, by="the library's kinetic energy")
chapter.prove("eq-lagrange-cartpole-potential", pole, by="the library's potential energy")
by = "the Newton-Euler efforts of the motion that motor, friction and push make, by forward dynamics"
chapter.prove("eq-lagrange-cartpole-forces", pole, by=by)
by = "differentiation of the library's kinetic energy"
chapter.prove("eq-lagrange-cartpole-momentum1", pole, by=by)
for name in ("motion1", "motion2"):
    chapter.prove(f"eq-lagrange-cartpole-{name}", pole, by="forward dynamics with motor, friction and push")

chapter.units("joints")

# ---- energy and power ------------------------------------------------------------------------------------------------

law("energy-function", system, "the library's quadratic part, minus the energy of the carrier's motion alone, plus U")
law("energy-rate", system, "the library's energies, and the power of the Newton-Euler efforts")
law("power", fixed, "the library's energies, and the power of mass matrix, velocity terms and gravity", n=[1, 2, 3])

# ---- the solutions of the exercises ----------------------------------------------------------------------------------

theta, thetadot = sp.symbols("theta thetadot", real=True)
stiffness, r_0 = sp.symbols("k r_0", positive=True)
sling = rd.robots.rp((0, m), (0, 0), (0, 0), (0, 0), g)
going = rd.forward_dynamics(sling, [theta, r], [thetadot, rdot], [0, -stiffness * (r - r_0)])
spring = Bindings({r"\theta": theta, "r": r, "k": stiffness, "r_0": r_0})
spring.motion([theta, r], [thetadot, rdot], going)
for name in ("motion1", "motion2"):
    by = "forward dynamics of an RP arm with a spring in its slider"
    chapter.prove(f"eq-lagrange-spring-{name}", spring, by=by)


def scheduled(arm, first):
    """Return the table of an arm of two joints, the first of which moves as a function of time; the second is q."""
    x, xd, xdd = ([first.diff(t, k), y] for k, y in enumerate((q, qdot, sp.S.Zero)))
    T, U, still = rd.kinetic_energy(arm, x, xd), rd.potential_energy(arm, x), rd.kinetic_energy(arm, x, [xd[0], 0])
    going = -rd.inverse_dynamics(arm, x, xd, xdd)[1] / rd.mass_matrix(arm, x)[1, 1]
    table = {
        "q": q,
        r"\boldsymbol p": rd.point_position(arm, x),
        "T": T,
        "U": U,
        "U_e": U - still,
        "h": rd.mass_matrix(arm, x)[1, 1] * qdot**2 / 2 - still + U,
        "P": xd[0] * rd.inverse_dynamics(arm, x, xd, [xdd[0], going])[0],
    }
    return Bindings(table).motion([q], [qdot], [going], t)


hoop = rd.Arm([rd.Link(0), rd.Link(m, com=(a, 0, 0), axis=(0, -1, 0))], gravity=(0, 0, -g), tip=(a, 0, 0))
hoop = scheduled(hoop, Omega * t)
chapter.prove("eq-lagrange-hoop-position", hoop, by="the library's position of the tip of an arm that turns steadily")
chapter.prove("eq-lagrange-hoop-kinetic", hoop, by="the library's kinetic energy")
chapter.prove("eq-lagrange-hoop-potential", hoop, by="the library's potential energy")
chapter.prove("eq-lagrange-hoop-motion", hoop, by="Newton-Euler on an arm whose first joint turns steadily")
chapter.prove("eq-lagrange-hoop-effective", hoop, by="the library's energies, with the hoop moving alone")
chapter.prove("eq-lagrange-hoop-curvature", hoop, by="two derivatives of the library's energies, the hoop moving alone")
chapter.prove("eq-lagrange-hoop-energy", hoop, by="the library's mass matrix and energies")
chapter.prove("eq-lagrange-hoop-power", hoop, by="the Newton-Euler moment that keeps the hoop turning")
shaken = [rd.Link(0, joint="prismatic", axis=(0, 1, 0)), rd.Link(m, com=(l, 0, 0))]
shaken = scheduled(rd.Arm(shaken, gravity=(0, -g, 0)), d * sp.cos(Omega * t))
chapter.prove(
    "eq-lagrange-kapitza-kinetic", shaken, by="the library's kinetic energy of a slide that carries a pendulum"
)
chapter.prove("eq-lagrange-kapitza-motion", shaken, by="Newton-Euler on a slide that is shaken and carries a pendulum")
