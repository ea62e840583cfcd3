"""The tip is a frame: that of the tip link of a file, the last of a table, a tool's; poses, Jacobians and costs are those of it."""

import numpy as np
import pytest
import sympy as sp
from dh_tables import X, Y, Z, matrix, of_table, shift, turn

import robotdyn as rd
from robotdyn.maths.spatial import rotation
from robotdyn.optimal import costs


@pytest.mark.parametrize("convention", ["standard", "modified"])
@pytest.mark.parametrize("seed", range(5))
def test_the_tip_of_a_table_is_its_last_frame(convention, seed):
    """Hinges and slides, random rows: the pose of the tip is the product of the table's matrices, a point in it included."""
    rng = np.random.default_rng(seed)
    rows = rng.uniform(-1.5, 1.5, (5, 4))
    joints = rng.choice(["revolute", "prismatic"], 5)
    arm = rd.Arm.from_dh(rows, convention, joints=list(joints))
    q = rng.uniform(-1, 1, 5)
    T = of_table(rows, joints, q, convention)
    assert np.allclose(matrix(*rd.tip_pose(arm, q)), T, atol=1e-12)
    out = rd.Arm.from_dh(rows, convention, joints=list(joints), tip=(0.1, 0.2, 0.3))
    assert np.allclose(rd.tip_pose(out, q)[1], (T @ (0.1, 0.2, 0.3, 1))[:3], atol=1e-12)
    assert np.allclose(rd.tip_pose(out, q)[0], T[:3, :3], atol=1e-12)


def test_a_symbolic_table_has_its_frame():
    """Two rows with letters: the pose is a formula."""
    a_1, a_2, q_1, q_2 = sp.symbols("a_1 a_2 q_1 q_2", real=True)
    arm = rd.Arm.from_dh([(a_1, sp.pi / 2, 0, 0), (a_2, 0, 0, 0)])
    R, p = rd.tip_pose(arm, [q_1, q_2])
    c_1, s_1, c_2, s_2 = sp.cos(q_1), sp.sin(q_1), sp.cos(q_2), sp.sin(q_2)
    expected = sp.Matrix([[c_1 * c_2, -c_1 * s_2, s_1], [s_1 * c_2, -s_1 * s_2, -c_1], [s_2, c_2, 0]])
    assert sp.simplify(sp.Matrix(R) - expected) == sp.zeros(3)
    point = sp.Matrix([a_1 * c_1 + a_2 * c_1 * c_2, a_1 * s_1 + a_2 * s_1 * c_2, a_2 * s_2])
    assert sp.simplify(sp.Matrix(p) - point) == sp.zeros(3, 1)


HAND = """<robot name="hand">
  <link name="base"/>
  <link name="arm"><inertial><origin xyz="0.2 0 0"/><mass value="2"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="wrist"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="flange"/>
  <link name="hand"/>
  <joint name="one" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.3"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="9" velocity="9"/></joint>
  <joint name="two" type="revolute"><parent link="arm"/><child link="wrist"/><origin xyz="0.4 0 0" rpy="0.3 0 0"/>
    <axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="9" velocity="9"/></joint>
  <joint name="plate" type="fixed"><parent link="wrist"/><child link="flange"/><origin xyz="0.2 0 0" rpy="0 0 0.7"/></joint>
  <joint name="mount" type="fixed"><parent link="flange"/><child link="hand"/><origin xyz="0 0 0.1" rpy="0.2 0 -0.785"/></joint>
</robot>"""


@pytest.fixture
def hand(tmp_path):
    """An arm whose tip link is turned against its last moving link."""
    path = tmp_path / "hand.urdf"
    path.write_text(HAND, encoding="utf-8")
    return rd.Arm.from_urdf(path), path


def test_the_tip_of_a_file_is_the_frame_of_its_tip_link(hand):
    """Fixed joints turn it, by roll, pitch and yaw about fixed axes."""
    arm, _ = hand
    q = np.array([0.4, -0.7])
    T = shift(Z, 0.3) @ turn(Z, q[0]) @ shift(X, 0.4) @ turn(X, 0.3) @ turn(Y, q[1])
    T = T @ shift(X, 0.2) @ turn(Z, 0.7) @ shift(Z, 0.1) @ turn(Z, -0.785) @ turn(X, 0.2)
    assert np.allclose(matrix(*rd.tip_pose(arm, q)), T, atol=1e-12)


