"""What a notebook of "unknown" is given: each student's own arms, experiments, recordings and motions."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coursework.check.parameters import Draw, Later, differ
from coursework.check.session import drawn_elsewhere
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array
    from coursework.check.parameters import Parameters

ZEROS = {  # from where an angle counts, and how far that is from the horizontal, counterclockwise
    "the horizontal": 0.0,
    "the vertical, upward": math.pi / 2,
    "the vertical, downward": -math.pi / 2,
}
EXPERIMENTS = {
    "held": "held still in many poses, both torques are read",
    "held, shoulder": "held still in many poses, only the torque of the shoulder is read",
    "held, elbow": "held still in many poses, only the torque of the elbow is read",
    "bent": "elbow locked by a brake at 60°, the shoulder moves in any way, only its torque is read",
    "straight": "elbow locked by a brake at 0°, the shoulder moves in any way, only its torque is read",
    "forearm": "shoulder locked by a brake, the elbow moves in any way, only its torque is read",
    "shoulder": "both joints move in any way, only the torque of the shoulder is read",
    "elbow": "both joints move in any way, only the torque of the elbow is read",
    "level": "laid on its side, so that nothing weighs; both joints move in any way, both torques are read",
    "steady": "each joint turns at steady rates of every size, both torques are read",
    "steady, level": "laid on its side; each joint turns at steady rates of every size, both torques are read",
}
# s, Hz, rad: of a recording
DURATION = 8.0
RATE = 200
STEP = math.tau / 2**13
PLANNED = 8.0  # s, of a motion that the student plans


class Table(str):
    """The text of a CSV file, which shows itself by its header."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<CSV of {self.count(chr(10))} samples: {self.split(chr(10))[0]}>"


def parameters(draw: Draw) -> dict[str, Any]:
    """Return a slider, a forearm to exchange, experiments, an encoder, limits of a motion, recordings, and sums of masses."""
    twin = draw.until(lambda: _twin(draw), _differ)
    lengths = draw.apart((0.35, 0.5), (0.3, 0.45))
    limits = ((-1.6, 1.6), (-2.0, 2.0)), (draw.rounded(2.5, 3.5, 1), draw.rounded(3.5, 5.0, 1))
    height = round(lengths[0] * draw.uniform(1.1, 1.5), 2)
    number = draw.randint(10_000, 99_999)
    return {
        "zero": draw.choice([*ZEROS]), "offset": draw.choice((-1, 1)) * draw.rounded(0.1, 0.4),
        "experiments": tuple(draw.sample([*EXPERIMENTS.values()], 4)),
        **dict(zip(("lengths", "masses", "coms", "inertias", "others"), twin)),
        "bits": draw.randint(12, 17), "swing": draw.rounded(0.3, 1.2), "frequency": draw.rounded(0.3, 1.2),
        "arm": lengths, "limits": limits[0], "fastest": limits[1], "height": height,
        "bound": Later(lambda: _bound(lengths, *limits, height)),
        "number": number,
        "slow": Later(lambda: _recorded(number, lengths, 1 / 4)), "fast": Later(lambda: _recorded(number, lengths, 1.0)),
        "sums": draw.until(lambda: _sums(draw), _leave_room),
    }  # fmt: skip


def _twin(draw: Draw) -> tuple[tuple[float, ...], ...]:
    """Return lengths, masses, centers and inertias of an arm, and the masses of another."""
    lengths = draw.apart((0.6, 1.2), (0.6, 1.2))
    masses = draw.apart((2.0, 5.0), (1.2, 3.0))
    coms = draw.until(lambda: tuple(round(length * draw.uniform(0.4, 0.6), 3) for length in lengths), differ)
    inertias = tuple(round(mass * length**2 * draw.uniform(0.08, 0.12), 4) for mass, length in zip(masses, lengths))
    others = tuple(round(mass * (1 + draw.choice((-1, 1)) * draw.uniform(0.1, 0.3)), 2) for mass in masses)
    return lengths, masses, coms, inertias, others


def _differ(
    lengths: tuple[float, ...],
    masses: tuple[float, ...],
    coms: tuple[float, ...],
    inertias: tuple[float, ...],
    others: tuple[float, ...],
) -> bool:
    """Whether bodies with the other masses exist, and are not those of a typical mistake."""
    (far, _), (light, heavy), (c, d), (one, two), (lighter, heavier) = lengths, masses, coms, inertias, others
    moved = light * c + (heavy - heavier) * far
    own = heavy * d
    turning = one + light * c**2 + (heavy - heavier) * far**2 - moved**2 / lighter
    forearm = two + heavy * d**2 - own**2 / heavier
    places = moved / lighter, light * c / lighter, c
    gaps = [abs(a - b) for a, b in ((places[0], places[1]), (places[0], places[2]), (turning, one), (forearm, two))]
    return turning > 0.05 and forearm > 0.02 and 0.1 < places[0] < far and min(gaps) > 0.03


