"""Whole motions under held torques:  one step of an arm as a program, and the loop over time, in Python or compiled."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from robotdyn.codegen.machine import loops
from robotdyn.codegen.program import Program
from robotdyn.codegen.specialize import specialize
from robotdyn.codegen.targets import TARGETS
from robotdyn.codegen.trace import trace
from robotdyn.dynamics.recursive import forward_dynamics
from robotdyn.maths.validate import Floats
from robotdyn.model.arm import Arm
from robotdyn.simulation.integrators import Integrator

# Seconds, measured (benchmarks/first_result.py) and rounded up for the compiler: an operation in plain Python takes so
# long; to load LLVM, and to compile an operation.
PYTHON_OPERATION = 16e-9
COMPILER_START = 0.1
COMPILED_OPERATION = 8e-5


@functools.lru_cache(maxsize=64)
def step_program(arm: Arm, integrator: Integrator) -> Program:
    """Return the Program (x, u, b, dt) -> the next x of one step of an arm.

    x = (q, qd) (2n,), u: torque (n,), held; b: viscous damping (n,); dt: (1,) s.
    """
    accelerate = specialize(forward_dynamics, arm, "python").program
    n = arm.n

    def step(x: Floats, u: Floats, b: Floats, dt: Floats) -> Floats:
        def rates(t: float, state: Floats) -> Floats:
            return np.stack([state[1], accelerate(state[0], state[1], u - b * state[1])])

        return integrator.step(rates, 0, x.reshape(2, n), dt[0]).reshape(2 * n)

    return trace(step, inputs={"x": 2 * n, "u": n, "b": n, "dt": 1})


def python_rollout(arm: Arm, integrator: Integrator) -> Callable[..., None]:
    """Return the function (x, u, b, dt) that fills x[1:], x (T, 2n), from x[0] under the torques u (T - 1, n)."""
    step = specialize(step_program(arm, integrator), target="python")

    def rollout(x: Floats, u: Floats, b: Floats, dt: Floats) -> None:
        for t in range(len(u)):
            x[t + 1] = step(x[t], u[t], b, dt[t : t + 1])

    return rollout


@functools.lru_cache(maxsize=64)
def compiled_rollout(arm: Arm, integrator: Integrator) -> Callable[..., None]:
    """Return the function (x, u, b, dt, k, K, x_old, lower, upper) that fills the arrays x (T, 2n) and u (T - 1, n).

    x[0] is the start; b: viscous damping (n,); dt: (T - 1,) s; k (0, n) for no feedback.  All are contiguous floats.
    Raises ImportError where there is no compiler.
    """
    if why := TARGETS["llvm"].missing():
        raise ImportError(f"compile=True {why}")
    return loops.rollout(step_program(arm, integrator))


# where: see when simulate compiles
# the price of compiling, counted in operations; that of an optimization, which may compile on its way:
# `Dynamics.faster`
def compiling_pays(program: Program, steps: int) -> bool:
    """Tell whether so many steps take longer in Python than it takes to compile one, and whether that can be."""
    price = COMPILER_START + COMPILED_OPERATION * program.operations
    return steps * program.operations * PYTHON_OPERATION > price and not TARGETS["llvm"].missing()
