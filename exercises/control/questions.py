"""The assignment "control": springs, models, estimates and clocks, each student's own arms, judged by energies and errors."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, partial
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

given = assignment_module("control", "given")
CLOSE = "It is close: was something rounded?"


def _rests(p: Parameters, at: At, value: Value) -> str | None:
    """The spring pulls as the load does, and both balance nowhere else."""
    pull = p.load * 9.81 * p.reach

    def balance(pull: float = pull, goal: float = p.goal, way: Callable[..., Any] = math.cos) -> float:
        low, high = -9.0, 9.0  # a wrong goal, too, may be half a turn away
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if p.stiffness * (goal - middle) > pull * way(middle) else (low, middle)
        return low

    right = balance()
    wrong = {
        "That takes the load's torque at the goal: it is that of the pose where the arm rests.": p.goal
        - pull * math.cos(p.goal) / p.stiffness,
        "That is how far it sags: the angle is asked for.": p.goal - right,
        "That takes the load's torque for that of a level arm.": p.goal - pull / p.stiffness,
        "A load pulls down: the sign of its torque.": balance(-pull),
        "g is missing: a load in kg has a weight in N.": balance(p.load * p.reach),
        "The distance of the load is missing.": balance(p.load * 9.81),
        "That is the angle from the vertical: the cosine of the angle from the horizontal is the lever.": balance(
            way=math.sin
        ),
        "The load hangs at the hand, not half-way.": balance(pull / 2),
        "g is 9.81 m/s^2 here.": balance(pull / 0.981),
        "The spring is stretched from the goal, not from level.": balance(goal=0.0),
        "Twice the load, or half the stiffness.": balance(2 * pull),
        "That is in degrees.": math.degrees(right),
    }
    pulls = (
        "harder than the load, it would lift it" if value < right else "less than the load, which would go on falling"
    )
    sentence = f"There the spring does not carry the load: it pulls {pulls}."
    return laws.differs(sentence, at, value, right, 1e-4, wrong=wrong)


def _just_holds(p: Parameters, at: At, value: Value) -> str | None:
    """The larger eigenvalue of a period's map has the size 1 there, by the map itself, in halves."""
    low = 0.0
    high = 2 * p.inertia / p.kd

    def stays(h: float) -> bool:
        a = p.kp * h**2 / p.inertia
        b = p.kd * h / p.inertia
        # of ((1 - a/2, h (1 - b/2)), (-a/h, 1 - b))
        trace = 2 - a / 2 - b
        determinant = 1 - b + a / 2
        return determinant < 1 and abs(trace) < 1 + determinant

    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if stays(middle) else (low, middle)
    damper = 2 * p.inertia / p.kd
    spring = 2 * p.kd / p.kp
    wrong = {
        "That is the period at which the damper alone stops the motion: it may overdo it a little.": p.inertia / p.kd,
        "That is the limit of the damper alone: a spring that acts late feeds energy in as well.": damper,
        "That is the limit of the late spring alone: the damper has one, too.": spring,
        "That is the period of the swing: the spring's rate is no clock.": math.tau * math.sqrt(p.inertia / p.kp),
        "Milliseconds: seconds are asked for.": 1000 * low,
        "That is half a period of the swing: the spring's rate is no clock.": math.pi * math.sqrt(p.inertia / p.kp),
        "That is a frequency: a period is asked for.": 1 / low,
        "Each of both must hold: the smaller bound decides.": max(damper, spring),
        "That is 2 by the rate of the swing: the damper has a part in it.": 2 * math.sqrt(p.inertia / p.kp),
        "That takes the Euler step for the motion: while the torque is held, the angle runs on a parabola.": p.kd
        / p.kp,
        "Two bounds do not add up: the smaller one decides.": 1 / (1 / damper + 1 / spring),
        "That is a quarter of the late spring's limit: from where do the factors come?": spring / 4,
        "That is the bound of an Euler step, which moves the angle by the old rate: here the angle runs on a parabola.": (
            (p.kd - math.sqrt(rest)) / p.kp if (rest := p.kd**2 - 4 * p.kp * p.inertia) > 0 else math.nan
        ),
        "That is a bound of another step: here the torque is held while the angle runs on; write the map of one period.": (
            -p.kd + math.sqrt(p.kd**2 + 4 * p.kp * p.inertia)
        )
        / p.kp,
    }
    wrong = {
        words: one for words, one in wrong.items() if abs(one - low) > 0.01 * low
    }  # the bound that decides is right
    happens = "the joint still comes to rest" if value < low else "the joint already swings more and more"
    sentence = f"With a period around it {happens}: it is not the limit."
    return laws.differs(sentence, at, value, low, 1e-3, wrong=wrong)


KINDS = "when it rests at the goal", "on the reference, in motion", "with an error of the angles alone", "with an error of the rates alone", "with an integral alone"  # fmt: skip


def _kind(e: Array, ed: Array, z: Array, qd: Array) -> str:
    """Words for where the arm is."""
    wrong = [size for size, one in zip(KINDS[2:], (e, ed, z)) if abs(one).max() > 0.01]
    if len(wrong) > 1:
        return "where everything is off"
    return wrong[0] if wrong else KINDS[1] if abs(qd).max() > 0 else KINDS[0]


@lru_cache(maxsize=100)  # a law is asked of many answers at one state
def _model(arm: Any, q: tuple[float, ...], qd: tuple[float, ...]) -> tuple[Array, ...]:
    """Return M, C and the torque that keeps the rates."""
    return rd.mass_matrix(arm, q), rd.coriolis_matrix(arm, q, qd), rd.bias_torque(arm, q, qd)


