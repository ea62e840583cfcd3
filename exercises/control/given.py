"""What a notebook of "control" is given: each student's own arms, gains and references, and the runs that try their laws."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import robotdyn as rd
from coursework.check.data import one_number
from coursework.check.parameters import Later
from coursework.check.question import tells
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array
    from coursework.check.parameters import Draw, Parameters

PROGRAM = """def torque(q, qd, q_r, qd_r, qdd_r):
    e, ed = q - q_r, qd - qd_r
    v = {v}
    a = {a}
    s = {s}
    M, C = rd.mass_matrix(p.arm, q), rd.coriolis_matrix(p.arm, q, qd)
    return {feed} {weight} rd.gravity_torque(p.arm, q) {damping}
"""
PARTS = {
    "v": "qd_r - p.rate * e",
    "a": "qdd_r - p.rate * ed",
    "s": "qd - v",
    "feed": "M @ a + C @ v",
    "weight": "+",
    "damping": "- p.damping * s",
}
MISPRINTS = (
    {"v": "qd_r + p.rate * e"},
    {"a": "qdd_r - p.rate * e"},
    {"a": "qdd_r - p.rate * qd"},
    {"s": "v - qd"},
    {"s": "ed"},
    {"feed": "M @ a + C @ qd"},
    {"feed": "M @ a + C @ s"},
    {"feed": "M @ v + C @ v"},
    {"weight": "-"},
    {"damping": "- p.damping * e"},
)
SPRINGS = {"joints": "springs and dampers in the joints", "hand": "springs and dampers at the hand"}
WEIGHTS = {
    "pose": "plus the weight of the arm in the pose where it is",
    "goal": "plus a constant torque, the weight of the arm at the goal",
    "none": "and nothing that carries the weight",
}
STEPS, DT = 2000, 0.005  # of the pendulum that swings up: 10 s


def parameters(draw: Draw) -> dict[str, Any]:
    """Return arms, gains, a law in words, a program with a misprint, estimates, a pendulum and a wrong inertia."""
    lengths = draw.apart((0.4, 0.7), (0.3, 0.6))
    masses = draw.apart((2, 4), (1, 2))
    rest = draw.until(lambda: _sags(draw), lambda *one: _is_clear(*one))
    clock = draw.until(
        lambda: (draw.rounded(0.1, 0.5), draw.rounded(40, 160, 0), draw.rounded(2.0, 12.0, 1)),
        lambda inertia, kp, kd: all(abs(math.log(inertia * kp / kd**2 / one)) > 0.1 for one in (0.5, 1, 2)),
    )
    bent = draw.choice((-1, 1)) * draw.rounded(0.6, 1.8)
    soft = draw.rounded(100, 300, 0)
    stiff = draw.rounded(600, 1500, 0)
    heavy = draw.rounded(0.8, 2.0)
    long = draw.rounded(0.5, 1.0)
    wrong = draw.choice((draw.rounded(0.5, 0.8), draw.rounded(1.25, 1.8)))
    goal = (draw.rounded(-1.0, 1.0), draw.rounded(0.5, 1.5))
    springs = draw.choice([*SPRINGS])
    stiffness = (draw.rounded(30, 70, 0), draw.rounded(12, 30, 0))
    damping = (draw.rounded(3, 6, 1), draw.rounded(1, 3, 1))
    unit = 1 if springs == "joints" else 10  # N m/rad or N/m
    return {
        **dict(zip(("load", "reach", "stiffness", "goal"), rest)), **dict(zip(("inertia", "kp", "kd"), clock)),
        "arm": Later(lambda: rd.robots.two_link(lengths, masses)), "lengths": lengths, "rate": draw.rounded(2.0, 6.0, 1),
        "springs": SPRINGS[springs], "weight": WEIGHTS[draw.choice([*WEIGHTS])],
        "place": Later(lambda: np.array(goal)), "K": Later(lambda: unit * np.array(stiffness)), "D": Later(lambda: unit / 2 * np.array(damping)),
        "program": PROGRAM.format(**PARTS | draw.choice(MISPRINTS)), "damping": draw.rounded(3.0, 9.0, 1),
        "friction": draw.choice(("viscous", "drag")), "zero": draw.choice(("horizontal", "hanging")),
        "gains": draw.apart(*[(0.5, 4.0)] * 3),
        **dict(zip(("held", "reading", "first", "speeds"), draw.until(lambda: _held(draw), _settles))),
        **dict(zip(("pose", "along"), draw.until(lambda: ((draw.rounded(-1.0, 1.5), bent), draw.randint(15, 75)), lambda *one: _gives_way(lengths, soft, stiff, *one)))),
        "soft": soft, "stiff": stiff,
        "mass": heavy, "length": long, "limit": round(draw.uniform(0.35, 0.55) * heavy * 9.81 * long / 2, 2),
        "wrong": wrong, "bandwidth": draw.rounded(6.0, 15.0, 1), "swing": draw.rounded(0.3, 1.0),
    }  # fmt: skip


def _sags(draw: Draw) -> tuple[float, ...]:
    """Return a load, its distance from the joint, a stiffness and a goal."""
    return draw.rounded(0.5, 2.0), draw.rounded(0.4, 0.8), draw.rounded(20, 60, 0), draw.rounded(0.6, 1.2)


def _is_clear(load: float, reach: float, stiffness: float, goal: float) -> bool:
    """Whether the load lets the arm sag by an amount that tells."""
    pull = load * 9.81 * reach / stiffness
    angle = goal
    for _ in range(200):
        angle += 0.3 * (goal - pull * math.cos(angle) - angle)
    sag = goal - angle
    return (
        angle > 0.15
        and sag > 0.08
        and abs(angle / math.pi * 4 - 1) > 0.05
        and pull * math.cos(angle) - pull * math.cos(goal) > 0.02
    )


def _gives_way(lengths: tuple[float, ...], soft: float, stiff: float, pose: tuple[float, ...], along: int) -> bool:
    """Whether a generic mistake in any part of J, or of the direction, shows in the springs of the joints."""
    (first, bend), angle = pose, math.radians(along)
    both = first + bend

    def number(
        upper: float, fore: float, height: float, reach: float, c: float, s: float, soft: float, stiff: float
    ) -> list[float]:
        columns = ((upper + fore, height + reach), (fore, reach))
        a = [c * x + s * y for x, y in columns]
        b = [c * y - s * x for x, y in columns]
        return [soft * a[i] * a[k] + stiff * b[i] * b[k] for i in range(2) for k in range(2)]

    l1, l2 = lengths
    parts = {"upper": -l1 * math.sin(first), "fore": -l2 * math.sin(both), "height": l1 * math.cos(first),
             "reach": l2 * math.cos(both), "c": math.cos(angle), "s": math.sin(angle), "soft": soft, "stiff": stiff}  # fmt: skip
    return tells(number, parts, {
        "upper": (-l1 * first, -l1, -l1 * math.cos(first), -l1 * math.sin(first / 2), -l1 * math.sin(2 * first), -l2 * math.sin(first), -math.sin(first)),
        "fore": (-l2 * both, -l2, -l2 * math.cos(both), -l2 * math.sin(bend), -l1 * math.sin(both), -math.sin(both), -l2 * math.sin(both / 2), -l2 * math.sin(2 * both)),
        "height": (l1, l1 * math.sin(first), l2 * math.cos(first), math.cos(first), l1 * math.cos(first / 2), l1 * math.cos(2 * first)),
        "reach": (l2, l2 * math.sin(both), l2 * math.cos(bend), math.cos(both), l2 * math.cos(both / 2), l2 * math.cos(2 * both)),
        "c": (1.0, math.sin(angle), math.cos(2 * angle), math.cos(angle / 2)), "s": (angle, 1.0, math.cos(angle), math.sin(2 * angle), math.sin(angle / 2)),
    })  # fmt: skip


def _held(draw: Draw) -> tuple[float, float, tuple[float, ...], tuple[float, ...]]:
    """Return an angle, a torque, first estimates and speeds of learning."""
    angle = draw.choice((-1, 1)) * draw.rounded(0.4, 1.1)
    first = draw.apart(*[(1.0, 4.0)] * 3, digits=1)
    return angle, draw.rounded(8.0, 14.0), first, draw.apart(*[(0.5, 3.0)] * 3, digits=1)


def _settles(angle: float, reading: float, first: tuple[float, ...], speeds: tuple[float, ...]) -> bool:
    """Whether the way to the estimates is long, and another speed another way."""
    row = math.cos(angle), math.sin(angle), 1.0
    missing = reading - sum(a * b for a, b in zip(row, first))
    return abs(missing) > 2.0 and max(speeds) > 1.3 * min(speeds) and abs(speeds[0] / speeds[2] - 1) > 0.2


def _apart(draw: Draw, low: float, high: float) -> Array:
    """Return two numbers of those sizes, one of each sign."""
    return draw.choice((-1, 1)) * np.array([1, -1]) * draw.vector(2, low, high)


def errors(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return states, integrals of the error and references: at rest, on the way, off it."""
    zero = np.zeros(2)
    found = []
    for kind in ("rest", "on it", "angle", "rate", "integral", "any", "any"):
        q = draw.vector(2, -2, 2)
        moving = kind not in ("rest", "angle")
        qd = draw.vector(2, 1, 3) if moving else zero
        qdd = draw.vector(2, 2, 5) if moving else zero
        e = _apart(draw, 0.2, 0.6) if kind in ("angle", "any") else zero
        ed = _apart(draw, 0.5, 1.0) if kind in ("rate", "any") else zero
        z = _apart(draw, 0.1, 0.3) if kind in ("integral", "any") else zero
        found.append((q, qd, z, q - e, qd - ed, qdd))
    return found


