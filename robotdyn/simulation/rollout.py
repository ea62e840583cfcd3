"""Whole motions under held torques:  one step of an arm as a program, and the loop over time, in Python or compiled."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from robotdyn.codegen.cache import load
from robotdyn.codegen.program import Program
from robotdyn.codegen.specialize import specialize
from robotdyn.codegen.targets import TARGETS
from robotdyn.codegen.targets.numba import kernel_source as source_of
from robotdyn.codegen.trace import trace
from robotdyn.dynamics.recursive import forward_dynamics
from robotdyn.maths.validate import Floats
from robotdyn.model.arm import Arm
from robotdyn.simulation.integrators import Integrator

# Seconds, measured (benchmarks/first_result.py) and rounded up for the compiler: an operation in plain Python takes so
# long; to start Numba, and to compile an operation.
PYTHON_OPERATION = 16e-9
NUMBA_START = 2.0
COMPILED_OPERATION = 1.5e-3

TEMPLATE = '''

@njit("{signature}", error_model="numpy", nogil=True, cache=True)
def rollout(x, u, b, dt, k, K, x_old, lower, upper):
    """Fill x[1:] and, where there are gains, change u: u + k + K (x - x_old), inside lower and upper."""
    for t in range(len(u)):
        if len(k) > 0:
            for i in range({n}):
                u[t, i] += k[t, i]
                for j in range({D}):
                    u[t, i] += K[t, i, j] * (x[t, j] - x_old[t, j])
                u[t, i] = min(max(u[t, i], lower[i]), upper[i])
        one(x[t], u[t], b, dt[t : t + 1], x[t + 1])
'''
VECTOR, MATRIX, STACK = (f"float64[{':, ' * axes}::1]" for axes in range(3))
SIGNATURE = f"void({MATRIX}, {MATRIX}, {VECTOR}, {VECTOR}, {MATRIX}, {STACK}, {MATRIX}, {VECTOR}, {VECTOR})"


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
    Raises ImportError where there is no Numba.
    """
    if why := TARGETS["numba"].missing():
        raise ImportError(f"compile=True {why}")
    import llvmlite
    import numba

    step = source_of(step_program(arm, integrator))
    step = step[: step.index("@njit", step.index("def one("))].rstrip()  # of one state; that of many is not needed
    source = step + TEMPLATE.format(signature=SIGNATURE, n=arm.n, D=2 * arm.n)
    return load(source, f"motion_of_{arm.n}_joints", [numba.__version__, llvmlite.__version__, np.__version__]).rollout


def compiling_pays(program: Program, steps: int) -> bool:
    """Tell whether so many steps take longer in Python than it takes to compile one, and whether that can be."""
    longer = steps * program.operations * PYTHON_OPERATION > NUMBA_START + COMPILED_OPERATION * program.operations
    return longer and not TARGETS["numba"].missing()
