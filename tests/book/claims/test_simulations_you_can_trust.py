"""Sentences of the page "Simulations you can trust", on longer motions, other poses and other methods."""

import numpy as np
import pytest

import robotdyn as rd

ARM = rd.robots.planar(2)
FINEST = {"method": "solve_ivp", "rtol": 1e-13, "atol": 1e-14}


@pytest.mark.parametrize("start", [(0.5, 2.0), (1.0, 0.5)])
def test_an_error_estimate_is_right_while_errors_are_small(start):
    """A motion that multiplies every error tenfold within a second leaves the estimate right as long as the errors are small;
    once it has grown to the size of the motion it says only that the digits are lost."""
    begin, end = np.array(start), np.array([0, 8.0])
    true, beside = (rd.simulate(ARM, q, [0, 0], None, end, **FINEST).q[-1] for q in (begin, begin + 1e-9))
    assert abs(beside - true).max() > 1e-9 * 1e4
    ratios = []
    for n in (500, 16_000):
        run = rd.simulate(ARM, begin, [0, 0], None, np.linspace(0, 8, n + 1), method="rk4", error=True)
        k = int(abs(run.q[-1] - true).argmax())
        ratios.append((abs(run.q[-1] - true)[k], run.error[-1, 0, k]))
    (large, told_large), (small, told_small) = ratios
    assert small < 1e-4 and told_small == pytest.approx(small, rel=0.1)
    assert large > 0.5 and told_large > 0.3


def test_implicit_euler_radau_and_bdf_of_order_two_are_a_stable_and_no_higher_bdf_is():
    """No decaying linear motion grows at any step under implicit Euler, Radau and BDF up to order two; under explicit methods some do."""
    rng = np.random.default_rng(1)
    z = -(10 ** rng.uniform(-2, 3, 4000)) * np.exp(1j * rng.uniform(-1.57, 1.57, 4000))
    assert abs(1 / (1 - z)).max() < 1
    radau = (1 + 2 * z / 5 + z**2 / 20) / (1 - 3 * z / 5 + 3 * z**2 / 20 - z**3 / 60)  # order 5, three stages
    assert abs(radau).max() < 1
    backward = {1: [1, -1], 2: [3 / 2, -2, 1 / 2], 3: [11 / 6, -3, 3 / 2, -1 / 3]}
    backward |= {4: [25 / 12, -4, 3, -4 / 3, 1 / 4], 5: [137 / 60, -5, 5, -10 / 3, 5 / 4, -1 / 5]}
    for order, weights in backward.items():
        grows = [abs(np.roots(np.array(weights, complex) - x * np.eye(1, order + 1)[0])).max() > 1 + 1e-9 for x in z]
        assert any(grows) == (order > 2)
    for degree in (1, 2, 4):  # the polynomials of explicit methods
        terms = np.cumprod(np.ones(degree)[:, None] * z / np.arange(1, degree + 1)[:, None], axis=0)
        assert (abs(1 + terms.sum(axis=0)) > 1).any()


def test_an_euler_step_takes_friction_away_from_every_swing():
    """Beyond dt = d / omega^2 even a damped swing grows, and below it dies out."""
    rng = np.random.default_rng(2)
    for omega, share in np.exp(rng.uniform([-1, -4], [4, 0], (100, 2))):
        d = share * omega
        for part, grows in ((0.98, False), (1.02, True)):
            dt = part * d / omega**2
            A = np.array([[1, dt], [-(omega**2) * dt, 1 - d * dt]])
            assert (abs(np.linalg.eigvals(A)).max() > 1) == grows


@pytest.mark.parametrize("share", [0.0, 0.1, 1.0, 1.3, 1.5, 1.9, 2.5])
def test_which_limit_counts(share):
    """The limit d / omega^2 counts as long as the joint swings, d < 2 omega, whichever of it and 2 / d is shorter; without damping
    every step lets it grow, and a joint that creeps has another limit."""
    omega = 20.0
    d = share * omega

    def grows(dt):
        A = np.array([[1, dt], [-(omega**2) * dt, 1 - d * dt]])
        return abs(np.linalg.eigvals(A)).max() > 1 + 1e-12

    limit = d / omega**2
    assert grows(1.02 * limit + 1e-4)
    if 0 < share < 2:
        assert not grows(0.98 * limit)
        assert (limit < 2 / d) == (share < np.sqrt(2))
    if share > 2:
        assert grows(0.98 * limit)
        fast = (d + np.sqrt(d * d - 4 * omega**2)) / 2
        assert not grows(0.98 * 2 / fast)
        assert grows(1.02 * 2 / fast)


def test_no_explicit_runge_kutta_or_multistep_method_is_a_stable():
    """No explicit Runge-Kutta or multistep method is A-stable, but other explicit methods may be: exponential Euler is."""
    rng = np.random.default_rng(35)
    for stages in (1, 2, 3, 5):
        for _ in range(20):  # consistent tableaus: a step of x' = z x is a polynomial of z that is not a constant
            table, weights = np.tril(rng.normal(size=(stages, stages)), -1), rng.normal(size=stages)
            weights /= weights.sum()
            step = [
                1 + z * weights @ np.linalg.solve(np.eye(stages) - z * table, np.ones(stages)) for z in (-1e3, -1e5)
            ]
            assert max(np.abs(step)) > 1
    for steps in (1, 2, 3, 4):  # Adams-Bashforth
        powers = np.vander(np.arange(0, -steps, -1.0), increasing=True).T
        weights = np.linalg.solve(powers, 1 / np.arange(1, steps + 1))
        polynomial = np.zeros(steps + 1)
        polynomial[0] = 1
        polynomial[1:] = 1e4 * weights
        polynomial[1] -= 1
        assert abs(np.roots(polynomial)).max() > 1
    z = -(10 ** rng.uniform(-2, 3, 1000)) * np.exp(1j * rng.uniform(-1.57, 1.57, 1000))
    assert abs(1 + np.expm1(z)).max() < 1  # exponential Euler: x + (e^z - 1) / z times the slope z x
