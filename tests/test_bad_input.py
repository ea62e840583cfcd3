"""Bad input ends in a sentence (rule, got, hint), never in a wrong number; the sentences are pinned."""

import dataclasses
import functools
import importlib
import inspect
import pkgutil
import re
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import make_interp_spline

import robotdyn as rd
from robotdyn.dynamics import planar
from robotdyn.symbolic import lagrange

ARM = rd.robots.two_link()
TREE = rd.Arm([*ARM.links, ARM.links[1]], parents=[-1, 0, 0])
XY = np.eye(2, 3)
Q2 = np.zeros(2)
IDLE = lambda t, q, qd: 0 * q
CUBE = np.eye(3)
MOTORS = rd.Arm([replace(link, motor_inertia=1) for link in ARM.links], ARM.gravity, ARM.tip)
PLAN = rd.trajectories
WAY = PLAN.through([0, 1], [[0, 0], [1, 1]], "natural")
WRIST = rd.Arm(
    [rd.Link(0), rd.Link(0, axis=(0, 1, 0)), rd.Link(1, (0.1, 0.2, 0.3), np.eye(3), axis=(1, 0, 0))]
)  # one body on three hinges
HELD = rd.constraints.hold_point(ARM, (1, 0, 0))
BARS, LOOP = rd.constraints.hold_point(rd.robots.planar(3), (1, 0, 0), axes=np.eye(3)[:2]), [0.8, -0.8, 0.8 - np.pi]
TETRA, FACES = [(0, 0, 0), *CUBE], [(0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3)]
Q, QD = sp.symbols("x v", real=True)
X, TIME = sp.Function("X"), sp.Symbol("t")
SENSOR = lambda t, q, qd: np.zeros(3)


def hybrid(force=(0, -1), sensor=SENSOR, selection=(False, True), ki=1, directions=XY):
    """Hybrid control of two joints, along the table and across it, with one thing wrong."""
    still = lambda t: (np.zeros(2),) * 3
    return rd.control.hybrid_force_motion(ARM, still, force, sensor, selection, 1, 1, ki, directions)


