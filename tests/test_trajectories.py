"""Motions to plan: trapezoids, splines, and the fastest motion along a path, by closed forms, laws and linear programs."""

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline
from scipy.optimize import linprog

import robotdyn as rd
from robotdyn import trajectories as plan

GRID = np.linspace(0, 1, 201)


def rail(mass=2.0, axis=(1, 0, 0)):
    """Return a cart on a rail."""
    return rd.Arm([rd.Link(mass, joint="prismatic", axis=axis)])


def straight(length=1.0):
    """Return the path of a cart from 0 to this place, m."""
    return plan.through([0, 1], [[0.0], [length]], ends="natural")


def some_case(seed, joints=(2, 3, 4, 6), points=4, share=1.4):
    """Return a random arm, a spline of its joints, and limits that hold its weight everywhere on it."""
    rng = np.random.default_rng(seed)
    n = joints[seed % len(joints)]
    arm = rd.robots.random_arm(rng, n)
    path = plan.through(np.linspace(0, 1, points), rng.uniform(-1.5, 1.5, (points, n)), ends="natural")
    weight = abs(plan.coefficients(arm, path, GRID)[2]).max(axis=0)
    return arm, path, share * weight + 1


def linear_program(arm, path, limits, s, cost):
    """Return the x >= 0, 0 at both ends, that minimizes cost . x with all limits at both ends of each step."""
    a, b, c = plan.coefficients(arm, path, s)
    rows, right = [], []
    for k, h in enumerate(np.diff(s)):
        for at in (k, k + 1):
            for sign in (1, -1):
                for i in range(arm.n):
                    row = np.zeros(len(s))
                    row[k + 1] += sign * a[at, i] / (2 * h)  # u = (x_next - x) / 2 h
                    row[k] -= sign * a[at, i] / (2 * h)
                    row[at] += sign * b[at, i]
                    rows.append(row / limits[i])
                    right.append(1 - sign * c[at, i] / limits[i])
    ends = [(0, 0), *[(0, None)] * (len(s) - 2), (0, 0)]
    found = linprog(cost, np.array(rows), right, bounds=ends, method="highs")
    assert found.status == 0
    return found.x


# ---- from point to point ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_a_trapezoid_is_a_motion_within_its_limits_and_one_of_them_is_used(seed):
    """qd and qdd are derivatives of q; it begins and ends at rest; at each time some joint is at a limit of rate or push."""
    rng = np.random.default_rng(seed)
    n = 1 + seed % 4
    start, end = rng.normal(size=(2, n))
    speed, push = rng.uniform(0.3, 2, (2, n))
    motion = plan.trapezoid(start, end, speed, push)
    for t in rng.uniform(0, motion.duration, 5):
        assert np.allclose((motion(t + 1e-6)[0] - motion(t - 1e-6)[0]) / 2e-6, motion(t)[1], atol=1e-5)
    corners = np.array([0, motion.ramp, motion.duration - motion.ramp, motion.duration])
    q, qd, _ = motion(corners)  # between which the rate is a straight line
    assert np.allclose(np.diff(q, axis=0), np.diff(corners)[:, None] * (qd[1:] + qd[:-1]) / 2, atol=1e-12)
    for side in (-1e-9, 1e-9):
        assert np.allclose(motion(corners + side)[0], q, atol=1e-8)
    for t in (corners[1:] + corners[:-1]) / 2:
        assert np.allclose((motion(t + 1e-9)[1] - motion(t - 1e-9)[1]) / 2e-9, motion(t)[2], atol=1e-5)
    ends = motion([-1, 0, motion.duration, motion.duration + 1])
    assert np.allclose(ends[0], [start, start, end, end])
    assert np.allclose(ends[1], 0, atol=1e-12)
    assert not ends[2][[0, 3]].any()
    t = (np.arange(2000) + 0.5) * motion.duration / 2000
    _, qd, qdd = motion(t)
    used = np.maximum(abs(qd) / speed, abs(qdd) / push).max(axis=1)
    assert np.allclose(used, 1, atol=1e-9)


def test_times_of_trapezoids_by_hand():
    """1 m with 1 m/s and 4 m/s^2 takes 1 + 1/4 s; 0.2 m, where 1 m/s is not reached, takes 2 sqrt(0.2 / 4) s."""
    assert np.isclose(plan.trapezoid(0, 1, 1, 4).duration, 1.25)
    assert np.isclose(plan.trapezoid(0, 0.2, 1, 4).duration, 2 * np.sqrt(0.05))
    assert np.isclose(plan.trapezoid([0, 5], [1, 5], 1, 4).duration, 1.25), "a joint that stays sets no limit"


