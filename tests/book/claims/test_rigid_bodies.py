"""Sentences of the page "Rigid bodies", on random bodies."""

import numpy as np

import robotdyn as rd


def test_a_spin_about_a_principal_axis_needs_no_moment_and_only_the_middle_one_is_left():
    """A body that spins about a principal axis needs no moment to go on; disturbed, it stays there unless the moment is the middle one."""
    rng = np.random.default_rng(2)
    for _ in range(2):
        sides = np.sort(rng.uniform(0.05, 0.4, 3)) * [1, 1.3, 1.7]
        body = rd.bodies.box(1.0, sides[::-1])  # the moments come in ascending order
        moments, axes = body.principal()
        for k in range(3):
            omega = 10 * axes[:, k]
            assert abs(rd.rigid_body.wrench(body, omega, np.zeros(3))[3:]).max() < 1e-9
            run = rd.tumble(body, omega + 0.1 * axes[:, (k + 1) % 3], np.linspace(0, 6, 301))
            kept = (run.omega @ axes[:, k]) / 10
            assert (kept.min() > 0.97) == (k != 1)
            assert k != 1 or kept.min() < -0.9  # the middle axis turns over
        assert (np.diff(moments) > 0).all()
