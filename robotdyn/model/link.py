"""A rigid link, the joint that carries it, and frames on it.  `Link` and `LinkFrame` are checked once, here, and never change."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from functools import cached_property
from numbers import Real
from typing import Any, Self

import numpy as np

from robotdyn.maths.validate import Array, as_array, in_short
from robotdyn.model.checks import as_link_index, check_body, check_frame, check_motor, check_rotation
from robotdyn.model.joints import JOINTS
from robotdyn.model.picture import link_as_html, short_text

# The fields that hold numbers or expressions, and their shapes.
LINK_FIELDS: dict[str, tuple[int, ...]] = {
    "mass": (),
    "com": (3,),
    "inertia": (3, 3),
    "axis": (3,),
    "position": (3,),
    "rotation": (3, 3),
    "pitch": (),
    "motor_inertia": (),
    "frame_position": (3,),
    "frame_rotation": (3, 3),
}

MAGNITUDES = ("velocity", "effort", "damping", "friction")  # the JointProperties that are not negative


class HashableArrays:
    """Equality and hashing for dataclasses that hold arrays, and what holds for all their entries."""

    def _key(self) -> tuple[Any, ...]:
        values = (getattr(self, x.name) for x in fields(self) if x.compare)  # type: ignore[arg-type]
        return tuple((v.shape, *v.flat) if isinstance(v, np.ndarray) else v for v in values)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._key() == other._key()

    @cached_property
    def _hash(self) -> int:
        return hash(self._key())

    def __hash__(self) -> int:
        return self._hash

    def _replace_unchecked(self, **values: Any) -> Self:
        """Return a copy with other values in some fields, which nobody checks."""
        copy = object.__new__(type(self))
        for x in fields(self):  # type: ignore[arg-type]
            set_frozen(copy, x.name, values.get(x.name, getattr(self, x.name)))
        return copy


@dataclass(frozen=True)
class JointProperties:
    """What a file says of a joint besides how it moves: no algorithm looks at it by itself, `Arm.limits` and `Arm.joint_values` give it.

    lower, upper: rad (m), where the joint ends; velocity: rad/s (m/s), effort: N m (N), the most that there is; infinite where
    nobody says;
    damping: N m s/rad (N s/m), of viscous friction; friction: N m (N), of dry friction.
    """

    lower: float = -math.inf
    upper: float = math.inf
    velocity: float = math.inf
    effort: float = math.inf
    damping: float = 0.0
    friction: float = 0.0

    def __post_init__(self) -> None:
        for x in fields(self):
            if not isinstance(value := getattr(self, x.name), Real) or math.isnan(value):
                raise TypeError(f"{x.name} of a joint must be a number, got {in_short(value)}")
        if self.lower > self.upper:
            raise ValueError(
                f"limits of a joint must rise, got lower {self.lower:g} and upper {self.upper:g}: "
                "exchange them, or turn the axis around"
            )
        for name in MAGNITUDES:
            if getattr(self, name) < 0:
                hint = "it is a magnitude" if getattr(JointProperties, name) else "a negative one would feed energy in"
                raise ValueError(f"{name} of a joint must be >= 0, got {getattr(self, name):g}: {hint}")


@dataclass(frozen=True, eq=False, repr=False)
class Link(HashableArrays):
    """One rigid link and the joint that carries it.

    mass: kg, >= 0; com: (3,) m, center of mass in link axes; inertia: (3, 3) kg m^2 about the center of mass, link axes.
    joint: "revolute" turns about `axis`, "prismatic" slides along it, "screw" does both; axis: (3,) unit vector in link
    axes; pitch: m/rad, how far a screw slides along its axis per radian that it turns, for a right-handed thread > 0.
    motor_inertia: kg m^2 (kg at a prismatic joint), >= 0: what the motor's rotor adds to the inertia that this joint
    feels, J_m N^2 for a rotor J_m that a gear lets turn N times as fast as the joint.
    position (3,) m, rotation (3, 3): the joint frame in the parent link frame at q = 0.
    frame_position (3,) m, frame_rotation (3, 3): in link axes, a frame of another description that moves with the link, such
    as that of its row in a Denavit-Hartenberg table: see `Arm.frame`.
    name, joint_name: what a file calls the link and its joint, None where nobody does; links are equal whatever they are called.
    properties: JointProperties, the limits of the joint, its damping and friction; links are equal whatever these are.
    Every entry may be a number or a SymPy expression.
    Raises ValueError or TypeError where no body or no joint can be as given.
    """

    mass: Any
    com: Any = (0, 0, 0)
    inertia: Any = ((0, 0, 0), (0, 0, 0), (0, 0, 0))
    joint: str = "revolute"
    axis: Any = (0, 0, 1)
    position: Any = (0, 0, 0)
    rotation: Any = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    pitch: Any = 0
    motor_inertia: Any = 0
    frame_position: Any = (0, 0, 0)
    frame_rotation: Any = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    name: str | None = field(default=None, compare=False)
    joint_name: str | None = field(default=None, compare=False)
    properties: JointProperties = field(default=JointProperties(), compare=False)

    def __post_init__(self) -> None:
        for key in ("name", "joint_name"):
            if not isinstance(given := getattr(self, key), (str, type(None))):
                raise TypeError(f"{key} must be a word or None, got {in_short(given)}")
        if not isinstance(self.properties, JointProperties):
            raise TypeError(f"properties must be rd.JointProperties, got {in_short(self.properties)}")
        if not isinstance(self.joint, str) or self.joint not in JOINTS:
            words = [f'"{word}"' for word in JOINTS]
            raise ValueError(f"joint must be {', '.join(words[:-1])} or {words[-1]}, got {in_short(self.joint)}")
        for name, shape in LINK_FIELDS.items():
            set_frozen(self, name, read_only(as_array(getattr(self, name), name, shape)))
        if self.pitch != 0 and "pitch" not in JOINTS[self.joint].parameters:
            with_pitch = " or ".join(word for word, kind in JOINTS.items() if "pitch" in kind.parameters)
            raise ValueError(f"pitch must be 0 at a {self.joint} joint, got {self.pitch}: only a {with_pitch} has one")
        check_body(self.mass, self.inertia)
        check_motor(self.motor_inertia)
        check_frame(self.axis, self.rotation)
        check_rotation(self.frame_rotation, "frame_rotation")

    def __repr__(self) -> str:
        return f"<Link{f' {self.name}' * (self.name is not None)}: {self.joint}, mass {short_text(self.mass)} kg>"

    def _repr_html_(self) -> str:
        return link_as_html(self)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """float, or object where any entry is an expression."""
        return dtype_of(getattr(self, name) for name in LINK_FIELDS)


@dataclass(frozen=True, eq=False)
class LinkFrame(HashableArrays):
    """A frame that moves with a link: what takes `link` takes one, too, with points in it and results in its axes.

    link: index, -1 for the last; position: (3,) m, its origin, rotation: (3, 3), its axes, both in link axes.
    Where no point is given, the point is the origin of the frame, on the last link, too, where an index means the tip.
    Raises ValueError or TypeError for what is no index, no point or no rotation.
    """

    link: int
    position: Any = (0, 0, 0)
    rotation: Any = ((1, 0, 0), (0, 1, 0), (0, 0, 1))

    def __post_init__(self) -> None:
        set_frozen(self, "link", as_link_index(self.link))
        set_frozen(self, "position", read_only(as_array(self.position, "position", (3,))))
        set_frozen(self, "rotation", read_only(as_array(self.rotation, "rotation", (3, 3))))
        check_rotation(self.rotation, "rotation")


def set_frozen(instance: object, name: str, value: Any) -> None:
    object.__setattr__(instance, name, value)


def read_only(array: Array) -> Any:
    """Return a copy that cannot be changed; an array without axes as the number or expression in it."""
    array = array.copy()
    array.flags.writeable = False
    return array[()]


def dtype_of(values: Any) -> np.dtype[Any]:
    return np.dtype(object if any(np.asarray(value).dtype == object for value in values) else float)
