"""Closed-form derivatives of both dynamics: against differences in 60 digits, against programs, and laws."""

import numpy as np
import pytest
import sympy as sp
from arms import MIXES, arm_and_state, exact_arm, nearly_singular_arm

import robotdyn as rd

H = sp.Rational(1, 10**20)  # a step whose error, of the order of H^2, is far below what is asked of 60 digits


def precise(x):
    """Return numbers with 60 digits."""
    return np.array([sp.Float(sp.Rational(str(round(value, 6))), 60) for value in x])


def by_differences(function, x):
    """Return d function / dx by central differences."""
    steps = np.array([[H if i == k else 0 for i in range(len(x))] for k in range(len(x))], dtype=object)
    return np.stack([(function(x + step) - function(x - step)) / (2 * H) for step in steps], axis=1)


@pytest.mark.parametrize("pushed", [False, True])
@pytest.mark.parametrize("mix", ["rps", "srr", "prsr"])
def test_differences_in_sixty_digits(mix, pushed):
    """dtau and dqdd are the limits of difference quotients, to 30 digits, with gravity and a tip wrench."""
    arm, n, rng = exact_arm(mix), len(mix), np.random.default_rng(len(mix))
    q, qd, qdd = map(precise, rng.normal(size=(3, n)))
    w = precise(rng.normal(size=6)) if pushed else None
    found = rd.inverse_dynamics_derivatives(arm, q, qd, qdd, w)
    expected = [
        by_differences(lambda x: rd.inverse_dynamics(arm, x, qd, qdd, w), q),
        by_differences(lambda x: rd.inverse_dynamics(arm, q, x, qdd, w), qd),
    ]
    if mix == "rps":  # fractions within fractions: once is enough
        found += rd.forward_dynamics_derivatives(arm, q, qd, qdd, w)
        expected += [
            by_differences(lambda x: rd.forward_dynamics(arm, x, qd, qdd, w), q),
            by_differences(lambda x: rd.forward_dynamics(arm, q, x, qdd, w), qd),
            by_differences(lambda x: rd.forward_dynamics(arm, q, qd, x, w), qdd),
        ]
    for ours, limit in zip(found, expected, strict=True):
        assert max(abs(ours - limit).flat) < sp.Float("1e-30") * (1 + max(abs(limit).flat))


@pytest.mark.parametrize("mix", MIXES)
def test_programs_differentiated(mix):
    """The recursion gives what the chain rule makes of recorded inverse and forward dynamics, with a wrench."""
    arm, q, qd, qdd, w = arm_and_state(mix)
    pairs = [(rd.inverse_dynamics, rd.inverse_dynamics_derivatives(arm, q, qd, qdd, w))]
    if arm.n < 5:
        pairs.append((rd.forward_dynamics, rd.forward_dynamics_derivatives(arm, q, qd, qdd, w)))

    def recorded(function, arguments):
        return rd.trace(lambda q, qd, qdd, w: function(arm, q, qd, qdd, w), inputs=arguments)

    for function, found in pairs:
        arguments = {"q": arm.n, "qd": arm.n, "qdd": arm.n, "w": 6}
        program = recorded(function, arguments)
        for name, ours in zip(arguments, found):
            exact = np.array(program.jacobian(name)(q, qd, qdd, w), dtype=float)
            assert abs(ours - exact).max() < 1e-10 * (1 + abs(exact).max())


@pytest.mark.parametrize("mix", ["rrr", "rpr", "srp"])
def test_torques_at_rest_are_a_gradient(mix):
    """Without motion dtau/dq is the second derivative of the potential energy: symmetric; dtau/dqd vanishes."""
    arm, q, *_ = arm_and_state(mix)
    still = np.zeros(arm.n)
    by_q, by_qd = rd.inverse_dynamics_derivatives(arm, q, still, still)
    second = rd.trace(rd.potential_energy, arm).gradient("q").jacobian("q")
    assert abs(by_q - np.array(second(q), dtype=float)).max() < 1e-12 * abs(by_q).max()
    assert not by_qd.any()


def test_forces_that_turn_with_the_base_need_no_torque():
    """A turn of the first joint about the vertical changes no torque, whatever the motion."""
    arm, (q, qd, qdd) = rd.robots.puma560(), np.random.default_rng(2).normal(size=(3, 6))
    by_q, _ = rd.inverse_dynamics_derivatives(arm, q, qd, qdd)
    assert abs(by_q[:, 0]).max() < 1e-13 * abs(by_q).max()


def test_almost_singular():
    """F, G and H of an arm with links of a gram obey M (F, G, H) = (-dtau/dq, -dtau/dqd, 1) up to rounding."""
    arm, (q, qd, tau) = nearly_singular_arm(), np.random.default_rng(1).normal(size=(3, 3))
    F, G, H = rd.forward_dynamics_derivatives(arm, q, qd, tau)
    by_q, by_qd = rd.inverse_dynamics_derivatives(arm, q, qd, rd.forward_dynamics(arm, q, qd, tau))
    M = rd.mass_matrix(arm, q)
    for found, right in ((F, -by_q), (G, -by_qd), (H, np.eye(3))):
        assert abs(M @ found - right).max() < 1e-9 * (1 + abs(M @ abs(found)).max())


def test_a_wrench_of_a_batch():
    """Each state of a batch may have its own wrench."""
    arm, *_ = arm_and_state("rps")
    rng = np.random.default_rng(0)
    q, qd, qdd, w = *rng.normal(size=(3, 4, 3)), rng.normal(size=(4, 6))
    together = rd.inverse_dynamics_derivatives(arm, q, qd, qdd, w)
    for k in range(4):
        alone = rd.inverse_dynamics_derivatives(arm, q[k], qd[k], qdd[k], w[k])
        assert all(np.allclose(a[k], b, rtol=0, atol=1e-12 * (1 + abs(b).max())) for a, b in zip(together, alone))
