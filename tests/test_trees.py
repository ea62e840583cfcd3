"""Kinematic trees: every law and every algorithm of a serial arm, on arms that branch; and what a tree adds to them."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import sympy as sp
from arms import TREES, tree_and_state, violations
from peer_models import agree, branch_by_branch, pinocchio_model

import robotdyn as rd
from robotdyn import by_links, laws
from robotdyn.dynamics.recursive import solve, solved_forward_dynamics
from robotdyn.maths.namespace import alternatives_of
from robotdyn.model.robots import random_arm

SOME = ("rrr", "sps", "rrprr", "rprsprrrs")


def close(x, y):
    """Whether two results are equal up to rounding, beside the larger of one and the second."""
    x, y = np.array(x, dtype=float), np.array(y, dtype=float)
    return x.shape == y.shape and abs(x - y).max() < 1e-10 * max(1, abs(y).max())


@pytest.mark.parametrize("mix", TREES)
def test_every_law_holds_on_a_tree(mix):
    """Symmetry, energies, power, virtual work, slopes of gravity and of poses, the Christoffel matrix."""
    assert max(violations(*tree_and_state(mix))) < laws.TIGHT


@pytest.mark.parametrize("mix", TREES)
def test_the_columns_of_the_mass_matrix_are_torques(mix):
    """M e_k is the torque of a unit acceleration of joint k, from rest and without gravity; 0 at joints of other branches."""
    arm, q, *_ = tree_and_state(mix)
    still = replace(arm, gravity=(0, 0, 0))
    M = rd.mass_matrix(arm, q)
    assert close(M, np.stack([rd.inverse_dynamics(still, q, 0 * q, e) for e in np.eye(arm.n)], axis=1))
    for i in range(arm.n):
        for k in range(i):
            assert (M[i, k] == 0) == (k not in arm.path(i))


@pytest.mark.parametrize("mix", TREES)
def test_other_ways_agree(mix):
    """Sums over links, few operations, factors of M, regressors, and programs in plain floats: with a tip wrench."""
    arm, q, qd, qdd, w = tree_and_state(mix)
    tau, M = rd.inverse_dynamics(arm, q, qd, qdd, w), rd.mass_matrix(arm, q)
    assert close(by_links.inverse_dynamics(arm, q, qd, qdd, w), tau) and close(by_links.mass_matrix(arm, q), M)
    assert close(alternatives_of(rd.inverse_dynamics)[0](arm, q, qd, qdd, w), tau)
    assert close(alternatives_of(rd.mass_matrix)[0](arm, q), M)
    for forward in (rd.forward_dynamics, solved_forward_dynamics, *alternatives_of(rd.forward_dynamics)):
        assert close(forward(arm, q, qd, tau, w), qdd)
    for algorithm, state in {
        rd.inverse_dynamics: (q, qd, qdd),
        rd.forward_dynamics: (q, qd, qdd),
        rd.mass_matrix: (q,),
    }.items():
        expected = algorithm(arm, *state)
        assert close(rd.specialize(algorithm, arm, "python")(*state), expected)
        assert close(algorithm(arm, *(np.stack([x, 2 * x]) for x in state))[0], expected)
    phi = rd.parameters(arm, ["motor_inertia"])
    joints = ["motor_inertia"]
    assert close(rd.regressor(arm, q, qd, qdd, joints) @ phi, rd.inverse_dynamics(arm, q, qd, qdd))
    assert close(rd.momentum_regressor(arm, q, qd, joints) @ phi, M @ qd)
    assert close(
        rd.energy_regressor(arm, q, qd, joints) @ phi, rd.kinetic_energy(arm, q, qd) + rd.potential_energy(arm, q)
    )


@pytest.mark.parametrize("mix", TREES)
def test_derivatives_are_slopes(mix):
    """By positions, rates and torques, with a wrench that stays where it is in base axes."""
    arm, *state, w = tree_and_state(mix)
    along = np.random.default_rng(3).normal(size=(3, arm.n))
    on_line = lambda function, moved, s: function(arm, *(state + s * moved), w)
    for closed_forms, function in (
        (rd.inverse_dynamics_derivatives, rd.inverse_dynamics),
        (rd.forward_dynamics_derivatives, rd.forward_dynamics),
    ):
        parts = closed_forms(arm, *state, w)
        moved = along * np.array([[k < len(parts)] for k in range(3)])
        slope = laws.slope(partial(on_line, function, moved), 0.0)
        assert abs(sum(part @ dx for part, dx in zip(parts, moved)) - slope).max() < 1e-6 * abs(slope).max()


@pytest.mark.parametrize("mix", TREES)
def test_every_point_moves_with_the_joints_that_carry_it(mix):
    """The Jacobian of a point of any link is the slope of its place, and zero for all other joints; the same for turning."""
    arm, q, qd, qdd, _ = tree_and_state(mix)
    point = (0.3, -0.2, 0.5)

    def rate_of(function, link):
        return laws.slope(lambda s: function(arm, q + s * qd, link, point), 0.0)

    for link in range(arm.n):
        J = rd.point_jacobian(arm, q, link, point)
        slope = rate_of(rd.point_position, link)
        assert abs(J[:3] @ qd - slope).max() < 1e-8
        assert [k for k in range(arm.n) if J[:, k].any()] == list(arm.path(link))
        rate = rate_of(rd.point_jacobian, link)
        assert abs(rd.point_acceleration(arm, q, qd, qdd, link, point) - J @ qdd - rate @ qd).max() < 1e-7


@pytest.mark.parametrize("mix", SOME)
def test_the_tip_is_on_the_last_link_alone(mix):
    """Where no point is given, it is the origin of the link's frame, at the end of another branch, too, and on the last link the tip."""
    arm, q, qd, qdd, _ = tree_and_state(mix)
    for link, origin in enumerate(rd.link_poses(arm, q)[1]):
        point = arm.tip if link == arm.n - 1 else (0, 0, 0)
        assert np.any(arm.tip) and (link == arm.n - 1) != close(rd.point_position(arm, q, link), origin)
        for function, state in (
            (rd.point_position, (q,)),
            (rd.point_jacobian, (q,)),
            (rd.point_acceleration, (q, qd, qdd)),
            (rd.sensors.accelerometer, (q, qd, qdd)),
        ):
            assert close(function(arm, *state, link), function(arm, *state, link, point))


