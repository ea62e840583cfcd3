"""Costs, rollouts, derivatives and the way to an optimum, each against its definition; where input begins to be refused."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from arms import arm_and_state

import robotdyn as rd
from robotdyn import costs
from robotdyn.dynamics import planar
from robotdyn.laws import slope
from robotdyn.optimal import linearization, riccati, rollout_matrix
from robotdyn.optimal.costs import Cost, Term, rotation_error
from robotdyn.optimal.dynamics import central_differences, jacobians_by_differences
from robotdyn.optimal.solution import RESULTS, Solution

ARM, DT = rd.robots.two_link(), 0.02
RNG = np.random.default_rng(12)
X, U = RNG.normal(size=(4, 4)), RNG.normal(size=(3, 2))


def refused(kind, words, call, *given, **named):
    """Tell whether a call ends in an error of this kind that holds these words."""
    with pytest.raises(kind) as error:
        call(*given, **named)
    return words in str(error.value)


# ---- costs ----------------------------------------------------------------------------------------------------------

EFFORTS = (2.0, [1.0, 3.0], [[2.0, 0.5], [0.5, 1.0]], [[2.0, 1.0], [0.0, 1.0]])


@pytest.mark.parametrize("other", EFFORTS, ids=range(4))
@pytest.mark.parametrize("one", EFFORTS, ids=range(4))
def test_a_sum_of_costs_costs_what_its_parts_cost(one, other):
    """Whether R is a number, a diagonal or a matrix, of which the symmetric half counts: the value, and its derivatives."""
    parts = Cost((), one) + costs.joint_velocity(3.0), Cost((), other) + costs.joint_position([0.1, 0.2], [1.0, 2.0])
    whole = parts[0] + parts[1]
    assert np.isclose(whole.value(X, U), sum(part.value(X, U) for part in parts))
    for found, *expected in zip(whole.expand(X, U), *(part.expand(X, U) for part in parts)):
        assert np.allclose(found, expected[0] + expected[1])
    R = np.diag(np.broadcast_to(one, 2)) if np.ndim(one) < 2 else np.array(one)
    assert np.isclose(Cost((), one).value(X, U), sum(u @ R @ u for u in U))
    with pytest.raises(TypeError):
        whole + 3


def test_terms_count_at_their_states():
    """An index, several, from the back, or all; each once, and only where there is a state."""
    size = lambda at: costs.residual(lambda x: x[:1], 2.0, at).value(X[:4], U[:3]) / 2
    squares = X[:, 0] ** 2
    for at, places in (
        (0, [0]),
        (3, [3]),
        (-1, [3]),
        (-4, [0]),
        ([0, -1], [0, 3]),
        (None, [0, 1, 2, 3]),
        ((1, 2), [1, 2]),
    ):
        assert np.isclose(size(at), squares[places].sum())
        l_x = costs.residual(lambda x: x[:1], 2.0, at).expand(X, U)[0]
        assert (
            np.allclose(l_x[:, 0], [4 * X[t, 0] * (t in places) for t in range(4)], atol=1e-7) and not l_x[:, 1:].any()
        )
    for at in (4, -5, [0, 4], [-5, 1], 1.0, [0.5], [[0, 1]], True):
        assert refused(ValueError, "at must hold indices of states from 0 to 3 (or from -1 backward)", size, at)
    for at in ([0, 0], [0, -4], [3, -1]):
        assert refused(ValueError, "at must name each state once", size, at)
    assert np.isclose(costs.residual(lambda x: x, 1.0).value(X, U), X[-1] @ X[-1])  # the last one, if nothing is said


def test_a_box_of_no_size_is_none():
    """Half-widths may be 0; what is inside counts nothing, has no slope and no curvature."""
    make = lambda box: costs.joint_position([0.0, 0.0], [2.0, 3.0], at=0, box=box)
    for found, expected in zip(make(0.0).expand(X, U), make(None).expand(X, U)):
        assert np.allclose(found, expected)
    q = np.array([[0.5, -0.2, 0, 0]])
    box = make([0.4, 0.3])
    assert np.isclose(box.value(q, U[:0]), 2 * 0.1**2)
    l_x, _, l_xx, _, _ = box.expand(q, U[:0])
    assert np.allclose(l_x, [[0.4, 0, 0, 0]]) and np.allclose(l_xx, [np.diag([4.0, 0, 0, 0])])
    assert refused(ValueError, "box must hold half-widths >= 0", make, [0.1, -0.1])
    assert make(0.5).value(q, U[:0]) == 0


def test_weights_are_finite_and_not_negative():
    """Zero is a weight; a matrix of effort may have no negative eigenvalue."""
    for weight in (0.0, [1.0, 0.0], np.zeros((2, 2)), [[1.0, 1.0], [1.0, 1.0]]):
        costs.effort(weight)
    for weight in (-1e-9, [1.0, -1.0], np.inf, [1, np.nan], [[1.0, 2.0], [2.0, 1.0]]):
        assert refused(ValueError, "weight must be finite and >= 0", costs.effort, weight)
    assert refused(ValueError, "weight must be finite and >= 0", costs.tip_position, ARM, [1, 0], -1)


def test_a_motion_that_is_not_finite_costs_infinity():
    """What is not finite stays so to the end: one entry of the last state tells."""
    for bad in (np.nan, np.inf, -np.inf):
        x = X.copy()
        x[-1, 2] = bad
        assert costs.effort(1.0).value(x, U) == np.inf


def test_an_angle_is_told_the_short_way_round():
    """phi = q_1 + q_2 - target between -pi and pi, whole turns being nothing; a box leaves it free inside."""
    for turns in (-2, 0, 3):
        state = np.array([[-1.5 + 2 * np.pi * turns, -1.5, 0.3, 0.4]])
        left = -3.0 - 3.0 + 2 * np.pi
        assert np.isclose(costs.tip_orientation(ARM, 3.0, 5.0).value(state, U[:0]), 5 * left**2)
        assert np.isclose(costs.tip_orientation(ARM, 3.0, 5.0, box=0.1).value(state, U[:0]), 5 * (left - 0.1) ** 2)
    spun = rd.Arm([rd.Link(1, (1, 0, 0), rotation=rd.rotations.exp((0, 0, 0.3)))])
    tilted = rd.Arm([rd.Link(1, (1, 0, 0), axis=(0, 1, 0))])
    for arm in (spun, tilted):
        assert refused(
            ValueError,
            "target must be a rotation matrix (3, 3) for an arm that leaves the plane",
            costs.tip_orientation,
            arm,
            1.0,
            1,
        )
    slider = rd.Arm([rd.Link(1, joint="prismatic", axis=(1, 0, 0)), rd.Link(1, axis=(0, 0, -1))])
    assert np.isclose(costs.tip_orientation(slider, 0.2, 1.0).value(np.array([[9.0, 0.5, 0, 0]]), U[:0]), 0.7**2)


@pytest.mark.parametrize("angle", [0.0, 1e-5, 9e-4, 1.1e-3, 0.02, 0.5, 2.0, 3.1])
def test_the_rate_of_an_error_of_rotation(angle):
    """d log(target^T R) / dt is the matrix times omega, for turns of every size; from a small one by its series."""
    axis, target = np.array([0.6, -0.48, 0.64]), rd.rotations.exp([0.3, -0.4, 0.5])
    R = target @ rd.rotations.exp(angle * axis)
    omega = np.array([0.7, 0.2, -0.5])
    phi, rate = rotation_error(R, target)
    assert np.allclose(phi, angle * axis, atol=1e-12)
    turned = lambda s: rotation_error(rd.rotations.exp(s * omega) @ R, target)[0]
    assert np.allclose(rate @ omega, slope(turned, 0.0), atol=1e-9)
    # by hand: d phi = phi' along the axis, and |phi| / 2 cot(|phi| / 2) of what is across, turned by half the angle
    seen = target.T @ omega
    across = seen - axis * (axis @ seen)
    share = angle / 2 / np.tan(angle / 2) if angle else 1.0
    assert np.allclose(
        rate @ omega, axis * (axis @ seen) + share * across - angle / 2 * np.cross(axis, across), atol=1e-14 + 1e-13
    )


def test_joint_terms_by_their_definitions():
    """Targets, rest where none is told, soft walls that may be infinite, weights one for each coordinate."""
    q, qd = X[:, :2], X[:, 2:]
    value = lambda cost: cost.value(X, 0 * U)
    assert np.isclose(value(costs.joint_position([0.1, 0.2], [2.0, 3.0])), (q[-1] - [0.1, 0.2]) ** 2 @ [2, 3])
    assert np.isclose(value(costs.joint_velocity([2.0, 3.0])), qd[-1] ** 2 @ [2, 3])
    assert np.isclose(value(costs.joint_velocity(2.0, None, [0.3, 0.4])), 2 * ((qd - [0.3, 0.4]) ** 2).sum())
    wall = costs.joint_limits([-0.1, -np.inf], [0.2, 0.3], 4.0)
    over = np.maximum(q - [0.2, 0.3], 0) + np.maximum([-0.1, -np.inf] - q, 0)
    assert np.isclose(value(wall), 4 * (over**2).sum()) and (over > 0).any()
    costs.joint_limits([0.1], [0.1], 1.0)  # a wall on both sides of one place
    assert refused(ValueError, "lower must be <= upper at every joint", costs.joint_limits, [0, 0], [1], 1)
    assert refused(ValueError, "lower must be <= upper at every joint", costs.joint_limits, [0, 2], [1, 1], 1)


def test_a_tip_is_told_in_the_axes_of_its_frame():
    """r = frame^T (tip - target), in the plane or in space, at the last state if nothing is said."""
    for k in (2, 3):
        frame = rd.rotations.exp([0, 0, 0.4])[:k, :k] if k == 2 else rd.rotations.exp([0.3, -0.2, 0.4])
        target, weight = np.array([0.5, 0.2, 0.1])[:k], np.array([1.0, 2.0, 3.0])[:k]
        r = frame.T @ (rd.point_position(ARM, X[-1, :2])[:k] - target)
        assert np.isclose(costs.tip_position(ARM, target, weight, frame=frame).value(X, 0 * U), weight @ r**2)
    assert refused(ValueError, "frame must have shape (2, 2)", costs.tip_position, ARM, [1, 0], 1, frame=np.eye(3))
    assert refused(ValueError, "target must have shape (3,)", costs.tip_position, ARM, [1, 0, 0, 0], 1)


def test_many_states_are_told_as_one_by_one():
    """A tip at seven, eight and nine states: the functions for few and for many agree."""
    arm, *_ = arm_and_state("rpr")
    x = np.random.default_rng(1).normal(size=(9, 6))
    for cost in (
        costs.tip_position(arm, [0.1, 0.2, 0.3], 1.0, at=None),
        costs.tip_orientation(arm, np.eye(3), 1.0, at=None),
    ):
        one = sum(cost.value(x_t[None], np.zeros((0, 3))) for x_t in x)
        assert np.isclose(cost.value(x, np.zeros((8, 3))), one)
        for count in (7, 8, 9):
            slopes = np.concatenate([cost.expand(x_t[None], np.zeros((0, 3)))[0] for x_t in x[:count]])
            assert np.allclose(cost.expand(x[:count], np.zeros((count - 1, 3)))[0], slopes)


def test_a_cost_in_other_coordinates_is_the_same_cost():
    """x = P x_new, u = R u_new: value, derivatives, and the curvature of residuals, for every kind of effort."""
    P, R = RNG.normal(size=(4, 4)), RNG.normal(size=(2, 2))
    new_x, new_u = X @ np.linalg.inv(P).T, U @ np.linalg.inv(R).T
    for effort in EFFORTS:
        cost = Cost((), effort) + costs.tip_position(ARM, [0.5, 0.2], [1.0, 2.0], at=[0, 2])
        other = cost.in_coordinates(P, R)
        assert np.isclose(other.value(new_x, new_u), cost.value(X, U))
        l_x, l_u, l_xx, _, l_uu = cost.expand(X, U)
        found = other.expand(new_x, new_u)
        for one, expected in zip(found, (l_x @ P, l_u @ R, P.T @ l_xx @ P, None, R.T @ l_uu @ R)):
            assert expected is None or np.allclose(one, expected)
        assert np.allclose(other.curvature(new_x), P.T @ cost.curvature(X) @ P) and cost.curvature(X).any()


def test_what_a_term_takes_for_granted():
    """Weight 1, every state, no box, no curvature; a weight is an array afterward, and so is a box."""
    term = Term(lambda x: x, lambda x: np.tile(np.eye(4), (len(x), 1, 1)))
    assert np.isclose(Cost((term,)).value(X, U), (X**2).sum()) and Cost().value(X, U) == 0
    assert not Cost((term,)).curvature(X).any() and replace(term, box=0.5).box.shape == (1,)


# ---- steps and their derivatives ------------------------------------------------------------------------------------


def test_differences_are_of_second_order():
    """Central differences of sin and exp err by h^2 / 6 of the third derivative, and by default that is below 1e-9."""
    f = lambda z: np.array([np.sin(z[0]) * z[1], np.exp(z[1])])
    at = np.array([0.7, -0.4])
    exact = np.array([[np.cos(0.7) * -0.4, np.sin(0.7)], [0, np.exp(-0.4)]])
    for h in (1e-2, 1e-3):
        assert np.isclose((central_differences(f, at, h) - exact)[1, 1], h**2 / 6 * np.exp(-0.4), rtol=1e-2)
    step = lambda x, u: f(x) + u**3
    A, B = jacobians_by_differences(step, at[None], np.array([[0.5, 2.0]]))
    assert abs(A[0] - exact).max() < 1e-9 and abs(B[0] - np.diag([0.75, 12.0])).max() < 1e-9
    l_x = costs.residual(f, 1.0).expand(at[None], np.zeros((0, 1)))[0]
    assert abs(l_x[0] - 2 * exact.T @ f(at)).max() < 1e-9


def test_a_rollout_stops_where_it_is_no_number_any_more():
    """The first state that is not finite is kept, the rest is NaN, and no step is asked for behind it."""
    asked = []

    def step(x, u):
        asked.append(1)
        return x + u if len(asked) < 3 else np.array([np.inf, 0.0])

    x, u = rd.Dynamics(step).rollout(np.zeros(2), np.ones((6, 2)))
    assert (
        np.allclose(x[:3], [[0, 0], [1, 1], [2, 2]]) and x[3, 0] == np.inf and np.isnan(x[4:]).all() and len(asked) == 3
    )
    assert np.array_equal(u, np.ones((6, 2)))


def test_a_rollout_answers_within_limits():
    """u = u_t + k_t + K_t (x - x_old), clipped; the inputs that were given stay as they were."""
    step = lambda x, u: x + np.array([0.1 * x[1], 0.1 * u[0]])
    u, k, K, x_old = (
        RNG.normal(size=(5, 1)),
        RNG.normal(size=(5, 1)),
        RNG.normal(size=(5, 1, 2)),
        RNG.normal(size=(6, 2)),
    )
    given, dynamics = u.copy(), rd.Dynamics(step)
    for limits in (None, (np.array([-0.3]), np.array([0.4]))):
        x, found = dynamics.rollout(np.array([1.0, 0.0]), u, (k, K, x_old), limits)
        for t in range(5):
            wanted = u[t] + k[t] + K[t] @ (x[t] - x_old[t])
            assert np.allclose(found[t], wanted if limits is None else np.clip(wanted, -0.3, 0.4))
            assert np.allclose(x[t + 1], step(x[t], found[t]))
    assert (
        np.array_equal(u, given) and dynamics.compiled is False and dynamics.curvature is None and dynamics.roll is None
    )


@pytest.mark.parametrize("angles", ["relative", "absolute"])
def test_a_step_out_of_a_motion_that_ran_away_is_none(angles):
    """By the readable algorithms: NaN where q or qd is infinite, which the optimizer sees; no error out of the depth."""
    dynamics = rd.arm_dynamics(ARM, DT, 0.1, angles=angles, route="closed form")
    for place in range(4):
        x = np.zeros(4)
        x[place] = np.inf
        with np.errstate(invalid="ignore"):
            assert not np.isfinite(dynamics.step(x, np.zeros(2))).all()
    assert np.isfinite(dynamics.step(np.zeros(4), np.zeros(2))).all()


def test_damped_steps_in_both_angles():
    """x' of the step with the torque -b qd of the joints, relative or absolute, each from its equation of motion."""
    q, qd, tau, b = np.array([0.3, -0.7]), np.array([1.0, -0.5]), np.array([2.0, 1.0]), np.array([0.4, 0.9])
    qdd = rd.forward_dynamics(ARM, q, qd, tau - b * qd)
    expected = np.concatenate([q + DT * qd, qd + DT * qdd])
    for options in ({}, {"route": "traced"}, {"route": "differences"}, {"route": "closed form"}):
        assert np.allclose(
            rd.arm_dynamics(ARM, DT, b, **options).step(np.concatenate([q, qd]), tau), expected, atol=1e-12
        )
    x = np.concatenate([planar.to_absolute(q), planar.to_absolute(qd)])
    step = rd.arm_dynamics(ARM, DT, b, angles="absolute").step(x, planar.generalized_forces(tau))
    assert np.allclose(step, [*planar.to_absolute(expected[:2]), *planar.to_absolute(expected[2:])], atol=1e-12)
    frictionless = rd.arm_dynamics(ARM, DT).step(np.concatenate([q, qd]), tau)
    assert np.allclose(frictionless[2:], qd + DT * rd.forward_dynamics(ARM, q, qd, tau), atol=1e-12)


