"""The assignment "simulation": steps through time, linearization, identification and control, each student's own arm."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import robotdyn as rd
from coursework.check import laws
from coursework.check.diagnosis import Said
from coursework.check.question import Question, with_parts_replaced
from coursework.check.session import assignment_module
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array, At, Value
    from coursework.check.parameters import Parameters

MOST_OFF = 12.0  # variances of the noise

given = assignment_module("simulation", "given")


def _steps_on(p: Parameters, at: At, value: Value) -> str | None:
    q, qd, tau, dt = at
    rate = (tau - p.mass * 9.81 * p.length * np.cos(q)) / (p.mass * p.length**2)
    sentence = "It is not the state plus dt times its rates, at the old state."
    return laws.differs(sentence, at, value, [q + qd * dt, qd + rate * dt])


def _wrong_step(step: Callable[..., Any], gravity: float = 1.0) -> Callable[..., Any]:
    """A step with a planted mistake: step(q, qd, qdd, dt), or another gravity."""
    return lambda p: (
        lambda q, qd, tau, dt: step(
            q, qd, (tau - gravity * p.mass * 9.81 * p.length * np.cos(q)) / (p.mass * p.length**2), dt
        )
    )


def _size_after(p: Parameters, dt: float, steps: int) -> float:
    """How large a swing of size 1 is after explicit Euler steps: each turns (x, rate / w), and stretches it by |1 + i w dt|."""
    return (1 + dt**2 * 9.81 / p.length) ** (steps / 2)


def _grown(p: Parameters) -> None:
    """Say how much the swing of the student's pendulum grows in 10 s, with steps halved again and again."""
    for steps in (2500, 5000, 10_000, 20_000):
        print(
            f"steps of {10 / steps:.4f} s: in 10 s the swing grows by {100 * (_size_after(p, 10 / steps, steps) - 1):5.2f} %"
        )


def _is_growth(p: Parameters, at: At, value: Value) -> str | None:
    sentence = "A thousand steps make the swing of your pendulum grow by another part."

    def grown(steps: int = 1000, factor: float = 1.0) -> float:
        """Return by how many percent the swing grows, with steps that a factor makes longer."""
        return 100 * (_size_after(p, factor * p.step, steps) - 1)

    wrong = {} if laws.is_wordless() else {
        "That is with half as many steps.": grown(500),
        "One step is missing: a thousand are asked for.": grown(999),
        "One step is too many: a thousand are asked for.": grown(1001),
        "The step and the old state are at right angles: their squares add up, not they.": 100 * ((1 + p.step * math.sqrt(9.81 / p.length)) ** 500 - 1),
        "g is missing: the rate of the swing is the root of g / l.": grown(factor=9.81**-0.5),
        "That is with g = 10: g is 9.81 m/s^2 here.": grown(factor=(10 / 9.81) ** 0.5),
        "That is the size as a part of what it was: percent are asked for, and by how much it grows.": grown() / 100 + 1,
        "The two legs are at right angles: their squares add up.": 100 * ((1 - p.step**2 * 9.81 / p.length) ** 500 - 1),
        "The mass has no part in the swing.": grown(factor=p.mass**0.5),
    } | ({"How many steps: a thousand, not the ten seconds of part 3.": grown(round(10 / p.step))} if round(10 / p.step) != 2000 else {})  # fmt: skip
    return laws.differs(sentence, at, value, grown(), 1e-3, wrong=wrong)  # it grows with g, not in proportion


def _wrong_rates(slip: str, value: Callable[..., Any]) -> Callable[..., Any]:
    """A step with a planted mistake: another moment of the weight, (p, q), or another inertia, (p)."""
    parts = {
        "pull": lambda p, q: p.mass * 9.81 * p.length * np.cos(q),
        "inertia": lambda p: p.mass * p.length**2,
    }
    part = with_parts_replaced(parts, slip, value)
    return lambda p: lambda q, qd, tau, dt: [q + qd * dt, qd + (tau - part["pull"](p, q)) / part["inertia"](p) * dt]


