"""What is written of an arm as a URDF file and read again is the arm: every number, name, frame, limit, branch and gear."""

import itertools
import warnings
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from arms import TREES, WORDS, arm_and_state, tree_and_state
from peer_models import carried

import robotdyn as rd
from robotdyn.model.link import LINK_FIELDS
from robotdyn.model.robots import random_arm

ROBOTS = [name for name in rd.robots.__all__ if name.islower() and name != "random_arm"]
SLIDING = [mix for mix in TREES if "s" not in mix]  # URDF knows no screws; of some of these the branches take turns


def read_again(arm):
    """The arm that is read of what is written, and the warnings of both."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        return rd.Arm.from_urdf(arm.to_urdf(), branches=True, gravity=arm.gravity), [str(x.message) for x in caught]


def check_same(read, arm):
    """Compare what the two are, up to rounding of angles: 1e-12 of one and the number."""
    near = lambda x, y: np.testing.assert_allclose(np.asarray(x, float), np.asarray(y, float), rtol=1e-12, atol=1e-12)
    assert read.parents == arm.parents and read.independent == arm.independent
    near(read.gravity, arm.gravity)
    near(read.tip, arm.tip)
    near(read.tip_rotation, arm.tip_rotation)
    assert (read.coupling is None) == (arm.coupling is None)
    if arm.coupling is not None:
        near(read.coupling, arm.coupling)
    for number, (ours, theirs) in enumerate(zip(read.links, arm.links, strict=True), start=1):
        for name in set(LINK_FIELDS) - {"frame_position", "frame_rotation", "pitch", "mass" if theirs.mass else "com"}:
            near(getattr(ours, name), getattr(theirs, name))
        assert ours.mass == theirs.mass and ours.joint == theirs.joint and ours.properties == theirs.properties
        assert ours.name == (theirs.name or f"link_{number}") or ours.name == f"{theirs.name}_link"
        assert ours.joint_name == (theirs.joint_name or f"joint_{number}")
        table = rd.LinkFrame(number - 1, theirs.frame_position, theirs.frame_rotation)
        frame = read.frame(f"{ours.name}_table") if table != rd.LinkFrame(number - 1) else table
        near(frame.position, table.position)
        near(frame.rotation, table.rotation)
    for name, frame in arm.frames:
        assert read.frame(name).link == frame.link
        near(read.frame(name).position, frame.position)
        near(read.frame(name).rotation, frame.rotation)


def described(arm, seed):
    """The arm with names, frames, a turned tip, limits, damping, friction and motors."""
    rng = np.random.default_rng(seed)
    links = [
        replace(
            link,
            name=f"l <{k}>",
            joint_name=f"j{k} & co",
            motor_inertia=rng.uniform(0, 1) * (k % 2),
            properties=rd.JointProperties(-rng.uniform(), rng.uniform(), *rng.uniform(0, 9, 4)),
        )
        for k, link in enumerate(arm.links)
    ]
    turn = rd.rotations.exp(rng.normal(size=3))
    frames = {f"f{k}": rd.LinkFrame(k % len(links), rng.normal(size=3), turn) for k in range(5)}
    return replace(arm, links=links, frames=frames, tip=rng.normal(size=3), tip_rotation=turn)


@pytest.mark.parametrize("name", ROBOTS)
def test_robots_of_the_library(name):
    """Each is read as it was, the frames of its table by their names."""
    arm = getattr(rd.robots, name)()
    read, said = read_again(arm)
    check_same(read, arm)
    assert not said


@pytest.mark.parametrize("mix", [*SLIDING, "r", "p", "rpr", "rrrrrrr"])
def test_random_arms_and_trees(mix):
    """With all that a file can say of them."""
    arm = described(tree_and_state(mix)[0] if mix in TREES else arm_and_state(mix)[0], len(mix))
    for one in (arm, replace(arm, frames=())):
        read, said = read_again(one)
        check_same(read, one)
        assert not said
    if arm.is_serial:
        check_same(rd.Arm.from_urdf(replace(arm, frames=()).to_urdf(), gravity=arm.gravity), replace(arm, frames=()))


def test_names_that_meet():
    """A link without a name where another one is called so, and a frame that has the name of its link and stands elsewhere."""
    links = [
        replace(link, name=name)
        for link, name in zip(random_arm(np.random.default_rng(8), 3).links, ("link_2", None, "hand"))
    ]
    frames = {
        "hand": rd.LinkFrame(2, (0.1, 0.2, 0.3)),
        "link_2": rd.LinkFrame(0),
        "base": rd.LinkFrame(1),
        "tip": rd.LinkFrame(1),
    }
    arm = rd.Arm(links, frames=frames)
    read, _ = read_again(arm)
    assert read.link_names == ("link_2", "link_2_0", "hand_link")
    for name, frame in frames.items():
        assert read.frame(name) == frame
    assert np.allclose(read.tip, arm.tip)


def test_the_order_of_coordinates():
    """A file has none: they are read in the order of their joints' links, and a warning says so."""
    arm = described(random_arm(np.random.default_rng(3), 3), 7)
    swapped = replace(arm, coupling=[[0, 1, 0], [1, 0, 0], [2, 0, 0.1]])
    read, said = read_again(swapped)
    assert len(said) == 1 and "will be read in the order of the links, got another: j0 & co, j1 & co" in said[0]
    q, qd = np.random.default_rng(1).normal(size=(2, 2))
    assert np.allclose(rd.bias_torque(read, q, qd), rd.bias_torque(swapped, q[::-1], qd[::-1])[::-1])


