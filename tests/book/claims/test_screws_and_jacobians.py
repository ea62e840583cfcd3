"""Sentences of the page "Screws and Jacobians": Newton's method for inverse kinematics, from many poses."""

import numpy as np

import robotdyn as rd

PUMA = rd.robots.puma560()


def hand(q: np.ndarray) -> np.ndarray:
    """Return the frame of the hand."""
    return rd.motions.homogeneous(rd.link_poses(PUMA, q)[0][-1], rd.point_position(PUMA, q))


def test_the_wrist_is_singular_at_zero_and_newton_has_no_step():
    """Where all angles are zero the wrist is singular, and `solve` has no answer."""
    assert np.linalg.svd(rd.tip_jacobian(PUMA, np.zeros(6)))[1][-1] < 1e-12


def test_the_number_of_correct_digits_doubles():
    """Near a solution at which J is regular the number of correct digits doubles in every step."""
    rng = np.random.default_rng(3)
    tried = 0
    while tried < 30:
        pose = rng.uniform(-np.pi, np.pi, 6)
        if np.linalg.svd(rd.tip_jacobian(PUMA, pose))[1][-1] < 0.1:
            continue
        tried += 1
        q, errors = pose + 1e-3 * rng.normal(size=6), []
        for _ in range(3):
            error = rd.motions.log(rd.motions.inverse(hand(q)) @ hand(pose))
            errors.append(np.linalg.norm(error))
            q = q + np.linalg.solve(rd.tip_jacobian(PUMA, q, axes="link"), error)
        assert errors[1] < 30 * errors[0] ** 2
        assert errors[2] < 30 * errors[1] ** 2 + 1e-14


def test_manipulability_is_the_product_of_the_singular_values():
    """The manipulability is the product of the singular values of J, and it depends on units."""
    rng = np.random.default_rng(8)
    for n in (6, 7, 9):
        arm = rd.robots.random_arm(rng, n, ["revolute"] * n)
        for q in rng.normal(size=(20, n)):
            J = rd.tip_jacobian(arm, q)
            measure = np.sqrt(np.linalg.det(J @ J.T))
            assert np.isclose(measure, np.prod(np.linalg.svd(J, compute_uv=False)), rtol=1e-6)
            in_mm = np.diag([1e3] * 3 + [1] * 3) @ J
            assert np.isclose(np.sqrt(np.linalg.det(in_mm @ in_mm.T)), 1e9 * measure, rtol=1e-5)


def test_rates_in_the_null_space_leave_the_hand_where_it_is():
    """Rates in the null space of a redundant arm move the arm and leave the hand where it is."""
    panda, rng = rd.robots.panda(), np.random.default_rng(9)
    for q in rng.normal(size=(20, 7)):
        rates = np.linalg.svd(rd.tip_jacobian(panda, q))[2][-1]
        here, there = (rd.motions.homogeneous(*rd.tip_pose(panda, q + h * rates)) for h in (-1e-5, 1e-5))
        links = [np.array(rd.link_poses(panda, q + h * rates)[0]) for h in (-1e-5, 1e-5)]
        assert abs(there - here).max() < 1e-8
        assert abs(links[1] - links[0]).max() > 1e-6


def test_manipulability_is_no_distance_from_a_singular_pose():
    """It is the same at a bend of 30 and of 150 degrees, and the slowest direction is not; it vanishes in singular poses alone."""
    rng = np.random.default_rng(4)
    for l_1, l_2 in rng.uniform(0.2, 1, (20, 2)):
        arm = rd.robots.planar([l_1, l_2])
        for bend in rng.uniform(0.1, 1.5, 4):
            open_arm, folded = (
                np.linalg.svd(rd.tip_jacobian(arm, [0.3, x])[:2], compute_uv=False) for x in (bend, np.pi - bend)
            )
            assert np.isclose(np.prod(open_arm), np.prod(folded), rtol=1e-10)
            assert folded[1] > open_arm[1]
            assert open_arm[1] > 0
    crane = [np.linalg.svd(rd.tip_jacobian(rd.robots.planar([0.5, 0.5]), [0, x])[:2])[1] for x in np.radians([30, 150])]
    assert abs(crane[1][1] / crane[0][1] - 2.1) < 0.05


