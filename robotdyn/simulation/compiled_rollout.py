"""Whole motions for the machine:  the step of an arm, and the feedback before it, in one compiled loop over time."""

import functools

import llvmlite
import numba
import numpy as np

from robotdyn.codegen.cache import load
from robotdyn.codegen.matrix_loops import Loops
from robotdyn.codegen.targets.numba import text
from robotdyn.optimal.riccati import feedback
from robotdyn.simulation.arm_programs import step_program

TEMPLATE = '''

@njit(error_model="numpy", nogil=True, cache=True)
def march(x, u, b, dt, k, K, x_old, lower, upper):
    """Fill x[1:] and, where there are gains, change u: u + k + K (x - x_old), inside lower and upper."""
    W = np.zeros({size})
    for t in range(len(u)):
        if len(k) > 0:
            {lines}
            for i in range({d}):
                u[t, i] = min(max(u[t, i], lower[i]), upper[i])
        one(x[t], u[t], b, dt[t : t + 1], x[t + 1])
'''


@functools.lru_cache(maxsize=64)
def marcher(arm, method):
    """Return the function (x, u, b, dt, k, K, x_old, lower, upper) that fills the arrays x (T, 2n) and u (T - 1, n).

    x[0] is the start; b: viscous damping (n,); dt: (T - 1,) s; k (0, n) for no feedback; method: as in `rd.simulate`.
    """
    n = arm.n
    loops = Loops()
    given = {"u": (n,), "k": (n,), "K": (n, 2 * n), "x": (2 * n,), "x_old": (2 * n,)}
    loops.write("u[t]", feedback(*(loops.read(f"{name}[t]", *shape) for name, shape in given.items())))
    step = text(step_program(arm, method))
    step = step[: step.index("@njit", step.index("def one("))].rstrip()  # of one state; that of many is not needed
    source = step + TEMPLATE.format(size=loops.size, d=n, lines=("\n" + 12 * " ").join(loops.lines))
    return load(source, "march", [numba.__version__, llvmlite.__version__, np.__version__]).march
