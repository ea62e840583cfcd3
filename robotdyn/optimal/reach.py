"""The short road to an optimal motion:  bring the tip to a target, at rest, with little torque."""

import numpy as np

from robotdyn.dynamics import planar
from robotdyn.maths.validate import as_numbers, check_numeric
from robotdyn.optimal import costs
from robotdyn.optimal.arm_dynamics import arm_dynamics
from robotdyn.optimal.ilqr import ilqr


def reach(
    arm,
    q0,
    qd0,
    target,
    T,
    dt,
    effort=1e-3,
    position_weight=1e3,
    velocity_weight=1e2,
    tau0=None,
    damping=None,
    method="recursive",
    integrator="euler",
    angles="relative",
    limits=None,
    **options,
):
    """Return the Solution, T states and T - 1 torques, that brings the tip to `target` after (T - 1) dt seconds.

    cost = effort * sum |tau_t|^2 + position_weight * |tip_T - target|^2 + velocity_weight * |qd_T|^2, no 1/2.
    q0, qd0: (n,) rad and rad/s (m, m/s), the start; target: (3,) m in base axes, or (2,) for x and y; dt in s.
    tau0: (T - 1, n) first guess of the torques, or (n,) for all times, default 0;
    damping: (n,) N m s/rad or None; integrator: "euler", "semi-implicit" or "rk4"; method: "recursive" or "batch".
    angles: "absolute" computes in the angles and forces of `rd.planar`, and gives the same optimum.
    limits: (lower, upper) torques N m, numbers or (n,), relative angles only; options: those of `rd.ilqr`.
    """
    check_numeric(arm, "reach")
    n = arm.n
    q0, qd0 = as_numbers(q0, "q0", (n,)), as_numbers(qd0, "qd0", (n,))
    if not isinstance(T, int) or T < 2:
        raise ValueError(f"T must be a whole number of states >= 2, got {T!r}")
    tau0 = np.zeros(n) if tau0 is None else tau0
    tau0 = as_numbers(tau0, "tau0", (n,) if np.ndim(tau0) == 1 else (T - 1, n)) * np.ones((T - 1, 1))
    cost = (
        costs.effort(effort) + costs.tip_position(arm, target, position_weight) + costs.joint_velocity(velocity_weight)
    )
    dynamics = arm_dynamics(arm, dt, damping, integrator, angles)
    x0, options = np.concatenate([q0, qd0]), {"method": method, "limits": limits, **options}
    if angles == "relative":
        return ilqr(dynamics, cost, x0, tau0, **options)
    if limits is not None:
        raise ValueError('limits must be None with angles="absolute": a box of torques is no box of forces u')
    P, R = np.kron(np.eye(2), np.linalg.inv(planar.L(n))), planar.L(n).T  # relative x = P x~, tau = L^T u
    solution = ilqr(
        dynamics, cost.in_coordinates(P, R), np.linalg.solve(P, x0), planar.generalized_forces(tau0), **options
    )
    return solution.in_coordinates(P, R)
