"""Sentences of the page "Steer the joints, or the hand?": where springs at the hand come to rest, which laws are one, what the elbow keeps."""

from functools import partial

import numpy as np
import pytest

import robotdyn as rd

PLANE = np.eye(2, 3)
OMEGA = 10.0  # rad/s
LENGTHS, MASSES = np.array([0.4, 0.3, 0.2]), np.array([3.0, 2.0, 1.0])


def rods(masses):
    """Three rods in a vertical plane."""
    return rd.robots.planar(LENGTHS, masses, coms=LENGTHS / 2, inertias=masses * LENGTHS**2 / 12)


MODEL = rods(MASSES)
TWO = rd.robots.two_link((0.5, 0.5), (2.0, 2.0))


def resolved(arm, path, wish=lambda q, qd: 0 * q):
    """Resolved acceleration of the hand: accelerations of the joints of least length, beside a wish, then inverse dynamics."""
    place, jacobian = (rd.specialize(f, arm, inputs="q") for f in (rd.point_position, rd.tip_jacobian))
    accelerate, inverse_dynamics = (rd.specialize(f, arm) for f in (rd.point_acceleration, rd.inverse_dynamics))

    def law(t, q, qd):
        x, v, a = path(t)
        J = jacobian(q)[:2]
        drift = accelerate(q, qd, 0 * q)[:2]
        asked = a - 2 * OMEGA * (J @ qd - v) - OMEGA**2 * (place(q)[:2] - x)
        free = wish(q, qd)
        return inverse_dynamics(q, qd, free + np.linalg.lstsq(J, asked - drift - J @ free, rcond=None)[0])

    return law


def operational(arm, path, posture=None):
    """The library's law."""
    return rd.control.operational_space(arm, path, OMEGA**2, 2 * OMEGA, posture=posture, directions=PLANE)


def held(place):
    """A path that stays."""
    return lambda t: (np.asarray(place), np.zeros(2), np.zeros(2))


def acceleration(true, law, q, qd):
    """What the hand of an arm does under a law."""
    return rd.point_acceleration(true, q, qd, rd.forward_dynamics(true, q, qd, law(0.0, q, qd)))[:2]


def regular_states(seeds, n):
    """Random states away from singular poses."""
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        q = rng.uniform(0.5, 2.5, n) * rng.choice([-1, 1], n)
        yield rng, q, rng.uniform(-3, 3, n)


@pytest.mark.parametrize("seed", range(6))
def test_springs_at_the_hand_bring_two_links_to_any_goal_within_reach(seed):
    """The spring's poses of rest off the goal are saddles or tops within reach: from a random start the hand arrives."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(-np.pi, np.pi)
    goal = rng.uniform(0.2, 0.9) * np.array([np.cos(angle), np.sin(angle), 0])
    law = rd.control.impedance(TWO, goal, 1000, 60, joint_damping=3.0)
    run = rd.simulate(TWO, rng.uniform(-np.pi, np.pi, 2), rng.uniform(-2, 2, 2), law, np.arange(0, 6, 0.004))
    assert rd.point_position(TWO, run.q[-1]) == pytest.approx(goal, abs=1e-3)


def test_no_pose_of_rest_off_the_goal_is_stable_within_reach():
    """Stretched or folded on the line of the goal, one way or the other: somewhere the energy of the spring falls off."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        l_1, l_2 = rng.uniform(0.2, 1, 2)
        d = rng.uniform(abs(l_1 - l_2), l_1 + l_2)
        for turned in (0, np.pi):
            for bent, sign in ((0, 1), (np.pi, -1)):
                arm = rd.robots.planar([l_1, l_2], [1, 1])
                q = np.array([turned, bent])
                J, x = rd.tip_jacobian(arm, q)[:2], rd.point_position(arm, q)[:2]
                u = np.array([np.cos(turned), 0])
                bend = -np.array([[l_1 + sign * l_2, sign * l_2], [sign * l_2, sign * l_2]])
                H = J.T @ J + (x - [d, 0]) @ u * bend
                assert np.linalg.eigvalsh(H)[0] < 0


