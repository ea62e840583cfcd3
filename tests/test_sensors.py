"""Inertial sensors: readings are rates of positions, less gravity; errors have the sizes told; filters follow their laws."""

import numpy as np
import pytest
import sympy as sp
from arms import MIXES, arm_and_state

import robotdyn as rd
from robotdyn import sensors
from robotdyn.laws import slope

rng = np.random.default_rng(5)
EVERY = 0.01  # s
UP = np.array([0.0, 0.0, 1.0])


@pytest.mark.parametrize("mix", MIXES[::3])
@pytest.mark.parametrize("link", [0, -1])
def test_readings_are_rates_of_positions(mix, link):
    """f = R^T (d^2 p / dt^2 - g) and [omega] = R^T dR/dt along a motion, to the error of the five-point rule."""
    arm, q, qd, qdd, _ = arm_and_state(mix)
    point = rng.normal(size=3)
    way = lambda t: q + t * qd + t**2 / 2 * qdd
    place = lambda t: rd.point_position(arm, way(t), link, point)
    turned = lambda t: rd.link_poses(arm, way(t))[0][link]
    f = turned(0).T @ (slope(lambda t: slope(place, t), 0) - arm.gravity)
    assert np.allclose(sensors.accelerometer(arm, q, qd, qdd, link, point), f, atol=1e-6)
    omega = rd.rotations.rate_in_body(turned(0), slope(turned, 0))
    assert np.allclose(sensors.gyroscope(arm, q, qd, link), omega, atol=1e-9)


@pytest.mark.parametrize("mix", ["rrr", "prp", "rprprp"])
def test_at_rest_it_reads_gravity_upside_down(mix):
    """f = -R^T g anywhere on an arm that rests."""
    arm, q, *_ = arm_and_state(mix)
    for link, R in enumerate(rd.link_poses(arm, q)[0]):
        assert np.allclose(sensors.accelerometer(arm, q, 0 * q, 0 * q, link, rng.normal(size=3)), -R.T @ arm.gravity)


def test_readings_are_what_the_motors_carry():
    """Links of point masses: tau = sum of J^T m f, for a force m f carries each mass (d'Alembert)."""
    arm, q, qd, qdd, _ = arm_and_state("rprr")
    points = rd.Arm(
        [rd.Link(x.mass, x.com, 0 * x.inertia, x.joint, x.axis, x.position, x.rotation) for x in arm.links],
        gravity=arm.gravity,
    )
    R = rd.link_poses(points, q)[0]
    tau = 0
    for i, link in enumerate(points.links):
        force = link.mass * sensors.accelerometer(points, q, qd, qdd, i, link.com)
        tau += rd.com_jacobian(points, q, i)[:3].T @ R[i] @ force
    assert np.allclose(tau, rd.inverse_dynamics(points, q, qd, qdd), atol=1e-10)


def test_in_free_fall_the_center_of_mass_reads_zero():
    """A body on three sliders and a ball of hinges, without motors: however it tumbles, f = 0 at its center of mass."""
    axes = np.eye(3)
    body = rd.Body(2, (0.1, -0.2, 0.3), np.diag([1, 2, 2.5]))
    links = [rd.Link(0, joint="prismatic", axis=axis) for axis in axes]
    arm = rd.Arm([*links, rd.Link(0, axis=axes[2]), rd.Link(0, axis=axes[1]), rd.Link(*body, axis=axes[0])])
    q, qd = rng.normal(size=(2, 6))
    qdd = rd.forward_dynamics(arm, q, qd, np.zeros(6))
    assert abs(sensors.accelerometer(arm, q, qd, qdd, point=body.com)).max() < 1e-10
    assert np.linalg.norm(sensors.accelerometer(arm, q, qd, qdd, point=(0, 0, 0))) > 1e-3


def test_at_the_center_of_oscillation_a_pendulum_feels_no_swing():
    """At I_O / (m c) from the hinge f lies along the pendulum, in every state without torque (Huygens)."""
    m, c, I = 1.3, 0.4, 0.05
    arm = rd.robots.planar([1.0], [m], [c], [I])
    q, qd = rng.normal(size=(2, 20, 1))
    qdd = rd.forward_dynamics(arm, q, qd, 0 * q)
    place = lambda r: sensors.accelerometer(arm, q, qd, qdd, point=(r, 0, 0))[:, 1]
    assert abs(place((I + m * c**2) / (m * c))).max() < 1e-12
    assert abs(place(c)).min() > 1e-3


