"""The look of the pictures, and the one place that meets Matplotlib and checks what a picture is given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from robotdyn.maths.validate import joint_count
from robotdyn.model.arm import Arm

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Color: TypeAlias = Any  # what Matplotlib takes for one
Motion: TypeAlias = Any  # a Trajectory, or whatever else has t, q, qd and tau

# One color a term of the equation of motion, in every picture and formula: M qdd, C qd, g, tau.  The hues are those of
# Okabe and Ito (2008), apart for color-blind readers as well, as dark as small letters on white need (contrast 4.5).
TERMS: dict[str, str] = {"inertia": "#0068b0", "velocity": "#b84500", "gravity": "#00735a", "torque": "#9c2f7a"}
COLORS: tuple[str, ...] = ("#6639ba", "#7a5c00", "#59636e", "#6e2c1e", "#1f2328")  # what is compared: methods, angles
LINKS: tuple[str, ...] = ("#48535f", "#7d8894")  # links take turns; joints are told apart by their dashes
INK = "#1f2328"
PAPER = "#ffffff"
DASHES: tuple[str | tuple[float, tuple[float, ...]], ...] = ("-", (0, (6, 2)), (0, (6, 2, 1, 2)), (0, (1.5, 1.5)))

# The same on dark pages; movingfigures/figure.css and book/_static/book.css have these colors, too.
DARK: dict[str, str] = {
    **dict(zip(TERMS.values(), ("#66b8f2", "#ff9a5c", "#4fc9a4", "#f090cc"))),
    **dict(zip(COLORS, ("#b79cf5", "#d9b44a", "#a3adb8", "#e6a893", "#e6e9ed"))),
    **dict(zip(LINKS, ("#c3ccd6", "#8793a0"))),
    **{PAPER: "#121212", "#e3e6ea": "#333b45"},
}


def use_book_style() -> None:
    """Set fonts, colors and sizes of all later figures to those of the book; in a notebook, draw SVG with PNG.

    Text is 11 pt or more, the background white in light and in dark pages.
    """
    from matplotlib.rcsetup import cycler

    plt = _pyplot()
    plt.style.use(Path(__file__).with_name("book.mplstyle"))
    ink = dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), INK)
    paper = dict.fromkeys(("figure.facecolor", "savefig.facecolor", "legend.facecolor", "legend.edgecolor"), PAPER)
    plt.rcParams.update(ink | paper | {"axes.prop_cycle": cycler(color=COLORS)})
    try:
        from IPython import get_ipython
    except ImportError:
        return
    shell = get_ipython()
    if shell is not None and shell.has_trait("kernel"):
        shell.run_line_magic("config", 'InlineBackend.figure_formats = ["svg", "png"]')


def axes_for(ax: Axes | None) -> Axes:
    """Return ax, or the axes of a new figure where ax is None."""
    if ax is None:
        return _pyplot().subplots()[1]
    if not hasattr(ax, "transData"):
        hint = ": take one of them, such as axes[0]" if isinstance(ax, (np.ndarray, list, tuple)) else ""
        raise TypeError(f"ax must be Matplotlib axes or None, got {type(ax).__name__}{hint}")
    return ax


def check_trajectory(trajectory: Motion, arm: Arm | None = None) -> None:
    """Refuse what is no motion, or the motion of another arm."""
    missing = [name for name in ("t", "q", "qd", "tau") if not hasattr(trajectory, name)]
    if missing:
        raise TypeError(
            f"trajectory must have t, q, qd and tau, as rd.simulate returns it, got {type(trajectory).__name__} "
            f"without {', '.join(missing)}"
        )
    T, *shapes = (np.shape(getattr(trajectory, name)) for name in ("t", "q", "qd", "tau"))
    if len(T) != 1 or any(len(shape) != 2 or shape[0] != T[0] for shape in shapes) or len(set(shapes)) > 1:
        raise ValueError(
            "trajectory must hold t (T,) and q, qd, tau (T, n), as rd.simulate returns it, "
            f"got shapes {', '.join(map(str, (T, *shapes)))}"
        )
    if arm is not None and np.shape(trajectory.q)[-1] != joint_count(arm):
        raise ValueError(
            f"trajectory must be one of this arm of {arm.n} joint{'s' * (arm.n != 1)}, "
            f"got one of {np.shape(trajectory.q)[-1]}"
        )


def faded(color: Color, strength: float) -> Color:
    """Return the color mixed with the paper: strength 1 leaves it, 0 gives white."""
    from matplotlib.colors import to_rgb

    return tuple(strength * c + (1 - strength) * p for c, p in zip(to_rgb(color), to_rgb(PAPER)))


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("pictures need Matplotlib, which is not installed: pip install matplotlib") from None
    return plt
