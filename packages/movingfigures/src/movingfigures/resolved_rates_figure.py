"""A planar arm whose hand follows a finger, or a square:  qd = z + W^-1 J^T (J W^-1 J^T + mu^2 1)^-1 (v + k e - J z).

The rates are those of `rd.resolved_rates`, one step of Euler's method at a time, as a controller takes them.  1 / W is 1 - (q / limit)^2: a joint
slows down as it nears its limit, where the weight lets it move by z alone; z = -posture q leads the joints to the middle.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from movingfigures import figure_programs
from movingfigures.explore import joint_specs, still_spec
from movingfigures.figure import Figure
from movingfigures.hand_figure import (
    SIDE_TIME,
    check_planar,
    checked_slider_values,
    draw_square,
    on_square,
    slider_specs,
)
from movingfigures.inverse_kinematics_figure import HALF_TURN
from robotdyn.dynamics.differential_kinematics import resolved_rates
from robotdyn.dynamics.kinematics import point_position
from robotdyn.maths.namespace import namespace
from robotdyn.maths.validate import Entries, Floats, Result, as_numbers, as_positive
from robotdyn.model.arm import Arm
from robotdyn.show.arms import draw_arm

DT = 0.02  # s, of a step
SHARE = 0.5  # of the error that the damping is at least
RANGES: dict[str, tuple[float, float]] = {  # of the sliders
    "gain": (0.0, 10.0),
    "damping": (0.001, 0.3),
    "posture": (0.0, 3.0),
    "limit": (0.3, HALF_TURN),
}
ROOM = 0.01  # of 1 / W at a limit, where it would be 0: so a joint can leave it again


def tracking_rates(
    arm: Arm, q: Entries, place: Entries, place_rate: Entries, gain: Any, damping: Any, posture: Any, limit: Any
) -> tuple[Result, Result]:
    """Return the rates (n,) rad/s with which the hand follows a place (2,) m that moves at place_rate (2,) m/s, and where it is (2,) m.

    gain: k, 1/s; damping: mu, m, where there is no error; posture: 1/s, how strongly the joints are led to the middle; limit: rad, of every joint.
    """
    xp = namespace(arm, q, place)
    hand = point_position(arm, q)[:2]
    room = 1 - (q / limit) ** 2
    room = (room + (room**2) ** 0.5) / 2 + ROOM
    error = place - hand
    mu = (damping**2 + SHARE**2 * (error @ error)) ** 0.5  # out of reach, steps of finite length would swing
    twist = xp.stack(list(place_rate + gain * error))
    rates = resolved_rates(arm, q, twist, mu, 1 / room, -posture * q, directions=np.eye(3)[:2])
    return rates, hand


class FollowFigure(Figure):
    """A Figure of the hand that follows; in print it shows the arm before and after three rounds of the square."""

    def rounds(self, count: int) -> Floats:
        """Return the joint angles (count + 1, n) at the start and after each round of the square, from the start."""
        q = np.array(self.spec["start"]["q"], dtype=float)
        corner = point_position(self.arm, q)[:2]
        place = corner
        passed = [q]
        values = [self.values[name] for name in ("gain", "damping", "posture", "limit")]
        steps = round(4 * SIDE_TIME / DT)
        for step in range(1, count * steps + 1):
            before = place
            place = corner + self.spec["side"] * on_square(4 * (step % steps) / steps)
            rates, _ = tracking_rates(self.arm, q, place, (place - before) / DT, *values)
            q = np.clip(q + DT * rates, -values[-1], values[-1])
            passed += [q] if step % steps == 0 else []
        return np.array(passed)

    def picture(self, ax: Any = None) -> Any:
        """Draw the arm and the square in Matplotlib axes; return ax."""
        from matplotlib.figure import Figure as Picture

        ax = Picture(figsize=(6.4, 4.0), layout="constrained").subplots() if ax is None else ax
        first, *_, last = self.rounds(3)
        draw_square(ax, point_position(self.arm, first)[:2], self.spec["side"])
        for q in (last, first):
            draw_arm(self.arm, q, ax)
        return ax


def follow(
    arm: Arm,
    q: ArrayLike,
    gain: float = 4.0,
    damping: float = 0.02,
    posture: float = 0.0,
    limit: float = 2.6,
    side: float = 0.3,
    title: str | None = None,
) -> Figure:
    """Return a Figure of a planar arm whose hand follows the finger, or a square, by resolved rates.

    arm: numbers, hinges about z alone, two at least; q: (n,) rad, the start, within the limits, its hand a corner of the square;
    gain: 1/s, from 0 (open loop) to 10; damping: m, from 0.001 to 0.3; posture: 1/s, from 0 to 3; limit: rad, of every joint
    to both sides, at most a half turn; side: m, of the square.  All but the last are sliders.
    Raises ValueError or TypeError in words for what cannot be.
    """
    n = check_planar(arm, "follow")
    q = as_numbers(q, "q", (n,))
    values = checked_slider_values({"gain": gain, "damping": damping, "posture": posture, "limit": limit}, RANGES)
    if (abs(q) >= values["limit"]).any():
        raise ValueError(f"q must lie within the limit of {values['limit']:g} rad, got {q.tolist()}")
    words = {
        "gain": ("feedback of the error", "1/s", "k"),
        "damping": ("damping", "m", "μ"),
        "posture": ("pull of the joints to the middle", "1/s", "κ"),
        "limit": ("limit of every joint", "rad", "|q|"),
    }
    spec = still_spec(
        title or "A hand that follows",
        "resolved_rates",
        q,
        DT,
        joint_specs(arm, {}),
        slider_specs(values, RANGES, words),
        side=as_positive(side, "side", "m"),
        side_time=SIDE_TIME,
    )
    scalars: dict[str, Any] = dict.fromkeys(RANGES, ())
    programs: dict[str, figure_programs.AlgorithmWithShapes] = {
        "points": (figure_programs.points, {"q": "n"}),
        "tracking_rates": (tracking_rates, {"q": "n", "place": 2, "place_rate": 2, **scalars}),
    }
    return FollowFigure(arm, arm, spec, programs, (), {})
