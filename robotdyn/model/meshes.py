"""Triangles of boxes, cylinders and balls, and of mesh files:  STL and OBJ are read here, other formats by trimesh."""

from __future__ import annotations

import os
import re
from itertools import pairwise
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robotdyn.maths.validate import Floats

MAX_COORDINATE = 1e50  # as in a URDF: a larger coordinate is a slip
MAX_TRIANGLES = 2_000_000  # triangles: more is no picture of an arm, and would fill the memory
SIDES = 48  # of what is round


class Mesh(NamedTuple):
    """Triangles: vertices (V, 3) m; faces (F, 3), the numbers of their corners."""

    vertices: Floats
    faces: NDArray[np.int64]


def box(size: Floats) -> Mesh:
    """Return a box about the origin; size: (3,) m, its edges along x, y and z."""
    r = np.sqrt(0.5)
    vertices, faces = _surface_of_revolution([(0, -0.5), (r, -0.5), (r, 0.5), (0, 0.5)], 4)
    return Mesh(vertices * size, faces)


def cylinder(radius: float, length: float) -> Mesh:
    """Return a cylinder about z, its center at the origin; radius, length: m."""
    h = length / 2
    return _surface_of_revolution([(0, -h), (radius, -h), (radius, h), (0, h)], SIDES)


