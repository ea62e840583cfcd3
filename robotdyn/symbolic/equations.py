"""The equation of motion as SymPy matrices, the names in it, and d/dt dT/dqd - dT/dq + dV/dq by differentiation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy

from robotdyn.maths.validate import Entries, joint_count
from robotdyn.model.arm import Arm
from robotdyn.symbolic.christoffel import as_list, christoffel


@dataclass(frozen=True)
class Equations:
    """The equation of motion  M qdd + C qd + g + extra = tau,  SymPy matrices.

    q, qd, qdd: (n, 1), the coordinates, rad (m), and their rates; M: (n, n); C: (n, n), the Christoffel choice;
    h: (n, 1), the velocity terms C qd, written short; g: (n, 1), +dV/dq.
    extra: (n, 1), what a Lagrangian beyond those of arms adds (terms linear in qd, explicit time, a kinetic energy that
    is no quadratic form in qd: then M is its second derivative by qd, and C and h are zero); zero for every arm.
    """

    q: sympy.ImmutableMatrix
    qd: sympy.ImmutableMatrix
    qdd: sympy.ImmutableMatrix
    M: sympy.ImmutableMatrix
    C: sympy.ImmutableMatrix
    h: sympy.ImmutableMatrix
    g: sympy.ImmutableMatrix
    extra: sympy.ImmutableMatrix

    @cached_property
    def tau(self) -> sympy.ImmutableMatrix:
        """The left-hand side (n, 1), N m (N): the generalized forces that the motion needs."""
        return self.M * self.qdd + self.h + self.g + self.extra


def by_differentiation(
    T: sympy.Expr, V: sympy.Expr, names: Sequence[Sequence[sympy.Symbol]], t: sympy.Symbol | None = None
) -> Equations:
    """Return the Equations of any kinetic and potential energy, by differentiation alone.

    With T = 1/2 qd . M qd + b . qd + T_0:  extra = (db_i/dq_j - db_j/dq_i) qd_j + dM/dt qd + db/dt - dT_0/dq.
    """
    q, qd, qdd = (sympy.ImmutableMatrix(symbols) for symbols in names)
    n = len(q)
    at_rest = dict.fromkeys(qd, 0)
    rest_V = _at_rest(V, at_rest, "V")
    T = T - (V - rest_V)  # what of V depends on velocities acts like kinetic energy: the Lagrangian is T - V
    M = sympy.hessian(T, list(qd)).as_immutable()
    if M.free_symbols.intersection(qd):
        T = sympy.expand(T)
        M = sympy.hessian(T, list(qd)).as_immutable()
    g = _gradient(rest_V, q)
    if M.free_symbols.intersection(qd):  # no quadratic form in qd: M qdd and g stand apart, all else is extra
        C = sympy.ImmutableMatrix.zeros(n, n)
        momentum = _gradient(T, qd)
        extra = momentum.jacobian(q) * qd - _gradient(T, q)
    else:
        C = christoffel(M, q, qd)
        T_0 = _at_rest(T, at_rest, "T")
        momentum = sympy.ImmutableMatrix([_at_rest(p, at_rest, "T") for p in _gradient(T, qd)])
        slope = momentum.jacobian(q)
        extra = (slope - slope.T) * qd - _gradient(T_0, q)
        momentum = momentum + M * qd
    if t is not None:
        extra = extra + momentum.diff(t)
    return Equations(q, qd, qdd, M, C, C * qd, g, extra.as_immutable())


def named_coordinates(q: Any, arm: Arm) -> list[list[sympy.Symbol]]:
    """Return lists q, qd, qdd of symbols for the joints of an arm; q: names or symbols, default q_1, .., q_n."""
    n = joint_count(arm)
    if q is None:
        q = [f"q_{i}" for i in range(1, n + 1)]
    if isinstance(q, str):
        q = q.replace(",", " ").split()
    if not hasattr(q, "__len__") or len(q) != n:
        raise ValueError(
            f"q must name {n} coordinates, one for each joint, got {len(q) if hasattr(q, '__len__') else q!r}"
        )
    names = named_rates([sympy.Symbol(x, real=True) if isinstance(x, str) else x for x in q])
    parameters = {str(x) for x in arm.free_symbols}
    for x in [x for row in names for x in row]:
        if str(x) in parameters:
            raise ValueError(f"coordinates must not have the name of a parameter, got {x}: pass other names as q")
    return names


def named_rates(q: Sequence[Any], qd: Entries = None, qdd: Entries = None) -> list[list[sympy.Symbol]]:
    """Return lists q, qd, qdd of distinct symbols; missing rates are named after q: theta_1, thetadot_1, thetaddot_1."""
    q = list(q)
    rows = {"q": q}
    for name, row, dots in (("qd", qd, "dot"), ("qdd", qdd, "ddot")):
        rows[name] = [_dotted(x, dots) for x in q] if row is None else as_list(row, name, len(q))
    for name, row in rows.items():
        if not row or not all(isinstance(x, sympy.Symbol) for x in row):
            raise ValueError(f"{name} must hold symbols, got {row}")
    everything = [x for row in rows.values() for x in row]
    if len(set(everything)) < len(everything):
        raise ValueError(f"q, qd and qdd must be distinct symbols, got {everything}")
    return list(rows.values())


def _dotted(x: Any, dots: str) -> sympy.Symbol:
    """Return the symbol of a rate of x: thetadot_1, which SymPy prints with a dot."""
    return sympy.Symbol(re.sub(r"^[A-Za-z]*", rf"\g<0>{dots}", str(x)), real=True)


def _gradient(f: sympy.Expr, x: Any) -> sympy.ImmutableMatrix:
    return sympy.ImmutableMatrix([f.diff(entry) for entry in x])


def _at_rest(f: sympy.Expr, at_rest: dict[Any, Any], name: str) -> sympy.Expr:
    value = f.subs(at_rest)
    if value.has(sympy.nan, sympy.zoo, sympy.oo):
        raise ValueError(f"{name} must be finite at qd = 0, got {value}: a Lagrangian of rest must exist")
    return value
