"""A serial arm is data: links, gravity and a tip.  `Link` and `Arm` are checked once, here, and never change."""

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from robotdyn.maths.validate import as_array, is_symbolic
from robotdyn.model.joints import JOINTS


class _Frozen:
    """Equality and hashing for dataclasses that hold arrays."""

    def _key(self):
        values = (getattr(self, field.name) for field in fields(self))
        return tuple((v.shape, *v.flat) if isinstance(v, np.ndarray) else v for v in values)

    def __eq__(self, other):
        return type(self) is type(other) and self._key() == other._key()

    @cached_property
    def _hash(self):
        return hash(self._key())

    def __hash__(self):
        return self._hash


@dataclass(frozen=True, eq=False)
class Link(_Frozen):
    """One rigid link and the joint that carries it.

    mass: kg, >= 0; com: (3,) m, center of mass in link axes; inertia: (3, 3) kg m^2 about the center of mass, link axes.
    joint: "revolute" turns about `axis`, "prismatic" slides along it, "screw" does both; axis: (3,) unit vector in link
    axes; pitch: m/rad, how far a screw slides along its axis per radian that it turns, for a right-handed thread > 0.
    position (3,) m, rotation (3, 3): the joint frame in the parent link frame at q = 0.
    Every entry may be a number or a SymPy expression.
    Raises ValueError or TypeError where no body or no joint can be as told.
    """

    mass: object
    com: object = (0, 0, 0)
    inertia: object = ((0, 0, 0), (0, 0, 0), (0, 0, 0))
    joint: str = "revolute"
    axis: object = (0, 0, 1)
    position: object = (0, 0, 0)
    rotation: object = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    pitch: object = 0

    def __post_init__(self):
        if not isinstance(self.joint, str) or self.joint not in JOINTS:
            words = [f'"{word}"' for word in JOINTS]
            raise ValueError(f"joint must be {', '.join(words[:-1])} or {words[-1]}, got {self.joint!r}")
        _set(self, "mass", as_array(self.mass, "mass", ())[()])
        _set(self, "pitch", as_array(self.pitch, "pitch", ())[()])
        for name, shape in (
            ("com", (3,)),
            ("inertia", (3, 3)),
            ("axis", (3,)),
            ("position", (3,)),
            ("rotation", (3, 3)),
        ):
            _set(self, name, _read_only(as_array(getattr(self, name), name, shape)))
        if self.pitch != 0 and "pitch" not in JOINTS[self.joint].parameters:
            raise ValueError(f"pitch must be 0 at a {self.joint} joint, got {self.pitch}: only a screw has one")
        _check_body(self.mass, self.inertia)
        _check_frame(self.axis, self.rotation)

    @cached_property
    def dtype(self):
        """float, or object where any entry is an expression."""
        entries = (getattr(self, field.name) for field in fields(self))
        return np.dtype(object if any(is_symbolic(entry) for entry in entries) else float)


