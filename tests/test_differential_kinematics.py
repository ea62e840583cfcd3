"""Resolved rates: the hand does what it is asked for; what is left is least, damped, weighted, or a task of lower priority."""

import re

import numpy as np
import pytest
import sympy as sp
from arms import MIXES, arm_and_state
from peer_models import pinocchio_model
from scipy.optimize import minimize

import robotdyn as rd

by_priority = rd.differential_kinematics.by_priority
PLANE = np.eye(2, 3)
SPACE = np.eye(6)
TIGHT = 1e-9  # relative, of poses whose condition numbers are below 1e4
REDUNDANT = [mix for mix in MIXES if len(mix) == 7]


def states(mix, count=10, seed=0):
    """Yield an arm and states q, qd of it, for which the Jacobian of the tip is well conditioned."""
    arm, *_ = arm_and_state(mix)
    rng = np.random.default_rng(seed)
    while count:
        q, qd = rng.normal(size=(2, arm.n))
        if np.linalg.cond(rd.tip_jacobian(arm, q)) < 1e4:
            count -= 1
            yield arm, q, qd


def inverse_of(arm, q, directions=SPACE, **options):
    """Return the matrix that takes twists to rates: one column for each direction."""
    columns = [rd.resolved_rates(arm, q, e, directions=directions, **options) for e in np.eye(len(directions))]
    return np.transpose(columns)


# ---- the inverse ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mix", ["rrrrrr", "rprprp", *REDUNDANT])
def test_the_conditions_of_moore_and_penrose(mix):
    """A X A = A, X A X = X, and A X and X A are symmetric."""
    for arm, q, _ in states(mix):
        A, X = rd.tip_jacobian(arm, q), inverse_of(arm, q)
        for left, right in ((A @ X @ A, A), (X @ A @ X, X), (A @ X, (A @ X).T), (X @ A, (X @ A).T)):
            assert np.allclose(left, right, rtol=TIGHT, atol=TIGHT * abs(right).max())


