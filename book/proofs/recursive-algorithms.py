"""Proofs of "Recursive algorithms": what the recursions carry, link by link, against places that are differentiated.

The witness knows the places and orientations of the links alone: velocities, accelerations, momenta and their rates are
derivatives of these, forces are the rates of the momenta of all that hangs on a joint.
"""

import runpy
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, family
from robotdyn.dynamics.kinematics import joint_motion, joint_transform
from robotdyn.maths.spatial import cross_motion, inertia, transform

first = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("equation-of-motion.py"))))
symbols, fall, LINKS = first.symbols, first.fall, first.LINKS

chapter = Chapter(__file__)
chapter.units("joints")
part = lambda i: int(i > 3)  # spatial vectors: the angular part first
chapter.units(
    {
        r"\boldsymbol F_*": "N",
        r"\boldsymbol f_*": "N",
        r"\boldsymbol n_*": "N m",
        r"\boldsymbol N_*": "N m",
        r"\boldsymbol l_*": "m",
        r"\boldsymbol c_*": "m",
        r"\boldsymbol u_*": "rad/u_i",
        r"\hat{\boldsymbol v}_*": lambda i, row, _: ("rad/s", "m/s")[part(row)],
        r"\hat{\boldsymbol a}_*": lambda i, row, _: ("rad/s^2", "m/s^2")[part(row)],
        r"\hat{\boldsymbol f}_*": lambda i, row, _: ("N m", "N")[part(row)],
        r"\boldsymbol S_*": lambda i, row, _: ("rad/u_i", "m/u_i")[part(row)],
        r"\boldsymbol X_*": lambda k, i, j: ("1/m", "1", "m")[1 + part(i) - part(j)],
        r"\boldsymbol V_*": lambda k, i, j: ("1/m s", "1/s", "m/s")[1 + part(i) - part(j)],
        **dict.fromkeys(
            (r"\boldsymbol I_*", r"\bar{\boldsymbol I}_*"),
            lambda k, i, j: ("kg m^2", "kg m", "kg")[part(i) + part(j)],
        ),
    }
)

# ---- arms in space, of links that turn, slide and turn ---------------------------------------------------------------

ARMS = {1: LINKS[:2], 2: LINKS[1:], 3: LINKS}
PROVEN = [2, 3]  # of three links, link i + 1 is not always the last


def matrix(array):
    """Return an array as a SymPy matrix, a vector as a column."""
    return sp.Matrix(array.tolist())


def column(vector):
    """Return a SymPy column as an array."""
    return np.array(list(vector), dtype=object)


def members(values, before=None, after=None):
    """Return a family of the links, and what stands before the first and after the last, if anything."""
    table = dict(enumerate(values, start=1))
    table |= {0: before} if before is not None else {}
    table |= {len(values) + 1: after} if after is not None else {}
    return family(max(table), table.get, first=min(table))


def moving(arm):
    """Return how the links of an arm or a tree move and what they need for it, by differentiation of their places.

    v, a: of each link in its own axes, the angular part first, gravity as an acceleration; F, N: the rates of momenta, less weight.
    """
    q, qd, qdd = (symbols(f"{x}_1:{arm.n + 1}") for x in ("q", "qdot", "qddot"))
    motion = Bindings().motion(q, qd, qdd)
    rate = lambda x: x.applyfunc(motion.rate)
    R, p = ([matrix(x) for x in rows] for rows in rd.link_poses(arm, column(q)))
    omega = [rd.rotations.rate_in_body(x, rate(x)) for x in R]
    v = [sp.Matrix([*w, *(x.T * rate(place))]) for w, x, place in zip(omega, R, p)]
    a = [rate(x) - sp.Matrix([0, 0, 0, *(turned.T * fall)]) for x, turned in zip(v, R)]
    com = [place + x * matrix(link.com) for place, x, link in zip(p, R, arm.links)]
    F = [link.mass * (rate(rate(c)) - fall) for c, link in zip(com, arm.links)]
    N = [rate(x * matrix(link.inertia) * w) for x, link, w in zip(R, arm.links, omega)]
    return SimpleNamespace(
        q=q, qd=qd, qdd=qdd, motion=motion, rate=rate, R=R, p=p, com=com, omega=omega, v=v, a=a, F=F, N=N
    )


@cache
def walk(k):
    """Return what moves and what pushes in arm k."""
    arm = rd.Arm(ARMS[k], fall)
    at = moving(arm)
    F, N, p, com = at.F, at.N, at.p, at.com
    about = lambda i, j: (com[j] - p[i]).cross(F[j]) + N[j]
    f = [sum(F[i:], sp.zeros(3, 1)) for i in range(len(ARMS[k]))]
    n = [sum((about(i, j) for j in range(i, len(ARMS[k]))), sp.zeros(3, 1)) for i in range(len(ARMS[k]))]
    frames = [joint_transform(link, x) for link, x in zip(arm.links, at.q)]
    X = [matrix(transform(*frame)) for frame in frames]
    I = [matrix(inertia(link.mass, link.com, link.inertia)) for link in arm.links]
    return SimpleNamespace(arm=arm, f=f, n=n, X=X, I=I, **vars(at))


def forces(k):
    """Return the bindings of vectors in base axes."""
    s = walk(k)
    axes = [x * matrix(joint_motion(link)[:3]) for x, link in zip(s.R, s.arm.links)]
    return {
        r"\boldsymbol F_*": members(s.F),
        r"\boldsymbol N_*": members(s.N),
        r"\boldsymbol f_*": members(s.f, after=sp.zeros(3, 1)),
        r"\boldsymbol n_*": members(s.n, after=sp.zeros(3, 1)),
        r"\boldsymbol c_*": members([c - p for c, p in zip(s.com, s.p)]),
        r"\boldsymbol l_*": members([*(b - a for a, b in pairwise(s.p)), symbols("l_x l_y l_z")]),
        r"\boldsymbol u_*": members(axes),
    }