@dataclass(frozen=True, eq=False)
class Arm(_Frozen):
    """A serial chain of links on a fixed base.

    links: sequence of Link, base first; gravity: (3,) m/s^2, the acceleration of free fall in base axes;
    tip: (3,) m, a point of the last link in its axes.
    Raises ValueError or TypeError for no links, for what is no Link, and for a wrong shape or value.
    """

    links: tuple
    gravity: object = (0, 0, -9.81)
    tip: object = (0, 0, 0)

    def __post_init__(self):
        links = tuple(self.links) if isinstance(self.links, (list, tuple)) else (self.links,)
        if not links:
            raise ValueError("an arm must have at least one link, got none")
        for number, link in enumerate(links, start=1):
            if not isinstance(link, Link):
                raise TypeError(f"links must hold Link objects, got {type(link).__name__} as link {number}")
        _set(self, "links", links)
        for name in ("gravity", "tip"):
            _set(self, name, _read_only(as_array(getattr(self, name), name, (3,))))

    @property
    def n(self):
        """The number of joints."""
        return len(self.links)

    @cached_property
    def dtype(self):
        """float, or object where any entry of the arm is an expression."""
        symbolic = (
            is_symbolic(self.gravity) or is_symbolic(self.tip) or any(link.dtype == object for link in self.links)
        )
        return np.dtype(object if symbolic else float)

    @classmethod
    def from_dh(cls, rows, convention="standard", masses=None, coms=None, inertias=None, joints=None, pitches=None,
                **arm):  # fmt: skip
        """Return the arm of a Denavit-Hartenberg table.

        rows: (n, 4), one row (a, alpha, d, theta) a joint, m and rad; a revolute joint adds q to theta, a prismatic one
        to d, a screw q to theta and its pitch times q to d.  convention: "standard" (Denavit and Hartenberg 1955; Spong) or "modified" (Craig).
        masses (n,) kg, coms (n, 3) m, inertias (n, 3, 3) kg m^2 about the centers of mass, all in the frames of the
        table; default: no mass.  joints: n words, default all "revolute"; pitches: (n,) m/rad of those that are
        screws, 0 elsewhere.
        arm: gravity and tip, as for Arm; tip is a point in the last frame of the table.
        """
        from robotdyn.model.dh import arm_from_dh

        return arm_from_dh(rows, convention, masses, coms, inertias, joints, pitches, **arm)

    @classmethod
    def from_urdf(cls, path, tip=None, gravity=(0, 0, -9.81)):
        """Return the arm of a URDF file: the chain from its root link to the link named `tip` (default: the only leaf).

        Links behind fixed joints become part of the link that carries them; branches off the chain ride along, their
        joints locked at zero; what is fixed to the root does not move.  The arm's tip is the origin of the tip link.
        Limits, damping, meshes and transmissions are not read.
        Raises ValueError where the file is no tree or has no such chain, for a joint of another type or one that mimics
        another, and for a moving body that cannot be.
        """
        from robotdyn.model.urdf import arm_from_urdf

        return arm_from_urdf(path, tip, gravity)


def _set(instance, name, value):
    object.__setattr__(instance, name, value)


def _read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


def _check_body(mass, inertia):
    """Refuse what no rigid body can have."""
    if not is_symbolic(mass) and mass < 0:
        raise ValueError(f"mass must be >= 0 kg, got {mass}")
    if is_symbolic(mass) and mass.is_negative:
        raise ValueError(f"mass must be >= 0 kg, got {mass}: declare its symbol with positive=True")
    numbers = _numbers(inertia)
    size = abs(numbers).max()
    if abs(numbers - numbers.T).max() > 1e-9 * size:
        raise ValueError(f"inertia must be symmetric, got {inertia.tolist()}")
    if is_symbolic(inertia):
        return  # symbols stand for values that are still to come
    smallest, middle, largest = np.linalg.eigvalsh(numbers)
    if smallest < -1e-9 * size:
        raise ValueError(
            f"inertia must have principal moments >= 0, got {smallest:.6g}: is it about the center of mass?"
        )
    if largest > smallest + middle + 1e-9 * size:
        raise ValueError(
            "inertia must obey the triangle inequality (no principal moment above the sum of the other two), "
            f"got {smallest:.6g}, {middle:.6g}, {largest:.6g}: "
            "a flat body has moments a, b and a + b; a planar arm may give each link (I/2, I/2, I)"
        )


def _check_frame(axis, rotation):
    """Refuse an axis that is no unit vector and a rotation that is no rotation; symbols are tried at one point."""
    length = np.linalg.norm(_numbers(axis))
    if abs(length - 1) > 1e-9:
        hint = "a joint needs a direction" if length == 0 else "divide it by its length"
        raise ValueError(f"axis must be a unit vector, got length {length:.6g}: {hint}")
    R = _numbers(rotation)
    if abs(R.T @ R - np.eye(3)).max() > 1e-9 or np.linalg.det(R) < 0:
        raise ValueError(
            "rotation must be a rotation matrix (R^T R = 1, det R = +1), got one with "
            f"|R^T R - 1| = {abs(R.T @ R - np.eye(3)).max():.2g} and det R = {np.linalg.det(R):.6g}"
        )


def _numbers(array):
    if not is_symbolic(array):
        return array.astype(float)
    symbols = sorted(set().union(*(getattr(x, "free_symbols", set()) for x in array.flat)), key=str)
    point = {symbol: 0.37 + 0.11 * k for k, symbol in enumerate(symbols)}
    return np.array([float(x.subs(point)) if hasattr(x, "subs") else float(x) for x in array.flat]).reshape(array.shape)
