"""The same arm as a model of a peer: tests and benchmarks compare robotdyn with it.  Nothing here imports a peer by itself."""

from importlib.metadata import PackageNotFoundError, files

import numpy as np

import robotdyn as rd


def carried(package, name):
    """The path of a file, by its name, that a package carries; the test is skipped where the package is missing."""
    try:
        return next(path.locate() for path in files(package) if path.name == name)
    except PackageNotFoundError:
        import pytest

        pytest.skip(f"{package} is missing: pip install robotdyn[peers]")


def pinocchio_model(pin, arm):
    """The same arm as a Pinocchio model, with its tip as a frame; of a tree, whose branches it wants one after another, too."""
    model = pin.Model()
    model.gravity.linear = np.array(arm.gravity)
    kinds = {
        "revolute": lambda link: pin.JointModelRevoluteUnaligned(np.array(link.axis)),
        "prismatic": lambda link: pin.JointModelPrismaticUnaligned(np.array(link.axis)),
        "screw": lambda link: pin.JointModelHelicalUnaligned(np.array(link.axis), float(link.pitch)),
    }
    joints, frames = {-1: 0}, {}
    for number in branch_by_branch(arm):
        link = arm.links[number]
        place = pin.SE3(np.array(link.rotation), np.array(link.position))
        joint = model.addJoint(joints[arm.parents[number]], kinds[link.joint](link), place, f"joint{number}")
        frames[number] = model.addJointFrame(joint)  # without which it cannot be reduced
        body = pin.Inertia(float(link.mass), np.array(link.com), np.array(link.inertia))
        model.appendBodyToJoint(joint, body, pin.SE3.Identity())
        joints[number] = joint
    model.armature = np.array([float(arm.links[number].motor_inertia) for number in branch_by_branch(arm)])
    last, place = arm.n - 1, pin.SE3(np.eye(3), np.array(arm.tip))
    model.addFrame(pin.Frame("tip", joints[last], frames[last], place, pin.FrameType.OP_FRAME))
    return model


def branch_by_branch(arm):
    """The indices of the links in the order in which all of a branch come before the next one."""
    waiting, order = [i for i in reversed(range(arm.n)) if arm.parents[i] < 0], []
    while waiting:
        order.append(waiting.pop())
        waiting += [i for i in reversed(range(arm.n)) if arm.parents[i] == order[-1]]
    return order


def mujoco_text(arm):
    """The same arm as a MuJoCo XML model; MuJoCo wants positive masses and body inertias in full."""
    words = {"revolute": "hinge", "prismatic": "slide"}
    text, close = "", ""

    def row(values):
        return " ".join(f"{value:.17g}" for value in values)

    for link in arm.links:
        I = link.inertia
        full = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        text += f'<body pos="{row(link.position)}" xyaxes="{row(link.rotation[:, :2].T.ravel())}">'
        text += f'<joint type="{words[link.joint]}" axis="{row(link.axis)}" armature="{link.motor_inertia:.17g}"/>'
        text += f'<inertial pos="{row(link.com)}" mass="{link.mass:.17g}" fullinertia="{row(full)}"/>'
        close += "</body>"
    text += f'<site name="tip" pos="{row(arm.tip)}"/>'
    option = f'<option gravity="{row(arm.gravity)}"><flag contact="disable"/></option>'
    return (
        f'<mujoco><compiler angle="radian" autolimits="true" boundmass="0"/>{option}'
        f"<worldbody>{text}{close}</worldbody>"
        '<sensor><accelerometer site="tip"/><gyro site="tip"/></sensor></mujoco>'
    )


def agree(pairs):
    """Compare {name: (ours, theirs)}, to 1e-10 of the larger of one and what it should be."""
    for name, (ours, theirs) in pairs.items():
        assert np.max(abs(ours - theirs)) < 1e-10 * max(1, np.max(abs(theirs))), name


