"""An arm whose entries are trigonometric polynomials:  m_2 l_1 / 3  ->  TrigPoly,  so that the generic texts run on them."""

from fractions import Fraction
from math import comb, prod
from types import SimpleNamespace

import numpy as np

from robotdyn.symbolic.trigpoly import BITS, TrigPoly, exponents_of, size_of, without_noise, without_zeros


def lifted(arm, ring):
    """Return the arm with numbers as int or float and expressions as TrigPoly of `ring`, ready for the generic texts."""
    known = {}

    def entry(x):
        if not hasattr(x, "free_symbols"):
            return x
        if x not in known:
            known[x] = polynomial(x, ring)
        return known[x]

    def entries(array):
        return _without_noise(np.array([entry(x) for x in np.ravel(array)], dtype=object)).reshape(np.shape(array))[()]

    parts = ("mass", "com", "inertia", "axis", "position", "rotation", "pitch")
    links = [
        SimpleNamespace(joint=link.joint, **{part: entries(getattr(link, part)) for part in parts})
        for link in arm.links
    ]
    return SimpleNamespace(
        links=links, n=arm.n, dtype=np.dtype(object), gravity=entries(arm.gravity), tip=entries(arm.tip)
    )


def polynomial(x, ring, moving=frozenset()):
    """Return a SymPy expression as a TrigPoly (or a number): what is no polynomial in it becomes a generator.

    moving: the coordinates and rates, which may occur in polynomials and in sines and cosines of their integer
    combinations.  Raises ValueError where they occur otherwise.
    """
    import sympy

    if isinstance(x, sympy.Rational):
        return int(x.p) if x.q == 1 else Fraction(int(x.p), int(x.q))
    if isinstance(x, sympy.Float):
        return _near_whole(float(x), abs(float(x)))
    if isinstance(x, sympy.Add):
        return sum(polynomial(part, ring, moving) for part in x.args)
    if isinstance(x, sympy.Mul):
        return prod(polynomial(part, ring, moving) for part in x.args)
    if isinstance(x, sympy.Pow) and x.exp.is_Integer and x.exp > 0:
        return polynomial(x.base, ring, moving) ** int(x.exp)
    if moving and not x.is_Symbol and x.free_symbols & moving:
        if isinstance(x, (sympy.sin, sympy.cos)):
            return _wave(x, ring, moving)
        raise ValueError(f"{x} must be a polynomial in coordinates and in sines and cosines of sums of angles")
    return ring.generator(x)


def _wave(x, ring, moving):
    """Return sin or cos of  k . q + rest  as a TrigPoly."""
    import sympy

    angle, rest = 0, []
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


def with_pythagoras(f):
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


def _without_square(poly, place, cosine):
    """Replace s^(2k + r) by (1 - c^2)^k s^r in a coefficient; place: of s, cosine: the monomial c."""
    result = {}
    for m, c in poly.items():
        half = exponents_of(m).get(place, 0) // 2
        for j in range(half + 1):
            monomial = m - (2 * half << BITS * place) + 2 * j * cosine
            result[monomial] = result.get(monomial, 0) + c * comb(half, j) * (-1) ** j
    return result


def _without_noise(array):
    """Return an array of an arm without rounding noise beside its largest number, and its largest coefficient."""
    numbers = max((abs(x) for x in array if not isinstance(x, TrigPoly)), default=0)
    coefficients = max((size_of(x) for x in array if isinstance(x, TrigPoly)), default=0)
    clean = [without_noise(x, coefficients) if isinstance(x, TrigPoly) else _near_whole(x, numbers) for x in array]
    return np.array(clean, dtype=object)


def _near_whole(x, size):
    """A float as int where it is whole up to rounding beside `size`: the 6e-17 of a cosine of 90 degrees is 0."""
    return round(x) if isinstance(x, float) and abs(x - round(x)) <= 1e-15 * size else x
