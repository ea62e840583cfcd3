"""Figures that move: an arm to drag, with sliders for what is left open, driven by the library's own programs.

A `Figure` has two faces of one program: in Jupyter a widget whose values reach Python, in a page without a kernel HTML
with the programs as JavaScript.  Where neither runs, in print or without scripts, a picture stands in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from movingfigures import figure_programs
from movingfigures.explore_options import (
    MARKS,
    Run,
    check_digit,
    check_playing,
    check_pose_name,
    check_words,
    initial_state,
    read_equation,
    read_goal,
    read_limits,
    read_panels,
    read_runs,
    start_state,
)
from movingfigures.figure import Figure
from movingfigures.figure_spec import FigureSpec
from movingfigures.sliders import read_parameters
from robotdyn.dynamics.kinematics import point_position
from robotdyn.identification.base_parameters import base_parameters
from robotdyn.maths.validate import Floats, as_numbers, as_positive
from robotdyn.model.arm import Arm
from robotdyn.model.joints import JOINTS
from robotdyn.model.picture import bars
from robotdyn.show.arms import sleeve_length
from robotdyn.simulation.integrators import integrator_of

EQUATION_TERMS: tuple[str, ...] = ("inertia", "velocity", "gravity", "torque")  # the equation as bars and arcs show it
PREDICTED_LETTERS: dict[str, str] = {"q": "q", "qd": "q̇"}


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

    arm: numbers or symbols, a serial arm or a tree; q, qd: (n,) rad and rad/s (m, m/s), the start, default level and at rest.
    parameters: {name: number, or (low, high, start) for a slider}: the symbols of the arm; tau_i N m (N) and b_i or b
    (viscous friction) N m s/rad (N s/m) of the joints; qd_i, a slider for the rate of a joint; dt s.  What is left out has its usual value: g 9.81, l_c 0.5, I 1/12,
    c 0, h 0.05, other symbols 1; torques and friction 0.
    runs: one `Run`, or two for arms side by side.  panels: of "energy", "phase", "joints", "terms", "map" (two joints), "sensitivity" (two runs, with digit).
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
    n = figure_programs.free_joint_count(arm)
    chosen = read_runs(runs)
    if any(run.torques == "absolute" for run in chosen):  # sums along one chain
        figure_programs.serial_joint_count(arm)
    panels = read_panels(panels, n)
    marks = check_words(marks, "marks", MARKS)
    check_playing(playing)
    check_pose_name(pose)
    dt = 0.0005 if dt is None else as_positive(dt, "dt", "s")
    goal = read_goal(goal, chosen, n)
    sliders, fixed = read_parameters(arm, parameters or {}, dt, {} if goal is None else {"k": 50.0, "w": 1.0})
    values = fixed | {slider.name: slider.value for slider in sliders}
    nominal_arm = arm.subs(values)
    start = start_state(q, qd, n, values)
    limits = read_limits(limits, n)
    touched = read_equation(equation, limits)
    terms = touched or (list(EQUATION_TERMS) if "terms" in panels or "torques" in marks else [])
    covariance, columns = _covariance_spec(list(pairs), nominal_arm, chosen)
    check_digit(digit, chosen, panels)
    algorithms = figure_programs.select_programs(
        chosen, panels, marks, limits, hand_spring(nominal_arm), terms, goal, columns
    )
    spec = FigureSpec(
        title=title or f"An arm of {n} joint{'s' * (n != 1)}",
        n=n,
        joints=joint_specs(nominal_arm, limits),
        **_tree_spec(nominal_arm),
        start=start,
        dt=dt,
        fixed=_page_settings(fixed),
        playing=playing if playing == "touch" else bool(playing),
        sliders=[slider.spec() for slider in sliders],
        runs=[_run_spec(run, start, n) for run in chosen],
        panels=panels + _pair_panels(covariance),
        marks=marks,
        terms=terms,
        equation=bool(touched),
        digit=digit,
        covariance=covariance,
        pose=pose,
        **_goal_spec(goal, nominal_arm),
    ).record()
    free = tuple(slider.name for slider in sliders if slider.symbol)
    figure = Figure(arm, arm.subs(fixed), spec, algorithms, free, fixed)
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
    n = figure_programs.serial_joint_count(arm)
    stored = []
    if not solutions:
        raise ValueError("solutions must hold at least one motion {label: trajectory}, got none")
    for name, motion in solutions.items():
        q, tau = (motion.q, motion.tau) if hasattr(motion, "q") else motion
        q = as_numbers(q, "q", (..., n))
        tau = as_numbers(tau, "tau", (..., n))
        if q.ndim != 2 or tau.ndim != 2 or len(q) - len(tau) not in (0, 1) or len(q) < 2:
            raise ValueError(
                f"a motion must hold q (T, n) and tau (T, n) or (T - 1, n), got {q.shape} and {tau.shape} in {name!r}"
            )
        stored.append({"label": str(name), "q": np.round(q, 6).tolist(), "tau": np.round(tau, 6).tolist()})
    spec = FigureSpec(
        title=title or "Stored motions",
        n=n,
        joints=joint_specs(arm, {}),
        start={"q": stored[0]["q"][0], "qd": [0.0] * n},
        dt=as_positive(dt, "dt", "s"),
        runs=[{"label": "", "dynamics": "", "applied_torque": "", "start": None, "dt": None}],
        panels=["torques", "joints"],
        marks=["trail"],
        solutions=stored,
        choice=label,
        target=None if target is None else as_numbers(target, "target", (2,)).tolist(),
    ).record()
    return Figure(arm, arm, spec, figure_programs.select_programs((), (), (), {}, ()), (), {})


def _run_spec(run: Run, start: Mapping[str, list[float]], n: int) -> dict[str, Any]:
    """Return what the page needs of a run: its integrator, the programs that it takes, its own start and step."""
    given = {"q": run.q, "qd": run.qd}
    own = {name: start[name] if x is None else initial_state(x, name, n) for name, x in given.items()}
    return {
        "label": run.label,
        "integrator": asdict(integrator_of(run.method)),
        "dynamics": "acceleration" if run.velocity_terms else "acceleration_without_coriolis",
        "applied_torque": run.torques,
        "start": None if run.q is None and run.qd is None else own,
        "dt": None if run.dt is None else as_positive(run.dt, "dt", "s"),
    }


def _prediction_spec(given: str, figure: Figure, seconds: float = 4.0) -> dict[str, Any]:
    """Return what the page needs to let a curve be drawn: which one, its unit, and a range that holds the motion."""
    n = figure.spec["n"]
    match = re.fullmatch(r"(q|qd)(\d+)", given) if isinstance(given, str) else None
    if not match or not 1 <= int(match[2]) <= n:
        raise ValueError(f"predict must be one of {', '.join(f'q{i + 1}, qd{i + 1}' for i in range(n))}, got {given!r}")
    name = match[1]
    joint = int(match[2]) - 1
    x = getattr(figure.fall(np.linspace(0, seconds, 401)), name)[:, joint]
    margin = max(0.5 * np.ptp(x), 0.5)  # more than the motion takes, so that the frame does not tell the answer
    assert figure.part is not None
    return {
        "letter": PREDICTED_LETTERS[name],
        "name": name,
        "joint": joint,
        "seconds": seconds,
        "start": float(x[0]),
        "low": float(np.floor(x.min() - margin)),
        "high": float(np.ceil(x.max() + margin)),
        "unit": JOINTS[figure.part.links[joint].joint].units[name],
    }


def _covariance_spec(
    pairs: Sequence[tuple[str, str]], arm: Arm, runs: Sequence[Run]
) -> tuple[dict[str, Any] | None, Sequence[int]]:
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


def hand_spring(arm: Arm) -> tuple[float, float, float]:
    """Return stiffness N/m, yielding stretch m and damping N s/m of the reader's hand: strong enough for this arm."""
    mass = sum(float(link.mass) for link in arm.links) or 1.0
    size = sum(np.linalg.norm(np.asarray(end, dtype=float)) for _, end in bars(arm.links, arm.parents, arm.tip)) or 1.0
    stretch = 0.2 * size
    stiffness = 2.5 * mass * 9.81 / stretch
    return float(stiffness), float(stretch), float(0.5 * (stiffness * mass) ** 0.5)


