"""Sentences of the page "Held hands and closed loops", on random linkages."""

import numpy as np
import pytest

import robotdyn as rd

PLANE = np.eye(3)[:2]


def test_the_loop_of_a_piston_has_full_rank_at_its_dead_centers():
    """The equations of the loop keep their full rank and its forces are determined; but the speed of the piston is zero."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        crank = rng.uniform(0.05, 0.5)
        piston = rd.robots.planar([crank, crank * rng.uniform(1.1, 5)], rng.uniform(0.2, 2, 2))
        guide = rd.constraints.hold_point(piston, (0, 0, 0), axes=[(0, 1, 0)])
        for q in (np.array([0.0, 0.0]), np.array([np.pi, -np.pi])):
            J = guide.jacobian(q)
            assert np.linalg.matrix_rank(J) == 1
            turning = np.array([1, -J[0, 0] / J[0, 1]])
            assert abs(rd.tip_jacobian(piston, q)[0] @ turning) < 1e-12
            push = rd.tip_jacobian(piston, q)[0] * 100.0  # a force of 100 N on the piston, along its guide
            assert abs(push @ turning) < 1e-10  # no moment about the crank
            assert np.isfinite(rd.constraints.forward_dynamics(guide, q, turning, push)[1]).all()


def placed(q: np.ndarray, crank: float, coupler: float, rocker: float):
    """Return the linkage with these three bars and the constraint that pins its tip where it is at q."""
    linkage = rd.robots.planar([crank, coupler, rocker])
    tip = rd.point_position(linkage, q)
    return linkage, rd.constraints.hold_point(linkage, tip, axes=PLANE)


def test_a_change_point_has_lost_a_rank_and_a_dead_center_of_four_bars_has_not():
    """At a change point, with all hinges in a line, the Jacobian of the loop loses rank; crank and coupler in line are not enough."""
    rng = np.random.default_rng(2)
    for _ in range(50):
        bars = rng.uniform(0.2, 2, 3)
        q = np.array([rng.uniform(-3, 3), *rng.choice([0.0, np.pi], 2)])  # all hinges in a line
        linkage, loop = placed(q, *bars)
        assert np.linalg.matrix_rank(loop.jacobian(q), tol=1e-9) == 1
        with pytest.raises(ValueError, match="the 2 equations"):
            rd.constraints.forward_dynamics(loop, q, np.zeros(3), np.zeros(3))
        q[2] += rng.choice([-1, 1]) * rng.uniform(0.2, 2.9)  # crank and coupler in line, the rocker not: a dead center
        linkage, loop = placed(q, *bars)
        assert np.linalg.matrix_rank(loop.jacobian(q), tol=1e-9) == 2
        rd.constraints.forward_dynamics(loop, q, np.zeros(3), np.zeros(3))


def test_forces_grow_on_the_way_to_a_change_point():
    """On the way there its forces may grow without bound: a tenth of the angle, ten times the force of a torque on the crank."""
    found = []
    for angle in (0.1, 0.01, 0.001):
        q = np.array([angle, -angle, angle - np.pi])  # a parallelogram that is nearly flat
        linkage, loop = placed(q, 0.4, 0.6, 0.4)
        J = loop.jacobian(q)
        holding = np.linalg.lstsq(J[:, 1:].T, np.array([1.0, 0.0]), rcond=None)[
            0
        ]  # the coupler takes 1 N m, the rocker none
        found.append(np.linalg.norm(holding))
    assert found[1] / found[0] == pytest.approx(10, rel=0.05)
    assert found[2] / found[1] == pytest.approx(10, rel=0.05)


def test_a_force_across_the_plane_is_unknown_and_the_two_in_the_plane_are_not():
    """The two forces in the plane are what they were, but no law of rigid bodies says how large the third is."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        q, qd = rng.uniform(-2, 2, 3), rng.normal(size=3)
        linkage = rd.robots.planar(rng.uniform(0.3, 1, 3), rng.uniform(0.5, 2, 3))
        J = rd.tip_jacobian(linkage, q)[:3]
        size = J @ np.linalg.solve(rd.mass_matrix(linkage, q), J.T)
        assert np.linalg.svd(size)[1][-1] < 1e-12 * size.max()
        assert abs(J[2]).max() < 1e-12  # no work in any motion of the joints, so none of them tells its force
        flat = rd.constraints.hold_point(linkage, rd.point_position(linkage, q), axes=PLANE)
        free = -J @ rd.forward_dynamics(linkage, q, qd, np.zeros(3)) - np.array([*flat.bias(q, qd), 0])
        shared = np.linalg.pinv(size, rcond=1e-10) @ free
        if np.linalg.cond(size[:2, :2]) < 1e4:
            assert shared[:2] == pytest.approx(np.linalg.solve(size[:2, :2], free[:2]), rel=1e-8, abs=1e-10)


