"""Linearize a motion, price it, and find the best one.

Files: linearization, infinite_horizon, costs, ilqr, constrained, shooting, reach, riccati, rollout_matrix, dynamics,
arm_dynamics, solution, trajectories, reachability.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