def _obeys(p: Parameters, at: At, value: Value) -> str | None:
    """The arm itself, under these torques, has the accelerations of the equation."""
    q, qd, z, q_r, qd_r, qdd_r = at
    e = q - q_r
    ed = qd - qd_r
    w = p.rate
    wanted = qdd_r - 3 * w * ed - 3 * w**2 * e - w**3 * z
    M, C, drift = _model(p.arm, (*q,), (*qd,))
    weight = drift - C @ qd
    right = M @ wanted + drift
    size = max(1.0, abs(right).max(), abs(M @ wanted).max())

    def near(torque: Array) -> bool:
        return abs(value - torque).max() <= 1e-6 * size

    if abs(value - right).max() <= 1e-6 * abs(right).max():
        return None
    if laws.is_wordless():
        return "no"
    slips = {
        "The weight is missing.": right - weight,
        "Gravity has the opposite sign.": right - 2 * weight,
        "The velocity terms C qd are missing.": right - (drift - weight),
        "Velocity terms and weight are missing.": right - drift,
        "Velocity terms and weight have the opposite sign.": right - 2 * drift,
        "What the gains multiply are errors, not the angles and rates themselves.": right - M @ (3 * w * qd_r + 3 * w**2 * q_r),
        "The gain of the rate multiplies the error of the rate, not the rate.": right - M @ (3 * w * qd_r),
        "The gain of the angle multiplies the error of the angle, not the angle.": right - M @ (3 * w**2 * q_r),
        "The acceleration of the reference is missing.": right - M @ qdd_r,
        "The mass matrix is missing: these are accelerations.": wanted + drift,
        "The mass matrix multiplies all of the acceleration, not that of the reference alone.": M @ qdd_r + wanted - qdd_r + drift,
        "The mass matrix multiplies all of the acceleration, also that of the reference.": M @ (wanted - qdd_r) + qdd_r + drift,
        "The mass matrix is that at the reference: the arm is elsewhere.": rd.mass_matrix(p.arm, q_r) @ wanted + drift,
        "Velocity terms and weight are those of the reference: the arm is elsewhere.": M @ wanted + rd.bias_torque(p.arm, q_r, qd_r),
        "The model is taken at the reference: the arm is elsewhere.": rd.mass_matrix(p.arm, q_r) @ wanted + rd.bias_torque(p.arm, q_r, qd_r),
        "The torques have the opposite sign.": -right,
    }  # fmt: skip
    where = _kind(e, ed, z, qd)
    pull = where in KINDS[2:] and near(right + 2 * M @ (qdd_r - wanted))
    slips["What pulls back has the opposite sign."] = right + 2 * M @ (qdd_r - wanted) if pull else right
    named = [words for words, torque in slips.items() if near(torque) and abs(torque - right).max() > 1e-5 * size]
    close = CLOSE if not named and abs(value - right).max() <= 1e-3 * size else ""
    return Said(f"The error does not obey the equation, {where}.", "".join(named[:1]), close=close)


def _with_gains(gains: Callable[..., Any]) -> Callable[..., Any]:
    """The law with other gains of rate, angle and integral, gains(w), as a mistake to name."""

    def of(p: Parameters) -> Callable[..., Any]:
        def law(q: Array, qd: Array, z: Array, q_r: Array, qd_r: Array, qdd_r: Array) -> Array:
            a, b, c = gains(p.rate)
            return rd.inverse_dynamics(p.arm, q, qd, qdd_r - a * (qd - qd_r) - b * (q - q_r) - c * z)

        return law

    return of


def _gains_but(k: int, factor: float, w: float) -> list[float]:
    """The gains of a law whose three rates are all w, one of them times a factor."""
    return [(factor if i == k else 1.0) * gain for i, gain in enumerate((3 * w, 3 * w**2, w**3))]


def _falls(p: Parameters, at: At, value: Value) -> str | None:
    """Its rate is the power that the dampers take, and at rest at the goal it is zero."""
    (q, qd), (energy, slope, bottom, resting) = at, value
    torque, loss = given.sprung(p, q, qd)
    power = _powers(p, q, qd, torque)
    right = -loss
    size = max(1.0, *map(abs, power.values()), loss)

    def near(found: float) -> bool:
        return abs(slope - found) <= 1e-5 * size

    moving = energy - resting
    M = rd.mass_matrix(p.arm, q)
    kinetic = qd @ M @ qd / 2
    stops = abs(moving - kinetic) <= 1e-6 * max(1.0, kinetic)
    if near(right) and stops:
        if abs(bottom) <= 1e-6 * max(1.0, size):
            return None
        return "At rest at the goal it is not zero: subtract what it is there."
    slips = _of_stored_energy(p, power) | _of_coordinates(p, q, qd, power["springs"])
    words = [slip for slip, more in slips.items() if near(right + more) and abs(more) > 1e-4 * size]
    if words:
        return f"Along a motion under the law it does not change by what the dampers take. {words[0]}"
    if near(2 * right) or near(right / 2):
        return "It never rises, but it is not the energy in J: the dampers take another power."
    if not stops:
        others = _of_kinetic_energy(p, qd, M, kinetic, loss)
        words = [words for words, other in others.items() if abs(moving - other) <= 1e-6 * max(1.0, kinetic)]
        return f"What it loses when the arm stops in its pose is not the kinetic energy. {words[0] if words else ''}".strip()
    rises = "rises" if slope > 1e-6 * size else "falls, but not by the power of the dampers"
    return f"Along a motion under the law it {rises}. The kinetic energy is right: in which variable does each spring stretch, and what does the weight do?"