def test_a_linkage_is_put_together_in_two_ways():
    """It can be put together in two ways, mirror images about the line from the end of the crank to the fixed hinge."""
    bars, ground = np.array([0.4, 1.0, 0.8]), np.array([0.9, 0.0])
    linkage = rd.robots.planar(bars)
    loop = rd.constraints.hold_point(linkage, (0.9, 0, 0), axes=PLANE)
    smallest = np.inf
    for x in np.linspace(0, 2 * np.pi, 73):  # no angle of the crank at which the two ways meet
        way = ground - bars[0] * np.array([np.cos(x), np.sin(x)])
        far, aim = np.linalg.norm(way), np.arctan2(way[1], way[0])
        bend = np.arccos((far**2 + bars[1] ** 2 - bars[2] ** 2) / (2 * far * bars[1]))
        turn = np.arccos((bars[1] ** 2 + bars[2] ** 2 - far**2) / (2 * bars[1] * bars[2])) - np.pi
        for side in (1, -1):
            q = np.array([x, aim + side * bend - x, side * turn])
            assert abs(loop.equations(q)).max() < 1e-12
        smallest = min(smallest, bend)
    assert smallest > 0.1


def test_the_table_still_carries_a_hand_whose_elbow_falls_faster_than_a_stone():
    """The apparent weight turns the rod the way it has to turn; the table provides what is missing, until nothing is."""
    arm = rd.robots.two_link()
    table = rd.constraints.hold_point(arm, (0, 0, 0), axes=[(0, 1, 0)])
    falling, carries = [], []
    run = rd.simulate(arm, [np.pi / 3, -2 * np.pi / 3], [0, 0], rd.constraints.law(table), np.linspace(0, 0.68, 69))
    for q, qd in zip(run.q, run.qd, strict=True):
        qdd, force = rd.constraints.forward_dynamics(table, q, qd, [0, 0])
        falling.append(-rd.point_acceleration(arm, q, qd, qdd, 1, (0, 0, 0))[1])
        carries.append(force[0])
    falling, carries = np.array(falling), np.array(carries)
    between = (falling > 9.81) & (falling < 20)
    assert between.any()
    assert (carries[between] > 0).all()
    assert carries[falling > 21.5].max() < 0


def test_when_there_is_one_answer():
    """Exactly one solution if and only if the rows of J are independent and no permitted motion is without kinetic energy."""
    rng, seen = np.random.default_rng(8), set()
    for _ in range(300):
        n = int(rng.integers(2, 6))
        m = int(rng.integers(1, n + 1))
        root = rng.integers(-1, 2, (int(rng.integers(1, n + 1)), n))
        M, J = root.T @ root, rng.integers(-1, 2, (m, n))  # small whole numbers, so that ranks are often too low
        independent = np.linalg.matrix_rank(J) == m
        permitted = np.linalg.svd(J)[2][np.linalg.matrix_rank(J) :]
        moving = len(permitted) == 0 or np.linalg.eigvalsh(permitted @ M @ permitted.T)[0] > 1e-9
        one = np.linalg.matrix_rank(np.block([[M, -J.T], [J, np.zeros((m, m))]])) == n + m
        assert one == (independent and moving)
        seen.add((bool(independent), bool(moving)))
    assert len(seen) == 4


def test_an_upright_second_link_without_mass_has_no_one_answer():
    """With the tip held at one height, and the second link not upright, every motion turns the first link, and the answer is unique."""
    bare = rd.robots.planar([0.5, 0.6], [2.0, 0.0], [0.25, 0.3], [0.05, 0.0])
    for first in np.random.default_rng(9).uniform(-3, 3, 30):
        for second, rank in ((np.pi / 2 - first, 2), (np.pi / 2 - first + 0.1, 3), (-np.pi / 2 - first, 2)):
            q = np.array([first, second])
            J = rd.tip_jacobian(bare, q)[1:2]
            system = np.block([[rd.mass_matrix(bare, q), -J.T], [J, np.zeros((1, 1))]])
            assert np.linalg.matrix_rank(system, tol=1e-9) == rank


@pytest.mark.parametrize("seed", range(4))
def test_two_rods_that_keep_their_lengths_give_the_velocity_of_the_hand(seed):
    """J_p p' = J_q q', on random five-bar linkages; rods in line let the hand move though the cranks stand, to first order."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform([1.6, 0.6], [2.4, 1.4])
    feet, cranks = np.array([[0, 0], [rng.uniform(0.1, 0.3), 0]]), rng.uniform(0.2, 0.3, 2)
    ends = lambda q: feet + cranks[:, None] * np.column_stack([np.cos(q), np.sin(q)])
    rods = rng.uniform(0.3, 0.5, 2)

    def hand(q):
        (x, y), far = ends(q)[1] - ends(q)[0], np.linalg.norm(ends(q)[1] - ends(q)[0])
        along = (far**2 + rods[0] ** 2 - rods[1] ** 2) / (2 * far)
        return ends(q)[0] + (along * np.array([x, y]) + np.sqrt(rods[0] ** 2 - along**2) * np.array([-y, x])) / far

    way = hand(angles) - ends(angles)
    slope = (ends(angles) - feet) @ [[0, 1], [-1, 0]]
    found = np.linalg.solve(way, np.diag((way * slope).sum(axis=1)))
    step = 1e-6
    numeric = [(hand(angles + step * u) - hand(angles - step * u)) / (2 * step) for u in np.eye(2)]
    assert np.allclose(found, np.transpose(numeric), atol=1e-7)
    line = ends(angles)[1] - ends(angles)[0]
    across = np.array([-line[1], line[0]]) / np.linalg.norm(line)
    middle = ends(angles).mean(axis=0)  # where rods of half the distance are in line
    off = [np.linalg.norm(middle + h * across - ends(angles), axis=1) - np.linalg.norm(line) / 2 for h in (1e-2, 1e-3)]
    assert np.allclose(np.divide(*off), 100, rtol=1e-2)
