"""Proofs of "Notation": the signs and the order of parts that the page promises are those of the library."""

import numpy as np
import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, field, letters
from robotdyn.dynamics.kinematics import joint_transform
from robotdyn.maths.spatial import transform

chapter = Chapter(__file__)
chapter.units("joints")


# ---- any arm: here one in space, askew, with a joint that slides ----------------------------------------------------


def link(joint, mass, com, axis, position, rotation):
    """Return a link of rational numbers, thirds of those given: askew, but exact."""
    third = lambda x: sp.Matrix(x) / 3
    inertia = third([[5, 1, -1], [1, 4, 2], [-1, 2, 6]]) * mass
    return rd.Link(mass, third(com), inertia, joint, third(axis), third(position), third(rotation))


turn = sp.Matrix([[2, -1, 2], [2, 2, -1], [-1, 2, 2]])
arm = rd.Arm(
    [
        link("revolute", 2, (1, -2, 3), (0, 0, 3), (0, 0, 0), 3 * sp.eye(3)),
        link("prismatic", 3, (2, 1, -1), (2, -1, 2), (1, 3, -1), turn),
        link("revolute", 5, (-1, 3, 2), (1, 2, 2), (-3, 1, 6), turn.T),
    ],
    gravity=(1, 2, -sp.Rational(19, 2)),
    tip=sp.Matrix([2, -1, 1]) / 5,
)
q, qd, qdd = (sp.Matrix(sp.symbols(f"{x}_1:4", real=True)) for x in ("q", "v", "a"))
wrench = sp.Matrix(sp.symbols("w_1:7", real=True))
friction = rd.forces.viscous([2, 3, 5])(0, list(q), list(qd))
R, p = rd.link_poses(arm, q)
R, p = sp.Matrix(R[2].tolist()), p[2, :].T
chapter.motion(q, qd, qdd)
chapter.bind(
    {
        "n": 3,
        r"\boldsymbol q": q,
        r"\boldsymbol M": field(rd.mass_matrix(arm, q), q),
        r"\boldsymbol C": field(rd.coriolis_matrix(arm, q, qd), q, qd),
        r"\boldsymbol g": field(rd.gravity_torque(arm, q), q),
        r"\boldsymbol J": field(rd.tip_jacobian(arm, q), q),
        r"\boldsymbol w": wrench,
        r"\boldsymbol\tau_f": friction,
        r"\boldsymbol\tau": rd.inverse_dynamics(arm, q, qd, qdd, wrench) - sp.Matrix(friction),
        "U": rd.potential_energy(arm, q),
        r"\boldsymbol a_g": arm.gravity,
        "m_*": [x.mass for x in arm.links],
        r"\boldsymbol p_{c*}": lambda i: rd.point_position(arm, q, i - 1, arm.links[i - 1].com),
    }
)
chapter.prove(
    "eq-notation-motion",
    by="the recursive Newton-Euler algorithm with a tip wrench, for an arm in space; friction of `rd.forces`",
)
chapter.prove("eq-notation-gravity", each={"k": 3}, by="Newton-Euler at rest; the library's potential energy")


def weighed(arm, q):
    """Return the energy of the weights from the torques by which a massless joint at the base holds the arm, weighed thrice."""
    rest = sp.zeros(len(q) + 1, 1)

    def holding(axis, fall):
        carried = rd.Arm([rd.Link(0, axis=axis), *arm.links], sp.Matrix(fall))
        return rd.inverse_dynamics(carried, sp.Matrix([0, *q]), rest, rest)[0]

    x, y = holding((0, 0, 1), (0, -1, 0)), holding((0, 0, 1), (1, 0, 0))  # the sums of mass times place
    z = holding((1, 0, 0), (0, 1, 0))
    return -(sp.Matrix(arm.gravity).T * sp.Matrix([x, y, z]))[0]


by = "torques of Newton and Euler that hold the arm while it is weighed in three directions"
first_links = lambda n: {"n": n, "U": weighed(rd.Arm(arm.links[:n], arm.gravity), q[:n, :])}
chapter.prove("eq-notation-potential", first_links, n=[2, 3], by=by)


