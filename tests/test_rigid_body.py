"""One rigid body: forces are rates of momenta, about any point; what turns freely keeps momentum and energy."""

import functools

import mpmath
import numpy as np
import pytest
import sympy as sp
from scipy.special import ellipj

import robotdyn as rd
from robotdyn import rigid_body
from robotdyn.laws import slope
from robotdyn.simulation import free_body

rng = np.random.default_rng(11)
BODY = rd.bodies.points(rng.uniform(0.2, 1, 6), rng.normal(size=(6, 3)))
POINT = np.array([0.3, -0.2, 0.5])


def pose(t):
    """A motion of a body: the rotation and the position of its point."""
    R = rd.rotations.exp([0.3 * t, np.sin(t), 0.2]) @ rd.rotations.exp([t**2, 0, 0.1 * t])
    return R, np.array([np.cos(t), t**3 / 5, np.sin(2 * t)])


def rates(t):
    """R, omega in body axes, and the velocity of the point in base axes."""
    R, R_dot = pose(t)[0], slope(lambda t: pose(t)[0], t)
    return R, rd.rotations.rate_in_body(R, R_dot), slope(lambda t: pose(t)[1], t)


def momenta(t):
    """The momentum and the angular momentum about the moving point, in base axes."""
    R, omega, v = rates(t)
    p, L = rigid_body.momentum(BODY, omega, R.T @ v, POINT).reshape(2, 3)
    return np.array([R @ p, R @ L])


def test_momentum_is_that_of_the_points():
    """p = sum m v, L = sum d x m v, T = sum m v^2 / 2 over the points; likewise (p, L) = M (v, omega)."""
    masses, positions = rng.uniform(0.2, 1, 5), rng.normal(size=(5, 3))
    body, (v, omega) = rd.bodies.points(masses, positions), rng.normal(size=(2, 3))
    d = positions - POINT
    speeds = v + np.cross(omega, d)
    found = rigid_body.momentum(body, omega, v, POINT)
    assert np.allclose(found, [*(masses @ speeds), *(masses @ np.cross(d, speeds))])
    assert np.allclose(found, body.mass_matrix(POINT) @ [*v, *omega])
    assert rigid_body.kinetic_energy(body, omega, v, POINT) == pytest.approx(masses @ (speeds**2).sum(axis=1) / 2)


def test_a_wrench_is_the_rate_of_the_momenta():
    """f = dp/dt and n_O = dL_O/dt + v_O x p, about a point that moves; its power is the rate of the kinetic energy."""
    t = 0.4
    (R, omega, v), (p, _) = rates(t), momenta(t)
    alpha = slope(lambda t: rates(t)[1], t)
    a = slope(lambda t: rates(t)[2], t)
    f, n = rigid_body.wrench(BODY, omega, alpha, R.T @ a, POINT).reshape(2, 3)
    p_dot, L_dot = slope(momenta, t)
    assert np.allclose(R @ f, p_dot, atol=1e-6)
    assert np.allclose(R @ n, L_dot + np.cross(v, p), atol=1e-6)

    def energy(t):
        R, omega, v = rates(t)
        return rigid_body.kinetic_energy(BODY, omega, R.T @ v, POINT)

    assert f @ R.T @ v + n @ omega == pytest.approx(slope(energy, t), abs=1e-6)


def test_acceleration_undoes_wrench():
    """About any point; without acceleration the moment is the gyroscopic torque."""
    omega, alpha, a = rng.normal(size=(3, 3))
    f, n = rigid_body.wrench(BODY, omega, alpha, a, POINT).reshape(2, 3)
    assert np.allclose(rigid_body.acceleration(BODY, omega, f, n, POINT), [*a, *alpha])
    steady = rigid_body.wrench(BODY, omega, (0, 0, 0), (0, 0, 0), POINT)[3:]
    assert np.allclose(rigid_body.gyroscopic_torque(BODY, omega, POINT), steady)


