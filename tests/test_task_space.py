"""How heavy a hand is: least energy, pushes, wanted accelerations and blows, against what they are by definition."""

import functools
import math
from functools import partial

import mpmath
import numpy as np
import pytest
from arms import MIXES, arm_and_state
from peer_models import pinocchio_model

import robotdyn as rd
from robotdyn import task_space
from robotdyn.laws import TIGHT

XY = np.eye(2, 3)
LONG = [mix for mix in MIXES if len(mix) >= 3]


def ways(mix, k):
    """Return k random directions (k, 6), each a motion of the tip with a turning of the last link."""
    return np.random.default_rng(len(mix) + k).normal(size=(k, 6))


def off(found, expected):
    """Return the largest difference beside the size of what is expected."""
    return np.max(abs(found - expected)) / np.max(abs(expected))


# ---- effective inertia ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mix", LONG)
def test_the_least_kinetic_energy_of_a_given_velocity_of_the_hand(mix):
    """1/2 v . Lambda v is the least of 1/2 qd . M qd over all rates with J qd = v, those in its null space included."""
    arm, q, *_ = arm_and_state(mix)
    for k in {2, min(arm.n, 6)}:
        D = ways(mix, k)
        v, J = D[:, 0], D @ rd.tip_jacobian(arm, q)
        qd, null = np.linalg.lstsq(J, v)[0], np.linalg.svd(J)[2][k:].T
        root = np.linalg.cholesky(rd.mass_matrix(arm, q)).T
        least = qd - null @ np.linalg.lstsq(root @ null, root @ qd)[0] if null.size else qd
        energy = rd.kinetic_energy(arm, q, least)
        assert v @ rd.effective_inertia(arm, q, directions=D) @ v / 2 == pytest.approx(energy, rel=1e-8)


@pytest.mark.parametrize("mix", LONG)
def test_a_force_at_the_hand_is_inertia_times_the_acceleration_that_it_adds(mix):
    """f = Lambda (a - a_0), where the force acts as a tip wrench in forward dynamics, which knows no Jacobian."""
    arm, q, qd, tau, _ = arm_and_state(mix)
    for k in {1, 2, min(arm.n, 6)}:
        D, f = ways(mix, k), np.arange(1.0, k + 1)
        moved = [rd.forward_dynamics(arm, q, qd, tau, wrench) for wrench in (D.T @ f, np.zeros(6))]
        a, a_0 = (D @ rd.point_acceleration(arm, q, qd, qdd) for qdd in moved)
        assert off(rd.effective_inertia(arm, q, directions=D) @ (a - a_0), f) < 1e-7
        assert off(task_space.mobility(arm, q, directions=D) @ f, a - a_0) < TIGHT
        assert off(task_space.force(arm, q, qd, a, tau, directions=D), f) < 1e-7
        mass = [rd.effective_mass(arm, q, way) for way in D]
        scale = np.linalg.norm(D[:, :3], axis=1) ** 2
        assert off(mass, scale / np.diag(task_space.mobility(arm, q, directions=D))) < TIGHT


@pytest.mark.parametrize("n", [2, 3, 5])
def test_coordinates_of_the_joints_do_not_matter(n):
    """In absolute angles M and J are others, Lambda is the same."""
    arm, q = rd.robots.planar(range(1, n + 1), range(2, n + 2)), np.linspace(0.3, 1.4, n)
    M, *_ = rd.planar.absolute(arm, np.cumsum(q))
    J = rd.tip_jacobian(arm, q)[:2] @ np.linalg.inv(rd.planar.L(n))
    assert off(rd.effective_inertia(arm, q, directions=XY), np.linalg.inv(J @ np.linalg.solve(M, J.T))) < TIGHT


def test_units_and_lengths_of_directions():
    """Rows twice as long, or in millimeters, measure twice or a thousand times the motion; a direction has no length."""
    arm, q, *_ = arm_and_state("rrrrrr")
    D, scale = ways("rrrrrr", 6), np.array([2, 1e3, 1, 1e-3, 1, 1])
    expected = rd.effective_inertia(arm, q, directions=D) / np.outer(scale, scale)
    assert np.allclose(rd.effective_inertia(arm, q, directions=D * scale[:, None]), expected, rtol=1e-9, atol=0)
    d = np.array([0.3, -0.5, 1.0])
    assert rd.effective_mass(arm, q, 7 * d) == pytest.approx(rd.effective_mass(arm, q, d), rel=1e-14)


