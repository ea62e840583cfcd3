"""The motion of one arm as programs:  its step, and how the step changes, recorded once and printed for the machine.

tau = M qdd + C qd + g, differentiated where the torque is held:  0 = M dqdd + dtau/dq dq + dtau/dqd dqd.  So the
derivatives of the acceleration come from those of the inverse dynamics, which are far shorter, and one solution with M.
Carpentier and Mansard (2018), "Analytical derivatives of rigid body dynamics algorithms".
"""

import functools

import numpy as np

from robotdyn.codegen.specialize import specialize
from robotdyn.codegen.trace import trace
from robotdyn.dynamics.kinematics import point_position
from robotdyn.dynamics.recursive import forward_dynamics, inverse_dynamics, mass_matrix, solve
from robotdyn.simulation.integrators import STEPS


@functools.lru_cache(maxsize=64)
def derivatives_text(arm):
    """Return the text (arm, q, qd, tau) -> qdd, F = dqdd/dq, G = dqdd/dqd, H = dqdd/dtau, to be traced for this arm."""
    torque = trace(inverse_dynamics, arm, inputs=("q", "qd", "qdd"))
    by_q, by_qd = torque.jacobian("q"), torque.jacobian("qd")

    def acceleration_derivatives(arm, q, qd, tau):
        M, n = mass_matrix(arm, q), arm.n
        qdd = solve(M, tau - inverse_dynamics(arm, q, qd, 0 * qd))
        right = np.concatenate([-by_q(q, qd, qdd), -by_qd(q, qd, qdd), np.eye(n, dtype=int).astype(object)], axis=1)
        FGH = np.stack([solve(M, column) for column in right.T], axis=1)
        return qdd, FGH[:, :n], FGH[:, n : 2 * n], FGH[:, 2 * n :]

    return acceleration_derivatives


@functools.lru_cache(maxsize=64)
def step_program(arm, method):
    """Return the Program (x, u, b, dt) -> the next x of one step of an arm.

    x = (q, qd) (2n,), u: torque (n,), held; b: viscous damping (n,); dt: (1,) s; method: as in `rd.simulate`.
    """
    accelerate, n = specialize(forward_dynamics, arm, "python").program, arm.n

    def step(x, u, b, dt):
        def rates(t, state):
            return np.stack([state[1], accelerate(state[0], state[1], u - b * state[1])])

        return STEPS[method](rates, 0, x.reshape(2, n), dt[0]).reshape(2 * n)

    return trace(step, inputs={"x": 2 * n, "u": n, "b": n, "dt": 1})


@functools.lru_cache(maxsize=64)
def jacobians_program(arm, jacobians):
    """Return the Program (x, u, b, dt) -> A (2n, 2n), B (2n, n) of one step; jacobians: as in `linearization.METHODS`."""
    derivatives, n = trace(derivatives_text(arm), arm), arm.n

    def step_jacobians(x, u, b, dt):
        def acceleration(q, qd, tau):
            qdd, F, G, H = derivatives(q, qd, tau - b * qd)
            return qdd, F, G - H * b[None, :], H

        return jacobians(acceleration, x[:n], x[n:], u, dt[0])

    return trace(step_jacobians, inputs={"x": 2 * n, "u": n, "b": n, "dt": 1})


@functools.lru_cache(maxsize=64)
def torque_curvature_program(arm):
    """Return the Program (y, w) -> the second derivatives (3n, 3n) of w . tau(y), y = (q, qd, qdd)."""
    n, torque = arm.n, trace(inverse_dynamics, arm, inputs=("q", "qd", "qdd"))

    def weighted_torque(y, w):
        return w @ torque(y[:n], y[n : 2 * n], y[2 * n :])

    return trace(weighted_torque, inputs={"y": 3 * n, "w": n}).jacobian("y").jacobian("y")


@functools.lru_cache(maxsize=64)
def tip_curvature_program(arm):
    """Return the Program (q, f) -> the second derivatives (n, n) of f . tip(q), f: (3,)."""

    def weighted_tip(q, f):
        return f @ point_position(arm, q)

    return trace(weighted_tip, inputs={"q": arm.n, "f": 3}).jacobian("q").jacobian("q")
