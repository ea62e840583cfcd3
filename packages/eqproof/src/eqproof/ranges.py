r"""What conditions below a sum say of its indices: \sum_{i < j}, \sum_{1 \le i < j \le n}, \sum_{\substack{j = 1 \\ j \ne i}}^n.

They become one sum in the other, each with its bounds. A letter that stands elsewhere in the equation, or that an outer sum
counts, is a number there: in x_j - \sum_{i < j} x_i, i counts up to j - 1. A bound that is not printed stays open: a book
refuses it, `eqproof check` draws it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from eqproof import tree
from eqproof.intermediate import depends_on_index, is_index, refuse

UP = {"<": 1, r"\lt": 1, r"\le": 0, r"\leq": 0}  # what is added to the one that is smaller
DOWN = {">": "<", r"\gt": "<", r"\ge": r"\le", r"\geq": r"\le"}
APART = (r"\ne", r"\neq")
NOWHERE = tree.Dots(span=(-1, -1))  # no node of a display
NOT_READ = r"the index of a sum must be given as i = 1, i < j, i \ne j or 1 \le i < j \le n below it"


@dataclass
class Range:
    """What is known of one index: its bounds, and a value that it skips; set_of: it goes over a set, of unknown size."""

    low: tree.Node | None = None
    high: tree.Node | None = None
    skip: tree.Node | None = None
    set_of: bool = False

    @property
    def ends(self) -> list[tree.Node]:
        """What is printed of it."""
        return [x for x in (self.low, self.high, self.skip) if x is not None]


def with_ranges(claims: tree.Claims) -> tree.Claims:
    """Return claims in which each sum has one index; raise Unreadable at conditions that do not tell its range."""
    if not any(isinstance(x, tree.Over) for x in tree.walk(claims)):
        return claims
    return replace(claims, chains=tuple(settle(x, x, frozenset()) for x in claims.chains))


def with_own_indices(left: tree.Node, right: tree.Node) -> tuple[tree.Node, tree.Node]:
    r"""Return sides in which the index of a sum has a name of its own, where its letter is a free one, too.

    In \sum_{i=1}^2 x_i = 2 x_i, the i on the right is none that counts.
    """
    counted = {x.index for side in (left, right) for x in tree.walk(side) if isinstance(x, tree.Big)}
    shared = {x for x in counted if stands_free(left, x, NOWHERE) or stands_free(right, x, NOWHERE)}
    return (with_names(left, shared), with_names(right, shared)) if shared else (left, right)


def with_names(node: tree.N, shared: set[str]) -> tree.N:
    """Return a node in which sums that count with one of some letters count with another name."""
    if isinstance(node, tree.Big) and node.index in shared:
        new = f"{node.index} of the sum"
        body = renamed(with_names(node.body, shared), node.index, new)
        skip = node.skip if node.skip is None else renamed(node.skip, node.index, new)
        return replace(node, index=new, body=body, skip=skip)
    return tree.map_children(node, lambda child: with_names(child, shared))


def renamed(node: tree.N, old: str, new: str) -> tree.N:
    """Return a node with another name for an index, as a letter and in subscripts."""
    if isinstance(node, tree.Symbol):
        if is_index(node) and node.base == old:
            return replace(node, base=new)  # type: ignore[return-value]
        return replace(node, sub=tuple(new if x == old else x for x in node.sub))
    if isinstance(node, tree.Indexed):
        node = replace(node, sub=tuple(new if x == old else x for x in node.sub))
    return tree.map_children(node, lambda child: renamed(child, old, new))


def settle(node: tree.N, whole: tree.Node, bound: frozenset[str]) -> tree.N:
    """Return a node with one sum for each index; whole: the chain that it stands in; bound: the letters that count around it."""
    if isinstance(node, tree.Big):
        inner = bound | {node.index}
        low, high = (x if x is None else settle(x, whole, bound) for x in (node.low, node.high))
        return replace(node, low=low, high=high, body=settle(node.body, whole, inner))
    if isinstance(node, tree.Over):
        return settle_conditions(node, whole, bound)  # type: ignore[return-value]
    return tree.map_children(node, lambda child: settle(child, whole, bound))


def settle_conditions(node: tree.Over, whole: tree.Node, bound: frozenset[str]) -> tree.Node:
    """Return the sums, one in the other, that a sum over conditions is."""
    fixed = bound | {x for x in letters_in(node.conditions) if stands_free(whole, x, node)}
    ranges = ranges_of(node, fixed)
    body = settle(node.body, whole, bound | {*ranges})
    for inner in tree.walk(body):
        if isinstance(inner, tree.Big) and inner.index in ranges:
            refuse(f"{inner.index} counts in two sums, one in the other: name another index", inner)
    for name, known in reversed(in_order(ranges, node).items()):
        low = known.low
        if low is None and not known.set_of and not is_value(node.body, name):
            low = tree.Number("1", span=node.conditions[0].span)
        body = tree.Big(node.kind, name, low, known.high, body, known.skip, span=node.span)
    return body


def in_order(ranges: dict[str, Range], node: tree.Over) -> dict[str, Range]:
    """Return the ranges so that each one depends on those before it alone; raise Unreadable where there is no such order."""
    left = dict(ranges)
    ordered = dict[str, Range]()
    while left:
        ready = [
            name for name, known in left.items() if not any(depends_on_index(x, y) for x in known.ends for y in left)
        ]
        if not ready:
            refuse(NOT_READ, node)
        ordered[ready[0]] = left.pop(ready[0])
    return ordered


def is_value(node: tree.Node, name: str) -> bool:
    """Tell whether an index is a number in what is summed, and not an index alone: then it matters from where it counts."""
    if isinstance(node, tree.Big | tree.Over):
        return is_value(node.body, name)
    return node == tree.Symbol(name) or any(is_value(x, name) for x in tree.children(node))


def letters_in(conditions: Sequence[tree.Chain]) -> list[str]:
    """Return the letters that stand alone at a side of conditions, each once."""
    return list(dict.fromkeys(x.base for chain in conditions for x in chain.sides if is_index(x)))


def stands_free(node: tree.Node, name: str, outside: tree.Node) -> bool:
    """Tell whether a letter stands in a node, as itself or as an index, where no sum counts it, and not in one node of it."""
    if node is outside:
        return False
    if isinstance(node, tree.Big) and node.index == name:
        return any(stands_free(x, name, outside) for x in (node.low, node.high) if x is not None)
    if isinstance(node, tree.Over) and name in letters_in(node.conditions):
        return False
    if isinstance(node, tree.Symbol | tree.Indexed) and depends_on_index(tree_of(node), name):
        return True
    return any(stands_free(x, name, outside) for x in tree.children(node))


def tree_of(node: tree.Symbol | tree.Indexed) -> tree.Node:
    """Return a letter, or the subscript of what is none, without what it stands on."""
    return node if isinstance(node, tree.Symbol) else replace(node, body=tree.Dots())


def ranges_of(node: tree.Over, fixed: frozenset[str]) -> dict[str, Range]:
    """Return the ranges of the letters that count in the conditions of a sum; fixed: letters that are numbers there."""
    ranges: dict[str, Range] = {}
    conditions = [rising(chain) for chain in node.conditions]
    for chain in conditions:
        for side in counted_sides(chain, node, fixed):
            ranges.setdefault(side.base, Range())
    if not ranges:
        refuse(NOT_READ, node)
    for chain in conditions:
        read_condition(chain, ranges, node)
    for known in ranges.values():
        if known.high is None and not known.set_of:
            known.high = node.high
    return ranges


def rising(chain: tree.Chain) -> tree.Chain:
    """Return a condition with the smaller side first."""
    if not chain.relations or not {*chain.relations} <= DOWN.keys():
        return chain
    return replace(chain, sides=chain.sides[::-1], relations=tuple(DOWN[x] for x in reversed(chain.relations)))


def counted_sides(chain: tree.Chain, node: tree.Over, fixed: frozenset[str]) -> Iterator[tree.Symbol]:
    """Yield the sides of a condition that count: letters that are no numbers there, and on which the sum depends."""
    for i, side in enumerate(chain.sides):
        if not is_index(side) or side.base in fixed:
            continue
        if chain.relations in (("=",), (r"\in",)) and i > 0:
            continue
        end = i in (0, len(chain.sides) - 1)
        if len(chain.sides) > 2 and end:
            strict = UP.get(chain.relations[0 if i == 0 else -1]) == 1
            counts = strict and any(side.base in x.sub for x in tree.walk(node.body) if isinstance(x, tree.Symbol))
        else:
            counts = not end or len(chain.sides) == 1 or depends_on_index(node.body, side.base)
        if counts:
            yield side


def read_condition(chain: tree.Chain, ranges: dict[str, Range], node: tree.Over) -> None:
    """Note what one condition says of the letters that count."""
    sides = chain.sides
    relations = chain.relations
    names = [x.base if is_index(x) and x.base in ranges else "" for x in sides]
    if not relations:
        return
    if relations == ("=",) and names[0]:
        if ranges[names[0]].low is not None:
            refuse(NOT_READ, node)
        ranges[names[0]].low = sides[1]
    elif relations == (r"\in",) and names[0]:
        ranges[names[0]].set_of = True
    elif len(relations) == 1 and relations[0] in APART and any(names):
        read_exception(sides, names, ranges, node)
    elif {*relations} <= UP.keys() and any(names):
        read_order(sides, relations, names, ranges, node)
    else:
        refuse(NOT_READ, node)


def read_exception(sides: Sequence[tree.Node], names: Sequence[str], ranges: dict[str, Range], node: tree.Over) -> None:
    r"""Note what i \ne j says: the one that counts inside leaves out the other."""
    order = [*ranges]
    k = max((i for i in (0, 1) if names[i]), key=lambda i: order.index(names[i]))
    if ranges[names[k]].skip is not None:
        refuse("an index that leaves out two values is not read: write two sums", node)
    ranges[names[k]].skip = sides[1 - k]


def read_order(
    sides: Sequence[tree.Node],
    relations: Sequence[str],
    names: Sequence[str],
    ranges: dict[str, Range],
    node: tree.Over,
) -> None:
    r"""Note what a chain such as 1 \le i < j \le n says: each letter begins behind the one before it, all end where the last one does."""
    gap = 0
    high = None
    for i in range(len(sides) - 1, -1, -1):
        if i < len(relations):
            gap += UP[relations[i]]
        if names[i] and high is not None:
            if ranges[names[i]].high is not None:
                refuse(NOT_READ, node)
            ranges[names[i]].high = shifted(high, -gap)
        elif not names[i]:
            gap = 0
            high = sides[i]
    for i, (name, relation) in enumerate(zip(names[1:], relations)):
        if name and ranges[name].low is None:
            ranges[name].low = shifted(sides[i], UP[relation])
        elif name:  # it begins elsewhere: what is smaller ends below it
            if not names[i] or ranges[names[i]].high is not None:
                refuse(NOT_READ, node)
            ranges[names[i]].high = shifted(sides[i + 1], -UP[relation])


def shifted(node: tree.Node, by: int) -> tree.Node:
    """Return a node with a whole number added."""
    if not by:
        return node
    if isinstance(node, tree.Number) and node.text.isdigit() and int(node.text) + by >= 0:
        return replace(node, text=str(int(node.text) + by))
    signs = tree.Sign("+", span=node.span), tree.Sign("+" if by > 0 else "-", span=node.span)
    return tree.Add(signs, (node, tree.Number(str(abs(by)), span=node.span)), span=node.span)
