"""What a notebook of "hands" is given: each student's own arms, a program with a misprint, motions to try."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import robotdyn as rd
from coursework.check.parameters import Later, differ
from coursework.check.question import tells
from coursework.check.session import drawn_elsewhere
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array
    from coursework.check.parameters import Draw, Parameters

    Arm = tuple[
        tuple[float, ...], tuple[float, ...], tuple[float, ...], tuple[float, ...]
    ]  # lengths, masses, centers, inertias

PROGRAM = """def wrenches(q, qd, qdd):
    angle = omega = alpha = 0.0
    a = {base}
    links = []
    for i in range(2):
        angle, omega, alpha = angle + q[i], omega + qd[i], {turning}
        along = np.array([np.cos(angle), np.sin(angle)])
        across = np.array([-along[1], along[0]])
        F = p.masses[i] * (a + p.coms[i] * ({center}))
        links.append((along, F, p.inertias[i] * alpha))
        a = a + p.{carried}[i] * (alpha * across - omega**2 * along)
    cross = lambda a, b: a[0] * b[1] - a[1] * b[0]
    found, f, n = [], np.zeros(2), 0.0
    for i in (1, 0):
        along, F, N = links[i]
        n = {moment}
        f = F + f
        found.insert(0, [f[0], f[1], n])
    return np.array(found)
