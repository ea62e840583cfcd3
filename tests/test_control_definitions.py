"""Each law of control as its docstring writes it, term by term; where gains, limits, delays and poses begin to be refused."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from arms import arm_and_state

import robotdyn as rd
from robotdyn import control
from robotdyn.control.adaptive_control import reference_regressor
from robotdyn.control.passivity_based import reference_torque
from robotdyn.dynamics.task_space import mobility
from robotdyn.laws import slope

ARM, XY, Q2 = rd.robots.two_link(), np.eye(2, 3), np.zeros(2)
CART = rd.Arm([rd.Link(2.0, joint="prismatic", axis=(1, 0, 0))])  # 2 kg on a rail: qdd = tau / 2
IDLE = lambda t, q, qd: 0 * q
START = np.array([0.3, 0.4]), np.array([1.0, -1])


def spatial():
    """A random arm of four joints, and q, qd."""
    arm, q, qd, _, _ = arm_and_state("rrpr")
    return arm, q, qd


def refused(kind, words, call, *given, **named):
    """Tell whether a call ends in an error of this kind that holds these words."""
    with pytest.raises(kind) as error:
        call(*given, **named)
    return words in str(error.value)


# ---- gains and limits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_a_gain_is_symmetric_without_a_negative_eigenvalue_up_to_rounding(size):
    """To 1e-12 of its largest entry, whatever its size: what is off by more would push away or feed energy in."""
    make = lambda gain: control.pd(ARM, gain, 1, Q2)
    wrong = [[[1, 1e-11], [0, 1]], [[1, 0.5], [0.4, 1]], [[1, 0], [0, -1e-11]], [[-1, 0], [0, 1]], [[1, 2], [2, 1]]]
    for gain in wrong:
        assert refused(ValueError, "kp must be symmetric without a negative eigenvalue", make, size * np.array(gain))
    for gain in ([[1, 1e-13], [0, 1]], [[1, 0], [0, -1e-13]], [[1, 1], [1, 1]], np.zeros((2, 2))):
        make(size * np.array(gain, dtype=float))
    assert refused(ValueError, "kp must be symmetric without a negative", make, [1.0, -1.0])
    assert refused(ValueError, "kp must be symmetric without a negative", make, [-1.0, 1.0])


def test_limits_may_meet_but_not_cross():
    """(2, 2) leaves one torque; one bound stands for both."""
    law = lambda t, q, qd: np.array([-5.0, 0.5])
    assert np.array_equal(control.limited(law, (2, 2))(0, Q2, Q2), [2, 2])
    assert np.array_equal(control.limited(law, [3, 0.25])(0, Q2, Q2), [-3, 0.25])
    assert refused(ValueError, "limits must not have lower above upper", control.limited, law, ([0, 1], [1, 0]))
    assert refused(ValueError, "got 1 entries", control.limited, law, (1,))


def test_a_motion_is_looked_at_once_when_a_law_is_made():
    """At t = 0; three vectors of the right shape, or a sentence."""
    asked = []

    def motion(t):
        asked.append(t)
        return Q2, Q2, Q2

    control.passivity(ARM, motion, 1, 1)
    assert asked == [0.0]
    always = lambda parts: lambda t: parts
    for parts, words in (
        ((Q2, Q2), "got one that returns tuple"),
        ([Q2, Q2, Q2], "got one that returns list"),
        ((Q2, Q2[:1], Q2), "the velocity of the motion must have shape (2,)"),
        ((Q2, Q2, Q2[:1]), "the acceleration of the motion must have shape (2,)"),
    ):
        kind = ValueError if "shape" in words else TypeError
        assert refused(kind, words, control.computed_torque, ARM, always(parts), 1, 1)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("gravity_compensation", control.gravity_compensation),
        ("pd", lambda arm: control.pd(arm, 1, 1, Q2)),
        ("computed_torque", lambda arm: control.computed_torque(arm, control.sine(Q2, 1, 1), 1, 1)),
        ("passivity", lambda arm: control.passivity(arm, control.sine(Q2, 1, 1), 1, 1)),
        ("adaptive", lambda arm: control.adaptive(arm, control.sine(Q2, 1, 1), 1, 1, 1)),
        ("energy_shaping", lambda arm: control.energy_shaping(arm, Q2, 1)),
        ("impedance", lambda arm: control.impedance(arm, np.zeros(3), 1, 1)),
        ("operational_space", lambda arm: control.operational_space(arm, control.sine(Q2, 1, 1), 1, 1, directions=XY)),
        ("run", lambda arm: control.run(arm, IDLE, Q2, Q2, 0.1)),
        ("continuous", lambda arm: control.continuous(arm, IDLE, Q2, Q2, [0, 0.1])),
    ],
)
def test_an_arm_of_symbols_is_refused_by_the_function_that_was_called(name, make):
    """It says its own name, and the way on."""
    words = f"{name} needs numbers, got an arm with symbols: put values in with arm.subs"
    assert refused(TypeError, words, make, rd.robots.two_link(symbolic=True))
    assert refused(TypeError, "the first argument must be an Arm", make, 3)


# ---- laws -----------------------------------------------------------------------------------------------------------


def test_pd_term_by_term():
    """tau = kp (goal - q) - kd qd + g(q), g(goal) or nothing; the weight of the pose if nothing is said."""
    arm, q, qd = spatial()
    kp, kd, goal = np.diag([5.0, 6, 7, 8]) + 1, np.array([1.0, 2, 0.5, 1]), q + 0.5
    weights = {True: rd.gravity_torque(arm, q), "goal": rd.gravity_torque(arm, goal), False: np.zeros(4)}
    for gravity, weight in weights.items():
        expected = kp @ (goal - q) - kd * qd + weight
        assert np.allclose(control.pd(arm, kp, kd, goal, gravity)(0.0, q, qd), expected, rtol=1e-11, atol=1e-11)
    assert np.allclose(control.pd(arm, kp, kd, goal)(0, q, qd), control.pd(arm, kp, kd, goal, True)(0, q, qd))
    for other in ("Goal", None, 2):
        assert refused(ValueError, 'gravity must be True, False or "goal"', control.pd, arm, 1, 1, goal, other)


def test_energy_shaping_feeds_in_what_is_missing():
    """The power of the motors is -gain (E - E_goal) |qd|^2 of the joints that have one; the others get no torque."""
    arm, q, qd = spatial()
    goal = q + 0.7
    missing = rd.kinetic_energy(arm, q, qd) + rd.potential_energy(arm, q) - rd.potential_energy(arm, goal)
    for motors, driven in ((None, range(4)), ([0, 2], [0, 2]), ([np.int64(3)], [3]), ([], [])):
        law = (
            control.energy_shaping(arm, goal, 0.3) if motors is None else control.energy_shaping(arm, goal, 0.3, motors)
        )
        tau = law(0.0, q, qd)
        assert np.allclose(tau[list(driven)], -0.3 * missing * qd[list(driven)], rtol=1e-10)
        assert not np.delete(tau, list(driven)).any()
    for joint in (-1, 4, 1.0, "1"):
        assert refused(
            ValueError, "motors must be indices of joints from 0 to 3", control.energy_shaping, arm, goal, 1, [joint]
        )


@pytest.mark.parametrize(("link", "point"), [(-1, None), (1, (0.1, -0.2, 0.3))])
def test_impedance_term_by_term(link, point):
    """On any link, after a motion: the power of tau - g + joint_damping qd is that of the spring and the damper at the point."""
    arm, q, qd = spatial()
    K, D, joints = np.diag([300.0, 400, 500]) + 50, np.diag([3.0, 5, 4]) + 1, np.array([0.5, 0.2, 0.7, 0.1])
    motion = control.sine([0.5, 0.2, 0.4], [0.1, 0.2, 0.3], [1, 2, 3], 0.4)
    place = lambda q: rd.point_position(arm, q, link, point)
    for goal in (motion, motion(0.0)[0]):
        x_ref, v_ref, _ = goal(0.7) if callable(goal) else (goal, np.zeros(3), None)
        along = lambda e: slope(lambda s: place(q + s * e), 0.0)  # the velocity of the point where q moves along e
        force = K @ (x_ref - place(q)) + D @ (v_ref - along(qd))
        expected = np.array([along(e) @ force for e in np.eye(4)]) + rd.gravity_torque(arm, q) - joints * qd
        tau = control.impedance(arm, goal, K, D, joints, link, point)(0.7, q, qd)
        assert np.allclose(tau, expected, rtol=1e-7, atol=1e-7)
        if point is None:  # the tip, without damping of the joints, is meant where nothing is said
            assert np.allclose(
                control.impedance(arm, goal, K, D)(0.7, q, qd), expected + joints * qd, rtol=1e-7, atol=1e-7
            )


@pytest.mark.parametrize(("link", "point"), [(-1, None), (2, (0.1, -0.2, 0.3))])
def test_operational_space_term_by_term(link, point):
    """Along two slanted directions, with gains as matrices, on any link, and gravity compensation for the rest."""
    arm, q, qd, _, _ = arm_and_state("rrrr")
    D = np.array([[1.0, 0.2, 0], [0, 1, -0.5]])
    kp, kd = np.array([[50.0, 5], [5, 40]]), np.array([[12.0, 1], [1, 11]])
    motion = control.sine([0.2, 0.3], 0.3, [1, 2])
    x = D @ rd.point_position(arm, q, link, point)
    v = D @ slope(lambda s: rd.point_position(arm, q + s * qd, link, point), 0.0)
    x_ref, v_ref, a_ref = motion(0.4)
    law = partial(control.operational_space, arm, motion, kp, kd, link=link, point=point, directions=D)
    tau = law()(0.4, q, qd)
    a = D @ rd.point_acceleration(arm, q, qd, rd.forward_dynamics(arm, q, qd, tau), link, point)[:3]
    assert np.allclose(a, a_ref + kd @ (v_ref - v) + kp @ (x_ref - x), rtol=1e-7, atol=1e-7)
    assert np.allclose(tau, law(posture=control.gravity_compensation(arm))(0.4, q, qd), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("elbow", [1e-4, 1e-5, 1.6e-6, 1.4e-6, 1e-7, 1e-8, 1e-9, 1e-12, 0.0])
def test_operational_space_tells_a_pose_that_leaves_no_digits(elbow):
    """Up to a condition of 1e12 the acceleration is the wanted one to four digits; from there on the pose is refused."""
    q, motion = np.array([0.3, elbow]), control.sine([1.2, 0.3], [0.2, 0.3], 2)
    law = control.operational_space(ARM, motion, 25, 10, directions=XY)
    if np.linalg.cond(mobility(ARM, q, -1, None, XY)) >= 1e12:
        assert elbow < 1.5e-6
        assert refused(
            ValueError, "the pose must let the point move along all directions, got one in which", law, 0, q, Q2
        )
        assert refused(ValueError, "it cannot along (0.955, 0.296, 0)", law, 0, q, Q2)  # along the stretched arm
        return
    assert elbow > 1.5e-6
    x_ref, v_ref, a_ref = motion(0.0)
    wanted = a_ref + 10 * v_ref + 25 * (x_ref - rd.point_position(ARM, q)[:2])
    a = rd.point_acceleration(ARM, q, Q2, rd.forward_dynamics(ARM, q, Q2, law(0, q, Q2)))[:2]
    assert np.allclose(a, wanted, atol=1e-2)  # four digits of rates of some 10 m/s^2


def test_directions_are_rows_of_three():
    """(k, 3), and at least one."""
    motion = control.sine(Q2, 1, 1)
    for directions in (np.zeros((0, 3)), np.eye(2), np.zeros((1, 2, 3)), [1, 0, 0]):
        words = "directions must have shape (k, 3)"
        assert refused(ValueError, words, control.operational_space, ARM, motion, 1, 1, directions=directions)


def test_the_first_estimates_are_those_of_the_model():
    """Masses and rotors of the arm that is given, and no friction; or what is told."""
    links = [replace(link, motor_inertia=0.1 * k) for k, link in enumerate(ARM.links, start=1)]
    arm, motion = replace(ARM, links=links), control.sine(Q2, 1, 1)
    begin = control.adaptive(arm, motion, 1, 1, 1, ["viscous", "motor_inertia"]).start
    assert np.allclose(begin, [*rd.parameters(arm), 0, 0, 0.1, 0.2])
    assert np.allclose(control.adaptive(arm, motion, 1, 1, 1).start, rd.parameters(arm))
    told = control.adaptive(arm, motion, 1, 1, 1, start=np.arange(20)).start
    assert np.array_equal(told, np.arange(20))


def test_an_estimate_learns_along_its_own_regressor():
    """dz/dt = -gain Y^T s and tau = Y z - damping s, with gains as vectors and matrices; s = qd - v."""
    arm, q, qd, _, _ = arm_and_state("rp")
    motion, rate, damping = control.sine(Q2, 0.5, [1, 2]), np.diag([4.0, 5]) + 1, np.array([1.0, 2])
    gain = np.linspace(0.1, 2, 20)
    law = control.adaptive(arm, motion, rate, damping, gain)
    z = law.start + 0.1
    q_ref, qd_ref, qdd_ref = motion(0.6)
    v, a = qd_ref + rate @ (q_ref - q), qdd_ref + rate @ (qd_ref - qd)
    Y = np.column_stack([torque_of(arm, e, q, qd, v, a) for e in np.eye(20)])
    tau, zd = law.step(0.6, q, qd, z)
    assert np.allclose(tau, Y @ z - damping * (qd - v), rtol=1e-9, atol=1e-9)
    assert np.allclose(zd, -gain * (Y.T @ (qd - v)), rtol=1e-9, atol=1e-9)


def torque_of(arm, e, q, qd, v, a):
    """Column of Y for one parameter: the law of `passivity` is linear in the bodies, so two arms differ by it."""
    phi = rd.parameters(arm)
    torque = lambda other: (
        rd.mass_matrix(other, q) @ a + rd.coriolis_matrix(other, q, qd) @ v + rd.gravity_torque(other, q)
    )
    step = 1e-3  # small enough that the link stays a body
    return (torque(rd.with_parameters(arm, phi + step * e)) - torque(rd.with_parameters(arm, phi - step * e))) / (
        2 * step
    )


def test_at_its_goal_at_rest_only_the_weight_is_left():
    """Where nothing moves and nothing shall, passive and adaptive laws, at estimates of the truth, give g(q)."""
    arm, q, _ = spatial()
    still = lambda t: (q, 0 * q, 0 * q)
    weight = rd.gravity_torque(arm, q)
    assert np.allclose(control.passivity(arm, still, 3, 2)(0.0, q, 0 * q), weight)
    learning = control.adaptive(arm, still, 3, 2, 1)
    tau, zd = learning.step(0.0, q, 0 * q, learning.start)
    assert np.allclose(tau, weight) and not zd.any()
    assert np.allclose(reference_torque(arm, q, 0 * q, 0 * q, 0 * q), weight)
    assert np.allclose(reference_regressor(arm, q, 0 * q, 0 * q, 0 * q) @ rd.parameters(arm), weight)


# ---- motions --------------------------------------------------------------------------------------------------------


def test_what_a_motion_takes_for_granted():
    """minimum_jerk begins at t = 0, and a sine with phase 0."""
    for one, other in (
        (control.minimum_jerk([0.0, 1], [2, -1], 1.5), control.minimum_jerk([0.0, 1], [2, -1], 1.5, 0.0)),
        (control.sine([1.0, 2], [0.3, 0.4], 2), control.sine([1.0, 2], [0.3, 0.4], 2, 0.0)),
    ):
        assert np.allclose(one(0.4), other(0.4), rtol=0, atol=0)
    assert np.allclose(control.minimum_jerk([0.0, 1], [2, -1], 1.5)(0.75)[0], [1, 0])  # half the time, half the way
    q, qd, qdd = control.sine([1.0, 2], [0.3, 0.4], [2, 3], 0.5)(0.7)
    angle = np.array([2, 3]) * 0.7 + 0.5
    assert np.allclose(q, [1, 2] + np.array([0.3, 0.4]) * np.sin(angle))
    assert np.allclose(qd, [0.6, 1.2] * np.cos(angle)) and np.allclose(qdd, [-1.2, -3.6] * np.sin(angle))


def test_minimum_jerk_moves_along_a_line():
    """Shapes of any number of axes; both ends have the same."""
    motion = control.minimum_jerk(np.zeros((2, 3)), np.ones((2, 3)), 2.0, -1.0)
    q, qd, qdd = motion(0.0)
    assert np.allclose(q, 0.5) and np.allclose(qd, 15 / 16) and np.allclose(qdd, 0)  # 30 / 16 / duration at half way


# ---- what a plan does -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def plan():
    return rd.reach(ARM, [-0.8, 1.0], [0, 0], [1.2, 0.5], 11, 0.02, effort=1e-2)


def test_a_plan_changes_its_torque_at_the_times_of_its_steps(plan):
    """From t dt on, to a billionth of a step: what rounding puts before it counts as after."""
    law = control.tracking(plan, 0.02)
    for k in range(1, 10):
        state = plan.q[k], plan.qd[k]
        for early, s in ((1e-8, k - 1), (1e-10, k), (0.0, k), (-0.5, k)):
            off = plan.x[k] - plan.x[s]
            assert np.allclose(law((k - early) * 0.02, *state), plan.u[s] + plan.gains[s] @ off, rtol=0, atol=1e-9)


def test_a_loop_adds_the_push_after_each_step(plan):
    """x_(t+1) = f(x_t, u_t) + push_t, u = u_t + K_t (x - x_t), within limits, blind or not."""
    dynamics, push = rd.arm_dynamics(ARM, 0.02), np.random.default_rng(1).normal(size=(10, 4)) / 10
    for feedback in (True, False):
        x, u = control.closed_loop(dynamics, plan, plan.x[0] + 0.1, push, feedback, (-3, [4, 1]))
        for t in range(10):
            wanted = plan.u[t] + feedback * plan.gains[t] @ (x[t] - plan.x[t])
            assert np.allclose(u[t], np.clip(wanted, -3, [4, 1])) and np.allclose(
                x[t + 1], dynamics.step(x[t], u[t]) + push[t]
            )
    free, inputs = control.closed_loop(dynamics, plan, plan.x[0] + 0.1)
    assert np.allclose(inputs[0], plan.u[0] + plan.gains[0] @ np.full(4, 0.1)) and free.shape == (11, 4)


# ---- a law as a computer runs it ------------------------------------------------------------------------------------


def test_the_first_rate_of_encoders_is_the_true_one():
    """There is no sample before it to take a difference from, and the noise of another sensor is not in it."""
    options = {"noise": (0.01, 0.5), "rng": np.random.default_rng(2)}
    run = control.run(ARM, IDLE, *START, 0.05, period=0.01, differences=True, **options)
    q, qd = run.measured[:, 0], run.measured[:, 1]
    assert np.array_equal(qd[0], START[1]) and abs(q[0] - START[0]).max() > 1e-4
    assert np.allclose(qd[1:], np.diff(q, axis=0) / 0.01)


def test_a_sensor_may_be_the_only_one_with_errors():
    """Noise of q or of qd alone, of one joint alone; encoders with steps at one joint alone."""
    for noise in ((0.1, 0.0), (0.0, 0.1), ((0.1, 0.0), 0.0)):
        run = control.run(ARM, IDLE, *START, 0.5, period=0.01, noise=noise, rng=np.random.default_rng(2))
        off = run.measured - np.stack([run.q, run.qd], axis=1)
        expected = np.array([np.broadcast_to(part, 2) for part in noise])
        assert np.allclose(off.std(axis=0), expected, rtol=0.4, atol=1e-12)  # of 51 samples: three deviations of it
    run = control.run(ARM, IDLE, *START, 0.05, period=0.01, resolution=[0.0, 0.01])
    assert np.array_equal(run.measured[:, 0, 0], run.q[:, 0])
    assert np.allclose(run.measured[:, 0, 1], 0.01 * np.round(run.q[:, 1] / 0.01)) and np.ptp(run.q[:, 1]) > 0.02


def test_a_step_of_an_encoder_lies_around_its_middle():
    """0.149 is told as 0.1 and 0.151 as 0.2; noise comes before the step."""
    at = lambda q, **more: control.run(CART, IDLE, [q], [0], 1e-3, resolution=0.1, **more).measured[0, 0, 0]
    assert np.isclose(at(0.149), 0.1) and np.isclose(at(0.151), 0.2) and np.isclose(at(-0.149), -0.1)
    noisy = at(0.149, noise=(0.2, 0.0), rng=np.random.default_rng(1))
    assert np.isclose(noisy / 0.1, round(noisy / 0.1)) and not np.isclose(noisy, 0.1)


def test_a_run_takes_for_granted():
    """A period of a millisecond, no delay, no noise, rk4 in one step, no limits, no load."""
    law = control.pd(ARM, 20, 3, Q2)
    plain = control.run(ARM, law, *START, 0.02)
    told = control.run(ARM, law, *START, 0.02, 1e-3, 0.0, 0.0, (0.0, 0.0), False, None, None, 1, "rk4", None)
    assert len(plain) == 21 and np.allclose(np.diff(plain.t), 1e-3)
    assert np.array_equal(plain.q, told.q) and np.array_equal(plain.measured, np.stack([plain.q, plain.qd], axis=1))
    assert np.array_equal(plain.tau, plain.asked) and plain.state.shape == (21, 0)


@pytest.mark.parametrize("delay", [0.0, 0.004])
def test_substeps_are_steps_of_the_integrator(delay):
    """Each stretch of constant torque in so many, at their times: a load that changes with time sees them."""
    load = lambda t, q, qd: np.array([np.sin(40 * t), np.cos(30 * t)])
    options = {"load": load, "substeps": 4, "method": "euler", "delay": delay}
    run = control.run(ARM, lambda t, q, qd: np.array([t, -1.0]), *START, 0.03, period=0.01, **options)
    q, qd = START
    for k in range(3):
        held = [(0.01 * k, delay, k - 1), (0.01 * k + delay, 0.01 - delay, k)] if delay else [(0.01 * k, 0.01, k)]
        for begin, length, sample in held:
            tau = np.array([0.01 * sample, -1.0]) if sample >= 0 else Q2
            for s in range(4):
                qdd = rd.forward_dynamics(ARM, q, qd, tau + load(begin + s * length / 4, q, qd))
                q, qd = q + qd * length / 4, qd + qdd * length / 4
        assert np.allclose([run.q[k + 1], run.qd[k + 1]], [q, qd], rtol=0, atol=1e-12)


def test_a_duration_is_a_whole_number_of_periods_up_to_rounding():
    """A millionth of a period may be missing or too much."""
    lasts = lambda duration: len(control.run(CART, IDLE, [0], [1], duration, period=0.01))
    assert lasts(0.1) == lasts(0.1 + 1e-9) == lasts(0.1 - 1e-9) == 11
    for duration in (0.1 + 1e-7, 0.1 - 1e-7, 0.105):
        assert refused(ValueError, "duration must be a whole number of periods", lasts, duration)


@pytest.mark.parametrize(("delay", "samples"), [(0.02 - 1e-12, 2), (0.02 + 1e-12, 2), (0.02, 2), (0.0, 0)])
def test_a_delay_of_whole_periods_is_one_up_to_rounding(delay, samples):
    """A billionth of a period does not shift the torque by a sample, nor is it waited for."""
    calls = []

    def load(t, q, qd):
        calls.append(t)
        return np.zeros(1)

    law = lambda t, q, qd: np.array([1 + t])
    run = control.run(CART, law, [0], [0], 0.05, period=0.01, delay=delay, load=load, method="euler")
    expected = [0.0] * samples + [1 + 0.01 * k for k in range(6 - samples)]
    assert np.allclose(run.tau[:, 0], expected) and len(calls) == 5  # one step of Euler for each period
    late = control.run(CART, law, [0], [0], 0.05, period=0.01, delay=0.02 + 2e-10, load=load, method="euler")
    assert np.allclose(late.tau[:, 0], [0.0] * 3 + [1 + 0.01 * k for k in range(3)])  # 2e-8 of a period are one


def test_a_motion_that_runs_away_is_told():
    """From 1e12 on, in steps and without a clock; up to there it is a motion."""
    for rate, ends in ((0.9e12, True), (1.1e12, False), (-1.1e12, False)):
        for call in (
            partial(control.run, CART, IDLE, [0], [rate], 1e-3),
            partial(control.continuous, CART, IDLE, [0], [rate], [0, 1e-3]),
        ):
            if ends:
                assert np.isclose(call().qd[-1, 0], rate)
            else:
                assert refused(ValueError, "the motion must stay finite, got 1.1e+12 at t = 0.001 s", call)


def test_without_a_clock_a_load_acts_and_everything_is_recorded():
    """`continuous` is `rd.simulate` under law and load together; tau is the motors' alone, and what is seen is true."""
    law, load = control.pd(ARM, 20, 3, Q2), rd.forces.viscous(0.3)
    t = np.linspace(0, 0.2, 41)
    run = control.continuous(ARM, law, *START, t, load)
    both = rd.simulate(ARM, *START, rd.forces.total(law, load), t)
    assert np.allclose(run.q, both.q, atol=1e-12) and np.allclose(run.qd, both.qd, atol=1e-12)
    assert np.allclose(run.tau, [law(*sample) for sample in zip(t, run.q, run.qd)]) and np.array_equal(
        run.tau, run.asked
    )
    assert np.array_equal(run.measured, np.stack([run.q, run.qd], axis=1)) and run.state.shape == (41, 0)


