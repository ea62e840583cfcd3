"""What a notebook of "reaching" is given: each student's own arms, places, velocities, limits of motors."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import robotdyn as rd
from coursework.check.data import OtherForm, flat, squeezed
from coursework.check.parameters import Later, differ
from coursework.check.question import tells
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array
    from coursework.check.parameters import Draw, Parameters

ORDERS = {"hand": "the hand first, the third joint second", "joint": "the third joint first, the hand second"}
LEAST = 2e-3  # of an answer: what a generic mistake changes at least; 20 tolerances


def parameters(draw: Draw) -> dict[str, Any]:
    """Return two arms, a start near the stretched pose, motors that are slow, a push, and a straight path of the joints."""
    lengths = draw.apart((0.3, 0.42), (0.5, 0.65))
    bent = draw.until(lambda: _nearly_stretched(draw), lambda *one: _step_tells(lengths, *one))
    lag = draw.until(lambda: _lagging(draw), _drifts)
    three = draw.apart((0.4, 0.6), (0.3, 0.5), (0.2, 0.35))
    push = draw.until(lambda: _pushing(draw), lambda *one: _pushes(three, *one))
    masses = draw.apart((3.0, 5.0), (2.0, 4.0))
    path = draw.until(lambda: _path(draw, lengths, masses), lambda *one: _is_bounded(lengths, masses, *one))
    return {
        "lengths": lengths,
        **dict(zip(("first", "bend", "back", "mu"), bent)),
        "three": three,
        "damping": draw.rounded(0.15, 0.4),
        "pull": draw.rounded(0.4, 2.5),
        "middle": draw.until(lambda: tuple(_signed(draw, 0.2, 0.9) for _ in range(3)), differ),
        **dict(zip(("share", "speed", "off", "gain", "time"), lag)),
        "order": ORDERS[draw.choice([*ORDERS])],
        **dict(zip(("pose", "along", "motors"), push)),
        "masses": masses,
        **dict(zip(("start", "end", "limits"), path)),
        "arm": Later(lambda: _rods(lengths, masses)),
        "long": Later(lambda: rd.robots.planar(three)),
    }


def _signed(draw: Draw, low: float, high: float) -> float:
    """Return a number of that size, of either sign."""
    return draw.choice((-1, 1)) * draw.rounded(low, high)


def _nearly_stretched(draw: Draw) -> tuple[float, ...]:
    """Return both angles of a pose in which the elbow is hardly bent, how far inward the hand should go, and a damping."""
    return _signed(draw, 0.3, 1.2), _signed(draw, 0.1, 0.25), draw.rounded(0.08, 0.16), draw.rounded(0.06, 0.15)


def _step_tells(lengths: tuple[float, ...], first: float, bend: float, back: float, mu: float) -> bool:
    """Whether a generic mistake in any entry of J, in the direction or in the damping shows in the damped step."""
    (l1, l2), both = lengths, first + bend
    sides = [(size * math.cos(turn), size * math.sin(turn)) for size, turn in ((l1, first), (l2, both))]

    def number(a: float, b: float, c: float, d: float, x: float, y: float, square: float) -> list[float]:
        x, y = x / math.hypot(x, y), y / math.hypot(x, y)
        g = a * x + c * y
        h = b * x + d * y
        first = a * a + c * c + square
        mixed = a * b + c * d
        last = b * b + d * d + square
        size = first * last - mixed**2
        return [(last * g - mixed * h) / size, (first * h - mixed * g) / size]

    x, y = (sum(side) for side in zip(*sides))
    parts = {"a": -y, "b": -sides[1][1], "c": x, "d": sides[1][0], "x": -x, "y": -y, "square": mu**2}
    (inner, low), (outer, high) = sides
    some_x = (
        -inner,
        -outer,
        2 * inner + outer,
        inner + 2 * outer,
        outer - inner,
        inner - outer,
        l1 + outer,
        inner + l2,
        inner + l2 * math.cos(bend),
        low + outer,
        inner + high,
    )
    some_y = (
        low,
        high,
        2 * low + high,
        low + 2 * high,
        high - low,
        low - high,
        l1 + high,
        low + l2,
        low + l2 * math.sin(bend),
        low + l2 * both,
        l1 * first + high,
        inner + high,
        low + outer,
    )
    return tells(
        number,
        parts,
        {
            "a": [-one for one in some_y],
            "c": some_x,
            "x": [-one for one in some_x],
            "y": [-one for one in some_y],
            "b": (-l2, -l2 * both, -outer, -l2 * math.sin(bend), -math.sin(both), -l1 * math.sin(both)),
            "d": (l2, high, l2 * math.cos(bend), math.cos(both), l1 * math.cos(both)),
            "square": (mu, mu**4),
        },
        LEAST,
    )


def _lagging(draw: Draw) -> tuple[float, ...]:
    """Return the share of a rate that motors do, a speed (m/s), an error (mm), a gain (1/s) and a time (s)."""
    return (
        draw.rounded(0.8, 0.95),
        draw.rounded(0.1, 0.3),
        _signed(draw, 5.0, 20.0),
        draw.rounded(1.0, 4.0),
        draw.rounded(0.4, 1.6),
    )


def _drifts(share: float, speed: float, off: float, gain: float, time: float) -> bool:
    """Whether a generic mistake in any part of the error, and the lost share in the gain, shows in it."""

    lost = off + 1000 * (1 - share) * speed * time

    def number(missing: float, share: float, speed: float, off: float, gain: float, time: float) -> list[float]:
        stays = 1000 * missing * speed / (share * gain)
        return [lost, stays + (off - stays) * math.exp(-share * gain * time)]

    parts = {"missing": 1 - share, "share": share, "speed": speed, "off": off, "gain": gain, "time": time}
    ones = dict.fromkeys(("share", "gain", "time", "speed"), (1.0,))
    stays = 1000 * (1 - share) * speed / (share * gain)
    pieces = {"stays": stays, "apart": off - stays, "fades": math.exp(-share * gain * time)}
    told = tells(number, parts, {**ones, "missing": (1.0, share, -1.0)}, LEAST)
    told = told and tells(
        lambda stays, apart, fades: [lost, stays + apart * fades], pieces, {"apart": (1.0, off), "fades": (1.0,)}, LEAST
    )
    sizes = abs(lost), abs(number(**parts)[1])
    return told and min(sizes) > 0.25 * max(sizes) and abs(sizes[0] - sizes[1]) > 0.03 * max(sizes)


def _pushing(draw: Draw) -> tuple[Any, ...]:
    """Return three angles, the direction of a push in degrees, and the limits of three motors, N m."""
    pose = _signed(draw, 0.2, 1.0), _signed(draw, 0.4, 1.4), _signed(draw, 0.4, 1.4)
    motors = draw.apart((40, 80), (20, 40), (6, 15), digits=0)
    return pose, draw.randint(-170, 170), motors


def _pushes(lengths: tuple[float, ...], pose: tuple[float, ...], along: float, motors: tuple[float, ...]) -> bool:
    """Whether one motor is clearly the first at its limit, and a generic mistake in a lever shows.

    Torques of both signs have a part, and that of the first motor at its limit is negative: who looks for the least of
    limits over torques with their signs, or among the positive ones, finds another.
    """
    turns = pose[0], pose[0] + pose[1], sum(pose)
    c = math.cos(math.radians(along))
    s = math.sin(math.radians(along))
    parts = {f"x{i}": length * math.cos(turn) for i, (length, turn) in enumerate(zip(lengths, turns))}
    parts |= {f"y{i}": length * math.sin(turn) for i, (length, turn) in enumerate(zip(lengths, turns))}

    def number(c: float, s: float, **levers: float) -> list[float]:
        turned = [sum(levers[f"x{k}"] * s - levers[f"y{k}"] * c for k in range(i, 3)) for i in range(3)]  # by 1 N, N m
        most = min(limit / abs(one) for limit, one in zip(motors, turned))
        return [most * one for one in turned]

    right = number(c, s, **parts)
    different = min(abs(pose[i] - pose[k]) for i in range(3) for k in range(i)) > 0.05
    return (
        different
        and _one_motor_decides(right, motors)
        and tells(number, {"c": c, "s": s, **parts}, {"c": (s, 1.0), "s": (c, 1.0, math.radians(along))}, LEAST)
    )


def _one_motor_decides(torques: Sequence[float], motors: Sequence[float]) -> bool:
    """Whether one motor is clearly the first at its limit, with a negative torque, and it is neither the first nor found by sizes."""
    sizes = [abs(one) for one in torques]
    shares = [one / limit for one, limit in zip(torques, motors)]
    return (
        sorted(map(abs, shares))[1] < 0.9
        and min(shares) < -0.99
        and shares[0] > -0.9  # nobody is right who looks at the first motor alone
        and abs(min(motors) / max(sizes) - 1) > 0.05  # nor by the least limit over the largest torque
        and min(sizes) > 0.06 * max(sizes)
        and min(torques) < 0 < max(torques)
    )


def _path(draw: Draw, lengths: tuple[float, ...], masses: tuple[float, ...]) -> tuple[tuple[float, ...], ...]:
    """Return start and end of a straight path of two joints, which turn in opposite directions, and limits of the torques."""
    way = draw.choice((-1, 1))
    start = _signed(draw, 0.2, 0.9), way * draw.rounded(1.6, 2.2)
    change = way * draw.rounded(0.8, 1.4), -way * draw.rounded(1.2, 1.9)
    end = tuple(round(a + b, 2) for a, b in zip(start, change))
    limits = tuple(round(draw.uniform(1.4, 2.2) * weight, 1) for weight in _weights(lengths, masses))
    return start, end, limits


def _is_bounded(
    lengths: tuple[float, ...],
    masses: tuple[float, ...],
    start: tuple[float, ...],
    end: tuple[float, ...],
    limits: tuple[float, ...],
) -> bool:
    """Whether each motor sets a limit at the start, and the elbow's torque by an acceleration along the path changes its sign.

    The angles at the end are not alike either.
    """
    (l1, l2), (m1, m2), (d1, d2) = lengths, masses, (b - a for a, b in zip(start, end))
    coupled = [m2 * l1 * l2 / 2 * math.cos(start[1] + s * d2) for s in (0.0, 0.9)]
    elbow = [m2 * l2**2 / 3 * (d1 + d2) + one * d1 for one in coupled]
    shoulder = m1 * l1**2 / 3 * d1 + m2 * l1**2 * d1 + coupled[0] * d2 + elbow[0]
    lift = 9.81 * m2 * l2 / 2 * math.cos(sum(start))
    lifts = 9.81 * (m1 / 2 + m2) * l1 * math.cos(start[0]) + lift, lift
    ranges = [
        sorted(((-most - one) / a, (most - one) / a)) for a, most, one in zip((shoulder, elbow[0]), limits, lifts)
    ]
    (low, high), (least, most) = ranges
    apart = min(abs(low / least - 1), abs(high / most - 1)) > 0.05
    return (
        differ(*end) and apart and (low > least) == (high > most) and elbow[0] * elbow[1] < 0 and abs(elbow[1]) > 0.03
    )


def _weights(lengths: tuple[float, ...], masses: tuple[float, ...]) -> tuple[float, float]:
    """Return the most that each joint of an arm of rods must hold, N m."""
    (l1, l2), (m1, m2) = lengths, masses
    return 9.81 * (m1 * l1 / 2 + m2 * (l1 + l2 / 2)), 9.81 * m2 * l2 / 2


def _rods(lengths: tuple[float, ...], masses: tuple[float, ...]) -> Any:
    """Return an arm of uniform rods."""
    l = np.array(lengths)
    m = np.array(masses)
    return rd.robots.planar(l, m, l / 2, m * l**2 / 12)


# Where functions are called


def places(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return places in each quarter, on the axes, near the shoulder, where the arm must fold, too near and too far.

    Last those beside both ends of the reach, inside and outside of them: by a hundredth of the end to a ten-thousandth.
    """
    least = p.lengths[1] - p.lengths[0]
    most = sum(p.lengths)
    within = lambda low, high: least + draw.uniform(low, high) * (most - least)
    axes = [(within(0.4, 0.8), 0.0), (0.0, within(0.4, 0.8)), (-within(0.4, 0.8), 0.0), (0.0, -within(0.4, 0.8))]
    sizes = [within(0.3, 0.9), within(0.3, 0.9), within(0.03, 0.08), within(0.03, 0.08)]
    sizes += [draw.uniform(0.3, 0.9) * least, draw.uniform(1.05, 1.5) * most]
    turns = [draw.uniform(0.15, 0.35) * math.pi + quarter * math.pi / 2 for quarter in (1, 2, 0, 3)]
    sizes += [end * (1 + way * 10 ** draw.uniform(-4, -2)) for way in (1, -1) for end in (least, most)]
    turns += draw.numbers(6, -3, 3)
    found = [(size * math.cos(turn), size * math.sin(turn)) for size, turn in zip(sizes, turns)]
    return [*found[:4], *axes, *found[4:]]  # on an axis more than one mistake fits


