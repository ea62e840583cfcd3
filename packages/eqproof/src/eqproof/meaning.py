"""Whether two equations say the same by algebra alone, whatever their letters, functions and derivatives are.

Each symbol, with all that it wears and its indices filled in, becomes a letter of its own (a vector of letters where the
symbol is bound to a vector); a function of a chapter and a derivative become letters that their arguments name. So
neither a law of mechanics, nor a symmetry or a zero in a chapter's bindings makes two texts the same: only their sizes
are taken from the bindings. Sums, products, transposes, sines and cosines mean what they always mean.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import sympy

from eqproof import algebra, calculus, products, tree
from eqproof.algebra import Value
from eqproof.bindings import Bindings, label_of
from eqproof.errors import ProofError, WrongShape
from eqproof.evaluate import RULES, Evaluation, Symbols
from eqproof.exact import Exact, ExactPoint, FinerAngleNeeded, Inexact
from eqproof.parser import parse
from eqproof.quantities import Abbreviation, Field
from eqproof.relations import is_space
from eqproof.statement import Ground, index_values
from eqproof.subscripts import Indices, fill_indices

if TYPE_CHECKING:
    from eqproof.chapter import Entry


class Literal(Evaluation):
    """Evaluates a tree in letters: the bindings tell sizes, whole numbers that count, and nothing else."""

    def __call__(self, node: tree.Node) -> Value:
        """Return the value of a node in letters."""
        return LITERAL.get(type(node), RULES[type(node)])(self, node)

    def real(self) -> Evaluation:
        """Return the evaluation under the bindings."""
        return Evaluation(self.bindings, Symbols(), self.indices)

    def integer(self, node: tree.Node, what: str) -> int:
        """Return the value of a node that counts, under the bindings."""
        return self.real().integer(node, what)

    def symbolic(self) -> Self:
        """Return this: it is symbolic."""
        return self


def letters(name: str, like: Value) -> Value:
    """Return a letter, or an array of letters, of this name and of the size of a value."""
    like = algebra.scalar(like)
    if isinstance(like, algebra.AnySize):
        return like
    if not algebra.is_matrix(like):
        return sympy.Symbol(str(name), real=True)
    entries = [[sympy.Symbol(f"{name} {i} {j}", real=True) for j in range(like.shape[1])] for i in range(like.shape[0])]
    return np.array(entries, dtype=object)


def name_of_parts(*parts: object) -> str:
    """Return a name for what parts, values among them, make."""
    return " ".join(str(x.tolist()) if isinstance(x, np.ndarray) else str(x) for x in parts)


def key(evaluate: Literal, symbol: tree.Symbol) -> str:
    """Return a symbol with its indices filled in, without its place."""
    return repr(
        replace(symbol, sub=fill_indices(symbol.sub, lambda piece: evaluate.bindings.integer(piece, evaluate.indices)))
    )


def symbol(evaluate: Literal, node: tree.Symbol) -> Value:
    """Return the letters for a symbol; an index is its number, an abbreviation what it abbreviates."""
    delta = tree.Symbol(node.prefix)
    if node.prefix and evaluate.real().look(node) is None and evaluate.real().look(delta) is not None:
        return algebra.multiply(symbol(evaluate, delta), symbol(evaluate, replace(node, prefix="")))
    value = evaluate.real().bound(node)
    if node.base in evaluate.indices and node == tree.Symbol(node.base):
        return value
    families = evaluate.bindings.families
    if isinstance(families.get(tree.Symbol(node.base)), Abbreviation) and isinstance(value, sympy.Basic):
        return value
    if isinstance(value, algebra.AnySize) or node == tree.Symbol("0", "bold"):
        return value
    if callable(value) and not isinstance(value, sympy.Basic | Field):
        raise WrongShape("is bound to a function: brackets with its arguments must follow", of=node)
    return letters(key(evaluate, node), value.value if isinstance(value, Field) else value)


def product(evaluate: Literal, node: tree.Product) -> Value:
    """Return a product; a symbol with its arguments is a letter that both name."""
    return reduce(algebra.multiply, products.factors(evaluate, node, letter_of_call, evaluate.real()))


def letter_of_call(evaluate: Literal, head: tree.Node, brackets: tree.Group) -> Value:
    """Return the letter of a symbol with its arguments."""
    whole = key(evaluate, head) if isinstance(head, tree.Symbol) else evaluate(head)
    arguments = (
        [] if own_arguments(evaluate.real(), head, brackets) else map(evaluate, argument_nodes(evaluate, brackets))
    )
    return letters(name_of_parts(whole, *arguments), products.apply(evaluate.real(), head, brackets))


def own_arguments(evaluate: Evaluation, factor: tree.Node, group: tree.Group) -> bool:
    """Tell whether a field stands with the arguments that it has anyway: M(q) is M."""
    bound = evaluate.look(factor) if isinstance(factor, tree.Symbol) else None
    if not isinstance(bound, Field):
        return False
    values = [products.entries(evaluate.symbolic()(x)) for x in products.spell_out_dots(evaluate, group.items)]
    return [x for row in values for x in row or ()] == list(bound.arguments)


def argument_nodes(evaluate: Literal, group: tree.Group) -> list[tree.Node]:
    """Return the arguments in a bracket."""
    return products.spell_out_dots(evaluate.real(), group.items)


def derivative(evaluate: Literal, node: tree.Derivative) -> Value:
    """Return the letters for a derivative of a body by variables."""
    body = evaluate(node.body)
    sign = -1 if isinstance(body, sympy.Basic) and body.could_extract_minus_sign() else 1
    variables = [(key(evaluate, x) if isinstance(x, tree.Symbol) else repr(x), order) for x, order in node.variables]
    value = letters(name_of_parts(node.kind, sorted(variables), expand(sign * body)), evaluate.real()(node))
    return algebra.negative(value) if sign < 0 else value


def expand(value: Value) -> Value:
    """Return a value multiplied out, so that its name does not depend on the way it is written."""
    if isinstance(value, algebra.AnySize):
        return value
    return algebra.each(sympy.expand, value)


def letter_of_value(evaluate: Literal, node: tree.Dotted | tree.Integral | tree.Cases) -> Value:
    """Return the letters for a node of which each part is named by its own value."""
    parts = [type(node).__name__]
    for name in node.__dataclass_fields__:
        part = getattr(node, name)
        if name == "rows":
            parts += [f"{evaluate(value)} if {condition}" for value, condition in part]
        elif name == "variable" or not isinstance(part, tree.Node | tuple):
            parts.append(repr(part) if name != "span" else "")
        elif isinstance(part, tree.Node):
            parts.append(name_of_parts(expand(evaluate(part))))
    return letters(name_of_parts(*parts), evaluate.real()(node))


def power(evaluate: Literal, node: tree.Power) -> Value:
    """Return a power, or the letter of a symbol whose superscript is a part of its name."""
    name = label_of(node)
    if name is not None and evaluate.real().look(name) is not None:
        return symbol(evaluate, name)
    base = node.base
    if isinstance(base, tree.Symbol) and base.prefix and evaluate.real().look(base) is None:
        return products.power(evaluate, node)
    if isinstance(node.exponent, tree.Number):
        return products.superscript(evaluate, node, evaluate(base))
    value = algebra.scalar(evaluate(base))
    if algebra.is_matrix(value):
        return products.superscript(evaluate, node, value)
    return value ** evaluate.scalar(node.exponent, "an exponent")


def mark(evaluate: Literal, node: tree.Mark) -> Value:
    """Return a transpose; an inverse is made of letters that its matrix names."""
    value = algebra.scalar(evaluate(node.body))
    if node.kind in ("inv", "-T") and algebra.is_matrix(value):
        flipped = node.kind == "-T"
        inverse = letters(name_of_parts("inverse", value), value)
        return algebra.transpose(inverse) if flipped else inverse
    return products.superscript(evaluate, node, value)


def group(evaluate: Literal, node: tree.Group) -> Value:
    """Return what stands in brackets; a bracket that is bound is a letter of its own."""
    shell = tree.Group(node.bracket, (tree.Symbol(r"\cdot"),))
    if node in evaluate.bindings.values or shell in evaluate.bindings.values:
        return letters(name_of_parts("bracket", *map(evaluate, node.items)), evaluate.real()(node))
    if len(node.items) != 1:
        raise WrongShape("this list is no argument of anything")
    return evaluate(node.items[0])


def call(evaluate: Literal, node: tree.Call) -> Value:
    """Return a function of its arguments; one of the chapter's own is a letter."""
    values = [evaluate(x) for x in node.arguments]
    if node.name in ("sin", "cos", "tan", "tr") and tree.Symbol(node.name) not in evaluate.bindings.values:
        return calculus.call(evaluate, node)
    if node.name == "det":  # a matrix and its transpose have one
        values = [min(values[0], algebra.transpose(values[0]), key=str)]
    return letters(name_of_parts(node.name, *map(expand, values)), evaluate.real()(node))


