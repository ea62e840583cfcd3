"""Agreement with Pinocchio and MuJoCo on named and random arms, and on the URDF files of real ones (extra `peers`)."""

from dataclasses import replace

import numpy as np
import pytest
from arms import MIXES, NAMED, arm_and_state, more_mixes, named_arm_and_state
from peer_models import agree, agree_on_urdf, carried, mujoco_text, pinocchio_model

import robotdyn as rd

CASES = (*NAMED, *dict.fromkeys((*MIXES, *more_mixes(40, "rp"), *more_mixes(20, "rps"))))  # MuJoCo has no screw


def pinocchio():
    return pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")


def case(name):
    """Return arm, q, qd, qdd (or tau), tip wrench and coefficients of viscous friction of a named or a random arm."""
    arm, *state = named_arm_and_state(name) if name in NAMED else arm_and_state(name)
    return (arm, *state, np.linspace(0.3, 0.9, arm.n))


@pytest.mark.parametrize("name", CASES)
def test_pinocchio(name):
    """Mass matrix, bias, gravity, Coriolis matrix, energies, tip Jacobian, and both dynamics with wrench and friction."""
    pin = pinocchio()
    arm, q, qd, qdd, w, b = case(name)
    model = pinocchio_model(pin, arm)
    data = model.createData()
    M = np.array(pin.crba(model, data, q))
    M = np.triu(M) + np.triu(M, 1).T
    frame = model.getFrameId("tip")
    J = pin.computeFrameJacobian(model, data, q, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
    J = np.reshape(J, (6, arm.n))  # Pinocchio drops the axis of a single joint
    R = data.oMi[arm.n].rotation
    in_link = pin.Force(R.T @ w[:3], R.T @ w[3:] + np.cross(arm.tip, R.T @ w[:3]))  # about the origin of the last joint
    forces = pin.StdVec_Force([pin.Force.Zero()] * arm.n + [in_link])
    tau, friction = qdd, rd.forces.viscous(b)(0, q, qd)
    pairs = {
        "mass matrix": (rd.mass_matrix(arm, q), M),
        "tip Jacobian": (rd.tip_jacobian(arm, q), J),
        "inverse dynamics": (rd.inverse_dynamics(arm, q, qd, qdd), pin.rnea(model, data, q, qd, qdd).copy()),
        "tip wrench": (rd.inverse_dynamics(arm, q, qd, qdd, w), pin.rnea(model, data, q, qd, qdd, forces).copy()),
        "bias": (rd.bias_torque(arm, q, qd), pin.nonLinearEffects(model, data, q, qd).copy()),
        "gravity": (rd.gravity_torque(arm, q), pin.computeGeneralizedGravity(model, data, q).copy()),
        "forward dynamics": (rd.forward_dynamics(arm, q, qd, tau), pin.aba(model, data, q, qd, tau).copy()),
        "with wrench and friction": (
            rd.forward_dynamics(arm, q, qd, tau + friction, w),
            pin.aba(model, data, q, qd, tau - b * qd, forces).copy(),
        ),
        "Coriolis matrix": (rd.coriolis_matrix(arm, q, qd), pin.computeCoriolisMatrix(model, data, q, qd).copy()),
        "kinetic energy": (rd.kinetic_energy(arm, q, qd), pin.computeKineticEnergy(model, data, q, qd)),
        "potential energy": (rd.potential_energy(arm, q), pin.computePotentialEnergy(model, data, q)),
    }
    agree(pairs)


@pytest.mark.parametrize("mix", MIXES)
def test_pinocchio_derivatives(mix):
    """Closed-form derivatives of both dynamics by positions, rates, and accelerations or torques, to 1e-10."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    arm, q, qd, qdd, _ = arm_and_state(mix)
    model = pinocchio_model(pin, arm)
    data = model.createData()
    square = lambda A: np.array(A).reshape(arm.n, arm.n)  # Pinocchio drops the axes of a single joint
    by_q, by_qd = map(square, pin.computeRNEADerivatives(model, data, q, qd, qdd)[:2])
    F, G, H = map(square, pin.computeABADerivatives(model, data, q, qd, qdd))
    ours = rd.inverse_dynamics_derivatives(arm, q, qd, qdd) + rd.forward_dynamics_derivatives(arm, q, qd, qdd)
    for name, mine, theirs in zip(("by_q", "by_qd", "F", "G", "H"), ours, (by_q, by_qd, F, G, H)):
        assert np.max(abs(mine - theirs)) < 1e-10 * (1 + np.max(abs(theirs))), name


def test_motors():
    """Rotors in the joints: mass matrix and both dynamics are those of Pinocchio and MuJoCo, which call them armature."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is missing: pip install robotdyn[peers]")
    arm, q, qd, tau, _ = arm_and_state("rrpr")
    arm = replace(arm, links=[replace(link, motor_inertia=0.3 * k) for k, link in enumerate(arm.links)])
    model = pinocchio_model(pin, arm)
    data = model.createData()
    assert np.allclose(rd.forward_dynamics(arm, q, qd, tau), pin.aba(model, data, q, qd, tau), atol=1e-9)
    assert np.allclose(rd.inverse_dynamics(arm, q, qd, tau), pin.rnea(model, data, q, qd, tau), atol=1e-10)
    model = mujoco.MjModel.from_xml_string(mujoco_text(arm))
    data = mujoco.MjData(model)
    data.qpos, data.qvel, data.qfrc_applied = q, qd, tau
    mujoco.mj_forward(model, data)
    assert np.allclose(rd.forward_dynamics(arm, q, qd, tau), data.qacc, rtol=1e-8)