@pytest.mark.parametrize("unit", [1e-20, 1e20])
def test_a_grain_turns_as_a_planet_does(unit):
    """Masses, forces and moments so many times as large: one acceleration."""
    body, (omega, f, n) = rd.Body(unit * BODY.mass, BODY.com, unit * BODY.inertia), rng.normal(size=(3, 3))
    expected = rigid_body.acceleration(BODY, omega, f, n, POINT)
    assert np.allclose(rigid_body.acceleration(body, omega, unit * f, unit * n, POINT), expected, rtol=1e-10)


def test_a_body_is_the_last_link_of_an_arm():
    """Three sliders and three hinges without mass carry it: the efforts of inverse dynamics are J^T of the wrench."""
    axes = np.eye(3)
    links = [rd.Link(0, joint="prismatic", axis=axis) for axis in axes]
    links += [rd.Link(0, axis=axes[2]), rd.Link(0, axis=axes[1]), rd.Link(*BODY, axis=axes[0])]
    arm = rd.Arm(links, gravity=(0, 0, 0), tip=POINT)
    q, qd, qdd = rng.normal(size=(3, 6))
    J = rd.tip_jacobian(arm, q)
    R = rd.link_poses(arm, q)[0][-1]
    a_base = J @ qdd + slope(lambda s: rd.tip_jacobian(arm, q + s * qd), 0.0) @ qd
    (a, alpha), omega = (part @ R for part in a_base.reshape(2, 3)), (J @ qd)[3:] @ R  # d(R^T w)/dt = R^T dw/dt
    wrench = rigid_body.wrench(BODY, omega, alpha, a, POINT)
    in_base = np.concatenate([R @ wrench[:3], R @ wrench[3:]])
    assert np.allclose(J.T @ in_base, rd.inverse_dynamics(arm, q, qd, qdd), atol=1e-8)


LAWS = {
    "momentum": (rigid_body.momentum, 3),
    "kinetic_energy": (rigid_body.kinetic_energy, 3),
    "gyroscopic_torque": (rigid_body.gyroscopic_torque, 2),
    "wrench": (rigid_body.wrench, 4),
    "acceleration": (rigid_body.acceleration, 4),
}


@pytest.mark.parametrize("name", LAWS)
def test_all_worlds_agree(name):
    """Numbers, a batch of states, and formulas into which the numbers are put."""
    law, count = LAWS[name]
    states = rng.normal(size=(count, 4, 3))
    batch = law(BODY, *states)
    for k in range(4):
        assert np.allclose(batch[k], law(BODY, *states[:, k]))
    assert np.allclose(law(BODY, states[0], *states[1:, 2])[2], batch[2])  # what does not vary is given once
    moments = sp.symbols("A B C", positive=True)
    sizes = sp.Symbol("m", positive=True), sp.symbols("c_1:4", real=True), sp.diag(*moments)
    letters = [sp.symbols(f"x{i}_1:4", real=True) for i in range(count)]
    formula = law(rd.Body(*sizes), *letters)
    values = {sizes[0]: 1.3, **dict(zip(sizes[1], (0.1, 0.2, -0.3))), **dict(zip(moments, (0.3, 0.4, 0.5)))}
    body = rd.Body(1.3, (0.1, 0.2, -0.3), np.diag([0.3, 0.4, 0.5]))
    values |= {letter: number for row, numbers in zip(letters, states[:, 0]) for letter, number in zip(row, numbers)}
    found = np.array(sp.Matrix([formula]).subs(values), dtype=float).ravel()
    assert np.allclose(found, law(body, *states[:, 0]))


# ---- turning ---------------------------------------------------------------------------------------------------------


MOMENTS = np.array([1.0, 2.0, 2.6])
OMEGA = np.array([0.25, 2.5, 0.15])


@functools.cache
def long_turn():
    """A body that tumbles for 100 s, 40 rounds, turned in its axes, with its moments in no order."""
    A = rd.rotations.exp([0.3, -0.5, 0.8])
    body = rd.Body(2, (1, 2, 3), A @ np.diag(MOMENTS) @ A.T)
    return A, rd.tumble(body, A @ OMEGA, np.linspace(0, 100, 201), rd.rotations.exp([1, 0.2, 0.3]))


