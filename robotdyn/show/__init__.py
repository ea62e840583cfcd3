"""Pictures: arrays in, pictures out.  Every function takes and returns Matplotlib axes `ax`; no physics of its own."""

from robotdyn.show.arms import draw_arm, draw_motion
from robotdyn.show.plots import plot_energy, plot_joints, plot_phase
from robotdyn.show.style import COLORS, use_book_style

__all__ = ["COLORS", "draw_arm", "draw_motion", "plot_energy", "plot_joints", "plot_phase", "use_book_style"]
