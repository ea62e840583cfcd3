"""A serial arm is data: links, gravity and a tip.  `Link` and `Arm` are checked once, here, and never change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from os import PathLike
from typing import IO, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.maths.namespace import map_entries
from robotdyn.maths.validate import Array, Entries, as_array
from robotdyn.model.body import Body
from robotdyn.model.checks import as_link_index, check_body, check_frame, check_motor, check_rotation
from robotdyn.model.dh import links_of_table
from robotdyn.model.joints import JOINTS
from robotdyn.model.locked import held_values, locked_links
from robotdyn.model.picture import arm_as_html, link_as_html, short_text
from robotdyn.model.screws import links_of_screws
from robotdyn.model.urdf import links_of_urdf
from robotdyn.model.urdf_text import listed

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
ARM_FIELDS: dict[str, tuple[int, ...]] = {"gravity": (3,), "tip": (3,), "tip_rotation": (3, 3)}


class _HashableArrays:
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
            _set_frozen(copy, x.name, values.get(x.name, getattr(self, x.name)))
        return copy


@dataclass(frozen=True, eq=False, repr=False)
class Link(_HashableArrays):
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

    def __post_init__(self) -> None:
        for key in ("name", "joint_name"):
            if not isinstance(given := getattr(self, key), (str, type(None))):
                raise TypeError(f"{key} must be a word or None, got {given!r}")
        if not isinstance(self.joint, str) or self.joint not in JOINTS:
            words = [f'"{word}"' for word in JOINTS]
            raise ValueError(f"joint must be {', '.join(words[:-1])} or {words[-1]}, got {self.joint!r}")
        for name, shape in LINK_FIELDS.items():
            _set_frozen(self, name, _read_only(as_array(getattr(self, name), name, shape)))
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
        return _dtype(getattr(self, name) for name in LINK_FIELDS)


@dataclass(frozen=True, eq=False)
class LinkFrame(_HashableArrays):
    """A frame that moves with a link: what takes `link` takes one, too, with points in it and results in its axes.

    link: index, -1 for the last; position: (3,) m, its origin, rotation: (3, 3), its axes, both in link axes.
    Where no point is given, the point is the origin of the frame, on the last link, too, where an index means the tip.
    Raises ValueError or TypeError for what is no index, no point or no rotation.
    """

    link: int
    position: Any = (0, 0, 0)
    rotation: Any = ((1, 0, 0), (0, 1, 0), (0, 0, 1))

    def __post_init__(self) -> None:
        _set_frozen(self, "link", as_link_index(self.link))
        _set_frozen(self, "position", _read_only(as_array(self.position, "position", (3,))))
        _set_frozen(self, "rotation", _read_only(as_array(self.rotation, "rotation", (3, 3))))
        check_rotation(self.rotation, "rotation")


@dataclass(frozen=True, eq=False, repr=False)
class Arm(_HashableArrays):
    """A serial chain of links on a fixed base.

    links: sequence of Link, base first; gravity: (3,) m/s^2, the acceleration of free fall in base axes;
    tip: (3,) m, a point of the last link in its axes, the origin of the tip frame; tip_rotation: (3, 3), the axes of the tip
    frame in those of the last link: a tool, a hand, the last frame of a table.
    Raises ValueError or TypeError for no links, for what is no Link, and for a wrong shape or value.
    """

    links: Sequence[Link]
    gravity: Any = (0, 0, -9.81)
    tip: Any = (0, 0, 0)
    tip_rotation: Any = ((1, 0, 0), (0, 1, 0), (0, 0, 1))

    def __post_init__(self) -> None:
        links = tuple(self.links) if isinstance(self.links, (list, tuple)) else (self.links,)
        if not links:
            raise ValueError("an arm must have at least one link, got none")
        for number, link in enumerate(links, start=1):
            if not isinstance(link, Link):
                raise TypeError(f"links must hold Link objects, got {type(link).__name__} as link {number}")
        _set_frozen(self, "links", links)
        if not hasattr(self.gravity, "__len__"):
            raise ValueError(
                f"gravity must be a vector (3,) in base axes, got {self.gravity!r}: (0, 0, -9.81) where the base's z axis points up"
            )
        for name, shape in ARM_FIELDS.items():
            _set_frozen(self, name, _read_only(as_array(getattr(self, name), name, shape)))
        check_rotation(self.tip_rotation, "tip_rotation")

    def __repr__(self) -> str:
        joints = "".join(link.joint[0].upper() for link in self.links)
        symbols = ", ".join(sorted(map(str, self.free_symbols)))
        known = [name for name in self.joint_names if name is not None]
        names = f": {listed(known)}" * (len(known) == self.n)
        return f"<Arm of {self.n} joint{'s' * (self.n > 1)}, {joints}{names}{f', with the symbols {symbols}' * bool(symbols)}>"

    def _repr_html_(self) -> str:
        return arm_as_html(self)

    @property
    def n(self) -> int:
        """The number of joints."""
        return len(self.links)

    @property
    def joint_names(self) -> tuple[str | None, ...]:
        """What a file calls the joints, None for each that has no name."""
        return tuple(link.joint_name for link in self.links)

    @property
    def link_names(self) -> tuple[str | None, ...]:
        """What a file calls the links that move, None for each that has no name."""
        return tuple(link.name for link in self.links)

    @cached_property
    def tip_is_straight(self) -> bool:
        """Whether the tip frame has the axes of the last link: then no factor of one stands in a formula."""
        return bool((np.asarray(self.tip_rotation) == np.eye(3)).all())

    def frame(self, link: int) -> LinkFrame:
        """Return the frame that the description of the arm gives a link: of a DH table that of its row, else the link's own.

        link: index, -1 for the last.  `rd.point_position(arm, q, arm.frame(1), (0, 0, 0))` is the origin of the table's
        second frame, where no point is given, too; `rd.frame_pose(arm, q, arm.frame(1))` is the product of its first two
        matrices.  The frame of -1 equals that of n - 1.
        """
        index = as_link_index(link, self.n)
        one = self.links[index]
        return LinkFrame(index, one.frame_position, one.frame_rotation)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """float, or object where any entry of the arm is an expression."""
        return _dtype([self.gravity, self.tip, self.tip_rotation, *(np.empty(0, link.dtype) for link in self.links)])

    @cached_property
    def free_symbols(self) -> frozenset[Any]:
        """The SymPy symbols in all entries of the arm."""
        found: set[Any] = set()
        self.map(lambda x: found.update(getattr(x, "free_symbols", ())))
        return frozenset(found)

    def map(self, function: Callable[[Any], Any], fields: Mapping[str, Any] | None = None) -> Arm:
        """Return the arm with function(x) in place of every number or expression x, any scalars: nothing is checked.

        fields: values that take the place of a whole field instead, such as mass (n,), com (n, 3) or gravity (3,).
        """
        given = fields or {}

        def entries(owner: Any, name: str) -> Any:
            return map_entries(np.asarray(getattr(owner, name), dtype=object), function)[()]

        links = [
            link._replace_unchecked(
                **{name: given[name][i] if name in given else entries(link, name) for name in LINK_FIELDS}
            )
            for i, link in enumerate(self.links)
        ]
        return self._replace_unchecked(
            links=tuple(links), **{name: given[name] if name in given else entries(self, name) for name in ARM_FIELDS}
        )

    def subs(self, values: Mapping[Any, Any]) -> Arm:
        """Return the arm with numbers, or other expressions, in place of symbols; values: {symbol, or its name: value}."""
        named = {str(symbol): value for symbol, value in values.items()}

        def substitute(x: Any) -> Any:
            if not hasattr(x, "subs"):
                return x
            x = x.subs({symbol: named[symbol.name] for symbol in x.free_symbols if symbol.name in named})
            return x if x.free_symbols else float(x)

        arm = self.map(substitute)
        return replace(arm, links=[replace(link) for link in arm.links])  # checked like any other arm

    def carrying(self, payload: Body) -> Arm:
        """Return the arm with a body fixed to its last link; payload: in that link's axes, as `body.at(position)` puts it.

        The tip stays where it is.
        """
        last = self.links[-1]
        mass, com, inertia = Body(last.mass, last.com, last.inertia) + payload
        return replace(self, links=[*self.links[:-1], replace(last, mass=mass, com=com, inertia=inertia)])

    def locked(self, values: Mapping[int | str, Any]) -> Arm:
        """Return the arm with some joints held, so that the others are its joints, in their order.

        values: {joint: where it is held, rad (m)}; a joint by its index, -1 for the last, or by its name, as
        `arm.joint_names` has it: `arm.locked({0: 0.5, "wrist": 0})`.
        What a held joint carries becomes part of the link before; what is fixed to the base then does not move, and
        counts no more.  The tip moves along; the motor of a held joint stands still.
        Raises ValueError or TypeError for what is no joint, one that is held twice, and where none would be left.
        """
        held = held_values(self, values)
        changes, tip, tip_rotation = locked_links(self, held)
        free = [link for link, value in zip(self.links, held) if value is None]
        links = [replace(link, **change) for link, change in zip(free, changes)]
        return replace(self, links=links, tip=tip, tip_rotation=tip_rotation)

    @classmethod
    def from_dh(
        cls,
        rows: Entries,
        convention: str = "standard",
        masses: Entries | None = None,
        coms: Entries | None = None,
        inertias: Entries | None = None,
        joints: Sequence[str] | None = None,
        pitches: Entries | None = None,
        gravity: Entries = (0, 0, -9.81),
        tip: Entries = (0, 0, 0),
    ) -> Arm:
        """Return the arm of a Denavit-Hartenberg table.

        rows: (n, 4), one row (a, alpha, d, theta) a joint, m and rad; a revolute joint adds q to theta, a prismatic one
        to d, a screw q to theta and its pitch times q to d.
        convention: "standard" (Denavit and Hartenberg 1955; Spong) or "modified" (Craig).
        masses (n,) kg, coms (n, 3) m, inertias (n, 3, 3) kg m^2 about the centers of mass, all in the frames of the
        table; default: no mass.
        joints: n words, default all "revolute";
        pitches: (n,) m/rad of those that are screws, 0 elsewhere.
        gravity: as for Arm;
        tip: (3,) m, a point in the last frame of the table, whose axes the tip frame has: `rd.tip_pose` is the product of
        the table's matrices.

        The frames of the links, in which `Link.com`, `Link.inertia`, `rd.link_poses` and `rd.parameters` speak, stand on the
        axes of their joints; those of a modified table do, too, those of a standard one stand on the next joint's axis.
        `arm.frame(i)` is the frame of row i + 1, and all that takes `link` takes it.
        """
        given = {"masses": masses, "coms": coms, "inertias": inertias, "joints": joints, "pitches": pitches}
        links, point, axes = links_of_table(rows, convention, tip, given)
        return cls(_checked_links(links, "row"), gravity, point, axes)

    @classmethod
    def from_screws(
        cls,
        screws: Entries,
        home: Entries,
        masses: Entries | None = None,
        coms: Entries | None = None,
        inertias: Entries | None = None,
        gravity: Entries = (0, 0, -9.81),
    ) -> Arm:
        """Return the arm of a product of exponentials, e^(xi_1^ q_1) ... e^(xi_n^ q_n) home.

        screws: (n, 6), the unit twist (v, omega) of each joint, linear part first, base axes, at q = 0: as
        `rd.motions.screw` makes them of a line (a hinge, or a screw with a pitch), or (axis, 0) of a slide.
        home: (4, 4), the frame of the tip in base axes at q = 0; the last link takes its orientation, the others that
        of the base.  Origins of links lie on the lines of their joints.
        masses (n,) kg, coms (n, 3) m, inertias (n, 3, 3) kg m^2 about the centers of mass: all in base axes at q = 0;
        default: no mass, the origins of the links, no inertia.
        gravity: as for Arm.
        Brockett (1984); Murray, Li and Sastry (1994), section 3.2; chapter "screws-and-jacobians".
        """
        given = {"masses": masses, "coms": coms, "inertias": inertias}
        links, tip = links_of_screws(screws, home, given)
        return cls(_checked_links(links, "screw"), gravity, tip)

    @classmethod
    def from_urdf(
        cls,
        path: str | PathLike[str] | IO[str] | IO[bytes],
        tip: str | None = None,
        gravity: ArrayLike = (0, 0, -9.81),
        inertias: str = "given",
    ) -> Arm:
        """Return the arm of a URDF file: the chain from its root link to the link named `tip` (default: the only leaf).

        path: of the file; or its text, which begins with <, or an open file.

        Links behind fixed joints become part of the link that carries them; branches off the chain ride along, their
        joints locked at zero, or where a <mimic> puts them then; what is fixed to the root does not move.  The tip frame
        is the frame of the tip link.
        Limits, damping and transmissions are not read; what a file shows of its links: `rd.show.shapes_of_urdf`.
        The links and joints keep the names of the file: `arm.link_names`, `arm.joint_names`.
        inertias: "given", or "nearest" for the nearest that a body can have in place of those that no body has: nearest in
        the second moments Sigma = (trace I) / 2 - I of the pseudo-inertia, by the root of the sum of their squares.  Where
        some body has the digits that the file prints, one such is taken in any case.  A warning names the links.
        Warns of a branch that mimics a joint of the chain: it would move with it.
        Raises ValueError where the file is no tree or has no such chain, for a joint of another type or one that mimics
        another (without its <mimic>, `rd.constraints.hold` couples the two exactly; the sentence has the equation), and for a moving body that cannot be.
        """
        links, point, axes = links_of_urdf(path, tip, inertias)
        return cls([Link(**link) for link in links], gravity, point, axes)


def _checked_links(links: Sequence[Mapping[str, Any]], word: str) -> list[Link]:
    """Return the links with these fields, or say which one cannot be; word: what a table calls its lines."""
    made = []
    for number, fields_of_link in enumerate(links, start=1):
        try:
            made.append(Link(**fields_of_link))
        except ValueError as error:
            raise ValueError(f"{word} {number}: {error}") from None
    return made


def _set_frozen(instance: object, name: str, value: Any) -> None:
    object.__setattr__(instance, name, value)


def _read_only(array: Array) -> Any:
    """Return a copy that cannot be changed; an array without axes as the number or expression in it."""
    array = array.copy()
    array.flags.writeable = False
    return array[()]


def _dtype(values: Any) -> np.dtype[Any]:
    return np.dtype(object if any(np.asarray(value).dtype == object for value in values) else float)
