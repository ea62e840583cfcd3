"""From torques to motion:  d/dt (q, qd) = (qd, forward_dynamics(q, qd, tau)), stepped through time."""

from importlib.util import find_spec
from itertools import pairwise

import numpy as np

from robotdyn.codegen.specialize import specialize
from robotdyn.dynamics.recursive import forward_dynamics
from robotdyn.maths.validate import as_numbers, check_numeric
from robotdyn.progress import Progress
from robotdyn.simulation.arm_programs import step_program
from robotdyn.simulation.events import Watch
from robotdyn.simulation.integrators import ORDERS, STEPS, euler_step, rk4_step, semi_implicit_step
from robotdyn.simulation.trajectory import Trajectory

__all__ = ["euler_step", "rk4_step", "semi_implicit_step", "simulate", "stream"]  # the steps as the chapters call them
LONG = 1000  # steps, from which on the whole step becomes a program
LONG_ARM = 40  # joints from which on a trace takes longer than the steps that it would save


def simulate(arm, q, qd, tau=None, t=None, method="rk4", events=None, stop=None, error=False, progress=None, **options):
    """Return the Trajectory of an arm from the state q, qd (n,) at t[0], at the times t (T,) s, increasing.

    tau: None (motors off), (n,) a constant torque, or a law (t, q, qd) -> (n,), as in `robotdyn.dynamics.forces`.
    method: "euler" (explicit, as RCFS 111: feeds energy in), "semi-implicit" (velocity first), "rk4" (fourth order),
    one step from each time to the next; or "solve_ivp" (SciPy, adaptive; options: rtol, atol, and solver, the name of
    one of its methods, default "DOP853").
    events: {name: function (t, q, qd) -> number}: the trajectory tells when each function went through zero;
    stop: the name of the event that ends the motion, at its time.
    error: True runs the motion once more with half the steps, and tells how far from the true motion it may be.
    progress: True or False shows or hides the bar; None: shown in terminals and notebooks when it takes long.
    Raises ValueError for a wrong shape or method, and where the motion stops being finite.  Chapter "n-link".
    """
    t = _times(t)
    pieces = list(stream(arm, q, qd, tau, t, method, events, stop, len(t), progress, **options))
    motion = pieces[0]
    for piece in pieces[1:]:
        motion = motion.joined(piece)
    return _with_error(arm, motion, tau, method, progress, options) if error else motion


def stream(arm, q, qd, tau=None, t=None, method="rk4", events=None, stop=None, piece=1000, progress=None, **options):
    """Yield the motion of `simulate` in Trajectories of `piece` steps, each beginning where the one before ends.

    A motion of any length passes by without being held in memory: keep of each piece what you need.
    Arguments as in `simulate`.
    """
    check_numeric(arm, "simulate")
    q, qd = as_numbers(q, "q", (arm.n,)), as_numbers(qd, "qd", (arm.n,))
    t = _times(t)
    if not isinstance(piece, int) or piece < 1:
        raise ValueError(f"piece must be a whole number of steps >= 1, got {piece!r}")
    law, fixed = _law(arm, tau)
    forward_dynamics(arm, q, qd, 0 * q)  # says where a joint moves nothing but rounding errors, which no program can
    run, watch = _runner(arm, law, fixed, method, options, len(t) - 1), Watch(events, stop)
    state = np.array([q, qd])
    with Progress(len(t) - 1, progress) as bar:
        for first in range(0, len(t) - 1, piece):
            times = t[first : first + piece + 1]
            times, states, found = watch.look(run, times, run(times, state, bar, first))
            state = states[-1]
            q, qd = np.moveaxis(states, 1, 0)
            applied = [fixed] * len(times) if fixed is not None else [law(*sample) for sample in zip(times, q, qd)]
            yield Trajectory(times, q, qd, np.array(applied), found)
            if times[-1] < t[min(first + piece, len(t) - 1)]:
                return


def _runner(arm, law, fixed, method, options, steps):
    """Return the function (times, state, bar, done) -> states (T, 2, n), which carries a state through the times.

    law: the torque (t, q, qd) -> (n,); fixed: its value, where it is a constant, or None.
    """
    if not isinstance(method, str) or method not in (*STEPS, "solve_ivp"):
        raise ValueError(f"method must be one of {', '.join([*STEPS, 'solve_ivp'])}, got {method!r}")
    if options and method in STEPS:
        raise TypeError(
            f'options must be empty for the method "{method}", got {sorted(options)}: its steps are those of t'
        )
    accelerate = _accelerations(arm)

    def rates(time, state):
        q, qd = state
        return np.array([qd, accelerate(q, qd, law(time, q, qd))])

    def run(times, state, bar=None, done=0):
        if method == "solve_ivp":
            return _solve_ivp(rates, state, times, options)
        states = [state]
        for number, (now, later) in enumerate(pairwise(times)):
            states.append(_finite(STEPS[method](rates, now, states[-1], later - now), later))
            if bar is not None:
                bar.update(done + number, f"t = {later:g} s")
        return np.array(states)

    many = steps >= LONG and fixed is not None and method in STEPS and arm.n <= LONG_ARM
    return _long_runner(arm, fixed, method) if many else run


