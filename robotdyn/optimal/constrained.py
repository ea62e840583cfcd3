"""What a motion must keep exactly:  make c small with r(x_t) = 0, or r(x_t) in a box, by the augmented Lagrangian.

A penalty w |r|^2 alone leaves a violation in proportion to 1/w, and a huge w ruins the descent.  So the residual is
shifted: w |r + y / 2w|^2 has the gradient y + 2w r by r, and y, the multiplier of the constraint, is found by rounds of
`ilqr`:  y becomes 2w (z - nearest point of the box to z), z = r + y / 2w.  Then a moderate w is enough.
Hestenes (1969), "Multiplier and gradient methods"; Howell, Jackson and Manchester (2019), "ALTRO".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.maths.validate import Floats, as_numbers, as_positive, in_short
from robotdyn.optimal.costs import Cost, Term
from robotdyn.optimal.dynamics import Dynamics
from robotdyn.optimal.ilqr import Limits, ilqr
from robotdyn.optimal.solution import Solution

SUFFICIENT_DECREASE = 0.25  # a round that leaves more of the violation than this makes the weights larger
WEIGHT_GROWTH = 10.0
MAX_GROWTH = 1e4  # how much the weights may grow in all


@dataclass(frozen=True, eq=False, repr=False)
class Constrained(Solution):
    """A Solution that keeps constraints; its cost is that of the cost alone, the constraints cost nothing.

    violation: the largest amount by which a constraint is missed; multipliers: one array y (K, m) for each term of the
    constraints, K states and m residuals: were r = h asked for instead of r = 0, the cost would change by -y h.
    """

    violation: float = 0.0
    multipliers: tuple[Floats, ...] = ()


def constrained_ilqr(
    dynamics: Dynamics | Callable[[Floats, Floats], ArrayLike],
    cost: Cost,
    constraints: Cost,
    x0: ArrayLike,
    u0: ArrayLike,
    limits: Limits | None = None,
    second_order: bool = False,
    violation: float = 1e-8,
    rounds: int = 50,
    tolerance: float = 1e-12,
    max_iterations: int = 500,
    progress: bool | None = None,
) -> Constrained:
    """Return the motion that makes cost small among those on which every term of `constraints` vanishes.

    constraints: a Cost without effort, such as rd.costs.tip_position(arm, target, 1e2) for a target that is reached
    exactly; where a term has a box, the residual stays in the box: rd.costs.joint_position(0, 1e2, at=None, box=1.5).
    Their weights are those of the first round, and grow where a round gains too little.
    violation: how much of a constraint may be missed, in its own unit;
    rounds: of `rd.ilqr`, each from the last.
    The rest as in `rd.ilqr`.  result "infeasible" says that the constraints could not be kept.
    """
    _check_costs(cost, constraints)
    _check_rounds(rounds)
    allowed = as_positive(violation, "violation", "in the unit of the residual")
    T = len(as_numbers(u0, "u0", np.shape(u0))) + 1
    u = u0
    growth = 1.0
    last_violation = np.inf
    history = [np.empty(0)]
    at = [term.where(T) for term in constraints.terms]
    shifts: list[Any] = [0.0] * len(at)
    for _ in range(rounds):
        penalties = Cost(tuple(_shifted(term, growth, shift) for term, shift in zip(constraints.terms, shifts)))
        found = ilqr(
            dynamics, cost + penalties, x0, u, limits, "recursive", second_order, tolerance, max_iterations, progress
        )
        history.append(found.cost_history)
        if found.result in ("diverged", "interrupted"):
            break
        violated = _violation(constraints.terms, found.x, at)
        # what sticks out of the shifted box is the next shift: y / 2w
        outside = [term.outside(found.x[i]) for term, i in zip(penalties.terms, at)]
        if violated <= allowed:
            shifts = outside
            break
        next_growth = growth * (
            WEIGHT_GROWTH if violated > SUFFICIENT_DECREASE * last_violation and growth < MAX_GROWTH else 1.0
        )
        shifts = [shift * growth / next_growth for shift in outside]
        u = found.u
        growth = next_growth
        last_violation = violated
    y = tuple(2 * growth * term.weight * np.asarray(shift) for term, shift in zip(constraints.terms, shifts))
    violated = _violation(constraints.terms, found.x, at)
    result = found.result if violated <= allowed or found.result in ("diverged", "interrupted") else "infeasible"
    return Constrained(
        found.x, found.u, cost.value(found.x, found.u), np.concatenate(history), found.gains, result, violated, y
    )


def _check_costs(cost: Any, constraints: Any) -> None:
    if not isinstance(cost, Cost) or not isinstance(constraints, Cost):
        raise TypeError("cost and constraints must be Costs, such as rd.costs.tip_position(arm, target, 1e2)")
    if not constraints.terms or np.any(constraints.effort):
        raise ValueError("constraints must hold terms on states and no effort: limits of inputs go into limits")
    for term in constraints.terms:
        if not (np.asarray(term.weight) > 0).all():
            raise ValueError("constraints must have weights > 0, got 0: leave out what need not be kept")


def _check_rounds(rounds: Any) -> None:
    if not isinstance(rounds, int) or rounds < 1:
        raise ValueError(f"rounds must be a whole number >= 1, got {in_short(rounds)}")


def _violation(terms: Sequence[Term], x: Floats, at: Sequence[Floats | slice]) -> float:
    """Return the largest amount by which a motion misses a constraint; at: the states that each term looks at."""
    return max(float(abs(term.outside(x[i])).max()) for term, i in zip(terms, at))


def _shifted(term: Term, growth: float, shift: Any) -> Term:
    """Return w |r + shift|^2 with a weight that has grown."""
    return replace(term, weight=growth * term.weight, residual=lambda x: term.residual(x) + shift)