def _slopes(
    rates: Callable[..., Any],
    x: Array,
    dt: float,
    second: float = 0.5,
    third: float = 0.5,
    last: float = 1.0,
    base: tuple[int, ...] = (0, 1, 2),
    state: float = 1.0,
    whole: float | None = None,
) -> Array:
    """The four slopes of a Runge-Kutta step; base: the slope that each but the first goes along."""
    dt = whole or dt
    found = [rates(x)]
    for share, k in zip((second, third, last), base):
        found.append(rates(state * x + found[k] * dt * share))
    return np.array(found)


def _weighted(weights: Sequence[float], **slopes: Any) -> Callable[..., Any]:
    """A Runge-Kutta step with a planted mistake: other weights."""
    return lambda p: lambda rates, x, dt: x + dt * np.array(weights) @ _slopes(rates, x, dt, **slopes)


def _sloped(name: str, value: Any) -> Callable[..., Any]:
    """A Runge-Kutta step with a planted mistake: a part of its slopes that has another value."""
    return _weighted([1 / 6, 1 / 3, 1 / 3, 1 / 6], **with_parts_replaced({name: None}, name, value))


def _thirds(p: Parameters) -> Callable[..., Any]:
    """Kutta's other step of order four."""

    def step(rates: Callable[..., Any], x: Array, dt: float) -> Array:
        first = rates(x)
        second = rates(x + dt * first / 3)
        third = rates(x + dt * (second - first / 3))
        return x + dt * (first + 3 * second + 3 * third + rates(x + dt * (first - second + third))) / 8

    return step


def _exact(slope: float, dt: float) -> Array:
    """The exact motion, by a time, of rates that are linear: q'' = slope q."""
    w = np.sqrt(slope + 0j)
    return np.array([[np.cosh(w * dt), np.sinh(w * dt) / w], [w * np.sinh(w * dt), np.cosh(w * dt)]]).real


WEIGHTS: dict[tuple[Fraction, ...], str] = {}  # of the slopes, and what is said of them
for shares, parts in itertools.product(itertools.product((0, 1, 2, 3), repeat=4), (3, 4, 6, 8)):
    told = f"The slopes are right, their weights are not: they come out as {', '.join(map(str, shares))}, each over {parts}."
    WEIGHTS.setdefault(tuple(Fraction(share, parts) for share in shares), told)


def _is_of_fourth_order(p: Parameters, at: At, value: Value) -> str | None:
    rates, x, dt = at
    slopes = _slopes(rates, x, dt)
    expected = x + dt * np.array([1, 2, 2, 1]) @ slopes / 6
    others = {} if laws.is_wordless() else WEIGHTS
    wrong = {words: x + dt * np.array([float(share) for share in shares]) @ slopes for shares, words in others.items()}
    return laws.differs("It is not the classical fourth-order step.", at, value, expected, wrong=wrong)


def _is_slope_of_step(p: Parameters, at: At, value: Value) -> str | None:
    q, qd, dt = at
    expected = [[1.0, dt], [dt * 9.81 / p.length * np.sin(q), 1.0]]
    return laws.differs("It is not the derivative of the step by the state.", at, value, expected)


def _grows(p: Parameters, at: At, value: Value) -> str | None:
    sentence = "A small deviation of your pendulum does not grow at that rate."
    return laws.differs(sentence, at, value, math.sqrt(9.81 / p.length), 1e-4, power_of_g=0.5)


def _changed(change: Callable[..., Any]) -> Callable[..., Any]:
    """A Jacobian with a planted mistake: change(slope of the rates by the angle, dt)."""
    return lambda p: lambda q, qd, dt: change(9.81 / p.length * np.sin(q), dt)


def _rows(p: Parameters) -> Array:
    """What the torques of the measured pendulum are linear in, a row each."""
    q, qd, qdd, _ = p.measured
    return np.column_stack([qdd, qd, np.cos(q)])


