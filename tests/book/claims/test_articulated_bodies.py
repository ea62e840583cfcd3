"""Sentences of the page "Articulated bodies", over poses that a search finds."""

import json
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import robotdyn as rd
from bookbuild import ROOT
from robotdyn.dynamics.recursive import chain


def page_functions(*names: str) -> dict[str, Any]:
    """Return functions that cells and solutions of the page define."""
    page = json.loads((ROOT / "book" / "articulated-bodies.ipynb").read_text(encoding="utf8"))
    text = "\n\n\n".join("".join(cell["source"]) for cell in page["cells"])
    scope: dict[str, Any] = {"rd": rd, "np": np, "chain": chain}
    for name in names:
        exec(text[text.index(f"def {name}(") :].split("\n\n\n")[0], scope)
    return scope


def taken_away(q: np.ndarray, joint: int) -> float:
    """Return by which share the joints beyond `joint` of the PUMA, when free, lighten it: 1 - D_i / M_ii."""
    behind = rd.mass_matrix(rd.robots.puma560(), q)[joint:, joint:]
    return 1 - 1 / (np.linalg.inv(behind)[0, 0] * behind[0, 0])


@pytest.mark.parametrize(("joint", "most"), [(0, 0.178), (1, 0.537)])
def test_a_search_over_all_poses_ends_where_the_page_says(joint, most):
    """A search for the largest values over all poses ends at 17.8 and 53.7 percent."""
    rng = np.random.default_rng(joint)
    poses = rng.uniform(-np.pi, np.pi, (100, 6))
    starts = poses[np.argsort([-taken_away(q, joint) for q in poses])[:2]]
    found = [
        minimize(lambda q: -taken_away(q, joint), start, method="Nelder-Mead", options={"maxiter": 900})
        for start in starts
    ]
    assert -min(run.fun for run in found) == pytest.approx(most, abs=5e-4)


def test_unlocking_a_joint_never_makes_an_arm_heavier():
    """A joint that yields can only take away from the resistance, for random arms of every kind."""
    rng = np.random.default_rng(9)
    for _ in range(100):
        n = int(rng.integers(2, 7))
        arm = rd.robots.random_arm(rng, n, list(rng.choice(["revolute", "prismatic"], n)))
        M = rd.mass_matrix(arm, rng.normal(size=n))
        for i in range(n):
            assert 1 / np.linalg.inv(M[i:, i:])[0, 0] <= M[i, i] * (1 + 1e-9)


def test_a_motor_feels_less_if_the_joints_before_its_own_are_free_as_well():
    """D_i is felt with the link before held; if the other joints are all free, the motor feels 1 / (M^-1)_ii, which is at most D_i."""
    rng = np.random.default_rng(10)
    less = 0
    for _ in range(60):
        n = int(rng.integers(2, 7))
        arm = rd.robots.random_arm(rng, n, list(rng.choice(["revolute", "prismatic"], n)))
        still = rd.Arm(arm.links, gravity=(0, 0, 0))
        q = rng.normal(size=n)
        M = rd.mass_matrix(arm, q)
        D = [1 / np.linalg.inv(M[i:, i:])[0, 0] for i in range(n)]
        felt = [1 / rd.forward_dynamics(still, q, 0 * q, e)[i] for i, e in enumerate(np.eye(n))]
        assert felt == pytest.approx(1 / np.diag(np.linalg.inv(M)))
        assert (np.array(felt) <= np.array(D) * (1 + 1e-9)).all()
        assert felt[0] == pytest.approx(D[0])
        assert np.prod(D) == pytest.approx(np.linalg.det(M), rel=1e-6)
        less += min(np.array(felt) / D) < 0.9
    assert less > 30


