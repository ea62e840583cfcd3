"""Inertia of bodies: closed forms against integrals over the shape, meshes against closed forms, laws of addition."""

import numpy as np
import pytest
import sympy as sp
from scipy.spatial import ConvexHull

import robotdyn as rd

rng = np.random.default_rng(7)
a, b, c, x, y, z, r, s, angle = sp.symbols("a b c x y z r s phi", positive=True)
m = sp.Symbol("m", positive=True)
E = np.eye(3)


def integral(point, jacobian, *limits):
    """The definition: m (|p|^2 1 - p p^T), averaged over the points p of a shape, as integrals in its coordinates."""
    p = sp.Matrix(point)
    volume = sp.integrate(jacobian, *limits)
    over = lambda f: sp.integrate(sp.expand(f * jacobian), *limits) / volume
    com = p.applyfunc(over)
    return com, m * (((p - com).dot(p - com) * sp.eye(3) - (p - com) * (p - com).T).applyfunc(over))


turn = (angle, 0, 2 * sp.pi)
on_circle = lambda height: (r * sp.cos(angle), r * sp.sin(angle), height)
polar = (x * r * sp.sin(s) * sp.cos(angle), y * r * sp.sin(s) * sp.sin(angle), z * r * sp.cos(s))
SHAPES = {
    "box": (rd.bodies.box(m, (a, b, c)), (x, y, z), 1, [(x, -a / 2, a / 2), (y, -b / 2, b / 2), (z, -c / 2, c / 2)]),
    "cylinder": (rd.bodies.cylinder(m, a, c), on_circle(z), r, [(r, 0, a), turn, (z, -c / 2, c / 2)]),
    "tube": (rd.bodies.cylinder(m, a, c, b), on_circle(z), r, [(r, b, a), turn, (z, -c / 2, c / 2)]),
    "rod": (rd.bodies.rod(m, c), (0, 0, z), 1, [(z, -c / 2, c / 2)]),
    "cone": (rd.bodies.cone(m, a, c), on_circle(z), r, [(r, 0, a * z / c), turn, (z, 0, c)]),
    "ellipsoid": (rd.bodies.ellipsoid(m, (x, y, z)), polar, r**2 * sp.sin(s), [(r, 0, 1), (s, 0, sp.pi), turn]),
    "sphere": (
        rd.bodies.sphere(m, x),
        [p.subs({y: x, z: x}) for p in polar],
        r**2 * sp.sin(s),
        [(r, 0, 1), (s, 0, sp.pi), turn],
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_has_the_inertia_of_its_points(name):
    """m, c and I of every named shape are the integrals over it, for all its sizes."""
    body, *shape, limits = SHAPES[name]
    com, inertia = integral(*shape, *limits)
    assert sp.simplify(sp.Matrix(body.com) - com).is_zero_matrix
    assert sp.simplify(sp.Matrix(body.inertia) - inertia).is_zero_matrix
    assert body.mass == m


def random_rotation():
    """Some rotation."""
    return rd.rotations.exp(rng.normal(size=3))


def cloud(k=5):
    """Masses (k,) and positions (k, 3) of some points, away from the origin."""
    return rng.uniform(0.2, 1, k), rng.normal(size=(k, 3)) + 2


def about(masses, positions, point):
    """The definition of the inertia about a point."""
    return sum(mass * ((d @ d) * E - np.outer(d, d)) for mass, d in zip(masses, positions - point))


def same(body, other, tolerance=1e-12):
    """Two bodies are one."""
    sizes = zip((*body,), (*other,))
    return all(
        np.allclose(mine, yours, rtol=0, atol=tolerance * (1 + abs(np.asarray(yours)).max())) for mine, yours in sizes
    )


def test_points_have_the_inertia_of_the_definition():
    """Mass, first moment, second moment and the inertia about any point are sums over the points."""
    masses, positions = cloud()
    body, point = rd.bodies.points(masses, positions), rng.normal(size=3)
    from_com = positions - masses @ positions / masses.sum()
    assert body.mass == pytest.approx(masses.sum())
    assert np.allclose(body.first_moment(point), masses @ (positions - point))
    assert np.allclose(body.about(point), about(masses, positions, point))
    assert np.allclose(body.second_moment, np.einsum("k,ki,kj->ij", masses, from_com, from_com))


def test_the_mass_matrix_gives_the_energy_of_the_points():
    """Twice the energy of points that move with v + omega x d is V . M V, about any point, and D M D^T moves the point."""
    masses, positions = cloud()
    body, point, offset = rd.bodies.points(masses, positions), *rng.normal(size=(2, 3))
    v, omega = V = rng.normal(size=(2, 3))
    speeds = v + np.cross(omega, positions - point)
    M = body.mass_matrix(point)
    assert V.ravel() @ M @ V.ravel() == pytest.approx(masses @ (speeds**2).sum(axis=1))
    D = rd.change_of_reference(offset)
    assert np.allclose(D @ M @ D.T, body.mass_matrix(point + offset))
    there = np.concatenate([v + np.cross(omega, offset), omega])
    assert np.allclose(D.T @ there, V.ravel())
    assert np.allclose(D @ [*(f := rng.normal(size=3)), *np.cross(offset, f)], [*f, 0, 0, 0])  # f acts at the new point


def test_the_mass_matrix_is_the_spatial_inertia_in_the_other_order():
    """rd.spatial puts the angular part first."""
    body = rd.bodies.points(*cloud())
    order = [3, 4, 5, 0, 1, 2]
    assert np.allclose(body.mass_matrix()[np.ix_(order, order)], rd.spatial.inertia(*body))


def test_a_body_is_the_sum_of_its_parts():
    """A box cut in two; a hole that is plugged; a bar of points turned and moved as a whole or one by one."""
    whole = rd.bodies.box(6, (3, 1, 2))
    left, right = rd.bodies.box(2, (1, 1, 2)).at((-1, 0, 0)), rd.bodies.box(4, (2, 1, 2)).at((0.5, 0, 0))
    assert same(left + right, whole)
    plug = rd.bodies.cylinder(0.5, 0.1, 1).at((0.3, 0.2, 0.1), random_rotation())
    assert same(whole - plug + plug, whole)
    (masses, positions), R, p = cloud(), random_rotation(), rng.normal(size=3)
    assert same(rd.bodies.points(masses, positions).at(p, R), rd.bodies.points(masses, positions @ R.T + p))


def test_principal_axes():
    """I = A diag(moments) A^T with a rotation A, and the moments of an ellipsoid that was turned come back."""
    body, R = rd.bodies.ellipsoid(2, (0.3, 0.2, 0.1)), random_rotation()
    moments, A = body.at((1, 2, 3), R).principal()
    assert np.allclose(moments, 2 / 5 * np.array([0.2**2 + 0.1**2, 0.3**2 + 0.1**2, 0.3**2 + 0.2**2]))
    assert np.allclose(A @ np.diag(moments) @ A.T, R @ body.inertia @ R.T)
    assert np.allclose(A.T @ A, E) and np.linalg.det(A) == pytest.approx(1)
    assert np.allclose(abs(A.T @ R), E, atol=1e-7)


def test_a_link_takes_a_body():
    """rd.Link(*body) has its mass, center of mass and inertia."""
    body = rd.bodies.cone(2, 0.1, 0.3)
    link = rd.Link(*body, joint="prismatic")
    assert link.mass == 2 and np.all(link.com == body.com) and np.all(link.inertia == body.inertia)


# ---- meshes ---------------------------------------------------------------------------------------------------------


def outward(points):
    """The vertices and outward triangles of the convex hull of points."""
    hull = ConvexHull(points)
    faces = [
        face if np.dot(np.cross(*(points[face[1:]] - points[face[0]])), normal[:3]) > 0 else face[::-1]
        for face, normal in zip(hull.simplices, hull.equations)
    ]
    return points, np.array(faces)


CUBE = np.array([(i, j, k) for i in (-0.5, 0.5) for j in (-0.5, 0.5) for k in (-0.5, 0.5)])


def test_a_mesh_of_a_box_is_the_box():
    """Wherever the origin lies, inside or far outside."""
    points, faces = outward(CUBE * (1, 2, 3))
    assert rd.bodies.volume(points, faces) == pytest.approx(6)
    R, p = random_rotation(), np.array([5.0, -3, 2])
    assert same(rd.bodies.mesh(4, points, faces), rd.bodies.box(4, (1, 2, 3)))
    assert same(rd.bodies.mesh(4, points @ R.T + p, faces), rd.bodies.box(4, (1, 2, 3)).at(p, R), 1e-10)


def test_a_mesh_of_a_tetrahedron_is_five_points():
    """A uniform tetrahedron has the moments of m/20 at each corner and 4m/5 at the center (exact for quadratics)."""
    points, faces = outward(rng.normal(size=(4, 3)))
    expected = rd.bodies.points([1 / 20] * 4 + [4 / 5], [*points, points.mean(axis=0)])
    assert same(rd.bodies.mesh(1, points, faces), expected)


def test_a_mesh_with_a_notch_is_a_difference():
    """Not convex: an L, whose mesh shares the corners of its two halves, is a box without a box."""
    outline = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 3), (0, 3)])
    flat = [(0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)]
    points = np.array([(*p, h) for h in (0, 0.5) for p in outline])
    sides = [f for i in range(6) for f in ((i, (i + 1) % 6, i + 6), ((i + 1) % 6, (i + 1) % 6 + 6, i + 6))]
    faces = [f[::-1] for f in flat] + [tuple(i + 6 for i in f) for f in flat] + sides
    whole = rd.bodies.box(6, (2, 3, 0.5)).at((1, 1.5, 0.25)) - rd.bodies.box(2, (1, 2, 0.5)).at((1.5, 2, 0.25))
    assert same(rd.bodies.mesh(4, points, faces), whole)


@pytest.mark.parametrize("round_body", [rd.bodies.cylinder(3, 1, 2), rd.bodies.cone(3, 1, 2)])
def test_the_error_of_a_round_mesh_falls_with_the_square(round_body):
    """A prism or pyramid over twice as many corners is four times as close to the cylinder or the cone."""

    def error(n):
        circle = np.array([(np.cos(w), np.sin(w)) for w in np.linspace(0, 2 * np.pi, n, endpoint=False)])
        if round_body.com[2] == 0:
            points = np.array([(*p, h) for p in circle for h in (-1, 1)])
        else:
            points = np.array([(0, 0, 0), *((*p, 2) for p in circle)])
        found = rd.bodies.mesh(3, *outward(points))
        return abs(found.inertia - round_body.inertia).max() + abs(found.com - round_body.com).max()

    assert error(40) / error(80) == pytest.approx(4, rel=0.02)
