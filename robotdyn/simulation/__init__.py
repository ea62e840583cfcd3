"""From torques to motion.

Files: simulate, integrators, events, trajectory, arm_programs, compiled_rollout.
"""

from robotdyn.simulation.integrators import euler_step, rk4_step, semi_implicit_step

__all__ = ["euler_step", "rk4_step", "semi_implicit_step"]
