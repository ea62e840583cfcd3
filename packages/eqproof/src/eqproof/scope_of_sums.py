"""What is added behind a sum over an index, or behind a limit, and could be a part of it."""

from collections.abc import Sequence
from itertools import pairwise

from eqproof import tree
from eqproof.ambiguous import is_number
from eqproof.intermediate import depends_on_index, is_index, is_undecorated_symbol, refuse


def refuse_open_ends(terms: Sequence[tree.Node]) -> None:
    """Raise Unreadable at a sum over an index, or a limit, to which what is added behind it can belong."""
    for term, behind in pairwise(terms):
        last = term
        while (inner := last_factor(last)) is not None:
            last = inner
        if isinstance(last, tree.Limit) and last.variable in tree.walk(behind):
            refuse("behind a limit this can be a part of it: write it in front, or set brackets", behind)
        if isinstance(last, tree.Integral) and last.variable.span[0] < last.body.span[0]:  # \int dx x + 1
            refuse(
                "behind an integral that begins with its differential this can be a part of it: set brackets", behind
            )
        if isinstance(last, tree.Big | tree.Over) and any(may_belong_to_sum(behind, x) for x in indices_of(last)):
            refuse("behind a sum this can be a part of it: write it in front, or set brackets", behind)


def may_belong_to_sum(behind: tree.Node, index: str) -> bool:
    """Tell whether a term behind a sum can be a part of it: it depends on the index, or is made of lone letters and numbers."""
    if any(isinstance(x, tree.Big | tree.Over) for x in tree.walk(behind)):
        return False
    atoms = [x for x in tree.walk(behind) if isinstance(x, tree.Symbol | tree.Number | tree.Group | tree.Call)]
    lone = all(is_number(x) or (is_undecorated_symbol(x) and not x.sub) for x in atoms)
    return lone or depends_on_index(behind, index)


def indices_of(node: tree.Big | tree.Over) -> tuple[str, ...]:
    """Return the letters that count in a sum or product, or may count."""
    if isinstance(node, tree.Big):
        return (node.index,)
    return tuple(x.base for chain in node.conditions for x in chain.sides if is_index(x))


def last_factor(node: tree.Node) -> tree.Node | None:
    """Return the last of the factors that a product has, None of what is no product."""
    if isinstance(node, tree.Binary):
        return node.right
    return node.factors[-1] if isinstance(node, tree.Product) else None
