"""From torques to motion:  d/dt (q, qd) = (qd, forward_dynamics(q, qd, tau)), stepped through time."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.dynamics.recursive import forward_dynamics
from robotdyn.maths.validate import Floats, as_numbers, as_times, check_numeric, in_short
from robotdyn.model.arm import Arm
from robotdyn.simulation.events import Event, EventDetector
from robotdyn.simulation.integrators import Integrator, integrator_of
from robotdyn.simulation.progress import progress_bar
from robotdyn.simulation.rollout import compiled_rollout, compiling_pays, python_rollout, step_program
from robotdyn.simulation.trajectory import Trajectory

__all__ = ["simulate", "stream", "with_error"]

Events = Mapping[str, Event] | None
Law = Callable[[float, Floats, Floats], ArrayLike]
Advance = Callable[[int, str], None]  # moves the progress bar: (steps, message)
Propagator = Callable[..., Floats]  # (times (T,), state (2, n), advance=None) -> states (T, 2, n)

ADAPTIVE = "solve_ivp"
RTOL = 1e-9
ATOL = 1e-10
SOLVER = "DOP853"
TRACED_STEPS = 400  # steps a joint, from which on it pays to trace the whole step
TRACED_JOINTS = 40  # joints up to which a trace is short enough
MAX_STATE = 1e12  # of a coordinate or rate, beyond which a motion has run away
CHUNK_STEPS = 10_000  # steps at a time, so that the bar moves, and Ctrl-C is heard


def simulate(
    arm: Arm,
    q: ArrayLike,
    qd: ArrayLike,
    tau: ArrayLike | Law | None = None,
    t: ArrayLike | None = None,
    method: str = "rk4",
    events: Events = None,
    stop: str | None = None,
    error: bool = False,
    progress: bool | None = None,
    rtol: float = RTOL,
    atol: float = ATOL,
    solver: str = SOLVER,
    compile: bool | None = None,
) -> Trajectory:
    """Return the Trajectory of an arm from the state q, qd (n,) at t[0], at the times t (T,) s, increasing.

    tau: None (motors off), (n,) a constant torque, or a law (t, q, qd) -> (n,), as in `robotdyn.dynamics.forces`.
    method: "euler" (explicit, as RCFS 111: feeds energy in), "semi-implicit" (velocity first, of first order, too: the energy
    of a pendulum stays near the true one, that of an arm whose M changes with q may drift away), "rk4" (fourth order), one step
    from each time to the next; or "solve_ivp", SciPy's adaptive methods, with rtol (1e-9), atol (1e-10) and solver, the name
    of one of them ("DOP853").
    events: {name: function (t, q, qd) -> number}: the trajectory tells when each function went through zero;
    stop: the name of the event that ends the motion, at its time.
    error: True runs the motion once more with half the steps, and estimates how far from the true motion it may be.
    progress: True or False shows or hides the bar; None: shown in terminals and notebooks when it takes long.
    compile: True compiles the steps under a constant torque (pip install robotdyn[fast]): tenths of a second once for an
    arm and a method, then about a microsecond a step; None does so where it comes sooner that way.
    Raises ValueError for a wrong shape or method, and where the motion stops being finite.  Chapter "simulation".
    """

    def run(t: Floats, tolerance_factor: float = 1.0, events: Events = None, stop: str | None = None) -> Trajectory:
        tolerances = max(rtol * tolerance_factor, min(rtol, 1e-13)), atol * tolerance_factor
        trajectories = stream(arm, q, qd, tau, t, method, events, stop, len(t), progress, *tolerances, solver, compile)
        return next(trajectories)

    motion = run(as_times(t), events=events, stop=stop)
    return with_error(motion, run, None if method == ADAPTIVE else integrator_of(method).order) if error else motion


def stream(
    arm: Arm,
    q: ArrayLike,
    qd: ArrayLike,
    tau: ArrayLike | Law | None = None,
    t: ArrayLike | None = None,
    method: str = "rk4",
    events: Events = None,
    stop: str | None = None,
    piece: int = 1000,
    progress: bool | None = None,
    rtol: float = RTOL,
    atol: float = ATOL,
    solver: str = SOLVER,
    compile: bool | None = None,
) -> Iterator[Trajectory]:
    """Yield the motion of `simulate` in Trajectories of `piece` steps, each beginning where the one before ends.

    A motion of any length passes by without being held in memory: keep of each piece what you need.
    Arguments as in `simulate`.
    """
    check_numeric(arm, "simulate")
    q = as_numbers(q, "q", (arm.n,))
    qd = as_numbers(qd, "qd", (arm.n,))
    t = as_times(t)
    if not isinstance(piece, int) or piece < 1:
        raise ValueError(f"piece must be a whole number of steps >= 1, got {in_short(piece)}")
    law, constant = _as_law(arm, tau)
    forward_dynamics(arm, q, qd, 0 * q)  # says where a joint moves nothing but rounding errors, which no program can
    detector = EventDetector(events, stop)
    state = np.array([q, qd])
    if isinstance(method, str) and method == ADAPTIVE:
        run = _adaptive_propagator(arm, law, rtol, atol, solver, compile)
    else:
        integrator = integrator_of(method, [ADAPTIVE])
        if (rtol, atol, solver) != (RTOL, ATOL, SOLVER):
            raise TypeError(
                f'rtol, atol and solver are for "{ADAPTIVE}", got them for "{method}": its steps are those of t'
            )
        run = _propagator(arm, law, constant, integrator, len(t) - 1, compile)
    with progress_bar(len(t) - 1, progress) as advance:
        for first in range(0, len(t) - 1, piece):
            times = t[first : first + piece + 1]
            times, states, found = detector.detect(run, times, run(times, state, advance))
            state = states[-1]
            applied = [constant] * len(times)
            if constant is None:
                applied = [law(time, *state) for time, state in zip(times, states)]
            yield Trajectory(times, states[:, 0], states[:, 1], np.array(applied), found)
            if stop is not None and len(found[stop]):  # also where the last sample of a piece is its moment
                return


def with_error(motion: Trajectory, run: Callable[..., Trajectory], order: int | None) -> Trajectory:
    """Return the motion with an error estimate: it differs from the motion of half the steps by 1 - 2^-order of it.

    run: the function of times that gave it.  An adaptive method, order None, has no steps to halve: its tolerances
    are made ten thousand times as fine.
    """
    t = motion.t
    if order is None:
        other = run(t, tolerance_factor=1e-4)
        every = 1
        part = 1.0
    else:
        halved = np.sort(np.concatenate([t, (t[1:] + t[:-1]) / 2]))
        other = run(halved)
        every = 2
        part = 1 - 0.5**order
    difference = np.stack([motion.q - other.q[::every], motion.qd - other.qd[::every]], axis=1)
    return replace(motion, error=abs(difference) / part)


# ---- what carries a state through the times -------------------------------------------------------------------------


def _propagator(
    arm: Arm, law: Callable, constant: Floats | None, integrator: Integrator, steps: int, compile: bool | None
) -> Propagator:
    """Return the runner of a method in steps; law: the torque (t, q, qd) -> (n,); fixed: its value, where it is constant."""
    if compile and constant is None:
        raise ValueError("compile must be None or False where tau is a law, which Python computes, got True")
    if constant is not None and (compile or (steps >= TRACED_STEPS * arm.n and arm.n <= TRACED_JOINTS)):
        if compile is None:
            compile = compiling_pays(step_program(arm, integrator), steps)
        return _traced_propagator(arm, constant, integrator, compile)
    rates = _rates(arm, law)

    def run(times: Floats, state: Floats, advance: Advance | None = None) -> Floats:
        states = [state]
        for now, later in pairwise(times):
            states.append(_check_finite(integrator.step(rates, now, states[-1], later - now), later))
            if advance is not None:
                advance(1, f"t = {later:g} s")
        return np.array(states)

    return run


def _traced_propagator(arm: Arm, tau: Floats, integrator: Integrator, compile: bool) -> Propagator:
    """Return the runner under a constant torque whose whole step is a program."""
    n = arm.n
    rollout = python_rollout(arm, integrator)
    no_feedback = []
    if compile:
        rollout = compiled_rollout(arm, integrator)
        no_feedback = [np.empty(shape) for shape in ((0, n), (0, n, 2 * n), (0, 2 * n), (n,), (n,))]  # no feedback

    def run(times: Floats, state: Floats, advance: Advance | None = None) -> Floats:
        states = np.empty((len(times), 2 * n))
        states[0] = state.ravel()
        for first in range(0, len(times) - 1, CHUNK_STEPS):
            part = slice(first, first + CHUNK_STEPS + 1)
            dt = np.diff(times[part])
            rollout(states[part], np.tile(tau, (len(dt), 1)), np.zeros(n), dt, *no_feedback)
            if advance is not None:
                advance(len(dt), f"t = {times[part][-1]:g} s")
        diverged = ~(abs(states) < MAX_STATE).all(axis=1)
        if diverged.any():
            _check_finite(states[np.argmax(diverged)], times[np.argmax(diverged)])
        return states.reshape(-1, 2, n)

    return run


def _adaptive_propagator(
    arm: Arm, law: Callable, rtol: float, atol: float, solver: str, compile: bool | None
) -> Propagator:
    """Return the runner of SciPy's solve_ivp."""
    if compile:
        raise ValueError(f'compile must be None or False for the method "{ADAPTIVE}", got True: SciPy takes its steps')
    rates = _rates(arm, law)

    def run(times: Floats, state: Floats, advance: Advance | None = None) -> Floats:
        from scipy.integrate import solve_ivp

        flat = lambda time, y: rates(time, y.reshape(state.shape)).ravel()
        solution = solve_ivp(flat, times[[0, -1]], state.ravel(), solver, times, rtol=rtol, atol=atol)
        if not solution.success:
            raise ValueError(
                f"solve_ivp must reach t = {times[-1]:g} s, got to {solution.t[-1]:g} s: {solution.message}"
            )
        return solution.y.T.reshape(-1, *state.shape)

    return run


