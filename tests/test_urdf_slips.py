"""Slips in URDF files, after reports to the trackers of other readers: what is not read is told, and the rest is as it was."""

import io
import warnings

import numpy as np
import pytest

import robotdyn as rd

BODY = '<inertial><origin xyz="0.1 0.2 0.3"/><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>'
AXIS = '<axis xyz="0 0 1"/>'
LIMIT = '<limit lower="-1" upper="1" effort="10" velocity="2"/>'
ORIGIN = '<origin xyz="0.5 0 0" rpy="0.1 0.2 0.3"/>'


def robot(inside=AXIS + LIMIT, origin=ORIGIN, body=BODY, kind="revolute", more=""):
    """A hinge that carries a body."""
    joint = f'<joint name="hinge" type="{kind}"><parent link="base"/><child link="arm"/>{origin}{inside}</joint>'
    return f'<robot name="r"><link name="base"/><link name="arm">{body}</link>{joint}{more}</robot>'


def follower(mimic):
    """A second hinge that mimics the first."""
    joint = f'<joint name="second" type="revolute"><parent link="arm"/><child link="hand"/>{AXIS}{mimic}</joint>'
    return robot(more=f'<link name="hand">{BODY}</link>{joint}')


SLIPS = {
    # the first three: what drake #18796, sdformat #473 and compas #171 report of theirs
    "<damping> in <dynamics> is not read, attributes are (of hinge)": robot(AXIS + "<dynamics><damping>100</damping></dynamics>"),
    "<limit> in <axis> is not read, attributes are (of hinge)": robot(f'<axis xyz="0 0 1">{LIMIT}</axis>'),
    "<joint_properties> in <joint> is not read (of hinge)": robot(AXIS + '<joint_properties damping="0.2"/>'),
    "<lower> in <limit> is not read, attributes are (of hinge)": robot(AXIS + "<limit><lower>-1</lower></limit>"),
    "<xyz> in <axis> is not read, attributes are (of hinge)": robot("<axis><xyz>0 0 1</xyz></axis>"),
    "<orig> in <joint> is not read (of hinge)": robot(origin='<orig xyz="0.5 0 0"/>'),
    "xzy in <origin> is not read (of hinge)": robot(origin='<origin xzy="0.5 0 0"/>'),
    "quat_xyzw in <origin> is not read (of hinge)": robot(origin='<origin xyz="0 0 0" quat_xyzw="0 0 1 0"/>'),
    "iyx in <inertia> is not read (of arm); izx in <inertia> is not read (of arm)": robot(
        body='<inertial><mass value="1"/><inertia ixx="1" iyx="0.1" izx="0" iyy="1" izz="1"/></inertial>'),
    "<multiplier> in <mimic> is not read, attributes are (of second)": follower('<mimic joint="hinge"><multiplier>2</multiplier></mimic>'),
    "multiplicator in <mimic> is not read (of second)": follower('<mimic joint="hinge" multiplicator="2"/>'),
    "<actuator> in <joint> is not read (of hinge)": robot(AXIS + '<actuator name="m"><drake:rotor_inertia value="1"/></actuator>'),
    "of several <origin> the first counts (of hinge)": robot(origin=ORIGIN + '<origin xyz="9 0 0"/>'),
    "of several <inertial> the first counts (of arm)": robot(body=BODY + BODY),
    "of several <mimic> the first counts (of second)": follower('<mimic joint="hinge"/><mimic joint="hinge" multiplier="3"/>'),
    "rpy is more than a turn, in rad: are these degrees? (of hinge)": robot(origin='<origin rpy="0 90 0"/>'),
    "a limit is more than four turns, in rad: are these degrees? (of hinge)": robot(AXIS + '<limit lower="-170" upper="170"/>'),
    "lower is above upper, neither is kept (of hinge)": robot(AXIS + '<limit lower="1" upper="-1"/>'),
    "velocity is negative and not kept (of hinge); effort is negative and not kept (of hinge)": robot(AXIS + '<limit effort="-1" velocity="-1"/>'),
    "damping is negative and not kept (of hinge)": robot(AXIS + '<dynamics damping="-1"/>'),
    "the rotor inertia of elbow, which is no joint, is not read": robot(
        more='<transmission><joint name="elbow"/><actuator><drake:rotor_inertia value="1"/></actuator></transmission>'),
}  # fmt: skip


@pytest.mark.parametrize("said", SLIPS)
def test_a_slip_is_told(said):
    """By one warning, which names the joint or the link; the arm is read as if the slip were not there."""
    with pytest.warns(UserWarning) as caught:
        arm = rd.Arm.from_urdf(SLIPS[said])
    assert len(caught) == 1 and str(caught[0].message).startswith("the text: ") and said in str(caught[0].message)
    assert caught[0].filename == __file__ and arm.n == 1


