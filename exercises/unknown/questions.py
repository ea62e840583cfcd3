"""The assignment "unknown": what torques are linear in, what they hide, and a robot that is weighed by moving it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from coursework.check import laws
from coursework.check.diagnosis import Said
from coursework.check.question import Question
from coursework.check.session import assignment_module
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, At, Value
    from coursework.check.parameters import Draw, Parameters

given = assignment_module("unknown", "given")

UNKNOWNS = ("m1 c1", "I1 + I2", "m2", "m2 c2")
GOOD = 0.05  # of the torques, root mean square: what a model may miss on a motion that it has not seen


def bodies(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return sets of ten numbers (m, m c, Ixx, Iyy, Izz, Ixy, Ixz, Iyz), some of bodies and some of none."""
    kinds = ["body", "near body", "mass", "moment", "two moments", "triangle", "far triangle", "farther triangle", "far moment"]  # fmt: skip
    draw.shuffle(kinds)
    return [
        (_ten(draw, kind),) for kind in ("central body", "straight body", *kinds)
    ]  # what has one mark alone comes first


def _ten(draw: Draw, kind: str) -> Array:
    """Return ten numbers, m, m c and the inertia about the origin: Ixx, Iyy, Izz, Ixy, Ixz, Iyz."""
    mass = draw.uniform(0.5, 3.0) * (-1 if kind == "mass" else 1)
    turn = np.linalg.qr(draw.vector(9, -1, 1).reshape(3, 3))[0]
    second = draw.vector(3, 0.05, 0.15)  # integrals of x^2, y^2, z^2 dm about the center, along axes of the body
    com = draw.vector(3, 0.3, 0.8) * (0.1 if "near" in kind or "two" in kind else 1)
    least = draw.randint(0, 2)
    if "central" in kind:
        com = 0 * com
    elif "straight" in kind:
        turn = np.eye(3)
        com = np.array([com[0], 0.0, 0.0])
    elif kind == "two moments":  # of two negative ones a determinant tells nothing
        second = -second
        second[least] *= -6
    elif "triangle" in kind or "moment" in kind:
        second[least] = -0.04 if "triangle" in kind else -0.4
        # by how much the distance to the origin makes up for it
        hides = draw.uniform(8, 25) if "farther" in kind else draw.uniform(1.3, 2.0) if "far" in kind else 0.01
        com = math.sqrt(-hides * second[least] / mass) * turn[:, least]
    second = turn @ np.diag(second) @ turn.T
    inertia = np.trace(second) * np.eye(3) - second + abs(mass) * (com @ com * np.eye(3) - np.outer(com, com))
    entries = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    return np.array([mass, *(mass * com), *entries])


def _slides(p: Parameters, at: At, value: Value) -> str | None:
    """Energies of the guide and of the slider, each unknown by itself, by Lagrange's equation."""

    def rows(
        zero: float = given.ZEROS[p.zero],
        offset: float = p.offset,
        coriolis: float = 2.0,
        inward: float = 1.0,
        weight: float = 1.0,
        at: At = at,
    ) -> list[list[float]]:
        (theta, r), (omega, speed), (turning, faster) = at
        c = math.cos(theta + zero)
        s = math.sin(theta + zero)
        g = 9.81 * weight
        carried = r**2 * turning + offset**2 * turning - offset * faster + coriolis * r * speed * omega
        return [
            [g * c, turning, carried + g * (r * c - offset * s), coriolis * speed * omega + 2 * r * turning + g * c],
            [0, 0, faster - offset * turning - inward * r * omega**2 + g * s, -inward * omega**2],
        ]

    right = np.array(rows())
    far = 1e-6 * abs(right).max()
    if abs(value - right).max() <= far:
        return None
    slips = _of_columns(p, rows, right)
    sentence = "These columns, times the unknowns, are not the torques."
    named = [
        words
        for words, other in slips.items()
        if abs(value - other).max() <= far and abs(np.array(other) - right).max() > far
    ]
    if named:  # where all rests, several may give the same
        return Said(sentence, " Or: ".join(named[:3]))
    if abs(value - right).max() <= 1e-3 * max(1.0, abs(right).max()):
        return Said(sentence, close="It is close: was something rounded?")
    i, j = np.argwhere(abs(value - right) > far)[0]
    q, qd, qdd = at  # what is there already without the last of weight, rates, accelerations has been found right
    calm = rows(at=(q, qd, 0 * qdd))[i][j] if np.any(qdd) else rows(at=(q, 0 * qd, qdd))[i][j] if np.any(qd) else 0.0
    return Said(sentence, where=_column_in_words(at, i, j, value[i, j] - calm, right[i, j] - calm, far))