def total(evaluate: Literal, node: tree.Big) -> Value:
    """Return a sum or a product over an index, whose bounds count."""
    return calculus.big(evaluate, node)


LITERAL: dict[type[tree.Node], Callable[[Literal, Any], Value]] = {
    tree.Symbol: symbol,
    tree.Product: product,
    tree.Derivative: derivative,
    tree.Dotted: letter_of_value,
    tree.Integral: letter_of_value,
    tree.Cases: letter_of_value,
    tree.Power: power,
    tree.Mark: mark,
    tree.Group: group,
    tree.Call: call,
    tree.Big: total,
}


def same_meaning(entry: "Entry", text: str, other: str) -> bool:
    """Tell whether two texts say the same by algebra alone; entry: tells sizes and indices."""
    grounds = [(entry.layers.table(n), at) for n in entry.sizes for at in index_values(entry.each, n)[-1:]]
    return same_claims(parse(text), parse(other), grounds)


def same_claims(claims: tree.Claims, others: tree.Claims, grounds: Sequence[Ground]) -> bool:
    """Tell whether two claims say the same by algebra alone; grounds: pairs (table, indices) that tell the sizes."""
    pairs = list(zip(claims.chains, others.chains))
    if len(claims.chains) != len(others.chains) or any(a.relations != b.relations for a, b in pairs):
        return False
    try:
        return all(chains_agree(table, at, *pair) for pair in pairs for table, at in grounds)
    except (ProofError, ArithmeticError, TypeError, AttributeError, Inexact, FinerAngleNeeded):
        return False


def chains_agree(table: Bindings, indices: Indices, one: tree.Chain, other: tree.Chain) -> bool:
    """Tell whether two chains have the same differences of sides, up to a common sign where both sides may change places."""
    evaluation = Literal(table, Symbols(), indices)
    point = ExactPoint(7, 2)
    for i, (pair, changed) in enumerate(zip(pairwise(one.sides), pairwise(other.sides))):
        if any(is_space(side) for side in (*pair, *changed)):
            return False
        a, b = (numbers(point, *map(evaluation, sides)) for sides in (pair, changed))
        signs = (1, -1) if one.relations[i] == "=" else (1,)
        if len(a) != len(b) or not any(all(x == y * sign for x, y in zip(a, b)) for sign in signs):
            return False
    return True


def numbers(point: ExactPoint, a: Value, b: Value) -> list[Exact]:
    """Return the entries of a - b as exact numbers."""
    a, b = algebra.same_size(a, b)
    difference = np.atleast_1d(np.asarray(a - b, dtype=object)).reshape(-1)
    return [point.number(sympy.sympify(x)) for x in difference]
