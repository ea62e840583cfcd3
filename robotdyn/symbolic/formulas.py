"""Trigonometric polynomials as SymPy expressions, short ones:  l_1 (m_2 c_2 + l_2 m_3) (2 qdot_1 + qdot_2) sin(q_2).

A polynomial first becomes a list of terms (number, {atom: exponent}), one for each cosine or sine, its coefficient
factored, quadratic forms in the joint velocities where they can be:  a^2 - b^2 = (a - b)(a + b); then the sum is nested:
what most terms share is taken out first.  SymPy's own simplifiers are never called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cmp_to_key
from math import gcd, isqrt
from typing import Any, TypeAlias

from robotdyn.symbolic.trigpoly import BITS, Poly, TrigPoly, TrigRing, exponents_of, row_of

Powers: TypeAlias = dict[int, int]  # {atom, or variable: exponent}
TermList: TypeAlias = Sequence[tuple[Any, Powers]]  # numbers times powers
Form: TypeAlias = dict[tuple[int, int], int]  # a quadratic form, {(i, j): coefficient}


class Formulas:
    """Writes polynomials of one ring as expressions; equal parts are made once.

    ring: its labels are SymPy symbols or expressions; rates: the generators that are joint velocities.
    Atoms are places in `atoms`: the generators, then whatever is made on the way, a cosine, a sum of velocities, a sum
    of parameters; `costs` holds the operations that an atom takes wherever it is written, with one multiplication.
    """

    def __init__(self, ring: TrigRing, rates: Sequence[Any] = ()) -> None:
        import sympy

        self.ring = ring
        self.sympy: Any = sympy
        self.rates: int = sum(((1 << BITS) - 1) << BITS * ring.generators.index(rate) for rate in rates)
        self.atoms: list[Any] = list(ring.generators)
        self.costs: list[int] = [1] * len(self.atoms)
        self.known: dict[Any, Any] = {}
        self.powers_of: dict[int, Powers] = {}
        self.in_order: Any = cmp_to_key(sympy.Basic.compare)
        self.distinct: bool = all(label.is_Symbol or label.is_Function for label in ring.generators)

    def expression(self, f: Any) -> Any:
        """Return f, a TrigPoly or a number, as an expression."""
        if not isinstance(f, TrigPoly):
            return self.sympy.sympify(f)
        terms: list[tuple[Any, Powers]] = []
        for key, poly in f.terms.items():
            harmonic = self._harmonic(key)
            for shared, rates in self._split_by_rates(poly):
                if len(shared) == 1 or not key:
                    terms += [(c, {**self._powers(m), **rates, **harmonic}) for m, c in shared.items()]
                else:
                    number, powers, rest = self._without_common([(c, self._powers(m)) for m, c in shared.items()])
                    terms.append((number, {**powers, self._sum_atom(rest): 1, **rates, **harmonic}))
        number, powers, rest = self._without_common(terms)
        return self._product(number, f.den, powers, [self._nested_sum(rest)] if len(rest) > 1 else [])

    # ---- atoms ----

    def _harmonic(self, key: int) -> Powers:
        """Return the cosine or sine of a key as {atom: 1}; nothing for the constant 1."""
        if key == 0:
            return {}
        if key not in self.known:
            angle = self.sympy.Add(*(k * label for k, label in zip(row_of(key), self.ring.generators)))
            self.known[key] = self._atom(self.sympy.sin(angle) if key & 1 else self.sympy.cos(angle))
        return {self.known[key]: 1}

    def _split_by_rates(self, poly: Poly) -> Iterator[tuple[Poly, Powers]]:
        """Split a coefficient into products p(parameters) r(velocities): yield p and the powers of atoms that make r."""
        if not self.rates:
            yield poly, {}
            return
        parts: dict[int, Poly] = {}
        groups: dict[Any, Any] = {}
        for monomial, c in poly.items():
            rate = monomial & self.rates
            parts.setdefault(rate, {})[monomial - rate] = c
        for rate, part in parts.items():
            number = _content(part.values())
            groups.setdefault(frozenset((m, _quotient(c, number)) for m, c in part.items()), []).append((number, rate))
        for shared, members in groups.items():
            common = _content([number for number, _ in members])
            members = [(_quotient(number, common), self._powers(rate)) for number, rate in members]
            number, powers = self._rates_as_factors(members)
            yield {m: c * common * number for m, c in shared}, powers

    def _rates_as_factors(self, members: TermList) -> tuple[Any, Powers]:
        """Return a number and powers of atoms whose product is this sum of velocities, or of their products."""
        if len(members) == 1:
            return members[0]
        key = _key(members)
        if key not in self.known:
            number, powers, rest = self._without_common(members)
            powers = Counter(powers)
            number, forms = linear_factors(rest) or (number, [rest])
            for form in forms:
                powers.update([self._sum_atom(form)] if len(form) > 1 else form[0][1])
            self.known[key] = number, dict(powers)
        return self.known[key]

    def _sum_atom(self, terms: TermList) -> int:
        """Return the atom that is this sum."""
        key = "sum", _key(terms)
        if key not in self.known:
            self.known[key] = self._atom(self._nested_sum(terms))
        return self.known[key]

    def _atom(self, expression: Any) -> int:
        self.atoms.append(expression)
        self.costs.append(1 + int(expression.count_ops()))
        return len(self.atoms) - 1

    def _powers(self, monomial: int) -> Powers:
        if monomial not in self.powers_of:
            self.powers_of[monomial] = exponents_of(monomial)
        return self.powers_of[monomial]

    # ---- nesting ----

    def _without_common(self, terms: TermList) -> tuple[Any, Powers, TermList]:
        """Return the number and the powers that all terms share, and the terms without them."""
        number = _content([c for c, _ in terms])
        powers = terms[0][1]
        for _, other in terms[1:]:
            powers = {i: min(e, other[i]) for i, e in powers.items() if i in other}
            if not powers:
                break
        if number == 1 and not powers:
            return 1, powers, terms
        remaining = lambda term_powers: {
            i: e - powers.get(i, 0) for i, e in term_powers.items() if e != powers.get(i, 0)
        }
        return number, powers, [(_quotient(c, number), remaining(term_powers)) for c, term_powers in terms]

    def _nested_sum(self, terms: TermList) -> Any:
        """Return a sum, nested: the power that saves most when it is taken out of its terms, then the next.

        A square stays whole:  l^2 + 2 l c  is left as it is.
        """
        parts: list[Any] = []
        while True:
            uses = Counter(item for _, powers in terms for item in powers.items())
            often = [item for item in uses if uses[item] > 1]
            if not often:
                return self._sum_of_parts(parts + self._ungrouped(terms))
            place, exponent = max(often, key=lambda item: (self._saving(item, terms), -item[0]))
            inside = [term for term in terms if term[1].get(place) == exponent]
            terms = [term for term in terms if term[1].get(place) != exponent]
            number, powers, rest = self._without_common(inside)
            parts.append(self._product(number, 1, powers, [self._nested_sum(rest)]))

    def _saving(self, item: tuple[int, int], terms: TermList) -> int:
        inside = [powers.items() for _, powers in terms if item in powers.items()]
        shared = set(inside[0]).intersection(*inside[1:])
        return (len(inside) - 1) * sum(self.costs[i] for i, _ in shared)

    def _ungrouped(self, terms: TermList) -> list[Any]:
        """Return the parts of a sum in which no two terms share an atom; equal numbers come once, as 2 (a + b)."""
        groups: dict[Any, list[tuple[Any, Powers]]] = {}
        for c, powers in terms:
            groups.setdefault(abs(c), []).append((c, powers))
        parts = []
        for size, members in groups.items():
            if size == 1 or len(members) == 1:
                parts += [self._product(c, 1, powers) for c, powers in members]
            else:
                inner = self._sum_of_parts([self._product(_quotient(c, size), 1, powers) for c, powers in members])
                parts.append(self._product(size, 1, {}, [inner]))
        return parts

    def _product(self, number: Any, den: int, powers: Powers, more: Sequence[Any] = ()) -> Any:
        number = self._number(number, den)
        factors = [self._power(item) for item in powers.items()]
        factors += more
        if number == 1 and len(factors) == 1:
            return factors[0]
        if len(factors) == 1 and abs(number) != 1 and factors[0].is_Add:
            return self.sympy.Mul(number, *factors, evaluate=False)  # 2 (a + b), which Mul would multiply out
        if not self.distinct or len(factors) == 1 or any(factor.is_Mul for factor in factors):
            return self.sympy.Mul(number, *factors)
        factors.sort(key=self.in_order)
        return self.sympy.Mul._from_args(factors if number == 1 else [number, *factors], True)

    def _sum_of_parts(self, parts: list[Any]) -> Any:
        if len(parts) == 1:
            return parts[0]
        if not self.distinct or any(part.is_Add or part.is_Number for part in parts):
            return self.sympy.Add(*parts)
        parts.sort(key=self.in_order)
        return self.sympy.Add._from_args(parts, True)

    def _power(self, item: tuple[int, int]) -> Any:
        place, exponent = item
        if exponent == 1:
            return self.atoms[place]
        if item not in self.known:
            self.known[item] = self.atoms[place] ** exponent
        return self.known[item]

    def _number(self, number: Any, den: int) -> Any:
        if isinstance(number, float) and not (number / den).is_integer():
            return self.sympy.Float(number / den)
        return self.sympy.Rational(int(number), den)


def _key(terms: TermList) -> Any:
    return frozenset((c, frozenset(powers.items())) for c, powers in terms)


def _content(numbers: Iterable[Any]) -> Any:
    """Return the number to take out of a sum: the common divisor of whole coefficients, minus where all are minus."""
    numbers = list(numbers)
    if any(isinstance(c, float) for c in numbers):
        return numbers[0] if len(numbers) == 1 else 1
    return gcd(*numbers) * (-1 if all(c < 0 for c in numbers) else 1)


def _quotient(c: Any, number: Any) -> Any:
    return c / number if isinstance(c, float) else c // number


# ---- quadratic forms ------------------------------------------------------------------------------------------------


def linear_factors(terms: TermList) -> tuple[int, list[TermList]] | None:
    """Return number, [form, form] whose product is a quadratic form with integer coefficients, or None.

    terms and forms: lists of (number, {variable: exponent}).  One variable v that occurs squared is singled out,
    c v^2 + b v + r: the forms are rational where the discriminant b^2 - 4 c r is the square of a linear form.
    """
    form = _integer_form(terms)
    v = next((i for i, j in form if i == j), None)
    if v is None:
        return None
    c = form[v, v]
    b = {i if j == v else j: k for (i, j), k in form.items() if (i == v) != (j == v)}
    discriminant = _square(b)
    for pair, k in form.items():
        if v not in pair:
            discriminant[pair] = discriminant.get(pair, 0) - 4 * c * k
    root = _square_root({pair: k for pair, k in discriminant.items() if k})
    if root is None:
        return None
    first = {v: 2 * c, **{i: b.get(i, 0) + root.get(i, 0) for i in b.keys() | root.keys()}}
    second = {v: 2 * c, **{i: b.get(i, 0) - root.get(i, 0) for i in b.keys() | root.keys()}}
    m, one = _primitive(first)
    n, other = _primitive(second)
    return m * n // (4 * c), [one, other]


def _integer_form(terms: TermList) -> Form:
    """Return the quadratic form with integer coefficients that a sum is, {} where it is none."""
    if any(isinstance(number, float) or sum(powers.values()) != 2 for number, powers in terms):
        return {}
    return {_pair(powers): number for number, powers in terms}


def _square_root(form: Form) -> Powers | None:
    """Return the linear form whose square this is, or None."""
    if not form:
        return {}
    u = next((i for i, j in form if i == j), None)
    if u is None or form[u, u] < 0 or isqrt(form[u, u]) ** 2 != form[u, u]:
        return None
    lead = isqrt(form[u, u])
    others = {i if j == u else j: k for (i, j), k in form.items() if (i == u) != (j == u)}
    if any(k % (2 * lead) for k in others.values()):
        return None
    root = {u: lead, **{i: k // (2 * lead) for i, k in others.items()}}
    return root if _square(root) == form else None


def _square(linear: Powers) -> Form:
    result: Form = {}
    for i, a in linear.items():
        for j, b in linear.items():
            pair = min(i, j), max(i, j)
            result[pair] = result.get(pair, 0) + a * b
    return {pair: k for pair, k in result.items() if k}


def _primitive(linear: Powers) -> tuple[int, TermList]:
    """Return the content of a linear form, and the form without it as a list of terms."""
    content = gcd(*linear.values())
    return content, [(k // content, {i: 1}) for i, k in sorted(linear.items()) if k]


def _pair(powers: Powers) -> tuple[int, int]:
    variables = sorted(i for i, e in powers.items() for _ in range(e))
    return variables[0], variables[1]
