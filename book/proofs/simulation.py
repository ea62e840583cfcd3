"""Proofs of "Simulation": steps and factors against the integrators that `rd.simulate` runs, on fields in symbols."""

import numpy as np
import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter
from robotdyn.simulation import euler_step, rk4_step, semi_implicit_step

h, t, omega = sp.symbols("h t omega", positive=True)
x, v = sp.symbols("x v", real=True)
steps = {"n": (1, 3, 4), "each": lambda i: [{"i": i}]}  # each leads from one state to the next

chapter = Chapter(__file__)
chapter.bind({r"\Delta t": h, r"\omega": omega})
chapter.units({"E_*": "rad^2/s^2"})
chapter.units(
    {
        r"\boldsymbol x": ["rad", "rad", "rad/s", "rad/s"],
        r"\boldsymbol x_*": lambda i, row, _: ("rad", "rad", "rad/s", "rad/s")[row - 1],
        r"\boldsymbol f": ["rad/s", "rad/s", "rad/s^2", "rad/s^2"],
        r"\boldsymbol k_*": lambda i, row, _: ("rad/s", "rad/s", "rad/s^2", "rad/s^2")[row - 1],
        r"\boldsymbol q_*": "rad",
    }
)

# ---- the system -----------------------------------------------------------------------------------------------------


def arm(n):
    """Return an arm of the plane with centers of mass beside the lines of its links."""
    masses, lengths, moments = (sp.symbols(f"{x}_1:{n + 1}", positive=True) for x in "mlI")
    coms = [sp.symbols(f"c_{i}x c_{i}y", real=True) for i in range(1, n + 1)]
    return rd.robots.planar(lengths, masses, coms, moments, sp.Symbol("g", positive=True))


def motion(n):
    """Return the bindings of a motion and of the Newton-Euler torques that it needs."""
    q, qd, qdd = (sp.Matrix(sp.symbols(f"{x}_1:{n + 1}", real=True)) for x in ("Q", "V", "A"))
    state = {
        r"\boldsymbol x": [*q, *qd],
        r"\boldsymbol q": q,
        r"\boldsymbol\tau": rd.inverse_dynamics(arm(n), q, qd, qdd),
    }
    terms = {
        r"\boldsymbol M": rd.mass_matrix(arm(n), q),
        r"\boldsymbol C": rd.coriolis_matrix(arm(n), q, qd),
        r"\boldsymbol g": rd.gravity_torque(arm(n), q),
    }
    return Bindings().motion(q, qd, qdd).bind(state | terms)


chapter.prove("eq-simulation-state", motion, n=[1, 2], by="the state that a step takes, coordinates first")
chapter.prove("eq-simulation-rates", motion, n=[1, 2], by="the motion for which Newton and Euler find the torque")

# ---- steps ----------------------------------------------------------------------------------------------------------


start = np.array([sp.symbols("x_1:3", real=True), sp.symbols("v_1:3", real=True)], dtype=object)


def rates(time, state):
    """Return the rates of a motion that no symmetry simplifies, (2, 2) like the states of an arm of two joints."""
    (a, b), (c, d) = state
    return np.array([[c, d], [sp.sin(a) * time - c * d + 3 * b * c + 2, b * d - time * a + c**2]], dtype=object)


def flow(time, state):
    """Return the same rates for a state as the evaluation hands it over: a column."""
    return rates(time, np.array(state, dtype=object).reshape(2, 2)).reshape(4, 1).tolist()


def stepped(step):
    """Return the bindings of a state by its number: it has symbols, and a step makes the next one of it."""

    def table(now):
        states = {now: start}
        states[now + 1] = step(rates, t, states[now], h)
        part = lambda order: lambda i: sp.Matrix(states[i][order]) if i in states else None
        return {
            r"\boldsymbol x_*": lambda i: sp.Matrix(states[i].ravel()) if i in states else None,
            r"\boldsymbol q_*": part(0),
            r"\dot{\boldsymbol q}_*": part(1),
            r"\ddot{\boldsymbol q}_*": lambda i: sp.Matrix(rates(t, states[i])[1]) if i in states else None,
            r"\boldsymbol f": flow,
            "t_*": {now: t, now + 1: t + h}.get,
        }

    return table


def slopes():
    """Return what the library's Runge-Kutta step asks for, in the order in which it asks."""
    asked = []

    def spy(time, state):
        asked.append(rates(time, state))
        return asked[-1]

    rk4_step(spy, t, start, h)
    return {r"\boldsymbol k_*": lambda j: sp.Matrix(asked[j - 1].ravel())}


chapter.prove("eq-simulation-euler", stepped(euler_step), **steps, by="a step of the library")
chapter.prove("eq-simulation-semi-implicit", stepped(semi_implicit_step), **steps, by="a step of the library")
table = lambda i: {**stepped(rk4_step)(i), **slopes()}
by = "the slopes for which the library's step asks, in their order"
chapter.prove("eq-simulation-slopes", table, **steps, by=by)
chapter.prove("eq-simulation-rk4", table, **steps, by="a step of the library, and its slopes")

c, p = sp.symbols("c p", positive=True)
power = {"e": lambda step: c * step**p, "p": p}
chapter.prove("eq-simulation-order", power, by="an error that is a power of the step")

# ---- energy of an oscillator ----------------------------------------------------------------------------------------


def midpoint_step(rates, time, state, dt):
    """Return the step with the slope of its middle, itself reached by the library's Euler step."""
    return state + dt * rates(time + dt / 2, euler_step(rates, time, state, dt / 2))


def swing(step):
    """Return the bindings of a step of the oscillator without friction."""
    free = lambda time, state: np.array([state[1], -(omega**2) * state[0]])
    energy = lambda state: (state[1] ** 2 + omega**2 * state[0] ** 2) / 2
    now = np.array([x, v])
    later = step(free, 0, now, h)
    names = {"E_*": energy, "q_*": lambda state: state[0], r"\dot q_*": lambda state: state[1]}
    return lambda i: {name: {i: part(now), i + 1: part(later)}.get for name, part in names.items()}


chapter.prove("eq-simulation-growth", swing(euler_step), **steps, by="a step of the library")
chapter.prove("eq-simulation-kept", swing(semi_implicit_step), **steps, by="a step of the library")
chapter.prove("eq-simulation-rk4-energy", swing(rk4_step), **steps, by="a step of the library")
chapter.prove("eq-simulation-midpoint-energy", swing(midpoint_step), **steps, by="two Euler steps of the library")
