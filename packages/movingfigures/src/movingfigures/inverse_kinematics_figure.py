"""All joint angles that bring the hand of a planar arm of three links to a place:  c_2 = (|w|^2 - l_1^2 - l_2^2) / 2 l_1 l_2.

The place of the hand is dragged and its direction is a slider; w is the place of joint 3 that follows from both.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from movingfigures import figure_programs
from movingfigures.explore import joint_specs, still_spec
from movingfigures.figure import Figure
from movingfigures.sliders import Slider
from robotdyn.dynamics.inverse_kinematics import all_solutions, solve
from robotdyn.maths.motions import homogeneous
from robotdyn.maths.namespace import namespace
from robotdyn.maths.spatial import rotation
from robotdyn.maths.validate import Entries, Floats, Result, as_numbers, as_positive, check_numeric
from robotdyn.model.arm import Arm
from robotdyn.show.arms import draw_arm

Z = np.array([0.0, 0.0, 1.0])
HALF_TURN = 3.142  # rad, of the sliders: no angle is beyond it


def elbow_branches(arm: Arm, place: Entries, phi: Any) -> tuple[Result, Result, Result]:
    """Return w (2,) m, the place of joint 3 that a hand at a place (2,) in the direction phi needs, its distance from
    joint 1 where the arm folds and stretches (2,) m, and cos q_1, sin q_1, cos q_2, sin q_2 of both elbows (2, 4).
    """
    xp = namespace(arm, place, phi)
    l1, l2, l3 = _lengths(arm)
    w = xp.stack([place[0] - l3 * xp.cos(phi), place[1] - l3 * xp.sin(phi)])
    square = w @ w
    c2 = (square - l1**2 - l2**2) / (2 * l1 * l2)
    rest = 1 - c2 * c2
    s2 = ((rest + (rest * rest) ** 0.5) / 2) ** 0.5  # 0 out of reach
    x = l1 + l2 * c2
    rows = []
    for y in (l2 * s2, -l2 * s2):  # of joint 3, across link 1
        rows.append(xp.stack([(x * w[0] + y * w[1]) / square, (x * w[1] - y * w[0]) / square, c2, y / l2]))
    return w, xp.stack([((l1 - l2) ** 2) ** 0.5, l1 + l2]), xp.stack(rows)


def _lengths(arm: Arm) -> tuple[Any, Any, Any]:
    return arm.links[1].position[0], arm.links[2].position[0], arm.tip[0]


class BranchesFigure(Figure):
    """A Figure of the branches; in print it shows all of them at the first place."""

    def solutions(self, place: ArrayLike) -> Floats:
        """Return the joint angles (k, 3) of the hand at a place (2,), in the direction and the limits of the sliders."""
        limit = self.values["limit"]
        T = homogeneous(rotation(Z, self.values["phi"]), [*np.asarray(place, dtype=float), 0.0])
        return all_solutions(self.arm, T, dict.fromkeys(range(3), (-limit, limit))).q

    def picture(self, ax: Any = None) -> Any:
        """Draw all branches in Matplotlib axes; return ax."""
        from matplotlib.figure import Figure as Picture

        ax = Picture(figsize=(6.4, 4.0), layout="constrained").subplots() if ax is None else ax
        for q in [*self.solutions(self.spec["place"])][::-1]:
            draw_arm(self.arm, q, ax)
        return ax


def branches(
    arm: Arm, place: ArrayLike, direction: float = 0.0, limit: float = HALF_TURN, title: str | None = None
) -> Figure:
    """Return a Figure of a planar arm of three links whose hand is dragged: the arm, its other elbow as a ghost, and how
    many solutions each place of the plane has.

    arm: numbers, three links along x, as `rd.robots.planar` makes it; place: (2,) m, where the hand is at first;
    direction: rad, of the hand, from x; limit: rad, of every joint to both sides; the last two are sliders.
    Raises ValueError or TypeError in words for what cannot be.
    """
    check_numeric(arm, "branches")
    straight = [
        np.array_equal(x[1:], (0, 0)) and x[0] > 0 for x in (*[link.position for link in arm.links[1:]], arm.tip)
    ]
    if arm.n != 3 or not all(straight) or any(link.joint != "revolute" or abs(link.axis[2]) < 1 for link in arm.links):
        raise ValueError("branches needs a planar arm of three links along x: build one with rd.robots.planar(3)")
    place = as_numbers(place, "place", (2,))
    phi = float(as_numbers(direction, "direction", ()))
    bound = as_positive(limit, "limit", "rad")
    if not abs(phi) <= HALF_TURN or not bound <= HALF_TURN:
        raise ValueError(f"direction and limit must be angles of at most pi, got {phi:g} and {bound:g}")
    T = homogeneous(rotation(Z, phi), [*place, 0.0])
    q = solve(arm, T, [0.1, 0.2, 0.3]).q
    sliders = [
        Slider("phi", -HALF_TURN, HALF_TURN, phi, "direction of the hand", "rad", False).spec() | {"letter": "φ"},
        Slider("limit", 0.3, HALF_TURN, bound, "limit of every joint", "rad", False).spec() | {"letter": "|q|"},
    ]
    title = title or "All joint angles that reach a pose"
    spec = still_spec(title, "inverse_kinematics", q, 0.02, joint_specs(arm, {}), sliders, place=place.tolist())
    programs: dict[str, figure_programs.AlgorithmWithShapes] = {
        "points": (figure_programs.points, {"q": "n"}),
        "elbow_branches": (elbow_branches, {"place": 2, "phi": ()}),
    }
    return BranchesFigure(arm, arm, spec, programs, (), {})
