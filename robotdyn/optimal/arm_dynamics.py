"""An arm as a system in steps:  x = (q, qd), u = tau, one step of an integrator with the torque held."""

import functools
from importlib.util import find_spec

import numpy as np

from robotdyn.codegen.specialize import specialize
from robotdyn.dynamics import planar
from robotdyn.dynamics.recursive import forward_dynamics
from robotdyn.maths.validate import as_positive, check_numeric
from robotdyn.optimal.dynamics import Dynamics
from robotdyn.optimal.linearization import METHODS, acceleration, damped, damping_of
from robotdyn.simulation.arm_programs import derivatives_text, jacobians_program, step_program, torque_curvature_program
from robotdyn.simulation.integrators import STEPS

SHORT = 2000  # operations, up to which the second derivatives are worth a compiler


def arm_dynamics(arm, dt, damping=None, method="euler", angles="relative", route=None):
    """Return the Dynamics of an arm: x = (q, qd) (2n,), u = tau (n,), one step of dt seconds.

    damping, method, angles, route: as in `rd.linearize`; tau is held over the step.  In relative angles, with route
    None or "traced", the step and its derivatives are programs, compiled where Numba is installed.
    """
    check_numeric(arm, "arm_dynamics")
    dt, b = as_positive(dt, "dt", "s"), damping_of(arm, damping)
    if not isinstance(method, str) or method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    if angles != "relative" or route not in (None, "traced"):
        return _written_out(arm, dt, b, method, angles, route)
    return _compiled(arm, dt, b, method) if find_spec("numba") else _in_columns(arm, dt, b, method)


def _written_out(arm, dt, b, method, angles, route):
    """Return the Dynamics by the texts themselves."""
    derivatives, n = acceleration(arm, b, angles, route), arm.n

    def accelerate(q, qd, u):
        if not (np.isfinite(q).all() and np.isfinite(qd).all()):
            return np.full(n, np.nan)  # inside a step that runs away: the optimizer sees it, and steps shorter
        if angles == "relative":
            return forward_dynamics(arm, q, qd, u - b * qd)
        return planar.forward_dynamics(arm, q, qd, u - planar.generalized_forces(b * planar.to_relative(qd)))

    def step(x, u):
        rates = lambda t, state: np.array([state[1], accelerate(*state, u)])
        return STEPS[method](rates, 0.0, x.reshape(2, n), dt).ravel()

    return Dynamics(step, lambda x, u: METHODS[method](derivatives, x[..., :n], x[..., n:], u, dt))


def _in_columns(arm, dt, b, method):
    """Return the Dynamics by programs in plain Python and NumPy."""
    step = specialize(step_program(arm, method), target="python")
    jacobians = _jacobians(arm, dt, b, method, "numpy")
    dt = np.array([dt])
    return Dynamics(lambda x, u: step(x, u, b, dt), jacobians, None, _curvature(arm, dt[0], method, "numpy"))


def _compiled(arm, dt, b, method):
    """Return the Dynamics by compiled programs, the loop over time among them."""
    from robotdyn.simulation.compiled_rollout import marcher

    n, march = arm.n, marcher(arm, method)
    no_feedback = np.empty((0, n)), np.empty((0, n, 2 * n)), np.empty((0, 2 * n))
    no_limits = np.full(n, -np.inf), np.full(n, np.inf)

    def roll(x0, u, k=None, K=None, x_old=None, lower=None, upper=None):
        x, u = np.empty((len(u) + 1, 2 * n)), u.copy()
        x[0] = x0
        limits = no_limits if lower is None else (np.array(lower), np.array(upper))
        march(x, u, b, np.full(len(u), dt), *(no_feedback if k is None else (k, K, x_old)), *limits)
        return x, u

    jacobians, curvature = _jacobians(arm, dt, b, method, "numba"), _curvature(arm, dt, method, "numba")
    return Dynamics(lambda x, u: roll(x, u[None])[0][1], jacobians, roll, curvature)


def _jacobians(arm, dt, b, method, target):
    """Return (x, u) -> A, B for states (T, 2n) and torques (T, n), by a program."""
    n = arm.n
    if method == "rk4" and n > 2:  # four times the derivatives, and their products: too long a program
        derivatives = damped(specialize(derivatives_text(arm), arm, target), np.diag(b))
        return lambda x, u: METHODS[method](derivatives, x[:, :n], x[:, n:], u, dt)
    program = jacobians_program(arm, METHODS[method])
    if target == "numpy":
        jacobians, dt = specialize(program, target=target), np.array([dt])
        return lambda x, u: jacobians(x, u, b, dt)
    many = _at_once(program)
    return lambda x, u: many(x, u, np.tile(b, (len(u), 1)), np.full((len(u), 1), dt))


def _curvature(arm, dt, method, target):
    """Return the curvature of a Dynamics, for a step with one acceleration in it; None for others.

    tau(q, qd, qdd(q, qd, tau)) = tau, differentiated twice: with y = (q, qd, qdd) and dy = (dq, dqd, F dq + G dqd + H
    dtau), and w = M^-1 v, the second derivative of v . qdd is minus dy . (w . tau)'' dy.
    """
    if method == "rk4":
        return None
    n = arm.n

    @functools.cache
    def second():  # made when it is first asked for
        program = torque_curvature_program(arm)
        fast = specialize(program, target="numpy")
        return _at_once(program) if target == "numba" and program.operations < SHORT else lambda y, w: [fast(y, w)]

    def curvature(x, u, A, B, v):
        FGH = np.concatenate([A[:, n:] - np.eye(n, 2 * n, n), B[:, n:]], axis=2) / dt
        v = dt * v[:, n:] + (dt**2 * v[:, :n] if method == "semi-implicit" else 0.0)
        w = (v[:, None] @ FGH[:, :, 2 * n :])[:, 0]
        (S,) = second()(np.concatenate([x[:-1], np.diff(x[:, n:], axis=0) / dt], axis=1), w)
        mixed = S[:, : 2 * n, 2 * n :] @ FGH
        C = np.zeros((len(u), 3 * n, 3 * n))
        C[:, : 2 * n, : 2 * n] = -S[:, : 2 * n, : 2 * n]
        C[:, : 2 * n] -= mixed
        C[:, :, : 2 * n] -= mixed.swapaxes(1, 2)
        return C

    return curvature


@functools.lru_cache(maxsize=64)
def _at_once(program):
    """Return the compiled function of a program for many states: contiguous arrays in, a list of arrays out."""
    from robotdyn.codegen.targets.numba import kernels

    _, _, many = kernels(program)
    shapes = [places.shape for places in program.results]

    def run(*arrays):
        results = [np.empty((len(arrays[0]), *shape)) for shape in shapes]
        many(*map(np.ascontiguousarray, arrays), *results)
        return results

    return run