def test_a_guided_hand_is_heavier_than_a_free_one():
    """d . Lambda d, the mass in a slot along d, is at least 1 / (d . Lambda^-1 d), and the same in principal directions."""
    arm, q, *_ = arm_and_state("rrrrr")
    inertia = rd.effective_inertia(arm, q)
    for d in np.random.default_rng(1).normal(size=(20, 3)):
        d = d / np.linalg.norm(d)
        assert d @ inertia @ d >= rd.effective_mass(arm, q, d) * (1 + 1e-9)
    for mass, d in zip(*(lambda values, vectors: (values, vectors.T))(*np.linalg.eigh(inertia))):
        assert rd.effective_mass(arm, q, d) == pytest.approx(mass, rel=1e-9)


def test_rp_arm():
    """Lambda = R diag(m_2, (H + m_2 r^2) / r^2) R^T; a point of link 1 has the mass (H + m_2 r^2) / rho^2 across it."""
    arm, (theta, r) = rd.robots.rp(masses=(2, 1.5), com1=(0.4, 0.1), inertias=(0.3, 0.2)), (0.7, 0.6)
    H = 0.3 + 2 * (0.4**2 + 0.1**2) + 0.2
    along, across = np.array([[np.cos(theta), np.sin(theta), 0], [-np.sin(theta), np.cos(theta), 0]])
    R = np.array([along, across])[:, :2].T
    expected = R @ np.diag([1.5, (H + 1.5 * r**2) / r**2]) @ R.T
    assert np.allclose(rd.effective_inertia(arm, [theta, r], directions=XY), expected)
    for rho in (0.05, 0.5):
        of_link = functools.partial(rd.effective_mass, arm, [theta, r], link=0, point=(rho, 0, 0))
        assert of_link(across) == pytest.approx((H + 1.5 * r**2) / rho**2)
        assert of_link(along) == math.inf and of_link((0, 0, 1)) == math.inf
    assert rd.effective_mass(arm, [theta, r], (0, 0, 0, 0, 0, 1)) == pytest.approx(
        H + 1.5 * r**2
    )  # a moment of inertia


def points_at_the_ends(q, m_1, m_2, number=float, sin=math.sin, cos=math.cos):
    """Lambda of two point masses at the ends of two bars, by Newton's law, in numbers of any precision.

    The hand carries m_2; the elbow moves across the upper arm alone, and only the force along the forearm reaches it:
    Lambda = m_2 1 + m_1 / sin(q_2)^2 e e^T, with e along the forearm.
    """
    turn, elbow = number(q[0]) + number(q[1]), number(q[1])
    e, pull = (cos(turn), sin(turn)), number(m_1) / sin(elbow) ** 2
    return [[(m_2 if i == j else 0) + pull * e[i] * e[j] for j in range(2)] for i in range(2)]


def test_two_point_masses():
    """The hand of a two-link arm weighs m_2 across the forearm and m_1 / sin(q_2)^2 more along it, whatever its lengths."""
    arm = rd.robots.planar([0.8, 0.5], [2, 3])
    for q in ([0.3, 0.8], [2.0, -1.7]):
        assert np.allclose(rd.effective_inertia(arm, q, directions=XY), points_at_the_ends(q, 2, 3), rtol=1e-12)


@pytest.mark.parametrize("bend", [1e-1, 1e-2, 1e-3, 1e-4, 1e-5])
def test_near_a_singularity(bend):
    """The error grows like 1 / bend, as J's own does, not like the condition 1 / bend^2 of Lambda (60 digits tell)."""
    arm, q = rd.robots.planar([1, 1], [1, 1]), [0.7, bend]
    with mpmath.workdps(60):
        exact = points_at_the_ends(q, 1, 1, mpmath.mpf, mpmath.sin, mpmath.cos)
        exact = np.array([[float(x) for x in row] for row in exact])
    assert off(rd.effective_inertia(arm, q, directions=XY), exact) < 20 * np.finfo(float).eps / bend


def test_where_nothing_can_move():
    """Across its plane, along a straight arm, and at a point on the axis a push meets an infinite mass."""
    arm = rd.robots.planar([1, 1], [1, 1])
    for bend in (0, np.pi):
        along = (np.cos(0.7), np.sin(0.7), 0)
        assert rd.effective_mass(arm, [0.7, bend], along) == math.inf
        assert rd.effective_mass(arm, [0.7, bend], (-along[1], along[0], 0)) < 2
    assert rd.effective_mass(arm, [0.7, 1], (0, 0, 1)) == math.inf
    assert rd.effective_mass(arm, [0.7, 1], (1, 0, 0), link=0, point=(0, 0, 0)) == math.inf
    assert rd.effective_mass(arm, [0.7, 1], (1, 0, 1)) == pytest.approx(2 * rd.effective_mass(arm, [0.7, 1], (1, 0, 0)))


