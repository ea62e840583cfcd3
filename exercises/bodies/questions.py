"""The assignment "bodies": turns, screws, a Jacobian in space, the inertia of a drilled block, bodies that turn freely."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from coursework.check import bodies, laws, vectors
from coursework.check.diagnosis import Said
from coursework.check.question import Credit, Question, with_parts_replaced
from coursework.check.session import assignment_module
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, At, Value
    from coursework.check.parameters import Draw, Parameters

given = assignment_module("bodies", "given")

RATES = "q1 q2 q3 qd1 qd2 qd3"
GROWTH = 100  # times, of a deviation
INCLINED = (
    (3**0.5, 1.0, 2**0.5),
    (-(3**0.5), 1.0, 2**0.5),
    (0.0, -2.0, 2**0.5),
)  # rotation times root of 6: the third axis is (1, 1, 1)


def matrices(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return inertia matrices, as (3, 3) arrays, and matrices that look like some, in an order by chance.

    They are made of second moments of mass along three axes, of which a body has no negative one. All but those that
    should not be are exactly symmetric, and what is almost flat is so by 1e-6, far above rounding.
    """

    def wide(low: float = 0.3, high: float = 1.0) -> float:
        return draw.uniform(low, high)

    def outside(x: float, y: float) -> tuple[float, ...]:
        return x, y, -0.0025 * (x + y)  # the largest moment is 0.5 % larger than the sum of the others

    bodies = [
        *(_inertia(draw, (wide(), wide(), wide()), size) for size in (1e-6, 1.0, 1.0, 1e3)),
        *(_inertia(draw, (1.0, wide(0.002, 0.02), wide(0.002, 0.02))) for _ in range(2)),
        _inertia(draw, (wide(0.8), wide(0.8), 1e-6)),
        _inertia(draw, (wide(), wide(0.1, 0.2), 1e-6)),
    ]
    others = [
        _inertia(draw, outside(wide(0.8), wide(0.8))),
        _inertia(draw, outside(wide(), wide(0.05, 0.2))),
        _inertia(draw, (1.0, wide(0.5), -wide(0.1, 0.3))),
        _inertia(draw, (1.0, -wide(0.05, 0.1), -wide(0.1, 0.2))),  # a negative moment
        _inertia(draw, (wide(0.5), wide(0.5), -wide(0.1, 0.3)), 1e-6),
        np.diag((wide(2.4, 2.6), 1.0, 1.2)),
        np.diag((1.0, wide(2.4, 2.6), 1.2)) * 1e-4,
        _symmetric(np.array(INCLINED) @ np.diag((0.3, 0.4, 1.0)) @ np.transpose(INCLINED) / 6 * wide(0.5, 2.0)),
    ]
    for row, column in ((0, 1), (1, 2), (2, 0)):
        others.append(_inertia(draw, (wide(), wide(), wide())))
        others[-1][row, column] += 1e-3 * others[-1].max()
    found = bodies + others
    draw.shuffle(found)
    return [
        (one,) for one in sorted(found, key=lambda I: I.max() < 1e-3)
    ]  # of small ones is spoken where the rest is right


def _inertia(draw: Draw, second_moments: tuple[float, ...], size: float = 1.0) -> Array:
    """The inertia matrix that three second moments of mass give, in axes drawn by chance."""
    axis = [sign * draw.uniform(0.3, 1.0) for sign in given._signs(draw, 3)]
    R = np.array(given._rotation([x / math.hypot(*axis) for x in axis], draw.uniform(0.5, 2.5)))
    moments = sum(second_moments) - np.array(second_moments)
    return _symmetric(R @ np.diag(moments) @ R.T * size * draw.uniform(0.5, 2.0))


def _symmetric(matrix: Array) -> Array:
    return (matrix + matrix.T) / 2


def _is_one_turn(p: Parameters, at: At, value: Value) -> str | None:
    """The trace of the product of both turns is 1 + 2 cos of the angle."""
    a, b = map(math.cos, p.turns)
    sentence = "One turn by that angle does not lead where the two turns lead."
    right = math.acos((a + b + a * b - 1) / 2)
    wrong = {
        "An angle between 0 and pi is asked for: the other way around the axis is shorter.": math.tau - right,
        "A trace is 1 + 2 cos of the angle: the 1 is to be subtracted.": math.acos(min(1.0, max(-1.0, (a + b + a * b) / 2))),
        "A trace is 1 + 2 cos of the angle: the factor is 2.": math.acos((a + b + a * b - 1) / 3),
        "That is a cosine: the angle is asked for.": math.cos(right),
        "Cosines of half the angles multiply, not sines.": 2 * math.asin(math.sin(p.turns[0] / 2) * math.sin(p.turns[1] / 2)),
        "The diagonal has one more entry: the product of both cosines.": math.acos(min(1.0, max(-1.0, (a + b - 1) / 2))),
        "The product of both sines stands in no diagonal entry: it is that of both cosines.": math.acos(min(1.0, max(-1.0, (a + b + math.sin(p.turns[0]) * math.sin(p.turns[1]) - 1) / 2))),
        "Angles about different axes are no more subtracted than added.": abs(p.turns[0] - p.turns[1]),
        "The trace has the product of both cosines twice.": math.acos(min(1.0, max(-1.0, (a + b + 2 * a * b - 1) / 2))),
    }  # fmt: skip
    return laws.differs(sentence, at, value, right, 1e-4, wrong=wrong)


