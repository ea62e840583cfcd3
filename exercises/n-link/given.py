"""What a notebook of "n-link" is given: each student's own chain, and the chains with which functions are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coursework.check.parameters import Draw, Parameters


def parameters(draw: Draw) -> dict[str, Any]:
    """Return the chain of one student, three links; and five bodies with the entry of M that a question is about."""
    lengths = draw.apart(*[(0.3, 1.0)] * 3)
    masses = draw.apart(*[(0.5, 2.5)] * 3)
    carried, entry = draw.until(
        lambda: (draw.apart(*[(0.5, 2.5)] * 5), (draw.randint(1, 2), draw.randint(3, 4))), _tell_apart
    )
    return {
        "lengths": lengths,
        "masses": masses,
        "bodies": carried,
        "entry": entry,
        "tilt": draw.rounded(0.2, 0.6),
    }


def _tell_apart(carried: tuple[float, ...], entry: tuple[float, ...]) -> bool:
    """Whether the sums of masses that may be counted differ."""
    sums = [
        sum(carried[a:b])
        for a in range(5)
        for b in range(a + 1, 6)
        if {a, b - 5} & {0, entry[0] - 1, entry[1] - 1, entry[1]}
    ]
    return all(abs(x - y) > 0.02 * y for i, x in enumerate(sums) for y in sums[:i])


def sizes(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return numbers of links."""
    return [(n,) for n in (1, 2, 3, 5)]


def vectors(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return generalized forces; in the first ones one acts alone."""
    found = [draw.vector(n, -3, 3) for n in (2, 1, 2, 3, 4)]
    return [(found[0] * [1, 0],), (found[0] * [0, 1],), *((u,) for u in found[1:])]


def chains(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return lengths, masses and absolute angles of chains with 2, 3 and 4 links; in the second and third one mass is alone."""
    found = [(draw.vector(n, 0.3, 1.0), draw.vector(n, 0.5, 2.0), draw.vector(n, -3, 3)) for n in (2, 2, 3, 3, 4)]
    lengths, masses, q = found[0]
    return [found[0], (lengths, masses * [1, 0], q), (lengths, masses * [0, 1], q), *found[1:]]


def motions(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return motions of the own chain: angles, rates, accelerations; the first ones rest, turn steadily, or begin to move."""
    found = [(draw.vector(3, -3, 3), draw.vector(3, -2, 2), draw.vector(3, -3, 3)) for _ in range(5)]
    (q, qd, qdd), none = found[0], abs(0 * found[0][1])
    return [(q, none, none), (q, qd, none), (q, none, qdd), *found]


CALLED = {
    "summing-matrix": {"inputs": sizes, "arguments": "n"},
    "mass-matrix": {"inputs": chains, "arguments": "lengths masses q"},
    "gravity": {"inputs": chains, "arguments": "lengths masses q"},
    "joint-torques": {"inputs": vectors, "arguments": "u"},
    "inverse-dynamics": {"inputs": motions, "arguments": "q qd qdd"},
}