def test_damping_is_one_number_or_one_a_joint():
    """A number stands for all joints; what is negative or of another shape is told."""
    assert np.allclose(linearization.damping_of(ARM, 0.3), [0.3, 0.3]) and not linearization.damping_of(ARM, None).any()
    assert refused(ValueError, "damping must be >= 0", linearization.damping_of, ARM, [0.1, -0.1])
    assert refused(ValueError, "damping must have shape (2,)", linearization.damping_of, ARM, [[0.1, 0.1]])


def test_a_rollout_matrix_takes_pairs():
    """As many A as B, of fitting sizes; S_u by its blocks A_(t-1) ... A_(s+1) B_s, S_x by its products."""
    A, B = RNG.normal(size=(3, 2, 2)), RNG.normal(size=(3, 2, 1))
    S = rd.rollout_matrix(A, B).reshape(4, 2, 3, 1)
    for t in range(4):
        for s in range(3):
            block = B[s]
            for r in range(s + 1, t):
                block = A[r] @ block
            assert np.allclose(S[t, :, s], block if s < t else 0)
    assert np.allclose(rollout_matrix.start_matrix(A), np.vstack([np.eye(2), A[0], A[1] @ A[0], A[2] @ A[1] @ A[0]]))
    for a, b in ((A[:2], B), (A, B[:, :1]), (A[0], B), (A, B[0]), (A[:, :, :1], B)):
        assert refused(ValueError, "A and B must have shapes (T - 1, D, D) and (T - 1, D, d)", rd.rollout_matrix, a, b)
    for shape in ((8,), (9, 4), (8, 3), (8, 4, 1)):
        assert refused(
            ValueError,
            "S_u must have shape (2 n T, n (T - 1))",
            rollout_matrix.relative_rollout_matrix,
            np.zeros(shape),
            2,
        )


