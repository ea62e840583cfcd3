"""What a notebook of "simulation" is given: numbers of one's own, the states at which functions are called, a motion to control."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import robotdyn as rd
from coursework.check.data import OtherForm
from coursework.check.parameters import Later
from coursework.check.question import tells
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Array
    from coursework.check.parameters import Draw, Parameters

STEPS, DT = 300, 0.01  # the controlled motion: 3 s
NOISE = 0.05  # N m, of the measured torques, a standard deviation


def parameters(draw: Draw) -> dict[str, Any]:
    """Return a pendulum, measurements of another one with noise, and a 2R arm with a goal."""
    mass, length = draw.until(lambda: (draw.rounded(0.5, 2.0), draw.rounded(0.4, 1.2)), lambda m, l: abs(m - 1) > 0.03)
    secret = draw.uniform(0.2, 0.8), draw.uniform(0.1, 0.5), draw.uniform(3.0, 9.0)
    states = [draw.numbers(60, -size, size) for size in (3, 3, 6)]
    noise = [draw.gauss(0.0, NOISE) for _ in range(60)]
    lengths = (draw.rounded(0.4, 0.7), draw.rounded(0.3, 0.6))
    masses = (draw.rounded(1, 3), draw.rounded(0.5, 1.5))
    goal = draw.rounded(0.5, 1.2), draw.rounded(-1.0, 1.0)
    step = draw.choice((0.003, 0.004, 0.005, 0.006))
    press = draw.until(lambda: _press(draw), _rings_by_each)
    return {
        "mass": mass, "length": length, "goal": Later(lambda: np.array(goal)), "limit": 60.0, "step": step, "press": press,
        "measured": Later(lambda: _measured(secret, states, noise)), "arm": Later(lambda: rd.robots.two_link(lengths, masses)),
    }  # fmt: skip


def _press(draw: Draw) -> tuple[float, ...]:
    """Return the mass of a hand (kg), its damper (N s/m), the stiffness of a wall (N/m) and the gain of a force's error."""
    return draw.rounded(1.2, 2.5), draw.rounded(30, 60, 0), draw.rounded(3, 12, 1) * 1000, draw.rounded(0.3, 0.8)


def _rings_by_each(mass: float, damper: float, stiff: float, share: float) -> bool:
    """Whether a generic mistake in any part of the limit shows in its gain and in its rate."""
    others = {"whole": (1.0, share, 1 - share), "mass": (1.0,)}
    gain = {"mass": mass, "damper": damper, "whole": 1 + share}
    rate = {"mass": mass, "stiff": stiff, "whole": 1 + share}
    return tells(lambda mass, damper, whole: damper * whole / mass, gain, others) and tells(
        lambda mass, stiff, whole: (stiff * whole / mass) ** 0.5, rate, others
    )


def _measured(secret: tuple[float, ...], states: list[list[float]], noise: list[float]) -> tuple[Array, ...]:
    """The states of a pendulum and its torques with noise, as arrays."""
    q, qd, qdd = np.array(states)
    return q, qd, qdd, np.array([qdd, qd, np.cos(q)]).T @ np.array(secret) + np.array(noise)


def steps(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return states of a pendulum, torques and times; in the first ones it rests, or no torque acts."""
    found = [(draw.uniform(-3, 3), draw.uniform(-3, 3), draw.uniform(-5, 5), draw.uniform(0.01, 0.1)) for _ in range(6)]
    q, qd, tau, dt = found[0]
    return [(q, 0.0, 0.0, dt), (q, qd, 0.0, dt), (q, 0.0, tau, dt), *found]


def systems(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return rates of a system, as a function of its state, a state and a time."""

    def system(a: float, b: float) -> Callable[..., Any]:
        return lambda x: np.array([x[1], -a * np.sin(x[0]) - b * x[1]])

    sizes = [(draw.uniform(1, 9), draw.uniform(0, 1), draw.vector(2, -2, 2), draw.uniform(0.05, 0.3)) for _ in range(5)]
    return [(system(a, b), x, dt) for a, b, x, dt in sizes]


def places(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return states of a pendulum and times."""
    return [(draw.uniform(-3, 3), draw.uniform(-3, 3), draw.uniform(0.01, 0.1)) for _ in range(6)]


def starts(p: Parameters, draw: Draw) -> Sequence[tuple[Any, ...]]:
    """Return poses of the arm."""
    return [(np.zeros(2) + draw.vector(2, -0.4, 0.4),) for _ in range(2)]


def closed_loop(p: Parameters, control: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function start -> torques (STEPS, 2) that the controller gives along its own motion."""

    forward = rd.specialize(rd.forward_dynamics, p.arm)

    def run(start: Array) -> Array:
        q = np.array(start)
        qd = np.zeros(2)
        torques = []
        for k in range(STEPS):
            returned = control(k * DT, q.copy(), qd.copy())
            tau = np.array(returned, dtype=float)
            if tau.size != 2 or np.isnan(tau).any():
                found = tau.size if tau.size != 2 else "what is no number"
                found = "None: is a `return` missing?" if returned is None else found
                raise OtherForm(f"a controller returns two torques, this one returned {found}")
            torques.append(tau.reshape(2))
            if not (abs(tau) <= p.limit * (1 + 1e-9)).all() or abs(qd).max() > 1e3:  # what follows is of no interest
                return np.array(torques + [tau.reshape(2)] * (STEPS - 1 - k))
            q, qd = move(forward, q, qd, tau.reshape(2))
        return np.array(torques)

    return run


def move(forward: Any, q: Array, qd: Array, tau: Array) -> tuple[Array, ...]:
    """Return the state of the arm one step later; forward: its forward dynamics."""
    qd = qd + DT * forward(q, qd, tau)
    return q + DT * qd, qd


CALLED = {
    "euler-step": {"inputs": steps, "arguments": "q qd tau dt"},
    "rk4-step": {"inputs": systems, "arguments": "rates x dt"},
    "linearize": {"inputs": places, "arguments": "q qd dt"},
    "controller": {"inputs": starts, "wrap": closed_loop},
}