def ball(radius: float) -> Mesh:
    """Return a ball about the origin; radius: m."""
    angles = np.linspace(0, np.pi, SIDES // 2)
    return _surface_of_revolution(radius * np.transpose([np.sin(angles), -np.cos(angles)]), SIDES)


def merge(meshes: list[Mesh]) -> Mesh:
    """Return all triangles of some meshes as one."""
    first = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    vertices = [np.zeros((0, 3)), *(mesh.vertices for mesh in meshes)]
    faces = [np.zeros((0, 3), np.int64), *(mesh.faces + k for mesh, k in zip(meshes, first))]
    return Mesh(np.concatenate(vertices), np.concatenate(faces))


# where: add a format of meshes
# a function in its table; what a URDF file says of meshes, and their picture: `robotdyn/show/shapes.py`
def read_mesh(path: str | PathLike[str]) -> Mesh:
    """Return the triangles of a file, in its own unit: STL (binary or text) and OBJ; other formats need trimesh.

    Raises FileNotFoundError where there is no file, ImportError without trimesh, ValueError for a file that holds no mesh.
    """
    if not os.path.isfile(path):  # a pipe or a device would never end
        raise FileNotFoundError(f"{path} must be a mesh file, got none there")
    if os.path.getsize(path) > 150 * MAX_TRIANGLES:
        raise ValueError(
            f"{path} must be a mesh of at most {MAX_TRIANGLES} triangles, got {os.path.getsize(path)} bytes"
        )
    ending = os.path.splitext(path)[1].lower()
    mesh = {".stl": _stl, ".obj": _obj}.get(ending, _by_trimesh)(path)
    if len(mesh.faces) == 0:
        raise ValueError(f"{path} must hold triangles, got none")
    if not (abs(mesh.vertices) < MAX_COORDINATE).all():  # nor NaN
        raise ValueError(
            f"{path} must hold finite coordinates, got {mesh.vertices[~(abs(mesh.vertices) < MAX_COORDINATE)][0]:g}"
        )
    wrong = (mesh.faces < 0) | (mesh.faces >= len(mesh.vertices))
    if wrong.any():
        raise ValueError(
            f"every corner of {path} must be one of its {len(mesh.vertices)} vertices, "
            f"got number {mesh.faces[wrong][0] + 1} in face {wrong.any(axis=1).argmax() + 1}"
        )
    return mesh


def _surface_of_revolution(profile: Any, sides: int) -> Mesh:
    """Return what a profile (k, 2) of (r, z), bottom first, sweeps about z, in flat sides."""
    angles = 2 * np.pi * (np.arange(sides) + 0.5) / sides
    r, z = np.transpose(profile)
    c = np.cos(angles)
    s = np.sin(angles)
    vertices = np.stack([np.outer(c, r), np.outer(s, r), np.tile(z, (sides, 1))], axis=-1)
    ring = np.arange(r.size * sides).reshape(sides, r.size)
    next_ring = np.roll(ring, -1, axis=0)
    low = (ring[:, :-1], next_ring[:, :-1], next_ring[:, 1:])
    high = (ring[:, :-1], next_ring[:, 1:], ring[:, 1:])
    faces = [np.stack(corners, axis=-1).reshape(-1, 3) for corners in (low, high)]
    return Mesh(vertices.reshape(-1, 3), np.concatenate(faces))


def _stl(path: Any) -> Mesh:
    with open(path, "rb") as file:
        data = file.read()
    count = int.from_bytes(data[80:84], "little")
    words = data.lstrip().startswith(b"solid") and b"facet" in data[:2000]
    if words and len(data) != 84 + 50 * count:  # a binary one may begin with "solid", too
        return _stl_of_text(data, path)
    if len(data) < 84 + 50 * count or len(data) < 84:
        raise ValueError(f"{path} must be as long as its {count} triangles of 50 bytes, got {len(data)} bytes in all")
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    return _triangle_soup(np.frombuffer(data, record, count, 84)["corners"])


def _stl_of_text(data: bytes, path: Any) -> Mesh:
    number = rb"\s+([^\s]{1,40})"
    if data.count(b"vertex") > 3 * MAX_TRIANGLES:
        raise ValueError(f"{path} must be a mesh of at most {MAX_TRIANGLES} triangles, got more")
    words = re.findall(rb"\bvertex" + 3 * number, data)
    if len(words) != 3 * data.count(b"endfacet") or b"endsolid" not in data:
        raise ValueError(f"{path} must have three vertices in each facet, and an end, got a text that breaks off")
    try:
        return _triangle_soup(np.array(words, dtype="S40").astype(float))
    except ValueError as error:
        raise ValueError(f"{path} must hold finite coordinates, got a word: {error}") from None


def _triangle_soup(corners: Any) -> Mesh:
    vertices = np.asarray(corners, dtype=float).reshape(-1, 3)
    return Mesh(vertices, np.arange(len(vertices)).reshape(-1, 3))


def _obj(path: Any) -> Mesh:
    """Polygons become fans of triangles; texture, normals and groups are left out."""
    vertices: list[Any] = []
    faces: list[Any] = []
    with open(path, "rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                match line.split(maxsplit=1):
                    case [b"v", given]:
                        x, y, z = map(float, given.split(maxsplit=3)[:3])
                        vertices.append((x, y, z))
                    case [b"f", given]:
                        corners = [int(word.split(b"/")[0]) for word in given[:MAX_TRIANGLES].split()]
                        first, *rest = [k - 1 if k >= 0 else len(vertices) + k for k in corners]  # -1: the last so far
                        faces += [(first, *pair) for pair in pairwise(rest)]
            except ValueError:
                raise ValueError(f"line {number} of {path} must hold numbers, got {line[:60]!r}") from None
            if max(len(faces), len(vertices)) > MAX_TRIANGLES:
                raise ValueError(f"{path} must be a mesh of at most {MAX_TRIANGLES} triangles, got more")
    try:
        return Mesh(np.array(vertices).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 3))
    except OverflowError:
        raise ValueError(f"every corner of {path} must be one of its {len(vertices)} vertices, got far more") from None


def _by_trimesh(path: Any) -> Mesh:
    try:
        import trimesh
    except ImportError:
        raise ImportError(
            f"{path} is neither STL nor OBJ, and other meshes are read by trimesh, which is not installed: "
            "pip install trimesh pycollada"
        ) from None
    try:
        mesh = trimesh.load_mesh(path)
        return Mesh(np.array(mesh.vertices, dtype=float), np.array(mesh.faces, dtype=np.int64))
    except Exception as error:  # whatever its readers, one a format, trip over
        raise ValueError(f"{path} must be a mesh that trimesh reads, got {type(error).__name__}: {error}") from None
