"""What a notebook of "lagrange" is given: each student's own cart and pendulum, lines to order, states of a function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coursework.check.parameters import Draw, Parameters

RODS = {  # the unit vector along a rod at the angle q, and its derivative by q
    "counterclockwise from straight down": ((1, "sin(q)"), (-1, "cos(q)"), (1, "cos(q)"), (1, "sin(q)")),
    "clockwise from straight up": ((1, "sin(q)"), (1, "cos(q)"), (1, "cos(q)"), (-1, "sin(q)")),
    "counterclockwise from the x axis": ((1, "cos(q)"), (1, "sin(q)"), (-1, "sin(q)"), (1, "cos(q)")),
}
PIVOTS = ("along x", "along y")


def parameters(draw: Draw) -> dict[str, Any]:
    """Return the cart and the pendulum of one student."""
    cart, bob = draw.until(lambda: (draw.rounded(0.8, 3.0), draw.rounded(0.2, 1.5)), lambda a, b: abs(a - b) > 0.03 * b)
    length = draw.rounded(0.3, 1.2)
    rod = draw.choice(list(RODS))
    pivot = draw.choice(PIVOTS)
    return {"cart": cart, "bob": bob, "length": length, "rod": rod, "pivot": pivot, "lines": _lines(draw, rod, pivot)}


def _lines(draw: Draw, rod: str, pivot: str) -> tuple[str, ...]:
    """Return the lines of a derivation in a random order, two false ones among them."""
    x, y, dx, dy = RODS[rod]
    along, moving = ((x, dx), (y, dy))[PIVOTS.index(pivot)]
    term = lambda factor, of: f"{'+' if of[0] > 0 else '-'} {factor}*{of[1]}"
    less = lambda factor, of: term(factor, (-of[0], of[1]))
    feet = ("s ", "") if pivot == "along x" else ("", "s ")
    speeds = [foot and "sd " for foot in feet]
    line = lambda *words: " ".join(
        "".join(words).replace("= + ", "= ").replace("(+ ", "(").replace("= - ", "= -").replace("(- ", "(-").split()
    )
    rates = lambda qd: line(f"dx/dt = {speeds[0]}", term(f"l{qd}", dx), f",  dy/dt = {speeds[1]}", term(f"l{qd}", dy))
    square = lambda product: line("T = m/2*(sd^2 ", product, " + l^2*qd^2)")
    change = lambda product: line("d/dt dL/dqd = ", term("m*l*sdd", moving), product, " + m*l^2*qdd")
    slope = lambda product, gravity: line("dL/dq = ", product, gravity("m*g*l", dy))
    end = lambda gravity: line("0 = l*qdd ", term("sdd", moving), " ", gravity("g", dy))
    shift = less("m*l*sd*qd", along)
    found = [
        *draw.sample(
            [rates(""), square(""), change(""), draw.choice((slope("", less), slope(f"{shift} ", term))), end(less)], 2
        ),
        line(f"x = {feet[0]}", term("l", x), f",  y = {feet[1]}", term("l", y)),
        rates("*qd"),
        square(term("2*l*sd*qd", moving)),
        line(f"U = m*g*({feet[1]}", term("l", y), ")"),
        line("dL/dqd = ", term("m*l*sd", moving), " + m*l^2*qd"),
        change(f" {shift}"),
        slope(f"{shift} ", less),
        end(term),
    ]
    draw.shuffle(found)
    return tuple(found)


def states(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return positions and rates; in the first ones all rests, the cart alone rolls, the pendulum alone swings."""
    found = [(draw.vector(2, -2, 2), draw.vector(2, -3, 3)) for _ in range(6)]
    q, qd = found[0]
    return [(q, abs(0 * qd)), (q, qd * [1, 0]), (q, qd * [0, 1]), *found]


CALLED = {"energy": {"inputs": states, "arguments": "q qd"}}
