"""The assignment "reaching": poses, rates and torques for a hand that should be somewhere, each student's own arms."""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import robotdyn as rd
from coursework.check import laws
from coursework.check.diagnosis import Said
from coursework.check.question import Question
from coursework.check.session import assignment_module
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, At, Value
    from coursework.check.parameters import Parameters

given = assignment_module("reaching", "given")
CALLED = given.CALLED
NEAR = 1e-6  # of a place, by the length of the arm; of rates and torques, by the largest
STEPS = 12  # of each method, in the run that is shown


def _reaches(p: Parameters, at: At, value: Value) -> str | None:
    """The hand is at the place in both poses, the elbow bent to the left in the first; None where no pose is."""
    (x, y), (none, *angles) = at, value
    (l1, l2), far = p.lengths, math.hypot(x, y)
    if none or far > l1 + l2 or far < abs(l1 - l2):
        return _of_reach(p, far, none)
    poses = [angles[:2], angles[2:]]

    def off(pose: list[float]) -> float:
        return abs(_place(p.lengths, pose) - complex(x, y))

    missed = [pose for pose in poses if not off(pose) <= NEAR * (l1 + l2)]
    if missed:
        which = "neither pose" if len(missed) == 2 else "one of the two poses, not in the other,"
        where = "In neither pose is the hand" if len(missed) == 2 else f"In {which} the hand is not"
        return Said(f"{where} at the place.", "" if laws.is_wordless() else _of_pose(p, missed[-1], complex(x, y), off))
    if math.sin(poses[0][1]) * math.sin(poses[1][1]) > 0:
        return "Both poses bring the hand there, but both are bent to the same side: where is the other elbow?"
    if math.sin(poses[0][1]) < 0:
        words = "Both poses are right, and in the other order: first the one with the elbow angle q2 between 0 and pi."
        return Said(words, done=True)
    return None


def _of_reach(p: Parameters, far: float, none: float) -> str | None:
    """Judge an answer about a place so far from the shoulder, m: that no pose is there, or that one is where none can be.

    none: 1 where it is None, 2 where it seems to mean that, 0 for poses.
    """
    most = sum(p.lengths)
    least = abs(p.lengths[0] - p.lengths[1])
    if least <= far <= most:
        end = "stretched" if far > 0.98 * most else "folded" if far < 1.02 * least else ""
        where = f", if only just: there the arm is nearly {end}" if end else ""
        return f"It returns no pose for a place that the hand can reach{where}."
    where = "farther away than the stretched arm reaches" if far > most else "in the hole that the folded arm leaves"
    words = f"No pose brings the hand there: the place is {where}"
    if none == 2:
        return f"{words}. None itself is asked for, no list of None, no empty one and no NaN."
    return None if none else f"{words}, and None is asked for."


def _place(lengths: tuple[float, ...], pose: list[float]) -> complex:
    """The place of the hand, x + i y, of two relative angles."""
    return lengths[0] * cmath.exp(1j * pose[0]) + lengths[1] * cmath.exp(1j * sum(pose))


def _of_pose(p: Parameters, pose: list[float], place: complex, off: Callable[..., float]) -> str:
    """Return words for what would have to be otherwise for the hand to be at the place, or none."""
    first, second = pose
    l1, l2 = p.lengths
    bulge = cmath.phase(l1 + l2 * cmath.exp(1j * second))  # of the hand, from link 1
    slips = {
        "It would be right in degrees: rad are asked for.": [math.radians(first), math.radians(second)],
        "It would be right if both angles were from the x axis: q2 is measured from link 1.": [first, second - first],
        "It would be right with half a turn more: q1 points to the wrong side, as an arctangent of a quotient does.": [
            first + math.pi,
            second,
        ],
        "The two angles are in the other order.": [second, first],
        "That pose is mirrored at the x axis: have both angles the opposite sign, or loses an arccosine the sign of y?": [
            -first,
            -second,
        ],
        "q1 is that of the other elbow: the triangle's angle at the shoulder is added where it is taken away.": [
            first,
            -second,
        ],
        "That is where the hand is seen from the shoulder: link 1 points beside it, for the elbow is bent.": [
            first - bulge,
            second,
        ],
        "q2 is what is missing from half a turn: is it the triangle's angle at the elbow, which is that between the links, or an arcsine, which is never more than a quarter of a turn?": [
            first,
            math.pi - second,
        ],
        "q2 is what is missing from half a turn: has cos q2 the wrong sign, or is q2 an arcsine, which is never more than a quarter of a turn?": [
            first + bulge - cmath.phase(l1 - l2 * cmath.exp(-1j * second)),
            math.pi - second,
        ],
        "q2 is half a turn off.": [first, second + math.pi],
        "An arcsine is never more than a quarter of a turn, and the angle at the shoulder is, where the arm is folded.": [
            first - 2 * bulge + math.pi,
            second,
        ],
        "x and y are exchanged.": [math.pi / 2 - first, -second],
        "q1 has the opposite sign.": [-first, second],
        "q1 is a quarter of a turn off.": [first + math.pi / 2, second],
        "q1 is a quarter of a turn off, the other way.": [first - math.pi / 2, second],
    }
    named = [words for words, other in slips.items() if off(other) <= 1e-5 * (l1 + l2)]
    exchanged = l2 * cmath.exp(1j * first) + l1 * cmath.exp(1j * (first + second))
    if not named and abs(exchanged - place) <= 1e-5 * (l1 + l2):
        return "It would be right with the two lengths exchanged."
    if not named and abs(math.sin(second)) < 1e-9 and off(pose) > 1e-9:
        return "The elbow is straight, or folded, in this pose: inside of the reach it is bent, if only a little."
    if named or off(pose) <= 1e-2 * (l1 + l2):
        return (named or ["It is close: functions should not round."])[0]
    far = abs(_place(p.lengths, pose))
    if off([first + cmath.phase(place / _place(p.lengths, pose)), second]) <= NEAR * (l1 + l2):
        return "It is at the right distance from the shoulder: q2 is right, and q1 is not."
    cosine = (far**2 - l1**2 - l2**2) / (2 * l1 * l2)
    right = (abs(place) ** 2 - l1**2 - l2**2) / (2 * l1 * l2)
    if abs(cosine - 2 * right) <= NEAR or abs(cosine - right / 2) <= NEAR:
        return "It is not at the right distance from the shoulder: cos q2 is off by a factor 2."
    return "It is not at the right distance from the shoulder: look at q2 first."


# Near the stretched arm


def _compared(p: Parameters) -> None:
    """Print how far the hand is from its goal, by step, for Newton's method and for damped least squares."""
    lengths = np.array(p.lengths)
    start = np.array([p.first, p.bend])
    ends = lambda q: (lengths * np.exp(1j * np.cumsum(q))).sum()
    goal = ends(start) * (1 - p.back / abs(ends(start)))
    print("distance of the hand from its goal (mm)\nsteps   Newton   damped")
    poses = [start, start]
    for step in range(STEPS + 1):
        gaps = [goal - ends(q) for q in poses]
        print(f"{step:5} {1000 * abs(gaps[0]):8.2f} {1000 * abs(gaps[1]):8.2f}")
        for k, mu in enumerate((0.0, p.mu)):
            links = 1j * lengths * np.exp(1j * np.cumsum(poses[k]))
            J = np.array([links[::-1].cumsum()[::-1].real, links[::-1].cumsum()[::-1].imag])
            e = np.array([gaps[k].real, gaps[k].imag])
            poses[k] = poses[k] + np.linalg.lstsq(J.T @ J + mu**2 * np.eye(2), J.T @ e, rcond=None)[0]


def _jacobian(lengths: tuple[float, ...], *turns: float) -> Array:
    """Return (2, 2): the velocities of the hand by the rates of two joints, of links that point in these directions."""
    upper, fore = (length * np.array([-math.sin(turn), math.cos(turn)]) for length, turn in zip(lengths, turns))
    return np.column_stack([upper + fore, fore])


def _bends(p: Parameters, at: At, value: Value) -> str | None:
    """The damped step for an error along the arm, toward the shoulder."""
    place = _place(p.lengths, [p.first, p.bend])
    inward = -p.back * np.array([place.real, place.imag]) / abs(place)

    def step(J: Array, e: Array = inward, square: float = p.mu**2) -> Array:
        return np.linalg.solve(J.T @ J + square * np.eye(2), J.T @ e)

    def of(first: Array, second: Array, e: Array, square: float) -> list[float]:
        return list(step(np.column_stack([first, second]), e, square))

    J = _jacobian(p.lengths, p.first, p.first + p.bend)
    sentence = "That is not the step that makes |J dq - e|^2 + mu^2 |dq|^2 least."
    if laws.is_wordless():
        return laws.differs(sentence, at, value, step(J), 1e-4)
    parts = {"The column of joint 1 in J": J[:, 0], "The column of joint 2 in J": J[:, 1]}
    parts |= {"The error": inward, "mu^2": p.mu**2}
    wrong = _of_system(p, J, inward, step) | _of_error(p, J, inward, step) | laws.of_parts(of, parts)
    wrong |= {words: made for words, made in _of_links(p, step).items() if words not in wrong}
    return laws.differs(sentence, at, value, step(J), 1e-4, wrong={words: list(one) for words, one in wrong.items()})