def spin(R):
    """Return the angular velocity of a frame in base axes: the three numbers in the skew matrix dR/dt R^T."""
    rate = chapter.rate(R) * R.T
    return sp.Matrix([rate[2, 1], rate[0, 2], rate[1, 0]])


place = rd.point_position(arm, q)
chapter.prove(
    "eq-notation-jacobian",
    {r"\boldsymbol v": chapter.rate(place), r"\boldsymbol\omega": spin(R)},
    by="the time derivatives of the library's tip position and link frame",
)

chapter.units({r"\boldsymbol m": "N m"})
axes = [tuple(row) for row in np.eye(3, dtype=int)]
gantry = rd.Arm([rd.Link(0, joint=kind, axis=axis) for kind in ("prismatic", "revolute") for axis in axes])
held = -rd.inverse_dynamics(gantry, *[sp.zeros(6, 1)] * 3, wrench)
chapter.prove(
    "eq-notation-wrench",
    {r"\boldsymbol f": held[:3], r"\boldsymbol m": held[3:]},
    by="what a gantry of three slides with three hinges at its tip feels, by Newton-Euler",
)

twist = np.zeros(6, dtype=object)
for part, angle, rate in zip(arm.links, q, qd):
    axis, nothing = part.axis, np.zeros(3, dtype=int)
    twist = transform(*joint_transform(part, angle)) @ twist
    twist = twist + np.concatenate([axis, nothing] if part.joint == "revolute" else [nothing, axis]) * rate
chapter.prove(
    "eq-notation-spatial",
    {
        r"\hat{\boldsymbol v}": twist,
        r"\boldsymbol\omega": R.T * spin(R),
        r"\boldsymbol v_O": R.T * chapter.rate(p),
    },
    by="the outward sweep of the library's spatial algebra; the motion of its link frame, in link axes",
)


# ---- absolute angles ------------------------------------------------------------------------------------------------


def small(n):
    """Return angles of an arm whose links all point less than half a turn away from the x axis."""
    q = [2 * sp.atan(x) / n for x in sp.symbols(f"q_1:{n + 1}", real=True)]
    R, _ = rd.link_poses(rd.robots.planar(n), sp.Matrix(q))
    return {r"\boldsymbol q": q, r"\tilde{\boldsymbol q}": [sp.atan2(R[k, 1, 0], R[k, 0, 0]) for k in range(n)]}


def planar(n):
    """Return the bindings of a planar arm with centers of mass anywhere; u: what multiplies absolute rates in the power."""
    Q, V, A, X, Y = (sp.Matrix(sp.symbols(f"{x}_1:{n + 1}", real=True)) for x in "QVAXY")
    inertias = sp.symbols(f"I_1:{n + 1}", positive=True)
    arm = rd.robots.planar(n, None, list(zip(X, Y)), inertias, symbolic=True)
    relative = lambda x: sp.Matrix([x[k] - (x[k - 1] if k else 0) for k in range(n)])
    tau = rd.inverse_dynamics(arm, relative(Q), relative(V), relative(A))
    M, C, g = rd.planar.absolute(arm, Q)
    table = {
        r"\boldsymbol L": rd.planar.L(n),
        r"\tilde{\boldsymbol q}": Q,
        r"\tilde{\boldsymbol M}": M,
        r"\tilde{\boldsymbol C}": C,
        r"\tilde{\boldsymbol g}": g,
        r"\boldsymbol\tau": tau,
        r"\boldsymbol u": relative(V).jacobian(V).T * tau,
    }
    return Bindings().motion(Q, V, A).bind({**letters(arm), **table})


def layer(table):
    """Return bindings for n links, laid over those of the arm in space."""
    return lambda n: table(n) if n else {}


chapter.bind(layer(planar))
chapter.units({r"\boldsymbol q": "rad", r"\boldsymbol\tau": "N m"})
chapter.prove("eq-notation-absolute", small, n=[1, 2, 3], by="the directions of the library's link frames")
chapter.prove("eq-notation-generalized", n=[1, 2, 3], by="the power of the joint torques, in absolute rates")
chapter.prove(
    "eq-notation-absolute-motion", n=[1, 2, 3], by="the recursive Newton-Euler algorithm; `rd.planar.absolute`"
)
