"""Laws of control: what each promises, on random arms; energies and Lyapunov functions along exact motions."""

import numpy as np
import pytest
from arms import arm_and_state
from numpy.linalg import norm, solve

import robotdyn as rd
from robotdyn import control
from robotdyn.control.adaptive_control import reference_regressor
from robotdyn.control.passivity_based import reference_torque

ARM, UP = rd.robots.two_link(), np.array([np.pi / 2, 0.0])
XY = np.eye(2, 3)


def with_motors(mix):
    """A random arm of these joints with rotors, and random q, qd."""
    arm, q, qd, _, _ = arm_and_state(mix)
    return rd.Arm([rd.Link(x.mass, x.com, x.inertia, x.joint, x.axis, x.position, x.rotation, x.pitch, 0.1)
                   for x in arm.links], arm.gravity, arm.tip), q, qd  # fmt: skip


def swing(n):
    """A motion of n joints that never rests."""
    return control.sine(np.zeros(n), np.linspace(0.3, 0.6, n), np.linspace(1, 2, n), np.arange(n))


def errors(motion, run):
    """q - q_ref, qd - qd_ref and qdd_ref along a motion, (T, n) each."""
    q, qd, qdd = (np.array(part) for part in zip(*(motion(t) for t in run.t)))
    return run.q - q, run.qd - qd, qdd


def integral(t, rate):
    """The integral of samples since the first one, by Simpson's rule on every second sample."""
    h = (t[2::2] - t[:-2:2]) / 6
    return np.append(0, np.cumsum(h * (rate[:-2:2] + 4 * rate[1::2] + rate[2::2])))


@pytest.mark.parametrize("mix", ["rrpr", "psrs", "rrrrrrr"])
def test_reference_torque_is_that_of_christoffel(mix):
    """Two inverse dynamics give M a + C(q, qd) v + g, with the C along which dM/dt - 2 C is skew."""
    arm, q, qd = with_motors(mix)
    v, a = np.random.default_rng(1).normal(size=(2, arm.n))
    expected = rd.mass_matrix(arm, q) @ a + rd.coriolis_matrix(arm, q, qd) @ v + rd.gravity_torque(arm, q)
    assert np.allclose(reference_torque(arm, q, qd, v, a), expected, rtol=1e-11, atol=1e-11)


def test_gravity_compensation_keeps_the_kinetic_energy():
    """An arm whose weight is carried floats: at rest it stays, in motion it keeps its kinetic energy."""
    arm, q, qd = with_motors("rrpr")
    law = control.gravity_compensation(arm)
    motion = rd.simulate(arm, q, qd, law, np.linspace(0, 1, 401))
    kinetic, _ = motion.energy(arm)
    assert np.allclose(kinetic, kinetic[0], rtol=1e-6) and norm(motion.q[-1] - q) > 0.1
    assert np.allclose(rd.forward_dynamics(arm, q, 0 * q, law(0, q, 0 * q)), 0, atol=1e-12)


def test_pd_loses_energy_to_its_damper():
    """Kinetic energy and that of the springs fall by what the dampers take, for any arm, gains and motion."""
    arm, q, qd = with_motors("rrpr")
    kp, kd, goal = np.diag([5.0, 6, 7, 8]) + 1, [1.0, 2, 0.5, 1], q + 0.5
    run = rd.simulate(arm, q, qd, control.pd(arm, kp, kd, goal), np.linspace(0, 2, 1001))
    off = run.q - goal
    H = rd.kinetic_energy(arm, run.q, run.qd) + np.einsum("ti,ij,tj->t", off, kp, off) / 2
    assert (np.diff(H) <= 1e-9 * H[0]).all() and H[-1] < 0.7 * H[0]
    assert np.allclose(H[::2] - H[0] + integral(run.t, run.qd**2 @ kd), 0, atol=1e-6 * H[0])