@pytest.mark.parametrize("seed", range(3))
def test_a_clamped_spline_goes_through_its_points_at_rest_at_its_ends_without_a_jump_of_the_acceleration(seed):
    """The spline interpolates, v = 0 at both ends, and its second derivative is the same on both sides of a knot."""
    rng = np.random.default_rng(seed)
    t, q = np.cumsum(rng.uniform(0.2, 2, 6)), rng.normal(size=(6, 3))
    spline = plan.through(t, q)
    assert np.allclose(spline(t), q)
    assert np.allclose(spline(t[[0, -1]], 1), 0, atol=1e-12)
    assert np.allclose(spline(t[1:-1] - 1e-9, 2), spline(t[1:-1] + 1e-9, 2), atol=1e-6)


# ---- along a path -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_three_coefficients_give_the_torques_of_every_pace(seed):
    """tau = a s'' + b s'^2 + c is the inverse dynamics of q' s' and q' s'' + q'' s'^2."""
    arm, path, _ = some_case(seed)
    rng = np.random.default_rng(seed)
    s, rate, push = rng.uniform(0, 1, 7), rng.normal(size=(7, 1)), rng.normal(size=(7, 1))
    a, b, c = plan.coefficients(arm, path, s)
    tau = rd.inverse_dynamics(arm, path(s), path(s, 1) * rate, path(s, 1) * push + path(s, 2) * rate**2)
    assert np.allclose(a * push + b * rate**2 + c, tau, atol=1e-9 * abs(tau).max())


def test_a_cart_by_hand():
    """m = 2 kg, f = 8 N, d = 1 m: 2 sqrt(m d / f) = 1 s; with at most 1 m/s 1 + 1/4 s; with a weaker brake longer."""
    assert np.isclose(plan.fastest_along(rail(), straight(), [8.0]).duration, 1)
    assert np.isclose(plan.fastest_along(rail(), straight(), [8.0], rate_limits=[1.0]).duration, 1.25)
    grid = np.linspace(0, 1, 301)  # 2/3 of the way is a grid point
    uneven = plan.fastest_along(rail(), straight(), [[-8.0, 4.0]], grid)  # brake and drive
    assert np.isclose(uneven.duration, np.sqrt(2 * 2 * 1 * (1 / 8 + 1 / 4)))
    flying = plan.fastest_along(
        rail(), straight(), [8.0], start_rate=1.0, end_rate=3.0
    )  # 4 m/s^2: v^2 from 1 to 9 = 1 + 2 * 4
    assert np.isclose(flying.duration, (3 - 1) / 4)


def test_a_lift_by_hand():
    """Up with f against m g: (f - m g) / m to drive, (f + m g) / m to brake; down in the same time, the other way around."""
    m, f, d = 2.0, 40.0, 1.5
    lift = rail(m, (0, 0, 1))
    weight = m * 9.81
    expected = np.sqrt(2 * d * m * (1 / (f - weight) + 1 / (f + weight)))
    for way in (d, -d):
        assert np.isclose(
            plan.fastest_along(lift, straight(way), [f], np.linspace(0, 1, 2001)).duration, expected, rtol=1e-3
        )


@pytest.mark.parametrize("points", [2, 3, 201])
def test_a_throw_by_hand(points):
    """Motors of half the weight brake it by no less than g / 2: from v it comes to rest after 1 m if v^2 is from g to 3 g.

    From each v between it takes 2 / v with one constant brake, and with more steps no longer.
    """
    m, g = 2.0, 9.81
    lift, grid = rail(m, (0, 0, 1)), np.linspace(0, 1, points)
    thrown = lambda v: plan.fastest_along(lift, straight(), [m * g / 2], grid, start_rate=v)
    for v in np.sqrt(g * np.linspace(1.001, 2.999, 7)):
        found = thrown(v)
        assert np.isclose(found.duration, 2 / v) if points == 2 else found.duration <= 2 / v + 1e-9
        assert np.isclose(found.rate[0], v) and found.rate[-1] == 0
        assert (found.acceleration <= -g / 2 + 1e-9).all() and (found.acceleration >= -3 * g / 2 - 1e-9).all()
    for v in np.sqrt(g * np.array([0.999, 3.001])):
        with pytest.raises(ValueError, match=r"at the start, from where the end is reached with 3\.132 to 5\.425 1/s"):
            thrown(v)