def _slides(p: Parameters, at: At, value: Value) -> str | None:
    """The part of the shift along the axis, for a turn by one radian."""
    axis, angle = _turn(p.pose[0])
    sentence = "With that pitch the flange does not slide along its axis as far as it did."
    slide = vectors.dot(axis, p.pose[1])
    size = math.sqrt(vectors.dot(p.pose[1], p.pose[1]))
    wrong = {
        "That is the length of the shift: a pitch is the part along the axis, for each radian.": size,
        "The turn is an angle, not its sine.": slide / math.sin(angle),
        "The turn is an angle, not twice its sine.": slide / (2 * math.sin(angle)),
        "That is the part of the shift across the axis.": math.sqrt(size**2 - slide**2) / angle,
        "A sine belongs to two angles: the trace says which.": slide / (math.pi - angle),
        "A trace is 1 + 2 cos of the angle: the 1 is to be subtracted.": slide
        / math.atan2(2 * math.sin(angle), 1 + 2 * math.cos(angle)),
        "A trace is 1 + 2 cos of the angle: the 1 is to be subtracted, and the rest halved.": slide
        / (math.acos(min(1.0, max(-1.0, math.cos(angle) + 0.5))) or math.nan),
        "The axis is none of the base, of which that is the third component: it is the vector that R leaves alone; and a pitch is for each radian.": p.pose[
            1
        ][2],
        "The third column of R is where z goes: the axis is the vector that stays.": vectors.dot(
            [row[2] for row in p.pose[0]], p.pose[1]
        )
        / angle,
        "The first column of R is where x goes: the axis is the vector that stays.": vectors.dot(
            [row[0] for row in p.pose[0]], p.pose[1]
        )
        / angle,
        "The pitch is the slide by the angle, not by its cosine.": slide / math.cos(angle),
    }
    return laws.differs(sentence, at, value, slide / angle, 1e-4, wrong=wrong)


def _turn(R: tuple[tuple[float, ...], ...]) -> tuple[list[float], float]:
    """Axis and angle of a rotation matrix, of its skew part and its trace."""
    skew = [(R[2][1] - R[1][2]) / 2, (R[0][2] - R[2][0]) / 2, (R[1][0] - R[0][1]) / 2]
    sine = math.hypot(*skew)
    return [x / sine for x in skew], math.atan2(sine, (R[0][0] + R[1][1] + R[2][2] - 1) / 2)


def _camera(q: Sequence[complex]) -> list[complex]:
    """The three axes of the camera in base axes, nine numbers: roll, then pitch, then yaw about axes that stay."""
    found = list(given.AXES)
    for axis, angle in zip(given.AXES, reversed(q)):
        found = [vectors.turned(axis, angle, e) for e in found]
    return [x for e in found for x in e]


def _turns_the_camera(p: Parameters, at: At, value: Value) -> str | None:
    """Each axis e of the camera moves with w x e; what remains of w are dot products of axes and their rates."""
    q, qd = ([at[f"{name}{i}"] for i in (1, 2, 3)] for name in ("q", "qd"))
    (x, y, z), (dx, dy, dz) = (zip(*[iter(part)] * 3) for part in (_camera(q), bodies.rate(_camera, q, qd)))
    sentence = "The axes of the camera do not move with that angular velocity, given in axes of the camera."
    return laws.differs(sentence, at, value, vectors.real(map(vectors.dot, (z, x, y), (dy, dz, dx))))


def _is_motion_of_hand(p: Parameters, at: At, value: Value) -> str | None:
    """The tip and two more points of the hand move with v + w x r where one joint moves at unit rate."""
    q = at[0] + 1j * bodies.STEP * np.eye(3)  # joint k alone, for each k
    points = np.array(p.tip) + np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)]) + np.zeros((3, 1, 1))
    for kind, axis, point, angle in reversed([*zip(p.kinds, p.axes, p.points, q.T[:, :, None, None])]):
        if kind == "slide":
            points = points + angle * np.array(axis)
        else:
            arm = points - point
            along = (arm @ axis)[:, :, None] * np.array(axis)
            points = point + np.cos(angle) * (arm - along) + np.sin(angle) * (arm @ -_skew(axis)) + along
    rates = points.imag / bodies.STEP
    arms = (points - points[:, :1]).real
    gaps = np.cross(value[3:].T[:, None], arms) - (rates - rates[:, :1])
    wrong = abs(gaps).max(axis=(1, 2))
    upper = laws.differs(_of_tip(p, value[:3] - rates[:, 0].T, wrong), at, value[:3], rates[:, 0].T)
    if upper:
        return upper
    if wrong.max() <= laws.NEAR:
        return None
    close = "It is close: was something rounded?" if wrong.max() <= 0.02 else ""
    return Said(
        f"Joint {wrong.argmax() + 1} alone: the lower rows are not the angular velocity of the hand.", close=close
    )


