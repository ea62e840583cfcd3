"""The assignment "lagrange": a pendulum that hangs from a cart, from energies to a frequency."""

import math

from robotdyn.check import laws
from robotdyn.check.question import Question
from robotdyn.later import np

SYMBOLS = "q1 q2 qd1 qd2 qdd1 qdd2 m1 m2 l g"
T = "(m_1+m_2)*qd_1**2/2+m_2*l*qd_1*qd_2*cos(q_2)+m_2*l**2*qd_2**2/2"
FIRST = "(m_1+m_2)*qdd_1+m_2*l*cos(q_2)*qdd_2-m_2*l*sin(q_2)*qd_2**2"
SECOND = "m_2*l*cos(q_2)*qdd_1+m_2*l**2*qdd_2+m_2*g*l*sin(q_2)"


def parameters(draw):
    """Return the cart and the pendulum of one student."""
    return {"cart": draw.rounded(0.8, 3.0), "bob": draw.rounded(0.2, 1.5), "length": draw.rounded(0.3, 1.2)}


def _states(p, draw):
    return [(draw.vector(2, -2, 2), draw.vector(2, -3, 3)) for _ in range(6)]


def _speeds(at):
    """The velocity of cart and bob, from the positions."""
    swing = at["l"] * at["qd2"]
    return at["qd1"], (at["qd1"] + swing * math.cos(at["q2"]), swing * math.sin(at["q2"]))


def _kinetic(p, at):
    cart, (x, y) = _speeds(at)
    return at["m1"] * cart**2 / 2 + at["m2"] * (x**2 + y**2) / 2


def _accelerations(at):
    s, c = math.sin(at["q2"]), math.cos(at["q2"])
    x = at["qdd1"] + at["l"] * (at["qdd2"] * c - at["qd2"] ** 2 * s)
    return x, at["l"] * (at["qdd2"] * s + at["qd2"] ** 2 * c)


def _newton(p, at):
    """The generalized forces by d'Alembert: masses times accelerations, projected on the two motions."""
    x, y = _accelerations(at)
    swing = x * math.cos(at["q2"]) + (y + at["g"]) * math.sin(at["q2"])
    return [at["m1"] * at["qdd1"] + at["m2"] * x, at["m2"] * at["l"] * swing]


def _energy(p, at):
    (_, angle), (v, rate) = at
    bob = np.array([v + p.length * rate * np.cos(angle), p.length * rate * np.sin(angle)])
    return p.cart * v**2 / 2 + p.bob * bob @ bob / 2 - p.bob * 9.81 * p.length * np.cos(angle)


def _wrong_energy(sign=1, cross=1.0, cart=1.0, angle=lambda x: x):
    def of(p):
        def energy(q, qd):
            q = angle(np.asarray(q))
            T = (cart * p.cart + p.bob) * qd[0] ** 2 / 2 + p.bob * p.length**2 * qd[1] ** 2 / 2
            T = T + cross * p.bob * p.length * qd[0] * qd[1] * np.cos(q[1])
            return T - sign * p.bob * 9.81 * p.length * np.cos(q[1])

        return energy

    return of


