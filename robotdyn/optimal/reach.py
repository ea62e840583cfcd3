"""The short road to an optimal motion:  bring the tip to a target, at rest, with little torque."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.dynamics import planar
from robotdyn.maths.validate import as_numbers, check_numeric, in_short
from robotdyn.model.arm import Arm
from robotdyn.optimal import costs
from robotdyn.optimal.arm_dynamics import Joints, arm_dynamics
from robotdyn.optimal.ilqr import Callback, Limits, ilqr
from robotdyn.optimal.solution import Solution


def reach(
    arm: Arm,
    q0: ArrayLike,
    qd0: ArrayLike,
    target: ArrayLike,
    T: int,
    dt: float,
    effort: float = 1e-3,
    position_weight: float = 1e3,
    velocity_weight: float = 1e2,
    tau0: ArrayLike | None = None,
    damping: ArrayLike | None = None,
    method: str = "recursive",
    integrator: str = "euler",
    angles: str = "relative",
    limits: Limits | None = None,
    second_order: bool = False,
    tolerance: float = 1e-12,
    max_iterations: int = 500,
    progress: bool | None = None,
    callback: Callback = None,
    compile: bool | None = None,
    motors: Joints | None = None,
) -> Solution:
    """Return the Solution, T states and T - 1 torques, that brings the tip to `target` after (T - 1) dt seconds.

    cost = effort * sum |tau_t|^2 + position_weight * |tip_T - target|^2 + velocity_weight * |qd_T|^2, no 1/2.
    q0, qd0: (n,) rad and rad/s (m, m/s), the start;
    target: (3,) m in base axes, or (2,) for x and y; dt in s.
    tau0: (T - 1, n) first guess of the torques, or (n,) for all times, default 0;
    damping: (n,) N m s/rad or None; integrator: as in `rd.simulate`; method: "recursive" or "batch".
    angles: "absolute" computes in the angles and forces of `rd.planar`, and gives the same optimum.
    limits: (lower, upper) torques N m, numbers or (n,), relative angles only;
    second_order, tolerance, max_iterations, progress, callback: as in `rd.ilqr`;
    compile, motors: as in `rd.arm_dynamics`; with m motors torques, limits and tau0 have m entries.
    """
    check_numeric(arm, "reach")
    n = arm.n
    q0 = as_numbers(q0, "q0", (n,))
    qd0 = as_numbers(qd0, "qd0", (n,))
    if not isinstance(T, int) or T < 2:
        raise ValueError(f"T must be a whole number of states >= 2, got {in_short(T)}")
    dynamics = arm_dynamics(arm, dt, damping, integrator, angles, compile=compile, motors=motors)
    d = n if motors is None else len(list(motors))
    tau0 = np.zeros(d) if tau0 is None else tau0
    tau0 = as_numbers(tau0, "tau0", (d,) if np.ndim(tau0) == 1 else (T - 1, d)) * np.ones((T - 1, 1))
    at_rest = costs.tip_position(arm, target, position_weight) + costs.joint_velocity(velocity_weight)
    cost = costs.effort(effort) + at_rest
    x0 = np.concatenate([q0, qd0])
    if angles == "absolute":
        if limits is not None:
            raise ValueError('limits must be None with angles="absolute": a box of torques is no box of forces u')
        P = np.kron(np.eye(2), np.linalg.inv(planar.L(n)))
        R = planar.L(n).T  # relative x = P x~, tau = L^T u
        cost = cost.in_coordinates(P, R)
        x0 = np.linalg.solve(P, x0)
        tau0 = planar.generalized_forces(tau0)
    options = limits, method, second_order, tolerance, max_iterations, progress, callback
    solution = ilqr(dynamics, cost, x0, tau0, *options)
    return solution.in_coordinates(P, R) if angles == "absolute" else solution
