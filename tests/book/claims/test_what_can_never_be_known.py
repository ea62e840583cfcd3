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


def count(kinds: str, axes, rng) -> tuple[int, int]:
    """Return how many combinations show of an arm of "r" and "p" with these axes and random bodies, and what the formula says."""
    links = []
    for place, (kind, axis) in enumerate(zip(kinds, axes, strict=True)):
        body = rd.robots.random_arm(rng, 1, ["revolute"]).links[0]
        joint = "revolute" if kind == "r" else "prismatic"
        position = rng.normal(size=3) if place else np.zeros(3)
        links.append(rd.Link(body.mass, body.com, body.inertia, joint=joint, axis=axis, position=position))
    shown = len(rd.base_parameters(rd.Arm(links, gravity=(0, 0, -9.81))))
    return shown, 7 * kinds.count("r") + 4 * kinds.count("p") - 6


def test_the_formula_counts_if_the_second_joint_is_a_hinge_that_is_not_upright():
    """7 n_r + 4 n_p - 6 combinations show if the first axis is upright and the second joint is a hinge not parallel to it."""
    rng = np.random.default_rng(6)
    for kinds in ("rr", "rrp", "rrr", "rrpr", "rrpp"):
        square = [np.eye(3)[2], np.eye(3)[1], *np.eye(3)[rng.integers(0, 3, len(kinds) - 2)]]
        askew = [np.eye(3)[2], *(x / np.linalg.norm(x) for x in rng.normal(size=(len(kinds) - 1, 3)))]
        for axes in (square, askew):
            shown, formula = count(kinds, axes, rng)
            assert shown == formula


@pytest.mark.parametrize(("kinds", "shown"), [("rp", 4), ("rpp", 7), ("rpr", 11)])
def test_behind_a_slide_fewer_show(kinds, shown):
    """Behind an upright second axis or a slide fewer show: a hinge and a slide reveal 4 and not 5, and 2 if the slide is upright."""
    rng = np.random.default_rng(7)
    axes = [np.eye(3)[2], *(x / np.linalg.norm(x) for x in rng.normal(size=(len(kinds) - 1, 3)))]
    assert count(kinds, axes, rng)[0] == shown < count(kinds, axes, rng)[1]
    assert count("rr", [np.eye(3)[2]] * 2, rng)[0] < 8
    assert count("rp", [np.eye(3)[2]] * 2, rng)[0] == 2


def test_five_numbers_of_link_1_show_only_in_sums_at_the_base():
    """At a sensor below the base m_1, m_1 c_1x, I_1zz, m_1 c_1z and I_1xz show only in sums with numbers of link 2."""
    rng = np.random.default_rng(8)
    arm = rd.robots.two_link((0.7, 0.4), (2.0, 1.3))
    free = rd.floating(arm, rd.Body(1.0, (0, 0, 0), np.eye(3)), gravity=arm.gravity)
    states = [[np.concatenate([np.zeros(6), x]) for x in rng.normal(size=(3, 2))] for _ in range(40)]
    rows = np.vstack([rd.regressor(free, *state)[:, -20:] for state in states])
    values, ways = np.linalg.svd(rows)[1:]
    assert (values > 1e-9 * values[0]).sum() == 12
    names = np.array(rd.base_parameters(arm).names)
    hidden, unseen = np.abs(ways[12:]).max(axis=0) > 1e-9, np.abs(rows).max(axis=0) < 1e-9
    in_sums = set(names[hidden & ~unseen])
    assert {x for x in in_sums if "_1" in x} == {"m_1", "m_1 c_1x", "I_1zz", "m_1 c_1z", "I_1xz"}
    assert set(names[unseen]) == {f"I_{k}{x}" for k in (1, 2) for x in ("xx", "xy", "yy")}


@pytest.mark.parametrize(
    ("kinds", "axes", "places"),
    [
        ("rr", "zy", [(0, 0, 0)]),  # two axes that meet
        ("rrr", "zyy", [(0, 0, 0), (0, 0, 0)]),  # the second and the third in one line
        ("rrrr", "zyzy", [(0, 0, 0)] * 3),  # all of them in one point
        ("rrp", "zyy", [(0.3, 0, 0.1), (0, 0, 0)]),  # a slide along the second hinge
        ("rrpp", "zyxx", [(0, 0, 0)] * 3),  # two slides in one direction
        ("rrpppp", "zyxyzx", [(0, 0, 0)] * 5),  # more slides than directions
    ],
)
def test_the_formula_counts_where_axes_meet_or_coincide(kinds, axes, places):
    """7 n_r + 4 n_p - 6 combinations show also where axes meet, coincide or slide along one another."""
    rng, links = np.random.default_rng(9), []
    for kind, axis, place in zip(kinds, axes, [(0, 0, 0), *places], strict=True):
        turned = rd.rotations.exp(rng.normal(size=3))
        body = rd.bodies.box(1.0, rng.uniform(0.1, 0.5, 3)).at(position=rng.normal(size=3), rotation=turned)
        joint = "revolute" if kind == "r" else "prismatic"
        links.append(rd.Link(*body, joint=joint, axis=np.eye(3)["xyz".index(axis)], position=place))
    assert len(rd.base_parameters(rd.Arm(links))) == 7 * kinds.count("r") + 4 * kinds.count("p") - 6
