"""robotdyn: robot manipulator dynamics as one readable text of each algorithm, for symbols, numbers and batches."""

from typing import TYPE_CHECKING

from robotdyn.later import load

__version__ = "0.1.0"

if TYPE_CHECKING:  # what editors and type checkers read in place of the table below
    from robotdyn import check, control, costs, forces, lagrange, planar, proof, relations, robots, show, stacking
    from robotdyn.arm import Arm, Link
    from robotdyn.arm_motion import arm_dynamics
    from robotdyn.calling import Specialized
    from robotdyn.discrete import Dynamics
    from robotdyn.energy import kinetic_energy, potential_energy
    from robotdyn.kinematics import com_jacobian, link_poses, point_jacobian, point_position, tip_jacobian
    from robotdyn.lagrange import Equations, derive
    from robotdyn.linearization import linearize
    from robotdyn.optimal_control import ilqr
    from robotdyn.reaching import reach
    from robotdyn.recursive import (
        bias_torque,
        coriolis_matrix,
        forward_dynamics,
        gravity_torque,
        inverse_dynamics,
        mass_matrix,
    )
    from robotdyn.simulation import simulate, stream
    from robotdyn.solution import Solution
    from robotdyn.specialization import specialize
    from robotdyn.stacking import rollout_matrix
    from robotdyn.straightline import Program
    from robotdyn.tracing import trace
    from robotdyn.trajectory import Trajectory

# Loaded when first used, so that `import robotdyn` stays quick, also where there is no NumPy: the part, or the part
# that holds the name.
_LATER = {
    "Arm": "arm",
    "Link": "arm",
    "kinetic_energy": "energy",
    "potential_energy": "energy",
    "com_jacobian": "kinematics",
    "link_poses": "kinematics",
    "point_jacobian": "kinematics",
    "point_position": "kinematics",
    "tip_jacobian": "kinematics",
    "bias_torque": "recursive",
    "coriolis_matrix": "recursive",
    "forward_dynamics": "recursive",
    "gravity_torque": "recursive",
    "inverse_dynamics": "recursive",
    "mass_matrix": "recursive",
    "robots": "robots",
    "planar": "planar",
    "forces": "forces",
    "proof": "proof",
    "relations": "relations",
    "show": "show",
    "check": "check",
    "lagrange": "lagrange",
    "derive": "lagrange",
    "Equations": "lagrange",
    "simulate": "simulation",
    "stream": "simulation",
    "Trajectory": "trajectory",
    "linearize": "linearization",
    "stacking": "stacking",
    "rollout_matrix": "stacking",
    "costs": "costs",
    "control": "control",
    "Dynamics": "discrete",
    "arm_dynamics": "arm_motion",
    "ilqr": "optimal_control",
    "reach": "reaching",
    "Solution": "solution",
    "trace": "tracing",
    "Program": "straightline",
    "specialize": "specialization",
    "Specialized": "calling",
}

__all__ = [
    "Arm",
    "Dynamics",
    "Equations",
    "Link",
    "Program",
    "Solution",
    "Specialized",
    "Trajectory",
    "arm_dynamics",
    "bias_torque",
    "check",
    "com_jacobian",
    "control",
    "coriolis_matrix",
    "costs",
    "derive",
    "forces",
    "forward_dynamics",
    "gravity_torque",
    "ilqr",
    "inverse_dynamics",
    "kinetic_energy",
    "lagrange",
    "linearize",
    "link_poses",
    "mass_matrix",
    "planar",
    "point_jacobian",
    "point_position",
    "potential_energy",
    "proof",
    "reach",
    "relations",
    "robots",
    "rollout_matrix",
    "show",
    "simulate",
    "specialize",
    "stacking",
    "stream",
    "tip_jacobian",
    "trace",
]


def __getattr__(name):
    if name not in _LATER:
        raise AttributeError(f"robotdyn has no {name!r}; it has {', '.join(sorted(__all__))}")
    part = load(f"robotdyn.{_LATER[name]}")
    value = part if _LATER[name] == name else getattr(part, name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(__all__)
