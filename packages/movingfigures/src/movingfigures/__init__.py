"""Moving figures: an arm to drag in a page or a notebook, driven by programs of robotdyn; `rd.show` has these names, too."""

from movingfigures.adaptive_control_figure import learn
from movingfigures.contact_figure import press
from movingfigures.effective_mass_figure import pushes
from movingfigures.explore import Run, explore, replay
from movingfigures.figure import Figure
from movingfigures.free_body_figure import toss
from movingfigures.inverse_kinematics_figure import branches
from movingfigures.newton_euler_figure import sweeps
from movingfigures.optimal_reach_figure import reach
from movingfigures.resolved_rates_figure import follow

__all__ = [
    "Figure",
    "Run",
    "branches",
    "explore",
    "follow",
    "learn",
    "press",
    "pushes",
    "reach",
    "replay",
    "sweeps",
    "toss",
]
