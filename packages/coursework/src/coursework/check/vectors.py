"""What laws say of bodies in space is said with these: vectors and rotations as lists of numbers, real or complex.

No NumPy, so that a check judges alike in every kernel; complex, so that `bodies.rate` differentiates what they make.
"""

from __future__ import annotations

from cmath import cos, sin
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

Number: TypeAlias = Any  # real or complex


def dot(a: Iterable[Number], b: Iterable[Number]) -> Number:
    """Return the sum of the products of the entries."""
    return sum(x * y for x, y in zip(a, b))


def cross(a: Sequence[Number], b: Sequence[Number]) -> list[Number]:
    """Return the vector at right angles to a and b, a list of three numbers."""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def turned(a: Sequence[Number], angle: Number, b: Sequence[Number]) -> list[Number]:
    """Return the vector b, turned by an angle (rad) about the unit vector a: Rodrigues' formula."""
    c = cos(angle)
    s = sin(angle)
    along = dot(a, b) * (1 - cos(angle))
    return [c * y + s * z + along * x for x, y, z in zip(a, b, cross(a, b))]


def real(numbers: Iterable[Number]) -> list[float]:
    """Return the real parts, a list."""
    return [complex(x).real for x in numbers]