"""
PARTS = {
    "base": "np.array([0.0, 9.81])",
    "turning": "alpha + qdd[i]",
    "center": "alpha * across - omega**2 * along",
    "carried": "lengths",
    "moment": "N + p.coms[i] * cross(along, F) + n + p.lengths[i] * cross(along, f)",
}
MISPRINTS = (
    {"base": "np.array([0.0, -9.81])"},
    {"turning": "qdd[i]"},
    {"center": "alpha * across + omega**2 * along"},
    {"center": "alpha * across - omega * along"},
    {"carried": "coms"},
    {"moment": "N + p.lengths[i] * cross(along, F) + n + p.lengths[i] * cross(along, f)"},
    {"moment": "N + p.coms[i] * cross(along, F) + n + p.coms[i] * cross(along, f)"},
    {"moment": "N + p.coms[i] * cross(along, F) + n + p.lengths[i] * cross(along, F)"},
    {"moment": "N + p.coms[i] * cross(along, F) + n - p.lengths[i] * cross(along, f)"},
)


def parameters(draw: Draw) -> dict[str, Any]:
    """Return an arm in motion, a misprinted program, a blow, and an arm of three links that should hit gently."""
    arm, motion, (head, bounce) = draw.until(
        lambda: (_arm(draw), _motion(draw), (draw.rounded(3.0, 6.0), draw.rounded(0.2, 0.6))), _tells
    )
    three, weights = (draw.apart(*[one] * 3) for one in ((0.3, 0.5), (1.0, 3.0)))
    far = draw.uniform(0.55, 0.8) * sum(three) * cmath.exp(1j * draw.uniform(-0.4, 0.4))
    place = (round(far.real, 3), round(far.imag, 3))
    stiffness = 1000.0 * draw.randint(40, 90)
    return {
        **dict(zip(("lengths", "masses", "coms", "inertias"), arm)), **dict(zip(("q", "qd", "qdd"), motion)),
        "program": PROGRAM.format(**PARTS | draw.choice(MISPRINTS)),
        "speed": draw.rounded(0.5, 0.9), "bounce": bounce, "head": head,
        "place": place, "stiffness": stiffness,
        "arm": Later(lambda: rd.robots.two_link(*arm)),
        "long": Later(lambda: _rods(three, weights)),
        "limit": Later(lambda: _gentle(three, weights, place, stiffness)),
    }  # fmt: skip


def _arm(draw: Draw) -> Arm:
    """Return lengths, masses, centers of mass and moments of inertia of a 2R arm."""
    lengths = draw.apart((0.8, 1.2), (0.8, 1.2))
    masses = draw.apart((1.5, 4.0), (1.2, 3.0))
    coms = draw.until(lambda: tuple(round(length * draw.uniform(0.4, 0.6), 3) for length in lengths), differ)
    return lengths, masses, coms, tuple(round(m * length**2 / 12, 4) for m, length in zip(masses, lengths))


def _motion(draw: Draw) -> tuple[tuple[float, ...], ...]:
    """Return angles, rates of one sign and accelerations of one sign."""
    signs = [draw.choice((-1, 1)) for _ in range(4)]
    q = signs[0] * draw.rounded(0.2, 0.8), signs[1] * draw.rounded(0.6, 1.6)
    return q, *(
        tuple(sign * one for one in draw.apart(size, size)) for sign, size in zip(signs[2:], ((1.0, 2.0), (3.0, 5.0)))
    )


def _tells(arm: Arm, motion: tuple[tuple[float, ...], ...], blow: tuple[float, ...]) -> bool:
    """Whether typical mistakes are far enough from the force in the elbow, from its moment and from the impulse."""
    (lengths, masses, coms, inertias), (q, qd, qdd), (head, _) = arm, motion, blow
    upper = lengths[0] * cmath.exp(1j * q[0])
    fore = coms[1] * cmath.exp(1j * sum(q))
    force = masses[1] * (9.81j + upper * (1j * qdd[0] - qd[0] ** 2) + fore * (1j * sum(qdd) - sum(qd) ** 2))
    near, far = ((lever.conjugate() * force).imag for lever in (fore, upper))
    turning = inertias[1] * sum(qdd)
    size = max(abs(force), abs(near) + abs(far))
    parts = near, near + turning, near - turning, far, inertias[1] * qdd[0], force.real - force.imag
    (xx, xy), (_, yy) = _mobility(*arm, q)
    others = (xx - xy**2 / yy, yy, 1 / sum(masses), 1 / masses[1])  # in a slot, along y, the whole arm, the forearm
    apart = all(abs((other + 1 / head) / (xx + 1 / head) - 1) > 0.02 for other in others)
    apart = apart and min(map(abs, parts)) > 0.012 * size and abs(masses[0] - masses[1]) > 0.05
    return apart and abs(coms[0] - coms[1]) > 0.01 and _feels(*arm, q, head)


def _feels(
    lengths: tuple[float, ...],
    masses: tuple[float, ...],
    coms: tuple[float, ...],
    inertias: tuple[float, ...],
    q: tuple[float, ...],
    head: float,
) -> bool:
    """Whether a generic mistake in any part of M and J shows in the speed that a blow takes."""
    (a, b), (light, heavy), (inner, outer), (first, second) = lengths, masses, coms, q

    def number(
        i1: float,
        first: float,
        lever: float,
        i2: float,
        own: float,
        bend: float,
        bends: float,
        end: float,
        upper: float,
        fore: float,
        felt: float,
        mixed: float,
        still: float,
        both: float,
        square: float,
    ) -> float:
        m22 = i2 + own
        m12 = m22 + bend
        m11 = i1 + first + lever + bends * (end * m22 + 2 * bend)
        reach = upper + fore
        found = felt * m22 * reach**2 - 2 * mixed * m12 * reach * fore + still * m11 * fore**2
        return found / (both * m11 * m22 - square * m12**2) + 1 / head

    lateral = heavy * a * outer
    sines = (-a * math.sin(q[0]), -b * math.sin(sum(q)))
    if not sines[1] or not sum(sines):
        return False  # a forearm, or an arm, that lies along x: its joint drops out of the blow
    parts = {
        "i1": inertias[0], "first": light * inner**2, "lever": heavy * a**2, "i2": inertias[1], "own": heavy * outer**2,
        "bend": lateral * math.cos(second), "upper": sines[0], "fore": sines[1],
    }  # fmt: skip
    parts |= dict.fromkeys(("bends", "end", "both", "square", "felt", "mixed", "still"), 1.0)
    return tells(number, parts, {
        "i1": (inertias[1],), "i2": (inertias[0],), "first": (light * inner, light * a**2, inner**2, light),
        "lever": (heavy * a, heavy * b**2, light * a**2, heavy * inner**2, a**2, heavy), "own": (heavy * outer, outer**2, heavy),
        "bend": (math.cos(second), lateral * math.cos(first), lateral * math.sin(second), lateral, lateral * math.cos(second / 2), lateral * math.cos(2 * second), lateral * math.cos(sum(q)), *(lateral * math.cos(second) / x for x in (heavy, a, outer)), lateral * math.cos(math.radians(second))),
        "upper": (-a * math.cos(q[0]), -b * math.sin(q[0]), -a, -a * q[0], -math.sin(q[0])),
        **dict(zip(("felt", "mixed", "still"), ((1 / sum(sines), 1 / sum(sines) ** 2, 1 / (inertias[1] + heavy * outer**2)), (1 / sum(sines), 1 / sines[1], 0.5 / (inertias[1] + heavy * outer**2 + lateral * math.cos(second))), (1 / sines[1], 1 / sines[1] ** 2)))),
        "fore": (-b * math.sin(q[0] + second / 2), -b * math.cos(sum(q)), -b * math.sin(second), -a * math.sin(sum(q)), -b, -math.sin(sum(q))),
    })  # fmt: skip


def _mobility(
    lengths: tuple[float, ...],
    masses: tuple[float, ...],
    coms: tuple[float, ...],
    inertias: tuple[float, ...],
    q: tuple[float, ...],
) -> list[list[float]]:
    """Return what a push of 1 N along x or y does to the hand of a 2R arm, in 1/kg."""
    (a, b), (_, c), first, second = lengths, coms, q[0], q[0] + q[1]
    end = inertias[1] + masses[1] * c**2
    bend = masses[1] * a * c * math.cos(q[1])
    m11 = inertias[0] + masses[0] * coms[0] ** 2 + masses[1] * a**2 + end + 2 * bend
    m12 = end + bend
    m22 = end
    outer = -b * math.sin(second), b * math.cos(second)
    inner = outer[0] - a * math.sin(first), outer[1] + a * math.cos(first)
    return [[(m22 * inner[i] * inner[j] - m12 * (inner[i] * outer[j] + outer[i] * inner[j]) + m11 * outer[i] * outer[j])
             / (m11 * m22 - m12**2) for j in range(2)] for i in range(2)]  # fmt: skip


def _rods(lengths: tuple[float, ...], masses: tuple[float, ...]) -> Any:
    """Return an arm of uniform rods."""
    l = np.array(lengths)
    m = np.array(masses)
    return rd.robots.planar(l, m, l / 2, m * l**2 / 12)


def _gentle(lengths: tuple[float, ...], masses: tuple[float, ...], place: tuple[float, ...], stiffness: float) -> float:
    """Return a force, in N, that some poses with the hand at the place keep and most do not, at 1 m/s along x."""
    first, second, third = lengths
    beyond = (masses[1] + masses[2], masses[2], 0.0)
    carried = [[lengths[i] * lengths[k] * (beyond[max(i, k)] + masses[max(i, k)] / (2 if i != k else 3))
                for k in range(3)] for i in range(3)]  # fmt: skip
    most = 0.0
    for step in range(120):
        last = step * math.pi / 60
        wrist = complex(*place) - third * cmath.exp(1j * last)
        cosine = (abs(wrist) ** 2 - first**2 - second**2) / (2 * first * second)
        for elbow in (math.acos(cosine), -math.acos(cosine)) if abs(cosine) < 1 else ():
            way = cmath.phase(wrist / (first + second * cmath.exp(1j * elbow)))
            turns = (way, way + elbow, last)  # absolute angles: the mobility does not mind
            rows = [[carried[i][k] * math.cos(turns[i] - turns[k]) for k in range(3)] for i in range(3)]
            across = [-length * math.sin(turn) for length, turn in zip(lengths, turns)]
            most = max(most, _solved(rows, across))
    return float(math.ceil(1.05 * math.sqrt(stiffness / most)))


def _solved(rows: list[list[float]], side: list[float]) -> float:
    """Return b . A^-1 b for a positive definite matrix: the squares of an elimination, each over its pivot."""
    total = 0.0
    side = list(side)
    for k in range(len(side)):
        total += side[k] ** 2 / rows[k][k]
        for i in range(k + 1, len(side)):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
            side[i] -= factor * side[k]
    return total


def motions(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return motions of the own arm: at rest, at steady rates, any."""
    rest = np.zeros(2)
    turns = [draw.vector(2, -3, 3) for _ in range(3)]
    rates = [draw.vector(2, 1, 2) for _ in range(3)]
    any_ = [(q, qd, draw.vector(2, 2, 4)) for q, qd in zip(turns[1:], rates[1:])]
    return [(turns[0], rest, rest), (turns[0], rates[0], rest), *any_]


