"""Sentences of the page "Control with the model": the error that a wrong model leaves, gains at the boundary, when M has an inverse."""

import numpy as np
import pytest
from scipy.optimize import brentq

import robotdyn as rd

ARM = rd.robots.two_link((0.5, 0.5), (2.0, 2.0))
RATE = 10.0  # 1/s
WEIGHT = 4.905  # N m, of the forearm when it is level
CRITICAL = brentq(lambda x: (1 + x) * np.exp(-x) - 0.05, 4, 6)  # omega_n t at which 5 % are left, for zeta = 1


def worst_torque(M: np.ndarray, damper: float, lag: np.ndarray) -> np.ndarray:
    """Return the directions of the torque of size 1, by the time that is left, that drive s farthest where M stays."""
    sizes, axes = np.linalg.eigh(M)
    decay = np.exp(-damper * lag[:, None] / sizes) / sizes
    ways = np.radians(np.arange(180))
    seen = np.array([np.cos(ways), np.sin(ways)]).T @ axes
    answers = seen[:, None] * decay
    best = np.argmax(np.linalg.norm(answers, axis=2).sum(axis=1))
    pushes = answers[best] @ axes.T
    return pushes / np.linalg.norm(pushes, axis=1, keepdims=True)


def largest_s(q: np.ndarray, size: float, damper: float) -> float:
    """Return the largest s of the passivity-based law about a pose under a missed torque of this size, times damper/size."""
    times = np.linspace(0, 2, 2001)
    pushes = worst_torque(rd.mass_matrix(ARM, q), damper, times[-1] - times)

    def hold(t):
        return q, 0 * q, 0 * q

    law = rd.control.passivity(ARM, hold, rate=RATE, damping=np.full(2, damper))

    def disturbed(t, x, v):
        return law(t, x, v) + size * pushes[min(round(t / 1e-3), len(pushes) - 1)]

    run = rd.simulate(ARM, q, [0, 0], disturbed, times)
    s = run.qd + RATE * (run.q - q)
    return float(np.linalg.norm(s, axis=1).max() * damper / size)


def test_s_may_rise_above_the_torque_over_the_damping():
    """What has arrived below this quotient may rise above it again: dampers of 8 N m s/rad reach 1.35 times the quotient."""
    found = [largest_s(np.array([-np.pi / 2, bend]), 0.05, 8.0) for bend in np.radians([30, 60, 90, 120])]
    assert max(found) == pytest.approx(1.35, abs=0.05)


def test_s_never_rises_above_the_bound_of_the_storage_function():
    """At most by the square root of the ratio of the largest to the smallest eigenvalue of M over all poses, 6.7."""
    sizes = np.linalg.eigvalsh([rd.mass_matrix(ARM, [0, x]) for x in np.linspace(-np.pi, np.pi, 721)])
    bound = np.sqrt(sizes.max() / sizes.min())
    assert bound == pytest.approx(6.7, abs=0.05)
    rng = np.random.default_rng(24)
    for _ in range(5):
        assert largest_s(rng.uniform(-np.pi, np.pi, 2), rng.uniform(0.1, 20), rng.uniform(3, 30)) < bound


def rests(k_p):
    """Return all x, from 0 up, with k_p x = m g l_c sin x: the poses of rest above the upright one, in rad."""
    f = lambda x: k_p * x - WEIGHT * np.sin(x)
    grid = np.linspace(1e-3, 40, 400_001)
    signs = np.sign(f(grid))
    return [brentq(f, grid[i], grid[i + 1]) for i in np.flatnonzero(signs[:-1] * signs[1:] < 0)]


def test_the_only_pose_of_rest():
    """For k_p >= m g l_c the goal is the only pose of rest, for k_p = m g l_c, too."""
    for factor in (1.0, 1.0 + 1e-9, 1.2, 3.0, 100.0):
        assert rests(factor * WEIGHT) == []
    for factor in (0.9999, 0.9, 3 / 4.905, 0.3):
        assert rests(factor * WEIGHT)
    assert rests(3.0) == [pytest.approx(1.63, abs=0.005)]