def still_spec(
    title: str,
    scene: str,
    q: Floats,
    dt: float,
    joints: Sequence[dict[str, Any]],
    sliders: Sequence[dict[str, Any]],
    **more: Any,
) -> dict[str, Any]:
    """Return the record of a figure whose arm stands in the pose q (n,) until a finger or a slider leads it; more: of its scene."""
    return FigureSpec(
        title=title,
        scene=scene,
        n=len(q),
        joints=list(joints),
        start={"q": [float(x) for x in q], "qd": [0.0] * len(q)},
        dt=dt,
        runs=[{"label": "", "integrator": None, "dynamics": "", "applied_torque": "", "start": None, "dt": None}],
        sliders=list(sliders),
        **more,
    ).record()


def joint_specs(arm: Arm, limits: Mapping[int, tuple[float, float]]) -> list[dict[str, Any]]:
    """Return what the page knows of each joint: its units, how it is drawn, and the range of its map."""
    joints = []
    for i, link in enumerate(arm.links):
        kind = JOINTS[link.joint]
        sleeve = sleeve_length(arm, i) if kind.has_rod else 0.0
        low_high = kind.range if kind.periodic else limits.get(i, kind.range)
        looks = {"drawing": kind.drawing, "sleeve": sleeve, "range": low_high}
        joints.append({"units": kind.units, "periodic": kind.periodic, **looks})
    return joints


def _tree_spec(arm: Arm) -> dict[str, Any]:
    """Return what the page knows of a tree: the parent of each link, and the link of each bar; nothing of a chain."""
    if arm.is_serial:
        return {}
    return {"parents": list(arm.parents), "bars": [i for i, _ in bars(arm.links, arm.parents, arm.tip)]}


def _pair_panels(covariance: Mapping[str, Any] | None) -> list[str]:
    """Return the names of the panels that show pairs of parameters."""
    return [] if covariance is None else [f"pair_{k}" for k in range(len(covariance["pairs"]))]


def _page_settings(fixed: Mapping[str, float]) -> dict[str, float]:
    """Return the numbers without a slider that are no parameters of the arm: torques, friction, springs."""
    return {name: value for name, value in fixed.items() if name.partition("_")[0] in ("tau", "b", "k", "w")}


def _goal_spec(goal: Any, arm: Arm) -> dict[str, Any]:
    """Return the pose to which motors pull, and where its tip is, m; None for both without a goal."""
    if goal is None:
        return {"goal": None, "target": None}
    return {"goal": goal.tolist(), "target": point_position(arm, goal)[:2].tolist()}
