"""One text, many worlds: symbols, numbers and batches of states give the same."""

import numpy as np
import pytest
import sympy as sp
from arms import MIXES, arm_and_state, derivative

import robotdyn as rd
from robotdyn.dynamics import planar

CALLS = {
    "mass_matrix": (rd.mass_matrix, "q"),
    "gravity_torque": (rd.gravity_torque, "q"),
    "potential_energy": (rd.potential_energy, "q"),
    "tip_jacobian": (rd.tip_jacobian, "q"),
    "point_position": (rd.point_position, "q"),
    "link_poses": (rd.link_poses, "q"),
    "kinetic_energy": (rd.kinetic_energy, "q qd"),
    "mobility": (rd.task_space.mobility, "q"),
    "bias_torque": (rd.bias_torque, "q qd"),
    "coriolis_matrix": (rd.coriolis_matrix, "q qd"),
    "point_acceleration": (rd.point_acceleration, "q qd qdd"),
    "inverse_dynamics": (rd.inverse_dynamics, "q qd qdd"),
    "forward_dynamics": (rd.forward_dynamics, "q qd qdd"),
    "accelerometer": (rd.sensors.accelerometer, "q qd qdd"),
    "gyroscope": (rd.sensors.gyroscope, "q qd"),
    "inverse_dynamics_derivatives": (rd.inverse_dynamics_derivatives, "q qd qdd"),
    "regressor": (rd.regressor, "q qd qdd"),
    "momentum_regressor": (rd.momentum_regressor, "q qd"),
    "energy_regressor": (rd.energy_regressor, "q qd"),
    "forward_dynamics_derivatives": (rd.forward_dynamics_derivatives, "q qd qdd"),
}
# Fractions within fractions, and derivatives of them, take long as formulas: so many joints are enough.
LONGEST = {"forward_dynamics": 2, "mobility": 2, "inverse_dynamics_derivatives": 1, "forward_dynamics_derivatives": 1}


def states(n, rng, batch=()):
    return dict(zip(("q", "qd", "qdd"), rng.normal(size=(3, *batch, n))))


def numbers(result):
    """Flatten any result of the library to one array of floats."""
    parts = result if isinstance(result, tuple) else (result,)
    return np.concatenate(
        [np.array(part.tolist() if hasattr(part, "tolist") else part, float).ravel() for part in parts]
    )


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("mix", ["r", "rp", "sr", pytest.param("prr", marks=pytest.mark.slow)])
def test_symbols_give_the_numbers(name, mix):
    """A formula, evaluated at a state, is what the same text computes at that state."""
    function, arguments = CALLS[name]
    mix = mix[: LONGEST.get(name)]
    arm, *_ = arm_and_state(mix)
    state = states(len(mix), np.random.default_rng(5))
    symbols = {key: sp.symbols(f"{key}1:{len(mix) + 1}", real=True) for key in arguments.split()}
    formula = function(arm, *symbols.values())
    point = {s: sp.Float(v) for key, row in symbols.items() for s, v in zip(row, state[key])}
    found = numbers(tuple(part.xreplace(point) for part in (formula if isinstance(formula, tuple) else (formula,))))
    expected = numbers(function(arm, *(state[key] for key in arguments.split())))
    assert abs(found - expected).max() < 1e-11 * (1 + abs(expected).max())


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("mix", [mix for mix in MIXES if len(mix) < 6])
def test_batches_give_each_state(name, mix):
    """Row k of a batch is the result at state k."""
    function, arguments = CALLS[name]
    arm, *_ = arm_and_state(mix)
    batch = states(len(mix), np.random.default_rng(6), batch=(2, 3))
    together = function(arm, *(batch[key] for key in arguments.split()))
    for index in np.ndindex(2, 3):
        alone = function(arm, *(batch[key][index] for key in arguments.split()))
        row = tuple(part[index] for part in together) if isinstance(together, tuple) else together[index]
        assert abs(numbers(row) - numbers(alone)).max() < 1e-11 * (1 + abs(numbers(alone)).max())
        assert np.shape(row[0] if isinstance(row, tuple) else row) == np.shape(
            alone[0] if isinstance(alone, tuple) else alone
        )


def test_batches_broadcast():
    """One state and many velocities make a batch; so does a batch of tip wrenches."""
    arm, q, qd, qdd, w = arm_and_state("rpr")
    many = np.stack([qd, 2 * qd, 0 * qd])
    found = rd.inverse_dynamics(arm, q, many, qdd)
    assert found.shape == (3, 3)
    assert np.allclose(found[1], rd.inverse_dynamics(arm, q, 2 * qd, qdd), rtol=1e-13)
    wrenches = np.stack([w, -w])
    found = rd.forward_dynamics(arm, q, qd, qdd, wrenches)
    assert np.allclose(found[1], rd.forward_dynamics(arm, q, qd, qdd, -w), rtol=1e-12)


