"""An arm that learns what it carries while it swings:  tau = Y z - k s,  dz/dt = -gain Y^T s,  seen with what it cannot gain:

    V = s^T M s / 2 + (z - phi)^T (z - phi) / (2 gain),   dV/dt = -k s^T s,  and the work of the reader's hand.

The law is `rd.control.adaptive`; the motion to follow is a sum of two sines of all joints about a pose.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike

from movingfigures import figure_programs
from movingfigures.explore import hand_spring, joint_specs
from movingfigures.figure import Figure
from movingfigures.figure_spec import FigureSpec
from movingfigures.sliders import round_step
from robotdyn.control import Learning, adaptive, continuous
from robotdyn.control.adaptive_control import reference_regressor
from robotdyn.control.checks import Motion
from robotdyn.dynamics.recursive import mass_matrix
from robotdyn.identification.parameters import parameters
from robotdyn.maths.namespace import namespace
from robotdyn.maths.validate import Entries, Floats, as_numbers, check_numeric
from robotdyn.model.arm import Arm
from robotdyn.model.body import Body
from robotdyn.simulation.integrators import integrator_of
from robotdyn.simulation.trajectory import Trajectory

ERROR_RATE = 5.0  # 1/s, how fast the error dies out once s = 0
FREQUENCIES = 5.0, 2.0  # rad/s, of the fast and the slow part of the motion
SLIDER_TABLE: tuple[tuple[Any, ...], ...] = (  # name, letter, index, words, unit (of the gain: below), low, high, start
    ("m", "m", "", "mass in the hand", "kg", 0.0, 2.0, 1.0),
    ("damping", "k", "d", "damping", "N m s/rad", 0.5, 5.0, 2.0),
    ("gain", "γ", "", "gain", "", 0.05, 2.0, 0.5),
    ("fast", "A", "fast", "swing at 5 rad/s", "rad", 0.0, 0.6, 0.3),
    ("slow", "A", "slow", "swing at 2 rad/s", "rad", 0.0, 0.6, 0.0),
)


def adaptive_torque(
    model: Arm, learned: Sequence[int], center: Floats, hand: tuple[float, float, float]
) -> figure_programs.Algorithm:
    """Return the algorithm of the law at work: what `applied_torque` has, then dz/dt, the two parts of V, phi and the goal."""
    free = figure_programs.applied_torque("joint", {}, hand)
    nominal_parameters = parameters(model)
    nominal_parameters[list(learned)] = 0

    def torque(
        arm: Arm,
        q: Entries,
        qd: Entries,
        z: Entries,
        clock: Any,
        hold: Entries,
        along: Any,
        target: Entries,
        damping: Any,
        gain: Any,
        fast: Any,
        slow: Any,
    ) -> tuple[Any, ...]:
        xp = namespace(arm, q, qd)
        (w, s_w, c_w), (u, s_u, c_u) = ((rate, xp.sin(rate * clock), xp.cos(rate * clock)) for rate in FREQUENCIES)
        e = q - center - (fast * s_w + slow * s_u)
        v = fast * w * c_w + slow * u * c_u - ERROR_RATE * e
        s = qd - v
        a = -fast * w**2 * s_w - slow * u**2 * s_u - ERROR_RATE * (s - ERROR_RATE * e)
        Y = reference_regressor(arm, q, qd, v, a)
        columns = [Y[:, k] for k in learned]
        tau = Y @ nominal_parameters + sum(z_k * column for z_k, column in zip(z, columns)) - damping * s
        none = 0 * q
        total, _, pull, motors, rubbing, pulling = free(arm, q, qd, tau, none, hold, along, target)
        phi = xp.stack([parameters(arm)[k] for k in learned])
        off = z - phi
        power = s @ pulling - damping * (s @ s)
        parts = s @ mass_matrix(arm, q) @ s / 2, off @ off / (2 * gain)
        zd = xp.stack([-gain * (s @ column) for column in columns])
        place, _ = figure_programs.held_point(arm, q - e, [0] * (arm.n - 1) + [1], 1.0)
        return total, power, pull, motors, rubbing, pulling, zd, *parts, phi, place

    return torque


class AdaptiveControlFigure(Figure):
    """The figure of `learn`; law and motion are those of the library, with the values of the sliders."""

    @property
    def motion_to_follow(self) -> Motion:
        """The motion t -> (q, qd, qdd) that the sliders ask for."""
        center = np.array(self.spec["learned"]["center"])
        sizes = (self.values["fast"], self.values["slow"])

        def motion(t: float) -> tuple[Floats, Floats, Floats]:
            sines = [(size, w, np.sin(w * t), np.cos(w * t)) for size, w in zip(sizes, FREQUENCIES)]
            return (
                center + sum(A * s for A, w, s, c in sines),
                0 * center + sum(A * w * c for A, w, s, c in sines),
                0 * center - sum(A * w**2 * s for A, w, s, c in sines),
            )

        return motion

    @property
    def law(self) -> Learning:
        """The law of `rd.control.adaptive` that the page runs, from the model without a load."""
        assert self.part is not None
        gain = np.zeros(10 * self.spec["n"])
        gain[self.spec["learned"]["columns"]] = self.values["gain"]
        unloaded = self.part.subs({"m": 0})
        return adaptive(unloaded, self.motion_to_follow, ERROR_RATE, self.values["damping"], gain)

    def fall(self, t: ArrayLike) -> Trajectory:
        """Return the Run of the arm under its law, from the start, left alone, at the times t (T,) s."""
        return continuous(self.arm, self.law, self.spec["start"]["q"], self.spec["start"]["qd"], t)


def learn(
    arm: Arm, learned: Sequence[int], names: Sequence[str], center: ArrayLike, title: str | None = None
) -> AdaptiveControlFigure:
    """Return a Figure: an arm in the plane of x and y that swings, and learns two of its parameters from its own errors.

    arm: numbers, as the law believes it to be; a slider puts a mass into its hand.  learned: places of two parameters in
    `rd.parameters(arm)`; names: what they are called, with units, such as "h (kg m)".  center: (n,) rad (m), the pose
    about which all joints swing.  Further sliders: the damping, the gain, and the sizes of a fast and a slow sine.
    Raises ValueError in words for what cannot be.
    """
    check_numeric(arm, "learn")
    n = figure_programs.serial_joint_count(arm)
    center = as_numbers(center, "center", (arm.n,))
    places = list(learned)
    if len(places) != 2 or len(names) != 2 or not all(k in range(10 * n) for k in places):
        raise ValueError(f"learned must be two places from 0 to {10 * n - 1}, with a name for each, got {places}")
    part = arm.carrying(Body(sp.Symbol("m", nonnegative=True), arm.tip))
    squares = ", ".join(re.sub(r".*\((.*)\)", r"(\1)²/J", name) for name in names)
    sliders = [
        {
            "name": name,
            "letter": letter,
            "index": index,
            "words": words,
            "unit": unit or squares,
            "low": low,
            "high": high,
            "value": value,
            "symbol": name == "m",
            "step": round_step(low, high),
        }
        for name, letter, index, words, unit, low, high, value in SLIDER_TABLE
    ]
    first = {slider["name"]: slider["value"] for slider in sliders}
    start = {"q": center.tolist(), "qd": [first["fast"] * FREQUENCIES[0] + first["slow"] * FREQUENCIES[1]] * n}
    scalar: dict[str, Any] = dict.fromkeys(("damping", "gain", "fast", "slow"), ())
    hand_in: dict[str, Any] = {"hold": "n", "along": (), "target": 2}
    nominal_arm = part.subs({"m": first["m"]})
    used = figure_programs.select_programs((), (), (), {}, ()) | {
        "ik_step": (figure_programs.ik_step, {"q": "n", **hand_in}),
        "acceleration": (figure_programs.acceleration, {"q": "n", "qd": "n", "tau": "n"}),
        "adaptive_torque": (
            adaptive_torque(arm, places, center, hand_spring(nominal_arm)),
            {"q": "n", "qd": "n", "z": 2, "clock": (), **hand_in, **scalar},
        ),
    }
    spec = FigureSpec(
        title=title or "An arm that learns what it carries",
        n=n,
        joints=joint_specs(nominal_arm, {}),
        start=start,
        dt=0.002,
        sliders=sliders,
        runs=[
            {
                "label": "",
                "dynamics": "acceleration",
                "applied_torque": "adaptive_torque",
                "start": None,
                "dt": None,
                "integrator": asdict(integrator_of("rk4")),
            }
        ],
        panels=["energy", "estimates"],
        marks=["trail"],
        learned={
            "columns": places,
            "names": list(names),
            "center": center.tolist(),
            "start": parameters(arm)[places].tolist(),
        },
    ).record()
    return AdaptiveControlFigure(part, part, spec, used, ("m",), {})