SENTENCES = [
    (lambda: rd.mass_matrix(ARM, [0, 0, 0]), ValueError, "q must have shape (2,) for an arm of 2 joints, got (3,)"),
    (lambda: rd.mass_matrix(ARM, 0.0), ValueError, "q must have shape (2,) for an arm of 2 joints, got ()"),
    (lambda: rd.mass_matrix(rd.robots.planar(1), [1, 2]), ValueError,
     "q must have shape (1,) for an arm of 1 joint, got (2,)"),
    (lambda: rd.bias_torque(ARM, [0, 0], [[0, 0, 0]]), ValueError,
     "qd must have shape (2,) for an arm of 2 joints, got (1, 3)"),
    (lambda: rd.mass_matrix(ARM, [0, np.nan]), ValueError,
     "q must be finite, got nan: look for a division by zero before this call"),
    (lambda: rd.forward_dynamics(ARM, [0, 0], [0, 0], [np.inf, 0]), ValueError, "tau must be finite, got inf"),
    (lambda: rd.mass_matrix(ARM, [0, sp.zoo]), ValueError, "q must be finite, got zoo"),
    (lambda: rd.mass_matrix(ARM, "ab"), TypeError, "q must hold real numbers or SymPy expressions, got 'ab'"),
    (lambda: rd.mass_matrix(ARM, [1j, 0]), TypeError, "q must hold real numbers or SymPy expressions, got [1j, 0]"),
    (lambda: rd.mass_matrix(ARM, [None, 0]), TypeError, "q must hold real numbers or SymPy expressions, got [None, 0]"),
    (lambda: rd.mass_matrix(ARM, [[1], [1, 2]]), TypeError, "q must hold real numbers or SymPy expressions, got [[1], [1, 2]]"),
    (lambda: rd.mass_matrix(ARM, [10**400, 0]), TypeError, "q must hold real numbers or SymPy expressions, got [1000"),
    (lambda: rd.mass_matrix(ARM, [sp.nan, 0]), ValueError, "q must be finite, got nan: look for a division by zero"),
    (lambda: rd.mass_matrix(ARM, [sp.Symbol("a"), float("nan")]), ValueError, "q must be finite, got nan"),
    (lambda: rd.mass_matrix(ARM, [sp.I, 0]), TypeError, "q must hold real numbers or SymPy expressions, got [I, 0]"),
    (lambda: rd.mass_matrix(ARM, [sp.Symbol("a"), 1j]), TypeError, "q must hold real numbers or SymPy expressions, got [a, 1j]"),
    (lambda: rd.mass_matrix(ARM, [sp.Symbol("a"), None]), TypeError, "q must hold real numbers or SymPy expressions, got [a, None]"),
    (lambda: rd.mass_matrix(ARM, [sp.Symbol("a") < 1, 0]), TypeError, "q must hold real numbers or SymPy expressions, got [a < 1, 0]"),
    (lambda: rd.Arm(ARM.links, (0, np.array(sp.symbols("a b")), 0)), TypeError, "gravity must hold real numbers or SymPy expressions"),
    (lambda: rd.mass_matrix([0, 0], ARM), TypeError,
     "the first argument must be an Arm, got [0, 0]; build one with rd.Arm or rd.robots"),
    (lambda: rd.mass_matrix(ARM), TypeError, "mass_matrix(arm, q): missing a required argument: 'q'"),
    (lambda: rd.mass_matrix(ARM, np.array([sp.Symbol("a"), 0])[None] * 1), ValueError, "batches of states are for numbers"),
    (lambda: rd.inverse_dynamics(ARM, [0, 0], [0, 0], [0, 0], [1, 2, 3]), ValueError, "tip_wrench must have shape (6,), got (3,)"),
    (lambda: rd.inverse_dynamics(ARM, np.zeros((2, 2)), np.zeros((3, 2)), [0, 0]), ValueError, "batches of q, qd, qdd must fit"),
    (lambda: rd.point_jacobian(ARM, [0, 0], 2), ValueError, "link must be an index from 0 to 1 (or -1 for the last), got 2"),
    (lambda: rd.com_jacobian(ARM, [0, 0], 5), ValueError, "link must be an index from 0 to 1 (or -1 for the last), got 5"),
    (lambda: rd.point_acceleration(ARM, *np.zeros((3, 2)), link=-3), ValueError, "link must be an index from 0 to 1 (or -1 for the last), got -3"),
    (lambda: rd.point_position(ARM, [0, 0], 0, (1, 2)), ValueError, "point must have shape (3,), got (2,)"),
    (lambda: rd.Link(-1.0), ValueError, "mass must be >= 0 kg, got -1.0"),
    (lambda: rd.Link(sp.Symbol("m", negative=True)), ValueError, "declare its symbol with positive=True"),
    (lambda: rd.Link(np.nan), ValueError, "mass must be finite, got nan"),
    (lambda: rd.Link("heavy"), TypeError, "mass must hold real numbers or SymPy expressions, got 'heavy'"),
    (lambda: rd.Link([1, 2]), ValueError, "mass must have shape (), got (2,)"),
    (lambda: rd.Link(1, (0, 0)), ValueError, "com must have shape (3,), got (2,)"),
    (lambda: rd.Link(1, inertia=np.diag([1, 1])), ValueError, "inertia must have shape (3, 3), got (2, 2)"),
    (lambda: rd.Link(1, inertia=[[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]), ValueError, "inertia must be symmetric, got [[1.0, 0.1"),
    (lambda: rd.Link(1, inertia=np.diag([-1, 1, 1])), ValueError, "principal moments >= 0, got -1: is it about the center of mass?"),
    (lambda: rd.Link(1, inertia=np.diag([1, 1, 3])), ValueError,
     "inertia must obey the triangle inequality (no principal moment above the sum of the other two), got 1, 1, 3"),
    (lambda: rd.Link(1, inertia=np.diag([0, 0, 1])), ValueError, "a planar arm may give each link (I/2, I/2, I)"),
    (lambda: rd.Link(1, joint="ball"), ValueError, 'joint must be "revolute", "prismatic" or "screw", got \'ball\''),
    (lambda: rd.Link(1, joint=["revolute"]), ValueError, 'joint must be "revolute", "prismatic" or "screw", got [\'revolute\']'),
    (lambda: rd.Link(1, pitch=0.1), ValueError, "pitch must be 0 at a revolute joint, got 0.1: only a screw has one"),
    (lambda: rd.Link(1, joint="prismatic", pitch=sp.Symbol("h")), ValueError, "pitch must be 0 at a prismatic joint, got h"),
    (lambda: rd.Link(1, joint="screw", pitch=np.inf), ValueError, "pitch must be finite, got inf"),
    (lambda: rd.Arm.from_dh([(1, 0, 0, 0)], pitches=[0.1, 0.2]), ValueError, "pitches must have one entry for each of the 1 rows, got 2"),
    (lambda: rd.Arm(ARM.links, parents=[-1]), ValueError, "parents must hold one index for each of the 2 links, got 1"),
    (lambda: rd.Arm(ARM.links, parents=[-1, 1]), ValueError,
     "parents[1] must be -1, the base, or the index of a link before, got 1: list each link after the one that carries it"),
    (lambda: rd.Arm(ARM.links, parents=[0, 0]), ValueError, "parents[0] must be -1, the base, or the index of a link before, got 0"),
    (lambda: rd.Arm(ARM.links, parents=[-1, -2]), ValueError, "parents[1] must be -1, the base, or the index of a link before, got -2"),
    (lambda: rd.Arm(ARM.links, parents=[-1, 0.0]), TypeError, "parents must hold whole numbers, the index of each link's parent or -1 for the base, got [-1, 0.0]"),
    (lambda: rd.Arm(ARM.links, parents=[-1, False]), TypeError, "parents must hold whole numbers, the index of each link's parent or -1 for the base"),
    (lambda: rd.Arm(ARM.links, parents="-1"), TypeError, "parents must hold whole numbers, the index of each link's parent or -1 for the base"),
    (lambda: TREE.path(4), ValueError, "link must be an index from 0 to 2 (or -1 for the last), got 4"),
    (lambda: TREE.locked({2: 0}), ValueError, "values must leave the tip on the last link that moves, got a tree whose last branch they hold"),
    (lambda: planar.absolute(TREE, [0, 0, 0]), ValueError, "a planar arm must be a serial chain, got a tree with 2 ends: absolute angles are sums along one chain"),
    (lambda: rd.show.explore(TREE, runs=rd.show.Run(torques="absolute")), ValueError, "this moving figure must be of a serial arm, got a tree with 2 ends: rd.show.explore moves a tree, and arm.locked"),
    (lambda: rd.show.replay(TREE, {}, 0.1), ValueError, "this moving figure must be of a serial arm, got a tree with 2 ends"),
    (lambda: rd.show.sweeps(TREE, [0, 0, 0]), ValueError, "this moving figure must be of a serial arm, got a tree with 2 ends"),
    (lambda: rd.show.reach(TREE, [0, 0, 0], (1, 0)), ValueError, "this moving figure must be of a serial arm, got a tree with 2 ends"),
    (lambda: rd.Link(1, motor_inertia=-0.1), ValueError, "motor_inertia must be >= 0 kg m^2 (kg at a prismatic joint), got -0.1"),
    (lambda: rd.Link(1, motor_inertia=(1, 2)), ValueError, "motor_inertia must have shape (), got (2,)"),
    (lambda: planar.absolute(rd.Arm([rd.Link(1, motor_inertia=1)]), [0]), ValueError, "unrotated joint frames and no motor_inertia, got another at link 1"),
    (lambda: ARM.carrying(ARM), TypeError, "only a Body can be a part of a body, got Arm"),
    (lambda: rd.forces.stribeck(2, 1, 0.1), ValueError, "stiction must be >= c, got 1.0 and 2.0: it takes no less to start a slide"),
    (lambda: rd.forces.stribeck(1, 2, 0), ValueError, "rate must be > 0 rad/s (or m/s), got 0"),
    (lambda: rd.forces.stribeck([1, 1, 1], 2, 0.1)(0, 0, np.zeros(2)), ValueError, "c must be a number or have one entry for each of the 2 joints, got 3"),
    (lambda: rd.forces.stops(1, 0, 10), ValueError, "lower must not lie above upper, got 1.0 and 0.0"),
    (lambda: rd.forces.stops("low", 0, 10), TypeError, "lower must hold real numbers, got 'low'"),
    (lambda: rd.forces.stops(np.nan, 0, 10), ValueError, "lower must be a number or have shape (n,), without NaN, got nan"),
    (lambda: rd.forces.stops(-1, 0, -10), ValueError, "k must be finite and >= 0, got -10.0: a negative one would feed energy in"),
    (lambda: rd.forces.plane_contact(ARM, (0, 0, 0), (0, 1), 1), ValueError, "normal must have shape (3,), got (2,)"),
    (lambda: rd.forces.plane_contact(ARM, (0, 0, 0), (0, 0, 0), 1), ValueError, "normal must not be 0, got (0, 0, 0): it points out of the plane"),
    (lambda: rd.forces.plane_contact(ARM, (0, 0, 0), (0, 1, 0), -1e4), ValueError, "k must be > 0 N/m, got -10000.0"),
    (lambda: rd.forces.plane_contact(ARM, (0, 0, 0), (0, 1, 0), 1, friction=-0.3), ValueError, "friction must be finite and >= 0, got -0.3"),
    (lambda: rd.forces.point_wrench(ARM, (1, 2, 3)), ValueError, "wrench must have shape (6,), got (3,)"),
    (lambda: rd.forces.point_wrench(ARM, np.zeros(6), 2), ValueError, "link must be an index from 0 to 1 (or -1 for the last), got 2"),
    (lambda: rd.forces.point_wrench(ARM, np.zeros(6), 0, (1, 2)), ValueError, "point must have shape (3,), got (2,)"),
    (lambda: rd.forces.point_wrench(1, np.zeros(6)), TypeError, "the first argument must be an Arm, got 1"),
    (lambda: rd.stick_slip(ARM, [0, 0], [0, 0], [0, 1], 1, 0.5), ValueError, "stiction must be >= c, got 0.5 and 1.0"),
    (lambda: rd.stick_slip(ARM, [0, 0], [0, 0], [0, 1], [1, 1, 1]), ValueError, "c must be a number or have one entry for each of the 2 joints, got 3"),
    (lambda: rd.stick_slip(ARM, [0, 0], [0, 0], [1, 0], 1), ValueError, "t must be an increasing array"),
    (lambda: rd.stick_slip(ARM, [0, 0], [0, 0], [0, 1], 1, tau=[1]), ValueError, "tau must have shape (2,) for an arm of 2 joints, got (1,)"),
    (lambda: rd.flexible.doubled(ARM), ValueError, "every flexible joint must have motor_inertia > 0, got 0 at joint 1: without it"),
    (lambda: rd.flexible.accelerations(ARM, 1, [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]), ValueError, "every flexible joint must have motor_inertia > 0"),
    (lambda: rd.flexible.accelerations(MOTORS, 1, [0, 0], [0, 0], [0], [0, 0], [0, 0]), ValueError, "theta must have shape (2,), got (1,)"),
    (lambda: rd.flexible.accelerations(MOTORS, [1, 2, 3], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]), ValueError, "k must be a number or have one entry for each of the 2 joints, got 3"),
    (lambda: rd.flexible.joint_springs([[1, 2]]), ValueError, "k must have shape (n,), one entry for each joint, got (1, 2)"),
    (lambda: rd.flexible.joint_springs([1, 2], [1, 2, 3]), ValueError, "b must be a number or have one entry for each of the 2 joints, got 3"),
    (lambda: rd.flexible.coordinates([1, 2], [1]), ValueError, "q and theta must have one shape, got (2,) and (1,)"),
    (lambda: rd.flexible.split([1, 2, 3]), ValueError, "x must hold two entries for each joint, got shape (3,)"),
    (lambda: rd.constraints.hold_point(ARM, (1, 0)), ValueError, "at must have shape (3,), got (2,)"),
    (lambda: rd.constraints.hold_point(ARM, (1, 0, 0), axes=(0, 1, 0)), ValueError, "axes must have shape (m, 3), one row for each direction"),
    (lambda: rd.constraints.hold_point(ARM, (1, 0, 0), 2), ValueError, "link must be an index from 0 to 1 (or -1 for the last), got 2"),
    (lambda: rd.constraints.hold(1, lambda arm, q: q), TypeError, "the first argument must be an Arm, got 1"),
    (lambda: rd.constraints.hold(ARM, lambda arm, q: q[0]), ValueError, "phi must return one vector (m,), got shape (): stack what shall be zero"),
    (lambda: rd.constraints.hold(ARM, lambda arm, q: q if q[0] > 0 else -q), TypeError, "an algorithm that is traced must not branch on a traced value"),
    (lambda: rd.constraints.forward_dynamics(HELD, [0, 0, 0], [0, 0], [0, 0]), ValueError, "q must have shape (2,) for an arm of 2 joints, got (3,)"),
    (lambda: rd.constraints.forward_dynamics(HELD, [0, 0], [0, 0], [0, 0]), ValueError,
     "the 3 equations of a constraint must be independent, got 1 that are, at q = [0., 0.]: nothing tells their forces apart; leave out a row"),
    (lambda: rd.constraints.inverse_dynamics(BARS, LOOP, [0, 0, 0], {0: 1}, [3]), ValueError, "motors must be indices of joints from 0 to 2, each once, got [3]"),
    (lambda: rd.constraints.inverse_dynamics(BARS, LOOP, [0, 0, 0], {"a": 1}), ValueError, "joints of qdd must be indices of joints from 0 to 2"),
    (lambda: rd.constraints.inverse_dynamics(BARS, LOOP, [0, 0, 0], {}), ValueError, "qdd must tell the accelerations of all joints, got 0 of them, and 1 are open"),
    (lambda: rd.constraints.inverse_dynamics(BARS, LOOP, [0, 0, 0], [1, 1, 1]), ValueError, "qdd must keep the constraint, J qdd = -Jdot qd, got "),
    (lambda: rd.constraints.inverse_dynamics(BARS, LOOP, [0, 0, 0], {0: 1}, []), ValueError, "the motors [] must be able to move the arm so, got "),
    (lambda: rd.constraints.law(HELD, baumgarte=-1), ValueError, "baumgarte must be >= 0 1/s, got -1: a negative rate makes errors grow"),
    (lambda: rd.constraints.law(HELD, [1])(0, np.zeros(2), np.zeros(2)), ValueError, "tau must have shape (2,) for an arm of 2 joints, got (1,)"),
    (lambda: rd.constraints.project(rd.constraints.hold_point(ARM, (3, 1, 0), axes=CUBE[:2]), [0.1, 0.5]), ValueError, "the constraint must be met near q, got |phi| ="),
    (lambda: rd.constraints.project(rd.constraints.hold_point(rd.Arm([rd.Link(1.0)], tip=(1, 0, 0)), (1, 0, 0), axes=CUBE[1:2]), [0.1]), ValueError,
     "every joint must move some mass or inertia"),
    (lambda: rd.Link(1, axis=(0, 0, 0)), ValueError, "axis must be a unit vector, got length 0: a joint needs a direction"),
    (lambda: rd.Link(1, axis=(1, 1, 0)), ValueError, "axis must be a unit vector, got length 1.41421: divide it by its length"),
    (lambda: rd.Link(1, rotation=-CUBE), ValueError, "rotation must be a rotation matrix (R^T R = 1, det R = +1)"),
    (lambda: rd.Link(1, rotation=2 * CUBE), ValueError, "|R^T R - 1| = 3 and det R = 8"),
    (lambda: rd.Body(-1), ValueError, "mass must be >= 0 kg, got -1"),
    (lambda: rd.Body(1, inertia=np.diag([1, 1, 3])), ValueError, "inertia must obey the triangle inequality"),
    (lambda: rd.bodies.box(1, (1, 2)), ValueError, "size must have shape (3,), got (2,)"),
    (lambda: rd.bodies.box(1, (1, 2, -3)), ValueError, "size must be >= 0 m, got -3"),
    (lambda: rd.bodies.sphere(1, sp.Symbol("r", negative=True)), ValueError, "radius must be >= 0 m, got r"),
    (lambda: rd.bodies.cylinder(1, 0.1, 1, 0.2), ValueError, "inner_radius must not be above the radius, got 0.2 m and 0.1 m"),
    (lambda: rd.bodies.rod("heavy", 1), TypeError, "mass must hold real numbers or SymPy expressions, got 'heavy'"),
    (lambda: rd.bodies.points([], []), ValueError, "a body must have at least one point, got none"),
    (lambda: rd.bodies.points(1, [(0, 0, 0)]), TypeError, "masses must hold one entry for each point, got 1"),
    (lambda: rd.bodies.points([1, 2], [(0, 0, 0)]), ValueError, "positions must have shape (2, 3), got (1, 3)"),
    (lambda: rd.bodies.points([0], [(1, 0, 0)]) + rd.Body(0), ValueError, "a composite body must have mass > 0 kg"),
    (lambda: rd.bodies.box(1, CUBE[0]) - rd.bodies.sphere(2, 1), ValueError, "mass must be >= 0 kg, got -1"),
    (lambda: rd.bodies.box(1, (1, 1, 1)) - rd.bodies.rod(0.9, 2), ValueError, "inertia must have principal moments >= 0"),
    (lambda: rd.Body(1) + 1, TypeError, "only a Body can be a part of a body, got int"),
    (lambda: rd.Body(1).at((0, 0, 0), 2 * CUBE), ValueError, "rotation must be a rotation matrix (R^T R = 1, det R = +1)"),
    (lambda: rd.Body(1, inertia=sp.diag(*sp.symbols("a b c"))).principal(), TypeError, "inertia must hold numbers, got symbols"),
    (lambda: rd.bodies.mesh(1, TETRA, [(0, 1, 2)]), ValueError, "the edge from vertex 0 to 1 does not: is a triangle missing"),
    (lambda: rd.bodies.mesh(1, TETRA, FACES + FACES[:1]), ValueError, "a mesh must be closed: each edge belongs to two triangles"),
    (lambda: rd.bodies.mesh(1, TETRA, [face[::-1] for face in FACES]), ValueError, "are its triangles clockwise from outside?"),
    (lambda: rd.bodies.mesh(1, [*TETRA[:3], (1, 1, 0)], FACES), ValueError, "a mesh must enclose a volume > 0 m^3, got 0"),
    (lambda: rd.bodies.mesh(1, TETRA, [(0, 1, 4)]), ValueError, "faces must name vertices from 0 to 3"),
    (lambda: rd.bodies.mesh(1, TETRA, []), ValueError, "faces must hold rows of 3 indices of vertices"),
    (lambda: rd.bodies.mesh(1, TETRA, [(0.0, 1, 2)]), ValueError, "faces must hold rows of 3 indices of vertices, got float64"),
    (lambda: rd.bodies.mesh(1, TETRA, [(0, 1), (1, 2, 3)]), ValueError, "faces must hold rows of 3 indices of vertices"),
    (lambda: rd.rotations.exp((1, 2)), ValueError, "phi must have shape (3,), got (2,)"),
    (lambda: rd.rotations.exp(sp.symbols("a b c")), TypeError, "phi must hold numbers, got symbols"),
    (lambda: rd.rotations.log(-CUBE), ValueError, "R must be a rotation matrix (R^T R = 1, det R = +1), got one with |R^T R - 1| = 0 and det R = -1"),
    (lambda: rd.rotations.log([CUBE, 2 * CUBE]), ValueError, "|R^T R - 1| = 3 and det R = 8"),
    (lambda: rd.rotations.from_quaternion((0, 0, 0, 0)), ValueError, "quaternion must not be zero"),
    (lambda: rd.rotations.rate_in_body(CUBE, (1, 2, 3)), ValueError, "R_dot must have shape (3, 3), got (3,)"),
    (lambda: rd.motions.homogeneous(CUBE, (1, 2)), ValueError, "p must have shape (3,), got (2,)"),
    (lambda: rd.motions.inverse(CUBE), ValueError, "T must have shape (4, 4), got (3, 3)"),
    (lambda: rd.motions.exp(sp.symbols("a:6")), TypeError, "twist must hold numbers, got symbols"),
    (lambda: rd.motions.log(2 * np.eye(4)), ValueError, "T must have (0, 0, 0, 1) as its last row, got [0.0, 0.0, 0.0, 2.0]"),
    (lambda: rd.motions.log(np.diag([1, 1, -1, 1])), ValueError, "the upper left 3 x 3 of T must be a rotation matrix"),
    (lambda: rd.motions.screw_of(np.zeros(6)), ValueError, "twist must not be zero: what does not move has no axis"),
    (lambda: rd.motions.screw((0, 0, 1), (1, 2)), ValueError, "point must have shape (3,), got (2,)"),
    (lambda: rd.motions.screw((0, 0, 2)), ValueError, "axis must be a unit vector, got length 2: divide it by its length"),
    (lambda: rd.motions.along((0, 0, 0, 0, 0, 2), 1), ValueError, "twist must turn by 1 rad (|omega| = 1) or slide by 1 m"),
    (lambda: rd.motions.along((0, 2, 0, 0, 0, 0), 1), ValueError, "got |v| = 2: divide it by that"),
    (lambda: rd.Arm.from_screws([], np.eye(4)), ValueError, "screws must have shape (1, 6), got (0,)"),
    (lambda: rd.Arm.from_screws([(0, 0, 0, 0, 0, 1)], 2 * np.eye(4)), ValueError, "home must have (0, 0, 0, 1) as its last row"),
    (lambda: rd.Arm.from_screws([(0, 0, 0, 0, 0, 1), (0, 1, 0, 0, 0, 0.5)], np.eye(4)), ValueError,
     "row 2 of screws must turn by 1 rad (|omega| = 1) or slide by 1 m (omega = 0, |v| = 1), got |omega| = 0.5: divide it by that"),
    (lambda: rd.Arm.from_screws([np.zeros(6)], np.eye(4)), ValueError, "got |v| = 0: a joint needs a direction"),
    (lambda: rd.Arm.from_screws([(0, 0, 0, 0, 0, 1)], np.eye(4), coms=[]), ValueError, "coms must have one entry for each of the 1 screws, got 0"),
    (lambda: rd.tip_jacobian(ARM, [0, 0], axes="world"), ValueError, 'axes must be "base" or "link", got \'world\''),
    (lambda: rd.rigid_body.wrench(ARM, (0, 0, 1), (0, 0, 0)), TypeError, "the first argument must be a Body, got"),
    (lambda: rd.rigid_body.momentum(1), TypeError, "the first argument must be a Body, got 1; build one with rd.Body or rd.bodies"),
    (lambda: rd.rigid_body.momentum(rd.Body(1)), TypeError, "missing a required argument: 'omega'"),
    (lambda: rd.rigid_body.momentum(rd.Body(1), (1, 2)), ValueError, "omega must have shape (3,), got (2,)"),
    (lambda: rd.rigid_body.momentum(rd.Body(1), np.zeros((2, 3)), np.zeros((3, 3))), ValueError, "batches of omega, velocity, point must fit"),
    (lambda: rd.rigid_body.acceleration(rd.bodies.rod(1, 1), *np.eye(3)), ValueError, "a free body must have inertia about every axis"),
    (lambda: rd.rigid_body.acceleration(rd.Body(0, inertia=CUBE), *np.eye(3)), ValueError, "a free body must have mass > 0 kg, got 0"),
    (lambda: rd.floating(rd.Body(1), ARM), TypeError, "the first argument must be an Arm, got Body"),
    (lambda: rd.floating(ARM, 1.0), TypeError, "the first argument must be a Body, got 1.0"),
    (lambda: rd.center_of_mass(rd.Arm([rd.Link(0)]), [0]), ValueError, "an arm must have some mass > 0 kg"),
    (lambda: rd.momentum_matrix(ARM, [0]), ValueError, "q must have shape (2,) for an arm of 2 joints, got (1,)"),
    (lambda: rd.sensors.accelerometer(ARM, [0, 0], [0, 0], [0, 0], 2), ValueError, "link must be an index from 0 to 1"),
    (lambda: rd.sensors.accelerometer(ARM, [0, 0], [0, 0], [0, 0], 0, (1, 0)), ValueError, "point must have shape (3,), got (2,)"),
    (lambda: rd.sensors.gyroscope(ARM, [0, 0], [0, 0, 0]), ValueError, "qd must have shape (2,) for an arm of 2 joints, got (3,)"),
    (lambda: rd.sensors.gyroscope(ARM, [0, 0], [0, 0], -3), ValueError, "link must be an index from 0 to 1 (or -1 for the last), got -3"),
    (lambda: rd.sensors.lever_arm((0, 0, 1), (0, 0), (1, 0, 0)), ValueError, "alpha must have shape (3,), got (2,)"),
    (lambda: rd.sensors.tilt([[0, 0, 1], [0, 0, 0]]), ValueError, "reading must not be 0: in free fall an accelerometer knows no up"),
    (lambda: rd.sensors.tilt((1, 2)), ValueError, "reading must have shape (3,), got (2,)"),
    (lambda: rd.sensors.roll_and_pitch((0, np.nan, 1)), ValueError, "up must be finite, got nan"),
    (lambda: rd.sensors.with_errors(CUBE, [0, 1], 1), ValueError, "reading must have shape (2, 3), got (3, 3)"),
    (lambda: rd.sensors.with_errors(CUBE, [0, 1, 2], 1, white=-1), ValueError, "white must be >= 0, got -1: it is the size of random"),
    (lambda: rd.sensors.with_errors(CUBE, [0, 1, 2], 1, walk=(1, 2)), ValueError, "walk must have shape (), got (2,)"),
    (lambda: rd.sensors.with_errors(CUBE, [0, 1, 2], 1, bias=(1, 2)), ValueError, "bias must be a number or have shape (3,), got (2,)"),
    (lambda: rd.sensors.complementary_filter([0, 1, 2], CUBE, CUBE, 0), ValueError, "time_constant must be > 0 s, a number or of shape (3,)"),
    (lambda: rd.sensors.complementary_filter([0, 1, 2], CUBE, CUBE[:2], 1), ValueError, "gyroscope must have shape (3, 3), got (2, 3)"),
    (lambda: rd.sensors.complementary_filter([0, 1, 1], CUBE, CUBE, 1), ValueError, "t must be an increasing array"),
    (lambda: rd.sensors.complementary_filter([0, 1, 2], CUBE, CUBE, 1, up=(0, 0, 0)), ValueError, "up must not be 0"),
    (lambda: rd.regressor(ARM, *np.zeros((3, 2)), ["viscosity"]), ValueError,
     "joints must name some of motor_inertia, viscous, coulomb, offset, got 'viscosity'"),
    (lambda: rd.regressor(ARM, *np.zeros((3, 2)), ["viscous"] * 2), ValueError, "joints must name each term once, got viscous, viscous"),
    (lambda: rd.energy_regressor(ARM, *np.zeros((2, 2)), ["viscous"]), ValueError, "joints must name some of motor_inertia, got 'viscous'"),
    (lambda: rd.parameters(ARM, ["coulomb"]), ValueError,
     'joints must give values for coulomb, an arm has none of its own: {"coulomb": (n,)}'),
    (lambda: rd.parameters(ARM, {"coulomb": [1, 2, 3]}), ValueError, "coulomb must have shape (2,), got (3,)"),
    (lambda: rd.with_parameters(ARM, np.ones(10)), ValueError, "phi must have shape (20,), got (10,)"),
    (lambda: rd.with_parameters(ARM, -rd.parameters(ARM)), ValueError,
     "the parameters of link 1 are no rigid body's: mass must be >= 0 kg, got -1.0"),
    (lambda: rd.with_parameters(ARM, np.eye(20)[11]), ValueError,
     "the parameters of link 2 are no rigid body's: without mass it has no first moment, got m c = [1.0, 0.0, 0.0]"),
    (lambda: rd.base_parameters(ARM, "friction"), ValueError, "joints must name some of motor_inertia, viscous, coulomb, offset"),
    (lambda: rd.base_parameters(rd.Arm.from_dh([(1, sp.pi / 5, 0, 0)] * 2, gravity=(0, 0, Q))), ValueError,
     "the rotation of link 2 must be one of fractions, as 90 degrees are: put numbers in for symbols"),
    (lambda: rd.base_parameters(rd.Arm([rd.Link(1, position=(0, sp.sqrt(Q), 0))])), ValueError,
     "the frames of a symbolic arm must hold fractions of polynomials, got sqrt(x): put in a number"),
    (lambda: rd.base_parameters(rd.Arm([rd.Link(1, position=(0, sp.sqrt(2) * Q, 0))])), ValueError, "got sqrt(2)*x: put in a number"),
    (lambda: rd.base_parameters(rd.Arm([rd.Link(0)]), nonzero=True), ValueError,
     "nonzero=True leaves no parameter of an arm without any mass: give it some, or leave it out"),
    (lambda: rd.base_parameters(ARM).values([1, 2]), ValueError, "phi must have shape (20,), got (2,)"),
    (lambda: rd.base_parameters(ARM, "viscous").values(), ValueError, "joints must give values for viscous"),
    (lambda: rd.effective_inertia(ARM, [0.3, 0.8]), ValueError,
     "a point must be carried by as many joints as there are directions, got 2 joints before link 1 and 3 directions: give at most 2"),
    (lambda: rd.effective_inertia(ARM, [0.3, 0.8], 0, (1, 0, 0), XY), ValueError, "got 1 joint before link 0 and 2 directions"),
    (lambda: rd.effective_inertia(ARM, [0.3, 0.8], directions=[(1, 0, 0), (0, 0, 1)]), ValueError,
     "the pose must let the point move along all directions, got one in which it cannot along (0, 0, 1): the arm is singular there"),
    (lambda: rd.effective_inertia(ARM, [np.pi / 2, 0], directions=XY), ValueError, "in which it cannot along (0, 1, 0)"),
    (lambda: rd.effective_inertia(ARM, [0.3, 0.8], directions=[(1, 0, 0), (2, 0, 0)]), ValueError,
     "directions must be independent, got 2 of rank 1: leave out what is a combination of the others"),
    (lambda: rd.effective_inertia(ARM, [0.3, 0.8], directions=[(0, 0, 0)]), ValueError, "directions must be independent, got 1 of rank 0"),
    (lambda: rd.effective_inertia(ARM, [0.3, 0.8], directions=(1, 0, 0)), ValueError, "directions must have shape (k, 3) or (k, 6), got (3,)"),
    (lambda: rd.effective_inertia(ARM, [0.3, 0.8], directions=np.eye(2)), ValueError, "directions must have shape (k, 3) or (k, 6), got (2, 2)"),
    (lambda: rd.effective_inertia(ARM, [0.3, 0.8], 5, directions=XY), ValueError, "link must be an index from 0 to 1 (or -1 for the last), got 5"),
    (lambda: rd.effective_inertia(ARM, [0.3, 0.8, 1], directions=XY), ValueError, "q must have shape (2,) for an arm of 2 joints, got (3,)"),
    (lambda: rd.effective_inertia(rd.robots.two_link(symbolic=True), [0, 1]), TypeError,
     "effective_inertia needs numbers, got an arm with symbols: put values in with arm.subs"),
    (lambda: rd.effective_inertia(rd.robots.planar([1, 1], [1, 0]), [0, 1], directions=XY), ValueError, "every joint must move some mass or inertia, got none at joint 2"),
    (lambda: rd.effective_mass(ARM, [0.3, 0.8], (0, 0, 0)), ValueError, "direction must not be zero"),
    (lambda: rd.effective_mass(ARM, [0.3, 0.8], (1, 0)), ValueError, "direction must have shape (3,), or (6,) with a turning, got (2,)"),
    (lambda: rd.inverse_kinematics.solve(ARM, (1, 0), Q2), ValueError,
     "pose must have shape (4, 4), or (3,) for the place of the tip alone, or be (R, p), got (2,)"),
    (lambda: rd.inverse_kinematics.solve(ARM, np.diag([1, 1, -1, 1]), Q2), ValueError,
     "the upper left 3 x 3 of pose must be a rotation matrix (R^T R = 1, det R = +1), got one with |R^T R - 1| = 0 and det R = -1"),
    (lambda: rd.inverse_kinematics.solve(ARM, (1, 0, 0), [0, 2], {1: (-1, 1)}), ValueError,
     "q0 must lie within the limits, got q_2 = 2 outside (-1, 1): start within them, or widen them"),
    (lambda: rd.inverse_kinematics.solve(ARM, (1, 0, 0), Q2, {2: (-1, 1)}), ValueError,
     "limits must be of joints from 0 to 1, got 2"),
    (lambda: rd.inverse_kinematics.solve(ARM, (1, 0, 0), Q2, {1: (1, -1)}), ValueError,
     "limits[1] must rise, got (1, -1)"),
    (lambda: rd.inverse_kinematics.solve(ARM, (1, 0, 0), Q2, damping=-1), ValueError, "damping must be >= 0, got -1"),
    (lambda: rd.inverse_kinematics.solve(ARM, (1, 0, 0), Q2, iterations=0), ValueError,
     "iterations must be a whole number >= 1, got 0"),
    (lambda: rd.inverse_kinematics.solve(ARM, (1, 0, 0), Q2, restarts=1.5), ValueError,
     "restarts must be a whole number >= 0, got 1.5"),
    (lambda: rd.inverse_kinematics.all_solutions(rd.robots.panda(), CUBE[0]), ValueError, "got 7 joints and a place: ask solve, which takes any arm"),
    (lambda: rd.inverse_kinematics.all_solutions(rd.robots.two_link(symbolic=True), CUBE[0]), TypeError,
     "all_solutions needs numbers, got an arm with symbols: put values in with arm.subs"),
    (lambda: rd.resolved_rates(ARM, [0.3, 0], [1, 0], directions=XY), ValueError,
     "the pose must let the point move along all directions where damping is 0, got one in which it cannot along the combination (0.955, 0.296) of them: "
     "leave a direction out, or give damping > 0"),
    (lambda: rd.resolved_rates(ARM, [0.3, 0.8], [1, 0, 0]), ValueError, "got one in which it cannot along the combination (0, 0, 1) of them: leave a direction out"),
    (lambda: rd.resolved_rates(ARM, [0.3, 0.8], [1], directions=[[0, 0, 1]]), ValueError, "cannot along the combination (1) of them: leave a direction out"),
    (lambda: rd.resolved_rates(ARM, sp.symbols("q_1:3", real=True), [1, 0, 0]), ValueError, "got one in which it cannot: leave a direction out"),
    (lambda: rd.resolved_rates(ARM, [0.3, 0.8], [1, 0], damping=-0.1, directions=XY), ValueError, "damping must be >= 0, got -0.1"),
    (lambda: rd.resolved_rates(ARM, [0.3, 0.8], [1, 0], weights=[1, -1], directions=XY), ValueError, "weights must be > 0, got -1: a joint that may move freely has a small one"),
    (lambda: rd.resolved_rates(ARM, [0.3, 0.8], [1, 0, 0], directions=XY), ValueError, "twist must have shape (2,), got (3,)"),
    (lambda: rd.resolved_rates(ARM, [0.3, 0.8, 1], [1, 0], directions=XY), ValueError, "q must have shape (2,) for an arm of 2 joints, got (3,)"),
    (lambda: rd.resolved_rates(ARM, [0.3, 0.8], [1, 0], null=[1], directions=XY), ValueError, "null must have shape (2,), got (1,)"),
    (lambda: rd.resolved_accelerations(ARM, [0.3, 0.8], [0, 0], [1], directions=XY), ValueError, "acceleration must have shape (2,), got (1,)"),
    (lambda: rd.differential_kinematics.by_priority([]), ValueError, "tasks must be pairs (J, v) with J (k, n) of one arm, got none"),
    (lambda: rd.differential_kinematics.by_priority([(np.eye(2), [1, 0]), (np.eye(3), [1, 0, 0])]), ValueError, "with J (k, n) of one arm, got (2, 2), (3, 3)"),
    (lambda: rd.differential_kinematics.by_priority([(np.eye(2), [1, 0, 0])]), ValueError, "the velocity of task 1 must have shape (2,), got (3,)"),
    (lambda: rd.differential_kinematics.by_priority([(np.eye(2), [1, 0])], -1), ValueError, "damping must be >= 0, got -1"),
    (lambda: PLAN.through([0, 1, 1], [[0], [1], [2]]), ValueError, "knots must increase, got 1 after 1: sort the via points by time"),
    (lambda: PLAN.through([0, 2, 1], [[0], [1], [2]]), ValueError, "knots must increase, got 1 after 2: sort the via points by time"),
    (lambda: PLAN.through([0, 1], [[0, 1, 2]]), ValueError,
     "knots must have shape (k,), two at least, and points (k, n), one row a knot, got (2,) and (1, 3)"),
    (lambda: PLAN.through([0, 1], [[0], [1]], "loose"), ValueError, "ends must be clamped, natural or not-a-knot, got 'loose'"),
    (lambda: PLAN.trapezoid([0, 1], [0, 1], 1, 1), ValueError, "end must differ from start: between equal points there is nothing to time"),
    (lambda: PLAN.trapezoid([0, 1], [1], 1, 1), ValueError, "start and end must have one shape (n,), got (2,) and (1,)"),
    (lambda: PLAN.trapezoid(0, 1, -1, 1), ValueError, "speed must be above zero, a number or shape (1,), got -1"),
    (lambda: PLAN.fastest_along(ARM, WAY, [1, -1]), ValueError,
     "torque_limits must be magnitudes above zero (2,), or lowest and highest (2, 2), a row a joint, got [1, -1]"),
    (lambda: PLAN.fastest_along(ARM, WAY, [1, 1]), ValueError,
     "torque_limits must leave a rate at s = 0.995 from which the end can be reached (joint 1 cannot hold its weight of"),
    (lambda: PLAN.fastest_along(ARM, WAY, [18, 5]), ValueError,
     "torque_limits must let s' be 0 1/s at the start, from where the end is reached with 0.4385 to 3.834 1/s (joint 1 cannot hold "
     "its weight of 19.62 N m or N): take stronger motors, a lighter arm or another path"),
    (lambda: PLAN.fastest_along(ARM, WAY, [99, 99], start_rate=-1), ValueError, "start_rate and end_rate must be >= 0 1/s, got -1 and 0.0: turn the path around"),
    (lambda: PLAN.fastest_along(ARM, WAY, [99, 99], [0, 0.5, 0.2]), ValueError, "s must be an increasing grid (N,) of two points at least, got shape (3,)"),
    (lambda: PLAN.fastest_along(ARM, WAY, [99, 99], rate_limits=[0, 1]), ValueError, "rate_limits must be above zero, a number or shape (2,), got [0, 1]"),
    (lambda: PLAN.fastest_along(ARM, make_interp_spline([0, 0.5, 1], [[0, 0], [1, 0], [1, 1]], k=1), [99, 99]), ValueError,
     "path must be smooth, got a jump of q' between s = 0.495 and 0.5 that its derivative does not explain: round the corner"),
    (lambda: PLAN.fastest_along(ARM, lambda s, k: WAY(s, k if k < 2 else 0) * (2 if k == 1 else 1), [99, 99]), ValueError,
     "path must be smooth, got a jump of q between s = 0.03 and 0.035 that its derivative does not explain"),
    (lambda: PLAN.fastest_along(ARM, PLAN.through([0, 1], [[0, 0], [1, 1]]), [99, 99]), ValueError,
     "path must move at each s, got q' = 0 at s = 0: take a parameter that goes on, for a spline another knot or ends that are not clamped"),
    (lambda: PLAN.fastest_along(ARM, [[0, 0], [1, 1]], [99, 99]), TypeError, "path must be a function (s, order of the derivative) -> (N, n), got [[0, 0]"),
    (lambda: PLAN.fastest_along(ARM, PLAN.through([0, 1], [[0], [1]], "natural"), [99, 99]), ValueError, "path(s, 0) must have shape (201, 2), got (201, 1)"),
    (lambda: PLAN.fastest_along(rd.robots.two_link(symbolic=True), WAY, [99, 99]), TypeError, "coefficients needs numbers, got an arm with symbols"),
    (lambda: rd.task_space.force(ARM, [0.3, 0.8], [0, 0], [1], directions=XY), ValueError, "acceleration must have shape (2,), got (1,)"),
    (lambda: rd.task_space.impact(ARM, [0.3, 0.8], [0, 0], (1, 0, 0), 1.5), ValueError, "restitution must be from 0 (stays) to 1 (bounces), got 1.5"),
    (lambda: rd.task_space.impact(ARM, [0.3, 0.8], [0, 0], (1, 0, 0), struck=0), ValueError, "struck must be > 0 kg (math.inf for a wall), got 0"),
    (lambda: rd.task_space.impact(ARM, [0.3, 0.8], [0, 0], (0, 0, 0)), ValueError, "normal must not be zero"),
    (lambda: rd.tumble(ARM, (0, 0, 1), [0, 1]), TypeError, "the first argument must be a Body"),
    (lambda: rd.tumble(rd.bodies.rod(1, 1), (0, 0, 1), [0, 1]), ValueError, "a body that turns freely must have inertia about every axis"),
    (lambda: rd.tumble(rd.bodies.sphere(1, 1), (0, 0, 1), [1, 0]), ValueError, "t must be an increasing array"),
    (lambda: rd.tumble(rd.bodies.sphere(1, 1), (0, 0, 1), [0, 1], torque=lambda t, R, omega: 1.0), ValueError, "torque must have shape (3,), got ()"),
    (lambda: rd.tumble(rd.bodies.sphere(1, 1), (0, 0, 1), [0, 1], torque=(0, 0, 1)), TypeError, "torque must be a function (t, R, omega) -> (3,) N m, got (0, 0, 1)"),
    (lambda: rd.tumble(rd.bodies.sphere(1, 1), (0, 0, 1), [0, 1e300]), ValueError, "a body must turn by less than 1e+06 rad, got 1e+300 rad"),
    (lambda: rd.sensors.with_errors(CUBE, [0, 1, 2], "a"), TypeError, "rng must be a generator of random numbers or a seed, a whole number >= 0, got 'a'"),
    (lambda: rd.sensors.complementary_filter([0, 1, 2], CUBE, CUBE, "a"), TypeError, "time_constant must hold real numbers, got 'a'"),
    (lambda: rd.sensors.complementary_filter([0, 1, 2], CUBE, CUBE, 10**400), TypeError, "time_constant must hold real numbers, got 1000"),
    (lambda: rd.forces.stops(10**400, 0, 10), TypeError, "lower must hold real numbers, got 1000"),
    (lambda: rd.task_space.impact(ARM, [[0.3, 0.8]], [0, 0], (1, 0, 0)), ValueError, "q must have shape (2,) for an arm of 2 joints, got (1, 2)"),
    (lambda: rd.task_space.impact(ARM, [[0.3, 0.8]] * 2, [0, 0], (1, 0, 0)), ValueError, "q must have shape (2,) for an arm of 2 joints, got (2, 2)"),
    (lambda: rd.task_space.impact(ARM, [0.3, 0.8], [0, 0], (1, 0, 0), struck="a"), TypeError, "struck must hold real numbers"),
    (lambda: rd.effective_inertia(ARM, [0.3, 0.8], point=(Q, 0, 0), directions=XY), TypeError, "point must hold numbers, got symbols"),
    (lambda: rd.floating(ARM, rd.bodies.sphere(1, 1), (0, 0, -9.81)), TypeError, "plane must be True or False, got (0, 0, -9.81): give gravity by its name"),
    (lambda: rd.motions.inverse(2 * np.eye(4)), ValueError, "T must have (0, 0, 0, 1) as its last row"),
    (lambda: rd.motions.adjoint(np.diag([2, 2, 2, 1])), ValueError, "the upper left 3 x 3 of T must be a rotation matrix"),
    (lambda: rd.motions.homogeneous(-CUBE, (0, 0, 0)), ValueError, "R must be a rotation matrix"),
    (lambda: rd.constraints.forward_dynamics(ARM, [0, 0], [0, 0], [0, 0]), TypeError, "the first argument must be a Held arm, got Arm: make one with hold"),
    (lambda: rd.constraints.law(ARM), TypeError, "the first argument must be a Held arm, got Arm"),
    (lambda: rd.constraints.project(ARM, [0, 0]), TypeError, "the first argument must be a Held arm, got Arm"),
    (lambda: rd.constraints.compulsion(None, [0], [0], [0], [0]), TypeError, "the first argument must be an Arm, got None"),
    (lambda: rd.constraints.compulsion(rd.Arm([rd.Link(1)]), [0], [0], [0], [0]), ValueError, "every joint must move some mass or inertia"),
    (lambda: rd.constraints.forward_dynamics(rd.constraints.hold(rd.Arm([rd.Link(1)]), lambda arm, q: q), [0], [0], [0]), ValueError, "every joint must move some mass or inertia"),
    (lambda: rd.constraints.hold_point(ARM, (1, 0, 0), axes=np.zeros((0, 3))), ValueError, "phi must have at least one row, got none"),
    (lambda: rd.stick_slip(rd.Arm([rd.Link(1)]), [0], [1], [0, 0.1], 1), ValueError, "every joint must move some mass or inertia"),
    (lambda: rd.flexible.accelerations(MOTORS, -5, [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]), ValueError, "k must be >= 0, got -5.0: a negative one"),
    (lambda: rd.tumble(rd.bodies.sphere(1, 1), (0, 0, 1), [0, 1], rotation=-CUBE), ValueError, "rotation must be a rotation matrix"),
    (lambda: rd.tumble(rd.bodies.sphere(sp.Symbol("m", positive=True), 1), (0, 0, 1), [0, 1]), TypeError, "inertia must hold numbers, got symbols"),
    (lambda: rd.forward_dynamics(WRIST, [0, np.pi / 2, 0], [0, 0, 0], [0, 0, 0]), ValueError,
     "got none at joint 1 in this pose that joints after it cannot hold still while it turns: M(q) is singular, as where two axes coincide"),
    (lambda: rd.forward_dynamics(WRIST, [[0, 0, 0], [0, np.pi / 2, 0]], np.zeros((2, 3)), np.zeros((2, 3))), ValueError, "as where two axes coincide"),
    (lambda: rd.Arm([]), ValueError, "an arm must have at least one link, got none"),
    (lambda: rd.Arm([ARM]), TypeError, "links must hold Link objects, got Arm as link 1"),
    (lambda: rd.Arm(ARM.links, gravity=9.81), ValueError, "gravity must be a vector (3,) in base axes, got 9.81: (0, 0, -9.81) where the base's z axis points up"),
    (lambda: rd.Arm(ARM.links, gravity=(0, -9.81)), ValueError, "gravity must have shape (3,), got (2,)"),
    (lambda: rd.forward_dynamics(rd.Arm([rd.Link(1.0)]), [0], [0], [1]), ValueError,
     "every joint must move some mass or inertia, got none at joint 1: M(q) is singular here"),
    (lambda: rd.forward_dynamics(rd.Arm([rd.Link(1.0)]), np.zeros((4, 1)), np.zeros((4, 1)), np.ones((4, 1))), ValueError,
     "got none at joint 1: M(q) is singular here"),
    (lambda: rd.forward_dynamics(rd.Arm([rd.Link(sp.Symbol("m", positive=True))]), [0], [0], [1]), ValueError,
     "got none at joint 1: M(q) is singular here"),
    (lambda: rd.forward_dynamics_derivatives(rd.Arm([rd.Link(1.0)]), [0], [0], [1]), ValueError,
     "got none at joint 1: M(q) is singular here"),
    (lambda: rd.inverse_dynamics_derivatives(ARM, [0, 0], [0], [0, 0]), ValueError,
     "qd must have shape (2,) for an arm of 2 joints, got (1,)"),
    (lambda: rd.robots.planar(0), ValueError, "a planar arm must have at least one link, got 0"),
    (lambda: rd.robots.planar((1, 1), (1,)), ValueError, "masses must have as many entries as lengths (2), got 1"),
    (lambda: rd.robots.planar(1.5), TypeError, "lengths must hold one entry for each link, got 1.5"),
    (lambda: rd.robots.planar((1, 1), 2), TypeError, "masses must hold one entry for each link, got 2"),
    (lambda: rd.robots.planar((1, 1), inertias=("a", 1)), TypeError, "inertias must hold real numbers"),
    (lambda: rd.robots.planar((1, 1), coms=((1, 2, 3), 1)), ValueError, "com must have shape (2,), got (3,)"),
    (lambda: rd.robots.planar(2, gravity=(0, -9.81)), ValueError, "gravity must have shape (), got (2,)"),
    (lambda: rd.robots.planar(2, gravity="9.81"), TypeError, "gravity must hold real numbers"),
    (lambda: rd.robots.puma560(None), TypeError, "gravity must hold real numbers"),
    (lambda: rd.robots.panda((0, 0, -9.81)), ValueError, "gravity must have shape (), got (3,)"),
    (lambda: rd.robots.double_pendulum(np.nan), ValueError, "gravity must be finite, got nan"),
    (lambda: rd.robots.two_link((1, 1, 1), (1, 1, 1)), ValueError, "lengths must have shape (2,), got (3,)"),
    (lambda: rd.robots.uniform_two_link("a"), TypeError, "length must hold real numbers"),
    (lambda: rd.robots.rp((1, 1, 1), (1, 2, 3), (1, 2, 3), (1, 1, 1)), ValueError, "masses must have shape (2,), got (3,)"),
    (lambda: rd.Link(1, joint=np.array([1, 2])), ValueError, 'joint must be "revolute", "prismatic" or "screw", got array([1, 2])'),
    (lambda: rd.Arm.from_dh(None), TypeError, "rows must hold real numbers"),
    (lambda: rd.Arm.from_dh([]), ValueError, "rows must have shape (n, 4), a row (a, alpha, d, theta) for each joint, got (0,)"),
    (lambda: rd.Arm.from_dh([(0, 0, 0, 0)], masses=1), ValueError, "masses must have one entry for each of the 1 rows, got 1"),
    (lambda: rd.robots.rp((1, 1), (1, 2, 3)), ValueError, "com1 must have as many entries as masses (2), got 3"),
    (lambda: planar.absolute(rd.robots.rp(), [0, 0]), ValueError, "a planar arm must have revolute joints about (0, 0, 1)"),
    (lambda: planar.forward_dynamics(rd.robots.planar(2, (0, 0)), [0, 0], [0, 0], [0, 0]), ValueError, "M~ must be invertible"),
    (lambda: planar.forward_dynamics(ARM, [0, 0, 0], [0, 0], [0, 0]), ValueError, "q must have shape (2,)"),
    (lambda: planar.forward_dynamics(ARM, [0, 0], [0, np.nan], [0, 0]), ValueError, "qd must be finite, got nan"),
    (lambda: planar.forward_dynamics(ARM, [0, 0], [0, 0], 1.0), ValueError, "u must have shape (2,), got ()"),
    (lambda: planar.forward_dynamics(ARM, sp.symbols("a b"), [0, 0], [0, 0]), TypeError, "q must hold numbers, got symbols"),
    (lambda: planar.euler_step(ARM, [0, 0], [0, 0], [0, 0], np.inf), ValueError, "dt must be finite, got inf"),
    (lambda: planar.euler_step(ARM, [0, 0], [0, 0], [0, 0], [0.1, 0.1]), ValueError, "dt must have shape (), got (2,)"),
    (lambda: planar.to_absolute(1.0), ValueError, "q must have shape (1,) for an arm of 1 joint, got ()"),
    (lambda: planar.L(True), ValueError, "n must be a whole number >= 1, got True"),
    (lambda: planar.L(0), ValueError, "n must be a whole number >= 1, got 0"),
    (lambda: rd.simulate(ARM, [0, 0], [0, 0]), TypeError, "t must be given: an array of times in s"),
    (lambda: rd.simulate(ARM, [0, 0], [0, 0], t=[0, 1, 1]), ValueError, "t must be an increasing array of at least two finite times"),
    (lambda: rd.simulate(ARM, [0, 0], [0, 0], t=[0, 2, 1]), ValueError, "got 1 after 2: equal or falling times have no step"),
    (lambda: rd.simulate(ARM, [0, 0], [0, 0], t=[0]), ValueError, "at least two finite times in s, got shape (1,)"),
    (lambda: rd.simulate(ARM, [0, 0], [0, 0], t=[0, np.nan]), ValueError, "t must be finite, got nan"),
    (lambda: rd.simulate(ARM, [0, 0], [0, 0], t="later"), TypeError, "t must hold real numbers"),
    (lambda: rd.simulate([0, 0], ARM, [0, 0], t=[0, 1]), TypeError, "the first argument must be an Arm, got [0, 0]"),
    (lambda: rd.simulate(ARM, [0, 0], [0, 0], sp.symbols("a b"), [0, 1]), TypeError, "tau must hold numbers, got symbols"),
    (lambda: rd.simulate(ARM, [0, 0], [0, 0], lambda t, q, qd: [np.nan, 0], [0, 1]), ValueError, "tau must be finite, got nan"),
    (lambda: rd.simulate(ARM, [0, 0], [0, 0], lambda t, q, qd: None, [0, 1]), TypeError, "tau must hold real numbers"),
    (lambda: rd.simulate(ARM, [0, 0], [0, 0], t=[0, 1], method=["rk4"]), ValueError, "solve_ivp, got ['rk4']"),
    (lambda: rd.simulate(ARM, [0, 0], [0, 0], t=[0, 1], method="rk5"), ValueError,
     "method must be one of euler, semi-implicit, rk4, solve_ivp, got 'rk5'"),
    (lambda: rd.simulate(ARM, [0, 0], [0, 0], t=[0, 1], rtol=1e-3), TypeError, "its steps are those of t"),
    (lambda: rd.simulate(ARM, [0, 0], [0, 0], [1, 2, 3], [0, 1]), ValueError, "tau must have shape (2,)"),
    (lambda: rd.simulate(ARM, [0, 0], [0, 0], lambda t, q, qd: 1.0, [0, 1]), ValueError, "tau must have shape (2,)"),
    (lambda: rd.simulate(ARM, [0, 0], [99, -99], t=np.arange(0, 90, 9.0), method="euler"), ValueError, "the motion must stay finite"),
    (lambda: rd.simulate(rd.robots.two_link(symbolic=True), [0, 0], [0, 0], t=[0, 1]), TypeError, "simulate needs numbers"),
    (lambda: rd.simulate(ARM, sp.symbols("a b"), [0, 0], t=[0, 1]), TypeError, "q must hold numbers, got symbols: put values in with subs"),
    (lambda: rd.control.gravity_compensation(1), TypeError, "the first argument must be an Arm, got 1"),
    (lambda: rd.control.pd(ARM, 1, 1, [0]), ValueError, "goal must have shape (2,), got (1,)"),
    (lambda: rd.control.pd(ARM, [1, 2, 3], 1, [0, 0]), ValueError, "kp must be a number or have shape (2,) or (2, 2), got (3,)"),
    (lambda: rd.control.pd(ARM, 1, -1, [0, 0]), ValueError,
     "kd must be symmetric without a negative eigenvalue, got -1: it would push away or feed energy in"),
    (lambda: rd.control.pd(ARM, [[1, 1], [0, 1]], 1, [0, 0]), ValueError, "kp must be symmetric without a negative eigenvalue"),
    (lambda: rd.control.pd(ARM, "stiff", 1, [0, 0]), TypeError, "kp must hold real numbers"),
    (lambda: rd.control.pd(ARM, 1, 1, [0, 0], "moon"), ValueError, 'gravity must be True, False or "goal", got \'moon\''),
    (lambda: rd.control.computed_torque(ARM, [0, 0], 1, 1), TypeError,
     "motion must be a function t -> (q, qd, qdd), as rd.control.minimum_jerk makes one, got [0, 0]"),
    (lambda: rd.control.computed_torque(ARM, np.sin, 1, 1), TypeError, "makes one, got one that returns float64"),
    (lambda: rd.control.passivity(ARM, rd.control.sine([0], 1, 1), 1, 1), ValueError,
     "the position of the motion must have shape (2,), got (1,)"),
    (lambda: rd.control.minimum_jerk([0, 0], [1], 1), ValueError, "end must have shape (2,), got (1,)"),
    (lambda: rd.control.minimum_jerk(0, 1, 0), ValueError, "duration must be > 0 s, got 0"),
    (lambda: rd.control.sine([0, 0], [1, 2, 3], 1), ValueError, "amplitude must be a number or have shape (2,), as center has, got (3,)"),
    (lambda: rd.control.limited(3, 1), TypeError, "law must be a function (t, q, qd) -> tau, got 3"),
    (lambda: rd.control.limited(rd.control.gravity_compensation(ARM), -1), ValueError, "limits must not have lower above upper, got 1.0 and -1.0"),
    (lambda: rd.control.limited(rd.control.gravity_compensation(ARM), (1, 2, 3)), ValueError, "limits must be (lower, upper), or one bound for both, got 3 entries"),
    (lambda: rd.control.limited(rd.control.gravity_compensation(ARM), [1, 2, 3])(0, Q2, Q2), ValueError,
     "limits must be a number or have one entry for each of the 2 joints, got 3"),
    (lambda: rd.control.energy_shaping(ARM, [0, 0], 0), ValueError, "gain must be > 0 N m s/(rad J), got 0"),
    (lambda: rd.control.energy_shaping(ARM, [0, 0], 1, [2]), ValueError, "motors must be indices of joints from 0 to 1, each once, got [2]"),
    (lambda: rd.control.impedance(ARM, [0, 0], 1, 1), ValueError, "goal must have shape (3,), got (2,)"),
    (lambda: rd.control.impedance(ARM, rd.control.sine([0], 1, 1), 1, 1), ValueError, "the position of the motion must have shape (3,)"),
    (lambda: rd.control.operational_space(ARM, rd.control.sine(Q2, 1, 1), 1, 1, directions=[1, 0, 0]), ValueError,
     "directions must have shape (k, 3), got (3,): a row for each direction"),
    (lambda: rd.control.operational_space(ARM, rd.control.sine(Q2, 1, 1), 1, 1, 5, directions=XY), TypeError, "posture must be a law (t, q, qd) -> tau, got 5"),
    (lambda: rd.control.operational_space(ARM, rd.control.sine(np.zeros(3), 1, 1), 1, 1)(0, Q2, Q2), ValueError,
     "a point must be carried by as many joints as there are directions, got 2 joints before link 1 and 3 directions"),
    (lambda: hybrid(force=[5, -1]), ValueError,
     "force must be 0 along direction 0, whose motion is controlled, got 5 N: select this direction, or want no force there"),
    (lambda: hybrid(force=lambda t: [5, -1]), ValueError, "force must be 0 along direction 0"),
    (lambda: hybrid(force=[1]), ValueError, "force must have shape (2,), got (1,)"),
    (lambda: hybrid(selection=[0, 1]), ValueError,
     "selection must hold True or False for each of the 2 directions, got [0, 1]: True where the force is controlled"),
    (lambda: hybrid(directions=[[1, 0, 0], [1, 1, 0]]), ValueError, "directions must be perpendicular unit vectors, got [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]"),
    (lambda: hybrid(sensor=3), TypeError, "sensor must be a function (t, q, qd) -> force (3,) N on the hand, as the force of rd.forces.plane_contact, got 3"),
    (lambda: hybrid(ki=-1), ValueError, "ki must be symmetric without a negative eigenvalue, got -1: it would push away or feed energy in"),
    (lambda: rd.control.admittance(ARM, [1, 0], SENSOR, 1, 1, -100, 1, 1, Q2, XY), ValueError, "stiffness must be symmetric without a negative eigenvalue, got -100"),
    (lambda: rd.control.admittance(ARM, [1, 0], SENSOR, 0, 1, 1, 1, 1, Q2, XY), ValueError, "mass must be positive, got 0: a force would move it infinitely fast"),
    (lambda: rd.control.admittance(ARM, [1, 0], SENSOR, 1, 1, 1, 1, 1, Q2, XY), ValueError, "the pose must let the point move along all directions"),
    (lambda: rd.control.run(ARM, hybrid(), Q2 + 1, Q2, 1, 0), ValueError, "period must be > 0 s, got 0"),
    (lambda: rd.control.adaptive(ARM, rd.control.sine(Q2, 1, 1), 1, 1, np.ones(3)), ValueError, "gain must be a number or have shape (20,) or (20, 20)"),
    (lambda: rd.control.adaptive(ARM, rd.control.sine(Q2, 1, 1), 1, 1, 1, ["coulomb"]), ValueError,
     "joints must name some of motor_inertia, viscous, got 'coulomb'"),
    (lambda: rd.control.adaptive(ARM, rd.control.sine(Q2, 1, 1), 1, 1, 1, start=[1]), ValueError, "start must have shape (20,), got (1,)"),
    (lambda: rd.control.run(ARM, 1, Q2, Q2, 1), TypeError, "law must be a function (t, q, qd) -> tau, or a Learning law, got 1"),
    (lambda: rd.control.run(ARM, IDLE, Q2, Q2, 1, 0.3), ValueError, "duration must be a whole number of periods, got 1 s of 0.3 s each"),
    (lambda: rd.control.run(ARM, IDLE, Q2, Q2, 1, delay=-1), ValueError, "delay must be >= 0 s, got -1: no law knows the future"),
    (lambda: rd.control.run(ARM, IDLE, Q2, Q2, 1, resolution=-1), ValueError, "resolution must be >= 0, a number or (2,), got -1.0"),
    (lambda: rd.control.run(ARM, IDLE, Q2, Q2, 1, noise=1), TypeError, "noise must be (of q, of qd), two standard deviations, got 1"),
    (lambda: rd.control.run(ARM, IDLE, Q2, Q2, 1, noise=(1, 1)), TypeError, "noise needs rng, a generator such as np.random.default_rng(1), got None"),
    (lambda: rd.control.run(ARM, IDLE, Q2, Q2, 1, substeps=0), ValueError, "substeps must be a whole number >= 1, got 0"),
    (lambda: rd.control.run(ARM, IDLE, Q2, Q2, 1, limits=[1, 2, 3]), ValueError, "limits must be a number or have one entry for each of the 2 joints"),
    (lambda: rd.control.run(ARM, IDLE, Q2, Q2, 1, load=2), TypeError, "load must be a law (t, q, qd) -> tau, got 2"),
    (lambda: rd.control.run(ARM, IDLE, Q2, Q2, 1, method="leap"), ValueError, "method must be one of euler, semi-implicit, rk4, got 'leap'"),
    (lambda: rd.control.run(ARM, lambda t, q, qd: [1], Q2, Q2, 1), ValueError, "tau must have shape (2,) for an arm of 2 joints, got (1,)"),
    (lambda: rd.control.run(ARM, rd.control.pd(ARM, 1, 1e5, Q2), Q2, Q2 + 1, 1, 0.01), ValueError,
     "lower the gains, or shorten period and delay"),
    (lambda: rd.control.continuous(ARM, IDLE, Q2, Q2, [1, 0]), ValueError, "t must be an increasing array"),
    (lambda: rd.forces.viscous(-1), ValueError, "b must be finite and >= 0, got -1.0: a negative one would feed energy in"),
    (lambda: rd.forces.coulomb(1, 0), ValueError, "width must be > 0 rad/s"),
    (lambda: rd.forces.tip_wrench(ARM, [1, 2, 3]), ValueError, "wrench must have shape (6,), got (3,)"),
    (lambda: rd.forces.viscous([1, 2, 3])(0, [0, 0], [0, 0]), ValueError,
     "b must be a number or have one entry for each of the 2 joints, got 3"),
    (lambda: rd.forces.viscous(np.eye(2)), ValueError, "b must be a number or have shape (n,), got (2, 2)"),
    (lambda: rd.forces.viscous("thick"), TypeError, "b must hold real numbers"),
    (lambda: rd.forces.viscous(sp.Symbol("b")), TypeError, "b must hold numbers, got symbols"),
    (lambda: rd.forces.spring(1, np.nan), ValueError, "rest must be finite, got nan"),
    (lambda: rd.forces.coulomb(1, "wide"), TypeError, "width must hold real numbers"),
    (lambda: rd.forces.tip_wrench(ARM, lambda t: [1, 2])(0, [0, 0], [0, 0]), ValueError, "wrench must have shape (6,), got (2,)"),
    (lambda: rd.forces.total([1, 2, 3])(0, [0, 0], [0, 0]), ValueError, "law 1 must be a number or have one entry for each"),
    (lambda: rd.forces.total(None), TypeError, "law 1 must hold real numbers"),
    (lambda: rd.forces.total([1, 2], lambda t, q, qd: np.ones(3))(0, [0, 0], [0, 0]), ValueError, "got the shapes law 1 (2,), law 2 (3,)"),
    (lambda: rd.robots.random_arm(np.random.default_rng(0), 0), ValueError, "n must be a whole number of links"),
    (lambda: rd.robots.random_arm(np.random.default_rng(0), 2, ["revolute", "hinge"]), ValueError, "joints must hold n = 2 words among revolute"),
    (lambda: rd.forces.total(), ValueError, "total needs at least one law"),
    (lambda: rd.Arm.from_dh([(0, 0, 0, 0)], "craig"), ValueError, 'convention must be "standard" or "modified", got \'craig\''),
    (lambda: rd.Arm.from_dh([(0, 0, 0)]), ValueError, "rows must have shape (n, 4), a row (a, alpha, d, theta) for each joint, got (1, 3)"),
    (lambda: rd.Arm.from_dh([(0, 0, 0, 0)], masses=[1, 2]), ValueError, "masses must have one entry for each of the 1 rows, got 2"),
    (lambda: rd.derive([0, 0]), TypeError, "the first argument must be an Arm, got [0, 0]"),
    (lambda: rd.derive(ARM, 3), ValueError, "q must name 2 coordinates, one for each joint, got 3"),
    (lambda: lagrange.euler_lagrange(sp.Matrix([[QD**2]]), 0, [Q], [QD]), TypeError,
     "T must hold numbers and SymPy expressions, got MutableDenseMatrix Matrix([[v**2]]): take its entry, such as T[0]"),
    (lambda: lagrange.euler_lagrange(None, 0, [Q], [QD]), TypeError, "T must hold numbers and SymPy expressions, got NoneType None"),
    (lambda: lagrange.euler_lagrange(QD**2, "m*g*x", [Q], [QD]), TypeError, "V must hold numbers and SymPy expressions, got str"),
    (lambda: lagrange.euler_lagrange(QD**2, 0, "x", [QD]), TypeError, "q must hold numbers and SymPy expressions, got str 'x'"),
    (lambda: lagrange.euler_lagrange(QD**2, 0, [Q], [QD], t=0), TypeError, "t must be the symbol of time, got 0"),
    (lambda: lagrange.euler_lagrange(0, 0, [sp.Function("x")(sp.Symbol("t"))], t=Q), ValueError, "t must be the time that q depends on, t, got x"),
    (lambda: lagrange.euler_lagrange(X(TIME).diff(TIME) ** 2, X(TIME).diff(TIME, 3), [X(TIME)]), ValueError,
     "T and V must not hold second derivatives of q"),
    (lambda: lagrange.euler_lagrange(X(TIME).diff(TIME) ** 2, X(TIME - 1), [X(TIME)]), ValueError,
     "T and V must hold q at the time t only, got X(t - 1)"),
    (lambda: lagrange.christoffel(None, [Q], [QD]), TypeError, "M must be a matrix of SymPy expressions, got None"),
    (lambda: lagrange.christoffel(sp.eye(2), [Q, Q], [QD, QD]), ValueError, "q must hold distinct symbols, got [x, x]"),
    (lambda: lagrange.matrix_form(sp.eye(1), [Q], [QD], ["bracket"]), ValueError, 'choice must be "christoffel" or "bracket"'),
    (lambda: rd.lagranje, AttributeError, "robotdyn has no 'lagranje'; it has "),
]  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "sentence"), SENTENCES, ids=range(len(SENTENCES)))
def test_sentence(call, kind, sentence):
    """Each of these calls is refused with this sentence."""
    with pytest.raises(kind, match=re.escape(sentence)):
        call()