def test_a_bare_run_has_seen_nothing():
    """What `run` and `continuous` add is empty where nobody gives it."""
    run = control.Run(np.zeros(1), np.zeros((1, 2)), np.zeros((1, 2)), np.zeros((1, 2)))
    assert (run.measured.shape, run.asked.shape, run.state.shape) == ((0, 2, 0), (0, 0), (0, 0))


def test_what_cannot_be_run_is_told():
    """Sizes below zero and of wrong shapes, fractions of steps, a joint that moves nothing."""
    run = partial(control.run, ARM, IDLE, Q2, Q2, 0.01)
    for named, words in (
        ({"resolution": [0.1, -0.1]}, "resolution must be >= 0"),
        ({"resolution": [0.1, 0.1, 0.1]}, "resolution must be >= 0, a number or (2,)"),
        ({"noise": (0.1, -0.1)}, "noise of qd must be >= 0"),
        ({"noise": (-0.1, 0.1)}, "noise of q must be >= 0"),
        ({"substeps": 0}, "substeps must be a whole number >= 1, got 0"),
        ({"substeps": 1.5}, "substeps must be a whole number >= 1, got 1.5"),
        ({"period": 0}, "period must be > 0 s"),
        ({"delay": -1e-3}, "delay must be >= 0 s"),
    ):
        assert refused(ValueError, words, run, **named)
    assert refused(TypeError, "noise must be (of q, of qd)", run, noise=(0.1, 0.1, 0.1))
    assert refused(ValueError, "duration must be > 0 s", control.run, ARM, IDLE, Q2, Q2, 0)
    massless = rd.Arm([rd.Link(0)])
    for call in (control.run, control.continuous):
        last = 0.01 if call is control.run else [0, 0.01]
        assert refused(ValueError, "every joint must move some mass or inertia", call, massless, IDLE, [0], [0], last)
