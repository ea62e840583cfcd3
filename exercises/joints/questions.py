"""The assignment "joints": linkages, friction, gears, springs and what holds an arm, each student's own numbers."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from coursework.check import bodies, laws
from coursework.check.diagnosis import Said
from coursework.check.question import Question
from coursework.check.session import assignment_module
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, At, Value
    from coursework.check.parameters import Parameters

CALLED = assignment_module("joints", "given").CALLED


def _counts(p: Parameters, at: At, value: Value) -> str | None:
    """Coordinates of all joints, less what closing takes away, linkage by linkage."""
    if any(abs(one - round(one)) > laws.NEAR for one in value):
        return "Freedoms are whole numbers: count them, do not round."
    value = [*map(round, value)]
    left, right = p.hands
    linkages = {
        "pinned chain": (p.chain - 2, {
            "A pin leaves the hand its angle.": p.chain - 3,
            "A pin holds a place, not a line.": p.chain - 1,
            "That is the chain with a free hand.": p.chain,
            "What the pin holds is taken away, not added.": p.chain + 2,
            "In the plane a pin takes fewer freedoms than in space.": p.chain - 6,
        }),
        "tray": (left + right - 3, {
            "The grips do not turn: it is no pin that closes the loop.": left + right - 2,
            "In the plane a pose has fewer numbers than in space.": left + right - 6,
            "That is with one of the hands free.": left + right,
            "What closes the loop is taken away, not added.": left + right + 3,
        }),
        "handle": (p.handle - 4, {
            "The handle is no wall: it moves with the door and about its own axis.": p.handle - 6,
            "The handle has more than one freedom of its own.": p.handle - 5,
            "What the handle may do and what it may not are exchanged.": p.handle - 2,
            "That is with the hand free.": p.handle,
            "The handle gives two back only after the grip has taken six: a pose has six numbers.": p.handle + 2,
            "What the handle holds is taken away, not added.": p.handle + 4,
            "What it holds counts once: the two freedoms of its own are taken away as well.": p.handle - 8,
        }),
        "platform": (6 - p.legs, {
            "That is the platform in the air, before any leg is there.": 6,
            "The sliders have no motors: they move, too.": 0,
            "Count the loops, not the legs.": 5 * p.legs - 6 * p.legs,
            "There is more than one loop.": 5 * p.legs - 6,
            "That is one leg alone.": 5,
            "A leg has a slider, too: count its freedoms again.": 4 * p.legs - 6 * (p.legs - 1),
            "A loop in space closes six numbers, not three.": 5 * p.legs - 3 * (p.legs - 1),
            "Each leg but the first closes a loop.": 5 * p.legs - 6 * (p.legs - 2),
        }),
    }  # fmt: skip
    right = [freedoms for freedoms, _ in linkages.values()]
    if value != right and value[::-1] == right:
        return "The numbers are in the other order: the first is that of the pinned chain."
    for one, (name, (freedoms, slips)) in zip(value, linkages.items()):
        if one != freedoms:
            words = [slip for slip, wrong in slips.items() if one == wrong]
            return f"The {name} has another number of freedoms. {words[0] if words else ''}".strip()
    return None


def _waits_and_slips(p: Parameters, at: At, value: Value) -> str | None:
    """The wait winds the shaft up by the torque that a slip unwinds; after the slip the link is at rest again."""
    fall = p.stiction - p.sliding
    omega = math.sqrt(p.spring / p.inertia)
    wait = 2 * fall / (p.spring * p.speed)
    lag = omega * fall / (p.spring * p.speed)
    slip = 2 * (math.pi - math.atan(lag)) / omega
    sentence = "After that wait the shaft does not pull with the stiction again."
    wrong = {
        "That is the first wait: the next begins with a shaft that still pulls.": p.stiction / (p.spring * p.speed),
        "That winds it up from the sliding friction: a slip ends as far below it as it began above.": fall
        / (p.spring * p.speed),
        "That adds both frictions: what counts is how far the torque falls.": (p.stiction + p.sliding)
        / (p.spring * p.speed),
        "That winds it up from rest to the sliding friction.": p.sliding / (p.spring * p.speed),
        "The rate of the motor is missing.": 2 * fall / p.spring,
        "That is a whole round: the slip counts by itself.": wait + slip,
        "It is twice as large: a slip unwinds the shaft from as far above the sliding friction as below.": 2 * wait,
        "Times in s are asked for, not in ms.": 1000 * wait,
        "It has the opposite sign.": -wait,
        "Wait and slip are in the other order.": slip,
    }
    wrong = {words: [one, slip] for words, one in wrong.items()}
    found = laws.differs(sentence, at, [value[0], slip], [wait, slip], 1e-4, wrong=wrong)
    if found:
        return found
    wrong = {
        "That is half a period: the link is faster than the motor when it passes the middle, and slips longer.": math.pi
        / omega,
        "That is a whole period: it sticks before.": 2 * math.pi / omega,
        "That is the other branch of the arc tangent: from the root of the equation the link is still to stop.": -2
        * math.atan(lag)
        / omega,
        "Half of the angle is asked for by the formula: the time is twice as long.": slip / 2,
        "Omega is the root of k / I.": 2 * (math.pi - math.atan(lag * omega)) / omega**2,
        "That is the angle before half a turn: the tangent is negative.": 2 * math.atan(lag) / omega,
        "That angle is beyond half a turn: there the tangent is positive.": 2 * (math.pi + math.atan(lag)) / omega,
        "The fraction stands upside down.": 2 * (math.pi - math.atan(1 / lag)) / omega,
        "It is twice as large: the angle is a half one, and so is its time.": 2 * slip,
        "The rate of the slip is the root of k / I: that is with I / k.": 2
        * (math.pi - math.atan(lag / omega**2))
        * omega,
        "In the arc tangent the rate of the slip is missing.": 2 * (math.pi - math.atan(lag / omega)) / omega,
        "The arc tangent is taken in degrees.": 2 * (180 - math.degrees(math.atan(lag))) / omega,
    }
    wrong = {words: [wait, one] for words, one in wrong.items()}
    return laws.differs("The wait is right, the slip is not.", at, [wait, value[1]], [wait, slip], 1e-4, wrong=wrong)


def _is_least_friction(p: Parameters, at: At, value: Value) -> str | None:
    """The slope of the friction torque over the rate is zero there, and above it positive: its root, by halving."""
    fall = p.stiction - p.sliding

    def crossing(rising: bool, low: float, high: float, size: float = 2.0, power: int = 2) -> float:
        for _ in range(80):
            middle = (low + high) / 2
            above = size * fall * middle / p.width * math.exp(-(middle**power)) > p.viscous
            low, high = (middle, high) if above != rising else (low, middle)
        return low * p.width

    top = math.sqrt(0.5)
    wrong = {
        "There friction begins to fall: the slope is zero a second time.": crossing(True, 0.0, top),
        "That is in degrees.": math.degrees(crossing(False, top, 30.0)),
        "That is in widths of the curve.": crossing(False, top, 30.0) / p.width,
        "What falls is the difference of stiction and sliding friction.": crossing(
            False, top, 30.0, 2 * p.stiction / fall
        ),
        "What falls is the difference of stiction and sliding friction, not the sliding friction.": crossing(
            False, top, 30.0, 2 * p.sliding / fall
        ),
        "The derivative of the square has a factor 2.": crossing(False, top, 30.0, size=1.0),
        "The rate stands in the derivative of its square, before the exponential, too.": p.width
        * math.sqrt(math.log(max(2 * fall / p.width / p.viscous, 1.0))),
        "In the exponential the rate is squared.": crossing(False, top, 30.0, power=1),
        "In the exponential and in its derivative the rate is squared.": p.width
        * math.log(max(fall / p.width / p.viscous, 1.0)),
        "The viscous friction grows with the rate: it has a part in the slope.": 30.0 * p.width,
        "That is the friction there: the rate is asked for.": p.sliding
        + fall * math.exp(-((crossing(False, top, 30.0) / p.width) ** 2))
        + p.viscous * crossing(False, top, 30.0),
        "That divides the fall of the friction by the viscous one: the curve's slope decides, not its height.": fall
        / p.viscous,
        "In the exponential the rate is divided by the width, before it is squared.": crossing(False, top, 30.0)
        / p.width**2,
    }
    sentence = "At that rate friction is not least."
    return laws.differs(sentence, at, value, crossing(False, top, 30.0), 1e-4, wrong=wrong)


def _lifts_best(p: Parameters, at: At, value: Value) -> str | None:
    """A little more and a little less of the ratio accelerates less: by the acceleration itself, in thirds."""

    def upward(ratio: float, load: float = p.load) -> float:
        return (ratio * p.motor - load) / (p.link + ratio**2 * p.rotor)

    low = p.load / p.motor
    high = p.load / p.motor + 3 * math.sqrt(p.link / p.rotor)
    for _ in range(120):
        third = (high - low) / 3
        low, high = (low + third, high) if upward(low + third) < upward(high - third) else (low, high - third)
    wrong = {
        "A ratio is positive: the quadratic equation has another root.": p.load / p.motor
        - math.sqrt((p.load / p.motor) ** 2 + p.link / p.rotor),
        "A quadratic equation is solved with a root.": (p.load / p.motor) ** 2 + p.link / p.rotor + p.load / p.motor,
        "Under the root the ratio of load to motor is squared.": p.load / p.motor
        + math.sqrt(p.load / p.motor + p.link / p.rotor),
        "The ratio of link to rotor stands under a square root.": p.load / p.motor + p.link / p.rotor,
        "That is the ratio of speeds, of joint to motor: turn it around.": 1 / low,
        "That is the acceleration of the link: the ratio is asked for at which it is greatest.": upward(low),
        "With that ratio the torque at the joint is twice the load: the rotor counts, too.": 2 * p.load / p.motor,
    }
    return laws.differs("Another ratio accelerates the link faster, upward.", at, value, low, 1e-3, wrong=wrong)


def _rings_so(p: Parameters, at: At, value: Value) -> str | None:
    """Link on a locked motor, and link and motor against each other."""
    low, high = (math.tau * frequency for frequency in (p.dip, p.peak))
    link = p.stiff / low**2
    motor = p.stiff / (high**2 - low**2)
    wrong = {
        "Frequencies in Hz are turned into rad/s first.": [p.stiff / p.dip**2, p.stiff / (p.peak**2 - p.dip**2)],
        "The second frequency is that of link and motor against each other, not of the motor alone.": [
            link,
            p.stiff / high**2,
        ],
        "Link and motor are exchanged: the dip is that of the link on a motor that stands still.": [motor, link],
        "A frequency is the root of stiffness by inertia.": [p.stiff / low, p.stiff / (high - low)],
        "Squares of frequencies are subtracted, not frequencies.": [link, p.stiff / (high - low) ** 2],
        "Those are the reciprocals: a large inertia swings slowly.": [1 / link, 1 / motor],
        "Both inertias are taken for that of the link.": [link, link],
        "A turn is 2 pi.": [4 * link, 4 * motor],
        "Hz are multiplied by 2 pi, not divided.": [link * math.tau**4, motor * math.tau**4],
        "Squares of the frequencies are subtracted, not added.": [link, p.stiff / (high**2 + low**2)],
        "Stiffnesses add up, inertias add by their reciprocals.": [link, p.stiff / high**2 - link],
        "Inertias add by their reciprocals: they are not subtracted.": [link, link - p.stiff / high**2],
        "Both frequencies are taken for those of one body on the spring.": [p.stiff / high**2, p.stiff / low**2],
    }
    sentence = "A soft joint with these inertias has its dip and its peak elsewhere."
    return laws.differs(sentence, at, value, [link, motor], 1e-3, wrong=wrong)


def _newton(p: Parameters, at: At, value: Value) -> str | None:
    """Mass times acceleration is what the forces and the constraint give; the accelerations keep the constraint."""
    mass, jacobian, force, drift = at
    qdd = value[: len(mass)]
    held = value[len(mass) :]

    def keeps(qdd: Array) -> bool:  # not so where something is not a number
        return abs(jacobian @ qdd + drift).max() <= laws.NEAR * max(1.0, abs(qdd).max())

    def balances(qdd: Array, held: Array) -> bool:
        size = max(abs(force).max(), abs(mass @ qdd).max(), abs(jacobian.T @ held).max())
        return abs(mass @ qdd - force - jacobian.T @ held).max() <= laws.NEAR * size

    if not keeps(qdd):
        if keeps(value[len(drift) :]):
            return "The multipliers stand first: n accelerations are asked for, then m multipliers."
        if keeps(-qdd) and (balances(-qdd, held) or balances(-qdd, -held)):
            return "The accelerations have the opposite sign."
        if abs(mass @ qdd - force).max() <= laws.NEAR * abs(force).max():
            return "The accelerations do not keep the constraint: they are those of the free arm."
        rounded = abs(jacobian @ qdd + drift).max() <= 1e-3 * abs(qdd).max()
        close = "It is close: was something rounded?" if rounded else ""
        return Said("The accelerations do not keep the constraint: J qdd + drift is not zero.", close=close)
    if not balances(qdd, held):
        if balances(qdd, -held):
            return "The multipliers have the opposite sign: J^T times them is the force on the arm, beside the torques."
        return "M qdd is not the sum of the force and of J^T times the multipliers."
    return None


def _wrong_hold(change: Callable[..., Any]) -> Callable[..., Any]:
    """The system of both with a planted mistake: change(M, J, force, drift) -> what is solved instead."""

    def of(p: Parameters) -> Callable[..., Any]:
        def held(M: Array, J: Array, force: Array, drift: Array) -> Array:
            M, J, force, drift = change(M, J, force, drift)
            nothing = np.zeros((len(J), len(J)))
            return np.linalg.solve(np.block([[M, -J.T], [J, nothing]]), np.concatenate([force, -drift]))

        return held

    return of


def _nearest(M: Array, J: Array, force: Array, drift: Array) -> Array:
    """The accelerations that keep the constraint, next to the free ones by squares, and the multipliers that fit them best."""
    free = np.linalg.solve(M, force)
    qdd = free - np.linalg.pinv(J) @ (J @ free + drift)
    return np.append(qdd, np.linalg.pinv(J.T) @ (M @ qdd - force))


class _Resting(NamedTuple):
    """What an arm of two joints has at rest: its mass matrix, its weight's torques (N m), and the row of J for the height."""

    M11: float
    M12: float
    M22: float
    g1: float
    g2: float
    j1: float
    j2: float

    def force(self, sign: float = 1.0, counted: float = 2.0) -> float:
        """Return the force on the hand, N, that leaves it without acceleration upward: J M^-1 g over J M^-1 J^T.

        sign: of the entries off the diagonal in the inverse of M, where they meet the weights; counted: how often, elsewhere.
        """
        A, B, C, g1, g2, j1, j2 = self
        pushed = C * j1 * g1 - sign * B * (j1 * g2 + j2 * g1) + A * j2 * g2
        return pushed / (C * j1**2 - counted * B * j1 * j2 + A * j2**2)

    def through(self, left: tuple[float, ...], right: Sequence[float]) -> float:
        """Return left M^-1 right."""
        mixed = self.M12 * (left[0] * right[1] + left[1] * right[0])
        return (self.M22 * left[0] * right[0] - mixed + self.M11 * left[1] * right[1]) / self.determinant

    @property
    def determinant(self) -> float:
        """The determinant of M."""
        return self.M11 * self.M22 - self.M12**2