def test_what_pd_needs_to_know():
    """It rests at its goal with the weight of the pose or of the goal; without, the springs sag until they carry it."""
    goal = np.array([0.3, 0.5])
    ends = {}
    for gravity in (True, "goal", False):
        law = control.pd(ARM, 100, [40, 8], goal, gravity)
        ends[gravity] = rd.simulate(ARM, [0, 0], [0, 0], law, np.arange(0, 4, 0.005)).q[-1]
    assert np.allclose([ends[True], ends["goal"]], goal, atol=1e-3)
    assert np.allclose(100 * (goal - ends[False]), rd.gravity_torque(ARM, ends[False]), atol=0.1)
    assert norm(ends[False] - goal) > 0.05


def test_computed_torque_makes_any_arm_linear():
    """The error obeys edd + 10 ed + 25 e = 0: e = (e0 + (ed0 + 5 e0) t) exp(-5 t), whatever arm and motion."""
    arm, q, qd = with_motors("prp")
    motion = swing(3)
    run = rd.simulate(arm, q, qd, control.computed_torque(arm, motion, 25, 10), np.linspace(0, 1, 401))
    e, ed, _ = errors(motion, run)
    decay = np.exp(-5 * run.t)[:, None]
    assert np.allclose(e, (e[0] + (ed[0] + 5 * e[0]) * run.t[:, None]) * decay, atol=1e-7)


def test_computed_torque_with_a_wrong_model():
    """A step later the error is what the missing torque accelerates: edd + kd ed + kp e = M^-1 (torque missed)."""
    wrong, true = rd.robots.two_link(masses=(1, 1.5)), ARM
    q, qd, motion = np.array([0.3, 0.4]), np.array([1.0, -1]), swing(2)
    tau = control.computed_torque(wrong, motion, 25, 10)(0.7, q, qd)
    q_ref, qd_ref, qdd_ref = motion(0.7)
    wanted = qdd_ref + 10 * (qd_ref - qd) + 25 * (q_ref - q)
    missed = rd.inverse_dynamics(wrong, q, qd, wanted) - rd.inverse_dynamics(true, q, qd, wanted)
    assert np.allclose(rd.forward_dynamics(true, q, qd, tau) - wanted, solve(rd.mass_matrix(true, q), missed))


def test_passivity_loses_its_storage_to_the_damping():
    """s^T M s / 2 falls by the integral of s^T damping s, and the error dies out."""
    arm, q, qd = with_motors("rrpr")
    motion, damping = swing(4), np.array([9.0, 12, 15, 18])
    run = rd.simulate(arm, q, qd, control.passivity(arm, motion, 5, damping), np.linspace(0, 2, 1001))
    e, ed, _ = errors(motion, run)
    s = ed + 5 * e
    V = np.einsum("ti,tij,tj->t", s, rd.mass_matrix(arm, run.q), s) / 2
    assert (np.diff(V) <= 1e-9 * V[0]).all()
    assert np.allclose(V[::2] - V[0] + integral(run.t, s**2 @ damping), 0, atol=1e-4 * V[0])
    assert norm(e[-1]) < 0.1 * norm(e[0])


@pytest.mark.parametrize("mix", ["rrpr", "psrs"])
def test_reference_regressor(mix):
    """Y phi is M a + C(q, qd) v + g, with friction b v."""
    arm, q, qd = with_motors(mix)
    v, a = np.random.default_rng(1).normal(size=(2, arm.n))
    b, words = np.arange(arm.n), ("motor_inertia", "viscous")
    phi = rd.parameters(arm, {"motor_inertia": None, "viscous": b})
    tau = rd.mass_matrix(arm, q) @ a + rd.coriolis_matrix(arm, q, qd) @ v + rd.gravity_torque(arm, q) + b * v
    assert np.allclose(reference_regressor(arm, q, qd, v, a, words) @ phi, tau, rtol=1e-11, atol=1e-11)