POINTS = rd.Arm([rd.Link(0), rd.Link(1, joint="prismatic", axis=(1, 0, 0))])  # M is singular where its slider is at 0
ONE_OF_SEVERAL = [
    (lambda: rd.rotations.from_quaternion([(1, 0, 0, 0), (0, 0, 0, 0)]), "quaternion must not be zero"),
    (lambda: rd.rotations.log([CUBE, -CUBE]), "got one with |R^T R - 1| = 0 and det R = -1"),
    (lambda: rd.forward_dynamics(POINTS, [[0, 1], [0, 0]], Q2, Q2), "every joint must move some mass or inertia, got none at joint 1"),
    (lambda: rd.forces.viscous([1, -1]), "b must be finite and >= 0, got [1.0, -1.0]"),
    (lambda: rd.forces.stribeck([2, 1], [1, 2], 0.1), "stiction must be >= c, got [1.0, 2.0] and [2.0, 1.0]"),
    (lambda: rd.forces.stops([0, 1], [1, 0], 10), "lower must not lie above upper, got [0.0, 1.0] and [1.0, 0.0]"),
    (lambda: rd.forces.stops([0, np.nan], 1, 10), "lower must be a number or have shape (n,), without NaN, got [0.0, nan]"),
    (lambda: rd.flexible.accelerations(MOTORS, [5, -5], *np.zeros((5, 2))), "k must be >= 0, got [5.0, -5.0]"),
    (lambda: rd.sensors.complementary_filter([0, 1, 2], CUBE, CUBE, [1, 0, 1]), "time_constant must be > 0 s"),
    (lambda: rd.linearize(ARM, Q2, Q2, Q2, 0.1, [1, -1]), "damping must be >= 0, got [1.0, -1.0]"),
    (lambda: rd.control.run(ARM, IDLE, Q2, Q2, 1, resolution=[1, -1]), "resolution must be >= 0, a number or (2,), got [1.0, -1.0]"),
    (lambda: rd.control.run(ARM, IDLE, Q2, Q2, 1, noise=(0, [1, -1])), "noise of qd must be >= 0, a number or (2,), got [1.0, -1.0]"),
    (lambda: rd.control.limited(IDLE, ([0, 1], [1, 0])), "limits must not have lower above upper, got [0.0, 1.0] and [1.0, 0.0]"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "sentence"), ONE_OF_SEVERAL, ids=range(len(ONE_OF_SEVERAL)))
