"""Dynamics in few operations: the torques of the readable recursions, for every kind of joint and of frame, and how few."""

from dataclasses import replace

import numpy as np
import pytest
from arms import MIXES, NAMED, arm_and_state, named_arm_and_state, nearly_singular_arm

import robotdyn as rd
from robotdyn.dynamics.recursive import forward_dynamics_minimal
from robotdyn.maths.namespace import alternatives_of
from robotdyn.maths.spatial import rotation
from robotdyn.model.reduced_links import reduced_links
from robotdyn.model.robots import random_arm

X, Z = np.eye(3)[0], np.eye(3)[2]


def worst(arm, q, qd, qdd, w):
    """Return by how much the lean ways are off at one state, beside the largest entry of each result."""
    arm = replace(arm, links=[replace(link, motor_inertia=0.1 * i) for i, link in enumerate(arm.links)])
    given = {
        rd.inverse_dynamics: (q, qd, qdd, w),
        rd.mass_matrix: (q,),
        rd.bias_torque: (q, qd),
        rd.gravity_torque: (q,),
    }
    off = []
    for text, state in given.items():
        (lean,) = alternatives_of(text)
        expected = text(arm, *state)
        off.append(abs(lean(arm, *state) - expected).max() / max(1e-3, abs(expected).max()))
    tau = rd.inverse_dynamics(arm, q, qd, qdd, w)
    moved = rd.inverse_dynamics(arm, q, qd, forward_dynamics_minimal(arm, q, qd, tau, w), w)
    return max(*off, abs(moved - tau).max() / abs(tau).max())


@pytest.mark.parametrize("mix", MIXES)
def test_every_mix_of_joints(mix):
    """Torques, mass matrix, bias, gravity and accelerations, with rotors, a tip wrench and gravity from anywhere."""
    assert worst(*arm_and_state(mix)) < 1e-12


@pytest.mark.parametrize("name", NAMED)
def test_robots_with_right_angles(name):
    """Axes that meet, run in parallel or in one line, and gravity along the first of them."""
    assert worst(*named_arm_and_state(name)) < 1e-12


@pytest.mark.parametrize("seed", range(24))
def test_axes_in_special_positions(seed):
    """Parallel, turned around, nearly parallel, in one line, meeting: in any order, in a chain and in a tree, links on and off axes."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    arm, links = random_arm(rng, n, rng.choice(["revolute", "prismatic", "screw"], n, p=[0.6, 0.2, 0.2])), []
    for link in arm.links:
        angle, about = (
            rng.choice([0, 0, np.pi, np.pi / 2, -np.pi / 2, 0.7, 1e-3, 1e-8, 1e-15]),
            rng.choice([0, np.pi / 2, 0.4]),
        )
        position = rng.choice([0, 0, 0.3, -1.1], 3)
        com = link.com * rng.choice([0, 1], 3)
        links.append(
            replace(link, axis=Z, position=position, com=com, rotation=rotation(Z, about) @ rotation(X, angle))
        )
    state = (*rng.normal(size=(3, n)), rng.normal(size=6))
    assert worst(replace(arm, links=links), *state) < 1e-12
    parents = [-1, *(int(rng.integers(-1, i)) for i in range(1, n))]
    assert worst(replace(arm, links=links, parents=parents), *state) < 1e-12


def test_links_without_mass_and_nearly_singular_ones():
    """A base that floats on joints without mass; links of a gram; a single hinge whose mass is all on its axis."""
    rng = np.random.default_rng(4)
    floating = rd.floating(arm_and_state("rr")[0], rd.Body(2, (0.1, 0.2, 0), 0.3 * np.eye(3)))
    for arm in (floating, nearly_singular_arm(), rd.Arm([rd.Link(1, (0, 0, 2), np.diag([1, 1, 0.5]))])):
        assert worst(arm, *rng.normal(size=(3, arm.n)), rng.normal(size=6)) < 1e-12


@pytest.mark.parametrize("free", ["mass", "com", "inertia", "position", "pitch", "motor_inertia", "gravity", "tip"])
def test_what_stays_free_may_have_any_value(free):
    """Programs of the lean ways take values that the arm did not have when they were made."""
    arm, q, qd, qdd, w = arm_and_state("psrs")
    other = replace(random_arm(np.random.default_rng(8), 4, ["prismatic", "screw", "revolute", "screw"]))
    if free in ("gravity", "tip"):
        value = getattr(other, free)
        changed = replace(arm, **{free: value})
    else:
        value = np.stack([0.2 if free == "motor_inertia" else getattr(link, free) for link in other.links])
        changed = replace(arm, links=[replace(link, **{free: x}) for link, x in zip(arm.links, value)])
    (lean,) = alternatives_of(rd.inverse_dynamics)
    program = rd.trace(lean, arm, free, ("q", "qd", "qdd", "tip_wrench"))
    expected = rd.inverse_dynamics(changed, q, qd, qdd, w)
    assert abs(np.array(program(q, qd, qdd, w, **{free: value}), float) - expected).max() < 1e-12 * abs(expected).max()


def test_seven_numbers_a_hinge_are_left():
    """As many as can be known of an arm of hinges: three of the first link, where gravity is across its axis."""
    arm = arm_and_state("rrrrr")[0]
    left = sum(
        np.count_nonzero(x)
        for piece in reduced_links(arm)[0][1:]
        for x in (piece.mass, piece.moment, np.triu(piece.second))
    )
    last_turned = 1  # the frame of the last link is turned so that one more is zero
    assert left + last_turned + 3 == len(rd.base_parameters(arm))
    assert all((abs(piece.rotation).max(axis=0) == 1).any() for piece in reduced_links(arm)[0][1:])  # about x alone


@pytest.mark.parametrize("seed", range(3))
def test_few_operations(seed):
    """Any seven hinges: fewer than 92 n - 127 products and 81 n - 117 sums for torques, 2,000 for accelerations.

    Khalil and Kleinfinger (1987) count products and sums; we count sines, cosines and changes of sign, too.
    """
    arm = random_arm(np.random.default_rng(seed), 7, ["revolute"] * 7)
    assert rd.specialize(rd.inverse_dynamics, arm, "python").operations < 92 * 7 - 127 + 81 * 7 - 117
    assert rd.specialize(rd.forward_dynamics, arm, "python").operations < 2000