def test_the_goal_attracts_at_the_boundary():
    """At k_p = m g l_c, at which the goal is still the only pose of rest, the rod comes to it, if slowly."""
    forearm = rd.robots.planar([0.5], [2.0], coms=[0.25], inertias=[2 * 0.5**2 / 12])
    for start in (0.3, 1.0, 3.0):
        law = rd.control.pd(forearm, 9.81 * 2 * 0.25, 1.0, [np.pi / 2], gravity="goal")
        run = rd.simulate(forearm, [start], [0], law, np.arange(0, 40, 0.02))
        off = abs(run.q[:, 0] - np.pi / 2)
        assert off[-1] < 0.4 < off[0]
        assert np.all(np.diff(off[::500]) < 0)


def test_a_mass_matrix_without_inverse():
    """M has an inverse on every arm on which each motion of the joints moves some mass; on others it has none."""
    rng = np.random.default_rng(35)
    for _ in range(20):
        n = rng.integers(1, 5)
        arm = rd.robots.planar(rng.uniform(0.2, 1, n), 10 ** rng.uniform(-1, 1, n))
        assert np.linalg.eigvalsh(rd.mass_matrix(arm, rng.uniform(-3, 3, n))).min() > 0
    rods = rd.robots.planar([1.0, 1.0], [1.0, 1.0], coms=[1.0, 0.0])  # the mass of the second stands in its joint
    assert np.linalg.eigvalsh(rd.mass_matrix(rods, [0.3, 0.7])).min() == pytest.approx(0, abs=1e-12)


def test_feedforward_follows_exactly_on_the_motion_and_has_the_stiffness_of_its_springs():
    """Its stiffness is that of the springs; its model cancels the nonlinear terms on the motion itself and not beside it."""
    stiffness, damping = np.array([120.0, 60.0]), np.array([25.0, 8.0])
    motion = rd.control.sine([-0.6, 1.0], [0.6, 0.8], rate=5.0, phase=[0, 1])

    def law(t, q, qd, goal=motion):
        q_ref, qd_ref, qdd_ref = goal(t)
        planned = rd.inverse_dynamics(ARM, q_ref, qd_ref, qdd_ref)
        return planned + stiffness * (q_ref - q) + damping * (qd_ref - qd)

    times = np.arange(0, 2, 0.005)
    wanted = np.array([motion(t)[0] for t in times])
    start, rate, _ = motion(0)
    run = rd.simulate(ARM, start, rate, law, times, "solve_ivp")
    assert abs(run.q - wanted).max() < 1e-5
    errors = [rd.simulate(ARM, start + x, rate, law, times, "solve_ivp").q - wanted for x in (0.4, -0.4)]
    assert abs(errors[0] + errors[1]).max() > 0.02  # a linear equation would have the sum zero
    still = rd.control.minimum_jerk([0.2, 0.3], [0.2, 0.3], 1.0)
    loaded = ARM.carrying(rd.Body(0.2, ARM.tip))
    held = lambda t, q, qd: law(t, q, qd, still)
    end = rd.simulate(loaded, [0.2, 0.3], [0, 0], held, np.arange(0, 6, 0.01)).q[-1]
    missed = rd.gravity_torque(loaded, end) - rd.gravity_torque(ARM, [0.2, 0.3])
    assert stiffness * ([0.2, 0.3] - end) == pytest.approx(missed, abs=1e-4)


def test_with_any_other_factor_some_error_dies_out_more_slowly():
    """The factor 2 makes the damping critical: with any other factor some error dies out more slowly at the same omega."""
    rng = np.random.default_rng(8)
    for omega, factor in zip(10 ** rng.uniform(-1, 2, 50), rng.uniform(0.1, 8, 50), strict=True):
        assert np.roots([1, factor * omega, omega**2]).real.max() > -omega


