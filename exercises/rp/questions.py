"""The assignment "rp": the arm that turns and slides, q = (angle, distance), each student's own arm."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import robotdyn as rd
from coursework.check import bodies, laws
from coursework.check.question import Question
from coursework.check.session import assignment_module
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import At, Value
    from coursework.check.parameters import Parameters

CALLED = assignment_module("rp", "given").CALLED

SYMBOLS = "q1 q2 qd1 qd2 qdd1 qdd2 lc1 m1 m2 I1 I2 g"


def _arm(p: Parameters, at: At) -> tuple[list[tuple[float, float, Callable[..., Any]]], list[float], float]:
    """The bodies, the state and g of a random point; both bodies turn with link 1."""
    first = (at["m1"], at["I1"], lambda q: (at["lc1"] * cmath.cos(q[0]), at["lc1"] * cmath.sin(q[0]), q[0]))
    slider = (at["m2"], at["I2"], lambda q: (q[1] * cmath.cos(q[0]), q[1] * cmath.sin(q[0]), q[0]))
    return [first, slider], [at["q1"], at["q2"]], at["g"]


def _own(p: Parameters, q: list[float]) -> tuple[list[tuple[float, float, Callable[..., Any]]], list[float], float]:
    """The same of the student's arm."""
    own = {"m1": p.masses[0], "m2": p.masses[1], "lc1": p.com, "I1": p.inertias[0], "I2": p.inertias[1]}
    return _arm(p, {**own, "q1": q[0], "q2": q[1], "g": 9.81})


def _product(p: Parameters, at: At, value: Value) -> str | None:
    """C qd must be the velocity terms, whatever C is chosen."""
    moving, q, _ = _arm(p, at)
    forces = [row[0] * at["qd1"] + row[1] * at["qd2"] for row in value]
    expected = bodies.inertial_force(moving, q, [at["qd1"], at["qd2"]])
    return laws.differs("C qd is not the velocity part of the torque.", at, forces, expected)


def _is_on_the_slider(p: Parameters, at: At, value: Value) -> str | None:
    moving, q, _ = _arm(p, at)
    sentence = "With it the lines do not give the slider's equation."
    return laws.differs(sentence, at, value, bodies.inertial_force(moving, q, [at["qd1"], at["qd2"]])[1])


def _skew(p: Parameters, at: At, value: Value) -> str | None:
    """dM/dt - 2 C is skew for the Christoffel choice."""
    (a, b), (c, d) = value
    gap = max(abs(2 * at["m2"] * at["q2"] * at["qd2"] - 2 * a) * 2, abs(2 * b + 2 * c), abs(4 * d))
    if gap > laws.NEAR * max(abs(a), abs(b), abs(c), abs(d), 1e-9):
        return "dM/dt - 2 C is not skew: it is not the Christoffel choice of C."
    return None


def _drives(p: Parameters, at: At, value: Value) -> str | None:
    q, qd, qdd = (part.tolist() for part in at)
    moving, _, g = _own(p, q)
    parts = bodies.momentum(moving, q, qdd), bodies.inertial_force(moving, q, qd), bodies.weight(moving, q, g)
    return laws.differs("It is not M qdd + C qd + g of your arm.", at, value, [*map(sum, zip(*parts))])


WAYS = ("is missing", "has the opposite sign", "counts twice", "counts half")  # those of `laws.PARTS`, in words
TERMS = {  # of torque and force
    "the inertia of the slider at its distance": lambda p, q, qd, qdd: (p.masses[1] * q[1] ** 2 * qdd[0], 0.0),
    "the inertia of link 1 about the joint": lambda p, q, qd, qdd: ((p.inertias[0] + p.masses[0] * p.com**2) * qdd[0], 0.0),
    "the Coriolis term": lambda p, q, qd, qdd: (2 * p.masses[1] * q[1] * qd[0] * qd[1], 0.0),
    "the centrifugal term": lambda p, q, qd, qdd: (0.0, -p.masses[1] * q[1] * qd[0] ** 2),
    "the weight of link 1": lambda p, q, qd, qdd: (p.masses[0] * 9.81 * p.com * np.cos(q[0]), 0.0),
    "the weight of the slider in the torque": lambda p, q, qd, qdd: (p.masses[1] * 9.81 * q[1] * np.cos(q[0]), 0.0),
    "the weight of the slider in the force": lambda p, q, qd, qdd: (0.0, p.masses[1] * 9.81 * np.sin(q[0])),
    "the mass of the slider times its acceleration": lambda p, q, qd, qdd: (0.0, p.masses[1] * qdd[1]),
}  # fmt: skip


