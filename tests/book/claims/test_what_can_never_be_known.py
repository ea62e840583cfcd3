"""Sentences of the page "What can never be known", on random arms."""

import numpy as np
import pytest

import robotdyn as rd


def hidden(arm) -> int:
    """Return how many independent changes of the parameters show in no torque."""
    return rd.base_parameters(arm).null_space.shape[1]


def test_the_list_is_complete_for_links_that_move_freely():
    """For a link that the joints before it can turn and accelerate in all directions, the steps of the list are everything."""
    rng = np.random.default_rng(1)
    for _ in range(2):
        before = rd.robots.random_arm(rng, 4, ["revolute"] * 4)
        already = hidden(before)
        for kind, passes in (("revolute", 3), ("prismatic", 6), ("screw", 1)):
            longer = rd.Arm([*before.links, rd.robots.random_arm(rng, 1, [kind]).links[0]], gravity=before.gravity)
            assert hidden(longer) - already == passes


def test_the_list_has_6_of_the_14_hidden_changes_of_two_links_in_a_plane():
    """For the two-link arm in a vertical plane the list has 6 of 14 hidden changes."""
    rng = np.random.default_rng(2)
    for _ in range(5):
        lengths, masses, coms, inertias = rng.uniform(0.2, 2, (4, 2))
        arm = rd.robots.two_link(lengths, masses, coms * lengths / 2, inertias)
        base = rd.base_parameters(arm)
        assert base.null_space.shape == (20, 14)
        steps = []
        for link, place in ((0, (0, 0, 0)), (1, (lengths[0], 0, 0))):  # a point, a first moment and a wire on each axis
            on_axis = [[(0, 0, 0)], [(0, 0, 1.0), (0, 0, -1.0)], [(0, 0, 1.0)]]
            for points in on_axis:
                signs = np.ones(len(points))
                change = np.zeros(20)
                change[10 * link : 10 * link + 10] -= ten(signs, points)
                if link:
                    change[:10] += ten(signs, np.add(points, place))
                steps.append(change)
        steps = np.array(steps)
        assert np.linalg.matrix_rank(steps) == 6
        states = rng.normal(size=(3, 30, 2))
        assert abs(rd.regressor(arm, *states) @ steps.T).max() < 1e-9


def ten(masses, points) -> np.ndarray:
    """Return the ten parameters of point masses."""
    return rd.parameters(rd.Arm([rd.Link(*rd.bodies.points(masses, points))]))


@pytest.mark.parametrize("name", ["scara", "double_pendulum"])
def test_behind_parallel_axes_more_stays_hidden(name):
    """Links behind parallel axes cannot move so freely, and of their numbers more stays hidden."""
    arm = getattr(rd.robots, name)()
    listed = sum(6 if link.joint == "prismatic" else 3 for link in arm.links)
    assert hidden(arm) > listed + 3
