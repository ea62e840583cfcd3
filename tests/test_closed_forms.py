"""Closed forms from the literature, corrected where it misprints them, against the library at random points."""

import numpy as np
import pytest

import robotdyn as rd
from robotdyn.model.robots import PUMA560_MOTOR_INERTIA, puma560

RNG = np.random.default_rng(11)
STATES = RNG.normal(size=(5, 3, 2))


@pytest.mark.parametrize("state", STATES)
def test_two_link(state):
    """M, V, G of the 2R arm (lecture notes on the 2R arm by Lagrange, with s_2, c_12 where they print s_1, c_2)."""
    (l1, l2), (m1, m2), (a1, a2), (I1, I2), g = (1.1, 0.8), (2.0, 1.5), (0.4, 0.5), (0.2, 0.1), 9.81
    arm = rd.robots.two_link((l1, l2), (m1, m2), (a1, a2), (I1, I2), g)
    q, qd, qdd = state
    (c1, c2), s2, c12 = np.cos(q), np.sin(q[1]), np.cos(q.sum())
    M = [[m1 * a1**2 + m2 * (l1**2 + a2**2 + 2 * l1 * a2 * c2) + I1 + I2, m2 * (a2**2 + l1 * a2 * c2) + I2],
         [m2 * (a2**2 + l1 * a2 * c2) + I2, m2 * a2**2 + I2]]  # fmt: skip
    V = [-m2 * l1 * a2 * s2 * (2 * qd[0] * qd[1] + qd[1] ** 2), m2 * l1 * a2 * s2 * qd[0] ** 2]
    G = [m1 * g * a1 * c1 + m2 * g * (l1 * c1 + a2 * c12), m2 * g * a2 * c12]
    assert np.allclose(rd.mass_matrix(arm, q), M, atol=1e-13)
    assert np.allclose(rd.coriolis_matrix(arm, q, qd) @ qd, V, atol=1e-12)
    assert np.allclose(rd.gravity_torque(arm, q), G, atol=1e-12)
    determinant = (m1 * a1**2 + I1) * (m2 * a2**2 + I2) + m2 * l1**2 * (I2 + m2 * a2**2 * s2**2)
    assert np.isclose(np.linalg.det(rd.mass_matrix(arm, q)), determinant, rtol=1e-12)
    assert np.allclose(rd.inverse_dynamics(arm, q, qd, qdd), M @ qdd + V + G, atol=1e-12)


@pytest.mark.parametrize("state", STATES)
def test_uniform_two_link(state):
    """The two equations of motion of ROB301, lecture 21, with I_i and c_i about the joints."""
    length, m1, m2, g = 0.9, 1.3, 0.7, 9.81
    arm = rd.robots.uniform_two_link(length, (m1, m2), g)
    I1, I2, c2 = m1 * length**2 / 3, m2 * length**2 / 3, m2 * length / 2
    q, qd, qdd = state
    cos, sin = np.cos, np.sin
    tau1 = ((I1 + I2 + m2 * length**2 + 2 * c2 * length * cos(q[1])) * qdd[0] + (I2 + c2 * length * cos(q[1])) * qdd[1]
            - c2 * length * (2 * qd[0] + qd[1]) * qd[1] * sin(q[1])
            + (m1 / 2 + m2) * g * length * cos(q[0]) + m2 * g * length * cos(q.sum()) / 2)  # fmt: skip
    tau2 = ((I2 + c2 * length * cos(q[1])) * qdd[0] + I2 * qdd[1]
            + c2 * length * qd[0] ** 2 * sin(q[1]) + m2 * g * length * cos(q.sum()) / 2)  # fmt: skip
    assert np.allclose(rd.inverse_dynamics(arm, q, qd, qdd), [tau1, tau2], atol=1e-12)


@pytest.mark.parametrize("state", STATES)
def test_rp(state):
    """The RP arm of Hauser's chapter 14, with both weights; from Newton's law in the turning frame."""
    m1, m2, (x1, y1), H1, H2, g = 1.2, 0.8, (0.3, 0.2), 0.15, 0.05, 9.81
    arm = rd.robots.rp((m1, m2), (x1, y1), (0, 0), (H1, H2), g)
    (th, r), (thd, rd_), (thdd, rdd) = state
    H = H1 + m1 * (x1**2 + y1**2) + H2
    u1 = ((H + m2 * r**2) * thdd + 2 * m2 * r * rd_ * thd
          + m1 * g * (x1 * np.cos(th) - y1 * np.sin(th)) + m2 * g * r * np.cos(th))  # fmt: skip
    u2 = m2 * rdd - m2 * r * thd**2 + m2 * g * np.sin(th)
    assert np.allclose(rd.inverse_dynamics(arm, *state), [u1, u2], atol=1e-12)


@pytest.mark.parametrize("state", STATES)
def test_rp_regressor(state):
    """The torques of the RP arm as Y phi (lecture notes, last page, with its four slips mended)."""
    m1, m2, l1, I1, I2, g = 1.2, 0.8, 0.35, 0.15, 0.05, 9.81
    arm = rd.robots.rp((m1, m2), (l1, 0), (0, 0), (I1, I2), g)
    (th, d), (thd, dd), (thdd, ddd) = state
    c, s = np.cos(th), np.sin(th)
    Y = np.array([[l1**2 * thdd + l1 * g * c, d**2 * thdd + 2 * d * thd * dd + d * g * c, thdd, thdd],
                  [0, ddd - d * thd**2 + g * s, 0, 0]])  # fmt: skip
    assert np.allclose(rd.inverse_dynamics(arm, *state), Y @ [m1, m2, I1, I2], atol=1e-12)


