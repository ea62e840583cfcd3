"""The projection of a picture: planes of the base axes, 2-D axes with names and units, and lines of points in space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from robotdyn.maths.validate import Floats, as_numbers
from robotdyn.show.style import axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLANES: dict[str, tuple[int, int]] = {"xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}


def prepared_axes(ax: Axes | None, plane: str) -> Axes:
    """Return axes (new ones where ax is None) with names and units, both of one scale."""
    if not isinstance(plane, str) or plane not in PLANES:
        raise ValueError(f'plane must be "xy", "xz" or "yz", got {plane!r}')
    ax = axes_for(ax)
    if ax.name == "3d":
        raise ValueError("ax must be 2-D axes, got 3-D ones: an arm is drawn as its projection on a plane")
    ax.set(xlabel=f"${plane[0]}$ (m)", ylabel=f"${plane[1]}$ (m)")
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.02)
    return ax


def viewer_axes(view: tuple[float, float]) -> Floats:
    """Return the rotation into axes of the viewer: right, up, and toward the viewer."""
    azimuth, elevation = np.radians(as_numbers(view, "view", (2,)))
    toward = np.array([np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), np.sin(elevation)])
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0])
    return np.stack([right, np.cross(toward, right), toward])


def plot_line(ax: Axes, plane: str, points: Any, label: str, **look: Any) -> None:
    """Draw points (k, 3) m in base axes as a line or as markers; the label begins with _ to stay out of legends."""
    ax.plot(*np.reshape(points, (-1, 3)).T[list(PLANES[plane])], label=label, **look)


def normal_of(plane: str) -> Floats:
    """Return the unit vector (3,) from a plane toward the viewer, base axes."""
    i, k = PLANES[plane]
    return np.cross(np.eye(3)[i], np.eye(3)[k])


def extent_of(homes: Sequence[Floats], ends: Sequence[Floats]) -> float:
    """Return how far an arm in a pose reaches from its first joint, m; 1 where it is a point."""
    return float(max(np.linalg.norm(point - homes[0]) for point in [*homes, *ends])) or 1.0
