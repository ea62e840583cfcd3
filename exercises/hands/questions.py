"""The assignment "hands": forces in joints, laws as tests, and how heavy a hand is, each student's own arms."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import robotdyn as rd
from coursework.check import bodies, laws
from coursework.check.diagnosis import Said
from coursework.check.question import Question
from coursework.check.session import assignment_module
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, At, Value
    from coursework.check.parameters import Draw, Parameters

DRAGGED = 0.03  # what a pose may be off that was dragged, as a part of a torque

given = assignment_module("hands", "given")
CALLED = given.CALLED

SYMBOLS = "q1 m1 lc1 I1"
FARTHEST = 1e-3  # m, of the hand from its place
SHAPES = ("1", "q2", "q2^2", "cos q1", "sin q1", "cos q2", "sin q2", "cos(q1+q2)", "q2 cos q1")
RATES = ("1", "qdd1", "qdd2", "qd1^2", "qd1 qd2", "qd2^2")


def _needed(
    p: Parameters, q: list[float], qd: list[float], qdd: list[float]
) -> list[tuple[complex, complex, complex, float]]:
    """What it takes to move and carry each of two links: force, where its center and its joint are, and moment."""
    at = 0j
    moving = 9.81j
    found = []
    turn = omega = alpha = 0.0
    for length, mass, com, inertia, *rates in zip(p.lengths, p.masses, p.coms, p.inertias, q, qd, qdd):
        turn, omega, alpha = (old + new for old, new in zip((turn, omega, alpha), rates))
        way = cmath.exp(1j * turn)
        change = 1j * alpha - omega**2
        found.append((mass * (moving + com * way * change), at + com * way, at, inertia * alpha))
        at = at + length * way
        moving = moving + length * way * change
    return found


def _moment(force: complex, lever: complex) -> float:
    return (lever.conjugate() * force).imag


def _moves_the_forearm(p: Parameters, at: At, value: Value) -> str | None:
    """Newton's law gives the force, the balance about the elbow the moment."""
    l1 = p.lengths[0]
    mass = p.masses[1]
    com = p.coms[1]
    inertia = p.inertias[1]
    upper, fore = (cmath.exp(1j * angle) for angle in (p.q[0], sum(p.q)))

    def force(
        gravity: complex = 9.81,
        held: float = 1.0,
        fore: complex = fore,
        com: float = com,
        inward: tuple[float, ...] = (1.0, 1.0),
        own: tuple[float, ...] | None = None,
        power: int = 2,
    ) -> complex:
        turning = (p.qd[0], p.qdd[0]), own or (sum(p.qd), sum(p.qdd))
        elbow, center = (1j * a - sign * w**power for sign, (w, a) in zip(inward, turning))
        return mass * (held * l1 * upper * elbow + com * fore * center + 1j * gravity)

    right = force()
    lever = _moment(right, com * fore)
    turning = inertia * sum(p.qdd)
    moment = lever + turning
    sentence = "The first two numbers are not the force that moves and carries the forearm."
    slips = {words: [one.real, one.imag, moment] for words, one in _of_force(p, force, right).items()}
    expected = [right.real, right.imag, moment]
    found = laws.differs(sentence, at, [*value[:2], moment], expected, 1e-4, wrong=slips)
    if found:
        return found
    sentence = "The force is right, the moment about the elbow is not."
    slips = {words: [right.real, right.imag, one] for words, one in _of_moment(p, right, lever, turning).items()}
    return laws.differs(sentence, at, [right.real, right.imag, value[2]], expected, 1e-4, wrong=slips)


def _of_force(p: Parameters, force: Callable[..., Any], right: complex) -> dict[str, complex]:
    """Return {words: the force, x + i y in N, that a mistake makes}; force(..): with something else in it."""
    (l1, l2), mass = p.lengths, p.masses[1]
    upper, fore = (cmath.exp(1j * angle) for angle in (p.q[0], sum(p.q)))
    return {
        "The weight is missing: the base accelerates upward by g, or gravity pulls.": force(0.0),
        "Gravity has the opposite sign: what carries a weight points up.": force(-9.81),
        "The elbow accelerates, too, and takes the forearm along.": force(held=0.0),
        "The forearm turns at the sum of both rates, and so do its accelerations add up.": force(
            own=(p.qd[1], p.qdd[1])
        ),
        "The forearm's angle from the x axis is the sum of both.": force(fore=cmath.exp(1j * p.q[1])),
        "What turns is accelerated toward its joint: the sign of the square of the rate.": force(inward=(-1.0, -1.0)),
        "The square of the rate is missing: at a steady rate, too, the center is accelerated.": force(
            inward=(0.0, 0.0)
        ),
        "The force is that of the center of mass, not of the far end.": force(com=l2),
        "That is an acceleration: the mass is missing.": force() / mass,
        "That is the weight alone: what is accelerated needs more.": 9.81j * mass,
        "That is what the forearm does to the upper arm: the opposite sign.": -force(),
        "At a steady rate, too, the elbow is accelerated: the square of its rate is missing.": right
        + mass * l1 * upper * p.qd[0] ** 2,
        "The rate of the forearm is the sum of both, before it is squared.": force(own=(p.qd[1], sum(p.qdd))),
        "The angular acceleration of the forearm is the sum of both.": force(own=(sum(p.qd), p.qdd[1])),
        "The rates enter squared.": force(power=1),
        "The elbow is accelerated toward the shoulder: the sign of the square of its rate.": force(inward=(-1.0, 1.0)),
        "The center is accelerated toward the elbow: the sign of the square of the forearm's rate.": force(
            inward=(1.0, -1.0)
        ),
        "The center is accelerated toward the elbow: the square of the forearm's rate is missing.": force(
            inward=(1.0, 0.0)
        ),
        "A square of a sum is no sum of squares.": force(own=(math.hypot(*p.qd), sum(p.qdd))),
        "The center moves against the elbow: its part of the acceleration is missing.": force(com=0.0),
        "Axes of the base are asked for, not those of the forearm.": right * fore.conjugate(),
        "The weight points along y, not along x.": force(-9.81j),
        "The forearm is the second link: its mass and its angles count.": force() * p.masses[0] / mass,
        "g is 9.81 m/s^2 here.": force(10.0),
        "It is twice as large.": 2 * force(),
        "Its parts are in the other order: x, then y.": complex(right.imag, right.real),
    }