PARTS = ("Entry (1, 1) of M", "What couples the joints in M", "Entry (2, 2) of M", "The weight's torque at the shoulder", "The weight's torque at the elbow", "What the shoulder does to the height of the hand", "What the elbow does to the height of the hand")  # fmt: skip


def _rod(carried: float, reach: float, turned: float) -> Callable[..., Any]:
    """Return the place of a point of a rod, at a reach from its joint, which a link of length `carried` carries."""
    return lambda q: (
        carried * cmath.cos(q[0]) + reach * cmath.cos(q[0] + turned * q[1]),
        carried * cmath.sin(q[0]) + reach * cmath.sin(q[0] + turned * q[1]),
        q[0] + turned * q[1],
    )


def _carries(p: Parameters, at: At, value: Value) -> str | None:
    """The force at which the hand, from rest, has no acceleration upward."""
    (first, second), (light, heavy) = p.lengths, p.masses
    links = [
        (light, light * first**2 / 12, _rod(0.0, first / 2, 0.0)),
        (heavy, heavy * second**2 / 12, _rod(first, second / 2, 1.0)),
    ]
    x, y = zip(*(bodies.rate(_rod(first, second, 1.0), p.q, e)[:2] for e in bodies.axes(2)))
    a, d, both = (bodies.kinetic_energy(links, p.q, e) for e in (*bodies.axes(2), [1.0, 1.0]))
    weight = bodies.weight(links, p.q, 9.81)
    arm = _Resting(2 * a, both - a - d, 2 * d, *weight, *y)
    wrong = laws.of_parts(lambda *some: _Resting(*some).force(), dict(zip(PARTS, arm)))
    wrong |= _of_levers(p, arm) | _of_mass_matrix(p, arm) | _of_force(p, arm, x)
    sentence = "With that force the hand would accelerate off the table, or into it."
    right = arm.through(y, weight) / arm.through(y, y)
    return laws.differs(sentence, at, value, right, 1e-4, power_of_g=1, wrong=wrong)