def test_a_lever_arm_is_the_difference_of_two_readings():
    """alpha x r + omega x (omega x r), from place to place on one link, one state at a time and in a batch."""
    arm, *_ = arm_and_state("rrr")
    q, qd, qdd = rng.normal(size=(3, 5, 3))
    here, there = rng.normal(size=(2, 3))
    gap = sensors.accelerometer(arm, q, qd, qdd, -1, there) - sensors.accelerometer(arm, q, qd, qdd, -1, here)
    omega = sensors.gyroscope(arm, q, qd)
    spin = lambda k: slope(
        lambda t: sensors.gyroscope(arm, q[k] + t * qd[k] + t**2 / 2 * qdd[k], qd[k] + t * qdd[k]), 0
    )
    alpha = np.array([spin(k) for k in range(5)])
    assert np.allclose(sensors.lever_arm(omega, alpha, there - here), gap, atol=1e-8)
    assert np.allclose(sensors.lever_arm(omega[0], alpha[0], there - here), gap[0], atol=1e-8)
    assert np.allclose(sensors.lever_arm(omega[:3], alpha[0], here)[1], sensors.lever_arm(omega[1], alpha[0], here))


def test_a_lever_arm_takes_symbols():
    """On a turntable: -r Omega^2 inward and r dOmega/dt along the circle."""
    r, w, a = sp.symbols("r w a")
    assert sensors.lever_arm((0, 0, w), (0, 0, a), (r, 0, 0)) == sp.Matrix([-r * w**2, r * a, 0])


# ---- errors ------------------------------------------------------------------------------------------------------------


T = np.arange(0, 100, EVERY)


def runs(count, t=T, **sizes):
    """Readings of 0 by 3 * count sensors, (len(t), 3 * count)."""
    still = np.zeros((len(t), 3))
    return np.concatenate([sensors.with_errors(still, t, seed, **sizes) for seed in range(count)], axis=1)


def test_a_sensor_without_errors_is_exact_and_a_bias_is_added():
    """No error, no change; a bias for each axis or for all."""
    exact = rng.normal(size=(len(T), 3))
    assert np.array_equal(sensors.with_errors(exact, T, 1), exact)
    assert np.allclose(sensors.with_errors(exact, T, 1, bias=(1, 2, 3)) - exact, [1, 2, 3])
    assert np.allclose(sensors.with_errors(exact, T, 1, bias=0.5) - exact, 0.5)


def test_a_seed_repeats_its_errors():
    """One seed, one run; another seed, another run; a generator goes on."""
    again = lambda seed: sensors.with_errors(np.zeros((len(T), 3)), T, seed, white=1, walk=1)
    assert np.array_equal(again(3), again(3)) and not np.allclose(again(3), again(4))
    generator = np.random.default_rng(3)
    assert np.array_equal(again(generator), again(3)) and not np.allclose(again(generator), again(3))


def within(found, expected, samples):
    """A standard deviation, estimated from so many Gaussian samples, is off by less than four of its own deviations."""
    return abs(found / expected - 1) < 4 / np.sqrt(2 * samples)


@pytest.mark.parametrize("uneven", [False, True])
def test_the_mean_of_white_noise_shrinks_with_the_square_root_of_time(uneven):
    """The integral over s seconds has the standard deviation white sqrt(s), also for steps of many lengths."""
    steps = np.random.default_rng(2).uniform(0.2, 1.8, len(T)) * EVERY if uneven else np.full(len(T), EVERY)
    t = np.cumsum(steps)
    integral = runs(100, t, white=0.3)[1:].T @ np.diff(t)
    assert within(integral.std(), 0.3 * np.sqrt(t[-1] - t[0]), 300)


def test_a_wandering_bias_grows_with_the_square_root_of_time():
    """After s seconds it has gone walk sqrt(s), and it begins at the bias that was told."""
    found = runs(100, walk=0.2, bias=1.0) - 1.0
    assert abs(found[0]).max() == 0
    for s in (1.0, 25.0, 99.0):
        assert within(found[round(s / EVERY)].std(), 0.2 * np.sqrt(s), 300)


# ---- tilt, and the filter ------------------------------------------------------------------------------------------------