PLACES_OF_LINK = {
    "in the column of joint 1": (0,),
    "in the column of joint 2": (1,),
    "in the place of the hand, to which the error belongs": (2,),
    "in J": (0, 1),
    "in the column of joint 1 and in the place of the hand": (0, 2),
    "in the column of joint 2 and in the place of the hand": (1, 2),
    "everywhere": (0, 1, 2),
}  # words: in which of the column of joint 1, that of joint 2, the place of the hand a link is another one


def _of_links(p: Parameters, step: Callable[..., Array]) -> dict[str, Array]:
    """Return {words: the step with a link that is another one} in a column of J, in the place of the hand, or in more of them."""
    (l1, l2), turns = p.lengths, (p.first, p.first + p.bend)
    right = [length * cmath.exp(1j * turn) for length, turn in zip((l1, l2), turns)]
    others = [("The forearm points along the sum of both angles, not along q2 alone,", 1, l2 * cmath.exp(1j * p.bend))]
    for k, name in enumerate(("upper arm", "forearm")):
        others += [
            (f"The {name} is missing", k, 0j),
            (f"The length of the {name} is missing", k, right[k] / p.lengths[k]),
            (f"The {name} has the length of the other link", k, right[k] / p.lengths[k] * p.lengths[1 - k]),
            (f"Sine and cosine of the {name} are exchanged", k, 1j * right[k].conjugate()),
            (f"The sine of the {name} has the opposite sign", k, right[k].conjugate()),
            (f"The cosine of the {name} has the opposite sign", k, -right[k].conjugate()),
        ]
    made = {}
    for (words, k, other), (where, places) in itertools.product(others, PLACES_OF_LINK.items()):
        if k == 0 and 1 in places:  # joint 2 does not move the upper arm
            continue
        links = [[other if i == k and place in places else right[i] for i in range(2)] for place in range(3)]
        columns = [1j * sum(links[0]), 1j * links[1][1]]
        way = sum(links[2])
        if way:
            J = np.array([[one.real for one in columns], [one.imag for one in columns]])
            made[f"{words} {where}."] = step(J, -p.back * np.array([way.real, way.imag]) / abs(way))
    return made


def _of_system(p: Parameters, J: Array, e: Array, step: Callable[..., Array]) -> dict[str, Array]:
    """Return {words: the step of a mistake in what is solved}; step(J, e, square): the damped step."""
    solve = np.linalg.solve
    damping = p.mu**2 * np.eye(2)
    turned = step(_jacobian(p.lengths, p.first, p.bend))
    alone = step(J - np.column_stack([J[:, 1], 0 * J[:, 1]]))
    return {
        "That is Newton's step: it is not damped.": solve(J, e),
        "mu stands in it squared.": step(J, square=p.mu),
        "mu stands in it squared, once.": step(J, square=p.mu**4),
        "mu is p.mu, whatever the size of the error.": step(J, square=(p.mu * p.back) ** 2),
        "mu^2 stands on the diagonal alone.": solve(J.T @ J + p.mu**2, J.T @ e),
        "mu^2 is taken away, where it is added.": step(J, square=-(p.mu**2)),
        "mu is added to J itself: the normal equations have mu^2 beside J^T J.": solve(J + p.mu * np.eye(2), e),
        "mu^2 is added to J itself: the normal equations have it beside J^T J.": solve(J + damping, e),
        "The transpose is missing: J^T e is on the right side.": solve(J.T @ J + damping, e),
        "With J J^T in place of J^T J the step is J^T times what is solved for.": solve(J @ J.T + damping, J.T @ e),
        "With J J^T in place of J^T J the step is J^T times that.": solve(J @ J.T + damping, e),
        "J is transposed.": step(J.T),
        "That is a step down the slope, J^T e.": J.T @ e,
        "The forearm points along the sum of both angles.": turned,
        "Joint 1 moves the forearm, too: that is missing in the first column of J.": alone,
        "Sine and cosine are exchanged in J.": step(-J[::-1]),
        "The signs of the sines are missing in J.": step(J * [[-1], [1]]),
    }


def _of_error(p: Parameters, J: Array, e: Array, step: Callable[..., Array]) -> dict[str, Array]:
    """Return {words: the step of another error}; step(J, e): the damped step."""

    def along(turn: float) -> Array:
        return step(J, -p.back * np.array([math.cos(turn), math.sin(turn)]))

    way = abs(_place(p.lengths, [p.first, p.bend]))
    bent = cmath.phase(p.lengths[0] * cmath.exp(1j * p.first) + p.lengths[1] * cmath.exp(1j * p.bend))
    misplaced = step(_jacobian(p.lengths, p.first, p.bend), -p.back * np.array([math.cos(bent), math.sin(bent)]))
    return {
        "The error points inward, to the shoulder: that is for one outward.": -step(J, e),
        "The error points to the shoulder: that is for one across the arm.": step(J, e[::-1] * [-1, 1]),
        "The error points to the shoulder: that is for one across it, the other way.": step(J, e[::-1] * [1, -1]),
        "The error points to the shoulder: that is for one along x.": along(0.0),
        "The error points to the shoulder: that is for one along y.": along(math.pi / 2),
        "The error points from the hand to the shoulder, not along link 1.": along(p.first),
        "The error points from the hand to the shoulder, not along link 2.": along(p.first + p.bend),
        "The error is p.back long: that is for one as long as the way to the shoulder.": step(J, e * way / p.back),
        "The error is p.back long: that is for one as long as the rest of the way.": step(J, e * (way / p.back - 1)),
        "The error is p.back long: that is for one of p.back times the way to the shoulder.": step(J, e * way),
        "The error is p.back long: that is for one of 1 m.": step(J, e / p.back),
        "The forearm points along the sum of both angles, also where the hand is looked for.": misplaced,
    }


# Steps and rates of three links


def _directions(p: Parameters, q: Array) -> Array:
    """Return the velocity (2, 3) of the hand by the rates of three joints."""
    turns = np.cumsum(q)
    links = np.array(p.three) * np.array([-np.sin(turns), np.cos(turns)])
    return np.flip(np.cumsum(np.flip(links, axis=1), axis=1), axis=1)


def _steps_damped(p: Parameters, at: At, value: Value) -> str | None:
    """The slope of |J dq - e|^2 + mu^2 |dq|^2 vanishes, with the direction's error on the short way round."""
    q, goal = at
    turns = np.cumsum(q)
    rest = np.array(
        [
            goal[0] - p.three @ np.cos(turns),
            goal[1] - p.three @ np.sin(turns),
            math.remainder(goal[2] - turns[-1], math.tau),
        ]
    )
    J = np.vstack([_directions(p, q), np.ones(3)])
    mu = p.damping * np.linalg.norm(rest)
    gap = J.T @ (J @ value - rest) + mu**2 * value
    size = np.linalg.norm(J.T @ rest)
    if np.linalg.norm(gap) <= NEAR * size:
        return None
    if laws.is_wordless():
        return "no"
    where = (
        "where only the direction is off"
        if np.linalg.norm(rest[:2]) < 1e-9
        else "where only the place is off"
        if abs(rest[2]) < 1e-9
        else "where the arm is stretched"
        if not q[1:].any()
        else "where goal[2] and the direction of the hand differ by more than half a turn"
        if abs(goal[2] - turns[-1]) > math.pi
        else ""
    )
    undamped = np.linalg.norm(J @ value - rest) <= NEAR * np.linalg.norm(rest)
    if undamped:  # what comes of it where J is singular is rounding
        return Said(
            "The slope of |J dq - e|^2 + mu^2 |dq|^2 is not zero at this step.",
            "That is Newton's step, which takes all of the error away: the damping is missing.",
        )
    wrapped = _of_wrapping(J, rest, p.damping, value)
    return Said(
        f"The slope of |J dq - e|^2 + mu^2 |dq|^2 is not zero at this step{f', {where}' if where else ''}.",
        wrapped,
        close="It is close: functions should not round." if np.linalg.norm(gap) <= 1e-3 * size else "",
    )


