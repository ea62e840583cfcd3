"""The same arm as a model of a peer: tests and benchmarks compare robotdyn with it.  Nothing here imports a peer by itself."""

from importlib.metadata import PackageNotFoundError, files

import numpy as np


def carried(package, name):
    """The path of a file, by its name, that a package carries; the test is skipped where the package is missing."""
    try:
        return next(path.locate() for path in files(package) if path.name == name)
    except PackageNotFoundError:
        import pytest

        pytest.skip(f"{package} is missing: pip install robotdyn[peers]")


def pinocchio_model(pin, arm):
    """The same arm as a Pinocchio model, with its tip as a frame."""
    model = pin.Model()
    model.gravity.linear = np.array(arm.gravity)
    kinds = {
        "revolute": lambda link: pin.JointModelRevoluteUnaligned(np.array(link.axis)),
        "prismatic": lambda link: pin.JointModelPrismaticUnaligned(np.array(link.axis)),
        "screw": lambda link: pin.JointModelHelicalUnaligned(np.array(link.axis), float(link.pitch)),
    }
    last = 0
    for number, link in enumerate(arm.links):
        place = pin.SE3(np.array(link.rotation), np.array(link.position))
        last = model.addJoint(last, kinds[link.joint](link), place, f"joint{number}")
        body = pin.Inertia(float(link.mass), np.array(link.com), np.array(link.inertia))
        model.appendBodyToJoint(last, body, pin.SE3.Identity())
    model.armature = np.array([float(link.motor_inertia) for link in arm.links])
    model.addFrame(pin.Frame("tip", last, pin.SE3(np.eye(3), np.array(arm.tip)), pin.FrameType.OP_FRAME))
    return model


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
