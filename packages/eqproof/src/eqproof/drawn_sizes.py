r"""Sums to a number of which nobody says what it is: the steps with them are compared at several sizes, drawn by the text.

\sum_{i=1}^n a_i has at each n other letters, a_1 to a_n, so the sum is written out at each size. The sizes are 1, 2, 3 and
two more, drawn beyond each number that a bound, an index or a maximum prints. A bound that is not printed, as in
\sum_{i<j}, is the only letter that counts in the step, or one of its own.
"""

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from eqproof import conventions, operators, tree
from eqproof.bindings import Bindings
from eqproof.errors import ProofError, Unreadable
from eqproof.evaluate import Evaluation
from eqproof.intermediate import is_index
from eqproof.outcome import Context, Outcome
from eqproof.sampling import salt_of
from eqproof.subscripts import fill_indices, signed_indices

OPEN = tree.Symbol("the number of terms", "open")
SMALL = (1, 2, 3)
LARGEST = 9  # one digit: a_{12} is of two indices, then
MOST_TERMS = 400  # of a sum that is written out
FEWEST = 3  # sizes at which a step must have been tried
Judge = Callable[[tree.Node, tree.Node], Outcome]
Sizes = dict[tree.Symbol, int]


def sums_in(*sides: tree.Node) -> list[tree.Big]:
    """Return the sums and products of sides."""
    return [x for side in sides for x in tree.walk(side) if isinstance(x, tree.Big)]


def ends_of(sums: Sequence[tree.Big]) -> list[tree.Symbol]:
    """Return the letters to which sums count, each once."""
    indices = {x.index for x in sums}
    return list(dict.fromkeys(x.high for x in sums if isinstance(x.high, tree.Symbol) and x.high.base not in indices))


def bounds_of(sums: Sequence[tree.Big]) -> list[tree.Node]:
    """Return the bounds of sums that are printed."""
    return [bound for x in sums for bound in (x.low, x.high) if bound is not None]


def letters_of_sizes(left: tree.Node, right: tree.Node, known: Callable[[tree.Node], bool]) -> list[tree.Symbol]:
    """Return the letters to which sums of a step count, of which nothing is known; none where a sum goes over a set."""
    sums = sums_in(left, right)
    indices = {tree.Symbol(x.index) for x in sums}
    found = [x for x in conventions.symbols(*bounds_of(sums)) if x not in indices]
    plain = all(is_index(x) and x.base not in conventions.NO_LETTERS for x in found)
    if not plain or any(x.low is None for x in sums):
        return []
    if any(x.high is None for x in sums) and len(ends_of(sums)) != 1:
        found.append(OPEN)
    return [x for x in found if not known(x)]


def shifts_indices(left: tree.Node, right: tree.Node) -> bool:
    """Tell whether sums from a number to a number have the letters of other terms in them, a_{i+1}."""
    sums = sums_in(left, right)
    found = {x.index for x in sums}
    shifted = any({"+", "-"} & {*x.sub} and found & {*x.sub} for y in sums for x in conventions.symbols(y.body))
    return shifted and not any(conventions.symbols(x.low or x, x.high or x) for x in sums)


def counts_within(left: tree.Node, right: tree.Node) -> bool:
    """Tell whether a sum counts from or to the index of one around it, and no other letter stands in any bound: i < j <= 3."""
    sums = sums_in(left, right)
    bounds = conventions.symbols(*bounds_of(sums)) if sums else []
    closed = all(x.low is not None and x.high is not None for x in sums)
    return bool(bounds) and closed and {*bounds} <= {tree.Symbol(x.index) for x in sums}


def with_open_bounds(left: tree.Node, right: tree.Node) -> tuple[tree.Node, tree.Node]:
    """Return sides in which sums without an upper bound count to the only letter to which others do, else to one of its own."""
    ends = ends_of(sums_in(left, right))
    end = ends[0] if len(ends) == 1 else OPEN

    def closed(node: tree.Node) -> tree.Node:
        node = tree.map_children(node, closed)
        return replace(node, high=end) if isinstance(node, tree.Big) and node.high is None else node

    return closed(left), closed(right)


