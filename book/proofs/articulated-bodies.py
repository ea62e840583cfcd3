"""Proofs of "Articulated bodies": inertias behind free joints against energies, forces and accelerations of `recursive-algorithms.py`.

The witness of an articulated inertia is the mass matrix of links that float, with their free joints eliminated; that of
what a joint passes on is the force in motions that obey Newton and Lagrange, less what that inertia explains.
"""

import runpy
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import sympy as sp

import robotdyn as rd
from eqproof import Chapter
from robotdyn.dynamics.kinematics import joint_motion
from robotdyn.maths.spatial import cross_motion

first = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("recursive-algorithms.py"))))
walk, spatial, members, matrix, symbols = first.walk, first.spatial, first.members, first.matrix, first.symbols
ARMS, PROVEN, each_link = first.ARMS, first.PROVEN, first.each_link

chapter = Chapter(__file__)
chapter.symmetric(r"\boldsymbol A_*", r"\bar{\boldsymbol A}_*")
chapter.units("joints")
part = first.part
chapter.units(
    {
        "I_O": "kg m^2",
        "m_f": "kg",
        r"\hat{\boldsymbol a}_*": lambda i, row, _: ("rad/s^2", "m/s^2")[part(row)],
        r"\hat{\boldsymbol h}_*": lambda i, row, _: ("rad/s^2", "m/s^2")[part(row)],
        r"\hat{\boldsymbol c}_*": lambda i, row, _: ("rad/s^2", "m/s^2")[part(row)],
        **dict.fromkeys(
            (r"\hat{\boldsymbol f}_*", r"\hat{\boldsymbol b}_*", r"\bar{\boldsymbol b}_*"),
            lambda i, row, _: ("N m", "N")[part(row)],
        ),
        r"\boldsymbol S_*": lambda i, row, _: ("rad/u_i", "m/u_i")[part(row)],
        r"\boldsymbol X_*": lambda k, i, j: ("1/m", "1", "m")[1 + part(i) - part(j)],
        "D_*": "J s^2/u_i u_i",
        **dict.fromkeys(
            (r"\boldsymbol I_*", r"\boldsymbol A_*", r"\bar{\boldsymbol A}_*"),
            lambda k, i, j: ("kg m^2", "kg m", "kg")[part(i) + part(j)],
        ),
    }
)

# ---- a rod by its end -------------------------------------------------------------------------------------------------

m, l = sp.symbols("m l", positive=True)
x, v, w = sp.symbols("x v w", real=True)
energy = sp.integrate((v + w * x) ** 2, (x, 0, l)) * m / l / 2  # pushed across, the rod moves with v and turns with w
both = sp.hessian(energy, [v, w])
rod = {"m": m, "l": l, "I_O": both[1, 1], "m_f": 1 / both.inv()[0, 0]}
chapter.prove("eq-articulated-rod", rod, by="the kinetic energy of a rod that floats, with its turning eliminated")

# ---- two and three joints of any kind ---------------------------------------------------------------------------------


@cache
def felt(k, i, own):
    """Return the inertia that is felt at link i of arm k, joints beyond it free: 6 x 6, in the axes of the link.

    own: whether its own joint is free, too.  The mass matrix of six rates and of the free joints, these eliminated.
    """
    s = walk(k)
    links = len(s.arm.links)
    free = list(range(i if own else i + 1, links))
    moved, M = sp.eye(6, 6 + len(free)), sp.zeros(6 + len(free))  # the rates of a link, row by row, by all that is free
    for j in range(i, links):
        moved = s.X[j] * moved if j > i else moved
        if j in free:
            moved[:, 6 + free.index(j)] = S_of(k, j)
        link, omega = s.arm.links[j], moved[:3, :]
        at_com = moved[3:, :] - matrix(link.com).hat() * omega
        M += link.mass * at_com.T * at_com + omega.T * matrix(link.inertia) * omega  # of the kinetic energy
    A, U, D = M[:6, :6], M[:6, 6:], M[6:, 6:]
    return A - U * D.adjugate() * U.T / D.det("berkowitz") if free else A


def S_of(k, i):
    """Return the motion of joint i of arm k."""
    return matrix(joint_motion(walk(k).arm.links[i]))


@cache
def yielding(k):
    """Return the bindings of articulated inertias and of what goes with them; what is no inertia follows from a motion."""
    s, links = walk(k), range(len(ARMS[k]))
    A, left = ([felt(k, i, own) for i in links] for own in (False, True))
    f = [sp.Matrix([*(s.R[i].T * s.n[i]), *(s.R[i].T * s.f[i])]) for i in links]
    before = [sp.Matrix([0, 0, 0, *-first.fall]), *s.a]
    V = [matrix(cross_motion(first.column(v))) for v in s.v]
    c = [V[i] * S_of(k, i) * s.qd[i] for i in links]
    turning = [-V[i].T * s.I[i] * s.v[i] for i in links]
    rest = [f[i] - left[i] * s.X[i] * before[i] for i in links]  # of the force, in a motion
    passed = [*(X.T * beyond for X, beyond in zip(s.X[1:], rest[1:])), sp.zeros(6, 1)]
    return (
        spatial(k)
        .copy()
        .bind(
            {
                "n": len(links),
                "D_*": members([(S_of(k, i).T * A[i] * S_of(k, i))[0] for i in links]),
                r"\boldsymbol M": sp.hessian(rd.kinetic_energy(s.arm, s.q, s.qd), list(s.qd)),
                r"\boldsymbol A_*": members(A),
                r"\bar{\boldsymbol A}_*": members(left, after=sp.zeros(6, 6)),
                r"\hat{\boldsymbol b}_*": members([x + y for x, y in zip(turning, passed)]),
                r"\bar{\boldsymbol b}_*": members(rest),
                r"\hat{\boldsymbol c}_*": members(c),
                r"\hat{\boldsymbol h}_*": members([s.X[i] * before[i] + c[i] for i in links]),
            }
        )
    )


by = "a motion that obeys Newton and Lagrange, and the mass matrix of links that float, free joints eliminated"
chapter.prove("eq-articulated-handle", yielding, each=each_link, n=PROVEN, by=by)
chapter.prove("eq-articulated-acceleration", yielding, each=each_link, n=PROVEN, by=by)
chapter.prove("eq-articulated-rest", yielding, each=each_link, n=PROVEN, by=by)
by = "the mass matrix of links that float, free joints eliminated"
chapter.prove("eq-articulated-inertia", yielding, each=each_link, n=PROVEN, by=by)
chapter.prove(
    "eq-articulated-lets-go", yielding, each=each_link, n=[2], by=by
)  # two links, as in the running text near it
chapter.prove("eq-articulated-recursion", yielding, each=each_link, n=PROVEN, by=by)
chapter.prove("eq-articulated-determinant", yielding, n=PROVEN, by="the Hessian of the arm's kinetic energy")
