"""A reach that is optimized in the page: the goal is dragged, and iLQR finds the motion anew while it moves.

The page computes with four programs: a step of the arm, its Jacobians, the cost of the end, and one step back of the
Riccati recursion.  The loops around them are in `ilqr.js`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from movingfigures.explore import replay
from movingfigures.figure import Figure
from movingfigures.figure_programs import AlgorithmWithShapes, serial_joint_count
from movingfigures.figure_spec import FigureSpec
from movingfigures.sliders import Slider
from robotdyn.dynamics.kinematics import point_jacobian, point_position
from robotdyn.dynamics.recursive import solve
from robotdyn.maths.namespace import namespace
from robotdyn.maths.validate import Entries, Result, as_numbers, as_positive
from robotdyn.model.arm import Arm
from robotdyn.optimal.arm_dynamics import jacobians_program
from robotdyn.optimal.reach import reach as optimal_reach
from robotdyn.optimal.riccati import backward_step
from robotdyn.simulation.integrators import integrator_of
from robotdyn.simulation.rollout import step_program

SLIDER_DECADES: dict[
    str, tuple[str, float, float, str]
] = {  # of the sliders: letter, powers of ten around the start, meaning
    "effort": ("r", -2, 3, "price of effort"),
    "velocity": ("w", -3, 2, "weight of rest at the end"),
}


def final_cost(arm: Arm, x: Entries, goal: Entries, position: Any, velocity: Any) -> tuple[Any, Result, Result]:
    """Return c = position |tip - goal|^2 + velocity |qd|^2 of the last state x (2n,), and v = c_x, V = c_xx of
    Gauss and Newton.
    """
    xp = namespace(arm, x, goal)
    n = arm.n
    q = x[:n]
    qd = x[n:]
    r = point_position(arm, q)[:2] - goal
    J = point_jacobian(arm, q)[:2]
    V = xp.zeros((2 * n, 2 * n)).tolist()
    H = J.T @ J
    for i in range(n):
        V[i][:n] = [2 * position * h for h in H[i]]
        V[n + i][n + i] = 2 * velocity
    v = xp.stack([*(2 * position * (J.T @ r)), *(2 * velocity * qd)])
    return position * (r @ r) + velocity * (qd @ qd), v, xp.stack([xp.stack(row) for row in V])


def backward_pass_step(
    arm: Arm, A: Entries, B: Entries, u: Entries, effort: Any, v: Entries, V: Entries
) -> tuple[Result, Result, Result, Result, Any, Any]:
    """Return k, K, v, V, slope and curvature of `backward_step`, where a step costs effort |u|^2."""
    n = arm.n
    zero = np.zeros(2 * n)
    R = 2 * effort * np.eye(n)
    model = A, B, zero, 2 * effort * u, np.zeros((2 * n, 2 * n)), np.zeros((n, 2 * n)), R
    return backward_step(model, v, V, minimize=_unconstrained_minimum)


def _unconstrained_minimum(Q: Any, p: Any, Q_ux: Any) -> tuple[Any, Any]:
    columns = [-solve(Q, column) for column in (p, *Q_ux.T)]
    return columns[0], np.stack(columns[1:]).T


def reach(
    arm: Arm,
    q0: ArrayLike,
    target: ArrayLike,
    T: int = 41,
    dt: float = 0.025,
    effort: float = 0.1,
    position_weight: float = 1e5,
    velocity_weight: float = 1e3,
    tau0: ArrayLike | None = None,
    integrator: str = "semi-implicit",
    title: str | None = None,
) -> Figure:
    """Return a Figure of the best reach, as `rd.reach` finds it; its goal can be dragged, and its prices be changed.

    arm: numbers, n joints; q0: (n,) rad (m), the start, at rest; target: (2,) m, where the goal is at first.
    T, dt, effort, position_weight, velocity_weight, tau0, integrator: as in `rd.reach`; title: its name.
    Raises ValueError or TypeError in words for what cannot be, as `rd.reach` does.
    """
    n = serial_joint_count(arm)
    q0 = as_numbers(q0, "q0", (n,))
    target = as_numbers(target, "target", (2,))
    dt = as_positive(dt, "dt", "s")
    method = integrator_of(integrator)
    weights = {name: as_positive(w, name, "") for name, w in (("effort", effort), ("velocity_weight", velocity_weight))}
    first = optimal_reach(
        arm,
        q0,
        np.zeros(n),
        target,
        T,
        dt,
        effort,
        position_weight,
        velocity_weight,
        tau0,
        integrator=integrator,
        progress=False,
    )
    figure = replay(arm, {"": (first.x[:, :n], first.u)}, dt, title or "The best reach to a goal", target)

    def next_state(arm: Arm, x: Entries, u: Entries) -> Result:
        return step_program(arm, method)(x, u, 0 * u, np.array([dt]))

    def step_jacobians(arm: Arm, x: Entries, u: Entries) -> tuple[Result, Result]:
        return jacobians_program(arm, method)(x, u, 0 * u, np.array([dt]))

    D = 2 * n
    algorithms: dict[str, AlgorithmWithShapes] = {
        "next_state": (next_state, {"x": D, "u": n}),
        "step_jacobians": (step_jacobians, {"x": D, "u": n}),
        "final_cost": (final_cost, {"x": D, "goal": 2, "position": (), "velocity": ()}),
        "backward_pass_step": (
            backward_pass_step,
            {"A": (D, D), "B": (D, n), "u": n, "effort": (), "v": D, "V": (D, D)},
        ),
    }
    of_the_reach = {
        "sliders": [_slider("effort", weights["effort"]), _slider("velocity", weights["velocity_weight"])],
        "task": {"goal": target.tolist(), "position": float(position_weight), "u": first.u.tolist()},
    }
    spec = FigureSpec(**figure.spec | of_the_reach).record()
    return Figure(arm, arm, spec, {**figure.algorithms, **algorithms}, (), {})


def _slider(name: str, value: float) -> dict[str, Any]:
    """Return what the page needs of a slider over powers of ten about a value."""
    letter, below, above, words = SLIDER_DECADES[name]
    power = float(np.log10(value))
    slider = Slider(name, power + below, power + above, power, words, unit="", symbol=False)
    return slider.spec() | {"letter": f"log {letter}"}