def test_joints_before_a_line_carry_it_along_by_the_adjoint_matrix():
    """Column k of the space Jacobian is the adjoint of joints 1 to k - 1 times the drawn twist; the pose's inverse makes the body's."""
    rng = np.random.default_rng(5)
    lines = [rd.motions.screw(a / np.linalg.norm(a), s) for a, s in rng.normal(size=(6, 2, 3))]
    home = rd.motions.homogeneous(rd.rotations.exp([0.3, -0.2, 0.9]), (0.4, 0.1, 0.7))
    arm = rd.Arm.from_screws(lines, home)
    for q in rng.uniform(-2, 2, (5, 6)):
        moved, columns = np.eye(4), []
        for line, angle in zip(lines, q):
            columns.append(rd.motions.adjoint(moved) @ line)
            moved = moved @ rd.motions.exp(angle * line)
        space, tip = np.transpose(columns), rd.motions.homogeneous(*rd.tip_pose(arm, q))
        assert abs(moved @ home - tip).max() < 1e-12
        J = rd.tip_jacobian(arm, q)
        at_origin = J[:3] - np.cross(J[3:], tip[:3, 3], axis=0)
        assert abs(space - np.vstack([at_origin, J[3:]])).max() < 1e-12
        body = rd.motions.adjoint(rd.motions.inverse(tip)) @ space
        turned = np.vstack([tip[:3, :3].T @ J[:3], tip[:3, :3].T @ J[3:]])
        assert abs(body - turned).max() < 1e-12


def crane(boom: float, jib: float) -> rd.Arm:
    """Return a crane with a mast of 0.5 m, and a boom and a jib of these lengths."""
    up, right = np.array([0, 0, 1.0]), np.array([0, -1.0, 0])
    lines = [rd.motions.screw(up), rd.motions.screw(right, (0, 0, 0.5)), rd.motions.screw(right, (boom, 0, 0.5))]
    return rd.Arm.from_screws(lines, rd.motions.homogeneous(np.eye(3), (boom + jib, 0, 0.5)))


def test_a_folded_jib_as_long_as_its_boom_loses_two_directions():
    """Stretched, or folded with another length, the arm's direction is lost; folded with equal lengths, sideways is lost as well."""
    rng = np.random.default_rng(6)
    for boom, share in zip(rng.uniform(0.2, 1, 20), rng.uniform(0.3, 0.9, 20)):
        slew, lift = rng.uniform(0.1, 1.4, 2)
        along = np.array([np.cos(slew) * np.cos(lift), np.sin(slew) * np.cos(lift), np.sin(lift)])
        across = np.array([-np.sin(slew), np.cos(slew), 0])
        for jib, bend, lost in ((boom, 0, 1), (share * boom, 0, 1), (share * boom, np.pi, 1), (boom, np.pi, 2)):
            J = rd.tip_jacobian(crane(boom, jib), [slew, lift, bend])[:3]
            assert np.linalg.matrix_rank(J, tol=1e-9) == 3 - lost
            assert abs(J.T @ along).max() < 1e-12
            assert (abs(J.T @ across).max() < 1e-12) == (lost == 2)


def test_the_exponential_of_a_slide_is_a_shift():
    """Of a slide a is zero, and its exponential is the shift by v q; with a turn about a it is the formula of the page."""
    rng = np.random.default_rng(7)
    for v, a in rng.normal(size=(20, 2, 3)):
        a, q = a / np.linalg.norm(a), rng.normal()
        for axis in (a, 0 * a):
            E, R = rd.motions.exp(q * np.concatenate([v, axis])), rd.rotations.exp(q * axis)
            shift = (np.eye(3) - R) @ np.cross(axis, v) + axis * (axis @ v) * q
            assert abs(E[:3, :3] - R).max() < 1e-12
            assert abs(E[:3, 3] - (shift if axis.any() else v * q)).max() < 1e-12
            assert axis.any() or abs(shift).max() == 0  # so the formula does not hold for a slide


def test_a_stretched_arm_that_stands_upright_loses_both_directions():
    """A stretched arm that stands upright loses both directions at once, and so does one that is folded there."""
    rng = np.random.default_rng(8)
    for boom, share, slew in rng.uniform([0.2, 0.3, -3], [1, 0.9, 3], (20, 3)):
        for lift in (np.pi / 2, -np.pi / 2):
            for jib, bend in ((boom, 0), (share * boom, 0), (share * boom, np.pi)):
                U, sizes, _ = np.linalg.svd(rd.tip_jacobian(crane(boom, jib), [slew, lift, bend])[:3])
                assert np.count_nonzero(sizes > 1e-9) == 1
                assert abs(U[2, 0]) < 1e-9  # up and down is lost
                assert abs(U[:, 0] @ [-np.sin(slew), np.cos(slew), 0]) < 1e-9  # and sideways
