"""Inverse kinematics: what is told as solved is there, by another library's kinematics; nothing that solves is missing."""

import functools
from dataclasses import replace

import numpy as np
import pytest
from arms import arm_and_state
from peer_models import pinocchio_model

import robotdyn as rd
from robotdyn import inverse_kinematics as ik
from robotdyn.laws import slope

PUMA = rd.robots.puma560()
ROBOTS = ("puma560", "ur5e", "stanford", "panda", "gen3", "iiwa14")


def pose_of(arm, q):
    """Return T (4, 4) of the tip."""
    return rd.motions.homogeneous(*rd.tip_pose(arm, q))


def apart(a, b):
    """Return the largest difference of angles, whole turns aside."""
    return np.max(abs(np.angle(np.exp(1j * (np.asarray(a) - b)))))


def random_direction(rng):
    """Return a unit vector (3,)."""
    x = rng.normal(size=3)
    return x / np.linalg.norm(x)


def arm_with_wrist(rng):
    """Return a random arm of six hinges: 2 and 3 parallel, wrist axes askew through one point, a tool turned and offset."""
    first, second, *wrist = (random_direction(rng) for _ in range(5))
    o = rng.uniform(-0.5, 0.5, (3, 3))
    center = rng.uniform(-0.5, 0.5, 3)
    along = [a * rng.choice([-1, 1]) for a in (second, second)]
    lines = [rd.motions.screw(a, p) for a, p in zip((first, *along), o)]
    lines += [rd.motions.screw(a, center + rng.normal() * a) for a in wrist]
    home = rd.motions.homogeneous(rd.rotations.exp(rng.normal(size=3)), rng.uniform(-1, 1, 3))
    return rd.Arm.from_screws(lines, home)


# ---- closed form ------------------------------------------------------------------------------------------------------


def test_eight_solutions_of_the_puma_by_the_kinematics_of_a_peer():
    """Every solution that is returned takes Pinocchio's model of the arm to the pose, and the pose's own angles are one."""
    pin = pytest.importorskip("pinocchio")
    model = pinocchio_model(pin, PUMA)
    data = model.createData()
    rng = np.random.default_rng(5)
    for q in rng.uniform(-np.pi, np.pi, (60, 6)):
        T = pose_of(PUMA, q)
        found = ik.all_solutions(PUMA, T)
        assert len(found.q) == len(set(found.branches)) == 8
        assert min(apart(other, q) for other in found.q) < 1e-6
        for other in found.q:
            pin.framesForwardKinematics(model, data, other)
            assert np.allclose(data.oMf[model.getFrameId("tip")].homogeneous, T, atol=1e-9)


@pytest.mark.parametrize("seed", range(30))
def test_the_angles_of_any_arm_with_a_spherical_wrist_come_back(seed):
    """Whatever the directions of its axes: all solutions reach the pose, and the angles that made the pose are among them."""
    rng = np.random.default_rng(seed)
    arm = arm_with_wrist(rng)
    q = rng.uniform(-np.pi, np.pi, 6)
    found = ik.all_solutions(arm, pose_of(arm, q))
    assert min(apart(other, q) for other in found.q) < 1e-6
    for other in found.q:
        assert np.allclose(pose_of(arm, other), pose_of(arm, q), atol=1e-9)


def test_a_pose_as_forward_kinematics_returns_it():
    """What `rd.tip_pose` returns goes in: rotation and place, or the matrix of both, are one goal."""
    arm, q = rd.robots.puma560(), np.array([0.3, -0.7, 0.4, 0.2, 0.9, -0.5])
    pair, matrix = rd.tip_pose(arm, q), rd.motions.homogeneous(*rd.tip_pose(arm, q))
    assert np.array_equal(ik.all_solutions(arm, pair).q, ik.all_solutions(arm, matrix).q)
    assert np.array_equal(ik.solve(arm, pair, q + 0.1).q, ik.solve(arm, matrix, q + 0.1).q)