def test_batches():
    """Row k is the result at state k, and where one state has none its direction is told."""
    arm, q = rd.robots.planar([1, 1], [1, 1]), np.array([[[0.3, 1.0], [0.2, 0.5]], [[1.0, -2.0], [0.0, 0.7]]])
    inertia, mass = rd.effective_inertia(arm, q, directions=XY), rd.effective_mass(arm, q, (1, 1, 0))
    assert inertia.shape == (2, 2, 2, 2) and mass.shape == (2, 2)
    for index in np.ndindex(2, 2):
        assert np.allclose(inertia[index], rd.effective_inertia(arm, q[index], directions=XY), rtol=1e-12)
        assert mass[index] == pytest.approx(rd.effective_mass(arm, q[index], (1, 1, 0)))
    q[1, 0, 1] = 0
    with pytest.raises(ValueError, match=r"cannot along \(0.54, 0.841, 0\)"):
        rd.effective_inertia(arm, q, directions=XY)


# ---- motion of the hand -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mix", ["rr", "rpr", "rrrr"])
def test_the_hand_takes_the_acceleration_that_is_wanted(mix):
    """Motors that apply J^T f, gravity on, lead the tip along a parabola, in a simulation that knows torques alone."""
    arm, q, qd, *_ = arm_and_state(mix)
    D, a = np.eye(min(arm.n, 3), 3), np.array([0.3, -0.2, 0.4])[: min(arm.n, 3)]
    torque = lambda t, q, qd: (D @ rd.tip_jacobian(arm, q)[:3]).T @ task_space.force(arm, q, qd, a, directions=D)
    motion = rd.simulate(arm, q, 0.2 * qd, torque, np.linspace(0, 0.1, 21))
    place = rd.point_position(arm, motion.q) @ D.T
    start = D @ rd.tip_jacobian(arm, q)[:3] @ (0.2 * qd)
    assert np.allclose(place, place[0] + np.outer(motion.t, start) + np.outer(motion.t**2, a) / 2, rtol=0, atol=1e-7)


@pytest.mark.parametrize("mix", LONG)
def test_equation_of_the_hand(mix):
    """Lambda a + mu + gamma = f + Jbar^T tau with Jbar = M^-1 J^T Lambda, mu and gamma from their definitions."""
    arm, q, qd, tau, w = arm_and_state(mix)
    k = min(arm.n, 3)
    D, f = np.eye(k, 6), w[:k]
    J, M, inertia = D @ rd.tip_jacobian(arm, q), rd.mass_matrix(arm, q), rd.effective_inertia(arm, q, directions=D)
    through = np.linalg.solve(M, J.T) @ inertia
    drift = D @ rd.point_acceleration(arm, q, qd, 0 * q)
    mu = through.T @ (rd.coriolis_matrix(arm, q, qd) @ qd) - inertia @ drift
    gamma = through.T @ rd.gravity_torque(arm, q)
    assert off(task_space.bias_force(arm, q, qd, directions=D), mu + gamma) < 1e-8
    a = D @ rd.point_acceleration(arm, q, qd, rd.forward_dynamics(arm, q, qd, tau, D.T @ f))
    assert off(inertia @ a + mu + gamma, f + through.T @ tau) < 1e-8


# ---- blows ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mix", LONG)
@pytest.mark.parametrize("struck", [math.inf, 0.7])
def test_a_blow(mix, struck):
    """Restitution, momentum and energy of arm and struck body; Carnot: what e = 0 loses is the energy of the lost motion."""
    arm, q, qd, *_, w = arm_and_state(mix)
    normal = w[:3] / np.linalg.norm(w[:3])
    row = normal @ rd.tip_jacobian(arm, q)[:3]
    qd = qd * -np.sign(row @ qd)
    for e in (0, 0.4, 1):
        blow = task_space.impact(arm, q, qd, normal, e, struck)
        assert row @ blow.qd + blow.speed == pytest.approx(-e * (row @ qd), abs=1e-9)
        assert off(rd.mass_matrix(arm, q) @ (blow.qd - qd), row * blow.impulse) < 1e-8
        given = blow.impulse * blow.speed / 2
        energies = [rd.kinetic_energy(arm, q, rates) for rates in (qd, blow.qd)]
        assert energies[0] - energies[1] - given == pytest.approx(blow.energy_lost, rel=1e-7, abs=1e-9 * energies[0])
        assert struck == math.inf or struck * blow.speed == pytest.approx(blow.impulse)
        if e == 0:
            lost = rd.kinetic_energy(arm, q, qd - blow.qd) + given
            assert lost == pytest.approx(blow.energy_lost, rel=1e-7)
    # the blow gives the normal its length 1 once more, and what comes of it is rounded otherwise
    assert blow.effective_mass == pytest.approx(rd.effective_mass(arm, q, normal), rel=TIGHT)