def _powers(p: Parameters, q: Array, qd: Array, torque: Array) -> dict[str, float]:
    """Return the powers, W, by which the parts of the energy change: T, springs, U, and what the constant torque has stored."""
    J = rd.tip_jacobian(p.arm, q)[:2]
    weighs = rd.gravity_torque(p.arm, q)
    still = rd.gravity_torque(p.arm, p.place)
    hand = p.springs == given.SPRINGS["hand"]
    moved = torque + (J.T @ (p.D * (J @ qd)) if hand else p.D * qd)
    if p.weight != given.WEIGHTS["none"]:
        moved = moved - (weighs if p.weight == given.WEIGHTS["pose"] else still)
    return {"T": qd @ (torque - weighs), "springs": -moved @ qd, "U": weighs @ qd, "still": still @ qd}


def _of_stored_energy(p: Parameters, power: dict[str, float]) -> dict[str, float]:
    """Return {words: the power beside the right one} of parts of the energy that are missing, too many, or have a wrong factor."""
    own = {
        given.WEIGHTS["pose"]: "the law carries the weight in every pose",
        given.WEIGHTS["goal"]: "the constant torque has a potential energy of its own, and the weight has one",
        given.WEIGHTS["none"]: "nothing carries the weight, and it has a potential energy",
    }[p.weight]
    slips = {"The kinetic energy is missing.": -power["T"], "The kinetic energy has the factor 1/2.": power["T"], "The energy of the springs is missing.": -power["springs"], "The energy of a spring has the factor 1/2.": power["springs"], "The energy of the springs has the opposite sign.": -2 * power["springs"], "Both energies have the factor 1/2.": power["T"] + power["springs"]}  # fmt: skip
    slips |= {
        f"There is a potential energy of the weight too many: {own}.": power["U"],
        f"The potential energy of the weight is missing: {own}.": -power["U"],
        "The potential energy of the weight has the opposite sign.": -2 * power["U"],
        f"What the constant torque has stored is missing: {own}.": power["still"],
        f"What the constant torque has stored is there once too often: {own}.": -power["still"],
        "What the constant torque has stored has the opposite sign.": 2 * power["still"],
        f"Weight and what the constant torque has stored are missing: {own}.": power["still"] - power["U"],
        f"Weight and what a constant torque has stored are too many: {own}.": power["U"] - power["still"],
    }  # fmt: skip
    return slips


def _of_coordinates(p: Parameters, q: Array, qd: Array, springs: float) -> dict[str, float]:
    """Return {words: the power beside the right one} of springs that stretch in other coordinates; springs: their power, W."""
    hand = p.springs == given.SPRINGS["hand"]
    J = rd.tip_jacobian(p.arm, q)[:2]
    tip, goal = (rd.point_position(p.arm, one)[:2] for one in (q, p.place))
    by_hand = (tip - goal) @ (p.K * (J @ qd))
    by_joints = (q - p.place) @ (p.K * qd)
    soft, from_zero = ((tip - goal) @ (p.D * (J @ qd)), goal @ (p.K * (J @ qd))) if hand else ((q - p.place) @ (p.D * qd), p.place @ (p.K * qd))  # fmt: skip
    return {
        "The springs are relaxed at the goal, not where their coordinates are zero.": from_zero,
        "A spring stores energy by its stiffness, a damper stores none.": soft + springs * -1,
        "The springs stretch in other coordinates: those of the joints, or of the hand?": (by_joints - by_hand) * (1 if hand else -1),
    }  # fmt: skip


def _of_kinetic_energy(p: Parameters, qd: Array, M: Array, kinetic: float, loss: float) -> dict[str, float]:
    """Return {words: what stands for the kinetic energy, J}; loss: what the dampers take, W."""
    goal = rd.mass_matrix(p.arm, p.place)
    return {
        "It has the mass matrix of the goal, not that of the pose.": qd @ goal @ qd / 2,
        "It has the opposite sign.": -kinetic,
        "It is twice as large: the kinetic energy has the factor 1/2.": 2 * kinetic,
        "It is half as large.": kinetic / 2,
        "It does not change at all: where is the kinetic energy?": 0.0,
        "The mass matrix is missing.": qd @ qd / 2,
        "A damper stores nothing: its power is lost.": kinetic + loss / 2,
        "A damper stores nothing; what it takes is no part of the energy.": kinetic + loss,
        "That is a power: an energy is asked for.": loss,
        "That is the rate at which it falls: an energy is asked for.": -loss,
        "That is a power, by the damping of each joint: an energy is asked for.": -qd @ (p.D * qd),
        "M multiplies both rates, not the one: qd . M qd.": qd.sum() * M.sum() / 2,
        "The entries off the diagonal of M count, too.": qd @ (np.diag(M) * qd) / 2,
    }  # fmt: skip


