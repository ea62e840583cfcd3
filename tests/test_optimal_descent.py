"""The line search and the shortened step: one input, one step, and a cost that is any function of that input.

With x_1 = u, u = 0 at first, and a model of the cost of slope 1 and curvature 1, the direction is -1, and a step of
length a asks for the cost at u = -a.  So each trial of the search stands among the calls of the cost.
"""

from functools import partial

import numpy as np
import pytest

import robotdyn as rd

SHARE = 1e-4  # Nocedal and Wright (2006), section 3.1: "c_1 is chosen to be quite small, say c_1 = 10^-4"
LENGTHS = [2.0**-k for k in range(13)]


class Line:
    """A cost of one input, modeled as c + slope du + curvature du^2 / 2; it keeps the inputs that it was asked for."""

    def __init__(self, function, slope=1.0, curvature=1.0):
        self.function, self.slope, self.bend, self.asked = function, slope, curvature, []

    def value(self, x, u):
        self.asked.append(float(u[0, 0]))
        return self.function(u[0, 0])

    def expand(self, x, u):
        none = np.zeros((2, 1, 1))
        return none[:, 0], np.full((1, 1), self.slope), none, none[1:], np.full((1, 1, 1), self.bend)


def descent(cost, **options):
    """The Solution for a cost of one input, from u = 0; the next state is the input."""
    step = rd.Dynamics(lambda x, u: u + 0, lambda x, u: (np.zeros((1, 1, 1)), np.ones((1, 1, 1))))
    return rd.ilqr(step, cost, [0.0], [[0.0]], **options)


@pytest.mark.parametrize("long_enough", LENGTHS)
def test_each_step_taken_brings_a_share_of_what_its_slope_promises(long_enough):
    """Armijo's condition, c(a) <= c + 1e-4 a slope: half of it is refused, twice as much is taken, the longest step first."""
    share = lambda u: 2 if np.isclose(-u, long_enough) else 0.5
    cost = Line(lambda u: share(u) * SHARE * u)  # from 0, where no digit of a small gain is lost
    found = descent(cost, max_iterations=1)
    assert np.isclose(found.u[0, 0], -long_enough) and found.result == "iteration limit"
    assert np.allclose(cost.asked, [0, *(-a for a in LENGTHS if a >= long_enough)])
    assert np.isclose(found.cost, -2 * SHARE * long_enough, rtol=1e-12)


@pytest.mark.parametrize("slope", [0.5, 0.0, -0.5])
def test_a_cost_that_does_not_fall_is_left_where_it_is(slope):
    """Too little, nothing and less than nothing: no length and no shortening of the step is taken."""
    cost = Line(lambda u: slope * SHARE * u)
    found = descent(cost)
    assert found.result == "no descent" and found.u[0, 0] == 0 and found.iterations == 0
    tried = np.reshape(cost.asked[1:], (-1, 13))
    assert np.allclose(tried, tried[:, :1] * LENGTHS)
    mu = -1 / tried[:, 0] - 1  # |du| = 1 / (1 + mu): mu beside the curvature of the cost by the input
    assert mu[0] == 0 and np.isclose(mu[1], 1e-6, rtol=1e-3)
    assert np.allclose(mu[2:] / mu[1:-1], 10, rtol=1e-3) and 1e9 < mu[-1] < 1.1e10


def test_steps_are_shortened_tenfold_until_one_helps_and_lengthened_again():
    """mu = 0, 1e-6, 1e-5, .. beside the curvature; a success divides it by ten, and from 1e-6 on by all, for the next round to begin with."""
    # what is asked for: the first cost, 13 lengths three times, which bring nothing, and then five rounds whose second length helps
    c = 0.0 - np.arange(6)
    answers = iter([c[0], *39 * [np.inf], *(x for c_new in c[1:] for x in (np.inf, c_new))])
    cost = Line(lambda u: next(answers))
    found = descent(cost, max_iterations=5)
    asked = np.array(cost.asked)
    at = np.array([0.0, *asked[41::2][:-1]])  # where each of the five rounds begins
    steps = np.concatenate([asked[1:40:13], asked[40::2] - at])
    assert np.allclose(-1 / steps - 1, [0, 1e-6, 1e-5, 1e-4, 1e-5, 1e-6, 0, 0], rtol=1e-3, atol=1e-12)
    assert found.cost_history.tolist() == c.tolist() and len(asked) == 50