def _of_wrapping(J: Array, rest: Array, damping: float, value: Array) -> str:
    """Return words for a direction's error that was brought to less than half a turn by the wrong function, or none."""
    turns = {
        "It fits what is left of the direction's error to half a turn, as an arcsine gives it, which is never more than a quarter.": math.asin(
            math.sin(rest[2])
        ),
        "It fits a direction's error that is half a turn off, as an arctangent of a quotient takes opposite directions for the same.": (
            math.atan(math.tan(rest[2]))
        ),
        "It fits the direction's error without its sign, as an arccosine gives it.": -rest[2],
    }
    for words, turn in turns.items():
        other = np.array([*rest[:2], turn])
        far = np.linalg.norm(value - _damped(J, other, damping * np.linalg.norm(other)))
        if abs(turn - rest[2]) > 1e-3 and far <= NEAR * np.linalg.norm(value):
            return words
    return ""


SLIPS_OF_STEP: dict[str, Callable[..., Array]] = {
    "the direction's error is that of the short way: a difference of angles by more than pi goes the long way round": lambda J, e, m, w, q: (
        _damped(J, w, m * np.linalg.norm(w))
    ),
    "the sine of the direction's error stands in the place of the error": lambda J, e, m, w, q: _with_direction(
        J, e, m, math.sin(w[2])
    ),
    "the direction's error has the opposite sign": lambda J, e, m, w, q: _with_direction(J, e, m, -e[2]),
    "the place's error has the opposite sign": lambda J, e, m, w, q: _damped(J, e * [-1, -1, 1], m * np.linalg.norm(e)),
    "the directions of the links in J are sums of angles": lambda J, e, m, w, q: _damped(
        _of_turns(J, q), e, m * np.linalg.norm(e)
    ),
    "the direction of the last link is the sum of all three angles": lambda J, e, m, w, q: _damped(
        J,
        np.array([*e[:2], math.remainder(w[2] + q[0] + q[1], math.tau)]),
        m * np.linalg.norm([*e[:2], math.remainder(w[2] + q[0] + q[1], math.tau)]),
    ),
    "the short way round may go either way: the error of a direction is between -pi and pi": lambda J, e, m, w, q: (
        _damped(J, np.array([*e[:2], w[2] % math.tau]), m * np.linalg.norm([*e[:2], w[2] % math.tau]))
    ),
    "the size of an error is the root of the sum of its squares, not its largest entry": lambda J, e, m, w, q: _damped(
        J, e, m * abs(e).max()
    ),
    "mu stands there squared": lambda J, e, m, w, q: np.linalg.solve(
        J.T @ J + m * np.linalg.norm(e) * np.eye(3), J.T @ e
    ),
    "mu is p.damping times the size of the error, which is missing": lambda J, e, m, w, q: _damped(J, e, m),
    "the size of an error is the root of the sum of its squares": lambda J, e, m, w, q: _damped(J, e, m * abs(e).sum()),
    "the size of the error has its square in it, or its root is missing": lambda J, e, m, w, q: _damped(
        J, e, m * (e @ e)
    ),
    "the size of the error counts the direction, too": lambda J, e, m, w, q: _damped(J, e, m * np.linalg.norm(e[:2])),
    "that is Newton's step: the damping is missing": lambda J, e, m, w, q: np.linalg.lstsq(J, e, rcond=None)[0],
    "the transpose is missing: J^T e is on the right side": lambda J, e, m, w, q: np.linalg.solve(
        J.T @ J + m**2 * (e @ e) * np.eye(3), e
    ),
    "that is a step down the slope, J^T e: what it is divided by is missing": lambda J, e, m, w, q: J.T @ e,
    "with J J^T the step is J^T times what is solved for, with J^T J the right side is J^T e": lambda J, e, m, w, q: (
        np.linalg.solve(J @ J.T + m**2 * (e @ e) * np.eye(3), J.T @ e)
    ),
    "the error is that of the hand from the goal: the opposite sign": lambda J, e, m, w, q: (
        -_damped(J, e, m * np.linalg.norm(e))
    ),
    "mu^2 is taken away, where it is added": lambda J, e, m, w, q: np.linalg.solve(
        J.T @ J - m**2 * (e @ e) * np.eye(3), J.T @ e
    ),
    "the direction is left out: goal[2] is asked for, too": lambda J, e, m, w, q: _damped(
        J[:2], e[:2], m * np.linalg.norm(e[:2])
    ),
    "all joints turn the hand alike: the third row of J is 1, 1, 1": lambda J, e, m, w, q: _damped(
        J * [[1, 1, 1], [1, 1, 1], [0, 0, 1]], e, m * np.linalg.norm(e)
    ),
    "each column of J has the links from its joint on, not its own alone": lambda J, e, m, w, q: _damped(
        np.vstack([_own_links(J[:2]), J[2]]), e, m * np.linalg.norm(e)
    ),
    "each column of J has the links from its joint to the hand, not those from the shoulder to it": lambda J, e, m, w, q: (
        _damped(np.vstack([np.cumsum(_own_links(J[:2]), axis=1), J[2]]), e, m * np.linalg.norm(e))
    ),
}


def _of_turns(J: Array, q: Array) -> Array:
    """Return J (3, 3) of the same links, each in the direction of its own relative angle."""
    lengths = np.linalg.norm(J[:2] - np.column_stack([J[:2, 1:], [0, 0]]), axis=0)
    links = lengths * np.array([-np.sin(q), np.cos(q)])
    return np.vstack([np.flip(np.cumsum(np.flip(links, axis=1), axis=1), axis=1), J[2]])


def _with_direction(J: Array, e: Array, m: float, turn: float) -> Array:
    """Return the damped step with another error of the direction; m: p.damping."""
    other = np.array([*e[:2], turn])
    return _damped(J, other, m * np.linalg.norm(other))


def _damped(J: Array, e: Array, mu: float) -> Array:
    """Return the damped step of a Jacobian and an error."""
    return np.linalg.solve(J.T @ J + mu**2 * np.eye(J.shape[1]), J.T @ e)


def _wrong_step(words: str) -> Callable[..., Any]:
    """The step with the mistake of these words; e: error on the short way, w: without that."""
    make = SLIPS_OF_STEP[words]

    def of(p: Parameters) -> Callable[..., Any]:
        def step(q: Array, goal: Array) -> Array:
            turns = np.cumsum(q)
            w = goal - np.array([p.three @ np.cos(turns), p.three @ np.sin(turns), turns[-1]])
            e = np.array([*w[:2], math.remainder(w[2], math.tau)])
            return make(np.vstack([_directions(p, q), np.ones(3)]), e, p.damping, w, q)

        return step

    return of


def _follows(p: Parameters, at: At, value: Value) -> str | None:
    """The hand moves as it should."""
    q, v = at
    J = _directions(p, q)
    wish = -p.pull * (q - np.array(p.middle))
    size = max(np.linalg.norm(J @ wish), np.linalg.norm(v))

    def near(velocity: Array) -> bool:
        return bool(np.linalg.norm(J @ value - velocity) <= NEAR * size)

    if near(v):
        return None
    slips = {
        "The hand feels the wish: what would move the hand is to be taken from it.": v + J @ wish,
        "The hand moves with the opposite sign.": -v,
        "The hand moves twice as fast.": 2 * v,
        "The hand stands still.": 0 * v,
    }
    named = [
        words for words, velocity in slips.items() if near(velocity) and np.linalg.norm(velocity - v) > 1e-3 * size
    ]
    close = "It is close: functions should not round." if np.linalg.norm(J @ value - v) <= 1e-3 * size else ""
    return Said("The hand does not move as wanted.", "".join(named[:1]), close="" if named else close)


def _wishes(p: Parameters, at: At, value: Value) -> str | None:
    """What the rates have beside the wish has no part in the null space: they are the nearest to it."""
    q, v = at
    J = _directions(p, q)
    wish = -p.pull * (q - np.array(p.middle))
    free = np.cross(J[0], J[1])
    free /= np.linalg.norm(free)
    found = free @ value
    meant = free @ wish
    size = max(np.linalg.norm(value), np.linalg.norm(wish), 1e-3)

    def near(other: float) -> bool:
        return bool(abs(found - other) <= NEAR * size)

    moves = np.linalg.norm(J @ value - v) <= NEAR * max(np.linalg.norm(J @ wish), np.linalg.norm(v))
    if near(meant) or not moves:  # then the other law tells
        return None
    alone = "They have no self-motion: here they are the least rates that move the hand so."
    slips = {
        alone if v.any() else "The joints stand still where the hand does: they have no self-motion.": 0.0,
        "The wish has the opposite sign: it leads away from the middle.": -meant,
        "The wish counts half.": meant / 2,
        "The wish has the gain p.pull as a factor, which is missing.": meant / p.pull,
        "The wish leads from where the joints are to the middle, which is not at zero.": free @ (-p.pull * q),
        "The wish counts twice.": 2 * meant,
        "The wish is a rate, the gain times an angle: that is divided by the gain.": meant / p.pull**2,
    }
    named = [words for words, other in slips.items() if near(other) and abs(other - meant) > 1e-3 * size]
    close = "It is close: functions should not round." if abs(found - meant) <= 1e-3 * size else ""
    return Said(
        "The hand moves as wanted, but of all rates that do it these are not the nearest to the wish.",
        "".join(named[:1]),
        close="" if named else close,
    )


