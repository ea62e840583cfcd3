"""What a moving figure computes:  qdd = M^-1 (tau - b qd + J^T f - C qd - g), written with functions of the library.

Each algorithm is traced once and printed as JavaScript: the page has no physics of its own.  The hand of the reader holds
one point: hold has an entry a bar, as `bars` lists them (of a serial arm one a link), 1 at the bar that it holds and 0
elsewhere; along in [0, 1] says where on the bar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from robotdyn.codegen.specialize import specialize
from robotdyn.dynamics.energy import kinetic_energy, potential_energy
from robotdyn.dynamics.kinematics import point_jacobian, point_position
from robotdyn.dynamics.planar import joint_torques
from robotdyn.dynamics.recursive import coriolis_matrix, forward_dynamics, gravity_torque, mass_matrix
from robotdyn.dynamics.task_space import mobility
from robotdyn.identification.regressor import regressor
from robotdyn.maths.namespace import namespace
from robotdyn.maths.validate import Entries, Result, joint_count
from robotdyn.model.arm import Arm
from robotdyn.model.picture import bars, joint_geometry

Algorithm: TypeAlias = Callable[..., Any]
AlgorithmWithShapes: TypeAlias = tuple[
    Algorithm, dict[str, Any]
]  # and {input: shape}; the shape "n" is one entry a joint, "bars" one a bar

TORQUES: tuple[str, ...] = ("joint", "compensated", "absolute")


acceleration: Algorithm = forward_dynamics


def free_joint_count(arm: Any) -> int:
    """Return the number of joints of a serial arm or a tree; an error for what is no arm, and for coupled joints."""
    n = joint_count(arm)
    if arm.coupling is not None:
        raise ValueError("a moving figure must be of an arm with free joints, got coupled ones: show arm.uncoupled")
    return n


def serial_joint_count(arm: Any) -> int:
    """Return the number of joints of a serial arm; an error for what is no arm, and for a tree, which `explore` alone draws."""
    n = free_joint_count(arm)
    if not arm.is_serial:
        raise ValueError(
            f"this moving figure must be of a serial arm, got a tree with {len(arm.leaves)} ends: "
            "rd.show.explore moves a tree, and arm.locked makes a chain of one"
        )
    return n


def acceleration_without_coriolis(arm: Arm, q: Entries, qd: Entries, tau: Entries) -> Result:
    """Return qdd (n,), without the velocity terms:  M qdd + g = tau."""
    return forward_dynamics(arm, q, 0 * qd, tau)


def energies(arm: Arm, q: Entries, qd: Entries) -> Result:
    """Return T and U, J."""
    return kinetic_energy(arm, q, qd), potential_energy(arm, q)


def points(arm: Arm, q: Entries) -> tuple[Result, ...]:
    """Return where joints are carried, links begin and end, and centers of mass are, m, and the axes of the joints:
    five arrays (n, 2), of a tree the third (m, 2), one a bar; base axes.
    """
    return _drawn_geometry(arm, q, 2)


def points_in_space(arm: Arm, q: Entries) -> tuple[Result, ...]:
    """Return what `points` returns, as five arrays (n, 3)."""
    return _drawn_geometry(arm, q, 3)


def _drawn_geometry(arm: Arm, q: Entries, dimensions: int) -> tuple[Result, ...]:
    xp = namespace(arm, q)
    R, homes, p, ends = joint_geometry(arm.links, arm.parents, arm.tip, q)
    coms = [R_i @ xp.array(link.com) + p_i for R_i, p_i, link in zip(R, p, arm.links)]
    axes = [R_i @ xp.array(link.axis) for R_i, link in zip(R, arm.links)]
    rows = (homes, p, ends, coms, axes)
    return tuple(xp.stack([xp.stack([point[k] for k in range(dimensions)]) for point in row]) for row in rows)


def held_point(arm: Arm, q: Entries, hold: Entries, along: Any, dimensions: int = 2) -> tuple[Result, Result]:
    """Return the place of the point that is held, (2,) or (3,) m, and its Jacobian (2 or 3, n); both 0 where none is."""
    xp = namespace(arm, q)
    place = 0
    J = 0
    for k, (i, end) in enumerate(bars(arm.links, arm.parents, arm.tip)):
        point = along * xp.array(end)
        place = place + hold[k] * point_position(arm, q, i, point)[:dimensions]
        J = J + hold[k] * point_jacobian(arm, q, i, point)[:dimensions]
    return place, J


def applied_torque(
    torques: str, limits: Mapping[int, tuple[float, float]], hand: tuple[float, float, float]
) -> Algorithm:
    """Return the algorithm of what acts on the joints besides the weight.

    torques: "joint" takes tau as joint torques, "compensated" adds g(q), "absolute" takes tau as the generalized forces
    of absolute angles.  limits: {joint: (low, high)} of elastic stops, m or rad.  hand: (N/m, m, N s/m), the stiffness
    of the spring in the reader's hand, the stretch from which on it yields, and its damping.
    """
    stiffness, stretch, damping = hand

    def torque(
        arm: Arm, q: Entries, qd: Entries, tau: Entries, friction: Entries, hold: Entries, along: Any, target: Entries
    ) -> tuple[Result, Any, Result, Result, Result, Result]:
        """Return what acts (n,) N m (N), its power W, the pull of the hand (2,) N, and what motors, friction and hand
        contribute, each (n,).
        """
        xp = namespace(arm, q, qd)
        place, J = held_point(arm, q, hold, along)
        way = target - place
        pull = stiffness * way / ((1 + (way @ way) / stretch**2) ** 0.5) - damping * (J @ qd)
        motors = {"joint": tau, "compensated": tau + gravity_torque(arm, q)}.get(torques)
        motors = joint_torques(tau) if motors is None else motors
        stop = xp.stack([_elastic_stop(q[i], *limits[i]) if i in limits else 0 * q[i] for i in range(arm.n)])
        rubbing = -friction * qd
        pulling = J.T @ pull
        total = motors + rubbing + pulling + stop
        return total, total @ qd, pull, motors, rubbing, pulling

    return torque


def holding_torque(
    goal: Entries, limits: Mapping[int, tuple[float, float]], hand: tuple[float, float, float]
) -> Algorithm:
    """Return the algorithm of what acts where the motors hold the arm: k (goal - q) + w g(q) besides what acts anyway.

    k: N m/rad (N/m), of springs to the pose goal (n,); w: the share of the weight that the motors carry.  The power is
    that of all else: the springs and the carried weight have an energy, which `closed_loop_energy` returns.
    """
    free = applied_torque("joint", limits, hand)

    def torque_with_springs(
        arm: Arm,
        q: Entries,
        qd: Entries,
        tau: Entries,
        friction: Entries,
        hold: Entries,
        along: Any,
        target: Entries,
        k: Any,
        w: Any,
    ) -> tuple[Result, Any, Result, Result, Result, Result]:
        total, power, pull, motors, rubbing, pulling = free(arm, q, qd, tau, friction, hold, along, target)
        motor_torque = k * (namespace(arm, q).array(goal) - q) + w * gravity_torque(arm, q)
        return total + motor_torque, power, pull, motors + motor_torque, rubbing, pulling

    return torque_with_springs


def closed_loop_energy(goal: Entries) -> Algorithm:
    """Return the algorithm of T and of the energy of springs to the pose goal and of the weight that is not carried, J."""

    def energies(arm: Arm, q: Entries, qd: Entries, k: Any, w: Any) -> tuple[Result, Result]:
        off = q - namespace(arm, q).array(goal)
        return kinetic_energy(arm, q, qd), k * (off @ off) / 2 + (1 - w) * potential_energy(arm, q)

    return energies


def _elastic_stop(x: Any, low: float, high: float, force: float = 20.0, width: float = 0.01) -> Any:
    """Return the force of two elastic stops, N: almost none between low and high, `force` a width further out."""
    return force * (_softplus((low - x) / width) - _softplus((x - high) / width))


def _softplus(x: Any) -> Any:
    """Return log(1 + e^x): 0 far below zero, x far above."""
    return np.log(1 + np.exp(x))


def ik_step(arm: Arm, q: Entries, hold: Entries, along: Any, target: Entries) -> Result:
    """Return q (n,) after one step of steepest descent that brings the held point nearer to its target, (2,) or (3,) m."""
    place, J = held_point(arm, q, hold, along, len(target))
    slope = J.T @ (target - place)
    change = J @ slope
    step = slope * ((slope @ slope) / (change @ change + 1e-9))
    return q + step / (1 + (step @ step) / 0.04) ** 0.5


def inertia_term(arm: Arm, q: Entries, qd: Entries, qdd: Entries) -> Result:
    """Return M qdd (n,)."""
    return mass_matrix(arm, q) @ qdd


def velocity_term(arm: Arm, q: Entries, qd: Entries, qdd: Entries) -> Result:
    """Return C qd (n,)."""
    return coriolis_matrix(arm, q, qd) @ qd


def centrifugal_term(arm: Arm, q: Entries, qd: Entries, qdd: Entries) -> Result:
    """Return the part of C qd (n,) with squares of rates: what each rate would ask for if it were the only one."""
    alone = [[qd[j] if i == j else 0 for j in range(arm.n)] for i in range(arm.n)]
    return sum(velocity_term(arm, q, namespace(arm, q, qd).stack(rates), qdd) for rates in alone)


def coriolis_term(arm: Arm, q: Entries, qd: Entries, qdd: Entries) -> Result:
    """Return the part of C qd (n,) with products of two rates."""
    return velocity_term(arm, q, qd, qdd) - centrifugal_term(arm, q, qd, qdd)


def gravity_term(arm: Arm, q: Entries, qd: Entries, qdd: Entries) -> Result:
    """Return g (n,)."""
    return gravity_torque(arm, q)


# where: add a term of the equation that can be touched
# here or in `RIGHT_TERMS`, and in `TERMS` of `packages/movingfigures/js/src/terms.js`
LEFT_TERMS: dict[
    str, Algorithm
] = {  # what may stand on the left of the equation that is shown; on the right, forces of `acting`
    "inertia": inertia_term,
    "velocity": velocity_term,
    "centrifugal": centrifugal_term,
    "coriolis": coriolis_term,
    "gravity": gravity_term,
}
RIGHT_TERMS: tuple[str, ...] = ("torque", "motors", "friction", "hand")  # all that acts, or its parts


def equation_terms(words: Iterable[str]) -> Algorithm:
    """Return the algorithm of those terms of M qdd + C qd + g that are named, in their order, each (n,) N m (N)."""
    chosen = [LEFT_TERMS[word] for word in words if word in LEFT_TERMS]

    def selected_terms_of(arm: Arm, q: Entries, qd: Entries, qdd: Entries) -> tuple[Result, ...]:
        return tuple(term(arm, q, qd, qdd) for term in chosen)

    return selected_terms_of


def map_quantities(arm: Arm, q: Entries) -> tuple[Result, Result, Result]:
    """Return det M and the gravity torques g_1, g_2 of an arm of two joints."""
    M = mass_matrix(arm, q)
    g = gravity_torque(arm, q)
    return M[0, 0] * M[1, 1] - M[0, 1] * M[0, 1], g[0], g[1]


def information_matrix(columns: Iterable[int]) -> Algorithm:
    """Return the algorithm of Y^T Y, what one reading of all torques tells about the parameters at these places of phi."""
    places = list(columns)

    def information_of(arm: Arm, q: Entries, qd: Entries, qdd: Entries) -> Result:
        Y = regressor(arm, q, qd, qdd)[:, places]
        return Y.T @ Y

    return information_of


def planar_mobility(arm: Arm, q: Entries) -> Result:
    """Return J M^-1 J^T (2, 2) of the tip in the plane of x and y, 1/kg."""
    return mobility(arm, q, directions=np.eye(3)[:2])


# where: add a panel or a mark to a moving figure
# what it computes; its word in `PANELS` or `MARKS` of `explore_options.py`, its drawing in `PANELS` of
# `packages/movingfigures/js/src/panels.js` or in `stage.js` beside it
def select_programs(
    runs: Iterable[Any],
    panels: Iterable[str],
    marks: Iterable[str],
    limits: Mapping[int, Any],
    hand: Any,
    equation: Iterable[str] = (),
    goal: Any = None,
    columns: Iterable[int] = (),
) -> dict[str, AlgorithmWithShapes]:
    """Return {name: (algorithm, {input: shape})} of what a figure computes; "n" is one entry a joint, "bars" one a bar."""
    springs: dict[str, Any] = {} if goal is None else {"k": (), "w": ()}
    hand_in: dict[str, Any] = {"hold": "bars", "along": (), "target": 2}
    state: dict[str, Any] = {"q": "n", "qd": "n", "tau": "n"}
    made: dict[str, AlgorithmWithShapes] = {"points": (points, {"q": "n"})}
    if not runs:
        return made
    energy = energies if goal is None else closed_loop_energy(goal)
    made |= {"energies": (energy, {"q": "n", "qd": "n", **springs}), "ik_step": (ik_step, {"q": "n", **hand_in})}
    for run in runs:
        algorithm = acceleration if run.velocity_terms else acceleration_without_coriolis
        made["acceleration" if run.velocity_terms else "acceleration_without_coriolis"] = algorithm, state
        acts = applied_torque(run.torques, limits, hand) if goal is None else holding_torque(goal, limits, hand)
        made.setdefault(run.torques, (acts, {**state, "friction": "n", **hand_in, **springs}))
    if equation:
        made["terms"] = (equation_terms(equation), {"q": "n", "qd": "n", "qdd": "n"})
    if columns:
        made["information_matrix"] = (information_matrix(columns), {"q": "n", "qd": "n", "qdd": "n"})
    if "map" in panels:
        made["map_quantities"] = (map_quantities, {"q": "n"})
    if "ellipse" in marks:
        made["mobility"] = (planar_mobility, {"q": "n"})
    return made


def compile_programs(arm: Arm | None, free: tuple[str, ...], made: Mapping[str, AlgorithmWithShapes]) -> dict[str, Any]:
    """Return {name: Script} of algorithms f(arm, ...), or f(...) where there is no arm; free: symbols that stay free."""

    def shapes(inputs: Mapping[str, Any]) -> dict[str, Any]:
        if arm is None:
            return dict(inputs)
        sizes = {"n": arm.n, "bars": len(bars(arm.links, arm.parents, arm.tip))}
        return {key: sizes[shape] if isinstance(shape, str) else shape for key, shape in inputs.items()}

    return {
        name: specialize(algorithm, arm, "javascript", free, shapes(inputs))
        for name, (algorithm, inputs) in made.items()
    }