def grown(coriolis, motion, period, damper, steps=100):
    """Return by how much s of M s' + (C + K_d) s = 0 can grow in one swing of a motion that returns q and qd."""
    S, h = np.eye(2), period / steps

    def slope(t, S):
        q, qd = motion(t)
        return -np.linalg.solve(rd.mass_matrix(ARM, q), (coriolis(q, qd) + damper * np.eye(2)) @ S)

    for k in range(steps):
        t = k * h
        a = slope(t, S)
        b = slope(t + h / 2, S + h / 2 * a)
        c = slope(t + h / 2, S + h / 2 * b)
        S = S + h / 6 * (a + 2 * b + 2 * c + slope(t + h, S + h * c))
    return abs(np.linalg.eigvals(S)).max()


def test_another_c_makes_the_loop_unstable_on_a_fast_motion():
    """On a faster motion s grows by 16 percent in each swing, elevenfold with weak dampers; with the Christoffel matrix it dies out."""

    def other(q, qd):
        return 0.25 * np.sin(q[1]) * np.array([[-2 * qd[1], -qd[1]], [qd[0], 0]])

    def christoffel(q, qd):
        return rd.coriolis_matrix(ARM, q, qd)

    def fast(t):
        return [2 * np.sin(10 * t), 1.7 - np.cos(10 * t)], [20 * np.cos(10 * t), 10 * np.sin(10 * t)]

    def of_the_page(t):
        return rd.control.sine([-0.6, 1.0], [0.6, 0.8], rate=5.0, phase=[0, 1])(t)[:2]

    assert grown(other, fast, np.pi / 5, 0.5) == pytest.approx(1.16, abs=0.005)
    assert grown(other, fast, np.pi / 5, 0.1) == pytest.approx(11, abs=0.5)
    assert grown(other, of_the_page, 2 * np.pi / 5, 0.5) < 0.6
    for damper in (0.1, 0.5):
        assert grown(christoffel, fast, np.pi / 5, damper) < 1


def test_the_slope_of_the_weight_of_two_rods():
    """Its largest eigenvalue is 21.1 N m/rad, where the arm stands upright or hangs."""
    arm, h = rd.robots.two_link((0.5, 0.5), (2.0, 2.0)), 1e-5
    q = np.stack(np.meshgrid(*2 * [np.linspace(-np.pi, np.pi, 73)]), -1).reshape(-1, 2)
    slopes = [(rd.gravity_torque(arm, q + h * u) - rd.gravity_torque(arm, q - h * u)) / (2 * h) for u in np.eye(2)]
    sizes = abs(np.linalg.eigvalsh(np.stack(slopes, -1))).max(axis=1)
    assert abs(sizes.max() - 21.1) < 0.05
    steepest = q[sizes > sizes.max() - 1e-6]
    assert abs(np.cos(steepest[:, 0])).max() < 1e-5  # vertical, and the forearm in line with it
    assert abs(np.sin(steepest[:, 1])).max() < 1e-5


@pytest.mark.parametrize("seed", range(3))
def test_springs_steeper_than_the_weight_have_one_pose_of_rest(seed):
    """For K_p above alpha the potentials rise on each ray from the goal, whatever the goal; the arm arrives from a random start."""
    rng, arm = np.random.default_rng(seed), rd.robots.two_link((0.5, 0.5), (2.0, 2.0))
    goal, k = rng.uniform(-np.pi, np.pi, 2), 22.0
    for way in rng.normal(size=(30, 2)):
        ray = goal + np.linspace(0.01, 12, 400)[:, None] * way / np.linalg.norm(way)
        gradient = k * (ray - goal) + rd.gravity_torque(arm, ray) - rd.gravity_torque(arm, goal)
        assert np.all(np.sum(gradient * (ray - goal), axis=1) > 0)
    law = rd.control.pd(arm, [k, k], [8.0, 4.0], goal, gravity="goal")
    run = rd.simulate(arm, goal + rng.uniform(-4, 4, 2), rng.normal(size=2), law, np.arange(0, 30, 0.02))
    assert abs(run.q[-1] - goal).max() < 1e-2


