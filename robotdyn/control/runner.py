"""A law as a computer runs it:  measured now and then, late, in steps, with noise; held between; the arm never waits.

At each sample t_k the law sees what the sensors tell, and its torque, within limits, acts from t_k + delay on until the
next one does.  Between, the arm moves on by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.control.adaptive_control import Learning
from robotdyn.control.checks import as_torque_limits
from robotdyn.dynamics.forces import Law, for_joints_of
from robotdyn.dynamics.recursive import forward_dynamics
from robotdyn.maths.validate import Floats, as_numbers, as_positive, as_times, check_numeric, in_short
from robotdyn.model.arm import Arm
from robotdyn.simulation.integrators import Integrator, integrator_of, rk4_step
from robotdyn.simulation.simulate import MAX_STATE
from robotdyn.simulation.trajectory import Trajectory


@dataclass(frozen=True, eq=False)
class Run(Trajectory):
    """A Trajectory under a law: t, q, qd as they were, and tau (T, n), the torque that acts just after each sample.

    measured: (T, 2, n), what the law saw of q and qd; asked: (T, n), the torque that it asked for at that sample, before
    limits and delay; state: (T, k), of a law that has one.
    """

    measured: Floats = field(default_factory=lambda: np.empty((0, 2, 0)))
    asked: Floats = field(default_factory=lambda: np.empty((0, 0)))
    state: Floats = field(default_factory=lambda: np.empty((0, 0)))


def run(
    arm: Arm,
    law: Law | Learning,
    q: ArrayLike,
    qd: ArrayLike,
    duration: float,
    period: float = 1e-3,
    delay: float = 0.0,
    resolution: ArrayLike = 0.0,
    noise: tuple[ArrayLike, ArrayLike] = (0.0, 0.0),
    differences: bool = False,
    limits: Any = None,
    load: Law | None = None,
    substeps: int = 1,
    method: str = "rk4",
    rng: np.random.Generator | None = None,
) -> Run:
    """Return the Run of an arm under a law that a computer asks once every period, from q, qd (n,) at t = 0.

    duration: s, a whole number of periods;
    period, delay: s; the motors are off until the first torque arrives.
    resolution: rad (m), the step of the encoders, a number or (n,), 0 for none;
    noise: standard deviations of q and qd, numbers or (n,), before that step;
    rng: where they come from.
    differences: True makes the measured rates from the encoders, (q_k - q_k-1) / period; the first one is qd.
    limits: (lower, upper) torques, or one bound for both; numbers or (n,), N m (N).
    load: law (t, q, qd) -> tau of what acts besides the motors, without a pause: friction, springs, a push.
    substeps, method: steps of the integrator "euler", "semi-implicit" or "rk4" in each stretch of constant torque.
    The state of a law that learns moves on by period times its rate, at each sample.
    Raises ValueError for what cannot be, and where the motion runs away.
    """
    check_numeric(arm, "run")
    n = arm.n
    x = np.array([as_numbers(q, "q", (n,)), as_numbers(qd, "qd", (n,))])
    period = as_positive(period, "period", "s")
    duration = as_positive(duration, "duration", "s")
    whole_periods, remainder = _split_delay(_delay(delay), period)
    sense = _sensor_model(n, resolution, noise, rng)
    lower, upper = (for_joints_of(end, "limits", x[0]) for end in as_torque_limits(limits))
    evaluate_law, z = _as_stateful_law(law, n)
    move = _over_period(_advance(arm, integrator_of(method), load, substeps), period, remainder)
    t = period * np.arange(_whole_periods(duration, period) + 1, dtype=float)
    states, measured = np.empty((2, len(t), 2, n))
    asked = np.empty((len(t), n))
    memory = np.empty((len(t), len(z)))
    sent = [np.zeros(n)] * (whole_periods + 1)  # and then at index whole_periods + 1 + k what sample k asked for
    for k, now in enumerate(t):
        states[k] = x
        measured[k] = sense(x)
        memory[k] = z
        if differences:
            measured[k, 1] = (measured[k, 0] - measured[k - 1, 0]) / period if k else x[1]
        asked[k], zd = evaluate_law(now, *measured[k], z)
        sent.append(np.minimum(np.maximum(asked[k], lower), upper))
        z = z + period * zd
        if now < t[-1]:
            x = move(now, x, sent[k], sent[k + 1])
    first = 0 if remainder else 1
    applied = np.array(sent[first : first + len(t)])
    return Run(t, states[:, 0], states[:, 1], applied, measured=measured, asked=asked, state=memory)


def continuous(
    arm: Arm, law: Law | Learning, q: ArrayLike, qd: ArrayLike, t: ArrayLike, load: Law | None = None
) -> Run:
    """Return the Run of an arm under a law that never sleeps, at the times t (T,) s: what `run` tends to for short periods.

    The state of a law that learns is integrated together with that of the arm, one step of rk4 from each time to the
    next.  load and errors as in `run`; for a law without a state `rd.simulate` does the same.
    """
    check_numeric(arm, "continuous")
    n = arm.n
    t = as_times(t)
    evaluate_law, z = _as_stateful_law(law, n)
    accelerate = _acceleration(arm, load)

    def rates(time: float, x: Floats) -> Floats:
        q = x[:n]
        qd = x[n : 2 * n]
        z = x[2 * n :]
        tau, zd = evaluate_law(time, q, qd, z)
        return np.concatenate([qd, accelerate(time, q, qd, tau), zd])

    xs = [np.concatenate([as_numbers(q, "q", (n,)), as_numbers(qd, "qd", (n,)), z])]
    for now, later in pairwise(t):
        xs.append(_check_finite(rk4_step(rates, now, xs[-1], later - now), later))
    states = np.array(xs)
    q = states[:, :n]
    qd = states[:, n : 2 * n]
    z = states[:, 2 * n :]
    tau = np.array([evaluate_law(*sample)[0] for sample in zip(t, q, qd, z)])
    return Run(t, q, qd, tau, measured=np.stack([q, qd], axis=1), asked=tau, state=z)


# ---- shared pieces --------------------------------------------------------------------------------------------------


def _as_stateful_law(law: Any, n: int) -> tuple[Callable, Floats]:
    """Return the function (t, q, qd, z) -> tau, dz/dt of a law, and the z (k,) that it starts from, (0,) for none."""
    if isinstance(law, Learning):
        return law.step, law.start
    if not callable(law):
        raise TypeError(f"law must be a function (t, q, qd) -> tau, or a Learning law, got {in_short(law)}")
    none = np.zeros(0)
    return lambda t, q, qd, z: (as_numbers(law(t, q, qd), "tau", (n,)), none), none


def _whole_periods(duration: float, period: float) -> int:
    steps = round(duration / period)
    if abs(steps * period - duration) > 1e-6 * period:
        raise ValueError(f"duration must be a whole number of periods, got {duration:g} s of {period:g} s each")
    return steps


def _split_delay(delay: float, period: float) -> tuple[int, float]:
    """Return a delay as a number of whole periods and what is left of the last one, s."""
    periods = int(delay / period + 1e-9)
    remainder = max(0.0, delay - periods * period)
    return periods, 0.0 if remainder < 1e-9 * period else remainder


def _acceleration(arm: Arm, load: Law | None) -> Callable[..., Floats]:
    """Return the function (t, q, qd, tau) -> qdd (n,) of an arm under motors and load."""
    forward_dynamics(arm, *np.zeros((3, arm.n)))  # says where a joint moves no mass, which no program can
    accelerate = specialize(forward_dynamics, arm, target="python")
    if load is None:
        return lambda t, q, qd, tau: accelerate(q, qd, tau)
    if not callable(load):
        raise TypeError(f"load must be a law (t, q, qd) -> tau, got {in_short(load)}")
    return lambda t, q, qd, tau: accelerate(q, qd, tau + load(t, q, qd))


def _advance(arm: Arm, integrator: Integrator, load: Law | None, substeps: int) -> Callable[..., Floats]:
    """Return the function (t, x (2, n), tau, dt) -> x after dt under a constant torque of the motors."""
    if not isinstance(substeps, int) or substeps < 1:
        raise ValueError(f"substeps must be a whole number >= 1, got {in_short(substeps)}")
    accelerate = _acceleration(arm, load)

    def advance(t: float, x: Floats, tau: Floats, dt: float) -> Floats:
        rates = lambda time, x: np.array([x[1], accelerate(time, x[0], x[1], tau)])
        for s in range(substeps):
            x = integrator.step(rates, t + s * dt / substeps, x, dt / substeps)
        return _check_finite(x, t + dt)

    return advance


def _over_period(advance: Callable[..., Floats], period: float, remainder: float) -> Callable[..., Floats]:
    """Return the function (t, x, old, new) -> x after a period, in which the new torque arrives `remainder` s late."""

    def move(t: float, x: Floats, old: Floats, new: Floats) -> Floats:
        if remainder:
            x = advance(t, x, old, remainder)
        return advance(t + remainder, x, new, period - remainder)

    return move


def _check_finite(x: Floats, t: float) -> Floats:
    if abs(x).max() < MAX_STATE:
        return x
    raise ValueError(
        f"the motion must stay finite, got {abs(x).max():.3g} at t = {t:g} s: lower the gains, or shorten period and delay"
    )


def _sensor_model(n: int, resolution: ArrayLike, noise: Any, rng: Any) -> Callable[[Floats], Floats]:
    """Return the function of the true q, qd (2, n) that gives the measured ones."""
    step = _not_negative(resolution, "resolution", n)
    if not isinstance(noise, tuple) or len(noise) != 2:
        raise TypeError(f"noise must be (of q, of qd), two standard deviations, got {in_short(noise)}")
    spread = np.array([_not_negative(x, name, n) for x, name in zip(noise, ("noise of q", "noise of qd"))])
    if spread.any() and not isinstance(rng, np.random.Generator):
        raise TypeError(f"noise needs rng, a generator such as np.random.default_rng(1), got {in_short(rng)}")
    quantized = step > 0

    def sense(x: Floats) -> Floats:
        y = x + spread * rng.normal(size=x.shape) if spread.any() else x.copy()
        y[0, quantized] = np.round(y[0, quantized] / step[quantized]) * step[quantized]
        return y

    return sense


def _not_negative(x: ArrayLike, name: str, n: int) -> Floats:
    x = as_numbers(x, name, (...,))
    if x.shape not in ((), (n,)) or (x < 0).any():
        raise ValueError(f"{name} must be >= 0, a number or ({n},), got {x.tolist()}")
    return np.broadcast_to(x, n)


def _delay(delay: Any) -> float:
    delay = float(as_numbers(delay, "delay", ()))
    if delay < 0:
        raise ValueError(f"delay must be >= 0 s, got {delay:g}: no law knows the future")
    return delay
