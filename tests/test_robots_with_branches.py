"""Whole robots from URDF files: all branches, tips by name, the sentences that say what cannot be; beside Pinocchio."""

import numpy as np
import pytest
from peer_models import agree_on_whole_robot, carried

import robotdyn as rd

INERTIA = '<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/>'
BODY = f'<inertial><origin xyz="0.1 0.2 0"/><mass value="2"/>{INERTIA}</inertial>'


def robot(*joints, bare=("base",)):
    """The text of a robot; joints: (name, type, parent, child, what it says), children being links with a body."""
    links = {name: name in bare for _, _, *ends, _ in joints for name in ends}
    parts = [f'<link name="{name}">{"" if empty else BODY}</link>' for name, empty in links.items()]
    for name, kind, parent, child, said in joints:
        parts.append(
            f'<joint name="{name}" type="{kind}"><origin xyz="0.3 0 0.1" rpy="0.1 0.2 0.3"/><parent link="{parent}"/>'
            f'<child link="{child}"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>{said}</joint>'
        )
    return f"<robot name='robot'>{''.join(parts)}</robot>"


TORSO = robot(
    ("waist", "revolute", "base", "torso", ""),
    ("neck", "fixed", "torso", "head", ""),
    ("left_shoulder", "revolute", "torso", "left_arm", ""),
    ("left_wrist", "fixed", "left_arm", "left_hand", ""),
    ("right_shoulder", "revolute", "torso", "right_arm", ""),
    ("right_elbow", "prismatic", "right_arm", "right_hand", ""),
    ("door_hinge", "revolute", "base", "door", ""),
)


def test_all_of_a_robot():
    """Each moving joint is a joint; what is fixed rides along; frames have the names of the file."""
    arm = rd.Arm.from_urdf(TORSO, branches=True)
    assert arm.joint_names == ("waist", "left_shoulder", "right_shoulder", "right_elbow", "door_hinge")
    assert arm.parents == (-1, 0, 0, 2, -1) and "a tree with 3 ends" in repr(arm)
    assert sum(link.mass for link in arm.links) == pytest.approx(2 * 7)
    assert {name: frame.link for name, frame in arm.frames} == {
        "torso": 0, "head": 0, "left_arm": 1, "left_hand": 1, "right_arm": 2, "right_hand": 3, "door": 4,
    }  # fmt: skip
    q = np.random.default_rng(1).normal(size=arm.n)
    chain = rd.Arm.from_urdf(TORSO, "left_hand")
    assert np.allclose(rd.frame_pose(arm, q, arm.frame("left_hand"))[1], rd.tip_pose(chain, q[:2])[1])
    assert np.allclose(rd.frame_pose(arm, q, arm.frame("left_hand"))[0], rd.tip_pose(chain, q[:2])[0])


def test_tips_by_name():
    """The tree of the chains to some links: the tip frame is that of the last one, other branches ride along."""
    arm = rd.Arm.from_urdf(TORSO, ["right_hand", "left_hand"])
    assert arm.joint_names == ("waist", "right_shoulder", "right_elbow", "left_shoulder") and arm.parents == (
        -1,
        0,
        1,
        0,
    )
    q = np.random.default_rng(2).normal(size=arm.n)
    for name, joints in (("right_hand", [0, 1, 2]), ("left_hand", [0, 3])):
        chain = rd.Arm.from_urdf(TORSO, name)
        J = rd.point_jacobian(arm, q, arm.frame(name), axes="link")
        assert np.allclose(J[:, joints], rd.tip_jacobian(chain, q[joints], "link"))
        assert not np.delete(J, joints, axis=1).any()
    assert np.allclose(rd.tip_jacobian(arm, q), rd.point_jacobian(arm, q, arm.frame("left_hand")))
    last = rd.Arm.from_urdf(TORSO, "left_hand", branches=True)
    assert last.joint_names[-1] == "left_shoulder"
    assert rd.Arm.from_urdf(TORSO, ["left_hand"]) == rd.Arm.from_urdf(TORSO, "left_hand")
    assert rd.Arm.from_urdf(TORSO, ["head"]).joint_names == ("waist",)


