"""The frames of a Denavit-Hartenberg table, and any frame on a link: points in them, poses, Jacobians and readings are theirs."""

import inspect
import re
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from dh_tables import of_table

import robotdyn as rd
from robotdyn.maths.spatial import rotation
from robotdyn.model.robots import random_arm

H = 1e-6


@pytest.fixture(params=["standard", "modified"])
def table(request):
    """Rows, joints, the arm of them with bodies, a state."""
    rng = np.random.default_rng(3)
    rows = rng.uniform(-1.2, 1.2, (4, 4))
    joints = ["revolute", "prismatic", "revolute", "revolute"]
    coms = rng.uniform(-0.3, 0.3, (4, 3))
    arm = rd.Arm.from_dh(rows, request.param, np.ones(4), coms, [np.diag([0.2, 0.3, 0.4])] * 4, joints)
    return rows, joints, coms, arm, request.param, rng.uniform(-1, 1, (3, 4))


def test_a_frame_of_a_table_is_the_product_of_its_matrices(table):
    """Of the first row, of the first two, and so on; and where the table's frame has a point."""
    rows, joints, _, arm, convention, (q, _, _) = table
    for i in range(4):
        T = of_table(rows[: i + 1], joints[: i + 1], q[: i + 1], convention)
        R, p = rd.frame_pose(arm, q, arm.frame(i))
        assert np.allclose(R, T[:3, :3], atol=1e-12) and np.allclose(p, T[:3, 3], atol=1e-12)
        assert np.allclose(rd.point_position(arm, q, arm.frame(i)), p, atol=1e-12)
        there = rd.point_position(arm, q, arm.frame(i), (0.1, -0.2, 0.3))
        assert np.allclose(there, (T @ (0.1, -0.2, 0.3, 1))[:3], atol=1e-12)
    assert np.allclose(rd.frame_pose(arm, q, arm.frame(-1))[0], rd.tip_pose(arm, q)[0], atol=1e-12)


def test_two_rows_by_hand():
    """(1, pi/2, 0, 0), (1, 0, 0, 0) at zero: the first frame stands at (1, 0, 0), its z axis is -y of the base."""
    arm = rd.Arm.from_dh([(1, np.pi / 2, 0, 0), (1, 0, 0, 0)])
    R, p = rd.frame_pose(arm, [0, 0], arm.frame(0))
    assert np.allclose(p, (1, 0, 0)) and np.allclose(R[:, 2], (0, -1, 0))


def test_centers_of_mass_were_given_in_the_frames_of_the_table(table):
    """And stand there: the position of each is that of its point in the table's frame."""
    _, _, coms, arm, _, (q, _, _) = table
    for i in range(4):
        of_link = rd.point_position(arm, q, i, arm.links[i].com)
        assert np.allclose(rd.point_position(arm, q, arm.frame(i), coms[i]), of_link, atol=1e-12)
        J = rd.com_jacobian(arm, q, i)
        assert np.allclose(rd.com_jacobian(arm, q, arm.frame(i)), J, atol=1e-12)
        assert np.allclose(rd.point_jacobian(arm, q, arm.frame(i), coms[i]), J, atol=1e-12)


def test_jacobians_are_slopes_in_the_axes_of_the_frame(table):
    """J qd is R^T dp/dt and the vector of R^T dR/dt of the frame, by differences."""
    _, _, _, arm, _, (q, qd, _) = table
    for i in range(4):
        frame = arm.frame(i)
        (R_1, p_1), (R_2, p_2) = (rd.frame_pose(arm, q + s * H * qd, frame) for s in (-1, 1))
        R, _ = rd.frame_pose(arm, q, frame)
        W = R.T @ (R_2 - R_1) / (2 * H)
        moved = np.concatenate([R.T @ (p_2 - p_1) / (2 * H), [W[2, 1], W[0, 2], W[1, 0]]])
        assert np.allclose(rd.point_jacobian(arm, q, frame, axes="link") @ qd, moved, atol=1e-8)
        centers = rd.com_jacobian(arm, q, frame, axes="link")
        assert np.allclose(centers, np.kron(np.eye(2), R.T) @ rd.com_jacobian(arm, q, frame), atol=1e-12)