def _of_columns(p: Parameters, rows: Callable[..., Any], right: Array) -> dict[str, Any]:
    """Return {words: the columns that a mistake makes}; rows(..): with something else in them."""
    return (
        {"Gravity has the opposite sign: from where does the angle count?": rows(weight=-1.0)}
        | {
            f"It is that of an angle that counts from {word}.": rows(zero=other)
            for word, other in given.ZEROS.items()
            if word != p.zero
        }
        | {
            "The center of the slider passes the hinge at the distance of the offset, not through it.": rows(
                offset=0.0
            ),
            "The offset lies on the other side of the line.": rows(offset=-p.offset),
            "The term with both rates has the factor 2.": rows(coriolis=1.0),
            "The term with both rates is missing.": rows(coriolis=0.0),
            "What turns presses outward: the sign of the square of the rate.": rows(inward=-1.0),
            "The square of the rate is missing in the second row.": rows(inward=0.0),
            "Gravity is missing: each unknown that weighs has its part.": rows(weight=0.0),
            "It has the opposite sign.": [[-x for x in row] for row in rows()],
            "The rows are in the other order.": rows()[::-1],
            "The order of the unknowns is m1 c1, I1 + I2, m2, m2 c2.": [[a, b, d, c] for a, b, c, d in rows()],
            "g belongs to the column, not to the unknown.": [
                [right[0, 0] / 9.81, *right[0, 1:]],
                right[1],
            ],
        }
    )


def _column_in_words(at: At, i: int, j: int, found: float, added: float, far: float) -> str:
    """Return words for column j of row i; found, added: what the answer and the law have there beside what is right already."""
    when = "at rest" if not np.any(at[1]) else "at steady rates" if not np.any(at[2]) else "when it accelerates"
    factors = {-1.0: " It has the opposite sign.", 0.5: " It counts half.", 2.0: " It counts twice.", 0.0: " It is missing."}  # fmt: skip
    sign = next((words for f, words in factors.items() if abs(added) > far >= abs(found - f * added)), "")
    effort = ("torque of the guide", "force on the slider")[i]
    return f"Look at the column of {UNKNOWNS[j]}, at what it adds to the {effort} {when}.{sign}"


def _moves_alike(p: Parameters, at: At, value: Value) -> str | None:
    """Four sums are the same, link by link from the outer one."""
    (l1, l2), (light, heavy), (c, d), (one, two), (lighter, heavier) = p.lengths, p.masses, p.coms, p.inertias, p.others

    def twin(
        shift: float = heavy - heavier,
        far: float = l1,
        squared: float = l1**2,
        upper: float = one + light * c**2,
        fore: float = two + heavy * d**2,
        steiner: int = 1,
    ) -> list[float]:
        outer = heavy * d / heavier
        inner = (light * c + shift * far) / lighter
        turning = upper + shift * squared - steiner * lighter * inner**2
        return [inner, turning, outer, fore - steiner * heavier * outer**2]

    wrong = {
        "The shoulder carries the forearm's mass, too, as if it sat at the elbow.": twin(0.0),
        "What the elbow carries less, the upper arm has more: the sign of the difference of masses.": twin(heavier - heavy),
        "Inertias about the joints are the sums that show; those about the centers of mass are asked for.": twin(steiner=0),
        "Inertias about the joints are the sums that show: about the center of mass there is less.": twin(upper=one, fore=two, steiner=0),
        "Given are the inertias about the centers of mass: bring them to the joints first.": twin(upper=one, fore=two),
        "A mass at the elbow has the square of its distance in the inertia.": twin(squared=l1),
        "The elbow is at the end of the upper arm: the wrong length.": twin(far=l2, squared=l2**2),
        "The order is center and inertia of the upper arm, then those of the forearm.": [twin()[k] for k in (0, 2, 1, 3)],
        "The upper arm comes first.": [twin()[k] for k in (2, 3, 0, 1)],
        "Those are the old centers: a heavier link has its center nearer to the joint.": [c, one, d, two],
        "The products m c and the inertias about the joints stay, but centers are asked for.": [(light * c + (heavy - heavier) * l1), twin()[1], heavy * d, twin()[3]],
        "The other arm's masses belong to its centers.": [c * light / lighter, one, d * heavy / heavier, two],
    }  # fmt: skip
    sentence = "A motor tells the two arms apart."
    found = laws.differs(sentence, at, value, twin(), 1e-4, wrong=wrong)
    if not found or not found.where:
        return found
    inner, turning, outer, small = value
    size, far = (abs(x) for x in (light * c + heavy * l1, one + light * c**2 + heavy * l1**2))
    shown = {
        "what the elbow's motor holds at rest, m2 c2": abs(heavier * outer - heavy * d) > 2e-3 * heavy * d,
        "what the shoulder's motor holds at rest, with the forearm's mass": abs(
            lighter * inner + heavier * l1 - light * c - heavy * l1
        ) > 2e-3 * size,
        "the inertia of the forearm about the elbow": abs(small + heavier * outer**2 - two - heavy * d**2) > 2e-3 * (two + heavy * d**2),
        "the inertia of the upper arm about the shoulder, with the forearm's mass at the elbow": abs(
            turning + lighter * inner**2 + heavier * l1**2 - one - light * c**2 - heavy * l1**2
        ) > 2e-3 * far,
    }  # fmt: skip
    words = [what for what, is_other in shown.items() if is_other]
    return Said(sentence, f"They differ in {words[0]}.") if words else found