def test_shapes():
    """One mesh for the base and one for each link, in the order of the links; a picture takes them."""
    ball = "<visual><geometry><sphere radius='0.1'/></geometry></visual>"
    text = TORSO.replace(BODY, BODY + ball)
    arm, shapes = rd.Arm.from_urdf(text, branches=True), rd.show.shapes_of_urdf(text, branches=True)
    count = [len(mesh.faces) for mesh in shapes]
    assert len(count) == arm.n + 1 and count[0] == 0 and count[1] == 2 * count[3] == 2 * count[5] == count[2]
    rd.show.draw_arm(arm, [0.1] * arm.n, shapes=shapes)


def test_held_branches_ride_along():
    """A tree whose other joints are held at zero is the chain; frames of what rides along stay, those on the base go."""
    whole = rd.Arm.from_urdf(TORSO, "left_hand", branches=True)
    held = whole.locked({"right_shoulder": 0, "right_elbow": 0, "door_hinge": 0})
    chain = rd.Arm.from_urdf(TORSO, "left_hand")
    q, qd, qdd = np.random.default_rng(3).normal(size=(3, 2))
    assert held.is_serial and np.allclose(rd.inverse_dynamics(held, q, qd, qdd), rd.inverse_dynamics(chain, q, qd, qdd))
    frames = dict(held.frames)
    assert "door" not in frames and frames.keys() == dict(chain.frames).keys()
    for name, frame in chain.frames:
        assert np.allclose(frame.position, frames[name].position) and np.allclose(frame.rotation, frames[name].rotation)


def test_names_of_frames_go_with_the_arm():
    """On a body that floats and with flexible joints; a program for an equal arm with other names is another program."""
    chain = rd.Arm.from_urdf(TORSO, "right_hand")
    floating = rd.floating(chain, rd.bodies.box(1, (1, 1, 1)))
    q = np.random.default_rng(4).normal(size=3)
    at = rd.point_position(floating, [0] * 6 + list(q), floating.frame("right_arm"))
    assert np.allclose(at, rd.point_position(chain, q, chain.frame("right_arm")))
    place = lambda arm, q: rd.point_position(arm, q, arm.frame("hand"))
    arms = [rd.Arm(chain.links, frames={"hand": chain.frame(name)}) for name in ("right_arm", "right_hand")]
    assert arms[0] == arms[1]
    for arm in arms:
        assert np.allclose(rd.specialize(place, arm, "python")(q), place(arm, q))
    named = rd.Arm([rd.Link(1, name="upper"), rd.Link(1, name="fore")])
    assert named.frame("fore") == named.frame(1)


def test_a_link_as_root():
    """What it carries, as a robot on a stand; frames are those of the whole robot seen from that link."""
    arm, whole = rd.Arm.from_urdf(TORSO, branches=True, root="torso"), rd.Arm.from_urdf(TORSO, branches=True)
    assert arm.joint_names == ("left_shoulder", "right_shoulder", "right_elbow") and arm.parents == (-1, -1, 1)
    q = np.random.default_rng(5).normal(size=whole.n)
    R_root, p_root = rd.frame_pose(whole, q, "torso")
    R, p = rd.frame_pose(arm, q[1:4], "right_hand")
    there = rd.frame_pose(whole, q, "right_hand")
    assert np.allclose(R_root @ R, there[0]) and np.allclose(R_root @ p + p_root, there[1])
    assert rd.Arm.from_urdf(TORSO, "right_hand", root="right_arm").joint_names == ("right_elbow",)
    ball = "<visual><geometry><sphere radius='0.1'/></geometry></visual>"
    text = TORSO.replace(BODY, BODY + ball)
    for options, links in (({"root": "torso"}, 4), ({"floating": True}, 6 + 5 + 1)):
        assert len(rd.show.shapes_of_urdf(text, branches=True, **options)) == links