def test_iteration_from_many_starts_finds_the_same_set():
    """An independent count: the distinct ends of iterations from many starts are the solutions of the closed form."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        T = pose_of(PUMA, rng.uniform(-np.pi, np.pi, 6))
        exact = ik.all_solutions(PUMA, T).q
        met = set()
        for start in rng.uniform(-np.pi, np.pi, (80, 6)):
            found = ik.solve(PUMA, T, start, restarts=0)
            if found.solved:
                gaps = [apart(found.q, q) for q in exact]
                assert min(gaps) < 1e-5
                met.add(int(np.argmin(gaps)))
        assert met == set(range(8))


def test_two_links_by_the_law_of_cosines():
    """q_2 = +- arccos((x^2 + y^2 - l_1^2 - l_2^2) / 2 l_1 l_2), and elbow down is elbow up in a mirror."""
    l1, l2 = 1.0, 0.8
    arm = rd.robots.planar([l1, l2])
    for x, y in np.random.default_rng(2).uniform(-1.2, 1.2, (40, 2)):
        found = ik.all_solutions(arm, (x, y, 0))
        cosine = (x**2 + y**2 - l1**2 - l2**2) / (2 * l1 * l2)
        assert len(found.q) == (2 if abs(cosine) < 1 else 0)
        for q, sign in zip(found.q, (1, -1)):
            assert q[1] == pytest.approx(sign * np.arccos(cosine), abs=1e-9)
            inner = np.arctan2(l2 * np.sin(q[1]), l1 + l2 * np.cos(q[1]))
            assert apart(q[0], np.arctan2(y, x) - inner) < 1e-9


def test_one_solution_at_the_edge_and_a_free_wrist():
    """A stretched arm has one solution, not two that are one; where two axes of the wrist are in line, infinitely many."""
    arm = rd.robots.planar([1.0, 0.8])
    assert len(ik.all_solutions(arm, (1.8, 0, 0)).q) == 1
    q = np.array([0.3, 0.5, -0.4, 0.9, 0.0, 0.2])
    found = ik.all_solutions(PUMA, pose_of(PUMA, q))
    assert found.free and not ik.all_solutions(PUMA, pose_of(PUMA, q + 0.1)).free
    for other in found.q:
        assert np.allclose(pose_of(PUMA, other), pose_of(PUMA, q), atol=1e-9)


def test_limits_keep_what_lies_within_by_whole_turns():
    """A joint that may turn from 0 to 2 pi gets its angle there, and no solution outside of the limits is returned."""
    q = np.array([-0.6, 0.5, -0.4, 0.9, 0.7, 0.2])
    T = pose_of(PUMA, q)
    turned = ik.all_solutions(PUMA, T, {0: (0.0, 2 * np.pi)})
    assert min(np.max(abs(other - [2 * np.pi - 0.6, *q[1:]])) for other in turned.q) < 1e-8
    assert len(turned.q) == 8
    half = ik.all_solutions(PUMA, T, {0: (-0.7, -0.5), 4: (0.0, 3.0)})
    assert len(half.q) == 2 and np.all(half.q[:, 4] > 0)
    none = ik.all_solutions(PUMA, T, {0: (1.0, 1.1)})
    assert len(none.q) == 0 and none.nearest.stopped == "limit" and none.nearest.at_limit[0] == 0


@pytest.mark.parametrize("place", [(2.0, 0.4), (0.05, -0.1), (-1.5, 1.3), (1e-9, 0)])
def test_out_of_reach_it_tells_how_far_and_what_is_nearest(place):
    """Two links reach a ring: beyond it and in its hole the distance is that to the ring, along the ray."""
    arm = rd.robots.planar([1.0, 0.8])
    found = ik.all_solutions(arm, (*place, 0))
    r = np.hypot(*place)
    assert len(found.q) == 0 and found.nearest.stopped == "unreachable" and not found.nearest.solved
    assert found.nearest.distance == pytest.approx(max(r - 1.8, 0.2 - r), abs=1e-9)
    assert "out of the arm's reach" in found.nearest.message


def test_no_pose_of_a_grid_is_nearer_than_the_nearest():
    """The wrist of the PUMA takes any direction, so of a grid of its first three joints none may bring it nearer."""
    place_of = rd.specialize(lambda arm, q: rd.tip_pose(arm, q)[1], PUMA, inputs="q")
    grid = np.stack(np.meshgrid(*[np.linspace(-np.pi, np.pi, 73)] * 3), -1).reshape(-1, 3)
    reached = place_of(np.hstack([grid, 0 * grid]))
    T = pose_of(PUMA, [0.2, 0.3, -0.4, 0.5, 0.6, 0.7])
    for place in ((1.1, 0.4, 0.6), (0.03, 0.02, 0.5), (0.0, -0.9, -0.7)):
        T[:3, 3] = place
        nearest = ik.all_solutions(PUMA, T).nearest
        least = np.linalg.norm(reached - place, axis=1).min()
        assert nearest.angle < 1e-6 and nearest.stopped == "unreachable"
        assert least - 0.05 < nearest.distance <= least + 1e-9


def test_planar_hands_and_arms_in_space():
    """Three parallel joints have two solutions of a pose, a first joint before two parallel ones four of a place."""
    rng = np.random.default_rng(4)
    planar = rd.robots.planar([0.5, 0.4, 0.2])
    first_three = rd.Arm(PUMA.links[:3], PUMA.gravity, (0.1, 0.4, 0.2))
    for q in rng.uniform(-np.pi, np.pi, (20, 3)):
        for arm, goal, count in (
            (planar, pose_of(planar, q), 2),
            (first_three, rd.tip_pose(first_three, q)[1], 4),
        ):
            found = ik.all_solutions(arm, goal)
            assert len(found.q) == count and min(apart(other, q) for other in found.q) < 1e-6


@pytest.mark.parametrize("shift", [(0, 1), (-1, 0), (-0.5, 0.5)])
def test_a_limit_belongs_to_what_is_allowed(shift):
    """A pose whose angles stand at their limits is found, whatever rounding makes of them; none is outside."""
    rng = np.random.default_rng(9)
    for q in rng.uniform(-np.pi, np.pi, (20, 6)):
        limits = {i: (angle + shift[0], angle + shift[1]) for i, angle in enumerate(q)}
        found = ik.all_solutions(PUMA, pose_of(PUMA, q), limits)
        assert len(found.q) >= 1 and min(apart(other, q) for other in found.q) < 1e-6
        for i, (low, high) in limits.items():
            assert (low <= found.q[:, i]).all() and (found.q[:, i] <= high).all()


@pytest.mark.parametrize("angle", [1e-9, 1e-7, 1e-6, 1e-5, 1e-3, np.pi - 1e-7, np.pi - 1e-4])
def test_what_is_nearly_singular_is_reached(angle):
    """A wrist all but straight, an arm all but folded: the pose is one of the arm, so it is not told as out of its reach."""
    rng = np.random.default_rng(10)
    folding = rd.robots.planar([1.0, 1.0])
    for q in rng.uniform(-np.pi, np.pi, (8, 6)):
        for joint in (2, 4):
            near = np.where(np.arange(6) == joint, angle, q)
            found = ik.all_solutions(PUMA, pose_of(PUMA, near))
            assert found.free or min(apart(other, near) for other in found.q) < 1e-4
            for other in found.q:
                assert abs(pose_of(PUMA, other) - pose_of(PUMA, near)).max() < 1e-8
        place = rd.tip_pose(folding, [q[0], angle])[1]
        found = ik.all_solutions(folding, place)
        assert len(found.q) and all(np.allclose(rd.tip_pose(folding, x)[1], place, atol=1e-8) for x in found.q)


def test_a_folded_arm_may_stand_anywhere():
    """The tip of two equal links on the first joint's axis: every q_1 is a solution, and that is said; of unequal ones none is there."""
    for q1 in (0.0, 0.4, -2.0):
        found = ik.all_solutions(
            rd.robots.planar([1.0, 1.0]), rd.tip_pose(rd.robots.planar([1.0, 1.0]), [q1, np.pi])[1]
        )
        assert found.free and len(found.q)
    assert not ik.all_solutions(rd.robots.planar([1.0, 0.8]), (0.5, 0, 0)).free


