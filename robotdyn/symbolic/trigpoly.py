"""Trigonometric polynomials, the normal form of an arm's energy:  f(q) = sum_a  p_a cos(a . q) + r_a sin(a . q).

Each a is a row of integers, p_a and r_a are polynomials, and q are the generators: the coordinates and parameters of
an arm.  So one coordinate may turn, inside of a sine, and slide, outside of it, as that of a screw does.  Products of
cosines and sines become sums,  2 cos a cos b = cos(a - b) + cos(a + b),  so that equal functions reach equal
dictionaries and nothing is left to simplify.

They are kept as {key: {monomial: coefficient}}.  A row is one integer, sum_i a_i 2^(12 i), with digits of either sign:
rows add and change sign as integers do.  The greater of a and -a names the pair; the key 2a stands for its cosine and
2a + 1 for its sine, 0 for the constant 1.  A monomial is an integer with 12 bits for each exponent: a product is a sum.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from math import gcd, lcm, prod
from numbers import Integral, Rational, Real
from typing import Any, ClassVar, TypeAlias

Poly: TypeAlias = dict[int, Any]  # {monomial: coefficient}
Terms: TypeAlias = dict[int, Poly]
BITS = 12
MAX_DEGREE = 2 ** (BITS - 1) - 1  # the greatest digit and exponent


class TrigRing:
    """The names that trigonometric polynomials of one arm share: `generators`, a list of hashable labels."""

    def __init__(self) -> None:
        self.generators: list[Any] = []

    def generator(self, label: Hashable) -> TrigPoly:
        """Return the polynomial that is the coordinate or parameter with this label (a new one if it has none yet)."""
        if label not in self.generators:
            self.generators.append(label)
        return TrigPoly(self, {0: {1 << BITS * self.generators.index(label): 1}}, 1, 1)


class TrigPoly:
    """A trigonometric polynomial.  It adds and multiplies with its like and with int, Fraction and float.

    terms: {key: {monomial: coefficient}}, as above; den: the denominator of every coefficient, so that halves
    and twelfths cost no fractions; degree: a bound on every exponent and digit.
    Values never change; a sum that vanishes comes back as the number 0.
    """

    __slots__ = ("degree", "den", "ring", "terms")
    ring: TrigRing
    terms: Terms
    den: int
    degree: int
    is_finite: bool = True
    __hash__: ClassVar[None]  # type: ignore[assignment]

    def __init__(self, ring: TrigRing, terms: Terms, den: int, degree: int) -> None:
        if degree > MAX_DEGREE:
            raise OverflowError(f"a trigonometric polynomial must have degree <= {MAX_DEGREE}, got up to {degree}")
        self.ring = ring
        self.terms = terms
        self.den = den
        self.degree = degree

    def __add__(self, other: Any) -> Any:
        if type(other) is not TrigPoly:
            if not _is_number(other):
                return NotImplemented
            if other == 0:
                return self
            other = _constant(self.ring, other)
        den = self.den if self.den == other.den else lcm(self.den, other.den)
        terms = add(_over_denominator(self, den), _over_denominator(other, den))
        return TrigPoly(_same_ring(self, other), terms, den, max(self.degree, other.degree)) if terms else 0

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        if type(other) is not TrigPoly:
            return self._scaled(other) if _is_number(other) else NotImplemented
        terms, halves = multiply(self.terms, other.terms)
        den = self.den * other.den * halves
        degree = self.degree + other.degree
        return TrigPoly(_same_ring(self, other), terms, den, degree) if terms else 0

    __rmul__ = __mul__

    def _scaled(self, number: Any) -> Any:
        if number == 1:
            return self
        if number == 0:
            return 0
        if isinstance(number, Rational):
            terms = scale(self.terms, int(number.numerator))
            den = self.den * int(number.denominator)
        else:
            terms = scale(self.terms, float(number))
            den = self.den
        return TrigPoly(self.ring, terms, den, self.degree)

    def __truediv__(self, number: Any) -> Any:
        if not _is_number(number):
            return NotImplemented
        return self._scaled(1 / (Fraction(number) if isinstance(number, Rational) else number))

    def __pow__(self, exponent: Any) -> Any:
        if not isinstance(exponent, Integral) or exponent < 0:
            return NotImplemented
        return prod([self] * int(exponent))

    def __neg__(self) -> TrigPoly:
        return self._scaled(-1)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __eq__(self, other: object) -> bool:
        if _is_number(other):
            other = _constant(self.ring, other)
        return self.canonical() == other.canonical() if isinstance(other, TrigPoly) else NotImplemented

    def __repr__(self) -> str:
        return f"TrigPoly({self.canonical()}, {self.ring.generators})"

    def canonical(self) -> Terms:
        """Return {key: {monomial: number}} with the denominator divided out: equal for equal functions."""
        return {key: {m: _ratio(c, self.den) for m, c in poly.items()} for key, poly in self.terms.items()}

    @property
    def size(self) -> float:
        """The largest coefficient, in absolute value."""
        return max(abs(c) for poly in self.terms.values() for c in poly.values()) / self.den

    def without_noise(self, size: float) -> Any:
        """Return the polynomial without the coefficients that are floats below `size` * 1e-15."""
        threshold = size * 1e-15 * self.den
        denoised = lambda c: 0 if isinstance(c, float) and abs(c) < threshold else c
        terms = without_zeros({key: {m: denoised(c) for m, c in poly.items()} for key, poly in self.terms.items()})
        return TrigPoly(self.ring, terms, self.den, self.degree) if terms else 0

    def cos(self) -> TrigPoly:
        """Return the cosine of an integer combination of generators."""
        return self._harmonic(0, 1)

    def sin(self) -> TrigPoly:
        """Return the sine of an integer combination of generators."""
        return self._harmonic(1, 1 if self._row() > 0 else -1)

    def _harmonic(self, kind: int, coefficient: int) -> TrigPoly:
        key = abs(self._row()) << 1 | kind
        return TrigPoly(self.ring, {key: {0: coefficient}}, 1, sum(map(abs, row_of(key))))

    def _row(self) -> int:
        """Return the row of this polynomial, k . q: a monomial of one generator is 2^(12 i), the digit of its place."""
        terms = self.canonical().get(0, {})
        generators = all(list(exponents_of(m).values()) == [1] for m in terms)
        if set(self.terms) != {0} or not generators or not all(isinstance(k, int) for k in terms.values()):
            raise TypeError(
                "sin and cos need an integer combination of coordinates, got another polynomial: give what stands in "
                "them a name of its own"
            )
        return sum(k * m for m, k in terms.items())


def diff(f: Any, label: Hashable) -> Any:
    """Return the exact derivative of f (a TrigPoly or a number) by the generator with this label."""
    if _is_number(f):
        return 0
    if label not in f.ring.generators:
        raise ValueError(f"the label must be one of {f.ring.generators}, got {label!r}")
    place = f.ring.generators.index(label)
    terms = add(
        differentiate_harmonics(f.terms, place), differentiate_coefficients(f.terms, place)
    )  # inside of sines and cosines, and outside
    return TrigPoly(f.ring, terms, f.den, f.degree) if terms else 0


def size_of(f: Any) -> float:
    """Return the largest coefficient of f, a TrigPoly or a number, in absolute value."""
    return abs(f) if _is_number(f) else f.size


def without_noise(f: Any, size: float) -> Any:
    """Return f, a TrigPoly or a number, without what is a float below `size` * 1e-15: rounding noise beside `size`."""
    if _is_number(f):
        return 0 if isinstance(f, float) and abs(f) < size * 1e-15 else f
    return f.without_noise(size)


def _over_denominator(f: TrigPoly, den: int) -> Terms:
    """Return the terms of f over the denominator den."""
    return f.terms if f.den == den else scale(f.terms, den // f.den)


def _constant(ring: TrigRing, number: Any) -> TrigPoly:
    if isinstance(number, Rational):
        return TrigPoly(ring, {0: {0: int(number.numerator)}} if number else {}, int(number.denominator), 0)
    return TrigPoly(ring, {0: {0: float(number)}} if number else {}, 1, 0)


def _ratio(c: Any, den: int) -> Any:
    if isinstance(c, float):
        return c / den
    return c // den if gcd(c, den) == den else Fraction(c, den)


def _is_number(x: object) -> bool:
    return type(x) is int or type(x) is float or isinstance(x, Real)


def _same_ring(first: TrigPoly, second: TrigPoly) -> TrigRing:
    if first.ring is not second.ring:
        raise ValueError("two polynomials must come from one TrigRing, got two: take all names from one of them")
    return first.ring


# ---- the dictionaries inside of them ------------------------------------------------------------------------------------


def row_of(key: int) -> list[int]:
    """Return the digits of the row in a key, without the zeros at its end."""
    row = []
    a = key >> 1
    while a:
        row.append((a + MAX_DEGREE + 1) % (1 << BITS) - MAX_DEGREE - 1)
        a = (a - row[-1]) >> BITS
    return row


def exponents_of(monomial: int) -> dict[int, int]:
    """Return {place: exponent} of a monomial."""
    powers = {}
    place = 0
    while monomial:
        if exponent := monomial & ((1 << BITS) - 1):
            powers[place] = exponent
        monomial = monomial >> BITS
        place = place + 1
    return powers


def add(first: Terms, second: Terms) -> Terms:
    """Return the terms of a sum; nothing given is changed."""
    terms = dict(first)
    for key, poly in second.items():
        terms[key] = _add_polys(terms[key], poly) if key in terms else poly
        if not terms[key]:
            del terms[key]
    return terms


def scale(terms: Terms, factor: Any) -> Terms:
    """Return the terms times a number."""
    return {key: {m: c * factor for m, c in poly.items()} for key, poly in terms.items()}


def multiply(first: Terms, second: Terms) -> tuple[Terms, int]:
    """Return the terms of a product times 1 or 2, and that factor."""
    halves = 2 if any(first) and any(second) else 1
    terms: Terms = {}
    for a, p in first.items():
        for b, r in second.items():
            poly = _multiply_polys(p, r)
            if not a or not b:  # one of the two is the constant 1
                _accumulate(terms, a or b, poly, halves)
                continue
            kind = (a ^ b) & 1  # 0: a sum of cosines, 1: a sum of sines
            _accumulate(terms, (a >> 1) + (b >> 1) << 1 | kind, poly, -1 if a & b & 1 else 1)
            row = (a >> 1) - (b >> 1)
            if row or not kind:  # sin 0 = 0
                minus = kind and (row < 0) != (b & 1)  # sin a cos b has + sin(a - b), cos a sin b has - sin(a - b)
                _accumulate(terms, abs(row) << 1 | kind, poly, -1 if minus else 1)
    return without_zeros(terms), halves


def differentiate_harmonics(terms: Terms, place: int) -> Terms:
    """Return the terms of the derivative of the cosines and sines by the generator at this place of the rows."""
    result = {}
    for key, poly in terms.items():
        row = row_of(key)
        if place < len(row) and row[place]:
            factor = row[place] if key & 1 else -row[place]
            result[key ^ 1] = {m: c * factor for m, c in poly.items()}
    return result


def differentiate_coefficients(terms: Terms, place: int) -> Terms:
    """Return the terms of the derivative of the coefficients by the generator at this place of the monomials."""
    shift = BITS * place
    result = {}
    for key, poly in terms.items():
        powers = {m: m >> shift & ((1 << BITS) - 1) for m in poly}
        if lower := {m - (1 << shift): c * powers[m] for m, c in poly.items() if powers[m]}:
            result[key] = lower
    return result


def without_zeros(terms: Terms) -> Terms:
    """Return the terms without zero coefficients."""
    result = {}
    for key, poly in terms.items():
        nonzero = {m: c for m, c in poly.items() if c} if 0 in poly.values() else poly
        if nonzero:
            result[key] = nonzero
    return result


def _multiply_polys(p: Poly, r: Poly) -> Poly:
    if len(p) > len(r):
        p, r = r, p
    if len(p) == 1:
        ((m, c),) = p.items()
        return {m + n: c * d for n, d in r.items()}
    result: Poly = {}
    for m, c in p.items():
        for n, d in r.items():
            result[m + n] = result.get(m + n, 0) + c * d
    return result


def _accumulate(terms: Terms, key: int, poly: Poly, factor: int) -> None:
    mine = terms.get(key)
    if mine is None:
        terms[key] = dict(poly) if factor == 1 else {m: c * factor for m, c in poly.items()}
    else:
        for m, c in poly.items():
            mine[m] = mine.get(m, 0) + c * factor


def _add_polys(p: Poly, r: Poly) -> Poly:
    result = dict(p)
    for m, c in r.items():
        total = result.get(m, 0) + c
        if total:
            result[m] = total
        else:
            result.pop(m, None)
    return result