def _wrong_rates(make: Callable[..., Array]) -> Callable[..., Any]:
    """The rates of a mistake: make(p, J, q, v, z), with the Jacobian (2, 3) and the wish z."""

    def of(p: Parameters) -> Callable[..., Any]:
        return lambda q, v: make(p, _directions(p, q), q, v, -p.pull * (q - np.array(p.middle)))

    return of


def _nearest(J: Array, v: Array, z: Array) -> Array:
    """Return the rates nearest to a wish that move the hand with a velocity."""
    return z + np.linalg.pinv(J) @ (v - J @ z)


def _own_links(J: Array) -> Array:
    """Return J (2, 3) with the link of each joint alone in its column."""
    return J - np.column_stack([J[:, 1:], [0, 0]])


SLIPS_OF_RATES: dict[str, Callable[..., Array]] = {
    "those are the rates of the wish alone, and nobody asked the hand": lambda p, J, q, v, z: z,
    "they have no self-motion: that is the pseudo-inverse alone": lambda p, J, q, v, z: np.linalg.pinv(J) @ v,
    "the wish is projected onto what moves the hand, in place of what does not": lambda p, J, q, v, z: (
        np.linalg.pinv(J) @ (v + J @ z)
    ),
    "the pseudo-inverse is not the transpose": lambda p, J, q, v, z: J.T @ v,
    "the pseudo-inverse is not the transpose, there or in what is projected": lambda p, J, q, v, z: (
        J.T @ v + z - J.T @ J @ z
    ),
    "the pseudo-inverse is not the transpose in what is projected": lambda p, J, q, v, z: (
        np.linalg.pinv(J) @ v + z - J.T @ J @ z
    ),
    "the direction of the last link is held, too, so that no joint is to spare: it may point wherever it likes": (
        lambda p, J, q, v, z: np.linalg.solve(np.vstack([J, np.ones(3)]), [*v, 0.0])
    ),
    "the last link turns as the wish has it, so that no joint is to spare: it may point wherever it likes": (
        lambda p, J, q, v, z: np.linalg.solve(np.vstack([J, np.ones(3)]), [*v, z.sum()])
    ),
    "what the hand would feel of the wish is taken away, and the wish itself is missing": lambda p, J, q, v, z: (
        np.linalg.pinv(J) @ (v - J @ z)
    ),
    "the wish, or what it is projected by, has the opposite sign: it leads away from the middle": lambda p, J, q, v, z: (
        _nearest(J, v, -z)
    ),
    "the directions of the links are sums of angles": lambda p, J, q, v, z: _nearest(
        _of_turns(np.vstack([J, np.ones(3)]), q)[:2], v, z
    ),
    "each column of J has the links from its joint on, not its own alone": lambda p, J, q, v, z: _nearest(
        _own_links(J), v, z
    ),
    "sine and cosine are exchanged in J": lambda p, J, q, v, z: _nearest(-J[::-1], v, z),
    "the wish is that of angles from the x axis: each joint has a middle of its own angle": lambda p, J, q, v, z: (
        _nearest(J, v, -p.pull * (np.cumsum(q) - np.array(p.middle)))
    ),
    "each joint's wish is p.pull times what is missing of its angle, without a square": lambda p, J, q, v, z: _nearest(
        J, v, p.pull * z
    ),
}


def _tasks(p: Parameters, q: Array, v: Array, u: Array) -> list[tuple[Array, Array, str]]:
    """Return the Jacobians and velocities of both tasks with their names, the first one first."""
    J = _directions(p, q)
    hand = (J, v, "hand")
    joint = (_directions_of_joint(p, q), u, "third joint")
    return [hand, joint] if p.order == given.ORDERS["hand"] else [joint, hand]


def _directions_of_joint(p: Parameters, q: Array) -> Array:
    """Return the velocity (2, 3) of the third joint by the rates."""
    J = _directions(p, q)
    turn = np.cumsum(q)[-1]
    return J - p.three[2] * np.array([-np.sin(turn), np.cos(turn)])[:, None]


def _does_the_first(p: Parameters, at: At, value: Value) -> str | None:
    """The first task is done exactly."""
    (J1, v1, name), (J2, v2, other) = _tasks(p, *at)
    size = max(np.linalg.norm(v1), np.linalg.norm(v2))
    gap = np.linalg.norm(J1 @ value - v1)
    if gap <= NEAR * size:
        return None
    slip = ""
    if np.linalg.norm(value) > 1e6 * size:
        slip = "These rates are enormous: something is divided by what should be zero and is rounding. Look at the rank of what is inverted."
    elif v2.any() and np.linalg.norm(J2 @ value - v2) <= NEAR * size:
        slip = f"The {other} does."
    elif np.linalg.norm(J1.T @ (J1 @ value - v1) + J2.T @ (J2 @ value - v2)) <= NEAR * size:
        slip = "These are the least squares of both together: each task yields to the other."
    close = "It is close: functions should not round." if gap <= 1e-3 * size and not slip else ""
    return Said(f"The {name} comes first, and does not move as wanted.", slip, close=close)


def _does_the_second(p: Parameters, at: At, value: Value) -> str | None:
    """What is left of the error of the second task cannot be lessened by rates that leave the first alone."""
    if _does_the_first(p, at, value):
        return None  # that law tells
    (J1, _, name), (J2, v2, other) = _tasks(p, *at)
    free = np.cross(J1[0], J1[1])
    free /= np.linalg.norm(free)
    way = J2 @ free
    error = v2 - J2 @ value
    if np.linalg.norm(way) <= NEAR * np.linalg.norm(J2):
        raise ArithmeticError(
            "nothing is left for the second task: of no student's arm, but of one that a search supposes"
        )
    if abs(way @ error) <= NEAR * np.linalg.norm(way) * max(np.linalg.norm(v2), np.linalg.norm(J2 @ value)):
        return None
    if laws.is_wordless():
        return "no"
    least = np.linalg.lstsq(J1, at[1] if name == "hand" else at[2], rcond=None)[0]
    asked = free @ (value - least) * (way @ way)

    size = np.linalg.norm(way) * max(np.linalg.norm(v2), np.linalg.norm(J2 @ least))

    def near(other: float) -> bool:
        return bool(abs(asked - other) <= NEAR * size)

    slips = {
        "These are just the least rates that do the first task.": 0.0,
        f"What the {other} still lacks is its velocity less that which the first task already gives it.": way @ v2,
        "What the second task lacks has the opposite sign.": -(way @ (v2 - J2 @ least)),
        "The second task is projected after its own least rates are found: these are not the best of what is left.": (
            free @ np.linalg.pinv(J2, rcond=1e-9) @ (v2 - J2 @ least)
        )
        * (way @ way),
        "The second task's own least rates are projected, without a look at what the first already does.": (
            free @ np.linalg.pinv(J2, rcond=1e-9) @ v2
        )
        * (way @ way),
    }
    named = [words for words, one in slips.items() if near(one)]
    return Said(
        f"The {name} moves as wanted, but other rates that do this bring the {other} nearer to what it should do.",
        "".join(named[:1]),
    )


def _wrong_order(make: Callable[..., Array]) -> Callable[..., Any]:
    """The rates of a mistake: make(J1, v1, J2, v2), of both tasks as they should be."""

    def of(p: Parameters) -> Callable[..., Any]:
        def ordered(q: Array, v: Array, u: Array) -> Array:
            (J1, v1, _), (J2, v2, _) = _tasks(p, q, v, u)
            return make(J1, v1, J2, v2)

        return ordered

    return of


def _wrong_third(change: Callable[[Array, Array], Array]) -> Callable[..., Any]:
    """The rates with another Jacobian of the third joint: change(that of the hand, that of the third joint)."""

    def of(p: Parameters) -> Callable[..., Any]:
        def ordered(q: Array, v: Array, u: Array) -> Array:
            (J1, v1, name), (J2, v2, _) = _tasks(p, q, v, u)
            if name == "hand":
                return _by_order(J1, v1, change(J1, J2), v2)
            return _by_order(change(J2, J1), v1, J2, v2)

        return ordered

    return of


def _by_order(J1: Array, v1: Array, J2: Array, v2: Array) -> Array:
    """Return the least rates that do the first task and, of those, best the second."""
    inverse = np.linalg.pinv(J1, rcond=1e-9)
    least = inverse @ v1
    free = np.eye(3) - inverse @ J1
    return least + np.linalg.pinv(J2 @ free, rcond=1e-9) @ (v2 - J2 @ least)