def test_trees_and_coupled_joints():
    """The joints on the way to the tip reach a pose, wherever other branches stand; the closed form asks for a plain chain."""
    chain = rd.robots.planar([1.0, 0.8])
    post = rd.Link(1, position=(500, 0, 0))
    tree = rd.Arm([post, *chain.links], tip=chain.tip, parents=[-1, -1, 1])
    place = rd.tip_pose(chain, [0.3, 0.9])[1]
    assert ik.solve(tree, place, [0.1, 0.1, 0.1]).solved
    assert ik.solve(tree, place, [0.1, 2.0, -2.0], restarts=0, iterations=1).stopped == "iterations"
    assert ik.solve(tree, place + (500, 0, 0), [0.1, 0.1, 0.1], restarts=0).stopped == "unreachable"
    geared = rd.Arm(rd.robots.planar(3).links, tip=(1, 0, 0), coupling=[[1, 0, 0], [0, 1, 0], [0, 1, 0.2]])
    goal = rd.tip_pose(geared, [0.3, 0.9])[1]
    found = ik.solve(geared, goal, [0.1, 0.1], {0: (-2, 2)})
    assert found.solved and np.allclose(rd.tip_pose(geared, found.q)[1], goal, atol=1e-7)
    for arm, word in ((tree, "a tree"), (geared, "coupled ones")):
        with pytest.raises(ValueError, match=f"all_solutions needs a serial arm of free joints, got {word}: ask solve"):
            ik.all_solutions(arm, place)


