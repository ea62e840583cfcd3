"""A rigid body is ten numbers:  its mass m, its first moment m c and its inertia about any point O,

    I_O = I_c + m [c]^T [c],

where c is the vector from O to the center of mass and I_c the inertia about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from robotdyn.maths.namespace import namespace
from robotdyn.maths.rotations import check_rotation
from robotdyn.maths.spatial import skew
from robotdyn.maths.validate import Array, Entries, Floats, as_array, as_numbers
from robotdyn.model.checks import check_body

ORIGIN = (0, 0, 0)


@dataclass(frozen=True, eq=False, repr=False)
class Body:
    """A rigid body in axes of its own: what its motion depends on, whatever its shape.

    mass: kg, >= 0; com: (3,) m, center of mass; inertia: (3, 3) kg m^2 about the center of mass.
    Every entry may be a number or a SymPy expression.  `a + b` is both bodies as one, `a - b` is a without the part b,
    `rd.Link(*body, ...)` is a link with this body.
    Raises ValueError where no body can be as given: its second moment, the sum of mass times c c^T over its points,
    must have no negative principal value, which is the triangle inequality of the principal moments of inertia.
    """

    mass: Any
    com: Any = ORIGIN
    inertia: Any = ((0, 0, 0), (0, 0, 0), (0, 0, 0))

    def __post_init__(self) -> None:
        for name, shape in {"mass": (), "com": (3,), "inertia": (3, 3)}.items():
            array = as_array(getattr(self, name), name, shape).copy()
            array.flags.writeable = False
            object.__setattr__(self, name, array[()])
        check_body(self.mass, self.inertia)

    def __repr__(self) -> str:
        return f"Body(mass={self.mass}, com={self.com.tolist()}, inertia={self.inertia.tolist()})"

    def __iter__(self) -> Iterator[Any]:
        """Give mass, com, inertia, the first arguments of `rd.Link`."""
        return iter((self.mass, self.com, self.inertia))

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """float, or object where any entry is an expression."""
        return np.result_type(*(np.asarray(entry).dtype for entry in self))

    def __add__(self, other: Body) -> Body:
        return _from_moments(*(mine + yours for mine, yours in zip(_moments(self), _moments(other))))

    def __sub__(self, other: Body) -> Body:
        return _from_moments(*(mine - yours for mine, yours in zip(_moments(self), _moments(other))))

    def at(self, position: Entries = ORIGIN, rotation: Entries = ((1, 0, 0), (0, 1, 0), (0, 0, 1))) -> Body:
        """Return the body in the axes of a parent.

        position (3,) m, rotation (3, 3): the frame of this body in the parent.
        """
        R = as_array(rotation, "rotation", (3, 3))
        if R.dtype != object:
            check_rotation(R, "rotation")
        return Body(self.mass, as_array(position, "position", (3,)) + R @ self.com, R @ self.inertia @ R.T)

    def first_moment(self, point: Entries = ORIGIN) -> Array:
        """Return m c (3,) kg m about a point (3,) m: the sum of mass times distance from there."""
        return self.mass * (self.com - as_array(point, "point", (3,)))

    def about(self, point: Entries = ORIGIN) -> Array:
        """Return the inertia (3, 3) kg m^2 about a point (3,) m, by the parallel-axis theorem."""
        c = self.com - as_array(point, "point", (3,))
        return self.inertia + self.mass * (skew(c).T @ skew(c))

    def mass_matrix(self, point: Entries = ORIGIN) -> Array:
        """Return the 6 x 6 mass matrix about a point (3,) m:  twice the kinetic energy is (v, omega) . M (v, omega).

        v: the velocity of the material point of the body there, linear part first:  M = [[m 1, -[m c]], [[m c], I]].
        """
        xp = namespace(self)
        across = skew(self.first_moment(point))
        upper_rows = xp.concatenate([self.mass * xp.eye(3), -across], axis=1)
        return xp.concatenate([upper_rows, xp.concatenate([across, self.about(point)], axis=1)])

    @property
    def second_moment(self) -> Array:
        """The sum of mass times c c^T, (3, 3) kg m^2, c from the center of mass:  tr(I) / 2 - I."""
        return np.trace(self.inertia) / 2 * namespace(self).eye(3) - self.inertia

    def principal(self) -> tuple[Floats, Floats]:
        """Return the principal moments (3,) kg m^2, the smallest first, and the principal axes, the columns of (3, 3).

        The axes are a right-handed frame, so they are a rotation; numbers only.
        """
        moments, axes = np.linalg.eigh(as_numbers(self.inertia, "inertia", (3, 3)))
        return moments, axes * [1, 1, np.sign(np.linalg.det(axes))]


def change_of_reference(offset: Entries) -> Array:
    """Return D (6 x 6), which moves the point of reference by an offset (3,) m:  M about there is D M D^T.

    Linear part first.  D also takes a wrench (force, moment) there; D^T takes the velocities back.
    """
    d = as_array(offset, "offset", (3,))
    xp = namespace(d)
    upper_rows = xp.concatenate([xp.eye(3), xp.zeros((3, 3))], axis=1)
    return xp.concatenate([upper_rows, xp.concatenate([-skew(d), xp.eye(3)], axis=1)])


def _moments(body: Any) -> tuple[Any, Array, Array]:
    """Return the three quantities that add up over the parts of a body: mass, first moment, inertia about the origin."""
    if not isinstance(body, Body):
        raise TypeError(f"only a Body can be a part of a body, got {type(body).__name__}")
    return body.mass, body.first_moment(), body.about()


def _from_moments(mass: Any, moment: Array, about_origin: Array) -> Body:
    if mass == 0:
        raise ValueError("a composite body must have mass > 0 kg: without it there is no center of mass")
    c = moment / mass
    return Body(mass, c, about_origin - mass * (skew(c).T @ skew(c)))
