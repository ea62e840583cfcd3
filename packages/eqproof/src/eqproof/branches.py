r"""Where what stands in an equation changes its form: the gates, expressions at whose zeros |x| becomes -x.

|x|, \max(x, y), \operatorname{sign} x and cases are another expression on each side of such a zero; \sqrt{P^2} is where
P is zero, \arcsin f where f turns back at 1 or -1, \arctan f where f has a pole, \operatorname{atan2}(y, x) where y is
zero, on the left. A condition such as x = 7 is a form of its own at one point alone, which has to be drawn itself.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, reduce

import numpy as np
import sympy
from sympy.core.function import AppliedUndef
from sympy.core.relational import Eq, Ne, Relational

from eqproof import algebra, tree
from eqproof.evaluate import Branches, Evaluation
from eqproof.inequalities import expandable, way_to_prove
from eqproof.relations import is_space
from eqproof.sampling import NO_VALUE

LETTERS = (sympy.Symbol, AppliedUndef, sympy.Derivative, sympy.Subs)
ROUNDED = 1e-12  # rounding of bounds in floats
Interval = tuple[float, float]  # between which bounds an expression lies
TERMS = 60  # of a polynomial that is factored; a longer one is looked at by its slopes


@dataclass(frozen=True)
class Gate:
    """An expression at whose zeros the form changes.

    turns: the form is another one behind each zero, as that of arcsin(sin x), and not the same wherever the sign is the
    same; point: it may be another one at the zero itself, alone: and nowhere else; sided: it must be met with both signs, unless it
    is known to have one; kink: in words, what changes there.
    """

    expression: sympy.Expr
    turns: bool = False
    point: bool = False
    alone: bool = False
    sided: bool = True
    kink: str = ""

    @cached_property
    def letters(self) -> set[sympy.Basic]:
        """Return the letters of the expression, functions that are not known among them."""
        return letters_of(self.expression)

    def settled(self) -> bool:
        """Tell whether the expression is known to have one sign alone, by its form."""
        x = self.expression
        if x.is_nonnegative or x.is_nonpositive:
            return True
        low, high = bounds(x)
        if low >= -ROUNDED or high <= ROUNDED:
            return True
        return (
            x.count_ops() < TERMS
            and expandable(x)
            and any(way_to_prove(sympy.expand(sign * x), False) for sign in (1, -1))
        )


def gates(claims: tree.Claims, evaluation: Evaluation) -> tuple[list[Gate], bool]:
    """Return the gates of all sides of claims, each once, and whether all sides could be looked through."""
    found: dict[tuple[sympy.Expr, bool, bool, bool], Gate] = {}
    whole = True
    evaluate = Evaluation(evaluation.bindings, Branches(), evaluation.indices)
    for side in (side for chain in claims.chains for side in chain.sides if not is_space(side)):
        try:
            value = algebra.scalar(evaluate(side))
            entries = np.ravel(value.factor if isinstance(value, algebra.AnySize) else value)
            for gate in (x for entry in entries for x in gates_of(sympy.sympify(entry))):
                if gate.letters:
                    found.setdefault((gate.expression, gate.turns, gate.alone, gate.sided), gate)
        except NO_VALUE:
            whole = False
    return list(found.values()), whole


def gates_of(value: sympy.Basic) -> Iterator[Gate]:
    """Yield the gates of an expression of SymPy and of all below it; of an integral, those at its bounds."""
    if isinstance(value, sympy.Integral):
        for variable, *bounds in value.limits:
            for gate in gates_of(value.function):
                for bound in bounds:
                    yield replace(gate, expression=gate.expression.subs(variable, bound))
            for bound in bounds:
                yield from gates_of(bound)
        return
    if isinstance(value, LETTERS):
        return
    yield from own_gates(value)
    for part in value.args:
        yield from gates_of(part)


def own_gates(part: sympy.Basic) -> Iterator[Gate]:
    """Yield the gates that a node of an expression has itself."""
    if isinstance(part, sympy.Abs | sympy.sign | sympy.Heaviside):
        yield Gate(part.args[0], kink=f"the sign of {part.args[0]}")
    elif isinstance(part, sympy.Max | sympy.Min):
        for x in part.args if len(part.args) > 2 else part.args[:1]:  # of two, one tells
            yield Gate(x - part.func(*(y for y in part.args if y != x)), kink=f"whether {x} is {part}")
    elif isinstance(part, Relational):
        alone = isinstance(part, Eq | Ne)
        yield Gate(part.lhs - part.rhs, point=True, alone=alone, kink=f"where {part.lhs} is {part.rhs}")
    elif isinstance(part, sympy.Pow) and not part.exp.is_Integer and not isinstance(part.base, sympy.exp):
        yield from gates_of_root(part.base)
    elif isinstance(part, sympy.asin | sympy.acos | sympy.acosh):
        yield from gates_of_slopes(part.args[0])
    elif isinstance(part, sympy.atan):
        yield Gate(1 / part.args[0], turns=True, sided=False, kink=f"the poles of {part.args[0]}")
        _, below = sympy.fraction(sympy.together(part.args[0]))
        yield Gate(below, turns=True, sided=False, kink=f"the sign of {below}")
    elif isinstance(part, sympy.atan2):
        for x in part.args:
            yield Gate(x, turns=True, kink=f"the sign of {x}")


def gates_of_root(base: sympy.Expr) -> Iterator[Gate]:
    """Yield the gates of a root: the expressions of which even powers are factors of what stands below it."""
    if base.is_positive or isinstance(base, LETTERS):
        return
    if isinstance(base, sympy.Pow):
        if base.exp.is_even:
            yield Gate(base.base, kink=f"the sign of {base.base}")
        return
    if isinstance(base, sympy.Mul):
        for factor in base.args:
            yield from gates_of_root(factor)
        return
    letters = sorted(base.free_symbols, key=str)
    if not (base.is_polynomial(*letters) and expandable(base)):
        yield from gates_of_slopes(base)
        return
    expanded = sympy.expand(base)
    if not isinstance(expanded, sympy.Add) or len(expanded.args) > TERMS:
        yield from gates_of_slopes(base) if isinstance(expanded, sympy.Add) else gates_of_root(expanded)
        return
    for factor, power in sympy.sqf_list(expanded)[1]:
        if power % 2 == 0:
            yield Gate(factor, kink=f"the sign of {factor}")


def gates_of_slopes(value: sympy.Expr) -> Iterator[Gate]:
    """Yield the gates of what may touch a limit and turn back: its partial derivatives."""
    for letter in sorted(value.free_symbols, key=str):
        slope = value.diff(letter)
        if slope.free_symbols:
            yield Gate(slope, turns=True, sided=False, kink=f"where {value} turns back")


def letters_of(x: sympy.Basic) -> set[sympy.Basic]:
    """Return the letters of an expression of SymPy."""
    return {x} if isinstance(x, LETTERS) else {letter for part in x.args for letter in letters_of(part)}


def bounds(x: sympy.Basic) -> Interval:
    """Return between which numbers an expression lies, by the bounds of its parts; infinity where they tell nothing."""
    if x.is_number:
        value = float(x) if x.is_real else math.nan
        return (value, value) if math.isfinite(value) else (-math.inf, math.inf)
    parts = [bounds(part) for part in x.args if not isinstance(x, LETTERS)]
    for kind, found_of in BOUNDS:
        if isinstance(x, kind) and (found := found_of(parts)) is not None:
            return found
    if isinstance(x, sympy.sin | sympy.cos) and x.args[0].is_real:
        return -1.0, 1.0
    return (0.0 if x.is_nonnegative else -math.inf), (0.0 if x.is_nonpositive else math.inf)


def bounds_of_sum(parts: list[Interval]) -> Interval:
    """Return the bounds of a sum."""
    return sum(low for low, _ in parts), sum(high for _, high in parts)


def bounds_of_product(parts: list[Interval]) -> Interval:
    """Return the bounds of a product."""
    return reduce(bounds_of_factors, parts)


def bounds_of_arctan(parts: list[Interval]) -> Interval:
    """Return the bounds of an arctangent, which rises everywhere."""
    ((low, high),) = parts
    return math.atan(low), math.atan(high)


def bounds_of_cosine(parts: list[Interval]) -> Interval | None:
    """Return the bounds of a cosine of an angle of half a turn at most to either side; None of a larger one."""
    ((low, high),) = parts
    if not -math.pi <= low <= high <= math.pi:
        return None
    ends = [math.cos(low), math.cos(high)]
    return min(ends), 1.0 if low <= 0 <= high else max(ends)


def bounds_of_sine(parts: list[Interval]) -> Interval | None:
    """Return the bounds of a sine where it rises, between two right angles; None of an angle that leaves these."""
    ((low, high),) = parts
    return (math.sin(low), math.sin(high)) if -math.pi / 2 <= low <= high <= math.pi / 2 else None


# a kind of expression, and its bounds by those of its parts, None where these tell nothing
BOUNDS: tuple[tuple[type, Callable[[list[Interval]], Interval | None]], ...] = (
    (sympy.Add, bounds_of_sum),
    (sympy.Mul, bounds_of_product),
    (sympy.atan, bounds_of_arctan),
    (sympy.cos, bounds_of_cosine),
    (sympy.sin, bounds_of_sine),
)


def bounds_of_factors(a: Interval, b: Interval) -> Interval:
    """Return the bounds of a product; zero times infinity is zero."""
    ends = [x * y if x and y else 0.0 for x in a for y in b]
    return min(ends), max(ends)
