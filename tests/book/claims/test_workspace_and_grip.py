"""Sentences of three exercises beyond their numbers: the area of a workspace, the length of a quaternion, a block between two fingers."""

import numpy as np
import pytest

import robotdyn as rd


@pytest.mark.parametrize("seed", range(4))
def test_what_two_links_sweep_is_the_ring_between_two_circles(seed):
    """The sum of |det J| over one elbow, up to any limit of its angle, is the area from there to the stretched arm."""
    rng = np.random.default_rng(seed)
    lengths, limit = rng.uniform(0.2, 1, 2), rng.uniform(1, np.pi)
    arm = rd.robots.planar(lengths)
    bends = (np.arange(400) + 0.5) * limit / 400
    sweep = [abs(np.linalg.det(rd.tip_jacobian(arm, [0.3, bend])[:2])) for bend in bends]
    inner = np.linalg.norm(rd.point_position(arm, [0.3, limit]))
    area = np.pi * (sum(lengths) ** 2 - inner**2)
    assert 2 * np.pi * limit * np.mean(sweep) == pytest.approx(area, rel=1e-5)
    assert area == pytest.approx(2 * np.pi * lengths[0] * lengths[1] * (1 - np.cos(limit)))


@pytest.mark.parametrize("seed", range(4))
def test_a_quaternion_that_is_not_normed_grows_and_turns_a_little_late(seed):
    """A step of h grows by the root of 1 + (h |w| / 2)^2, and turns by twice the arctangent of h |w| / 2."""
    rng = np.random.default_rng(seed)
    start = rd.rotations.to_quaternion(rd.rotations.exp(rng.normal(size=3)))
    body, step, count = rng.normal(size=3), rng.uniform(0.001, 0.05), 20
    moved = start
    for _ in range(count):
        moved = moved + step * rd.rotations.quaternion_rate(moved, body)
    half = step * np.linalg.norm(body) / 2
    assert np.linalg.norm(moved) == pytest.approx((1 + half**2) ** (count / 2), rel=1e-12)
    turn = 2 * count * np.arctan(half) * body / np.linalg.norm(body)
    there = rd.rotations.from_quaternion(start) @ rd.rotations.exp(turn)
    assert np.allclose(rd.rotations.from_quaternion(moved / np.linalg.norm(moved)), there, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_two_fingers_hold_a_wedge_from_a_force_on_or_with_none(seed):
    """Force and weight of half a block are in the cone from P = V / tan(arctan mu - beta) on; a face that leans by more has no P."""
    rng = np.random.default_rng(seed)
    friction, V = rng.uniform([0.2, 1.0], [1.0, 20.0])
    presses = np.geomspace(1e-3, 1e6, 4001)
    for share in (0.0, 0.5, 0.9, 1.0, 1.2):
        beta = share * np.arctan(friction)
        into = np.array(
            [-np.cos(beta), -np.sin(beta)]
        )  # the normal of the right face, into a block that is wider below
        force = np.column_stack([-presses, np.full(4001, V)])
        across = force @ into
        along = abs(force @ [-into[1], into[0]])
        held = (across > 0) & (along <= friction * across)
        assert held.any() == (share < 1)
        if share < 1:
            assert presses[np.argmax(held)] == pytest.approx(V / np.tan(np.arctan(friction) - beta), rel=1e-2)
            assert held[np.argmax(held) :].all()