QUESTIONS = {
    "kinetic-energy": Question(
        "kinetic energy of cart and bob",
        names=SYMBOLS,
        laws=(laws.same_as("It is not the sum of m v^2 / 2 over cart and bob.", _kinetic),),
        mistakes={
            "the bob also moves with the cart: the product of the two rates is missing": lambda p: T.replace(
                "+m_2*l*qd_1*qd_2*cos(q_2)", ""
            ),
            "the coupling has the cosine of the angle, not the sine": lambda p: T.replace("cos", "sin"),
            "half of the coupling: the square of a sum has a double product": lambda p: T.replace(
                "m_2*l*qd_1", "m_2*l*qd_1/2"
            ),
            "the cart carries the bob: the mass of the bob is missing in front of qd1^2": lambda p: T.replace(
                "(m_1+m_2)", "m_1"
            ),
        },
        hints=(
            "Write x and y of the bob in terms of q1 and q2, then differentiate by time.",
            "vx = qd1 + l qd2 cos q2, vy = l qd2 sin q2.",
            "Square and add; the cross term is 2 l qd1 qd2 cos q2.",
        ),
    ),
    "potential-energy": Question(
        "potential energy, zero at the rail",
        names=SYMBOLS,
        laws=(
            laws.same_as(
                "It is not m g times the height of the bob over the rail.",
                lambda p, at: -at["m2"] * at["g"] * at["l"] * math.cos(at["q2"]),
            ),
        ),
        mistakes={
            "the opposite sign: the bob hangs below the rail": lambda p: "m_2*g*l*cos(q_2)",
            "sine for cosine: the angle is measured from the vertical": lambda p: "-m_2*g*l*sin(q_2)",
            "the zero is at the rail, not at the lowest point": lambda p: "m_2*g*l*(1-cos(q_2))",
        },
        hints=(
            "How high is the bob when the pendulum hangs straight down?",
            "Its height over the rail is -l cos q2.",
            "U = m2 g times that height.",
        ),
    ),
    "equations": Question(
        "equations of motion",
        shape=(2,),
        names=SYMBOLS,
        laws=(laws.same_as("It is not mass times acceleration, projected on each coordinate.", _newton),),
        mistakes={
            "the sign of the centrifugal term": lambda p: [FIRST.replace("-m_2*l*sin", "+m_2*l*sin"), SECOND],
            "gravity has the opposite sign: dU/dq stands on the left with a plus": lambda p: [
                FIRST,
                SECOND.replace("+m_2*g", "-m_2*g"),
            ],
            "the centrifugal term is missing: the cosine, too, is differentiated by time": lambda p: [
                FIRST.replace("-m_2*l*sin(q_2)*qd_2**2", ""),
                SECOND,
            ],
            "-m2 l qd1 qd2 sin q2 is left: dT/dq2 cancels it": lambda p: [FIRST, SECOND + "-m_2*l*qd_1*qd_2*sin(q_2)"],
        },
        hints=(
            "d/dt (dT/dqd) - dT/dq + dU/dq, once for each coordinate.",
            "d/dt acts on cos q2, too: it gives -qd2 sin q2.",
            "In the second equation the terms with qd1 qd2 cancel.",
        ),
    ),
    "conserved": Question(
        "what a free cart keeps",
        names=SYMBOLS,
        laws=(
            laws.same_as(
                "It is not the momentum of cart and bob along the rail.",
                lambda p, at: at["m1"] * _speeds(at)[0] + at["m2"] * _speeds(at)[1][0],
            ),
        ),
        mistakes={
            "the bob moves against the cart: its own part is missing": lambda p: "(m_1+m_2)*qd_1",
            "energy is kept, too, but a cyclic coordinate gives a momentum": lambda p: T + "-m_2*g*l*cos(q_2)",
            "sine for cosine: the part of the bob's velocity along the rail": lambda p: (
                "(m_1+m_2)*qd_1+m_2*l*qd_2*sin(q_2)"
            ),
        },
        hints=(
            "Which coordinate does the Lagrangian not depend on?",
            "Its momentum is dT/dqd1.",
            "It is the sum of m vx over cart and bob.",
        ),
    ),
    "find-the-error": Question(
        "the misprint in a printed derivation",
        parts={
            "term": Question(
                "the term",
                names=SYMBOLS,
                laws=(
                    laws.same_as(
                        "It is not the time derivative of m2 l qd1 cos q2.",
                        lambda p, at: (
                            at["m2"]
                            * at["l"]
                            * (at["qdd1"] * math.cos(at["q2"]) - at["qd1"] * at["qd2"] * math.sin(at["q2"]))
                        ),
                    ),
                ),
            ),
        },
        mistakes={
            "line 1 is right: the Lagrangian": lambda p: {"line": 1},
            "line 2 is right: the momentum of the angle": lambda p: {"line": 2},
            "line 4 is right: dL/dq2": lambda p: {"line": 4},
        },
        hints=(
            "Check each line by itself.",
            "A product is differentiated by time: both factors change.",
            "The derivative of cos q2 by time is -qd2 sin q2.",
        ),
    ),
    "frequency": Question(
        "frequency of small swings",
        tolerance=1e-4,
        laws=(
            laws.same_as(
                "It is not the frequency at which the linear equations with your numbers swing.",
                lambda p, at: math.sqrt(9.81 * (p.cart + p.bob) / (p.cart * p.length)),
                1e-4,
            ),
        ),
        mistakes={
            "that is a pendulum on a fixed cart: the cart moves, too": lambda p: math.sqrt(9.81 / p.length),
            "in Hz: rad/s are asked for": lambda p: (
                math.sqrt(9.81 * (p.cart + p.bob) / (p.cart * p.length)) / (2 * math.pi)
            ),
            "the square of the frequency": lambda p: 9.81 * (p.cart + p.bob) / (p.cart * p.length),
            "cart and bob are exchanged": lambda p: math.sqrt(9.81 * (p.cart + p.bob) / (p.bob * p.length)),
        },
        hints=(
            "For small angles cos q2 = 1, sin q2 = q2, and squares of rates vanish.",
            "No force acts on the cart: the first equation gives qdd1 from qdd2.",
            "omega^2 = g (m1 + m2) / (m1 l).",
        ),
    ),
    "energy": Question(
        "total energy with your own numbers",
        inputs=_states,
        laws=(laws.same_as("It is not T + U with U = 0 at the rail.", _energy),),
        mistakes={
            "T - U is the Lagrangian; the energy is T + U": _wrong_energy(sign=-1),
            "the product of the two rates is missing": _wrong_energy(cross=0.0),
            "the mass of the cart is missing": _wrong_energy(cart=0.0),
            "degrees: angles are in rad": _wrong_energy(angle=lambda x: np.radians(x)),
        },
        hints=(
            "Use your formulas for T and U.",
            "q = (position, angle), qd = (their rates).",
            "Put p.cart, p.bob, p.length and 9.81 in.",
        ),
    ),
}
