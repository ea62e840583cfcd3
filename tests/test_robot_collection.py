"""Every URDF file of the installed collections: read or refused with a sentence that says the way on, and as Pinocchio has it."""

import re
import warnings
from collections import Counter
from importlib.metadata import PackageNotFoundError, files

import numpy as np
import pytest
from peer_models import agree, carried

import robotdyn as rd

pin = pytest.importorskip("pinocchio", reason="Pinocchio is missing: pip install robotdyn[peers]")

COLLECTIONS = ("example-robot-data", "airo-models")
WAYS_ON = {
    "has no joint that moves": "must have a moving joint",
    "a mass without an inertia": "must have a <inertia> in its <inertial>",
    "an inertia of no body": 'inertias="nearest" takes it',
    "mimics a joint that is not there": "take its <mimic> away, and it is a joint of its own",
    "has no links": "must have links",
    "ends behind followers alone": "branches=True reads the joint that leads them",
}  # fmt: skip


def collected():
    """The URDF files that the packages carry."""
    try:
        paths = [path.locate() for package in COLLECTIONS for path in files(package) if path.suffix == ".urdf"]
    except PackageNotFoundError as error:
        pytest.skip(f"{error.name} is missing: pip install robotdyn[peers]")
    return sorted(path for path in paths if path.is_file())


def read(path, *args, **options):
    """The arm of a file, and what it was refused for, one of both None."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return rd.Arm.from_urdf(path, *args, **options), None
    except ValueError as error:
        reasons = [reason for reason, sentence in WAYS_ON.items() if sentence in str(error)]
        assert reasons, f"{path} is refused without a way on: {error}"
        return None, reasons[0]


def their_model(path, arm):
    """Pinocchio's model of a file, and the arm as it counts the joints: it cannot follow every order of mimic joints."""
    try:
        return pin.buildModelFromUrdf(str(path), mimic=True), arm
    except ValueError:
        return pin.buildModelFromUrdf(str(path)), arm.uncoupled


def body_of(model, number):
    """The mass and the center of mass that a joint carries."""
    return model.inertias[number].mass, model.inertias[number].lever


def check_agreement(path, arm, nearest=False, seed=1):
    """Torques, mass matrix, gravity, all frames and their Jacobians, the joints that the arm has not at zero.

    nearest: of a file with inertias of no body the peer is given those of the arm, once masses and centers of mass agree.
    """
    model, arm = their_model(path, arm)
    for link in arm.links if nearest else ():
        number = model.getJointId(link.joint_name)
        agree({f"body of {link.name}": (np.append(link.mass, link.com), np.append(*body_of(model, number)))})
        model.inertias[number] = pin.Inertia(link.mass, link.com, link.inertia)
    joints = [model.joints[model.getJointId(name)] for name in arm.joint_names]
    assert all(joint.nv == 1 for joint in joints)
    q, qd, qdd = np.random.default_rng(seed).uniform(-1, 1, (3, arm.n))
    places = [joint.idx_v for joint in joints]
    configuration, rates, accelerations = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    for joint, x in zip(joints, q):
        configuration[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(x), np.sin(x)] if joint.nq == 2 else [x]
    rates[places], accelerations[places] = qd, qdd
    data = model.createData()
    M = np.triu(np.reshape(pin.crba(model, data, configuration), (model.nv, model.nv)))
    pairs = {
        "mass matrix": (rd.mass_matrix(arm, q), (M + np.triu(M, 1).T)[np.ix_(places, places)]),
        "torques": (rd.inverse_dynamics(arm, q, qd, qdd), pin.rnea(model, data, configuration, rates, accelerations)[places]),
        "gravity": (rd.gravity_torque(arm, q), pin.computeGeneralizedGravity(model, data, configuration)[places]),
    }  # fmt: skip
    pin.computeJointJacobians(model, data, configuration)
    pin.updateFramePlacements(model, data)
    for name, frame in arm.frames:
        number = model.getFrameId(name, pin.FrameType.BODY)
        J = np.reshape(pin.getFrameJacobian(model, data, number, pin.LOCAL_WORLD_ALIGNED), (6, model.nv))
        R, p = rd.frame_pose(arm, q, frame)
        pairs |= {
            f"place of {name}": (p, data.oMf[number].translation),
            f"axes of {name}": (R, data.oMf[number].rotation),
            f"Jacobian of {name}": (rd.point_jacobian(arm, q, frame), J[:, places]),
        }
    agree(pairs)


def test_whole_robots():
    """Of the files of a collection all that have a joint are read, some with inertias="nearest", and each agrees to 1e-10."""
    count = Counter()
    for path in collected():
        arm, reason = read(path, branches=True)
        count[reason or "agrees"] += 1
        if reason == "an inertia of no body":
            arm, reason = read(path, branches=True, inertias="nearest")
            count[f"then {reason or 'agrees'}"] += 1
            if arm:
                check_agreement(path, arm, nearest=True)
        elif arm:
            check_agreement(path, arm)
    read_as_given, read_as_nearest = count["agrees"], count["then agrees"]
    assert read_as_given >= 50 and read_as_given + read_as_nearest >= 60, count