each_link = lambda k: [{"i": i + 1} for i in range(len(ARMS[k]))]
by = "the rates of the momenta of all links that hang on a joint, and their weights"
chapter.prove("eq-recursive-force", forces, each=each_link, n=PROVEN, by=by)
chapter.prove("eq-recursive-moment", forces, each=each_link, n=PROVEN, by=by)


# ---- the torque of a joint that turns, by Lagrange --------------------------------------------------------------------


@cache
def lagrange(k):
    """Return the generalized forces of arm k, from its energies."""
    s = walk(k)
    T, U = rd.kinetic_energy(s.arm, s.q, s.qd), rd.potential_energy(s.arm, s.q)
    momenta = sp.Matrix([T.diff(x) for x in s.qd])
    return s.rate(momenta) - sp.Matrix([(T - U).diff(x) for x in s.q])


by = "Lagrange's equations of the arm's energies"
turning = lambda k: forces(k) | {r"\boldsymbol\tau": lagrange(k)}
chapter.prove("eq-recursive-axis", turning, each=lambda k: {2: [{"i": 2}], 3: [{"i": 1}, {"i": 3}]}[k], n=PROVEN, by=by)

# ---- spatial vectors ----------------------------------------------------------------------------------------------------


@cache
def spatial(k):
    """Return the bindings of spatial vectors in link axes."""
    s = walk(k)
    motions = [matrix(joint_motion(link)) for link in s.arm.links]
    shifted = lambda i: sp.Matrix([*(s.R[i].T * s.n[i]), *(s.R[i].T * s.f[i])])
    still = sp.zeros(6, 1)
    table = {
        r"\boldsymbol q": s.q,
        r"\boldsymbol\tau": lagrange(k),
        r"\boldsymbol S_*": members(motions),
        r"\boldsymbol X_*": members(s.X, after=sp.ones(6, 6)),
        r"\boldsymbol I_*": members(s.I),
        r"\boldsymbol V_*": members([matrix(cross_motion(column(v))) for v in s.v]),
        r"\boldsymbol\omega_*": members(s.omega),
        r"\boldsymbol v_*": members([v[3:, :] for v in s.v]),
        r"\hat{\boldsymbol v}_*": members(s.v, before=still),
        r"\hat{\boldsymbol a}_*": members(s.a, before=sp.Matrix([0, 0, 0, *-fall])),
        r"\hat{\boldsymbol f}_*": members([shifted(i) for i in range(len(ARMS[k]))], after=still),
    }
    return Bindings().motion(s.q, s.qd, s.qdd).bind(table)


by = "places and orientations of the links, differentiated"
chapter.prove("eq-recursive-velocity", spatial, each=each_link, n=PROVEN, by=by)
chapter.prove(
    "eq-recursive-cross", spatial, each=each_link, n=PROVEN, by="the library's matrix of the spatial cross product"
)
chapter.prove("eq-recursive-acceleration", spatial, each=each_link, n=PROVEN, by=by)
by = "the rates of the momenta of all links that hang on a joint, and their weights"
chapter.prove("eq-recursive-link", spatial, each=each_link, n=PROVEN, by=by)
by = "Lagrange's equations of the arm's energies"
chapter.prove("eq-recursive-torque", spatial, each=each_link, n=PROVEN, by=by)

# ---- composite bodies ---------------------------------------------------------------------------------------------------


@cache
def composite(k):
    """Return the bindings of inertias that move as one body: second derivatives of kinetic energies."""
    s = walk(k)
    w, u = symbols("w_x w_y w_z"), symbols("u_x u_y u_z")

    def as_one(i):
        energy = 0
        for j in range(i, len(ARMS[k])):
            arm = s.R[i].T * (s.com[j] - s.p[i])
            v = u + w.cross(arm)
            turn = s.R[j].T * s.R[i] * w
            energy += (s.arm.links[j].mass * v.dot(v) + turn.dot(matrix(s.arm.links[j].inertia) * turn)) / 2
        return sp.hessian(energy, [*w, *u])

    T = rd.kinetic_energy(s.arm, s.q, s.qd)
    table = {
        r"\bar{\boldsymbol I}_*": members([as_one(i) for i in range(len(ARMS[k]))], after=sp.zeros(6, 6)),
        r"\boldsymbol M": sp.hessian(T, list(s.qd)),
    }
    return spatial(k).copy().bind(table)


by = "second derivatives of the kinetic energy of links that move as one, and of the arm's"
chapter.prove("eq-recursive-composite", composite, each=each_link, n=PROVEN, by=by)
chapter.prove("eq-recursive-diagonal", composite, each=each_link, n=PROVEN, by=by)
neighbors = lambda k: [{"i": i + 1} for i in range(1, len(ARMS[k]))]
chapter.prove("eq-recursive-neighbor", composite, each=neighbors, n=PROVEN, by=by)


def rates(k):
    """Return the bindings of the torques and of the Christoffel matrix."""
    s = walk(k)
    C = rd.coriolis_matrix(s.arm, s.q, s.qd)
    return spatial(k).copy().bind({r"\boldsymbol C": C})


chapter.prove("eq-recursive-slope", rates, n=PROVEN, by="Lagrange's equations of the arm's energies, differentiated")
