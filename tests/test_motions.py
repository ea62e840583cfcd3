"""Rigid motions: the exponential is that of matrices, the logarithm undoes it, twists are rates, lines make arms."""

import numpy as np
import pytest
import sympy as sp
from scipy.linalg import expm

import robotdyn as rd
from robotdyn import motions
from robotdyn.laws import slope
from robotdyn.model.robots import random_arm

rng = np.random.default_rng(15)
DRAWN = rng.normal(size=(4, 6))
HALF_TURN = np.array([0.3, -1, 2, 0, np.pi, 0])
TWISTS = [*DRAWN, *(DRAWN[0] * [1, 1, 1, s, s, s] for s in (0, 1e-9, 0.99e-4, 1.01e-4, 1e-2)), np.zeros(6), HALF_TURN]
MIXES = (["revolute"], ["prismatic", "screw"], ["screw", "revolute", "prismatic", "revolute"], ["revolute"] * 6)


def place(t):
    """A motion that turns and travels."""
    return motions.exp([t, np.sin(t), 0.3, 0.4 * t, t**2, 0.2]) @ motions.exp([0.1, t**2, t, 0.2, 0, np.cos(t)])


@pytest.mark.parametrize("twist", TWISTS)
def test_exp_is_the_exponential_of_the_matrix(twist):
    """exp(xi) = e^(xi^) of SciPy; log undoes it, about a half turn up to the sign of the turn."""
    T = motions.exp(twist)
    np.testing.assert_allclose(T, expm(motions.wedge(twist)), atol=2e-14)
    np.testing.assert_allclose(motions.exp(motions.log(T)), T, atol=2e-14)
    if np.linalg.norm(twist[3:]) < np.pi:
        np.testing.assert_allclose(motions.log(T), twist, atol=1e-13)


def test_exp_and_log_take_batches():
    """(2, 3, 6) twists in, as many motions out, and back."""
    twists = rng.normal(size=(2, 3, 6)) / 2
    T = motions.exp(twists)
    assert T.shape == (2, 3, 4, 4)
    np.testing.assert_allclose(T[1, 2], motions.exp(twists[1, 2]), atol=1e-15)
    np.testing.assert_allclose(motions.log(T), twists, atol=1e-13)


def test_the_inverse_undoes_a_motion():
    """T^-1 T = 1, for numbers and for a motion of symbols."""
    T = motions.exp(DRAWN[1])
    np.testing.assert_allclose(motions.inverse(T) @ T, np.eye(4), atol=1e-14)
    q, l = sp.symbols("q l", real=True)
    arm = motions.along(sp.Matrix([0, -l, 0, 0, 0, 1]), q)
    assert sp.simplify(motions.inverse(arm) * arm - sp.eye(4)).is_zero_matrix


def test_the_adjoint_carries_twists_and_the_power_stays():
    """(Ad_T xi)^ = T xi^ T^-1; Ad of a product is the product; a wrench goes back by the transpose."""
    T, S = motions.exp(DRAWN[0]), motions.exp(DRAWN[1])
    twist, wrench = DRAWN[2], DRAWN[3]
    carried = motions.adjoint(T) @ twist
    np.testing.assert_allclose(motions.wedge(carried), T @ motions.wedge(twist) @ motions.inverse(T), atol=1e-14)
    np.testing.assert_allclose(motions.adjoint(T @ S), motions.adjoint(T) @ motions.adjoint(S), atol=1e-14)
    # by hand: the force at the moved origin p, and its moment about the origin before
    R, p = T[:3, :3], T[:3, 3]
    force, moment = R @ wrench[:3], R @ wrench[3:]
    before = np.concatenate([force, moment + np.cross(p, force)])
    np.testing.assert_allclose(motions.adjoint(T).T @ before, wrench, atol=1e-14)
    assert np.isclose(before @ carried, wrench @ twist)


def test_a_twist_is_the_rate_of_a_motion():
    """The velocity of a point of the body is xi_base^ (x, 1); the body's twist is the same motion in axes that move."""
    T, T_dot = place(0.6), slope(place, 0.6)
    base, body = motions.rate_in_base(T, T_dot), motions.rate_in_body(T, T_dot)
    spot = np.array([0.3, -0.7, 1.1, 1])
    np.testing.assert_allclose(motions.wedge(base) @ (T @ spot), T_dot @ spot, atol=1e-9)
    np.testing.assert_allclose(T @ motions.wedge(body) @ spot, T_dot @ spot, atol=1e-9)
    np.testing.assert_allclose(motions.adjoint(T) @ body, base, atol=1e-9)


