"""The assignment "space": what sensors on a moving arm feel, an arm that floats, the terms of arms in space."""

from __future__ import annotations

import math
from cmath import cos, sin
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from coursework.check import bodies, laws, mistakes, vectors
from coursework.check.diagnosis import Said
from coursework.check.question import ALL_OR_NOTHING, Question, with_parts_replaced
from coursework.check.session import assignment_module
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, At, Value
    from coursework.check.parameters import Parameters

given = assignment_module("space", "given")

G = 9.81
COORDINATES = "q1 q2 q3 qd1 qd2 qd3 m"


def _swing(p: Parameters) -> tuple[float, ...]:
    """The moment of inertia of rod and bob about the hinge, and their first moment."""
    (mass, length), bob = p.rod, p.bob
    return mass * length**2 / 3 + bob * length**2, mass * length / 2 + bob * length


def _is_first_reading(p: Parameters, at: At, value: Value) -> str | None:
    (mass, length), s, c = p.rod, G * math.sin(p.held), G * math.cos(p.held)

    def tilt(rod: float, bob: float, light: float, heavy: float, taken: float, felt: float) -> float:
        return math.atan2(felt - taken * s * (light + heavy) / (rod + bob), c)

    parts = {"The rod's moment of inertia": mass * length**2 / 3, "The bob's moment of inertia": p.bob * length**2,
             "The rod's weight at the hinge": mass * length / 2, "The bob's weight at the hinge": p.bob * length,
             "What the acceleration takes away": p.sensor, "What gravity does across the rod": s}  # fmt: skip
    right, (inertia, first) = tilt(*parts.values()), _swing(p)
    across = s - p.sensor * s * first / inertia
    wrong = laws.of_parts(tilt, parts) | {
        "A tilt is no small angle: it is that of two components, by the arc tangent.": p.held * (1 - p.sensor * first / inertia),
        "Two components make a tilt: a sine alone takes their sum for g, which it is not.": math.asin(max(-1.0, min(across / G, 1.0))),
        "That is by how much it is off: the tilt that it reports is asked for.": right - p.held,
        "That is by how much it is off, the other way around: the tilt that it reports is asked for.": p.held - right,
        "A moment of inertia has the square of the distance: that of the bob.": tilt(mass * length**2 / 3, p.bob * length, mass * length / 2, p.bob * length, p.sensor, s),
        "The weight pulls the arm down with the sine of the tilt, not its cosine.": math.atan2(s - p.sensor * c * first / inertia, c),
        "It is the acceleration at the sensor: angular acceleration times its distance.": math.atan2(s - s * first / inertia, c),
    }  # fmt: skip
    sentence = "At the release the specific force has not that direction from the rod."
    return laws.differs(sentence, at, value, right, 1e-4, wrong=wrong)


def _first(change: Callable[..., Any]) -> Callable[..., Any]:
    """A first reading with a planted mistake: change(p, the center of oscillation)."""
    return lambda p: math.atan(change(p, _swing(p)[0] / _swing(p)[1]) * math.tan(p.held))


def _is_reported(p: Parameters, at: At, value: Value) -> str | None:
    """At each angle the energy gives the rate, the moment of the weight the acceleration."""
    inertia, first = _swing(p)
    mass, length = p.rod

    def tilt(
        x: Array,
        tangential: float = 1.0,
        centripetal: float = 1.0,
        at_rest: float = math.cos(p.held),
        inertia: float = inertia,
        first: float = first,
    ) -> Any:
        """Return the tilt that is reported at angles x, with factors of two terms, the cosine at rest, and the moments of mass."""
        fallen = 2 * first * G * (np.cos(x) - at_rest) / inertia
        return np.arctan2(
            G * np.sin(x) * (1 - tangential * p.sensor * first / inertia),
            G * np.cos(x) + centripetal * p.sensor * fallen,
        )

    wrong = {
        "It looks as if the centripetal term was missing.": lambda x: tilt(x, centripetal=0.0),
        "The centripetal term has the opposite sign.": lambda x: tilt(x, centripetal=-1.0),
        "It looks as if the square of the rate was half as large: the energy has the factor 1/2.": lambda x: tilt(
            x, centripetal=0.5
        ),
        "The rate should be zero at both ends: the height of fall is counted from there.": lambda x: tilt(
            x, at_rest=0.0
        ),
        "It looks as if the tangential term was missing.": lambda x: tilt(x, tangential=0.0),
        "The tangential term has the opposite sign.": lambda x: tilt(x, tangential=-1.0),
        "The rate should be zero at both ends: the height of fall is counted from there, not from the bottom.": lambda x: (
            np.arctan2(
                G * np.sin(x) * (1 - p.sensor * first / inertia),
                G * np.cos(x) + p.sensor * 2 * first * G * (1 - np.cos(x)) / inertia,
            )
        ),
        "The bob falls and turns with the rod, too.": lambda x: tilt(
            x, inertia=mass * length**2 / 3, first=mass * length / 2
        ),
        "About the hinge a rod has a third of m l^2, not a twelfth.": lambda x: tilt(
            x, inertia=inertia - mass * length**2 / 4
        ),
        "The rod's weight acts at its middle.": lambda x: tilt(x, first=first + mass * length / 2),
        "That is by how much it is off: the tilt that it reports is asked for.": lambda x: tilt(x) - x,
        "That is the true tilt.": lambda x: x,
        "It has the opposite sign.": lambda x: -tilt(x),
        "The height of the line is in degrees.": lambda x: np.degrees(tilt(x)),
    }
    sentence = "The height of the line is not the tilt that the sensor reports."
    return laws.is_no_plot(sentence, value, -p.held, p.held, tilt, 0.01, wrong, ("rad", "rad"))


