"""Shapes of a URDF file: the same triangles from every format, in the frames of the links, and the nearest one seen."""

import re
import struct
import sys
from itertools import product

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from peer_models import carried
from scipy.spatial.transform import Rotation

import robotdyn as rd
from robotdyn.model.meshes import ball, box, cylinder, read_mesh
from robotdyn.show.shapes import depth_buffer

matplotlib.use("Agg")
CORNERS = np.array([[0, 0, 0], [2, 0, 0], [0, 3, 0], [0, 0, 4]]) / 8  # a tetrahedron; eighths are exact in every format
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def binary_stl(triangles, header=b"solid in name alone"):
    records = [struct.pack("<12fH", 0, 0, 0, *np.ravel(corners), 0) for corners in triangles]
    return header.ljust(80) + struct.pack("<I", len(triangles)) + b"".join(records)


def text_stl(triangles):
    facets = ["".join("vertex {} {} {}\n".format(*corner) for corner in corners) for corners in triangles]
    loops = "".join(f"facet normal 0 0 0\nouter loop\n{facet}endloop\nendfacet\n" for facet in facets)
    return f"solid tetrahedron\n{loops}endsolid tetrahedron\n".encode()


def obj(points, faces, number="{0}//1"):
    return "\n".join(
        [
            *("v {} {} {} 0.5 0.5 0.5".format(*p) for p in points),
            *("f " + " ".join(map(number.format, f)) for f in faces),
        ]
    ).encode()


GOOD = {
    "binary.stl": binary_stl(CORNERS[FACES]),
    "text.STL": text_stl(CORNERS[FACES]),
    "plain.obj": b"# a comment\no name\n" + obj(CORNERS, FACES + 1),
    "backwards.obj": obj(CORNERS, FACES - 4, "{0}/2/1"),
}


def volume(mesh):
    """By the divergence theorem: > 0 where all triangles turn counterclockwise, seen from outside."""
    return np.linalg.det(mesh.vertices[mesh.faces]).sum() / 6


@pytest.mark.parametrize("name", GOOD)
def test_every_format_holds_the_same_triangles(name, tmp_path):
    (tmp_path / name).write_bytes(GOOD[name])
    vertices, faces = read_mesh(tmp_path / name)
    assert np.array_equal(vertices[faces], CORNERS[FACES])


def test_a_polygon_is_a_fan(tmp_path):
    """A square given as one face has the area of the square."""
    (tmp_path / "square.obj").write_bytes(obj([[0, 0, 1], [2, 0, 1], [2, 2, 1], [0, 2, 1]], [[1, 2, 3, 4]], "{0}"))
    assert volume(read_mesh(tmp_path / "square.obj")) == pytest.approx(4 / 3)  # of the pyramid above the origin


def test_primitives_bound_their_volumes():
    """A box is exact; what is round is inscribed, with an error that is of second order in the angle of a side."""
    assert volume(box((1, 2, 3))) == pytest.approx(6)
    assert np.ptp(box((1, 2, 3)).vertices, axis=0) == pytest.approx([1, 2, 3])
    assert 0.99 < volume(cylinder(0.2, 3)) / (np.pi * 0.04 * 3) < 1
    assert 0.99 < volume(ball(0.2)) / (4 / 3 * np.pi * 0.008) < 1
    assert np.linalg.norm(ball(0.2).vertices, axis=1) == pytest.approx(0.2)
    assert np.ptp(cylinder(0.2, 3).vertices[:, 2]) == 3


# ---- a file ---------------------------------------------------------------------------------------------------------

URDF = """<robot name="r">
<link name="base"><visual><geometry><box size="1 2 3"/></geometry></visual></link>
<link name="arm"><visual><origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><geometry>{shape}</geometry></visual></link>
<link name="hand"><visual><origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry></visual></link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 2" rpy="0.3 0 0"/></joint>
<joint name="k" type="fixed"><parent link="arm"/><child link="hand"/><origin xyz="0 5 0" rpy="0 0 1.2"/></joint>
</robot>"""
WITH_MESH = '<mesh filename="package://made/plain.obj" scale="1 2 -3"/>'