def _more(term: Callable[..., Any], factor: float) -> Callable[..., Any]:
    """Torque and force with a planted mistake: so many times a term more than there should be."""
    return lambda p: lambda q, qd, qdd: rd.inverse_dynamics(_library(p), q, qd, qdd) + factor * np.array(term(p, q, qd, qdd))  # fmt: skip


def _turning(p: Parameters, reach: float, rate: float) -> float:
    """The kinetic energy of the student's arm, whose slider rests on the link; it is half of rate times momentum."""
    moving, q, _ = _own(p, [0.0, reach])
    return bodies.kinetic_energy(moving, q, [rate, 0.0])


def _pulled(p: Parameters) -> None:
    """Say what the pull does to the rate and the energy."""
    faster = _turning(p, p.reach, 1.0) / _turning(p, p.near, 1.0)
    print(f"before: {p.spin:.2f} rad/s; after: {p.spin * faster:.2f} rad/s")
    print(f"the kinetic energy is {faster:.2f} times what it was")


def _is_its_work(p: Parameters, at: At, value: Value) -> str | None:
    """Nothing but the motor changes the energy; the momentum 2 T / rate is the same before and after."""
    before = _turning(p, p.reach, p.spin)
    unit = _turning(p, p.near, 1.0)
    after = (2 * before / p.spin) ** 2 / (4 * unit)
    (_, m), ratio = p.masses, p.reach / p.near
    wrong = {
        "The angular momentum stays, not the slider's alone: the rate grows by less.": unit * (p.spin * ratio**2) ** 2 - before,
        "The speed of the slider across the link is not what stays.": unit * (p.spin * ratio) ** 2 - before,
        "The plane is horizontal: nothing weighs.": after - before + m * 9.81 * (p.reach - p.near),
        "The plane is horizontal: nothing weighs, upward or downward.": after - before - m * 9.81 * (p.reach - p.near),
        "The rate grows on the way in, and the centrifugal force with it.": m * p.spin**2 * (p.reach**2 - p.near**2) / 2,
        "The slider's moment of inertia has the square of the distance.": _gained(p, m * p.reach, m * p.near),
        "That is the force at the start times the way, and the force grows.": m * p.spin**2 * p.reach * (p.reach - p.near),
        "The energy rises: somebody has to do that work.": 0.0,
    }  # fmt: skip
    sentence = "It is not what the kinetic energy of your arm gains."
    return laws.differs(sentence, at, value, after - before, 1e-4, wrong=wrong)


def _gained(p: Parameters, far: float, near: float) -> float:
    """The energy that is gained with other moments of inertia of the slider about the joint."""
    still = sum(p.inertias) + p.masses[0] * p.com**2
    return ((still + far) * p.spin) ** 2 / 2 * (1 / (still + near) - 1 / (still + far))


def _work(of: Callable[..., Any]) -> Callable[..., Any]:
    """A mistake in the work: of(M11 before, M11 after, rate before)."""
    still = lambda p: sum(p.inertias) + p.masses[0] * p.com**2
    return lambda p: of(*(still(p) + p.masses[1] * r**2 for r in (p.reach, p.near)), p.spin)


def _floats(p: Parameters, at: At, value: Value) -> str | None:
    """The force that the slider needs at that rate, without acceleration, is none."""
    moving, q, g = _own(p, [p.angle, p.reach])
    weight = bodies.weight(moving, q, g)[1]
    sentence = "At that rate the acceleration of the slider along the link is not zero."
    return laws.is_no_root(
        sentence, value, lambda rate: bodies.inertial_force(moving, q, [rate, 0.0])[1] + weight, 1e-4
    )


def _holds(p: Parameters, at: At, value: Value) -> str | None:
    first = 9.81 * p.masses[0] * p.com
    second = 9.81 * p.masses[1] * p.reach
    sentence = "The height of the line is not the torque that holds your arm."
    largest = first + second
    wrong = {
        "It has the opposite sign.": lambda x: -(first + second) * np.cos(x),
        "It looks like sine for cosine.": lambda x: (first + second) * np.sin(x),
        "The weight of link 1 is missing.": lambda x: second * np.cos(x),
        "The weight of the slider is missing.": lambda x: first * np.cos(x),
        "The two masses are exchanged.": lambda x: (p.masses[1] * p.com + p.masses[0] * p.reach) * 9.81 * np.cos(x),
        "Those are weights: each has a lever arm.": lambda x: sum(p.masses) * 9.81 * np.cos(x),
        "A torque has its sign: to the left it holds the other way.": lambda x: abs(largest * np.cos(x)),
    }
    return laws.is_no_plot(
        sentence, value, -math.pi, math.pi, lambda x: largest * np.cos(x), 1e-3 * largest, wrong, ("rad", "N m")
    )