def _stays_passive(p: Parameters, at: At, value: Value) -> str | None:
    """M ds + C s + D s = 0 for the arm itself: then s M s / 2 falls by s D s."""
    q, qd, q_r, qd_r, qdd_r = at
    e = q - q_r
    ed = qd - qd_r
    M, C, bias = _model(p.arm, (*q,), (*qd,))
    s = ed + p.rate * e
    a = qdd_r - p.rate * ed
    left = value - bias - M @ a + C @ s + p.damping * s  # M qdd is what the torque leaves beyond the bias
    size = max(1.0, abs(value).max(), abs(bias).max(), abs(M @ a).max())
    if abs(left).max() <= 1e-6 * abs(value - left).max():
        return None
    if laws.is_wordless():
        return "no"
    where = _kind(e, ed, 0 * e, qd)
    weight = rd.gravity_torque(p.arm, q)
    v = qd - s
    fast = p.rate
    slips = {
        "The weight is missing.": -weight,
        "Gravity has the opposite sign.": -2 * weight,
        "The weight is that at the reference: the arm is elsewhere.": rd.gravity_torque(p.arm, q_r) - weight,
        "What the damping should do is missing: is s right, and is it there?": p.damping * s,
        "The damping drives: its sign.": 2 * p.damping * s,
        "The damping is twice as large.": -p.damping * s,
        "What is damped is s, not the error of the rate alone.": p.damping * (s - ed),
        "What is damped is s, not the error of the angle.": p.damping * (s - e),
        "What is damped is s, not the rate of the arm.": p.damping * (s - qd),
        "The damping is a number, no inertia multiplies it.": p.damping * (s - M @ s),
        "M times the acceleration a is missing.": -M @ a,
        "The acceleration a lacks that of the reference.": -M @ qdd_r,
        "M is that at the reference: the arm is elsewhere.": rd.mass_matrix(p.arm, q_r) @ a - M @ a,
        "The acceleration a lacks its correction.": fast * M @ ed,
        "The correction of the acceleration a has the opposite sign.": 2 * fast * M @ ed,
        "The correction of the acceleration a lacks the rate of the law.": (fast - 1) * M @ ed,
        "The correction of the acceleration a has the rate of the law once, not squared.": fast * (1 - fast) * M @ ed,
        "The correction of v has the rate of the law once, not squared, and so s is another.": fast * (1 - fast) * (C @ e + p.damping * e),
        "The acceleration a is the derivative of v: which error corrects it?": fast * M @ (ed - e),
        "C v is missing.": -C @ v,
        "C has the opposite sign.": -2 * C @ v,
        "C is transposed.": C.T @ v - C @ v,
        "C multiplies v, not the rate of the arm.": C @ s,
        "C multiplies v, not the rate of the reference.": C @ (qd_r - v),
        "C is that at the rates of the arm, not at v.": rd.coriolis_matrix(p.arm, q, v) @ v - C @ v,
        "That is computed torque: here C multiplies v alone, and what is damped is s, without an inertia.": M @ (qdd_r - 2 * fast * ed - fast**2 * e - a) + C @ s + p.damping * s,
        "C is that at the rates of the arm, not of the reference.": rd.coriolis_matrix(p.arm, q, qd_r) @ v - C @ v,
        "The correction of v has the opposite sign, and so s is another.": 2 * fast * (C @ e + p.damping * e),
        "The correction of v lacks the rate of the law, and so s is another.": (fast - 1) * (C @ e + p.damping * e),
        "v lacks its correction, and so s is another.": fast * (C @ e + p.damping * e),
        "s has the error of the angle with the opposite sign.": 2 * fast * p.damping * e,
        "s lacks the rate of the law.": (fast - 1) * p.damping * e,
    }  # fmt: skip
    words = [slip for slip, more in slips.items() if abs(left - more).max() <= 1e-5 * size and abs(more).max() > 0.01]
    close = CLOSE if not words and abs(left).max() <= 1e-3 * size else ""
    return Said(f"M ds/dt + C s + D s is not zero, {where}.", " Or: ".join(words[:3]), close=close)


def _printed(p: Parameters) -> Callable[..., Any]:
    """The program of the student's notebook, misprint and all."""
    space: dict[str, Any] = {"rd": rd, "p": p}
    exec(p.program, space)
    return space["torque"]


def _learns(p: Parameters, at: At, value: Value) -> str | None:
    """V = J s^2 / 2 and what is missing of the estimates, over the gains, falls by k s^2, whatever the link is."""
    q, qd, q_r, qd_r, qdd_r, guess = at
    tau = value[0]
    change = value[1:]
    s = qd - qd_r + p.rate * (q - q_r)
    a = qdd_r - p.rate * (qd - qd_r)
    rub = qd if p.friction == "viscous" else qd * abs(qd)
    lever = math.cos(q) if p.zero == "horizontal" else math.sin(q)
    row = np.array([a, rub, lever])
    right = row @ guess - p.damping * s
    learned = -np.array(p.gains) * row * s
    size = max(1.0, abs(right))
    speed = max(1.0, abs(learned).max())
    near = lambda found, meant: np.max(np.abs(found - meant)) <= 1e-6 * speed
    if abs(tau - right) > 1e-6 * size:
        slips = _of_adaptive_torque(p, at, row, s, right)
        words = [slip for slip, one in slips.items() if abs(tau - one) <= 1e-6 * size]
        close = CLOSE if not words and abs(tau - right) <= 1e-3 * size else ""
        return Said("The torque is not the model's, with the estimates, less k s.", "".join(words[:1]), close=close)
    if near(change, learned):
        return None
    words = [slip for slip, one in _of_estimates(p, at, row, s, learned).items() if near(change, one)]
    wrong = [name for name, one, meant in zip(("inertia", "friction", "weight"), change, learned) if abs(one - meant) > 1e-6 * speed]  # fmt: skip
    sentence = "The torque is right; with these rates of the estimates V does not fall by k s^2."
    if not words and np.max(np.abs(change - learned)) <= 1e-3 * speed:
        return Said(sentence, close=CLOSE)
    return Said(sentence, words[0]) if words else Said(sentence, where=f"Look at that of the {wrong[0]}.")


