"""Sentences of the page "Lagrangian mechanics": beads on rods that turn, followed longer and from other starts."""

import numpy as np
import pytest

import robotdyn as rd

BEAD = rd.robots.rp((0, 1.3), (0, 0), (0, 0), (0, 0))  # kg; the rod weighs nothing, gravity along -y
ON_A_TABLE = rd.robots.rp((0, 1.3), (0, 0), (0, 0), (0, 0), gravity=0)


def along(arm, rate, start, launch, end, steps):
    """Return times, places and rates of a bead on a rod that turns at this rate from the level: no force along the rod."""
    h, x, rows = end / steps, np.array([start, launch]), []

    def slope(t, x):
        drop = rd.inverse_dynamics(arm, [rate * t, x[0]], [rate, x[1]], [0, 0])[1]
        return np.array([x[1], -drop / 1.3])

    for k in range(steps):
        rows.append([k * h, *x])
        a = slope(k * h, x)
        b = slope(k * h + h / 2, x + h / 2 * a)
        x = x + h * b
    return np.array([*rows, [end, *x]]).T


@pytest.mark.parametrize("rate", [0.5, 3.0])
def test_a_bead_at_rest_on_the_rod_flies_outward_and_one_sent_inward_may_not(rate):
    """Let go at rest, it flies outward, ever faster; sent inward at the rate Omega r exactly it never arrives."""
    for start in (0.1, 2.0):
        t, r, rates = along(ON_A_TABLE, rate, start, 0.0, 4 / rate, 500)
        assert np.diff(rates).min() > 0
        assert r == pytest.approx(start * np.cosh(rate * t), rel=1e-3)
        work = 2 * 1.3 * rate**2 * np.trapezoid(r * rates, t)  # of the power 2 m Omega^2 r r'
        energy = 1.3 / 2 * (rates**2 + (rate * r) ** 2)
        assert energy[-1] - energy[0] == pytest.approx(work, rel=1e-3)
        _, r, rates = along(ON_A_TABLE, rate, start, -rate * start, 4 / rate, 500)
        assert r.min() > 0
        assert r[-1] < 0.03 * start
        for launch in (-0.9, -1.1):  # of the exact one: it turns around, or passes the pivot
            assert abs(along(ON_A_TABLE, rate, start, launch * rate * start, 6 / rate, 500)[1][-1]) > start


@pytest.mark.parametrize("rate", [0.7, 3.0])
def test_a_bead_in_a_vertical_plane_stays_on_a_circle(rate):
    """A bead launched at Omega D stays; a launch off by a share adds D sinh(Omega t) times the share."""
    across, turn = 9.81 / (2 * rate**2), 2 * np.pi / rate
    grown = []
    for share in (1.0, 1.0037):
        t, r, _ = along(BEAD, rate, 0.0, share * rate * across, turn, 2000)
        grown.append(r - across * np.sin(rate * t))
    assert abs(grown[0]).max() < 0.02 * across
    assert (grown[1] - grown[0])[-1] == pytest.approx(
        across, rel=0.02
    )  # 0.37 percent: off by the diameter after a turn


@pytest.mark.parametrize("share", [0.0037, -0.0037])
def test_a_launch_that_is_off_after_a_single_turn_and_on_its_way(share):
    """A launch off by 0.37 percent is no farther from the pivot than the diameter of the circle after a single turn; on the way it may be."""
    rate = 3.0
    across = 9.81 / (2 * rate**2)
    _, r, _ = along(BEAD, rate, 0.0, (1 + share) * rate * across, 2 * np.pi / rate, 2000)
    assert abs(r[-1]) == pytest.approx(across, rel=0.02)
    assert (abs(r).max() > 1.1 * across) == (share < 0)  # a slow one overshoots in the lower half of the circle