def test_one_wrong_row_among_right_ones_is_refused(call, sentence):
    """In a batch, or for one joint of several: what is wrong nowhere else is told."""
    with pytest.raises(ValueError, match=re.escape(sentence)):
        call()


NEARLY = {
    "inertia must be symmetric": lambda off: rd.Body(1, inertia=[[1, off, 0], [0, 1, 0], [0, 0, 1]]),
    "inertia must be symmetric, got [[1e-20": lambda off: rd.Body(1, inertia=1e-20 * (CUBE + off * np.eye(3, k=1))),
    "inertia must have principal moments >= 0": lambda off: rd.Body(1, inertia=np.diag([1, 1, -off])),
    "principal moments >= 0, got -1e-26": lambda off: rd.Body(1, inertia=1e-20 * np.diag([1, 1, -off])),
    "inertia must obey the triangle inequality": lambda off: rd.Body(1, inertia=np.diag([1, 1, 2 + off])),
    "(no principal moment above": lambda off: rd.Link(1, inertia=1e-20 * np.diag([1, 1, 2 + off])),
    "of the other two), got 1e+20": lambda off: rd.Link(1, inertia=1e20 * np.diag([1, 1, 2 + off])),
    "axis must be a unit vector": lambda off: rd.Link(1, axis=(0, 0, 1 + off)),
    "rotation must be a rotation matrix": lambda off: rd.Link(1, rotation=(1 + off) * CUBE),
    "R must be a rotation matrix": lambda off: rd.rotations.log([CUBE, (1 + off) * CUBE]),
    "twist must turn by 1 rad": lambda off: rd.motions.along((0, 0, 0, 0, 0, 1 + off), 1),
    "got |v| =": lambda off: rd.motions.along((0, 0, 1 + off, 0, 0, 0), 1),
}


