"""The shapes that a URDF file gives the links of an arm, and their picture: the nearest triangle of each pixel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import unquote

import numpy as np

from robotdyn.maths.validate import Floats
from robotdyn.model.meshes import MAX_TRIANGLES, Mesh, ball, box, cylinder, merge, read_mesh
from robotdyn.model.urdf import chain_of_urdf
from robotdyn.model.urdf_places import located
from robotdyn.model.urdf_text import folder_of, frame_of, number_of, triple_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PIXELS = 1600  # along the longer side; 2 x 2 of them make one of the picture
LIGHT = np.array([-0.35, 0.55, 0.76])  # where it comes from: right, up, toward the viewer
MAX_PIXELS = 4_000_000  # pixels, to bound the memory


def shapes_of_urdf(
    path: str | PathLike[str] | IO[str] | IO[bytes],
    tip: str | Sequence[str] | None = None,
    packages: Mapping[str, str | PathLike[str]] | None = None,
    geometry: str = "visual",
    branches: bool = False,
    root: str | None = None,
    floating: bool = False,
) -> list[Mesh]:
    """Return what a URDF file shows of an arm, for `draw_arm`: meshes of the base and of each link, in their axes.

    path, tip, branches, root, floating: as for `rd.Arm.from_urdf`, whose links these are; what rides on a link is part of its mesh.  Meshes are
    looked for beside the file, those of a text where Python runs.
    packages: {name: folder} for files called package://name/...; without one, the folder of a mesh is looked for around the URDF.
    geometry: "visual", or "collision", often coarser.  Boxes, cylinders, spheres; STL and OBJ files; others, such as
    Collada's .dae, where trimesh and pycollada are installed.  Colors are not read.
    Raises FileNotFoundError, ImportError or ValueError that names the link and the file.
    """
    if geometry not in ("visual", "collision"):
        raise ValueError(f'geometry must be "visual" or "collision", got {geometry!r}')
    path = located(path, packages)
    chain = chain_of_urdf(path, tip, branches, root, floating)
    read: dict[Path, Mesh] = {}
    elements = {link.get("name"): link.findall(geometry) for link in chain.robot.findall("link")}
    shapes = []
    count = 0
    for owner in [chain.names[0], *chain.moving]:
        parts = []
        for link, R, p in chain.fixed_subtree(owner):
            for element in elements[link]:
                where = f"{geometry} of link {link} of {chain.path}"
                mesh = _shape(element, where, path, packages or {}, read)
                R_here, p_here = frame_of(element, where)
                count += len(mesh.faces)
                if count > MAX_TRIANGLES:
                    raise ValueError(f"{chain.path} must show at most {MAX_TRIANGLES} triangles, got more")
                parts.append(Mesh((mesh.vertices @ R_here.T + p_here) @ R.T + p, mesh.faces))
        shapes.append(merge(parts))
    if count == 0:
        raise ValueError(f"{chain.path} must give its links a <{geometry}> with a <geometry>, got none")
    return shapes


def _shape(element: Any, where: str, path: Any, packages: Any, read: dict[Path, Mesh]) -> Mesh:
    """Return one <geometry> in its own axes; read: the files read so far."""
    shape = element.find("geometry/*")
    match None if shape is None else shape.tag:
        case "box":
            return box(triple_of(shape, "size", where, ""))
        case "cylinder":
            return cylinder(number_of(shape, "radius", where), number_of(shape, "length", where))
        case "sphere":
            return ball(number_of(shape, "radius", where))
        case "mesh":
            file = _file(shape.get("filename", ""), where, path, packages)
            if file not in read:
                read[file] = read_mesh(file)
            return Mesh(read[file].vertices * triple_of(shape, "scale", where, "1 1 1"), read[file].faces)
        case other:
            raise ValueError(f"{where} must be a box, a cylinder, a sphere or a mesh, got {other}")


def _file(name: str, where: str, path: Any, packages: Any) -> Path:
    """Return where a mesh lies: beside the URDF, at an address, or in a package."""
    folder = folder_of(path)
    scheme, _, rest = name.partition("://")
    package, _, inside = rest.partition("/")
    if not rest:
        places = [folder / name]
    elif scheme == "file":
        places = [folder / unquote(rest)]
    elif scheme not in ("package", "model"):
        raise ValueError(f"{where} must be a file, package://... or file://..., got {name}")
    elif package in packages:
        places = [Path(packages[package]) / inside]
    else:
        around = [folder, *folder.parents]
        places = [up / package / inside for up in around] + [up / inside for up in around if up.name == package]
    for place in places:
        if place.is_file():
            return place
    hint = f'; tell where its package is: packages={{"{package}": folder}}' if scheme in ("package", "model") else ""
    raise FileNotFoundError(f"{where} must be a file, got none at {name or 'no name'}{hint}")


# ---- the picture ----------------------------------------------------------------------------------------------------


def paint(ax: Axes, meshes: Any, R: Any, p: Any, colors: Any) -> None:
    """Draw meshes, each turned by R (k, 3, 3) and moved by p (k, 3) m into the axes right, up, toward the viewer."""
    corners = [(mesh.vertices @ turn.T + place)[mesh.faces] for mesh, turn, place in zip(meshes, R, p)]
    triangles = np.concatenate(corners)
    owner = np.repeat(np.arange(len(corners)), [len(part) for part in corners])
    low = triangles.min(axis=(0, 1))
    high = triangles.max(axis=(0, 1))
    pixel = max(high[:2] - low[:2]) / PIXELS or 1.0
    triangles = (triangles - low) / pixel
    visible = depth_buffer(triangles)
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    normals = normals * np.where(normals[:, 2:] < 0, -1, 1)  # files do not agree on which side is outside
    shade = np.clip(normals @ LIGHT, 0, 1)[:, None]
    bright = 0.45 + 0.55 * shade
    paints = np.asarray(colors)[owner] * bright + (1 - bright) * 0.1 + 0.18 * shade**2
    flat = np.where(visible[..., None] >= 0, np.c_[np.clip(paints, 0, 1), np.ones(len(paints))][visible], 0)
    rows = visible.shape[0] // 2
    columns = visible.shape[1] // 2
    mean = flat.reshape(rows, 2, columns, 2, 4).mean(axis=(1, 3))
    mean[..., :3] /= np.maximum(mean[..., 3:], 0.25)
    left, bottom = low[:2] - pixel / 2
    extent = (left, left + 2 * columns * pixel, bottom, bottom + 2 * rows * pixel)
    ax.imshow(mean, origin="lower", extent=extent, aspect=ax.get_aspect(), zorder=3, label="_shapes")


def depth_buffer(triangles: Floats) -> Any:
    """Return for each pixel the number of the triangle (F, 3, 3) that has the largest z there, -1 where none has any.

    Corners in pixels from the center of the first one; rows go along y; their and the columns' number is even.
    """
    columns, rows = (2 * (int(end) // 2 + 1) for end in triangles.max(axis=(0, 1))[:2])
    depth = np.full(rows * columns, -np.inf)
    visible = np.full(rows * columns, -1)
    low = triangles.min(axis=1)
    high = triangles.max(axis=1)
    boxes = np.cumsum(np.prod(high[:, :2] - low[:, :2] + 1, axis=1))
    for part in np.split(np.arange(len(boxes)), np.searchsorted(boxes, np.arange(MAX_PIXELS, boxes[-1], MAX_PIXELS))):
        a, b, c = np.moveaxis(triangles[part], 1, 0)
        which, y = _integer_ranges(low[part, 1], high[part, 1])  # each line of pixels that a triangle meets
        left = np.full(len(y), np.inf)
        right = np.full(len(y), -np.inf)
        for start, end in ((a, b), (b, c), (c, a)):
            rise = (end - start)[which]
            s = start[which]
            level = rise[:, 1] == 0
            share = (y - s[:, 1]) / np.where(level, 1, rise[:, 1])
            x = np.where(level | (share < 0) | (share > 1), np.nan, s[:, 0] + share * rise[:, 0])
            left = np.fmin(left, x)
            right = np.fmax(right, x)
        line, x = _integer_ranges(left, right)
        which = which[line]
        y = y[line]
        normal = np.cross(b - a, c - a)
        slope = normal[:, :2] / np.where(normal[:, 2:] == 0, np.inf, normal[:, 2:])
        z = a[which, 2] - ((np.transpose([x, y]) - a[which, :2]) * slope[which]).sum(axis=1)
        z = np.clip(z, low[part][which, 2], high[part][which, 2])
        pixel = y * columns + x
        np.maximum.at(depth, pixel, z)
        front = z >= depth[pixel]
        visible[pixel[front]] = part[which[front]]
    return visible.reshape(rows, columns)


def _integer_ranges(low: Any, high: Any) -> Any:
    """Return the whole numbers from low to high, one range after the other, and of which range each is."""
    first = np.ceil(np.where(low <= high, low, 1)).astype(int)
    count = np.maximum(np.floor(np.where(low <= high, high, 0)).astype(int) - first + 1, 0)
    which = np.repeat(np.arange(len(count)), count)
    return which, np.arange(len(which)) + np.repeat(first - np.cumsum(count) + count, count)