def test_a_hanging_goal_needs_a_softer_spring():
    """The single rod with a hanging goal has one pose of rest from 0.22 times m g l_c on."""
    x = np.linspace(1e-3, 20, 200001)
    rests = lambda share: np.sum(np.diff(np.sign(share * x + np.sin(x))) != 0)
    assert rests(0.222) == 0 < rests(0.212)


def test_a_pencil_may_come_to_stand():
    """With a load that the law does not know the rod ends on the top of both potentials from a few starts, and not from those beside."""
    rod = rd.robots.planar([0.5], [2.0], coms=[0.25], inertias=[2 * 0.5**2 / 12])
    law = rd.control.pd(rod, 3.0, 1.0, [np.pi / 2], gravity=False)
    inertia, fall = 2 * 0.5**2 / 3, 4.905 - 3.0
    decay = (-1.0 - np.sqrt(1 + 4 * inertia * fall)) / (2 * inertia)  # 1/s, of the motion that comes to stand
    times = np.arange(0, 0.8, 0.002)
    ends = []
    for push in (1.0, 0.9, 1.1):
        start = 1e-3
        run = rd.simulate(rod, [np.pi / 2 + start], [push * decay * start], law, times)
        ends.append(run.q[-1, 0] - np.pi / 2)
    assert abs(ends[0]) < 1e-5
    assert ends[1] > 1e-4 > -1e-4 > ends[2]


def _missing_torque(q, goal, k_p, m_g_l):
    """What the spring of a link gives more than its weight needs."""
    return k_p * (goal - q) - m_g_l * np.cos(q)


def test_off_the_vertical_the_link_hangs_below_the_angle_asked_for():
    """Off the vertical the link hangs below the angle that was asked for; upright, with a stiff spring, or hanging it is where it should be."""
    m_g_l, k_p = 4.905, 60.0
    for goal in np.radians([-90, -89, -40, 0, 30, 89, 90, 91, 150]):
        q = brentq(_missing_torque, goal - 1, goal + 1, args=(goal, k_p, m_g_l), xtol=1e-14)
        lower = np.sin(goal) - np.sin(q)  # how far the center of mass is below
        assert (lower > 1e-6) == (abs(np.cos(goal)) > 1e-9)
        assert lower > -1e-12


def arms(count=12):
    """Return random arms of two to seven revolute joints, each with some poses (20, n)."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        n = 2 + seed % 6
        yield rd.robots.random_arm(rng, n, ["revolute"] * n), rng.uniform(-np.pi, np.pi, (20, n))


def modes(M, K_p, K_d):
    """Return the roots of  M e'' + K_d e' + K_p e = 0."""
    n = len(M)
    rates = -np.linalg.solve(M, np.hstack([K_p, K_d]))
    return np.linalg.eigvals(np.vstack([np.hstack([np.zeros((n, n)), np.eye(n)]), rates]))


def test_a_critical_joint_is_within_five_percent():
    """An error that starts at rest falls to 5 % in about 4.7 / omega_n and does not change its sign; with less damping it overshoots."""
    assert pytest.approx(4.7, abs=0.05) == CRITICAL
    one = rd.robots.planar([0.7], [1.3], coms=[0.4], inertias=[0.05], gravity=0)
    inertia = rd.mass_matrix(one, [0])[0, 0]
    for omega in (3.0, 20.0):
        t = np.linspace(0, 8 / omega, 2001)
        for zeta in (1.0, 0.6):
            law = rd.control.pd(one, inertia * omega**2, 2 * zeta * inertia * omega, [0.4])
            e = rd.simulate(one, [0.3], [0], law, t).q[:, 0] - 0.4
            assert (e.max() > 1e-3) == (zeta < 1)
            if zeta == 1:
                assert t[abs(e) > 0.005][-1] * omega == pytest.approx(CRITICAL, rel=5e-3)