@pytest.fixture
def urdf(tmp_path):
    """Return a function that writes the file with a shape, and the path of it."""
    for name, data in GOOD.items():
        (tmp_path / name).write_bytes(data)

    def write(shape):
        (tmp_path / "arm.urdf").write_text(URDF.format(shape=shape), encoding="utf8")
        return tmp_path / "arm.urdf"

    return write


def test_shapes_stand_in_the_axes_of_their_links(urdf, tmp_path):
    """Scaled, then turned by fixed-axis roll, pitch, yaw, then moved; what a link carries by a fixed joint is part of it."""
    base, link = rd.show.shapes_of_urdf(urdf(WITH_MESH), packages={"made": tmp_path})
    assert np.ptp(base.vertices, axis=0) == pytest.approx([1, 2, 3])
    turned = Rotation.from_euler("xyz", [0.4, 0.5, 0.6]).apply(CORNERS * [1, 2, -3]) + [0.1, 0.2, 0.3]
    assert link.vertices[:4] == pytest.approx(turned)
    center = [np.cos(1.2), 5 + np.sin(1.2), 0]
    assert np.linalg.norm(link.vertices[4:] - center, axis=1) == pytest.approx(0.1)
    with pytest.raises(ValueError, match="must give its links a <collision> with a <geometry>, got none"):
        rd.show.shapes_of_urdf(urdf(WITH_MESH), packages={"made": tmp_path}, geometry="collision")


def test_a_file_that_serves_twice_has_each_time_its_own_scale(urdf, tmp_path):
    """As the mirrored finger of a hand has it: read once, scaled where it stands."""
    path = urdf('<mesh filename="plain.obj" scale="1 2 -3"/>')
    text = path.read_text(encoding="utf8")
    path.write_text(
        text.replace('<sphere radius="0.1"/>', '<mesh filename="plain.obj" scale="1 -1 1"/>'), encoding="utf8"
    )
    _, link = rd.show.shapes_of_urdf(path)
    first = Rotation.from_euler("xyz", [0.4, 0.5, 0.6]).apply(CORNERS * [1, 2, -3]) + [0.1, 0.2, 0.3]
    second = Rotation.from_euler("z", 1.2).apply(CORNERS * [1, -1, 1] + [1, 0, 0]) + [0, 5, 0]
    assert link.vertices == pytest.approx(np.concatenate([first, second]))


@pytest.mark.parametrize(
    "name", ["plain.obj", "{here}/plain.obj", "file://{here}/plain.obj", "package://{folder}/plain.obj"]
)
def test_addresses(urdf, tmp_path, name):
    """A mesh lies beside the URDF, anywhere by its address, or in a package whose folder is around the URDF."""
    name = name.format(here=tmp_path, folder=tmp_path.name)
    assert rd.show.shapes_of_urdf(urdf(f'<mesh filename="{name}"/>'))[1].faces[:4].tolist() == FACES.tolist()


@pytest.mark.parametrize("look", [{"plane": "xz"}, {"view": (30, 20)}])
def test_shapes_are_drawn_where_the_links_are(urdf, look):
    """The picture ends where the vertices do, R_i v + p_i; it looks along the axis of the plane, or from the viewer's place."""
    path, q = urdf('<mesh filename="plain.obj"/>'), [0.7]
    arm, shapes = rd.Arm.from_urdf(path), rd.show.shapes_of_urdf(path)
    ax = rd.show.draw_arm(arm, q, Figure().subplots(), shapes=shapes, **look)
    R, p = rd.link_poses(arm, q)
    points = np.vstack([shapes[0].vertices, shapes[1].vertices @ R[0].T + p[0]])
    across = np.array([[1, 0, 0], [0, 0, 1]])
    if "view" in look:
        az, el = np.radians(look["view"])
        across = np.array(
            [[-np.sin(az), np.cos(az), 0], [-np.cos(az) * np.sin(el), -np.sin(az) * np.sin(el), np.cos(el)]]
        )
    seen = points @ across.T
    (image,) = ax.get_images()
    left, right, bottom, top = image.get_extent()
    pixel = np.ptp(seen, axis=0).max() / 800
    assert [left, bottom] == pytest.approx(seen.min(axis=0), abs=2 * pixel)
    assert [right, top] == pytest.approx(seen.max(axis=0), abs=2 * pixel)
    solid = image.get_array()[..., 3] > 0.5
    rows, columns = np.nonzero(solid)
    assert rows.min() <= 2 and columns.min() <= 2
    assert rows.max() >= solid.shape[0] - 3 and columns.max() >= solid.shape[1] - 3
    assert not ax.get_lines()


