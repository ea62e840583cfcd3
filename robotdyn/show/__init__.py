"""Pictures: arrays in, pictures out.  A picture takes and returns Matplotlib axes `ax`; a `Figure` moves by itself.

What moves is a package of its own, `movingfigures`, loaded when one of its names is first used here.
"""

# where: add a still figure
# for one page, a cell of its notebook; for the library, a function in `robotdyn/show/plots.py` or `arms.py` and its
# name in `__all__`

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from robotdyn.maths.completion import offer_public_names
from robotdyn.show.arms import draw_arm, draw_motion
from robotdyn.show.plots import plot_energy, plot_joints, plot_phase
from robotdyn.show.shapes import shapes_of_urdf
from robotdyn.show.style import COLORS, DASHES, LINKS, TERMS, use_book_style

if TYPE_CHECKING:
    from movingfigures import Figure, Run, branches, explore, follow, learn, press, pushes, reach, replay, sweeps, toss

__all__ = [
    "COLORS",
    "DASHES",
    "LINKS",
    "TERMS",
    "Figure",
    "Run",
    "branches",
    "draw_arm",
    "draw_motion",
    "explore",
    "follow",
    "learn",
    "plot_energy",
    "plot_joints",
    "plot_phase",
    "press",
    "pushes",
    "reach",
    "replay",
    "shapes_of_urdf",
    "sweeps",
    "toss",
    "use_book_style",
]
offer_public_names(__name__)


def __getattr__(name: str) -> Any:
    if name in __all__:  # what is no picture moves
        try:
            return getattr(importlib.import_module("movingfigures"), name)
        except ModuleNotFoundError as error:
            if error.name != "movingfigures":
                raise
            sentence = f"rd.show.{name} needs the package movingfigures, which is not installed here; run `pip install robotdyn[figures]`, or give pip the wheel movingfigures-*.whl that lies beside the book's notebooks"
            raise ModuleNotFoundError(sentence, name="movingfigures") from None
    raise AttributeError(f"robotdyn.show has no {name!r}; it has {', '.join(__all__)}")
