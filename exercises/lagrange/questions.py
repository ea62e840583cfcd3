"""The assignment "lagrange": a pendulum that hangs from a cart, from energies to a frequency."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from coursework.check import laws
from coursework.check.agreement import named, random_points, values_at
from coursework.check.diagnosis import Said
from coursework.check.question import Question, with_parts_replaced
from coursework.check.reading import read
from coursework.check.session import assignment_module
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, At, Value
    from coursework.check.parameters import Parameters

GIVEN = assignment_module("lagrange", "given")
CALLED = GIVEN.CALLED

SYMBOLS = "q1 q2 qd1 qd2 qdd1 qdd2 m1 m2 l g"


def _speeds(at: At) -> tuple[float, tuple[float, ...]]:
    """The velocity of cart and bob, from the positions."""
    swing = at["l"] * at["qd2"]
    return at["qd1"], (at["qd1"] + swing * math.cos(at["q2"]), swing * math.sin(at["q2"]))


def _moves_both(p: Parameters, at: At, value: Value) -> str | None:
    cart, (x, y) = _speeds(at)
    energy = at["m1"] * cart**2 / 2 + at["m2"] * (x**2 + y**2) / 2
    return laws.differs("It is not the sum of m v^2 / 2 over cart and bob.", at, value, energy)


def _lifts_the_bob(p: Parameters, at: At, value: Value) -> str | None:
    height = -at["l"] * math.cos(at["q2"])
    sentence = "It is not m g times the height of the bob over the rail."
    return laws.differs(sentence, at, value, at["m2"] * at["g"] * height)


def _accelerations(at: At) -> tuple[float, ...]:
    s = math.sin(at["q2"])
    c = math.cos(at["q2"])
    x = at["qdd1"] + at["l"] * (at["qdd2"] * c - at["qd2"] ** 2 * s)
    return x, at["l"] * (at["qdd2"] * s + at["qd2"] ** 2 * c)


def _obeys_newton(p: Parameters, at: At, value: Value) -> str | None:
    """The generalized forces by d'Alembert: masses times accelerations, projected on the two motions."""
    x, y = _accelerations(at)
    swing = x * math.cos(at["q2"]) + (y + at["g"]) * math.sin(at["q2"])
    expected = [at["m1"] * at["qdd1"] + at["m2"] * x, at["m2"] * at["l"] * swing]
    return laws.differs("It is not mass times acceleration, projected on each coordinate.", at, value, expected)


def _is_kept(p: Parameters, at: At, value: Value) -> str | None:
    """The momentum of both along the rail."""
    cart, (bob, _) = _speeds(at)
    sentence = "It is not dT/dqd of the coordinate that stands in neither T nor U."
    return laws.differs(sentence, at, value, at["m1"] * cart + at["m2"] * bob)


def _is_the_energy(p: Parameters, at: At, value: Value) -> str | None:
    (_, angle), (v, rate) = at
    bob = np.array([v + p.length * rate * np.cos(angle), p.length * rate * np.sin(angle)])
    energy = p.cart * v**2 / 2 + p.bob * bob @ bob / 2 - p.bob * 9.81 * p.length * np.cos(angle)
    return laws.differs("It is not T + U with U = 0 for a bob at the height of the rail.", at, value, energy)


def _wrong_energy(slip: str, value: Any) -> Callable[..., Any]:
    """The energy function with one planted mistake: a part of it that has another value."""
    part = with_parts_replaced({"sign": 1, "cross": 1.0, "cart": 1.0, "angle": lambda x: x, "lowest": 0.0}, slip, value)

    def of(p: Parameters) -> Callable[..., Any]:
        def energy(q: Array, qd: Array) -> float:
            q = part["angle"](np.asarray(q))
            T = (part["cart"] * p.cart + p.bob) * qd[0] ** 2 / 2 + p.bob * p.length**2 * qd[1] ** 2 / 2
            T = T + part["cross"] * p.bob * p.length * qd[0] * qd[1] * np.cos(q[1])
            return T - part["sign"] * p.bob * 9.81 * p.length * (np.cos(q[1]) - part["lowest"])

        return energy

    return of


def _wrong_kinetic(coupling: str, carried: str = "(m_1+m_2)") -> Callable[..., Any]:
    """A kinetic energy with a planted mistake, as text."""
    return lambda p: f"{carried}*qd_1**2/2+({coupling})+m_2*l**2*qd_2**2/2"