def _of_adaptive_torque(p: Parameters, at: At, row: Array, s: float, right: float) -> dict[str, float]:
    """Return {words: the torque, N m, that a mistake makes of the right one}; row: of the regressor, s: the error."""
    (q, qd, q_r, qd_r, qdd_r, guess), (a, rub, lever) = at, row
    other = math.sin(q) if p.zero == "horizontal" else math.cos(q)
    dragged = qd * abs(qd) if p.friction == "viscous" else qd
    v = qd_r - p.rate * (q - q_r)
    return {
        "The estimates of the moment stand in the torque, not those that a step makes of them.": right - row @ (np.array(p.gains) * row * s),
        "The damping drives: its sign.": right + 2 * p.damping * s,
        "The damping - k s is missing.": right + p.damping * s,
        "The torque has the opposite sign.": -right,
        f"The zero of the angle is the link {p.zero}: sine or cosine?": right + guess[2] * (other - lever),
        f"The friction is {p.friction}: look at its power of the rate.": right + guess[1] * (dragged - rub),
        "The acceleration of the law is that of the reference, corrected by the rate's error.": right + guess[0] * (qdd_r - a),
        "The acceleration is corrected by the rate's error times the rate, with a minus.": right + 2 * guess[0] * p.rate * (qd - qd_r),
        "The acceleration is corrected by the error of the rate, not of the angle.": right + guess[0] * (qdd_r - p.rate * (q - q_r) - a),
        "The friction is that of the arm's rate, so that V falls by k s^2 and no more.": right + guess[1] * (v - rub),
        "g is part of the third estimate, no factor before it.": right + guess[2] * 8.81 * lever,
        "s is not the error of the angle alone: the error of the rate belongs to it.": right + p.damping * (s - (q - q_r)),
        "s is not the error of the rate alone: the error of the angle belongs to it.": right + p.damping * (s - (qd - qd_r)),
        "s is the error of the rate plus the rate of the law times the error of the angle.": right + p.damping * p.rate * (q - q_r),
        "s is the error of the rate plus the rate of the law times that of the angle, not the other way round.": right + p.damping * (s - p.rate * (qd - qd_r) - (q - q_r)),
        "s is the error of the rate plus, not minus, the rate times the error of the angle.": right + 2 * p.damping * p.rate * (q - q_r),
    }  # fmt: skip


def _of_estimates(p: Parameters, at: At, row: Array, s: float, learned: Array) -> dict[str, Array]:
    """Return {words: the rates of the estimates that a mistake makes of the right ones}; row: of the regressor, s: the error."""
    (q, qd, q_r, qd_r, qdd_r, guess), (_, rub, lever) = at, row
    gains = np.array(p.gains)
    return {
        "They run away: the sign.": -learned,
        "The gains are missing.": -row * s,
        "The gains multiply, they do not divide.": -row * s / gains,
        "What drives them is s, not the error of the rate.": -gains * row * (qd - qd_r),
        "What drives them is s, not the error of the angle.": -gains * row * (q - q_r),
        "What drives them is s, and each has its own column: the row of the regressor is missing.": -gains * s,
        "The row holds the acceleration of the law, a.": -gains * np.array([qdd_r, rub, lever]) * s,
        "The rate of the estimates is asked for, not the new estimates.": guess + learned,
        "The estimates themselves have no part in how they change.": learned * guess,
        "Each estimate has its own gain: one is used for all.": learned / gains * gains[0],
        "They are in another order: inertia, friction, weight.": learned[::-1],
        "The damping has no part in learning.": learned * p.damping,
    }


def _stops_learning(p: Parameters, at: At, value: Value) -> str | None:
    """The estimates explain the reading, and have come there along the one direction that the pose teaches."""
    row = np.array([math.cos(p.held), math.sin(p.held), 1.0])
    first = np.array(p.first)
    speeds = np.array(p.speeds)
    missing = p.reading - row @ first
    end_along = lambda row, way: first + way * (p.reading - row @ first) / (row @ way)
    end = partial(end_along, row)
    degrees = np.array([math.cos(math.radians(p.held)), math.sin(math.radians(p.held)), 1.0])
    wrong = {
        "The speeds have a part in it: the fast estimate takes more of what is missing.": end(row),
        "A fast estimate takes more of what is missing, not less.": end(row / speeds),
        "The speed enters once: it is no square.": end(row * speeds**2),
        "That is the shortest solution: it has forgotten where the estimates began.": row * p.reading / (row @ row),
        "What the reading lacks is shared by row and speeds: the speeds are missing below the line.": first
        + speeds * row * missing / (row @ row),
        "It has forgotten where the estimates began.": speeds * row * p.reading / (row @ (speeds * row)),
        "What is to be shared is the reading less what the first estimates say already.": first
        + speeds * row * p.reading / (row @ (speeds * row)),
        "That is one step of the rule, not where it ends.": first + speeds * row * missing,
        "Those are the first estimates: the reading contradicts them.": first,
        "The row is (cos q, sin q, 1): sine and cosine are exchanged.": end_along(
            row[[1, 0, 2]], speeds * row[[1, 0, 2]]
        ),
        "The estimates move along the row, not all alike.": end(speeds),
        "What is missing is reading less model: the sign.": 2 * first - end(speeds * row),
        "What is missing is shared by what each has to do with the reading, not in equal parts.": first + missing / 3,
        "They take no equal parts: share by row and speeds.": first + missing * np.ones(3),
        "The whole is asked for, not what changed.": end(speeds * row) - first,
        "The angle is in rad.": end_along(degrees, speeds * degrees),
    }
    sentence = "There the estimates would still change, or would never come."
    found = laws.differs(sentence, at, value, end(speeds * row), 1e-4, wrong=wrong)
    if found and found.where:
        explains = abs(row @ value - p.reading) <= 1e-4 * abs(p.reading)
        why = (
            "They explain the reading, and so do many others: along which direction did they come?"
            if explains
            else "They do not explain the reading."
        )
        return Said(sentence, why)
    return found