def test_tilt_is_up_in_the_axes_of_the_sensor_and_gives_roll_and_pitch():
    """R^T e_z for R = R_z(yaw) R_y(pitch) R_x(roll), whatever the yaw."""
    turn = lambda axis, angle: rd.rotations.exp(angle[:, None] * np.eye(3)[axis])
    yaw, roll = rng.uniform(-np.pi, np.pi, (2, 50))
    pitch = rng.uniform(-np.pi / 2, np.pi / 2, 50)
    R = turn(2, yaw) @ turn(1, pitch) @ turn(0, roll)
    reading = np.swapaxes(R, 1, 2) @ [0, 0, 9.81]
    assert np.allclose(sensors.tilt(reading), np.swapaxes(R, 1, 2) @ UP, atol=1e-14)
    assert np.allclose(sensors.roll_and_pitch(reading), np.stack([roll, pitch], axis=1), atol=1e-12)


def tumbling():
    """A sensor that turns about the point where it sits: its readings, and where up is in its axes."""
    body = rd.Body(1, (0, 0, 0), np.diag([1.0, 2, 2.5]))
    motion = rd.tumble(body, (0.4, 1.0, -0.3), np.arange(0, 5, 2e-3))
    up = np.swapaxes(motion.rotation, 1, 2) @ UP
    return motion.t, 9.81 * up, motion.omega, up


def test_exact_sensors_are_fused_exactly():
    """Where nothing accelerates both sensors say the same, and any time constant follows, the gyroscope alone, too."""
    t, f, omega, up = tumbling()
    for time_constant in (0.01, 1.0, np.inf, np.where(t < 2, 1.0, np.inf)):
        assert np.allclose(sensors.complementary_filter(t, f, omega, time_constant), up, atol=1e-5)


def test_a_wrong_start_is_forgotten_with_the_time_constant():
    """The error decays like exp(-t / T) while the sensor rests, never without the accelerometer; a start has no length."""
    f, still = np.tile([0, 0, 9.81], (len(T), 1)), np.zeros((len(T), 3))
    lean = 1e-3
    for time_constant, length in ((2.0, 1.0), (2.0, 9.81), (np.inf, 0.1)):
        start = length * np.array([np.sin(lean), 0, np.cos(lean)])
        found = sensors.complementary_filter(T, f, still, time_constant, up=start)
        assert np.allclose(found[:, 0], lean * np.exp(-T / time_constant), rtol=1e-3, atol=1e-12)


def test_a_bias_of_the_gyroscope_tilts_the_estimate_by_bias_times_time_constant():
    """At rest the filter stands still where the sine of the angle is b T; the gyroscope alone goes on turning at b."""
    f, bias, time_constant = np.tile([0, 0, 9.81], (len(T), 1)), 0.05, 3.0
    found = sensors.complementary_filter(T, f, np.tile([0, bias, 0], (len(T), 1)), time_constant)[-1]
    assert found == pytest.approx([-bias * time_constant, 0, np.sqrt(1 - (bias * time_constant) ** 2)], rel=2 * EVERY)
    drifting = sensors.complementary_filter(T, f, np.tile([0, bias, 0], (len(T), 1)), np.inf)
    assert np.allclose(np.unwrap(np.arctan2(-drifting[:, 0], drifting[:, 2])), bias * T, atol=1e-9)


def test_noise_passes_the_filter_as_it_should():
    """White noise n of the gyroscope tilts by n sqrt(T / 2), a of the accelerometer by a / (g sqrt(2 T))."""
    still, rest, tau = np.zeros((len(T), 3)), np.tile([0, 0, 9.81], (len(T), 1)), 0.5
    angle = lambda up: up[500:, :2]  # after ten time constants
    by_gyro, by_accelerometer = [], []
    for seed in range(8):
        gyro = sensors.with_errors(still, T, seed, white=2e-3)
        by_gyro.append(angle(sensors.complementary_filter(T, rest, gyro, tau)))
        felt = sensors.with_errors(rest, T, seed, white=2e-2)
        by_accelerometer.append(angle(sensors.complementary_filter(T, felt, still, tau)))
    independent = 8 * 2 * 95 / (2 * tau)  # samples further apart than 2 tau
    assert within(np.std(by_gyro), 2e-3 * np.sqrt(tau / 2), independent)
    assert within(np.std(by_accelerometer), 2e-2 / 9.81 / np.sqrt(2 * tau), independent)