def _of_levers(p: Parameters, arm: _Resting) -> dict[str, float]:
    """Return {words: the force, N} of mistakes in the weight's torques and in J."""
    (first, second), (light, heavy) = p.lengths, p.masses
    weight = (arm.g1, arm.g2)
    y = (arm.j1, arm.j2)
    turned = second * math.cos(p.q[1])
    return {
        "The forearm points along q1 + q2: q2 is measured from the upper arm.": arm._replace(
            g1=weight[0] - weight[1] + heavy * 9.81 * turned / 2,
            g2=heavy * 9.81 * turned / 2,
            j1=y[0] - y[1] + turned,
            j2=turned,
        ).force(),
        "The forearm points along q1 + q2: its weight has the lever arm of that angle.": arm._replace(
            g1=weight[0] - weight[1] + heavy * 9.81 * turned / 2, g2=heavy * 9.81 * turned / 2
        ).force(),
        "The elbow carries the forearm: its weight is missing at the shoulder.": arm._replace(
            g1=weight[0] - heavy * 9.81 * first * math.cos(p.q[0])
        ).force(),
        "The links have their weight and their mass at their centers, spread over a rod, not at their ends.": arm._replace(
            g1=weight[0] + 9.81 * (light * first / 2 * math.cos(p.q[0]) + heavy * second / 2 * math.cos(sum(p.q))),
            g2=2 * weight[1],
        ).force(),
        "The forearm's weight acts at its center.": arm._replace(g1=weight[0] + weight[1], g2=2 * weight[1]).force(),
        "The shoulder carries the forearm's weight at its whole lever arm.": arm._replace(
            g1=weight[0] - weight[1]
        ).force(),
        "The shoulder moves the hand by the forearm, too, not by the elbow alone.": arm._replace(
            j1=y[0] - y[1]
        ).force(),
    }