def _of_tip(p: Parameters, off: Array, turns: Array) -> str:
    """A sentence on upper rows that are off by so much, where lower rows turn the hand wrong by `turns`, joint by joint."""
    joints = [k for k in range(3) if not abs(off[:, k]).max() <= 1e-6]
    named = {0: "", 1: "joint ", 2: "joints ", 3: "any joint"}[len(joints)]
    named += " and ".join(str(k + 1) for k in joints) if len(joints) < 3 else ""
    below = "The lower rows are wrong as well: begin with the axes."
    if joints and turns[joints].max() <= laws.NEAR:
        below = "The lower rows are right there: look at the points of the lines, and at the tip."
    if joints and all(p.kinds[k] == "slide" for k in joints):  # no point and no tip is in their columns
        below = "A joint that slides moves the tip along its axis."
    first = "" if 0 in joints else " What moves before a joint carries its line along."
    return f"The upper rows are not the velocity of the tip at unit rates of {named}. {below}{first}"


def _skew(a: Any) -> Array:
    return np.array([(0, -a[2], a[1]), (a[2], 0, -a[0]), (-a[1], a[0], 0)])


def _lines(p: Parameters, q: Array) -> tuple[Array, ...]:
    """The tip, and axis and point of each joint, where the arm stands."""
    axes = np.array(p.axes, dtype=float)
    points = np.array(p.points)
    tip = np.array(p.tip)
    for k in (2, 1, 0):
        if p.kinds[k] == "slide":
            points[k + 1 :] += q[k] * axes[k]
            tip = tip + q[k] * axes[k]
            continue
        K = _skew(axes[k])
        R = np.eye(3) + np.sin(q[k]) * K + (1 - np.cos(q[k])) * K @ K
        axes[k + 1 :] = axes[k + 1 :] @ R.T
        points[k + 1 :] = points[k] + (points[k + 1 :] - points[k]) @ R.T
        tip = points[k] + R @ (tip - points[k])
    return tip, axes, points


def _wrong_jacobian(slip: Callable[..., Any]) -> Callable[..., Any]:
    """A Jacobian with a planted mistake: slip(tip, axes, points, p) -> the upper parts of hinges, all axes."""

    def of(p: Parameters) -> Callable[..., Any]:
        def jacobian(q: Array) -> Array:
            above, below = slip(*_lines(p, q), p)
            slides = np.array([kind == "slide" for kind in p.kinds])
            return np.vstack([np.where(slides, below.T, above.T), np.where(slides, 0.0, below.T)])

        return jacobian

    return of


def _is_what_is_left(p: Parameters, at: At, value: Value) -> str | None:
    """Second moments add up over parts, the hole with negative mass; they give the inertia about the center of mass."""
    (a, b, c), (r, x, y), density = p.block, p.hole, p.density
    whole = density * a * b * c
    hole = density * math.pi * r**2 * c
    left = whole - hole
    cx = -hole * x / left
    cy = -hole * y / left
    sentence = "It is not the inertia matrix of what is left, about its own center of mass."

    def inertia(*terms: tuple[float, tuple[float, ...]]) -> list[list[float]]:
        """Of the sum of second moments, each a mass and its (xx, yy, zz, xy)."""
        xx, yy, zz, xy = (sum(mass * moments[k] for mass, moments in terms) for k in range(4))
        return [[yy + zz, -xy, 0.0], [-xy, xx + zz, 0.0], [0.0, 0.0, xx + yy]]

    block = (whole, (a**2 / 12, b**2 / 12, c**2 / 12, 0.0))
    bore = (-hole, (r**2 / 4, r**2 / 4, c**2 / 12, 0.0))
    aside = (-hole, (x**2, y**2, 0.0, x * y))
    center = (-left, (cx**2, cy**2, 0.0, cx * cy))
    moved = "of the center of mass, which the hole has moved,"
    terms = {
        "The block's own inertia": block, "The hole's own inertia": bore,
        "The parallel axis term of the hole": (-hole, (x**2, y**2, 0.0, 0.0)),
        f"The parallel axis term {moved}": (-left, (cx**2, cy**2, 0.0, 0.0)),
        "The product of inertia of the hole": (-hole, (0.0, 0.0, 0.0, x * y)),
        f"The product of inertia {moved}": (-left, (0.0, 0.0, 0.0, cx * cy)),
    }  # fmt: skip
    counted = lambda *times: inertia(*((k * mass, moments) for k, (mass, moments) in zip(times, terms.values())))
    light = hole / density
    round_part = lambda size: [
        [m + (hole * r**2 * size if i == j < 2 else 0.0) for j, m in enumerate(row)]
        for i, row in enumerate(inertia(block, bore, aside, center))
    ]
    wrong = laws.of_parts(counted, dict.fromkeys(terms, 1.0)) | {
        "The center of mass is that of what is left: divide by its mass, not by that of the whole block.": inertia(block, bore, aside, (-left * (left / whole) ** 2, center[1])),
        "A cylinder across its axis has a quarter of m r^2, beside a twelfth of m c^2: that is a thin rod's.": round_part(1 / 4),
        "A cylinder across its axis has a quarter of m r^2, beside a twelfth of m c^2: not a twelfth of both.": round_part(1 / 6),
        "A cylinder across its axis has a quarter of m r^2, beside a twelfth of m c^2: not a half.": round_part(-1 / 4),
        "A cylinder across its axis has other moments than about it: a quarter of m r^2, and a twelfth of m c^2.": [[m + hole * (r**2 / 4 + c**2 / 12 - r**2 / 2) * (i == j < 2) for j, m in enumerate(row)] for i, row in enumerate(inertia(block, bore, aside, center))],
        "From the middle to the center of mass the parallel axis theorem subtracts.": inertia(block, bore, aside, (left, (cx**2, cy**2, 0.0, -cx * cy))),
        "A block has a twelfth of the squares of its edges.": inertia((whole, (a**2, b**2, c**2, 0.0)), bore, aside, center),
        "The hole takes away mass of the same density.": inertia(block, (-light, bore[1]), (-light, aside[1]), (-(light**2) / (whole - light), aside[1])),
        "A lever arm about x is measured along y, and the other way around: the hole's are exchanged.": inertia(block, bore, (-hole, (y**2, x**2, 0.0, x * y)), center),
        "A lever arm about x is measured along y, and the other way around: those of the center of mass are exchanged.": inertia(block, bore, aside, (-left, (cy**2, cx**2, 0.0, cx * cy))),
    }  # fmt: skip
    return laws.differs(sentence, at, value, inertia(block, bore, aside, center), 1e-4, wrong=wrong)


