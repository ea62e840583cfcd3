"""Arms from MuJoCo's models: its own mass matrix, bias, frames; what an arm is without is said; no test without `mujoco`."""

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from peer_models import agree

import robotdyn as rd

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is missing: pip install robotdyn[peers]")

ARM = """<mujoco model="seven"><compiler angle="degree" autolimits="true"/><option gravity="0.3 -0.2 -9.7"/>
  <default><joint armature="0.1" damping="1" frictionloss="0.2"/><default class="finger">
    <joint type="slide" axis="0 1 0" range="0 0.04" armature="0"/></default></default>
  <worldbody><geom type="plane" size="1 1 1"/><body name="stand" pos="0 0 0.3" quat="1 0.2 0 0.1"><site name="bolt"/>
    <body name="shoulder" pos="0 0 0.1" euler="10 20 30"><inertial mass="4" pos="0.01 0 0.1" fullinertia="0.1 0.12 0.07 0.01 0.02 0"/>
      <joint name="pan" axis="0 0 1" range="-170 170" actuatorfrcrange="-87 87"/>
      <joint name="tilt" axis="0 2 1" pos="0.02 0 0.1" ref="25"/>
      <body name="upper" pos="0.1 0.2 0.3" quat="0.5 0.1 0.7 0"><geom type="capsule" size="0.05" fromto="0 0 0 0.3 0.1 0.2" mass="2"/>
        <joint name="elbow" axis="0 1 0" pos="0.1 0 -0.1"/>
        <body name="cover" pos="0.1 0 0" euler="0 40 0"><geom type="box" size="0.1 0.05 0.02" mass="0.5"/><site name="lamp" pos="0.1 0 0"/></body>
        <body name="rail" pos="0.3 0.1 0.2"><joint name="rail" type="slide" axis="1 1 0" ref="0.1" range="-0.5 0.5"/>
          <geom type="box" size="0.1 0.05 0.02" mass="0.7" pos="0.1 0.1 0"/>
          <body name="left" pos="0.1 0 0" childclass="finger"><joint name="left"/><geom type="sphere" size="0.02" mass="0.1"/></body>
          <body name="right" pos="0.1 0 0" quat="0 0 0 1" childclass="finger"><joint name="right"/><geom type="sphere" size="0.02" mass="0.1"/>
            <site name="tcp" pos="0.05 0 0.01" euler="0 90 0"/></body>
        </body></body></body></body></worldbody>
  <equality><joint joint1="left" joint2="right"/></equality>
  <actuator><motor joint="pan"/></actuator></mujoco>"""

DOG = """<mujoco><worldbody><body name="trunk" pos="0 0 0.5" quat="1 0.1 0 0"><freejoint/><geom type="box" size="0.3 0.1 0.1"/>
  <body name="thigh" pos="0.2 0.1 0"><joint name="hip" axis="0 1 0" stiffness="3"/><geom type="capsule" size="0.03" fromto="0 0 0 0 0 -0.2"/>
    <body name="shank" pos="0 0 -0.2"><joint name="knee" axis="0 1 0"/><geom type="capsule" size="0.03" fromto="0 0 0 0.1 0 -0.2"/></body></body>
  <body name="tail" pos="-0.3 0 0"><joint type="ball"/><geom type="sphere" size="0.03" pos="-0.1 0 0"/></body></body></worldbody></mujoco>"""


def links_of(kind):
    """The joints, without mass, that stand for a free joint, 0, or a ball joint, 1, as MuJoCo numbers them."""
    axes = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
    slides = [rd.Link(0, joint="prismatic", axis=axes[word]) for word in "xyz"]
    return {0: slides, 1: []}[kind] + [rd.Link(0, axis=axes[word]) for word in "zyx"]


