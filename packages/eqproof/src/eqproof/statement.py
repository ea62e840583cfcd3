r"""A claim with all that deciding it needs: its text and tree, what its letters mean, the free indices, the tolerance."""

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from eqproof import tree
from eqproof.bindings import Bindings
from eqproof.calculus import SPELLINGS
from eqproof.errors import ProofError
from eqproof.evaluate import Evaluation, Numbers
from eqproof.points import Point
from eqproof.subscripts import Indices

Ground = tuple[Bindings, Indices]  # on which an equation is tried: a table, and the values of its free indices
ORDERED = {"<", ">", r"\le", r"\ge", r"\succ", r"\prec", r"\succeq", r"\preceq", r"\ne"}
CLOSED = re.compile(r"\\begin\s*\{[^{}]*\}(?:(?!\\begin|\\end).)*\\end\s*\{[^{}]*\}", re.DOTALL)  # the innermost


@dataclass(frozen=True)
class Statement:
    """A claim with all that deciding it needs.

    text, claims: as it is printed, and as a tree; bindings: what its letters mean; every: the values of the free indices,
    for each of which it must hold; points: at how many random points it is tried, at least; tolerance: relative, for values
    that are known to few digits only.
    """

    text: str
    claims: tree.Claims
    bindings: Bindings
    every: Sequence[Indices] = ({},)
    points: int = 2
    tolerance: float | None = None

    @cached_property
    def relations(self) -> frozenset[str]:
        r"""Its relations, each in one spelling: \leq is \le."""
        return frozenset(SPELLINGS.get(x, x) for chain in self.claims.chains for x in chain.relations)

    @property
    def ordered(self) -> bool:
        """Whether a side of it is larger than another one, or differs from it."""
        return bool(self.relations & ORDERED)

    def evaluation(self, indices: Indices, point: Point | None = None) -> Evaluation:
        """Return what evaluates its sides for values of the indices: in digits at a point, in symbols without one."""
        if point is None:
            return Evaluation(self.bindings, indices=indices)
        return Evaluation(self.bindings, Numbers(point), indices)


# What free indices may be given as: "z k", {"k": 3}, [{"k": 1, "i": 2}], or a function of the size that gives one of these.
Each = str | Mapping[str, int | range] | Sequence[Indices] | Callable[[Any], Any] | None


def index_values(each: Each, n: int | None = None) -> list[Indices]:
    """Return a list of {letter: number} of the free indices: "z k" is 1..n for each, {"k": 3} is 1..3; or the list itself."""
    given: Any = each(n) if callable(each) else each
    if isinstance(given, str):
        given = dict.fromkeys(given.split(), n)
    if isinstance(given, Mapping):
        if not all(isinstance(k, int | range) for k in given.values()):
            raise ProofError(f"free indices need their numbers, such as {{'k': 3}}, or the sizes n; got {given!r}")
        ranges = [range(1, k + 1) if isinstance(k, int) else k for k in given.values()]
        given = [dict(zip(given, numbers)) for numbers in itertools.product(*ranges)]
    return list(given or [{}])


def indices_in_words(every: Sequence[Indices]) -> str:
    """Return in words the values of the indices that were tried."""
    if not every[0]:
        return ""
    if len(every) > 1 and len(every[0]) > 1 and len(every) < 7:
        return "; for " + ", ".join(f"({', '.join(f'{x} = {k}' for x, k in at.items())})" for at in every)
    values = {letter: sorted({at[letter] for at in every}) for letter in every[0]}
    return "; for " + ", ".join(f"{letter} = {', '.join(map(str, found))}" for letter, found in values.items())


def step_in_words(text: str, chain: tree.Chain, i: int) -> str:
    """Return in words which step of a chain is meant, nothing if it has one step only."""
    if len(chain.relations) == 1:
        return ""
    rows = [line_of(text, side.span[0]) for side in chain.sides]
    if rows[i] == rows[i + 1]:
        return f"side {i + 2} does not follow from side {i + 1}: "
    return f"line {rows[i + 1]} does not follow from line {rows[i]}: "


def line_of(text: str, place: int) -> int:
    """Return in which line of a display a place is, from one; the rows of a matrix or of cases before it are no lines."""
    before = text[:place]
    while (outside := CLOSED.sub("", before)) != before:
        before = outside
    return before.count(r"\\") + 1
