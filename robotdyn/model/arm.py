"""An arm is data: links, which of them carries which, gravity and a tip.  `Arm` is checked once, here, and never changes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from os import PathLike
from typing import IO, Any

import numpy as np
from numpy.typing import ArrayLike

from robotdyn.maths.namespace import map_entries
from robotdyn.maths.validate import Entries, as_array, in_short
from robotdyn.model.body import Body
from robotdyn.model.checks import as_coupling, as_link_index, as_parents, check_rotation, own_joints
from robotdyn.model.dh import links_of_table
from robotdyn.model.link import (
    LINK_FIELDS,
    HashableArrays,
    JointProperties,
    Link,
    LinkFrame,
    dtype_of,
    read_only,
    set_frozen,
)
from robotdyn.model.locked import held_values, locked_links
from robotdyn.model.picture import arm_as_html
from robotdyn.model.screws import links_of_screws
from robotdyn.model.urdf import links_of_urdf
from robotdyn.model.urdf_places import Packages, located
from robotdyn.model.urdf_text import listed
from robotdyn.model.urdf_writer import links_and_joints, urdf_of_arm

ARM_FIELDS: dict[str, tuple[int, ...]] = {"gravity": (3,), "tip": (3,), "tip_rotation": (3, 3)}


@dataclass(frozen=True, eq=False, repr=False)
class Arm(HashableArrays):
    """Links on a fixed base: a serial chain, or a tree.

    links: sequence of Link, base first; gravity: (3,) m/s^2, the acceleration of free fall in base axes;
    tip: (3,) m, a point of the last link in its axes, the origin of the tip frame; tip_rotation: (3, 3), the axes of the tip
    frame in those of the last link: a tool, a hand, the last frame of a table.
    parents: for each link the index of the link that carries it, smaller than its own, -1 for the base: [-1, 0, 1, 1] is a
    chain of three links whose second one carries a fourth.  None, and in `arm.parents` (-1, 0, 1, 2, ..): a serial chain.
    frames: {name: LinkFrame}, frames to ask by name, `arm.frame("hand")`; arms are equal whatever frames they name.
    coupling: (m, n + 1), of an arm of m links whose joints are coupled, as by a gear: they stand at G q + c, with G the first n
    columns and c, in rad (m), the last one.  Each coordinate is the position of one of the joints, and all arguments and
    results (n,) are of these; `arm.uncoupled` is the arm of m free joints.
    independent: (n,), the index of the link whose joint each coordinate is, where several joints stand at it and another than
    the first shall give it its name and its unit.
    Raises ValueError or TypeError for no links, for what is no Link, and for a wrong shape or value.
    """

    links: Sequence[Link]
    gravity: Any = (0, 0, -9.81)
    tip: Any = (0, 0, 0)
    tip_rotation: Any = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    # where: see where an arm branches
    # as `parent[i]`, the index of the link that carries link i, in each sweep out and back (`link_poses`, `recursive.py`,
    # `derivatives.py`, `minimal_operations.py`, the regressor); as `Arm.path`, the joints that carry a link, in
    # Jacobians; a function for serial arms alone asks `arm.is_serial` and refuses a tree
    parents: Any = None
    frames: Any = field(default=(), compare=False)
    coupling: Any = None
    independent: Any = field(default=None, compare=False)

    def __post_init__(self) -> None:
        links = tuple(self.links) if isinstance(self.links, (list, tuple)) else (self.links,)
        if not links:
            raise ValueError("an arm must have at least one link, got none")
        for number, link in enumerate(links, start=1):
            if not isinstance(link, Link):
                raise TypeError(f"links must hold Link objects, got {type(link).__name__} as link {number}")
        set_frozen(self, "links", links)
        set_frozen(self, "parents", as_parents(self.parents, len(links)))
        set_frozen(self, "frames", _as_frames(self.frames, len(links)))
        set_frozen(self, "coupling", as_coupling(self.coupling, len(links)))
        set_frozen(self, "independent", own_joints(self.coupling, len(links), self.independent))
        if not hasattr(self.gravity, "__len__"):
            raise ValueError(
                f"gravity must be a vector (3,) in base axes, got {in_short(self.gravity)}: (0, 0, -9.81) where the base's z axis points up"
            )
        for name, shape in ARM_FIELDS.items():
            set_frozen(self, name, read_only(as_array(getattr(self, name), name, shape)))
        check_rotation(self.tip_rotation, "tip_rotation")

    def __repr__(self) -> str:
        joints = "".join(self.links[i].joint[0].upper() for i in self.independent)
        symbols = ", ".join(sorted(map(str, self.free_symbols)))
        known = [name for name in self.joint_names if name is not None]
        names = f": {listed(known)}" * (len(known) == self.n)
        ends = f", a tree with {len(self.leaves)} ends" * (not self.is_serial)
        coupled = len(self.links) - self.n
        more = f"{names}{ends}{f', {coupled} more coupled to them' * bool(coupled)}{f', with the symbols {symbols}' * bool(symbols)}"
        return f"<Arm of {self.n} joint{'s' * (self.n > 1)}, {joints}{more}>"

    def _repr_html_(self) -> str:
        return arm_as_html(self)

    @property
    def n(self) -> int:
        """The number of joints, of those that are independent."""
        return len(self.links) if self.coupling is None else self.coupling.shape[1] - 1

    @cached_property
    def uncoupled(self) -> Arm:
        """The arm with all its joints free."""
        return (
            self
            if self.coupling is None
            else self._replace_unchecked(coupling=None, independent=tuple(range(len(self.links))))
        )

    @cached_property
    def is_serial(self) -> bool:
        """Whether each link carries the next one, and nothing else."""
        return bool(self.parents == tuple(range(-1, len(self.links) - 1)))

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """The indices of the links that carry no other: the ends of the branches, of which the last one has the tip."""
        return tuple(i for i in range(len(self.links)) if i not in self.parents)

    def path(self, link: int) -> tuple[int, ...]:
        """Return the indices of the links from the base to a link, with it: of a serial arm 0, 1, .., link."""
        index = as_link_index(link, len(self.links))
        found = [index]
        while self.parents[found[-1]] >= 0:
            found.append(self.parents[found[-1]])
        return tuple(found[::-1])

    @property
    def joint_names(self) -> tuple[str | None, ...]:
        """What a file calls the joints, None for each that has no name."""
        return tuple(self.links[i].joint_name for i in self.independent)

    @property
    def link_names(self) -> tuple[str | None, ...]:
        """What a file calls the links that move, None for each that has no name."""
        return tuple(link.name for link in self.links)

    @property
    def limits(self) -> dict[int, tuple[float, float]]:
        """{joint: (lower, upper)}, rad (m), of the joints that have limits, as the functions of `rd.inverse_kinematics` take them."""
        ends = enumerate(zip(self.joint_values("lower"), self.joint_values("upper")))
        return {k: (float(low), float(high)) for k, (low, high) in ends if np.isfinite([low, high]).any()}

    def joint_values(self, name: str) -> Any:
        """Return (n,) of the JointProperties of the joints: `rd.forces.viscous(arm.joint_values("damping"))`, "effort", "upper" .."""
        known = [x.name for x in fields(JointProperties)]
        if name not in known:
            raise ValueError(f"name must be one of {', '.join(known)}, got {in_short(name)}")
        return np.array([getattr(self.links[i].properties, name) for i in self.independent], dtype=float)

    def to_urdf(self, name: str = "robot") -> str:
        """Return the text of a URDF file of the arm: `rd.Arm.from_urdf(arm.to_urdf(), branches=True)` is the arm, up to rounding.

        name: of the robot.  Links and joints without a name get one, `link_1`, `joint_1`; a link beside whose frame one of its name
        stands is called `hand_link`; each frame of `arm.frames` and each of a
        DH table, `link_1_table`, becomes a link fixed to its own, so does the tip frame.  Coupled joints mimic another one; a
        motor's inertia stands in the tags of Drake, rotor_inertia and gear_ratio of an actuator, which other readers skip.
        A file has no gravity: give it to `from_urdf`; and no order of coordinates: a warning says where they will be in another.
        Raises ValueError or TypeError for what no URDF file can say: a screw, a joint that follows several others, two links or
        joints of one name, symbols.
        """
        if list(self.independent) != sorted(self.independent):
            order = ", ".join(links_and_joints(self)[1][i] for i in sorted(self.independent))
            warnings.warn(f"the coordinates will be read in the order of the links, got another: {order}", stacklevel=2)
        return urdf_of_arm(self, name)

    @cached_property
    def tip_is_straight(self) -> bool:
        """Whether the tip frame has the axes of the last link: then no factor of one stands in a formula."""
        return bool((np.asarray(self.tip_rotation) == np.eye(3)).all())

    def frame(self, link: int | str) -> LinkFrame:
        """Return the frame that the description of the arm gives a link: of a DH table that of its row, else the link's own.

        link: index, -1 for the last; or a name, of one of `arm.frames` (of a URDF file every link that moves is there, those
        behind fixed joints, too) or of a link.  `rd.point_position(arm, q, arm.frame(1), (0, 0, 0))` is the origin of the table's
        second frame, where no point is given, too; `rd.frame_pose(arm, q, arm.frame(1))` is the product of its first two
        matrices.  The frame of -1 equals that of n - 1.
        """
        if isinstance(link, str):
            return self._frame_by_name(link)
        index = as_link_index(link, len(self.links))
        one = self.links[index]
        return LinkFrame(index, one.frame_position, one.frame_rotation)

    def _frame_by_name(self, name: str) -> LinkFrame:
        known = dict(self.frames)
        if name in known:
            return known[name]
        places = [k for k, link in enumerate(self.links) if link.name == name]
        if len(places) != 1:
            names = [*known, *(link.name for link in self.links if link.name is not None and link.name not in known)]
            has = f"there are {listed(names)}" if names else "no frame and no link of this arm has one"
            raise ValueError(f"link must be the name of one frame or link that moves, got {in_short(name)}: {has}")
        return self.frame(places[0])

    @property
    def labels(self) -> tuple[Any, ...]:
        """All names of the arm and what they mean: equal arms may differ in them, and a program that asks a name with them."""
        return self.frames, self.link_names, self.joint_names

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """float, or object where any entry of the arm is an expression."""
        return dtype_of([self.gravity, self.tip, self.tip_rotation, *(np.empty(0, link.dtype) for link in self.links)])

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
        Raises ValueError or TypeError for what is no joint, one that is held twice, where none would be left, and where of a
        tree the whole branch of the tip is held: the tip is a point of the last link.
        """
        held = held_values(self, values)
        changes, arm_fields = locked_links(self, held)
        free = [link for link, value in zip(self.links, arm_fields.pop("held")) if value is None]
        links = [replace(link, **change) for link, change in zip(free, changes)]
        return replace(self, links=links, **arm_fields)

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
        tip: str | Sequence[str] | None = None,
        gravity: ArrayLike = (0, 0, -9.81),
        inertias: str = "given",
        branches: bool = False,
        packages: Packages = None,
        root: str | None = None,
        floating: bool = False,
    ) -> Arm:
        """Return the arm of a URDF file: the chain from its root link to the link named `tip` (default: the only leaf).

        path: of the file, file://.., too; or its text, which begins with <, or an open file; or package://name/.. (or model://..),
        looked for in `packages`, {name: folder}, and in ROS_PACKAGE_PATH; of a xacro file, where `xacro` is installed; or a name such as
        "panda_description", where the package robot_descriptions is.  Meshes need not be there: nothing of them is read.
        tip: a name; or a list of names, for the tree of the chains to all of them, whose tip frame is that of the last one;
        `arm.frame("l_gripper")` is the frame of any link that moves, where others are asked.
        branches: True for the whole robot, the tree of the chains to all its leaves; `tip` is one of these, by default on the last link.
        root: the link that becomes the base, with what it carries; floating: True where it moves freely, as of a robot that
        flies: its coordinates come first, as of `rd.floating`, base_x to base_roll by its name; a floating joint has six such, too.

        The base frame is that of the root link.  Joints stand branch by branch in the order of the file (Pinocchio sorts their
        names), a continuous joint has one angle.  Links behind fixed joints become part of the link that carries them; branches
        off the chain ride along, their joints locked at zero, or where a <mimic> puts them then; what is fixed to the root does
        not move, and has no mass and no frame here.  The tip frame is the frame of the tip link.  A joint that mimics another
        one follows it, as a gear makes it, and is no coordinate of its own: `arm.coupling` has its factor and its offset.
        Limits, damping and friction are kept, `arm.limits` and `arm.joint_values`, and act nowhere by themselves; of transmissions
        the tags of Drake are read, rotor_inertia and gear_ratio; what a file shows of its links: `rd.show.shapes_of_urdf`.
        The links and joints keep the names of the file: `arm.link_names`, `arm.joint_names`.
        inertias: "given", or "nearest" for the nearest that a body can have in place of those that no body has: nearest in
        the second moments Sigma = (trace I) / 2 - I of the pseudo-inertia, by the root of the sum of their squares.  Where
        some body has the digits that the file prints, one such is taken in any case.  A warning names the links.
        Warns of a branch off the chain that mimics a joint of the chain, with which it would move, and of slips that are not read.
        Raises ValueError where the file is no tree or has no such chain, for a joint of another type, one that mimics nobody
        or itself, and for a moving body that cannot be.
        """
        links, arm_fields = links_of_urdf(located(path, packages), tip, branches, inertias, root, floating)
        return cls([Link(**link) for link in links], gravity, **arm_fields)


def _as_frames(frames: Any, n: int) -> tuple[tuple[str, LinkFrame], ...]:
    """Return frames by name, of an arm of n links, as pairs."""
    pairs = []
    for name, frame in frames.items() if isinstance(frames, Mapping) else frames:
        if not isinstance(name, str) or not isinstance(frame, LinkFrame):
            raise TypeError(f"frames must be {{name: LinkFrame}}, got {in_short(name)}: {frame!r}")
        pairs.append((name, replace(frame, link=as_link_index(frame.link, n))))
    return tuple(pairs)


def _checked_links(links: Sequence[Mapping[str, Any]], word: str) -> list[Link]:
    """Return the links with these fields, or say which one cannot be; word: what a table calls its lines."""
    made = []
    for number, fields_of_link in enumerate(links, start=1):
        try:
            made.append(Link(**fields_of_link))
        except ValueError as error:
            raise ValueError(f"{word} {number}: {error}") from None
    return made
