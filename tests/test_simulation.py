"""Motion: orders of convergence, what each integrator does to energy, friction, springs and wrenches."""

import numpy as np
import pytest

import robotdyn as rd
from robotdyn import laws as relations
from robotdyn.dynamics import forces, planar

PENDULUM = rd.robots.planar((1.0,), (1.0,))
SWING_AFTER_1_S = -2.975824  # rad: m = l = 1, g = 9.81, released at rest from the horizontal (judged at 50 digits)


def swing(method, dt, end=1.0, **options):
    return rd.simulate(PENDULUM, [0], [0], t=np.linspace(0, end, round(end / dt) + 1), method=method, **options)


@pytest.mark.parametrize(("dt", "published"), [(0.01, -3.025055), (0.005, -3.000458)])
def test_explicit_euler_is_the_step_of_the_source(dt, published):
    """The published end points of RCFS 111 for the falling pendulum, by `simulate` and by `planar.euler_step`."""
    assert abs(swing("euler", dt).q[-1, 0] - published) < 1e-6
    q, qd = np.zeros(1), np.zeros(1)
    for _ in range(round(1 / dt)):
        q, qd = planar.euler_step(PENDULUM, q, qd, np.zeros(1), dt)
    assert abs(q[0] - published) < 1e-6


def test_euler_feeds_energy_in():
    """After 10 s with steps of 10 ms the pendulum has gained 6.886 J, where it should have kept 0."""
    end = swing("euler", 0.01, 10.0)
    total = rd.kinetic_energy(PENDULUM, end.q, end.qd) + rd.potential_energy(PENDULUM, end.q)
    assert abs(total[-1] - total[0] - 6.886) < 1e-3


@pytest.mark.parametrize(("method", "order"), [("euler", 1), ("semi-implicit", 1), ("rk4", 4)])
def test_order_of_convergence(method, order):
    """Halving the step divides the error by 2 to the order."""
    exact = swing("solve_ivp", 0.5, rtol=1e-12, atol=1e-13).q[-1, 0]
    assert abs(exact - SWING_AFTER_1_S) < 1e-6
    errors = [abs(swing(method, dt).q[-1, 0] - exact) for dt in (0.01, 0.005)]
    assert abs(np.log2(errors[0] / errors[1]) - order) < 0.15


@pytest.mark.parametrize(("method", "dt", "drift"), [("rk4", 5e-3, 1e-5), ("solve_ivp", 0.1, 1e-6)])
def test_energy_is_kept(method, dt, drift):
    """A spatial arm without motors and friction keeps T + U within the error of the integrator."""
    rng = np.random.default_rng(12)
    arm = rd.robots.random_arm(rng, 2, ["revolute", "revolute"])
    q, qd = rng.normal(size=(2, 2))
    motion = rd.simulate(arm, q, qd, t=np.linspace(0, 1, round(1 / dt) + 1), method=method)
    assert relations.energy_is_kept(motion, arm) < drift


def mean_gains(arm, q, dt, windows=3, length=4.0):
    """Mean energy gain in J of the semi-implicit step in windows of time, from rest."""
    t = np.linspace(0, windows * length, round(windows * length / dt) + 1)
    motion = rd.simulate(arm, q, np.zeros(arm.n), t=t, method="semi-implicit")
    total = rd.kinetic_energy(arm, motion.q, motion.qd) + rd.potential_energy(arm, motion.q)
    return np.array([part.mean() for part in np.array_split(total - total[0], windows)])


def test_semi_implicit_keeps_the_energy_of_one_link_only():
    """With a constant mass matrix the error is bounded; with two links it grows with time, and halves with the step."""
    assert abs(mean_gains(PENDULUM, [-1.0], 0.01)).max() < 0.01
    two = rd.robots.planar(2)
    coarse, fine = mean_gains(two, [-1.0, 0.5], 0.01), mean_gains(two, [-1.0, 0.5], 0.005)
    assert coarse[2] > coarse[1] > coarse[0] > 0.02
    assert np.allclose(coarse / fine, 2, atol=0.3)