def _of_moment(p: Parameters, right: complex, lever: float, turning: float) -> dict[str, float]:
    """Return {words: the moment, N m, that a mistake makes}; right: the force, lever: its moment, turning: of the inertia."""
    (l1, l2), mass, com, inertia = p.lengths, p.masses[1], p.coms[1], p.inertias[1]
    upper, fore = (cmath.exp(1j * angle) for angle in (p.q[0], sum(p.q)))
    moment = lever + turning
    return {
        "A force at the center of mass has a moment about the elbow, too.": turning,
        "That is the moment of the force alone: the forearm also turns faster.": lever,
        "The part of the turning has the opposite sign.": lever - turning,
        "The moment of the force has the opposite sign.": turning - lever,
        "The angular acceleration is the sum of both joints'.": lever + inertia * p.qdd[1],
        "The lever arm begins at the elbow, not at the shoulder.": turning + _moment(right, l1 * upper + com * fore),
        "The lever arm ends at the center of mass.": turning + _moment(right, l2 * fore),
        "Sine and cosine of the lever arm are exchanged: it is c (cos fy - sin fx).": turning
        + _moment(right, com * 1j * fore.conjugate()),
        "It has the opposite sign.": -moment,
        "I is about the center of mass; the lever arm of the force brings the rest.": moment
        + mass * com**2 * sum(p.qdd),
    }


def _passes_on(p: Parameters, at: At, value: Value) -> str | None:
    """The forces of all joints, then their moments: d'Alembert, link by link from the tip."""
    needed = _needed(p, *(part.tolist() for part in at))
    _, qd, qdd = at
    when = "when it moves"
    if not qdd.any():
        when = "at steady rates" if qd.any() else "at rest, where a joint only carries weight"
    for i in (1, 0):
        force = sum(one[0] for one in needed[i:])
        moment = sum(_moment(one[0], one[1] - needed[i][2]) + one[3] for one in needed[i:])
        size = max(abs(force), abs(moment))
        for name, gap in {"force": abs(complex(*value[i][:2]) - force), "moment": abs(value[i][2] - moment)}.items():
            if not gap <= laws.NEAR * size:
                close = "It is close: was something rounded?" if gap <= 1e-3 * size else ""
                return Said(f"The {name} of joint {i + 1} is not the right one {when}.", close=close)
    return None


def _as_printed(p: Parameters, program: str | None = None) -> Callable[..., Any]:
    """The program of a student as a function, misprint and all; or another with a mistake."""
    space: dict[str, Any] = {"np": np, "p": p}
    exec(program or p.program, space)
    return space["wrenches"]


def _slip(line: str, instead: str) -> Callable[..., Any]:
    """The program with a mistake in one line."""
    return lambda p: _as_printed(p, given.PROGRAM.format(**given.PARTS).replace(line, instead))


ONE_LINE = {
    "gravity has the opposite sign: the base accelerates upward": _slip("9.81]", "-9.81]"),
    "nothing weighs: the base accelerates upward by g": _slip("9.81]", "0.0]"),
    "angles add up along the arm": _slip("angle + q[i]", "q[i]"),
    "rates add up along the arm": _slip("omega + qd[i]", "qd[i]"),
    "angular accelerations add up along the arm": _slip("alpha + qdd[i]", "qdd[i]"),
    "what turns is accelerated toward its joint: the sign of the square of the rate": _slip("- omega**2", "+ omega**2"),
    "the rate is squared where something turns": _slip("omega**2", "omega"),
    "across the link means counterclockwise": _slip("[-along[1], along[0]]", "[along[1], -along[0]]"),
    "the next joint is at the end of the link, not at its center of mass": _slip("p.lengths[i] * (alpha", "p.coms[i] * (alpha"),
    "the force of a body is that of its center of mass, not of the end of the link": _slip("a + p.coms[i]", "a + p.lengths[i]"),
    "a joint carries the next link, too: its force is not passed on": _slip("f = F + f", "f = F"),
    "the force of the next link has a lever arm, which is missing": _slip(" + p.lengths[i] * cross(along, f)", ""),
    "the link's own force has its lever arm, to the center of mass; to the end of the link reaches that of the next link alone": _slip("cross(along, f)", "cross(along, F + f)"),
    "at the end of the link acts the force of the next link, not its own": _slip("p.lengths[i] * cross(along, f)", "p.lengths[i] * cross(along, F)"),
    "the force of the next link acts at the end of the link, not at its center of mass": _slip("p.lengths[i] * cross(along, f)", "p.coms[i] * cross(along, f)"),
    "the moment of the next link is not passed on": _slip("cross(along, F) + n +", "cross(along, F) +"),
    "the force at the center of mass has a lever arm, which is missing": _slip(" + p.coms[i] * cross(along, F)", ""),
    "the moment of inertia has no part in the moment": _slip("n = N +", "n = 0 +"),
    "a moment is the lever arm crossed with the force, not the force with the lever arm": _slip("a[0] * b[1] - a[1] * b[0]", "a[1] * b[0] - a[0] * b[1]"),
}  # fmt: skip