def test_a_root_that_floats():
    """As `rd.floating` makes it of the same base; coordinates have names; gravity is that of the file's z."""
    text = TORSO.replace('<link name="base"></link>', f'<link name="base">{BODY}</link>')
    body = rd.Body(2, (0.1, 0.2, 0), np.diag([0.02, 0.03, 0.04]))
    read = rd.Arm.from_urdf(text, branches=True, floating=True)
    made = rd.floating(rd.Arm.from_urdf(text, branches=True), body, gravity=(0, 0, -9.81))
    assert read == made and read.parents[:7] == (-1, 0, 1, 2, 3, 4, 5)
    assert read.joint_names[:7] == ("base_x", "base_y", "base_z", "base_yaw", "base_pitch", "base_roll", "waist")
    assert read.frame("base") == rd.LinkFrame(5) and not read.limits.keys() & set(range(6))
    q = np.random.default_rng(6).normal(size=read.n)
    assert np.allclose(rd.frame_pose(read, q, "base")[1], q[:3])


def test_a_joint_that_floats():
    """Six joints in the place of one, in its place among the branches; x, y and z are in the axes of its origin."""
    text = TORSO.replace('name="left_shoulder" type="revolute"', 'name="left_shoulder" type="floating"')
    arm, fixed = rd.Arm.from_urdf(text, branches=True), rd.Arm.from_urdf(TORSO, branches=True)
    words = [f"left_shoulder_{word}" for word in ("x", "y", "z", "yaw", "pitch", "roll")]
    assert arm.joint_names == ("waist", *words, "right_shoulder", "right_elbow", "door_hinge")
    q = np.random.default_rng(7).normal(size=arm.n)
    R, p = rd.frame_pose(fixed, [q[0], 0, 0, 0, 0], "left_arm")
    here = rd.frame_pose(arm, q, "left_arm")
    turn = rd.rotations.exp((0, 0, q[4])) @ rd.rotations.exp((0, q[5], 0)) @ rd.rotations.exp((q[6], 0, 0))
    assert np.allclose(here[1], p + R @ q[1:4]) and np.allclose(here[0], R @ turn)
    again = rd.Arm.from_urdf(arm.to_urdf(), branches=True)
    assert again.joint_names == arm.joint_names and np.allclose(rd.mass_matrix(again, q), rd.mass_matrix(arm, q))


def test_names_of_a_root_that_floats_are_its_own():
    """Where a file has a link or a joint of such a name already, the new one gets an underscore; a joint without a name has its link's."""
    text = TORSO.replace('<link name="base"></link>', f'<link name="base">{BODY}</link>')
    for word in ("head", "waist"):  # a link and a joint
        arm = rd.Arm.from_urdf(text.replace(f'"{word}"', '"base_x"'), branches=True, floating=True)
        assert arm.joint_names[:2] == ("base_x_", "base_y") and len({*arm.joint_names}) == arm.n
    unnamed = TORSO.replace('name="left_shoulder" type="revolute"', 'type="floating"')
    assert "left_arm_x" in rd.Arm.from_urdf(unnamed, branches=True).joint_names


def test_a_robot_that_floats_already():
    """A root without mass before a floating joint would have twelve coordinates for one body."""
    text = TORSO.replace('name="waist" type="revolute"', 'name="waist" type="floating"')
    assert rd.Arm.from_urdf(text, branches=True).joint_names[:2] == ("waist_x", "waist_y")
    with pytest.raises(
        ValueError, match="whose joint waist lets it float: leave floating=True out, or say root='torso'"
    ):
        rd.Arm.from_urdf(text, branches=True, floating=True)
    assert "torso_x" in rd.Arm.from_urdf(text, branches=True, floating=True, root="torso").joint_names


def test_a_mass_without_an_inertia():
    """Of the root it does not matter; of what moves it is a point's where that is asked for, and a warning names the link."""
    text = TORSO.replace(INERTIA, "", 1)  # the torso's
    assert rd.Arm.from_urdf(text, branches=True, root="torso") == rd.Arm.from_urdf(TORSO, branches=True, root="torso")
    with pytest.raises(ValueError, match=r'link torso of the text must have a <inertia> .*: inertias="nearest" takes'):
        rd.Arm.from_urdf(text, branches=True)
    with pytest.warns(UserWarning, match="torso .none is given -> a point mass"):
        arm = rd.Arm.from_urdf(text, branches=True, inertias="nearest")
    with pytest.raises(ValueError, match=r"link torso of the text: mass must be .*got -2"):  # no inertia would help
        rd.Arm.from_urdf(text.replace('value="2"', 'value="-2"', 1), branches=True, inertias="nearest")
    whole = rd.Arm.from_urdf(TORSO, branches=True)
    assert arm.links[0].mass == whole.links[0].mass
    assert np.allclose(whole.links[0].inertia - arm.links[0].inertia, np.diag([0.02, 0.03, 0.04]))