def test_a_lighter_joint_is_faster_and_more_damped():
    """The gains stay while the inertia changes; where the joint is lighter, frequency and damping ratio are higher."""
    for inertia in np.linspace(0.2, 1, 5):
        k_p, k_d = 100.0, 20.0  # omega_n = 10 rad/s and zeta = 1 for 1 kg m^2
        omega = np.sqrt(k_p / inertia)
        assert omega >= 10
        assert k_d / (2 * inertia * omega) >= 1


def test_the_modes_of_random_arms():
    """One mode for each eigenvalue mu of D^-1 M, omega_n and zeta over sqrt(mu); all mu are positive and their sum is at most n."""
    for arm, poses in arms():
        M = rd.mass_matrix(arm, poses)
        D = M.diagonal(axis1=1, axis2=2).max(axis=0)
        for inertia in M[::5]:
            mu = np.linalg.eigvals(inertia / D[:, None]).real
            assert mu.min() > 0
            assert mu.sum() <= arm.n * (1 + 1e-12)
            omega, zeta = 7.0, 0.4
            roots = modes(inertia, omega**2 * np.diag(D), 2 * zeta * omega * np.diag(D))
            pairs = [np.roots([1, 2 * zeta * omega / m, omega**2 / m]) for m in mu]
            gaps = abs(np.concatenate(pairs)[:, None] - roots).min(axis=1)
            assert (gaps < 1e-6 * abs(np.concatenate(pairs))).all()


def test_root_n_times_the_damping_is_enough():
    """With zeta = sqrt(n) no mode oscillates, whatever the goal; with zeta = 1 some do."""
    swings = 0
    for arm, poses in arms():
        M = rd.mass_matrix(arm, poses)
        D = np.diag(M.diagonal(axis1=1, axis2=2).max(axis=0))
        for inertia in M:
            assert abs(modes(inertia, 25 * D, 10 * np.sqrt(arm.n) * D).imag).max() < 1e-4
            swings += abs(modes(inertia, 25 * D, 10 * D).imag).max() > 0.01
    assert swings > 20


def test_the_mass_matrix_of_the_goal_makes_all_modes_critical():
    """With omega_n^2 and 2 omega_n times the mass matrix of the goal all modes at this goal are critical, and the arm arrives from elsewhere."""
    for arm, poses in arms(6):
        M = rd.mass_matrix(arm, poses[0])
        roots = modes(M, 16 * M, 8 * M)
        assert np.allclose(roots, -4, rtol=0, atol=1e-4)  # double roots: the square root of rounding
    goal = np.array([0.3, 1.1])
    M = rd.mass_matrix(ARM, goal)
    run = rd.simulate(ARM, [-1.5, 0.2], [0, 0], rd.control.pd(ARM, 100 * M, 20 * M, goal), np.arange(0, 6, 0.002))
    assert abs(run.q[-1] - goal).max() < 1e-4


def test_the_lightest_mode_bounds_the_clock():
    """zeta omega_n dt has to stay below the smallest mu: just below it the sampled arm comes to rest, just above it does not."""
    free = rd.Arm(ARM.links, gravity=(0, 0, 0), tip=ARM.tip)
    M = rd.mass_matrix(free, [0, 0])
    D, zeta, dt = np.diag(M.diagonal()), np.sqrt(2), 2e-3
    mu = np.linalg.eigvals(np.linalg.solve(D, M)).real.min()
    for share in (0.97, 1.03):
        omega = share * mu / (zeta * dt)
        law = rd.control.pd(free, omega**2 * D, 2 * zeta * omega * D, [0, 0])
        run = rd.control.run(free, law, [1e-4, -2e-4], [0, 0], 0.4, dt)
        grown = np.linalg.norm(run.qd[-20:], axis=1).max() / np.linalg.norm(run.qd[40:60], axis=1).max()
        assert (grown > 1) == (share > 1)


