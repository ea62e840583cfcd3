"""What `explore` is given, read and checked: runs, words of panels and marks, terms of the equation, limits of joints, goals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from numpy.typing import ArrayLike

from movingfigures import figure_programs
from robotdyn.maths.validate import Floats, as_numbers
from robotdyn.simulation.integrators import integrator_of

PANELS: tuple[str, ...] = ("energy", "phase", "joints", "terms", "map", "sensitivity")
ALIASES: dict[str, str] = {"parting": "sensitivity"}  # the name of this panel until version 0.1
MARKS: tuple[str, ...] = ("trail", "coms", "ellipse", "torques")


@dataclass(frozen=True)
class Run:
    """One arm of a moving figure; two of them, side by side, show what a choice does.

    label: its name in the page; method: one of those in steps of `rd.simulate`; dt: s, its own step, default the figure's;
    velocity_terms: False leaves C qd out; torques: "joint", "compensated" (motors also carry g(q)) or "absolute" (the
    numbers tau are generalized forces of absolute angles); q, qd: (n,) its own start.
    """

    label: str = ""
    method: str = "rk4"
    dt: float | None = None
    velocity_terms: bool = True
    torques: str = "joint"
    q: ArrayLike | None = None
    qd: ArrayLike | None = None


def read_runs(runs: Run | Iterable[Run] | None) -> list[Run]:
    """Return the one or two runs; raise ValueError for others, for unknown torques, or two without labels."""
    if runs is None:
        runs = Run()
    runs = [runs] if isinstance(runs, Run) else list(runs)
    if not 1 <= len(runs) <= 2 or not all(isinstance(run, Run) for run in runs):
        raise ValueError("runs must be one or two of rd.show.Run(...)")
    for run in runs:
        integrator_of(run.method)
        if run.torques not in figure_programs.TORQUES:
            raise ValueError(f"torques must be one of {', '.join(figure_programs.TORQUES)}, got {run.torques!r}")
    if len(runs) == 2 and not all(run.label for run in runs):
        raise ValueError("each of two runs must have a label that tells it from the other")
    return runs


def check_words(given: str | Iterable[str], name: str, known: Iterable[str]) -> list[str]:
    """Return the words that are given; raise ValueError for one that is not known."""
    given = [given] if isinstance(given, str) else list(given)
    for word in given:
        if word not in known:
            raise ValueError(f"{name} must hold words of {', '.join(known)}, got {word!r}")
    return given


def read_equation(words: Iterable[str] | None, limits: Mapping[int, Any]) -> list[str]:
    """Return the terms of the equation to touch; raise ValueError unless left sides come before right ones, each once."""
    known = (*figure_programs.LEFT_TERMS, *figure_programs.RIGHT_TERMS)
    words = [] if words is None else check_words(words, "equation", known)
    sides = [word in figure_programs.RIGHT_TERMS for word in words]
    if words and (sides != sorted(sides) or len(set(sides)) < 2 or len(set(words)) < len(words)):
        raise ValueError(f"equation must name terms of its left side, then of its right side, each once, got {words}")
    if limits and set(words) & {"motors", "friction", "hand"}:
        raise ValueError('equation must hold "torque" where joints have limits, since their stops act as well')
    return words


def check_digit(digit: int | None, runs: Sequence[Run], panels: Iterable[str]) -> None:
    """Raise ValueError unless the decimal in which two starts differ fits the runs and panels."""
    if digit is None:
        if "sensitivity" in panels:
            raise ValueError(
                'panels may hold "sensitivity" only with digit=..., the decimal in which two starts differ'
            )
        return
    if digit not in range(1, 13):
        raise ValueError(f"digit must be a whole number from 1 to 12, got {digit!r}")
    if len(runs) != 2 or any(run.q is not None or run.qd is not None for run in runs):
        raise ValueError("digit needs two runs without starts of their own: it makes the second start from the first")


def read_limits(limits: Mapping[int, tuple[float, float]] | None, n: int) -> dict[int, tuple[float, float]]:
    """Return {joint: (low, high)} of elastic stops as floats; raise ValueError or TypeError for what cannot be."""
    try:
        pairs = dict(limits or {})
    except (TypeError, ValueError):
        raise TypeError(f"limits must be {{joint: (low, high)}}, got {limits!r}") from None
    for joint, pair in pairs.items():
        if joint not in range(n):
            raise ValueError(f"limits must name joints from 0 to {n - 1}, got {joint!r}")
        if (
            not isinstance(pair, Sequence)
            or len(pair) != 2
            or not all(isinstance(x, Real) for x in pair)
            or not pair[0] < pair[1]
        ):
            raise ValueError(f"limits must be pairs (low, high) with low < high, got {pair!r}")
    return {joint: (float(low), float(high)) for joint, (low, high) in pairs.items()}


def initial_state(x: ArrayLike | None, name: str, n: int) -> list[float]:
    """Return n numbers, 0 where none are given."""
    return [0.0] * n if x is None else as_numbers(x, name, (n,)).tolist()


def read_panels(panels: str | Iterable[str], n: int) -> list[str]:
    """Return the panels of a figure of n joints by their names of now; raise ValueError for one that it cannot have."""
    given = [panels] if isinstance(panels, str) else panels
    words = check_words(
        [ALIASES.get(word, word) if isinstance(word, str) else word for word in given], "panels", PANELS
    )
    if "map" in words and n != 2:
        raise ValueError(f'panels may hold "map" for an arm of 2 joints only, got {n} joint{"s" * (n != 1)}')
    return words


def check_playing(playing: bool | str) -> None:
    """Raise ValueError for a word other than "touch"."""
    if isinstance(playing, str) and playing != "touch":
        raise ValueError(f'playing must be True, False or "touch", got {playing!r}')


def check_pose_name(pose: str | None) -> None:
    """Raise ValueError for a text that is no name of Python."""
    if pose is not None and not (isinstance(pose, str) and pose.isidentifier()):
        raise ValueError(f"pose must be a name as Python has it, such as q, got {pose!r}")


def read_goal(goal: ArrayLike | None, runs: Sequence[Run], n: int) -> Floats | None:
    """Return the pose (n,) to which motors pull the arm; raise ValueError where a run takes other torques."""
    if goal is None:
        return None
    pose = as_numbers(goal, "goal", (n,))
    if any(run.torques != "joint" for run in runs):
        raise ValueError('torques must be "joint" where goal is given: the motors hold the arm there')
    return pose


def start_state(
    q: ArrayLike | None, qd: ArrayLike | None, n: int, parameters: Mapping[str, float]
) -> dict[str, list[float]]:
    """Return {"q", "qd"} (n,) of the start; a parameter qd_i, the rate of a joint, comes before what qd says."""
    start = {"q": initial_state(q, "q", n), "qd": initial_state(qd, "qd", n)}
    for name, value in parameters.items():
        if name.startswith("qd_"):
            start["qd"][int(name[3:]) - 1] = value
    return start
