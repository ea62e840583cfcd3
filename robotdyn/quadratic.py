"""Quadratic forms in the joint velocities, factored where they can be:  a^2 - b^2 = (a - b)(a + b)."""

from math import gcd, isqrt


def linear_factors(terms):
    """Return number, [form, form] whose product is a quadratic form with integer coefficients, or None.

    terms and forms: lists of (number, {variable: exponent}).  One variable v that occurs squared is singled out,
    c v^2 + b v + r: the forms are rational where the discriminant b^2 - 4 c r is the square of a linear form.
    """
    form = {}
    for number, powers in terms:
        if isinstance(number, float) or sum(powers.values()) != 2:
            return None
        form[_pair(powers)] = number
    v = next((i for i, j in form if i == j), None)
    if v is None:
        return None
    c = form[v, v]
    b = {i if j == v else j: k for (i, j), k in form.items() if (i == v) != (j == v)}
    discriminant = _square(b)
    for pair, k in form.items():
        if v not in pair:
            discriminant[pair] = discriminant.get(pair, 0) - 4 * c * k
    root = _root({pair: k for pair, k in discriminant.items() if k})
    if root is None:
        return None
    first = {v: 2 * c, **{i: b.get(i, 0) + root.get(i, 0) for i in b.keys() | root.keys()}}
    second = {v: 2 * c, **{i: b.get(i, 0) - root.get(i, 0) for i in b.keys() | root.keys()}}
    (m, first), (n, second) = _primitive(first), _primitive(second)
    return m * n // (4 * c), [first, second]


def _root(form):
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


def _square(linear):
    result = {}
    for i, a in linear.items():
        for j, b in linear.items():
            pair = min(i, j), max(i, j)
            result[pair] = result.get(pair, 0) + a * b
    return {pair: k for pair, k in result.items() if k}


def _primitive(linear):
    """Return the content of a linear form, and the form without it as a list of terms."""
    content = gcd(*linear.values())
    return content, [(k // content, {i: 1}) for i, k in sorted(linear.items()) if k]


def _pair(powers):
    variables = sorted(i for i, e in powers.items() for _ in range(e))
    return variables[0], variables[1]