@lru_cache(maxsize=1)
def _library(p: Parameters) -> Any:
    """The student's arm, as the library of the book knows it."""
    return rd.robots.rp(p.masses, (p.com, 0.0), (0.0, 0.0), p.inertias)


PRINTED = (
    "m_2*(qd_2**2+q_2**2*qd_1**2)/2+I_2*qd_1**2/2",
    "m_2*qdd_2",
    "m_2*q_2*qd_1**2",
    "m_2*g*sin(q_1)",
)  # the lines that the notebook prints, the misprint included


def _as_printed(line: str) -> Callable[[Parameters], str]:
    """A line as it is printed, for every student: where another is asked for."""
    return lambda p: line


QUESTIONS = {
    "mass-matrix": Question(
        "mass matrix of the RP arm",
        shape=(2, 2),
        names=SYMBOLS,
        laws=(laws.symmetric, laws.energy_of(_arm)),
        mistakes={
            "the moment of inertia of the slider grows with its distance: m2 q2^2 is missing": lambda p: [["I_1+I_2+m_1*l_c1**2", "0"], ["0", "m_2"]],
            "the slider turns with link 1: I2 is missing in entry (1, 1)": lambda p: [["I_1+m_1*l_c1**2+m_2*q_2**2", "0"], ["0", "m_2"]],
            "the slider does not turn against link 1: entry (2, 2) is a mass": lambda p: [["I_1+I_2+m_1*l_c1**2+m_2*q_2**2", "0"], ["0", "m_2+I_2"]],
            "the distance enters squared, as in every moment of inertia": lambda p: [["I_1+I_2+m_1*l_c1**2+m_2*q_2", "0"], ["0", "m_2"]],
            "the distance q2 is counted from joint 1, not from the center of mass of link 1": lambda p: [["I_1+I_2+m_1*l_c1**2+m_2*(l_c1+q_2)**2", "0"], ["0", "m_2"]],
        },
        hints=(
            "The velocity of the slider has one part along the link and one across.",
            "Along: qd2. Across: q2 qd1. They are perpendicular, so no product appears.",
            "Entry (1, 1) is the moment of inertia of everything about joint 1.",
        ),
    ),
    "pull-in": Question(
        "what becomes of the energy, as a number from 1 to 3",
        judged="laws",
        laws=(laws.chosen(3),),
        hints=(
            "Think of a skater who turns and draws in the arms.",
            "Which forces and torques act on the arm, and which of them do work?",
            "Whatever you choose is right here: hand it in, and look.",
        ),
        show=_pulled,
        prediction=True,
    ),
    "pull-in-work-done": Question(
        "the work of the slider's motor",
        tolerance=1e-4,
        laws=(_is_its_work,),
        mistakes={
            "the rate does not stay: no torque acts about joint 1, so the angular momentum does": _work(lambda before, after, w: (after - before) * w**2 / 2),
            "what stays is M11 times the rate: the slider pulled in makes M11 smaller, and the rate larger": _work(lambda before, after, w: after * (w * after / before) ** 2 / 2 - before * w**2 / 2),
            "that is the energy after the pull: the work is what the pull adds": _work(lambda before, after, w: (before * w) ** 2 / (2 * after)),
            "all that turns has a part in the angular momentum, not the slider's m2 q2^2 alone": lambda p: (
                p.masses[1] * (p.reach * p.spin) ** 2 / 2 * ((p.reach / p.near) ** 2 - 1)
            ),
        },
        hints=(
            "No torque acts about joint 1: which quantity stays?",
            "Entry (1, 1) of M, before and after, gives the rate after the pull.",
            "Joint 1 has no motor and nothing rubs: whatever energy is added, the motor of the slider has done as work.",
        ),
    ),
    "coriolis-matrix": Question(
        "Coriolis matrix, Christoffel choice",
        shape=(2, 2),
        names=SYMBOLS,
        laws=(_product, _skew),
        mistakes={
            "the sign of the centrifugal force: it drives the slider outward": lambda p: [["m_2*q_2*qd_2", "m_2*q_2*qd_1"], ["m_2*q_2*qd_1", "0"]],
            "the product is right, but the choice is not: dM/dt - 2 C must be skew": lambda p: [["2*m_2*q_2*qd_2", "0"], ["-m_2*q_2*qd_1", "0"]],
            "each velocity term counts twice here: the Christoffel symbols carry a factor 1/2": lambda p: [["2*m_2*q_2*qd_2", "2*m_2*q_2*qd_1"], ["-2*m_2*q_2*qd_1", "0"]],
        },
        hints=(
            "Which entry of M changes with a coordinate, and with which?",
            "C_kj = sum over i of 1/2 (dM_kj/dq_i + dM_ki/dq_j - dM_ij/dq_k) qd_i.",
            "One derivative of M is not zero: find the places of the sum, for each k and j, where it stands, and its sign there.",
        ),
    ),
    "find-the-error": Question(
        "the right side of the misprinted line, put right",
        names=SYMBOLS,
        laws=(_is_on_the_slider,),
        lines={f"line {n}": line for n, line in enumerate(PRINTED, start=1) if n != 3},
        own="m2 q2 qd1",
        mistakes={f"that is line {n} as it is printed, but the misprinted line is to be put right": _as_printed(line) for n, line in enumerate(PRINTED, start=1)},
        hints=(
            "Which way does a bead move on a turning rod?",
            "Differentiate T by q2, and by qd2, yourself.",
            "Compare the sign of each term with the definition: d/dt dT/dqd - dT/dq + dU/dq.",
        ),
    ),
    "inverse-dynamics": Question(
        "torque and force of a motion, with your own numbers",
        shape=(2,),
        **CALLED["inverse-dynamics"],
        laws=(_drives,),
        mistakes={
            "gravity has the opposite sign": lambda p: (
                lambda q, qd, qdd: rd.inverse_dynamics(_library(p), q, qd, qdd) - 2 * rd.gravity_torque(_library(p), q)
            ),
            **{f"{name} {words}": _more(term, factor - 1) for name, term in TERMS.items() for words, factor in zip(WAYS, laws.PARTS.values())},
            "link 1 does not move along itself: its mass has no part in the force": _more(lambda p, q, qd, qdd: (0.0, p.masses[0] * qdd[1]), 1.0),
            "the distance of the center of mass of link 1 is squared in its inertia": _more(lambda p, q, qd, qdd: (p.masses[0] * (p.com - p.com**2) * qdd[0], 0.0), 1.0),
            "the slider is at q2, not at p.reach": lambda p: lambda q, qd, qdd: rd.inverse_dynamics(_library(p), np.array([q[0], p.reach]), qd, qdd),
            "the velocity terms are missing": lambda p: lambda q, qd, qdd: rd.inverse_dynamics(_library(p), q, 0 * qd, qdd),
            "degrees: the angle is in rad": lambda p: (
                lambda q, qd, qdd: rd.inverse_dynamics(_library(p), np.array([np.radians(q[0]), q[1]]), qd, qdd)
            ),
            "gravity is missing": lambda p: (
                lambda q, qd, qdd: rd.inverse_dynamics(_library(p), q, qd, qdd) - rd.gravity_torque(_library(p), q)
            ),
        },
        hints=(
            "Two lines: one for the torque, one for the force.",
            "Torque and force are M qdd + C qd + g, row by row: M is that of part 1, C that of part 4; g is the slope of g (m1 lc1 + m2 q2) sin q1.",
            "Test: at rest only gravity is left; with qdd = 0 and qd2 = 0 the force is centrifugal and gravity.",
        ),
    ),
    "floating-slider": Question(
        "a rate at which nothing holds the slider",
        tolerance=1e-4,
        laws=(_floats,),
        mistakes={
            "cosine for sine: along the link gravity pulls with g sin q1": lambda p: math.sqrt(9.81 * math.cos(p.angle) / p.reach),
            "that is the square of the rate": lambda p: 9.81 * math.sin(p.angle) / p.reach,
            "in turns a second: rad/s are asked for": lambda p: math.sqrt(9.81 * math.sin(p.angle) / p.reach) / (2 * math.pi),
            "degrees: the angle is in rad": lambda p: math.sqrt(9.81 * math.sin(math.radians(p.angle)) / p.reach),
        },
        hints=(
            "The slider's equation with qdd2 = 0 and no force.",
            "The centrifugal force balances the part of gravity along the link.",
            "Both are proportional to m2: it drops out, and the rate stands squared.",
        ),
    ),
    "plot-holding": Question(
        "a plot of the holding torque",
        shape=None,
        judged="laws",
        laws=(_holds,),
        hints=(
            "The holding torque is dU/dq1, with q2 = p.reach.",
            "np.linspace(-np.pi, np.pi, 181) is a good x axis.",
            "ax.plot(angle, torque), then ax.set_xlabel and ax.set_ylabel with units.",
        ),
    ),
}  # fmt: skip
