"""Inertia transfer through a joint:  changes of a link's mass distribution that the link before can make up for.

A change t of link j, ten numbers, shows in no torque if its energy does not feel q_j and its rate: then fixed to the
link that carries it, t has the same energy.  All changes that show in no torque are sums of such transfers.  Which t these
are follows from the velocities that the link before can have: the span of v, of the products v v^T, and of the directions
of gravity, each carried outward from the base.  Wensing, Niemeyer and Slotine (2024), "A geometric characterization of
observability in inertial parameter identification".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from sympy.polys.matrices import DomainMatrix

from robotdyn.dynamics.kinematics import joint_motion
from robotdyn.identification.parameters import INERTIA_ENTRIES, symmetric_matrix
from robotdyn.identification.regressor import momentum_of_body
from robotdyn.maths.namespace import object_array
from robotdyn.maths.spatial import Inertia, Transform, cross_motion, skew
from robotdyn.maths.validate import Array
from robotdyn.model.arm import Arm
from robotdyn.model.link import LINK_FIELDS

JOINT_PARAMETERS = ("motor_inertia", "offset")  # terms of a joint that a link's parameters may be mistaken for


def null_vectors(arm: Arm, terms: Sequence[str]) -> Callable[[Sequence[int]], tuple[list[list[Any]], tuple[int, ...]]]:
    """Return the function order -> (rows, pivots): changes of phi that show in no torque, reduced, in columns `order`.

    words: terms of the joints, whose columns follow the 10 n.  Coefficients are exact.
    """
    K = _FractionField(frame_symbols(arm))
    exact = without_masses(arm, K.number)
    changes = []
    for i, link in enumerate(exact.links, start=1):
        if not (link.rotation.T @ link.rotation == np.eye(3, dtype=int)).all():
            raise ValueError(
                f"the rotation of link {i} must be one of fractions, as 90 degrees are: put numbers in for symbols"
            )
    for j, (transfers, link) in enumerate(zip(_transfers(K, exact, terms), exact.links)):
        for t in transfers:
            row = np.full((10 + len(terms)) * arm.n, K.zero)
            row[10 * j : 10 * j + 10] = t[:10]
            for term, x in zip([term for term in JOINT_PARAMETERS if term in terms], t[10:]):
                row[(10 + terms.index(term)) * arm.n + j] = x
            if (parent := arm.parents[j]) >= 0:
                mass = object_array([t[0]], ())  # an array, which leaves no product with another to the element
                body = Inertia(mass, t[1:4], symmetric_matrix(t[4:10])).carried_back(
                    Transform(link.rotation, link.position)
                )
                moved = [t[0], *body.moment, *(body.about_origin[k] for k in INERTIA_ENTRIES)]
                row[10 * parent : 10 * parent + 10] -= np.array(moved)
            changes.append(row)

    def null_basis(order: Sequence[int]) -> tuple[list[list[Any]], tuple[int, ...]]:
        rows, pivots = K.row_reduced([row[list(order)] for row in changes])
        return [[K.to_sympy(x) for x in row] for row in rows], pivots

    return null_basis


def without_masses(arm: Arm, function: Callable[[Any], Any]) -> Arm:
    """Return the arm without masses and tip, with function(x) for each number or expression of its frames and gravity."""
    nothing = {
        name: np.zeros((len(arm.links), *LINK_FIELDS[name])) for name in ("mass", "com", "inertia", "motor_inertia")
    }
    return arm.map(function, nothing | {"tip": np.zeros(3)})


def frame_symbols(arm: Arm) -> list[Any]:
    """Return the symbols in the frames and the gravity of an arm, sorted; ValueError where an entry is no fraction."""
    symbols: set[Any] = set()

    def collect(x: Any) -> Any:
        found: set[Any] = getattr(x, "free_symbols", set())
        if found and not x.is_rational_function():
            raise _not_rational_error(x)
        symbols.update(found)
        return x

    without_masses(arm, collect)
    return sorted(symbols, key=str)


def _not_rational_error(x: Any) -> ValueError:
    return ValueError(f"the frames of a symbolic arm must hold fractions of polynomials, got {x}: put in a number")


def _transfers(K: _FractionField, arm: Arm, terms: Sequence[str]) -> Iterable[list[Array]]:
    """Yield for each link a basis of the changes (10 numbers, and the joint's own) that its joint lets pass unfelt."""
    no_motion: tuple[list[Array], list[Array]] = [], []
    spans = {-1: (*no_motion, [np.array([*arm.gravity, K.one])])}
    selected = [term in terms for term in JOINT_PARAMETERS]
    for i, link in enumerate(arm.links):
        velocities, products, gravities = spans[arm.parents[i]]
        X = Transform(link.rotation, link.position)
        S = K.array(joint_motion(link))
        of_velocity, of_product, of_gravity = _rates_along(S, K.zero)
        velocities = K.invariant_span([X @ v for v in velocities], of_velocity)
        products = K.invariant_span([X @ (X @ M).T for M in products], of_product)
        gravities = K.invariant_span([np.append(link.rotation.T @ g[:3], g[3]) for g in gravities], of_gravity)
        crossed = [np.outer(v, S) + np.outer(S, v) for v in velocities]
        square = np.outer(S, S)
        functionals = [[*_energy_functional(of_product(M)), 0, 0] for M in products]
        functionals += [[*_energy_functional(M), 0, 0] for M in crossed]
        functionals += [[*_energy_functional(square), 1, 0]]
        for g in gravities:  # the torque of the weight, - m S_v . g - m c . (g x S_omega), and the offset
            functionals.append([-(S[3:] @ g[:3]), *(skew(S[:3]) @ g[:3]), *[0] * 6, 0, g[3]])
        yield K.complement([K.array(row)[[True] * 10 + selected] for row in functionals])
        spans[i] = (K.independent([*velocities, S]), K.independent([*products, *crossed, square]), gravities)


def _rates_along(S: Array, zero: Any) -> list[Callable[[Array], Array]]:
    """Return the rates, as q_j grows, of v, of a sum of v v^T and of (g, 1), which stay where they are, in link axes."""
    turn = -cross_motion(S)
    spin = turn[:3, :3]
    return [lambda v: turn @ v, lambda M: turn @ M + (turn @ M).T, lambda g: np.append(spin @ g[:3], zero)]


def _energy_functional(M: Array) -> Array:
    """Return the functional (10,) with which  trace(I M) = functional @ (m, m c, inertia)."""
    return sum(momentum_of_body(M[:, k])[k] for k in range(6))


class _FractionField:
    """The fractions of polynomials in the symbols of an arm's frames, and linear algebra with them; arrays of objects."""

    def __init__(self, symbols: Sequence[Any]) -> None:
        self.domain = sympy.QQ.frac_field(*symbols) if symbols else sympy.QQ
        self.zero = self.domain.zero
        self.one = self.domain.one
        self.to_sympy = self.domain.to_sympy

    def number(self, x: Any) -> Any:
        """Return a number or an expression as an element, a float as the fraction that it is close to."""
        close = lambda number: sympy.Rational(Fraction(float(number)).limit_denominator(10**6))
        x = sympy.sympify(x)
        if not x.free_symbols and not x.is_Rational:
            return self.domain.from_sympy(close(x))
        try:
            return self.domain.from_sympy(x.xreplace({f: close(f) for f in x.atoms(sympy.Float)}))
        except ValueError:  # sqrt(2) l
            raise _not_rational_error(x) from None

    def array(self, entries: Any) -> Array:
        return np.array([self.domain.convert(x) if isinstance(x, int) else x for x in entries], dtype=object)

    def row_reduced(self, rows: Sequence[Array]) -> tuple[list[list[Any]], tuple[int, ...]]:
        """Return the independent rows of the reduced echelon form, and the columns of their leading ones."""
        if not rows:
            return [], ()
        matrix = DomainMatrix(
            [[self.domain.convert(x) for x in row] for row in rows], (len(rows), len(rows[0])), self.domain
        )
        form, pivots = matrix.rref()
        return form.to_list()[: len(pivots)], pivots

    def independent(self, arrays: Sequence[Array]) -> list[Array]:
        """Return a basis of the span of arrays of one shape."""
        rows, _ = self.row_reduced([array.ravel() for array in arrays])
        return [np.array(row, dtype=object).reshape(arrays[0].shape) for row in rows]

    def invariant_span(self, arrays: Sequence[Array], act: Callable[[Array], Array]) -> list[Array]:
        """Return a basis of the least space that holds the arrays and, with each one, what the linear map makes of it."""
        basis = self.independent(arrays)
        while len(grown := self.independent([*basis, *map(act, basis)])) > len(basis):
            basis = grown
        return basis

    def complement(self, rows: Sequence[Array]) -> list[Array]:
        """Return a basis of the vectors that all rows, functionals, take to zero."""
        found, pivots = self.row_reduced(rows)
        vectors = []
        for free in [k for k in range(len(rows[0])) if k not in pivots]:
            vector = np.full(len(rows[0]), self.zero)
            vector[free] = self.one
            for row, pivot in zip(found, pivots):
                vector[pivot] = -row[free]
            vectors.append(vector)
        return vectors