def rates_of(kind, q, qd):
    """MuJoCo's qpos, the matrix G of its qvel = G qd, and Gdot qd, of one joint; the velocity of a ball is in its own axes."""
    if kind > 1:
        return q, np.eye(1), np.zeros(1)
    arm = rd.Arm(links_of(kind))
    R, p = rd.tip_pose(arm, q)
    J, a = rd.tip_jacobian(arm, q), rd.point_acceleration(arm, q, qd, 0 * qd)
    turn = R.T @ J[3:], R.T @ a[3:]
    quaternion = rd.rotations.to_quaternion(R)
    if kind == 1:
        return quaternion, *turn
    return np.append(p, quaternion), np.vstack([J[:3], turn[0]]), np.append(a[:3], turn[1])


def check_agreement(model, arm, seed=0):
    """Compare M, the torques without accelerations and the frames of bodies and sites at a random state."""
    data = mujoco.MjData(model)
    coordinates = np.random.default_rng(seed).uniform(-1, 1, (2, arm.n))
    q, qd = coordinates
    bound = np.eye(arm.n)
    if arm.coupling is not None:
        bound = arm.coupling[:, :-1]
        q, qd = bound @ q + arm.coupling[:, -1], bound @ qd
    n = len(q)
    G, velocity_terms = np.zeros((model.nv, n)), np.zeros(model.nv)
    first = 0
    for j in range(model.njnt):
        kind = int(model.jnt_type[j])
        own, dof, place = slice(first, first + (6, 3, 1, 1)[kind]), model.jnt_dofadr[j], model.jnt_qposadr[j]
        qpos, G_joint, terms = rates_of(kind, q[own], qd[own])
        data.qpos[place : place + len(qpos)] = qpos
        G[dof : dof + len(terms), own], velocity_terms[dof : dof + len(terms)] = G_joint, terms
        first = own.stop
    assert first == n
    data.qvel[:] = G @ qd
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    G, (q, qd) = G @ bound, coordinates
    pairs = {"mass matrix": (rd.mass_matrix(arm, q), G.T @ M @ G)}
    pairs["bias torque"] = (rd.bias_torque(arm, q, qd), G.T @ (data.qfrc_bias + M @ velocity_terms))
    for name, _ in arm.frames:
        of_body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name) >= 0
        place, axes = (
            (data.body(name).xpos, data.body(name).xmat) if of_body else (data.site(name).xpos, data.site(name).xmat)
        )
        R, p = rd.frame_pose(arm, q, name)
        pairs |= {f"place of {name}": (p, place), f"axes of {name}": (R.ravel(), axes)}
    agree(pairs)


def test_an_arm_with_fingers():
    """Two joints of one body, anchors off its origin, references, fixed parts, armatures; names, limits, damping and friction."""
    model = mujoco.MjModel.from_xml_string(ARM)
    with pytest.warns(
        UserWarning,
        match="the text: the arm is without its actuator .1., its shape that touches others .6.",
    ) as caught:
        arm = rd.from_mjcf(ARM, "tcp")
    assert len(caught) == 1
    check_agreement(model, arm)
    assert arm.joint_names == ("pan", "tilt", "elbow", "rail", "right")
    assert arm.coupling[4].tolist() == [0, 0, 0, 0, 1, 0]  # the left finger follows
    check_agreement(model, arm.uncoupled)
    assert arm.link_names == (None, "shoulder", "upper", "rail", "left", "right") and arm.parents == (-1, 0, 1, 2, 3, 3)
    assert {name for name, _ in arm.frames} == {"shoulder", "upper", "cover", "rail", "left", "right", "lamp", "tcp"}
    assert np.allclose(arm.limits[0], np.radians([-170, 170])) and arm.limits[3] == (-0.5, 0.5) and 1 not in arm.limits
    assert arm.joint_values("effort")[:2].tolist() == [87, np.inf]
    assert set(arm.joint_values("damping")) == {1.0} and set(arm.joint_values("friction")) == {0.2}
    assert [link.motor_inertia for link in arm.links] == [0.1, 0.1, 0.1, 0.1, 0, 0]
    q = np.random.default_rng(3).normal(size=arm.n)
    for at_tip, at_frame in zip(rd.tip_pose(arm, q), rd.frame_pose(arm, q, "tcp")):
        assert np.allclose(at_tip, at_frame)
    with pytest.warns(UserWarning):
        assert np.allclose(rd.from_mjcf(model).frame("right").position, rd.from_mjcf(model).tip, rtol=0, atol=1e-15)