def _transposed(J1: Array, v1: Array, J2: Array, v2: Array) -> Array:
    """Return the least rates of the first task and, beside them, those of the second down a slope."""
    inverse = np.linalg.pinv(J1, rcond=1e-9)
    return inverse @ v1 + (J2 @ (np.eye(3) - inverse @ J1)).T @ (v2 - J2 @ inverse @ v1)


def _added(J1: Array, v1: Array, J2: Array, v2: Array, less: float) -> Array:
    """Return the least rates of the first task and, beside them, not projected, those of the second, less what the first does."""
    least = np.linalg.pinv(J1) @ v1
    return least + np.linalg.pinv(J2, rcond=1e-9) @ (v2 - less * J2 @ least)


SLIPS_OF_ORDER: dict[str, Callable[..., Array]] = {
    "the second task is done first: is the order turned around?": lambda J1, v1, J2, v2: _by_order(J2, v2, J1, v1),
    "these are just the least rates that do the first task, and nothing of the second is in them": lambda J1, v1, J2, v2: (
        np.linalg.pinv(J1, rcond=1e-9) @ v1
    ),
    "these are just the least rates that do the second task, and nothing of the first is in them": lambda J1, v1, J2, v2: (
        np.linalg.pinv(J2, rcond=1e-9) @ v2
    ),
    "the second task is done exactly, at the cost of the first: what is added for it is not projected onto what the first leaves free": (
        lambda J1, v1, J2, v2: _added(J1, v1, J2, v2, 1.0)
    ),
    "the least rates of both tasks are added, and each disturbs the other": lambda J1, v1, J2, v2: _added(
        J1, v1, J2, v2, 0.0
    ),
    "what is left of the second task is what it lacks, less what the first already does, not plus": (
        lambda J1, v1, J2, v2: _by_order(J1, v1, J2, v2 + 2 * J2 @ np.linalg.pinv(J1, rcond=1e-9) @ v1)
    ),
    "the pseudo-inverse of what is left for the second task is not its transpose": lambda J1, v1, J2, v2: _transposed(
        J1, v1, J2, v2
    ),
    "v and u are exchanged, the velocities of hand and third joint": lambda J1, v1, J2, v2: _by_order(J1, v2, J2, v1),
}
SLIPS_OF_THIRD: dict[str, Callable[[Array, Array], Array]] = {
    "the third joint does not move with link 3: that stands still in the first two columns of its J": lambda hand, third: (
        hand * [1, 1, 0]
    ),
    "joint 3 does not move the third joint: the third column of its J is zero": lambda hand, third: np.column_stack(
        [third[:, :2], hand[:, 2]]
    ),
    "the third joint has the J of the hand": lambda hand, third: hand,
    "that is the second joint, at the end of link 1: the third is at the end of link 2": lambda hand, third: (
        (third - third[:, 1:2]) * [1, 0, 0]
    ),
    "link 1 is missing in the first column of the third joint's J": lambda hand, third: third[:, [1, 1, 2]],
    "link 2 is missing in the first column of the third joint's J": lambda hand, third: np.column_stack(
        [third[:, 0] - third[:, 1], third[:, 1:]]
    ),
    "the first two columns of the third joint's J have the opposite sign": lambda hand, third: -third,
    "link 3 is added to the J of the hand, where it is taken away for that of the third joint": lambda hand, third: (
        2 * hand - third
    ),
}


# Numbers


def _lags(p: Parameters, at: At, value: Value) -> str | None:
    """e' = V - share (V + k e), without and with the feedback k e."""
    # mm/s and 1/s
    fallen = 1000 * (1 - p.share) * p.speed
    rate = p.share * p.gain

    def kept(stays: float = fallen / rate, rate: float = rate, off: float = p.off, time: float = p.time) -> float:
        return stays + (off - stays) * math.exp(-rate * time)

    without = p.off + fallen * p.time
    right = kept()
    sentence = "Without feedback that is not the error."
    slips = _of_no_feedback(p, fallen, without) | {"Nothing is fed back here: the gain has no part in it.": right}
    found = laws.differs(sentence, at, value[0], without, 1e-4, wrong=slips)
    if found:
        other_way = laws.differs(sentence, at, value[::-1], [without, right], 1e-4) is None
        return "Both errors are right, and in the other order: without feedback first." if other_way else found
    sentence = "Without feedback the error is right, with it it is not."
    slips = _of_feedback(p, fallen, rate, kept) | {"That is the error without feedback.": without}
    return laws.differs(sentence, at, value[1], right, 1e-4, wrong=slips)


def _of_no_feedback(p: Parameters, fallen: float, without: float) -> dict[str, float]:
    """Return {words: the error of a mistake, mm}; fallen: behind the goal, mm/s."""
    return {
        "The hand starts with an error: it is still there at the end.": without - p.off,
        "The error at the start has its sign: goal minus hand.": without - 2 * p.off,
        "The hand falls behind by the part of the speed that the motors lack.": p.off
        + 1000 * p.share * p.speed * p.time,
        "The motors are slow: the hand falls behind, and goal minus hand grows.": p.off - fallen * p.time,
        "1 m is 1000 mm.": p.off + fallen * p.time / 1000,
        "That is in m: mm are asked for.": without / 1000,
        "p.off is in mm already.": 1000 * p.off + fallen * p.time,
        "The time is missing: an error adds up.": p.off + fallen,
        "The speed is missing.": p.off + fallen * p.time / p.speed,
    }


def _of_feedback(p: Parameters, fallen: float, rate: float, kept: Callable[..., float]) -> dict[str, float]:
    """Return {words: the error of a mistake, mm}; kept(stays, rate, off, time): what is off from `stays` decays."""
    stays = fallen / rate
    late = 1e3
    none_told = 1000 * p.speed
    first_slope = stays + (p.off - stays) * (1 - rate * p.time)
    return {
        "The feedback goes through the slow motors, too: they do only a share of k e.": kept(fallen / p.gain, p.gain),
        "The motors lessen the gain in what remains, too.": kept(fallen / p.gain),
        "The motors lessen the gain in the exponent, too.": kept(rate=p.gain),
        "That decays to zero: what the motors lack makes a new error all the time.": kept(0.0),
        "That decays to zero, and as if the motors were not slow.": kept(0.0, p.gain),
        "That is what remains after a long time: it is not there yet.": kept(time=late),
        "That is what remains after a long time, and the motors lessen the gain, too.": kept(
            fallen / p.gain, time=late
        ),
        "The error at the start decays, and is there: it is missing.": kept(off=0.0),
        "The error at the start has its sign: goal minus hand.": kept(off=-p.off),
        "What remains has the opposite sign: the hand trails behind.": kept(-stays),
        "What remains has to build up: at the start the error is p.off.": stays + kept(0.0),
        "What decays is the error at the start less what remains, not their sum.": stays + kept(0.0, off=p.off + stays),
        "That is without the goal's velocity in what the motors are told.": kept(none_told / rate),
        "That is without the goal's velocity in what the motors are told, and as if they were not slow.": kept(
            none_told / p.gain, p.gain
        ),
        "What remains is as if the motors were told nothing of the goal's velocity.": kept(none_told / p.gain),
        "It is not the error without feedback, times what decays.": kept(0.0, off=p.off + fallen * p.time),
        "The gain is missing where the error settles.": kept(fallen),
        "It decays with an exponential, of which that is the first slope.": first_slope,
        "1 m is 1000 mm.": kept(stays / 1000),
        "That is in m: mm are asked for.": kept() / 1000,
        "p.off is in mm already.": kept(off=1000 * p.off),
    }


def _pushes(p: Parameters, at: At, value: Value) -> str | None:
    """The power of the motors is that of the push, whatever the rates; and the first motor at its limit sets the force."""
    turns = (p.pose[0], p.pose[0] + p.pose[1], sum(p.pose))
    sentence = "Those are not the torques of the largest push."
    push = cmath.exp(1j * math.radians(p.along))

    def of_one(
        push: complex = push,
        turns: Sequence[float] = turns,
        lengths: Sequence[float] = p.three,
        columns: Callable[[list[complex]], Iterable[complex]] = _columns,
    ) -> list[float]:
        links = [length * cmath.exp(1j * turn) for length, turn in zip(lengths, turns)]
        return [(column.conjugate() * push).real for column in columns(links)]

    if laws.is_wordless():
        return laws.differs(sentence, at, value, _at_first_limit(p, of_one()), 1e-4)

    def scaled(turned: Sequence[float]) -> list[float]:
        return _at_first_limit(p, turned)

    def whole(*links: complex) -> list[float]:
        return scaled([(column.conjugate() * push).real for column in _columns(links)])

    links = {f"Link {i + 1}": p.three[i] * cmath.exp(1j * turn) for i, turn in enumerate(turns)}
    wrong = _of_size(p, of_one()) | _of_levers(p, push, turns, lambda *some, **named: scaled(of_one(*some, **named)))
    wrong |= laws.of_parts(whole, links)
    wrong |= {words: scaled(one) for words, one in _of_one_link(p, push, turns).items()}
    wrong["Rates follow by the inverse of J, torques by its transpose."] = scaled(_resolved([*links.values()], push))
    found = laws.differs(sentence, at, value, scaled(of_one()), 1e-4, wrong=wrong)
    if found and not found.slip and not found.close:
        return Said(sentence, _of_shares([float(one) for one in value], of_one()))
    return found


