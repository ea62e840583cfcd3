"""What a notebook of "ilqr" is given: each student's own cart and arm, the problems with which functions are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array
    from coursework.check.parameters import Draw, Parameters


def parameters(draw: Draw) -> dict[str, Any]:
    """Return a cart on a line (a double integrator) with its goal, and a 2R arm with a target."""
    return {
        "dt": draw.rounded(0.05, 0.2), "steps": draw.randint(6, 9), "goal": draw.rounded(0.5, 2.0),
        "effort": draw.rounded(0.01, 0.1, 3), "weight": draw.rounded(5.0, 20.0),
        "lengths": draw.apart((0.5, 1.2), (0.4, 1.0)), "target": draw.apart((0.2, 1.0), (0.2, 1.0)),
    }  # fmt: skip


def motions(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return any motions, but the first one ends at the goal, and the second one has no input."""
    sizes = (p.steps, 2), (p.steps - 1, 1)
    found = [tuple(draw.vector(a * b, -2, 2).reshape(a, b) for a, b in sizes) for _ in range(5)]
    found[0][0][-1] = p.goal, 0.0
    found[1][1][:] = 0.0
    return found


def pairs(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return linear systems A, B and numbers of steps."""
    found = []
    for n, m, steps in ((1, 1, 3), (2, 1, 4), (3, 2, 4)):
        A, B = (draw.vector(n * k, -1, 1).reshape(n, k) for k in (n, m))
        found.append((np.eye(n) + 0.3 * A, B, steps))
    return found


def problems(p: Parameters, draw: Draw, found: tuple[Any, ...] = ()) -> tuple[tuple[Array, ...], ...]:
    """Return A, B, Q, R, V of one backward step."""
    for n, m in ((1, 1), (2, 1), (3, 2)):
        A, B, Q, R = (draw.vector(a * b, -1, 1).reshape(a, b) for a, b in ((n, n), (n, m), (n, n), (m, m)))
        S = draw.vector(n * n, -1, 1).reshape(n, n)
        found = (*found, (A, B, Q @ Q.T, R @ R.T + np.eye(m), S @ S.T))
    return found


def expansions(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return the pieces of one backward step: l_x, l_u, l_xx, l_ux, l_uu, A, B, V_x, V_xx."""
    found = []
    for A, B, Q, R, V in problems(p, draw):
        n, m = B.shape
        lx, lu, Vx, lux = (draw.vector(size, -1, 1) for size in (n, m, n, n * m))
        found.append((lx, lu, Q, lux.reshape(m, n) / 9, R, A, B, Vx, V))
    return found


def poses(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return angles of the arm."""
    return [(draw.vector(2, -3, 3),) for _ in range(6)]


CALLED = {
    "total-cost": {"inputs": motions, "arguments": "x u"},
    "stacked-response": {"inputs": pairs, "arguments": "A B steps"},
    "gain": {"inputs": problems, "arguments": "A B Q R V"},
    "riccati": {"inputs": problems, "arguments": "A B Q R V"},
    "tip-gradient": {"inputs": poses, "arguments": "q"},
    "find-the-error": {"inputs": expansions, "arguments": "lx lu lxx lux luu A B Vx Vxx"},
}
