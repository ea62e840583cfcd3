"""Sentences of the page "Soft hands, weak motors, slow clocks", tried on loads, starts and periods that it does not show."""

from functools import partial

import numpy as np
import pytest

import robotdyn as rd

ARM = rd.robots.two_link((0.5, 0.5), (2.0, 2.0))
OMEGA = 10.0  # rad/s


def with_an_integral(t, q, qd, z):
    """Return the torques that bring the arm to zero angles by a law with an integral, and the rate of the integral."""
    a = -3 * OMEGA * qd - 3 * OMEGA**2 * q - OMEGA**3 * z
    return rd.inverse_dynamics(ARM, q, qd, a), q


@pytest.mark.parametrize(("load", "rests"), [(0.5, True), (2.0, True), (10.0, False)])
def test_an_integral_removes_the_error_if_the_arm_comes_to_rest(load, rests):
    """If the arm comes to rest, the error vanishes, whatever the load is; with 10 kg in its hand our arm swings without end."""
    loaded = ARM.carrying(rd.Body(load, ARM.tip))
    law = rd.control.Learning(with_an_integral, np.zeros(2))
    run = rd.control.continuous(loaded, law, [0, 0], [0, 0], np.arange(0, 7, 0.02))
    late = abs(run.q[run.t > 5.5]).max()
    assert late < 1e-3 if rests else late > 0.5


@pytest.mark.parametrize("omega", [0.7, 10.0, 60.0])
def test_the_roots_decay_below_nine_times_the_inertia(omega):
    """A single joint whose true inertia is kappa times that of the model has roots that decay only if kappa < 9."""
    for kappa in (0.05, 1.0, 8.9, 9.1, 30.0):
        slowest = np.roots([kappa, 3 * omega, 3 * omega**2, omega**3]).real.max()
        assert (slowest < 0) == (kappa < 9)


def test_the_peak_torques_fall_with_the_duration():
    """Gravity asks for most at the end of the path, where nothing accelerates, and the peaks fall with the duration."""

    def peaks(duration):
        plan = rd.control.minimum_jerk([-np.pi / 2, 0], [0, 0], duration)
        ends = zip(*(plan(t) for t in np.linspace(0, duration, 201)), strict=True)
        return abs(rd.inverse_dynamics(ARM, *map(np.array, ends))).max(axis=0)

    falling = np.array([peaks(duration) for duration in np.geomspace(0.2, 20, 40)])
    assert np.diff(falling, axis=0).max() < 1e-9


def test_the_energy_of_two_links_arrives_from_any_start():
    """The energy arrives within a second or two, since its rate never used the other joint."""
    upright = [np.pi / 2, 0]
    law = rd.control.energy_shaping(ARM, upright, gain=0.3, motors=[1])
    for start in np.random.default_rng(3).uniform(-2, 2, (4, 2)):
        run = rd.simulate(ARM, start, [0, 0], law, np.arange(0, 2.001, 0.002))
        missing = sum(run.energy(ARM)) - rd.potential_energy(ARM, upright)
        assert abs(missing[-1]) < 0.05 * abs(missing[0])


def test_a_rate_from_differences_is_half_a_period_old():
    """At 40 ms the error has become 5.2°, because a rate from differences is also half a period old: not for the counts."""
    motion = rd.control.sine([-0.6, 1.0], [0.6, 0.8], rate=5.0, phase=[0, 1])
    computed = rd.control.computed_torque(ARM, motion, 100, 20)
    fine = {"resolution": 1e-9, "differences": True}  # no count is left, the age of the rate is
    for sensors, error in (({}, 1.9), (fine, 5.3), ({"resolution": 2 * np.pi / 4096}, 1.9)):
        run = rd.control.run(ARM, computed, *motion(0)[:2], 4, 0.04, **sensors)
        off = np.degrees(run.q - [motion(t)[0] for t in run.t])
        assert abs(off[run.t > 2]).max() == pytest.approx(error, abs=0.1)