@pytest.mark.parametrize("seed", range(12))
def test_a_joint_whose_motion_is_given_does_not_yield(seed):
    """Of some joints the acceleration is given and of the others the torque: the rest is found, as by the equation of motion."""
    rng = np.random.default_rng(seed)
    hybrid_dynamics = page_functions("articulated_inertia", "hybrid_dynamics")["hybrid_dynamics"]
    n = int(rng.integers(1, 8))
    arm = rd.robots.random_arm(rng, n, list(rng.choice(["revolute", "prismatic"], n)))
    q, qd, qdd = rng.normal(size=(3, n))
    tau = rd.inverse_dynamics(arm, q, qd, qdd)
    for led in (rng.integers(0, 2, n) > 0, np.ones(n, bool), np.zeros(n, bool)):
        found = hybrid_dynamics(arm, q, qd, np.where(led, qdd, tau), led)
        assert found[0] == pytest.approx(qdd, abs=1e-7)
        assert found[1] == pytest.approx(tau, abs=1e-7)


def is_body(A: np.ndarray) -> bool:
    """Return whether a 6 x 6 inertia, angular part first, is that of some body."""
    mass = A[3, 3]
    first = np.array([A[2, 4], A[0, 5], A[1, 3]])  # of m [c]x, the upper right block
    if abs(A[3:, 3:] - mass * np.eye(3)).max() > 1e-9 or abs(A[:3, 3:] - rd.spatial.skew(first)).max() > 1e-9:
        return False
    about_center = A[:3, :3] + rd.spatial.skew(first) @ rd.spatial.skew(first) / mass
    second = np.trace(about_center) / 2 * np.eye(3) - about_center
    return bool(np.linalg.eigvalsh(second)[0] > -1e-9)


def test_an_articulated_inertia_is_in_general_that_of_no_body():
    """In general it is the inertia of no body; that of the last link is, and so is that of a link with a balanced flywheel."""
    rng = np.random.default_rng(14)
    left = page_functions("articulated_inertia")["articulated_inertia"]
    for _ in range(20):
        arm = rd.robots.random_arm(rng, 2, ["revolute"] * 2)
        X, S, I = chain(arm, rng.normal(size=2))
        assert is_body(I[1].matrix)
        assert not is_body(I[0].matrix + X[1].T @ left(I[1].matrix, S[1]) @ X[1])
    wheel = rd.Link(1.0, (0, 0, 0), np.diag([0.1, 0.1, 0.2]))
    X, S, I = chain(rd.Arm([rd.Link(1.0, (0.2, 0, 0), np.diag([0.1, 0.2, 0.2])), wheel]), np.array([0.1, 0.2]))
    assert is_body(I[0].matrix + X[1].T @ left(I[1].matrix, S[1]) @ X[1])


def test_a_hand_that_only_pushes_never_feels_more_than_the_entry_on_the_diagonal():
    """A hand that only pushes never feels more than the entry, and as a rule less; as much if it pushes at the center of mass."""
    rng = np.random.default_rng(15)
    left = page_functions("articulated_inertia")["articulated_inertia"]
    for center, equal in ((rng.normal(size=3), False), (np.zeros(3), True)):
        body = rd.Link(2.0, center, np.diag([0.1, 0.2, 0.25]))
        hinge = rd.Link(1.0, (0, 0, 0), np.diag([0.1, 0.15, 0.2]), position=(0, 0, 0) if equal else (0.3, 0.1, 0))
        X, S, I = chain(rd.Arm([body, hinge]), np.array([0.1, 0.2]))
        A = I[0].matrix + X[1].T @ left(I[1].matrix, S[1]) @ X[1]
        pushed = 1 / np.diag(np.linalg.inv(A))
        assert (pushed <= np.diag(A) * (1 + 1e-12)).all()
        assert np.isclose(pushed[3:], np.diag(A)[3:], rtol=1e-9).all() == equal


@pytest.mark.parametrize(("name", "share"), [("puma560", 0.7), ("ur5e", 0.7), ("gen3", 0.54)])
def test_zeros_in_the_frames_and_symmetric_links_save_about_seven_operations_in_ten(name, share):
    """On the PUMA they save about seven operations in ten of the recursive ways, on a Gen3 little more than half."""
    arm = getattr(rd.robots, name)()
    general = page_functions("general")["general"](arm.n)
    for way in (rd.inverse_dynamics, rd.forward_dynamics):
        before, after = (rd.trace(way, x).operations for x in (general, arm))
        assert 1 - after / before == pytest.approx(share, abs=0.03)