@pytest.mark.parametrize("still", [True, False])
def test_a_shortened_step_that_promises_little_is_asked_again(still):
    """Without shortening: where that promises little, too, the motion has converged; where it promises more, it is tried."""
    # mu = 0, 1e-6, .., 1 bring nothing, mu = 10 helps, and the round after it begins with mu = 1
    answers = iter([1.0, *104 * [np.inf], -10.0, -11.0])
    cost = Line(lambda u: next(answers))

    def found_one(x, u, c):
        if still and c == -10.0:
            cost.slope = 0.0

    found = descent(cost, tolerance=0.04, max_iterations=2, callback=found_one)
    tried = np.array(cost.asked)
    assert np.allclose(-1 / tried[1:106:13] - 1, [0, *10.0 ** np.arange(-6, 2)], rtol=1e-3, atol=1e-12)
    if still:
        assert found.result == "converged" and found.iterations == 1 and len(tried) == 106
    else:  # 3/8 with mu = 1 is less than 0.04 of 10, 1/2 is more
        assert np.isclose(tried[106] - tried[105], -1, rtol=1e-12) and found.iterations == 2


@pytest.mark.parametrize("way", [rd.ilqr, partial(rd.ilqr, method="batch"), rd.multiple_shooting])
@pytest.mark.parametrize(
    ("by_inputs", "B", "by_state"),
    [
        ([1.0, 1e9], 0.0, 0.0),  # inputs whose costs differ a billionfold
        ([1.0, 1.0], 1.0, 1e9),  # and states that one of them moves: Q_uu = l_uu + B^T l_xx B
        ([1.0, 1.0], -1.0, -1e9),
        ([1.0, 1.0], -1e5, 0.1),
        ([1.0, -1e9], 0.0, 0.0),
    ],
)
def test_the_shortest_step_goes_straight_downhill(way, by_inputs, B, by_state):
    """Where nothing helps, the last step tried is along the steepest descent, -Q_u, whatever the curvatures are."""
    tried = []

    class Flat:
        def value(self, x, u):
            tried.append(u[0].copy())
            return 0.0 if not u.any() else 1.0

        def expand(self, x, u):
            l_xx = np.zeros((2, 1, 1))
            l_xx[1] = by_state
            return np.zeros((2, 1)), np.ones((1, 2)), l_xx, np.zeros((1, 2, 1)), np.diag(by_inputs)[None]

    slopes = np.array([[[B, 0.0]]])
    step = rd.Dynamics(lambda x, u: slopes[0] @ u, lambda x, u: (np.zeros((1, 1, 1)), slopes))
    gap = 1e-30  # so small that it counts nothing, and yet it has to be closed
    found = way(step, Flat(), [[0.0], [gap]] if way is rd.multiple_shooting else [0.0], [[0.0, 0.0]])
    last = np.array([u for u in tried if u.any()][-1])
    assert found.result == "no descent" and not found.u.any()
    assert np.allclose(last / np.linalg.norm(last), -np.sqrt([0.5, 0.5]), rtol=0, atol=1e-6)
    Q = np.diag(by_inputs) + by_state * np.outer(slopes[0], slopes[0])
    if (np.linalg.eigvalsh(Q) > 0).all():  # then the first try is not shortened, and the second one by a millionth of Q
        moved = np.array([u for u in tried if u.any()])
        most = np.argmax(np.diag(Q))
        assert 0.5e-6 < moved[0, most] / moved[13, most] - 1 < 2e-6


def test_gains_are_of_the_model_itself():
    """However the motion was found, its gains K are those of Gauss-Newton's model there, Q_uu K = -Q_ux, not of shortened steps."""
    A, B, R = np.array([[1.0, 0.1], [-0.3, 0.9]]), np.array([[0.0], [0.2]]), 0.5
    cost = rd.costs.effort(R) + rd.costs.residual(lambda x: x - [1.0, 0.0], 3.0, at=None)
    V, expected = 6.0 * np.eye(2), []  # 2 w of the last state, and back in time: Riccati
    for _ in range(7):
        K = -np.linalg.solve(2 * R * np.eye(1) + B.T @ V @ B, B.T @ V @ A)
        V = 6.0 * np.eye(2) + A.T @ V @ (A + B @ K)
        expected.insert(0, K)
    cart = rd.Dynamics(lambda x, u: A @ x + B @ u)
    for options in ({}, {"max_iterations": 0}, {"max_iterations": 1}, {"method": "batch"}):
        assert np.allclose(rd.ilqr(cart, cost, [0.3, -0.2], np.ones((7, 1)), **options).gains, expected, atol=1e-6)
    rising = Line(lambda u: u, curvature=-1.0)  # no minimum to have gains about
    assert not descent(rising, max_iterations=0).gains.any()
