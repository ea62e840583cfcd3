r"""How far each thing reaches in a row of factors: \sum and \frac{d}{dt} over what follows, \cos over its argument.

The rules are those of a careful reader; where two careful readers could differ, the row is refused with the way out.
A sum, product or integral reaches to the end of its term. A derivative takes one factor or one bracket. A function
without a bracket takes one factor, or a number and a plain letter, or a plain letter and the time: \cos 2 q,
\sin \Omega t, but \cos\tilde q_k l_k ends before l_k, and \cos\theta l is refused.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from eqproof import tree
from eqproof.ambiguous import (
    ONE_FACTOR,
    TIME,
    function_without_argument,
    is_number,
    refuse_ambiguous_argument,
    refuse_ambiguous_neighbors,
    refuse_ambiguous_operators,
    refuse_ambiguous_slash,
)
from eqproof.errors import Unreadable
from eqproof.intermediate import (
    BigHead,
    Braces,
    DerivativeHead,
    Head,
    Operator,
    depends_on_index,
    is_index,
    is_undecorated_symbol,
    open_braces,
    refuse,
    span,
)
from eqproof.scope_of_sums import indices_of, last_factor

DELTAS = (tree.Symbol(r"\delta"), tree.Symbol(r"\Delta"))


def shape(row: Sequence[tree.Node]) -> tree.Node:
    """Return the node that a row of factors and signs stands for."""
    if len(row) == 1 and isinstance(row[0], Braces):
        return row[0]
    items = open_braces(row)
    for i, item in enumerate(items):
        if isinstance(item, BigHead | DerivativeHead):
            return shape([*items[:i], complete_head(item, items[i + 1 :])])
    rows, signs = split_at_operators(items)
    refuse_missing_factors(rows, signs, items[-1])
    refuse_ambiguous_operators(signs)
    return fold(rows, signs)


def complete_head(head: BigHead | DerivativeHead, rest: list[tree.Node]) -> tree.Node:
    """Return the sum, integral, limit or derivative that a head and all behind it are."""
    return big(head, rest) if isinstance(head, BigHead) else derivative(head, rest)


def split_at_operators(items: Sequence[tree.Node]) -> tuple[list[list[tree.Node]], list[Operator]]:
    """Return the rows of factors between the signs of a row, and these signs."""
    rows: list[list[tree.Node]] = [[]]
    signs = []
    for item in items:
        if isinstance(item, Operator):
            signs.append(item)
            rows.append([])
        else:
            rows[-1].append(item)
    return rows, signs


def refuse_missing_factors(rows: list[list[tree.Node]], signs: list[Operator], last: tree.Node) -> None:
    """Raise Unreadable at a sign with nothing on one side of it, or with a function without argument on its left."""
    for row, sign in zip(rows, [*signs, last]):
        if not row:
            refuse("a factor is missing beside this sign", sign)
    for row, sign in zip(rows, signs):
        if isinstance(row[-1], Head):
            refuse("a function stands here without its argument", sign)


def fold(rows: list[list[tree.Node]], signs: list[Operator]) -> tree.Node:
    """Join products with the signs between them, from left to right; a slash divides by a single factor."""
    if len(rows) == 2 and signs[0].text == "slash" and (derived := partial_fraction(*rows)):
        return derived
    result = product(rows[0])
    for before, row, sign in zip(rows, rows[1:], signs):
        if sign.text == "slash":
            refuse_ambiguous_slash(before, row, sign)
        elif function_without_argument(before) and not isinstance(row[0], Head):  # \sin x \cdot \cos x has one reading
            refuse("a function of a product, or its product: set brackets", sign)
        right = product(row)
        result = tree.Binary(sign.text, result, right, span=(result.span[0], right.span[1]))
    return result


def product(row: Sequence[tree.Node]) -> tree.Node:
    """Return the product of a row without signs, the functions with their arguments."""
    items = join_deltas(row)
    i = 0
    factors: list[tree.Node] = []
    while i < len(items):
        if isinstance(items[i], Head):
            node, i = call(items, i)
            factors.append(node)
        else:
            if i:
                refuse_ambiguous_neighbors(items[i - 1], items[i])
            factors.append(items[i])
            i += 1
    return factors[0] if len(factors) == 1 else tree.Product(tuple(factors), span=span(factors))


def join_deltas(factors: Sequence[tree.Node]) -> list[tree.Node]:
    r"""Join the \delta of \delta q and the \Delta of \Delta t with their letter."""
    joined: list[tree.Node] = []
    for factor in factors:
        letter = factor.base if isinstance(factor, tree.Power) else factor
        before = joined[-1] if joined else None
        if (
            isinstance(letter, tree.Symbol)
            and not letter.prefix
            and isinstance(before, tree.Symbol)
            and before in DELTAS
        ):
            place = (joined.pop().span[0], factor.span[1])
            one = replace(letter, prefix=before.base, span=(place[0], letter.span[1]))
            factor = replace(factor, base=one, span=place) if isinstance(factor, tree.Power) else one
        joined.append(factor)
    return joined


def call(row: Sequence[tree.Node], i: int) -> tuple[tree.Node, int]:
    """Return the call of the function at place i of the row, and the place after its argument."""
    head = row[i]
    behind = row[i + 1 :]
    assert isinstance(head, Head)
    if not behind:
        refuse("a function stands here without its argument", head)
    arguments, used = arguments_of(head, behind)
    end = i + 1 + used
    if len(arguments) == 1 and isinstance(arguments[0], tree.Chain) and len(arguments[0].sides) == 1:
        arguments = arguments[0].sides
    node: tree.Node = tree.Call(head.name, arguments, span=(head.span[0], row[end - 1].span[1]))
    if head.base is not None:
        node = tree.Fraction(node, tree.Call(head.name, (head.base,), span=node.span), span=node.span)
    if head.power is not None:
        node = tree.Power(node, head.power, span=node.span)
    return node, end


def arguments_of(head: Head, behind: Sequence[tree.Node]) -> tuple[tuple[tree.Node, ...], int]:
    """Return the arguments of a function, and how many of the items behind it they are."""
    first = behind[0]
    if isinstance(first, Head):
        refuse("a function of a function needs brackets", first)
    if isinstance(first, tree.Group):
        return first.items, 1
    if is_raised_group(first):
        name = head.name
        refuse(f"{name}(..)^ can be read in two ways: write {name}^2(..), ({name}(..))^.. or {name}((..)^..)", first)
    taken = unbracketed_argument(head, behind)
    refuse_ambiguous_argument(head, taken, behind[len(taken)] if len(taken) < len(behind) else None)
    return (product(taken),), len(taken)


def is_raised_group(item: tree.Node) -> bool:
    """Tell whether an item is a bracket with a superscript."""
    return (isinstance(item, tree.Power) and isinstance(item.base, tree.Group)) or (
        isinstance(item, tree.Mark) and isinstance(item.body, tree.Group)
    )


def unbracketed_argument(head: Head, behind: Sequence[tree.Node]) -> list[tree.Node]:
    r"""Return the items that a function without a bracket takes: one, or letters behind a number or a letter, \cos 2 q.

    Two letters end the argument, even where they are refused afterwards: \cos\theta l, but not \cos\Omega t.
    """
    taken = [behind[0]]
    if head.name in ONE_FACTOR:
        return taken
    for before, item in pairwise(behind):
        if not is_undecorated_symbol(item) or not (is_number(before) or is_undecorated_symbol(before)):
            break
        taken.append(item)
        if is_undecorated_symbol(before) and item != TIME:
            break
    return taken


def big(head: BigHead, body: list[tree.Node]) -> tree.Node:
    """Return the sum, product, integral or limit over the rest of the term."""
    if not body:
        refuse("nothing stands behind this sum or integral", head)
    return BIG_OPERATORS[head.kind](head, body, (head.span[0], body[-1].span[1]))


def limit(head: BigHead, body: list[tree.Node], place: tuple[int, int]) -> tree.Node:
    """Return the limit of the rest of the term."""
    assert head.low is not None and head.high is not None  # so the grammar has it
    return tree.Limit(head.low, head.high, shape(body), span=place)


def integral(head: BigHead, body: list[tree.Node], place: tuple[int, int]) -> tree.Node:
    """Return the integral over the rest of the term, which ends in its differential."""
    if body[0] == tree.Symbol("d") and len(body) > 2 and body[-2] != tree.Symbol("d"):
        body = [*body[2:], *body[:2]]  # \int dx f(x)
    body = [*body[:-1], *split_differential(body[-1])]
    if len(body) > 3 and isinstance(body[-3], Operator) and body[-2] == tree.Symbol("d"):
        body = [*body[:-3], *body[-2:]]  # F \cdot d r
    variable = body[-1]
    if len(body) < 2 or body[-2] != tree.Symbol("d") or not isinstance(variable, tree.Symbol):
        refuse("an integral must end in its differential, such as d t", variable)
    integrand = shape(body[:-2]) if len(body) > 2 else tree.Number("1", span=body[-2].span)
    return tree.Integral(lower_bound(head, variable), head.high, integrand, variable, span=place)


def lower_bound(head: BigHead, variable: tree.Symbol) -> tree.Node | None:
    r"""Return the lower bound of an integral, of \int_{x=0}^1 the 0; raise Unreadable where another letter has it."""
    low = head.low
    if isinstance(low, tree.Chain) and low.relations == ("=",):
        if low.sides[0] != variable:
            refuse("the letter below this integral is not that of its differential", head)
        return low.sides[1]
    return low


def sum_or_product(head: BigHead, body: list[tree.Node], place: tuple[int, int]) -> tree.Node:
    """Return the sum or the product over an index that its lower bound names, or over what conditions below it say."""
    if conditions := conditions_below(head):
        over = tree.Over(head.kind, conditions, head.high, shape(body), span=place)
        refuse_open_product(over, indices_of(over))
        return over
    index, low, high = bounds(head)
    if head.also and head.kind == "prod":
        refuse("a product over several indices is not read: write one in the other", head)
    node = shape(body)
    for name in (index.base, *reversed(head.also)):
        refuse_index_twice(node, name)
        node = tree.Big(head.kind, name, low, high, node, span=place)
    assert isinstance(node, tree.Big)
    refuse_open_product(node, (node.index,))
    return node


def refuse_index_twice(node: tree.Node, name: str) -> None:
    """Raise Unreadable where an index counts in a sum within what it is to count."""
    for inner in tree.walk(node):
        if isinstance(inner, tree.Big | tree.Over) and name in indices_of(inner)[:1]:
            refuse(f"{name} counts in two sums, one in the other: name another index", inner)


def refuse_open_product(node: tree.Big | tree.Over, indices: Sequence[str]) -> None:
    """Raise Unreadable at a product of which the last factor lacks its index."""
    last = last_factor(node.body)
    if node.kind == "prod" and last is not None and not any(depends_on_index(last, x) for x in indices):
        refuse("what this product reaches over can be read in two ways: set brackets", last)


def conditions_below(head: BigHead) -> tuple[tree.Chain, ...]:
    r"""Return what stands below a sum where that is not i = 1 or 1 \le i \le n alone."""
    if head.conditions or not isinstance(head.low, tree.Node):
        return head.conditions
    if not isinstance(head.low, tree.Chain):
        lone = is_index(head.low) and head.high is None
        return (tree.Chain((head.low,), (), span=head.low.span),) if lone else ()
    simple = head.low.relations == ("=",) or (is_between(head.low) and head.high is None)
    return () if simple else (head.low,)


def is_between(chain: tree.Chain) -> bool:
    r"""Tell whether a chain is 1 \le i \le n."""
    return len(chain.relations) == 2 and {*chain.relations} <= {r"\le", r"\leq"} and is_index(chain.sides[1])


def bounds(head: BigHead) -> tuple[tree.Symbol, tree.Node, tree.Node | None]:
    r"""Return the index of a sum or product and its bounds, which stand as i = 1 below it, or as 1 \le i \le n."""
    low = head.low
    sides, relations = (low.sides, low.relations) if isinstance(low, tree.Chain) else ((), ())
    between = isinstance(low, tree.Chain) and is_between(low) and head.high is None
    order = (1, 0, 2) if between else (0, 1)
    index = sides[order[0]] if between or relations == ("=",) else None
    if not is_undecorated_symbol(index) or index.sub:
        refuse("the index of a sum must be given as i = 1 below it", head)
    return index, sides[order[1]], sides[2] if between else head.high


BIG_OPERATORS: dict[str, Callable[[BigHead, list[tree.Node], tuple[int, int]], tree.Node]] = {
    "lim": limit,
    "int": integral,
    "sum": sum_or_product,
    "prod": sum_or_product,
}


def split_differential(item: tree.Node) -> list[tree.Node]:
    r"""Return what ends an integral, of \frac{d x}{x} the quotient \frac{1}{x} and its differential behind it."""
    if not isinstance(item, tree.Fraction) or not isinstance(item.above, tree.Product):
        return [item]
    above = item.above.factors
    if above[-2] != tree.Symbol("d"):
        return [item]
    rest = above[:-2] or (tree.Number("1", span=above[-2].span),)
    return [replace(item, above=product(list(rest))), *above[-2:]]


def fraction(above: list[tree.Node], below: list[tree.Node], place: tuple[int, int]) -> tree.Node:
    r"""Return a fraction, a derivative such as \frac{dM}{dq}, or the head of one such as \frac{d}{dt}."""
    kind = differential(above[0]) and differential(below[0])
    if not kind or differential(above[0]) != kind or differential(below[0]) != kind:
        return tree.Fraction(shape(above), shape(below), span=place)
    order = order_of(above[0])
    variables = denominators(below, kind)
    if order != sum(times for _, times in variables):
        raise Unreadable("the orders above and below in this derivative differ", place=place[0])
    if len(above) == 1:
        return DerivativeHead(kind, order, variables, span=place)
    return tree.Derivative(kind, shape(above[1:]), variables, span=place)


def partial_fraction(above: list[tree.Node], below: list[tree.Node]) -> tree.Node | None:
    r"""Return the derivative that \partial T / \partial q_k stands for, None for any other quotient."""
    kind = differential(above[0])
    if not kind or differential(below[0]) != kind or len(above) == 1 or len(below) == 1:
        return None
    return fraction(above, below, (above[0].span[0], below[-1].span[1]))


def differential(item: tree.Node) -> str | None:
    r"""Return "d" or "partial" if an item is such a sign (or a power of it), else None."""
    letter = item.base if isinstance(item, tree.Power) else item
    kinds = {tree.Symbol("d"): "d", tree.Symbol(r"\partial"): "partial"}
    return kinds.get(letter) if isinstance(letter, tree.Symbol) else None


def order_of(item: tree.Node) -> int:
    """Return the exponent of d^2 or q^2, 1 without one."""
    if not isinstance(item, tree.Power):
        return 1
    if not isinstance(item.exponent, tree.Number):
        refuse("the order of a derivative must be a number", item.exponent)
    return int(item.exponent.text)


def denominators(below: list[tree.Node], kind: str) -> tuple[tuple[tree.Node, int], ...]:
    """Return the variables of a derivative with their orders."""
    pairs = list(zip(below[::2], below[1::2]))
    if len(below) % 2 or any(differential(sign) != kind for sign, _ in pairs):
        refuse("the denominator of a derivative must be a row such as \\partial q_i \\partial q_j", below[0])
    for sign, _ in pairs:
        if isinstance(sign, tree.Power):
            refuse("below, the power of a derivative stands on its variable: write \\frac{d^2}{dt^2}", sign)
    return tuple((x.base if isinstance(x, tree.Power) else x, order_of(x)) for _, x in pairs)


def derivative(head: DerivativeHead, rest: list[tree.Node]) -> tree.Node:
    """Return the derivative of what follows: one factor, or a name with its arguments."""
    if not rest:
        refuse("nothing stands behind this derivative", head)
    for i, item in enumerate(rest):
        if isinstance(item, BigHead | DerivativeHead):
            rest = [*rest[:i], complete_head(item, rest[i + 1 :])]
            break
    if isinstance(rest[0], Head):
        called, used = call(rest, 0)
        rest = [called] if used == len(rest) else rest  # d/dx ln(1 + x^2), but not d/dx sin x cos x
    single = len(rest) == 1 or (isinstance(rest[0], tree.Symbol) and all(isinstance(x, tree.Group) for x in rest[1:]))
    if not single:
        refuse("what this derivative acts on can be read in two ways: add brackets", head)
    body = shape(rest)
    return tree.Derivative(head.kind, body, head.variables, len(rest) > 1, span=(head.span[0], rest[-1].span[1]))