def test_zeros_with_roundoff():
    """A product of 1e-20 kg m^2 beside moments of zero, as a program writes it: those of a point, which a warning tells."""
    zeros = '<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="1.35525e-20" iyz="0"/>'
    with pytest.warns(UserWarning, match="torso .rounding of its digits"):
        arm = rd.Arm.from_urdf(TORSO.replace(INERTIA, zeros, 1), branches=True)
    point = rd.Arm.from_urdf(TORSO.replace(INERTIA, zeros.replace("1.35525e-20", "0"), 1), branches=True)
    assert np.allclose(arm.links[0].inertia, point.links[0].inertia, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"root": "pelvis"}, ValueError, "root must be a link of the text, got 'pelvis'; there are base, torso"),
        ({"root": "head", "branches": True}, ValueError, "the chain to head must have a moving joint, got none"),
        ({"root": "torso", "tip": "door"}, ValueError, "tip must be a link of the text, got 'door'; there are head, left_arm"),
        ({"floating": 1}, TypeError, "floating must be True or False, got 1"),
        ({}, ValueError, "tip must be given for a URDF that branches: the text ends in door, head, left_hand, right_hand; branches=True reads all of it"),
        ({"tip": ["left_hand", "torso"]}, ValueError, "the last tip must be at the end of a branch of its own, got torso on torso, which carries more"),
        ({"tip": ["left_hand", "head"]}, ValueError, "the last tip must be at the end of a branch of its own, got head on torso, which carries more"),
        ({"tip": ["left_hand", "tail"]}, ValueError, "tip must be a link of the text, got 'tail'; there are base, door"),
        ({"tip": "left_wrist"}, ValueError, "tip must be a link of the text, got 'left_wrist': the joint of this name carries left_hand; there are"),
        ({"tip": []}, TypeError, "tip must be the name of one link, or a list of names, got []"),
        ({"tip": [1]}, TypeError, "tip must be the name of one link, or a list of names, got [1]"),
    ],
)  # fmt: skip
def test_sentences(options, error, sentence):
    """What cannot be read, and the way on."""
    with pytest.raises(error) as caught:
        rd.Arm.from_urdf(TORSO, **options)
    assert sentence in str(caught.value)


def test_names_that_are_not_there():
    """A frame on the base does not move, and is none; a hand-made arm may have none."""
    with pytest.raises(
        ValueError, match="link must be the name of one frame or link that moves, got 'base': there are torso, "
    ):
        rd.Arm.from_urdf(TORSO, branches=True).frame("base")
    with pytest.raises(ValueError, match="got 'hand': no frame and no link of this arm has one"):
        rd.robots.two_link().frame("hand")
    with pytest.raises(TypeError, match=r"frames must be \{name: LinkFrame\}, got 'hand': 1"):
        rd.Arm([rd.Link(1)], frames={"hand": 1})
    with pytest.raises(ValueError, match="link must be an index from 0 to 0"):
        rd.Arm([rd.Link(1)], frames={"hand": rd.LinkFrame(1)})


@pytest.mark.parametrize(
    ("name", "joints", "ends"),
    [
        ("anymal-kinova.urdf", 18, 5),
        ("centauro.urdf", 39, 8),
        ("g1_29dof_with_hand_rev_1_0.urdf", 43, 8),
        ("human.urdf", 36, 5),
        ("simple_humanoid.urdf", 29, 4),
        ("talos_reduced.urdf", 32, 5),
        ("tiago_dual.urdf", 101, 23),
        ("iris.urdf", 4, 4),
        ("baxter.urdf", 17, 5),
        ("panda.urdf", 8, 2),
        ("tiago_pro.urdf", 23, 13),
    ],
)
def test_pinocchio(name, joints, ends):
    """M, torques, accelerations and frames of whole robots; the last three have grippers that mimic."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    arm = agree_on_whole_robot(pin, carried("example-robot-data", name))
    assert (arm.n, len(arm.leaves)) == (joints, ends)