@pytest.mark.parametrize("sentence", NEARLY)
def test_rounding_is_taken_and_nothing_more(sentence):
    """What is off by 1e-12, as computed numbers are, is meant well; what is off by 1e-6, beside its own size, is wrong."""
    NEARLY[sentence](1e-12)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        NEARLY[sentence](1e-6)


CUBOID = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
BODY = "<inertial><mass value='{}'/><inertia ixx='{}' iyy='1' izz='1'/></inertial>"


def urdf(joints, body=CUBOID, more="", root="<robot>"):
    return f"{root}<link name='a'/><link name='b'>{body}</link>{more}{joints}</robot>"


def joint(inside="", kind="revolute", name="j", parent="a", child="b"):
    return f"<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>{inside}</joint>"


URDFS = {
    "<robot": "must be a URDF file, got text that is no XML",
    "<?xml version='1.0' encoding='none'?><robot/>": "must be a URDF file, got text that is no XML: unknown encoding: none",
    "<robot><link name='a'/></robot>": "the chain to a must have a moving joint",
    "<robot><link name='a'/><link name='b'/></robot>": "must have one root link, which no joint carries, got a, b",
    urdf(joint() + joint(name="k", child="c"), more="<link name='c'/>"): "tip must be given for a URDF that branches",
    "<sdf><link name='a'/></sdf>": "must be a URDF file, with <robot> around all, got <sdf>: Gazebo's own format; give the URDF file that it was made from, or convert it to MJCF",
    urdf(joint("<axis xyz='0 0 0'/>")): "axis of joint j of",
    urdf(joint("<axis xyz='0 1'/>")): "must be 3 finite numbers, got '0 1'",
    urdf(joint("<origin xyz='${x} 0 0'/>")): "must be 3 finite numbers, got '${x} 0 0': expand a xacro file first",
    urdf(joint("<origin rpy='nan 0 0'/>")): "rpy of origin of joint j of",
    urdf(joint("<origin rpy='1e308 0 0'/>")): "must be 3 finite numbers, got '1e308 0 0': below 1e+50",
    urdf(joint("<origin rpy='1_0 0 0'/>")): "must be 3 finite numbers, got '1_0 0 0'",
    urdf("<joint name='j' type='revolute'><child link='b'/></joint>"): "must have a <parent> in its <joint>, got none",
    urdf(joint(parent="z")): "must join links of the file, got 'z'; there are a, b",
    urdf(joint() + joint(name="k")): "must carry a link of its own, got b, which j carries too",
    urdf(joint() + joint(name="k", parent="b", child="a")): "must have one root link, which no joint carries, got none",
    urdf(joint(parent="b")): "must make a tree, got a ring among b",
    urdf(joint(), more="<link name='b'/>"): "must have a name of its own, got b again",
    urdf(joint(), "<inertial><inertia ixx='1' iyy='1' izz='1'/></inertial>"): "must have a <mass> in its <inertial>, got none",
    urdf(joint(), "<inertial><mass value='1'/></inertial>"): "must have a <inertia> in its <inertial>, got none: inertias=\"nearest\" takes its mass for a point",
    urdf(joint(), BODY.format("1kg", 1)): "value of <mass> of link b",
    urdf(joint(), BODY.format(1, 1).replace("izz", "ixy='0' ixz='0' izy='0' izz")): "iyz of <inertia> of link b",
    urdf(joint(), BODY.format(1, 3)): "inertia must obey the triangle inequality",
    urdf(joint() + joint(kind="fixed", name="k", parent="b", child="c"), more=f"<link name='c'>{BODY.format(-0.5, 1)}</link>"):
        "link c of",  # its mass would hide in that of b
    urdf(joint() + joint("<mimic joint='x'/>", name="k", parent="b", child="c"), more="<link name='c'/>"):
        "must mimic a joint of the file that moves, got x: take its <mimic> away, and it is a joint of its own",
    urdf(joint(kind="planar")):
        "joint j must be fixed, floating, revolute, continuous or prismatic to lie on the chain to b, got planar: make it two prismatic "
        "and one continuous with links without mass between them",
    "<mujoco/>": "must be a URDF file, with <robot> around all, got <mujoco>: rd.from_mjcf reads MuJoCo's files",
    urdf(joint(kind="screw")): "got screw: URDF has no such joint; build that link yourself, rd.Link(.., joint=\"screw\")",
    "<robot><link name='a'/><link name='b'><inertial><mass value='-1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
    "<joint name='j' type='revolute'><parent link='a'/><child link='b'/></joint></robot>": "link b of",
}  # fmt: skip