@pytest.mark.parametrize("limits", [[(-1, 1)] * 6, 5])
def test_limits_are_by_joint(limits):
    """A list, or a number, is no mapping."""
    with pytest.raises(TypeError, match="limits must be a mapping from joints to"):
        ik.solve(PUMA, pose_of(PUMA, np.ones(6)), np.ones(6), limits)


# ---- iteration --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ROBOTS)
def test_random_poses_are_solved_from_random_starts(name):
    """Revolute and prismatic, six joints and seven: every pose that the arm can take is found, and the kinematics agree."""
    arm = getattr(rd.robots, name)()
    rng = np.random.default_rng(6)
    for pose, start in rng.uniform(-1.5, 1.5, (12, 2, arm.n)):
        T = pose_of(arm, pose)
        found = ik.solve(arm, T, start)
        assert found.solved and found.stopped == "solved"
        error = rd.motions.log(rd.motions.inverse(pose_of(arm, found.q)) @ T)
        assert np.linalg.norm(error) < 1e-7


@functools.cache
def hostile():
    """Goals of many kinds, reachable or not, with starts and limits: (arm, pose, q0, limits)."""
    cases = []
    rng = np.random.default_rng(8)
    for name in ("puma560", "panda", "stanford"):
        arm = getattr(rd.robots, name)()
        for k in range(8):
            q0 = rng.uniform(-1, 1, arm.n) * (k % 4 > 0)  # also from zero, where the wrists are singular
            T = pose_of(arm, rng.uniform(-3, 3, arm.n))
            T[:3, 3] *= (1, 1, 1.5, 0.02)[k % 4]
            limits = dict.fromkeys(range(arm.n), (-1.0, 1.0)) if k >= 4 else None
            cases.append((arm, T, q0, limits))
    return cases


@pytest.mark.parametrize("k", range(24))
def test_nothing_wrong_is_told_as_solved(k):
    """Solved means within the tolerance and the limits, else a word says why not and the distances are those of q."""
    arm, T, q0, limits = hostile()[k]
    found = ik.solve(arm, T, q0, limits, restarts=6)
    error = ik.pose_error(rd.tip_pose(arm, found.q), (T[:3, :3], T[:3, 3]))
    assert found.distance == pytest.approx(np.linalg.norm(error[:3]), abs=1e-9)
    assert found.angle == pytest.approx(np.linalg.norm(error[3:]), abs=1e-7)
    assert found.solved == (found.stopped == "solved") == (max(found.distance, found.angle) <= 1e-8)
    for i, (low, high) in (limits or {}).items():
        assert low <= found.q[i] <= high
    assert found.message.count("\n") == 0 and (found.at_limit == () or limits)


def test_a_stretched_arm_cannot_be_told_to_fold():
    """From a stretched arm no step leads inward along it: that is said; another start finds the way."""
    arm = rd.robots.planar([1.0, 0.8])
    stuck = ik.solve(arm, (1.0, 0, 0), [0, 0], restarts=0)
    assert stuck.stopped == "singular" and stuck.distance == pytest.approx(0.8) and stuck.iterations == 0
    assert "start elsewhere" in stuck.message
    assert ik.solve(arm, (1.0, 0, 0), [0, 0]).solved


def test_each_way_to_stop_has_its_word():
    """Out of reach, held by limits, too few iterations, a pseudo-inverse at a singular pose."""
    arm = rd.robots.planar([1.0, 0.8])
    far = ik.solve(arm, (3, 0, 0), [0.1, 0.1])
    assert far.stopped == "unreachable" and far.distance == pytest.approx(1.2, abs=1e-9)
    held = ik.solve(arm, (1.0, 0, 0), [0.1, 0.1], {1: (-0.2, 0.5)})
    assert held.stopped == "limit" and held.at_limit == (1,) and "q_2" in held.message
    assert ik.solve(PUMA, pose_of(PUMA, np.ones(6)), -np.ones(6), iterations=2, restarts=0).stopped == "iterations"
    assert ik.solve(PUMA, pose_of(PUMA, np.ones(6)), np.zeros(6), damping=0, restarts=0).stopped == "singular"


