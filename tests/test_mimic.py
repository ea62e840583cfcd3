"""A branch whose joint mimics another is held where that puts it; where it would move with the arm, a warning says so."""

import warnings

import numpy as np
import pytest

import robotdyn as rd

INERTIA = '<inertia ixx="0.002" iyy="0.001" izz="0.002" ixy="0" ixz="0" iyz="0"/>'
BODY = f'<inertial><mass value="1"/>{INERTIA}</inertial>'
LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
TURNED = '<origin xyz="0.1 -0.2 0.3" rpy="0.5 -0.4 1.1"/>'


def gripper(*fingers):
    """A slide `grip` with a tip, and fingers beside it: (name, parent, type, what the joint says)."""
    parts = [f'<link name="base"/><link name="slide">{BODY}</link><link name="tip"/>']
    joints = [
        "<joint name='grip' type='prismatic'><parent link='base'/><child link='slide'/><axis xyz='1 0 0'/></joint>"
    ]
    joints += ["<joint name='end' type='fixed'><parent link='slide'/><child link='tip'/></joint>"]
    for name, parent, kind, said in fingers:
        parts.append(
            f'<link name="{name}"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>{INERTIA}</inertial></link>'
        )
        joints.append(
            f"<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{name}'/>"
            f"<axis xyz='0 1 0'/>{LIMIT}{said}</joint>"
        )
    return f"<robot name='gripper'>{''.join(parts + joints)}</robot>"


def read(tmp_path, *fingers):
    """The arm of such a file, with the warnings that it gave."""
    path = tmp_path / "gripper.urdf"
    path.write_text(gripper(*fingers), encoding="utf-8")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        return rd.Arm.from_urdf(path, "tip"), [str(x.message) for x in caught]


@pytest.mark.parametrize(
    ("fingers", "named"),
    [
        ([("a", "slide", "revolute", "<mimic joint='grip' multiplier='10'/>")], ["a (with grip)"]),
        ([("a", "slide", "revolute", "<mimic joint='grip'/>"), ("b", "slide", "revolute", "<mimic joint='a'/>")],
         ["a (with grip)", "b (with grip)"]),
        ([("a", "slide", "revolute", "<mimic joint='grip' multiplier='0' offset='0.2'/>")], []),
        ([("a", "slide", "revolute", ""), ("b", "a", "revolute", "<mimic joint='a'/>")], []),
        ([("a", "slide", "revolute", "<mimic joint='nobody'/>")], []),
    ],
)  # fmt: skip
def test_a_branch_that_moves_with_the_arm_is_told(tmp_path, fingers, named):
    """Directly or by another one; not where the factor is zero, or what it follows is held, or no joint of the file."""
    _, said = read(tmp_path, *fingers)
    assert len(said) == bool(named)
    for phrase in named:
        assert phrase in said[0]
    if named:
        assert "mimic a joint of the chain" in said[0] and "held where it stands at q = 0" in said[0]


def test_a_follower_is_held_where_its_leader_puts_it(tmp_path):
    """Offsets count, one after another: a at 0, b at 0.3, c at 0.1 - 2 b; their masses lie there."""
    arm, said = read(
        tmp_path,
        ("a", "slide", "revolute", ""),
        ("b", "slide", "revolute", "<mimic joint='a' multiplier='3' offset='0.3'/>"),
        ("c", "slide", "revolute", "<mimic joint='b' multiplier='-2' offset='0.1'/>"),
        ("d", "slide", "prismatic", "<mimic joint='b' multiplier='2'/>"),
    )
    places = [(0.1 * np.cos(angle), 0, -0.1 * np.sin(angle)) for angle in (0, 0.3, 0.1 - 2 * 0.3)]
    expected = np.sum([(0, 0, 0), *places, (0.1, 0.6, 0)], axis=0) / 5
    assert said == [] and np.allclose(arm.links[0].com, expected)


def test_a_follower_is_held_in_a_frame_of_its_own(tmp_path):
    """Each joint turns or slides in a frame that its origin has moved and turned: so the whole robot stands at q = 0.

    On a body that floats both have one mass matrix for its six coordinates: all masses, centers and inertias are there.
    """
    fingers = [
        ("a", "slide", "revolute", TURNED),
        ("b", "a", "revolute", f"{TURNED}<mimic joint='a' multiplier='3' offset='0.3'/>"),
        ("c", "b", "prismatic", f"{TURNED}<mimic joint='b' multiplier='-2' offset='0.1'/>"),
        ("d", "c", "revolute", f"{TURNED}<mimic joint='c' offset='0.7'/>"),
    ]
    held, _ = read(tmp_path, *fingers)
    whole = rd.Arm.from_urdf(tmp_path / "gripper.urdf", branches=True)
    M = [
        rd.mass_matrix(floating, np.zeros(floating.n))[:6, :6]
        for floating in (rd.floating(arm, rd.bodies.box(1.0, (0.1, 0.2, 0.3))) for arm in (held, whole))
    ]
    assert held.n == 1 and whole.n == 2 and np.allclose(M[0], M[1], rtol=0, atol=1e-12)


