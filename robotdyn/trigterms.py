"""The dictionaries inside a trigonometric polynomial, {key: {monomial: coefficient}}, and  2 cos a cos b = cos(a - b) + cos(a + b).

A row a of integers, one for each joint angle, is one integer, sum_i a_i 2^(12 i), with digits of either sign: rows add
and change sign as integers do.  The greater of a and -a names the pair; the key 2a stands for its cosine and 2a + 1 for
its sine, 0 for the constant 1.  A monomial is an integer with 12 bits for each exponent: a product is a sum.
"""

BITS = 12
LIMIT = 2 ** (BITS - 1) - 1  # the greatest digit and exponent


def row_of(key):
    """Return the digits of the row in a key, without the zeros at its end."""
    row, a = [], key >> 1
    while a:
        row.append((a + LIMIT + 1) % (1 << BITS) - LIMIT - 1)
        a = (a - row[-1]) >> BITS
    return row


def exponents_of(monomial):
    """Return {place: exponent} of a monomial."""
    powers, place = {}, 0
    while monomial:
        if exponent := monomial & ((1 << BITS) - 1):
            powers[place] = exponent
        monomial, place = monomial >> BITS, place + 1
    return powers


def add(first, second):
    """Return the terms of a sum; nothing given is changed."""
    terms = dict(first)
    for key, poly in second.items():
        terms[key] = _plus(terms[key], poly) if key in terms else poly
        if not terms[key]:
            del terms[key]
    return terms


def scale(terms, factor):
    """Return the terms times a number."""
    return {key: {m: c * factor for m, c in poly.items()} for key, poly in terms.items()}


def multiply(first, second):
    """Return the terms of a product times 1 or 2, and that factor."""
    halves = 2 if any(first) and any(second) else 1
    terms = {}
    for a, p in first.items():
        for b, r in second.items():
            poly = _times(p, r)
            if not a or not b:  # one of the two is the constant 1
                _collect(terms, a or b, poly, halves)
                continue
            kind = (a ^ b) & 1  # 0: a sum of cosines, 1: a sum of sines
            _collect(terms, (a >> 1) + (b >> 1) << 1 | kind, poly, -1 if a & b & 1 else 1)
            row = (a >> 1) - (b >> 1)
            if row or not kind:  # sin 0 = 0
                minus = kind and (row < 0) != (b & 1)  # sin a cos b has + sin(a - b), cos a sin b has - sin(a - b)
                _collect(terms, abs(row) << 1 | kind, poly, -1 if minus else 1)
    return without_zeros(terms), halves


def by_angle(terms, place):
    """Return the terms of the derivative by the angle at this place of the rows."""
    result = {}
    for key, poly in terms.items():
        row = row_of(key)
        if place < len(row) and row[place]:
            factor = row[place] if key & 1 else -row[place]
            result[key ^ 1] = {m: c * factor for m, c in poly.items()}
    return result


def by_generator(terms, place):
    """Return the terms of the derivative by the generator at this place of the monomials."""
    shift, result = BITS * place, {}
    for key, poly in terms.items():
        powers = {m: m >> shift & ((1 << BITS) - 1) for m in poly}
        if lower := {m - (1 << shift): c * powers[m] for m, c in poly.items() if powers[m]}:
            result[key] = lower
    return result


def without_zeros(terms):
    """Return the terms without zero coefficients."""
    result = {}
    for key, poly in terms.items():
        kept = {m: c for m, c in poly.items() if c} if 0 in poly.values() else poly
        if kept:
            result[key] = kept
    return result


def _times(p, r):
    if len(p) > len(r):
        p, r = r, p
    if len(p) == 1:
        ((m, c),) = p.items()
        return {m + n: c * d for n, d in r.items()}
    result = {}
    for m, c in p.items():
        for n, d in r.items():
            result[m + n] = result.get(m + n, 0) + c * d
    return result


def _collect(terms, key, poly, factor):
    mine = terms.get(key)
    if mine is None:
        terms[key] = dict(poly) if factor == 1 else {m: c * factor for m, c in poly.items()}
    else:
        for m, c in poly.items():
            mine[m] = mine.get(m, 0) + c * factor


def _plus(p, r):
    result = dict(p)
    for m, c in r.items():
        total = result.get(m, 0) + c
        if total:
            result[m] = total
        else:
            result.pop(m, None)
    return result
