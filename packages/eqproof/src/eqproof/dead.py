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

from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import chain as joined
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import sympy

from eqproof import algebra, tree
from eqproof.bindings import key_of
from eqproof.errors import ProofError
from eqproof.evaluate import Evaluation, Fractions, Numbers
from eqproof.exact import Exact, ExactPoint, Finer, Inexact
from eqproof.meaning import same_claims
from eqproof.points import DIGITS, Point
from eqproof.products import label_of, takes_arguments, unwrap
from eqproof.relations import is_space
from eqproof.sampling import KINKED
from eqproof.vacuity import bare

SEEDS = 12  # points in digits at which a change is looked for
SPECIAL = "bind the letters to what is less special"
TRANSPOSED = "may be transposed"
SINGLE = "is 1 x 1 wherever it is tried, a scalar"
NOISE = mpmath.mpf(10) ** -25
# What evaluation raises where there is no value: no shape, no letter, a zero below, a place behind the end of a list; whatever
# else is raised is a slip in a program, and no verdict.
NO_VALUE = (ProofError, ArithmeticError, LookupError)
NO_FRACTION = (Inexact, Finer, TypeError, AttributeError, sympy.SympifyError)  # as in check: then digits tell


@dataclass(frozen=True)
class Change:
    """A change of one token: the node it belongs to, what may be done in words, and the nodes that may stand there instead.

    cure: what the author may do about it, in words; wide: it is looked for at points of all sizes, too; same: it may
    be the same by algebra alone, as in |x|^2 or (A^T)^T, whatever the letters are, and is no slip then.
    """

    token: tree.Node
    what: str
    instead: tuple[tree.Node, ...]
    cure: str = SPECIAL
    wide: bool = False
    same: bool = False

    def printed(self, text):
        """Return the token as it is printed."""
        return text[slice(*self.token.span)].strip()


def dead_tokens(claims, grounds, symmetric=()):
    """Return the changes that leave all sides of all claims as they were; grounds: pairs (table, indices) to try.

    symmetric: the letters that are declared to stand for symmetric matrices.
    """
    trials = [Trial(claims, table, at) for table, at in reversed(grounds)]
    known = [key_of(text) for text in symmetric]

    def dead(change):
        if change.what == TRANSPOSED and declared(change.token, known):
            return False
        if any(trial.sees(other, change.wide) for other in change.instead for trial in trials):
            return False
        return not (change.same and all(same_claims(claims, other, grounds) for other in change.instead))

    return [change for change in below(claims, trials[0].fractions or trials[0].digits(0)) if dead(change)]


def declared(node, symmetric):
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

    def __init__(self, claims, table, at):
        self.claims, self.table, self.at = claims, table, at
        self.digital = {}

    @cached_property
    def fractions(self):
        """Return the evaluation at an exact point, None where that decides nothing."""
        parts = 1
        while True:
            evaluation = Evaluation(self.table, Fractions(ExactPoint(0, parts)), self.at)
            try:
                return None if any(x != 0 for x in differences(evaluation, self.claims)) else evaluation
            except Finer as finer:
                parts = finer.part
            except (*NO_VALUE, *NO_FRACTION):
                return None

    def digits(self, seed):
        """Return the evaluation in digits at the point of a seed: with maxima and cases, one point does not see all."""
        if seed not in self.digital:
            point = Point(seed, wide=KINKED if seed >= SEEDS else 0)
            self.digital[seed] = Evaluation(self.table, Numbers(point), self.at)
        return self.digital[seed]

    def sees(self, claims, wide):
        """Tell whether changed claims are seen to be others; what then has no value is seen, too.

        wide: in digits, it is looked for at points of all sizes as well, not only near one.
        """
        if self.fractions:
            with suppress(*NO_FRACTION):
                return changed(self.fractions, differences(self.fractions, self.claims), claims)
        for seed in range(2 * SEEDS if wide else SEEDS):
            evaluation = self.digits(seed)
            try:
                before = differences(evaluation, self.claims)
            except NO_VALUE:  # at this point it has none: another one tells
                continue
            if changed(evaluation, before, claims):
                return True
        return False


def changed(evaluation, before, claims):
    """Tell whether claims have no value, or other differences of sides than those before."""
    try:
        after = differences(evaluation, claims)
    except NO_VALUE:  # it would stop a proof
        return True
    return len(after) != len(before) or not all(map(alike, before, after))


def differences(evaluation, claims):
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


def alike(a, b):
    """Tell whether two numbers are the same, up to noise where they are numbers in digits."""
    if isinstance(a, Exact) or isinstance(b, Exact):
        return Exact.of(a) == b
    return abs(a - b) <= NOISE * max(1, abs(b))


def below(node, at):
    """Yield the changes of a node and of all below it, as changes of the node."""
    yield from (Change(*change) for change in own(node, at))
    for left, what, cure in idle(node):
        yield Change(node, what, (left,), cure, wide=True, same=True)
    for token, what, instead, cure in orders(node, at):
        yield Change(token, what, (instead,), cure, same=what != SINGLE)
    for name, at_child, skip in parts(node, at):
        yield from lifted(node, name, within(getattr(node, name), at_child, skip))


