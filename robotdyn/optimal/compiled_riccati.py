"""The sweep back in time for the machine:  `riccati.backward_step` as loops of fixed size, compiled by Numba."""

import functools

import llvmlite
import numba
import numpy as np

from robotdyn.codegen.cache import load
from robotdyn.codegen.matrix_loops import Loops
from robotdyn.optimal.riccati import backward_step, carried_back

TEMPLATE = '''"""The sweep of the Riccati recursion for {D} states and {d} inputs; written and compiled by robotdyn."""

import numpy as np
from numba import njit


@njit(fastmath={{"contract", "reassoc", "arcp", "nsz"}}, error_model="numpy", nogil=True, cache=True)
def sweep(A, B, l_x, l_u, l_xx, l_ux, l_uu, mu, k_out, K_out):
    """Fill k_out and K_out; return whether every step has a minimum, and the slope and bend of the cost."""
    W = np.zeros({size})
    slope, bend = 0.0, 0.0
    {start}
    for t in range(len(A) - 1, -1, -1):
        {lines}
    return True, slope, bend


@njit(fastmath={{"contract", "reassoc", "arcp", "nsz"}}, error_model="numpy", nogil=True, cache=True)
def costates(A, v):
    """Fill v, which holds l_x at first."""
    W = np.zeros({adjoint_size})
    for t in range(len(A) - 1, -1, -1):
        {adjoint}
'''

# Gauss elimination without exchanges, which a positive definite Q needs none of: its pivots tell whether it is.
MINIMUM = """
for p in range({d}):
    {Q_pp} += mu
for p in range({d}):
    if not {Q_pp} > 0.0:
        return False, slope, bend
    {Q_pp} = 1.0 / {Q_pp}
    for i in range(p + 1, {d}):
        a = {Q_ip} * {Q_pp}
        for j in range(p + 1, {d}): {Q_ij} -= a * {Q_pj}
        {k_i} -= a * {k_p}
        for j in range({D}): {K_ij} -= a * {K_pj}
for p in range({d} - 1, -1, -1):
    for i in range(p + 1, {d}):
        a = {Q_pi}
        {k_p} -= a * {k_i}
        for j in range({D}): {K_pj} -= a * {K_ij}
    {k_p} *= {Q_pp}
    for j in range({D}): {K_pj} *= {Q_pp}
"""


def source(D, d):
    """Return the source of the sweep for D states and d inputs."""
    loops = Loops()
    v, V = loops.read("l_x[len(A)]", D), loops.read("l_xx[len(A)]", D, D)
    start, loops.lines = loops.lines, []
    shapes = {"A": (D, D), "B": (D, d), "l_x": (D,), "l_u": (d,), "l_xx": (D, D), "l_ux": (d, D), "l_uu": (d, d)}
    given = [loops.read(f"{name}[t]", *shape) for name, shape in shapes.items()]
    k, K, v_new, V_new, slope, bend = backward_step(*given, v, V, "mu", functools.partial(_minimum, loops))
    loops.write("k_out[t]", k)
    loops.write("K_out[t]", K)
    loops.keep(v, v_new)
    loops.keep(V, V_new)
    loops.lines += [f"slope += {slope.at()}", f"bend += {bend.at()}"]
    adjoint = Loops()
    given = adjoint.read("A[t]", D, D), adjoint.read("v[t]", D), adjoint.read("v[t + 1]", D)
    adjoint.write("v[t]", carried_back(*given))
    return TEMPLATE.format(
        **{"D": D, "d": d, "size": loops.size, "adjoint_size": adjoint.size},
        start=("\n" + 4 * " ").join(start),
        lines=("\n" + 8 * " ").join(loops.lines),
        adjoint=("\n" + 8 * " ").join(adjoint.lines),
    )


def _minimum(loops, Q_uu, Q_u, Q_ux, mu):
    """Write the lines of `riccati.minimum`: k and K in the place of the right-hand sides."""
    Q, k, K = Q_uu * 1.0, Q_u * -1.0, Q_ux * -1.0
    at = {f"Q_{i}{j}": Q.at(i, j) for i in "pi" for j in "pij"} | {f"k_{i}": k.at(i) for i in "pi"}
    at |= {f"K_{i}j": K.at(i, "j") for i in "pi"}
    loops.lines += MINIMUM.format(d=K.shape[0], D=K.shape[1], **at).strip().split("\n")
    return k, K


@functools.cache
def compiled(D, d):
    """Return the functions of `riccati`, backward (without limits) and costates, for D states and d inputs."""
    module = load(source(D, d), "sweep", [numba.__version__, llvmlite.__version__, np.__version__])

    def backward(A, B, l_x, l_u, l_xx, l_ux, l_uu, mu=0.0):
        k, K = np.empty(l_u.shape), np.empty((*l_u.shape, D))
        arrays = [np.ascontiguousarray(x, dtype=float) for x in (A, B, l_x, l_u, l_xx, l_ux, l_uu)]
        fine, slope, bend = module.sweep(*arrays, float(mu), k, K)
        if not fine:
            raise np.linalg.LinAlgError("a step has no minimum")
        return k, K, slope, bend

    def costates(A, l_x):
        v = l_x.copy()
        module.costates(np.ascontiguousarray(A), v)
        return v

    return backward, costates
