"""Sentences of the page "Chains that fall and swing", tried for longer, with other masses, steps and numbers of links."""

import numpy as np
import pytest

import robotdyn as rd
from robotdyn.dynamics.recursive import solve, solved_forward_dynamics


def last_link(load, seconds, method, dt):
    """Return times, and the size of the absolute rate of the last of six links that fall with this load at the end."""
    whip = rd.robots.planar(6, [1.0] * 5 + [load])
    fall = rd.simulate(whip, [0] * 6, [0] * 6, None, np.arange(0, seconds + dt / 2, dt), method)
    return fall.t, abs(fall.qd.sum(axis=1))


@pytest.mark.parametrize(("method", "dt"), [("rk4", 0.001), ("solve_ivp", 0.002)])
def test_the_crack_that_is_lost(method, dt):
    """With 10 kg at the end the last link does not turn faster than 6.1 rad/s in the first 3 s; it reaches 14 rad/s within
    4 s and 21 rad/s within 10 s."""
    t, rate = last_link(10.0, 10.0, method, dt)
    assert rate[t <= 3].max() == pytest.approx(6.1, abs=0.05)
    assert rate[t <= 4].max() == pytest.approx(14, abs=0.5)
    assert rate.max() == pytest.approx(21, abs=0.5)
    t, rate = last_link(1.0, 3.0, method, dt)
    assert rate.max() == pytest.approx(11, abs=0.5)
    assert t[rate.argmax()] == pytest.approx(1.2, abs=0.05)


def test_the_start_is_the_same_for_any_masses():
    """A level chain at rest: only the first two joints turn in the first instant, for any masses."""
    rng = np.random.default_rng(35)
    for n in range(2, 13):
        lengths = rng.uniform(0.1, 2, n)
        arm = rd.robots.planar(lengths, 10 ** rng.uniform(-2, 2, n))
        qdd = rd.forward_dynamics(arm, [0] * n, [0] * n, [0] * n)
        expected = np.r_[-9.81 / lengths[0], 9.81 / lengths[0], np.zeros(n - 2)]
        assert np.allclose(qdd, expected, rtol=0, atol=1e-6 / lengths.min())  # masses 10^4 apart


def test_rods_race_the_stone():
    """Rods: the tip starts alternately faster and slower than a stone, and closer to it with each more."""
    starts = []
    for n in range(1, 16):
        rods = rd.robots.planar(n, [1] * n, [0.5] * n, [1 / 12] * n)
        zero = np.zeros(n)
        starts.append(rd.planar.forward_dynamics(rods, zero, zero, zero).sum() / -9.81 - 1)
    starts = np.array(starts)
    seen = abs(starts) > 1e-12  # above rounding
    assert seen[:10].all()
    assert (np.sign(starts[seen]) == (-1.0) ** np.flatnonzero(seen)).all()
    assert (np.diff(abs(starts[seen])) < 0).all()


def by_closed_form(arm, q, qd, tau):
    """Return the joint accelerations, by way of absolute angles."""
    M, C, g = rd.planar.absolute(arm, rd.planar.to_absolute(q))
    rates = rd.planar.to_absolute(qd)
    return rd.planar.to_relative(solve(M, rd.planar.generalized_forces(tau) - C @ (rates * rates) - g))


@pytest.mark.parametrize(("kind", "leads"), [("points", 9), ("on the line", 9), ("beside it", 7)])
def test_up_to_how_many_links(kind, leads):
    """The closed form is the cheapest of three ways for a chain of up to nine links whose centers of mass lie on the lines of
    the links, by little more than a factor of two at most; where they lie beside these lines, for up to seven."""
    rng = np.random.default_rng(35)
    for n in range(2, 13):
        l, m = rng.uniform(0.3, 1, n), rng.uniform(0.5, 2, n)
        coms = {"points": None, "on the line": l / 2.1, "beside it": rng.uniform(-0.5, 0.5, (n, 2))}[kind]
        arm = rd.robots.planar(l, m) if coms is None else rd.robots.planar(l, m, coms, m * l**2 / 12)
        ways = by_closed_form, solved_forward_dynamics, rd.forward_dynamics
        closed, *others = (rd.trace(way, arm).operations for way in ways)
        assert (closed < min(others)) == (n <= leads)
        assert min(others) < 2.4 * closed


@pytest.mark.parametrize("coms", [None, 0.5])
def test_where_products_with_one_drop_out(coms):
    """Where all links measure 1 m and weigh 1 kg the closed form leads from two links up to eight, and articulated bodies from nine
    on; for a single link the three programs are equally long."""
    for n in range(1, 12):
        extra = () if coms is None else ([coms] * n, [1 / 12] * n)
        ways = by_closed_form, solved_forward_dynamics, rd.forward_dynamics
        closed, recursion, bodies = (
            rd.trace(way, rd.robots.planar([1] * n, [1] * n, *extra)).operations for way in ways
        )
        assert (closed < min(recursion, bodies)) == (2 <= n <= 8)
        assert (bodies < closed) == (n >= 9)
        if n == 1:
            assert closed == recursion == bodies


def test_a_chain_of_point_masses_begins_in_free_fall():
    """A chain of point masses released from the horizontal begins in free fall, only its first link turns; of a chain of rods
    all links turn, and the tip does not fall freely."""
    for n in (2, 3, 6):
        zero, l = np.zeros(n), np.full(n, 0.3)
        points, rods = rd.robots.planar(l, l), rd.robots.planar(l, l, l / 2, l**3 / 12)
        start = rd.planar.forward_dynamics(points, zero, zero, zero)
        assert start == pytest.approx(np.r_[-9.81 / 0.3, zero[1:]], abs=1e-9)
        start = rd.planar.forward_dynamics(rods, zero, zero, zero)
        assert abs(start).min() > 1e-3
        assert abs(0.3 * start.sum() + 9.81) > 1e-4
