"""Arms that readers own or read about: a table of published numbers for each, and where they come from.

A row of bodies holds a mass in kg, a center of mass (x, y, z) in m and the inertia about it (Ixx, Iyy, Izz, Ixy, Ixz,
Iyz) in kg m^2, both in the frame of the link that the source uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from robotdyn.maths.validate import Entries, as_array
from robotdyn.model.arm import Arm
from robotdyn.model.body import Body
from robotdyn.model.link import Link

QUARTER = np.pi / 2

# a, alpha, d, theta of the modified Denavit-Hartenberg convention: the manufacturer's table.
_PANDA_ROWS = (
    (0, 0, 0.333, 0),
    (0, -QUARTER, 0, 0),
    (0, QUARTER, 0.316, 0),
    (0.0825, QUARTER, 0, 0),
    (-0.0825, -QUARTER, 0.384, 0),
    (0, QUARTER, 0, 0),
    (0.088, QUARTER, 0, 0),
)
# Gaz and others, supplementary material, tables VIII and IX.  z of the first center of mass moves no joint and is not
# identified; the value here is that of the manufacturer's own description of the arm (franka_ros, inertial.yaml).
_PANDA_BODIES = (
    (4.970684, 3.875e-3, 2.081e-3, -0.04762, 0.70337, 0.70661, 9.1170e-3, -1.3900e-4, 6.7720e-3, 1.9169e-2),
    (0.646926, -3.141e-3, -2.872e-2, 3.495e-3, 7.9620e-3, 2.8110e-2, 2.5995e-2, -3.9250e-3, 1.0254e-2, 7.0400e-4),
    (3.228604, 2.7518e-2, 3.9252e-2, -6.6502e-2, 3.7242e-2, 3.6155e-2, 1.0830e-2, -4.7610e-3, -1.1396e-2, -1.2805e-2),
    (3.587895, -5.317e-2, 0.104419, 2.7454e-2, 2.5853e-2, 1.9552e-2, 2.8323e-2, 7.7960e-3, -1.3320e-3, 8.6410e-3),
    (1.225946, -1.1953e-2, 4.1065e-2, -3.8437e-2, 3.5549e-2, 2.9474e-2, 8.6270e-3, -2.1170e-3, -4.0370e-3, 2.2900e-4),
    (1.666555, 6.0149e-2, -1.4117e-2, -1.0517e-2, 1.9640e-3, 4.3540e-3, 5.4330e-3, 1.0900e-4, -1.1580e-3, 3.4100e-4),
    (0.735522, 1.0517e-2, -4.252e-3, 6.1597e-2, 1.2516e-2, 1.0027e-2, 4.8150e-3, -4.2800e-4, -1.1960e-3, -7.4100e-4),
)


# where: add a robot
# a table and a function, its name in `__all__` of `robotdyn/model/robots.py`; from a file or a table without one:
# `rd.Arm.from_urdf`, `rd.Arm.from_dh`, `rd.Arm.from_screws`


def panda(gravity: Entries = 9.81) -> Arm:
    """Return the Franka Emika Panda without a hand, as identified: 7 joints, z up, its tip in the middle of the flange.

    gravity: m/s^2.  The frames are those of the modified Denavit-Hartenberg table of the manufacturer.  The
    parameters are bodies that together give the identified torques; single masses need not be those of the links.
    Gaz, Cognetti, Oliva, Robuffo Giordano and De Luca, "Dynamic identification of the Franka Emika Panda robot with
    retrieval of feasible parameters using penalty-based optimization", RA-L 2019.
    """
    return Arm.from_dh(
        _PANDA_ROWS, "modified", *_bodies(_PANDA_BODIES), gravity=_gravity_vector(gravity), tip=(0, 0, 0.107)
    )


# Where each joint frame lies in the one before, m, and its axes x, y, z in axes of that one: the manufacturer's guide.
_GEN3_FRAMES = (
    ((0, 0, 0.15643), "x -y -z"),
    ((0, 0.005375, -0.12838), "x z -y"),
    ((0, -0.21038, -0.006375), "x -z y"),
    ((0, 0.006375, -0.21038), "x z -y"),
    ((0, -0.20843, -0.006375), "x -z y"),
    ((0, 0.00017505, -0.10593), "x z -y"),
    ((0, -0.10593, -0.00017505), "x -z y"),
)
# The same guide.  The last body is the wrist with its camera; in ros_kortex it is turned half around, away from where
# the camera sits, and 0.6 g lighter.
_GEN3_BODIES = (
    (1.3773, -2.3e-5, -0.010364, -0.07336, 0.00457, 0.004831, 0.001409, 1e-6, 2e-6, 4.48e-4),
    (1.1636, -4.4e-5, -0.09958, -0.013278, 0.011088, 0.001072, 0.011255, 5e-6, 0, -6.91e-4),
    (1.1636, -4.4e-5, -0.006641, -0.117892, 0.010932, 0.011127, 0.001043, 0, -7e-6, 6.06e-4),
    (0.9302, -1.8e-5, -0.075478, -0.015006, 0.008147, 6.31e-4, 0.008316, -1e-6, 0, -5e-4),
    (0.6781, 1e-6, -0.009432, -0.063883, 0.001596, 0.001607, 3.99e-4, 0, 0, 2.56e-4),
    (0.6781, 1e-6, -0.045483, -0.00965, 0.001641, 4.1e-4, 0.001641, 0, 0, -2.78e-4),
    (0.5006, -2.81e-4, -0.011402, -0.029798, 5.87e-4, 3.69e-4, 6.09e-4, 3e-6, 3e-6, 1.18e-4),
)


def gen3(gravity: Entries = 9.81) -> Arm:
    """Return the Kinova Gen3 of 7 joints, with its camera and without a hand, z up, its tip at the interface.

    gravity: m/s^2.
    Kinova, "Gen3 ultra lightweight robot: user guide" (UG-014), dynamic parameters of the 7 DoF robot.
    """
    return _arm_of_frames(_GEN3_FRAMES, _GEN3_BODIES, gravity, tip=(0, 0, -0.061525))


# As above: position and axes of each joint frame in the one before.
_IIWA_FRAMES = (
    ((0, 0, 0.1575), "x y z"),
    ((0, 0, 0.2025), "-x z y"),
    ((0, 0.2045, 0), "-x z y"),
    ((0, 0, 0.2155), "x z -y"),
    ((0, 0.1845, 0), "-x z y"),
    ((0, 0, 0.2155), "x z -y"),
    ((0, 0.081, 0), "-x z y"),
)
_IIWA_BODIES = (
    (5.76, 0, -0.03, 0.12, 0.033, 0.0333, 0.0123, 0, 0, 0),
    (6.35, 0.0003, 0.059, 0.042, 0.0305, 0.0304, 0.011, 0, 0, 0),
    (3.5, 0, 0.03, 0.13, 0.025, 0.0238, 0.0076, 0, 0, 0),
    (3.5, 0, 0.067, 0.034, 0.017, 0.0164, 0.006, 0, 0, 0),
    (3.5, 0.0001, 0.021, 0.076, 0.01, 0.0087, 0.00449, 0, 0, 0),
    (1.8, 0, 0.0006, 0.0004, 0.0049, 0.0047, 0.0036, 0, 0, 0),
    (1.2, 0, 0, 0.02, 0.001, 0.001, 0.001, 0, 0, 0),
)


def iiwa14(gravity: Entries = 9.81) -> Arm:
    """Return the KUKA LBR iiwa 14 R820, 7 joints, z up, its tip in the middle of the media flange.

    gravity: m/s^2.  KUKA publishes no dynamic parameters: these are the ones that most simulations of this arm use.
    The robot description of Drake, manipulation/models/iiwa_description, made from iiwa_stack with other masses.
    """
    return _arm_of_frames(_IIWA_FRAMES, _IIWA_BODIES, gravity, tip=(0, 0, 0.045))


# a, alpha, d, theta of the standard convention, masses and centers of mass: the manufacturer's page on kinematics and
# dynamics.  Inertias: its ROS 2 description, which takes the links for cylinders; turned into the frames of the table.
_UR5E_ROWS = (
    (0, QUARTER, 0.1625, 0),
    (-0.425, 0, 0, 0),
    (-0.3922, 0, 0, 0),
    (0, QUARTER, 0.1333, 0),
    (0, -QUARTER, 0.0997, 0),
    (0, 0, 0.0996, 0),
)
_UR5E_BODIES = (
    (3.761, 0, -0.02561, 0.00193, 0.0102675, 0.00666, 0.0102675, 0, 0, 0),
    (8.058, 0.2125, 0, 0.11336, 0.0151074, 0.13388583541666665, 0.13388583541666665, 0, 0, 0),
    (2.846, 0.15, 0, 0.0265, 0.004095, 0.03120936758333333, 0.03120936758333333, 0, 0, 0),
    (1.37, 0, -0.0018, 0.01634, 0.0025599, 0.0021942, 0.0025599, 0, 0, 0),
    (1.3, 0, 0.0018, 0.01634, 0.0025599, 0.0021942, 0.0025599, 0, 0, 0),
    (0.365, 0, 0, -0.001159, 9.890414008333333e-5, 9.890414008333333e-5, 1.321171875e-4, 0, 0, 0),
)


def ur5e(gravity: Entries = 9.81) -> Arm:
    """Return the UR5e of Universal Robots, 6 joints, z up, without a tool, its tip in the middle of the flange.

    It stands in the base of its Denavit-Hartenberg table, as `base` of ROS, whose `base_link` is turned by 180 degrees about z;
    the tip has the axes of the last row, as `tool0`.

    gravity: m/s^2.  The manufacturer prints masses and centers of mass, and calls the inertias negligible; those here
    are cylinders in the place of the links.
    Universal Robots, "DH parameters for calculations of kinematics and dynamics"; Universal_Robots_ROS2_Description,
    config/ur5e/physical_parameters.yaml.
    """
    return Arm.from_dh(_UR5E_ROWS, "standard", *_bodies(_UR5E_BODIES), gravity=_gravity_vector(gravity))


# a, alpha, d, theta of the standard convention: Paul (1972), figure 2.3.  The last frame stays in the wrist.
_STANFORD_ROWS = (
    (0, -QUARTER, 0.412, 0),
    (0, QUARTER, 0.154, 0),
    (0, 0, 0, -QUARTER),
    (0, -QUARTER, 0, 0),
    (0, QUARTER, 0, 0),
    (0, 0, 0, 0),
)
# Paul (1981), tables 6.4 and 6.6, as the Robotics Toolbox for MATLAB prints them (mdl_stanford), in a reading of our
# own.  The toolbox has the centers of mass of links 2 to 6 ten times as far away, 6.4 m for the boom.  Inertias are
# taken about the origins of the frames, as Paul's pseudo-inertias are, and the frame of the hand in the wrist: about its
# center of mass the hand of 0.5 kg would have a radius of gyration of 16 cm, and from the tip it would lie in the air.
_STANFORD_BODIES_ABOUT_ORIGINS = (
    (9.29, 0, 0.0175, -0.1105, 0.276, 0.255, 0.071, 0, 0, 0),
    (5.01, 0, -0.1054, 0, 0.108, 0.018, 0.1, 0, 0, 0),
    (4.25, 0, 0, -0.6447, 2.51, 2.51, 0.006, 0, 0, 0),
    (1.08, 0, 0.0092, -0.0054, 0.002, 0.001, 0.001, 0, 0, 0),
    (0.63, 0, 0, 0.0566, 0.003, 0.003, 4e-4, 0, 0, 0),
    (0.51, 0, 0, 0.1554, 0.013, 0.013, 3e-4, 0, 0, 0),
)


def stanford(gravity: Entries = 9.81) -> Arm:
    """Return the Stanford arm: two revolute joints, a boom that slides, three revolute joints, z up, tip on the hand.

    gravity: m/s^2.  Motors are left out.  The numbers in circulation contradict each other: how they are read here is
    explained beside the table.
    Frames: Paul, Stanford AIM-177, 1972; bodies: Paul, "Robot Manipulators: Mathematics, Programming, and Control",
    MIT Press 1981.
    """
    masses, coms, about_origins = _bodies(_STANFORD_BODIES_ABOUT_ORIGINS)
    inertias = [J - Body(mass, com).about() for mass, com, J in zip(masses, coms, about_origins)]
    joints = ["revolute", "revolute", "prismatic", "revolute", "revolute", "revolute"]
    bodies = masses, coms, inertias
    return Arm.from_dh(_STANFORD_ROWS, "standard", *bodies, joints, gravity=_gravity_vector(gravity), tip=(0, 0, 0.263))


def scara(gravity: Entries = 9.81) -> Arm:
    """Return a SCARA of textbook numbers: two revolute joints, one that slides downward, one that turns the hand, z up.

    gravity: m/s^2.  Its arms are 0.5 m long, 1 m above the ground, 25 kg each with the center of mass halfway and
    5 kg m^2 about it; the hand with its spindle weighs 10 kg, on the axis, and turns 1 kg m^2.  Motors are left out.
    The SCARA manipulator of Siciliano, Sciavicco, Villani and Oriolo (Springer 2009), chapter 2, with the numbers that
    published solutions of course exercises on its control use.
    """
    rows = [(0.5, 0, 1, 0), (0.5, np.pi, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)]
    masses = (25, 25, 10, 0)
    moments = (5, 5, 0, 1)
    coms = [(-0.25, 0, 0), (-0.25, 0, 0), (0, 0, 0), (0, 0, 0)]
    # Every axis is vertical: the moments about the other two are completed to those of flat bodies.
    inertias = [np.diag([I / 2, I / 2, I]) for I in moments]
    joints = ["revolute", "revolute", "prismatic", "revolute"]
    return Arm.from_dh(rows, "standard", masses, coms, inertias, joints, gravity=_gravity_vector(gravity))


def double_pendulum(gravity: Entries = 9.81) -> Arm:
    """Return a double pendulum that was built and measured: y up, axes along z, it hangs at q = 0.

    gravity: m/s^2.  Lengths 0.2 m and 0.3 m; masses, centers of mass and inertias as identified on the real one; the
    rotors of its motors and friction are left out.
    Wiebe, Kumar, Shala, Vyas, Javadi and Kirchner, "Open source dual-purpose Acrobot and Pendubot platform",
    IEEE Robotics & Automation Magazine, 2024; design C.1, model 1.0 of its repository.
    """
    upper = _pendulum_body(0.5234602302310271, 0.2, 0.031887199591513114)
    lower = _pendulum_body(0.6255677234174437, 0.25569305436052964, 0.05086984812807257)
    down = ((0, 1, 0), (-1, 0, 0), (0, 0, 1))
    links = [Link(*upper, rotation=down), Link(*lower, position=(0.2, 0, 0))]
    return Arm(links, (0, -as_array(gravity, "gravity", ())[()], 0), tip=(0.3, 0, 0))


def puma560(gravity: Entries = 9.81) -> Arm:
    """Return the PUMA 560 with the parameters that the literature agrees on (links 1 to 6, standard DH frames, z up).

    Corke and Armstrong-Helouvry, "A search for consensus among model parameters reported for the PUMA 560 robot",
    ICRA 1994; masses and inertias measured by Armstrong, Khatib and Burdick, ICRA 1986.
    Motor inertias are no part of the links: add `diag(PUMA560_MOTOR_INERTIA)` to M to compare with published matrices.
    """
    rows = [
        (0, QUARTER, 0, 0),
        (0.4318, 0, 0, 0),
        (0.0203, -QUARTER, 0.15005, 0),
        (0, QUARTER, 0.4318, 0),
        (0, -QUARTER, 0, 0),
        (0, 0, 0, 0),
    ]
    coms = [(0, 0, 0), (-0.3638, 0.006, 0.2275), (-0.0203, -0.0141, 0.070), (0, 0.019, 0), (0, 0, 0), (0, 0, 0.032)]
    # Of link 1 only Iyy = 0.35 was measured: the rest, which no motion can show, completes it to a body.
    # The measured moments of link 3 (0.066, 0.086, 0.0125) break the triangle inequality by 0.0075.  Link 3 turns
    # about its -y axis, which is parallel to z of link 2: 0.005 about the two other axes moves from link 2 to link 3,
    # and no motion of the arm changes by that.
    shift = 0.005
    inertias = [
        (0.175, 0.35, 0.175),
        (0.13 - shift, 0.524 - shift, 0.539),
        (0.066 + shift, 0.086, 0.0125 + shift),
        (1.8e-3, 1.3e-3, 1.8e-3),
        (0.3e-3, 0.4e-3, 0.3e-3),
        (0.15e-3, 0.15e-3, 0.04e-3),
    ]
    masses = [0, 17.4, 4.8, 0.82, 0.34, 0.09]
    matrices = [np.diag(moments) for moments in inertias]
    return Arm.from_dh(rows, "standard", masses, coms, matrices, gravity=_gravity_vector(gravity))


# Gear ratio squared times rotor inertia, kg m^2, joints 1 to 6: Corke and Armstrong-Helouvry (1994).
PUMA560_MOTOR_INERTIA: tuple[float, ...] = tuple(
    ratio**2 * rotor
    for ratio, rotor in zip((62.6111, 107.815, 53.7063, 76.0364, 71.923, 76.686), (2e-4,) * 3 + (3.3e-5,) * 3)
)


def _arm_of_frames(frames: Iterable[Any], bodies: Sequence[Sequence[float]], gravity: Entries, tip: Entries) -> Arm:
    """Return the arm of joints about z with frames (position, axes by name) in the link before."""
    parts = zip(*_bodies(bodies), frames)
    links = [Link(m, c, I, position=p, rotation=_rotation_of_axes(words)) for m, c, I, (p, words) in parts]
    return Arm(links, _gravity_vector(gravity), tip)


def _bodies(rows: Sequence[Sequence[float]]) -> tuple[list[float], list[Sequence[float]], list[np.ndarray]]:
    """Return masses, centers of mass and inertia matrices of rows of bodies."""
    matrices = [np.array([(xx, xy, xz), (xy, yy, yz), (xz, yz, zz)]) for *_, xx, yy, zz, xy, xz, yz in rows]
    return [row[0] for row in rows], [row[1:4] for row in rows], matrices


def _gravity_vector(gravity: Entries) -> tuple[Any, ...]:
    """Return the acceleration of free fall, z up."""
    return 0, 0, -as_array(gravity, "gravity", ())[()]


def _rotation_of_axes(words: str) -> np.ndarray:
    """Return the rotation whose columns are axes by name, such as "-x z y"."""
    return np.transpose(
        [np.array([word[-1] == axis for axis in "xyz"]) * (-1) ** ("-" in word) for word in words.split()]
    )


def _pendulum_body(mass: float, com: float, about_joint: float) -> tuple[float, tuple[float, int, int], np.ndarray]:
    """Return mass, com and inertia of a flat body along x whose inertia is known about its joint."""
    I = about_joint - mass * com**2
    return mass, (com, 0, 0), np.diag([I / 2, I / 2, I])