def programs(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return coefficients of functions (q, qd, qdd) -> torques: some are the inverse dynamics of an arm, some are of no arm."""
    slips = [None, None, "rows", "sizes", "rates", "signs", "weight"]
    draw.shuffle(slips)
    made = [_turning(draw, slip) for slip in slips]
    made.insert(draw.randint(0, len(made)), _sliding(draw))
    return [(one,) for one in made]


def _turning(draw: Draw, slip: str | None) -> Array:
    """Return torques of an arm that turns twice, with a slip."""
    inner = draw.uniform(1.0, 2.0)
    outer = draw.uniform(0.3, 0.6)
    both = draw.uniform(0.3, 0.5)
    heavy = draw.uniform(10, 20)
    light = draw.uniform(4, 8)
    rows = 1.4 if slip == "rows" else 1.0
    rates = 1.0 if slip == "rates" else 2.0
    signs = -1.0 if slip == "signs" else 1.0
    if slip == "sizes":  # each joint alone has an inertia, and yet some motion has negative energy, in all poses
        both = 0.3 * outer
        inner = -(both**2) / outer
    first = {
        ("1", "qdd1"): inner + outer,
        ("1", "qdd2"): outer,
        ("cos q2", "qdd1"): 2 * both,
        ("cos q2", "qdd2"): both,
        ("sin q2", "qd1 qd2"): -signs * rates * both,
        ("sin q2", "qd2^2"): -signs * both,
        ("cos q1", "1"): heavy,
        ("cos(q1+q2)", "1"): light,
    }
    second = {
        ("1", "qdd1"): rows * outer,
        ("1", "qdd2"): outer,
        ("cos q2", "qdd1"): both,
        ("sin q2", "qd1^2"): signs * both,
        ("cos q2" if slip == "weight" else "cos(q1+q2)", "1"): light,
    }
    return _coefficients(first, second)


def _sliding(draw: Draw) -> Array:
    """Return torque and force of an arm that turns and slides."""
    hub = draw.uniform(0.2, 0.5)
    mass = draw.uniform(1, 3)
    moment = draw.uniform(1, 9)
    first = {
        ("1", "qdd1"): hub,
        ("q2^2", "qdd1"): mass,
        ("q2", "qd1 qd2"): 2 * mass,
        ("cos q1", "1"): moment,
        ("q2 cos q1", "1"): 9.81 * mass,
    }
    second = {("1", "qdd2"): mass, ("q2", "qd1^2"): -mass, ("sin q1", "1"): 9.81 * mass}
    return _coefficients(first, second)


def _coefficients(*torques: dict[tuple[str, str], float]) -> Array:
    """Return the coefficients of two sums of terms, (2, shapes, rates)."""
    found = np.zeros((2, len(SHAPES), len(RATES)))
    for row, terms in zip(found, torques):
        for (shape, rate), factor in terms.items():
            row[SHAPES.index(shape), RATES.index(rate)] = factor
    return found


def _tells_arms_from_others(p: Parameters, at: At, value: Value) -> str | None:
    """The laws of every arm, at one state: what the handed-in test says must be what they say."""
    tau = given.program(*at)
    zero = np.zeros(2)
    unit = np.eye(2)
    step = 1e-5
    q = np.array([0.6, 0.7])
    qd = np.array([0.8, 1.7])
    still = tau(q, zero, zero)

    def columns(x: Array) -> Array:
        rest = tau(x, zero, zero)
        return np.array([tau(x, zero, e) - rest for e in unit]).T

    mass = columns(q)
    gained = (columns(q + step * qd) - columns(q - step * qd)) / (2 * step)
    slopes = np.array([tau(q + step * e, zero, zero) - tau(q - step * e, zero, zero) for e in unit]) / (2 * step)
    broken = {
        "the mass matrix is not symmetric": abs(mass[0, 1] - mass[1, 0]) > 1e-4,
        "some motion has negative kinetic energy": np.linalg.eigvalsh(mass)[0] < 0,
        "the velocity terms have another power than half of dM/dt": abs(qd @ (tau(q, qd, zero) - still) - qd @ gained @ qd / 2) > 1e-4,
        "the weight is the slope of no potential energy": abs(slopes[0, 1] - slopes[1, 0]) > 1e-4,
    }  # fmt: skip
    flaws = [words for words, is_so in broken.items() if is_so]
    if value != (0 if flaws else 1):
        if flaws:
            return f"Your test accepts a program in which {flaws[0]}."
        return "Your test refuses the torques of an arm, or says neither True nor False: is it too strict, or does it ask for what only some arms have?"
    return None


def _yields(p: Parameters, at: At, value: Value) -> str | None:
    """A push at the pin moves the pin by Newton's law and Euler's, and the felt inertia times that is the push."""
    way = cmath.exp(1j * at["q1"])
    backs = {}
    for name, push in {"along": way, "across": 1j * way}.items():
        turning = _moment(push, -at["lc1"] * way) / at["I1"]
        moved = push / at["m1"] - 1j * at["lc1"] * way * turning
        backs[name] = complex(*(row[0] * moved.real + row[1] * moved.imag for row in value)) / push
    wrong = {name: back for name, back in backs.items() if not abs(back - 1) <= laws.NEAR}
    if not wrong:
        return None
    ways = " and ".join(wrong)
    sentence = f"For a push {ways} the rod, A times the acceleration of the pin is not the push."
    m = at["m1"]
    lc = at["lc1"]
    I = at["I1"]
    mobility = 1 / m + lc**2 / I
    felt = {
        "Across the rod that is the mobility: its inverse is felt.": mobility,
        "Across the rod the turning is about the center of mass, with I alone: nothing holds the rod at the pin.": 1 / (1 / m + lc**2 / (I + m * lc**2)),
        "Across the rod a push moves the center of mass, too: that is the turning alone.": I / lc**2,
        "Across the rod there is some inertia, too: a push has to move the rod and to turn it.": 0.0,
        "Across the rod the lever arm counts twice, at the push and at the pin's own motion: it is squared.": 1 / (1 / m + lc / I),
        "Across the rod the turning lets the pin yield more, not less.": 1 / (1 / m - lc**2 / I),
        "Across the rod the turning takes a part of the mass away, and adds none.": m + (m * lc) ** 2 / (I + m * lc**2),
        "Across the rod the lever arm is squared in what the turning takes away.": m - m**2 * lc / (I + m * lc**2),
        "Across the rod the mass is squared in what the turning takes away.": m - m * lc**2 / (I + m * lc**2),
        "Across the rod the moment of inertia is missing.": 1 / (1 / m + lc**2),
        "Across the rod the square of the lever arm and the moment of inertia are the wrong way up.": 1 / (1 / m + I / lc**2),
        "Across the rod the mass has no part in how the push turns the rod.": 1 / (1 / m + m * lc**2 / I),
        "Across the rod that is a moment of inertia: a mass is asked for.": I,
        "Across the rod that is the moment of inertia about the pin: a mass is asked for.": I + m * lc**2,
    }  # fmt: skip
    alone = [words for words, across in felt.items() if abs(backs["across"] - across * mobility) <= 1e-6]
    if alone and "along" not in wrong:
        return Said(sentence, alone[0])
    if "across" not in wrong and abs(wrong["along"].imag) <= laws.NEAR:
        return Said(sentence, "Along the rod nothing turns: which mass moves?")
    return Said(sentence, _of_yielding(wrong.values()))


def _of_yielding(backs: Any) -> str:
    """Return words for what is wrong alike for all pushes; backs: the answer's push over the right one, along and across."""
    for words, factor in {
        "It has the opposite sign.": -1,
        "It is twice as large.": 2,
        "It is half as large.": 0.5,
    }.items():
        if all(abs(back - factor) <= laws.NEAR for back in backs):
            return words
    if all(abs(back.imag) <= laws.NEAR for back in backs):
        return "Its direction is right, its size is not."
    return "It points elsewhere: look at the two directions, along the rod and at right angles to it."


def _felt(along: str, across: str) -> Callable[..., Any]:
    """What a hand feels along a rod and across it, as a matrix of formulas."""
    c = "cos(q_1)"
    s = "sin(q_1)"
    mixed = f"(({along})-({across}))*{c}*{s}"
    return lambda p: [[f"({along})*{c}**2+({across})*{s}**2", mixed], [mixed, f"({along})*{s}**2+({across})*{c}**2"]]


def _feels(p: Parameters, at: At, value: Value) -> str | None:
    """The plot is one over the acceleration along each direction that 1 N in that direction gives."""
    mobility = rd.task_space.mobility(p.arm, np.array(p.q), directions=[(1, 0, 0), (0, 1, 0)])

    def along(matrix: Array, x: Array) -> Array:
        d = np.array([np.cos(np.radians(x)), np.sin(np.radians(x))])
        return np.einsum("ik,ij,jk->k", d, matrix, d)

    inertia = np.linalg.inv(mobility)
    forearm = np.degrees(sum(p.q))
    unit = [(1, 0, 0), (0, 1, 0)]
    turned = rd.task_space.mobility(p.arm, np.degrees(p.q), directions=unit)
    wrong = {
        "That is the mass in a slot: a free hand escapes sideways.": lambda x: along(inertia, x),
        "That is the acceleration for a push of 1 N: the mass is its reciprocal.": lambda x: along(mobility, x),
        "The directions are counted from the forearm: count them from the x axis.": lambda x: 1 / along(mobility, x + forearm),
        "The directions are counted from the y axis: sine and cosine are exchanged.": lambda x: 1 / along(mobility, 90 - x),
        "The directions run the other way around.": lambda x: 1 / along(mobility, -x),
        "The angles of the arm are in rad.": lambda x: 1 / along(turned, x),
        "It has the opposite sign.": lambda x: -1 / along(mobility, x),
        "It is twice as large.": lambda x: 2 / along(mobility, x),
        "It is the root.": lambda x: along(mobility, x) ** -0.5,
        "It is off by a quarter of a turn.": lambda x: 1 / along(mobility, x + 90),
        "The angle of the push is taken for rad.": lambda x: 1 / along(mobility, np.degrees(x)),
        "The entries off the diagonal count, too.": lambda x: 1 / along(np.diag(np.diag(mobility)), x),
        "Only the part of the acceleration along the push counts.": lambda x: 1 / np.sqrt(along(mobility @ mobility, x)),
    }  # fmt: skip
    sentence = "The line is not the mass that a push on the free hand meets."
    largest = np.linalg.eigvalsh(inertia)[-1]
    return laws.is_no_plot(
        sentence, value, 0.0, 180.0, lambda x: 1 / along(mobility, x), 0.01 * largest, wrong, ("°", "kg")
    )


@lru_cache(maxsize=100)  # the law is asked of many answers at one state
def _model(arm: Any, q: tuple[float, ...], qd: tuple[float, ...]) -> tuple[Array, ...]:
    """Return J, M, the torque that keeps the rates, and the hand's acceleration then."""
    drift = rd.point_acceleration(arm, q, qd, [0.0] * len(q))[:2]
    return rd.tip_jacobian(arm, q)[:2], rd.mass_matrix(arm, q), rd.bias_torque(arm, q, qd), drift


def _pushes_the_hand(p: Parameters, at: At, value: Value) -> str | None:
    """The hand accelerates as it should; and a force at the hand alone would do the same to the joints."""
    q, qd, wanted = at
    place, M, bias, drift = _model(p.long, (*q,), (*qd,))

    def hand(tau: Array) -> Array:
        return place @ np.linalg.solve(M, tau - bias) + drift

    found = hand(value)
    size = max(abs(wanted).max(), abs(found).max())
    if not abs(found - wanted).max() <= laws.NEAR * size:
        if laws.is_wordless():
            return "no"
        force = np.linalg.lstsq(place.T, value, rcond=None)[0]
        mobility = place @ np.linalg.solve(M, place.T)
        slips = {
            "It falls short by what the weight does.": hand(value + rd.gravity_torque(p.long, q)),
            "It has in addition what it has while no joint accelerates: the hand moves on a curve.": found - drift,
            "The torques have the opposite sign.": hand(-value),
            "Velocity terms and weight have the opposite sign.": hand(value + 2 * bias),
            "Velocity terms and weight of the joints are missing.": hand(value + bias),
            "The torques are twice as large.": hand(value / 2),
            "What the hand has while no joint accelerates counts twice.": found + drift,
            "That stands for the hand's acceleration while no joint accelerates: its velocity does not.": found - drift + place @ qd,
            "What moves the joints besides the torques, and what the hand has while no joint accelerates: both are missing.": hand(value + bias) - drift,
            "Velocity terms and weight move the hand through the inverse of M.": hand(value + bias) - place @ bias,
            "The mobility multiplies: solve with it.": hand(place.T @ np.linalg.solve(mobility, np.linalg.solve(mobility, force))),
            "It falls short by what C qd does.": hand(value + rd.coriolis_matrix(p.long, q, qd) @ qd),
            "That force is an acceleration: the effective inertia is missing.": hand(
                place.T @ np.linalg.solve(mobility, force)
            ),
            "The effective inertia holds M, not J alone.": hand(
                place.T @ np.linalg.solve(mobility, place @ place.T @ force)
            ),
        }  # fmt: skip
        needed = wanted - drift + place @ np.linalg.solve(M, bias)
        if np.allclose(place @ M @ place.T @ force, needed):
            return "The hand does not accelerate as wanted. In the mobility M stands inverted."
        if np.allclose(value, np.linalg.pinv(place) @ np.linalg.solve(mobility, needed)):
            return "The hand does not accelerate as wanted. A force goes to the joints by the transpose of J, not by its inverse."
        if np.allclose(force, wanted):
            return "The hand does not accelerate as wanted. That is J^T times the acceleration, which is no force."
        words = [slip for slip, other in slips.items() if abs(other - wanted).max() <= 1e-5 * size]
        no_force = "" if _is_push(place, value) else "Neither are the torques J^T times some force."
        return f"The hand does not accelerate as wanted. {words[0] if words else no_force}".strip()
    if not _is_push(place, value):
        return "The hand accelerates as wanted, but the torques are not those of any force at the hand: they push at something else, too."
    return None


def _is_push(place: Array, torques: Array) -> bool:
    """Whether torques are those of some force at the hand."""
    force = np.linalg.lstsq(place.T, torques, rcond=None)[0]
    return abs(place.T @ force - torques).max() <= laws.NEAR * abs(torques).max()


def _wrong_torques(change: Callable[..., Any]) -> Callable[..., Any]:
    """Torques with a planted mistake: change(arm, q, qd, a, J, M)."""

    def of(p: Parameters) -> Callable[..., Any]:
        def torque(q: Array, qd: Array, a: Array) -> Array:
            arm = p.long
            return change(arm, q, qd, a, rd.tip_jacobian(arm, q)[:2], rd.mass_matrix(arm, q))

        return torque

    return of


def _by_rates(arm: Any, q: Array, qd: Array, a: Array, J: Array, M: Array) -> Array:
    """The least accelerations of the joints."""
    qdd = np.linalg.pinv(J) @ (a - rd.point_acceleration(arm, q, qd, 0 * q)[:2])
    return M @ qdd + rd.bias_torque(arm, q, qd)


def _bias(arm: Any, q: Array, qd: Array) -> Array:
    """Velocity terms and weight; the library needs NumPy, which a check asks for only when a question does."""
    return rd.bias_torque(arm, q, qd)


def _through(bias: Callable[..., Any], drift: float = 1.0) -> Callable[..., Any]:
    """The force at the hand, with wrong parts: bias(arm, q, qd)."""

    def torque(arm: Any, q: Array, qd: Array, a: Array, J: Array, M: Array) -> Array:
        W = J @ np.linalg.solve(M, J.T)
        rest = np.linalg.solve(M, bias(arm, q, qd))
        return J.T @ np.linalg.solve(W, a - drift * rd.point_acceleration(arm, q, qd, 0 * q)[:2] + J @ rest)

    return torque


def _own_arm(p: Parameters) -> tuple[list[tuple[float, float, Callable[..., Any]]], Callable[..., Any]]:
    """The bodies of the student's 2R arm, and the place of its hand."""

    def point(first: float, second: float, reach: float) -> Callable[..., Any]:
        return lambda q: (
            first * cmath.cos(q[0]) + reach * second * cmath.cos(q[0] + q[1]),
            first * cmath.sin(q[0]) + reach * second * cmath.sin(q[0] + q[1]),
            q[0] + reach * q[1],
        )

    parts = (point(p.coms[0], 0.0, 0.0), point(p.lengths[0], p.coms[1], 1.0))
    return [*zip(p.masses, p.inertias, parts)], point(p.lengths[0], p.lengths[1], 1.0)


def _stops_and_goes(p: Parameters, at: At, value: Value) -> str | None:
    """The impulse P changes the hand's speed by P times its mobility, and the head's by P / m."""
    moving, hand = _own_arm(p)
    unit = bodies.axes(2)
    (a, b), both = (bodies.kinetic_energy(moving, p.q, e) for e in unit), bodies.kinetic_energy(moving, p.q, [1.0, 1.0])
    mass = [[2 * a, both - a - b], [both - a - b, 2 * b]]
    ways = [bodies.rate(hand, p.q, e)[:2] for e in unit]
    size = mass[0][0] * mass[1][1] - mass[0][1] ** 2

    def yielding(i: int, j: int) -> float:
        (a, b), (c, d) = ([way[k] for way in ways] for k in (i, j))
        return (mass[1][1] * a * c - mass[0][1] * (a * d + b * c) + mass[0][0] * b * d) / size

    apart = (1 + p.bounce) * p.speed
    free = yielding(0, 0)

    def blown(m11: float, m12: float, m22: float, first: float, second: float) -> float:
        size = m11 * m22 - m12**2
        return apart * size / (m22 * first**2 - 2 * m12 * first * second + m11 * second**2 + size / p.head)

    parts = {
        "M11": mass[0][0],
        "M12": mass[0][1],
        "M22": mass[1][1],
        "joint 1 in J": ways[0][0],
        "joint 2 in J": ways[1][0],
    }
    m, x = (mass[0][0], mass[0][1], mass[1][1]), (ways[0][0], ways[1][0])
    slot = free - yielding(0, 1) ** 2 / yielding(1, 1)
    upside_down = m[0] * x[0] ** 2 + 2 * m[1] * x[0] * x[1] + m[2] * x[1] ** 2  # J M J^T
    stretched = p.masses[1] * p.lengths[0] * p.coms[1] * (1 - math.cos(p.q[1]))
    slips = {
        "A free hand escapes sideways: that is its mass in a slot.": apart / (slot + 1 / p.head),
        "That is the blow against a wall: the head can move away.": apart / free,
        "It bounces: both changes of velocity make up more than the speed at which they met.": p.speed / (free + 1 / p.head),
        "Is the coefficient of restitution taken away, where it is to be added?": (1 - p.bounce) * p.speed / (free + 1 / p.head),
        "The hand is heavier or lighter than the sum of the links: that is their whole mass.": apart / (1 / sum(p.masses) + 1 / p.head),
        "The hand is not the forearm alone.": apart / (1 / p.masses[1] + 1 / p.head),
        "That is with the mass that is felt along y.": apart / (yielding(1, 1) + 1 / p.head),
        "The hand yields by its mobility, the head by the reciprocal of its mass.": apart / (free + p.head),
        "The first part of the blow is missing, in which both come to one speed.": p.bounce * p.speed / (free + 1 / p.head),
        "The speed is missing.": (1 + p.bounce) / (free + 1 / p.head),
        "That is the impulse that the head would have with all of that speed: the hand is no wall.": apart * p.head,
        "The entries of M on the diagonal are exchanged where M is inverted.": blown(m[2], m[1], m[0], *x),
        "In M^-1 the determinant stands below.": apart / (free * size + 1 / p.head),
        "The angles are relative: the forearm's direction is their sum.": blown(*m, x[0] - x[1] - p.lengths[1] * math.sin(p.q[1]), -p.lengths[1] * math.sin(p.q[1])),
        "The columns of J are relative, too: joint 1 moves the whole arm.": blown(*m, x[0] - x[1], x[1]),
        "The elbow moves with joint 1, and the forearm's mass with it: that is missing in M11.": blown(m[0] - p.masses[1] * p.lengths[0] ** 2, m[1], m[2], *x),
        "Both entries off the diagonal of M count.": apart / (x[0] ** 2 / m[0] + x[1] ** 2 / m[2] + 1 / p.head),
        "That is an energy: an impulse has the speed once.": apart * p.speed / (free + 1 / p.head) / 2,
        "That is the energy lost, in J.": (1 - p.bounce**2) * p.speed**2 / (free + 1 / p.head) / 2,
        "The masses add up as springs in a row do, by their reciprocals.": apart * (1 / free + p.head),
        "Below the line the reciprocals of the masses add up, not the masses.": apart / (1 / free + p.head),
        "What yields is J M^-1 J^T: that is with M itself.": apart / (upside_down + 1 / p.head),
        "The mobility is J M^-1 J^T: that is the reciprocal of J M J^T.": apart / (1 / upside_down + 1 / p.head),
        "The coupling in M has the cosine of the elbow's angle.": blown(m[0] + 2 * stretched, m[1] + stretched, m[2], *x),
    }  # fmt: skip
    slips |= laws.of_parts(blown, parts) | {"In entry (1, 1) of M the coupling counts half.": blown(m[0] - m[1] + m[2], m[1], m[2], *x)}  # fmt: skip
    sentence = "With that impulse the two do not part as the coefficient of restitution says."
    return laws.differs(sentence, at, value, apart / (free + 1 / p.head), 1e-4, wrong=slips)


def _hits_gently(p: Parameters, at: At, value: Value) -> str | None:
    """The hand is in its place, and its effective mass along x gives a small enough force."""
    q = np.array(value)

    def off(turns: Array) -> float:
        return np.linalg.norm(rd.point_position(p.long, turns)[:2] - p.place)

    if not off(q) <= FARTHEST:
        if off(np.radians(q)) <= FARTHEST:
            return "The hand is in its place if these are degrees: rad are asked for."
        if off(np.append(q[:1], np.diff(q))) <= FARTHEST:
            return "The hand is in its place if these are angles from the x axis: they should be relative."
        joints = rd.link_poses(p.long, q)[1]
        x, y = p.place
        slips = {
            "There the last joint is in the place of the hand: the last link is forgotten.": np.linalg.norm(joints[-1][:2] - p.place),
            "The last angle counts from the second link, not from the first.": off(np.array([q[0], q[1], q[2] - q[1]])),
            "The last angle counts from the second link, not from the x axis.": off(np.array([q[0], q[1], q[2] - q[0] - q[1]])),
            "The angles are in the other order.": off(q[::-1]),
            "All angles have the opposite sign, or the place is mirrored.": off(-q),
            "The place is mirrored at the y axis.": off(np.array([math.pi - q[0], -q[1], -q[2]])),
            "x and y of the place are exchanged.": off(np.array([math.pi / 2 - q[0], -q[1], -q[2]])),
            "They look rounded: 1 mm needs three digits and more.": 0.0 if off(q) < 0.05 and all(np.round(q, 2) == q) else 1.0,
        }  # fmt: skip
        found = [words for words, gap in slips.items() if gap <= FARTHEST]
        return f"The hand is {off(q):.3g} m from its place: 1 mm is allowed. {found[0] if found else ''}".strip()
    force = math.sqrt(p.stiffness * rd.effective_mass(p.long, q, (1, 0, 0)))
    if not force <= p.limit:
        return (
            f"The hand is in its place, but the blow has a largest force of {force:.4g} N: bend the arm in another way."
        )
    return None


def _is_balanced(p: Parameters, at: At, value: Value) -> str | None:
    """Joint 1 holds no more than 3 % of its most, joint 2 within 3 % of its most: then the forearm lies level."""
    moving, _ = _own_arm(p)
    most, forearm = bodies.weight(moving, [0.0, 0.0], 9.81)

    def rests(q: list[float]) -> tuple[bool, ...]:
        first, second = (abs(torque) for torque in bodies.weight(moving, q, 9.81))
        return first <= DRAGGED * most, second >= (1 - DRAGGED) * forearm

    (q1, q2), (first, second) = value, bodies.weight(moving, value, 9.81)
    at_rest, bears = rests(value)
    if max(abs(q1), abs(q2)) > 30.0:
        return "Angles are in rad, and these are many turns: were they in degrees?"
    if at_rest and bears:
        return None
    if all(rests([q1, q2 - q1])):
        return "It would be right if both angles were absolute: q2 is measured from link 1."
    if at_rest and abs(second) <= DRAGGED * forearm:
        return (
            "Joint 1 rests, and so does joint 2: that is the smallest torque of joint 2, and the largest is asked for."
        )
    if at_rest:
        return "Joint 1 rests, but it also does in other poses, and in some of them joint 2 holds more."
    if abs(first) >= (1 - DRAGGED) * most:
        return "In this pose joint 1 holds the most that it ever does: it is the one that shall hold nothing."
    if bears and first * second > 0:
        return (
            "Joint 2 holds enough, but both links weigh on joint 1 in the same direction: one has to balance the other."
        )
    if bears:
        (m1, m2), (c1, c2), (l1, l2) = p.masses, p.coms, p.lengths
        lean = math.cos(q1) * -math.cos(q1 + q2)  # how far the upper arm leans to the other side
        leans = {
            "The elbow carries the forearm: its mass pulls at the end of the upper arm, too.": m2 * c2 / (m1 * c1),
            "The forearm's weight acts at its center of mass, not at its end.": m2 * l2 / (m1 * c1 + m2 * l1),
            "The upper arm's weight acts at its center of mass, not at the elbow.": m2 * c2 / (m1 * l1 + m2 * l1),
            "The upper arm's own weight balances, too.": c2 / l1,
            "The forearm hangs at the end of the upper arm, which carries its mass there.": m2 * c2 / (m1 * c1 + m2 * c2),
            "The forearm's mass hangs at the elbow, not at the upper arm's center of mass.": m2 * c2 / (m1 * c1 + m2 * c1),
            "The masses are missing: a weight has a lever arm, and a mass.": c2 / (c1 + l1),
        }  # fmt: skip
        words = [words for words, wrong in leans.items() if abs(lean - wrong) <= 1e-3]
        rest = "The forearm lies level, as it should: how far does the upper arm lean to the other side?"
        return f"Joint 1 still holds {100 * abs(first) / most:.0f} % of the most that it ever does. {words[0] if words else rest}"
    rest = "How must link 2 lie, for joint 2 to hold the most?"
    return f"Joint 1 still holds {100 * abs(first) / most:.0f} % of the most that it ever does. {rest}"


QUESTIONS = {
    "elbow": Question(
        "what the elbow passes on",
        shape=(3,),
        tolerance=1e-4,
        laws=(_moves_the_forearm,),
        hints=("Outward: angular velocity and acceleration of the forearm, acceleration of the elbow, acceleration of the forearm's center of mass.", "What is added to the weight is mass times acceleration; angles, rates and accelerations of the forearm itself are sums of both joints'.", "The moment about the elbow is I times the angular acceleration, and the force at the center of mass times its lever arm."),
    ),
    "shoulder-at-rest": Question(
        "a pose, two angles",
        shape=(2,),
        tolerance=DRAGGED,
        judged="laws",
        laws=(_is_balanced,),
        hints=("Where is the common center of mass of both links, if joint 1 needs no torque?", "Joint 2 holds the weight of link 2 alone: how must link 2 lie?", "Lay the forearm level, and then lean the upper arm to the other side until the arm balances over joint 1."),
        show=lambda p: rd.show.explore(p.arm, [0.4, -0.6], panels=["terms"], marks=["coms"], pose="pose", title="Your arm"),
    ),
    "find-the-bug": Question(
        "your misprinted program, put right",
        **CALLED["find-the-bug"],
        shape=(2, 3),
        printed=True,
        laws=(_passes_on,),
        mistakes={"that is the program as it is printed": _as_printed} | ONE_LINE,
        hints=("Run it with your numbers of part 1: row 2 should be your answer.", "Try it at rest, then at steady rates, then with accelerations: which of these is wrong first, and in which joint?", "Outward: each line is one of: sum of angles, rates, accelerations; acceleration of the center; of the next joint. Inward: which force acts at which distance?"),
    ),
    "write-the-test": Question(
        "a test that tells torques of arms from others",
        **CALLED["write-the-test"],
        judged="laws",
        printed=True,
        laws=(_tells_arms_from_others,),
        hints=("What does every mass matrix have in common? Its columns come from the program: accelerate one joint at a time, without gravity.", "What is left at rest is the weight: it must be the slope of some energy. What does that say of its own slopes?", "Velocity terms: their power qd . h is half of qd . (dM/dt) qd, with dM/dt by a difference quotient along qd. Ask at several states, and allow for rounding."),
    ),
    "at-the-pin": Question(
        "the inertia that is felt at a pin",
        shape=(2, 2),
        names=SYMBOLS,
        laws=(_yields,),
        mistakes={
            "along and across are exchanged: along itself the rod does not yield": _felt("m_1*I_1/(I_1+m_1*l_c1**2)", "m_1"),
            "the pin lets the rod turn: across itself it feels lighter": _felt("m_1", "m_1"),
            "that is the mobility, the inverse": _felt("1/m_1", "(I_1+m_1*l_c1**2)/(m_1*I_1)"),
            "that is felt at the center of mass of a rod that turns about the pin": _felt("m_1", "m_1+I_1/l_c1**2"),
            "I is about the center of mass here: the pin sees I + m lc^2": _felt("m_1", "m_1-m_1**2*l_c1**2/I_1"),
            "the rod points along q1: those are axes of the rod, not of the base": lambda p: [["m_1", "0"], ["0", "m_1*I_1/(I_1+m_1*l_c1**2)"]],
        },
        hints=("Push along the rod, then across it: what moves?", "Across: the push moves the center of mass, and turns the rod about it; the pin gains from both.", "Along e the hand feels one mass, along n (at right angles) another: A = (one) e e^T + (other) n n^T."),
    ),
    "plot-mass": Question(
        "a plot of the mass that is felt",
        shape=None,
        judged="laws",
        laws=(_feels,),
        hints=("What accelerates how, when you push the hand by 1 N along d?", "The mobility is J M^-1 J^T; d . (mobility d) is the acceleration along d.", "rd.effective_mass(p.arm, p.q, (cos, sin, 0)) at 181 directions, or the formula; ax.plot(degrees, mass)."),
    ),
    "hand-torque": Question(
        "torques that push the hand alone",
        **CALLED["hand-torque"],
        shape=(3,),
        judged="laws",
        laws=(_pushes_the_hand,),
        mistakes={
            "of all accelerations of the joints those with the least squares: mass has no part in that choice": _wrong_torques(_by_rates),
            "the weight is missing": _wrong_torques(_through(lambda arm, q, qd: rd.coriolis_matrix(arm, q, qd) @ qd)),
            "the velocity terms of the joints are missing": _wrong_torques(_through(lambda arm, q, qd: rd.gravity_torque(arm, q))),
            "the hand moves on a curve: the part Jdot qd is missing": _wrong_torques(_through(_bias, 0.0)),
            "the sign of Jdot qd": _wrong_torques(_through(_bias, -1.0)),
        },
        hints=("Which force at the hand of a limp arm gives it this acceleration? The torques do the same.", "A force at the hand acts on the joints by the transpose of J: tau = J^T f, with two unknowns.", "a = J qdd + Jdot qd, and M qdd = tau - C qd - g: put one into the other; rd.point_acceleration with qdd = 0 is Jdot qd."),
    ),
    "blow": Question(
        "the impulse of a blow",
        tolerance=1e-4,
        laws=(_stops_and_goes,),
        hints=("How heavy is the hand along x, when it is free to escape sideways?", "The impulse changes both velocities, each by impulse over mass.", "Together the changes are (1 + e) times the speed at which they meet."),
    ),
    "gentle-pose": Question(
        "a pose that hits gently",
        shape=(3,),
        judged="laws",
        laws=(_hits_gently,),
        hints=("With three links the hand stays in its place while the elbows move: one angle is free.", "Choose the direction of the last link; the other two are a triangle, with two ways to bend.", "Go around with the last link in steps, compute rd.effective_mass for both ways, and keep the smallest."),
    ),
    "explain": Question(
        "why freeing a joint makes no hand heavier",
        judged="person",
        hints=("The kinetic energy of a hand that has a velocity is the least possible one.", "Which motions are there before the joint is free, which after?", "What is the smallest of a set, when the set grows?"),
    ),
}  # fmt: skip
