"""Descriptions of arms: tables and files of the outside world, equality, and that nothing changes once it is built."""

import dataclasses
import pickle
from xml.etree import ElementTree

import numpy as np
import pytest
import sympy as sp

import robotdyn as rd
from robotdyn.model.robots import random_arm


def dh_product(rows, q, convention):
    """The definition: the product of the four elementary transforms of each row (a, alpha, d, theta), all revolute."""

    def turn(axis, angle):
        c, s = np.cos(angle), np.sin(angle)
        i, j = {"x": (1, 2), "z": (0, 1)}[axis]
        T = np.eye(4)
        T[i, i] = T[j, j] = c
        T[i, j], T[j, i] = -s, s
        return T

    def shift(x, z):
        T = np.eye(4)
        T[0, 3], T[2, 3] = x, z
        return T

    T = np.eye(4)
    for (a, alpha, d, theta), angle in zip(rows, q):
        z, x = turn("z", theta + angle) @ shift(0, d), shift(a, 0) @ turn("x", alpha)
        T = T @ (z @ x if convention == "standard" else x @ z)
    return T


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_dh(convention):
    """The tip of a Denavit-Hartenberg arm is where the product of its elementary transforms puts it."""
    rng = np.random.default_rng(8)
    rows, q, tip = rng.normal(size=(4, 4)), rng.normal(size=4), rng.normal(size=3)
    arm = rd.Arm.from_dh(rows, convention, tip=tip)
    assert np.allclose(rd.point_position(arm, q), (dh_product(rows, q, convention) @ [*tip, 1])[:3], atol=1e-13)


def test_dh_conventions_describe_the_same_planar_arm():
    """With alpha = 0 both tables give the planar arm, whose links are one row apart."""
    inertias, masses = [np.diag([0.1, 0.1, 0.2])] * 2, [1.0, 2.0]
    standard = rd.Arm.from_dh([(1, 0, 0, 0), (2, 0, 0, 0)], masses=masses, coms=[(-0.5, 0, 0), (-1, 0, 0)],
                              inertias=inertias, gravity=(0, -9.81, 0))  # fmt: skip
    modified = rd.Arm.from_dh([(0, 0, 0, 0), (1, 0, 0, 0)], "modified", masses=masses,
                              coms=[(0.5, 0, 0), (1, 0, 0)], inertias=inertias, gravity=(0, -9.81, 0), tip=(2, 0, 0))  # fmt: skip
    planar = rd.robots.planar((1, 2), masses, (0.5, 1), (0.2, 0.2))
    q, qd, qdd = np.random.default_rng(9).normal(size=(3, 2))
    expected = rd.inverse_dynamics(planar, q, qd, qdd)
    assert np.allclose(rd.inverse_dynamics(standard, q, qd, qdd), expected, atol=1e-13)
    assert np.allclose(rd.inverse_dynamics(modified, q, qd, qdd), expected, atol=1e-13)
    assert np.allclose(rd.tip_jacobian(standard, q), rd.tip_jacobian(modified, q), atol=1e-14)


def test_dh_prismatic_joint_slides_along_z():
    """A prismatic row adds q to d: the tip moves along the z axis of the frame before it."""
    arm = rd.Arm.from_dh([(0.2, 0.3, 0.1, 0.4), (0.5, 0.6, 0.7, 0.8)], joints=["revolute", "prismatic"])
    axis = dh_product([(0.2, 0.3, 0.1, 0.4)], [0.9], "standard")[:3, 2]
    moved = rd.point_position(arm, [0.9, 0.25]) - rd.point_position(arm, [0.9, 0])
    assert np.allclose(moved, 0.25 * axis, atol=1e-14)


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_dh_screw_turns_and_slides_along_z(convention):
    """A screw adds q to theta and its pitch times q to d."""
    rows, q, pitch = [(0.2, 0.3, 0.1, 0.4), (0.5, 0.6, 0.7, 0.8)], [0.9, -1.7], 0.06
    arm = rd.Arm.from_dh(rows, convention, joints=["revolute", "screw"], pitches=[0, pitch])
    moved = [rows[0], (0.5, 0.6, 0.7 + pitch * q[1], 0.8)]
    assert np.allclose(rd.point_position(arm, q), dh_product(moved, q, convention)[:3, 3], atol=1e-14)


