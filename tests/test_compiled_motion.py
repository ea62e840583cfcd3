"""Compiled code does what the readable code does: the backward pass, rollouts with feedback and limits, long simulations;
nothing compiles unasked in a first call, and what compiles says so."""

import dataclasses
import functools
import importlib.util
import subprocess
import sys

import numpy as np
import pytest

import robotdyn as rd
from robotdyn.codegen.targets import TARGETS
from robotdyn.optimal import arm_dynamics, riccati
from robotdyn.simulation import INTEGRATORS, rollout, simulate

pytest.importorskip("llvmlite", reason="llvmlite is not installed: `make peers` adds it")
ARM = rd.robots.two_link()


def random_model(D, d, steps=9, seed=0):
    rng = np.random.default_rng(seed)
    H = rng.normal(size=(steps + 1, D + d, D + d))
    H, l = H @ np.swapaxes(H, 1, 2) + 0.1 * np.eye(D + d), rng.normal(size=(steps + 1, D + d))
    A, B = np.eye(D) + 0.3 * rng.normal(size=(steps, D, D)), rng.normal(size=(steps, D, d))
    return A, B, l[:, :D], l[:-1, D:], H[:, :D, :D], H[:-1, D:, :D], H[:-1, D:, D:]


@pytest.mark.parametrize(("D", "d"), [(1, 1), (4, 2), (3, 5), (14, 7), (18, 2)])
def test_backward_pass(D, d):
    """The same text on matrices that write code gives what `riccati.backward` gives, with and without mu; an indefinite step is told."""
    backward = riccati.compiled_backward(D, d)
    model = random_model(D, d)
    for mu in (0.0, 0.7):
        for found, expected in zip(backward(*model, mu), riccati.backward(*model, mu)):
            assert np.allclose(found, expected, rtol=1e-9, atol=1e-9)
    model[-1][4] -= 1e4 * np.eye(d)
    with pytest.raises(np.linalg.LinAlgError):
        backward(*model)
    with pytest.raises(np.linalg.LinAlgError):
        riccati.backward(*model)


@pytest.mark.parametrize("method", INTEGRATORS)
def test_rollout(method):
    """The compiled loop over time is that of Dynamics.rollout: open, with feedback, and in limits."""
    dynamics = rd.arm_dynamics(ARM, 0.01, [0.1, 0.2], method, compile=True)
    assert (
        dynamics.compiled and not rd.arm_dynamics(ARM, 0.01, [0.1, 0.2], method).compiled
    )  # the backward pass follows
    plain = rd.Dynamics(dynamics.step)
    rng = np.random.default_rng(1)
    x0, u, k, K = rng.normal(size=4), rng.normal(size=(20, 2)), rng.normal(size=(20, 2)), rng.normal(size=(20, 2, 4))
    x_old = rng.normal(size=(21, 4))
    assert dynamics.roll is not None
    answer, limits = (k, K, x_old), (np.array([-1.0, -2.0]), np.array([1.0, 0.5]))
    for more in ((), (answer,), (answer, limits)):
        given = u.copy()
        for found, expected in zip(dynamics.rollout(x0, u, *more), plain.rollout(x0, u, *more)):
            assert np.allclose(found, expected, rtol=1e-10, atol=1e-10)
        assert (u == given).all()


@pytest.mark.parametrize("method", INTEGRATORS)
def test_long_simulations(method):
    """A long motion under a constant torque runs as a program, in plain Python or compiled, and is the same."""
    t = np.concatenate([np.linspace(0, 0.5, 1001), np.linspace(0.52, 0.6, 5)])  # steps of two lengths
    run = functools.partial(rd.simulate, ARM, [0.3, -0.2], [0.5, 0], t=t, method=method)
    stepwise = run(lambda t, q, qd: [0.5, -0.2])
    for motion in (run([0.5, -0.2], compile=True), run([0.5, -0.2])):
        assert np.allclose(motion.q, stepwise.q, atol=1e-9) and np.allclose(motion.qd, stepwise.qd, atol=1e-9)
        assert (motion.tau == [0.5, -0.2]).all()


@pytest.mark.parametrize("compile", [True, False])
def test_a_long_motion_that_runs_away_is_told(compile):
    """The loop in a program sees what the other sees, and says when."""
    with pytest.raises(ValueError, match=r"the motion must stay finite, got .* at t = "):
        rd.simulate(ARM, [0, 0], [0, 0], [1e12, 0], np.arange(2000) * 0.1, "euler", compile=compile)


@pytest.mark.parametrize("second_order", [False, True])
def test_same_optimum_compiled(second_order):
    """What is found does not depend on what runs it."""
    problem = (ARM, [-0.8, 1.0], [0, 0], [1.2, 0.5], 26, 0.02, 1e-2)
    compiled, plain = (rd.reach(*problem, second_order=second_order, compile=flag) for flag in (True, False))
    assert compiled.result == plain.result == "converged"
    common = min(compiled.iterations, plain.iterations) + 1
    histories = compiled.cost_history[:common], plain.cost_history[:common]
    assert common > 3 and np.allclose(*histories, rtol=1e-6)  # whether one more round pays is a matter of the last bits
    assert np.isclose(compiled.cost, plain.cost, rtol=1e-12)
    assert np.allclose(compiled.tau, plain.tau, atol=1e-7 * abs(plain.tau).max())


