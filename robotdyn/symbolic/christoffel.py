"""From a mass matrix to velocity terms:  C_ij = sum_k Gamma_ijk qd_k,  and the other ways to write C(q, qd) qd.

SymPy expressions in and out; for a whole arm `derive` is quicker.  The lecture notes on the 2R arm have the three forms,
a blog post the two matrices (page "sources"); chapter "equation-of-motion" compares them.
"""

from __future__ import annotations

from typing import Any

import sympy

from robotdyn.maths.validate import Entries, in_short, is_symbolic


def christoffel_symbols(M: Entries, q: Entries) -> sympy.ImmutableDenseNDimArray:
    """Return Gamma (n, n, n), of the first kind:  Gamma_ijk = 1/2 (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i).

    M: (n, n) symmetric, kg m^2 (kg m, kg); q: n symbols, rad (m).  Gamma_ijk = Gamma_ikj.
    Raises ValueError for a wrong shape or an M that is not symmetric.
    """
    M, q = _checked(M, q)
    n = len(q)
    half = sympy.Rational(1, 2)
    d = [[[M[max(i, j), min(i, j)].diff(x) for x in q] for j in range(n)] for i in range(n)]
    return sympy.ImmutableDenseNDimArray(
        [[[half * (d[i][j][k] + d[i][k][j] - d[j][k][i]) for k in range(n)] for j in range(n)] for i in range(n)]
    )


def christoffel(M: Entries, q: Entries, qd: Entries) -> sympy.ImmutableMatrix:
    """Return C (n, n), the Christoffel choice: C qd are the velocity terms, and dM/dt - 2 C is skew.

    M: (n, n); q, qd: n symbols, rad and rad/s (m and m/s).  C_ij = sum_k Gamma_ijk qd_k.
    """
    Gamma = christoffel_symbols(M, q)
    qd = as_list(qd, "qd", len(as_list(q, "q")))
    n = len(qd)
    return sympy.ImmutableMatrix(n, n, lambda i, j: sum(Gamma[i, j, k] * qd[k] for k in range(n)))


def bracket(M: Entries, q: Entries, qd: Entries) -> sympy.ImmutableMatrix:
    """Return the bracket (n, n), a matrix with the same product with qd:  dM/dt - 1/2 D,  D_kj = sum_i qd_i dM_ij/dq_k.

    Its product with qd is C qd, but dM/dt - 2 (dM/dt - 1/2 D) is not skew: only the Christoffel choice has that.
    M: (n, n); q, qd: n symbols, rad and rad/s (m and m/s).
    """
    M, q = _checked(M, q)
    n = len(q)
    qd = as_list(qd, "qd", len(q))
    M_dot = lambda k, j: sum(M[k, j].diff(q[i]) * qd[i] for i in range(n))
    D = lambda k, j: sum(qd[i] * M[i, j].diff(q[k]) for i in range(n))
    return sympy.ImmutableMatrix(n, n, lambda k, j: M_dot(k, j) - sympy.Rational(1, 2) * D(k, j))


def standard_form(M: Entries, q: Entries, qd: Entries) -> sympy.ImmutableMatrix:
    """Return V(q, qd) (n, 1), N m (N):  M qdd + V(q, qd) + g = tau.  V = C qd.  Standard form."""
    qd = as_list(qd, "qd")
    return christoffel(M, q, qd) * sympy.ImmutableMatrix(qd)


def matrix_form(M: Entries, q: Entries, qd: Entries, choice: str = "christoffel") -> sympy.ImmutableMatrix:
    """Return V_m(q, qd) (n, n):  M qdd + V_m qd + g = tau.  V_m is not unique.  Form 1 of the notes.

    choice: "christoffel" (dM/dt - 2 V_m is skew) or "bracket" (it is not).
    """
    choices = {"christoffel": christoffel, "bracket": bracket}
    if not isinstance(choice, str) or choice not in choices:
        raise ValueError(f'choice must be "christoffel" or "bracket", got {in_short(choice)}')
    return choices[choice](M, q, qd)


