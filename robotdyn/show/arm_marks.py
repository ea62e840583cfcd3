"""Marks on the picture of an arm: frames, centers of mass, and the arcs and arrows of the joint coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from robotdyn.dynamics.kinematics import link_poses
from robotdyn.maths.validate import Floats
from robotdyn.model.arm import Arm
from robotdyn.model.joints import JOINTS
from robotdyn.model.picture import bars, joint_geometry
from robotdyn.show.projection import PLANES, extent_of, normal_of, plot_line
from robotdyn.show.style import COLORS, INK, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def mark_frames(ax: Axes, arm: Arm, q: Floats, plane: str, base: Floats) -> None:
    """Draw the axes of the base, with their letters, and of every link."""
    R, homes, p, ends = joint_geometry(arm.links, arm.parents, arm.tip, q)
    size = extent_of(homes, ends)
    colors = (*COLORS[:2], INK)
    for origin, axes, letters in [(homes[0], base, "xyz"), *((p[i], R[i], "") for i in range(arm.n))]:
        for k, color in enumerate(colors):
            tip = origin + (0.22 if letters else 0.13) * size * axes[:, k]
            plot_line(ax, plane, [origin, tip], "_axis", color=color, linewidth=1.8, zorder=6)
            if letters and np.linalg.norm((tip - origin)[list(PLANES[plane])]) > 0.05 * size:
                place = (tip + 0.05 * size * axes[:, k])[list(PLANES[plane])]
                style: dict[str, Any] = {"color": color, "ha": "center", "va": "center", "fontsize": "large"}
                ax.text(place[0], place[1], f"${letters[k]}$", zorder=7, **style)


def mark_centers_of_mass(ax: Axes, arm: Arm, q: Floats, plane: str) -> None:
    """Mark each center of mass by the circle with two black quarters."""
    from matplotlib.path import Path

    quarters = Path.make_compound_path(Path.wedge(0, 90), Path.wedge(180, 270))
    R, p = link_poses(arm, q)
    for i, link in enumerate(arm.links):
        place = [R[i] @ link.com + p[i]]
        disk = {"marker": "o", "markersize": 11, "markerfacecolor": PAPER, "markeredgecolor": INK}
        plot_line(ax, plane, place, f"_center of mass {i + 1}", markeredgewidth=1.4, zorder=6, **disk)
        plot_line(
            ax, plane, place, "_quarters", marker=quarters, markersize=11, color=INK, markeredgewidth=0, zorder=6.1
        )


def mark_coordinates(ax: Axes, arm: Arm, q: Floats, plane: str, texts: Sequence[str]) -> None:
    """Mark an angle by an arc from the link's direction at q_i = 0, a sliding distance by an arrow beside it."""
    R, homes, p, ends = joint_geometry(arm.links, arm.parents, arm.tip, q)
    first_bars = {i: end for (i, _), end in reversed(list(zip(bars(arm.links, arm.parents, arm.tip), ends)))}
    normal = normal_of(plane)
    size = extent_of(homes, ends)
    for j, link in enumerate(arm.links):
        axis = R[j] @ link.axis
        if JOINTS[link.joint].unit == "m":
            across = 0.1 * size * np.cross(normal, axis)
            _draw_arrow(ax, plane, np.array([homes[j], p[j]]) + across, texts[j], across * 0.7)
            continue
        if abs(axis @ normal) < 1 - 1e-9:
            continue  # its angle is not seen in this plane
        along = first_bars[j] - p[j]
        if not along.any():
            child = next((k for k in range(arm.n) if arm.parents[k] == j), None)
            along = R[j] @ (1, 0, 0) if child is None else R[child] @ arm.links[child].axis
        along = along / np.linalg.norm(along)
        radius = 0.2 * size
        angles = np.linspace(-q[j], 0, 60) * np.sign(axis @ normal)
        arc = p[j] + radius * (np.cos(angles)[:, None] * along + np.sin(angles)[:, None] * np.cross(normal, along))
        reference = p[j] + (arc[0] - p[j]) * 1.9
        plot_line(
            ax, plane, [p[j], reference], "_reference", color=INK, linewidth=1.2, linestyle=(0, (4, 3)), zorder=2.5
        )
        _draw_arrow(ax, plane, arc, texts[j], (arc[30] - p[j]) * 0.42)


def _draw_arrow(ax: Axes, plane: str, points: Floats, text: str, aside: Floats) -> None:
    """Draw a path with a head at its end and a text aside its middle."""
    plot_line(ax, plane, points, f"_coordinate {text}", color=INK, linewidth=1.8, zorder=2.6)
    points = points[:, list(PLANES[plane])]
    aside = aside[list(PLANES[plane])]
    head = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.8, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 13}
    if np.linalg.norm(points[-1] - points[0]) > 1e-9:
        ax.annotate("", points[-1], points[-2], arrowprops=head, zorder=2.6)
    place = (points[len(points) // 2] if len(points) > 2 else points.mean(axis=0)) + aside
    ax.text(place[0], place[1], text, color=INK, ha="center", va="center", fontsize="large", zorder=7)