def test_of_restarts_the_nearest_solution_is_returned_and_they_repeat():
    """Where the start leads nowhere the random ones do; the same call gives the same angles again."""
    arm = rd.robots.planar([1.0, 0.8])
    found = [ik.solve(arm, (1.0, 0, 0), [0, 0]) for _ in range(2)]
    assert np.array_equal(found[0].q, found[1].q) and found[0].starts == 21
    other = ik.solve(arm, (1.0, 0, 0), [0, 0], rng=np.random.default_rng(7))
    assert other.solved


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
def test_what_is_told_as_solved_is_as_near_as_the_tolerance_says(scale):
    """In m, however long the arm is, and in rad; by places and by poses."""
    small = rd.robots.puma560()
    arm = rd.Arm(
        [replace(link, position=scale * np.array(link.position)) for link in small.links], tip=scale * small.tip
    )
    rng = np.random.default_rng(3)
    solved = 0
    for tolerance in (0.2, 0.01):
        for q, q0 in rng.uniform(-1, 1, (10, 2, 6)):
            R, p = rd.tip_pose(arm, q)
            for goal in (p, rd.motions.homogeneous(R, p)):
                found = ik.solve(arm, goal, q0, tolerance=tolerance, restarts=0)
                R_found, p_found = rd.tip_pose(arm, found.q)
                turn = np.linalg.norm(rd.rotations.log(R @ R_found.T)) if goal is not p else 0.0
                near = np.linalg.norm(p - p_found) <= tolerance + 1e-12 and turn <= tolerance + 1e-12
                assert found.solved == near
                solved += found.solved
    assert solved > 20


@pytest.mark.parametrize("damping", [0.0, 0.3, 1.0, 2.0])
def test_a_step_is_that_of_the_formula(damping):
    """dq = (J^T J + mu^2 1)^-1 J^T e with mu = damping |e|; lengths count in lengths of all links together, 1.8 m."""
    arm = rd.robots.planar([1.0, 0.8])
    rng = np.random.default_rng(2)
    for q in rng.uniform(0.3, 1.2, (20, 2)):
        goal = rd.tip_pose(arm, q + 0.1 * rng.normal(size=2))[1]
        e = (goal - rd.tip_pose(arm, q)[1]) / 1.8
        J = rd.tip_jacobian(arm, q)[:3] / 1.8
        step = np.linalg.solve(J.T @ J + damping**2 * (e @ e) * np.eye(2), J.T @ e)
        found = ik.solve(arm, goal, q, iterations=1, restarts=0, damping=damping)
        assert np.allclose(found.q, q + step, rtol=0, atol=1e-10)


def test_an_arm_with_a_slide_is_not_told_to_be_too_short():
    """It reaches as far as its slide goes: where that ends, the limit holds it, and without one it is there."""
    arm, *_ = arm_and_state("rp")
    place = rd.tip_pose(arm, [0.4, 30.0])[1]
    held = ik.solve(arm, place, [0.0, 0.5], {1: (0.0, 1.0)}, restarts=2)
    assert held.stopped == "limit" and held.at_limit == (1,)
    assert ik.solve(arm, place, [0.3, 0.5]).solved


SPANS = {
    "rr": ((3.5, 5.0), (-9.0, -8.0)),
    "pr": ((2.0, 3.0), (4.0, np.inf)),
    "rp": ((-np.inf, -4.0), (-np.inf, -7.0)),
    "pp": ((-0.5, 0.25), (7.0, np.inf)),
}


@pytest.mark.parametrize("mix", SPANS)
def test_random_starts_lie_within_the_limits_wherever_these_are(mix):
    """A pose within them is found, and of one out of reach the best attempt is within them, too."""
    arm, q, *_ = arm_and_state(mix)
    limits = dict(enumerate(SPANS[mix]))
    low, high = np.array(SPANS[mix]).T
    first, last = np.where(np.isfinite(low), low, high - 2), np.where(np.isfinite(high), high, low + 2)
    rng = np.random.default_rng(1)
    for _ in range(10):
        q, q0 = rng.uniform(first, last, (2, 2))
        found = ik.solve(arm, pose_of(arm, q), q0, limits)
        assert found.solved
        for goal in (rd.tip_pose(arm, q)[1], 1e3 * rng.normal(size=3)):
            found = ik.solve(arm, goal, q0, limits, iterations=1, damping=1e3)
            assert ((low <= found.q) & (found.q <= high)).all()


