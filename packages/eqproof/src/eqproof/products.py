"""Rules for sums, products, powers, matrices and functions; what the brackets behind a symbol mean, its binding decides."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

import numpy as np
import sympy

from eqproof import algebra, tree
from eqproof.algebra import Value, each
from eqproof.bindings import label_of
from eqproof.errors import Unbound, WrongShape
from eqproof.huge_values import refuse_huge, refuse_long
from eqproof.quantities import Field, Quantity, call_of_author, value_of

if TYPE_CHECKING:
    from eqproof.evaluate import Evaluation

E = TypeVar("E", bound="Evaluation")  # or what evaluates otherwise, as in eqproof.meaning and eqproof.units
Rule = Callable[["Evaluation", Any], Value]  # the value of a node, of the one kind that it is made for
Wrapper = tree.Power | tree.Mark  # what may stand between a function and its arguments


def add(evaluate: "Evaluation", node: tree.Add) -> Value:
    """Return a sum of signed terms."""
    total = None
    for sign, term in terms_of(evaluate, node):
        value = evaluate(term)
        if total is None:
            total = value if sign.text == "+" else algebra.negative(value)
        else:
            total = algebra.add(total, value, 1 if sign.text == "+" else -1)
    return total


NO_DOTS = r"has no value: write what goes on as a sum, \sum_{i=1}^{n}"


def counted(evaluate: "Evaluation", terms: Iterable[tree.Node], dots: tree.Node) -> list[int]:
    """Return the whole numbers that terms beside dots stand for; raise WrongShape where one is no number that counts."""
    try:
        return [evaluate.integer(term, "a term beside dots") for term in terms]
    except WrongShape:
        raise WrongShape(NO_DOTS, of=dots) from None


def terms_of(evaluate: "Evaluation", node: tree.Add) -> list[tuple[tree.Sign, tree.Node]]:
    r"""Return (sign, term) of a sum; what dots between two terms stand for is spelled out, 1 + \dots + n and a_1 + \dots + a_n."""
    pairs = list(zip(node.signs, node.terms))
    for i in [i for i, (_, term) in enumerate(pairs) if isinstance(term, tree.Dots)][::-1]:
        sign, dots = pairs[i]
        if not 0 < i < len(pairs) - 1:
            raise WrongShape(NO_DOTS, of=dots)
        row = behind_dots(evaluate, [term for _, term in pairs[max(0, i - 2) : i]], dots, pairs[i + 1][1])
        pairs[i : i + 2] = [(sign, term) for term in row[:-1]] + [(pairs[i + 1][0], term) for term in row[-1:]]
    return pairs


def behind_dots(
    evaluate: "Evaluation", before: Sequence[tree.Node], dots: tree.Node, last: tree.Node
) -> list[tree.Node]:
    """Return the terms that dots stand for in a sum, and the last one; before: the one or two terms in front of the dots."""
    near = before[-1]
    if all(isinstance(x, tree.Symbol) and x.sub for x in (near, last)):
        return spell_out_dots(evaluate, [near, dots, last])[1:]
    *first, low, high = counted(evaluate, (*before, last), dots)
    step = low - first[0] if first else 1
    if step <= 0 or high < low or (high - low) % step:
        raise WrongShape("in a sum must go on as the terms before it do, up to the one behind", of=dots)
    refuse_long((high - low) // step, dots)
    return [tree.Number(str(k), span=dots.span) for k in range(low + step, high + 1, step)]


def product(evaluate: "Evaluation", node: tree.Product) -> Value:
    """Return the product of factors side by side."""
    return reduce(algebra.multiply, factors(evaluate, node, apply))


def factors(
    evaluate: E,
    node: tree.Product,
    called: Callable[[E, tree.Node, tree.Group], Value],
    real: "Evaluation | None" = None,
) -> Iterator[Value]:
    """Yield the values of factors side by side; called(evaluate, head, brackets): of one with its arguments behind it.

    real: the evaluation that knows what takes arguments, where `evaluate` is another one.
    """
    rest = list(node.factors)
    while rest:
        factor = rest.pop(0)
        (head, wrappers), (behind, outer) = unwrap(factor), unwrap(rest[0]) if rest else (None, [])
        bracket = behind if isinstance(behind, tree.Group) and behind.bracket == "(" else None
        if bracket and takes_arguments(real or evaluate, head):
            rest.pop(0)
            value = called(evaluate, head, bracket)
            refuse_inverse(wrappers, value)
            yield apply_wrappers(evaluate, [*wrappers, *outer], value)
        elif (
            bracket
            and isinstance(head, tree.Symbol)
            and head.dots
            and rate_with_arguments(real or evaluate, head, bracket)
        ):
            rest.pop(0)
            yield apply_wrappers(evaluate, [*wrappers, *outer], evaluate(head))
        elif bracket and isinstance(factor, tree.Symbol) and one_short_item(bracket):
            raise WrongShape(
                "takes no argument, and a product needs no brackets: bind it as a field, or drop them", of=factor
            )
        else:
            yield evaluate(factor)


def apply_wrappers(evaluate: "Evaluation", wrappers: Sequence[Wrapper], value: Value) -> Value:
    """Return a value with the powers and transposes that stand on it, the innermost first."""
    return reduce(lambda x, wrapper: superscript(evaluate, wrapper, x), wrappers, value)


def refuse_inverse(wrappers: Sequence[Wrapper], value: Value) -> None:
    """Raise WrongShape where ^{-1} stands between a function and its arguments, and the value is a number."""
    if any(x.kind == "inv" for x in wrappers if isinstance(x, tree.Mark)) and not algebra.is_matrix(value):
        raise WrongShape("^{-1} in front of arguments can be read as 1/f and as the inverse function: write one")


def one_short_item(group: tree.Group) -> bool:
    """Tell whether a bracket holds a letter or a number alone, which would need none as a factor."""
    return len(group.items) == 1 and (
        isinstance(group.items[0], tree.Symbol) or tree.printed_number(group.items[0]) is not None
    )


def rate_with_arguments(evaluate: "Evaluation", head: tree.Symbol, group: tree.Group) -> bool:
    """Tell whether the rate of a field stands with the field's own arguments; raise WrongShape where other ones stand there."""
    field = evaluate.look(replace(head, dots=0))
    if not isinstance(field, Field) or isinstance(evaluate.look(head), Field):
        return False
    values = [entries(evaluate.symbolic()(item)) for item in spell_out_dots(evaluate, group.items)]
    flat = [x for row in values for x in row or ()]
    names = list(field.arguments)
    if flat[: len(names)] == names and all(x in map(evaluate.bindings.rate, names) for x in flat[len(names) :]):
        return True
    if None in values or len(flat) == len(names):
        raise WrongShape(
            "with brackets can be the rate at a place and a product: write the factor in front, or d/dt", of=head
        )
    return False


