r"""Sums to a number of which nobody says what it is: the steps with them are compared at several sizes, drawn by the text.

\sum_{i=1}^n a_i has at each n other letters, a_1 to a_n, so the sum is written out at each size. The sizes are 1, 2, 3 and
two more, drawn beyond each number that a bound, an index or a maximum prints. A bound that is not printed, as in
\sum_{i<j}, is the only letter that counts in the step, or one of its own.
"""

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
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


def letters_of_sizes(left: tree.Node, right: tree.Node, known: Callable[[tree.Node], bool]) -> list[tree.Symbol]:
    """Return the letters to which sums of a step count, of which nothing is known; none where a sum goes over a set."""
    sums = [x for side in (left, right) for x in tree.walk(side) if isinstance(x, tree.Big)]
    if any(x.low is None for x in sums):
        return []
    indices = {x.index for x in sums}
    bounds = [b for x in sums for b in (x.low, x.high) if b is not None]
    found = [x for x in conventions.symbols(*bounds) if not (is_index(x) and x.base in indices)]
    if any(not is_index(x) or x.base in conventions.NO_LETTERS for x in found):
        return []
    if any(x.high is None for x in sums):
        ends = [x for x in dict.fromkeys(x.high for x in sums) if isinstance(x, tree.Symbol) and x.base not in indices]
        if len(ends) != 1:
            found.append(OPEN)
    return [x for x in found if not known(x)]


def shifts_indices(left: tree.Node, right: tree.Node) -> bool:
    """Tell whether sums from a number to a number have the letters of other terms in them, a_{i+1}."""
    sums = [x for side in (left, right) for x in tree.walk(side) if isinstance(x, tree.Big)]
    found = {x.index for x in sums}
    shifted = any({"+", "-"} & {*x.sub} and found & {*x.sub} for y in sums for x in conventions.symbols(y.body))
    return shifted and not any(conventions.symbols(x.low or x, x.high or x) for x in sums)


def with_open_bounds(left: tree.Node, right: tree.Node) -> tuple[tree.Node, tree.Node]:
    """Return sides in which sums without an upper bound count to the only letter to which others do, else to one of its own."""
    sums = [x for side in (left, right) for x in tree.walk(side) if isinstance(x, tree.Big)]
    indices = {x.index for x in sums}
    ends = [x for x in dict.fromkeys(x.high for x in sums) if isinstance(x, tree.Symbol) and x.base not in indices]
    end = ends[0] if len(ends) == 1 else OPEN

    def closed(node: tree.Node) -> tree.Node:
        node = tree.map_children(node, closed)
        return replace(node, high=end) if isinstance(node, tree.Big) and node.high is None else node

    return closed(left), closed(right)


def judge_at_sizes(
    left: tree.Node, right: tree.Node, letters: Sequence[tree.Symbol], at: Context, judge: Judge
) -> Outcome:
    """Return what becomes of a step whose sums count to letters: at each of several sizes, what judge says of it written out."""
    left, right = with_open_bounds(left, right)
    drawn = sizes_for(left, right, at.text, len(letters))
    tried: list[Sizes] = []
    outcomes: list[Outcome] = []
    for numbers in itertools.product(drawn, repeat=len(letters)):
        sizes = dict(zip(letters, numbers))
        try:
            one, other = (written_out(side, sizes) for side in (left, right))
        except Backwards:
            continue
        if max(numbers) < max(drawn) and divides_by_zero(one, other, at.text):
            continue
        outcome = judge(one, other)
        where = ", ".join(f"{words_for(x)} = {k}" for x, k in sizes.items())
        if outcome.verdict == "false" and conventions.symbols(one, other):
            return Outcome("undecided", f"no identity where {where}, {outcome.why}: declare what its letters are")
        if outcome.verdict != "proven":
            return replace(outcome, why=f"where {where}: {outcome.why}", parts=None)
        tried.append(sizes)
        outcomes.append(outcome)
    if len({*(x for sizes in tried for x in sizes.values())}) < FEWEST:
        raise Unreadable("counts to a number at which too few sizes can be tried: declare it", of=left)
    counted = "; ".join(f"{words_for(x)} = {', '.join(map(str, sorted({y[x] for y in tried})))}" for x in letters)
    last = outcomes[-1]
    condition = next((x.condition for x in reversed(outcomes) if x.condition), "")
    return replace(last, why=f"{last.why}; tried for {counted}", condition=condition)