def _fit(columns: Callable[..., Any]) -> Callable[..., Any]:
    def of(p: Parameters) -> Array:
        q, qd, qdd, tau = p.measured
        return np.linalg.lstsq(np.array(columns(q, qd, qdd)).T, tau, rcond=None)[0]

    return of


def _fits(p: Parameters, at: At, value: Value) -> str | None:
    """The parameters lie where the noise lets the true ones lie: no others fit so much better that noise cannot be why.

    Beyond what no parameters explain, the sum of squares of the residual grows by 3 variances of the noise for the true ones,
    and by 3 * 0.57 for least absolute deviations; one of 10,000 of these estimates lies beyond the limit.
    """
    value = np.ravel(value)
    if value.size != 3:
        return "Three numbers are asked for: J, b, w."
    q, qd, qdd, tau = p.measured
    columns = {"qdd": qdd, "qd": qd, "cos q": np.cos(q)}
    rows = np.array([*columns.values()]).T
    left = tau - rows @ value
    along = np.linalg.qr(rows)[0].T @ left / given.NOISE  # the part of the residual that other parameters would take up
    if along @ along <= MOST_OFF:
        return None
    exact = int((abs(left) < 1e-9 * abs(tau).max()).sum())
    if exact in (3, 4):  # as many equations as unknowns; least absolute deviations meet three as well, and hold above
        return Said(
            "The residual is larger than the noise of 0.05 N m explains.",
            f"{exact} of the measurements are met exactly, and the noise of these alone is in the numbers: use all 60 measurements.",
        )
    most = max(columns, key=lambda name: abs(columns[name] @ left) / np.linalg.norm(columns[name]))
    if not np.sqrt(np.mean(left**2)) <= 2 * given.NOISE:  # nor is what overflows
        found = "The residual is far larger than the noise of 0.05 N m."
        where = f"Most of it goes along with {most}: look at that column, and at the order of the three numbers."
        return Said(found, where)
    return f"The residual goes along with {most} by more than noise explains: use all 60 measurements, and round to four decimals or more."


@functools.lru_cache(maxsize=32)
def _released(length: float, mass: float, angle: float, rate: float, gravity: float) -> dict[str, Array]:
    """Times, angles and rates of a pendulum that is let go: asked for again with each change of a line."""
    motion = rd.simulate(
        rd.robots.planar((length,), (mass,), gravity=gravity), [angle], [rate], t=np.linspace(0.0, 2.0, 201)
    )
    return {"t": motion.t, "q": motion.q[:, 0], "qd": motion.qd[:, 0]}


def _spacings(plot: Any) -> list[float]:
    """Return the steps of time in which lines of a plot are drawn, where these are longer than 2 ms and alike."""
    found = []
    for line in plot["curves"]:
        x = np.array(line["x"]["numbers"], dtype=float)
        gaps = np.diff(x)
        if len(gaps) and gaps.min() > 0.002 and np.ptp(gaps) < 1e-6:
            found.append(round(float(gaps.mean()), 9))
    return found


def _stepped(length: float, dt: float, x: Array) -> Array:
    """Return the angles at the times x that explicit Euler steps of dt make of the fall."""
    times = np.arange(0.0, 2.0 + 2 * dt, dt)
    angles = [0.0]
    rate = 0.0
    for _ in times[1:]:
        angle = angles[-1]
        angles.append(angle + dt * rate)
        rate -= dt * 9.81 / length * math.cos(angle)
    return np.interp(x, times, angles)


