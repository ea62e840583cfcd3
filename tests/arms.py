"""The arms that the tests try: random 3-D ones of every mix of joints, and degenerate ones; all seeded."""

from dataclasses import replace

import numpy as np
import sympy as sp

import robotdyn as rd
from robotdyn import laws
from robotdyn.dynamics import kinematics, recursive
from robotdyn.model.robots import random_arm

MIXES = ("r", "p", "rr", "rp", "pr", "pp", "rrr", "prp", "rrpr", "pprr", "rrrrr", "rprprp", "rrrrrr", "rrrrrrr",
         "s", "sr", "rs", "psrs", "sssss")  # fmt: skip
WORDS = {"r": "revolute", "p": "prismatic", "s": "screw"}
TREES = {  # kinematic trees: the parents of the links, by the joints
    "rr": (-1, -1), "rrr": (-1, 0, 0), "prp": (-1, 0, 0), "sps": (-1, -1, 1), "rrrp": (-1, 0, 1, 0), "rrprr": (-1, 0, 1, 1, 0),
    "psrsr": (-1, 0, -1, 2, 2), "rrrrrrr": (-1, 0, 1, 0, 3, 0, 5), "rprsprrrs": (-1, 0, 0, 2, 1, 4, 3, 2, -1),
}  # fmt: skip
NAMED = ("double_pendulum", "gen3", "iiwa14", "panda", "puma560", "scara", "stanford", "ur5e")  # of rd.robots


def derivative(function, z):
    """The derivatives of a function of a vector at z, by the five-point rule, one in each column."""

    def along(e):
        return laws.slope(lambda s: function(z + s * e), 0.0)

    return np.stack([along(e) for e in np.eye(len(z))], axis=-1)


def arm_and_state(mix):
    """Return a random arm with the joints of `mix`, and random q, qd, qdd, tip wrench."""
    rng = np.random.default_rng(sum(ord(letter) * 3**k for k, letter in enumerate(mix)))
    arm = random_arm(rng, len(mix), [WORDS[letter] for letter in mix])
    return (arm, *rng.normal(size=(3, len(mix))), rng.normal(size=6))


def tree_and_state(mix):
    """Return a random tree with the joints of `mix` and the parents of TREES, with rotors, and random q, qd, qdd, tip wrench."""
    arm, *state = arm_and_state(mix)
    links = [replace(link, motor_inertia=0.2 + 0.1 * k) for k, link in enumerate(arm.links)]
    return (replace(arm, links=links, parents=TREES[mix]), *state)


def named_arm_and_state(name):
    """Return an arm of rd.robots, and random q, qd, qdd, tip wrench."""
    arm = getattr(rd.robots, name)()
    rng = np.random.default_rng(len(name))
    return (arm, *rng.normal(size=(3, arm.n)), rng.normal(size=6))


def more_mixes(count, letters="rps", longest=8):
    """Return `count` mixes of up to `longest` joints that are not among MIXES, seeded."""
    rng, mixes = np.random.default_rng(15), dict.fromkeys(MIXES)
    while len(mixes) < len(MIXES) + count:
        mixes["".join(rng.choice(list(letters), size=rng.integers(2, longest + 1)))] = None
    return tuple(mixes)[len(MIXES) :]


def violation(*state):
    """Return the largest violation of any law at one state (arm, q, qd, qdd, w)."""
    return max(violations(*state))


def violations(arm, q, qd, qdd, w, recursive=recursive, kinematics=kinematics):
    """Yield the violation of each law at one state, by the algorithms of the library or of changed copies."""
    yield laws.symmetry(recursive.mass_matrix, arm, q)
    yield laws.energy_of_motion(recursive.mass_matrix, arm, q, qd)
    yield laws.coriolis_product(recursive.coriolis_matrix, recursive.inverse_dynamics, arm, q, qd)
    yield laws.inverse_of_forward(recursive.forward_dynamics, rd.inverse_dynamics, arm, q, qd, qdd)
    yield laws.wrench_does_virtual_work(recursive.inverse_dynamics, arm, q, qd, qdd, w)
    yield laws.gravity_is_gradient(recursive.gravity_torque, arm, q)
    yield laws.power_balance(recursive.inverse_dynamics, arm, q, qd, qdd)
    yield laws.velocity_torque(recursive.bias_torque, rd.mass_matrix, arm, q, qd)
    yield laws.skew_symmetry(recursive.coriolis_matrix, rd.mass_matrix, arm, q, qd)
    yield laws.jacobian_is_derivative(kinematics.tip_jacobian, arm, q, qd)
    yield laws.acceleration_is_derivative(kinematics.point_acceleration, arm, q, qd, qdd)


def nearly_singular_arm():
    """Three parallel axes in one line, links of a gram, a millimeter apart: M has eigenvalues from 1e-10 to 1."""
    light = [rd.Link(1e-3, (1e-3, 0, 0), 1e-9 * np.eye(3), position=(1e-3, 0, 0)) for _ in range(2)]
    return rd.Arm([rd.Link(2.0, (0.5, 0.1, 0), 0.1 * np.eye(3)), *light], gravity=(1, -9.81, 2))


def exact_arm(mix):
    """Return an arm in space whose frames and axes are fractions: its rotations turn exactly, in as many digits as asked."""
    r = sp.Rational
    links = []
    for k, letter in enumerate(mix, start=1):
        w, x, y, z = k, 2, -1, 3  # a quaternion of whole numbers
        spun = sp.Matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        rotation = sp.eye(3) + 2 * (w * spun + spun * spun) / r(w * w + x * x + y * y + z * z)
        com, offsets = (
            [r(1, 3), r(k, 5), r(-1, 4)],
            sp.Matrix([[r(1, 2), 0, r(k, 7)], [r(1, 3), 1, 0], [0, r(1, 5), -1]]),
        )
        inertia = offsets.norm() ** 2 * sp.eye(3) - offsets.T * offsets  # of points, one a row, and their opposites
        pitch = r(1, 4) if letter == "s" else 0
        axis, position = [r(2, 3), r(-1, 3), r(2, 3)], [r(k, 4), r(1, 2), r(-1, 3)]
        links.append(rd.Link(r(k + 5, 3), com, inertia, WORDS[letter], axis, position, rotation, pitch))
    return rd.Arm(links, gravity=(1, -2, -9), tip=(r(1, 2), r(1, 3), r(-1, 5)))
