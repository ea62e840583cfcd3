"""Proofs of "Lagrangian mechanics": the laws of any system on an arm in space whose carrier turns on a schedule.

Energies, forces and motions of that arm and of the small mechanisms come from the library's algorithms for rigid bodies;
its forces and motions are those of Newton and Euler, joint by joint, in which no energy appears.
The next chapter, `from-energies-to-equations.py`, takes its arms from here.
"""

from functools import cache
from types import SimpleNamespace

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, field

chapter = Chapter(__file__)

t, q, qdot, qddot, Omega = sp.symbols("t q qdot qddot Omega", real=True)
m, l, g = sp.symbols("m l g", positive=True)
chapter.bind({"t": t, "m": m, "l": l, "g": g, r"\Omega": Omega})
chapter.units({r"\lambda": "N"})

# ---- one pendulum, as an arm of one link; its rod as a guide in which a bead is held at the distance l ---------------

pendulum = rd.Arm([rd.Link(m, com=(l, 0, 0))], gravity=(0, -g, 0), tip=(l, 0, 0))
swing = rd.forward_dynamics(pendulum, [q], [qdot], [0])[0]
rod = rd.inverse_dynamics(rd.robots.rp((0, m), (0, 0), (0, 0), (0, 0), g), [q, l], [qdot, 0], [swing, 0])[1]
pendulum = {"q": q, r"\boldsymbol p": rd.point_position(pendulum, [q])[:2, :], r"\lambda": rod}
pendulum = Bindings(pendulum).motion([q], [qdot], [qddot])
falling = pendulum.copy().motion([q], [qdot], [swing])

chapter.prove("eq-lagrange-pendulum-acceleration", pendulum, by="two time derivatives of the library's position")
by = "forward dynamics of the pendulum, and the Newton-Euler force that holds a bead on a rod at this distance"
chapter.postulate("eq-lagrange-pendulum-newton", falling, by=by)
chapter.prove("eq-lagrange-pendulum-rod", falling, by=by)
for name in ("motion", "dalembert"):
    chapter.prove(f"eq-lagrange-pendulum-{name}", falling, by="the library's forward dynamics")
chapter.outputs(falling, by="the library's forward dynamics, and the force that holds a bead on a rod")

# ---- an arm in space: links made of particles, on a carrier that turns as it is told ---------------------------------

chapter.units("joints")
LEAN = sp.Matrix([[5, 0, 0], [0, 3, -4], [0, 4, 3]]) / 5  # a rotation in rational numbers
FALL = sp.Matrix([3, -6, -6])  # the acceleration of free fall
NOTHING = sp.zeros(3, 1)


@cache
def state(n):
    """Return n coordinates, their rates, their accelerations, and small changes of them."""
    return [sp.Matrix(sp.symbols(f"{x}_1:{n + 1}", real=True)) for x in ("q", "qdot", "qddot", "dq")]


def particles(i, number=None):
    """Return the particles of link i: pairs of a mass and a place in link axes; without a number, the sum follows from no n."""
    number = number or (2 if i == 1 else 3)
    place = lambda j: sp.Matrix([i + j, (-1) ** j * (2 + j), 1 - i * j**2 + 3 * j]) / 5
    return [(sp.Rational(3 * i + j, 5 + 2 * j), place(j)) for j in range(number)]


def chain(n, number=None):
    """Return n links that lean in space, turn and slide, each of its particles, by their second moments."""
    made = []
    for i in range(1, n + 1):
        cloud, joint = particles(i, number), "prismatic" if i == 2 else "revolute"
        mass = sum(x for x, _ in cloud)
        com = sum((x * p for x, p in cloud), NOTHING) / mass
        moments = sum((x * (p - com) * (p - com).T for x, p in cloud), sp.zeros(3, 3))
        inertia = sp.eye(3) * moments.trace() - moments
        place = (sp.Rational(1, i), 0, 0)
        made.append(rd.Link(mass, com, inertia, joint, position=place, rotation=LEAN))
    return made


def statics(arm, x, n, tip, force):
    """Return the efforts of a force on link n: minus those by which weightless links hold it, joint by joint."""
    bare = [rd.Link(0, joint=y.joint, position=y.position, rotation=y.rotation) for y in arm.links[:n]]
    part, wrench = sp.Matrix(x[:n]), sp.Matrix([*force, 0, 0, 0])
    held = rd.inverse_dynamics(rd.Arm(bare, NOTHING, tip), part, 0 * part, 0 * part, wrench)
    return sp.Matrix([*-held, *[0] * (arm.n - n)])