def _gives_way(p: Parameters, at: At, value: Value) -> str | None:
    """Small turns of the joints cost what the same move of the hand costs."""
    (l1, l2), (first, bend), angle = p.lengths, p.pose, math.radians(p.along)

    def joints(
        first: float = first,
        both: float = first + bend,
        soft: float = p.soft,
        stiff: float = p.stiff,
        angle: float = angle,
        flip: bool = False,
        l1: float = l1,
        l2: float = l2,
    ) -> tuple[Array, ...]:
        J = np.array(
            [
                [-l1 * math.sin(first) - l2 * math.sin(both), -l2 * math.sin(both)],
                [l1 * math.cos(first) + l2 * math.cos(both), l2 * math.cos(both)],
            ]
        )
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        K = turn @ np.diag([soft, stiff]) @ turn.T
        return J, K, (J @ K @ J.T if flip else J.T @ K @ J)

    J, K, right = joints()
    inverse = np.linalg.inv(J)
    turned = np.array([[-l1 * math.sin(first), -l2 * math.sin(bend)], [l1 * math.cos(first), l2 * math.cos(bend)]])
    away = np.array([[J[0, 0] - J[0, 1], J[0, 1]], [J[1, 0] - J[1, 1], J[1, 1]]])  # of absolute angles
    wrong = {
        "Soft and stiff are exchanged.": joints(soft=p.stiff, stiff=p.soft)[2],
        "J is transposed: tau = J^T f, and the hand moves by J dq.": joints(flip=True)[2],
        "That is the stiffness of the hand, in axes of the base: turn it into one of the joints.": K,
        "That turns stiffness of joints into one of the hand: it goes the other way.": inverse.T @ K @ inverse,
        "That is a compliance, the inverse.": np.linalg.inv(right),
        "In the axes of soft and stiff stand stiffnesses, not their reciprocals.": joints(soft=1 / p.soft, stiff=1 / p.stiff)[2],
        "The angles are relative: the forearm's direction is the sum of both.": joints(both=bend)[2],
        "The angles are relative, and so is the column of joint 1: it moves the whole arm.": away.T @ K @ away,
        "The angles are relative: that is the Jacobian of absolute ones.": turned.T @ K @ turned,
        "The direction is turned the other way.": joints(angle=-angle)[2],
        "The hand's x in J has the opposite sign, or its y.": joints(angle=-angle)[2],
        "The direction counts from the x axis.": joints(angle=math.pi / 2 - angle)[2],
        "The direction is given in degrees, cosines want rad.": joints(angle=float(p.along))[2],
        "The direction belongs to the base, not to the forearm.": joints(angle=angle + first + bend)[2],
        "A compliance goes over to the joints by the inverse of J, a stiffness by J^T and J.": inverse @ K @ inverse.T,
        "The lengths are exchanged.": joints(l1=l2, l2=l1)[2],
        "The axes of the base are not those of soft and stiff: turn first.": joints(angle=0.0)[2],
        "Joints that are coupled: the entries off the diagonal count.": np.diag(np.diag(right)),
        "Sine and cosine of the forearm's direction are exchanged.": joints(both=math.pi / 2 - first - bend)[2],
        "Sine and cosine of the arm's angles are exchanged.": joints(math.pi / 2 - first, math.pi / 2 - first - bend)[2],
    }  # fmt: skip
    found = laws.differs(
        "Under a force the hand would not give way as asked.", at, value, right.tolist(), 1e-4, wrong=wrong
    )
    if found and found.where:
        (a, b), (c, d) = value
        if abs(b - c) > 1e-4 * abs(right).max():
            return "Springs have an energy, so that their stiffness is symmetric: this one is not."
        if not (a > 0 and a * d > b * c):
            return "With that stiffness the arm would run away in some direction: it is not positive definite."
    return found


def _swing(p: Parameters, at: At, value: Value) -> tuple[Array, Array, list[tuple[Any, Any]]]:
    """How far from upright the pendulum is after each step, how fast it turns, and its angles and rates."""
    q = -math.pi / 2
    qd = at[0]
    path = []
    for tau in value.tolist():
        q, qd = given.move(p, q, qd, tau)
        path.append((q, qd))
    off = np.array([abs(math.remainder(q - math.pi / 2, math.tau)) for q, _ in path])
    return off, abs(np.array([qd for _, qd in path])), path


def _periods(p: Parameters, at: At, value: Value) -> float:
    """The time until it stays upright, in periods of its small swings, so that long and short pendulums compare."""
    off, rates, _ = _swing(p, at, value)
    late = np.flatnonzero((off > 0.1) | (rates > 0.5)).max(initial=-1) + 1
    return late * given.DT / (math.tau * math.sqrt(2 * p.length / (3 * 9.81)))


def _swings_up(p: Parameters, at: At, value: Value) -> str | None:
    """The judge moves the pendulum itself, with the torques that the law gave."""
    if value.shape != (given.STEPS,):
        return "A torque is missing."
    beyond = abs(value) > p.limit * (1 + 1e-9)
    if beyond.any():
        return f"The torque goes beyond the limit, {p.limit} N m, first {beyond.argmax() * given.DT:.2f} s after the start."
    off, rates, path = _swing(p, at, value)
    last = slice(-200, None)
    if off[last].max() <= 0.1 and rates[last].max() <= 0.5:
        return None
    inertia = p.mass * p.length**2 / 3
    weight = p.mass * 9.81 * p.length / 2
    energy = np.array([inertia * qd**2 / 2 + weight * math.sin(q) for q, qd in path])
    if off.min() > 0.3:
        if energy[-400:].max() < energy[0] + 0.1 * weight:
            return "The pendulum never comes near the top, and its energy does not grow: in which direction does the torque push, beside the rate?"
        return "The pendulum never comes near the top, though its energy grows: is there a part that feeds it energy as long as it has less than the upright rod at rest, and is its gain large enough?"
    if off[last].max() > 2 and rates[last].min() > 1 and energy[last].min() > 1.2 * weight:
        return "It turns over and over: too much energy, which must be taken out again before the top; is it that of a rod that turns about its end, and is its center half-way?"
    if off[last].max() > 0.5 and abs(energy[last] - weight).max() < 0.2 * weight:
        return "It comes over the top with about the right energy, and nothing catches it there: a spring and a damper are to take over near the top, pulling toward it, within the limit."
    return "It comes to the top and does not stay there: within which angle, and at which rate, can a spring with so weak a motor still catch it?"


