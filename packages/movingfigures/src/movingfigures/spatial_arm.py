"""An arm in space that is posed by hand or by sliders:  one slider a joint, and the programs that drawing and dragging take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from movingfigures import figure_programs
from movingfigures.explore import still_spec
from movingfigures.figure import Figure
from movingfigures.sliders import Slider
from robotdyn.maths.validate import check_numeric
from robotdyn.model.arm import Arm
from robotdyn.model.joints import JOINTS
from robotdyn.show.arms import draw_arm

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POSE_PROGRAMS: dict[str, figure_programs.AlgorithmWithShapes] = {
    "points": (figure_programs.points_in_space, {"q": "n"}),
    "ik_step": (figure_programs.ik_step, {"q": "n", "hold": "n", "along": (), "target": 3}),
}


class SpatialArmFigure(Figure):
    """A Figure of an arm in space, which is posed and does not move by itself."""

    def picture(self, ax: Axes | None = None) -> Axes:
        """Draw the arm in Matplotlib axes, as the page shows it first; return ax."""
        from matplotlib.figure import Figure as Picture  # not of pyplot, which would show it on the page, too

        ax = Picture(figsize=(6.4, 4.0), layout="constrained").subplots() if ax is None else ax
        return draw_arm(self.arm, self.q, ax, view=(-52, 17))


def spatial_arm_figure(
    arm: Arm,
    q: Any,
    scene: str,
    title: str,
    panels: list[str],
    programs: dict[str, figure_programs.AlgorithmWithShapes],
    fields: dict[str, Any],
) -> SpatialArmFigure:
    """Return the figure of a scene; q: (n,) floats, the pose; programs: what else the page computes; fields: what else it is told."""
    figure_programs.serial_joint_count(arm)  # raises for an arm that branches
    check_numeric(arm, "a figure in space")
    joints = []
    sliders = []
    for i, link in enumerate(arm.links):
        kind = JOINTS[link.joint]
        joints.append({"units": kind.units, "periodic": kind.periodic, "drawing": "", "sleeve": 0.0})
        low = min(kind.range[0], float(q[i]))
        high = max(kind.range[1], float(q[i]))
        slider = Slider(f"q_{i + 1}", low, high, float(q[i]), f"joint {i + 1}", kind.units["q"], symbol=False)
        sliders.append(slider.spec())
    more = {"panels": panels, **fields, "sliders": sliders + fields.get("sliders", [])}
    spec = still_spec(title, scene, q, 0.02, joints, **more)
    return SpatialArmFigure(arm, arm, spec, POSE_PROGRAMS | programs, (), {})