def test_an_empty_batch_is_an_empty_result():
    """No states in, no states out."""
    arm = rd.robots.planar(2)
    assert rd.forward_dynamics(arm, *np.zeros((3, 0, 2))).shape == (0, 2)
    assert rd.mass_matrix(arm, np.zeros((0, 2))).shape == (0, 2, 2)


def test_kinds():
    """Symbols in a list or Matrix come back as a Matrix, in an array as an array, an energy as an expression."""
    arm, q = rd.robots.two_link(symbolic=True), sp.symbols("q1 q2", real=True)
    assert isinstance(rd.mass_matrix(arm, q), sp.MatrixBase)
    assert rd.gravity_torque(arm, sp.Matrix(q)).shape == (2, 1)
    assert rd.gravity_torque(arm, np.array(q, dtype=object)).shape == (2,)
    assert isinstance(rd.potential_energy(arm, q), sp.Expr)
    assert isinstance(rd.mass_matrix(arm, [0, 1]), sp.MatrixBase)
    assert rd.mass_matrix(rd.robots.two_link(), [0, 1]).dtype == float


def test_no_float_stands_in_a_formula():
    """The formulas of a symbolic arm hold integers and rationals, not 1.0 or 0.5."""
    q, qd, qdd = (sp.symbols(f"{name}1:3", real=True) for name in ("q", "w", "a"))
    for arm in (
        rd.robots.two_link(symbolic=True),
        rd.robots.uniform_two_link(symbolic=True),
        rd.robots.rp(symbolic=True),
    ):
        for formula in (
            rd.inverse_dynamics(arm, q, qd, qdd),
            rd.coriolis_matrix(arm, q, qd),
            rd.kinetic_energy(arm, q, qd),
        ):
            assert not sp.sympify(formula).atoms(sp.Float)


@pytest.mark.parametrize("n", range(1, 7))
def test_planar_closed_form_agrees_with_the_recursions(n):
    """M = L^T M~ L and so on: two derivations that share no line, general centers of mass and inertias."""
    rng = np.random.default_rng(n)
    arm = rd.robots.planar(*rng.uniform(0.5, 1.5, (2, n)), rng.normal(size=(n, 2)), rng.uniform(0.1, 1, n))
    q, qd, qdd = rng.normal(size=(3, n))
    L = planar.L(n)
    M, C, g = planar.relative(arm, q)
    assert np.allclose(M, rd.mass_matrix(arm, q), atol=1e-12)
    assert np.allclose(C @ np.diag(L @ qd) @ L, rd.coriolis_matrix(arm, q, qd), atol=1e-12)
    assert np.allclose(g, rd.gravity_torque(arm, q), atol=1e-12)
    u = planar.inverse_dynamics(arm, L @ q, L @ qd, L @ qdd)
    assert np.allclose(planar.joint_torques(u), rd.inverse_dynamics(arm, q, qd, qdd), atol=1e-11)
    assert np.allclose(planar.forward_dynamics(arm, L @ q, L @ qd, u), L @ qdd, atol=1e-11)
    assert np.allclose(planar.generalized_forces(planar.joint_torques(u)), u, atol=1e-12)
    assert np.allclose(planar.to_relative(planar.to_absolute(q)), q, atol=1e-14)


@pytest.mark.parametrize("n", range(1, 6))
def test_planar_derivatives(n):
    """dM~, dC~, dg~ are the derivatives of M~, C~, g~, to the error of the five-point rule."""
    rng = np.random.default_rng(n)
    arm = rd.robots.planar(*rng.uniform(0.5, 1.5, (2, n)), rng.normal(size=(n, 2)), rng.uniform(0.1, 1, n))
    q = rng.normal(size=n)
    terms = derivative(lambda q: np.concatenate([np.ravel(term) for term in planar.absolute(arm, q)]), q)
    found = [np.reshape(slopes, (-1, n)) for slopes in planar.derivatives(arm, q)]
    assert abs(np.concatenate(found) - terms).max() < 1e-9


def test_planar_takes_symbols_and_batches():
    """The closed form in absolute angles is one text for symbols, numbers and batches too."""
    arm, q = rd.robots.planar(3, symbolic=True), sp.symbols("q1:4", real=True)
    M, C, g = planar.absolute(arm, q)
    l1, l3, m3 = (sp.Symbol(name, positive=True) for name in ("l_1", "l_3", "m_3"))
    assert sp.expand(M[0, 2] - l1 * l3 * m3 * sp.cos(q[0] - q[2])) == 0
    assert sp.expand(C[0, 2] - l1 * l3 * m3 * sp.sin(q[0] - q[2])) == 0
    assert g.shape == (3, 1)
    numeric, states = rd.robots.planar(3), np.random.default_rng(0).normal(size=(4, 3))
    for k in range(4):
        for together, alone in zip(planar.absolute(numeric, states), planar.absolute(numeric, states[k])):
            assert np.allclose(together[k], alone, atol=1e-14)