def test_what_floats_or_turns_like_a_ball():
    """x, y and z in the world, then yaw, pitch and roll; held at the pose that the model has, the trunk stands there."""
    with pytest.warns(UserWarning) as caught:
        arm = rd.from_mjcf(DOG)
    assert "the arm is without its spring of a joint (1), its shape" in str(caught[0].message)
    turns = ("yaw", "pitch", "roll")
    trunk = tuple(f"trunk_{word}" for word in ("x", "y", "z", *turns))
    assert arm.joint_names == (*trunk, "hip", "knee", *(f"tail_{word}" for word in turns))
    assert arm.link_names[5:] == ("trunk", "thigh", "shank", None, None, "tail") and arm.parents[5:] == (
        4,
        5,
        6,
        5,
        8,
        9,
    )
    check_agreement(mujoco.MjModel.from_xml_string(DOG), arm)
    assert arm.limits == {}


def test_what_a_ball_joint_loses_is_said():
    """Armature, damping and limits act along its own axes, which three hinges do not have."""
    joint = '<joint type="ball" armature="0.1" damping="1" limited="true" range="0 1"/>'
    with pytest.warns(UserWarning, match="armature, damping, friction or limit of a free or ball joint .1."):
        arm = rd.from_mjcf(DOG.replace('<joint type="ball"/>', joint))
    assert not any(link.motor_inertia for link in arm.links) and not arm.joint_values("damping").any()


def random_model(rng, bodies, balls=0.0):
    """The text of a tree of bodies with none to three joints each, and a ball joint with this probability."""
    row = lambda n: " ".join(map(repr, rng.normal(size=n).tolist()))
    text = [""] * bodies
    children = [[] for _ in range(bodies)]
    for k in range(1, bodies):
        children[rng.integers(0, k)].append(k)
    for k in reversed(range(bodies)):
        kinds = [*rng.choice(["hinge", "slide"], rng.integers(k == 0, 4)), *["ball"] * (rng.uniform() < balls)]
        joints = "".join(
            f'<joint type="{kind}" pos="{row(3)}"/>'
            if kind == "ball"
            else f'<joint type="{kind}" axis="{row(3)}" pos="{row(3)}" ref="{rng.normal()}" armature="{rng.uniform()}"/>'
            for kind in kinds
        )
        shapes = "".join(
            f'<geom type="box" size="0.1 0.2 {rng.uniform(0.1, 0.5)}" pos="{row(3)}" quat="{row(4)}"/>'
            for _ in range(2)
        )
        inner = "".join(text[i] for i in children[k])
        text[k] = (
            f'<body name="b{k}" pos="{row(3)}" quat="{row(4)}">{joints}{shapes}<site name="s{k}" pos="{row(3)}" quat="{row(4)}"/>{inner}</body>'
        )
    option = f'<option gravity="{row(3)}"><flag contact="disable"/></option>'
    return f'<mujoco><compiler angle="radian"/>{option}<worldbody>{text[0]}</worldbody></mujoco>'


@pytest.mark.parametrize("balls", [0.0, 0.5])
@pytest.mark.parametrize("seed", range(12))
def test_random_models(seed, balls):
    """Trees of up to ten bodies with up to three joints each, and ball joints, in any places and directions."""
    rng = np.random.default_rng(seed)
    text = random_model(rng, int(rng.integers(1, 11)), balls)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_agreement(mujoco.MjModel.from_xml_string(text), rd.from_mjcf(text), seed)