@pytest.mark.parametrize("n", range(1, 7))
def test_n_link(n):
    """RCFS 108, the double sum as it stands, with the cosine of the difference; u = L^-T tau."""
    rng = np.random.default_rng(n)
    length, m = rng.uniform(0.5, 1.5, (2, n))
    x, xd, xdd = rng.normal(size=(3, n))
    q, qd, qdd, g = np.cumsum(x), np.cumsum(xd), np.cumsum(xdd), 9.81
    u = np.zeros(n)
    for z in range(n):
        for j in range(z, n):
            for k in range(j + 1):
                u[z] += m[j] * length[z] * length[k] * np.cos(q[z] - q[k]) * qdd[k]
                u[z] += m[j] * length[z] * length[k] * np.sin(q[z] - q[k]) * qd[k] ** 2
            u[z] += m[j] * g * length[z] * np.cos(q[z])
    tau = rd.inverse_dynamics(rd.robots.planar(length, m), x, xd, xdd)
    assert np.allclose(tau - np.append(tau[1:], 0), u, atol=1e-11)


def test_special_cases():
    """Point masses at the link ends and uniform rods are special cases of the general 2R arm."""
    q = np.array([0.3, -1.2])
    points = rd.robots.two_link((1, 2), (3, 4), (1, 2), (0, 0))
    assert points == rd.robots.planar((1, 2), (3, 4))
    rods = rd.robots.two_link((0.9, 0.9), (2, 3))
    assert np.allclose(rd.mass_matrix(rods, q), rd.mass_matrix(rd.robots.uniform_two_link(0.9, (2, 3)), q), atol=1e-14)


def test_puma560_mass_matrix():
    """M of the PUMA 560 at its nominal pose, motors included: Corke, "Robotics, Vision and Control" (2011), section 9.2."""
    q = [0, np.pi / 4, np.pi, 0, np.pi / 4, 0]
    published = [
        [3.6594, -0.4044, 0.1006, -0.0025, 0.0000, -0.0000],
        [-0.4044, 4.4137, 0.3509, 0.0000, 0.0024, 0.0000],
        [0.1006, 0.3509, 0.9378, 0.0000, 0.0015, 0.0000],
        [-0.0025, 0.0000, 0.0000, 0.1925, 0.0000, 0.0000],
        [0.0000, 0.0024, 0.0015, 0.0000, 0.1713, 0.0000],
        [-0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.1941],
    ]
    M = rd.mass_matrix(puma560(), q) + np.diag(PUMA560_MOTOR_INERTIA)
    assert abs(M - published).max() <= 0.5001e-4


@pytest.mark.parametrize(
    ("q", "published"),
    [
        ([0, np.pi / 4, np.pi, 0, np.pi / 4, 0], [0, 31.6399, 6.0351, 0, 0.0283, 0]),
        ([0, np.pi / 2, -np.pi / 2, 0, 0, 0], [0, -0.7752, 0.2489, 0, 0, 0]),
        ([0, 0, -np.pi / 2, 0, 0, 0], [0, 46.0069, 8.7722, 0, 0.0283, 0]),
    ],
    ids=["nominal", "ready", "stretched"],
)
def test_puma560_gravity(q, published):
    """The gravity torque of the PUMA 560 in three poses: Corke (2011), section 9.1.4."""
    assert abs(rd.gravity_torque(puma560(), q) - published).max() <= 0.5001e-4


def test_shifted_moments_of_the_puma_change_no_motion():
    """What the PUMA's link 2 lends to link 3, so that both are bodies, shows in no torque: the raw numbers agree."""
    arm = puma560()
    links = list(arm.links)
    for k, sign in ((1, 1), (2, -1)):  # give it back: link 3 turns about its own -y, which is link 2's z
        shift = 0.005 * np.diag([1, 1, 0])
        links[k] = links[k]._replace_unchecked(inertia=links[k].inertia + sign * shift)
    q, qd, qdd = np.random.default_rng(2).normal(size=(3, 6))
    unshifted = arm._replace_unchecked(links=tuple(links))
    assert np.allclose(rd.inverse_dynamics(unshifted, q, qd, qdd), rd.inverse_dynamics(arm, q, qd, qdd), atol=1e-12)
    assert np.linalg.eigvalsh(links[2].inertia) @ [1, 1, -1] < 0  # and the raw link 3 is no body


def test_acceleration_on_a_circle():
    """A point of a turntable: -r w^2 toward the axis, r alpha along the circle; a slider on it adds 2 w v across."""
    disk = rd.robots.planar([0.5], [1.0])
    assert np.allclose(rd.point_acceleration(disk, [0.0], [3.0], [2.0]), [-4.5, 1.0, 0, 0, 0, 2.0])
    rp = rd.robots.rp(masses=(1, 1), inertias=(1, 1))
    found = rd.point_acceleration(rp, [0.0, 0.5], [3.0, 0.7], [2.0, -0.1])
    assert np.allclose(found, [-0.1 - 4.5, 1.0 + 2 * 3 * 0.7, 0, 0, 0, 2.0])
