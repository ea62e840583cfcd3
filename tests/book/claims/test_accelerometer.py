"""Sentences of the page "What an accelerometer feels", on random bodies that swing."""

import numpy as np
import pytest

import robotdyn as rd


def across(body: rd.Body, r: float, angle: float, speed: float) -> float:
    """Return what a sensor at the distance r from the hinge reads across the body."""
    arm = rd.Arm([rd.Link(*body)], gravity=(0, -9.81, 0))
    speedup = rd.forward_dynamics(arm, [angle], [speed], [0.0])
    return float(rd.sensors.accelerometer(arm, [angle], [speed], speedup, 0, (r, 0, 0))[1])


def test_the_center_of_oscillation_feels_nothing_across_and_may_lie_beyond_the_arm():
    """It lies beyond the center of mass, at l_c + I_c / (m l_c), and need not lie on the arm."""
    rng = np.random.default_rng(26)
    outside = 0
    for _ in range(200):
        length, mass, share = rng.uniform(0.2, 2), rng.uniform(0.1, 5), rng.uniform(0.01, 0.5)
        l_c = length * share  # hung by a point of the rod between an end and the middle
        spread = mass * length**2 / 12
        rod = rd.Body(mass, (l_c, 0, 0), np.diag([0, spread, spread]))
        r0 = l_c + spread / (mass * l_c)
        assert r0 > l_c
        assert abs(across(rod, r0, *rng.normal(size=2) * 3)) < 1e-8 * (1 + r0)
        outside += r0 > l_c + length / 2
    assert 20 < outside < 180  # on some rods and not on others
    hung = rd.Body(2.0, (0.05, 0, 0), np.diag([0, 0.06, 0.06]))
    assert hung.about((0, 0, 0))[2, 2] / hung.first_moment()[0] == pytest.approx(0.65)


def test_on_a_rod_that_hangs_from_its_end_it_is_at_two_thirds():
    """On a slender arm that swings freely from its end there is a place where it will insist that it hangs straight down."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        length, mass = rng.uniform(0.1, 3), rng.uniform(0.1, 5)
        spread = mass * length**2 / 12
        rod = rd.Body(mass, (length / 2, 0, 0), np.diag([0, spread, spread]))
        assert abs(across(rod, 2 * length / 3, *rng.normal(size=2) * 4)) < 1e-9


@pytest.mark.parametrize("wide", [0.1, 0.5, 1.0, 2.0])
def test_on_a_wide_plate_the_place_may_lie_beyond_the_end(wide):
    """On a slender arm that swings freely from its end there is such a place on the arm; on a wide one it may lie beyond its end."""
    length, mass = 0.5, 2.0
    spread = mass * (length**2 + wide**2) / 12
    plate = rd.Body(mass, (length / 2, 0, 0), np.diag([mass * wide**2 / 12, mass * length**2 / 12, spread]))
    r0 = length / 2 + spread / (mass * length / 2)
    assert abs(across(plate, r0, 0.7, 2.0)) < 1e-9
    assert (r0 > length) == (wide**2 > 2 * length**2)


@pytest.mark.parametrize("degrees", [1, 2, 4])
def test_a_phone_spins_steadily_like_a_plate_and_not_end_over_end(degrees):
    """End over end it departs from its middle axis within a revolution or two if the toss is off by a degree, and the reading changes."""
    phone, rate, spot = rd.bodies.box(0.18, (0.147, 0.071, 0.008)), 6 * np.pi, np.array([0.05, 0, 0])
    I, off = np.diag(phone.inertia), np.radians(degrees)

    def reading(first: np.ndarray, t_end: float) -> np.ndarray:
        run = rd.tumble(phone, first, np.linspace(0, t_end, 101))
        speedup = np.cross(I * run.omega, run.omega) / I
        return np.linalg.norm(rd.sensors.lever_arm(run.omega, speedup, spot), axis=1)

    steady = rate**2 * 0.05
    assert abs(reading(rate * np.array([off, 0, 1]), 1.0) / steady - 1).max() < 0.02
    assert abs(reading(rate * np.array([off, 1, 0]), 2 / 3) / steady - 1).max() > 0.2  # two revolutions


@pytest.mark.parametrize("release", [20, 60, 90, 120, 150])
def test_above_the_level_of_the_hinge_a_sensor_near_it_reports_too_large_a_tilt(release):
    """While the arm is below the level of its hinge the tilt is too small nearer to the hinge; farther out it has the wrong sign."""
    arm = rd.robots.planar([0.6], [2.0], [0.3], [0.06])
    run = rd.simulate(arm, [np.radians(release) - np.pi / 2], [0], t=np.arange(0, 3, 0.01))
    speedup = rd.forward_dynamics(arm, run.q, run.qd, run.tau)
    tilt = run.q[:, 0] + np.pi / 2
    for r in (0.1, 0.2, 0.39, 0.41, 0.5, 0.6):
        a_x, a_y, _ = rd.sensors.accelerometer(arm, run.q, run.qd, speedup, point=(r, 0, 0)).T
        found, some = np.arctan2(a_y, -a_x), abs(np.sin(tilt)) > 1e-6
        assert ((np.sign(found) == np.sign(np.sin(tilt))) == (r < 0.4))[some].all()
        below = some & (np.cos(tilt) > 1e-9)
        assert r > 0.4 or (abs(found) < abs(tilt))[below].all()
        assert r > 0.4 or release <= 90 or abs(found[0]) > abs(tilt[0]) + 0.01


def test_at_the_center_of_oscillation_it_insists_that_the_arm_hangs_only_below_the_hinge():
    """Below the level of its hinge it insists that the arm is hanging; released above, it reports an arm that stands upright."""
    arm = rd.robots.planar([0.6], [2.0], [0.3], [0.06])
    for degrees in (10, 80, 100, 170):
        q = [np.radians(degrees) - np.pi / 2]
        felt = rd.sensors.accelerometer(arm, q, [0], rd.forward_dynamics(arm, q, [0], [0.0]), 0, (0.4, 0, 0))
        assert abs(felt[1]) < 1e-9
        assert (felt[0] < 0) == (degrees < 90)


def test_an_arm_that_is_balanced_on_its_hinge_has_no_such_place():
    """The weight has no moment, so nothing cancels its component across the arm, at any distance."""
    body = rd.Body(2.0, (0, 0, 0), np.diag([0, 0.06, 0.06]))
    for r in (-1, 0, 0.5, 100):
        assert across(body, r, 0.4, 1.5) == pytest.approx(9.81 * np.cos(0.4))


def test_a_joint_whose_axis_stands_upright_is_hidden_whichever_it_is():
    """In other poses another axis may stand upright, such as that of the last joint, and then its angle is hidden as well."""
    puma, rest = rd.robots.puma560(), np.zeros(6)

    def read(q):
        return np.array([rd.sensors.accelerometer(puma, q, rest, rest, link) for link in range(6)])

    poses = (np.radians([40, -30, 50, 20, -60, 10]), rest, np.array([0.3, 0.4, -0.9, 0, 0.5, 0]))
    hidden = []
    for q in poses:
        R = rd.link_poses(puma, q)[0]
        upright = [abs(abs((R[i] @ puma.links[i].axis)[2]) - 1) < 1e-9 for i in range(6)]
        unseen = [abs(read(q) - read(q + 0.7 * one)).max() < 1e-9 for one in np.eye(6)]
        assert unseen == upright
        hidden.append([i + 1 for i in range(6) if unseen[i]])
    assert hidden == [[1], [1, 4, 6], [1, 6]]
