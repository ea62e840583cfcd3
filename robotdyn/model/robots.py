"""Arms by name:  the ones of the chapters, random ones for tests, and those of `named`, which one can buy."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np

from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.validate import Array, Entries, as_array, in_short
from robotdyn.model.arm import Arm
from robotdyn.model.joints import JOINTS
from robotdyn.model.link import Link
from robotdyn.model.named import (
    PUMA560_MOTOR_INERTIA,
    double_pendulum,
    gen3,
    iiwa14,
    panda,
    puma560,
    scara,
    stanford,
    ur5e,
)

__all__ = [
    "PUMA560_MOTOR_INERTIA",
    "double_pendulum",
    "gen3",
    "iiwa14",
    "panda",
    "planar",
    "puma560",
    "random_arm",
    "rp",
    "scara",
    "stanford",
    "two_link",
    "uniform_two_link",
    "ur5e",
]
offer_public_names(__name__)


def planar(
    lengths: int | Entries = 2,
    masses: Entries = None,
    coms: Entries = None,
    inertias: Entries = None,
    gravity: Entries = None,
    symbolic: bool = False,
) -> Arm:
    """Return the n-link planar arm: y up, joints about z, relative angles from the x axis, links along their x axes.

    lengths: (n,) m, or the number of links: then each is 1 m;
    masses: (n,) kg, default 1;
    coms: (n,) m along each link, or (n, 2) m, default the link ends;
    inertias: (n,) kg m^2 about the centers of mass, default 0 (point masses at the link ends);
    gravity: m/s^2, pulling along -y, default 9.81.
    symbolic=True: l_i, m_i and g, where they are not given, are positive symbols.
    The N-link chapter; Calinon, "A Math Cookbook for Robot Manipulation" (RCFS), section 8.
    """
    counted = isinstance(lengths, Integral)
    n = int(lengths) if counted else _count(lengths, "lengths")
    if n < 1:
        raise ValueError(f"a planar arm must have at least one link, got {n}")
    lengths = _given_or_default(None if counted else lengths, [1.0] * n, symbolic, "l", n)
    masses = _given_or_default(masses, [1.0] * n, symbolic, "m", n)
    gravity = _given_or_default(gravity, 9.81, symbolic, "g")
    coms = lengths if coms is None else coms
    inertias = [0] * n if inertias is None else inertias
    _check_same_length(lengths=lengths, masses=masses, coms=coms, inertias=inertias)
    lengths, masses, inertias = _numbers(n, lengths=lengths, masses=masses, inertias=inertias)
    bodies = zip(masses, map(_planar_point, coms), map(_lamina, inertias), [0, *lengths])
    links = [Link(mass, com, inertia, position=(before, 0, 0)) for mass, com, inertia, before in bodies]
    return Arm(links, _gravity_vector(gravity), tip=(lengths[-1], 0, 0))


def two_link(
    lengths: Entries = None,
    masses: Entries = None,
    coms: Entries = None,
    inertias: Entries = None,
    gravity: Entries = None,
    symbolic: bool = False,
) -> Arm:
    """Return the planar 2R arm: lengths (2,) m, masses (2,) kg, default 1; gravity: m/s^2 along -y, default 9.81.

    coms: (2,) m along each link, or (2, 2) m, default mid-link;
    inertias: (2,) kg m^2 about the centers of mass, default those of uniform rods, m l^2 / 12.
    symbolic=True: l_1, l_2, m_1, m_2, l_c1, l_c2, I_1, I_2 and g, where not given, are positive symbols.
    The 2R chapter.
    """
    lengths = _given_or_default(lengths, [1.0] * 2, symbolic, "l", 2)
    masses = _given_or_default(masses, [1.0] * 2, symbolic, "m", 2)
    lengths, masses = _numbers(2, lengths=lengths, masses=masses)
    coms = _given_or_default(coms, [length / 2 for length in lengths], symbolic, "l_c", 2)
    inertias = _given_or_default(inertias, [m * length**2 / 12 for m, length in zip(masses, lengths)], symbolic, "I", 2)
    return planar(lengths, masses, coms, inertias, gravity, symbolic)


def uniform_two_link(
    length: Entries = None, masses: Entries = None, gravity: Entries = None, symbolic: bool = False
) -> Arm:
    """Return the 2R arm of two uniform rods of one length (m, default 1), centers of mass at mid-link.

    masses: (2,) kg, default 1;
    gravity: m/s^2 along -y, default 9.81.
    symbolic=True: l, m_1, m_2 and g, where not given, are positive symbols.  The 2R chapter.
    """
    length = as_array(_given_or_default(length, 1.0, symbolic, "l"), "length", ())[()]
    (masses,) = _numbers(2, masses=_given_or_default(masses, [1.0] * 2, symbolic, "m", 2))
    inertias = [m * length**2 / 12 for m in masses]
    return planar([length] * 2, masses, [length / 2] * 2, inertias, gravity, symbolic)


def rp(
    masses: Entries = None,
    com1: Entries = None,
    com2: Entries = None,
    inertias: Entries = None,
    gravity: Entries = None,
    symbolic: bool = False,
) -> Arm:
    """Return the planar RP arm: q = (theta, r), theta from the x axis, y up, the second link slides along the first.

    masses: (2,) kg, default 1;
    com1: (x, y) m in the frame that turns, default (0.5, 0);
    com2: (x, y) m in the frame that slides, whose origin is at distance r, default (0, 0);
    inertias: (2,) kg m^2 about the centers of mass, default 0.1;
    gravity: m/s^2 along -y, default 9.81; the tip is the origin of the sliding frame.
    symbolic=True: m_1, m_2, c_1x, c_1y, c_2x, c_2y, I_1, I_2 and g, where not given, are symbols.  The RP chapter.
    """
    masses = _given_or_default(masses, [1.0] * 2, symbolic, "m", 2)
    inertias = _given_or_default(inertias, [0.1] * 2, symbolic, "I", 2)
    com1 = _given_or_default(com1, (0.5, 0), symbolic, "c_1", "xy")
    com2 = _given_or_default(com2, (0, 0), symbolic, "c_2", "xy")
    _check_same_length(masses=masses, com1=com1, com2=com2, inertias=inertias)
    masses, com1, com2, inertias = _numbers(2, masses=masses, com1=com1, com2=com2, inertias=inertias)
    links = [
        Link(masses[0], _planar_point(com1), _lamina(inertias[0])),
        Link(masses[1], _planar_point(com2), _lamina(inertias[1]), joint="prismatic", axis=(1, 0, 0)),
    ]
    return Arm(links, _gravity_vector(_given_or_default(gravity, 9.81, symbolic, "g")))


def random_arm(rng: np.random.Generator, n: int, joints: Sequence[str] | None = None) -> Arm:
    """Return an arm of n links with random joints, frames and bodies, for tests; rng: numpy.random.Generator.

    joints: n words, default revolute or prismatic at random; a screw has a random pitch.  Inertias are those of random
    clouds of points.
    """
    if n < 1 or n % 1:
        raise ValueError(f"n must be a whole number of links, at least 1, got {in_short(n)}")
    n = int(n)
    if joints is not None and (len(joints) != n or not set(joints) <= set(JOINTS)):
        raise ValueError(f"joints must hold n = {n} words among {', '.join(JOINTS)}, got {in_short(joints)}")
    links = []
    for i in range(n):
        points = rng.normal(size=(5, 3)) * 0.3
        weights = rng.uniform(0.1, 1.0, size=5)
        com = weights @ points / weights.sum()
        offsets = points - com
        inertia = sum(w * (d @ d * np.eye(3) - np.outer(d, d)) for w, d in zip(weights, offsets))
        axis = rng.normal(size=3)
        joint = joints[i] if joints is not None else ("revolute", "prismatic")[int(rng.integers(2))]
        rotation, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        rotation = rotation * np.sign(np.linalg.det(rotation))
        position = rng.normal(size=3) * 0.5
        pitch = rng.normal() * 0.3 if "pitch" in JOINTS[joint].parameters else 0
        axis = axis / np.linalg.norm(axis)
        links.append(Link(weights.sum(), com, inertia, joint, axis, position, rotation, pitch))
    return Arm(links, gravity=rng.normal(size=3) * 5, tip=rng.normal(size=3) * 0.5)


def _planar_point(com: Any) -> tuple[Any, ...]:
    """A distance along the link, or (x, y), as a point (x, y, 0)."""
    return (*as_array(com, "com", (2,)), 0) if hasattr(com, "__len__") else (com, 0, 0)


def _lamina(inertia: Any) -> tuple[tuple[Any, ...], ...]:
    """The inertia matrix of a flat body with the moment `inertia` about z; in the plane only that moment acts."""
    return ((inertia / 2, 0, 0), (0, inertia / 2, 0), (0, 0, inertia))


def _gravity_vector(gravity: Any) -> tuple[Any, ...]:
    """The acceleration of free fall of a planar arm, y up."""
    return (0, -as_array(gravity, "gravity", ())[()], 0)


def _count(x: Any, name: str) -> int:
    if isinstance(x, str) or not hasattr(x, "__len__"):
        raise TypeError(f"{name} must hold one entry for each link, got {in_short(x)}")
    return len(x)


def _check_same_length(**lists: Any) -> None:
    (first, values), *others = lists.items()
    count = _count(values, first)
    for name, more in others:
        if _count(more, name) != count:
            raise ValueError(f"{name} must have as many entries as {first} ({count}), got {len(more)}")


def _numbers(n: int, **lists: Any) -> list[Array]:
    """Return each list as an array of n numbers or expressions."""
    return [as_array(values, name, (n,)) for name, values in lists.items()]


def _given_or_default(given: Any, numbers: Any, symbolic: bool, letter: str, entries: int | str | None = None) -> Any:
    """Return what is given, else symbols if they are asked for, else the numbers."""
    if given is not None or not symbolic:
        return numbers if given is None else given
    from sympy import Symbol

    if entries is None:
        return Symbol(letter, positive=True)
    if isinstance(entries, str):
        return [Symbol(letter + axis, real=True) for axis in entries]
    separator = "" if letter == "l_c" else "_"
    return [Symbol(f"{letter}{separator}{i}", positive=True) for i in range(1, entries + 1)]
