r"""What a text says of its letters, \omega_d = .. or 0 < \zeta < 1, and whether that holds already as they are declared."""

from contextlib import suppress
from itertools import pairwise
from typing import Any

import sympy

from eqproof import algebra, conventions, tree
from eqproof.declared_letters import Declared
from eqproof.evaluate import Evaluation
from eqproof.in_digits import in_digits
from eqproof.in_fractions import in_fractions
from eqproof.statement import Statement

RISES = {"<": True, "<=": True, ">": False, ">=": False, r"\lt": True, r"\le": True, r"\leq": True}
RISES |= {r"\gt": False, r"\ge": False, r"\geq": False}


def holds_as_declared(said: tree.Chain, declared: Declared, text: str) -> bool:
    """Tell whether what a text says of letters holds for what they are declared to be; whatever fails inside does not."""
    with suppress(*conventions.FAILURES, RecursionError):
        declared = declared.copy()
        sides = declared.as_read(*said.sides)
        declared.let_be_numbers(*sides)
        steps = zip(pairwise(sides), said.relations)
        return all(relation_holds(one, other, relation, declared, text) for (one, other), relation in steps)
    return False


def relation_holds(one: tree.Node, other: tree.Node, relation: str, declared: Declared, text: str) -> bool:
    """Tell whether an equality or an inequality of two sides follows from what their letters are."""
    if relation == "=":
        statement = Statement(text, tree.Claims((tree.Chain((one, other), ("=",)),)), declared.bindings, [{}])
        return bool(in_fractions(statement) or in_digits(statement))
    if relation not in RISES:
        return False
    low, high = (value_of(x, declared) for x in ((one, other) if RISES[relation] else (other, one)))
    return sympy.factor(high - low).is_positive is True


def value_of(side: tree.Node, declared: Declared) -> Any:
    """Return the value of a side in symbols."""
    return sympy.sympify(algebra.scalar(Evaluation(declared.bindings)(side)))
