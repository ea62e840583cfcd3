"""Sentences of the page "Recursive algorithms", on random arms."""

import numpy as np

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