def on_programs(p: Parameters, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function coefficients -> what the one that was handed in says of the program with these."""
    return lambda coefficients: function(program(coefficients))


def program(coefficients: Array) -> Callable[..., Any]:
    """Return tau(q, qd, qdd) of two sums of terms; all programs have one code, and hold one array of numbers."""

    def tau(q: Array, qd: Array, qdd: Array) -> Array:
        (a, b), (u, v) = q, qd
        shapes = np.array([1, b, b**2, np.cos(a), np.sin(a), np.cos(b), np.sin(b), np.cos(a + b), b * np.cos(a)])
        rates = np.array([1, *qdd, u**2, u * v, v**2])
        return coefficients @ rates @ shapes

    return tau


def wanted(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return states of the arm with three links, away from straight ones, and accelerations of its hand."""
    bends = [[draw.choice((-1, 1)) * draw.uniform(0.5, 1.4) for _ in range(2)] for _ in range(3)]
    return [(np.array([draw.uniform(-3, 3), *bend]), draw.vector(3, -2, 2), draw.vector(2, -4, 4)) for bend in bends]


CALLED = {
    "find-the-bug": {"inputs": motions, "arguments": "q qd qdd"},
    "write-the-test": {"inputs": drawn_elsewhere("hands", "programs"), "wrap": on_programs, "telling": True},
    "hand-torque": {"inputs": wanted, "arguments": "q qd a"},
}