def test_power_of_friction():
    """What friction takes is what the energy loses: d(T + U)/dt = friction . qd, integrated by Simpson's rule."""
    from scipy.integrate import simpson

    arm = rd.robots.two_link()
    law = forces.total(forces.viscous([0.3, 0.1]), forces.coulomb(0.2, width=0.5))
    t = np.linspace(0, 2, 401)
    motion = rd.simulate(arm, [0.4, -0.3], [1.0, 2.0], law, t)
    total = rd.kinetic_energy(arm, motion.q, motion.qd) + rd.potential_energy(arm, motion.q)
    power = (motion.tau * motion.qd).sum(axis=1)
    assert (power <= 0).all()
    assert abs(total[-1] - total[0] - simpson(power, x=t)) < 1e-6


def test_spring_is_an_oscillator():
    """A spring on a joint without gravity swings at sqrt(k / M)."""
    arm = rd.robots.planar((1.0,), (2.0,), gravity=0)
    t = np.linspace(0, 3, 601)
    motion = rd.simulate(arm, [0.7], [0], forces.spring(8.0, rest=0.2), t)
    assert np.allclose(motion.q[:, 0], 0.2 + 0.5 * np.cos(2.0 * t), atol=1e-9)


def test_tip_wrench_holds_the_arm():
    """A wrench that carries the weight at the tip keeps an arm of one point mass at rest."""
    wrench = [0, 9.81, 0, 0, 0, 0]
    motion = rd.simulate(PENDULUM, [0.3], [0], forces.tip_wrench(PENDULUM, wrench), np.linspace(0, 1, 11))
    assert np.allclose(motion.q, 0.3, atol=1e-14)
    later = forces.tip_wrench(PENDULUM, lambda t: np.array(wrench) * (t < 0.5))
    motion = rd.simulate(PENDULUM, [0.3], [0], later, np.linspace(0, 1, 11))
    assert np.allclose(motion.q[:5], 0.3, atol=1e-14) and motion.q[-1, 0] < 0.2


def test_laws_add_up():
    """total is the sum of its laws, constants included."""
    law = forces.total(forces.viscous(2.0), np.array([1.0, 0.0]), forces.spring(3.0))
    assert np.allclose(law(0.0, np.array([0.1, 0.2]), np.array([1.0, -1.0])), [1 - 2 - 0.3, 2 - 0.6])


def test_trajectory_records_what_was_applied():
    """Times, states and torques of a Trajectory belong together."""
    arm = rd.robots.two_link()
    motion = rd.simulate(arm, [0, 0], [0, 0], lambda t, q, qd: [t, 0], np.linspace(0, 0.5, 6))
    assert motion.q.shape == motion.qd.shape == motion.tau.shape == (6, 2)
    assert np.allclose(motion.tau[:, 0], motion.t) and (motion.q[0] == 0).all()


def test_falling_chain():
    """A chain in absolute angles by euler_step is the chain in relative angles by `simulate`, damped and not."""
    arm, dt, n = rd.robots.planar(3), 0.01, 3
    motion = rd.simulate(arm, np.zeros(n), np.zeros(n), forces.viscous(1.0), np.arange(101) * dt, method="euler")
    q, qd = np.zeros(n), np.zeros(n)
    for _ in range(100):
        u = planar.generalized_forces(-1.0 * planar.to_relative(qd))
        q, qd = planar.euler_step(arm, q, qd, u, dt)
    assert np.allclose(planar.to_relative(q), motion.q[-1], atol=1e-11)


def test_a_joint_that_moves_only_rounding_errors_is_refused():
    """A center of mass at 6e-17 m is one on the axis: a program divides by it, the text says so."""
    arm = rd.Arm([rd.Link(1, (1, 0, 0)), rd.Link(1, (np.cos(np.pi / 2), 0, 0), position=(1, 0, 0))], gravity=(0, 0, 0))
    with pytest.raises(ValueError, match="every joint must move some mass or inertia, got none at joint 2"):
        rd.simulate(arm, [0.1, 0], [0, 0], t=[0.0, 0.1])


def test_adaptive_solver_by_name():
    """solve_ivp takes the name of one of SciPy's methods; they agree to their tolerances."""
    ends = [
        swing("solve_ivp", 0.5, solver=name, rtol=1e-10, atol=1e-11).q[-1, 0] for name in ("RK45", "Radau", "DOP853")
    ]
    assert np.ptp(ends) < 1e-7