def test_a_ball_and_a_bat():
    """Two balls on sliders change speeds; a rod struck at 2/3 of its length leaves its pivot in peace."""
    ball = rd.Arm([rd.Link(0.5, joint="prismatic", axis=(1, 0, 0))])
    blow = task_space.impact(ball, [0], [3], (-1, 0, 0), restitution=1, struck=0.5)
    assert (*blow.qd, blow.speed, blow.impulse, blow.energy_lost) == pytest.approx((0, 3, 1.5, 0), abs=1e-14)
    rod = rd.bodies.rod(0.9, 1.2)
    hinge = rd.Arm([rd.Link(0.9, (0, 0.6, 0), rod.inertia[[0, 2, 1]][:, [0, 2, 1]], axis=(0, 0, 1))])
    blow = task_space.impact(hinge, [0], [2], (1, 0, 0), point=(0, 0.8, 0))
    assert blow.effective_mass == pytest.approx(0.9 * 1.2**2 / 3 / 0.8**2)
    assert blow.impulse == pytest.approx(
        0.9 * 0.6 * 2
    )  # the whole momentum of the center of mass: the pivot gives none


def test_who_does_not_approach_strikes_nothing():
    """Nor does an arm that cannot move along the normal."""
    arm, qd = rd.robots.planar([1, 1], [1, 1]), np.array([1.0, 0.5])
    for q, normal in (([0.3, 1.0], (-1, 0, 0)), ([0.3, 1.0], (0, 0, 1)), ([0.0, 0.0], (-1, 0, 0))):
        away = qd * np.sign(rd.tip_jacobian(arm, q)[0] @ qd) * -1
        blow = task_space.impact(arm, q, away, normal, 0.5)
        assert blow.impulse == blow.energy_lost == blow.speed == 0 and np.all(blow.qd == away)


def test_a_stiff_spring_is_a_wall():
    """Simulated against a spring, the rates jump as the formula has it, up to an error of the order of the time of contact."""
    arm, q, qd = rd.robots.planar([0.5, 0.4], [1, 1], gravity=0), np.array([0.4, 0.9]), np.array([1.0, -2.0])
    n = np.array([-1.0, 0, 0])
    jacobian = rd.specialize(rd.tip_jacobian, arm, target="python")
    place = rd.specialize(rd.point_position, arm, target="python")
    wall, blow = place(q)[0], task_space.impact(arm, q, qd * -np.sign(n @ jacobian(q)[:3] @ qd), n, 1)
    qd = qd * -np.sign(n @ jacobian(q)[:3] @ qd)
    gaps = []
    push = lambda stiffness, t, q, qd: jacobian(q)[0] * -stiffness * max(0, place(q)[0] - wall)
    for stiffness in (1e4, 4e4):
        contact = np.pi * np.sqrt(blow.effective_mass / stiffness)
        motion = rd.simulate(arm, q, qd, partial(push, stiffness), np.linspace(0, 1.5 * contact, 151))
        gaps.append(np.max(abs(motion.qd[-1] - blow.qd)))
    assert gaps[0] < 0.3 and gaps[1] < 0.65 * gaps[0]


# ---- a peer -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mix", LONG)
def test_pinocchio(mix):
    """Acceleration of the tip, effective inertia from Pinocchio's inverse of M, and its impulse dynamics, to 1e-9."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    arm, q, qd, qdd, _ = arm_and_state(mix)
    model = pinocchio_model(pin, arm)
    data, frame = model.createData(), model.getFrameId("tip")
    axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    pin.forwardKinematics(model, data, q, qd, qdd)
    pin.updateFramePlacements(model, data)
    a = pin.getFrameClassicalAcceleration(model, data, frame, axes)
    assert off(rd.point_acceleration(arm, q, qd, qdd), np.concatenate([a.linear, a.angular])) < TIGHT
    k = min(arm.n, 3)
    J = pin.computeFrameJacobian(model, data, q, frame, axes)[:k]
    mobile = J @ pin.computeMinverse(model, data, q) @ J.T
    assert off(rd.effective_inertia(arm, q, directions=np.eye(k, 3)), np.linalg.inv(mobile)) < 1e-7
    normal = np.array([1.0, 0, 0]) * -np.sign(J[0] @ qd)
    theirs = pin.impulseDynamics(model, data, q, qd, J[:1], 0.3, 0.0)
    assert off(task_space.impact(arm, q, qd, normal, 0.3).qd, theirs) < 1e-9