def test_the_hand_has_the_twist_by_a_peer():
    """Rates for a twist give it back by the Jacobian of Pinocchio, of a frame, in the axes of the world."""
    pin = pytest.importorskip("pinocchio")
    arm = rd.robots.panda()
    model = pinocchio_model(pin, arm)
    data, tip = model.createData(), model.getFrameId("tip")
    rng = np.random.default_rng(1)
    for q, z in rng.normal(size=(20, 2, 7)):
        twist, weights = rng.normal(size=6), rng.uniform(0.5, 3, 7)
        J = pin.computeFrameJacobian(model, data, q, tip, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        found = rd.resolved_rates(arm, q, twist, weights=weights, null=z, directions=SPACE)
        assert np.allclose(J @ found, twist, atol=1e-8)
        damped = rd.resolved_rates(arm, q, twist, 0.1, weights, z, directions=SPACE)
        stacked = np.vstack([J, 0.1 * np.diag(np.sqrt(weights))])
        wanted = np.concatenate([twist, 0.1 * np.sqrt(weights) * z])
        assert np.allclose(damped, np.linalg.lstsq(stacked, wanted, rcond=None)[0], atol=1e-9)


def cost(x, W, z):
    """Return what rates cost beside those that the joints would rather have."""
    return (x - z) @ (W * (x - z))


def missed(x, J, twist):
    """Return by how much rates miss a twist."""
    return J @ x - twist


def test_weighted_rates_are_the_least_that_an_optimizer_finds():
    """No rates with the same twist cost less, by a constrained minimizer; nor do damped ones, without constraints."""
    for arm, q, z in states("rrrrrrr", 3):
        rng = np.random.default_rng(4)
        W, twist = rng.uniform(0.3, 3, 7), rng.normal(size=3)
        J = rd.tip_jacobian(arm, q)[:3]
        equal = {"type": "eq", "fun": missed, "args": (J, twist)}
        least = minimize(cost, z, (W, z), constraints=equal, method="SLSQP", options={"ftol": 1e-14, "maxiter": 500}).x
        assert np.allclose(rd.resolved_rates(arm, q, twist, weights=W, null=z), least, atol=1e-5)
        found = rd.resolved_rates(arm, q, twist, 0.3, W, z)
        for step in 1e-3 * rng.normal(size=(50, 7)):
            costs = [np.sum(missed(x, J, twist) ** 2) + 0.09 * cost(x, W, z) for x in (found, found + step)]
            assert costs[0] < costs[1]


def test_a_wish_goes_through_a_projector():
    """N N = N, N is symmetric, J N = 0, and its rank is the number of joints less that of directions."""
    for arm, q, _ in states("rrrrrrr"):
        N = np.transpose([rd.resolved_rates(arm, q, np.zeros(3), null=e) for e in np.eye(7)])
        assert np.allclose(N @ N, N, atol=TIGHT) and np.allclose(N, N.T, atol=TIGHT)
        assert np.allclose(rd.tip_jacobian(arm, q)[:3] @ N, 0, atol=1e-8)
        assert np.isclose(np.trace(N), 4, atol=1e-8)


def test_in_a_singular_pose_damped_rates_are_bounded_and_continuous():
    """|qd| <= |v| / 2 mu, at a stretched arm, and across it."""
    arm = rd.robots.planar([0.5, 0.4])
    found = [rd.resolved_rates(arm, [0.3, bend], [1, 0], 0.05, directions=PLANE) for bend in (-1e-9, 0, 1e-9)]
    assert np.ptp(found, axis=0).max() < 1e-6 and np.linalg.norm(found, axis=1).max() <= 10
    with pytest.raises(ValueError, match="where damping is 0"):
        rd.resolved_rates(arm, [[0.3, 0.5], [0.3, 0]], [1, 0], directions=PLANE)


def test_units_follow_the_weights():
    """A slide measured in millimeters moves as before, if its weight is measured so, too."""
    arm = rd.Arm([rd.Link(1, joint="prismatic", axis=(1, 0, 0)), rd.Link(1)], tip=(0, -0.5, 0))
    along = np.eye(1, 3)
    rates = rd.resolved_rates(arm, [0, 0], [0.1], weights=[2, 1], directions=along)
    J = rd.tip_jacobian(arm, [0, 0])[:1] * [1e-3, 1]
    least = np.diag([1e6 / 2, 1]) @ J.T @ np.linalg.solve(J @ np.diag([1e6 / 2, 1]) @ J.T, [0.1])
    assert np.allclose(rates * [1e3, 1], least)


# ---- scalar types -----------------------------------------------------------------------------------------------------


def test_symbols_batches_and_programs_give_the_numbers():
    """One text for formulas, for many states, and for a program."""
    arm = rd.robots.planar([0.5, 0.4, 0.3])
    rng = np.random.default_rng(2)
    q, z = rng.uniform(0.3, 1, (2, 4, 3))
    v = rng.normal(size=(4, 2))
    options = {"damping": 0.2, "weights": [1, 2, 3], "directions": PLANE}
    known = [rd.resolved_rates(arm, *state, null=wish, **options) for *state, wish in zip(q, v, z)]
    assert np.allclose(rd.resolved_rates(arm, q, v, null=z, **options), known)
    names = sp.symbols("q_1:4 v_1:3 z_1:4 mu", real=True)
    formula = rd.resolved_rates(
        arm, sp.Matrix(names[:3]), sp.Matrix(names[3:5]), names[8], [1, 2, 3], names[5:8], directions=PLANE
    )
    assert isinstance(formula, sp.MatrixBase)
    values = formula.subs(dict(zip(names, [*q[0], *v[0], *z[0], 0.2])))
    assert np.allclose(np.array(values, dtype=float).ravel(), known[0])
    program = rd.specialize(
        lambda arm, q, twist, null, mu: rd.resolved_rates(arm, q, twist, mu, [1, 2, 3], null, directions=PLANE),
        arm,
        inputs={"q": 3, "twist": 2, "null": 3, "mu": ()},
    )
    assert np.allclose(program(q[0], v[0], z[0], 0.2), known[0])


def test_accelerations_of_symbols_and_batches():
    """The same for accelerations: J qdd + Jdot qd is the acceleration that was asked for."""
    arm = rd.robots.planar([0.5, 0.4, 0.3])
    rng = np.random.default_rng(3)
    q, qd, z = rng.uniform(0.3, 1, (3, 5, 3))
    a = rng.normal(size=(5, 2))
    qdd = rd.resolved_accelerations(arm, q, qd, a, null=z, directions=PLANE)
    assert np.allclose(rd.point_acceleration(arm, q, qd, qdd)[:, :2], a)
    x, xd = sp.symbols("x_1:4", real=True), sp.symbols("v_1:4", real=True)
    formula = rd.resolved_accelerations(arm, x, xd, a[0], null=z[0], directions=PLANE)
    values = sp.Matrix(formula).subs(dict(zip([*x, *xd], [*q[0], *qd[0]])))
    assert np.allclose(np.array(values, dtype=float).ravel(), qdd[0])


@pytest.mark.parametrize("mix", ["rrrrrr", "rprprp", *REDUNDANT])
def test_the_hand_has_the_acceleration(mix):
    """By the differences of the twist along a motion with these accelerations."""
    for arm, q, qd in states(mix, 3):
        a = np.arange(1.0, 7)
        qdd = rd.resolved_accelerations(arm, q, qd, a, directions=SPACE)
        h = 1e-4
        twists = [rd.tip_jacobian(arm, q + t * qd + t**2 / 2 * qdd) @ (qd + t * qdd) for t in (-2 * h, -h, h, 2 * h)]
        change = np.tensordot([1, -8, 8, -1], twists, 1) / (12 * h)
        assert np.allclose(change, a, atol=1e-5 * max(1, np.abs(qdd).max()))


# ---- priorities -------------------------------------------------------------------------------------------------------


def test_no_task_touches_those_before_it():
    """The velocity of each task is the same with the later ones and without, damped or not, feasible or in conflict."""
    rng = np.random.default_rng(5)
    for damping in (0.0, 0.3):
        for _ in range(40):
            n = rng.integers(4, 9)
            tasks = [(rng.normal(size=(k, n)), 10 * rng.normal(size=k)) for k in rng.integers(1, 4, 4)]
            tasks.append((tasks[0][0][:1] + 0, np.array([99.0])))  # in conflict with the first
            for count in range(1, len(tasks)):
                before = by_priority(tasks[:count], damping)
                after = by_priority(tasks, damping, rng.normal(size=n))
                for J, _ in tasks[:count]:
                    assert np.allclose(J @ before, J @ after, atol=1e-7)


def test_a_task_in_near_conflict_does_not_touch_the_first_either():
    """Where the second asks for enormous rates, the first is done all the same, to rounding beside these rates."""
    rng = np.random.default_rng(8)
    for _ in range(40):
        J = rng.normal(size=(2, 5))
        v = rng.normal(size=2)
        beside = J[:1] + 1e-6 * rng.normal(size=(1, 5))
        qd = by_priority([(J, v), (beside, [5.0])])
        assert np.linalg.norm(qd) > 1e4 and abs(J @ qd - v).max() < 3e-15 * np.linalg.norm(qd) * np.linalg.norm(J)


def test_the_first_task_is_done_and_the_second_as_well_as_can_be():
    """Among all rates that do the first task no error of the second is smaller, by a constrained minimizer's conditions."""
    rng = np.random.default_rng(6)
    for _ in range(30):
        J_1, J_2 = rng.normal(size=(2, 5)), rng.normal(size=(4, 5))
        v_1, v_2 = rng.normal(size=2), rng.normal(size=4)
        qd = by_priority([(J_1, v_1), (J_2, v_2)])
        assert np.allclose(J_1 @ qd, v_1)
        slope = J_2.T @ (J_2 @ qd - v_2)  # a combination of the rows of the first
        assert np.allclose(J_1.T @ np.linalg.lstsq(J_1.T, slope, rcond=None)[0], slope, atol=1e-9)


def test_one_task_is_the_pseudo_inverse_and_a_wish_is_its_projection():
    """by_priority of a single task and `resolved_rates` agree, also for a batch."""
    arm = rd.robots.panda()
    rng = np.random.default_rng(7)
    q, z, twist = rng.normal(size=(4, 7)), rng.normal(size=7), rng.normal(size=6)
    J = rd.tip_jacobian(arm, q)
    known = rd.resolved_rates(arm, q, twist, null=z, directions=SPACE)
    assert np.allclose(by_priority([(J, twist)], null=z), known, atol=1e-8)
    for damping in (0.0, 0.2):
        known = rd.resolved_rates(arm, q, twist, damping, directions=SPACE)
        assert np.allclose(by_priority([(J, twist)], damping), known, atol=1e-8)


# ---- laws over time ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [0.5, 3.0])
def test_the_error_decays_exponentially(k):
    """Each component of the error of a moving goal falls like e^{-k t}, place and orientation."""
    arm = rd.robots.panda()
    q = np.array([0, -0.5, 0.1, -2, 0, 1.6, 0.7])
    R_0, p_0 = rd.tip_pose(arm, q)
    omega, v = np.array([0.2, -0.1, 0.3]), np.array([0.1, 0.05, -0.08])

    def goal(t):
        return rd.rotations.exp(t * omega) @ rd.rotations.exp((0.1, 0.2, 0)) @ R_0, p_0 + (0.03, -0.02, 0.01) + t * v

    def error(t, q):
        return rd.inverse_kinematics.pose_error(rd.tip_pose(arm, q), goal(t))

    def rates(t, q):
        e = error(t, q)
        # The orientation error phi leads back along itself, seen from the goal that turns.
        turned = rd.rotations.exp(e[3:]).T @ omega
        return rd.resolved_rates(arm, q, np.concatenate([v, turned]) + k * e, directions=SPACE)

    first, t, h = error(0, q), 0.0, 0.02
    for _ in range(25):
        a = rates(t, q)
        b = rates(t + h / 2, q + h / 2 * a)
        c = rates(t + h / 2, q + h / 2 * b)
        d = rates(t + h, q + h * c)
        q, t = q + h / 6 * (a + 2 * b + 2 * c + d), t + h
    assert np.allclose(error(t, q), first * np.exp(-k * t), atol=1e-6)


def test_virtual_work():
    """Torques J^T f of a force have no part in the null space, and the power of the joints is that of the hand."""
    for arm, q, qd in states("rrrrrrr"):
        f = np.array([1.0, -2, 3])
        tau = rd.tip_jacobian(arm, q)[:3].T @ f
        self_motion = rd.resolved_rates(arm, q, np.zeros(3), null=qd)
        assert abs(tau @ self_motion) < 1e-8
        v = np.array([0.3, 0.1, -0.2])
        assert np.isclose(tau @ rd.resolved_rates(arm, q, v, null=qd), f @ v)


@pytest.mark.parametrize("seed", range(12))
def test_the_combination_that_cannot_be_is_told(seed):
    """In a stretched pose, along random directions: no joint moves along what is told, and its largest part counts forward."""
    rng = np.random.default_rng(seed)
    arm = rd.robots.planar([1.0, 0.8, 0.5])
    q = np.array([rng.uniform(-3, 3), 0, 0])
    D = np.linalg.qr(rng.normal(size=(2, 2)))[0] @ PLANE
    with pytest.raises(ValueError, match="the pose must let the point move along all directions") as told:
        rd.resolved_rates(arm, q, [1, 1], directions=D)
    parts = np.array([float(x) for x in re.search(r"the combination \((.*?)\)", str(told.value))[1].split(",")])
    assert parts[np.argmax(abs(parts))] > 0
    assert abs(parts @ D @ rd.tip_jacobian(arm, q)[:3]).max() < 0.01  # three digits are told
