"""Sentences of the page "How fast along this path?", beyond its arm, its paths and its limits."""

import json

import numpy as np
import pytest

import robotdyn as rd
from bookbuild import ROOT
from robotdyn import trajectories as plan

SIGMA = np.linspace(0, 1, 4001)
GRID = np.linspace(0, 1, 201)


def arm_and_path(seed, joints=(2, 3, 4), points=4, share=1.4):
    """Return a random arm in space, a natural spline of its joints and limits that hold its weight all along."""
    rng = np.random.default_rng(100 + seed)
    n = joints[seed % len(joints)]
    arm = rd.robots.random_arm(rng, n)
    path = plan.through(np.linspace(0, 1, points), rng.uniform(-1.5, 1.5, (points, n)), ends="natural")
    weight = abs(plan.coefficients(arm, path, GRID)[2]).max(axis=0)
    return arm, path, share * weight + 1


# ---- from point to point ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(200))
def test_the_quintic_is_faster_than_the_cubic_at_one_largest_acceleration_and_bang_bang_is_fastest(seed):
    """For any way and limit the times are as sqrt(6), sqrt(10 / sqrt(3)) and 2; no other law of rest to rest beats 2."""
    rng = np.random.default_rng(seed)
    way, most = rng.uniform(0.1, 5, 2)
    bends = {"cubic": 6 - 12 * SIGMA, "quintic": 60 * SIGMA * (1 - SIGMA) * (1 - 2 * SIGMA)}
    times = {name: np.sqrt(way * abs(bend).max() / most) for name, bend in bends.items()}
    bang_bang = plan.trapezoid(0, way, 1e6, most).duration
    assert bang_bang < times["quintic"] < times["cubic"]
    assert np.isclose(times["cubic"] / bang_bang, np.sqrt(6) / 2, rtol=1e-6)
    assert np.isclose(times["quintic"] / bang_bang, np.sqrt(10 / np.sqrt(3)) / 2, rtol=1e-6)
    push = np.append(rng.normal(size=8), 0)  # any law that is at rest at both ends: even accelerations in pieces
    push[-1] = -push.sum()
    rate = np.concatenate([[0], np.cumsum(push)]) / 9
    gone = abs(np.sum((rate[1:] + rate[:-1]) / 2) / 9)
    assert np.sqrt(way * abs(push).max() / (gone * most)) >= bang_bang * (1 - 1e-9)


def test_peaks_of_the_rates_beside_their_mean():
    """1.5 for the cubic, 1.875 for the quintic, 2 for bang-bang."""
    cubic = (6 * SIGMA - 6 * SIGMA**2).max()
    quintic = (30 * SIGMA**2 * (1 - SIGMA) ** 2).max()
    motion = plan.trapezoid(0, 3.0, 1e6, 2.0)
    peak = motion(motion.duration / 2)[1][0] * motion.duration / 3.0
    assert np.allclose([cubic, quintic, peak], [1.5, 1.875, 2], atol=1e-6)


@pytest.mark.parametrize("seed", range(30))
def test_a_blend_passes_the_corner_at_an_eighth_of_the_change_of_the_rate_times_its_time(seed):
    """Straight before and behind, an even change between: at the time of the corner |dv| t_b / 8 away, and nowhere farther."""
    rng = np.random.default_rng(seed)
    before, behind = rng.normal(size=2)
    t_b = rng.uniform(0.1, 2)
    t = np.linspace(-t_b / 2, t_b / 2, 2001)
    blend = before * t + (behind - before) / t_b * (t + t_b / 2) ** 2 / 2
    away = abs(blend - np.where(t < 0, before * t, behind * t))
    assert np.isclose(away[1000], abs(behind - before) * t_b / 8)
    assert away.max() <= away[1000] + 1e-12


@pytest.mark.parametrize("seed", range(30))
def test_joints_in_step_take_at_least_as_long_as_the_slowest_alone(seed):
    """One joint sets the rate and one the acceleration; if these are two joints, all together take longer than each alone."""
    rng = np.random.default_rng(seed)
    start, end = rng.normal(size=(2, 3))
    speed, push = rng.uniform(0.3, 2, (2, 3))
    together = plan.trapezoid(start, end, speed, push).duration
    alone = [plan.trapezoid(a, b, v, p).duration for a, b, v, p in zip(start, end, speed, push)]
    assert together >= max(alone) - 1e-12
    way = abs(end - start)
    sets_rate, sets_push = np.argmax(way / speed), np.argmax(way / push)
    share_rate, share_push = (speed / way)[sets_rate], (push / way)[sets_push]
    assert np.isclose(together, plan.trapezoid(0, 1, share_rate, share_push).duration)
    if sets_rate == sets_push:
        assert np.isclose(together, max(alone))


