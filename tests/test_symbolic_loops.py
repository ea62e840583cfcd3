"""Mechanisms in symbols: the equation of motion of the free coordinates beside that of the held arm in numbers."""

import numpy as np
import pytest
import sympy as sp

import robotdyn as rd

LENGTHS, FIXED = (0.3, 0.8, 0.6), 0.7  # crank, coupler, rocker; from the pivot of the crank to that of the rocker, m


def four_bar():
    """Three links in a plane, cut open at the pivot of the rocker, and the place of that pivot."""
    links = [
        rd.Link(m, (l / 2, 0.01, 0), m * l**2 / 12 * np.diag([0.5, 0.5, 1]), position=(p, 0, 0))
        for m, l, p in zip((1.0, 2.0, 1.5), LENGTHS, (0, *LENGTHS))
    ]
    return rd.Arm(links, gravity=(0, -9.81, 0), tip=(LENGTHS[-1], 0, 0))


def closed(arm):
    """Its equations, G, and all symbols of the coordinates."""
    equations = rd.derive(arm)
    phi = list(rd.point_position(arm, equations.q))[:2]
    return (*rd.lagrange.close_loops(equations, [phi[0] - FIXED, phi[1]], [0]), equations.q)


def test_a_four_bar_moves_as_the_held_arm():
    """Mass, velocity terms and weight of the crank: accelerations, rates and the torque of the crank are those of `rd.constraints`."""
    arm = four_bar()
    equations, G, names = closed(arm)
    assert equations.q == names[:1, :] and equations.M.shape == (1, 1) and G.shape == (3, 1)
    held = rd.constraints.hold_point(arm, (FIXED, 0, 0), axes=np.eye(2, 3))
    values = sp.lambdify([list(names), list(equations.qd)], [equations.M, equations.h, equations.g, G], cse=True)
    for crank, rate, torque in [(0.7, 2.0, 0.5), (2.5, -3.0, -1.0), (4.0, 0.4, 2.0)]:
        q, _ = rd.constraints.project(held, [crank, 1.5, -2.5])
        M, h, g, slope = values(list(q), [rate])
        qd = (slope * rate)[:, 0]
        assert np.allclose(held.jacobian(q) @ qd, 0, atol=1e-12) and qd[0] == rate
        qdd, _ = rd.constraints.forward_dynamics(held, q, qd, [torque, 0, 0])
        assert (M @ [qdd[0]] + h[:, 0] + g[:, 0])[0] == pytest.approx(torque, rel=1e-9)
        assert M[0, 0] == pytest.approx(2 * rd.kinetic_energy(arm, q, qd) / rate**2)


def test_a_slider_crank_by_hand():
    """A massless crank and rod and a mass that slides: M = m (dx/dq)^2, and x = r cos q + sqrt(l^2 - r^2 sin^2 q)."""
    r, l, m = sp.symbols("r l m", positive=True)
    q, x, qd, xd = sp.symbols("q x qd xd", real=True)
    cut = rd.lagrange.euler_lagrange(m * xd**2 / 2, 0, [q, x], [qd, xd])
    crank, G = rd.lagrange.close_loops(cut, [(x - r * sp.cos(q)) ** 2 + (r * sp.sin(q)) ** 2 - l**2], [0])
    place = r * sp.cos(q) + sp.sqrt(l**2 - r**2 * sp.sin(q) ** 2)
    at = {r: 0.3, l: 0.9, m: 2, q: 0.8, qd: 1.7}
    slope, bend = (place.diff(q, k).subs(at) for k in (1, 2))
    here = at | {x: place.subs(at)}
    assert float(G[1, 0].subs(here)) == pytest.approx(float(slope))
    assert float(crank.M[0, 0].subs(here)) == pytest.approx(float(2 * slope**2))
    assert float(crank.h[0].subs(here)) == pytest.approx(float(2 * slope * bend * 1.7**2))


def test_five_bars_keep_the_skew_symmetry():
    """Of two free coordinates Mdot - 2 C is skew-symmetric, along qd = G u."""
    arm = rd.Arm(
        [rd.Link(1 + k, (0.2, 0.1, 0), np.diag([0.1, 0.1, 0.1]), position=(0.5 * (k > 0), 0, 0)) for k in range(4)],
        tip=(0.5, 0, 0),
    )
    equations = rd.derive(arm)
    phi = list(rd.point_position(arm, equations.q))[:2]
    reduced, G = rd.lagrange.close_loops(equations, [phi[0] - 0.6, phi[1]], [0, 3])
    M, C, slopes = (
        sp.lambdify([list(equations.q), list(reduced.qd)], part, cse=True) for part in (reduced.M, reduced.C, G)
    )
    q, u, h = np.array([0.4, 1.1, -0.7, -1.3]), np.array([0.9, -0.6]), 1e-5
    qd = slopes(q, u) @ u
    N = (M(q + h * qd, u) - M(q - h * qd, u)) / (2 * h) - 2 * C(q, u)
    assert abs(N + N.T).max() < 1e-8 < abs(N).max()  # h squared is 1e-10


def test_what_does_not_close_is_told():
    """Numbers that do not fit, rows that say the same, what are no equations."""
    arm = four_bar()
    equations = rd.derive(arm)
    x, y, _ = rd.point_position(arm, equations.q)
    close = rd.lagrange.close_loops
    for arguments, error, sentence in (
        ((equations, [x, y], [0, 1]), ValueError, "phi must have as many rows as coordinates are left to it, got 2 and 1: of 3 coordinates 1 must be free"),
        ((equations, [x, 2 * x], [0]), ValueError, "phi must determine the other coordinates, got rows that depend on each other"),
        ((equations, [x, y], [7]), ValueError, "free must be indices of joints from 0 to 2, each once, got [7]"),
        ((arm, [x, y], [0]), TypeError, "equations must be Equations, as rd.derive returns them, got <Arm of 3 joints"),
    ):  # fmt: skip
        with pytest.raises(error) as caught:
            close(*arguments)
        assert sentence in str(caught.value)
