"""What a notebook of "space" is given: each student's own swing, head, satellite, sensors and misprint, the states of functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from coursework.check.data import one_number
from coursework.check.question import tells
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array
    from coursework.check.parameters import Draw, Parameters

STEPS, DT = 600, 0.02  # of the readings that a filter gets: 12 s
PRINTED = (  # velocity torques of turret, boom and slide, each time with one term missing
    ("-2*m*q3**2*sin(q2)*cos(q2)*qd1*qd2", "m*q3**2*sin(q2)*cos(q2)*qd1**2 + 2*m*q3*qd2*qd3", "-m*q3*cos(q2)**2*qd1**2 - m*q3*qd2**2"),
    ("2*m*q3*cos(q2)**2*qd1*qd3", "m*q3**2*sin(q2)*cos(q2)*qd1**2 + 2*m*q3*qd2*qd3", "-m*q3*cos(q2)**2*qd1**2 - m*q3*qd2**2"),
    ("2*m*q3*cos(q2)**2*qd1*qd3 - 2*m*q3**2*sin(q2)*cos(q2)*qd1*qd2", "2*m*q3*qd2*qd3", "-m*q3*cos(q2)**2*qd1**2 - m*q3*qd2**2"),
    ("2*m*q3*cos(q2)**2*qd1*qd3 - 2*m*q3**2*sin(q2)*cos(q2)*qd1*qd2", "m*q3**2*sin(q2)*cos(q2)*qd1**2", "-m*q3*cos(q2)**2*qd1**2 - m*q3*qd2**2"),
    ("2*m*q3*cos(q2)**2*qd1*qd3 - 2*m*q3**2*sin(q2)*cos(q2)*qd1*qd2", "m*q3**2*sin(q2)*cos(q2)*qd1**2 + 2*m*q3*qd2*qd3", "-m*q3*qd2**2"),
    ("2*m*q3*cos(q2)**2*qd1*qd3 - 2*m*q3**2*sin(q2)*cos(q2)*qd1*qd2", "m*q3**2*sin(q2)*cos(q2)*qd1**2 + 2*m*q3*qd2*qd3", "-m*q3*cos(q2)**2*qd1**2"),
)  # fmt: skip


def parameters(draw: Draw) -> dict[str, Any]:
    """Return an arm that swings with a sensor, a head, sensors of tilt and rate, a satellite with an arm, a misprint."""
    bias = draw.rounded(0.015, 0.03, 3)
    deceived = draw.rounded(0.4, 0.7)
    frequency = 2 * math.pi * draw.randint(9, 13) / (STEPS * DT)
    length = draw.rounded(0.5, 0.9)
    return {
        "rod": (draw.rounded(1.0, 2.0), length),
        "bob": draw.rounded(0.6, 1.5),
        "held": draw.rounded(0.7, 1.2),
        "sensor": round(length * draw.uniform(0.35, 0.6), 3),
        "head": (draw.rounded(0.15, 0.3), draw.rounded(0.4, 0.7)),
        "bias": bias,
        "deceived": deceived,
        "frequency": frequency,
        "limit": round(2.35 * math.sqrt(bias * deceived / frequency), 3),
        **dict(zip(("body", "links"), draw.until(lambda: _satellite(draw), _turns_by_each))),
        "swing": draw.rounded(1.05, 2.0),
        "printed": draw.choice(PRINTED),
    }


def _satellite(draw: Draw) -> tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]:
    """Return mass and radius of a satellite, and mass and length of each link of its arm."""
    body = draw.rounded(30, 50, 1), draw.rounded(0.45, 0.6)
    return body, ((draw.rounded(2, 4), draw.rounded(0.5, 0.8)), (draw.rounded(1, 3), draw.rounded(0.3, 0.45)))


def _turns_by_each(body: tuple[float, ...], links: tuple[tuple[float, ...], ...]) -> bool:
    """Whether a generic mistake in any part of the inertias shows in the turn of the satellite."""
    (mass, radius), ((m1, l1), (m2, l2)) = body, links

    def number(
        own: float,
        upper: float,
        fore: float,
        first: float,
        reach: float,
        half: float,
        disk: float,
        twice: float,
        pull: float,
    ) -> float:
        shares = []
        for second in (reach + half, reach - half):
            center = (pull * m1 * first + m2 * second) / (m1 + m2)
            turning = upper + fore + own * (m1 * (first - center) ** 2 + m2 * (second - center) ** 2)
            turning += twice * (m1 + m2) * mass / (m1 + m2 + mass) * center**2
            shares.append(turning / (disk + turning))
        return shares[1] - shares[0]

    parts = {"own": 1.0, "upper": m1 * l1**2 / 12, "fore": m2 * l2**2 / 12, "first": l1 / 2, "reach": l1, "half": l2 / 2,
             "disk": mass * radius**2 / 2, "twice": 1.0, "pull": 1.0}  # fmt: skip
    return tells(number, parts, {
        "upper": (m1 * l1**2 / 3, m1 * l1 / 12, l1**2 / 12), "fore": (m2 * l2**2 / 3, m2 * l2 / 12, l2**2 / 12, m2 / 12),
        "first": (l2 / 2, 0.5), "reach": (l2, 1.0, l1 / 2), "half": (l2, l1 / 2, 0.5), "twice": ((m1 + m2 + mass) / mass,),
    })  # fmt: skip


def motions(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return angles, rates and accelerations of the head; in the first ones it rests, pans, tilts, or begins to move."""
    sizes = ((-1.2, 1.2), (1.0, 2.5), (-4.0, 4.0))
    found = [tuple(draw.vector(2, *size) for size in sizes) for _ in range(2)]
    (q, qd, qdd), none = found[0], abs(0 * found[0][1])
    return [(q, none, none), (q, qd * [1, 0], none), (q, qd * [0, 1], none), (q, qd, none), (q, none, qdd), *found]


