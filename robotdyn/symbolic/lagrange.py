"""From a Lagrangian to the equation of motion:  d/dt dL/dqd - dL/dq = tau   ->   M(q) qdd + C(q, qd) qd + g(q) = tau.

`derive` takes an arm, `euler_lagrange` any kinetic and potential energy.  Where the energies are trigonometric
polynomials, as those of every serial arm are, everything is computed in their normal form and written out once;
no simplifier is ever called.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from sympy.core.function import AppliedUndef

from robotdyn.dynamics.energy import potential_energy
from robotdyn.dynamics.recursive import mass_matrix
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.spatial import Array
from robotdyn.maths.validate import Entries, in_short
from robotdyn.model.arm import Arm
from robotdyn.model.joints import JOINTS
from robotdyn.symbolic.christoffel import (
    as_expression,
    as_list,
    bracket,
    christoffel,
    christoffel_symbols,
    matrix_form,
    products,
    squares,
    squares_and_products_form,
    standard_form,
)
from robotdyn.symbolic.closed_loops import close_loops
from robotdyn.symbolic.equations import Equations, by_differentiation, named_coordinates, named_rates
from robotdyn.symbolic.formulas import Formulas
from robotdyn.symbolic.trig_arm import polynomial, trig_arm, with_pythagoras
from robotdyn.symbolic.trigpoly import TrigPoly, TrigRing, diff, size_of, without_noise

__all__ = [
    "Equations",
    "bracket",
    "christoffel",
    "christoffel_symbols",
    "close_loops",
    "derive",
    "euler_lagrange",
    "matrix_form",
    "products",
    "squares",
    "squares_and_products_form",
    "standard_form",
]
offer_public_names(__name__)


def derive(arm: Arm, q: Any = None) -> Equations:
    """Return the Equations of an arm with any joints, planar or spatial, a chain or a tree, with symbols or numbers.

    q: n names or symbols of the coordinates, default q_1, .., q_n; the rates are named after them, qdot_1 and qddot_1.
    The mass matrix comes from `mass_matrix` and the potential energy from `potential_energy`, both run on
    trigonometric polynomials.
    Raises ValueError where a coordinate has the name of a parameter, and for an arm whose coupling turns a joint by what is
    no sum of whole multiples of the coordinates.
    Chapter "equation-of-motion".
    """
    names = named_coordinates(q, arm)
    q, qd = names[:2]
    _check_coupling(arm)
    ring = TrigRing()
    state = np.array([ring.generator(x) for x in q], dtype=object)
    rates = [ring.generator(x) for x in qd]
    polynomials = trig_arm(arm, ring)
    M = _without_roundoff(mass_matrix(polynomials, state))
    V = with_pythagoras(potential_energy(polynomials, state))
    return _equations(ring, M, V, names, rates)


def _check_coupling(arm: Arm) -> None:
    """Refuse a coupling that turns a joint by what has no sine among polynomials in those of the coordinates."""
    if arm.coupling is None:
        return
    for i, (link, row) in enumerate(zip(arm.links, arm.coupling)):
        if JOINTS[link.joint].unit == "rad" and ((row != np.round(row)).any() or row[-1] != 0):
            raise ValueError(
                f"derive needs joints that turn by whole multiples of the coordinates, got coupling[{i}] = {row.tolist()}: "
                "derive arm.uncoupled and put its joints' positions in, or compute with numbers, which any coupling allows"
            )


def euler_lagrange(
    T: Any, V: Any, q: Entries, qd: Entries = None, qdd: Entries = None, t: sympy.Symbol | None = None
) -> Equations:
    """Return the Equations that follow from a kinetic energy T and a potential energy V, any expressions, J.

    q: n functions of time (then qd and qdd are their derivatives), or n symbols together with n symbols qd.
    t: the symbol of time, if T or V hold it and q are symbols.  V may depend on qd: the Lagrangian is T - V.
    Raises ValueError for coordinates that do not fit, or for second derivatives in T or V.
    """
    T = as_expression(T, "T")
    V = as_expression(V, "V")
    q = as_list(q, "q")
    if t is not None and not isinstance(t, sympy.Symbol):
        raise TypeError(f"t must be the symbol of time, got {in_short(t)}")
    if any(isinstance(x, AppliedUndef) for x in q):
        if qd is not None or qdd is not None:
            raise ValueError("qd and qdd must be left out when q holds functions of time: they are its derivatives")
        return _of_functions(T, V, q, t)
    if qd is None:
        raise ValueError("qd must be given when q holds symbols: the symbols that stand for the rates in T")
    names = named_rates(q, qd, qdd)
    if (T.free_symbols | V.free_symbols).intersection(names[2]):
        raise ValueError("T and V must not depend on accelerations: a Lagrangian holds q, qd and time only")
    return _in_normal_form(T, V, names, t) or by_differentiation(T, V, names, t)


def _of_functions(T: sympy.Expr, V: sympy.Expr, q: list[Any], time: sympy.Symbol | None) -> Equations:
    """Replace functions of time and their derivatives by symbols, and put them back at the end."""
    t = next(x for x in q if isinstance(x, AppliedUndef)).args[0]
    if time not in (None, t):
        raise ValueError(f"t must be the time that q depends on, {t}, got {time}")
    if not all(isinstance(x, AppliedUndef) and x.args == (t,) for x in q):
        raise ValueError(f"q must hold functions of one time, all of them or none, got {q}")
    names = [[sympy.Dummy(f"{x.func}_{k}", real=True) for x in q] for k in range(3)]
    functions = [q, [x.diff(t) for x in q], [x.diff(t, 2) for x in q]]
    to_symbols = {f: x for fs, xs in zip(functions, names) for f, x in zip(fs, xs)}
    to_functions = {x: f for f, x in to_symbols.items()}
    T = T.doit()
    V = V.doit()
    _check_energies(T, V, q, t)
    T = T.xreplace(to_symbols)
    V = V.xreplace(to_symbols)
    equations = _in_normal_form(T, V, names, t) or by_differentiation(T, V, names, t)
    return Equations(
        **{name: getattr(equations, name).xreplace(to_functions) for name in Equations.__dataclass_fields__}
    )


def _check_energies(T: sympy.Expr, V: sympy.Expr, q: list[Any], t: sympy.Symbol) -> None:
    """Refuse second derivatives of coordinates, and coordinates at another time than t."""
    for d in T.atoms(sympy.Derivative) | V.atoms(sympy.Derivative):
        if d.expr in q and d.derivative_count > 1:
            raise ValueError("T and V must not hold second derivatives of q: a Lagrangian holds q, qd and time only")
    for x in T.atoms(AppliedUndef) | V.atoms(AppliedUndef):
        if x.func in [f.func for f in q] and x not in q:
            raise ValueError(f"T and V must hold q at the time {t} only, got {x}")


# ---- the normal form ------------------------------------------------------------------------------------------------


def _equations(ring: TrigRing, M: Array, V: Any, names: list[list[sympy.Symbol]], rates: list[TrigPoly]) -> Equations:
    """Return the Equations of a mass matrix and a potential energy in normal form."""
    q, qd = names[:2]
    n = len(q)
    d = [[[diff(M[i, j], x) for x in q] for j in range(i + 1)] for i in range(n)]
    slope = lambda i, j, k: d[max(i, j)][min(i, j)][k]
    twice = lambda i, j: sum((slope(i, j, k) + slope(i, k, j) - slope(j, k, i)) * rates[k] for k in range(n))
    C = [[_half(twice(i, j)) for j in range(n)] for i in range(n)]
    h = [sum(C[i][j] * rates[j] for j in range(n)) for i in range(n)]
    without_rates = Formulas(ring)
    with_rates = Formulas(ring, qd)
    lower = [[without_rates.expression(M[i, j]) for j in range(i + 1)] for i in range(n)]
    return Equations(
        **{name: sympy.ImmutableMatrix(row) for name, row in zip(("q", "qd", "qdd"), names)},
        M=sympy.ImmutableMatrix(n, n, lambda i, j: lower[max(i, j)][min(i, j)]),
        C=sympy.ImmutableMatrix([[with_rates.expression(entry) for entry in row] for row in C]),
        h=sympy.ImmutableMatrix([with_rates.expression(entry) for entry in h]),
        g=sympy.ImmutableMatrix([without_rates.expression(diff(V, x)) for x in q]),
        extra=sympy.ImmutableMatrix.zeros(n, 1),
    )


def _in_normal_form(
    T: sympy.Expr, V: sympy.Expr, names: list[list[sympy.Symbol]], t: sympy.Symbol | None
) -> Equations | None:
    """Return the Equations if T is a quadratic form in qd, and T and V trigonometric polynomials; else None."""
    q, qd = names[:2]
    if V.free_symbols.intersection(qd) or t in T.free_symbols | V.free_symbols:
        return None
    ring = TrigRing()
    _, rates = ([ring.generator(x) for x in row] for row in (q, qd))
    try:
        T, V = (polynomial(energy, ring, frozenset(q + qd)) for energy in (T, V))
    except ValueError:
        return None
    M = _without_roundoff(np.array([[diff(diff(T, a), b) for b in qd] for a in qd], dtype=object))
    form = _half(sum(a * entry * b for a, row in zip(rates, M) for entry, b in zip(row, rates)))
    if (
        any(diff(entry, a) != 0 for a in qd for entry in M.flat)
        or with_pythagoras(without_noise(form - T, size_of(T))) != 0
    ):
        return None
    return _equations(ring, M, V, names, rates)


def _without_roundoff(M: Array) -> Array:
    """Return M without the rounding noise of canceled terms; |M_ij| <= sqrt(M_ii M_jj) bounds the noise."""
    size = [size_of(M[i, i]) ** 0.5 for i in range(len(M))]
    clean = lambda i, j: with_pythagoras(without_noise(M[i, j], size[i] * size[j]))
    return np.array([[clean(i, j) for j in range(len(M))] for i in range(len(M))], dtype=object)


def _half(f: Any) -> Any:
    return f / 2 if isinstance(f, TrigPoly) else Fraction(1, 2) * f