@cache
def driven(n):
    """Return an arm of n free joints behind a massless carrier that turns as any function of t tells, its state and particles."""
    turn = sp.Function("turn", real=True)(t)
    x, xd, xdd = (sp.Matrix([turn.diff(t, k), *rest]) for k, rest in enumerate(state(n)[:3]))
    carrier = rd.Link(0)
    points = [(i, mass, place) for i in range(1, n + 1) for mass, place in particles(i)]
    arm, afloat = (rd.Arm([carrier, *chain(n)], gravity) for gravity in (FALL, NOTHING))
    return SimpleNamespace(arm=arm, afloat=afloat, x=x, xd=xd, xdd=xdd, points=points)


@cache
def jacobian(n, i):
    """Return the Jacobian of particle i of the driven arm, the carrier's column first."""
    s = driven(n)
    return rd.point_jacobian(s.arm, s.x, s.points[i - 1][0], s.points[i - 1][2])[:3, :]


@cache
def system(n):
    """Return the table of the driven arm: n free joints, N particles, energies of its links, forces of its joints."""
    s, (Q, Qd, Qdd, change) = driven(n), state(n)
    T, U = (sp.expand(x) for x in (rd.kinetic_energy(s.arm, s.x, s.xd), rd.potential_energy(s.arm, s.x)))

    def position(i):
        return rd.point_position(s.arm, s.x, s.points[i - 1][0], s.points[i - 1][2])

    table = {
        "n": n,
        "N": len(s.points),
        r"\boldsymbol q": Q,
        r"\delta\boldsymbol q": change,
        "m_*": [x for _, x, _ in s.points],
        r"\boldsymbol p_*": lambda i: field(position(i), Q, t),
        r"\dot{\boldsymbol p}_*": lambda i: jacobian(n, i) * s.xd,
        r"\delta\boldsymbol p_*": lambda i: jacobian(n, i)[:, 1:] * change,
        "T": T,
        "U": U,
        r"\mathcal L": T - U,
        r"\boldsymbol Q": rd.inverse_dynamics(s.afloat, s.x, s.xd, s.xdd)[1:, :],
        r"\boldsymbol Q^{nc}": rd.inverse_dynamics(s.arm, s.x, s.xd, s.xdd)[1:, :],
    }
    return Bindings(table).motion(Q, Qd, Qdd, t)


@cache
def forces(n):
    """Return a force of three letters on each particle of the driven arm, and the efforts that they make."""
    s = driven(n)
    each = [sp.Matrix(sp.symbols(f"F_{i}x F_{i}y F_{i}z", real=True)) for i in range(1, len(s.points) + 1)]
    efforts = (statics(s.arm, s.x, i + 1, place, F) for F, (i, _, place) in zip(each, s.points))
    return each, sum(efforts, sp.zeros(n + 1, 1))


@cache
def pushed(n):
    """Return the driven arm with these forces, and the efforts that they make."""
    each, efforts = forces(n)
    return system(n).copy().bind({r"\boldsymbol F_*": lambda i: each[i - 1], r"\boldsymbol Q": efforts[1:, :]})


def carried(n):
    """Return the driven arm with more force on one particle of each link, tip first, until any motion is a true one."""
    s, (each, efforts), along = driven(n), forces(n), sp.Matrix([1, 2, -1])
    each, lack = list(each), rd.inverse_dynamics(s.afloat, s.x, s.xd, s.xdd) - efforts
    last = {i: k for k, (i, *_) in enumerate(s.points)}
    for i in range(n, 0, -1):
        unit = statics(s.arm, s.x, i + 1, s.points[last[i]][2], along)
        strength = lack[i] / unit[i]
        each[last[i]], lack = each[last[i]] + strength * along, lack - strength * unit
    return system(n).copy().bind({r"\boldsymbol F_*": lambda i: each[i - 1]})


def every(*indices):
    """Return the free indices: i runs through the particles, k through the joints."""
    runs = lambda n: [{"i": i, "k": k} for i in range(1, len(driven(n).points) + 1) for k in range(1, n + 1)]
    return lambda n: list({tuple(at[x] for x in indices): {x: at[x] for x in indices} for at in runs(n)}.values())


def law(name, table, by, each=None, n=(1, 2)):
    """Prove a law on a table of n joints."""
    chapter.prove(f"eq-lagrange-{name}", table, by=by, each=each, n=n)


law("positions", system, "the letters in the positions that the library gives for a carried arm", every("i"))
law("virtual-displacement", system, "the library's Jacobians of the particles, from axes and lever arms", every("i"))
by = "forces that give each joint, by statics, the effort that Newton-Euler asks for rigid links"
chapter.postulate("eq-lagrange-dalembert", carried, n=(1, 2), by=by)

# ---- the bead on a rod that turns ------------------------------------------------------------------------------------

