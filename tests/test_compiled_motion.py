"""Compiled twins are the texts they come from: the sweep, the costates, rollouts with feedback and limits, long simulations."""

import sys

import numpy as np
import pytest

import robotdyn as rd
from robotdyn.codegen.matrix_loops import Loops
from robotdyn.optimal import riccati
from robotdyn.simulation.integrators import STEPS

numba = pytest.importorskip("numba", reason="Numba is not installed: `make peers` adds it")
ARM = rd.robots.two_link()


def random_model(D, d, steps=9, seed=0):
    rng = np.random.default_rng(seed)
    H = rng.normal(size=(steps + 1, D + d, D + d))
    H, l = H @ np.swapaxes(H, 1, 2) + 0.1 * np.eye(D + d), rng.normal(size=(steps + 1, D + d))
    A, B = np.eye(D) + 0.3 * rng.normal(size=(steps, D, D)), rng.normal(size=(steps, D, d))
    return A, B, l[:, :D], l[:-1, D:], H[:, :D, :D], H[:-1, D:, :D], H[:-1, D:, D:]


@pytest.mark.parametrize(("D", "d"), [(1, 1), (2, 1), (4, 2), (3, 5), (14, 7), (20, 3)])
def test_sweep(D, d):
    """Loops of fixed size give what `riccati.backward` gives, with and without mu; an indefinite step is told."""
    from robotdyn.optimal.compiled_riccati import compiled

    backward, costates = compiled(D, d)
    model = random_model(D, d)
    for mu in (0.0, 0.7):
        for found, expected in zip(backward(*model, mu), riccati.backward(*model, mu)):
            assert np.allclose(found, expected, rtol=1e-9, atol=1e-9)
    assert np.allclose(costates(model[0], model[2]), riccati.costates(model[0], model[2]), rtol=1e-10)
    model[-1][4] -= 1e4 * np.eye(d)
    with pytest.raises(np.linalg.LinAlgError):
        backward(*model)
    with pytest.raises(np.linalg.LinAlgError):
        riccati.backward(*model)


@pytest.fixture
def without_numba(monkeypatch):
    """As if Numba were not installed."""
    monkeypatch.setitem(sys.modules, "numba", None)


@pytest.mark.parametrize("method", STEPS)
def test_rollout(method):
    """The compiled loop over time is that of Dynamics.rollout: open, with feedback, and in limits."""
    dynamics = rd.arm_dynamics(ARM, 0.01, [0.1, 0.2], method)
    plain = rd.Dynamics(dynamics.step)
    rng = np.random.default_rng(1)
    x0, u, k, K = rng.normal(size=4), rng.normal(size=(20, 2)), rng.normal(size=(20, 2)), rng.normal(size=(20, 2, 4))
    x_old = rng.normal(size=(21, 4))
    assert dynamics.roll is not None
    for more in ((), (k, K, x_old), (k, K, x_old, np.array([-1.0, -2.0]), np.array([1.0, 0.5]))):
        given = u.copy()
        for found, expected in zip(dynamics.rollout(x0, u, *more), plain.rollout(x0, u, *more)):
            assert np.allclose(found, expected, rtol=1e-10, atol=1e-10)
        assert (u == given).all()


@pytest.mark.parametrize("method", STEPS)
def test_long_simulations(method, request):
    """A long motion under a constant torque runs compiled, or as a program in plain Python, and is the same."""
    t = np.concatenate([np.linspace(0, 0.5, 1001), np.linspace(0.52, 0.6, 5)])  # steps of two lengths
    run = lambda tau: rd.simulate(ARM, [0.3, -0.2], [0.5, 0], tau, t, method)
    compiled, stepwise = run([0.5, -0.2]), run(lambda t, q, qd: [0.5, -0.2])
    request.getfixturevalue("without_numba")
    plain = run([0.5, -0.2])
    for motion in (compiled, plain):
        assert np.allclose(motion.q, stepwise.q, atol=1e-9) and np.allclose(motion.qd, stepwise.qd, atol=1e-9)
        assert (motion.tau == [0.5, -0.2]).all()


def test_a_long_motion_that_runs_away_is_told():
    """The compiled loop sees what the other sees, and says when."""
    arm = rd.robots.planar(1)
    with pytest.raises(ValueError, match=r"the motion must stay finite, got .* at t = "):
        rd.simulate(arm, [0], [0], [1e12], np.arange(2000) * 0.1, "euler")


@pytest.mark.parametrize("second_order", [False, True])
def test_same_optimum_without_numba(second_order, request):
    """What is found does not depend on what runs it."""
    problem = (ARM, [-0.8, 1.0], [0, 0], [1.2, 0.5], 26, 0.02, 1e-2)
    compiled = rd.reach(*problem, second_order=second_order)
    request.getfixturevalue("without_numba")
    plain = rd.reach(*problem, second_order=second_order)
    assert compiled.result == plain.result == "converged" and compiled.iterations == plain.iterations
    assert np.isclose(compiled.cost, plain.cost, rtol=1e-12)
    assert np.allclose(compiled.tau, plain.tau, atol=1e-7 * abs(plain.tau).max())


def test_products_of_any_shape():
    """Matrix and vector products, transposes, sums and long inner sums as loops are those of NumPy."""
    rng = np.random.default_rng(2)
    given = {"X": rng.normal(size=(3, 40)), "Y": rng.normal(size=(40, 2)), "z": rng.normal(size=40)}
    text = lambda X, Y, z: (X @ Y, Y.T @ X.T, X @ z, z @ z, (X @ Y - X @ Y * 0.5).T + Y.T @ X.T)
    loops = Loops()
    results = text(*(loops.read(name, *value.shape) for name, value in given.items()))
    for number, block in enumerate(results):
        loops.write(f"out{number}", block)
    outs = {f"out{number}": np.zeros(block.shape) for number, block in enumerate(results)}
    exec("\n".join(loops.lines), {"W": np.zeros(loops.size), **given, **outs})
    for found, expected in zip(outs.values(), text(*given.values())):
        assert np.allclose(found, expected)