def test_two_joints_of_which_one_is_slow_and_one_is_weak():
    """Together they take longer than each would alone: 2 rad at 1 rad/s and 10 rad/s^2, or at 10 rad/s and 1 rad/s^2."""
    alone = [plan.trapezoid(0, 2, v, a).duration for v, a in ((1, 10), (10, 1))]
    together = plan.trapezoid([0, 0], [2, 2], [1, 10], [10, 1]).duration
    assert np.isclose(together, 3.0) and np.allclose(alone, [2.1, 2 * np.sqrt(2)])


def test_some_splines_swing_beyond_their_points():
    """A spline may swing beyond its via points: most of 200 random ones do."""
    rng = np.random.default_rng(0)
    beyond = 0
    for _ in range(200):
        points = rng.normal(size=(5, 1))
        curve = plan.through(np.arange(5), points)(np.linspace(0, 4, 401))
        beyond += curve.max() > points.max() + 1e-3 or curve.min() < points.min() - 1e-3
    assert beyond > 100


# ---- along a path -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_nearly_everywhere_one_motor_is_at_its_limit(seed):
    """On random arms in space, too: at 98 % of the times some torque is within 3 % of its limit."""
    arm, path, limits = arm_and_path(seed)
    fast = plan.fastest_along(arm, path, limits, np.linspace(0, 1, 801))
    now = (np.arange(2000) + 0.5) * fast.duration / 2000
    share = abs(rd.inverse_dynamics(arm, *fast(now))) / limits
    assert np.mean(share.max(axis=1) > 0.97) > 0.98


@pytest.mark.parametrize("seed", range(10))
def test_the_fastest_motion_is_nowhere_above_the_curve_and_nowhere_below_a_motion_of_weaker_motors(seed):
    """It is the highest of all at every s: motions within smaller limits are below it, and it is below the maximum velocity curve."""
    arm, path, limits = arm_and_path(seed)
    fast = plan.fastest_along(arm, path, limits)
    assert (fast.rate <= fast.largest_rate + 1e-9).all()
    assert (fast.slowest <= fast.rate + 1e-9).all()
    assert (fast.rate <= fast.fastest + 1e-9).all()
    rng = np.random.default_rng(seed)
    for _ in range(4):
        weaker = plan.fastest_along(arm, path, rng.uniform(0.75, 1, arm.n) * limits)
        assert (weaker.rate <= fast.rate * 1.01 + 1e-9).all(), "zero-inertia points on a grid cost less than 1 %"


@pytest.mark.parametrize("seed", range(10))
def test_twice_the_motors_on_a_table_and_against_gravity(seed):
    """Without gravity the time falls by the root of 2 on any path; with gravity by more where motors work against the weight."""
    arm, path, limits = arm_and_path(seed)
    table = rd.Arm(arm.links, (0, 0, 0), arm.tip)
    ratio = [
        plan.fastest_along(a, path, limits).duration / plan.fastest_along(a, path, 2 * limits).duration
        for a in (table, arm)
    ]
    assert np.isclose(ratio[0], np.sqrt(2), rtol=1e-6)
    assert ratio[1] > np.sqrt(2)


@pytest.mark.parametrize("share", [1.05, 2, 5])
def test_on_a_swing_through_the_bottom_twice_the_motors_gain_less(share):
    """On a path that swings through the bottom, where the weight helps, the time falls by less than the root of 2."""
    arm = rd.robots.planar([0.5], [2.0])
    path = plan.through([0, 1], [[-np.pi / 2 - 1], [-np.pi / 2 + 1]], ends="natural")
    limit = share * abs(rd.gravity_torque(arm, path(GRID))).max()
    ratio = plan.fastest_along(arm, path, [limit]).duration / plan.fastest_along(arm, path, [2 * limit]).duration
    assert 1.1 < ratio < 1.4 < np.sqrt(2)