def _of_shares(value: Sequence[float], single: Sequence[float]) -> str:
    """Return words for torques that belong to a push of another size in this direction, or to none."""
    size = sum(a * b for a, b in zip(value, single)) / sum(b * b for b in single)
    if max(abs(a - size * b) for a, b in zip(value, single)) <= 1e-4 * max(map(abs, value)):
        return "They belong to a push in this direction, but not to the largest: which motor is the first at its limit?"
    return "No push in this direction has these torques: their shares are those of the three levers."


def _at_first_limit(p: Parameters, single: Sequence[float]) -> list[float]:
    """Return the torques at which the first motor is at its limit, in the shares of those of 1 N."""
    most = min(limit / abs(one) for limit, one in zip(p.motors, single))
    return [most * one for one in single]


def _of_one_link(p: Parameters, push: complex, turns: Sequence[float]) -> dict[str, list[float]]:
    """Return {words: the torques of 1 N} with the direction of one link, or the lever of one joint, another one."""
    first, second, third = p.pose
    directions = {
        "The direction of link 2 is q1 + q2, not q2 alone.": (turns[0], second, turns[2]),
        "The direction of link 2 is q1 + q2, not q1 alone.": (turns[0], turns[0], turns[2]),
        "The direction of link 3 is the sum of all three angles, not q3 alone.": (*turns[:2], third),
        "The direction of link 3 is the sum of all three angles, not q2 + q3.": (*turns[:2], second + third),
        "The direction of link 3 is the sum of all three angles, not q1 + q2.": (*turns[:2], turns[1]),
        "The direction of link 3 is the sum of all three angles, not q1 + q3.": (*turns[:2], first + third),
        "The directions of links 2 and 3 count from link 1: q1 is in them, too.": (first, second, second + third),
        "Each link has the direction of one angle before its own alone: they are sums.": (
            first, first + second, second + third),
    }  # fmt: skip
    wrong = {}
    for words, others in directions.items():
        links = [length * cmath.exp(1j * turn) for length, turn in zip(p.three, others)]
        wrong[words] = [(column.conjugate() * push).real for column in _columns(links)]
    links = [length * cmath.exp(1j * turn) for length, turn in zip(p.three, turns)]
    moments = [((1j * link).conjugate() * push).real for link in links]
    right = [sum(moments[i:]) for i in range(3)]
    for i, k in itertools.product(range(3), repeat=2):
        words, by = ("lacks", -moments[k]) if k >= i else ("has, too many,", moments[k])
        if not i == k == 2:
            wrong[f"The lever of joint {i + 1} {words} link {k + 1}."] = [
                one + by * (joint == i) for joint, one in enumerate(right)
            ]
    wrong["The lever of joint 1 is that of link 1 alone: all links stand between it and the hand."] = [
        moments[0], *right[1:]]  # fmt: skip
    for i, k in ((0, 1), (1, 2)):
        lengths = list(p.three)
        lengths[i], lengths[k] = lengths[k], lengths[i]
        links = [length * cmath.exp(1j * turn) for length, turn in zip(lengths, turns)]
        wrong[f"Links {i + 1} and {k + 1} are exchanged."] = [
            (column.conjugate() * push).real for column in _columns(links)
        ]
    return wrong


def _columns(links: Sequence[complex]) -> list[complex]:
    """Return the columns of the Jacobian, x + i y: the ways from the joints to the hand, turned by a quarter."""
    return [1j * sum(links[i:], 0j) for i in range(len(links))]


def _resolved(links: list[complex], v: complex) -> list[float]:
    """Return the least rates that move the hand with a velocity: by the pseudo-inverse."""
    columns = _columns(links)
    xx = sum(one.real**2 for one in columns)
    yy = sum(one.imag**2 for one in columns)
    xy = sum(one.real * one.imag for one in columns)
    weight = complex(yy * v.real - xy * v.imag, xx * v.imag - xy * v.real) / (xx * yy - xy**2)
    return [(one.conjugate() * weight).real for one in columns]


def _of_size(p: Parameters, single: list[float]) -> dict[str, list[float]]:
    """Return {words: the torques of another size}; single: those of 1 N, in N m."""
    forces = [limit / abs(one) for limit, one in zip(p.motors, single)]  # that each motor could hold alone, N
    least = min(forces)
    limits = [math.copysign(limit, one) for limit, one in zip(p.motors, single)]
    least_of_all = min(p.motors) / max(map(abs, single))
    beyond = {
        f"With that force motor {k + 1} is at its limit, and {words} beyond. A limit holds in either direction, for all motors: neither the weakest one nor that with the largest torque need be the first at it.": force
        for k, force in enumerate(forces)
        for words in [{1: "another one is", 2: "both others are"}.get(sum(one < force for one in forces))]
        if words
    }
    sizes = beyond | {
        "Those are the torques for a push of 1 N.": 1.0,
        "The least limit need not be that of the motor with the largest torque: each has its own of both.": least_of_all,
        "A limit holds in either direction: the least of limit over torque is not meant with the signs of the torques.": min(
            limit / one for limit, one in zip(p.motors, single)
        ),
        "The forces that each motor could hold alone do not add up: the least of them decides.": sum(forces),
        "The mean of the forces that each motor could hold alone is too much for one of them.": sum(forces) / 3,
        "That is what the wall does to the arm: the opposite sign.": -least,
    }
    return {
        **{words: [force * one for one in single] for words, force in sizes.items()},
        "The motors cannot all be at their limits: the torques of one force have fixed shares.": limits,
        "A torque has its sign: some of them are negative.": [least * abs(one) for one in single],
    }


def _of_levers(
    p: Parameters, push: complex, turns: Sequence[float], made: Callable[..., list[float]]
) -> dict[str, list[float]]:
    """Return {words: the torques of a mistake in J or in the push}; made(push, turns, lengths, columns): the largest ones."""
    exchanged = [math.pi / 2 - turn for turn in turns]
    return {
        "The push is counted from the x axis of the base, not from the last link.": made(
            push * cmath.exp(1j * turns[2])
        ),
        "The directions of the links are sums of angles.": made(turns=p.pose),
        "Each joint has the levers of all links from it on, not of its own alone.": made(
            columns=lambda links: [1j * link for link in links]
        ),
        "The levers run from the joints to the hand, not from the shoulder.": made(
            columns=lambda links: [1j * way for way in accumulate(links)]
        ),
        "Sine and cosine of the push are exchanged.": made(1j * push.conjugate()),
        "Sine and cosine of the links are exchanged.": made(turns=exchanged),
        "p.along is in degrees.": made(cmath.exp(1j * p.along)),
        "That is a dot product of lever and force: a moment has their cross product.": made(push * 1j),
        "p.along has its sign: it counts counterclockwise.": made(push.conjugate()),
        "The first and the last link are exchanged.": made(lengths=p.three[::-1]),
    }


# Along a path


def _needs(p: Parameters, s: float, rate: float) -> tuple[Array, Array]:
    """Return a and the rest of the torques a u + rest that an acceleration u along the path takes."""
    start = np.array(p.start)
    way = np.subtract(p.end, p.start)
    still = np.zeros(2)
    q = start + s * way
    rest = rd.inverse_dynamics(p.arm, q, rate * way, still)
    return rd.inverse_dynamics(p.arm, q, rate * way, way) - rest, rest


def _accelerates(p: Parameters, at: At, value: Value) -> str | None:
    """At both ends some motor is at its limit and would be beyond it a little further on; none is beyond."""
    a, rest = _needs(p, *map(float, at))
    limits = np.array(p.limits)
    if not value[0] < value[1]:
        return "The first number is the least acceleration, the second the largest: they are in the other order, or the same."
    for k, name in enumerate(("smallest", "largest")):
        torques = a * value[k] + rest
        beyond = abs(torques) / limits - 1
        i = int(np.argmax(beyond))
        if beyond[i] > NEAR:
            close = "It is close: functions should not round." if beyond[i] <= 1e-3 else ""
            return Said(f"At the {name} acceleration motor {i + 1} needs more than it has.", close=close)
        pushes = torques * a * (1 if k else -1) > 0  # a little further on the torque grows
        if not (abs(beyond[pushes]) <= NEAR).any():
            close = "It is close: functions should not round." if (abs(beyond[pushes]) <= 1e-3).any() else ""
            how = "larger" if k else "smaller"
            return Said(f"At the {name} acceleration no motor is at its limit: a {how} one is possible.", close=close)
    return None