TEETH = """<mujoco><worldbody><body name="a"><joint name="a" axis="0 1 0" ref="20"/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0"/>
  <body name="b" pos="0.3 0 0"><joint name="b" type="slide" axis="0 1 1" ref="0.1"/><geom type="box" size="0.1 0.2 0.1" pos="0 0.1 0"/>
  <body name="c" pos="0 0.2 0"><joint name="c" axis="1 0 0"/><geom type="box" size="0.1 0.2 0.1" pos="0 0.1 0.1"/>
  <body name="d" pos="0 0.2 0"><joint name="d" axis="0 0 1"/><geom type="box" size="0.1 0.1 0.1" pos="0.1 0.1 0.1"/></body></body></body></body></worldbody>
  <equality>{}</equality></mujoco>"""


@pytest.mark.parametrize(
    ("rows", "names", "left"),
    [
        ('<joint joint1="b" joint2="a" polycoef="0.1 0.5 0 0 0"/><joint joint1="c" joint2="b" polycoef="0 -3 0 0 0"/>', ("a", "d"), 0),
        ('<joint joint1="b" joint2="c"/><joint joint1="c" joint2="b"/>', ("a", "c", "d"), 1),  # a ring
        ('<joint joint1="c" joint2="b"/><joint joint1="b" joint2="a"/><joint joint1="c" joint2="d"/>', ("a", "d"), 1),
        ('<joint joint1="d" polycoef="0.4 0 0 0 0"/>', ("a", "b", "c"), 0),
        ('<joint joint1="d" joint2="a" polycoef="0 1 2 0 0"/><joint joint1="d" joint2="a" active="false"/>', ("a", "b", "c", "d"), 2),
        ("".join(f'<joint joint1="{x}"/>' for x in "abcd"), ("d",), 1),
    ],
)  # fmt: skip
def test_joints_that_follow(rows, names, left):
    """Straight lines are gears, one after another, at the references of both; curves, rings and what binds twice are counted."""
    model = mujoco.MjModel.from_xml_string(TEETH.format(rows))
    with pytest.warns(UserWarning) as caught:
        arm = rd.from_mjcf(model)
    assert arm.joint_names == names
    assert (f"its equality constraint ({left})" in str(caught[0].message)) == bool(left)
    check_agreement(model, arm)


def test_followers_keep_the_constraints():
    """The residuals of MuJoCo's own constraints are zero at any positions of the coordinates."""
    rows = '<joint joint1="b" joint2="a" polycoef="0.1 0.5 0 0 0"/><joint joint1="c" joint2="b" polycoef="0 -3 0 0 0"/>'
    model = mujoco.MjModel.from_xml_string(TEETH.format(rows))
    with pytest.warns(UserWarning):
        arm = rd.from_mjcf(model)
    data = mujoco.MjData(model)
    data.qpos[:] = arm.coupling[:, :-1] @ [0.7, -0.4] + arm.coupling[:, -1]
    mujoco.mj_forward(model, data)
    assert data.ne == 2 and np.allclose(data.efc_pos[:2], 0, atol=1e-12)


def test_equalities_that_are_turned_off():
    """As their flag says to MuJoCo, no joint follows, and nothing is told to be missing."""
    text = TEETH.format('<joint joint1="b" joint2="a"/>').replace(
        "<mujoco>", "<mujoco><option><flag equality='disable'/></option>"
    )
    with pytest.warns(UserWarning) as caught:
        arm = rd.from_mjcf(text)
    assert arm.coupling is None and "equality" not in str(caught[0].message)
    check_agreement(mujoco.MjModel.from_xml_string(text), arm)


def test_names_of_a_free_joint_are_its_own():
    """Where a joint of the model has such a name, the new one gets an underscore, so that each can be named."""
    geom = '<geom type="box" size="0.1 0.2 0.3" contype="0" conaffinity="0"/>'
    text = f"""<mujoco><worldbody><body><freejoint name="trunk"/>{geom}
      <body><joint name="trunk_x"/>{geom}</body></body></worldbody></mujoco>"""
    assert rd.from_mjcf(text).joint_names == (
        "trunk_x_",
        *(f"trunk_{word}" for word in ("y", "z", "yaw", "pitch", "roll")),
        "trunk_x",
    )


