"""Pictures: arrays in, pictures out.  A picture takes and returns Matplotlib axes `ax`; a `Figure` moves by itself."""

from robotdyn.show.arms import draw_arm, draw_motion
from robotdyn.show.explore import Run, explore, replay
from robotdyn.show.figure import Figure
from robotdyn.show.optimum import reach
from robotdyn.show.plots import plot_energy, plot_joints, plot_phase
from robotdyn.show.style import COLORS, DASHES, LINKS, TERMS, use_book_style

__all__ = [
    "COLORS",
    "DASHES",
    "LINKS",
    "TERMS",
    "Figure",
    "Run",
    "draw_arm",
    "draw_motion",
    "explore",
    "plot_energy",
    "plot_joints",
    "plot_phase",
    "reach",
    "replay",
    "use_book_style",
]
