"""Joint types: a record says how a joint moves, every algorithm obeys it, and a new type needs nothing but its record."""

import dataclasses

import numpy as np
import pytest
import sympy as sp
from arms import violation
from matplotlib.figure import Figure

import robotdyn as rd
from robotdyn.laws import LOOSE, slope
from robotdyn.maths.namespace import namespace
from robotdyn.maths.spatial import rotation, skew
from robotdyn.model.joints import JOINTS, Joint


def crank_transform(link, q):
    """Turn about an axis through the center of mass of the link, so that its origin moves on a circle."""
    xp = namespace(link, q)
    R, p, c = xp.array(link.rotation), xp.array(link.position), xp.array(link.com)
    turn = rotation(xp.array(link.axis), q)
    return R @ turn, p + R @ (c - turn @ c)


def crank_motion(link):
    xp = namespace(link)
    axis = xp.array(link.axis)
    return xp.concatenate([axis, skew(xp.array(link.com)) @ axis])


@pytest.fixture
def crank(monkeypatch):
    """A joint type that the library does not have, for as long as a test runs."""
    monkeypatch.setitem(JOINTS, "crank", Joint(crank_transform, crank_motion, "rad", (-1, 1), True, "hinge"))
    return "crank"


def state(joints, seed=1):
    """A random arm with these joints, and random q, qd, qdd, tip wrench."""
    rng = np.random.default_rng(seed)
    return (rd.robots.random_arm(rng, len(joints), joints), *rng.normal(size=(3, len(joints))), rng.normal(size=6))


@pytest.mark.parametrize("joint", [*JOINTS, "crank"])
def test_motion_is_the_velocity_of_the_transform(joint, crank):
    """S = (omega, v) in link axes:  skew(omega) = R^T dR/dq,  v = R^T dp/dq."""
    link, kind = state([joint])[0].links[0], JOINTS[joint]
    for q in (0.0, 0.7, -3.1):
        R, _ = kind.transform(link, q)
        dR = slope(lambda x: kind.transform(link, x)[0], q)
        dp = slope(lambda x: kind.transform(link, x)[1], q)
        S = kind.motion(link)
        np.testing.assert_allclose(R.T @ dR, skew(S[:3]), atol=1e-9)
        np.testing.assert_allclose(R.T @ dp, S[3:], atol=1e-9)


@pytest.mark.parametrize("joint", JOINTS)
def test_pictures_know_each_joint(joint):
    """tau qd is a power in W, a range has two ends, a joint of a period turns back into its pose after 2 pi."""
    kind, link = JOINTS[joint], state([joint])[0].links[0]
    assert kind.units["tau"] == {"rad": "N m", "m": "N"}[kind.units["q"]] and kind.units["qd"] == f"{kind.units['q']}/s"
    assert kind.range[0] < kind.range[1]
    there, back = kind.transform(link, 0.3), kind.transform(link, 0.3 + 2 * np.pi)
    assert kind.periodic == all(np.allclose(a, b) for a, b in zip(there, back))


def test_a_new_type_is_one_record(crank):
    """A fourth type obeys all laws, in every algorithm, formula, program and picture, beside the three others."""
    arm, q, qd, qdd, w = state(["revolute", crank, "screw", crank, "prismatic"])
    assert violation(arm, q, qd, qdd, w) < LOOSE
    fast = rd.specialize(rd.forward_dynamics, arm, "numpy")
    np.testing.assert_allclose(fast(q, qd, qdd), rd.forward_dynamics(arm, q, qd, qdd), rtol=1e-10)
    ax = rd.show.draw_arm(arm, q, Figure().subplots())
    assert [line for line in ax.get_lines() if line.get_label() in ("_joint 2", "_joint 4")]
    figure = rd.show.explore(arm)
    assert [joint["drawing"] for joint in figure.spec["joints"]] == ["hinge", "hinge", "thread", "hinge", "sleeve"]

    arm, q, qd, *_ = state([crank, "revolute"])
    eqs = rd.derive(arm)
    M, C, g = sp.lambdify([list(eqs.q), list(eqs.qd)], [eqs.M, eqs.C, eqs.g])(q, qd)
    np.testing.assert_allclose(M, rd.mass_matrix(arm, q), atol=1e-12)
    np.testing.assert_allclose(C, rd.coriolis_matrix(arm, q, qd), atol=1e-12)
    np.testing.assert_allclose(g[:, 0], rd.gravity_torque(arm, q), atol=1e-11)


@pytest.mark.parametrize("wrong", [(a, b) for a in JOINTS for b in JOINTS if a != b])
def test_a_wrong_record_breaks_a_law(wrong, monkeypatch):
    """Where the motion is that of another type than the transform, the laws say so."""
    record = dataclasses.replace(JOINTS[wrong[0]], motion=JOINTS[wrong[1]].motion, parameters=("pitch",))
    monkeypatch.setitem(JOINTS, "wrong", record)
    assert violation(*state(["revolute", "wrong", "revolute"])) > 1e-3


# ---- the screw ------------------------------------------------------------------------------------------------------


def changed(arm, **fields):
    return dataclasses.replace(arm, links=[dataclasses.replace(link, **fields) for link in arm.links])


def test_a_screw_without_pitch_is_a_hinge():
    """Pitch 0: every term of the equation of motion is that of the revolute joint."""
    arm, q, qd, qdd, w = state(["revolute"] * 3)
    screws = changed(arm, joint="screw", pitch=0)
    expected = rd.inverse_dynamics(arm, q, qd, qdd, w)
    np.testing.assert_allclose(rd.inverse_dynamics(screws, q, qd, qdd, w), expected, rtol=1e-12)


def test_a_screw_with_a_long_pitch_is_a_slide():
    """Pitch h to infinity, h q kept: the link hardly turns, and tau / h is the force of the prismatic joint."""
    slides, x, xd, xdd, _ = state(["prismatic"] * 3)
    h = 1e7
    force = rd.inverse_dynamics(changed(slides, joint="screw", pitch=h), x / h, xd / h, xdd / h) / h
    np.testing.assert_allclose(force, rd.inverse_dynamics(slides, x, xd, xdd), rtol=1e-5)


def test_a_nut_on_an_upright_spindle():
    """(m h^2 + I) qdd + m g h = tau, and one turn lifts the nut by 2 pi h: by hand."""
    m, I, g, h = sp.symbols("m I g h", positive=True)
    nut = rd.Arm([rd.Link(m, inertia=sp.eye(3) * I, joint="screw", pitch=h)], gravity=(0, 0, -g))
    eqs = rd.derive(nut)
    assert sp.expand(eqs.tau[0] - ((m * h**2 + I) * eqs.qdd[0] + m * g * h)) == 0
    assert rd.point_position(nut, [2 * sp.pi])[2] == 2 * sp.pi * h


def test_a_nut_falls_along_its_spindle():
    """q = -1/2 m g h / (m h^2 + I) t^2, by hand; a fast program and a plain simulation find it."""
    m, I, g, h = 0.7, 2e-4, 9.81, 0.01
    nut = rd.Arm([rd.Link(m, inertia=I * np.eye(3), joint="screw", pitch=h)], gravity=(0, 0, -g))
    for step in (0.1, 5e-4):
        motion = rd.simulate(nut, [0.0], [0.0], t=np.arange(0, 1 + step / 2, step))
        expected = -m * g * h / (m * h**2 + I) * motion.t**2 / 2
        np.testing.assert_allclose(motion.q[:, 0], expected, rtol=1e-10, atol=1e-12)