SEEN = {  # how many, and what decides
    "held": (2, "at rest only weights show, and each has its own pose to show in"),
    "held, shoulder": (2, "the shoulder carries all weights, and the pose tells them apart"),
    "held, elbow": (1, "the elbow carries the forearm alone, and at rest no inertia shows"),
    "bent": (3, "the arm is one body whose center is off the line of the upper arm: sine, cosine, acceleration"),
    "straight": (2, "the arm is one body with its center on one line: a pendulum"),
    "forearm": (2, "the forearm is a pendulum"),
    "shoulder": (4, "write the first row of the regressor: are there columns that go along with others?"),
    "elbow": (2, "write the second row of the regressor: which columns are zero?"),
    "level": (3, "what shows by its weight alone is lost"),
    "steady": (2, "the columns of the inertias hold accelerations alone"),
    "steady, level": (1, "without weight and accelerations only a coupling by rates is left"),
}


def _shows(p: Parameters, at: At, value: Value) -> str | None:
    """How many combinations an experiment can tell, one by one."""
    if any(abs(one - round(one)) > laws.NEAR for one in value):
        return "Combinations are whole numbers: count them, do not round."
    names = {words: name for name, words in given.EXPERIMENTS.items()}
    for letter, experiment, one in zip("abcd", p.experiments, value):
        count, words = SEEN[names[experiment]]
        if round(one) != count:
            size = "Fewer" if one > count else "More"
            many = " No experiment shows more than four." if one > 4 else ""
            return f"({letter}) {size} combinations show there: {words}{'' if words.endswith('?') else '.'}{many}"
    return None


