"""Sentences of the page "How fast must each joint turn?", beyond its arms, its poses, its square and its circle."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pytest

import robotdyn as rd

PLANE = np.eye(2, 3)
Rates = Callable[[np.ndarray, np.ndarray], np.ndarray]


def arms_and_poses(count: int, seed: int, n: int = 3) -> Iterator[tuple[rd.Arm, np.ndarray]]:
    """Yield random planar arms with poses far from singular ones."""
    rng = np.random.default_rng(seed)
    while count:
        arm, q = rd.robots.planar(rng.uniform(0.3, 0.6, n)), rng.uniform(-2, 2, n)
        if np.linalg.svd(rd.tip_jacobian(arm, q)[:2])[1][1] > 0.2:
            count -= 1
            yield arm, q


def by_pinv(arm: rd.Arm) -> Rates:
    """Return the rates of the pseudo-inverse."""
    jacobian = rd.specialize(rd.tip_jacobian, arm, inputs="q")
    return lambda q, v: np.linalg.pinv(jacobian(q)[:2]) @ v


def by_direction(arm: rd.Arm) -> Rates:
    """Return the rates of the extended Jacobian that keeps the direction of the last link."""
    jacobian = rd.specialize(rd.tip_jacobian, arm, inputs="q")
    return lambda q, v: np.linalg.solve(np.vstack([jacobian(q)[:2], np.ones(3)]), [*v, 0])


def around(q: np.ndarray, side: float, rates: Rates, steps: int = 12) -> np.ndarray:
    """Return q after a square of the hand, by Runge and Kutta."""
    h = 1 / steps
    for way in side * np.array([[-1, 0], [0, -1], [1, 0], [0, 1]]):
        for _ in range(steps):
            a = rates(q, way)
            b = rates(q + h / 2 * a, way)
            c = rates(q + h / 2 * b, way)
            d = rates(q + h * c, way)
            q = q + h / 6 * (a + 2 * b + 2 * c + d)
    return q


def bracket(q: np.ndarray, rates: Rates, h: float = 1e-5) -> np.ndarray:
    """Return the Lie bracket of the rates for the two directions."""
    x, y = np.eye(2)
    slopes = [np.transpose([rates(q + h * u, v) - rates(q - h * u, v) for u in np.eye(3)]) / (2 * h) for v in (x, y)]
    return slopes[1] @ rates(q, x) - slopes[0] @ rates(q, y)


# ---- drift and feedback -----------------------------------------------------------------------------------------------


def test_near_a_stretched_or_a_folded_arm_the_rates_grow_beyond_all_bounds():
    """In proportion to 1 / s_2, for a velocity along the arm, whatever the lengths."""
    rng = np.random.default_rng(1)
    for lengths in rng.uniform(0.2, 1, (5, 2)):
        arm, shoulder = rd.robots.planar(lengths), rng.uniform(-3, 3)
        for center in (0.0, np.pi):
            way = np.array([np.cos(shoulder), np.sin(shoulder)])
            sizes = [
                np.linalg.norm(rd.resolved_rates(arm, [shoulder, center + bend], way, directions=PLANE)) * bend
                for bend in (1e-2, 1e-3, 1e-4, 1e-5)
            ]
            assert np.ptp(sizes) < 0.02 * sizes[0]


@pytest.mark.parametrize("seed", range(6))
def test_the_accelerations_of_the_hand_add_up_to_the_drift_of_a_round(seed):
    """Over a closed round those of the goal sum up to nothing, those of the hand do not, and the error is in proportion to the step."""
    arm, start = next(arms_and_poses(1, seed))
    rates, radius = by_pinv(arm), 0.03
    place = rd.point_position(arm, start)[:2]
    drifts = []
    for count in (100, 200):
        q, h, left, of_goal = start, 2.0 / count, np.zeros(2), np.zeros(2)
        for step in range(count):
            angle = 2 * np.pi * step / count
            qd = rates(q, np.pi * radius * np.array([-np.sin(angle), np.cos(angle)]))
            left -= h**2 / 2 * rd.point_acceleration(arm, q, qd, 0 * qd)[:2]
            of_goal -= h**2 / 2 * np.pi**2 * radius * np.array([np.cos(angle), np.sin(angle)])
            q = q + h * qd
        drifts.append(place - rd.point_position(arm, q)[:2])
        assert np.linalg.norm(of_goal) < 1e-12
        assert np.allclose(drifts[-1], left, atol=0.1 * np.linalg.norm(left) + 1e-7)
    assert 1.8 < np.linalg.norm(drifts[0]) / np.linalg.norm(drifts[1]) < 2.2


@pytest.mark.parametrize("seed", range(4))
def test_feedback_ends_the_growth_of_the_error(seed):
    """On a circle the error after ten rounds is about that after two, and a larger gain makes it smaller."""
    arm, start = next(arms_and_poses(1, seed))
    rates, radius, h = by_pinv(arm), 0.05, 0.02
    place = rd.point_position(arm, start)[:2]
    found = []
    for k in (2.0, 8.0):
        q, errors = start, []
        for step in range(10 * 100):
            angle = 2 * np.pi * step / 100
            goal = place + radius * np.array([np.cos(angle) - 1, np.sin(angle)])
            e = goal - rd.point_position(arm, q)[:2]
            q = q + h * rates(q, np.pi * radius * np.array([-np.sin(angle), np.cos(angle)]) + k * e)
            errors.append(np.linalg.norm(e))
        rounds = np.reshape(errors, (10, 100)).max(axis=1)
        assert rounds[9] < 1.5 * rounds[2]
        found.append(rounds[9])
    assert found[1] < found[0]


@pytest.mark.parametrize("seed", range(8))
def test_a_gain_beyond_two_over_the_step_grows(seed):
    """Each step multiplies a small error by about 1 - k h: below 2 / h it falls, beyond it grows, and 1 / h ends it in a step."""
    rng = np.random.default_rng(seed)
    arm, pose = next(arms_and_poses(1, seed, 2))
    h = rng.uniform(0.005, 0.1)
    goal = rd.point_position(arm, pose)[:2]
    for share in (0.5, 1.0, 1.9, 2.1, 2.6):
        q = pose + 1e-7 * rng.normal(size=2)
        sizes = []
        for _ in range(8):
            e = goal - rd.point_position(arm, q)[:2]
            sizes.append(np.linalg.norm(e))
            q = q + h * rd.resolved_rates(arm, q, share / h * e, directions=PLANE)
        if abs(1 - share) < 1e-9:
            assert sizes[1] < 1e-5 * sizes[0]
        else:
            assert np.allclose(sizes, sizes[0] * abs(1 - share) ** np.arange(8), rtol=1e-3)


def test_without_the_velocity_of_its_goal_the_hand_trails_behind():
    """By the speed of the goal over the gain, once it has settled."""
    for arm, q in arms_and_poses(3, 3):
        velocity, k, h = np.array([0.006, -0.004]), 5.0, 0.02
        goal = rd.point_position(arm, q)[:2]
        for _ in range(150):
            e = goal - rd.point_position(arm, q)[:2]
            q = q + h * rd.resolved_rates(arm, q, k * e, directions=PLANE)
            goal = goal + h * velocity
        behind = goal - rd.point_position(arm, q)[:2]
        assert np.isclose(np.linalg.norm(behind), np.linalg.norm(velocity) / k, rtol=0.02)


# ---- wishes and limits ------------------------------------------------------------------------------------------------


def test_at_a_limit_the_rates_never_point_out():
    """At the limit the joint does what it wants, whatever the hand asks for; if z leads to the middle, it turns back."""
    rng = np.random.default_rng(4)
    for _ in range(200):
        n = int(rng.integers(2, 8))
        arm = rd.robots.random_arm(rng, n, ["revolute"] * n)
        limits = rng.uniform(0.5, 3, n)
        q = rng.uniform(-limits, limits)
        held = rng.integers(n)
        q[held] = limits[held] * rng.choice([-1, 1])
        room = np.maximum(1 - (q / limits) ** 2, 1e-14)
        z = -rng.uniform(0.1, 2) * q
        twist = 10.0 ** rng.uniform(-2, 1) * rng.normal(size=6)
        qd = rd.resolved_rates(arm, q, twist, rng.uniform(0.05, 0.5), 1 / room, z, directions=np.eye(6))
        assert qd[held] == pytest.approx(z[held], abs=1e-7) and qd[held] * q[held] < 0


def farthest(h: float, seed: int) -> float:
    """Return the largest angle over its limit while a hand is driven to and fro for 2 s in steps of h, the joints held by weights."""
    rng = np.random.default_rng(seed)
    arm, limits = rd.robots.planar([0.5, 0.4, 0.3]), rng.uniform(0.5, 1.5, 3)
    q, phase = 0.6 * rng.uniform(-limits, limits), rng.uniform(0, 6, 2)
    largest = 0.0
    for t in h * np.arange(round(2 / h)):
        room = np.maximum(1 - (q / limits) ** 2, 1e-14)
        q = q + h * rd.resolved_rates(arm, q, 2 * np.cos(4 * t + phase), 0.05, 1 / room, directions=PLANE)
        largest = max(largest, (abs(q) / limits).max())
    return largest


def test_weights_hold_the_joints_within_their_ranges_if_the_steps_are_short():
    """Steps of 2 ms keep all joints within a thousandth of their limits; steps of 50 ms carry some of them past."""
    assert max(farthest(2e-3, seed) for seed in range(3)) < 1.001
    assert max(farthest(5e-2, seed) for seed in range(3)) > 1.02


def pulled_out_of_reach(damping: float, h: float = 1e-3) -> float:
    """Return the largest angle over its limit of 1 rad while a hand is pulled 2.5 m inward in 2 s."""
    arm = rd.robots.planar(3)
    q = np.array([0.3, 0.5, 0.4])
    home, way = rd.point_position(arm, q)[:2], np.array([-2.5, -0.5])
    largest = 0.0
    for t in h * np.arange(round(2 / h)):
        twist = way / 2 + 5 * (home + way * t / 2 - rd.point_position(arm, q)[:2])
        inverse = np.diag(1 - q**2)
        J = rd.point_jacobian(arm, q)[:2]
        q = q + h * inverse @ J.T @ np.linalg.solve(J @ inverse @ J.T + damping**2 * np.eye(2), twist)
        largest = max(largest, abs(q).max())
    return largest


def test_without_damping_weights_do_not_hold_the_joints_however_short_the_steps():
    """Weights that grow near a limit hold the joints within their ranges, with some damping and short steps."""
    assert pulled_out_of_reach(0.0) > 1.2 and pulled_out_of_reach(0.0, 3e-4) > 1.2
    assert pulled_out_of_reach(0.05) < 1.005


def test_what_the_hand_hears_of_a_wish_is_at_most_half_the_damping():
    """mu^2 sigma / (sigma^2 + mu^2) |z| is largest for sigma = mu, where it is mu |z| / 2: for any Jacobian, wish, damping."""
    rng = np.random.default_rng(5)
    for arm, q in arms_and_poses(60, 6):
        mu, z = 10.0 ** rng.uniform(-3, 1), rng.normal(size=3)
        qd = rd.resolved_rates(arm, q, [0, 0], mu, null=z, directions=PLANE)
        heard = np.linalg.norm(rd.tip_jacobian(arm, q)[:2] @ qd)
        assert heard <= mu / 2 * np.linalg.norm(z) * (1 + 1e-9)


# ---- closed paths -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_a_small_square_drifts_by_its_area_times_the_bracket(seed):
    """To second order in the side; the bracket is self-motion, for the pseudo-inverse and for other right inverses."""
    arm, q = next(arms_and_poses(1, 10 + seed))
    jacobian = rd.specialize(rd.tip_jacobian, arm, inputs="q")
    W = np.array([1.0, 2.0, 0.5])

    def weighted(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        J = jacobian(q)[:2]
        return (J / W).T @ np.linalg.solve(J / W @ J.T, v)

    for rates in (by_pinv(arm), weighted):
        b = bracket(q, rates)
        assert np.allclose(jacobian(q)[:2] @ b, 0, atol=1e-6 * (1 + np.linalg.norm(b)))
        off = [np.linalg.norm((around(q, a, rates) - q) / a**2 - b) for a in (4e-3, 2e-3, 1e-3)]
        assert 1.6 < off[0] / off[1] < 2.4 and 1.6 < off[1] / off[2] < 2.4  # what is neglected is of third order


@pytest.mark.parametrize("seed", range(6))
def test_the_extended_jacobian_closes_and_the_pseudo_inverse_does_not(seed):
    """The hand comes back in both cases; the joints only if they are a function of its place, and then their bracket is zero."""
    arm, q = next(arms_and_poses(1, 20 + seed))
    if abs(np.sin(q[1])) < 0.5:  # near a singular pose of the extended Jacobian
        q = q + [0, 0.8, 0]
    home = rd.point_position(arm, q)
    left = around(q, 0.03, by_pinv(arm), 40)
    closed = around(q, 0.03, by_direction(arm), 40)
    assert np.allclose(rd.point_position(arm, left), home, atol=1e-6)
    assert abs(closed - q).max() < 1e-8 and abs(left - q).max() > 1e-6
    assert np.allclose(bracket(q, by_direction(arm)), 0, atol=1e-5)


def test_with_a_posture_the_rounds_settle_and_not_on_the_one_of_the_start():
    """In our experiments: for random arms and poses the rounds come to repeat themselves, some way from the start."""
    for arm, q0 in arms_and_poses(5, 30):
        jacobian = rd.specialize(rd.tip_jacobian, arm, inputs="q")

        def rates(q: np.ndarray, v: np.ndarray, jacobian=jacobian, q0=q0) -> np.ndarray:
            J, pull = jacobian(q)[:2], q0 - q
            return pull + np.linalg.pinv(J) @ (v - J @ pull)

        rounds = [q0]
        for _ in range(8):
            rounds.append(around(rounds[-1], 0.1, rates))
        moved = abs(np.diff(rounds, axis=0)).max(axis=1)
        assert moved[-1] < 1e-2 * moved[0] and abs(rounds[-1] - q0).max() > 1e-5


def test_algorithmic_singularities_are_new():
    """There are poses in which det J_e = 0 although J is regular: the extended Jacobian of three links, where s_2 = 0."""
    for lengths in np.random.default_rng(7).uniform(0.3, 0.6, (10, 3)):
        J = rd.tip_jacobian(rd.robots.planar(lengths), [0.3, 0.0, 1.2])[:2]
        assert abs(np.linalg.det(np.vstack([J, np.ones(3)]))) < 1e-12
        assert np.linalg.svd(J)[1][1] > 0.05


# ---- priorities, accelerations, forces --------------------------------------------------------------------------------


def test_tasks_that_are_not_in_conflict_keep_no_error():
    """The error is spread over the tasks that are in conflict: one task is met exactly while two others ask opposite things of a joint."""
    rng = np.random.default_rng(81)
    for _ in range(20):
        apart, clash = rng.normal(size=(2, 4)) * [1, 1, 0, 0], np.array([0, 0, 1.0, 0.5])
        rows, asked = np.vstack([apart, clash, clash]), np.array([*rng.normal(size=2), 1, -1])
        for unit in (1, 1000):
            scale = np.array([1, 1, unit, 1])
            qd = rd.differential_kinematics.by_priority([(scale[:, None] * rows, scale * asked)])
            off = abs(rows @ qd - asked)
            assert off[:2].max() < 1e-6 and off[2:].max() >= 1 - 1e-9
            assert off[2:] == pytest.approx([1, 1] if unit == 1 else [0, 2], abs=1e-5)


def test_in_conflict_both_tasks_suffer_and_by_the_units_of_their_rows():
    """Least squares of demands in conflict leave an error in both, and another one if a row is written in other units."""
    rng = np.random.default_rng(8)
    by_priority = rd.differential_kinematics.by_priority
    for _ in range(40):
        tasks = [(rng.normal(size=(2, 3)), rng.normal(size=2)) for _ in range(2)]
        off = lambda task, qd: np.linalg.norm(task[0] @ qd - task[1])
        both = np.vstack([tasks[0][0], tasks[1][0]]), np.concatenate([tasks[0][1], tasks[1][1]])
        alike = by_priority([both])
        unit = np.array([1000, 1000, 1, 1])
        other = by_priority([(unit[:, None] * both[0], unit * both[1])])
        assert min(off(task, alike) for task in tasks) > 1e-6 and not np.allclose(alike, other, atol=1e-6)
        again = by_priority([(1000 * tasks[0][0], 1000 * tasks[0][1]), tasks[1]])
        assert np.allclose(by_priority(tasks), again, atol=1e-8)  # an order has no units between tasks


def test_tasks_that_can_all_be_done_have_no_order():
    """Both orders find the one solution of as many demands as joints."""
    rng = np.random.default_rng(9)
    for _ in range(40):
        first, second = [(rng.normal(size=(k, 4)), rng.normal(size=k)) for k in (2, 2)]
        one, other = (rd.differential_kinematics.by_priority(x) for x in ([first, second], [second, first]))
        assert np.allclose(one, other, atol=1e-6 * (1 + np.linalg.norm(one)))


def test_with_no_wish_nothing_brakes_self_motion():
    """While the hand stands still the size of the rates stays as it is; with z = -d qd it falls like e^{-d t}."""
    h = 5e-3
    for arm, start in arms_and_poses(2, 40):
        for d in (0.0, 3.0):
            q, qd = start, 0.3 * np.linalg.svd(rd.tip_jacobian(arm, start)[:2])[2][-1]
            for _ in range(100):
                qdd = rd.resolved_accelerations(arm, q, qd, [0, 0], null=-d * qd, directions=PLANE)
                middle, half = q + h / 2 * qd, qd + h / 2 * qdd
                qdd = rd.resolved_accelerations(arm, middle, half, [0, 0], null=-d * half, directions=PLANE)
                q, qd = q + h * half, qd + h * qdd
            assert np.linalg.norm(qd) == pytest.approx(0.3 * np.exp(-d * 0.5), rel=1e-3)


def orientation_error(turn, t, R):
    """Return the error in rad of an orientation R at a time t, where the goal turns with a constant angular velocity."""
    return rd.rotations.log(rd.rotations.exp(t * turn) @ R.T)


def test_the_length_of_an_orientation_error_decays_also_while_the_goal_turns():
    """With the angular velocity of the goal plus k phi, |phi| = |phi_0| e^{-k t}, although phi changes its direction."""
    rng, k, h = np.random.default_rng(12), 3.0, 1e-3
    for start, turn in rng.normal(size=(2, 2, 3)):
        phi_0 = 2.5 * start / np.linalg.norm(start)  # the first error, in rad
        R = rd.rotations.exp(-phi_0)
        error = partial(orientation_error, turn)
        for step in range(500):
            t = h * step
            half = rd.rotations.exp(h / 2 * (turn + k * error(t, R))) @ R
            R = rd.rotations.exp(h * (turn + k * error(t + h / 2, half))) @ R
        phi = error(500 * h, R)
        assert abs(np.linalg.norm(phi) / (2.5 * np.exp(-k * 500 * h)) - 1) < 1e-5  # steps of second order
        assert np.linalg.norm(np.cross(phi, phi_0)) > 0.02 * np.linalg.norm(phi) * 2.5


def test_what_a_torque_in_the_null_space_does_to_the_hand():
    """Against equal viscous friction alone the hand stays; against unequal friction, and against inertia, it moves."""
    for arm, q in arms_and_poses(4, seed=21):
        J = rd.tip_jacobian(arm, q)[:2]
        torque = np.linalg.svd(J)[2][-1]
        friction = np.linspace(1, 2, arm.n)
        assert abs(J @ torque).max() < 1e-12
        assert np.linalg.norm(J @ (torque / friction)) > 1e-3
        assert np.linalg.norm(J @ np.linalg.solve(rd.mass_matrix(arm, q), torque)) > 1e-3


def test_the_least_rates_are_large_only_for_a_part_along_the_lost_direction():
    """Near a singular pose even the least rates are large, unless the velocity has no part along the direction that is about to be lost."""
    for n, bend in ((2, 1e-4), (3, 1e-4), (7, 1e-4)):
        arm, q = rd.robots.planar(n), np.array([0.4, *[bend] * (n - 1)])
        J = rd.tip_jacobian(arm, q)[:2]
        lost = np.linalg.svd(J)[0][:, 1]
        across = np.array([-lost[1], lost[0]])
        for v, large in ((lost, True), (lost + across, True), (across, False)):
            assert (np.linalg.norm(np.linalg.pinv(J) @ v) > 100) == large


def test_dependent_tasks_are_in_conflict_unless_they_agree():
    """Where J_2 N_1 loses rank the tasks are in conflict, unless what they ask for happens to agree."""
    rng = np.random.default_rng(11)
    for arm, q in arms_and_poses(10, 12):
        J = rd.tip_jacobian(arm, q)[:2]
        v = rng.normal(size=2)
        for rows, asked, agree in ((J, v, True), (J, v + [0.1, 0], False), (J.sum(axis=0)[None], [v.sum()], True)):
            qd = rd.differential_kinematics.by_priority([(J, v), (rows, asked)])
            assert abs(J @ qd - v).max() < 1e-9
            assert (abs(rows @ qd - asked).max() < 1e-9) == agree


def test_the_others_do_what_a_joint_at_its_limit_no_longer_does_as_far_as_they_can():
    """What the joint no longer does, the others do for it, as far as they can: two joints that are left can, a single one cannot."""
    for n, able in ((2, False), (3, True), (4, True)):
        arm, q = rd.robots.planar(n), np.array([0.4, *[0.9] * (n - 1)])
        free = np.array([*[1.0] * (n - 1), 1e-20])  # the last joint is at its limit
        v = np.array([0.2, -0.1])
        qd = rd.resolved_rates(arm, q, v, 1e-5, 1 / free, directions=np.eye(2, 3))
        assert abs(qd[-1]) < 1e-6
        assert (np.linalg.norm(rd.tip_jacobian(arm, q)[:2] @ qd - v) < 1e-6) == able
