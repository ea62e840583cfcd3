"""Constraints by the augmented Lagrangian: closed forms, another solver, multipliers as prices, what a penalty cannot do."""

import itertools

import numpy as np
import pytest
import scipy.optimize

import robotdyn as rd
from robotdyn import costs
from robotdyn.optimal import constrained

DT, STEPS = 0.1, 15
A, B = np.array([[1, DT], [0, 1]]), np.array([[DT**2 / 2], [DT]])  # a mass of 1 kg on a rail
CART = rd.Dynamics(lambda x, u: A @ x + B @ u, lambda x, u: (np.tile(A, (len(u), 1, 1)), np.tile(B, (len(u), 1, 1))))
AT_ONE = costs.residual(lambda x: x - [1, 0], 1.0)
S = np.hstack([np.linalg.matrix_power(A, STEPS - 1 - t) @ B for t in range(STEPS)])  # u -> the last state, from rest


def cart(constraints, **more):
    return rd.constrained_ilqr(CART, costs.effort(1.0), constraints, [0, 0], np.zeros((STEPS, 1)), **more)


def test_least_effort_to_a_state():
    """The inputs are S^T (S S^T)^-1 x, and the multipliers 2 (S S^T)^-1 x up to the sign of the residual."""
    found = cart(AT_ONE)
    y = np.linalg.solve(S @ S.T, [1, 0])
    assert found.result == "converged" and np.allclose(found.x[-1], [1, 0], atol=1e-8)
    assert np.allclose(found.u[:, 0], S.T @ y, atol=1e-6)
    assert np.allclose(found.multipliers[0][0], -2 * y, rtol=1e-5)
    assert np.isclose(found.cost, found.u[:, 0] @ found.u[:, 0])


def test_a_box_along_the_way():
    """With a speed limit the motion is that of a general solver (SLSQP), which knows nothing of time."""
    box = costs.residual(lambda x: x[1:], 1.0, at=list(range(STEPS + 1)), box=0.8)
    found = cart(AT_ONE + box)
    speed = np.tril(np.full((STEPS, STEPS), DT))
    other = scipy.optimize.minimize(
        lambda u: u @ u, found.u[:, 0] * 0, jac=lambda u: 2 * u, method="SLSQP", options={"ftol": 1e-14, "maxiter": 500},
        constraints=[{"type": "eq", "fun": lambda u: S @ u - [1, 0], "jac": lambda u: S},
                     {"type": "ineq", "fun": lambda u: 0.8 - speed @ u, "jac": lambda u: -speed}],
    )  # fmt: skip
    assert other.success and np.allclose(found.u[:, 0], other.x, atol=1e-4) and np.isclose(found.cost, other.fun)
    assert abs(found.x[:, 1]).max() <= 0.8 + 1e-8 and (found.multipliers[1] > 0).any()


def test_a_weight_grows_where_its_constraint_comes_nearer_too_slowly_and_there_alone(monkeypatch):
    """Ten times from one round to the next, where more than a quarter of what was missed is missed still.

    That is the rule of the augmented Lagrangian (Nocedal and Wright, section 17.4): a weight that grew without need
    would make each round harder to minimize. Here what is missed, and the weight, are read from the residual's own calls.
    """
    weights, missed = [], []
    shifted, solve = constrained._shifted, constrained.ilqr

    def shift(term, growth, by):
        weights.append(growth)
        return shifted(term, growth, by)

    def solved(*given):
        found = solve(*given)
        missed.append(abs(found.x[-1] - [1, 0]).max())
        return found

    monkeypatch.setattr(constrained, "_shifted", shift)
    monkeypatch.setattr(constrained, "ilqr", solved)
    assert cart(costs.residual(lambda x: x - [1, 0], 3.0), violation=1e-7).result == "converged"
    slow = [now > before / 4 for before, now in zip([np.inf, *missed], missed)][: len(weights) - 1]
    ratios = [after / before for before, after in itertools.pairwise(weights)]
    assert any(slow) and not all(slow) and max(weights) < constrained.MAX_GROWTH
    assert ratios == pytest.approx([10.0 if one else 1.0 for one in slow])


@pytest.fixture(scope="module")
def reach():
    """The 2R arm reaches a point exactly, at rest, its joints within limits that the free motion does not keep."""
    arm = rd.robots.two_link()
    start, u = np.array([-np.pi / 2, 0.3, 0, 0]), np.zeros((50, 2))

    def constraints(w, x=1.2):
        ends = costs.tip_position(arm, [x, 0.5], w) + costs.joint_velocity(w)
        return ends + costs.joint_position([0, 0], w, at=None, box=[1.6, 1.9])

    solve = lambda x: rd.constrained_ilqr(
        rd.arm_dynamics(arm, 0.02), costs.effort(1e-3), constraints(1e2, x), start, u, violation=1e-9
    )
    return arm, start, u, constraints, solve


def test_what_a_penalty_cannot_do(reach):
    """To keep the limits to 1e-8 a penalty must weigh 1e8, and plain iLQR gets nowhere; here both hold, at little cost."""
    arm, start, u, constraints, solve = reach
    found = solve(1.2)
    assert found.result == "converged" and found.violation <= 1e-9
    assert (abs(found.q) <= [1.6 + 1e-9, 1.9 + 1e-9]).all() and abs(found.qd[-1]).max() <= 1e-9
    assert np.allclose(rd.point_position(arm, found.q[-1])[:2], [1.2, 0.5], atol=1e-9)
    plain = rd.ilqr(
        rd.arm_dynamics(arm, 0.02), costs.effort(1e-3) + constraints(1e8), start, u, max_iterations=found.iterations
    )
    assert plain.result == "iteration limit" and costs.effort(1e-3).value(plain.x, plain.u) > 10 * found.cost


def test_multipliers_are_prices(reach):
    """Where the target moves by h, and r = h of the old one is asked for, the cost of the best motion changes by -y h."""
    *_, solve = reach
    h = 1e-3
    slope = (solve(1.2 + h).cost - solve(1.2 - h).cost) / (2 * h)
    assert np.isclose(slope, -solve(1.2).multipliers[0][0, 0], rtol=1e-3)


def test_what_cannot_be_kept_is_told():
    """Two places at one time: the result says so, and what to do."""
    found = cart(AT_ONE + costs.residual(lambda x: x[:1] - 2, 1.0), rounds=5)
    assert found.result == "infeasible" and found.violation > 0.1 and "Ask for less" in found.advice


def test_bad_input():
    """Sentences."""
    with pytest.raises(TypeError, match="cost and constraints must be Costs, such as"):
        cart(3)
    with pytest.raises(ValueError, match="constraints must hold terms on states and no effort: limits of inputs go"):
        cart(costs.effort(1.0))
    with pytest.raises(ValueError, match="constraints must have weights > 0, got 0: leave out what need not be kept"):
        cart(costs.residual(lambda x: x, 0.0))
    with pytest.raises(ValueError, match="violation must be > 0 in the unit of the residual, got 0"):
        cart(AT_ONE, violation=0)
    with pytest.raises(ValueError, match="rounds must be a whole number >= 1, got 0"):
        cart(AT_ONE, rounds=0)
