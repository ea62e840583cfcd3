"""A branch whose joint mimics another is held where that puts it; where it would move with the arm, a warning says so."""

import warnings

import numpy as np
import pytest

import robotdyn as rd

INERTIA = '<inertia ixx="0.002" iyy="0.001" izz="0.002" ixy="0" ixz="0" iyz="0"/>'
BODY = f'<inertial><mass value="1"/>{INERTIA}</inertial>'
LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'


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


def test_pinocchio_holds_it_there(tmp_path):
    """The center of mass of its model with mimic joints, all coordinates zero."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    fingers = [
        ("a", "slide", "revolute", ""),
        ("b", "slide", "revolute", "<mimic joint='a' multiplier='3' offset='0.3'/>"),
    ]
    arm, _ = read(tmp_path, *fingers)
    text = gripper(*fingers).replace("<axis xyz='1 0 0'/>", f"<axis xyz='1 0 0'/>{LIMIT}")
    model = pin.buildModelFromXML(text, mimic=True)
    com = pin.centerOfMass(model, model.createData(), np.zeros(model.nq))
    assert np.allclose(arm.links[0].com, com) and arm.links[0].mass == pytest.approx(3)


def test_a_long_chain_of_followers_is_read_as_a_short_one(tmp_path):
    """2000 joints, each of which mimics the next one: held at the sum of their offsets, or all named; a ring of them is told."""
    count = 2000
    fingers = lambda last: [
        (f"m{k}", "slide", "revolute", f"<mimic joint='{f'm{k + 1}' if k < count else last}' offset='1e-4'/>")
        for k in range(1, count + 1)
    ]
    arm, said = read(tmp_path, *fingers("nobody"))
    angles = 1e-4 * np.arange(1, count + 1)
    places = 0.1 * np.stack([np.cos(angles), 0 * angles, -np.sin(angles)], axis=1)
    assert said == [] and np.allclose(arm.links[0].com, places.sum(axis=0) / (count + 1), atol=1e-9)
    _, said = read(tmp_path, *fingers("grip"))
    assert len(said) == 1 and "m1 (with grip), m2 (with grip)" in said[0] and "(2000 in all)" in said[0]
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


def test_a_chain_with_a_gear_is_held_as_the_sentence_says():
    """The equation in the refusal, followed, is d'Alembert's principle with q = G x + c:  G^T (M G xdd + h) = G^T tau."""
    with pytest.raises(ValueError, match="joint c must move by itself") as caught:
        rd.Arm.from_urdf(geared(MIMIC))
    advice = str(caught.value).split("take its <mimic> away and hold the arm: ")[1]
    arm = rd.Arm.from_urdf(FREE)
    held = eval(advice, {"rd": rd, "arm": arm})
    x, xd, tau = np.random.default_rng(3).normal(size=(3, 3))
    q, qd = G @ x[:2] + C, G @ xd[:2]
    assert np.allclose(held.equations(q), 0, atol=1e-12)
    xdd = np.linalg.solve(G.T @ rd.mass_matrix(arm, q) @ G, G.T @ (tau - rd.inverse_dynamics(arm, q, qd, 0 * q)))
    assert np.allclose(rd.constraints.forward_dynamics(held, q, qd, tau)[0], G @ xdd)


def test_pinocchio_reduces_it_so():
    """Its model with the mimic joint has G^T M G and G^T h for mass matrix and bias."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    arm = rd.Arm.from_urdf(FREE)
    model = pin.buildModelFromXML(geared(MIMIC), mimic=True)
    data = model.createData()
    x, xd = np.random.default_rng(4).normal(size=(2, 2))
    q, qd = G @ x + C, G @ xd
    M = pin.crba(model, data, x)
    M = np.triu(M) + np.triu(M, 1).T
    assert model.nv == 2 and np.allclose(G.T @ rd.mass_matrix(arm, q) @ G, M)
    assert np.allclose(G.T @ rd.inverse_dynamics(arm, q, qd, 0 * q), pin.rnea(model, data, x, xd, np.zeros(2)))


def test_a_gear_with_a_branch_or_itself_has_no_such_equation():
    """The sentence ends before it."""
    for said in ("<mimic joint='nobody'/>", "<mimic joint='c'/>"):
        with pytest.raises(ValueError, match=r"name a tip before it$"):
            rd.Arm.from_urdf(geared(said))