def _falls(p: Parameters, at: At, value: Value) -> str | None:
    """Some line is the motion that the pendulum's own equation gives."""

    def moved(
        length: float = p.length, angle: float = 0.0, rate: float = 0.0, gravity: float = 9.81, of: str = "q"
    ) -> Callable[..., Any]:
        """The motion of another pendulum, or from another start, made when it is first asked for."""

        def line(x: Array) -> Array:
            motion = _released(length, p.mass, angle, rate, gravity)
            return np.interp(x, motion["t"], motion[of])

        return line

    path = moved()
    half = math.pi / 2
    rate = math.sqrt(9.81 / p.length)
    wrong = {
        "It falls upward: gravity, or the angle, has the opposite sign.": lambda x: -path(x),
        "The angle is in degrees: rad are asked for.": lambda x: np.degrees(path(x)),
        "That is the rate, not the angle.": moved(of="qd"),
        "That is the angle from straight down: it counts from the horizontal.": lambda x: path(x) + half,
        "That is the height, not the angle.": lambda x: p.length * np.sin(path(x)),
        "It begins turning: it is released at rest.": moved(rate=1.0),
        "It begins near the top: it is released from the horizontal.": moved(angle=half - 0.01),
        "That is the pendulum of another length: your own is p.length.": moved(length=1.0),
        "That is a rod, whose mass is spread along it: a point mass is asked for.": moved(length=2 / 3 * p.length),
        "It falls too slowly: is half of the weight, or twice the inertia, taken?": moved(gravity=9.81 / 2),
        "It falls too fast: is twice the weight, or half of the inertia, taken?": moved(gravity=2 * 9.81),
        "That is a free fall, with the same acceleration in each pose.": lambda x: -9.81 * x**2 / (2 * p.length),
        "That is a free fall, with the same acceleration in each pose, and the length is missing.": lambda x: -9.81 * x**2 / 2,
        "That is the swing of small angles: this one is large.": lambda x: half * (np.cos(rate * x) - 1),
        "It jumps by a turn: draw the angle as it is, also where it is negative.": lambda x: path(x) % math.tau,
        "It does not move: what does the weight do at q = 0?": lambda x: 0 * x,
    }  # fmt: skip
    wrong |= {
        f"Those are explicit Euler steps of {1000 * dt:g} ms: too long ones for an error of 0.05 rad.": functools.partial(
            _stepped, p.length, dt
        )
        for dt in _spacings(value)
    }
    sentence = "The line is not the motion of your pendulum, released at rest from the horizontal."
    return laws.is_no_plot(sentence, value, 0.0, 2.0, path, 0.05, wrong, ("s", "rad"))


def _arrives(p: Parameters, at: At, value: Value) -> str | None:
    """The judge moves the arm itself, with the torques that the controller gave."""
    if value.shape != (given.STEPS, 2):
        return "A torque is missing."
    beyond = abs(value).max(axis=1) > p.limit * (1 + 1e-9)
    if beyond.any():
        return f"The torques go beyond the limit, first {beyond.argmax() * given.DT:.2f} s after the start."
    q = np.array(at[0])
    qd = np.zeros(2)
    places = []
    rates = []
    forward = rd.specialize(rd.forward_dynamics, p.arm)
    for tau in value:
        q, qd = given.move(forward, q, qd, tau)
        places.append(q - p.goal)
        rates.append(qd)
        if not abs(qd).max() < 1e3:
            return f"The arm turns faster and faster: over 1000 rad/s after {len(rates) * given.DT:.2f} s."
    far = abs(np.array(places)).max(axis=1)[-50:]
    fast = abs(np.array(rates[-50:])).max()
    jumps = np.diff(value[-50:], axis=0)
    back = (jumps[1:] * jumps[:-1] < 0).mean(axis=0) > 0.8
    if fast > 0.1 and (back | ((abs(jumps) > p.limit).mean(axis=0) > 0.25)).any():
        return "The torques jump back and forth from call to call: the gains are too high for 10 ms between two calls."
    if fast > 0.1 and abs(np.mean(places[-150:], axis=0)).max() > 0.5:
        return "The arm still moves in the last half second, far from the goal: what drives it there, what holds its weight?"
    if fast > 0.1:
        return f"The arm still moves in the last half second, up to {fast:.2g} rad/s: it swings and lacks damping, or it comes late."
    if far.max() > 0.02 and far[-1] < 0.98 * far[0]:
        return f"The arm is still on its way in the last half second, {far.max():.2g} rad away: it comes too slowly."
    if far.max() > 0.02:
        return f"The arm rests {far.max():.2g} rad beside the goal: at the goal itself, do your torques balance gravity? And are they large enough beside it?"
    return None


