"""An integrator is one line of a table: whoever steps, differentiates a step or draws one in a page reads that line."""

import numpy as np
import pytest
from arms import derivative

import robotdyn as rd
from robotdyn.codegen.targets import TARGETS
from robotdyn.simulation import INTEGRATORS, Integrator, euler_step, rk4_step, semi_implicit_step

ARM = rd.robots.two_link()
HEUN = Integrator(order=2, a=((), (1,)), b=(1 / 2, 1 / 2))
METHODS = [*INTEGRATORS, "heun"]
DT = 0.02


@pytest.fixture(autouse=True)
def heun(monkeypatch):
    """Heun's method joins the table, which is all that it takes."""
    monkeypatch.setitem(INTEGRATORS, "heun", HEUN)


def heun_step(rates, t, state, dt):
    """Heun's step as textbooks have it: the mean of the slopes at the start and at the end of Euler's step."""
    first = rates(t, state)
    return state + (first + rates(t + dt, state + first * dt)) * dt / 2


STEPS = {"euler": euler_step, "semi-implicit": semi_implicit_step, "rk4": rk4_step, "heun": heun_step}


@pytest.mark.parametrize("method", METHODS)
def test_a_row_of_the_table_is_the_step_written_out(method):
    """Also where the rates change with time, and for numbers that stay exact."""
    rates = lambda t, state: np.array([state[1], t**2 - 3 * state[0] - state[1] ** 2])
    state = np.array([[0.3, -1.0], [2.0, 0.5]])
    assert np.allclose(
        INTEGRATORS[method].step(rates, 0.7, state, 0.1), STEPS[method](rates, 0.7, state, 0.1), atol=1e-15
    )


@pytest.mark.parametrize("method", METHODS)
def test_simulate_takes_these_steps(method):
    """Step by step under a law, as a program under a constant torque, compiled or not: one motion."""
    t, tau = DT * np.arange(6), np.array([0.5, -0.2])
    rates = lambda t, state: np.array([state[1], rd.forward_dynamics(ARM, *state, tau)])
    states = [np.array([[0.3, -0.2], [0.5, 0.0]])]
    for now in t[:-1]:
        states.append(STEPS[method](rates, now, states[-1], DT))
    states = np.array(states)
    compiled = [True] if TARGETS["llvm"].missing() is None else []
    for torque, compile in [(lambda t, q, qd: tau, None), (tau, None), *((tau, flag) for flag in compiled)]:
        motion = rd.simulate(ARM, *states[0], torque, t, method, compile=compile)
        assert np.allclose(motion.q, states[:, 0], atol=1e-12) and np.allclose(motion.qd, states[:, 1], atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_the_order_is_that_of_the_table(method):
    """Halving the step divides the error by 2 to the order, and the error estimate relies on it."""
    start = [0, 0.5], [0, 0]
    exact = rd.simulate(ARM, *start, t=[0, 0.4], method="solve_ivp", rtol=1e-12, atol=1e-13).q[-1]
    runs = [rd.simulate(ARM, *start, t=np.linspace(0, 0.4, steps + 1), method=method, error=True) for steps in (40, 80)]
    errors = [abs(run.q[-1] - exact).max() for run in runs]
    assert abs(np.log2(errors[0] / errors[1]) - INTEGRATORS[method].order) < 0.2
    assert np.isclose(runs[1].error[-1, 0].max(), errors[1], rtol=0.1)


@pytest.mark.parametrize("arm", [ARM, rd.robots.planar(3)], ids=["2", "3"])
def test_derivatives_of_a_new_step(arm):
    """`linearize` by every route, and the Dynamics, compiled or not, know the derivatives of a step they never saw."""
    joints, b = arm.n, np.linspace(0.1, 0.3, arm.n)
    x, u = np.random.default_rng(1).normal(size=2 * joints), np.random.default_rng(2).normal(size=joints)

    def step(z):
        tau = z[2 * joints :]
        rates = lambda t, s: np.array([s[1], rd.forward_dynamics(arm, *s, tau - b * s[1])])
        return heun_step(rates, 0, z[: 2 * joints].reshape(2, joints), DT).ravel()

    z = np.concatenate([x, u])
    expected = derivative(step, z)
    for route in ("closed form", "traced", "differences"):
        A, B = rd.linearize(arm, x[:joints], x[joints:], u, DT, b, method="heun", route=route)
        assert abs(np.hstack([A, B]) - expected).max() < 1e-9
    options = [{"route": None}, {"route": "closed form"}]
    options += [{"compile": True}] if TARGETS["llvm"].missing() is None else []
    for option in options:
        dynamics = rd.arm_dynamics(arm, DT, b, "heun", **option)
        A, B = dynamics.jacobians(x[None], u[None])
        states, _ = dynamics.rollout(x, u[None])
        assert np.allclose(dynamics.step(x, u), step(z), atol=1e-12) and dynamics.curvature is None
        assert np.allclose(states[1], step(z), atol=1e-12) and dynamics.compiled is ("compile" in option)
        assert abs(np.hstack([A[0], B[0]]) - expected).max() < 1e-9


def test_an_optimal_motion_with_a_new_step():
    """`reach` plans with Heun's method, `simulate` replays the plan with it and arrives; absolute angles agree, and so
    does compiled code.
    """
    problem = (ARM, [-0.8, 1.0], [0, 0], [1.2, 0.5], 21, DT, 1e-2)
    others = [{"angles": "absolute"}, *([{"compile": True}] if TARGETS["llvm"].missing() is None else [])]
    plan = rd.reach(*problem, integrator="heun")
    assert plan.result == "converged"
    for options in others:
        assert np.isclose(plan.cost, rd.reach(*problem, integrator="heun", **options).cost, rtol=1e-10)
    law = lambda t, q, qd: plan.tau[min(int(t / DT + 1e-9), 19)]
    state = plan.q[0], plan.qd[0]
    for k in range(20):  # the torque is held over each step
        motion = rd.simulate(ARM, *state, law(k * DT, *state), [0, DT], "heun")
        state = motion.q[-1], motion.qd[-1]
    assert np.allclose(np.concatenate(state), plan.x[-1], atol=1e-9)


def test_what_is_no_explicit_method_is_refused():
    """Or what follows no constant rate: in words."""
    with pytest.raises(ValueError, match=r"a must hold rows of 0, 1, 2, .. weights"):
        Integrator(order=2, a=((1 / 2,),), b=(1,))
    with pytest.raises(ValueError, match="b must add up to 1"):
        Integrator(order=1, b=(2,))
    with pytest.raises(ValueError, match=r"method must be one of .*heun, got 'rk5'"):
        rd.linearize(ARM, [0, 0], [0, 0], [0, 0], DT, method="rk5")