r, rdot = sp.symbols("r rdot", real=True)
guide = rd.robots.rp((0, m), (0, 0), (0, 0), (0, 0), gravity=0)
at, speed = [Omega * t, r], [Omega, rdot]
outward = -rd.inverse_dynamics(guide, at, speed, [0, 0])[1] / rd.mass_matrix(guide, at)[1, 1]
bead = {
    r"\boldsymbol p": rd.point_position(guide, at)[:2, :],
    "r": r,
    "T": rd.kinetic_energy(guide, at, speed),
}
bead = Bindings(bead).motion([r], [rdot], [outward], t)
chapter.prove("eq-lagrange-rod-motion", bead, by="Newton-Euler on an RP arm whose first joint turns steadily")

# ---- generalized forces ----------------------------------------------------------------------------------------------


@cache
def standing(n):
    """Return an arm of n links on a fixed base."""
    return rd.Arm(chain(n), FALL, tip=(sp.Rational(1, 2), -1, sp.Rational(1, 3)))


def fixed(n):
    """Return the table of that arm: a wrench on it, friction, and the torques of its motors."""
    (Q, Qd, Qdd), arm = state(n)[:3], standing(n)
    w, friction = sp.Matrix(sp.symbols("w_1:7", real=True)), sp.Matrix(sp.symbols(f"f_1:{n + 1}", real=True))
    torque = rd.inverse_dynamics(arm, Q, Qd, Qdd, w) - friction
    table = {
        "n": n,
        r"\boldsymbol q": Q,
        r"\boldsymbol\tau": torque,
        r"\boldsymbol\tau_f": friction,
        r"\boldsymbol w": w,
        r"\boldsymbol J": rd.tip_jacobian(arm, Q),
        r"\boldsymbol Q^{nc}": rd.mass_matrix(arm, Q) * Qdd
        + rd.coriolis_matrix(arm, Q, Qd) * Qd
        + rd.gravity_torque(arm, Q),
    }
    return Bindings(table).motion(Q, Qd, Qdd)


def pressed(n):
    """Return the arm on a fixed base with a force on its tip, and what statics makes of the force."""
    Q, (tip, f) = state(n)[0], (sp.Matrix([sp.Rational(1, 2), -1, sp.Rational(1, 3)]), sp.symbols("f_x f_y f_z"))
    arm = rd.Arm(chain(n), tip=tip)
    jacobian = rd.point_position(arm, Q).jacobian(Q)
    return {r"\boldsymbol Q": statics(arm, Q, n, tip, f), r"\boldsymbol J": jacobian, r"\boldsymbol f": f}


def absolute(n):
    """Return the table of a planar arm: its torques in relative angles, its generalized forces in absolute ones."""
    state_of = state(n)[:3]
    lengths, masses, coms = ([sp.Rational(x + i, 3 + 2 * i) for i in range(n)] for x in (2, 4, 1))
    arm = rd.robots.planar(lengths, masses, coms, masses, gravity=sp.Integer(9))
    u = rd.planar.inverse_dynamics(arm, *(rd.planar.to_absolute(x) for x in state_of))
    tau = rd.inverse_dynamics(arm, *state_of)
    return {r"\boldsymbol u": u, r"\boldsymbol\tau": tau}


law("generalized-force", pushed, "the statics of weightless links, joint by joint", every("k"))
by = "the statics of weightless links, and the derivative of the library's position"
law("jacobian-transpose", pressed, by, n=[1, 2, 3])
by = "the library's equations in absolute angles, and Newton-Euler in relative ones"
chapter.units({r"\boldsymbol\tau": "N m"})
law("reaction", absolute, by, lambda n: [{"k": k} for k in range(1, n)], n=[2, 3])
chapter.units("joints")
by = "mass matrix, velocity terms and gravity, and the Newton-Euler torque under a wrench"
law("nonconservative", fixed, by, n=[1, 2, 3])

# ---- from d'Alembert to Euler-Lagrange -------------------------------------------------------------------------------

law("projected", system, "the Newton-Euler efforts of rigid links without gravity", every("k"))
law("kinetic", system, "the library's kinetic energy of rigid links")
law("velocity", system, "the library's Jacobians of the particles, from axes and lever arms", every("i"))
law("dots", system, "the library's Jacobians of the particles, and its positions", every("i", "k"))
law("exchange", system, "the library's Jacobians of the particles, and its positions", every("i", "k"))
for name in ("momentum", "dtdq", "identity"):
    law(name, system, "the library's kinetic energy of rigid links, its positions and its Jacobians", every("k"))
law("euler", system, "the library's energies against the recursive Newton-Euler algorithm", every("k"))