def _rings(p: Parameters, at: At, value: Value) -> str | None:
    """With that gain the roots m s^3 + b s^2 + k (1 + share) s + k k_i = 0 hold a pair +- i w."""
    m, b, k, share = p.press
    whole = 1 + share
    gain = b * whole / m
    rate = math.sqrt(k * whole / m)
    grows = "At that gain the ringing grows, or dies out."
    if laws.is_wordless():
        return laws.differs(grows, at, value[0], gain, 1e-4) or laws.differs(grows, at, value[1], rate, 1e-4)
    if all(laws.differs(grows, at, one, other, 1e-4) is None for one, other in zip(value, (rate, gain))):
        return "Both numbers are right, and in the other order: the gain first."
    of_gain = {
        "The proportional part lets the integral go further: it is missing.": b / m,
        "The wall itself pushes back, too: with 1 + k_p times its force, not with k_p times.": b * share / m,
        "The proportional part pushes back as the wall does: it is added, not taken away.": b * (1 - share) / m,
        "The wall's stiffness stands on both sides of the limit, and drops out.": b * k * whole / m,
        "The wall's stiffness stands on both sides of the limit, and drops out: nothing is divided by it.": b
        * whole
        / (m * k),
        "Mass and damper are exchanged.": m * whole / b,
        "That is the gain to tune by, a third of the limit.": gain / 3,
        "That is a damper: divided by the mass it is 1/s.": b * whole,
        "The damper is missing.": whole / m,
        "The proportional part divides it: it makes the limit larger.": b / (m * whole),
    }
    of_rate = {
        "The proportional part is one more spring: it is missing.": math.sqrt(k / m),
        "The wall is a spring itself: the stiffness counts 1 + k_p times, not k_p times.": math.sqrt(k * share / m),
        "The proportional part is one more spring beside the wall: it is added, not taken away.": math.sqrt(
            k * abs(1 - share) / m
        ),
        "In Hz: rad/s are asked for.": rate / math.tau,
        "That is the square of the rate.": rate**2,
        "Stiffness and mass are exchanged.": math.sqrt(m / (k * whole)),
        "At the limit nothing damps: the damper has no part in the rate.": math.sqrt(
            abs(k * whole / m - (b / (2 * m)) ** 2)
        ),
        "What the stiffness counts, 1 + k_p times, stands under the root with it.": whole * math.sqrt(k / m),
        "The mass stands under the root, too.": math.sqrt(k * whole) / m,
    }
    found = laws.differs(grows, at, value[0], gain, 1e-4, wrong=of_gain)
    return found or laws.differs(
        "The gain is right; it rings at another rate.", at, value[1], rate, 1e-4, wrong=of_rate
    )