def test_symbolic_dh():
    """A twist may stay a symbol."""
    alpha = sp.Symbol("alpha", real=True)
    arm = rd.Arm.from_dh([(1, alpha, 0, 0), (1, 0, 0, 0)])
    q = [sp.Rational(1, 3), sp.Rational(1, 5)]
    found = rd.point_position(arm, q).subs(alpha, 0.7).evalf()
    expected = dh_product([(1, 0.7, 0, 0), (1, 0, 0, 0)], [1 / 3, 1 / 5], "standard")[:3, 3]
    assert np.allclose(np.array(found.tolist(), dtype=float).ravel(), expected, atol=1e-14)


def test_a_number_of_links_may_be_any_integer():
    """A count out of an array is a count, and exact numbers stay exact."""
    arm = rd.robots.planar(np.int64(2))
    assert arm == rd.robots.planar(2)
    assert (rd.point_position(arm, [0, 0], np.int64(1)) == [2, 0, 0]).all()
    third = sp.Rational(1, 3)
    assert rd.robots.planar([1], inertias=[third]).links[0].inertia[0, 0] == third / 2


def test_descriptions_never_change():
    """No field can be set, no array written into; equal descriptions are equal and hash alike; pickles come back."""
    arm = rd.robots.two_link()
    with pytest.raises(dataclasses.FrozenInstanceError):
        arm.gravity = (0, 0, 0)
    with pytest.raises(ValueError, match="read-only"):
        arm.links[0].com[0] = 3
    given = np.array([0.5, 0, 0])
    link = rd.Link(1.0, given)
    given[0] = 7
    assert link.com[0] == 0.5
    assert arm == rd.robots.two_link() and hash(arm) == hash(rd.robots.two_link())
    assert arm != rd.robots.two_link((1, 2)) and arm != "an arm"
    assert pickle.loads(pickle.dumps(arm)) == arm


def test_input_is_left_alone():
    """No function writes into the state it is given."""
    arm, (q, qd, qdd) = rd.robots.planar(3), np.random.default_rng(1).normal(size=(3, 3))
    kept = q.copy(), qd.copy(), qdd.copy()
    rd.forward_dynamics(arm, q, qd, qdd, np.ones(6))
    rd.inverse_dynamics(arm, q, qd, qdd, np.ones(6))
    rd.simulate(arm, q, qd, qdd, np.linspace(0, 0.1, 3))
    rd.planar.euler_step(arm, q, qd, qdd, 0.1)
    assert all((a == b).all() for a, b in zip(kept, (q, qd, qdd)))


def test_symbols_stand_for_what_is_not_given():
    """symbolic=True leaves what is given as it is: numbers, exact numbers or other symbols."""
    a, b = sp.symbols("a b", positive=True)
    two = rd.robots.two_link(masses=(2, b), gravity=10, symbolic=True)
    assert [link.mass for link in two.links] == [2, b] and two.gravity[1] == -10
    assert sp.Symbol("l_1", positive=True) in two.links[1].position
    assert rd.robots.uniform_two_link(a, symbolic=True).links[1].com[0] == a / 2
    assert rd.robots.rp(com1=(a, 0), symbolic=True).links[0].com[0] == a
    assert rd.robots.planar((a, 1), symbolic=True).tip[0] == 1


# ---- every entry at once --------------------------------------------------------------------------------------------


def test_map_reaches_every_number_of_an_arm():
    """Doubling every entry doubles each field of each link, gravity and tip; what is given as a field stands there."""
    arm = random_arm(np.random.default_rng(3), 3, ["revolute", "screw", "prismatic"])
    doubled = arm.map(lambda x: 2 * x, {"mass": (1, 2, 3), "tip": np.ones(3)})
    for link, twice, mass in zip(arm.links, doubled.links, (1, 2, 3)):
        words = {"joint", "name", "joint_name", "properties"}
        names = {field.name for field in dataclasses.fields(link)} - {"mass", *words}
        assert all((getattr(twice, name) == 2 * getattr(link, name)).all() for name in names)
        assert twice.mass == mass and all(getattr(twice, word) == getattr(link, word) for word in words)
    assert (doubled.gravity == 2 * arm.gravity).all() and (doubled.tip == 1).all()
    assert isinstance(doubled, rd.Arm) and doubled.dtype == object  # scalars of any kind: nobody has checked them