def test_a_finer_grid_is_as_a_rule_faster_but_not_each_time():
    """The share by which the grid is slower vanishes with its width; where knots lie close together it may rise before."""
    arm = rd.robots.uniform_two_link(length=1.0, masses=(6.0, 4.0))
    path = plan.through([0, 0.44, 0.46, 1], [[0, 1], [0.5, 1.0], [0.5, 1.03], [1, 1.0]], ends="natural")
    took = [
        plan.fastest_along(arm, path, [240.0, 80.0], np.linspace(0, 1, n)).duration
        for n in (41, 81, 161, 401, 801, 1601)
    ]
    assert took[1] > took[0] * 1.005 and took[2] > took[3] > took[4] > took[5]
    assert took[3] / took[5] - 1 > 2 * (took[4] / took[5] - 1)


def test_a_clamped_path_costs_an_even_grid_more_than_one_that_is_finer_at_its_ends():
    """The times fall in proportion to the steps; from both grids they end at 0.895 s, not at the 0.906 s of 401 points."""
    arm = rd.robots.uniform_two_link(length=1.0, masses=(6.0, 4.0))
    path, e = plan.through([0, 0.5, 1], [[-0.4, 1.2], [-0.2, 2.4], [1.2, 1.2]]), 1e-5
    took = {}
    for finer in (False, True):
        for n in (401, 801, 1601):
            z = np.linspace(0, 1, n)
            grid = e + (1 - 2 * e) * (3 * z**2 - 2 * z**3 if finer else z)
            took[finer, n] = plan.fastest_along(arm, path, [120.0, 40.0], grid).duration
    ends = [2 * took[finer, 1601] - took[finer, 801] for finer in (False, True)]
    assert np.allclose(ends, 0.895, atol=5e-4)
    assert took[False, 401] - 0.895 > 5 * (took[True, 401] - 0.895) > 0


def test_a_limit_without_an_acceleration_bounds_the_rate_by_itself():
    """A row whose a_i vanishes bounds x by itself, and limits that exclude each other are no interval."""
    page = json.loads((ROOT / "book" / "how-fast-along-this-path.ipynb").read_text(encoding="utf8"))
    source = next("".join(cell["source"]) for cell in page["cells"] if cell["id"] == "interval")
    scope: dict[str, object] = {"np": np}
    exec(source[: source.index("\n\n\n")], scope)
    interval = scope["interval"]
    rows = [(1.0, 0.5, 2.0), (-1.0, 0.5, 2.0)]  # |u| <= 2 - x / 2
    assert np.allclose(interval(rows), [0, 4]) and np.allclose(interval([*rows, (0.0, 2.0, 3.0)]), [0, 1.5])
    with pytest.raises(ValueError, match="no pace"):
        interval([*rows, (0.0, -1.0, -5.0)])


@pytest.mark.parametrize("seed", range(6))
def test_the_excess_between_grid_points_falls_with_the_square_of_the_width(seed):
    """Four times as fine, with the knots of the spline on the grid: at most an eighth of the excess, where there is any."""
    arm, path, limits = arm_and_path(seed)
    over = []
    for n in (61, 241):  # knots at thirds
        fast = plan.fastest_along(arm, path, limits, np.linspace(0, 1, n))
        tau = rd.inverse_dynamics(arm, *fast(np.linspace(0, fast.duration, 8001)))
        over.append((abs(tau) / limits).max() - 1)
    assert over[1] < max(over[0] / 8, 1e-4)


@pytest.mark.parametrize("seed", range(8))
def test_without_a_reserve_a_heavier_link_leads_off_the_path_and_with_one_it_does_not(seed):
    """Planar arms whose second link is 10 % heavier than planned: a reserve of 15 % at least halves the largest error."""
    rng = np.random.default_rng(seed)
    masses, k_p, k_d = rng.uniform(2, 6, 2), np.array([900.0, 400.0]), np.array([120.0, 50.0])
    arm = rd.robots.uniform_two_link(1.0, masses)
    real = rd.robots.uniform_two_link(1.0, masses * [1, 1.1])
    path = plan.through([0, 0.5, 1], rng.uniform([-1, 0.5], [1.5, 2.4], (3, 2)), ends="natural")
    limits = 1.4 * abs(plan.coefficients(arm, path, GRID)[2]).max(axis=0) + 2
    off = []
    for share in (1.0, 0.85):
        run = plan.fastest_along(arm, path, share * limits)

        def motors(t, q, qd, run=run):
            wanted, rate, push = run(t)
            tau = rd.inverse_dynamics(arm, wanted, rate, push) + k_p * (wanted - q) + k_d * (rate - qd)
            return np.clip(tau, -limits, limits)

        t = np.linspace(0, run.duration, 101)
        moved = rd.simulate(real, path(0), [0, 0], motors, t)
        off.append(abs(moved.q - run(t)[0]).max())
    assert off[1] < 0.5 * off[0]