@pytest.mark.parametrize("up", [1, -1])
def test_whose_weight_is_too_much_is_told(up):
    """The joint that cannot hold it, whichever way it pulls; a push that is too weak for the way alone has no such joint."""
    rails = [rd.Link(1, joint="prismatic", axis=(1, 0, 0)), rd.Link(2, joint="prismatic", axis=(0, 0, 1))]
    cross = rd.Arm(rails, gravity=(0, 0, -up * 9.81))
    path = plan.through([0, 1], [[0.0, 0.0], [1.0, 1.0]], ends="natural")
    with pytest.raises(ValueError, match=rf"joint 2 cannot hold its weight of {up * 19.62:.4g} N m or N"):
        plan.fastest_along(cross, path, [5.0, 19.0])
    with pytest.raises(ValueError, match=r"torque_limits must (?!.*cannot hold)"):
        plan.fastest_along(rail(), straight(), [1.0], start_rate=50.0)


@pytest.mark.parametrize("seed", range(8))
def test_torques_stay_within_their_limits_between_grid_points_too(seed):
    """At grid points to 1e-9, between 201 of them within 1 %; on a finer grid by less."""
    arm, path, limits = some_case(seed)
    over = []
    for n in (201, 801):
        fast = plan.fastest_along(arm, path, limits, np.linspace(0, 1, n))
        assert (abs(fast.tau) <= limits * (1 + 1e-9)).all()
        tau = rd.inverse_dynamics(arm, *fast(np.linspace(0, fast.duration, 6001)))
        over.append((abs(tau) / limits).max() - 1)
    assert over[0] < 0.01
    assert over[1] < max(0.3 * over[0], 1e-5)