def _sensor(p: Parameters) -> Callable[..., Any]:
    """The place of the sensor of the head, three numbers by two angles."""
    d, l = p.head
    return lambda q: (
        l * cos(q[0]) * cos(q[1]) - d * sin(q[0]),
        l * sin(q[0]) * cos(q[1]) + d * cos(q[0]),
        l * sin(q[1]),
    )


def _feels(p: Parameters, at: At, value: Value) -> str | None:
    """Two time derivatives of the place, less free fall; each axis of the link takes its component."""
    q, qd, qdd = (part.tolist() for part in at)
    place = _sensor(p)
    ahead, behind = ([a + s * bodies.TIME * b for a, b in zip(q, qd)] for s in (1, -1))
    change = [
        (a - b) / (2 * bodies.TIME) for a, b in zip(bodies.rate(place, ahead, qd), bodies.rate(place, behind, qd))
    ]
    force = [a + b for a, b in zip(change, bodies.rate(place, q, qdd))]
    force[2] += G
    along = [
        vectors.turned((0, 0, 1), q[0], vectors.turned((0, -1, 0), q[1], e)) for e in ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    ]
    expected = vectors.real(vectors.dot(e, force) for e in along)
    sentence = "It is not the acceleration of the sensor less free fall, in axes of the link."
    return laws.differs(sentence, at, value, expected)


def _felt(slip: str, value: float) -> Callable[..., Any]:
    """A reading with a planted mistake: another factor at one of its parts."""

    def of(p: Parameters) -> Callable[..., Any]:
        parts = {
            "gravity": 1.0,
            "centripetal": 1.0,
            "tangential": 1.0,
            "carried": 1.0,
            "beside": 1.0,
            "base": 0.0,
            "level": 0.0,
        }
        factor = with_parts_replaced(parts, slip, value)

        def reading(q: Array, qd: Array, qdd: Array) -> Array:
            s = np.sin(q[1])
            c = np.cos(q[1])
            up = np.array([s, 0, c])
            arm = np.array([p.head[1], factor["beside"] * p.head[0], 0])
            w = qd[0] * up - qd[1] * np.array([0, 1, 0])
            wd = qdd[0] * up - qdd[1] * np.array([0, 1, 0]) + factor["carried"] * qd[0] * qd[1] * np.array([c, 0, -s])
            turning = factor["tangential"] * np.cross(wd, arm) + factor["centripetal"] * np.cross(w, np.cross(w, arm))
            vertical = factor["level"] * np.array([0, 0, 1]) + (1 - factor["level"]) * up
            force = factor["gravity"] * G * vertical + turning
            if factor["base"]:
                x = c * force[0] - s * force[2]
                z = s * force[0] + c * force[2]
                first = np.cos(q[0])
                second = np.sin(q[0])
                return np.array([first * x - second * force[1], second * x + first * force[1], z])
            return force

        return reading

    return of


def _runs_away(sizes: Sequence[float], limit: float) -> bool:
    """Whether errors grow, faster and faster. sizes: the largest of each part of a time, rad."""
    grown = np.diff(sizes)
    return bool(sizes[-1] > 1.5 * sizes[0] > 0.5 * limit and grown[-1] > 1.5 * grown[0])