def unwrap(node: tree.Node) -> tuple[tree.Node, list[Wrapper]]:
    """Return what a node's powers and transposes stand on, and those, the innermost first."""
    wrappers: list[Wrapper] = []
    while isinstance(node, tree.Power | tree.Mark) and label_of(node) is None:
        wrappers.insert(0, node)
        node = node.base if isinstance(node, tree.Power) else node.body
    return (label_of(node) or node if isinstance(node, tree.Power) else node), wrappers


def is_function(value: Quantity) -> TypeGuard[Callable[..., Any]]:
    """Tell whether a bound value is a function of Python."""
    return callable(value) and not isinstance(value, sympy.Basic | Field)


def takes_arguments(evaluate: "Evaluation", node: tree.Node) -> bool:
    """Tell whether brackets behind a node hold arguments: it is a field or a function, or a bracket full of fields."""
    if isinstance(node, tree.Symbol):
        value = evaluate.look(node)
        return isinstance(value, Field) or is_function(value)
    inside = [x for x in tree.walk(node) if isinstance(x, tree.Symbol)] if isinstance(node, tree.Group) else []
    return bool(inside) and all(isinstance(evaluate.look(x), Field) for x in inside)


def apply(evaluate: "Evaluation", node: tree.Node, group: tree.Group) -> Value:
    """Return a function of its arguments, or a field with its symbols replaced by the arguments that are printed."""
    items = spell_out_dots(evaluate, group.items)
    bound = next(evaluate.bound(x) for x in tree.walk(node) if isinstance(x, tree.Symbol))
    if not isinstance(bound, Field):
        arguments = (whole(evaluate.symbolic()(item)) for item in items)
        return evaluate.domain.convert(value_of(call_of_author(bound, *arguments)))
    names = bound.arguments
    values = [entries(evaluate.symbolic()(item)) for item in items]
    if [x for x in values if x is None] == [None]:  # a zero takes the size that the others leave
        values[values.index(None)] = [sympy.S.Zero] * (len(names) - sum(map(len, filter(None, values))))
    values = [x for row in values for x in row or ()]
    if len(values) != len(names):
        raise WrongShape(f"takes {len(names)} arguments, here stand {len(values)}", of=node)
    value = evaluate.symbolic()(node)
    if tuple(values) != names:
        value = each(lambda x: x.subs(dict(zip(names, values)), simultaneous=True), value)
    return evaluate.domain.convert(value)