def test_sensors_read_in_the_axes_of_the_frame(table):
    """The same reading as on the link, turned into the axes of the frame, at the place that the frame's point has."""
    _, _, _, arm, _, (q, qd, qdd) = table
    link = arm.links[1]
    point = np.array([0.1, 0.2, -0.1])
    place = link.frame_position + link.frame_rotation @ point
    read = rd.sensors.accelerometer(arm, q, qd, qdd, arm.frame(1), point)
    assert np.allclose(read, link.frame_rotation.T @ rd.sensors.accelerometer(arm, q, qd, qdd, 1, place), atol=1e-12)
    turned = rd.sensors.gyroscope(arm, q, qd, arm.frame(1))
    assert np.allclose(turned, link.frame_rotation.T @ rd.sensors.gyroscope(arm, q, qd, 1), atol=1e-12)


def test_what_takes_a_link_takes_a_frame(table):
    """Inertias, forces, constraints and control at a point of a frame are those at the same point of the link."""
    _, _, _, arm, _, (q, qd, qdd) = table
    link = arm.links[3]
    point = np.array([0.1, 0.2, -0.1])
    place = link.frame_position + link.frame_rotation @ point
    frame = arm.frame(3)
    same = lambda a, b: np.allclose(a, b, atol=1e-10)
    assert same(rd.point_acceleration(arm, q, qd, qdd, frame, point), rd.point_acceleration(arm, q, qd, qdd, 3, place))
    assert same(rd.effective_mass(arm, q, (1, 0, 0), frame, point), rd.effective_mass(arm, q, (1, 0, 0), 3, place))
    assert same(
        rd.task_space.effective_inertia(arm, q, frame, point), rd.task_space.effective_inertia(arm, q, 3, place)
    )
    wrench = (1, 2, 3, 4, 5, 6)
    pushed, expected = (rd.forces.point_wrench(arm, wrench, *at)(0, q, qd) for at in ((frame, point), (3, place)))
    assert same(pushed, expected)
    soft, expected = (
        rd.control.impedance(arm, (0.3, 0.2, 0.1), 100, 10, link=at, point=r)(0, q, qd)
        for at, r in ((frame, point), (3, place))
    )
    assert same(soft, expected)
    held, expected = (
        rd.constraints.hold_point(arm, (0, 0, 0), *at).equations(q) for at in ((frame, point), (3, place))
    )
    assert same(held, expected)


def test_a_frame_of_ones_own():
    """A sensor that is mounted askew: its own position and axes; in a batch, with symbols, in a program."""
    arm = rd.robots.uniform_two_link()
    R = rotation(np.eye(3)[2], 0.3)
    frame = rd.LinkFrame(0, (0.5, 0.1, 0), R)
    states = np.array([[0.2, 0.4], [-0.3, 1.0]])
    poses, places = rd.frame_pose(arm, states, frame)
    for q, turn, place in zip(states, poses, places):
        assert np.allclose(turn, rotation(np.eye(3)[2], q[0] + 0.3))
        assert np.allclose(place, rotation(np.eye(3)[2], q[0]) @ (0.5, 0.1, 0))
    q = sp.symbols("q_1:3", real=True)
    formula = rd.point_position(rd.robots.uniform_two_link(symbolic=True), q, rd.LinkFrame(0, (sp.Symbol("a"), 0, 0)))
    assert sp.simplify(formula[0] - sp.Symbol("a") * sp.cos(q[0])) == 0
    fast = rd.specialize(lambda arm, q: rd.point_position(arm, q, frame), arm)
    assert np.allclose(fast(states[0]), places[0])


def test_a_frame_of_the_last_link_is_one_however_it_is_counted(table):
    """-1 and n - 1, a NumPy integer and one of Python: equal, with equal hashes."""
    _, _, _, arm, _, _ = table
    for one, other in ((arm.frame(-1), arm.frame(arm.n - 1)), (arm.frame(np.int64(1)), arm.frame(1 - arm.n))):
        assert one == other and hash(one) == hash(other) and 0 <= one.link < arm.n
    assert rd.LinkFrame(np.int32(1)) == rd.LinkFrame(1)


TAKE_A_POINT = [
    *(rd.point_position, rd.point_jacobian, rd.point_acceleration, rd.sensors.accelerometer, rd.forces.point_wrench),
    *(rd.task_space.mobility, rd.task_space.effective_inertia, rd.task_space.effective_mass, rd.task_space.force),
    *(rd.task_space.bias_force, rd.task_space.impact, rd.constraints.hold_point),
    *(rd.control.impedance, rd.control.operational_space, rd.resolved_rates, rd.resolved_accelerations),
    *(rd.forces.plane_contact, rd.control.hybrid_force_motion, rd.control.admittance),
]  # fmt: skip