LINK = "<link name='l{}'/>"
HINGE = "<joint name='j{0}' type='revolute'><parent link='{1}'/><child link='l{0}'/></joint>"
MANY = "".join(LINK.format(k) for k in range(150))
STAR = "".join(HINGE.format(k, "l0") for k in range(1, 150))


@pytest.mark.parametrize(
    ("given", "options", "error", "sentence"),
    [
        ("<robot/>", {}, ValueError, "the text must have links, got a robot without any: of a xacro file, expand it first"),
        (f"<robot>{MANY}{HINGE.format(3, 'lost')}</robot>", {}, ValueError,
         "joint j3 of the text must join links of the file, got 'lost'; there are l0, l1, "),
        (f"<robot>{MANY}{STAR}</robot>", {}, ValueError, "tip must be given for a URDF that branches: the text ends in l1, "),
        (f"<robot>{MANY}{STAR}</robot>", {"tip": "hand"}, ValueError, "tip must be a link of the text, got 'hand'; there are l0, "),
        (f"<robot>{MANY}</robot>", {}, ValueError, "must have one root link, which no joint carries, got l0, l1, "),
        (f"<robot>{MANY}{STAR}</robot>", {"tip": [1]}, TypeError, "tip must be the name of one link, or a list of names, got [1]"),
        (7, {}, TypeError, "path must be the path of a URDF file, its text, or an open file, got int"),
        (None, {}, TypeError, "path must be the path of a URDF file, its text, or an open file, got NoneType"),
        ("<robot", {}, ValueError, "the text must be a URDF file, got text that is no XML"),
        ("<sdf/>", {}, ValueError, "the text must be a URDF file, with <robot> around all, got <sdf>"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_text_stands_first(given, options, error, sentence):
    """And in few words, however many links there are."""
    with pytest.raises(error) as caught:
        rd.Arm.from_urdf(given, **options)
    assert sentence in str(caught.value) and len(str(caught.value)) < 250


def test_a_robot_is_read_from_a_path_a_text_or_an_open_file(tmp_path):
    """All three give the same arm; a text may begin with blanks."""
    text = "<robot><link name='a'/><link name='b'><inertial><mass value='2'/>" \
        "<inertia ixx='1' iyy='1' izz='1'/></inertial></link>" \
        "<joint name='j' type='revolute'><parent link='a'/><child link='b'/></joint></robot>"  # fmt: skip
    path = tmp_path / "arm.urdf"
    path.write_text(text, encoding="utf-8")
    arm = rd.Arm.from_urdf(path)
    assert rd.Arm.from_urdf(str(path)) == rd.Arm.from_urdf(text) == rd.Arm.from_urdf(f"\n  {text}") == arm
    with path.open("rb") as raw, path.open(encoding="utf-8") as words:
        assert rd.Arm.from_urdf(raw) == rd.Arm.from_urdf(words) == arm


def test_signatures_can_be_read():
    """What help() shows first: names of types, not their contents; and completion of a part offers what is public."""
    import inspect

    parts = {name: getattr(rd, name) for name in rd.__all__ if name not in ("check", "show")}
    public = {
        f"{name}.{one}": getattr(part, one) for name, part in parts.items() for one in getattr(part, "__all__", ())
    }
    public |= {f"Arm.{name}": getattr(rd.Arm, name) for name in ("from_dh", "from_screws", "from_urdf")} | parts
    sizes = {name: len(str(inspect.signature(one))) for name, one in public.items() if callable(one)}
    long = {name for name, size in sizes.items() if size > 300}
    assert len(sizes) > 250 and max(sizes.values()) <= 600
    assert long <= {"reach", "Link", "stream", "simulate", "constrained_ilqr", "ilqr", "control.run", "control.hybrid_force_motion",
                    "control.admittance", "identification.excite"}  # fmt: skip
    for part in (
        rd.costs,
        rd.forces,
        rd.sensors,
        rd.bodies,
        rd.task_space,
        rd.inverse_kinematics,
        rd.differential_kinematics,
        rd.laws,
        rd.rotations,
    ):
        assert dir(part) == sorted(part.__all__) and "np" not in dir(part)


@pytest.mark.parametrize("text", URDFS, ids=range(len(URDFS)))
def test_urdf_sentence(text, tmp_path):
    """A URDF that holds no arm is refused with a sentence."""
    path = tmp_path / "arm.urdf"
    path.write_text(text, encoding="utf8")
    with pytest.raises(ValueError, match=re.escape(URDFS[text])):
        rd.Arm.from_urdf(path)


@pytest.mark.parametrize("kind", ["fixed", "revolute"])
def test_fixed_joints_in_a_row_are_one(kind, tmp_path):
    """Before the tip, and before a joint that moves: the frame behind them is the product of their transforms."""
    path, rng = tmp_path / "arm.urdf", np.random.default_rng(3)
    places, turns = rng.normal(size=(2, 4, 3))
    frames = [
        f"<origin xyz='{' '.join(map(repr, map(float, p)))}' rpy='0 0 {float(t[2])!r}'/>" for p, t in zip(places, turns)
    ]
    kinds = ["revolute", "fixed", "fixed", kind]
    joints = [joint(inside, *row) for inside, row in zip(frames, zip(kinds, "jkmn", "abcd", "bcde"))]
    links = "".join(f"<link name='{name}'/>" for name in "cde")
    path.write_text(urdf("".join(joints), more=links), encoding="utf8")
    steps = [rd.motions.homogeneous(rd.rotations.exp((0, 0, t[2])), p) for p, t in zip(places, turns)]
    expected = functools.reduce(np.matmul, steps)[:3, 3]
    arm = rd.Arm.from_urdf(path)
    assert np.allclose(rd.point_position(arm, np.zeros(arm.n)), expected, atol=1e-12)


def test_urdf_as_others_write_them(tmp_path):
    """A namespace, comments, no axis, an axis of any length, moments without a mass, and a base that could not be."""
    path = tmp_path / "arm.urdf"

    def read(text):
        path.write_text("<?xml version='1.0'?><!-- an arm -->" + text, encoding="utf8")
        return rd.Arm.from_urdf(path)

    plain = read(urdf(joint("<axis xyz='1 0 0'/>")))
    assert read(urdf("<!-- its joint -->" + joint(), root="<robot xmlns='http://ros.org' name='r'>")) == plain
    assert read(urdf(joint("<axis xyz='1 0 0'/><limit drake:acceleration='2'/>"))) == plain  # a prefix nobody declared
    assert read(urdf(joint("<axis xyz='2 0 0'/>", kind="continuous"))) == plain
    assert (
        read(urdf(joint("<axis/>")).replace("<link name='a'/>", f"<link name='a'>{BODY.format(-1, 9)}</link>")) == plain
    )
    rotor = read(urdf(joint(), BODY.format(0, 1)))
    assert rotor.links[0].mass == 0 and (rotor.links[0].inertia == np.eye(3)).all()


ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(), st.text(max_size=3), st.complex_numbers()),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=7,
)


@settings(max_examples=300, deadline=None)
@given(q=ANYTHING, qd=ANYTHING)
def test_a_state_is_taken_or_refused_with_a_sentence(q, qd):
    """Whatever stands for a state, the result is finite numbers, or a ValueError or TypeError that names the argument."""
    try:
        result = rd.bias_torque(ARM, q, qd)
    except (ValueError, TypeError) as error:
        assert re.match(r"(q|qd|batches of q, qd) must ", str(error)), error
    else:
        assert result.shape[-1] == 2
        assert np.isfinite(result).all() or np.max(np.abs(np.asarray(qd, float))) > 1e150


@settings(max_examples=300, deadline=None)
@given(mass=ANYTHING, com=ANYTHING, inertia=ANYTHING, axis=ANYTHING)
def test_a_link_is_built_or_refused_with_a_sentence(mass, com, inertia, axis):
    """Whatever is given for a body, the link is one that can be, or the error names the entry."""
    for arguments in ({"mass": mass}, {"com": com}, {"inertia": inertia}, {"axis": axis}):
        try:
            link = rd.Link(**{"mass": 1.0, **arguments})
        except (ValueError, TypeError) as error:
            assert str(error).startswith(next(iter(arguments))), error
        else:
            assert link.mass >= 0 and np.isfinite(link.com).all()
            assert np.isclose(np.linalg.norm(link.axis), 1)
            assert np.linalg.eigvalsh(link.inertia)[0] >= -1e-9 * abs(link.inertia).max()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=6, max_size=6))
