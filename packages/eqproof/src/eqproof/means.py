r"""A bar above a letter beside the same letter with numbers as indices is usually a mean: \bar x = (x_1 + .. + x_n) / n."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from eqproof import tree
from eqproof.comparison import printed_side

BARS = (("bar",), ("overline",))
MOST_LISTED = 9
Bounds = dict[
    str, tuple[str, str] | None
]  # of the indices of the sums around a letter, as printed; None where some are skipped


@dataclass(frozen=True)
class Mean:
    """What a bar stands for, and of which letters it is the mean, in words."""

    value: tree.Node
    members: str


def means_in(letters: Iterable[tree.Symbol], unwritten: tuple[tree.Node, ...], text: str) -> dict[tree.Symbol, Mean]:
    r"""Return the mean of x_1, x_2, .. for each \bar x among letters that stands beside at least two of these.

    unwritten: the sides before their sums to a letter were written out, which tell that x_1, .., x_n are meant: at n = 1 these are
    one; () where no sum counts to a letter.
    """
    letters = [*letters]
    found: dict[tree.Symbol, Mean] = {}
    for bar in (x for x in letters if x.accents in BARS and not (x.sub or x.dots or x.style)):
        members = [x for x in letters if is_member(x, bar) and "".join(x.sub).isdigit()]
        words = counted_in_words(bar, unwritten, text) if unwritten else listed_in_words(members)
        if members and words:
            total = tree.Add((tree.Sign("+"),) * len(members), tuple(members))
            mean = tree.Fraction(total, tree.Number(str(len(members))))
            found[bar] = Mean(tree.Group("(", (mean,)), words)
    return found


def is_member(letter: tree.Symbol, bar: tree.Symbol) -> bool:
    """Tell whether a letter is that of a bar with an index."""
    return bool(letter.sub) and tree.Symbol(letter.base, sub=letter.sub) == letter and letter.base == bar.base


def listed_in_words(members: list[tree.Symbol]) -> str:
    """Return the names of the letters of a mean, "" of fewer than two: a step with x_1 alone tells of no mean."""
    names = [with_index(x.base, "".join(x.sub)) for x in members]
    if len(names) > MOST_LISTED:
        return f"{', '.join(names[:2])}, .., {names[-1]}, {len(names)} in all"
    return ", ".join(names) if len(names) > 1 else ""


def counted_in_words(bar: tree.Symbol, sides: tuple[tree.Node, ...], text: str) -> str:
    """Return the first and the last of the letters that the sums of sides count, "" where these are not of one range."""
    ranges = {found for side in sides for found in ranges_of(side, bar, {}, text)}
    if len(ranges) != 1 or None in ranges:
        return ""
    ((first, last),) = (x for x in ranges if x is not None)
    return "" if first == last else f"{with_index(bar.base, first)}, .., {with_index(bar.base, last)}"


def ranges_of(node: tree.Node, bar: tree.Symbol, bounds: Bounds, text: str) -> Iterator[tuple[str, str] | None]:
    """Yield the first and the last index of each letter of a mean in a node, None where it is not clear which they are."""
    if isinstance(node, tree.Symbol) and is_member(node, bar):
        yield range_of(node.sub, bounds)
    inner = bounds
    if isinstance(node, tree.Big):
        ends = [None if x is None else printed_side(x, text) for x in (node.low, node.high)]
        low, high = ends
        inner = {**bounds, node.index: (low, high) if low and high and node.skip is None else None}
    for child in tree.children(node):
        yield from ranges_of(child, bar, inner, text)


def range_of(indices: Iterable[str], bounds: Bounds) -> tuple[str, str] | None:
    """Return the first and the last of what indices count, None where it is not clear."""
    first = last = ""
    for index in indices:
        ends = bounds.get(index, (index, index) if index.isdigit() or index == "," else None)
        if ends is None:
            return None
        first += ends[0]
        last += ends[1]
    return first, last


def with_index(base: str, index: str) -> str:
    """Return a letter with an index as it is printed."""
    return f"{base}_{index}" if len(index) == 1 else f"{base}_{{{index}}}"