@pytest.mark.parametrize("seed", range(6))
def test_a_timed_path_is_a_motion(seed):
    """qd and qdd are derivatives of q by time, q follows the path from end to end, and nothing moves before and after."""
    arm, path, limits = some_case(seed)
    fast = plan.fastest_along(arm, path, limits)
    rng = np.random.default_rng(seed)
    k = rng.integers(1, len(fast.s) - 2, 5)
    for t in fast.t[k] + 0.5 * np.diff(fast.t)[k]:  # inside of an interval of the grid
        h = 1e-4 * np.diff(fast.t).min()
        q = [fast(t + x)[0] for x in (-h, h)]
        qd = [fast(t + x)[1] for x in (-h, h)]
        assert np.allclose((q[1] - q[0]) / (2 * h), fast(t)[1], rtol=1e-5, atol=1e-5)
        assert np.allclose((qd[1] - qd[0]) / (2 * h), fast(t)[2], rtol=1e-4, atol=1e-3)
    q, qd, qdd = fast([-1.0, 0.0, fast.duration + 1])
    assert np.allclose(q, path([0, 0, 1]), atol=1e-12)
    assert np.allclose(qd, 0, atol=1e-12)
    assert np.allclose(qdd[[0, 2]], 0, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_every_slower_motion_is_possible_where_the_weight_can_be_held(seed):
    """x and u times a factor below 1 turn tau into a mean of tau and the weight: within limits that hold both."""
    arm, path, limits = some_case(seed)
    fast = plan.fastest_along(arm, path, limits)
    for factor in (0.9, 0.5, 0.1):
        q, qd, qdd = fast(np.linspace(0, fast.duration, 500))
        tau = rd.inverse_dynamics(arm, q, factor**0.5 * qd, factor * qdd)
        assert (abs(tau) <= 1.01 * limits).all()


@pytest.mark.parametrize("seed", range(6))
def test_backward_is_as_fast_as_forward(seed):
    """Without friction and with even limits the reversed path takes the same time, with the same rates."""
    arm, path, limits = some_case(seed)

    def back(s, order=0):
        """The path, from its end to its begin."""
        return (-1) ** order * path(1 - np.asarray(s), order)

    there, again = (plan.fastest_along(arm, p, limits, np.linspace(0, 1, 801)) for p in (path, back))
    assert np.isclose(there.duration, again.duration, rtol=1e-3)
    free = abs(there.rate - again.rate[::-1]) / there.rate.max()
    assert np.median(free) < 1e-3


def without_sign_changes(a, s):
    """Tell whether no coefficient of s'' vanishes between grid points, as it stands and as a step sees it."""
    return bool((np.sign(a) == np.sign(a[0])).all())


def test_no_motion_on_the_grid_is_faster_or_anywhere_quicker():
    """Where no coefficient a changes its sign, a linear program that makes the sum of all x largest finds the same x."""
    tried = 0
    for seed in range(24):
        arm, path, limits = some_case(seed, joints=(2, 3), points=2)
        s = np.linspace(0, 1, 31)
        if not without_sign_changes(plan.coefficients(arm, path, s)[0], s):
            continue
        tried += 1
        fast = plan.fastest_along(arm, path, limits, s)
        best = linear_program(arm, path, limits, s, -np.ones(len(s)))
        assert np.allclose(fast.rate**2, best, atol=1e-7 * best.max())
    assert tried >= 6


@pytest.mark.parametrize("seed", range(6))
def test_no_motion_is_faster_by_more_than_half_a_percent(seed):
    """The time is convex in x, so its slope and one linear program bound what any x can gain, at zero-inertia points, too."""
    arm, path, limits = some_case(seed, joints=(2, 3))
    s = np.linspace(0, 1, 101)
    fast = plan.fastest_along(arm, path, limits, s)
    steps = 2 * np.diff(s) / (fast.rate[1:] + fast.rate[:-1]) ** 2
    cost = np.zeros(len(s))
    cost[1:] -= steps
    cost[:-1] -= steps
    cost[1:-1] /= 2 * fast.rate[1:-1]
    cost[[0, -1]] = 0  # given
    best = linear_program(arm, path, limits, s, cost)
    gain = -(cost @ (best - fast.rate**2))
    assert -1e-9 <= gain < 0.005 * fast.duration


def test_the_largest_rates_are_those_of_a_linear_program():
    """The maximum velocity curve is the largest x for which a u obeys all limits, at one place, by SciPy's program."""
    for seed in range(4):
        arm, path, limits = some_case(seed)
        fast = plan.fastest_along(arm, path, limits)
        for k in range(5, 200, 30):
            a, b, c = (x[k] for x in plan.coefficients(arm, path, GRID))
            A = np.column_stack([np.concatenate([a, -a]), np.concatenate([b, -b])])
            scale = np.concatenate([limits, limits])
            d = np.concatenate([limits - c, limits + c])
            found = linprog([0, -1], A / scale[:, None], d / scale, bounds=[(None, None), (0, 1e9)], method="highs")
            assert np.isclose(found.x[1], min(fast.largest_rate[k] ** 2, 1e9), rtol=1e-6)


def test_a_swing_past_a_pose_that_cannot_be_held():
    """A weak hinge cannot pass level from a start close below; with a swing it does, and the slowest rate is that of its energy."""
    rod = rd.robots.planar([1.0], [1.0])  # a point of 1 kg at 1 m
    up = plan.through([0, 1], [[-0.45], [1.0]], ends="natural")  # rad, through level; it can be held at the start
    limit = 9.0  # N m, of 9.81 at level
    with pytest.raises(ValueError, match=r"torque_limits must let s' be 0 .* \(joint 1 cannot hold its weight"):
        plan.fastest_along(rod, up, [limit])
    found = plan.fastest_along(rod, up, [limit], np.linspace(0, 1, 2001), start_rate=2.0)
    lack = 9.81 * 2 * np.sin(np.arccos(9 / 9.81)) - 9 * 2 * np.arccos(9 / 9.81)  # J, between the poses that can be held
    first = -np.arccos(9 / 9.81)
    there = np.searchsorted(found.s, (first + 0.45) / 1.45)
    slowest = np.sqrt(2 * lack) / 1.45  # qd = 1.45 s', T = qd^2 / 2
    assert np.isclose(found.slowest[there], slowest, rtol=0.01)
    tau = rd.inverse_dynamics(rod, *found(np.linspace(0, found.duration, 4001)))
    assert abs(tau).max() < limit * 1.001


def test_paths_of_other_splines_and_of_functions():
    """SciPy's quintic B-spline and a function of (s, order) are paths; rates of joints stay within their limits."""
    arm = rd.robots.uniform_two_link()
    knots, points = np.linspace(0, 1, 7), np.random.default_rng(4).uniform(-1, 1, (7, 2))
    spline = make_interp_spline(knots, points, k=5)
    fast = plan.fastest_along(arm, spline, [40, 15], np.linspace(0, 1, 1001), rate_limits=[1.5, 2.5])
    assert np.isclose((abs(spline(fast.s, 1) * fast.rate[:, None]) / [1.5, 2.5]).max(), 1)
    q, qd, _ = fast(np.linspace(0, fast.duration, 2001))
    assert np.allclose(q[[0, -1]], points[[0, -1]])
    assert (abs(qd) / [1.5, 2.5]).max() < 1.002, "between grid points"

    def circle(s, order=0):
        """A path that is a function, of which the derivatives are quarter turns away."""
        return np.stack([np.cos(s + order * np.pi / 2), np.sin(s + order * np.pi / 2)], axis=-1)

    assert plan.fastest_along(arm, circle, [40, 15]).duration > 0
