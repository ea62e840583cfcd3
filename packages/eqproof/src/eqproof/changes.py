"""What may be slipped at one token of an equation: another number, value, sign, index or bound, a factor less, another order."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any

import mpmath
import sympy

from eqproof import algebra, tree
from eqproof.bindings import label_of
from eqproof.errors import ProofError
from eqproof.evaluate import Evaluation
from eqproof.exact import FinerAngleNeeded, Inexact
from eqproof.points import DIGITS
from eqproof.products import takes_arguments, unwrap
from eqproof.relations import is_space
from eqproof.vacuity import without_brackets

SPECIAL = "bind the letters to what is less special"
TRANSPOSED = "may be transposed"
SINGLE = "is 1 x 1 wherever it is tried, a scalar"
# What evaluation raises where there is no value: no shape, no letter, a zero below, a place behind the end of a list; whatever
# else is raised is a slip in a program, and no verdict.
NO_VALUE = (ProofError, ArithmeticError, LookupError)
NO_FRACTION = (
    Inexact,
    FinerAngleNeeded,
    TypeError,
    AttributeError,
    sympy.SympifyError,
)  # as in check: then digits tell


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

    def printed(self, text: str) -> str:
        """Return the token as it is printed."""
        return text[slice(*self.token.span)].strip()


def changes_below(node: tree.Node, evaluate: Evaluation) -> Iterator[Change]:
    """Yield the changes of a node and of all below it, as changes of the node."""
    yield from own_changes(node, evaluate)
    for left, what, cure in inactive_forms(node):
        yield Change(node, what, (left,), cure, wide=True, same=True)
    for token, what, instead, cure in other_orders(node, evaluate):
        yield Change(token, what, (instead,), cure, same=what != SINGLE)
    for name, at_child, skip in changeable_parts(node, evaluate):
        yield from lift_changes(node, name, changes_within(getattr(node, name), at_child, skip))


def lift_changes(node: Any, name: str, changes: Iterable[Change]) -> Iterator[Change]:
    r"""Yield the changes of a part of a node as changes of the node.

    To the bound of a sum, \max(n, 3) is no more than a number: that n alone gives the same sums is no law of algebra.
    """
    bound = isinstance(node, tree.Big) and name in ("low", "high")
    for change in changes:
        yield replace(
            change, same=change.same and not bound, instead=tuple(replace(node, **{name: x}) for x in change.instead)
        )


def changes_within(value: Any, evaluate: Evaluation, skip: Sequence[tree.Node]) -> Iterator[Any]:
    """Yield the changes of a node, or of the nodes in a tuple."""
    if isinstance(value, tree.Node):
        yield from indices_of(value, evaluate) if is_one_of(value, skip) else changes_below(value, evaluate)
    elif isinstance(value, tuple):
        for i, item in enumerate(value):
            for change in changes_within(item, evaluate, skip):
                yield replace(change, instead=tuple((*value[:i], x, *value[i + 1 :]) for x in change.instead))


def is_one_of(node: Any, nodes: Iterable[tree.Node]) -> bool:
    """Tell whether a node is one of these at its place, and not only equal to one: the second T of T(q) T is no function."""
    return any(node is x for x in nodes)


def indices_of(node: tree.Node, evaluate: Evaluation) -> Iterator[Change]:
    """Yield the changes of the indices alone, of a name whose value is not moved: a function, a variable."""
    if isinstance(node, tree.Symbol):
        yield from other_indices(node, evaluate)


def changeable_parts(node: tree.Node, evaluate: Evaluation) -> Sequence[tuple[str, Evaluation, tuple[tree.Node, ...]]]:
    """Return (name of a part, the evaluation there, the nodes in it whose value is not moved)."""
    if is_whole(node, evaluate):
        return []
    if isinstance(node, tree.Derivative):
        return [("body", evaluate, ()), ("variables", evaluate, tuple(variable for variable, _ in node.variables))]
    if isinstance(node, tree.Integral):
        return [("low", evaluate, ()), ("high", evaluate, ())] + [("body", evaluate, ())] * (node.low is not None)
    if isinstance(node, tree.Big):
        inside = replace(evaluate, indices={**evaluate.indices, node.index: lowest_index(evaluate, node.low)})
        bounds = [(name, evaluate, ()) for name in ("low", "high") if is_choice_of_bounds(getattr(node, name))]
        return [("body", inside, ()), *bounds]
    if isinstance(node, tree.Product):
        return [("factors", evaluate, called_functions(node, evaluate))]
    if isinstance(node, tree.Chain):
        return [("sides", evaluate, tuple(side for side in node.sides if is_space(side)))]
    names = [x.name for x in fields(node) if x.name not in ("span", "signs", "sub", "kind", "operator")]
    return [(name, evaluate, ()) for name in names]


def is_choice_of_bounds(bound: tree.Node | None) -> bool:
    r"""Tell whether a bound is one of several, as \min(N, z + 2) is."""
    return bound is not None and any(isinstance(x, tree.Call | tree.Cases) for x in tree.walk(bound))


def lowest_index(evaluate: Evaluation, bound: tree.Node | None) -> int:
    """Return the lowest value of an index."""
    if bound is None:
        return 1
    try:
        return evaluate.integer(bound, "a bound")
    except ProofError:
        return 1


def called_functions(node: tree.Product, evaluate: Evaluation) -> tuple[tree.Node, ...]:
    """Return the factors that are functions of the bracket behind them."""
    found = []
    for factor, behind in pairwise(node.factors):
        bracket, _ = unwrap(behind)
        try:
            takes = isinstance(bracket, tree.Group) and takes_arguments(evaluate, unwrap(factor)[0])
        except ProofError:
            takes = True
        found += [factor] * takes
    return tuple(found)


def is_whole(node: tree.Node, evaluate: Evaluation) -> bool:
    """Tell whether a node is bound as a whole: a letter, also with its superscript letters, or what stands in brackets."""
    if isinstance(node, tree.Power):
        name = label_of(node)
        return name is not None and evaluate.look(name) is not None
    return node in evaluate.bindings.values


def own_changes(node: tree.Node, evaluate: Evaluation) -> Iterator[Change]:
    """Yield the changes of the token that a node itself is; what is bound as a whole is one token."""
    if is_whole(node, evaluate) and not isinstance(node, tree.Number | tree.Symbol):
        yield Change(node, "may have another value", (tree.Moved(node, span=node.span),))
    elif type(node) in TOKENS:
        yield from TOKENS[type(node)](node, evaluate)


def another_number(node: tree.Number, evaluate: Evaluation) -> Iterator[Change]:
    """Yield the change of a number."""
    more = str(int(node.text) + 1) if node.text.isdigit() else node.text + "1"
    yield Change(node, "may be another number", (replace(node, text=more),))


def another_value(node: tree.Symbol, evaluate: Evaluation) -> Iterator[Change]:
    """Yield the changes of a letter: other indices, another value."""
    yield from other_indices(node, evaluate)
    yield Change(node, "may have another value", moved_values(node, evaluate))


def other_signs(node: tree.Add, evaluate: Evaluation) -> Iterator[Change]:
    """Yield the changes of each sign of a sum."""
    for i, (sign, term) in enumerate(zip(node.signs, node.terms)):
        flipped = replace(sign, text="-" if sign.text == "+" else "+")
        signs = (*node.signs[:i], flipped, *node.signs[i + 1 :])
        yield Change(term, "may have the other sign", (replace(node, signs=signs),))


def without_factors(node: tree.Product, evaluate: Evaluation) -> Iterator[Change]:
    """Yield a product without each of its factors; a number is changed by itself, a function stays with its arguments."""
    functions = called_functions(node, evaluate)
    for i, (before, factor) in enumerate(zip((None, *node.factors), node.factors)):
        if not (isinstance(factor, tree.Number) or is_one_of(factor, functions) or is_one_of(before, functions)):
            without = (*node.factors[:i], tree.Number("1"), *node.factors[i + 1 :])
            yield Change(factor, "may be left out", (replace(node, factors=without),))


def other_bounds(node: Any, evaluate: Evaluation) -> Iterator[Change]:
    """Yield a sum or product from one more and one less, and to one more and one less."""
    for name in ("low", "high"):
        bound = getattr(node, name)
        for sign, word in (("+", "more"), ("-", "less")) if bound is not None else ():
            shifted = tree.Add((tree.Sign("+"), tree.Sign(sign)), (bound, tree.Number("1")))
            yield Change(bound, f"may be one {word}", (replace(node, **{name: shifted}),))


def inactive_forms(node: tree.Node) -> Iterator[tuple[tree.Node, str, str]]:
    """Yield (what may be left of a node that acts where a sign changes, in words what is done to it and its cure)."""
    both = "at no point that was tried does it act: bind the letters with both signs, or write"
    if isinstance(node, tree.Bars):
        yield node.body, "may lose its bars", f"{both} it without them"
    elif isinstance(node, tree.Root) and isinstance(power := without_brackets(node.body), tree.Power):
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


def other_orders(node: tree.Node, evaluate: Evaluation) -> Iterator[tuple[tree.Node, str, tree.Node, str]]:
    """Yield (token, what is done to it, what stands there then, its cure) for what is transposed and for two factors."""
    if isinstance(node, tree.Symbol):
        if node.style == "bold" and node.base not in ("0", "1"):
            yield node, SINGLE, tree.Mark("one", node, span=node.span), "bind it to a larger one"
            if is_square_matrix(evaluate, node):
                cure = "declare it, chapter.symmetric(..), bind it to a matrix that is not symmetric"
                yield node, TRANSPOSED, tree.Mark("T", node, span=node.span), cure
    elif (
        isinstance(node, tree.Mark)
        and node.kind == "T"
        and not (isinstance(node.body, tree.Symbol) and is_square_matrix(evaluate, node))
    ):
        yield node, "may lose its transpose", node.body, SPECIAL
    elif isinstance(node, tree.Product):
        for i, (a, b) in enumerate(pairwise(node.factors)):
            if base_matrix(a) != base_matrix(b) and is_square_matrix(evaluate, a) and is_square_matrix(evaluate, b):
                other = replace(node, factors=(*node.factors[:i], b, a, *node.factors[i + 2 :]))
                yield a, "may change places with the factor behind it", other, SPECIAL


def base_matrix(node: tree.Node) -> tree.Node:
    """Return the matrix of which a node is a power or the inverse: these commute."""
    if isinstance(node, tree.Power):
        return node.base
    return node.body if isinstance(node, tree.Mark) and node.kind == "inv" else node


def is_square_matrix(evaluate: Evaluation, node: tree.Node) -> bool:
    """Tell whether a node is a square matrix."""
    try:
        with mpmath.workdps(DIGITS):  # the evaluation keeps what it finds
            value = algebra.scalar(evaluate(node))
    except (*NO_VALUE, *NO_FRACTION):  # a head without its arguments, say
        return False
    return algebra.is_matrix(value) and value.shape[0] == value.shape[1]


def moved_values(node: tree.Symbol, evaluate: Evaluation) -> tuple[tree.Node, ...]:
    """Return what may stand for a symbol with another value: what counts is one more."""
    counts = node.base in evaluate.indices and node == tree.Symbol(node.base)
    if counts or isinstance(evaluate.bindings.values.get(node), sympy.Integer):
        return (tree.Add((tree.Sign("+"), tree.Sign("+")), (node, tree.Number("1")), span=node.span),)
    return (tree.Moved(node, span=node.span), tree.Moved(node, -1, span=node.span))


def arguments_of(pieces: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the pieces of a subscript between commas."""
    ends = [i for i, piece in enumerate(pieces) if piece == ","]
    return [tuple(pieces[i + 1 : j]) for i, j in zip([-1, *ends], [*ends, len(pieces)])]


