r"""Dead tokens: what may be changed in an equation without any harm, so that a slip there would not be seen.

After a pass, each letter and number gets another value, each sign the other sign, each index another index, each bound
of a sum one term more or less, each factor is left out. Where no difference of two sides changes, at no size and for no
value of the indices, the letters are bound too kindly: -G_j where G is zero, a sum over a silent zero, x_t that is the
same at all times, an index of which one value is tried. The author binds them better, or says why it must be so.

So is what acts only where a sign changes, and never does: the bars of |x| where x is positive, \sqrt{x^2}, \max(0, x),
\operatorname{sign} x, a case that never holds. It is taken away, at more points, of all sizes and signs.

And so is a transpose of what is bound to a symmetric matrix, or the order of two factors that commute, unless it is so by
algebra alone, or the author declares the letter symmetric.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np

from eqproof import algebra, tree
from eqproof.bindings import Bindings, key_of
from eqproof.changes import NO_FRACTION, NO_VALUE, TRANSPOSED, Change, changes_below
from eqproof.errors import ProofError
from eqproof.evaluate import Evaluation, Fractions, Numbers
from eqproof.exact import Exact, ExactPoint, FinerAngleNeeded
from eqproof.meaning import same_claims
from eqproof.points import DIGITS, Point
from eqproof.relations import is_space
from eqproof.sampling import KINKED
from eqproof.statement import Ground
from eqproof.subscripts import Indices

SEEDS = 12  # points in digits at which a change is looked for
NOISE = mpmath.mpf(10) ** -25


def dead_tokens(claims: tree.Claims, grounds: Sequence[Ground], symmetric: Iterable[str] = ()) -> list[Change]:
    """Return the changes that leave all sides of all claims as they were; grounds: pairs (table, indices) to try.

    symmetric: the letters that are declared to stand for symmetric matrices.
    """
    trials = [Trial(claims, table, at) for table, at in reversed(grounds)]
    known = letters_of(symmetric)

    def dead(change: Change) -> bool:
        if change.what == TRANSPOSED and is_declared_symmetric(change.token, known):
            return False
        if any(trial.sees(other, change.wide) for other in change.instead for trial in trials):
            return False
        return not (change.same and all(map(says_the_same, change.instead)))

    def says_the_same(other: tree.Node) -> bool:
        assert isinstance(other, tree.Claims)  # what is changed in claims are claims again
        return same_claims(claims, other, grounds)

    return [change for change in changes_below(claims, trials[0].fractions or trials[0].digits(0)) if dead(change)]


def letters_of(symmetric: Iterable[str]) -> list[tree.Symbol]:
    """Return the letters that are declared to be symmetric; raise ProofError at what is no letter."""
    found = []
    for text in symmetric:
        key = key_of(text)
        if not isinstance(key, tree.Symbol):
            raise ProofError(
                rf"only a letter is declared symmetric, such as \boldsymbol I_*, got {text!r}: name the matrix by a letter"
            )
        found.append(key)
    return found


def is_declared_symmetric(node: tree.Node, symmetric: Iterable[tree.Symbol]) -> bool:
    """Tell whether a node is one of the letters that are symmetric, or its rate; I_* is I with any index, or with none."""
    if not isinstance(node, tree.Symbol):
        return False
    for key in symmetric:
        name = key.sub[:-1] if key.sub[-1:] == ("*",) else key.sub
        any_index = name != key.sub and node.sub[: len(name)] == name
        if replace(node, dots=0, sub=name) == replace(key, sub=name) and (any_index or node.sub == name):
            return True
    return False


class Trial:
    """The differences of the sides at one size and for one value of the indices, in fractions or else in digits."""

    def __init__(self, claims: tree.Claims, table: Bindings, indices: Indices) -> None:
        self.claims = claims
        self.table = table
        self.indices = indices
        self.digital: dict[int, Evaluation] = {}

    @cached_property
    def fractions(self) -> Evaluation | None:
        """Return the evaluation at an exact point, None where that decides nothing."""
        parts = 1
        while True:
            evaluation = Evaluation(self.table, Fractions(ExactPoint(0, parts)), self.indices)
            try:
                return None if any(x != 0 for x in differences(evaluation, self.claims)) else evaluation
            except FinerAngleNeeded as finer:
                parts = finer.part
            except (*NO_VALUE, *NO_FRACTION):
                return None

    def digits(self, seed: int) -> Evaluation:
        """Return the evaluation in digits at the point of a seed: with maxima and cases, one point does not see all."""
        if seed not in self.digital:
            point = Point(seed, wide=KINKED if seed >= SEEDS else 0)
            self.digital[seed] = Evaluation(self.table, Numbers(point), self.indices)
        return self.digital[seed]

    def sees(self, claims: tree.Node, wide: bool) -> bool:
        """Tell whether changed claims are seen to be others; what then has no value is seen, too.

        wide: in digits, it is looked for at points of all sizes as well, not only near one.
        """
        if self.fractions:
            with suppress(*NO_FRACTION):
                return has_changed(self.fractions, differences(self.fractions, self.claims), claims)
        for seed in range(2 * SEEDS if wide else SEEDS):
            evaluation = self.digits(seed)
            try:
                before = differences(evaluation, self.claims)
            except NO_VALUE:  # at this point it has none: another one tells
                continue
            if has_changed(evaluation, before, claims):
                return True
        return False


def has_changed(evaluation: Evaluation, before: list[Any], claims: Any) -> bool:
    """Tell whether claims have no value, or other differences of sides than those before."""
    try:
        after = differences(evaluation, claims)
    except NO_VALUE:  # it would stop a proof
        return True
    return len(after) != len(before) or not all(map(same_number, before, after))


def differences(evaluation: Evaluation, claims: Any) -> list[Any]:
    """Return all entries of the differences of neighboring sides."""
    found = []
    with mpmath.workdps(DIGITS):
        for chain in claims.chains:
            values = [None if is_space(side) else evaluation(side) for side in chain.sides]
            for a, b in pairwise(values):
                if b is not None:
                    a, b = algebra.same_size(a, b)
                    found += list(np.atleast_1d(np.asarray(a - b, dtype=object)).flat)
    return found


def same_number(a: Any, b: Any) -> bool:
    """Tell whether two numbers are the same, up to noise where they are numbers in digits."""
    if isinstance(a, Exact) or isinstance(b, Exact):
        return bool(Exact.of(a) == b)
    return bool(abs(a - b) <= NOISE * max(1, abs(b)))
