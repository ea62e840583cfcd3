r"""How far each thing reaches in a row of factors: \sum and \frac{d}{dt} over what follows, \cos over its argument.

The rules are those of a careful reader; where two careful readers could differ, the row is refused with the way out.
A sum, product or integral reaches to the end of its term. A derivative takes one factor or one bracket. A function
without a bracket takes one factor, or a number and a plain letter, or a plain letter and the time: \cos 2 q,
\sin \Omega t, but \cos\tilde q_k l_k ends before l_k, and \cos\theta l is refused.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NoReturn, TypeGuard

from eqproof import tree
from eqproof.errors import Unreadable

ONE_FACTOR = ("det", "tr", "diag", "rank", "sign", "exp")  # these never swallow a second letter
TIME = tree.Symbol("t")
NOT_PRINTED = "braces and colors are not printed as brackets, and without these it says something else: write brackets"
ENDS_BY_ITSELF = (
    *(tree.Symbol, tree.Number, tree.Group, tree.Matrix, tree.Fraction, tree.Root, tree.Bars, tree.Dots),
    *(tree.Power, tree.Mark, tree.Indexed, tree.Dotted),
)
DELTAS = (tree.Symbol(r"\delta"), tree.Symbol(r"\Delta"))


@dataclass(frozen=True)
class Operator(tree.Node):
    """A sign between factors: cdot, times or slash."""

    text: str


@dataclass(frozen=True)
class Head(tree.Node):
    """The name of a function, perhaps with a power, whose argument is still to come."""

    name: str
    power: tree.Node | None = None


@dataclass(frozen=True)
class BigHead(tree.Node):
    """A sum, product or integral whose body is still to come."""

    kind: str
    low: tree.Node | None = None
    high: tree.Node | None = None


@dataclass(frozen=True)
class DerivativeHead(tree.Node):
    """d/dt whose operand is still to come."""

    kind: str
    order: int
    variables: tuple


@dataclass(frozen=True)
class Braces(tree.Node):
    """What stands in braces, which are not printed: a product, a sum, or what has no end of its own, such as \\sin x."""

    inside: tree.Node


def refuse(sentence: str, item: Any) -> NoReturn:
    """Raise the error that points at an item."""
    raise Unreadable(sentence, place=item.span[0])


def span(items):
    """Return the place of a row of items."""
    return (items[0].span[0], items[-1].span[1])


def braces(inside, place):
    """Return what stands in braces: itself where it ends by itself."""
    return inside if isinstance(inside, ENDS_BY_ITSELF) and not reaches_on(inside) else Braces(inside, span=place)


def reaches_on(node):
    r"""Tell whether a node may swallow what is printed behind it: \sin x, \sin^2 x, a sum."""
    return isinstance(node.base if isinstance(node, tree.Power) else node, tree.Call | tree.Big | tree.Limit)


def bare(sign, term):
    """Return a term without the braces around it; a sign in front of a sum in braces is not printed in front of all of it."""
    if not isinstance(term, Braces):
        return term
    if sign.text == "-" and isinstance(term.inside, tree.Add):
        refuse(NOT_PRINTED, term)
    return term.inside


def opened(items):
    """Return a row without braces: what is printed stands there as if there were none."""
    row: list = []
    for i, item in enumerate(items):
        inside = item.inside if isinstance(item, Braces) else item
        factors = inside.factors if isinstance(item, Braces) and isinstance(inside, tree.Product) else (inside,)
        goes_on = i + 1 < len(items) and reaches_on(factors[-1])
        if isinstance(item, Braces) and (isinstance(inside, tree.Add | tree.Binary) or goes_on):
            refuse(NOT_PRINTED, item)
        row += factors
    return row


def shape(items):
    """Return the node that a row of factors and signs stands for."""
    items = list(items)
    if len(items) == 1 and isinstance(items[0], Braces):
        return items[0]
    items = opened(items)
    for i, item in enumerate(items):
        if isinstance(item, BigHead):
            return shape([*items[:i], big(item, items[i + 1 :])])
        if isinstance(item, DerivativeHead):
            return shape([*items[:i], derivative(item, items[i + 1 :])])
    rows: list[list] = [[]]
    signs = []
    for item in items:
        if isinstance(item, Operator):
            signs.append(item)
            rows.append([])
        else:
            rows[-1].append(item)
    for row, sign in zip(rows, [*signs, items[-1]]):
        if not row:
            refuse("a factor is missing beside this sign", sign)
    for row, sign in zip(rows, signs):
        if isinstance(row[-1], Head):
            refuse("a function stands here without its argument", sign)
    if len({sign.text for sign in signs if sign.text != "slash"}) > 1:
        refuse("a row with both \\cdot and \\times can be read in two ways: add brackets", signs[0])
    if len(signs) > 1 and any(sign.text == "slash" for sign in signs[:-1]):
        refuse("what the slash divides by can be read in two ways: write \\frac or brackets", signs[-1])
    return fold(rows, signs)


def fold(rows, signs):
    """Join products with the signs between them, from left to right; a slash divides by a single factor."""
    result: Any = None
    for before, row, sign in zip([None, *rows], rows, [None, *signs]):
        if sign is None:
            result, first = product(row), row
            continue
        if sign.text == "slash":
            parts = partial_fraction(first, row) if len(rows) == 2 else None
            if parts:
                return parts
            if bare_function(before):
                refuse("a function of a quotient, or its quotient: write \\frac or brackets", sign)
            last = before[-1]
            if isinstance(last, tree.Power) and last.exponent == tree.Number("1"):
                refuse("x^1/2 can be a root and a half: write x^{1/2} or x / 2", last)
            if len(row) > 1 and not isinstance(row[0], Head):
                refuse("what the slash divides by can be read in two ways: write \\frac or brackets", row[1])
        if sign.text != "slash" and bare_function(before):
            refuse("a function of a product, or its product: set brackets", sign)
        right = product(row)
        result = tree.Binary(sign.text, result, right, span=(result.span[0], right.span[1]))
    return result


def bare_function(row):
    """Tell whether a row ends in a function whose argument has no bracket."""
    heads = [i for i, item in enumerate(row) if isinstance(item, Head)]
    return bool(heads) and not isinstance(row[heads[-1] + 1], tree.Group)


def product(row):
    """Return the product of a row without signs, the functions with their arguments."""
    row, factors, i = prefixed(row), [], 0
    while i < len(row):
        if isinstance(row[i], Head):
            node, i = call(row, i)
            factors.append(node)
        else:
            if isinstance(row[i], tree.Group) and i and isinstance(row[i - 1], tree.Derivative):
                refuse("brackets behind a derivative can be its place or a factor: write the factor in front", row[i])
            if isinstance(row[i], tree.Number) and i and isinstance(row[i - 1], tree.Number):
                refuse("two numbers stand side by side: write \\cdot between them", row[i])
            if isinstance(row[i], tree.Number) and i and isinstance(row[i - 1], tree.Symbol) and not row[i - 1].sub:
                refuse("a number behind a letter can be its index and a factor: write it in front, or _{..}", row[i])
            if isinstance(row[i], tree.Number) and i and raised_or_lowered(row[i - 1]):
                refuse(
                    "a number behind an index or a power can belong to it: write ^{..} or _{..}, or it in front", row[i]
                )
            if i and isinstance(row[i - 1], tree.Number) and numeric(row[i]):
                refuse(
                    "a number and a fraction can be their sum and their product: write one fraction, or \\cdot", row[i]
                )
            factors.append(row[i])
            i += 1
    return factors[0] if len(factors) == 1 else tree.Product(tuple(factors), span=span(factors))


def swallowed(item):
    r"""Tell whether an item behind a function and a letter can be a part of its argument: \cos\omega t^2, \sin x \frac{1}{2}."""
    return isinstance(item, tree.Fraction | tree.Root) or (isinstance(item, tree.Power) and plain(item.base))


def raised_or_lowered(item):
    r"""Tell whether an item ends in a number or an index above or below the line, as x^1 in x^12 does."""
    return (isinstance(item, tree.Power) and isinstance(item.exponent, tree.Number)) or (
        isinstance(item, tree.Symbol | tree.Indexed) and bool(item.sub)
    )


def numeric(item):
    """Tell whether an item is a fraction of two numbers."""
    return isinstance(item, tree.Fraction) and all(isinstance(x, tree.Number) for x in (item.above, item.below))


def prefixed(factors):
    r"""Join the \delta of \delta q and the \Delta of \Delta t with their letter."""
    joined: list = []
    for factor in factors:
        letter = factor.base if isinstance(factor, tree.Power) else factor
        before = joined[-1] if joined else None
        if isinstance(letter, tree.Symbol) and not letter.prefix and before in DELTAS:
            place = (joined.pop().span[0], factor.span[1])
            one = replace(letter, prefix=before.base, span=(place[0], letter.span[1]))
            factor = replace(factor, base=one, span=place) if isinstance(factor, tree.Power) else one
        joined.append(factor)
    return joined


def plain(item: Any) -> TypeGuard[tree.Symbol]:
    """Tell whether an item is a letter without style, dots or accents."""
    return isinstance(item, tree.Symbol) and not (item.style or item.accents or item.dots or item.sup)


def call(row, i):
    """Return the call of the function at place i of the row, and the place after its argument."""
    head, j = row[i], i + 1
    if j == len(row):
        refuse("a function stands here without its argument", head)
    first = row[j]
    j += 1
    if isinstance(first, Head):
        refuse("a function of a function needs brackets", first)
    if isinstance(first, tree.Group) and first.bracket == "(":
        arguments = first.items
    elif (isinstance(first, tree.Power) and isinstance(first.base, tree.Group)) or (
        isinstance(first, tree.Mark) and isinstance(first.body, tree.Group)
    ):
        name = head.name
        refuse(f"{name}(..)^ can be read in two ways: write {name}^2(..), ({name}(..))^.. or {name}((..)^..)", first)
    else:
        taken = [first]
        if isinstance(first, tree.Fraction | tree.Group) and j < len(row) and not isinstance(row[j], Head):
            refuse(f"what {head.name} acts on can be read in two ways: set brackets around it", row[j])
        several = head.name in ONE_FACTOR
        while (
            j < len(row) and not several and plain(row[j]) and (isinstance(taken[-1], tree.Number) or plain(taken[-1]))
        ):
            several = plain(taken[-1]) and row[j] != TIME  # \cos\theta l, but \cos\Omega t
            taken.append(row[j])
            j += 1
        if j < len(row) and isinstance(row[j], tree.Group) and not isinstance(taken[-1], tree.Number):
            refuse(f"what {head.name} acts on can be read in two ways: set brackets around it", row[j])
        if several and (head.name not in ONE_FACTOR or j < len(row)):
            refuse(f"what {head.name} acts on can be read in two ways: set brackets around it", row[j - 1])
        if isinstance(first, tree.Power) and head.name != "det":
            name = head.name
            refuse(f"{name} x^.. can be the power of x and of {name} x: write {name}^2 x, or {name}(x^2)", first)
        if j < len(row) and plain(taken[-1]) and swallowed(row[j]):
            refuse(f"what {head.name} acts on can be read in two ways: set brackets around it", row[j])
        if j < len(row) and isinstance(taken[-1], tree.Number):
            refuse(f"{head.name} of a number, or of a product with it: set brackets around what it acts on", row[j])
        arguments = (product(taken),)
    if len(arguments) == 1 and isinstance(arguments[0], tree.Chain) and len(arguments[0].sides) == 1:
        arguments = arguments[0].sides
    node: tree.Node = tree.Call(head.name, tuple(arguments), span=(head.span[0], row[j - 1].span[1]))
    if head.power is not None:
        node = tree.Power(node, head.power, span=node.span)
    return node, j


def big(head, body):
    """Return the sum, product or integral over the rest of the term."""
    if not body:
        refuse("nothing stands behind this sum or integral", head)
    place = (head.span[0], body[-1].span[1])
    if head.kind == "lim":
        return tree.Limit(head.low, head.high, shape(body), span=place)
    if head.kind == "int":
        body = [*body[:-1], *lowered(body[-1])]
        if len(body) > 3 and isinstance(body[-3], Operator) and body[-2] == tree.Symbol("d"):
            body = [*body[:-3], *body[-2:]]  # F \cdot d r
        if len(body) < 2 or body[-2] != tree.Symbol("d") or not isinstance(body[-1], tree.Symbol):
            refuse("an integral must end in its differential, such as d t", body[-1])
        integrand = shape(body[:-2]) if len(body) > 2 else tree.Number("1", span=body[-2].span)
        return tree.Integral(head.low, head.high, integrand, body[-1], span=place)
    low = head.low
    if isinstance(low, tree.Chain) and low.relations == ("=",) and plain(low.sides[0]) and not low.sides[0].sub:
        node = tree.Big(head.kind, low.sides[0].base, low.sides[1], head.high, shape(body), span=place)
        for inner in tree.walk(node.body):
            if isinstance(inner, tree.Big) and inner.index == node.index:
                refuse(f"{node.index} counts in two sums, one in the other: name another index", inner)
        factors = node.body.factors if isinstance(node.body, tree.Product) else ()
        factors = (node.body.left, node.body.right) if isinstance(node.body, tree.Binary) else factors
        if node.kind == "prod" and factors and not counts(factors[-1], node.index):
            refuse("what this product reaches over can be read in two ways: set brackets", factors[-1])
        return node
    return refuse("the index of a sum must be given as i = 1 below it", head)


def counts(node, index):
    """Tell whether an index stands in a node: as a letter, or in a subscript."""
    symbols = [x for x in tree.walk(node) if isinstance(x, tree.Symbol | tree.Indexed)]
    return any(x == tree.Symbol(index) or index in x.sub for x in symbols)


def refuse_open_ends(terms):
    """Raise Unreadable at a sum over an index to which what is added behind it can belong."""
    for term, behind in pairwise(terms):
        last: Any = term
        while isinstance(last, tree.Product | tree.Binary):
            last = last.factors[-1] if isinstance(last, tree.Product) else last.right
        if isinstance(last, tree.Limit) and last.variable in tree.walk(behind):
            refuse("behind a limit this can be a part of it: write it in front, or set brackets", behind)
        if not isinstance(last, tree.Big):
            continue
        atoms = [x for x in tree.walk(behind) if isinstance(x, tree.Symbol | tree.Number | tree.Group | tree.Call)]
        lone = all(isinstance(x, tree.Number) or (plain(x) and not x.sub) for x in atoms)
        own = any(isinstance(x, tree.Big) for x in tree.walk(behind))
        if (lone or counts(behind, last.index)) and not own:
            refuse("behind a sum this can be a part of it: write it in front, or set brackets", behind)


def lowered(item):
    r"""Return what ends an integral, of \frac{d x}{x} the quotient \frac{1}{x} and its differential behind it."""
    above = item.above.factors if isinstance(item, tree.Fraction) and isinstance(item.above, tree.Product) else ()
    if len(above) < 2 or above[-2] != tree.Symbol("d"):
        return [item]
    rest = above[:-2] or (tree.Number("1", span=above[-2].span),)
    return [replace(item, above=product(list(rest))), *above[-2:]]


def fraction(above, below, place):
    r"""Return a fraction, a derivative such as \frac{dM}{dq}, or the head of one such as \frac{d}{dt}."""
    kind = differential(above[0]) and differential(below[0])
    if not kind or differential(above[0]) != kind or differential(below[0]) != kind:
        return tree.Fraction(shape(above), shape(below), span=place)
    order, variables = order_of(above[0]), denominators(below, kind)
    if order != sum(times for _, times in variables):
        raise Unreadable("the orders above and below in this derivative differ", place=place[0])
    if len(above) == 1:
        return DerivativeHead(kind, order, variables, span=place)
    return tree.Derivative(kind, shape(above[1:]), variables, span=place)


def partial_fraction(above, below):
    r"""Return the derivative that \partial T / \partial q_k stands for, None for any other quotient."""
    kind = differential(above[0])
    if not kind or differential(below[0]) != kind or len(above) == 1 or len(below) == 1:
        return None
    return fraction(above, below, (above[0].span[0], below[-1].span[1]))


def differential(item):
    r"""Return "d" or "partial" if an item is such a sign (or a power of it), else None."""
    letter = item.base if isinstance(item, tree.Power) else item
    return (
        {tree.Symbol("d"): "d", tree.Symbol(r"\partial"): "partial"}.get(letter)
        if isinstance(letter, tree.Symbol)
        else None
    )


def order_of(item):
    """Return the exponent of d^2 or q^2, 1 without one."""
    if not isinstance(item, tree.Power):
        return 1
    if not isinstance(item.exponent, tree.Number):
        refuse("the order of a derivative must be a number", item.exponent)
    return int(item.exponent.text)


def denominators(below, kind):
    """Return the variables of a derivative with their orders."""
    pairs = list(zip(below[::2], below[1::2]))
    if len(below) % 2 or any(differential(sign) != kind for sign, _ in pairs):
        refuse("the denominator of a derivative must be a row such as \\partial q_i \\partial q_j", below[0])
    for sign, _ in pairs:
        if isinstance(sign, tree.Power):
            refuse("below, the power of a derivative stands on its variable: write \\frac{d^2}{dt^2}", sign)
    return tuple((x.base if isinstance(x, tree.Power) else x, order_of(x)) for _, x in pairs)


def derivative(head, rest):
    """Return the derivative of what follows: one factor, or a name with its arguments."""
    if not rest:
        refuse("nothing stands behind this derivative", head)
    for i, item in enumerate(rest):
        if isinstance(item, BigHead | DerivativeHead):
            rest = [*rest[:i], (big if isinstance(item, BigHead) else derivative)(item, rest[i + 1 :])]
            break
    if isinstance(rest[0], Head):
        called, used = call(rest, 0)
        rest = [called] if used == len(rest) else rest  # d/dx ln(1 + x^2), but not d/dx sin x cos x
    single = len(rest) == 1 or (isinstance(rest[0], tree.Symbol) and all(isinstance(x, tree.Group) for x in rest[1:]))
    if not single:
        refuse("what this derivative acts on can be read in two ways: add brackets", head)
    body = shape(rest)
    return tree.Derivative(head.kind, body, head.variables, len(rest) > 1, span=(head.span[0], rest[-1].span[1]))
