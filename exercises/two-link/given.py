"""What a notebook of "two-link" is given: each student's own arm, and the states at which a function is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coursework.check.parameters import differ

if TYPE_CHECKING:
    from coursework.check.parameters import Draw, Parameters


def parameters(draw: Draw) -> dict[str, tuple[float, ...]]:
    """Return the arm of one student: lengths, masses, centers of mass and moments of inertia."""
    lengths = draw.apart((0.6, 1.4), (0.5, 1.2))
    masses = draw.apart((1.0, 4.0), (0.5, 3.0))
    coms = draw.until(lambda: tuple(round(length * draw.uniform(0.35, 0.65), 3) for length in lengths), differ)
    inertias = tuple(round(m * length**2 / 12, 4) for m, length in zip(masses, lengths))
    return {
        "lengths": lengths,
        "masses": masses,
        "coms": coms,
        "inertias": inertias,
    }


def driven(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return states and torques; in the first ones the arm rests, or one joint moves alone."""
    found = [(draw.vector(2, -3, 3), draw.vector(2, -2, 2), draw.vector(2, -5, 5)) for _ in range(6)]
    (q, qd, tau), none = found[0], abs(0 * found[0][1])
    return [(q, none, none), (q, none, tau), (q, qd, none), (q, qd * [1, 0], tau), (q, qd * [0, 1], tau), *found]


CALLED = {"forward-dynamics": {"inputs": driven, "arguments": "q qd tau"}}
