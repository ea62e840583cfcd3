"""Bodies of real shapes:  I = sum of m (|c|^2 1 - c c^T)  over the points, uniform density, closed forms and meshes.

The origin is the center of mass, except of a cone and of what is given by points; the axis of symmetry is z.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from robotdyn.maths.completion import offer_public_names
from robotdyn.maths.namespace import namespace
from robotdyn.maths.validate import Array, Entries, Floats, as_array, as_numbers, is_symbolic
from robotdyn.model.body import Body

__all__ = [
    "box",
    "cone",
    "cylinder",
    "ellipsoid",
    "mesh",
    "points",
    "rod",
    "sphere",
    "volume",
]
offer_public_names(__name__)


# where: add a shape of a body
# a function that returns a `Body`, its integral in `SHAPES` of `tests/test_bodies.py`, its line in
# `tests/test_bad_input.py`


def box(mass: Entries, size: Entries) -> Body:
    """Return a uniform box; mass: kg; size: (3,) m, its edges along x, y and z."""
    a, b, c = _lengths(size, "size", 3)
    return _with_second_moments(mass, (a * a, b * b, c * c), 12)


def cylinder(mass: Entries, radius: Entries, height: Entries, inner_radius: Entries = 0) -> Body:
    """Return a uniform cylinder about z, or a tube; mass: kg; radius, height, inner_radius: m."""
    (R,), (h,), (r,) = (
        _lengths(x, name, 1) for x, name in ((radius, "radius"), (height, "height"), (inner_radius, "inner_radius"))
    )
    if not is_symbolic([R, r]) and r > R:
        raise ValueError(f"inner_radius must not be above the radius, got {r:g} m and {R:g} m")
    across = 3 * (R * R + r * r)
    return _with_second_moments(mass, (across, across, h * h), 12)


def rod(mass: Entries, length: Entries) -> Body:
    """Return a thin uniform rod along z; mass: kg; length: m."""
    (l,) = _lengths(length, "length", 1)
    return _with_second_moments(mass, (0, 0, l * l), 12)


def ellipsoid(mass: Entries, semi_axes: Entries) -> Body:
    """Return a uniform ellipsoid; mass: kg; semi_axes: (3,) m, its semi-axes along x, y and z."""
    a, b, c = _lengths(semi_axes, "semi_axes", 3)
    return _with_second_moments(mass, (a * a, b * b, c * c), 5)


def sphere(mass: Entries, radius: Entries) -> Body:
    """Return a uniform ball; mass: kg; radius: m."""
    return ellipsoid(mass, [*_lengths(radius, "radius", 1)] * 3)


def cone(mass: Entries, radius: Entries, height: Entries) -> Body:
    """Return a uniform circular cone with its apex at the origin, open towards +z; mass: kg; radius, height: m."""
    (r,) = _lengths(radius, "radius", 1)
    (h,) = _lengths(height, "height", 1)
    body = _with_second_moments(mass, (12 * r * r, 12 * r * r, 3 * h * h), 80)
    return Body(body.mass, [0, 0, 3 * h / 4], body.inertia)


def points(masses: Entries, positions: Entries) -> Body:
    """Return the body of points that are held together; masses: (k,) kg; positions: (k, 3) m."""
    if not hasattr(masses, "__len__"):
        raise TypeError(f"masses must hold one entry for each point, got {masses}")
    count = len(masses)
    if count == 0:
        raise ValueError("a body must have at least one point, got none")
    masses = as_array(masses, "masses", (count,))
    positions = as_array(positions, "positions", (count, 3))
    bodies = [Body(mass, position) for mass, position in zip(masses, positions)]
    return sum(bodies[1:], bodies[0])


def mesh(mass: Entries, vertices: Entries, faces: Entries) -> Body:
    """Return the uniform body inside a closed mesh of triangles; mass: kg; vertices: (V, 3) m; numbers only.

    faces: (F, 3), the indices of the corners of each triangle, counterclockwise as seen from outside.
    The volume integrals over the tetrahedra from the origin to each triangle, of 1, x and x x^T; what lies outside the
    body counts once with each sign.  Raises ValueError where the surface is not closed or is inside out.
    """
    a, volumes = _tetrahedra(vertices, faces)
    total = volumes.sum()
    sums = a.sum(axis=1)
    com = volumes @ sums / 4 / total
    second = np.einsum("f,fi,fj->ij", volumes, sums, sums) + np.einsum("f,fki,fkj->ij", volumes, a, a)
    about_com = float(as_numbers(mass, "mass", ())) * (second / 20 / total - np.outer(com, com))
    return Body(mass, com, np.trace(about_com) * np.eye(3) - about_com)


def volume(vertices: Entries, faces: Entries) -> float:
    """Return the volume in m^3 inside a closed mesh, as for `mesh`: times a density in kg/m^3 it is the mass."""
    return float(_tetrahedra(vertices, faces)[1].sum())


def _tetrahedra(vertices: Entries, faces: Entries) -> tuple[Floats, Floats]:
    """Return the corners (F, 3, 3) of the triangles and the signed volume of each one's tetrahedron to the origin."""
    vertices = as_numbers(vertices, "vertices", (..., 3)).reshape(-1, 3)
    try:
        faces = np.asarray(faces)
    except ValueError:  # rows of different lengths
        faces = np.array(faces, dtype=object)
    if faces.ndim != 2 or faces.shape[1:] != (3,) or faces.dtype.kind not in "iu":
        raise ValueError(f"faces must hold rows of 3 indices of vertices, got {faces.dtype} of shape {faces.shape}")
    if faces.size == 0 or faces.min() < 0 or faces.max() >= len(vertices):
        raise ValueError(f"faces must name vertices from 0 to {len(vertices) - 1}, at least one triangle of them")
    edges = {(int(face[k - 1]), int(face[k])) for face in faces for k in range(3)}
    open_edges = sorted((i, j) for i, j in edges if (j, i) not in edges)
    if open_edges or len(edges) != 3 * len(faces):
        where = f"the edge from vertex {open_edges[0][0]} to {open_edges[0][1]}" if open_edges else "an edge"
        raise ValueError(
            f"a mesh must be closed: each edge belongs to two triangles that run along it in opposite senses, and "
            f"{where} does not: is a triangle missing, there twice, or turned over?"
        )
    corners = vertices[faces]
    volumes = np.linalg.det(corners) / 6
    if not volumes.sum() > 1e-12 * abs(volumes).sum():
        raise ValueError(
            f"a mesh must enclose a volume > 0 m^3, got {volumes.sum():.6g}: are its triangles clockwise from outside?"
        )
    return corners, volumes


def _with_second_moments(mass: Entries, squares: tuple[Any, Any, Any], divisor: int) -> Body:
    """Return the body whose second moments about the origin are m times these squares over a whole number."""
    m = as_array(mass, "mass", ())[()]
    x, y, z = squares
    xp = namespace(*(as_array(square, "size", ()) for square in squares), as_array(mass, "mass", ()))
    moments = [m * (y + z) / divisor, m * (x + z) / divisor, m * (x + y) / divisor]
    zero = 0 * m
    return Body(
        m, (0, 0, 0), xp.stack([xp.stack([moments[i] if i == j else zero for j in range(3)]) for i in range(3)])
    )


def _lengths(x: Entries, name: str, count: int) -> Array:
    array = as_array(x, name, (3,) if count == 3 else ())
    array = np.atleast_1d(array)
    negative = [entry for entry in array if (entry.is_negative if is_symbolic(entry) else entry < 0)]
    if negative:
        raise ValueError(f"{name} must be >= 0 m, got {negative[0]}")
    return array
