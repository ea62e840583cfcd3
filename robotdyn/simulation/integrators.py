"""One step of motion:  from the state (q, qd) at the time t to the one at t + dt, for d/dt (q, qd) = rates(t, (q, qd))."""

import numpy as np


def euler_step(rates, t, state, dt):
    """Return state + f(t, state) dt: position and velocity both from the old state."""
    return state + rates(t, state) * dt


def semi_implicit_step(rates, t, state, dt):
    """Return the step that moves the velocity first and the position with the new velocity.

    For a constant mass matrix it is symplectic, and the energy error stays bounded; for an arm whose M depends on q
    it is of first order like explicit Euler, and the energy drifts, linearly in time and in dt: chapter "n-link".
    """
    q, qd = state
    qd = qd + rates(t, state)[1] * dt
    return np.array([q + qd * dt, qd])


def rk4_step(rates, t, state, dt):
    """Return the classical fourth-order Runge-Kutta step."""
    k1 = rates(t, state)
    k2 = rates(t + dt / 2, state + k1 * dt / 2)
    k3 = rates(t + dt / 2, state + k2 * dt / 2)
    k4 = rates(t + dt, state + k3 * dt)
    return state + (k1 + 2 * k2 + 2 * k3 + k4) * dt / 6


STEPS = {"euler": euler_step, "semi-implicit": semi_implicit_step, "rk4": rk4_step}
ORDERS = {"euler": 1, "semi-implicit": 1, "rk4": 4, "solve_ivp": None}
