"""Sentences of the page "Tasks, limits and loopholes", tried from other first guesses and with other torques."""

import numpy as np
import pytest

import robotdyn as rd
from robotdyn import costs

GATES = {24: np.array([2.0, 1.0]), 49: np.array([3.0, 2.0])}
HALF = np.array([0.2, 0.3])  # m, half-widths of the boxes
BEGIN = np.array([3 * np.pi / 4, -np.pi / 2, -np.pi / 4, 0, 0, 0])


def three_links():
    """Return the chain of the page and its steps of 10 ms."""
    chain = rd.robots.planar([2.0, 2.0, 1.0], [2.0, 3.0, 4.0])
    return chain, rd.arm_dynamics(chain, 0.01, damping=1.0)


def through(chain, box=None):
    """Return the task of the page, with boxes or with the points alone."""
    task = costs.effort(1e-6)
    for at, point in GATES.items():
        task += costs.tip_position(chain, point, 1e5, at, box=box)
        task += costs.tip_orientation(chain, -np.pi / 3, 1e5, at)
    return task


def test_local_minima():
    """From zero torque the boxes cost 43 percent less effort than the points, but from another first guess the points
    alone cost less than the boxes do from zero torque: both motions are local minima."""
    chain, moves = three_links()
    zero = np.zeros((49, 3))
    boxes, points = (rd.ilqr(moves, through(chain, box), BEGIN, zero) for box in (HALF, None))
    assert round(100 * (1 - (boxes.u**2).sum() / (points.u**2).sum())) == 43
    other = rd.ilqr(moves, through(chain, HALF), BEGIN, zero + [450.0, -380.0, 450.0], (-1e3, 1e3))
    better = rd.ilqr(moves, through(chain), BEGIN, other.u)
    assert better.result == "converged"
    assert better.cost < 0.9 * boxes.cost
    assert other.cost < 0.9 * boxes.cost < 0.9 * points.cost


def test_a_box_never_costs_more_than_its_point():
    """The least cost with boxes is at most that with the points: each motion costs at most as much."""
    chain, moves = three_links()
    rng = np.random.default_rng(35)
    for size in (1, 100, 1000):
        for u in size * rng.normal(size=(5, 49, 3)):
            x, u = moves.rollout(BEGIN, u)
            assert through(chain, HALF).value(x, u) <= through(chain).value(x, u)


def test_a_budget_of_swings():
    """The total angle through which a link turns before it stands upright is at least 2 m g l over its greatest torque."""
    arm, limit = rd.robots.planar([1.0], [1.0]), 3.0
    step = rd.arm_dynamics(arm, 0.005, method="rk4").step
    rng = np.random.default_rng(35)
    upright = 0
    for trial in range(20):
        share = 1.0 if trial == 0 else rng.uniform(0.6, 1)  # the first drives as hard as it can, always along the rate
        x, total = np.array([-np.pi / 2, 0.0]), 0.0
        for _ in range(4000):
            u = share * limit * np.sign(x[1] or 1.0) * (1 if trial == 0 else rng.uniform(0.2, 1))
            new = step(x, np.array([u]))
            total, x = total + abs(new[0] - x[0]), new
            if np.sin(x[0]) > 0.999:
                upright += 1
                assert total > 0.999 * 2 * 9.81 / limit
                break
    assert upright > 10


@pytest.mark.slow
def test_planning_anew_is_not_always_better_than_the_gains_of_one_plan():
    """After a push three times as strong it misses by half as much as the gains do, after one five times as strong by more."""
    target = np.array([1.2, 0.6])
    two, true = (rd.robots.planar([1.0, 0.8], [1.0, mass]) for mass in (0.7, 0.7 * 1.15))
    model, truth = (rd.arm_dynamics(arm, 0.02, method="rk4") for arm in (two, true))
    goal = costs.effort(1e-2) + costs.tip_position(two, target, 1e4) + costs.joint_velocity(1e2)
    begin = np.array([-np.pi / 2, 0.5, 0, 0])
    plan = rd.ilqr(model, goal, begin, np.tile([8.0, 0.0], (50, 1)), tolerance=1e-9)

    def missed(x):
        return np.linalg.norm(rd.point_position(true, x[:2])[:2] - target)

    def by_gains(push):
        return missed(rd.control.closed_loop(truth, plan, disturbance=push, limits=(-60, 60))[0][-1])

    def replanned(push):
        x, now = begin, plan
        for t in range(50):
            if t:
                now = rd.ilqr(model, goal, x, now.u[1:], tolerance=1e-6)
            x = truth.step(x, now.u[0]) + push[t]
        return missed(x)

    share = {}
    for stronger in (0.3, 1, 3, 5):
        push = np.zeros((50, 4))
        push[20] = stronger * np.array([0, 0, -1.0, 0.5])
        share[stronger] = replanned(push) / by_gains(push)
    assert share[0.3] > 0.9  # small ones almost as well as a new plan at every step
    assert share[1] > 0.9
    assert 0.4 < share[3] < 0.55
    assert share[5] > 1.3


