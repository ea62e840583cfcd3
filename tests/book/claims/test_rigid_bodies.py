"""Sentences of the page "Rigid bodies", on random bodies."""

import numpy as np
import pytest

import robotdyn as rd


def test_a_spin_about_a_principal_axis_needs_no_moment_and_only_the_middle_one_is_left():
    """A body that spins about a principal axis needs no moment to go on; disturbed, it stays there unless the moment is the middle one."""
    rng = np.random.default_rng(2)
    for _ in range(2):
        sides = np.sort(rng.uniform(0.05, 0.4, 3)) * [1, 1.3, 1.7]
        body = rd.bodies.box(1.0, sides[::-1])  # the moments come in ascending order
        moments, axes = body.principal()
        for k in range(3):
            omega = 10 * axes[:, k]
            assert abs(rd.rigid_body.wrench(body, omega, np.zeros(3))[3:]).max() < 1e-9
            run = rd.tumble(body, omega + 0.1 * axes[:, (k + 1) % 3], np.linspace(0, 6, 301))
            kept = (run.omega @ axes[:, k]) / 10
            assert (kept.min() > 0.97) == (k != 1)
            assert k != 1 or kept.min() < -0.9  # the middle axis turns over
        assert (np.diff(moments) > 0).all()


def test_products_of_inertia_and_unequal_moments_turn_the_angular_momentum_away():
    """About one of the axes it is the products that make I omega point away from omega; about another line, unequal moments do, too."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        I = rd.bodies.box(1.0, rng.uniform(0.1, 1, 3)).at(rotation=rd.rotations.exp(rng.normal(size=3))).inertia
        for k in range(3):
            away = np.linalg.norm(np.cross(I[:, k], np.eye(3)[k]))
            products = np.delete(I[:, k], k)
            assert abs(away - np.linalg.norm(products)) < 1e-12
        plain = np.diag(np.sort(np.diag(I)))  # no products at all
        line = rng.normal(size=3)
        assert np.linalg.norm(np.cross(plain @ line, line)) > 1e-6


def test_a_body_needs_second_moments_about_its_center_that_are_not_negative():
    """With s from the center of mass, the condition is that the matrix of second moments has no negative eigenvalue."""
    rng = np.random.default_rng(4)
    refused = 0
    for _ in range(200):
        center, second = rng.normal(size=3), np.diag(rng.uniform(-0.3, 1, 3))
        turn = rd.rotations.exp(rng.normal(size=3))
        inertia = turn @ (np.trace(second) * np.eye(3) - second) @ turn.T
        exists = np.linalg.eigvalsh(second).min() >= 0
        try:
            body = rd.Body(1.0, center, inertia)
        except ValueError:
            refused += 1
            assert not exists
        else:
            assert exists
            spots, weights = (
                np.concatenate([np.eye(3), -np.eye(3)]),
                np.tile(np.diag(second), 2),
            )  # six points that have it
            made = rd.bodies.points(np.full(6, 1 / 6), center + (spots * np.sqrt(3 * weights)[:, None]) @ turn.T)
            assert abs(made.inertia - body.inertia).max() < 1e-12
    assert 20 < refused < 180


def test_a_body_that_a_third_of_a_turn_brings_back_has_equal_moments_across():
    """If n is three or more, this is a principal axis, and all moments about lines across it through the center are equal."""
    rng = np.random.default_rng(5)
    for n in (2, 3, 4, 5, 7):
        blade, axis = rng.normal(size=(4, 3)), rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        turns = [rd.rotations.exp(2 * np.pi * k / n * axis) for k in range(n)]
        body = rd.bodies.points(np.full(4 * n, 0.1), np.concatenate([blade @ R.T for R in turns]))
        along = axis @ body.inertia @ axis
        assert abs(body.inertia @ axis - along * axis).max() < 1e-10
        across = np.linalg.svd(axis[None])[2][1:]
        moments = np.linalg.eigvalsh(across @ body.inertia @ across.T)
        assert (np.ptp(moments) < 1e-10) == (n >= 3)


def test_two_blades_shake_the_aircraft_twice_a_revolution_and_three_do_not():
    """The level moment swings between zero and 2 I_a Omega omega, the other between +-I_a Omega omega; with three it is steady."""
    rng = np.random.default_rng(6)
    for _ in range(3):
        turning, omega, about = rng.uniform(0.05, 0.5), rng.uniform(10, 100), rng.uniform(0.1, 5)
        found = {}
        for blades, inertia in ((2, (0, about, about)), (3, (about / 2, about / 2, about))):
            body, moments = rd.Body(1.0, inertia=np.diag(inertia)), []
            for phi in np.linspace(0, 2 * np.pi, 361):
                R = rd.rotations.exp((0, 0, phi))
                carried, shaft = R.T @ [0, turning, 0], np.array([0, 0, omega])
                moments.append(R @ rd.rigid_body.wrench(body, carried + shaft, -np.cross(shaft, carried))[3:])
            found[blades] = np.array(moments) / (about * turning * omega)
        assert np.ptp(found[3], axis=0).max() < 1e-9
        assert abs(found[3][0] - [1, 0, 0]).max() < 1e-9
        level, upright, along = found[2].T
        assert abs(np.array([level.min(), level.max(), upright.min(), upright.max()]) - [0, 2, -1, 1]).max() < 1e-3
        assert abs(along).max() <= turning / omega
        assert np.count_nonzero(np.diff(np.sign(upright[1:-1] + 1e-12))) == 3  # two full waves in a revolution


@pytest.mark.parametrize("moments", [(1, 1, 1.6), (1, 1.6, 1.6), (1, 1, 1), (1, 1.3, 1.6)])
def test_with_equal_moments_there_is_no_middle_axis(moments):
    """The answer is no for the axis of the middle one of three different moments; of two equal ones it is no for both, of three for none."""
    body = rd.Body(1.0, inertia=np.diag(moments))
    for k in range(3):
        run = rd.tumble(body, 5 * np.eye(3)[k] + 0.3, np.linspace(0, 40, 201))
        kept = (run.omega[:, k] / np.linalg.norm(run.omega, axis=1)).min() > 0.9
        others = np.delete(moments, k)
        left = min(others) < moments[k] < max(others) or (moments[k] in others and len(set(moments)) > 1)
        assert kept == (not left)


def test_unequal_moments_need_not_turn_the_angular_momentum_away():
    """About another line unequal moments may turn L away; about a line in the plane of two equal ones they do not."""
    rng = np.random.default_rng(8)
    for a, c, angle in rng.uniform([0.5, 1.2, 0.1], [1, 1.9, 1.4], (20, 3)):
        I = np.diag([a, a, a * c])
        for line, away in (([np.cos(angle), np.sin(angle), 0], False), ([np.cos(angle), 0, np.sin(angle)], True)):
            assert (np.linalg.norm(np.cross(I @ line, line)) > 1e-9) == away


def test_outside_of_a_mesh_each_point_is_counted_as_often_with_both_signs():
    """What lies outside the body is counted as often with one sign as with the other: not at all, once, or twice, if the body is not convex."""
    blocks = [((0, 0, 0), (1, 1, 1)), ((2, 0, 0), (3, 1, 1))]  # two blocks in a row, seen from one end
    faces = [(low, high, k, side) for low, high in blocks for k in range(3) for side in (0, 1)]
    eye, counts = np.array([-3, 0.5, 0.5]), set()
    for x in np.random.default_rng(9).uniform([-2, -1, -1], [4, 2, 2], (3000, 3)):
        signs = []
        for low, high, k, side in faces:  # is the point between the eye and the face?
            way, level = (x - eye)[k], (low, high)[side][k]
            if abs(way) < 1e-9 or (level - eye[k]) / way < 1:
                continue
            hit = eye + (level - eye[k]) / way * (x - eye)
            if all(low[j] <= hit[j] <= high[j] for j in range(3) if j != k):
                signs.append(1 if (way > 0) == (side == 1) else -1)
        inside = any((np.array(low) < x).all() and (x < high).all() for low, high in blocks)
        assert sum(signs) == inside
        counts.add(signs.count(-1) if not inside else None)
    assert {0, 1, 2} <= counts
