"""Coupled joints: all of an arm's mechanics in the independent coordinates, x = G q + c, by every law and by the definition."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import sympy as sp
from arms import TREES, arm_and_state, tree_and_state, violations

import robotdyn as rd
from robotdyn import by_links, laws
from robotdyn.dynamics.recursive import forward_dynamics_minimal, solved_forward_dynamics
from robotdyn.maths.namespace import alternatives_of

MIXES = ("rr", "rpr", "rsrp", "rrrrr", "rrrp", "rrprr", "rprsprrrs")


def coupled_and_state(mix):
    """A chain or a tree whose joint 0, or 1, drives another one, with random q, qd, qdd, tip wrench; and G, c."""
    arm, q, qd, qdd, w = tree_and_state(mix) if mix in TREES else arm_and_state(mix)
    rng, m = np.random.default_rng(len(mix)), len(mix)
    followers = {m - 1: 0} if m < 4 else {1: 0, m - 1: 2}  # follower: leader
    free = [k for k in range(m) if k not in followers]
    coupling = np.zeros((m, len(free) + 1))
    for column, k in enumerate(free):
        coupling[k, column] = 1
    for follower, leader in followers.items():
        coupling[follower] = rng.uniform(-2, 2) * coupling[leader]
        coupling[follower, -1] = rng.normal()
    n = len(free)
    return replace(arm, coupling=coupling), q[:n], qd[:n], qdd[:n], w


def close(x, y):
    """Whether two results are equal up to rounding, beside the larger of one and the second."""
    x, y = np.array(x, dtype=float), np.array(y, dtype=float)
    return x.shape == y.shape and abs(x - y).max() < 1e-10 * max(1, abs(y).max())


@pytest.mark.parametrize("mix", MIXES)
def test_every_law_holds(mix):
    """Energies, power, virtual work and slopes in the independent coordinates."""
    assert max(violations(*coupled_and_state(mix))) < laws.TIGHT


@pytest.mark.parametrize("mix", MIXES)
def test_by_definition(mix):
    """Positions are those of the free arm at G q + c, forces G^T times its own, M = G^T M_x G; programs and batches, too."""
    arm, q, qd, qdd, w = coupled_and_state(mix)
    free, G, c = arm.uncoupled, arm.coupling[:, :-1], arm.coupling[:, -1]
    x, v, a = G @ q + c, G @ qd, G @ qdd
    tau, M = G.T @ rd.inverse_dynamics(free, x, v, a, w), G.T @ rd.mass_matrix(free, x) @ G
    assert close(rd.inverse_dynamics(arm, q, qd, qdd, w), tau) and close(rd.mass_matrix(arm, q), M)
    assert close(by_links.inverse_dynamics(arm, q, qd, qdd, w), tau) and close(by_links.mass_matrix(arm, q), M)
    for algorithm, state, expected in (
        (rd.inverse_dynamics, (q, qd, qdd, w), tau),
        (rd.mass_matrix, (q,), M),
        (rd.bias_torque, (q, qd), G.T @ rd.bias_torque(free, x, v)),
        (rd.gravity_torque, (q,), G.T @ rd.gravity_torque(free, x)),
    ):
        assert close(alternatives_of(algorithm)[0](arm, *state), expected) and close(algorithm(arm, *state), expected)
    assert close(rd.coriolis_matrix(arm, q, qd), G.T @ rd.coriolis_matrix(free, x, v) @ G)
    for forward in (rd.forward_dynamics, solved_forward_dynamics, forward_dynamics_minimal):
        assert close(forward(arm, q, qd, tau, w), qdd)
    for theirs, ours in zip(rd.link_poses(free, x), rd.link_poses(arm, q)):
        assert close(ours, theirs)
    for link in range(len(arm.links)):
        assert close(rd.point_jacobian(arm, q, link), rd.point_jacobian(free, x, link) @ G)
        assert close(rd.point_acceleration(arm, q, qd, qdd, link), rd.point_acceleration(free, x, v, a, link))
    assert close(rd.momentum_matrix(arm, q), rd.momentum_matrix(free, x) @ G)
    assert close(rd.center_of_mass(arm, q), rd.center_of_mass(free, x))
    phi = rd.parameters(arm, ["motor_inertia"])
    assert close(rd.regressor(arm, q, qd, qdd, ["motor_inertia"]) @ phi, rd.inverse_dynamics(arm, q, qd, qdd))
    fast = rd.specialize(rd.forward_dynamics, arm, "python")
    assert close(fast(q, qd, tau), rd.forward_dynamics(arm, q, qd, tau))
    both = rd.inverse_dynamics(arm, np.stack([q, 2 * q]), qd, qdd)
    assert close(both[0], rd.inverse_dynamics(arm, q, qd, qdd)) and both.shape == (2, arm.n)


@pytest.mark.parametrize("mix", MIXES)
def test_derivatives_are_slopes(mix):
    """Closed forms of both dynamics, and the linear system of `rd.linearize`."""
    arm, *state, w = coupled_and_state(mix)
    at = lambda s, function, moved: function(arm, *(state + s * moved), w)
    along = np.random.default_rng(3).normal(size=(3, arm.n))
    for closed_forms, function in (
        (rd.inverse_dynamics_derivatives, rd.inverse_dynamics),
        (rd.forward_dynamics_derivatives, rd.forward_dynamics),
    ):
        parts = closed_forms(arm, *state, w)
        moved = along * np.array([[k < len(parts)] for k in range(3)])
        slope = laws.slope(partial(at, function=function, moved=moved), 0.0)
        assert abs(sum(part @ dx for part, dx in zip(parts, moved)) - slope).max() < 1e-6 * abs(slope).max()
    A, B = rd.linearize(arm, *state, None)
    F, Gd, H = rd.forward_dynamics_derivatives(arm, *state)
    assert close(A[arm.n :], np.hstack([F, Gd])) and close(B[arm.n :], H)


def test_symbols():
    """A gear of whole teeth by formula: `derive` gives what the recursions give."""
    arm = rd.Arm(rd.robots.two_link(gravity=9.81).links, (0, -9.81, 0), coupling=[[1, 0], [-2, 0]])
    equations = rd.derive(arm)
    state = [*equations.q, *equations.qd, *equations.qdd]
    values = dict(zip(state, (0.3, 0.7, -0.4)))
    tau = rd.inverse_dynamics(arm, [0.3], [0.7], [-0.4])
    assert equations.M.shape == (1, 1) and close(np.array(equations.tau.subs(values)).ravel(), tau)
    q, qd, qdd = sp.symbols("q qd qdd")
    formula = rd.inverse_dynamics(arm, [q], [qd], [qdd])
    assert close(np.array(formula.subs({q: 0.3, qd: 0.7, qdd: -0.4})).ravel(), tau)


def test_held_and_floating():
    """A held coordinate holds its followers, offsets and all; on a body that floats the coupling stays that of the arm."""
    arm, q, qd, qdd, _ = coupled_and_state("rrprr")
    for k in np.flatnonzero(arm.coupling[-1, :-1] == 0):  # the link with the tip stays free
        rest = [i for i in range(arm.n) if i != k]
        less = arm.locked({k: q[k]})
        still = [np.where(np.arange(arm.n) == k, 0, part) for part in (qd, qdd)]
        assert close(rd.mass_matrix(less, q[rest]), rd.mass_matrix(arm, q)[np.ix_(rest, rest)])
        assert close(rd.inverse_dynamics(less, q[rest], qd[rest], qdd[rest]), rd.inverse_dynamics(arm, q, *still)[rest])
    floating = rd.floating(arm, rd.bodies.box(2, (1, 1, 1)), gravity=arm.gravity)
    resting = np.zeros(6)
    tau = rd.inverse_dynamics(floating, np.r_[resting, q], np.r_[resting, qd], np.r_[resting, qdd])
    assert floating.n == arm.n + 6 and close(tau[6:], rd.inverse_dynamics(arm, q, qd, qdd))


def test_motion_task_and_optimum():
    """A simulated fall keeps its energy; a task may have as many directions as coordinates carry the point; a goal is reached."""
    arm = rd.Arm(rd.robots.planar(3).links, (0, -9.81, 0), (1, 0, 0), coupling=[[1, 0, 0], [0, 1, 0], [0, 1, 0.2]])
    motion = rd.simulate(arm, [0.3, 0.2], [0, 0], None, np.linspace(0, 1, 11), method="solve_ivp")
    energy = rd.kinetic_energy(arm, motion.q, motion.qd) + rd.potential_energy(arm, motion.q)
    assert np.ptp(energy) < 1e-6 * abs(energy).max()
    J, M = rd.tip_jacobian(arm, [0.3, 0.9])[:2], rd.mass_matrix(arm, [0.3, 0.9])
    assert close(
        rd.effective_inertia(arm, [0.3, 0.9], directions=np.eye(2, 3)), np.linalg.inv(J @ np.linalg.solve(M, J.T))
    )
    with pytest.raises(ValueError, match="got 2 joints before link 2 and 3 directions"):
        rd.effective_inertia(arm, [0.3, 0.9], directions=np.eye(6)[[0, 1, 5]])
    found = rd.reach(arm, [-1.0, 0.5], [0, 0], (1.2, -1.2), 31, 0.03, integrator="semi-implicit")
    assert found.result == "converged" and np.linalg.norm(rd.point_position(arm, found.q[-1])[:2] - (1.2, -1.2)) < 0.05


def test_names_and_pictures():
    """The joints are the independent ones, the links all; a picture shows all of them where the coupling puts them."""
    links = [replace(link, name=f"l{k}", joint_name=f"j{k}") for k, link in enumerate(rd.robots.planar(3).links)]
    arm = rd.Arm(links, tip=(1, 0, 0), coupling=[[0, 1, 0], [2, 0, 0], [1, 0, 0]])
    assert (
        arm.n == 2
        and arm.independent == (2, 0)
        and arm.joint_names == ("j2", "j0")
        and arm.link_names == ("l0", "l1", "l2")
    )
    assert repr(arm) == "<Arm of 2 joints, RR: j2, j0, 1 more coupled to them>"
    ours = {line.get_label(): line.get_xydata() for line in rd.show.draw_arm(arm, [0.4, 0.3]).lines}
    theirs = {line.get_label(): line.get_xydata() for line in rd.show.draw_arm(arm.uncoupled, [0.3, 0.8, 0.4]).lines}
    assert ours.keys() == theirs.keys() and all(close(ours[name], theirs[name]) for name in ours)
    assert arm != arm.uncoupled and rd.Arm(links, coupling=np.eye(3, 4)) == rd.Arm(links)


def test_the_angle_of_a_tip_has_its_offset():
    """The cost of an angle is zero where the frame of the tip has it, as a rotation matrix says, and its slope is that of the angle."""
    arm = rd.Arm(rd.robots.planar(3).links, tip=(1, 0, 0), coupling=[[1, 0, 0], [0, 1, 0], [0, -2, 0.3]])
    q = np.array([0.4, 0.7])
    R, _ = rd.tip_pose(arm, q)
    x = np.r_[q, 0, 0][None]
    for target in (np.arctan2(R[1, 0], R[0, 0]), R):
        (term,) = rd.costs.tip_orientation(arm, target, 1.0).terms
        assert abs(term.residual(x)).max() < 1e-12
    (term,) = rd.costs.tip_orientation(arm, 0.1, 1.0).terms
    along = np.array([[0.3, -0.8, 0, 0]])
    slope = laws.slope(lambda s: term.residual(x + s * along), 0.0)
    assert close(term.jacobian(x)[0] @ along[0], slope[0])


def test_a_coordinate_has_the_name_of_the_joint_that_leads():
    """Where a follower with factor 1 comes first, the arm may say which joint the coordinate is; held and floating, too."""
    links = [replace(link, name=f"l{k}", joint_name=f"j{k}") for k, link in enumerate(rd.robots.planar(3).links)]
    coupling = [[0, 1, 0], [1, 0, 0], [0, 1, 0]]
    arm = rd.Arm(links, tip=(1, 0, 0), coupling=coupling, independent=[1, 2])
    assert rd.Arm(links, coupling=coupling).joint_names == ("j1", "j0") and arm.joint_names == ("j1", "j2")
    assert arm.locked({"j1": 0.2}).joint_names == ("j2",) and arm.uncoupled.joint_names == ("j0", "j1", "j2")
    assert rd.floating(arm, rd.bodies.box(1, (1, 1, 1))).joint_names[6:] == ("j1", "j2")
    assert rd.Arm(links, tip=(1, 0, 0), coupling=coupling, independent=[0, 0]).independent == (
        1,
        0,
    )  # what is none is not taken


COUPLED = rd.Arm(rd.robots.two_link().links, coupling=[[1, 0], [2, 0.1]])
MOTORS = replace(COUPLED, links=[replace(link, motor_inertia=1) for link in COUPLED.links])


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: replace(COUPLED, coupling=[[1, 0]]), ValueError, "coupling must have a row for each of the 2 joints, with n <= 2 factors and an offset, got shape (1, 2)"),
        (lambda: replace(COUPLED, coupling=[1, 0]), ValueError, "coupling must have a row for each of the 2 joints"),
        (lambda: replace(COUPLED, coupling=[[2, 0], [1, 0.1]]), ValueError, "coupling must make each coordinate the position of a joint, got none with factor 1 of coordinate 0"),
        (lambda: replace(COUPLED, coupling=[[np.nan, 0], [1, 0]]), ValueError, "coupling must be finite, got nan"),
        (lambda: replace(COUPLED, coupling="gear"), TypeError, "coupling must hold real numbers"),
        (lambda: rd.mass_matrix(COUPLED, [0, 0]), ValueError, "q must have shape (1,) for an arm of 1 joint, got (2,)"),
        (lambda: rd.planar.absolute(COUPLED, [0]), ValueError, "a planar arm must have joints that are free, got coupled ones"),
        (lambda: rd.flexible.doubled(MOTORS), ValueError, "a flexible arm must have joints that are free, got coupled ones"),
        (lambda: rd.derive(replace(COUPLED, coupling=[[1, 0], [1.5, 0]])), ValueError, "derive needs joints that turn by whole multiples of the coordinates, got coupling[1] = [1.5, 0.0]: derive arm.uncoupled"),
        (lambda: replace(COUPLED, independent=1), TypeError, "independent must hold the index of a link for each coordinate, got 1"),
        (lambda: rd.base_parameters(replace(rd.robots.two_link(symbolic=True), coupling=[[1, 0], [2, 0]])), ValueError, "base parameters of coupled joints need numbers in the frames and the gravity, got g, l_1: put numbers in"),
        (lambda: rd.show.explore(COUPLED), ValueError, "a moving figure must be of an arm with free joints, got coupled ones"),
        (lambda: rd.show.draw_arm(COUPLED, [0], labels=True), ValueError, "labels must be False for an arm whose joints are coupled"),
        (lambda: COUPLED.locked({1: 0}), ValueError, "a joint must be a name or an index from 0 to 0"),
        (lambda: COUPLED.locked({0: sp.Symbol("a")}), ValueError, "values must leave a joint free"),
    ],
)  # fmt: skip
def test_sentences(call, error, sentence):
    """What cannot be, and what takes arms of free joints alone."""
    with pytest.raises(error) as caught:
        call()
    assert sentence in str(caught.value)
    assert not rd.planar.is_planar(COUPLED)


@pytest.mark.parametrize("gravity", [(0, 0, -9.81), (-9.81, 0, 0)])
def test_two_fingers_show_their_sum_and_along_gravity_their_difference(gravity):
    """Two slides driven apart:  f = (m_1 + m_2) a - g (m_1 - m_2), by hand; the second term only where gravity is along them."""
    fingers = [rd.Link(m, joint="prismatic", axis=(1, 0, 0)) for m in (0.2, 0.3)]
    arm = rd.Arm(fingers, gravity=gravity, parents=[-1, -1], coupling=[[1, 0], [-1, 0]])
    base = rd.base_parameters(arm)
    assert base.groups == (("m_1", "m_2") if gravity[0] else ("m_1 + m_2",))
    assert np.allclose(base.values(), [0.2, 0.3] if gravity[0] else [0.5])


@pytest.mark.parametrize("mix", MIXES)
def test_base_parameters_of_coupled_joints(mix):
    """As many as the singular values of stacked regressors count; what is lost changes no torque; leaders determine all."""
    arm, *_ = coupled_and_state(mix)
    terms = ("viscous", "offset")
    base = rd.base_parameters(arm, terms)
    q, qd, qdd = np.random.default_rng(7).normal(size=(3, 60 * len(mix), arm.n))
    Y = rd.regressor(arm, q, qd, qdd, terms)
    W = Y.reshape(-1, Y.shape[-1])
    sizes = np.linalg.svd(W / np.maximum(np.linalg.norm(W, axis=0), 1e-12), compute_uv=False)
    assert len(base) == (sizes > 1e-8 * sizes[0]).sum()
    assert abs(W @ base.null_space).max() < 1e-8 * abs(W).max()
    phi = np.random.default_rng(8).normal(size=Y.shape[-1])
    assert close(base.regressor(arm, q, qd, qdd) @ base.values(phi), Y @ phi)
    assert len(base.names) == Y.shape[-1]


def test_a_gripper_is_identified_from_its_one_motor():
    """A hand with two fingers on one motor, behind a hinge: from torques of two motors, the torques of another motion."""
    from robotdyn.identification import Recording, identify, physical_parameters

    box = np.diag([2e-3, 2e-3, 1e-3])
    links = [
        rd.Link(1.5, (0.2, 0.02, 0), box, axis=(0, 0, 1)),
        rd.Link(0.2, (0.01, 0.03, 0), box / 9, joint="prismatic", axis=(0, 1, 0), position=(0.4, 0, 0)),
        rd.Link(0.25, (0, -0.02, 0), box / 9, joint="prismatic", axis=(0, 1, 0), position=(0.4, 0, 0)),
    ]
    arm = rd.Arm(links, gravity=(0, -9.81, 0), parents=[-1, 0, 0], coupling=[[1, 0, 0], [0, 1, 0], [0, -1, -0.01]])
    t = np.linspace(0, 6, 400)[:, None]
    swing, rates = np.array([1.2, 0.05]), np.array([2.1, 3.3])
    motion = lambda w: (swing * np.sin(w * t), swing * w * np.cos(w * t), -swing * w**2 * np.sin(w * t))
    q, qd, qdd = motion(rates)
    found = identify(arm, Recording(t[:, 0], q, rd.inverse_dynamics(arm, q, qd, qdd), qd, qdd))
    again = motion(rates[::-1])
    tau = rd.inverse_dynamics(arm, *again)
    assert abs(found.torques(*again) - tau).max() < 1e-6 * abs(tau).max()
    bodies = rd.with_parameters(arm, physical_parameters(found))
    assert abs(rd.inverse_dynamics(bodies, *again) - tau).max() < 1e-3 * abs(tau).max()
    assert all(link.mass > 0 for link in bodies.links)