@pytest.mark.parametrize("seed", range(20))
def test_a_pace_that_takes_the_larger_of_two_obeys_the_limits(seed):
    """The larger of two feasible squares of rates is feasible, point by point: the limits bind x and u at one place alone."""
    arm, path, limits = arm_and_path(seed, joints=(2, 3))
    rng = np.random.default_rng(seed)
    a, b, c = plan.coefficients(arm, path, GRID)
    paces = [plan.fastest_along(arm, path, rng.uniform(0.75, 1, arm.n) * limits) for _ in range(2)]
    x, y = (pace.rate**2 for pace in paces)
    u = np.where(x >= y, *(np.append(pace.acceleration, pace.acceleration[-1]) for pace in paces))
    tau = a * u[:, None] + b * np.maximum(x, y)[:, None] + c
    assert (abs(tau) <= limits * (1 + 1e-9)).all()


@pytest.mark.parametrize("seed", range(6))
def test_on_a_singular_arc_of_a_rate_limit_no_motor_is_at_its_limit(seed):
    """Where a joint runs at its largest rate, x is that of the curve, and the torques have room, away from its ends."""
    arm, path, limits = arm_and_path(seed)
    free = plan.fastest_along(arm, path, limits)
    qd = abs(path(GRID, 1) * free.rate[:, None])
    most = 0.4 * qd.max(axis=0)
    slow = plan.fastest_along(arm, path, limits, rate_limits=most)
    share = (abs(path(GRID, 1)) * slow.rate[:, None] / most).max(axis=1)
    inside = np.convolve(share > 1 - 1e-9, np.ones(5), "same") == 5  # neighbors run at a largest rate as well
    assert inside.sum() > 20
    assert np.mean((abs(slow.tau[inside]) < 0.98 * limits).all(axis=1)) > 0.9


def test_a_straight_line_between_two_rotations_leaves_them_at_once():
    """The mean of two different rotation matrices is no rotation; near the ends the entries of a line are none, either."""
    rng = np.random.default_rng(14)
    for first, second in rng.normal(size=(30, 2, 3)):
        R_0, R_1 = rd.rotations.exp([first, second])
        for share in (1e-3, 0.5, 0.999):
            R = R_0 + share * (R_1 - R_0)
            assert abs(R.T @ R - np.eye(3)).max() > 1e-6


def test_dry_friction_in_a_joint_that_stands_still_has_no_sign_of_its_own():
    """Dry friction in a joint that moves has at each s the sign of -q_i'; in one that stands still it takes whatever value holds it."""
    for pull in (1.5, -1.5, 0.0):
        slide = rd.Arm([rd.Link(1.0, joint="prismatic", axis=(1, 0, 0))])
        still = rd.stick_slip(slide, [0], [0], [0, 1], 2.0, tau=[pull])
        assert still.qd[-1] == 0
        friction = still.tau[-1] - pull
        assert friction == pytest.approx([-pull])  # of either sign, and with q' = 0
        for rate in (0.1, -0.1, 3.0):
            assert np.sign(rd.forces.coulomb(2.0)(0, np.zeros(1), np.array([rate]))) == -np.sign(rate)


def test_two_joints_that_do_the_same_are_at_their_limits_together():
    """At least one motor is at its limit nearly everywhere: of two like slides both are, and of an arm one of whose joints stands still one."""
    bridge = rd.Link(0, joint="prismatic", axis=(1, 0, 0))
    gantry = rd.Arm([bridge, rd.Link(1.0, joint="prismatic", axis=(0, 1, 0))], gravity=(0, 0, 0))
    for arm, ends, limits, both in (
        (gantry, [[0.0, 0.0], [1.0, 1.0]], [1.0, 1.0], True),
        (rd.robots.uniform_two_link(1.0, (6.0, 4.0)), [[0.0, 1.0], [1.0, 1.0]], [120.0, 40.0], False),
    ):
        fast = plan.fastest_along(arm, plan.through([0, 1], ends, ends="natural"), limits)
        full = abs(rd.inverse_dynamics(arm, *fast(np.linspace(0, fast.duration, 1001)))) > 0.98 * np.array(limits)
        assert np.mean(full.any(axis=1)) > 0.98
        assert np.mean(full.all(axis=1)) > 0.98 if both else np.mean(full.all(axis=1)) < 0.05
