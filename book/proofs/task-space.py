"""Proofs of "The task space and impact": masses on rods by Newton's law, and the arm that they form by its energies."""

from functools import cache
from itertools import pairwise
from types import SimpleNamespace

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter

chapter = Chapter(__file__)
along = lambda angle: sp.Matrix([sp.cos(angle), sp.sin(angle)])
across = lambda angle: sp.Matrix([-sp.sin(angle), sp.cos(angle)])
up = sp.Matrix([0, 1])
SIZES = [2, 3]  # two joints, and one to spare: then the Jacobian has no inverse


def inverse(A):
    """Return the inverse of a small matrix, by Cramer's rule: nothing is simplified."""
    return A.adjugate() / A.det("berkowitz")


# ---- arms of masses on rods, by their energies ------------------------------------------------------------------------


@cache
def hand(n):
    """Return an arm of n masses on rods without mass: where they are, and the terms of its equation by Lagrange."""
    arm = rd.robots.planar(n, symbolic=True)
    q, qd, qdd = (sp.Matrix(sp.symbols(f"{x}_1:{n + 1}", real=True)) for x in ("q", "v", "a"))
    masses, lengths = [link.mass for link in arm.links], [*(x.position[0] for x in arm.links[1:]), arm.tip[0]]
    rods = [along(sum(q[: k + 1])) for k in range(n)]
    places = [sum((l * e for l, e in zip(lengths[: k + 1], rods)), sp.zeros(2, 1)) for k in range(n)]
    J = places[-1].jacobian(q)
    speeds = [place.jacobian(q) * qd for place in places]
    T = sum(m * v.dot(v) / 2 for m, v in zip(masses, speeds))
    weight = sp.Matrix([-arm.gravity[1] * sum(m * place[1] for m, place in zip(masses, places))]).jacobian(q).T
    rate = lambda A: A.jacobian(q) * qd + A.jacobian(qd) * qdd
    at_rest = dict.fromkeys(qdd, 0)
    inertial = rate(sp.Matrix([T]).jacobian(qd).T) - sp.Matrix([T]).jacobian(q).T  # Lagrange, without weight
    a, M = rate(J * qd), sp.hessian(T, qd)
    return SimpleNamespace(arm=arm, n=n, q=q, qd=qd, qdd=qdd, masses=masses, lengths=lengths, rods=rods, J=J, M=M,
                           weight=weight, C_qd=inertial.subs(at_rest), a=a, bend=a.subs(at_rest))  # fmt: skip


def force(arm, a, pull):
    """Return the force at the hand that gives it the accelerations a, against generalized forces, each a column.

    Of all accelerations of the joints with this a, it brings about the one to which a force at the hand alone leads: what
    is left of the equation of motion along the joints' free direction is zero.
    """
    right = arm.J.T * inverse(arm.J * arm.J.T)
    qdd = right * a
    if arm.n == 3:
        free = arm.J[0, :].cross(arm.J[1, :]).T  # the hand stays where it is
        qdd -= free * (free.T * (arm.M * qdd + pull)) / (free.T * arm.M * free)[0]
    return right.T * (arm.M * qdd + pull)


chapter.units(
    {
        r"\boldsymbol\Lambda": "kg",
        r"\boldsymbol\mu": "N",
        r"\boldsymbol\gamma": "N",
        r"\boldsymbol a": "m/s^2",
        r"\boldsymbol J": "m/rad",
        r"\bar{\boldsymbol J}": "rad/m",
        r"\boldsymbol e": "1",
        r"\boldsymbol e_y": "1",
        r"\boldsymbol n": "1",
        r"\Delta\dot{\boldsymbol q}": "rad/s",
        "P": "N s",
        "e": "1",
        "v": "m/s",
        "m_d": "kg",
        "m_b": "kg",
        "F": "N",
        "k": "N/m",
    }
)
f, torques = sp.Matrix(sp.symbols("f_x f_y", real=True)), sp.Matrix(sp.symbols("tau_1:4", real=True))


@cache
def letters(n):
    """Return the bindings of what belongs to an arm and its hand."""
    arm = hand(n)
    still = sp.zeros(2, 1)
    table = {
        "m_*": arm.masses,
        "l_*": arm.lengths,
        "q_*": list(arm.q),
        "g": -arm.arm.gravity[1],
        r"\omega": sum(arm.qd),
        r"\boldsymbol q": arm.q,
        r"\boldsymbol M": arm.M,
        r"\boldsymbol C": rd.coriolis_matrix(arm.arm, arm.q, arm.qd),
        r"\boldsymbol J": arm.J,
        r"\boldsymbol g": arm.weight,
        r"\boldsymbol e": arm.rods[-1],
        r"\boldsymbol e_y": up,
        r"\boldsymbol f": f,
        r"\boldsymbol\mu": force(arm, -arm.bend, arm.C_qd),
        r"\boldsymbol\gamma": force(arm, still, arm.weight),
        r"\boldsymbol\Lambda": force(arm, sp.eye(2), sp.zeros(n, 2)),
        r"\bar{\boldsymbol J}": force(arm, sp.zeros(2, n), sp.eye(n)).T,
        r"\boldsymbol a": arm.a,
    }
    return Bindings(table).motion(arm.q, arm.qd, arm.qdd)