def _answers(p: Parameters, rate: Array) -> Array:
    """The error in the steady state as a complex number, for references of these rates."""
    return (p.wrong - 1) * rate**2 * p.swing / (p.wrong * p.bandwidth**2 - rate**2 + 2j * p.wrong * p.bandwidth * rate)


def _errs(p: Parameters, at: At, value: Value) -> str | None:
    """The size of the error in the steady state, from the equation of the error, frequency by frequency."""

    def size(
        rate: Array,
        share: float = p.wrong,
        w: float = p.bandwidth,
        damped: float = 2.0,
        swing: float = p.swing,
        driven: bool = True,
    ) -> Array:
        push = (share - 1) * rate**2 * swing if driven else swing * rate**2
        return abs(push / (share * w**2 - rate**2 + 1j * share * damped * w * rate))

    wrong = {
        "The wrong model scales the gains as well: the torques of the corrections, too.": lambda x: abs((p.wrong - 1) * x**2 * p.swing / (p.bandwidth**2 - x**2 + 2j * p.bandwidth * x)),
        "That is the error as a part of the swing: rad are asked for.": lambda x: size(x, swing=1.0),
        "What the model misses is the difference of the inertias.": lambda x: abs(p.wrong * x**2 * p.swing / (p.wrong * p.bandwidth**2 - x**2 + 2j * p.wrong * p.bandwidth * x)),
        "The share is that of the model, by the true inertia, not the other way.": lambda x: size(x, share=1 / p.wrong),
        "The gain of the rate is 2 w.": lambda x: size(x, damped=1.0),
        "The wrong inertia scales the gain of the angle as well.": lambda x: abs((p.wrong - 1) * x**2 * p.swing / (p.bandwidth**2 - x**2 + 2j * p.wrong * p.bandwidth * x)),
        "The wrong inertia scales the gain of the rate as well.": lambda x: abs((p.wrong - 1) * x**2 * p.swing / (p.wrong * p.bandwidth**2 - x**2 + 2j * p.bandwidth * x)),
        "That is without damping.": lambda x: size(x, damped=0.0),
        "That is the error without the acceleration of the reference in the law.": lambda x: size(x, driven=False),
        "The acceleration of a sine has the square of its rate.": lambda x: size(x) / np.maximum(x, 1e-9),
        "The line has a sign: the size of the error is asked for.": lambda x: -size(x),
        "The rates are in Hz: rad/s are asked for.": lambda x: size(math.tau * x),
        "The error is in degrees: rad are asked for.": lambda x: np.degrees(size(x)),
        "The square of the rate has the opposite sign in the error's equation.": lambda x: abs((p.wrong - 1) * x**2 * p.swing / (p.wrong * p.bandwidth**2 + x**2 + 2j * p.wrong * p.bandwidth * x)),
        "That is the real part alone: the size of a complex number is asked for.": lambda x: np.real(_answers(p, x)),
        "That is the imaginary part alone: the size of a complex number is asked for.": lambda x: np.imag(_answers(p, x)),
        "That is the phase: the size is asked for.": lambda x: np.angle(_answers(p, x)),
        "The size of a complex number is the root of both squares, not the sum of both parts.": lambda x: abs(p.wrong - 1) * x**2 * p.swing / (p.wrong * p.bandwidth**2 + x**2 + 2 * p.wrong * p.bandwidth * x),
        "That is the size of the motion, not of the error.": lambda x: abs(_answers(p, x) + p.swing),
        "That is what the springs and dampers of the error pass on, not the error.": lambda x: abs(p.wrong * (p.bandwidth**2 + 2j * p.bandwidth * x) * p.swing / (p.wrong * p.bandwidth**2 - x**2 + 2j * p.wrong * p.bandwidth * x)),
        "That is the size in the square.": lambda x: size(x) ** 2,
    }  # fmt: skip
    high = 3 * p.bandwidth
    largest = size(np.linspace(0, high, 100)).max()
    sentence = "The line is not the size of the error that stays."
    return laws.is_no_plot(sentence, value, 0.0, high, size, 0.01 * largest, wrong, ("rad/s", "rad"))