def test_torque_free_turning_keeps_momentum_and_energy():
    """To 1e-9 over 100 s: L in direction and size, which the samples of R and omega give, and T; R stays a rotation."""
    _, motion = long_turn()
    L, T = motion.momentum(), motion.energy()
    assert abs(L - L[0]).max() < 1e-9 * np.linalg.norm(L[0])
    assert abs(T - T[0]).max() < 1e-9 * T[0]
    assert abs(np.swapaxes(motion.rotation, 1, 2) @ motion.rotation - np.eye(3)).max() < 1e-12


def test_torque_free_turning_follows_jacobi():
    """omega(t) is cn, sn, dn of Jacobi for 2 T I2 > L^2 or below (Landau and Lifshitz, Mechanics, section 37)."""
    A, motion = long_turn()
    omega = motion.omega @ A
    I1, I2, I3 = MOMENTS
    E2, M2 = MOMENTS @ OMEGA**2, MOMENTS**2 @ OMEGA**2  # 2 T and L^2
    assert M2 < E2 * I2  # the axis of the smallest moment is circled: in the formulas 1 and 3 change places
    a1, a2, a3 = (
        np.sqrt((E2 * I3 - M2) / (I1 * (I3 - I1))),
        np.sqrt((M2 - E2 * I1) / (I2 * (I2 - I1))),
        np.sqrt((M2 - E2 * I1) / (I3 * (I3 - I1))),
    )
    pace = np.sqrt((I2 - I1) * (E2 * I3 - M2) / (I1 * I2 * I3))
    k2 = (I3 - I2) * (M2 - E2 * I1) / ((I2 - I1) * (E2 * I3 - M2))

    def closed(t):
        sn, cn, dn, _ = ellipj(pace * t, k2)
        return np.stack([a1 * dn, a2 * sn, a3 * cn], axis=-1)

    # the phase: where on its closed curve the motion starts
    starts = np.linspace(0, 20, 20001)
    near = starts[np.argmin(abs(closed(starts) - OMEGA).sum(axis=1))]
    for _ in range(20):
        step = slope(closed, near, 1e-4)
        near -= step @ (closed(near) - OMEGA) / (step @ step)
    assert np.allclose(closed(near), OMEGA, atol=1e-9)
    assert np.allclose(omega, closed(motion.t + near), atol=1e-7)


def test_a_symmetric_body_precesses_uniformly():
    """R = exp(t L / I1) R_0 exp(t (1 - I3 / I1) omega_3 e_3), for 100 s: two steady turns, one about L and one about the body."""
    I1, I3 = 0.7, 1.2
    omega, R_0, t = np.array([0.4, -0.3, 0.8]), rd.rotations.exp([0.4, 0.1, -0.9]), np.linspace(0, 100, 51)
    motion = rd.tumble(rd.Body(1, (0, 0, 0), np.diag([I1, I1, I3])), omega, t, R_0)
    L = R_0 @ (np.array([I1, I1, I3]) * omega)
    about_L = rd.rotations.exp(t[:, None] * L / I1)
    about_body = rd.rotations.exp(t[:, None] * np.array([0, 0, (1 - I3 / I1) * omega[2]]))
    assert np.allclose(motion.rotation, about_L @ R_0 @ about_body, atol=1e-9)


def heavy_top(omega, R, t):
    """A cone on its tip, with its weight; also its weight times the distance of its center of mass."""
    top = rd.bodies.cone(0.5, 0.1, 0.2)
    weight = np.array([0, 0, -9.81 * top.mass])
    torque = lambda t, R, omega: np.cross(R @ top.com, weight)
    return top, -weight[2] * top.com[2], rd.tumble(top, omega, t, R, torque, point=(0, 0, 0))


