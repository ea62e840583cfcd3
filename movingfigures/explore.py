"""Figures that move: an arm to drag, with sliders for what is left open, driven by the library's own programs.

A `Figure` has two faces of one text: in Jupyter a widget whose values reach Python, in a page without a kernel HTML
with the programs as JavaScript.  Where neither runs, in print or without scripts, a picture stands in its place.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from movingfigures import figure_programs
from movingfigures.figure import Figure
from movingfigures.sliders import read_parameters
from robotdyn.dynamics.kinematics import point_position
from robotdyn.identification.base_parameters import base_parameters
from robotdyn.maths.validate import as_numbers, as_positive, joints_of
from robotdyn.model.arm import Arm
from robotdyn.model.joints import JOINTS
from robotdyn.model.picture import bars
from robotdyn.show.arms import sleeve_length
from robotdyn.simulation.integrators import integrator_of

PANELS: tuple[str, ...] = ("energy", "phase", "joints", "terms", "map", "sensitivity")
ALIASES: dict[str, str] = {"parting": "sensitivity"}  # the name of this panel until version 0.1
MARKS: tuple[str, ...] = ("trail", "coms", "ellipse", "torques")
EQUATION_TERMS: tuple[str, ...] = ("inertia", "velocity", "gravity", "torque")  # the equation as bars and arcs show it
PREDICTED_LETTERS: dict[str, str] = {"q": "q", "qd": "q̇"}


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


def explore(
    arm: Arm,
    q: ArrayLike | None = None,
    qd: ArrayLike | None = None,
    parameters: Mapping[str, float | tuple[float, float, float]] | None = None,
    runs: Run | Iterable[Run] | None = None,
    panels: str | Iterable[str] = ("energy",),
    marks: str | Iterable[str] = ("trail",),
    limits: Mapping[int, tuple[float, float]] | None = None,
    dt: float | None = None,
    playing: bool | str = False,
    title: str | None = None,
    predict: str | None = None,
    equation: Iterable[str] | None = None,
    digit: int | None = None,
    goal: ArrayLike | None = None,
    pairs: Iterable[tuple[str, str]] = (),
    pose: str | None = None,
) -> Figure:
    """Return a Figure: an arm in the plane of x and y that moves by its equations, that can be dragged and changed.

    arm: numbers or symbols; q, qd: (n,) rad and rad/s (m, m/s), the start, default level and at rest.
    parameters: {name: number, or (low, high, start) for a slider}: the symbols of the arm; tau_i N m (N) and b_i or b
    (viscous friction) N m s/rad (N s/m) of the joints; qd_i, a slider for the rate of a joint; dt s.  What is left out has its usual value: g 9.81, l_c 0.5, I 1/12,
    c 0, h 0.05, other symbols 1; torques and friction 0.
    runs: one `Run`, or two for arms side by side.  panels: of "energy", "phase", "joints", "terms", "map" (two joints).
    marks: of "trail", "coms", "ellipse", "torques" (M qdd, C qd and g as arcs at the joints).
    limits: {joint: (low, high)}, elastic stops; joints count from 0.  dt: s, the fixed step.  title: its name.
    playing: whether the page starts it (where motion is unwanted it waits); "touch" starts it when the arm is touched.
    predict: "q1" or "qd2", a curve over the first 4 s that the reader draws before the motion appears over it.
    equation: terms that can be touched, from left to right: of "inertia", "velocity" (or its parts "centrifugal",
    "coriolis") and "gravity", then of "torque" (all that acts) or "motors", "friction", "hand".
    digit: of two runs the second starts with a q1 that differs in this decimal, 1 to 12, and the reader chooses another.
    goal: (n,), the pose to which springs in the motors pull the arm, k (goal - q) + w g(q): then parameters may name k
    N m/rad (N/m; 50) and w, the share of the weight that the motors carry (1); the energy panel has the energy of the
    springs, and of the weight that is not carried, in the place of U.
    pairs: up to three of parameters by the names of `rd.base_parameters`, ("m_1 c_1x", "m_2"): a panel each shows how far
    the two may be wrong after readings of all torques, ten a second, each with a standard deviation of 1 N m (N).
    pose: a name, for a line below the arm that says where it stands, q = [0.310, -1.200], to be copied into a cell.
    Raises ValueError or TypeError in words for what cannot be.
    """
    n = joints_of(arm)
    chosen = _read_runs(runs, n)
    panels = [ALIASES.get(word, word) for word in ([panels] if isinstance(panels, str) else panels)]
    panels = _check_words(panels, "panels", PANELS)
    marks = _check_words(marks, "marks", MARKS)
    if "map" in panels and n != 2:
        raise ValueError(f'panels may hold "map" for an arm of 2 joints only, got {n} joint{"s" * (n != 1)}')
    if isinstance(playing, str) and playing != "touch":
        raise ValueError(f'playing must be True, False or "touch", got {playing!r}')
    if pose is not None and not (isinstance(pose, str) and pose.isidentifier()):
        raise ValueError(f"pose must be a name as Python has it, such as q, got {pose!r}")
    dt = 0.0005 if dt is None else as_positive(dt, "dt", "s")
    goal = None if goal is None else as_numbers(goal, "goal", (n,))
    sliders, fixed = read_parameters(arm, parameters or {}, dt, {} if goal is None else {"k": 50.0, "w": 1.0})
    if goal is not None and any(run.torques != "joint" for run in chosen):
        raise ValueError('torques must be "joint" where goal is given: the motors hold the arm there')
    free = tuple(slider.name for slider in sliders if slider.symbol)
    nominal_arm = arm.subs({s.name: s.value for s in sliders} | fixed)
    part = arm.subs(fixed)
    start = {"q": _initial_state(q, "q", n), "qd": _initial_state(qd, "qd", n)}
    for name, value in (fixed | {slider.name: slider.value for slider in sliders}).items():
        if name.startswith("qd_"):
            start["qd"][int(name[3:]) - 1] = value
    limits = _read_limits(limits, n)
    shown = _read_equation(equation, limits)
    parts = shown or (EQUATION_TERMS if "terms" in panels or "torques" in marks else [])
    covariance, columns = _covariance_spec(list(pairs), nominal_arm, chosen)
    used = figure_programs.select_programs(
        chosen, panels, marks, limits, hand_spring(nominal_arm), parts, goal, columns
    )
    _check_digit(digit, chosen, panels)
    spec = {
        "title": title or f"An arm of {n} joint{'s' * (n != 1)}",
        "n": n,
        "joints": joint_specs(nominal_arm, limits),
        "start": start,
        "dt": dt,
        "fixed": {name: value for name, value in fixed.items() if name.partition("_")[0] in ("tau", "b", "k", "w")},
        "playing": playing if playing == "touch" else bool(playing),
        "sliders": [slider.spec() for slider in sliders],
        "runs": [_run_spec(run, start, n) for run in chosen],
        "panels": [*panels, *(f"pair_{k}" for k in range(len(covariance["pairs"]) if covariance else 0))],
        "marks": marks,
        "terms": list(parts),
        "equation": bool(shown),
        "digit": digit,
        "covariance": covariance,
        "pose": pose,
        "goal": None if goal is None else goal.tolist(),
        "target": None if goal is None else point_position(nominal_arm, goal)[:2].tolist(),
    }
    figure = Figure(arm, part, spec, used, free, fixed)
    if predict is not None:
        spec["predict"] = _prediction_spec(predict, figure)
        spec["panels"].insert(0, "predict")
    return figure


def replay(
    arm: Arm,
    solutions: Mapping[str, Any],
    dt: float,
    title: str | None = None,
    target: ArrayLike | None = None,
    label: str = "solution",
) -> Figure:
    """Return a Figure of stored motions: one is chosen, its time is scrubbed, its torques are plotted.

    arm: numbers; solutions: {label: trajectory}, each with q (T, n) rad, tau (T, n) or (T - 1, n) N m (or a pair of
    such arrays); dt: s between samples; target: (2,) m, a point to mark; label: what the list of solutions is called.
    """
    n, stored = joints_of(arm), []
    if not solutions:
        raise ValueError("solutions must hold at least one motion {label: trajectory}, got none")
    for name, motion in solutions.items():
        q, tau = (motion.q, motion.tau) if hasattr(motion, "q") else motion
        q, tau = as_numbers(q, "q", (..., n)), as_numbers(tau, "tau", (..., n))
        if q.ndim != 2 or tau.ndim != 2 or len(q) - len(tau) not in (0, 1) or len(q) < 2:
            raise ValueError(
                f"a motion must hold q (T, n) and tau (T, n) or (T - 1, n), got {q.shape} and {tau.shape} in {name!r}"
            )
        stored.append({"label": str(name), "q": np.round(q, 6).tolist(), "tau": np.round(tau, 6).tolist()})
    spec = {
        "title": title or "Stored motions",
        "n": n,
        "joints": joint_specs(arm, {}),
        "start": {"q": stored[0]["q"][0], "qd": [0.0] * n},
        "dt": as_positive(dt, "dt", "s"),
        "fixed": {},
        "playing": False,
        "sliders": [],
        "runs": [{"label": "", "dynamics": "", "applied_torque": "", "start": None, "dt": None}],
        "panels": ["torques", "joints"],
        "marks": ["trail"],
        "solutions": stored,
        "choice": label,
        "target": None if target is None else as_numbers(target, "target", (2,)).tolist(),
    }
    return Figure(arm, arm, spec, figure_programs.select_programs((), (), (), {}, ()), (), {})


def _read_runs(runs, n):
    runs = [Run()] if runs is None else [runs] if isinstance(runs, Run) else list(runs)
    if not 1 <= len(runs) <= 2 or not all(isinstance(run, Run) for run in runs):
        raise ValueError("runs must be one or two of rd.show.Run(...)")
    for run in runs:
        integrator_of(run.method)
        if run.torques not in figure_programs.TORQUES:
            raise ValueError(f"torques must be one of {', '.join(figure_programs.TORQUES)}, got {run.torques!r}")
    if len(runs) == 2 and not all(run.label for run in runs):
        raise ValueError("each of two runs must have a label that tells it from the other")
    return runs


def _run_spec(run, start, n):
    given = {"q": run.q, "qd": run.qd}
    own = {name: start[name] if x is None else _initial_state(x, name, n) for name, x in given.items()}
    return {
        "label": run.label,
        "integrator": asdict(integrator_of(run.method)),
        "dynamics": "acceleration" if run.velocity_terms else "acceleration_without_coriolis",
        "applied_torque": run.torques,
        "start": None if run.q is None and run.qd is None else own,
        "dt": None if run.dt is None else as_positive(run.dt, "dt", "s"),
    }


def _prediction_spec(given, figure, seconds=4.0):
    """Return what the page needs to let a curve be drawn: which one, its unit, and a range that holds the motion."""
    n = figure.spec["n"]
    found = re.fullmatch(r"(q|qd)(\d+)", given) if isinstance(given, str) else None
    if not found or not 1 <= int(found[2]) <= n:
        raise ValueError(f"predict must be one of {', '.join(f'q{i + 1}, qd{i + 1}' for i in range(n))}, got {given!r}")
    name, joint = found[1], int(found[2]) - 1
    x = getattr(figure.simulate_start(np.linspace(0, seconds, 401)), name)[:, joint]
    room = max(0.5 * np.ptp(x), 0.5)  # more than the motion takes, so that the frame does not tell the answer
    return {"letter": PREDICTED_LETTERS[name], "name": name, "joint": joint, "seconds": seconds, "start": float(x[0]),
            "low": float(np.floor(x.min() - room)), "high": float(np.ceil(x.max() + room)),
            "unit": JOINTS[figure.part.links[joint].joint].units[name]}  # fmt: skip


def _initial_state(x, name, n):
    return [0.0] * n if x is None else as_numbers(x, name, (n,)).tolist()


def _check_words(given, name, known):
    given = [given] if isinstance(given, str) else list(given)
    for word in given:
        if word not in known:
            raise ValueError(f"{name} must hold words of {', '.join(known)}, got {word!r}")
    return given


def _read_equation(words, limits):
    words = (
        []
        if words is None
        else _check_words(words, "equation", (*figure_programs.LEFT_TERMS, *figure_programs.RIGHT_TERMS))
    )
    sides = [word in figure_programs.RIGHT_TERMS for word in words]
    if words and (sides != sorted(sides) or len(set(sides)) < 2 or len(set(words)) < len(words)):
        raise ValueError(f"equation must name terms of its left side, then of its right side, each once, got {words}")
    if limits and set(words) & {"motors", "friction", "hand"}:
        raise ValueError('equation must hold "torque" where joints have limits, since their stops act as well')
    return words


def _check_digit(digit, runs, panels):
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


def _covariance_spec(pairs, arm, runs):
    """Return what the page needs to tell how certain parameters are, and their places in phi; None and () without pairs."""
    if not pairs:
        return None, ()
    base = base_parameters(arm, nonzero=True)
    columns = [k for k in range(len(base.names)) if base.grouping[:, k].any()]
    names = [base.names[k] for k in columns]
    for pair in pairs:
        if len(set(pair)) != 2 or not set(pair) <= set(names):
            raise ValueError(f"pairs must hold two names each of {', '.join(names)}, got {pair!r}")
    if len(pairs) > 3 or len(runs) > 1:
        raise ValueError(f"pairs must be at most 3, of one run, got {len(pairs)} and {len(runs)} run(s)")
    units = ["kg m²" if name[0] == "I" else "kg m" if " " in name else "kg" for name in names]
    places = [[names.index(name) for name in pair] for pair in pairs]
    return {"names": names, "units": units, "pairs": places, "width": 0.25}, columns


def _read_limits(limits, n):
    limits = dict(limits or {})
    for joint, pair in limits.items():
        if joint not in range(n):
            raise ValueError(f"limits must name joints from 0 to {n - 1}, got {joint!r}")
        if len(pair) != 2 or not all(isinstance(x, Real) for x in pair) or not pair[0] < pair[1]:
            raise ValueError(f"limits must be pairs (low, high) with low < high, got {pair!r}")
    return {joint: (float(low), float(high)) for joint, (low, high) in limits.items()}


def hand_spring(arm):
    """Return stiffness N/m, yielding stretch m and damping N s/m of the reader's hand: strong enough for this arm."""
    mass = sum(float(link.mass) for link in arm.links) or 1.0
    size = sum(np.linalg.norm(np.asarray(bar, dtype=float)) for bar in bars(arm.links, arm.tip)) or 1.0
    stretch = 0.2 * size
    stiffness = 2.5 * mass * 9.81 / stretch
    return float(stiffness), float(stretch), float(0.5 * (stiffness * mass) ** 0.5)


def joint_specs(arm, limits):
    """Return what the page knows of each joint: its units, how it is drawn, and the range of its map."""
    joints = []
    for i, link in enumerate(arm.links):
        kind = JOINTS[link.joint]
        sleeve = sleeve_length(arm, i) if kind.has_rod else 0.0
        low_high = kind.range if kind.periodic else limits.get(i, kind.range)
        looks = {"drawing": kind.drawing, "sleeve": sleeve, "range": low_high}
        joints.append({"units": kind.units, "periodic": kind.periodic, **looks})
    return joints