def test_an_inertia_of_choice_needs_the_force():
    """The law gives the hand M_d if it measures f; it needs no sensor where M_d = Lambda, and there mu is canceled."""
    rng = np.random.default_rng(1)
    rows = np.eye(2, 3)
    states = rng.uniform(0.4, 2.2, (6, 2)), rng.normal(size=(6, 2)), rng.normal(size=(6, 2))
    for q, qd, f in zip(*states, strict=True):
        J = rd.tip_jacobian(ARM, q)[:2]
        v, inertia = J @ qd, rd.effective_inertia(ARM, q, directions=rows)
        pull = -60 * v - np.array([30.0, -20.0])  # spring and damper
        for M_d, sensor in ((np.diag([0.5, 2.0]), True), (inertia, True), (inertia, False)):
            wanted = np.linalg.solve(M_d, pull + f)
            if sensor:
                force = rd.task_space.force(ARM, q, qd, wanted, directions=rows) - f
            else:
                force = pull + rd.task_space.force(ARM, q, qd, [0, 0], directions=rows)
            qdd = rd.forward_dynamics(ARM, q, qd, J.T @ force, [*f, 0, 0, 0, 0])
            assert np.allclose(rd.point_acceleration(ARM, q, qd, qdd)[:2], wanted, rtol=1e-9, atol=1e-9)


def test_with_the_velocity_term_canceled_the_energy_of_the_hand_has_another_rate():
    """Without a joint to spare the power of mu is that by which a change of Lambda changes the energy of the hand, half of v^T Lambda' v."""
    rng, rows, h = np.random.default_rng(4), np.eye(2, 3), 1e-5
    for q, qd in zip(rng.uniform(0.4, 2.2, (6, 2)), rng.normal(size=(6, 2)), strict=True):
        v = rd.tip_jacobian(ARM, q)[:2] @ qd
        there, here = (rd.effective_inertia(ARM, q + s * h * qd, directions=rows) for s in (1, -1))
        mu = rd.task_space.bias_force(ARM, q, qd, directions=rows)
        mu = mu - rd.task_space.bias_force(ARM, q, 0 * qd, directions=rows)
        by_change = v @ (there - here) @ v / (4 * h)
        assert abs(by_change - v @ mu) < 1e-6 * (1 + abs(by_change))
        assert abs(by_change) > 1e-3


def test_the_soft_direction_turns_the_joints_more():
    """At rest 10 cm along y turn the shoulder by 15.7 and the elbow by -23.9 degrees, 1 cm along x less than a tenth of that."""
    pose = np.array([0.4, 1.0])
    place = rd.point_position(ARM, pose)
    soft, stiff = (
        np.degrees(rd.inverse_kinematics.solve(ARM, place + shift, pose).q - pose)
        for shift in (np.array([0, 0.1, 0]), np.array([0.01, 0, 0]))
    )
    assert abs(soft - [15.7, -23.9]).max() < 0.05
    assert (abs(stiff) < abs(soft) / 10).all()


def test_a_push_toward_a_place_within_reach_moves_the_hand_there_and_no_other():
    """When a steady force pushes the hand toward a place that the arm can reach, it comes to rest where K (x - x_r) = f."""
    pose = np.array([0.4, 1.0])
    place, stiffness = rd.point_position(ARM, pose), np.array([1000.0, 100.0])
    law = rd.control.impedance(ARM, place, [*stiffness, 0], [60, 20, 0])
    for push, reached in (([25.0, 12.0], True), ([-60.0, -20.0], True), ([0.0, 60.0], False)):
        wanted = place[:2] + push / stiffness
        assert (np.linalg.norm(wanted) < 1) == reached  # two links of 0.5 m
        pushed = rd.forces.total(law, rd.forces.tip_wrench(ARM, [*push, 0, 0, 0, 0]))
        run = rd.simulate(ARM, pose, [0, 0], pushed, np.arange(0, 10, 0.01))
        off = abs(rd.point_position(ARM, run.q[-1])[:2] - wanted).max()
        assert off < 1e-3 if reached else off > 0.1