@pytest.mark.parametrize("pitch", [0, 0.4])
def test_a_screw_turns_about_its_line(pitch):
    """A point of the line slides by pitch times angle, another goes on a helix; the exponential agrees; Chasles."""
    axis, point, angle = np.array([2, -1, 2]) / 3, np.array([0.4, 1, -2]), 1.3
    twist = motions.screw(axis, point, pitch)
    T = motions.along(twist, angle)
    np.testing.assert_allclose(T @ [*point, 1], [*(point + pitch * angle * axis), 1], atol=1e-14)
    other = point + [0.3, 0.1, 0.5]
    turned = point + rd.rotations.exp(angle * axis) @ (other - point) + pitch * angle * axis
    np.testing.assert_allclose(T @ [*other, 1], [*turned, 1], atol=1e-14)
    np.testing.assert_allclose(T, motions.exp(angle * twist), atol=1e-14)
    found = motions.screw_of(motions.log(T))
    np.testing.assert_allclose([*found.axis, found.pitch, found.amount], [*axis, pitch, angle], atol=1e-13)
    np.testing.assert_allclose(found.point, point - axis * (axis @ point), atol=1e-13)


@pytest.mark.parametrize("pitch", [1e-9, 8e-5, 1e6, 1e11])
def test_a_twist_of_any_pitch_has_its_line(pitch):
    """From a fine thread to a turn so slow that 1e11 m make a radian, axis, pitch and angle are found (Chasles)."""
    axis, angle = np.array([2, -1, 2]) / 3, 1.3 / max(1, pitch)
    found = motions.screw_of(angle * np.array(motions.screw(axis, (0, 0, 0), pitch)))
    np.testing.assert_allclose(found.axis, axis, atol=1e-13)
    np.testing.assert_allclose([found.pitch, found.amount], [pitch, angle], rtol=1e-12)


def test_a_slide_has_no_line():
    """Without a turn the pitch is infinite, and the amount a distance."""
    T = motions.along((0, 0.6, 0.8, 0, 0, 0), 2.5)
    np.testing.assert_allclose(T[:3, 3], (0, 1.5, 2))
    found = motions.screw_of(motions.log(T))
    np.testing.assert_allclose(found.axis, (0, 0.6, 0.8))
    assert np.isinf(found.pitch) and np.isclose(found.amount, 2.5)


# ---- arms of screws -------------------------------------------------------------------------------------------------


def from_lines(arm):
    """The same arm told by its lines, which are read from the poses of its links at q = 0."""
    R, p = rd.link_poses(arm, np.zeros(arm.n))
    lines = []
    for i, link in enumerate(arm.links):
        axis = R[i] @ link.axis
        slides = link.joint == "prismatic"
        lines.append([*axis, 0, 0, 0] if slides else motions.screw(axis, p[i] + R[i] @ (0.7 * link.axis), link.pitch))
    home = motions.homogeneous(R[-1], p[-1] + R[-1] @ arm.tip)
    bodies = zip(
        *((link.mass, p[i] + R[i] @ link.com, R[i] @ link.inertia @ R[i].T) for i, link in enumerate(arm.links))
    )
    return np.array(lines), home, rd.Arm.from_screws(lines, home, *bodies, gravity=arm.gravity)


@pytest.mark.parametrize("joints", MIXES, ids=lambda joints: "".join(word[0] for word in joints))
def test_the_product_of_exponentials_is_the_arm(joints):
    """The pose of the tip is the product of exponentials of SciPy, and every torque is that of the arm told by frames."""
    drawn = np.random.default_rng(len(joints))
    arm = random_arm(drawn, len(joints), joints)
    lines, home, same = from_lines(arm)
    assert [link.joint for link in same.links] == joints
    q, qd, qdd = drawn.normal(size=(3, arm.n))
    product = np.eye(4)
    for line, angle in zip(lines, q):
        product = product @ expm(motions.wedge(line) * angle)
    tip = motions.homogeneous(rd.link_poses(same, q)[0][-1], rd.point_position(same, q))
    np.testing.assert_allclose(tip, product @ home, atol=1e-12)
    tau = rd.inverse_dynamics(arm, q, qd, qdd)
    np.testing.assert_allclose(rd.inverse_dynamics(same, q, qd, qdd), tau, atol=1e-11)


