"""The equation of motion of a small mechanism:  phi(q) = 0,  qd = G u,  (G^T M G) udot + G^T (C G + M Gdot) u + G^T g = G^T tau.

u: the rates of the free coordinates; the others follow from J qd = 0 with J = dphi/dq.  Chapter "closed-loops".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy

from robotdyn.maths.validate import as_motors, in_short
from robotdyn.symbolic.christoffel import as_list
from robotdyn.symbolic.equations import Equations

SMALL = 1e-12  # of a determinant that is zero but for rounding


def close_loops(equations: Equations, phi: Any, free: Iterable[int]) -> tuple[Equations, sympy.ImmutableMatrix]:
    """Return the Equations of the free coordinates of what phi = 0 holds together, and G (n, k) with qd = G u.

    equations: of the mechanism cut open, as `rd.derive` returns them;
    phi: m expressions in its coordinates, as `list(rd.point_position(arm, q)[:2])` less a place, of a loop in a plane;
    free: the indices of the k = n - m coordinates that shall be left, such as that of the crank.
    M, C, h and g hold all coordinates, of which phi = 0 gives the others where there are numbers; tau is G^T times the
    torques of all joints, that of the crank where the others have no motor.  Mdot - 2 C is skew-symmetric, as before.
    Raises ValueError for numbers of equations and free coordinates that do not fit, and where phi leaves the others undetermined.
    """
    if not isinstance(equations, Equations):
        raise TypeError(f"equations must be Equations, as rd.derive returns them, got {in_short(equations)}")
    q, qd, qdd = equations.q, equations.qd, equations.qdd
    n = len(q)
    kept = as_motors(list(free), n, "free")
    rest = [i for i in range(n) if i not in kept]
    rows = sympy.Matrix(as_list(phi, "phi"))
    if len(rows) != len(rest) or not kept:
        raise ValueError(
            f"phi must have as many rows as coordinates are left to it, got {len(rows)} and {len(rest)}: "
            f"of {n} coordinates {n - len(rows)} must be free"
        )
    J = rows.jacobian(q)
    J_rest = J.extract(range(len(rows)), rest)
    if _is_singular(J_rest):
        raise ValueError("phi must determine the other coordinates, got rows that depend on each other: free others")
    follows = -J_rest.LUsolve(J.extract(range(len(rows)), kept))
    G = sympy.zeros(n, len(kept))
    for column, i in enumerate(kept):
        G[i, column] = 1
    for row, i in enumerate(rest):
        G[i, :] = follows[row, :]
    u, du = (x.extract(kept, [0]) for x in (qd, qdd))
    rates = dict(zip(qd, G * u))
    Gdot = sum((G.diff(x) * rates[v] for x, v in zip(q, qd)), sympy.zeros(*G.shape))
    M = G.T * equations.M * G
    C = G.T * (equations.C.xreplace(rates) * G + equations.M * Gdot)
    given = (q.extract(kept, [0]), u, du, M, C, C * u, G.T * equations.g, G.T * equations.extra.xreplace(rates))
    return Equations(*(part.as_immutable() for part in given)), G.as_immutable()


def _is_singular(J: sympy.Matrix) -> bool:
    """Return whether a square matrix has no inverse at two points at which nothing is special."""
    symbols = sorted(J.free_symbols, key=str)
    points = ({x: sympy.Float(start + 0.11 * k) for k, x in enumerate(symbols)} for start in (0.37, 1.03))
    return all(abs(sympy.N(J.xreplace(point).det())) < SMALL for point in points)