def test_gravity_that_is_turned_off():
    """Its flag is the one by which MuJoCo knows it."""
    text = DOG.replace("<mujoco>", "<mujoco><option><flag gravity='disable'/></option>")
    with pytest.warns(UserWarning):
        arm, heavy = rd.from_mjcf(text), rd.from_mjcf(DOG)
    check_agreement(mujoco.MjModel.from_xml_string(text), arm)
    assert not arm.gravity.any() and heavy.gravity.tolist() == [0, 0, -9.81]


def test_the_model_that_mujoco_carries():
    """A file by its path."""
    path = Path(mujoco.__file__).parent / "testdata" / "model.xml"
    if not path.exists():
        pytest.skip("this MuJoCo carries no model")
    with pytest.warns(UserWarning, match="model.xml: the arm is without"):
        arm = rd.from_mjcf(path)
    model = mujoco.MjModel.from_xml_path(str(path))
    turning = model.jnt_type[model.dof_jntid] < 2
    assert (model.dof_armature[turning] > 0).sum() > 0  # which the warning says the arm is without
    model.dof_armature[turning] = 0
    check_agreement(model, arm)


def test_rotors_of_actuators():
    """What an actuator turns is felt by its joint as the square of its gear, and so is what brakes it: in the matrix of MuJoCo, too."""
    text = DOG.replace("<freejoint/>", "").replace("</mujoco>", "<actuator><motor joint='knee' gear='-50' {} damping='0.01'/>"
        "<motor jointinparent='hip' gear='3' {}/><motor joint='hip' gear='2' {}/></actuator></mujoco>")  # fmt: skip
    given = ["armature='0.0002'", "armature='0.1'", "armature='0.01'"]
    try:
        model = mujoco.MjModel.from_xml_string(text.format(*given))
    except ValueError:
        pytest.skip("this MuJoCo knows no armature of actuators")
    with pytest.warns(UserWarning, match=r"its actuator \(3\)"):
        arm = rd.from_mjcf(text.format(*given))
    assert np.allclose([link.motor_inertia for link in arm.links[:2]], [9 * 0.1 + 4 * 0.01, 2500 * 0.0002])
    assert np.allclose(arm.joint_values("damping")[1], 2500 * 0.01)
    check_agreement(model, arm)


def test_what_a_damper_is_not_and_what_a_motor_has_both_ways():
    """A damper with a curve is told; of a motor that pushes with 3 N m one way and 5 the other, 3 is what there is."""
    text = DOG.replace('<joint name="knee"', '<joint name="knee" damping="1 2 3" actuatorfrcrange="-3 5"')
    try:
        mujoco.MjModel.from_xml_string(text)
    except ValueError:
        pytest.skip("this MuJoCo knows no curves of damping")
    with pytest.warns(UserWarning, match=r"its damping that is no straight line \(1\)"):
        arm = rd.from_mjcf(text)
    knee = arm.joint_names.index("knee")
    assert (arm.joint_values("effort")[knee], arm.joint_values("damping")[knee]) == (3, 1)


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        ((ARM, "lamp"), ValueError, "tip must be a body or a site on the last link of the text, got 'lamp'; there are tcp, right"),
        ((ARM, "bolt"), ValueError, "tip must be a body or a site on the last link of the text, got 'bolt'"),
        (("<mujoco/>",), ValueError, "the text must have a joint, got a model without any"),
        (("<mujoco><bone/></mujoco>",), ValueError, "the text must be a model that MuJoCo reads, got its error: "),
        (("nowhere.xml",), ValueError, "nowhere.xml must be a model that MuJoCo reads, got its error: "),
        ((3,), TypeError, "path must be the path of an MJCF file, its text, or a MjModel, got int"),
    ],
)  # fmt: skip
def test_sentences(given, error, sentence):
    """What is no model, or has no such tip."""
    with pytest.raises(error) as caught:
        rd.from_mjcf(*given)
    assert sentence in str(caught.value)


def test_without_mujoco(monkeypatch):
    """What to install."""
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(ImportError, match="from_mjcf needs MuJoCo, which is not installed: pip install mujoco"):
        rd.from_mjcf(ARM)