# ---- one pass back in time ------------------------------------------------------------------------------------------


def test_a_shortened_pass_is_that_of_a_dearer_input():
    """mu adds mu |du|^2 / 2 to each step: the last step is that of l_uu + mu, and what all bring together is told of the cost alone."""
    steps, D, d, mu = 6, 3, 2, 0.7
    A, B = np.eye(D) + 0.3 * RNG.normal(size=(steps, D, D)), RNG.normal(size=(steps, D, d))
    H = RNG.normal(size=(steps + 1, D + d, D + d))
    H, l = H @ H.swapaxes(1, 2) + 0.1 * np.eye(D + d), RNG.normal(size=(steps + 1, D + d))
    model = A, B, l[:, :D], l[:-1, D:], H[:, :D, :D], H[:-1, D:, :D], H[:-1, D:, D:]
    dearer = *model[:6], model[6] + mu * np.eye(d)
    plain, short = riccati.backward(*dearer), riccati.backward(*model, mu)

    def along(k, K, a):
        dx, cost = np.zeros(D), 0.0
        for t in range(steps):
            du = a * k[t] + K[t] @ dx
            z = np.concatenate([dx, du])
            cost += l[t] @ z + z @ H[t] @ z / 2
            dx = A[t] @ dx + B[t] @ du
        return cost + l[-1, :D] @ dx + dx @ H[-1, :D, :D] @ dx / 2

    assert np.allclose(short[0][-1], plain[0][-1]) and np.allclose(
        short[1][-1], plain[1][-1]
    )  # the last step alone is the same
    for k, K, down, bend in (riccati.backward(*model), short):
        assert np.isclose(down + bend, along(k, K, 1.0)) and down < 0 < bend
    k, K, down, bend = riccati.backward(*model)
    for a in (0.1, 0.5):
        assert np.isclose(a * down + a**2 * bend, along(k, K, a))
    assert np.allclose(riccati.costates(A, l[:, :D])[-2], l[-2, :D] + A[-1].T @ l[-1, :D])


