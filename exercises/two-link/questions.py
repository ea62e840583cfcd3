"""The assignment "two-link": mass matrix, gravity, velocity terms and motion of the 2R arm, each student's own arm."""

from __future__ import annotations

import math
from cmath import cos, sin
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import robotdyn as rd
from coursework.check import bodies, laws
from coursework.check.question import Credit, Question, with_parts_replaced
from coursework.check.session import assignment_module
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, At, Value
    from coursework.check.parameters import Parameters

CALLED = assignment_module("two-link", "given").CALLED

SYMBOLS = "q1 q2 qd1 qd2 qdd1 qdd2 l1 l2 m1 m2 lc1 lc2 I1 I2 g"
PRINTED = (
    "qd_1+qd_2",
    "l_1**2*qd_1**2+l_c2**2*(qd_1+qd_2)**2+2*l_1*l_c2*qd_1*(qd_1+qd_2)*cos(q_1+q_2)",
)  # what the notebook prints, the misprint included
LAST = "m_2*(l_1**2*qd_1**2+l_c2**2*(qd_1+qd_2)**2+2*l_1*l_c2*qd_1*(qd_1+qd_2)*cos(q_2))/2+I_2*(qd_1+qd_2)**2/2"


def _on_link_2(l1: float, reach: float) -> Callable[..., Any]:
    """The place of a point of link 2 at a distance from its joint, by the angles q."""
    return lambda q: (l1 * cos(q[0]) + reach * cos(q[0] + q[1]), l1 * sin(q[0]) + reach * sin(q[0] + q[1]), q[0] + q[1])


def _bodies(
    lengths: list[float], masses: list[float], coms: list[float], inertias: list[float]
) -> list[tuple[float, float, Callable[..., Any]]]:
    first = (masses[0], inertias[0], lambda q: (coms[0] * cos(q[0]), coms[0] * sin(q[0]), q[0]))
    return [first, (masses[1], inertias[1], _on_link_2(lengths[0], coms[1]))]


def _arm(p: Parameters, at: At) -> tuple[list[tuple[float, float, Callable[..., Any]]], list[float], float]:
    """The bodies, the angles and g of a random point."""
    lengths, masses, coms, inertias, q = ([at[f"{name}{i}"] for i in (1, 2)] for name in ("l", "m", "lc", "I", "q"))
    return _bodies(lengths, masses, coms, inertias), q, at["g"]


def _mass(slip: str, instead: str) -> Callable[..., Any]:
    """A mass matrix with one planted mistake, as text: a part of it that says something else."""
    parts = {"bend": "cos(q_2)", "coupling": "2", "carried": "l_1**2+", "turn1": "I_1+I_2+", "turn2": "I_2+"}
    part = with_parts_replaced(parts, slip, instead)
    m11 = "{turn1}m_1*l_c1**2+m_2*({carried}l_c2**2+{coupling}*l_1*l_c2*{bend})".format(**part)
    m12 = "{turn2}m_2*(l_c2**2+l_1*l_c2*{bend})".format(**part)
    m22 = "{turn2}m_2*l_c2**2".format(**part)
    return lambda p: [[m11, m12], [m12, m22]]


def _is_velocity_of_tip(p: Parameters, at: At, value: Value) -> str | None:
    rates = bodies.rate(_on_link_2(at["l1"], at["l2"]), [at["q1"], at["q2"]], [at["qd1"], at["qd2"]])
    sentence = "The velocity is not the time derivative of the position of the tip."
    return laws.differs(sentence, at, value, rates[:2])


def _moves_the_bodies(p: Parameters, at: At, value: Value) -> str | None:
    moving, q, _ = _arm(p, at)
    sentence = "C qd does not follow from the mass matrix of the arm by the Christoffel sums."
    return laws.differs(sentence, at, value, bodies.inertial_force(moving, q, [at["qd1"], at["qd2"]]))