def _spaced(p: Parameters, at: At, value: Value) -> str | None:
    """The sum of both squares neither falls with a longer spacing nor with a shorter one."""
    step = math.tau / 2**p.bits
    rate = math.tau * p.frequency

    def best(
        step: float = step,
        size: float = p.swing,
        rate: float = rate,
        variance: float = 12.0,
        power: int = 4,
        noise: float = 6.0,
        curve: float = 12.0,
    ) -> float:
        # noise * step^2 / variance / h^4 + (size rate^4 h^2 / curve)^2 / 2 is least
        return (2 * noise * step**2 * curve**2 / (variance * size**2 * rate ** (2 * power))) ** (1 / 8)

    wrong = {
        "Frequencies in Hz are turned into rad/s first.": best(rate=p.frequency),
        "In ms: seconds are asked for.": 1000 * best(),
        "The encoder has 2 to the power of its bits steps a turn; that is with its steps in degrees.": best(
            step=math.degrees(step)
        ),
        "A rounded angle has the variance of the step squared, over 12.": best(variance=1.0),
        "A rounding error is anything up to half a step, and its mean square is less.": best(variance=4.0),
        "Squares of the weights 1, 2, 1 add up, not the weights.": best(noise=4.0),
        "The three errors are independent: their squares add up.": best(noise=16.0),
        "Under the fourth root stands twice what should: look at the step and at the twelfth before the fourth derivative.": best(curve=24.0),
        "Under the fourth root stands half of what should: look at the step, of a whole turn, and at the twelfth before the fourth derivative.": best(curve=6.0),
        "The fourth derivative of a sine brings the fourth power of its rate.": best(power=2),
        "The size of the swing has a part in it.": best(size=1.0),
        "Either the middle angle counts once, or the mean square of a sine is taken for the square of its size.": 2 ** (-1 / 8) * best(),
        "The error of a second difference is the spacing squared, by 12, times the fourth derivative: 12 is missing.": best(curve=1.0),
        "A turn has 2 pi rad, of which a step is a part.": best(step=step / math.tau),
        "A turn has 2 to the power of the bits steps.": best(step=math.tau / p.bits),
        "A turn has 2 to the power of the bits steps, not twice the bits.": best(step=math.tau / (2 * p.bits)),
        "The fourth derivative of a sine brings the fourth power of its rate, not its rate alone.": best(power=1),
        "The fourth derivative of a sine brings the fourth power of its rate, not the third.": best(power=3),
        "That is the period: a rate is 2 pi times the frequency.": best(rate=1 / p.frequency),
        "The error grows with the fourth derivative, and with the square of the spacing.": (12 * step / (p.swing * rate**4)) ** (1 / 3),
        "That is of a first difference: a second one has the square of the spacing below.": (2 * step / (p.swing * rate**3)) ** (1 / 3),
        "That is of a first difference, taken to both sides: a second one is asked for.": (3 * step / (p.swing * rate**3)) ** (1 / 3),
        "The spacing stands in the power of eight: that is its square.": best() ** 2,
        "The error of the mean square grows with the power six of the spacing: a root is to be taken, the fourth.": best() ** 4,
        "A time is asked for, not thousandths of a period.": 1000 * best() * p.frequency,
        "A time is asked for, not a part of a period.": best() * p.frequency,
        "That is the phase of the swing in a spacing: a time is asked for.": best() * rate,
    }  # fmt: skip
    size = best()
    long = (
        "long: the curvature weighs more than the noise"
        if value > size
        else "short: the noise weighs more than the curvature"
    )
    sentence = f"Another spacing has a smaller error: this one is too {long}."
    return laws.differs(sentence, at, value, best(), 1e-4, wrong=wrong)


def _is_rich(p: Parameters, at: At, value: Value) -> str | None:
    """The judge samples the motion: limits, the table, the condition number."""
    plan = np.array(value)
    for joint, ((low, high), fast, (center, size, rate, _)) in enumerate(zip(p.limits, p.fastest, plan), start=1):
        if abs(center) + abs(size) > 20 * high:
            return (
                f"Joint {joint} would turn by {abs(center) + abs(size):.3g} rad: are these degrees? rad are asked for."
            )
        if center - abs(size) < low - 1e-9 or center + abs(size) > high + 1e-9:
            return f"Joint {joint} swings from {center - abs(size):.3g} to {center + abs(size):.3g} rad: its limits are {low} and {high}."
        if abs(size * rate) > fast * (1 + 1e-9):
            return f"Joint {joint} turns with up to {abs(size * rate):.3g} rad/s, amplitude times rate: {fast} are allowed."
    motion = given.planned(plan)
    above = given.clear(p.arm, motion[0])
    if above < -p.height - 1e-9:
        return f"The hand hits the table, {-above - p.height:.2g} m below its top."
    number = given.condition(p.arm[0], motion)
    if not number <= p.bound:
        if not number < 1e8:
            return "Some combination does not show at all in this motion: does each joint move, and do both not move alike?"
        *_, row = np.linalg.svd(given.columns(p.arm[0], *motion)[..., :6].reshape(-1, 6))
        names = ("the first moment of the shoulder", "the inertia of the shoulder", "the first moment of the forearm", "the inertia of the forearm", "the friction of joint 1", "the friction of joint 2")  # fmt: skip
        worst = names[int(abs(row[-1]).argmax())]
        return f"The condition number is {number:.3g}, and {p.bound:g} is allowed. What shows least, for the torques it makes, is {worst}."
    return None