def test_a_box_that_leaves_all_free_is_no_box():
    """And one of no room moves nothing, with gains of zero; an indefinite model is refused either way."""
    Q = np.array([[2.0, 0.3], [0.3, 1.0]])
    p, Q_ux = np.array([1.0, -2.0]), RNG.normal(size=(2, 3))
    k, K = riccati.minimum(Q, p, Q_ux)
    found = riccati.minimum_in_box(Q, p, Q_ux, np.full(2, -9.0), np.full(2, 9.0))
    assert (
        np.allclose(found[0], k) and np.allclose(found[1], K) and np.allclose(Q @ k, -p) and np.allclose(Q @ K, -Q_ux)
    )
    du, gains = riccati.minimum_in_box(Q, p, Q_ux, np.zeros(2), np.zeros(2))
    assert not du.any() and not gains.any()
    none, gains = riccati.minimum_in_box(Q, 0 * p, Q_ux, np.full(2, -1.0), np.full(2, 1.0))
    assert not none.any() and np.allclose(gains, K)
    for solve in (riccati.minimum, partial(riccati.minimum_in_box, lower=-np.ones(2), upper=np.ones(2))):
        with pytest.raises(np.linalg.LinAlgError):
            solve(np.diag([1.0, -1.0]), p, Q_ux)


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_the_step_in_a_box_is_that_of_every_choice_tried(size):
    """Of all choices of walls the one that obeys the conditions; stiff matrices, problems of any size."""
    from itertools import product

    rng = np.random.default_rng(3)
    for _ in range(20):
        d = 4
        root = rng.normal(size=(d, d)) * np.logspace(0, -2, d)
        Q, p = root @ root.T + 1e-4 * np.eye(d), size * 3 * rng.normal(size=d)
        lower, upper = -size * rng.uniform(0, 1, d), size * rng.uniform(0, 1, d)
        best = np.inf
        for walls in product((-1, 0, 1), repeat=d):
            walls = np.array(walls)
            du = np.where(walls < 0, lower, upper)
            free = walls == 0
            du[free] = 0
            du[free] = -np.linalg.solve(Q[np.ix_(free, free)], (Q @ du + p)[free]) if free.any() else 0
            if (du >= lower - 1e-12 * size).all() and (du <= upper + 1e-12 * size).all():
                best = min(best, du @ Q @ du / 2 + p @ du)
        found, _ = riccati.minimum_in_box(Q, p, np.zeros((d, 1)), lower, upper)
        assert np.isclose(found @ Q @ found / 2 + p @ found, best, rtol=1e-9, atol=1e-9 * size**2)


