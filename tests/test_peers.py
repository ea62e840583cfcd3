"""Agreement with Pinocchio and MuJoCo on the same random arms; skipped where they are not installed (extra `peers`)."""

import numpy as np
import pytest
from arms import MIXES, arm_and_state
from peer_models import mujoco_text, pinocchio_model

import robotdyn as rd


@pytest.mark.parametrize("mix", MIXES)
def test_pinocchio(mix):
    """Mass matrix, bias, gravity, Coriolis matrix, both dynamics, tip Jacobian in both axes and a tip wrench, to 1e-10."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    arm, q, qd, qdd, w = arm_and_state(mix)
    model = pinocchio_model(pin, arm)
    data = model.createData()
    M = np.array(pin.crba(model, data, q))
    M = np.triu(M) + np.triu(M, 1).T
    frame = model.getFrameId("tip")
    J = pin.computeFrameJacobian(model, data, q, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
    J = np.reshape(J, (6, arm.n))  # Pinocchio drops the axis of a single joint
    own = pin.computeFrameJacobian(model, data, q, frame, pin.ReferenceFrame.LOCAL)
    tau = pin.rnea(model, data, q, qd, qdd).copy()
    pairs = {
        "mass matrix": (rd.mass_matrix(arm, q), M),
        "tip Jacobian": (rd.tip_jacobian(arm, q), J),
        "tip Jacobian, link axes": (rd.tip_jacobian(arm, q, axes="link"), np.reshape(own, (6, arm.n))),
        "inverse dynamics": (rd.inverse_dynamics(arm, q, qd, qdd), tau),
        "tip wrench": (rd.inverse_dynamics(arm, q, qd, qdd, w), tau - J.T @ w),
        "bias": (rd.bias_torque(arm, q, qd), pin.nonLinearEffects(model, data, q, qd).copy()),
        "gravity": (rd.gravity_torque(arm, q), pin.computeGeneralizedGravity(model, data, q).copy()),
        "forward dynamics": (rd.forward_dynamics(arm, q, qd, qdd), pin.aba(model, data, q, qd, qdd).copy()),
        "Coriolis matrix": (rd.coriolis_matrix(arm, q, qd), pin.computeCoriolisMatrix(model, data, q, qd).copy()),
        "kinetic energy": (rd.kinetic_energy(arm, q, qd), pin.computeKineticEnergy(model, data, q, qd)),
        "potential energy": (rd.potential_energy(arm, q), pin.computePotentialEnergy(model, data, q)),
    }
    for name, (ours, theirs) in pairs.items():
        assert np.max(abs(ours - theirs)) < 1e-10 * (1 + np.max(abs(theirs))), name


def test_pinocchio_motions():
    """Exponential, logarithm, adjoint and inverse of rigid motions: Pinocchio, too, has the linear part first."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    for twist in np.random.default_rng(15).normal(size=(20, 6)):
        T, theirs = rd.motions.exp(twist), pin.exp6(pin.Motion(twist))
        assert np.allclose(T, theirs.homogeneous, atol=1e-13)
        assert np.allclose(rd.motions.log(T), pin.log6(theirs).vector, atol=1e-13)
        assert np.allclose(rd.motions.adjoint(T), theirs.action, atol=1e-13)
        assert np.allclose(rd.motions.inverse(T), theirs.inverse().homogeneous, atol=1e-13)


@pytest.mark.parametrize("mix", [mix for mix in MIXES if "s" not in mix])  # MuJoCo has no screw
def test_mujoco(mix):
    """Mass matrix, bias, forward dynamics and tip Jacobian, to 1e-8 (MuJoCo rounds frames when it reads a model)."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is missing: pip install robotdyn[peers]")
    arm, q, qd, tau, _ = arm_and_state(mix)
    model = mujoco.MjModel.from_xml_string(mujoco_text(arm))
    data = mujoco.MjData(model)
    data.qpos, data.qvel, data.qfrc_applied = q, qd, tau
    mujoco.mj_forward(model, data)
    M = np.array([[0.0] * arm.n for _ in range(arm.n)])
    mujoco.mj_fullM(model, data, M)
    linear, angular = np.zeros((3, arm.n)), np.zeros((3, arm.n))
    mujoco.mj_jacSite(model, data, linear, angular, 0)
    pairs = {
        "mass matrix": (rd.mass_matrix(arm, q), M),
        "bias": (rd.bias_torque(arm, q, qd), data.qfrc_bias),
        "forward dynamics": (rd.forward_dynamics(arm, q, qd, tau), data.qacc),
        "tip Jacobian": (rd.tip_jacobian(arm, q), np.vstack([linear, angular])),
    }
    for name, (ours, theirs) in pairs.items():
        assert np.max(abs(ours - theirs)) < 1e-8 * (1 + np.max(abs(theirs))), name


URDF = """<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0.1 0.02 0.3" rpy="0.3 -0.2 0.5"/><mass value="2.5"/>
    <inertia ixx="0.05" ixy="0.002" ixz="-0.001" iyy="0.04" iyz="0.003" izz="0.03"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0 0 0.2"/><mass value="1.5"/>
    <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.01"/></inertial></link>
  <link name="flange"><inertial><mass value="0.4"/>
    <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial></link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <origin xyz="0 0 0.4" rpy="0.1 0.2 0.3"/><limit effort="1" velocity="1" lower="-3" upper="3"/></joint>
  <joint name="slide" type="prismatic"><parent link="upper"/><child link="lower"/><axis xyz="1 0 0"/>
    <origin xyz="0.1 0 0.5" rpy="-0.4 0 0.2"/><limit effort="1" velocity="1" lower="-1" upper="1"/></joint>
  <joint name="glue" type="fixed"><parent link="lower"/><child link="flange"/><origin xyz="0 0.1 0.4" rpy="0 0.7 0"/></joint>
  <joint name="wrist" type="continuous"><parent link="flange"/><child link="hand"/><axis xyz="0 0 1"/></joint>
  <link name="hand"><inertial><origin xyz="0 0.05 0.1"/><mass value="0.7"/>
    <inertia ixx="0.003" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.002"/></inertial></link>
  <joint name="tool_joint" type="fixed"><parent link="hand"/><child link="tool"/><origin xyz="0 0 0.15" rpy="0 0 1"/></joint>
</robot>"""


def test_urdf(tmp_path):
    """A URDF with fixed joints in the middle and at the end is the arm that Pinocchio reads from it."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    path = tmp_path / "arm.urdf"
    path.write_text(URDF, encoding="utf8")
    arm, model = rd.Arm.from_urdf(path), pin.buildModelFromUrdf(str(path))
    data, (q, qd, qdd) = model.createData(), np.random.default_rng(4).normal(size=(3, 3))
    configuration = np.array([q[0], q[1], np.cos(q[2]), np.sin(q[2])])
    assert np.allclose(rd.inverse_dynamics(arm, q, qd, qdd), pin.rnea(model, data, configuration, qd, qdd), atol=1e-12)
    pin.framesForwardKinematics(model, data, configuration)
    tip = data.oMf[model.getFrameId("tool")].translation
    assert np.allclose(rd.point_position(arm, q), tip, atol=1e-13)