QUESTIONS = {
    "euler-step": Question(
        "one explicit Euler step",
        **given.CALLED["euler-step"],
        shape=(2,),
        laws=(_steps_on,),
        mistakes={
            "the position moves with the new rate: that is the semi-implicit step": _wrong_step(lambda q, qd, qdd, dt: [q + (qd + qdd * dt) * dt, qd + qdd * dt]),
            "gravity has the opposite sign": _wrong_step(lambda q, qd, qdd, dt: [q + qd * dt, qd + qdd * dt], -1.0),
            "gravity is missing": _wrong_step(lambda q, qd, qdd, dt: [q + qd * dt, qd + qdd * dt], 0.0),
            "the two entries are in the other order": _wrong_step(lambda q, qd, qdd, dt: [qd + qdd * dt, q + qd * dt]),
            "sine for cosine: the angle is measured from the horizontal": _wrong_rates("pull", lambda p, q: p.mass * 9.81 * p.length * np.sin(q)),
            "degrees: the angle is in rad": _wrong_rates("pull", lambda p, q: p.mass * 9.81 * p.length * np.cos(np.radians(q))),
            "the mass is missing in the weight": _wrong_rates("pull", lambda p, q: 9.81 * p.length * np.cos(q)),
            "the lever arm is missing at the weight": _wrong_rates("pull", lambda p, q: p.mass * 9.81 * np.cos(q)),
            "the inertia of a mass at a distance has the square of the distance": _wrong_rates("inertia", lambda p: p.mass * p.length),
            "the inertia is that of a point mass, not of a rod": _wrong_rates("inertia", lambda p: p.mass * p.length**2 / 3),
            "the acceleration has no part in the new position: Euler's step goes along the rates alone": _wrong_step(lambda q, qd, qdd, dt: [q + qd * dt + qdd * dt**2 / 2, qd + qdd * dt]),
            "the position changes by its own rate, not by that of the rate": _wrong_step(lambda q, qd, qdd, dt: [q + qdd * dt, qd + qdd * dt]),
            "the rate stays as it was: it changes, too": _wrong_step(lambda q, qd, qdd, dt: [q + qd * dt, qd]),
            "those are the rates: the new state is the old one plus dt times them": _wrong_step(lambda q, qd, qdd, dt: [qd, qdd]),
            "the step dt is missing": _wrong_step(lambda q, qd, qdd, dt: [q + qd, qd + qdd]),
        },
        hints=("Solve the equation of motion for qdd.", "Compute qdd at the old state first.", "Both entries change by dt times their rate, and both rates are those of the old state."),
    ),
    "rk4-step": Question(
        "one classical Runge-Kutta step",
        **given.CALLED["rk4-step"],
        shape=(2,),
        laws=(_is_of_fourth_order,),
        mistakes={
            "that is the Euler step": _weighted((1, 0, 0, 0)),
            "the slopes in the middle count twice: the weights are 1, 2, 2, 1": _weighted((0.25, 0.25, 0.25, 0.25)),
            "the last slope is that of the full step": _sloped("last", 0.5),
            "it uses the second slope alone: that is the midpoint step": _weighted((0, 1, 0, 0)),
            "the sum of the slopes is not divided: a mean has weights that add up to 1": _weighted((1, 2, 2, 1)),
            "the weights add up to more than 1: a mean is divided by their sum": _weighted((0.25, 0.5, 0.5, 0.25)),
            "the weights add up to less than 1: is a slope left out?": _weighted((1 / 6, 1 / 3, 1 / 3, 0)),
            "the slopes at the ends count twice, where those in the middle should": _weighted((1 / 3, 1 / 6, 1 / 6, 1 / 3)),
            "only one of the two slopes in the middle counts twice": _weighted((0.2, 0.4, 0.2, 0.2)),
            "only one of the two slopes in the middle counts": _weighted((1 / 6, 0, 2 / 3, 1 / 6)),
            "only one of the two slopes in the middle counts, the earlier one": _weighted((1 / 6, 2 / 3, 0, 1 / 6)),
            "those are the weights of another rule, with thirds of the step": _weighted((1 / 8, 3 / 8, 3 / 8, 1 / 8)),
            "the second slope is that of half a step": _sloped("second", 1.0),
            "the third slope is that of half a step": _sloped("third", 1.0),
            "the third slope uses the second, not the first": _sloped("base", (0, 0, 2)),
            "the last slope uses the third": _sloped("base", (0, 1, 1)),
            "the last slope uses the third, not the first": _sloped("base", (0, 1, 0)),
            "the last slope is taken at the end of the step, not at the old state": _sloped("last", 0.0),
            "the slopes are taken at the state and a change, not at the change alone": _sloped("state", 0.0),
            "that is the step of order two, with the mean of the first slope and that at the end": lambda p: lambda rates, x, dt: x + dt * (rates(x) + rates(x + dt * rates(x))) / 2,
            "the step dt is missing where slopes are taken: each is that of a part of the step": _sloped("whole", 1.0),
            "the two slopes in the middle have no part in it: they count twice": _weighted((0.5, 0, 0, 0.5)),
            "that is another step of order four, with slopes at thirds of it": _thirds,
        },
        hints=("Four slopes: at the start, twice in the middle, at the end.", "Each uses the slope before it.", "The mean of the four slopes has the weights 1, 2, 2, 1; the last slope is taken a whole step on."),
    ),
    "halved": Question(
        "what a swing does under half the step, as a number from 1 to 3",
        judged="laws",
        laws=(laws.chosen(3),),
        hints=("Draw one step in the plane of x and its rate: which way does it go from the circle?", "Half the step, and twice as many of them.", "Whatever you choose is right here: hand it in, and look."),
        show=_grown,
        prediction=True,
    ),
    "growth-of-swing": Question(
        "growth of a swing in percent",
        tolerance=1e-3,
        laws=(_is_growth,),
        mistakes={
            "1 + dt^2 g / l belongs to the square of the size": lambda p: 100 * ((1 + p.step**2 * 9.81 / p.length) ** 1000 - 1),
            "growth grows, too: a thousand steps are a power, not a product": lambda p: 5e4 * p.step**2 * 9.81 / p.length,
            "that is one step: a thousand of them are asked for": lambda p: 100 * (math.sqrt(1 + p.step**2 * 9.81 / p.length) - 1),
            "that is what is there afterwards: how much it grows is asked for": lambda p: 100 * (1 + p.step**2 * 9.81 / p.length) ** 500,
            "the square of the rate is g by the length, not its inverse": lambda p: 100 * ((1 + p.step**2 * p.length / 9.81) ** 500 - 1),
            "the mass drops out": lambda p: 100 * ((1 + p.step**2 * 9.81 / p.length / p.mass) ** 500 - 1),
            "in the square of a step stands the square of the rate of the swing": lambda p: 100 * ((1 + p.step**2 * math.sqrt(9.81 / p.length)) ** 500 - 1),
            "the square of the step is asked for, not the step": lambda p: 100 * ((1 + p.step * math.sqrt(9.81 / p.length)) ** 1000 - 1),
            "a part of one: percent are asked for": lambda p: (1 + p.step**2 * 9.81 / p.length) ** 500 - 1,
        },
        hints=("Compute the size after one step, from a start with the rate zero; or let the computer do all thousand.", "Two legs of a right triangle: the old state, and the step across it.", "Every step multiplies the size by the same number, whatever the state."),
    ),
    "linearize": Question(
        "Jacobian of the Euler step",
        **given.CALLED["linearize"],
        shape=(2, 2),
        laws=(_is_slope_of_step,),
        mistakes={
            "the moment of the weight is not divided by the inertia": lambda p: lambda q, qd, dt: np.array([[1.0, dt], [dt * p.mass * 9.81 * p.length * np.sin(q), 1.0]]),
            "the sign of the derivative of the cosine": _changed(lambda slope, dt: [[1, dt], [-dt * slope, 1]]),
            "the identity is missing: the new state is the old one plus a change": _changed(lambda slope, dt: [[0, dt], [dt * slope, 0]]),
            "that is the Jacobian of the rates: a step of dt is asked for": _changed(lambda slope, dt: [[0, 1], [slope, 0]]),
            "that is the derivative of the semi-implicit step": _changed(lambda slope, dt: [[1 + dt**2 * slope, dt], [dt * slope, 1]]),
            "dt is missing in the second row": _changed(lambda slope, dt: [[1, dt], [slope, 1]]),
            "the mass cancels: it has no part in the fall": lambda p: _changed(lambda slope, dt: [[1, dt], [dt * slope / p.mass, 1]])(p),
            "that is the exact motion of the linearized rates: the Euler step itself is asked for": _changed(_exact),
            "transposed: rows are outputs, columns are inputs": _changed(lambda slope, dt: [[1, dt * slope], [dt, 1]]),
        },
        hints=("The step is x + dt f(x).", "Its derivative is the identity plus dt df/dx.", "Test it with a difference quotient of your Euler step."),
    ),
    "unstable-pole": Question(
        "how fast the upright pendulum falls",
        tolerance=1e-4,
        laws=(_grows,),
        mistakes={
            "that is its square": lambda p: 9.81 / p.length,
            "that is the time constant, its inverse": lambda p: math.sqrt(p.length / 9.81),
            "the mass has no part in it": lambda p: math.sqrt(9.81 / (p.mass * p.length)),
            "that is by what a step multiplies the deviation: its rate is asked for": lambda p: 1 + p.step * math.sqrt(9.81 / p.length),
            "in turns a second: 1/s are asked for, and nothing turns": lambda p: math.sqrt(9.81 / p.length) / (2 * math.pi),
        },
        hints=("Linearize around q = pi / 2.", "With q = pi/2 + e the cosine is about -e: the deviation obeys e'' = (a number) e.", "Put exp(s t) in: s stands squared, and the growing solution has the positive one."),
    ),
    "identify": Question(
        "parameters from measurements",
        shape=(3,),
        judged="laws",
        laws=(_fits,),
        mistakes={
            "sine for cosine: the angle is measured from the x axis": _fit(lambda q, qd, qdd: [qdd, qd, np.sin(q)]),
            "the order is inertia, friction, weight: J, b, w": lambda p: _fit(lambda q, qd, qdd: [np.cos(q), qd, qdd])(p),
            "the order is inertia, friction, weight: the first two are exchanged": _fit(lambda q, qd, qdd: [qd, qdd, np.cos(q)]),
            "that is Y^T tau: Y^T Y, which it is divided by, is missing": lambda p: _rows(p).T @ p.measured[3],
            "friction is left out": lambda p: np.insert(_fit(lambda q, qd, qdd: [qdd, np.cos(q)])(p), 1, 0.0),
            "degrees: the angle is in rad": _fit(lambda q, qd, qdd: [qdd, qd, np.cos(np.radians(q))]),
        },
        hints=("The torque is linear in the three parameters.", "One row a measurement: qdd, qd, cos q.", "NumPy has np.linalg.lstsq; test: the residual should look like noise of 0.05 N m."),
    ),
    "plot-fall": Question(
        "a plot of a fall",
        shape=None,
        judged="laws",
        laws=(_falls,),
        hints=("The pendulum starts at q = 0, qd = 0, without torque.", "Use your Runge-Kutta step with dt = 0.01 s.", "ax.plot(t, q), with words and units at both axes."),
    ),
    "controller": Question(
        "a controller that reaches a goal",
        **given.CALLED["controller"],
        shape=None,
        judged="laws",
        laws=(_arrives,),
        hints=("Start with a spring to the goal and damping.", "Add rd.gravity_torque(p.arm, q), so that the goal is a rest position.", "Limit with np.clip. Gains that suit the heavy joint make the light one tremble between two calls: let M(q) scale them."),
    ),
    "press": Question(
        "the gain and the rate at which a hand rings on a wall",
        shape=(2,),
        tolerance=1e-4,
        laws=(_rings,),
        hints=("Write both equations with x and z: the wall pushes back with k x, and so does the proportional part, with its share of that.", "Put e^(s t) in, and multiply by s: a polynomial of third order, in which the gain stands at the end.", "At the limit two roots are i w and -i w: put i w in. The real part and the imaginary part are two equations, for w and the gain."),
    ),
}  # fmt: skip