def test_any_finite_state_obeys_the_power_balance(numbers):
    """The laws hold at every state that is not refused, the far ones too."""
    from robotdyn import laws as relations

    q, qd, qdd = np.array(numbers).reshape(3, 2)
    q, qd, qdd = q % 7, qd / 1e5, qdd / 1e5
    assert relations.power_balance(rd.inverse_dynamics, ARM, q, qd, qdd) < 1e-5


def records():
    """Return every dataclass that a file of the library defines; what only the extra `fast` loads is left out without it."""
    files = []
    for module in pkgutil.walk_packages(rd.__path__, "robotdyn."):
        try:
            files.append(importlib.import_module(module.name))
        except ModuleNotFoundError as error:
            if error.name != "llvmlite":
                raise
    return {x for file in files for x in vars(file).values() if inspect.isclass(x) and dataclasses.is_dataclass(x)}


def test_no_record_can_be_changed():
    """What was checked when it was made stays as it was: a changed copy is made by dataclasses.replace, and checked again."""
    found = records()
    assert {rd.Arm, rd.Link, rd.Body, rd.costs.Cost} <= found
    loose = [x.__name__ for x in found if not x.__dataclass_params__.frozen]
    assert not loose


TABLE = np.arange(400.0).reshape(20, 20)  # its repr has many lines