def _of_mass_matrix(p: Parameters, arm: _Resting) -> dict[str, float]:
    """Return {words: the force, N} of mistakes in the mass matrix."""
    (first, second), (light, heavy) = p.lengths, p.masses
    a = arm.M11 / 2
    mixed = arm.M12
    d = arm.M22 / 2
    own = heavy * second**2 / 12
    far = light * first**2 / 12
    own_end = heavy * second**2 / 4
    bend = mixed - 2 * d
    return {
        "A rod about its end has a third of m l^2, not a twelfth.": arm._replace(
            M11=2 * a - light * first**2 / 4 - own_end, M12=mixed - own_end, M22=2 * d - own_end
        ).force(),
        "The coupling in M has the cosine of the elbow's angle.": arm._replace(
            M12=2 * d + heavy * first * second / 2, M11=2 * a - 2 * bend + heavy * first * second
        ).force(),
        "In entry (1, 1) of M the coupling is missing.": arm._replace(M11=2 * a - 2 * bend).force(),
        "In entry (1, 1) of M the coupling counts half.": arm._replace(M11=2 * a - bend).force(),
        "About its center a rod has a twelfth of m l^2, and the square of its distance is added: not to a third.": arm._replace(
            M11=2 * a + light * first**2 / 4 + own_end, M12=mixed + own_end, M22=2 * d + own_end
        ).force(),
        "The inertias of the links about their joints are four times those about their centers.": arm._replace(
            M11=2 * a - 3 * far
        ).force(),
        "The links have inertias of their own.": arm._replace(
            M11=2 * a - own - far, M12=mixed - own, M22=2 * d - own
        ).force(),
        "The forearm has an inertia of its own.": arm._replace(
            M22=2 * d - own, M12=mixed - own, M11=2 * a - own
        ).force(),
        "The shoulder moves the elbow, and the forearm's mass with it.": arm._replace(
            M11=2 * a - heavy * first**2
        ).force(),
        "In M the two joints are coupled by more than the forearm's own inertia.": arm._replace(
            M11=2 * a - 2 * bend, M12=2 * d
        ).force(),
        "The forearm's mass acts at its center: half of its length is in the coupling.": arm._replace(
            M11=2 * a + 2 * bend, M12=mixed + bend
        ).force(),
        "About its joint, not its center, a rod has a third of m l^2; the coupling alone has it.": arm._replace(
            M11=2 * a - light * first**2 / 4 + own_end, M22=2 * d - own_end
        ).force(),
    }


