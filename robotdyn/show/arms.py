"""An arm as bars, circles and sleeves, in one pose or along a motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.dynamics.kinematics import link_poses, point_position
from robotdyn.maths.validate import Floats, as_numbers, as_positive, check_numeric
from robotdyn.model.arm import Arm
from robotdyn.model.joints import JOINTS
from robotdyn.model.meshes import Mesh
from robotdyn.model.picture import bars, joint_geometry
from robotdyn.show.arm_marks import mark_centers_of_mass, mark_coordinates, mark_frames
from robotdyn.show.projection import PLANES, extent_of, normal_of, plot_line, prepared_axes, viewer_axes
from robotdyn.show.shapes import paint
from robotdyn.show.style import INK, LINKS, PAPER, Color, Motion, check_trajectory, faded

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BarStyle: TypeAlias = tuple[Sequence[Color], float]  # a color for each link; the width of bars, points


def draw_arm(
    arm: Arm,
    q: ArrayLike,
    ax: Axes | None = None,
    plane: str = "xy",
    coms: bool = False,
    labels: bool | Sequence[str] = False,
    colors: Sequence[Color] | None = None,
    width: float = 9.0,
    view: tuple[float, float] | None = None,
    frames: bool = False,
    shapes: Sequence[Mesh] | None = None,
) -> Axes:
    """Draw an arm in one pose and return ax, 2-D axes in m, base axes.

    q: (n,) rad (m at a prismatic joint).  A link is a bar from its joint to the next one, of a tree to each that it carries;
    the last one to the tip (to its center of mass, where the tip is its own origin), ends of other branches to theirs.  A revolute joint is a circle, a prismatic one a sleeve of the
    link before, with the rod of the sliding link in it; the sleeve is as long as a uniform one with that link's center
    of mass.  A revolute joint whose axis lies in the picture is a short tube.  A screw is a sleeve with a thread, which
    moves on with q by one stroke a turn, whatever the pitch; seen along its axis, a circle with a cross.
    plane: "xy" (seen from +z), "xz" or "yz", the plane on which the arm is projected.
    coms: mark the centers of mass.
    labels: True marks the joint coordinates q_1, q_2, ... by arcs and arrows, n strings name them otherwise.
    colors: n colors, one a link.
    width: of the bars, in points.
    view: (azimuth, elevation) in degrees instead of a plane: where the viewer stands, turned from the base's x axis
    about its z axis and raised.
    frames: draw the axes of the base and of every link, z in the color of ink, x and y in colors.
    shapes: n + 1 meshes, of the base and of every link, as `shapes_of_urdf` reads them, to draw instead of bars.
    """
    check_numeric(arm, "a picture")
    q = as_numbers(q, "q", (arm.n,))
    texts = _coordinate_labels(arm, labels)
    q, arm = _all_joints(arm, q)
    style = _bar_style(arm, colors, width)
    if shapes is not None and not (_is_list(shapes, arm.n + 1) and all(isinstance(mesh, Mesh) for mesh in shapes)):
        raise ValueError(
            f"shapes must be {arm.n + 1} meshes, of the base and of each link, as rd.show.shapes_of_urdf reads them for "
            f"the same tip, got {len(shapes) if isinstance(shapes, (list, tuple)) else type(shapes).__name__}"
        )
    viewer = np.eye(3) if view is None else viewer_axes(view)
    plane = plane if view is None else "xy"
    ax = prepared_axes(ax, plane)
    if view is not None:  # the base turns before the viewer, who always looks along -z
        turned = lambda link: replace(link, position=viewer @ link.position, rotation=viewer @ link.rotation)
        arm = replace(arm, links=[x if p >= 0 else turned(x) for x, p in zip(arm.links, arm.parents)])
        ax.set_axis_off()
    if shapes is None:
        _draw_pose(ax, arm, q, plane, style)
    else:
        _draw_shapes(ax, arm, q, plane, style, shapes, viewer)
    if frames:
        mark_frames(ax, arm, q, plane, viewer)
    if coms:
        mark_centers_of_mass(ax, arm, q, plane)
    if texts:
        mark_coordinates(ax, arm, q, plane, texts)
    return ax


def draw_motion(
    arm: Arm,
    trajectory: Motion,
    ax: Axes | None = None,
    frames: int = 8,
    plane: str = "xy",
    colors: Sequence[Color] | None = None,
    width: float = 7.0,
) -> Axes:
    """Draw an arm at times equally spaced along a motion, the later the darker, with the path of its tip; return ax.

    trajectory: t (T,) s, q (T, n), as `rd.simulate` returns it.
    frames: how many poses, at least 2.
    plane, colors, width: as in `draw_arm`.
    """
    check_numeric(arm, "a picture")
    check_trajectory(trajectory, arm)
    if not isinstance(frames, (int, np.integer)) or frames < 2:
        raise ValueError(f"frames must be a whole number >= 2 of poses to draw, got {frames!r}")
    t = np.asarray(trajectory.t)
    q = as_numbers(trajectory.q, "trajectory.q", (..., arm.n))
    q, arm = _all_joints(arm, q)
    style = _bar_style(arm, colors, width)
    ax = prepared_axes(ax, plane)
    plot_line(ax, plane, point_position(arm, q), "_tip path", color="#59636e", linewidth=1.3, zorder=2)
    for k, time in enumerate(np.linspace(t[0], t[-1], frames)):
        pose = q[abs(t - time).argmin()]
        strength = 0.16 + 0.84 * (k / (frames - 1)) ** 1.5
        _draw_pose(ax, arm, pose, plane, style, strength, 3 + k)
    return ax


def _all_joints(arm: Arm, q: Floats) -> tuple[Floats, Arm]:
    """Return the positions (.., m) of all joints of an arm whose joints may be coupled, and the arm in which they are free."""
    return q if arm.coupling is None else q @ arm.coupling[:, :-1].T + arm.coupling[:, -1], arm.uncoupled


def _bar_style(arm: Arm, colors: Sequence[Color] | None, width: float) -> BarStyle:
    """Return n colors and the width of the bars, checked."""
    if colors is None:
        colors = [LINKS[i % len(LINKS)] for i in range(arm.n)]
    if not _is_list(colors, arm.n):
        raise ValueError(f"colors must be {arm.n} colors, one a link, got {colors!r}")
    return colors, as_positive(width, "width", "points")


def _coordinate_labels(arm: Arm, labels: bool | Sequence[str] | None) -> list[str]:
    if labels is False or labels is None:
        return []
    if arm.coupling is not None:
        raise ValueError("labels must be False for an arm whose joints are coupled: draw arm.uncoupled with them")
    if labels is True:
        return [f"$q_{{{i + 1}}}$" for i in range(arm.n)]
    if not _is_list(labels, arm.n):
        raise ValueError(f"labels must be True, False or {arm.n} texts, one a joint, got {labels!r}")
    return list(labels)


def _is_list(x: Any, n: int) -> bool:
    return not isinstance(x, str) and hasattr(x, "__len__") and len(x) == n


# ---- one pose -------------------------------------------------------------------------------------------------------


def _draw_pose(
    ax: Axes, arm: Arm, q: Floats, plane: str, style: BarStyle, strength: float = 1.0, zorder: float = 3
) -> None:
    """Draw links and joints; zorder to zorder + 1 are taken."""
    R, homes, p, ends = joint_geometry(arm.links, arm.parents, arm.tip, q)
    colors, width = style
    ink = faded(INK, strength)
    size = extent_of(homes, ends)
    _draw_base(ax, plane, homes[0], width, ink, zorder)
    for (i, _), end in zip(bars(arm.links, arm.parents, arm.tip), ends):
        bar = {"color": faded(colors[i], strength), "linewidth": width, "solid_capstyle": "round"}
        plot_line(ax, plane, [p[i], end], f"_link {i + 1}", zorder=zorder + 0.3, **bar)
    for i, (link, parent) in enumerate(zip(arm.links, arm.parents)):
        color = faded(colors[i], strength)
        owner = faded(colors[parent], strength) if parent >= 0 else ink
        joint = _JointView(i + 1, homes[i], p[i], R[i] @ link.axis, q[i], sleeve_length(arm, i), size)
        DRAWINGS[JOINTS[link.joint].drawing](ax, plane, joint, _Stroke(width, color, owner, ink, zorder))
    last = faded(colors[-1], strength)
    square = JOINTS[arm.links[-1].joint].has_rod
    mark = {"marker": "s" if square else "o", "markersize": (1.6 if square else 1.2) * width, "markeredgecolor": ink}
    plot_line(ax, plane, [ends[-1]], "_tip", markerfacecolor=last, zorder=zorder + 0.5, **mark)
    points = np.array([*homes, *p, *ends])[:, list(PLANES[plane])]  # room for what is measured in points, not in m
    ax.update_datalim([points.min(axis=0) - 0.12 * size, points.max(axis=0) + 0.12 * size])
    ax.autoscale_view()


def _draw_shapes(
    ax: Axes, arm: Arm, q: Floats, plane: str, style: BarStyle, shapes: Sequence[Mesh], base: Floats
) -> None:
    """Draw meshes in place of bars; base: the rotation of the base."""
    R, p = link_poses(arm, q)
    i, k = PLANES[plane]
    viewer = np.stack([np.eye(3)[i], np.eye(3)[k], normal_of(plane)])  # right, up, toward
    from matplotlib.colors import to_rgb

    colors = [to_rgb(color) for color in (LINKS[1], *style[0])]
    paint(ax, shapes, viewer @ np.stack([base, *R]), np.stack([np.zeros(3), *p]) @ viewer.T, colors)


@dataclass(frozen=True)
class _JointView:
    """Where a joint is, m in base axes: where it is carried, the origin and the axis of its link; q; sizes, m."""

    number: int
    home: np.ndarray
    origin: np.ndarray
    axis: np.ndarray
    q: float
    sleeve: float
    size: float


@dataclass(frozen=True)
class _Stroke:
    """Width in points; colors of the link, of the link that carries it and of lines; the layer."""

    width: float
    color: str
    owner: str
    ink: str
    zorder: float


def _draw_hinge(ax: Axes, plane: str, joint: _JointView, stroke: _Stroke) -> None:
    """Draw a circle, or a tube along the axis where that is seen from aside."""
    label = f"_joint {joint.number}"
    width = stroke.width
    if abs(joint.axis @ normal_of(plane)) < 0.5:
        half = 0.05 * joint.size * joint.axis
        tube = [joint.origin - half, joint.origin + half]
        plot_line(ax, plane, tube, label, color=stroke.ink, linewidth=1.7 * width, zorder=stroke.zorder + 0.4)
        plot_line(ax, plane, tube, "_bore", color=PAPER, linewidth=1.2 * width, zorder=stroke.zorder + 0.4)
        return
    mark = {"marker": "o", "markersize": 1.45 * width, "markeredgewidth": 0.28 * width, "markeredgecolor": stroke.ink}
    plot_line(ax, plane, [joint.origin], label, markerfacecolor=PAPER, zorder=stroke.zorder + 0.6, **mark)


def _draw_sleeve(ax: Axes, plane: str, joint: _JointView, stroke: _Stroke) -> None:
    """Draw a sleeve of the link before along the axis, and the rod of the link in it."""
    mouth = joint.home + joint.sleeve * joint.axis
    style = {"solid_capstyle": "butt", "zorder": stroke.zorder + 0.1}
    plot_line(
        ax,
        plane,
        [joint.home, mouth],
        f"_sleeve {joint.number}",
        color=stroke.owner,
        linewidth=2.3 * stroke.width,
        **style,
    )
    plot_line(ax, plane, [joint.home, mouth], "_bore", color=PAPER, linewidth=1.7 * stroke.width, **style)
    rod = {"color": stroke.color, "linewidth": stroke.width, "solid_capstyle": "round", "zorder": stroke.zorder + 0.2}
    plot_line(ax, plane, [joint.home, joint.origin], f"_rod {joint.number}", **rod)


def _draw_thread(ax: Axes, plane: str, joint: _JointView, stroke: _Stroke) -> None:
    """Draw a sleeve with strokes across it that move on with q, or, where it is seen from its end, the slot of a screw."""
    from matplotlib.path import Path

    _draw_sleeve(ax, plane, joint, stroke)
    normal = normal_of(plane)
    if abs(joint.axis @ normal) > 0.87:
        _draw_hinge(ax, plane, joint, stroke)
        turn = joint.q * np.sign(joint.axis @ normal)
        slots = [(np.cos(turn + k * np.pi / 2), np.sin(turn + k * np.pi / 2)) for k in range(4)]
        marks = [joint.origin]
        strokes = Path([slots[0], slots[2], slots[1], slots[3]], [1, 2, 1, 2])
        size = 0.9 * stroke.width
    else:
        along = joint.axis[list(PLANES[plane])] / np.linalg.norm(joint.axis[list(PLANES[plane])])
        across = np.array([-along[1], along[0]])
        strokes = Path([-across - 0.5 * along, across + 0.5 * along])
        size = 1.9 * stroke.width
        gap = joint.sleeve / max(3, round(joint.sleeve / (0.05 * joint.size)))
        marks = [joint.home + s * joint.axis for s in np.arange(joint.q / (2 * np.pi) % 1 * gap, joint.sleeve, gap)]
    mark = {"marker": strokes, "markersize": size, "markeredgewidth": 0.2 * stroke.width, "markeredgecolor": stroke.ink}
    plot_line(ax, plane, marks, f"_thread {joint.number}", linestyle="none", zorder=stroke.zorder + 0.7, **mark)


Drawing: TypeAlias = Callable[[Any, str, _JointView, _Stroke], None]
# where: add a joint type
# a new drawing, here, in `packages/movingfigures/js/src/stage.js` and in `JOINT_MARKS` of `robotdyn/model/picture.py`
DRAWINGS: dict[str, Drawing] = {
    "hinge": _draw_hinge,
    "sleeve": _draw_sleeve,
    "thread": _draw_thread,
}  # by the field `drawing` of a joint type


def sleeve_length(arm: Arm, i: int) -> float:
    """Return twice the distance of the carrying link's center of mass along the joint's axis; a guess where that is none.

    A thread has half of it: a nut is shorter than what it carries.
    """
    share = 0.5 if JOINTS[arm.links[i].joint].drawing == "thread" else 1.0
    if (parent := arm.parents[i]) >= 0:
        slide = arm.links[i]
        carrier = arm.links[parent]
        length = 2 * (slide.rotation @ slide.axis) @ (carrier.com - slide.position)
        if length > 1e-9:
            return float(share * length)
    sizes = [np.linalg.norm(x) for link in arm.links for x in (link.position, link.com)]
    return float(share * 0.4 * (max(*sizes, np.linalg.norm(arm.tip)) or 1.0))


def _draw_base(ax: Axes, plane: str, place: Floats, width: float, ink: Color, zorder: float) -> None:
    """Draw the ground: a foot on a hatched line, below the first joint."""
    from matplotlib.path import Path

    strokes = [(0, 0), (-0.55, -0.75), (0, 0), (0.55, -0.75), (-0.9, -0.75), (0.9, -0.75)]
    for x in (-0.75, -0.4, -0.05, 0.3, 0.65):
        strokes += [(x + 0.15, -0.75), (x - 0.1, -1)]
    ground = Path(strokes, [Path.MOVETO, Path.LINETO] * (len(strokes) // 2))
    mark = {"marker": ground, "markersize": 4.6 * width, "markeredgewidth": 0.2 * width, "markeredgecolor": ink}
    plot_line(ax, plane, [place], "_base", markerfacecolor="none", zorder=zorder, **mark)
