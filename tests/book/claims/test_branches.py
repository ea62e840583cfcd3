"""Sentences of the page "What does a branch change?", on random trees in space."""

import json
from dataclasses import replace

import numpy as np
import pytest

import robotdyn as rd
from bookbuild import ROOT
from robotdyn.dynamics.recursive import solve, solved_forward_dynamics


def tree(rng: np.random.Generator, n: int) -> rd.Arm:
    """Return a random tree of n links."""
    parents = [-1, *(int(rng.integers(-1, k)) for k in range(1, n))]
    return rd.Arm(rd.robots.random_arm(rng, n).links, parents=parents)


def page_function(name: str, cell: str) -> object:
    """Return a function that a cell of the page defines."""
    page = json.loads((ROOT / "book" / "branches.ipynb").read_text(encoding="utf8"))
    source = next("".join(x["source"]) for x in page["cells"] if x["id"] == cell)
    scope: dict[str, object] = {"rd": rd, "np": np}
    exec(source[source.index(f"def {name}") :].split("\n\n\n")[0], scope)
    return scope[name]


def test_an_entry_vanishes_unless_one_joint_carries_the_other():
    """These zeros do not depend on the pose, on masses or on the kinds of joints, and no other entry is zero at random."""
    rng = np.random.default_rng(1)
    for _ in range(40):
        arm = tree(rng, int(rng.integers(2, 12)))
        M = rd.by_links.mass_matrix(arm, rng.normal(size=arm.n))
        related = [[i in arm.path(j) or j in arm.path(i) for j in range(arm.n)] for i in range(arm.n)]
        assert ((abs(M) > 1e-12 * abs(M).max()) == related).all()
        assert np.sum(related) == sum(2 * len(arm.path(i)) - 1 for i in range(arm.n))