def test_pinocchio_holds_it_there(tmp_path):
    """The center of mass of its model with mimic joints, all coordinates zero."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    fingers = [
        ("a", "slide", "revolute", ""),
        ("b", "slide", "revolute", f"{TURNED}<mimic joint='a' multiplier='3' offset='0.3'/>"),
    ]
    arm, _ = read(tmp_path, *fingers)
    text = gripper(*fingers).replace("<axis xyz='1 0 0'/>", f"<axis xyz='1 0 0'/>{LIMIT}")
    model = pin.buildModelFromXML(text, mimic=True)
    com = pin.centerOfMass(model, model.createData(), np.zeros(model.nq))
    assert np.allclose(arm.links[0].com, com) and arm.links[0].mass == pytest.approx(3)


def test_a_long_chain_of_followers_is_read_as_a_short_one(tmp_path):
    """1200 joints, more than Python calls deep, each of which mimics the next one: held at the sum of their offsets, or all named; a ring of them is told."""
    count = 1200
    fingers = lambda last: [
        (f"m{k}", "slide", "revolute", f"<mimic joint='{f'm{k + 1}' if k < count else last}' offset='1e-4'/>")
        for k in range(1, count + 1)
    ]
    arm, said = read(tmp_path, *fingers("nobody"))
    angles = 1e-4 * np.arange(1, count + 1)
    places = 0.1 * np.stack([np.cos(angles), 0 * angles, -np.sin(angles)], axis=1)
    assert said == [] and np.allclose(arm.links[0].com, places.sum(axis=0) / (count + 1), atol=1e-9)
    _, said = read(tmp_path, *fingers("grip"))
    assert len(said) == 1 and "m1 (with grip), m2 (with grip)" in said[0] and "(1200 in all)" in said[0]
    with pytest.raises(ValueError, match=r"joint m1 of .* must not mimic itself, got a ring of mimic joints"):
        read(tmp_path, *fingers("m7"))


def test_a_ring_is_told_by_all_that_reads_the_file():
    """Of two joints, for a picture, too; a factor of zero breaks it."""
    ring = lambda factor: gripper(
        ("a", "slide", "revolute", f"<mimic joint='b' multiplier='{factor}' offset='0.1'/>"),
        ("b", "slide", "revolute", "<mimic joint='a' offset='0.2'/>"),
    ).replace(
        '<link name="tip"/>', '<link name="tip"><visual><geometry><sphere radius="1"/></geometry></visual></link>'
    )
    for reads in (rd.Arm.from_urdf, rd.show.shapes_of_urdf):
        with pytest.raises(ValueError, match="joint a of the text must not mimic itself, got a ring of mimic joints"):
            reads(ring(2), "tip")
        reads(ring(0), "tip")
    places = [(0, 0, 0), *((0.1 * np.cos(x), 0, -0.1 * np.sin(x)) for x in (0.1, 0.3))]
    assert np.allclose(rd.Arm.from_urdf(ring(0), "tip").links[0].com, np.mean(places, axis=0))


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("<mimic joint='a'/>", "must not mimic itself, got a ring of mimic joints"),
        ("<mimic joint='grip' offset='much'/>", "offset of <mimic> of mimic of joint a of .* must be 1 finite number, got 'much'"),
    ],
)  # fmt: skip
def test_a_wrong_mimic_is_told(tmp_path, said, sentence):
    """Whom it follows, and by what number."""
    with pytest.raises(ValueError, match=sentence):
        read(tmp_path, ("a", "slide", "revolute", said))


def geared(said):
    """A chain of three revolute joints a, b, c about y, x and y, whose last one says something."""
    body = f'<inertial><origin xyz="0.1 0.02 0.2"/><mass value="1.5"/>{INERTIA}</inertial>'
    parts = ['<link name="base"/>']
    for name, parent, axis in (("a", "base", "0 1 0"), ("b", "a", "1 0 0"), ("c", "b", "0 1 0")):
        parts.append(f'<link name="{name}">{body}</link>')
        parts.append(
            f"<joint name='{name}' type='revolute'><origin xyz='0 0 0.3'/><parent link='{parent}'/><child link='{name}'/>"
            f"<axis xyz='{axis}'/>{LIMIT}{said if name == 'c' else ''}</joint>"
        )
    return f"<robot name='geared'>{''.join(parts)}</robot>"


MIMIC = "<mimic joint='a' multiplier='-1.5' offset='0.2'/>"
G = np.array([[1, 0], [0, 1], [-1.5, 0]])  # q = G x + C with x = (q_a, q_b)
C = np.array([0, 0, 0.2])
FREE = geared("")


def test_a_chain_with_a_gear_has_the_coordinates_that_are_independent():
    """d'Alembert's principle with q = G x + c:  G^T (M G xdd + h) = G^T tau; and the arm of free joints, held to that equation."""
    arm, free = rd.Arm.from_urdf(geared(MIMIC)), rd.Arm.from_urdf(FREE)
    assert np.array_equal(arm.coupling, np.column_stack([G, C])) and arm.uncoupled == free
    assert arm.joint_names == ("a", "b") and arm.link_names == ("a", "b", "c") and "1 more coupled" in repr(arm)
    held = rd.constraints.hold(free, lambda arm, q: q[2:3] + 1.5 * q[0:1] - 0.2)
    x, xd, tau = np.random.default_rng(3).normal(size=(3, 3))
    q, qd = G @ x[:2] + C, G @ xd[:2]
    xdd = np.linalg.solve(G.T @ rd.mass_matrix(free, q) @ G, G.T @ (tau - rd.inverse_dynamics(free, q, qd, 0 * q)))
    assert np.allclose(rd.constraints.forward_dynamics(held, q, qd, tau)[0], G @ xdd)
    assert np.allclose(rd.forward_dynamics(arm, x[:2], xd[:2], G.T @ tau), xdd)


def test_pinocchio_reduces_it_so():
    """Its model with the mimic joint has the mass matrix and the bias."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    arm = rd.Arm.from_urdf(geared(MIMIC))
    model = pin.buildModelFromXML(geared(MIMIC), mimic=True)
    data = model.createData()
    x, xd, xdd = np.random.default_rng(4).normal(size=(3, 2))
    M = pin.crba(model, data, x)
    M = np.triu(M) + np.triu(M, 1).T
    assert model.nv == 2 and np.allclose(rd.mass_matrix(arm, x), M)
    assert np.allclose(rd.inverse_dynamics(arm, x, xd, xdd), pin.rnea(model, data, x, xd, xdd))


