"""What a notebook of "rp" is given: each student's own arm, and the motions with which a function is called."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.parameters import Draw, Parameters


def parameters(draw: Draw) -> dict[str, Any]:
    """Return the arm of one student, and a pose."""
    masses = draw.apart((1.0, 4.0), (0.5, 2.0))
    com = draw.rounded(0.2, 0.5)
    inertias = (draw.rounded(0.05, 0.3, 3), draw.rounded(0.01, 0.1, 3))
    return {"masses": masses, "com": com, "inertias": inertias,
            "angle": draw.until(lambda: (draw.rounded(0.3, 1.2),), lambda a: abs(math.tan(a) - 1) > 0.03)[0], "reach": draw.rounded(0.5, 1.2),
            "spin": draw.rounded(1.0, 3.0), "near": draw.rounded(0.2, 0.35)}  # fmt: skip


def motions(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return motions: coordinates, rates, accelerations; the first ones rest, turn, slide, or only begin to move."""
    found = [
        (np.array([draw.uniform(-3, 3), draw.uniform(0.2, 1.5)]), draw.vector(2, -2, 2), draw.vector(2, -3, 3))
        for _ in range(6)
    ]
    (q, qd, qdd), none = found[0], abs(0 * found[0][1])
    return [(q, none, none), (q, qd * [1, 0], none), (q, qd * [0, 1], none), (q, qd, none), (q, none, qdd), *found]


CALLED = {"inverse-dynamics": {"inputs": motions, "arguments": "q qd qdd"}}
