"""An arm whose entries are trigonometric polynomials:  m_2 l_1 / 3  ->  TrigPoly,  so that the algorithms run on them."""

from __future__ import annotations

from fractions import Fraction
from math import comb, prod
from typing import Any

from robotdyn.maths.namespace import snap_roundoff
from robotdyn.model.arm import Arm
from robotdyn.symbolic.trigpoly import BITS, Poly, TrigPoly, TrigRing, exponents_of, without_zeros


def trig_arm(arm: Arm, ring: TrigRing) -> Arm:
    """Return the arm with numbers as they are and expressions as TrigPoly of `ring`, ready for the algorithms."""
    known: dict[Any, Any] = {}

    def entry(x: Any) -> Any:
        if not hasattr(x, "free_symbols"):
            return x
        if x not in known:
            known[x] = polynomial(x, ring)
        return known[x]

    return arm.map(entry)


def polynomial(x: Any, ring: TrigRing, moving: frozenset[Any] = frozenset()) -> Any:
    """Return a SymPy expression as a TrigPoly (or a number): what is no polynomial in it becomes a generator.

    moving: the coordinates and rates, which may occur in polynomials and in sines and cosines of their integer
    combinations.  Raises ValueError where they occur otherwise.
    """
    import sympy

    if isinstance(x, sympy.Rational):
        return int(x.p) if x.q == 1 else Fraction(int(x.p), int(x.q))
    if isinstance(x, sympy.Float):
        return snap_roundoff(float(x))
    if isinstance(x, sympy.Add):
        return sum(polynomial(part, ring, moving) for part in x.args)
    if isinstance(x, sympy.Mul):
        return prod(polynomial(part, ring, moving) for part in x.args)
    if isinstance(x, sympy.Pow) and x.exp.is_Integer and x.exp > 0:
        return polynomial(x.base, ring, moving) ** int(x.exp)
    if moving and not x.is_Symbol and x.free_symbols & moving:
        if isinstance(x, (sympy.sin, sympy.cos)):
            return _harmonic(x, ring, moving)
        raise ValueError(f"{x} must be a polynomial in coordinates and in sines and cosines of sums of angles")
    return ring.generator(x)


def _harmonic(x: Any, ring: TrigRing, moving: frozenset[Any]) -> Any:
    """Return sin or cos of  k . q + rest  as a TrigPoly."""
    import sympy

    angle: Any = 0
    rest: Any = []
    for term in sympy.Add.make_args(sympy.expand(x.args[0])):
        k, label = term.as_coeff_Mul()
        if label in moving and k.is_Integer:
            angle = ring.generator(label) * int(k) + angle
        elif term.free_symbols & moving:
            raise ValueError(f"{x} must have an integer combination of coordinates as its argument")
        else:
            rest.append(term)
    rest = sympy.Add(*rest)
    s, c = (polynomial(f(rest), ring) for f in (sympy.sin, sympy.cos))
    if angle == 0:
        return s if isinstance(x, sympy.sin) else c
    if isinstance(x, sympy.sin):
        return angle.sin() * c + angle.cos() * s
    return angle.cos() * c - angle.sin() * s


def with_pythagoras(f: Any) -> Any:
    """Return f with sin(x)^2 = 1 - cos(x)^2 for the generators that are sines of one parameter, such as a DH twist."""
    if not isinstance(f, TrigPoly):
        return f
    import sympy

    for place, label in enumerate(f.ring.generators):
        if isinstance(label, sympy.sin):
            cosine = f.ring.generator(sympy.cos(*label.args))
            terms = {key: _without_square(poly, place, next(iter(cosine.terms[0]))) for key, poly in f.terms.items()}
            terms = without_zeros(terms)
            if not terms:
                return 0
            f = TrigPoly(f.ring, terms, f.den, f.degree)
    return f


def _without_square(poly: Poly, place: int, cosine: int) -> Poly:
    """Replace s^(2k + r) by (1 - c^2)^k s^r in a coefficient; place: the index of s; cosine: the monomial c."""
    result: Poly = {}
    for m, c in poly.items():
        half = exponents_of(m).get(place, 0) // 2
        for j in range(half + 1):
            monomial = m - (2 * half << BITS * place) + 2 * j * cosine
            result[monomial] = result.get(monomial, 0) + c * comb(half, j) * (-1) ** j
    return result