@pytest.mark.parametrize("name", [name for name in CASES if name in NAMED or "s" not in name])
def test_mujoco(name):
    """Mass matrix, bias, tip Jacobian, sensors there, and both dynamics with a wrench and MuJoCo's own friction."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is missing: pip install robotdyn[peers]")
    arm, q, qd, tau, w, b = case(name)
    if not all(link.mass > 0 and link.inertia.any() for link in arm.links):  # MuJoCo wants every body to have some
        more = rd.Body(0.1, (0.01, 0.02, 0.03), 1e-3 * np.eye(3))
        whole = [rd.Body(link.mass, link.com, link.inertia) + more for link in arm.links]
        fields = {"mass": [body.mass for body in whole], "com": [body.com for body in whole]}
        arm = arm.map(lambda x: x, {**fields, "inertia": [body.inertia for body in whole]})
    model = mujoco.MjModel.from_xml_string(mujoco_text(arm))
    model.dof_damping[:] = b
    data = mujoco.MjData(model)
    data.qpos, data.qvel, data.qfrc_applied = q, qd, tau
    mujoco.mj_forward(model, data)
    M = np.array([[0.0] * arm.n for _ in range(arm.n)])
    mujoco.mj_fullM(model, data, M)
    linear, angular = np.zeros((3, arm.n)), np.zeros((3, arm.n))
    mujoco.mj_jacSite(model, data, linear, angular, 0)
    friction = rd.forces.viscous(b)(0, q, qd)
    pairs = {
        "mass matrix": (rd.mass_matrix(arm, q), M),
        "bias": (rd.bias_torque(arm, q, qd), data.qfrc_bias.copy()),
        "friction": (rd.forward_dynamics(arm, q, qd, tau + friction), data.qacc.copy()),
        "tip Jacobian": (rd.tip_jacobian(arm, q), np.vstack([linear, angular])),
        "accelerometer": (rd.sensors.accelerometer(arm, q, qd, data.qacc), data.sensordata[:3].copy()),
        "gyroscope": (rd.sensors.gyroscope(arm, q, qd), data.sensordata[3:].copy()),
    }
    mujoco.mj_applyFT(model, data, w[:3], w[3:], data.site_xpos[0], arm.n, data.qfrc_applied)
    mujoco.mj_forward(model, data)
    pairs["with wrench and friction"] = (rd.forward_dynamics(arm, q, qd, tau + friction, w), data.qacc.copy())
    data.qacc = tau
    mujoco.mj_inverse(model, data)
    pairs["inverse dynamics"] = (rd.inverse_dynamics(arm, q, qd, tau) - friction, data.qfrc_inverse.copy())
    agree(pairs)


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
    path = tmp_path / "arm.urdf"
    path.write_text(URDF, encoding="utf8")
    agree_on_urdf(pinocchio(), path, "tool")


@pytest.mark.parametrize(
    ("package", "file", "tip"),
    [
        ("example-robot-data", "panda.urdf", "panda_hand_tcp"),
        ("example-robot-data", "ur5_robot.urdf", "tool0"),
        ("example-robot-data", "ur10_robot.urdf", "ee_link"),
        ("example-robot-data", "kinova.urdf", "j2s6s200_end_effector"),
        ("example-robot-data", "xarm7.urdf", "link7"),
        ("example-robot-data", "baxter.urdf", "left_gripper"),
        ("example-robot-data", "tiago.urdf", "arm_tool_link"),
        ("example-robot-data", "talos_full_v2.urdf", "arm_right_7_link"),
        ("example-robot-data", "anymal-kinova.urdf", "j2s6s200_end_effector"),
        ("airo-models", "ur5e.urdf", "tool0"),
    ],
)
def test_urdf_of_a_real_arm(package, file, tip):
    """Arms as their makers and users describe them: chains, and chains picked from a robot with more limbs."""
    agree_on_urdf(pinocchio(), carried(package, file), tip)


def test_urdf_with_a_body_that_cannot_be():
    """The PR2 carries a sensor mount with moments of inertia that no body has: the file is refused, and the link named."""
    with pytest.raises(ValueError, match=r"link sensor_mount_link of .*: inertia must obey the triangle"):
        rd.Arm.from_urdf(carried("example-robot-data", "pr2.urdf"), "r_gripper_tool_frame")