def whole(x: Value) -> Value:
    """Return a whole number as int, everything else as it is."""
    return int(x) if not isinstance(x, np.ndarray) and getattr(x, "is_number", True) and x == int(x) else x


def entries(value: Value) -> list[Value] | None:
    """Return the entries of a vector, or the scalar alone; None of a zero of any size."""
    if isinstance(value, algebra.AnySize):
        return None if value.factor == 0 else [value.factor]
    return list(value[:, 0]) if isinstance(value, np.ndarray) else [value]


def numbers_of(evaluate: "Evaluation", pieces: Sequence[str]) -> list[int] | None:
    """Return the numbers that pieces of a subscript are or stand for, None where one is no index."""
    found = [int(piece) if piece.isdigit() else evaluate.bindings.integer(piece, evaluate.indices) for piece in pieces]
    numbers = [number for number in found if number is not None]
    return numbers if len(numbers) == len(found) else None


def spell_out_dots(evaluate: "Evaluation", items: Sequence[tree.Node]) -> list[tree.Node]:
    r"""Return a list of arguments with q_1, \dots, q_n spelled out."""
    row: list[tree.Node] = []
    for i, item in enumerate(items):
        if not isinstance(item, tree.Dots):
            row.append(item)
            continue
        near = [x for x in (*items[i - 1 : i], *items[i + 1 : i + 2]) if isinstance(x, tree.Symbol) and x.sub]
        ends = numbers_of(evaluate, [x.sub[-1] for x in near])
        if ends is None or len(ends) != 2:
            raise WrongShape("dots must stand between two symbols with an index", place=item.span[0])
        refuse_long(ends[1] - ends[0], item)
        row += [replace(near[0], sub=(*near[0].sub[:-1], str(k))) for k in range(ends[0] + 1, ends[1])]
        if ends[0] == ends[1]:
            row.pop()
    return row


def binary(evaluate: "Evaluation", node: tree.Binary) -> Value:
    r"""Return left \cdot right, left \times right or left / right."""
    if node.operator != "slash":
        refuse_ambiguous_cross(evaluate, node)
    return {"cdot": algebra.dot, "times": algebra.cross, "slash": algebra.divide}[node.operator](
        evaluate(node.left), evaluate(node.right)
    )