def test_gears():
    """Followers of a leader before them or behind, by factors of both signs, by zero with an offset, and by one."""
    arm = described(random_arm(np.random.default_rng(3), 6, [WORDS[x] for x in "rprrpr"]), 7)
    rows = [[1, 0, 0], [0, 1, 0], [-2.5, 0, 0.3], [0, 0, 0.7], [0, 1, 0], [0, 1 / 3, -1]]
    for independent in ([0, 1], [0, 4]):
        coupled = replace(arm, coupling=rows, independent=independent)
        read, said = read_again(coupled)
        check_same(read, coupled)
        assert not said and read.joint_names == coupled.joint_names


@pytest.mark.parametrize("pitch", [0, 1, np.pi / 2, -np.pi / 2, np.pi / 2 - 1e-9, np.pi / 2 + 1e-12])
def test_every_rotation_has_three_angles(pitch):
    """Beside a pitch of 90 degrees, too, where roll and yaw are of one axis."""
    z, y, x = np.eye(3)[::-1]
    R = rd.spatial.rotation(z, 0.3) @ rd.spatial.rotation(y, pitch) @ rd.spatial.rotation(x, -2.0)
    read, _ = read_again(rd.Arm([rd.Link(1, rotation=R)], tip_rotation=R))
    assert abs(read.links[0].rotation - R).max() < 1e-15 and abs(read.tip_rotation - R).max() < 1e-15


def test_limits_damping_and_friction_of_a_file():
    """They are kept, for whoever asks; Drake's tags say what a rotor adds, J N^2; what is missing is infinite, or nothing."""
    arm = rd.Arm.from_urdf(
        """<robot name="r"><link name="a"/>
        <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link><link name="c"/>
        <joint name="j" type="revolute"><parent link="a"/><child link="b"/>
          <limit lower="-1.5" upper="2" effort="87" velocity="inf"/><dynamics damping="0.1" friction="0.2"/></joint>
        <joint name="k" type="continuous"><parent link="b"/><child link="c"/><limit effort="12" velocity="3"/></joint>
        <transmission name="t"><joint name="j"/><actuator name="m"><drake:rotor_inertia value="1e-4"/>
          <drake:gear_ratio value="100"/></actuator></transmission></robot>"""
    )
    assert arm.limits == {0: (-1.5, 2.0)} and arm.links[0].motor_inertia == pytest.approx(1.0)
    assert arm.links[0].properties == rd.JointProperties(-1.5, 2, np.inf, 87, 0.1, 0.2)
    assert arm.links[1].properties == rd.JointProperties(velocity=3, effort=12)
    assert [arm.joint_values(name).tolist() for name in ("effort", "damping")] == [[87, 12], [0.1, 0]]
    assert rd.inverse_kinematics.solve(arm, (0, 0, 0), [0, 0], arm.limits).solved
    held = arm.locked({"j": 0.3})
    assert held.joint_values("effort").tolist() == [12] and held.limits == {}


@pytest.mark.parametrize(
    ("kind", "said", "limits"),
    [
        ("revolute", "", (-np.inf, np.inf)),
        ("revolute", 'lower="-1.5"', (-1.5, 0)),
        ("prismatic", 'upper="2"', (0, 2)),
        ("prismatic", 'lower="-1.5" upper="2"', (-1.5, 2)),
        ("continuous", 'lower="-1.5" upper="2"', (-np.inf, np.inf)),
        ("continuous", 'upper="2"', (-np.inf, np.inf)),
    ],
)
def test_limits_as_urdf_has_them(kind, said, limits):
    """Of lower and upper, one that is missing is 0; a continuous joint has none, whatever stands there."""
    arm = rd.Arm.from_urdf(
        f"""<robot name="r"><link name="a"/>
        <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
        <joint name="j" type="{kind}"><parent link="a"/><child link="b"/>
        <limit {said} effort="1" velocity="1"/></joint></robot>"""
    )
    assert arm.links[0].properties == rd.JointProperties(*limits, 1, 1)