def _of_force(p: Parameters, arm: _Resting, x: tuple[float, ...]) -> dict[str, float]:
    """Return {words: a number} of mistakes in what is made of M, g and J; x: the row of J for the place along the table."""
    (first, second), (light, heavy) = p.lengths, p.masses
    weight = (arm.g1, arm.g2)
    y = (arm.j1, arm.j2)
    size = arm.determinant
    pulled = [arm.through(x, weight), arm.through(y, weight)]
    reach = first * math.cos(p.q[0]) + second * math.cos(sum(p.q))
    return {
        "The row of J is that of x: heights have cosines.": -pulled[0] / arm.through(x, x),
        "That is with an elbow that is locked, or a hand that cannot slide: here the elbow comes down.": weight[0]
        / reach,
        "That is the force along the table.": pulled[0] / arm.through(x, x),
        "That is all of the weight: the shoulder carries, too.": 9.81 * (light + heavy),
        "That is a mass: g is missing.": pulled[1] / arm.through(y, y) / 9.81,
        "The determinant of M stands in both numbers, above and below.": pulled[1] / arm.through(y, y) / size,
        "The determinant of M stands in both numbers, so it cancels.": pulled[1] / arm.through(y, y) * size,
        "J^T times a force fits these weights best: but nothing holds the arm still, so how does it accelerate?": (
            y[0] * weight[0] + y[1] * weight[1]
        )
        / (y[0] ** 2 + y[1] ** 2),
        "That is how the free hand would accelerate: by what a force does to it, it is to be divided.": pulled[1],
        "That is half of all the weight: the arm is not held still.": 9.81 * (light + heavy) / 2,
        "That is half of the forearm's weight, as if somebody held the elbow.": 9.81 * heavy / 2,
        "That is what the elbow and the forearm weigh: the shoulder carries, too, and both links fall.": 9.81
        * (light / 2 + heavy),
        "Both entries off the diagonal of M count.": arm.force(counted=1.0),
        "A sign is wrong where M is inverted.": arm.force(sign=-1.0),
        "Of the inverse of M the entries off the diagonal count with the weights, too.": arm.force(sign=0.0),
    }


