r"""Dots in a sum or a product, 1 + 2 + \dots + n and x_1 x_2 \cdots x_n, read as one over an index.

The last term tells the pattern: with its letter replaced by a number and the next ones, it must give each of the terms that are
printed in front of the dots. What fits several patterns, as 1 + 2 + \dots + 64 or 1 + 4 + \dots + 100, is refused.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isqrt

from eqproof import conventions, tree
from eqproof.errors import Unreadable
from eqproof.intermediate import is_index
from eqproof.rescues import replace_nodes

TWO_WAYS = r"has dots that can be read in two ways: print one more term, or write \sum_{i=1}^{n}"
NO_PATTERN = r"has dots, and the last term does not tell what stands for them: write \sum_{i=1}^{n}"
STARTS = (0, 1, 2, 3)  # from which an index may count
INDICES = ("i", "j", "k", "l", "m", "r", "s")
Same = Callable[[tree.Node, tree.Node], bool]


@dataclass(frozen=True)
class TermPattern:
    """What terms are: term, with a letter in it that goes from first to last; taken: how many printed terms it gives."""

    term: tree.Node
    letter: tree.Symbol
    first: int
    last: tree.Node
    taken: int


def without_dots(node: tree.N, same: Same) -> tree.N:
    """Return a node in which dots in sums and products are read; raise Unreadable where they can be read in two ways.

    same: tells whether two terms are equal whatever their letters are.
    """
    factors = factors_of(node)
    if any(isinstance(x, tree.Dots) for x in factors):
        made = read_dots("prod", [without_dots(x, same) for x in factors], node, same)
        return made[0] if len(made) == 1 else tree.Product(tuple(made), span=node.span)  # type: ignore[return-value]
    node = tree.map_children(node, lambda child: without_dots(child, same))
    if isinstance(node, tree.Add) and any(isinstance(x, tree.Dots) for x in node.terms):
        return sum_without_dots(node, same)  # type: ignore[return-value]
    return node


def sum_without_dots(node: tree.Add, same: Same) -> tree.Node:
    """Return a sum without dots; raise Unreadable where a minus stands beside them."""
    i = next(k for k, x in enumerate(node.terms) if isinstance(x, tree.Dots))
    start = i
    while start > 0 and node.signs[start - 1].text == "+":
        start -= 1
    if i + 1 >= len(node.terms) or any(x.text != "+" for x in node.signs[i : i + 2]) or start == i:
        raise Unreadable(NO_PATTERN, of=node)
    made = read_dots("sum", node.terms[start:], node, same)
    signs = (*node.signs[:start], *(tree.Sign("+", span=node.span) for _ in made))
    return tree.Add(signs, (*node.terms[:start], *made), span=node.span)


def factors_of(node: tree.Node) -> list[tree.Node]:
    r"""Return the factors of a product, also where \cdot or \times stands between them; none of anything else."""
    if isinstance(node, tree.Product):
        return list(node.factors)
    if isinstance(node, tree.Binary) and node.operator in ("cdot", "times"):
        return [y for x in (node.left, node.right) for y in (factors_of(x) or [x])]
    return []


def read_dots(kind: str, terms: Sequence[tree.Node], node: tree.Node, same: Same) -> list[tree.Node]:
    """Return terms or factors in which the dots, with what they go on from and lead to, are one sum or product."""
    i = next(k for k, x in enumerate(terms) if isinstance(x, tree.Dots))
    before = list(terms[:i])
    behind = list(terms[i + 1 :])
    if not before or not behind or any(isinstance(x, tree.Dots) for x in behind):
        raise Unreadable(NO_PATTERN, of=node)
    if len(behind) > 1 and (pattern := descending(before, behind, same)):
        return [sum_of(kind, pattern, node)]
    used = 1
    patterns = find_patterns(before, behind[0], same)
    if len(behind) > 1:  # (n - 1) + n
        longer = [
            x for x in find_patterns(before, behind[1], same) if same(term_at(x, shifted_back(x.last)), behind[0])
        ]
        used, patterns = (2, longer) if longer else (used, patterns)
    if len(patterns) != 1:
        raise Unreadable(TWO_WAYS if patterns else NO_PATTERN, of=node)
    return [*before[: len(before) - patterns[0].taken], sum_of(kind, patterns[0], node), *behind[used:]]


def descending(before: list[tree.Node], behind: list[tree.Node], same: Same) -> TermPattern | None:
    r"""Return the pattern of n (n-1) \cdots 2 \cdot 1, read from its end; None where it is none."""
    if len(before) < 2:
        return None
    patterns = [x for x in find_patterns(behind[::-1], before[0], same) if x.taken == len(behind)]
    patterns = [x for x in patterns if same(term_at(x, shifted_back(x.last)), before[1])]
    return patterns[0] if len(patterns) == 1 else None


def shifted_back(node: tree.Node) -> tree.Node:
    """Return a node less one."""
    signs = tree.Sign("+", span=node.span), tree.Sign("-", span=node.span)
    return tree.Group("(", (tree.Add(signs, (node, tree.Number("1", span=node.span)), span=node.span),), span=node.span)


def sum_of(kind: str, pattern: TermPattern, node: tree.Node) -> tree.Node:
    """Return the sum or product that a pattern gives."""
    names = {x.base for x in conventions.symbols(node)} | {y for x in conventions.symbols(node) for y in x.sub}
    index = next(x for x in (*INDICES, "index") if x not in names)
    body = term_at(pattern, tree.Symbol(index, span=node.span))
    return tree.Big(kind, index, tree.Number(str(pattern.first), span=node.span), pattern.last, body, span=node.span)


def term_at(pattern: TermPattern, value: tree.Node) -> tree.Node:
    """Return a term of a pattern with a value for its letter, in indices, too, where the value is a letter or a number."""
    return with_value(pattern.term, pattern.letter, value)


def with_value(node: tree.Node, letter: tree.Symbol, value: tree.Node) -> tree.Node:
    """Return a node with a value for a letter; raise Unreadable where it stands in an index and the value is composed."""

    def change(x: tree.Node) -> tree.Node | None:
        if x == letter:
            return value
        if isinstance(x, tree.Symbol | tree.Indexed) and letter.base in x.sub:
            piece = pieces_of(value)
            sub = tuple(z for y in x.sub for z in (piece if y == letter.base else (y,)))
            return replace(simplified(replace(x, sub=sub)), span=(0, 0))
        return None

    return replace_nodes(node, change)


def pieces_of(value: tree.Node) -> tuple[str, ...]:
    """Return what stands in an index for a value: a letter, a number, or a letter less one."""
    if isinstance(value, tree.Number):
        return (value.text,)
    if isinstance(value, tree.Symbol):
        return (value.base,)
    inner = value.items[0] if isinstance(value, tree.Group) else value
    if not isinstance(inner, tree.Add):
        raise Unreadable(NO_PATTERN, of=value)
    return (*pieces_of(inner.terms[0]), "-", *pieces_of(inner.terms[1]))


def simplified(node: tree.Symbol | tree.Indexed) -> tree.Symbol | tree.Indexed:
    """Return a letter whose index is a sum of numbers, 1 + 1, with the sum as its index."""
    sub = node.sub
    if len(sub) == 3 and sub[0].isdigit() and sub[2].isdigit() and sub[1] in "+-":
        number = int(sub[0]) + int(sub[2]) * (1 if sub[1] == "+" else -1)
        return replace(node, sub=(str(number),)) if number >= 0 else node
    return node


def find_patterns(before: list[tree.Node], last: tree.Node, same: Same) -> list[TermPattern]:
    """Return the patterns that give the terms in front of the dots, as many of them as fit, and the last one."""
    found = [*by_last_term(before, last, same), *counted_up(before, last)]
    if not conventions.symbols(last) and not any(conventions.symbols(x) for x in before):
        found += by_numbers(before, last)
    most = max((x.taken for x in found), default=0)
    kept: list[TermPattern] = []
    for pattern in found:
        if pattern.taken == most and not any(give_same_terms(pattern, x, same) for x in kept):
            kept.append(pattern)
    return kept


def give_same_terms(left: TermPattern, right: TermPattern, same: Same) -> bool:
    """Tell whether two patterns give the same terms."""
    value = tree.Number("5")
    shift = right.first - left.first
    further = tree.Number(str(5 + shift))
    ends = left.last == right.last if not shift else False
    return ends and same(with_value(left.term, left.letter, value), with_value(right.term, right.letter, further))


def by_last_term(before: list[tree.Node], last: tree.Node, same: Same) -> Iterator[TermPattern]:
    """Yield the patterns in which a letter of the last term counts: with a number for it, it is a printed term."""
    for letter in letters_that_count(last):
        if len(before) == 1 and not is_named_by(last, letter):
            continue
        for taken in range(len(before), 0, -1):
            if taken == 1 and not is_named_by(last, letter):
                break
            shown = before[len(before) - taken :]
            fits = [
                first
                for first in STARTS
                if all(
                    same(with_value(last, letter, tree.Number(str(first + k))), term) for k, term in enumerate(shown)
                )
            ]
            if fits:
                yield from (TermPattern(last, letter, first, letter, taken) for first in fits)
                break


def letters_that_count(term: tree.Node) -> list[tree.Symbol]:
    """Return the letters of a term that may count: those that stand alone, and those in indices."""
    alone = [x for x in conventions.symbols(term) if is_index(x) and x.base != r"\pi"]
    subs = [y for x in tree.walk(term) if isinstance(x, tree.Symbol | tree.Indexed) for y in x.sub]
    return list(dict.fromkeys([*alone, *(tree.Symbol(y) for y in subs if y.isalpha() and len(y) == 1)]))


def is_named_by(term: tree.Node, letter: tree.Symbol) -> bool:
    """Tell whether a term is the letter itself, or has it in its index alone: one term in front of the dots is enough, then."""
    return term == letter or letter not in tree.walk(term)


def counted_up(before: list[tree.Node], last: tree.Node) -> Iterator[TermPattern]:
    """Yield the pattern of terms that count, 1 + 2 + \\dots + 2 n, up to any last one with a letter."""
    numbers = [int(x.text) for x in before if isinstance(x, tree.Number) and x.text.isdigit()]
    counts = len(numbers) == len(before) and all(b == a + 1 for a, b in pairwise(numbers))
    if counts and len(numbers) > 1 and conventions.symbols(last):
        index = tree.Symbol("index")
        yield TermPattern(index, index, numbers[0], last, len(before))


def by_numbers(before: list[tree.Node], last: tree.Node) -> Iterator[TermPattern]:
    """Yield the patterns of printed whole numbers: with equal steps, with equal quotients, squares."""
    found = [x.text for x in (*before, last) if isinstance(x, tree.Number) and x.text.isdigit()]
    if len(found) == len(before) + 1 > 2:
        *shown, end = map(int, found)
        for pattern in (with_equal_steps, with_equal_quotients, of_squares):
            if made := pattern(shown, end):
                yield made


def with_equal_steps(shown: list[int], end: int) -> TermPattern | None:
    """Return the pattern of 1, 4, 7, .., 100."""
    step = shown[1] - shown[0]
    index = tree.Symbol("index")
    if step <= 0 or any(b - a != step for a, b in pairwise(shown)) or (end - shown[0]) % step:
        return None
    return TermPattern(linear(index, step, shown[0]), index, 0, tree.Number(str((end - shown[0]) // step)), len(shown))


def with_equal_quotients(shown: list[int], end: int) -> TermPattern | None:
    """Return the pattern of 3, 6, 12, .., 96."""
    if not shown[0] or shown[1] % shown[0] or shown[1] // shown[0] < 2:
        return None
    ratio = shown[1] // shown[0]
    index = tree.Symbol("index")
    power = exponent_of(end, shown[0], ratio)
    if power is None or any(b != a * ratio for a, b in pairwise(shown)):
        return None
    term = tree.Product((tree.Number(str(shown[0])), tree.Power(tree.Number(str(ratio)), index)))
    return TermPattern(term, index, 0, tree.Number(str(power)), len(shown))


def of_squares(shown: list[int], end: int) -> TermPattern | None:
    """Return the pattern of 1, 4, 9, .., 100."""
    roots = [isqrt(x) for x in (*shown, end)]
    if any(r * r != x for r, x in zip(roots, (*shown, end))) or any(b != a + 1 for a, b in pairwise(roots[:-1])):
        return None
    index = tree.Symbol("index")
    return TermPattern(tree.Power(index, tree.Number("2")), index, roots[0], tree.Number(str(roots[-1])), len(shown))


def linear(index: tree.Symbol, step: int, start: int) -> tree.Node:
    """Return start + step index."""
    signs = tree.Sign("+"), tree.Sign("+")
    return tree.Group("(", (tree.Add(signs, (tree.Number(str(start)), tree.Product((tree.Number(str(step)), index)))),))


def exponent_of(end: int, start: int, ratio: int) -> int | None:
    """Return n where end is start times ratio^n, None where there is none."""
    value = start
    n = 0
    while abs(value) < abs(end):
        value = value * ratio
        n = n + 1
    return n if value == end else None