def _predicts(p: Parameters, at: At, value: Value) -> str | None:
    """Torques on a motion that no recording holds, beside those of the robot."""
    beta = np.array(value)
    truth = np.array(given.robot(p.number, p.arm[0]))
    columns = given.columns(p.arm[0], *at)
    torque = columns @ truth
    size = np.sqrt((torque**2).mean(0))

    def missed(beta: Array) -> Array:
        return np.sqrt(((columns @ beta - torque) ** 2).mean(0)) / size

    error = missed(beta)
    coupling = p.arm[0] * beta[2]
    impossible = beta[3] <= 0 or beta[1] * beta[3] <= coupling**2
    if max(error) <= GOOD and not impossible and min(beta[4:]) >= 0:
        return None
    sentence = f"On a motion that it has not seen, the model misses {100 * error[0]:.2g} and {100 * error[1]:.2g} % of the torques; {100 * GOOD:g} % are allowed."
    if max(error) <= GOOD:
        sentence = "The model predicts well, and describes no robot."

    def repaired(change: Array) -> bool:
        """Whether the model would be good if something in it were changed back."""
        return max(missed(np.array(change))) <= min(GOOD, max(error) / 3)

    slips = _of_models(beta, truth, repaired)
    named = [slip for slip, is_so in slips.items() if is_so]
    if named:
        return Said(sentence, named[0])
    if min(beta[4:]) < 0:
        return Said(sentence, "Friction that is negative drives the arm.")
    words = _worst_parameters(beta, truth, missed)
    if impossible:
        words = (
            f"These sums belong to no two bodies: in some pose the mass matrix has a negative or no inertia. {words}"
        )
    return Said(sentence, words)


def _is_near(beta: Array, truth: Array, places: Array, factor: float, within: float = 0.25) -> bool:
    """Return whether parameters are those of the robot, times a factor."""
    return bool((abs(beta[places] / truth[places] / factor - 1) <= within).all())


def _of_models(beta: Array, truth: Array, repaired: Callable[..., Any]) -> dict[str, bool]:
    """Return {words: whether it is so} of a model that predicts badly; repaired(other): whether another would be good."""
    near = partial(_is_near, beta, truth)
    weights = np.array([0])
    inertias = np.array([1, 3])
    friction = slice(4, 8)
    return {
        "All torques have the opposite sign.": repaired(-beta),
        "The first moment of the shoulder comes out negative: is it the sign of gravity, or another function of the angle?": beta[
            0
        ]
        < -0.1 * truth[0],
        "It has no friction: friction takes up what the friction's columns do not.": not beta[friction].any(),
        "It has no dry friction: that goes with the sign of the rate, not with the rate.": not beta[6:].any(),
        "It has no viscous friction.": not beta[4:6].any(),
        "The columns of viscous and of dry friction are exchanged.": repaired(beta[[0, 1, 2, 3, 6, 7, 4, 5]]),
        "Frictions come as viscous 1, viscous 2, dry 1, dry 2.": repaired(beta[[0, 1, 2, 3, 4, 6, 5, 7]]),
        "The order is that of the four sums of the book: the shoulder's moment, its inertia, then the forearm's.": repaired(
            beta[[1, 0, 3, 2, 4, 5, 6, 7]]
        )
        or repaired(beta[[0, 2, 1, 3, 4, 5, 6, 7]])
        or repaired(beta[[2, 3, 0, 1, 4, 5, 6, 7]]),
        "Angles count in rad, and so do their rates and accelerations: the recordings are in degrees.": bool(
            (abs(beta[inertias] / truth[inertias]) < 0.1).all()
        ),
        "Viscous friction is for each rad/s, not for each degree a second.": near(np.array([4, 5]), math.pi / 180)
        or near(np.array([4, 5]), math.degrees(1)),
        "The shoulder's first moment comes out as nothing: is the weight in its column?": abs(beta[0])
        < 0.02 * truth[0],
        "The first moments are too large by g: in kg m they are asked for, and g belongs to the column.": near(
            weights, 9.81
        ),
        "The first moments are too small by g: it was taken into account twice.": near(weights, 1 / 9.81, 0.06),
    }