def _wrong_equations(
    fast: float = 0.0, gravity: float = 1.0, product: float = 0.0, swapped: bool = False, per_mass: bool = False
) -> Callable[..., Any]:
    """The left-hand sides as text, with a planted mistake: masses times wrong accelerations."""
    x = f"(qdd_1+l*qdd_2*cos(q_2)+({fast})*l*qd_2**2*sin(q_2))"
    y = "(l*qdd_2*sin(q_2)+l*qd_2**2*cos(q_2))"
    swing = f"{x}*cos(q_2)+{y}*sin(q_2)-({fast}+1)*l*qd_2**2*sin(q_2)*cos(q_2)+({gravity})*g*sin(q_2)"
    first = f"m_1*qdd_1+m_2*{x}"
    second = f"m_2*l*({swing})+({product})*m_2*l*qd_1*qd_2*sin(q_2)"
    second = f"({second})/(m_2*l)" if per_mass else second
    return lambda p: [second, first] if swapped else [first, second]


def _swings(p: Parameters, at: At, value: Value) -> str | None:
    """det(K - omega^2 M) changes its sign there: M, K are second derivatives of the energy."""

    def energy(x: float, angle: float, v: float, rate: float) -> float:
        vx = v + p.length * rate * math.cos(angle)
        vy = p.length * rate * math.sin(angle)
        return (p.cart * v**2 + p.bob * (vx**2 + vy**2)) / 2 - p.bob * 9.81 * p.length * math.cos(angle)

    def second(
        f: Callable[..., Any], h: float = 1e-3
    ) -> tuple[float, ...]:  # second derivatives at rest, by differences
        first = f(h, 0.0) - 2 * f(0.0, 0.0) + f(-h, 0.0)
        last = f(0.0, h) - 2 * f(0.0, 0.0) + f(0.0, -h)
        mixed = (f(h, h) - f(h, -h) - f(-h, h) + f(-h, -h)) / 4
        return first / h**2, last / h**2, mixed / h**2

    a, b, c = second(lambda v, rate: energy(0.0, 0.0, v, rate))
    k, e, f = second(lambda x, angle: energy(x, angle, 0.0, 0.0))

    def detuned(omega: float) -> float:
        square = omega**2
        return (k - square * a) * (e - square * b) - (f - square * c) ** 2

    slips = {
        " It is that frequency in Hz: rad/s are asked for.": lambda x: 2 * math.pi * x,
        " It is its square.": math.sqrt,
        " That is a pendulum on a fixed cart: the cart moves, too.": lambda x: x * math.sqrt(1 + p.bob / p.cart),
    }
    sentence = "It is not the frequency at which the linear equations with your numbers swing."
    return laws.is_no_root(sentence, value, detuned, 1e-4, slips)


def _is_left_side(p: Parameters, at: At, value: Value) -> str | None:
    """The misprinted line is d/dt of m2 l qd1 cos q2: here along a motion, by a difference quotient."""
    h = 1e-5

    def product(t: float) -> float:
        angle = at["q2"] + at["qd2"] * t + at["qdd2"] * t**2 / 2
        return at["m2"] * at["l"] * (at["qd1"] + at["qdd1"] * t) * math.cos(angle)

    sentence = "It is not what the left side of the misprinted line is."
    return laws.differs(sentence, at, value, (product(h) - product(-h)) / (2 * h))


USES = {
    "x": (),
    "dx/dt": ("x",),
    "T": ("dx/dt",),
    "U": ("x",),
    "dL/dqd": ("T",),
    "d/dt dL/dqd": ("dL/dqd",),
    "dL/dq": ("T", "U"),
    "0": ("d/dt dL/dqd", "dL/dq"),
}
NAME = {"x": "where the bob is", "dx/dt": "how fast it moves", "T": "the kinetic energy", "U": "the potential energy", "dL/dqd": "the derivative by the rate", "d/dt dL/dqd": "its derivative by time", "dL/dq": "the derivative by the angle"}  # fmt: skip