@pytest.mark.parametrize(
    "call",
    [
        lambda x: rd.point_position(ARM, [0, 0], x),
        lambda x: rd.forces.plane_contact(ARM, [0, 0, 0], [0, 1, 0], 10.0, link=x),
        lambda x: rd.control.hybrid_force_motion(ARM, x, [0, 0], None, [True, False], 1, 1),
        lambda x: rd.control.hybrid_force_motion(ARM, lambda t: 3, [0, 0], x, [True, False], 1, 1),
        lambda x: rd.control.hybrid_force_motion(ARM, None, [0], lambda *y: 0, x, 1, 1, 0, [[1, 0, 0]]),
        lambda x: rd.control.pd(ARM, x, 1, 1),
        lambda x: rd.control.limited(x, 3.0),
        lambda x: rd.control.run(ARM, x, [0, 0], [0, 0], 1.0),
        lambda x: rd.control.tracking(x, 0.1),
        lambda x: rd.ilqr(x, rd.costs.effort(1.0), [0.0], [[0.0]]),
        lambda x: rd.linearize(ARM, [0, 0], [0, 0], [0, 0], 0.1, route=x),
        lambda x: rd.inverse_kinematics.solve(ARM, [1, 0, 0], [0.1, 0.1], limits=x),
        lambda x: rd.inverse_kinematics.solve(ARM, [1, 0, 0], [0.1, 0.1], restarts=x),
        lambda x: rd.trajectories.fastest_along(ARM, x, [1, 1]),
        lambda x: rd.linearize(ARM, [0, 0], [0, 0], [0, 0], 0.1, method=x),
        lambda x: rd.simulate(ARM, [0, 0], [0, 0], None, [0, 1], method=x),
        lambda x: rd.coriolis_matrix(ARM, [0, 0], [0, 0], choice=x),
        lambda x: rd.point_jacobian(ARM, [0, 0], axes=x),
        lambda x: rd.identification.identify(ARM, None, method=x),
        lambda x: rd.Link(1.0, joint=x),
        lambda x: rd.Arm.from_dh([(0, 0, 0, 0)], convention=x),
        lambda x: ARM.locked(x),
    ],
)
@pytest.mark.parametrize(
    "odd", [TABLE, [[1, 2], [3]], "x" * 500, {"a": TABLE}], ids=["table", "ragged", "text", "dict"]
)
def test_a_sentence_about_bad_input_is_one_line(call, odd):
    """However long what was given is, and never NumPy's own words."""
    with pytest.raises((ValueError, TypeError)) as told:
        call(odd)
    assert "\n" not in str(told.value) and len(str(told.value)) < 400
    assert not re.search("inhomogeneous|ambiguous|sequence item|unhashable", str(told.value))