def _drilled(slip: str, value: float) -> Callable[..., Any]:
    """An inertia of block and hole with a planted mistake: another factor at one of its parts."""

    def of(p: Parameters) -> list[list[float]]:
        parts = {
            "mass": -1.0,
            "steiner": 1.0,
            "shift": 1.0,
            "product": 1.0,
            "radius": 1.0,
            "disk": 0.5,
            "edges": 12.0,
            "turned": 0.0,
        }
        factor = with_parts_replaced(parts, slip, value)
        (a, b, c), (r, x, y), density = p.block, p.hole, p.density
        if factor["turned"]:
            a, b, x, y = b, a, y, x
        r *= factor["radius"]
        whole = density * a * b * c
        hole = factor["mass"] * density * math.pi * r**2 * c
        left = whole + hole
        cx = hole * x / left
        cy = hole * y / left
        moved = factor["steiner"] * hole
        back = factor["shift"] * left
        ixx = whole * (b**2 + c**2) / factor["edges"] + hole * (3 * r**2 + c**2) / 12 + moved * y**2 - back * cy**2
        iyy = whole * (a**2 + c**2) / factor["edges"] + hole * (3 * r**2 + c**2) / 12 + moved * x**2 - back * cx**2
        izz = whole * (a**2 + b**2) / factor["edges"] + moved * (x**2 + y**2) - back * (cx**2 + cy**2)
        izz += hole * factor["disk"] * r**2
        ixy = factor["product"] * (back * cx * cy - moved * x * y)
        return [[ixx, ixy, 0.0], [ixy, iyy, 0.0], [0.0, 0.0, izz]]

    return of


def _tells_bodies(p: Parameters, at: At, value: Value) -> str | None:
    """It says what the second moments say: a body has no negative one."""
    (I,) = at
    second_moments = np.linalg.eigvalsh(np.trace(I) / 2 * np.eye(3) - I) / np.trace(I)
    same = abs(I - I.T).max() < 1e-6 * I.max()
    body = same and second_moments[0] >= 0
    if value not in (0, 1):
        return "True or False is asked for."
    if (value > 0.5) == body:
        return None
    if body:
        kind = "in axes that are not its principal ones"
        if second_moments[1] < 0.025:
            kind = "a slender one"
        elif second_moments[0] < 0.025:
            kind = "an almost flat one"
        elif I.max() < 1e-3:
            kind = "a small one"
        return f"It refuses the inertia of a real body, {kind}."
    if not same:
        return "It lets a matrix pass that is not symmetric."
    if I.max() < 1e-3:
        return "It lets a small matrix pass that no body has: compare with a size that grows with the matrix."
    if second_moments[0] > -0.01:
        return "It lets a matrix pass that breaks a law by half a percent: rounding is far smaller."
    if 2 * max(np.diag(I)) > np.trace(I):
        return "It lets a matrix pass that breaks a law already on its diagonal."
    return "It lets a matrix pass that no body has, although its diagonal looks well: in other axes it does not."


def _parts(p: Parameters, at: At, value: Value) -> str | None:
    """R and w, of the sizes that are asked for."""
    if not isinstance(value, dict) or set(value) != {"R", "w"}:
        return 'The answer is no dict with the entries "R" and "w".'
    for name, size in {"R": (3, 3), "w": (3,)}.items():
        found = np.asarray(value[name], dtype=float).shape
        if tuple(n for n in found if n != 1) != size:
            return f"The entry {name} should have the shape {size}, it has {found}."
    return None


def _keeps_axes(p: Parameters, at: At, value: Value) -> str | None:
    """A vector of the body moves with the cross product, seen from the base."""
    if _parts(p, at, value):
        return None
    sentence = "The columns of R, the axes of the body, do not move with its angular velocity."
    return laws.differs(sentence, at, value["R"].reshape(3, 3), at[0] @ _skew(at[1]))


def _obeys_its_moment(p: Parameters, at: At, value: Value) -> str | None:
    """In base axes, where nothing turns along, the rate of R I w is the moment."""
    if _parts(p, at, value):
        return None
    (R, w, n), I = at, np.array(p.moments)
    found = R @ (_skew(w) @ (I * w) + I * value["w"].reshape(3))
    return laws.differs("The angular momentum in base axes, R I w, does not change at the rate n.", at, found, n)


