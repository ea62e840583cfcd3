"""Multiple shooting: linear motion in one step, a system that runs away under first inputs, a better optimum, limits."""

import numpy as np
import pytest

import robotdyn as rd
from robotdyn import costs
from robotdyn.optimal.shooting import GAP_DECREASE

ARM, T = rd.robots.two_link(), 41
START, GOAL = np.array([-1.0, 0.5, 0, 0]), np.array([0.6, -0.4, 0, 0])
COST = costs.effort(1e-2) + costs.joint_position(GOAL[:2], 1e3) + costs.joint_velocity(1e2)


def straight(start, goal, states):
    """A wish: the straight line from start to goal, which no motion need follow."""
    return np.linspace(start, goal, states)


def test_linear_motion_in_one_step():
    """Where the dynamics are linear and the cost is quadratic, one step closes all gaps, at the least cost."""
    A, B = np.array([[1, 0.1], [0, 1]]), np.array([[0.005], [0.1]])
    cart = rd.Dynamics(lambda x, u: A @ x + B @ u)
    cost = costs.effort(0.1) + costs.residual(lambda x: x - [1, 0], 10.0)
    wish = np.random.default_rng(1).normal(size=(16, 2))
    found = rd.multiple_shooting(cart, cost, wish, np.ones((15, 1)))
    best = rd.ilqr(cart, cost, wish[0], np.zeros((15, 1)))
    assert found.result == "converged" and np.isclose(found.cost_history[0], best.cost)
    assert np.allclose(found.x, best.x, atol=1e-6) and np.allclose(found.u, best.u, atol=1e-6)


def test_what_runs_away_under_the_first_inputs():
    """dx/dt = x^3 + u without inputs is infinite after half a second: plain iLQR ends before it begins."""
    runaway = rd.Dynamics(lambda x, u: x + 0.02 * (x**3 + u))
    cost = costs.effort(0.02) + costs.residual(lambda x: x, 100.0)
    idle = np.zeros((75, 1))
    with np.errstate(over="ignore", invalid="ignore"):
        assert rd.ilqr(runaway, cost, [1.0], idle).result == "diverged"
    found = rd.multiple_shooting(runaway, cost, straight([1.0], [0.0], 76), idle)
    assert found.result == "converged" and abs(found.x[-1]).max() < 0.05
    assert np.allclose(found.x[1:], [runaway.step(x, u) for x, u in zip(found.x, found.u)], rtol=0, atol=1e-15)
    # who knows inputs that tame it finds the same optimum from there
    tamed = rd.ilqr(runaway, cost, [1.0], np.full((75, 1), -1.0))
    assert np.isclose(found.cost, tamed.cost, rtol=1e-8)


def test_a_wish_finds_a_better_optimum():
    """With its motors off the arm falls at first, and plain iLQR ends in a worse optimum than from a straight line."""
    dynamics = rd.arm_dynamics(ARM, 0.025)
    wish, u = straight(START, GOAL, T), np.zeros((T - 1, 2))
    free, plain = rd.multiple_shooting(dynamics, COST, wish, u), rd.ilqr(dynamics, COST, START, u)
    assert free.result == plain.result == "converged" and free.cost < 0.95 * plain.cost
    assert rd.ilqr(dynamics, COST, START, free.u).iterations <= 1  # an optimum indeed
    bound = 0.8 * abs(free.u).max(axis=0)
    held = rd.multiple_shooting(dynamics, COST, wish, u, limits=(-bound, bound))
    assert held.result == "converged" and (abs(held.u) <= bound).all() and held.cost > free.cost


def test_bad_input():
    """Sentences."""
    dynamics = rd.arm_dynamics(ARM, 0.025)
    with pytest.raises(ValueError, match=r"x must have shape \(T, D\) with T >= 2 states, got \(4,\)"):
        rd.multiple_shooting(dynamics, COST, START, np.zeros((3, 2)))
    with pytest.raises(
        ValueError, match=r"u must have shape \(40, d\), one input less than there are states, got \(3, 2\)"
    ):
        rd.multiple_shooting(dynamics, COST, straight(START, GOAL, T), np.zeros((3, 2)))
    with pytest.raises(TypeError, match="dynamics must be a Dynamics"):
        rd.multiple_shooting(3, COST, straight(START, GOAL, T), np.zeros((40, 2)))


# ---- one step, by its definition --------------------------------------------------------------------------------------


class Told:
    """A cost whose derivatives are numbers given, and whose value is any function of the inputs; it keeps what it was asked."""

    def __init__(self, answer, l_x, l_u, l_xx, l_ux, l_uu):
        self.answer, self.model, self.asked = answer, [l_x, l_u, l_xx, l_ux, l_uu], []

    def value(self, x, u):
        self.asked.append(u.copy())
        return self.answer(u)

    def expand(self, x, u):
        return self.model