def words_for(letter: tree.Symbol) -> str:
    """Return a letter that counts as it is told."""
    return letter.base


def divides_by_zero(left: tree.Node, right: tree.Node, text: str) -> bool:
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
    for name in node.__dataclass_fields__:
        value = getattr(node, name)
        inside = counts or (isinstance(node, tree.Big) and name in ("low", "high", "skip"))
        inside |= isinstance(node, tree.Cases | tree.Bars) or (
            isinstance(node, tree.Call) and node.name in ("max", "min")
        )
        for child in value if isinstance(value, tuple) else (value,):
            for part in child if isinstance(child, tuple) else (child,):
                if isinstance(part, tree.Node):
                    yield from literals(part, inside)


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


def written_symbol(node: tree.Symbol, sizes: Sizes, at: dict[str, int]) -> tree.Node:
    """Return a letter with numbers for its indices, or the number that it is."""
    plain = next((x for x in sizes if x == node), None)
    if plain is not None:
        return tree.Number(str(sizes[plain]), span=node.span)
    sub = written_sub(node.sub, at, node)
    return node if sub == node.sub else replace(node, sub=sub, span=(0, 0))


def written_sub(sub: tuple[str, ...], at: dict[str, int], node: tree.Node) -> tuple[str, ...]:
    """Return a subscript with numbers for what counts; raise Unreadable where that is no number of one digit."""
    if not at.keys() & {*sub}:
        return sub
    if not {"+", "-"} & {*sub}:
        numbers = fill_indices(sub, at.get)
    else:
        rows = signed_indices(sub, at.get)
        if rows is None:
            raise Unreadable("needs a declaration of its entries", of=node)
        numbers = tuple(str(sum(sign * index for sign, index in row)) for row in rows)
    if any(x[:1] in "-" or (x.isdigit() and len(x) > 1) for x in numbers):
        raise Unreadable("needs a declaration of its entries", of=node)
    return numbers


def written_sum(node: tree.Big, sizes: Sizes) -> tree.Node:
    """Return a sum or product with all its terms; raise Backwards where it ends more than one before its begin."""
    evaluation = Evaluation(Bindings())
    ends: list[int] = []
    for bound in (node.low, node.high, node.skip):
        if bound is None and bound is not node.skip:
            raise Unreadable("needs a declaration of the number to which it counts", of=node)
        if bound is not None:
            ends.append(whole_number(written_out(bound, sizes), evaluation, node))
    low, high, *skip = ends
    if len(sizes) > 1 and high < low - 1 and not is_shifted(node.high):
        raise Backwards
    index = tree.Symbol(node.index)
    numbers = [k for k in range(low, high + 1) if k not in skip]
    terms = [written_out(node.body, {**sizes, index: k}) for k in numbers]
    if sum(1 for x in terms for _ in tree.walk(x)) > 40 * MOST_TERMS:
        raise Unreadable("is too long to be written out: declare the number to which it counts", of=node)
    if not terms:
        return tree.Number("1" if node.kind == "prod" else "0", span=node.span)
    plus = tree.Sign("+", span=node.span)  # a sum even of one term: in brackets it could be the argument of a function
    if node.kind == "prod":
        terms = [tree.Product(tuple(tree.Add((plus,), (x,), span=node.span) for x in terms), span=node.span)]
    return tree.Add((plus,) * len(terms), tuple(terms), span=node.span)


def is_shifted(bound: tree.Node | None) -> bool:
    """Tell whether a bound is a sum, as n - 2: it may fall behind the begin of a sum without any term."""
    return isinstance(bound, tree.Add)


def whole_number(bound: tree.Node, evaluation: Evaluation, node: tree.Node) -> int:
    """Return the number that a bound is; raise Unreadable where letters are left in it."""
    try:
        return evaluation.integer(bound, "a bound")
    except ProofError:
        raise Unreadable("needs a declaration of the number to which it counts", of=node) from None