@pytest.mark.parametrize("mix", TREES)
def test_pinocchio(mix):
    """Its trees are numbered branch by branch, ours as they are given: dynamics, derivatives, momentum, energies."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    arm, q, qd, qdd, _ = tree_and_state(mix)
    idle = replace(
        arm, links=[replace(link, motor_inertia=0) for link in arm.links]
    )  # its energy leaves out rotors of hinges
    model, order = pinocchio_model(pin, arm), branch_by_branch(arm)
    data, x = model.createData(), [part[order] for part in (q, qd, qdd)]
    places, without = np.argsort(order), pinocchio_model(pin, idle)
    vector = lambda theirs: np.array(theirs)[places]
    square = lambda theirs: np.array(theirs).reshape(arm.n, arm.n)[np.ix_(places, places)]
    M = np.triu(pin.crba(model, data, x[0]))
    pairs = {
        "mass matrix": (rd.mass_matrix(arm, q), square(M + np.triu(M, 1).T)),
        "inverse dynamics": (rd.inverse_dynamics(arm, q, qd, qdd), vector(pin.rnea(model, data, *x))),
        "forward dynamics": (rd.forward_dynamics(arm, q, qd, qdd), vector(pin.aba(model, data, *x))),
        "gravity": (rd.gravity_torque(arm, q), vector(pin.computeGeneralizedGravity(model, data, x[0]))),
        "Coriolis matrix": (rd.coriolis_matrix(arm, q, qd), square(pin.computeCoriolisMatrix(model, data, *x[:2]))),
        "momentum": (rd.momentum_matrix(arm, q), np.reshape(pin.ccrba(model, data, *x[:2]), (6, arm.n))[:, places]),
        "center of mass": (rd.center_of_mass(arm, q), pin.centerOfMass(model, data, x[0]).copy()),
        "kinetic energy": (
            rd.kinetic_energy(idle, q, qd),
            pin.computeKineticEnergy(without, without.createData(), *x[:2]),
        ),
        "potential energy": (rd.potential_energy(arm, q), pin.computePotentialEnergy(model, data, x[0])),
    }
    frame, aligned = model.getFrameId("tip"), pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    J = np.reshape(pin.computeFrameJacobian(model, data, x[0], frame, aligned), (6, arm.n))
    pairs["tip Jacobian"] = (rd.tip_jacobian(arm, q), J[:, places])
    ours = rd.inverse_dynamics_derivatives(arm, q, qd, qdd) + rd.forward_dynamics_derivatives(arm, q, qd, qdd)
    theirs = [square(part) for part in pin.computeRNEADerivatives(model, data, *x)[:2]]
    theirs += [square(part) for part in pin.computeABADerivatives(model, data, *x)]
    pairs |= {f"derivative {k}": pair for k, pair in enumerate(zip(ours, theirs))}
    agree(pairs)


# ---- what a tree adds ---------------------------------------------------------------------------------------------------


def test_the_order_of_branches_is_a_matter_of_names():
    """Links in another order, each after its parent, give the same numbers in that order."""
    arm, q, qd, qdd, _ = tree_and_state("rrprr")
    order = [0, 4, 1, 3, 2]
    parents = [-1 if arm.parents[i] < 0 else order.index(arm.parents[i]) for i in order]
    other = rd.Arm([arm.links[i] for i in order], arm.gravity, parents=parents)
    assert close(
        rd.inverse_dynamics(other, q[order], qd[order], qdd[order]), rd.inverse_dynamics(arm, q, qd, qdd)[order]
    )


def test_two_arms_on_one_base_do_not_feel_each_other():
    """Parents -1 and -1: each has the torques that it has alone."""
    one, two = (random_arm(np.random.default_rng(seed), 3) for seed in (1, 2))
    both = rd.Arm([*one.links, *two.links], one.gravity, parents=[-1, 0, 1, -1, 3, 4])
    q, qd, qdd = np.random.default_rng(3).normal(size=(3, 6))
    alone = [rd.inverse_dynamics(one, q[:3], qd[:3], qdd[:3])]
    alone += [rd.inverse_dynamics(replace(two, gravity=one.gravity), q[3:], qd[3:], qdd[3:])]
    assert close(rd.inverse_dynamics(both, q, qd, qdd), np.concatenate(alone))


@pytest.mark.parametrize("mix", TREES)
def test_the_factors_of_the_mass_matrix_do_not_fill_in(mix):
    """L of M = L^T D L has a zero wherever M has one, and a solution takes 2 n + sum a (a + 6) operations, joint by joint with a
    joints before it on its branch.  Featherstone (2008), section 6.5.
    """
    arm, q, *_ = tree_and_state(mix)
    M = rd.mass_matrix(arm, q)
    flipped = M[::-1, ::-1]
    L = np.linalg.cholesky(flipped)[::-1, ::-1].T  # M = L^T L with L lower triangular
    assert close(L.T @ L, M) and (abs(L[np.tril(M) == 0]) < 1e-14).all()
    sparse = lambda M, b: solve(np.where(M_is_zero, 0, M), b)
    M_is_zero = M == 0
    program = rd.trace(sparse, inputs={"M": M.shape, "b": arm.n})
    before = np.array([len(arm.path(i)) - 1 for i in range(arm.n)])
    assert program.operations == 2 * arm.n + (before * (before + 6)).sum()
    assert close(program(M, q), np.linalg.solve(M, q)) and close(solve(M, q), np.linalg.solve(M, q))


def test_symbols():
    """A torso with two arms, by formula: `derive` gives what the recursions give; branches do not meet in M."""
    m, l, g = sp.symbols("m l g", positive=True)
    rod = lambda x: rd.Link(m, (l / 2, 0, 0), sp.diag(0, m * l**2 / 12, m * l**2 / 12), position=(x, 0, 0))
    arm = rd.Arm([rod(0), rod(l), rod(0)], (0, -g, 0), parents=[-1, 0, 0])
    equations = rd.derive(arm)
    q, qd, qdd = (list(x) for x in (equations.q, equations.qd, equations.qdd))
    assert equations.M[1, 2] == 0 and equations.M[0, 1] != 0
    assert laws.largest_difference((equations.tau, rd.inverse_dynamics(arm, q, qd, qdd))) < 1e-10
    values = dict(zip([*q, *qd, *qdd], np.random.default_rng(1).normal(size=9)))
    numbers = arm.subs({m: 1.5, l: 0.7, g: 9.81})
    found = equations.tau.subs({m: 1.5, l: 0.7, g: 9.81}).subs(values)
    x, v, a = np.reshape(list(values.values()), (3, 3))
    assert close(np.array(found).ravel(), rd.inverse_dynamics(numbers, x, v, a))
    assert numbers.parents == arm.parents


@pytest.mark.parametrize("terms", [(), ("motor_inertia", "offset")])
def test_base_parameters_of_symbols_and_of_numbers_are_as_many(terms):
    """What passes from a link to the one that carries it, exactly, and the columns of the regressor at random states."""
    l, g = sp.symbols("l g", positive=True)
    arm = lambda l, g: rd.Arm(
        [
            rd.Link(1),
            rd.Link(1, position=(l, 0, 0)),
            rd.Link(1, axis=(1, 0, 0), position=(0, l, 0)),
            rd.Link(1, position=(l, l, 0)),
        ],
        (0, -g, 0),
        parents=[-1, 0, 0, 2],
    )
    exact, sampled = rd.base_parameters(arm(l, g), terms), rd.base_parameters(arm(0.7, 9.81), terms)
    assert exact.columns == sampled.columns
    grouping = np.array(sp.Matrix(exact.grouping).subs({l: 0.7, g: 9.81}), dtype=float)
    assert abs(grouping - sampled.grouping).max() < 1e-9


def test_identification_of_a_tree():
    """All base parameters of a torso with two arms, from a motion and its torques."""
    arm, *_ = tree_and_state("rrprr")
    arm = replace(arm, links=[replace(link, motor_inertia=0) for link in arm.links])
    t = np.linspace(0, 20, 801)
    w = np.random.default_rng(5).uniform(0.5, 4, (3, arm.n))
    waves = [np.sin(w[k] * t[:, None] + k) / (1 + k) for k in range(3)]
    q = sum(waves)
    qd = sum(w[k] * np.cos(w[k] * t[:, None] + k) / (1 + k) for k in range(3))
    qdd = sum(-(w[k] ** 2) * wave for k, wave in enumerate(waves))
    recording = rd.identification.Recording(t, q, rd.inverse_dynamics(arm, q, qd, qdd), qd, qdd)
    estimate = rd.identification.identify(arm, recording)
    assert close(estimate.values, estimate.base.values(rd.parameters(arm)))


@pytest.mark.parametrize("mix", SOME)
def test_held_joints(mix):
    """What a held joint carries becomes part of the link that carries it: M and torques are those of the whole, bodies hung on it too."""
    arm, q, qd, qdd, _ = tree_and_state(mix)
    for held in range(arm.n - 1):
        free = [k for k in range(arm.n) if k != held]
        less = arm.locked({held: q[held]})
        x, v, a = (np.where(np.arange(arm.n) == held, still, part) for still, part in ((q, q), (0, qd), (0, qdd)))
        assert close(rd.mass_matrix(less, q[free]), rd.mass_matrix(arm, q)[np.ix_(free, free)])
        assert close(rd.inverse_dynamics(less, q[free], qd[free], qdd[free]), rd.inverse_dynamics(arm, x, v, a)[free])
        assert close(rd.point_position(less, q[free]), rd.point_position(arm, q))


def test_a_tree_that_floats():
    """On a body that floats, motors and branches change no momentum, and the arms hang on the body as on a base."""
    arm, *_ = tree_and_state("rrr")
    body = rd.bodies.box(5.0, (0.4, 0.3, 0.5))
    floating = rd.floating(arm, body)
    assert floating.parents == (-1, 0, 1, 2, 3, 4, 5, 6, 6)
    rng = np.random.default_rng(7)
    q, qd, tau = 0.3 * rng.normal(size=(3, 9))
    tau[:6] = 0
    qdd = rd.forward_dynamics(floating, q, qd, tau)
    rate = laws.slope(lambda s: rd.momentum_matrix(floating, q + s * qd) @ (qd + s * qdd), 0.0)
    assert abs(rate).max() < 1e-8


def test_flexible_joints():
    """The doubled tree, its springs as torques, accelerates as the flexible tree does."""
    arm, q, qd, _, _ = tree_and_state("rrprr")
    rng = np.random.default_rng(2)
    theta, theta_d, tau = rng.normal(size=(3, arm.n))
    k, b = rng.uniform(1, 2, (2, arm.n))
    doubled = rd.flexible.doubled(arm)
    x, v = rd.flexible.coordinates(q, theta), rd.flexible.coordinates(qd, theta_d)
    motors = np.stack([tau, 0 * tau], axis=1).ravel()
    found = rd.forward_dynamics(doubled, x, v, rd.flexible.joint_springs(k, b)(0, x, v) + motors)
    links, rotors = rd.flexible.split(found)
    by_link, by_rotor = rd.flexible.accelerations(arm, k, q, qd, theta, theta_d, tau, b)
    assert close(links, by_link) and close(rotors, by_rotor)


def test_motion_keeps_its_energy():
    """A tree that falls freely, simulated."""
    arm, q, qd, *_ = tree_and_state("rrrrrrr")
    motion = rd.simulate(arm, q, qd, None, np.linspace(0, 1, 11), method="solve_ivp")
    energy = rd.kinetic_energy(arm, motion.q, motion.qd) + rd.potential_energy(arm, motion.q)
    assert np.ptp(energy) < 1e-6 * abs(rd.kinetic_energy(arm, motion.q, motion.qd)).max()


def test_linearization_and_optimal_reach():
    """Slopes of the motion are the closed forms; the tip, which is on the last branch, is brought to a point."""
    links = [*rd.robots.two_link().links, rd.Link(0.5, (0.3, 0, 0), 0.02 * np.eye(3), position=(1, 0, 0))]
    arm = rd.Arm(links, (0, -9.81, 0), (0.5, 0, 0), parents=[-1, 0, 0])
    q, qd, tau = np.random.default_rng(6).normal(size=(3, 3))
    A, B = rd.linearize(arm, q, qd, tau, None)
    F, G, H = rd.forward_dynamics_derivatives(arm, q, qd, tau)
    assert close(A[3:], np.hstack([F, G])) and close(B[3:], H)
    found = rd.reach(arm, [-1.5, 0, 0], np.zeros(3), (0.9, -0.9), 31, 0.03, integrator="semi-implicit")
    assert found.result == "converged" and np.linalg.norm(rd.point_position(arm, found.q[-1])[:2] - (0.9, -0.9)) < 0.02


def test_a_serial_chain_is_the_tree_that_it_is():
    """Parents -1, 0, 1 are the default: equal arms, of one hash, of one text; and other links take other parents along."""
    links = random_arm(np.random.default_rng(4), 3).links
    arm = rd.Arm(links)
    assert arm == rd.Arm(links, parents=[-1, 0, 1]) and hash(arm) == hash(rd.Arm(links, parents=(-1, 0, 1)))
    assert arm != rd.Arm(links, parents=[-1, 0, 0]) and arm.parents == (-1, 0, 1) and arm.is_serial
    assert replace(arm, links=links[:2]).parents == (-1, 0)
    assert arm.path(2) == (0, 1, 2) and arm.leaves == (2,)
    tree = rd.Arm(links, parents=np.array([-1, 0, 0]))
    assert tree.path(-1) == (0, 2) and tree.leaves == (1, 2) and not tree.is_serial
    assert "a tree with 2 ends" in repr(tree) and "tree" not in repr(arm)


def test_pictures():
    """A link that carries two others has two bars; the notebook's table says what carries each link."""
    arm = rd.Arm([rd.Link(1, (0.2, 0, 0), position=(k > 0, 0, 0)) for k in range(3)], parents=[-1, 0, 0], tip=(1, 0, 0))
    lines = {line.get_label(): line.get_xydata() for line in rd.show.draw_arm(arm, [0, 0.5, -0.5]).lines}
    bars = [line.get_xydata() for line in rd.show.draw_arm(arm, [0, 0.5, -0.5]).lines if line.get_label() == "_link 1"]
    assert len(bars) == 2 and all(close(bar, [[0, 0], [1, 0]]) for bar in bars)
    assert close(lines["_tip"][0], [1 + np.cos(0.5), -np.sin(0.5)])
    assert close(lines["_link 2"][1], [1 + 0.2 * np.cos(0.5), 0.2 * np.sin(0.5)])
    assert "carried by" in arm._repr_html_() and arm._repr_html_().count("<td>link 1</td>") == 2
    assert "carried by" not in rd.robots.two_link()._repr_html_()
