"""Dry friction with an honest state of rest:  a joint slides against -c sign(qd), or it sticks and qdd = 0.

While joint i sticks, friction takes the value that holds it, lambda_i; it slips when |lambda_i| exceeds the stiction.
While it slides, it sticks when qd_i comes to zero and its stiction can hold it.  Both are events of `rd.simulate`:
between two of them nothing jumps, so no step is short for friction's sake.  Karnopp (1985) with exact switches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.dynamics.forces import Law, dry_friction, for_joints_of
from robotdyn.dynamics.recursive import bias_torque, forward_dynamics, mass_matrix
from robotdyn.maths.validate import Floats, as_numbers, as_times, check_numeric
from robotdyn.model.arm import Arm
from robotdyn.simulation.events import Event
from robotdyn.simulation.simulate import simulate
from robotdyn.simulation.trajectory import Trajectory

MAX_SWITCHES = 10_000  # changes between sticking and sliding, beyond which nobody wants to wait


def stick_slip(
    arm: Arm,
    q: ArrayLike,
    qd: ArrayLike,
    t: ArrayLike,
    c: ArrayLike,
    stiction: ArrayLike | None = None,
    tau: ArrayLike | Law | None = None,
    method: str = "rk4",
) -> Trajectory:
    """Return the Trajectory of an arm whose joints have dry friction and really stick; as `rd.simulate` otherwise.

    c: friction of a joint that slides, stiction: the largest of one that sticks (default c), numbers or (n,), N m (N),
    stiction >= c >= 0;
    tau: what else acts, None, (n,), or a law (t, q, qd) -> (n,).
    `tau` of the result has the friction in it; `events` are the times of "stick" and "slip" of any joint, and the times
    of samples are those of t and of the events.  A slip that begins and ends between two samples is not seen, and the times of
    events are as exact as steps of the method as long as the spacing of t: with "rk4" look at half the spacing, too.
    Raises ValueError where changes never end, and for bad input.
    """
    check_numeric(arm, "stick_slip")
    t = as_times(t)
    x = as_numbers(q, "q", (arm.n,))
    v = as_numbers(qd, "qd", (arm.n,))
    forward_dynamics(arm, x, v, 0 * x)  # says where a joint moves no mass, so that M has no inverse
    sliding, largest = dry_friction(c, c if stiction is None else stiction)
    sliding = 0 * x + for_joints_of(sliding, "c", x)
    largest = 0 * x + for_joints_of(largest, "stiction", x)
    applied_law = tau if callable(tau) else lambda t, q, qd: np.zeros(arm.n) if tau is None else tau
    friction = _Friction(arm, sliding, largest, applied_law)
    moments: dict[str, list[float]] = {"stick": [], "slip": []}
    signs = friction.signs(t[0], x, v)
    whole = None
    for _ in range(MAX_SWITCHES):
        motion = simulate(arm, x, v, friction.law(signs), t, method, {"change": friction.margin(signs, t[0])}, "change")
        whole = motion if whole is None else whole.joined(motion)
        now = motion.t[-1]
        x = motion.q[-1]
        v = motion.qd[-1]
        if now >= t[-1]:
            return replace(whole, events={name: np.array(ts) for name, ts in moments.items()})
        stopped = v * signs <= 1e-9 * abs(motion.qd[-2]) + 1e-12  # rounding beside the rates of the last step
        v = np.where(stopped, 0.0, v)
        previous_signs = signs
        signs = friction.signs(now, x, v)
        for name, changed in (
            ("stick", (previous_signs != 0) & (signs == 0)),
            ("slip", (previous_signs == 0) & (signs != 0)),
        ):
            moments[name] += [now] * int(changed.any())
        t = np.concatenate([[now], t[t > now]])
    raise ValueError(
        f"the joints must not change between sticking and sliding more than {MAX_SWITCHES} times, they did by t = {now:g} s: "
        "let the stiction be above c"
    )


class _Friction:
    """Friction of joints that slide, signs +1 and -1, or stick, sign 0."""

    def __init__(self, arm: Arm, c: Floats, stiction: Floats, applied_law: Callable[..., Any]) -> None:
        self.n = arm.n
        self.c = c
        self.stiction = stiction
        self.applied_law = applied_law
        self.mass, self.bias = (specialize(f, arm, target="python") for f in (mass_matrix, bias_torque))

    def at(self, signs: Floats, t: float, q: Floats, qd: Floats) -> tuple[Floats, Floats]:
        """Return the friction (n,) and the sum of all efforts (n,): where a joint sticks, what keeps its qdd at 0."""
        applied = as_numbers(self.applied_law(t, q, qd), "tau", (self.n,))
        sticks = signs == 0
        friction = -self.c * signs
        push = applied - self.bias(q, qd)
        M = self.mass(q)
        slides = ~sticks
        qdd = np.zeros(self.n)
        if slides.any():
            qdd[slides] = np.linalg.solve(M[np.ix_(slides, slides)], (push + friction)[slides])
        friction[sticks] = (M @ qdd - push)[sticks]
        return friction, applied + friction

    def law(self, signs: Floats) -> Law:
        """Return the law of all efforts as long as no joint changes."""
        return lambda t, q, qd: self.at(signs, t, q, np.where(signs == 0, 0.0, qd))[1]

    def margin(self, signs: Floats, start: float) -> Event:
        """Return how far the joints are from a change, the least of all: negative beyond, 1 where they have just changed."""

        def smallest_margin(t: float, q: Floats, qd: Floats) -> float:
            friction = self.at(signs, t, q, qd)[0]
            return 1.0 if t <= start else float(np.where(signs == 0, self.stiction - abs(friction), qd * signs).min())

        return smallest_margin

    def signs(self, t: float, q: Floats, qd: Floats) -> Floats:
        """Return how each joint goes on from a state: at rest it sticks unless that takes more than its stiction."""
        signs = np.sign(qd)
        for _ in range(self.n):
            friction, _ = self.at(signs, t, q, qd)
            excess = np.where(signs == 0, abs(friction) - self.stiction, -1.0)
            i = int(np.argmax(excess))
            if excess[i] < 0:
                break
            signs[i] = -np.sign(friction[i])  # the joint yields to what friction cannot hold
        return signs
