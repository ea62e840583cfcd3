r"""Units: the terms of a sum, and the two sides of an equation, are measured in the same unit, entry by entry.

Each letter of the page is declared with its unit. At a random point, an equation is evaluated twice, the second time with
each letter multiplied by a number that stands for its unit: 2 for kg, 3 for m, 5 for s, 7 for A, 11 for K. Two terms whose
values grow by different factors have different units; the factor tells which. So a row of torques in which one joint turns
and another slides needs no rule of its own: each entry has its own factor.

    chapter.units({"m_*": "kg", r"\tau": "N m", r"\boldsymbol\tau": ["N m", "N"], "q_*": "rad"})

An entry of a vector or a matrix has the unit of the whole, or its own in a list; \dot x that of x, by s; \tilde x that of x.
Where a page speaks of any joint, each has a unit of its own, u_1, u_2, .., which may be rad or m: in a unit, i, j, k and l
are the indices of a letter, from the first to the fourth, those of its name before row and column:

    chapter.units({r"\boldsymbol q": "u_i", r"\boldsymbol\tau": "J/u_i", r"\boldsymbol M": "J s^2/u_i u_j"})

A function of the indices tells what has no such rule. A number that stands alone on a side is in the unit of the other.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

import mpmath
import numpy as np
import sympy

from eqproof import algebra, calculus, products, tree
from eqproof.algebra import Value
from eqproof.bindings import Bindings, label_of
from eqproof.errors import ProofError
from eqproof.evaluate import RULES, Evaluation, Numbers
from eqproof.points import DIGITS, Point
from eqproof.quantities import Abbreviation
from eqproof.relations import is_space
from eqproof.subscripts import Indices
from eqproof.unit_tables import BASE, SMALL, Units, factor, unit_in_words


class Undeclared(Exception):
    """A letter has no unit, or something stands in the equation whose unit is not known."""

    def __init__(self, node: tree.Node) -> None:
        super().__init__(node)
        self.node = node


class OtherUnit(ProofError):
    """Something is measured in another unit than what stands beside it."""


@dataclass(frozen=True)
class ScaledEvaluation(Evaluation):
    """Evaluates a tree with each letter multiplied by the factor of its unit."""

    units: Units = field(kw_only=True)
    numbers: dict[Any, Value] = field(default_factory=dict, repr=False)
    # nodes whose unit was compared with another one
    compared: list[tree.Node] = field(default_factory=list, repr=False)

    def __call__(self, node: tree.Node) -> Value:
        """Return the scaled value of a node."""
        key = (node, *self.indices.items())
        if key not in self.known:
            self.known[key] = SCALED.get(type(node), RULES[type(node)])(self, node)
        return self.known[key]

    @property
    def without_units(self) -> Evaluation:
        """Return the evaluation without units."""
        return Evaluation(self.bindings, self.domain, self.indices, self.numbers)

    def integer(self, node: tree.Node, what: str) -> int:
        """Return the value of a node that counts."""
        return self.without_units.integer(node, what)

    def scaled(self, node: tree.Node, value: Value) -> Value:
        """Return a value multiplied by the factor of the symbol that it belongs to."""
        if isinstance(value, algebra.AnySize):
            return value
        by = self.unit(node)
        if not isinstance(value, np.ndarray):
            return value * factor(by())
        return np.array(
            [[x * factor(by(i, j)) for j, x in enumerate(row, 1)] for i, row in enumerate(value, 1)], dtype=object
        )

    def unit(self, symbol: tree.Node) -> Callable[..., str]:
        """Return the function that tells the unit of a symbol at a place; what counts, s_{12} and pi are numbers."""
        letter = tree.Symbol(getattr(symbol, "base", ""))
        abbreviated = isinstance(self.bindings.families.get(letter), Abbreviation)
        if abbreviated or letter.base == r"\pi" or any(symbol == tree.Symbol(index) for index in self.indices):
            return lambda *place: "1"
        by = self.units.of(symbol, lambda piece: self.bindings.integer(piece, self.indices), self.bindings.families)
        if by is None:
            raise Undeclared(symbol)
        return by


def symbol(evaluate: ScaledEvaluation, node: tree.Symbol) -> Value:
    """Return a symbol in its unit; \\delta q is a product where \\delta alone is bound."""
    delta = tree.Symbol(node.prefix, span=node.span)
    if node.prefix and evaluate.without_units.look(node) is None and evaluate.without_units.look(delta) is not None:
        return algebra.multiply(evaluate(delta), evaluate(replace(node, prefix="")))
    return evaluate.scaled(node, evaluate.without_units(node))


def power(evaluate: ScaledEvaluation, node: tree.Power) -> Value:
    """Return a power; its exponent is a number."""
    name = label_of(node)
    if name is not None and evaluate.without_units.look(name) is not None:
        return evaluate.scaled(name, evaluate.without_units(node))
    if not isinstance(node.exponent, tree.Number):
        refuse_unit(evaluate, node.exponent, "an exponent")
    return products.power(evaluate, node)


def product(evaluate: ScaledEvaluation, node: tree.Product) -> Value:
    """Return a product; a function of its arguments has the unit of its name."""
    return reduce(algebra.multiply, products.factors(evaluate, node, value_with_arguments, evaluate.without_units))


def value_with_arguments(evaluate: ScaledEvaluation, head: tree.Node, brackets: tree.Group) -> Value:
    """Return what stands with its arguments."""
    if not isinstance(head, tree.Symbol):  # a bracket of fields, (T + U)(t)
        return products.apply(evaluate.without_units, head, brackets) * ratios(evaluate, head)
    for item in brackets.items:
        if not isinstance(item, tree.Dots):
            ratios(evaluate, item)  # its own terms have one unit
    return evaluate.scaled(head, products.apply(evaluate.without_units, head, brackets))


def group(evaluate: ScaledEvaluation, node: tree.Group) -> Value:
    """Return what stands in brackets; a bracket that is bound as a whole has a unit of its own."""
    if node in evaluate.bindings.values:
        return evaluate.scaled(node, evaluate.without_units(node))
    if tree.Group(node.bracket, (tree.Symbol(r"\cdot"),)) in evaluate.bindings.values:
        raise Undeclared(node)
    return evaluate(node.items[0])


def add(evaluate: ScaledEvaluation, node: tree.Add) -> Value:
    """Return a sum, the terms of which have one unit."""
    refuse_other_units(evaluate, [term for term in node.terms if not isinstance(term, tree.Dots)])
    return products.add(evaluate, node)


def derivative(evaluate: ScaledEvaluation, node: tree.Derivative) -> Value:
    """Return a derivative: its unit is that of the body by those of the variables."""
    value = evaluate.without_units(node)
    body = ratios(evaluate, node.body)
    for variable, order in node.variables:
        time = variable == tree.Symbol("t")
        below = mpmath.mpf(BASE["s"]) if time else ratios(evaluate, variable)
        for _ in range(order):
            body = by(body, below)
    return value * body


def by(body: Value, below: Value) -> Value:
    """Return the factors of the derivative of something of these factors by a variable of those."""
    if not isinstance(below, np.ndarray):
        return body / below
    row = 1 / below.ravel()
    return body.ravel()[:, None] * row if isinstance(body, np.ndarray) else row[:, None] * body


def dotted(evaluate: ScaledEvaluation, node: tree.Dotted) -> Value:
    """Return the derivative by time of what stands below the dots."""
    return evaluate.without_units(node) * ratios(evaluate, node.body) / mpmath.mpf(BASE["s"]) ** node.dots


def integral(evaluate: ScaledEvaluation, node: tree.Integral) -> Value:
    """Return an integral: its unit is that of the body by that of the variable."""
    if node.low is None or node.high is None:
        measure = tree.Symbol("d" + node.variable.base)
        by = factor(evaluate.unit(measure)())
        place = evaluate.bindings.values[measure].particles[0][1]
    else:
        by = factor(evaluate.unit(node.variable)())
        place = {node.variable: sympy.Dummy("x", real=True)}
        for end in (node.low, node.high):
            if tree.printed_number(end) is None and abs(ratios(evaluate, end) / by - 1) > SMALL:
                raise OtherUnit(
                    f"is a bound of {unit_in_words(by)}, and measured in {unit_in_words(ratios(evaluate, end))}", of=end
                )
    inside = replace(evaluate, bindings=evaluate.bindings.copy().bind(place), known={}, numbers={})
    return evaluate.without_units(node) * by * ratios(inside, node.body)


def cases(evaluate: ScaledEvaluation, node: tree.Cases) -> Value:
    """Return the value of the case that holds; the sides of a condition have one unit."""
    for _, condition in node.rows:
        if condition is not None:
            refuse_other_units(evaluate, condition.sides)
    refuse_other_units(evaluate, [value for value, _ in node.rows if has_value(evaluate.without_units, value)])
    (value,) = [
        value for value, condition in node.rows if condition is not None and evaluate.without_units(condition)
    ] or [value for value, condition in node.rows if condition is None]
    return evaluate(value)


def has_value(evaluate: Evaluation, node: tree.Node) -> bool:
    """Tell whether a row of cases has a value where another one holds: behind the last joint there is none."""
    try:
        return evaluate(node) is not None
    except ProofError:
        return False


def call(evaluate: ScaledEvaluation, node: tree.Call) -> Value:
    """Return a function: of a number, or of terms in one unit; one of the chapter's own has a unit of its name."""
    if tree.Symbol(node.name) in evaluate.bindings.values:
        return evaluate.scaled(tree.Symbol(node.name), evaluate.without_units(node))
    if node.name in ("max", "min", "atan2", "arctan2"):
        refuse_other_units(evaluate, node.arguments)
        return calculus.call(evaluate, node)
    if node.name in calculus.SPECIAL:
        return calculus.call(evaluate, node) if node.name != "rank" else evaluate.without_units(node)
    if node.name == "sign":
        return evaluate.without_units(node)
    for argument in node.arguments:
        refuse_unit(evaluate, argument, f"the argument of {node.name}")
    return evaluate.without_units(node)


