"""Sentences of the page "Recursive algorithms", on random arms."""

import numpy as np
import pytest

import robotdyn as rd


def lost(quotients, exact, steps) -> float:
    """Return the share of the 16 digits of a double that difference quotients lose at the best of the steps."""
    size = abs(exact).max()
    return 1 + np.log10(min(abs(quotients(h) - exact).max() / size for h in steps)) / 16


def test_central_differences_lose_a_third_of_the_digits_and_one_sided_ones_half():
    """Central differences take 2 n calls and lose a third of the digits; differences to one side take n + 1 and lose half."""
    rng = np.random.default_rng(21)
    central, one_sided = [], []
    for _ in range(12):
        arm = rd.robots.random_arm(rng, 4, ["revolute", *rng.choice(["revolute", "prismatic"], 3)])
        q, qd, qdd = rng.normal(size=(3, 4))
        exact, _ = rd.inverse_dynamics_derivatives(arm, q, qd, qdd)

        def torques(dq, arm=arm, q=q, qd=qd, qdd=qdd):
            return rd.inverse_dynamics(arm, q + dq, qd, qdd)

        def both(h, torques=torques):
            return np.transpose([(torques(h * e) - torques(-h * e)) / (2 * h) for e in np.eye(4)])

        def forward(h, torques=torques):
            here = torques(np.zeros(4))
            return np.transpose([(torques(h * e) - here) / h for e in np.eye(4)])

        central.append(lost(both, exact, 10.0 ** np.arange(-7, -3.5, 0.5)))
        one_sided.append(lost(forward, exact, 10.0 ** np.arange(-10, -6.5, 0.5)))
    assert abs(np.mean(central) - 1 / 3) < 0.06
    assert abs(np.mean(one_sided) - 1 / 2) < 0.06
    assert max(central) < min(one_sided)


def velocity_torque(arm: rd.Arm, q: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Return the torque of RNEA without gravity and accelerations."""
    still = rd.Arm(arm.links, gravity=(0, 0, 0))
    return rd.inverse_dynamics(still, q, rates, 0 * rates)


@pytest.mark.parametrize("seed", range(10))
def test_two_calls_of_rnea_give_the_christoffel_matrix_times_any_vector(seed):
    """A quarter of the difference is C(q, qd) s, and it equals C(q, s) qd."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    arm = rd.robots.random_arm(rng, n, list(rng.choice(["revolute", "prismatic"], n)))
    q, qd, s = rng.normal(size=(3, n))
    found = (velocity_torque(arm, q, qd + s) - velocity_torque(arm, q, qd - s)) / 4
    assert found == pytest.approx(rd.coriolis_matrix(arm, q, qd) @ s, abs=1e-9)
    assert found == pytest.approx(rd.coriolis_matrix(arm, q, s) @ qd, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_torques_of_an_arm_on_a_free_body_do_not_depend_on_gravity(seed):
    """The torques do not depend on gravity, and the body's acceleration less that of free fall is -I_0^-1 f_0."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6))
    limb, hull = rd.robots.random_arm(rng, n), rd.bodies.box(3.0, rng.uniform(0.2, 0.6, 3))
    q, qd, wanted = np.append(np.zeros(6), rng.normal(size=n)), rng.normal(size=6 + n), rng.normal(size=n)
    torques, falls = [], []
    for gravity in ((0, 0, 0), (0, 0, -9.81), rng.normal(size=3) * 10):
        craft = rd.floating(limb, hull, gravity=gravity)
        M, h = rd.mass_matrix(craft, q), rd.bias_torque(craft, q, qd)
        base = -np.linalg.solve(M[:6, :6], M[:6, 6:] @ wanted + h[:6])  # nothing pushes at the body
        torques.append(M[6:, :6] @ base + M[6:, 6:] @ wanted + h[6:])
        falls.append(base[:3] - gravity)
    for tau, fall in zip(torques[1:], falls[1:]):
        assert tau == pytest.approx(torques[0], abs=1e-9)
        assert fall == pytest.approx(falls[0], abs=1e-9)
