r"""Rates of what nothing moves: without a motion, \dot u is zero, and a law about it says nothing.

\dot x, \frac{d}{dt} f and the dots above braces are taken by the chain rule from the motion that was declared. Where no
letter below them moves, at no size and for no value of the indices, the rate is refused, and the sentence tells which
letters need a motion. A rate that is bound itself needs none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import sympy

from eqproof import algebra, tree
from eqproof.algebra import Value
from eqproof.bindings import Bindings
from eqproof.calculus import MOST_NODE_VALUES, index_range
from eqproof.errors import NotDecided, ProofError
from eqproof.evaluate import Evaluation
from eqproof.products import is_function
from eqproof.quantities import Field
from eqproof.statement import Ground

TIME = tree.Symbol("t")


def refuse_still_rates(claims: tree.Claims, grounds: Sequence[Ground]) -> None:
    """Raise ProofError at a rate of what moves on none of the grounds, pairs (table, indices)."""
    below: dict[tree.Node, list[Value]] = {}
    moving: set[tree.Node] = set()
    if not any(map(is_rate, tree.walk(claims))):
        return
    for table, at in grounds:
        for count, (node, evaluation) in enumerate(rates(claims, Evaluation(table, indices=at))):
            if count > MOST_NODE_VALUES:
                raise NotDecided("is not decided: a sum of so many rates is not computed", of=node)
            if node in moving:
                continue
            value = below_dots(node, evaluation)
            if value is None or letters_of(value) & moved_letters(table):
                moving.add(node)
            still = below_dots(replace(node, dots=1), evaluation) if isinstance(node, tree.Symbol) else value
            below.setdefault(node, []).append(still)
    for node, values in below.items():
        if node not in moving:
            refuse(node, sorted({str(x) for value in values for x in letters_of(value)}))


def refuse(node: tree.Node, names: list[str]) -> None:
    """Raise the ProofError on a rate of what stands still."""
    if not names:
        raise ProofError("is the rate of what is bound to numbers, which do not move: bind the rate itself", of=node)
    few = ", ".join(names[:4]) + ", .." * (len(names) > 4)
    raise ProofError(
        f"is zero, for nothing says that {few} varies: give it to motion(q, qd, t=t), or bind the rate", of=node
    )


def is_rate(node: tree.Node) -> bool:
    """Tell whether a node is a rate itself."""
    return (
        (isinstance(node, tree.Symbol) and node.dots > 0)
        or isinstance(node, tree.Dotted)
        or (isinstance(node, tree.Derivative) and node.kind == "d" and any(x == TIME for x, _ in node.variables))
    )


def rates(node: tree.Node, evaluate: Evaluation) -> Iterator[tuple[tree.Node, Evaluation]]:
    """Yield (a rate, the evaluation there) of a node, in sums at each value of the index."""
    if is_rate(node):
        yield node, evaluate
    if isinstance(node, tree.Big) and node.low is not None and node.high is not None:
        try:
            span = index_range(evaluate, node)
        except ProofError:
            return
        for k in span:
            yield from rates(node.body, replace(evaluate, indices={**evaluate.indices, node.index: k}, known={}))
        return
    skip = [x for x, _ in node.variables] if isinstance(node, tree.Derivative) else []
    for child in tree.children(node):
        if not any(child is x for x in skip):
            yield from rates(child, evaluate)


def below_dots(node: tree.Node, evaluate: Evaluation) -> Value:
    """Return the value of what a rate is the rate of; None where the rate itself is bound, or where nothing has a value."""
    try:
        if isinstance(node, tree.Symbol):
            if evaluate.bindings.find(node, evaluate.indices) is not None:
                return None
            value = evaluate.look(replace(node, dots=node.dots - 1))
            if isinstance(value, algebra.AnySize):  # \dot{\boldsymbol 0} has no meaning
                return None
            value = value.value if isinstance(value, Field) else value
            return None if is_function(value) else value
        evaluate.symbolic()(node)  # where it cannot be read, its own sentence comes when it is evaluated
        return evaluate.symbolic()(node.body) if isinstance(node, tree.Dotted | tree.Derivative) else None
    except (ProofError, TypeError, AttributeError, ArithmeticError):
        return None


def letters_of(value: Value) -> set[sympy.Basic]:
    """Return the symbols of SymPy in a value."""
    return {s for x in np.ravel(value) for s in getattr(x, "free_symbols", ())}


def moved_letters(table: Bindings) -> set[sympy.Basic]:
    """Return the symbols that a table's motion moves."""
    values = {s for x in table.rates.values() for s in getattr(x, "free_symbols", ())}
    return {*table.rates, *values, *([] if table.time is None else [table.time])}