def _follows(p: Parameters, at: At, value: Value) -> str | None:
    """In the second half of the readings the estimate stays near the motion, which is what the rates less their bias lead along."""
    start, rates, tilts = at
    if value.shape != rates.shape:
        return "An estimate is missing."
    motion = start + np.cumsum(rates - rates.mean()) * given.DT  # whole periods: the mean rate is the bias
    error = (value - motion)[given.STEPS // 2 :]
    if abs(error).max() <= p.limit:
        return None
    if np.ptp(value) < 0.1 * np.ptp(motion):
        return "The estimate hardly moves: what the gyroscope reads is its rate."
    moved = value - value.mean()
    swung = motion - motion.mean()
    along = (moved @ swung) / (swung @ swung)
    sizes = [abs(part).max() for part in np.array_split(error, 4)]
    if along < -0.5 and np.ptp(value) < 3 * np.ptp(motion):
        return "The estimate moves against the arm: with which sign is the rate added?"
    if np.ptp(value) > 10 * np.ptp(motion) and sizes[-1] < 3 * sizes[0]:
        return (
            "The estimate moves many times as far as the arm: a rate is an angle for each second, and a step is short."
        )
    if _runs_away(sizes, p.limit):
        return "The estimate leaves the truth, faster and faster: does the tilt pull it back, or push it?"
    if np.std(value - tilts) < 0.4 * np.std(tilts - motion):
        return "The estimate goes along with the accelerometer, deceived as it is: with each reading too much of its tilt gets in."
    middle = (error.max() + error.min()) / 2
    swing = np.ptp(error) / 2
    if swing > 0.7 * np.ptp(motion) / 2 and swing > p.deceived:
        return "The estimate does not follow the arm: is the rate added, times the time step, and how much does the accelerometer weigh?"
    if middle * motion.mean() < 0 and abs(middle) > 0.5 * swing:  # the bias leads away from zero, in both runs
        return Said(
            "The estimate stays nearer to zero than the arm: what the rate leads to and the tilt have weights that add up to less than 1.",
            done=True,  # what a search finds is another mixture within the bound
        )
    return _swings_or_is_off(swing, abs(middle), p.limit)


def _swings_or_is_off(swing: float, offset: float, limit: float) -> str:
    """Return which of both errors of an estimate, rad, is the larger one, in words."""
    if swing > 3 * limit or swing > offset:
        return f"The estimate swings about the truth, by {swing:.2g} rad: too much of the deceived tilt gets in, or too little of the rate."
    return f"The estimate is {offset:.2g} rad off, all the time: the bias of the gyroscope adds up for too long."


def _turns_the_body(p: Parameters, at: At, value: Value) -> str | None:
    """Shares of the angular momentum: moments about the shoulder, less what the common center of mass takes away."""
    (mass, radius), ((m1, l1), (m2, l2)) = p.body, p.links
    shares = []
    for second in (l1 + l2 / 2, l1 - l2 / 2):
        first = m1 * l1 / 2 + m2 * second
        total = mass + m1 + m2
        arm = m1 * l1**2 / 3 + m2 * (second**2 + l2**2 / 12) - first**2 / total
        shares.append(arm / (mass * radius**2 / 2 + arm))
    sentence = "With that turn the angular momentum was not zero all along the loop."
    return laws.differs(sentence, at, value, (shares[1] - shares[0]) * p.swing, 1e-4)


def _loop(
    shares: Callable[..., Any], back: float = 0.5, part: float = 12, out: float = 0.5, near: float = 1.0
) -> Callable[..., Any]:
    """A turn of the body with a planted mistake: shares(I0, straight, folded), each (inertia, distance, mass, m0).

    back, out: where the second link has its center, in its lengths, folded and straight; part: of a rod's inertia;
    near: how often the first link's distance from the center of the arm counts.
    """

    def of(p: Parameters) -> float:
        (mass, radius), ((m1, l1), (m2, l2)) = p.body, p.links
        arms = []
        for second in (l1 + out * l2, l1 - back * l2):
            d = (m1 * l1 / 2 + m2 * second) / (m1 + m2)
            own = (m1 * l1**2 + m2 * l2**2) / part + near * m1 * (l1 / 2 - d) ** 2 + m2 * (second - d) ** 2
            arms.append((own, d, m1 + m2, mass))
        return p.swing * shares(mass * radius**2 / 2, *arms)

    return of


def _floating(own: float, d: float, arm: float, body: float) -> float:
    return own + arm * body / (arm + body) * d**2


def _difference(inertia: Callable[..., Any], **other: Any) -> Callable[..., Any]:
    """Another inertia of the arm in both shares."""
    share = lambda body, arm: inertia(*arm) / (body + inertia(*arm))
    return _loop(lambda body, straight, folded: share(body, folded) - share(body, straight), **other)


def _holds(p: Parameters, at: At, value: Value) -> str | None:
    """A virtual turn about one line lifts all bodies beyond it."""
    axes, points, masses, coms = at
    lifts = [[np.cross(a, c - s)[2] for c in coms] for a, s in zip(axes, points)]
    expected = G * np.triu(lifts) @ masses
    return laws.differs(
        "A small turn of a joint does not take the work that lifts the bodies beyond it.",
        at,
        value,
        expected,
        power_of_g=1,
    )


def _carried(torque: Callable[..., Any]) -> Callable[..., Any]:
    """Torques with a planted mistake: torque(lifts, masses, axes, points, coms), lifts (joint, body)."""

    def gravity(axes: Array, points: Array, masses: Array, coms: Array) -> Array:
        arms = coms[None] - points[:, None]
        lifts = axes[:, None, 0] * arms[:, :, 1] - axes[:, None, 1] * arms[:, :, 0]
        return G * torque(lifts, masses, axes, points, coms)

    return lambda p: gravity


def _holds_energy(p: Parameters, at: At, value: Value) -> str | None:
    """Half of qd M qd is the sum of the energies of the bodies."""
    masses, inertias, rotations, Jv, Jw = at
    n = len(masses)
    for k, qd in enumerate([*np.eye(n), np.ones(n)]):
        v = Jv @ qd
        w = np.einsum("iba,ib->ia", rotations, Jw @ qd)
        energy = masses @ (v**2).sum(axis=1) + np.einsum("ia,iab,ib", w, inertias, w)
        gap = abs(qd @ value @ qd - energy)
        if not gap <= laws.NEAR * energy:
            where = f"joint {k + 1} moves alone" if k < n else "all joints move together"
            sentence = f"1/2 qd . M qd is not the kinetic energy where {where}."
            for slip in (mistakes.TWICE, mistakes.HALF):
                if abs(qd @ value @ qd - slip.factor * energy) <= laws.NEAR * energy:
                    return Said(sentence, laws.of_whole(slip), mistakes=(slip,))
            return Said(sentence, close="It is close: was something rounded?" if gap <= 0.02 * energy else "")
    return None


def _summed(inertia: Callable[..., Any]) -> Callable[..., Any]:
    """A mass matrix with a planted mistake: inertia(I, R) in place of that in base axes."""

    def mass(masses: Array, inertias: Array, rotations: Array, Jv: Array, Jw: Array) -> Array:
        parts = zip(masses, inertias, rotations, Jv, Jw)
        return sum(m * a.T @ a + b.T @ inertia(I, R) @ b for m, I, R, a, b in parts)

    return lambda p: mass


def _moves_the_mass(p: Parameters, at: At, value: Value) -> str | None:
    """Mass times acceleration, as a generalized force, where all rates stay as they are."""
    q, qd = ([at[f"{name}{i}"] for i in (1, 2, 3)] for name in ("q", "qd"))
    place = lambda q: (q[2] * cos(q[1]) * cos(q[0]), q[2] * cos(q[1]) * sin(q[0]), q[2] * sin(q[1]))
    ahead, behind = ([a + s * bodies.TIME * b for a, b in zip(q, qd)] for s in (1, -1))
    change = [
        (a - b) / (2 * bodies.TIME) for a, b in zip(bodies.rate(place, ahead, qd), bodies.rate(place, behind, qd))
    ]
    expected = [at["m"] * vectors.dot(change, bodies.rate(place, q, e)) for e in bodies.axes(3)]
    return laws.differs("That is not what keeps the three rates constant.", at, value, expected)


def _listed(numbers: Sequence[int]) -> Callable[[Parameters], list[int]]:
    """A list of numbers, for every student."""
    return lambda p: list(numbers)


def _product(a: Array, b: Array) -> Array:
    """Return the product of two quaternions, scalar first."""
    return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


def _conjugate(a: Array) -> Array:
    return a * np.array([1, -1, -1, -1])


def _short(a: Array) -> Array:
    """Return the one of a quaternion and its negative that is less than half a turn."""
    return -a if a[0] < 0 else a


def _rotation(a: Array) -> Array:
    """Return the rotation vector of a quaternion: of more than half a turn where its scalar part is negative."""
    sine = np.linalg.norm(a[1:])
    return 2 * math.atan2(sine, a[0]) / sine * a[1:]


def _of_vector(a: Array) -> Array:
    """Return the angle of a quaternion times its vector part, whose length is not 1."""
    return 2 * math.atan2(np.linalg.norm(a[1:]), a[0]) * a[1:]


def _turns_over(p: Parameters, at: At, value: Value) -> str | None:
    """The turn by this angular velocity, after the orientation now, is the goal, and no other is shorter."""
    now, goal, time = at
    right = _rotation(_short(_product(goal, _conjugate(now)))) / time
    return laws.differs(
        "That does not turn the camera to its goal in this time, the short way round.", at, value, right
    )


def _turned(
    make: Callable[[Array, Array], Array], of_time: Callable[[float], float] = lambda time: 1 / time
) -> Callable[..., Any]:
    """An angular velocity with a planted mistake: make(now, goal), by a power of the time."""
    return lambda p: lambda now, goal, time: make(np.array(now), np.array(goal)) * of_time(time)


SLIPS_OF_TURN: dict[str, Callable[..., Any]] = {
    "a quaternion and its negative are one orientation: that is the long way round, where the scalar part of the turn is negative": _turned(
        lambda a, b: _rotation(_product(b, _conjugate(a)))
    ),
    "in axes of the camera: base axes are asked for, and the order of the product decides": _turned(
        lambda a, b: _rotation(_short(_product(_conjugate(a), b)))
    ),
    "in axes of the camera, and the long way round where the scalar part is negative": _turned(
        lambda a, b: _rotation(_product(_conjugate(a), b))
    ),
    "the scalar part is the cosine of half the angle: the angle is twice as large": _turned(
        lambda a, b: _rotation(_short(_product(b, _conjugate(a)))) / 2
    ),
    "the vector part has the sine of half the angle, not half the angle": _turned(
        lambda a, b: 2 * _short(_product(b, _conjugate(a)))[1:]
    ),
    "the vector part has the sine of half the angle: it is not the rotation vector": _turned(
        lambda a, b: _short(_product(b, _conjugate(a)))[1:]
    ),
    "the vector part has the sine of half the angle, and its sign is that of the long way round": _turned(
        lambda a, b: 2 * _product(b, _conjugate(a))[1:]
    ),
    "the axis is the vector part divided by its length": _turned(
        lambda a, b: _of_vector(_short(_product(b, _conjugate(a))))
    ),
    "that is the turn from the goal to now: the other direction": _turned(
        lambda a, b: -_rotation(_short(_product(b, _conjugate(a))))
    ),
    "the conjugate of now is missing: what leads from now to the goal is the goal after now is undone": _turned(
        lambda a, b: _rotation(_short(_product(b, a)))
    ),
    "orientations do not add: the difference of two quaternions is no turn": _turned(lambda a, b: 2 * (b - a)[1:]),
    "rotation vectors do not add: their difference is that of the turn only about one axis": _turned(
        lambda a, b: _rotation(_short(b)) - _rotation(_short(a))
    ),
    "the scalar part comes first in these quaternions, not last": _turned(
        lambda a, b: _rotation(_short(_product(np.roll(b, 1), _conjugate(np.roll(a, 1)))))
    ),
    "that is the angle of the turn, over its time: the time is missing": _turned(
        lambda a, b: _rotation(_short(_product(b, _conjugate(a)))), lambda time: 1.0
    ),
    "the angle is divided by the time, not multiplied": _turned(
        lambda a, b: _rotation(_short(_product(b, _conjugate(a)))), lambda time: time
    ),
}

QUESTIONS = {
    "first-reading": Question(
        "the tilt that a sensor reports at the release",
        tolerance=1e-4,
        laws=(_is_first_reading,),
        mistakes={
            "the sensor is at rest at the release, but it is accelerated": lambda p: p.held,
            "the arm falls: the acceleration of the sensor across the rod takes away from gravity": _first(lambda p, r: 1 + p.sensor / r),
            "the bob falls and turns with the rod, too": _first(lambda p, r: 1 - p.sensor / (2 / 3 * p.rod[1])),
            "the moment of inertia is that about the hinge, not that of a point in the center of mass": _first(lambda p, r: 1 - p.sensor * (p.rod[0] + p.bob) / _swing(p)[1]),
            "about the hinge a rod has a third of m l^2, not a twelfth": _first(lambda p, r: 1 - p.sensor * _swing(p)[1] / (_swing(p)[0] - p.rod[0] * p.rod[1] ** 2 / 4)),
            "the bob is at the end of the rod": _first(lambda p, r: 1 - p.sensor * (_swing(p)[1] - p.bob * p.rod[1] / 2) / _swing(p)[0]),
            "the sensor is not at the end of the rod": _first(lambda p, r: 1 - p.rod[1] / r),
            "the sensor feels gravity across the rod, too": _first(lambda p, r: -p.sensor / r),
            "degrees: the tilt is asked for in rad": lambda p: math.degrees(_first(lambda p, r: 1 - p.sensor / r)(p)),
        },
        hints=("What does the sensor read: its acceleration, the acceleration of free fall, or a difference?", "At the release nothing moves, but the arm has an angular acceleration: the moment of the weight over the inertia, both about the hinge.", "Write the two components, along and across the rod; gravity alone would give the true tilt. The masses count by their first and second moments."),
    ),
    "plot-reported": Question(
        "a plot of the reported tilt",
        shape=None,
        judged="laws",
        laws=(_is_reported,),
        hints=("No simulation is needed: at each angle the energy tells the rate.", "Two lever-arm terms: one across the rod, from the angular acceleration, one along it, from the square of the rate.", "np.arctan2(across, along) for true tilts from -p.held to p.held; the line passes part 1 at its ends. Words and units at both axes."),
    ),
    "reading": Question(
        "the reading of an accelerometer on your head",
        **given.CALLED["reading"],
        shape=(3,),
        laws=(_feels,),
        mistakes={
            "a sensor at rest feels what holds it: gravity has the opposite sign": _felt("gravity", -1.0),
            "at rest it does not read zero: free fall is subtracted": _felt("gravity", 0.0),
            "also a steady turn accelerates: the centripetal term is missing": _felt("centripetal", 0.0),
            "the centripetal term has the opposite sign: it points to the axis": _felt("centripetal", -1.0),
            "the term of the angular acceleration is missing": _felt("tangential", 0.0),
            "the angular acceleration goes first in its product with the lever arm": _felt("tangential", -1.0),
            "the tilt turns the pan axis once, not twice": _felt("carried", 2.0),
            "the vertical is not the z axis of the link, which tilts": _felt("level", 1.0),
            "degrees: q is in rad": lambda p: lambda q, qd, qdd: _felt("gravity", 1.0)(p)(np.radians(q), qd, qdd),
            "the angular acceleration has a third part: the tilt turns the pan axis, seen from the link": _felt("carried", 0.0),
            "the sensor is beside the mast, too": _felt("beside", 0.0),
            "those are the components in base axes: the sensor reads in its own": _felt("base", 1.0),
        },
        hints=("Two ways: differentiate the place of the sensor twice in base axes and turn the result, or collect lever-arm terms in link axes.", "The point where the tilt axis meets the mast never moves, and belongs to the link: one lever arm, all turning about it.", "Where is the vertical in link axes, and how fast does it turn there? At rest, level, the reading is g along z. Test with steady panning, then with steady tilting."),
    ),
    "filter": Question(
        "a filter that stays near the truth",
        **given.CALLED["filter"],
        shape=None,
        judged="laws",
        laws=(_follows,),
        mistakes={
            "that is the tilt alone: the gyroscope has no part in it": lambda p: lambda before, rate, tilt, dt: tilt,
            "that is the gyroscope alone: its bias adds up, and nothing pulls back": lambda p: lambda before, rate, tilt, dt: before + rate * dt,
        },
        hints=("Move the estimate by the rate first; then let it leak toward the tilt.", "The leak has a time constant T: in a step it takes dt / T of the difference. Two formulas of the book say what T leaves of the bias and of the swing.", "One error grows with T, the other falls with it. Where is their sum smallest?"),
    ),
    "floating-turn": Question(
        "the turn that a loop leaves",
        tolerance=1e-4,
        laws=(_turns_the_body,),
        mistakes={
            "angular momentum is a law for rates: joints that come back do not bring the body back": lambda p: 0.0,
            "that is the way out alone, with the straight arm": _loop(lambda body, straight, folded: -_floating(*straight) / (body + _floating(*straight))),
            "the body is not held: arm and body move about their common center of mass, which the reduced mass is for": _difference(lambda own, d, arm, body: own + arm * d**2),
            "the center of the arm moves about the shoulder, too: its mass has a part in J": _difference(lambda own, d, arm, body: own),
            "body and arm share the angular momentum: whose inertia belongs below the line?": _loop(lambda body, straight, folded: (_floating(*folded) - _floating(*straight)) / body),
            "a cylinder about its axis has half of m r^2": _loop(lambda body, straight, folded: _floating(*folded) / (2 * body + _floating(*folded)) - _floating(*straight) / (2 * body + _floating(*straight))),
            "the links turn by themselves, too: each has a twelfth of m l^2 about its own center": _difference(_floating, part=math.inf),
            "a link has its center at half of its length": _difference(_floating, back=1.0, out=1.0),
            "the first link has its own distance from the center of the arm": _difference(_floating, near=0.0),
            "folded, the second link has its center half its length before the elbow": _difference(_floating, back=0.0),
            "about their own centers the links have a twelfth of m l^2, not a third": _difference(_floating, part=3),
            "on the way back the body turns the other way": _loop(lambda body, *arms: sum(_floating(*arm) / (body + _floating(*arm)) for arm in arms)),
            "those are inertias: a share is that of the arm by that of arm and body": _loop(lambda body, straight, folded: _floating(*folded) - _floating(*straight)),
            "those are the shares alone: the joint turns by p.swing, not by one": lambda p: _difference(_floating)(p) / p.swing,
            "degrees: the turn is asked for in rad": lambda p: math.degrees(_difference(_floating)(p)),
        },
        hints=("In each part of the loop, what share of the joint's motion does the body take?", "J is the inertia of the stiff arm about its own center of mass, and the reduced mass times the square of that center's distance from the shoulder. It differs for straight and folded.", "The elbow's two motions undo each other; the shoulder's do not. Where is the center of the folded arm: the second link points back along the first."),
    ),
    "gravity": Question(
        "torques that hold an arm in space",
        **given.CALLED["gravity"],
        shape=lambda p, at: (len(at[2]),),
        laws=(_holds,),
        mistakes={
            "the opposite sign: the torques hold the weight, they are not its moment": _carried(lambda lifts, masses, *lines: -np.triu(lifts) @ masses),
            "a joint carries the links beyond it as well, not only its own": _carried(lambda lifts, masses, *lines: np.diag(lifts) * masses),
            "a joint carries the links beyond it, not those before it": _carried(lambda lifts, masses, *lines: np.tril(lifts) @ masses),
            "a joint carries its own link and those beyond it, not all": _carried(lambda lifts, masses, *lines: lifts @ masses),
            "a lever arm begins on the line of the joint, not at the origin": _carried(lambda lifts, masses, axes, points, coms: np.triu(np.outer(axes[:, 0], coms[:, 1]) - np.outer(axes[:, 1], coms[:, 0])) @ masses),
            "row k is of joint k, column i of link i: transposed": _carried(lambda lifts, masses, *lines: np.triu(lifts).T @ masses),
            "weight is mass times g": _carried(lambda lifts, masses, *lines: np.triu(lifts) @ masses / G),
            "a lever arm begins on the line of the joint that turns, not of the link that hangs": _carried(lambda lifts, masses, axes, points, coms: np.triu(np.outer(axes[:, 0], (coms - points)[:, 1]) - np.outer(axes[:, 1], (coms - points)[:, 0])) @ masses),
            "the third component of the cross product lifts, not its size": _carried(lambda lifts, masses, axes, points, coms: np.triu(np.linalg.norm(np.cross(axes[:, None], coms[None] - points[:, None]), axis=2)) @ masses),
            "along its axis a joint moves nothing: that is a dot product, where a cross product belongs": _carried(lambda lifts, masses, axes, points, coms: np.triu(np.einsum("ka,kia->ki", axes, coms[None] - points[:, None])) @ masses),
            "each body that is lifted has its own mass, not that of the joint's link": _carried(lambda lifts, masses, *lines: np.triu(lifts).sum(axis=1) * masses),
            "each link has its own lever arm and its own mass: not all of the mass hangs at each": _carried(lambda lifts, masses, *lines: np.triu(lifts).sum(axis=1) * masses.sum()),
            "a joint turns about its axis: which part of axis x arm lifts?": _carried(lambda lifts, masses, axes, points, coms: np.triu((coms[None] - points[:, None])[:, :, 0]) @ masses),
            "a joint carries its own link, too": _carried(lambda lifts, masses, *lines: np.triu(lifts, 1) @ masses),
        },
        hints=("Turn joint k a little, and nothing else: which centers of mass move, and how fast do they rise?", "A point at c rises with the third component of axis x (c - point of the line).", "Power: torque times rate is weight times rate of rising, summed over the bodies that the joint carries: its own link and all later ones."),
    ),
    "mass-matrix": Question(
        "the mass matrix of any arm",
        **given.CALLED["mass-matrix"],
        shape=lambda p, at: (len(at[0]), len(at[0])),
        laws=(laws.symmetric, laws.definite, _holds_energy),
        mistakes={
            "axes are mixed: the inertias are in link axes, the Jacobians in base axes": _summed(lambda I, R: I),
            "R takes link axes to base axes, and the inertia turns the other way": _summed(lambda I, R: R.T @ I @ R),
            "a matrix is turned from both sides": _summed(lambda I, R: R @ I),
            "a mass multiplies what moves, an inertia what turns: it holds the mass already": lambda p: lambda masses, inertias, *arm: _summed(lambda I, R: R @ I @ R.T)(p)(masses, np.asarray(inertias) * np.asarray(masses)[:, None, None], *arm),
            "an arm is a sum of all its links, not the last one alone": lambda p: lambda *arm: _summed(lambda I, R: R @ I @ R.T)(p)(*(one[-1:] for one in arm)),
            "a body has its own mass, not that of all": lambda p: lambda masses, *arm: _summed(lambda I, R: R @ I @ R.T)(p)(np.full(len(masses), np.sum(masses)), *arm),
            "an arm is a sum of all its links, not the first one alone: is the return within the loop?": lambda p: lambda *arm: _summed(lambda I, R: R @ I @ R.T)(p)(*(one[:1] for one in arm)),
            "an inertia is no list of three: what stands off its diagonal has a part": lambda p: lambda masses, inertias, *arm: _summed(lambda I, R: R @ (I * np.eye(3)) @ R.T)(p)(masses, inertias, *arm),
            "the masses are missing": lambda p: lambda masses, *arm: _summed(lambda I, R: R @ I @ R.T)(p)(np.ones(len(masses)), *arm),
            "the links turn, too: their inertias are missing": _summed(lambda I, R: 0 * I),
            "a link that turns has its inertia for a factor, not one": _summed(lambda I, R: np.eye(3)),
            "the entries off the diagonal couple the joints": lambda p: lambda *arm: np.diag(np.diag(_summed(lambda I, R: R @ I @ R.T)(p)(*arm))),
            "a matrix is turned from both sides: R on the left is missing": _summed(lambda I, R: I @ R.T),
            "the energy has the factor 1/2, the mass matrix has none": lambda p: lambda *arm: _summed(lambda I, R: R @ I @ R.T)(p)(*arm) / 2,
        },
        hints=("An arm is a sum of bodies: write the kinetic energy of one of them, with its two velocities from the Jacobians.", "The inertia is known in axes of the link, the angular velocity in axes of the base: bring both into one set of axes.", "Each link adds two products of the kind (transposed Jacobian) (something) (Jacobian). A planar test would not see mixed axes."),
    ),
    "velocity-terms": Question(
        "velocity torques with the missing term",
        credit=ALL_OR_NOTHING,  # the notebook lists all the other terms
        shape=(3,),
        names=COORDINATES,
        laws=(_moves_the_mass,),
        mistakes={
            **{
                f"with this list, {words}": _listed(listing)
                for listing, words in zip(
                    given.PRINTED,
                    (
                        "running the mass out costs the turret nothing while it turns",
                        "raising the boom costs the turret nothing while it turns",
                        "turning does not press the boom toward the horizontal",
                        "running the mass out costs the boom nothing while it rises",
                        "turning does not fling the mass outward",
                        "rising does not fling the mass outward",
                    ),
                )
            },
            "a product of two different rates counts in both orders: the factor 2 is missing": lambda p: ["m*q3*cos(q2)**2*qd1*qd3-m*q3**2*sin(q2)*cos(q2)*qd1*qd2", "m*q3**2*sin(q2)*cos(q2)*qd1**2+m*q3*qd2*qd3", "-m*q3*cos(q2)**2*qd1**2-m*q3*qd2**2"],
            "the squares of rates are missing": lambda p: ["2*m*q3*cos(q2)**2*qd1*qd3-2*m*q3**2*sin(q2)*cos(q2)*qd1*qd2", "2*m*q3*qd2*qd3", "0"],
            "the products of different rates are missing": lambda p: ["0", "m*q3**2*sin(q2)*cos(q2)*qd1**2", "-m*q3*cos(q2)**2*qd1**2-m*q3*qd2**2"],
            "the slide's forces point inward: they hold the mass on its circles": lambda p: ["2*m*q3*cos(q2)**2*qd1*qd3-2*m*q3**2*sin(q2)*cos(q2)*qd1*qd2", "m*q3**2*sin(q2)*cos(q2)*qd1**2+2*m*q3*qd2*qd3", "m*q3*cos(q2)**2*qd1**2+m*q3*qd2**2"],
            "raising the boom while it turns brings the mass in: the turret has to brake": lambda p: ["2*m*q3*cos(q2)**2*qd1*qd3+2*m*q3**2*sin(q2)*cos(q2)*qd1*qd2", "m*q3**2*sin(q2)*cos(q2)*qd1**2+2*m*q3*qd2*qd3", "-m*q3*cos(q2)**2*qd1**2-m*q3*qd2**2"],
            "turning presses the boom down: it takes a torque up to hold it": lambda p: ["2*m*q3*cos(q2)**2*qd1*qd3-2*m*q3**2*sin(q2)*cos(q2)*qd1*qd2", "-m*q3**2*sin(q2)*cos(q2)*qd1**2+2*m*q3*qd2*qd3", "-m*q3*cos(q2)**2*qd1**2-m*q3*qd2**2"],
        },
        hints=("Move two joints at a time, and ask which motors must work: mass times distance is what changes.", "The kinetic energy is that of one point: three squares. Its mass matrix is diagonal, and each entry that depends on a coordinate gives terms in two rows.", "Test by power: 2 qd . h is qd . (dM/dt) qd. In the printed list one product of rates fails; in which row does it belong, and with which factor?"),
    ),
    "turning": Question(
        "the angular velocity from one orientation to another",
        **given.CALLED["turning"],
        shape=(3,),
        laws=(_turns_over,),
        mistakes=SLIPS_OF_TURN,
        hints=("Which quaternion t makes goal = t * now? Undo now on the right.", "The scalar part of t is the cosine of half the angle, its vector part the sine of half the angle times the axis. Both t and -t lead there.", "Where the scalar part is negative, take -t. Then 2 atan2(|vector|, scalar) is the angle: times the axis, over the time."),
    ),
    "explain": Question(
        "why a body turns without a spin",
        judged="person",
        hints=("Which quantity is zero all the time: an angle or a rate?", "With one joint, is the body's angle a function of the joint's?", "Walk around the loop in the plane of both joint angles: what is different on the way back?"),
    ),
}  # fmt: skip