def _worst_parameters(beta: Array, truth: Array, missed: Callable[..., Any]) -> str:
    """Return words for the parameters that spoil the prediction most; missed(beta): by what part of the torques it misses."""
    inertias = np.array([1, 3])
    parts = {
        "the weights, the first and the third number": [0, 2],
        "the inertias, the second and the fourth number": [1, 3],
        "the friction, the last four numbers": [4, 5, 6, 7],
    }
    worst = max(parts, key=lambda name: max(missed(truth + np.isin(np.arange(8), parts[name]) * (beta - truth))))
    words = f"Worst: {worst}."
    if parts[worst] == [1, 3]:
        words = f"Worst are {worst}; they are off: is each of the columns right that they stand with, and is the fast recording among the data?"
        if (beta[inertias] < truth[inertias]).all() and _is_near(beta, truth, np.array([0]), 1, 0.05):
            words = f"Worst are {worst}; they are too small, as noise in the accelerations makes them: is the fast recording among the data, and is it filtered before the differences?"
    return words


def _between(p: Parameters, at: At, value: Value) -> str | None:
    """With a mass outside the bounds one of the links would have a negative moment of inertia about its center."""
    length, (first, inertia, moment, outer) = p.sums
    low = moment**2 / outer
    high = inertia / length**2
    wrong = {
        "The forearm's moment of inertia about its own center is at least zero, not that about the elbow.": [0.0, high],
        "The upper arm's center of mass may lie anywhere; only its inertia is bound to be positive.": [low, first / length],
        "A mass at the elbow has the square of its distance in the inertia.": [low, inertia / length],
        "A first moment squared by an inertia is a mass; which link's numbers are these?": [first**2 / inertia, high],
        "The first moment is squared.": [moment / outer, high],
        "The fraction stands upside down.": [outer / moment**2, high],
        "That is with the reach of the forearm: its center may lie anywhere.": [moment / length, high],
        "The forearm's inertia about the elbow is no part of that of the upper arm.": [low, (inertia - outer) / length**2],
        "The least comes first, then the most.": [high, low],
        "Of the upper arm's inertia something must be left, but no fixed part: it may have all of its mass near the shoulder.": [low, (inertia - first**2) / length**2],
    }  # fmt: skip
    sentence = "Outside other bounds no such arm exists."
    found = laws.differs(sentence, at, value, [low, high], 1e-3, wrong=wrong)
    if found and found.entry is not None:
        where = (
            "Look at the least: what inertia about its own center has the forearm then?",
            "Look at the most: what inertia about the shoulder is left to the upper arm then?",
        )
        return Said(sentence, where=where[found.entry])
    return found


def _tells_bodies(p: Parameters, at: At, value: Value) -> str | None:
    """All masses are positive: the matrix of zeroth, first and second moments is positive definite."""
    mass, com, (xx, yy, zz, xy, xz, yz) = at[0][0], np.array(at[0][1:4]) / at[0][0], at[0][4:]
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    central = inertia - mass * (com @ com * np.eye(3) - np.outer(com, com))
    moments = np.linalg.eigvalsh(central)
    origin = np.linalg.eigvalsh(inertia)
    flaws = {
        "the mass is negative": mass <= 0,
        "a moment of inertia is negative": origin[0] <= 0,
        "a moment of inertia about the center of mass is negative, although none is about the origin": moments[0] <= 0,
        "one principal moment is more than the sum of the other two": origin[2] > origin[0] + origin[1],
        "one principal moment about the center of mass is more than the sum of the other two, although none is about the origin": moments[2] > moments[0] + moments[1],
    }  # fmt: skip
    words = [flaw for flaw, is_so in flaws.items() if is_so]
    if value not in (0, 1):
        return "True or False is asked for."
    if value and words:
        return f"Your test accepts ten numbers where {words[0]}."
    if not value and not words:
        marks = {
            "is almost as flat as a plate": moments[2] > 0.98 * (moments[0] + moments[1]),
            "has its center of mass off the origin": abs(com).max() > 1e-9,
            "has products of inertia": max(abs(xy), abs(xz), abs(yz)) > 1e-9,
        }
        marked = " and ".join(words for words, is_so in marks.items() if is_so)
        return f"Your test refuses a body{', one that ' * bool(marked)}{marked}."
    return None