def readings(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return starts of motions, angular velocities with a bias and deceived tilts, whose motion fills whole periods."""
    found = []
    for sign in (1, -1):
        bias, phase, turn = sign * p.bias * draw.uniform(0.9, 1.05), *draw.numbers(2, 0, 2 * math.pi)
        t = DT * np.arange(STEPS + 1)
        swing = draw.uniform(0.3, 0.6)
        motion = sign * draw.uniform(0.35, 0.5) + swing * np.sin(
            p.frequency * t + phase
        )  # not about zero, which is a guess
        noise = np.array([draw.gauss(0.0, 0.01) for _ in range(STEPS)])
        tilts = motion[1:] + p.deceived * np.sin(p.frequency * t[1:] + turn) + noise
        found.append((float(motion[0]), np.diff(motion) / DT + bias, tilts))
    return found


def filtered(p: Parameters, step: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function start, rates, tilts -> the estimates (STEPS,) that steps of a filter make of them."""

    def run(start: float, rates: Array, tilts: Array) -> Array:
        found = []
        estimate = start
        for rate, tilt in zip(rates.tolist(), tilts.tolist()):
            estimate = one_number(step(estimate, rate, tilt, DT))
            found.append(estimate)
        return np.array(found)

    return run


def hanging(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return the lines of hinges, masses and centers of mass of arms in some pose, in base axes."""
    found = []
    for n in (2, 4):
        axes = draw.vector(3 * n, -1, 1).reshape(n, 3)
        axes /= np.sqrt((axes**2).sum(axis=1))[:, None]
        points = draw.vector(3 * n, -0.5, 0.5)
        coms = draw.vector(3 * n, -0.5, 0.5)
        found.append((axes, points.reshape(n, 3), draw.vector(n, 0.5, 3), coms.reshape(n, 3)))
    return found


def moving(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return masses, inertias in link axes, rotations, and the Jacobians of the centers of mass in base axes, of arms."""
    found = []
    for n in (2, 3):
        masses = draw.vector(n, 0.2, 0.8)
        axes = draw.vector(4 * n, -1, 1).reshape(n, 4)
        w, x, y, z = (axes / np.sqrt((axes**2).sum(axis=1))[:, None]).T  # quaternions
        rotations = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                              [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                              [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]).transpose(2, 0, 1)  # fmt: skip
        inertias = np.array(
            [np.diag([draw.uniform(0.1, 0.2), draw.uniform(0.8, 1.2), draw.uniform(0.8, 1.2)]) for _ in range(n)]
        )
        turned = np.roll(rotations, 1, axis=0)  # the axes of a link need not be principal ones
        inertias = turned @ inertias @ turned.transpose(0, 2, 1)
        Jv, Jw = (draw.vector(3 * n * n, -1, 1).reshape(n, 3, n) for _ in range(2))
        upto = np.tril(np.ones((n, n)))[:, None, :]  # later joints do not move a link
        found.append((masses, inertias, rotations, Jv * upto, Jw * upto))
    return found


def orientations(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return pairs of unit quaternions, scalar first, and a time; in the first pairs the axes are alike at the start, or one axis stays.

    In the last two pairs the turn is small and nearly half a turn, else far from both; of the products of their entries the sum
    is negative in every second pair.
    """
    halves = {6: 0.004, 7: 1.567}  # rad
    found = []
    for k in range(8):
        now = draw.vector(4, -1, 1) if k else np.array([1.0, 0.0, 0.0, 0.0])
        axis = draw.vector(3, -1, 1) if k != 1 else now[1:]
        half = halves.get(k, draw.uniform(0.35, 1.2))
        turn = np.array([math.cos(half), *(math.sin(half) / np.linalg.norm(axis) * axis)])
        now = now / np.linalg.norm(now)
        goal = np.array(
            [
                turn[0] * now[0] - turn[1:] @ now[1:],
                *(turn[0] * now[1:] + now[0] * turn[1:] + np.cross(turn[1:], now[1:])),
            ]
        )
        found.append((now, -goal if k % 2 else goal, draw.uniform(0.5, 3.0)))
    return found


CALLED = {
    "turning": {"inputs": orientations, "arguments": "now goal time"},
    "reading": {"inputs": motions, "arguments": "q qd qdd"},
    "filter": {"inputs": readings, "wrap": filtered},
    "gravity": {"inputs": hanging, "arguments": "axes points masses coms"},
    "mass-matrix": {"inputs": moving, "arguments": "masses inertias rotations Jv Jw"},
}
