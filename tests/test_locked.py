"""An arm with some joints held is the arm whose state has them at rest there: M, torques and tip of the others are the same."""

import re
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from arms import random_arm
from peer_models import pinocchio_model

import robotdyn as rd

CHOICES = [(), (0,), (0, 1), (2,), (4,), (3, 4), (0, 2, 4), (1, 2, 3), (0, 1, 2, 3), (1, 2, 3, 4)]


@pytest.fixture(params=range(4))
def case(request):
    """A random arm of five joints of all types, with motors, frames and a turned tip, and where its joints are held."""
    rng = np.random.default_rng(request.param)
    joints = ["revolute", "prismatic", "screw", "revolute", "revolute"]
    arm = random_arm(rng, 5, list(rng.permutation(joints)))
    turn = lambda: rd.rotations.exp(rng.normal(size=3))
    links = [
        replace(link, motor_inertia=rng.uniform(0, 1), frame_position=rng.normal(size=3), frame_rotation=turn())
        for link in arm.links
    ]
    return replace(arm, links=links, tip_rotation=turn()), rng.uniform(-2, 2, 5), rng


def state(arm, at, held, rng):
    """A state of the free joints, and the same of all of them, the held ones at rest."""
    free = [k for k in range(arm.n) if k not in held]
    q, qd, qdd = rng.uniform(-1, 1, (3, len(free)))
    whole = np.zeros((3, arm.n))
    whole[0, list(held)] = at[list(held)]
    whole[:, free] = q, qd, qdd
    return free, (q, qd, qdd), whole


@pytest.mark.parametrize("held", CHOICES)
def test_rows_and_columns_of_held_joints_are_struck_out(case, held):
    """M, and the torques at any rates and accelerations; the tip, its axes and the free columns of its Jacobian."""
    arm, at, rng = case
    free, (q, qd, qdd), whole = state(arm, at, held, rng)
    less = arm.locked({k: at[k] for k in held})
    assert less.n == len(free) and [x.joint for x in less.links] == [arm.links[k].joint for k in free]
    assert np.allclose(rd.mass_matrix(less, q), rd.mass_matrix(arm, whole[0])[np.ix_(free, free)], atol=1e-9)
    assert np.allclose(rd.inverse_dynamics(less, q, qd, qdd), rd.inverse_dynamics(arm, *whole)[free], atol=1e-8)
    assert np.allclose(rd.bias_torque(less, q, qd), rd.bias_torque(arm, *whole[:2])[free], atol=1e-8)
    for mine, theirs in zip(rd.tip_pose(less, q), rd.tip_pose(arm, whole[0])):
        assert np.allclose(mine, theirs, atol=1e-10)
    assert np.allclose(rd.tip_jacobian(less, q), rd.tip_jacobian(arm, whole[0])[:, free], atol=1e-10)
    for link, k in enumerate(free):
        frames = rd.frame_pose(less, q, less.frame(link)), rd.frame_pose(arm, whole[0], arm.frame(k))
        assert all(np.allclose(a, b, atol=1e-10) for a, b in zip(*frames))


def test_held_one_after_the_other_or_at_once(case):
    """In any order, by an index of either sign; and held nowhere, nothing changes."""
    arm, at, _ = case
    once = arm.locked({0: at[0], 3: at[3], -1: at[4]})
    later = arm.locked({4: at[4]}).locked({3: at[3]}).locked({0: at[0]})
    for one, other in zip(once.links, later.links):
        for name in ("mass", "com", "inertia", "axis", "position", "rotation"):
            assert np.allclose(getattr(one, name), getattr(other, name), atol=1e-9)
    assert np.allclose(once.tip, later.tip) and np.allclose(once.tip_rotation, later.tip_rotation)
    assert arm.locked({}) == arm


