"""A hand on springs that presses on a table, slides and loses contact:  |f_t| <= mu f_n.

The springs go from the tip to the finger, or to a square that the target runs along; all is so slow that they balance
the table.  Below the table by d, the target presses with f_n = k_n d, and the tip stays where it is as long as its
spring along the table, k_t s, is within the cone; beyond, it slides until the force is on the cone.  Siciliano et al.
(2009), 9.2, for the springs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from movingfigures import figure_programs
from movingfigures.explore import joint_specs, still_spec
from movingfigures.hand_figure import SIDE_TIME, check_planar, checked_slider_values, draw_square, slider_specs
from movingfigures.resolved_rates_figure import DT, FollowFigure, tracking_rates
from robotdyn.dynamics.kinematics import point_position
from robotdyn.maths.namespace import namespace
from robotdyn.maths.validate import Entries, Floats, Result, as_numbers, as_positive
from robotdyn.model.arm import Arm
from robotdyn.show.arms import draw_arm

RANGES: dict[str, tuple[float, float]] = {"k_n": (50.0, 1000.0), "k_t": (50.0, 1000.0), "friction": (0.0, 1.2)}
WORDS: dict[str, tuple[str, str, str]] = {  # what it is, its unit and its letter
    "k_n": ("spring across the table", "N/m", "k"),
    "k_t": ("spring along the table", "N/m", "k"),
    "friction": ("friction", "", "μ"),
}
DAMPING = 0.01  # m, of the rates that lead the arm to the tip
LIMIT = 3.1  # rad, of every joint


def spring_contact(target: Entries, tip: Entries, height: Any, k_n: Any, k_t: Any, mu: Any) -> tuple[Result, Result]:
    """Return where the tip comes to rest (2,) m, and the force of the table on it (2,) N.

    target: (2,) m, to which the springs k_n, k_t N/m, across and along the table, pull the tip;
    tip: (2,) m, where it was; height: m, of the table; mu: its friction.
    """
    xp = namespace(target, tip)
    depth = _positive(height - target[1])
    limit = mu * k_n * depth / k_t  # the stretch along the table at which the tip begins to slide
    stretch = clamp(target[0] - tip[0], limit)
    return xp.stack([target[0] - stretch, target[1] + depth]), xp.stack([-k_t * stretch, k_n * depth])


def contact_and_joint_rates(
    arm: Arm, q: Entries, target: Entries, tip: Entries, height: Any, k_n: Any, k_t: Any, mu: Any
) -> tuple[Result, Result, Result]:
    """Return what `spring_contact` returns, and rates (n,) that lead the arm to the tip in 1 s."""
    found, force = spring_contact(target, tip, height, k_n, k_t, mu)
    rates, _ = tracking_rates(arm, q, found, 0 * found, 1, DAMPING, 0, LIMIT)
    return found, force, rates


def clamp(stretch: Any, limit: Any) -> Any:
    """Return the stretch, or the end of -limit to limit that it is beyond: there the tip has slid."""
    return stretch - _positive(stretch - limit) + _positive(-stretch - limit)


def _positive(x: Any) -> Any:
    """Return the larger of x and 0, without a branch."""
    return (x + (x**2) ** 0.5) / 2


# where: add a moving scene in the plane
# a Python file and a module of its own, as this and `packages/movingfigures/js/src/contact_figure.js`, its line in `SCENES` of
# `scenes.js` beside it; drawn by `stage.js`
class PressFigure(FollowFigure):
    """A Figure of the hand that presses; in print it shows the arm, the table and the square."""

    def forces(self, places: ArrayLike) -> tuple[Floats, Floats]:
        """Return where the tip is (T, 2) m and the force of the table on it (T, 2) N, for targets (T, 2) m one after the other."""
        q = np.array(self.spec["start"]["q"], dtype=float)
        tip = point_position(self.arm, q)[:2]
        rows = []
        for place in as_numbers(places, "places", (..., 2)):
            tip, force = spring_contact(place, tip, self.spec["height"], *(self.values[x] for x in RANGES))
            rows.append((tip, force))
        tips, force = zip(*rows)
        return np.array(tips), np.array(force)

    def picture(self, ax: Any = None) -> Any:
        """Draw the arm, the table and the square in Matplotlib axes; return ax."""
        from matplotlib.figure import Figure as Picture

        ax = Picture(figsize=(6.4, 4.0), layout="constrained").subplots() if ax is None else ax
        q = np.array(self.spec["start"]["q"], dtype=float)
        draw_square(ax, point_position(self.arm, q)[:2], self.spec["side"])
        ax.axhline(self.spec["height"], color="0.4", lw=4)
        return draw_arm(self.arm, q, ax)


def press(
    arm: Arm,
    q: ArrayLike,
    height: float,
    k_n: float = 300.0,
    k_t: float = 300.0,
    friction: float = 0.4,
    side: float = 0.2,
    title: str | None = None,
) -> PressFigure:
    """Return a Figure of a planar arm that presses a pen on a table, by springs to the finger, slides, and lifts it.

    arm: numbers, hinges about z alone, two at least; q: (n,) rad, the start, its tip above the table;
    height: m, of the table; k_n, k_t: N/m, of the springs across and along the table, from 50 to 1000; friction: mu, from
    0 to 1.2; side: m, of the square that the target runs along by itself, to the left, down, to the right, up.
    Raises ValueError or TypeError in words for what cannot be.
    """
    n = check_planar(arm, "press")
    q = as_numbers(q, "q", (n,))
    height = float(as_numbers(height, "height", ()))
    if not point_position(arm, q)[1] > height:
        raise ValueError(f"q must have its tip above the table at {height:g} m, got {point_position(arm, q)[1]:g} m")
    values = checked_slider_values({"k_n": k_n, "k_t": k_t, "friction": friction}, RANGES)
    spec = still_spec(
        title or "A pen on a table",
        "contact",
        q,
        DT,
        joint_specs(arm, {}),
        slider_specs(values, RANGES, WORDS),
        height=height,
        side=as_positive(side, "side", "m"),
        side_time=1.6 * SIDE_TIME,
    )
    inputs: dict[str, Any] = {"q": "n", "target": 2, "tip": 2, "height": (), "k_n": (), "k_t": (), "mu": ()}
    programs: dict[str, figure_programs.AlgorithmWithShapes] = {
        "points": (figure_programs.points, {"q": "n"}),
        "contact_and_joint_rates": (contact_and_joint_rates, inputs),
    }
    return PressFigure(arm, arm, spec, programs, (), {})