def test_factored_from_the_tips_no_zero_is_filled():
    """L keeps the zeros of M, its pivots are the hinge inertias, and Cholesky's factor from the trunk fills some."""
    rng, filled = np.random.default_rng(2), 0
    factor = page_function("factor", "fill-code")
    for _ in range(40):
        arm = tree(rng, int(rng.integers(2, 12)))
        M = rd.mass_matrix(arm, rng.normal(size=arm.n))
        L, D, products = factor(M, arm.parents)
        depth = [len(arm.path(i)) for i in range(arm.n)]
        assert products == sum(d * (d - 1) // 2 for d in depth)
        assert abs(L.T @ np.diag(D) @ L - M).max() < 1e-9 * abs(M).max()
        assert (L[np.tril(M) == 0] == 0).all()
        hinge = [1 / np.linalg.inv(M[k:, k:])[0, 0] for k in range(arm.n)]
        assert np.allclose(D, hinge, rtol=1e-8)
        b = rng.normal(size=arm.n)
        assert np.allclose(M @ solve(M, b), b, atol=1e-7)
        filled += int((abs(np.linalg.cholesky(M)[np.tril(M) == 0]) > 1e-9).sum())
    assert filled > 100


def test_the_trunk_first_fills_every_zero_of_arms_on_one_joint():
    """One step, and all eight zeros are gone: where both shoulders and elbows share energy with the trunk."""
    rng = np.random.default_rng(3)
    arm = rd.Arm(rd.robots.random_arm(rng, 5).links, parents=[-1, 0, 1, 0, 3])
    M = rd.mass_matrix(arm, rng.normal(size=5))
    step = M - np.outer(M[:, 0], M[0]) / M[0, 0]
    assert np.count_nonzero(M == 0) == 8 and (abs(step[1:, 1:]) > 1e-6).all()


def test_any_order_with_parents_first_gives_the_same_robot():
    """Rows and columns change places, and motion is the same; an order in which a child comes first is refused."""
    rng = np.random.default_rng(4)
    arm = rd.Arm(rd.robots.random_arm(rng, 5).links, parents=[-1, 0, 1, 0, 3])
    order = [0, 3, 1, 2, 4]
    other = rd.Arm([arm.links[k] for k in order], parents=[-1, 0, 0, 2, 1])
    q, qd, tau = rng.normal(size=(3, 5))
    here = rd.forward_dynamics(arm, q, qd, tau)
    assert np.allclose(rd.forward_dynamics(other, q[order], qd[order], tau[order]), here[order], rtol=1e-9, atol=1e-9)
    with pytest.raises(ValueError, match="list each link after the one that carries it"):
        replace(arm, parents=[-1, 2, 0, 0, 3])


def test_rnea_costs_the_same_on_a_tree_and_the_way_over_the_matrix_less():
    """RNEA takes as many operations, ABA nearly as many; CRBA with a solve saves the more, the bushier the robot."""
    rng = np.random.default_rng(5)
    links = rd.robots.random_arm(rng, 16, ["revolute"] * 16).links
    shapes = {
        "chain": list(range(-1, 15)),
        "two limbs": [-1, *range(8), 0, *range(9, 15)],
        "five limbs": [-1, *(p for k in range(5) for p in (0, 3 * k + 1, 3 * k + 2))],
    }
    count = {
        name: [
            rd.trace(f, rd.Arm(links, parents=parents)).operations
            for f in (rd.inverse_dynamics, rd.forward_dynamics, solved_forward_dynamics)
        ]
        for name, parents in shapes.items()
    }
    rnea, aba, solved = np.array(list(count.values())).T
    assert np.ptp(rnea) < 0.01 * rnea.max() and np.ptp(aba) < 0.08 * aba.max()
    assert solved[0] > solved[1] > solved[2] and solved[0] > aba[0] and solved[2] < aba[2]


@pytest.mark.parametrize("trunk", [1, 2, 3])
def test_what_passes_between_two_limbs_has_as_many_numbers_as_the_trunk_has_joints(trunk):
    """The block of the inverse has a rank of at most m; with a locked trunk it is zero."""
    rng = np.random.default_rng(trunk)
    parents = [*range(-1, trunk), *range(trunk, trunk + 3), trunk - 1, *range(trunk + 4, trunk + 7)]
    arm = rd.Arm(rd.robots.random_arm(rng, len(parents)).links, parents=parents)
    q = rng.normal(size=arm.n)
    W = np.linalg.inv(rd.mass_matrix(arm, q))
    sizes = np.linalg.svd(W[trunk : trunk + 4, trunk + 4 :], compute_uv=False)
    assert (sizes[:trunk] > 1e-6 * sizes[0]).all() and (sizes[trunk:] < 1e-9 * sizes[0]).all()
    held = arm.locked({k: q[k] for k in range(trunk)})
    inverse = np.linalg.inv(rd.mass_matrix(held, q[trunk:]))
    assert abs(inverse[:4, 4:]).max() < 1e-12 * abs(inverse).max()


def test_a_chains_inner_loop_in_a_tree_makes_shared_entries_depend_on_the_other_arm():
    """Turning the right arm must not change what the left arm and the trunk share."""
    rng = np.random.default_rng(6)
    arm = rd.Arm(rd.robots.random_arm(rng, 5).links, parents=[-1, 0, 1, 0, 3])
    q = rng.normal(size=5)
    turned = q + [0, 0.7, -0.4, 0, 0]
    here, there = (rd.mass_matrix(arm, x) for x in (q, turned))
    assert np.allclose(here[0, 3:], there[0, 3:], rtol=1e-12) and not np.allclose(here[0, 1], there[0, 1])


def test_a_link_enters_the_torques_of_the_joints_that_carry_it():
    """The columns of the regressor that belong to a link are zero in the rows of all other joints."""
    rng = np.random.default_rng(7)
    arm = tree(rng, 7)
    Y = rd.regressor(arm, *rng.normal(size=(3, 7)))
    for k in range(7):
        rows = np.flatnonzero(abs(Y[:, 10 * k : 10 * k + 10]).max(axis=1) > 1e-12)
        assert set(rows) <= set(arm.path(k)) and k in rows


def test_a_binary_tree_takes_products_that_grow_nearly_like_its_links():
    """N = 2^(h - 1) (h^2 - 3 h + 4) - 2 for h levels."""
    for h in range(1, 12):
        depths = [d for d in range(1, h + 1) for _ in range(2 ** (d - 1))]
        assert sum(d * (d - 1) // 2 for d in depths) == 2 ** (h - 1) * (h * h - 3 * h + 4) - 2


def two_arms(trunk: float) -> rd.Arm:
    """Return the robot of the page: a trunk of an inertia in kg m^2 and two arms of point masses."""
    links = [rd.Link(0, (0, 0, 0), trunk * np.diag([0.5, 0.5, 1]))]
    for shoulder in (0.2, -0.2):
        links += [rd.Link(mass, (0.3, 0, 0), position=(x, 0, 0)) for mass, x in ((2.0, shoulder), (1.0, 0.3))]
    return rd.Arm(links, (0, 0, 0), tip=(0.3, 0, 0), parents=[-1, 0, 1, 0, 3])


def test_the_inverse_keeps_none_of_the_zeros_and_may_have_others_in_one_pose():
    """In a single pose an entry between the arms may vanish, but none of them in all poses, as long as the trunk can move."""
    rng = np.random.default_rng(8)
    robot = two_arms(0.5)
    between = [np.linalg.inv(rd.mass_matrix(robot, q))[1:3, 3:] for q in rng.uniform(-3, 3, (200, 5))]
    assert (np.max(np.abs(between), axis=0) > 1).all()
    low, high = -0.3, -0.1  # rad, of the right elbow
    entry = lambda q_3: np.linalg.inv(rd.mass_matrix(robot, [0, 1.2, q_3, np.pi - 1.2, -0.3]))[2, 3]
    assert entry(low) * entry(high) < 0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if entry(low) * entry(middle) > 0 else (low, middle)
    assert abs(low + 0.2) < 0.005


def test_not_more_than_six_numbers_pass_through_a_link():
    """However many joints carry the link on which both limbs hang, the rank is at most six."""
    trunk, rng = 8, np.random.default_rng(9)
    parents = [*range(-1, trunk + 7), trunk - 1, *range(trunk + 8, trunk + 15)]
    arm = rd.Arm(rd.robots.random_arm(rng, len(parents)).links, parents=parents)
    W = np.linalg.inv(rd.mass_matrix(arm, rng.normal(size=arm.n)))
    sizes = np.linalg.svd(W[trunk : trunk + 8, trunk + 8 :], compute_uv=False)
    assert (sizes[:6] > 1e-6 * sizes[0]).all() and (sizes[6:] < 1e-10 * sizes[0]).all()


def test_a_zero_survives_only_between_coordinates_of_which_no_joints_are_related():
    """Two fingers of one hand that one coordinate drives leave the zeros between this hand and the other arm."""
    rng = np.random.default_rng(10)
    parents = [-1, 0, 1, 1, 0, 4, 4]  # trunk; arm, two fingers; arm, two fingers
    arm = rd.Arm(rd.robots.random_arm(rng, 7).links, parents=parents)
    related = np.array([[i in arm.path(j) or j in arm.path(i) for j in range(7)] for i in range(7)])
    for drives in ([0, 1, 2, 2, 3, 4, 5], [0, 1, 2, 3, 1, 4, 5]):  # fingers of one hand; both arms
        G = np.zeros((7, 6))
        G[range(7), drives] = rng.normal(size=7)
        M = G.T @ rd.mass_matrix(arm, rng.normal(size=7)) @ G
        assert ((abs(M) > 1e-12 * abs(M).max()) == (abs(G).T @ related @ abs(G) > 0)).all()


def test_the_inverse_has_zeros_where_limbs_are_balanced():
    """The inverse in general has no such zeros where the trunk can move; of two balanced wheels on a cart it has, on a swivel it has none."""
    wheel = {"mass": 1.0, "inertia": 0.1 * np.eye(3)}
    wheels = [rd.Link(**wheel, position=(x, 0, 0)) for x in (0.3, -0.3)]
    for trunk, coupled in (
        (rd.Link(1.0, joint="prismatic", axis=(1, 0, 0)), False),
        (rd.Link(1.0, inertia=0.5 * np.eye(3)), True),
    ):
        robot = rd.Arm([trunk, *wheels], (0, 0, 0), parents=[-1, 0, 0])
        W = np.linalg.inv(rd.mass_matrix(robot, np.array([0.1, 0.5, -0.7])))
        assert (abs(W[1, 2]) > 1e-6) == coupled
        assert W[0, 0] > 0.1  # the trunk can move
