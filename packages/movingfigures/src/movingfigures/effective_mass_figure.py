"""How heavy a hand is to push, in space:  a = J M^-1 J^T f,  an ellipsoid for all pushes f of one newton."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from movingfigures.figure import Figure
from movingfigures.spatial_arm import spatial_arm_figure
from robotdyn.dynamics.kinematics import point_position
from robotdyn.dynamics.task_space import mobility
from robotdyn.maths.validate import Entries, Result, as_numbers, joint_count
from robotdyn.model.arm import Arm


def place_and_mobility(arm: Arm, q: Entries) -> tuple[Result, Any]:
    """Return the place of the hand (3,) m and its mobility J M^-1 J^T (3, 3) 1/kg, base axes."""
    return point_position(arm, q), mobility(arm, q)


def pushes(arm: Arm, q: ArrayLike, title: str | None = None) -> Figure:
    """Return a Figure of an arm in space whose hand wears the ellipsoid of its mobility: long where it is light.

    arm: numbers; q: (n,) rad (m), the pose, which can be changed by sliders and by hand; title: its name.
    Its principal directions are labeled with the effective mass that a push along them feels.
    Raises ValueError or TypeError in words for what cannot be.
    """
    n = joint_count(arm)
    pose = as_numbers(q, "q", (n,))
    name = title or f"The hand of an arm of {n} joint{'s' * (n != 1)}"
    return spatial_arm_figure(
        arm, pose, "effective_mass", name, [], {"place_and_mobility": (place_and_mobility, {"q": "n"})}, {}
    )