# ---- the whole ------------------------------------------------------------------------------------------------------


def test_reach_takes_for_granted():
    """effort 1e-3, 1e3 |tip - target|^2, 1e2 |qd|^2, from torques of zero; explicit Euler, no damping, no limits."""
    found = rd.reach(ARM, [-0.8, 1.0], [0.1, 0], [1.2, 0.5], 16, DT)
    off = rd.point_position(ARM, found.q[-1])[:2] - [1.2, 0.5]
    assert np.isclose(found.cost, 1e-3 * (found.tau**2).sum() + 1e3 * off @ off + 1e2 * found.qd[-1] @ found.qd[-1])
    told = rd.reach(ARM, [-0.8, 1.0], [0.1, 0], [1.2, 0.5], 16, DT, 1e-3, 1e3, 1e2, np.zeros((15, 2)), None, "recursive", "euler",
                    "relative", None, False, 1e-12, 500, None, None, False)  # fmt: skip
    assert np.array_equal(found.u, told.u) and found.result == "converged"
    q, qd = np.array([-0.8, 1.0]), np.array([0.1, 0])
    for tau in found.tau:
        q, qd = q + DT * qd, qd + DT * rd.forward_dynamics(ARM, q, qd, tau)
    assert np.allclose(q, found.q[-1], atol=1e-9) and np.allclose(qd, found.qd[-1], atol=1e-9)


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ({"T": 1}, "T must be a whole number of states >= 2, got 1"),
        ({"T": 5.0}, "T must be a whole number of states >= 2, got 5.0"),
        ({"tau0": np.zeros((5, 2))}, "tau0 must have shape (4, 2)"),
        ({"tau0": np.zeros(3)}, "tau0 must have shape (2,)"),
        ({"qd0": [0]}, "qd0 must have shape (2,)"),
        ({"dt": 0}, "dt must be > 0 s"),
        ({"limits": (1, -1)}, "limits must be (lower, upper) with lower <= upper"),
        ({"limits": ([-1, 1], [1, 0])}, "limits must be (lower, upper) with lower <= upper"),
    ],
)
def test_what_reach_refuses(named, words):
    """Two states are the fewest; first torques one for all times or one each."""
    given = {"arm": ARM, "q0": [0, 0], "qd0": [0, 0], "target": [1, 1], "T": 5, "dt": DT, "max_iterations": 1}
    rd.reach(**{**given, "T": 2})
    rd.reach(**{**given, "tau0": np.ones(2)})
    assert refused(ValueError, words, rd.reach, **{**given, **named})


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("reach", lambda arm: rd.reach(arm, [0, 0], [0, 0], [1, 1], 5, DT)),
        ("arm_dynamics", lambda arm: rd.arm_dynamics(arm, DT)),
        ("linearize", lambda arm: rd.linearize(arm, [0, 0], [0, 0], [0, 0], DT)),
    ],
)
def test_an_arm_of_symbols_is_refused_by_the_function_that_was_called(name, call):
    """It says its own name, and the way on."""
    assert refused(TypeError, f"{name} needs numbers, got an arm with symbols", call, rd.robots.two_link(symbolic=True))