def judge_at_sizes(
    left: tree.Node, right: tree.Node, letters: Sequence[tree.Symbol], context: Context, judge: Judge
) -> Outcome:
    """Return what becomes of a step whose sums count to letters: at each of several sizes, what judge says of it written out."""
    left, right = with_open_bounds(left, right)
    drawn = sizes_for(left, right, context.text, len(letters))
    tried: list[Sizes] = []
    condition = ""
    outcome = Outcome("undecided", "no size was tried")
    for sizes in (dict(zip(letters, x)) for x in itertools.product(drawn, repeat=len(letters))):
        try:
            one, other = (written_out(side, sizes) for side in (left, right))
        except Backwards:
            continue
        if max(sizes.values()) < max(drawn) and divides_by_zero(one, other):
            continue
        outcome = judge(one, other)
        if outcome.verdict != "proven":
            return not_at(sizes, outcome, bool(conventions.symbols(one, other)))
        tried.append(sizes)
        condition = outcome.condition or condition
    if len({x for sizes in tried for x in sizes.values()}) < FEWEST:
        raise Unreadable("counts to a number at which too few sizes can be tried: declare it", of=left)
    counted = "; ".join(f"{x.base} = {', '.join(map(str, sorted({y[x] for y in tried})))}" for x in letters)
    return replace(outcome, why=f"{outcome.why}; tried for {counted}", condition=condition)


def not_at(sizes: Sizes, outcome: Outcome, letters: bool) -> Outcome:
    """Return the outcome of a step that is not proven at some sizes; letters: other ones stand in it, which may mean something."""
    where = ", ".join(f"{x.base} = {k}" for x, k in sizes.items())
    if outcome.verdict == "false" and letters:
        return Outcome(
            "undecided",
            f"no identity where {where}, {outcome.why}: its letters may obey a law that nobody told; with {where} put in, the step is false",
        )
    return replace(outcome, why=f"where {where}: {outcome.why}", parts=None)


def divides_by_zero(left: tree.Node, right: tree.Node) -> bool:
    """Tell whether a denominator without letters is zero at these sizes, as n - 1 is at n = 1."""
    for below in [*operators.denominators(left), *operators.denominators(right)]:
        if not conventions.symbols(below):
            try:
                if Evaluation(Bindings())(below) == 0:
                    return True
            except conventions.FAILURES:
                return True
    return False


def sizes_for(left: tree.Node, right: tree.Node, text: str, letters: int) -> list[int]:
    """Return the sizes at which sums are written out; raise Unreadable where a printed number leaves no larger one."""
    least = max([3, *literals(left), *literals(right)])
    if least >= LARGEST:
        raise Unreadable(
            "has a number beside its sums that is too large to try larger sizes: declare what counts", of=left
        )
    rng = random.Random(f"sizes {salt_of(text)}")
    beyond = rng.sample(range(least + 1, LARGEST + 1), min(2 if letters == 1 else 1, LARGEST - least))
    return sorted({*SMALL, *beyond})


def literals(node: tree.Node, counts: bool = False) -> Iterator[int]:
    """Yield the whole numbers that bounds, indices, maxima, bars and cases print: beyond them a sum may become another one."""
    if isinstance(node, tree.Number) and counts and node.text.isdigit():
        yield int(node.text)
    if isinstance(node, tree.Symbol | tree.Indexed):
        yield from (int(x) for x in node.sub if x.isdigit())
    kinked = isinstance(node, tree.Cases | tree.Bars)
    kinked |= isinstance(node, tree.Call) and node.name in ("max", "min")
    bounds = [node.low, node.high, node.skip] if isinstance(node, tree.Big) else []
    for child in tree.children(node):
        yield from literals(child, counts or kinked or any(child is x for x in bounds))