def test_the_nearest_triangle_is_seen():
    """At each pixel, the triangle with the largest z of those that the line of sight meets, found one by one."""
    rng = np.random.default_rng(4)
    triangles = rng.uniform(0, 9, (25, 1, 3)) + rng.uniform(-5, 5, (25, 3, 3))
    triangles -= triangles.min(axis=(0, 1))
    seen = depth_buffer(triangles)
    assert {-1} < set(seen.flat)
    for y, x in np.ndindex(seen.shape):
        depths = np.full(25, -np.inf)
        for k, corners in enumerate(triangles):
            weights = np.linalg.solve(np.vstack([corners[:, :2].T, np.ones(3)]), [x, y, 1])
            if (weights >= 0).all():
                depths[k] = weights @ corners[:, 2]
        assert seen[y, x] == (depths.argmax() if np.isfinite(depths).any() else -1)


# ---- what others made -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("package", "name", "tip", "geometry"),
    [
        ("example-robot-data", "panda.urdf", "panda_hand_tcp", "collision"),
        pytest.param("example-robot-data", "ur5_robot.urdf", "tool0", "visual", marks=pytest.mark.slow),
        ("example-robot-data", "xarm7.urdf", "link7", "visual"),
    ],
)
def test_real_arms_are_where_pinocchio_has_them(package, name, tip, geometry):
    """At a random pose, what bounds each link (STL, Collada, boxes) in base axes is what bounds it in Pinocchio."""
    path = carried(package, name)
    pin, coal = pytest.importorskip("pinocchio"), pytest.importorskip("coal")
    if ".dae" in path.read_text(encoding="utf-8") and geometry == "visual":
        pytest.importorskip("trimesh")
        pytest.importorskip("collada")
    arm, shapes = rd.Arm.from_urdf(path, tip), rd.show.shapes_of_urdf(path, tip, geometry=geometry)
    tree = pin.buildModelFromUrdf(str(path))
    kind = pin.GeometryType.VISUAL if geometry == "visual" else pin.GeometryType.COLLISION
    model = pin.buildGeomFromUrdf(tree, str(path), kind, package_dirs=[str(folder) for folder in path.parents])
    q = np.random.default_rng(6).normal(size=tree.nq) * (np.arange(tree.nq) < arm.n)  # the fingers stay at zero
    data = model.createData()
    pin.updateGeometryPlacements(tree, tree.createData(), model, data, q)
    theirs = [[] for _ in shapes]
    for part, place in zip(model.geometryObjects, data.oMg):
        cuboid = isinstance(part.geometry, coal.Box)
        points = (
            np.array(list(product(*np.outer(part.geometry.halfSide, [-1, 1])))) if cuboid else part.geometry.vertices()
        )
        theirs[min(part.parentJoint, arm.n)].append(points @ place.rotation.T + place.translation)
    R, p = rd.link_poses(arm, q[: arm.n])
    for mesh, turn, origin, parts in zip(shapes, [np.eye(3), *R], [np.zeros(3), *p], theirs):
        ours, points = mesh.vertices @ turn.T + origin, np.vstack(parts)
        assert ours.min(axis=0) == pytest.approx(points.min(axis=0), abs=1e-6)  # they have read float32
        assert ours.max(axis=0) == pytest.approx(points.max(axis=0), abs=1e-6)


# ---- bad files ------------------------------------------------------------------------------------------------------