def test_the_jacobian_in_the_axes_of_the_tip_moves_its_frame(hand):
    """J qd is R^T dp/dt and the vector of R^T dR/dt: by differences of the pose; in base axes nothing depends on its axes."""
    arm, _ = hand
    q = np.array([0.4, -0.7])
    qd = np.array([1.3, 0.6])
    h = 1e-6
    (R_1, p_1), (R_2, p_2) = (rd.tip_pose(arm, q + s * h * qd) for s in (-1, 1))
    R, _ = rd.tip_pose(arm, q)
    W = R.T @ (R_2 - R_1) / (2 * h)
    moved = np.concatenate([R.T @ (p_2 - p_1) / (2 * h), [W[2, 1], W[0, 2], W[1, 0]]])
    assert np.allclose(rd.tip_jacobian(arm, q, axes="link") @ qd, moved, atol=1e-8)
    straight = rd.Arm(arm.links, arm.gravity, arm.tip)
    assert np.allclose(rd.tip_jacobian(arm, q), rd.tip_jacobian(straight, q), atol=1e-15)
    assert not np.allclose(rd.tip_jacobian(arm, q, axes="link"), rd.tip_jacobian(straight, q, axes="link"))


def test_the_jacobian_is_pinocchios(hand):
    """Of the frame of the tip link, in its own axes; and its pose."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    arm, path = hand
    model = pin.buildModelFromUrdf(str(path))
    data = model.createData()
    q = np.array([0.4, -0.7])
    frame = model.getFrameId("hand")
    pin.forwardKinematics(model, data, q)
    pin.updateFramePlacements(model, data)
    assert np.allclose(matrix(*rd.tip_pose(arm, q)), data.oMf[frame].homogeneous, atol=1e-12)
    own = pin.computeFrameJacobian(model, data, q, frame, pin.ReferenceFrame.LOCAL)
    assert np.allclose(rd.tip_jacobian(arm, q, axes="link"), own, atol=1e-12)


def test_a_cost_of_orientation_is_that_of_the_tip(hand):
    """It vanishes where the tip frame has the orientation that is asked for, and its slope is that of the turn."""
    arm, _ = hand
    q = np.array([0.4, -0.7])
    target, _ = rd.tip_pose(arm, q)
    states = np.concatenate([q, [0, 0]])[None]
    for goal, value in ((target, 0), (target @ rotation(X, 0.1), 0.01)):
        (term,) = costs.tip_orientation(arm, goal, 1.0).terms
        assert (term.residual(states) ** 2).sum() == pytest.approx(value, rel=1e-9, abs=1e-20)


def test_the_frame_stays_with_the_arm():
    """With symbols replaced, a load or a floating base, in a batch and in a program."""
    R = rotation(Z, 0.5)
    arm = rd.Arm([rd.Link(1, (0.5, 0, 0))], tip=(1, 0, 0), tip_rotation=R)
    assert np.allclose(arm.subs({}).tip_rotation, R) and np.allclose(
        arm.carrying(rd.bodies.sphere(1, 0.1)).tip_rotation, R
    )
    base = rd.floating(arm, rd.bodies.sphere(1, 0.1), plane=True)
    assert np.allclose(rd.tip_pose(base, [0, 0, 0.2, 0.3])[0], rotation(Z, 1.0))
    poses, _ = rd.tip_pose(arm, [[0.1], [0.2]])
    assert np.allclose(poses, [rotation(Z, 0.6), rotation(Z, 0.7)])
    assert np.allclose(rd.specialize(rd.tip_pose, arm)([0.1])[0], rotation(Z, 0.6))
    assert arm != rd.Arm(arm.links, arm.gravity, arm.tip)
    with pytest.raises(ValueError, match=r"tip_rotation must be a rotation matrix .*det R = -1"):
        rd.Arm([rd.Link(1)], tip_rotation=np.diag([1, 1, -1]))