def test_motors_that_stand_let_the_links_swing():
    """With large gains the links swing on their springs with next to no damping; below half of the locked frequency they do not."""
    for I, J, k in ((0.5, 0.3, 60.0), (0.2, 0.4, 500.0), (1.0, 0.5, 2000.0)):
        locked, slowest = np.sqrt(k / I), {}
        for share in (0.5, 1.0, 2.0, 8.0):
            omega = share * locked
            k_p, k_d = (I + J) * omega**2, 2 * (I + J) * omega
            roots = np.roots([I * J, I * k_d, I * (k + k_p) + J * k, k * k_d, k * k_p])
            slowest[share] = -roots.real.max() / locked
        assert slowest[0.5] > slowest[1.0] > slowest[2.0] > slowest[8.0]
        assert slowest[0.5] > 0.15
        assert slowest[8.0] < 0.02


def test_a_goal_that_moves_smoothly_leaves_room_for_twice_the_frequency():
    """A goal that moves within half a second asks the springs for less: at 20 rad/s the motors stay within 80 and 30 N m, a jump asks for more."""
    loaded = ARM.carrying(rd.Body(1.0, ARM.tip))
    D = rd.mass_matrix(loaded, [0, 0]).diagonal()
    K_p, K_d = 400 * D, 2 * np.sqrt(2) * 20 * D
    weight = rd.control.gravity_compensation(loaded)
    motion = rd.control.minimum_jerk([0, 0], [0.2, 0.2], 0.5)

    def law(t, q, qd):
        q_ref, qd_ref, _ = motion(t)
        return K_p * (q_ref - q) + K_d * (qd_ref - qd) + weight(t, q, qd)

    run = rd.simulate(loaded, [0, 0], [0, 0], law, np.arange(0, 1.5, 0.002))
    assert (abs(run.tau).max(axis=0) < [80, 30]).all()
    assert abs(run.q[-1] - 0.2).max() < 0.01
    assert (K_p * 0.2 + rd.gravity_torque(loaded, [0, 0]) > [80, 30]).all()


def test_a_neighbor_asks_the_motor_for_more_soon_after_a_jump_and_the_shoulder_decides():
    """Only the shoulder's goal jumps: its neighbor's motor is asked for more than its springs' zero; at 10 rad/s all motors suffice."""
    loaded = ARM.carrying(rd.Body(1.0, ARM.tip))
    D = rd.mass_matrix(loaded, [0, 0]).diagonal()
    weight = rd.control.gravity_compensation(loaded)
    goal = np.array([0.2, 0.0])
    beside = rd.forces.total(
        rd.control.pd(loaded, 100 * D, 20 * np.sqrt(2) * D, goal, gravity=False),
        lambda t, q, qd: weight(t, q, qd),
    )
    run = rd.simulate(loaded, [0, 0], [0, 0], beside, np.arange(0, 0.5, 0.001))
    spare = abs(run.tau - rd.gravity_torque(loaded, run.q))
    assert spare[0, 1] < 1e-9 and spare[:, 1].max() > 1.0
    for start in np.random.default_rng(4).uniform(-np.pi, np.pi, (12, 2)):
        for jump in ([0.2, 0.2], [0.2, -0.2], [-0.2, 0.2], [-0.2, -0.2]):
            law = rd.forces.total(
                rd.control.pd(loaded, 100 * D, 20 * np.sqrt(2) * D, start + jump, gravity=False),
                lambda t, q, qd: weight(t, q, qd),
            )
            tau = rd.simulate(loaded, start, [0, 0], law, np.arange(0, 0.4, 0.002)).tau
            assert (abs(tau).max(axis=0) < [80, 30]).all()
