"""Proofs of "Walls and wishes": the smallest problem with a demand, minimized, a system that runs away, and gaps of linear steps."""

import sympy as sp

from eqproof import Bindings, Chapter, field

chapter = Chapter(__file__)
chapter.units(dict.fromkeys(("u", "r", "r_*", "h", "y", "y_*", "c", "w", "a"), "1"))

# ---- one input, the cost u^2, the demand r = u - 1 = h ----------------------------------------------------------------------

w = sp.Symbol("w", positive=True)
u, h, y, a = sp.symbols("u h y a", real=True)


def ends(multiplier, wall=0):
    """Return the u where a round ends: the least of the cost and of the shifted penalty."""
    total = u**2 + w * (u - 1 - wall + multiplier / (2 * w)) ** 2
    return sp.solve(total.diff(u), u)[0]


chapter.prove("eq-walls-miss", {"r": ends(0) - 1, "w": w}, by="the least of cost and penalty")
found = ends(y)
later = -2 * found  # the number that balances the slope of the cost
missed, missed_later = found - 1, ends(later) - 1
rounds = {
    "y_*": lambda k: {k: y, k + 1: later}.get,
    "r_*": lambda k: {k: missed, k + 1: missed_later}.get,
}
each = lambda k: [{"k": k}]
at = lambda k: {"w": w, **{name: family(k) for name, family in rounds.items()}}
chapter.prove(
    "eq-walls-shift", at, n=(1, 2, 3), each=each, by="what balances the slope of the cost where the round ends"
)
chapter.prove("eq-walls-rounds", at, n=(1, 2, 3), each=each, by="the least of cost and shifted penalty, twice")
p, s = sp.symbols("p s", real=True)
cost = p * u**2 + s * u**3  # a price is told of any cost
slope = (cost + w * (u - 1 - h + y / (2 * w)) ** 2).diff(u)
kept = sp.solve(slope.subs(u, 1 + h), y)[0]  # the multiplier under which a round ends on the wall
chapter.prove(
    "eq-walls-price",
    Bindings({"c": field(cost.subs(u, 1 + h), h), "h": h, "y": kept}).motion([h]),
    by="the cost on the wall, and the multiplier that leads there",
)

# ---- what runs away -----------------------------------------------------------------------------------------------------------

runs, (farther, between) = (
    sp.Symbol("x_0", real=True),
    sp.symbols("k s", positive=True),
)  # from x_0, of either sign, to k x_0
chapter.units({"x": "u_1", "x_0": "u_1", "t": "1/u_1^2"})  # x^3 is the rate of x
chapter.prove(
    "eq-walls-runaway",
    {"x": farther * runs, "x_0": runs, "t": sp.integrate(runs / (runs * between) ** 3, (between, 1, farther))},
    by="the time that the way from x_0 to x takes at the rate x^3",
)

# ---- gaps: two states and an input, a step that is linear ----------------------------------------------------------------------

A, B, drift, now, gap, push, change, answer = sp.symbols("A B D p d u dx du", real=True)
step = lambda x, u: A * x + B * u + drift
bent = lambda x, u: A * x**3 + B * x * u**2 + drift  # a gap is told of any step
after = step(now, push) - gap  # a wish that the step overshoots
next_change = A * change + B * answer + gap  # what the backward pass expects of the next state
left = step(now + a * change, push + a * answer) - (after + a * next_change)
chapter.units({"f": "u_1", "x_*": "u_1", "d_*": "u_1", r"\bar d_*": "u_1", "u_*": "u_2"})
times = {"n": (1, 2, 3), "each": lambda t: [{"t": t}]}
chapter.prove(
    "eq-walls-gap",
    lambda t: {"f": bent, "x_*": {t: now, t + 1: bent(now, push) - gap}.get, "u_*": {t: push}.get, "d_*": {t: gap}.get},
    **times,
    by="a wish that a step overshoots by so much",
)
chapter.prove(
    "eq-walls-share",
    lambda t: {"a": a, "d_*": {t: gap}.get, r"\bar d_*": {t: left}.get},
    **times,
    by="the gaps of a linear step after a share of the change that the backward pass expects",
)
