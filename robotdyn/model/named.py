"""Arms that readers own or read about: a table of published numbers for each, and where they come from.

A row of bodies holds a mass in kg, a center of mass (x, y, z) in m and the inertia about it (Ixx, Iyy, Izz, Ixy, Ixz,
Iyz) in kg m^2, both in the frame of the link that the source uses.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from robotdyn.maths.validate import Entries, as_array
from robotdyn.model.arm import Arm

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


def panda(gravity: Entries = 9.81) -> Arm:
    """Return the Franka Emika Panda without a hand, as identified: 7 joints, z up, its tip in the middle of the flange.

    gravity: m/s^2.  The frames are those of the modified Denavit-Hartenberg table of the manufacturer.  The
    parameters are bodies that together give the identified torques; single masses need not be those of the links.
    Gaz, Cognetti, Oliva, Robuffo Giordano and De Luca, "Dynamic identification of the Franka Emika Panda robot with
    retrieval of feasible parameters using penalty-based optimization", RA-L 2019.
    """
    return Arm.from_dh(_PANDA_ROWS, "modified", *_bodies(_PANDA_BODIES), gravity=_down(gravity), tip=(0, 0, 0.107))


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
    return Arm.from_dh(rows, "standard", masses, coms, matrices, gravity=_down(gravity))


# Gear ratio squared times rotor inertia, kg m^2, joints 1 to 6: Corke and Armstrong-Helouvry (1994).
PUMA560_MOTOR_INERTIA: tuple[float, ...] = tuple(
    ratio**2 * rotor
    for ratio, rotor in zip((62.6111, 107.815, 53.7063, 76.0364, 71.923, 76.686), (2e-4,) * 3 + (3.3e-5,) * 3)
)


def _bodies(rows: Sequence[Sequence[float]]) -> tuple[list[float], list[Sequence[float]], list[np.ndarray]]:
    """Return masses, centers of mass and inertia matrices of rows of bodies."""
    matrices = [np.array([(xx, xy, xz), (xy, yy, yz), (xz, yz, zz)]) for *_, xx, yy, zz, xy, xz, yz in rows]
    return [row[0] for row in rows], [row[1:4] for row in rows], matrices


def _down(gravity: Entries) -> tuple[Any, ...]:
    """Return the acceleration of free fall, z up."""
    return 0, 0, -as_array(gravity, "gravity", ())[()]