def test_how_a_solution_is_read():
    """Halves of the states, steps that lowered the cost, advice of its result; other coordinates take the gains along."""
    x, u, K = RNG.normal(size=(3, 4)), RNG.normal(size=(2, 2)), RNG.normal(size=(2, 2, 4))
    found = Solution(x, u, 1.25, np.array([3.0, 2.0, 1.25]), K, "converged")
    assert (
        np.array_equal(found.q, x[:, :2])
        and np.array_equal(found.qd, x[:, 2:])
        and found.tau is u
        and found.iterations == 2
    )
    assert found.advice == RESULTS["converged"]
    assert repr(found) == f"Solution(converged after 2 iterations, cost 1.25; {found.advice})"
    P, R = RNG.normal(size=(4, 4)), RNG.normal(size=(2, 2))
    other, dx = found.in_coordinates(P, R), RNG.normal(size=4)
    assert np.allclose(other.x[1], P @ x[1]) and np.allclose(other.u[1], R @ u[1])
    assert np.allclose(other.gains[1] @ (P @ dx), R @ (K[1] @ dx))


def test_rounds_are_told_to_whoever_asks():
    """callback(x, u, cost) after every step that lowered the cost: the history; one more round than the limit is not taken."""
    seen = []
    options = {"callback": lambda x, u, c: seen.append((x, u, c)), "max_iterations": 3}
    found = rd.reach(ARM, [-0.8, 1.0], [0, 0], [1.2, 0.5], 16, DT, **options)
    assert found.result == "iteration limit" and found.iterations == 3 == len(seen)
    assert np.allclose([c for *_, c in seen], found.cost_history[1:]) and np.array_equal(seen[-1][1], found.u)
    assert rd.reach(ARM, [-0.8, 1.0], [0, 0], [1.2, 0.5], 16, DT, max_iterations=0).iterations == 0


