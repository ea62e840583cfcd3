"""Rules for derivatives, sums, integrals, cases and the usual functions."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from eqproof import algebra, tree
from eqproof.algebra import Value, each
from eqproof.errors import NoCase, NotDecided, Unbound, WrongShape
from eqproof.exact import Inexact
from eqproof.products import Rule, eliminate, is_function, takes_arguments, whole
from eqproof.quantities import Measure, call_of_author, slope, value_of

if TYPE_CHECKING:
    from eqproof.bindings import Bindings
    from eqproof.evaluate import Evaluation

Test = Callable[[Value, Value], Any]  # of a relation: its truth, or a condition of SymPy

NAMES = {"sgn": "sign", "ln": "log", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2"}
NAMES |= {f"{start}{name}": f"a{name}" for start in ("ar", "arc") for name in ("sinh", "cosh", "tanh")}
RELATIONS: dict[str, Test] = {
    "=": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    r"\le": lambda a, b: a <= b,
    r"\ge": lambda a, b: a >= b,
    r"\ne": lambda a, b: a != b,
}
SPELLINGS = {r"\leq": r"\le", r"\geq": r"\ge", r"\neq": r"\ne", r"\lt": "<", r"\gt": ">", r"\equiv": "="}


def derivative(evaluate: "Evaluation", node: tree.Derivative) -> Value:
    """Return a derivative, taken in symbols; by a vector: of a scalar the column, of a vector the Jacobian."""
    symbolic = evaluate.symbolic()
    if node.called and not (isinstance(node.body, tree.Product) and takes_arguments(evaluate, node.body.factors[0])):
        raise WrongShape("what this derivative acts on can be read in two ways: add brackets", place=node.span[0])
    value = algebra.scalar(symbolic(node.body))
    for variable, order in node.variables:
        for _ in range(order):
            value = derivative_by(symbolic, value, node.kind, variable)
    return evaluate.domain.convert(value)


def derivative_by(evaluate: "Evaluation", value: Value, kind: str, variable: tree.Node) -> Value:
    """Return the derivative of a value by one variable."""
    time = evaluate.bindings.time
    if variable == tree.Symbol("t"):
        if kind == "d":
            return each(evaluate.bindings.rate, value)
        if time is None:
            raise Unbound("the time t is not bound: give it to motion(q, qd, qdd, t=t)", place=variable.span[0])
        return each(lambda x: slope(x, time), value)
    name = algebra.scalar(evaluate(variable))
    for x in name[:, 0] if algebra.is_vector(name) else [name]:
        if not isinstance(x, sympy.Symbol):
            raise WrongShape("is no variable: there is no derivative by it", of=variable)
    if kind == "d":
        refuse_other_variables(evaluate.bindings, value, name, variable)
    if not algebra.is_matrix(name):
        return each(lambda x: slope(x, name), value)
    if not algebra.is_vector(name) or (algebra.is_matrix(value) and not algebra.is_vector(value)):
        raise WrongShape("only a scalar or a vector has a derivative by a vector", place=variable.span[0])
    rows = value[:, 0] if algebra.is_vector(value) else [value]
    jacobian = np.array([[slope(x, y) for y in name[:, 0]] for x in rows], dtype=object)
    return jacobian if algebra.is_vector(value) else jacobian.T


def refuse_other_variables(bindings: "Bindings", value: Value, name: Value, variable: tree.Node) -> None:
    """Raise WrongShape if d/dq acts on what depends on more than q: that is a partial derivative.

    Where no motion tells which letters are the state, any other letter may vary as well.
    """
    own = set(name[:, 0]) if algebra.is_vector(name) else {name}
    entries = value.flat if isinstance(value, np.ndarray) else [value]
    others = {s for x in entries for s in getattr(x, "free_symbols", ())} - own
    if others if bindings.state is None else others & bindings.state:
        raise WrongShape(r"is not all that this depends on: write \partial for d", of=variable)


def dotted(evaluate: "Evaluation", node: tree.Dotted) -> Value:
    """Return the derivative by time of what stands below the dots."""
    value = evaluate.symbolic()(node.body)
    for _ in range(node.dots):
        value = each(evaluate.bindings.rate, value)
    return evaluate.domain.convert(value)


def big(evaluate: "Evaluation", node: tree.Big) -> Value:
    """Return a sum or a product over an index."""
    values = [
        replace(evaluate, indices={**evaluate.indices, node.index: k})(node.body) for k in index_range(evaluate, node)
    ]
    if node.kind == "prod":
        result = evaluate.domain.number("1")
        for value in values:
            result = algebra.multiply(result, value)
        return result
    result = algebra.AnySize(evaluate.domain.number("0"))
    for value in values:
        result = algebra.add(result, value)
    return result


LARGEST_BINOMIAL = 50  # of which the polynomial is written out
LARGEST_SUM = 2_000  # terms of a sum or a product
MOST_NODE_VALUES = 30_000  # that one evaluation may compute


def index_range(evaluate: "Evaluation", node: tree.Big) -> list[int]:
    """Return the values of the index of a sum or a product; raise WrongShape without a bound, NotDecided where they are too many."""
    if node.low is None or node.high is None:
        side = "upper" if node.high is None else "lower"
        raise WrongShape(f"this sum or product has no {side} bound", place=node.span[0])
    low = evaluate.integer(node.low, "a bound")
    high = evaluate.integer(node.high, "a bound")
    if high - low >= LARGEST_SUM or len(evaluate.known) > MOST_NODE_VALUES:
        many = f"sums and products of more than {LARGEST_SUM} terms are not computed"
        raise NotDecided(f"is not decided: {many}", place=node.span[0])
    skipped = None if node.skip is None else evaluate.integer(node.skip, "a value that is left out")
    return [k for k in range(low, high + 1) if k != skipped]


def limit(evaluate: "Evaluation", node: tree.Limit) -> Value:
    """Return the limit of a fraction as one of its letters goes to a value; raise NotDecided at any other."""
    symbolic = evaluate.symbolic()
    name = symbolic.scalar(node.variable, "what goes to a limit")
    body = symbolic.scalar(node.body, "what has a limit")
    value = symbolic.scalar(node.value, "a limit")
    if not isinstance(name, sympy.Symbol):
        raise WrongShape("is no letter: nothing goes to a limit", of=node.variable)
    if not sympy.sympify(body).is_rational_function(name):
        raise NotDecided("is not decided: limits of fractions alone are computed", place=node.span[0])
    free = sympy.Symbol("goes to a limit")  # of either sign and complex: the limit must be one from all sides
    found = sympy.limit(sympy.together(body.subs(name, free)), free, value, "+-")
    if not found.is_finite and found.is_number:
        raise WrongShape("has no finite limit", of=node)
    return evaluate.domain.convert(found)


def evaluated(evaluate: "Evaluation", node: tree.Evaluated) -> Value:
    """Return the value of a body where letters have other values, which a bar behind it tells."""
    symbolic = evaluate.symbolic()
    pairs = [(symbolic.scalar(x, "a letter below a bar"), symbolic.scalar(y, "a value")) for x, y in node.places]
    for (name, _), (letter, _) in zip(pairs, node.places):
        if not isinstance(name, sympy.Symbol):
            raise WrongShape("is no letter that may have another value", of=letter)
    body = algebra.scalar(symbolic(node.body))
    return evaluate.domain.convert(each(lambda x: sympy.sympify(x).subs(pairs, simultaneous=True), body))


def binomial(evaluate: "Evaluation", n: Value, k: Value) -> Value:
    r"""Return \binom{n}{k}: a polynomial in n where k is a whole number, else a quotient of factorials."""
    try:
        count = int(k)
        small = bool(k == count) and 0 <= count <= LARGEST_BINOMIAL
    except (TypeError, ValueError, ArithmeticError, Inexact):
        small = False
    if small:
        result = evaluate.domain.number("1")
        for i in range(count):
            result = result * (n - i) / (i + 1)
        return result
    factorial = evaluate.domain.functions.factorial
    return factorial(n) / (factorial(k) * factorial(n - k))


def integral(evaluate: "Evaluation", node: tree.Integral) -> Value:
    """Return an integral between bounds, or over a body whose particles a measure tells."""
    if node.variable.style == "bold":
        raise WrongShape("is a vector: an integral along a curve is not computed", of=node.variable)
    bound = evaluate.bindings.values.get(tree.Symbol("d" + node.variable.base))
    if node.low is None and node.high is None and isinstance(bound, Measure):
        total = algebra.AnySize(evaluate.domain.number("0"))
        for mass, place in bound.particles:
            inside = replace(evaluate, bindings=evaluate.bindings.copy().bind(place), known={})
            total = algebra.add(total, algebra.multiply(evaluate.domain.convert(mass), inside(node.body)))
        return total
    if node.low is None or node.high is None:
        raise Unbound(f"an integral without bounds needs a measure bound as d{node.variable.base}", place=node.span[0])
    symbolic = evaluate.symbolic()
    name = symbolic.look(node.variable)
    name = name if isinstance(name, sympy.Symbol) else sympy.Dummy(node.variable.base, real=True)
    inside = replace(symbolic, bindings=evaluate.bindings.copy().bind({node.variable: name}), known={})
    value = inside(node.body)
    low = symbolic(node.low)
    high = symbolic(node.high)
    dummy = sympy.Dummy(node.variable.base, real=True)
    return evaluate.domain.convert(
        each(lambda x: sympy.Integral(x.subs(name, dummy), (dummy, low, high)), algebra.scalar(value))
    )


def holds(evaluate: "Evaluation", node: tree.Chain) -> bool:
    """Return the truth of relations between numbers, as in the conditions of cases."""
    return all(test(*evaluate.domain.comparable(a, b)) for test, a, b in tests_of(evaluate, node, RELATIONS))


def condition(evaluate: "Evaluation", node: tree.Chain) -> sympy.Basic:
    """Return relations between symbols as one condition of SymPy."""
    return sympy.And(*(test(a, b) for test, a, b in tests_of(evaluate, node, CONDITIONS)))


def tests_of(
    evaluate: "Evaluation", node: tree.Chain, known: Mapping[str, Test]
) -> Iterator[tuple[Test, Value, Value]]:
    """Yield (the test for a relation, both sides) of each relation in a condition."""
    values = [evaluate.scalar(side, "a side of a condition") for side in node.sides]
    for a, b, relation in zip(values, values[1:], node.relations):
        test = known.get(SPELLINGS.get(relation, relation))
        if test is None:
            raise WrongShape(f"the relation {relation} is no condition", place=node.span[0])
        yield test, a, b


CONDITIONS: dict[str, Test] = {
    "=": sympy.Eq,
    "<": sympy.Lt,
    ">": sympy.Gt,
    r"\le": sympy.Le,
    r"\ge": sympy.Ge,
    r"\ne": sympy.Ne,
}


def cases(evaluate: "Evaluation", node: tree.Cases) -> Value:
    """Return the value of the one row whose condition holds, or of that without a condition."""
    if evaluate.domain.whole_cases:
        return whole_cases(evaluate, node)
    true = [row for row in node.rows if row[1] is not None and evaluate(row[1])]
    true = true or [row for row in node.rows if row[1] is None]
    if len(true) != 1:
        raise NoCase("none of these cases holds" if not true else "more than one of these cases holds")
    return evaluate(true[0][0])


def whole_cases(evaluate: "Evaluation", node: tree.Cases) -> Value:
    """Return all rows at once, each entry with the conditions under which it stands."""
    rows = sorted(node.rows, key=lambda row: row[1] is None)
    tests = [sympy.true if test is None else condition(evaluate, test) for _, test in rows]
    values = [algebra.scalar(evaluate(value)) for value, _ in rows]
    shapes = [x.shape for x in values if isinstance(x, np.ndarray)]
    if not shapes:
        values = [x.factor if isinstance(x, algebra.AnySize) else x for x in values]
        return sympy.Piecewise(*zip(values, tests), evaluate=False)
    tall = [x.of(shapes[0]) if isinstance(x, algebra.AnySize) else np.broadcast_to(x, shapes[0]) for x in values]
    entries = [
        sympy.Piecewise(*((x[place], test) for x, test in zip(tall, tests)), evaluate=False)
        for place in np.ndindex(shapes[0])
    ]
    return np.array(entries, dtype=object).reshape(shapes[0])


def call(evaluate: "Evaluation", node: tree.Call) -> Value:
    """Return a function of its arguments."""
    bound = evaluate.bindings.values.get(tree.Symbol(node.name))
    if is_function(bound):
        return evaluate.domain.convert(
            value_of(call_of_author(bound, *(whole(evaluate.symbolic()(x)) for x in node.arguments)))
        )
    name = NAMES.get(node.name, node.name)
    refuse_arguments(name, node)
    if name in SPECIAL:
        return SPECIAL[name](evaluate, *(algebra.scalar(evaluate(x)) for x in node.arguments))
    values = [evaluate.scalar(x, f"the argument of {node.name}") for x in node.arguments]
    if name in ("max", "min"):
        return (evaluate.domain.biggest if name == "max" else evaluate.domain.smallest)(*values)
    if name == "binomial":
        return binomial(evaluate, *values)
    if name not in KNOWN:
        raise Unbound(f"the function {node.name} is not known and not bound")
    if name == "factorial" and getattr(values[0], "is_Integer", False) and values[0] > LARGEST_SUM:
        raise NotDecided(f"is not decided: a factorial of more than {LARGEST_SUM} is not computed")
    if name in ANGULAR:  # in exact numbers, the sine of a sum is made of the sines of its terms
        return evaluate.domain.convert(
            getattr(sympy, name)(*(evaluate.symbolic().scalar(x, "an angle") for x in node.arguments))
        )
    return getattr(evaluate.domain.functions, name)(*values)


def refuse_arguments(name: str, node: tree.Call) -> None:
    """Raise WrongShape where a function stands with another number of arguments than it takes."""
    count = len(node.arguments)
    if count < 2 if name in ("max", "min") else count != (2 if name in ("atan2", "binomial") else 1):
        raise WrongShape(f"{node.name} takes another number of arguments than {count}")


ANGULAR = ("sin", "cos", "tan")
KNOWN = [
    "sin",
    "cos",
    "tan",
    "cot",
    "sec",
    "csc",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "coth",
    "sech",
    "csch",
    "asinh",
    "acosh",
    "atanh",
    "factorial",
    "exp",
    "log",
    "sign",
]


def refuse_any_size(value: Value, what: str) -> None:
    """Raise WrongShape at a multiple of an identity of which nothing tells the size."""
    if isinstance(value, algebra.AnySize):
        raise WrongShape(f"{what} of an identity depends on its size, which nothing here tells")


def determinant(evaluate: "Evaluation", value: Value) -> Value:
    """Return the determinant."""
    refuse_any_size(value, "the determinant")
    return eliminate(evaluate, algebra.square(value, r"\det"))[1] if algebra.is_matrix(value) else value


def diagonal(evaluate: "Evaluation", value: Value) -> Value:
    """Return the matrix with a vector on its diagonal, or the diagonal of a matrix as a vector."""
    refuse_any_size(value, "the diagonal")
    if not algebra.is_matrix(value):
        return value
    if algebra.is_vector(value):
        return algebra.blocks(
            [
                [x if i == j else evaluate.domain.number("0") for j in range(len(value))]
                for i, x in enumerate(value[:, 0])
            ]
        )
    return np.array([[x] for x in np.diagonal(algebra.square(value, "diag"))], dtype=object)


def trace(evaluate: "Evaluation", value: Value) -> Value:
    """Return the sum of the diagonal."""
    refuse_any_size(value, "the trace")
    return sum(np.diagonal(algebra.square(value, "tr"))) if algebra.is_matrix(value) else value


def rank(evaluate: "Evaluation", value: Value) -> Value:
    """Return the rank of a matrix, as a number."""
    refuse_any_size(value, "the rank")
    return evaluate.domain.number(str(evaluate.domain.rank(value)))


SPECIAL: dict[str, Callable[["Evaluation", Value], Value]] = {
    "det": determinant,
    "diag": diagonal,
    "tr": trace,
    "trace": trace,
    "rank": rank,
}


RULES: dict[type[tree.Node], Rule] = {
    tree.Derivative: derivative,
    tree.Dotted: dotted,
    tree.Big: big,
    tree.Integral: integral,
    tree.Limit: limit,
    tree.Evaluated: evaluated,
    tree.Chain: holds,
    tree.Cases: cases,
    tree.Call: call,
}