def _rates(arm: Arm, law: Callable) -> Callable[[float, Floats], Floats]:
    """Return the function (t, (q, qd)) -> (qd, qdd), (2, n) each, traced once for an arm that is not very long."""
    accelerate: Callable = functools.partial(forward_dynamics, arm)
    if arm.n <= TRACED_JOINTS:
        accelerate = specialize(forward_dynamics, arm, target="python")

    def rates(time: float, state: Floats) -> Floats:
        q, qd = state
        tau = law(time, q, qd)
        qdd = accelerate(q, qd, tau)
        if not qdd @ qdd < np.inf:
            qdd = forward_dynamics(arm, q, qd, tau)  # which says what is wrong
        return np.array([qd, qdd])

    return rates


def _check_finite(state: Floats, t: float) -> Floats:
    if abs(state).max() < MAX_STATE:  # false for NaN, too
        return state
    raise ValueError(
        f"the motion must stay finite, got {abs(state).max():.3g} at t = {t:g} s: take smaller steps, or a better method"
    )


# ---- what is given --------------------------------------------------------------------------------------------------


def _as_law(arm: Arm, tau: ArrayLike | Law | None) -> tuple[Callable, Floats | None]:
    """Return tau as a law (t, q, qd) -> (n,), its shape checked whenever it is called, and its value if it has but one."""
    if callable(tau):
        return lambda t, q, qd: as_numbers(tau(t, q, qd), "tau", (arm.n,)), None
    constant = np.zeros(arm.n) if tau is None else as_numbers(tau, "tau", (arm.n,))
    return lambda t, q, qd: constant, constant
