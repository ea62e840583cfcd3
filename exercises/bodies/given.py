"""What a notebook of "bodies" is given: each student's own turns, arm, block, misprint and brick, the states of functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coursework.check import vectors
from coursework.check.question import tells
from coursework.check.session import drawn_elsewhere
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.parameters import Draw, Parameters

AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
PRINTED = (  # the rates of R and w as four misprints have them
    ("skew(w) @ R", "(R.T @ n - np.cross(w, L)) / I"),
    ("R @ skew(w)", "(R.T @ n + np.cross(w, L)) / I"),
    ("R @ skew(w)", "(n - np.cross(w, L)) / I"),
    ("R @ skew(w)", "(R @ n - np.cross(w, L)) / I"),
)
LISTING = """
def rates(R, w, n):
    L = I * w
    return {{"R": {0}, "w": {1}}}
"""


def parameters(draw: Draw) -> dict[str, Any]:
    """Return two turns, a pose, an arm with a slide, a block and its hole, a misprinted program of a body, a brick."""
    slide = draw.choice((1, 2))
    second = draw.choice(AXES[:2])
    third = draw.choice(AXES)
    axes = [AXES[2], *(tuple(sign * x for x in axis) for axis, sign in zip((second, third), _signs(draw, 2)))]
    return {
        "turns": draw.until(lambda: (draw.rounded(0.9, 1.6), draw.rounded(0.9, 1.6)), _are_both_felt),
        "pose": _pose(*draw.until(lambda: _screw(draw), _is_clear)),
        "kinds": tuple("slide" if k == slide else "hinge" for k in range(3)),
        "axes": tuple(axes),
        "points": tuple(tuple(draw.rounded(0.1, 0.5) for _ in range(3)) for _ in range(3)),
        "tip": tuple(draw.rounded(0.6, 1.2) for _ in range(3)),
        "block": (draw.rounded(0.20, 0.21, 3), draw.rounded(0.12, 0.13, 3), draw.rounded(0.04, 0.08, 3)),
        "hole": draw.until(lambda: (draw.rounded(0.037, 0.041, 4), *(s * draw.rounded(*r, 4) for s, r in zip(_signs(draw, 2), ((0.055, 0.058), (0.014, 0.018))))), _is_aside),
        "density": draw.rounded(2600, 2900, 0),
        "moments": tuple(draw.rounded(low, low + 0.3) for low in (1.0, 1.5, 2.0)),
        "listing": LISTING.format(*draw.choice(PRINTED)),
        "brick": tuple(draw.rounded(low, low + 0.02, 3) for low in (0.20, 0.11, 0.05)),
    }  # fmt: skip


def _signs(draw: Draw, n: int) -> list[int]:
    return [draw.choice((-1, 1)) for _ in range(n)]


def _are_both_felt(first: float, second: float) -> bool:
    """Whether a generic mistake in any part of the trace shows in the angle of the one turn."""
    number = lambda a, b, both, one: math.acos((a + b + both - one) / 2)
    a = math.cos(first)
    b = math.cos(second)
    sines = math.sin(first), math.sin(second)
    others = {"a": (sines[0], math.cos(first / 2), math.cos(2 * first), math.cos(math.degrees(first)), first),
              "b": (sines[1], math.cos(second / 2), math.cos(2 * second), math.cos(math.degrees(second)), second),
              "both": (a, b, sines[0] * b, a * sines[1], sines[0] * sines[1])}  # fmt: skip
    return tells(number, {"a": a, "b": b, "both": a * b, "one": 1.0}, others)


def _is_aside(radius: float, x: float, y: float) -> bool:
    """Whether the hole is so far from the middle that the way back to the center of mass tells."""
    return abs(y) > 0.015


def _screw(draw: Draw) -> tuple[list[float], float, float, list[float]]:
    """A unit vector, an angle, a pitch, a point of the axis."""
    axis = [sign * draw.uniform(0.3, 1.0) for sign in _signs(draw, 3)]
    pitch = _signs(draw, 1)[0] * draw.uniform(0.05, 0.25)
    return [x / math.hypot(*axis) for x in axis], draw.uniform(0.7, 2.4), pitch, draw.numbers(3, -0.5, 0.5)


def _rotation(axis: list[float], angle: float) -> tuple[tuple[float, ...], ...]:
    """The rotation matrix, by rows."""
    return tuple(zip(*(vectors.real(vectors.turned(axis, angle, e)) for e in AXES)))


def _pose(
    axis: list[float], angle: float, pitch: float, point: list[float]
) -> tuple[tuple[tuple[float, ...], ...], tuple[float, ...]]:
    """Rotation matrix and shift of the displacement by a screw, as tuples."""
    rotation = _rotation(axis, angle)
    return rotation, tuple(s - vectors.dot(row, point) + pitch * angle * a for s, row, a in zip(point, rotation, axis))


def _is_clear(axis: list[float], angle: float, pitch: float, point: list[float]) -> bool:
    """Whether no typical mistake gives nearly the pitch: the whole shift, its part along z, no unit vector."""
    shift = _pose(axis, angle, pitch, point)[1]
    near = math.hypot(*shift) / angle, shift[2] / angle, sum(shift) / angle, pitch * angle
    sine = math.sin(angle)
    if not all(abs(x / pitch - 1) > 0.02 for x in (*near, pitch * sine, 2 * pitch * sine)):
        return False
    rotation = _rotation(axis, angle)

    def number(one: float, **entries: Any) -> float:
        r = lambda i, k: entries[f"r{i}{k}"]
        twice = [r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)]
        turn = math.atan2(math.hypot(*twice), r(0, 0) + r(1, 1) + r(2, 2) - one)
        return vectors.dot(twice, shift) / math.hypot(*twice) / turn

    entries = {f"r{i}{k}": rotation[i][k] for i in range(3) for k in range(3)}
    others = {name: [other for other in entries.values() if other != entry] for name, entry in entries.items()}
    return tells(number, {"one": 1.0, **entries}, others)


def poses(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return joint coordinates of the arm."""
    return [(draw.vector(3, -2, 2),) for _ in range(2)]


def turnings(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return orientations, angular velocities in body axes and moments in base axes."""
    found = []
    for _ in range(3):
        axis = draw.numbers(3, 0.3, 1.0)
        R = np.array(_rotation([x / math.hypot(*axis) for x in axis], draw.uniform(0.8, 2.4)))
        found.append((R, draw.vector(3, 0.5, 2.0), draw.vector(3, -3, -1)))
    return found


CALLED = {
    "jacobian": {"inputs": poses, "arguments": "q"},
    "real-body": {"inputs": drawn_elsewhere("bodies", "matrices"), "arguments": "I", "telling": True},
    "find-the-error": {"inputs": turnings, "arguments": "R w n"},
}
