"""The assignment "rp": the arm that turns and slides, q = (angle, distance), each student's own arm."""

import cmath
import math

import robotdyn as rd
from robotdyn.check import bodies, laws
from robotdyn.check.question import Later, Question
from robotdyn.later import np

SYMBOLS = "q1 q2 qd1 qd2 qdd1 qdd2 lc1 m1 m2 I1 I2 g"
M11 = "I_1+I_2+m_1*l_c1**2+m_2*q_2**2"


def parameters(draw):
    """Return the arm of one student, and a pose."""
    masses = (draw.rounded(1.0, 4.0), draw.rounded(0.5, 2.0))
    com, inertias = draw.rounded(0.2, 0.5), (draw.rounded(0.05, 0.3, 3), draw.rounded(0.01, 0.1, 3))
    return {"masses": masses, "com": com, "inertias": inertias, "arm": Later(lambda: rd.robots.rp(masses, (com, 0.0), (0.0, 0.0), inertias)),
            "angle": draw.rounded(0.3, 1.2), "reach": draw.rounded(0.5, 1.2)}  # fmt: skip


def _arm(p, at):
    """The bodies, the state and g of a random point; both bodies turn with link 1."""
    first = (at["m1"], at["I1"], lambda q: (at["lc1"] * cmath.cos(q[0]), at["lc1"] * cmath.sin(q[0]), q[0]))
    slider = (at["m2"], at["I2"], lambda q: (q[1] * cmath.cos(q[0]), q[1] * cmath.sin(q[0]), q[0]))
    return [first, slider], [at["q1"], at["q2"]], at["g"]


def _velocity_terms(p, at):
    moving, q, _ = _arm(p, at)
    return bodies.inertial_force(moving, q, [at["qd1"], at["qd2"]])


def _product(p, at, value):
    """C qd must be the velocity terms, whatever C is chosen."""
    forces = [row[0] * at["qd1"] + row[1] * at["qd2"] for row in value]
    return laws.same_as("C qd is not the velocity part of the torque.", _velocity_terms)(p, at, forces)


def _skew(p, at, value):
    """dM/dt - 2 C is skew for the Christoffel choice."""
    (a, b), (c, d) = value
    gap = max(abs(2 * at["m2"] * at["q2"] * at["qd2"] - 2 * a) * 2, abs(2 * b + 2 * c), abs(4 * d))
    if gap > laws.NEAR * max(abs(a), abs(b), abs(c), abs(d), 1e-9):
        return "dM/dt - 2 C is not skew: it is not the Christoffel choice of C."
    return None


def _motions(p, draw):
    return [
        (np.array([draw.uniform(-3, 3), draw.uniform(0.2, 1.5)]), draw.vector(2, -2, 2), draw.vector(2, -3, 3))
        for _ in range(6)
    ]


def _torque(p, at):
    return rd.inverse_dynamics(p.arm, *at)


def _balance_rate(p, at):
    return math.sqrt(9.81 * math.sin(p.angle) / p.reach)


def _curve(factor=1.0, wave="cos", offset=True):
    """A plot's data with a planted mistake."""

    def of(p):
        x = np.linspace(-np.pi, np.pi, 181)
        arm = p.masses[0] * p.com * offset + p.masses[1] * p.reach
        return _Plot(x, factor * 9.81 * arm * getattr(np, wave)(x))

    return of