def test_beyond_reach_the_stretched_arm_is_stable_at_every_distance():
    """Both eigenvalues are positive, for large d and so for all d beyond reach; within reach one is negative."""
    rng = np.random.default_rng(2)
    for l_1, l_2, share in rng.uniform(0.1, 1, (200, 3)):
        for d in ((l_1 + l_2) * (1 + 1e-3), (l_1 + l_2) / share, 100.0):
            bowl = np.array([[l_1 + l_2, l_2], [l_2, l_2]])
            row = np.array([l_1 + l_2, l_2])
            assert np.linalg.eigvalsh(np.outer(row, row) - (l_1 + l_2 - d) * bowl)[0] > 0
        inside = np.outer(row, row) - (l_1 + l_2) * (1 - share) * bowl
        assert share > 0.999 or np.linalg.eigvalsh(inside)[0] < 0


def pushed(t, q, qd, *, J, gain, rate):
    """Return the torque (n,) of a push along the motion of the hand, or against it, that comes and goes."""
    hand = J(q)[:2]
    return hand.T @ (gain * np.cos(rate * t) * (hand @ qd))


def always(vector):
    """Return the function that gives one vector, whatever it is called with."""
    return lambda *at: vector


def test_no_push_draws_more_energy_than_was_stored():
    """Also a push that always pulls along the motion of the hand, or against it, or comes and goes."""
    rng = np.random.default_rng(3)
    J = rd.specialize(rd.tip_jacobian, MODEL, inputs="q")
    times = np.arange(0, 2, 0.004)
    for _ in range(3):
        q, goal = rng.uniform(-2, 2, 3), np.array([*rng.uniform(-0.6, 0.6, 2), 0])
        law = rd.control.impedance(MODEL, goal, 500, 5, joint_damping=[0.5, 0.3, 0.1])
        gain, rate = rng.uniform(-30, 30), rng.uniform(1, 12)
        push = partial(pushed, J=J, gain=gain, rate=rate)
        run = rd.simulate(MODEL, q, [0, 0, 0], rd.forces.total(law, push), times)
        power = [push(t, q, qd) @ qd for t, q, qd in zip(run.t, run.q, run.qd)]
        drawn = -np.cumsum(power) * 0.004
        start = 250 * np.sum((rd.point_position(MODEL, q) - goal) ** 2)
        assert drawn.max() < start


def test_operational_space_and_resolved_acceleration_are_one_law_without_joints_to_spare():
    """For any numbers in the model, the wrong ones included; with a joint to spare they differ."""
    for rng, q, qd in regular_states(20, 2):
        arm = rd.robots.planar(rng.uniform(0.3, 1, 2), rng.uniform(0.5, 5, 2), coms=rng.uniform(0, 1, 2))
        goal = held(rng.uniform(-1, 1, 2))
        pair = operational(arm, goal)(0, q, qd), resolved(arm, goal)(0, q, qd)
        assert pair[0] == pytest.approx(pair[1], abs=1e-8 * abs(pair[1]).max())
    for rng, q, qd in regular_states(5, 3):
        goal = held(rng.uniform(-0.5, 0.5, 2))
        assert abs(operational(MODEL, goal)(0, q, qd) - resolved(MODEL, goal)(0, q, qd)).max() > 1e-2


def test_a_model_wrong_by_one_share_gives_both_hands_one_acceleration():
    """Whatever tau_0 and the wish are, and a point mass in the hand does no harm either; one heavier link does."""
    for rng, q, qd in regular_states(10, 3):
        torque, wish, goal = *rng.uniform(-5, 5, (2, 3)), held(rng.uniform(-0.5, 0.5, 2))
        laws = (
            operational(MODEL, goal, always(torque)),
            resolved(MODEL, goal, always(wish)),
        )
        stone = MODEL.carrying(rd.Body(rng.uniform(0.1, 2), MODEL.tip))
        for true, same in (
            (rods(MASSES * rng.uniform(1.1, 2)), True),
            (stone, True),
            (rods(MASSES * [1.5, 1, 1]), False),
        ):
            there, here = (acceleration(true, law, q, qd) for law in laws)
            assert (abs(there - here).max() < 1e-7 * (1 + abs(here).max())) == same