def refuse_ambiguous_cross(evaluate: "Evaluation", node: tree.Binary) -> None:
    r"""Raise WrongShape at a \times b \times c and at R a \times b, where brackets would tell what comes first."""
    values: list[Value] = []
    if isinstance(node.left, tree.Binary):
        values = [evaluate(x) for x in (node.left.left, node.left.right, node.right)]
    elif isinstance(node.left, tree.Product) and node.operator == "times":
        values = [*factors(evaluate, node.left, apply)]
    if sum(algebra.is_matrix(algebra.scalar(x)) for x in values) > 1:
        raise WrongShape("which product comes first can be read in two ways: set brackets", place=node.span[0])


def fraction(evaluate: "Evaluation", node: tree.Fraction) -> Value:
    """Return above / below."""
    return algebra.divide(evaluate(node.above), evaluate(node.below))


def power(evaluate: "Evaluation", node: tree.Power) -> Value:
    """Return a power, or what the symbol with its superscript letters is bound to."""
    named, base = label_of(node), node.base
    if isinstance(base, tree.Bars) and node.exponent == tree.Number("2"):
        inside = algebra.scalar(evaluate(base.body))
        if not algebra.is_matrix(inside) or algebra.is_vector(inside):
            return algebra.dot(inside, inside)
    if named is not None and evaluate.look(named) is not None:
        return evaluate(named)
    if isinstance(base, tree.Symbol) and base.prefix and evaluate.look(base) is None:
        delta = evaluate(tree.Symbol(base.prefix, span=base.span))
        return algebra.multiply(delta, evaluate(replace(node, base=without_delta(base))))
    return superscript(evaluate, node, evaluate(base))


def without_delta(node: tree.Symbol) -> tree.Symbol:
    r"""Return the q of \delta q."""
    return replace(node, prefix="")


def mark(evaluate: "Evaluation", node: tree.Mark) -> Value:
    """Return a transpose or an inverse; [x, y]^T is a column."""
    if node.kind == "T" and isinstance(node.body, tree.Group) and len(node.body.items) > 1:
        return np.array([[evaluate.scalar(x, "an entry of a row")] for x in node.body.items], dtype=object)
    return superscript(evaluate, node, evaluate(node.body))


def superscript(evaluate: "Evaluation", node: Wrapper, value: Value) -> Value:
    """Return the power, transpose or inverse that a node takes of a value."""
    value = algebra.scalar(value)
    if isinstance(node, tree.Power):
        if algebra.is_matrix(value):
            algebra.square(value, "a power")
            times = evaluate.integer(node.exponent, "the power of a matrix")
            refuse_huge(value, times)
            if times < 1:
                raise WrongShape("the power of a matrix must be 1 or more: write (..^{-1})^2", of=node)
            return reduce(algebra.multiply, [value] * times)
        exponent = evaluate.scalar(node.exponent, "an exponent")
        refuse_huge(value, exponent)
        return value**exponent
    if node.kind == "T":
        return algebra.transpose(value)
    if node.kind == "vee":
        return algebra.vee(value)
    if node.kind == "one":  # no text has it: it tells what is 1 x 1, for everything larger gets another value
        return each(lambda x: x * x * x + x * x + x + 1, value) if algebra.is_matrix(value) else value
    if node.kind == "inv" and entry_of_matrix(evaluate, node.body):
        raise WrongShape("^{-1} on an entry can be read in two ways: write 1 / .. or (..^{-1})_..", of=node)
    if node.kind in ("inv", "-T"):
        inverse = invert(evaluate, value)
        return algebra.transpose(inverse) if node.kind == "-T" else inverse
    raise Unbound("has a superscript that means nothing here", of=node)


def entry_of_matrix(evaluate: "Evaluation", node: tree.Node) -> bool:
    """Tell whether a node is M_{12}, an entry of a square matrix that is bound."""
    if not isinstance(node, tree.Symbol) or node.style or len(node.sub) < 2 or node in evaluate.bindings.values:
        return False
    whole = evaluate.bindings.values.get(replace(node, style="bold", sub=()))
    whole = whole.value if isinstance(whole, Field) else whole
    return isinstance(whole, np.ndarray) and algebra.is_matrix(whole) and whole.shape[0] == whole.shape[1]


