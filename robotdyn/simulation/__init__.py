"""From torques to motion.

Files: simulate, integrators, rollout, events, trajectory, stick_slip, free_body, progress.
"""

from robotdyn.simulation.integrators import INTEGRATORS, Integrator, euler_step, rk4_step, semi_implicit_step

__all__ = ["INTEGRATORS", "Integrator", "euler_step", "rk4_step", "semi_implicit_step"]