def poses_or_none(p: Parameters, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of a place -> (5,): whether it says that there is no pose, and its two poses, else zeros.

    First 1 for None, 2 for what seems to mean None and is none, as a list of them or of what is no number; else 0.
    """

    def run(x: float, y: float) -> Array:
        found = function(x, y)
        if found is None or _means_none(found):
            return np.array([1.0 if found is None else 2.0, 0.0, 0.0, 0.0, 0.0])
        return np.array([0.0, *_poses(found)])

    return run


def _means_none(found: Any) -> bool:
    """Return whether all that was returned is None, or no number, in one list or another."""
    if isinstance(found, (list, tuple)) or hasattr(found, "tolist"):
        entries = found.tolist() if hasattr(found, "tolist") else found
        return all(map(_means_none, entries)) if isinstance(entries, (list, tuple)) else _means_none(entries)
    return found is None or (isinstance(found, (float, complex)) and cmath.isnan(found))


def _poses(found: Any) -> list[float]:
    """Return the four angles of two poses, of either shape of a pose, a list or a column.  Raises OtherForm."""
    asked = "two poses are asked for, [[q1, q2], [q1, q2]], or None; it returned"
    try:
        shape, entries = flat(found)
        angles = [complex(one) for one in entries]
    except (ArithmeticError, RecursionError, TypeError, ValueError):
        raise OtherForm(f"{asked} a {type(found).__name__} that holds something else") from None
    if squeezed(shape) != (2, 2):
        raise OtherForm(f"{asked} the shape {shape}")
    if not all(map(cmath.isfinite, angles)):
        raise OtherForm(f"{asked} an angle that is no finite number")
    if any(abs(one.imag) > 1e-12 * max(1.0, abs(one)) for one in angles):
        raise OtherForm(f"{asked} complex numbers: is a cosine beyond 1 there?")
    return [one.real for one in angles]


def _bent(draw: Draw) -> Array:
    """Return angles of three joints, away from stretched and folded poses."""
    return np.array([draw.uniform(-2.5, 2.5), _signed(draw, 0.5, 1.4), _signed(draw, 0.5, 1.4)])


def _hand(p: Parameters, q: Array) -> Array:
    """Return place and direction of the hand of three links, (3,)."""
    turns = np.cumsum(q)
    return np.array([p.three @ np.cos(turns), p.three @ np.sin(turns), turns[-1]])


def goals(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return poses of three links, and goals: off in place alone, in direction alone, to either side, stretched, around by a turn."""
    sign = draw.choice((-1, 1))
    aims = [(0.2, 0.0), (0.0, sign), (0.2, -0.8 * sign), (0.2, 2.3 * sign), (0.15, 0.0)]
    found = []
    for far, turned in aims:
        q = _bent(draw)
        way = draw.uniform(-3, 3)
        shift = np.array([far * math.cos(way), far * math.sin(way), turned * draw.uniform(0.8, 1.2)])
        found.append((q, _hand(p, q) + shift))
    stretched = np.array([draw.uniform(-2, 2), 0.0, 0.0])
    inward = np.array([0.8, 0.8, 1.0]) * _hand(p, stretched) + [0.0, 0.0, draw.uniform(0.3, 0.8)]
    q = found[2][0]
    goal = found[2][1].copy()
    around = draw.choice((-1, 1)) * math.tau
    return [*found, (stretched, inward), (q, goal + [0.0, 0.0, around])]


def hand_velocities(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return poses and velocities: of a hand that stands, of joints in the middle of their ranges, any."""
    v = [draw.vector(2, -0.4, 0.4) for _ in range(4)]
    middle = np.array(p.middle)
    others = [_bent(draw) for _ in range(2)]
    (wishing,) = draw.until(lambda: (_bent(draw),), lambda q: _moves_by_itself(p, q))
    return [(wishing, 0 * v[0]), (middle, v[0]), (wishing, v[1]), (others[0], v[2]), (others[1], v[3])]


def _moves_by_itself(p: Parameters, q: Array) -> bool:
    """Whether joints that are pulled to the middle of their ranges clearly move while the hand stands."""
    turns = np.cumsum(q)
    sines = np.array(p.three) * np.sin(turns)
    cosines = np.array(p.three) * np.cos(turns)
    rows = [[-sum(sines[k:]) for k in range(3)], [sum(cosines[k:]) for k in range(3)]]
    free = np.cross(*rows)  # the rates that leave the hand in its place
    return bool(p.pull * abs(free @ (q - np.array(p.middle))) > 0.1 * np.linalg.norm(free))


def two_velocities(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return poses and two velocities: nothing to do for the first task, any, nothing to do for the second, any six times.

    So many, for what should be zero in what is left for the second task comes out as zero in some poses.
    """
    found = []
    for wanted in ((0, 1), (1, 1), (1, 0), *[(1, 1)] * 6):
        v = draw.vector(2, 0.1, 0.4)
        u = draw.vector(2, -0.4, -0.1)
        hand, joint = wanted if p.order == ORDERS["hand"] else wanted[::-1]
        found.append((_bent(draw), hand * v, joint * u + 0.0))
    return found


def along_the_path(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return places on the straight path and rates: at rest, at the start, any; slow enough for some acceleration to be left."""
    (d1, d2), (l1, l2) = (b - a for a, b in zip(p.start, p.end)), p.lengths
    coupled = p.masses[1] * l1 * l2 / 2
    swung = coupled * (2 * abs(d1 * d2) + d2**2), coupled * d1**2
    spare = [limit - weight for limit, weight in zip(p.limits, _weights(p.lengths, p.masses))]
    most = math.sqrt(min(a / b for a, b in zip(spare, swung)))
    places = [0.0, draw.uniform(0.1, 0.3), draw.uniform(0.7, 0.9), 0.0]
    rates = [0.0, 0.0, 0.0, draw.uniform(0.5, 0.9) * most]
    places += [draw.uniform(0.05, 0.3), draw.uniform(0.4, 0.6), draw.uniform(0.7, 0.95)]
    return list(zip(places, rates + [draw.uniform(0.5, 0.9) * most for _ in range(3)]))


CALLED = {
    "elbows": {"inputs": places, "arguments": "x y", "wrap": poses_or_none},
    "damped-step": {"inputs": goals, "arguments": "q goal"},
    "own-wish": {"inputs": hand_velocities, "arguments": "q v"},
    "first-things": {"inputs": two_velocities, "arguments": "q v u"},
    "accelerations": {"inputs": along_the_path, "arguments": "s rate"},
}
