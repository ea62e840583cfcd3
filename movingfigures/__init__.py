"""Moving figures: an arm to drag in a page or a notebook, driven by programs of robotdyn; `rd.show` has these names, too."""

from movingfigures.explore import Run, explore, replay
from movingfigures.figure import Figure
from movingfigures.learner import learn
from movingfigures.optimum import reach
from movingfigures.pushes import pushes
from movingfigures.sweeps import sweeps
from movingfigures.toss import toss

__all__ = ["Figure", "Run", "explore", "learn", "pushes", "reach", "replay", "sweeps", "toss"]