def refuse_unit(evaluate: ScaledEvaluation, node: tree.Node, what: str) -> None:
    """Raise ProofError unless a node is a number without a unit."""
    evaluate.compared.append(node)
    ratio = ratios(evaluate, node)
    if abs(ratio - 1) > SMALL:
        raise OtherUnit(f"is {what}, and measured in {unit_in_words(ratio)}", of=node)


def ratios(evaluate: ScaledEvaluation, node: tree.Node) -> Value:
    """Return by what a node grows: a factor, or an array of them; 1 where nothing stands."""
    a, b = (algebra.scalar(x) for x in (evaluate.without_units(node), evaluate(node)))
    if isinstance(a, algebra.AnySize):
        raise Undeclared(node)
    return growth(b, a)


def growth(b: Value, a: Value) -> Value:
    """Return b / a, 1 where a is zero, entry by entry."""

    def one(x: Value, y: Value) -> Value:
        return x / y if abs(y) > SMALL else mpmath.mpf(1)

    if not isinstance(a, np.ndarray):
        return one(b, a)
    return np.array([[one(x, y) for x, y in zip(*rows)] for rows in zip(b, a)], dtype=object)


def refuse_other_units(evaluate: ScaledEvaluation, terms: Iterable[tree.Node]) -> None:
    """Raise ProofError unless all terms have one unit, entry by entry; a zero has any, unless it is a letter."""
    known: dict[tuple[int, ...], tuple[tree.Node, Value]] = {}
    for term in (argument_with_unit(evaluate, term) for term in terms):
        a, b = (algebra.scalar(x) for x in (evaluate.without_units(term), evaluate(term)))
        if isinstance(a, algebra.AnySize):
            continue
        many = isinstance(a, np.ndarray)
        for place in np.ndindex(a.shape) if many else [()]:
            x, y = (a[place], b[place]) if many else (a, b)
            zero = abs(x) <= SMALL
            if zero and (many or not isinstance(term, tree.Symbol) or term.prefix):
                continue
            own = factor(evaluate.unit(term)()) if zero else y / x
            evaluate.compared.extend([term] * (place in known))
            first, ratio = known.setdefault(place, (term, own))
            if abs(own / ratio - 1) > SMALL:
                where = f", in entry ({place[0] + 1}, {place[1] + 1})" if many else ""
                here = unit_in_words(own)
                before = unit_in_words(ratio)
                how = (
                    f"in {here}, what stands before it in {before}"
                    if here != before
                    else "otherwise than what stands before it"
                )
                raise OtherUnit(f"is measured {how}{where}", of=term)