def test_robots_that_float():
    """Six coordinates before those of the joints: M, gravity and torques as those of Pinocchio's free flyer, by virtual work."""
    floating = 0
    for path in collected():
        arm, _ = read(path, branches=True, floating=True)
        if arm is None:
            continue
        try:
            model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer(), mimic=True)
        except ValueError:  # an order of mimic joints that it cannot follow
            continue
        q, qd, qdd = np.random.default_rng(2).uniform(-1, 1, (3, arm.n))
        R, p = rd.frame_pose(arm, q, 5)
        G = np.zeros((model.nv, arm.n))  # their rates by ours
        G[:6, :6] = rd.point_jacobian(arm, q, 5, (0, 0, 0), axes="link")[:, :6]
        configuration = pin.neutral(model)
        configuration[:7] = *p, *pin.Quaternion(R).coeffs()
        for k, name in enumerate(arm.joint_names[6:], start=6):
            joint = model.joints[model.getJointId(name)]
            configuration[joint.idx_q : joint.idx_q + joint.nq] = (
                [np.cos(q[k]), np.sin(q[k])] if joint.nq == 2 else [q[k]]
            )
            G[joint.idx_v, k] = 1
        rates, accelerations = G @ qd, G @ qdd
        still = rd.point_acceleration(arm, q, qd, 0 * qdd, 5, (0, 0, 0))
        accelerations[:3] += R.T @ still[:3] - np.cross(rates[3:6], rates[:3])  # theirs are spatial
        accelerations[3:6] += R.T @ still[3:]
        data = model.createData()
        M = np.triu(pin.crba(model, data, configuration))
        agree({
            "mass matrix": (rd.mass_matrix(arm, q), G.T @ (M + np.triu(M, 1).T) @ G),
            "gravity": (rd.gravity_torque(arm, q), G.T @ pin.computeGeneralizedGravity(model, data, configuration)),
            "torques": (rd.inverse_dynamics(arm, q, qd, qdd), G.T @ pin.rnea(model, data, configuration, rates, accelerations)),
        })  # fmt: skip
        floating += 1
    assert floating >= 45


@pytest.mark.slow
def test_every_chain():
    """Each chain from the root to a leaf, or why it is refused; where a branch mimics a joint of the chain, a warning says so."""
    count = Counter()
    for path in collected():
        for leaf in leaves(path):
            arm, reason = read(path, leaf)
            if arm and not moves_with_it(path, leaf):
                check_agreement(path, arm)
            count[reason or "read"] += 1
    assert count["read"] >= 400, count


def leaves(path):
    """The links that no joint of a file leaves, whatever else is wrong with it."""
    text = path.read_text(encoding="utf-8", errors="replace")
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    links = re.findall(r"<link\s[^>]*?name\s*=\s*[\"']([^\"']+)", text)
    parents = set(re.findall(r"<parent\s[^>]*?link\s*=\s*[\"']([^\"']+)", text))
    return [name for name in links if name not in parents]


def moves_with_it(path, leaf):
    """Whether a warning says that a branch mimics a joint of the chain: Pinocchio moves it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rd.Arm.from_urdf(path, leaf)
    return any("mimic a joint of the chain" in str(x.message) for x in caught)


@pytest.mark.parametrize("name", ["panda.urdf", "talos_reduced.urdf", "ur5_robot.urdf", "g1_29dof_with_hand_rev_1_0.urdf", "xarm7.urdf", "go2.urdf", "baxter.urdf"])  # fmt: skip
def test_mujoco(name):
    """MuJoCo reads URDF files itself: its masses, torques and frames, and the arm that `rd.from_mjcf` makes of its model."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is missing: pip install robotdyn[peers]")
    path = carried("example-robot-data", name)
    text = re.sub(r"<(visual|collision)\b.*?</\1>|<!--.*?-->", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    model = mujoco.MjModel.from_xml_string(text)
    coupled, _ = read(path, branches=True)
    arm = coupled.uncoupled  # a mimic joint is one of its own there, with an equality constraint
    q, qd = np.random.default_rng(5).uniform(-1, 1, (2, arm.n))
    joints = [model.joint(name) for name in arm.joint_names]
    qpos, dofs = (np.array([getattr(joint, key)[0] for joint in joints]) for key in ("qposadr", "dofadr"))
    data, M = mujoco.MjData(model), np.zeros((model.nv, model.nv))
    data.qpos[qpos], data.qvel[dofs] = q, qd
    mujoco.mj_forward(model, data)
    mujoco.mj_fullM(model, data, M)
    pairs = {
        "mass matrix": (rd.mass_matrix(arm, q), M[np.ix_(dofs, dofs)]),
        "bias torque": (rd.bias_torque(arm, q, qd), data.qfrc_bias[dofs]),
    }
    for i, link in enumerate(arm.links):
        R, p = rd.frame_pose(arm, q, rd.LinkFrame(i))
        pairs |= {f"place of {link.name}": (p, data.body(link.name).xpos)}
        pairs |= {f"axes of {link.name}": (R.ravel(), data.body(link.name).xmat)}
    agree(pairs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = rd.from_mjcf(model)
    assert set(again.joint_names) == set(coupled.joint_names)
    values = dict(zip(coupled.joint_names, q))
    theirs, ours = ([values[name] for name in one.joint_names] for one in (again, coupled))
    again_at, coupled_at = (
        rd.frame_pose(one, x, arm.links[-1].name)[1] for one, x in ((again, theirs), (coupled, ours))
    )
    agree({"place of the last link, joints coupled": (again_at, coupled_at)})
    again = again.uncoupled
    order = [again.joint_names.index(name) for name in arm.joint_names]
    theirs = np.zeros(again.n)
    theirs[order] = q
    agree({"mass matrix again": (rd.mass_matrix(again, theirs)[np.ix_(order, order)], M[np.ix_(dofs, dofs)])})