def quadratic(seed, far):
    """A linear system of 2 states and 2 inputs, 3 steps, a convex cost by all terms, and a wish whose gaps are `far` each."""
    rng = np.random.default_rng(seed)
    A, B = rng.normal(size=(2, 2)), rng.normal(size=(2, 2))
    half = rng.normal(size=(4, 4, 4))
    whole = half @ half.transpose(0, 2, 1) + 0.5 * np.eye(4)  # of (x_t, u_t), positive definite
    model = rng.normal(size=(4, 2)), rng.normal(size=(3, 2)), whole[:, :2, :2], whole[:3, 2:, :2], whole[:3, 2:, 2:]
    x, u = rng.normal(size=(4, 2)), rng.normal(size=(3, 2))
    gaps = far * rng.normal(size=(3, 2))
    for t in range(3):
        x[t + 1] = A @ x[t] + B @ u[t] - gaps[t]
    return rd.Dynamics(lambda x, u: A @ x + B @ u), A, B, model, x, u, gaps


def best_step(A, B, model, gaps):
    """Return du (3, 2), and slope and curvature along the motion dx_(t+1) = A dx_t + B du_t + gap_t, by the conditions of Lagrange.

    All unknowns at once, without a pass back in time: the least g.z + z.H z / 2 of z = (dx, du) under C z = b.
    """
    l_x, l_u, l_xx, l_ux, l_uu = model
    H, g = np.zeros((14, 14)), np.concatenate([l_x.ravel(), l_u.ravel()])
    C, b = np.zeros((8, 14)), np.concatenate([[0, 0], gaps.ravel()])
    C[:, :8] = np.eye(8)
    for t in range(4):
        i, j = slice(2 * t, 2 * t + 2), slice(8 + 2 * t, 10 + 2 * t)
        H[i, i] = l_xx[t]
        if t < 3:
            H[j, j], H[j, i], H[i, j] = l_uu[t], l_ux[t], l_ux[t].T
            after = slice(2 * t + 2, 2 * t + 4)
            C[after, i], C[after, j] = -A, -B
    z = np.linalg.solve(np.block([[H, C.T], [C, np.zeros((8, 8))]]), np.concatenate([-g, b]))[:14]
    return z[8:].reshape(3, 2), g @ z, z @ H @ z / 2


@pytest.mark.parametrize("long_enough", [1.0, 0.5, 0.25, 2.0**-7, 2.0**-12])
@pytest.mark.parametrize(("seed", "far"), [(0, 3.0), (1, 3.0), (2, 3.0), (3, 1e-3)])
def test_a_step_is_taken_where_the_merit_falls_enough(seed, far, long_enough):
    """c + price sum|gap| falls by a ten thousandth of its slope at least; the longest such step is taken, and leaves 1 - a of each gap.

    Nocedal and Wright (2006), (18.36): price = (slope + max(curvature, 0)) / ((1 - rho) sum|gap|), never below 0; (18.28).
    """
    dynamics, A, B, model, x, u, gaps = quadratic(seed, far)
    du, slope, curvature = best_step(A, B, model, gaps)
    size = abs(gaps).sum()
    assert 0 < GAP_DECREASE < 1
    price = max(0, (slope + max(curvature, 0)) / ((1 - GAP_DECREASE) * size))
    assert (price == 0) == (far == 1e-3)  # where gaps hardly count, the cost falls on the way
    length = lambda v: np.sum((v - u) * du) / np.sum(du**2)
    margin = 1e-9 * (abs(slope) + price * size)  # beside the 2e-8 of them that the share brings at the shortest step

    def answer(v):
        a = length(v)
        enough = 0.7 + price * size - price * (1 - a) * size + 1e-4 * a * (slope - price * size)
        return 0.7 if a < 1e-9 else enough + (margin if a > 1.01 * long_enough else -margin)

    cost = Told(answer, *model)
    found = rd.multiple_shooting(dynamics, cost, x, u, max_iterations=1)
    asked = np.array(cost.asked)
    tried = [a for a in 2.0 ** -np.arange(13) if a >= long_enough]
    assert np.allclose(asked[: len(tried) + 1], [u, *(u + a * du for a in tried)], rtol=0, atol=1e-8)
    assert np.allclose(found.u, u + long_enough * du, rtol=0, atol=1e-8) and found.result == "iteration limit"
    left = np.array([A @ x_t + B @ u_t for x_t, u_t in zip(found.x, found.u)]) - found.x[1:]
    assert np.allclose(left, (1 - long_enough) * gaps, rtol=0, atol=1e-8)
    assert np.array_equal(found.x[0], x[0])
    if long_enough < 1:
        assert found.iterations == 0 and found.cost == found.cost_history[0] and not found.gains.any()


