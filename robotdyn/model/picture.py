"""An arm as a notebook shows it: a line drawing at a bent pose beside a table of its joints, in the colors of the page."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from robotdyn.maths.namespace import namespace, snap_roundoff
from robotdyn.maths.spatial import compose
from robotdyn.maths.validate import Floats
from robotdyn.model.joints import JOINTS

DRAWN_ANGLE = 0.5  # rad at each joint, or for one that slides this part of the arm's size
# Sizes of the drawing, px.
WIDTH = 240
HEIGHT = 180
MARGIN = 24
OBLIQUE_VIEW = np.array(
    [[0.8, -0.6, 0.0], [-0.21, -0.28, 0.94]]
)  # how a picture looks at an arm that leaves the xy plane
JOINT_MARKS = {
    "hinge": "m-6 0 a6 6 0 1 0 12 0 a6 6 0 1 0 -12 0",
    "sleeve": "m-6 -6 h12 v12 h-12 z",
    "thread": "m0 -8 l8 8 -8 8 -8 -8 z",
}
BLUE = "#4a90d9"  # shows on light and on dark pages; all else takes the color of the text


def arm_as_html(arm: Any) -> str:
    """Return the drawing and the table of an arm; symbols are drawn as if each were 1."""
    rows: list[tuple[str, ...]] = [
        (str(i), link.joint, _triple(link.axis), _triple(link.position), short_text(link.mass))
        for i, link in enumerate(arm.links, start=1)
    ]
    joints = f"{len(arm.links)} joint{'s' * (len(arm.links) > 1)}"
    description = f"Line drawing of an arm of {joints}, bent: {', '.join(link.joint for link in arm.links)}."
    head: tuple[str, ...] = ("joint", "type", "axis", "position, m", "mass, kg")
    if not arm.is_serial:
        head = (*head, "carried by")
        rows = [(*row, "base" if parent < 0 else f"link {parent + 1}") for row, parent in zip(rows, arm.parents)]
    drawing = _arm_svg(arm.links, arm.parents, arm.tip, description)
    return _side_by_side(drawing, _table(f"Arm of {joints}", head, rows))


def link_as_html(link: Any) -> str:
    """Return the drawing and the table of a link."""
    triples = {"axis": "", "com": "m", "position": "m"}
    rows: list[tuple[str, ...]] = [("joint", link.joint, ""), ("mass", short_text(link.mass), "kg")]
    rows += [(name, _triple(getattr(link, name)), unit) for name, unit in triples.items()]
    rows += [("inertia", "; ".join(", ".join(map(short_text, row)) for row in snap_roundoff(link.inertia)), "kg m²")]
    if link.motor_inertia != 0:
        unit = "kg m²" if JOINTS[link.joint].unit == "rad" else "kg"
        rows += [("motor_inertia", short_text(link.motor_inertia), unit)]
    description = f"Line drawing of a link with a {link.joint} joint and its center of mass."
    return _side_by_side(_arm_svg([link], (-1,), np.zeros(3), description), _table("Link", ("", "", ""), rows))


def short_text(x: Any) -> str:
    """Return a number with few digits, or an expression, as text."""
    return f"{x:.3g}" if isinstance(x, (int, float)) else str(x)


def _arm_svg(links: Any, parents: Any, tip: Any, description: str) -> str:
    """Return the SVG of links at a bent pose, or nothing where an entry is no number and no expression."""
    try:
        points = _points(links, parents, tip)
    except TypeError:  # a scalar that is yet to come
        return ""
    flat = np.vstack([row[:, :2] if _is_planar(links) else row @ OBLIQUE_VIEW.T for row in points])
    low = flat.min(axis=0)
    size = max(np.ptp(flat, axis=0).max(), 1e-9)
    scale = min(WIDTH, HEIGHT) - 2 * MARGIN
    flat = (flat - low - np.ptp(flat, axis=0) / 2) / size * scale * (1, -1) + (WIDTH / 2, HEIGHT / 2)
    homes, origins, ends = np.split(flat, [len(links), 2 * len(links)])
    owners = [i for i, _ in bars(links, parents, tip)]
    lines = [f'<path d="M{_svg_point(homes[0])} l-9 13 h18 z" fill="currentColor" opacity="0.35"/>']
    for i, (home, origin) in enumerate(zip(homes, origins)):
        lines += [f'<path d="M{_svg_point(home)} L{_svg_point(origin)}" stroke="currentColor" stroke-dasharray="3 3"/>']
        lines += [
            f'<path d="M{_svg_point(origin)} L{_svg_point(end)}" stroke="{BLUE}" stroke-width="5" stroke-linecap="round"/>'
            for owner, end in zip(owners, ends)
            if owner == i
        ]
    numbers: dict[str, list[str]] = {}  # of the joints at each place
    for number, (link, origin) in enumerate(zip(links, origins), start=1):
        lines += [
            f'<path d="M{_svg_point(origin)} {JOINT_MARKS[JOINTS[link.joint].drawing]}" fill="{BLUE}" stroke="currentColor"/>'
        ]
        numbers.setdefault(_svg_point(origin), []).append(str(number))
    for place, joint_numbers in numbers.items():
        x, y = place.split()
        lines += [
            f'<text x="{x}" y="{y}" dx="9" dy="-7" font-size="11" fill="currentColor">{", ".join(joint_numbers)}</text>'
        ]
    lines += [f'<circle cx="{ends[-1][0]:.1f}" cy="{ends[-1][1]:.1f}" r="3" fill="currentColor"/>']
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" fill="none"'
    head = f'<svg role="img" aria-label="{escape(description)}" {size}><title>{escape(description)}</title>'
    return "".join([head, *lines, "</svg>"])


def _points(links: Any, parents: Any, tip: Any) -> list[Floats]:
    """Return where joints are carried, where links begin, (n, 3) each, and where bars end, (m, 3), base axes."""
    drawn = ("com", "axis", "position", "rotation", "pitch")
    links = [
        link._replace_unchecked(**{name: _symbols_as_one(getattr(link, name)) for name in drawn}) for link in links
    ]
    tip = _symbols_as_one(tip)
    reach = sum(np.linalg.norm(end) for _, end in bars(links, parents, tip)) or 1.0
    q = np.array([DRAWN_ANGLE if JOINTS[link.joint].unit == "rad" else DRAWN_ANGLE * reach for link in links])
    return [np.array(row) for row in joint_geometry(links, parents, tip, q)[1:]]


def joint_geometry(links: Any, parents: Any, tip: Any, q: Any) -> list[Any]:
    """Return R (3, 3) of each link, and where joints are carried, where links begin and where the bars end.

    Four sequences of arrays, base axes, m, of the scalar type of q (n,): floats, or tracers; n each, but for the ends, which
    are in the order of `bars`: of a serial chain n, too, one a link.
    """
    xp = namespace(*links, q)
    frames = {-1: (xp.eye(3), xp.zeros(3))}
    homes = []
    for i, link in enumerate(links):
        R, p = frames[parents[i]]
        homes.append(p + R @ xp.array(link.position))
        frames[i] = compose((R, p), JOINTS[link.joint].transform(link, q[i]))
    R, origins = zip(*(frames[i] for i in range(len(links))))
    return [R, homes, origins, [origins[i] + R[i] @ xp.array(end) for i, end in bars(links, parents, tip)]]


def bars(links: Any, parents: Any, tip: Any) -> list[tuple[int, Any]]:
    """Return the bars: the index of the link, and where the bar ends, (3,) m, link axes.

    One to each joint that a link carries, and one at the end of each branch: the last link's goes to the tip, others' to
    the center of mass.  A tip that is the origin of a link that only turns would leave it without a bar: then it ends at
    the center of mass, too.
    """
    tip_is_offset = any(not isinstance(x, (int, float)) or x != 0 for x in tip)
    last = len(links) - 1
    to_joints = [(parent, link.position) for link, parent in zip(links, parents) if parent >= 0]
    to_ends = [
        (i, tip if i == last and (tip_is_offset or JOINTS[link.joint].has_rod) else link.com)
        for i, link in enumerate(links)
        if i not in parents
    ]
    return [*to_joints, *to_ends]


def _symbols_as_one(entries: Any) -> Floats:
    """Return numbers, with 1 for each symbol."""
    values = [x.subs(dict.fromkeys(x.free_symbols, 1)) if hasattr(x, "free_symbols") else x for x in np.ravel(entries)]
    return np.array([float(value) for value in values]).reshape(np.shape(entries))


def _is_planar(links: Any) -> bool:
    """Tell whether nothing leaves the xy plane: joints turn about z, or slide in the plane."""
    along = [(link.axis[:2] if JOINTS[link.joint].unit == "rad" else link.axis[2:]) for link in links]
    out_of_plane = [np.r_[axis, link.rotation[2, :2], link.position[2:]] for axis, link in zip(along, links)]
    return all(isinstance(x, (int, float)) and x == 0 for row in out_of_plane for x in row)


def _table(caption: str, head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    cells = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    top = f"<tr>{''.join(f'<th>{escape(word)}</th>' for word in head)}</tr>" if any(head) else ""
    return f"<table><caption>{escape(caption)}</caption>{top}{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _side_by_side(*parts: str) -> str:
    return f'<div style="display: flex; flex-wrap: wrap; gap: 1em; align-items: center">{"".join(parts)}</div>'


def _svg_point(point: Floats) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _triple(entries: Any) -> str:
    return f"({', '.join(map(short_text, snap_roundoff(entries)))})"
