"""Spatial vectors:  v = (omega, v_O),  f = (n_O, f),  v_i = X v_parent,  power = f . v.

A motion vector stacks the angular velocity and the velocity of the point at the frame's origin; a force vector stacks
the moment about that origin and the force.  Angular part first, as in Featherstone (2008), chapter 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.namespace import namespace
from robotdyn.maths.validate import Array

__all__ = [
    "Inertia",
    "Transform",
    "compose",
    "cross_force",
    "cross_motion",
    "inertia",
    "rotation",
    "skew",
    "symmetric",
    "transform",
]
offer_public_names(__name__)

Frame: TypeAlias = tuple[Array, Array]  # R (3, 3), p (3,)


def skew(a: Array) -> Array:
    """Return the 3 x 3 matrix with skew(a) @ b = a x b; a: (3,)."""
    return namespace(a).stack([0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0]).reshape(3, 3)


def rotation(axis: Array, angle: Any) -> Array:
    """Return the rotation matrix about a unit axis (3,) by an angle in rad:  R = a a^T + cos (1 - a a^T) + sin [a].

    Rodrigues' formula.  R takes coordinates in the turned frame to coordinates in the frame before the turn.
    """
    xp = namespace(axis, angle)
    along = axis[:, None] * axis[None, :]
    return along + xp.cos(angle) * (xp.eye(3) - along) + xp.sin(angle) * skew(axis)


def compose(first: Frame, second: Frame) -> Frame:
    """Return the frame (R, p) that is `first` followed by `second`: R (3, 3), p (3,) each."""
    R, p = first
    S, s = second
    return R @ S, p + R @ s


def transform(R: Array, p: Array) -> Array:
    """Return X (6 x 6) that takes motion vectors from a parent frame to a child frame.

    R (3, 3), p (3,): orientation and origin of the child in the parent.  Force vectors go back by X.T.
    X = [[R^T, 0], [-R^T [p], R^T]].  Featherstone (2008), equation 2.24.
    """
    return Transform(R, p) @ namespace(R, p).eye(6)


def cross_motion(v: Array) -> Array:
    """Return the 6 x 6 matrix of v x m, the rate of a motion vector m that is fixed in a body moving with v."""
    xp = namespace(v)
    w = skew(v[:3])
    u = skew(v[3:])
    return xp.concatenate([xp.concatenate([w, xp.zeros((3, 3))], axis=1), xp.concatenate([u, w], axis=1)])


def cross_force(v: Array) -> Array:
    """Return the 6 x 6 matrix of v x* f, the rate of a force vector f that is fixed in a body moving with v."""
    return -cross_motion(v).T


def inertia(mass: Any, com: Array, about_com: Array) -> Array:
    """Return the spatial inertia (6 x 6) about the frame origin, from mass (kg), com (3,) m and inertia (3, 3) kg m^2.

    I = [[I_c + m [c][c]^T, m [c]], [m [c]^T, m 1]].  Featherstone (2008), equation 2.63.
    """
    return Inertia.of_body(mass, com, about_com).matrix


def symmetric(A: Array) -> Array:
    """Return A with its upper triangle in place of the lower: what is symmetric is written, and computed, once."""
    xp = namespace(A)
    return xp.stack([xp.stack([A[min(i, j), max(i, j)] for j in range(len(A))]) for i in range(len(A))])


# ---- the two matrices that every recursion multiplies by, without their zeros and repeated blocks -------------------


@dataclass(frozen=True, eq=False)
class Transform:
    """The matrix `transform(R, p)`, kept as R (3, 3) and p (3,): X @ v, X.T @ f and A @ X as with the matrix."""

    R: Array
    p: Array
    __array_ufunc__ = None  # in A @ X the array A leaves the product to X

    @property
    def T(self) -> _Back:
        """The transpose, which takes force vectors from the child to the parent."""
        return _Back(self)

    def __matmul__(self, v: Array) -> Array:
        omega = v[:3]
        v_O = v[3:]
        return _pair(self.R.T @ omega, self.R.T @ (v_O - self.p_cross @ omega))

    def __rmatmul__(self, A: Array) -> Array:
        return (self.T @ A.T).T

    @cached_property
    def p_cross(self) -> Array:
        """The matrix of p x."""
        return skew(self.p)


@dataclass(frozen=True, eq=False)
class _Back:
    X: Transform

    def __matmul__(self, f: Array) -> Array:
        moment = self.X.R @ f[:3]
        force = self.X.R @ f[3:]
        return _pair(moment + self.X.p_cross @ force, force)


@dataclass(frozen=True, eq=False)
class Inertia:
    """The spatial inertia of a rigid body, kept as m, m c (3,) and the inertia (3, 3) about the frame origin.

    I @ v is the momentum, as with the matrix; I + J is the inertia of two bodies that move as one.
    """

    mass: Any
    moment: Array
    about_origin: Array
    __array_ufunc__ = None

    @classmethod
    def of_body(cls, mass: Any, com: Array, about_com: Array) -> Inertia:
        """Return the inertia of a body from its mass, center of mass, and inertia about the center of mass."""
        return cls(mass, mass * com, about_com + mass * (skew(com) @ skew(com).T))

    @property
    def matrix(self) -> Array:
        """The 6 x 6 matrix [[I_O, [m c]], [[m c]^T, m 1]]."""
        return self @ namespace(self.moment, self.about_origin).eye(6)

    def __matmul__(self, v: Array) -> Array:
        omega = v[:3]
        v_O = v[3:]
        return _pair(self.about_origin @ omega + self._cross @ v_O, self.mass * v_O - self._cross @ omega)

    def __rmatmul__(self, A: Array) -> Array:
        return (self @ A.T).T

    def __add__(self, other: Inertia) -> Inertia:
        return Inertia(self.mass + other.mass, self.moment + other.moment, self.about_origin + other.about_origin)

    def carried_back(self, X: Transform) -> Inertia:
        """Return X.T @ I @ X, the inertia of the same body about the origin of the parent frame and in its axes.

        With h = R m c:  m c becomes h + m p,  I_O becomes R I_O R^T - [p][h] - [h + m p][p].
        """
        h = X.R @ self.moment
        moment = h + self.mass * X.p
        turned = X.R @ self.about_origin @ X.R.T
        return Inertia(self.mass, moment, symmetric(turned - X.p_cross @ skew(h) - skew(moment) @ X.p_cross))

    @cached_property
    def _cross(self) -> Array:
        return skew(self.moment)


def _pair(angular: Array, linear: Array) -> Array:
    return namespace(angular, linear).concatenate([angular, linear])
