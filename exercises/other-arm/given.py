"""What a notebook of "other-arm" is given: a nominal model, a motion, and the run of a law on an arm that is another one.

M(q) qdd + C(q, qd) qd + g(q) + friction = tau, with a load at the hand and friction that no student is told.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import robotdyn as rd
from coursework.check.data import OtherForm, flat
from coursework.check.parameters import Later
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array
    from coursework.check.parameters import Draw, Parameters

PERIOD, SMALL = 0.01, 5  # s between two torques, and steps of the simulation in each
MOVING, STEPS = 1.2, 200  # s of the motion; torques in all: 2 s
LONG = 400  # torques where the arm is to come to rest: 4 s
AGAIN = (3, 60, 17, 110, 41)  # of the torques: those that the law is asked for once more, after the run, in this order
SOFT = 0.1  # rad/s: beyond that rate dry friction is nearly all there
HUGE = 1e6  # N m: what is larger counts as that, so that squares and sums of it can be computed
WILD = 60.0  # rad/s: beyond that rate a motion is of no interest


def parameters(draw: Draw) -> dict[str, Any]:
    """Return a nominal arm with limits of its motors, a motion, a load that it carries, and gains of an error."""
    lengths = draw.apart((0.45, 0.6), (0.35, 0.45))
    masses = draw.apart((3.0, 5.0), (1.5, 2.5))
    limits = tuple(round(draw.uniform(2.4, 2.9) * one, 1) for one in _weights(lengths, masses))
    (start, end) = draw.until(lambda: _motion(draw), lambda start, end: abs(start[0] - end[0]) > 0.6)
    held = draw.until(lambda: _held(draw), lambda *one: _sags(lengths, *one))
    kp, kd = draw.until(
        lambda: (draw.rounded(50, 120, 0), draw.rounded(5.0, 8.5, 1)),  # not near 4, where the square of kd / 2 is kd
        lambda kp, kd: 0.15 < kd / (2 * math.sqrt(kp)) < 0.4,
    )
    return {
        "lengths": lengths,
        "masses": masses,
        "limits": limits,
        "start": start,
        "end": end,
        **dict(zip(("goal", "load", "stiffness"), held)),
        "kp": kp,
        "kd": kd,
        "most": draw.rounded(2.0, 9.0, 1),
        "arm": Later(lambda: rd.robots.two_link(lengths, masses)),
    }


def _weights(lengths: tuple[float, ...], masses: tuple[float, ...]) -> tuple[float, float]:
    """Return the most that each joint of the nominal arm must hold, N m."""
    (l1, l2), (m1, m2) = lengths, masses
    return 9.81 * (m1 * l1 / 2 + m2 * (l1 + l2 / 2)), 9.81 * m2 * l2


def _motion(draw: Draw) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return start and end, two angles each: the elbow keeps its side, and opens or closes."""
    side = draw.choice((-1, 1))
    way = draw.choice((-1, 1))
    bends = [side * draw.rounded(1.2, 1.5), side * draw.rounded(0.6, 0.85)][::way]
    turn = draw.choice((-1, 1)) * draw.rounded(0.7, 0.95)
    first = draw.rounded(-0.4, 0.4) - turn / 2
    return (round(first, 2), bends[0]), (round(first + turn, 2), bends[1])


def _held(draw: Draw) -> tuple[Any, ...]:
    """Return a goal, a load (kg) and the stiffness of both joints, N m/rad."""
    goal = draw.choice((-1, 1)) * draw.rounded(0.2, 0.9), draw.choice((-1, 1)) * draw.rounded(0.4, 1.2)
    return goal, draw.rounded(0.6, 1.6), draw.apart((40, 80), (20, 38), digits=0)