def test_the_point_of_a_frame_is_its_origin_unless_another_is_given():
    """Also on the last link, whose index alone means the tip: said by all that take a link and a point, and so."""
    modules = [rd, *(getattr(rd, name) for name in rd.__all__ if inspect.ismodule(getattr(rd, name)))]
    functions = {f for module in modules for _, f in inspect.getmembers(module, inspect.isfunction)}
    found = {f for f in functions if {"link", "point"} <= set(inspect.signature(f).parameters)}
    assert found == set(TAKE_A_POINT)
    for function in found:
        text = " ".join(function.__doc__.split())
        assert "or the origin of a frame on a link" in text or "for a frame always its own origin" in text, function
    rng = np.random.default_rng(5)
    links = [rd.Link(1, rng.normal(size=3), np.eye(3), frame_position=rng.normal(size=3)) for _ in range(3)]
    arm = rd.Arm(links, tip=(0.3, 0.2, 0.1))
    q, qd, qdd, w = rng.normal(size=(4, 3))
    frame = arm.frame(-1)

    def forced(*at):
        pressing = rd.forces.plane_contact(arm, w, (0, 0, 1), 100, 1, 0.3, 0.01, *at).force
        goal = lambda t: (w[:1], 0 * w[:1], 0 * w[:1])
        return rd.control.hybrid_force_motion(arm, goal, [5], pressing, [True], 9, 6, 1, np.eye(1, 3), None, *at)

    def yielding(*at):
        return rd.control.admittance(arm, w[:1], lambda *x: 0 * w, 1, 10, 100, 9, 6, q, np.eye(1, 3), None, *at)

    calls = [
        lambda *at: rd.point_position(arm, q, *at),
        lambda *at: rd.point_jacobian(arm, q, *at),
        lambda *at: rd.point_acceleration(arm, q, qd, qdd, *at),
        lambda *at: rd.sensors.accelerometer(arm, q, qd, qdd, *at),
        lambda *at: rd.forces.point_wrench(arm, np.r_[w, w], *at)(0, q, qd),
        lambda *at: rd.task_space.mobility(arm, q, *at),
        lambda *at: rd.task_space.effective_mass(arm, q, w, *at),
        lambda *at: rd.constraints.hold_point(arm, w, *at).equations(q),
        lambda *at: rd.resolved_rates(arm, q, w, 0.5, None, None, *at),
        lambda *at: rd.resolved_accelerations(arm, q, qd, w, 0.5, None, None, *at),
        lambda *at: rd.control.impedance(arm, w, 10, 1, 1, *at)(0, q, qd),
        lambda *at: rd.forces.plane_contact(arm, w, (0, 0, 1), 100, 1, 0.3, 0.01, *at).force(0, q, qd),
        lambda *at: forced(*at).step(0, q, qd, np.ones(1))[0],
        lambda *at: yielding(*at).start,
    ]
    for call in calls:
        assert np.allclose(call(frame), call(frame, (0, 0, 0)), atol=1e-12)
        assert np.allclose(call(frame), call(2, links[2].frame_position), atol=1e-10)
        assert not np.allclose(call(frame), call(2))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda arm: arm.frame(2), r"link must be an index from 0 to 1 \(or -1 for the last\), got 2"),
        (lambda arm: rd.point_position(arm, [0, 0], rd.LinkFrame(5)), "link must be an index from 0 to 1 .*got 5"),
        (
            lambda arm: rd.point_position(arm, [0, 0], "hand"),
            "link must be the name of one frame or link that moves, got 'hand': no frame and no link",
        ),
        (lambda arm: arm.frame(True), "link must be an index from 0 to 1 .*got True"),
        (lambda arm: rd.point_position(arm, [0, 0], True), "link must be an index from 0 to 1 .*got True"),
        (lambda arm: rd.LinkFrame("a"), "link must be an index, 0 for the first link or -1 for the last, got 'a'"),
        (lambda arm: rd.LinkFrame(True), "link must be an index, .* got True"),
        (lambda arm: rd.LinkFrame(1.0), "link must be an index, .* got 1.0"),
        (lambda arm: rd.LinkFrame(None), "link must be an index, .* got None"),
        (lambda arm: rd.LinkFrame(0, (0, 0)), r"position must have shape \(3,\)"),
        (lambda arm: rd.LinkFrame(0, (0, 0, 0), np.ones((3, 3))), "rotation must be a rotation matrix"),
        (lambda arm: rd.Link(1, frame_rotation=2 * np.eye(3)), "frame_rotation must be a rotation matrix"),
    ],
)
def test_what_is_no_frame_is_told(wrong, sentence):
    """In a sentence that names what was given."""
    with pytest.raises(ValueError, match=sentence):
        wrong(rd.robots.two_link())


