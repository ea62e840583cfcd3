"""Rotations: the exponential is that of matrices, the logarithm undoes it, rates are derivatives, quaternions compose."""

import numpy as np
import pytest
import sympy as sp
from scipy.linalg import expm

import robotdyn as rd
from robotdyn import rotations
from robotdyn.laws import slope
from robotdyn.maths.spatial import skew

rng = np.random.default_rng(3)
PHIS = [
    *rng.normal(size=(5, 3)),
    np.zeros(3),
    np.array([1e-9, -2e-9, 1e-10]),
    np.array([0, np.pi - 1e-7, 0]),
    np.array([0, 0, np.pi]),
]


@pytest.mark.parametrize("phi", PHIS)
def test_exp_is_the_exponential_of_the_matrix(phi):
    """exp(phi) = e^[phi], log undoes it up to a half turn, where both signs are right; one turn about an axis agrees."""
    R = rotations.exp(phi)
    assert np.allclose(R, expm(skew(phi)), atol=1e-13)
    assert np.allclose(rotations.exp(rotations.log(R)), R, atol=1e-13)
    if np.linalg.norm(phi) < np.pi - 1e-9:
        assert np.allclose(rotations.log(R), phi, atol=1e-8)
    assert np.linalg.norm(rotations.log(rotations.exp(10 * phi))) <= np.pi + 1e-12


def test_exp_and_log_take_batches():
    """(2, 3, 3) rotation vectors in, as many matrices out, and back."""
    phi = rng.normal(size=(2, 3, 3)) / 3
    R = rotations.exp(phi)
    assert R.shape == (2, 3, 3, 3)
    assert np.allclose(R[1, 2], rotations.exp(phi[1, 2])) and np.allclose(rotations.log(R), phi)
    assert np.allclose(rotations.from_quaternion(rotations.to_quaternion(R)), R)


def test_a_quaternion_is_half_the_angle():
    """(cos phi/2, sin phi/2 axis) turns by phi about the axis, whatever its length and sign."""
    axis, angle = np.array([2, -1, 2]) / 3, 1.1
    quaternion = np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis)])
    for factor in (1, -1, 2.5):
        assert np.allclose(rotations.from_quaternion(factor * quaternion), rotations.exp(angle * axis))
    assert np.allclose(rotations.to_quaternion(rotations.exp(angle * axis)), quaternion)
    assert np.allclose(rotations.to_quaternion(np.eye(3)), (1, 0, 0, 0))


def test_quaternions_compose_as_rotations():
    """from_quaternion(a b) = from_quaternion(a) from_quaternion(b), in symbols for all quaternions."""
    a, b = (sp.symbols(f"{name}:4", real=True) for name in "ab")
    product = rotations.from_quaternion(rotations.quaternion_product(a, b))
    assert isinstance(product, sp.MatrixBase)
    assert (product - rotations.from_quaternion(a) * rotations.from_quaternion(b)).applyfunc(sp.cancel).is_zero_matrix
    assert rotations.quaternion_product(rng.normal(size=(5, 4)), (1, 0, 0, 0)).shape == (5, 4)


def motion(t):
    """A rotation that turns and turns about."""
    return rotations.exp([0.3 * t, np.sin(t), 0.2]) @ rotations.exp([t**2, 0, 0.1 * t])


def test_angular_velocity_is_the_rate_of_the_rotation():
    """Rdot e = omega x R e for each vector e that turns along; both kinds of axes; the quaternion has the same rate."""
    R, R_dot = motion(0.7), slope(motion, 0.7)
    base, body = rotations.rate_in_base(R, R_dot), rotations.rate_in_body(R, R_dot)
    for e in np.eye(3):
        assert np.allclose(R_dot @ e, np.cross(base, R @ e), atol=1e-9)
    assert np.allclose(base, R @ body, atol=1e-9)
    quaternion = lambda t: rotations.to_quaternion(motion(t))
    assert np.allclose(slope(quaternion, 0.7), rotations.quaternion_rate(quaternion(0.7), body), atol=1e-9)


def test_angular_velocities_of_a_chain_add_up():
    """Symbols: turning about z, then about the new x:  omega = zdot e_z + xdot (the new x axis), in base axes."""
    t = sp.Symbol("t")
    u, v = sp.Function("u")(t), sp.Function("v")(t)
    Rz, Rx = (rd.spatial.rotation(np.array(axis, dtype=object), f) for axis, f in (((0, 0, 1), u), ((1, 0, 0), v)))
    R = sp.Matrix(Rz @ Rx)
    found = rotations.rate_in_base(R, R.diff(t))
    assert sp.simplify(found - sp.Matrix([v.diff() * sp.cos(u), v.diff() * sp.sin(u), u.diff()])).is_zero_matrix
    in_body = rotations.rate_in_body(R, R.diff(t))
    assert sp.simplify(R * in_body - found).is_zero_matrix


def put_into(R):
    """Yield whoever is given a rotation matrix, as a call."""
    T = np.eye(4)
    T[:3, :3] = R
    body = rd.bodies.box(1.0, (0.1, 0.2, 0.3))
    arm = rd.robots.puma560()
    yield lambda: rotations.log(R)
    yield lambda: rotations.log(np.stack([np.eye(3), R]))
    yield lambda: rotations.to_quaternion(R)
    yield lambda: rd.motions.log(T)
    yield lambda: rd.motions.inverse(T)
    yield lambda: body.at((0, 0, 0), R)
    yield lambda: rd.tumble(body, (1, 0, 0), [0, 1], R)
    yield lambda: rd.Link(1, rotation=R)
    yield lambda: rd.Link(1, frame_rotation=R)
    yield lambda: rd.LinkFrame(0, rotation=R)
    yield lambda: rd.Arm(arm.links, tip_rotation=R)
    yield lambda: rd.inverse_kinematics.solve(arm, T, np.zeros(6), restarts=0)


@pytest.mark.parametrize(
    "wrong",
    [np.diag([1, 1, -1]), -np.eye(3), np.eye(3)[[1, 0, 2]], 1.001 * np.eye(3), np.eye(3) + 1e-6 * np.eye(3, k=1)],
    ids=["mirror", "inversion", "exchange", "stretch", "shear"],
)
def test_what_turns_no_body_is_refused_everywhere(wrong):
    """A rotation keeps lengths and right hands right hands: R^T R = 1 and det R = +1."""
    for R in (np.eye(3), rotations.exp(PHIS[0])):
        for call in put_into(R):
            call()
        for call in put_into(R @ wrong):
            with pytest.raises(ValueError, match="rotation"):
                call()