def test_subs_puts_values_in():
    """By symbol or by name, some or all of them, wherever they stand; what comes out is checked like any arm."""
    sym = rd.robots.rp(symbolic=True)
    names = sorted(map(str, sym.free_symbols))
    assert names == ["I_1", "I_2", "c_1x", "c_1y", "c_2x", "c_2y", "g", "m_1", "m_2"]
    values = dict(zip(names, np.random.default_rng(0).uniform(0.5, 1.0, len(names))))
    arm = sym.subs(values)
    given = {"masses": ("m_1", "m_2"), "com1": ("c_1x", "c_1y"), "com2": ("c_2x", "c_2y"), "inertias": ("I_1", "I_2")}
    assert arm.dtype == float and not arm.free_symbols
    assert arm == rd.robots.rp(**{k: [values[x] for x in v] for k, v in given.items()}, gravity=values["g"])
    m_1 = next(x for x in sym.free_symbols if x.name == "m_1")
    assert {str(x) for x in sym.subs({m_1: 2.0}).free_symbols} == set(names) - {"m_1"}
    with pytest.raises(ValueError, match="mass must be >= 0 kg, got -1"):
        sym.subs({"m_1": -1})


def test_a_traced_arm_is_an_arm():
    """What an algorithm is given while it is traced, and by `derive`, is an Arm, whatever its entries are."""
    seen = []

    def mass(arm, q):
        seen.append(arm)
        return arm.links[0].mass * q[0]

    rd.trace(mass, rd.robots.two_link(), "mass")
    assert isinstance(seen[0], rd.Arm) and seen[0].n == 2 and "Arm of 2 joints" in repr(seen[0])
    with pytest.raises(TypeError, match="simulate computes with numbers alone and cannot be traced"):
        rd.trace(lambda arm, q: rd.simulate(arm, q, q, t=[0, 1]), rd.robots.two_link(), inputs="q")


# ---- what a notebook shows ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arm", [
    rd.robots.planar(2, symbolic=True), rd.robots.puma560(), rd.Arm([rd.Link(0)]),
    random_arm(np.random.default_rng(0), 3, ["prismatic", "screw", "revolute"]),
], ids=repr)  # fmt: skip
def test_a_notebook_shows_a_drawing_and_a_table(arm):
    """Well-formed, with a text for who cannot see it, a mark and a row for each joint, and everything inside the frame."""
    page = ElementTree.fromstring(arm._repr_html_())
    drawing, table = page.find("svg"), page.find("table")
    assert drawing.get("role") == "img" and f"arm of {arm.n} joint" in drawing.get("aria-label")
    assert len(table.findall("tr")) == arm.n + 1
    marks = [path for path in drawing.findall("path") if path.get("fill", "none").startswith("#")]
    assert len(marks) == arm.n
    places = np.array([[float(x) for x in path.get("d")[1:].split()[:2]] for path in drawing.findall("path")])
    size = [float(drawing.get("width")), float(drawing.get("height"))]
    assert (places > 0).all() and (places < size).all()
    told = " ".join(drawing.itertext()).replace(",", " ").split()
    assert {str(number) for number in range(1, arm.n + 1)} <= set(told)
    assert all(ElementTree.fromstring(link._repr_html_()).find("svg") is not None for link in arm.links)
    ElementTree.fromstring(rd.trace(rd.mass_matrix, rd.robots.planar(2), "mass")._repr_html_())


def test_an_arm_says_in_a_line_what_it_is():
    """Joints by their first letters, and the symbols; a link by its joint and mass; a program by its call."""
    sym = rd.robots.planar(2, symbolic=True)
    assert repr(sym) == "<Arm of 2 joints, RR, with the symbols g, l_1, l_2, m_1, m_2>"
    assert repr(rd.Arm([rd.Link(2, joint="prismatic")])) == "<Arm of 1 joint, P>"
    assert repr(rd.Link(2.5, joint="prismatic")) == "<Link: prismatic, mass 2.5 kg>"
    program = rd.trace(rd.gravity_torque, rd.robots.planar((1.0,), (2.0,), gravity=10.0))
    assert repr(program) == "<Program gravity_torque(q), 2 operations>"