# ---- when it compiles -----------------------------------------------------------------------------------------------

FIRST_CALLS = """
import sys
import numpy as np
import robotdyn as rd

arm, t = rd.robots.two_link(), np.linspace(0, 1, 5001)
fast = rd.specialize(rd.forward_dynamics, arm)
fast(*np.zeros((3, 2))), fast(*np.zeros((3, 1000, 2)))
rd.simulate(arm, [0, 0], [0, 0], t=t, error=True)
rd.linearize(arm, [0, 0], [0, 0], [0, 0], 0.01, method="rk4", route="traced")
for second_order in (False, True):
    rd.reach(arm, [-0.8, 1.0], [0, 0], [1.2, 0.5], 26, 0.02, 1e-2, second_order=second_order, max_iterations=10)
rd.ilqr(rd.arm_dynamics(arm, 0.02), rd.costs.effort(1.0), [0] * 4, np.zeros((5, 2)), limits=(-1, 1))
assert "llvmlite" not in sys.modules
"""


def test_first_calls_compile_nothing():
    """Fast functions, simulation, linearization and optimization leave an installed compiler alone where it does not pay: in a new process none of them loads it."""
    subprocess.run([sys.executable, "-c", FIRST_CALLS], check=True, timeout=300)


def test_a_motion_so_long_that_it_pays_is_compiled(monkeypatch):
    """Unasked only where compiling costs less than the steps in Python: here it costs nothing, or too much."""
    program, seen = rollout.step_program(ARM, INTEGRATORS["rk4"]), []
    assert not rollout.compiling_pays(program, 10_000) and rollout.compiling_pays(program, 10_000_000)
    long_arm = rollout.step_program(rd.robots.planar(6), INTEGRATORS["rk4"])
    assert long_arm.operations > program.operations and rollout.compiling_pays(long_arm, 10_000_000)
    compiled = simulate.compiled_rollout
    monkeypatch.setattr(simulate, "compiled_rollout", lambda *given: seen.append(1) or compiled(*given))
    motion = lambda **options: rd.simulate(ARM, [0, 0], [0, 0], t=np.linspace(0, 1, 1501), **options)
    motion()
    assert not seen
    monkeypatch.setattr(rollout, "COMPILER_START", 0.0)
    monkeypatch.setattr(rollout, "COMPILED_OPERATION", 0.0)
    motion(compile=False)
    assert not seen
    motion()
    assert seen


def test_a_long_optimization_is_compiled_in_its_midst(monkeypatch):
    """The rounds go on from where they were, to the same optimum; without a compiler, or unasked for, they stay in Python."""
    made = []
    compile = arm_dynamics._by_compiled_programs
    monkeypatch.setattr(arm_dynamics, "_by_compiled_programs", lambda *given: made.append(1) or compile(*given))
    monkeypatch.setattr(arm_dynamics, "COMPILER_START", 0.01)
    task = (rd.robots.planar((0.9, 1.1)), [-0.8, 1.0], [0, 0], [1.2, 0.5], 21, 0.05, 1e-1)
    for second_order, rounds in ((False, 60), (True, 500)):
        run = functools.partial(rd.reach, *task, second_order=second_order, max_iterations=rounds)
        expected = run(compile=False)
        assert not made
        found = run()
        assert len(made) == 1 and found.cost == pytest.approx(expected.cost, rel=1e-9 if second_order else 1e-3)
        made.clear()
    monkeypatch.setitem(TARGETS, "llvm", dataclasses.replace(TARGETS["llvm"], missing=lambda: "is missing"))
    run()
    assert not made


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: rd.simulate(ARM, [0, 0], [0, 0], lambda t, q, qd: [0, 0], [0, 1], compile=True), ValueError, "where tau is a law"),
        (lambda: rd.simulate(ARM, [0, 0], [0, 0], None, [0, 1], "solve_ivp", compile=True), ValueError, "SciPy takes its steps"),
        (lambda: rd.arm_dynamics(ARM, 0.1, angles="absolute", compile=True), ValueError, "compile must be None or False with absolute"),
        (lambda: rd.arm_dynamics(ARM, 0.1, route="differences", compile=True), ValueError, "compile must be None or False with absolute"),
    ],
    ids=range(4),
)  # fmt: skip
def test_what_cannot_be_compiled_is_told(call, error, sentence):
    """In words."""
    with pytest.raises(error, match=sentence):
        call()


def test_without_a_compiler_it_says_what_to_install(monkeypatch):
    """As if llvmlite were not installed."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    arm = rd.robots.planar(2)
    for call in (
        lambda: rd.simulate(arm, [0, 0], [0, 0], t=[0, 1], compile=True),
        lambda: rd.reach(arm, [0, 0], [0, 0], [1, 0], 5, 0.02, compile=True),
    ):
        with pytest.raises(ImportError, match=r"compile=True needs llvmlite, .*pip install robotdyn\[fast\]"):
            call()