def _fades(p: Parameters, at: At, value: Value) -> str | None:
    """What is left of an error whose rate was zero: the motion of a mass on a spring with the damping that just does not swing."""
    if not value > 0:
        return "A positive rate is asked for."
    low, high = 0.0, 60.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 + middle) * math.exp(-middle) * p.less > 1 else (low, middle)
    peak, far = 1.0, 60.0
    for _ in range(80):
        middle = (peak + far) / 2
        peak, far = (middle, far) if middle * math.exp(-middle) * p.less > 1 else (peak, middle)
    wrong = {
        "An error that is at rest at first has two parts: the one without the exponential's factor is missing.": peak
        / p.seconds,
        "A square root or a square is lost: the rule has 2 alpha and alpha^2.": math.sqrt(low / p.seconds),
        "An error at rest fades more slowly than an exponential, but not by that much.": 2
        * math.log(p.less)
        / p.seconds,
        "The rate is a number divided by the time.": low * p.seconds,
        "The rate is a number divided by the time; and the error has a double root.": math.log(p.less) * p.seconds,
        "That is the number itself by the time: fading is exponential.": p.less / p.seconds,
        "That is the product of rate and time: divide by the time.": low,
        "The rate stands once in the exponential, not twice.": low / p.seconds / 2,
        "It is rounded to a whole number.": round(low / p.seconds),
        "How often the error is to become smaller is your own number, and the root is a double one.": 4.6 / p.seconds,
        "How often the error is to become smaller is your own number; the root is a double one.": 4 / p.seconds,
        "It is rounded up to a whole number.": math.nan
        if round(low / p.seconds) > low / p.seconds
        else math.ceil(low / p.seconds),
    }
    return laws.differs(
        "With that rate the error does not fade as asked.", at, value, low / p.seconds, 1e-4, wrong=wrong
    )