@pytest.mark.parametrize("pitch", [1e-9, -8e-5, 0.3])
def test_a_thread_of_any_pitch_is_a_screw(pitch):
    """However fine (an M3 has 8e-5 m/rad), and far from the origin: the nut goes on by pitch times angle."""
    axis, point = np.array([2, -1, 2]) / 3, np.array([0.4, 1, -2])
    arm = rd.Arm.from_screws([motions.screw(axis, point, pitch)], motions.homogeneous(np.eye(3), point))
    assert arm.links[0].joint == "screw" and arm.links[0].pitch == pytest.approx(pitch, rel=1e-6)
    assert (rd.point_position(arm, [1e4]) - point) @ axis == pytest.approx(1e4 * pitch, rel=1e-6)


def test_lines_of_symbols_make_the_two_link_arm():
    """2R by two lines: M is that of the arm that the book derives, for all lengths, masses and moments."""
    l_1, l_2, m_1, m_2, I_1, I_2, g = sp.symbols("l_1 l_2 m_1 m_2 I_1 I_2 g", positive=True)
    home = sp.eye(4)
    home[0, 3] = l_1 + l_2
    lines = [(0, 0, 0, 0, 0, 1), (0, -l_1, 0, 0, 0, 1)]
    coms = [(l_1 / 2, 0, 0), (l_1 + l_2 / 2, 0, 0)]
    moments = [sp.diag(I / 2, I / 2, I) for I in (I_1, I_2)]
    arm = rd.Arm.from_screws(lines, home, (m_1, m_2), coms, moments, gravity=(0, -g, 0))
    expected = rd.robots.two_link((l_1, l_2), (m_1, m_2), (l_1 / 2, l_2 / 2), (I_1, I_2), g)
    difference = rd.derive(arm).M - rd.derive(expected).M
    q = sp.symbols("q_1 q_2", real=True)
    assert (rd.point_position(arm, q) - rd.point_position(expected, q)).expand().is_zero_matrix
    assert difference.expand().is_zero_matrix


# ---- the Jacobian in two kinds of axes ------------------------------------------------------------------------------


@pytest.mark.parametrize("joints", MIXES, ids=lambda joints: "".join(word[0] for word in joints))
def test_a_jacobian_in_link_axes_is_the_twist_of_the_body(joints):
    """J in the axes of the link times qd is T^-1 Tdot of a frame at the point; for the tip and a center of mass."""
    drawn = np.random.default_rng(len(joints) + 40)
    arm = random_arm(drawn, len(joints), joints)
    q, qd = drawn.normal(size=(2, arm.n))
    for link, point, J in (
        (-1, arm.tip, rd.tip_jacobian(arm, q, axes="link")),
        (0, arm.links[0].com, rd.com_jacobian(arm, q, 0, axes="link")),
        (arm.n // 2, (1, 2, 3), rd.point_jacobian(arm, q, arm.n // 2, (1, 2, 3), axes="link")),
    ):

        def pose(t, link=link, point=point):
            at = q + t * qd
            return motions.homogeneous(rd.link_poses(arm, at)[0][link], rd.point_position(arm, at, link, point))

        np.testing.assert_allclose(J @ qd, motions.rate_in_body(pose(0), slope(pose, 0)), atol=1e-8)


def test_the_axes_are_chosen_in_every_world():
    """A batch of states and symbols give what each state gives."""
    arm = random_arm(np.random.default_rng(8), 3)
    states = rng.normal(size=(5, 3))
    J = rd.tip_jacobian(arm, states, axes="link")
    assert J.shape == (5, 6, 3)
    np.testing.assert_allclose(J[2], rd.tip_jacobian(arm, states[2], axes="link"), atol=1e-14)
    q = sp.symbols("q_1:4", real=True)
    formula = rd.tip_jacobian(arm, q, axes="link").subs(dict(zip(q, states[2])))
    np.testing.assert_allclose(np.array(formula, float), J[2], atol=1e-12)