def _quantities(rod: str, pivot: str, at: At) -> dict[str, float]:
    """Return {left-hand side: value} at a state of the driven pendulum, from its geometry alone, by difference quotients."""
    m = at["m"]
    l = at["l"]
    g = at["g"]
    h = 1e-3

    def place(s: float, q: float) -> list[float]:
        value = lambda sign, name: sign * getattr(math, name[:3])(q)
        shift = (s, 0.0) if pivot == "along x" else (0.0, s)
        return [foot + l * value(*part) for foot, part in zip(shift, GIVEN.RODS[rod])]

    def slope(f: Callable[..., Any], around: float = 0.0) -> float:
        return (f(around + h) - f(around - h)) / (2 * h)

    def lagrangian(s: float, sd: float, q: float, qd: float) -> tuple[float, float, list[float]]:
        coordinate = lambda k, t: place(s + sd * t, q + qd * t)[k]
        speeds = [slope(partial(coordinate, k)) for k in (0, 1)]
        return m * sum(v * v for v in speeds) / 2, m * g * place(s, q)[1], speeds

    def momentum(t: float) -> float:
        s, q = (at[z] + at[z + "d"] * t + at[z + "dd"] * t * t / 2 for z in "sq")
        sd, qd = (at[z + "d"] + at[z + "dd"] * t for z in "sq")
        return slope(lambda rate: lagrangian(s, sd, q, rate)[0], qd)

    def of_angle(q: float) -> float:
        T, U, _ = lagrangian(at["s"], at["sd"], q, at["qd"])
        return T - U

    T, U, speeds = lagrangian(at["s"], at["sd"], at["q"], at["qd"])
    (px, py), left, right = place(at["s"], at["q"]), slope(momentum), slope(of_angle, at["q"])
    return {"x": px, "y": py, "dx/dt": speeds[0], "dy/dt": speeds[1], "T": T, "U": U, "dL/dqd": momentum(0.0), "d/dt dL/dqd": left, "dL/dq": right, "0": (left - right) / (m * l)}  # fmt: skip


def _holds(p: Parameters, line: str) -> bool:
    """Return whether each equation of a printed line is true of the student's pendulum."""
    return _is_true(p.rod, p.pivot, line)


@cache  # there are six pendulums, and a few lines for each
def _is_true(rod: str, pivot: str, line: str) -> bool:
    """Return whether each equation of a line is true of a pendulum, at four states."""
    names, formulas = zip(
        *((name.strip(), read(formula)) for name, _, formula in (part.partition("=") for part in line.split(",")))
    )
    points = random_points({"s", "sd", "sdd", "q", "qd", "qdd", "m", "l", "g"}, 7)
    values = values_at(formulas, points)
    true = [_quantities(rod, pivot, named(points, column)) for column in range(4)]
    return all(
        abs(true[k][name] - value[k]) < 1e-3 * (1 + abs(value[k]))
        for name, value in zip(names, values)
        for k in range(4)
    )


def _follows(p: Parameters, at: At, value: Value) -> str | None:
    """Each line is true, and stands below those that it uses; else whether it would be so in another notation."""
    found = _breaks(p, value)
    if found and sorted(value) == [*range(1, len(USES) + 1)]:  # places, of the true lines from the first to the last
        true = [k for k, line in enumerate(p.lines, start=1) if _holds(p, line)]
        if _breaks(p, [line for _, line in sorted(zip(value, true))]) is None:
            return "Those are places: it says where each true line stands. The numbers of the lines are asked for, in order."
    if found and _breaks(p, value[::-1]) is None:
        return Said(found, "The lines are in the other order: what comes first needs no other line.")
    if found and _breaks(p, [x + 1 for x in value]) is None:
        return "The first line has the number 1, not 0."
    return found


def _breaks(p: Parameters, value: list[float]) -> str | None:
    """Return a sentence if the lines with these numbers are no derivation."""
    if any(x not in range(1, len(p.lines) + 1) for x in value) or len(set(value)) < len(value):
        return f"It should hold the numbers of eight different lines, each from 1 to {len(p.lines)}."
    lines = [(int(x), p.lines[int(x) - 1]) for x in value]
    left = [line.partition("=")[0].strip() for _, line in lines]
    if not all(_holds(p, line) for _, line in lines):
        return "A line among them is not true: of two lines with the same left side, one is false. Do units fit, and what is differentiated?"
    for k, (number, _) in enumerate(lines):
        for name in USES[left[k]]:
            if name not in left[:k]:
                return f"Line {number} uses what is not found above it: {NAME[name]}."
    return None


PRINTED = (
    "(m_1+m_2)*qd_1**2/2+m_2*l*qd_1*qd_2*cos(q_2)+m_2*l**2*qd_2**2/2+m_2*g*l*cos(q_2)",
    "m_2*l*qd_1*cos(q_2)+m_2*l**2*qd_2",
    "m_2*l*qdd_1*cos(q_2)-m_2*l*qd_1*sin(q_2)",
    "-m_2*l*qd_1*qd_2*sin(q_2)-m_2*g*l*sin(q_2)",
)  # the lines that the notebook prints, the misprint included


def _as_printed(line: str) -> Callable[[Parameters], str]:
    """A line as it is printed, for every student: where another is asked for."""
    return lambda p: line