def test_the_gripper_whose_finger_turns_ten_times_as_far():
    """A slide of 1 kg with a hinge of 1 kg whose mass is 0.1 m off its axis: M = 2 + 100 (0.001 + 0.01), less the rest by hand."""
    finger = ("a", "slide", "revolute", "<mimic joint='grip' multiplier='10'/>")
    arm = rd.Arm.from_urdf(gripper(finger), branches=True)
    assert arm.n == 1 and arm.joint_names == ("grip",) and len(arm.links) == 2
    # at q = 0 the hinge, about y, moves its mass along -z at 0.1 m times 10, at right angles to the slide
    assert rd.mass_matrix(arm, [0.0])[0, 0] == pytest.approx(1 + 1 + 100 * (0.001 + 0.01))


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("<mimic joint='nobody'/>", "joint c of the text must mimic a joint of the file that moves, got nobody: take its <mimic> away"),
        ("<mimic joint='c'/>", "joint c of the text must not mimic itself, got a ring of mimic joints"),
        ("<mimic joint='a' multiplier='1e60'/>", "multiplier of <mimic> of mimic of joint c of the text must be 1 finite number"),
    ],
)  # fmt: skip
def test_a_wrong_gear_is_told(said, sentence):
    """Whom it follows."""
    with pytest.raises(ValueError, match=sentence):
        rd.Arm.from_urdf(geared(said))


def test_followers_of_followers_and_of_what_is_held():
    """c follows b, which follows a: products of the factors; a follower of a branch off the chain stands still."""
    two = geared("").replace("<axis xyz='1 0 0'/>", "<axis xyz='1 0 0'/><mimic joint='a' multiplier='2' offset='0.1'/>")
    two = two.replace("</robot>", "").replace(
        "child link='c'/><axis xyz='0 1 0'/>", "child link='c'/><axis xyz='0 1 0'/><mimic joint='b' multiplier='-3'/>"
    )
    arm = rd.Arm.from_urdf(two + "</robot>")
    assert np.allclose(arm.coupling, [[1, 0], [2, 0.1], [-6, -0.3]])
    still = gripper(("a", "base", "revolute", "")).replace(
        "<axis xyz='1 0 0'/>", "<axis xyz='1 0 0'/><mimic joint='a' offset='0.4'/>"
    )
    with pytest.raises(ValueError, match="must have a joint that moves by itself, got followers alone"):
        rd.Arm.from_urdf(still, "tip")
    whole = rd.Arm.from_urdf(still, branches=True)
    assert whole.joint_names == ("a",) and np.allclose(whole.coupling, [[1, 0.4], [1, 0]])


def test_a_follower_before_its_leader():
    """The coordinate has the name of the joint that leads, whichever of the two the file or the tree has first."""
    text = gripper(("a", "slide", "revolute", ""), ("b", "slide", "prismatic", ""))
    swapped = text.replace("<axis xyz='0 1 0'/>", "<axis xyz='0 1 0'/><mimic joint='b'/>", 1)
    swapped = swapped.replace("<axis xyz='1 0 0'/>", "<axis xyz='1 0 0'/><mimic joint='b'/>")
    arm = rd.Arm.from_urdf(swapped, branches=True)
    assert arm.joint_names == ("b",) and len(arm.links) == 3 and repr(arm).startswith("<Arm of 1 joint, P: b,")