def _wrong_limits(words: str) -> Callable[..., Any]:
    """The limits of the acceleration with the mistake of these words."""
    change = SLIPS_OF_LIMITS[words]

    def of(p: Parameters) -> Callable[..., Any]:
        def accelerations(s: float, rate: float) -> Array:
            start = np.array(p.start)
            way = np.subtract(p.end, p.start)
            still = np.zeros(2)
            q = start + s * way
            c = rd.inverse_dynamics(p.arm, q, still, still)
            a = rd.inverse_dynamics(p.arm, q, still, way) - c
            b = rd.inverse_dynamics(p.arm, q, way, still) - c
            return np.array(change(a, b, c, rate, np.array(p.limits)))

        return accelerations

    return of


def _between(a: Array, rest: Array, limits: Array) -> list[float]:
    ends = np.sort([(-limits - rest) / a, (limits - rest) / a], axis=0)
    return [ends[0].max(), ends[1].min()]


SLIPS_OF_LIMITS: dict[str, Callable[..., Any]] = {
    "the velocity torque is missing": lambda a, b, c, w, t: _between(a, c, t),
    "the rate along the path enters squared": lambda a, b, c, w, t: _between(a, b * w + c, t),
    "the velocity torque has the opposite sign": lambda a, b, c, w, t: _between(a, c - b * w**2, t),
    "the weight is missing": lambda a, b, c, w, t: _between(a, b * w**2, t),
    "the weight has the opposite sign": lambda a, b, c, w, t: _between(a, b * w**2 - c, t),
    "what is left of a limit is the limit less what velocity and weight already take: the sign of that, or the direction of the path, from p.start to p.end": lambda a, b, c, w, t: (
        _between(a, -b * w**2 - c, t)
    ),
    "where a_i is negative the upper limit of the torque bounds the acceleration from below": lambda a, b, c, w, t: [
        max((-t - b * w**2 - c) / a),
        min((t - b * w**2 - c) / a),
    ],
    "the torque is a times the acceleration: what is left of a limit is divided by a": lambda a, b, c, w, t: _between(
        1 / a, b * w**2 + c, t
    ),
    "velocity and weight take their part of the limits": lambda a, b, c, w, t: [max(-t / abs(a)), min(t / abs(a))],
    "motor 2 has limits, too": lambda a, b, c, w, t: _between(a[:1], (b * w**2 + c)[:1], t[:1]),
    "motor 1 has limits, too": lambda a, b, c, w, t: _between(a[1:], (b * w**2 + c)[1:], t[1:]),
    "all motors must be within their limits: the tightest bound counts, not the widest": lambda a, b, c, w, t: [
        np.minimum((t - b * w**2 - c) / a, (-t - b * w**2 - c) / a).min(),
        np.maximum((t - b * w**2 - c) / a, (-t - b * w**2 - c) / a).max(),
    ],
    "the limits are those of either sign: what is possible need not lie evenly about zero": lambda a, b, c, w, t: [
        -_between(a, b * w**2 + c, t)[1],
        _between(a, b * w**2 + c, t)[1],
    ],
}


SLIPS_OF_LIMITS |= {
    "where a_i is negative a bound changes its side: the size of a_i alone does not tell": lambda a, b, c, w, t: [
        max((-t - b * w**2 - c) / abs(a)),
        min((t - b * w**2 - c) / abs(a)),
    ],
    "the velocity torque counts twice": lambda a, b, c, w, t: _between(a, 2 * b * w**2 + c, t),
    "the velocity torque counts half": lambda a, b, c, w, t: _between(a, b * w**2 / 2 + c, t),
    "the weight counts twice: is it still in what the velocity takes?": lambda a, b, c, w, t: _between(
        a, b * w**2 + 2 * c, t
    ),
    "the weight is still in what the velocity takes, and grows with the rate": lambda a, b, c, w, t: _between(
        a, (b + c) * w**2 + c, t
    ),
    "the weight is still in a, which is what the acceleration alone takes": lambda a, b, c, w, t: _between(
        a + c, b * w**2 + c, t
    ),
    "the weight is still in a, and in what the velocity takes": lambda a, b, c, w, t: _between(
        a + c, (b + c) * w**2 + c, t
    ),
    "the limits are those of either sign: the largest acceleration need not be the opposite of the least": (
        lambda a, b, c, w, t: [_between(a, b * w**2 + c, t)[0], -_between(a, b * w**2 + c, t)[0]]
    ),
    "the rate along the path is missing in the velocity torque": lambda a, b, c, w, t: _between(a, b + c, t),
    "the limits of the two motors are exchanged": lambda a, b, c, w, t: _between(a, b * w**2 + c, t[::-1]),
    "the smallest upper bound counts, not the largest": lambda a, b, c, w, t: _ends(a, b * w**2 + c, t)[[0, 1], [0, 0]],
    "the largest lower bound counts, not the smallest": lambda a, b, c, w, t: _ends(a, b * w**2 + c, t)[[1, 1], [1, 0]],
    "a limit holds in either direction: the least acceleration has one, too": lambda a, b, c, w, t: [
        min(np.maximum((t - b * w**2 - c) / a, 0)),
        max(np.maximum((t - b * w**2 - c) / a, 0)),
    ],
}


def _ends(a: Array, rest: Array, limits: Array) -> Array:
    """Return (2, 2): the bounds of each sort, lower and upper, the looser one first."""
    low, high = np.sort([(-limits - rest) / a, (limits - rest) / a], axis=0)
    return np.array([np.sort(low), np.sort(high)[::-1]])


def _wrong_path(words: str) -> Callable[..., Any]:
    """The limits of the acceleration with what it, the velocity and the weight take by the mistake of these words."""
    takes = SLIPS_OF_PATH[words]

    def of(p: Parameters) -> Callable[..., Any]:
        start = np.array(p.start)
        way = np.subtract(p.end, p.start)

        def accelerations(s: float, rate: float) -> Array:
            a, b, c = takes(_Taken(p.arm), s, start, way)
            return np.array(_between(a, b * rate**2 + c, np.array(p.limits)))

        return accelerations

    return of


class _Taken:
    """The torques that an arm of two joints takes: M(q) x, the velocity torque of rates, and the weight."""

    def __init__(self, arm: Any) -> None:
        self.arm = arm

    def weight(self, q: Array) -> Array:
        """Return g(q)."""
        return rd.inverse_dynamics(self.arm, q, 0 * q, 0 * q)

    def moved(self, q: Array, x: Array) -> Array:
        """Return M(q) x."""
        return rd.inverse_dynamics(self.arm, q, 0 * q, x) - self.weight(q)

    def turned(self, q: Array, rates: Array) -> Array:
        """Return the velocity torque."""
        return rd.inverse_dynamics(self.arm, q, rates, 0 * q) - self.weight(q)

    def all(self, q: Array, way: Array) -> tuple[Array, Array, Array]:
        """Return all three, with one way for the acceleration and the rates."""
        return self.moved(q, way), self.turned(q, way), self.weight(q)