@pytest.mark.parametrize("ends", [*itertools.product((-np.inf, -0.5), (0.75, np.inf))])
@pytest.mark.parametrize("mix", ["rp", "pr"])
def test_a_limit_at_one_end_is_written(mix, ends):
    """Also where there is none at the other, and where joints are coupled."""
    arm, *_ = arm_and_state(mix)
    links = [replace(link, properties=rd.JointProperties(*ends)) for link in arm.links]
    for coupling in (None, [[1, 0], [0.5, 0.1]]):
        one = replace(arm, links=links, coupling=coupling, independent=None)
        read, _ = read_again(one)
        check_same(read, one)


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda arm: replace(arm, links=[rd.Link(1, joint="screw", pitch=0.1)]).to_urdf(), ValueError, "joint joint_1 must be revolute or prismatic to be written, got screw: URDF has no such joint"),
        (lambda arm: rd.Arm([rd.Link(1, name="a"), rd.Link(1, name="a")]).to_urdf(), ValueError, "every link of a URDF file must have a name of its own, got 'a' again: give it another"),
        (lambda arm: rd.Arm([rd.Link(1)] * 3, coupling=[[1, 0, 0], [0, 1, 0], [1, 1, 0]]).to_urdf(), ValueError, "joint joint_3 must follow one joint to be written, got 2"),
        (lambda arm: rd.Arm([rd.Link(sp.Symbol("m", positive=True))]).to_urdf(), TypeError, "to_urdf needs numbers, got an arm with symbols"),
        (lambda arm: arm.joint_values("lowest"), ValueError, "name must be one of lower, upper, velocity, effort, damping, friction, got 'lowest'"),
        (lambda arm: rd.Link(1, properties=(0, 1)), TypeError, "properties must be rd.JointProperties, got (0, 1)"),
        (lambda arm: rd.JointProperties(lower=np.nan), TypeError, "lower of a joint must be a number, got nan"),
        (lambda arm: rd.Arm.from_urdf(arm.to_urdf().replace("effort=\"1e+30\"", "effort=\"strong\"")), ValueError, "effort of <limit> of joint joint_1 of the text must be a number, got 'strong'"),
    ],
)  # fmt: skip
def test_sentences(call, error, sentence):
    """What no file can say, and what a file says wrong."""
    with pytest.raises(error) as caught:
        call(rd.robots.two_link())
    assert sentence in str(caught.value)


@pytest.mark.parametrize("name", ["panda.urdf", "tiago_dual.urdf", "anymal-kinova.urdf"])
def test_files_of_makers(name):
    """Read, written and read again: the same arm; and another reader finds the same mass matrix in the text that was written."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    arm = rd.Arm.from_urdf(carried("example-robot-data", name), branches=True, inertias="nearest")
    read, _ = read_again(arm)
    check_same(read, arm)
    model = pin.buildModelFromXML(arm.to_urdf(), mimic=True)
    data, q = model.createData(), np.random.default_rng(2).uniform(-1, 1, arm.n)
    configuration, places = pin.neutral(model), []
    for joint, x in zip((model.joints[model.getJointId(word)] for word in arm.joint_names), q):
        configuration[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(x), np.sin(x)] if joint.nq == 2 else [x]
        places.append(joint.idx_v)
    M = np.triu(pin.crba(model, data, configuration))
    M = (M + np.triu(M, 1).T)[np.ix_(places, places)]
    still = replace(arm, links=[replace(link, motor_inertia=0) for link in arm.links])  # which it does not read
    assert abs(rd.mass_matrix(still, q) - M).max() < 1e-10 * abs(M).max()


@pytest.mark.slow
def test_every_file_of_a_collection():
    """Of the robots that are read, each is read again as it was."""
    path = carried("example-robot-data", "panda.urdf")
    count = 0
    for file in sorted(path.parents[3].rglob("*.urdf")):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                arm = rd.Arm.from_urdf(file, branches=True, inertias="nearest")
        except ValueError:
            continue  # a robot without a joint, or without links
        check_same(read_again(arm)[0], arm)
        count += 1
    assert count >= 60