def test_the_limits_of_an_arm_are_those_that_it_takes():
    """Also where a file gives a joint one end alone; whole turns bring an angle beyond it."""
    ends = ((-np.inf, -4.0), (3.5, np.inf), (-3.2, 3.2))
    chain = rd.robots.planar([1.0, 0.8, 0.3])
    links = [replace(link, properties=rd.JointProperties(*pair)) for link, pair in zip(chain.links, ends)]
    arm = replace(chain, links=links)
    assert arm.limits == dict(enumerate(ends))
    q = np.array([-5.0, 4.5, 0.25])
    low, high = np.array(ends).T
    assert ik.solve(arm, pose_of(arm, q), [-4.5, 4.0, 0], arm.limits).solved
    found = ik.all_solutions(arm, pose_of(arm, q), arm.limits)
    assert len(found.q) == 2 and ((low <= found.q) & (found.q <= high)).all()
    assert min(apart(other, q) for other in found.q) < 1e-9
    for wrong in ((1.0,), (np.nan, 1.0), [(0, 1), (0, 1)]):
        with pytest.raises(ValueError, match=r"limits\[0\] must"):
            ik.solve(arm, pose_of(arm, q), [0.1, 0.1, 0.1], {0: wrong})


def test_random_starts_are_in_the_range_of_the_joint_whose_coordinate_it_is():
    """A slide that a hinge follows starts within 1 m to both sides: steps that are damped away leave it where it starts."""
    hinge = rd.Link(1, axis=(1, 0, 0))
    slide = rd.Link(1, joint="prismatic", axis=(1, 0, 0))
    arm = rd.Arm([hinge, slide], coupling=[[3, 0], [1, 0]])
    assert arm.independent == (1,)
    for side in (50.0, -50.0):
        found = ik.solve(arm, (side, 0, 0), [0.0], iterations=1, restarts=200, damping=1e3)
        assert 0.9 < found.q[0] * np.sign(side) <= 1


def test_the_way_to_a_pose_changes_as_the_right_jacobian_says():
    """The rotation vector of R_goal R^T has the rate -J_r^-1 omega, and its product with J_r^-1 is itself."""
    rng = np.random.default_rng(1)

    def way(t, phi, omega, goal):
        R = rd.rotations.exp(t * omega) @ rd.rotations.exp(-phi) @ goal
        return ik.pose_error((R, np.zeros(3)), (goal, np.zeros(3)))[3:]

    for phi, omega, turn in rng.normal(size=(6, 3, 3)):
        way_at = functools.partial(way, phi=phi, omega=omega, goal=rd.rotations.exp(turn))
        inverse = rd.rotations.right_jacobian_inverse(way_at(0.0))
        assert np.allclose(slope(way_at, 0.0), -inverse @ omega, atol=1e-7)
        assert np.allclose(inverse @ way_at(0.0), way_at(0.0))
    assert np.allclose(rd.rotations.right_jacobian_inverse(1e-7 * phi), np.eye(3), atol=1e-6)


def test_any_frame_may_reach_a_pose():
    """A tool in the middle of a tree, by its name; what does not carry it stays where it was, also at random starts."""
    tool = rd.LinkFrame(2, (0.1, 0.2, 0), rd.rotations.exp([0.3, 0.2, 0.1]))
    spatial = rd.robots.random_arm(np.random.default_rng(3), 6, ["revolute"] * 6)
    links = [*spatial.links, rd.Link(1, position=(0, 0, 0.2))]
    arm = rd.Arm(links, parents=[-1, 0, 1, 0, 3, 4, 2], frames={"tool": tool})
    goal = rd.frame_pose(arm, [0.3, -0.4, 0.5, 0, 0, 0, 0], "tool")
    q0 = np.array([2, 1, -2, 0.7, 0.8, 0.9, 1.1])
    found = ik.solve(arm, goal, q0, link="tool")
    assert found.solved and (found.q[3:] == q0[3:]).all()
    assert all(np.allclose(ours, given, atol=1e-7) for ours, given in zip(rd.frame_pose(arm, found.q, "tool"), goal))
    assert (
        ik.solve(arm, rd.tip_pose(arm, q0), q0).iterations
        == ik.solve(arm, rd.tip_pose(arm, q0), q0, link=6).iterations
        == 0
    )
    elbow = ik.solve(arm, rd.point_position(arm, q0, 4), 0 * q0, link=4)
    assert elbow.solved and (elbow.q[[1, 2, 5, 6]] == 0).all()