def _is_left_side(p: Parameters, at: At, value: Value) -> str | None:
    """The misprinted line is the one with the square of the speed of the second center of mass."""
    x, y, _ = bodies.rate(_on_link_2(at["l1"], at["lc2"]), [at["q1"], at["q2"]], [at["qd1"], at["qd2"]])
    return laws.differs("It is not what the left side of the misprinted line is.", at, value, x**2 + y**2)


def _is_largest_weight(p: Parameters, at: At, value: Value) -> str | None:
    """The number is the larger torque at joint 1 of the two poses in which the arm is stretched out along x."""
    moving = _bodies(p.lengths, p.masses, p.coms, p.inertias)
    largest = max(abs(bodies.weight(moving, [q, 0.0], 9.81)[0]) for q in (0.0, math.pi))
    (a, b), (light, heavy), (first, second) = p.lengths, p.masses, p.coms
    parts = {"The weight of link 1": 9.81 * light * first, "The weight of link 2 at the elbow": 9.81 * heavy * a, "The distance of the center of link 2 from the elbow": 9.81 * heavy * second}  # fmt: skip
    wrong = laws.of_parts(lambda *some: sum(some), parts) | {
        "The centers of mass are not in the middle of the links.": 9.81 * (light * a / 2 + heavy * (a + b / 2)),
        "The masses are not all at the tip.": 9.81 * (light + heavy) * (a + b),
        "The mass of link 1 is not at the elbow.": 9.81 * (light * a + heavy * (a + second)),
        "At rest moments of inertia do nothing.": largest + sum(p.inertias),
    }
    sentence = "The worst pose of your arm takes another torque at joint 1."
    return laws.differs(sentence, at, value, largest, 1e-4, power_of_g=1, wrong=wrong)


def _obeys_its_torque(p: Parameters, at: At, value: Value) -> str | None:
    """M qdd is what the applied torque leaves beyond velocity terms and weight; what qdd should be is nowhere computed."""
    q, qd, tau = (part.tolist() for part in at)
    moving = _bodies(p.lengths, p.masses, p.coms, p.inertias)
    against = zip(bodies.inertial_force(moving, q, qd), bodies.weight(moving, q, 9.81))
    left = [a - h - g for a, (h, g) in zip(tau, against)]
    used = bodies.momentum(moving, q, value)
    return laws.differs("M qdd + C qd + g is not the torque that was applied.", at, used, left)


@lru_cache(maxsize=1)
def _library(p: Parameters) -> Any:
    """The student's arm, as the library of the book knows it."""
    return rd.robots.two_link(p.lengths, p.masses, p.coms, p.inertias)


def _solved(change: Callable[..., Any]) -> Callable[..., Any]:
    """Accelerations with a planted mistake: change(arm, q, qd, M, h, g) -> M, h and g that are taken instead."""

    def of(p: Parameters) -> Callable[..., Any]:
        arm = _library(p)

        def acceleration(q: Array, qd: Array, tau: Array) -> Array:
            q, qd, g = np.asarray(q), np.asarray(qd), rd.gravity_torque(arm, q)
            M, h, g = change(p, q, qd, rd.mass_matrix(arm, q), rd.bias_torque(arm, q, qd) - g, g)
            return np.linalg.solve(M, tau - h - g)

        return acceleration

    return of


def _bent(p: Parameters, q: Array) -> tuple[float, ...]:
    """The coupling of both joints through link 2, by the cosine of the elbow, and by the sine of it instead."""
    size = p.masses[1] * p.lengths[0] * p.coms[1]
    return size * np.cos(q[1]), size * np.sin(q[1])


def _with_gravity(sign: int, absolute: bool) -> Callable[..., Any]:
    """Gravity torques with a planted mistake, as text."""
    second = "cos(q_2)" if absolute else "cos(q_1+q_2)"
    g2 = f"m_2*l_c2*g*{second}"
    return lambda p: [f"{sign}*((m_1*l_c1+m_2*l_1)*g*cos(q_1)+{g2})", f"{sign}*{g2}"]


def _as_printed(line: str) -> Callable[[Parameters], str]:
    """A line as it is printed, for every student: where another is asked for."""
    return lambda p: line