def _misprinted(turning: Callable[..., Any], torque: Callable[..., Any]) -> Callable[..., Any]:
    """The rates of a listing as it is printed: turning(R, W) and torque(R, n, w x L), W the matrix of w x."""

    def of(p: Parameters) -> Callable[..., Any]:
        I = np.array(p.moments)

        def rates(R: Array, w: Array, n: Array) -> dict[str, Array]:
            W = _skew(w)
            return {"R": turning(R, W), "w": torque(R, n, W @ (I * w)) / I}

        return rates

    return of


def _brick(p: Parameters) -> tuple[float, ...]:
    """The principal moments of a kilogram of the brick, the smallest first, each times 12."""
    a, b, c = p.brick
    return b**2 + c**2, a**2 + c**2, a**2 + b**2


def _leaves(p: Parameters, at: At, value: Value) -> str | None:
    """Along the growing motion of the two linear equations."""
    first, middle, last = _brick(p)
    rate = math.sqrt((middle - first) * (last - middle) / (first * last))
    sentence = f"After so many revolutions the deviation has not grown {GROWTH} times."
    after = math.log(GROWTH) / math.tau
    wrong = {
        "The logarithm is the natural one, not that of base 2.": math.log2(GROWTH) / rate / math.tau,
        "The motion that grows alone is an exponential, no hyperbolic cosine.": math.acosh(GROWTH) / rate / math.tau,
        "How fast it grows, by the rate of the spin, has a part in it.": after,
        "Under the root differences of moments stand above, and moments below.": after / math.sqrt((middle - first) * (last - middle)),
        "A moment of a brick has the squares of the two edges across its axis, not that of the edge along it.": after / math.sqrt((p.brick[1] ** 2 - p.brick[0] ** 2) * (p.brick[2] ** 2 - p.brick[1] ** 2) / (p.brick[0] * p.brick[2]) ** 2),
        "That is the rate of the growth, by that of the spin: in what time does it make a hundred of one?": rate,
        "That is the time of an e-fold growth: a hundred times takes ln 100 of it.": 1 / rate / math.tau,
        "That is a time in radians of the spin: an e-fold growth, not a hundred times.": 1 / rate,
        "Both differences of moments count, neither is a sum.": after / math.sqrt((middle - first) * (last + middle) / (first * last)),
    } | laws.of_parts(lambda *d: after / math.sqrt(d[0] * d[1] / (first * last)), {"The difference of the first two moments": middle - first, "That of the last two": last - middle})  # fmt: skip
    return laws.differs(sentence, at, value, after / rate, 1e-4, wrong=wrong)


def _turns_until(growth: Callable[..., Any]) -> Callable[..., Any]:
    """Revolutions with a planted mistake: growth(moments, sides), by which angle the spin turns while the deviation grows e times."""
    return lambda p: math.log(GROWTH) / math.tau * growth(*_brick(p), *p.brick)