BAD = {
    "cut.stl": (GOOD["binary.stl"][:-10], "must be as long as its 4 triangles of 50 bytes, got 274 bytes in all"),
    "boast.stl": (
        b"x" * 80 + b"\xff" * 4 + b"x" * 50,
        "as long as its 4294967295 triangles of 50 bytes, got 134 bytes",
    ),
    "short.stl": (b"", "got 0 bytes in all"),
    "none.stl": (binary_stl([]), "must hold triangles, got none"),
    "nan.stl": (binary_stl([[[0, 0, 0], [1, np.nan, 0], [0, 0, 1]]]), "must hold finite coordinates, got nan"),
    "text.stl": (
        GOOD["text.STL"][:-40],
        "must have three vertices in each facet, and an end, got a text that breaks off",
    ),
    "word.stl": (GOOD["text.STL"].replace(b"0.25", b"1,25"), "must hold finite coordinates, got a word"),
    "far.obj": (obj(CORNERS, [[1, 2, 5]]), "must be one of its 4 vertices, got number 5 in face 1"),
    "zero.obj": (obj(CORNERS, [[1, 2, 3], [0, 1, 2]]), "must be one of its 4 vertices, got number 0 in face 2"),
    "huge.obj": (obj(CORNERS, [[1, 2, 10**30]]), "must be one of its 4 vertices, got far more"),
    "word.obj": (obj(CORNERS, [["a", 1, 2]]), "line 5 of"),
    "flat.obj": (b"v 1 2\n", "line 1 of"),
    "inf.obj": (obj([[0, 0, np.inf], *CORNERS], FACES + 1), "must hold finite coordinates, got inf"),
    "broken.dae": (b"<COLLADA>", "must be a mesh that trimesh reads, got "),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_mesh_is_told_in_a_sentence(name, tmp_path):
    data, sentence = BAD[name]
    (tmp_path / name).write_bytes(data)
    if name.endswith(".dae"):
        pytest.importorskip("trimesh")
    with pytest.raises(ValueError, match=re.escape(sentence)):
        read_mesh(tmp_path / name)


@pytest.mark.parametrize(
    ("shape", "sentence"),
    [
        ('<mesh filename="absent.stl"/>', "visual of link arm of {path} must be a file, got none at absent.stl"),
        ('<mesh filename="package://a/b.stl"/>', 'tell where its package is: packages={{"a": folder}}'),
        ('<mesh filename="/dev/zero"/>', "must be a file, got none at /dev/zero"),
        ('<mesh filename="http://x/b.stl"/>', "must be a file, package://... or file://..., got http://x/b.stl"),
        ("<mesh/>", "must be a file, got none at no name"),
        ("<capsule/>", "must be a box, a cylinder, a sphere or a mesh, got capsule"),
        ('<box size="1 2"/>', "must be 3 finite numbers, got '1 2'"),
        ('<sphere radius="nan"/>', "must be 1 finite number, got 'nan'"),
        ('<mesh filename="plain.obj" scale="1"/>', "scale of visual of link arm of {path} must be 3 finite numbers"),
    ],
)
def test_a_bad_shape_is_told_in_a_sentence(urdf, shape, sentence):
    path = urdf(shape)
    with pytest.raises((ValueError, FileNotFoundError), match=re.escape(sentence.format(path=path))):
        rd.show.shapes_of_urdf(path)


def test_too_many_triangles_are_refused_before_they_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr("robotdyn.model.meshes.MAX_TRIANGLES", 3)
    for name in ("text.STL", "plain.obj"):
        (tmp_path / name).write_bytes(GOOD[name])
        with pytest.raises(ValueError, match="must be a mesh of at most 3 triangles, got"):
            read_mesh(tmp_path / name)


def test_what_else_is_refused(urdf, tmp_path, monkeypatch):
    path = urdf(WITH_MESH.replace("plain.obj", "other.dae"))
    (tmp_path / "other.dae").write_text("", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(ImportError, match="pip install trimesh pycollada"):
        rd.show.shapes_of_urdf(path, packages={"made": tmp_path})
    with pytest.raises(ValueError, match='geometry must be "visual" or "collision", got \'mesh\''):
        rd.show.shapes_of_urdf(path, geometry="mesh")
    with pytest.raises(ValueError, match=r"shapes must be 3 meshes, of the base and of each link, .* got 1"):
        rd.show.draw_arm(rd.robots.two_link(), [0, 0], Figure().subplots(), shapes=[box((1, 1, 1))])