QUESTIONS = {
    "row": Question(
        "what the efforts are linear in",
        **given.CALLED["row"],
        shape=(2, 4),
        laws=(_slides,),
        hints=("Write kinetic and potential energy; each unknown stands in them once.", "The slider's mark is at r along the guide and at the offset across it: its velocity has parts along and across.", "An inertia about the mark makes the mass act at the mark; m2 c2 brings the rest: 2 r omega^2 / 2 in the kinetic energy, g sin of the slope in the potential."),
    ),
    "alike": Question(
        "an arm that no motor can tell from yours",
        shape=(4,),
        tolerance=1e-4,
        laws=(_moves_alike,),
        hints=("Four sums decide all torques of the arm.", "m2 c2 and the inertia about the elbow stay the same: begin with the forearm.", "Then m1 c1 + m2 l1 and I1 + m1 c1^2 + m2 l1^2; at the end Steiner, with the new masses and centers."),
    ),
    "seen": Question(
        "how many combinations an experiment shows",
        shape=(4,),
        laws=(_shows,),
        hints=("Take the regressor of the two-link arm with its four columns, and cross out what is zero.", "Columns that are multiples of one another in all states of the experiment count once.", "Check with numbers: np.linalg.matrix_rank of the stacked rows of some hundred random states."),
    ),
    "spacing": Question(
        "the best spacing of a second difference",
        tolerance=1e-4,
        laws=(_spaced,),
        hints=("The longer the spacing, the smaller the noise, and the larger the error of the difference.", "Noise: the square root of 6 / 12 times the step, by the square of the spacing. Error: the spacing squared by 12, times the fourth derivative.", "Mean squares: step^2 / (2 h^4) and (A w^4 h^2 / 12)^2 / 2. Their sum is least where its derivative by h is zero."),
    ),
    "excite": Question(
        "a motion that shows all",
        shape=(2, 4),
        judged="laws",
        laws=(_is_rich,),
        score=("times the condition number that is allowed", lambda p, at, value: given.condition(p.arm[0], given.planned(np.array(value))) / p.bound),
        hints=("Try motions by chance: center and amplitude within the limits, rate within the fastest.", "Compute the condition number as the judge does: rows of all samples, columns for four sums and two frictions.", "Joints that move with different rates tell more; large swings and high rates make inertias show. A few hundred tries are enough."),
    ),
    "identify": Question(
        "a robot from its recordings",
        shape=(8,),
        judged="laws",
        unseen=given.unseen,
        laws=(_predicts,),
        hints=("Angles to rad, a filter over angles and torques, then differences, then rows, then least squares.", "rd.identification.Recording(t, q, tau).filtered(10) has q, qd, qdd and tau; eight columns, the last two np.sign(qd).", "In the slow recording inertias hardly show: use the fast one, or both. Test on the one that you did not use."),
    ),
    "range": Question(
        "what torques leave open, and how far",
        shape=(2,),
        tolerance=1e-3,
        laws=(_between,),
        hints=("Given the mass of the forearm, what are its center and its inertia about the center?", "That inertia cannot be negative: the least mass. What is left for the upper arm then?", "The upper arm's inertia about the shoulder is positive; with enough mass at the shoulder its center may be anywhere."),
    ),
    "is-a-body": Question(
        "a test for bodies",
        **given.CALLED["is-a-body"],
        judged="laws",
        laws=(_tells_bodies,),
        mistakes={
            "it refuses nothing of what was tried": lambda p: lambda ten: True,
            "it accepts nothing of what was tried": lambda p: lambda ten: False,
            "the answers are turned round: True is for a body": lambda p: lambda ten: _tells_bodies(p, (ten,), 1) is not None,
            "it looks at the mass alone": lambda p: lambda ten: ten[0] > 0,
        },
        hints=("A positive mass is not enough, nor are positive moments of inertia.", "Look at moments about the center of mass, along principal axes.", "One matrix says all: second moments (trace(I) / 2 - I), first moments beside them, mass in the corner; its eigenvalues are positive."),
    ),
    "explain": Question(
        "a fit that is too good",
        judged="person",
        hints=("What is a residual computed from, and what is a prediction?", "Which columns were small in that motion?", "What would you have moved, and what would you have looked at beside the residual?"),
    ),
}  # fmt: skip