ROD = rd.robots.planar([0.5], [2.0], coms=[0.25], inertias=[2 * 0.5**2 / 12])


def swing_up(t, q, qd, pump):
    """Return the torque of the page's law with a spring near the top."""
    off = (q - np.pi / 2 + np.pi) % (2 * np.pi) - np.pi
    return -20 * off - 3 * qd if abs(off[0]) < 0.3 else pump(t, q, qd)


@pytest.mark.slow
def test_the_weak_motor_gets_there_from_any_motion():
    """The motion tends to the curve of energy E_r or to rest; with a spring near the top the rod stands, from any start that moves."""
    pump = rd.control.energy_shaping(ROD, [np.pi / 2], gain=0.5)
    weak = rd.control.limited(partial(swing_up, pump=pump), 2.0)
    for q, qd in np.random.default_rng(1).uniform([-4, -12], [4, 12], (12, 2)):
        run = rd.simulate(ROD, [q], [qd], weak, np.arange(0, 12, 0.005))
        assert abs(np.sin(run.q[-1, 0]) - 1) < 1e-3 and abs(run.qd[-1, 0]) < 1e-2


def test_with_friction_the_energy_rises_less():
    """With viscous friction b in the joint the energy can rise only to E_r - b / k, which may not be enough for the top."""
    pump = rd.control.energy_shaping(ROD, [np.pi / 2], gain=0.5)
    top = rd.potential_energy(ROD, [np.pi / 2])
    for b in (0.1, 0.3):
        law = rd.forces.total(pump, rd.forces.viscous(b))
        run = rd.simulate(ROD, [-np.pi / 2], [0.1], law, np.arange(0, 16, 0.005))
        energy = sum(run.energy(ROD))
        assert energy.max() < top - b / 0.5 + 1e-3
        assert energy[-1] == pytest.approx(top - b / 0.5, abs=0.02)


def held_spring(inertia: float, spring: float, b: float, dt: float) -> float:
    """Return by what a motion grows in a period under a spring that is held for it and a real damper b."""
    fade = np.exp(-b * dt / inertia)
    moved = inertia / b * (1 - fade) if b else dt
    pushed = (dt - moved) / b if b else dt**2 / (2 * inertia)  # by 1 N m, from rest
    A = np.array([[1 - spring * pushed, moved], [-spring * moved / inertia, fade]])
    return abs(np.linalg.eigvals(A)).max()


@pytest.mark.parametrize("inertia", [0.1, 3.0])
def test_a_spring_with_a_clock_is_a_negative_damper(inertia):
    """A spring that is computed once in each period feeds energy in at any period, like a negative damper of k_p dt / 2."""
    for z in (0.01, 0.1, 0.3):  # frequency times period
        dt = z / np.sqrt(50 / inertia)
        growth = [held_spring(inertia, 50.0, share * 50 * dt / 2, dt) for share in (0, 0.97, 1.03)]
        assert growth[0] > 1 and growth[1] > 1 and growth[2] < 1


def test_on_the_curve_of_the_upright_energy_the_rod_does_not_quite_reach_the_top():
    """On the curve of energy E_r the rod climbs toward the top, ever more slowly, without quite reaching it."""
    about = 2 * 0.5**2 / 3
    pace = np.sqrt(2 * 9.81 * 0.25 / about)  # rad/s
    for off in (2.5, 1.0, 0.3):  # rad from the top
        rate = 2 * pace * np.sin(off / 2)
        assert sum(rd.simulate(ROD, [np.pi / 2 - off], [rate], None, [0, 0.01]).energy(ROD))[0] == pytest.approx(
            2 * 9.81 / 4
        )
        times = np.linspace(0, 1.2, 241)
        run = rd.simulate(ROD, [np.pi / 2 - off], [rate], None, times, "solve_ivp", rtol=1e-12, atol=1e-13)
        left = np.pi / 2 - run.q[:, 0]
        assert left == pytest.approx(4 * np.arctan(np.tan(off / 4) * np.exp(-pace * times)), abs=1e-6)
        assert (left > 0).all()