def under(n, pushed, tau):
    """Return the bindings of an arm whose hand a force pushes and on whose joints torques act."""
    arm = hand(n)
    qdd = inverse(arm.M) * (tau + arm.J.T * pushed - arm.C_qd - arm.weight)
    return letters(n).copy().bind({r"\boldsymbol a": arm.J * qdd + arm.bend, r"\boldsymbol\tau": tau})


by = "Lagrange's equation of masses on rods, and the force at the hand that gives it an acceleration"
chapter.prove("eq-task-acceleration", letters, n=SIZES, by="two time derivatives of the place of the hand")
chapter.prove("eq-task-motion", lambda n: under(n, f, torques[:n, :]), n=SIZES, by=by)
chapter.prove("eq-task-mu", letters, n=SIZES, by=by)
chapter.prove("eq-task-gamma", letters, n=SIZES, by=by)
chapter.prove("eq-task-through", letters, n=SIZES, by=by)
chapter.prove("eq-task-torque", lambda n: under(n, 0 * f, hand(n).J.T * f), n=SIZES, by=by)
chapter.prove("eq-task-two-masses", letters, n=[2], by=by)

# ---- a blow, by Newton's law ------------------------------------------------------------------------------------------

P, t, slide = sp.symbols("P t u", real=True)
e_n, v, m_b = sp.symbols("e v m_b", positive=True)
normal = sp.Matrix([1 - t**2, 2 * t]) / (1 + t**2)


def struck(arm, impulse):
    """Return the jumps of the velocities of all masses under an impulse at the hand: rods pull along themselves alone."""
    stretch = sp.zeros(arm.n, 2 * arm.n)  # how fast each rod would grow, by the velocities of its two ends
    for k, e in enumerate(arm.rods):
        stretch[k, 2 * k : 2 * k + 2] = e.T
        if k:
            stretch[k, 2 * k - 2 : 2 * k] = -e.T
    masses = sp.diag(*(m for mass in arm.masses for m in (mass, mass)))
    pushed = masses.inv() * sp.Matrix([*([0] * (2 * arm.n - 2)), *impulse])
    pulls = inverse(stretch * masses.inv() * stretch.T) * stretch * pushed
    return pushed - masses.inv() * stretch.T * pulls


def joint_rates(arm, velocities):
    """Return the rates of the joints in which masses have these velocities: each rod turns, the joint by the difference."""
    ends = [sp.zeros(2, 1), *(velocities[2 * k : 2 * k + 2, :] for k in range(arm.n))]
    turns = [0]
    for k, length in enumerate(arm.lengths):
        turns.append((ends[k + 1] - ends[k]).dot(across(sum(arm.q[: k + 1]))) / length)
    return sp.Matrix([b - a for a, b in pairwise(turns)])


@cache
def blow(n):
    """Return the bindings of a blow: the hand comes in at the speed v along the normal, and slides, on a body at rest."""
    arm = hand(n)
    gain = struck(arm, normal)[-2:, :].dot(normal)  # of the hand's speed along the normal, for an impulse of 1 N s
    given = (1 + e_n) * v / (gain + 1 / m_b)  # makes up for the speeds of approach and of parting
    rates = arm.J.T * inverse(arm.J * arm.J.T) * (-v * normal + slide * sp.Matrix([-normal[1], normal[0]]))
    after = rates + joint_rates(arm, struck(arm, normal * given))
    energy = lambda rates: (rates.T * arm.M * rates)[0] / 2
    return {
        r"\boldsymbol M": arm.M,
        r"\boldsymbol J": arm.J,
        r"\boldsymbol n": normal,
        "e": e_n,
        "v": v,
        "m_d": 1 / gain,
        "m_b": m_b,
        "P": given,
        "W": energy(rates) - energy(after) - (given / m_b) ** 2 * m_b / 2,
    }


def jump(n):
    """Return the bindings of the jump of the rates under an impulse of either sign."""
    return blow(n) | {"P": P, r"\Delta\dot{\boldsymbol q}": joint_rates(hand(n), struck(hand(n), normal * P))}


by = "Newton's law for masses on rods, under an impulse"
chapter.prove("eq-task-jump", jump, n=SIZES, by=by)
chapter.prove("eq-task-impulse", blow, n=SIZES, by=by + ", and speeds that part as e has it")
chapter.prove("eq-task-loss", blow, n=SIZES, by="the energies of the masses and the body before and after")
k, m, time = sp.symbols("k m t", positive=True)
swing = sp.dsolve(
    m * sp.Function("x")(time).diff(time, 2) + k * sp.Function("x")(time),
    ics={sp.Function("x")(0): 0, sp.Function("x")(time).diff(time).subs(time, 0): v},
).rhs
peak = k * swing.subs(time, sp.pi / 2 * sp.sqrt(m / k))
chapter.prove("eq-task-peak", {"v": v, "k": k, "m_d": m, "F": peak}, by="a ball on a spring, a quarter of a period on")