def eliminate(evaluate: "Evaluation", value: np.ndarray) -> tuple[np.ndarray | None, Value]:
    """Return the inverse and the determinant of a square matrix."""
    return algebra.solve_steps(value, evaluate.domain.larger)


def invert(evaluate: "Evaluation", value: Value) -> Value:
    """Return the inverse of a matrix or a scalar."""
    if isinstance(value, algebra.AnySize) and value.factor != 0:
        return algebra.AnySize(algebra.divide(evaluate.domain.number("1"), value.factor))
    if not algebra.is_matrix(value):
        return algebra.divide(evaluate.domain.number("1"), value)
    inverse, _ = eliminate(evaluate, algebra.square(value, "an inverse"))
    if inverse is None:
        raise WrongShape("this matrix has no inverse")
    return inverse


def root(evaluate: "Evaluation", node: tree.Root) -> Value:
    """Return a root."""
    return evaluate.domain.root(evaluate.scalar(node.body, "what stands below a root"), node.degree)


def group(evaluate: "Evaluation", node: tree.Group) -> Value:
    """Return what stands between brackets; a whole text such as [\\boldsymbol s] or [\\cdot] may be bound."""
    bound = evaluate.bindings.values.get(node)
    if bound is not None:
        return evaluate.domain.convert(bound)
    if len(node.items) != 1:
        raise WrongShape("this list is no argument of anything: bind the symbol in front as a field or a function")
    shell = evaluate.bindings.values.get(tree.Group(node.bracket, (tree.Symbol(r"\cdot"),)))
    value = evaluate(node.items[0])
    return value if shell is None else evaluate.domain.convert(value_of(shell(value)))


def indexed(evaluate: "Evaluation", node: tree.Indexed) -> Value:
    """Return the cross matrix [a]_x, or the entry, column of what stands in front of an index."""
    if node.sub == (r"\times",) and isinstance(node.body, tree.Group) and len(node.body.items) == 1:
        return algebra.skew(evaluate(node.body.items[0]))
    value = evaluate(node.body)
    index = numbers_of(evaluate, [x for x in node.sub if x != ","])
    if index is None or not algebra.is_matrix(value):
        raise WrongShape(f"_{{{''.join(node.sub)}}} needs a matrix in front and numbers as indices")
    limits = value.shape if len(index) == 2 else (value.shape[0 if value.shape[1] == 1 else 1],)
    if len(index) > 2 or not all(0 < i <= n for i, n in zip(index, limits)):
        raise WrongShape(f"{index} is no place in a matrix of {algebra.size(value)}")
    if len(index) == 2:
        return value[index[0] - 1, index[1] - 1]
    return value[index[0] - 1, 0] if value.shape[1] == 1 else value[:, [index[0] - 1]]


def matrix(evaluate: "Evaluation", node: tree.Matrix) -> np.ndarray:
    """Return a matrix of entries or blocks."""
    return algebra.blocks([[evaluate(entry) for entry in row] for row in node.rows])


def bars(evaluate: "Evaluation", node: tree.Bars) -> Value:
    """Return the absolute value of a scalar or the length of a vector."""
    value = algebra.scalar(evaluate(node.body))
    if isinstance(value, algebra.AnySize):
        raise WrongShape("the length of an identity depends on its size, which nothing here tells")
    if not algebra.is_matrix(value):
        return abs(value)
    if not algebra.is_vector(value):
        raise WrongShape(f"bars need a scalar or a vector, here stands {algebra.size(value)}")
    return evaluate.domain.functions.sqrt(algebra.dot(value, value))


RULES: dict[type[tree.Node], Rule] = {
    tree.Add: add,
    tree.Product: product,
    tree.Binary: binary,
    tree.Fraction: fraction,
    tree.Power: power,
    tree.Mark: mark,
    tree.Root: root,
    tree.Group: group,
    tree.Indexed: indexed,
    tree.Matrix: matrix,
    tree.Bars: bars,
}