def lifted(node, name, changes):
    r"""Yield the changes of a part of a node as changes of the node.

    To the bound of a sum, \max(n, 3) is no more than a number: that n alone gives the same sums is no law of algebra.
    """
    bound = isinstance(node, tree.Big) and name in ("low", "high")
    for change in changes:
        yield replace(
            change, same=change.same and not bound, instead=tuple(replace(node, **{name: x}) for x in change.instead)
        )


def within(value, at, skip):
    """Yield the changes of a node, or of the nodes in a tuple."""
    if isinstance(value, tree.Node):
        yield from indices_of(value, at) if is_one_of(value, skip) else below(value, at)
    elif isinstance(value, tuple):
        for i, item in enumerate(value):
            for change in within(item, at, skip):
                yield replace(change, instead=tuple((*value[:i], x, *value[i + 1 :]) for x in change.instead))


def is_one_of(node, nodes):
    """Tell whether a node is one of these at its place, and not only equal to one: the second T of T(q) T is no function."""
    return any(node is x for x in nodes)


def indices_of(node, at):
    """Yield the changes of the indices alone, of a name whose value is not moved: a function, a variable."""
    if isinstance(node, tree.Symbol):
        yield from (Change(*change) for change in other_indices(node, at))


def parts(node, at):
    """Return (name of a part, the evaluation there, the nodes in it whose value is not moved)."""
    if is_whole(node, at):
        return []
    if isinstance(node, tree.Derivative):
        return [("body", at, ()), ("variables", at, tuple(variable for variable, _ in node.variables))]
    if isinstance(node, tree.Integral):
        return [("low", at, ()), ("high", at, ())] + [("body", at, ())] * (node.low is not None)
    if isinstance(node, tree.Big):
        inside = replace(at, at={**at.at, node.index: attempt(at, node.low)})
        bounds = [(name, at, ()) for name in ("low", "high") if chooses(getattr(node, name))]
        return [("body", inside, ()), *bounds]
    if isinstance(node, tree.Product):
        return [("factors", at, heads(node, at))]
    if isinstance(node, tree.Chain):
        return [("sides", at, tuple(side for side in node.sides if is_space(side)))]
    names = [x.name for x in fields(node) if x.name not in ("span", "signs", "sub", "kind", "operator")]
    return [(name, at, ()) for name in names]


def chooses(bound):
    r"""Tell whether a bound is one of several, as \min(N, z + 2) is."""
    return bound is not None and any(isinstance(x, tree.Call | tree.Cases) for x in tree.walk(bound))


def attempt(at, node):
    """Return the lowest value of an index."""
    try:
        return at.integer(node, "a bound")
    except ProofError:
        return 1


def heads(node, at):
    """Return the factors that are functions of the bracket behind them."""
    found = []
    for factor, behind in pairwise(node.factors):
        bracket, _ = unwrap(behind)
        try:
            takes = isinstance(bracket, tree.Group) and takes_arguments(at, unwrap(factor)[0])
        except ProofError:
            takes = True
        found += [factor] * takes
    return tuple(found)


def is_whole(node, at):
    """Tell whether a node is bound as a whole: a letter, also with its superscript letters, or what stands in brackets."""
    if isinstance(node, tree.Power):
        name = label_of(node)
        return name is not None and at.look(name) is not None
    return node in at.bindings.values


def own(node, at):
    """Yield (token, what is done to it, what stands there then) for a node itself."""
    if isinstance(node, tree.Number):
        more = str(int(node.text) + 1) if node.text.isdigit() else node.text + "1"
        yield node, "may be another number", (replace(node, text=more),)
    elif isinstance(node, tree.Symbol):
        yield from other_indices(node, at)
        yield node, "may have another value", moved(node, at)
    elif is_whole(node, at):
        yield node, "may have another value", (tree.Moved(node, span=node.span),)
    elif isinstance(node, tree.Add):
        for i, (sign, term) in enumerate(zip(node.signs, node.terms)):
            flipped = replace(sign, text="-" if sign.text == "+" else "+")
            yield (
                term,
                "may have the other sign",
                (replace(node, signs=(*node.signs[:i], flipped, *node.signs[i + 1 :])),),
            )
    elif isinstance(node, tree.Product):
        functions = heads(node, at)
        for i, (before, factor) in enumerate(zip((None, *node.factors), node.factors)):
            if not (isinstance(factor, tree.Number) or is_one_of(factor, functions) or is_one_of(before, functions)):
                without = (*node.factors[:i], tree.Number("1"), *node.factors[i + 1 :])
                yield factor, "may be left out", (replace(node, factors=without),)
    elif isinstance(node, tree.Big):
        for name, change in joined.from_iterable((("low", s), ("high", s)) for s in "+-"):
            bound = getattr(node, name)
            if bound is not None:
                shifted: Any = tree.Add((tree.Sign("+"), tree.Sign(change)), (bound, tree.Number("1")))
                yield bound, f"may be one {'more' if change == '+' else 'less'}", (replace(node, **{name: shifted}),)
    elif isinstance(node, tree.Indexed):
        yield from other_indices(node, at)


