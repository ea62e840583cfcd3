"""Laws (t, q, qd) -> tau that make an arm do what is wanted, motions to follow, and a runner with clock and sensors.

Files: checks, references, joint_space, passive, learning, energy, hand, planned, runner.
"""

from robotdyn.control.energy import energy_shaping
from robotdyn.control.hand import impedance, operational_space
from robotdyn.control.joint_space import computed_torque, gravity_compensation, limited, pd
from robotdyn.control.learning import Learning, adaptive
from robotdyn.control.passive import passivity
from robotdyn.control.planned import closed_loop, tracking
from robotdyn.control.references import minimum_jerk, sine
from robotdyn.control.runner import Run, continuous, run

__all__ = [
    "Learning",
    "Run",
    "adaptive",
    "closed_loop",
    "computed_torque",
    "continuous",
    "energy_shaping",
    "gravity_compensation",
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