def _long_runner(arm, tau, method):
    """Return a runner for many steps under a constant torque: the whole step is a program, compiled if that can be."""
    if find_spec("numba") is not None:
        from robotdyn.simulation.compiled_rollout import marcher

        march = marcher(arm, method)
    else:
        step = specialize(step_program(arm, method), target="python")

        def march(x, u, b, dt, *rest):
            for t in range(len(u)):
                x[t + 1] = step(x[t], u[t], b, dt[t : t + 1])

    n = arm.n
    rest = np.zeros(n), *(np.empty(shape) for shape in ((0, n), (0, n, 2 * n), (0, 2 * n), (n,), (n,)))

    def run(times, state, bar=None, done=0):
        states = np.empty((len(times), 2 * n))
        states[0] = state.ravel()
        for first in range(0, len(times) - 1, 10 * LONG):  # so that the bar moves, and Ctrl-C is heard
            part = slice(first, first + 10 * LONG + 1)
            dt = np.diff(times[part])
            march(states[part], np.tile(tau, (len(dt), 1)), rest[0], dt, *rest[1:])
            if bar is not None:
                bar.update(done + first, f"t = {times[part][-1]:g} s")
        wild = ~(abs(states) < 1e12).all(axis=1)
        if wild.any():
            _finite(states[np.argmax(wild)], times[np.argmax(wild)])
        return states.reshape(-1, 2, n)

    return run


def _with_error(arm, motion, tau, method, progress, options):
    """Return the motion with an error estimate: it differs from the motion of half the steps by 1 - 2^-order of it.

    "solve_ivp" has no steps to halve: there the tolerances are made ten thousand times as fine.
    """
    start, t = (motion.q[0], motion.qd[0]), motion.t
    if method == "solve_ivp":
        finer = {
            **options,
            "rtol": max(options.get("rtol", 1e-9) * 1e-4, 1e-13),
            "atol": options.get("atol", 1e-10) * 1e-4,
        }
        other, part = simulate(arm, *start, tau, t, method, progress=progress, **finer), 1.0
    else:
        halved = np.sort(np.concatenate([t, (t[1:] + t[:-1]) / 2]))
        other, part = simulate(arm, *start, tau, halved, method, progress=progress), 1 - 0.5 ** ORDERS[method]
        other = Trajectory(t, other.q[::2], other.qd[::2], other.tau[::2])
    difference = np.stack([motion.q - other.q, motion.qd - other.qd], axis=1)
    return Trajectory(t, motion.q, motion.qd, motion.tau, motion.events, abs(difference) / part)


def _solve_ivp(rates, start, t, options):
    from scipy.integrate import solve_ivp

    shape = start.shape
    options = {"rtol": 1e-9, "atol": 1e-10, "method": "DOP853", **options}
    if "solver" in options:
        options["method"] = options.pop("solver")
    solution = solve_ivp(
        lambda time, y: rates(time, y.reshape(shape)).ravel(), (t[0], t[-1]), start.ravel(), t_eval=t, **options
    )
    if not solution.success:
        raise ValueError(f"solve_ivp must reach t = {t[-1]:g} s, got to {solution.t[-1]:g} s: {solution.message}")
    return solution.y.T.reshape(-1, *shape)


def _times(t):
    if t is None:
        raise TypeError("t must be given: an array of times in s, such as np.arange(0, 5, 0.01)")
    t = as_numbers(t, "t", (...,))
    if t.ndim != 1 or len(t) < 2:
        raise ValueError(f"t must be an increasing array of at least two finite times in s, got shape {t.shape}")
    if not (np.diff(t) > 0).all():
        late = int(np.argmin(np.diff(t) > 0))
        raise ValueError(
            "t must be an increasing array of at least two finite times in s, "
            f"got {t[late + 1]:g} after {t[late]:g}: equal or falling times have no step between them"
        )
    return t


def _accelerations(arm):
    """Return forward dynamics (q, qd, tau) -> qdd, traced once for this arm; the text itself for very long arms."""
    if arm.n > LONG_ARM:
        return lambda q, qd, tau: forward_dynamics(arm, q, qd, tau)
    fast = specialize(forward_dynamics, arm, target="python")  # plain floats: nothing to compile, quick from the start

    def accelerations(q, qd, tau):
        qdd = fast(q, qd, tau)
        return qdd if qdd @ qdd < np.inf else forward_dynamics(arm, q, qd, tau)  # which says what is wrong

    return accelerations


def _law(arm, tau):
    """Return tau as a law (t, q, qd) -> (n,), its shape checked whenever it is called, and its value if it has but one."""
    if callable(tau):
        return lambda t, q, qd: as_numbers(tau(t, q, qd), "tau", (arm.n,)), None
    fixed = np.zeros(arm.n) if tau is None else as_numbers(tau, "tau", (arm.n,))
    return lambda t, q, qd: fixed, fixed


def _finite(state, t):
    if np.isfinite(state).all() and abs(state).max() < 1e12:
        return state
    raise ValueError(
        f"the motion must stay finite, got {abs(state).max():.3g} at t = {t:g} s: take smaller steps, or a better method"
    )