class Backwards(Exception):
    """A sum would end before its begin: of such sizes nothing is claimed."""


def written_out(node: tree.Node, sizes: Sizes) -> tree.Node:
    """Return a node with numbers for letters and indices that count, each sum and product written out; raise Backwards."""
    at = {letter.base: number for letter, number in sizes.items()}
    if isinstance(node, tree.Symbol):
        return written_symbol(node, sizes, at)
    if isinstance(node, tree.Indexed):
        return replace(node, body=written_out(node.body, sizes), sub=written_sub(node.sub, at, node))
    if isinstance(node, tree.Big):
        return written_sum(node, sizes)
    return tree.map_children(node, lambda child: written_out(child, sizes))


def written_symbol(node: tree.Symbol, sizes: Sizes, indices: dict[str, int]) -> tree.Node:
    """Return a letter with numbers for its indices, or the number that it is."""
    plain = next((x for x in sizes if x == node), None)
    if plain is not None:
        return tree.Number(str(sizes[plain]), span=node.span)
    sub = written_sub(node.sub, indices, node)
    return node if sub == node.sub else replace(node, sub=sub, span=(0, 0))


def written_sub(sub: tuple[str, ...], indices: dict[str, int], node: tree.Node) -> tuple[str, ...]:
    """Return a subscript with numbers for what counts; raise Unreadable where that is no number of one digit."""
    if not indices.keys() & {*sub}:
        return sub
    if not {"+", "-"} & {*sub}:
        numbers = fill_indices(sub, indices.get)
    else:
        rows = signed_indices(sub, indices.get)
        if rows is None:
            raise Unreadable("needs a declaration of its entries", of=node)
        numbers = tuple(str(sum(sign * index for sign, index in row)) for row in rows)
    if any(x[:1] in "-" or (x.isdigit() and len(x) > 1) for x in numbers):
        raise Unreadable("needs a declaration of its entries", of=node)
    return numbers


def written_sum(node: tree.Big, sizes: Sizes) -> tree.Node:
    """Return a sum or product with all its terms; raise Backwards where it ends more than one before its begin."""
    low, high = (whole_number(bound, sizes, node) for bound in (node.low, node.high))
    if len(sizes) > 1 and high < low - 1 and not is_shifted(node.high):
        raise Backwards
    skip = None if node.skip is None else whole_number(node.skip, sizes, node)
    index = tree.Symbol(node.index)
    terms = [written_out(node.body, {**sizes, index: k}) for k in range(low, high + 1) if k != skip]
    if sum(1 for x in terms for _ in tree.walk(x)) > 40 * MOST_TERMS:
        raise Unreadable("is too long to be written out: declare the number to which it counts", of=node)
    return joined(node, terms)


def joined(node: tree.Big, terms: list[tree.Node]) -> tree.Node:
    """Return the sum or product of terms, a sum even of one: in brackets it could be the argument of a function."""
    if not terms:
        return tree.Number("1" if node.kind == "prod" else "0", span=node.span)
    plus = tree.Sign("+", span=node.span)
    if node.kind == "prod":
        terms = [tree.Product(tuple(tree.Add((plus,), (x,), span=node.span) for x in terms), span=node.span)]
    return tree.Add((plus,) * len(terms), tuple(terms), span=node.span)


def is_shifted(bound: tree.Node | None) -> bool:
    """Tell whether a bound is a sum, as n - 2: it may fall behind the begin of a sum without any term."""
    return isinstance(bound, tree.Add)


def whole_number(bound: tree.Node | None, sizes: Sizes, node: tree.Node) -> int:
    """Return the number that a bound is; raise Unreadable where it is none, or letters are left in it."""
    if bound is not None:
        with suppress(ProofError):
            return Evaluation(Bindings()).integer(written_out(bound, sizes), "a bound")
    raise Unreadable("needs a declaration of the number to which it counts", of=node)