QUESTIONS = {
    "freedoms": Question(
        "freedoms of four linkages",
        shape=(4,),
        laws=(_counts,),
        hints=("Count the joint coordinates as if nothing were closed.", "Closing a loop or holding a hand takes away as many as there are independent equations: ask what stays free there.", "A pin: x and y. A tray in the plane: a whole pose. A handle: six less its own freedoms. Legs: one loop less than there are legs, six equations each."),
    ),
    "stick-slip": Question(
        "how long it waits and how long it slips",
        shape=(2,),
        tolerance=1e-4,
        laws=(_waits_and_slips,),
        hints=("At the end of a wait the shaft pulls with the stiction. With which torque does a slip end?", "A slip is an oscillation about the sliding friction: it ends as far below as it began above.", "The equation for the end of the slip is one for the tangent of half an angle between pi/2 and pi."),
    ),
    "slowest": Question(
        "the slowest even motion",
        tolerance=1e-4,
        laws=(_is_least_friction,),
        mistakes={
            "that is the width of the curve: its slope and the viscous friction decide": lambda p: p.width,
            "there friction falls most steeply": lambda p: p.width * math.sqrt(0.5),
        },
        hints=("An even motion lasts if more speed means more friction.", "Differentiate the curve: the viscous part rises by b, the dry part falls.", "The slope is zero twice: plot it, and take the larger rate, by halving or scipy.optimize.brentq."),
    ),
    "gear": Question(
        "the ratio that lifts best",
        tolerance=1e-3,
        laws=(_lifts_best,),
        mistakes={
            "that is best without a load: here a part of the torque carries one": lambda p: math.sqrt(p.link / p.rotor),
            "that just holds the load, and accelerates nothing": lambda p: p.load / p.motor,
            "the load is lifted: it counts against the motor's torque": lambda p: math.sqrt((p.load / p.motor) ** 2 + p.link / p.rotor) - p.load / p.motor,
            "a part of the root of the quadratic equation is missing": lambda p: math.sqrt((p.load / p.motor) ** 2 + p.link / p.rotor),
            "the two ratios do not simply add up": lambda p: math.sqrt(p.link / p.rotor) + p.load / p.motor,
            "a square root is missing: the rotor counts with the square of the ratio": lambda p: p.link / p.rotor,
        },
        hints=("At the joint: ratio times motor torque, less the load, over all inertia.", "The rotor's inertia counts with the square of the ratio.", "The derivative by the ratio is zero: a quadratic equation, of which the larger root lifts."),
    ),
    "soft-joint": Question(
        "two inertias from two frequencies",
        shape=(2,),
        tolerance=1e-3,
        laws=(_rings_so,),
        hints=("What moves at the dip, what stands still?", "At the peak link and motor swing against each other: both inertias count.", "The squares of the angular frequencies are k/I and k/I + k/J."),
    ),
    "held": Question(
        "accelerations and forces of an arm that is held",
        **CALLED["held"],
        shape=lambda p, at: (len(at[2]) + len(at[3]),),
        laws=(_newton,),
        mistakes={
            "the sign of the drift: J qdd makes up for it": _wrong_hold(lambda M, J, force, drift: (M, J, force, -drift)),
            "the drift is missing: held points run on curves": _wrong_hold(lambda M, J, force, drift: (M, J, force, 0 * drift)),
            "the forces have the opposite sign": _wrong_hold(lambda M, J, force, drift: (M, J, -force, drift)),
            "how near accelerations are to the free ones is measured by the mass matrix, not by a sum of squares": lambda p: _nearest,
            "the mass matrix is missing": _wrong_hold(lambda M, J, force, drift: (np.eye(len(M)), J, force, drift)),
        },
        hints=("Two lines: Newton's for the joints, and the second derivative of the constraint.", "n + m linear equations for n accelerations and m multipliers: one block matrix.", "np.block([[.., ..], [.., ..]]) and np.linalg.solve; a block is zero. The force of the constraint is on the side of the torques."),
    ),
    "table": Question(
        "what the table carries",
        tolerance=1e-4,
        laws=(_carries,),
        hints=("At rest, without motors: how would the free arm accelerate, and how its hand?", "A force on the hand along y gives it an acceleration along y: one number of the mobility.", "The force times that number undoes what the free hand's acceleration along y would be; all you need is M, g and the row of J for y, and a solution with M."),
    ),
    "fade": Question(
        "a rate for errors to fade",
        tolerance=1e-4,
        laws=(_fades,),
        mistakes={
            "errors do not fade like exp(-alpha t) alone: they have a double root": lambda p: math.log(p.less) / p.seconds,
            "that is the pure exponential with twice the rate": lambda p: math.log(p.less) / (2 * p.seconds),
            "the common logarithm has no place here": lambda p: math.log10(p.less) / p.seconds,
        },
        hints=("Which equation does the error obey? Which motion from an error at rest?", "(1 + alpha t) exp(-alpha t): with alpha t = x this is an equation for x alone.", "Solve (1 + x) exp(-x) = 1 / p.less by halving or scipy.optimize.brentq, x > 1; then divide by the time."),
    ),
    "explain": Question(
        "forces that nobody can compute",
        judged="person",
        hints=("What is the rank of J when two of its rows say the same?", "Which part of the equation of motion is the same for all those multipliers?", "What would a real table, or a real table leg, add to the equations?"),
    ),
}  # fmt: skip