SLIPS_OF_PATH: dict[str, Callable[..., tuple[Array, Array, Array]]] = {
    "each motor accelerates what the other joint moves, too: the coupling in M is lost": lambda t, s, o, d: (
        np.array([t.moved(o + s * d, d * e)[i] for i, e in enumerate(np.eye(2))]),
        *t.all(o + s * d, d)[1:],
    ),
    "the coupling in M has the opposite sign": lambda t, s, o, d: (
        np.array([t.moved(o + s * d, d * e)[i] for i, e in enumerate(2 * np.eye(2) - 1)]),
        *t.all(o + s * d, d)[1:],
    ),
    "the path runs from p.start to p.end: the sign of end minus start, or the direction of the path": (
        lambda t, s, o, d: t.all(o - s * d, -d)
    ),
    "the path runs from p.start to p.end, and not the other way": lambda t, s, o, d: t.all(o + d - s * d, -d),
    "the path runs from p.start to p.end: the place is that of the other way": lambda t, s, o, d: t.all(
        o + d - s * d, d
    ),
    "the place on the path is p.start plus s times the way: p.start is missing": lambda t, s, o, d: t.all(s * d, d),
    "the place on the path is p.start plus s times the way, not times p.end": lambda t, s, o, d: t.all(
        o + s * (o + d), d
    ),
    "M, velocity torque and weight are those at q(s), not at p.start": lambda t, s, o, d: t.all(o, d),
    "M is that at q(s), not at p.start": lambda t, s, o, d: (t.moved(o, d), *t.all(o + s * d, d)[1:]),
    "the velocity torque is that at q(s), not at p.start": lambda t, s, o, d: (
        t.moved(o + s * d, d), t.turned(o, d), t.weight(o + s * d)),
    "the weight is that at q(s), not at p.start": lambda t, s, o, d: (*t.all(o + s * d, d)[:2], t.weight(o)),
    "s runs from 0 to 1: the path is the whole way, not one of the length 1": lambda t, s, o, d: t.all(
        o + s * d / np.linalg.norm(d), d / np.linalg.norm(d)
    ),
    "q' is end minus start, not p.end": lambda t, s, o, d: t.all(o + s * d, o + d),
    "q' is end minus start: it is missing where M is multiplied": lambda t, s, o, d: (
        t.moved(o + s * d, np.ones(2)), *t.all(o + s * d, d)[1:]),
    "q' is end minus start: it is missing, as if both joints turned by 1 rad": lambda t, s, o, d: t.all(
        o + s * d, np.ones(2)
    ),
    "q' is end minus start: it is missing in the rates of the joints": lambda t, s, o, d: (
        t.moved(o + s * d, d), t.turned(o + s * d, np.ones(2)), t.weight(o + s * d)),
    "s runs from 0 to 1: q' is the whole way, not one of the length 1": lambda t, s, o, d: t.all(
        o + s * d, d / np.linalg.norm(d)
    ),
    "q' enters the acceleration once, not squared": lambda t, s, o, d: (
        t.moved(o + s * d, d**2), *t.all(o + s * d, d)[1:]),
    "the velocity torque has a part with the product of both rates, which is missing": lambda t, s, o, d: (
        t.moved(o + s * d, d), sum(t.turned(o + s * d, d * e) for e in np.eye(2)), t.weight(o + s * d)),
    "the velocity torque has parts with the squares of the rates, which are missing": lambda t, s, o, d: (
        t.moved(o + s * d, d),
        t.turned(o + s * d, d) - sum(t.turned(o + s * d, d * e) for e in np.eye(2)), t.weight(o + s * d)),
    "the torques are those of a = M q', not of M^-1 q'": lambda t, s, o, d: (
        np.linalg.solve(np.column_stack([t.moved(o + s * d, e) for e in np.eye(2)]), d), *t.all(o + s * d, d)[1:]),
    "the two joints are exchanged in M": lambda t, s, o, d: (
        t.moved(o + s * d, d[::-1]), *t.all(o + s * d, d)[1:]),
    "q2 is the elbow's own angle, from link 1: it is not taken from the x axis": lambda t, s, o, d: t.all(
        np.cumsum(o + s * d), d
    ),
}  # fmt: skip


def _one_by_one(p: Parameters) -> Callable[..., Any]:
    """The limits of the acceleration, joint by joint, of what both motors at their limits would do to each joint."""

    def accelerations(s: float, rate: float) -> Array:
        start = np.array(p.start)
        way = np.subtract(p.end, p.start)
        q = start + s * way
        limits = np.array(p.limits)
        rest = rd.inverse_dynamics(p.arm, q, rate * way, 0 * q)
        M = rd.mass_matrix(p.arm, q)
        ends = np.sort([np.linalg.solve(M, sign * limits - rest) / way for sign in (-1, 1)], axis=0)
        return np.array([ends[0].max(), ends[1].min()])

    return accelerations


QUESTIONS = {
    "elbows": Question(
        "both poses of two links",
        **CALLED["elbows"],
        shape=(5,),
        judged="laws",
        laws=(_reaches,),
        hints=(
            "The distance of the hand from the shoulder depends on q2 alone: the law of cosines gives cos q2.",
            "With this cosine there are two angles, q2 and -q2, and none where it is beyond 1 or -1. Then the arm is one rigid piece.",
            "In the axes of link 1 the hand is at (l1 + l2 cos q2, l2 sin q2): q1 turns this vector into (x, y), by the difference of two arctangents of two arguments.",
        ),
    ),
    "nearly-stretched": Question(
        "which program goes astray, as a number from 1 to 3",
        judged="laws",
        laws=(laws.chosen(3),),
        hints=(
            "How far does the hand come in if the elbow bends by a little more?",
            "What does each program do with a direction in which the hand hardly moves?",
            "Whatever you choose is right here: hand it in, and look.",
        ),
        show=_compared,
        prediction=True,
    ),
    "first-step": Question(
        "both angles of the damped step",
        shape=(2,),
        tolerance=1e-4,
        laws=(_bends,),
        hints=(
            "The error is a vector of the length p.back, from the hand toward the shoulder.",
            "J has a column for each joint: at right angles to the line from the joint to the hand, as long as this line.",
            "(J^T J + mu^2 1) dq = J^T e, two equations for two angles. Newton's step solves J dq = e: compare their lengths.",
        ),
    ),
    "damped-step": Question(
        "one damped step of three joints",
        **CALLED["damped-step"],
        shape=(3,),
        laws=(_steps_damped,),
        mistakes={words: _wrong_step(words) for words in SLIPS_OF_STEP},
        hints=(
            "Three errors: x, y and the direction, q1 + q2 + q3 against goal[2]. Three rows of J; the last is 1, 1, 1.",
            "Two directions that differ by 350 degrees differ by 10: take the difference of angles to between -pi and pi.",
            "Solve (J^T J + mu^2 1) dq = J^T e, with mu = p.damping |e| and all three errors in |e|.",
        ),
    ),
    "own-wish": Question(
        "rates of three joints that move the hand",
        **CALLED["own-wish"],
        shape=(3,),
        laws=(_follows, _wishes),
        mistakes={words: _wrong_rates(make) for words, make in SLIPS_OF_RATES.items()},
        hints=(
            "What do the joints want? z = -p.pull (q - p.middle).",
            "Two equations, three rates: of all solutions the one nearest to z.",
            "J^+ v + (1 - J^+ J) z, with the pseudo-inverse J^+ of the two rows of J.",
        ),
    ),
    "first-things": Question(
        "rates of three joints for two tasks",
        **CALLED["first-things"],
        shape=(3,),
        laws=(_does_the_first, _does_the_second),
        mistakes={words: _wrong_order(make) for words, make in SLIPS_OF_ORDER.items()}
        | {words: _wrong_third(change) for words, change in SLIPS_OF_THIRD.items()},
        hints=(
            "Each task moves a point in two directions, and has two rows. Joint 3 does not move the third joint.",
            "The first task leaves one freedom, its null space: N = 1 - J1^+ J1. What does the second still lack, and what can it still move, J2 N?",
            "J1^+ v1 + (J2 N)^+ (v2 - J2 J1^+ v1). J2 N has rank 1: what should be zero in it is rounding, so give np.linalg.pinv an rcond of 1e-9, or take rd.differential_kinematics.by_priority.",
        ),
    ),
    "drift": Question(
        "the error without and with feedback",
        shape=(2,),
        tolerance=1e-4,
        laws=(_lags,),
        hints=(
            "The rate of the error is the goal's velocity less the hand's, and the hand does p.share of what it is told.",
            "Without feedback that is a constant: the error grows evenly. With it: e' = V - share (V + k e).",
            "It settles at (1 - share) V / (share k), and what is off from there decays with exp(-share k t).",
        ),
    ),
    "push": Question(
        "three torques of a push",
        shape=(3,),
        tolerance=1e-4,
        laws=(_pushes,),
        hints=(
            "The power of the motors is that of the push: for whatever rates.",
            "tau = J^T f: each torque is the moment of the force about its joint, with the lever from there to the hand.",
            "Find the torques for a push of 1 N; then by how much can all of them grow together, until the first is at its limit?",
        ),
    ),
    "accelerations": Question(
        "the least and the largest acceleration along a path",
        **CALLED["accelerations"],
        shape=(2,),
        laws=(_accelerates,),
        mistakes={words: _wrong_limits(words) for words in SLIPS_OF_LIMITS}
        | {words: _wrong_path(words) for words in SLIPS_OF_PATH}
        | {
            "both joints stay on the path, and share its acceleration: it is not what M^-1 makes of the limits, joint by joint": _one_by_one
        },
        hints=(
            "q, its rate and its acceleration follow from s: what are q' and q'' on a straight path?",
            "Each torque is linear in the acceleration u along the path: a_i u + b_i rate^2 + c_i. Three calls of inverse dynamics give a, b and c.",
            "Each motor bounds u from both sides; where a_i is negative the two bounds change places. What all allow runs from the largest lower to the smallest upper bound.",
        ),
    ),
    "explain": Question(
        "why an arm does not come back",
        judged="person",
        hints=(
            "The hand is on the seam all day: which motion of the arm does not show there?",
            "Does a shorter step help? Ask what the rates depend on.",
            "What could one ask for beside the motion of the hand?",
        ),
    ),
}