GOOD = {
    "a sensor's frame": robot(more='<link name="eye"/><joint name="f" type="fixed"><parent link="arm"/><child link="eye"/><axis/></joint>'),
    "old rpy of an axis": robot('<axis rpy="0 0 0" xyz="0 0 1"/>' + LIMIT),
    "what ROS keeps beside": robot(AXIS + LIMIT + '<calibration rising="0"/><safety_controller k_velocity="1"/>'),
    "what makers add": robot(AXIS + '<limit lower="-1" upper="1" current="3"/><dynamics damping="1" mu_coulomb="2"/>'),
    "a winch": robot(AXIS + '<limit lower="0" upper="20"/>'),
    "no end": robot(AXIS + '<limit lower="-1e16" upper="1e16"/>'),
    "transmissions": robot(more='<transmission><joint name="x"/></transmission><ros2_control><joint name="y"/></ros2_control>'),
    "left of xacro": robot(more='<xacro:property name="a" value="1"/>'),
}  # fmt: skip


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_what_is_no_slip_is_not_told(text):
    """Real files have all of these."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rd.Arm.from_urdf(text, tip="arm").n == 1


def test_limits_that_cannot_be_are_not_kept():
    """Those beside them are, and by hand they are refused."""
    with pytest.warns(UserWarning):
        arm = rd.Arm.from_urdf(
            robot(AXIS + '<limit lower="1" upper="-1" effort="-1" velocity="2"/><dynamics damping="-3" friction="4"/>')
        )
    assert arm.links[0].properties == rd.JointProperties(velocity=2, friction=4)
    for given, sentence in (
        ({"lower": 1, "upper": -1}, "limits of a joint must rise, got lower 1 and upper -1: exchange them"),
        ({"effort": -5}, "effort of a joint must be >= 0, got -5: it is a magnitude"),
        ({"damping": -5}, "damping of a joint must be >= 0, got -5: a negative one would feed energy in"),
    ):
        with pytest.raises(ValueError, match=sentence):
            rd.JointProperties(**given)
    assert rd.JointProperties(0.5, 0.5).lower == 0.5  # a joint that is held is one


REFUSED = {
    "every joint of the text must have a name of its own, got hinge again": robot(
        more='<link name="c"/><joint name="hinge" type="fixed"><parent link="arm"/><child link="c"/></joint>'),
    "every joint of the text must stand in <robot> itself, got joint j in a <link>":
        '<robot><link name="a"><link name="b"/><joint name="j"><child link="b"/></joint></link></robot>',
    "every joint of the text must stand in <robot> itself, got joint hinge in a <group>":
        robot().replace("<link name=\"base\"/>", "<group><link name=\"base\"/>").replace("</robot>", "</group></robot>"),
    "the text must be expanded by xacro, got <xacro:include> in it: give the file with its ending .xacro": robot(more="<xacro:include/>"),
    "must be 3 finite numbers, got '0, 0, 1': blanks separate numbers, and a point their decimals": robot('<axis xyz="0, 0, 1"/>'),
    "must be 3 finite numbers, got '$(arg x) 0 0': expand a xacro file first": robot(origin='<origin xyz="$(arg x) 0 0"/>'),
    "value of <mass> of link arm of the text must be 1 finite number, got none: it stands in an attribute": robot(
        body="<inertial><mass>1</mass></inertial>"),
    'got Revolute: write type="revolute"': robot(kind="Revolute"),
    'got  revolute : write type="revolute"': robot(kind=" revolute "),
    "got spherical: make it three continuous with links without mass between them": robot(kind="spherical"),
    "must join links of the file, got 'base '; there are arm, base": robot().replace('parent link="base"', 'parent link="base "'),
    'joint hinge of the text must name its links, <parent link=".."/> and <child link=".."/>, got none':
        robot().replace('<parent link="base"/>', "<parent>base</parent>"),
    "every link of the text must have a name of its own, got none": robot(more="<link/>"),
}  # fmt: skip


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_cannot_be_read_is_told(sentence):
    """With what to write in its place."""
    with pytest.raises(ValueError) as caught:
        rd.Arm.from_urdf(REFUSED[sentence])
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        (b"", ": it is empty"),
        (b"version https://git-lfs.github.com/spec/v1\n", ": a file that Git LFS has not fetched"),
        (b"PK\x03\x04", ": a packed file, unpack it first"),
        (robot().replace("arm", "été").encode("latin-1"), ": a file that is not UTF-8 says so in its first line"),
    ],
)
def test_a_file_that_holds_no_robot_is_told_by_its_content(content, hint, tmp_path):
    """By its path, and open."""
    (tmp_path / "arm.urdf").write_bytes(content)
    for given in (tmp_path / "arm.urdf", io.BytesIO(content)):
        with pytest.raises(ValueError) as caught:
            rd.Arm.from_urdf(given)
        assert hint in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_any_encoding_and_blanks_before_it(encoding, tmp_path):
    """What editors on Windows write; a declaration of XML may not follow a blank, but in real files it does."""
    arm = rd.Arm.from_urdf(robot())
    (tmp_path / "arm.urdf").write_bytes(robot().replace("><", ">\r\n<").encode(encoding))
    assert rd.Arm.from_urdf(tmp_path / "arm.urdf") == arm
    (tmp_path / "late.urdf").write_bytes(b'\n <?xml version="1.0"?>' + robot().encode())
    assert rd.Arm.from_urdf(tmp_path / "late.urdf") == arm


def test_numbers_as_programs_print_them():
    """Exponents, signs, tabs and line ends are numbers; of a half turn the axes are right to the last digits."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        link = rd.Arm.from_urdf(
            robot(origin='<origin xyz=" +5E-1\n\t1.e+0 -.3e1 " rpy="0 1.5707963267948966 0"/>')
        ).links[0]
    assert link.position.tolist() == [0.5, 1.0, -3.0]
    assert np.allclose(link.rotation, [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], rtol=0, atol=1e-15)