def test_a_heavy_top_keeps_three_numbers():
    """T + m g h, the vertical momentum and the spin about its axis are kept (the integrals of Lagrange's top)."""
    R = rd.rotations.exp([0, 0.5, 0])
    _, weight, motion = heavy_top((0.3, 0.2, 60), R, np.linspace(0, 1, 101))
    total = motion.energy() + weight * motion.rotation[:, 2, 2]
    L_z = motion.momentum()[:, 2]
    assert np.ptp(motion.rotation[:, 2, 2]) > 0.02  # it does nod
    for kept in (total, L_z, motion.omega[:, 2]):
        assert np.ptp(kept) < 1e-9 * abs(kept).max()


def test_a_heavy_top_precesses_steadily_at_a_root_of_its_quadratic():
    """I1 cos(theta) Omega^2 - I3 omega_3 Omega + m g l = 0 (Goldstein, section 5.7): then theta stays."""
    theta, spin = 0.5, 200.0
    R = rd.rotations.exp([0, theta, 0])
    top, weight, _ = heavy_top((0, 0, spin), R, [0, 1e-3])
    I = top.about((0, 0, 0))
    for Omega in np.roots([I[0, 0] * np.cos(theta), -I[2, 2] * spin, weight]):
        omega = R.T @ [0, 0, Omega]  # the precession, and about the axis what makes omega_3 the spin
        omega[2] = spin
        motion = heavy_top(omega, R, np.linspace(0, 0.2, 41))[2]
        assert np.allclose(motion.rotation[:, 2, 2], np.cos(theta), atol=1e-9)
        way = np.unwrap(np.arctan2(motion.rotation[:, 1, 2], motion.rotation[:, 0, 2]))
        assert np.allclose(way, Omega * motion.t, atol=1e-7)


@pytest.mark.parametrize("later", [-3e6, 2.0**21])
def test_time_has_no_origin(later):
    """A body that turns freely from a later time, or from one before zero, turns in the same way."""
    t = np.linspace(0, 5, 6)
    first, then = (rd.tumble(BODY, (0.3, 2, 0.1), times) for times in (t, t + later))
    assert np.allclose(then.rotation, first.rotation, atol=1e-7)  # the times themselves are rounded to 5e-10 s


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-4, 3e-3, 0.0099999, 0.0100001, 0.3, 3.0])
def test_the_chart_is_the_exponential_and_its_rates_are_exact(angle):
    """In small angles, too, where series stand: exp[phi] as SciPy has it, and phidot as its definition by differences."""
    from scipy.spatial.transform import Rotation

    phi = angle * np.array([2.0, -1.0, 2.0]) / 3
    turn, to_chart = free_body._exponential_chart(phi)
    assert abs(turn - Rotation.from_rotvec(phi).as_matrix()).max() < 4e-16 + 1e-15 * (angle > 1)
    omega = np.array([0.3, -0.7, 0.2])
    rate = slope(lambda t: free_body._exponential_chart(phi + t * (to_chart @ omega))[0], 0.0)
    assert np.allclose(rd.rotations.rate_in_body(turn, rate), omega, atol=1e-9)
    with mpmath.workdps(40):  # omega = J phidot, the right Jacobian of the exponential
        x, K = mpmath.mpf(angle), np.cross(phi, np.eye(3), axisb=0, axisc=0)
        second, third = ((1 - mpmath.cos(x)) / x**2, (x - mpmath.sin(x)) / x**3) if angle else (0.5, 1 / 6)
        J = np.eye(3) - float(second) * K + float(third) * K @ K
    assert abs(to_chart @ J - np.eye(3)).max() < 1e-15 * (1 + 9 * (angle > 1))


def test_rest_turns_with_the_torque():
    """From rest a constant torque about a principal axis turns by n t^2 / (2 I), also in one long interval."""
    body = rd.Body(1, (0, 0, 0), np.diag([1.0, 2, 2.5]))
    motion = rd.tumble(body, (0, 0, 0), [0, 7.0], torque=lambda t, R, omega: (0, 0, 5))
    assert np.allclose(motion.rotation[-1], rd.rotations.exp([0, 0, 5 * 49 / (2 * 2.5)]), atol=1e-9)
    still = rd.tumble(body, (0, 0, 0), [0, 7.0])
    assert np.array_equal(still.rotation[-1], np.eye(3)) and len(still) == 2
