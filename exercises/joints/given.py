"""What a notebook of "joints" is given: each student's own linkages, joints and arm, the arms that a function is to hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coursework.check.question import tells
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.parameters import Draw, Parameters


def parameters(draw: Draw) -> dict[str, Any]:
    """Return the numbers of four linkages, of a joint that sticks, of a gear, of a soft joint and of an arm on a table."""
    stiction, sliding, spring, inertia, speed = draw.until(
        lambda: (draw.rounded(2.0, 4.0), draw.rounded(1.2, 2.8), draw.rounded(30, 90, 0), draw.rounded(0.2, 0.8), draw.rounded(0.05, 0.2, 3)),
        _slips_in_its_own_time,
    )  # fmt: skip
    width = draw.rounded(0.02, 0.08, 3)
    falls = 2 * (stiction - sliding) / width * math.sqrt(0.5) * math.exp(-0.5)  # the steepest fall of the dry part
    link, motor = draw.until(lambda: (draw.uniform(0.3, 1.0), draw.uniform(0.25, 0.9)), lambda i, j: abs(i - j) > 0.05)
    stiff = draw.rounded(40, 200, 0)
    dip, peak = (math.sqrt(square) / math.tau for square in (stiff / link, stiff / link + stiff / motor))
    moved, rotor, torque, load = draw.until(
        lambda: (draw.rounded(0.5, 3.0), draw.rounded(2e-5, 2e-4, 6), draw.rounded(0.1, 0.3), draw.rounded(5.0, 25.0, 1)),
        lambda i, j, torque, load: 0.35 < load / torque / math.sqrt(i / j) < 2,
    )  # fmt: skip
    lengths, masses, q = draw.until(
        lambda: _on_a_table(draw.apart((0.6, 1.2), (0.6, 1.2)), draw.apart((1.0, 4.0), (0.5, 3.0)), draw.uniform(0.5, 0.9)),
        lambda *arm: _not_level(*arm) and _presses(*arm),
    )  # fmt: skip
    return {
        "chain": draw.randint(4, 9), "hands": (draw.randint(2, 4), draw.randint(2, 4)),
        "handle": draw.randint(5, 8), "legs": draw.randint(3, 5),
        "stiction": stiction, "sliding": sliding, "spring": spring, "inertia": inertia, "speed": speed,
        "width": width, "viscous": round(draw.uniform(0.1, 0.6) * falls, 1),
        "link": moved, "rotor": rotor, "motor": torque, "load": load,
        "stiff": stiff, "dip": round(dip, 4), "peak": round(peak, 4),
        "lengths": lengths, "masses": masses, "q": q,
        "less": draw.randint(20, 300), "seconds": draw.rounded(0.2, 0.8),
    }  # fmt: skip


def _slips_in_its_own_time(stiction: float, sliding: float, spring: float, inertia: float, speed: float) -> bool:
    """Whether wait and slip are of one size and apart from each other, and a slip from what it may be taken for."""
    if not 0.6 * stiction < sliding < 0.85 * stiction or abs(3 * sliding - 2 * stiction) < 0.05 * sliding:
        return False
    wait = 2 * (stiction - sliding) / (spring * speed)
    half = math.pi * math.sqrt(inertia / spring)
    more = 2 * math.atan2(speed * math.sqrt(spring * inertia), stiction - sliding) * math.sqrt(inertia / spring)
    apart = (more, half - 2 * more, wait - half - more)
    return 0.2 * half < wait < 4 * half and min(map(abs, apart)) > 0.02 * (wait + half)


def _on_a_table(lengths: tuple[float, ...], masses: tuple[float, ...], share: float) -> tuple[tuple[float, ...], ...]:
    """Return lengths, masses and the angles of an arm whose hand is at the height of its shoulder, the elbow above."""
    first, second = lengths
    reach = share * (first + second)
    raised = math.acos((first**2 + reach**2 - second**2) / (2 * first * reach))
    return (
        (first, second),
        masses,
        (round(raised, 4), round(math.atan2(-first * math.sin(raised), reach - first * math.cos(raised)) - raised, 4)),
    )


def _not_level(lengths: tuple[float, ...], masses: tuple[float, ...], q: tuple[float, ...]) -> bool:
    """Whether both links are well off the table."""
    return 0.4 < q[0] < 1.2 and -1.2 < q[0] + q[1] < -0.4


def _presses(lengths: tuple[float, ...], masses: tuple[float, ...], q: tuple[float, ...]) -> bool:
    """Whether a generic mistake in any part of M, of the weights and of J shows in what the table carries."""
    (a, b), (light, heavy), (first, second) = lengths, masses, (q[0], sum(q))

    def number(
        rod: float,
        lever: float,
        own: float,
        bend: float,
        bends: float,
        near: float,
        far: float,
        inner: float,
        outer: float,
        felt: float,
        mixed: float,
        still: float,
        row: float,
        cross: float,
        last: float,
    ) -> float:
        m12 = own + bend
        m11 = rod + lever + bends * (own + 2 * bend)
        j1 = inner + outer
        g1 = near + far
        pushed = row * own * j1 * g1 - m12 * cross * (j1 * far + outer * g1) + last * m11 * outer * far
        return pushed / (felt * own * j1**2 + mixed * 2 * m12 * j1 * outer + still * m11 * outer**2)

    coupled = heavy * a * b / 2
    weights = ((light / 2 + heavy) * 9.81 * a, heavy * 9.81 * b / 2)
    parts = {
        "rod": light * a**2 / 3, "lever": heavy * a**2, "own": heavy * b**2 / 3, "bend": coupled * math.cos(q[1]),
        "near": weights[0] * math.cos(first), "far": weights[1] * math.cos(second),
        "inner": a * math.cos(first), "outer": b * math.cos(second),
    }  # fmt: skip
    parts |= dict.fromkeys(("bends", "felt", "still", "row", "cross", "last"), 1.0) | {"mixed": -1.0}
    return tells(number, parts, {
        "rod": (light * a / 3, light * a**2 / 12, light * a**2 / 4, a**2 / 3), "lever": (heavy * a, heavy * b**2, light * a**2, a**2),
        "own": (heavy * b / 3, heavy * b**2 / 12, heavy * b**2 / 4, b**2 / 3),
        "bend": (coupled, coupled * math.sin(q[1]), coupled * math.cos(first), coupled * math.cos(second), *(coupled * math.cos(q[1]) / x for x in (a, b, heavy, a * b, a * heavy, b * heavy, a * b * heavy, coupled))),
        "near": (weights[0], weights[0] * math.sin(first), (light + heavy) * 9.81 * a * math.cos(first), (light + heavy) / 2 * 9.81 * a * math.cos(first)),
        "far": (weights[1], weights[1] * math.sin(second), weights[1] * math.cos(q[1]), 2 * weights[1] * math.cos(second)),
        "inner": (a, a * math.sin(first), math.cos(first)), "outer": (b, b * math.sin(second), b * math.cos(q[1]), math.cos(second)),
    })  # fmt: skip


def arms(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return mass matrices, Jacobians of constraints, forces without those of the constraint, and drifts Jdot qd."""
    found = []
    for n, m in ((2, 1), (3, 2), (4, 2)):
        root = draw.vector(n * n, -1, 1).reshape(n, n)
        found.append(
            (
                root @ root.T + np.eye(n),
                draw.vector(m * n, -1, 1).reshape(m, n),
                draw.vector(n, -3, 3),
                draw.vector(m, -2, 2),
            )
        )
    return found


CALLED = {"held": {"inputs": arms, "arguments": "M J force drift"}}
