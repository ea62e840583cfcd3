"""Motions to follow:  functions t -> (q, qd, qdd), (n,) each, of joints or of a hand."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.control.checks import Motion
from robotdyn.maths.validate import Floats, as_numbers, as_positive


def minimum_jerk(start: ArrayLike, end: ArrayLike, duration: float, begin: float = 0.0) -> Motion:
    """Return the motion from start to end (n,) that is at rest before and after, with the least squared jerk between.

    start + (end - start) (10 s^3 - 15 s^4 + 6 s^5),  s = (t - begin) / duration;
    duration, begin: s.
    Flash and Hogan (1985), "The coordination of arm movements".
    """
    start = as_numbers(start, "start", (...,))
    end = as_numbers(end, "end", start.shape)
    begin = float(as_numbers(begin, "begin", ()))
    duration = as_positive(duration, "duration", "s")
    displacement = end - start

    def motion(t: float) -> tuple[Floats, Floats, Floats]:
        s = min(max((t - begin) / duration, 0.0), 1.0)
        path = s**3 * (10 - 15 * s + 6 * s**2)
        rate = 30 * s**2 * (1 - s) ** 2 / duration
        return (
            start + displacement * path,
            displacement * rate,
            displacement * (60 * s * (1 - s) * (1 - 2 * s) / duration**2),
        )

    return motion


def sine(center: ArrayLike, amplitude: ArrayLike, rate: ArrayLike, phase: ArrayLike = 0.0) -> Motion:
    """Return the motion center + amplitude sin(rate t + phase): center, amplitude (n,) rad (m); rate rad/s; phase rad."""
    center = as_numbers(center, "center", (...,))
    a, w, p = (
        _per_joint(x, name, center.shape) for x, name in ((amplitude, "amplitude"), (rate, "rate"), (phase, "phase"))
    )

    def motion(t: float) -> tuple[Floats, Floats, Floats]:
        s = a * np.sin(w * t + p)
        c = a * np.cos(w * t + p)
        return center + s, w * c, -(w**2) * s

    return motion


def _per_joint(x: ArrayLike, name: str, shape: tuple[int, ...]) -> Floats:
    x = as_numbers(x, name, (...,))
    if x.shape not in ((), shape):
        raise ValueError(f"{name} must be a number or have shape {shape}, as center has, got {x.shape}")
    return np.broadcast_to(x, shape)