def argument_with_unit(evaluate: ScaledEvaluation, term: tree.Node) -> tree.Node:
    """Return an argument that tells the unit of max or min where its value is a zero, which has any; else the term."""
    if (
        not (isinstance(term, tree.Call) and term.name in ("max", "min"))
        or abs(algebra.scalar(evaluate.without_units(term))) > SMALL
    ):
        return term
    inner = [argument_with_unit(evaluate, x) for x in term.arguments]
    return next((x for x in inner if abs(algebra.scalar(evaluate.without_units(x))) > SMALL), term)


SCALED: dict[type[tree.Node], Callable[[ScaledEvaluation, Any], Value]] = {
    tree.Symbol: symbol,
    tree.Power: power,
    tree.Product: product,
    tree.Group: group,
    tree.Add: add,
    tree.Derivative: derivative,
    tree.Dotted: dotted,
    tree.Integral: integral,
    tree.Cases: cases,
    tree.Call: call,
}


def without_unit(
    claims: tree.Claims,
    bindings: Bindings,
    indices: Indices,
    units: Units,
    names: bool = False,
    compared: list[tree.Node] | None = None,
) -> tree.Node | None:
    """Return None if all terms and sides agree, or a node that has no unit; raise ProofError where they do not agree.

    names: the left sides are new names, of which nothing but the unit is known; compared: a list that takes the nodes whose
    units were compared with another one: beside a zero there is nothing to compare.
    """
    with mpmath.workdps(DIGITS):
        evaluation = ScaledEvaluation(
            bindings, Numbers(Point()), indices, units=units, compared=[] if compared is None else compared
        )
        try:
            for chain in claims.chains:
                if names:
                    refuse_other_unit_of_name(evaluation, *chain.sides)
                else:
                    refuse_other_units(
                        evaluation, [x for x in chain.sides if not is_space(x) and tree.printed_number(x) is None]
                    )
        except Undeclared as error:
            return error.node
    return None


def refuse_other_unit_of_name(evaluate: ScaledEvaluation, left: tree.Node, right: tree.Node) -> None:
    """Raise ProofError unless a new name has the unit of what it names."""
    head = left.factors[0] if isinstance(left, tree.Product) else left
    evaluate.compared.append(left)
    by = evaluate.unit(head)
    found = np.atleast_2d(np.asarray(ratios(evaluate, right), dtype=object))
    known = np.atleast_2d(np.asarray(algebra.scalar(evaluate.without_units(right)), dtype=object))
    for i, j in np.ndindex(found.shape):
        unit = factor(by(i + 1, j + 1) if known.size > 1 else by())
        if abs(known[i, j]) > SMALL and abs(found[i, j] / unit - 1) > SMALL:
            raise OtherUnit(f"is measured in {unit_in_words(found[i, j])}, its name in {unit_in_words(unit)}", of=right)
