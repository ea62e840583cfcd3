"""Derivatives of the equation of motion, exact, as programs:  dqdd = F dq + G dqd + H dtau.

tau = M qdd + C qd + g, differentiated where the torque is held:  0 = M dqdd + dtau/dq dq + dtau/dqd dqd.  So the
derivatives of the acceleration come from those of the inverse dynamics, which are far shorter, and one solution with M.
Carpentier and Mansard (2018), "Analytical derivatives of rigid body dynamics algorithms".
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from robotdyn.codegen.program import Program
from robotdyn.codegen.trace import trace
from robotdyn.dynamics.kinematics import point_position
from robotdyn.dynamics.recursive import inverse_dynamics, mass_matrix, solve
from robotdyn.maths.validate import Floats
from robotdyn.model.arm import Arm


@functools.lru_cache(maxsize=64)
def acceleration_derivatives(arm: Arm) -> Callable[..., tuple[Any, ...]]:
    """Return the function (arm, q, qd, tau) -> qdd, F = dqdd/dq, G = dqdd/dqd, H = dqdd/dtau, to be traced for this arm."""
    torque = trace(inverse_dynamics, arm, inputs=("q", "qd", "qdd"))
    by_q, by_qd = torque.jacobian("q"), torque.jacobian("qd")

    def derivatives(arm: Arm, q: Floats, qd: Floats, tau: Floats) -> tuple[Floats, ...]:
        M, n = mass_matrix(arm, q), arm.n
        qdd = solve(M, tau - inverse_dynamics(arm, q, qd, 0 * qd))
        right = np.concatenate([-by_q(q, qd, qdd), -by_qd(q, qd, qdd), np.eye(n, dtype=int).astype(object)], axis=1)
        FGH = np.stack([solve(M, column) for column in right.T], axis=1)
        return qdd, FGH[:, :n], FGH[:, n : 2 * n], FGH[:, 2 * n :]

    return derivatives


@functools.lru_cache(maxsize=64)
def torque_second_derivatives(arm: Arm) -> Program:
    """Return the Program (y, w) -> the second derivatives (3n, 3n) of w . tau(y), y = (q, qd, qdd)."""
    n, torque = arm.n, trace(inverse_dynamics, arm, inputs=("q", "qd", "qdd"))

    def weighted_torque(y: Floats, w: Floats) -> Floats:
        return w @ torque(y[:n], y[n : 2 * n], y[2 * n :])

    return trace(weighted_torque, inputs={"y": 3 * n, "w": n}).jacobian("y").jacobian("y")


@functools.lru_cache(maxsize=64)
def tip_second_derivatives(arm: Arm) -> Program:
    """Return the Program (q, f) -> the second derivatives (n, n) of f . tip(q), f: (3,)."""

    def weighted_tip(q: Floats, f: Floats) -> Floats:
        return f @ point_position(arm, q)

    return trace(weighted_tip, inputs={"q": arm.n, "f": 3}).jacobian("q").jacobian("q")