QUESTIONS = {
    "one-turn": Question(
        "two turns in one",
        tolerance=1e-4,
        laws=(_is_one_turn,),
        mistakes={
            "angles about different axes do not add up": lambda p: sum(p.turns),
            "the smaller turn has a part in it, too": lambda p: max(p.turns),
            "the one turn is no mean of the two": lambda p: sum(p.turns) / 2,
            "rotations are no vectors: their angles are not the legs of a right triangle": lambda p: math.hypot(*p.turns),
            "degrees: the angle is asked for in rad": lambda p: math.degrees(2 * math.acos(math.cos(p.turns[0] / 2) * math.cos(p.turns[1] / 2))),
            "the product of the cosines is that of half the angles": lambda p: math.acos(math.cos(p.turns[0]) * math.cos(p.turns[1])),
            "the trace is not three times the cosine": lambda p: math.acos((math.cos(p.turns[0]) + math.cos(p.turns[1]) + math.cos(p.turns[0]) * math.cos(p.turns[1])) / 3),
        },
        hints=("Write the matrices of both turns and multiply them; the order makes no difference to the angle.", "Which number of a rotation matrix depends on its angle alone?", "You need only the diagonal of the product. Test: two quarter turns make a third of a circle."),
    ),
    "pitch": Question(
        "the pitch of a displacement",
        tolerance=1e-4,
        laws=(_slides,),
        mistakes={
            "only the part of the shift along the axis of the turn is a slide": lambda p: math.hypot(*p.pose[1]) / _turn(p.pose[0])[1],
            "a pitch is meters for each radian: that is the whole slide": lambda p: vectors.dot(_turn(p.pose[0])[0], p.pose[1]),
            "the axis is not z: it is the vector that R leaves alone": lambda p: p.pose[1][2] / _turn(p.pose[0])[1],
            "m/rad is asked for, not meters for each revolution": lambda p: math.tau * vectors.dot(_turn(p.pose[0])[0], p.pose[1]) / _turn(p.pose[0])[1],
            "a part along an axis is a dot product with a unit vector, not a sum of components": lambda p: sum(p.pose[1]) / _turn(p.pose[0])[1],
            "the skew part of R is the axis times the sine of the angle: divide by its length": lambda p: vectors.dot(_turn(p.pose[0])[0], p.pose[1]) / _turn(p.pose[0])[1] * math.sin(_turn(p.pose[0])[1]),
            "R less its transpose is the axis times twice the sine of the angle: divide by its length": lambda p: vectors.dot(_turn(p.pose[0])[0], p.pose[1]) / _turn(p.pose[0])[1] * 2 * math.sin(_turn(p.pose[0])[1]),
            "the angle is in degrees": lambda p: vectors.dot(_turn(p.pose[0])[0], p.pose[1]) / math.degrees(_turn(p.pose[0])[1]),
        },
        hints=("Where are the axis and the angle of a turn to be read off in R?", "The shift has a part along the axis; the rest of it only says where the axis is.", "The skew part of R gives the axis, with its sign: if the axis is reversed, so is the angle, and the pitch stays."),
    ),
    "body-rates": Question(
        "the angular velocity in axes of the camera",
        shape=(3,),
        names=RATES,
        laws=(_turns_the_camera,),
        mistakes={
            "those are the components in axes of the base, and a gyroscope reads them in its own": lambda p: ["qd_3*cos(q_1)*cos(q_2)-qd_2*sin(q_1)", "qd_3*sin(q_1)*cos(q_2)+qd_2*cos(q_1)", "qd_1-qd_3*sin(q_2)"],
            "three rates about three axes that the other turns carry along are not the components of one vector": lambda p: ["qd_3", "qd_2", "qd_1"],
            "the three rates belong to three axes, and the yaw's is not the first: nor do they stand at right angles": lambda p: ["qd_1", "qd_2", "qd_3"],
            "the roll turns the wrong way: base axes go into camera axes by the transposed matrices": lambda p: ["qd_3+qd_1*sin(q_2)", "qd_2*cos(q_3)-qd_1*cos(q_2)*sin(q_3)", "qd_2*sin(q_3)+qd_1*cos(q_2)*cos(q_3)"],
            "the roll turns the axes of the camera under the pitch and the yaw, too": lambda p: ["qd_3-qd_1*sin(q_2)", "qd_2", "qd_1*cos(q_2)"],
            "the roll turns the axis of the yaw, too, after the pitch has": lambda p: ["qd_3-qd_1*sin(q_2)", "qd_2*cos(q_3)", "qd_1*cos(q_2)-qd_2*sin(q_3)"],
            "of the yaw's axis the pitch is undone first, then the roll: the two are in the other order": lambda p: ["qd_3-qd_1*sin(q_2)*cos(q_3)", "qd_2*cos(q_3)+qd_1*sin(q_3)", "qd_1*cos(q_2)*cos(q_3)-qd_2*sin(q_3)"],
            "the three turns are multiplied in the other order: the yaw is the first, and carries the others": lambda p: ["qd_3*cos(q_1)*cos(q_2)+qd_2*sin(q_1)", "qd_2*cos(q_1)-qd_3*sin(q_1)*cos(q_2)", "qd_1+qd_3*sin(q_2)"],
            "all three turns go the wrong way, as SymPy's rot_axis1 to rot_axis3 do, which turn axes": lambda p: ["-qd_3-qd_1*sin(q_2)", "qd_1*cos(q_2)*sin(q_3)-qd_2*cos(q_3)", "-qd_2*sin(q_3)-qd_1*cos(q_2)*cos(q_3)"],
            "sine and cosine of the roll are exchanged": lambda p: ["qd_3-qd_1*sin(q_2)", "qd_2*sin(q_3)+qd_1*cos(q_2)*cos(q_3)", "qd_2*cos(q_3)-qd_1*cos(q_2)*sin(q_3)"],
            "the pitch tilts the axes under the yaw, too": lambda p: ["qd_3", "qd_2*cos(q_3)+qd_1*sin(q_3)", "qd_1*cos(q_3)-qd_2*sin(q_3)"],
        },
        hints=("Angular velocities add: three arrows, one along each axis, all to be written in one set of axes.", "The axis of the roll is an axis of the camera. That of the pitch is one once the roll is undone.", "Carry the vertical into camera axes by two transposed matrices, the pitch's first. Test: with q = 0 each rate belongs to one axis."),
    ),
    "jacobian": Question(
        "the geometric Jacobian of your arm",
        credit=Credit(Credit.COLUMNS),  # one a joint
        shape=(6, 3),
        **given.CALLED["jacobian"],
        laws=(_is_motion_of_hand,),
        mistakes={
            "the lines are where they are at q = 0: the joints before carry them along": _wrong_jacobian(lambda tip, axes, points, p: (np.cross(p.axes, tip - p.points), np.array(p.axes))),
            "the cross product is in the other order: the tip moves with axis x arm": _wrong_jacobian(lambda tip, axes, points, p: (np.cross(tip - points, axes), axes)),
            "the lever arm begins at the joint, not at the origin of the base": _wrong_jacobian(lambda tip, axes, points, p: (np.cross(axes, tip), axes)),
            "those are the twists: their upper part is the velocity at the origin of the base, not at the tip": _wrong_jacobian(lambda tip, axes, points, p: (np.cross(points, axes), axes)),
            "the tip is carried along, too": _wrong_jacobian(lambda tip, axes, points, p: (np.cross(axes, p.tip - points), axes)),
            "a joint that slides gives its axis to the upper rows": lambda p: lambda q: np.where(np.array([kind == "slide" for kind in p.kinds]), np.vstack([np.zeros((3, 3)), _lines(p, q)[1].T]), np.vstack([np.cross(_lines(p, q)[1], _lines(p, q)[0] - _lines(p, q)[2]).T, _lines(p, q)[1].T])),
            "a joint that slides turns nothing: zeros stand below": lambda p: lambda q: np.vstack([np.where([kind == "slide" for kind in p.kinds], _lines(p, q)[1].T, np.cross(_lines(p, q)[1], _lines(p, q)[0] - _lines(p, q)[2]).T), _lines(p, q)[1].T]),
            "degrees: q is in rad": lambda p: lambda q: _wrong_jacobian(lambda tip, axes, points, p: (np.cross(axes, tip - points), axes))(p)(np.where([kind == "slide" for kind in p.kinds], q, np.radians(q))),
            "the joints turn right-handed about their axes": lambda p: lambda q: _wrong_jacobian(lambda tip, axes, points, p: (np.cross(axes, tip - points), axes))(p)(np.where([kind == "slide" for kind in p.kinds], q, -q)),
            "the linear rows come first": lambda p: lambda q: np.roll(_wrong_jacobian(lambda tip, axes, points, p: (np.cross(axes, tip - points), axes))(p)(q), 3, axis=0),
            "the joint that slides turns nothing: its axis stands above, zeros below": lambda p: lambda q: np.vstack([np.cross(_lines(p, q)[1], _lines(p, q)[0] - _lines(p, q)[2]).T, _lines(p, q)[1].T]),
        },
        hints=("One joint at a time: all others are locked. How does the tip move about that joint's line?", "The lines are given at q = 0. Joint k's line is carried along by the joints before it, the outermost of them first.", "Carry axes with the turns alone, points of lines and the tip with turns and slides; then each column follows from axis, point and tip."),
    ),
    "drilled-block": Question(
        "the inertia of a block with a hole",
        shape=(3, 3),
        tolerance=1e-4,
        laws=(laws.symmetric, _is_what_is_left),
        mistakes={
            "the hole is missing mass: what it had is to be subtracted": _drilled("mass", 1.0),
            "that is about the middle of the block, and the hole has moved the center of mass": _drilled("shift", 0.0),
            "no parallel axis theorem is there: the hole is at one side, and so is the center of mass at the other": _drilled("steiner shift", 0.0),
            "the hole is not in the middle of the block: the parallel axis theorem holds for it, too": _drilled("steiner", 0.0),
            "the first entry of p.hole is the radius, not the diameter": _drilled("radius", 0.5),
            "a cylinder about its axis has half of m r^2": _drilled("disk", 1.0),
            "a moment about x has the squares of distances along y and z": _drilled("turned", 1.0),
            "edges are counted from the middle: a twelfth of the squares, not a third": _drilled("edges", 3.0),
            "the products of inertia have the opposite sign: they are minus the integral of x y": _drilled("product", -1.0),
            "the hole is at one side in x and in y: there is a product of inertia": _drilled("product", 0.0),
        },
        hints=("Two bodies, the block and a cylinder whose mass is negative; their inertias about one common point add up.", "Take both about the middle of the block first, with the parallel axis theorem for the cylinder.", "Then find the center of mass of what is left, and go from the middle to it: backward, so the theorem subtracts. The product I_xy has a parallel axis term, too."),
    ),
    "real-body": Question(
        "a test for inertia matrices",
        **given.CALLED["real-body"],
        judged="laws",
        laws=(_tells_bodies,),
        mistakes={
            "positive moments are not enough: a largest one may still be too large": lambda p: lambda I: bool(np.allclose(I, I.T) and np.linalg.eigvalsh(I).min() > 0),
            "the diagonal depends on the axes: the law holds in all of them": lambda p: lambda I: bool(np.allclose(I, I.T) and 2 * max(np.diag(I)) <= np.trace(I)),
            "the eigenvalues were taken of a matrix that need not be symmetric": lambda p: lambda I: bool(2 * np.linalg.eigvalsh(I).max() <= np.trace(I)),
            "the answers are turned round: True is for a body": lambda p: lambda I: not (np.allclose(I, I.T) and 2 * np.linalg.eigvalsh(I).max() <= np.trace(I)),
            "it refuses nothing that is symmetric: the law on the three moments never bites": lambda p: lambda I: bool(np.allclose(I, I.T)),
            "of what is symmetric it refuses negative moments alone: the sum of all three is twice as much as the sum of two and a third": lambda p: lambda I: bool(np.allclose(I, I.T) and np.linalg.eigvalsh(I).max() <= np.trace(I)),
            "it said True to every matrix": lambda p: lambda I: True,
            "it said False to every matrix": lambda p: lambda I: False,
        },
        hints=("There are three laws: one on pairs of entries, one on each moment, one on all three moments.", "The law on three moments holds in every set of axes. In which axes is it hardest to obey?", "One of the three laws follows from another. Compare with 0, or with a size that grows with the matrix: bodies may be small."),
    ),
    "find-the-error": Question(
        "a misprinted program of a body, put right",
        **given.CALLED["find-the-error"],
        shape=None,
        printed=True,
        laws=(_parts, _keeps_axes, _obeys_its_moment),
        mistakes={
            "w is in body axes, and that is the rate of R for w in base axes": _misprinted(lambda R, W: W @ R, lambda R, n, gyro: R.T @ n - gyro),
            "the gyroscopic torque helps the moment, where it should stand with the rates": _misprinted(lambda R, W: R @ W, lambda R, n, gyro: R.T @ n + gyro),
            "n is in base axes, and the equation is in body axes": _misprinted(lambda R, W: R @ W, lambda R, n, gyro: n - gyro),
            "a part of the rate of the angular momentum is missing: the body carries it along": _misprinted(lambda R, W: R @ W, lambda R, n, gyro: R.T @ n),
            "R is not transposed in its own rate": _misprinted(lambda R, W: R.T @ W, lambda R, n, gyro: R.T @ n - gyro),
            "the rate of R is asked for, not R after a step": _misprinted(lambda R, W: R + R @ W, lambda R, n, gyro: R.T @ n - gyro),
            "w is not to be turned once more: R stands before the matrix of w x": lambda p: lambda R, w, n: {"R": _skew(R @ w), "w": (R.T @ n - _skew(w) @ (np.array(p.moments) * w)) / np.array(p.moments)},
            "the gyroscopic torque is in base axes, and the equation is in body axes": _misprinted(lambda R, W: R @ W, lambda R, n, gyro: R.T @ n - R @ gyro),
            "w is in body axes already": _misprinted(lambda R, W: R @ (R @ W @ R.T), lambda R, n, gyro: R.T @ n - gyro),
            "a moment changes the angular momentum: divide by the moments of inertia": lambda p: lambda R, w, n: {"R": R @ _skew(w), "w": R.T @ n - _skew(w) @ (np.array(p.moments) * w)},
            "the moment is divided by the moments of inertia, too, not the gyroscopic torque alone": lambda p: lambda R, w, n: {"R": R @ _skew(w), "w": R.T @ n - _skew(w) @ (np.array(p.moments) * w) / np.array(p.moments)},
            "the gyroscopic torque is divided by the moments of inertia, too": lambda p: lambda R, w, n: {"R": R @ _skew(w), "w": R.T @ n / np.array(p.moments) - _skew(w) @ (np.array(p.moments) * w)},
            "in the gyroscopic torque w is in body axes already": lambda p: lambda R, w, n: {"R": R @ _skew(w), "w": (R.T @ n - _skew(R @ w) @ (np.array(p.moments) * w)) / np.array(p.moments)},
            "R takes body axes to base axes, and n should go the other way": _misprinted(lambda R, W: R @ W, lambda R, n, gyro: R @ n - gyro),
        },
        hints=("Hand in the listing as it is printed: the check says which law it breaks.", "For each vector in the listing, say in whose axes it is; only vectors in the same axes may be added or crossed.", "Without a moment, what stays the same? Differentiate R I w by the product rule: the sign and the axes of each term follow."),
    ),
    "revolutions": Question(
        "how soon a brick leaves its middle axis",
        tolerance=1e-4,
        laws=(_leaves,),
        mistakes={
            "radians are counted, not revolutions": lambda p: math.tau * _turns_until(lambda a, b, c, *sides: math.sqrt(a * c / ((b - a) * (c - b))))(p),
            "the exponential has the base e: the logarithm is the natural one": lambda p: _turns_until(lambda a, b, c, *sides: math.sqrt(a * c / ((b - a) * (c - b))))(p) / math.log(10),
            "how long does an exponential take to reach 100? That is a logarithm": lambda p: GROWTH / math.log(GROWTH) * _turns_until(lambda a, b, c, *sides: math.sqrt(a * c / ((b - a) * (c - b))))(p),
            "the spin is about the middle axis: the other two moments stand below": _turns_until(lambda a, b, c, *sides: math.sqrt(a * b / ((b - a) * (c - b)))),
            "both differences are taken from the middle moment": _turns_until(lambda a, b, c, *sides: math.sqrt(a * c / ((c - a) * (c - b)))),
            "the rate stands squared": _turns_until(lambda a, b, c, *sides: a * c / ((b - a) * (c - b))),
            "rate and spin are exchanged": _turns_until(lambda a, b, c, *sides: math.sqrt((b - a) * (c - b) / (a * c))),
            "moments, not sides, stand in Euler's equation": _turns_until(lambda a, b, c, x, y, z: math.sqrt(x * z / ((x - y) * (y - z)))),
            "the moments in the denominator are those about the other two axes, not the middle one": _turns_until(lambda a, b, c, *sides: b / math.sqrt((b - a) * (c - b))),
        },
        hints=("Linearize Euler's equation about a spin about the middle axis; two of its rows are left.", "The deviation grows like an exponential of the time, and its rate is proportional to the spin.", "The spin drops out if you count revolutions: how often does the brick turn in the time in which the exponential reaches 100?"),
    ),
    "explain": Question(
        "what is wrong with a simulation, and how one would see it",
        judged="person",
        hints=("Are the columns of R + dt R' still of length one?", "What does a free body keep? In whose axes?", "Name quantities that can be printed at each step, and what they should be."),
    ),
}  # fmt: skip
