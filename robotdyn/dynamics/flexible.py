"""An arm with flexible joints: a spring and a damper between each motor and its link,

    M(q) qdd + C(q, qd) qd + g(q) = k (theta - q) + b (theta_d - qd) = e,      J theta_dd = tau - e,

where q (n,) are the coordinates of the links, theta (n,) those of the motors, seen through their gears, and J (n,) is
the field `motor_inertia` of the links.  Of the rotors' motion only the turning about their own axes counts.
Spong (1987), "Modeling and control of elastic joint robots"; chapter "joints".
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from robotdyn.dynamics import forces
from robotdyn.dynamics.recursive import forward_dynamics
from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.namespace import namespace
from robotdyn.maths.validate import Array, Entries, Floats, as_array, as_numbers, joint_count
from robotdyn.model.arm import Arm
from robotdyn.model.link import Link

__all__ = ["accelerations", "coordinates", "doubled", "joint_springs", "split"]
offer_public_names(__name__)


def accelerations(
    arm: Arm,
    k: Entries,
    q: Entries,
    qd: Entries,
    theta: Entries,
    theta_d: Entries,
    tau: Entries,
    b: Entries = 0,
) -> tuple[Array, Array]:
    """Return the accelerations of the links and of the motors, (n,) rad/s^2 (m/s^2) each.

    k: N m/rad (N/m), b: N m s/rad (N s/m), numbers or (n,): the springs and dampers in the joints;
    tau: (n,) N m (N), the motors', behind their gears.  Numbers or symbols.
    Raises ValueError where a motor has no inertia.  Spong (1987), equations 4 and 5.
    """
    rotors = _checked_rotors(arm)
    q, qd, theta, theta_d, tau = (
        as_array(x, name, (arm.n,))
        for x, name in ((q, "q"), (qd, "qd"), (theta, "theta"), (theta_d, "theta_d"), (tau, "tau"))
    )
    elastic = _per_joint(k, "k", arm.n) * (theta - q) + _per_joint(b, "b", arm.n) * (theta_d - qd)
    return forward_dynamics(_without_motors(arm), q, qd, elastic), (tau - elastic) / rotors


def doubled(arm: Arm) -> Arm:
    """Return the same as an arm of 2n joints, for `rd.simulate` and all else: each joint in two parts, one after another.

    The first part turns with the motor, by theta_i, and carries nothing but the rotor; the second, by q_i - theta_i, is
    the deflection of the spring, which `joint_springs` puts in.  Its rates and energies are those of the flexible arm.
    Raises ValueError where a motor has no inertia.
    """
    _checked_rotors(arm)
    links: list[Link] = []
    parents: list[int] = []
    for link, parent in zip(arm.links, arm.parents):
        parents += [2 * parent + 1, len(links)]
        rotor = replace(link, mass=0, com=(0, 0, 0), inertia=np.zeros((3, 3)))
        links += [rotor, replace(link, position=(0, 0, 0), rotation=np.eye(3), motor_inertia=0)]
    frames = {name: replace(frame, link=2 * frame.link + 1) for name, frame in arm.frames}
    return replace(arm, links=links, parents=parents, frames=frames)


def joint_springs(k: Entries, b: Entries = 0) -> forces.Law:
    """Return the law of the springs and dampers in the joints of a `doubled` arm, to give to `rd.simulate`.

    k, b: (n,) as in `accelerations`, one entry for each joint of the arm that was doubled.
    """
    k = as_numbers(k, "k", (...,))
    if k.ndim != 1:
        raise ValueError(f"k must have shape (n,), one entry for each joint, got {k.shape}")
    b = np.broadcast_to(as_numbers(_per_joint(b, "b", len(k)), "b", (...,)), k.shape)
    on_springs = lambda x: np.stack([0 * x, x], axis=1).ravel()
    return forces.total(forces.spring(on_springs(k)), forces.viscous(on_springs(b)))


def coordinates(q: Entries, theta: Entries) -> Floats:
    """Return the coordinates (..., 2n) of a `doubled` arm from those of links and motors; the same for rates."""
    q = as_numbers(q, "q", (...,))
    theta = as_numbers(theta, "theta", (...,))
    if q.shape != theta.shape:
        raise ValueError(f"q and theta must have one shape, got {q.shape} and {theta.shape}")
    return np.stack([theta, q - theta], axis=-1).reshape(*q.shape[:-1], -1)


def split(x: Entries) -> tuple[Floats, Floats]:
    """Return the coordinates of the links and of the motors, (..., n) each, from those of a `doubled` arm (..., 2n)."""
    x = as_numbers(x, "x", (...,))
    if x.ndim == 0 or x.shape[-1] % 2:
        raise ValueError(f"x must hold two entries for each joint, got shape {x.shape}")
    return x[..., ::2] + x[..., 1::2], x[..., ::2]


def _checked_rotors(arm: Arm) -> Array:
    """Return the inertias (n,) of the motors, all above zero."""
    joint_count(arm)
    if arm.coupling is not None:
        raise ValueError(
            "a flexible arm must have joints that are free, got coupled ones: say which spring is where with arm.uncoupled"
        )
    rotors = [link.motor_inertia for link in arm.links]
    for number, rotor in enumerate(rotors, start=1):
        if rotor == 0:
            raise ValueError(
                f"every flexible joint must have motor_inertia > 0, got 0 at joint {number}: without it nothing tells "
                "how fast the motor's side of the spring moves"
            )
    xp = namespace(arm)
    return xp.stack([xp.array(rotor) for rotor in rotors])


def _per_joint(x: Entries, name: str, n: int) -> Array:
    """Return one number or expression for all joints, (), or one for each, (n,)."""
    x = as_array(x, name, (...,))
    if x.ndim and x.shape != (n,):
        shown = len(x) if x.ndim == 1 else f"shape {x.shape}"
        raise ValueError(f"{name} must be a number or have one entry for each of the {n} joints, got {shown}")
    if x.dtype != object and (x < 0).any():
        raise ValueError(f"{name} must be >= 0, got {x.tolist()}: a negative one would feed energy in")
    return x


def _without_motors(arm: Arm) -> Arm:
    return replace(arm, links=[replace(link, motor_inertia=0) for link in arm.links])
