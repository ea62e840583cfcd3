"""Control laws (t, q, qd) -> tau that make an arm do what is wanted, motions to follow, and a runner with clock and sensors.

Files: checks, references, joint_space, passivity_based, adaptive_control, energy, end_effector, force_control,
trajectory_tracking, runner.
"""

# where: add a law of control
# a function in a file of `robotdyn/control/` that returns a law `(t, q, qd) -> tau`, or a `Learning` where it has a
# state; its name in `__all__`

from robotdyn.control.adaptive_control import Learning, adaptive
from robotdyn.control.end_effector import impedance, operational_space
from robotdyn.control.energy import energy_shaping
from robotdyn.control.force_control import admittance, hybrid_force_motion
from robotdyn.control.joint_space import computed_torque, gravity_compensation, limited, pd
from robotdyn.control.passivity_based import passivity
from robotdyn.control.references import minimum_jerk, sine
from robotdyn.control.runner import Run, continuous, run
from robotdyn.control.trajectory_tracking import closed_loop, tracking
from robotdyn.maths.completion import offer_public_names

__all__ = [
    "Learning",
    "Run",
    "adaptive",
    "admittance",
    "closed_loop",
    "computed_torque",
    "continuous",
    "energy_shaping",
    "gravity_compensation",
    "hybrid_force_motion",
    "impedance",
    "limited",
    "minimum_jerk",
    "operational_space",
    "passivity",
    "pd",
    "run",
    "sine",
    "tracking",
]
offer_public_names(__name__)