def other_indices(node: tree.Symbol | tree.Indexed, evaluate: Evaluation) -> Iterator[Change]:
    r"""Yield the changes of each index in a subscript: a digit, a letter that counts, one of those in \min(t, 3)."""
    for i, piece in enumerate(node.sub):
        if piece in (r"\max", r"\min") and node.sub[i + 1 : i + 2] == ("(",) and ")" in node.sub[i:]:
            end = node.sub.index(")", i)
            for alone in arguments_of(node.sub[i + 2 : end]):
                what = f"may have {''.join(alone)} for {''.join(node.sub[i : end + 1])}"
                yield Change(node, what, (replace(node, sub=(*node.sub[:i], *alone, *node.sub[end + 1 :])),))
        for other in others_for(piece, evaluate):
            changed = replace(node, sub=(*node.sub[:i], other, *node.sub[i + 1 :]))
            yield Change(node, f"may have {other} for {piece}", (changed,))


def others_for(piece: str, evaluate: Evaluation) -> list[str]:
    """Return what may stand in a subscript for a digit or a letter that counts."""
    if piece.isdigit():
        return ["2" if piece == "1" else "1"]
    return (
        [str(evaluate.indices[piece]), *(x for x in evaluate.indices if x != piece)]
        if piece in evaluate.indices
        else []
    )


# What may be changed in a node that is one token, or whose own signs, factors, bounds and indices are tokens.
TOKENS: dict[type[tree.Node], Callable[[Any, Evaluation], Iterator[Change]]] = {
    tree.Number: another_number,
    tree.Symbol: another_value,
    tree.Add: other_signs,
    tree.Product: without_factors,
    tree.Big: other_bounds,
    tree.Indexed: other_indices,
}