def test_the_tolerance_is_a_part_of_the_cost():
    """A round that promises less than this part of the cost is the last: coarser tolerances end sooner, far from the optimum."""
    counts = [
        rd.reach(ARM, [-0.8, 1.0], [0, 0], [1.2, 0.5], 16, DT, tolerance=size).iterations
        for size in (1e-12, 1e-4, 1e-1, 2.0)
    ]
    assert counts[0] >= counts[1] >= counts[2] >= counts[3] == 0 and counts[0] > counts[2]
    # one step, one input: the promise is slope^2 / (2 curvature) of a cost of 1
    step = rd.Dynamics(lambda x, u: u + 0, lambda x, u: (np.zeros((1, 1, 1)), np.ones((1, 1, 1))))
    cost = Cost((Term(lambda x: x - 1, lambda x: np.ones((len(x), 1, 1)), at=-1),))  # (u - 1)^2: all of it is promised
    for tolerance, result in ((0.9, "iteration limit"), (1.1, "converged")):
        assert (
            rd.ilqr(step, cost + costs.effort(1e-12), [0.0], [[0.0]], tolerance=tolerance, max_iterations=1).result
            == result
        )


def test_inputs_of_an_optimization():
    """u0 (T - 1, d) with a step at least; limits and methods by name."""
    dynamics = rd.arm_dynamics(ARM, DT)
    for u0 in ([0, 0], np.zeros((0, 2)), np.zeros((1, 2, 1))):
        assert refused(
            ValueError,
            "u0 must have shape (T - 1, d) with T >= 2 states",
            rd.ilqr,
            dynamics,
            costs.effort(1),
            np.zeros(4),
            u0,
        )
    start = rd.ilqr(
        dynamics, costs.effort(1.0), np.zeros(4), np.full((3, 2), 9.0), limits=(-1, [2, 3]), max_iterations=0
    )
    assert np.allclose(start.u, [2, 3])  # a first guess outside is brought inside
    for missing in ("value", "expand"):
        half = type("Half", (), {name: None for name in ("value", "expand") if name != missing})()
        assert refused(TypeError, "cost must be a Cost", rd.ilqr, dynamics, half, np.zeros(4), np.zeros((3, 2)))