def turning_point(before, limit, damping, dithers=None):
    """Return the angle from the lowest point at which a link of 1 m and 1 kg turns back that comes from rest at the angle before,
    on the other side; at most pi. dithers: parts of the torque, one for each tenth of a radian."""
    step = rd.arm_dynamics(rd.robots.planar([1.0], [1.0]), 0.002, damping=damping, method="rk4").step
    x = np.array([-np.pi / 2 - before, 0.0])
    for _ in range(5000):
        part = 1.0 if dithers is None else dithers[int(10 * abs(x[0] + np.pi / 2)) % len(dithers)]
        new = step(x, np.array([part * limit]))
        angle = new[0] + np.pi / 2
        if new[1] <= 0 or angle >= np.pi:
            return min(angle, np.pi)
        x = new
    return None


def test_how_few_swings():
    """With full torque along the rate the frictionless link turns back at 0.63 and 1.38 rad and passes then; with friction it passes
    one way later; no weaker torque gets farther."""
    rng, first = np.random.default_rng(36), turning_point(0.0, 3.0, 0.0)
    second = turning_point(first, 3.0, 0.0)
    assert (first, second) == pytest.approx((0.63, 1.38), abs=0.006)
    assert turning_point(second, 3.0, 0.0) == np.pi
    angle, ways = 0.0, 0
    while angle < np.pi:
        angle, ways = turning_point(angle, 3.0, 0.1), ways + 1
    assert ways == 4  # three passes before the last way
    for _ in range(5):
        for before, most in ((0.0, first), (first, second)):
            reached = turning_point(before, 3.0, 0.0, dithers=rng.uniform(0.3, 1, 40))
            assert 3 * (before + reached) >= 9.81 * (np.cos(before) - np.cos(reached)) - 1e-2
            assert reached <= most


def test_a_circle_out_of_reach():
    """The best that the arm can do for a circle too far away is to point at it, stretched out; one near the base is out of its
    reach, too, and there it is folded."""
    arm = rd.robots.planar([1.0, 0.8], [1.0, 0.7])
    q = np.linspace(-np.pi, np.pi, 361)
    poses = np.stack(np.meshgrid(q, q, indexing="ij"), axis=-1).reshape(-1, 2)
    tips = rd.point_position(arm, poses)[:, :2]
    for place, elbow in (([2.0, 1.0], 0.0), ([-3.0, 0.5], 0.0), ([0.05, 0.05], np.pi)):
        best = poses[np.linalg.norm(tips - place, axis=1).argmin()]
        assert abs(abs(best[1]) - elbow) < 0.02


def test_gains_are_not_all_of_the_answer():
    """The gains contain most of what new plans would answer, if not all of it to first order."""
    two, target = rd.robots.planar([1.0, 0.8], [1.0, 0.7]), np.array([1.2, 0.6])
    model = rd.arm_dynamics(two, 0.02, method="rk4")
    goal = costs.effort(1e-2) + costs.tip_position(two, target, 1e4) + costs.joint_velocity(1e2)
    plan = rd.ilqr(model, goal, np.array([-np.pi / 2, 0.5, 0, 0]), np.tile([8.0, 0.0], (50, 1)), tolerance=1e-13)
    x, rest = plan.x[20], plan.u[20:]
    first = lambda off: rd.ilqr(model, goal, x + off, rest, tolerance=1e-14, max_iterations=3000).u[0]
    answers = np.transpose([(first(e) - first(-e)) / 2e-3 for e in 1e-3 * np.eye(4)])
    left = np.linalg.norm(answers - plan.gains[20]) / np.linalg.norm(answers)
    assert 0.1 < left < 0.4


def test_a_wide_box():
    """The tip passes outside of its box unless the motion without torques leads through it: then it is inside, at no cost."""
    two, start = rd.robots.planar([1.0, 0.8], [1.0, 0.7]), np.array([0.3, 0.5, 0, 0])
    model = rd.arm_dynamics(two, 0.02, method="rk4")
    free, _ = model.rollout(start, np.zeros((25, 2)))
    end = rd.point_position(two, free[-1, :2])[:2]
    for off, inside in (([0.02, -0.01], True), ([0.2, 0.0], False)):
        task = costs.effort(1e-3) + costs.tip_position(two, end + off, 1e4, box=np.array([0.1, 0.1]))
        plan = rd.ilqr(model, task, start, np.full((25, 2), 0.5), tolerance=1e-12)
        beyond = abs(rd.point_position(two, plan.q[-1])[:2] - end - off).max() - 0.1
        assert (beyond < 0) == inside
        assert (abs(plan.u).max() < 1e-6) == inside


def test_a_limit_that_is_not_active_costs_nothing():
    """The least cost cannot fall when a limit is added; where the limit is not active it stays, where it is, it rises."""
    steps = rd.Dynamics(lambda x, u: np.array([[1, 0.1], [0, 1]]) @ x + np.array([[0], [0.1]]) @ u)
    task = costs.effort(1e-2) + costs.joint_position([1.0], 10.0) + costs.joint_velocity(10.0)
    plans = [rd.ilqr(steps, task, np.zeros(2), np.zeros((20, 1)), limits) for limits in (None, (-9, 9), (-0.8, 0.8))]
    free, idle, tight = (plan.cost for plan in plans)
    assert idle == pytest.approx(free, rel=1e-9)
    assert tight > 1.01 * free