def test_adaptive_storage_never_rises():
    """With estimates far off, s^T M s / 2 and their error, weighed by gain^-1, fall together by the integral of s^T damping s.

    The motion is learned; the parameters are not: phi - z stays far from zero, yet Y z becomes the torque.
    """
    true, model = rd.robots.two_link(masses=(1, 1.4)), rd.robots.two_link(masses=(0.6, 0.5))
    motion, damping, friction = swing(2), np.array([6.0, 3]), 0.8
    law = control.adaptive(model, motion, 4, damping, 0.5, ["viscous"])
    run = control.continuous(true, law, [0.5, -0.5], [0, 0], np.linspace(0, 12, 3001), rd.forces.viscous(friction))
    e, ed, _ = errors(motion, run)
    s, off = ed + 4 * e, run.state - rd.parameters(true, {"viscous": friction})
    V = np.einsum("ti,tij,tj->t", s, rd.mass_matrix(true, run.q), s) / 2 + (off**2).sum(axis=1)
    assert (np.diff(V) <= 1e-8 * V[0]).all()
    lost = integral(run.t, s**2 @ (damping + friction))
    assert np.allclose(V[::2] - V[0] + lost, 0, atol=1e-4 * V[0])
    late = run.t > 9
    assert norm(e[late], axis=1).max() < 0.05 * norm(e[0]) and norm(off[-1]) > 0.3 * norm(off[0])


def test_adaptive_with_the_truth_is_passivity():
    """Where nothing is left to learn it is the law of `passivity`, and its state stays."""
    arm, q, qd = with_motors("rrpr")
    law = control.adaptive(arm, swing(4), 3, 2, 0, ["motor_inertia"])
    tau, zd = law.step(0.3, q, qd, law.start)
    assert np.allclose(tau, control.passivity(arm, swing(4), 3, 2)(0.3, q, qd)) and not zd.any()


def test_energy_shaping_reaches_the_upright_energy():
    """A pendulum, and two links with a motor at the elbow alone: |E - E_up| never rises, and ends near zero."""
    pendulum = rd.robots.planar(1)
    for arm, hanging, end, up, motors in ((pendulum, [-1.5], 20, UP[:1], None), (ARM, [-1.2, 0.5], 2, UP, [1])):
        law = control.energy_shaping(arm, up, 0.1, motors)
        run = rd.simulate(arm, hanging, np.full(arm.n, 0.1), law, np.linspace(0, end, 2001))
        off = abs(sum(run.energy(arm)) - rd.potential_energy(arm, up))
        assert (np.diff(off) <= 1e-6 * off[0]).all() and off[-1] < 1e-2 * off[0]
        assert motors is None or not run.tau[:, 0].any()


def test_impedance_gives_way_as_its_spring_does():
    """At rest under a force f the point has moved by stiffness^-1 f: the law then holds the arm against f and its weight."""
    arm, q, _, _, w = arm_and_state("rrrrrrr")
    K, f = np.diag([300.0, 400, 500]) + 50, w[:3]
    x = rd.point_position(arm, q)
    tau = control.impedance(arm, x - solve(K, f), K, 10)(0, q, 0 * q)
    assert np.allclose(tau, rd.inverse_dynamics(arm, q, 0 * q, 0 * q, [*f, 0, 0, 0]))


def test_impedance_is_passive():
    """A hand that follows no motion loses its energy, springs included, to its dampers."""
    arm, q, qd = with_motors("rrrp")
    goal, point = np.array([0.5, 0.2, 0.4]), (0.1, 0.2, 0.3)
    law = control.impedance(arm, goal, 60, [2, 3, 4], 0.5, link=2, point=point)
    run = rd.simulate(arm, q, qd, law, np.linspace(0, 1, 501))
    off = rd.point_position(arm, run.q, 2, point) - goal
    v = (rd.point_jacobian(arm, run.q, 2, point)[:, :3] @ run.qd[..., None])[..., 0]
    H = rd.kinetic_energy(arm, run.q, run.qd) + 30 * (off**2).sum(axis=1)
    assert (np.diff(H) <= 1e-9 * H[0]).all()
    lost = integral(run.t, v**2 @ [2.0, 3, 4] + 0.5 * (run.qd**2).sum(axis=1))
    assert np.allclose(H[::2] - H[0] + lost, 0, atol=1e-5 * H[0])