def squares_and_products_form(M: Entries, q: Entries) -> tuple[sympy.ImmutableMatrix, sympy.ImmutableMatrix]:
    """Return C (n, n) and B (n, n(n-1)/2):  M qdd + C(q) [qd^2] + B(q) [qd qd] + g = tau.  Form 2 of the notes.

    C multiplies the squares (centrifugal terms), B the products in the order 12, 13, .., 1n, 23, .. (Coriolis terms):
    see `squares` and `products`.  M: (n, n); q: n symbols, rad (m).
    """
    Gamma = christoffel_symbols(M, q)
    n = Gamma.shape[0]
    C = sympy.ImmutableMatrix(n, n, lambda i, j: Gamma[i, j, j])
    columns = [[2 * Gamma[i, j, k] for i in range(n)] for j in range(n) for k in range(j + 1, n)]
    return C, sympy.ImmutableMatrix(n, len(columns), lambda i, j: columns[j][i])


def squares(qd: Entries) -> sympy.ImmutableMatrix:
    """Return [qd^2] (n, 1):  qd_1^2, .., qd_n^2."""
    return sympy.ImmutableMatrix([x**2 for x in as_list(qd, "qd")])


def products(qd: Entries) -> sympy.ImmutableMatrix:
    """Return [qd qd] (n(n-1)/2, 1):  qd_1 qd_2, qd_1 qd_3, .., qd_1 qd_n, qd_2 qd_3, .."""
    qd = as_list(qd, "qd")
    pairs = [qd[j] * qd[k] for j in range(len(qd)) for k in range(j + 1, len(qd))]
    return sympy.ImmutableMatrix(len(pairs), 1, pairs)


def as_list(x: Any, name: str, n: int | None = None) -> list[sympy.Expr]:
    """Return the entries of a list, tuple, array or column (n, 1), or one expression, as a list of expressions."""
    entries = [as_expression(entry, name) for entry in (list(x) if hasattr(x, "__getitem__") else [x])]
    if n is not None and len(entries) != n:
        raise ValueError(f"{name} must have {n} entries, one for each coordinate, got {len(entries)}")
    return entries


def as_expression(x: Any, name: str) -> sympy.Expr:
    """Return one number or expression as a SymPy expression; TypeError for anything else, strings included."""
    try:
        expression = sympy.sympify(x, strict=True)
    except (sympy.SympifyError, TypeError):
        expression = None
    if not isinstance(expression, sympy.Expr) or isinstance(expression, sympy.MatrixExpr):
        hint = ": take its entry, such as T[0]" if getattr(x, "shape", None) == (1, 1) else ""
        raise TypeError(f"{name} must hold numbers and SymPy expressions, got {type(x).__name__} {x!r:.50}{hint}")
    return expression


def _checked(M: Any, q: Any) -> tuple[sympy.ImmutableMatrix, list[sympy.Symbol]]:
    q = as_list(q, "q")
    try:
        M = sympy.ImmutableMatrix(M)
    except (TypeError, ValueError):
        raise TypeError(f"M must be a matrix of SymPy expressions, got {M!r:.50}") from None
    if M.shape != (len(q), len(q)):
        raise ValueError(f"M must have shape {(len(q), len(q))} for {len(q)} coordinates, got {M.shape}")
    for x in q:
        if not x.is_Symbol:
            raise ValueError(f"q must hold symbols, got {x}: replace functions of time by symbols first")
    if len(set(q)) < len(q):
        raise ValueError(f"q must hold distinct symbols, got {q}")
    for i in range(len(q)):
        for j in range(i):
            if M[i, j] != M[j, i] and not _equal_somewhere(M[i, j], M[j, i]):
                raise ValueError(f"M must be symmetric, got different entries {i + 1}, {j + 1} and {j + 1}, {i + 1}")
    return M, q


def _equal_somewhere(a: sympy.Expr, b: sympy.Expr) -> bool:
    """Tell whether two expressions agree at one point of no special position: equality without a simplifier."""
    difference = a - b
    names = sorted(difference.free_symbols, key=str)
    point = {name: sympy.Float(0.37 + 0.6180339887 * k % 1) for k, name in enumerate(names)}
    value = difference.subs(point)
    size = abs(a.subs(point)) + abs(b.subs(point))
    return not (is_symbolic(value) and value.is_number) or abs(value) <= 1e-9 * (1 + size)