def _sums(draw: Draw) -> tuple[float, tuple[float, ...]]:
    """Return the length of an upper arm, and four sums that a two-link arm reveals."""
    length = draw.rounded(0.5, 1.0)
    first = draw.rounded(2.0, 5.0)
    second = draw.rounded(1.0, 2.5)
    c = length * draw.uniform(0.35, 0.6)
    d = draw.uniform(0.2, 0.4)
    one = first * length**2 * draw.uniform(0.06, 0.1)
    two = second * d**2 * draw.uniform(0.2, 0.6)
    b = first * c + second * length, one + first * c**2 + second * length**2, second * d, two + second * d**2
    return length, tuple(round(x, 4) for x in b)


def _leave_room(length: float, b: tuple[float, ...]) -> bool:
    """Whether the bounds of the mass are apart from each other and from what they may be taken for."""
    low = b[2] ** 2 / b[3]
    high = b[1] / length**2
    others = b[0] / length, b[1] / length, b[2] / length, b[0] ** 2 / b[1]
    return high > 1.3 * low and all(abs(one / bound - 1) > 0.03 for one in others for bound in (low, high))


def motions(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return motions of guide and slider: at rest, at steady rates, any."""
    zero = np.zeros(2)
    q = [np.array([draw.uniform(-3, 3), draw.uniform(0.5, 1.5)]) for _ in range(4)]
    rates = [np.array([draw.choice((-1, 1)) * draw.uniform(1, 3) for _ in range(2)]) for _ in range(4)]
    faster = [np.array([draw.choice((-1, 1)) * draw.uniform(1, 5) for _ in range(2)]) for _ in range(2)]
    still = [(q[0], zero, zero), (q[1], zero, zero)]
    return [*still, (q[0], rates[0], zero), (q[1], rates[1], zero), *zip(q[2:], rates[2:], faster)]


def columns(length: float, q: Array, qd: Array, qdd: Array) -> Array:
    """Return what each of eight numbers adds to the torques of two links, (..., 2, 8): four sums, then friction."""
    (a, b), (u, v), (x, y) = (np.moveaxis(np.asarray(part), -1, 0) for part in (q, qd, qdd))
    c1 = np.cos(a)
    c2 = np.cos(b)
    s2 = np.sin(b)
    c12 = np.cos(a + b)
    none = 0 * a
    elbow = length * (c2 * (2 * x + y) - s2 * (2 * u * v + v**2)) + 9.81 * c12
    first = [9.81 * c1, x, elbow, x + y, u, none, np.sign(u), none]
    second = [none, none, length * (c2 * x + s2 * u**2) + 9.81 * c12, x + y, none, v, none, np.sign(v)]
    return np.stack([np.stack(first, -1), np.stack(second, -1)], -2)


def sines(
    t: Array, center: list[float], amplitudes: Array, rate: float, phases: tuple[list[float], ...]
) -> tuple[Array, ...]:
    """Return q, qd, qdd (T, n) of joints that swing with several multiples of a rate: amplitudes, phases (n, k)."""
    turning = rate * np.arange(1, len(amplitudes[0]) + 1)
    angle = t[:, None, None] * turning + np.asarray(phases)
    size = np.asarray(amplitudes)
    q = np.asarray(center) + (size * np.sin(angle)).sum(-1)
    return q, (size * turning * np.cos(angle)).sum(-1), -(size * turning**2 * np.sin(angle)).sum(-1)


def swings(draw: Draw, t: Array, share: float = 1.0, speed: float = 1.0) -> tuple[Array, ...]:
    """Return a motion of two joints, drawn: three sines each; share: of its size and of its speed; speed: more of that."""

    def both(*joints: tuple[list[float], ...]) -> bool:
        """Whether the accelerations of the joints do not cancel: else the forearm would hardly turn."""
        waves = [[k**2 * cmath.rect(*one) for k, one in enumerate(zip(*joint), start=1)] for joint in joints]
        return sum(abs(a + b) ** 2 for a, b in zip(*waves)) > sum(abs(a) ** 2 + abs(b) ** 2 for a, b in zip(*waves))

    def joint() -> tuple[list[float], ...]:
        return [size * draw.uniform(0.8, 1.2) for size in (0.6, 0.4, 0.3)], draw.numbers(3, 0, math.tau)

    (first, early), (second, late) = draw.until(lambda: (joint(), joint()), both)
    sizes = share * np.array([first, second])
    phases = (early, late)
    center = draw.numbers(2, -0.4, 0.4)
    return sines(t, center, sizes, share * speed * math.tau / draw.uniform(2.4, 3.0), phases)


def robot(number: int, length: float) -> list[float]:
    """Return the eight numbers of the robot with a serial number: what nobody knows who has only its recordings."""
    draw = Draw(f"robot {number}")
    first = draw.uniform(2.5, 3.5)
    second = draw.uniform(1.2, 2.0)
    c = draw.uniform(0.4, 0.5) * length
    d = draw.uniform(0.13, 0.18)
    one = draw.uniform(0.05, 0.1)
    two = draw.uniform(0.05, 0.08)
    sums = first * c + second * length, one + first * c**2 + second * length**2, second * d, two + second * d**2
    return [*sums, draw.uniform(0.6, 1.0), draw.uniform(0.3, 0.5), draw.uniform(1.4, 2.0), draw.uniform(0.6, 0.9)]


def _recorded(number: int, lengths: tuple[float, ...], share: float) -> str:
    """Return the text of a CSV file: the robot moved, angles from an encoder, in degrees, torques with noise."""
    draw = Draw(f"recording {number} {share}")
    t = np.arange(0, DURATION, 1 / RATE)
    q, qd, qdd = swings(draw, t, share)
    torque = columns(lengths[0], q, qd, qdd) @ robot(number, lengths[0])
    torque += np.array([[draw.gauss(0, 0.25), draw.gauss(0, 0.08)] for _ in t])
    table = np.column_stack([t, np.degrees(STEP * np.round(q / STEP)), torque])
    lines = [f"{t:.3f}, {a:.5f}, {b:.5f}, {x:.3f}, {y:.3f}" for t, a, b, x, y in table.tolist()]
    return Table("\n".join(["t [s], q1 [deg], q2 [deg], tau1 [N m], tau2 [N m]", *lines]))


def unseen(p: Parameters, draw: Draw) -> tuple[Array, ...]:
    """Return a motion that no recording holds."""
    return swings(draw, np.linspace(0, 5.0, 150), speed=1.3)


def planned(plan: Any) -> tuple[Array, ...]:
    """Return the samples of one sine a joint: rows of center, amplitude, rate and phase."""
    t = np.arange(0, PLANNED, 0.04)
    center, size, rate, phase = np.asarray(plan, dtype=float).T
    angle = t[:, None] * rate + phase
    return center + size * np.sin(angle), size * rate * np.cos(angle), -size * rate**2 * np.sin(angle)


def condition(length: float, motion: tuple[Array, ...]) -> float:
    """Return the condition number of the four sums and of viscous friction, in SI units."""
    singular = np.linalg.svd(columns(length, *motion)[..., :6].reshape(-1, 6), compute_uv=False)
    return singular[0] / singular[-1]


def clear(lengths: tuple[float, ...], q: Array) -> float:
    """Return how far the hand stays above the height of the shoulder at least, in m; negative: below."""
    first = q[:, 0]
    both = q.sum(1)
    return (lengths[0] * np.sin(first) + lengths[1] * np.sin(both)).min()


def _bound(
    lengths: tuple[float, ...], limits: tuple[tuple[float, ...], ...], fastest: tuple[float, ...], height: float
) -> float:
    """Return a condition number that a patient search keeps, and a motion that was not thought about does not."""
    draw = Draw(f"plans {lengths} {height}")
    found: list[float] = []
    while len(found) < 20:
        plan = []
        for (low, high), fast in zip(limits, fastest):
            size = draw.uniform(0.4, 1.0) * (high - low) / 2
            center = draw.uniform(low + size, high - size)
            plan.append([center, size, draw.uniform(0.5, 1.0) * fast / size, draw.uniform(0, math.tau)])
        motion = planned(plan)
        if clear(lengths, motion[0]) > -height:
            found.append(condition(lengths[0], motion))
    return float(math.ceil(1.25 * min(found)))


CALLED = {
    "row": {"inputs": motions, "arguments": "q qd qdd"},
    "is-a-body": {"inputs": drawn_elsewhere("unknown", "bodies"), "arguments": "ten", "telling": True},
}
