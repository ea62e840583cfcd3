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
    joints = f"{arm.n} joint{'s' * (arm.n > 1)}"
    description = f"Line drawing of an arm of {joints}, bent: {', '.join(link.joint for link in arm.links)}."
    head = ("joint", "type", "axis", "position, m", "mass, kg")
    return _side_by_side(_drawing(arm.links, arm.tip, description), _table(f"Arm of {joints}", head, rows))


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
    return _side_by_side(_drawing([link], np.zeros(3), description), _table("Link", ("", "", ""), rows))


def short_text(x: Any) -> str:
    """Return a number with few digits, or an expression, as text."""
    return f"{x:.3g}" if isinstance(x, (int, float)) else str(x)


def _drawing(links: Any, tip: Any, description: str) -> str:
    """Return the SVG of links at a bent pose, or nothing where an entry is no number and no expression."""
    try:
        points = _points(links, tip)
    except TypeError:  # a scalar that is yet to come
        return ""
    flat = np.vstack([row[:, :2] if _is_planar(links) else row @ OBLIQUE_VIEW.T for row in points])
    low = flat.min(axis=0)
    size = max(np.ptp(flat, axis=0).max(), 1e-9)
    scale = min(WIDTH, HEIGHT) - 2 * MARGIN
    flat = (flat - low - np.ptp(flat, axis=0) / 2) / size * scale * (1, -1) + (WIDTH / 2, HEIGHT / 2)
    homes, origins, ends = np.split(flat, 3)
    lines = [f'<path d="M{_svg_point(homes[0])} l-9 13 h18 z" fill="currentColor" opacity="0.35"/>']
    for home, origin, end in zip(homes, origins, ends):
        lines += [f'<path d="M{_svg_point(home)} L{_svg_point(origin)}" stroke="currentColor" stroke-dasharray="3 3"/>']
        lines += [
            f'<path d="M{_svg_point(origin)} L{_svg_point(end)}" stroke="{BLUE}" stroke-width="5" stroke-linecap="round"/>'
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


def _points(links: Any, tip: Any) -> list[Floats]:
    """Return where joints are carried, where links begin and where they end, three arrays (n, 3), base axes."""
    drawn = ("com", "axis", "position", "rotation", "pitch")
    links = [
        link._replace_unchecked(**{name: _symbols_as_one(getattr(link, name)) for name in drawn}) for link in links
    ]
    tip = _symbols_as_one(tip)
    reach = sum(np.linalg.norm(bar) for bar in bar_ends(links, tip)) or 1.0
    q = np.array([DRAWN_ANGLE if JOINTS[link.joint].unit == "rad" else DRAWN_ANGLE * reach for link in links])
    return [np.array(row) for row in joint_geometry(links, tip, q)[1:]]


def joint_geometry(links: Any, tip: Any, q: Any) -> list[Any]:
    """Return R (3, 3) of each link, and where joints are carried, where links begin and where their bars end.

    Four sequences of n arrays, base axes, m, of the scalar type of q (n,): floats, or tracers.
    """
    xp = namespace(*links, q)
    frame = (xp.eye(3), xp.zeros(3))
    rows = []
    for i, (link, bar) in enumerate(zip(links, bar_ends(links, tip))):
        home = frame[1] + frame[0] @ xp.array(link.position)
        frame = compose(frame, JOINTS[link.joint].transform(link, q[i]))
        rows.append((frame[0], home, frame[1], frame[1] + frame[0] @ xp.array(bar)))
    return list(zip(*rows))


def bar_ends(links: Any, tip: Any) -> list[Any]:
    """Return where the bar of each link ends, (3,) m, link axes: at the next joint, the last one at the tip.

    A tip that is the origin of a link that only turns would leave it without a bar: then it ends at the center of mass.
    """
    tip_is_offset = any(not isinstance(x, (int, float)) or x != 0 for x in tip)
    last = tip if tip_is_offset or JOINTS[links[-1].joint].has_rod else links[-1].com
    return [*(link.position for link in links[1:]), last]


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