def agree_on_urdf(pin, path, tip):
    """Compare our reading of a URDF file with Pinocchio's, all joints off the chain to `tip` locked at zero."""
    arm, tree = rd.Arm.from_urdf(path, tip), pin.buildModelFromUrdf(str(path))
    chain = set(tree.supports[tree.frames[tree.getFrameId(tip)].parentJoint])
    model = pin.buildReducedModel(tree, [k for k in range(1, tree.njoints) if k not in chain], pin.neutral(tree))
    data, (q, qd, qdd) = model.createData(), np.random.default_rng(4).normal(size=(3, arm.n))
    turns = [joint.nq == 2 for joint in model.joints[1:]]  # a continuous joint is (cos, sin) there
    configuration = np.concatenate([[np.cos(x), np.sin(x)] if turn else [x] for x, turn in zip(q, turns)])
    M = np.array(pin.crba(model, data, configuration))
    pin.framesForwardKinematics(model, data, configuration)
    M = np.triu(M) + np.triu(M, 1).T
    pairs = {
        "tip": (rd.point_position(arm, q), data.oMf[model.getFrameId(tip)].translation),
        "mass matrix": (rd.mass_matrix(arm, q), M),
        "gravity": (rd.gravity_torque(arm, q), pin.computeGeneralizedGravity(model, data, configuration).copy()),
        "inverse dynamics": (
            rd.inverse_dynamics(arm, q, qd, qdd),
            pin.rnea(model, data, configuration, qd, qdd).copy(),
        ),
    }
    if np.linalg.matrix_rank(M) == arm.n:  # every joint moves some mass
        pairs["forward dynamics"] = (
            rd.forward_dynamics(arm, q, qd, qdd),
            pin.aba(model, data, configuration, qd, qdd).copy(),
        )
    agree(pairs)


def agree_on_whole_robot(pin, path):
    """Compare our reading of all joints of a URDF file, those that mimic others reduced, with Pinocchio's; return the arm."""
    arm = rd.Arm.from_urdf(path, branches=True)
    model = pin.buildModelFromUrdf(str(path), mimic=True)
    data, (q, qd, qdd) = model.createData(), np.random.default_rng(1).uniform(-1, 1, size=(3, arm.n))
    joints = [model.joints[model.getJointId(name)] for name in arm.joint_names]
    assert model.nv == arm.n
    places = [joint.idx_v for joint in joints]
    configuration, rates, accelerations = np.zeros(model.nq), np.zeros(model.nv), np.zeros(model.nv)
    for joint, x, v, a in zip(joints, q, qd, qdd):
        turned = [np.cos(x), np.sin(x)] if joint.nq == 2 else [x]  # a continuous joint is (cos, sin) there
        configuration[joint.idx_q : joint.idx_q + joint.nq] = turned
        rates[joint.idx_v], accelerations[joint.idx_v] = v, a
    M = np.triu(pin.crba(model, data, configuration))
    M = (M + np.triu(M, 1).T)[np.ix_(places, places)]
    tau = pin.rnea(model, data, configuration, rates, accelerations)[places].copy()
    pairs = {
        "mass matrix": (rd.mass_matrix(arm, q), M),
        "inverse dynamics": (rd.inverse_dynamics(arm, q, qd, qdd), tau),
        "gravity": (rd.gravity_torque(arm, q), pin.computeGeneralizedGravity(model, data, configuration)[places]),
    }
    if np.linalg.cond(M) < 1e6:
        pairs["forward dynamics"] = (rd.forward_dynamics(arm, q, qd, tau), qdd)
    pin.framesForwardKinematics(model, data, configuration)
    for name, frame in arm.frames[:: 1 + len(arm.frames) // 8]:
        place = data.oMf[model.getFrameId(name, pin.FrameType.BODY)]
        R, p = rd.frame_pose(arm, q, frame)
        pairs |= {f"place of {name}": (p, place.translation), f"axes of {name}": (R, place.rotation)}
    agree(pairs)
    return arm
