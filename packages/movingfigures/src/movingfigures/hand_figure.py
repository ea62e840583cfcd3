"""What the figures share in which a finger leads the hand of a planar arm: the arms that may be, sliders, a square."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from movingfigures.figure_programs import serial_joint_count
from movingfigures.sliders import Slider
from robotdyn.maths.validate import Floats, as_numbers, check_numeric
from robotdyn.model.arm import Arm
from robotdyn.model.link import Link

SIDE_TIME = 1.0  # s, of one side of the square


def check_planar(arm: Arm, name: str) -> int:
    """Return the number of joints; raises ValueError in the name of a figure unless all turn about z, two at least."""
    check_numeric(arm, name)
    n = serial_joint_count(arm)
    if n < 2 or not all(map(_turns_about_z, arm.links)):
        raise ValueError(f"{name} needs a planar arm of two or more hinges about z: build one with rd.robots.planar(3)")
    return n


def _turns_about_z(link: Link) -> bool:
    """Tell whether a link is carried by a hinge about z and not tilted against the link before it."""
    return link.joint == "revolute" and bool(np.allclose([link.axis[2] ** 2, link.rotation[2][2]], 1))


def checked_slider_values(given: Mapping[str, Any], ranges: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """Return what was given as numbers; raises ValueError for one beyond the range of its slider."""
    values = {name: float(as_numbers(x, name, ())) for name, x in given.items()}
    for name, (low, high) in ranges.items():
        if not low <= values[name] <= high:
            raise ValueError(f"{name} must be from {low:g} to {high:g}, got {values[name]:g}")
    return values


def slider_specs(
    values: Mapping[str, float],
    ranges: Mapping[str, tuple[float, float]],
    words: Mapping[str, tuple[str, str, str]],
) -> list[dict[str, Any]]:
    """Return what the page needs of the sliders; words: what each is, its unit and its letter."""
    return [
        Slider(name, *ranges[name], values[name], text, unit, False).spec() | {"letter": letter}
        for name, (text, unit, letter) in words.items()
    ]


def on_square(phase: float) -> Floats:
    """Return the place (2,) on the square of side 1 from its corner (0, 0), one side for each 1 of the phase, to the left first."""
    side = int(phase)
    corners = np.array([(0, 0), (-1, 0), (-1, -1), (0, -1), (0, 0)], dtype=float)
    return corners[side % 4] + (phase - side) * (corners[side % 4 + 1] - corners[side % 4])


def draw_square(ax: Any, corner: Floats, side: float) -> None:
    """Draw the square (m) from its corner (2,) in Matplotlib axes."""
    ax.plot(*(corner + side * np.array([on_square(k) for k in range(5)])).T, "k:")