@pytest.mark.parametrize("enough", [True, False])
def test_the_price_of_gaps_never_falls(enough):
    """A second step whose cost falls by itself is measured by the price of the first one, which asked for more."""
    dynamics, A, B, model, x, u, gaps = quadratic(0, 3.0)
    du, slope, curvature = best_step(A, B, model, gaps)
    price = (slope + curvature) / ((1 - GAP_DECREASE) * abs(gaps).sum())
    second = *(100 * part for part in model[:2]), *model[2:]  # steep: the cost falls far
    after, steep, bend = best_step(A, B, second, gaps / 2)
    assert price > 0 > steep + bend
    size, margin = abs(gaps / 2).sum(), 1e-6 * abs(steep)

    def answer(v):
        if len(cost.asked) <= 3:  # at the wish; a whole step, refused; half of one, taken
            cost.model = second if len(cost.asked) == 3 else model
            return (0.0, np.inf, -1e9)[len(cost.asked) - 1]
        if len(cost.asked) == 4:
            return 0.7
        merit = 0.7 + price * size + 1e-4 * (steep - price * size)  # of a whole step, which leaves no gap
        return merit + (-margin if enough else margin) if len(cost.asked) == 5 else np.inf

    cost = Told(answer, *model)
    found = rd.multiple_shooting(dynamics, cost, x, u, max_iterations=2)
    assert np.allclose(cost.asked[4], u + du / 2 + after)
    assert np.allclose(found.u, u + du / 2 + (after if enough else 0))


def in_one_step(answer):
    """A wish of two states, x_1 = u, gap -3, and a model of slope 1 and curvature 2 by u, slope 1 by x_1: its best du is -1."""
    none = np.zeros((2, 1, 1))
    cost = Told(answer, np.ones((2, 1)), np.ones((1, 1)), none, none[1:], np.full((1, 1, 1), 2.0))
    step = rd.Dynamics(lambda x, u: u + 0, lambda x, u: (np.zeros((1, 1, 1)), np.ones((1, 1, 1))))
    return cost, lambda **options: rd.multiple_shooting(step, cost, [[0.0], [3.0]], [[0.0]], **options)


def test_steps_are_shortened_tenfold_until_one_helps_and_lengthened_again():
    """Levenberg and Marquardt: mu = 0, 1e-6, 1e-5, .. beside the curvature, |du| = 1 / (1 + mu); a success divides it by ten, below 1e-6 by all."""
    # what each round asks for: the cost as it is, then the lengths from 1 on; three rounds bring nothing, then halves help
    refused, answers = 14 * 3, iter([*3 * (0.0, *13 * (np.inf,)), *5 * (0.0, np.inf, -1e9), 0.0])
    cost, shoot = in_one_step(lambda v: next(answers))
    shoot(max_iterations=8)
    asked = np.ravel(cost.asked)
    at, whole = asked[refused::3][:5], asked[refused + 1 :: 3][:5]  # not the last one, of the end
    steps = np.concatenate([asked[1:refused:14], whole - at])
    mu = -1 / steps - 1
    assert np.allclose(mu, [0, 1e-6, 1e-5, 1e-4, 1e-5, 1e-6, 0, 0], rtol=1e-3, atol=1e-12)


def test_the_most_that_a_step_is_shortened():
    """mu up to 1e10: what then brings nothing is "no descent"; the motion is the wish, as it was."""
    cost, shoot = in_one_step(lambda v: 5.0 if v == 0 else np.inf)
    found = shoot()
    asked = np.reshape(np.ravel(cost.asked)[:-1], (-1, 14))
    mu = -1 / asked[:, 1] - 1
    assert found.result == "no descent" and found.cost == 5.0 and found.u == 0 and found.x.tolist() == [[0.0], [3.0]]
    assert len(mu) == 18 and np.allclose(mu, [0, *10.0 ** np.arange(-6, 11)], rtol=1e-3)
    assert np.allclose(asked[:, 1:], asked[:, 1:2] * 2.0 ** -np.arange(13))


def test_no_input_is_tried_out_of_its_limits():
    """Neither by the best step nor by the answer to a state that is elsewhere than the linear motion says."""
    pendulum = rd.Dynamics(lambda x, u: np.array([x[0] + 0.3 * x[1], x[1] + 0.3 * (u[0] - 6 * np.sin(x[0]))]))
    cost = costs.effort(1e-3) + costs.residual(lambda x: x - [2.0, 0.0], 10.0)
    tried = []

    class Seen:
        def value(self, x, u):
            tried.append(u.copy())
            return cost.value(x, u)

        def expand(self, x, u):
            return cost.expand(x, u)

    found = rd.multiple_shooting(
        pendulum,
        Seen(),
        straight([0.0, 0.0], [2.0, 0.0], 9),
        np.full((8, 1), 9.0),
        limits=(-2.0, 1.5),
        max_iterations=3,
    )
    assert len(tried) > 3 and np.min(tried) == -2.0 and np.max(tried) == 1.5
    assert found.u.shape == (8, 1)


def test_gaps_close_where_the_states_cost_nothing():
    """With inputs at zero and a cost of inputs alone there is nothing to gain, and yet the motion comes to follow from them."""
    turn = rd.Dynamics(lambda x, u: np.array([x[0] + 0.1 * x[1], x[1] + 0.1 * u[0]]))
    found = rd.multiple_shooting(turn, costs.effort(1.0), straight([0.0, 1.0], [5.0, 5.0], 6), np.zeros((5, 1)))
    assert found.result == "converged" and found.cost == 0 and not found.u.any()
    assert np.allclose(found.x, np.stack([0.1 * np.arange(6), np.ones(6)], axis=1), rtol=0, atol=1e-12)