@pytest.mark.parametrize("seed", range(3))
def test_the_elbow_keeps_the_speed_under_one_law_and_the_energy_under_the_other(seed):
    """With the hand at rest; the wish -c qd makes the speed fall as exp(-c t) in every pose."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(0.6, 1.8, 3) * [1, -1, 1]
    J = rd.tip_jacobian(MODEL, q)[:2]
    spin = np.cross(*J) * 2 / np.linalg.norm(np.cross(*J))
    goal, times = held(rd.point_position(MODEL, q)[:2]), np.arange(0, 0.8, 0.004)
    run = rd.simulate(MODEL, q, spin, resolved(MODEL, goal), times)
    assert np.linalg.norm(run.qd, axis=1) == pytest.approx(2, abs=1e-3)
    energy = rd.kinetic_energy(MODEL, run.q, run.qd)
    run = rd.simulate(MODEL, q, spin, operational(MODEL, goal), times)
    assert rd.kinetic_energy(MODEL, run.q, run.qd) == pytest.approx(rd.kinetic_energy(MODEL, q, spin), rel=1e-3)
    assert np.ptp(energy) > 0.02 * energy.mean() and np.ptp(np.linalg.norm(run.qd, axis=1)) > 0.02
    run = rd.simulate(MODEL, q, spin, resolved(MODEL, goal, lambda q, qd: -3 * qd), times)
    assert np.linalg.norm(run.qd, axis=1) == pytest.approx(2 * np.exp(-3 * times), abs=1e-3)


def test_a_path_without_dampers_leaves_the_elbow_turning():
    """The path of the page, run without dampers, leaves the elbow turning when the hand has arrived, under both laws."""
    start = np.array([0.4129, -2.3256, 1.5127])
    begin = rd.point_position(MODEL, start)[:2]
    path = rd.control.minimum_jerk(begin, [0.55, 0.25], 1.0)
    for law in (resolved(MODEL, path), operational(MODEL, path)):
        run = rd.simulate(MODEL, start, [0, 0, 0], law, np.arange(0, 1.2, 0.005))
        assert abs(rd.point_position(MODEL, run.q[-1])[:2] - [0.55, 0.25]).max() < 1e-3
        assert np.linalg.norm(run.qd[-1]) > 0.1


def test_the_torques_of_a_singular_pose():
    """Operational space asks for torques that grow as one over the bend, springs at the hand for torques that vanish with it."""
    exact, soft = operational(TWO, held([0.9, 0])), rd.control.impedance(TWO, [0.9, 0, 0], 1000, 60)
    sizes = []
    for bend in (0.02, 0.002):
        q = np.array([-bend / 2, bend])
        g = rd.gravity_torque(TWO, q)
        sizes.append([abs(law(0, q, 0 * q) - g).max() for law in (exact, soft)])
    assert sizes[1][0] / sizes[0][0] == pytest.approx(10, rel=0.02)
    assert sizes[0][1] / sizes[1][1] == pytest.approx(10, rel=0.02)
    with pytest.raises(ValueError, match="pose"):
        exact(0, np.zeros(2), np.zeros(2))


def test_the_compliance_of_springs_at_the_joints_has_one_shape_for_all_gains():
    """With equal springs the factor between the soft and the stiff direction does not depend on k; with the pose it changes."""
    factors = []
    for rng, q, _ in regular_states(10, 3):
        J, K = rd.tip_jacobian(MODEL, q)[:2], rng.uniform(10, 500)
        found = [np.linalg.cond(J @ np.linalg.solve(k * np.eye(3), J.T)) for k in (K, 2 * K)]
        assert found[0] == pytest.approx(found[1], rel=1e-9)
        factors.append(found[0])
    assert max(factors) > 2 * min(factors)


def test_the_error_at_rest_falls_with_the_square_of_omega():
    """Doubling omega makes it a quarter: of the missing acceleration of the hand, in the same pose."""
    rng = np.random.default_rng(8)
    for _ in range(10):
        q = rng.uniform(0.5, 2, 3) * [1, -1, 1]
        true = rods(MASSES * rng.uniform(0.7, 1.4, 3))
        weight = rd.gravity_torque(true, q)
        J, M = rd.tip_jacobian(MODEL, q)[:2], rd.mass_matrix(MODEL, q)
        errors = []
        for omega in (5.0, 10.0):
            error = J @ np.linalg.solve(M, weight - rd.gravity_torque(MODEL, q)) / omega**2
            goal = held(rd.point_position(MODEL, q)[:2] + error)
            law = rd.control.operational_space(
                MODEL, goal, omega**2, 2 * omega, posture=always(weight), directions=PLANE
            )
            assert law(0, q, 0 * q) == pytest.approx(weight, abs=1e-9)
            errors.append(error)
        assert errors[0] == pytest.approx(4 * errors[1])


def test_a_turned_hand_has_an_energy_that_never_rises():
    """V = |omega_e|^2 / 2 + omega^2 |phi|^2 / 2 falls at -2 omega |omega_e|^2, also while the goal turns; phi obeys no linear equation."""
    rng, omega, h = np.random.default_rng(9), 10.0, 1e-3
    for turn in rng.normal(size=(2, 3)):
        phi = rng.normal(size=3)
        R, w = rd.rotations.exp(-2.0 * phi / np.linalg.norm(phi)), rng.normal(size=3)
        V, lost, linear = [], 0.0, []
        for step in range(600):
            phi = rd.rotations.log(rd.rotations.exp(h * step * turn) @ R.T)
            off = turn - w
            V.append(off @ off / 2 + omega**2 * phi @ phi / 2)
            linear.append(phi)
            w_half = w + h / 2 * (2 * omega * off + omega**2 * phi)
            half = rd.rotations.exp(h / 2 * w) @ R
            phi_half = rd.rotations.log(rd.rotations.exp(h * (step + 0.5) * turn) @ half.T)
            lost += h * 2 * omega * (turn - w_half) @ (turn - w_half)
            R = rd.rotations.exp(h * w_half) @ R
            w = w + h * (2 * omega * (turn - w_half) + omega**2 * phi_half)
        assert np.diff(V).max() < 0
        assert abs(V[0] - V[-1] - lost) < 1e-2 * V[0]  # steps of second order
        rates = np.gradient(np.array(linear), h, axis=0)
        left = np.gradient(rates, h, axis=0) + 2 * omega * rates + omega**2 * np.array(linear)
        assert np.linalg.norm(left[5:300], axis=1).max() > 1  # rad/s^2


def test_a_turn_of_the_shoulder_keeps_the_factor_and_turns_the_directions():
    """In another pose the directions are others, and so is the factor if elbow or wrist is bent differently."""
    for rng, q, _ in regular_states(10, 3):
        ellipses = []
        for other in (q, q + [rng.uniform(0.3, 1.2), 0, 0], q + [0, 0.3, 0], q + [0, 0, 0.3]):
            J = rd.tip_jacobian(MODEL, other)[:2]
            sizes, axes = np.linalg.eigh(J @ J.T)
            ellipses.append((sizes[1] / sizes[0], axes[:, 1]))
        factors = [factor for factor, _ in ellipses]
        assert factors[1] == pytest.approx(factors[0], rel=1e-9)
        assert min(abs(np.array(factors[2:]) / factors[0] - 1)) > 1e-4
        assert abs(ellipses[0][1] @ ellipses[1][1]) < 0.99


def test_at_the_edge_of_the_reach_and_at_the_shoulder_the_determinant_is_zero():
    """Within reach, short of its edge and away from the shoulder, the determinant is negative; it is zero at both."""
    for l_1, l_2 in ((0.5, 0.5), (0.7, 0.2), (0.3, 0.6)):
        for share, sign in ((0.0, 0), (0.01, -1), (0.99, -1), (1.0, 0), (1.01, 1)):
            d, row = share * (l_1 + l_2), np.array([l_1 + l_2, l_2])
            H = np.outer(row, row) - (l_1 + l_2 - d) * np.array([[l_1 + l_2, l_2], [l_2, l_2]])
            found = np.linalg.det(H)
            assert found == pytest.approx(-l_1 * l_2 * d * (l_1 + l_2 - d), abs=1e-12)
            assert np.sign(np.round(found, 12)) == sign


def test_a_damped_law_rests_at_the_goal_in_every_regular_pose_and_may_get_stuck_stretched():
    """At every regular pose of rest the place is exact; a stretched arm asks for nothing although its goal is within reach."""
    two, mu = rd.robots.planar([0.5, 0.5]), 0.1
    for bend, e, stuck in (
        (0.0, [-0.3, 0], True),
        (0.0, [0, 0.1], False),
        (0.5, [-0.3, 0], False),
        (1.0, [0, 0], True),
    ):
        J = rd.tip_jacobian(two, [-bend / 2, bend])[:2]
        asked = J.T @ np.linalg.solve(J @ J.T + mu**2 * np.eye(2), e)
        assert (np.linalg.norm(asked) < 1e-12) == stuck
