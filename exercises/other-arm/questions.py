"""The assignment "other-arm": laws that are designed on one arm and judged by the motion of another."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import robotdyn as rd
from coursework.check import laws
from coursework.check.question import Question
from coursework.check.session import assignment_module
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, At, Value
    from coursework.check.parameters import Parameters

given = assignment_module("other-arm", "given")

LAST = 50  # torques: the last half second
OVER = 0.02  # the share of torques that may ask for more than the motors give
JUMPS = 0.02  # of the limit: how much a torque changes from call to call, on average
EFFORT = 1.25  # the integral of the squared torques, by that of the torques which the motion itself takes
ERROR, OFF, HAND = 0.08, 0.1, 0.04  # the largest errors: rad, rad where a law has time to settle, m
END = 0.001  # rad: the error that an integral leaves
WEIGHT = 0.02  # of the weight: how near the first torque is to it, where no error and no rate tell otherwise
OFF_BY = "The error comes to", "In the last half second the error is still"
CALM = 10.0  # rad/s: beyond that rate a motion is not told from its torques to the last digit
NONE = 5.0  # 1/s^2: a stiffness below that is none
UNCLEAR = 0.2  # of what the torques ask for: where more of it is left, no gains are told
WEAK = 0.05  # of what the spring alone needs: a damper below that is none


def _rests(p: Parameters, at: At, value: Value) -> str | None:
    """K (goal - q) = J(q)^T (0, load g): the model carries its own weight in each pose, so the springs carry the load alone."""
    (l1, l2), (k1, k2), (a, b) = p.lengths, p.stiffness, p.goal

    def balance(weight: float, stiffness: tuple[float, float] = (k1, k2), pose: Any = None, way: Any = math.cos) -> list[float]:  # fmt: skip
        q = list(p.goal)
        for _ in range(1 if pose else 300):
            first = (pose or q)[0]
            both = sum(pose or q)
            levers = l1 * way(first) + l2 * way(both), l2 * way(both)
            q = [old - weight * lever / k for old, lever, k in zip(p.goal, levers, stiffness)]
        return q

    load = p.load * 9.81
    right = balance(load)
    linear = balance(load, pose=p.goal)
    elbow, (m1, m2) = l2 * math.cos(a + b), p.masses
    own = 9.81 * ((m1 / 2 + m2) * l1 * math.cos(a) + m2 * elbow / 2), 9.81 * m2 * elbow / 2  # weight of the arm
    wrong = {
        "That takes the load's torques at the goal: they are those of the pose where the arm rests.": linear,
        "That is how far it sags: the angles are asked for.": [one - other for one, other in zip(p.goal, right)],
        "That is how far it sags, with its sign: the angles are asked for.": [
            other - one for one, other in zip(p.goal, right)
        ],
        "A load pulls down: the sign of its torques.": balance(-load),
        "A load pulls down: the sign of its torques, and they are those of the pose where the arm rests.": balance(
            -load, pose=p.goal
        ),
        "g is missing: a load in kg has a weight in N.": balance(p.load),
        "The stiffnesses of the two joints are exchanged.": balance(load, (k2, k1)),
        "Sine and cosine are exchanged: angles count from the horizontal.": balance(load, way=math.sin),
        "That is in degrees.": [math.degrees(one) for one in right],
        "The model carries the arm's own weight in each pose: the springs carry the load alone.": [
            one - (pull + load * lever) / k
            for one, pull, lever, k in zip(p.goal, own, (l1 * math.cos(a) + elbow, elbow), p.stiffness)
        ],
        "The load hangs at the hand, not in the middle of link 2.": balance(load / 2),
        "That is the goal: the load pulls the arm off it.": list(p.goal),
        "The load pulls at the elbow's joint, too.": [right[0], b],
    }
    return laws.differs("There the springs do not carry the load.", at, value, right, 1e-4, wrong=wrong)


def _bounds(p: Parameters, at: At, value: Value) -> str | None:
    """A push that changes its side at each turning point drives the error to a limit cycle, and no other push goes further."""
    rate = math.sqrt(p.kp - p.kd**2 / 4)
    kept = math.exp(-p.kd / 2 * math.pi / rate)  # of a swing, half a period later
    still = p.most / p.kp
    reached = 0.0
    for _ in range(400):
        reached = still + (still + reached) * kept
    wrong = {
        "That is where a constant push holds it: a push may change its side when the error turns.": still,
        "That is how far it swings when a constant push begins: then the push may change its side.": still * (1 + kept),
        "That is the swing under a sine at the worst rate: a push that jumps from side to side does more.": p.most
        / (p.kd * rate),
        "That is the swing under a sine at the rate of the spring: a push that jumps from side to side does more.": p.most
        / (p.kd * math.sqrt(p.kp)),
        "That takes the error's answer to a blow for its envelope: such a bound holds, and is not the least.": p.most
        / (p.kd / 2 * rate),
        "The damper has a part in it: that is the bound of an error that does not swing.": 2 * still,
        "That is for half of the push.": reached / 2,
        "It has the damping ratio where kd / 2 belongs, or the other way round.": still
        / math.tanh(math.pi * p.kd / (4 * math.sqrt(p.kp))),
        "The stiffness stands in it as its root.": reached * math.sqrt(p.kp),
        "The push is missing: the bound is proportional to it.": reached / p.most,
    }
    fails = "There is a push within p.most that drives the error further."
    loose = "It holds, and it is not the least: no push within p.most drives the error so far."
    sentence = fails if value < reached else loose
    return laws.differs(sentence, at, value, reached, 1e-3, wrong=wrong)


# Laws that are judged by a motion


class Run(NamedTuple):
    """A motion of the other arm.  q, qd: (k, 2); tau: what the law asked for, within the limits or not; e, ed: errors."""

    q: Array
    qd: Array
    tau: Array
    e: Array
    ed: Array
    wanted: Array  # the acceleration of the reference
    wild: bool


def _run(p: Parameters, at: At, value: Array, with_hand: bool = False) -> Run:
    """The judge moves the other arm itself, with the torques that the law gave."""
    plant = given.Plant(p, at[0][0])
    found = []
    wild = False
    for k, tau in enumerate(value):
        *refs, wanted = (given.hand_reference if with_hand else given.reference)(p, k * given.PERIOD)
        J = rd.tip_jacobian(p.arm, plant.q)[:2] if with_hand else np.eye(2)
        place = given.hand(p, plant.q) if with_hand else plant.q
        found.append((plant.q, plant.qd, tau, place - refs[0], J @ plant.qd - refs[1], wanted))
        plant.move(tau)
        wild = not abs(plant.qd).max() < given.WILD
        if wild:
            break
    q, qd, tau, e, ed, acceleration = (np.array(column) for column in zip(*found))
    return Run(q, qd, tau, e, ed, acceleration, wild)


def _judged(
    steps: int, error: float, with_hand: bool = False, end: float = math.inf
) -> Callable[[Parameters, At, Value], str | None]:
    """Return the law of a design: bounds of the error, of the torques, of their jumps, of the effort."""

    def law(p: Parameters, at: At, value: Value) -> str | None:
        if value.shape != (steps, 2):
            return "A torque is missing."
        run = _run(p, at, value, with_hand)
        shown = _shown(p, at, run, error, with_hand, end)
        return f"{shown} {_cause(p, run, with_hand, steps, shown.startswith(OFF_BY))}".strip() if shown else None

    return law


def _shown(p: Parameters, at: At, run: Run, error: float, with_hand: bool, end: float) -> str | None:
    """Return what the motion shows of a law that fails, or None."""
    unit = "m" if with_hand else "rad"
    limits = np.array(p.limits)
    sizes = np.linalg.norm(run.e, axis=1) if with_hand else abs(run.e).max(axis=1)
    jumps = np.diff(run.tau, axis=0) / limits
    over = (abs(run.tau) > limits).any(axis=1).mean()
    if run.wild:
        return f"The arm turns faster and faster: over {given.WILD:g} rad/s after {len(run.q) * given.PERIOD:.2f} s."
    if abs(jumps).mean() > JUMPS:
        back = (jumps[1:] * jumps[:-1] < 0).mean()
        how = "jump back and forth" if back > 0.5 else "swing"
        return f"The torques {how}: from call to call they change by {100 * abs(jumps).mean():.0f} % of the limits, on average."
    if over > OVER:
        return f"The motors are at their limits in {100 * over:.0f} % of the calls: there they do not do what the law asks for."
    if sizes.max() > error:
        late = sizes.argmax() * given.PERIOD
        return f"{OFF_BY[0]} {sizes.max():.2g} {unit}, {late:.2f} s after the start: {error:g} {unit} is the most."
    if sizes[-LAST:].max() > end:
        return f"{OFF_BY[1]} {sizes[-LAST:].max():.2g} {unit}: {end:g} {unit} is the most."
    if not with_hand and (run.tau**2).sum() > EFFORT * _effort(p, at, len(run.tau)):
        return "The motion is right, and it takes more torque than it needs: its squares sum to over five quarters of the least."
    return None


def _effort(p: Parameters, at: At, steps: int) -> float:
    """Return the sum of the squared torques that the other arm itself needs along the reference."""
    row = at[0][0]
    needs = rd.specialize(rd.inverse_dynamics, given.carrying(p, float(row[0])))
    total = 0.0
    for k in range(steps):
        q, qd, qdd = given.reference(p, k * given.PERIOD)
        total += float(((needs(q, qd, qdd) + row[1:3] * qd + row[3:5] * np.tanh(qd / given.SOFT)) ** 2).sum())
    return total


def _cause(p: Parameters, run: Run, with_hand: bool, steps: int, is_off: bool) -> str:
    """Return words for why, from the torques: what holds the arm at first, and which gains they have; is_off: nothing else fails."""
    held = _held(p, run.tau[0])
    if held:
        return held
    summing = steps == given.LONG
    gains = _gains(p, run, summing, with_hand)
    trembles = not is_off and not run.wild
    other = "Do gains that suit the heavy joint make the light one tremble? M(q) scales them." if trembles else ""
    if gains is None:
        return other
    spring = gains["error"]
    damper = gains["rate"]
    integral = gains["sum"]
    stiff = math.sqrt(abs(spring))
    rate = f"Its stiffness is about {spring:.2g} 1/s^2"
    causes = {
        "It pushes away from the reference: look at the sign of the error.": spring < -NONE,
        "Nothing in it answers the error itself, so whatever is off stays off.": spring < NONE,
        "It damps the rate of the arm, not the error of the rate: so it lags behind.": gains["reference"]
        > 0.5 * damper
        > 0,
        "Its damper feeds the swing: look at the sign of the error of the rate.": damper < -0.5 * stiff,
        "Nothing in it answers the error of the rate.": damper < WEAK * stiff,
        "Its integral pushes away from the reference: look at its sign.": summing and integral < -1.0,
        f"{rate}: too much for torques that are held for 10 ms and come late. Is something in degrees?": spring > 3000,
        "Nothing in it sums the error, so a constant error stays.": summing and abs(integral) < 1.0,
        "Its integral is too fast for its damper and its springs: the third order swings.": summing
        and integral > 0.8 * spring * damper,
        f"{rate}, which is soft: what the model does not know, divided by that, is the error.": is_off and spring < 200,
        "It swings: more damping, or lower gains?": not is_off and damper**2 < 0.5 * spring,
        "Its integral is slow: the sum of the error has not come to rest.": summing and integral < 300,
        "The acceleration of the reference is missing in it.": gains["acceleration"] > 0.5,
    }
    return next((words for words, holds in causes.items() if holds), other)


def _held(p: Parameters, first: Array) -> str:
    """Return words for a first torque that is not the weight of the arm: at rest on the reference nothing else is asked for."""
    weight = rd.gravity_torque(p.arm, p.start)
    near = WEIGHT * abs(weight).max()
    for factor, words in {
        1.0: "",
        0.0: "At rest at the start it gives no torque: what holds the weight of the arm?",
        -1.0: "At rest at the start it gives the weight with the opposite sign.",
        2.0: "At rest at the start it gives twice the weight of the arm.",
    }.items():
        if abs(first - factor * weight).max() < near:
            return words
    return "At rest at the start, where nothing is wrong yet, it does not give the weight of your arm."


def _gains(p: Parameters, run: Run, summing: bool, with_hand: bool) -> dict[str, float] | None:
    """Return what the accelerations, which the torques ask for, lose by each unit of errors and references; None: by other things.

    error 1/s^2, rate 1/s, sum 1/s^3; reference: of its rate, 1/s, and acceleration: of its own, both of them zero in a law
    that feeds errors back and the acceleration of the reference forward.
    """
    mass = rd.specialize(rd.mass_matrix, p.arm)
    bias = rd.specialize(rd.bias_torque, p.arm)
    fast = abs(run.qd).max(axis=1) > CALM
    calm = max(20, int(fast.argmax())) if fast.any() else len(fast)
    asked = []
    rates = []
    for q, qd, ed, tau in zip(run.q[:calm], run.qd, run.ed, run.tau):
        qdd = np.linalg.solve(mass(q), tau - bias(q, qd))
        asked.append(rd.point_acceleration(p.arm, q, qd, qdd)[:2] if with_hand else qdd)
        rates.append((rd.tip_jacobian(p.arm, q)[:2] @ qd if with_hand else qd) - ed)
    lost = (run.wanted[:calm] - np.array(asked)).ravel()
    columns = {"error": run.e, "rate": run.ed, "reference": np.array(rates), "acceleration": run.wanted}
    if summing:
        columns["sum"] = given.PERIOD * (np.cumsum(run.e, axis=0) - run.e)
    rows = np.stack([one[:calm].ravel() for one in columns.values()], axis=1)
    size = abs(rows).max(axis=0) + 1e-12
    found = np.linalg.lstsq(rows / size, lost, rcond=1e-9)[0] / size
    if np.linalg.norm(rows @ found - lost) > UNCLEAR * np.linalg.norm(lost):
        return None
    return {"sum": 0.0, **dict(zip(columns, map(float, found)))}


def _worst(with_hand: bool) -> Callable[[Parameters, At, Value], float]:
    """Return the score of a design: its largest error, in thousandths."""

    def score(p: Parameters, at: At, value: Value) -> float:
        return 1000 * float(abs(_run(p, at, value, with_hand).e).max())

    return score


def _left(p: Parameters, at: At, value: Value) -> float:
    """The largest error of the last half second, in thousandths of a rad."""
    return 1000 * float(abs(_run(p, at, value).e[-LAST:]).max())


QUESTIONS = {
    "rest": Question(
        "where a load holds the arm",
        shape=(2,),
        tolerance=1e-4,
        laws=(_rests,),
        hints=("What do the springs still have to carry, when the model carries the weight of the arm in each pose?", "The load pulls on the joints by the transpose of the hand's Jacobian, in the pose where the arm rests.", "q = goal - (load's torques at q) / stiffness, joint by joint: begin at the goal and put the result in again and again."),
    ),
    "track": Question(
        "a law that follows a motion",
        **given.CALLED["track"],
        shape=None,
        judged="laws",
        laws=(_judged(given.STEPS, ERROR),),
        score=("mrad, the largest error on the worse of two arms", _worst(False)),
        hints=("Let the model do what it can: the torques of the reference, by inverse dynamics.", "What it does not know is an acceleration; with the gains w^2 and 2 w it leaves about that by w^2.", "rd.inverse_dynamics(p.arm, q, qd, qdd_r - 2 w (qd - qd_r) - w^2 (q - q_r)), with w as large as 10 ms and a late torque allow: try some."),
    ),
    "settle": Question(
        "a law that leaves no error",
        **given.CALLED["settle"],
        shape=None,
        judged="laws",
        laws=(_judged(given.LONG, OFF, end=END),),
        score=("mrad, the largest error of the last half second", _left),
        hints=("A constant push needs a constant answer without an error: what can remember it?", "The third order, e'' + k2 e' + k1 e + k0 z = 0, is stable where k2 k1 > k0, all positive.", "Three equal roots at -w: 3 w, 3 w^2, w^3. A slow integral has not settled when the time is up, a fast one swings."),
    ),
    "hand": Question(
        "a law of the hand",
        **given.CALLED["hand"],
        shape=None,
        judged="laws",
        laws=(_judged(given.STEPS, HAND, with_hand=True),),
        score=("mm, the largest error on the worse of two arms", _worst(True)),
        hints=("Which acceleration should the hand have, at this moment?", "x'' = J qdd + J' qd: solve for qdd, far from singular poses; the library gives J' qd as the acceleration of the hand where qdd is zero.", "Then inverse dynamics of your arm, with this qdd."),
    ),
    "bound": Question(
        "the least bound of an error",
        tolerance=1e-3,
        laws=(_bounds,),
        hints=("Which push, within its bound, would you choose to drive the error as far as possible?", "Always to the side to which the error moves: it changes its side at each turning point, half a period apart.", "From one turning point to the next, what is off from most / kp keeps the part r = exp(-kd / 2 times half a period): find the swing that repeats itself."),
    ),
    "explain": Question(
        "an energy that no load can raise",
        judged="person",
        hints=("Take the energy of the springs, of the motion and of the load.", "What does the model's weight do, and what is left of gravity?", "How fast does that sum change, and what does it say about the masses?"),
    ),
}  # fmt: skip