QUESTIONS = {
    "kinetic-energy": Question(
        "kinetic energy of cart and bob",
        names=SYMBOLS,
        laws=(_moves_both,),
        mistakes={
            "your numbers stand there: a formula in the symbols is asked for": lambda p: f"({p.cart}+{p.bob})*qd_1**2/2+{p.bob}*{p.length}*qd_1*qd_2*cos(q_2)+{p.bob}*{p.length}**2*qd_2**2/2",
            "those are places: kinetic energy is made of rates": lambda p: "m_1*q_1**2/2+m_2*((q_1+l*sin(q_2))**2+l**2*cos(q_2)**2)/2",
            "the bob also moves with the cart: the product of the two rates is missing": _wrong_kinetic("0"),
            "the coupling: which part of the bob's velocity points along the rail, sine or cosine?": _wrong_kinetic(
                "m_2*l*qd_1*qd_2*sin(q_2)"
            ),
            "the coupling counts half: the square of a sum has a double product": _wrong_kinetic(
                "m_2*l*qd_1*qd_2*cos(q_2)/2"
            ),
            "the bob falls back when the cart moves on: look at the sign of the coupling": _wrong_kinetic(
                "-m_2*l*qd_1*qd_2*cos(q_2)"
            ),
            "the bob moves with the cart, too: its mass is missing in front of qd1^2": _wrong_kinetic(
                "m_2*l*qd_1*qd_2*cos(q_2)", "m_1"
            ),
            "the velocity of the cart is missing in that of the bob": _wrong_kinetic("0", "m_1"),
        },
        hints=("Write x and y of the bob in terms of q1 and q2, then differentiate by time.", "The bob has the velocity of the cart, and that of the end of the rod on top of it.", "Square vx and vy and add: vx is a sum, so its square holds a product of both rates."),
    ),
    "potential-energy": Question(
        "potential energy, zero at the rail",
        names=SYMBOLS,
        laws=(_lifts_the_bob,),
        mistakes={
            "your numbers stand there: a formula in the symbols is asked for": lambda p: f"-{p.bob}*9.81*{p.length}*cos(q_2)",
            "weight does work along the vertical alone: that is the place along the rail": lambda p: "m_2*g*(q_1+l*sin(q_2))",
            "the opposite sign: the bob hangs below the rail": lambda p: "m_2*g*l*cos(q_2)",
            "sine for cosine: the angle is measured from the vertical": lambda p: "-m_2*g*l*sin(q_2)",
            "the zero is at the rail, not at the lowest point": lambda p: "m_2*g*l*(1-cos(q_2))",
        },
        hints=("How high is the bob when the pendulum hangs straight down?", "Mass times g times height; the height comes with its sign.", "Test: U is negative at q2 = 0, zero at q2 = pi/2."),
    ),
    "equations": Question(
        "equations of motion",
        shape=(2,),
        names=SYMBOLS,
        laws=(_obeys_newton,),
        mistakes={
            "the sign of the centrifugal term": _wrong_equations(fast=1.0),
            "gravity has the opposite sign: dU/dq stands on the left with a plus": _wrong_equations(-1.0, -1.0),
            "the centrifugal term is missing: the cosine, too, is differentiated by time": _wrong_equations(),
            "a product of the two rates is left in the second equation: dT/dq2 cancels it": _wrong_equations(
                -1.0, product=-1.0
            ),
            "the two equations are in the other order": _wrong_equations(-1.0, swapped=True),
            "the second equation is divided by m2 l: the left-hand side itself is asked for": _wrong_equations(
                -1.0, per_mass=True
            ),
        },
        hints=("d/dt (dT/dqd) - dT/dq + dU/dq, once for each coordinate.", "d/dt acts on cos q2, too: it gives -qd2 sin q2.", "Test: no equation holds a product qd1 qd2, and only one holds gravity."),
    ),
    "conserved": Question(
        "what a free cart keeps",
        names=SYMBOLS,
        laws=(_is_kept,),
        mistakes={
            "your numbers stand there: a formula in the symbols is asked for": lambda p: f"({p.cart}+{p.bob})*qd_1+{p.bob}*{p.length}*qd_2*cos(q_2)",
            "the bob moves against the cart: its own part is missing": lambda p: "(m_1+m_2)*qd_1",
            "that is the momentum of the pendulum's angle, which gravity changes": lambda p: (
                "m_2*l*qd_1*cos(q_2)+m_2*l**2*qd_2"
            ),
            "that is its derivative by time, which is zero": lambda p: (
                "(m_1+m_2)*qdd_1+m_2*l*(qdd_2*cos(q_2)-qd_2**2*sin(q_2))"
            ),
            "that is a place, and its rate is kept": lambda p: "(m_1+m_2)*q_1+m_2*l*sin(q_2)",
            "that is the velocity of the center of mass, a momentum without its mass": lambda p: (
                "qd_1+m_2*l*qd_2*cos(q_2)/(m_1+m_2)"
            ),
            "energy is kept, too, but a cyclic coordinate gives a momentum": lambda p: (
                "(m_1+m_2)*qd_1**2/2+m_2*l*qd_1*qd_2*cos(q_2)+m_2*l**2*qd_2**2/2-m_2*g*l*cos(q_2)"
            ),
            "sine for cosine: the part of the bob's velocity along the rail": lambda p: (
                "(m_1+m_2)*qd_1+m_2*l*qd_2*sin(q_2)"
            ),
        },
        hints=("Which coordinate does the Lagrangian not depend on?", "The Lagrange equation of that coordinate says that something has the time derivative zero.", "Differentiate T by the rate of that coordinate."),
    ),
    "find-the-error": Question(
        "the right side of the misprinted line, put right",
        names=SYMBOLS,
        laws=(_is_left_side,),
        lines={f"line {n}": line for n, line in enumerate(PRINTED, start=1) if n != 3},
        own="m2 l qd1 qd2 qdd1 q2",
        mistakes={f"that is line {n} as it is printed, but the misprinted line is to be put right": _as_printed(line) for n, line in enumerate(PRINTED, start=1)} | {
            "of a product each factor is differentiated in its turn: one part is missing": lambda p: "m_2*l*qdd_1*cos(q_2)",
            "of a product each factor is differentiated in its turn: the part with the acceleration is missing": lambda p: "-m_2*l*qd_1*qd_2*sin(q_2)",
            "of a product one factor is differentiated at a time, never both": lambda p: "-m_2*l*qdd_1*qd_2*sin(q_2)",
        },
        hints=("Check each line by itself, and the units on both of its sides.", "A product is differentiated by time: both factors change.", "The chain rule: an angle that changes with time brings its rate."),
    ),
    "order": Question(
        "the numbers of the lines, in an order in which each follows from those above it",
        shape=(8,),
        laws=(_follows,),
        judged="laws",
        hints=("Where is the bob? Everything else is found from that.", "Two lines have the left side of another one: of each pair one is false. Derive that line yourself.", "The energies come before the Lagrangian's derivatives; a derivative by the rate comes before its derivative by time."),
    ),
    "frequency": Question(
        "frequency of small swings",
        tolerance=1e-4,
        laws=(_swings,),
        mistakes={
            "a free cart makes the swing faster: the fraction of the masses stands upside down": lambda p: math.sqrt(9.81 * p.cart / ((p.cart + p.bob) * p.length)),
            "the fraction of the masses stands under the root, too": lambda p: math.sqrt(9.81 / p.length) * (p.cart + p.bob) / p.cart,
            "a shorter pendulum swings faster: g and the length are exchanged": lambda p: math.sqrt(p.length * (p.cart + p.bob) / (p.cart * 9.81)),
            "the cart carries the bob: look at which masses stand above and below": lambda p: math.sqrt(9.81 * p.bob / ((p.cart + p.bob) * p.length)),
            "cart and bob are exchanged": lambda p: math.sqrt(9.81 * (p.cart + p.bob) / (p.bob * p.length)),
        },
        hints=("For small angles cos q2 = 1, sin q2 = q2, and squares of rates vanish.", "No force acts on the cart: the first equation says what qdd1 is when qdd2 is known.", "Put that qdd1 into the second equation: qdd2 = -(a number) q2, and omega is its root."),
    ),
    "energy": Question(
        "total energy with your own numbers",
        **CALLED["energy"],
        laws=(_is_the_energy,),
        mistakes={
            "that is T - U, the Lagrangian, or U has the opposite sign: below the rail it is negative": _wrong_energy("sign", -1),
            "the product of the two rates is missing": _wrong_energy("cross", 0.0),
            "the mass of the cart is missing": _wrong_energy("cart", 0.0),
            "degrees: angles are in rad": _wrong_energy("angle", lambda x: np.radians(x)),
            "the potential energy is missing": _wrong_energy("sign", 0),
            "the zero of U is at the rail, as in part 2": _wrong_energy("lowest", 1.0),
        },
        hints=("Use your formulas for T and U.", "q = (position, angle), qd = (their rates).", "Put p.cart, p.bob, p.length and 9.81 in."),
    ),
}  # fmt: skip
