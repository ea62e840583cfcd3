"""Proofs of "Simulations you can trust": factors of a step against the steps that `rd.simulate` takes, on fields in symbols."""

import numpy as np
import sympy as sp

import robotdyn as rd
from eqproof import Chapter
from robotdyn.simulation import euler_step, rk4_step

h, d, omega = sp.symbols("h d omega", positive=True)
x, v = sp.symbols("x v", real=True)
steps = {"n": (1, 3, 4), "each": lambda i: [{"i": i}]}  # each leads from one state to the next

chapter = Chapter(__file__)
chapter.symmetric(r"\boldsymbol D")
chapter.bind({r"\Delta t": h, "d": d, r"\omega": omega})
chapter.units(
    {"d": "1/s", "e": "rad", "p": "1", "v_*": "rad/s", r"\dot{\boldsymbol q}_*": "rad/s", r"\boldsymbol D": "N m s/rad"}
)
chapter.units({r"\boldsymbol A": [["1", "s"], ["1/s", "1"]]})

# ---- a swing with friction ------------------------------------------------------------------------------------------

damped = lambda time, state: np.array([state[1], -(omega**2) * state[0] - d * state[1]])
matrix = sp.Matrix(euler_step(damped, 0, np.array([x, v]), h)).jacobian([x, v])
by = "a step of the library for a swing with friction, differentiated"
chapter.prove("eq-simulation-euler-matrix", {r"\boldsymbol A": matrix}, by=by)
chapter.prove("eq-simulation-euler-determinant", {r"\boldsymbol A": matrix}, by=by)

# ---- stiffness ------------------------------------------------------------------------------------------------------


def braked(step):
    """Return the bindings of a step of a joint that friction alone slows down."""
    later = step(lambda time, state: np.array([state[1], -d * state[1]]), 0, np.array([x, v]), h)[1]
    return lambda i: {"v_*": {i: v, i + 1: later}.get}


later = sp.Symbol("later", real=True)
(later,) = sp.solve(sp.Eq(later, v - d * h * later), later)
implicit = lambda i: {"v_*": {i: v, i + 1: later}.get}
chapter.prove("eq-simulation-stiff-euler", braked(euler_step), **steps, by="a step of the library")
chapter.prove("eq-simulation-stiff-rk4", braked(rk4_step), **steps, by="a step of the library")
chapter.prove("eq-simulation-stiff-implicit", implicit, **steps, by="the solution of the equation before it")


def friction_at_end(joints_and_step):
    """Return the bindings of a step whose friction knows the new rates; accelerations by articulated bodies."""
    n, i = joints_and_step
    bodies = (sp.symbols(f"{x}_1:{n + 1}", positive=True) for x in "cI")
    arm = rd.robots.planar(n, None, *bodies, symbolic=True)
    q, qd, tau = (sp.Matrix(sp.symbols(f"{x}_1:{n + 1}", real=True)) for x in ("Q", "V", "u"))
    D = sp.diag(*sp.symbols(f"b_1:{n + 1}", positive=True))
    free = rd.forward_dynamics(arm, q, qd, tau)
    answers = [rd.forward_dynamics(arm, q, qd, tau + D[:, k]) - free for k in range(n)]
    new = (sp.eye(n) + h * sp.Matrix.hstack(*answers)).LUsolve(qd + h * free)  # qd' = qd + h qdd(tau - D qd')
    return {
        r"\boldsymbol M": rd.mass_matrix(arm, q),
        r"\boldsymbol C": rd.coriolis_matrix(arm, q, qd),
        r"\boldsymbol g": rd.gravity_torque(arm, q),
        r"\boldsymbol D": D,
        r"\boldsymbol\tau": tau,
        r"\dot{\boldsymbol q}_*": {i: qd, i + 1: new}.get,
    }


by = "articulated bodies under a friction that knows the new rates"
chapter.prove(
    "eq-simulation-implicit-friction",
    friction_at_end,
    each=lambda joints_and_step: [{"i": joints_and_step[1]}],
    n=[(1, 1), (2, 3)],
    by=by,
)

# ---- error estimate -------------------------------------------------------------------------------------------------

c, p = sp.symbols("c p", positive=True)
run = lambda step: x + c * step**p
by = "two runs whose errors are the same power of their steps"
chapter.prove("eq-simulation-richardson", {"q": run, "e": lambda step: run(step) - x, "p": p}, by=by)