def idle(node):
    """Yield (what may be left of a node that acts where a sign changes, in words what is done to it and its cure)."""
    both = "at no point that was tried does it act: bind the letters with both signs, or write"
    if isinstance(node, tree.Bars):
        yield node.body, "may lose its bars", f"{both} it without them"
    elif isinstance(node, tree.Root) and isinstance(power := bare(node.body), tree.Power):
        if power.exponent == tree.Number(str(node.degree)):
            yield power.base, "may be what is squared", f"{both} that"
    elif isinstance(node, tree.Call) and node.name in ("max", "min"):
        for argument in node.arguments:
            yield argument, "may be one of these alone", f"{both} that one"
    elif isinstance(node, tree.Call) and node.name == "sign":
        for number in (tree.Number("1"), tree.Add((tree.Sign("-"),), (tree.Number("1"),))):
            yield number, "may be a number", f"{both} it"
    elif isinstance(node, tree.Cases):
        for i in range(len(node.rows)):
            rows = (*node.rows[:i], *node.rows[i + 1 :])
            yield replace(node, rows=rows), "may lose a case", f"{both} the others"


def orders(node, at):
    """Yield (token, what is done to it, what stands there then, its cure) for what is transposed and for two factors."""
    if isinstance(node, tree.Symbol):
        if node.style == "bold" and node.base not in ("0", "1"):
            yield node, SINGLE, tree.Mark("one", node, span=node.span), "bind it to a larger one"
            if square(at, node):
                cure = "declare it, chapter.symmetric(..), bind it to a matrix that is not symmetric"
                yield node, TRANSPOSED, tree.Mark("T", node, span=node.span), cure
    elif (
        isinstance(node, tree.Mark)
        and node.kind == "T"
        and not (isinstance(node.body, tree.Symbol) and square(at, node))
    ):
        yield node, "may lose its transpose", node.body, SPECIAL
    elif isinstance(node, tree.Product):
        for i, (a, b) in enumerate(pairwise(node.factors)):
            if core(a) != core(b) and square(at, a) and square(at, b):
                other = replace(node, factors=(*node.factors[:i], b, a, *node.factors[i + 2 :]))
                yield a, "may change places with the factor behind it", other, SPECIAL


def core(node):
    """Return the matrix of which a node is a power or the inverse: these commute."""
    return (
        node.base
        if isinstance(node, tree.Power)
        else node.body
        if isinstance(node, tree.Mark) and node.kind == "inv"
        else node
    )


def square(at, node):
    """Tell whether a node is a square matrix."""
    try:
        with mpmath.workdps(DIGITS):  # the evaluation keeps what it finds
            value = algebra.scalar(at(node))
    except (*NO_VALUE, *NO_FRACTION):  # a head without its arguments, say
        return False
    return algebra.is_matrix(value) and value.shape[0] == value.shape[1]


def moved(node, at):
    """Return what may stand for a symbol with another value: what counts is one more."""
    counts = node.base in at.at and node == tree.Symbol(node.base)
    if counts or isinstance(at.bindings.values.get(node), sympy.Integer):
        return (tree.Add((tree.Sign("+"), tree.Sign("+")), (node, tree.Number("1")), span=node.span),)
    return (tree.Moved(node, span=node.span), tree.Moved(node, -1, span=node.span))


def arguments_of(pieces):
    """Return the pieces of a subscript between commas."""
    ends = [i for i, piece in enumerate(pieces) if piece == ","]
    return [tuple(pieces[i + 1 : j]) for i, j in zip([-1, *ends], [*ends, len(pieces)])]


def other_indices(node, at):
    r"""Yield the changes of each index in a subscript: a digit, a letter that counts, one of those in \min(t, 3)."""
    for i, piece in enumerate(node.sub):
        if piece in (r"\max", r"\min") and node.sub[i + 1 : i + 2] == ("(",) and ")" in node.sub[i:]:
            end = node.sub.index(")", i)
            for alone in arguments_of(node.sub[i + 2 : end]):
                what = f"may have {''.join(alone)} for {''.join(node.sub[i : end + 1])}"
                yield node, what, (replace(node, sub=(*node.sub[:i], *alone, *node.sub[end + 1 :])),)
        if piece.isdigit():
            others = ["2" if piece == "1" else "1"]
        elif piece in at.at:
            others = [str(at.at[piece]), *(x for x in at.at if x != piece)]
        else:
            others = []
        for other in others:
            yield (
                node,
                f"may have {other} for {piece}",
                (replace(node, sub=(*node.sub[:i], other, *node.sub[i + 1 :])),),
            )
