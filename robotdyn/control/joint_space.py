"""Control laws in joint coordinates:  tau = g,  tau = g + kp e + kd ed,  tau = M (qdd_ref + kd ed + kp e) + C qd + g.

e = q_ref - q.  Each takes the model that the controller believes in: simulate another arm, and the model is wrong.
Spong, Hutchinson and Vidyasagar (2020), chapters 6 and 8; chapter "control-with-the-model".
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.codegen.specialize import specialize
from robotdyn.control.checks import Motion, as_motion, as_torque_limits, gain_matrix
from robotdyn.dynamics.forces import Law, for_joints_of
from robotdyn.dynamics.recursive import gravity_torque, inverse_dynamics
from robotdyn.maths.validate import Floats, as_numbers, check_numeric, in_short
from robotdyn.model.arm import Arm


def gravity_compensation(arm: Arm) -> Law:
    """Return the law tau = g(q), under which an arm floats: it stays where it is put, and keeps the energy it has."""
    check_numeric(arm, "gravity_compensation")
    weight = specialize(gravity_torque, arm, target="python")
    return lambda t, q, qd: weight(q)


def pd(arm: Arm, kp: ArrayLike, kd: ArrayLike, goal: ArrayLike, gravity: bool | str = True) -> Law:
    """Return the law tau = kp (goal - q) - kd qd + g: a spring to the goal (n,) and a damper at each joint.

    kp: N m/rad (N/m), kd: N m s/rad (N s/m): numbers, (n,) or symmetric (n, n), without a negative eigenvalue.
    gravity: True adds g(q), "goal" the constant g(goal), False nothing.
    Takegaki and Arimoto (1981): kinetic energy and springs' energy fall until the arm rests at the goal.
    """
    check_numeric(arm, "pd")
    Kp = gain_matrix(kp, "kp", arm.n)
    Kd = gain_matrix(kd, "kd", arm.n)
    goal = as_numbers(goal, "goal", (arm.n,))
    if gravity not in (True, False, "goal"):
        raise ValueError(f'gravity must be True, False or "goal", got {in_short(gravity)}')
    if gravity is True:
        weight = specialize(gravity_torque, arm, target="python")
        return lambda t, q, qd: Kp @ (goal - q) - Kd @ qd + weight(q)
    fixed = gravity_torque(arm, goal) if gravity else np.zeros(arm.n)
    return lambda t, q, qd: Kp @ (goal - q) - Kd @ qd + fixed


def computed_torque(arm: Arm, motion: Motion, kp: ArrayLike, kd: ArrayLike) -> Law:
    """Return the law tau = M (qdd_ref + kd (qd_ref - qd) + kp (q_ref - q)) + C qd + g, by inverse dynamics.

    motion: t -> (q, qd, qdd) (n,) each;
    kp: 1/s^2, kd: 1/s, gains as in `pd`.
    With the true model the error obeys  edd + kd ed + kp e = 0, whatever the arm.
    """
    check_numeric(arm, "computed_torque")
    Kp = gain_matrix(kp, "kp", arm.n)
    Kd = gain_matrix(kd, "kd", arm.n)
    motion = as_motion(motion, arm.n)
    inverse = specialize(inverse_dynamics, arm, target="python")

    def law(t: float, q: Any, qd: Any) -> Floats:
        q_ref, qd_ref, qdd_ref = motion(t)
        return inverse(q, qd, qdd_ref + Kd @ (qd_ref - qd) + Kp @ (q_ref - q))

    return law


def limited(law: Law, limits: Any) -> Law:
    """Return the law whose torques stay within limits: (lower, upper), or one bound for both; numbers or (n,), N m (N)."""
    if not callable(law):
        raise TypeError(f"law must be a function (t, q, qd) -> tau, got {in_short(law)}")
    lower, upper = as_torque_limits(limits)
    return lambda t, q, qd: np.clip(law(t, q, qd), for_joints_of(lower, "limits", q), for_joints_of(upper, "limits", q))
