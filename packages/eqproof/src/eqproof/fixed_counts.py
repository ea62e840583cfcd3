"""Letters that are one number wherever an equation is tried: a false equation with that number in their place would pass.

A count, such as the n of a sum, needs several sizes, and so would one with another letter that counts and is always as
much, one more or twice as much: where two count, the sizes of one must not follow from those of the other by a sum or
a factor.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import sympy

from eqproof import tree
from eqproof.bindings import Bindings
from eqproof.changes import Change
from eqproof.errors import ProofError
from eqproof.evaluate import Evaluation
from eqproof.quantities import Field
from eqproof.statement import Ground


def fixed_letters(claims: tree.Claims, grounds: Sequence[Ground]) -> list[Change]:
    """Return Changes: a letter, and the number or the other letter from which it is not told; grounds: pairs (table, indices)."""
    evaluations = [Evaluation(table, indices=indices) for table, indices in grounds]
    counts = whole_numbers(evaluations)
    changes: list[Change] = []
    for node in dict.fromkeys(x for x in tree.walk(claims) if isinstance(x, tree.Symbol)):
        if node in counts and len({*counts[node]}) > 1 and (change := too_few_numbers(claims, node, {*counts[node]})):
            changes.append(change)
        letters: list[tree.Symbol] = [node, *(x for x in map(tree.Symbol, node.sub) if x in counts)]
        for letter in letters:
            may = "may be" if letter is node else f"may have for {letter.base}"
            changes += [
                Change(node, f"{may} {what}", (), cure) for what, cure in not_told_from(letter, counts, evaluations)
            ]
    return changes


def whole_numbers(evaluations: Sequence[Evaluation]) -> dict[tree.Symbol, list[sympy.Integer]]:
    """Return {a letter that counts: the numbers that it stands for in the evaluations}, the free indices among them."""
    names = [
        *(x for x in evaluations[0].bindings.values if isinstance(x, tree.Symbol)),
        *map(tree.Symbol, evaluations[0].indices),
    ]
    return {x: found for x in names if (found := tried_numbers(x, evaluations)) and all(k.is_Integer for k in found)}


def not_told_from(
    letter: tree.Symbol, counts: dict[tree.Symbol, list[sympy.Integer]], evaluations: Sequence[Evaluation]
) -> Iterator[tuple[str, str]]:
    """Yield (in words what a letter may be in place of itself, its cure): one number, or what another one that counts gives."""
    found = tried_numbers(letter, evaluations)
    if found and len({*found}) == 1:
        yield f"the number {found[0]}", "try another number"
    elif letter in counts:
        for same in followed(letter, counts, evaluations[0].bindings):
            yield same, "try sizes at which they are apart"


def followed(letter: tree.Symbol, counts: dict[tree.Symbol, list[sympy.Integer]], table: Bindings) -> Iterator[str]:
    """Yield in words what a letter that counts is of each other one, wherever both were tried: its double, say."""
    for other in counts:
        if other != letter:
            same = follows(counts[letter], counts[other], table.spelled.get(other) or other.base)
            if same:
                yield same


def too_few_numbers(claims: tree.Claims, letter: tree.Symbol, found: set[sympy.Integer]) -> Change | None:
    """Return the Change of a letter that was tried at fewer numbers than tell polynomials of its degree apart, None without."""
    degree = max((degree_in(side, letter) for chain in claims.chains for side in chain.sides), default=0)
    if len(found) > degree:
        return None
    what = f"stands in degree {degree}, and {len(found)} of its numbers are tried: a polynomial that is zero there may be added"
    return Change(letter, what, (), f"try {degree + 1}")


def degree_in(node: tree.Node, letter: tree.Symbol) -> int:
    """Return the degree of a node in a letter that counts, as it is written; a sum to it of what counts alone adds one."""
    if isinstance(node, tree.Symbol):
        return int(node == letter)
    if isinstance(node, tree.Product):
        return sum(degree_in(x, letter) for x in node.factors)
    if isinstance(node, tree.Binary):
        return degree_in(node.left, letter) + degree_in(node.right, letter)
    if isinstance(node, tree.Fraction):
        return degree_in(node.above, letter) + degree_in(node.below, letter)
    if isinstance(node, tree.Power):
        power = node.exponent.text if isinstance(node.exponent, tree.Number) else ""
        return degree_in(node.base, letter) * (int(power) if power.isdigit() else 1)
    if isinstance(node, tree.Big):
        ends = any(degree_in(x, letter) for x in (node.low, node.high) if x is not None)
        index = tree.Symbol(node.index)
        counts = all(x in (index, letter) for x in tree.walk(node.body) if isinstance(x, tree.Symbol))
        return degree_in(node.body, letter) + (ends and counts) * (1 + degree_in(node.body, index))
    return max((degree_in(x, letter) for x in tree.children(node)), default=0)


def follows(found: Sequence[sympy.Integer], others: Sequence[sympy.Integer], name: str) -> str | None:
    """Return in words how the numbers found are made of others, as name+1 or 2 name are, None if they are not."""
    gaps = {a - b for a, b in zip(found, others)}
    if len(gaps) == 1:
        return name + f"{int(gaps.pop()):+d}".replace("+0", "")
    ratios = {a / b for a, b in zip(found, others)} if all(others) else set()
    return f"{ratios.pop()} {name}" if len(ratios) == 1 else None


def tried_numbers(letter: tree.Symbol, evaluations: Sequence[Evaluation]) -> list[sympy.Number] | None:
    """Return the numbers that a letter stands for in evaluations, None if it stands for more than a number in one."""
    found = []
    for evaluation in evaluations:
        try:
            value = evaluation.look(letter)
        except ProofError:
            return None
        value = value.value if isinstance(value, Field) else value
        value = value[0, 0] if isinstance(value, np.ndarray) and value.size == 1 else value
        if not isinstance(value, sympy.Number):
            return None
        found.append(value)
    return found