def _sags(lengths: tuple[float, ...], goal: tuple[float, ...], load: float, stiffness: tuple[float, ...]) -> bool:
    """Whether both joints give way by an amount that tells, and the load's torques change on the way."""
    weight, (l1, l2) = 9.81 * load, lengths

    def moved(first: float, both: float) -> list[float]:
        levers = l1 * math.cos(first) + l2 * math.cos(both), l2 * math.cos(both)
        return [old - weight * lever / k for old, lever, k in zip(goal, levers, stiffness)]

    straight = angles = moved(goal[0], sum(goal))
    for _ in range(100):
        angles = moved(angles[0], sum(angles))
    way = [abs(one - old) for one, old in zip(angles, goal)]
    told = max(abs(a - b) for a, b in zip(straight, angles)) > 0.02 * max(map(abs, angles))
    return min(way) > 0.02 and max(way) < 0.4 and told and abs(way[0] / way[1] - 1) > 0.1


# The other arm


def others(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return two arms, each a row: load (kg), viscous and dry friction of both joints, and by how many periods torques come late.

    The first has much of a load and little friction, the second little of a load, much friction and late torques.
    """
    heavy = draw.uniform(0.25, 0.33) * p.masses[1]
    light = draw.uniform(0.05, 0.1) * p.masses[1]
    arms = [
        [heavy, *draw.numbers(2, 0.1, 0.2), *draw.numbers(2, 0.02, 0.05), 0.0],
        [light, *draw.numbers(2, 0.4, 0.6), *draw.numbers(2, 0.1, 0.2), 1.0],
    ]
    return [(np.array([row]),) for row in arms]  # rows of a matrix: no sentence shows them


def reference(p: Parameters, t: float) -> tuple[Array, Array, Array]:
    """Return angles, rates and accelerations of the motion at a time, (2,) each: rest, way and rest again."""
    start = np.array(p.start)
    way = np.subtract(p.end, p.start)
    place, rate, change = _pace(t)
    return start + place * way, rate * way, change * way


def hand_reference(p: Parameters, t: float) -> tuple[Array, Array, Array]:
    """Return place, velocity and acceleration that the hand should have, (2,) each: straight from start to end."""
    start, end = (hand(p, q) for q in (p.start, p.end))
    place, rate, change = _pace(t)
    return start + place * (end - start), rate * (end - start), change * (end - start)


def _pace(t: float) -> tuple[float, float, float]:
    """Return the part of the way that is done at a time, and its two derivatives: a polynomial of the degree 5."""
    u = min(t / MOVING, 1.0)
    rates = 30 * u**2 * (1 - u) ** 2 / MOVING, 60 * u * (1 - u) * (1 - 2 * u) / MOVING**2
    return u**3 * (10 - 15 * u + 6 * u**2), *rates


def hand(p: Parameters, q: Sequence[float]) -> Array:
    """Return the place of the hand, (2,) m."""
    turns = np.cumsum(q)
    return np.array([p.lengths @ np.cos(turns), p.lengths @ np.sin(turns)])


def carrying(p: Parameters, load: float) -> Any:
    """Return the nominal arm with a point mass at its hand."""
    zero = np.zeros((3, 3))
    return p.arm.carrying(rd.Body(load, np.array([p.lengths[1], 0.0, 0.0]), zero)) if load else p.arm


class Plant:
    """The arm that a law meets: holds each torque, within the limits, for one period; q, qd: its state, z: summed error."""

    def __init__(self, p: Parameters, row: Array) -> None:
        self._forward = rd.specialize(rd.forward_dynamics, carrying(p, float(row[0])))
        self._viscous, self._dry, self._limits = row[1:3], row[3:5], np.array(p.limits)
        self.q, self.qd, self.z = np.array(p.start, dtype=float), np.zeros(2), np.zeros(2)
        hold = rd.gravity_torque(p.arm, p.start)  # what the motors give before the first torque arrives
        self._waiting = [hold] * int(row[5])

    def move(self, tau: Array, error: Array | None = None) -> None:
        """Move on by one period; error: what z sums, (2,)."""
        self._waiting.append(np.clip(tau, -self._limits, self._limits))
        held = self._waiting.pop(0)
        dt = PERIOD / SMALL
        for _ in range(SMALL):
            lost = self._viscous * self.qd + self._dry * np.tanh(self.qd / SOFT)
            self.qd = self.qd + dt * self._forward(self.q, self.qd, held - lost)
            self.q = self.q + dt * self.qd
        if error is not None:
            self.z = self.z + PERIOD * error


def _two(found: Any) -> Array:
    """Return the two torques that a law returned, (2,).  Raises OtherForm."""
    asked = "a law returns two torques, this one returned"
    try:
        entries = [float(one) for one in flat(found)[1]]
    except (TypeError, ValueError):
        raise OtherForm(
            f"{asked} {'None: is a `return` missing?' if found is None else type(found).__name__}"
        ) from None
    if len(entries) != 2:
        raise OtherForm(f"{asked} {len(entries)} numbers")
    if not all(map(math.isfinite, entries)):
        raise OtherForm(f"{asked} a torque that is no finite number")
    return np.clip(np.array(entries), -HUGE, HUGE)


def along(
    law: Callable[..., Any], plant: Plant, arguments: Callable[[float, Plant], tuple[Array, ...]], steps: int
) -> tuple[list[Array], list[tuple[Array, ...]]]:
    """Return the torques, (2,) each, that a law asks for along its own motion, and what it was given.  Raises OtherForm."""
    torques = []
    asked = []
    for k in range(steps):
        asked.append(arguments(k * PERIOD, plant))
        torques.append(_two(law(*(one.copy() for one in asked[-1]))))
        plant.move(torques[-1], asked[-1][0] - asked[-1][-3] if len(asked[-1]) == 6 else None)
        if not abs(plant.qd).max() < WILD:  # what follows is of no interest
            break
    return torques, asked


def ask_again(law: Callable[..., Any], torques: list[Array], asked: list[tuple[Array, ...]]) -> None:
    """Raise OtherForm where a law says something else when it is asked once more, after the run and in another order."""
    for k in AGAIN:
        if k < len(asked):
            once = _two(law(*(one.copy() for one in asked[k])))
            size = abs(torques[k]).max() + 1.0
            if abs(once - torques[k]).max() > 1e-9 * size:
                raise OtherForm(
                    "with the same arguments as in the run it gave other torques after it. A law uses its arguments "
                    "and `p` alone: no memory, no clock, no chance, nothing of the run around it"
                )


def on_the_way(t: float, plant: Plant, p: Parameters) -> tuple[Array, ...]:
    """Return what a law in joint angles is given."""
    return (plant.q, plant.qd, *reference(p, t))


def summed(t: float, plant: Plant, p: Parameters) -> tuple[Array, ...]:
    """Return the same with the sum of the error."""
    return (plant.q, plant.qd, plant.z, *reference(p, t))


def with_hand(t: float, plant: Plant, p: Parameters) -> tuple[Array, ...]:
    """Return what a law of the hand is given."""
    return (plant.q, plant.qd, *hand_reference(p, t))


def wrapped(
    arguments: Callable[[float, Plant, Parameters], tuple[Array, ...]], steps: int
) -> Callable[[Parameters, Callable[..., Any]], Callable[[Array], Array]]:
    """Return what makes, of a law, the function of an arm that says which torques the law asks for on it."""

    def wrap(p: Parameters, law: Callable[..., Any]) -> Callable[[Array], Array]:
        def run(row: Array) -> Array:
            torques, asked = along(law, Plant(p, row[0]), lambda t, plant: arguments(t, plant, p), steps)
            ask_again(law, torques, asked)
            return np.array(torques + torques[-1:] * (steps - len(torques)))

        return run

    return wrap


CALLED = {
    "track": {"inputs": others, "wrap": wrapped(on_the_way, STEPS)},
    "settle": {"inputs": others, "wrap": wrapped(summed, LONG)},
    "hand": {"inputs": others, "wrap": wrapped(with_hand, STEPS)},
}
