"""From torques to motion:  d/dt (q, qd) = (qd, forward_dynamics(q, qd, tau)), stepped through time."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from robotdyn.numeric import as_numbers, check_numeric
from robotdyn.recursive import forward_dynamics
from robotdyn.specialization import specialize

LONG = 40  # joints from which on a trace takes longer than the steps that it would save


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A motion in samples: t (T,) s; q, qd, tau (T, n) in rad, rad/s, N m (m, m/s, N at a prismatic joint)."""

    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    tau: np.ndarray


def simulate(arm, q, qd, tau=None, t=None, method="rk4", **options):
    """Return the Trajectory of an arm from the state q, qd (n,) at t[0], at the times t (T,) s, increasing.

    tau: None (motors off), (n,) a constant torque, or a law (t, q, qd) -> (n,), as in `robotdyn.forces`.
    method: "euler" (explicit, as RCFS 111: feeds energy in), "semi-implicit" (velocity first), "rk4" (fourth order),
    one step from each time to the next; or "solve_ivp" (SciPy, adaptive; options: rtol, atol, and solver, the name of
    one of its methods, default "DOP853").
    Raises ValueError for a wrong shape or method, and where the motion stops being finite.  Chapter "n-link".
    """
    check_numeric(arm, "simulate")
    q, qd = as_numbers(q, "q", (arm.n,)), as_numbers(qd, "qd", (arm.n,))
    t = _times(t)
    law, accelerations = _law(arm, tau), _accelerations(arm, q, qd)

    def rates(time, state):
        q, qd = state
        return np.array([qd, accelerations(q, qd, law(time, q, qd))])

    if not isinstance(method, str) or method not in (*STEPS, "solve_ivp"):
        raise ValueError(f"method must be one of {', '.join([*STEPS, 'solve_ivp'])}, got {method!r}")
    if method == "solve_ivp":
        states = _solve_ivp(rates, np.array([q, qd]), t, options)
    elif not options:
        states = [np.array([q, qd])]
        for now, later in pairwise(t):
            states.append(_finite(STEPS[method](rates, now, states[-1], later - now), later))
    else:
        raise TypeError(
            f'options must be empty for the method "{method}", got {sorted(options)}: its steps are those of t'
        )
    q, qd = np.moveaxis(np.array(states), 1, 0)
    return Trajectory(t, q, qd, np.array([law(*sample) for sample in zip(t, q, qd)]))


def euler_step(rates, t, state, dt):
    """Return state + f(t, state) dt: position and velocity both from the old state."""
    return state + rates(t, state) * dt


def semi_implicit_step(rates, t, state, dt):
    """Return the step that moves the velocity first and the position with the new velocity.

    For a constant mass matrix it is symplectic, and the energy error stays bounded; for an arm whose M depends on q
    it is of first order like explicit Euler, and the energy drifts, linearly in time and in dt: chapter "n-link".
    """
    q, qd = state
    qd = qd + rates(t, state)[1] * dt
    return np.array([q + qd * dt, qd])


def rk4_step(rates, t, state, dt):
    """Return the classical fourth-order Runge-Kutta step."""
    k1 = rates(t, state)
    k2 = rates(t + dt / 2, state + k1 * dt / 2)
    k3 = rates(t + dt / 2, state + k2 * dt / 2)
    k4 = rates(t + dt, state + k3 * dt)
    return state + (k1 + 2 * k2 + 2 * k3 + k4) * dt / 6


STEPS = {"euler": euler_step, "semi-implicit": semi_implicit_step, "rk4": rk4_step}


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


def _accelerations(arm, q, qd):
    """Return forward dynamics (q, qd, tau) -> qdd, traced once for this arm; the text itself for very long arms."""
    forward_dynamics(arm, q, qd, 0 * q)  # says where a joint moves nothing but rounding errors, which no program can
    if arm.n > LONG:
        return lambda q, qd, tau: forward_dynamics(arm, q, qd, tau)
    fast = specialize(forward_dynamics, arm, target="python")  # plain floats: nothing to compile, quick from the start

    def accelerations(q, qd, tau):
        qdd = fast(q, qd, tau)
        return qdd if qdd @ qdd < np.inf else forward_dynamics(arm, q, qd, tau)  # which says what is wrong

    return accelerations


def _law(arm, tau):
    """Return tau as a law (t, q, qd) -> (n,), its shape checked whenever it is called."""
    if tau is None:
        tau = np.zeros(arm.n)
    if callable(tau):
        return lambda t, q, qd: as_numbers(tau(t, q, qd), "tau", (arm.n,))
    fixed = as_numbers(tau, "tau", (arm.n,))
    return lambda t, q, qd: fixed


def _finite(state, t):
    if np.isfinite(state).all() and abs(state).max() < 1e12:
        return state
    raise ValueError(
        f"the motion must stay finite, got {abs(state).max():.3g} at t = {t:g} s: take smaller steps, or a better method"
    )
