"""An arm as a system in steps:  x = (q, qd), u = tau, one step of an integrator with the torque held."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.program import Program
from robotdyn.codegen.specialize import specialize
from robotdyn.codegen.targets import TARGETS
from robotdyn.codegen.trace import trace
from robotdyn.dynamics import planar
from robotdyn.dynamics.derivatives import acceleration_derivatives, torque_second_derivatives
from robotdyn.dynamics.recursive import forward_dynamics
from robotdyn.maths.validate import Floats, as_motors, as_positive, check_numeric, in_short
from robotdyn.model.arm import Arm
from robotdyn.optimal.dynamics import Dynamics
from robotdyn.optimal.linearization import acceleration, damped, damping_of, step_jacobians
from robotdyn.simulation.integrators import Integrator, integrator_of
from robotdyn.simulation.rollout import (
    COMPILED_OPERATION,
    COMPILER_START,
    PYTHON_OPERATION,
    compiled_rollout,
    step_program,
)

# What a step costs a round of `rd.ilqr` in Python, measured and rounded, beside the constants of `rollout`: so many rollouts a
# round, seconds an operation of the Jacobians, and seconds of the pass back.
ROLLOUTS = 4
NUMPY_OPERATION = 2e-8
RICCATI_STEP = 1e-4
Joints = Sequence[int]  # indices, each once
MAX_COMPILED_OPERATIONS = 2000  # operations, up to which the second derivatives are worth a compiler


def arm_dynamics(
    arm: Arm,
    dt: float,
    damping: ArrayLike | None = None,
    method: str = "euler",
    angles: str = "relative",
    route: str | None = None,
    compile: bool | None = None,
    motors: Joints | None = None,
) -> Dynamics:
    """Return the Dynamics of an arm: x = (q, qd) (2n,), u = tau (n,), one step of dt seconds.

    motors: indices of the joints that have one, default all; of others u has no entry, and their torque is zero.

    damping, method, angles, route: as in `rd.linearize`; tau is held over the step.  In relative angles, with route
    None or "traced", the step and its derivatives are programs.
    compile: True compiles them (pip install robotdyn[fast]): tenths of a second for two joints, one or two seconds for
    seven, once for an arm and a method; `rd.ilqr` then runs compiled code alone.  None lets `rd.ilqr`
    compile them in the midst of an optimization, once its steps in Python have cost as much as compiling does.
    """
    check_numeric(arm, "arm_dynamics")
    dt = as_positive(dt, "dt", "s")
    b = damping_of(arm, damping)
    integrator = integrator_of(method)
    if motors is not None:
        if angles != "relative":
            raise ValueError(
                f"motors must be None with absolute angles, whose u are forces of all joints, got {motors}"
            )
        driven = as_motors(motors, arm.n)
        if not driven:
            raise ValueError(
                f"motors must hold one joint at least, got {in_short(motors)}: without an input nothing can be planned"
            )
        return _underactuated(arm_dynamics(arm, dt, damping, method, angles, route, compile), arm.n, driven)
    if angles == "relative" and route in (None, "traced"):
        if compile:
            return _by_compiled_programs(arm, dt, b, integrator)
        return _by_programs(arm, dt, b, integrator, compile is None)
    if compile:
        raise ValueError(
            'compile must be None or False with absolute angles or another route than "traced", got True: these are no programs'
        )
    return _by_algorithms(arm, dt, b, integrator, angles, route)


def _underactuated(whole: Dynamics, n: int, motors: list[int]) -> Dynamics:
    """Return the Dynamics of an arm some of whose joints have no motor, from those of all n."""

    def spread(u: Floats, axis: int = -1) -> Floats:
        """Return the inputs of all joints: zero where there is no motor."""
        shape = list(u.shape)
        shape[axis] = n
        torques = np.zeros(shape)
        np.moveaxis(torques, axis, 0)[motors] = np.moveaxis(u, axis, 0)
        return torques

    def jacobians(x: Floats, u: Floats) -> tuple[Floats, Floats]:
        A, B = whole.jacobians(x, spread(u))
        return A, B[..., motors]

    def roll(
        x0: Floats, u: Floats, answer: tuple[Floats, ...] | None = None, limits: tuple[Floats, ...] | None = None
    ) -> tuple[Floats, Floats]:
        if answer is not None:
            k, K, x_old = answer
            answer = spread(k), spread(K, axis=1), x_old
        if limits is not None:
            limits = spread(limits[0]), spread(limits[1])
        x, torques = whole.rollout(x0, spread(u), answer, limits)
        return x, torques[:, motors]

    def curvature(x: Floats, u: Floats, A: Floats, B: Floats, v: Floats) -> Floats:
        assert whole.curvature is not None
        _, every = whole.jacobians(x[:-1], spread(u))
        rows = np.array([*range(2 * n), *(2 * n + k for k in motors)])
        return whole.curvature(x, spread(u), A, every, v)[:, rows[:, None], rows]

    def faster(steps: int) -> Dynamics | None:
        assert whole.faster is not None
        found = whole.faster(steps)
        return None if found is None else _underactuated(found, n, motors)

    return Dynamics(
        lambda x, u: whole.step(x, spread(u)),
        jacobians,
        roll,
        None if whole.curvature is None else curvature,
        whole.compiled,
        None if whole.faster is None else faster,
    )


def _by_algorithms(arm: Arm, dt: float, b: Floats, integrator: Integrator, angles: str, route: str | None) -> Dynamics:
    """Return the Dynamics by the readable algorithms themselves."""
    derivatives = acceleration(arm, b, angles, route)
    n = arm.n

    def accelerate(q: Floats, qd: Floats, u: Floats) -> Floats:
        if not (np.isfinite(q).all() and np.isfinite(qd).all()):
            return np.full(n, np.nan)  # inside a step that runs away: the optimizer sees it, and steps shorter
        if angles == "relative":
            return forward_dynamics(arm, q, qd, u - b * qd)
        return planar.forward_dynamics(arm, q, qd, u - planar.generalized_forces(b * planar.to_relative(qd)))

    def step(x: Floats, u: Floats) -> Floats:
        rates = lambda t, state: np.array([state[1], accelerate(state[0], state[1], u)])
        return integrator.step(rates, 0.0, x.reshape(2, n), dt).ravel()

    return Dynamics(step, lambda x, u: step_jacobians(integrator, derivatives, x[..., :n], x[..., n:], u, dt))


def _by_programs(arm: Arm, dt: float, b: Floats, integrator: Integrator, may_compile: bool) -> Dynamics:
    """Return the Dynamics by programs in Python (the step) and NumPy (derivatives of many steps); it may compile later."""

    def faster(steps: int) -> Dynamics | None:
        if steps * seconds_of_a_step < price or TARGETS["llvm"].missing():
            return None
        return _by_compiled_programs(arm, dt, b, integrator)

    step = specialize(step_program(arm, integrator), target="python")
    interval = np.array([dt])
    jacobians = _jacobians(arm, dt, b, integrator, "numpy")
    curvature = _curvature(arm, dt, integrator, "numpy")
    derivatives = jacobians_program(arm, integrator).operations if _is_short(arm, integrator) else 8 * step.operations
    price = COMPILER_START + COMPILED_OPERATION * (step.operations + derivatives)
    seconds_of_a_step = ROLLOUTS * PYTHON_OPERATION * step.operations + NUMPY_OPERATION * derivatives + RICCATI_STEP
    take = lambda x, u: step(x, u, b, interval)
    return Dynamics(take, jacobians, None, curvature, faster=faster if may_compile else None)


def _by_compiled_programs(arm: Arm, dt: float, b: Floats, integrator: Integrator) -> Dynamics:
    """Return the Dynamics by compiled programs, the loop over time among them."""
    n = arm.n
    rollout = compiled_rollout(arm, integrator)
    no_feedback = np.empty((0, n)), np.empty((0, n, 2 * n)), np.empty((0, 2 * n))
    no_limits = np.full(n, -np.inf), np.full(n, np.inf)

    def roll(
        x0: Floats, u: Floats, answer: tuple[Floats, ...] | None = None, limits: tuple[Floats, ...] | None = None
    ) -> tuple[Floats, Floats]:
        x = np.empty((len(u) + 1, 2 * n))
        u = np.array(u, order="C")
        x[0] = x0
        rollout(x, u, b, np.full(len(u), dt), *(answer or no_feedback), *(limits or no_limits))
        return x, u

    jacobians = _jacobians(arm, dt, b, integrator, "llvm")
    curvature = _curvature(arm, dt, integrator, "llvm")
    return Dynamics(lambda x, u: roll(x, u[None])[0][1], jacobians, roll, curvature, compiled=True)


@functools.lru_cache(maxsize=64)
def jacobians_program(arm: Arm, integrator: Integrator) -> Program:
    """Return the Program (x, u, b, dt) -> A (2n, 2n), B (2n, n) of one step; b: viscous damping (n,); dt: (1,) s."""
    derivatives = trace(acceleration_derivatives(arm), arm)
    n = arm.n

    def jacobians(x: Floats, u: Floats, b: Floats, dt: Floats) -> tuple[Floats, Floats]:
        def damped(q: Floats, qd: Floats, tau: Floats) -> tuple[Floats, ...]:
            qdd, F, G, H = derivatives(q, qd, tau - b * qd)
            return qdd, F, G - H * b[None, :], H

        return step_jacobians(integrator, damped, x[:n], x[n:], u, dt[0])

    return trace(jacobians, inputs={"x": 2 * n, "u": n, "b": n, "dt": 1})


def _jacobians(arm: Arm, dt: float, b: Floats, integrator: Integrator, target: str) -> Callable:
    """Return (x, u) -> A, B for states (T, 2n) and torques (T, n), by a program."""
    n = arm.n
    if not _is_short(arm, integrator):
        derivatives = damped(specialize(acceleration_derivatives(arm), arm, target), np.diag(b))
        return lambda x, u: step_jacobians(integrator, derivatives, x[:, :n], x[:, n:], u, dt)
    program = jacobians_program(arm, integrator)
    if target == "numpy":
        jacobians = specialize(program, target=target)
        interval = np.array([dt])
        return lambda x, u: jacobians(x, u, b, interval)
    many = _batched_kernel(program)
    return lambda x, u: many(x, u, np.tile(b, (len(u), 1)), np.full((len(u), 1), dt))


def _is_short(arm: Arm, integrator: Integrator) -> bool:
    """Tell whether the Jacobians make no program too long: not the derivatives of every stage, and their products."""
    return integrator.stages == 1 or arm.n <= 2


def _curvature(arm: Arm, dt: float, integrator: Integrator, target: str) -> Callable | None:
    """Return the curvature of a Dynamics, for a step with one acceleration in it; None for others.

    tau(q, qd, qdd(q, qd, tau)) = tau, differentiated twice: with y = (q, qd, qdd) and dy = (dq, dqd, F dq + G dqd + H
    dtau), and w = M^-1 v, the second derivative of v . qdd is minus dy . (w . tau)'' dy.
    """
    if integrator.stages > 1:
        return None
    n = arm.n

    @functools.cache
    def second() -> Callable:  # made when it is first asked for
        program = torque_second_derivatives(arm)
        if target == "llvm" and program.operations < MAX_COMPILED_OPERATIONS:
            return lambda y, w: _batched_kernel(program)(y, w)[0]
        return specialize(program, target="numpy")

    def curvature(x: Floats, u: Floats, A: Floats, B: Floats, v: Floats) -> Floats:
        FGH = np.concatenate([A[:, n:] - np.eye(n, 2 * n, n), B[:, n:]], axis=2) / dt
        v = dt * v[:, n:] + (dt**2 * v[:, :n] if integrator.velocity_first else 0.0)
        w = (v[:, None] @ FGH[:, :, 2 * n :])[:, 0]
        S = second()(np.concatenate([x[:-1], np.diff(x[:, n:], axis=0) / dt], axis=1), w)
        mixed = S[:, : 2 * n, 2 * n :] @ FGH
        C = np.zeros((len(u), 3 * n, 3 * n))
        C[:, : 2 * n, : 2 * n] = -S[:, : 2 * n, : 2 * n]
        C[:, : 2 * n] -= mixed
        C[:, :, : 2 * n] -= mixed.swapaxes(1, 2)
        return C

    return curvature


@functools.lru_cache(maxsize=64)
def _batched_kernel(program: Program) -> Callable:
    """Return the compiled function of a program for many states: contiguous arrays in, a list of arrays out."""
    from robotdyn.codegen.targets.llvm import kernels

    many = kernels(program).many
    shapes = [places.shape for places in program.results]

    def run(*arrays: Floats) -> list[Floats]:
        results = [np.empty((len(arrays[0]), *shape)) for shape in shapes]
        many(*map(np.ascontiguousarray, arrays), *results)
        return results

    return run