class _Plot:
    """Looks like Axes with one line."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def get_lines(self):
        return [self]

    def get_data(self):
        return self.x, self.y

    def get_xlabel(self):
        return "x"

    get_ylabel = get_xlabel


def _plot_law(p, at, value):
    if not value["curves"]:
        return "The plot has no line."
    x, y = (np.array(value["curves"][0][axis]["numbers"], dtype=float) for axis in "xy")
    if len(x) < 20 or x.min() > -3.1 or x.max() < 3.1:
        return "The line should run from -pi to pi, with at least 20 points."
    if not (str(value["xlabel"]).strip() and str(value["ylabel"]).strip()):
        return "Words are missing at an axis: say the quantity and its unit."
    slope = [rd.gravity_torque(p.arm, np.array([angle, p.reach]))[0] for angle in x]
    return laws.same_as("The height of the line is not dU/dq1 of your arm.", lambda p, at: slope, 1e-3)(p, at, y)


QUESTIONS = {
    "mass-matrix": Question(
        "mass matrix of the RP arm",
        shape=(2, 2),
        names=SYMBOLS,
        laws=(laws.symmetric, laws.energy_of(_arm)),
        mistakes={
            "the moment of inertia of the slider grows with its distance: m2 q2^2 is missing": lambda p: [["I_1+I_2+m_1*l_c1**2", "0"], ["0", "m_2"]],
            "the slider turns with link 1: I2 is missing in entry (1, 1)": lambda p: [[M11.replace("I_2+", ""), "0"], ["0", "m_2"]],
            "the slider does not turn against link 1: entry (2, 2) is a mass, without I2": lambda p: [[M11, "0"], ["0", "m_2+I_2"]],
            "the distance enters squared, as in every moment of inertia": lambda p: [[M11.replace("q_2**2", "q_2"), "0"], ["0", "m_2"]],
        },
        hints=(
            "The velocity of the slider has one part along the link and one across.",
            "Along: qd2. Across: q2 qd1. They are perpendicular, so no product appears.",
            "Entry (1, 1) is the moment of inertia of everything about joint 1.",
        ),
    ),
    "gravity": Question(
        "gravity torque and force",
        shape=(2,),
        names=SYMBOLS,
        laws=(laws.gradient_of_potential(_arm),),
        mistakes={
            "the opposite sign: g is +dU/dq": lambda p: ["-(m_1*l_c1+m_2*q_2)*g*cos(q_1)", "-m_2*g*sin(q_1)"],
            "sine and cosine are exchanged: the angle is measured from the x axis": lambda p: ["(m_1*l_c1+m_2*q_2)*g*sin(q_1)", "m_2*g*cos(q_1)"],
            "the slider's weight turns joint 1, too: m2 q2 is missing": lambda p: ["m_1*l_c1*g*cos(q_1)", "m_2*g*sin(q_1)"],
        },
        hints=(
            "U = g times the sum of mass times height.",
            "The slider is at the height q2 sin q1.",
            "Differentiate U by q1, then by q2.",
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
            "Only dM11/dq2 = 2 m2 q2 is not zero.",
            "C_kj = sum over i of 1/2 (dM_kj/dq_i + dM_ki/dq_j - dM_ij/dq_k) qd_i.",
            "The Coriolis term 2 m2 q2 qd1 qd2 is shared by the two entries of the first row.",
        ),
    ),
    "find-the-error": Question(
        "the misprint in a printed derivation",
        parts={
            "force": Question(
                "the force",
                names=SYMBOLS,
                laws=(laws.same_as("It is not the velocity part of the slider's equation.", lambda p, at: _velocity_terms(p, at)[1]),),
            ),
        },
        mistakes={
            "line 1 is right: the velocity across is q2 qd1": lambda p: {"line": 1},
            "line 2 is right: d/dt of m2 q2^2 qd1": lambda p: {"line": 2},
            "line 4 is right: the gravity force": lambda p: {"line": 4},
        },
        hints=(
            "Which way does a bead move on a turning rod?",
            "In -dT/dq2 the sign is minus.",
            "T contains m2 q2^2 qd1^2 / 2; differentiate by q2.",
        ),
    ),
    "inverse-dynamics": Question(
        "torque and force of a motion, with your own numbers",
        shape=(2,),
        inputs=_motions,
        laws=(laws.same_as("It is not M qdd + C qd + g of your arm.", _torque),),
        mistakes={
            "gravity has the opposite sign": lambda p: lambda q, qd, qdd: _torque(p, (q, qd, qdd)) - 2 * rd.gravity_torque(p.arm, q),
            "the velocity terms are missing": lambda p: lambda q, qd, qdd: _torque(p, (q, 0 * qd, qdd)),
            "degrees: the angle is in rad": lambda p: lambda q, qd, qdd: _torque(p, (np.array([np.radians(q[0]), q[1]]), qd, qdd)),
            "gravity is missing": lambda p: lambda q, qd, qdd: _torque(p, (q, qd, qdd)) - rd.gravity_torque(p.arm, q),
        },
        hints=(
            "Two lines: one for the torque, one for the force.",
            "torque = M11 qdd1 + 2 m2 q2 qd1 qd2 + gravity.",
            "force = m2 qdd2 - m2 q2 qd1^2 + m2 g sin q1.",
        ),
    ),
    "floating-slider": Question(
        "a rate at which nothing holds the slider",
        tolerance=1e-4,
        laws=(laws.same_as("At that rate the slider would not stay where it is.", _balance_rate, 1e-4),),
        mistakes={
            "cosine for sine: along the link gravity pulls with g sin q1": lambda p: math.sqrt(9.81 * math.cos(p.angle) / p.reach),
            "that is the square of the rate": lambda p: 9.81 * math.sin(p.angle) / p.reach,
            "in turns a second: rad/s are asked for": lambda p: _balance_rate(p, ()) / (2 * math.pi),
            "degrees: the angle is in rad": lambda p: math.sqrt(9.81 * math.sin(math.radians(p.angle)) / p.reach),
        },
        hints=(
            "The slider's equation with qdd2 = 0 and no force.",
            "The centrifugal force balances gravity along the link.",
            "q2 qd1^2 = g sin q1.",
        ),
    ),
    "plot-holding": Question(
        "plot of the holding torque",
        judged="laws",
        laws=(_plot_law,),
        mistakes={
            "the opposite sign": _curve(-1.0),
            "sine for cosine": _curve(1.0, "sin"),
            "the weight of link 1 is missing": _curve(1.0, "cos", False),
        },
        tolerance=1e-3,
        hints=(
            "Use your formula for the gravity torque with q2 = p.reach.",
            "np.linspace(-np.pi, np.pi, 181) is a good x axis.",
            "ax.plot(angle, torque), then ax.set_xlabel and ax.set_ylabel with units.",
        ),
    ),
}  # fmt: skip