@pytest.mark.parametrize("held", CHOICES[1:])
def test_pinocchio_reduces_the_model_to_the_same(case, held):
    """Its buildReducedModel: M and the torques."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")
    arm, at, rng = case
    _, (q, qd, qdd), whole = state(arm, at, held, rng)
    model = pinocchio_model(pin, arm)
    reduced = pin.buildReducedModel(model, [k + 1 for k in held], whole[0])
    data = reduced.createData()
    less = arm.locked({k: at[k] for k in held})
    assert np.allclose(rd.inverse_dynamics(less, q, qd, qdd), pin.rnea(reduced, data, q, qd, qdd), atol=1e-8)
    pin.forwardKinematics(reduced, data, q)
    pin.updateFramePlacements(reduced, data)
    assert np.allclose(rd.tip_pose(less, q)[1], data.oMf[reduced.getFrameId("tip")].translation, atol=1e-9)


BODY = '<inertial><origin xyz="0.1 0.2 0"/><mass value="2"/><inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="0" iyz="0"/></inertial>'
FILE = "".join(
    [
        "<robot name='arm'><link name='base'/>",
        *(f"<link name='{name}'>{BODY}</link>" for name in ("upper", "fore", "hand")),
        "<joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/><axis xyz='0 0 1'/></joint>",
        "<joint name='elbow' type='{kind}'><parent link='upper'/><child link='fore'/><origin xyz='1 0 0' rpy='0.3 0 0.2'/>"
        "<axis xyz='0 1 0'/></joint>",
        "<joint name='wrist' type='prismatic'><parent link='fore'/><child link='hand'/><origin xyz='0 1 0'/></joint></robot>",
    ]
)


def test_a_joint_held_at_zero_is_a_fixed_joint_of_the_file():
    """By its name; names of links and joints stay with those that move, and make no arm another one."""
    arm = rd.Arm.from_urdf(FILE.format(kind="revolute"))
    fixed = rd.Arm.from_urdf(FILE.format(kind="fixed"))
    held = arm.locked({"elbow": 0})
    assert arm.joint_names == ("shoulder", "elbow", "wrist") and arm.link_names == ("upper", "fore", "hand")
    assert held.joint_names == fixed.joint_names == ("shoulder", "wrist") and held.link_names == ("upper", "hand")
    for one, other in zip(held.links, fixed.links):
        for name in ("mass", "com", "inertia", "position", "rotation"):
            assert np.allclose(getattr(one, name), getattr(other, name), atol=1e-12)
    assert repr(arm) == "<Arm of 3 joints, RRP: shoulder, elbow, wrist>" and repr(arm.links[0]).startswith(
        "<Link upper: "
    )
    renamed = rd.Arm(
        [
            rd.Link(**{x: getattr(y, x) for x in ("mass", "com", "inertia", "joint", "axis", "position", "rotation")})
            for y in arm.links
        ]
    )
    assert renamed == arm and hash(renamed) == hash(arm) and renamed.joint_names == (None, None, None)
    assert (
        arm.subs({}).joint_names
        == arm.map(float).joint_names
        == arm.carrying(rd.bodies.sphere(1, 0.1)).joint_names
        == arm.joint_names
    )


def test_symbols_may_hold_a_joint():
    """A two-link arm whose elbow is held at b: the inertia about the shoulder, by hand."""
    arm = rd.robots.two_link(symbolic=True)
    b = sp.Symbol("b", real=True)
    held = arm.locked({1: b})
    M = rd.mass_matrix(arm, sp.symbols("q_1", real=True) * sp.Matrix([1, 0]) + b * sp.Matrix([0, 1]))
    assert sp.simplify(rd.mass_matrix(held, [sp.Symbol("q_1", real=True)])[0] - M[0]) == 0


def test_links_without_mass_may_be_held():
    """Before others, behind them, and all of them."""
    light = rd.Arm([rd.Link(0), rd.Link(0, position=(1, 0, 0)), rd.Link(0, position=(1, 0, 0))], tip=(1, 0, 0))
    assert np.allclose(rd.tip_pose(light.locked({1: np.pi / 2}), [0, 0])[1], (1, 2, 0))
    heavy = rd.Arm([*light.links, rd.Link(2, (1, 0, 0))]).locked({1: 0, 3: 0})
    assert np.allclose(heavy.links[1].com, (1, 0, 0)) and heavy.links[1].mass == 2


ARM = rd.Arm.from_urdf(FILE.format(kind="revolute"))
TWINS = rd.Arm([rd.Link(1, joint_name="a"), rd.Link(1, joint_name="a"), rd.Link(1)])
WRONG = [
    (lambda: ARM.locked([1]), TypeError, "values must be a mapping from joints, by index or by name, to where they are held, got [1]"),
    (lambda: ARM.locked({3: 0}), ValueError, "a joint must be a name or an index from 0 to 2 (or -1 for the last), got 3"),
    (lambda: ARM.locked({True: 0}), ValueError, "got True"),
    (lambda: ARM.locked({0.0: 0}), ValueError, "got 0.0"),
    (lambda: ARM.locked({"knee": 0}), ValueError,
     "a joint must be named once in the arm, got 'knee', 0 times: the joints are shoulder, elbow, wrist"),
    (lambda: TWINS.locked({"a": 0}), ValueError, "got 'a', 2 times"),
    (lambda: rd.robots.panda().locked({"a": 0}), ValueError, "the joints of this arm have no names"),
    (lambda: ARM.locked({0: 1, "shoulder": 1}), ValueError, "values must hold each joint once, got joint 'shoulder' twice"),
    (lambda: ARM.locked({0: 0, 1: 0, 2: 0}), ValueError, "values must leave a joint free, got all 3 of them"),
    (lambda: ARM.locked({0: "x"}), TypeError, "the value of joint 0 must hold real numbers or SymPy expressions, got 'x'"),
    (lambda: ARM.locked({0: [1, 2]}), ValueError, "the value of joint 0 must have shape (), got (2,)"),
    (lambda: ARM.locked({"elbow": np.nan}), ValueError, "the value of joint 'elbow' must be finite, got nan"),
    (lambda: rd.Link(1, name=3), TypeError, "name must be a word or None, got 3"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "sentence"), WRONG, ids=range(len(WRONG)))
def test_what_cannot_be_held_is_told(call, kind, sentence):
    """In a sentence."""
    with pytest.raises(kind, match=re.escape(sentence)):
        call()