QUESTIONS = {
    "tip-velocity": Question(
        "velocity of the tip",
        shape=(2,),
        names=SYMBOLS,
        laws=(_is_velocity_of_tip,),
        mistakes={
            "an angle that is differentiated by time brings its rate: the chain rule": lambda p: ["-l_1*sin(q_1)-l_2*sin(q_1+q_2)", "l_1*cos(q_1)+l_2*cos(q_1+q_2)"],
            "those are components along and across link 2, not along x and y": lambda p: ["l_1*qd_1*sin(q_2)", "l_1*qd_1*cos(q_2)+l_2*(qd_1+qd_2)"],
            "those are components along and across link 1, not along x and y": lambda p: ["-l_2*(qd_1+qd_2)*sin(q_2)", "l_1*qd_1+l_2*(qd_1+qd_2)*cos(q_2)"],
            "the second angle is taken from the x axis, but q2 is measured from link 1": lambda p: [
                "-l_1*qd_1*sin(q_1)-l_2*qd_2*sin(q_2)",
                "l_1*qd_1*cos(q_1)+l_2*qd_2*cos(q_2)",
            ],
            "link 2 turns at the rate qd1 + qd2, not qd2": lambda p: [
                "-l_1*qd_1*sin(q_1)-l_2*qd_2*sin(q_1+q_2)",
                "l_1*qd_1*cos(q_1)+l_2*qd_2*cos(q_1+q_2)",
            ],
            "the tip is at the end of link 2, not at its center of mass": lambda p: [
                "-l_1*qd_1*sin(q_1)-l_c2*(qd_1+qd_2)*sin(q_1+q_2)",
                "l_1*qd_1*cos(q_1)+l_c2*(qd_1+qd_2)*cos(q_1+q_2)",
            ],
            "that is the position: differentiate it by time": lambda p: [
                "l_1*cos(q_1)+l_2*cos(q_1+q_2)",
                "l_1*sin(q_1)+l_2*sin(q_1+q_2)",
            ],
            "the sign of the derivative of the cosine": lambda p: [
                "l_1*qd_1*sin(q_1)+l_2*(qd_1+qd_2)*sin(q_1+q_2)",
                "l_1*qd_1*cos(q_1)+l_2*(qd_1+qd_2)*cos(q_1+q_2)",
            ],
        },
        hints=("Write down x and y of the tip first, with both angles from the x axis.", "Link 2 points at the angle q1 + q2; differentiate each cosine and sine by time.", "Use the chain rule: an angle that is a sum has a rate that is a sum. Test: with q2 = 0 and qd2 = 0 the arm is one rod."),
    ),
    "mass-matrix": Question(
        "mass matrix of the 2R arm",
        shape=(2, 2),
        names=SYMBOLS,
        laws=(laws.symmetric, laws.definite, laws.energy_of(_arm)),
        mistakes={
            "the mass of link 2 also moves with joint 1: a term with m2 l1^2 is missing": _mass("carried", ""),
            "sine in place of cosine in the coupling": _mass("bend", "sin(q_2)"),
            "the cosine depends on q2 alone, not on q1 + q2": _mass("bend", "cos(q_1+q_2)"),
            "the moments of inertia about the centers of mass are missing": _mass("turn1 turn2", ""),
            "half of the coupling in entry (1, 1): the square of a sum has a double product": _mass("coupling", "1"),
            "link 2 turns with joint 1, too: I2 is missing in entry (1, 1)": _mass("turn1", "I_1+"),
            "that is the mass matrix in absolute angles: q2 is measured from link 1": lambda p: [
                ["I_1+m_1*l_c1**2+m_2*l_1**2", "m_2*l_1*l_c2*cos(q_2)"],
                ["m_2*l_1*l_c2*cos(q_2)", "I_2+m_2*l_c2**2"],
            ],
        },
        hints=("Kinetic energy first: each body has 1/2 m v^2 of its center of mass and 1/2 I omega^2.", "Link 2 turns at qd1 + qd2; its center of mass moves with both joints.", "M is the second derivative of T by the rates: from T = 1/2 qd . M qd read off the factors of qd1^2, 2 qd1 qd2 and qd2^2."),
    ),
    "gravity": Question(
        "gravity torques",
        credit=Credit(sign=0.0),  # the sign is what the question is about
        shape=(2,),
        names=SYMBOLS,
        laws=(laws.gradient_of_potential(_arm),),
        mistakes={
            "a weight makes a torque by its lever arm: lengths are missing": lambda p: ["(m_1+m_2)*g*cos(q_1)+m_2*g*cos(q_1+q_2)", "m_2*g*cos(q_1+q_2)"],
            "those are weights: a torque has a lever arm": lambda p: ["m_1*g", "m_2*g"],
            "the centers of mass are at l_c1 and l_c2, not in the middle": lambda p: ["(m_1*l_1/2+m_2*l_1)*g*cos(q_1)+m_2*l_2*g*cos(q_1+q_2)/2", "m_2*l_2*g*cos(q_1+q_2)/2"],
            "those are the potential energies of the links: differentiate their sum": lambda p: ["m_1*g*l_c1*sin(q_1)", "m_2*g*(l_1*sin(q_1)+l_c2*sin(q_1+q_2))"],
            "the weight of link 2 acts at its center of mass, not at the tip": lambda p: [
                "(m_1*l_c1+m_2*l_1)*g*cos(q_1)+m_2*l_2*g*cos(q_1+q_2)",
                "m_2*l_2*g*cos(q_1+q_2)",
            ],
            "the opposite sign: g is +dU/dq, the torque that holds the arm": _with_gravity(-1, absolute=False),
            "absolute for relative angles: link 2 points at q1 + q2": _with_gravity(1, absolute=True),
            "joint 1 carries link 2, too: a term with m2 l1 is missing": lambda p: [
                "m_1*l_c1*g*cos(q_1)+m_2*l_c2*g*cos(q_1+q_2)",
                "m_2*l_c2*g*cos(q_1+q_2)",
            ],
            "sine for cosine: angles are measured from the x axis, gravity pulls along -y": lambda p: [
                "(m_1*l_c1+m_2*l_1)*g*sin(q_1)+m_2*l_c2*g*sin(q_1+q_2)",
                "m_2*l_c2*g*sin(q_1+q_2)",
            ],
        },
        hints=("Write the height of each center of mass, then U.", "g(q) is the gradient of U, with a plus sign.", "The second center of mass is lifted by both joints: its height holds q1 twice, q2 once."),
    ),
    "velocity-terms": Question(
        "velocity terms C qd",
        shape=(2,),
        names=SYMBOLS,
        laws=(_moves_the_bodies,),
        mistakes={
            "only the product of the rates is there: squares of them belong to both rows": lambda p: ["-2*m_2*l_1*l_c2*sin(q_2)*qd_1*qd_2", "0"],
            "the opposite sign of all velocity terms": lambda p: [
                "m_2*l_1*l_c2*sin(q_2)*(2*qd_1*qd_2+qd_2**2)",
                "-m_2*l_1*l_c2*sin(q_2)*qd_1**2",
            ],
            "the Coriolis term 2 qd1 qd2 counts both orders: the factor 2 is missing": lambda p: [
                "-m_2*l_1*l_c2*sin(q_2)*(qd_1*qd_2+qd_2**2)",
                "m_2*l_1*l_c2*sin(q_2)*qd_1**2",
            ],
            "the power check fails: joint 1 drives joint 2, too, and the second row has no product of rates": lambda p: [
                "-m_2*l_1*l_c2*sin(q_2)*(2*qd_1*qd_2+qd_2**2)",
                "-m_2*l_1*l_c2*sin(q_2)*qd_1*qd_2",
            ],
            "the centrifugal term qd2^2 in the first row is missing": lambda p: [
                "-m_2*l_1*l_c2*sin(q_2)*2*qd_1*qd_2",
                "m_2*l_1*l_c2*sin(q_2)*qd_1**2",
            ],
        },
        hints=("Only entries of M that depend on q2 give velocity terms.", "All of them share one factor, the derivative of the coupling in M by q2; each is that factor times a product of two rates.", "Test by power: qd . (dM/dt) qd = 2 qd . h, for any rates."),
    ),
    "find-the-error": Question(
        "the right side of the misprinted line, put right",
        names=SYMBOLS,
        laws=(_is_left_side,),
        lines={"line 2": PRINTED[0], "line 4": LAST},
        own="l1 lc2 qd1 qd2 q2",
        mistakes={f"that is line {n} as it is printed, but the misprinted line is to be put right": _as_printed(line) for n, line in enumerate(PRINTED, start=2)},
        hints=("Check each line by itself: does it follow from the lines before?", "Try poses in which you know the answer: q2 = 0 makes one straight rod of both links.", "Turn the whole arm about joint 1: what may not change?"),
    ),
    "forward-dynamics": Question(
        "acceleration from torque, with your own numbers",
        shape=(2,),
        **CALLED["forward-dynamics"],
        laws=(_obeys_its_torque,),
        mistakes={
            "gravity helps instead of loading: the sign of g": lambda p: (
                lambda q, qd, tau: rd.forward_dynamics(_library(p), q, qd, tau + 2 * rd.gravity_torque(_library(p), q))
            ),
            "the velocity terms are missing": lambda p: lambda q, qd, tau: rd.forward_dynamics(_library(p), q, 0 * qd, tau),
            "degrees: q is in rad": lambda p: lambda q, qd, tau: rd.forward_dynamics(_library(p), np.radians(q), qd, tau),
            "gravity is missing": lambda p: (
                lambda q, qd, tau: rd.forward_dynamics(_library(p), q, qd, tau + rd.gravity_torque(_library(p), q))
            ),
            "the torques are divided by the diagonal of M: solve with the whole matrix": lambda p: (
                lambda q, qd, tau: (tau - rd.bias_torque(_library(p), q, qd)) / np.diag(rd.mass_matrix(_library(p), q))
            ),
            "M multiplies: solve with it": lambda p: lambda q, qd, tau: rd.mass_matrix(_library(p), q) @ (tau - rd.bias_torque(_library(p), q, qd)),
            "that is the torque for an acceleration: here the torque is given": lambda p: lambda q, qd, tau: rd.inverse_dynamics(_library(p), q, qd, tau),
            "the velocity terms have the opposite sign": _solved(lambda p, q, qd, M, h, g: (M, -h, g)),
            "the velocity term of joint 2 has the opposite sign": _solved(lambda p, q, qd, M, h, g: (M, h * [1, -1], g)),
            "the velocity term of joint 2 is missing": _solved(lambda p, q, qd, M, h, g: (M, h * [1, 0], g)),
            "the product of the rates counts both orders: its factor 2 is missing": _solved(lambda p, q, qd, M, h, g: (M, h + [_bent(p, q)[1] * qd[0] * qd[1], 0], g)),
            "the square of the second rate is missing in the velocity terms": _solved(lambda p, q, qd, M, h, g: (M, h + [_bent(p, q)[1] * qd[1] ** 2, 0], g)),
            "the weight of link 2 hangs on the angle q1 + q2": _solved(lambda p, q, qd, M, h, g: (M, h, g + rd.gravity_torque(_library(p), [q[0], q[1] - q[0]])[1] - g[1])),
            "gravity: sine for cosine": _solved(lambda p, q, qd, M, h, g: (M, h, rd.gravity_torque(_library(p), [q[0] - math.pi / 2, q[1]]))),
            "joint 1 carries link 2 at the elbow: a weight is missing": _solved(lambda p, q, qd, M, h, g: (M, h, g - [p.masses[1] * 9.81 * p.lengths[0] * np.cos(q[0]), 0])),
            "joint 1 carries the forearm's own weight, too": _solved(lambda p, q, qd, M, h, g: (M, h, g * [1, 1] - [g[1], 0])),
            "the weight of link 1 is missing": _solved(lambda p, q, qd, M, h, g: (M, h, g - [p.masses[0] * 9.81 * p.coms[0] * np.cos(q[0]), 0])),
            "the joint coordinates of gravity are in rad, not in degrees": _solved(lambda p, q, qd, M, h, g: (M, h, rd.gravity_torque(_library(p), np.radians(q)))),
            "in entry (1, 1) of M the coupling counts half": _solved(lambda p, q, qd, M, h, g: (M - [[_bent(p, q)[0], 0], [0, 0]], h, g)),
            "in entry (1, 1) of M the coupling is missing": _solved(lambda p, q, qd, M, h, g: (M - [[2 * _bent(p, q)[0], 0], [0, 0]], h, g)),
            "in the entries off the diagonal of M the coupling is missing": _solved(lambda p, q, qd, M, h, g: (M - [[0, _bent(p, q)[0]], [_bent(p, q)[0], 0]], h, g)),
            "the coupling in M has the opposite sign": _solved(lambda p, q, qd, M, h, g: (M - 2 * _bent(p, q)[0] * np.array([[2, 1], [1, 0]]), h, g)),
            "the coupling in M has the cosine of the elbow, not its sine": _solved(lambda p, q, qd, M, h, g: (M + (_bent(p, q)[1] - _bent(p, q)[0]) * np.array([[2, 1], [1, 0]]), h, g)),
            "joint 1 moves the elbow, and the mass of link 2 with it: that is missing in M": _solved(lambda p, q, qd, M, h, g: (M - [[p.masses[1] * p.lengths[0] ** 2, 0], [0, 0]], h, g)),
            "a link's inertia about a joint is not its own: m c^2, and all that the distances add, is missing in M": _solved(lambda p, q, qd, M, h, g: (np.array([[sum(p.inertias), p.inertias[1]], [p.inertias[1]] * 2]), h, g)),
            "M is symmetric: joint 1 pulls at link 2, too, so entry (2, 1) is not zero": _solved(lambda p, q, qd, M, h, g: (M * [[1, 1], [0, 1]], h, g)),
            "M is symmetric: joint 2 pulls at link 1, too, so entry (1, 2) is not zero": _solved(lambda p, q, qd, M, h, g: (M * [[1, 0], [1, 1]], h, g)),
            "both links turn with joint 1: an own inertia is missing in M": _solved(lambda p, q, qd, M, h, g: (M - [[p.inertias[1], 0], [0, 0]], h, g)),
        },
        hints=("The equation of motion is linear in qdd.", "Put everything but M qdd on the right-hand side, then solve.", "Use np.linalg.solve, with your own formulas for M, C qd and g; test: with tau = g and qd = 0 nothing moves."),
    ),
    "holding-torque": Question(
        "largest holding torque at joint 1",
        shape=(),
        tolerance=1e-4,
        laws=(_is_largest_weight,),
        mistakes={
            "the weight of link 2 acts at its center of mass, l1 + lc2 from joint 1": lambda p: (
                9.81 * (p.masses[0] * p.coms[0] + p.masses[1] * p.coms[1])
            ),
            "the masses are multiplied with the lengths, not with the centers of mass": lambda p: (
                9.81 * (p.masses[0] * p.lengths[0] + p.masses[1] * sum(p.lengths))
            ),
            "that is the torque of joint 2": lambda p: 9.81 * p.masses[1] * p.coms[1],
            "without g: masses times arms are no torque": lambda p: (
                p.masses[0] * p.coms[0] + p.masses[1] * (p.lengths[0] + p.coms[1])
            ),
        },
        hints=("In which pose is the weight farthest from joint 1?", "The same pose is worst for both weights.", "Add weight times lever arm for both links."),
    ),
    "explain": Question(
        "why C depends on q2 alone",
        judged="person",
        hints=("Turn the whole arm about joint 1: what changes?", "Without gravity no direction in the plane is special.", "T does not depend on q1, so M and C do not either."),
    ),
}  # fmt: skip