@pytest.mark.parametrize("mix", ["rrrrrrr", "rrp"])
def test_operational_space_gives_the_wanted_acceleration(mix):
    """The acceleration of the point under the law is a_ref + kd ed + kp e, and no posture changes it."""
    arm, q, qd = with_motors(mix)
    motion = control.sine([0.2, 0.3, 0.1], 0.3, [1, 2, 3])
    x, v = rd.point_position(arm, q), (rd.point_jacobian(arm, q) @ qd)[:3]
    x_ref, v_ref, a_ref = motion(0.4)
    for posture in (None, lambda t, q, qd: 10 * np.cos(q) - 3 * qd):
        tau = control.operational_space(arm, motion, 50, 12, posture)(0.4, q, qd)
        a = rd.point_acceleration(arm, q, qd, rd.forward_dynamics(arm, q, qd, tau))[:3]
        assert np.allclose(a, a_ref + 12 * (v_ref - v) + 50 * (x_ref - x), rtol=1e-8, atol=1e-8)


def test_operational_space_along_directions():
    """A planar arm follows a motion in its plane: the error of the hand obeys the linear equation."""
    motion = control.sine([1.2, 0.3], [0.2, 0.3], 2)
    law = control.operational_space(ARM, motion, 25, 10, directions=XY)
    run = rd.simulate(ARM, [0.2, 0.9], [0, 0], law, np.linspace(0, 1, 201))
    x = rd.point_position(ARM, run.q)[:, :2]
    v = (rd.point_jacobian(ARM, run.q)[:, :2] @ run.qd[..., None])[..., 0]
    x_ref, v_ref = (np.array(part) for part in list(zip(*(motion(t) for t in run.t)))[:2])
    e, ed = x - x_ref, v - v_ref
    assert np.allclose(e, (e[0] + (ed[0] + 5 * e[0]) * run.t[:, None]) * np.exp(-5 * run.t)[:, None], atol=1e-6)
    with pytest.raises(ValueError, match=r"the pose must let the point move along all directions, got one in which"):
        law(0.0, np.array([0.3, 0.0]), np.zeros(2))


def test_limited():
    """Torques are those of the law inside the limits, and the limits outside."""
    law = lambda t, q, qd: np.array([-5.0, 0.5])
    assert (control.limited(law, 2)(0, UP, UP) == [-2, 0.5]).all()
    assert (control.limited(law, (-3, [0, 0.2]))(0, UP, UP) == [-3, 0.2]).all()


@pytest.mark.parametrize("motion", [control.minimum_jerk([0, 1], [2, -1], 1.5, 0.5), swing(2)])
def test_motions_agree_with_their_derivatives(motion):
    """qd and qdd are the derivatives of q."""
    for t in (0.7, 1.1, 1.8):
        ahead, here, back = motion(t + 1e-4), motion(t), motion(t - 1e-4)
        assert np.allclose((ahead[0] - back[0]) / 2e-4, here[1], atol=1e-6)
        assert np.allclose((ahead[1] - back[1]) / 2e-4, here[2], atol=1e-6)


def test_minimum_jerk():
    """It is the polynomial of fifth degree that begins and ends at rest, without acceleration, and waits outside."""
    motion = control.minimum_jerk([0, 1], [2, -1], 1.5, 0.5)
    ends = np.array([[s**k for k in range(6)] for s in (0, 1)])
    slopes = np.array([[k * s ** max(k - 1, 0) for k in range(6)] for s in (0.0, 1.0)])
    bends = np.array([[k * (k - 1) * s ** max(k - 2, 0) for k in range(6)] for s in (0.0, 1.0)])
    c = solve(np.vstack([ends, slopes, bends]), [0, 1, 0, 0, 0, 0])
    for s in (0.2, 0.5, 0.9):
        assert np.allclose(motion(0.5 + 1.5 * s)[0], np.array([0, 1]) + np.array([2, -2]) * (c @ s ** np.arange(6)))
    for t, q in ((0.0, [0, 1]), (0.5, [0, 1]), (2.0, [2, -1]), (9.0, [2, -1])):
        assert np.allclose(motion(t), [q, [0, 0], [0, 0]], atol=1e-12)