QUESTIONS = {
    "rest": Question(
        "where a spring holds an unknown load",
        tolerance=1e-4,
        laws=(_rests,),
        hints=("What carries the weight of the arm, and what the load?", "At rest: stiffness times what is missing of the goal is the torque of the load, in that pose.", "One equation with the angle inside and outside of a cosine: by halving, or put the angle in again and again."),
    ),
    "longest": Question(
        "the longest period",
        tolerance=1e-3,
        laws=(_just_holds,),
        hints=("In one period the torque is constant: where are angle and rate at its end?", "A 2 by 2 matrix takes error and rate from one look to the next; both eigenvalues are to be smaller than 1 in size.", "Its determinant is 1 - kd h / I + kp h^2 / (2 I): below 1. And 1 + trace + determinant is positive. Two bounds for h, of which the smaller one counts."),
    ),
    "error-equation": Question(
        "a law with three equal roots",
        **given.CALLED["error-equation"],
        shape=(2,),
        laws=(_obeys,),
        mistakes={
            "the integral is missing": _with_gains(lambda w: (3 * w, 3 * w**2, 0.0)),
            "that is the law for two roots: an integral makes three": _with_gains(lambda w: (2 * w, w**2, 0.0)),
            "the gains of angle and rate are exchanged": _with_gains(lambda w: (3 * w**2, 3 * w, w**3)),
            "the gains of angle and integral are exchanged": _with_gains(lambda w: (3 * w, w**3, 3 * w**2)),
            "the gains of rate and integral are exchanged": _with_gains(lambda w: (w**3, 3 * w**2, 3 * w)),
            "the cube of a sum has factors": _with_gains(lambda w: (w, w**2, w**3)),
            "the factors are those of a cube, not of a square": _with_gains(lambda w: (2 * w, w**2, w**3)),
            "the error is q - q_r, and it is pulled back: the sign of the gains": _with_gains(lambda w: (-3 * w, -3 * w**2, -(w**3))),
            "the gain of the integral has another power of w: look at its unit": _with_gains(lambda w: (3 * w, 3 * w**2, w**2)),
            "the gain of the angle has another power of w: look at its unit": _with_gains(lambda w: (3 * w, 3 * w, w**3)),
            "the gains of angle and integral have other powers of w: look at their units": _with_gains(lambda w: (3 * w, 3 * w, w)),
            "w is missing in the gains: look at their units": _with_gains(lambda w: (3.0, 3.0, 1.0)),
            **{
                f"the gain of {of} {words}": _with_gains(partial(_gains_but, k, f))
                for k, of in enumerate(("the rate", "the angle", "the integral"))
                for words, f in (("is missing", 0.0), ("has the factor of a square, not of a cube", 2 / 3), ("has no factor", 1 / 3), ("counts twice", 2.0), ("counts half", 0.5))
                if k < 2 or f in (2.0, 0.5)
            },
            "the gain of the integral is w alone: look at its unit": _with_gains(lambda w: (3 * w, 3 * w**2, w)),
            "the sign of the rate's gain": _with_gains(lambda w: (-3 * w, 3 * w**2, w**3)),
            "the sign of the angle's gain": _with_gains(lambda w: (3 * w, -3 * w**2, w**3)),
            "the sign of the integral's gain": _with_gains(lambda w: (3 * w, 3 * w**2, -(w**3))),
        },
        hints=("Which acceleration should the arm have, at this moment?", "Solve the equation of the error for the acceleration of the joints.", "(x + w)^3 has the factors 1, 3 w, 3 w^2, w^3. Then inverse dynamics, at the state of the arm."),
    ),
    "cannot-rise": Question(
        "an energy that only falls",
        **given.CALLED["cannot-rise"],
        shape=(4,),
        laws=(_falls,),
        hints=("Read the law as a machine: which of its parts store energy?", "Kinetic energy and springs always. Does the weight still do work that nothing undoes?", "A constant torque c has the energy - c . (q - q_r); a weight has U(q). Subtract what the sum is at the goal."),
    ),
    "find-the-bug": Question(
        "a law with a misprint",
        **given.CALLED["find-the-bug"],
        shape=(2,),
        printed=True,
        laws=(_stays_passive,),
        mistakes={
            "that is the program as it is printed": _printed,
        },
        hints=("Put the torque into the equation of motion: what should be left is M ds/dt + C s + D s = 0.", "s = qd - v, and a is the derivative of v in time.", "Try it at rest at the goal, then on the reference, then with one error at a time: the check says which fails."),
    ),
    "learn": Question(
        "a law that learns",
        **given.CALLED["learn"],
        shape=(4,),
        laws=(_learns,),
        hints=("With the true numbers the torque would be row . numbers - k s, with the row (a, friction, lever).", "V' = - k s^2 + s row . (what is wrong with the estimates) + (what is wrong) . change / gains.", "The last two cancel for each number by itself: change = - gain times row times s."),
    ),
    "what-stays": Question(
        "estimates that one pose teaches",
        shape=(3,),
        tolerance=1e-4,
        laws=(_stops_learning,),
        hints=("Which direction do the estimates move in, at every moment?", "The row never changes, so they run along one straight line; they stop where the reading is explained.", "First estimates plus a number times (speeds times row): the number follows from the reading."),
    ),
    "hand-springs": Question(
        "springs of joints that make a soft hand",
        shape=(2, 2),
        tolerance=1e-4,
        laws=(_gives_way,),
        hints=("Write the stiffness of the hand in the axes of the base first: turn, diagonal, turn back.", "A small turn dq moves the hand by J dq; the torques are J^T times the force.", "J^T K J, with J of the pose, in relative angles."),
    ),
    "swing-up": Question(
        "a law that swings a pendulum up",
        **given.CALLED["swing-up"],
        shape=None,
        judged="laws",
        laws=(_swings_up,),
        score=("periods of small swings until it stays upright", _periods),
        hints=("Pump: a torque along the rate as long as energy is missing, against it when there is too much.", "The energy of the upright rod at rest is m g l / 2, counted from the joint. Push with the whole limit, scaled down near that energy.", "Near the top (0.3 rad, with a small rate) use a spring and a damper, clipped to the limit; math.remainder brings the angle home."),
    ),
    "plot-wrong": Question(
        "a plot of what a wrong model costs",
        shape=None,
        judged="laws",
        laws=(_errs,),
        hints=("Put the law, with the wrong inertia, into the equation of motion of the joint.", "share is the model's inertia by the true one: e'' + share (2 w e' + w^2 e) = (share - 1) qdd_r.", "For a sine of rate x the size is |share - 1| x^2 A over the absolute value of share w^2 - x^2 + 2 i share w x."),
    ),
    "explain": Question(
        "right motion, wrong numbers",
        judged="person",
        hints=("What does the law need to know for this motion?", "Which column of the regressor is zero, or goes along with another?", "What would you change in the reference?"),
    ),
}  # fmt: skip