def named_arm():
    """A chain of three links with names, of which the last one carries a hand."""
    arm = random_arm(np.random.default_rng(12), 3)
    links = [replace(link, name=f"l{k}") for k, link in enumerate(arm.links)]
    hand = rd.LinkFrame(2, (0.1, 0.2, 0.3), rd.rotations.exp((0.4, 0.5, 0.6)))
    return replace(arm, links=links, frames={"hand": hand})


@pytest.mark.parametrize("name", ["l0", "l2", "hand"])
def test_a_name_is_the_frame_that_has_it(name):
    """Wherever there is a `link`: kinematics, sensors, the task space, forces, constraints, laws of control."""
    arm = named_arm()
    frame = arm.frame(name)
    q, qd, qdd = np.random.default_rng(13).normal(size=(3, 3))
    x = np.array([[1.0, 0, 0]])
    still = rd.control.minimum_jerk([0.0], [0.0], 1.0)
    for call in (
        lambda at: rd.frame_pose(arm, q, at)[0],
        lambda at: rd.frame_pose(arm, q, at)[1],
        lambda at: rd.point_position(arm, q, at),
        lambda at: rd.point_position(arm, q, link=at, point=(1, 2, 3)),
        lambda at: rd.point_jacobian(arm, q, at, axes="link"),
        lambda at: rd.com_jacobian(arm, q, at, axes="link"),
        lambda at: rd.point_acceleration(arm, q, qd, qdd, at),
        lambda at: rd.sensors.accelerometer(arm, q, qd, qdd, at),
        lambda at: rd.sensors.gyroscope(arm, q, qd, at),
        lambda at: rd.task_space.mobility(arm, q, at),
        lambda at: rd.effective_inertia(arm, q, at, directions=x),
        lambda at: rd.effective_mass(arm, q, (1, 0, 0), at),
        lambda at: rd.task_space.bias_force(arm, q, qd, at, directions=x),
        lambda at: rd.task_space.impact(arm, q, qd, (1, 0, 0), link=at).qd,
        lambda at: rd.forces.point_wrench(arm, (1, 2, 3, 4, 5, 6), at)(0, q, qd),
        lambda at: rd.constraints.hold_point(arm, (1, 1, 1), at).equations(q),
        lambda at: rd.control.impedance(arm, (1, 1, 1), 10, 1, link=at)(0, q, qd),
        lambda at: rd.control.operational_space(arm, still, 10, 1, link=at, directions=x)(0, q, qd),
    ):
        assert np.array_equal(call(name), call(frame))
    with pytest.raises(
        ValueError, match="link must be the name of one frame or link that moves, got 'foot': there are hand, l0"
    ):
        rd.point_position(arm, q, "foot")


def test_a_table_in_degrees_is_told():
    """A link twisted by 90 rad is none that anyone wrote; a whole turn is; a table of one dimension is none."""
    with pytest.warns(
        UserWarning, match="alpha and theta of rows are in rad, got 90, more than a turn: are these degrees?"
    ):
        rd.Arm.from_dh([(1, 90, 0, 0), (1, 0, 0, -45)])
    assert rd.Arm.from_dh([(1, 2 * np.pi, 0, -2 * np.pi)]).n == 1
    for table, got in ([1, 0, 0, 0], (4,)), ([(1, 0, 0)], (1, 3)), ([], (0,)), (3.0, ()):
        sentence = re.escape(f"rows must have shape (n, 4), a row (a, alpha, d, theta) for each joint, got {got}")
        with pytest.raises(ValueError, match=sentence):
            rd.Arm.from_dh(table)