def tracked(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """The same without integrals."""
    return [(q, qd, *reference) for q, qd, z, *reference in errors(p, draw) if not z.any()] + [
        (q, qd, *reference) for q, qd, _, *reference in errors(p, draw)[-2:]
    ]


def falling(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return states of the arm under its own law."""
    return [(p.place + draw.vector(2, -0.8, 0.8), draw.vector(2, -2, 2)) for _ in range(4)]


def sprung(p: Parameters, q: Array, qd: Array) -> tuple[Array, float]:
    """Return the torque of the own law, and the power that its dampers take."""
    if p.springs == SPRINGS["joints"]:
        torque = -p.K * (q - p.place) - p.D * qd
        loss = qd @ (p.D * qd)
    else:
        J = rd.tip_jacobian(p.arm, q)[:2]
        x, goal = (rd.point_position(p.arm, place)[:2] for place in (q, p.place))
        torque = J.T @ (-p.K * (x - goal) - p.D * (J @ qd))
        loss = (J @ qd) @ (p.D * (J @ qd))
    if p.weight != WEIGHTS["none"]:
        torque = torque + rd.gravity_torque(p.arm, q if p.weight == WEIGHTS["pose"] else p.place)
    return torque, loss


def along_the_motion(p: Parameters, energy: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of a state -> what the energy is there, how fast it changes under the own law, at the goal, and there at rest."""

    def run(q: Array, qd: Array) -> Array:
        qdd = rd.forward_dynamics(p.arm, q, qd, sprung(p, q, qd)[0])
        step = 1e-5
        later, before = (one_number(energy(q + t * qd, qd + t * qdd)) for t in (step, -step))
        still = [one_number(energy(place, 0 * qd)) for place in (p.place, q)]
        return np.array([one_number(energy(q, qd)), (later - before) / (2 * step), *still])

    return run


def estimates(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return states, references and estimates of a link: angles and rates of both signs."""
    signs = draw.sample([(1, 1), (1, -1), (-1, 1), (-1, -1)], 4)
    states = [[sign * draw.uniform(0.4, 2.5) for sign in pair] for pair in [*signs, signs[0]]]
    return [(*state, *draw.numbers(3, -2, 2), draw.vector(3, 0.5, 3)) for state in states]


def starts(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return rates with which the pendulum begins, hanging: one of each sign."""
    first = draw.choice((-1, 1))
    return [(sign * draw.uniform(0.2, 0.5),) for sign in (first, -first)]


def swung(p: Parameters, control: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function rate -> torques (STEPS,) that a law gives along its own motion."""

    def run(rate: float) -> Array:
        q = -math.pi / 2
        qd = rate
        torques = []
        for _ in range(STEPS):
            tau = one_number(control(q, qd))
            torques.append(tau)
            if not abs(tau) <= p.limit * (1 + 1e-9):  # what follows is of no interest
                return np.array(torques + [tau] * (STEPS - len(torques)))
            q, qd = move(p, q, qd, tau)
        return np.array(torques)

    return run


def move(p: Parameters, q: float, qd: float, tau: float) -> tuple[float, ...]:
    """Return the state of the pendulum, a uniform rod, one step later."""
    qd = qd + DT * (tau - p.mass * 9.81 * p.length / 2 * math.cos(q)) / (p.mass * p.length**2 / 3)
    return q + DT * qd, qd


CALLED = {
    "error-equation": {"inputs": errors, "arguments": "q qd z q_r qd_r qdd_r"},
    "cannot-rise": {"inputs": falling, "arguments": "q qd", "wrap": along_the_motion},
    "find-the-bug": {"inputs": tracked, "arguments": "q qd q_r qd_r qdd_r"},
    "learn": {"inputs": estimates, "arguments": "q qd q_r qd_r qdd_r a"},
    "swing-up": {"inputs": starts, "wrap": swung},
}