def test_shooting_of_two_states():
    """The fewest; as many inputs as steps; first inputs inside their limits."""
    step = rd.Dynamics(lambda x, u: x + u)
    cost = costs.effort(1.0) + costs.residual(lambda x: x - 1, 1.0)
    found = rd.multiple_shooting(step, cost, [[0.0], [5.0]], [[0.0]])
    assert found.result == "converged" and np.isclose(found.u[0, 0], 0.5)  # u^2 + (u - 1)^2
    held = rd.multiple_shooting(step, cost, [[0.0], [5.0]], [[9.0]], limits=(-0.2, 0.3))
    assert np.isclose(held.u[0, 0], 0.3)
    for x, u in (([[0.0]], [[0.0]]), ([0.0, 1.0], [[0.0]])):
        assert refused(
            ValueError, "x must have shape (T, D) with T >= 2 states", rd.multiple_shooting, step, cost, x, u
        )
    for u in ([[0.0], [0.0]], [0.0]):
        assert refused(ValueError, "u must have shape (1, d)", rd.multiple_shooting, step, cost, [[0.0], [5.0]], u)
    limited = rd.multiple_shooting(step, cost, [[0.0], [5.0]], [[0.0]], max_iterations=0)
    assert limited.result == "iteration limit" and np.isclose(
        limited.cost, cost.value(np.array([[0.0], [5.0]]), np.zeros((1, 1)))
    )


def test_gaps_that_no_step_closes():
    """A cost that is infinite everywhere but at the wish lets no step be taken: "no descent", with the wish and its cost."""

    class Wall(Cost):
        def value(self, x, u):
            return 0.0 if np.array_equal(x, wish) else np.inf

    wish = np.array([[0.0], [1.0], [-1.0]])
    found = rd.multiple_shooting(rd.Dynamics(lambda x, u: x + u), Wall((), 1.0), wish, np.zeros((2, 1)))
    assert found.result == "no descent" and found.cost == 0 and not found.gains.any() and found.gains.shape == (2, 1, 1)
    assert np.array_equal(found.x, wish) and np.array_equal(found.cost_history, [0.0])
