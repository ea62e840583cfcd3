"""Passivity-based control, which keeps the arm passive while it follows a motion:

    tau = M(q) a + C(q, qd) v + g(q) - damping s,    v = qd_ref + rate (q_ref - q),  a = dv/dt,  s = qd - v.

With the Christoffel C, along which dM/dt - 2 C is skew,  M ds/dt + C s + damping s = 0, so s^T M s never rises.
Slotine and Li (1987), "On the adaptive control of robot manipulators"; chapter "control-with-the-model".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.control.checks import Motion, as_motion, gain_matrix
from robotdyn.dynamics.forces import Law
from robotdyn.dynamics.recursive import inverse_dynamics
from robotdyn.maths.validate import Entries, Floats, Result, check_numeric
from robotdyn.model.arm import Arm


def passivity(arm: Arm, motion: Motion, rate: ArrayLike, damping: ArrayLike) -> Law:
    """Return the law tau = M a + C v + g - damping s above, which follows a motion without undoing what C qd does.

    motion: t -> (q, qd, qdd) (n,) each;
    rate: 1/s, how fast errors die out once s = 0;
    damping: N m s/rad (N s/m);
    numbers, (n,) or symmetric (n, n), without a negative eigenvalue.
    """
    check_numeric(arm, "passivity")
    sliding = sliding_variables(motion, rate, arm.n)
    damping = gain_matrix(damping, "damping", arm.n)
    torque = specialize(
        reference_torque, arm, target="python", inputs={"q": arm.n, "qd": arm.n, "v": arm.n, "a": arm.n}
    )

    def law(t: float, q: Any, qd: Any) -> Floats:
        v, a, s = sliding(t, q, qd)
        return torque(q, qd, v, a) - damping @ s

    return law


def reference_torque(arm: Arm, q: Entries, qd: Entries, v: Entries, a: Entries) -> Result:
    """Return M(q) a + C(q, qd) v + g(q) (n,), with the Christoffel C, from two inverse dynamics.

    C(x) y = C(y) x, so the velocity terms of (qd + v)/2 less those of (qd - v)/2, which are squares, are C(qd) v.
    """
    weightless = replace(arm, gravity=(0, 0, 0))
    return inverse_dynamics(arm, q, (qd + v) / 2, a) - inverse_dynamics(weightless, q, (qd - v) / 2, 0 * a)


def sliding_variables(motion: Any, rate: ArrayLike, n: int) -> Callable[..., tuple[Floats, Floats, Floats]]:
    """Return the function (t, q, qd) -> v, a, s (n,) each."""
    motion = as_motion(motion, n)
    rate = gain_matrix(rate, "rate", n)

    def sliding(t: float, q: Any, qd: Any) -> tuple[Floats, Floats, Floats]:
        q_ref, qd_ref, qdd_ref = motion(t)
        v = qd_ref + rate @ (q_ref - q)
        return v, qdd_ref + rate @ (qd_ref - qd), qd - v

    return sliding
